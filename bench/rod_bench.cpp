// What does a rod impact cost? e_E in each regime, the full result with energy and margin, repeated bounces, and a map
// of speed against damping.
#include <benchmark/benchmark.h>
#include <cmath>

#include "carom/elastic/rod.hpp"

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
BENCHMARK_CAPTURE(speed_damping_map, viscous, DampingKind::viscous)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(speed_damping_map, structural, DampingKind::structural)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
