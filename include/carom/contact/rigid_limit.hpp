// What do forces over time become when everything stiffens?
// Not one of the rigid laws in general: spring and bristles give energy back on another path than they took it. With
// k and sigma0 without bound and v_s to zero, the impulse follows Routh's path and ends where the integral of
// v_n / (1 - A v_n/v_i) dI_n is zero: the energetic law where e = 1, Newton's where slip does not change, and a law of
// its own elsewhere. Theory: docs/theory/contact.md.
#pragma once

#include <Eigen/Core>

#pragma GCC visibility push(default)

namespace carom {

/// The impulse (t, n) on A [N s].
/// @param inverse_inertia  W at the contact, axes (t, n) [1/kg], symmetric and positive definite
/// @param velocity         of A relative to B, (t, n) [m/s]; one that does not approach gets no impulse
/// @param mu               Coulomb friction [-], >= 0
/// @param e                restitution of the regularized force [-], in (0, 1]
/// @throws InvalidInput naming the argument
Eigen::Vector2d rigid_limit(const Eigen::Matrix2d& inverse_inertia, const Eigen::Vector2d& velocity, double mu,
                            double e);

}  // namespace carom

#pragma GCC visibility pop
