#include "solid.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "carom/core/error.hpp"
#include "carom/core/inertia.hpp"
#include "carom/core/linear_algebra.hpp"
#include "carom/motion/flight.hpp"

namespace carom::world {

namespace {

/// A corner may stand out from the plane of a face by this share of the size of a mesh and the mesh is still convex.
constexpr double convex_share = 1e-9;

void add_corners(Convex& convex, const Polyhedron& mesh) {
  convex.points = mesh.vertices;
  convex.faces_of.resize(mesh.vertices.size());
  convex.neighbours.resize(mesh.vertices.size());
  double size = 0.0;
  for (const Vector3d& v : mesh.vertices) size = std::max(size, (v - mesh.vertices[0]).norm());
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const std::vector<int>& face = mesh.faces[f];
    const auto corner = [&](std::size_t k) -> const Vector3d& {
      return mesh.vertices[static_cast<std::size_t>(face[k % face.size()])];
    };
    Vector3d normal = Vector3d::Zero();
    for (std::size_t k = 1; k + 1 < face.size(); ++k)
      normal += (corner(k) - corner(0)).cross(corner(k + 1) - corner(0));
    if (!(normal.norm() > 0.0)) continue;  // a face without area says nothing
    normal.normalize();
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
      if (normal.dot(mesh.vertices[v] - corner(0)) > convex_share * size)
        throw InvalidInput("shape.faces", "the mesh is not convex: vertex " + std::to_string(v) +
                                              " stands out from the plane of face " + std::to_string(f) +
                                              "; give the body as `parts` that are");
    const int number = static_cast<int>(convex.faces.size());
    convex.faces.push_back(normal);
    for (std::size_t k = 0; k < face.size(); ++k) {
      const int v = face[k], next = face[(k + 1) % face.size()];
      convex.faces_of[static_cast<std::size_t>(v)].push_back(number);
      auto& list = convex.neighbours[static_cast<std::size_t>(v)];
      if (std::find(list.begin(), list.end(), next) == list.end()) list.push_back(next);
      auto& back = convex.neighbours[static_cast<std::size_t>(next)];
      if (std::find(back.begin(), back.end(), v) == back.end()) back.push_back(v);
    }
  }
}

Polyhedron corners_of(const Box& box) {
  Polyhedron mesh;
  for (int k = 0; k < 8; ++k)
    mesh.vertices.emplace_back(0.5 *
                               box.size.cwiseProduct(Vector3d((k & 1) != 0 ? 1.0 : -1.0, (k & 2) != 0 ? 1.0 : -1.0,
                                                              (k & 4) != 0 ? 1.0 : -1.0)));
  mesh.faces = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  return mesh;
}

void add_cap(Convex& convex, double side) { convex.faces.emplace_back(0.0, 0.0, side); }

void build(Convex& c, const Sphere& s) {
  c.points = {Vector3d::Zero()};
  c.rounding = s.radius;
}
void build(Convex& c, const SphericalShell& s) {
  c.points = {Vector3d::Zero()};
  c.rounding = s.radius;
}
void build(Convex& c, const Box& s) {
  add_corners(c, corners_of(s));
  c.half = 0.5 * s.size;
}
void build(Convex& c, const Cylinder& s) {
  c.rims = {{{0.0, 0.0, -0.5 * s.height}, s.radius}, {{0.0, 0.0, 0.5 * s.height}, s.radius}};
  add_cap(c, -1.0);
  add_cap(c, 1.0);
}
void build(Convex& c, const Capsule& s) {
  c.points = {{0.0, 0.0, -0.5 * s.length}, {0.0, 0.0, 0.5 * s.length}};
  c.neighbours = {{1}, {0}};
  c.faces_of.resize(2);
  c.rounding = s.radius;
}
void build(Convex& c, const Cone& s) {
  c.points = {Vector3d::Zero()};
  c.rims = {{{0.0, 0.0, s.height}, s.radius}};
  add_cap(c, 1.0);
}
void build(Convex& c, const Pencil& s) {
  c.points = {Vector3d::Zero()};
  c.rims = {{{0.0, 0.0, s.tip}, s.radius}, {{0.0, 0.0, s.tip + s.height}, s.radius}};
  add_cap(c, 1.0);
}
void build(Convex& c, const Polyhedron& s) { add_corners(c, s); }
void build(Convex& c, const TruncatedIcosahedron& s) { add_corners(c, faces_of(s)); }
/// Its holes are not met: what is as large as they are is not met in scenes of balls.
void build(Convex& c, const DrilledBall& s) {
  c.points = {Vector3d::Zero()};
  c.rounding = s.radius;
}
/// Discs, rods, rectangles.
template <class Flat>
void build(Convex&, const Flat&) {
  throw InvalidInput("shape.type", "has no volume: only solids move in a scene");
}

/// What was turned on a lathe, cut across its axis where its edge bends inwards: each piece is the hull of its rims.
void build(std::vector<Convex>& pieces, const Revolution& s) {
  const std::vector<Eigen::Vector2d>& edge = s.profile;
  for (std::size_t first = 0; first + 1 < edge.size();) {
    std::size_t last = first + 1;
    while (last + 1 < edge.size()) {
      const Eigen::Vector2d here = edge[last] - edge[last - 1], next = edge[last + 1] - edge[last];
      if (here.x() * next.y() - here.y() * next.x() < 0.0) break;
      ++last;
    }
    if (edge[last].y() > edge[first].y()) {
      Convex& piece = pieces.emplace_back();
      for (std::size_t k = first; k <= last; ++k)
        if (edge[k].x() > 0.0)
          piece.rims.push_back({{0.0, 0.0, edge[k].y()}, edge[k].x()});
        else
          piece.points.emplace_back(0.0, 0.0, edge[k].y());
      add_cap(piece, -1.0);
      add_cap(piece, 1.0);
    }
    first = last;
  }
}

std::vector<Convex> pieces_of(const Shape& shape) {
  std::vector<Convex> pieces;
  if (const auto* turned = std::get_if<Revolution>(&shape)) {
    build(pieces, *turned);
    return pieces;
  }
  std::visit(
      [&](const auto& solid) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(solid)>, Revolution>) build(pieces.emplace_back(), solid);
      },
      shape);
  return pieces;
}

void place(Convex& convex, const Matrix3d& axes, const Vector3d& offset) {
  for (Vector3d& p : convex.points) p = axes * p + offset;
  for (Convex::Rim& rim : convex.rims) rim.centre = axes * rim.centre + offset;
  for (Vector3d& n : convex.faces) n = axes * n;
  convex.axis = axes * convex.axis;
  if (!axes.isIdentity(0.0) || !offset.isZero(0.0)) convex.half.reset();
}

/// Unit vector across the axis, from the components of a direction across it.
Vector3d across_axis(const Vector3d& axis, const Vector3d& direction, double& length) {
  const Vector3d across = direction - axis.dot(direction) * axis;
  length = across.norm();
  // Below rounding there is no telling: some fixed direction.
  if (length > 1e-15 * direction.norm()) return across / length;
  length = 0.0;
  return axis.unitOrthogonal();
}

}  // namespace

int Convex::support_point(const Vector3d& direction) const {
  if (half)  // the corners are in the order of these signs
    return (std::signbit(direction.x()) ? 0 : 1) + (std::signbit(direction.y()) ? 0 : 2) +
           (std::signbit(direction.z()) ? 0 : 4);
  int best = -1;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < points.size(); ++k)
    if (const double here = points[k].dot(direction); here > most) {
      most = here;
      best = static_cast<int>(k);
    }
  if (rims.empty()) return best;
  double length = 0.0;
  across_axis(axis, direction, length);
  for (const Rim& rim : rims)
    if (rim.centre.dot(direction) + rim.radius * length > most) return -1;
  return best;
}

Vector3d Convex::support(const Vector3d& direction) const {
  if (half)
    return {std::copysign(half->x(), direction.x()), std::copysign(half->y(), direction.y()),
            std::copysign(half->z(), direction.z())};
  double most = -std::numeric_limits<double>::infinity();
  const Vector3d* best = nullptr;
  for (const Vector3d& p : points)
    if (const double here = p.dot(direction); here > most) {
      most = here;
      best = &p;
    }
  if (rims.empty()) return *best;
  double length = 0.0;
  const Vector3d out = across_axis(axis, direction, length);
  const Rim* rim = nullptr;
  for (const Rim& each : rims)
    if (const double here = each.centre.dot(direction) + each.radius * length; here > most) {
      most = here;
      rim = &each;
    }
  return rim != nullptr ? Vector3d(rim->centre + rim->radius * out) : *best;
}

void Convex::farthest(const Vector3d& direction, double tolerance, std::vector<Vector3d>& found) const {
  found.clear();
  const double most = support(direction).dot(direction) - tolerance;
  for (const Vector3d& p : points)
    if (p.dot(direction) >= most) found.push_back(p);
  if (rims.empty()) return;
  double length = 0.0;
  const Vector3d out = across_axis(axis, direction, length);
  for (const Rim& rim : rims) {
    const double middle = rim.centre.dot(direction);
    if (middle + rim.radius * length < most) continue;
    found.emplace_back(rim.centre + rim.radius * out);
    if (middle - rim.radius * length < most) continue;
    const Vector3d side = axis.cross(out);  // it lies flat
    found.emplace_back(rim.centre + rim.radius * side);
    found.emplace_back(rim.centre - rim.radius * out);
    found.emplace_back(rim.centre - rim.radius * side);
  }
}

void Convex::faces_near(const Vector3d& direction, std::vector<Vector3d>& normals) const {
  normals.clear();
  if (!rims.empty()) {
    normals = faces;  // at most two
    return;
  }
  if (faces.empty()) return;
  for (const int f : faces_of[static_cast<std::size_t>(support_point(direction))])
    normals.push_back(faces[static_cast<std::size_t>(f)]);
}

void Convex::edges_near(const Vector3d& direction, std::vector<Vector3d>& edges) const {
  edges.clear();
  if (!rims.empty()) {
    // Along the side, and along the rim.
    double length = 0.0;
    const Vector3d out = across_axis(axis, direction, length);
    std::vector<Vector3d> profile;
    for (const Rim& rim : rims) profile.emplace_back(rim.centre + rim.radius * out);
    for (const Vector3d& p : points) profile.push_back(p);
    const bool many = profile.size() > 3;  // turned on a lathe: in order along the axis
    if (many)
      std::sort(profile.begin(), profile.end(),
                [&](const Vector3d& p, const Vector3d& q) { return axis.dot(p) < axis.dot(q); });
    for (std::size_t k = 1; k < profile.size(); ++k)
      for (std::size_t j = many ? k - 1 : 0; j < k; ++j) edges.emplace_back((profile[k] - profile[j]).normalized());
    edges.emplace_back(axis.cross(out));
    return;
  }
  const int at = support_point(direction);
  if (neighbours.empty()) return;
  for (const int next : neighbours[static_cast<std::size_t>(at)])
    edges.emplace_back((points[static_cast<std::size_t>(next)] - points[static_cast<std::size_t>(at)]).normalized());
}

void Convex::finish() {
  reach = 0.0;
  for (const Vector3d& p : points) reach = std::max(reach, p.norm());
  for (const Rim& rim : rims) {
    const double along = rim.centre.dot(axis), off = (rim.centre - along * axis).norm();
    reach = std::max(reach, std::hypot(along, off + rim.radius));
  }
}

bool Solid::sharp() const {
  return std::all_of(parts.begin(), parts.end(), [](const Convex& part) { return part.rounding == 0.0; });
}

std::shared_ptr<const Solid> solid_of(const WorldBody& body) {
  auto solid = std::make_shared<Solid>();
  if (body.parts.empty()) {
    solid->ball = std::holds_alternative<Sphere>(body.shape) || std::holds_alternative<SphericalShell>(body.shape);
    solid->parts = pieces_of(body.shape);
    if (!solid->ball) {
      const Vector3d centre = body.centre.value_or(mass_properties(body.shape, 1.0).center);
      for (Convex& piece : solid->parts) place(piece, Matrix3d::Identity(), -centre);
    }
  } else {
    for (std::size_t k = 0; k < body.parts.size(); ++k) {
      const WorldPart& part = body.parts[k];
      const std::string field = "parts[" + std::to_string(k) + "].";
      try {
        std::vector<Convex> pieces = pieces_of(part.shape);
        const Vector3d centre = mass_properties(part.shape, 1.0).center;
        const Matrix3d axes = part.orientation.normalized().toRotationMatrix();
        if (!part.position.allFinite()) throw InvalidInput("position", "must be finite");
        for (Convex& piece : pieces) {
          place(piece, axes, part.position - axes * centre);
          solid->parts.push_back(std::move(piece));
        }
      } catch (const InvalidInput& error) {
        throw InvalidInput(field + error.field(), error.message());
      }
    }
  }
  for (Convex& part : solid->parts) {
    part.finish();
    solid->radius = std::max(solid->radius, part.reach + part.rounding);
  }
  return solid;
}

TurningBounds turning_bounds(const Body& body) {
  TurningBounds bounds;
  const Vector3d& w = body.angular_velocity;
  if (w.isZero(0.0)) return bounds;
  Vector3d moments, rate = body.orientation.conjugate() * w;
  if (body.inertia.isDiagonal(0.0)) {
    moments = body.inertia.diagonal();
  } else {
    const SymmetricEigen eigen = symmetric_eigen(0.5 * (body.inertia + body.inertia.transpose()));
    moments = eigen.values;
    rate = eigen.vectors.transpose() * rate;
  }
  const Vector3d momentum = moments.cwiseProduct(rate);
  constexpr double even = 1e-14, alike = 1e-6, margin = 1.0 + 1e-5;           // bounds need not be sharp
  if (momentum.cross(rate).norm() <= even * momentum.norm() * rate.norm()) {  // it turns evenly
    bounds.rate = margin * rate.norm();
    bounds.acceleration = 1e-12 * bounds.rate * bounds.rate;
    return bounds;
  }
  // The squares y of the three components obey I.y = 2T and I^2.y = L^2: each is greatest where another is zero.
  const double twice = momentum.dot(rate), square = momentum.squaredNorm();
  Vector3d most = rate.cwiseAbs2();
  double fastest = rate.squaredNorm();
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;  // with y_k = 0
    if (std::abs(moments[i] - moments[j]) <= alike * moments.maxCoeff()) continue;
    const double yi = (square - moments[j] * twice) / (moments[i] * (moments[i] - moments[j]));
    const double yj = (square - moments[i] * twice) / (moments[j] * (moments[j] - moments[i]));
    const double rounding = -1e-12 * (std::abs(yi) + std::abs(yj));
    if (yi < rounding || yj < rounding) continue;
    most[i] = std::max(most[i], yi);
    most[j] = std::max(most[j], yj);
    most[k] = std::max(most[k], 0.0);
    fastest = std::max(fastest, yi + yj);
  }
  // Of a symmetric body the two equal components exchange.
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (std::abs(moments[i] - moments[j]) > alike * moments.maxCoeff()) continue;
    const double both = rate[i] * rate[i] + rate[j] * rate[j];
    most[i] = std::max(most[i], both);
    most[j] = std::max(most[j], both);
  }
  double change = 0.0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double c = (moments[j] - moments[k]) / moments[i];
    change += c * c * most[j] * most[k];
  }
  bounds.rate = margin * std::sqrt(fastest);
  bounds.acceleration = margin * std::sqrt(change);
  return bounds;
}

}  // namespace carom::world
