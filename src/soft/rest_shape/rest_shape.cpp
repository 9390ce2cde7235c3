#include "carom/soft/rest_shape.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

#include "carom/core/error.hpp"
#include "carom/core/linear_algebra.hpp"
#include "carom/core/text.hpp"

#include "linear_solve.hpp"
#include "prepared.hpp"
#include "rest_shape/inverse.hpp"
#include "rest_shape/spectrum.hpp"

namespace carom {

namespace {

using soft::Field;
using soft::Prepared;

/// A step is halved no more often than this.
constexpr int most_halvings = 40;
/// A step must bring the residual down by this share of what it promises (Armijo).
constexpr double sufficient_share = 1e-4;
constexpr std::size_t anderson_depth = 5;
/// Steps of Anderson's history that hang together more closely than this say the same.
constexpr double anderson_rank = 1e-12;

const char* const advice = "; method neo_hookean may find it";

/// One search for the rest shape: where it is, and what it did.
struct Search {
  const Prepared& body;
  const RestShapeProblem& problem;
  const Progress& progress;
  Field displacement;
  std::vector<RestShapeIterate> history = {};
  double residual = 0.0, scale = 1.0, shown = 0.0;  // the last: progress
  RestShapeStatus status = RestShapeStatus::max_iterations;
  std::string message = {};

  Search(const Prepared& prepared, const RestShapeProblem& given, const Progress& told)
      : body(prepared), problem(given), progress(told), displacement(prepared.unknowns.held()) {
    scale = prepared.unknowns.gather(prepared.load).stableNorm();
    if (scale == 0.0)  // nothing but prescribed displacements: what they cost at the observed shape
      scale = prepared.unknowns.gather(stiffness_times(prepared.assembly, prepared.at, prepared.material, displacement))
                  .stableNorm();
    if (scale == 0.0) scale = 1.0;
  }

  Field rest() const { return body.at - displacement; }
  Field out_of_balance(const Field& forces) const { return forces - body.load; }
  double size_of(const Field& balance) const { return body.unknowns.gather(balance).stableNorm() / scale; }

  /// Keeps an iterate; true if the search is over.
  bool take(const Field& next, double residual_there, std::optional<double> map_norm = {}) {
    if (!std::isfinite(residual_there) || !next.allFinite())
      return fail(RestShapeStatus::diverged, std::string("the iteration left all bounds") + advice);
    RestShapeIterate iterate;
    iterate.residual = residual = residual_there;
    iterate.step = (next - displacement).norm();
    iterate.displacement = next.norm();
    iterate.map_norm = map_norm;
    history.push_back(iterate);
    displacement = next;
    if (residual <= problem.tolerance) status = RestShapeStatus::ok;
    const double share = residual < 1.0 ? std::log(residual) / std::log(std::min(problem.tolerance, 0.5)) : 0.0;
    progress.step(shown = std::max(shown, std::clamp(share, 0.0, 1.0)));
    return status != RestShapeStatus::max_iterations || static_cast<int>(history.size()) >= problem.max_iterations;
  }
  bool fail(RestShapeStatus as, std::string why) {
    status = as;
    message = std::move(why);
    return true;
  }

  /// The first look, before any iteration: true if there is nothing to do.
  bool starts_solved(const Field& forces) {
    residual = size_of(out_of_balance(forces));
    if (residual <= problem.tolerance) status = RestShapeStatus::ok;
    return status == RestShapeStatus::ok;
  }

  template <class Inverse>
  void newton(Inverse inverse) {
    inverse.set(displacement);
    if (starts_solved(inverse.forces())) return;
    Field balance = out_of_balance(inverse.forces());
    const soft::Couplings couplings = body.assembly.couplings(body.unknowns, false);
    std::vector<double> values;
    std::optional<soft::SparseFactor> factor;
    for (;;) {
      Eigen::MatrixXd step = body.unknowns.gather(balance);
      if (displacement.isZero(0.0)) {  // there the derivative is K itself
        soft::LinearBody linear(body.assembly, body.unknowns, body.material);
        if (!linear.set_shape(body.at)) return void(fail(RestShapeStatus::diverged, "the stiffness is singular"));
        step = linear.solve_free(step);
      } else {
        body.assembly.fill(
            couplings, body.unknowns, [&](int t, int a, int c) { return inverse.block(t, a, c); }, values);
        if (!factor) factor.emplace(couplings.pattern);
        if (!factor->compute(values))
          return void(fail(RestShapeStatus::diverged, std::string("Newton meets a singular derivative") + advice));
        factor->solve(step);
      }
      const Field direction = body.unknowns.spread(step);
      double length = 1.0;
      Field next;
      double there = 0.0;
      bool accepted = false;
      for (int i = 0; i < most_halvings && !accepted; ++i, length *= 0.5) {
        next = displacement - length * direction;
        if (!inverse.set(next)) continue;
        const Field balance_there = out_of_balance(inverse.forces());
        there = size_of(balance_there);
        accepted = there <= problem.tolerance || there <= (1.0 - sufficient_share * length) * residual;
        if (accepted) balance = balance_there;
      }
      if (!accepted)
        return void(fail(RestShapeStatus::diverged,
                         "no step of Newton brings the residual " + number_text(residual) + " further down" + advice));
      if (take(next, there)) return;
    }
  }

  /// Fixed point, or Anderson mixing of the same map with a history of some depth.
  void fixed_point(double damping, std::size_t depth) {
    soft::LinearBody linear(body.assembly, body.unknowns, body.material);
    if (starts_solved(stiffness_times(body.assembly, body.at, body.material, displacement))) return;
    std::deque<Eigen::VectorXd> moves, changes;  // of D, and of the step that the map proposes
    Eigen::VectorXd last, last_proposed;
    for (;;) {
      if (!linear.set_shape(rest())) return void(fail(RestShapeStatus::diverged, "the stiffness is singular"));
      const Field mapped = linear.solve(body.load);
      const Eigen::VectorXd here = body.unknowns.gather(displacement), proposed = body.unknowns.gather(mapped) - here;
      Eigen::VectorXd next = here + damping * proposed;
      if (depth > 0) {
        if (last.size() > 0) {
          moves.push_back(here - last);
          changes.push_back(proposed - last_proposed);
          if (moves.size() > depth) moves.pop_front(), changes.pop_front();
          const auto columns = static_cast<Eigen::Index>(moves.size());
          Eigen::MatrixXd x(here.size(), columns), f(here.size(), columns);
          for (Eigen::Index j = 0; j < columns; ++j)
            x.col(j) = moves[std::size_t(j)], f.col(j) = changes[std::size_t(j)];
          if (f.allFinite()) next -= (x + damping * f) * LeastNormSolver(f, anderson_rank).solve(proposed);
        }
        last = here;
        last_proposed = proposed;
      }
      const Field there = body.unknowns.spread_and_held(next), rest_there = body.at - there;
      const Field forces = stiffness_times(body.assembly, rest_there, body.material, there);
      std::optional<double> map_norm;
      if (problem.map_norms && depth == 0) {
        // Eq. 6.61 along the step just made: beta - K^-1 K(D + x) beta, with K and beta of the place before it.
        const Eigen::VectorXd x = next - here, beta = body.unknowns.gather(mapped);
        const Field held_still = body.unknowns.spread(beta);
        const Eigen::VectorXd change =
            (1.0 - damping) * x + damping * (beta - linear.solve_free(body.unknowns.gather(stiffness_times(
                                                        body.assembly, rest_there, body.material, held_still))));
        map_norm = change.stableNorm() / x.stableNorm();
      }
      const bool over = take(there, size_of(out_of_balance(forces)), map_norm);
      if (status != RestShapeStatus::diverged && !all_upright(body.assembly, rest_there))
        return void(fail(RestShapeStatus::inverted, std::string("an iterate turns a tetrahedron over") + advice));
      if (over) return;
    }
  }
};

RestShapeSpectrum spectrum_at(const Prepared& body, const Field& displacement, const Progress& progress) {
  soft::LinearBody linear(body.assembly, body.unknowns, body.material);
  const Field rest = body.at - displacement;
  linear.set_shape(rest);
  return soft::spectrum_of(
      body.unknowns.free(),
      [&](const Eigen::VectorXd& x) {
        return linear.solve_free(body.unknowns.gather(
            soft::stiffness_change_times(body.assembly, rest, body.material, displacement, body.unknowns.spread(x))));
      },
      progress);
}

void require_settings(const RestShapeProblem& problem) {
  const bool damped = problem.method == RestShapeMethod::fixed_point || problem.method == RestShapeMethod::anderson;
  if (!problem.damping && !damped) throw InvalidInput("damping", "can be auto with fixed_point and anderson only");
  if (problem.damping) {
    require_finite("damping", *problem.damping);
    if (!(*problem.damping > 0.0 && *problem.damping <= 1.0))
      throw InvalidInput("damping", "must be in (0, 1], got " + number_text(*problem.damping));
  }
  require_positive("tolerance", problem.tolerance);
  if (problem.max_iterations < 1 || problem.max_iterations > rest_shape_max_iterations)
    throw InvalidInput("max_iterations", "must be 1 to " + std::to_string(rest_shape_max_iterations) + ", got " +
                                             std::to_string(problem.max_iterations));
  require_positive("stiffness_scale", problem.stiffness_scale);
}

/// What the supports must do: push, and hold by friction.
void judge_supports(const RestShapeProblem& problem, const Prepared& body, RestShapeResult& result) {
  const double weight = body.weight * problem.body.young * problem.stiffness_scale;
  if (weight > 0.0) {
    const Eigen::Vector3d down = problem.body.gravity.stableNormalized();
    for (const SupportForce& support : result.reactions) {
      const double push = -support.force.dot(down);
      if (push > rest_shape_load_share * weight) {
        const double friction = (support.force + push * down).norm() / push;
        result.friction_required = std::max(result.friction_required.value_or(0.0), friction);
      }
      if (-push > rest_shape_pull_share * weight && !problem.glued && result.status == RestShapeStatus::ok) {
        result.status = RestShapeStatus::unstable_rest;
        result.message = "the support at vertex " + std::to_string(support.vertex) + " would have to pull with " +
                         number_text(-push) + " N";
      }
    }
  }
  result.flags.set(SoftFlag::no_support_load, !result.friction_required);
}

}  // namespace

RestShapeResult rest_shape(const RestShapeProblem& problem, int threads, const Progress& progress) {
  require_settings(problem);
  soft::require_body(problem.body);
  soft::require_sparse_factor();
  RestShapeResult result;
  const auto refused = [&](const soft::Objection& objection) {
    if (objection.status == FemStatus::ok) return false;
    result.status =
        objection.status == FemStatus::invalid_mesh ? RestShapeStatus::invalid_mesh : RestShapeStatus::underconstrained;
    result.message = objection.message;
    return true;
  };
  if (refused(soft::objection_to_mesh(problem.body))) return result;
  SoftBody scaled = problem.body;
  scaled.young *= problem.stiffness_scale;
  require_positive("young", scaled.young);
  const Prepared body(scaled, threads);
  if (refused(soft::objection_to_supports(body))) return result;

  const RestShapeMethod method = problem.method;
  const bool linear = method != RestShapeMethod::neo_hookean;
  const auto strains_at = [&](const Field& displacement) {
    return soft::strains_of(body.assembly, body.at - displacement, body.material, displacement);
  };
  const auto is_too_large = [](const TetStrains& tets) { return !(tets.largest <= rest_shape_largest_strain); };

  // The solution of the linear problem, which the spectrum belongs to, when another method or damping needs it.
  result.damping = problem.damping;
  const auto find_spectrum = [&] {
    Search search(body, problem, progress);
    search.newton(soft::LinearInverse(body.assembly, body.at, body.material));
    if (search.status == RestShapeStatus::ok && !is_too_large(strains_at(search.displacement)))
      result.spectrum = spectrum_at(body, search.displacement, progress);
  };
  const bool automatic = !problem.damping;
  if (automatic) {
    find_spectrum();
    result.damping = result.spectrum && result.spectrum->r_best ? *result.spectrum->r_best : 1.0;
    result.flags.set(SoftFlag::no_damping, !result.spectrum || !result.spectrum->r_best);
  }

  Search search(body, problem, progress);
  std::optional<soft::NeoHookeanInverse> neo_hookean;
  switch (method) {
    case RestShapeMethod::newton:
      search.newton(soft::LinearInverse(body.assembly, body.at, body.material));
      break;
    case RestShapeMethod::neo_hookean:
      neo_hookean.emplace(body.assembly, body.at, body.material);
      search.newton(*neo_hookean);
      break;
    case RestShapeMethod::fixed_point:
      search.fixed_point(*result.damping, 0);
      break;
    case RestShapeMethod::anderson:
      search.fixed_point(*result.damping, anderson_depth);
      break;
  }
  result.status = search.status;
  result.message = std::move(search.message);
  if (result.status == RestShapeStatus::max_iterations)
    result.message = "the residual is still " + number_text(search.residual) + " after " +
                     std::to_string(search.history.size()) + " iterations";
  result.history = std::move(search.history);
  result.residual = search.residual;

  const Field& displacement = search.displacement;
  const Field rest = body.at - displacement;
  result.rest_vertices = soft::to_vectors(rest);
  result.displacement = soft::to_vectors(displacement);
  result.masses = body.masses;
  result.tets = strains_at(displacement);
  if (result.status == RestShapeStatus::ok && linear && is_too_large(result.tets)) {
    result.status = RestShapeStatus::diverged;
    result.message =
        "the strain is " + number_text(result.tets.largest) + ", where small-strain theory says nothing" + advice;
  }
  Field forces;
  if (neo_hookean && neo_hookean->set(displacement)) {
    forces = neo_hookean->forces();
    for (std::size_t t = 0; t < result.tets.stress.size(); ++t) result.tets.stress[t] = neo_hookean->stress(t);
  } else {
    forces = soft::stiffness_times(body.assembly, rest, body.material, displacement);
  }
  for (Eigen::Matrix3d& stress : result.tets.stress) stress *= scaled.young;
  result.reactions = soft::support_forces(body.unknowns, search.out_of_balance(forces), scaled.young);
  judge_supports(problem, body, result);
  result.flags.set(SoftFlag::large_strain, !(result.tets.largest <= soft_large_strain));
  result.flags.set(SoftFlag::locking, problem.body.poisson > soft_locking_poisson);
  const bool solved = result.status == RestShapeStatus::ok || result.status == RestShapeStatus::unstable_rest;
  if (problem.spectrum && !automatic) {
    if (solved && linear)
      result.spectrum = spectrum_at(body, displacement, progress);
    else
      find_spectrum();
  }
  return result;
}

}  // namespace carom
