// A body meets a wall head on, with a damped spring between them: what comes out, and what other laws would give.
// Gonthier et al. 2004, Figures 1 to 3.
#include "normal_impact.hpp"

#include <cmath>

#include "carom/contact/normal_force.hpp"

#include "kind.hpp"
#include "parts/contact.hpp"
#include "pictures/colors.hpp"
#include "pictures/lines.hpp"

namespace carom::scenario {

namespace {

using report::Color, report::Dash, report::Document, report::Plot, report::Point;

struct WallRun {
  NormalImpact impact;
};

void check_e(const NormalImpactProblem& p, const Value& object, const Path& path, Mistakes& mistakes) {
  check_compliant_e(p.e, p.law, object, path, mistakes);
}

Fields<NormalImpactProblem> fields() {
  using P = NormalImpactProblem;
  Fields<P> all;
  all.optional("law", &P::law, choice<DampingLaw>(), "how the damping follows from e (default gonthier)")
      .required("mass", &P::mass, number(Range::positive()), "[kg]")
      .required("stiffness", &P::stiffness, number(Range::positive()), "k [N/m^p]")
      .optional("exponent", &P::exponent, number(Range::positive()), "p (default 1.5: Hertz)")
      .required("e", &P::e, restitution_law(), "coefficient of restitution asked for")
      .required("speed", &P::speed, number(Range::positive()), "of approach [m/s]")
      .check({"law", "e"}, check_e);
  return all;
}

WallRun run(const NormalImpactProblem& problem, const RunRequest&) { return {normal_impact(problem)}; }

Facts facts(const NormalImpactProblem& problem, const WallRun& run) {
  const NormalImpact& i = run.impact;
  return {{"effective_restitution", "restitution that comes out", i.effective_restitution, ""},
          {"asked_for", "asked for", compliant_restitution(problem.e, problem.speed), ""},
          {"damping", "damping $A$", i.damping, ""},
          {"peak_force", "peak force", i.peak_force, "N"},
          {"max_indentation", "deepest indentation", i.max_indentation, "m"},
          {"duration", "time of touch", i.duration, "s"},
          {"exit_speed", "speed of separation", i.exit_speed, "m/s"},
          {"dissipated", "energy lost", i.dissipated, "J"}};
}

Facts details(const NormalImpactProblem&, const WallRun&) { return {}; }

Plot loops(const NormalImpactProblem& p) {
  Plot plot = empty_plot("loops", "Force over indentation",
                         "The area of a loop is the energy lost. Force begins and ends at zero, whatever $e$ is.",
                         "indentation [m]", "force [N]");
  std::size_t i = 0;
  for (const double e : {1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1}) {
    const double a = damping(DampingLaw::gonthier, e);
    std::vector<Point> points;
    for (const TouchSample& s : touch_samples(p.mass, p.stiffness, p.exponent, a, p.speed, 240))
      points.push_back({s.indentation, s.force});
    plot.curves.push_back(line(std::move(points), colors[i % std::size(colors)], "$e = " + number_text(e) + "$",
                               i < std::size(colors) ? Dash::solid : Dash::dashed));
    ++i;
  }
  return plot;
}

Plot over_time(const NormalImpactProblem& p) {
  Plot plot =
      empty_plot("force", "Force over time", "The law asked for, and what each of the others makes of the same $e$.",
                 "time [s]", "force [N]");
  const double e = compliant_restitution(p.e, p.speed);
  std::size_t i = 0;
  for (const auto& [law, called] : names_of<DampingLaw>) {
    if (e == 0.0 && (law == DampingLaw::gonthier || law == DampingLaw::flores)) continue;
    std::vector<Point> points;
    for (const TouchSample& s : touch_samples(p.mass, p.stiffness, p.exponent, damping(law, e), p.speed, 240))
      points.push_back({s.t, s.force});
    plot.curves.push_back(
        line(std::move(points), colors[i++], std::string(called), law == p.law ? Dash::solid : Dash::dashed));
  }
  return plot;
}

Plot delivered() {
  Plot plot = empty_plot("delivered", "What you ask for and what you get",
                         "Only the exact law is on the diagonal. The others agree with it near $e = 1$.",
                         "restitution asked for", "restitution delivered");
  std::size_t i = 0;
  for (const auto& [law, called] : names_of<DampingLaw>)
    plot.curves.push_back(
        line(sampled(0.01, 1.0, 198, [law = law](double e) { return effective_restitution(damping(law, e)); }),
             colors[i++], std::string(called)));
  plot.x.low = plot.y.low = 0.0;
  plot.x.high = plot.y.high = 1.0;
  plot.equal_scale = true;
  return plot;
}

Plot factor() {
  Plot plot = empty_plot("damping_factor", "The damping factor $d = A e$",
                         "The exact one, and $1 - e^2$, its first guess: good below $e = .5$, a third too large near "
                         "$e = 1$.",
                         "restitution $e$", "$d$");
  plot.curves.push_back(line(sampled(0.01, 1.0, 198, exact_damping_factor), Color::blue, "exact"));
  plot.curves.push_back(
      line(sampled(0.01, 1.0, 198, [](double e) { return 1.0 - e * e; }), Color::orange, "$1 - e^2$", Dash::dashed));
  plot.curves.push_back(line(sampled(0.01, 1.0, 198, [](double e) { return 1.5 * e * (1.0 - e); }), Color::green,
                             "Hunt and Crossley", Dash::dash_dot));
  return plot;
}

Plot over_speed(const NormalImpactProblem& p) {
  Plot plot =
      empty_plot("constant_factor", "Damping with a constant factor",
                 "With a fixed number of s/m in place of $A/v_i$, tuned to give this $e$ at this speed, restitution "
                 "depends on speed.",
                 "approach speed [m/s]", "restitution delivered");
  plot.x.logarithmic = true;
  const double e = compliant_restitution(p.e, p.speed);
  if (e == 0.0) return plot;
  const double a = damping(DampingLaw::gonthier, e) / p.speed;
  std::vector<Point> points;
  for (int i = 0; i <= 200; ++i) {
    const double v = p.speed * std::pow(10.0, -2.0 + 4.0 * i / 200.0);
    points.push_back({v, effective_restitution(a * v)});
  }
  plot.curves.push_back(line(std::move(points), Color::orange, "constant factor"));
  plot.lines.push_back(
      {{p.speed, e}, {1.0, 0.0}, {Color::blue, Dash::solid, 1.8}, "", "latched at first touch", false});
  plot.y.low = 0.0;
  plot.y.high = 1.0;
  return plot;
}

/// Where restitution falls with speed: how far from it the laws are.
Plot ratio_over_speed(const NormalImpactProblem& p) {
  const auto* slope = std::get_if<RestitutionSlope>(&p.e);
  const double a = slope != nullptr ? slope->slope : 0.2;
  Plot plot = empty_plot("ratio", "Delivered over prescribed restitution",
                         ("For $e = 1 - " + number_text(a) +
                          " v$: a law that is right near $e = 1$ only is wrong for "
                          "fast impacts.")
                             .c_str(),
                         "approach speed [m/s]", "delivered / prescribed");
  std::size_t i = 0;
  for (const auto& [law, called] : names_of<DampingLaw>)
    plot.curves.push_back(line(sampled(0.0, 0.98 / a, 196,
                                       [law = law, a](double v) {
                                         const double e = 1.0 - a * v;
                                         return effective_restitution(damping(law, e)) / e;
                                       }),
                               colors[i++], std::string(called)));
  plot.y.low = 0.0;
  return plot;
}

Document describe(const NormalImpactProblem& p, const WallRun& run) {
  Document document;
  const double asked = compliant_restitution(p.e, p.speed), got = run.impact.effective_restitution;
  document.summary = std::abs(asked - got) < 1e-9 ? "The restitution asked for is the restitution delivered."
                                                  : "This law delivers another restitution than was asked of it.";
  report::Table table{"laws", "What the laws make of the same restitution", {}};
  table.columns = {{"law", "law", ""},
                   {"damping", "$A$", ""},
                   {"delivered", "delivered", ""},
                   {"peak_force", "peak force", "N"},
                   {"duration", "time of touch", "s"}};
  for (const auto& [law, called] : names_of<DampingLaw>) {
    if (asked == 0.0 && (law == DampingLaw::gonthier || law == DampingLaw::flores)) continue;
    const NormalImpact i = normal_impact(p.mass, p.stiffness, p.exponent, damping(law, asked), p.speed);
    table.add_row({std::string(called), i.damping, i.effective_restitution, i.peak_force, i.duration});
  }
  document.tables.push_back(std::move(table));
  document.plots = {over_time(p), loops(p), delivered(), factor(), over_speed(p)};
  if (const auto* slope = std::get_if<RestitutionSlope>(&p.e); slope == nullptr || slope->slope > 0.0)
    document.plots.push_back(ratio_over_speed(p));
  return document;
}

}  // namespace

std::vector<TouchSample> touch_samples(double mass, double stiffness, double exponent, double a, double speed,
                                       int steps) {
  // Evenly in ln(1 + A u), u = rate/speed, on the way in and out: closed forms for indentation and force, time summed.
  const double e = effective_restitution(a), p1 = exponent + 1.0, unit = mass * speed * (speed / stiffness);
  const auto taken = [a](double u) {
    return a < 1e-4 ? u * u * (0.5 - a * u / 3.0) : (a * u - std::log1p(a * u)) / (a * a);
  };
  const double g1 = taken(1.0);
  std::vector<TouchSample> samples;
  const auto at = [&](double u) {
    TouchSample s;
    s.indentation = std::pow(p1 * unit * std::max(g1 - taken(u), 0.0), 1.0 / p1);
    s.rate = u * speed;
    s.force = stiffness * std::pow(s.indentation, exponent) * (1.0 + a * u);
    return s;
  };
  double t = 0.0;
  for (int i = 0; i <= steps; ++i) {
    // Cosine spacing: the ends are where force and time change most for their share of speed.
    const double share = 0.5 - 0.5 * std::cos(M_PI * i / steps), u = 1.0 - (1.0 + e) * share;
    TouchSample s = at(u);
    if (i > 0) {
      const TouchSample& before = samples.back();
      const double mean_rate = 0.5 * (s.rate + before.rate), mean_force = 0.5 * (s.force + before.force);
      // Time from the momentum where the force is strong, from the path where it is weak.
      t += mean_force * std::abs(s.indentation - before.indentation) > 0.0 && std::abs(mean_rate) > 0.5 * speed * e
               ? std::abs((s.indentation - before.indentation) / mean_rate)
               : mass * (before.rate - s.rate) / mean_force;
    }
    s.t = t;
    samples.push_back(s);
  }
  return samples;
}

Kind normal_impact_kind() {
  return make_kind<NormalImpactProblem, WallRun>({"normal_impact", "",
                                                  "A body meets a wall head on, with a damped spring between them",
                                                  fields(), run, facts, details, describe});
}

}  // namespace carom::scenario
