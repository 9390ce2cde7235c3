// Bodies that several tests look at.
#pragma once

#include <array>
#include <cmath>
#include <random>

#include "carom/soft/stiffness.hpp"

namespace carom::test {

/// The single tetrahedron of Wang 2017, section 6.3.2; vertex 0 is free.
inline SoftBody single_tetrahedron() {
  const double r3 = std::sqrt(3.0);
  SoftBody body;
  body.mesh.vertices = {
      {r3 / 40, 1.0 / 40, 2 * std::sqrt(2.0) / 40}, {r3 / 20, 0, 0}, {r3 / 40, 3.0 / 40, 0}, {0, 0, 0}};
  body.mesh.tets = {{0, 1, 2, 3}};
  body.young = 5e3;
  body.poisson = 0.3;
  body.density = 1e3;
  body.gravity = {0, 0, -9.8};
  body.fixed = {1, 2, 3};
  return body;
}

/// A box of nx * ny * nz cubes of six tetrahedra each, its inner vertices shaken by `shake` of a cube.
inline TetMesh shaken_box(int nx, int ny, int nz, const Eigen::Vector3d& size, double shake, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-shake, shake);
  TetMesh mesh;
  const auto id = [&](int i, int j, int k) { return (i * (ny + 1) + j) * (nz + 1) + k; };
  for (int i = 0; i <= nx; ++i)
    for (int j = 0; j <= ny; ++j)
      for (int k = 0; k <= nz; ++k) {
        Eigen::Vector3d at(i, j, k);
        if (i > 0 && i < nx && j > 0 && j < ny && k > 0 && k < nz)
          at += Eigen::Vector3d(uniform(random), uniform(random), uniform(random));
        mesh.vertices.push_back(at.cwiseQuotient(Eigen::Vector3d(nx, ny, nz)).cwiseProduct(size));
      }
  const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k)
        for (const auto& axes : order) {
          std::array<int, 3> at = {i, j, k};
          std::array<int, 4> tet = {id(i, j, k), 0, 0, 0};
          for (std::size_t s = 0; s < 3; ++s) {
            ++at[static_cast<std::size_t>(axes[s])];
            tet[s + 1] = id(at[0], at[1], at[2]);
          }
          mesh.tets.push_back(tet);
        }
  orient(mesh);
  return mesh;
}

/// The vertices with this z.
inline std::vector<int> vertices_at_height(const TetMesh& mesh, double z) {
  std::vector<int> found;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (mesh.vertices[v].z() == z) found.push_back(static_cast<int>(v));
  return found;
}

/// A shaken box of jelly on a table.
inline SoftBody jelly_box(int cells, unsigned seed = 1) {
  SoftBody body;
  body.mesh = shaken_box(cells, cells, cells, {0.05, 0.05, 0.04}, 0.2, seed);
  body.young = 3e3;
  body.poisson = 0.4;
  body.density = 960;
  body.gravity = {0, 0, -9.8};
  body.fixed = vertices_at_height(body.mesh, 0.0);
  return body;
}

}  // namespace carom::test
