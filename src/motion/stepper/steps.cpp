#include <algorithm>
#include <cmath>
#include <complex>

#include "carom/core/error.hpp"

#include "pair.hpp"

namespace carom {

/// Whether explicit steps of order 3 keep x'' + damping x' + stiffness x = 0 bounded.
bool stepping::stays_bounded(double damping, double stiffness, double step) {
  const std::complex<double> root = std::sqrt(std::complex<double>(0.25 * damping * damping - stiffness, 0.0));
  for (const double sign : {1.0, -1.0}) {
    const std::complex<double> z = step * (-0.5 * damping + sign * root);
    if (std::abs(1.0 + z * (1.0 + z * (0.5 + z / 6.0))) > 1.0 + 1e-12) return false;
  }
  return true;
}

namespace {

/// The longest of them. Along each ray into the left half plane the region of stability is one piece.
double longest_bounded(double damping, double stiffness) {
  double low = 0.0, high = 4.0 / std::max(damping, std::sqrt(stiffness));
  for (int round = 0; round < 60; ++round) {
    const double step = 0.5 * (low + high);
    (stepping::stays_bounded(damping, stiffness, step) ? low : high) = step;
  }
  return low;
}

void require_masses(const ContactSurface& surface, double normal_mass, double tangential_mass, double speed) {
  require_valid(surface);
  require_positive("normal_mass", normal_mass);
  require_positive("tangential_mass", tangential_mass);
  require_positive("speed", speed);
}

}  // namespace

double accurate_substep(const ContactSurface& surface, double normal_mass, double tangential_mass, double speed) {
  require_masses(surface, normal_mass, tangential_mass, speed);
  const double a = damping(DampingLaw::gonthier, compliant_restitution(surface.e, speed));
  const double touch = normal_impact(normal_mass, surface.stiffness, surface.exponent, a, speed).duration;
  return std::min({touch / 20.0, 1.2 * tangential_mass / surface.friction.sigma1,
                   0.5 * std::sqrt(tangential_mass / surface.friction.sigma0)});
}

double stable_substep(const ContactSurface& surface, double normal_mass, double tangential_mass, double speed) {
  require_masses(surface, normal_mass, tangential_mass, speed);
  const double a = damping(DampingLaw::gonthier, compliant_restitution(surface.e, speed)), k = surface.stiffness,
               p = surface.exponent;
  const double depth = max_indentation(normal_mass, k, p, a, speed);
  const double normal =
      longest_bounded(k * std::pow(depth, p) * a / speed / normal_mass, p * k * std::pow(depth, p - 1.0) / normal_mass);
  const BristleFriction& f = surface.friction;
  return std::min(normal, longest_bounded(f.sigma1 / tangential_mass, f.sigma0 / tangential_mass));
}

}  // namespace carom
