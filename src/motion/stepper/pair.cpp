#include "pair.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "carom/core/error.hpp"

namespace carom::stepping {

namespace {

/// How far from unit length a direction may be.
constexpr double unit_tolerance = 1e-9;

/// A rim that lies flat has no lowest point: it is taken near a place fixed to the body. Where the rim is tilted by t,
/// the point is off by this over t of a turn.
constexpr double flat_share = 1e-9;

/// From the centre of a rim to its point nearest to a plane, or so many quarters of a turn further.
Vector3d rim_arm(const Tip& tip, const Motion& motion, const Vector3d& normal) {
  const Vector3d axis = (motion.orientation * tip.axis).normalized();
  const Vector3d fixed = (motion.orientation * tip.axis.unitOrthogonal()).normalized();
  const Vector3d lowest = (axis * axis.dot(normal) - normal + flat_share * fixed).normalized();
  const Vector3d out = tip.quarter % 2 == 0 ? lowest : Vector3d(axis.cross(lowest));
  return (tip.quarter < 2 ? tip.rim : -tip.rim) * out;
}

/// The centre of a tip from its body's centre of mass, world axes.
Vector3d offset(const Tip& tip, const Motion& motion) {
  return tip.centre.isZero(0.0) ? Vector3d(Vector3d::Zero()) : Vector3d(motion.orientation * tip.centre);
}

void against_plane(const FixedSurface& plane, const Vector3d& centre, double radius, PairGeometry& at) {
  at.normal = plane.direction;
  at.normal_rate.setZero();
  at.indentation = radius - plane.direction.dot(centre - plane.point);
}

void against_cylinder(const FixedSurface& cylinder, const Vector3d& centre, const Vector3d& velocity, double radius,
                      PairGeometry& at) {
  const Vector3d& axis = cylinder.direction;
  Vector3d out = centre - cylinder.point;
  out -= axis * axis.dot(out);
  const double distance = out.norm();
  at.indentation = distance + radius - cylinder.radius;
  if (!(distance > 0.0)) {  // on the axis every direction is the nearest; far from any wall
    at.normal = axis.unitOrthogonal();
    at.normal_rate.setZero();
    return;
  }
  at.normal = -out / distance;
  const Vector3d across = velocity - axis * axis.dot(velocity);
  at.normal_rate = -(across - at.normal * at.normal.dot(across)) / distance;
}

void add_inverse_mass(const Body& body, const Vector3d& arm, Eigen::Matrix3d& w) {
  if (body.immovable) return;
  Eigen::Matrix3d cross;
  cross << 0.0, -arm[2], arm[1], arm[2], 0.0, -arm[0], -arm[1], arm[0], 0.0;
  w += Eigen::Matrix3d::Identity() / body.mass;
  if (!arm.isZero(0.0)) w += cross * world_inertia(body).inverse() * cross.transpose();
}

std::string member(std::size_t i, const char* name) { return "pairs[" + std::to_string(i) + "]." + name; }

void require_tip(const std::string& field, const Tip& tip, const CompliantScene& scene) {
  if (tip.body >= scene.bodies.size())
    throw InvalidInput(field + ".body", "must be the number of a body, below " + std::to_string(scene.bodies.size()) +
                                            ", got " + std::to_string(tip.body));
  if (!tip.centre.allFinite()) throw InvalidInput(field + ".centre", "must be finite");
  require_at_least(field + ".radius", tip.radius, 0.0);
  require_at_least(field + ".rim", tip.rim, 0.0);
  if (tip.rim == 0.0) return;
  if (!(std::abs(tip.axis.norm() - 1.0) < unit_tolerance)) throw InvalidInput(field + ".axis", "must be a unit vector");
  if (tip.quarter < 0 || tip.quarter > 3)
    throw InvalidInput(field + ".quarter", "must be 0 to 3, got " + std::to_string(tip.quarter));
}

void require_surface(const std::string& field, const FixedSurface& surface, const Tip& tip) {
  if (!surface.point.allFinite()) throw InvalidInput(field + ".point", "must be finite");
  if (!(std::abs(surface.direction.norm() - 1.0) < unit_tolerance))
    throw InvalidInput(field + ".direction", "must be a unit vector");
  if (surface.shape == SurfaceShape::cylinder && !(surface.radius > tip.radius))
    throw InvalidInput(field + ".radius", "must be greater than that of the tip, " + number_text(tip.radius) +
                                              ", got " + number_text(surface.radius));
}

}  // namespace

PairGeometry geometry(const CompliantPair& pair, const std::vector<Motion>& motions) {
  PairGeometry at;
  const Motion& a = motions[pair.tip.body];
  Vector3d offset_a = offset(pair.tip, a);
  if (pair.tip.rim > 0.0) offset_a += rim_arm(pair.tip, a, std::get<FixedSurface>(pair.against).direction);
  const Vector3d centre = a.position + offset_a, centre_velocity = a.velocity + a.angular_velocity.cross(offset_a);
  at.spin = 0.0;
  at.arm_b.setZero();
  if (const auto* surface = std::get_if<FixedSurface>(&pair.against)) {
    if (surface->shape == SurfaceShape::plane)
      against_plane(*surface, centre, pair.tip.radius, at);
    else
      against_cylinder(*surface, centre, centre_velocity, pair.tip.radius, at);
    at.arm_a = offset_a - pair.tip.radius * at.normal;
    at.velocity = a.velocity + a.angular_velocity.cross(at.arm_a);
    return at;
  }
  const Tip& other = std::get<Tip>(pair.against);
  const Motion& b = motions[other.body];
  const Vector3d offset_b = offset(other, b), between = centre - b.position - offset_b;
  const double distance = between.norm();
  const Vector3d closing = centre_velocity - b.velocity - b.angular_velocity.cross(offset_b);
  at.indentation = pair.tip.radius + other.radius - distance;
  at.normal = distance > 0.0 ? Vector3d(between / distance) : Vector3d(Vector3d::UnitZ());
  at.normal_rate =
      distance > 0.0 ? Vector3d((closing - at.normal * at.normal.dot(closing)) / distance) : Vector3d(Vector3d::Zero());
  at.arm_a = offset_a - pair.tip.radius * at.normal;
  at.arm_b = a.position + at.arm_a - b.position;
  at.velocity = a.velocity + a.angular_velocity.cross(at.arm_a) - b.velocity - b.angular_velocity.cross(at.arm_b);
  at.spin = b.angular_velocity.dot(at.normal);
  return at;
}

InverseMasses inverse_masses(const CompliantPair& pair, const PairGeometry& at, const std::vector<Body>& bodies) {
  Eigen::Matrix3d w = Eigen::Matrix3d::Zero();
  add_inverse_mass(bodies[pair.tip.body], at.arm_a, w);
  if (const auto* other = std::get_if<Tip>(&pair.against)) add_inverse_mass(bodies[other->body], at.arm_b, w);
  const Vector3d t1 = at.normal.unitOrthogonal(), t2 = at.normal.cross(t1);
  const double a = t1.dot(w * t1), b = t2.dot(w * t2), c = t1.dot(w * t2);
  return {at.normal.dot(w * at.normal), 0.5 * (a + b) + std::hypot(0.5 * (a - b), c)};
}

double pressing_gravity(const CompliantPair& pair, const Vector3d& gravity) {
  const auto* surface = std::get_if<FixedSurface>(&pair.against);
  const double along =
      surface != nullptr && surface->shape == SurfaceShape::plane ? -gravity.dot(surface->direction) : 0.0;
  return along > 0.0 ? along : gravity.norm();
}

void require_valid(const CompliantScene& scene) {
  const auto named = [](const std::string& before, const auto& check) {
    try {
      check();
    } catch (const InvalidInput& error) {
      throw InvalidInput(before + error.field(), error.message());
    }
  };
  if (scene.bodies.empty()) throw InvalidInput("bodies", "must be at least one");
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    named("bodies[" + std::to_string(i) + "].", [&] { carom::require_valid(scene.bodies[i]); });
  if (!scene.gravity.allFinite()) throw InvalidInput("gravity", "must be finite");
  for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
    const CompliantPair& pair = scene.pairs[i];
    require_tip(member(i, "tip"), pair.tip, scene);
    named(member(i, "material."), [&] { carom::require_valid(pair.material); });
    const auto* plane = std::get_if<FixedSurface>(&pair.against);
    const auto* other = std::get_if<Tip>(&pair.against);
    const bool flat = plane != nullptr && plane->shape == SurfaceShape::plane;
    if (!flat && (pair.tip.rim > 0.0 || (other != nullptr && other->rim > 0.0)))
      throw InvalidInput(member(i, "tip.rim"), "must be 0: rims touch planes only");
    if (plane != nullptr) require_surface(member(i, "against"), *plane, pair.tip);
    if (other != nullptr) {
      require_tip(member(i, "against"), *other, scene);
      if (other->body == pair.tip.body) throw InvalidInput(member(i, "against.body"), "must be another body");
      if (other->radius + pair.tip.radius == 0.0)
        throw InvalidInput(member(i, "against.radius"), "must be positive: two points never touch");
    }
    const bool moves =
        !scene.bodies[pair.tip.body].immovable || (other != nullptr && !scene.bodies[other->body].immovable);
    if (!moves) throw InvalidInput(member(i, "tip.body"), "must not be immovable where the other side is");
    if (pair.v_min) {
      require_positive(member(i, "v_min"), *pair.v_min);
      continue;
    }
    if (!(pressing_gravity(pair, scene.gravity) > 0.0) &&
        !(is_constant(pair.material.e) && restitution_at(pair.material.e, 0.0) == 1.0))
      throw InvalidInput(member(i, "v_min"), "is required where there is no gravity");
  }
}

}  // namespace carom::stepping
