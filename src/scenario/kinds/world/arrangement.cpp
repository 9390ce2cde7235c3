#include <algorithm>
#include <cmath>
#include <random>

#include "carom/core/error.hpp"
#include "carom/motion/time_of_impact.hpp"

#include "world.hpp"

namespace carom::scenario {

namespace {

/// How much a ball may be away from a plane and still be listed as lying on it, over its radius.
constexpr double on_plane = 1e-6;

/// Tries to place one random ball before the box is called full.
constexpr int most_tries = 2000;

class Arranger {
public:
  explicit Arranger(WorldArrangement& into) : into_(into) {}

  void add_body(const std::string& name, const WorldBody& body, const char* source) {
    into_.problem.bodies.push_back(body);
    into_.names.push_back(name);
    into_.body_source.emplace_back(source);
  }
  Body& add_ball(const std::string& name, double mass, double radius, const Eigen::Vector3d& position,
                 const std::string& material, const char* source) {
    WorldBody made{Sphere{radius}, body_of(Sphere{radius}, mass), material};
    made.body.position = position;
    add_body(name, made, source);
    return into_.problem.bodies.back().body;
  }
  void add_plane(const std::string& name, const WorldPlane& plane, const char* source) {
    into_.problem.planes.push_back(plane);
    into_.plane_names.push_back(name);
    into_.plane_source.emplace_back(source);
  }
  void add_support(const WorldSupport& support, const char* source) {
    into_.problem.supports.push_back(support);
    into_.support_source.emplace_back(source);
  }
  std::size_t bodies() const { return into_.problem.bodies.size(); }
  std::size_t planes() const { return into_.problem.planes.size(); }
  /// "ball 3": numbered on from the balls there are.
  std::string next_ball() { return "ball " + std::to_string(++numbered_); }

  void add(const BreakShot& shot);
  void add(const SwingingCradle& cradle);
  void add(const BallChain& chain);
  void add(const BallGrid& grid);
  void add(const RandomBalls& random);
  void add(const TableInFile& table);

private:
  WorldArrangement& into_;
  int numbered_ = 0;
};

PlaneFriction friction_of(const ClothFriction& cloth) {
  return {cloth.sliding,
          cloth.rolling ? *cloth.rolling : rolling_friction_of_torque(cloth.rolling_torque.value_or(0.0)),
          cloth.spinning};
}

void Arranger::add(const BreakShot& shot) {
  const char* source = "rack";
  WorldCloth cloth{planes(), {}, friction_of(shot.cloth), shot.hold};
  const Eigen::Vector3d up = shot.radius * Eigen::Vector3d::UnitZ();
  cloth.bodies.push_back(bodies());
  Body& cue = add_ball("cue", shot.mass, shot.radius, up - (2.0 * shot.radius + shot.run_up) * Eigen::Vector3d::UnitX(),
                       shot.material, source);
  cue.velocity.x() = shot.speed;
  cue.angular_velocity.y() = shot.spin;
  for (const Eigen::Vector3d& place : rack_places(shot.layout, shot.radius)) {
    cloth.bodies.push_back(bodies());
    add_ball(next_ball(), shot.mass, shot.radius, place + up, shot.material, source);
  }
  add_plane("table", {Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitZ(), shot.material}, source);
  add_support(cloth, source);
}

void Arranger::add(const SwingingCradle& c) {
  const char* source = "cradle";
  for (int i = 0; i < c.count; ++i) {
    const Eigen::Vector3d anchor(2.0 * c.radius * i, 0.0, 0.0);
    const double angle = i < c.raised ? c.angle : 0.0;
    // Taken for harmonic, the ball moves sideways only.
    const Eigen::Vector3d arm = c.motion == PendulumMotion::exact
                                    ? Eigen::Vector3d(-std::sin(angle), 0.0, -std::cos(angle))
                                    : Eigen::Vector3d(-angle, 0.0, -1.0);
    add_support(WorldPendulum{bodies(), anchor, Eigen::Vector3d::UnitY(), c.motion}, source);
    add_ball(next_ball(), c.mass, c.radius, anchor + c.length * arm, c.material, source);
  }
}

void Arranger::add(const BallChain& c) {
  for (int i = 0; i < c.count; ++i) {
    Body& ball = add_ball(next_ball(), c.mass, c.radius,
                          c.from + (2.0 * c.radius + c.gap) * i * Eigen::Vector3d::UnitX(), c.material, "chain");
    if (i > 0) continue;
    ball.velocity.x() = c.speed;
    ball.angular_velocity.y() = c.spin;
  }
}

void Arranger::add(const BallGrid& g) {
  const double spacing = g.spacing.value_or(2.0 * g.radius);
  for (int k = 0; k < g.count[2]; ++k)
    for (int j = 0; j < g.count[1]; ++j)
      for (int i = 0; i < g.count[0]; ++i)
        add_ball(next_ball(), g.mass, g.radius, g.from + spacing * Eigen::Vector3d(i, j, k), g.material, "grid")
            .velocity = g.velocity;
}

/// Uniform in [0, 1), the same bits everywhere: what <random> leaves to the library is not used.
double uniform(std::mt19937_64& rng) { return static_cast<double>(rng() >> 11) * 0x1p-53; }
double uniform(std::mt19937_64& rng, double low, double high) { return low + (high - low) * uniform(rng); }

/// Any direction, length up to `longest`.
Eigen::Vector3d random_vector(std::mt19937_64& rng, double longest) {
  const double z = uniform(rng, -1.0, 1.0), turn = uniform(rng, 0.0, 2.0 * M_PI), length = longest * uniform(rng);
  const double across = std::sqrt(1.0 - z * z);
  return length * Eigen::Vector3d(across * std::cos(turn), across * std::sin(turn), z);
}

void Arranger::add(const RandomBalls& r) {
  std::mt19937_64 rng(static_cast<std::uint64_t>(r.seed));
  std::vector<std::pair<Eigen::Vector3d, double>> placed;
  for (int i = 0; i < r.count; ++i) {
    const double share = 1.0 + r.radius_spread * uniform(rng, -1.0, 1.0), radius = r.radius * share;
    Eigen::Vector3d at;
    int tries = 0;
    const auto free = [&] {
      return std::all_of(placed.begin(), placed.end(), [&](const auto& other) {
        return (other.first - at).squaredNorm() > (other.second + radius) * (other.second + radius);
      });
    };
    do {
      if (tries++ == most_tries)
        throw InvalidInput("random.count", "there is no room for ball " + std::to_string(i + 1) + " of " +
                                               std::to_string(r.count) + " between `low` and `high`");
      for (int axis = 0; axis < 3; ++axis) at[axis] = uniform(rng, r.low[axis] + radius, r.high[axis] - radius);
    } while (!free());
    placed.emplace_back(at, radius);
    Body& ball = add_ball(next_ball(), r.mass * share * share * share, radius, at, r.material, "random");
    ball.velocity = random_vector(rng, r.speed);
    ball.angular_velocity = random_vector(rng, r.spin);
  }
}

void Arranger::add(const TableInFile& given) {
  const char* source = "table";
  const BilliardTable table = table_of(given);
  TableParts parts;
  try {
    parts = table_parts(table, planes());
  } catch (const InvalidInput& error) {
    throw InvalidInput("table." + error.field(), error.message());
  }
  add_plane("cloth", parts.cloth, source);
  WorldProblem& problem = into_.problem;
  problem.cushions.insert(problem.cushions.end(), parts.cushions.begin(), parts.cushions.end());
  problem.pockets.insert(problem.pockets.end(), parts.pockets.begin(), parts.pockets.end());
  into_.cushion_names.insert(into_.cushion_names.end(), parts.cushion_names.begin(), parts.cushion_names.end());
  into_.pocket_names.insert(into_.pocket_names.end(), parts.pocket_names.begin(), parts.pocket_names.end());
  for (const SpottedBall& ball : balls_of(given))
    add_ball(ball.name, table.ball_mass, table.ball_radius, {ball.at.x(), ball.at.y(), table.ball_radius},
             given.material, source);
}

/// The place of a name in a list, or of a number from 0.
std::size_t called(const std::vector<std::string>& names, const std::string& name, const char* what,
                   const std::string& field) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name || std::to_string(i) == name) return i;
  throw InvalidInput(field, std::string("there is no ") + what + " \"" + name + "\"" + suggestion(name, names));
}

std::vector<std::size_t> touching(const WorldProblem& problem, std::size_t plane) {
  std::vector<std::size_t> found;
  const WorldPlane& on = problem.planes[plane];
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    if (problem.bodies[i].body.immovable) continue;
    const double radius = reach_of(problem.bodies[i]);
    const double gap = on.normal.dot(problem.bodies[i].body.position - on.point) - radius;
    if (std::abs(gap) <= on_plane * radius) found.push_back(i);
  }
  return found;
}

WorldSupport support_of(const ListedSupport& listed, const WorldArrangement& in, const std::string& field) {
  if (const auto* pendulum = std::get_if<ListedPendulum>(&listed))
    return WorldPendulum{called(in.names, pendulum->body, "body", field + ".body"), pendulum->anchor, pendulum->axis,
                         pendulum->motion};
  const auto& cloth = std::get<ListedCloth>(listed);
  WorldCloth made{
      called(in.plane_names, cloth.plane, "plane", field + ".plane"), {}, friction_of(cloth.friction), cloth.hold};
  if (!cloth.bodies) {
    made.bodies = touching(in.problem, made.plane);
    return made;
  }
  for (std::size_t j = 0; j < cloth.bodies->size(); ++j)
    made.bodies.push_back(called(in.names, (*cloth.bodies)[j], "body", field + ".bodies[" + std::to_string(j) + "]"));
  return made;
}

Partner partner_called(const std::string& name, const WorldArrangement& in) {
  const auto find = [&](const std::vector<std::string>& names) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  if (const std::size_t k = find(in.plane_names); k < in.plane_names.size()) return {PartnerKind::plane, k};
  if (const std::size_t k = find(in.tube_names); k < in.tube_names.size()) return {PartnerKind::tube, k};
  if (const std::size_t k = find(in.cushion_names); k < in.cushion_names.size()) return {PartnerKind::cushion, k};
  return {PartnerKind::body, called(in.names, name, "body, plane or tube", "groups.examine")};
}

/// Every ball that lies on the table, made or listed, is held by its cloth.
void add_cloth(const TableInFile& table, std::size_t plane, WorldArrangement& in) {
  in.problem.supports.push_back(WorldCloth{plane, touching(in.problem, plane), friction_of(table.cloth), table.hold});
  in.support_source.emplace_back("table");
}

std::string named(const std::string& name, const char* what, std::size_t i) {
  return name.empty() ? std::string(what) + " " + std::to_string(i) : name;
}

void require_different(const WorldArrangement& in) {
  for (std::size_t i = 0; i < in.names.size(); ++i)
    for (std::size_t j = 0; j < i && in.body_source[i].empty(); ++j)
      if (in.names[i] == in.names[j])
        throw InvalidInput("bodies[" + std::to_string(i) + "].name",
                           "\"" + in.names[i] + "\" is also the name of bodies[" + std::to_string(j) + "]");
}

}  // namespace

std::vector<Outline> outlines_of(const WorldBody& body) {
  if (body.parts.empty())
    return {outline(body.shape, body.centre.value_or(mass_properties(body.shape, 1.0).center))};
  std::vector<Outline> all;
  for (const WorldPart& part : body.parts) {
    all.push_back(outline(part.shape, mass_properties(part.shape, 1.0).center));
    for (Eigen::Vector3d& point : all.back().points) point = part.position + part.orientation * point;
  }
  return all;
}

double reach_of(const WorldBody& body) {
  double reach = 0.0;
  for (const Outline& each : outlines_of(body))
    for (const Eigen::Vector3d& point : each.points) reach = std::max(reach, point.norm() + each.radius);
  return reach;
}

bool is_ball(const WorldBody& body) { return body.parts.empty() && is_ball(outline(body.shape)); }

WorldArrangement arrangement_of(const WorldScenario& s) {
  WorldArrangement arrangement;
  WorldProblem& problem = arrangement.problem;
  problem.gravity = s.gravity;
  problem.materials = s.materials;
  problem.air = s.air;
  problem.end_time = s.end_time;
  problem.stop = s.stop;
  problem.zeno_speed = s.zeno_speed;
  problem.touch_tolerance = s.touch_tolerance;
  problem.micro_speed = s.micro_speed;
  if (s.contact == ContactTreatment::regularized)
    problem.regularized = WorldRegularized{.impacts = s.impacts == ContactTreatment::regularized, .v_min = s.v_min};
  problem.max_events = static_cast<std::size_t>(s.max_events);
  Arranger arranger(arrangement);
  for (const ListedBody& body : s.bodies) arranger.add_body(named(body.name, "body", arranger.bodies()), body, "");
  for (const ListedPlane& plane : s.planes)
    arranger.add_plane(named(plane.name, "plane", arranger.planes()), plane, "");
  for (const ListedTube& tube : s.tubes) {
    problem.tubes.push_back(tube);
    arrangement.tube_names.push_back(named(tube.name, "tube", arrangement.tube_names.size()));
  }
  for (const ListedCushion& cushion : s.cushions) {
    problem.cushions.push_back(cushion);
    arrangement.cushion_names.push_back(named(cushion.name, "cushion", arrangement.cushion_names.size()));
  }
  for (std::size_t k = 0; k < s.pockets.size(); ++k) {
    const ListedPocket& pocket = s.pockets[k];
    const std::string field = "pockets[" + std::to_string(k) + "].plane";
    problem.pockets.push_back(
        {called(arrangement.plane_names, pocket.plane, "plane", field), pocket.centre, pocket.radius});
    arrangement.pocket_names.push_back(named(pocket.name, "pocket", k));
  }
  require_different(arrangement);
  // Supports may name what is made, so that comes first; their places come after those listed.
  std::vector<WorldSupport> listed_supports;
  if (s.rack) arranger.add(*s.rack);
  if (s.cradle) arranger.add(*s.cradle);
  if (s.chain) arranger.add(*s.chain);
  if (s.grid) arranger.add(*s.grid);
  if (s.random) arranger.add(*s.random);
  const std::size_t cloth = arranger.planes();
  if (s.table) arranger.add(*s.table);
  for (std::size_t k = 0; k < s.supports.size(); ++k)
    listed_supports.push_back(support_of(s.supports[k], arrangement, "supports[" + std::to_string(k) + "]"));
  if (s.table) add_cloth(*s.table, cloth, arrangement);
  if (s.shot) {
    const std::size_t ball = called(arrangement.names, s.shot->ball, "body", "shot.ball");
    arrangement.strike = strike_of(*s.shot, ball, problem, arrangement.names);
    arrangement.struck_ball = ball;
    problem.bodies[ball].body = arrangement.strike->ball;
  }
  problem.supports.insert(problem.supports.begin(), listed_supports.begin(), listed_supports.end());
  arrangement.support_source.insert(arrangement.support_source.begin(), listed_supports.size(), "");
  problem.groups.model = s.groups.model;
  if (s.groups.examine) problem.groups.examine = partner_called(*s.groups.examine, arrangement);
  return arrangement;
}

}  // namespace carom::scenario
