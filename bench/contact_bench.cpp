// How fast are forces over time? One evaluation of a contact that presses and of one that is apart, balls rolling at a
// tick of 1 ms (contacts per millisecond of one core), and the accurate mode. Simbody's Hunt-Crossley force on the same
// ball is in contact_simbody.cpp.
#include <benchmark/benchmark.h>
#include <cmath>

#include "carom/contact/point_contact.hpp"
#include "carom/contact/stick_slip.hpp"
#include "carom/motion/pendulum_impact.hpp"
#include "carom/motion/sphere_on_plane.hpp"
#include "carom/motion/stepper.hpp"

namespace {

using namespace carom;
using Eigen::Vector2d, Eigen::Vector3d;

ContactSurface table_2(double sigma1) {
  return {1e6, 1.5, 0.5, {.mu_s = 0.45, .mu_c = 0.4, .sigma0 = 1e5, .sigma1 = sigma1, .v_s = 0.1, .tau_dw = 0.01}};
}

/// Ball against plane: geometry, normal force, friction, force and torque on the ball. 2: rolling, held by its
/// bristles; 1: slipping, at the limit of friction; 0: apart.
void evaluation(benchmark::State& state) {
  PointContact contact(table_2(300.0));
  contact.touch(contact.damping_at(1.0), 1.0);
  const double depth = state.range(0) > 0 ? 7e-4 : -7e-4, radius = 0.1;
  if (state.range(0) == 0) contact.part();
  Vector3d position(0.0, 0.0, radius - depth), velocity(0.3, 0.1, -0.01), spin(0.2, 2.9, 0.0);
  ContactMotion motion;
  motion.bristles = {Vector2d(2e-5, 1e-5), 0.3};
  if (state.range(0) == 2) spin = Vector3d(-0.1 / radius, (0.3 - 1e-5) / radius, 0.0);
  for (auto _ : state) {
    benchmark::DoNotOptimize(position);
    motion.indentation = radius - position[2];
    if (!contact.touching() && !(motion.indentation > 0.0)) continue;
    motion.rate = -velocity[2];
    motion.slip = Vector2d(velocity[0] - radius * spin[1], velocity[1] + radius * spin[0]);
    const ContactForces f = contact.forces_anywhere(motion);
    Vector3d force(f.tangential.force[0], f.tangential.force[1], f.normal),
        torque(radius * force[1], -radius * force[0], 0.0);
    benchmark::DoNotOptimize(force);
    benchmark::DoNotOptimize(torque);
  }
}
BENCHMARK(evaluation)->Arg(2)->Arg(1)->Arg(0);

/// Balls rolling side by side at a tick of 1 ms, in so many substeps (0: chosen): what a core carries in real time.
void balls_at_1_khz(benchmark::State& state) {
  CompliantScene scene;
  const auto count = static_cast<std::size_t>(state.range(0));
  for (std::size_t i = 0; i < count; ++i) {
    Body ball;
    ball.mass = 2.0;
    ball.inertia = 0.008 * Eigen::Matrix3d::Identity();
    ball.position = {0.0, static_cast<double>(i), 0.0993};
    ball.velocity = {1.0, 0.0, 0.0};
    scene.bodies.push_back(ball);
    scene.pairs.push_back({{i, Vector3d::Zero(), 0.1}, FixedSurface{}, table_2(300.0), {}});
  }
  CompliantStepper stepper(scene, {StepMode::fixed, 1e-3, static_cast<int>(state.range(1))});
  for (auto _ : state) stepper.advance();
  state.counters["contacts_per_ms"] =
      benchmark::Counter(1e-3 * static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(balls_at_1_khz)->Args({1, 10})->Args({500, 10})->Args({500, 0})->Unit(benchmark::kMicrosecond);

/// Three seconds of the ball on the incline, every switch located.
void ball_on_incline_accurately(benchmark::State& state) {
  SphereOnPlaneProblem p;
  p.mass = 2.0;
  p.surface = table_2(static_cast<double>(state.range(0)));
  p.incline = M_PI / 9.0;
  p.gap = 0.5;
  p.velocity = {-0.94, 0.5, -0.342};
  p.end_time = 3.0;
  for (auto _ : state) benchmark::DoNotOptimize(sphere_on_plane(p));
}
BENCHMARK(ball_on_incline_accurately)->Arg(300)->Arg(10000)->Unit(benchmark::kMillisecond);

void normal_impacts(benchmark::State& state) {
  double e = 0.3;
  for (auto _ : state) benchmark::DoNotOptimize(normal_impact({DampingLaw::gonthier, 1.0, 1e6, 1.5, e += 1e-9, 1.0}));
}
BENCHMARK(normal_impacts);

void exact_damping(benchmark::State& state) {
  double e = 0.01 * static_cast<double>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(exact_damping_factor(e += 1e-12));
}
BENCHMARK(exact_damping)->Arg(20)->Arg(50)->Arg(80);

/// What a ball really rebounds with when .5 is asked for at 1 m/s, without gravity: the counter.
void ball_against_plane(benchmark::State& state) {
  CompliantScene scene;
  scene.gravity.setZero();
  Body ball;
  ball.mass = 2.0;
  ball.inertia = 0.008 * Eigen::Matrix3d::Identity();
  ball.position = {0.0, 0.0, 0.1005};
  ball.velocity = {0.0, 0.0, -1.0};
  scene.bodies = {ball};
  scene.pairs = {{{0, Vector3d::Zero(), 0.1}, FixedSurface{}, table_2(300.0), 1e-3}};
  double rebound = 0.0;
  for (auto _ : state) {
    CompliantStepper stepper(scene);  // ticks of 1 ms, substeps as the contact asks
    for (int i = 0; i < 30; ++i) stepper.advance();
    rebound = stepper.bodies()[0].velocity[2];
  }
  state.counters["asked_for"] = 0.5;
  state.counters["delivered"] = rebound;
}
BENCHMARK(ball_against_plane)->Unit(benchmark::kMicrosecond);

}  // namespace
