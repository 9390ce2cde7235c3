// The planar model has the properties every impact model must have.
#include "carom/impact/planar.hpp"

#include "impact/planar_random.hpp"
#include "impact/properties.hpp"

namespace carom::testing {
namespace {

struct PlanarModel {
  static constexpr int dimension = 2;
  static constexpr bool dissipative_energetic = true;
  using Problem = PlanarProblem;
  struct Cases {
    explicit Cases(std::uint64_t seed) : rng(seed) {}
    Problem next() { return random_planar_problem(rng, static_cast<RestitutionLaw>(count++ % 3)); }
    std::mt19937_64 rng;
    int count = 0;
  };
  static PlanarImpact solve(const Problem& problem) { return planar_impact(problem); }
  static bool energetic(const Problem& problem) { return problem.law == RestitutionLaw::energetic; }
};

INSTANTIATE_TYPED_TEST_SUITE_P(Planar, ImpactProperties, PlanarModel);

}  // namespace
}  // namespace carom::testing
