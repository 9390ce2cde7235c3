// Accuracy: the library against an independent computation in quadruple precision (spatial_reference.hpp).
#include <gtest/gtest.h>
#include <map>

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

TEST(SlowSpatialAccuracy, AgreesWithQuadruplePrecisionOverThousands) {
  std::map<SpatialCase, int> seen;
  compare(52, 10'000, seen);
  EXPECT_GT(seen[SpatialCase::straight_ends_in_restitution], 0);
}

}  // namespace
}  // namespace carom::testing
