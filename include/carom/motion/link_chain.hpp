// How does a chain of links swing, and how does its tip answer an impulse?
// Rigid links one after the other, hinged without friction, the first to a fixed point, in a vertical plane: pendulums
// of any number of links, and planar robots with their motors off. Equations of motion, energies, and the chain as a
// MechanicalSystem seen from a contact at its tip, so that every impact law applies.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/core/mechanical_system.hpp"
#include "carom/core/names.hpp"
#include "carom/motion/flight.hpp"

#pragma GCC visibility push(default)

namespace carom {

struct ChainLink {
  double length = 1.0;   ///< from hinge to hinge, or to the tip [m], > 0
  double mass = 1.0;     ///< [kg], > 0
  double centre = 0.5;   ///< from the hinge to the centre of mass, along the link [m]
  double inertia = 0.0;  ///< about the centre of mass [kg m^2], >= 0
};

/// The first link hangs from the origin; x to the right, y up.
struct LinkChain {
  std::vector<ChainLink> links;       ///< at least one
  double gravity = standard_gravity;  ///< along -y [m/s^2]
};

/// Links with their centres of mass in the middle, and with all their mass at the end.
/// @throws InvalidInput naming `masses` or `inertias` when there are not as many as lengths
LinkChain chain_of_rods(const std::vector<double>& lengths, const std::vector<double>& masses,
                        const std::vector<double>& inertias, double gravity = standard_gravity);
LinkChain chain_of_points(const std::vector<double>& lengths, const std::vector<double>& masses,
                          double gravity = standard_gravity);

/// @throws InvalidInput naming `links[0].length`, ... or `gravity`; `links[0].inertia` where a link can turn freely: no
/// inertia, and its centre in the hinge
void require_valid(const LinkChain& chain);

/// Whether the angle of a link is measured from straight down, or from the link before it.
enum class AngleConvention { relative, absolute };
template <>
inline constexpr auto names_of<AngleConvention> = std::to_array<Named<AngleConvention>>({
    {AngleConvention::relative, "relative"},
    {AngleConvention::absolute, "absolute"},
});

/// Angles [rad] or rates [rad/s] of the links as measured from straight down, counter-clockwise; and back.
Eigen::VectorXd absolute_angles(AngleConvention given, const Eigen::VectorXd& angles);
Eigen::VectorXd angles_as(AngleConvention wanted, const Eigen::VectorXd& absolute);

// Below, angles and rates are absolute ones, as many as links; the chain must be valid.

/// M of the kinetic energy, rates.M rates / 2 [kg m^2].
Eigen::MatrixXd mass_matrix(const LinkChain& chain, const Eigen::VectorXd& angles);

/// What drives the links without forces from outside: M angles'' = this [N m], gravity and centrifugal terms.
Eigen::VectorXd free_torques(const LinkChain& chain, const Eigen::VectorXd& angles, const Eigen::VectorXd& rates);

/// Second derivative of the angles [rad/s^2].
/// @param tip_force  on the tip, (x, y) [N]
Eigen::VectorXd accelerations(const LinkChain& chain, const Eigen::VectorXd& angles, const Eigen::VectorXd& rates,
                              const Eigen::Vector2d& tip_force = Eigen::Vector2d::Zero());

double kinetic_energy(const LinkChain& chain, const Eigen::VectorXd& angles, const Eigen::VectorXd& rates);  ///< [J]
/// [J], zero with all centres of mass at the height of the first hinge.
double potential_energy(const LinkChain& chain, const Eigen::VectorXd& angles);

Eigen::Vector2d tip_position(const LinkChain& chain, const Eigen::VectorXd& angles);  ///< (x, y) [m]
Eigen::Vector2d tip_velocity(const LinkChain& chain, const Eigen::VectorXd& angles, const Eigen::VectorXd& rates);
/// @param angle_accelerations  second derivative of the angles [rad/s^2]
Eigen::Vector2d tip_acceleration(const LinkChain& chain, const Eigen::VectorXd& angles, const Eigen::VectorXd& rates,
                                 const Eigen::VectorXd& angle_accelerations);  ///< [m/s^2]

/// Tip velocity = J rates, rows (t, n) of a contact with level ground: t along x, n along y.
Eigen::MatrixXd tip_jacobian(const LinkChain& chain, const Eigen::VectorXd& angles);

/// The chain as it is seen from level ground under its tip.
MechanicalSystem tip_system(const LinkChain& chain, const Eigen::VectorXd& angles, const Eigen::VectorXd& rates);

}  // namespace carom

#pragma GCC visibility pop
