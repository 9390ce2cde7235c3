// Simultaneous impact of very many contacts: series and steps in parts, against the solvers that look at all contacts
// at once; and that cost follows what happens.
#include <gtest/gtest.h>

#include "impact/allocation_count.hpp"
#include "impact/simultaneous_random.hpp"
#include "impact/simultaneous_scenes.hpp"
#include "internal/impact/simultaneous/system.hpp"

namespace carom::testing {
namespace {

using simultaneous::Log;
using simultaneous::Outcome;
using simultaneous::Spring;
using simultaneous::System;
using simultaneous::Work;

/// Contacts of a problem in unit masses and speeds, as the solvers take them.
template <int D>
System<D> system_of(const SimultaneousProblem& problem) {
  const std::vector<PairContact> pairs(problem.contacts.begin(), problem.contacts.end());
  const ContactGraph graph(problem.bodies, pairs);
  std::vector<Spring> springs;
  std::vector<std::size_t> order;
  for (const SpringContact& contact : problem.contacts) {
    order.push_back(order.size());
    const double e = contact.material.restitution, eta0 = contact.eta0.value_or(0.0);
    springs.push_back({contact.stiffness, contact.exponent, e * e, contact.material.friction, eta0 * eta0});
  }
  return System<D>(simultaneous::Factor(graph), order, springs, graph.velocities(problem.bodies), 1.0, 1.0);
}

/// Largest difference of contact velocities.
template <int D>
double difference(const System<D>& system, const Outcome& a, const Outcome& b) {
  typename System<D>::Vectors p(system.size()), u(system.size());
  for (std::size_t c = 0; c < p.size(); ++c) p[c] = (a.impulse[c] - b.impulse[c]).template tail<D>();
  system.response(p[0].data(), u[0].data());
  double largest = 0.0;
  for (const auto& v : u) largest = std::max(largest, v.cwiseAbs().maxCoeff());
  return largest;
}

std::size_t count(const Log& log, EventType type) {
  return static_cast<std::size_t>(
      std::count_if(log.events.begin(), log.events.end(), [type](const auto& e) { return e.type == type; }));
}

struct Solved {
  Outcome out;
  Log log;
};

template <class Solve>
Solved solved(std::size_t contacts, const Solve& solve) {
  Solved result;
  Work work(simultaneous_work_bound(contacts));
  if (const std::optional<Outcome> out = solve(work, result.log)) result.out = *out;
  EXPECT_EQ(result.out.impulse.size(), contacts);
  EXPECT_TRUE(result.out.finished);
  return result;
}

/// A chain that is not all alike: masses, stiffness and restitution vary.
SimultaneousProblem uneven_chain(std::size_t count, double exponent, Rng& rng) {
  SimultaneousProblem problem = chain(count, {exponent, 1.0});
  for (Body& body : problem.bodies) {
    const double mass = uniform(rng, .5, 1.0);
    body.inertia *= mass / body.mass;
    body.mass = mass;
  }
  for (SpringContact& contact : problem.contacts) {
    contact.stiffness = uniform(rng, .3, 1.0);
    contact.material.restitution = uniform(rng, .9, 1.0);
  }
  return problem;
}

// Series for each contact by itself give what series of all contacts at once give, to rounding, event for event.
TEST(SimultaneousGrowth, LocalSeriesAreTheSeries) {
  Rng rng(1);
  std::vector<SimultaneousProblem> problems = {chain(90, {1.0, 1.0}), chain(90, {1.0, .96}), chain(12, {1.0, .5}),
                                               rack({1, 2, 3, 4, 5}, {1.0, .96})};
  for (int i = 0; i < 4; ++i) problems.push_back(uneven_chain(70, 1.0, rng));
  for (const SimultaneousProblem& problem : problems) {
    const System<1> system = system_of<1>(problem);
    const Solved whole =
        solved(system.size(), [&](Work& w, Log& log) { return std::optional(solve_series(system, w, log)); });
    const Solved local =
        solved(system.size(), [&](Work& w, Log& log) { return solve_local_series(system, w, log, 1.0); });
    EXPECT_LT(difference(system, whole.out, local.out), 2e-12);
    EXPECT_NEAR(whole.out.residual, local.out.residual, 1e-12);
    for (std::size_t c = 0; c < system.size(); ++c) {
      EXPECT_NEAR(whole.out.state[c].absorbed, local.out.state[c].absorbed, 1e-11);
    }
  }
}

// Bodies that touch very many others are left to the series of all contacts.
TEST(SimultaneousGrowth, OneBodyThatTouchesAll) {
  SimultaneousProblem problem;
  problem.bodies.push_back(ball({0, 0, -1}, 100.0));
  for (int i = 0; i < 60; ++i) {
    problem.bodies.push_back(ball({static_cast<double>(i), 0, .5}));
    problem.bodies.back().velocity.z() = -1.0;
    problem.contacts.push_back(
        touching(problem.bodies.size() - 1, 0, {static_cast<double>(i), 0, 0}, Eigen::Vector3d::UnitZ(), {1.0, .9}));
  }
  Work work(1e9);
  Log log;
  EXPECT_FALSE(solve_local_series(system_of<1>(problem), work, log, 1.0));
  EXPECT_FALSE(solve_parts(system_of<1>(problem), 1e-10, work, log));
  const SimultaneousImpact impact = simultaneous_impact(problem);
  EXPECT_EQ(impact.verdict, Verdict::separated);
  EXPECT_LT(std::abs(impact.energy.imbalance()), 1e-12 * impact.energy.before);
}

/// Struck obliquely by a spinning ball, so that friction acts along the chain.
SimultaneousProblem oblique(std::size_t count, const Surface& surface) {
  SimultaneousProblem problem = chain(count, surface);
  problem.bodies[0].velocity.z() = .3;
  problem.bodies[0].angular_velocity.y() = 5.0;
  return problem;
}

/// Steps in parts give what steps of all contacts at once give, to the tolerance.
template <int D>
void expect_parts_agree(const SimultaneousProblem& problem, double tolerance, double allowed) {
  const System<D> system = system_of<D>(problem);
  const Solved whole =
      solved(system.size(), [&](Work& w, Log& log) { return std::optional(solve_flow(system, tolerance, w, log)); });
  const Solved parts = solved(system.size(), [&](Work& w, Log& log) { return solve_parts(system, tolerance, w, log); });
  EXPECT_LT(difference(system, whole.out, parts.out), allowed);
  for (std::size_t c = 0; c < system.size(); ++c) {
    EXPECT_NEAR(whole.out.friction_work[c], parts.out.friction_work[c], allowed);
    EXPECT_NEAR(whole.out.state[c].absorbed, parts.out.state[c].absorbed, 10.0 * allowed);
    EXPECT_FALSE(parts.out.state[c].closed());
  }
  EXPECT_TRUE(std::is_sorted(parts.log.events.begin(), parts.log.events.end(),
                             [](const auto& a, const auto& b) { return a.time < b.time; }));
  EXPECT_EQ(count(parts.log, EventType::closes), count(parts.log, EventType::separates));
}

TEST(SimultaneousGrowth, PartsAgreeWithoutFriction) {
  Rng rng(2);
  expect_parts_agree<1>(chain(90, {1.5, 1.0}), 1e-10, 3e-10);
  expect_parts_agree<1>(chain(70, {1.5, .9}), 1e-10, 3e-10);
  expect_parts_agree<1>(uneven_chain(60, 1.5, rng), 1e-10, 3e-10);
  expect_parts_agree<1>(chain(90, {1.5, 1.0}), 1e-7, 3e-7);
}

TEST(SimultaneousGrowth, PartsAgreeWithFriction) {
  expect_parts_agree<3>(oblique(80, {1.0, .98, .1, 1.1}), 1e-10, 3e-10);
  expect_parts_agree<3>(oblique(80, {1.0, 1.0, .6}), 1e-10, 3e-10);
  expect_parts_agree<3>(oblique(80, {1.5, 1.0, .1}), 1e-8, 3e-8);
}

// Balls on a floor know nothing of each other: each does what it would alone, with rigid friction too, whose matrices
// are those of what is connected.
TEST(SimultaneousGrowth, BallsOnAFloor) {
  const SimultaneousProblem many = balls_on_a_floor(400, {1.5, .8, .5});
  const SimultaneousImpact impact = simultaneous_impact(many);
  EXPECT_EQ(impact.verdict, Verdict::separated);
  EXPECT_LT(std::abs(impact.energy.imbalance()), 1e-10 * impact.energy.before);
  for (std::size_t i = 1; i <= 35; ++i) {
    SimultaneousProblem one;
    one.bodies = {many.bodies[0], many.bodies[i]};
    one.contacts = {many.contacts[i - 1]};
    one.contacts[0].first = 1;
    const SimultaneousImpact alone = simultaneous_impact(one);
    EXPECT_LT((alone.bodies[1].velocity - impact.bodies[i].velocity).norm(), 1e-9);
    EXPECT_LT((alone.bodies[1].angular_velocity - impact.bodies[i].angular_velocity).norm(), 3e-9);
  }
}

// Friction that has nothing to hold is left out: velocities are those without it, and contacts stick all the same.
TEST(SimultaneousGrowth, StraightFriction) {
  for (const double exponent : {1.0, 1.5}) {
    const SimultaneousImpact with = simultaneous_impact(chain(20, {exponent, .96, .3})),
                             without = simultaneous_impact(chain(20, {exponent, .96}));
    std::size_t closes = 0, sticks = 0;
    for (std::size_t i = 0; i < with.events.size(); ++i) {
      if (with.events[i].type == EventType::closes) ++closes;
      if (with.events[i].type != EventType::start_stick) continue;
      ++sticks;
      EXPECT_EQ(with.events[i - 1].type, EventType::closes);
      EXPECT_EQ(with.events[i - 1].contact, with.events[i].contact);
    }
    EXPECT_EQ(closes, sticks);
    EXPECT_EQ(with.events.size(), without.events.size() + sticks);
    for (std::size_t b = 0; b < with.bodies.size(); ++b) EXPECT_EQ(with.bodies[b].velocity, without.bodies[b].velocity);
    const SimultaneousPath path = simultaneous_path(chain(20, {exponent, .96, .3}), 50);
    for (const SimultaneousSample& sample : path.samples)
      for (const auto& contact : sample.contacts)
        EXPECT_EQ(contact.tangent, contact.normal == NormalMode::open ? TangentMode::none : TangentMode::stick);
  }
  // The smallest sideways motion brings it back.
  SimultaneousProblem spinning = chain(20, {1.0, .96, .3});
  spinning.bodies[0].angular_velocity.y() = 1e-6;
  EXPECT_GT(simultaneous_impact(spinning).bodies[1].angular_velocity.norm(), 1e-8);
}

// A chain of two hundred knows no left and right, whatever the order of its contacts, and its samples change nothing.
TEST(SimultaneousGrowth, OrderSymmetryAndSamples) {
  Rng rng(3);
  for (const Surface& surface : {Surface{1.0, .98}, Surface{1.5, 1.0}}) {
    SimultaneousProblem problem = chain(200, surface);
    problem.bodies.back().velocity.x() = -1.0;
    const SimultaneousImpact impact = simultaneous_impact(problem);
    for (std::size_t b = 0; b < 200; ++b)
      EXPECT_NEAR(impact.bodies[b].velocity.x(), -impact.bodies[199 - b].velocity.x(), 1e-10);
    EXPECT_LT(std::abs(impact.energy.imbalance()), 1e-9 * impact.energy.before);
    const SimultaneousImpact other = simultaneous_impact(shuffled(problem, rng));
    for (std::size_t b = 0; b < 200; ++b)
      EXPECT_LT((impact.bodies[b].velocity - other.bodies[b].velocity).norm(), 1e-14);
    const SimultaneousPath path = simultaneous_path(problem, 8000);
    ASSERT_LE(path.samples.size(), 8000U);
    ASSERT_GT(path.samples.size(), 2000U);
    for (std::size_t b = 0; b < 200; ++b) EXPECT_EQ(impact.bodies[b].velocity, path.impact.bodies[b].velocity);
    // Impulse is the integral of the force: trapezoids between the samples.
    for (const std::size_t c : {0U, 20U, 99U}) {
      double sum = 0.0, spacing = 0.0;
      for (std::size_t i = 1; i < path.samples.size(); ++i) {
        const double dt = path.samples[i].time - path.samples[i - 1].time;
        ASSERT_GE(dt, 0.0);
        spacing = std::max(spacing, dt);
        sum += .5 * dt * path.impact.time_unit *
               (path.samples[i].contacts[c].force + path.samples[i - 1].contacts[c].force);
      }
      EXPECT_LT(spacing, .5);
      EXPECT_NEAR(sum / path.impact.contacts[c].impulse.norm(), 1.0, .01);
    }
  }
}

// What a longer chain takes is what happens in it: the wave, as long as it lasts. Counted in steps and in memory.
TEST(SimultaneousGrowth, CostFollowsTheWave) {
  for (const double exponent : {1.0, 1.5}) {
    SimultaneousProblem small = chain(500, {exponent, 1.0}), large = chain(2000, {exponent, 1.0});
    small.tolerance = large.tolerance = 1e-8;
    const long start = allocation_count();
    const SimultaneousImpact of_small = simultaneous_impact(small);
    const long middle = allocation_count();
    const SimultaneousImpact of_large = simultaneous_impact(large);
    const long end = allocation_count();
    EXPECT_LT(of_large.steps, 7 * of_small.steps);
    EXPECT_LT(of_large.events.size(), 6 * of_small.events.size());
    EXPECT_LE(end - middle, 6 * (middle - start));  // sanitizers count none
    EXPECT_LT(std::abs(of_large.energy.imbalance()), 1e-8 * of_large.energy.before);
    double momentum = 0.0;
    for (const Body& body : of_large.bodies) momentum += body.velocity.x();
    EXPECT_NEAR(momentum, 1.0, 1e-12);
  }
}

}  // namespace
}  // namespace carom::testing
