// Derivatives of the planar, compliant and one-step models against central differences, and against the relation that
// impulses of degree one in the velocity obey. The one-step law against the conditions that define it.
#include <gtest/gtest.h>
#include <random>

#include "carom/core/error.hpp"
#include "carom/impact/compliant.hpp"
#include "carom/impact/one_step.hpp"
#include "carom/impact/planar.hpp"

#include "impact/compliant_cases.hpp"
#include "impact/planar_random.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

/// Central difference, extrapolated once.
template <class F>
auto slope(const F& f, double h) {
  return ((8.0 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12.0 * h)).eval();
}

CompliantProblem changed(CompliantProblem p, int k, double x) {
  if (k < 3) p.space.velocity[k] += x;
  if (k == 3) p.material.friction += x;
  if (k == 4) p.material.restitution += x;
  if (k == 5) p.stiffness_ratio_root += x;
  return p;
}

Vector3d column(const CompliantDerivatives& d, int k) {
  if (k < 3) return d.by_velocity.col(k);
  return k == 3 ? d.by_friction : k == 4 ? d.by_restitution : d.by_stiffness_ratio_root;
}

bool same_events(const CompliantImpact& a, const CompliantImpact& b) {
  if (a.events.size() != b.events.size()) return false;
  for (std::size_t i = 0; i < a.events.size(); ++i)
    if (a.events[i].type != b.events[i].type) return false;
  return true;
}

TEST(CompliantDerivatives, MatchCentralDifferences) {
  cases::OrdinaryCases next(5);
  int compared = 0, exact = 0, off = 0;
  for (int i = 0; i < 600; ++i) {
    CompliantProblem p = next();
    if (i % 3 == 0) p.space.inverse_inertia(0, 1) = p.space.inverse_inertia(1, 0) = 0.0;
    p.material.restitution = 0.05 + 0.9 * p.material.restitution;
    if (inverse_inertia_problem(p.space.inverse_inertia)) continue;
    const CompliantDerivatives d = compliant_derivatives(p);
    exact += d.exact;
    const CompliantDerivatives surface = compliant_surface_derivatives(p);
    if (d.exact && surface.exact) {
      ASSERT_LE((surface.by_friction - d.by_friction).norm() + (surface.by_restitution - d.by_restitution).norm(),
                1e-8 * (d.by_friction.norm() + d.by_restitution.norm()));
    }
    const CompliantImpact here = compliant_impact(p);
    const double h = 1e-4;
    for (int k = 0; k < 6; ++k) {
      if (!same_events(here, compliant_impact(changed(p, k, 2 * h))) ||
          !same_events(here, compliant_impact(changed(p, k, -2 * h))))
        continue;
      const Vector3d expected = slope([&](double x) { return compliant_outcome(changed(p, k, x)).impulse; }, h);
      ++compared;
      // An event close to grazing has large higher derivatives: those few are judged together.
      if (!((column(d, k) - expected).norm() <= 2e-6 * (expected.norm() + d.outcome.impulse.norm()))) ++off;
    }
  }
  EXPECT_GT(compared, 2500);
  EXPECT_LT(off, compared / 100);
  EXPECT_GT(exact, 550);
}

TEST(CompliantDerivatives, OfStiffSpringsInThePlane) {
  // Many oscillations in one stick: the modes carry the derivatives through all of them, no step does. The differences
  // extrapolate h^2 away; what they lose to oscillation and rounding, they lose everywhere alike.
  std::mt19937_64 rng(44);
  const auto uniform = [&rng](double a, double b) { return std::uniform_real_distribution<double>(a, b)(rng); };
  int compared = 0, far = 0;
  for (const double eta0 : {0.003, 0.03, 0.3, 3.0})
    for (int i = 0; i < 60; ++i) {
      CompliantProblem p;
      const double wtn = uniform(-1.2, 1.2);
      p.space.inverse_inertia << 2.5, 0.0, wtn, 0.0, 2.5, 0.0, wtn, 0.0, 1.5;
      p.space.velocity = {uniform(-1.0, 1.0), 0.0, -uniform(0.5, 2.0)};
      p.material = {uniform(0.2, 1.5), uniform(0.3, 0.95)};
      p.stiffness_ratio_root = eta0;
      const CompliantDerivatives d = compliant_surface_derivatives(p);
      ASSERT_TRUE(d.exact) << eta0;
      const auto slope = [&p](auto change, double h) -> Eigen::Vector3d {
        const auto at = [&](double x) {
          CompliantProblem q = p;
          change(q, x);
          return Eigen::Vector3d(compliant_outcome(q).impulse);
        };
        return (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
      };
      const double h = 1e-6;
      const Eigen::Vector3d by_mu = slope([](CompliantProblem& q, double x) { q.material.friction += x; }, h);
      const Eigen::Vector3d by_e = slope([](CompliantProblem& q, double x) { q.material.restitution += x; }, h);
      const Eigen::Vector3d by_eta =
          slope([](CompliantProblem& q, double x) { q.stiffness_ratio_root += x; }, h * eta0);
      ++compared;
      const double error = (d.by_friction - by_mu).norm() + (d.by_restitution - by_e).norm() +
                           eta0 * (d.by_stiffness_ratio_root - by_eta).norm();
      const double size = by_mu.norm() + by_e.norm() + eta0 * by_eta.norm();
      if (error > 1e-5 * size) ++far;  // an event close to grazing, or its order changed within the difference
    }
  EXPECT_EQ(compared, 240);
  EXPECT_LT(far, 24);
}

TEST(CompliantDerivatives, ObeyEulersRelation) {
  // I is homogeneous of degree one in v: no differences needed.
  cases::OrdinaryCases next(6);
  int checked = 0;
  for (int i = 0; i < 1000; ++i) {
    const CompliantProblem p = next();
    const CompliantDerivatives d = compliant_derivatives(p);
    if (!d.exact || d.outcome.verdict != Verdict::separated) continue;
    ++checked;
    const double scale = d.outcome.impulse.norm() + d.by_velocity.norm() * p.space.velocity.norm();
    ASSERT_LE((d.by_velocity * p.space.velocity - d.outcome.impulse).norm(), 1e-8 * scale) << "case " << i;
  }
  EXPECT_GT(checked, 900);
}

TEST(CompliantDerivatives, SlidingBallHasItsClosedForm) {
  // Slips throughout, uncoupled: I_n = -(1 + e) v_n / W_nn, I_t = -mu I_n along the slip.
  const CompliantProblem p = cases::ball({9, 0, -1}, {0, 0, 0}, 0.2, 0.5);
  const CompliantDerivatives d = compliant_derivatives(p);
  EXPECT_TRUE(d.exact);
  EXPECT_LE((d.by_friction - Vector3d(-1.5, 0, 0)).norm(), 1e-11);
  EXPECT_LE((d.by_restitution - Vector3d(-0.2, 0, 1)).norm(), 1e-11);
  EXPECT_LE(d.by_stiffness_ratio_root.norm(), 1e-11);
  EXPECT_LE((d.by_velocity.col(2) - Vector3d(0.3, 0, -1.5)).norm(), 1e-11);
}

TEST(CompliantDerivatives, EdgesHaveOneSide) {
  CompliantProblem p = cases::ball({-1, 0, -5}, {0, 2, 0}, 0.0, 0.5);
  CompliantDerivatives d = compliant_derivatives(p);
  EXPECT_NEAR(d.by_friction[0], -7.5 * (p.space.velocity[0] > 0 ? 1 : -1), 1e-3);  // -(1 + e) |v_n| / W_nn
  EXPECT_NEAR(d.by_velocity(2, 2), -1.5, 1e-14);
  p.material = {0.4, 0.0};
  d = compliant_derivatives(p);
  CompliantProblem beside = p;
  beside.material.restitution = 1e-4;
  const Vector3d rise = (compliant_outcome(beside).impulse - compliant_outcome(p).impulse) / 1e-4;
  EXPECT_LE((d.by_restitution - rise).norm(), 1e-3 * rise.norm());
  p.stiffness_ratio_root = 1e-4;
  p.material.restitution = 0.5;
  EXPECT_EQ(compliant_derivatives(p).by_stiffness_ratio_root.norm(), 0.0);
  p.space.velocity[2] = 1.0;
  EXPECT_EQ(compliant_derivatives(p).outcome.verdict, Verdict::no_impact);
}

TEST(PlanarDerivatives, MatchCentralDifferences) {
  std::mt19937_64 random(7);
  std::normal_distribution<> normal;
  std::uniform_real_distribution<> uniform;
  int compared = 0, modes[6] = {};
  for (int i = 0; i < 4000; ++i) {
    PlanarProblem p;
    Eigen::Matrix2d a;
    for (double& x : a.reshaped()) x = normal(random);
    p.space.inverse_inertia = a * a.transpose() + 0.1 * Eigen::Matrix2d::Identity();
    p.space.velocity = {normal(random), -0.1 - std::abs(normal(random))};
    p.material = {0.05 + uniform(random), 0.05 + 0.9 * uniform(random)};
    p.law = static_cast<RestitutionLaw>(i % 3);
    const PlanarDerivatives d = planar_derivatives(p);
    Eigen::Matrix<double, 2, 4> got, expected;
    got << d.by_velocity, d.by_friction, d.by_restitution;
    bool same = true;
    for (int k = 0; k < 4; ++k)
      expected.col(k) = slope(
          [&](double x) {
            PlanarProblem q = p;
            (k < 2 ? q.space.velocity[k] : k == 2 ? q.material.friction : q.material.restitution) += x;
            const PlanarOutcome beside = planar_outcome(q);
            same = same && beside.mode == d.outcome.mode;
            return beside.impulse;
          },
          1e-4);
    if (!same) continue;
    ++compared;
    ++modes[static_cast<int>(d.outcome.mode)];
    ASSERT_LE((got - expected).norm(), 1e-6 * (got.norm() + expected.norm())) << "case " << i;
  }
  EXPECT_GT(compared, 3000);
  for (int mode = 1; mode < 6; ++mode) EXPECT_GT(modes[mode], 20) << mode;
}

OneStepProblem random_step(std::mt19937_64& random, int i) {
  std::normal_distribution<> normal;
  std::uniform_real_distribution<> uniform;
  OneStepProblem p;
  Eigen::Matrix3d a;
  for (double& x : a.reshaped()) x = normal(random);
  p.space.inverse_inertia = a * a.transpose() + 0.3 * Eigen::Matrix3d::Identity();
  p.space.velocity = {normal(random), normal(random), -0.1 - std::abs(normal(random))};
  p.material = {0.02 + 0.6 * uniform(random), uniform(random)};
  p.law = i % 2 == 0 ? RestitutionLaw::newton : RestitutionLaw::poisson;
  return p;
}

TEST(OneStep, NewtonMeetsItsConditions) {
  std::mt19937_64 random(8);
  int sticking = 0;
  for (int i = 0; i < 4000; i += 2) {
    const OneStepProblem p = random_step(random, i);
    const OneStepOutcome r = one_step_outcome(p);
    const Vector3d after = p.space.velocity + p.space.inverse_inertia * r.impulse;
    const double scale = p.space.velocity.norm(), limit = p.material.friction * r.impulse[2];
    ASSERT_LE((after - r.velocity_after).norm(), 1e-12 * scale * p.space.inverse_inertia.norm());
    ASSERT_NEAR(after[2], -p.material.restitution * p.space.velocity[2], 1e-11 * scale);
    ASSERT_LE(r.impulse.head<2>().norm(), limit * (1 + 1e-12));
    sticking += r.sticks;
    if (r.sticks) {
      ASSERT_LE(after.head<2>().norm(), 1e-11 * scale);
    } else {  // friction at its limit, against the slip at the end
      ASSERT_LE((r.impulse.head<2>() * after.head<2>().norm() + limit * after.head<2>()).norm(), 1e-10 * scale * limit);
    }
  }
  EXPECT_GT(sticking, 100);
  EXPECT_LT(sticking, 1900);
}

TEST(OneStep, DerivativesMatchCentralDifferences) {
  std::mt19937_64 random(9);
  int compared = 0, off = 0;
  for (int i = 0; i < 1500; ++i) {
    OneStepProblem p = random_step(random, i);
    p.material.restitution = 0.05 + 0.9 * p.material.restitution;
    const OneStepDerivatives d = one_step_derivatives(p);
    Eigen::Matrix<double, 3, 5> got, expected;
    got << d.by_velocity, d.by_friction, d.by_restitution;
    bool same = true;
    for (int k = 0; k < 5; ++k)
      expected.col(k) = slope(
          [&](double x) {
            OneStepProblem q = p;
            (k < 3 ? q.space.velocity[k] : k == 3 ? q.material.friction : q.material.restitution) += x;
            const OneStepOutcome beside = one_step_outcome(q);
            same = same && beside.sticks == d.outcome.sticks;
            return beside.impulse;
          },
          1e-4);
    if (!same) continue;
    ++compared;
    // Poisson's first step may stick on one side and slip on the other: few.
    if ((got - expected).norm() > 1e-5 * (got.norm() + expected.norm())) ++off;
  }
  EXPECT_GT(compared, 1200);
  EXPECT_LT(off, 15);
}

TEST(OneStep, PoissonGivesBackItsShareOfTheImpulse) {
  // Central, so the normal motion is alone: compression -v_n / W_nn, restitution e times that.
  OneStepProblem p;
  p.space.inverse_inertia = Vector3d(3.5, 3.5, 1.0).asDiagonal();
  p.space.velocity = {9, 0, -1};
  p.material = {0.2, 0.5};
  p.law = RestitutionLaw::poisson;
  EXPECT_LE((one_step_outcome(p).impulse - Vector3d(-0.3, 0, 1.5)).norm(), 1e-14);
  p.law = RestitutionLaw::energetic;
  EXPECT_THROW(one_step_outcome(p), InvalidInput);
}

}  // namespace
}  // namespace carom
