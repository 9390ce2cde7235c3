#include <cmath>
#include <numbers>

#include "impact_spatial.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::Plot;

SpatialProblem start_at(SpatialProblem problem, double angle) {
  problem.space.velocity.head<2>() = Eigen::Vector2d(std::cos(angle), std::sin(angle));
  return problem;
}

struct Look {
  Color color;
  const char* end;
  const char* legend;
};
Look look_of(BundlePath::End end) {
  switch (end) {
    case BundlePath::End::sticks:
      return {Color::ink, "sticks", "comes to rest and sticks"};
    case BundlePath::End::resumes:
      return {Color::purple, "slips on", "comes to rest and slips on"};
    case BundlePath::End::no_impact:
      return {Color::muted, "no impact", ""};
    case BundlePath::End::slips:
      break;
  }
  return {Color::orange, "slips to the end", "separates still slipping"};
}

}  // namespace

BundlePath::End BundlePath::end() const {
  if (impact.verdict == Verdict::no_impact) return End::no_impact;
  bool rests = false, resumes = false;
  for (const auto& event : impact.events) {
    rests |= event.type == EventType::slip_ends;
    resumes |= event.type == EventType::slip_resumes;
  }
  return resumes ? End::resumes : rests ? End::sticks : End::slips;
}

std::vector<BundlePath> run_bundle(const SpatialProblem& problem, int count, std::optional<double> straight_within) {
  std::vector<BundlePath> paths;
  for (int i = 0; i < count; ++i) paths.push_back({2.0 * std::numbers::pi * i / count, false, false, {}});
  const InvariantDirections rays = invariant_directions(problem.space.inverse_inertia, problem.material.friction);
  for (const auto& ray : rays.directions) {
    const double angle = std::atan2(ray.direction[1], ray.direction[0]);
    paths.push_back({angle < 0.0 ? angle + 2.0 * std::numbers::pi : angle, true, false, {}});
  }
  for (std::size_t i = 0; i < paths.size(); ++i) {
    SpatialProblem start = start_at(problem, paths[i].angle);
    if (paths[i].on_a_ray)  // to the last bit
      start.space.velocity.head<2>() = rays.directions[i - static_cast<std::size_t>(count)].direction;
    paths[i].impact = spatial_impact(start);
    if (straight_within) paths[i].straight = paths[i].on_a_ray || spatial_within(start, *straight_within).straight_from;
  }
  return paths;
}

report::Table bundle_table(const SpatialRun& run) {
  report::Table table{"bundle", "Paths from unit sliding velocities", {}};
  table.columns = {
      {"angle", "start", "deg"}, {"on_a_ray", "on an invariant direction", ""}, {"case", "case", ""},
      {"end", "end", ""},        {"speed_after", "sliding speed after", "m/s"}, {"normal_impulse", "$I_n$", "N s"}};
  for (const BundlePath& path : run.bundle) {
    table.add_row({path.angle * 180.0 / std::numbers::pi, path.on_a_ray, std::string(name(path.impact.process)),
                   std::string(look_of(path.end()).end), path.impact.velocity_after.head<2>().norm(),
                   path.impact.impulse[2]});
  }
  return table;
}

Plot hodograph_bundle(const SpatialRun& run) {
  Plot plot;
  plot.name = "hodograph_bundle";
  plot.title = "Hodographs from unit sliding velocities";
  plot.caption =
      "Each path starts on the unit circle with the scenario's approach velocity, and follows the same contact. Those "
      "that start along an invariant direction (dashed) stay straight.";
  plot.x.label = "$v_{t1}$ [m/s]";
  plot.y.label = "$v_{t2}$ [m/s]";
  plot.equal_scale = plot.axes_at_zero = true;
  draw_invariant_directions(plot, run.problem);
  bool named[4] = {};
  for (const BundlePath& path : run.bundle) {
    SpatialProblem problem = start_at(run.problem, path.angle);
    const Look look = look_of(path.end());
    bool& done = named[static_cast<std::size_t>(path.end())];
    report::Curve curve{{}, {look.color, Dash::solid, path.on_a_ray ? 2.5 : 1.5}, done ? "" : look.legend, false, true};
    done = true;
    if (path.on_a_ray) {  // straight: its ends and turns are its events
      for (const auto& event : path.impact.events) curve.points.push_back({event.velocity[0], event.velocity[1]});
    } else {
      for (const auto& sample : spatial_path(problem, hodograph_samples))
        curve.points.push_back({sample.velocity[0], sample.velocity[1]});
    }
    if (!curve.points.empty()) plot.curves.push_back(std::move(curve));
  }
  return plot;
}

}  // namespace carom::scenario
