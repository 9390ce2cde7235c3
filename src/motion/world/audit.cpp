#include "audit.hpp"

#include <algorithm>
#include <cmath>

namespace carom {

void CarefulSum::add(double term) {
  const double sum = value + term;  // Neumaier
  rest += std::abs(value) >= std::abs(term) ? (value - sum) + term : (term - sum) + value;
  value = sum;
}

namespace world {

double kinetic(const Body& ball) {
  const double inertia = ball.inertia(0, 0);
  if (ball.inertia != inertia * Eigen::Matrix3d::Identity()) return kinetic_energy(ball);
  return 0.5 * ball.mass * ball.velocity.squaredNorm() + 0.5 * ball.inertia(0, 0) * ball.angular_velocity.squaredNorm();
}

double energy(const Scene& scene, std::size_t body, const Body& now) {
  return kinetic(now) + scene.potential(body, now);
}

Audit::Audit(const Scene& scene, const std::vector<Course>& courses) {
  CarefulSum sum;
  std::array<CarefulSum, 3> momentum;
  for (std::size_t i = 0; i < courses.size(); ++i) {
    if (!scene.movable(i)) continue;
    const Body& ball = courses[i].body;
    sum.add(energy(scene, i, ball));
    for (std::size_t c = 0; c < 3; ++c) momentum[c].add(ball.mass * ball.velocity[static_cast<Eigen::Index>(c)]);
  }
  energy_start = sum.total();
  momentum_start = {momentum[0].total(), momentum[1].total(), momentum[2].total()};
}

void Audit::impulse(const Vector3d& from_outside) {
  for (std::size_t c = 0; c < 3; ++c) external[c].add(from_outside[static_cast<Eigen::Index>(c)]);
}

void Audit::follow(const Scene& scene, std::size_t body, const Course& course, double time, const Body& now) {
  if (const FlightInAir* flight = course.in_air()) {
    air_loss.add(flight->loss(std::min(time, course.end)));
    impulse(now.mass * (now.velocity - course.body.velocity));
  } else if (course.state == WorldBodyState::flight) {
    impulse(now.mass * time * scene.problem.gravity);
  } else if (course.on_plane()) {
    support_loss.add(energy(scene, body, course.body) - energy(scene, body, now));
    impulse(now.mass * (now.velocity - course.body.velocity));
  } else if (course.settling() != nullptr) {
    friction_loss.add(energy(scene, body, course.body) - energy(scene, body, now));
  }
}

}  // namespace world

}  // namespace carom
