#include "scene.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "carom/contact/point_contact.hpp"
#include "carom/core/error.hpp"
#include "carom/core/linear_algebra.hpp"

#include "approach.hpp"
#include "neighbours.hpp"

namespace carom::world {

namespace {

std::string at(const char* list, std::size_t index, const std::string& member = "") {
  return std::string(list) + "[" + std::to_string(index) + "]" + member;
}

/// Says an error of a part as one of the whole.
template <class Check>
void within(const std::string& field, const Check& check) {
  try {
    check();
  } catch (const InvalidInput& error) {
    throw InvalidInput(error.field().empty() ? field : field + "." + error.field(), error.message());
  }
}

Vector3d unit(const std::string& field, const Vector3d& v) {
  const double length = v.norm();
  if (!(std::abs(length - 1.0) <= unit_tolerance)) throw InvalidInput(field, "must be a unit vector");
  return v / length;
}

/// Squares of squares of larger numbers overflow, of smaller ones vanish.
constexpr double largest = 1e75, least = 1e-75;

void require_reach(const std::string& field, const Vector3d& v) {
  if (!v.allFinite()) throw InvalidInput(field, "must be finite");
  if (const double most = v.cwiseAbs().maxCoeff(); most > largest)
    throw InvalidInput(field, "must be at most " + number_text(largest) + ", got " + number_text(most));
}

void require_size(const std::string& field, double value) {
  require_positive(field, value);
  require_between(field, value, least, largest);
}

/// Sizes that a shape can have.
void require_sizes(const WorldBody& body, const std::string& field) {
  const double* radius = nullptr;
  if (const auto* ball = std::get_if<Sphere>(&body.shape)) radius = &ball->radius;
  if (const auto* shell = std::get_if<SphericalShell>(&body.shape)) radius = &shell->radius;
  if (body.parts.empty() && radius != nullptr) return require_size(field + ".shape.radius", *radius);
  if (body.parts.empty()) within(field + ".shape", [&] { require_valid(body.shape); });
  for (std::size_t k = 0; k < body.parts.size(); ++k)
    within(field + at(".parts", k, ".shape"), [&] { require_valid(body.parts[k].shape); });
}

/// The largest principal moment of a solid is less than the sum of the others.
void require_moments(const std::string& field, const Eigen::Matrix3d& inertia) {
  const Eigen::VectorXd moments = symmetric_eigenvalues(0.5 * (inertia + inertia.transpose()));
  if (moments[2] > (moments[0] + moments[1]) * (1.0 + inertia_tolerance))
    throw InvalidInput(field, "no solid has principal moments " + number_text(moments[0]) + ", " +
                                  number_text(moments[1]) + ", " + number_text(moments[2]) +
                                  ": the largest must not exceed the sum of the others");
}

/// How far from its swing a pendulum may be given, as a share of its length or speed.
constexpr double off_swing = 1e-6;

}  // namespace

std::string described(const Partner& partner) {
  const char* kind = partner.kind == PartnerKind::body    ? "body "
                     : partner.kind == PartnerKind::plane ? "plane "
                     : partner.kind == PartnerKind::tube  ? "tube "
                                                          : "cushion ";
  return kind + std::to_string(partner.index);
}

Scene::Scene(WorldProblem given) : problem(std::move(given)) {
  check_numbers();
  check_bodies();
  check_walls();
  check_materials();
  check_supports();
  check_forces();
  check_pairs();
  check_overlaps();
}

void Scene::check_numbers() const {
  require_reach("gravity", problem.gravity);
  require_positive("end_time", problem.end_time);
  require_at_least("zeno_speed", problem.zeno_speed, 0.0);
  require_positive("touch_tolerance", problem.touch_tolerance);
  require_between("touch_tolerance", problem.touch_tolerance, 0.0, 0.5);
  if (problem.micro_speed) require_positive("micro_speed", *problem.micro_speed);
  if (problem.air) {
    within("air", [&] { require_valid(*problem.air); });
    if (problem.regularized) throw InvalidInput("air", "does not go together with forces over time (regularized)");
  }
  if (problem.regularized && !problem.cushions.empty())
    throw InvalidInput("cushions", "do not go together with forces over time (regularized)");
  if (problem.regularized && !problem.pockets.empty())
    throw InvalidInput("pockets", "do not go together with forces over time (regularized)");
  if (problem.max_events == 0) throw InvalidInput("max_events", "must be at least 1");
  if (!problem.groups.examine) return;
  if (problem.groups.model != GroupModel::rodriguez)
    throw InvalidInput("groups.examine", "goes with the model rodriguez only");
  const Partner& who = *problem.groups.examine;
  const std::size_t count = who.kind == PartnerKind::body    ? problem.bodies.size()
                            : who.kind == PartnerKind::plane ? problem.planes.size()
                            : who.kind == PartnerKind::tube  ? problem.tubes.size()
                                                             : problem.cushions.size();
  if (who.index >= count) throw InvalidInput("groups.examine", "there is no " + described(who));
}

void Scene::check_bodies() {
  if (problem.bodies.empty()) throw InvalidInput("bodies", "must not be empty");
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    WorldBody& each = problem.bodies[i];
    const std::string field = at("bodies", i);
    require_sizes(each, field);
    within(field, [&] { solids.push_back(solid_of(each)); });
    radius.push_back(solids.back()->radius);
    within(field, [&] { require_valid(each.body); });
    require_reach(field + ".position", each.body.position);
    require_reach(field + ".velocity", each.body.velocity);
    require_reach(field + ".angular_velocity", each.body.angular_velocity);
    each.body.orientation.normalize();
    if (each.body.immovable) {
      if (!each.body.velocity.isZero(0.0) || !each.body.angular_velocity.isZero(0.0))
        throw InvalidInput(field + ".velocity", "an immovable body is at rest");
      continue;
    }
    require_size(field + ".mass", each.body.mass);
    if (!is_ball(i)) {
      require_moments(field + ".inertia", each.body.inertia);
      each.body.inertia = 0.5 * (each.body.inertia + each.body.inertia.transpose()).eval();
      continue;
    }
    const double inertia = each.body.inertia.trace() / 3.0;
    const Eigen::Matrix3d even = inertia * Eigen::Matrix3d::Identity();
    if ((each.body.inertia - even).cwiseAbs().maxCoeff() > inertia_tolerance * inertia)
      throw InvalidInput(field + ".inertia", "of a ball must be the same about every axis");
    each.body.inertia = even;
  }
  arms.resize(problem.bodies.size());
  held.assign(problem.bodies.size(), none);
  std::vector<std::size_t> order(problem.bodies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Vector3d &x = problem.bodies[a].body.position, &y = problem.bodies[b].body.position;
    return std::lexicographical_compare(x.data(), x.data() + 3, y.data(), y.data() + 3);
  });
  rank.resize(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) rank[order[k]] = k;
}

void Scene::check_walls() {
  for (std::size_t k = 0; k < problem.planes.size(); ++k) {
    const WorldPlane& plane = problem.planes[k];
    require_reach(at("planes", k, ".point"), plane.point);
    planes.push_back({PartnerKind::plane, plane.point, unit(at("planes", k, ".normal"), plane.normal), 0.0});
  }
  for (std::size_t k = 0; k < problem.tubes.size(); ++k) {
    const WorldTube& tube = problem.tubes[k];
    require_reach(at("tubes", k, ".point"), tube.point);
    require_size(at("tubes", k, ".radius"), tube.radius);
    tubes.push_back({PartnerKind::tube, tube.point, unit(at("tubes", k, ".axis"), tube.axis), tube.radius});
  }
  for (std::size_t k = 0; k < problem.cushions.size(); ++k) {
    const WorldCushion& cushion = problem.cushions[k];
    require_reach(at("cushions", k, ".from"), cushion.from);
    require_reach(at("cushions", k, ".to"), cushion.to);
    require_at_least(at("cushions", k, ".rounding"), cushion.rounding, 0.0);
    Wall wall{PartnerKind::cushion, cushion.from, Vector3d::Zero(), cushion.rounding};
    wall.across = unit(at("cushions", k, ".normal"), cushion.normal);
    const Vector3d along = cushion.to - cushion.from;
    wall.length = along.norm();
    if (std::abs(along.dot(wall.across)) > unit_tolerance * wall.length)
      throw InvalidInput(at("cushions", k, ".to"), "must be as high as `from`: the line is not across the normal");
    if (wall.length > 0.0) wall.axis = (along - along.dot(wall.across) * wall.across).normalized();
    cushions.push_back(wall);
  }
  cloths.resize(planes.size());
  check_balls_only();
  check_pockets();
}

/// What is exact for balls is not known for other shapes.
void Scene::check_balls_only() const {
  const char* where = !tubes.empty()             ? "nothing else moves where there are tubes"
                      : !cushions.empty()        ? "nothing else moves where there are cushions"
                      : !problem.pockets.empty() ? "nothing else moves where there are pockets"
                      : problem.air.has_value()  ? "the air acts on nothing else"
                                                 : nullptr;
  for (std::size_t i = 0; i < problem.bodies.size() && where != nullptr; ++i)
    if (movable(i) && !is_ball(i))
      throw InvalidInput(at("bodies", i, ".shape.type"), std::string("must be a ball: ") + where);
}

void Scene::check_pockets() {
  pockets_of.resize(planes.size());
  for (std::size_t k = 0; k < problem.pockets.size(); ++k) {
    const WorldPocket& pocket = problem.pockets[k];
    if (pocket.plane >= planes.size()) throw InvalidInput(at("pockets", k, ".plane"), "there is no such plane");
    require_reach(at("pockets", k, ".centre"), pocket.centre);
    require_size(at("pockets", k, ".radius"), pocket.radius);
    pockets_of[pocket.plane].push_back(k);
  }
  for (std::size_t i = 0; i < problem.bodies.size(); ++i)
    for (std::size_t plane = 0; plane < planes.size() && movable(i); ++plane) {
      const Vector3d& x = problem.bodies[i].body.position;
      const bool lies = gap_between(x, radius[i], planes[plane]).gap <= problem.touch_tolerance * radius[i];
      if (const auto pocket = pocket_at(plane, x); lies && pocket)
        throw InvalidInput(at("bodies", i, ".position"),
                           "body " + std::to_string(i) + " lies over pocket " + std::to_string(*pocket));
    }
}

std::optional<std::size_t> Scene::pocket_at(std::size_t plane, const Vector3d& place) const {
  for (const std::size_t k : pockets_of[plane]) {
    const Vector3d out = place - problem.pockets[k].centre;
    if ((out - planes[plane].axis.dot(out) * planes[plane].axis).norm() < problem.pockets[k].radius) return k;
  }
  return std::nullopt;
}

void Scene::check_materials() {
  for (std::size_t k = 0; k < problem.materials.size(); ++k) {
    const WorldMaterial& material = problem.materials[k];
    const std::string field = at("materials", k);
    within(field, [&] { require_valid("restitution", material.restitution); });
    require_at_least(field + ".friction", material.friction, 0.0);
    if (material.static_friction && !(*material.static_friction >= material.friction))
      throw InvalidInput(field + ".static_friction", "must be >= the friction (" + number_text(material.friction) +
                                                         "), got " + number_text(*material.static_friction));
    if (material.static_friction) carom::require_finite(field + ".static_friction", *material.static_friction);
    if (material.springs) require_positive(field + ".stiffness_ratio_root", material.springs->stiffness_ratio_root);
    require_positive(field + ".stiffness", material.stiffness);
    if (material.exponent != 1.0 && material.exponent != 1.5)
      throw InvalidInput(field + ".exponent", "must be 1 or 1.5, got " + number_text(material.exponent));
    const auto labels = std::minmax(material.first, material.second);
    if (!by_labels_.try_emplace({labels.first, labels.second}, k).second)
      throw InvalidInput(field + ".between", "these two surfaces have a material already");
  }
  std::map<std::string, std::size_t> numbers;
  const auto number = [&](const std::string& label) {
    return numbers.try_emplace(label, numbers.size()).first->second;
  };
  for (const WorldBody& body : problem.bodies) label_of_.push_back(number(body.material));
  for (const WorldPlane& plane : problem.planes) label_of_.push_back(number(plane.material));
  for (const WorldTube& tube : problem.tubes) label_of_.push_back(number(tube.material));
  for (const WorldCushion& cushion : problem.cushions) label_of_.push_back(number(cushion.material));
  between_.assign(numbers.size(), std::vector<std::size_t>(numbers.size(), none));
  for (const auto& a : numbers)
    for (const auto& b : numbers) between_[a.second][b.second] = find_material(a.first, b.first);
}

std::size_t Scene::find_material(const std::string& a, const std::string& b) const {
  const auto labels = std::minmax(a, b);
  const auto found = by_labels_.find({labels.first, labels.second});
  return found == by_labels_.end() ? none : found->second;
}

void Scene::check_supports() {
  for (std::size_t k = 0; k < problem.supports.size(); ++k) {
    const std::string field = at("supports", k);
    if (const auto* cloth = std::get_if<WorldCloth>(&problem.supports[k]))
      hold(*cloth, field);
    else
      hang(std::get<WorldPendulum>(problem.supports[k]), field);
  }
}

void Scene::hold(const WorldCloth& cloth, const std::string& field) {
  if (cloth.plane >= planes.size()) throw InvalidInput(field + ".plane", "there is no such plane");
  if (cloths[cloth.plane]) throw InvalidInput(field + ".plane", "has a cloth already");
  if (!(pressing(cloth.plane) > 0.0)) throw InvalidInput(field + ".plane", "gravity must press on it");
  require_at_least(field + ".sliding", cloth.friction.sliding, 0.0);
  require_at_least(field + ".rolling", cloth.friction.rolling, 0.0);
  require_at_least(field + ".spinning", cloth.friction.spinning, 0.0);
  cloths[cloth.plane] = cloth.friction;
  for (std::size_t j = 0; j < cloth.bodies.size(); ++j) {
    const std::string member = field + ".bodies[" + std::to_string(j) + "]";
    const std::size_t i = cloth.bodies[j];
    if (i >= problem.bodies.size()) throw InvalidInput(member, "there is no such body");
    if (!movable(i)) throw InvalidInput(member, "must be movable");
    if (!is_ball(i)) throw InvalidInput(member, "must be a ball");
    if (held[i] != none || arms[i]) throw InvalidInput(member, "has a support already");
    const double gap = gap_between(problem.bodies[i].body.position, radius[i], planes[cloth.plane]).gap;
    if (!(std::abs(gap) <= problem.touch_tolerance * radius[i]))
      throw InvalidInput(member, "body " + std::to_string(i) + " does not lie on plane " + std::to_string(cloth.plane) +
                                     ": the gap is " + number_text(gap) + " m");
    if (cloth.hold) held[i] = cloth.plane;
  }
}

void Scene::hang(const WorldPendulum& pendulum, const std::string& field) {
  const std::size_t i = pendulum.body;
  if (i >= problem.bodies.size()) throw InvalidInput(field + ".body", "there is no such body");
  if (!movable(i)) throw InvalidInput(field + ".body", "must be movable");
  if (!is_ball(i)) throw InvalidInput(field + ".body", "must be a ball");
  if (held[i] != none || arms[i]) throw InvalidInput(field + ".body", "has a support already");
  require_reach(field + ".anchor", pendulum.anchor);
  const Vector3d axis = unit(field + ".axis", pendulum.axis);
  const Body& ball = problem.bodies[i].body;
  const Vector3d out = ball.position - pendulum.anchor;
  if (!(std::abs(out.dot(axis)) <= off_swing * out.norm()) || out.isZero(0.0))
    throw InvalidInput(field + ".anchor", "must lie in the plane of the swing: the arm to body " + std::to_string(i) +
                                              " is not at right angles to the axis");
  Arm arm;
  arm.anchor = pendulum.anchor;
  arm.motion = pendulum.motion;
  const Vector3d pull = problem.gravity - problem.gravity.dot(axis) * axis;
  arm.gravity = pull.norm();
  arm.down = arm.gravity > 0.0 ? Vector3d(pull / arm.gravity) : out.normalized();
  arm.across = axis.cross(arm.down);
  arm.length = arm.motion == PendulumMotion::small_angle ? out.dot(arm.down) : out.norm();
  if (!(arm.length > 0.0)) throw InvalidInput(field + ".anchor", "must be above the ball for small angles");
  const Vector3d tangent = arm.tangent(arm.angle(ball.position));
  if ((ball.velocity - ball.velocity.dot(tangent) * tangent).norm() > off_swing * ball.velocity.norm())
    throw InvalidInput(at("bodies", i, ".velocity"), "must be along the swing");
  if (!ball.angular_velocity.isZero(0.0))
    throw InvalidInput(at("bodies", i, ".angular_velocity"), "must be zero: the ball of a pendulum does not turn");
  arms[i] = arm;
  has_pendulums = true;
}

void Scene::check_forces() const {
  if (!problem.regularized) return;
  const WorldRegularized& regularized = *problem.regularized;
  require_positive("regularized.tick", regularized.tick);
  if (regularized.v_min) require_positive("regularized.v_min", *regularized.v_min);
  if (problem.micro_speed) throw InvalidInput("micro_speed", "does not go together with forces over time");
  if (!problem.supports.empty()) throw InvalidInput("supports", "do not go together with forces over time");
}

void Scene::check_forces_of(std::size_t k) const {
  const WorldMaterial& material = problem.materials[k];
  const std::string field = at("materials", k);
  if (!material.forces) throw InvalidInput(field + ".forces", "is required for forces over time");
  within(field, [&] { require_compliant("restitution", material.restitution); });
  within(field + ".forces", [&] {
    require_valid(
        ContactSurface{material.forces->stiffness, material.forces->exponent, 1.0, material.forces->friction});
  });
  const bool elastic = is_constant(material.restitution) && restitution_at(material.restitution, 0.0) == 1.0;
  if (!elastic && !problem.regularized->v_min && problem.gravity.isZero(0.0))
    throw InvalidInput("regularized.v_min", "is required where there is no gravity");
}

void Scene::check_pairs() const {
  const auto check = [&](std::size_t i, const Partner& partner) {
    const std::size_t k = between_[label_of_[i]][label_of_[place_of_label(partner)]];
    if (k == none)
      throw InvalidInput("materials", "none is between \"" + label({PartnerKind::body, i}) + "\" and \"" +
                                          label(partner) + "\": " + described({PartnerKind::body, i}) + " and " +
                                          described(partner) + " can meet");
    if (problem.regularized) check_forces_of(k);
    const bool swings = arms[i] || (partner.kind == PartnerKind::body && arms[partner.index]);
    if (swings && problem.materials[k].friction > 0.0)
      throw InvalidInput(at("materials", k, ".friction"), "must be 0: " + described({PartnerKind::body, i}) + " and " +
                                                              described(partner) +
                                                              " can meet, and the ball of a pendulum does not turn");
  };
  // Bodies with the same label, support and mobility need not be looked at again.
  std::vector<std::array<std::size_t, 4>> seen;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const std::array<std::size_t, 4> like = {label_of_[i], movable(i), arms[i].has_value(), held[i]};
    if (std::count(seen.begin(), seen.end(), like) >= 2) continue;
    seen.push_back(like);
    for (std::size_t j = 0; j < problem.bodies.size(); ++j)
      if (j != i && (movable(i) || movable(j))) check(std::min(i, j), {PartnerKind::body, std::max(i, j)});
    if (!movable(i)) continue;
    for (std::size_t k = 0; k < planes.size(); ++k)
      if (held[i] != k) check(i, {PartnerKind::plane, k});
    for (std::size_t k = 0; k < tubes.size(); ++k) check(i, {PartnerKind::tube, k});
    for (std::size_t k = 0; k < cushions.size(); ++k) check(i, {PartnerKind::cushion, k});
  }
}

void Scene::check_overlaps() const {
  const auto refuse = [&](std::size_t i, const Partner& partner, double gap) {
    if (gap >= -problem.touch_tolerance * size(i, partner)) return;
    throw InvalidInput(at("bodies", partner.kind == PartnerKind::body ? std::max(i, partner.index) : i, ".position"),
                       described({PartnerKind::body, i}) + " and " + described(partner) + " overlap by " +
                           fmt::format("{:.3g} m", -gap));
  };
  std::vector<Neighbours::Ball> balls;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i)
    balls.push_back({problem.bodies[i].body.position, radius[i], movable(i)});
  const Neighbours neighbours(balls);
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    if (!movable(i)) continue;
    const Body& own = problem.bodies[i].body;
    const Vector3d& x = own.position;
    std::size_t first = none;
    neighbours.each(i, [&](std::size_t j) {
      const Partner partner{PartnerKind::body, j};
      const double limit = -problem.touch_tolerance * size(i, partner);
      // Balls around them that are apart say so for less.
      if (gap_between(x, radius[i], problem.bodies[j].body.position, radius[j]).gap >= limit) return;
      if (distance(i, own, partner, problem.bodies[j].body) < limit) first = std::min(first, j);
    });
    if (first != none)
      refuse(std::min(i, first), {PartnerKind::body, std::max(i, first)},
             distance(i, own, {PartnerKind::body, first}, problem.bodies[first].body));
    for (std::size_t k = 0; k < planes.size(); ++k)
      refuse(i, {PartnerKind::plane, k}, distance(i, own, {PartnerKind::plane, k}, own));
    for (std::size_t k = 0; k < tubes.size(); ++k)
      refuse(i, {PartnerKind::tube, k}, gap_between(x, radius[i], tubes[k]).gap);
    for (std::size_t k = 0; k < cushions.size(); ++k)
      refuse(i, {PartnerKind::cushion, k}, gap_between(x, radius[i], cushions[k]).gap);
  }
}

std::size_t Scene::place_of_label(const Partner& partner) const {
  switch (partner.kind) {
    case PartnerKind::body:
      break;
    case PartnerKind::plane:
      return problem.bodies.size() + partner.index;
    case PartnerKind::tube:
      return problem.bodies.size() + planes.size() + partner.index;
    case PartnerKind::cushion:
      return problem.bodies.size() + planes.size() + tubes.size() + partner.index;
  }
  return partner.index;
}

const std::string& Scene::label(const Partner& partner) const {
  switch (partner.kind) {
    case PartnerKind::plane:
      return problem.planes[partner.index].material;
    case PartnerKind::tube:
      return problem.tubes[partner.index].material;
    case PartnerKind::cushion:
      return problem.cushions[partner.index].material;
    case PartnerKind::body:
      break;
  }
  return problem.bodies[partner.index].material;
}

const WorldMaterial& Scene::material(std::size_t body, const Partner& partner) const {
  return problem.materials[between_[label_of_[body]][label_of_[place_of_label(partner)]]];
}

PlaneFriction Scene::friction_on(std::size_t body, std::size_t plane) const {
  if (cloths[plane]) return *cloths[plane];
  return {material(body, {PartnerKind::plane, plane}).friction, 0.0, 0.0};
}

double Scene::size(std::size_t body, const Partner& partner) const {
  if (partner.kind != PartnerKind::body || !movable(partner.index)) return radius[body];
  return movable(body) ? std::min(radius[body], radius[partner.index]) : radius[partner.index];
}

Course Scene::of(std::size_t body, Course course) const {
  course.solid = solids[body].get();
  return course;
}

Course Scene::free_course(std::size_t body, double start, const Body& now) const {
  if (!is_ball(body)) return of(body, tumbling_course(start, now, radius[body], problem.gravity));
  if (arms[body]) return of(body, swing_course(start, now, radius[body], *arms[body]));
  return of(body, problem.air ? air_course(start, now, radius[body], *problem.air, problem.gravity)
                              : flight_course(start, now, radius[body], problem.gravity));
}

Course Scene::course_on(std::size_t body, std::size_t plane, double start, const Body& now) const {
  return of(body, plane_course(start, now, radius[body], plane, planes[plane].axis, friction_on(body, plane),
                               problem.gravity));
}

Course Scene::fixed_course(std::size_t body) const {
  return of(body, immovable_course(problem.bodies[body].body, radius[body]));
}

Course Scene::pressed_course(std::size_t body, double start, const Body& now) const {
  return of(body, world::pressed_course(start, now, radius[body]));
}

Course Scene::settling_course(std::size_t body, double start, const Body& now, std::size_t plane,
                              const Settling& settling) const {
  return of(body, world::settling_course(start, now, radius[body], plane, settling));
}

double Scene::distance(std::size_t body, const Body& now, const Partner& partner, const Body& other,
                       double enough) const {
  if (partner.kind != PartnerKind::body)
    return is_ball(body) ? gap_between(now.position, radius[body], wall(partner)).gap
                         : distance_between(*solids[body], pose_of(now), wall(partner));
  if (round(body, partner)) return gap_between(now.position, radius[body], other.position, radius[partner.index]).gap;
  return distance_between(*solids[body], pose_of(now), *solids[partner.index], pose_of(other), enough);
}

double Scene::potential(std::size_t body, const Body& now) const {
  if (arms[body]) return arms[body]->potential(now.mass, arms[body]->angle(now.position), problem.gravity);
  return -now.mass * problem.gravity.dot(now.position);
}

}  // namespace carom::world
