// A ball on a cloth: sliding against its equations, the rolling condition, and how far it comes.
#include "carom/motion/table.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "core/random.hpp"

namespace carom::testing {
namespace {

constexpr double r = 0.03, g = standard_gravity;
const Cloth cloth{0.2, rolling_friction_of_torque(0.01), g};

/// The way a sliding ball makes in some time, and its motion then, by its equations: v' = -mu g sign(u),
/// w' = 5/2 mu g sign(u) / r.
struct Slid {
  double way;
  TableRun run;
};
Slid slid(const TableRun& start, double time) {
  const double sign = start.speed > r * start.spin ? 1.0 : -1.0, a = sign * cloth.sliding_friction * g;
  return {start.speed * time - 0.5 * a * time * time, {start.speed - a * time, start.spin + 2.5 * a / r * time, false}};
}

TEST(Table, SlidesAsItsEquationsSay) {
  for (const double spin : {0.0, 20.0, -20.0, 60.0}) {
    const TableRun start{1.0, spin};
    const double end = sliding_time(start, r, cloth);
    for (const double share : {0.1, 0.5, 0.9}) {
      const Slid expected = slid(start, share * end);
      if (expected.way <= 0.0) continue;
      const auto run = after_way(start, r, cloth, expected.way);
      ASSERT_TRUE(run);
      EXPECT_FALSE(run->rolls);
      EXPECT_NEAR(run->speed, expected.run.speed, 1e-13);
      EXPECT_NEAR(run->spin, expected.run.spin, 1e-11);
      // About a point of the cloth friction has no moment: v + 2/5 r w stays.
      EXPECT_NEAR(run->speed + 0.4 * r * run->spin, 1.0 + 0.4 * r * spin, 1e-14);
    }
  }
}

TEST(Table, RollsWhenSlipHasDied) {
  for (const double spin : {0.0, 20.0, -20.0, 60.0}) {
    const TableRun start{1.0, spin};
    const double u = 1.0 - r * spin, end = sliding_time(start, r, cloth);
    EXPECT_NEAR(end, 2.0 * std::abs(u) / (7.0 * 0.2 * g), 1e-16);
    const Slid at_end = slid(start, end);
    EXPECT_NEAR(at_end.run.speed, r * at_end.run.spin, 1e-14);  // the lowest point rests
    EXPECT_NEAR(at_end.run.speed, 1.0 - 2.0 / 7.0 * u, 1e-14);
    const double speed = at_end.run.speed;
    const double further = 0.5 * speed * speed / (cloth.rolling_friction * g);  // rolls so far, then rests
    for (const double share : {0.01, 0.5, 0.99}) {
      const auto run = after_way(start, r, cloth, at_end.way + share * further);
      ASSERT_TRUE(run);
      EXPECT_TRUE(run->rolls);
      EXPECT_NEAR(run->speed, r * run->spin, 1e-15);
      EXPECT_NEAR(run->speed, speed * std::sqrt(1.0 - share), 1e-12);
    }
    EXPECT_FALSE(after_way(start, r, cloth, at_end.way + 1.001 * further));
  }
}

TEST(Table, RollsOnForEverWithoutResistance) {
  const Cloth hard{0.2, 0.0, g};
  const auto run = after_way({1.0, 1.0 / r}, r, hard, 1e6);
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->rolls);
  EXPECT_EQ(run->speed, 1.0);
  EXPECT_EQ(sliding_time({1.0, 1.0 / r}, r, hard), 0.0);
}

TEST(Table, SlidesOnForEverOnIce) {
  const Cloth ice{0.0, 0.0, g};
  EXPECT_EQ(sliding_time({1.0, 0.0}, r, ice), INFINITY);
  const auto run = after_way({1.0, -5.0}, r, ice, 100.0);
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->rolls);
  EXPECT_EQ(run->speed, 1.0);
  EXPECT_EQ(run->spin, -5.0);
}

TEST(Table, ABallWithMuchDrawComesBack) {
  // u = 1 + 100 r: v turns before slip has died.
  const TableRun start{1.0, -100.0};
  const double turns_after = 1.0 / (0.2 * g), farthest = 0.5 * turns_after;
  EXPECT_LT(turns_after, sliding_time(start, r, cloth));
  EXPECT_TRUE(after_way(start, r, cloth, 0.999 * farthest));
  EXPECT_FALSE(after_way(start, r, cloth, 1.001 * farthest));
}

TEST(Table, WithoutAWayNothingChanges) {
  const auto run = after_way({1.0, 7.0}, r, cloth, 0.0);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->speed, 1.0);
  EXPECT_EQ(run->spin, 7.0);
  EXPECT_FALSE(run->rolls);
}

TEST(Table, NamesWhatItRefuses) {
  EXPECT_EQ(refusal([] { after_way({NAN, 0.0}, r, cloth, 1.0); }), "speed: must be a finite number, got nan");
  EXPECT_EQ(refusal([] { after_way({1.0, INFINITY}, r, cloth, 1.0); }), "spin: must be a finite number, got inf");
  EXPECT_EQ(refusal([] { after_way({1.0, 0.0}, 0.0, cloth, 1.0); }), "radius: must be positive, got 0");
  EXPECT_EQ(refusal([] { after_way({1.0, 0.0}, r, cloth, -1.0); }), "way: must be >= 0, got -1");
  EXPECT_EQ(refusal([] { sliding_time({1.0, 0.0}, r, {-0.1, 0.0, g}); }), "sliding_friction: must be >= 0, got -0.1");
  EXPECT_EQ(refusal([] { sliding_time({1.0, 0.0}, r, {0.1, -1.0, g}); }), "rolling_friction: must be >= 0, got -1");
  EXPECT_EQ(refusal([] { sliding_time({1.0, 0.0}, r, {0.1, 0.0, 0.0}); }), "gravity: must be positive, got 0");
}

}  // namespace
}  // namespace carom::testing
