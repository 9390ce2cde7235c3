#include "carom/core/inertia.hpp"

#include <map>
#include <string>
#include <utility>

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

Moments moments_of(std::span<const Eigen::Vector3d> vertices, std::span<const std::vector<int>> faces) {
  require_closed_surface(vertices, faces);
  Moments m;
  double extent = 0.0;
  for (const auto& v : vertices) m.origin += v / static_cast<double>(vertices.size());
  for (const auto& v : vertices) extent = std::max(extent, (v - m.origin).norm());
  for (const auto& face : faces) {
    const Eigen::Vector3d a = vertices[static_cast<std::size_t>(face[0])] - m.origin;
    for (std::size_t i = 1; i + 1 < face.size(); ++i) {
      const Eigen::Vector3d b = vertices[static_cast<std::size_t>(face[i])] - m.origin;
      const Eigen::Vector3d c = vertices[static_cast<std::size_t>(face[i + 1])] - m.origin;
      const double volume = a.dot(b.cross(c)) / 6.0;
      const Eigen::Vector3d sum = a + b + c;
      m.volume += volume;
      m.first += volume / 4.0 * sum;
      m.second += volume / 20.0 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
    }
  }
  if (!(m.volume > 1e-12 * extent * extent * extent))
    throw InvalidInput("faces", m.volume < 0.0 ? "the surface is inside out: list each face counter-clockwise seen "
                                                 "from outside"
                                               : "the surface encloses no volume");
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
  const Eigen::Matrix3d r = orientation.toRotationMatrix();
  return {solid.mass, r * solid.center + offset, r * solid.inertia * r.transpose()};
}

MassProperties joined(std::span<const MassProperties> parts) {
  if (parts.empty()) throw InvalidInput("parts", "must not be empty");
  MassProperties total;
  for (const auto& part : parts) {
    total.mass += part.mass;
    total.center += part.mass * part.center;
  }
  require_positive("parts: total mass", total.mass);
  total.center /= total.mass;
  for (const auto& part : parts) total.inertia += part.inertia + steiner(part.mass, part.center - total.center);
  return total;
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
