#include "carom/core/material.hpp"

#include <gtest/gtest.h>
#include <limits>

#include "core/random.hpp"

namespace carom {
namespace {

using testing::refusal;

TEST(Material, NamesOfTheLaws) {
  EXPECT_STREQ(name(RestitutionLaw::newton), "newton");
  EXPECT_STREQ(name(RestitutionLaw::poisson), "poisson");
  EXPECT_STREQ(name(RestitutionLaw::energetic), "energetic");
}

TEST(Material, RangeIsClosed) {
  EXPECT_NO_THROW(require_valid(Material{}));
  EXPECT_NO_THROW(require_valid(Material{.friction = 0.0, .restitution = 0.0}));
  EXPECT_NO_THROW(require_valid(Material{.friction = 1e6, .restitution = 1.0}));
}

TEST(Material, Refusals) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto text = [](double friction, double restitution) {
    return refusal([&] { require_valid(Material{friction, restitution}); });
  };
  EXPECT_EQ(text(-0.4, 0.5), "friction: must be >= 0, got -0.4");
  EXPECT_EQ(text(nan, 0.5), "friction: must be a finite number, got nan");
  EXPECT_EQ(text(infinity, 0.5), "friction: must be a finite number, got inf");
  EXPECT_EQ(text(0.4, -0.5), "restitution: must be in [0, 1], got -0.5");
  EXPECT_EQ(text(0.4, 1.5), "restitution: must be in [0, 1], got 1.5");
  EXPECT_EQ(text(0.4, nan), "restitution: must be a finite number, got nan");
}

}  // namespace
}  // namespace carom
