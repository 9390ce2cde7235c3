// How does a ball run on a table?
// A ball on a cloth slides until its lowest point rests, then rolls and slows down until it stops, and may go on
// spinning there. Any direction, any spin, level or inclined, everything in closed form. Source: Wang 2017, chapter 3;
// the speed of the lowest point, u = v - r w, dies at 7/2 mu g.
#pragma once

#include "carom/core/body.hpp"
#include "carom/core/names.hpp"
#include "carom/motion/flight.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// PlaneFriction::rolling where rolling is resisted by a torque of `resistance` m g r: 5/7 of it, because the torque
/// must slow the spin too.
constexpr double rolling_friction_of_torque(double resistance) { return 5.0 / 7.0 * resistance; }

/// How a plane resists a ball that lies on it.
struct PlaneFriction {
  double sliding = 0.0;   ///< Coulomb coefficient of the sliding ball [-], >= 0
  double rolling = 0.0;   ///< deceleration of the rolling ball over the pressing gravity [-], >= 0
  double spinning = 0.0;  ///< the spin about the normal dies at (m r^2 / I) times this times that gravity / r [-], >= 0
};

enum class BallState { slides, rolls, spins, rests };

template <>
inline constexpr auto names_of<BallState> = std::to_array<Named<BallState>>({
    {BallState::slides, "slides"},
    {BallState::rolls, "rolls"},
    {BallState::spins, "spins"},
    {BallState::rests, "rests"},
});

/// A velocity, or a spin, that is less than this share of |v| + r |w| counts as none.
inline constexpr double ball_rest_share = 1e-12;

/// A ball pressed on a plane by gravity, from a state on until it does something else by itself: slides -> rolls ->
/// spins -> rests, or slides and rolls for ever where the plane is steep or smooth. Velocities, positions and the times
/// of change are in closed form, also on an incline, where friction turns the way downhill: u' = g_t - c u/|u| has the
/// solution |u| = |u0| (w0 exp(-(c - g) s) + w1 exp(-(c + g) s)) with t known for every s. The orientation, where the
/// axis of turning moves, is integrated to ball_orientation_accuracy.
class BallOnPlane {
public:
  /// @param ball      valid, its inertia the same about every axis (to inertia_tolerance); what its velocity has across
  ///                  the plane is not looked at
  /// @param radius    [m], > 0
  /// @param normal    of the plane, unit, towards the ball
  /// @param gravity   world axes [m/s^2]; must press the ball on the plane
  /// @throws InvalidInput naming `ball.inertia`, `ball`, `radius`, `normal`, `gravity` or a member of the friction
  BallOnPlane(const Body& ball, double radius, const Eigen::Vector3d& normal, const PlaneFriction& friction,
              const Eigen::Vector3d& gravity);

  BallState state() const { return state_; }
  /// When the state ends by itself [s from the start]; infinite if never. What comes then is the state of a BallOnPlane
  /// that starts from at(end()).
  double end() const { return end_; }
  /// When the spin about the normal has died [s]; infinite if there is none or it never does.
  double spin_end() const { return spin_end_; }
  /// The ball at a time in [0, end()] [s]: it stays on the plane.
  /// @throws InvalidInput naming `time`
  Body at(double time) const;
  /// Position and velocity of its centre, only.
  void centre(double time, Eigen::Vector3d& position, Eigen::Vector3d& velocity) const;
  /// Makes at() cheap from this time on: the orientation need not be followed from the start again. The answers are the
  /// same.
  /// @throws InvalidInput as at()
  void look_ahead_from(double time);
  /// The ball at end(), from which the next state starts: what has come to rest is at rest, not just nearly.
  /// @throws InvalidInput naming `time` if there is no end
  Body last() const;
  /// Whether the acceleration of its centre is the same until the end: always on level planes, without friction on
  /// others.
  bool is_parabola() const;
  Eigen::Vector3d acceleration() const;  ///< of its centre, now [m/s^2]
  double acceleration_bound() const;     ///< it is never more than this [m/s^2]
  /// The acceleration of its centre that is left when it no longer moves along a direction: friction that only hinders
  /// motion there is gone, what gravity and lasting slip do is not. It decides whether a ball is pressed on a cushion.
  /// @param direction    unit
  /// @param small_speed  [m/s], >= 0: a slide that changes the velocity by no more, and motion that is no more, is over
  Eigen::Vector3d lasting_acceleration(const Eigen::Vector3d& direction, double small_speed) const;

private:
  /// x' = u, u' = pull - drag u/|u|: sliding of the lowest point, or rolling.
  struct Dragged {
    Eigen::Vector3d start = Eigen::Vector3d::Zero(), pull = Eigen::Vector3d::Zero();
    double drag = 0.0;

    double end() const;  ///< when it comes to rest
    /// The velocity after a time, and the way so far.
    void at(double time, Eigen::Vector3d& velocity, Eigen::Vector3d& way) const;
  };
  void motion(double time, Eigen::Vector3d& way, Eigen::Vector3d& velocity, Eigen::Vector3d& spin) const;

  /// The turn is followed in stretches that depend on nothing but the motion, one after the other.
  struct Stretch {
    double from = 0.0, span = 0.0;  ///< [s]
    double guess = 0.0;             ///< of the span of the next one
    Eigen::Quaterniond before = Eigen::Quaterniond::Identity(), over = Eigen::Quaterniond::Identity();
  };
  Eigen::Quaterniond turn(double from, double to) const;
  Stretch following(const Stretch& last) const;
  Stretch stretch_at(double time) const;
  void require_within(double time) const;

  Body ball_;
  double radius_;
  Eigen::Vector3d normal_;
  BallState state_ = BallState::rests;
  double end_, spin_end_;
  double kappa_ = 2.5;                   // m r^2 / I
  Eigen::Vector3d velocity_, downhill_;  // along the plane: of the centre, of gravity
  bool grips_ = true;                    // it can roll: the plane is not too steep
  double rolling_drag_ = 0.0;            // deceleration of rolling
  double spin_ = 0.0, spin_loss_ = 0.0;  // about the normal, and how fast it dies
  Dragged dragged_;
  Stretch stretch_;  // the one last looked at
};

/// Relative accuracy of an orientation that had to be integrated [rad per rad].
inline constexpr double ball_orientation_accuracy = 1e-12;

}  // namespace carom

#pragma GCC visibility pop
