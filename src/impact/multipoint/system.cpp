#include "system.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "carom/core/contact_space.hpp"
#include "carom/core/error.hpp"
#include "carom/core/linear_algebra.hpp"

#include "least_distance.hpp"

namespace carom::multipoint {

namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

/// Kinetic energy above this share of the initial one counts as a gain; below it is rounding.
constexpr double energy_gain_tolerance = 1e-12;

/// Singular values of J between these shares of the largest are neither rounding nor clear of it.
constexpr double exact_dependence = 1e-13, clear_independence = 1e-8;

/// Contact index -> field of the restitution list, for messages.
std::string restitution_field(const MultipointProblem& problem, std::size_t i) {
  return problem.restitution.size() == 1 ? "restitution" : "restitution[" + std::to_string(i) + "]";
}

/// Impulses of the system as columns per contact of the problem [N s].
MatrixXd unscaled(const MultipointProblem& problem, const System& system, const VectorXd& impulses) {
  MatrixXd all = MatrixXd::Zero(problem.dimension, problem.jacobian.rows() / problem.dimension);
  for (Index i = 0; i < system.contacts; ++i)
    all.col(system.original[static_cast<std::size_t>(i)]) =
        impulses.segment(system.tangent(i), system.dimension) * system.impulse;
  return all;
}

double kinetic(const MultipointProblem& problem, const VectorXd& velocity) {
  return 0.5 * velocity.dot(problem.mass_matrix * velocity);
}

/// Is the work within its bounds? Asked before any of it is done.
void require_moderate(const MultipointProblem& problem, bool each) {
  if (const Index n = problem.mass_matrix.rows(); n > max_multipoint_coordinates)
    throw InvalidInput("mass_matrix", "must have at most " + std::to_string(max_multipoint_coordinates) +
                                          " rows, got " + std::to_string(n));
  const auto rows = static_cast<double>(problem.jacobian.rows());
  const double d = problem.dimension, answers = each ? rows / d : 1.0;
  if (answers * rows * rows * rows <= max_multipoint_split_work) return;
  const double most =
      each ? std::pow(max_multipoint_split_work / (d * d * d), 0.25) : std::cbrt(max_multipoint_split_work) / d;
  throw InvalidInput("jacobian", "has too many contacts: the most is " + number_text(std::floor(most)) +
                                     (each ? ", unless one is named to be examined, got " : ", got ") +
                                     number_text(std::ceil(rows / d)));
}

}  // namespace

static void require_valid(const std::string& whose, const StickSlipFriction& friction) {
  require_at_least(whose + "static_friction", friction.static_friction, 0.0);
  require_at_least(whose + "dynamic_friction", friction.dynamic_friction, 0.0);
  if (friction.dynamic_friction > friction.static_friction)
    throw InvalidInput(whose + "dynamic_friction", "must be <= the static friction (" +
                                                       number_text(friction.static_friction) + "), got " +
                                                       number_text(friction.dynamic_friction));
}

void require_valid(const MultipointProblem& problem, bool each) {
  if (problem.dimension != 2 && problem.dimension != 3)
    throw InvalidInput("dimension", "must be 2 or 3, got " + std::to_string(problem.dimension));
  require_moderate(problem, each);
  const Index rows = problem.jacobian.rows();
  // Size, finiteness, symmetry and definiteness are checked where every mass matrix is.
  velocity_after(problem.mass_matrix, problem.jacobian, problem.velocity, VectorXd::Zero(rows));
  if (rows == 0 || rows % problem.dimension != 0)
    throw InvalidInput("jacobian", "must have " + std::to_string(problem.dimension) + " rows per contact, got " +
                                       std::to_string(rows) + " rows");
  const auto contacts = static_cast<std::size_t>(rows / problem.dimension);
  if (problem.restitution.size() != 1 && problem.restitution.size() != contacts)
    throw InvalidInput("restitution", "must be one number or one per contact (" + std::to_string(contacts) + "), got " +
                                          std::to_string(problem.restitution.size()));
  for (std::size_t i = 0; i < problem.restitution.size(); ++i)
    require_between(restitution_field(problem, i), problem.restitution[i], 0.0, 1.0);
  require_valid("", {problem.static_friction, problem.dynamic_friction});
  if (!problem.frictions.empty() && problem.frictions.size() != contacts)
    throw InvalidInput("frictions", "must be one per contact (" + std::to_string(contacts) + "), got " +
                                        std::to_string(problem.frictions.size()));
  for (std::size_t i = 0; i < problem.frictions.size(); ++i)
    require_valid("frictions[" + std::to_string(i) + "].", problem.frictions[i]);
  if (problem.examine && (*problem.examine < 0 || *problem.examine >= static_cast<int>(contacts)))
    throw InvalidInput("examine", "must be a contact index, 0 to " + std::to_string(contacts - 1) + ", got " +
                                      std::to_string(*problem.examine));
}

System make_system(const MultipointProblem& problem, std::vector<int>& removed) {
  const Index d = problem.dimension, all = problem.jacobian.rows() / d;
  System s;
  s.dimension = problem.dimension;
  const VectorXd v = problem.jacobian * problem.velocity;
  if (!v.allFinite()) throw InvalidInput("velocity", "J qdot must be finite");
  for (Index i = 0; i < all; ++i) (v[i * d + d - 1] > 0.0 ? removed : s.original).push_back(static_cast<int>(i));
  s.contacts = static_cast<Index>(s.original.size());
  for (const int i : s.original) {
    const StickSlipFriction friction = problem.frictions.empty()
                                           ? StickSlipFriction{problem.static_friction, problem.dynamic_friction}
                                           : problem.frictions[static_cast<std::size_t>(i)];
    s.static_friction.push_back(friction.static_friction);
    s.dynamic_friction.push_back(friction.dynamic_friction);
  }
  if (s.contacts == 0) return s;

  const Index rows = s.contacts * d;
  s.jacobian.resize(rows, problem.jacobian.cols());
  s.v.resize(rows);
  for (Index i = 0; i < s.contacts; ++i) {
    const Index from = s.original[static_cast<std::size_t>(i)] * d;
    s.jacobian.middleRows(i * d, d) = problem.jacobian.middleRows(from, d);
    s.v.segment(i * d, d) = v.segment(from, d);
  }
  const MatrixXd mass = 0.5 * problem.mass_matrix + 0.5 * problem.mass_matrix.transpose();
  const Cholesky factor(mass);
  const MatrixXd half = factor.lower_solve(s.jacobian.transpose());
  s.response = factor.lower_transpose_solve(half);
  s.w = half.transpose() * half;
  if (!s.w.allFinite() || !s.response.allFinite()) throw InvalidInput("jacobian", "J A^-1 J^T must be finite");

  s.speed = s.v.cwiseAbs().maxCoeff();
  const double admittance = s.w.diagonal().maxCoeff();
  if (s.speed == 0.0 || admittance == 0.0) {
    s.speed = 0.0;
    return s;
  }
  s.impulse = s.speed / admittance;
  s.v /= s.speed;
  s.w /= admittance;
  s.rebound.resize(s.contacts);
  for (Index i = 0; i < s.contacts; ++i) {
    const auto contact = static_cast<std::size_t>(s.original[static_cast<std::size_t>(i)]);
    const double e = problem.restitution.size() == 1 ? problem.restitution[0] : problem.restitution[contact];
    s.rebound[i] = -e * s.v[s.normal(i)] + 0.0;
  }
  const SingularValues svd = singular_value_decomposition(s.jacobian);
  const Index rank = svd.rank(rank_tolerance);
  // A singular value that counts as zero though it is no rounding, or counts though it is hardly more.
  const VectorXd& sizes = svd.values;
  for (const double size : sizes)
    s.marginal_rank = s.marginal_rank || (size > exact_dependence * sizes[0] && size < clear_independence * sizes[0]);
  s.range = svd.u.leftCols(rank);
  s.null = svd.u.rightCols(rows - rank);
  return s;
}

MultipointSolution unchanged(const MultipointProblem& problem) {
  MultipointSolution solution;
  solution.velocity = problem.velocity;
  solution.impulses = MatrixXd::Zero(problem.dimension, problem.jacobian.rows() / problem.dimension);
  solution.best_split = solution.impulses;
  solution.required_friction = 0.0;
  solution.coulomb_met = solution.friction_law_met = true;
  solution.energy.before = solution.energy.after = kinetic(problem, problem.velocity);
  return solution;
}

MultipointSolution make_solution(const MultipointProblem& problem, const System& system, const VectorXd& impulses,
                                 const std::vector<bool>& pressed, bool lawful) {
  const Index d = system.dimension;
  MultipointSolution solution;
  solution.impulses = unscaled(problem, system, impulses);
  const VectorXd change = system.response * (impulses * system.impulse);
  solution.velocity = problem.velocity + change;
  const VectorXd after = system.after(impulses);
  for (Index i = 0; i < system.contacts; ++i) {
    if (!pressed[static_cast<std::size_t>(i)]) continue;
    if (after.segment(system.tangent(i), d - 1).norm() <= tolerance)
      solution.sticking.push_back(system.original[static_cast<std::size_t>(i)]);
  }
  // The work of each impulse component at the mean of its velocities before and after; the sum is exact.
  solution.energy.before = kinetic(problem, problem.velocity);
  solution.energy.after = kinetic(problem, solution.velocity);
  const double unit = system.impulse * system.speed;
  for (Index i = 0; i < system.contacts; ++i) {
    const Index n = system.normal(i), t = system.tangent(i);
    solution.energy.restitution_loss -= 0.5 * impulses[n] * (system.v[n] + after[n]) * unit;
    solution.energy.friction_loss -=
        0.5 * impulses.segment(t, d - 1).dot(system.v.segment(t, d - 1) + after.segment(t, d - 1)) * unit;
  }
  solution.verdict = Verdict::separated;
  solution.flags.set(Flag::energy_gain, solution.energy.after > solution.energy.before * (1.0 + energy_gain_tolerance));
  solution.friction_gain =
      solution.energy.friction_loss < -energy_gain_tolerance * (solution.energy.before + solution.energy.after);

  if (!impulses.allFinite()) {  // nothing that friction could be asked of
    solution.coulomb_met = solution.friction_law_met = false;
    return solution;
  }
  const Split best = best_split(system, impulses);
  solution.required_friction = best.friction;
  solution.required_friction_attained = best.attained;
  if (best.friction) {
    solution.best_split = unscaled(problem, system, best.impulses);
    const double mu = *std::min_element(system.static_friction.begin(), system.static_friction.end());
    solution.coulomb_met = best.attained ? *best.friction <= mu + tolerance * (1.0 + mu) : *best.friction < mu;
  }
  if (!lawful) solution.friction_law_broken_at = friction_law_broken_at(system, impulses);
  solution.friction_law_met = solution.friction_law_broken_at.empty();
  if (solution.friction_law_met) solution.coulomb_met = true;  // mu_d <= mu_s: a lawful split lies in the cones
  return solution;
}

std::optional<VectorXd> lawful_split(const System& system, const VectorXd& impulses, const std::vector<Law>& laws) {
  const Index d = system.dimension;
  const VectorXd after = system.after(impulses);
  // Every contact has no impulse, one on a ray (slip) or one in a cone (stick). Columns of unit length.
  MatrixXd allowed = MatrixXd::Zero(impulses.size(), impulses.size());
  Index columns = 0;
  std::vector<Cone> cones(static_cast<std::size_t>(system.contacts));
  for (Index i = 0; i < system.contacts; ++i) {
    const Index n = system.normal(i), t = system.tangent(i);
    Cone& cone = cones[static_cast<std::size_t>(i)];
    switch (laws[static_cast<std::size_t>(i)]) {
      case Law::no_impulse:
        break;
      case Law::stick:
        allowed.block(t, columns, d, d).setIdentity();
        columns += d;
        cone = {Cone::Kind::friction, system.mu_s(i), 0.0};
        break;
      case Law::slip:
        allowed.col(columns).segment(t, d - 1) = -system.mu_d(i) * after.segment(t, d - 1).normalized();
        allowed(n, columns) = 1.0;
        allowed.col(columns).normalize();
        ++columns;
        cone.kind = Cone::Kind::pushing;
    }
  }
  const MatrixXd basis = allowed.leftCols(columns);
  const VectorXd target = system.range.transpose() * impulses;
  if (columns == 0) {
    if (target.norm() > tolerance) return std::nullopt;
    return VectorXd(VectorXd::Zero(impulses.size()));
  }
  const MatrixXd moved = system.range.transpose() * basis;
  const SingularValues svd = singular_value_decomposition(moved);
  const VectorXd x = svd.solve(target, rank_tolerance);
  if ((moved * x - target).norm() > tolerance * (1.0 + target.norm())) return std::nullopt;
  // Of order one, as the search wants it.
  const double size = std::max(x.norm(), tolerance);
  ConeSplit splits(basis * (x / size), basis * svd.v.rightCols(columns - svd.rank(rank_tolerance)), system.dimension);
  const auto y = splits.least(cones);
  if (!y) return std::nullopt;
  return VectorXd(splits.split(*y) * size);
}

std::optional<VectorXd> lawful_impulses(const System& system, const VectorXd& impulses, std::vector<bool>& pressed) {
  const VectorXd after = system.after(impulses);
  pressed.assign(static_cast<std::size_t>(system.contacts), false);
  std::vector<Law> laws(static_cast<std::size_t>(system.contacts), Law::no_impulse);
  for (Index i = 0; i < system.contacts; ++i) {
    const double gap = after[system.normal(i)] - system.rebound[i];
    if (gap < -tolerance) return std::nullopt;
    if (gap > tolerance) continue;
    pressed[static_cast<std::size_t>(i)] = true;
    laws[static_cast<std::size_t>(i)] = system.slip_law(after, i);
  }
  return lawful_split(system, impulses, laws);
}

void note_flags(const MultipointProblem& problem, const System& system, const MultipointSolution& solution,
                Flags& flags, double accuracy) {
  if (!solution.required_friction) flags.set(Flag::no_required_friction);
  const EnergyLedger& e = solution.energy;
  const bool finite = solution.velocity.allFinite() && solution.impulses.allFinite() &&
                      (solution.best_split.size() == 0 || solution.best_split.allFinite()) && std::isfinite(e.before) &&
                      std::isfinite(e.after) && std::isfinite(e.restitution_loss) && std::isfinite(e.friction_loss);
  // Impulses or energies that vanish although something happens have left the range downwards.
  const bool vanished = system.speed > 0.0 && (system.impulse < std::numeric_limits<double>::min() || e.before == 0.0);
  if (!finite || vanished) flags.set(Flag::overflow);
  if (!finite) return;
  // Momentum balance A dq = J^T p, against what is added in it.
  const VectorXd p = solution.impulses.reshaped();
  const VectorXd change = problem.mass_matrix * (solution.velocity - problem.velocity);
  const VectorXd moved = problem.jacobian.transpose() * p;
  const double scale = change.norm() + problem.jacobian.norm() * p.norm();
  const bool open = (moved - change).norm() > law_accuracy * scale;
  const bool lost = std::abs(e.imbalance()) > accuracy * (e.before + e.after);
  if (open || lost || system.marginal_rank) flags.set(Flag::ill_conditioned);
}

void add_if_solution(const System& system, const VectorXd& impulses, bool continuum, std::vector<Candidate>& found) {
  // Velocities of the same solution reached by different modes differ by rounding only.
  constexpr double distinct = 1e-8;
  const VectorXd after = system.after(impulses);
  for (Candidate& other : found)
    if ((system.after(other.impulses) - after).cwiseAbs().maxCoeff() <= distinct) {
      other.continuum = other.continuum || continuum;
      return;
    }
  Candidate candidate;
  const auto lawful = lawful_impulses(system, impulses, candidate.pressed);
  if (!lawful) return;
  candidate.impulses = *lawful;
  candidate.continuum = continuum;
  found.push_back(std::move(candidate));
}

}  // namespace carom::multipoint
