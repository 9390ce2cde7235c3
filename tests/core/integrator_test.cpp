// Differential equations with known solutions: the order of the steps, the state inside them, and events.
#include "carom/core/integrator.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "carom/core/error.hpp"

namespace carom {
namespace {

using Eigen::VectorXd;

/// Kepler's problem with eccentricity .6 from the perihelion: returns after 2 pi.
void kepler(double, const VectorXd& y, VectorXd& rate) {
  const double r3 = std::pow(y.head<2>().norm(), 3);
  rate << y[2], y[3], -y[0] / r3, -y[1] / r3;
}
VectorXd perihelion() {
  VectorXd y(4);
  y << 0.4, 0.0, 0.0, 2.0;
  return y;
}

TEST(Dop853, OneStepIsOfOrderEightAndTheStateInsideOfSeven) {
  // y' = y cos t, y = exp(sin t), with time as a component.
  const auto rhs = [](const VectorXd& z, double* out) { out[0] = z[0] * std::cos(z[1]), out[1] = 1.0; };
  VectorXd z0(2), rate0(2), z1(2), rate1(2), middle(2);
  z0 << 1.0, 0.0;
  rhs(z0, rate0.data());
  Dop853 method(2);
  const auto errors = [&](double h) {
    method.step(rhs, z0, rate0, h, z1, VectorXd::Ones(2));
    rhs(z1, rate1.data());
    method.interpolate(rhs, z0, z1, rate1, h);
    double inside = 0.0;
    for (const double s : {0.1, 0.3, 0.5, 0.77, 0.95}) {
      method.state(s, middle);
      inside = std::max(inside, std::abs(middle[0] - std::exp(std::sin(s * h))));
    }
    method.state(0.0, middle);
    EXPECT_EQ(middle[0], 1.0);
    method.state(1.0, middle);
    EXPECT_NEAR(middle[0], z1[0], 1e-15);
    return std::pair{std::abs(z1[0] - std::exp(std::sin(h))), inside};
  };
  const auto [coarse, coarse_inside] = errors(0.8);
  const auto [fine, fine_inside] = errors(0.4);
  EXPECT_GT(std::log2(coarse / fine), 8.2);  // a step of order 8 has an error of h^9
  EXPECT_GT(std::log2(coarse_inside / fine_inside), 7.2);
  EXPECT_LT(fine, 1e-9);
}

TEST(Integrate, ComesBackToThePerihelion) {
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    IntegratorSettings settings;
    settings.relative_tolerance = tolerance;
    settings.absolute_tolerance = tolerance;
    const IntegratorStop stop = integrate(kepler, 0.0, perihelion(), 2.0 * std::numbers::pi, {}, settings);
    EXPECT_EQ(stop.t, 2.0 * std::numbers::pi);
    EXPECT_FALSE(stop.step_limit);
    EXPECT_LT((stop.y - perihelion()).norm(), 3e3 * tolerance) << stop.steps;
  }
}

TEST(Integrate, GivesTheStateBetweenItsSteps) {
  double worst = 0.0, reached = 0.0;
  integrate([](double, const VectorXd& y, VectorXd& rate) { rate << y[1], -y[0]; }, 0.0, Eigen::Vector2d(0.0, 1.0),
            10.0, {}, {},
            [&](double t0, double t1, const auto& state) {
              EXPECT_EQ(t0, reached);
              reached = t1;
              VectorXd y;
              for (int k = 0; k <= 10; ++k) {
                const double t = t0 + (t1 - t0) * k / 10;
                state(t, y);
                worst = std::max(worst, std::abs(y[0] - std::sin(t)));
              }
            });
  EXPECT_EQ(reached, 10.0);
  EXPECT_LT(worst, 1e-9);
}

TEST(Integrate, StopsAtTheFirstEvent) {
  // sin t falls through zero at pi, cos t at pi/2; one that starts at zero waits until it has risen.
  const RateFunction circle = [](double, const VectorXd& y, VectorXd& rate) { rate << y[1], -y[0]; };
  const EventFunction sine = [](double, const VectorXd& y) { return y[0]; };
  const EventFunction cosine = [](double, const VectorXd& y) { return y[1]; };
  const auto run = [&](const std::vector<EventFunction>& events) {
    return integrate(circle, 0.0, Eigen::Vector2d(0.0, 1.0), 100.0, events);
  };
  const IntegratorStop one = run({sine});
  EXPECT_EQ(one.event, 0U);
  EXPECT_NEAR(one.t, std::numbers::pi, 1e-9);
  EXPECT_NEAR(one.y[1], -1.0, 1e-9);
  const IntegratorStop two = run({sine, cosine});
  EXPECT_EQ(two.event, 1U);
  EXPECT_NEAR(two.t, 0.5 * std::numbers::pi, 1e-9);
  const EventFunction clock = [](double t, const VectorXd&) { return 1.25 - t; };
  EXPECT_NEAR(run({sine, cosine, clock}).t, 1.25, 1e-12);
}

TEST(Integrate, NoticesAnEventThatComesAndGoesWithinAStep) {
  // A straight line is followed in one step; the gap is below zero for a twentieth of it.
  const RateFunction still = [](double, const VectorXd&, VectorXd& rate) { rate << 1.0; };
  const EventFunction gap = [](double t, const VectorXd&) { return std::abs(t - 5.0) - 0.7; };
  const IntegratorStop stop = integrate(still, 0.0, VectorXd::Ones(1), 10.0, {gap});
  ASSERT_TRUE(stop.event);
  EXPECT_NEAR(stop.t, 4.3, 1e-12);
}

TEST(Integrate, EndsWhereItCannotGoOn) {
  // y' = y^2 from 1 has no solution past t = 1.
  IntegratorSettings settings;
  settings.max_steps = 2000;
  const IntegratorStop stop = integrate([](double, const VectorXd& y, VectorXd& rate) { rate << y[0] * y[0]; }, 0.0,
                                        VectorXd::Ones(1), 2.0, {}, settings);
  EXPECT_TRUE(stop.step_limit);
  EXPECT_NEAR(stop.t, 1.0, 1e-6);
}

TEST(Integrate, RefusesBadInput) {
  const auto refused = [](double t_end, double tolerance, double y) {
    IntegratorSettings settings;
    settings.relative_tolerance = tolerance;
    try {
      integrate([](double, const VectorXd&, VectorXd& rate) { rate.setZero(); }, 0.0, VectorXd::Constant(1, y), t_end,
                {}, settings);
    } catch (const InvalidInput& error) {
      return error.field();
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refused(1.0, 1e-9, 1.0), "accepted");
  EXPECT_EQ(refused(0.0, 1e-9, 1.0), "t_end");
  EXPECT_EQ(refused(std::nan(""), 1e-9, 1.0), "t_end");
  EXPECT_EQ(refused(1.0, 0.0, 1.0), "relative_tolerance");
  EXPECT_EQ(refused(1.0, 1e-9, std::nan("")), "y");
}

}  // namespace
}  // namespace carom
