// How does a block on a moving plate stick, break away and slide back?
// The apparatus of Bowden and Leben: a spring holds the block, the plate under it moves evenly, friction drags the
// block along until the spring wins (Gonthier et al. 2004, Figures 4 to 7). In the plane of the plate, in any
// direction.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "carom/contact/bristle_friction.hpp"
#include "carom/core/names.hpp"

#pragma GCC visibility push(default)

namespace carom {

enum class StickSlipStart {
  with_plate,  ///< the block moves with the plate, its contact fully settled (dwell 1)
  at_rest      ///< the block is at rest, its contact new (dwell 0)
};
template <>
inline constexpr auto names_of<StickSlipStart> = std::to_array<Named<StickSlipStart>>({
    {StickSlipStart::with_plate, "with_plate"},
    {StickSlipStart::at_rest, "at_rest"},
});

struct StickSlipProblem {
  Eigen::Vector2d plate_velocity = Eigen::Vector2d(0.1, 0.0);  ///< [m/s], not zero
  double mass = 1.0;                                           ///< of the block [kg], > 0
  double spring = 1.0;    ///< its stiffness, the same in all directions [N/m], >= 0
  double gravity = 9.81;  ///< presses the block on the plate [m/s^2], >= 0
  BristleFriction friction;
  StickSlipStart start = StickSlipStart::with_plate;  ///< with the spring relaxed and the bristles straight
  double end_time = 1.0;                              ///< [s], > 0
  std::vector<double> sample_times;                   ///< [s], increasing, from 0 to end_time
};

struct StickSlipSample {
  double t = 0.0;                                      ///< [s]
  Eigen::Vector2d x = Eigen::Vector2d::Zero();         ///< from where the spring is relaxed [m]
  Eigen::Vector2d v = Eigen::Vector2d::Zero();         ///< over ground [m/s]
  Eigen::Vector2d friction = Eigen::Vector2d::Zero();  ///< on the block, with its viscous part [N]
  double dwell = 0.0;                                  ///< s_dw [-]
};

enum class StickSlipEventType {
  reaches_limit,  ///< the bristles are as far bent as friction can hold
  leaves_limit,   ///< and no longer
  dwell_maximum,  ///< the contact stops settling: slip begins
  dwell_minimum,  ///< and settles again
  turns_back,     ///< the block stops going with the plate
  turns_forward   ///< and goes with it again
};
template <>
inline constexpr auto names_of<StickSlipEventType> = std::to_array<Named<StickSlipEventType>>({
    {StickSlipEventType::reaches_limit, "reaches_limit"},
    {StickSlipEventType::leaves_limit, "leaves_limit"},
    {StickSlipEventType::dwell_maximum, "dwell_maximum"},
    {StickSlipEventType::dwell_minimum, "dwell_minimum"},
    {StickSlipEventType::turns_back, "turns_back"},
    {StickSlipEventType::turns_forward, "turns_forward"},
});

struct StickSlipEvent : StickSlipSample {
  StickSlipEventType type = StickSlipEventType::reaches_limit;
};

/// Events beyond these are counted, not kept.
inline constexpr std::size_t max_stick_slip_events = 10'000;

struct StickSlipResult {
  std::vector<StickSlipSample> samples;  ///< at the sample times that were reached
  std::vector<StickSlipEvent> events;    ///< in order
  bool limited = false;                  ///< the bound on work (SwitchedSettings) was reached before the end
  std::size_t steps = 0;                 ///< of the integrator
};

/// @throws InvalidInput naming `plate_velocity`, `mass`, `spring`, `gravity`, `friction.mu_s`, ..., `end_time` or
/// `sample_times`
StickSlipResult stick_slip(const StickSlipProblem& problem);

/// A number that went into a motion.
struct Ingredient {
  std::string field;
  double value = 1.0;
  double power = 1.0;  ///< how strongly it counts: sizes are compared as |value|^power
};
/// Where the sizes of a motion leave the range of numbers.
/// @param scale  of the components of its state
/// @throws InvalidInput naming the ingredient whose size is farthest from 1, unless every scale can be worked with
void require_scale(const Eigen::VectorXd& scale, const std::vector<Ingredient>& ingredients);
/// The refusal itself, of what the sizes do.
[[noreturn]] void refuse_size(const std::vector<Ingredient>& ingredients,
                              const std::string& what = "leads beyond the range of numbers");

/// @throws InvalidInput naming `sample_times`: not increasing, or outside [0, end_time]
void require_sample_times(const std::vector<double>& times, double end_time);

}  // namespace carom

#pragma GCC visibility pop
