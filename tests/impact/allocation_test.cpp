// No heap on the hot path: every allocation of this program is counted, and an impact makes none.
#include <gtest/gtest.h>

#include "carom/impact/planar.hpp"

#include "impact/allocation_count.hpp"
#include "impact/planar_random.hpp"
#include "impact/spatial_cases.hpp"

namespace carom::testing {

TEST(SpatialAllocation, ImpactsAllocateNothing) {
  SpatialCases cases(61);
  double sum = 0;
  for (int i = 0; i < 2000; ++i) {
    const SpatialProblem p = cases.next(static_cast<Family>(i % 6));
    const long before = allocation_count();
    sum += spatial_impact(p).impulse[2] + spatial_outcome(p).impulse[2] + spatial_derivatives(p).outcome.impulse[2];
    SpatialOutcome row;
    spatial_outcomes(std::span(&p, 1), std::span(&row, 1));
    ASSERT_EQ(allocation_count(), before);
  }
  EXPECT_GT(sum, 0);
}

TEST(PlanarAllocation, ImpactsAllocateNothing) {
  std::mt19937_64 rng(62);
  for (int i = 0; i < 2000; ++i) {
    const PlanarProblem p = random_planar_problem(rng, static_cast<RestitutionLaw>(i % 3));
    const long before = allocation_count();
    PlanarOutcome row = planar_outcome(p);
    planar_outcomes(std::span(&p, 1), std::span(&row, 1));
    ASSERT_EQ(planar_impact(p).impulse, row.impulse);
    ASSERT_EQ(allocation_count(), before);
  }
}

}  // namespace carom::testing
