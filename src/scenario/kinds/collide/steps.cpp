// Impulse steps of the text beside the springs, and what becomes of the balls on a cloth.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "carom/core/contact_space.hpp"
#include "carom/core/error.hpp"
#include "carom/core/text.hpp"

#include "collide.hpp"
#include "parts/impact.hpp"
#include "pictures/colors.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::MarkerShape;
using report::Plot;
using report::Point;

/// Longer steps to try, each twice the next.
constexpr int longer_steps = 6;

/// How far a path is drawn after the ball rolls, in radii, and points of it while it slides.
constexpr double rolls_for = 12.0;
constexpr int sliding_points = 60;

Eigen::Vector3d flat(const Eigen::Vector3d& v, const Eigen::Vector3d& up) { return v - v.dot(up) * up; }

}  // namespace

void add_impulse_steps(const CollideScenario& scenario, CollideRun& run) {
  const ImpulseSteps asked = scenario.stepping.value_or(ImpulseSteps{});
  for (int k = longer_steps; k >= 0; --k) {
    ImpulseSteps how = asked;
    how.step = std::ldexp(asked.step, k);
    StepsTry one{how.step, 0.0, impact_by_impulse_steps(run.problem, how)};
    one.error = largest_difference(one.impact.bodies, run.impact.bodies) / fastest(run.problem.bodies);
    run.steps.push_back(std::move(one));
  }
  const ImpulseStepsImpact& impact = run.steps.back().impact;
  run.answers.push_back(
      {name(CollideMethod::impulse_steps),
       fmt::format("{} steps of {} N s, start {}", impact.steps, number_text(asked.step), name(asked.start)),
       impact.bodies, impact.energy, flag_list(impact.flags)});
}

double friction_to_stick(const CollideRun& run) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  constexpr double rounding = 1e-12;  // of the largest entry of W
  if (run.problem.contacts.size() != 1) return none;
  const SpringContact& contact = run.problem.contacts.front();
  const ContactSpace space =
      contact_space(run.problem.bodies[contact.first], run.problem.bodies[contact.second], contact);
  const Eigen::Matrix3d& w = space.inverse_inertia;
  const double small = rounding * w.cwiseAbs().maxCoeff();
  const bool straight =
      w.topRightCorner<2, 1>().norm() <= small && std::abs(w(0, 1)) <= small && std::abs(w(0, 0) - w(1, 1)) <= small;
  const double slip = space.velocity.head<2>().norm(), normal = run.impact.contacts.front().impulse.dot(contact.normal);
  return straight && slip > 0.0 && normal > 0.0 ? slip / (w(0, 0) * normal) : none;
}

report::Table steps_table(const CollideRun& run) {
  report::Table table{"impulse_steps", "Impulse steps of the text: error over their length", {}};
  table.columns = {{"step", "step", "N s"},
                   {"steps", "steps", ""},
                   {"error", "error / fastest", ""},
                   {"primary_changes", "changes of the primary contact", ""},
                   {"verdict", "verdict", ""}};
  for (const StepsTry& one : run.steps)
    table.add_row({one.step, static_cast<double>(one.impact.steps), one.error,
                   static_cast<double>(one.impact.primary_changes), std::string(name(one.impact.verdict))});
  return table;
}

Plot steps_error_plot(const CollideRun& run) {
  Plot plot;
  plot.name = "impulse_steps_error";
  plot.title = "Impulse steps of the text: do they converge?";
  plot.caption =
      "Largest error of a velocity over the fastest before the impact. The line falls in proportion to the step: steps "
      "that follow it converge to the springs.";
  plot.x.label = "step of the primary normal impulse [N s]";
  plot.y.label = "error";
  plot.x.logarithmic = plot.y.logarithmic = true;
  report::Curve curve{{}, {Color::blue, Dash::solid, 2.2}, "impulse_steps"};
  for (const StepsTry& one : run.steps) {
    if (!(one.error > 0.0)) continue;
    curve.points.push_back({one.step, one.error});
    plot.markers.push_back({{one.step, one.error}, MarkerShape::circle, Color::blue, "", ""});
  }
  if (curve.points.empty()) return plot;
  const Point first = curve.points.front();
  const double last = run.steps.back().step;
  plot.curves = {std::move(curve),
                 {{first, {last, first.y * last / first.x}}, {Color::muted, Dash::dashed, 1.4}, "first order"}};
  return plot;
}

std::vector<RollOut> roll_outs_of(const CollideScenario& scenario, const Arrangement& arrangement,
                                  const std::vector<Body>& before, const std::vector<Body>& after) {
  std::vector<RollOut> all;
  if (!scenario.cloth) return all;
  const auto& bodies = arrangement.bodies;
  const auto cloth =
      std::find_if(bodies.begin(), bodies.end(), [&](const NamedBody& b) { return b.name == *scenario.cloth; });
  if (cloth == bodies.end()) {
    std::vector<std::string> names;
    for (const NamedBody& body : bodies) names.push_back(body.name);
    throw InvalidInput("cloth", "there is no body \"" + *scenario.cloth + "\"" + suggestion(*scenario.cloth, names));
  }
  if (!cloth->body.immovable) throw InvalidInput("cloth", "'" + cloth->name + "' must be immovable");
  const auto number = static_cast<std::size_t>(cloth - bodies.begin());
  Eigen::Vector3d first = Eigen::Vector3d::Zero();  // direction of the fastest ball on the cloth
  for (std::size_t k = 0; k < arrangement.contacts.size(); ++k) {
    const SpringContact& contact = arrangement.contacts[k];
    const bool below = contact.second == number;
    const std::size_t ball = below ? contact.first : contact.second;
    if ((!below && contact.first != number) || !is_ball(bodies[ball].outline)) continue;
    RollOut one{ball, k, below ? Eigen::Vector3d(contact.normal) : Eigen::Vector3d(-contact.normal), {}, {}, 0.0};
    if (const Eigen::Vector3d v = flat(before[ball].velocity, one.up); v.norm() > first.norm()) first = v;
    const Body& body = after[ball];
    one.slip = flat(velocity_at(body, contact.point), one.up);
    // Friction works at the lowest point until it rests: impulse -slip / (1/m + r^2/I), of a solid ball 2/7 m slip.
    const double r = bodies[ball].outline.radius, share = 1.0 + body.mass * r * r / body.inertia(0, 0);
    one.rolling = flat(body.velocity, one.up) - one.slip / share;
    all.push_back(one);
  }
  if (all.empty()) throw InvalidInput("cloth", "no ball touches '" + cloth->name + "'");
  for (RollOut& one : all)
    one.angle = first.norm() > 0.0 ? std::atan2(first.cross(one.rolling).dot(one.up), first.dot(one.rolling))
                                   : std::numeric_limits<double>::quiet_NaN();
  return all;
}

void add_roll_outs(const CollideRun& run, std::vector<report::Fact>& facts) {
  for (const RollOut& one : run.roll_outs) {
    const std::string& who = run.arrangement.bodies[one.body].name;
    const std::string key = key_of(who);
    facts.push_back(
        {key + "_rolling_velocity", who + ": velocity once it rolls $(x, y, z)$", numbers(one.rolling), "m/s"});
    facts.push_back({key + "_rolling_speed", who + ": speed once it rolls", one.rolling.norm(), "m/s"});
    facts.push_back({key + "_rolling_angle", who + ": from the first direction", one.angle * 180.0 / M_PI, "deg"});
  }
}

Plot roll_out_plot(const CollideRun& run) {
  Plot plot;
  plot.name = "roll_out";
  plot.title = "The way on the cloth";
  plot.caption =
      "Seen from above, at 9.81 m/s^2: a ball that slides goes along a parabola, bent against its slip; from the dot "
      "on "
      "it rolls straight on.";
  plot.equal_scale = true;
  const Eigen::Vector3d up = run.roll_outs.front().up;
  const Eigen::Vector3d right = std::abs(up.x()) < 0.9 ? flat(Eigen::Vector3d::UnitX(), up).normalized()
                                                       : flat(Eigen::Vector3d::UnitY(), up).normalized();
  const Eigen::Vector3d away = up.cross(right);
  plot.x.label = "along the cloth [m]";
  plot.y.label = "across [m]";
  const auto seen = [&](const Eigen::Vector3d& p) { return Point{p.dot(right), p.dot(away)}; };
  std::size_t index = 0;
  for (const RollOut& one : run.roll_outs) {
    const NamedBody& ball = run.arrangement.bodies[one.body];
    const Body& after = run.impact.bodies[one.body];
    const Color color = colors[index++ % std::size(colors)];
    const Eigen::Vector3d start = ball.body.position, v = flat(after.velocity, one.up);
    const double mu = run.problem.contacts[one.contact].material.friction, slip = one.slip.norm();
    report::Curve curve{{}, {color, Dash::solid, 2.2}, ball.name};
    Eigen::Vector3d place = start;
    if (mu > 0.0 && slip > 0.0) {
      const double time = (v - one.rolling).norm() / (mu * standard_gravity);
      for (int k = 0; k <= sliding_points; ++k) {
        const double t = time * k / sliding_points;
        place = start + t * v - 0.5 * mu * standard_gravity * t * t / slip * one.slip;
        curve.points.push_back(seen(place));
      }
    } else {
      curve.points.push_back(seen(start));
    }
    if (one.rolling.norm() > 0.0) {
      plot.markers.push_back({seen(place), MarkerShape::circle, color, "", ""});
      curve.points.push_back(seen(place + rolls_for * ball.outline.radius * one.rolling.normalized()));
    }
    plot.curves.push_back(std::move(curve));
  }
  for (const RollOut& one : run.roll_outs) {
    const NamedBody& ball = run.arrangement.bodies[one.body];
    report::Curve edge{{}, {Color::muted, Dash::solid, 1.2}, "", true};
    for (int k = 0; k <= sliding_points; ++k) {
      const double a = 2.0 * M_PI * k / sliding_points;
      edge.points.push_back(
          seen(ball.body.position + ball.outline.radius * (std::cos(a) * right + std::sin(a) * away)));
    }
    plot.curves.push_back(std::move(edge));
  }
  return plot;
}

}  // namespace carom::scenario
