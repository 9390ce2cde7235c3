// How does a ball fall on an inclined plane, bounce, slip and begin to roll?
// A solid ball with forces over time at its contact: the damped normal force and the bristle friction of the room
// contact, followed from touch to touch with every switch of the law located (Gonthier et al. 2004, section 4.1).
// Gravity acts during the contact too, so a slow ball rebounds by less than its e.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "carom/contact/point_contact.hpp"
#include "carom/motion/flight.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// All vectors in the plane's axes: x downhill, z along the normal. The centre starts at (0, 0, radius + gap).
struct SphereOnPlaneProblem {
  double mass = 1.0;    ///< [kg], > 0
  double radius = 0.1;  ///< [m], > 0; a solid ball: its inertia is 2/5 m r^2
  ContactSurface surface;
  double incline = 0.0;                                        ///< [rad], about y
  double gravity = standard_gravity;                           ///< [m/s^2], >= 0
  double gap = 0.0;                                            ///< between ball and plane at the start [m], >= 0
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();          ///< [m/s]
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< [rad/s]
  double end_time = 1.0;                                       ///< [s], > 0
  /// Least touch speed to reckon with [m/s], > 0; none: resting_touch_speed, which needs gravity into the plane.
  std::optional<double> v_min;
  std::vector<double> sample_times;  ///< [s], increasing, from 0 to end_time
};

struct SphereSample {
  double t = 0.0;                                              ///< [s]
  Eigen::Vector3d position = Eigen::Vector3d::Zero();          ///< of the centre [m]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();          ///< [m/s]
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< [rad/s]
  double kinetic = 0.0;                                        ///< [J]
  double potential = 0.0;                                      ///< m g (z cos - x sin) [J]
  double stored = 0.0;                                         ///< in the contact's springs [J]
};

/// One touch, from first touch to separation.
struct SphereTouch {
  double begins = 0.0;          ///< [s]
  double approach = 0.0;        ///< along the normal, at first touch [m/s]
  std::optional<double> ends;   ///< [s]; none: it lasts
  std::optional<double> speed;  ///< of separation [m/s]
};
/// Touches beyond these are counted, not kept.
inline constexpr std::size_t max_sphere_touches = 10'000;

struct SphereOnPlaneResult {
  std::vector<SphereSample> samples;  ///< at the sample times that were reached
  SphereSample end;                   ///< where the run ended
  int contacts = 0;                   ///< touches
  std::vector<SphereTouch> touches;   ///< in order
  double dissipated = 0.0;            ///< energy at the start less energy at the end [J]
  bool limited = false;               ///< the bound on work (SwitchedSettings) was reached before the end
  std::size_t steps = 0;              ///< of the integrator
};

/// @throws InvalidInput naming `mass`, `radius`, `stiffness`, `exponent`, `e`, `friction.mu_s`, ..., `incline`,
/// `gravity`, `gap`, `velocity`, `angular_velocity`, `end_time`, `v_min` or `sample_times`
SphereOnPlaneResult sphere_on_plane(const SphereOnPlaneProblem& problem);

}  // namespace carom

#pragma GCC visibility pop
