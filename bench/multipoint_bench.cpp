// Multi-point impact: all three methods and the outcome set in the corner, the growth of the enumeration with the
// number of contacts, and a box on four corners in space.
#include <benchmark/benchmark.h>
#include <vector>

#include "carom/impact/multipoint.hpp"

#include "impact/multipoint_random.hpp"

namespace {

using carom::MultipointProblem;

void multipoint_corner_rodriguez(benchmark::State& state) {
  const MultipointProblem problem = carom::testing::corner(4, -4.429447, 0.5, 0.5, 0.25);
  for (auto _ : state) benchmark::DoNotOptimize(carom::multipoint_rodriguez(problem));
}
BENCHMARK(multipoint_corner_rodriguez)->Unit(benchmark::kMicrosecond);

void multipoint_corner_lcp(benchmark::State& state) {
  const MultipointProblem problem = carom::testing::corner(4, -4.429447, 0.5, 0.25, 0.25);
  for (auto _ : state) benchmark::DoNotOptimize(carom::multipoint_lcp(problem));
}
BENCHMARK(multipoint_corner_lcp)->Unit(benchmark::kMicrosecond);

void multipoint_corner_compliant(benchmark::State& state) {
  const MultipointProblem problem = carom::testing::corner(4, -4.429447, 0.5, 0.25, 0.25);
  for (auto _ : state) benchmark::DoNotOptimize(carom::multipoint_compliant(problem, {}));
}
BENCHMARK(multipoint_corner_compliant)->Unit(benchmark::kMicrosecond);

/// 41 ratios of stiffness and both orders.
void multipoint_corner_outcomes(benchmark::State& state) {
  const MultipointProblem problem = carom::testing::corner(4, -4.429447, 0.5, 0.25, 0.25);
  for (auto _ : state) benchmark::DoNotOptimize(carom::multipoint_outcomes(problem, {}, {}));
}
BENCHMARK(multipoint_corner_outcomes)->Unit(benchmark::kMillisecond);

/// All 4^k modes of a body with k contacts in random places.
void multipoint_planar_lcp(benchmark::State& state) {
  std::mt19937_64 rng(1);
  std::vector<MultipointProblem> rows;
  for (int i = 0; i < 16; ++i)
    rows.push_back(carom::testing::random_planar_multipoint(rng, static_cast<int>(state.range(0))));
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(carom::multipoint_lcp(rows[i++ % rows.size()]));
}
BENCHMARK(multipoint_planar_lcp)->DenseRange(1, carom::max_enumerated_contacts)->Unit(benchmark::kMicrosecond);

void multipoint_box_lcp(benchmark::State& state) {
  const MultipointProblem problem = carom::testing::landing_box({1, 0.7, 0.05}, {3, 4, -2}, 0.5, 0.2);
  for (auto _ : state) benchmark::DoNotOptimize(carom::multipoint_lcp(problem));
}
BENCHMARK(multipoint_box_lcp)->Unit(benchmark::kMicrosecond);

void multipoint_box_rodriguez(benchmark::State& state) {
  const MultipointProblem problem = carom::testing::landing_box({1, 0.7, 0.4}, {3, 4, -2}, 0.5, 0.2);
  for (auto _ : state) benchmark::DoNotOptimize(carom::multipoint_rodriguez(problem));
}
BENCHMARK(multipoint_box_rodriguez)->Unit(benchmark::kMicrosecond);

}  // namespace
