// Impulse steps of the text beside the springs.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "carom/core/contact_space.hpp"
#include "carom/core/text.hpp"

#include "collide.hpp"
#include "parts/impact.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::MarkerShape;
using report::Plot;
using report::Point;

/// Longer steps to try, each twice the next.
constexpr int longer_steps = 6;

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

}  // namespace carom::scenario
