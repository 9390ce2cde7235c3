// Where must a bat meet a flying body so that the body goes through a target? A ball of half a kilogram comes in
// sideways; the bat is heavy, its face across the normal.
#include <cstdio>

#include "carom/carom.hpp"

int main() {
  carom::Body ball = carom::body_of(carom::Sphere{0.1}, 0.5);
  ball.position = {0.1, 0.0, 0.0};
  ball.velocity = {-1.0, 0.6, -0.4};
  carom::Body bat = carom::body_of(carom::Box{{0.1, 1.0, 1.0}}, 5.0);
  bat.position = {-0.05, 0.0, 0.0};
  const carom::Contact contact{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
  const carom::BattingProblem problem =
      carom::batting_problem(ball, bat, contact, {.friction = 0.5, .restitution = 0.8}, {5.0, -0.2, 1.0});
  const carom::BattingPlan plan = carom::plan_batting(problem, carom::BattingObjective::least_impulse);
  const Eigen::Vector3d &v = plan.shot.contact_velocity, &p = plan.shot.impulse;
  std::printf("contact velocity %.5f %.5f %.5f m/s\n", v.x(), v.y(), v.z());
  std::printf("impulse %.5f %.5f %.5f N s, in flight for %.5f s\n", p.x(), p.y(), p.z(), plan.shot.flight_time);
  return plan.found && plan.shot.miss_distance < 1e-8 ? 0 : 1;
}
