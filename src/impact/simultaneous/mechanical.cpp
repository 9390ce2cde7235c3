// Simultaneous impact of any mechanical system.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "carom/core/error.hpp"
#include "carom/core/linear_algebra.hpp"
#include "carom/impact/simultaneous.hpp"

#include "encounter.hpp"

namespace carom {

namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

void require_valid(const SimultaneousSystemProblem& problem) {
  if (problem.dimension != 2 && problem.dimension != 3)
    throw InvalidInput("dimension", "must be 2 or 3, got " + std::to_string(problem.dimension));
  const Index rows = problem.system.jacobian.rows();
  if (rows % problem.dimension != 0)
    throw InvalidInput("jacobian", "must have " + std::to_string(problem.dimension) + " rows per contact, got " +
                                       std::to_string(rows));
  const auto contacts = static_cast<std::size_t>(rows / problem.dimension);
  if (problem.springs.size() != contacts)
    throw InvalidInput("springs", "must be one per contact (" + std::to_string(contacts) + "), got " +
                                      std::to_string(problem.springs.size()));
  simultaneous::require_valid(problem.springs, "springs", problem.tolerance, problem.method,
                              problem.steps_per_time_unit);
}

/// The factor with three columns (t1, t2, n) per contact. A planar contact has no second tangent; it is given one of
/// its own that nothing pushes, as mobile as the first, so that friction finds every direction movable.
MatrixXd in_space(const MatrixXd& half, int dimension) {
  if (dimension == 3) return half;
  const Index contacts = half.cols() / 2, rows = half.rows();
  MatrixXd wide = MatrixXd::Zero(rows + contacts, 3 * contacts);
  for (Index c = 0; c < contacts; ++c) {
    const double along = half.col(2 * c).norm();
    wide.col(3 * c).head(rows) = half.col(2 * c);
    wide(rows + c, 3 * c + 1) = along > 0.0 ? along : half.col(2 * c + 1).norm();
    wide.col(3 * c + 2).head(rows) = half.col(2 * c + 1);
  }
  return wide;
}

/// Velocities at the contacts, (t1, t2, n) each.
std::vector<Eigen::Vector3d> contact_velocities(const SimultaneousSystemProblem& problem, const VectorXd& velocity) {
  const VectorXd rows = problem.system.jacobian * velocity;
  std::vector<Eigen::Vector3d> u(problem.springs.size(), Eigen::Vector3d::Zero());
  for (std::size_t c = 0; c < u.size(); ++c) {
    const Index at = problem.dimension * static_cast<Index>(c);
    if (problem.dimension == 3)
      u[c] = rows.segment<3>(at);
    else
      u[c] << rows[at], 0.0, rows[at + 1];
  }
  return u;
}

/// An order of the contacts by their rows of J, not by their places in the list: sums over contacts then round alike in
/// whatever order the contacts are given.
std::vector<std::size_t> canonical_order(const SimultaneousSystemProblem& problem) {
  std::vector<std::size_t> order(problem.springs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const MatrixXd columns = problem.system.jacobian.transpose();
  const Index entries = columns.rows() * problem.dimension;
  const auto begin = [&](std::size_t c) { return columns.data() + entries * static_cast<Index>(c); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::lexicographical_compare(begin(a), begin(a) + entries, begin(b), begin(b) + entries);
  });
  return order;
}

VectorXd shifted(const VectorXd& v, int shift) {
  if (shift == 0) return v;
  return v.unaryExpr([shift](double x) { return std::ldexp(x, shift); });
}

}  // namespace

SimultaneousSystemImpact simultaneous_impact(const SimultaneousSystemProblem& problem) {
  require_valid(problem);
  const MechanicalSystem& given = problem.system;
  const MatrixXd half = contact_factor(given);
  const int shift = simultaneous::velocity_shift(given.velocity.cwiseAbs().maxCoeff());
  // M made exactly symmetric, as the factor has it.
  MechanicalSystem system{0.5 * given.mass_matrix + 0.5 * given.mass_matrix.transpose(), given.jacobian,
                          shifted(given.velocity, -shift)};
  // Told in contact axes; the second tangent of a planar contact, which has only rounding, is left out.
  const Eigen::Matrix3d axes = Eigen::Vector3d(1.0, problem.dimension == 3 ? 1.0 : 0.0, 1.0).asDiagonal();
  const simultaneous::Encounter encounter{simultaneous::Factor(in_space(half, problem.dimension)),
                                          std::vector<Eigen::Matrix3d>(problem.springs.size(), axes),
                                          contact_velocities(problem, system.velocity),
                                          shift,
                                          "springs",
                                          problem.springs,
                                          canonical_order(problem),
                                          problem.tolerance,
                                          problem.method,
                                          problem.steps_per_time_unit};
  SimultaneousSystemImpact impact;
  const auto energy_now = [&] { return std::ldexp(kinetic_energy(system), 2 * shift); };
  impact.energy.before = impact.energy.after = energy_now();
  const std::vector<Eigen::Vector3d> impulses = strike(encounter, impact);
  if (!impulses.empty()) {
    VectorXd rows(given.jacobian.rows());
    for (std::size_t c = 0; c < impulses.size(); ++c) {
      const Index at = problem.dimension * static_cast<Index>(c);
      if (problem.dimension == 3)
        rows.segment<3>(at) = impulses[c];
      else
        rows.segment<2>(at) << impulses[c].x(), impulses[c].z();
    }
    system.velocity = Cholesky(system.mass_matrix).solve(given.jacobian.transpose() * rows) + system.velocity;
    impact.energy.after = energy_now();
  } else if (impact.verdict == Verdict::event_limit) {  // there is no answer
    system.velocity.setConstant(std::numeric_limits<double>::quiet_NaN());
    impact.energy.after = std::numeric_limits<double>::quiet_NaN();
  }
  finish(encounter, contact_velocities(problem, system.velocity), impact);
  impact.velocity = shifted(system.velocity, shift);
  if (!impact.velocity.allFinite()) impact.flags.set(Flag::overflow);
  return impact;
}

}  // namespace carom
