#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "collide.hpp"
#include "pictures/colors.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::MarkerShape;
using report::Plot;
using report::Point;

constexpr MarkerShape shapes[] = {MarkerShape::circle, MarkerShape::square, MarkerShape::diamond, MarkerShape::triangle,
                                  MarkerShape::cross};

Point seen(const Arrangement& arrangement, const Eigen::Vector3d& p) {
  return {p[arrangement.view[0]], p[arrangement.view[1]]};
}

/// A length to draw by: the mean size of the bodies seen.
double drawing_size(const Arrangement& arrangement) {
  double sum = 0.0;
  int count = 0;
  for (const NamedBody& body : arrangement.bodies) {
    double reach = body.outline.radius;
    for (const Eigen::Vector3d& p : body.outline.points) reach = std::max(reach, p.norm() / std::sqrt(3.0));
    if (reach > 0.0) sum += reach, ++count;
  }
  if (count > 0) return sum / count;
  for (const SpringContact& c : arrangement.contacts)
    sum += (c.point - arrangement.bodies[c.first].body.position).norm(), ++count;
  return sum > 0.0 ? sum / count : 1.0;
}

/// Ground and walls: a short line at each contact with an immovable body, where its surface is seen edge-on.
void draw_grounds(const Arrangement& arrangement, double size, Plot& plot) {
  for (const SpringContact& c : arrangement.contacts) {
    if (!arrangement.bodies[c.first].body.immovable && !arrangement.bodies[c.second].body.immovable) continue;
    const Point at = seen(arrangement, c.point), n = seen(arrangement, c.normal);
    if (std::hypot(n.x, n.y) < 0.9) continue;
    const double reach = 0.9 * size;
    plot.curves.push_back({{{at.x - reach * n.y, at.y + reach * n.x}, {at.x + reach * n.y, at.y - reach * n.x}},
                           {Color::ink, Dash::solid, 2.2},
                           ""});
  }
}

Plot velocities_plot(const CollideRun& run) {
  const Arrangement& arrangement = run.arrangement;
  const char* axes = "xyz";
  Plot plot;
  plot.name = "velocities";
  plot.title = "Velocities before and after";
  plot.equal_scale = true;
  plot.bare = true;
  const double size = drawing_size(arrangement);
  double fastest = 0.0;
  for (const auto* bodies : {&run.problem.bodies, &run.impact.bodies})
    for (const Body& body : *bodies) {
      const Point v = seen(arrangement, body.velocity);
      if (!body.immovable) fastest = std::max(fastest, std::hypot(v.x, v.y));
    }
  const double scale = fastest > 0.0 ? 2.6 * size / fastest : 0.0;
  plot.caption = fmt::format("Seen in the plane of {} (right) and {} (up). The longest arrow is {:.4g} m/s.",
                             axes[arrangement.view[0]], axes[arrangement.view[1]], fastest);
  draw_grounds(arrangement, size, plot);
  for (const NamedBody& body : arrangement.bodies)
    if (!body.body.immovable)
      plot.curves.push_back(
          {edge_of(body, arrangement.view[0], arrangement.view[1]), {Color::muted, Dash::solid, 1.2}, "", true});
  bool named[2] = {false, false};
  for (std::size_t i = 0; i < arrangement.bodies.size(); ++i) {
    if (arrangement.bodies[i].body.immovable) continue;
    const Point from = seen(arrangement, arrangement.bodies[i].body.position);
    for (const int after : {0, 1}) {
      const Point v = seen(arrangement, (after ? run.impact.bodies : run.problem.bodies)[i].velocity);
      if (std::hypot(v.x, v.y) < 0.01 * fastest || fastest == 0.0) continue;
      const std::string legend = named[after] ? "" : after ? "after (" + run.answers[0].name + ")" : "before";
      named[after] = true;
      plot.curves.push_back({{from, {from.x + scale * v.x, from.y + scale * v.y}},
                             {after ? Color::blue : Color::orange, Dash::solid, after ? 2.4 : 1.6},
                             legend,
                             false,
                             true});
    }
  }
  for (const NamedBody& body : arrangement.bodies) {
    if (body.body.immovable) continue;
    const std::string label = body.name.starts_with("ball ") ? body.name.substr(5) : body.name;
    plot.markers.push_back({seen(arrangement, body.body.position), MarkerShape::circle, Color::muted, label, ""});
  }
  return plot;
}

/// Which two of a body's motions the methods disagree about most, each against its own size.
std::array<std::size_t, 2> single_body_axes(const CollideRun& run, std::size_t body) {
  std::array<double, 3> spread{};
  for (const std::size_t i : {0U, 1U, 2U}) {
    double low = INFINITY, high = -INFINITY, size = 0.0;
    for (const MethodAnswer& answer : run.answers) {
      if (answer.bodies.empty()) continue;
      const double x = seen_motion(run.arrangement, answer.bodies[body], i);
      low = std::min(low, x), high = std::max(high, x), size = std::max(size, std::abs(x));
    }
    if (size > 0.0) spread[i] = (high - low) / size;
  }
  if (spread[2] <= std::min(spread[0], spread[1])) return {0, 1};
  return {spread[0] >= spread[1] ? 0U : 1U, 2U};
}

/// Every method's answer: along the row of bodies, or for one body in the plane of its velocity.
Plot methods_plot(const CollideScenario& scenario, const CollideRun& run) {
  const Arrangement& arrangement = run.arrangement;
  std::vector<std::size_t> moving;
  for (std::size_t i = 0; i < arrangement.bodies.size(); ++i)
    if (!arrangement.bodies[i].body.immovable) moving.push_back(i);
  const bool line = is_one_dimensional(run), one = moving.size() == 1;
  const char* axes = "xyz";
  Plot plot;
  plot.name = "methods";
  plot.title = "What each method says";
  plot.axes_at_zero = true;
  const auto place = single_body_axes(run, moving[0]);
  if (one) {
    plot.caption = "The body after the impact, by method.";
    const std::string labels[] = {fmt::format("$v_{}$ after [m/s]", axes[arrangement.view[0]]),
                                  fmt::format("$v_{}$ after [m/s]", axes[arrangement.view[1]]), "spin after [rad/s]"};
    plot.x.label = labels[place[0]];
    plot.y.label = labels[place[1]];
  } else {
    plot.caption = line ? "Velocity of each body after the impact, by method." : "Speed of each body after, by method.";
    plot.x.label = "body, in the order of the table";
    plot.y.label = line ? "velocity after [m/s]" : "speed after [m/s]";
    plot.x.whole = true;
    plot.x.low = 0.5;
    plot.x.high = static_cast<double>(moving.size()) + 0.5;
  }
  std::size_t index = 0;
  // Equal answers stand side by side.
  constexpr double aside = 0.05;
  const auto count = static_cast<double>(run.answers.size());
  for (const MethodAnswer& answer : run.answers) {
    if (answer.bodies.empty()) continue;
    const double shift = aside * (static_cast<double>(index) - 0.5 * (count - 1.0));
    const Color color = colors[index % std::size(colors)];
    const MarkerShape shape = shapes[index % std::size(shapes)];
    ++index;
    if (one) {
      const Body& body = answer.bodies[moving[0]];
      plot.markers.push_back({{seen_motion(arrangement, body, place[0]), seen_motion(arrangement, body, place[1])},
                              shape,
                              color,
                              answer.name,
                              ""});
      continue;
    }
    report::Curve curve{{}, {color, index == 1 ? Dash::solid : Dash::dotted, 1.4}, ""};
    for (std::size_t i = 0; i < moving.size(); ++i) {
      const Eigen::Vector3d& v = answer.bodies[moving[i]].velocity;
      const Point p{static_cast<double>(i + 1) + shift, line ? v[arrangement.view[0]] : v.norm()};
      curve.points.push_back(p);
      plot.markers.push_back({p, shape, color, "", i == 0 ? answer.name : ""});
    }
    plot.curves.push_back(std::move(curve));
  }
  for (std::size_t b = 0; b < scenario.beside.size() && !one; ++b)
    for (std::size_t i = 0; i < moving.size(); ++i)
      plot.markers.push_back({{static_cast<double>(i + 1), scenario.beside[b].velocities[moving[i]]},
                              b == 0 ? MarkerShape::ring : MarkerShape::cross,
                              b == 0 ? Color::ink : Color::muted,
                              "",
                              i == 0 ? scenario.beside[b].name : ""});
  return plot;
}

/// So many curves are told apart by colour and dash; the others are thin.
constexpr std::size_t coloured = 10;

/// Contacts whose curves coincide (mirror images) share one.
struct Group {
  std::vector<std::size_t> contacts;
  double impulse = 0.0;
};

std::vector<Group> groups_of(const CollideRun& run, const std::vector<SimultaneousSample>& trace) {
  constexpr double same = 1e-6;  // of the largest force: no eye tells them apart
  double largest = 0.0;
  for (const auto& sample : trace)
    for (const auto& contact : sample.contacts) largest = std::max(largest, contact.force);
  std::vector<Group> groups;
  for (std::size_t k = 0; k < run.problem.contacts.size(); ++k) {
    const auto joins = [&](const Group& group) {
      return std::all_of(trace.begin(), trace.end(), [&](const SimultaneousSample& s) {
        return std::abs(s.contacts[k].force - s.contacts[group.contacts[0]].force) <= same * largest;
      });
    };
    const auto group = std::find_if(groups.begin(), groups.end(), joins);
    if (group != groups.end())
      group->contacts.push_back(k);
    else
      groups.push_back({{k}, run.impact.contacts[k].impulse.norm()});
  }
  std::erase_if(groups, [](const Group& g) { return g.impulse == 0.0; });
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.impulse > b.impulse; });
  // Those in colour stand in the order of the contacts.
  std::sort(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(std::min(coloured, groups.size())),
            [](const Group& a, const Group& b) { return a.contacts[0] < b.contacts[0]; });
  return groups;
}

std::string group_name(const CollideRun& run, const Group& group) {
  std::string text;
  for (std::size_t i = 0; i < group.contacts.size() && i < 3; ++i)
    text += (i > 0 ? ", " : "") + run.arrangement.contact_names[group.contacts[i]];
  return group.contacts.size() > 3 ? text + ", ..." : text;
}

/// One curve over time per group of contacts: the strongest in colour, the others thin.
template <class Quantity>
void draw_groups(const CollideRun& run, const std::vector<SimultaneousSample>& trace, const std::vector<Group>& groups,
                 Plot& plot, const Quantity& quantity) {
  for (std::size_t g = groups.size(); g-- > 0;) {
    const bool strong = g < coloured;
    report::Curve curve;
    curve.stroke = {strong ? colors[g % std::size(colors)] : Color::muted,
                    g >= std::size(colors) && strong ? Dash::dashed : Dash::solid, strong ? 2.0 : 0.9};
    for (const SimultaneousSample& sample : trace)
      curve.points.push_back({sample.time, quantity(sample, groups[g].contacts[0])});
    curve.legend = strong ? group_name(run, groups[g]) : g == coloured ? "weaker ones" : "";
    plot.curves.push_back(std::move(curve));
  }
  std::reverse(plot.curves.begin(), plot.curves.end());  // legend in the order of the groups
}

Plot forces_plot(const CollideRun& run, const std::vector<SimultaneousSample>& trace, const std::vector<Group>& groups,
                 double largest) {
  Plot plot;
  plot.name = "forces";
  plot.title = "Normal force at every contact";
  plot.caption =
      fmt::format("Scaled: force over the largest force, time in units of {:.3g} s (for the stiffness given).",
                  run.impact.time_unit);
  plot.x.label = "time [scaled]";
  plot.y.label = "normal force [scaled]";
  draw_groups(run, trace, groups, plot,
              [&](const SimultaneousSample& s, std::size_t c) { return s.contacts[c].force / largest; });
  return plot;
}

Plot chain_plot(const CollideRun& run, const std::vector<SimultaneousSample>& trace, double largest) {
  Plot plot;
  plot.name = "force_chain";
  plot.title = "How the force travels";
  plot.caption =
      "Each row is a contact, numbered as in the table of contacts; colour is the force over the largest one.";
  plot.x.label = "time [scaled]";
  plot.y.label = "contact no.";
  plot.y.whole = true;
  report::HeatMap map;
  map.label = "normal force [scaled]";
  constexpr std::size_t columns = 240;
  const double end = trace.back().time;
  for (std::size_t i = 0; i <= columns; ++i) map.x_edges.push_back(end * static_cast<double>(i) / columns);
  const std::size_t contacts = run.problem.contacts.size();
  for (std::size_t k = 0; k <= contacts; ++k) map.y_edges.push_back(static_cast<double>(k) + 0.5);
  for (std::size_t k = 0; k < contacts; ++k) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < columns; ++i) {
      const double t = end * (static_cast<double>(i) + 0.5) / columns;
      while (at + 2 < trace.size() && trace[at + 1].time < t) ++at;
      const double span = trace[at + 1].time - trace[at].time, share = span > 0.0 ? (t - trace[at].time) / span : 0.0;
      const double f0 = trace[at].contacts[k].force, f1 = trace[at + 1].contacts[k].force;
      map.values.push_back((f0 + share * (f1 - f0)) / largest);
    }
  }
  plot.heat_map = std::move(map);
  return plot;
}

Plot stored_plot(const CollideRun& run, const std::vector<SimultaneousSample>& trace,
                 const std::vector<Group>& groups) {
  Plot plot;
  plot.name = "energy_share";
  plot.title = "Energy in every contact";
  plot.caption =
      "What each spring will give back, over the kinetic energy before. Contacts that share a curve are listed "
      "together.";
  plot.x.label = "time [scaled]";
  plot.y.label = "stored energy / energy before";
  const auto stored = [&](const SimultaneousSample& s, std::size_t c) {
    return stored_energy(run.problem.contacts[c], s.contacts[c]) / run.impact.energy.before;
  };
  draw_groups(run, trace, groups, plot, stored);
  report::Curve all{{}, {Color::muted, Dash::dotted, 1.8}, "all contacts"};
  for (const SimultaneousSample& sample : trace) {
    double sum = 0.0;
    for (std::size_t c = 0; c < sample.contacts.size(); ++c) sum += stored(sample, c);
    all.points.push_back({sample.time, sum});
  }
  if (run.problem.contacts.size() > 1) plot.curves.push_back(std::move(all));
  return plot;
}

/// What each contact has cost, as bars: normally, and on top of it by friction.
Plot losses_plot(const CollideRun& run) {
  Plot plot;
  plot.name = "energy_losses";
  plot.title = "Energy lost at every contact";
  plot.caption = "Contacts are numbered as in the table of contacts.";
  plot.x.label = "contact no.";
  plot.x.whole = true;
  plot.y.label = "loss / energy before";
  const std::size_t contacts = run.problem.contacts.size();
  plot.x.low = 0.3;
  plot.x.high = static_cast<double>(contacts) + 0.7;
  plot.y.low = 0.0;
  const double width = std::clamp(300.0 / static_cast<double>(contacts), 3.0, 26.0);
  double highest = 0.0;
  bool named[2] = {false, false};
  for (std::size_t k = 0; k < contacts; ++k) {
    const ContactOutcome& c = run.impact.contacts[k];
    const double x = static_cast<double>(k + 1), normal = c.restitution_loss / run.impact.energy.before,
                 top = normal + c.friction_loss / run.impact.energy.before;
    highest = std::max(highest, top);
    const auto bar = [&](double from, double to, Color color, const char* legend, bool& told) {
      if (!(to > from)) return;
      plot.curves.push_back({{{x, from}, {x, to}}, {color, Dash::solid, width}, told ? "" : legend});
      told = true;
    };
    bar(0.0, normal, Color::blue, "normal impulse", named[0]);
    bar(normal, top, Color::orange, "friction", named[1]);
  }
  plot.y.high = 1.08 * highest;
  return plot;
}

}  // namespace

std::vector<Plot> collide_pictures(const CollideScenario& scenario, const CollideRun& run) {
  std::vector<Plot> plots = {velocities_plot(run)};
  if (run.answers.size() > 1 || !scenario.beside.empty()) plots.push_back(methods_plot(scenario, run));
  if (run.impact.verdict == Verdict::no_impact || run.path.size() < 2) return plots;
  const std::vector<SimultaneousSample>& trace = run.path;
  const std::vector<Group> groups = groups_of(run, trace);
  double largest = 0.0;
  for (const auto& sample : trace)
    for (const auto& contact : sample.contacts) largest = std::max(largest, contact.force);
  if (largest > 0.0) {
    plots.push_back(forces_plot(run, trace, groups, largest));
    if (run.problem.contacts.size() > 2) plots.push_back(chain_plot(run, trace, largest));
    plots.push_back(stored_plot(run, trace, groups));
  }
  if (run.impact.energy.restitution_loss + run.impact.energy.friction_loss > 1e-9 * run.impact.energy.before)
    plots.push_back(losses_plot(run));
  if (run.outcomes)
    for (Plot& plot : outcome_pictures(run)) plots.push_back(std::move(plot));
  return plots;
}

}  // namespace carom::scenario
