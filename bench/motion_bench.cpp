// How fast is what happens between impacts? Free flight of the three kinds of bodies, the old way of stepping through a
// turn for comparison; a ball on a plane; a pendulum; times of touch.
#include <benchmark/benchmark.h>
#include <cmath>

#include "carom/core/shape.hpp"
#include "carom/motion/air.hpp"
#include "carom/motion/flight.hpp"
#include "carom/motion/pendulum.hpp"
#include "carom/motion/table.hpp"
#include "carom/motion/time_of_impact.hpp"

namespace {

using namespace carom;
using Eigen::Vector3d;

const Vector3d gravity(0.0, 0.0, -9.81);

Body body_of_kind(int kind) {
  Body body = kind == 0   ? body_of(Sphere{0.1}, 1.0)
              : kind == 1 ? body_of(Cylinder{0.1, 0.5}, 1.0)
                          : body_of(Box{{0.1, 0.2, 0.4}}, 1.0);
  body.angular_velocity = {1.0, 2.0, 3.0};
  return body;
}

/// 0: ball, 1: cylinder, 2: box. Set up once, asked for many times.
void flight_at(benchmark::State& state) {
  const FreeFlight flight(body_of_kind(static_cast<int>(state.range(0))), gravity);
  double t = 0.0;
  for (auto _ : state) benchmark::DoNotOptimize(flight.at(t += 0.01));
}
BENCHMARK(flight_at)->DenseRange(0, 2);

void flight_set_up(benchmark::State& state) {
  const Body body = body_of_kind(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(FreeFlight(body, gravity));
}
BENCHMARK(flight_set_up)->DenseRange(0, 2);

/// The same turn of the box by steps of fourth order, 50 a radian: 1e-9 after one turn.
void flight_stepped_one_turn(benchmark::State& state) {
  const Body body = body_of_kind(2);
  const Eigen::Matrix3d inverse = body.inertia.diagonal().cwiseInverse().asDiagonal();
  const Vector3d momentum = world_inertia(body) * body.angular_velocity;
  const auto rate = [&](const Eigen::Vector4d& q) -> Eigen::Vector4d {
    const Eigen::Quaterniond now(q[3], q[0], q[1], q[2]);
    const Eigen::Matrix3d r = now.toRotationMatrix();
    const Vector3d w = r * inverse * r.transpose() * momentum;
    return 0.5 * (Eigen::Quaterniond(0.0, w.x(), w.y(), w.z()) * now).coeffs();
  };
  const double h = 0.02 / body.angular_velocity.norm();
  for (auto _ : state) {
    Eigen::Vector4d q(0, 0, 0, 1);
    for (int i = 0; i < 314; ++i) {
      const Eigen::Vector4d k1 = rate(q), k2 = rate(q + 0.5 * h * k1), k3 = rate(q + 0.5 * h * k2),
                            k4 = rate(q + h * k3);
      q += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
      q.normalize();
    }
    benchmark::DoNotOptimize(q);
  }
}
BENCHMARK(flight_stepped_one_turn);

void pendulum_at(benchmark::State& state) {
  const PendulumSwing swing(0.5, 9.81, {1.0, 0.0});
  double t = 0.0;
  for (auto _ : state) benchmark::DoNotOptimize(swing.at(t += 0.01));
}
BENCHMARK(pendulum_at);

/// How a shot ends its sliding: set up, and the state at the end. Level cloth, and an incline across the shot.
void ball_slides(benchmark::State& state) {
  const Vector3d normal = state.range(0) == 0 ? Vector3d(0, 0, 1) : Vector3d(0, std::sin(0.1), std::cos(0.1));
  Body ball = body_of(Sphere{0.03}, 0.17);
  ball.velocity = {1, 0, 0};
  for (auto _ : state) {
    const BallOnPlane run(ball, 0.03, normal, {.2, .01, 0.0}, gravity);
    benchmark::DoNotOptimize(run.at(run.end()));
  }
}
BENCHMARK(ball_slides)->DenseRange(0, 1);

/// A golf drive of six seconds: golf balls' coefficients and spin decay (Smits and Smith 1994).
void golf_drive(benchmark::State& state) {
  Body ball = body_of(Sphere{.021335}, .04593);
  ball.velocity = {73.352, 0, 14.126};
  ball.angular_velocity = {0, -281.3, 0};
  const Air air{1.225, AirLaw{.24, .18, 1.0, 0.0}, AirLaw{0.0, .54, .4, 0.0}, 2e-5};
  for (auto _ : state) benchmark::DoNotOptimize(flight_in_air(ball, .021335, air, gravity, 6.0));
}
BENCHMARK(golf_drive);

void touch_of_balls_in_flight(benchmark::State& state) {
  const BallPath a{{0, 0, 2}, {3, 0, 1}, gravity, .1}, b{{1, .1, 2.05}, {0, 0, 1}, gravity, .1};
  for (auto _ : state) benchmark::DoNotOptimize(time_of_touch(a, b, 10.0));
}
BENCHMARK(touch_of_balls_in_flight);

void touch_of_a_fixed_ball(benchmark::State& state) {
  const BallPath a{{.2, 0, 1.5}, {0, 0, 0}, gravity, .1}, b{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, .5};
  for (auto _ : state) benchmark::DoNotOptimize(time_of_touch(a, b, 10.0));
}
BENCHMARK(touch_of_a_fixed_ball);

void touch_of_a_plane(benchmark::State& state) {
  const BallPath a{{0, 0, 1}, {1, 0, 1}, gravity, .1};
  for (auto _ : state) benchmark::DoNotOptimize(time_of_touch(a, {0, 0, 0}, {0, 0, 1}, 10.0));
}
BENCHMARK(touch_of_a_plane);

}  // namespace
