// Mass properties of uniform solids, of their compositions and of polyhedra.
#include "carom/core/inertia.hpp"

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <vector>

#include "carom/core/linear_algebra.hpp"

#include "core/polyhedra.hpp"
#include "core/random.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;
using testing::inside_out;
using testing::properties;
using testing::refusal;
using testing::together;
using testing::volume;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = std::numbers::pi;

/// Equal to `tolerance`, the centre relative to `size` and the inertia relative to its own largest entry.
void expect_same(const MassProperties& a, const MassProperties& b, double tolerance, double size = 1.0) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * std::abs(b.mass));
  EXPECT_LT((a.center - b.center).norm(), tolerance * size) << a.center.transpose() << " | " << b.center.transpose();
  EXPECT_LT((a.inertia - b.inertia).cwiseAbs().maxCoeff(), tolerance * b.inertia.cwiseAbs().maxCoeff())
      << a.inertia << "\n|\n"
      << b.inertia;
}

Vector3d principal(const Eigen::Matrix3d& inertia) { return symmetric_eigenvalues(inertia); }

/// Integral over the unit cube by a product of Gauss rules of `place(u, v, w) -> (density, point)`: for the solids
/// below polynomials of low degree and sines, so exact to rounding.
template <class Place>
MassProperties integrated(double mass, const Place& place) {
  using Rule = boost::math::quadrature::gauss<double, 30>;
  std::vector<std::pair<double, double>> nodes;
  for (std::size_t i = 0; i < Rule::abscissa().size(); ++i)
    for (const double side : {-1.0, 1.0})
      nodes.emplace_back(0.5 + 0.5 * side * Rule::abscissa()[i], 0.5 * Rule::weights()[i]);
  testing::PointMoments m;
  for (const auto& [u, wu] : nodes)
    for (const auto& [v, wv] : nodes)
      for (const auto& [w, ww] : nodes) {
        const auto [density, point] = place(u, v, w);
        m.add(wu * wv * ww * density, point);
      }
  return m.properties(mass);
}

Vector3d polar(double r, double angle, double z) { return {r * std::cos(angle), r * std::sin(angle), z}; }

TEST(Solids, AgainstNumericalIntegration) {
  constexpr double m = 2.5, r = 0.7, h = 1.3;
  using Place = std::pair<double, Vector3d>;
  expect_same(solid_sphere(m, r),
              integrated(m,
                         [&](double u, double v, double w) {
                           return Place{u * u * std::sin(pi * v),
                                        polar(r * u * std::sin(pi * v), 2 * pi * w, r * u * std::cos(pi * v))};
                         }),
              1e-12);
  expect_same(
      spherical_shell(m, r),
      integrated(m,
                 [&](double, double v, double w) {
                   return Place{std::sin(pi * v), polar(r * std::sin(pi * v), 2 * pi * w, r * std::cos(pi * v))};
                 }),
      1e-12);
  expect_same(disc(m, r),
              integrated(m,
                         [&](double u, double, double w) {
                           return Place{u, polar(r * u, 2 * pi * w, 0)};
                         }),
              1e-12);
  expect_same(thin_rod(m, h),
              integrated(m,
                         [&](double u, double, double) {
                           return Place{1, {h * (u - 0.5), 0, 0}};
                         }),
              1e-12);
  expect_same(rectangle(m, {0.3, 0.7}),
              integrated(m,
                         [&](double u, double v, double) {
                           return Place{1, {0.3 * (u - 0.5), 0.7 * (v - 0.5), 0}};
                         }),
              1e-12);
  expect_same(box(m, {0.3, 0.7, 1.1}),
              integrated(m,
                         [&](double u, double v, double w) {
                           return Place{1, {0.3 * (u - 0.5), 0.7 * (v - 0.5), 1.1 * (w - 0.5)}};
                         }),
              1e-12);
  expect_same(cylinder(m, r, h),
              integrated(m,
                         [&](double u, double v, double w) {
                           return Place{u, polar(r * u, 2 * pi * w, h * (v - 0.5))};
                         }),
              1e-12);
  expect_same(cone(m, r, h),
              integrated(m,
                         [&](double u, double v, double w) {
                           return Place{u * v * v, polar(r * u * v, 2 * pi * w, h * v)};
                         }),
              1e-12);
}

TEST(Solids, CapsuleAndPencilAreTheirParts) {
  // A capsule from a cylinder and two half balls, each from numerical integration.
  constexpr double m = 2.5, r = 0.7, l = 1.3;
  using Place = std::pair<double, Vector3d>;
  const double ends = m * (4.0 / 3.0 * r) / (l + 4.0 / 3.0 * r);
  const MassProperties half = integrated(0.5 * ends, [&](double u, double v, double w) {
    return Place{u * u * std::sin(0.5 * pi * v),
                 polar(r * u * std::sin(0.5 * pi * v), 2 * pi * w, r * u * std::cos(0.5 * pi * v))};
  });
  const Eigen::Quaterniond over(Eigen::AngleAxisd(pi, Vector3d::UnitX()));
  expect_same(capsule(m, r, l),
              joined(std::vector{cylinder(m - ends, r, l), placed(half, {0, 0, 0.5 * l}),
                                 placed(half, {0, 0, -0.5 * l}, over)}),
              1e-12);
  // A pencil is of one material: the cone has a third of the volume of the cylinder it fits in.
  expect_same(pencil(4.0, r, l, 3.0 * l),
              joined(std::vector{cone(2.0, r, 3.0 * l), placed(cylinder(2.0, r, l), {0, 0, 3.5 * l})}), 1e-14, l);
}

TEST(Solids, ClosedForms) {  // textbook values, mass 1
  EXPECT_EQ(solid_sphere(1, 1).inertia, Eigen::Matrix3d(0.4 * Eigen::Matrix3d::Identity()));
  EXPECT_NEAR(spherical_shell(1, 1).inertia(0, 0), 2.0 / 3.0, 1e-16);
  EXPECT_EQ(disc(1, 1).inertia.diagonal(), Vector3d(0.25, 0.25, 0.5));
  EXPECT_EQ(thin_rod(12, 1).inertia.diagonal(), Vector3d(0, 1, 1));
  EXPECT_EQ(box(12, {1, 2, 3}).inertia.diagonal(), Vector3d(13, 10, 5));
  EXPECT_EQ(cylinder(12, 1, 2).inertia.diagonal(), Vector3d(7, 7, 6));
  EXPECT_EQ(cone(80, 2, 4).inertia.diagonal(), Vector3d(96, 96, 96));  // 12 r^2 + 3 h^2 and 24 r^2
  EXPECT_EQ(cone(80, 2, 4).center, Vector3d(0, 0, 3));
}

TEST(Solids, Limits) {
  // A cylinder without height is a disc, one without radius a rod (along z here).
  expect_same(cylinder(2, 0.5, 1e-9), disc(2, 0.5), 1e-15);
  EXPECT_NEAR(cylinder(2, 1e-9, 0.5).inertia(0, 0), thin_rod(2, 0.5).inertia(1, 1), 1e-16);
  // A capsule without a straight part is a ball, without radius a rod; a pencil without a point is a cylinder.
  expect_same(capsule(2, 0.5, 1e-15), solid_sphere(2, 0.5), 1e-14);
  EXPECT_NEAR(capsule(2, 1e-9, 0.5).inertia(0, 0), thin_rod(2, 0.5).inertia(1, 1), 1e-9);
  expect_same(pencil(2, 0.5, 1.0, 1e-15), placed(cylinder(2, 0.5, 1.0), {0, 0, 0.5}), 1e-14);
  expect_same(rectangle(2, {0.3, 0.7}), box(2, {0.3, 0.7, 1e-9}), 1e-15);
}

TEST(Solids, Refusals) {
  EXPECT_EQ(refusal([] { solid_sphere(0, 1); }), "mass: must be positive, got 0");
  EXPECT_EQ(refusal([] { solid_sphere(1, -1); }), "radius: must be positive, got -1");
  EXPECT_EQ(refusal([] { spherical_shell(nan, 1); }), "mass: must be a finite number, got nan");
  EXPECT_EQ(refusal([] { spherical_shell(1, 0); }), "radius: must be positive, got 0");
  EXPECT_EQ(refusal([] { disc(-1, 1); }), "mass: must be positive, got -1");
  EXPECT_EQ(refusal([] { disc(1, nan); }), "radius: must be a finite number, got nan");
  EXPECT_EQ(refusal([] { thin_rod(0, 1); }), "mass: must be positive, got 0");
  EXPECT_EQ(refusal([] { thin_rod(1, 0); }), "length: must be positive, got 0");
  EXPECT_EQ(refusal([] { rectangle(0, {1, 1}); }), "mass: must be positive, got 0");
  EXPECT_EQ(refusal([] { rectangle(1, {1, nan}); }), "size: must be two positive lengths");
  EXPECT_EQ(refusal([] { capsule(0, 1, 1); }), "mass: must be positive, got 0");
  EXPECT_EQ(refusal([] { capsule(1, 0, 1); }), "radius: must be positive, got 0");
  EXPECT_EQ(refusal([] { capsule(1, 1, 0); }), "length: must be positive, got 0");
  EXPECT_EQ(refusal([] { pencil(0, 1, 1, 1); }), "mass: must be positive, got 0");
  EXPECT_EQ(refusal([] { pencil(1, 0, 1, 1); }), "radius: must be positive, got 0");
  EXPECT_EQ(refusal([] { pencil(1, 1, 0, 1); }), "height: must be positive, got 0");
  EXPECT_EQ(refusal([] { pencil(1, 1, 1, nan); }), "tip: must be a finite number, got nan");
  EXPECT_EQ(refusal([] { box(0, {1, 1, 1}); }), "mass: must be positive, got 0");
  EXPECT_EQ(refusal([] { box(1, {1, 0, 1}); }), "size[1]: must be positive, got 0");
  EXPECT_EQ(refusal([] { cylinder(0, 1, 1); }), "mass: must be positive, got 0");
  EXPECT_EQ(refusal([] { cylinder(1, 0, 1); }), "radius: must be positive, got 0");
  EXPECT_EQ(refusal([] { cylinder(1, 1, -2); }), "height: must be positive, got -2");
  EXPECT_EQ(refusal([] { cone(0, 1, 1); }), "mass: must be positive, got 0");
  EXPECT_EQ(refusal([] { cone(1, 0, 1); }), "radius: must be positive, got 0");
  EXPECT_EQ(refusal([] { cone(1, 1, nan); }), "height: must be a finite number, got nan");
}

TEST(Composition, ACylinderCutInTwoIsTheWhole) {
  const MassProperties whole = cylinder(3.0, 0.4, 1.5);
  const std::vector parts{placed(cylinder(1.0, 0.4, 0.5), {0, 0, -0.5}), placed(cylinder(2.0, 0.4, 1.0), {0, 0, 0.25})};
  expect_same(joined(parts), whole, 1e-15);
}

TEST(Composition, SurvivesAnyPlacement) {  // placing the parts or the whole is the same
  testing::Rng rng(6);
  for (int i = 0; i < 1000; ++i) {
    const std::vector parts{
        placed(box(1.0, {0.1, 0.5, 0.9}), testing::random_vector<3>(rng), testing::random_rotation(rng)),
        placed(cone(2.0, 0.3, 0.8), testing::random_vector<3>(rng), testing::random_rotation(rng)),
        placed(disc(0.5, 0.6), testing::random_vector<3>(rng), testing::random_rotation(rng))};
    const Vector3d offset = testing::random_vector<3>(rng, 10.0);
    const Eigen::Quaterniond turn = testing::random_rotation(rng);
    std::vector<MassProperties> moved;
    for (const auto& part : parts) moved.push_back(placed(part, offset, turn));
    expect_same(joined(moved), placed(joined(parts), offset, turn), 1e-14, 20.0);
  }
}

TEST(Composition, AHoleTakesAway) {
  // A tube: closed form m (3 (R^2 + r^2) + h^2) / 12 across, m (R^2 + r^2) / 2 about the axis.
  const double density = 2.0, big = 0.5, small = 0.3, h = 1.2;
  const auto mass = [&](double r) { return density * pi * r * r * h; };
  const std::vector parts{cylinder(mass(big), big, h), hole(cylinder(mass(small), small, h))};
  const MassProperties tube = joined(parts);
  const double m = mass(big) - mass(small), squares = big * big + small * small;
  EXPECT_NEAR(tube.mass, m, 1e-15);
  EXPECT_NEAR(tube.inertia(2, 2), 0.5 * m * squares, 1e-15);
  EXPECT_NEAR(tube.inertia(0, 0), m * (3 * squares + h * h) / 12, 1e-15);
  // Off the centre: filling the hole again gives the solid back.
  const MassProperties plug = placed(solid_sphere(0.1, 0.1), {0.2, 0.1, -0.3});
  const std::vector drilled{cylinder(1, 0.5, 1.2), hole(plug)};
  const std::vector filled{joined(drilled), plug};
  expect_same(joined(filled), cylinder(1, 0.5, 1.2), 1e-15);
}

TEST(Composition, Pencil) {
  // Jia 2012, eq. 89: cylinder on a cone of the same density, apex at the origin, axis z. Q11 with the cone's Steiner
  // term corrected (docs/theory: the paper's eq. 85 prints more); h from the text of section 8.2.
  const double r = 0.5, h1 = 3.0, h2 = 0.5;
  const double m1 = h1 / (h1 + h2 / 3), m2 = (h2 / 3) / (h1 + h2 / 3);
  const std::vector parts{placed(cylinder(m1, r, h1), {0, 0, h2 + h1 / 2}), cone(m2, r, h2)};
  const MassProperties pencil = joined(parts);
  EXPECT_NEAR(pencil.mass, 1.0, 1e-15);
  EXPECT_NEAR(pencil.center.z(), (6 * h1 * h1 + 12 * h1 * h2 + 3 * h2 * h2) / (12 * h1 + 4 * h2), 1e-15);
  EXPECT_NEAR(pencil.inertia(0, 0), 0.903869, 5e-7);
  EXPECT_NEAR(pencil.inertia(1, 1), pencil.inertia(0, 0), 1e-15);
}

TEST(Composition, Refusals) {
  const MassProperties ball = solid_sphere(1, 1);
  const auto join = [](std::vector<MassProperties> parts) { return refusal([&] { joined(parts); }); };
  EXPECT_EQ(join({}), "parts: must not be empty");
  EXPECT_EQ(join({ball, hole(ball)}), "parts: their total mass must be positive, got 0");
  EXPECT_EQ(join({hole(ball)}), "parts: their total mass must be positive, got -1");
  MassProperties half_hole = ball;
  half_hole.mass = -0.5;
  EXPECT_EQ(join({ball, half_hole}), "parts[1].inertia: must have the sign of the mass: a hole is negative in both");
  MassProperties bad = ball;
  bad.mass = nan;
  EXPECT_EQ(join({bad}), "parts[0].mass: must be a finite number, got nan");
  bad = ball;
  bad.center.x() = nan;
  EXPECT_EQ(join({ball, bad}), "parts[1].center: must be finite");
  bad = ball;
  bad.inertia(0, 1) = nan;
  EXPECT_EQ(join({ball, bad}), "parts[1].inertia: must be finite");
  EXPECT_EQ(refusal([&] { placed(ball, {0, nan, 0}); }), "offset: must be finite");
  EXPECT_EQ(refusal([&] {
              placed(ball, {0, 0, 0}, Eigen::Quaterniond(2, 0, 0, 0));
            }),
            "orientation: must be a unit quaternion, its length is 2");
}

TEST(Polyhedra, ClosedForms) {
  const double root5 = std::sqrt(5.0), g = testing::golden;
  const auto check = [](const Polyhedron& solid, std::size_t faces, double expected_volume, double moment) {
    EXPECT_EQ(solid.faces.size(), faces);
    EXPECT_NEAR(volume(solid), expected_volume, 1e-14 * expected_volume);
    expect_same(properties(solid, 1.0), {1.0, Vector3d::Zero(), moment * Eigen::Matrix3d::Identity()}, 1e-14);
  };
  check(testing::box_surface({1, 1, 1}), 6, 1.0, 1.0 / 6);
  // Regular tetrahedron of edge a = 2 sqrt 2: a^3 / (6 sqrt 2), a^2 / 20.
  check(testing::convex_hull({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}), 4, 8.0 / 3, 0.4);
  // Octahedron, a = sqrt 2: sqrt 2 a^3 / 3, a^2 / 10.
  check(testing::convex_hull(testing::even_permutations({{1, 0, 0}})), 8, 4.0 / 3, 0.2);
  // Icosahedron, a = 2: 5 (3 + sqrt 5) a^3 / 12, g^2 a^2 / 10.
  check(testing::icosahedron(), 20, 5.0 * (3 + root5) * 8 / 12, 0.4 * g * g);
  // Dodecahedron, a = 2/g: (15 + 7 sqrt 5) a^3 / 4, (39 g + 28) a^2 / 150.
  check(testing::dodecahedron(), 12, (15 + 7 * root5) * 2 / (g * g * g), (39 * g + 28) * 4 / (g * g) / 150);
}

TEST(Polyhedra, ABoxIsABox) {
  testing::Rng rng(7);
  for (int i = 0; i < 500; ++i) {
    const Vector3d size = Vector3d::Constant(1.0) + testing::random_vector<3>(rng, 0.9);
    expect_same(properties(testing::box_surface(size), 2.0), box(2.0, size), 1e-14);
  }
}

TEST(Polyhedra, TheSolidsOfWang2017Figure23) {
  // The "icosahedron" has pentagons and hexagons of side 0.1: a truncated one. Distance of a pentagon from the centre
  // 0.232744 and Q1 = 0.0671673 for m = 3 as printed.
  Polyhedron football = testing::truncated_icosahedron();
  EXPECT_EQ(football.vertices.size(), 60u);
  EXPECT_EQ(football.faces.size(), 32u);
  for (auto& v : football.vertices) v *= 0.05;
  const MassProperties one = properties(football, 3.0);
  expect_same(one, {3.0, Vector3d::Zero(), 0.0671673 * Eigen::Matrix3d::Identity()}, 1e-6);
  for (const auto& face : football.faces) {
    if (face.size() != 5) continue;
    Vector3d middle = Vector3d::Zero();
    for (const int i : face) middle += football.vertices[static_cast<std::size_t>(i)] / 5.0;
    EXPECT_NEAR(middle.norm(), 0.232744, 5e-7);
  }
  // The tetrahedron's principal moments: not as printed there (a misprinted formula) but as in the sheet of `spatial`.
  const MassProperties two =
      properties(testing::convex_hull({{0, 0, 0}, {0, 0, -0.75}, {0.5, 0, -0.5}, {0, 0.5, -0.5}}), 1);
  EXPECT_LT((two.center - Vector3d(0.125, 0.125, -0.4375)).norm(), 1e-15);
  EXPECT_LT((principal(two.inertia) - Vector3d(0.018215, 0.021094, 0.027879)).cwiseAbs().maxCoeff(), 5e-7);
}

TEST(Polyhedra, TetrahedraAgainstTheirVertexFormula) {
  // Second moment about the centroid: m/20 sum of d d^T, d from the centroid to the vertices.
  testing::Rng rng(8);
  for (int i = 0; i < 2000; ++i) {
    Eigen::Matrix<double, 3, 4> v;
    for (int k = 0; k < 4; ++k) v.col(k) = testing::random_vector<3>(rng);
    const double six_volumes = (v.rightCols<3>().colwise() - v.col(0)).determinant();
    if (std::abs(six_volumes) < 1e-3) continue;
    std::vector<std::vector<int>> faces{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    if (six_volumes < 0.0)
      for (auto& face : faces) std::swap(face[0], face[1]);
    const std::vector<Vector3d> vertices(v.colwise().begin(), v.colwise().end());
    const Vector3d center = v.rowwise().mean();
    const Eigen::Matrix<double, 3, 4> d = v.colwise() - center;
    const Eigen::Matrix3d second = 1.5 / 20.0 * d * d.transpose();
    expect_same(polyhedron(1.5, vertices, faces), {1.5, center, second.trace() * Eigen::Matrix3d::Identity() - second},
                1e-13);
    EXPECT_NEAR(polyhedron_volume(vertices, faces), std::abs(six_volumes) / 6.0, 1e-15);
  }
}

TEST(Polyhedra, ConvexHullsAgainstQuadratureAndCovariance) {
  testing::Rng rng(9);
  for (int i = 0; i < 300; ++i) {
    std::vector<Vector3d> points;
    for (int k = 0; k < 12; ++k) points.push_back(testing::random_vector<3>(rng));
    const Polyhedron solid = testing::convex_hull(points);
    const MassProperties here = properties(solid, 2.0);
    const auto rule = testing::tetrahedron_rule(solid);
    EXPECT_NEAR(volume(solid), rule.mass, 1e-14 * rule.mass);
    expect_same(here, rule.properties(2.0), 1e-13);
    const Vector3d offset = testing::random_vector<3>(rng, 5.0);
    const Eigen::Quaterniond turn = testing::random_rotation(rng);
    Polyhedron moved = solid;
    for (auto& v : moved.vertices) v = turn * v + offset;
    expect_same(properties(moved, 2.0), placed(here, offset, turn), 1e-13);
    EXPECT_NEAR(volume(moved), volume(solid), 1e-13);
  }
}

TEST(Polyhedra, FarFromTheOriginNothingIsLost) {
  // Coordinates on a binary grid, so that the shift itself is exact.
  const Polyhedron near = testing::convex_hull({{0, 0, 0}, {1.5, 0, 0}, {0.25, 1, 0}, {0.5, 0.5, 2}, {1, 1, 1}});
  const Vector3d far(1048576.0, -4194304.0, 2097152.0);
  Polyhedron shifted = near;
  for (auto& v : shifted.vertices) v += far;
  const MassProperties a = properties(near, 1), b = properties(shifted, 1);
  EXPECT_LT((a.inertia - b.inertia).cwiseAbs().maxCoeff(), 1e-9);  // second order in the rounding of the mean
  EXPECT_LT((b.center - far - a.center).norm(), 1e-9);             // an ulp of the coordinates
  EXPECT_NEAR(volume(near), volume(shifted), 1e-9);
}

TEST(Polyhedra, NotConvex) {
  // An L-shaped prism, its two end faces hexagons with a notch, from wherever they start.
  for (std::size_t start = 0; start < 6; ++start) {
    Polyhedron prism;
    const double outline[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 2}, {0, 2}};
    for (int top = 0; top < 2; ++top)
      for (const auto& p : outline) prism.vertices.emplace_back(p[0], p[1], top);
    std::vector<int> top, bottom;
    for (int i = 0; i < 6; ++i) {
      prism.faces.push_back({i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6});
      const int k = (i + static_cast<int>(start)) % 6;
      top.push_back(k + 6);
      bottom.insert(bottom.begin(), k);
    }
    prism.faces.push_back(top);
    prism.faces.push_back(bottom);
    const std::vector parts{placed(box(3, {3, 1, 1}), {1.5, 0.5, 0.5}), placed(box(1, {1, 1, 1}), {0.5, 1.5, 0.5})};
    EXPECT_NEAR(volume(prism), 4.0, 1e-14);
    expect_same(properties(prism, 4.0), joined(parts), 1e-14);
  }
}

TEST(Polyhedra, CavitiesAndSeparatePieces) {
  const Polyhedron outer = testing::box_surface({2, 2, 2}), inner = testing::box_surface({1, 0.5, 1}, {0.25, 0.5, 0});
  const std::vector hollow{box(8, {2, 2, 2}), hole(placed(box(0.5, {1, 0.5, 1}), {0.25, 0.5, 0}))};
  expect_same(properties(together(outer, inside_out(inner)), 7.5), joined(hollow), 1e-14);
  const Polyhedron apart = testing::box_surface({1, 1, 1}, {5, 0, 0});
  const std::vector two{box(8, {2, 2, 2}), placed(box(1, {1, 1, 1}), {5, 0, 0})};
  expect_same(properties(together(outer, apart), 9), joined(two), 1e-14);
}

TEST(Polyhedra, SlenderAndTiny) {
  testing::Rng rng(10);
  for (const double thin : {1e-3, 1e-5, 1e-7})
    for (int i = 0; i < 100; ++i) {
      const Eigen::Quaterniond turn = testing::random_rotation(rng);
      for (const Vector3d& size : {Vector3d(1, thin, thin), Vector3d(1, 1, thin)}) {
        Polyhedron solid = testing::box_surface(size);
        for (auto& v : solid.vertices) v = turn * v;
        // The vertices know the thickness to 1e-16 / thin.
        EXPECT_NEAR(volume(solid) / size.prod(), 1.0, 1e-14 / thin);
        expect_same(properties(solid, 1), placed(box(1, size), Vector3d::Zero(), turn), 1e-14 / thin);
      }
    }
  for (const double unit : {1e-60, 1e-9, 1e9, 1e60}) {
    const Vector3d size = unit * Vector3d(1, 2, 3);
    expect_same(properties(testing::box_surface(size), 1), box(1, size), 1e-14, unit);
  }
}

TEST(Polyhedra, Refusals) {
  const Polyhedron cube = testing::box_surface({1, 1, 1});
  const auto text = [](const Polyhedron& solid) {
    const std::string first = refusal([&] { volume(solid); });
    EXPECT_EQ(refusal([&] { properties(solid, 1); }), first);
    return first;
  };
  EXPECT_EQ(refusal([&] { properties(cube, 0); }), "mass: must be positive, got 0");
  EXPECT_EQ(refusal([&] { properties(cube, nan); }), "mass: must be a finite number, got nan");
  EXPECT_EQ(text({}), "faces: the surface encloses no volume");
  EXPECT_EQ(text(inside_out(cube)),
            "faces: the surface is inside out: list each face counter-clockwise seen from outside");
  Polyhedron bad = cube;
  bad.faces.pop_back();  // {1, 3, 7, 5}: its neighbours lack their other side, the first by number at 1-5
  EXPECT_EQ(text(bad), "faces: the surface is open at the edge 1-5");
  bad = cube;
  std::reverse(bad.faces[1].begin(), bad.faces[1].end());
  EXPECT_EQ(text(bad),
            "faces[2]: uses the edge 5-4 in the same direction as another face: faces must all be counter-clockwise "
            "seen from outside");
  bad = cube;
  bad.faces[3][2] = 8;
  EXPECT_EQ(text(bad), "faces[3]: has no vertex 8: there are 8");
  bad.faces[3][2] = -1;
  EXPECT_EQ(text(bad), "faces[3]: has no vertex -1: there are 8");
  bad.faces[3] = {2, 6};
  EXPECT_EQ(text(bad), "faces[3]: must have at least 3 vertices, got 2");
  bad = cube;
  bad.vertices[4].y() = nan;
  EXPECT_EQ(text(bad), "vertices: must be finite");
}

TEST(Polyhedra, FlatSurfacesEncloseNoVolume) {
  testing::Rng rng(11);
  EXPECT_EQ(refusal([] { volume(testing::box_surface({1, 1, 0})); }), "faces: the surface encloses no volume");
  for (int i = 0; i < 2000; ++i) {  // turned and shifted, rounding leaves a volume of either sign
    Polyhedron flat = testing::box_surface({1, 0.7, 0});
    const Eigen::Quaterniond turn = testing::random_rotation(rng);
    const Vector3d offset = testing::random_vector<3>(rng, i % 2 == 0 ? 1.0 : 1e4);
    for (auto& v : flat.vertices) v = turn * v + offset;
    ASSERT_EQ(refusal([&] { volume(flat); }), "faces: the surface encloses no volume") << i;
  }
}

}  // namespace
}  // namespace carom
