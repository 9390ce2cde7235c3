// Bodies: velocities, energy, impulses and what is refused.
#include "carom/core/body.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "carom/core/contact.hpp"
#include "carom/core/inertia.hpp"

#include "core/random.hpp"

namespace carom {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using testing::refusal;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Vector3d angular_momentum(const Body& body, const Vector3d& about) {
  return world_inertia(body) * body.angular_velocity + (body.position - about).cross(body.mass * body.velocity);
}

double angular_momentum(const PlanarBody& body, const Vector2d& about) {
  const Vector2d r = body.position - about;
  return body.inertia * body.angular_velocity + body.mass * (r.x() * body.velocity.y() - r.y() * body.velocity.x());
}

TEST(Body, WorldInertiaTurnsWithTheBody) {
  Body body;
  body.inertia = Vector3d(1, 2, 2.5).asDiagonal();
  body.orientation = Eigen::AngleAxisd(std::acos(0.0), Vector3d::UnitZ());  // x -> y
  const Eigen::Matrix3d expected = Vector3d(2, 1, 2.5).asDiagonal();
  EXPECT_LT((world_inertia(body) - expected).cwiseAbs().maxCoeff(), 1e-15);
  testing::Rng rng(20);
  for (int i = 0; i < 1000; ++i) {  // the moment about any axis carried along stays the same
    const Body b = testing::random_body(rng);
    const Vector3d axis = testing::random_direction<3>(rng), carried = b.orientation * axis;
    EXPECT_NEAR(carried.dot(world_inertia(b) * carried), axis.dot(b.inertia * axis), 1e-14 * b.inertia.trace());
  }
}

TEST(Body, VelocityOfAPoint) {
  Body body;
  body.position = {1, 0, 0};
  body.velocity = {0, 0, 5};
  body.angular_velocity = {0, 0, 2};
  EXPECT_EQ(velocity_at(body, {1, 3, 0}), Vector3d(-6, 0, 5));
  PlanarBody planar;
  planar.position = {1, 0};
  planar.velocity = {0, 5};
  planar.angular_velocity = 2;
  EXPECT_EQ(velocity_at(planar, {1, 3}), Vector2d(-6, 5));
  EXPECT_EQ(velocity_at(planar, {4, 0}), Vector2d(0, 11));
}

TEST(Body, KineticEnergy) {
  Body body;
  body.mass = 2;
  body.inertia = Vector3d(1, 2, 2.5).asDiagonal();
  body.velocity = {1, 2, 2};
  body.angular_velocity = {0, 3, 0};
  EXPECT_EQ(kinetic_energy(body), 18.0);
  body.orientation = Eigen::AngleAxisd(std::acos(0.0), Vector3d::UnitZ());  // now it turns about body axis x
  EXPECT_NEAR(kinetic_energy(body), 13.5, 1e-14);
  body.immovable = true;
  EXPECT_EQ(kinetic_energy(body), 0.0);
  PlanarBody planar;
  planar.mass = 2;
  planar.inertia = 4;
  planar.velocity = {3, 4};
  planar.angular_velocity = -1;
  EXPECT_EQ(kinetic_energy(planar), 27.0);
  planar.immovable = true;
  EXPECT_EQ(kinetic_energy(planar), 0.0);
}

TEST(Body, MomentumIsThatOfTheMovableOnes) {
  testing::Rng rng(8);
  std::vector<Body> bodies = {testing::random_body(rng), immovable_body(), testing::random_body(rng)};
  bodies[1].velocity = {1.0, 2.0, 3.0};  // a moving wall
  const Vector3d before = momentum(bodies);
  EXPECT_EQ(before, bodies[0].mass * bodies[0].velocity + bodies[2].mass * bodies[2].velocity);
  apply_impulse(bodies[0], testing::random_vector<3>(rng), {0.3, -0.2, 0.7});
  EXPECT_LT((momentum(bodies) - before - Vector3d(0.3, -0.2, 0.7)).norm(), 1e-14);
  EXPECT_EQ(momentum({}), Vector3d::Zero());
}

TEST(Body, AnImpulseChangesMomentumAndAngularMomentumByWhatItIs) {
  testing::Rng rng(21);
  for (int i = 0; i < 3000; ++i) {
    const Body before = testing::random_body(rng);
    const Vector3d point = testing::random_vector<3>(rng), impulse = testing::random_vector<3>(rng);
    const Vector3d about = testing::random_vector<3>(rng, 3.0);
    Body after = before;
    apply_impulse(after, point, impulse);
    EXPECT_LT((after.mass * (after.velocity - before.velocity) - impulse).norm(), 1e-14 * (1 + before.mass));
    const Vector3d gained = angular_momentum(after, about) - angular_momentum(before, about);
    EXPECT_LT((gained - (point - about).cross(impulse)).norm(), 1e-13 * (1 + before.mass));
    const Vector3d mean = 0.5 * (velocity_at(before, point) + velocity_at(after, point));
    const double work = impulse.dot(mean), energy = kinetic_energy(before) + kinetic_energy(after);
    EXPECT_NEAR(kinetic_energy(after) - kinetic_energy(before), work, 1e-14 * (1 + energy));
    EXPECT_EQ(after.position, before.position);
    EXPECT_EQ(after.orientation.coeffs(), before.orientation.coeffs());
  }
}

TEST(Body, PlanarImpulseLikewise) {
  testing::Rng rng(22);
  for (int i = 0; i < 3000; ++i) {
    const PlanarBody before = testing::random_planar(rng);
    const Vector2d point = testing::random_vector<2>(rng), impulse = testing::random_vector<2>(rng);
    const Vector2d about = testing::random_vector<2>(rng, 3.0), arm = point - about;
    PlanarBody after = before;
    apply_impulse(after, point, impulse);
    EXPECT_LT((after.mass * (after.velocity - before.velocity) - impulse).norm(), 1e-14 * (1 + before.mass));
    EXPECT_NEAR(angular_momentum(after, about) - angular_momentum(before, about),
                arm.x() * impulse.y() - arm.y() * impulse.x(), 1e-13 * (1 + before.mass));
    const Vector2d mean = 0.5 * (velocity_at(before, point) + velocity_at(after, point));
    const double energy = kinetic_energy(before) + kinetic_energy(after);
    EXPECT_NEAR(kinetic_energy(after) - kinetic_energy(before), impulse.dot(mean), 1e-14 * (1 + energy));
  }
}

TEST(Body, AnImmovableOneKeepsItsVelocities) {
  Body belt = immovable_body();
  belt.velocity = {1, 2, 3};
  belt.angular_velocity = {4, 5, 6};
  belt.mass = nan;  // ignored
  apply_impulse(belt, {1, 1, 1}, {7, 8, 9});
  EXPECT_EQ(belt.velocity, Vector3d(1, 2, 3));
  EXPECT_EQ(belt.angular_velocity, Vector3d(4, 5, 6));
  PlanarBody line = immovable_planar_body();
  line.velocity = {1, 2};
  line.angular_velocity = 3;
  apply_impulse(line, {1, 1}, {7, 8});
  EXPECT_EQ(line.velocity, Vector2d(1, 2));
  EXPECT_EQ(line.angular_velocity, 3);
  EXPECT_EQ(velocity_at(immovable_body(), {1, 2, 3}), Vector3d::Zero());
}

TEST(Body, ANeedleTurnedKeepsTheDigitsOfItsSmallMoment) {
  // Moments s, 1, 1: an impulse L about the needle's axis turns it by exactly L / s, whatever the orientation; the
  // direction of the axis in world axes is known to 1e-16, and L / 1 across it is nothing beside L / s.
  testing::Rng rng(23);
  for (const double s : {1e-6, 1e-9, 1e-12})
    for (int i = 0; i < 300; ++i) {
      Body body;
      body.inertia = Vector3d(s, 1, 1).asDiagonal();
      body.orientation = testing::random_rotation(rng);
      ASSERT_NO_THROW(require_valid(body));
      const Vector3d axis = body.orientation * Vector3d::UnitX(), side = body.orientation * Vector3d::UnitY();
      const Vector3d up = body.orientation * Vector3d::UnitZ();
      apply_impulse(body, side, up);  // y x z = x
      EXPECT_NEAR(s * body.angular_velocity.dot(axis), 1.0, 1e-14);
    }
}

TEST(Body, UsesTheDirectionOfAQuaternionNearUnitLength) {
  testing::Rng rng(24);
  for (int i = 0; i < 300; ++i) {
    const Body exact = testing::random_body(rng);
    Body body = exact;
    body.orientation.coeffs() *= 1.0 + 0.9 * unit_tolerance;
    ASSERT_NO_THROW(require_valid(body));
    EXPECT_LT((world_inertia(body) - world_inertia(exact)).cwiseAbs().maxCoeff(), 1e-15 * exact.inertia.trace());
    EXPECT_NEAR(kinetic_energy(body), kinetic_energy(exact), 1e-14 * kinetic_energy(exact));
  }
}

TEST(Body, UsesTheSymmetricPartOfTheInertia) {
  Body exact;
  exact.inertia << 1, 0.1, 0, 0.1, 1.2, 0, 0, 0, 1.4;
  exact.angular_velocity = {1, 2, 3};
  Body body = exact;
  body.inertia(0, 1) += 4e-6;
  body.inertia(1, 0) -= 4e-6;
  ASSERT_NO_THROW(require_valid(body));
  EXPECT_LT((world_inertia(body) - world_inertia(exact)).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_NEAR(kinetic_energy(body), kinetic_energy(exact), 1e-14);
  apply_impulse(body, {1, 2, 3}, {3, 2, -1});
  apply_impulse(exact, {1, 2, 3}, {3, 2, -1});
  EXPECT_LT((body.angular_velocity - exact.angular_velocity).norm(), 1e-14);
}

std::string text(const Body& body) {
  return refusal([&] { require_valid(body); });
}
std::string text(const PlanarBody& body) {
  return refusal([&] { require_valid(body); });
}
std::string text(const Eigen::Matrix3d& inertia) {
  Body body;
  body.inertia = inertia;
  return text(body);
}
std::string text(const Vector3d& moments) { return text(Eigen::Matrix3d(moments.asDiagonal())); }

TEST(BodyValidation, Numbers) {
  EXPECT_EQ(text(Body{}), "");
  Body body;
  body.mass = 0;
  EXPECT_EQ(text(body), "mass: must be positive, got 0");
  body.mass = -2;
  EXPECT_EQ(text(body), "mass: must be positive, got -2");
  body.mass = infinity;
  EXPECT_EQ(text(body), "mass: must be a finite number, got inf");
  body = {};
  body.position.y() = nan;
  EXPECT_EQ(text(body), "position: must be finite");
  body = {};
  body.velocity.y() = infinity;
  EXPECT_EQ(text(body), "velocity: must be finite");
  body = {};
  body.angular_velocity.y() = nan;
  EXPECT_EQ(text(body), "angular_velocity: must be finite");
  body.immovable = true;
  EXPECT_EQ(text(body), "angular_velocity: must be finite");
  body = immovable_body();
  body.mass = -1;
  body.inertia.setZero();
  body.orientation.coeffs().setZero();
  EXPECT_EQ(text(body), "");
}

TEST(BodyValidation, Orientation) {
  Body body;
  body.orientation = Eigen::Quaterniond(2, 0, 0, 0);
  EXPECT_EQ(text(body), "orientation: must be a unit quaternion, its length is 2");
  body.orientation = Eigen::Quaterniond(0, 0, 0, 0);
  EXPECT_EQ(text(body), "orientation: must be a unit quaternion, its length is 0");
  body.orientation = Eigen::Quaterniond(nan, 0, 0, 0);
  EXPECT_EQ(text(body), "orientation: must be a unit quaternion, its length is nan");
  body.orientation = Eigen::Quaterniond(1.0 + 1.001 * unit_tolerance, 0, 0, 0);
  EXPECT_EQ(text(body), "orientation: must be a unit quaternion, its length is 1.000001001");
}

TEST(BodyValidation, Inertia) {
  EXPECT_EQ(text(Vector3d(1, nan, 1)), "inertia: must be finite");
  EXPECT_EQ(text(Vector3d(0, 0, 0)), "inertia: must be positive definite, its principal moments are 0, 0, 0");
  EXPECT_EQ(text(Vector3d(-1, 2, 2)), "inertia: must be positive definite, its principal moments are -1, 2, 2");
  EXPECT_EQ(text(Vector3d(-1, -1, -1)), "inertia: must be positive definite, its principal moments are -1, -1, -1");
  EXPECT_EQ(text(Vector3d(1, 1, 3)), "");  // no solid has it, but a part of a mechanism may
  Eigen::Matrix3d skewed = Eigen::Matrix3d::Identity();
  skewed(0, 1) = 1.1 * inertia_tolerance;
  EXPECT_EQ(text(skewed), "inertia: must be symmetric");
  skewed(0, 1) = 0.9 * inertia_tolerance;
  EXPECT_EQ(text(skewed), "");
  EXPECT_EQ(text(thin_rod(12, 1).inertia), "inertia: must be positive definite, its principal moments are 0, 1, 1");
  EXPECT_EQ(text(Vector3d(0.083333, 0.083333, 0.166667)), "");  // a square plate in six digits
  for (const double unit : {1e-300, 1e-30, 1e30, 1e300}) {
    EXPECT_EQ(text(Vector3d(unit * Vector3d(1, 2, 2.9))), "");
    EXPECT_NE(text(Vector3d(unit * Vector3d(1, 2, -0.1))), "");
    EXPECT_NE(text(Vector3d(unit * Vector3d(0, 1, 1))), "");
  }
}

TEST(BodyValidation, RodsAndDiscsInAnyAxes) {
  testing::Rng rng(25);
  for (int i = 0; i < 5000; ++i) {
    const Eigen::Quaterniond turn = testing::random_rotation(rng);
    const Eigen::Matrix3d rod = placed(thin_rod(1, 2), Vector3d::Zero(), turn).inertia;
    ASSERT_EQ(text(rod).substr(0, 35), "inertia: must be positive definite,");
    ASSERT_EQ(text(placed(disc(1, 2), Vector3d::Zero(), turn).inertia), "");  // on the edge of the inequality
    ASSERT_EQ(text(placed(cylinder(1, 1e-6, 2), Vector3d::Zero(), turn).inertia), "");
  }
}

TEST(BodyValidation, Planar) {
  EXPECT_EQ(text(PlanarBody{}), "");
  PlanarBody body;
  body.mass = 0;
  EXPECT_EQ(text(body), "mass: must be positive, got 0");
  body = {};
  body.inertia = 0;
  EXPECT_EQ(text(body), "inertia: must be positive, got 0");
  body.inertia = nan;
  EXPECT_EQ(text(body), "inertia: must be a finite number, got nan");
  body = {};
  body.angle = infinity;
  EXPECT_EQ(text(body), "angle: must be a finite number, got inf");
  body = {};
  body.position.x() = nan;
  EXPECT_EQ(text(body), "position: must be finite");
  body = {};
  body.velocity.x() = nan;
  EXPECT_EQ(text(body), "velocity: must be finite");
  body = {};
  body.angular_velocity = nan;
  EXPECT_EQ(text(body), "angular_velocity: must be a finite number, got nan");
  body = immovable_planar_body();
  body.mass = body.inertia = 0;
  EXPECT_EQ(text(body), "");
}

}  // namespace
}  // namespace carom
