// Springs at several points of a mechanical system, and the set of outcomes they allow.
#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "carom/core/error.hpp"
#include "carom/impact/multipoint.hpp"
#include "carom/impact/simultaneous.hpp"

#include "impact/multipoint_random.hpp"
#include "impact/simultaneous_scenes.hpp"

namespace carom {
namespace {

using testing::corner, testing::landing_box, testing::random_planar_multipoint, testing::random_spatial_multipoint;

double spin(const MultipointProblem& problem, double ratio, double exponent = 1.0) {
  MultipointSprings springs;
  springs.stiffness = {1.0, ratio};
  springs.exponent = exponent;
  return multipoint_compliant(problem, springs).solutions.at(0).velocity[2];
}

// The sheet's column: k_wall/k_ground = .2, 1, 5.
TEST(MultipointSprings, CornerOfTheSheet) {
  const double fall[] = {9.396276, 4.429447, 4.429447}, speed[] = {4, 8, 4};
  const double expected[3][3] = {{-6.10, 1.90, 3.57}, {-4.14, -1.89, 6.24}, {-3.83, .272, 3.70}};
  const double digits[3][3] = {{5e-3, 5e-3, 5e-3}, {5e-3, 5e-3, 5e-3}, {5e-3, 5e-4, 5e-3}};
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r)
      EXPECT_NEAR(spin(corner(speed[c], -fall[c], .5, .5, .25), r == 0   ? .2
                                                                : r == 1 ? 1.0
                                                                         : 5.0),
                  expected[c][r], digits[c][r]);
  EXPECT_NEAR(spin(corner(5, -5, .5, .5, .25), 1.0), 0.0, 1e-9);  // symmetric
}

/// A planar problem of one body as a body in space and its contacts.
SimultaneousProblem in_space(const MultipointProblem& problem, const std::vector<Eigen::Vector3d>& arms,
                             const std::vector<Eigen::Vector3d>& normals, const MultipointSprings& springs) {
  SimultaneousProblem scene;
  Body body;
  body.mass = problem.mass_matrix(0, 0);
  body.inertia = problem.mass_matrix(2, 2) * Eigen::Matrix3d::Identity();
  body.velocity.head<2>() = problem.velocity.head<2>();
  body.angular_velocity.z() = problem.velocity[2];
  scene.bodies = {body, immovable_body()};
  for (std::size_t k = 0; k < arms.size(); ++k)
    scene.contacts.push_back(
        {{{arms[k], normals[k]}, 0, 1},
         {springs.stiffness[k], springs.exponent, {problem.dynamic_friction, problem.restitution[0]}, springs.eta0}});
  return scene;
}

// The same impact through bodies and contacts: another way to the same solver's equations.
TEST(MultipointSprings, AgreesWithBodies) {
  std::mt19937_64 rng(11);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (int i = 0; i < 200; ++i) {
    MultipointProblem problem = corner(1.0 + std::abs(unit(rng)), -1.0 + .5 * unit(rng), .6, .3, .3);
    problem.velocity[2] = unit(rng);
    MultipointSprings springs;
    springs.stiffness = {1.0, std::exp(2.0 * unit(rng))};
    springs.exponent = i % 2 == 0 ? 1.0 : 1.5;
    if (i % 4 >= 2) springs.eta0 = 1.1;
    const MultipointImpact impact = multipoint_compliant(problem, springs);
    const SimultaneousImpact bodies =
        simultaneous_impact(in_space(problem, {{0, -.5, 0}, {.5, 0, 0}}, {{0, 1, 0}, {-1, 0, 0}}, springs));
    const Eigen::VectorXd& v = impact.solutions[0].velocity;
    EXPECT_NEAR(v[0], bodies.bodies[0].velocity.x(), 1e-7) << i;
    EXPECT_NEAR(v[1], bodies.bodies[0].velocity.y(), 1e-7) << i;
    EXPECT_NEAR(v[2], bodies.bodies[0].angular_velocity.z(), 1e-7) << i;
    EXPECT_NEAR(impact.solutions[0].impulses(1, 0), bodies.contacts[0].impulse.y(), 1e-7);
  }
}

// Over random systems: the equation of motion, no approach at the end, no energy gained, any units.
TEST(MultipointSprings, Properties) {
  std::mt19937_64 rng(12);
  int wedged = 0;
  for (int i = 0; i < 300; ++i) {
    MultipointProblem problem =
        i % 3 == 0 ? random_spatial_multipoint(rng, 1 + i % 2) : random_planar_multipoint(rng, 1 + i % 3);
    problem.dynamic_friction *= .3;  // much friction wedges, and a wedge takes 1e5 events to be given up
    const MultipointImpact impact = multipoint_compliant(problem, {});
    ASSERT_EQ(impact.solutions.size(), 1u);
    const MultipointSolution& s = impact.solutions[0];
    const Eigen::VectorXd p = s.impulses.reshaped();
    EXPECT_LT((problem.mass_matrix * (s.velocity - problem.velocity) - problem.jacobian.transpose() * p).norm(), 1e-11);
    EXPECT_FALSE(s.flags.has(Flag::energy_gain));
    if (impact.flags.has(Flag::event_limit)) {  // friction holds the springs compressed
      ++wedged;
      continue;
    }
    const Eigen::VectorXd v = problem.jacobian * s.velocity;
    for (Eigen::Index row = problem.dimension - 1; row < v.size(); row += problem.dimension) EXPECT_GT(v[row], -1e-8);
    MultipointProblem fast = problem;  // velocities scale
    fast.velocity *= 1e3;
    EXPECT_LT((multipoint_compliant(fast, {}).solutions[0].velocity - 1e3 * s.velocity).norm(), 1e-4);
  }
  EXPECT_LT(wedged, 60);
}

// One contact: the energetic law, v_n+ = -e v_n- without friction.
TEST(MultipointSprings, OneContactIsNewtons) {
  MultipointProblem problem;
  problem.mass_matrix = Eigen::Vector3d(2, 2, 1).asDiagonal();
  problem.jacobian.resize(2, 3);
  problem.jacobian << 1, 0, .5, 0, 1, .3;
  problem.velocity = Eigen::Vector3d(1, -2, .4);
  problem.restitution = {.7};
  const double before = (problem.jacobian * problem.velocity)[1];
  for (const double exponent : {1.0, 1.5}) {
    MultipointSprings springs;
    springs.exponent = exponent;
    const Eigen::VectorXd v = multipoint_compliant(problem, springs).solutions[0].velocity;
    EXPECT_NEAR((problem.jacobian * v)[1], -.7 * before, 1e-9);
  }
}

// Large systems, their contacts decoupled: each normal bounces for itself, whatever the rank.
TEST(MultipointSprings, ManyCoordinatesFewContacts) {
  MultipointProblem problem;
  problem.mass_matrix = Eigen::MatrixXd::Identity(30, 30);
  problem.jacobian = Eigen::MatrixXd::Zero(4, 30);
  for (int r = 0; r < 4; ++r) problem.jacobian(r, 5 * r + 2) = 1.0;
  problem.velocity = Eigen::VectorXd::Constant(30, -1.0);
  problem.restitution = {.5, .8};
  const Eigen::VectorXd v = problem.jacobian * multipoint_compliant(problem, {}).solutions[0].velocity;
  EXPECT_NEAR(v[1], .5, 1e-10);
  EXPECT_NEAR(v[3], .8, 1e-10);
  problem.dimension = 3;
  problem.jacobian = Eigen::MatrixXd::Identity(15, 30);
  problem.restitution = {.5};
  for (const double friction : {0.0, .1}) {
    problem.static_friction = problem.dynamic_friction = friction;
    const Eigen::VectorXd five = problem.jacobian * multipoint_compliant(problem, {}).solutions[0].velocity;
    for (int c = 0; c < 5; ++c) {
      EXPECT_NEAR(five[3 * c + 2], .5, 1e-9);
      // An impulse 1 + e slows the slip (-1, -1) by mu times it.
      EXPECT_NEAR(five.segment<2>(3 * c).norm(), std::sqrt(2.0) - friction * 1.5, 1e-9);
    }
  }
}

TEST(MultipointSprings, SeparatingAndResting) {
  const MultipointImpact leaving = multipoint_compliant(corner(-4, 5, .5, .5, .25), {});
  EXPECT_EQ(leaving.solutions.at(0).velocity, Eigen::Vector3d(-4, 5, 0));
  const MultipointImpact one = multipoint_compliant(corner(-4, -5, .5, .5, .25), {});
  EXPECT_EQ(one.removed, std::vector{1});
  EXPECT_NEAR(one.solutions.at(0).velocity[1], 2.5, 1e-9);
}

// A ball driven into the corner with much friction, spinning neither way: the springs stay compressed.
TEST(MultipointSprings, AWedgeIsSaid) {
  MultipointProblem problem;  // a V of two steep walls
  problem.mass_matrix = Eigen::Vector3d(1, 1, .125).asDiagonal();
  problem.jacobian.resize(4, 3);
  const double c = std::cos(1.4), s = std::sin(1.4);
  problem.jacobian << c, -s, .5, s, c, 0, c, s, .5, -s, c, 0;
  problem.velocity = Eigen::Vector3d(0, -1, 0);
  problem.restitution = {.8};
  problem.static_friction = problem.dynamic_friction = 5.0;
  const MultipointImpact impact = multipoint_compliant(problem, {});
  EXPECT_TRUE(impact.flags.has(Flag::event_limit));
  EXPECT_LT(impact.solutions.at(0).velocity.norm(), 1e-6);
}

// The outcome set of the corner: the sweep's ends tend to the two orders, and the spread covers all.
TEST(MultipointOutcomes, Corner) {
  const MultipointProblem problem = corner(4, -4.429447, .5, .5, .25);
  const MultipointOutcomes outcomes = multipoint_outcomes(problem, {}, {1e-5, 1e5, 21});
  ASSERT_EQ(outcomes.by_ratio.size(), 21u);
  ASSERT_EQ(outcomes.by_order.size(), 2u);
  EXPECT_EQ(outcomes.by_order[0].order, (std::vector{0, 1}));
  EXPECT_EQ(outcomes.by_order[1].order, (std::vector{1, 0}));
  EXPECT_NEAR(outcomes.by_ratio[10].stiffness_ratio, 1.0, 1e-12);
  EXPECT_NEAR(outcomes.by_ratio[10].velocity[2], .272, 5e-4);
  // A wall 1e5 times softer acts when the floor has long let go, and the other way round.
  EXPECT_NEAR(outcomes.by_ratio.front().velocity[2], outcomes.by_order[0].velocity[2], .1);
  EXPECT_NEAR(outcomes.by_ratio.back().velocity[2], outcomes.by_order[1].velocity[2], .1);
  for (const auto& o : outcomes.by_ratio)
    for (int i = 0; i < 3; ++i) {
      EXPECT_GE(o.velocity[i], outcomes.low[i]);
      EXPECT_LE(o.velocity[i], outcomes.high[i]);
    }
  EXPECT_LT(outcomes.low[2], -3.0);
  EXPECT_GT(outcomes.high[2], 3.0);
}

TEST(MultipointOutcomes, OrdersOfABox) {
  const MultipointOutcomes outcomes =
      multipoint_outcomes(landing_box({1, .6, .4}, {.5, 0, -1}, .6, .2), {}, {.5, 2, 3});
  EXPECT_EQ(outcomes.by_order.size(), 24u);
  EXPECT_THROW(multipoint_outcomes(corner(4, -5, .5, .5, .25), {}, {2, 1, 3}), InvalidInput);
  EXPECT_THROW(multipoint_outcomes(corner(4, -5, .5, .5, .25), {}, {1, 2, 1}), InvalidInput);
}

// Many bodies are one system of a high rank: nothing limits it, and springs answer as between the bodies.
TEST(MultipointSprings, SystemsOfAnyRank) {
  for (const double exponent : {1.0, 1.5})
    for (const double friction : {0.0, .1}) {
      const SimultaneousProblem scene = testing::nine_ball({exponent, .9, friction});
      const std::vector<PairContact> pairs(scene.contacts.begin(), scene.contacts.end());
      const MechanicalSystem system = system_of(scene.bodies, pairs);
      MultipointProblem problem;
      problem.mass_matrix = system.mass_matrix;
      problem.jacobian = system.jacobian;
      problem.velocity = system.velocity;
      problem.dimension = 3;
      problem.restitution = {.9};
      problem.static_friction = problem.dynamic_friction = friction;
      MultipointSprings springs;
      springs.exponent = exponent;
      std::vector<Body> after = scene.bodies;
      set_velocities(after, multipoint_compliant(problem, springs).solutions.at(0).velocity);
      const SimultaneousImpact bodies = simultaneous_impact(scene);
      for (std::size_t b = 0; b < after.size(); ++b)
        EXPECT_LT((after[b].velocity - bodies.bodies[b].velocity).norm(), 1e-7) << exponent << " " << friction;
    }
}

}  // namespace
}  // namespace carom
