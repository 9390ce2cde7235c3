// What happens in a scene, from one impact to the next?
// Balls fly, slide, roll, spin, swing and meet each other, planes and tubes. Nothing is stepped: every motion is known
// in closed form until the next event, and the next event (a touch, the end of sliding, ...) is solved for, so that no
// impact is passed over or met twice. What touches together is struck together. Energy and momentum are accounted for
// over the whole run. Theory: docs/theory/motion.md.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "carom/contact/bristle_friction.hpp"
#include "carom/core/body.hpp"
#include "carom/core/contact.hpp"
#include "carom/core/flags.hpp"
#include "carom/core/material.hpp"
#include "carom/core/names.hpp"
#include "carom/core/progress.hpp"
#include "carom/core/restitution.hpp"
#include "carom/core/shape.hpp"
#include "carom/impact/collide.hpp"
#include "carom/impact/impact.hpp"
#include "carom/impact/multipoint.hpp"
#include "carom/impact/simultaneous.hpp"
#include "carom/motion/air.hpp"
#include "carom/motion/pendulum.hpp"
#include "carom/motion/table.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// A convex part of a body that is not convex itself: a solid and where its centre of mass is in the body.
struct WorldPart {
  Shape shape = Sphere{};
  Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< from the body's centre of mass, body axes [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< its axes -> body axes
};

/// A solid in a scene: any shape with a volume that is convex, or several of them. The body's axes are those of its
/// shape, about the centre of mass.
struct WorldBody {
  Shape shape = Sphere{};
  Body body;  ///< its mass properties, pose and motion at time 0; immovable ones are at rest
  std::string material = "default";
  std::vector<WorldPart> parts = {};  ///< in place of the shape; they may reach into each other
  /// Where the centre of mass is in the frame of the shape [m]; none: that of the uniform solid.
  std::optional<Eigen::Vector3d> centre = {};
};

/// An immovable half space.
struct WorldPlane {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();    ///< anywhere on it [m]
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< unit, into the free side
  std::string material = "default";
};

/// An endless immovable tube; balls are inside, and nothing else is in the scene that can move.
struct WorldTube {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< anywhere on its axis [m]
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< unit
  double radius = 1.0;                              ///< inner [m], > 0
  std::string material = "default";
};

/// The nose of a cushion: an immovable edge at one height, which balls touch above or below their middle. It is all
/// that is within `rounding` of the line between two points, in the plane across the normal; one point: a round jaw.
struct WorldCushion {
  Eigen::Vector3d from = Eigen::Vector3d::Zero(), to = Eigen::Vector3d::Zero();  ///< ends of the line [m]
  double rounding = 0.0;                                                         ///< [m], >= 0
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();                             ///< unit, across the edge
  std::string material = "default";
};

/// A hole in a plane: a ball on the plane whose centre comes over it, or that lands there, falls and is gone.
struct WorldPocket {
  std::size_t plane = 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< [m]
  double radius = 1.0;                               ///< [m], > 0
};

/// How two surfaces press on each other over time (carom/contact). The restitution is that of their material.
struct WorldForces {
  double stiffness = 1e6;  ///< k [N/m^p], > 0; of each place of contact: a box on a face has four
  double exponent = 1.5;   ///< p [-], > 0
  BristleFriction friction;
};

/// What two surfaces, named by their labels, do to each other.
struct WorldMaterial {
  std::string first = "default", second = "default";
  Restitution restitution;                         ///< a number in [0, 1], or a law of the approach speed
  double friction = 0.0;                           ///< Coulomb coefficient mu [-], >= 0
  std::optional<double> static_friction;           ///< for the rigid laws of groups [-], >= mu; none: mu
  std::optional<TangentialSprings> springs;        ///< the contact gives sideways; none: it is rigid
  RestitutionLaw law = RestitutionLaw::energetic;  ///< of rigid pairs
  double stiffness = 1.0;                          ///< in groups, relative to the others, > 0
  double exponent = 1.0;                           ///< in groups: 1 (linear) or 1.5 (Hertz)
  std::optional<WorldForces> forces;               ///< with WorldProblem::regularized: of contacts that last
};

/// A cloth on a plane: how it resists any ball that runs there.
struct WorldCloth {
  std::size_t plane = 0;
  std::vector<std::size_t> bodies;  ///< who lies on it at the start
  PlaneFriction friction;
  /// The listed ones stay down: the cloth takes no part in their impacts, and what those give them across the plane is
  /// taken away (`support_loss`). Else the plane is struck too, and balls hop.
  bool hold = true;
};

/// A ball on a massless rigid arm: it swings in a plane and does not turn. Its surfaces have no friction.
struct WorldPendulum {
  std::size_t body = 0;
  Eigen::Vector3d anchor = Eigen::Vector3d::Zero();  ///< [m]
  Eigen::Vector3d axis = Eigen::Vector3d::UnitY();   ///< unit, of the swing
  PendulumMotion motion = PendulumMotion::exact;
};

using WorldSupport = std::variant<WorldCloth, WorldPendulum>;

/// The law for what is struck at two contacts or more.
enum class GroupModel : std::uint8_t { simultaneous, rodriguez, lcp };
template <>
inline constexpr auto names_of<GroupModel> = std::to_array<Named<GroupModel>>({
    {GroupModel::simultaneous, "simultaneous"},
    {GroupModel::rodriguez, "rodriguez"},
    {GroupModel::lcp, "lcp"},
});

enum class PartnerKind : std::uint8_t { body, plane, tube, cushion };

/// Whom a body touches.
struct Partner {
  PartnerKind kind = PartnerKind::body;
  std::size_t index = 0;
  friend constexpr bool operator==(const Partner&, const Partner&) = default;
};

struct GroupLaw {
  GroupModel model = GroupModel::simultaneous;
  /// Rodriguez: the first contact that involves this is examined; none such, or nothing: the first contact.
  std::optional<Partner> examine;
};

/// `rest`: also when everything rests that is not in a pocket.
enum class StopAt : std::uint8_t { time, rest };
template <>
inline constexpr auto names_of<StopAt> = std::to_array<Named<StopAt>>({
    {StopAt::time, "time"},
    {StopAt::rest, "rest"},
});

/// Contacts that last and have no exact rule (a ball on a ball, in a tube, in a groove, any other solid on a plane) are
/// followed with forces over time, accurately, until the bodies part; then they fly again. What such bodies meet
/// meanwhile is met with forces too. Every material then has `forces` and a restitution above 0, and there are no
/// supports. Bodies that are not balls have forces on planes only: where two of them last on each other, or meet while
/// one lies, the run ends with WorldVerdict::zeno (micro_speed goes on there).
struct WorldRegularized {
  bool impacts = false;         ///< every contact has forces over time, blows too: nothing is struck rigidly
  std::optional<double> v_min;  ///< as CompliantPair::v_min [m/s]; needed without gravity
  double tick = 1e-3;           ///< who takes part is decided anew after this time [s], > 0
};

/// A scene and how to run it.
struct WorldProblem {
  Eigen::Vector3d gravity = {0.0, 0.0, -standard_gravity};  ///< world axes [m/s^2]
  std::vector<WorldBody> bodies;
  std::vector<WorldPlane> planes;
  std::vector<WorldTube> tubes;
  std::vector<WorldCushion> cushions;  ///< these and pockets not together with `regularized`
  std::vector<WorldPocket> pockets;
  std::vector<WorldMaterial> materials;  ///< every two surfaces that can meet have one
  std::vector<WorldSupport> supports;
  /// Acts on balls in flight; those on planes or arms do not feel it. Not together with `regularized`.
  std::optional<Air> air;
  GroupLaw groups;
  double end_time = 1.0;       ///< [s], > 0
  StopAt stop = StopAt::time;  ///< rest: also when everything rests
  /// A ball that leaves a plane more slowly than this has infinitely many bounces before it in a short time [m/s], >=
  /// 0: their sum is taken at once (WorldEventType::settles).
  double zeno_speed = 1e-6;
  /// Two things touch if their gap is within this share of the smallest movable radius (of the ball around it), > 0:
  /// contacts of a scene are given with rounding, and what touches is struck together.
  double touch_tolerance = 1e-6;
  /// Where infinitely many bounces have no such sum (a ball on a ball, in a tube, in a corner), they go on: what is
  /// pressed together and would rebound by no more than zeno_speed rebounds as it came, but not faster than this (nor
  /// slower than its restitution says) [m/s], > 0; none: the run ends there with WorldVerdict::zeno. Give zeno_speed
  /// the same size: bounces at v last 2 v / g.
  std::optional<double> micro_speed;
  /// The other way to go on there; not together with micro_speed.
  std::optional<WorldRegularized> regularized;
  std::size_t max_events = 1'000'000;
};

enum class WorldBodyState : std::uint8_t {
  flight,
  slides,
  rolls,
  spins,
  rests,
  swings,
  settling,
  pressed,
  pocketed,
  immovable
};
template <>
inline constexpr auto names_of<WorldBodyState> = std::to_array<Named<WorldBodyState>>({
    {WorldBodyState::flight, "flight"},
    {WorldBodyState::slides, "slides"},
    {WorldBodyState::rolls, "rolls"},
    {WorldBodyState::spins, "spins"},
    {WorldBodyState::rests, "rests"},
    {WorldBodyState::swings, "swings"},
    {WorldBodyState::settling, "settling"},
    {WorldBodyState::pressed, "pressed"},
    {WorldBodyState::pocketed, "pocketed"},
    {WorldBodyState::immovable, "immovable"},
});

/// A body at an instant.
struct WorldBodyAt {
  Body body;
  WorldBodyState state = WorldBodyState::flight;
};

enum class WorldEventType : std::uint8_t { impact, rolls, spins, rests, spin_ends, settles, presses, lifts, pocketed };
template <>
inline constexpr auto names_of<WorldEventType> = std::to_array<Named<WorldEventType>>({
    {WorldEventType::impact, "impact"},
    {WorldEventType::rolls, "rolls"},
    {WorldEventType::spins, "spins"},
    {WorldEventType::rests, "rests"},
    {WorldEventType::spin_ends, "spin_ends"},
    {WorldEventType::settles, "settles"},
    {WorldEventType::presses, "presses"},
    {WorldEventType::lifts, "lifts"},
    {WorldEventType::pocketed, "pocketed"},
});

enum class WorldImpactModel : std::uint8_t { spatial, compliant, simultaneous, rodriguez, lcp };
template <>
inline constexpr auto names_of<WorldImpactModel> = std::to_array<Named<WorldImpactModel>>({
    {WorldImpactModel::spatial, "spatial"},
    {WorldImpactModel::compliant, "compliant"},
    {WorldImpactModel::simultaneous, "simultaneous"},
    {WorldImpactModel::rodriguez, "rodriguez"},
    {WorldImpactModel::lcp, "lcp"},
});

/// One contact of an impact. World axes.
struct WorldContact : Contact {  // the normal into `first`
  std::size_t first = 0;         ///< the body with the lesser number
  Partner second;
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  ///< on `first` [N s]
};

/// How the impact went inside, by the model that answered: vectors of a pair in axes (t1, t2, n) with t1 along the
/// slip, of the others as their models say.
using WorldImpactTrace =
    std::variant<std::monostate, SpatialImpact, CompliantImpact, SimultaneousOutcome, MultipointSolution>;

/// Something happened.
struct WorldEvent {
  double time = 0.0;  ///< [s]
  WorldEventType type = WorldEventType::impact;
  std::vector<std::size_t> bodies;  ///< movable, rising
  // impact:
  WorldImpactModel model = WorldImpactModel::spatial;
  std::vector<WorldContact> contacts;  ///< by first, then bodies, planes, tubes
  double restitution_loss = 0.0;       ///< [J]
  double friction_loss = 0.0;          ///< [J]
  WorldImpactTrace trace;
  // settles:
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  ///< of all the bounces together, on the ball [N s]
  WorldBodyState state = WorldBodyState::rests;       ///< what comes after
  // presses, lifts: a contact with forces over time (`contacts`, one) begins or ends.
  double speed = 0.0;  ///< normal, of approach or of parting [m/s]
  // pocketed:
  std::size_t pocket = 0;
};

enum class WorldVerdict : std::uint8_t {
  time,  ///< the end of time was reached
  rest,  ///< everything rests
  /// max_events have happened, or 250 000 searches in a row for the next one found none (through the air 3 906
  /// stretches of flight)
  event_limit,
  zeno,        ///< bounces pile up where they have no sum and neither micro_speed nor regularized is given
  no_solution  ///< the law of groups has no answer; the state is that just before
};
template <>
inline constexpr auto names_of<WorldVerdict> = std::to_array<Named<WorldVerdict>>({
    {WorldVerdict::time, "time"},
    {WorldVerdict::rest, "rest"},
    {WorldVerdict::event_limit, "event_limit"},
    {WorldVerdict::zeno, "zeno"},
    {WorldVerdict::no_solution, "no_solution"},
});

enum class WorldFlag : std::uint8_t {
  micro_bounces,      ///< bounces went on at micro_speed
  sustained_contact,  ///< the run ended at a contact that lasts
  several_solutions,  ///< lcp: the first of several was taken
  not_exhaustive,     ///< lcp: there may be solutions that were not found
  regularized         ///< some contacts had forces over time
};
template <>
inline constexpr auto names_of<WorldFlag> = std::to_array<Named<WorldFlag>>({
    {WorldFlag::micro_bounces, "micro_bounces"},
    {WorldFlag::sustained_contact, "sustained_contact"},
    {WorldFlag::several_solutions, "several_solutions"},
    {WorldFlag::not_exhaustive, "not_exhaustive"},
    {WorldFlag::regularized, "regularized"},
});

/// Where the energy went since the start [J]: start - end = losses + stored + residual.
struct WorldEnergy {
  double start = 0.0, end = 0.0;  ///< kinetic and potential (-m g.x)
  double potential_end = 0.0;
  double restitution_loss = 0.0;   ///< of impacts, and of bounces summed up
  double friction_loss = 0.0;      ///< of impacts, and of bounces summed up
  double support_loss = 0.0;       ///< on cloths and planes; taken by `hold`; by moving what touches into touch
  std::optional<double> air_loss;  ///< with WorldProblem::air: work that drag and the slowing of spins took
  std::optional<double> pocketed;  ///< with WorldProblem::pockets: what balls had that fell and are gone
  double stored = 0.0;             ///< in springs and bristles of contacts with forces over time
  double residual = 0.0;           ///< what is not accounted for: rounding, and of forces over time their integration
};

/// A sum that keeps what each addition rounds off: the order of its terms does not matter.
struct CarefulSum {
  double value = 0.0, rest = 0.0;
  void add(double term);
  double total() const { return value + rest; }
};

/// All that is needed to go on with a run: plain numbers, for files, other processes, or to try two ways on.
struct WorldSaved {
  struct Moving {
    double start = 0.0;  ///< when it began to move as it does now [s]
    Body body;           ///< then
    WorldBodyState state = WorldBodyState::flight;
    std::optional<std::size_t> plane;  ///< on which it runs or settles
    double speed_noise = 0.0;          ///< relative velocities of this size at contacts just left are rounding [m/s]
    bool spin_ended = false;
    double carried_until = 0.0;  ///< it counts as carried by what it bounces on at micro_speed [s]
    double settling_span = 0.0;  ///< settling: for how long [s], and what comes then
    Eigen::Vector3d velocity_after = Eigen::Vector3d::Zero(), angular_velocity_after = Eigen::Vector3d::Zero(),
                    settling_impulse = Eigen::Vector3d::Zero();
  };
  /// A contact with forces over time that touched when the present tick began.
  struct Pressing {
    std::size_t body = 0;
    Partner partner;
    std::size_t place = 0;                               ///< of the places where the body can touch planes
    Eigen::Vector3d bristles = Eigen::Vector3d::Zero();  ///< z, world axes [m]
    double dwell = 0.0, damping = 0.0, touch_speed = 1.0;
  };
  double time = 0.0;  ///< [s]
  std::size_t events = 0;
  std::vector<Moving> bodies;
  std::vector<Pressing> pressing;
  std::size_t changes_told = 0;  ///< how many contacts have closed or opened in the tick
  std::optional<WorldVerdict> verdict;
  double energy_start = 0.0;  ///< [J]
  CarefulSum restitution_loss, friction_loss, support_loss, air_loss, pocketed;
  Eigen::Vector3d momentum_start = Eigen::Vector3d::Zero();  ///< [N s]
  std::array<CarefulSum, 3> external_impulse;                ///< so far [N s]
  Flags impact_flags;
  FlagSet<WorldFlag> flags;
};

/// A scene in time.
class World {
public:
  /// At time 0.
  /// @throws InvalidInput naming `gravity`, `bodies[i].shape.radius`, `bodies[i].shape.type` (without volume, or not a
  /// ball where only balls are known: tubes, cushions, pockets, air), `bodies[i].shape.faces` (a mesh that is not
  /// convex), `bodies[i].parts[k]...`, `bodies[i].mass`, ..., `bodies[i].position` (overlaps), `planes[k].normal`,
  /// `tubes[k].radius`, ..., `cushions[k]...`, `pockets[k]...`, `materials` (two surfaces that can meet have none),
  /// `materials[k]...`, `supports[k]...`, `end_time`, `zeno_speed`, `touch_tolerance`, `micro_speed`, `air...`,
  /// `regularized...` (`materials[k].forces...` and `supports` too), `max_events` or `groups.examine`
  explicit World(WorldProblem problem);
  World(const World&);
  World& operator=(const World&);
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  ~World();

  const WorldProblem& problem() const;
  double time() const;  ///< how far it has come [s]

  /// Goes on to the next event and past it, but not beyond `until` (nor end_time): true and the event, or false if
  /// there is none before. Events come in order of time; what happens at one instant: changes of state first, then
  /// impacts by their least body.
  /// @throws InvalidInput naming `until` (before time(), or not a number)
  bool step(double until, WorldEvent& event);

  /// Goes on until a time, past everything that happens by then.
  /// @param listener  sees every event; may be empty
  /// @throws InvalidInput as step; Cancelled if progress says so: the world is then at some time before, and sound
  void run(double until, const std::function<void(const WorldEvent&)>& listener = {}, const Progress& progress = {});

  /// Why it stopped; nothing while it can go on.
  std::optional<WorldVerdict> verdict() const;
  /// The bodies now, just after what happened.
  std::vector<WorldBodyAt> bodies() const;
  WorldBodyAt body(std::size_t index) const;  ///< @throws InvalidInput naming `index`

  std::size_t events() const;  ///< so far
  WorldEnergy energy() const;
  /// |p_end - p_start - all impulses from outside| [N s]: those of gravity, immovable bodies and supports. None with
  /// pendulums, whose arms take up what they like.
  std::optional<double> momentum_residual() const;
  Flags impact_flags() const;  ///< of any impact so far; and `overflow`, if the energy is not finite
  FlagSet<WorldFlag> flags() const;

  WorldSaved save() const;
  /// Goes on from what was saved, with the same bits.
  /// @throws InvalidInput as World(problem), and naming `saved` where it does not belong to the problem
  World(WorldProblem problem, const WorldSaved& saved);

private:
  class Run;
  std::unique_ptr<Run> run_;
};

/// A run from start to end.
struct WorldSample {
  double time = 0.0;  ///< [s]
  std::vector<WorldBodyAt> bodies;
};
struct WorldRun {
  WorldVerdict verdict = WorldVerdict::time;
  double time = 0.0;  ///< when it ended [s]
  std::vector<WorldEvent> events;
  std::vector<WorldSample> samples;  ///< after `rest` they repeat the state of rest; after another stop there are none
  std::vector<WorldBodyAt> final;
  WorldEnergy energy;
  std::optional<double> momentum_residual;  ///< [N s]
  Flags impact_flags;
  FlagSet<WorldFlag> flags;
};

/// Runs a scene to its end and keeps all of its events; for runs of which only some is to be kept see World.
/// @param sample_times  [s], rising, in [0, end_time]; just after what happens then
/// @throws InvalidInput as World, and naming `sample_times[i]`
WorldRun run_world(const WorldProblem& problem, const std::vector<double>& sample_times = {},
                   const Progress& progress = {});

}  // namespace carom

#pragma GCC visibility pop
