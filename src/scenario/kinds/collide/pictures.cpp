#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "collide.hpp"
#include "pictures/colors.hpp"
#include "pictures/velocity_arrows.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::MarkerShape;
using report::Plot;
using report::Point;

/// Rows, bars and outlines that a picture has room for. With more bodies or contacts, quantities are drawn over their
/// numbers, rows stand for several contacts, and forces have no curves: samples are too far apart to follow one
/// contact.
constexpr std::size_t most_rows = 400;
/// Of curves that are not in colour these many are drawn.
constexpr std::size_t most_weak_curves = 90;

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

/// The surface of an immovable body, seen edge-on, around one of its contacts.
struct Ground {
  Point at, along;
  double from, to;  ///< along it, counted from the contact

  Point point(double s) const { return {at.x + s * along.x, at.y + s * along.y}; }
};

/// Ground and walls at the contacts with immovable bodies. Contacts of one surface share its line, and surfaces that
/// meet near their contacts are drawn up to where they meet.
void draw_grounds(const Arrangement& arrangement, double size, Plot& plot) {
  constexpr double straight = 1e-9;  // of the size
  std::vector<Ground> grounds;
  for (const SpringContact& c : arrangement.contacts) {
    if (!arrangement.bodies[c.first].body.immovable && !arrangement.bodies[c.second].body.immovable) continue;
    const Point at = seen(arrangement, c.point), n = seen(arrangement, c.normal);
    const double length = std::hypot(n.x, n.y);
    if (length < 0.9) continue;
    const Point along{n.y / length, -n.x / length};
    const double reach = 0.9 * size;
    const auto same = std::find_if(grounds.begin(), grounds.end(), [&](const Ground& g) {
      const double dx = at.x - g.at.x, dy = at.y - g.at.y;
      return std::abs(g.along.x * along.y - g.along.y * along.x) <= straight &&
             std::abs(g.along.x * dy - g.along.y * dx) <= straight * size;
    });
    if (same == grounds.end()) {
      grounds.push_back({at, along, -reach, reach});
    } else {
      const double s = (at.x - same->at.x) * same->along.x + (at.y - same->at.y) * same->along.y;
      same->from = std::min(same->from, s - reach), same->to = std::max(same->to, s + reach);
    }
  }
  std::vector<Ground> drawn = grounds;
  for (std::size_t i = 0; i < grounds.size(); ++i)
    for (std::size_t j = 0; j < grounds.size(); ++j) {
      const Ground &one = grounds[i], &other = grounds[j];
      const double cross = one.along.x * other.along.y - one.along.y * other.along.x;
      if (i == j || std::abs(cross) <= straight) continue;
      const double dx = other.at.x - one.at.x, dy = other.at.y - one.at.y;
      const double s = (dx * other.along.y - dy * other.along.x) / cross;  // of the meeting point, along each
      const double t = (dx * one.along.y - dy * one.along.x) / cross;
      if (std::max(std::abs(s), std::abs(t)) > 3.0 * size) continue;
      (s < 0.0 ? drawn[i].from : drawn[i].to) = s;
    }
  for (const Ground& g : drawn)
    plot.curves.push_back({{g.point(g.from), g.point(g.to)}, {Color::ink, Dash::solid, 2.2}, ""});
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
  plot.caption =
      fmt::format("Seen in the plane of {} (right) and {} (up).", axes[arrangement.view[0]], axes[arrangement.view[1]]);
  draw_grounds(arrangement, size, plot);
  for (const NamedBody& body : arrangement.bodies)
    if (!body.body.immovable)
      plot.curves.push_back(
          {edge_of(body, arrangement.view[0], arrangement.view[1]), {Color::muted, Dash::solid, 1.2}, "", true});
  std::vector<Mover> movers;
  for (std::size_t i = 0; i < arrangement.bodies.size(); ++i) {
    const NamedBody& body = arrangement.bodies[i];
    const Body &before = run.problem.bodies[i], &after = run.impact.bodies[i];
    if (body.body.immovable) continue;
    movers.push_back({body.name.starts_with("ball ") ? body.name.substr(5) : body.name,
                      seen(arrangement, body.body.position),
                      {seen(arrangement, before.velocity), seen(arrangement, after.velocity)},
                      {seen_motion(arrangement, before, 2), seen_motion(arrangement, after, 2)}});
  }
  draw_velocities(plot, movers, size, run.answers[0].name);
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
    plot.x.label = line ? "velocity after [m/s]" : "speed after [m/s]";
    for (std::size_t i = moving.size(); i-- > 0;) plot.y.categories.push_back(arrangement.bodies[moving[i]].name);
  }
  std::size_t index = 0;
  // Each body has a row, the first one on top; in it, each method has a line of its own.
  const auto count = static_cast<double>(run.answers.size());
  const double apart = std::min(0.16, 0.7 / count);
  const auto row = [&](std::size_t i) { return static_cast<double>(moving.size() - i); };
  for (const MethodAnswer& answer : run.answers) {
    if (answer.bodies.empty()) continue;
    const double shift = apart * (0.5 * (count - 1.0) - static_cast<double>(index));
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
    for (std::size_t i = 0; i < moving.size(); ++i) {
      const Eigen::Vector3d& v = answer.bodies[moving[i]].velocity;
      plot.markers.push_back(
          {{line ? v[arrangement.view[0]] : v.norm(), row(i) + shift}, shape, color, "", i == 0 ? answer.name : ""});
    }
  }
  for (std::size_t b = 0; b < scenario.beside.size() && !one; ++b)
    for (std::size_t i = 0; i < moving.size(); ++i)
      plot.markers.push_back({{scenario.beside[b].velocities[moving[i]], row(i)},
                              b == 0 ? MarkerShape::ring : MarkerShape::cross,
                              b == 0 ? Color::ink : Color::muted,
                              "",
                              i == 0 ? scenario.beside[b].name : ""});
  return plot;
}

/// The same for more bodies than have room: over the number of the body, a curve for each method.
Plot profile_plot(const CollideScenario& scenario, const CollideRun& run) {
  const Arrangement& arrangement = run.arrangement;
  const bool line = is_one_dimensional(run);
  Plot plot;
  plot.name = "velocities";
  plot.title = line ? "Velocities after" : "Speeds after";
  plot.caption = "Bodies by their number in the list, from 1.";
  plot.x.label = "body";
  plot.y.label = line ? "velocity after [m/s]" : "speed after [m/s]";
  std::size_t index = 0;
  for (const MethodAnswer& answer : run.answers) {
    if (answer.bodies.empty()) continue;
    report::Curve curve{{}, {colors[index++ % std::size(colors)], Dash::solid, 2.0}, answer.name};
    for (std::size_t i = 0; i < answer.bodies.size(); ++i) {
      if (arrangement.bodies[i].body.immovable) continue;
      const Eigen::Vector3d& v = answer.bodies[i].velocity;
      curve.points.push_back({static_cast<double>(i + 1), line ? v[arrangement.view[0]] : v.norm()});
    }
    plot.curves.push_back(std::move(curve));
  }
  for (std::size_t b = 0; b < scenario.beside.size(); ++b) {
    report::Curve curve{{}, {b == 0 ? Color::ink : Color::muted, Dash::dashed, 1.6}, scenario.beside[b].name};
    for (std::size_t i = 0; i < scenario.beside[b].velocities.size(); ++i)
      if (!arrangement.bodies[i].body.immovable)
        curve.points.push_back({static_cast<double>(i + 1), scenario.beside[b].velocities[i]});
    plot.curves.push_back(std::move(curve));
  }
  return plot;
}

/// So many curves are told apart by colour and dash; the others are thin.
constexpr std::size_t coloured = 10;

/// Contacts whose curves coincide (mirror images) share one.
struct Group {
  std::vector<std::size_t> contacts;
  double impulse = 0.0;
  std::size_t peak = 0;  // sample of the largest force: where another curve is most likely to differ
};

std::vector<Group> groups_of(const CollideRun& run, const std::vector<SimultaneousSample>& trace) {
  constexpr double same = 1e-6;  // of the largest force: no eye tells them apart
  double largest = 0.0;
  for (const auto& sample : trace)
    for (const auto& contact : sample.contacts) largest = std::max(largest, contact.force);
  std::vector<Group> groups;
  for (std::size_t k = 0; k < run.problem.contacts.size(); ++k) {
    const auto joins = [&](const Group& group) {
      const auto near = [&](const SimultaneousSample& s) {
        return std::abs(s.contacts[k].force - s.contacts[group.contacts[0]].force) <= same * largest;
      };
      return near(trace[group.peak]) && std::all_of(trace.begin(), trace.end(), near);
    };
    const auto group = std::find_if(groups.begin(), groups.end(), joins);
    if (group != groups.end()) {
      group->contacts.push_back(k);
      continue;
    }
    const auto peak = std::max_element(trace.begin(), trace.end(), [k](const auto& a, const auto& b) {
      return a.contacts[k].force < b.contacts[k].force;
    });
    groups.push_back({{k}, run.impact.contacts[k].impulse.norm(), static_cast<std::size_t>(peak - trace.begin())});
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
  for (std::size_t g = std::min(groups.size(), coloured + most_weak_curves); g-- > 0;) {
    const bool strong = g < coloured;
    report::Curve curve;
    curve.stroke = {strong ? colors[g % std::size(colors)] : Color::muted,
                    g >= std::size(colors) && strong ? Dash::dashed : Dash::solid, strong ? 2.0 : 0.9};
    for (const SimultaneousSample& sample : trace)
      curve.points.push_back({sample.time, quantity(sample, groups[g].contacts[0])});
    const std::string weaker = groups.size() > coloured + most_weak_curves
                                   ? fmt::format("{} of {} weaker ones", most_weak_curves, groups.size() - coloured)
                                   : "weaker ones";
    curve.legend = strong ? group_name(run, groups[g]) : g == coloured ? weaker : "";
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

/// The names of the contacts as rows of a picture: the first one on top.
std::vector<std::string> contacts_from_below(const CollideRun& run) {
  return {run.arrangement.contact_names.rbegin(), run.arrangement.contact_names.rend()};
}

Plot chain_plot(const CollideRun& run, const std::vector<SimultaneousSample>& trace, double largest) {
  Plot plot;
  plot.name = "force_chain";
  plot.title = "How the force travels";
  const std::size_t contacts = run.problem.contacts.size(), bundle = (contacts + most_rows - 1) / most_rows;
  const std::size_t rows = (contacts + bundle - 1) / bundle;
  plot.caption = bundle == 1 ? "Each row is a contact; colour is the force over the largest one."
                             : fmt::format(
                                   "Each row is the strongest of {} contacts; colour is the force over the "
                                   "largest one.",
                                   bundle);
  plot.x.label = "time [scaled]";
  report::HeatMap map;
  map.label = "normal force [scaled]";
  constexpr std::size_t columns = 240;
  const double end = trace.back().time;
  for (std::size_t i = 0; i <= columns; ++i) map.x_edges.push_back(end * static_cast<double>(i) / columns);
  for (std::size_t row = 0; row <= rows; ++row) map.y_edges.push_back(static_cast<double>(row) + 0.5);
  for (std::size_t row = rows; row-- > 0;) plot.y.categories.push_back(run.arrangement.contact_names[row * bundle]);
  const auto strongest = [&](const SimultaneousSample& sample, std::size_t row) {
    double force = 0.0;
    for (std::size_t k = row * bundle; k < std::min((row + 1) * bundle, contacts); ++k)
      force = std::max(force, sample.contacts[k].force);
    return force;
  };
  for (std::size_t row = rows; row-- > 0;) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < columns; ++i) {
      const double t = end * (static_cast<double>(i) + 0.5) / columns;
      while (at + 2 < trace.size() && trace[at + 1].time < t) ++at;
      const double span = trace[at + 1].time - trace[at].time, share = span > 0.0 ? (t - trace[at].time) / span : 0.0;
      const double f0 = strongest(trace[at], row), f1 = strongest(trace[at + 1], row);
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
  plot.title = groups.empty() ? "Energy in the contacts" : "Energy in every contact";
  plot.caption = groups.empty()
                     ? "What the springs will give back, over the kinetic energy before."
                     : "What each spring will give back, over the kinetic energy before. Contacts that share "
                       "a curve are listed together.";
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

/// What each contact has cost, where there are too many for bars.
Plot losses_profile(const CollideRun& run) {
  Plot plot;
  plot.name = "energy_losses";
  plot.title = "Energy lost at every contact";
  plot.caption = "Contacts by their number in the list, from 1.";
  plot.x.label = "contact";
  plot.y.label = "loss / energy before";
  report::Curve normal{{}, {Color::blue, Dash::solid, 2.0}, "normal impulse"};
  report::Curve friction{{}, {Color::orange, Dash::solid, 2.0}, "friction"};
  bool any = false;
  for (std::size_t k = 0; k < run.impact.contacts.size(); ++k) {
    const ContactOutcome& c = run.impact.contacts[k];
    const auto number = static_cast<double>(k + 1);
    normal.points.push_back({number, c.restitution_loss / run.impact.energy.before});
    friction.points.push_back({number, c.friction_loss / run.impact.energy.before});
    any = any || c.friction_loss > 0.0;
  }
  plot.curves.push_back(std::move(normal));
  if (any) plot.curves.push_back(std::move(friction));
  return plot;
}

/// What each contact has cost, as bars: normally, and beside it by friction.
Plot losses_plot(const CollideRun& run) {
  Plot plot;
  plot.name = "energy_losses";
  plot.title = "Energy lost at every contact";
  plot.x.label = "loss / energy before";
  plot.y.categories = contacts_from_below(run);
  const std::size_t contacts = run.problem.contacts.size();
  plot.x.low = 0.0;
  const double width = std::clamp(300.0 / static_cast<double>(contacts), 6.0, 20.0);
  double highest = 0.0;
  bool named[2] = {false, false};
  for (std::size_t k = 0; k < contacts; ++k) {
    const ContactOutcome& c = run.impact.contacts[k];
    const double row = static_cast<double>(contacts - k), normal = c.restitution_loss / run.impact.energy.before,
                 end = normal + c.friction_loss / run.impact.energy.before;
    highest = std::max(highest, end);
    const auto bar = [&](double from, double to, Color color, const char* legend, bool& told) {
      if (!(to > from)) return;
      plot.curves.push_back({{{from, row}, {to, row}}, {color, Dash::solid, width}, told ? "" : legend});
      told = true;
    };
    bar(0.0, normal, Color::blue, "normal impulse", named[0]);
    bar(normal, end, Color::orange, "friction", named[1]);
  }
  plot.x.high = 1.08 * highest;
  return plot;
}

}  // namespace

std::vector<Plot> collide_pictures(const CollideScenario& scenario, const CollideRun& run) {
  const bool many = run.problem.bodies.size() > most_rows;
  std::vector<Plot> plots = {many ? profile_plot(scenario, run) : velocities_plot(run)};
  if (!many && (run.answers.size() > 1 || !scenario.beside.empty())) plots.push_back(methods_plot(scenario, run));
  for (Plot& plot : slip_diagram_pictures(scenario, run)) plots.push_back(std::move(plot));
  if (!run.roll_outs.empty()) plots.push_back(roll_out_plot(run));
  if (!run.steps.empty())
    if (Plot plot = steps_error_plot(run); !plot.curves.empty()) plots.push_back(std::move(plot));
  if (run.impact.verdict == Verdict::no_impact || run.path.size() < 2) return plots;
  const std::vector<SimultaneousSample>& trace = run.path;
  const bool crowded = run.problem.contacts.size() > most_rows;
  const std::vector<Group> groups = crowded ? std::vector<Group>() : groups_of(run, trace);
  double largest = 0.0;
  for (const auto& sample : trace)
    for (const auto& contact : sample.contacts) largest = std::max(largest, contact.force);
  if (largest > 0.0) {
    if (!crowded) plots.push_back(forces_plot(run, trace, groups, largest));
    if (run.problem.contacts.size() > 2) plots.push_back(chain_plot(run, trace, largest));
    plots.push_back(stored_plot(run, trace, groups));
  }
  // A single bar would repeat the key numbers.
  if (run.problem.contacts.size() > 1 &&
      run.impact.energy.restitution_loss + run.impact.energy.friction_loss > 1e-9 * run.impact.energy.before)
    plots.push_back(crowded ? losses_profile(run) : losses_plot(run));
  if (run.outcomes)
    for (Plot& plot : outcome_pictures(run)) plots.push_back(std::move(plot));
  return plots;
}

}  // namespace carom::scenario
