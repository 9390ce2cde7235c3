// Finite contact forces against Painlevé's rod in closed form, and their place beside impacts: where a sliding contact
// has no finite force an impact happens, and only there.
#include "carom/impact/contact_force.hpp"

#include <gtest/gtest.h>
#include <numbers>

#include "carom/core/error.hpp"
#include "carom/impact/planar.hpp"

#include "impact/falling_rod.hpp"
#include "impact/planar_random.hpp"

namespace carom {
namespace {

using Eigen::Vector2d;

constexpr double gravity = 9.81;

/// A rod of unit mass and length on its lower end, leaning to the right by `angle` from the ground.
PlanarBody leaning_rod(double angle, double spin = 0.0) {
  PlanarBody rod;
  rod.inertia = 1.0 / 12.0;
  rod.position = {0.5 * std::cos(angle), 0.5 * std::sin(angle)};
  rod.angle = angle;
  rod.angular_velocity = spin;
  return rod;
}

TouchingContact touching(const PlanarBody& rod, double slip, double friction) {
  const PlanarContact contact;
  return {contact_space(rod, immovable_planar_body(), contact).inverse_inertia, slip,
          free_contact_acceleration(rod, contact, {0.0, -gravity}), friction};
}

// wm.case4.finite: N/(m g) = 1/(2.5 - 1.5 mu): 10 at 1.6, 100 at 1.66, none from 5/3 on.
TEST(ContactForce, SlidingRodOfWangAndMason) {
  const PlanarBody rod = leaning_rod(std::numbers::pi / 4.0);
  for (const auto& [mu, n] : {std::pair{1.6, 10.0}, {1.66, 100.0}, {0.0, 0.4}}) {
    const FiniteForces forces = finite_contact_forces(touching(rod, -0.2, mu));
    ASSERT_EQ(forces.size(), 1U);
    EXPECT_EQ(forces[0].motion, TouchMotion::slides);
    EXPECT_NEAR(forces[0].force[1], n * gravity, 1e-10 * n * gravity);
    EXPECT_NEAR(forces[0].force[0], mu * n * gravity, 1e-10 * n * gravity);  // against the slip to the left
    EXPECT_NEAR(forces[0].acceleration[1], 0.0, 1e-12);
  }
  for (const double mu : {1.67, 2.0, 10.0}) EXPECT_TRUE(finite_contact_forces(touching(rod, -0.2, mu)).empty());
  for (const double mu : {1.67, 2.0, 10.0}) EXPECT_EQ(finite_contact_forces(touching(rod, 0.2, mu)).size(), 1U);
}

// k1 = (1 + 3 cos^2 - 3 mu sin cos)/m vanishes at mu = (1 + 3 cos^2)/(3 sin cos), least 4/3 at tan = 2: 63.43 degrees.
TEST(ContactForce, LeastParadoxicalFriction) {
  const double best = std::atan(2.0);
  EXPECT_NEAR(best * 180.0 / std::numbers::pi, 63.4, 0.05);
  EXPECT_NEAR(least_jamb(leaning_rod(1.0), 0.5).friction, 4.0 / 3.0, 1e-15);
  EXPECT_NEAR(least_jamb(leaning_rod(1.0), 0.5).angle, best, 1e-15);
  EXPECT_EQ(finite_contact_forces(touching(leaning_rod(best), -1, 4.0 / 3.0 - 1e-9)).size(), 1U);
  EXPECT_EQ(finite_contact_forces(touching(leaning_rod(best), -1, 4.0 / 3.0 + 1e-9)).size(), 0U);
  for (int i = 1; i < 180; ++i) {
    const double angle = i * std::numbers::pi / 180.0;
    EXPECT_EQ(finite_contact_forces(touching(leaning_rod(angle), -1, 4.0 / 3.0 - 1e-9)).size(), 1U);
    const double c = std::cos(angle), s = std::sin(angle), critical = (1.0 + 3.0 * c * c) / (3.0 * s * c);
    if (critical < 0.0 || i == 90) continue;
    EXPECT_EQ(finite_contact_forces(touching(leaning_rod(angle), -1, critical * (1 - 1e-9))).size(), 1U);
    EXPECT_EQ(finite_contact_forces(touching(leaning_rod(angle), -1, critical * (1 + 1e-9))).size(), 0U);
  }
}

// Turning, the tip is drawn towards the centre: w^2 l sin > g and it may lift off although a force could hold it.
TEST(ContactForce, TurningFastThereAreTwo) {
  const double angle = std::numbers::pi / 4.0, balance = std::sqrt(gravity / (0.5 * std::sin(angle)));
  const FiniteForces slow = finite_contact_forces(touching(leaning_rod(angle, 0.99 * balance), -1, 2.0));
  const FiniteForces fast = finite_contact_forces(touching(leaning_rod(angle, 1.01 * balance), -1, 2.0));
  EXPECT_TRUE(slow.empty());
  ASSERT_EQ(fast.size(), 2U);
  EXPECT_EQ(fast[0].motion, TouchMotion::lifts_off);
  EXPECT_EQ(fast[1].motion, TouchMotion::slides);
  EXPECT_GT(fast[1].force[1], 0.0);
  EXPECT_EQ(finite_contact_forces(touching(leaning_rod(angle, 1.01 * balance), -1, 1.0)).size(), 1U);
}

// A spinning disc stays on the ground however fast: its contact point turns, but not its centre.
TEST(ContactForce, DiscDoesNotLiftOffByItsSpin) {
  PlanarBody disc;
  disc.inertia = 0.5 * 0.2 * 0.2;
  disc.position = {0.0, 0.2};
  disc.angular_velocity = 100.0;
  EXPECT_NEAR((free_contact_acceleration(disc, {}, {0.0, -gravity}, 0.2) - Vector2d(0.0, -gravity)).norm(), 0.0, 1e-9);
  EXPECT_NEAR(free_contact_acceleration(disc, {}, {0.0, -gravity})[1], 1e4 * 0.2 - gravity, 1e-9);  // were it a corner
}

// "An impact solution exists in exactly those cases where the finite solution does not exist" (section 6, case 4): for
// sliding contacts that are pressed together, of any bodies.
TEST(ContactForce, ImpactExactlyWhereNoFiniteForceIs) {
  std::mt19937_64 rng(30);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  int none = 0, one = 0, two = 0;
  for (int i = 0; i < 20000; ++i) {
    PlanarProblem problem = testing::random_planar_problem(rng, RestitutionLaw::poisson);
    problem.space.velocity[1] = 0.0;
    problem.material.friction *= 3.0;
    const Vector2d free(unit(rng), unit(rng));
    problem.free_acceleration = free[1];
    const FiniteForces forces = finite_contact_forces(
        {problem.space.inverse_inertia, problem.space.velocity[0], free, problem.material.friction});
    EXPECT_EQ(forces.empty(), planar_outcome(problem).verdict == Verdict::separated);
    ++(forces.empty() ? none : forces.size() == 1 ? one : two);
    for (const FiniteForce& f : forces) {
      const Vector2d a = free + problem.space.inverse_inertia * f.force;
      EXPECT_NEAR((a - f.acceleration).norm(), 0.0, 1e-9 * (1.0 + a.norm() + f.force.norm()));
      EXPECT_GE(f.force[1], 0.0);
      EXPECT_GE(f.acceleration[1], 0.0);
      EXPECT_EQ(f.force[1] * f.acceleration[1], 0.0);
      if (f.motion == TouchMotion::slides) {
        EXPECT_NEAR(f.force[0], -std::copysign(problem.material.friction * f.force[1], problem.space.velocity[0]),
                    1e-12 * f.force.norm());
      }
    }
  }
  EXPECT_GT(none, 500);
  EXPECT_GT(one, 10000);
  EXPECT_GT(two, 500);
}

// Without slip: at least one finite force always (Lötstedt's condition), and each obeys Coulomb's law.
TEST(ContactForce, WithoutSlipThereIsAlwaysOne) {
  std::mt19937_64 rng(31);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::size_t counts[5] = {};
  for (int i = 0; i < 20000; ++i) {
    const PlanarProblem problem = testing::random_planar_problem(rng, RestitutionLaw::poisson);
    const double mu = 2.0 * problem.material.friction;
    const Vector2d free(unit(rng), unit(rng));
    const FiniteForces forces = finite_contact_forces({problem.space.inverse_inertia, 0.0, free, mu});
    EXPECT_FALSE(forces.empty());
    ++counts[forces.size()];
    for (const FiniteForce& f : forces) {
      EXPECT_LE(std::abs(f.force[0]), mu * f.force[1] * (1.0 + 1e-12));
      if (f.motion == TouchMotion::slides) {
        EXPECT_LT(f.force[0] * f.acceleration[0], 1e-300 + 0.0 * mu);
      }
    }
  }
  EXPECT_GT(counts[1], 10000U);
  EXPECT_GT(counts[2] + counts[3], 50U);
}

TEST(ContactForce, NamesWhatIsWrong) {
  TouchingContact contact;
  contact.friction = -1.0;
  EXPECT_EQ(testing::refused_field([&] { finite_contact_forces(contact); }), "friction");
  contact = {};
  contact.inverse_inertia << 1, 2, 2, 1;
  EXPECT_EQ(testing::refused_field([&] { finite_contact_forces(contact); }), "inverse_inertia");
  contact = {};
  contact.slip = NAN;
  EXPECT_EQ(testing::refused_field([&] { finite_contact_forces(contact); }), "slip");
  EXPECT_EQ(testing::refused_field([] { free_contact_acceleration({}, {}, {0, -1}, -0.1); }), "curvature_radius");
  EXPECT_EQ(testing::refused_field([] {
              free_contact_acceleration({}, {.point = {0, 0}, .normal = {1, 1}}, {0, -1});
            }),
            "normal");
}

}  // namespace
}  // namespace carom
