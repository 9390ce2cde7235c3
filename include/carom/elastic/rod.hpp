// How does an elastic rod bounce, and where does its restitution come from?
// A rod of length L falls upright on rigid ground at impact_speed. Waves run up and back; the ground lets go when it
// would have to pull. What the centre of mass keeps, what stays behind as vibration and what damping ate follow from
// the wave equation alone: no coefficient of restitution goes in, one comes out. Energies and momenta are per unit line
// density (multiply by kg/m). Theory: docs/theory/rod.md. Source: Wang 2017, chapter 5, appendices B and C, corrected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "carom/core/flags.hpp"
#include "carom/core/names.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// What resists the motion of the material.
enum class DampingKind : std::uint8_t {
  viscous,    ///< v_tt + 2 r v_t - c^2 v_xx = -g, r in [1/s]: drag on every cross-section, also in flight
  structural  ///< v_tt - 2 r v_xxt - c^2 v_xx = -g, r in [m^2/s]: resists the rate of strain, none in flight
};
template <>
inline constexpr auto names_of<DampingKind> = std::to_array<Named<DampingKind>>({
    {DampingKind::viscous, "viscous"},
    {DampingKind::structural, "structural"},
});

/// When the ground lets go.
enum class ContactCondition : std::uint8_t {
  stress,  ///< the contact stress c^2 v_x + 2 r v_xt (structural) or c^2 v_x (viscous) would pull
  vx       ///< the strain v_x alone turns positive, as in the thesis; differs for structural damping only
};
template <>
inline constexpr auto names_of<ContactCondition> = std::to_array<Named<ContactCondition>>({
    {ContactCondition::stress, "stress"},
    {ContactCondition::vx, "vx"},
});

enum class RodStatus : std::uint8_t { bounce, no_bounce };
template <>
inline constexpr auto names_of<RodStatus> = std::to_array<Named<RodStatus>>({
    {RodStatus::bounce, "bounce"},
    {RodStatus::no_bounce, "no_bounce"},
});

enum class RodFlag : std::uint8_t {
  undefined_e_energy,   ///< translational energy at lift-off is negative: e_energy does not exist
  downward_at_liftoff,  ///< the centre of mass does not rise when the bottom lets go
  infinite_height,      ///< no gravity and no drag: the rod never comes back, h_max does not exist
  no_margin,            ///< no gravity, or no speed suffices: margin does not exist
  near_tangency,        ///< a relative change of 1e-6 in the data may move t_b by a jump or undo the bounce
  event_limit,          ///< a bound on work was reached: what lies beyond is missing
  overflow,             ///< a result left the range of a double; values that do not exist are not finite
  infinite_stress  ///< a sample at first touch of a structural rod: the bottom stops at once, stress and dissipation
                   ///< have no number
};
template <>
inline constexpr auto names_of<RodFlag> = std::to_array<Named<RodFlag>>({
    {RodFlag::undefined_e_energy, "undefined_e_energy"},
    {RodFlag::downward_at_liftoff, "downward_at_liftoff"},
    {RodFlag::infinite_height, "infinite_height"},
    {RodFlag::no_margin, "no_margin"},
    {RodFlag::near_tangency, "near_tangency"},
    {RodFlag::event_limit, "event_limit"},
    {RodFlag::overflow, "overflow"},
    {RodFlag::infinite_stress, "infinite_stress"},
});
using RodFlags = FlagSet<RodFlag>;

/// Where the linear wave equation says little about a real rod.
enum class RodLimit : std::uint8_t {
  supersonic,   ///< the impact is faster than the waves in the rod
  large_strain  ///< impact and weight together strain it by more than rod_linear_strain
};
template <>
inline constexpr auto names_of<RodLimit> = std::to_array<Named<RodLimit>>({
    {RodLimit::supersonic, "supersonic"},
    {RodLimit::large_strain, "large_strain"},
});

/// Metals yield and rubber stiffens before they are strained that much.
inline constexpr double rod_linear_strain = 0.03;

enum class RodEventType : std::uint8_t {
  lifts,    ///< the bottom leaves the ground
  touches,  ///< and comes back
  rests     ///< touched for the last time: the bottom stays on the ground from here on
};
template <>
inline constexpr auto names_of<RodEventType> = std::to_array<Named<RodEventType>>({
    {RodEventType::lifts, "lifts"},
    {RodEventType::touches, "touches"},
    {RodEventType::rests, "rests"},
});

/// Relative size of a change in the data that near_tangency guards against.
inline constexpr double rod_tangency_fraction = 1e-6;

inline constexpr int rod_max_bounces = 10000;

/// The motion of a viscous rod is kept on short intervals between breakpoints: no more than this many between two long
/// flights (about 140 MB), nor more than so many long flights. Then `event_limit`.
inline constexpr std::size_t rod_max_panels = 400'000;
inline constexpr std::size_t rod_max_flights = 20'000;

/// Beyond so many round trips in one flight a double no longer tells the phase of a vibration that is still alive: the
/// touch that follows would be noise. Then `event_limit`.
inline constexpr double rod_longest_time = 1e10;

/// The motion of a structural rod is searched for events in no more steps than this (each about 10 us). Then
/// `event_limit`.
inline constexpr std::size_t rod_max_steps = 2'000'000;

/// A structural rod with less damping r/(2 L c) than the first is an undamped one: its restitution differs by 2e-13.
/// With less than the second its fronts are thinner than 1e4 modes resolve: it is answered for that much, with
/// `event_limit`.
inline constexpr double rod_least_structural = 1e-26;
inline constexpr double rod_lightest_structural = 2.5e-10;

/// The rod and its impact.
struct RodProblem {
  double wave_speed = 1.0;  ///< c [m/s], > 0
  double length = 1.0;      ///< L [m], > 0
  double gravity = 0.0;     ///< g [m/s^2], >= 0
  double damping = 0.0;     ///< r, >= 0: [1/s] viscous, [m^2/s] structural
  DampingKind damping_kind = DampingKind::viscous;
  double impact_speed = 1.0;  ///< mu [m/s], >= 0, downward, uniform along the rod
  ContactCondition contact = ContactCondition::stress;
  int bounces = 1;                   ///< how many lift-offs to follow, 1 .. 10000
  std::vector<double> sample_times;  ///< [s] from first touch, increasing, >= 0
};

/// Time a wave takes to the top and back, 2 L / c [s].
inline double rod_round_trip(const RodProblem& problem) { return 2.0 * problem.length / problem.wave_speed; }

/// Kinetic energy at first touch, mu^2 L / 2 [m^3/s^2].
inline double rod_energy_before(const RodProblem& problem) {
  return 0.5 * problem.impact_speed * problem.impact_speed * problem.length;
}

/// The greatest strain of an undamped rod in its first contact: impact_speed / c of the front, and gravity's pulse
/// until the front is back, 2 g L / c^2.
double rod_strain(const RodProblem& problem);
/// What of that is beyond a linear rod. Not part of the result: it is so before anything is solved.
FlagSet<RodLimit> rod_limits(const RodProblem& problem);

/// The rod at one moment.
struct RodSample {
  double t = 0.0;  ///< [s] from first touch
  double stress =
      0.0;  ///< c^2 v_x (+ 2 r v_xt) at the bottom [m^2/s^2]; < 0: the ground pushes (structural at t = 0: -inf)
  double momentum = 0.0;          ///< P = int v_t dx [m^2/s], upward
  double height = 0.0;            ///< h: centre of mass above its place at first touch [m]
  double bottom = 0.0;            ///< v(0, t): gap between ground and bottom [m]
  double strain = 0.0;            ///< v_x(0, t) [-]; < 0: squeezed. In the air that of structural damping dies away
  double energy_total = 0.0;      ///< as in RodResult [m^3/s^2]
  double energy_vibration = 0.0;  ///< of that, not translation; never negative [m^3/s^2]
  /// What damping takes per time, int 2 r v_t^2 dx or int 2 r v_xt^2 dx [m^3/s^3] (structural at t = 0: inf)
  double dissipation = 0.0;
};

/// One event of repeated bouncing.
struct RodEvent {
  RodEventType type = RodEventType::lifts;
  double t = 0.0;             ///< [s]
  double momentum = 0.0;      ///< [m^2/s]
  double height = 0.0;        ///< [m]
  double energy_total = 0.0;  ///< [m^3/s^2]
};

/// Everything about the impact. Values that do not exist are empty; a flag or the status says why.
struct RodResult {
  RodStatus status = RodStatus::no_bounce;
  std::optional<double> t_b;         ///< end of the first contact [s]
  double momentum = 0.0;             ///< P at t_b, or at rest after no bounce [m^2/s]
  double height = 0.0;               ///< h at t_b [m]
  double energy_total = 0.0;         ///< int [v_t^2/2 + c^2 v_x^2/2 + g v] dx [m^3/s^2]
  double energy_translation = 0.0;   ///< P^2/(2L) + g L h
  double energy_vibration = 0.0;     ///< the rest
  std::optional<double> e_momentum;  ///< P(t_b)/(mu L); negative if the rod still falls
  std::optional<double> e_energy;    ///< sqrt(energy_translation / (mu^2 L/2)) (Wang 2017, eq. 5.72)
  std::optional<double> h_max;       ///< greatest height of the centre of mass in the flight that follows [m]
  std::optional<double> t_h_max;     ///< when it is there [s] (Wang 2017, remark 16); empty where it takes for ever
  std::optional<double> margin;      ///< (mu - mu*)/(g t1): above 0 the rod bounces, t1 = 2L/c
  RodFlags flags;
  std::vector<RodEvent> events;    ///< with bounces > 1: in order, up to the last lift-off asked for
  std::vector<RodSample> samples;  ///< one per sample time
};

/// The answer a sweep over speeds or dampings needs: no vibration energy, no margin, no history.
struct RodRebound {
  RodStatus status = RodStatus::no_bounce;
  double t_b = 0.0;         ///< [s]; NaN without a bounce
  double momentum = 0.0;    ///< at t_b [m^2/s]; 0 without a bounce
  double height = 0.0;      ///< at t_b [m]; static sag without a bounce
  double e_momentum = 0.0;  ///< NaN without a bounce
  double e_energy = 0.0;    ///< NaN without a bounce or when undefined
};

/// How does the rod bounce? First contact, restitution, energies, margin; events and samples if asked for.
/// Accuracy: 1e-12 relative to the scales mu, g t1 away from tangency. Repeated bounces with structural damping are
/// computed on a polynomial basis of the rod: 1e-11 for 2r/(cL) >= 6e-5, approximate below.
/// @throws InvalidInput naming wave_speed, length, gravity, damping, impact_speed, bounces or sample_times
RodResult rod_impact(const RodProblem& problem);

/// How does the rod leave the ground the first time? The same numbers as rod_impact, computed in the least time.
/// `bounces` and `sample_times` are ignored.
/// @throws InvalidInput as rod_impact
RodRebound rod_rebound(const RodProblem& problem);

/// How fast must this rod fall to bounce at all? The threshold mu* [m/s]: it bounces iff impact_speed > mu*.
/// 0 without gravity if any speed will do; empty if none does. `impact_speed` is ignored.
/// @throws InvalidInput as rod_impact
std::optional<double> rod_bounce_speed(const RodProblem& problem);

/// How fast must this rod fall to leave the ground at the very moment the wave is back from the top, t_b = 2L/c? It
/// does at any speed above this one [m/s] (Wang 2017, eq. 5.33). Empty if it does at none: for structural damping,
/// which lets go by diffusion, and for viscous damping with r 2L/c >= rod_latest_round_trip. `impact_speed` is ignored.
/// @throws InvalidInput as rod_impact
std::optional<double> rod_round_trip_speed(const RodProblem& problem);

/// I0(z) = 2: with more viscous damping r 2L/c than this the returning wave is too weak to lift the rod at once.
inline constexpr double rod_latest_round_trip = 1.8078967510691026;

/// What would the strain at the bottom be if the ground held it, without the decay that viscous damping gives
/// everything? Psi_r(t) = e^{rt} v_x(0, t) (Wang 2017, eq. 5.29): where it turns positive for the first time the rod
/// lifts off. It jumps by 2 impact_speed/c up or down at every round trip; there the value is that just after.
/// @param times  [s], each in [0, rod_stress_function_trips round trips]
/// @return       Psi_r [-] at those times, to about 1e-9 of impact_speed/c; not finite where e^{rt} leaves a double
/// @throws InvalidInput as rod_impact, naming damping_kind if it is structural, or times[i]
std::vector<double> rod_stress_function(const RodProblem& problem, std::span<const double> times);
inline constexpr double rod_stress_function_trips = 8.0;

/// How much energy is left if the ground holds the bottom until t >= 0 [s]? [m^3/s^2] per unit line density. At the end
/// of the round trip 2L/c this is (E(0) + dE) of Wang 2017, figure C.6, with all terms.
/// @throws InvalidInput as rod_impact, or naming t
double rod_held_energy(const RodProblem& problem, double t);

/// The motion itself, at any time and place, through as many bounces as it takes to get there.
/// Computes lazily and remembers; not safe for use from two threads at once.
class RodMotion {
public:
  /// @throws InvalidInput as rod_impact
  explicit RodMotion(const RodProblem& problem);
  ~RodMotion();
  RodMotion(RodMotion&&) noexcept;
  RodMotion& operator=(RodMotion&&) noexcept;

  /// Stress and strain at the bottom, momentum, height and energies at time t >= 0 [s].
  RodSample at(double t);
  /// Displacement v(x, t) [m] of the cross-section x in [0, L] [m] at t >= 0 [s].
  double displacement(double x, double t);
  /// Velocity v_t(x, t) [m/s]; jumps along the wave fronts of a viscous rod.
  double velocity(double x, double t);
  /// Total energy at t >= 0 [m^3/s^2] per unit line density.
  double energy_total(double t);
  /// Energy that damping has taken at the cross-section x in [0, L] [m] from first touch to t >= 0 [s], per length and
  /// line density [m^2/s^2]: the integral of 2 r v_t^2 (viscous) or 2 r v_xt^2 (structural; infinite at x = 0, where
  /// the bottom stops at once). To about 1e-7 in the first contact (structural: as repeated bounces after it); its
  /// integral over the rod closes the energy balance.
  double dissipation(double x, double t);
  /// Is the bottom on the ground at time t?
  bool in_contact(double t);
  /// The first `lifts` lift-offs with the touches between them, or all there are until the rod rests or escapes.
  std::vector<RodEvent> events(int lifts);

private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Wave speed [m/s] by material name, as used in Wang 2017, appendix C (5): steel 4984.45, concrete 3500, rubber 60.
/// Empty for other names.
std::optional<double> rod_wave_speed(std::string_view material);

}  // namespace carom

#pragma GCC visibility pop
