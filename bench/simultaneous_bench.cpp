// Simultaneous impact: break shots in each kind of friction, chains, and a pile.
#include <benchmark/benchmark.h>
#include <cmath>
#include <ctime>
#include <iterator>
#include <map>
#include <string>

#include "carom/impact/simultaneous.hpp"

#include "impact/simultaneous_scenes.hpp"

namespace {

using namespace carom::testing;
using carom::SimultaneousImpact;
using carom::SimultaneousProblem;

void run(benchmark::State& state, SimultaneousProblem problem) {
  problem.tolerance = 1e-8;
  SimultaneousImpact impact;
  for (auto _ : state) {
    impact = carom::simultaneous_impact(problem);
    benchmark::DoNotOptimize(impact);
  }
  state.counters["contacts"] = static_cast<double>(problem.contacts.size());
  state.counters["events"] = static_cast<double>(impact.events.size());
  state.counters["steps"] = static_cast<double>(impact.steps);
  state.counters["energy_error"] = impact.energy.imbalance() / impact.energy.before;
  if (impact.velocity_error > 0.0) state.counters["error"] = impact.velocity_error;
}

const std::vector<int> nine = {1, 2, 3, 2, 1}, fifteen = {1, 2, 3, 4, 5};

void run_rack(benchmark::State& state, const std::vector<int>& rows, const Surface& surface) {
  const SimultaneousProblem problem = rack(rows, surface);
  run(state, problem);
  std::vector<Eigen::Vector3d> velocities;
  for (const carom::Body& body : carom::simultaneous_impact(problem).bodies) velocities.push_back(body.velocity);
  state.counters["asymmetry"] = asymmetry(problem.bodies, velocities);
}

#define BREAK(name, rows, ...)                                                        \
  void name(benchmark::State& state) { run_rack(state, rows, Surface{__VA_ARGS__}); } \
  BENCHMARK(name)->Unit(benchmark::kMillisecond)

BREAK(nine_linear_elastic, nine, 1.0, 1.0);
BREAK(fifteen_linear_elastic, fifteen, 1.0, 1.0);

BREAK(nine_linear_frictionless, nine, 1.0, .96);
BREAK(nine_hertz_frictionless, nine, 1.5, .96);
BREAK(nine_linear_rigid, nine, 1.0, .96, .03);
BREAK(nine_hertz_rigid, nine, 1.5, .96, .03);
BREAK(nine_linear_springs, nine, 1.0, .96, .03, 1.1);
BREAK(nine_hertz_springs, nine, 1.5, .96, .03, 1.1);
BREAK(fifteen_linear_frictionless, fifteen, 1.0, .96);
BREAK(fifteen_hertz_frictionless, fifteen, 1.5, .96);
BREAK(fifteen_linear_rigid, fifteen, 1.0, .96, .03);
BREAK(fifteen_hertz_rigid, fifteen, 1.5, .96, .03);
BREAK(fifteen_linear_springs, fifteen, 1.0, .96, .03, 1.1);
BREAK(fifteen_hertz_springs, fifteen, 1.5, .96, .03, 1.1);

/// How time grows with the number of balls: `exponent` compares with the row before.
void run_growth(benchmark::State& state, const std::string& name, const SimultaneousProblem& problem) {
  static std::map<std::string, std::map<double, double>> measured;  // by benchmark: balls -> seconds
  const std::clock_t start = std::clock();
  run(state, problem);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC /
                         static_cast<double>(std::max(state.iterations(), benchmark::IterationCount{1}));
  const auto balls = static_cast<double>(state.range(0));
  std::map<double, double>& rows = measured[name];
  rows[balls] = seconds;
  if (const auto row = rows.find(balls); row != rows.begin()) {
    const auto& [fewer, less] = *std::prev(row);
    state.counters["exponent"] = std::log(seconds / less) / std::log(balls / fewer);
  }
}

/// Balls in a row, the first one striking, aside too if so asked.
SimultaneousProblem struck_chain(const benchmark::State& state, const Surface& surface, double aside = 0.0) {
  SimultaneousProblem problem = chain(static_cast<std::size_t>(state.range(0)), surface);
  problem.bodies[0].velocity.z() = aside;
  return problem;
}

#define CHAIN(name, ...)                                                                             \
  void name(benchmark::State& state) { run_growth(state, #name, struck_chain(state, __VA_ARGS__)); } \
  BENCHMARK(name)->Unit(benchmark::kMillisecond)

CHAIN(chain_linear, {1.0})->Arg(10)->Arg(100)->Arg(1000)->Arg(10'000);
CHAIN(chain_hertz, {1.5})->Arg(10)->Arg(100)->Arg(1000)->Arg(10'000);
CHAIN(chain_hertz_friction, {1.5, 1.0, .1})->Arg(10)->Arg(100)->Arg(1000)->Arg(10'000);
// Struck obliquely: friction, rigid and through tangential springs, acts along the chain.
CHAIN(chain_linear_oblique, {1.0, 1.0, .1}, .3)->Arg(10)->Arg(100)->Arg(1000);
CHAIN(chain_hertz_oblique, {1.5, 1.0, .1}, .3)->Arg(10)->Arg(100)->Arg(1000);
CHAIN(chain_hertz_oblique_springs, {1.5, 1.0, .1, 1.1}, .3)->Arg(10)->Arg(100)->Arg(1000);
// With losses the balls behind the wave go on rattling.
CHAIN(chain_linear_lossy, {1.0, .96})->Arg(10)->Arg(30)->Arg(100)->Arg(300)->Arg(1000);
CHAIN(chain_hertz_lossy, {1.5, .96})->Arg(10)->Arg(30)->Arg(100)->Arg(300);

// Balls that know nothing of each other, and rigid friction under each.
void floor_rigid(benchmark::State& state) {
  run_growth(state, "floor_rigid", balls_on_a_floor(static_cast<std::size_t>(state.range(0)), {1.5, .8, .5}));
}
BENCHMARK(floor_rigid)->Arg(10)->Arg(100)->Arg(1000)->Arg(10'000)->Unit(benchmark::kMillisecond);

/// side^3 balls, closely packed in square layers (face-centred cubic), one of the top ones moving down; fixed steps.
void pile_kick_drift_kick(benchmark::State& state) {
  const auto side = static_cast<int>(state.range(0));
  SimultaneousProblem problem;
  for (int layer = 0; layer < side; ++layer)
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j)
        problem.bodies.push_back(ball({i + .5 * (layer % 2), j + .5 * (layer % 2), layer * std::sqrt(.5)}));
  const auto top = static_cast<std::size_t>((side - 1) * side * side + side / 2 * (side + 1));
  problem.bodies[top].velocity = {0, 0, -1};
  touch_all(problem, .5, {1.5, .9});
  problem.method = carom::SimultaneousMethod::kick_drift_kick;
  problem.steps_per_time_unit = static_cast<double>(state.range(1));
  run(state, problem);
}
BENCHMARK(pile_kick_drift_kick)
    ->ArgNames({"side", "steps"})
    ->Args({3, 16})
    ->Args({5, 16})
    ->Args({10, 16})
    ->Args({10, 64})
    ->Unit(benchmark::kMillisecond);

}  // namespace
