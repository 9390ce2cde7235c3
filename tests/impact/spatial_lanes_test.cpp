// Batches: the lanes against the scalar path, and every row on its own whatever shares its lanes.
#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

#include "impact/spatial_cases.hpp"
#include "internal/impact/spatial/batch.hpp"
#include "internal/impact/spatial/lanes.hpp"

namespace carom::testing {
namespace {

std::vector<SpatialProblem> problems_of_all_families(std::uint64_t seed, int each) {
  SpatialCases cases(seed);
  std::vector<SpatialProblem> out;
  for (int i = 0; i < each; ++i)
    for (int family = 0; family < static_cast<int>(Family::count); ++family) {
      SpatialProblem p = cases.next(static_cast<Family>(family));
      if (i % 50 == 0) p.space.velocity.head<2>().setZero();  // no slip
      if (i % 50 == 1) p.space.velocity[2] = 0.0;             // tangential
      if (i % 50 == 2) p.space.velocity *= 1e-200;            // tiny units
      if (i % 50 == 3) p.space.velocity.head<2>() *= 1e-250;  // next to no slip
      if (i % 50 == 4) p.material.friction = 0.0;
      if (i % 50 == 5) p.space.velocity[2] = -p.space.velocity[2];
      out.push_back(p);
    }
  return out;
}

bool same_bits(const SpatialOutcome& a, const SpatialOutcome& b) {
  return std::memcmp(a.impulse.data(), b.impulse.data(), 3 * sizeof(double)) == 0 &&
         std::memcmp(a.velocity_after.data(), b.velocity_after.data(), 3 * sizeof(double)) == 0 &&
         a.verdict == b.verdict && a.process == b.process && a.flags == b.flags;
}

TEST(SpatialLanes, AgreeWithTheScalarPath) {
  const auto problems = problems_of_all_families(61, 5000);
  std::vector<SpatialOutcome> batch(problems.size());
  spatial_outcomes(problems, batch);
  int other_bits = 0;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const auto one = spatial_outcome(problems[i]);
    ASSERT_EQ(batch[i].verdict, one.verdict) << "row " << i;
    ASSERT_EQ(batch[i].process, one.process) << "row " << i;
    ASSERT_EQ(batch[i].flags, one.flags) << "row " << i;
    // The promise of the header; the sums are differently rounded, no more.
    ASSERT_LE((batch[i].impulse - one.impulse).norm(), 1e-11 * one.impulse.norm()) << "row " << i;
    ASSERT_LE((batch[i].velocity_after - one.velocity_after).norm(),
              1e-11 * (one.velocity_after.norm() + problems[i].space.velocity.norm()))
        << "row " << i;
    other_bits += !same_bits(batch[i], one);
  }
  EXPECT_GT(other_bits, 0) << "the lanes were not used";
}

// Two ways to the same impulse, with other steps: what either neglects would show as a difference.
TEST(SlowSpatialLanes, AgreeWithTheScalarPathOverAMillion) {
  for (std::uint64_t seed = 100; seed < 104; ++seed) {
    const auto problems = problems_of_all_families(seed, 42'000);
    std::vector<SpatialOutcome> batch(problems.size());
    spatial_outcomes(problems, batch);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      const auto one = spatial_outcome(problems[i]);
      ASSERT_EQ(batch[i].verdict, one.verdict) << "seed " << seed << ", row " << i;
      ASSERT_LE((batch[i].impulse - one.impulse).norm(), 1e-11 * one.impulse.norm())
          << "seed " << seed << ", row " << i;
    }
  }
}

TEST(SpatialLanes, ARowDoesNotDependOnItsNeighbours) {
  auto problems = problems_of_all_families(62, 700);
  problems[5].material.restitution = 2.0;  // refused
  problems[9].space.velocity[1] = std::nan("");
  std::vector<SpatialOutcome> straight(problems.size());
  spatial_outcomes(problems, straight);
  std::vector<std::size_t> order(problems.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(63);
  for (const int threads : {1, 2, 5}) {
    std::shuffle(order.begin(), order.end(), random);
    std::vector<SpatialProblem> shuffled;
    for (const std::size_t i : order) shuffled.push_back(problems[i]);
    std::vector<SpatialOutcome> outcomes(shuffled.size());
    spatial_outcomes(shuffled, outcomes, threads);
    for (std::size_t k = 0; k < order.size(); ++k)
      ASSERT_TRUE(same_bits(outcomes[k], straight[order[k]])) << "row " << order[k] << ", threads " << threads;
  }
  for (std::size_t i = 0; i < 200; ++i) {  // alone in the lanes
    SpatialOutcome alone;
    spatial_outcomes(std::span(problems).subspan(i, 1), std::span(&alone, 1));
    ASSERT_TRUE(same_bits(alone, straight[i])) << "row " << i;
  }
}

TEST(SpatialLanes, FrictionSoStrongThatSeriesOverflowStillEnds) {
  SpatialCases cases(65);
  std::vector<SpatialProblem> problems;
  for (const double mu : {1e20, 1e60, 1e100, 1e300})
    for (int i = 0; i < 30; ++i) {
      problems.push_back(cases.next(Family::bodies));
      problems.back().material.friction = mu;
    }
  std::vector<SpatialOutcome> batch(problems.size());
  spatial_outcomes(problems, batch);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const auto one = spatial_outcome(problems[i]);
    ASSERT_TRUE(one.impulse.allFinite()) << "row " << i;
    ASSERT_LE((batch[i].impulse - one.impulse).norm(), 1e-11 * one.impulse.norm()) << "row " << i;
  }
}

TEST(SpatialLanes, GiveTheSameBitsWithAndWithoutAvx2) {
  if (!spatial::has_wide_lanes()) GTEST_SKIP() << "this processor has no AVX2";
  const auto problems = problems_of_all_families(64, 1500);
  std::vector<SpatialOutcome> wide(problems.size()), plain(problems.size());
  spatial::follow_batch(problems, wide, true);
  spatial::follow_batch(problems, plain, false);
  for (std::size_t i = 0; i < problems.size(); ++i) ASSERT_TRUE(same_bits(wide[i], plain[i])) << "row " << i;
}

}  // namespace
}  // namespace carom::testing
