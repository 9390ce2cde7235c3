// Inside the compliant model: the scaled problem, the state of the process, and who listens to it.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <limits>

#include "carom/impact/compliant.hpp"

namespace carom::compliant {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

/// The problem in the solver's units and axes: velocities and inverse inertias divided by powers of two (no rounding),
/// normal stiffness 1 in compression, tangential axes turned so that wtt is diagonal; in the plane the first points
/// along the initial slip.
struct Scaled {
  Matrix3d root;          ///< lower triangular root of the inverse inertia: W = L L^T
  Matrix2d wtt;           ///< its tangential block, diagonal
  Vector2d wtn;           ///< its coupling
  double wnn = 1.0;       ///< its normal entry
  double wt_norm = 0.0;   ///< bound on |wtt d|
  double wtn_norm = 0.0;  ///< |wtn|
  Vector3d v0;
  double mu = 0.0, e = 1.0;
  double eta0 = 1.0, eta0_squared = 1.0;
  bool published = false;        ///< friction e mu in restitution
  bool keeps_stiffness = false;  ///< Unloading::keep_stiffness
  bool planar = false;                            ///< the second tangential axis is never excited (Jia 2012, Theorem 2)
  double across_slip = 0.0, across_normal = 0.0;  ///< planar: |W_tt|, |W_tn| out of the plane, left out as rounding

  /// Stiffness of the normal spring.
  double kappa(bool restitution) const { return restitution && !keeps_stiffness ? 1.0 / (e * e) : 1.0; }
  /// Change of the velocity by an impulse. Taken through the root, an error has no more energy than it must, however
  /// nearly singular W is.
  Vector3d velocity_change(const Vector3d& impulse) const { return root * (root.transpose() * impulse).eval(); }
  /// Friction felt in slip.
  double slip_friction(bool restitution) const { return published && restitution ? e * mu : mu; }
};

/// Where the process stands.
struct State {
  Vector3d impulse = Vector3d::Zero();
  Vector3d y = Vector3d::Zero();   ///< L^-1 v: half its square is the kinetic energy
  Vector3d v = Vector3d::Zero();   ///< L y = v0 + W impulse
  double energy = 0.0;             ///< of the normal spring, E
  double energy_scale = 0.0;       ///< the largest E so far
  double least_energy = 0.0;       ///< where restitution ends: above zero where the stiffness is kept
  Vector2d g = Vector2d::Zero();   ///< tangential force (stick)
  Vector2d d = Vector2d::UnitX();  ///< direction of slip
  double friction_loss = 0.0;
  double restitution_loss = 0.0;
  bool restitution = false;  ///< the normal spring has stiffened
  bool approaching = true;   ///< v_n < 0: compression, or recompression
  bool slipping = false;
  std::size_t slip_steps = 0, stick_steps = 0;  ///< work so far (max_compliant_slip_steps, ..._stick_steps)
  double doubt = 0.0;  ///< how far half a unit of rounding of W moves the velocity, as a part of the first one

  void add_impulse(const Scaled& problem, const Vector3d& more) {
    impulse += more;
    const Vector3d dy = problem.root.transpose() * more;
    y += dy;
    v += problem.root * dy;  // not L y: a v_n that has just been zero keeps its digits
  }
};

/// Why a stretch of slip or stick ended.
enum class Stop : std::uint8_t { mode_ends, normal_turns, separates, gives_up };

/// Told about points of the process. The solver works the same with or without one.
class Observer {
public:
  virtual ~Observer() = default;
  virtual void event(EventType type, const State& state) = 0;
  virtual void point(const State& state) = 0;
  virtual int points_per_stick() const { return 0; }  ///< 0: do not bother
  /// The next normal impulse at which the state is wanted (`sample`); beyond the end: none is.
  virtual double wanted() const { return std::numeric_limits<double>::infinity(); }
  virtual void sample(const State&) {}
};

/// Hands out the states that are wanted in a stretch up to normal impulse `end`; `at(impulse)` is the state there.
template <class At>
void hand_out(Observer* observer, double end, const At& at) {
  if (observer == nullptr) return;
  while (observer->wanted() <= end) observer->sample(at(observer->wanted()));
}

/// Follow stick until it ends, the normal velocity changes sign, or the bodies part.
/// @param on_cone  the state lies on the friction cone and is about to leave it inwards (first touch, end of slip)
Stop follow_stick(const Scaled& problem, State& state, bool on_cone, bool marginal, Observer* observer);

/// The same in the plane. False, and nothing done, where the force leaves the cone too slowly for two modes to tell.
bool follow_planar_stick(const Scaled& problem, State& state, bool on_cone, Observer* observer, Stop& stop);

/// Follow slip likewise. 3-D: power series, collocation where stiff; planar: closed form.
Stop follow_slip(const Scaled& problem, State& state, Observer* observer);
Stop follow_planar_slip(const Scaled& problem, State& state, Observer* observer);

/// Below this fraction of the largest force the normal spring counts as unloaded: what is left of the impulse is its
/// square, far below rounding.
inline constexpr double unloaded = 1e-13;

/// Nothing is left in the normal spring; a tangential strain that small friction could not hold is lost at once.
inline void lose_strain(const Scaled& problem, State& state) {
  state.friction_loss += 0.5 * problem.eta0_squared * state.g.squaredNorm();
  state.g.setZero();
  state.energy = 0.0;
}

/// Slip speed: v_t.d + mu eta^2 v_n.
inline double slip_speed(const Scaled& problem, const State& state) {
  return state.v.head<2>().dot(state.d) + problem.slip_friction(state.restitution) * problem.eta0_squared *
                                              problem.kappa(state.restitution) * state.v[2];
}

}  // namespace carom::compliant
