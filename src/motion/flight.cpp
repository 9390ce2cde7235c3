#include "carom/motion/flight.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "carom/core/error.hpp"
#include "carom/core/linear_algebra.hpp"

#include "elliptic.hpp"

namespace carom {

namespace {

Eigen::Matrix3d about_z(double angle) { return Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).toRotationMatrix(); }

/// The rotation Rx(theta) Rz(psi) that takes the angular momentum, seen from the body, upwards.
/// @param pole  which axis of the body counts as its z
Eigen::Matrix3d upright(const Eigen::Vector3d& momentum, int pole) {
  const int first = (pole + 1) % 3, second = (pole + 2) % 3;
  const double across = std::hypot(momentum[first], momentum[second]), size = std::hypot(across, momentum[pole]);
  const double s = momentum[first] / across, c = momentum[second] / across;  // of psi
  const double st = across / size, ct = momentum[pole] / size;               // of theta
  Eigen::Matrix3d r;
  r.col(first) << c, ct * s, st * s;
  r.col(second) << -s, ct * c, st * c;
  r.col(pole) << 0.0, -st, ct;
  return r;
}

}  // namespace

Eigen::Vector3d flight_position(const Eigen::Vector3d& position, const Eigen::Vector3d& velocity,
                                const Eigen::Vector3d& gravity, double time) {
  return position + time * velocity + 0.5 * gravity * time * time;
}

FreeFlight::FreeFlight(const Body& body, const Eigen::Vector3d& gravity) : body_(body), gravity_(gravity) {
  if (body.immovable) throw InvalidInput("body", "must be movable");
  if (!gravity.allFinite()) throw InvalidInput("gravity", "must be finite");
  if (body.angular_velocity.isZero(0.0) || !body.angular_velocity.allFinite()) return;
  if (body.inertia.isDiagonal(0.0)) {  // its own axes, without rounding
    std::array<int, 3> order = {0, 1, 2};
    std::sort(order.begin(), order.end(), [&](int i, int j) { return body.inertia(i, i) < body.inertia(j, j); });
    for (const Eigen::Index i : {0, 1, 2}) {
      const int axis = order[static_cast<std::size_t>(i)];
      moments_[i] = body.inertia(axis, axis);
      principal_.col(i) = Eigen::Vector3d::Unit(axis);
    }
  } else {
    const SymmetricEigen eigen = symmetric_eigen(0.5 * (body.inertia + body.inertia.transpose()));
    moments_ = eigen.values;
    principal_ = eigen.vectors;
  }
  const double same = equal_moments * moments_[2];
  const bool low = moments_[1] - moments_[0] <= same, high = moments_[2] - moments_[1] <= same;
  if (low && high) return;  // a ball, as far as turning goes
  if (low) moments_[1] = moments_[0];
  if (high) moments_[1] = moments_[2];

  // Axis 3 is the one about which the body goes round: the extreme one with I3 - I2 of the sign of L^2 - 2 T I2.
  const Eigen::Matrix3d rotation = body.orientation.normalized().toRotationMatrix();
  Eigen::Vector3d rate = principal_.transpose() * (rotation.transpose() * body.angular_velocity);
  const double excess = moments_[0] * (moments_[0] - moments_[1]) * rate[0] * rate[0] +
                        moments_[2] * (moments_[2] - moments_[1]) * rate[2] * rate[2];
  if (excess < 0.0 || high) {
    std::swap(moments_[0], moments_[2]);
    principal_.col(0).swap(principal_.col(2));
  }
  if (principal_.determinant() < 0.0) principal_.col(1) *= -1.0;
  axes_ = rotation * principal_;
  rate_ = axes_.transpose() * body.angular_velocity;
  momentum_ = moments_.cwiseProduct(rate_).norm();
  // About one principal axis it turns evenly, also about any axis across that of a symmetric body.
  if (rate_[0] == 0.0 && rate_[1] == 0.0) return;
  if (rate_[2] == 0.0 && (rate_[0] == 0.0 || rate_[1] == 0.0 || moments_[0] == moments_[1])) return;
  if (moments_[0] == moments_[1])
    turning_ = Turning::symmetric;
  else
    start_asymmetric(std::abs(excess));
}

/// Landau and Lifshitz, Mechanics, section 37: the angular velocity is (a1 cn, a2 sn, a3 dn) of phase + pace t.
void FreeFlight::start_asymmetric(double excess) {
  turning_ = Turning::asymmetric;
  const double i1 = moments_[0], i2 = moments_[1], i3 = moments_[2];
  const double w1 = rate_[0], w2 = rate_[1], w3 = rate_[2];
  // Sums of one sign each, since I2 lies between the others.
  const double a = i1 * (i3 - i1) * w1 * w1 + i2 * (i3 - i2) * w2 * w2;
  const double b = i2 * (i2 - i1) * w2 * w2 + i3 * (i3 - i1) * w3 * w3;
  const double m = (i2 - i1) * a / ((i3 - i2) * b);
  // 1 - m from L^2 - 2 T I2 itself: (I3 - I2) B - (I2 - I1) A = (I3 - I1) (L^2 - 2 T I2).
  m1_ = m < 0.5 ? 1.0 - m : std::clamp((i3 - i1) * excess / ((i3 - i2) * std::abs(b)), least_m1, 1.0);
  quarter_ = quarter_period(m1_);
  const double sign = w3 < 0.0 ? -1.0 : 1.0;
  amplitudes_ = {std::sqrt(a / (i1 * (i3 - i1))), sign * (i3 > i2 ? 1.0 : -1.0) * std::sqrt(a / (i2 * (i3 - i2))),
                 sign * std::sqrt(b / (i3 * (i3 - i1)))};
  pace_ = std::sqrt((i3 - i2) * b / (i1 * i2 * i3));
  const double x = w1 / amplitudes_[0], y = w2 / amplitudes_[1], r = std::hypot(x, y);
  phase_ = first_kind(y / r, x / r, m1_, quarter_);
  // The direction by Euler angles about the angular momentum, with a pole on axis 3 or on axis 1. With pole 3,
  //   phi' = L / I3 + L (1 / I1 - 1 / I3) / (1 - n sn^2) = L / I1 + L (1 / I1 - 1 / I3) n sn^2 / (1 - n sn^2),
  // n = I3 (I1 - I2) / (I1 (I3 - I2)); with pole 1 the same with 1 and 3 exchanged and n = -I1 A / (I3 B). The product
  // of both n is m, so one of them is at least -1: the pole that the angular momentum keeps away from.
  const double n3 = i3 * (i1 - i2) / (i1 * (i3 - i2)), n1 = -i1 * a / (i3 * b);
  pole_ = n3 >= -1.0 ? 2 : 0;
  n_ = pole_ == 2 ? n3 : n1;
  start_angle_ = third_kind(n_, y / r, x / r, m1_);
  half_turn_angle_ = 2.0 * third_kind(n_, 1.0, 0.0, m1_);
}

void FreeFlight::turn_asymmetric(double time, Eigen::Matrix3d& axes, Eigen::Vector3d& rate) const {
  const Jacobi j = jacobi(phase_ + pace_ * time, m1_, quarter_);
  rate = amplitudes_.cwiseProduct(Eigen::Vector3d(j.sign() * j.cosine, j.sign() * j.sine, j.dn));
  const double other = moments_[2 - pole_], own = moments_[pole_];
  const double integral = j.turns * half_turn_angle_ + third_kind(n_, j.sine, j.cosine, m1_) - start_angle_;
  const double turned = momentum_ * (time / other + (1.0 / other - 1.0 / own) * n_ * integral / pace_);
  axes = axes_ * upright(moments_.cwiseProduct(rate_), pole_).transpose() * about_z(turned) *
         upright(moments_.cwiseProduct(rate), pole_);
}

Body FreeFlight::at(double time) const {
  require_finite("time", time);
  Body later = body_;
  later.position = flight_position(body_.position, body_.velocity, gravity_, time);
  later.velocity += time * gravity_;
  if (turning_ == Turning::even) {
    if (const double spin = body_.angular_velocity.norm(); spin > 0.0)
      later.orientation = Eigen::AngleAxisd(spin * time, body_.angular_velocity / spin) * body_.orientation;
    return later;
  }
  if (turning_ == Turning::symmetric) {
    // q = exp(L t / I1) q0 exp(e3 (1 - I3 / I1) w3 t)
    const Eigen::Vector3d momentum = axes_ * moments_.cwiseProduct(rate_);
    const Eigen::AngleAxisd precession(momentum_ * time / moments_[0], momentum / momentum_);
    later.orientation =
        precession * body_.orientation *
        Eigen::AngleAxisd((1.0 - moments_[2] / moments_[0]) * rate_[2] * time, Eigen::Vector3d(principal_.col(2)));
    later.angular_velocity = precession * body_.angular_velocity;
    return later;
  }
  Eigen::Matrix3d axes;
  Eigen::Vector3d rate;
  turn_asymmetric(time, axes, rate);
  later.orientation = Eigen::Quaterniond(Eigen::Matrix3d(axes * principal_.transpose()));
  later.angular_velocity = axes * rate;
  return later;
}

Body free_flight(const Body& body, const Eigen::Vector3d& gravity, double time) {
  require_finite("time", time);
  return FreeFlight(body, gravity).at(time);
}

double fall_speed(double drop, double gravity) {
  require_at_least("drop", drop, 0.0);
  require_at_least("gravity", gravity, 0.0);
  return std::sqrt(2.0 * gravity * drop);
}

double rise_height(double speed, double gravity) {
  require_at_least("speed", speed, 0.0);
  require_positive("gravity", gravity);
  return 0.5 * speed * speed / gravity;
}

}  // namespace carom
