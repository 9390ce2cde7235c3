// Many contacts at once: Newton's cradle without gaps. All contacts press together; who moves off how fast depends on
// the springs between the balls, Hertz's or linear ones.
#include <cstdio>

#include "carom/carom.hpp"

int main() {
  for (const double exponent : {1.0, 1.5}) {
    carom::SimultaneousProblem cradle;
    constexpr int count = 5;
    constexpr double radius = 0.02;
    for (int i = 0; i < count; ++i) {
      carom::Body ball = carom::body_of(carom::Sphere{radius}, 0.1);
      ball.position = {2.0 * radius * i, 0.0, 0.0};
      cradle.bodies.push_back(ball);
    }
    cradle.bodies.front().velocity = {1.0, 0.0, 0.0};
    for (std::size_t i = 0; i + 1 < count; ++i) {
      carom::SpringContact contact;  // the normal points from the second ball into the first
      contact.first = i;
      contact.second = i + 1;
      contact.point = {2.0 * radius * static_cast<double>(i) + radius, 0.0, 0.0};
      contact.normal = {-1.0, 0.0, 0.0};
      contact.exponent = exponent;
      contact.material = {.friction = 0.0, .restitution = 1.0};
      cradle.contacts.push_back(contact);
    }
    const carom::SimultaneousImpact impact = carom::simultaneous_impact(cradle);
    std::printf("%s springs:", exponent == 1.0 ? "linear" : "Hertz ");
    for (const carom::Body& ball : impact.bodies) std::printf(" %9.6f", ball.velocity.x());
    std::printf(" m/s, %zu events\n", impact.events.size());
  }
  return 0;
}
