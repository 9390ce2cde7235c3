// How fast is an impact in space: by case, over random inputs, in batches, and against the text's own methods. The
// counter `error` is the largest relative error of the impulse over the inputs (for the library: the text's methods
// are measured against it, and it against 30 digits in the tests).
#include <algorithm>
#include <benchmark/benchmark.h>
#include <vector>

#include "carom/impact/spatial_methods.hpp"

#include "impact/spatial_cases.hpp"

namespace {

using namespace carom;

std::vector<SpatialProblem> random_problems(int count, RestitutionLaw law = RestitutionLaw::energetic) {
  testing::SpatialCases cases(1);
  std::vector<SpatialProblem> out;
  for (int i = 0; i < count; ++i) {
    out.push_back(cases.next(i % 2 ? testing::Family::bodies : testing::Family::coupled));
    out.back().law = law;
  }
  return out;
}

/// Random inputs that go through one case.
std::vector<SpatialProblem> problems_of(SpatialCase which) {
  testing::SpatialCases cases(2);
  std::vector<SpatialProblem> out;
  for (int i = 0; i < 400'000 && out.size() < 500; ++i) {
    SpatialProblem p = cases.next(testing::Family::bodies);
    p.law = RestitutionLaw::energetic;
    if (which == SpatialCase::stick || which == SpatialCase::slip_from_rest) p.space.velocity.head<2>().setZero();
    if (which >= SpatialCase::straight_ends_in_compression) {
      const auto all = invariant_directions(p.space.inverse_inertia, p.material.friction);
      p.space.velocity.head<2>() = p.space.velocity.head<2>().norm() * all.directions[0].direction;
    }
    if (spatial_outcome(p).process == which) out.push_back(p);
  }
  return out;
}

void run(benchmark::State& state, const std::vector<SpatialProblem>& problems) {
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(spatial_outcome(problems[i]));
    i = i + 1 == problems.size() ? 0 : i + 1;
  }
  state.SetItemsProcessed(state.iterations());
}

void by_case(benchmark::State& state) {
  const auto which = static_cast<SpatialCase>(state.range(0));
  const auto problems = problems_of(which);
  state.SetLabel(name(which));
  if (problems.empty()) return state.SkipWithError("no inputs of this case");
  run(state, problems);
}
BENCHMARK(by_case)->DenseRange(static_cast<int>(SpatialCase::stick), static_cast<int>(SpatialCase::straight_slip));

void overall(benchmark::State& state) {
  const auto law = static_cast<RestitutionLaw>(state.range(0));
  state.SetLabel(name(law));
  run(state, random_problems(2000, law));
}
BENCHMARK(overall)->DenseRange(0, 2);

void full_result(benchmark::State& state) {
  const auto problems = random_problems(2000);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(spatial_impact(problems[i++ % problems.size()]));
}
BENCHMARK(full_result);

void derivatives(benchmark::State& state) {
  const auto problems = random_problems(2000);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(spatial_derivatives(problems[i++ % problems.size()]));
}
BENCHMARK(derivatives);

/// Impacts per second in batches, by number of threads.
void batch(benchmark::State& state) {
  const auto problems = random_problems(20'000, static_cast<RestitutionLaw>(state.range(1)));
  std::vector<SpatialOutcome> outcomes(problems.size());
  for (auto _ : state) spatial_outcomes(problems, outcomes, static_cast<int>(state.range(0)));
  const auto impacts = static_cast<double>(state.iterations()) * static_cast<double>(problems.size());
  state.counters["impacts/s"] = benchmark::Counter(impacts, benchmark::Counter::kIsRate);
  state.SetLabel(name(static_cast<RestitutionLaw>(state.range(1))));
}
BENCHMARK(batch)->ArgsProduct({{1, 2}, {0, 1, 2}})->ArgNames({"threads", "law"})->UseRealTime();

/// The same on one thread, per second of processor time: what a core does, also on a busy machine.
void batch_on_one_core(benchmark::State& state) { batch(state); }
BENCHMARK(batch_on_one_core)->ArgsProduct({{1}, {0, 1, 2}})->ArgNames({"threads", "law"});

/// The text's two examples (icosahedron on tetrahedron, pin and ball) by its methods and by the library.
std::vector<SpatialProblem> text_problems() {
  std::vector<SpatialProblem> out(2);
  out[0].space.inverse_inertia << 11.5984, -.910367, 2.44236, -.910367, 9.90134, 1.95747, 2.44236, 1.95747, 2.59042;
  out[0].space.velocity << -.26197634, .38632873, -.07717452;
  out[0].material = {.8, .95};
  out[1].space.inverse_inertia << 1.55465, .00238675, -.360808, .00238675, 5.15191, -.00313296, -.360808, -.00313296,
      1.105;
  out[1].space.velocity << -.2069135, .1102884, -1.5068927;
  out[1].material = {.7, .7};
  return out;
}

/// By the second argument: 0 for the steps that the text prints (.00095 and .001 N s, arcs of .01 m/s and .01 rad), or
/// how much finer than a thousandth of |v_n| / w_nn and a hundredth of the sliding speed.
void text_method(benchmark::State& state) {
  const auto method = static_cast<StepMethod>(state.range(0));
  const bool own = state.range(1) == 0;
  const double fine = own ? 1.0 : 1.0 / static_cast<double>(state.range(1));
  const auto problems = text_problems();
  std::vector<StepSettings> settings(problems.size());
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const ContactSpace& space = problems[i].space;
    StepSettings& set = settings[i];
    if (own) {
      set.step = method == StepMethod::ni ? .00095 : .001;  // [N s]
      continue;
    }
    set.step = 1e-3 * fine * std::abs(space.velocity[2]) / space.inverse_inertia(2, 2);
    set.arc = 1e-2 * fine * space.velocity.head<2>().norm();
    set.angle = 1e-2 * fine;
    set.sine = text_sine * fine;
  }
  double error = 0.0;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const Eigen::Vector3d exact = spatial_outcome(problems[i]).impulse;
    error = std::max(error, (stepped_impact(problems[i], method, settings[i]).impulse - exact).norm() / exact.norm());
  }
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(stepped_impact(problems[i % 2], method, settings[i % 2]));
    ++i;
  }
  state.counters["error"] = error;
  state.SetLabel(name(method));
}
BENCHMARK(text_method)->ArgsProduct({{0, 1, 2}, {0, 1, 10, 100, 1000}});

void text_examples_exact(benchmark::State& state) { run(state, text_problems()); }
BENCHMARK(text_examples_exact);

}  // namespace
