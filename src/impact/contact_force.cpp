#include "carom/impact/contact_force.hpp"

#include <Eigen/LU>
#include <cmath>

#include "carom/core/error.hpp"

namespace carom {

FiniteForces finite_contact_forces(const TouchingContact& contact) {
  const Eigen::Matrix2d w = validated(PlanarContactSpace{contact.inverse_inertia, {0.0, 0.0}}).inverse_inertia;
  require_finite("slip", contact.slip);
  require_at_least("friction", contact.friction, 0.0);
  for (const double a : contact.free_acceleration) require_finite("free_acceleration", a);

  const Eigen::Vector2d& free = contact.free_acceleration;
  const double mu = contact.friction;
  FiniteForces forces;
  if (free[1] >= 0.0) forces.push_back({TouchMotion::lifts_off, Eigen::Vector2d::Zero(), free});
  if (contact.slip == 0.0) {
    const Eigen::Vector2d hold = -w.inverse() * free;  // no acceleration at all
    if (hold[1] > 0.0 && std::abs(hold[0]) <= mu * hold[1])
      forces.push_back({TouchMotion::sticks, hold, Eigen::Vector2d::Zero()});
  }
  // Sliding in direction s the force is N (-s mu, 1), and the normal acceleration free + k1 N must be zero.
  for (const double s : {1.0, -1.0}) {
    if (contact.slip != 0.0 && s != std::copysign(1.0, contact.slip)) continue;
    const Eigen::Vector2d along(-s * mu, 1.0);
    const double k1 = w.row(1).dot(along);
    const double press = -free[1] / k1;
    if (!(press > 0.0) || !std::isfinite(press)) continue;
    const double begins = free[0] + press * w.row(0).dot(along);  // of the slip
    if (contact.slip == 0.0 && !(s * begins > 0.0)) continue;
    forces.push_back({TouchMotion::slides, press * along, {begins, 0.0}});
  }
  return forces;
}

Eigen::Vector2d free_contact_acceleration(const PlanarBody& body, const PlanarContact& contact,
                                          const Eigen::Vector2d& gravity, double curvature_radius) {
  require_valid(body);
  require_at_least("curvature_radius", curvature_radius, 0.0);
  for (const double g : gravity) require_finite("gravity", g);
  const PlanarContact sound = validated(contact);
  // The centre of curvature is fixed in the body and stays as far from the surface as the gap and the radius say.
  const Eigen::Vector2d arm = sound.point + curvature_radius * sound.normal - body.position;
  const Eigen::Vector2d acceleration = gravity - body.angular_velocity * body.angular_velocity * arm;
  return contact_frame(sound).transpose() * acceleration;
}

LeastJamb least_jamb(const PlanarBody& body, double arm) {
  require_valid(body);
  require_positive("arm", arm);
  // k1 vanishes at mu = (q + cos^2)/(sin cos) = q tan + (1 + q)/tan.
  const double q = body.inertia / (body.mass * arm * arm);
  return {2.0 * std::sqrt(q * (1.0 + q)), std::atan(std::sqrt((1.0 + q) / q))};
}

}  // namespace carom
