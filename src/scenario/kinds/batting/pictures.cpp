#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "batting.hpp"
#include "pictures/lines.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::MarkerShape;
using report::Plot;
using report::Point;

constexpr int samples = 120;

/// Points of a closed form, a general plan, or none.
Color color_of(const BattingTarget& one) {
  return !one.plan.found ? Color::red : one.closed_forms.empty() ? Color::green : Color::blue;
}

Eigen::Vector3d position_at(const BattingProblem& p, const Eigen::Vector3d& impulse, double time) {
  return p.position + time * (p.velocity + impulse / p.mass) - 0.5 * p.gravity * time * time * Eigen::Vector3d::UnitZ();
}

Plot flight_picture(const BattingScenario& s, const BattingRun& run, const char* name, const char* title, int right,
                    int up) {
  const char* axis[] = {"$x$ [m]", "$y$ [m]", "$z$ [m]"};
  Plot plot = empty_plot(name, title,
                         "From where it is struck the object flies through each target. Blue: a plan in closed form "
                         "exists; green: only the general method finds one; red: out of reach.",
                         axis[right], axis[up]);
  plot.equal_scale = true;
  if (s.bodies)
    for (std::size_t i = 0; i < 2; ++i)
      if (auto edge = edge_of((*s.bodies)[i], right, up); !edge.empty())
        plot.curves.push_back({std::move(edge), {i == 0 ? Color::ink : Color::muted, Dash::solid, 1.3}, "", true});
  const BattingProblem& p = run.targets.front().problem;
  // As long as a quarter of the way to the target.
  const double way = 0.25 * (p.target - p.position).norm(), speed = p.velocity.norm();
  const double before = p.gravity > 0.0 ? (std::sqrt(speed * speed + 2.0 * p.gravity * way) - speed) / p.gravity
                        : speed > 0.0   ? way / speed
                                        : 0.0;
  report::Curve arrival{{}, {Color::muted, Dash::dashed, 1.3}, "before the impact"};
  for (int i = -20; i <= 0; ++i) {
    const Eigen::Vector3d at = position_at(p, Eigen::Vector3d::Zero(), before * i / 20.0);
    arrival.points.push_back({at[right], at[up]});
  }
  plot.curves.push_back(std::move(arrival));
  bool named[3] = {false, false, false};
  for (const BattingTarget& one : run.targets) {
    const Color color = color_of(one);
    const std::size_t which = color == Color::blue ? 0 : color == Color::green ? 1 : 2;
    static const char* const words[] = {"closed form exists", "general method", "out of reach"};
    const std::string legend = named[which] ? "" : words[which];
    named[which] = true;
    if (one.plan.found) {
      report::Curve path{{}, {color, Dash::solid, 1.8}, legend};
      for (int i = 0; i <= samples; ++i) {
        const Eigen::Vector3d at =
            position_at(one.problem, one.plan.shot.impulse, one.plan.shot.flight_time * i / samples);
        path.points.push_back({at[right], at[up]});
      }
      plot.curves.push_back(std::move(path));
    }
    plot.markers.push_back({{one.problem.target[right], one.problem.target[up]},
                            one.plan.found ? MarkerShape::circle : MarkerShape::cross,
                            color,
                            run.targets.size() == 1 ? "target" : "",
                            one.plan.found ? "" : legend});
  }
  return plot;
}

/// An impulse or parabola cut across at a normal part of one.
Point across(const Eigen::Vector3d& v) { return {v[0] / v[2], v[1] / v[2]}; }

report::Curve circle(double radius, report::Stroke stroke, std::string legend) {
  report::Curve out{{}, stroke, std::move(legend), true};
  for (int i = 0; i < 180; ++i) {
    const double angle = std::numbers::pi * i / 90.0;
    out.points.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  return out;
}

/// The solution curve across the cone, as far as it is of interest.
void add_solution_curve(Plot& plot, const BattingProblem& p) {
  const double reach = 1.6 * std::max(p.material.friction, 0.05);
  const Eigen::Vector3d alpha = p.target - p.position;
  const double unit = p.gravity > 0.0 ? std::sqrt(2.0 * alpha.norm() / p.gravity) : 1.0;
  bool named = false;
  report::Curve piece{{}, {Color::orange, Dash::solid, 2.2}, ""};
  const auto close = [&] {
    if (piece.points.size() > 1) {
      piece.legend = named ? "" : "impulses to the target, by time of flight";
      named = true;
      plot.curves.push_back(piece);
    }
    piece.points.clear();
  };
  for (int i = 0; i <= 3000; ++i) {
    const double time = unit * 0.02 * std::pow(5000.0, i / 3000.0);
    const Eigen::Vector3d q = p.frame.transpose() * solution_impulse(p, time);
    const bool inside = q[2] > 0.0 && q.head<2>().norm() <= reach * q[2];
    if (!inside) close();
    if (inside) piece.points.push_back(across(q));
  }
  close();
}

Plot cone_plot(const char* name, const char* title, const char* caption, double friction) {
  Plot plot = empty_plot(name, title, caption, "$I_{t1}/I_n$", "$I_{t2}/I_n$");
  plot.equal_scale = plot.axes_at_zero = true;
  plot.curves.push_back(circle(friction, {Color::ink, Dash::solid, 1.6}, "edge of the friction cone"));
  return plot;
}

}  // namespace

std::vector<Plot> flight_pictures(const BattingScenario& s, const BattingRun& run) {
  return {flight_picture(s, run, "flight_side", "Flights to the target, from the side", 0, 2),
          flight_picture(s, run, "flight_top", "Flights to the target, from above", 0, 1)};
}

Plot cone_picture(const BattingTarget& target) {
  const BattingProblem& p = target.problem;
  Plot plot = cone_plot("impulse_cone", "Impulse cone and solution curve",
                        "The friction cone cut across. Every point of the orange curve inside it is a plan. Where it "
                        "meets a blue line, the impulses of straight slip, there is one in closed form.",
                        p.material.friction);
  bool named = false;
  for (const ImpulseCone& cone : impulse_cones(p.inverse_inertia, p.material.friction)) {
    plot.curves.push_back(line({across(cone.rest), across(cone.slip)}, Color::blue,
                               named ? "" : "impulses of slip along an invariant direction"));
    named = true;
  }
  add_solution_curve(plot, p);
  for (const ClosedFormPlan& plan : target.closed_forms)
    plot.markers.push_back({across(p.frame.transpose() * plan.impulse), MarkerShape::ring, Color::blue,
                            std::string("case ") + name(plan.which), "closed form"});
  if (target.closed_forms.size() > 1)
    for (std::size_t i = plot.markers.size() - target.closed_forms.size() + 1; i < plot.markers.size(); ++i)
      plot.markers[i].legend.clear();
  if (target.plan.found)
    plot.markers.push_back(
        {across(p.frame.transpose() * target.plan.shot.impulse), MarkerShape::circle, Color::red, "plan", "the plan"});
  return plot;
}

Plot times_picture(const BattingTarget& target) {
  const BattingProblem& p = target.problem;
  Plot plot = empty_plot("flight_times", "What a time of flight takes",
                         "Every time at which the impulse lies inside the friction cone (here 2 % away from its edge) "
                         "gives a plan.",
                         "time of flight [s]", "impulse [N s], speed [m/s]");
  report::Curve impulse{{}, {Color::orange, Dash::solid, 2.0}, "impulse"},
      speed{{}, {Color::blue, Dash::solid, 2.0}, "speed of a bat that does not turn"};
  std::vector<FlightTimes> intervals = feasible_times(p, cone_margins[0]);
  if (intervals.empty()) intervals = feasible_times(p);
  double least = std::numeric_limits<double>::infinity();
  for (const FlightTimes& t : intervals) {
    const double low = std::max(t.low, 0.05 * t.high), high = std::min(t.high, 6.0 * low);
    for (int i = 0; i <= samples; ++i) {
      const double time = low + (high - low) * (0.001 + 0.998 * i / samples);
      const Eigen::Vector3d needed = solution_impulse(p, time);
      const auto v = contact_velocity_for(p, needed);
      if (!v) continue;
      impulse.points.push_back({time, needed.norm()});
      speed.points.push_back({time, (p.point_velocity - *v).norm()});
      least = std::min({least, needed.norm(), speed.points.back().y});
    }
  }
  const double most = 4.0 * least;
  plot.y.low = 0.0;
  if (std::isfinite(most)) plot.y.high = most;
  for (report::Curve* curve : {&impulse, &speed}) {
    std::erase_if(curve->points, [&](const Point& x) { return x.y > most; });
    if (curve->points.size() > 1) plot.curves.push_back(*curve);
  }
  if (target.plan.found && target.plan.shot.bat_speed <= most)
    plot.markers.push_back({{target.plan.shot.flight_time, target.plan.shot.bat_speed},
                            MarkerShape::circle,
                            Color::red,
                            "plan",
                            "the plan: bat"});
  if (target.plan.found && target.plan.shot.impulse.norm() <= most)
    plot.markers.push_back({{target.plan.shot.flight_time, target.plan.shot.impulse.norm()},
                            MarkerShape::ring,
                            Color::red,
                            "",
                            "the plan: impulse"});
  return plot;
}

Plot triangle_picture(const BattingTarget& target) {
  const TriangleRun& run = *target.triangle;
  Plot plot = empty_plot("triangle_rounds", "Rounds of the bounding triangle",
                         "Where the flights of three contact velocities pass the plane through the target across OQ. "
                         "Each round replaces one of them, and the target stays inside.",
                         "across [m]", "up [m]");
  plot.equal_scale = plot.axes_at_zero = true;
  const std::size_t count = run.history.size();
  for (std::size_t i = 0; i < count; ++i) {
    const bool first = i == 0, last = i + 1 == count;
    report::Curve edge{{},
                       {last    ? Color::red
                        : first ? Color::ink
                                : Color::sky,
                        Dash::solid, first || last ? 2.0 : 1.2},
                       first    ? "bounding triangle"
                       : last   ? "after the last round"
                       : i == 1 ? "rounds between"
                                : "",
                       true};
    for (const Eigen::Vector2d& corner : run.history[i].projections) edge.points.push_back({corner[0], corner[1]});
    plot.curves.push_back(std::move(edge));
  }
  plot.markers.push_back({{0.0, 0.0}, MarkerShape::circle, Color::orange, "target", "target"});
  return plot;
}

Plot swept_picture(const BattingScenario& s, const BattingTarget& target) {
  const BattingProblem& p = target.problem;
  Plot plot = cone_plot("swept_cones", "Impulses of straight slip as the bat is tilted",
                        "Each tilt of the bat has its own lines (blue), here in the axes of the contact as it was. "
                        "Together they sweep a good part of the cone: the orange curve of impulses to the target "
                        "meets many of them.",
                        p.material.friction);
  const BattingScene scene = scene_of(s, p.target, target.approach);
  bool named = false;
  const double most = s.moves->most_tilt;
  const int tilts = std::max(s.moves->tilts, 2);
  for (int i = 0; i < tilts; ++i)
    for (int j = 0; j < tilts; ++j) {
      const Eigen::Vector2d tilt(most * (2.0 * i / (tilts - 1) - 1.0), most * (2.0 * j / (tilts - 1) - 1.0));
      const BatPose pose = moved_bat(scene, tilt, Eigen::Vector2d::Zero(), object_radius(s));
      const BattingProblem there = batting_problem(scene.object, pose.bat, pose.contact, p.material, p.target);
      const Eigen::Matrix3d turn = p.frame.transpose() * there.frame;
      for (const ImpulseCone& cone : impulse_cones(there.inverse_inertia, p.material.friction)) {
        const Eigen::Vector3d rest = turn * cone.rest, slip = turn * cone.slip;
        if (rest[2] <= 0.0 || slip[2] <= 0.0) continue;
        plot.curves.push_back({{across(rest), across(slip)},
                               {Color::blue, Dash::solid, 0.6},
                               named ? "" : "impulses of straight slip, all tilts"});
        named = true;
      }
    }
  add_solution_curve(plot, p);
  if (target.search->plan.found)
    plot.markers.push_back({across(p.frame.transpose() * target.search->plan.shot.impulse), MarkerShape::circle,
                            Color::red, "plan", "the plan with the bat moved"});
  return plot;
}

Plot hits_picture(const BattingScenario& s, const BattingRun& run) {
  const BattingCertainty& c = *run.targets.front().certainty;
  Plot plot = empty_plot("hits", "Where the object passes the target",
                         "In the plane through the target across the flight. The ellipse follows from the derivatives "
                         "of the impact; the crosses are impacts with random errors.",
                         "across [m]", "up [m]");
  plot.equal_scale = plot.axes_at_zero = true;
  constexpr std::size_t most = 150;
  for (std::size_t i = 0; i < std::min(most, run.hits.size()); ++i)
    plot.markers.push_back(
        {{run.hits[i][0], run.hits[i][1]}, MarkerShape::cross, Color::muted, "", i == 0 ? "random errors" : ""});
  const Eigen::Vector2d minor(-c.major[1], c.major[0]);
  const auto ellipse = [&](double share, Color color, const char* legend) {
    report::Curve out{{}, {color, Dash::solid, 2.2}, legend, true};
    const double k = ellipse_factor(share, is_flat(c));
    for (int i = 0; i < 180; ++i) {
      const double angle = std::numbers::pi * i / 90.0;
      const Eigen::Vector2d x =
          k * (c.semi_axes[0] * std::cos(angle) * c.major + c.semi_axes[1] * std::sin(angle) * minor);
      out.points.push_back({x[0], x[1]});
    }
    plot.curves.push_back(std::move(out));
  };
  ellipse(s.spread->share, Color::blue, "ellipse of the stated share");
  ellipse(0.5, Color::orange, "half of the hits");
  plot.markers.push_back({{0.0, 0.0}, MarkerShape::circle, Color::red, "target", "target"});
  return plot;
}

}  // namespace carom::scenario
