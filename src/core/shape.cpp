#include "carom/core/shape.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "carom/core/error.hpp"

namespace carom {

namespace {

using Eigen::Vector2d, Eigen::Vector3d;
using Points = std::vector<Vector3d>;

// --- mass ---

MassProperties mass_of(const Sphere& s, double mass) { return solid_sphere(mass, s.radius); }
MassProperties mass_of(const SphericalShell& s, double mass) { return spherical_shell(mass, s.radius); }
MassProperties mass_of(const Disc& s, double mass) { return disc(mass, s.radius); }
MassProperties mass_of(const ThinRod& s, double mass) { return thin_rod(mass, s.length); }
MassProperties mass_of(const Rectangle& s, double mass) { return rectangle(mass, s.size); }
MassProperties mass_of(const Box& s, double mass) { return box(mass, s.size); }
MassProperties mass_of(const Cylinder& s, double mass) { return cylinder(mass, s.radius, s.height); }
MassProperties mass_of(const Capsule& s, double mass) { return capsule(mass, s.radius, s.length); }
MassProperties mass_of(const Cone& s, double mass) { return cone(mass, s.radius, s.height); }
MassProperties mass_of(const Pencil& s, double mass) { return pencil(mass, s.radius, s.height, s.tip); }
MassProperties mass_of(const Revolution& s, double mass) { return revolution(mass, s.profile); }
MassProperties mass_of(const DrilledBall& s, double mass) { return drilled_ball(mass, s.radius, s.holes); }
MassProperties mass_of(const TruncatedIcosahedron& s, double mass) {
  require_positive("edge", s.edge);
  const Polyhedron solid = faces_of(s);
  return polyhedron(mass, solid.vertices, solid.faces);
}
MassProperties mass_of(const Polyhedron& s, double mass) { return polyhedron(mass, s.vertices, s.faces); }

// --- outline ---

Vector2d on_circle(int corner, int corners) {
  const double angle = 2.0 * std::numbers::pi * corner / corners;
  return {std::cos(angle), std::sin(angle)};
}

/// A circle around the z axis.
void add_rim(Points& points, double radius, double z) {
  for (int i = 0; i < rim_corners; ++i) {
    const Vector2d around = radius * on_circle(i, rim_corners);
    points.emplace_back(around.x(), around.y(), z);
  }
}

double sign_of_bit(int corner, int bit) { return (corner & bit) != 0 ? 1.0 : -1.0; }

Outline outline_of(const Sphere& s) { return {{Vector3d::Zero()}, s.radius}; }
Outline outline_of(const SphericalShell& s) { return {{Vector3d::Zero()}, s.radius}; }
Outline outline_of(const Disc& s) {
  Outline result;
  add_rim(result.points, s.radius, 0.0);
  return result;
}
Outline outline_of(const ThinRod& s) { return {{{-0.5 * s.length, 0.0, 0.0}, {0.5 * s.length, 0.0, 0.0}}}; }
Outline outline_of(const Rectangle& s) {
  Outline result;
  for (int corner = 0; corner < 4; ++corner)
    result.points.emplace_back(0.5 * s.size.x() * sign_of_bit(corner, 1), 0.5 * s.size.y() * sign_of_bit(corner, 2),
                               0.0);
  return result;
}
Outline outline_of(const Box& s) {
  Outline result;
  for (int corner = 0; corner < 8; ++corner)
    result.points.emplace_back(
        0.5 * s.size.cwiseProduct(Vector3d(sign_of_bit(corner, 1), sign_of_bit(corner, 2), sign_of_bit(corner, 4))));
  return result;
}
Outline outline_of(const Cylinder& s) {
  Outline result;
  add_rim(result.points, s.radius, -0.5 * s.height);
  add_rim(result.points, s.radius, 0.5 * s.height);
  return result;
}
Outline outline_of(const Capsule& s) { return {{{0.0, 0.0, -0.5 * s.length}, {0.0, 0.0, 0.5 * s.length}}, s.radius}; }
Outline outline_of(const Cone& s) {
  Outline result{{Vector3d::Zero()}};
  add_rim(result.points, s.radius, s.height);
  return result;
}
Outline outline_of(const Pencil& s) {
  Outline result{{Vector3d::Zero()}};
  add_rim(result.points, s.radius, s.tip);
  add_rim(result.points, s.radius, s.tip + s.height);
  return result;
}
Outline outline_of(const Revolution& s) {
  Outline result;
  for (const Vector2d& point : s.profile) {
    if (point[0] > 0.0)
      add_rim(result.points, point[0], point[1]);
    else
      result.points.emplace_back(0.0, 0.0, point[1]);
  }
  return result;
}
Outline outline_of(const DrilledBall& s) { return {{Vector3d::Zero()}, s.radius}; }
Outline outline_of(const TruncatedIcosahedron& s) { return {faces_of(s).vertices}; }
Outline outline_of(const Polyhedron& s) { return {s.vertices}; }

/// The convex hull, counter-clockwise; fewer than three points as they are.
std::vector<Vector2d> hull(std::vector<Vector2d> points) {
  if (points.size() < 3) return points;
  const auto turn = [](const Vector2d& o, const Vector2d& a, const Vector2d& b) {
    return (a.x() - o.x()) * (b.y() - o.y()) - (a.y() - o.y()) * (b.x() - o.x());
  };
  std::sort(points.begin(), points.end(),
            [](const Vector2d& a, const Vector2d& b) { return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y(); });
  std::vector<Vector2d> around;
  const auto walk = [&](auto first, auto last) {
    const std::size_t start = around.size();
    for (auto p = first; p != last; ++p) {
      while (around.size() >= start + 2 && turn(around[around.size() - 2], around.back(), *p) <= 0.0) around.pop_back();
      around.push_back(*p);
    }
    around.pop_back();  // the other half starts with it
  };
  walk(points.begin(), points.end());
  walk(points.rbegin(), points.rend());
  return around;
}

// --- support ---

double towards(double direction, double half) { return direction < 0.0 ? -half : half; }

Vector3d on_rim(const Vector3d& d, double radius, double z) {
  const double across = std::hypot(d.x(), d.y());
  return across > 0.0 ? Vector3d(radius * (d.x() / across), radius * (d.y() / across), z) : Vector3d(radius, 0.0, z);
}

Vector3d farthest(const Points& points, const Vector3d& d) {
  return *std::max_element(points.begin(), points.end(),
                           [&](const Vector3d& a, const Vector3d& b) { return a.dot(d) < b.dot(d); });
}

// d is a unit vector.
Vector3d support_of(const Sphere& s, const Vector3d& d) { return s.radius * d; }
Vector3d support_of(const SphericalShell& s, const Vector3d& d) { return s.radius * d; }
Vector3d support_of(const Disc& s, const Vector3d& d) { return on_rim(d, s.radius, 0.0); }
Vector3d support_of(const ThinRod& s, const Vector3d& d) { return {towards(d.x(), 0.5 * s.length), 0.0, 0.0}; }
Vector3d support_of(const Rectangle& s, const Vector3d& d) {
  return {towards(d.x(), 0.5 * s.size.x()), towards(d.y(), 0.5 * s.size.y()), 0.0};
}
Vector3d support_of(const Box& s, const Vector3d& d) {
  return {towards(d.x(), 0.5 * s.size.x()), towards(d.y(), 0.5 * s.size.y()), towards(d.z(), 0.5 * s.size.z())};
}
Vector3d support_of(const Cylinder& s, const Vector3d& d) {
  return on_rim(d, s.radius, towards(d.z(), 0.5 * s.height));
}
Vector3d support_of(const Capsule& s, const Vector3d& d) {
  return Vector3d(0.0, 0.0, towards(d.z(), 0.5 * s.length)) + s.radius * d;
}
Vector3d support_of(const Cone& s, const Vector3d& d) {
  return farthest({Vector3d::Zero(), on_rim(d, s.radius, s.height)}, d);
}
Vector3d support_of(const Pencil& s, const Vector3d& d) {
  return farthest({Vector3d::Zero(), on_rim(d, s.radius, s.tip), on_rim(d, s.radius, s.tip + s.height)}, d);
}
Vector3d support_of(const Revolution& s, const Vector3d& d) {
  const double across = std::hypot(d.x(), d.y());
  const auto reach = [&](const Vector2d& p) { return p[0] * across + p[1] * d.z(); };
  const Vector2d& p = *std::max_element(s.profile.begin(), s.profile.end(),
                                        [&](const Vector2d& a, const Vector2d& b) { return reach(a) < reach(b); });
  return on_rim(d, p[0], p[1]);
}
Vector3d support_of(const DrilledBall& s, const Vector3d& d) { return s.radius * d; }
Vector3d support_of(const TruncatedIcosahedron& s, const Vector3d& d) { return farthest(faces_of(s).vertices, d); }
Vector3d support_of(const Polyhedron& s, const Vector3d& d) { return farthest(s.vertices, d); }

}  // namespace

MassProperties mass_properties(const Shape& shape, double mass) {
  return std::visit([mass](const auto& solid) { return mass_of(solid, mass); }, shape);
}

double planar_inertia(const Shape& shape, double mass) {
  const MassProperties solid = mass_properties(shape, mass);
  // A ball in the plane has always been reckoned as (m r^2) 0.4, one in space as (0.4 m) r^2: the last digit may
  // differ.
  if (const auto* ball = std::get_if<Sphere>(&shape)) return mass * ball->radius * ball->radius * 0.4;
  return solid.inertia(2, 2);
}

void require_valid(const Shape& shape) { mass_properties(shape, 1.0); }

Body body_of(const Shape& shape, double mass) {
  Body body;
  body.mass = mass;
  body.inertia = mass_properties(shape, mass).inertia;
  return body;
}

Outline outline(const Shape& shape, const Vector3d& origin) {
  Outline result = std::visit([](const auto& solid) { return outline_of(solid); }, shape);
  for (Vector3d& point : result.points) point -= origin;
  return result;
}

bool is_ball(const Outline& outline) { return outline.points.size() == 1 && outline.radius > 0.0; }

std::vector<Vector2d> silhouette(const Outline& outline, const Body& body, int right, int up) {
  const auto require_axis = [](const char* field, int axis) {
    if (axis < 0 || axis > 2) throw InvalidInput(field, "must be 0, 1 or 2, got " + std::to_string(axis));
  };
  require_axis("right", right);
  require_axis("up", up);
  if (right == up) throw InvalidInput("up", "must differ from `right`, got " + std::to_string(up));
  std::vector<Vector2d> points;
  for (const Vector3d& p : outline.points) {
    const Vector3d world = body.position + body.orientation * p;
    const Vector2d seen(world[right], world[up]);
    if (outline.radius == 0.0) points.push_back(seen);
    for (int i = 0; i < rounding_corners && outline.radius > 0.0; ++i)
      points.emplace_back(seen + outline.radius * on_circle(i, rounding_corners));
  }
  return is_ball(outline) ? points : hull(std::move(points));
}

Vector3d support(const Shape& shape, const Vector3d& direction) {
  const Vector3d d = direction.stableNormalized();
  if (!d.allFinite() || d.isZero()) throw InvalidInput("direction", "must be finite and not zero");
  return std::visit([&](const auto& solid) { return support_of(solid, d); }, shape);
}

}  // namespace carom
