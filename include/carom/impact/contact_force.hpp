// Which finite forces can keep a touching contact together?
// Two bodies touch and do not approach. Coulomb's law and the condition that they do not enter each other have one
// answer, two or none (Painlevé's paradox); where a sliding contact has none, only an impact can keep them apart, and
// planar_impact() has it.
// Theory: docs/theory/planar.md. Source: Painlevé 1895; Lötstedt 1981; Wang and Mason 1992, section 6, case 4.
#pragma once

#include <Eigen/Core>
#include <boost/container/static_vector.hpp>
#include <cstdint>

#include "carom/core/body.hpp"
#include "carom/core/contact.hpp"
#include "carom/core/contact_space.hpp"
#include "carom/core/names.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// A contact that touches without approach. Axes (t, n).
struct TouchingContact {
  Eigen::Matrix2d inverse_inertia = Eigen::Matrix2d::Identity();  ///< W [1/kg], symmetric positive definite
  double slip = 0.0;                                              ///< v_t, A relative to B [m/s]
  Eigen::Vector2d free_acceleration = Eigen::Vector2d::Zero();    ///< of A relative to B without contact force [m/s^2]
  double friction = 0.0;                                          ///< Coulomb coefficient [-], >= 0
};

/// What the contact does next.
enum class TouchMotion : std::uint8_t {
  lifts_off,  ///< the bodies part: no force
  slides,     ///< goes on sliding, or begins to
  sticks      ///< no slip, now or next
};
template <>
inline constexpr auto names_of<TouchMotion> = std::to_array<Named<TouchMotion>>({
    {TouchMotion::lifts_off, "lifts_off"},
    {TouchMotion::slides, "slides"},
    {TouchMotion::sticks, "sticks"},
});

/// One finite force that obeys all laws.
struct FiniteForce {
  TouchMotion motion = TouchMotion::lifts_off;
  Eigen::Vector2d force = Eigen::Vector2d::Zero();         ///< on A [N]
  Eigen::Vector2d acceleration = Eigen::Vector2d::Zero();  ///< of A relative to B at the contact [m/s^2]
};

/// More than one without slip, stick and slip both ways: four at most.
using FiniteForces = boost::container::static_vector<FiniteForce, 4>;

/// Every force with 0 <= F_n, 0 <= a_n, F_n a_n = 0 and Coulomb's law: against the slip, or without slip within the
/// cone, or on its edge against the slip that begins. A contact that neither presses nor parts counts as lifting off.
/// Where friction exactly balances the normal response (k1 = 0) no force is found, as no finite one suffices.
/// @return  lift-off first, then stick, then slip; empty: no finite force, an impact must happen
/// @throws InvalidInput naming `inverse_inertia`, `slip`, `free_acceleration` or `friction`
FiniteForces finite_contact_forces(const TouchingContact& contact);

/// Free acceleration of a body's contact with a fixed flat surface, under gravity [m/s^2], axes (t, n): what gravity
/// and the turning of the body do to the gap and to the slip.
/// @param gravity           [m/s^2], world axes
/// @param curvature_radius  of the body's edge at the contact [m]: 0 for a corner, the radius of a disc
/// @throws InvalidInput naming `mass`, ..., `point`, `normal`, `gravity` or `curvature_radius`
Eigen::Vector2d free_contact_acceleration(const PlanarBody& body, const PlanarContact& contact,
                                          const Eigen::Vector2d& gravity, double curvature_radius = 0.0);

/// Of all poses of a body that slides on a corner: the one in which the least friction leaves no finite force.
struct LeastJamb {
  double friction = 0.0;  ///< 2 sqrt(q (1 + q)) [-], with q = I/(m r^2)
  double angle = 0.0;     ///< of the line from the corner to the centre of mass, from the surface [rad]
};

/// @param body  mass and inertia
/// @param arm   r, from the corner to the centre of mass [m], > 0
/// @throws InvalidInput naming `mass`, ... or `arm`
/// Source: a uniform rod has q = 1/3 and so the 4/3 at 63.4 degrees of Painlevé's example
LeastJamb least_jamb(const PlanarBody& body, double arm);

}  // namespace carom

#pragma GCC visibility pop
