// How does the contact point answer an impulse?
// Whatever collides, only two things matter at the contact: the inverse inertia W (dv = W dI, symmetric positive
// definite) and the relative velocity v of A over B just before. Built from two bodies, or from any multibody
// system's mass matrix and contact Jacobian. Every impact model is a function of (W, v, material).
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "carom/core/body.hpp"
#include "carom/core/contact.hpp"
#include "carom/core/mechanical_system.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// Contact space of dimension N: 2 with axes (t, n), or 3 with axes (t1, t2, n).
template <int N>
struct BasicContactSpace {
  using Vector = Eigen::Matrix<double, N, 1>;
  using Matrix = Eigen::Matrix<double, N, N>;
  Matrix inverse_inertia = Matrix::Identity();  ///< W [1/kg]
  Vector velocity = Vector::Zero();             ///< v, A relative to B [m/s]; approaching when v_n < 0
};
using PlanarContactSpace = BasicContactSpace<2>;
using ContactSpace = BasicContactSpace<3>;

/// How unsymmetric W may be, relative to its largest entry, and still be averaged instead of refused: room for
/// inputs printed with few digits.
inline constexpr double symmetry_tolerance = 1e-5;

/// What is wrong with an inverse inertia, in words ("must be positive definite"); nothing if it is sound.
std::optional<std::string> inverse_inertia_problem(const Eigen::Matrix2d& w);
std::optional<std::string> inverse_inertia_problem(const Eigen::Matrix3d& w);

/// The space with W made exactly symmetric.
/// @throws InvalidInput naming `inverse_inertia` (not finite, not symmetric, not positive definite) or `velocity`
PlanarContactSpace validated(const PlanarContactSpace& space);
ContactSpace validated(const ContactSpace& space);

/// Contact space of two bodies.
/// @throws InvalidInput naming `bodies[0].mass`, `contact.normal`, ..., or `bodies` when both are immovable or
/// their numbers are so large or small that W or v leaves the range of double
PlanarContactSpace contact_space(const PlanarBody& a, const PlanarBody& b, const PlanarContact& contact);
ContactSpace contact_space(const Body& a, const Body& b, const Contact& contact);

/// Contact space of any mechanical system: W = J M^-1 J^T, v = J qdot.
/// @param mass_matrix  M, n x n, symmetric positive definite, in the units of the generalized coordinates
/// @param jacobian     J, one row per contact axis: (t, n) or (t1, t2, n)
/// @param velocity     qdot, n
/// @throws InvalidInput naming the argument: wrong size, not finite, `mass_matrix` not symmetric (entries i, j apart by
/// more than symmetry_tolerance sqrt(M_ii M_jj)) or not positive definite beyond rounding, `jacobian` when its rows are
/// dependent to rounding (W would be singular)
PlanarContactSpace planar_contact_space(const Eigen::MatrixXd& mass_matrix, const Eigen::MatrixXd& jacobian,
                                        const Eigen::VectorXd& velocity);
ContactSpace contact_space(const Eigen::MatrixXd& mass_matrix, const Eigen::MatrixXd& jacobian,
                           const Eigen::VectorXd& velocity);

PlanarContactSpace planar_contact_space(const MechanicalSystem& system);
ContactSpace contact_space(const MechanicalSystem& system);

/// Generalized velocity after an impulse in contact axes [N s]: qdot + M^-1 J^T I. J may have any number of rows, one
/// per component of the impulse.
/// @throws InvalidInput as contact_space, also naming `impulse`; dependent rows are fine here
Eigen::VectorXd velocity_after(const Eigen::MatrixXd& mass_matrix, const Eigen::MatrixXd& jacobian,
                               const Eigen::VectorXd& velocity, const Eigen::VectorXd& impulse);
Eigen::VectorXd velocity_after(const MechanicalSystem& system, const Eigen::VectorXd& impulse);

/// Relative velocity at the contact after an impulse in contact axes [N s]: v + W I [m/s].
Eigen::Vector2d velocity_after(const PlanarContactSpace& space, const Eigen::Vector2d& impulse);
Eigen::Vector3d velocity_after(const ContactSpace& space, const Eigen::Vector3d& impulse);

/// Kinetic energy of the relative motion, v.W^-1 v / 2 [J].
double kinetic_energy(const PlanarContactSpace& space);
double kinetic_energy(const ContactSpace& space);

/// Give A the impulse (in the axes of contact_frame) and B its opposite.
void apply_impulse(PlanarBody& a, PlanarBody& b, const PlanarContact& contact, const Eigen::Vector2d& impulse);
void apply_impulse(Body& a, Body& b, const Contact& contact, const Eigen::Vector3d& impulse);

}  // namespace carom

#pragma GCC visibility pop
