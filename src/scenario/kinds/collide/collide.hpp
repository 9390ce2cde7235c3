// The collide scenario's arrangement, problem and result, shared by the files that make, run and draw it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "carom/impact/impulse_steps.hpp"
#include "carom/impact/multipoint.hpp"
#include "carom/impact/simultaneous.hpp"
#include "carom/impact/slip_diagram.hpp"
#include "carom/motion/flight.hpp"
#include "carom/report/document.hpp"

#include "parts/rack.hpp"
#include "parts/restitution.hpp"
#include "parts/shape.hpp"
#include "parts/spatial.hpp"

namespace carom::scenario {

/// Bodies that touch, before it is known what their surfaces are.
struct Arrangement {
  std::vector<NamedBody> bodies;           ///< names differ
  std::vector<SpringContact> contacts;     ///< places and stiffness; springs and surfaces come later
  std::vector<std::string> contact_names;  ///< "1-2"
  std::array<int, 2> view = {0, 1};        ///< axes of the drawing, right and up
  bool planar = false;                     ///< nothing leaves the plane of the view
  std::vector<report::Fact> facts;         ///< how the arrangement came about
};

// Arrangements made from a few numbers; contacts follow from where the bodies are. SI units.

/// Equal balls in a row along x, the first one moving.
struct Chain {
  int count = 5;
  double mass = 1.0, radius = 0.5, speed = 1.0, spin = 0.0;
};

enum class Swing { exact, small_angle };

/// Newton's cradle at its first collision.
struct Cradle {
  int count = 5, raised = 1;
  double mass = 0.0435, radius = 0.011, length = 0.129, angle = 25.0 * M_PI / 180.0, gravity = standard_gravity;
  Swing swing = Swing::exact;
};

/// One ball onto two touching ones.
struct Bernoulli {
  double mass = 1.0, radius = 0.5, speed = 1.0, stiffness_ratio = 1.0;
};

/// A break shot.
struct Rack {
  Layout layout = Layout::nine_ball;
  double mass = 0.17, radius = 0.03, speed = 1.0, spin = 0.0;
};

/// A block falls back on its other edge.
struct RockingBlock {
  double mass = 1.0, half_width = 1.0, half_height = 0.5, rate = 1.0;
};

/// A ball falls into a groove.
struct Groove {
  double mass = 1.0, radius = 0.5, angle = M_PI / 3.0;
  Eigen::Vector2d velocity = Eigen::Vector2d(0.3, -1.0);
};

/// How a ball got into the corner.
struct Throw {
  double speed = 0.0, height = 1.0, gravity = standard_gravity;
};

/// How fast a ball arrives in the corner, and how steeply.
struct Arrival {
  double speed = 1.0, angle = M_PI / 4.0;
};

/// A ball strikes floor and wall at once.
struct Corner {
  double mass = 1.0, radius = 0.5, spin = 0.0;
  ShapeName shape = ShapeName::disc;
  std::optional<Eigen::Vector2d> velocity;
  std::optional<Throw> thrown;
  std::optional<Arrival> arrival;
  double stiffness_ratio = 1.0;  ///< wall over floor
};

using Generator = std::variant<Chain, Cradle, Bernoulli, Rack, RockingBlock, Groove, Corner>;

Type<Generator> chain_type();
Type<Generator> cradle_type();
Type<Generator> rack_type();
Type<Generator> bernoulli_type();
Type<Generator> rocking_block_type();
Type<Generator> groove_type();
Type<Generator> corner_type();

Arrangement arrangement_of(const Generator& generator);

enum class CollideMethod { linear, hertz, rigid_friction, sequential, lcp, rodriguez, impulse_steps };

}  // namespace carom::scenario

template <>
inline constexpr auto carom::names_of<carom::scenario::CollideMethod> =
    std::to_array<carom::Named<carom::scenario::CollideMethod>>({
        {carom::scenario::CollideMethod::linear, "linear"},
        {carom::scenario::CollideMethod::hertz, "hertz"},
        {carom::scenario::CollideMethod::rigid_friction, "rigid_friction"},
        {carom::scenario::CollideMethod::sequential, "sequential"},
        {carom::scenario::CollideMethod::lcp, "lcp"},
        {carom::scenario::CollideMethod::rodriguez, "rodriguez"},
        {carom::scenario::CollideMethod::impulse_steps, "impulse_steps"},
    });

namespace carom::scenario {

/// A contact as a file lists it.
struct ListedContact {
  std::optional<std::string> name;
  std::vector<std::string> bodies;  ///< two names or numbers
  std::optional<Eigen::Vector3d> point, normal;
  double stiffness = 1.0;
  std::optional<Surfaces> material;      ///< instead of the scenario's
  std::optional<CollideMethod> springs;  ///< linear or hertz, instead of the scenario's or the method's
};

/// The arrangement of listed bodies and contacts.
/// @throws InvalidInput naming `bodies` or `contacts[k]...` and the bodies meant
Arrangement listed_arrangement(std::vector<NamedBody> bodies, const std::vector<ListedContact>& contacts);

/// Velocities from elsewhere (measured, printed) to set beside the computed ones.
struct Beside {
  std::string name;
  std::vector<double> velocities;  ///< along the first axis of the view, one per body [m/s]
};

/// Stiffness ratios to go through.
struct OutcomeRange {
  double from = 0.1, to = 10.0;
  int steps = 81;
};

/// What a slip diagram shows, beside what it has to.
struct SlipDiagramAsked {
  std::optional<double> from, to;           ///< slip after [m/s]
  std::optional<StribeckFriction> falling;  ///< its speed and exponent; the coefficients are the scenario's
};

struct CollideScenario {
  std::optional<Generator> generator;  ///< whichever was given
  std::optional<std::vector<NamedBody>> bodies;
  std::optional<std::vector<ListedContact>> contacts;
  Surfaces material;
  std::optional<double> static_friction;
  CollideMethod springs = CollideMethod::linear;
  std::optional<double> eta0;
  std::vector<CollideMethod> compare;
  std::vector<int> order;
  std::vector<Beside> beside;
  std::optional<OutcomeRange> outcomes;
  std::optional<SlipDiagramAsked> slip_diagram;
  std::optional<std::array<int, 2>> view;
  double tolerance = 1e-10;
  std::optional<ImpulseSteps> stepping;  ///< of impulse_steps
  std::optional<std::string> cloth;      ///< the immovable body on which balls slide until they roll
};

/// A ball after the impact, on the cloth: it slides, its slip vanishing in a straight line, until it rolls.
struct RollOut {
  std::size_t answer = 0, body = 0, contact = 0;
  Eigen::Vector3d after = Eigen::Vector3d::Zero();  ///< velocity after the impact, along the cloth [m/s]
  Eigen::Vector3d up = Eigen::Vector3d::UnitZ();
  Eigen::Vector3d slip = Eigen::Vector3d::Zero();     ///< of the lowest point after the impact [m/s]
  Eigen::Vector3d rolling = Eigen::Vector3d::Zero();  ///< velocity once it rolls [m/s]
  double angle = 0.0;  ///< of that, from the direction of the fastest ball before, about `up` [rad]; not finite if none
};

/// Impulse steps of one length.
struct StepsTry {
  double step = 0.0;   ///< [N s]
  double error = 0.0;  ///< largest difference of a velocity to the springs', over the fastest before [-]
  ImpulseStepsImpact impact;
};

/// One answer of one method.
struct MethodAnswer {
  std::string name;          ///< "linear", "lcp", "rodriguez, wall"
  std::string detail;        ///< what to know about it
  std::vector<Body> bodies;  ///< after, with what is zero but for rounding as zero; none if there is no answer
  EnergyLedger energy;
  std::string flags;
  std::string friction_law = {};  ///< of a rigid method: met, or where it is broken
  std::optional<MultipointSolution> rigid = {};
};

struct CollideRun {
  Arrangement arrangement;
  SimultaneousProblem problem;           ///< with the scenario's own springs
  SimultaneousImpact impact;             ///< its answer
  std::vector<SimultaneousSample> path;  ///< how it went, for drawing
  std::vector<MethodAnswer> answers;     ///< the scenario's own first
  std::optional<double> order_spread;    ///< sequential: how much the order changes some velocity [m/s]
  std::optional<MultipointOutcomes> outcomes;
  std::optional<MultipointProblem> rigid;  ///< of the rigid methods, if one is asked for
  std::vector<SlipDiagram> slip_diagrams;  ///< one per contact that takes part, if asked for
  std::vector<StepsTry> steps;             ///< impulse_steps: the step asked for last, longer ones before
  std::vector<RollOut> roll_outs;          ///< with `cloth`: of every answer
};

struct RunRequest;

/// What a file may say.
Fields<CollideScenario> collide_fields();

/// The arrangement a scenario asks for, seen as it asks.
/// @throws InvalidInput as listed_arrangement
Arrangement arrangement_of(const CollideScenario& scenario);

/// All answers of a scenario.
CollideRun run_collide(const CollideScenario& scenario, const RunRequest& request);

/// The largest difference of a component of a body's velocity [m/s].
double largest_difference(const std::vector<Body>& a, const std::vector<Body>& b);
/// The speed of the fastest body [m/s].
double fastest(const std::vector<Body>& bodies);

/// A body's motion as seen: velocity to the right (0) and up (1) [m/s], spin about the axis towards the viewer (2)
/// [rad/s].
double seen_motion(const Arrangement& arrangement, const Body& body, std::size_t i);

/// True if all bodies move along the first axis of the view, before and after.
bool is_one_dimensional(const CollideRun& run);

/// Friction over slip at each contact, and the rigid answers in it.
std::vector<report::Plot> slip_diagram_pictures(const CollideScenario& scenario, const CollideRun& run);
report::Table slip_diagrams_table(const CollideRun& run);

/// The outcome set over the ratio of stiffness.
std::vector<report::Plot> outcome_pictures(const CollideRun& run);

/// Impulse steps of the length asked for, and of 2 to 64 times that: what they say beside the springs, and how far off.
void add_impulse_steps(const CollideScenario& scenario, CollideRun& run);
report::Table steps_table(const CollideRun& run);
report::Plot steps_error_plot(const CollideRun& run);

/// The least friction with which the only contact sticks in the end, where nothing couples slip and normal motion (two
/// balls): slip / (W_tt I_n). Not finite elsewhere.
double friction_to_stick(const CollideRun& run);

/// How the balls on the cloth roll in the end.
/// @throws InvalidInput naming `cloth`: there is no such body, it moves, or no ball touches it
std::vector<RollOut> roll_outs_of(const CollideScenario& scenario, const Arrangement& arrangement,
                                  const std::vector<Body>& before, const std::vector<Body>& after);
/// Those of every answer that there is.
void add_roll_outs(const CollideScenario& scenario, CollideRun& run);
std::vector<report::Fact> roll_out_facts(const CollideRun& run);
report::Table roll_outs_table(const CollideRun& run);
report::Plot roll_out_plot(const CollideRun& run);

/// Velocities, methods side by side, forces, force chain, energy by contact, outcomes: as far as there is something.
std::vector<report::Plot> collide_pictures(const CollideScenario& scenario, const CollideRun& run);

}  // namespace carom::scenario
