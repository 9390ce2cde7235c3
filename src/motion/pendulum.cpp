#include "carom/motion/pendulum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "carom/core/error.hpp"

#include "elliptic.hpp"

namespace carom {

namespace {

void require_pendulum(double length, double angle, double gravity) {
  require_positive("length", length);
  require_finite("angle", angle);
  require_positive("gravity", gravity);
}

}  // namespace

double pendulum_speed(double length, double angle, double gravity) {
  require_pendulum(length, angle, gravity);
  return 2.0 * std::sqrt(gravity * length) * std::abs(std::sin(0.5 * angle));
}

double pendulum_speed_small_angle(double length, double angle, double gravity) {
  require_pendulum(length, angle, gravity);
  return angle * std::sqrt(gravity * length);
}

PendulumSwing::PendulumSwing(double length, double gravity, const PendulumState& start, PendulumMotion motion)
    : start_(start) {
  require_positive("length", length);
  require_at_least("gravity", gravity, 0.0);
  require_finite("angle", start.angle);
  require_finite("rate", start.rate);
  const double w = std::sqrt(gravity / length);
  pace_ = w;
  if (w == 0.0 || motion == PendulumMotion::small_angle) {
    course_ = w == 0.0 ? Course::even : Course::harmonic;
    return;
  }
  base_ = 2.0 * std::numbers::pi * std::nearbyint(start.angle / (2.0 * std::numbers::pi));
  // k^2 = (rate / 2w)^2 + sin^2(angle / 2); what is missing to 1 by its factors, which keep their digits near the top.
  const double half = 0.5 * (start.angle - base_), s = std::sin(half), c = std::cos(half), v = 0.5 * start.rate / w;
  k_ = std::hypot(v, s);
  if (k_ == 0.0) return;
  const double missing = (c - std::abs(v)) * (c + std::abs(v));
  if (missing >= 0.0) {
    course_ = Course::swings;
    m1_ = std::max(missing, least_m1);
    quarter_ = quarter_period(m1_);
    phase_ = first_kind(s / k_, v / k_, m1_, quarter_);
  } else {
    course_ = Course::goes_round;
    pace_ = std::copysign(w * k_, start.rate);
    m1_ = std::max(-missing / (k_ * k_), least_m1);
    quarter_ = quarter_period(m1_);
    phase_ = first_kind(s, c, m1_, quarter_);
  }
}

PendulumState PendulumSwing::at(double time) const {
  require_finite("time", time);
  switch (course_) {
    case Course::rests:
      return start_;
    case Course::even:
      return {start_.angle + start_.rate * time, start_.rate};
    case Course::harmonic: {
      const double s = std::sin(pace_ * time), c = std::cos(pace_ * time);
      return {start_.angle * c + start_.rate / pace_ * s, start_.rate * c - pace_ * start_.angle * s};
    }
    case Course::swings: {
      const Jacobi j = jacobi(phase_ + pace_ * time, m1_, quarter_);
      return {base_ + 2.0 * std::atan2(k_ * j.sign() * j.sine, j.dn), 2.0 * pace_ * k_ * j.sign() * j.cosine};
    }
    case Course::goes_round: {
      const Jacobi j = jacobi(phase_ + pace_ * time, m1_, quarter_);
      return {base_ + 2.0 * (std::numbers::pi * j.turns + std::atan2(j.sine, j.cosine)), 2.0 * pace_ * j.dn};
    }
  }
  return start_;
}

double PendulumSwing::period() const {
  switch (course_) {
    case Course::harmonic:
      return 2.0 * std::numbers::pi / pace_;
    case Course::swings:
      return m1_ > least_m1 ? 4.0 * quarter_ / pace_ : std::numeric_limits<double>::infinity();
    case Course::goes_round:
      return m1_ > least_m1 ? 2.0 * quarter_ / std::abs(pace_) : std::numeric_limits<double>::infinity();
    case Course::even:
      return 2.0 * std::numbers::pi / std::abs(start_.rate);
    case Course::rests:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace carom
