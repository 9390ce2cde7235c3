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

}  // namespace
}  // namespace carom
