// One impact in the plane: a hoop thrown at the ground with backspin. Friction takes hold, and it comes back.
#include <cstdio>

#include "carom/carom.hpp"

int main() {
  carom::PlanarBody hoop;  // a thin ring of radius .3 m
  hoop.mass = 0.5;
  hoop.inertia = 0.5 * 0.3 * 0.3;
  hoop.position = {0.0, 0.3};
  hoop.velocity = {1.0, -2.0};
  hoop.angular_velocity = 20.0;

  const carom::PlanarContact ground{{0.0, 0.0}, {0.0, 1.0}};
  const carom::Material surfaces{.friction = 0.6, .restitution = 0.8};
  const auto [after, floor, impact] = carom::collide(hoop, carom::immovable_planar_body(), ground, surfaces);

  std::printf("contact: %s\n", carom::name(impact.mode));
  std::printf("velocity %.4f %.4f m/s, spin %.4f rad/s\n", after.velocity.x(), after.velocity.y(),
              after.angular_velocity);
  std::printf("lost: %.4f J to restitution, %.4f J to friction, of %.4f J\n", impact.energy.restitution_loss,
              impact.energy.friction_loss, impact.energy.before);
  return after.velocity.x() < 0.0 ? 0 : 1;  // it comes back
}
