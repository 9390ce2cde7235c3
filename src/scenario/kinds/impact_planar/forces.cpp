#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "impact_planar.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::MarkerShape;
using report::Plot;
using report::Point;
using report::Table;

constexpr double degree = M_PI / 180.0;
constexpr int chart_samples = 720;

/// Of the edge at the contact, as far as the shape is known: corners have none.
double curvature_radius(const NamedPlanarBody& body) {
  if (!body.shape) return 0.0;
  if (const auto* disc = std::get_if<Disc>(&*body.shape)) return disc->radius;
  if (const auto* sphere = std::get_if<Sphere>(&*body.shape)) return sphere->radius;
  return 0.0;
}

/// The friction from which sliding jams with the centre of mass at `angle` over the surface: B2/|B3|.
double jamb_friction(const PlanarTouch& touch, double angle) {
  const double q = touch.body.inertia / (touch.body.mass * touch.arm.squaredNorm());
  return (q + std::cos(angle) * std::cos(angle)) / (std::sin(angle) * std::cos(angle));
}

}  // namespace

std::optional<PlanarTouch> touch_of(const PlanarScenario& scenario, const PlanarProblem& problem) {
  if (!scenario.gravity) return std::nullopt;
  const auto& bodies = *scenario.bodies;
  const bool first = !bodies[0].body.immovable;
  const NamedPlanarBody& moving = bodies[first ? 0 : 1];
  PlanarContact contact = *scenario.contact;
  if (!first) contact.normal = -contact.normal;  // out of the surface
  const double radius = curvature_radius(moving);
  const Eigen::Vector2d gravity(0.0, -*scenario.gravity);
  PlanarTouch touch;
  touch.body = moving.body;
  // Seen from the other body both axes turn round, and so does who moves against whom.
  touch.contact = {problem.space.inverse_inertia, problem.space.velocity[0],
                   free_contact_acceleration(moving.body, contact, gravity, radius), problem.material.friction};
  touch.touches = problem.space.velocity[1] == 0.0;
  if (touch.touches) touch.forces = finite_contact_forces(touch.contact);
  const Eigen::Matrix2d frame = contact_frame(contact);
  touch.arm = frame.transpose() * (moving.body.position - contact.point);
  touch.gravity = frame.transpose() * gravity;
  touch.corner = radius == 0.0 && touch.contact.slip != 0.0 && touch.arm[1] > 0.0;
  return touch;
}

Table forces_table(const PlanarTouch& touch) {
  Table table{"contact_forces", "Finite contact forces under gravity", {}};
  table.columns = {{"motion", "motion", ""},
                   {"force_t", "$F_t$", "N"},
                   {"force_n", "$F_n$", "N"},
                   {"acceleration_t", "$a_t$", "m/s^2"},
                   {"acceleration_n", "$a_n$", "m/s^2"}};
  for (const FiniteForce& f : touch.forces)
    table.add_row({name(f.motion), f.force[0], f.force[1], f.acceleration[0], f.acceleration[1]});
  return table;
}

Plot forces_chart(const PlanarRun& run) {
  const PlanarTouch& touch = *run.touch;
  const double s = std::copysign(1.0, touch.contact.slip), mu = touch.contact.friction, r = touch.arm.norm();
  const LeastJamb least = least_jamb(touch.body, r);
  const double own = std::atan2(touch.arm[1], touch.arm[0]);
  Plot plot;
  plot.name = "finite_forces";
  plot.title = "How many finite contact forces are there?";
  plot.caption =
      "The body turned about its contact, sliding and spinning as in the run. Where there is no finite force an impact "
      "happens, and only there.";
  plot.x.label = "angle of the centre of mass over the surface [deg]";
  plot.y.label = "friction $\\mu$";
  plot.x.low = 0.0, plot.x.high = 180.0;
  plot.y.low = 0.0, plot.y.high = std::max({3.0 * least.friction, 1.3 * mu});
  const double top = *plot.y.high;

  // Slip to the left jams where the body leans to the right, and the other way round.
  const double lean = s < 0.0 ? 0.0 : 0.5 * M_PI;
  const auto angle_at = [&](int i) { return lean + 0.5 * M_PI * (i + 0.5) / chart_samples; };
  const auto free_normal = [&](double angle) {
    return touch.gravity[1] + touch.body.angular_velocity * touch.body.angular_velocity * r * std::sin(angle);
  };
  report::Curve border{{}, {Color::ink, Dash::solid, 2.0}, "where sliding begins to jam"};
  bool named[2] = {false, false};
  report::Curve area;
  const auto finish = [&] {
    if (area.points.size() > 2) {
      area.points.push_back({area.points.back().x, top});
      area.points.insert(area.points.begin(), {area.points.front().x, top});
      plot.curves.push_back(area);
    }
    area = {};
  };
  bool two = false;
  for (int i = 0; i < chart_samples; ++i) {
    const double angle = angle_at(i), critical = std::abs(jamb_friction(touch, angle));
    const bool here = free_normal(angle) > 0.0;
    if (i == 0 || here != two) {
      const Point at{angle / degree, std::min(critical, top)};
      if (i > 0) area.points.push_back(at);
      finish();
      two = here;
      area.stroke = {two ? Color::orange : Color::red, Dash::solid, 0.0};
      area.fill = 0.4;
      area.closed = true;
      if (!named[two ? 1 : 0]) area.legend = two ? "two: a force, or lift-off" : "none: an impact";
      named[two ? 1 : 0] = true;
    }
    area.points.push_back({angle / degree, std::min(critical, top)});
    border.points.push_back({angle / degree, critical});
  }
  finish();
  report::Curve one{
      {{0.0, 0.0}, {180.0, 0.0}, {180.0, top}, {0.0, top}}, {Color::green, Dash::solid, 0.0}, "one", true};
  one.fill = 0.15;
  plot.curves.insert(plot.curves.begin(), std::move(one));
  plot.curves.push_back(std::move(border));
  const double best = (s < 0.0 ? least.angle : M_PI - least.angle) / degree;
  plot.markers.push_back({{best, least.friction},
                          MarkerShape::diamond,
                          Color::blue,
                          fmt::format("{:.4f} at {:.1f} deg", least.friction, best),
                          "least friction that jams"});
  plot.markers.push_back({{own / degree, mu}, MarkerShape::circle, Color::ink, "this run", ""});
  return plot;
}

}  // namespace carom::scenario
