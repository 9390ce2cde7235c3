// The planar model has the properties every impact model must have.
#include "carom/impact/planar.hpp"

#include "impact/planar_random.hpp"
#include "impact/properties.hpp"

namespace carom::testing {
namespace {

struct PlanarModel : PairModel<PlanarProblem> {
  static constexpr int dimension = 2, trials = 5000;
  static constexpr double balance = 1e-12, symmetry = 1e-10;
  static constexpr bool scales_exactly = true, friction_loses = true;
  struct Cases {
    explicit Cases(std::uint64_t seed) : rng(seed) {}
    Problem next() { return random_planar_problem(rng, static_cast<RestitutionLaw>(count++ % 3)); }
    std::mt19937_64 rng;
    int count = 0;
  };
  static PlanarImpact path(const Problem& p) { return planar_impact(p); }
  static Answer solve(const Problem& p) { return answer(path(p)); }
  static bool dissipative(const Problem& p) { return p.law == RestitutionLaw::energetic; }
};
INSTANTIATE_TYPED_TEST_SUITE_P(Planar, ImpactProperties, PlanarModel);
INSTANTIATE_TYPED_TEST_SUITE_P(Planar, PathProperties, PlanarModel);

}  // namespace
}  // namespace carom::testing
