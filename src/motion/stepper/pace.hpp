// Inside the stepper: how fast a contact answers a push, and how short explicit steps must be to follow it.
#pragma once

#include "carom/contact/point_contact.hpp"

namespace carom::stepping {

/// What happens to a contact: a touch, or one that goes on.
struct Press {
  double speed;      ///< of approach [m/s], > 0
  double damping;    ///< A at that speed
  double depth;      ///< it is at least so deep [m]
  double slip_rate;  ///< bristle_settling_rate [1/s], of LuGre
};

/// Rates of the linearised motion.
struct Pace {
  double touch = 0.0;                                           ///< time of touch [s]
  double normal_damping = 0.0, normal_stiffness = 0.0;          ///< [1/s], [1/s^2], at the deepest
  double tangential_damping = 0.0, tangential_stiffness = 0.0;  ///< [1/s], [1/s^2], while it sticks
  double settling = 0.0;                                        ///< fastest decay of bristles and dwell state [1/s]
};

/// @param unit_touch  time of touch for mass, stiffness and speed 1
Pace pace_of(const ContactSurface& surface, double normal_mass, double tangential_mass, const Press& press,
             double unit_touch);

/// Longest accurate step [s], for one contact alone.
double accurate_step(const Pace& pace);
/// Whether explicit steps of order 3 stay bounded.
bool stays_bounded(const Pace& pace, double step);
/// The longest such step [s].
double stable_step(const Pace& pace);

}  // namespace carom::stepping
