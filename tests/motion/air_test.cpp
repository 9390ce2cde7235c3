// Balls in the air: flights with closed forms, impacts at the end of them, and what holds in every scene.
#include "carom/motion/air.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "carom/core/integrator.hpp"

#include "core/random.hpp"
#include "world_scenes.hpp"

namespace carom::testing {
namespace {

using Eigen::Vector3d;

constexpr double g = standard_gravity;
const Vector3d gravity = {0.0, 0.0, -g};

Body table_tennis_ball(const Vector3d& velocity, const Vector3d& spin = Vector3d::Zero()) {
  Body body = body_of(SphericalShell{.02}, .0027);
  body.velocity = velocity;
  body.angular_velocity = spin;
  return body;
}
constexpr double r = .02;
double scale(const Air& air, double mass) { return .5 * air.density * std::numbers::pi * r * r / mass; }

// v' = -g -+ k v^2: up v = vt tan(atan(v0/vt) - g t/vt), down v = vt tanh(g t/vt); heights vt^2/g ln cos, ln cosh.
TEST(Air, AVerticalThrowWithQuadraticDragIsTheClosedForm) {
  const Air air{1.2, .4, 0.0, 0.0};
  const double k = .4 * scale(air, .0027), vt = std::sqrt(g / k);
  for (const double v0 : {.01, 3.0, 40.0}) {
    const double angle = std::atan(v0 / vt), top = vt / g * angle;
    const double height = .5 * vt * vt / g * std::log1p(v0 * v0 / (vt * vt));
    for (const double share : {.1, .37, .9, 1.0}) {
      const double t = share * top;
      const Body now = flight_in_air(table_tennis_ball({0, 0, v0}), r, air, gravity, t);
      const double v = vt * std::tan(angle - g * t / vt);
      EXPECT_NEAR(now.velocity.z(), v, 1e-11 * v0);
      EXPECT_NEAR(now.position.z(), height - .5 * vt * vt / g * std::log1p(v * v / (vt * vt)), 1e-11 * height);
    }
    for (const double t : {.2, 1.0, 7.0}) {
      const Body now = flight_in_air(table_tennis_ball({0, 0, v0}), r, air, gravity, top + t);
      EXPECT_NEAR(now.velocity.z(), -vt * std::tanh(g * t / vt), 1e-12 * vt);
      EXPECT_NEAR(now.position.z(), height - vt * vt / g * std::log(std::cosh(g * t / vt)), 1e-11 * (height + vt * t));
    }
  }
}

// Without gravity: the way is ln(1 + k v0 t)/k, and spin that decays with the way dies as (1 + k v0 t)^(-q/(k r)).
TEST(Air, DragAndSpinDecayWithoutGravity) {
  const Air air{1.2, .5, 0.0, 2e-3};
  const double k = .5 * scale(air, .0027), v0 = 25.0;
  const Vector3d along = Vector3d(1.0, 2.0, -1.0).normalized(), spin(30.0, -200.0, 100.0);
  for (const double t : {.03, 1.0, 20.0}) {
    const Body now = flight_in_air(table_tennis_ball(v0 * along, spin), r, air, Vector3d::Zero(), t);
    const double way = std::log1p(k * v0 * t) / k;
    EXPECT_NEAR((now.position - way * along).norm(), 0.0, 1e-11 * way);
    EXPECT_NEAR((now.velocity - v0 / (1.0 + k * v0 * t) * along).norm(), 0.0, 1e-12 * v0);
    const double left = std::pow(1.0 + k * v0 * t, -2e-3 / (k * r));
    EXPECT_NEAR((now.angular_velocity - left * spin).norm(), 0.0, 1e-11 * spin.norm());
    // The angle turned is the integral of that power.
    const double p = 1.0 - 2e-3 / (k * r);
    const double turned = spin.norm() * (std::pow(1.0 + k * v0 * t, p) - 1.0) / (p * k * v0);
    const Eigen::Quaterniond expected(Eigen::AngleAxisd(turned, spin.normalized()));
    EXPECT_NEAR(now.orientation.angularDistance(expected), 0.0, 1e-10 * turned);
  }
}

// Lift alone. A constant coefficient: a circle of radius 1/(k C). Lift in proportion to the spin ratio is a force
// m W e x v, that of a charge in a magnetic field: with gravity across, a cycloid, and along e nothing but a fall.
TEST(Air, LiftAloneIsACircleOrACycloid) {
  const Air constant{1.2, 0.0, .3, 0.0};
  const double radius = 1.0 / (.3 * scale(constant, .0027)), v0 = 12.0;
  for (const double t : {.1, 2.0, 9.0}) {
    const Body now = flight_in_air(table_tennis_ball({v0, 0, 0}, {0, 0, 50}), r, constant, Vector3d::Zero(), t);
    const double a = v0 * t / radius;
    EXPECT_NEAR((now.position - radius * Vector3d(std::sin(a), 1.0 - std::cos(a), 0.0)).norm(), 0.0, 1e-11 * v0 * t);
    EXPECT_NEAR(now.velocity.norm(), v0, 1e-12 * v0);
  }
  const Air linear{1.2, 0.0, AirLaw{0.0, .9, 1.0, 0.0}, 0.0};
  const double turning = .9 * scale(linear, .0027) * r * 80.0;  // W
  const Vector3d e = Vector3d::UnitY(), start(4.0, 1.5, 2.0);
  // v = drift + what turns about e: W e x drift = -g, so drift = e x g / W.
  const Vector3d drift = e.cross(gravity) / turning, rest = start - drift - 1.5 * e;
  for (const double t : {.05, .6, 3.0}) {
    const double a = turning * t;
    const Vector3d across = e.cross(rest);
    const Vector3d v = drift + 1.5 * e + std::cos(a) * rest + std::sin(a) * across;
    const Vector3d x = t * (drift + 1.5 * e) + (std::sin(a) * rest + (1.0 - std::cos(a)) * across) / turning;
    const Body now = flight_in_air(table_tennis_ball(start, 80.0 * e), r, linear, gravity, t);
    EXPECT_NEAR((now.velocity - v).norm(), 0.0, 1e-11 * start.norm());
    EXPECT_NEAR((now.position - x).norm(), 0.0, 1e-11 * (start.norm() * t));
  }
}

Air random_air(Rng& rng) {
  Air air;
  air.density = uniform(rng, .1, 3.0);
  air.drag = uniform(rng, 0.0, 1.0) < .5 ? AirCoefficient(uniform(rng, 0.0, .8))
                                         : AirCoefficient(AirLaw{.24, uniform(rng, 0.0, .5), 1.0, .3});
  switch (static_cast<int>(uniform(rng, 0.0, 4.0))) {
    case 0:
      air.lift = uniform(rng, -.4, .4);
      break;
    case 1:
      air.lift = AirLaw{0.0, 2.5, 1.0, 5.8};
      break;
    case 2:
      air.lift = AirLaw{0.0, .54, .4, 0.0};
      break;
    default:
      air.lift = AirTable{{{0.0, 0.0}, {.1, .15}, {1.0, .69}}};
  }
  air.spin_decay = uniform(rng, 0.0, 1.0) < .5 ? 0.0 : uniform(rng, 0.0, 1e-3);
  return air;
}

// Any flight against the equations of motion written down once more, in metres and seconds, with the order-8 steps of
// the core at another tolerance; the bound on the acceleration; the work of the air against the energies.
TEST(Air, RandomFlightsFollowTheEquations) {
  Rng rng(31);
  for (int i = 0; i < 300; ++i) {
    const Air air = random_air(rng);
    Body ball = table_tennis_ball(random_vector<3>(rng, 30.0), random_vector<3>(rng, 400.0));
    const Vector3d pull = i % 5 == 0 ? Vector3d::Zero() : random_vector<3>(rng, 12.0);
    const FlightInAir flight(ball, r, air, pull);
    ASSERT_GT(flight.end(), 0.0);
    if (!std::isfinite(flight.end())) continue;
    const double k = scale(air, ball.mass), t = uniform(rng, .2, 1.0) * flight.end();
    const auto rate = [&](double, const Eigen::VectorXd& y, Eigen::VectorXd& out) {
      const Vector3d v = y.segment<3>(3), w = y.segment<3>(6), side = w.cross(v);
      const double s = r * side.norm() / v.squaredNorm();
      out.resize(9);
      out << v,
          pull - k * v.norm() * coefficient_at(air.drag, s) * v +
              k * v.squaredNorm() * coefficient_at(air.lift, s) * side.normalized(),
          -air.spin_decay * v.norm() / r * w;
    };
    Eigen::VectorXd y(9);
    y << ball.position, ball.velocity, ball.angular_velocity;
    IntegratorSettings settings;
    settings.relative_tolerance = settings.absolute_tolerance = 1e-13;
    const Eigen::VectorXd end = integrate(rate, 0.0, y, t, {}, settings).y;
    const Body now = flight.at(t);
    const double size = ball.velocity.norm() + pull.norm() * t;
    EXPECT_NEAR((now.position - end.head<3>()).norm(), 0.0, 1e-10 * size * t) << i;
    EXPECT_NEAR((now.velocity - end.segment<3>(3)).norm(), 0.0, 1e-10 * size) << i;
    EXPECT_NEAR((now.angular_velocity - end.tail<3>()).norm(), 0.0, 1e-10 * ball.angular_velocity.norm()) << i;
    for (int look = 0; look <= 20; ++look) {
      const Body at = flight.at(flight.end() * look / 20.0);
      EXPECT_LE((pull + air_acceleration(air, at.mass, r, at.velocity, at.angular_velocity)).norm(),
                flight.acceleration_bound() * (1.0 + 1e-12));
    }
    const double lost = kinetic_energy(ball) - kinetic_energy(now) + ball.mass * pull.dot(now.position);
    EXPECT_NEAR(flight.loss(t), lost, 1e-11 * ball.mass * size * size + 1e-11 * kinetic_energy(ball)) << i;
    EXPECT_GE(flight.loss(t), -1e-13 * kinetic_energy(ball));
  }
}

// A fall from h takes vt/g acosh(exp(g h/vt^2)) and ends at vt sqrt(1 - exp(-2 g h/vt^2)); then e v, up, and down
// again.
TEST(Air, ADroppedBallBouncesOnTime) {
  WorldProblem problem;
  problem.air = Air{1.2, .4, 0.0, 0.0};
  WorldBody body;
  body.shape = SphericalShell{r};
  body.body = table_tennis_ball(Vector3d::Zero());
  body.body.position = {0.0, 0.0, .305 + r};
  problem.bodies = {body};
  problem.planes = {ground()};
  problem.materials = {surface(.9)};
  problem.end_time = 2.0;
  const std::vector<WorldEvent> hits = impacts(run_world(problem));
  const double vt = std::sqrt(g / (.4 * scale(*problem.air, .0027)));
  double h = .305, t = 0.0;
  ASSERT_GT(hits.size(), 4U);
  for (std::size_t k = 0; k < 4; ++k) {
    t += vt / g * std::acosh(std::exp(g * h / (vt * vt)));
    const double speed = vt * std::sqrt(-std::expm1(-2.0 * g * h / (vt * vt)));
    EXPECT_NEAR(hits[k].time, t, 1e-12);
    EXPECT_NEAR(hits[k].contacts[0].impulse.z(), 1.9 * .0027 * speed, 1e-14);
    t += vt / g * std::atan(.9 * speed / vt);
    h = .5 * vt * vt / g * std::log1p(.81 * speed * speed / (vt * vt));
  }
}

// Far out rounding hides more of a way than low bounces are high: they settle all the same.
TEST(Air, BouncesFarFromTheOriginSettle) {
  for (const double e : {.2, .4, .9, .99}) {
    WorldProblem problem;
    problem.air = Air{1.225, .24, AirLaw{0.0, .54, .4}, .01};
    problem.bodies = {ball(.021335, .04593, {171.4025, 0.0, .021335}, {23.95, 0.0, .59}, {0.0, 109.4, 0.0})};
    problem.planes = {ground()};
    problem.materials = {surface(e, .4)};
    problem.end_time = 40.0;
    const WorldRun run = run_world(problem);
    EXPECT_EQ(run.verdict, WorldVerdict::time) << e;
    const auto& events = run.events;
    EXPECT_LT(events.size(), 60.0 / (1.0 - e)) << e;
    EXPECT_EQ(std::count_if(events.begin(), events.end(),
                            [](const WorldEvent& event) { return event.type == WorldEventType::settles; }),
              1)
        << e;
    EXPECT_NEAR(run.energy.residual, 0.0, 1e-10 * run.energy.start) << e;
  }
}

WorldProblem windy_box(Rng& rng, std::size_t count) {
  WorldProblem problem;
  problem.air = random_air(rng);
  problem.materials = {surface(.9, .3)};
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      WorldPlane plane;
      plane.point = .4 * side * Vector3d::Unit(axis);
      plane.normal = -side * Vector3d::Unit(axis);
      problem.planes.push_back(plane);
    }
  for (std::size_t i = 0; i < count; ++i)
    problem.bodies.push_back(ball(r, .0027, {-.3 + .12 * static_cast<double>(i), 0.0, uniform(rng, -.1, .1)},
                                  random_vector<3>(rng, 12.0), random_vector<3>(rng, 300.0)));
  problem.end_time = .6;
  return problem;
}

// Looked at from event to event as closely as one likes: nothing overlaps, so no impact was passed over; what is struck
// approaches, so none was met twice. Energy and momentum are accounted for.
TEST(Air, NoImpactIsMissedInTheAir) {
  Rng rng(7);
  std::size_t impacts_seen = 0;
  for (int scene = 0; scene < 25; ++scene) {
    const WorldProblem problem = windy_box(rng, 5);
    World world(problem);
    WorldEvent event;
    const double scale_of_energy = world.energy().start;
    for (bool more = true; more;) {
      const double start = world.time();
      World look = world;  // the same, seen at times between
      more = world.step(problem.end_time, event);
      const double span = world.time() - start;
      for (int k = 1; k < 40; ++k) {
        WorldEvent none;
        ASSERT_FALSE(look.step(start + span * k / 40.0, none));
        const std::vector<WorldBodyAt> now = look.bodies();
        for (std::size_t i = 0; i < now.size(); ++i) {
          EXPECT_LT(now[i].body.position.cwiseAbs().maxCoeff() + r, .4 + 1e-12);
          for (std::size_t j = 0; j < i; ++j)
            EXPECT_GT((now[i].body.position - now[j].body.position).norm(), 2.0 * r - 1e-12);
        }
      }
      if (!more || event.type != WorldEventType::impact) continue;
      ++impacts_seen;
      for (const WorldContact& contact : event.contacts) EXPECT_GT(contact.impulse.dot(contact.normal), 0.0);
    }
    const WorldEnergy energy = world.energy();
    EXPECT_GT(*energy.air_loss, 0.0);
    EXPECT_NEAR(energy.residual, 0.0, 1e-11 * scale_of_energy);
    EXPECT_NEAR(*world.momentum_residual(), 0.0, 1e-11);
  }
  EXPECT_GT(impacts_seen, 900U);
}

// Saved in the middle of a flight and gone on: the same bits. Air of no strength: the same scene as without.
TEST(Air, SavingKeepsTheBitsAndThinAirIsNone) {
  Rng rng(9);
  WorldProblem problem = windy_box(rng, 3);
  World straight(problem), first(problem);
  straight.run(problem.end_time);
  first.run(.2719);
  World second(problem, first.save());
  second.run(problem.end_time);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(straight.body(i).body.position, second.body(i).body.position);
    EXPECT_EQ(straight.body(i).body.velocity, second.body(i).body.velocity);
  }
  EXPECT_EQ(*straight.energy().air_loss, *second.energy().air_loss);

  problem.end_time = .05;
  problem.air = Air{1e-9, .5, .3, 0.0};
  const WorldRun thin = run_world(problem);
  problem.air.reset();
  const WorldRun none = run_world(problem);
  ASSERT_EQ(thin.events.size(), none.events.size());
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR((thin.final[i].body.position - none.final[i].body.position).norm(), 0.0, 1e-7);
  EXPECT_FALSE(none.energy.air_loss.has_value());
}

// Work is bounded where forces are beyond all numbers, or a mote follows the air at once.
TEST(Air, ExtremesEnd) {
  WorldProblem problem;
  problem.air = Air{1.2, .4, AirLaw{0.0, .6, 1.0, 0.0}, 0.0};
  problem.materials = {surface(1.0)};
  problem.end_time = 1.0;
  for (const double speed : {1e-300, 1e3, 1e70})
    for (const double mass : {1e-12, 1e20}) {
      problem.bodies = {ball(.02, mass, Vector3d::Zero(), {speed, 0.0, 0.0}, {0.0, speed, 1.0})};
      const WorldRun run = run_world(problem);
      EXPECT_TRUE(run.verdict == WorldVerdict::time || run.verdict == WorldVerdict::event_limit);
      EXPECT_TRUE(run.final[0].body.velocity.norm() <= 1.001 * speed + 10.0) << speed << ' ' << mass;
    }
}

TEST(Air, RefusesByName) {
  WorldProblem problem;
  problem.bodies = {ball(.02, .0027, Vector3d::Zero())};
  problem.materials = {surface(1.0)};
  const auto refused = [&](const Air& air) {
    problem.air = air;
    return refusal([&] { World{problem}; });
  };
  EXPECT_EQ(refused({0.0, .4, 0.0, 0.0}), "air.density: must be positive, got 0");
  EXPECT_EQ(refused({1.2, -.4, 0.0, 0.0}), "air.drag: must be >= 0, got -0.4");
  EXPECT_EQ(refused({1.2, .4, AirLaw{0.0, 1.0, 3.0, 0.0}, 0.0}), "air.lift.power: must be in [0, 2], got 3");
  EXPECT_EQ(refused({1.2, AirTable{{{.2, .1}, {.1, .2}}}, 0.0, 0.0}), "air.drag.table[1]: spin ratios must increase");
  EXPECT_EQ(refused({1.2, .4, 0.0, -1.0}), "air.spin_decay: must be >= 0, got -1");
  problem.regularized = WorldRegularized{};
  EXPECT_EQ(refused({1.2, .4, 0.0, 0.0}), "air: does not go together with forces over time (regularized)");
  EXPECT_EQ(refusal([] {
              flight_in_air(table_tennis_ball({1, 0, 0}), r, {0.0, .4, 0.0, 0.0}, gravity, 1.0);
            }),
            "air.density: must be positive, got 0");
}

}  // namespace
}  // namespace carom::testing
