// Accuracy: the library against an independent computation in quadruple precision (spatial_reference.hpp).
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <vector>

#include "impact/spatial_cases.hpp"
#include "impact/spatial_reference.hpp"

namespace carom::testing {
namespace {

/// The promise of the header.
constexpr double promised = 1e-11;

void compare(std::uint64_t seed, int trials, std::map<SpatialCase, int>& seen) {
  SpatialCases cases(seed);
  for (int i = 0; i < trials; ++i) {
    SpatialProblem p = cases.next();
    // the explicit integrator of the reference would need millions of steps beyond
    p.material.friction = std::min(p.material.friction, 50.0);
    const auto r = spatial_outcome(p);
    const auto reference = SpatialReference(p).run();
    ++seen[r.process];
    ASSERT_EQ(r.verdict == Verdict::separated, reference.separated);
    ASSERT_EQ(r.flags.has(Flag::recompression), reference.recompression) << "case " << i;
    ASSERT_LE((r.impulse - reference.impulse).norm(), promised * reference.impulse.norm())
        << "case " << i << ' ' << name(r.process) << ", event slope 1/" << static_cast<double>(reference.sensitivity);
    ASSERT_LE((r.velocity_after - reference.velocity_after).norm(),
              promised * (p.space.velocity.norm() + reference.velocity_after.norm()))
        << "case " << i;
  }
}

TEST(SpatialAccuracy, AgreesWithQuadruplePrecision) {
  std::map<SpatialCase, int> seen;
  compare(51, 120, seen);
  for (const auto which :
       {SpatialCase::curved_slip, SpatialCase::slip_ends_in_compression, SpatialCase::slip_ends_in_restitution,
        SpatialCase::straight_ends_in_compression, SpatialCase::straight_slip})
    EXPECT_GT(seen[which], 0) << name(which);
}

// Energetic restitution finds the work from the balance of energy while mu^2 tr B <= 256 w, and as a product of series
// beyond: both sides of the limit, one by one and in a batch.
TEST(SpatialAccuracy, WorkKeepsItsDigitsOnBothSidesOfTheLimit) {
  SpatialCases cases(53);
  std::vector<SpatialProblem> problems;
  const double shares[] = {0.25, 0.999, 1.001, 4.0};
  while (problems.size() < 60) {
    SpatialProblem p = cases.next();
    const Eigen::Matrix3d& w = p.space.inverse_inertia;
    p.law = RestitutionLaw::energetic;
    p.material.friction = std::sqrt(256.0 * shares[problems.size() % 4] * w(2, 2) / (w(0, 0) + w(1, 1)));
    if (p.material.friction <= 50.0) problems.push_back(p);  // beyond, the reference takes too long
  }
  std::vector<SpatialOutcome> batch(problems.size());
  spatial_outcomes(problems, batch);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const auto reference = SpatialReference(problems[i]).run();
    const double allowed = promised * reference.impulse.norm();
    EXPECT_LE((spatial_outcome(problems[i]).impulse - reference.impulse).norm(), allowed) << i;
    EXPECT_LE((batch[i].impulse - reference.impulse).norm(), allowed) << i;
  }
}

TEST(SlowSpatialAccuracy, AgreesWithQuadruplePrecisionOverThousands) {
  std::map<SpatialCase, int> seen;
  compare(52, 10'000, seen);
  EXPECT_GT(seen[SpatialCase::straight_ends_in_restitution], 0);
}

}  // namespace
}  // namespace carom::testing
