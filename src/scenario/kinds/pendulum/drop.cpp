// How does a pendulum fall on the floor, bounce on its tip and come to rest? Gonthier et al. 2004, Figures 16 to 21.
#include <cmath>
#include <limits>

#include "carom/motion/pendulum_drop.hpp"

#include "kind.hpp"
#include "parts/contact.hpp"
#include "parts/links.hpp"
#include "pictures/colors.hpp"
#include "pictures/lines.hpp"

namespace carom::scenario {

namespace {

using Eigen::Vector2d, Eigen::VectorXd;
using report::Color, report::Dash, report::Document, report::Plot, report::Point;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double degree = M_PI / 180.0;
constexpr int drawn_samples = 4000;

struct DropScenario {
  std::vector<double> lengths, masses, angles, rates;
  Inertias inertias;
  AngleConvention convention = AngleConvention::relative;
  Restitution e;
  double floor = 1.0, stiffness = 1e9, exponent = 1.5, gravity = 9.81, end_time = 1.0;
  std::optional<double> v_min;
  GivenFriction friction;
};

PendulumDropProblem problem_of(const DropScenario& s) {
  PendulumDropProblem p;
  p.chain = chain_of(s.lengths, s.masses, s.inertias, s.gravity);
  p.angles = Eigen::Map<const VectorXd>(s.angles.data(), static_cast<Eigen::Index>(s.angles.size()));
  p.rates = Eigen::Map<const VectorXd>(s.rates.data(), static_cast<Eigen::Index>(s.rates.size()));
  p.convention = s.convention;
  p.floor = s.floor;
  p.surface = {s.stiffness, s.exponent, s.e, s.friction};
  p.v_min = s.v_min;
  p.end_time = s.end_time;
  return p;
}

void check_links(const DropScenario& s, const Value& object, const Path& path, Mistakes& mistakes) {
  const auto check = [&](const char* name, std::size_t size) {
    if (size == s.lengths.size()) return true;
    mistakes.add(path.at(name), place_of(object, name),
                 "must be as many as `lengths`, " + std::to_string(s.lengths.size()) + ", got " + std::to_string(size));
    return false;
  };
  bool fits = check("masses", s.masses.size());
  fits = check("angles", s.angles.size()) && fits;
  fits = check("rates", s.rates.size()) && fits;
  if (!s.inertias.points) fits = check("inertias", s.inertias.values.size()) && fits;
  if (!fits) return;
  const PendulumDropProblem p = problem_of(s);
  const double reach = -tip_position(p.chain, absolute_angles(p.convention, p.angles))[1];
  if (reach > s.floor)
    mistakes.add(
        path.at("floor"), place_of(object, "floor"),
        "must be below the tip, which is " + number_text(reach) + " m below the hinge, got " + number_text(s.floor));
}

Fields<DropScenario> fields() {
  using S = DropScenario;
  const auto positive = list_of(number(Range::positive()), 1, most_links);
  Fields<S> all;
  all.required("lengths", &S::lengths, positive, "of the links [m]")
      .required("masses", &S::masses, positive, "[kg]")
      .required("inertias", &S::inertias, link_inertias(), "about the centres [kg m^2], or point")
      .required("angles", &S::angles, list_of(angle(), 1, most_links), "from straight down [rad], at the start")
      .required("rates", &S::rates, list_of(angle(), 1, most_links), "[rad/s], or '130 deg' a second")
      .optional("angle_convention", &S::convention, choice<AngleConvention>(), "of angles and rates (default relative)")
      .required("floor", &S::floor, number(), "how far it is below the hinge [m]")
      .required("e", &S::e, restitution_law(), restitution_words)
      .optional("stiffness", &S::stiffness, number(Range::positive()), "k [N/m^p] (default 1e9)")
      .optional("exponent", &S::exponent, number(Range::positive()), "p (default 1.5)")
      .optional("gravity", &S::gravity, number(Range::positive()), "[m/s^2] (default 9.81)")
      .required("friction", &S::friction, bristle_friction(), "between tip and floor")
      .optional("v_min", &S::v_min, number(Range::positive()),
                "least touch speed to reckon with [m/s] (default: critical damping at rest)")
      .required("end_time", &S::end_time, number(Range::positive()), "[s]")
      .check({"lengths", "masses", "inertias", "angles", "rates", "floor", "angle_convention"}, check_links)
      .check({"e"}, [](const S& s, const Value& object, const Path& path, Mistakes& mistakes) {
        check_compliant_e(s.e, DampingLaw::gonthier, object, path, mistakes);
      });
  return all;
}

PendulumDropResult run(const DropScenario& s, const RunRequest& request) {
  PendulumDropProblem p = problem_of(s);
  if (request.pictures)
    for (int i = 0; i <= drawn_samples; ++i) p.sample_times.push_back(s.end_time * i / drawn_samples);
  return pendulum_drop(p);
}

Facts facts(const DropScenario&, const PendulumDropResult& r) {
  std::vector<double> angles;
  for (const double angle : r.end.angles) angles.push_back(angle / degree);
  return {{"contacts", "touches", static_cast<double>(r.contacts), ""},
          {"last_touch", "the last begins at", r.touches.empty() ? missing : r.touches.back().begins, "s"},
          {"lasts", "and lasts", !r.touches.empty() && !r.touches.back().ends, ""},
          {"sticks_from", "slower than $v_S$ from", r.sticks_from.value_or(missing), "s"},
          {"angles", "angles at the end", angles, "deg"},
          {"tip_x", "tip at the end, along the floor", r.end.tip[0], "m"},
          {"dwell", "dwell state at the end", r.end.dwell, ""},
          {"kinetic", "kinetic energy at the end", r.end.kinetic, "J"},
          {"energy", "energy at the end", r.end.kinetic + r.end.potential + r.end.stored, "J"},
          {"limited", "stopped by the bound on work", r.limited, ""}};
}

Facts details(const DropScenario&, const PendulumDropResult&) { return {}; }

Plot over_time(const PendulumDropResult& r, const char* name, const char* title, const char* caption, const char* y,
               const VectorXd PendulumDropSample::*member, const char* symbol) {
  Plot plot = empty_plot(name, title, caption, "time [s]", y);
  for (Eigen::Index i = 0; i < r.end.angles.size(); ++i) {
    std::vector<Point> points;
    for (const PendulumDropSample& s : r.samples) points.push_back({s.t, (s.*member)[i] / degree});
    plot.curves.push_back(line(std::move(points), colors[static_cast<std::size_t>(i) % std::size(colors)],
                               "$" + std::string(symbol) + "_" + std::to_string(i + 1) + "$"));
  }
  return plot;
}

std::vector<Point> joints(const DropScenario& s, const VectorXd& angles) {
  const VectorXd absolute = absolute_angles(s.convention, angles);
  std::vector<Point> points = {{0.0, 0.0}};
  for (std::size_t i = 0; i < s.lengths.size(); ++i) {
    const double angle = absolute[static_cast<Eigen::Index>(i)];
    points.push_back(
        {points.back().x + s.lengths[i] * std::sin(angle), points.back().y - s.lengths[i] * std::cos(angle)});
  }
  return points;
}

Plot tip_path(const DropScenario& s, const PendulumDropResult& r) {
  Plot plot = empty_plot("tip_path", "Path of the tip", "Dotted: the pendulum at the start; solid: at the end.",
                         "$x$ [m]", "$y$ [m]");
  plot.equal_scale = true;
  std::vector<Point> path;
  for (const PendulumDropSample& sample : r.samples) path.push_back({sample.tip[0], sample.tip[1]});
  const VectorXd start = Eigen::Map<const VectorXd>(s.angles.data(), static_cast<Eigen::Index>(s.angles.size()));
  plot.lines.push_back({{0.0, -s.floor}, {1.0, 0.0}, {Color::ink, Dash::solid, 1.8}, "", ""});
  plot.curves.push_back({joints(s, start), {Color::muted, Dash::dotted, 2.4}, ""});
  plot.curves.push_back({joints(s, r.end.angles), {Color::muted, Dash::solid, 2.4}, ""});
  plot.curves.push_back(line(std::move(path), Color::blue));
  plot.markers.push_back({{0.0, 0.0}, report::MarkerShape::square, Color::ink, "hinge", ""});
  plot.markers.push_back(
      {{r.samples.front().tip[0], r.samples.front().tip[1]}, report::MarkerShape::circle, Color::blue, "start", ""});
  return plot;
}

template <class Value>
Plot one_curve(const PendulumDropResult& r, const char* name, const char* title, const char* caption, const char* y,
               Color color, const Value& value) {
  Plot plot = empty_plot(name, title, caption, "time [s]", y);
  std::vector<Point> points;
  for (const PendulumDropSample& s : r.samples) points.push_back({s.t, value(s)});
  plot.curves.push_back(line(std::move(points), color));
  return plot;
}

Document describe(const DropScenario& s, const PendulumDropResult& r) {
  Document document;
  document.summary = r.contacts == 0 ? "The tip does not reach the floor in this time."
                     : s.friction.mu_s > 0.0 && r.sticks_from && r.end.kinetic < 1e-9
                         ? "The tip bounces, slides to and fro and sticks."
                     : !r.touches.empty() && !r.touches.back().ends ? "The tip bounces and stays on the floor."
                                                                    : "The tip bounces.";
  report::Table table{"touches", "Touches of the tip", {}};
  table.columns = {
      {"number", "no.", ""}, {"begins", "begins", "s"}, {"approach", "approach", "m/s"}, {"ends", "ends", "s"}};
  for (std::size_t i = 0; i < r.touches.size() && i < 200; ++i)
    table.add_row(
        {static_cast<double>(i + 1), r.touches[i].begins, r.touches[i].approach, r.touches[i].ends.value_or(missing)});
  if (table.row_count() > 0) document.tables.push_back(std::move(table));
  if (r.samples.empty()) return document;
  document.plots = {
      tip_path(s, r),
      over_time(r, "angles", "Angles of the joints", "", "angle [deg]", &PendulumDropSample::angles, "\\varphi"),
      over_time(r, "rates", "Rates of the joints", "One jump at each touch.", "rate [deg/s]",
                &PendulumDropSample::rates, "\\dot\\varphi"),
      one_curve(r, "dwell", "Dwell state", "Near 0 while the tip bounces and slides, to 1 when it sticks.", "$s_{dw}$",
                Color::green, [](const PendulumDropSample& p) { return p.dwell; }),
      one_curve(r, "energy", "Energy", "Kinetic and potential, from the height of the hinge.", "energy [J]", Color::ink,
                [](const PendulumDropSample& p) { return p.kinetic + p.potential; })};
  if (r.limited) document.notes.push_back("The bound on work was reached before `end_time`.");
  return document;
}

}  // namespace

Kind pendulum_drop_kind() {
  return make_kind<DropScenario, PendulumDropResult>({"pendulum", "drop",
                                                      "A pendulum falls on the floor, bounces on its tip and comes to "
                                                      "rest",
                                                      fields(), run, facts, details, describe});
}

}  // namespace carom::scenario
