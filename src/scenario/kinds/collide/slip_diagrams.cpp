#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "collide.hpp"
#include "parts/impact.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::MarkerShape;
using report::Plot;
using report::Table;

constexpr int curve_samples = 1200;

const std::string& contact_name(const CollideRun& run, int contact) {
  return run.arrangement.contact_names[static_cast<std::size_t>(contact)];
}

double slip_of(const CollideRun& run, const MultipointSolution& solution, int contact) {
  return run.rigid->jacobian.row(2 * contact).dot(solution.velocity);
}

/// |p_t|/p_n; infinite where the contact does not push.
double friction_of(const Eigen::Vector2d& impulse, double size) {
  constexpr double rounding = 1e-9;
  return impulse[1] > rounding * size ? std::abs(impulse[0]) / impulse[1] : INFINITY;
}

/// Slips to show: those asked for, or zero, where the impulses vanish, and the answers.
void choose_range(Plot& plot, const SlipDiagramAsked& asked, const CollideRun& run, const SlipDiagram& d) {
  double low = 0.0, high = 0.0;
  const auto include = [&](double x) { low = std::min(low, x), high = std::max(high, x); };
  for (const auto& zero : {d.normal_zero, d.tangential_zero}) include(zero.value_or(0.0));
  for (const MethodAnswer& answer : run.answers)
    if (answer.rigid) include(slip_of(run, *answer.rigid, d.contact));
  const double room = 0.2 * (high - low > 0.0 ? high - low : 1.0);
  plot.x.low = asked.from.value_or(low - room);
  plot.x.high = asked.to.value_or(high + room);
  if (!(*plot.x.high > *plot.x.low)) plot.x.high = *plot.x.low + 1.0;
}

Plot diagram(const CollideScenario& scenario, const CollideRun& run, const SlipDiagram& d) {
  const std::string& contact = contact_name(run, d.contact);
  const auto [mu_s, mu_d] = run.rigid->frictions[static_cast<std::size_t>(d.contact)];
  Plot plot;
  plot.name = "slip_diagram_" + key_of(contact);
  plot.title = "Friction needed over slip: " + contact;
  plot.caption =
      "The curve is the friction that the impulses of least norm need at this contact, by the slip it is given. Where "
      "it "
      "would have to pull is shaded. Green answers obey Coulomb's law at every contact in some split of their "
      "impulses, "
      "red ones in none; lcp stands at the friction of its own impulses.";
  plot.x.label = fmt::format("slip after, {}, $v_t$ [m/s]", contact);
  plot.y.label = "friction needed, $|p_t|/|p_n|$";
  choose_range(plot, *scenario.slip_diagram, run, d);
  const double left = *plot.x.low, right = *plot.x.high;
  double top = 1.5 * std::max(mu_s, 0.6);
  if (d.stick_friction && *d.stick_friction < 60.0) top = std::max(top, 1.3 * *d.stick_friction);
  plot.y.low = 0.0;
  plot.y.high = top;

  if (d.normal_zero && d.pulling_side != 0) {
    const double edge = std::clamp(*d.normal_zero, left, right), end = d.pulling_side < 0 ? left : right;
    report::Curve area{{{edge, 0.0}, {end, 0.0}, {end, top}, {edge, top}},
                       {Color::muted, Dash::solid, 0.0},
                       "the contact pulls",
                       true};
    area.fill = 0.3;
    plot.curves.push_back(std::move(area));
    plot.lines.push_back({{*d.normal_zero, 0.0}, {0.0, 1.0}, {Color::ink, Dash::dashed, 1.3}, "$p_n$ = 0", ""});
  }
  if (d.tangential_zero)
    plot.lines.push_back({{*d.tangential_zero, 0.0}, {0.0, 1.0}, {Color::green, Dash::dashed, 1.3}, "$p_t$ = 0", ""});
  plot.lines.push_back({{0.0, 0.0}, {0.0, 1.0}, {Color::muted, Dash::solid, 1.0}, "", ""});
  if (d.stick_friction && *d.stick_friction < top)
    plot.lines.push_back({{0.0, *d.stick_friction},
                          {1.0, 0.0},
                          {Color::muted, Dash::dotted, 1.4},
                          fmt::format("$\\mu_f$ = {:.4g}", *d.stick_friction),
                          ""});
  plot.lines.push_back({{0.0, mu_d}, {1.0, 0.0}, {Color::sky, Dash::solid, 1.8}, "", "$\\mu_d$, where it slips"});
  plot.curves.push_back(
      {{{0.0, 0.0}, {0.0, std::min(mu_s, top)}}, {Color::sky, Dash::solid, 5.0}, "up to $\\mu_s$, where it sticks"});

  report::Curve curve{{}, {Color::blue, Dash::solid, 2.4}, "needed with impulses of least norm"};
  for (int i = 0; i <= curve_samples; ++i) {
    const double slip = left + (right - left) * i / curve_samples;
    const Eigen::Vector2d impulse = d.at(slip);
    const double friction = std::abs(impulse[0] / impulse[1]);
    // Beyond the frame the curve need not be followed to its pole.
    curve.points.push_back({slip, friction < 4.0 * top ? friction : NAN});
  }
  plot.curves.push_back(std::move(curve));

  if (scenario.slip_diagram->falling) {
    StribeckFriction falling = *scenario.slip_diagram->falling;
    falling.static_friction = mu_s;
    falling.least = std::min({mu_d, mu_s, d.stick_friction.value_or(mu_d)});  // eq. 4.21
    report::Curve fall{{}, {Color::orange, Dash::solid, 2.0}, "friction that falls with slip"};
    // Evenly in the logarithm too: the fall may be far narrower than the frame.
    std::vector<double> slips = {0.0};
    for (int i = 0; i <= 60; ++i) slips.push_back(falling.speed * std::pow(10.0, -2.0 + 4.0 * i / 60.0));
    for (int i = 1; i <= 100; ++i) slips.push_back(std::max(std::abs(left), std::abs(right)) * i / 100.0);
    std::sort(slips.begin(), slips.end());
    for (std::size_t i = slips.size(); i-- > 1;)
      fall.points.push_back({-slips[i], stribeck_friction(falling, slips[i])});
    for (const double slip : slips) fall.points.push_back({slip, stribeck_friction(falling, slip)});
    plot.curves.push_back(std::move(fall));
  }

  for (const MethodAnswer& answer : run.answers) {
    if (!answer.rigid) continue;
    const MultipointSolution& s = *answer.rigid;
    const double friction = friction_of(s.impulses.col(d.contact), s.impulses.norm());
    const bool met = s.friction_law_met, above = !(friction < top);
    std::string label = answer.name;
    if (!met) label += " (law " + answer.friction_law + ")";
    plot.markers.push_back({{slip_of(run, s, d.contact), above ? 0.97 * top : friction},
                            s.examined ? MarkerShape::diamond : MarkerShape::square,
                            met ? Color::green : Color::red,
                            label,
                            met ? "answers that obey the friction law" : "answers that break it"});
  }
  return plot;
}

}  // namespace

Table slip_diagrams_table(const CollideRun& run) {
  Table table{"slip_diagrams", "What sticking and slip ask of each contact (impulses of least norm)", {}};
  table.columns = {{"contact", "contact", ""},
                   {"can_stick", "can stick", ""},
                   {"stick_friction", "friction to stick, $\\mu_f$", ""},
                   {"all_frictions", "at all contacts then", ""},
                   {"impulse_t", "$p_t$ if it sticks", "N s"},
                   {"impulse_n", "$p_n$ if it sticks", "N s"},
                   {"normal_zero", "slip where $p_n$ = 0", "m/s"},
                   {"tangential_zero", "slip where $p_t$ = 0", "m/s"}};
  for (const SlipDiagram& d : run.slip_diagrams) {
    std::vector<double> all;
    for (const auto& impulse : d.all_impulses.colwise()) all.push_back(std::abs(impulse[0] / impulse[1]));
    table.add_row({contact_name(run, d.contact), d.can_stick, d.stick_friction.value_or(NAN), std::move(all),
                   d.impulse[0], d.impulse[1], d.normal_zero.value_or(NAN), d.tangential_zero.value_or(NAN)});
  }
  return table;
}

std::vector<Plot> slip_diagram_pictures(const CollideScenario& scenario, const CollideRun& run) {
  std::vector<Plot> plots;
  for (const SlipDiagram& d : run.slip_diagrams) plots.push_back(diagram(scenario, run, d));
  return plots;
}

}  // namespace carom::scenario
