#include "carom/core/restitution.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "core/random.hpp"

namespace carom {
namespace {

using testing::refusal;
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Restitution, ANumberIsTheSameAtEverySpeed) {
  const Restitution e = 0.7;
  EXPECT_TRUE(is_constant(e));
  EXPECT_EQ(restitution_at(e, 0.0), 0.7);
  EXPECT_EQ(restitution_at(e, 1e6), 0.7);
  EXPECT_EQ(restitution_at(Restitution{}, 3.0), 1.0);
}

// Gonthier et al. 2004, eq. 12: 1 at rest, zero where the line ends.
TEST(Restitution, Slope) {
  const Restitution e = RestitutionSlope{0.2};
  EXPECT_FALSE(is_constant(e));
  EXPECT_EQ(restitution_at(e, 0.0), 1.0);
  EXPECT_EQ(restitution_at(e, 2.5), 0.5);
  EXPECT_EQ(restitution_at(e, 5.0), 0.0);
  EXPECT_EQ(restitution_at(e, 9.0), 0.0);
  EXPECT_EQ(restitution_at(e, -3.0), 1.0);  // the bodies part
}

TEST(Restitution, TableIsLinearBetweenAndConstantOutside) {
  const Restitution e = RestitutionTable{{{0.5, 0.9}, {1.5, 0.5}, {4.0, 0.25}}};
  EXPECT_EQ(restitution_at(e, 0.0), 0.9);
  EXPECT_EQ(restitution_at(e, 0.5), 0.9);
  EXPECT_NEAR(restitution_at(e, 1.0), 0.7, 1e-15);
  EXPECT_EQ(restitution_at(e, 1.5), 0.5);
  EXPECT_NEAR(restitution_at(e, 2.75), 0.375, 1e-15);
  EXPECT_EQ(restitution_at(e, 4.0), 0.25);
  EXPECT_EQ(restitution_at(e, 100.0), 0.25);
  EXPECT_EQ(restitution_at(RestitutionTable{{{1.0, 0.3}}}, 7.0), 0.3);
}

TEST(Restitution, Power) {
  const Restitution e = RestitutionPower{0.6, 2.0, 0.25};
  EXPECT_EQ(restitution_at(e, 2.0), 0.6);
  EXPECT_NEAR(restitution_at(e, 32.0), 0.3, 1e-15);
  EXPECT_EQ(restitution_at(e, 1e-9), 1.0);
  EXPECT_EQ(restitution_at(e, 0.0), 1.0);
  EXPECT_EQ(restitution_at(RestitutionPower{0.6, 2.0, 0.0}, 0.0), 0.6);
  EXPECT_EQ(restitution_at(RestitutionPower{0.0, 2.0, 0.5}, 0.0), 0.0);
}

TEST(Restitution, NamesWhatIsWrong) {
  const auto text = [](const Restitution& e) { return refusal([&] { require_valid("e", e); }); };
  EXPECT_EQ(text(0.0), "");
  EXPECT_EQ(text(1.0), "");
  EXPECT_EQ(text(1.5), "e: must be in [0, 1], got 1.5");
  EXPECT_EQ(text(RestitutionSlope{0.0}), "");
  EXPECT_EQ(text(RestitutionSlope{-1.0}), "e.slope: must be >= 0, got -1");
  EXPECT_EQ(text(RestitutionSlope{infinity}), "e.slope: must be a finite number, got inf");
  EXPECT_EQ(text(RestitutionTable{}), "e.table: must have at least one pair [speed, e]");
  EXPECT_EQ(text(RestitutionTable{{{0.0, 1.0}, {1.0, 0.5}}}), "");
  EXPECT_EQ(text(RestitutionTable{{{0.0, 1.0}, {1.0, 0.5}, {1.0, 0.4}}}),
            "e.table[2]: speeds must increase, got 1 after 1");
  EXPECT_EQ(text(RestitutionTable{{{-1.0, 1.0}}}), "e.table[0]: its speed must be >= 0, got -1");
  EXPECT_EQ(text(RestitutionTable{{{0.0, 1.0}, {1.0, 1.25}}}), "e.table[1]: its e must be in [0, 1], got 1.25");
  EXPECT_EQ(text(RestitutionPower{1.0, 1.0, 0.0}), "");
  EXPECT_EQ(text(RestitutionPower{2.0, 1.0, 0.2}), "e.power[0]: must be in [0, 1], got 2");
  EXPECT_EQ(text(RestitutionPower{0.5, 0.0, 0.2}), "e.power[1]: must be positive, got 0");
  EXPECT_EQ(text(RestitutionPower{0.5, 1.0, -0.2}), "e.power[2]: must be >= 0, got -0.2");
  EXPECT_EQ(refusal([] {
              require_valid(Restitution(RestitutionPower{0.5, 0.0, 0.2}));
            }),
            "power[1]: must be positive, got 0");
}

// Whatever the law, e stays in [0, 1] and never grows with the speed where the table does not.
TEST(Restitution, StaysInRange) {
  testing::Rng rng(20040331);
  for (int k = 0; k < 3000; ++k) {
    const double a = testing::uniform(rng, 0.0, 1.0), b = testing::uniform(rng, 0.0, a);
    const Restitution laws[] = {RestitutionSlope{testing::uniform(rng, 0.0, 2.0)},
                                RestitutionTable{{{0.3, a}, {testing::uniform(rng, 0.4, 3.0), b}}},
                                RestitutionPower{a, testing::uniform(rng, 0.1, 3.0), testing::uniform(rng, 0.0, 2.0)}};
    const double v = std::exp(testing::uniform(rng, -12.0, 6.0));
    for (const Restitution& e : laws) {
      ASSERT_GE(restitution_at(e, v), 0.0);
      ASSERT_LE(restitution_at(e, v), 1.0);
      ASSERT_LE(restitution_at(e, 1.1 * v), restitution_at(e, v) + 1e-15);
    }
  }
}

}  // namespace
}  // namespace carom
