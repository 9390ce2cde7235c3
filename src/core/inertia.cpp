#include "carom/core/inertia.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "carom/core/contact.hpp"
#include "carom/core/error.hpp"

namespace carom {

namespace {

MassProperties centred(double mass, double xx, double yy, double zz) {
  MassProperties result;
  result.mass = mass;
  result.inertia = Eigen::Vector3d(xx, yy, zz).asDiagonal();
  return result;
}

Eigen::Matrix3d steiner(double mass, const Eigen::Vector3d& offset) {
  return mass * (offset.squaredNorm() * Eigen::Matrix3d::Identity() - offset * offset.transpose());
}

/// Volume and its first and second moments about the vertices' mean (a solid far from the frame's origin must lose
/// no digits), from signed tetrahedra (mean, triangle).
struct Moments {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  double volume = 0.0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();   // int x dV
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();  // int x x^T dV
};

void require_closed_surface(std::span<const Eigen::Vector3d> vertices, std::span<const std::vector<int>> faces) {
  for (const auto& v : vertices)
    if (!v.allFinite()) throw InvalidInput("vertices", "must be finite");
  std::map<std::pair<int, int>, int> edges;  // directed edge -> times used
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const auto& face = faces[f];
    const std::string where = "faces[" + std::to_string(f) + "]";
    if (face.size() < 3) throw InvalidInput(where, "must have at least 3 vertices, got " + std::to_string(face.size()));
    for (std::size_t i = 0; i < face.size(); ++i) {
      const int from = face[i], to = face[(i + 1) % face.size()];
      if (from < 0 || static_cast<std::size_t>(from) >= vertices.size())
        throw InvalidInput(where,
                           "has no vertex " + std::to_string(from) + ": there are " + std::to_string(vertices.size()));
      if (++edges[{from, to}] > 1)
        throw InvalidInput(where, "uses the edge " + std::to_string(from) + "-" + std::to_string(to) +
                                      " in the same direction as another face: faces must all be counter-clockwise "
                                      "seen from outside");
    }
  }
  for (const auto& [edge, count] : edges)
    if (!edges.contains({edge.second, edge.first}))
      throw InvalidInput(
          "faces", "the surface is open at the edge " + std::to_string(edge.first) + "-" + std::to_string(edge.second));
}

/// Largest value the terms of a.(b x c) can add up to, whatever their signs; its rounding error is a few eps of this.
double permanent(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  const Eigen::Array3d x = a.array().abs(), y = b.array().abs(), z = c.array().abs();
  return x[0] * (y[1] * z[2] + y[2] * z[1]) + x[1] * (y[2] * z[0] + y[0] * z[2]) + x[2] * (y[0] * z[1] + y[1] * z[0]);
}

/// Twice the area of the triangle a, b, c times its normal, and the two edges it was computed from: the shorter ones,
/// because two long edges of a sliver are nearly parallel and their cross product loses digits.
struct AreaVector {
  Eigen::Vector3d edge1, edge2, value;
};

AreaVector area_vector(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  AreaVector area{b - a, c - b, {}};
  const Eigen::Vector3d third = a - c;
  const double first = area.edge1.squaredNorm(), second = area.edge2.squaredNorm(), last = third.squaredNorm();
  if (first > second && first > last)
    area.edge1 = area.edge2, area.edge2 = third;
  else if (second > last)
    area.edge2 = area.edge1, area.edge1 = third;
  area.value = area.edge1.cross(area.edge2);
  return area;
}

Moments moments_of(std::span<const Eigen::Vector3d> vertices, std::span<const std::vector<int>> faces) {
  require_closed_surface(vertices, faces);
  Moments m;
  double uncertainty = 0.0;  // of the volume, in units of eps: each coordinate may be half an ulp off
  for (const auto& v : vertices) m.origin += v / static_cast<double>(vertices.size());
  for (const auto& face : faces) {
    const Eigen::Vector3d& va = vertices[static_cast<std::size_t>(face[0])];
    const Eigen::Vector3d a = va - m.origin;
    for (std::size_t i = 1; i + 1 < face.size(); ++i) {
      const Eigen::Vector3d& vb = vertices[static_cast<std::size_t>(face[i])];
      const Eigen::Vector3d& vc = vertices[static_cast<std::size_t>(face[i + 1])];
      const Eigen::Vector3d b = vb - m.origin, c = vc - m.origin;
      const AreaVector area = area_vector(va, vb, vc);
      const double volume = a.dot(area.value) / 6.0;
      const Eigen::Vector3d sum = a + b + c;
      m.volume += volume;
      const Eigen::Vector3d v = va.cwiseAbs().cwiseMax(vb.cwiseAbs()).cwiseMax(vc.cwiseAbs());
      uncertainty +=
          (permanent(v, area.edge1, area.edge2) + permanent(a, v, area.edge2) + permanent(a, area.edge1, v)) / 6.0;
      m.first += volume / 4.0 * sum;
      m.second += volume / 20.0 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
    }
  }
  if (!(std::abs(m.volume) > std::numeric_limits<double>::epsilon() * uncertainty))
    throw InvalidInput("faces", "the surface encloses no volume");
  if (m.volume < 0.0)
    throw InvalidInput("faces", "the surface is inside out: list each face counter-clockwise seen from outside");
  return m;
}

}  // namespace

MassProperties solid_sphere(double mass, double radius) {
  require_positive("mass", mass);
  require_positive("radius", radius);
  const double i = 0.4 * mass * radius * radius;
  return centred(mass, i, i, i);
}

MassProperties spherical_shell(double mass, double radius) {
  require_positive("mass", mass);
  require_positive("radius", radius);
  const double i = 2.0 / 3.0 * mass * radius * radius;
  return centred(mass, i, i, i);
}

MassProperties disc(double mass, double radius) {
  require_positive("mass", mass);
  require_positive("radius", radius);
  const double i = 0.25 * mass * radius * radius;
  return centred(mass, i, i, 2.0 * i);
}

MassProperties thin_rod(double mass, double length) {
  require_positive("mass", mass);
  require_positive("length", length);
  const double i = mass * length * length / 12.0;
  return centred(mass, 0.0, i, i);
}

MassProperties rectangle(double mass, const Eigen::Vector2d& size) {
  require_positive("mass", mass);
  if (!(size.allFinite() && size.minCoeff() > 0.0)) throw InvalidInput("size", "must be two positive lengths");
  const Eigen::Vector2d s = mass / 12.0 * size.cwiseProduct(size);
  return centred(mass, s.y(), s.x(), mass * size.squaredNorm() / 12.0);
}

MassProperties box(double mass, const Eigen::Vector3d& size) {
  require_positive("mass", mass);
  for (int i = 0; i < 3; ++i) require_positive("size[" + std::to_string(i) + "]", size[i]);
  const Eigen::Vector3d s = mass / 12.0 * size.cwiseProduct(size);
  return centred(mass, s.y() + s.z(), s.z() + s.x(), s.x() + s.y());
}

MassProperties cylinder(double mass, double radius, double height) {
  require_positive("mass", mass);
  require_positive("radius", radius);
  require_positive("height", height);
  const double across = mass * (3.0 * radius * radius + height * height) / 12.0;
  return centred(mass, across, across, 0.5 * mass * radius * radius);
}

MassProperties capsule(double mass, double radius, double length) {
  require_positive("mass", mass);
  require_positive("radius", radius);
  require_positive("length", length);
  const double of_ends = mass * 4.0 * radius / (3.0 * length + 4.0 * radius);  // by volume
  const double of_middle = mass * 3.0 * length / (3.0 * length + 4.0 * radius);
  const double r2 = radius * radius, l2 = length * length;
  // A half ball has 2/5 m r^2 about any axis in its flat side; its centre of mass is 3/8 r above it.
  const double across = of_middle * (3.0 * r2 + l2) / 12.0 + of_ends * (0.4 * r2 + 0.25 * l2 + 0.375 * radius * length);
  return centred(mass, across, across, 0.5 * of_middle * r2 + 0.4 * of_ends * r2);
}

MassProperties cone(double mass, double radius, double height) {
  require_positive("mass", mass);
  require_positive("radius", radius);
  require_positive("height", height);
  const double across = mass * (0.15 * radius * radius + 0.0375 * height * height);
  MassProperties result = centred(mass, across, across, 0.3 * mass * radius * radius);
  result.center.z() = 0.75 * height;
  return result;
}

MassProperties placed(const MassProperties& solid, const Eigen::Vector3d& offset,
                      const Eigen::Quaterniond& orientation) {
  if (!offset.allFinite()) throw InvalidInput("offset", "must be finite");
  if (!(std::abs(orientation.norm() - 1.0) <= unit_tolerance))
    throw InvalidInput("orientation", "must be a unit quaternion, its length is " + number_text(orientation.norm()));
  const Eigen::Matrix3d r = orientation.normalized().toRotationMatrix();
  return {solid.mass, r * solid.center + offset, r * solid.inertia * r.transpose()};
}

MassProperties hole(const MassProperties& solid) { return {-solid.mass, solid.center, -solid.inertia}; }

MassProperties joined(std::span<const MassProperties> parts) {
  if (parts.empty()) throw InvalidInput("parts", "must not be empty");
  MassProperties total;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& part = parts[i];
    const std::string where = "parts[" + std::to_string(i) + "].";
    require_finite(where + "mass", part.mass);
    if (!part.center.allFinite()) throw InvalidInput(where + "center", "must be finite");
    if (!part.inertia.allFinite()) throw InvalidInput(where + "inertia", "must be finite");
    if (part.mass * part.inertia.trace() < 0.0)
      throw InvalidInput(where + "inertia", "must have the sign of the mass: a hole is negative in both");
    total.mass += part.mass;
    total.center += part.mass * part.center;
  }
  if (!(total.mass > 0.0))
    throw InvalidInput("parts", "their total mass must be positive, got " + number_text(total.mass));
  total.center /= total.mass;
  for (const auto& part : parts) total.inertia += part.inertia + steiner(part.mass, part.center - total.center);
  return total;
}

MassProperties pencil(double mass, double radius, double height, double tip) {
  require_positive("mass", mass);
  require_positive("height", height);
  require_positive("tip", tip);
  const double of_cone = mass * tip / (3.0 * height + tip);  // by volume
  return joined(std::vector{cone(of_cone, radius, tip),
                            placed(cylinder(mass - of_cone, radius, height), {0.0, 0.0, tip + 0.5 * height})});
}

MassProperties polyhedron(double mass, std::span<const Eigen::Vector3d> vertices,
                          std::span<const std::vector<int>> faces) {
  require_positive("mass", mass);
  const Moments m = moments_of(vertices, faces);
  MassProperties result;
  result.mass = mass;
  const Eigen::Vector3d center = m.first / m.volume;
  result.center = m.origin + center;
  const Eigen::Matrix3d about = mass * (m.second / m.volume - center * center.transpose());
  result.inertia = about.trace() * Eigen::Matrix3d::Identity() - about;
  return result;
}

double polyhedron_volume(std::span<const Eigen::Vector3d> vertices, std::span<const std::vector<int>> faces) {
  return moments_of(vertices, faces).volume;
}

}  // namespace carom
