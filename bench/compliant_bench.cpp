// How fast is a compliant impact? The planar closed form, the 3-D solver over random impacts (accurate to about
// 1e-10), and the paper's own method at its own step, in the same run.
#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <vector>

#include "compliant_methods.hpp"
#include "impact/compliant_cases.hpp"

namespace {

using namespace carom;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Median over the cases of the fastest of a few runs [us].
double median_microseconds(const std::vector<CompliantProblem>& problems) {
  std::vector<double> times;
  for (const auto& problem : problems) {
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {
      const double start = seconds();
      benchmark::DoNotOptimize(compliant_outcome(problem));
      best = std::min(best, seconds() - start);
    }
    times.push_back(1e6 * best);
  }
  std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

const CompliantProblem paper_ball = cases::ball({-1, 0, -5}, {0, 2, 0});

void planar(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(compliant_outcome(paper_ball));
}
BENCHMARK(planar)->Unit(benchmark::kMicrosecond);

void planar_traced(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(compliant_impact(paper_ball));
}
BENCHMARK(planar_traced)->Unit(benchmark::kMicrosecond);

void spatial_pencil(benchmark::State& state) {
  const auto problem = cases::pencil();
  for (auto _ : state) benchmark::DoNotOptimize(compliant_outcome(problem));
}
BENCHMARK(spatial_pencil)->Unit(benchmark::kMicrosecond);

/// Mean over random impacts; the counter is the median.
void spatial_random(benchmark::State& state) {
  cases::OrdinaryCases next(1);
  std::vector<CompliantProblem> problems;
  for (int i = 0; i < 1001; ++i) problems.push_back(next());
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(compliant_outcome(problems[i++ % problems.size()]));
  state.counters["median_us"] = median_microseconds(problems);
}
BENCHMARK(spatial_random)->Unit(benchmark::kMicrosecond);

/// Algorithm 1 at the paper's step; the counters are its time over ours and its error in the impulse.
void paper_method(benchmark::State& state, const CompliantProblem& problem) {
  long steps = 0;
  Eigen::Vector3d impulse;
  const double start = seconds();
  for (auto _ : state) benchmark::DoNotOptimize(impulse = methods::algorithm_1(problem, 5e-5, steps));
  const double each = (seconds() - start) / static_cast<double>(state.iterations());
  const Eigen::Vector3d exact = compliant_outcome(problem).impulse;
  state.counters["ratio"] = 1e6 * each / median_microseconds(std::vector(101, problem));
  state.counters["steps"] = static_cast<double>(steps);
  state.counters["error"] = (impulse - exact).norm() / exact.norm();
}
BENCHMARK_CAPTURE(paper_method, ball, paper_ball)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(paper_method, pencil, cases::pencil())->Unit(benchmark::kMicrosecond);

}  // namespace
