// Samples of a rod's motion: strain at the bottom, energies and what damping takes, held against each other and against
// the wave equation.
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <random>

#include "carom/elastic/rod.hpp"

namespace {

using namespace carom;
using std::numbers::pi;

RodProblem rod(double c, double L, double g, double r, DampingKind kind, double mu) {
  return {c, L, g, r, kind, mu, {}, 1, {}};
}

// Wang 2017, corollary 14 and eq. 5.29: undamped, v_x(0, t) = -(mu + g t)/c in the first contact; 0 in the air.
TEST(RodSamples, StrainOfAnUndampedRod) {
  RodProblem problem = rod(2.0, 3.0, 1.5, 0.0, DampingKind::viscous, 7.0);
  problem.sample_times = {0.0, 1.0, 2.5, 3.5};  // 2L/c = 3: the contact ends there
  const RodResult result = rod_impact(problem);
  ASSERT_EQ(result.t_b.value(), 3.0);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(result.samples[i].strain, -(7.0 + 1.5 * result.samples[i].t) / 2.0, 1e-14);
  EXPECT_EQ(result.samples[3].strain, 0.0);
  for (const RodSample& s : result.samples) {
    EXPECT_NEAR(s.energy_total, 0.5 * 49.0 * 3.0, 1e-12);
    EXPECT_EQ(s.dissipation, 0.0);
  }
}

// Without structural damping the stress is c^2 v_x; with it c^2 v_x + 2 r v_xt, on the ground and in the air.
TEST(RodSamples, StrainAnswersToTheStress) {
  for (const double gravity : {0.0, 9.8}) {
    RodMotion viscous(rod(60.0, 5.0, gravity, 3.0, DampingKind::viscous, 5.0));
    for (const double t : {0.02, 0.1, 0.17, 0.3, 0.9}) {
      const RodSample s = viscous.at(t);
      EXPECT_NEAR(s.strain, s.stress / 3600.0, 1e-15);
    }
    for (const double r : {2.0, 18.0, 80.6, 150.0}) {
      RodMotion motion(rod(60.0, 5.0, gravity, r, DampingKind::structural, 5.0));
      for (const double t : {0.01, 0.05, 0.12, 0.155, 0.25}) {
        const double h = 1e-5;
        const double slope = (motion.at(t + h).strain - motion.at(t - h).strain) / (2.0 * h);
        const RodSample s = motion.at(t);
        EXPECT_NEAR(3600.0 * s.strain + 2.0 * r * slope, s.stress, 2e-4 * 300.0) << gravity << ' ' << r << ' ' << t;
      }
      EXPECT_EQ(motion.at(0.0).strain, 0.0);
    }
  }
}

// The strain is continuous where the bottom lets go, also the second time (where it is a polynomial's).
TEST(RodSamples, StrainIsContinuousAtLiftoff) {
  RodProblem problem = rod(60.0, 5.0, 9.8, 5.0, DampingKind::structural, 5.0);
  RodMotion motion(problem);
  for (const RodEvent& event : motion.events(2)) {
    if (event.type != RodEventType::lifts) continue;
    const double before = motion.at(event.t - 1e-9).strain, after = motion.at(event.t + 1e-9).strain;
    EXPECT_NEAR(before, after, 1e-6 * (1.0 + std::abs(before))) << event.t;
  }
}

// Energy falls by what damping takes: for both kinds, on the ground and in the air, also without a bounce.
TEST(RodSamples, DissipationIsTheSlopeOfTheEnergy) {
  std::mt19937 random(20260411);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (int i = 0; i < 60; ++i) {
    const double c = std::pow(10.0, 3.0 * unit(random)), L = 0.2 + 3.0 * unit(random), t1 = 2.0 * L / c;
    const double mu = 0.2 + 3.0 * unit(random), g = i % 3 == 0 ? 0.0 : mu / t1 * std::pow(10.0, -2.0 * unit(random));
    const bool viscous = i % 2 == 0;
    const double r = viscous ? 5.0 * unit(random) / t1 : c * L * (0.02 + unit(random));
    RodMotion motion(rod(c, L, g, r, viscous ? DampingKind::viscous : DampingKind::structural, mu));
    for (const double share : {0.31, 0.73, 1.37, 2.21}) {
      const double t = share * t1, h = 1e-5 * t1, e0 = 0.5 * mu * mu * L;
      const double fell = (motion.energy_total(t - h) - motion.energy_total(t + h)) / (2.0 * h);
      const RodSample s = motion.at(t);
      EXPECT_NEAR(s.dissipation, fell, 3e-6 * e0 / t1) << i << ' ' << share;
      EXPECT_GE(s.energy_vibration, 0.0);
      EXPECT_EQ(s.energy_total, g == 0.0 ? std::max(0.0, motion.energy_total(t)) : motion.energy_total(t));
    }
  }
}

// What is left at lift-off is what the result says, and energy_vibration is the rest beside translation.
TEST(RodSamples, AgreeWithTheResult) {
  std::mt19937 random(77);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (int i = 0; i < 40; ++i) {
    const bool viscous = i % 2 == 0;
    RodProblem problem = rod(1.0, 0.5, i % 4 < 2 ? 0.0 : 1.0, viscous ? 2.0 * unit(random) : 0.3 * unit(random),
                             viscous ? DampingKind::viscous : DampingKind::structural, 3.0 + 20.0 * unit(random));
    const RodResult result = rod_impact(problem);
    if (result.status == RodStatus::no_bounce) continue;
    const RodSample s = RodMotion(problem).at(result.t_b.value());
    const double e0 = rod_energy_before(problem);
    EXPECT_NEAR(s.energy_total, result.energy_total, 1e-10 * e0) << i;
    EXPECT_NEAR(s.energy_vibration, result.energy_vibration, 1e-10 * e0) << i;
    EXPECT_NEAR(s.momentum, result.momentum, 1e-11 * problem.impact_speed) << i;
  }
}

// At first touch viscous drag takes 2 r mu^2 L; the stop of a structural bottom has no finite rate.
TEST(RodSamples, AtFirstTouch) {
  for (const double r : {0.4, 4.5}) {
    RodProblem problem = rod(1.0, 0.5, 1.0, r, DampingKind::viscous, 3.0);
    problem.sample_times = {0.0};
    const RodSample s = rod_impact(problem).samples.front();
    EXPECT_NEAR(s.dissipation, 2.0 * r * 9.0 * 0.5, 1e-12);
    EXPECT_NEAR(s.strain, -3.0, 1e-14);
    EXPECT_NEAR(s.energy_total, 2.25, 1e-14);
    EXPECT_NEAR(s.energy_vibration, 0.0, 1e-14);
  }
  RodProblem problem = rod(1.0, 0.5, 1.0, 0.4, DampingKind::structural, 3.0);
  problem.sample_times = {0.0};
  const RodResult result = rod_impact(problem);
  EXPECT_TRUE(std::isinf(result.samples.front().dissipation));
  EXPECT_TRUE(result.flags.has(RodFlag::infinite_stress));
  EXPECT_FALSE(result.flags.has(RodFlag::overflow));
}

}  // namespace
