// Methods of others: where they agree with the process, and the numbers of Wang and Mason 1992 where they fail.
#include "carom/impact/other_methods.hpp"

#include <gtest/gtest.h>

#include "carom/core/error.hpp"
#include "carom/impact/one_step.hpp"
#include "carom/impact/planar_modes.hpp"

#include "impact/falling_rod.hpp"
#include "impact/planar_random.hpp"

namespace carom {
namespace {

using Eigen::Vector2d;

PlanarProblem rod_impact(double s0, double c0, double mu, double e, RestitutionLaw law = RestitutionLaw::newton) {
  return testing::falling_rod(s0, c0, mu, e, law);
}

// wm.wrong_mode: the rod of case 2 with mu = .3, e = 1, sliding assumed: +.03309393852341281 J.
TEST(AssumedMode, SlidingThroughoutGainsEnergy) {
  const AssumedImpact a = assumed_mode_impact(rod_impact(0.6, -1, 0.3, 1), PlanarMode::sliding);
  EXPECT_NEAR((a.impulse - Vector2d(-0.2033898305084746, 0.6779661016949152)).norm(), 0.0, 1e-15);
  EXPECT_NEAR((a.velocity_after - Vector2d(-0.9254237288135593, 1.0)).norm(), 0.0, 1e-15);
  EXPECT_NEAR(a.energy.after - a.energy.before, 0.03309393852341281, 1e-15);
  EXPECT_TRUE(a.broken.has(BrokenLaw::energy_gain));
  EXPECT_TRUE(a.broken.has(BrokenLaw::wrong_slip));  // it ends the other way round
  EXPECT_FALSE(a.broken.has(BrokenLaw::outside_cone));
}

// The formulas of section 3.5 (eqs. 39 to 55), applied to the mode that happens, are the answer: and break nothing but
// what Newton's law breaks.
TEST(AssumedMode, OfTheModeThatHappensIsTheAnswer) {
  std::mt19937_64 rng(40);
  int modes[6] = {};
  for (int i = 0; i < 20000; ++i) {
    const RestitutionLaw law = i % 2 == 0 ? RestitutionLaw::newton : RestitutionLaw::poisson;
    const PlanarProblem problem = testing::random_planar_problem(rng, law);
    const PlanarImpact impact = planar_impact(problem);
    ASSERT_NE(impact.mode, PlanarMode::none);
    ++modes[static_cast<int>(impact.mode)];
    const AssumedImpact assumed = assumed_mode_impact(problem, impact.mode);
    const double size = 1e-9 * (impact.impulse.norm() + problem.space.velocity.norm());
    EXPECT_LT((assumed.impulse - impact.impulse).norm(), size) << name(impact.mode);
    EXPECT_LT((assumed.velocity_after - impact.velocity_after).norm(), size * problem.space.inverse_inertia.norm());
    BrokenLaws broken = assumed.broken;
    broken.set(BrokenLaw::energy_gain, false);
    EXPECT_TRUE(broken.none()) << name(impact.mode);
    EXPECT_NEAR(assumed.energy.before - assumed.energy.after,
                assumed.energy.friction_loss + assumed.energy.restitution_loss, 1e-12 * (1 + assumed.energy.before));
  }
  for (int m = 1; m < 6; ++m) EXPECT_GT(modes[m], 100) << m;
}

// A wrong mode is never silent: whichever other mode is assumed, some law is broken, or the formulas coincide.
TEST(AssumedMode, AnotherModeBreaksALaw) {
  std::mt19937_64 rng(41);
  int caught = 0;
  for (int i = 0; i < 5000; ++i) {
    const PlanarProblem problem = testing::random_planar_problem(rng, RestitutionLaw::newton);
    const PlanarImpact impact = planar_impact(problem);
    for (const auto& [mode, called] : names_of<PlanarMode>) {
      if (mode == PlanarMode::none) continue;
      const AssumedImpact assumed = assumed_mode_impact(problem, mode);
      const double scale = impact.impulse.norm() + problem.space.velocity.norm();
      if ((assumed.impulse - impact.impulse).norm() < 1e-6 * scale) continue;
      BrokenLaws broken = assumed.broken;
      broken.set(BrokenLaw::energy_gain, false);
      EXPECT_FALSE(broken.none()) << called << " for " << name(impact.mode);
      ++caught;
    }
  }
  EXPECT_GT(caught, 5000);
}

TEST(AssumedMode, NoApproachNoImpact) {
  EXPECT_EQ(assumed_mode_impact(rod_impact(0.2, 0.1, 2, 0.7), PlanarMode::sliding).verdict, Verdict::no_impact);
  EXPECT_EQ(assumed_mode_impact(rod_impact(-0.2, 0, 1, 0.7), PlanarMode::sliding).verdict, Verdict::no_impact);
  EXPECT_THROW(assumed_mode_impact(rod_impact(0, -1, 1, 0.7), PlanarMode::none), InvalidInput);
  EXPECT_THROW(assumed_mode_impact(rod_impact(0, -1, 1, 0.7, RestitutionLaw::energetic), PlanarMode::sliding),
               InvalidInput);
  // Without approach sliding has no impulse to offer; sticking gives the tangential impact.
  EXPECT_TRUE(assumed_mode_impact(rod_impact(-0.2, 0, 2, 0.5), PlanarMode::sliding).broken.has(BrokenLaw::no_answer));
  EXPECT_TRUE(assumed_mode_impact(rod_impact(-0.2, 0, 2, 0.5), PlanarMode::c_sticking).broken.none());
  // Sliding with mu = 2 drives the rod into the ground: a "sliding" impact would have to pull.
  EXPECT_TRUE(assumed_mode_impact(rod_impact(-1, -1, 2, 0.5), PlanarMode::sliding).broken.has(BrokenLaw::pulls));
}

// wm.case2.brach: only mu = 0 is left at e = 1; without the ban on reversal .48575071141442544
// at e = .9 (exact rational bisection of the energy of the reversed mode); below e = .8
// every friction is free of gain.
TEST(BearableFriction, OfCase2) {
  const BearableFriction elastic = bearable_friction(rod_impact(0.6, -1, 0.7, 1.0));
  EXPECT_EQ(elastic.friction, 0.0);
  EXPECT_LT(elastic.without_gain, 1e-3);  // at e = 1 the gain grows as mu^4: 1.4e-12 J at .001
  EXPECT_NEAR(bearable_friction(rod_impact(0.6, -1, 0.7, 0.9)).without_gain, 0.48575071141442544, 1e-11);
  EXPECT_EQ(bearable_friction(rod_impact(0.6, -1, 0.7, 0.9)).friction, 0.0);  // what does not gain reverses
  const BearableFriction dull = bearable_friction(rod_impact(0.6, -1, 0.7, 0.79));
  EXPECT_EQ(dull.friction, 0.7);
  EXPECT_EQ(dull.without_gain, 0.7);
  EXPECT_EQ(bearable_friction(rod_impact(0.6, -1, 0.3, 0.5)).without_reversal, 0.0);
}

TEST(BearableFriction, IsTheMostThatWorks) {
  std::mt19937_64 rng(42);
  int lowered = 0;
  for (int i = 0; i < 300; ++i) {
    PlanarProblem problem = testing::random_planar_problem(rng, RestitutionLaw::newton);
    problem.material.restitution = 1.0 - 0.2 * problem.material.restitution;
    const double mu = problem.material.friction;
    const BearableFriction b = bearable_friction(problem);
    const auto impact_with = [&](double friction) {
      problem.material.friction = friction;
      return planar_impact(problem);
    };
    EXPECT_LE(b.friction, std::min(b.without_gain, b.without_reversal));
    EXPECT_FALSE(impact_with(b.without_gain).flags.has(Flag::energy_gain));
    if (b.without_gain < mu) {
      ++lowered;
      EXPECT_TRUE(impact_with(b.without_gain * (1 + 1e-6) + 1e-12 * mu).flags.has(Flag::energy_gain) ||
                  b.without_gain < 1e-2);
      EXPECT_TRUE(impact_with(mu).flags.has(Flag::energy_gain));
    }
  }
  EXPECT_GT(lowered, 10);
}

// The law of time-stepping engines on the rod of case 2, by hand: it decides slip at the end, which sticks for mu = .7,
// e = .9 as the process does: (.375 e, .4 + .625 e), and gains (.625 e^2 - .4)/2 = .053125 J.
TEST(OneStep, GainsEnergyAsNewtonDoes) {
  OneStepProblem step;
  step.space.inverse_inertia << 2.5, 0, -1.5, 0, 2.5, 0, -1.5, 0, 2.5;
  step.space.velocity = {0.6, 0, -1};
  step.material = {.friction = 0.7, .restitution = 0.9};
  const OneStepOutcome newton = one_step_outcome(step);
  const PlanarProblem problem = rod_impact(0.6, -1, 0.7, 0.9);
  const AssumedImpact judged = judged_impulse(problem, {newton.impulse[0], newton.impulse[2]});
  EXPECT_NEAR((judged.impulse - Vector2d(0.3375, 0.9625)).norm(), 0.0, 1e-12);
  EXPECT_NEAR(judged.energy.after - judged.energy.before, 0.053125, 1e-12);
  EXPECT_TRUE(judged.broken.has(BrokenLaw::energy_gain));
}

}  // namespace
}  // namespace carom
