#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "pictures/colors.hpp"
#include "views.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Curve;
using report::Dash;
using report::MarkerShape;
using report::Plot;
using report::Point;

/// More bodies than this are drawn without paths and names.
constexpr std::size_t most_paths = 40, most_named = 16;
/// More bodies than this are not drawn as a strobe light shows them, nor beside those of other runs.
constexpr std::size_t most_strobed = 3;
/// More impacts than this are not marked on paths and world lines.
constexpr std::size_t most_marked = 60;

const char* const axes[] = {"x", "y", "z"};
std::string axis_label(int axis) { return fmt::format("${}$ [m]", axes[axis]); }

std::vector<std::size_t> movable(const WorldProblem& problem) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i)
    if (!problem.bodies[i].body.immovable) all.push_back(i);
  return all;
}

Color color_of(std::size_t rank) { return colors[rank % std::size(colors)]; }

std::string brief(const std::string& name) { return name.starts_with("ball ") ? name.substr(5) : name; }

Curve path_of(const WorldTrack& track, std::size_t body, const WorldView& view, report::Stroke stroke) {
  Curve curve{{}, stroke, ""};
  for (const report::Keyframe& key : track.paths[body]) curve.points.push_back(seen(view, key.position));
  return curve;
}

/// The stretches of a path on which a ball slides, drawn thick.
void mark_sliding(const WorldTrack& run, std::size_t body, const WorldView& view, Color color, Plot& plot) {
  constexpr double thick = 3.6;
  Curve stretch{{}, {color, Dash::solid, thick}, ""};
  const auto end = [&] {
    if (stretch.points.size() > 1) plot.curves.push_back(stretch);
    stretch.points.clear();
  };
  for (const WorldFrame& frame : run.frames) {
    if (frame.bodies[body].state == WorldBodyState::slides)
      stretch.points.push_back(seen(view, frame.bodies[body].position));
    else
      end();
  }
  end();
}

/// Where the contacts were, or where the bodies were struck if these are too big to be drawn.
void mark_impacts(const WorldTrack& run, const WorldView& view, bool at_contact, Plot& plot) {
  constexpr std::size_t most_numbered = 5;  // later ones crowd together
  std::size_t number = 0;
  for (const KeptEvent& kept : run.first) {
    if (kept.event.type != WorldEventType::impact && kept.event.type != WorldEventType::presses) continue;
    ++number;
    for (const WorldContact& contact : kept.event.contacts) {
      const bool first = contact.first == kept.event.contacts.front().first;
      plot.markers.push_back(
          {seen(view, at_contact ? contact.point : kept.position), MarkerShape::cross, Color::red,
           first && number <= most_numbered ? fmt::format("{}", number) : "",
           number == 1 && &contact == &kept.event.contacts.front() ? (run.touches > 0 ? "touches" : "impacts") : ""});
    }
  }
}

Plot paths_plot(const WorldResult& result, const WorldView& view) {
  const WorldTrack& run = result.own;
  const WorldProblem& problem = result.arrangement.problem;
  const std::vector<std::size_t> bodies = movable(problem);
  const bool few = bodies.size() <= most_strobed, with_paths = bodies.size() <= most_paths;
  const bool with_solids = std::any_of(bodies.begin(), bodies.end(), [&](std::size_t i) {
    return !is_ball(problem.bodies[i]);  // a path alone says nothing of how they tumble
  });
  const bool with_rings = !with_paths || with_solids || !is_big(result);
  Plot plot;
  plot.name = view.name;
  plot.title = (with_paths ? "The paths, " : "Start and end, ") + std::string(view.title);
  if (with_paths) plot.caption = "Paths of the centres. ";
  const bool on_table = !problem.cushions.empty() && with_paths;
  if (on_table) plot.caption += "Thick: the ball slides, thin: it rolls. ";
  if (with_rings) plot.caption += "Dotted: the bodies at the start; full: at the end.";
  plot.x.label = axis_label(view.right);
  plot.y.label = axis_label(view.up);
  plot.equal_scale = true;
  draw_surroundings(problem, view, plot);
  if (few)
    for (std::size_t k = 0; k < result.beside.size(); ++k)
      for (const std::size_t i : bodies) {
        plot.curves.push_back(path_of(result.beside[k], i, view, {Color::muted, beside_dash(k), 1.6}));
        if (i == bodies.front()) plot.curves.back().legend = result.beside[k].name;
      }
  for (std::size_t rank = 0; rank < bodies.size(); ++rank) {
    const std::size_t i = bodies[rank];
    const WorldBody& what = problem.bodies[i];
    const auto ring = [&](const Body& at, report::Stroke stroke) {
      if (is_ball(what))
        plot.curves.push_back(circle(seen(view, at.position), reach_of(what), stroke));
      else
        draw_edges(view, what, at.position, at.orientation, {}, stroke, "", plot);
    };
    const Color color = color_of(rank);
    const Point to = seen(view, run.final[i].body.position);
    if (with_rings) {
      ring(what.body, {with_paths ? color : Color::muted, Dash::dotted, 1.2});
      ring(run.final[i].body, {color, Dash::solid, 1.6});
    }
    if (with_paths) plot.curves.push_back(path_of(run, i, view, {color, Dash::solid, few && !on_table ? 2.0 : 1.4}));
    if (on_table) mark_sliding(run, i, view, color, plot);
    if (bodies.size() > 1 && bodies.size() <= most_named)
      plot.markers.push_back({to, MarkerShape::circle, color, brief(result.arrangement.names[i]), ""});
  }
  if (!result.beside.empty() && few) plot.curves.back().legend = "this scene";
  if (run.impacts + run.touches <= most_marked && few) mark_impacts(run, view, with_rings, plot);
  return plot;
}

/// Whether there is potential energy to be seen, and its ups and downs can be told apart.
bool shows_potential(const WorldTrack& run) {
  constexpr int most_turns = 60;
  double highest = -INFINITY, lowest = INFINITY, kinetic = 0.0, last = 0.0, rising = 0.0;
  int turns = 0;
  for (const EnergyAt& at : run.energies) {
    if (lowest <= highest && (at.potential - last) * rising < 0.0) ++turns;
    if (lowest <= highest && at.potential != last) rising = at.potential - last;
    last = at.potential;
    highest = std::max(highest, at.potential), lowest = std::min(lowest, at.potential);
    kinetic = std::max(kinetic, at.kinetic);
  }
  return turns <= most_turns && highest - lowest > 1e-9 * (kinetic + highest - lowest);
}

/// Energy over time, every impact a step.
Plot energy_plot(const WorldResult& result) {
  Plot plot;
  plot.name = "energy";
  plot.title = "Energy over time";
  plot.x.label = "time [s]";
  plot.y.label = "energy [J]";
  double lowest = INFINITY;
  for (const EnergyAt& at : result.own.energies) lowest = std::min(lowest, at.potential);
  const bool potential = result.arrangement.problem.gravity.norm() > 0.0 && shows_potential(result.own);
  plot.caption = potential ? "Kinetic and potential; the latter from the lowest state of the run."
                           : "Kinetic and potential together, from the lowest state of the run.";
  if (result.own.touches > 0) plot.caption += " The total includes what springs of contacts hold.";
  if (!result.beside.empty()) plot.caption += " Dashed and dotted: the total of the same scene with something else.";
  struct Part {
    const char* legend;
    Color color;
    double kinetic, potential;
  };
  const std::vector<Part> parts = potential ? std::vector<Part>{{"kinetic", Color::blue, 1, 0},
                                                                {"potential", Color::orange, 0, 1},
                                                                {"total", Color::ink, 1, 1}}
                                            : std::vector<Part>{{"total", Color::ink, 1, 1}};
  const auto curve_of = [&](const WorldTrack& track, const Part& part, report::Stroke stroke, std::string legend) {
    Curve curve{{}, stroke, std::move(legend)};
    for (const EnergyAt& at : track.energies)
      curve.points.push_back({at.time, part.kinetic * at.kinetic + part.potential * (at.potential - lowest) +
                                           part.kinetic * part.potential * at.stored});
    return curve;
  };
  for (const Part& part : parts)
    plot.curves.push_back(curve_of(result.own, part, {part.color, Dash::solid, 1.8}, part.legend));
  for (std::size_t k = 0; k < result.beside.size(); ++k)
    plot.curves.push_back(curve_of(result.beside[k], parts.back(),
                                   {colors[(k + 2) % std::size(colors)], beside_dash(k), 1.8},
                                   "total, " + result.beside[k].name));
  plot.y.low = 0.0;
  return plot;
}

/// Which bodies were struck when: a line for each contact between two of them, a dot for one with a plane or tube.
Plot impacts_plot(const WorldResult& result, const std::vector<std::size_t>& bodies) {
  Plot plot;
  plot.name = "space_time";
  plot.title = "Which bodies were struck when";
  plot.caption = "A line joins two bodies that struck each other, a dot is a body that struck something immovable.";
  if (result.own.marks_every > 1)
    plot.caption += fmt::format(" Of many contacts every {}th is shown.", result.own.marks_every);
  plot.x.label = "time [s]";
  plot.x.low = 0.0;
  for (const std::size_t body : bodies) plot.y.categories.push_back(result.arrangement.names[body]);
  plot.y.low = 0.5;
  plot.y.high = static_cast<double>(bodies.size()) + 0.5;
  std::vector<double> rank(result.arrangement.problem.bodies.size(), 0.0);
  for (std::size_t k = 0; k < bodies.size(); ++k) rank[bodies[k]] = static_cast<double>(k + 1);
  for (const ImpactMark& mark : result.own.marks) {
    const bool pair = mark.second && rank[*mark.second] > 0.0 && rank[mark.first] > 0.0;
    if (pair)
      plot.curves.push_back(
          {{{mark.time, rank[mark.first]}, {mark.time, rank[*mark.second]}}, {Color::blue, Dash::solid, 1.2}, ""});
    else
      plot.markers.push_back({{mark.time, rank[mark.first] > 0.0 ? rank[mark.first] : rank[*mark.second]},
                              MarkerShape::circle,
                              Color::orange,
                              "",
                              ""});
  }
  return plot;
}

/// Where impacts were over time: of many bodies it does not matter which ones.
Plot impacts_in_space_plot(const WorldResult& result) {
  // The height, but not of balls on a table.
  Eigen::Vector3d low = Eigen::Vector3d::Constant(INFINITY), high = -low;
  for (const ImpactMark& mark : result.own.marks) low = low.cwiseMin(mark.point), high = high.cwiseMax(mark.point);
  int axis = vertical_axis(result.arrangement.problem), widest = 0;
  const double most = (high - low).maxCoeff(&widest);
  if ((high - low)[axis] < 0.2 * most) axis = widest;
  Plot plot;
  plot.name = "space_time";
  plot.title = "Where bodies were struck when";
  if (result.own.marks_every > 1)
    plot.caption = fmt::format("Of many contacts every {}th is shown.", result.own.marks_every);
  plot.x.label = "time [s]";
  plot.x.low = 0.0;
  plot.y.label = axis_label(axis);
  bool pairs = false, walls = false;
  for (const ImpactMark& mark : result.own.marks) {
    const bool pair = mark.second.has_value();
    const bool first = !std::exchange(pair ? pairs : walls, true);
    plot.markers.push_back({{mark.time, mark.point[axis]},
                            MarkerShape::dot,
                            pair ? Color::blue : Color::orange,
                            "",
                            !first ? ""
                            : pair ? "two bodies"
                                   : "a body and something immovable"});
  }
  return plot;
}

/// World lines along one axis, with the impacts.
Plot world_lines_plot(const WorldResult& result, const std::vector<std::size_t>& bodies, int axis) {
  const WorldTrack& run = result.own;
  Plot plot;
  plot.name = "world_lines";
  plot.title = "Where the bodies are over time";
  plot.caption = "Centres. Crosses: impacts.";
  // What comes after many impacts is too dense to be seen.
  double end = run.time;
  if (run.marks.size() > most_marked && run.marks_every == 1) end = std::min(end, run.marks[most_marked].time);
  if (end < run.time) plot.caption += fmt::format(" The first {:.3g} s.", end);
  plot.x.label = "time [s]";
  plot.y.label = axis_label(axis);
  for (std::size_t rank = 0; rank < bodies.size(); ++rank) {
    Curve line{{},
               {color_of(rank), Dash::solid, 1.6},
               bodies.size() <= std::size(colors) ? result.arrangement.names[bodies[rank]] : ""};
    for (const report::Keyframe& key : run.paths[bodies[rank]])
      if (key.time <= end) line.points.push_back({key.time, key.position[axis]});
    plot.curves.push_back(std::move(line));
  }
  for (const KeptEvent& kept : run.first)
    for (const WorldContact& contact : kept.event.contacts)
      if (kept.event.time <= end)
        plot.markers.push_back({{kept.event.time, contact.point[axis]}, MarkerShape::cross, Color::red, "", ""});
  return plot;
}

/// How fast the first of a row of pendulums goes, over time: Newton's cradle until all swing as one.
Plot first_ball_plot(const WorldResult& result, std::size_t body, int axis) {
  Plot plot;
  plot.name = "first_ball";
  plot.title = "Velocity of " + result.arrangement.names[body];
  plot.caption = "Along the row. Steps: impacts.";
  plot.x.label = "time [s]";
  plot.y.label = "velocity [m/s]";
  plot.axes_at_zero = true;
  const auto curve_of = [&](const WorldTrack& track, report::Stroke stroke, const std::string& legend) {
    Curve curve{{}, stroke, legend};
    for (const WorldFrame& frame : track.frames)
      curve.points.push_back({frame.time, frame.bodies[body].velocity[axis]});
    return curve;
  };
  for (std::size_t k = 0; k < result.beside.size(); ++k)
    plot.curves.push_back(
        curve_of(result.beside[k], {colors[(k + 1) % std::size(colors)], beside_dash(k), 1.0}, result.beside[k].name));
  plot.curves.push_back(
      curve_of(result.own, {Color::blue, Dash::solid, 1.2}, result.beside.empty() ? "" : "this scene"));
  return plot;
}

/// Velocity or spin of the only movable body over time, by components; impacts are steps.
struct Course {
  const char *name, *title, *label, *symbol;
  bool spin;
};

std::vector<std::pair<double, Eigen::Vector3d>> course_of(const WorldTrack& track, const WorldBody& body,
                                                          std::size_t index, bool spin) {
  std::vector<std::pair<double, Eigen::Vector3d>> course;
  for (const KeptEvent& kept : track.first) {
    if (kept.event.type != WorldEventType::impact) continue;
    Eigen::Vector3d before = spin ? kept.spin : kept.velocity;
    for (const WorldContact& contact : kept.event.contacts)
      before -= spin ? Eigen::Vector3d((contact.point - kept.position).cross(contact.impulse) / body.body.inertia(0, 0))
                     : Eigen::Vector3d(contact.impulse / body.body.mass);
    course.emplace_back(kept.event.time, before);
    course.emplace_back(kept.event.time, spin ? kept.spin : kept.velocity);
  }
  for (const WorldFrame& frame : track.frames)
    course.emplace_back(frame.time, spin ? frame.bodies[index].spin : frame.bodies[index].velocity);
  std::stable_sort(course.begin(), course.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return course;
}

/// Of the ball that the cue struck: how fast it goes and its surface runs, about the axis across its way and about the
/// vertical. Where the first two are one it rolls.
Plot spin_plot(const WorldResult& result, std::size_t body) {
  const WorldProblem& problem = result.arrangement.problem;
  const double radius = std::get<Sphere>(problem.bodies[body].shape).radius;  // a shot strikes solid balls only
  Plot plot;
  plot.name = "cue_ball";
  plot.title = "Speed and spin of the ball that the cue struck";
  plot.caption =
      "The surface runs at the radius times the spin: forwards about the axis across the way (below zero: draw), "
      "sideways about the vertical (above zero: counter-clockwise seen from above). Speed and forwards are one where "
      "it "
      "rolls.";
  plot.x.label = "time [s]";
  plot.y.label = "speed [m/s]";
  plot.axes_at_zero = true;
  Curve speed{{}, {Color::ink, Dash::solid, 2.0}, "of the centre"},
      forward{{}, {Color::blue, Dash::solid, 1.6}, "of the surface, forwards"},
      side{{}, {Color::orange, Dash::dashed, 1.6}, "of the surface, sideways"};
  for (const WorldFrame& frame : result.own.frames) {
    const SeenBody& ball = frame.bodies[body];
    const Eigen::Vector3d flat(ball.velocity.x(), ball.velocity.y(), 0.0);
    const double along = flat.norm();
    speed.points.push_back({frame.time, along});
    side.points.push_back({frame.time, radius * ball.spin.z()});
    if (along > 0.0)
      forward.points.push_back({frame.time, radius * ball.spin.dot(Eigen::Vector3d::UnitZ().cross(flat)) / along});
  }
  plot.curves = {speed, forward, side};
  return plot;
}

/// In the order of beside_dash.
constexpr const char* dash_names[] = {"Dashed", "Dotted", "Dash-dotted"};

Plot course_plot(const WorldResult& result, std::size_t index, const Course& what) {
  Plot plot;
  plot.name = what.name;
  plot.title = what.title;
  plot.x.label = "time [s]";
  plot.y.label = what.label;
  plot.axes_at_zero = true;
  if (!result.beside.empty()) plot.caption = "Solid: this scene.";
  for (std::size_t k = 0; k < result.beside.size(); ++k)
    plot.caption += fmt::format(" {}: {}.", dash_names[k % std::size(dash_names)], result.beside[k].name);
  const auto course = [&](const WorldTrack& track) {
    return course_of(track, result.arrangement.problem.bodies[index], index, what.spin);
  };
  const auto own = course(result.own);
  double largest = 0.0;
  for (const auto& at : own) largest = std::max(largest, at.second.norm());
  for (int axis = 0; axis < 3; ++axis) {
    const auto curve_of = [&](const std::vector<std::pair<double, Eigen::Vector3d>>& from, report::Stroke stroke,
                              std::string legend) {
      Curve curve{{}, stroke, std::move(legend)};
      for (const auto& at : from) curve.points.push_back({at.first, at.second[axis]});
      return curve;
    };
    // What is below this share of the largest is rounding.
    constexpr double nothing = 1e-9;
    if (std::all_of(own.begin(), own.end(),
                    [&](const auto& at) { return std::abs(at.second[axis]) <= nothing * largest; }))
      continue;
    for (std::size_t k = 0; k < result.beside.size(); ++k)
      plot.curves.push_back(curve_of(course(result.beside[k]), {colors[axis], beside_dash(k), 1.4}, ""));
    plot.curves.push_back(
        curve_of(own, {colors[axis], Dash::solid, 1.8}, fmt::format("${}_{}$", what.symbol, axes[axis])));
  }
  return plot;
}

}  // namespace

report::Dash beside_dash(std::size_t k) {
  constexpr Dash dashes[] = {Dash::dashed, Dash::dotted, Dash::dash_dot};
  return dashes[k % std::size(dashes)];
}

std::vector<Plot> world_pictures(const WorldResult& result) {
  const WorldTrack& run = result.own;
  const WorldProblem& problem = result.arrangement.problem;
  const std::vector<std::size_t> bodies = movable(problem);
  std::vector<Plot> plots;
  if (bodies.empty()) return plots;
  if (bodies.size() <= most_strobed && shows_turning(result)) plots.push_back(strobe_plot(result, bodies));
  for (const WorldView& view : views_of(result)) plots.push_back(paths_plot(result, view));
  if (result.arrangement.struck_ball) plots.push_back(spin_plot(result, *result.arrangement.struck_ball));
  plots.push_back(energy_plot(result));
  const Eigen::Vector3d extent = extent_of(run);
  int along = 0;
  extent.maxCoeff(&along);
  // A row of bodies that keeps its order; what else moves crosses over in such a picture.
  const bool in_row = problem.tubes.empty() && bodies.size() > 1 && bodies.size() <= most_named &&
                      (extent.sum() - extent[along]) <= 0.35 * extent[along];
  if (in_row) plots.push_back(world_lines_plot(result, bodies, along));
  const auto swings = [&](std::size_t i) { return run.frames.front().bodies[i].state == WorldBodyState::swings; };
  if (in_row && !run.frames.empty() && std::all_of(bodies.begin(), bodies.end(), swings))
    plots.push_back(first_ball_plot(result, bodies.front(), along));
  if (bodies.size() > 1 && run.impacts > (in_row ? most_marked : 1))
    plots.push_back(bodies.size() <= most_named ? impacts_plot(result, bodies) : impacts_in_space_plot(result));
  if (bodies.size() == 1) {
    plots.push_back(course_plot(result, bodies[0], {"velocity", "Velocity over time", "velocity [m/s]", "V", false}));
    if (run.fastest_spin > 0.0)
      plots.push_back(course_plot(result, bodies[0], {"spin", "Spin over time", "spin [rad/s]", "\\omega", true}));
  }
  return plots;
}

}  // namespace carom::scenario
