// Stiffness, exponent and damping from force traces of the library's own touches.
#include "carom/plan/fit_force.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <random>
#include <vector>

#include "carom/core/error.hpp"

namespace carom {
namespace {

/// f = k d^p (1 + A d'/v) along a half swing.
std::vector<ForceSample> touch(double k, double p, double a, double v, double noise, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<> normal;
  std::vector<ForceSample> out;
  for (int i = 1; i < 60; ++i) {
    const double t = std::numbers::pi * i / 60.0, d = 1e-3 * std::sin(t), rate = v * std::cos(t);
    const double f = std::max(0.0, k * std::pow(d, p) * (1.0 + a * rate / v));
    out.push_back({d, rate, f + noise * normal(random)});
  }
  return out;
}

TEST(FitNormalForce, GivesBackWhatWasPutIn) {
  for (const double p : {1.0, 1.5, 2.2}) {
    const NormalForceFit fit = fit_normal_force(touch(1e6, p, 0.4, 2.0, 0.0, 1), 2.0);
    EXPECT_NEAR(fit.exponent, p, 1e-7);
    EXPECT_NEAR(fit.stiffness, 1e6, 1.0);
    EXPECT_NEAR(fit.damping, 0.4, 1e-7);
  }
}

TEST(FitNormalForce, IntervalsCoverTheTruth) {
  int inside = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const NormalForceFit fit = fit_normal_force(touch(1e6, 1.5, 0.4, 2.0, 0.2, seed), 2.0);
    ASSERT_TRUE(fit.exponent_error);
    inside += std::abs(fit.exponent - 1.5) <= 1.96 * *fit.exponent_error;
    inside += std::abs(fit.damping - 0.4) <= 1.96 * *fit.damping_error;
  }
  EXPECT_GE(inside, 364);  // 91 to 98 % of 400
  EXPECT_LE(inside, 392);
}

TEST(FitNormalForce, RefusesTooLittle) {
  const std::vector<ForceSample> two = {{1e-3, 1, 5}, {2e-3, 0.5, 9}};
  EXPECT_THROW(fit_normal_force(two, 1.0), InvalidInput);
  EXPECT_THROW(fit_normal_force(touch(1e6, 1.5, 0.4, 2.0, 0.0, 1), 0.0), InvalidInput);
}

// Friction traces, made by the contact room's law in steps of its own.

/// Rests of several lengths, slow motion within stick, slip both ways at several speeds, under a load that changes.
double velocity_at(double t) {
  if (t < 0.3) return 2e-4 * std::sin(40.0 * t);
  if (t < 0.9) return 0.05 * std::sin(10.472 * (t - 0.3));
  if (t < 1.4) return 1e-4;
  if (t < 2.4) return 0.2 * std::sin(6.2832 * (t - 1.4));
  if (t < 2.6) return 0.0;
  return 0.01 * (t - 2.6) + 0.02 * std::sin(9.0 * (t - 2.6));
}
double load_at(double t) { return 20.0 + 5.0 * std::sin(3.0 * t); }

std::vector<FrictionSample> rubbing(const BristleFriction& law, double noise, std::uint64_t seed, double end = 4.0) {
  std::mt19937_64 random(seed);
  std::normal_distribution<> normal;
  std::vector<FrictionSample> out;
  BristleState state;
  constexpr int steps = 60;  // between samples, by the midpoint rule
  constexpr double apart = 5e-3;
  const int count = static_cast<int>(end / apart);
  for (int i = 0; i <= count; ++i) {
    const double t = apart * i;
    const double force = bristle_force(law, state, {velocity_at(t), 0.0}, load_at(t)).force.x();
    out.push_back({t, velocity_at(t), load_at(t), force + noise * normal(random)});
    for (int k = 0; k < steps; ++k) {  // the same straight lines between samples that a measured trace has
      const double h = apart / steps;
      const auto along = [&](double x, double a, double b) { return a + (b - a) * x; };
      const auto rates = [&](const BristleState& s, double x) {
        return bristle_force(law, s, {along(x, velocity_at(t), velocity_at(t + apart)), 0.0},
                             along(x, load_at(t), load_at(t + apart)));
      };
      const BristleForce first = rates(state, static_cast<double>(k) / steps);
      const BristleState middle{state.z + 0.5 * h * first.z_rate, state.dwell + 0.5 * h * first.dwell_rate};
      const BristleForce second = rates(middle, (k + 0.5) / steps);
      state.z += h * second.z_rate;
      state.dwell += h * second.dwell_rate;
    }
  }
  return out;
}

BristleFriction rubber() {
  BristleFriction law;
  law.mu_s = 0.5;
  law.mu_c = 0.35;
  law.sigma0 = 2e4;
  law.sigma1 = 80.0;
  law.sigma2 = 3.0;
  law.v_s = 5e-3;
  law.tau_dw = 0.3;
  return law;
}

double of(const BristleFriction& f, FrictionParameter p) {
  const double all[] = {f.mu_s, f.mu_c, f.sigma0, f.sigma1, f.sigma2, f.v_s, f.tau_dw};
  return all[static_cast<std::size_t>(p)];
}

TEST(FitFriction, FollowsTheLawOfTheContact) {
  const auto trace = rubbing(rubber(), 0.0, 1);
  const std::vector<double> forces = friction_trace(trace, rubber());
  double off = 0.0, size = 0.0;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    off = std::max(off, std::abs(forces[i] - trace[i].friction));
    size = std::max(size, std::abs(trace[i].friction));
  }
  EXPECT_LE(off, 0.02 * size);
}

TEST(FitFriction, GivesSevenParametersBack) {
  const FrictionFit fit = fit_friction({rubbing(rubber(), 0.0, 1), {}, {}, {}});
  EXPECT_TRUE(fit.converged);
  ASSERT_EQ(fit.free.size(), friction_parameters);
  for (const FittedFriction& one : fit.free) {
    EXPECT_FALSE(one.unidentifiable) << name(one.parameter);
    EXPECT_NEAR(one.value / of(rubber(), one.parameter), 1.0, 0.05) << name(one.parameter);
  }
}

TEST(FitFriction, SaysHowSureAndWhatATraceDoesNotTell) {
  const double noise = 0.05;
  const FrictionFit fit = fit_friction({rubbing(rubber(), noise, 2), {}, {}, {}});
  EXPECT_NEAR(fit.residual, noise, 0.25 * noise);
  for (const FittedFriction& one : fit.free) {
    ASSERT_TRUE(one.standard_error) << name(one.parameter);
    EXPECT_LE(std::abs(one.value - of(rubber(), one.parameter)),
              4 * *one.standard_error + 0.05 * of(rubber(), one.parameter))
        << name(one.parameter);
  }
  // Nothing but motion within stick: no friction coefficient, no Stribeck speed, no dwell time in it.
  const FrictionFit stuck = fit_friction({rubbing(rubber(), 0.0, 1, 0.1), {}, {}, {}});
  for (const FittedFriction& one : stuck.free) {
    if (one.parameter == FrictionParameter::tau_dw || one.parameter == FrictionParameter::mu_s) {
      EXPECT_TRUE(one.unidentifiable || one.at_bound) << name(one.parameter);
      EXPECT_FALSE(one.standard_error);
    }
    if (one.parameter == FrictionParameter::sigma0) {
      EXPECT_NEAR(one.value, 2e4, 1e3);
    }
  }
}

TEST(FitFriction, RefusesWhatIsNoTrace) {
  auto trace = rubbing(rubber(), 0.0, 1, 0.5);
  FrictionFitProblem problem{trace, {}, {}, {}};
  problem.samples[3].time = problem.samples[2].time;
  EXPECT_THROW(fit_friction(problem), InvalidInput);
  problem.samples = trace;
  problem.samples[3].load = -1.0;
  EXPECT_THROW(fit_friction(problem), InvalidInput);
  problem.samples.resize(2);
  EXPECT_THROW(fit_friction(problem), InvalidInput);
  problem.samples = trace;
  for (const auto& [parameter, word] : names_of<FrictionParameter>) problem.fixed.set(parameter);
  problem.values = rubber();
  EXPECT_THROW(fit_friction(problem), InvalidInput);
}

}  // namespace
}  // namespace carom
