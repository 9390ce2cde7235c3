// A block on a moving plate, held by a spring: Gonthier et al. 2004, Figures 4 to 7.
#include "carom/contact/stick_slip.hpp"

#include <cmath>
#include <limits>

#include "kind.hpp"
#include "parts/contact.hpp"
#include "pictures/lines.hpp"

namespace carom::scenario {

namespace {

using report::Color, report::Dash, report::Document, report::Plot, report::Point;
using Type = StickSlipEventType;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr int drawn_samples = 4000;

struct PlateScenario {
  double plate_speed = 0.1, direction = 0.0, mass = 1.0, spring = 1.0, gravity = 9.81, end_time = 1.0;
  GivenFriction friction;
  StickSlipStart start = StickSlipStart::with_plate;
};

struct PlateRun {
  StickSlipProblem problem;
  StickSlipResult result, lugre;  ///< lugre: with the same numbers, for comparison; without samples when not drawn
};

Fields<PlateScenario> fields() {
  using P = PlateScenario;
  Fields<P> all;
  all.required("plate_speed", &P::plate_speed, number(Range::positive()), "[m/s]")
      .optional("direction", &P::direction, angle(), "of the plate's motion [rad] (default 0)")
      .required("mass", &P::mass, number(Range::positive()), "of the block [kg]")
      .required("spring", &P::spring, number(Range::at_least(0.0)), "stiffness of its spring [N/m]")
      .optional("gravity", &P::gravity, number(Range::at_least(0.0)), "[m/s^2] (default 9.81)")
      .required("friction", &P::friction, bristle_friction(), "between block and plate")
      .optional("start", &P::start, choice<StickSlipStart>(), "how the block begins (default with_plate)")
      .required("end_time", &P::end_time, number(Range::positive()), "[s]");
  return all;
}

PlateRun run(const PlateScenario& s, const RunRequest& request) {
  PlateRun run;
  StickSlipProblem& p = run.problem;
  p.plate_velocity = s.plate_speed * Eigen::Vector2d(std::cos(s.direction), std::sin(s.direction));
  p.mass = s.mass;
  p.spring = s.spring;
  p.gravity = s.gravity;
  p.friction = s.friction;
  p.start = s.start;
  p.end_time = s.end_time;
  if (request.pictures)
    for (int i = 0; i <= drawn_samples; ++i) p.sample_times.push_back(s.end_time * i / drawn_samples);
  run.result = stick_slip(p);
  if (!request.pictures || p.friction.model == FrictionModel::lugre) return run;
  StickSlipProblem other = p;
  other.friction.model = FrictionModel::lugre;
  run.lugre = stick_slip(other);
  return run;
}

/// The n-th event of a type, or none.
const StickSlipEvent* event(const PlateRun& run, Type type, std::size_t n) {
  for (const StickSlipEvent& e : run.result.events)
    if (e.type == type && n-- == 0) return &e;
  return nullptr;
}

double along(const PlateRun& run, const Eigen::Vector2d& vector) {
  return vector.dot(run.problem.plate_velocity.normalized());
}

Facts facts(const PlateScenario&, const PlateRun& run) {
  const auto number_of = [&](Type type) {
    std::size_t n = 0;
    while (event(run, type, n) != nullptr) ++n;
    return n;
  };
  const std::size_t cycles = number_of(Type::turns_back), peaks = number_of(Type::dwell_maximum),
                    returns = number_of(Type::turns_forward);
  const auto x = [&](Type type, std::size_t n) {
    const StickSlipEvent* e = event(run, type, n);
    return e != nullptr ? along(run, e->x) : missing;
  };
  const auto t = [&](Type type, std::size_t n) {
    const StickSlipEvent* e = event(run, type, n);
    return e != nullptr ? e->t : missing;
  };
  const StickSlipEvent* last_peak = peaks > 0 ? event(run, Type::dwell_maximum, peaks - 1) : nullptr;
  return {{"first_limit", "friction reaches its limit", t(Type::reaches_limit, 0), "s"},
          {"x_max", "first turn back", x(Type::turns_back, 0), "m"},
          {"t_max", "at", t(Type::turns_back, 0), "s"},
          {"x_min", "first turn forward", x(Type::turns_forward, 0), "m"},
          {"cycles", "cycles", static_cast<double>(cycles), ""},
          {"period", "last period",
           cycles > 1 ? t(Type::turns_back, cycles - 1) - t(Type::turns_back, cycles - 2) : missing, "s"},
          {"cycle_max", "last turn back", cycles > 0 ? x(Type::turns_back, cycles - 1) : missing, "m"},
          {"cycle_min", "last turn forward", returns > 0 ? x(Type::turns_forward, returns - 1) : missing, "m"},
          {"peak", "friction at the last break-away", last_peak != nullptr ? along(run, last_peak->friction) : missing,
           "N"},
          {"limited", "stopped by the bound on work", run.result.limited, ""}};
}

Facts details(const PlateScenario&, const PlateRun&) { return {}; }

Plot over_time(const PlateRun& run, const char* name, const char* title, const char* caption, const char* y,
               double (*value)(const PlateRun&, const StickSlipSample&)) {
  Plot plot = empty_plot(name, title, caption, "time [s]", y);
  const auto points = [&](const StickSlipResult& result) {
    std::vector<Point> all;
    for (const StickSlipSample& s : result.samples) all.push_back({s.t, value(run, s)});
    return all;
  };
  const bool compared = !run.lugre.samples.empty();
  if (compared) plot.curves.push_back(line(points(run.lugre), Color::muted, "LuGre", Dash::dashed));
  plot.curves.push_back(line(points(run.result), Color::blue, compared ? "dwell time" : ""));
  return plot;
}

Plot phase_portrait(const PlateRun& run) {
  Plot plot = empty_plot("phase", "Phase portrait",
                         "Straight on top: the block goes with the plate. The loop below: it slips back.",
                         "position [m]", "velocity over ground [m/s]");
  std::vector<Point> points;
  for (const StickSlipSample& s : run.result.samples) points.push_back({along(run, s.x), along(run, s.v)});
  plot.curves.push_back(line(std::move(points), Color::blue));
  return plot;
}

Plot stribeck(const PlateRun& run) {
  const BristleFriction& f = run.problem.friction;
  const double load = run.problem.mass * run.problem.gravity;
  Plot plot = empty_plot("steady_friction", "Friction in steady slip",
                         "It rises while bristles only creep, is capped at break-away and falls to sliding friction.",
                         "speed / $v_S$", "friction [N]");
  plot.curves.push_back(
      line(sampled(0.0, 4.0, 400, [&](double r) { return steady_friction(f, r * f.v_s, load); }), Color::blue));
  return plot;
}

Plot breakaway(const PlateRun& run) {
  const BristleFriction& f = run.problem.friction;
  const double load = run.problem.mass * run.problem.gravity;
  Plot plot = empty_plot("breakaway", "What holds after a rest",
                         "The longer the contact has stuck, the more it takes to break it away.", "time of rest [s]",
                         "break-away force [N]");
  plot.curves.push_back(
      line(sampled(0.0, 5.0 * f.tau_dw, 200, [&](double t) { return breakaway_force(f, t, load); }), Color::blue));
  return plot;
}

/// The apparatus: a spring holds the block on the plate that moves.
Plot apparatus() {
  Plot plot =
      empty_plot("apparatus", "The apparatus", "A spring holds the block; the plate under it moves evenly.", "", "");
  plot.bare = plot.equal_scale = true;
  std::vector<Point> spring = {{0.0, 0.5}, {0.4, 0.5}};
  constexpr int turns = 12;
  for (int i = 0; i < turns; ++i) spring.push_back({0.5 + 0.15 * i, i % 2 == 0 ? 0.65 : 0.35});
  spring.push_back({0.4 + 0.15 * turns + 0.05, 0.5});
  spring.push_back({2.7, 0.5});
  plot.curves = {{{{0.0, 0.0}, {0.0, 1.2}}, {Color::ink, Dash::solid, 3.0}, ""},
                 {std::move(spring), {Color::muted, Dash::solid, 1.6}, ""},
                 {{{2.7, 0.05}, {3.9, 0.05}, {3.9, 0.95}, {2.7, 0.95}}, {Color::blue, Dash::solid, 2.0}, "", true},
                 {{{0.5, 0.0}, {6.0, 0.0}, {6.0, -0.25}, {0.5, -0.25}}, {Color::ink, Dash::solid, 2.0}, "", true},
                 {{{4.6, 0.3}, {5.6, 0.3}, {5.4, 0.4}, {5.6, 0.3}, {5.4, 0.2}}, {Color::orange, Dash::solid, 2.0}, ""}};
  plot.markers = {{{3.3, 0.5}, report::MarkerShape::circle, Color::blue, "block", ""},
                  {{4.6, 0.3}, report::MarkerShape::circle, Color::orange, "plate", ""}};
  return plot;
}

Document describe(const PlateScenario& scenario, const PlateRun& run) {
  Document document;
  const bool slips = event(run, Type::turns_back, 0) != nullptr;
  document.summary = slips ? "The block goes with the plate until the spring wins, slips back and sticks again."
                           : "The block does not slip back in this time.";
  report::Table table{"events", "Limits, break-aways and turns", {}};
  table.columns = {{"event", "event", ""},        {"t", "time", "s"},
                   {"x", "position", "m"},        {"v", "velocity", "m/s"},
                   {"friction", "friction", "N"}, {"dwell", "$s_{dw}$", ""}};
  for (const StickSlipEvent& e : run.result.events)
    if (table.row_count() < 200)
      table.add_row(
          {std::string(name(e.type)), e.t, along(run, e.x), along(run, e.v), along(run, e.friction), e.dwell});
  if (table.row_count() > 0) document.tables.push_back(std::move(table));
  document.plots.push_back(apparatus());
  document.plots.push_back(over_time(run, "position", "Position of the block",
                                     "It follows the plate and slips back. With a dwell time the first slip is the "
                                     "longest; LuGre repeats its first cycle.",
                                     "position [m]",
                                     [](const PlateRun& r, const StickSlipSample& s) { return along(r, s.x); }));
  document.plots.push_back(over_time(run, "velocity", "Velocity of the block", "Over ground.", "velocity [m/s]",
                                     [](const PlateRun& r, const StickSlipSample& s) { return along(r, s.v); }));
  document.plots.push_back(over_time(run, "friction", "Friction on the block",
                                     "The spike is the break-away; its height follows from the time of rest.",
                                     "friction [N]",
                                     [](const PlateRun& r, const StickSlipSample& s) { return along(r, s.friction); }));
  if (scenario.friction.model == FrictionModel::dwell) {
    Plot dwell =
        empty_plot("dwell", "Dwell state", "How far the limit of friction has built up.", "time [s]", "$s_{dw}$");
    std::vector<Point> points;
    for (const StickSlipSample& s : run.result.samples) points.push_back({s.t, s.dwell});
    dwell.curves.push_back(line(std::move(points), Color::green));
    document.plots.push_back(std::move(dwell));
  }
  document.plots.push_back(phase_portrait(run));
  document.plots.push_back(stribeck(run));
  document.plots.push_back(breakaway(run));
  if (run.result.limited) document.notes.push_back("The bound on work was reached before `end_time`.");
  return document;
}

}  // namespace

Kind stick_slip_kind() {
  return make_kind<PlateScenario, PlateRun>({"stick_slip", "",
                                             "A block on a moving plate, held by a spring: sticking and slipping",
                                             fields(), run, facts, details, describe});
}

}  // namespace carom::scenario
