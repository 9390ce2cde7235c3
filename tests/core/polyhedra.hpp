// Polyhedra for the tests of inertia: the faces of a convex solid from its vertices, and the moments of a solid by a
// route of its own (a quadrature rule over tetrahedra).
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "carom/core/inertia.hpp"
#include "carom/core/shape.hpp"

namespace carom::testing {

/// Every plane through three vertices with all others on one side carries a face; its vertices are sorted by angle.
inline Polyhedron convex_hull(const std::vector<Eigen::Vector3d>& vertices) {
  Polyhedron solid{vertices, {}};
  const int n = static_cast<int>(vertices.size());
  const auto at = [&](int i) -> const Eigen::Vector3d& { return vertices[static_cast<std::size_t>(i)]; };
  std::set<std::vector<int>> seen;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      for (int k = j + 1; k < n; ++k) {
        Eigen::Vector3d normal = (at(j) - at(i)).cross(at(k) - at(i)).normalized();
        std::vector<int> on;
        int above = 0, below = 0;
        for (int l = 0; l < n; ++l) {
          const double height = normal.dot(at(l) - at(i));
          if (std::abs(height) < 1e-9)
            on.push_back(l);
          else
            ++(height > 0.0 ? above : below);
        }
        if ((above > 0 && below > 0) || !seen.insert(on).second) continue;
        if (above > 0) normal = -normal;  // outward
        Eigen::Vector3d middle = Eigen::Vector3d::Zero();
        for (const int l : on) middle += at(l) / static_cast<double>(on.size());
        const Eigen::Vector3d x = (at(on[0]) - middle).normalized(), y = normal.cross(x);
        std::sort(on.begin(), on.end(), [&](int l, int m) {
          const Eigen::Vector3d p = at(l) - middle, q = at(m) - middle;
          return std::atan2(y.dot(p), x.dot(p)) < std::atan2(y.dot(q), x.dot(q));
        });
        solid.faces.push_back(on);
      }
  return solid;
}

inline Polyhedron box_surface(const Eigen::Vector3d& size, const Eigen::Vector3d& center = Eigen::Vector3d::Zero()) {
  Polyhedron solid;
  for (int i = 0; i < 8; ++i)
    solid.vertices.push_back(center +
                             0.5 * size.cwiseProduct(Eigen::Vector3d(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  solid.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  return solid;
}

inline Polyhedron inside_out(Polyhedron solid) {
  for (auto& face : solid.faces) std::reverse(face.begin(), face.end());
  return solid;
}

/// Two surfaces as one (disjoint solids, or a cavity when the second is inside out and within the first).
inline Polyhedron together(Polyhedron a, const Polyhedron& b) {
  const int shift = static_cast<int>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (auto face : b.faces) {
    for (int& i : face) i += shift;
    a.faces.push_back(face);
  }
  return a;
}

inline MassProperties properties(const Polyhedron& solid, double mass) {
  return polyhedron(mass, solid.vertices, solid.faces);
}
inline double volume(const Polyhedron& solid) { return polyhedron_volume(solid.vertices, solid.faces); }

/// Vertices of Platonic and Archimedean solids by even permutation of coordinates and all signs.
inline std::vector<Eigen::Vector3d> even_permutations(const std::vector<Eigen::Vector3d>& seeds) {
  std::vector<Eigen::Vector3d> all;
  for (const auto& s : seeds)
    for (int turn = 0; turn < 3; ++turn)
      for (int sign = 0; sign < 8; ++sign) {
        Eigen::Vector3d v(s[turn], s[(turn + 1) % 3], s[(turn + 2) % 3]);
        for (int i = 0; i < 3; ++i)
          if (sign >> i & 1) v[i] = -v[i];
        if (std::none_of(all.begin(), all.end(), [&](const auto& other) { return (other - v).norm() < 1e-9; }))
          all.push_back(v);
      }
  return all;
}

constexpr double golden = std::numbers::phi;
inline Polyhedron icosahedron() { return convex_hull(even_permutations({{0, 1, golden}})); }  // edge 2
inline Polyhedron dodecahedron() {                                                            // edge 2 / golden
  return convex_hull(even_permutations({{1, 1, 1}, {0, golden, 1 / golden}}));
}
inline Polyhedron truncated_icosahedron() {  // edge 2
  return convex_hull(even_permutations({{0, 1, 3 * golden}, {1, 2 + golden, 2 * golden}, {golden, 2, 2 * golden + 1}}));
}

/// Mass, centre and inertia from weighted points.
struct PointMoments {
  double mass = 0.0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  void add(double weight, const Eigen::Vector3d& x) {
    mass += weight;
    first += weight * x;
    second += weight * x * x.transpose();
  }
  /// Scaled to the total mass given.
  MassProperties properties(double total) const {
    const Eigen::Vector3d center = first / mass;
    const Eigen::Matrix3d about = total * (second / mass - center * center.transpose());
    return {total, center, about.trace() * Eigen::Matrix3d::Identity() - about};
  }
};

/// The four-point rule, exact to degree 2, over the tetrahedra from vertex 0 to the triangles of all faces.
inline PointMoments tetrahedron_rule(const Polyhedron& solid) {
  const double far = (5.0 + 3.0 * std::sqrt(5.0)) / 20.0, near = (5.0 - std::sqrt(5.0)) / 20.0;
  PointMoments m;
  for (const auto& face : solid.faces)
    for (std::size_t i = 1; i + 1 < face.size(); ++i) {
      Eigen::Matrix<double, 3, 4> t;
      t << solid.vertices[0], solid.vertices[static_cast<std::size_t>(face[0])],
          solid.vertices[static_cast<std::size_t>(face[i])], solid.vertices[static_cast<std::size_t>(face[i + 1])];
      const double v = (t.rightCols<3>().colwise() - t.col(0)).determinant() / 6.0;
      for (int k = 0; k < 4; ++k)
        m.add(v / 4.0, t * (Eigen::Vector4d::Constant(near) + (far - near) * Eigen::Vector4d::Unit(k)));
    }
  return m;
}

}  // namespace carom::testing
