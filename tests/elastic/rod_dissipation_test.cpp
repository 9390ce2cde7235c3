// What damping takes along the rod: it closes the energy balance, and is the appendix's.
#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <tuple>

#include "carom/core/error.hpp"
#include "carom/elastic/rod.hpp"

namespace {

using namespace carom;
using std::numbers::pi;

/// Energy taken by damping up to t, summed over the rod [m^3/s^2]. With structural damping the profile is
/// -(2 mu^2/pi) log x plus something smooth: the stop of the bottom diffuses up as exp(-x^2/(8 kappa t)).
double dissipated(const RodProblem& problem, double t) {
  RodMotion motion(problem);
  const double L = problem.length, mu = problem.impact_speed;
  const double singular = problem.damping_kind == DampingKind::structural ? 2.0 * mu * mu / pi : 0.0;
  const auto smooth = [&](double x) { return motion.dissipation(x, t) + singular * std::log(x / L); };
  // A wave front may have reached ct: split there.
  double front = std::min(problem.wave_speed * t, 2.0 * L - problem.wave_speed * t);
  if (front <= 0.0) front = 0.2 * L;
  using Rule = boost::math::quadrature::gauss<double, 15>;
  return Rule::integrate(smooth, 0.0, front) + Rule::integrate(smooth, front, L) + singular * L;
}

// What damping takes along the rod is what the energy balance misses.
TEST(RodDissipation, ClosesTheEnergyBalance) {
  for (const auto& [kind, damping, gravity] :
       {std::tuple{DampingKind::viscous, 0.3, 1.0}, std::tuple{DampingKind::viscous, 1.2, 0.0},
        std::tuple{DampingKind::structural, 0.4, 1.0}}) {
    const RodProblem problem{1.5, 0.8, gravity, damping, kind, 4.0, {}, 1, {}};
    const double e0 = 0.5 * 16.0 * problem.length, round_trip = 2.0 * problem.length / problem.wave_speed;
    RodMotion motion(problem);
    for (const double t : {0.2 * round_trip, 0.9 * round_trip})
      EXPECT_NEAR(dissipated(problem, t), e0 - motion.energy_total(t), 2e-6 * e0) << name(kind) << damping << " " << t;
  }
}

// Wang 2017, appendix C: 1 - (dissipated up to 2L/c)/E0 converges to .44601 with the number of modes (sheet).
TEST(RodDissipation, AppendixC) {
  const RodProblem problem{60.0, 5.0, 9.8, 18.0, DampingKind::structural, 5.0, {}, 1, {}};
  const double e0 = 0.5 * 25.0 * 5.0, left = RodMotion(problem).energy_total(2.0 * 5.0 / 60.0) / e0;
  EXPECT_NEAR(1.0 - dissipated(problem, 2.0 * 5.0 / 60.0) / e0, left, 2e-6);
  EXPECT_NEAR(left, 0.44601, 5e-6);
}

TEST(RodDissipation, Ends) {
  RodProblem problem;
  EXPECT_EQ(RodMotion(problem).dissipation(0.5, 1.0), 0.0);
  problem.damping = 0.3;
  EXPECT_EQ(RodMotion(problem).dissipation(0.5, 0.0), 0.0);
  problem.damping_kind = DampingKind::structural;
  EXPECT_TRUE(std::isinf(RodMotion(problem).dissipation(0.0, 1.0)));
  EXPECT_THROW(RodMotion(problem).dissipation(1.5, 1.0), InvalidInput);
}

}  // namespace
