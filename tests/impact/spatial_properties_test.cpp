// The common properties of impact models, for the impact in space.
#include "impact/properties.hpp"
#include "impact/spatial_cases.hpp"

namespace carom::testing {

struct SpatialModel : PairModel<SpatialProblem> {
  static constexpr int dimension = 3, trials = 5000;
  static constexpr double balance = 1e-12, symmetry = 1e-10;
  static constexpr bool scales_exactly = true, friction_loses = true;
  struct Cases : SpatialCases {
    using SpatialCases::SpatialCases;
  };
  static SpatialImpact path(const Problem& p) { return spatial_impact(p); }
  static Answer solve(const Problem& p) { return answer(path(p)); }
  static bool dissipative(const Problem& p) { return p.law == RestitutionLaw::energetic; }
};
INSTANTIATE_TYPED_TEST_SUITE_P(Spatial, ImpactProperties, SpatialModel);
INSTANTIATE_TYPED_TEST_SUITE_P(Spatial, PathProperties, SpatialModel);

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
