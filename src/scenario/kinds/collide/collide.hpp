// The collide scenario's scene, problem and result, shared by the files that make, run and draw it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "carom/impact/multipoint.hpp"
#include "carom/impact/simultaneous.hpp"
#include "carom/report/document.hpp"

#include "parts/spatial.hpp"

namespace carom::scenario {

/// Colours of bodies, contacts and methods, in the order they come.
inline constexpr report::Color palette[] = {report::Color::blue,   report::Color::orange, report::Color::green,
                                            report::Color::purple, report::Color::red,    report::Color::sky,
                                            report::Color::ink};

/// Bodies that touch, before it is known what their surfaces are.
struct Scene {
  std::vector<NamedBody> bodies;           ///< names differ
  std::vector<SpringContact> contacts;     ///< places and stiffness; springs and surfaces come later
  std::vector<std::string> contact_names;  ///< "1-2"
  std::array<int, 2> view = {0, 1};        ///< axes of the drawing, right and up
  bool planar = false;                     ///< nothing leaves the plane of the view
  std::vector<report::Fact> facts;         ///< how the scene came about
};

// Scenes made from a few numbers; contacts follow from where the bodies are.
Type<Scene> chain_scene();
Type<Scene> cradle_scene();
Type<Scene> rack_scene();
Type<Scene> bernoulli_scene();
Type<Scene> rocking_block_scene();
Type<Scene> groove_scene();
Type<Scene> corner_scene();

enum class CollideMethod { linear, hertz, sequential, lcp, rodriguez };

}  // namespace carom::scenario

template <>
inline constexpr auto carom::names_of<carom::scenario::CollideMethod> =
    std::to_array<carom::Named<carom::scenario::CollideMethod>>({
        {carom::scenario::CollideMethod::linear, "linear"},
        {carom::scenario::CollideMethod::hertz, "hertz"},
        {carom::scenario::CollideMethod::sequential, "sequential"},
        {carom::scenario::CollideMethod::lcp, "lcp"},
        {carom::scenario::CollideMethod::rodriguez, "rodriguez"},
    });

namespace carom::scenario {

/// A contact as a file lists it.
struct ListedContact {
  std::optional<std::string> name;
  std::vector<std::string> bodies;  ///< two names or numbers
  std::optional<Eigen::Vector3d> point, normal;
  double stiffness = 1.0;
  std::optional<Material> material;      ///< instead of the scenario's
  std::optional<CollideMethod> springs;  ///< linear or hertz, instead of the scenario's or the method's
};

/// The scene of listed bodies and contacts.
/// @throws InvalidInput naming `bodies` or `contacts[k]...` and the bodies meant
Scene listed_scene(std::vector<NamedBody> bodies, const std::vector<ListedContact>& contacts);

/// Velocities from elsewhere (measured, printed) to set beside the computed ones.
struct Beside {
  std::string name;
  std::vector<double> velocities;  ///< along the first axis of the view, one per body [m/s]
};

/// Stiffness ratios, and spins before, to go through.
struct OutcomeMap {
  double from = 0.1, to = 10.0;
  int steps = 81;
  std::optional<double> spin_from, spin_to;  ///< for a map
  int map_size = 31;                         ///< cells along each side of the map
};

struct CollideScenario {
  std::optional<Scene> scene;  ///< of whichever generator was given
  std::optional<std::vector<NamedBody>> bodies;
  std::optional<std::vector<ListedContact>> contacts;
  Material material;
  std::optional<double> static_friction;
  CollideMethod springs = CollideMethod::linear;
  std::optional<double> eta0;
  std::vector<CollideMethod> compare;
  std::vector<int> order;
  std::vector<Beside> beside;
  std::optional<OutcomeMap> outcomes;
  std::optional<std::array<int, 2>> view;
  double tolerance = 1e-10;
};

/// One answer of one method.
struct MethodAnswer {
  std::string name;          ///< "linear", "lcp", "rodriguez, wall"
  std::string detail;        ///< what to know about it
  std::vector<Body> bodies;  ///< after, with what is zero but for rounding as zero; none if there is no answer
  EnergyLedger energy;
  std::string flags;
  std::string friction_law = {};  ///< of a rigid method: met, or where it is broken
};

struct CollideRun {
  Scene scene;
  SimultaneousProblem problem;           ///< with the scenario's own springs
  SimultaneousImpact impact;             ///< its answer
  std::vector<SimultaneousSample> path;  ///< how it went, for drawing
  std::vector<MethodAnswer> answers;     ///< the scenario's own first
  std::optional<double> order_spread;    ///< sequential: how much the order changes some velocity [m/s]
  std::optional<MultipointOutcomes> outcomes;
  std::vector<double> outcome_map;  ///< spin after, row by row from the lowest spin before
};

/// All answers of a scenario.
CollideRun run_collide(const CollideScenario& scenario);

/// A body's motion as seen: velocity to the right (0) and up (1) [m/s], spin about the axis towards the viewer (2)
/// [rad/s].
double seen_motion(const Scene& scene, const Body& body, std::size_t i);

/// True if all bodies move along the first axis of the view, before and after.
bool is_one_dimensional(const CollideRun& run);

/// The outcome set over the ratio of stiffness, and its map.
std::vector<report::Plot> outcome_pictures(const CollideScenario& scenario, const CollideRun& run);

/// Velocities, methods side by side, forces, force chain, energy by contact, outcomes: as far as there is something.
std::vector<report::Plot> collide_pictures(const CollideScenario& scenario, const CollideRun& run);

}  // namespace carom::scenario
