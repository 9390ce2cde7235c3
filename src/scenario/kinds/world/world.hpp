// The world scenario's problem, arrangement and result, shared by the files that read, make, run and draw it.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "carom/motion/world.hpp"
#include "carom/report/document.hpp"

#include "billiards.hpp"
#include "parts/rack.hpp"

namespace carom::scenario {

// --- what a file says ---

struct ListedBody : WorldBody {
  std::string name;
};
struct ListedPlane : WorldPlane {
  std::string name;
};
struct ListedTube : WorldTube {
  std::string name;
};

/// Supports name bodies and planes by their names, or by their numbers from 0.
struct ListedCloth {
  std::string plane = "0";
  std::optional<std::vector<std::string>> bodies;  ///< none: every ball that touches the plane
  ClothFriction friction;
  bool hold = true;
};
struct ListedPendulum {
  std::string body;
  Eigen::Vector3d anchor = Eigen::Vector3d::Zero(), axis = Eigen::Vector3d::UnitY();
  PendulumMotion motion = PendulumMotion::exact;
};
using ListedSupport = std::variant<ListedCloth, ListedPendulum>;

struct ListedGroups {
  GroupModel model = GroupModel::simultaneous;
  std::optional<std::string> examine;  ///< name of a body, plane or tube
};

// Balls made from a few numbers. SI units.

/// A break shot on a cloth z = 0: the cue ball runs along x into a rack that starts at the origin.
struct BreakShot {
  Layout layout = Layout::nine_ball;
  double mass = 0.17, radius = 0.03, speed = 1.0, spin = 0.0, run_up = 0.3;
  ClothFriction cloth = {.sliding = 0.2, .spinning = 0.0, .rolling = {}, .rolling_torque = 0.01};
  bool hold = true;
  std::string material = "default";
};

/// Newton's cradle: touching balls on arms along x, the first ones raised.
struct SwingingCradle {
  int count = 5, raised = 1;
  double mass = 0.0435, radius = 0.011, length = 0.129, angle = 25.0 * M_PI / 180.0;
  PendulumMotion motion = PendulumMotion::exact;
  std::string material = "default";
};

/// Balls in a row along x, the first one moving.
struct BallChain {
  int count = 5;
  double mass = 1.0, radius = 0.5, speed = 1.0, spin = 0.0, gap = 0.0;
  Eigen::Vector3d from = Eigen::Vector3d::Zero();
  std::string material = "default";
};

/// Balls on the points of a grid.
struct BallGrid {
  std::vector<int> count;
  double mass = 1.0, radius = 0.5;
  std::optional<double> spacing;  ///< of the centres; none: they touch
  Eigen::Vector3d from = Eigen::Vector3d::Zero(), velocity = Eigen::Vector3d::Zero();
  std::string material = "default";
};

/// Balls anywhere in a box, none into another.
struct RandomBalls {
  int count = 10, seed = 1;
  double mass = 1.0, radius = 0.1, radius_spread = 0.0, speed = 0.0, spin = 0.0;
  Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = Eigen::Vector3d::Ones();
  std::string material = "default";
};

/// Whether a contact is a blow or a force over time.
enum class ContactTreatment { rigid, regularized };

/// The same scene with something else in it, to set beside.
enum class WorldVariant { rigid, simultaneous, rodriguez, lcp, exact, small_angle, vacuum, hop };

}  // namespace carom::scenario

template <>
inline constexpr auto carom::names_of<carom::scenario::ContactTreatment> =
    std::to_array<carom::Named<carom::scenario::ContactTreatment>>({
        {carom::scenario::ContactTreatment::rigid, "rigid"},
        {carom::scenario::ContactTreatment::regularized, "regularized"},
    });
template <>
inline constexpr auto carom::names_of<carom::scenario::WorldVariant> =
    std::to_array<carom::Named<carom::scenario::WorldVariant>>({
        {carom::scenario::WorldVariant::rigid, "rigid"},
        {carom::scenario::WorldVariant::simultaneous, "simultaneous"},
        {carom::scenario::WorldVariant::rodriguez, "rodriguez"},
        {carom::scenario::WorldVariant::lcp, "lcp"},
        {carom::scenario::WorldVariant::exact, "exact"},
        {carom::scenario::WorldVariant::small_angle, "small_angle"},
        {carom::scenario::WorldVariant::vacuum, "vacuum"},
        {carom::scenario::WorldVariant::hop, "hop"},
    });

namespace carom::scenario {

struct WorldScenario {
  Eigen::Vector3d gravity = {0.0, 0.0, -standard_gravity};
  std::vector<ListedBody> bodies;
  std::optional<BreakShot> rack;
  std::optional<SwingingCradle> cradle;
  std::optional<BallChain> chain;
  std::optional<BallGrid> grid;
  std::optional<RandomBalls> random;
  std::vector<ListedPlane> planes;
  std::vector<ListedTube> tubes;
  std::vector<ListedCushion> cushions;
  std::vector<ListedPocket> pockets;
  std::optional<TableInFile> table;
  std::optional<ShotInFile> shot;
  std::vector<ListedSupport> supports;
  std::vector<WorldMaterial> materials;
  std::optional<Air> air;
  ListedGroups groups;
  double end_time = 1.0, zeno_speed = 1e-6, touch_tolerance = 1e-6;
  StopAt stop = StopAt::time;
  std::optional<double> micro_speed, v_min;
  ContactTreatment contact = ContactTreatment::rigid, impacts = ContactTreatment::rigid;
  int max_events = 1'000'000, samples = 200;
  std::vector<WorldVariant> compare;
};

// --- what is made of it ---

struct WorldArrangement {
  WorldProblem problem;
  std::vector<std::string> names, plane_names, tube_names, cushion_names, pocket_names;  ///< of bodies they differ
  std::vector<std::string> body_source, plane_source, support_source;  ///< key that made it; "": listed
  std::optional<std::size_t> struck_ball;
  std::optional<CueStrike> strike;  ///< what the cue did to its ball
};

/// The scene with something else in it.
WorldScenario changed(WorldScenario scenario, WorldVariant variant);

/// The scene, those listed before those made.
/// @throws InvalidInput naming a field of the file
WorldArrangement arrangement_of(const WorldScenario& scenario);

/// What a body does at an instant, for drawing.
struct SeenBody {
  Eigen::Vector3d position, velocity, spin;
  Eigen::Quaterniond orientation;
  WorldBodyState state;
};

struct WorldFrame {
  double time = 0.0;
  std::vector<SeenBody> bodies;
};

/// The energy of all bodies at an instant [J].
struct EnergyAt {
  double time = 0.0, kinetic = 0.0, potential = 0.0, stored = 0.0;
};

/// Something happened, and how its first body goes on.
struct KeptEvent {
  std::size_t number = 0;  ///< from 1
  WorldEvent event;        ///< without its trace
  Eigen::Vector3d position, velocity, spin;
};

/// One contact of an impact, for the picture of all.
struct ImpactMark {
  double time = 0.0;
  std::size_t first = 0;
  std::optional<std::size_t> second;  ///< another body; none: plane or tube
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
};

/// So many events are kept at the start of a run, and as many at its end.
inline constexpr std::size_t kept_events = 300;

/// One run from start to end.
struct WorldTrack {
  std::string name;          ///< of a variant; "" for the scene itself
  bool interrupted = false;  ///< it was asked to stop
  WorldVerdict verdict = WorldVerdict::time;
  double time = 0.0;
  std::size_t events = 0, impacts = 0, touches = 0;
  double first_impact = std::numeric_limits<double>::quiet_NaN(), last_impact = first_impact;
  double fastest_spin = 0.0;  ///< [rad/s]
  std::vector<KeptEvent> first, last;
  std::vector<ImpactMark> marks;                     ///< thinned out where there are many:
  std::size_t marks_every = 1;                       ///< one in so many is kept
  std::vector<WorldFrame> frames;                    ///< evenly in time
  std::vector<EnergyAt> energies;                    ///< at frames, and before and after the first impacts
  std::vector<std::vector<report::Keyframe>> paths;  ///< of each body: at frames, and where it was struck
  std::vector<WorldBodyAt> final;
  WorldEnergy energy;
  std::optional<double> momentum_residual;
  Flags impact_flags;
  FlagSet<WorldFlag> flags;
};

struct WorldResult {
  WorldArrangement arrangement;
  WorldTrack own;
  std::vector<WorldTrack> beside;
  std::size_t frames_per_sample = 1;
  bool interrupted = false;  ///< own or what is beside
};

struct RunRequest;
WorldResult run_world_scenario(const WorldScenario& scenario, const RunRequest& request);

/// "micro_bounces, energy_gain"
std::string flag_list(const WorldTrack& track);

std::vector<report::Plot> world_pictures(const WorldResult& result);
report::Scene world_scene(const WorldResult& result);

/// How far a body reaches from its centre of mass [m]: of a ball the radius.
double reach_of(const WorldBody& body);
bool is_ball(const WorldBody& body);
/// What there is to see of a body and its parts, body axes.
std::vector<Outline> outlines_of(const WorldBody& body);

}  // namespace carom::scenario
