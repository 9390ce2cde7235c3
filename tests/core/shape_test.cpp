// Shapes: their mass against numerical integration and each other, what they look like, how far they reach.
#include "carom/core/shape.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "core/polyhedra.hpp"
#include "core/random.hpp"

namespace carom::testing {
namespace {

using Eigen::Vector2d, Eigen::Vector3d;

/// One of each, of sizes that nothing has in common.
std::vector<Shape> one_of_each() {
  const Polyhedron cube{
      {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}},
      {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};
  return {Sphere{0.7},
          SphericalShell{0.6},
          Disc{0.5},
          ThinRod{1.3},
          Rectangle{{0.4, 0.9}},
          Box{{0.3, 0.7, 1.1}},
          Cylinder{0.45, 0.8},
          Capsule{0.35, 0.9},
          Cone{0.55, 1.2},
          Pencil{0.25, 1.1, 0.4},
          Revolution{{{0.2, -0.5}, {0.4, -0.1}, {0.15, 0.6}, {0.3, 0.8}, {0.0, 1.0}}},
          DrilledBall{0.65, {{0.1, {0.1, 0.2, 0.3}, {0.0, 0.0, 2.0}}, {0.15, {-0.3, 0.0, 0.0}, {-1.0, 0.5, 0.0}}}},
          TruncatedIcosahedron{0.25},
          cube};
}

TEST(Shape, HasTheMassPropertiesOfItsSolid) {
  EXPECT_EQ(mass_properties(Sphere{0.3}, 2.0).inertia, solid_sphere(2.0, 0.3).inertia);
  EXPECT_EQ(mass_properties(SphericalShell{0.3}, 2.0).inertia, spherical_shell(2.0, 0.3).inertia);
  EXPECT_EQ(mass_properties(Disc{0.3}, 2.0).inertia, disc(2.0, 0.3).inertia);
  EXPECT_EQ(mass_properties(ThinRod{0.3}, 2.0).inertia, thin_rod(2.0, 0.3).inertia);
  EXPECT_EQ(mass_properties(Rectangle{{0.3, 0.5}}, 2.0).inertia, rectangle(2.0, {0.3, 0.5}).inertia);
  EXPECT_EQ(mass_properties(Box{{0.3, 0.5, 0.7}}, 2.0).inertia, box(2.0, {0.3, 0.5, 0.7}).inertia);
  EXPECT_EQ(mass_properties(Cylinder{0.3, 0.8}, 2.0).inertia, cylinder(2.0, 0.3, 0.8).inertia);
  EXPECT_EQ(mass_properties(Capsule{0.3, 0.8}, 2.0).inertia, capsule(2.0, 0.3, 0.8).inertia);
  EXPECT_EQ(mass_properties(Cone{0.3, 0.8}, 2.0).center, cone(2.0, 0.3, 0.8).center);
  EXPECT_EQ(mass_properties(Pencil{0.3, 0.8, 0.2}, 2.0).center, pencil(2.0, 0.3, 0.8, 0.2).center);
  for (const Shape& shape : one_of_each()) {
    const MassProperties solid = mass_properties(shape, 2.0);
    EXPECT_EQ(solid.mass, 2.0);
    const Body body = body_of(shape, 2.0);
    EXPECT_EQ(body.mass, 2.0);
    EXPECT_EQ(body.inertia, solid.inertia);
    EXPECT_EQ(body.position, Vector3d::Zero());
  }
}

TEST(Shape, InThePlaneTurnsAboutZ) {
  for (const Shape& shape : one_of_each())
    EXPECT_NEAR(planar_inertia(shape, 2.0), mass_properties(shape, 2.0).inertia(2, 2), 1e-15);
  // The digits planar scenarios have always had.
  EXPECT_EQ(planar_inertia(Sphere{0.3}, 1.7), 1.7 * 0.3 * 0.3 * 0.4);
  EXPECT_EQ(planar_inertia(Disc{0.3}, 1.7), 1.7 * 0.3 * 0.3 / 2.0);
  EXPECT_EQ(planar_inertia(ThinRod{0.3}, 1.7), 1.7 * 0.3 * 0.3 / 12.0);
  EXPECT_EQ(planar_inertia(Rectangle{{0.3, 0.7}}, 1.7), 1.7 * Vector2d(0.3, 0.7).squaredNorm() / 12.0);
}

TEST(Shape, NamesTheSizeThatIsWrong) {
  EXPECT_EQ(refusal([] { require_valid(Sphere{-1.0}); }), "radius: must be positive, got -1");
  EXPECT_EQ(refusal([] { require_valid(ThinRod{0.0}); }), "length: must be positive, got 0");
  EXPECT_EQ(refusal([] { require_valid(Rectangle{{1.0, -2.0}}); }), "size: must be two positive lengths");
  EXPECT_EQ(refusal([] { require_valid(Box{{1.0, -2.0, 1.0}}); }), "size[1]: must be positive, got -2");
  EXPECT_EQ(refusal([] { require_valid(Capsule{1.0, INFINITY}); }), "length: must be a finite number, got inf");
  EXPECT_EQ(refusal([] { require_valid(Pencil{1.0, 1.0, 0.0}); }), "tip: must be positive, got 0");
  EXPECT_EQ(refusal([] { mass_properties(Sphere{1.0}, 0.0); }), "mass: must be positive, got 0");
  const Polyhedron open{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}}};
  EXPECT_EQ(refusal([&] { require_valid(open); }).substr(0, 26), "faces: the surface is open");
  for (const Shape& shape : one_of_each()) EXPECT_NO_THROW(require_valid(shape));
}

TEST(Shape, TurnedSolidsAreThoseTheyCanBe) {
  const auto same = [](const MassProperties& a, const MassProperties& b) {
    EXPECT_LT((a.center - b.center).norm(), 1e-15);
    EXPECT_LT((a.inertia - b.inertia).norm(), 1e-14);
  };
  same(mass_properties(Revolution{{{0.3, -0.4}, {0.3, 0.4}}}, 2.0), cylinder(2.0, 0.3, 0.8));
  same(mass_properties(Revolution{{{0.0, 0.0}, {0.3, 0.8}}}, 2.0), cone(2.0, 0.3, 0.8));
  same(mass_properties(Revolution{{{0.0, 0.0}, {0.3, 0.2}, {0.3, 0.5}, {0.3, 1.0}}}, 2.0), pencil(2.0, 0.3, 0.8, 0.2));
  // A disc on a shaft, two points at one height: cylinders joined.
  same(mass_properties(Revolution{{{0.1, 0.0}, {0.1, 1.0}, {0.4, 1.0}, {0.4, 1.5}}}, 9.0),
       joined(std::vector{placed(cylinder(1.0, 0.1, 1.0), {0.0, 0.0, 0.5}),
                          placed(cylinder(8.0, 0.4, 0.5), {0.0, 0.0, 1.25})}));
  same(mass_properties(DrilledBall{0.3, {}}, 2.0), solid_sphere(2.0, 0.3));
}

// A hole of radius a from the centre of a ball of radius R up takes 2 pi/3 (R^3 - c^3) with c^2 = R^2 - a^2, and its
// first moment is pi a^2/4 (2 R^2 - a^2); of the second moments, that along it is 2 pi/15 (R^5 - c^5).
TEST(Shape, ABallWithAHoleByHand) {
  const double R = 0.5, a = 0.2, c = std::sqrt(R * R - a * a), pi = std::numbers::pi;
  const MassProperties drilled = mass_properties(DrilledBall{R, {{a, Vector3d::Zero(), {0.0, 0.0, 7.0}}}}, 3.0);
  const double volume = 4.0 * pi / 3.0 * std::pow(R, 3) - 2.0 * pi / 3.0 * (std::pow(R, 3) - std::pow(c, 3));
  const double first = -pi * a * a / 4.0 * (2.0 * R * R - a * a);
  EXPECT_NEAR(drilled.center.z(), first / volume, 1e-15);
  EXPECT_NEAR(drilled.center.head<2>().norm(), 0.0, 1e-16);
  const double along = 4.0 * pi / 15.0 * std::pow(R, 5) - 2.0 * pi / 15.0 * (std::pow(R, 5) - std::pow(c, 5));
  const Vector3d moments = drilled.inertia.diagonal();
  const double second_z = 0.5 * (moments.x() + moments.y() - moments.z());  // about the centre of mass
  EXPECT_NEAR(second_z, 3.0 * (along / volume - first * first / volume / volume), 1e-14);
}

// Wang 2017, figure 2.16: the ball with three finger holes (its centre of mass and moments computed independently, by
// quadrature over the holes), and the truncated icosahedron of figure 2.3.
TEST(Shape, SolidsOfTheText) {
  const DrilledBall ball{0.108458,
                         {{0.0127, {0.03302, 0.067845, -0.01778}, Vector3d::UnitY()},
                          {0.0127, {0.03302, 0.067845, 0.01778}, Vector3d::UnitY()},
                          {0.0142875, {-0.0381, 0.0676971, 0.0}, Vector3d::UnitY()}}};
  const MassProperties drilled = mass_properties(ball, 6.35029);
  EXPECT_NEAR(drilled.center.x(), -5.788572117e-05, 1e-13);
  EXPECT_NEAR(drilled.center.y(), -0.00088465905464, 1e-13);
  EXPECT_NEAR(drilled.center.z(), 0.0, 1e-16);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> moments(drilled.inertia);
  EXPECT_LT((moments.eigenvalues() - Vector3d(0.029623166047, 0.029687627893, 0.030096706286)).norm(), 1e-10);

  const TruncatedIcosahedron football{0.1};
  const MassProperties solid = mass_properties(football, 3.0);
  EXPECT_LT((solid.inertia - 0.06716735531838998 * Eigen::Matrix3d::Identity()).norm(), 1e-13);
  EXPECT_LT(solid.center.norm(), 1e-16);
  const Polyhedron faces = faces_of(football);
  EXPECT_EQ(faces.vertices.size(), 60u);
  EXPECT_EQ(faces.faces.size(), 32u);
  for (std::size_t f = 0; f < 32; ++f) EXPECT_EQ(faces.faces[f].size(), f < 12 ? 5u : 6u);
  double right = 0.0;
  for (const int i : faces.faces.front()) {  // the bottom
    const Vector3d& corner = faces.vertices[static_cast<std::size_t>(i)];
    EXPECT_NEAR(corner.z(), -0.232743844, 5e-10);
    right = std::max(right, corner.x());
  }
  EXPECT_NEAR(right, 0.1 / (2.0 * std::sin(std::numbers::pi / 5.0)), 1e-15);  // a corner of a pentagon towards x
  EXPECT_NEAR(support(football, -Vector3d::UnitZ()).z(), -0.232743844, 5e-10);
}

// A closed surface, everything inside the shape, and close to its mass: corners on a circle lose some percent of it.
TEST(Shape, SurfacesAreClosedAndClose) {
  for (const Shape& shape : one_of_each()) {
    if (std::holds_alternative<ThinRod>(shape) || std::holds_alternative<Disc>(shape) ||
        std::holds_alternative<Rectangle>(shape))
      continue;
    const Polyhedron faces = surface(shape, 64);
    const MassProperties exact = mass_properties(shape, 2.0), close = polyhedron(2.0, faces.vertices, faces.faces);
    if (std::holds_alternative<SphericalShell>(shape) || std::holds_alternative<DrilledBall>(shape)) continue;
    EXPECT_LT((close.center - exact.center).norm(), 2e-3) << shape.index();
    EXPECT_LT((close.inertia - exact.inertia).norm(), 0.01 * exact.inertia.norm()) << shape.index();
  }
}

TEST(Shape, TurnedAndDrilledSolidsNameWhatIsWrong) {
  EXPECT_EQ(refusal([] { require_valid(Revolution{{{1.0, 0.0}}}); }), "profile: must have at least 2 points, got 1");
  EXPECT_EQ(refusal([] {
              require_valid(Revolution{{{1.0, 0.0}, {-0.5, 1.0}}});
            }),
            "profile[1]: must not be on the other side of the axis, got a distance of -0.5");
  EXPECT_EQ(refusal([] {
              require_valid(Revolution{{{1.0, 0.0}, {0.5, -1.0}}});
            }),
            "profile[1]: must not lie below the point before it, at z = 0, got -1");
  EXPECT_EQ(refusal([] { require_valid(Revolution{{{0.0, 0.0}, {0.0, 1.0}}}); }), "profile: must enclose a volume");
  const DrilledHole hole{0.1, {0.0, 0.0, 0.5}, Vector3d::UnitZ()};
  const auto with = [&](DrilledHole other) { return refusal([&] { require_valid(DrilledBall{1.0, {hole, other}}); }); };
  EXPECT_EQ(with({0.0, {0.5, 0.0, 0.0}, Vector3d::UnitX()}), "holes[1].radius: must be positive, got 0");
  EXPECT_EQ(with({0.1, {0.5, 0.0, 0.0}, Vector3d::Zero()}), "holes[1].direction: must be finite and not zero");
  EXPECT_EQ(with({0.1, {1.0, 0.0, 0.0}, Vector3d::UnitX()}),
            "holes[1].bottom: must lie inside the ball with all of its rim, which reaches 1.004987562112089 from its "
            "centre");
  EXPECT_EQ(with({0.1, {0.15, 0.0, 0.5}, Vector3d::UnitZ()}),
            "holes[1]: meets holes[0]: their axes come too near to each other");
  EXPECT_EQ(with({0.1, {0.5, 0.0, 0.0}, Vector3d::UnitX()}), "");
  EXPECT_EQ(refusal([] { require_valid(TruncatedIcosahedron{0.0}); }), "edge: must be positive, got 0");
}

/// A support function belongs to the outline: the farthest point of the outline, rounded, is as far, but for the
/// corners that stand in for a rim.
TEST(Shape, OutlineAndSupportAgree) {
  Rng rng(3);
  const double rim = 1.0 - std::cos(std::numbers::pi / rim_corners);  // of the radius
  for (const Shape& shape : one_of_each()) {
    const Outline seen = outline(shape);
    for (int i = 0; i < 200; ++i) {
      const Vector3d d = random_direction<3>(rng);
      double reach = -INFINITY;
      for (const Vector3d& p : seen.points) reach = std::max(reach, p.dot(d) + seen.radius);
      const double exact = support(shape, 3.0 * d).dot(d);
      EXPECT_LE(reach, exact + 1e-15) << shape.index();
      EXPECT_GE(reach, exact - rim * 0.7) << shape.index();
    }
  }
}

TEST(Shape, SupportOfRoundSolidsIsExact) {
  const Vector3d d(3.0, 4.0, 12.0);
  const auto expect = [&](const Shape& shape, const Vector3d& point) {
    EXPECT_LT((support(shape, d) - point).norm(), 1e-15) << shape.index();
  };
  expect(Sphere{13.0}, d);
  expect(Disc{5.0}, {3.0, 4.0, 0.0});
  expect(Cylinder{5.0, 2.0}, {3.0, 4.0, 1.0});
  expect(Capsule{13.0, 2.0}, {3.0, 4.0, 13.0});
  expect(Cone{5.0, 7.0}, {3.0, 4.0, 7.0});
  EXPECT_EQ(support(Cone{5.0, 7.0}, -Vector3d::UnitZ()), Vector3d::Zero());
  EXPECT_EQ(support(Cylinder{5.0, 2.0}, Vector3d::UnitZ()).z(), 1.0);
  EXPECT_EQ(support(ThinRod{2.0}, {-1e-300, 1.0, 0.0}), Vector3d(-1.0, 0.0, 0.0));
  EXPECT_EQ(refusal([] { support(Sphere{1.0}, Vector3d::Zero()); }), "direction: must be finite and not zero");
  EXPECT_EQ(refusal([] { support(Sphere{1.0}, {NAN, 0, 0}); }), "direction: must be finite and not zero");
}

double area(const std::vector<Vector2d>& around) {
  double twice = 0.0;
  for (std::size_t i = 0; i < around.size(); ++i) {
    const Vector2d &a = around[i], &b = around[(i + 1) % around.size()];
    twice += a.x() * b.y() - a.y() * b.x();
  }
  return 0.5 * twice;
}

TEST(Silhouette, OfABoxAndABall) {
  Body body;
  body.position = {10.0, 20.0, 30.0};
  const Outline box = outline(Box{{0.3, 0.7, 1.1}});
  EXPECT_EQ(silhouette(box, body, 0, 1).size(), 4U);
  EXPECT_NEAR(area(silhouette(box, body, 0, 1)), 0.3 * 0.7, 1e-13);  // positive: counter-clockwise
  EXPECT_NEAR(area(silhouette(box, body, 2, 0)), 0.3 * 1.1, 1e-13);
  // Turned by 45 degrees about z a box of 1 x 1 is seen sqrt(2) wide.
  body.orientation = Eigen::AngleAxisd(std::numbers::pi / 4.0, Vector3d::UnitZ());
  EXPECT_NEAR(area(silhouette(outline(Box{{1.0, 1.0, 2.0}}), body, 0, 2)), 2.0 * std::numbers::sqrt2, 1e-12);
  const auto ball = silhouette(outline(Sphere{0.5}), body, 1, 2);
  EXPECT_EQ(ball.size(), static_cast<std::size_t>(rounding_corners));
  for (const Vector2d& p : ball) EXPECT_NEAR((p - Vector2d(20.0, 30.0)).norm(), 0.5, 1e-13);
}

TEST(Silhouette, OfRoundedAndFlatSolids) {
  const Body body;
  // A capsule seen from the side is a stadium: the polygon's half circles and a rectangle.
  const double circle = 0.5 * rounding_corners * std::sin(2.0 * std::numbers::pi / rounding_corners);
  const auto side = silhouette(outline(Capsule{0.5, 2.0}), body, 0, 2);
  EXPECT_NEAR(area(side), 0.25 * circle + 2.0 * 2.0 * 0.5, 1e-12);
  EXPECT_NEAR(area(silhouette(outline(Capsule{0.5, 2.0}), body, 0, 1)), 0.25 * circle, 1e-12);
  EXPECT_FALSE(is_ball(outline(Capsule{0.5, 2.0})));
  EXPECT_TRUE(is_ball(outline(SphericalShell{0.5})));
  // A rod is a line; without an outline there is nothing to see.
  const auto rod = silhouette(outline(ThinRod{2.0}), body, 0, 1);
  ASSERT_EQ(rod.size(), 2U);
  EXPECT_EQ((rod[1] - rod[0]).norm(), 2.0);
  EXPECT_TRUE(silhouette(Outline{}, body, 0, 1).empty());
  EXPECT_FALSE(is_ball(Outline{}));
}

TEST(Silhouette, CountsFromTheOriginGiven) {
  const MassProperties solid = mass_properties(Cone{0.5, 2.0}, 1.0);
  const Outline seen = outline(Cone{0.5, 2.0}, solid.center);
  EXPECT_EQ(seen.points.front(), Vector3d(0.0, 0.0, -1.5));
  EXPECT_EQ(seen.points.back().z(), 0.5);
}

TEST(Silhouette, RefusesAxesThatAreNone) {
  const Outline ball = outline(Sphere{1.0});
  EXPECT_EQ(refusal([&] { silhouette(ball, Body{}, 3, 1); }), "right: must be 0, 1 or 2, got 3");
  EXPECT_EQ(refusal([&] { silhouette(ball, Body{}, 0, -1); }), "up: must be 0, 1 or 2, got -1");
  EXPECT_EQ(refusal([&] { silhouette(ball, Body{}, 1, 1); }), "up: must differ from `right`, got 1");
}

}  // namespace
}  // namespace carom::testing
