#include "carom/soft/solids.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "carom/core/error.hpp"
#include "carom/core/text.hpp"

namespace carom {

namespace {

using Point = Eigen::Vector3d;

/// How many steps of about `size` make up `length`.
double steps(double length, double size) { return std::max(1.0, std::round(length / size)); }

void require_solid_size(double size, double tets) {
  if (tets > max_solid_tets)
    throw InvalidInput("size", "must not be so small: " + number_text(size) + " m would make " + number_text(tets) +
                                   " tetrahedra, more than " + number_text(max_solid_tets));
}

/// The twelve corners of an icosahedron on the unit sphere, a face down and a mirror image of itself in x = 0.
std::array<Point, 12> icosahedron() {
  const double phi = std::numbers::phi;
  std::array<Point, 12> corners;
  std::size_t next = 0;
  for (const double s : {-1.0, 1.0})
    for (const double t : {-phi, phi}) {
      corners[next++] = {s, 0.0, t};
      corners[next++] = {t, s, 0.0};
      corners[next++] = {0.0, t, s};
    }
  // The middle of the face (1, 0, phi), (-1, 0, phi), (0, phi, 1), which lies in x = 0, is turned down.
  const Eigen::Vector2d middle = Eigen::Vector2d(phi / 3.0, (2.0 * phi + 1.0) / 3.0).normalized();  // along y, z
  for (Point& c : corners)
    c = Point(c[0], c[1] * middle[1] - c[2] * middle[0], -(c[1] * middle[0] + c[2] * middle[1])).normalized();
  return corners;
}

/// A number that the mirror image in x = 0 shares, but no other corner of the same face.
double mirror_key(const Point& p) { return 2.0 * std::abs(p[0]) + std::numbers::sqrt2 * p[1] + p[2]; }

/// A ball of radius 1 in `n` shells: each of the twenty tetrahedra between centre and a face of the icosahedron becomes
/// n^3 small ones on a lattice, whose layers are blown up to spheres.
TetMesh unit_ball(int n) {
  const std::array<Point, 12> corners = icosahedron();
  double shortest = 2.0;
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < i; ++j) shortest = std::min(shortest, (corners[i] - corners[j]).norm());
  TetMesh mesh;
  // A lattice point is a sum of at most three corners, each as often as its share says.
  std::map<std::array<std::array<int, 2>, 3>, int> known;
  const auto vertex = [&](std::array<std::array<int, 2>, 3> shares) {
    for (auto& each : shares)
      if (each[1] == 0) each[0] = -1;
    std::sort(shares.begin(), shares.end());
    const auto [place, fresh] = known.emplace(shares, int(mesh.vertices.size()));
    if (!fresh) return place->second;
    Point direction = Point::Zero();
    int layer = 0;
    for (const auto& [corner, times] : shares) {
      if (times == 0) continue;
      direction += times * corners[std::size_t(corner)];
      layer += times;
    }
    mesh.vertices.push_back(layer == 0 ? Point::Zero() : Point(direction.normalized() * (double(layer) / n)));
    return place->second;
  };
  for (int a = 0; a < 12; ++a)
    for (int b = a + 1; b < 12; ++b)
      for (int c = b + 1; c < 12; ++c) {
        const auto near = [&](int p, int q) {
          return (corners[std::size_t(p)] - corners[std::size_t(q)]).norm() < 1.1 * shortest;
        };
        if (!near(a, b) || !near(b, c) || !near(a, c)) continue;
        // One corner leads: the one that is its own mirror image, else the least by a number that mirror images share.
        std::array<int, 3> face = {a, b, c};
        const auto key = [&](int corner) { return mirror_key(corners[std::size_t(corner)]); };
        std::sort(face.begin(), face.end(), [&](int p, int q) { return key(p) < key(q); });
        if (std::abs(key(face[0]) - key(face[1])) < 1e-9) std::swap(face[0], face[2]);
        // (i, j, k) counts lattice steps towards the three corners, i + j + k <= n.
        const auto at = [&](int i, int j, int k) { return vertex({{{face[0], i}, {face[1], j}, {face[2], k}}}); };
        for (int i = 0; i < n; ++i)
          for (int j = 0; i + j < n; ++j)
            for (int k = 0; i + j + k < n; ++k) {
              const int left = n - (i + j + k);
              mesh.tets.push_back({at(i, j, k), at(i + 1, j, k), at(i, j + 1, k), at(i, j, k + 1)});
              if (left < 2) continue;
              // The octahedron between, cut in four along the diagonal between the first corner's step and the others'.
              const int p = at(i + 1, j, k), q = at(i, j + 1, k + 1);
              const std::array<int, 4> ring = {at(i, j + 1, k), at(i + 1, j + 1, k), at(i + 1, j, k + 1),
                                               at(i, j, k + 1)};
              for (std::size_t s = 0; s < 4; ++s) mesh.tets.push_back({p, q, ring[s], ring[(s + 1) % 4]});
              if (left < 3) continue;
              mesh.tets.push_back(
                  {at(i + 1, j + 1, k), at(i + 1, j, k + 1), at(i, j + 1, k + 1), at(i + 1, j + 1, k + 1)});
            }
      }
  return mesh;
}

void stand_on_table(TetMesh& mesh) {
  double lowest = mesh.vertices.front()[2];
  for (const Point& p : mesh.vertices) lowest = std::min(lowest, p[2]);
  for (Point& p : mesh.vertices) p[2] -= lowest;
  orient(mesh);
}

}  // namespace

TetMesh round_mesh(const RoundSolid& solid, double size) {
  for (const double half_axis : solid.half_axes) require_positive("half_axes", half_axis);
  require_between("taper", solid.taper, -0.5, 0.5);
  require_between("dimple", solid.dimple, 0.0, 0.4);
  require_positive("size", size);
  const double shells =
      steps(std::cbrt(solid.half_axes[0]) * std::cbrt(solid.half_axes[1]) * std::cbrt(solid.half_axes[2]), size);
  require_solid_size(size, 20.0 * shells * shells * shells);
  // With a multiple of three there would be a vertex in the middle of the icosahedron's faces instead of a facet.
  const int n = int(shells) % 3 == 0 ? int(shells) + 1 : int(shells);
  TetMesh mesh = unit_ball(n);
  for (Point& p : mesh.vertices) {
    const double across = p.head<2>().squaredNorm();
    // A smooth dent in the upper half that leaves the sides as they are.
    const double dent = solid.dimple * std::exp(-across / 0.08) * std::max(0.0, p[2]) * std::max(0.0, p[2]);
    const double width = 1.0 - solid.taper * p[2];
    p = Point(p[0] * width * solid.half_axes[0], p[1] * width * solid.half_axes[1], (p[2] - dent) * solid.half_axes[2]);
  }
  stand_on_table(mesh);
  return mesh;
}

TetMesh frustum_mesh(double base_radius, double top_radius, double height, double size) {
  require_positive("base_radius", base_radius);
  require_positive("top_radius", top_radius);
  require_positive("height", height);
  require_positive("size", size);
  const double across = steps(std::max(base_radius, top_radius), size), up = steps(height, size);
  require_solid_size(size, 18.0 * across * across * up);
  const int rings = int(across), layers = int(up);
  // Discs of 6 k vertices in ring k. On x = 0 lies a vertex of every ring on both sides, so no edge crosses it.
  const auto first = [](int ring) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1); };
  const int disc = first(rings + 1);
  TetMesh mesh;
  std::vector<std::array<int, 2>> order;  // ring, distance along it from x = 0: what mirror images share
  for (int layer = 0; layer <= layers; ++layer) {
    const double z = height * layer / layers, radius = base_radius + (top_radius - base_radius) * layer / layers;
    for (int ring = 0; ring <= rings; ++ring)
      for (int k = 0; k < std::max(1, 6 * ring); ++k) {
        // The first half turn is computed, the second mirrored.
        const int count = std::max(1, 6 * ring), mirrored = std::min(k, count - k);
        const double angle = 2.0 * std::numbers::pi * mirrored / count;
        const double x = 2 * mirrored == count || k == 0 ? 0.0 : radius * ring / rings * std::sin(angle);
        mesh.vertices.emplace_back(k == mirrored ? x : -x, radius * ring / rings * std::cos(angle), z);
        if (layer == 0) order.push_back({ring, mirrored});
      }
  }
  const auto prism = [&](std::array<int, 3> base) {
    // From lowest to highest in that order: neighbours cut their common sides along the same diagonal.
    std::sort(base.begin(), base.end(), [&](int a, int b) { return order[std::size_t(a)] < order[std::size_t(b)]; });
    const auto& [a, b, c] = base;
    for (int layer = 0; layer < layers; ++layer) {
      const int low = layer * disc, high = low + disc;
      mesh.tets.push_back({low + a, low + b, low + c, high + a});
      mesh.tets.push_back({low + b, low + c, high + a, high + b});
      mesh.tets.push_back({low + c, high + a, high + b, high + c});
    }
  };
  for (int ring = 1; ring <= rings; ++ring)
    for (int sector = 0; sector < 6; ++sector)
      for (int k = 0; k < ring; ++k) {
        const auto outer = [&](int i) { return first(ring) + (sector * ring + i) % (6 * ring); };
        const auto inner = [&](int i) {
          return ring == 1 ? 0 : first(ring - 1) + (sector * (ring - 1) + i) % (6 * (ring - 1));
        };
        prism({outer(k), outer(k + 1), inner(k)});
        if (k + 1 < ring) prism({outer(k + 1), inner(k), inner(k + 1)});
      }
  orient(mesh);
  return mesh;
}

TetMesh box_mesh(const Eigen::Vector3d& sizes, double size) {
  static constexpr const char* fields[] = {"sizes[0]", "sizes[1]", "sizes[2]"};
  for (int i = 0; i < 3; ++i) require_positive(fields[i], sizes[i]);
  require_positive("size", size);
  Eigen::Vector3d cells;
  for (int i = 0; i < 3; ++i) cells[i] = 2.0 * steps(sizes[i] / 2.0, size);
  require_solid_size(size, 5.0 * cells.prod());
  const Eigen::Vector3i n = cells.cast<int>();
  TetMesh mesh;
  for (int i = 0; i <= n[0]; ++i)
    for (int j = 0; j <= n[1]; ++j)
      for (int k = 0; k <= n[2]; ++k)
        mesh.vertices.emplace_back(sizes[0] * (2 * i - n[0]) / (2 * n[0]), sizes[1] * (2 * j - n[1]) / (2 * n[1]),
                                   sizes[2] * k / n[2]);
  const auto id = [&](int i, int j, int k) { return (i * (n[1] + 1) + j) * (n[2] + 1) + k; };
  for (int i = 0; i < n[0]; ++i)
    for (int j = 0; j < n[1]; ++j)
      for (int k = 0; k < n[2]; ++k) {
        // Five in a cell: one over the four corners of even index sum, which neighbours and mirror images share, and
        // one at each other corner.
        std::array<int, 4> inner{};
        std::size_t count = 0;
        for (int c = 0; c < 8; ++c) {
          const int x = i + (c & 1), y = j + ((c >> 1) & 1), z = k + ((c >> 2) & 1);
          if ((x + y + z) % 2 == 0) {
            inner[count++] = id(x, y, z);
            continue;
          }
          const int u = 2 * i + 1 - x, v = 2 * j + 1 - y, w = 2 * k + 1 - z;  // the other end along each axis
          mesh.tets.push_back({id(x, y, z), id(u, y, z), id(x, v, z), id(x, y, w)});
        }
        mesh.tets.push_back(inner);
      }
  orient(mesh);
  return mesh;
}

TetMesh laid_on_facet(TetMesh mesh, std::size_t triangle) {
  const MeshSurface surface = surface_of(mesh);
  if (triangle >= surface.triangles.size())
    throw InvalidInput("triangle", "must be less than " + std::to_string(surface.triangles.size()) + ", got " +
                                       std::to_string(triangle));
  const auto& t = surface.triangles[triangle];
  const Point a = mesh.vertices[std::size_t(t[0])], b = mesh.vertices[std::size_t(t[1])],
              c = mesh.vertices[std::size_t(t[2])];
  // The shortest turn of the outside to -z; from +z it is any half turn.
  const Point outside = (b - a).cross(c - a).normalized(), axis = outside.cross(-Point::UnitZ());
  const double cosine = -outside[2];
  Eigen::Quaterniond turn(1.0 + cosine, axis[0], axis[1], axis[2]);
  turn = cosine > -1.0 + 1e-15 ? turn.normalized() : Eigen::Quaterniond(0.0, 1.0, 0.0, 0.0);
  const Point middle = (a + b + c) / 3.0;
  for (Point& p : mesh.vertices) p = turn * (p - middle);
  for (const int corner : t) mesh.vertices[std::size_t(corner)][2] = 0.0;
  return mesh;
}

}  // namespace carom
