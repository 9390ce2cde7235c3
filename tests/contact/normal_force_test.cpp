#include "carom/contact/normal_force.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "carom/core/integrator.hpp"

#include "core/random.hpp"

namespace carom {
namespace {

using testing::refusal;

// Numbers with 15 digits: the equation solved with 40 (Gonthier et al. 2004, eq. 10).
TEST(NormalForce, ExactDampingFactor) {
  const double e[] = {0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99};
  const double d[] = {0.999999984076618,   0.9998159397495667, 0.9838333431581573,  0.9261245943388873,
                      0.8329992656588028,  0.716375266635688,  0.5849230264879592,  0.4443797968864918,
                      0.29851696269204286, 0.149833755616777,  0.07498027502304452, 0.0149998484883466};
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(exact_damping_factor(e[i]) / d[i], 1.0, 2e-15) << e[i];
  EXPECT_EQ(exact_damping_factor(1.0), 0.0);
  // 3q/2 - 3q^3/20 - 3q^4/20 - 81q^5/700 near e = 1
  for (const double q : {1e-3, 1e-5, 1e-9, 1e-13}) {
    const double e1 = 1.0 - q, r = 1.0 - e1;
    const double series = 1.5 * r - 0.15 * r * r * r - 0.15 * r * r * r * r - 81.0 / 700.0 * std::pow(r, 5.0);
    EXPECT_NEAR(exact_damping_factor(e1) / series, 1.0, 3e-15) << q;
  }
}

// What is asked for is what comes out, across the three ways of solving and near their seams.
TEST(NormalForce, DampingAndRestitutionAreInverse) {
  testing::Rng rng(1);
  for (int k = 0; k < 20000; ++k) {
    const double e = k % 2 == 0 ? testing::uniform(rng, 0.02, 1.0) : std::exp(testing::uniform(rng, -18.0, 0.0));
    ASSERT_NEAR(effective_restitution(damping(DampingLaw::gonthier, e)) / e, 1.0, 4e-15) << e;
  }
  for (const double e : {0.35, 0.65})
    for (const double side : {-1e-9, 1e-9}) EXPECT_NEAR(exact_damping_factor(e + side), exact_damping_factor(e), 3e-9);
}

// The sheet's table, and the inverse by Lambert's W with 40 digits.
TEST(NormalForce, WhatOtherLawsReallyGive) {
  const auto given = [](DampingLaw law, double e) { return effective_restitution(damping(law, e)); };
  EXPECT_NEAR(given(DampingLaw::hunt_crossley, 0.2), 0.5468540506572916, 1e-15);
  EXPECT_NEAR(given(DampingLaw::hunt_crossley, 0.5), 0.6629622000015459, 1e-15);
  EXPECT_NEAR(given(DampingLaw::hunt_crossley, 0.8), 0.8328697922656016, 1e-15);
  EXPECT_NEAR(given(DampingLaw::hunt_crossley, 0.9), 0.9090157413492023, 1e-15);
  EXPECT_NEAR(given(DampingLaw::lankarani_nikravesh, 0.2), 0.672, 5e-4);
  EXPECT_NEAR(given(DampingLaw::lankarani_nikravesh, 0.5), 0.725, 5e-4);
  EXPECT_NEAR(given(DampingLaw::lankarani_nikravesh, 0.8), 0.847, 5e-4);
  EXPECT_NEAR(given(DampingLaw::flores, 0.2), 0.156, 5e-4);
  EXPECT_NEAR(given(DampingLaw::flores, 0.5), 0.470, 5e-4);
  EXPECT_NEAR(given(DampingLaw::flores, 0.8), 0.789, 5e-4);
  EXPECT_GT(given(DampingLaw::hunt_crossley, 0.0), 0.4);
  // A constant factor a [s/m], tuned to e = .5 at 1 m/s.
  const double a = damping(DampingLaw::gonthier, 0.5);
  EXPECT_NEAR(a, 1.432750533271375, 3e-15);
  EXPECT_NEAR(effective_restitution(0.01 * a), 0.9905386162917743, 2e-15);
  EXPECT_NEAR(effective_restitution(0.1 * a), 0.9127449675804435, 2e-15);
  EXPECT_NEAR(effective_restitution(5.0 * a), 0.1392663389415401, 1e-15);
  EXPECT_NEAR(effective_restitution(10.0 * a), 0.06979558531058529, 1e-15);
}

// What is lost keeps its digits where next to nothing is: 1 - e = 2A/3 - 4A^2/9 + ... (the equation by series).
TEST(NormalForce, SmallLossesKeepTheirDigits) {
  for (const double a : {1e-4, 1e-6, 1e-9, 1e-15}) {
    const double q = 2.0 * a / 3.0 - 4.0 * a * a / 9.0;
    EXPECT_NEAR(normal_impact(2.0, 1e6, 1.5, a, 1.0).dissipated / (q * (2.0 - q)), 1.0, a * a + 1e-15) << a;
  }
  EXPECT_EQ(normal_impact(2.0, 1e6, 1.5, 0.0, 1.0).dissipated, 0.0);
}

TEST(NormalForce, NominalRestitution) {
  for (const DampingLaw law :
       {DampingLaw::gonthier, DampingLaw::hunt_crossley, DampingLaw::lankarani_nikravesh, DampingLaw::flores})
    for (const double e : {0.15, 0.5, 0.97, 1.0})
      EXPECT_NEAR(nominal_restitution(law, damping(law, e)).value(), e, 3e-15) << name(law);
  EXPECT_FALSE(nominal_restitution(DampingLaw::hunt_crossley, 1.6));
  EXPECT_FALSE(nominal_restitution(DampingLaw::lankarani_nikravesh, 0.8));
  EXPECT_TRUE(nominal_restitution(DampingLaw::flores, 50.0));
}

// m = .454 kg, k = 3.4e10: the curves of Figure 3 (1 m/s), by an independent integration.
TEST(NormalForce, PeaksOfFigureThree) {
  const double e[] = {0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0};
  const double peak[] = {16621.44066525601,  13479.17510618755,  12088.736354358844, 10797.060193854153,
                         10496.892504065163, 11023.757364291467, 11613.712916119286};
  for (int i = 0; i < 7; ++i) {
    const NormalImpact impact = normal_impact({DampingLaw::gonthier, 0.454, 3.4e10, 1.5, e[i], 1.0});
    EXPECT_NEAR(impact.peak_force / peak[i], 1.0, 1e-10) << e[i];
    EXPECT_EQ(impact.effective_restitution, e[i]);
  }
}

TEST(NormalForce, Durations) {
  const double e[] = {1.0, 0.5, 0.1}, tau[] = {3.2181, 3.6036, 6.4575};
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(normal_impact({DampingLaw::gonthier, 1.0, 1.0, 1.5, e[i], 1.0}).duration, tau[i], 5e-5);
  // A linear spring: half a period; and nearly none of the damping changes nearly nothing.
  EXPECT_NEAR(normal_impact(1.0, 1.0, 1.0, 0.0, 1.0).duration, M_PI, 1e-14);
  EXPECT_NEAR(normal_impact(1.0, 1.0, 1.0, 1e-13, 1.0).duration, M_PI, 1e-12);
  EXPECT_NEAR(normal_impact(1.0, 1.0, 1.5, 1e-12, 1.0).duration, normal_impact(1.0, 1.0, 1.5, 0.0, 1.0).duration,
              1e-11);
}

// Down to the edge: for small e the way out is a creep at e v over the whole depth, T k-independent.
TEST(NormalForce, DurationsOfSmallRestitutions) {
  const auto unit = [](double e, double p) {
    return normal_impact({DampingLaw::gonthier, 1.0, 1.0, p, e, 1.0}).duration;
  };
  EXPECT_NEAR(unit(0.001, 1.5), 91.1369041, 5e-8);  // by quadrature
  for (const double p : {0.5, 1.0, 1.5, 3.0}) {
    // No step where exp(1/e) leaves the range of doubles.
    EXPECT_NEAR(std::log(unit(0.00139, p) / unit(0.00141, p)), std::log(unit(0.00143, p) / unit(0.00145, p)), 2e-3);
    // The creep: depth / (e v), depth^(p+1) = (p+1) e. What is left falls with e.
    for (const double e : {1e-4, 1e-6, 1e-8, 1e-12}) {
      const double creep = std::pow((p + 1.0) * e, 1.0 / (p + 1.0)) / e;
      EXPECT_NEAR(unit(e, p) / creep, 1.0, 200.0 * e * std::log(1.0 / e)) << e << " " << p;
    }
  }
  EXPECT_GT(unit(1e-300, 1.5), 0.0);
  EXPECT_NEAR(max_indentation(1.0, 1.0, 1.5, 1e300, 1.0) / std::pow(2.5e-300, 0.4), 1.0, 1e-12);
  EXPECT_NEAR(normal_impact(1.0, 1.0, 1.5, 0.0, 1e-300).duration / 3.2181e60, 1.0, 1e-4);
}

// Everything at once against the equation of motion, followed by the integrator: p = 1 to 3, e = .02 to 1.
TEST(NormalForce, AgreesWithTheMotion) {
  testing::Rng rng(7);
  for (int k = 0; k < 60; ++k) {
    const double p = testing::uniform(rng, 1.0, 3.0), e = k == 0   ? 0.02
                                                          : k == 1 ? 1.0
                                                                   : testing::uniform(rng, 0.02, 1.0);
    const NormalImpact impact = normal_impact({DampingLaw::gonthier, 1.0, 1.0, p, e, 1.0});
    const NormalForce force{1.0, p, impact.damping, 1.0};
    // In the unit of the mass, the stiffness and the speed; the largest indentation and force seen on the way.
    IntegratorSettings fine;
    fine.relative_tolerance = 1e-13;
    fine.absolute_tolerance = 1e-14;
    const RateFunction rate = [&](double, const Eigen::VectorXd& y, Eigen::VectorXd& r) {
      r << y[1], -force.at(y[0], y[1]), force.at(y[0], y[1]) * y[1];
    };
    const Eigen::VectorXd start = Eigen::Vector3d(0.0, 1.0, 0.0);
    const IntegratorStop middle =
        integrate(rate, 0.0, start, 100.0, {[](double, const Eigen::VectorXd& y) { return y[1]; }}, fine);
    EXPECT_NEAR(middle.y[0] / impact.max_indentation, 1.0, 3e-9) << p << " " << e;
    const IntegratorStop end =
        integrate(rate, 0.0, start, 1e4, {[](double, const Eigen::VectorXd& y) { return y[0]; }}, fine);
    ASSERT_TRUE(end.event.has_value());
    EXPECT_NEAR(-end.y[1] / e, 1.0, 3e-9) << p;
    EXPECT_NEAR(-end.y[1], impact.exit_speed, 3e-9);
    EXPECT_NEAR(end.t / impact.duration, 1.0, 3e-9) << p << " " << e;
    EXPECT_NEAR(end.y[2], impact.dissipated, 3e-9);
  }
}

// Mass, stiffness and speed only set the scales.
TEST(NormalForce, Scales) {
  testing::Rng rng(11);
  for (int i = 0; i < 1000; ++i) {
    const double m = std::exp(testing::uniform(rng, -5, 5)), k = std::exp(testing::uniform(rng, 0, 25)),
                 v = std::exp(testing::uniform(rng, -6, 3)), p = testing::uniform(rng, 0.5, 3.0),
                 a = std::exp(testing::uniform(rng, -8, 4));
    const NormalImpact one = normal_impact(1.0, 1.0, p, a, 1.0), other = normal_impact(m, k, p, a, v);
    const double length = std::pow(m * v * v / k, 1.0 / (p + 1.0));
    ASSERT_NEAR(other.max_indentation / (one.max_indentation * length), 1.0, 1e-13);
    ASSERT_NEAR(other.duration / (one.duration * length / v), 1.0, 1e-13);
    ASSERT_NEAR(other.peak_force / (one.peak_force * m * v * v / length), 1.0, 1e-13);
    ASSERT_NEAR(other.exit_speed / (one.exit_speed * v), 1.0, 1e-14);
    ASSERT_LE(other.exit_speed, v);
    ASSERT_NEAR(max_indentation(m, k, p, a, v) / other.max_indentation, 1.0, 1e-13);
  }
}

TEST(NormalForce, HertzAndRest) {
  const ElasticSurface steel{2.1e11, 0.3, 10.0}, plane{2.1e11, 0.3, 0.0};
  EXPECT_NEAR(hertz_stiffness(steel, plane), 4.0 / 3.0 * 2.1e11 / (2.0 * 0.91) * std::sqrt(0.1), 1e-3);
  EXPECT_NEAR(hertz_stiffness(steel, steel) / hertz_stiffness(steel, plane), std::sqrt(0.5), 1e-14);
  EXPECT_EQ(refusal([&] { hertz_stiffness(plane, plane); }),
            "a.curvature: must leave a gap around the contact: the two curvatures add up to 0");
  // At rest the damping coefficient k d^p A/v equals 2 m w.
  const double m = 2.0, k = 1e6, p = 1.5, a = damping(DampingLaw::gonthier, 0.5), g = 9.81;
  const double v = resting_touch_speed(m, k, p, a, g), d = std::pow(m * g / k, 1.0 / p);
  EXPECT_NEAR(k * std::pow(d, p) * a / v, 2.0 * std::sqrt(m * p * k * std::pow(d, p - 1.0)), 1e-9);
  EXPECT_EQ(NormalForce({k, p, a, 1.0}).at(-1e-3, 1.0), 0.0);
  EXPECT_EQ(NormalForce({k, p, a, 1.0}).at(1e-3, -2.0), 0.0);  // tension is clipped
}

TEST(NormalForce, NamesWhatIsWrong) {
  const auto text = [](NormalImpactProblem p) { return refusal([&] { normal_impact(p); }); };
  EXPECT_EQ(text({DampingLaw::gonthier, 0.0, 1.0, 1.5, 0.5, 1.0}), "mass: must be positive, got 0");
  EXPECT_EQ(text({DampingLaw::gonthier, 1.0, -1.0, 1.5, 0.5, 1.0}), "stiffness: must be positive, got -1");
  EXPECT_EQ(text({DampingLaw::gonthier, 1.0, 1.0, 0.0, 0.5, 1.0}), "exponent: must be positive, got 0");
  EXPECT_EQ(text({DampingLaw::gonthier, 1.0, 1.0, 1.5, 0.0, 1.0}).substr(0, 21), "e: must be above 0 fo");
  EXPECT_EQ(text({DampingLaw::flores, 1.0, 1.0, 1.5, 0.0, 1.0}).substr(0, 21), "e: must be above 0 fo");
  EXPECT_EQ(text({DampingLaw::hunt_crossley, 1.0, 1.0, 1.5, 0.0, 1.0}), "");
  EXPECT_EQ(text({DampingLaw::gonthier, 1.0, 1.0, 1.5, 1.1, 1.0}), "e: must be in [0, 1], got 1.1");
  EXPECT_EQ(text({DampingLaw::gonthier, 1.0, 1.0, 1.5, 0.5, 0.0}), "speed: must be positive, got 0");
  EXPECT_EQ(text({DampingLaw::gonthier, 1.0, 1.0, 1.5, RestitutionSlope{-1}, 1.0}), "e.slope: must be >= 0, got -1");
  // A law that says nearly nothing counts as .01.
  EXPECT_EQ(normal_impact({DampingLaw::gonthier, 1.0, 1.0, 1.5, RestitutionSlope{2}, 1.0}).effective_restitution, 0.01);
}

}  // namespace
}  // namespace carom
