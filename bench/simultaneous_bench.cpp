// Simultaneous impact: break shots in each kind of friction, chains, and a pile.
#include <benchmark/benchmark.h>

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
  if (impact.velocity_error > 0.0) state.counters["error"] = impact.velocity_error;
}

const std::vector<int> nine = {1, 2, 3, 2, 1}, fifteen = {1, 2, 3, 4, 5};

#define BREAK(name, rows, ...)                                                         \
  void name(benchmark::State& state) { run(state, rack(rows, Surface{__VA_ARGS__})); } \
  BENCHMARK(name)->Unit(benchmark::kMillisecond)

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

void chain_linear(benchmark::State& state) { run(state, chain(static_cast<std::size_t>(state.range(0)), {1.0})); }
BENCHMARK(chain_linear)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

void chain_hertz(benchmark::State& state) { run(state, chain(static_cast<std::size_t>(state.range(0)), {1.5})); }
BENCHMARK(chain_hertz)->Arg(10)->Arg(100)->Unit(benchmark::kMillisecond);

/// 1000 balls, closely packed in 10 layers of 10 x 10 (face-centred cubic), one of the top ones moving down.
void pile_kick_drift_kick(benchmark::State& state) {
  SimultaneousProblem problem;
  for (int layer = 0; layer < 10; ++layer)
    for (int i = 0; i < 10; ++i)
      for (int j = 0; j < 10; ++j)
        problem.bodies.push_back(ball({i + .5 * (layer % 2), j + .5 * (layer % 2), layer * std::sqrt(.5)}));
  problem.bodies[944].velocity = {0, 0, -1};
  touch_all(problem, .5, {1.5, .9});
  problem.method = carom::SimultaneousMethod::kick_drift_kick;
  problem.steps_per_time_unit = static_cast<double>(state.range(0));
  run(state, problem);
}
BENCHMARK(pile_kick_drift_kick)->Arg(16)->Arg(64)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
