// Planar impact: one impact, a batch of a million, and Routh's process followed in small steps (what a simulation
// without the closed forms has to do), with the ratio.
#include <algorithm>
#include <benchmark/benchmark.h>
#include <ctime>
#include <vector>

#include "carom/impact/planar.hpp"

#include "impact/planar_incremental.hpp"
#include "impact/planar_random.hpp"

namespace {

using carom::PlanarOutcome;
using carom::PlanarProblem;

std::vector<PlanarProblem> problems(std::size_t count) {
  std::mt19937_64 rng(1);
  constexpr carom::RestitutionLaw laws[] = {carom::RestitutionLaw::newton, carom::RestitutionLaw::poisson,
                                            carom::RestitutionLaw::energetic};
  std::vector<PlanarProblem> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(carom::testing::random_planar_problem(rng, laws[i % 3]));
  return result;
}

void planar_outcome(benchmark::State& state) {
  const auto rows = problems(4096);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(carom::planar_outcome(rows[i++ % rows.size()]));
}
BENCHMARK(planar_outcome);

void planar_impact_with_trace(benchmark::State& state) {
  const auto rows = problems(4096);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(carom::planar_impact(rows[i++ % rows.size()]));
}
BENCHMARK(planar_impact_with_trace);

void planar_batch_of_a_million(benchmark::State& state) {
  const auto rows = problems(1'000'000);
  std::vector<PlanarOutcome> out(rows.size());
  for (auto _ : state) {
    carom::planar_outcomes(rows, out);
    benchmark::ClobberMemory();
  }
  state.counters["per_impact"] = benchmark::Counter(
      static_cast<double>(rows.size()), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(planar_batch_of_a_million)->Unit(benchmark::kMillisecond);

/// Processor time so far [s]: other work on the machine counts little in it.
double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Small steps with a relative error of about 1e-3, and how many times longer they take than the closed form: the
/// median of several rounds of both, one after the other.
void planar_incremental_1000_steps(benchmark::State& state) {
  const auto rows = problems(4096);
  std::vector<double> steps;
  for (const auto& row : rows) steps.push_back(1e-3 * carom::planar_outcome(row).impulse[1]);
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(carom::testing::incremental_planar_impulse(rows[i % rows.size()], steps[i % rows.size()]));
    ++i;
  }
  constexpr int rounds = 9, closed_forms = 50, steppings = 1;
  std::vector<double> ratios;
  for (int round = 0; round < rounds; ++round) {
    const double start = processor_time();
    for (int k = 0; k < closed_forms; ++k)
      for (const auto& row : rows) benchmark::DoNotOptimize(carom::planar_outcome(row));
    const double between = processor_time();
    for (int k = 0; k < steppings; ++k)
      for (std::size_t r = 0; r < rows.size(); ++r)
        benchmark::DoNotOptimize(carom::testing::incremental_planar_impulse(rows[r], steps[r]));
    ratios.push_back((processor_time() - between) / steppings / ((between - start) / closed_forms));
  }
  std::nth_element(ratios.begin(), ratios.begin() + rounds / 2, ratios.end());
  state.counters["times_closed_form"] = ratios[rounds / 2];
}
BENCHMARK(planar_incremental_1000_steps);

}  // namespace
