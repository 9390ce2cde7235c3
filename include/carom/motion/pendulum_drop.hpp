// How does a pendulum fall on the floor, bounce on its tip, drag it along and come to rest?
// A chain of links hangs above a level floor; its tip meets it with forces over time, followed from touch to touch with
// every switch of the law located (Gonthier et al. 2004, section 4.2, Figures 16 to 21). For one blow alone, and for
// rigid laws, see pendulum_impact.hpp.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "carom/contact/point_contact.hpp"
#include "carom/motion/link_chain.hpp"

#pragma GCC visibility push(default)

namespace carom {

struct PendulumDropProblem {
  LinkChain chain;
  Eigen::VectorXd angles;                                  ///< at the start [rad]
  Eigen::VectorXd rates;                                   ///< [rad/s]
  AngleConvention convention = AngleConvention::relative;  ///< of both, and of the samples
  double floor = 1.0;                                      ///< how far it is below the hinge [m]; the tip starts above
  ContactSurface surface;
  /// Least touch speed to reckon with [m/s], > 0; none: resting_touch_speed under gravity, with the mass that the tip
  /// shows to the floor at the touch.
  std::optional<double> v_min;
  double end_time = 1.0;             ///< [s], > 0
  std::vector<double> sample_times;  ///< [s], increasing, from 0 to end_time
};

struct PendulumDropSample {
  double t = 0.0;                                          ///< [s]
  Eigen::VectorXd angles, rates;                           ///< [rad], [rad/s]
  Eigen::Vector2d tip = Eigen::Vector2d::Zero();           ///< (x, y) from the hinge [m]
  Eigen::Vector2d tip_velocity = Eigen::Vector2d::Zero();  ///< [m/s]
  Eigen::Vector2d force = Eigen::Vector2d::Zero();         ///< on the tip [N]
  double dwell = 0.0;                                      ///< s_dw [-]
  double kinetic = 0.0, potential = 0.0, stored = 0.0;     ///< [J]; potential zero at the height of the hinge
};

/// One touch, from first touch to separation.
struct PendulumTouch {
  double begins = 0.0;         ///< [s]
  double approach = 0.0;       ///< along the normal, at first touch [m/s]
  std::optional<double> ends;  ///< [s]; none: it lasts
};
/// Touches beyond these are counted, not kept.
inline constexpr std::size_t max_pendulum_touches = 10'000;

struct PendulumDropResult {
  std::vector<PendulumDropSample> samples;  ///< at the sample times that were reached
  PendulumDropSample end;                   ///< where the run ended
  int contacts = 0;                         ///< touches
  std::vector<PendulumTouch> touches;       ///< in order
  std::optional<double> sticks_from;        ///< [s]: from then on, touching, slower than v_s along the floor
  bool limited = false;                     ///< the bound on work (SwitchedSettings) was reached before the end
  std::size_t steps = 0;                    ///< of the integrator
};

/// @throws InvalidInput naming `chain.links[0].length`, ..., `angles`, `rates`, `floor` (the tip is not above it),
/// `surface.stiffness`, ..., `v_min`, `end_time` or `sample_times`
PendulumDropResult pendulum_drop(const PendulumDropProblem& problem);

}  // namespace carom

#pragma GCC visibility pop
