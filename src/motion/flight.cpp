#include "carom/motion/flight.hpp"

#include <Eigen/LU>
#include <cmath>

#include "carom/core/error.hpp"

namespace carom {

namespace {

/// How often to step through a turn of so many radians.
int steps_for(double turned) {
  const double steps = turned / flight_turn_per_step;
  if (!(steps < max_flight_steps)) return max_flight_steps;
  return steps > 1.0 ? static_cast<int>(steps) : 1;
}

}  // namespace

Eigen::Vector3d flight_position(const Eigen::Vector3d& position, const Eigen::Vector3d& velocity,
                                const Eigen::Vector3d& gravity, double time) {
  return position + time * velocity + 0.5 * gravity * time * time;
}

Body free_flight(const Body& body, const Eigen::Vector3d& gravity, double time) {
  if (body.immovable) throw InvalidInput("body", "must be movable");
  if (!gravity.allFinite()) throw InvalidInput("gravity", "must be finite");
  require_finite("time", time);
  Body later = body;
  later.position = flight_position(body.position, body.velocity, gravity, time);
  later.velocity += time * gravity;
  // Angular momentum stays; the orientation follows q' = w q / 2, w = R J^-1 R^T L.
  const Eigen::Vector3d momentum = world_inertia(body) * body.angular_velocity;
  const Eigen::Matrix3d inverse = body.inertia.inverse();
  const auto spin = [&](const Eigen::Quaterniond& q) -> Eigen::Vector3d {
    const Eigen::Matrix3d r = q.normalized().toRotationMatrix();
    return r * inverse * r.transpose() * momentum;
  };
  const auto rate = [&](const Eigen::Vector4d& q) -> Eigen::Vector4d {  // x, y, z, w
    const Eigen::Quaterniond now(q[3], q[0], q[1], q[2]);
    const Eigen::Vector3d w = spin(now);
    return 0.5 * (Eigen::Quaterniond(0.0, w.x(), w.y(), w.z()) * now).coeffs();
  };
  const int steps = steps_for(std::abs(time) * inverse.norm() * momentum.norm());
  const double h = time / steps;
  Eigen::Vector4d q = body.orientation.coeffs();
  for (int i = 0; i < steps; ++i) {
    const Eigen::Vector4d k1 = rate(q), k2 = rate(q + 0.5 * h * k1), k3 = rate(q + 0.5 * h * k2), k4 = rate(q + h * k3);
    q += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    q.normalize();
  }
  later.orientation = Eigen::Quaterniond(q[3], q[0], q[1], q[2]);
  later.angular_velocity = spin(later.orientation);
  return later;
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
