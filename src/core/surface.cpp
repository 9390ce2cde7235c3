// The surface of each shape, as faces.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "carom/core/shape.hpp"

namespace carom {

namespace {

using Eigen::Vector2d, Eigen::Vector3d;

/// Rings around the z axis from bottom to top, joined; a ring without radius is a point.
Polyhedron turned(const std::vector<Vector2d>& profile, int corners) {
  Polyhedron solid;
  std::vector<int> previous;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const bool point = profile[i][0] == 0.0;
    std::vector<int> ring;
    for (int k = 0; k < (point ? 1 : corners); ++k) {
      const double angle = 2.0 * std::numbers::pi * k / corners;
      ring.push_back(static_cast<int>(solid.vertices.size()));
      solid.vertices.emplace_back(profile[i][0] * std::cos(angle), profile[i][0] * std::sin(angle), profile[i][1]);
    }
    if (i == 0 && !point) solid.faces.emplace_back(ring.rbegin(), ring.rend());
    for (int k = 0; k < corners && !previous.empty(); ++k) {
      const auto at = [](const std::vector<int>& r, int j) { return r[static_cast<std::size_t>(j) % r.size()]; };
      std::vector<int> face = {at(previous, k), at(previous, k + 1), at(ring, k + 1), at(ring, k)};
      face.erase(std::unique(face.begin(), face.end()), face.end());
      if (face.size() > 1 && face.front() == face.back()) face.pop_back();
      if (face.size() > 2) solid.faces.push_back(std::move(face));
    }
    if (i + 1 == profile.size() && !point) solid.faces.push_back(ring);
    previous = std::move(ring);
  }
  return solid;
}

/// Half a circle around (0, z), from the lower pole to the upper one, or a part of it.
void add_arc(std::vector<Vector2d>& profile, double radius, double z, double from, double to, int steps) {
  for (int k = 0; k <= steps; ++k) {
    const double angle = from + (to - from) * k / steps;
    const bool pole = std::abs(std::abs(angle) - 0.5 * std::numbers::pi) < 1e-9;
    profile.emplace_back(pole ? 0.0 : radius * std::cos(angle), z + radius * std::sin(angle));
  }
}

constexpr double quarter = 0.5 * std::numbers::pi;

/// A flat polygon, seen from both sides.
Polyhedron flat(std::vector<Vector3d> corners) {
  Polyhedron solid{std::move(corners), {}};
  std::vector<int> face;
  for (std::size_t i = 0; i < solid.vertices.size(); ++i) face.push_back(static_cast<int>(i));
  solid.faces = {face, {face.rbegin(), face.rend()}};
  return solid;
}

struct SurfaceOf {
  int corners;

  Polyhedron ball(double radius) const {
    std::vector<Vector2d> profile;
    add_arc(profile, radius, 0.0, -quarter, quarter, corners / 2);
    return turned(profile, corners);
  }
  Polyhedron operator()(const Sphere& s) const { return ball(s.radius); }
  Polyhedron operator()(const SphericalShell& s) const { return ball(s.radius); }
  Polyhedron operator()(const DrilledBall& s) const { return ball(s.radius); }
  Polyhedron operator()(const Disc& s) const {
    std::vector<Vector3d> rim;
    for (int k = 0; k < corners; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / corners;
      rim.emplace_back(s.radius * std::cos(angle), s.radius * std::sin(angle), 0.0);
    }
    return flat(std::move(rim));
  }
  Polyhedron operator()(const ThinRod&) const { return {}; }
  Polyhedron operator()(const Rectangle& s) const {
    const double x = 0.5 * s.size.x(), y = 0.5 * s.size.y();
    return flat({{-x, -y, 0.0}, {x, -y, 0.0}, {x, y, 0.0}, {-x, y, 0.0}});
  }
  Polyhedron operator()(const Box& s) const {
    Polyhedron solid;
    for (int corner = 0; corner < 8; ++corner)
      solid.vertices.emplace_back(
          0.5 * s.size.cwiseProduct(Vector3d((corner & 1) != 0 ? 1.0 : -1.0, (corner & 2) != 0 ? 1.0 : -1.0,
                                             (corner & 4) != 0 ? 1.0 : -1.0)));
    solid.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    return solid;
  }
  Polyhedron operator()(const Cylinder& s) const {
    return turned({{s.radius, -0.5 * s.height}, {s.radius, 0.5 * s.height}}, corners);
  }
  Polyhedron operator()(const Capsule& s) const {
    std::vector<Vector2d> profile;
    add_arc(profile, s.radius, -0.5 * s.length, -quarter, 0.0, corners / 4);
    add_arc(profile, s.radius, 0.5 * s.length, 0.0, quarter, corners / 4);
    return turned(profile, corners);
  }
  Polyhedron operator()(const Cone& s) const { return turned({{0.0, 0.0}, {s.radius, s.height}}, corners); }
  Polyhedron operator()(const Pencil& s) const {
    return turned({{0.0, 0.0}, {s.radius, s.tip}, {s.radius, s.tip + s.height}}, corners);
  }
  Polyhedron operator()(const Revolution& s) const { return turned(s.profile, corners); }
  Polyhedron operator()(const TruncatedIcosahedron& s) const { return faces_of(s); }
  Polyhedron operator()(const Polyhedron& s) const { return s; }
};

}  // namespace

Polyhedron faces_of(const TruncatedIcosahedron& solid) {
  const double golden = std::numbers::phi, scale = 0.5 * solid.edge;
  std::vector<Vector3d> vertices, normals;
  const auto add_cyclic = [](std::vector<Vector3d>& out, const Vector3d& p) {
    for (int turn = 0; turn < 3; ++turn)
      for (int signs = 0; signs < 8; ++signs) {
        Vector3d q;
        bool again = false;
        for (int i = 0; i < 3; ++i) {
          const double value = p[i];
          const bool minus = (signs >> i & 1) != 0;
          again |= minus && value == 0.0;
          q[(i + turn) % 3] = minus ? -value : value;
        }
        if (!again) out.push_back(q);
      }
  };
  add_cyclic(vertices, {0.0, 1.0, 3.0 * golden});
  add_cyclic(vertices, {1.0, 2.0 + golden, 2.0 * golden});
  add_cyclic(vertices, {golden, 2.0, 2.0 * golden + 1.0});
  add_cyclic(normals, {0.0, 1.0, golden});           // of the pentagons
  add_cyclic(normals, {0.0, golden, 1.0 / golden});  // of the hexagons: the vertices of a dodecahedron
  for (int signs = 0; signs < 8; ++signs)
    normals.emplace_back((signs & 1) != 0 ? -1.0 : 1.0, (signs & 2) != 0 ? -1.0 : 1.0, (signs & 4) != 0 ? -1.0 : 1.0);
  Polyhedron out;
  for (std::size_t f = 0; f < normals.size(); ++f) {
    const Vector3d n = normals[f].normalized();
    double reach = 0.0;
    for (const Vector3d& v : vertices) reach = std::max(reach, n.dot(v));
    std::vector<int> face;
    Vector3d centre = Vector3d::Zero();
    for (std::size_t i = 0; i < vertices.size(); ++i)
      if (n.dot(vertices[i]) > reach - 1e-9) {
        face.push_back(static_cast<int>(i));
        centre += vertices[i];
      }
    centre /= static_cast<double>(face.size());
    const auto angle = [&](int i) {
      const Vector3d first = vertices[static_cast<std::size_t>(face.front())] - centre,
                     p = vertices[static_cast<std::size_t>(i)] - centre;
      return std::atan2(n.dot(first.cross(p)), first.dot(p));
    };
    std::vector<std::pair<double, int>> around;
    for (const int i : face) around.emplace_back(angle(i), i);
    std::sort(around.begin(), around.end());
    std::transform(around.begin(), around.end(), face.begin(), [](const auto& each) { return each.second; });
    out.faces.push_back(std::move(face));
  }
  // The first pentagon goes to the bottom, one of its corners over the x axis.
  const Vector3d down = -normals.front().normalized();  // will be +z
  const Vector3d corner = vertices[static_cast<std::size_t>(out.faces.front().front())];
  const Vector3d right = (corner - corner.dot(down) * down).normalized();
  for (const Vector3d& v : vertices)
    out.vertices.emplace_back(scale * Vector3d(right.dot(v), down.cross(right).dot(v), down.dot(v)));
  return out;
}

Polyhedron surface(const Shape& shape, int corners) {
  corners = std::max(8, corners / 4 * 4);
  return std::visit(SurfaceOf{corners}, shape);
}

}  // namespace carom
