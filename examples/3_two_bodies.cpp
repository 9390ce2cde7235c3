// Two bodies in one call, with surfaces that give sideways: the lowest point of a rubber ball slides forwards into each
// bounce and leaves it backwards, or the other way round. No rigid model of friction can do that.
#include <cmath>
#include <cstdio>

#include "carom/carom.hpp"

int main() {
  carom::Body ball = carom::body_of(carom::Sphere{0.025}, 0.06);
  ball.position = {0.0, 0.0, 0.025};
  ball.velocity = {2.0, 0.0, -4.0};

  const carom::Contact floor{{0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
  const carom::Material rubber{.friction = 0.9, .restitution = 0.9};
  const carom::TangentialSprings springs{std::sqrt(carom::stiffness_ratio_from_poisson(0.5))};
  for (int bounce = 1; bounce <= 3; ++bounce) {
    const auto collision = carom::collide(ball, carom::immovable_body(), floor, rubber, springs);
    ball = collision.a;
    std::printf("bounce %d: velocity %.4f %.4f m/s, spin %.2f rad/s, lowest point %.4f m/s\n", bounce,
                ball.velocity.x(), ball.velocity.z(), ball.angular_velocity.y(), collision.impact.velocity_after.x());
    ball.velocity.z() = -ball.velocity.z();  // it falls back as fast as it rose
  }
  return 0;
}
