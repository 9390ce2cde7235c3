// Two bodies in, two bodies out: the same as doing it by hand, with the energy of the bodies.
#include "carom/impact/collide.hpp"

#include <gtest/gtest.h>

#include "carom/core/contact_space.hpp"
#include "carom/core/error.hpp"

#include "core/random.hpp"

namespace carom {
namespace {

using namespace testing;

TEST(Collide, KeepsMomentumAndBalancesTheEnergyOfTheBodies) {
  Rng rng(1);
  int struck = 0;
  for (int i = 0; i < 2000; ++i) {
    const Body a = random_body(rng), b = random_body(rng);
    const Contact contact = random_contact(rng);
    const Material material{uniform(rng, 0.0, 1.5), uniform(rng, 0.0, 1.0)};
    const auto look = [&](const auto& c) {
      struck += c.impact.verdict == Verdict::separated;
      if (c.impact.flags.has(Flag::ill_conditioned)) return;
      const double size = kinetic_energy(a) + kinetic_energy(b);
      EXPECT_NEAR(c.impact.energy.before, size, 1e-12 * size);
      EXPECT_NEAR(c.impact.energy.after, kinetic_energy(c.a) + kinetic_energy(c.b), 1e-12 * size);
      EXPECT_NEAR(c.impact.energy.imbalance(), 0.0, 1e-9 * size);
      const Eigen::Vector3d before = a.mass * a.velocity + b.mass * b.velocity;
      const Eigen::Vector3d after = c.a.mass * c.a.velocity + c.b.mass * c.b.velocity;
      EXPECT_LT((after - before).norm(), 1e-9 * (a.mass * a.velocity.norm() + b.mass * b.velocity.norm()));
      const Eigen::Vector3d given = contact_frame(contact) * c.impact.impulse;
      EXPECT_LT((c.a.mass * (c.a.velocity - a.velocity) - given).norm(),
                1e-9 * (given.norm() + a.mass * a.velocity.norm()));
    };
    for (const RestitutionLaw law : {RestitutionLaw::newton, RestitutionLaw::poisson, RestitutionLaw::energetic})
      look(collide(a, b, contact, material, law));
    look(collide(a, b, contact, material, TangentialSprings{uniform(rng, 0.5, 2.0)}));
  }
  EXPECT_GT(struck, 1000);
}

TEST(Collide, AnswersAsTheImpactOfTheContactSpace) {
  Rng rng(2);
  const Body a = random_body(rng), b = random_body(rng);
  const Contact contact = random_contact(rng);
  const Material material{.friction = 0.3, .restitution = 0.6};
  const SpatialImpact impact = spatial_impact({contact_space(a, b, contact), material, RestitutionLaw::poisson});
  EXPECT_EQ(collide(a, b, contact, material, RestitutionLaw::poisson).impact.impulse, impact.impulse);
}

TEST(Collide, InThePlane) {
  PlanarBody disc, ground = immovable_planar_body();
  disc.mass = 2.0;
  disc.inertia = 0.25;
  disc.position = {0.0, 0.5};
  disc.velocity = {1.0, -2.0};
  // e = .5 and no friction: the normal velocity turns round and halves, nothing else changes.
  const PlanarCollision c = collide(disc, ground, PlanarContact{}, {.friction = 0.0, .restitution = 0.5});
  EXPECT_NEAR(c.a.velocity.y(), 1.0, 1e-15);
  EXPECT_EQ(c.a.velocity.x(), 1.0);
  EXPECT_EQ(c.a.angular_velocity, 0.0);
  EXPECT_NEAR(c.impact.energy.before, 5.0, 1e-15);
  EXPECT_NEAR(c.impact.energy.after, 2.0, 1e-15);
  EXPECT_EQ(c.b.velocity, Eigen::Vector2d::Zero());
}

TEST(Collide, SlidingWithoutApproachAsksForTheFreeAcceleration) {
  PlanarBody rod;  // slides on its tip, leaning so that friction presses it into the ground
  rod.inertia = 1.0 / 12.0;
  rod.position = {-0.1, 0.4};
  rod.velocity = {-1.0, 0.0};
  const auto hit = [&](double free_acceleration) {
    return collide(rod, immovable_planar_body(), {}, {1.5, 0.5}, RestitutionLaw::energetic, free_acceleration);
  };
  PlanarProblem problem;
  problem.space = contact_space(rod, immovable_planar_body(), {});
  problem.material = {1.5, 0.5};
  for (const double a : {-1.0, 1.0}) {
    problem.free_acceleration = a;
    EXPECT_EQ(hit(a).impact.verdict, planar_impact(problem).verdict);
    EXPECT_EQ(hit(a).impact.impulse, planar_impact(problem).impulse);
  }
  EXPECT_EQ(hit(1.0).impact.verdict, Verdict::no_impact);
}

TEST(Collide, TangentialRatioIsWhatIsLeftOfTheSliding) {
  const Eigen::Vector3d n = Eigen::Vector3d::UnitZ();
  EXPECT_EQ(tangential_ratio({2.0, 0.0, -3.0}, {1.0, 5.0, 2.0}, n), 0.5);
  EXPECT_EQ(tangential_ratio({0.0, 2.0, -3.0}, {0.0, -1.0, 2.0}, n), -0.5);
  EXPECT_EQ(tangential_ratio({0.0, 0.0, -3.0}, {1.0, 0.0, 2.0}, n), std::nullopt);
  EXPECT_EQ(tangential_ratio({1e-12, 0.0, -3.0}, {1.0, 0.0, 2.0}, n), std::nullopt);
  // A ball that stops slipping rolls on with 5/7 of its speed: rigid contact, no spin before.
  Body ball;
  ball.inertia *= 0.4;
  ball.position = {0.0, 0.0, 1.0};
  ball.velocity = {1.0, 0.0, -10.0};
  const auto hit = collide(ball, immovable_body(), {}, {1.0, 0.5});
  EXPECT_NEAR(tangential_ratio(ball.velocity, hit.a.velocity, n).value(), 5.0 / 7.0, 1e-14);
}

TEST(Collide, RefusesTwoImmovableBodies) {
  EXPECT_THROW(collide(immovable_body(), immovable_body(), Contact{}, Material{}), InvalidInput);
}

}  // namespace
}  // namespace carom
