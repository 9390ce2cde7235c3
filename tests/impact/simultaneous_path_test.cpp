// How a simultaneous impact went: a bounded number of samples, and what they must show.
#include <gtest/gtest.h>
#include <set>

#include "carom/core/error.hpp"
#include "carom/impact/simultaneous.hpp"

#include "impact/simultaneous_random.hpp"
#include "impact/simultaneous_scenes.hpp"

namespace carom::testing {
namespace {

// Never more than asked for, in order, from first touch to the end; evenly spaced but for what events add; and the
// impact has the same bits as without.
TEST(SimultaneousPath, IsBounded) {
  for (const Surface& surface :
       {Surface{1.0, .9}, Surface{1.5, .9}, Surface{1.5, .96, .03}, Surface{1.0, .96, .1, 1.1}})
    for (const SimultaneousProblem& problem : {chain(2, surface), chain(40, surface), nine_ball(surface, 20)}) {
      const SimultaneousImpact plain = simultaneous_impact(problem);
      for (const std::size_t points : {2U, 3U, 4U, 5U, 50U, 1000U}) {
        const auto [impact, samples] = simultaneous_path(problem, points);
        EXPECT_LE(samples.size(), points);
        EXPECT_GE(samples.size(), points < 10 ? 2U : points / 5);
        EXPECT_EQ(samples.front().time, 0.0);
        EXPECT_EQ(samples.back().time, impact.events.back().time);
        double longest = 0.0;
        for (std::size_t i = 1; i < samples.size(); ++i) {
          EXPECT_GE(samples[i].time, samples[i - 1].time);
          EXPECT_EQ(samples[i].contacts.size(), problem.contacts.size());
          longest = std::max(longest, samples[i].time - samples[i - 1].time);
        }
        EXPECT_LE(longest, 5.0 * samples.back().time / static_cast<double>(points));
        for (std::size_t b = 0; b < plain.bodies.size(); ++b) {
          EXPECT_EQ(plain.bodies[b].velocity, impact.bodies[b].velocity);
          EXPECT_EQ(plain.bodies[b].angular_velocity, impact.bodies[b].angular_velocity);
        }
        EXPECT_EQ(plain.steps, impact.steps);
        EXPECT_EQ(plain.events.size(), impact.events.size());
      }
    }
  EXPECT_THROW(simultaneous_path(chain(2, {}), 1), InvalidInput);
}

TEST(SimultaneousPath, KeepsEveryEventThatFits) {
  for (const Surface& surface : {Surface{1.0, .9}, Surface{1.5, .96, .03}}) {
    const auto [impact, samples] = simultaneous_path(nine_ball(surface, 20), 2000);
    std::set<double> times;
    for (const SimultaneousSample& sample : samples) times.insert(sample.time);
    ASSERT_LT(impact.events.size(), 900U);
    for (const SimultaneousEvent& event : impact.events) EXPECT_TRUE(times.contains(event.time)) << event.time;
  }
}

// The area under the force of every contact is its impulse, that under its friction too; forces belong to the
// compressions, friction to its cone.
TEST(SimultaneousPath, ForcesAddUpToImpulses) {
  Rng rng(3);
  for (int i = 0; i < 24; ++i) {
    const double exponent = i % 2 == 0 ? 1.0 : 1.5;
    const SimultaneousProblem problem = random_scene(rng, exponent, static_cast<SceneFriction>(i % 3), false, 5);
    const auto [impact, samples] = simultaneous_path(problem, 8000);
    if (impact.verdict != Verdict::separated) continue;
    for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
      const SpringContact& contact = problem.contacts[c];
      const Eigen::Matrix3d frame = contact_frame(contact);
      Eigen::Vector3d area = Eigen::Vector3d::Zero();
      for (std::size_t k = 1; k < samples.size(); ++k) {
        const auto &a = samples[k - 1].contacts[c], &b = samples[k].contacts[c];
        const double h = .5 * (samples[k].time - samples[k - 1].time) * impact.time_unit;
        area += h * frame *
                Eigen::Vector3d(a.friction.x() + b.friction.x(), a.friction.y() + b.friction.y(), a.force + b.force);
        EXPECT_NEAR(b.force, contact.stiffness * std::pow(b.compression, exponent), 1e-9 * (1.0 + b.force));
        EXPECT_LE(b.friction.norm(), contact.material.friction * b.force * (1.0 + 1e-9) + 1e-12);
      }
      EXPECT_LT((area - impact.contacts[c].impulse).norm(), 2e-3 * (1e-3 + impact.contacts[c].impulse.norm())) << i;
    }
  }
}

// Two equal balls at rest relative to each other hold all energy of their approach; what the spring gives back of it is
// e^2.
TEST(SimultaneousPath, StoredEnergyIsWhatComesBack) {
  for (const Surface& surface : {Surface{1.0, .9}, Surface{1.5, .7}, Surface{1.0, 1e-5}}) {
    const SimultaneousProblem problem = chain(2, surface);
    const auto [impact, samples] = simultaneous_path(problem, 2000);
    double most = 0.0;
    for (const SimultaneousSample& sample : samples)
      most = std::max(most, stored_energy(problem.contacts[0], sample.contacts[0]));
    const double e = std::max(problem.contacts[0].material.restitution, smallest_restitution);
    EXPECT_NEAR(most, e * e * 0.5 * impact.energy.before, 1e-6 * most);  // half the energy is that of the pair's centre
  }
}

TEST(SimultaneousPath, FixedSteps) {
  SimultaneousProblem problem = chain(5, {1.5, .9, .1, 1.1});
  problem.method = SimultaneousMethod::kick_drift_kick;
  problem.steps_per_time_unit = 500;
  const auto [impact, samples] = simultaneous_path(problem, 400);
  ASSERT_GT(samples.size(), 90U);
  ASSERT_LE(samples.size(), 400U);
  double area = 0.0;
  for (std::size_t k = 1; k < samples.size(); ++k)
    area += .5 * (samples[k].contacts[0].force + samples[k - 1].contacts[0].force) *
            (samples[k].time - samples[k - 1].time) * impact.time_unit;
  EXPECT_NEAR(area, impact.contacts[0].impulse.norm(), 1e-2);
}

TEST(SimultaneousPath, NoImpactHasNone) {
  SimultaneousProblem problem = chain(3, {});
  problem.bodies[0].velocity.x() = -1.0;
  EXPECT_TRUE(simultaneous_path(problem, 100).samples.empty());
}

}  // namespace
}  // namespace carom::testing
