// The first contact of a rod that does not come as one piece, or on which something pulls.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "pictures/colors.hpp"
#include "pictures/lines.hpp"
#include "rod.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::Plot;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// So many round trips are looked at for a lift-off.
constexpr double searched_trips = 8.0;

RodProfile profile_of(const std::vector<std::vector<double>>& points) {
  RodProfile profile;
  for (const std::vector<double>& point : points) profile.points.push_back({point[0], point[1]});
  return profile;
}

Plot held_stress_plot(const RodRun& run) {
  Plot plot =
      empty_plot("stress", "Stress at the bottom",
                 "The ground pushes while the stress is negative. What the rod comes with, and where it bends or "
                 "jumps, arrives at the bottom one after the other.",
                 "time [s]", "stress / density [m$^2$/s$^2$]");
  plot.axes_at_zero = true;
  const double c = run.problem.wave_speed, end = 1.2 * run.result.t_b.value_or(2.0 * rod_round_trip(run.problem));
  constexpr int samples = 360;
  // After lift-off there is none.
  plot.curves = {line(
      sampled(end / samples, end, samples,
              [&](double t) { return t <= run.result.t_b.value_or(end) ? c * c * run.held->rod.strain(0.0, t) : 0.0; }),
      Color::blue)};
  if (run.result.t_b)
    plot.markers.push_back({{*run.result.t_b, 0.0}, report::MarkerShape::circle, Color::blue, "$t_b$", "lift-off"});
  return plot;
}

/// Along the rod at some moments of the contact.
Plot along_plot(const RodRun& run, bool velocity) {
  Plot plot = velocity ? empty_plot("velocity", "Velocity along the rod", "From first touch to lift-off.",
                                    "height along the rod [m]", "velocity [m/s]")
                       : empty_plot("displacement", "Displacement along the rod", "From first touch to lift-off.",
                                    "height along the rod [m]", "displacement [m]");
  plot.axes_at_zero = true;
  const double end = run.result.t_b.value_or(2.0 * rod_round_trip(run.problem)), L = run.problem.length;
  constexpr int moments = 5, samples = 120;
  for (int i = 0; i < moments; ++i) {
    const double t = end * i / (moments - 1);
    plot.curves.push_back(line(
        sampled(0.0, L, samples,
                [&](double x) { return velocity ? run.held->rod.velocity(x, t) : run.held->rod.displacement(x, t); }),
        colors[static_cast<std::size_t>(i) % std::size(colors)], fmt::format("$t = {:.3g}$ s", t)));
  }
  return plot;
}

}  // namespace

RodRun run_held(const RodScenario& scenario, const RodProblem& problem) {
  RodProfile velocity = profile_of(scenario.initial_velocity), load = profile_of(scenario.load);
  if (scenario.initial_velocity.empty()) velocity.points = {{0.0, -problem.impact_speed}};
  const double until = searched_trips * rod_round_trip(problem);
  RodRun run;
  run.problem = problem;
  run.held.emplace(HeldRun{velocity, load, HeldRod(problem, held_rod_data(velocity, load)), until, {}, {}});
  HeldRun& held = *run.held;
  held.before = held.rod.whole(0.0);
  // What the limits of a linear rod go by: the fastest cross-section.
  for (const RodProfile::Point& point : velocity.points)
    run.problem.impact_speed = std::max(run.problem.impact_speed, std::abs(point.value));
  RodResult& result = run.result;
  result.t_b = held.rod.lift_off(until);
  if (!result.t_b) return run;
  held.after = held.rod.whole(*result.t_b);
  const double L = problem.length, mean = held.after.momentum / L;
  result.status = RodStatus::bounce;
  result.momentum = held.after.momentum;
  result.height = held.after.height;
  result.energy_translation = 0.5 * L * mean * mean;
  result.energy_vibration = std::max(0.0, held.after.energy - result.energy_translation);
  result.energy_total = result.energy_translation + result.energy_vibration;
  if (held.before.momentum < 0.0) {
    result.e_momentum = held.after.momentum / -held.before.momentum;
    if (mean <= 0.0) result.flags.set(RodFlag::downward_at_liftoff);
  }
  return run;
}

Facts held_facts(const RodRun& run) {
  const RodResult& r = run.result;
  const HeldRod::Whole& before = run.held->before;
  const auto at_liftoff = [&](double value) { return r.t_b ? value : none; };
  return {{"status", "status", std::string(name(r.status)), ""},
          {"t_b", "contact ends", r.t_b.value_or(none), "s"},
          {"round_trip", "round trip of a wave, $2L/c$", rod_round_trip(run.problem), "s"},
          {"e_momentum", "restitution of momentum, $e_P$", r.e_momentum.value_or(none), ""},
          {"momentum_before", "momentum at first touch", before.momentum, "m$^2$/s"},
          {"momentum", "momentum at lift-off", at_liftoff(r.momentum), "m$^2$/s"},
          {"height", "height of the centre at lift-off", at_liftoff(r.height), "m"},
          {"energy_before", "energy of motion at first touch", before.energy, "m$^3$/s$^2$"},
          {"energy_total", "energy of motion and strain at lift-off", at_liftoff(r.energy_total), "m$^3$/s$^2$"},
          {"energy_translation", "of that, motion of the centre", at_liftoff(r.energy_translation), "m$^3$/s$^2$"},
          {"energy_vibration", "of that, vibration", at_liftoff(r.energy_vibration), "m$^3$/s$^2$"},
          {"flags", "flags", flags_of(run), ""}};
}

report::Document describe_held(const RodRun& run) {
  report::Document document;
  const RodResult& r = run.result;
  document.summary = !r.t_b ? fmt::format("The ground never has to pull in the first {} round trips.", searched_trips)
                     : *r.t_b > 0.0 ? "The ground holds the rod until it would have to pull."
                                    : "The bottom moves away at once: there is no contact.";
  if (r.flags.has(RodFlag::downward_at_liftoff))
    document.notes.push_back("downward_at_liftoff: the centre of mass is still falling when the bottom lets go.");
  note_limits(document, run.problem);
  document.plots.push_back(held_stress_plot(run));
  document.plots.push_back(along_plot(run, true));
  document.plots.push_back(along_plot(run, false));
  return document;
}

}  // namespace carom::scenario
