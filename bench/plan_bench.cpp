// Batting plans, and the method of the text beside them.
#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>

#include "carom/plan/batting.hpp"
#include "carom/plan/batting_certainty.hpp"
#include "carom/plan/batting_triangle.hpp"

#include "plan/batting_cases.hpp"

namespace {

using namespace carom;
using namespace carom::testing;

/// Targets of the text's window within reach.
std::vector<BattingProblem> window(std::size_t count) {
  BattingCases cases(1);
  std::vector<BattingProblem> out;
  while (out.size() < count) {
    BattingProblem p = figure_problem(cases.window());
    if (!feasible_times(p).empty()) out.push_back(p);
  }
  return out;
}

/// The median over targets, each timed alone.
template <class Call>
void median(benchmark::State& state, const std::vector<BattingProblem>& problems, const Call& call) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  std::size_t i = 0;
  for (auto _ : state) {
    const auto start = Clock::now();
    benchmark::DoNotOptimize(call(problems[i++ % problems.size()]));
    seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2), seconds.end());
  state.counters["median_us"] = 1e6 * seconds[seconds.size() / 2];
}

/// Without forward verification.
void closed_form(benchmark::State& state) {
  median(state, window(500), [](const BattingProblem& p) { return closed_form_plans(p); });
}
BENCHMARK(closed_form);

void plan(benchmark::State& state) {
  const auto objective = static_cast<BattingObjective>(state.range(0));
  state.SetLabel(name(objective));
  median(state, window(500), [&](const BattingProblem& p) { return plan_batting(p, objective); });
}
BENCHMARK(plan)->DenseRange(0, 4);

void compliant_plan(benchmark::State& state) {
  auto problems = window(100);
  for (BattingProblem& p : problems) p.springs = TangentialSprings{1.0};
  median(state, problems, [](const BattingProblem& p) { return plan_batting(p); });
}
BENCHMARK(compliant_plan);

/// The text's method with carom's forward impact: to .15 m, where it ends at all (the text: 2 to 4 s a plan).
void text_method(benchmark::State& state) {
  TriangleSettings settings;
  settings.update = static_cast<TriangleUpdate>(state.range(0));
  state.SetLabel(name(settings.update));
  const auto problems = window(200);
  double found = 0.0, impacts = 0.0;
  for (const BattingProblem& p : problems) {
    const TriangleRun run = bounding_triangle(p, settings);
    found += run.found;
    impacts += run.impacts;
  }
  state.counters["found"] = found / static_cast<double>(problems.size());
  state.counters["impacts"] = impacts / static_cast<double>(problems.size());
  median(state, problems, [&](const BattingProblem& p) { return bounding_triangle(p, settings); });
}
BENCHMARK(text_method)->DenseRange(0, 1);

void certainty(benchmark::State& state) {
  const BattingProblem p = figure_problem();
  const BattingPlan plan = plan_batting(p, BattingObjective::min_bat_speed);
  for (auto _ : state) benchmark::DoNotOptimize(batting_certainty(p, plan.shot, {}));
}
BENCHMARK(certainty);

}  // namespace
