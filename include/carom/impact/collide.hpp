// Two bodies hit each other: how do they go on?
// The one obvious call: two bodies, where they touch, what their surfaces do, and the model (rigid with a law of
// restitution, or with tangential springs) in; the bodies after and everything about the impact out.
#pragma once

#include "carom/core/body.hpp"
#include "carom/core/contact.hpp"
#include "carom/core/material.hpp"
#include "carom/impact/compliant.hpp"
#include "carom/impact/planar.hpp"
#include "carom/impact/spatial.hpp"

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
PlanarCollision collide(const PlanarBody& a, const PlanarBody& b, const PlanarContact& contact,
                        const Material& material, RestitutionLaw law = RestitutionLaw::energetic);

}  // namespace carom
