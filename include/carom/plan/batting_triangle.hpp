// The bounding-triangle method of Wang 2017 (section 4.4.4, algorithm 5), as the text has it.
// Three contact velocities whose flights pass the plane of the target around it are brought together, round by round,
// until one of them passes within a tolerance. Kept for comparison: the general method of carom/plan/batting.hpp hits
// exactly, and always. The text leaves open how a guess is moved over an edge and what to do when the target slips out
// of the triangle: here a guess is reflected, and a failed attempt starts again from other random guesses.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "carom/plan/batting.hpp"

#pragma GCC visibility push(default)

namespace carom {

enum class TriangleUpdate : std::uint8_t {
  centroid,  ///< 4.4.4.2
  midpoint   ///< 4.4.4.3
};
template <>
inline constexpr auto names_of<TriangleUpdate> = std::to_array<Named<TriangleUpdate>>({
    {TriangleUpdate::centroid, "centroid"},
    {TriangleUpdate::midpoint, "midpoint"},
});

/// The settings of table 4.1.
struct TriangleSettings {
  TriangleUpdate update = TriangleUpdate::centroid;
  double tolerance = 0.15;                                   ///< in the plane of the target [m], > 0
  std::optional<std::array<Eigen::Vector3d, 3>> start = {};  ///< contact velocities [m/s]; else random guesses
  int restarts = 30;                                         ///< from other random guesses
  int rounds = 200;                                          ///< at most, of one attempt
  std::uint64_t seed = 1;                                    ///< of the random guesses
};

/// Three guesses and where their flights pass the plane.
struct VelocityTriangle {
  std::array<Eigen::Vector3d, 3> velocities;   ///< object relative to bat, world axes [m/s]
  std::array<Eigen::Vector2d, 3> projections;  ///< in the plane, from the target [m]
};

struct TriangleRun {
  bool found = false;
  BattingShot shot;                       ///< the vertex that passes closest; only if found
  int rounds = 0;                         ///< updates of the last attempt, from the triangle that bounds the target on
  int attempts = 0;                       ///< how often it started
  int impacts = 0;                        ///< forward impacts in all
  int winding = 0;                        ///< how often the image of the bounding triangle's edge winds around the
                                          ///< target: not zero certifies a solution inside
  std::vector<VelocityTriangle> history;  ///< of the last attempt: the bounding triangle, and after each round
  Eigen::Matrix<double, 3, 2> plane = Eigen::Matrix<double, 3, 2>::Zero();  ///< axes of the plane across OQ, world axes
  double closest = 0.0;    ///< closest approach of any flight tried [m]; not a number if none was
  bool at_target = false;  ///< the target is where the object already is: there is no plane across the way to it
};

/// @throws InvalidInput as require_valid, or naming `tolerance`, `restarts`, `rounds`
TriangleRun bounding_triangle(const BattingProblem& problem, const TriangleSettings& settings = {});

/// Where the flight after this contact velocity first passes the plane through the target across OQ, from the target.
std::optional<Eigen::Vector2d> triangle_projection(const BattingProblem& problem,
                                                   const Eigen::Vector3d& contact_velocity);

/// How often the image of the edge of a triangle of contact velocities winds around the target; none if a flight from
/// it never passes the plane.
std::optional<int> winding_number(const BattingProblem& problem, const std::array<Eigen::Vector3d, 3>& velocities);

}  // namespace carom

#pragma GCC visibility pop
