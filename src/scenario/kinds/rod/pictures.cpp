#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>
#include <utility>

#include "carom/elastic/rod_modes.hpp"

#include "pictures/colors.hpp"
#include "pictures/lines.hpp"
#include "pictures/smooth_curve.hpp"
#include "rod.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::MarkerShape;
using report::Plot;
using report::Point;

/// How long to look: the events asked for, or the first contact and a little more.
double shown_time(const RodRun& run) {
  const double round_trip = rod_round_trip(run.problem);
  if (!run.result.events.empty()) return 1.05 * std::max(run.result.events.back().t, round_trip);
  return 1.3 * std::max(run.result.t_b.value_or(2.0 * round_trip), round_trip);
}

/// What tells the i-th rod from the others; 0 is the first.
std::string legend_of(const RodRun& run, std::size_t i) {
  const RodProblem& rod = i == 0 ? run.problem : run.compared[i - 1];
  const bool mixed = std::any_of(run.compared.begin(), run.compared.end(), [&](const RodProblem& other) {
    return other.damping_kind != run.problem.damping_kind;
  });
  return fmt::format("$r = {:.6g}$", rod.damping) + (mixed ? ", " + std::string(name(rod.damping_kind)) : "");
}

Plot stress_plot(const RodRun& run, RodMotion& motion) {
  Plot plot;
  plot.name = "stress";
  plot.title = "Stress at the bottom";
  plot.caption = "The ground pushes while the stress is negative. Contact ends when it would turn positive.";
  plot.x.label = "time [s]";
  plot.y.label = "stress / density [m$^2$/s$^2$]";
  plot.axes_at_zero = true;
  double end = shown_time(run);
  std::vector<std::optional<double>> liftoffs = {run.result.t_b};
  for (const RodResult& other : run.compared_results) {
    liftoffs.push_back(other.t_b);
    end = std::max(end, 1.1 * liftoffs.back().value_or(0.0));
  }
  const auto add = [&](RodMotion& of, std::size_t i) {
    constexpr int samples = 1200;
    const Color color = colors[i % std::size(colors)];
    report::Curve curve{{}, {color, Dash::solid, 2.0}, run.compared.empty() ? "" : legend_of(run, i)};
    for (int k = 1; k <= samples; ++k) {
      const double t = end * k / samples;
      curve.points.push_back({t, of.at(t).stress});
    }
    plot.curves.push_back(std::move(curve));
    if (liftoffs[i])
      plot.markers.push_back(
          {{*liftoffs[i], 0.0}, MarkerShape::circle, color, "$t_b$", i == 0 ? "first lift-off" : ""});
  };
  add(motion, 0);
  for (std::size_t i = 0; i < run.compared.size(); ++i) {
    RodMotion other(run.compared[i]);
    add(other, i + 1);
  }
  return plot;
}

constexpr double gap = std::numeric_limits<double>::quiet_NaN();

/// Round trips of the picture of Psi_r, as in the text, and the drag up to which its growth e^{rt} leaves something to
/// see.
constexpr int stress_function_trips = 4;
constexpr double most_drag = 4.0;

bool has_stress_function(const RodProblem& rod) {
  return rod.damping_kind == DampingKind::viscous && rod.damping > 0.0 && rod.impact_speed > 0.0 &&
         rod.damping * rod_round_trip(rod) <= most_drag;
}

/// Wang 2017, figure 5.1.
Plot stress_function_plot(const RodRun& run) {
  Plot plot =
      empty_plot("stress_function", "Strain at the bottom without its decay",
                 "What the strain would be if the ground went on holding, times $e^{rt}$. It jumps when the wave "
                 "is back; the rod lifts off where it first turns positive (dots).",
                 "time [s]", "$\\Psi_r = e^{rt} v_x(0, t)$");
  plot.axes_at_zero = true;
  for (std::size_t i = 0; i <= run.compared.size(); ++i) {
    const RodProblem& rod = i == 0 ? run.problem : run.compared[i - 1];
    if (!has_stress_function(rod)) continue;
    const Color color = colors[i % std::size(colors)];
    report::Curve curve{{}, {color, Dash::solid, 2.0}, legend_of(run, i)};
    constexpr int samples = 150;              // a round trip
    constexpr double before_the_wave = 1e-9;  // of a round trip: just before the jump, beyond rounding
    const double round_trip = rod_round_trip(rod);
    for (int trip = 0; trip < stress_function_trips; ++trip) {
      std::vector<double> times;
      for (int k = 0; k <= samples; ++k) times.push_back(round_trip * (trip + static_cast<double>(k) / samples));
      times.back() -= before_the_wave * round_trip;
      const std::vector<double> values = rod_stress_function(rod, times);
      for (std::size_t k = 0; k < times.size(); ++k) curve.points.push_back({times[k], values[k]});
      curve.points.push_back({gap, gap});
    }
    plot.curves.push_back(std::move(curve));
    const std::optional<double> t_b = (i == 0 ? run.result : run.compared_results[i - 1]).t_b;
    if (t_b && *t_b < stress_function_trips * round_trip)
      plot.markers.push_back(
          {{*t_b, 0.0}, MarkerShape::circle, color, fmt::format("{:.4g}", *t_b), i == 0 ? "first lift-off" : ""});
  }
  return plot;
}

/// Where the energy is, and how it falls; that of compared rods in all.
Plot energy_plot(const RodRun& run, RodMotion& motion) {
  Plot plot = empty_plot("energy", "Energy over time",
                         "In all, and of that in the motion and height of the centre of mass and in vibration. Heights "
                         "count from first touch, so less than nothing is possible.",
                         "time [s]", "energy / density [m$^3$/s$^2$]");
  plot.axes_at_zero = true;
  constexpr int samples = 300;
  const double end = shown_time(run);
  report::Curve total = line({}, Color::ink, "in all"), vibration = line({}, Color::orange, "vibration", Dash::dashed),
                translation = line({}, Color::blue, "translation", Dash::dotted);
  for (int k = 0; k <= samples; ++k) {
    const RodSample s = motion.at(end * k / samples);
    total.points.push_back({s.t, s.energy_total});
    vibration.points.push_back({s.t, s.energy_vibration});
    translation.points.push_back({s.t, s.energy_total - s.energy_vibration});
  }
  if (!run.compared.empty()) total.legend = "in all, " + legend_of(run, 0);
  plot.curves = {total, vibration, translation};
  for (std::size_t i = 0; i < run.compared.size(); ++i) {
    RodMotion other(run.compared[i]);
    plot.curves.push_back(line(sampled(0.0, end, samples, [&](double t) { return other.energy_total(t); }),
                               colors[(i + 2) % std::size(colors)], "in all, " + legend_of(run, i + 1)));
  }
  return plot;
}

/// The first contact and a little more.
double first_contact_time(const RodRun& run) {
  const double round_trip = rod_round_trip(run.problem);
  return 1.3 * std::max(run.result.t_b.value_or(round_trip), round_trip);
}

/// Wang 2017, figure C.2.
Plot strain_plot(const RodRun& run, RodMotion& motion) {
  Plot plot =
      empty_plot("strain", "Strain at the bottom",
                 "With structural damping the strain turns positive after the stress: where it is read instead, "
                 "lift-off comes late.",
                 "time [s]", "$v_x(0, t)$");
  plot.axes_at_zero = true;
  constexpr int samples = 600;
  const double end = first_contact_time(run), held = 1.1 * rod_round_trip(run.problem);
  const char* name = run.terms.empty() ? "" : "the rod";
  plot.curves = {line(sampled(0.0, end, samples, [&](double t) { return motion.at(t).strain; }), Color::ink, name)};
  for (std::size_t i = 0; i < run.terms.size(); ++i) {
    const RodModes modes(run.problem, run.terms[i]);
    plot.curves.push_back(line(sampled(0.0, held, samples, [&](double t) { return modes.strain(0.0, t); }),
                               colors[i % std::size(colors)], fmt::format("held, {} terms", run.terms[i]),
                               Dash::dashed));
  }
  const double round_trip = rod_round_trip(run.problem);
  plot.markers.push_back(
      {{round_trip, motion.at(round_trip).strain}, MarkerShape::circle, Color::orange, "", "a round trip, $2L/c$"});
  if (run.result.t_b)
    plot.markers.push_back(
        {{*run.result.t_b, motion.at(*run.result.t_b).strain}, MarkerShape::triangle, Color::red, "$t_b$", "lift-off"});
  return plot;
}

/// Wang 2017, figure C.3.
Plot rate_plot(const RodRun& run, RodMotion& motion) {
  Plot plot =
      empty_plot("dissipation_rate", "What damping takes per time",
                 run.problem.damping_kind == DampingKind::structural
                     ? "The bottom stops at once: without bound at first touch, where a sum of terms begins at a "
                       "height that grows with their number. The wave coming back takes the second hump."
                     : "Drag takes most while all of the rod moves.",
                 "time [s]", "power / density [m$^3$/s$^3$]");
  plot.y.logarithmic = true;
  constexpr int samples = 500;
  const double end = first_contact_time(run);
  const char* name = run.terms.empty() ? "" : "the rod";
  plot.curves = {
      line(sampled(end / samples, end, samples, [&](double t) { return motion.at(t).dissipation; }), Color::ink, name)};
  for (std::size_t i = 0; i < run.terms.size(); ++i) {
    const RodModes modes(run.problem, run.terms[i]);
    plot.curves.push_back(
        line(sampled(0.0, rod_round_trip(run.problem), samples, [&](double t) { return modes.dissipation_rate(t); }),
             colors[i % std::size(colors)], fmt::format("held, {} terms", run.terms[i]), Dash::dashed));
  }
  return plot;
}

/// Where along the rod damping takes the energy.
Plot dissipation_plot(const RodRun& run, RodMotion& motion) {
  Plot plot;
  plot.name = "dissipation";
  plot.title = "What damping takes along the rod";
  const bool structural = run.problem.damping_kind == DampingKind::structural;
  plot.caption = structural ? "Energy per length, from first touch on. The bottom stops at once, so most is lost just "
                              "above it (the curve rises without bound there, but slowly)."
                            : "Energy per length, from first touch on.";
  plot.x.logarithmic = plot.y.logarithmic = structural;
  plot.x.label = "height along the rod [m]";
  plot.y.label = "energy / length and density [m$^2$/s$^2$]";
  const double round_trip = rod_round_trip(run.problem);
  const std::pair<double, const char*> moments[] = {
      {0.5 * round_trip, "wave at the top, $t = L/c$"},
      {run.result.t_b.value_or(round_trip), run.result.t_b ? "lift-off" : "round trip, $t = 2L/c$"}};
  const auto along = [&](const auto& taken) {
    std::vector<report::Point> points;
    if (structural) {
      // Nearer to the bottom a point takes far longer.
      std::vector<double> logarithms;
      constexpr int samples = 16;
      constexpr double first = 2e-4, last = 0.99;  // shares of the length
      for (int k = 0; k < samples; ++k)
        logarithms.push_back(std::log(run.problem.length * first) + std::log(last / first) * k / (samples - 1));
      points = smooth_curve(logarithms, [&](double x) { return std::log(taken(std::exp(x))); });
      for (Point& p : points) p = {std::exp(p.x), std::exp(p.y)};
    } else {
      constexpr int samples = 60;
      std::vector<double> heights;
      for (int k = 0; k < samples; ++k) heights.push_back(run.problem.length * (k + 0.5) / samples);
      points = smooth_curve(heights, taken);
    }
    return points;
  };
  for (std::size_t i = 0; i < std::size(moments); ++i)
    plot.curves.push_back({along([&](double x) { return motion.dissipation(x, moments[i].first); }),
                           {colors[i], Dash::solid, 2.0},
                           moments[i].second});
  // Wang 2017, figures C.4 and C.5.
  const double until = compared_until(run);
  for (std::size_t i = 0; i < run.terms.size(); ++i) {
    const RodModes modes(run.problem, run.terms[i]);
    plot.curves.push_back(line(along([&](double x) { return modes.dissipation(x, until); }),
                               colors[(i + 2) % std::size(colors)],
                               fmt::format("{} terms, $t = {:.4g}$ s", run.terms[i], until), Dash::dashed));
  }
  return plot;
}

Plot motion_plot(const RodRun& run, RodMotion& motion) {
  Plot plot;
  plot.name = "motion";
  plot.title = "Bottom, centre and top of the rod";
  plot.caption = "Displacement from the place at first touch. The bottom rests on the ground while in contact.";
  plot.x.label = "time [s]";
  plot.y.label = "displacement [m]";
  plot.axes_at_zero = true;
  constexpr int samples = 800;
  const double end = shown_time(run);
  report::Curve bottom{{}, {Color::ink, Dash::solid, 2.2}, "bottom"},
      centre{{}, {Color::blue, Dash::solid, 1.8}, "centre of mass"}, top{{}, {Color::orange, Dash::dashed, 1.6}, "top"};
  for (int i = 0; i <= samples; ++i) {
    const double t = end * i / samples;
    const RodSample s = motion.at(t);
    bottom.points.push_back({t, s.bottom});
    centre.points.push_back({t, s.height});
    top.points.push_back({t, motion.displacement(run.problem.length, t)});
  }
  plot.curves = {top, centre, bottom};
  bool lifts_named = false, touches_named = false;
  for (const RodEvent& e : run.result.events) {
    if (e.type == RodEventType::rests) continue;
    const bool lifts = e.type == RodEventType::lifts;
    const bool named = std::exchange(lifts ? lifts_named : touches_named, true);
    plot.markers.push_back({{e.t, 0.0},
                            lifts ? MarkerShape::triangle : MarkerShape::ring,
                            Color::red,
                            "",
                            named   ? ""
                            : lifts ? "the bottom lifts off"
                                    : "the bottom touches again"});
  }
  return plot;
}

/// One colour per place and time: the velocity, or the displacement (Wang 2017, figure C.1).
Plot field_plot(const RodRun& run, RodMotion& motion, bool velocity) {
  Plot plot =
      velocity
          ? empty_plot("field", "Velocity along the rod",
                       "A wave of stopped material runs up from the ground, turns at the free top and comes back.",
                       "time [s]", "height along the rod [m]")
          : empty_plot("displacement", "Displacement along the rod",
                       "The bottom stays where it is until lift-off; the top goes on down until the wave is there.",
                       "time [s]", "height along the rod [m]");
  // The fronts of structural damping are smooth, and displacements have no jumps: others do, so there a cell has two by
  // three pixels.
  const bool jumps = velocity && (run.problem.damping_kind == DampingKind::viscous || run.problem.damping == 0.0);
  const int columns = jumps ? 260 : velocity ? 160 : 100, rows = jumps ? 120 : velocity ? 60 : 40;
  report::HeatMap map;
  map.label = velocity ? "velocity [m/s]" : "displacement [m]";
  const double end = shown_time(run);
  for (int i = 0; i <= columns; ++i) map.x_edges.push_back(end * i / columns);
  for (int j = 0; j <= rows; ++j) map.y_edges.push_back(run.problem.length * j / rows);
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const double x = run.problem.length * (j + 0.5) / rows, t = end * (i + 0.5) / columns;
      map.values.push_back(velocity ? motion.velocity(x, t) : motion.displacement(x, t));
    }
  plot.heat_map = std::move(map);
  return plot;
}

}  // namespace

double compared_until(const RodRun& run) {
  const double round_trip = rod_round_trip(run.problem);
  return std::min(round_trip, run.result.t_b.value_or(round_trip));
}

report::Table terms_table(const RodRun& run) {
  const double until = compared_until(run), length = run.problem.length, before = rod_energy_before(run.problem);
  report::Table table{"terms", fmt::format("What so many terms of the series give at $t = {:.6g}$ s", until), {}};
  table.columns = {{"terms", "terms", ""},
                   {"strain", "strain at the bottom", ""},
                   {"energy_share", "energy left, $(E_0 + \\Delta E)/E_0$", ""},
                   {"first_rate", "power of damping at first touch", "m$^3$/s$^3$"},
                   {"lowest_fifth", "of the loss, in the lowest fifth", ""}};
  for (const int terms : run.terms) {
    const RodModes modes(run.problem, terms);
    const double all = modes.dissipated(0.0, length, until);
    table.add_row({fmt::format("{}", terms), modes.strain(0.0, until), 1.0 - all / before, modes.dissipation_rate(0.0),
                   all > 0.0 ? modes.dissipated(0.0, 0.2 * length, until) / all : gap});
  }
  // All of them: above the lowest fifth the loss along the rod is smooth.
  RodMotion motion(run.problem);
  const double left = rod_held_energy(run.problem, until), lost = before - left;
  using Rule = boost::math::quadrature::gauss<double, 15>;
  const auto loss = [&](double x) { return motion.dissipation(x, until); };
  const double above =
      lost > 0.0 ? Rule::integrate(loss, 0.2 * length, 0.6 * length) + Rule::integrate(loss, 0.6 * length, length)
                 : gap;
  const double first = motion.at(0.0).dissipation;
  table.add_row({std::string("all"), motion.at(until).strain, left / before, std::isfinite(first) ? first : gap,
                 1.0 - above / lost});
  return table;
}

std::vector<Plot> rod_pictures(const RodRun& run) {
  RodMotion motion(run.problem);
  const bool damped = run.problem.damping > 0.0 && run.problem.impact_speed > 0.0;
  std::vector<Plot> plots = {stress_plot(run, motion)};
  if (has_stress_function(run.problem)) plots.push_back(stress_function_plot(run));
  if (!run.terms.empty() || (damped && run.problem.damping_kind == DampingKind::structural))
    plots.push_back(strain_plot(run, motion));
  plots.push_back(motion_plot(run, motion));
  plots.push_back(field_plot(run, motion, true));
  plots.push_back(field_plot(run, motion, false));
  plots.push_back(energy_plot(run, motion));
  if (damped) {
    plots.push_back(rate_plot(run, motion));
    plots.push_back(dissipation_plot(run, motion));
  }
  return plots;
}

}  // namespace carom::scenario
