// Where energy and momentum went, over a whole run.
#pragma once

#include "scene.hpp"

namespace carom::world {

class Audit {
public:
  Audit() = default;
  Audit(const Scene& scene, const std::vector<Course>& courses);

  CarefulSum restitution_loss, friction_loss, support_loss, air_loss, pocketed;
  double energy_start = 0.0;
  Vector3d momentum_start = Vector3d::Zero();
  std::array<CarefulSum, 3> external;

  /// A body has followed its course for some time and is here now: what its support took meanwhile.
  void follow(const Scene& scene, std::size_t body, const Course& course, double time, const Body& now);
  void impulse(const Vector3d& from_outside);
  Vector3d external_impulse() const { return {external[0].total(), external[1].total(), external[2].total()}; }
};

double kinetic(const Body& ball);
double energy(const Scene& scene, std::size_t body, const Body& now);

}  // namespace carom::world
