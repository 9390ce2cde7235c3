// How fast does a scene run from impact to impact, and how long do engines that step through time take for it? Newton's
// cradle for a minute, a break shot to rest, hundreds to ten thousand balls in a box, boxes that fall into a container.
// Beside the (processor) time of every run: its error of energy (against the exact run, or against energy kept), how
// many touches it missed (below zero: counted twice), how far the break is from its mirror image, and how many times
// longer it took than the exact run. What engines make of impacts one by one: engines_bench.cpp.
#include <benchmark/benchmark.h>
#include <cmath>
#include <map>
#include <random>
#include <string>

#include "motion/billiard_scenes.hpp"
#include "world_engines.hpp"

namespace {

using namespace carom;
using namespace carom::bench;
using namespace carom::testing;
using Eigen::Vector3d;

/// Steps the users of these engines take: 240 Hz in Bullet's examples, MuJoCo's own default.
constexpr double bullet_step = 1.0 / 240.0, mujoco_step = 0.002;

/// Balls on a grid, packing fraction .3, between six walls; velocities of a gas.
WorldProblem gas(int side, double restitution) {
  WorldProblem problem;
  problem.gravity.setZero();
  problem.materials = {surface(restitution)};
  const double r = .5, n = std::pow(side, 3), packing = .3;
  const double room = std::cbrt(n * 4.0 / 3.0 * std::numbers::pi * r * r * r / packing), spacing = room / side;
  std::mt19937_64 random(1);
  std::normal_distribution<double> speed;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      for (int k = 0; k < side; ++k) {
        const double x = speed(random), y = speed(random), z = speed(random);
        problem.bodies.push_back(ball(r, 1.0, spacing * Vector3d(i + .5, j + .5, k + .5), {x, y, z}));
      }
  for (int axis = 0; axis < 3; ++axis)
    for (const double end : {0.0, 1.0}) {
      WorldPlane wall;
      wall.point = end * room * Vector3d::Unit(axis);
      wall.normal = (1.0 - 2.0 * end) * Vector3d::Unit(axis);
      problem.planes.push_back(wall);
    }
  problem.end_time = 1e3;
  problem.max_events = static_cast<std::size_t>(10.0 * n);  // two balls each: at least 20 impacts per ball
  return problem;
}

/// Boxes on a grid, turned and thrown about, fall into a container of five walls: through their first second.
WorldProblem boxes(int side) {
  WorldProblem problem;
  problem.materials = {surface(.3, .4)};
  const double spacing = .2, room = side * spacing;
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      for (int k = 0; k < side; ++k) {
        const auto some = [&](double size) {
          const double x = normal(random), y = normal(random), z = normal(random);
          return Vector3d(size * x, size * y, size * z);
        };
        WorldBody box;
        box.shape = Box{{.08, .1, .12}};
        box.body = body_of(box.shape, 1.0);
        box.body.position = spacing * Vector3d(i + .5, j + .5, k + .7);
        const double w = normal(random);
        box.body.orientation = Eigen::Quaterniond(w, normal(random), normal(random), normal(random)).normalized();
        box.body.velocity = some(.3);
        box.body.angular_velocity = some(2.0);
        problem.bodies.push_back(box);
      }
  problem.planes.push_back(WorldPlane{});
  for (int axis = 0; axis < 2; ++axis)
    for (const double end : {0.0, 1.0}) {
      WorldPlane wall;
      wall.point = end * room * Vector3d::Unit(axis);
      wall.normal = (1.0 - 2.0 * end) * Vector3d::Unit(axis);
      problem.planes.push_back(wall);
    }
  problem.micro_speed = problem.zeno_speed = .1;
  problem.end_time = 1.0;
  problem.max_events = 100'000'000;
  return problem;
}

/// What the exact run gives, made once for each scene: what the engines are measured by.
struct Exact {
  WorldProblem problem;  ///< ends where the run ended
  std::vector<Body> after;
  double energy = 0.0, scale = 0.0, residual = 0.0, seconds = 0.0;
  std::size_t touches = 0, events = 0;
};

WorldProblem scene(const std::string& name) {
  if (name == "cradle" || name == "cradle_small_angle") {
    WorldProblem problem = cradle(name == "cradle" ? PendulumMotion::exact : PendulumMotion::small_angle);
    problem.end_time = 60.0;
    return problem;
  }
  if (name == "break") return nine_ball_break(0.0);
  if (name.starts_with("boxes")) return boxes(name == "boxes_1000" ? 10 : 5);
  if (name == "table_break_10") return table_break(4);
  if (name == "table_break_15") return table_break(5);
  const int side = name.find("10000") != std::string::npos ? 22 : name.find("1000") != std::string::npos ? 10 : 5;
  return gas(side, name.ends_with("lossy") ? .9 : 1.0);
}

Exact run_exact(const std::string& name) {
  Exact exact;
  exact.problem = scene(name);
  const double start = processor_time();
  World world(exact.problem);
  TouchCount touches;
  const bool counts = exact.problem.bodies.size() < 2000;  // else the counting would take longer than what it counts
  const std::size_t planes = exact.problem.bodies.size();
  const auto count = [&](const WorldEvent& event) {
    for (const WorldContact& contact : event.contacts)
      if (!contact.impulse.isZero(0.0))
        touches.see({contact.first, contact.second.index + (contact.second.kind == PartnerKind::body ? 0 : planes)},
                    event.time);
  };
  world.run(exact.problem.end_time, counts ? std::function<void(const WorldEvent&)>(count) : nullptr);
  exact.touches = touches.count();
  exact.seconds = processor_time() - start;
  for (const WorldBodyAt& body : world.bodies()) exact.after.push_back(body.body);
  exact.events = world.events();
  exact.energy = energy_of(exact.problem, exact.after);
  std::vector<Body> before;
  for (const WorldBody& body : exact.problem.bodies) before.push_back(body.body);
  // What the scene has to lose: motion, and for the cradle the height of its first ball.
  for (const Body& body : before) exact.scale += kinetic_energy(body);
  if (exact.scale == 0.0) exact.scale = 9.81 * .05 * .129 * (1.0 - std::cos(5.0 * std::numbers::pi / 36.0));
  exact.residual = world.energy().residual / exact.scale;
  exact.problem.end_time = world.time();
  return exact;
}

const Exact& exact_run(const std::string& name) {
  static std::map<std::string, Exact> runs;
  const auto found = runs.find(name);
  return found != runs.end() ? found->second : runs.emplace(name, run_exact(name)).first->second;
}

/// How far the balls end from where the mirror image (in y) of their partner ends [m].
double asymmetry(const WorldProblem& problem, const std::vector<Body>& after) {
  const auto mirrored = [](Vector3d x) -> Vector3d { return {x.x(), -x.y(), x.z()}; };
  double worst = 0.0;
  for (std::size_t i = 0; i < after.size(); ++i)
    for (std::size_t j = 0; j < after.size(); ++j)
      if ((problem.bodies[i].body.position - mirrored(problem.bodies[j].body.position)).norm() < 1e-9)
        worst = std::max(worst, (after[i].position - mirrored(after[j].position)).norm());
  return worst;
}

void exactly(benchmark::State& state, const std::string& name) {
  Exact exact;
  for (auto _ : state) {
    exact = run_exact(name);
    state.SetIterationTime(exact.seconds);
  }
  state.counters["events"] = static_cast<double>(exact.events);
  state.counters["us_per_event"] = 1e6 * exact.seconds / static_cast<double>(exact.events);
  state.counters["energy_error"] = exact.residual;
  if (name == "break") state.counters["asymmetry"] = asymmetry(exact.problem, exact.after);
}

void stepped(benchmark::State& state, const std::string& name, EngineRun (*engine)(const WorldProblem&, double),
             double step) {
  const Exact& exact = exact_run(name);
  EngineRun run;
  for (auto _ : state) {
    run = engine(exact.problem, step);
    state.SetIterationTime(run.seconds);
  }
  state.counters["energy_error"] = (energy_of(exact.problem, run.after) - exact.energy) / exact.scale;
  if (exact.touches > 0) {
    state.counters["missed"] = static_cast<double>(exact.touches) - static_cast<double>(run.touches);
    state.counters["of_touches"] = static_cast<double>(exact.touches);
  }
  state.counters["times_exact"] = run.seconds / exact.seconds;
  if (name == "break") state.counters["asymmetry"] = asymmetry(exact.problem, run.after);
}

/// @param engines  0: in none, 1: in Bullet, 2: in MuJoCo too
void add(const std::string& name, int engines) {
  const auto once = [](benchmark::internal::Benchmark* b) {
    b->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
  };
  benchmark::RegisterBenchmark(("carom/" + name).c_str(), [name](benchmark::State& state) { exactly(state, name); })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
#ifdef CAROM_BENCH_BULLET
  if (engines >= 1)
    once(benchmark::RegisterBenchmark(("bullet/" + name).c_str(), [name](benchmark::State& state) {
      stepped(state, name, run_bullet, bullet_step);
    }));
#endif
#ifdef CAROM_BENCH_MUJOCO
  if (engines >= 2)
    once(benchmark::RegisterBenchmark(("mujoco/" + name).c_str(), [name](benchmark::State& state) {
      stepped(state, name, run_mujoco, mujoco_step);
    }));
#endif
  (void)once;
  (void)engines;
}

const bool added = [] {
  add("cradle", 2);
  add("cradle_small_angle", 0);  // engines have no such pendulums
  add("break", 2);
  add("boxes_125", 0);
  add("boxes_1000", 0);
  add("table_break_10", 0);  // cushions, jaws and pockets, to rest
  add("table_break_15", 0);
  // MuJoCo's matrices are of all velocities at once: 6,000 for a thousand balls.
  for (const char* ending : {"", "_lossy"}) {
    add(std::string("gas_125") + ending, 2);
    add(std::string("gas_1000") + ending, 1);
    add(std::string("gas_10000") + ending, 1);
  }
  return true;
}();

}  // namespace
