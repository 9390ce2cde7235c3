#include "motion.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "colors.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::MarkerShape;
using report::Plot;
using report::Point;

/// The world seen from one side: which axis points right. z points up.
struct View {
  const char* name;
  const char* title;
  const char* axis;
  int right;
};
constexpr View views[] = {{"motion_side", "The motion, seen along $y$", "$x$ [m]", 0},
                          {"motion_front", "The motion, seen against $x$", "$y$ [m]", 1}};

Point seen(const View& view, const Eigen::Vector3d& p) { return {p[view.right], p.z()}; }

void draw(Plot& plot, const View& view, const NamedBody& named, report::Stroke stroke, std::string legend) {
  const Body& body = named.body;
  std::vector<Point> points = edge_of(named, view.right, 2);
  if (!points.empty()) plot.curves.push_back({std::move(points), stroke, std::move(legend), true});
  if (!is_ball(named.outline)) return;
  // A spoke towards the bottom of the ball at the impact shows how it turns.
  const Eigen::Vector3d spoke = body.position - named.outline.radius * (body.orientation * Eigen::Vector3d::UnitZ());
  plot.curves.push_back({{seen(view, body.position), seen(view, spoke)}, stroke, ""});
}

/// Whether anything goes to the right or turns in the view with this axis to the right; else all of it only goes up and
/// down there, as another view shows.
bool moves_across(const std::vector<NamedBody>& before, const std::vector<NamedBody>& after, int right) {
  constexpr double nothing = 1e-9;  // of the speed or the spin
  for (const auto* bodies : {&before, &after})
    for (const NamedBody& named : *bodies) {
      const Eigen::Vector3d &v = named.body.velocity, &spin = named.body.angular_velocity;
      if (named.body.immovable) continue;
      if (std::abs(v[right]) > nothing * v.norm() || std::abs(spin[1 - right]) > nothing * spin.norm()) return true;
    }
  return false;
}

}  // namespace

Type<Frames> frames() {
  Fields<Frames> fields;
  fields.optional("every", &Frames::every, number(Range::positive()), "time between two pictures [s] (default 0.1)")
      .optional("count", &Frames::count, integer(1, 100), "pictures before and after the impact (default 4)")
      .optional("gravity", &Frames::gravity, number(Range::at_least(0.0)), "along -z [m/s^2] (default 9.81)");
  return object(fields);
}

std::vector<Plot> motion_pictures(const std::vector<NamedBody>& before, const std::vector<NamedBody>& after,
                                  const Contact& contact, const Frames& frames) {
  std::vector<Plot> plots;
  const Eigen::Vector3d gravity = -frames.gravity * Eigen::Vector3d::UnitZ();
  for (const View& view : views) {
    if (&view != &views[0] && !moves_across(before, after, view.right)) continue;
    Plot plot;
    plot.name = view.name;
    plot.title = view.title;
    plot.caption = fmt::format(
        "A picture every {} s, {} before and {} after the impact. Times stand where the first and the last "
        "are.",
        frames.every, frames.count, frames.count);
    if (std::any_of(before.begin(), before.end(),
                    [](const NamedBody& b) { return !b.body.immovable && is_ball(b.outline); }))
      plot.caption += " The spoke of a ball shows how it turns.";
    plot.x.label = view.axis;
    plot.y.label = "$z$ [m]";
    plot.equal_scale = true;
    // The surface of an immovable body, where it is seen edge on.
    const Eigen::Vector2d normal(contact.normal[view.right], contact.normal.z());
    if ((before[0].body.immovable || before[1].body.immovable) && normal.norm() > 1.0 - 1e-9)
      plot.lines.push_back(
          {seen(view, contact.point), {-normal.y(), normal.x()}, {Color::muted, Dash::solid, 1.5}, "", "surface"});
    bool named = false;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i].body.immovable) continue;
      report::Curve path{{}, {Color::muted, Dash::dotted, 1.5}, named ? "" : "path of the centre of mass"};
      for (int k = -frames.count; k <= frames.count; ++k) {
        const Body& at_impact = k < 0 ? before[i].body : after[i].body;
        const NamedBody now{before[i].name, free_flight(at_impact, gravity, k * frames.every), before[i].outline};
        const Color color = k < 0 ? Color::sky : k == 0 ? Color::ink : Color::orange;
        const char* legend = named ? "" : k == -1 ? "before" : k == 0 ? "impact" : k == 1 ? "after" : "";
        draw(plot, view, now, {color, Dash::solid, k == 0 ? 2.2 : 1.4}, legend);
        if (std::abs(k) == frames.count)
          plot.markers.push_back(
              {seen(view, now.body.position), MarkerShape::circle, color, fmt::format("{:g} s", k * frames.every), ""});
      }
      constexpr int samples = 60;
      for (int k = -samples; k <= samples; ++k) {
        const Body& at_impact = k < 0 ? before[i].body : after[i].body;
        path.points.push_back(seen(view, flight_position(at_impact.position, at_impact.velocity, gravity,
                                                         k * frames.every * frames.count / samples)));
      }
      plot.curves.push_back(std::move(path));
      named = true;
    }
    plot.markers.push_back({seen(view, contact.point), MarkerShape::cross, Color::red, "", "contact"});
    plots.push_back(std::move(plot));
  }
  return plots;
}

report::Scene motion_scene(const std::vector<NamedBody>& before, const std::vector<NamedBody>& after,
                           const Contact& contact, const Frames& frames) {
  report::Scene scene;
  scene.name = "motion";
  scene.title = "The motion";
  scene.caption = fmt::format("From {0:g} s before the impact to {0:g} s after it.", frames.every * frames.count);
  const Eigen::Vector3d gravity = -frames.gravity * Eigen::Vector3d::UnitZ();
  constexpr int between = 16;  // keyframes from one flash to the next: a body turns little from one to another
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i].body.immovable) {
      scene.surfaces.push_back({contact.point, i == 0 ? Eigen::Vector3d(-contact.normal) : contact.normal});
      continue;
    }
    report::SceneBody body{before[i].name, before[i].shape, before[i].centre, colors[i], {}, true};
    for (int k = -between * frames.count; k <= between * frames.count; ++k) {
      const double time = k * frames.every / between;
      const Body now = free_flight(k < 0 ? before[i].body : after[i].body, gravity, time);
      body.keyframes.push_back({time, now.position, now.orientation});
    }
    scene.bodies.push_back(std::move(body));
  }
  scene.cameras = {camera_for(scene, "side", Eigen::Vector3d::UnitY(), Eigen::Vector3d::UnitZ()),
                   camera_for(scene, "front", -Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitZ())};
  return scene;
}

}  // namespace carom::scenario
