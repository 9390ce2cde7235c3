#include "carom/core/body.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <string>

#include "carom/core/contact.hpp"
#include "carom/core/error.hpp"

#include "body_algebra.hpp"

namespace carom {

namespace {

Eigen::Vector2d turned(const Eigen::Vector2d& v) { return {-v.y(), v.x()}; }  // z x v

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

template <class Vector>
void require_finite_vector(const char* field, const Vector& v) {
  if (!v.allFinite()) throw InvalidInput(field, "must be finite");
}

void require_valid_inertia(const Eigen::Matrix3d& inertia) {
  if (!inertia.allFinite()) throw InvalidInput("inertia", "must be finite");
  const double scale = inertia.cwiseAbs().maxCoeff();
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > inertia_tolerance * scale)
    throw InvalidInput("inertia", "must be symmetric");
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(0.5 * inertia + 0.5 * inertia.transpose(),
                                                              Eigen::EigenvaluesOnly);
  const Eigen::Vector3d& moments = solver.eigenvalues();  // increasing
  if (!(moments[0] > slenderness_limit * moments[2]))
    throw InvalidInput("inertia", "must be positive definite, its principal moments are " + number_text(moments[0]) +
                                      ", " + number_text(moments[1]) + ", " + number_text(moments[2]));
}

}  // namespace

Body immovable_body() {
  Body body;
  body.immovable = true;
  return body;
}

PlanarBody immovable_planar_body() {
  PlanarBody body;
  body.immovable = true;
  return body;
}

Eigen::Matrix3d world_inertia(const Body& body) {
  const Eigen::Matrix3d r = rotation_of(body);
  return r * inertia_of(body) * r.transpose();
}

Eigen::Vector3d velocity_at(const Body& body, const Eigen::Vector3d& point) {
  return body.velocity + body.angular_velocity.cross(point - body.position);
}

Eigen::Vector2d velocity_at(const PlanarBody& body, const Eigen::Vector2d& point) {
  return body.velocity + body.angular_velocity * turned(point - body.position);
}

double kinetic_energy(const Body& body) {
  if (body.immovable) return 0.0;
  const Eigen::Vector3d spin = rotation_of(body).transpose() * body.angular_velocity;  // body axes
  return 0.5 * (body.mass * body.velocity.squaredNorm() + spin.dot(body.inertia * spin));
}

double kinetic_energy(const PlanarBody& body) {
  if (body.immovable) return 0.0;
  return 0.5 * (body.mass * body.velocity.squaredNorm() + body.inertia * body.angular_velocity * body.angular_velocity);
}

Eigen::Vector3d momentum(std::span<const Body> bodies) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const Body& body : bodies)
    if (!body.immovable) sum += body.mass * body.velocity;
  return sum;
}

void apply_impulse(Body& body, const Eigen::Vector3d& point, const Eigen::Vector3d& impulse) {
  if (body.immovable) return;
  body.velocity += impulse / body.mass;
  const Eigen::Matrix3d r = rotation_of(body);
  const Eigen::Vector3d torque_impulse = r.transpose() * (point - body.position).cross(impulse);  // body axes
  body.angular_velocity += r * inertia_factor(body).solve(torque_impulse);
}

void apply_impulse(PlanarBody& body, const Eigen::Vector2d& point, const Eigen::Vector2d& impulse) {
  if (body.immovable) return;
  body.velocity += impulse / body.mass;
  body.angular_velocity += cross(point - body.position, impulse) / body.inertia;
}

void require_valid(const Body& body) {
  require_finite_vector("position", body.position);
  require_finite_vector("velocity", body.velocity);
  require_finite_vector("angular_velocity", body.angular_velocity);
  if (body.immovable) return;
  require_positive("mass", body.mass);
  require_valid_inertia(body.inertia);
  if (!(std::abs(body.orientation.norm() - 1.0) <= unit_tolerance))
    throw InvalidInput("orientation",
                       "must be a unit quaternion, its length is " + number_text(body.orientation.norm()));
}

void require_valid(const PlanarBody& body) {
  require_finite_vector("position", body.position);
  require_finite("angle", body.angle);
  require_finite_vector("velocity", body.velocity);
  require_finite("angular_velocity", body.angular_velocity);
  if (body.immovable) return;
  require_positive("mass", body.mass);
  require_positive("inertia", body.inertia);
}

}  // namespace carom
