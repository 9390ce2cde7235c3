// Can two fingers pick a soft object up, and how hard must they squeeze?
// A body lies on a table under its weight, two rigid fingertips close on it, press and rise. Vertices touch, stick,
// slip and let go by Coulomb's law; every touch is located. While the fingers press, the weight that they could hold is
// followed; when it reaches that of the body they rise and the body is really lifted, or not. Theory:
// docs/theory/grasp.md. Source: Wang 2017, section 6.2, with the stiffness of appendix A and an implicit Coulomb law.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "carom/core/flags.hpp"
#include "carom/core/names.hpp"
#include "carom/core/progress.hpp"
#include "carom/soft/stiffness.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// A rigid fingertip: a ball.
struct Finger {
  double radius = 0.0;                                   ///< [m]
  Eigen::Vector3d start = Eigen::Vector3d::Zero();       ///< its centre, clear of the object [m]
  Eigen::Vector3d direction = Eigen::Vector3d::UnitX();  ///< in which it closes, of any length
};

/// How the weight that the fingers could hold is found.
enum class LiftTest : std::uint8_t {
  coulomb,  ///< without the table, vertices may slip by Coulomb's law while some stick on each finger
  linear    ///< without the table, all vertices stuck to the fingers: passes too early, kept for the text's sake
};
template <>
inline constexpr auto names_of<LiftTest> = std::to_array<Named<LiftTest>>({
    {LiftTest::coulomb, "coulomb"},
    {LiftTest::linear, "linear"},
});

/// A squeeze has at most so many steps.
inline constexpr double squeeze_max_steps = 10'000;
/// and keeps at most so many shapes.
inline constexpr int squeeze_most_shapes = 1000;

struct SqueezeProblem {
  /// The gravity-free shape. Gravity must point along -z; no supports, forces or prescribed displacements.
  SoftBody body;
  double table = 0.0;  ///< height of the table [m]: at least three vertices stand on it, none is below
  std::array<Finger, 2> fingers;
  double table_friction = 0.0, finger_friction = 0.0;  ///< [-], >= 0
  double step = 2.5e-4;                                ///< how far each finger goes between two lift tests [m]
  std::optional<double> max_depth;  ///< how far each finger goes at most [m]; else the smaller radius
  /// How far each finger goes before the lift may begin [m]: with max_depth the same, grasps compare at one depth.
  double min_depth = 0.0;
  LiftTest lift_test = LiftTest::coulomb;
  int most_shapes = 0;  ///< shapes on the way to keep, for pictures
};

/// What a vertex that touches does.
enum class TouchState : std::uint8_t { free, stick, slip };
template <>
inline constexpr auto names_of<TouchState> = std::to_array<Named<TouchState>>({
    {TouchState::free, "free"},
    {TouchState::stick, "stick"},
    {TouchState::slip, "slip"},
});

enum class Obstacle : std::uint8_t { table, finger_0, finger_1 };
template <>
inline constexpr auto names_of<Obstacle> = std::to_array<Named<Obstacle>>({
    {Obstacle::table, "table"},
    {Obstacle::finger_0, "finger_0"},
    {Obstacle::finger_1, "finger_1"},
});

/// A vertex that touches an obstacle.
struct GraspTouch {
  int node = 0;  ///< vertex of the mesh
  Obstacle obstacle = Obstacle::table;
  TouchState state = TouchState::stick;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< of the obstacle on the body [N]
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< from the obstacle into the body
  Eigen::Vector3d began = Eigen::Vector3d::Zero();   ///< where it touched first, from the centre of the finger [m]
};

/// Wang 2017, section 6.2.1: the four events at which the sets of touching vertices change.
enum class GraspEventType : std::uint8_t {
  touch,        ///< (A)
  break_touch,  ///< (B)
  slip,         ///< (C) stick to slip
  stick         ///< (D) slip to stick
};
template <>
inline constexpr auto names_of<GraspEventType> = std::to_array<Named<GraspEventType>>({
    {GraspEventType::touch, "touch"},
    {GraspEventType::break_touch, "break"},
    {GraspEventType::slip, "slip"},
    {GraspEventType::stick, "stick"},
});
struct GraspEvent {
  GraspEventType type = GraspEventType::touch;
  int node = 0;  ///< vertex of the mesh
  Obstacle obstacle = Obstacle::table;
  double depth = 0.0;  ///< of each finger since it touched first [m]
};

/// The body at one moment.
struct GraspShape {
  std::vector<Eigen::Vector3d> displacement;  ///< of every vertex from the gravity-free shape [m]
  std::vector<GraspTouch> touches;            ///< without free ones
  std::array<Eigen::Vector3d, 2> fingers;     ///< centres [m]
  double depth = 0.0;                         ///< of each finger [m]
  double strain = 0.0;                        ///< largest |principal strain| [-]
};

/// After each step of the squeeze.
struct GraspStep {
  double depth = 0.0;                             ///< [m]
  double liftable_weight = 0.0;                   ///< [N]
  double work = 0.0;                              ///< of both fingers so far [J]
  std::array<Eigen::Vector3d, 2> finger_force{};  ///< of each finger on the body [N]
  std::array<int, 2> finger_nodes{};
  int table_nodes = 0;
};

enum class SqueezeStatus : std::uint8_t {
  lifted,          ///< the fingers rose and the table carries nothing
  max_depth,       ///< pressed as far as allowed, or lifted by a radius, and the table still carries
  no_grasp,        ///< a finger misses the object or begins inside
  unstable_rest,   ///< the object does not stay on the table by itself
  no_convergence,  ///< no equilibrium was found: `message` says at which depth
  invalid_mesh     ///< the tetrahedra are no solid
};
template <>
inline constexpr auto names_of<SqueezeStatus> = std::to_array<Named<SqueezeStatus>>({
    {SqueezeStatus::lifted, "lifted"},
    {SqueezeStatus::max_depth, "max_depth"},
    {SqueezeStatus::no_grasp, "no_grasp"},
    {SqueezeStatus::unstable_rest, "unstable_rest"},
    {SqueezeStatus::no_convergence, "no_convergence"},
    {SqueezeStatus::invalid_mesh, "invalid_mesh"},
});

enum class SqueezeFlag : std::uint8_t {
  large_strain,      ///< a strain above 0.1 when the lift test passed: beyond small-strain theory
  locking,           ///< Poisson's ratio above 0.45: linear tetrahedra are too stiff
  no_force_closure,  ///< fingers and table could not hold the object against every push at first touch
  lift_failed,       ///< the lift test passed, the lift itself did not succeed
};
template <>
inline constexpr auto names_of<SqueezeFlag> = std::to_array<Named<SqueezeFlag>>({
    {SqueezeFlag::large_strain, "large_strain"},
    {SqueezeFlag::locking, "locking"},
    {SqueezeFlag::no_force_closure, "no_force_closure"},
    {SqueezeFlag::lift_failed, "lift_failed"},
});
using SqueezeFlags = FlagSet<SqueezeFlag>;

struct SqueezeResult {
  SqueezeStatus status = SqueezeStatus::invalid_mesh;
  std::string message;  ///< what went wrong when the status is not `lifted`
  bool lifted = false;  ///< by the simulated lift
  double weight = 0.0;  ///< [N]
  // When the lift test first passed, else at the end of the squeeze; zero without a grasp.
  double depth = 0.0;          ///< how far each finger has gone since it touched first [m]
  double total_closing = 0.0;  ///< how much nearer the fingers have come since then [m]
  std::array<int, 2> finger_nodes{};
  int table_nodes = 0;
  double work = 0.0;             ///< of both fingers, the squeeze only [J]
  double liftable_weight = 0.0;  ///< [N], followed up to twice the weight; with a min_depth, to a hundred times
  double strain = 0.0;           ///< largest |principal strain| [-]
  SqueezeFlags flags;
  std::vector<GraspEvent> events;  ///< of the squeeze, in order
  std::vector<GraspStep> steps;
  GraspShape rest, squeezed, raised;  ///< under its weight; when the lift test passed or the squeeze ended; in the air
  double raised_by = 0.0;             ///< how far the fingers rose [m]
  std::vector<GraspShape> shapes;     ///< on the way of the squeeze, evenly, most_shapes of them or fewer
};

/// Squeezes and lifts.
/// @param threads  for assembly, 0: all; the bits do not depend on it
/// @throws InvalidInput naming body fields as fem does, `gravity` (not along -z, or zero), `table` (above a vertex),
///         `fingers[i].radius|start|direction`, `friction.table|finger`, `step` (positive, at least max_depth / 10000)
///         `max_depth` or `min_depth` (at most max_depth); Cancelled when progress says so
SqueezeResult squeeze(const SqueezeProblem& problem, const Progress& progress = {}, int threads = 0);

}  // namespace carom

#pragma GCC visibility pop
