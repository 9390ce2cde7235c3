// Built-in solids: sound, of the volume they should have, well shaped, mirror images of themselves, standing on the
// table.
#include "carom/soft/solids.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numbers>
#include <set>

#include "core/random.hpp"

namespace {

using namespace carom;
using carom::testing::refusal;

constexpr double pi = std::numbers::pi;

/// The vertices and tetrahedra on the other side of a plane through the axis are images of those on this side.
bool is_mirrored(const TetMesh& mesh, int axis) {
  const auto key = [](const Eigen::Vector3d& p) {
    std::array<long, 3> k;
    for (int i = 0; i < 3; ++i) k[std::size_t(i)] = std::lround(p[i] * 1e7);
    return k;
  };
  std::map<std::array<long, 3>, int> known;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) known[key(mesh.vertices[i])] = int(i);
  std::vector<int> image;
  for (Eigen::Vector3d p : mesh.vertices) {
    p[axis] = -p[axis];
    const auto found = known.find(key(p));
    if (found == known.end() || (mesh.vertices[std::size_t(found->second)] - p).norm() > 1e-15) return false;
    image.push_back(found->second);
  }
  std::set<std::array<int, 4>> tets;
  for (std::array<int, 4> t : mesh.tets) {
    std::sort(t.begin(), t.end());
    tets.insert(t);
  }
  for (std::array<int, 4> t : mesh.tets) {
    for (int& v : t) v = image[std::size_t(v)];
    std::sort(t.begin(), t.end());
    if (!tets.contains(t)) return false;
  }
  return true;
}

double lowest(const TetMesh& mesh) {
  double z = mesh.vertices[0][2];
  for (const auto& p : mesh.vertices) z = std::min(z, p[2]);
  return z;
}

void expect_sound(const TetMesh& mesh, double ratio) {
  const auto defect = find_defect(mesh);
  EXPECT_FALSE(defect) << defect->message;
  EXPECT_GT(quality(mesh).worst_ratio, ratio);
  EXPECT_EQ(lowest(mesh), 0.0);
  EXPECT_TRUE(is_mirrored(mesh, 0));
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) ASSERT_GT(signed_volume(mesh, i), 0.0);
}

TEST(Solids, RoundOnes) {
  for (const double size : {0.06, 0.03, 0.02, 0.0125, 0.009}) {
    expect_sound(round_mesh({Eigen::Vector3d::Constant(0.05)}, size), 0.53);
    expect_sound(round_mesh({{0.033, 0.055, 0.033}}, size / 2), 0.28);
    expect_sound(round_mesh({{0.035, 0.035, 0.03}, 0.0, 0.2}, size / 2), 0.42);
    expect_sound(round_mesh({{0.03, 0.03, 0.04}, 0.2, 0.0}, size / 2), 0.28);
  }
}

TEST(Solids, RoundOnesStandOnOneFacet) {
  for (const double size : {0.05, 0.03, 0.016, 0.01, 0.008}) {
    const TetMesh mesh = round_mesh({{0.05, 0.04, 0.03}}, size);
    int on_table = 0;
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    for (const auto& p : mesh.vertices)
      if (p[2] < 1e-9 * 0.05) ++on_table, middle += p / 3.0;
    EXPECT_EQ(on_table, 3);
    EXPECT_LT(middle.head<2>().norm(), 1e-15);
  }
}

TEST(Solids, VolumesConverge) {
  // Flat facets miss a share of the volume that goes with the square of their size: halving it quarters the error.
  const auto order = [](double exact, double coarse, double fine) {
    EXPECT_LT(coarse, exact);
    EXPECT_LT(fine, exact);
    return (exact - coarse) / (exact - fine);
  };
  const double ball = 4.0 / 3.0 * pi;
  EXPECT_NEAR(order(ball, volume(round_mesh({}, 0.2)), volume(round_mesh({}, 0.1))), 4.0, 0.1);
  EXPECT_NEAR(order(ball, volume(round_mesh({}, 0.1)), volume(round_mesh({}, 0.05))), 4.0, 0.1);
  EXPECT_NEAR(volume(round_mesh({{3, 2, 1}}, std::cbrt(6.0) / 10)), 6.0 * volume(round_mesh({}, 0.1)), 1e-12);
  // The egg: widths 1 - t z, so pi (1 - z^2) (1 - t z)^2 integrated over z.
  const double t = 0.2, egg = pi * (4.0 / 3.0 + t * t * 4.0 / 15.0);
  EXPECT_NEAR(order(egg, volume(round_mesh({{1, 1, 1}, t, 0}, 0.2)), volume(round_mesh({{1, 1, 1}, t, 0}, 0.1))), 4.0,
              0.2);
  // pi h (R^2 + R r + r^2) / 3, of which polygons of 6 n corners take their share.
  const double frustum = pi * 0.031 * (0.031 * 0.031 + 0.031 * 0.025 + 0.025 * 0.025) / 3.0;
  for (const int n : {1, 2, 5, 11}) {
    const double share = 6 * n * std::sin(pi / (3 * n)) / (2 * pi);
    const double v = volume(frustum_mesh(0.031, 0.025, 0.031, 0.031 / n));
    EXPECT_NEAR(v, share * frustum, 1e-4 * frustum / (n * n));  // sides of a layer are cut in triangles
  }
  EXPECT_NEAR(volume(box_mesh({0.1, 0.2, 0.3}, 0.04)), 0.006, 1e-16);
}

TEST(Solids, FrustumsAndBoxes) {
  for (const double size : {0.05, 0.02, 0.01, 0.004}) {
    const TetMesh frustum = frustum_mesh(0.031, 0.025, 0.031, size);
    expect_sound(frustum, 0.5);
    const TetMesh cylinder = frustum_mesh(0.02, 0.02, 0.08, size);
    expect_sound(cylinder, 0.3);
    for (const TetMesh* mesh : {&frustum, &cylinder}) {
      // The discs at both ends have the radius asked for.
      const double height = mesh == &frustum ? 0.031 : 0.08, top = mesh == &frustum ? 0.025 : 0.02;
      double reach = 0.0;
      for (const auto& p : mesh->vertices)
        if (p[2] == height) reach = std::max(reach, p.head<2>().norm());
      EXPECT_NEAR(reach, top, 1e-16);
    }
    const TetMesh box = box_mesh({0.1, 0.06, 0.04}, size);
    expect_sound(box, 0.3);
    EXPECT_TRUE(is_mirrored(box, 1));
  }
}

TEST(Solids, LaidOnAFacet) {
  const TetMesh standing = round_mesh({Eigen::Vector3d::Constant(0.05)}, 0.0125);
  const MeshSurface surface = surface_of(standing);
  for (std::size_t i = 0; i < surface.triangles.size(); i += 13) {
    const TetMesh mesh = laid_on_facet(standing, i);

    EXPECT_GT(lowest(mesh), -1e-16);
    for (const int v : surface.triangles[i]) EXPECT_EQ(mesh.vertices[std::size_t(v)][2], 0.0);
    EXPECT_NEAR(volume(mesh), volume(standing), 1e-15 * volume(standing) * 100);
  }
  EXPECT_EQ(refusal([&] { laid_on_facet(standing, 9999); }), "triangle: must be less than 320, got 9999");
}

TEST(Solids, BadSizes) {
  EXPECT_EQ(refusal([] { round_mesh({{1, 1, 0}}, 0.1); }).substr(0, 10), "half_axes:");
  EXPECT_EQ(refusal([] { round_mesh({{1, 1, 1}, 0.6}, 0.1); }).substr(0, 6), "taper:");
  EXPECT_EQ(refusal([] { round_mesh({{1, 1, 1}, 0.0, 0.5}, 0.1); }).substr(0, 7), "dimple:");
  EXPECT_EQ(refusal([] { round_mesh({}, 1e-9); }).substr(0, 28), "size: must not be so small: ");
  EXPECT_EQ(refusal([] { round_mesh({}, 1e-300); }).substr(0, 5), "size:");
  EXPECT_EQ(refusal([] { frustum_mesh(1, 0, 1, 0.1); }).substr(0, 11), "top_radius:");
  EXPECT_EQ(refusal([] { frustum_mesh(1, 1, 1e300, 1e-300); }).substr(0, 5), "size:");
  EXPECT_EQ(refusal([] { box_mesh({1, std::nan(""), 1}, 0.1); }).substr(0, 9), "sizes[1]:");
  EXPECT_EQ(refusal([] { box_mesh({1, 1, 1}, 1e-3); }).substr(0, 5), "size:");
}

}  // namespace
