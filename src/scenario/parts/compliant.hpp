// What the scenarios with tangential compliance share: surfaces that give sideways.
#pragma once

#include "carom/impact/compliant.hpp"

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

}  // namespace carom::scenario
