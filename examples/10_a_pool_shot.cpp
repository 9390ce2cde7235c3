// A pool shot, from the stroke of the cue to the last ball at rest. A table of nine feet, an object ball near a corner
// pocket, a cue that strikes below the middle: what happens, in order, and where the cue ball ends.
#include <carom/carom.hpp>
#include <cmath>
#include <cstdio>
#include <string>

int main() {
  using namespace carom;
  const BilliardTable table = billiard_table(TableSize::nine_foot);
  const double r = table.ball_radius;
  const auto ball = [&](double x, double y) {
    WorldBody made{Sphere{r}, body_of(Sphere{r}, table.ball_mass), "ball"};
    made.body.position = {x, y, r};
    return made;
  };

  // The table's cushions and pockets, two balls, and what surfaces do to each other.
  WorldProblem scene;
  const TableParts parts = table_parts(table);
  scene.planes = {parts.cloth};
  scene.cushions = parts.cushions;
  scene.pockets = parts.pockets;
  scene.bodies = {ball(0.3, -0.265), ball(0.8, 0.2)};
  scene.supports = {WorldCloth{0, {0, 1}, {.sliding = 0.2, .rolling = 0.01, .spinning = 0.0127}}};
  WorldMaterial balls, cushions;
  balls.first = balls.second = cushions.first = "ball";
  cushions.second = "cushion";
  balls.restitution = 0.95;
  balls.friction = 0.06;
  cushions.restitution = 0.85;
  cushions.friction = 0.2;
  scene.materials = {balls, cushions};
  scene.end_time = 60.0;
  scene.stop = StopAt::rest;

  // The stroke: an impact of the cue on the ball. A tip too far from the middle would be a miscue.
  CueShot shot;
  shot.speed = 3.0;
  shot.direction = std::atan2(0.465, 0.5);
  shot.height = -0.4;
  const CueStrike strike = cue_strike(scene.bodies[0].body, r, Cue{}, shot);
  scene.bodies[0].body = strike.ball;
  std::printf("%s: the ball leaves with %.4f m/s and %.2f rad/s\n", std::string(name(strike.verdict)).c_str(),
              strike.ball.velocity.norm(), strike.ball.angular_velocity.norm());

  World world(scene);
  world.run(scene.end_time, [&](const WorldEvent& event) {
    if (event.type == WorldEventType::impact)
      std::printf("%.4f s: %s\n", event.time,
                  event.contacts[0].second.kind == PartnerKind::body ? "the balls meet" : "a cushion");
    if (event.type == WorldEventType::pocketed)
      std::printf("%.4f s: ball %zu falls into the %s\n", event.time, event.bodies[0],
                  parts.pocket_names[event.pocket].c_str());
  });
  const Eigen::Vector3d end = world.body(0).body.position;
  std::printf("the cue ball rests after %.4f s at %.4f %.4f m\n", world.time(), end.x(), end.y());
}
