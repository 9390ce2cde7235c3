// Simultaneous impact over random scenes of two to eight bodies: conservation, independence of order, axes and units.
#include "impact/simultaneous_random.hpp"

#include <gtest/gtest.h>

namespace carom {
namespace {

using namespace testing;

/// Allowed errors at the tightest tolerance, relative to speeds of order one.
struct Kind {
  double exponent;
  SceneFriction friction;
  double tolerance;
  double balance;   // of the energy ledger
  double symmetry;  // between axes, mirror images and units: other roundings, other steps. Rigid slip is at rest below
                    // 1e-11, which moves the end of a slow slip by a multiple of that.
  int unfinished = 0;  // scenes that may need more work than is allowed, so far beyond the usual tolerance
};

/// In another order of the contacts the impulses have the same bits; the bodies add them up in the order given.
constexpr double order_rounding = 1e-13;

void check_scene(const Kind& kind, const SimultaneousProblem& problem, const SimultaneousImpact& impact, Rng& rng) {
  EXPECT_LT(std::abs(impact.energy.imbalance()), kind.balance * impact.energy.before);
  EXPECT_FALSE(impact.flags.has(Flag::energy_gain));
  EXPECT_LT(impact.events.size(), 20'000U);  // wedges chatter long
  bool ground = false;
  for (const Body& body : problem.bodies) ground = ground || body.immovable;
  if (!ground) {
    EXPECT_LT((momentum(impact.bodies) - momentum(problem.bodies)).norm(), 1e-13);
  }
  for (std::size_t c = 0; c < impact.contacts.size(); ++c) {
    const ContactOutcome& contact = impact.contacts[c];
    const Eigen::Vector3d n = problem.contacts[c].normal;
    const double normal = contact.impulse.dot(n);
    EXPECT_GT(contact.velocity_after.dot(n), -1e-11);
    EXPECT_GE(normal, -1e-15);
    EXPECT_LE((contact.impulse - normal * n).norm(), problem.contacts[c].material.friction * normal + 1e-9);
    EXPECT_GE(contact.restitution_loss, -1e-12);
    EXPECT_GE(contact.friction_loss, -1e-9);
  }
  const SimultaneousProblem reordered = shuffled(problem, rng);
  const SimultaneousImpact other = simultaneous_impact(reordered);
  EXPECT_LT(difference(impact.bodies, other.bodies), order_rounding);
  for (std::size_t a = 0; a < impact.contacts.size(); ++a)
    for (std::size_t b = 0; b < impact.contacts.size(); ++b)
      if (problem.contacts[a].point == reordered.contacts[b].point) {
        EXPECT_EQ(impact.contacts[a].impulse, other.contacts[b].impulse);
      }

  Eigen::Matrix3d turn = random_rotation(rng).toRotationMatrix();
  if (rng() % 2 == 0) turn.col(0) *= -1.0;
  EXPECT_LT(difference(impact.bodies, simultaneous_impact(turned(problem, turn)).bodies, 1.0, turn), kind.symmetry);

  SimultaneousProblem scaled = problem;
  for (Body& body : scaled.bodies) {
    body.velocity *= 3.0;
    body.angular_velocity *= 3.0;
  }
  for (SpringContact& contact : scaled.contacts) contact.stiffness *= 7.0;
  EXPECT_LT(difference(impact.bodies, simultaneous_impact(scaled).bodies, 3.0), 3.0 * kind.symmetry);
}

void check_properties(const Kind& kind, int count, std::uint64_t seed) {
  Rng rng(seed);
  int impacts = 0, unfinished = 0;
  for (int k = 0; k < count; ++k) {
    SCOPED_TRACE(k);
    SimultaneousProblem problem = random_scene(rng, kind.exponent, kind.friction, k % 3 == 0);
    problem.tolerance = kind.tolerance;
    const SimultaneousImpact impact = simultaneous_impact(problem);
    if (impact.verdict == Verdict::no_impact) continue;
    ++impacts;
    if (impact.verdict == Verdict::event_limit) {  // chatters on beyond the bound on work, all accounted for
      ++unfinished;
      EXPECT_LT(std::abs(impact.energy.imbalance()), kind.balance * impact.energy.before);
      continue;
    }
    ASSERT_EQ(impact.verdict, Verdict::separated);
    check_scene(kind, problem, impact, rng);
  }
  EXPECT_GT(impacts, count / 2);
  EXPECT_LE(unfinished, kind.unfinished);
}

constexpr auto none = SceneFriction::none, rigid = SceneFriction::rigid, springs = SceneFriction::springs;
const Kind linear_none{1.0, none, 1e-13, 1e-13, 1e-12}, hertz_none{1.5, none, 1e-13, 1e-11, 1e-11},
    linear_rigid{1.0, rigid, 1e-13, 1e-11, 1e-9}, hertz_rigid{1.5, rigid, 1e-13, 1e-11, 1e-9},
    linear_springs{1.0, springs, 1e-13, 1e-11, 1e-11}, hertz_springs{1.5, springs, 1e-13, 1e-11, 1e-11, 1};

TEST(SimultaneousRandom, LinearFrictionless) { check_properties(linear_none, 1000, 1); }
TEST(SimultaneousRandom, HertzFrictionless) { check_properties(hertz_none, 150, 2); }
TEST(SimultaneousRandom, LinearSprings) { check_properties(linear_springs, 20, 3); }
TEST(SimultaneousRandom, HertzSprings) { check_properties(hertz_springs, 20, 4); }
TEST(SimultaneousRandom, LinearRigid) { check_properties(linear_rigid, 40, 5); }
TEST(SimultaneousRandom, HertzRigid) { check_properties(hertz_rigid, 40, 6); }

TEST(SlowSimultaneousRandom, LinearFrictionless) { check_properties(linear_none, 10'000, 21); }
TEST(SlowSimultaneousRandom, HertzFrictionless) { check_properties(hertz_none, 10'000, 22); }
TEST(SlowSimultaneousRandom, LinearSprings) { check_properties(linear_springs, 1000, 23); }
TEST(SlowSimultaneousRandom, HertzSprings) { check_properties(hertz_springs, 1000, 24); }
TEST(SlowSimultaneousRandom, LinearRigid) { check_properties(linear_rigid, 1000, 25); }
TEST(SlowSimultaneousRandom, HertzRigid) { check_properties(hertz_rigid, 1000, 26); }

// Hertz contacts of little restitution that chatter until their speeds are near rounding. What rounding does to a
// velocity it does 1/e^2 times to an unloading compression: without that the steps became as short as the rounding.
TEST(SimultaneousRandom, RoundingOfUnloadingIsNoError) {
  Rng rng(90);
  SimultaneousProblem problem = random_scene(rng, 1.5, none, true);
  problem.tolerance = 1e-13;
  const SimultaneousImpact impact = simultaneous_impact(problem);
  EXPECT_EQ(impact.verdict, Verdict::separated);
  EXPECT_GT(impact.events.size(), 400U);
  EXPECT_LT(impact.steps, 8000U);  // 15,781 before
}

/// The result keeps the tolerance asked for, up to a small factor: compared with the tightest one.
void check_tolerance(double exponent, SceneFriction friction, double tolerance, double allowed, std::uint64_t seed) {
  Rng rng(seed);
  for (int k = 0; k < 20; ++k) {
    SCOPED_TRACE(k);
    SimultaneousProblem problem = random_scene(rng, exponent, friction, k % 3 == 0);
    problem.tolerance = 1e-13;
    const SimultaneousImpact exact = simultaneous_impact(problem);
    problem.tolerance = tolerance;
    EXPECT_LT(difference(simultaneous_impact(problem).bodies, exact.bodies), allowed);
  }
}

TEST(SimultaneousTolerance, IsKept) {
  for (const double tolerance : {1e-6, 1e-10})
    for (const SceneFriction friction : {none, rigid, springs}) {
      SCOPED_TRACE(tolerance);
      check_tolerance(1.0, friction, tolerance, 3.0 * tolerance, 31);
      check_tolerance(1.5, friction, tolerance, 3.0 * tolerance, 32);
    }
}

}  // namespace
}  // namespace carom
