// What does a point contact do to the bodies, from first touch to separation?
// The normal force with its damping and the bristle friction together, and the modes the pair can be in: apart, in
// touch, held by nothing (the damping would pull: the force is zero until the surfaces part), and the regimes of the
// friction. Whoever knows how bodies move (motion) asks it for forces and rates, and tells it of crossings.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "carom/contact/bristle_friction.hpp"
#include "carom/contact/normal_force.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// The surfaces of a contact with forces over time.
struct ContactSurface {
  double stiffness = 1e6;  ///< k [N/m^p], > 0
  double exponent = 1.5;   ///< p [-], > 0
  Restitution e = 1.0;     ///< in (0, 1], or a law
  BristleFriction friction;
};

/// @throws InvalidInput naming `stiffness`, `exponent`, `e`, `e.slope`, ..., `friction.mu_s`, ...
void require_valid(const ContactSurface& surface);

/// How the surfaces are to each other.
struct ContactMotion {
  double indentation = 0.0;                        ///< [m], below zero when apart
  double rate = 0.0;                               ///< how fast it grows [m/s]
  Eigen::Vector2d slip = Eigen::Vector2d::Zero();  ///< tangential velocity of A relative to B [m/s]
  BristleState bristles;
};

struct ContactForces {
  double normal = 0.0;      ///< on A, along the normal [N], >= 0
  BristleForce tangential;  ///< on A, and the rates of the bristles
};

class PointContact {
public:
  /// @param surface  must be valid (require_valid)
  explicit PointContact(const ContactSurface& surface);

  bool touching() const { return touching_; }
  const ContactSurface& surface() const { return surface_; }
  double damping() const { return force_.damping; }          ///< A of the present touch
  double touch_speed() const { return force_.touch_speed; }  ///< v_i [m/s] of the present touch

  /// The damping A that the surface has for a touch at this speed [m/s].
  double damping_at(double approach_speed) const;
  /// Begins a touch; find_modes must follow.
  /// @param damping      A [-], see damping_at
  /// @param touch_speed  v_i [m/s], > 0: the approach, or a floor of the caller's such as resting_touch_speed
  void touch(double damping, double touch_speed);
  void part() { touching_ = false; }
  /// Finds the modes of a contact that touches.
  void find_modes(const ContactMotion& motion);

  ContactForces forces(const ContactMotion& motion) const;
  /// The same in whatever modes the motion is, for steps that do not look for crossings.
  ContactForces forces_anywhere(const ContactMotion& motion) const;

  // Guards for core/switched_system.hpp: indentation, pull, and the kinks of the friction.
  static constexpr int guards = 2 + bristle_kinks;
  static constexpr int gap_guard = 0;
  void guard_values(const ContactMotion& motion, double* values) const;
  /// A guard other than the gap was crossed.
  void crossed(int guard, const ContactMotion& motion);

  /// k d^(p+1)/(p+1) + sigma0 |z|^2/2 [J]; zero when apart.
  double stored_energy(const ContactMotion& motion) const;

private:
  double load(const ContactMotion& motion) const;
  double spring_and_damper(const ContactMotion& motion) const;

  ContactSurface surface_;
  NormalForce force_;
  double damping_rate_ = 0.0;  // A / v_i
  // What forces_anywhere would divide by again and again.
  double inverse_v_s2_, inverse_sigma1_, relaxation_, inverse_tau_, v_eps_, inverse_v_eps_;
  bool touching_ = false, pulled_ = false;
  BristleRegime regime_;
};

}  // namespace carom

#pragma GCC visibility pop
