// What the scenarios with tangential compliance share: surfaces that give sideways, and the rigid answer to hold
// against theirs.
#pragma once

#include "carom/impact/compliant.hpp"
#include "carom/impact/spatial.hpp"

#include "described.hpp"

namespace carom::scenario {

/// The touching surfaces and how stiff they are sideways.
struct CompliantSurface {
  Material material;
  double stiffness_ratio_root = 1.0;  ///< eta0
};

/// friction, restitution, and one of `stiffness_ratio`, `poisson`, `elasticity`.
Type<CompliantSurface> compliant_surface();

Type<Reading> reading();

/// The same impact between rigid bodies, under energetic restitution.
SpatialProblem rigid(const CompliantProblem& problem);

}  // namespace carom::scenario
