// The falling rod of Wang and Mason 1992, section 6: unit mass and length, on its tip at 45 degrees.
#pragma once

#include <string>

#include "carom/core/error.hpp"
#include "carom/impact/planar.hpp"

namespace carom::testing {

/// B1 = B2 = 2.5, B3 = 1.5.
inline PlanarProblem falling_rod(double s0, double c0, double mu, double e, RestitutionLaw law) {
  PlanarProblem problem;
  problem.space.inverse_inertia << 2.5, -1.5, -1.5, 2.5;
  problem.space.velocity = {s0, c0};
  problem.material = {.friction = mu, .restitution = e};
  problem.law = law;
  return problem;
}

/// The field that a call refuses; "" if it accepts all.
template <class Call>
std::string refused_field(const Call& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.field();
  }
  return "";
}

}  // namespace carom::testing
