// Two bodies hit each other: how do they go on?
// The one obvious call: two bodies, where they touch, what their surfaces do, and the model (rigid with a law of
// restitution, or with tangential springs) in; the bodies after and everything about the impact out.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "carom/core/body.hpp"
#include "carom/core/contact.hpp"
#include "carom/core/material.hpp"
#include "carom/impact/compliant.hpp"
#include "carom/impact/planar.hpp"
#include "carom/impact/spatial.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// Two bodies and the impact that changed their motion.
template <class Impact>
struct Collision {
  Body a, b;      ///< with their velocities after
  Impact impact;  ///< vectors in contact axes, see contact_frame(); the energies are those of the bodies
};
struct PlanarCollision {
  PlanarBody a, b;      ///< with their velocities after
  PlanarImpact impact;  ///< vectors in axes (t, n); the energies are those of the bodies
};

/// A contact that gives sideways (carom/impact/compliant.hpp).
struct TangentialSprings {
  double stiffness_ratio_root = 1.0;  ///< eta0 = sqrt(k_n / k_t), > 0
  Reading reading = Reading::model;
  Unloading unloading = Unloading::stiffer;
};

/// Rigid contact with Coulomb friction: spatial_impact() of the bodies' contact space.
/// @return  flags beside those of the impact: `overflow`, and `ill_conditioned` where the energies of the bodies do not
///          balance to 1e-9 (a contact so far out that their motion lost the digits of the impact)
/// @throws InvalidInput as contact_space() and spatial_impact()
Collision<SpatialImpact> collide(const Body& a, const Body& b, const Contact& contact, const Material& material,
                                 RestitutionLaw law = RestitutionLaw::energetic);

/// The same with tangential springs: compliant_impact().
Collision<CompliantImpact> collide(const Body& a, const Body& b, const Contact& contact, const Material& material,
                                   const TangentialSprings& springs);

/// The same in the plane: planar_impact().
/// @param free_acceleration  see PlanarProblem
PlanarCollision collide(const PlanarBody& a, const PlanarBody& b, const PlanarContact& contact,
                        const Material& material, RestitutionLaw law = RestitutionLaw::energetic,
                        double free_acceleration = -1.0);

/// A tangential velocity below this share of the whole is rounding: it has no direction to speak of.
inline constexpr double no_tangential_share = 1e-12;

/// How much of a body's tangential velocity is left after an impact [-]: the part of it along the one before, over that
/// one. Negative when the body comes back. None if there was no tangential velocity before (no_tangential_share).
/// @param before, after  velocities of the centre of mass [m/s]
/// @param normal         of the contact, a unit vector
std::optional<double> tangential_ratio(const Eigen::Vector3d& before, const Eigen::Vector3d& after,
                                       const Eigen::Vector3d& normal);

}  // namespace carom

#pragma GCC visibility pop
