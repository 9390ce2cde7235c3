// How does friction hold, break away and slide, when it remembers how long it has held?
// The surfaces touch through bristles that bend by z while they stick, up to a limit that grows with the time of rest
// (dwell), and that settle at the sliding friction while they slip. One law for the whole plane of contact: seven
// parameters (Gonthier et al. 2004, eqs. 15 to 26). The LuGre model (Canudas de Wit et al. 1995) for comparison.
// Theory: docs/theory/contact.md.
#pragma once

#include <Eigen/Core>

#include "carom/core/names.hpp"

#pragma GCC visibility push(default)

namespace carom {

enum class FrictionModel {
  dwell,  ///< the seven parameters
  lugre   ///< z' = v - sigma0 |v| z / g(v), g = f_n (mu_c + (mu_s - mu_c) s): no dwell time, no limit of the force
};
template <>
inline constexpr auto names_of<FrictionModel> = std::to_array<Named<FrictionModel>>({
    {FrictionModel::dwell, "dwell"},
    {FrictionModel::lugre, "lugre"},
});

/// How the direction of slip fades out below the speed v_eps, r = |v|/v_eps.
enum class SlipDirection {
  smooth,  ///< length 1.5 r - .5 r^3, which has no kink at r = 1
  printed  ///< length 1.5 r^2 - .5 r^4, eq. 20 as printed
};
template <>
inline constexpr auto names_of<SlipDirection> = std::to_array<Named<SlipDirection>>({
    {SlipDirection::smooth, "smooth"},
    {SlipDirection::printed, "printed"},
});

struct BristleFriction {
  double mu_s = 0.0;    ///< friction after long rest [-], >= mu_c
  double mu_c = 0.0;    ///< sliding friction [-], >= 0
  double sigma0 = 1e5;  ///< stiffness of the bristles [N/m], > 0
  double sigma1 = 1e2;  ///< their damping [N s/m], > 0
  double sigma2 = 0.0;  ///< viscous friction [N s/m], >= 0
  double v_s = 1e-3;    ///< Stribeck speed: below it the surfaces stick [m/s], > 0
  double tau_dw = 1.0;  ///< how long the full limit takes to build up [s], > 0; not used by lugre
  double v_eps = 0.0;   ///< [m/s], > 0, or 0: a hundredth of v_s
  SlipDirection direction = SlipDirection::smooth;
  FrictionModel model = FrictionModel::dwell;

  double slip_tolerance() const { return v_eps > 0.0 ? v_eps : 0.01 * v_s; }  ///< v_eps [m/s]
};

/// @throws InvalidInput naming the member
void require_valid(const BristleFriction& friction);

/// What friction remembers, in two axes fixed to the surface.
struct BristleState {
  Eigen::Vector2d z = Eigen::Vector2d::Zero();  ///< how far the bristles are bent [m]
  double dwell = 0.0;                           ///< s_dw [-], 0 to 1: how far the limit has built up
};

/// On which side of the law's kinks a contact is. Between changes of it the law is smooth.
struct BristleRegime {
  bool saturated = false;  ///< the bristles are at the limit of their force
  bool settling = true;    ///< the dwell state rises
  bool creeping = true;    ///< |v| < v_eps
};
inline constexpr int bristle_kinks = 3;

/// Force and rates of the state.
struct BristleForce {
  Eigen::Vector2d force = Eigen::Vector2d::Zero();   ///< on the body whose velocity is taken [N]
  Eigen::Vector2d z_rate = Eigen::Vector2d::Zero();  ///< [m/s]
  double dwell_rate = 0.0;                           ///< [1/s]
};

/// The regime a state is in.
/// @param velocity  of the surface, tangential, relative to the other one [m/s]
/// @param load      normal force [N], >= 0
BristleRegime bristle_regime(const BristleFriction& friction, const BristleState& state,
                             const Eigen::Vector2d& velocity, double load);

/// Force and rates by the formulas of a regime.
BristleForce bristle_force(const BristleFriction& friction, const BristleRegime& regime, const BristleState& state,
                           const Eigen::Vector2d& velocity, double load);
/// The same in whatever regime the state is.
BristleForce bristle_force(const BristleFriction& friction, const BristleState& state, const Eigen::Vector2d& velocity,
                           double load);

/// How far a state is from the kinks of its regime (saturation, dwell, v_eps): below zero it has left it. A margin of
/// some roundings keeps noise from counting as a crossing.
void bristle_margins(const BristleFriction& friction, const BristleRegime& regime, const BristleState& state,
                     const Eigen::Vector2d& velocity, double load, double margins[bristle_kinks]);
/// The regime beyond one of its kinks.
BristleRegime beyond(BristleRegime regime, int kink);

/// Energy in the bent bristles, sigma0 |z|^2 / 2 [J].
double bristle_energy(const BristleFriction& friction, const BristleState& state);

/// Friction in steady slip [N], the Stribeck curve: what remains of the limit falls with the speed.
/// @param speed  [m/s], >= 0
double steady_friction(const BristleFriction& friction, double speed, double load);

/// How fast bristles give way or follow in slip [1/s]: sigma0 |v| / g for lugre, which is without bound where the load
/// goes to zero; sigma0/sigma1 for dwell, whatever the speed. What explicit steps must be shorter than.
/// @param speed  [m/s], >= 0
double bristle_settling_rate(const BristleFriction& friction, double speed, double load);

/// How long slip may go on unseen [s]: not into the band around rest where the surfaces stick, nor through it. Where
/// little friction acts steps grow long enough to pass over it.
/// @param slip_rate  how fast the slip changes [m/s^2]
double unseen_slip_time(const BristleFriction& friction, const Eigen::Vector2d& slip, const Eigen::Vector2d& slip_rate);

/// The force that breaks a contact away which has stuck for a time after fast slip [N]:
/// load (mu_c + (mu_s - mu_c) (1 - exp(-time/tau_dw))).
/// @param time  of rest [s], >= 0
double breakaway_force(const BristleFriction& friction, double time, double load);

/// A vector of the tangent plane carried along as the normal turns from `from` to `to`, by the shortest rotation:
/// bristles stay in the surface. Both unit vectors, not opposite.
Eigen::Vector3d transported(const Eigen::Vector3d& vector, const Eigen::Vector3d& from, const Eigen::Vector3d& to);

}  // namespace carom

#pragma GCC visibility pop
