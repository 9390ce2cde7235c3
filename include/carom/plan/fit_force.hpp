// Which stiffness, exponent and damping explain a force measured over a touch, and which friction a force measured over
// slip?
// The law of carom/contact/normal_force.hpp, f = k d^p (1 + A d'/v_i), is linear in k and k A once p is known: one
// search over p, least squares inside. The friction of carom/contact/bristle_friction.hpp has a memory: it is followed
// through the trace, and its seven parameters are found by damped least squares.
// Theory: docs/theory/fitting.md, docs/theory/contact.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "carom/contact/bristle_friction.hpp"
#include "carom/core/flags.hpp"
#include "carom/core/names.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// One moment of a touch.
struct ForceSample {
  double indentation = 0.0;  ///< d [m], > 0 while the bodies touch
  double rate = 0.0;         ///< d' [m/s], > 0 in approach
  double force = 0.0;        ///< [N]
};

struct NormalForceFit {
  double stiffness = 0.0;  ///< k [N/m^p]
  double exponent = 1.5;   ///< p [-], in [0.5, 4]
  double damping = 0.0;    ///< A [-]; the restitution it delivers: carom/contact/normal_force.hpp
  double residual = 0.0;   ///< root mean square of predicted minus measured force [N]
  /// None with three samples, or where the samples do not tell them apart.
  std::optional<double> stiffness_error, exponent_error, damping_error;
};

/// @param samples         at least three with d > 0; others, and those where the force is clipped at zero, do not count
/// @param approach_speed  v_i [m/s], > 0: the rate at first touch
/// @throws InvalidInput naming `samples` or `approach_speed`
NormalForceFit fit_normal_force(std::span<const ForceSample> samples, double approach_speed);

/// One moment of two surfaces that slide or stick, along a line.
struct FrictionSample {
  double time = 0.0;      ///< [s], increasing
  double velocity = 0.0;  ///< of the body that friction acts on, over the other one [m/s]
  double load = 0.0;      ///< normal force [N], >= 0
  double friction = 0.0;  ///< on the body, along the velocity's axis (negative where it brakes a positive one) [N]
};

/// The seven parameters of BristleFriction.
enum class FrictionParameter : std::uint8_t { mu_s, mu_c, sigma0, sigma1, sigma2, v_s, tau_dw };
template <>
inline constexpr auto names_of<FrictionParameter> = std::to_array<Named<FrictionParameter>>({
    {FrictionParameter::mu_s, "mu_s"},
    {FrictionParameter::mu_c, "mu_c"},
    {FrictionParameter::sigma0, "sigma0"},
    {FrictionParameter::sigma1, "sigma1"},
    {FrictionParameter::sigma2, "sigma2"},
    {FrictionParameter::v_s, "v_s"},
    {FrictionParameter::tau_dw, "tau_dw"},
});
inline constexpr std::size_t friction_parameters = 7;

struct FrictionFitProblem {
  std::vector<FrictionSample> samples;  ///< velocity and load are straight lines between them
  FlagSet<FrictionParameter> fixed;     ///< not fitted, but as in `values`; tau_dw is not fitted for LuGre
  BristleFriction values = {};          ///< what is fixed, the model, v_eps and how the direction fades
  BristleState start = {};              ///< of the bristles at the first sample; only z.x() counts
};

/// One fitted number.
struct FittedFriction {
  FrictionParameter parameter = FrictionParameter::mu_s;
  double value = 0.0;
  std::optional<double> standard_error;  ///< none if one of these holds, or without redundancy
  bool unidentifiable = false;           ///< the trace does not tell: other values explain it as well
  bool at_bound = false;                 ///< it would go on beyond zero, or mu_s below mu_c
};

struct FrictionFit {
  bool converged = false;    ///< false: the best that was found
  BristleFriction friction;  ///< all of them
  std::vector<FittedFriction> free;
  double residual = 0.0;          ///< root mean square of predicted minus measured force [N]
  std::vector<double> predicted;  ///< force of each sample [N]
  bool no_redundancy = false;     ///< no more samples than parameters: no standard errors
};

/// The seven parameters of friction from a trace of velocity, load and force. Break-away after rests of several lengths
/// tells mu_s and tau_dw, fast slip at several speeds mu_c, sigma2 and v_s, motion within stick sigma0 and sigma1; what
/// a trace does not contain is called unidentifiable.
/// @throws InvalidInput naming `samples` (fewer than three, times that do not increase, loads below 0, nothing but
/// zeros), `values` or `fixed` (nothing left to fit)
FrictionFit fit_friction(const FrictionFitProblem& problem);

/// The force on the body at each sample, by the model. Second order in the time between samples; passages through
/// sticking speeds are followed in finer steps.
std::vector<double> friction_trace(std::span<const FrictionSample> samples, const BristleFriction& friction,
                                   const BristleState& start = {});

}  // namespace carom

#pragma GCC visibility pop
