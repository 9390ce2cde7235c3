// Spatial against planar: with W decoupled from t2 and v in the plane, both models must give the same impulse.
#include <gtest/gtest.h>

#include "carom/impact/planar.hpp"

#include "impact/spatial_cases.hpp"

namespace carom::testing {

TEST(SpatialAgainstPlanar, SameImpulseInADecoupledPlane) {
  SpatialCases cases(71);
  for (int i = 0; i < 10'000; ++i) {
    const double a = cases.uniform(.5, 4), w = cases.uniform(.5, 4), b = cases.uniform(-.95, .95) * std::sqrt(a * w);
    SpatialProblem s;
    s.law = static_cast<RestitutionLaw>(i % 3);
    s.space.inverse_inertia << a, 0, b, 0, cases.uniform(.5, 4), 0, b, 0, w;
    s.space.velocity << (i % 7 ? cases.uniform(-2, 2) : 0.0), 0, -cases.uniform(.1, 2);
    s.material = {cases.uniform(0, 2), cases.uniform(0, 1)};
    PlanarProblem p;
    p.law = s.law;
    p.space.inverse_inertia << a, b, b, w;
    p.space.velocity << s.space.velocity[0], s.space.velocity[2];
    p.material = s.material;
    const auto spatial = spatial_outcome(s);
    const auto planar = planar_outcome(p);
    ASSERT_EQ(spatial.verdict, planar.verdict);
    ASSERT_LE((Eigen::Vector2d(spatial.impulse[0], spatial.impulse[2]) - planar.impulse).norm(),
              1e-12 * planar.impulse.norm())
        << "case " << i;
  }
}

}  // namespace carom::testing
