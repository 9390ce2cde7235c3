#include "carom/contact/point_contact.hpp"

#include <algorithm>
#include <cmath>

#include "carom/core/error.hpp"

namespace carom {

namespace {
/// The factor 1 + A d'/v_i: at small e it comes to rest at zero, to rounding, and to what A makes of the error that d'
/// has from its integration. A pull of less is none: a real one passes it in next to no time.
double pull_noise(double damping) { return 1e-13 + std::min(1e-8 * damping, 1e-3); }
}  // namespace

void require_valid(const ContactSurface& surface) {
  require_positive("stiffness", surface.stiffness);
  require_positive("exponent", surface.exponent);
  require_compliant("e", surface.e);
  try {
    require_valid(surface.friction);
  } catch (const InvalidInput& error) {
    throw InvalidInput("friction." + error.field(), error.message());
  }
}

PointContact::PointContact(const ContactSurface& surface)
    : surface_(surface),
      force_{surface.stiffness, surface.exponent, 0.0, 1.0},
      inverse_v_s2_(1.0 / (surface.friction.v_s * surface.friction.v_s)),
      inverse_sigma1_(1.0 / surface.friction.sigma1),
      relaxation_(surface.friction.sigma0 / surface.friction.sigma1),
      inverse_tau_(1.0 / surface.friction.tau_dw),
      v_eps_(surface.friction.slip_tolerance()),
      inverse_v_eps_(1.0 / v_eps_) {}

double PointContact::damping_at(double approach_speed) const {
  return carom::damping(DampingLaw::gonthier, compliant_restitution(surface_.e, approach_speed));
}

void PointContact::touch(double damping, double touch_speed) {
  touching_ = true;
  force_.damping = damping;
  force_.touch_speed = touch_speed;
  damping_rate_ = damping / touch_speed;
}

void PointContact::find_modes(const ContactMotion& motion) {
  pulled_ = 1.0 + force_.damping * motion.rate / force_.touch_speed < -pull_noise(force_.damping);
  regime_ = bristle_regime(surface_.friction, motion.bristles, motion.slip, load(motion));
}

double PointContact::spring_and_damper(const ContactMotion& motion) const {
  if (!(motion.indentation > 0.0)) return 0.0;
  const double factor = force_.damping > 0.0 ? 1.0 + force_.damping * motion.rate / force_.touch_speed : 1.0;
  const double spring = surface_.exponent == 1.5 ? motion.indentation * std::sqrt(motion.indentation)
                                                 : std::pow(motion.indentation, surface_.exponent);
  return std::max(0.0, surface_.stiffness * spring * factor);
}

double PointContact::load(const ContactMotion& motion) const { return pulled_ ? 0.0 : spring_and_damper(motion); }

ContactForces PointContact::forces_anywhere(const ContactMotion& motion) const {
  ContactForces forces;
  if (!touching_) return forces;
  const BristleFriction& f = surface_.friction;
  const double depth = std::max(motion.indentation, 0.0),
               spring = surface_.exponent == 1.5 ? depth * std::sqrt(depth) : std::pow(depth, surface_.exponent);
  const double factor = 1.0 + damping_rate_ * motion.rate, load = std::max(0.0, surface_.stiffness * spring * factor);
  forces.normal = load;
  if (f.model == FrictionModel::lugre) {
    // Without load nothing shows; the bristles, which would spring back at once, do so when the load returns.
    if (load > 0.0) forces.tangential = bristle_force(f, motion.bristles, motion.slip, load);
    return forces;
  }
  // The same as bristle_force, component by component and without divisions by what does not change: this is what a
  // stepper spends its time on.
  const double vx = motion.slip[0], vy = motion.slip[1], zx = motion.bristles.z[0], zy = motion.bristles.z[1];
  const double v2 = vx * vx + vy * vy, speed = std::sqrt(v2), s = std::exp(-v2 * inverse_v_s2_), slip = 1.0 - s;
  double direction = 0.0;
  if (speed >= v_eps_) {
    direction = 1.0 / speed;
  } else {
    const double r = speed * inverse_v_eps_;
    direction = (f.direction == SlipDirection::smooth ? 1.5 - 0.5 * r * r : r * (1.5 - 0.5 * r * r)) * inverse_v_eps_;
  }
  const double sliding = f.mu_c * load * direction, dwell = motion.bristles.dwell;
  const double across = s * f.sigma1 + slip * sliding, along = s * f.sigma0;
  const double bx = along * zx + across * vx, by = along * zy + across * vy;
  const double limit = load * (f.mu_c + (f.mu_s - f.mu_c) * dwell), size2 = bx * bx + by * by;
  const double share = size2 > limit * limit ? limit / std::sqrt(size2) : 1.0;
  const double viscous = depth > 0.0 && factor >= -pull_noise(force_.damping) ? f.sigma2 : 0.0;
  forces.tangential.force[0] = -viscous * vx - share * bx;
  forces.tangential.force[1] = -viscous * vy - share * by;
  const double settle = slip * relaxation_, drag = s + slip * inverse_sigma1_ * sliding;
  forces.tangential.z_rate[0] = drag * vx - settle * zx;
  forces.tangential.z_rate[1] = drag * vy - settle * zy;
  const double rise = s - dwell;
  forces.tangential.dwell_rate = rise * (rise >= 0.0 ? inverse_tau_ : relaxation_);
  return forces;
}

ContactForces PointContact::forces(const ContactMotion& motion) const {
  ContactForces forces;
  if (!touching_) return forces;
  forces.normal = load(motion);
  forces.tangential = bristle_force(surface_.friction, regime_, motion.bristles, motion.slip, forces.normal);
  if (pulled_) forces.tangential.force.setZero();
  return forces;
}

void PointContact::guard_values(const ContactMotion& motion, double* values) const {
  if (!touching_) {
    values[gap_guard] = -motion.indentation;
    std::fill(values + 1, values + guards, 1.0);
    return;
  }
  values[gap_guard] = motion.indentation;
  const double factor = force_.damping > 0.0 ? 1.0 + force_.damping * motion.rate / force_.touch_speed : 1.0;
  values[1] = (pulled_ ? -factor : factor) + pull_noise(force_.damping);
  bristle_margins(surface_.friction, regime_, motion.bristles, motion.slip, load(motion), values + 2);
}

void PointContact::crossed(int guard, const ContactMotion& motion) {
  if (guard == 1) {
    pulled_ = !pulled_;
    regime_ = bristle_regime(surface_.friction, motion.bristles, motion.slip, load(motion));
  } else if (guard >= 2) {
    regime_ = beyond(regime_, guard - 2);
  }
}

double PointContact::stored_energy(const ContactMotion& motion) const {
  if (!touching_) return 0.0;
  const double p1 = surface_.exponent + 1.0;
  return surface_.stiffness * std::pow(std::max(motion.indentation, 0.0), p1) / p1 +
         bristle_energy(surface_.friction, motion.bristles);
}

}  // namespace carom
