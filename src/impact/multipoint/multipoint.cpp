#include "carom/impact/multipoint.hpp"

#include <algorithm>
#include <cmath>

#include "system.hpp"

namespace carom {

MultipointImpact multipoint_lcp(const MultipointProblem& problem) {
  multipoint::require_valid(problem);
  MultipointImpact impact;
  const multipoint::System system = multipoint::make_system(problem, impact.removed);
  if (system.contacts == 0 || system.speed == 0.0) {
    impact.solutions.push_back(multipoint::unchanged(problem));
    if (system.contacts > 0) {  // at rest: they stick
      impact.solutions.back().sticking = system.original;
      impact.solutions.back().status = MultipointStatus::stick;
    }
    return impact;
  }
  const bool all = problem.dimension == 2 && system.contacts <= max_enumerated_contacts;
  impact.exhaustive = all;
  const auto found = all ? multipoint::enumerate_modes(system) : multipoint::iterate_from_starts(system);
  for (const multipoint::Candidate& candidate : found) {
    MultipointSolution solution =
        multipoint::make_solution(problem, system, candidate.impulses, candidate.pressed, true);
    solution.coulomb_met = true;  // the impulses lie in the cones by construction
    const auto pressed = std::count(candidate.pressed.begin(), candidate.pressed.end(), true);
    solution.status = candidate.continuum ? MultipointStatus::continuum
                      : pressed > 0 && static_cast<std::ptrdiff_t>(solution.sticking.size()) == pressed
                          ? MultipointStatus::stick
                          : MultipointStatus::slip;
    multipoint::note_flags(problem, system, solution, impact.flags);
    impact.solutions.push_back(std::move(solution));
  }
  if (system.marginal_rank) impact.flags.set(Flag::ill_conditioned);  // also when there seems to be no solution
  // In an order that the numbering of contacts does not change: components are compared on a grid much finer than the
  // distance of two solutions and much coarser than rounding.
  constexpr double grid = 1e-6;
  const double unit = grid * problem.velocity.cwiseAbs().maxCoeff();
  const auto before = [unit](const MultipointSolution& a, const MultipointSolution& b) {
    for (Eigen::Index i = 0; i < a.velocity.size(); ++i) {
      const double x = std::round(a.velocity[i] / unit), y = std::round(b.velocity[i] / unit);
      if (x != y) return x < y;
    }
    return false;
  };
  std::stable_sort(impact.solutions.begin(), impact.solutions.end(), before);
  return impact;
}

}  // namespace carom
