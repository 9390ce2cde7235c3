// Pairwise collisions in an order: closed forms, the dependence on the order, and the properties every method has.
#include "carom/impact/sequential.hpp"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

#include "carom/core/error.hpp"

#include "impact/simultaneous_scenes.hpp"

namespace carom {
namespace {

using namespace testing;

// Equal elastic balls exchange velocities; with e < 1 each pair is the textbook two-ball collision.
TEST(Sequential, ChainHandsTheVelocityOn) {
  const SimultaneousImpact impact = sequential_impact(chain(5, {1.0}));
  EXPECT_EQ(impact.verdict, Verdict::separated);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(impact.bodies[i].velocity.x(), i == 4 ? 1.0 : 0.0, 1e-15);
  EXPECT_EQ(impact.steps, 4u);
  const SimultaneousImpact lossy = sequential_impact(chain(3, {1.0, .6}));
  // (1, 0, 0) -> (.2, .8, 0) -> (.2, .16, .64), and the first catches up: (.168, .192, .64).
  EXPECT_NEAR(lossy.bodies[0].velocity.x(), .168, 1e-15);
  EXPECT_NEAR(lossy.bodies[1].velocity.x(), .192, 1e-15);
  EXPECT_NEAR(lossy.bodies[2].velocity.x(), .64, 1e-15);
  EXPECT_EQ(lossy.contacts[0].compressions, 2);
}

// One ball onto two: the first pair takes cos 30 of the velocity along its line, and so on (by hand).
TEST(Sequential, BernoulliDependsOnTheOrder) {
  const SimultaneousProblem problem = bernoulli({1.0});
  const SimultaneousImpact first = sequential_impact(problem);
  const double s = std::sqrt(3.0);
  EXPECT_NEAR(first.bodies[1].velocity.x(), .75, 1e-15);
  EXPECT_NEAR(first.bodies[1].velocity.y(), s / 4, 1e-15);
  EXPECT_NEAR(first.bodies[2].velocity.x(), .375, 1e-15);
  EXPECT_NEAR(first.bodies[0].velocity.x(), -.125, 1e-15);
  const std::vector<std::size_t> other = {1, 0, 2};
  const SimultaneousImpact second = sequential_impact(problem, other);
  EXPECT_NEAR(second.bodies[1].velocity.x(), .375, 1e-15);
  EXPECT_NEAR(second.bodies[2].velocity.x(), .75, 1e-15);
}

// Random orders of the nine-ball break: momentum, the ledger, no approach at the end, never more energy.
TEST(Sequential, PropertiesOverRandomOrders) {
  std::mt19937_64 rng(7);
  const SimultaneousProblem problem = nine_ball({1.0, .96, .03}, 20.0);
  std::vector<std::size_t> order(problem.contacts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  double low = 1.0, high = -1.0;
  for (int i = 0; i < 1000; ++i) {
    const SimultaneousImpact impact = sequential_impact(problem, order);
    EXPECT_EQ(impact.verdict, Verdict::separated);
    Eigen::Vector3d momentum = Eigen::Vector3d::Zero();
    for (const Body& body : impact.bodies) momentum += body.mass * body.velocity;
    EXPECT_NEAR((momentum - Eigen::Vector3d(.17, 0, 0)).norm(), 0.0, 1e-15);
    EXPECT_LT(std::abs(impact.energy.imbalance()), 1e-13);
    EXPECT_LT(impact.energy.after, impact.energy.before);
    for (std::size_t k = 0; k < problem.contacts.size(); ++k)
      EXPECT_GT(impact.contacts[k].velocity_after.dot(problem.contacts[k].normal), -1e-11);
    low = std::min(low, impact.bodies[9].velocity.x());
    high = std::max(high, impact.bodies[9].velocity.x());
    std::shuffle(order.begin(), order.end(), rng);
  }
  EXPECT_GT(high - low, .1);  // the order matters
}

TEST(Sequential, NothingApproachesAndBadOrders) {
  SimultaneousProblem problem = chain(3, {1.0});
  problem.bodies[0].velocity.x() = -1.0;
  const SimultaneousImpact impact = sequential_impact(problem);
  EXPECT_EQ(impact.verdict, Verdict::no_impact);
  EXPECT_EQ(impact.energy.before, impact.energy.after);
  const auto message = [&](std::vector<std::size_t> order) {
    try {
      sequential_impact(problem, order);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({0, 0}), "order: must name each of the 2 contacts once, got 0 twice");
  EXPECT_EQ(message({0, 2}), "order: must name each of the 2 contacts once, got 2");
  EXPECT_EQ(message({1}), "order: must name each of the 2 contacts once, got only 1");
  EXPECT_EQ(message({1, 0}), "");
}

// Plastic pairs in a row slow down for ever: they end below the rest share, together.
TEST(Sequential, PlasticChainEndsTogether) {
  const SimultaneousImpact impact = sequential_impact(chain(4, {1.0, 0.0}));
  EXPECT_EQ(impact.verdict, Verdict::separated);
  for (const Body& body : impact.bodies) EXPECT_NEAR(body.velocity.x(), .25, 1e-10);
}

}  // namespace
}  // namespace carom
