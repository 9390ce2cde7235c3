// What would a time-stepping engine make of this impact?
// Engines that resolve contacts once per step know only the velocity after the impact: the normal one is what the law
// of restitution says, and friction opposes the sliding velocity at the end, not the one along the way. Here for one
// contact, with the round friction cone: to be compared with the models that follow the process.
// Theory: docs/theory/fitting.md. Source: Anitescu and Potra 1997; Stewart and Trinkle 1996.
#pragma once

#include "carom/core/contact_space.hpp"
#include "carom/core/material.hpp"
#include "carom/impact/impact.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// One impact: W [1/kg] and v [m/s] in axes (t1, t2, n), the surfaces, and what restitution means.
struct OneStepProblem {
  ContactSpace space;
  Material material;
  /// newton: v_n after = -e v_n before, in one step. poisson: a step of compression (v_n = 0), then one in which the
  /// normal impulse is e times that of compression, or more where the contact would close again; each step has the
  /// friction of its own normal impulse. The energetic law needs the process and is refused.
  RestitutionLaw law = RestitutionLaw::newton;
};

struct OneStepOutcome {
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();         ///< (t1, t2, n), on A [N s]
  Eigen::Vector3d velocity_after = Eigen::Vector3d::Zero();  ///< (t1, t2, n), A relative to B [m/s]
  Verdict verdict = Verdict::no_impact;
  bool sticks = false;  ///< no slip at the end
};

/// How its impulse answers to small changes of the input.
struct OneStepDerivatives {
  OneStepOutcome outcome;
  Eigen::Matrix3d by_velocity = Eigen::Matrix3d::Zero();     ///< d impulse / d v [kg]
  Eigen::Vector3d by_friction = Eigen::Vector3d::Zero();     ///< d impulse / d mu [N s]
  Eigen::Vector3d by_restitution = Eigen::Vector3d::Zero();  ///< d impulse / d e [N s]
};

/// Where friction drives the contact into itself there can be several answers: that of the smallest normal impulse is
/// given.
/// @throws InvalidInput if W is not symmetric positive definite, a coefficient is out of range or a value not finite,
///         or naming `law` when it is energetic
OneStepOutcome one_step_outcome(const OneStepProblem& problem);

/// The same with exact derivatives, by the implicit function theorem. They hold while stick stays stick and slip slip.
OneStepDerivatives one_step_derivatives(const OneStepProblem& problem);

}  // namespace carom

#pragma GCC visibility pop
