#include "carom/impact/slip_diagram.hpp"

#include <cmath>
#include <string>

#include "carom/core/error.hpp"

#include "system.hpp"

namespace carom {

namespace {

using multipoint::ImpulseFamily, multipoint::System;

/// An impulse, or a part of one, below this share of the largest is zero.
constexpr double impulse_rounding = 1e-12;

std::optional<double> root(double offset, double slope, double scale) {
  if (std::abs(slope) <= impulse_rounding * scale) return std::nullopt;
  return -offset / slope;
}

SlipDiagram diagram_of(const System& s, Eigen::Index examined, Eigen::Index contacts) {
  const ImpulseFamily family = multipoint::impulse_family(s, examined);
  const auto free = static_cast<Eigen::Index>(family.rows.size()) - family.fixed;
  if (free != 1 || family.rows.back() != s.tangent(examined))
    throw InvalidInput("jacobian", "must leave exactly one slip open for a slip diagram, leaves " +
                                       std::to_string(free) + " velocities");
  const Eigen::Index t = s.tangent(examined), n = s.normal(examined);
  const Eigen::VectorXd &offset = family.impulses.offset, slope = family.impulses.slope.col(0);
  SlipDiagram diagram;
  diagram.contact = s.original[static_cast<std::size_t>(examined)];
  diagram.impulse = s.impulse * Eigen::Vector2d(offset[t], offset[n]);
  diagram.by_slip = s.impulse / s.speed * Eigen::Vector2d(slope[t], slope[n]);
  diagram.all_impulses = Eigen::Matrix2Xd::Zero(2, contacts);
  for (Eigen::Index i = 0; i < s.contacts; ++i)
    diagram.all_impulses.col(s.original[static_cast<std::size_t>(i)]) =
        s.impulse * Eigen::Vector2d(offset[s.tangent(i)], offset[s.normal(i)]);
  const double scale = slope.cwiseAbs().maxCoeff();
  const auto normal = root(offset[n], slope[n], scale), tangential = root(offset[t], slope[t], scale);
  if (normal) diagram.normal_zero = s.speed * *normal;
  if (tangential) diagram.tangential_zero = s.speed * *tangential;
  diagram.can_stick = offset[n] >= -multipoint::tolerance;
  if (std::abs(offset[n]) > impulse_rounding * offset.cwiseAbs().maxCoeff())
    diagram.stick_friction = std::abs(offset[t] / offset[n]);
  if (normal) diagram.pulling_side = slope[n] > 0.0 ? -1 : 1;
  return diagram;
}

}  // namespace

std::vector<SlipDiagram> slip_diagrams(const MultipointProblem& problem) {
  multipoint::require_valid(problem, !problem.examine);
  if (problem.dimension != 2) throw InvalidInput("dimension", "must be 2 for a slip diagram, got 3");
  std::vector<int> removed;
  const System system = multipoint::make_system(problem, removed);
  std::vector<SlipDiagram> diagrams;
  if (system.contacts == 0 || system.speed == 0.0) return diagrams;
  for (Eigen::Index i = 0; i < system.contacts; ++i)
    if (!problem.examine || *problem.examine == system.original[static_cast<std::size_t>(i)])
      diagrams.push_back(diagram_of(system, i, problem.jacobian.rows() / 2));
  return diagrams;
}

double stribeck_friction(const StribeckFriction& friction, double slip) {
  require_finite("slip", slip);
  require_at_least("least", friction.least, 0.0);
  require_at_least("static_friction", friction.static_friction, friction.least);
  require_positive("speed", friction.speed);
  require_positive("exponent", friction.exponent);
  const double fallen = std::exp(-std::pow(std::abs(slip) / friction.speed, friction.exponent));
  return friction.least + (friction.static_friction - friction.least) * fallen;
}

double steepest_wall_stick(double restitution, double gyration) {
  require_between("restitution", restitution, 0.0, 1.0);
  require_between("gyration", gyration, 0.0, 1.0);
  return std::atan2(3.0 * (1.0 + restitution), 1.0 + restitution + 2.0 * gyration * restitution);
}

}  // namespace carom
