// What do the steps and tolerances of the text make of an impact in space?
// For comparison with spatial_impact(), and to reproduce what is printed: slip that counts as straight within a
// tolerance, and the integration by steps of the normal impulse, plain or ended in closed form. None of it is exact.
// Theory: docs/theory/spatial.md, section 8. Source: Wang 2017, section 2.6 and table 2.1.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "carom/core/names.hpp"
#include "carom/impact/spatial.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// The sine below which the text's figures call slip straight.
inline constexpr double text_sine = 0.08;

/// An impact followed exactly until its slip counts as straight, and in closed form along that straight line from
/// there.
struct SpatialWithin {
  SpatialCase process = SpatialCase::none;                   ///< the case as the text would label it
  std::optional<SpatialSample> straight_from;                ///< where slip begins to count as straight, if it does
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();         ///< on A [N s]
  Eigen::Vector3d velocity_after = Eigen::Vector3d::Zero();  ///< v + W I, A relative to B [m/s]
};

/// The impact as a tolerance makes it: what the text's integration tends to as its steps shrink, but for the length of
/// the straight slip (see StepMethod).
/// @param sine  slip is straight when the sine of the angle between the sliding velocity and its rate is below [-]
/// @throws InvalidInput as spatial_impact, or naming `sine` when not in (0, 1)
SpatialWithin spatial_within(const SpatialProblem& problem, double sine = text_sine);

/// The text's ways of computing an impact, all by Euler steps of the normal impulse. Where FS and VS find slip
/// straight, they take its whole length from the first component of the sliding velocity, -gamma_x / gamma'_x: that is
/// how the text's numbers come about, and for slip that is not quite straight it matters.
enum class StepMethod : std::uint8_t {
  ni,  ///< fixed steps to the end
  fs,  ///< fixed steps until slip is straight or over, then in closed form
  vs   ///< the same with steps from the curvature of the hodograph (eq. 2.32)
};
template <>
inline constexpr auto names_of<StepMethod> = std::to_array<Named<StepMethod>>({
    {StepMethod::ni, "NI"},
    {StepMethod::fs, "FS"},
    {StepMethod::vs, "VS"},
});

/// Where on a step the normal velocity is taken that the work of the step is reckoned with.
enum class StepEnergy : std::uint8_t {
  end,    ///< at its end
  middle  ///< in its middle: exact for the step as taken
};
template <>
inline constexpr auto names_of<StepEnergy> = std::to_array<Named<StepEnergy>>({
    {StepEnergy::end, "end"},
    {StepEnergy::middle, "middle"},
});

struct StepSettings {
  double step = 1e-3;       ///< of the normal impulse, for NI and FS [N s], > 0
  double blend = 0.5;       ///< epsilon of eq. 2.32 [-], in (0, 1)
  double arc = 1e-2;        ///< h1, of the length of the hodograph, for VS [m/s], > 0
  double angle = 1e-2;      ///< h2, of the angle of its tangent, for VS [rad], > 0
  double sine = text_sine;  ///< slip counts as straight below it [-], in (0, 1)
  StepEnergy energy = StepEnergy::end;
};

/// The most steps that are taken before Verdict::event_limit.
inline constexpr int max_impact_steps = 5'000'000;

struct SteppedImpact {
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();         ///< on A [N s]
  Eigen::Vector3d velocity_after = Eigen::Vector3d::Zero();  ///< v + W I, A relative to B [m/s]
  int steps = 0;
  std::optional<SpatialSample> straight_from;  ///< where slip was found straight
  Verdict verdict = Verdict::no_impact;
};

/// An impact by one of the text's methods. Restitution is energetic, as there.
/// @throws InvalidInput as spatial_impact, naming `law` unless it is energetic, or naming a setting: `step`, `blend`,
/// `arc`, `angle`, `sine`
SteppedImpact stepped_impact(const SpatialProblem& problem, StepMethod method, const StepSettings& settings = {});

/// The steps themselves, to be drawn: the start and the state after each, up to where a closed form takes over.
/// @param most  points at most; later ones are left out
/// @throws InvalidInput as stepped_impact
std::vector<SpatialSample> stepped_path(const SpatialProblem& problem, StepMethod method,
                                        const StepSettings& settings = {}, std::size_t most = 10'000);

/// How sharply the hodograph bends at a sliding velocity, positive to the left [s/m]: gamma' x gamma'' / |gamma'|^3.
/// (Eq. 2.33 with its denominator as it must be, |gamma| |gamma'|^3.)
/// @param slip  gamma [m/s], not zero
/// @return      not a number where gamma' = 0
/// @throws InvalidInput naming `slip` when it is zero or not finite
double hodograph_curvature(const Eigen::Matrix3d& inverse_inertia, double friction, const Eigen::Vector2d& slip);

}  // namespace carom

#pragma GCC visibility pop
