#include "carom/core/switched_system.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "core/random.hpp"

namespace carom {
namespace {

using Eigen::Vector2d, Eigen::VectorXd;
using testing::refusal;

constexpr double g = 9.81;

/// A ball that falls and bounces with e, in one mode: the guard is its height.
class Bouncing final : public SwitchedSystem {
public:
  void rate(const VectorXd& y, double* rate) const override { rate[0] = y[1], rate[1] = -g; }
  int guards() const override { return 1; }
  void guard_values(const VectorXd& y, double* values) const override { values[0] = y[0]; }
  bool crossed(int, double t, VectorXd& y) override {
    y[0] = 0.0;
    y[1] = -0.8 * y[1];
    touches.push_back(t);
    return touches.size() < 6;
  }
  std::vector<double> touches;
};

SwitchedSettings of_size(VectorXd scale) {
  SwitchedSettings settings;
  settings.scale = std::move(scale);
  return settings;
}

TEST(SwitchedSystem, Bounces) {
  Bouncing ball;
  const double first = std::sqrt(2.0 / g);
  std::vector<double> times = {0.0, 0.1, first, 0.9, 1.2}, heights;
  const SwitchedStop stop = follow(ball, 0.0, Vector2d(1.0, 0.0), 100.0, of_size(Vector2d(1.0, 4.0)), times,
                                   [&](std::size_t, double, const VectorXd& y) { heights.push_back(y[0]); });
  ASSERT_TRUE(stop.ended);
  EXPECT_EQ(stop.events, 6u);
  double t = first, flight = 2.0 * first;
  for (const double touch : ball.touches) {
    EXPECT_NEAR(touch, t, 1e-12);
    t += flight *= 0.8;
  }
  ASSERT_EQ(heights.size(), 5u);
  EXPECT_EQ(heights[0], 1.0);
  EXPECT_NEAR(heights[1], 1.0 - 0.5 * g * 0.01, 1e-14);
  EXPECT_NEAR(heights[2], 0.0, 1e-14);
  const double after = 0.9 - first;
  EXPECT_NEAR(heights[3], 0.8 * g * first * after - 0.5 * g * after * after, 1e-12);
}

/// x'' = -sign(x), with sign(x) as its mode: parabolas joined where x changes its sign.
class Bang final : public SwitchedSystem {
public:
  void rate(const VectorXd& y, double* rate) const override { rate[0] = y[1], rate[1] = -side_; }
  int guards() const override { return 1; }
  void guard_values(const VectorXd& y, double* values) const override { values[0] = side_ * y[0]; }
  bool crossed(int, double, VectorXd&) override { return side_ = -side_, true; }

private:
  double side_ = 1.0;
};

TEST(SwitchedSystem, LandsOnEverySwitch) {
  Bang bang;
  const double period = 4.0 * std::sqrt(2.0);  // from x = 1 at rest
  const SwitchedStop stop = follow(bang, 0.0, Vector2d(1.0, 0.0), 50.0 * period, of_size(Vector2d(1.0, 1.0)));
  EXPECT_FALSE(stop.ended || stop.limited);
  EXPECT_EQ(stop.events, 100u);
  EXPECT_NEAR(stop.y[0], 1.0, 1e-10);
  EXPECT_NEAR(stop.y[1], 0.0, 1e-10);
}

/// Held by a force that has no strength yet: y0' = strength in the first mode and 1 in the other, which is the right
/// one from the beginning on, though its guard starts at zero; another guard is crossed in the first step.
class TurnsBack final : public SwitchedSystem {
public:
  void rate(const VectorXd&, double* rate) const override { rate[0] = held_ ? 0.0 : 1.0, rate[1] = 1.0; }
  int guards() const override { return 2; }
  void guard_values(const VectorXd& y, double* values) const override {
    values[0] = held_ ? -y[1] : y[1];
    values[1] = later_ ? y[1] - 5e-4 : 5e-4 - y[1];  // within the first step
  }
  bool crossed(int guard, double, VectorXd&) override { return (guard == 0 ? held_ : later_) ^= true, true; }

private:
  bool held_ = true, later_ = false;
};

TEST(SwitchedSystem, WhatTurnsBackComesBeforeWhatIsCrossedLater) {
  TurnsBack system;
  const SwitchedStop stop = follow(system, 0.0, Vector2d(0.0, 0.0), 3.0, of_size(Vector2d(1.0, 1.0)));
  EXPECT_NEAR(stop.y[0], 3.0, 1e-12);
  EXPECT_EQ(stop.events, 2u);
}

/// y0'' = -y0, y1' = a bump of width .001 around y0 = 0: steps of the swing alone would pass over it.
class Narrow final : public SwitchedSystem {
public:
  void rate(const VectorXd& y, double* rate) const override {
    rate[0] = y[1], rate[1] = -y[0], rate[2] = std::exp(-y[0] * y[0] * 1e6);
  }
  int guards() const override { return 1; }
  void guard_values(const VectorXd&, double* values) const override { values[0] = 1.0; }
  bool crossed(int, double, VectorXd&) override { return true; }
  double longest_step(const VectorXd& y, const double* rate) const override {
    return std::max(0.5 * std::abs(y[0]), 1e-3) / std::abs(rate[0]);
  }
};

TEST(SwitchedSystem, StepsAreNoLongerThanTheSystemAllows) {
  Narrow swing;
  Eigen::Vector3d start(1.0, 0.0, 0.0);
  const SwitchedStop stop = follow(swing, 0.0, start, 20.0 * M_PI, of_size(Eigen::Vector3d(1.0, 1.0, 1e-3)));
  EXPECT_NEAR(stop.y[2], 20.0 * std::sqrt(M_PI) * 1e-3, 2e-8);  // twenty passes at speed 1
}

/// y' = 1, and no number at all beyond y = 1: a step that reaches there must be taken again, shorter.
class Edge final : public SwitchedSystem {
public:
  void rate(const VectorXd& y, double* rate) const override {
    rate[0] = y[0] <= 1.0 ? 1.0 : std::numeric_limits<double>::quiet_NaN();
  }
  int guards() const override { return 1; }
  void guard_values(const VectorXd& y, double* values) const override { values[0] = 0.9 - y[0]; }
  bool crossed(int, double, VectorXd&) override { return false; }
};

TEST(SwitchedSystem, TakesStepsWithoutNumbersAgain) {
  Edge edge;
  const SwitchedStop stop = follow(edge, 0.0, VectorXd::Zero(1), 100.0, of_size(VectorXd::Ones(1)));
  EXPECT_TRUE(stop.ended);
  EXPECT_NEAR(stop.t, 0.9, 1e-13);
  EXPECT_NEAR(stop.y[0], 0.9, 1e-13);
}

TEST(SwitchedSystem, IsBounded) {
  Bang bang;
  SwitchedSettings few = of_size(Vector2d(1.0, 1.0));
  few.max_events = 7;
  const SwitchedStop stop = follow(bang, 0.0, Vector2d(1.0, 0.0), 1e9, few);
  EXPECT_TRUE(stop.limited);
  EXPECT_EQ(stop.events, 7u);
  EXPECT_LT(stop.t, 1e3);
}

TEST(SwitchedSystem, NamesWhatIsWrong) {
  Bang bang;
  EXPECT_EQ(refusal([&] { follow(bang, 0.0, VectorXd(), 1.0, {}); }), "y: must be finite and not empty");
  EXPECT_EQ(refusal([&] { follow(bang, 0.0, Vector2d(1, 0), 1.0, {}); }),
            "scale: must be a positive number for each component of y");
  EXPECT_EQ(refusal([&] { follow(bang, 1.0, Vector2d(1, 0), 0.0, of_size(Vector2d(1, 1))); }),
            "t_end: must be >= 1, got 0");
}

}  // namespace
}  // namespace carom
