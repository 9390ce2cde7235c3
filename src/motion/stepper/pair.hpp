// Inside the stepper: where the two sides of a pair are to each other (Gonthier et al. 2004, eqs. 27 to 29).
#pragma once

#include <Eigen/Geometry>

#include "carom/motion/stepper.hpp"

namespace carom::stepping {

using Eigen::Vector3d;

/// A body on its way.
struct Motion {
  Vector3d position, velocity, angular_velocity;
  Eigen::Quaterniond orientation;
};

struct PairGeometry {
  double indentation;
  Vector3d normal, normal_rate;
  Vector3d arm_a, arm_b;  // from the centres of mass to the point of action, which belongs to the first tip
  Vector3d velocity;      // there, of the first side relative to the other
  double spin;            // how fast the other side's axes turn about the normal
};

PairGeometry geometry(const CompliantPair& pair, const std::vector<Motion>& motions);

/// Inverse masses that a pair shows along the normal, and across it where it is largest [1/kg].
struct InverseMasses {
  double normal, tangential;
};
InverseMasses inverse_masses(const CompliantPair& pair, const PairGeometry& at, const std::vector<Body>& bodies);

/// The gravity [m/s^2] that presses a pair together when it rests: along the normal of a plane, and all of it where
/// that does not press or the normal may be any.
double pressing_gravity(const CompliantPair& pair, const Vector3d& gravity);

/// @throws InvalidInput naming `pairs[0].tip.body`, ...
void require_valid(const CompliantScene& scene);

}  // namespace carom::stepping
