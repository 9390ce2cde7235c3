// What becomes of balls on a cloth: they slide until they roll.
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/core/error.hpp"

#include "collide.hpp"
#include "parts/impact.hpp"
#include "pictures/colors.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::MarkerShape;
using report::Point;

/// How far a path is drawn after the ball rolls, in radii, and points of it while it slides.
constexpr double rolls_for = 12.0;
constexpr int sliding_points = 60;

Eigen::Vector3d flat(const Eigen::Vector3d& v, const Eigen::Vector3d& up) { return v - v.dot(up) * up; }

}  // namespace

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
    RollOut one;
    one.body = ball;
    one.contact = k;
    one.up = below ? Eigen::Vector3d(contact.normal) : Eigen::Vector3d(-contact.normal);
    if (const Eigen::Vector3d v = flat(before[ball].velocity, one.up); v.norm() > first.norm()) first = v;
    const Body& body = after[ball];
    one.after = flat(body.velocity, one.up);
    one.slip = flat(velocity_at(body, contact.point), one.up);
    // Friction works at the lowest point until it rests: impulse -slip / (1/m + r^2/I), of a solid ball 2/7 m slip.
    const double r = bodies[ball].outline.radius, share = 1.0 + body.mass * r * r / body.inertia(0, 0);
    one.rolling = one.after - one.slip / share;
    all.push_back(one);
  }
  if (all.empty()) throw InvalidInput("cloth", "no ball touches '" + cloth->name + "'");
  for (RollOut& one : all)
    one.angle = first.norm() > 0.0 ? std::atan2(first.cross(one.rolling).dot(one.up), first.dot(one.rolling))
                                   : std::numeric_limits<double>::quiet_NaN();
  return all;
}

void add_roll_outs(const CollideScenario& scenario, CollideRun& run) {
  for (std::size_t i = 0; i < run.answers.size(); ++i) {
    if (run.answers[i].bodies.empty()) continue;
    for (RollOut& one : roll_outs_of(scenario, run.arrangement, run.problem.bodies, run.answers[i].bodies)) {
      one.answer = i;
      run.roll_outs.push_back(one);
    }
  }
}

/// Those of the scenario's own springs.
std::vector<report::Fact> roll_out_facts(const CollideRun& run) {
  std::vector<report::Fact> facts;
  for (const RollOut& one : run.roll_outs) {
    if (one.answer > 0) continue;
    const std::string& who = run.arrangement.bodies[one.body].name;
    const std::string key = key_of(who);
    facts.push_back(
        {key + "_rolling_velocity", who + ": velocity once it rolls $(x, y, z)$", numbers(one.rolling), "m/s"});
    facts.push_back({key + "_rolling_speed", who + ": speed once it rolls", one.rolling.norm(), "m/s"});
    facts.push_back({key + "_rolling_angle", who + ": from the first direction", one.angle * 180.0 / M_PI, "deg"});
  }
  return facts;
}

report::Table roll_outs_table(const CollideRun& run) {
  report::Table table{"roll_outs", "How the balls on the cloth go on, by method", {}};
  table.columns = {{"method", "method", ""},
                   {"body", "ball", ""},
                   {"after", "after the impact", "m/s"},
                   {"slip", "slip on the cloth", "m/s"},
                   {"rolling", "once it rolls", "m/s"},
                   {"speed", "speed then", "m/s"}};
  for (const RollOut& one : run.roll_outs)
    table.add_row({run.answers[one.answer].name, run.arrangement.bodies[one.body].name, numbers(one.after),
                   numbers(one.slip), numbers(one.rolling), one.rolling.norm()});
  return table;
}

report::Plot roll_out_plot(const CollideRun& run) {
  report::Plot plot;
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
  const std::size_t answers = 1 + run.roll_outs.back().answer;
  for (const RollOut& one : run.roll_outs) {
    const NamedBody& ball = run.arrangement.bodies[one.body];
    const Color color = colors[one.body % std::size(colors)];
    const Eigen::Vector3d start = ball.body.position, v = one.after;
    const double mu = run.problem.contacts[one.contact].material.friction, slip = one.slip.norm();
    constexpr Dash dashes[] = {Dash::solid, Dash::dashed, Dash::dotted};
    report::Curve curve{{},
                        {color, dashes[std::min(one.answer, std::size(dashes) - 1)], one.answer > 0 ? 1.6 : 2.2},
                        answers > 1 ? ball.name + ", " + run.answers[one.answer].name : ball.name};
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
    if (one.answer > 0) continue;
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
