#include "carom/impact/collide.hpp"

#include <algorithm>
#include <cmath>

#include "carom/core/contact_space.hpp"

namespace carom {

namespace {

/// What a ledger of bodies may miss, as a share of their energy, before it counts as ill-conditioned.
constexpr double balance_tolerance = 1e-9;

bool is_finite(const Body& body) {
  return body.immovable || (body.velocity.allFinite() && body.angular_velocity.allFinite());
}
bool is_finite(const PlanarBody& body) {
  return body.immovable || (body.velocity.allFinite() && std::isfinite(body.angular_velocity));
}

/// Gives the bodies the impulse and makes the energies of the ledger theirs.
template <class Collision, class Contact>
void finish(Collision& c, const Contact& contact) {
  EnergyLedger& energy = c.impact.energy;
  energy.before = kinetic_energy(c.a) + kinetic_energy(c.b);
  apply_impulse(c.a, c.b, contact, c.impact.impulse);
  energy.after = kinetic_energy(c.a) + kinetic_energy(c.b);
  if (!std::isfinite(energy.before) || !std::isfinite(energy.after) || !is_finite(c.a) || !is_finite(c.b))
    c.impact.flags.set(Flag::overflow);
  if (!(std::abs(energy.imbalance()) <= balance_tolerance * std::max(energy.before, energy.after)))
    c.impact.flags.set(Flag::ill_conditioned);
}

}  // namespace

Collision<SpatialImpact> collide(const Body& a, const Body& b, const Contact& contact, const Material& material,
                                 RestitutionLaw law) {
  Collision<SpatialImpact> collision{a, b, spatial_impact({contact_space(a, b, contact), material, law})};
  finish(collision, contact);
  return collision;
}

Collision<CompliantImpact> collide(const Body& a, const Body& b, const Contact& contact, const Material& material,
                                   const TangentialSprings& springs) {
  CompliantProblem problem;
  problem.space = contact_space(a, b, contact);
  problem.material = material;
  problem.stiffness_ratio_root = springs.stiffness_ratio_root;
  problem.reading = springs.reading;
  problem.unloading = springs.unloading;
  Collision<CompliantImpact> collision{a, b, compliant_impact(problem)};
  finish(collision, contact);
  return collision;
}

PlanarCollision collide(const PlanarBody& a, const PlanarBody& b, const PlanarContact& contact,
                        const Material& material, RestitutionLaw law, double free_acceleration) {
  PlanarProblem problem;
  problem.space = contact_space(a, b, contact);
  problem.material = material;
  problem.law = law;
  problem.free_acceleration = free_acceleration;
  PlanarCollision collision{a, b, planar_impact(problem)};
  finish(collision, contact);
  return collision;
}

std::optional<double> tangential_ratio(const Eigen::Vector3d& before, const Eigen::Vector3d& after,
                                       const Eigen::Vector3d& normal) {
  const auto sideways = [&](const Eigen::Vector3d& v) -> Eigen::Vector3d { return v - v.dot(normal) * normal; };
  const Eigen::Vector3d along = sideways(before);
  if (!(along.norm() > no_tangential_share * before.norm())) return std::nullopt;
  return sideways(after).dot(along) / along.squaredNorm();
}

}  // namespace carom
