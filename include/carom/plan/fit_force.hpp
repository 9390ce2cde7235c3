// Which stiffness, exponent and damping explain a force measured over a touch?
// The law of carom/contact/normal_force.hpp, f = k d^p (1 + A d'/v_i), is linear in k and k A once p is known: one
// search over p, least squares inside.
// Theory: docs/theory/fitting.md, docs/theory/contact.md.
#pragma once

#include <optional>
#include <span>

#pragma GCC visibility push(default)

namespace carom {

/// One moment of a touch.
struct ForceSample {
  double indentation = 0.0;  ///< d [m], > 0 while the bodies touch
  double rate = 0.0;         ///< d' [m/s], > 0 in approach
  double force = 0.0;        ///< [N]
};

struct NormalForceFit {
  double stiffness = 0.0;  ///< k [N/m^p]
  double exponent = 1.5;   ///< p [-], in [0.5, 4]
  double damping = 0.0;    ///< A [-]; the restitution it delivers: carom/contact/normal_force.hpp
  double residual = 0.0;   ///< root mean square of predicted minus measured force [N]
  /// None with three samples, or where the samples do not tell them apart.
  std::optional<double> stiffness_error, exponent_error, damping_error;
};

/// @param samples         at least three with d > 0; others, and those where the force is clipped at zero, do not count
/// @param approach_speed  v_i [m/s], > 0: the rate at first touch
/// @throws InvalidInput naming `samples` or `approach_speed`
NormalForceFit fit_normal_force(std::span<const ForceSample> samples, double approach_speed);

}  // namespace carom

#pragma GCC visibility pop
