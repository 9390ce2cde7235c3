// Sound meshes have the surface, volume and masses of their solid; unsound ones are told by name.
#include "carom/soft/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <set>

#include "core/random.hpp"

namespace {

using namespace carom;
using carom::testing::refusal;
using carom::testing::Rng;
using carom::testing::uniform;

TetMesh unit_tet() { return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}}; }

/// n^3 cubes of six tetrahedra each, sheared, turned and with vertices in any order.
TetMesh random_block(Rng& rng, int n) {
  TetMesh mesh;
  const auto id = [n](int i, int j, int k) { return (i * (n + 1) + j) * (n + 1) + k; };
  Eigen::Matrix3d map = Eigen::Matrix3d::Identity();
  for (int i = 0; i < 9; ++i) map(i / 3, i % 3) += uniform(rng, -0.2, 0.2);
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j)
      for (int k = 0; k <= n; ++k) mesh.vertices.push_back(map * Eigen::Vector3d(i, j, k));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        std::array<int, 3> axes = {0, 1, 2};
        do {  // along the diagonal of the cube, one step an axis
          std::array<int, 3> at = {i, j, k};
          std::array<int, 4> tet = {id(i, j, k), 0, 0, 0};
          for (std::size_t s = 0; s < 3; ++s) {
            ++at[std::size_t(axes[s])];
            tet[s + 1] = id(at[0], at[1], at[2]);
          }
          std::shuffle(tet.begin(), tet.end(), rng);
          mesh.tets.push_back(tet);
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
  return mesh;
}

TEST(TetMesh, OneTetrahedron) {
  TetMesh mesh = unit_tet();
  EXPECT_FALSE(find_defect(mesh));
  EXPECT_DOUBLE_EQ(volume(mesh), 1.0 / 6.0);
  EXPECT_EQ(surface_of(mesh).triangles.size(), 4u);
  EXPECT_EQ(orient(mesh), 0u);
  std::swap(mesh.tets[0][0], mesh.tets[0][1]);
  EXPECT_FALSE(find_defect(mesh));
  EXPECT_EQ(orient(mesh), 1u);
  EXPECT_GT(signed_volume(mesh, 0), 0.0);
  EXPECT_DOUBLE_EQ(tet_masses(mesh, 12.0)[0], 2.0);
  for (const double m : nodal_masses(mesh, {2.0})) EXPECT_DOUBLE_EQ(m, 0.5);
}

TEST(TetMesh, QualityOfTheRegularTetrahedron) {
  const TetMesh mesh = {{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, {{0, 1, 2, 3}}};
  const MeshQuality q = quality(mesh);
  EXPECT_NEAR(q.worst_ratio, 1.0, 1e-14);
  EXPECT_NEAR(q.smallest_dihedral, std::acos(1.0 / 3.0), 1e-14);
  EXPECT_NEAR(q.largest_dihedral, std::acos(1.0 / 3.0), 1e-14);
  EXPECT_NEAR(q.shortest_edge, std::sqrt(8.0), 1e-15);
  EXPECT_NEAR(q.longest_edge, std::sqrt(8.0), 1e-15);
  EXPECT_NEAR(q.smallest_volume, 8.0 / 3.0, 1e-14);
}

TEST(TetMesh, QualityOfTheCornerOfACube) {
  // Inradius 1 / (3 + sqrt 3), circumradius sqrt(3) / 2; three right angles and three of acos(1 / sqrt 3).
  const MeshQuality q = quality(unit_tet());
  EXPECT_NEAR(q.worst_ratio, 3.0 / (3.0 + std::sqrt(3.0)) / (std::sqrt(3.0) / 2.0), 1e-14);
  EXPECT_NEAR(q.largest_dihedral, std::numbers::pi / 2, 1e-14);
  EXPECT_NEAR(q.smallest_dihedral, std::acos(1.0 / std::sqrt(3.0)), 1e-14);
}

TEST(TetMesh, BlocksAreSound) {
  // Whatever the orientation of each tetrahedron: volume by the determinant of the map, an outward closed surface
  // (Gauss: its volume is the same, its area vectors sum to zero), Euler's characteristic 2.
  Rng rng(17);
  for (int repeat = 0; repeat < 40; ++repeat) {
    const int n = 1 + repeat % 4;
    TetMesh mesh = random_block(rng, n);
    const auto defect = find_defect(mesh);
    ASSERT_FALSE(defect) << defect->message;
    const MeshSurface surface = surface_of(mesh);
    EXPECT_EQ(surface.triangles.size(), 12u * unsigned(n) * unsigned(n));
    EXPECT_EQ(surface.vertices.size(), surface.triangles.size() / 2 + 2);
    EXPECT_TRUE(std::is_sorted(surface.vertices.begin(), surface.vertices.end()));
    double inside = 0.0;
    Eigen::Vector3d area = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
      const auto& t = surface.triangles[i];
      const auto at = [&](int k) { return mesh.vertices[std::size_t(t[std::size_t(k)])]; };
      inside += at(0).cross(at(1)).dot(at(2)) / 6.0;
      area += (at(1) - at(0)).cross(at(2) - at(0));
      const auto& behind = mesh.tets[std::size_t(surface.tets[i])];
      for (const int v : t) EXPECT_NE(std::find(behind.begin(), behind.end(), v), behind.end());
    }
    const double v = volume(mesh);
    EXPECT_NEAR(inside, v, 1e-12 * v);
    EXPECT_LT(area.norm(), 1e-11 * n * n);
    orient(mesh);
    EXPECT_EQ(orient(mesh), 0u);
    EXPECT_DOUBLE_EQ(volume(mesh), v);
    EXPECT_EQ(surface_of(mesh).vertices, surface.vertices);
    double mass = 0.0;
    for (const double m : nodal_masses(mesh, tet_masses(mesh, 3.0))) mass += m;
    EXPECT_NEAR(mass, 3.0 * v, 1e-12 * v);
  }
}

struct Unsound {
  const char* name;
  TetMesh mesh;
  MeshDefectType type;
  const char* message;
};

std::vector<Unsound> unsound_meshes() {
  using enum MeshDefectType;
  const std::vector<Eigen::Vector3d> corner = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {-1, -1, -1}};
  std::vector<Eigen::Vector3d> two = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 4; ++i) two.push_back(two[std::size_t(i)] + Eigen::Vector3d(5, 0, 0));
  return {
      {"repeated", {corner, {{0, 1, 2, 3}, {1, 2, 3, 1}}}, repeated_vertex, "tets[1] names vertex 1 twice"},
      {"flat",
       {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2, 3}}},
       flat_tet,
       "tets[0] has no volume: 0 m^3 with a longest edge of 1.4142135623730951 m"},
      {"duplicate",
       {{corner.begin(), corner.begin() + 4}, {{0, 1, 2, 3}, {3, 1, 0, 2}}},
       duplicate_tet,
       "tets[1] has the same vertices as tets[0]"},
      {"unused", {corner, {{0, 1, 2, 3}}}, unused_vertex, "vertices[4] belongs to no tetrahedron (2 vertices do not)"},
      {"crowded",
       {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {1, 1, 2}},
        {{0, 1, 2, 3}, {0, 1, 2, 4}, {0, 1, 2, 5}}},
       crowded_face,
       "the face of vertices 0, 1 and 2 belongs to 3 tetrahedra: tets[0], tets[1] and tets[2]"},
      {"folded",
       {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 2}}, {{0, 1, 2, 3}, {0, 1, 2, 4}}},
       folded_face,
       "tets[0] and tets[1] lie on the same side of their common face of vertices 0, 1 and 2: they overlap"},
      {"parts",
       {two, {{0, 1, 2, 3}, {4, 5, 6, 7}}},
       several_parts,
       "the mesh is 2 separate parts: tets[1] (vertex 4) does not hang together with tets[0]"},
      {"edge",
       {{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}}, {{0, 1, 2, 3}, {0, 1, 4, 5}}},
       nonmanifold_edge,
       "the edge of vertices 0 and 1 belongs to 4 triangles of the surface instead of 2 (tets[0] and tets[1])"},
      {"vertex",
       {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {{0, 1, 2, 3}, {0, 4, 5, 6}}},
       nonmanifold_vertex,
       "vertices[0] joins sheets of the surface that touch nowhere else near it"},
  };
}

TEST(TetMesh, DefectsAreToldByName) {
  std::set<MeshDefectType> seen;
  for (const Unsound& unsound : unsound_meshes()) {
    const auto defect = find_defect(unsound.mesh);
    ASSERT_TRUE(defect) << unsound.name;
    EXPECT_EQ(defect->type, unsound.type) << unsound.name;
    EXPECT_EQ(defect->message, unsound.message);
    EXPECT_FALSE(defect->where.empty());
    seen.insert(defect->type);
  }
  EXPECT_EQ(seen.size(), names_of<MeshDefectType>.size());
}

TEST(TetMesh, DefectsDoNotDependOnOrientation) {
  for (Unsound& unsound : unsound_meshes()) {
    for (auto& tet : unsound.mesh.tets) std::swap(tet[0], tet[1]);
    const auto defect = find_defect(unsound.mesh);
    ASSERT_TRUE(defect) << unsound.name;
    EXPECT_EQ(defect->type, unsound.type) << unsound.name;
  }
}

TEST(TetMesh, HolesAreFine) {
  // A block with its middle cube taken out (a cavity), and with a whole row taken out (a tunnel).
  Rng rng(5);
  const TetMesh block = random_block(rng, 3);
  const auto without = [&](const std::set<std::size_t>& cubes) {
    TetMesh mesh = block;
    mesh.tets.clear();
    for (std::size_t i = 0; i < block.tets.size(); ++i)
      if (!cubes.contains(i / 6)) mesh.tets.push_back(block.tets[i]);
    return mesh;
  };
  EXPECT_FALSE(find_defect(without({13})));
  EXPECT_FALSE(find_defect(without({4, 13, 22})));
  const auto defect = find_defect(without({13, 1}));  // an edge keeps them apart
  ASSERT_TRUE(defect);
  EXPECT_EQ(defect->type, MeshDefectType::nonmanifold_edge);
}

TEST(TetMesh, FlatnessIsMeasuredByTheLongestEdge) {
  for (const double size : {1e-9, 1e-3, 1.0, 1e6, 1e90}) {
    TetMesh mesh = unit_tet();
    mesh.vertices[3] = {0.3, 0.3, 1e-10};
    for (auto& v : mesh.vertices) v *= size;
    EXPECT_FALSE(find_defect(mesh)) << size;
    mesh.vertices[3][2] = 1e-13 * size;
    ASSERT_TRUE(find_defect(mesh)) << size;
    EXPECT_EQ(find_defect(mesh)->type, MeshDefectType::flat_tet);
  }
}

TEST(TetMesh, WhatIsNoMeshIsRefused) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  TetMesh mesh = unit_tet();
  mesh.tets[0][2] = 4;
  EXPECT_EQ(refusal([&] { require_mesh(mesh); }), "tets[0]: must be indices of the 4 vertices, from 0, got 4");
  EXPECT_EQ(refusal([&] { find_defect(mesh); }), "tets[0]: must be indices of the 4 vertices, from 0, got 4");
  mesh.tets[0][2] = -1;
  EXPECT_EQ(refusal([&] { surface_of(mesh); }), "tets[0]: must be indices of the 4 vertices, from 0, got -1");
  mesh = unit_tet();
  mesh.tets.clear();
  EXPECT_EQ(refusal([&] { orient(mesh); }), "tets: must not be empty");
  for (const double bad : {inf, -inf, std::nan(""), 1e101}) {
    mesh = unit_tet();
    mesh.vertices[2][1] = bad;
    EXPECT_NE(refusal([&] { volume(mesh); }).find("vertices[2]: must be finite"), std::string::npos);
  }
  EXPECT_EQ(refusal([&] { tet_masses(unit_tet(), 0.0); }).substr(0, 8), "density:");
  EXPECT_EQ(refusal([&] { nodal_masses(unit_tet(), {1.0, 2.0}); }), "masses: must be one per tetrahedron, 1, got 2");
  EXPECT_EQ(refusal([&] { nodal_masses(unit_tet(), {-1.0}); }).substr(0, 10), "masses[0]:");
}

}  // namespace
