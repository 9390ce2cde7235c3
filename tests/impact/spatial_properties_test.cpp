// The common properties of impact models, for the impact in space.
#include "impact/properties.hpp"
#include "impact/spatial_cases.hpp"

namespace carom::testing {

struct SpatialModel {
  static constexpr int dimension = 3;
  static constexpr bool dissipative_energetic = true;
  using Problem = SpatialProblem;
  struct Cases : SpatialCases {
    using SpatialCases::SpatialCases;
  };
  static SpatialImpact solve(const Problem& p) { return spatial_impact(p); }
  static bool energetic(const Problem& p) { return p.law == RestitutionLaw::energetic; }
};
INSTANTIATE_TYPED_TEST_SUITE_P(Spatial, ImpactProperties, SpatialModel);

/// Energetic restitution over a million impacts: kinetic energy from the velocities, without the ledger.
TEST(SlowSpatialProperties, EnergyNeverRisesInAMillionImpacts) {
  SpatialCases cases(20);
  for (int i = 0; i < 1'000'000; ++i) {
    SpatialProblem p = cases.next();
    p.law = RestitutionLaw::energetic;
    const SpatialOutcome r = spatial_outcome(p);
    const double change = 0.5 * r.impulse.dot(p.space.velocity + r.velocity_after);
    ASSERT_LE(change, 1e-12 * kinetic_energy(p.space)) << "case " << i;
  }
}

TEST(SpatialProperties, PoissonWithOneCompressionNeverGivesEnergyButNewtonCan) {
  SpatialCases cases(21);
  int newton_gains = 0;
  for (int i = 0; i < 20'000; ++i) {
    SpatialProblem p = cases.next(Family::coupled, 100.0);
    p.law = RestitutionLaw::poisson;
    const auto r = spatial_impact(p);
    if (!r.flags.has(Flag::recompression)) {
      ASSERT_FALSE(r.flags.has(Flag::energy_gain)) << "case " << i;
    }
    p.law = RestitutionLaw::newton;
    newton_gains += spatial_impact(p).flags.has(Flag::energy_gain);
  }
  EXPECT_GT(newton_gains, 10);
}

}  // namespace carom::testing
