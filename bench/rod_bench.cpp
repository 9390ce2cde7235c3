// What does a rod impact cost? e_E in each regime, the full result with energy and margin, repeated bounces, and a map
// of speed against damping.
#include <benchmark/benchmark.h>
#include <cmath>

#include "carom/elastic/held_rod.hpp"
#include "carom/elastic/rod.hpp"
#include "carom/elastic/rod_modes.hpp"

namespace {

using namespace carom;

RodProblem viscous(double r, double mu) { return {1.0, 1.0, 1.0, r, DampingKind::viscous, mu, {}, 1, {}}; }
RodProblem rubber(double r) { return {60.0, 5.0, 9.8, r, DampingKind::structural, 5.0, {}, 1, {}}; }

void rebound(benchmark::State& state, RodProblem problem) {
  for (auto _ : state) {
    RodRebound answer = rod_rebound(problem);
    benchmark::DoNotOptimize(answer);
    benchmark::ClobberMemory();
  }
}
void impact(benchmark::State& state, RodProblem problem) {
  for (auto _ : state) {
    RodResult answer = rod_impact(problem);
    benchmark::DoNotOptimize(answer);
    benchmark::ClobberMemory();
  }
}

/// 200 x 200 points of e_E: impact speed 0.05 .. 10, damping 0 .. 1.5 (c = L = g = 1), one core.
void speed_damping_map(benchmark::State& state, DampingKind kind) {
  constexpr int n = 200;
  for (auto _ : state) {
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        RodProblem p = viscous(1.5 * j / (n - 1), 0.05 + 9.95 * i / (n - 1));
        p.damping_kind = kind;
        const double e = rod_rebound(p).e_energy;
        sum += std::isnan(e) ? 0.0 : e;
      }
    benchmark::DoNotOptimize(sum);
  }
  state.counters["per_point"] =
      benchmark::Counter(n * n, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// A sample with its energies, over the first contact and the flight after it.
void samples(benchmark::State& state, RodProblem problem) {
  const double round_trip = rod_round_trip(problem);
  RodMotion motion(problem);
  motion.at(3.0 * round_trip);
  double share = 0.0;
  for (auto _ : state) {
    share = std::fmod(share + 0.618034, 1.0);
    RodSample answer = motion.at(2.0 * share * round_trip);
    benchmark::DoNotOptimize(answer);
  }
}

/// Energy left after a round trip with so many terms of the series, and with all.
void energy_left_terms(benchmark::State& state) {
  for (auto _ : state) {
    const RodModes modes(rubber(18.0), static_cast<int>(state.range(0)));
    benchmark::DoNotOptimize(modes.dissipated(0.0, 5.0, 1.0 / 6.0));
  }
}
void energy_left_all(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(rod_held_energy(rubber(18.0), 1.0 / 6.0));
}

/// Lift-off of a rod with a jump of velocity half way up, without and with gravity.
void any_start(benchmark::State& state, double gravity) {
  RodProblem problem = viscous(0.2, 0.0);
  problem.gravity = gravity;
  const HeldRodData data = held_rod_data({{{0.0, -3.0}, {0.5, -3.0}, {0.5, -1.0}, {1.0, -1.0}}}, {});
  for (auto _ : state) benchmark::DoNotOptimize(HeldRod(problem, data).lift_off(8.0));
}

BENCHMARK_CAPTURE(rebound, viscous_at_t1, viscous(0.2, 5.0));
BENCHMARK_CAPTURE(rebound, viscous_after_t1, viscous(0.2, 2.0));
BENCHMARK_CAPTURE(rebound, viscous_late, RodProblem{1.0, 0.5, 0.0, 3.0, DampingKind::viscous, 1.0, {}, 1, {}});
BENCHMARK_CAPTURE(rebound, structural_rubber, rubber(18.0));
BENCHMARK_CAPTURE(rebound, structural_stiff, rubber(80.6));
BENCHMARK_CAPTURE(rebound, structural_light, rubber(1.0));
BENCHMARK_CAPTURE(impact, viscous_at_t1_full, viscous(0.2, 5.0));
BENCHMARK_CAPTURE(impact, viscous_after_t1_full, viscous(0.2, 2.0));
BENCHMARK_CAPTURE(impact, structural_full, rubber(18.0));
BENCHMARK_CAPTURE(impact, viscous_8_bounces, RodProblem{1.0, 1.0, 1.0, 0.01, DampingKind::viscous, 5.0, {}, 8, {}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(impact, undamped_8_bounces, RodProblem{1.0, 1.0, 1.0, 0.0, DampingKind::viscous, 5.3, {}, 8, {}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(impact, structural_4_bounces,
                  RodProblem{60.0, 5.0, 9.8, 5.0, DampingKind::structural, 5.0, {}, 4, {}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(samples, viscous, viscous(0.2, 5.0));
BENCHMARK_CAPTURE(samples, structural, rubber(18.0));
BENCHMARK(energy_left_terms)->Arg(20)->Arg(400);
BENCHMARK(energy_left_all);
BENCHMARK_CAPTURE(any_start, weightless, 0.0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(any_start, gravity, 1.0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(speed_damping_map, viscous, DampingKind::viscous)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(speed_damping_map, structural, DampingKind::structural)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
