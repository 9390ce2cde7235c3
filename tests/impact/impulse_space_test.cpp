// The lines, planes and ellipses of impulse space: what they say of the velocity, and of impacts that follow them.
#include "carom/impact/impulse_space.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "carom/impact/spatial.hpp"

#include "core/random.hpp"

namespace carom::testing {
namespace {

using Eigen::Vector2d, Eigen::Vector3d;

ContactSpace random_space(Rng& rng) { return contact_space(random_body(rng), random_body(rng), random_contact(rng)); }

TEST(ImpulseSpace, CompressionAndStickingAreWhereTheVelocityIsZero) {
  Rng rng(1);
  for (int i = 0; i < 500; ++i) {
    const ContactSpace space = random_space(rng);
    const double scale = space.velocity.norm() + space.inverse_inertia.norm();
    const Vector2d tangential = random_vector<2>(rng);
    const Vector3d compressed(tangential.x(), tangential.y(), compression_impulse(space, tangential));
    EXPECT_NEAR(velocity_after(space, compressed).z(), 0.0, 1e-13 * scale * (1.0 + compressed.norm()));
    const double normal = uniform(rng, -1.0, 1.0);
    const Vector2d stuck = sticking_impulse(space, normal);
    EXPECT_LT(velocity_after(space, {stuck.x(), stuck.y(), normal}).head<2>().norm(),
              1e-11 * scale * (1.0 + stuck.norm()));
  }
}

/// A contact that starts without slip sticks with a little more than the critical friction, and slips with less.
TEST(ImpulseSpace, CriticalFrictionDecidesWhetherAContactSticks) {
  Rng rng(2);
  for (int i = 0; i < 200; ++i) {
    SpatialProblem problem;
    problem.space = random_space(rng);
    problem.space.velocity = {0.0, 0.0, -1.0};
    const double critical = critical_friction(problem.space.inverse_inertia);
    problem.material = {1.001 * critical, 0.5};
    EXPECT_EQ(spatial_impact(problem).process, SpatialCase::stick);
    problem.material.friction = 0.999 * critical;
    EXPECT_EQ(spatial_impact(problem).process, SpatialCase::slip_from_rest);
  }
  EXPECT_EQ(critical_friction(Eigen::Matrix3d::Identity()), 0.0);
}

PlanarProblem random_problem(Rng& rng) {
  PlanarProblem problem;
  problem.space = contact_space(random_planar(rng), random_planar(rng), random_planar_contact(rng));
  problem.space.velocity[1] = -std::abs(problem.space.velocity[1]);
  problem.material = {uniform(rng, 0.0, 1.5), uniform(rng, 0.1, 1.0)};
  problem.law = RestitutionLaw::newton;
  return problem;
}

/// How far a point is from a line.
double distance(const ImpulseLine& line, const Vector2d& point) {
  const Vector2d d = line.direction.normalized(), p = point - line.point;
  return std::abs(d.x() * p.y() - d.y() * p.x());
}

TEST(RouthLines, CarryTheImpact) {
  Rng rng(3);
  int slip_ends = 0;
  for (int i = 0; i < 2000; ++i) {
    const PlanarProblem problem = random_problem(rng);
    const RouthLines lines = routh_lines(problem);
    const PlanarImpact impact = planar_impact(problem);
    const double scale = 1e-11 * (1.0 + impact.impulse.norm() + lines.rest.norm());
    EXPECT_LT(velocity_after(problem.space, lines.rest).norm(),
              1e-11 * (problem.space.velocity.norm() + problem.space.inverse_inertia.norm() * lines.rest.norm()));
    ASSERT_TRUE(lines.friction);
    ASSERT_TRUE(lines.termination);
    EXPECT_LT(distance(*lines.termination, impact.impulse), scale);
    for (const auto& event : impact.events) {
      if (event.type == EventType::compression_ends) {
        EXPECT_LT(distance(lines.compression, event.impulse), scale);
      }
      if (event.type != EventType::slip_ends) continue;
      ++slip_ends;
      EXPECT_LT(distance(lines.sticking, event.impulse), scale);
      EXPECT_LT(distance(*lines.friction, event.impulse), scale);
      ASSERT_TRUE(lines.reversed_friction);
      EXPECT_LT((lines.reversed_friction->point - event.impulse).norm(), scale);
    }
    const bool reversed = impact.mode == PlanarMode::c_reversed || impact.mode == PlanarMode::r_reversed;
    const bool sticking = impact.mode == PlanarMode::c_sticking || impact.mode == PlanarMode::r_sticking;
    const ImpulseLine& last = reversed ? *lines.reversed_friction : sticking ? lines.sticking : *lines.friction;
    EXPECT_LT(distance(last, impact.impulse), scale);
  }
  EXPECT_GT(slip_ends, 500);
}

TEST(RouthLines, AreAbsentWhereTheyMeanNothing) {
  PlanarProblem problem;  // W = 1: normal and tangential motion are not coupled
  problem.space.velocity = {0.0, -1.0};
  problem.material = {0.3, 0.5};
  EXPECT_FALSE(routh_lines(problem).friction);  // neither slips nor is pushed to
  problem.space.velocity = {1.0, -1.0};
  EXPECT_TRUE(routh_lines(problem).reversed_friction);
  problem.material.friction = 0.0;
  EXPECT_FALSE(routh_lines(problem).friction);
  problem.material.restitution = 0.0;
  EXPECT_FALSE(routh_lines(problem).termination);
  problem.material = {0.3, 0.5};
  problem.space.velocity = {1.0, 0.0};
  EXPECT_FALSE(routh_lines(problem).termination);
}

TEST(EnergyEllipse, KeepsTheEnergy) {
  Rng rng(4);
  for (int i = 0; i < 200; ++i) {
    const PlanarContactSpace space = random_problem(rng).space;
    const std::vector<Vector2d> points = energy_ellipse(space, 24);
    ASSERT_EQ(points.size(), 24U);
    const double energy = kinetic_energy(space);
    for (const Vector2d& p : points) {
      PlanarContactSpace after = space;
      after.velocity = velocity_after(space, p);
      EXPECT_NEAR(kinetic_energy(after), energy, 1e-10 * energy);
    }
  }
  EXPECT_TRUE(energy_ellipse({}, 0).empty());
  EXPECT_EQ(refusal([] { energy_ellipse({}, -1); }), "samples: must be >= 0, got -1");
}

}  // namespace
}  // namespace carom::testing
