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
