// A body flies freely: its centre of mass along a parabola, its turning by Euler's equations, in closed form. It has no
// shape and meets nothing.
#include "carom/motion/flight.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "carom/core/error.hpp"

#include "kind.hpp"
#include "parts/impact.hpp"
#include "parts/spatial.hpp"
#include "pictures/colors.hpp"

namespace carom::scenario {

namespace {

using report::Curve;
using report::Dash;
using report::Document;
using report::Plot;
using report::Table;

struct FlightScenario {
  double mass = 1.0, gravity = standard_gravity, end_time = 1.0;
  Eigen::Vector3d principal = Eigen::Vector3d::Ones(), position = Eigen::Vector3d::Zero(),
                  velocity = Eigen::Vector3d::Zero(), angular_velocity = Eigen::Vector3d::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  int samples = 500;
};

struct FlightRun {
  std::vector<std::pair<double, Body>> course;
  int middle = 1;             ///< the axis of the middle moment
  std::vector<double> flips;  ///< when that axis turns over, seen along the angular momentum [s]
};

Body body_of(const FlightScenario& s) {
  Body body;
  body.mass = s.mass;
  body.inertia = s.principal.asDiagonal();
  body.position = s.position;
  body.orientation = s.orientation;
  body.velocity = s.velocity;
  body.angular_velocity = s.angular_velocity;
  return body;
}

Fields<FlightScenario> fields() {
  using S = FlightScenario;
  Fields<S> all;
  all.optional("mass", &S::mass, number(Range::positive()), "[kg] (default 1)")
      .required("principal", &S::principal, vector<3>(), "principal moments, about the body axes [kg m^2]")
      .optional("position", &S::position, vector<3>(), "centre of mass at the start [m] (default 0)")
      .optional("orientation", &S::orientation, orientation(),
                "body axes -> world axes at the start: 3 x 3 rotation, quaternion [w, x, y, z], or {axis, angle}")
      .optional("velocity", &S::velocity, vector<3>(), "of the centre of mass at the start [m/s] (default 0)")
      .optional("angular_velocity", &S::angular_velocity, vector<3>(), "world axes, at the start [rad/s] (default 0)")
      .optional("gravity", &S::gravity, number(Range::at_least(0.0)), "along -z [m/s^2] (default 9.81)")
      .required("end_time", &S::end_time, number(Range::positive()), "[s]")
      .optional("samples", &S::samples, integer(2, 100'000), "points of the trajectory (default 500)")
      .check([](const S& s, const Value& root, const Path& path, Mistakes& mistakes) {
        if (2.0 * s.principal.maxCoeff() > s.principal.sum() * (1.0 + 1e-12))
          mistakes.add(path.at("principal"), place_of(root, "principal"),
                       "no body has these: none may be larger than the other two together");
        try {
          require_valid(body_of(s));
        } catch (const InvalidInput& error) {
          const std::string field = error.field().find("inertia") != std::string::npos ? "principal" : error.field();
          mistakes.add(path.at(std::string_view(field)), place_of(root, field.c_str()), error.message());
        }
      });
  return all;
}

Eigen::Vector3d momentum_of(const Body& body) {
  const Eigen::Quaterniond& q = body.orientation;
  return q * (body.inertia * (q.conjugate() * body.angular_velocity));
}
double spin_energy(const Body& body) { return 0.5 * body.angular_velocity.dot(momentum_of(body)); }

/// How much of a body axis points along the angular momentum: its cosine.
double along_momentum(const Body& body, int axis) {
  const Eigen::Vector3d momentum = momentum_of(body);
  const double size = momentum.norm();
  return size > 0.0 ? (body.orientation * Eigen::Vector3d::Unit(axis)).dot(momentum) / size : 0.0;
}

/// The axis whose moment is between the others.
int middle_axis(const Eigen::Vector3d& principal) {
  int order[] = {0, 1, 2};
  std::sort(std::begin(order), std::end(order), [&](int a, int b) { return principal[a] < principal[b]; });
  return order[1];
}

FlightRun run(const FlightScenario& s, const RunRequest& request) {
  FlightRun result;
  result.middle = middle_axis(s.principal);
  const FreeFlight flight(body_of(s), -s.gravity * Eigen::Vector3d::UnitZ());
  const auto side = [&](double time) { return along_momentum(flight.at(time), result.middle); };
  for (int k = 0; k <= s.samples; ++k) {
    const double time = k == s.samples ? s.end_time : s.end_time * k / s.samples;
    result.course.emplace_back(time, flight.at(time));
    request.progress.step(static_cast<double>(k + 1) / (s.samples + 1));
    if (k == 0) continue;
    double low = result.course[result.course.size() - 2].first, high = time;
    const double before = side(low);
    if (before * side(high) >= 0.0) continue;
    for (double middle = 0.5 * (low + high); middle > low && middle < high; middle = 0.5 * (low + high))
      (before * side(middle) > 0.0 ? low : high) = middle;
    result.flips.push_back(high);
  }
  return result;
}

Facts facts(const FlightScenario& s, const FlightRun& run) {
  const Body &first = run.course.front().second, &last = run.course.back().second;
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  const Eigen::Vector3d momentum = momentum_of(first);
  return {{"momentum", "angular momentum", momentum.norm(), "kg m^2/s"},
          {"spin_energy", "energy of turning", spin_energy(first), "J"},
          {"momentum_change", "change of angular momentum", (momentum_of(last) - momentum).norm(), "kg m^2/s"},
          {"energy_change", "change of the energy of turning", spin_energy(last) - spin_energy(first), "J"},
          {"flips", "times the middle axis turns over", static_cast<double>(run.flips.size()), ""},
          {"first_flip", "first at", run.flips.empty() ? nothing : run.flips.front(), "s"},
          {"flip_interval", "then again after", run.flips.size() > 1 ? run.flips[1] - run.flips[0] : nothing, "s"},
          {"end_time", "ends at", s.end_time, "s"}};
}

Facts details(const FlightScenario&, const FlightRun& run) {
  Facts facts = {{"position", "position at the end $(x, y, z)$", numbers(run.course.back().second.position), "m"}};
  add_motion(facts, "body", "$(x, y, z)$", numbers(run.course.back().second.velocity),
             numbers(run.course.back().second.angular_velocity));
  return facts;
}

Table course_table(const FlightRun& run) {
  Table table{"trajectories", "The body over time", {}};
  table.columns = {{"time", "time", "s"},
                   {"position", "position", "m"},
                   {"velocity", "velocity", "m/s"},
                   {"spin", "spin", "rad/s"},
                   {"body_spin", "spin in body axes", "rad/s"},
                   {"orientation", "orientation (w, x, y, z)", ""}};
  for (const auto& [time, body] : run.course) {
    const Eigen::Quaterniond& q = body.orientation;
    table.add_row({time, numbers(body.position), numbers(body.velocity), numbers(body.angular_velocity),
                   numbers(Eigen::Vector3d(q.conjugate() * body.angular_velocity)),
                   std::vector<double>{q.w(), q.x(), q.y(), q.z()}});
  }
  return table;
}

/// Something of each body axis over time.
template <class Quantity>
Plot by_axis(const FlightRun& run, Plot plot, const char* legend, const Quantity& quantity) {
  plot.x.label = "time [s]";
  plot.axes_at_zero = true;
  for (int axis = 0; axis < 3; ++axis) {
    Curve curve{{}, {colors[axis], Dash::solid, 1.8}, fmt::format("{}{}$", legend, axis + 1)};
    for (const auto& [time, body] : run.course) curve.points.push_back({time, quantity(body, axis)});
    plot.curves.push_back(std::move(curve));
  }
  return plot;
}

report::Scene scene_of(const FlightScenario& s, const FlightRun& run) {
  report::Scene scene;
  scene.name = "scene";
  scene.title = "The flight";
  scene.caption = fmt::format("{:.4g} s.", s.end_time);
  report::SceneBody body{"body", std::nullopt, Eigen::Vector3d::Zero(), colors[0], {}, true};
  for (const auto& [time, at] : run.course) body.keyframes.push_back({time, at.position, at.orientation});
  scene.bodies = {std::move(body)};
  scene.cameras = {camera_for(scene, "side", Eigen::Vector3d::UnitY(), Eigen::Vector3d::UnitZ())};
  return scene;
}

Document describe(const FlightScenario& s, const FlightRun& run) {
  Document document;
  document.summary = run.flips.empty() ? "The middle axis does not turn over."
                                       : fmt::format("The middle axis turns over {} times, first at {:.4g} s.",
                                                     run.flips.size(), run.flips.front());
  document.tables = {course_table(run)};
  Plot spin, turning;
  spin.name = "spin";
  spin.title = "Spin about the body axes";
  spin.caption = "By Euler's equations; energy and angular momentum are kept.";
  spin.y.label = "spin [rad/s]";
  turning.name = "flip";
  turning.title = "Where the body axes point";
  turning.caption = "Cosine of the angle to the angular momentum, which stays where it is.";
  turning.y.label = "along the angular momentum";
  document.plots = {
      by_axis(run, spin, "$\\omega_",
              [](const Body& body, int axis) {
                return Eigen::Vector3d(body.orientation.conjugate() * body.angular_velocity)[axis];
              }),
      by_axis(run, turning, "axis $", [](const Body& body, int axis) { return along_momentum(body, axis); })};
  document.scenes = {scene_of(s, run)};
  return document;
}

}  // namespace

Kind flight_kind() {
  return make_kind<FlightScenario, FlightRun>(
      {"flight", "", "A body flies freely: how it turns", fields(), run, facts, details, describe});
}

}  // namespace carom::scenario
