#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "impact_spatial.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::MarkerShape;
using report::Plot;

/// How long a call takes [s]: the least mean of a few calls, so that what else the machine does is left out, of as many
/// as fill the shortest time that clocks tell well.
template <class Call>
double seconds_of(const Call& call) {
  constexpr double enough = 2e-3;
  constexpr int few = 8;
  using Clock = std::chrono::steady_clock;
  const auto first = Clock::now();
  double least = std::numeric_limits<double>::infinity();
  for (auto now = first; std::chrono::duration<double>(now - first).count() < enough;) {
    const auto start = now;
    for (int i = 0; i < few; ++i) call();
    now = Clock::now();
    least = std::min(least, std::chrono::duration<double>(now - start).count() / few);
  }
  return least;
}

/// The same settings with steps this many times as long.
StepSettings stretched(StepSettings settings, double factor) {
  settings.step *= factor;
  settings.arc *= factor;
  settings.angle *= factor;
  return settings;
}

}  // namespace

MethodRuns run_methods(const SpatialProblem& problem, StepMethod chosen, const StepSettings& settings) {
  constexpr int halvings = 8, doublings = 1, most_steps = 300'000;
  MethodRuns runs;
  const Eigen::Vector3d exact = spatial_outcome(problem).impulse;
  runs.exact_seconds = seconds_of([&] { spatial_outcome(problem); });
  for (const auto& [method, called] : names_of<StepMethod>) {
    MethodRun run{method, stepped_impact(problem, method, settings), 0.0, 0.0, {}};
    run.error = (run.impact.impulse - exact).norm();
    run.seconds = seconds_of([&, m = method] { stepped_impact(problem, m, settings); });
    for (int k = doublings; k >= -halvings; --k) {
      const SteppedImpact tried = stepped_impact(problem, method, stretched(settings, std::ldexp(1.0, k)));
      if (tried.verdict != Verdict::separated) break;
      if (tried.steps > 0) run.tries.push_back({tried.steps, (tried.impulse - exact).norm()});
      if (tried.steps > most_steps) break;
    }
    if (method == chosen) runs.chosen = runs.all.size();
    runs.all.push_back(std::move(run));
  }
  constexpr std::size_t most_drawn = 2000;
  runs.steps = stepped_path(problem, chosen, settings, most_drawn);
  return runs;
}

report::Table methods_table(const SpatialRun& run) {
  report::Table table{"methods", "The text's methods beside the exact one", {}};
  table.columns = {{"method", "method", ""},
                   {"steps", "steps", ""},
                   {"impulse", "impulse", "N s"},
                   {"error", "error", "N s"},
                   {"time", "time", "s"}};
  table.add_row(
      {std::string("exact"), std::nan(""), numbers(run.impacts.front().impulse), 0.0, run.methods->exact_seconds});
  for (const MethodRun& each : run.methods->all)
    table.add_row({std::string(name(each.method)), static_cast<double>(each.impact.steps), numbers(each.impact.impulse),
                   each.error, each.seconds});
  return table;
}

Plot method_steps(const SpatialRun& run) {
  Plot plot;
  plot.name = "method_steps";
  plot.title = "Steps of the method on the hodograph";
  const char* called = name(run.methods->all[run.methods->chosen].method);
  plot.caption =
      std::string("Dots: the sliding velocity after each step of ") + called +
      (run.methods->all[run.methods->chosen].method == StepMethod::ni ? ", to the end."
                                                                      : ", up to where a closed form takes over.") +
      " Line: the exact path.";
  plot.x.label = "$v_{t1}$ [m/s]";
  plot.y.label = "$v_{t2}$ [m/s]";
  plot.equal_scale = plot.axes_at_zero = true;
  report::Curve exact{{}, {Color::ink, report::Dash::solid, 1.2}, "exact path"};
  for (const auto& sample : spatial_path(run.problem, hodograph_samples))
    exact.points.push_back({sample.velocity[0], sample.velocity[1]});
  plot.curves.push_back(std::move(exact));
  for (const SpatialSample& step : run.methods->steps)
    plot.markers.push_back({{step.velocity[0], step.velocity[1]},
                            MarkerShape::dot,
                            Color::blue,
                            "",
                            plot.markers.empty() ? std::string("steps of ") + called : ""});
  return plot;
}

Plot method_errors(const SpatialRun& run) {
  Plot plot;
  plot.name = "method_errors";
  plot.title = "Error of the text's methods";
  plot.caption =
      "From steps twice as long to steps 256 times shorter; dots: as given. Plain integration gains digits in "
      "proportion to its steps. Ended in closed form where slip is almost straight, the others keep an error that no "
      "step undoes.";
  plot.x.label = "steps";
  plot.y.label = "error of the impulse [N s]";
  plot.x.logarithmic = plot.y.logarithmic = true;
  constexpr Color colors[] = {Color::blue, Color::orange, Color::green};
  for (std::size_t i = 0; i < run.methods->all.size(); ++i) {
    const MethodRun& method = run.methods->all[i];
    report::Curve curve{{}, {colors[i], report::Dash::solid, 1.8}, name(method.method)};
    for (const MethodRun::Try& each : method.tries)
      if (each.error > 0.0) curve.points.push_back({static_cast<double>(each.steps), each.error});
    plot.curves.push_back(std::move(curve));
    if (method.impact.steps > 0 && method.error > 0.0)
      plot.markers.push_back({{static_cast<double>(method.impact.steps), method.error},
                              MarkerShape::circle,
                              colors[i],
                              std::string(name(method.method)),
                              ""});
  }
  return plot;
}

}  // namespace carom::scenario
