// Which weight could the fingers hold as they are now, without the table?
#pragma once

#include "contact_solver.hpp"

namespace carom::soft {

/// Coulomb's law (LT-B): the largest weight [N] up to `most` that one implicit step reaches from anchors as they are,
/// with a vertex that sticks on each finger and none that slips further than half a radius. Reached: by putting weight
/// on little by little; solutions that lie apart do not count.
double coulomb_liftable(ContactSolver& solver, const GraspState& squeezed, const std::array<Finger, 2>& fingers,
                        double most);

/// All vertices stuck to their fingers (LT-A): the weight [N] at which every vertex of one finger has left its cone.
double linear_liftable(ContactSolver& solver, const GraspState& squeezed, double friction, double most);

}  // namespace carom::soft
