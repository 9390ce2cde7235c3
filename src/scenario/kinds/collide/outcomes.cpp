#include <cmath>
#include <fmt/format.h>

#include "collide.hpp"
#include "pictures/colors.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::Plot;

/// Every outcome over the ratio of stiffness, one quantity of the body.
Plot outcomes_plot(const CollideRun& run, const char* name, const char* title, const std::string& label,
                   Eigen::Index coordinate) {
  const MultipointOutcomes& outcomes = *run.outcomes;
  Plot plot;
  plot.name = name;
  plot.title = title;
  plot.caption =
      "With springs the answer depends on their ratio. Dashed: contacts struck one after another; dotted: rigid "
      "methods.";
  plot.x.label = fmt::format("stiffness ratio, {} over {}", run.arrangement.contact_names.back(),
                             run.arrangement.contact_names[0]);
  plot.y.label = label;
  plot.x.logarithmic = true;
  report::Curve curve{{}, {Color::blue, Dash::solid, 2.6}, "springs (" + run.answers[0].name + ")"};
  for (const auto& outcome : outcomes.by_ratio)
    if (!outcome.event_limit) curve.points.push_back({outcome.stiffness_ratio, outcome.velocity[coordinate]});
  const double low = outcomes.by_ratio.front().stiffness_ratio, high = outcomes.by_ratio.back().stiffness_ratio;
  plot.x.low = low;
  plot.x.high = high;
  plot.curves.push_back(curve);
  // Equal answers share a line and its entry in the legend.
  struct Level {
    double value;
    Dash dash;
    std::string legend;
  };
  std::vector<Level> levels;
  const auto add = [&](double value, Dash dash, const std::string& legend) {
    for (Level& level : levels)
      if (level.dash == dash && std::abs(level.value - value) <= 1e-9 * std::abs(value)) {
        level.legend += "; " + legend;
        return;
      }
    levels.push_back({value, dash, legend});
  };
  for (const auto& outcome : outcomes.by_order) {
    std::string how;
    for (const int k : outcome.order)
      how += (how.empty() ? "" : ", then ") + run.arrangement.contact_names[static_cast<std::size_t>(k)];
    add(outcome.velocity[coordinate], Dash::dashed, how);
  }
  for (const MethodAnswer& answer : run.answers) {
    if (answer.bodies.empty() || answer.name == "linear" || answer.name == "hertz" ||
        answer.name.starts_with("sequential"))
      continue;
    add(seen_motion(run.arrangement, answer.bodies[0], static_cast<std::size_t>(coordinate)), Dash::dotted,
        answer.name);
  }
  for (std::size_t i = 0; i < levels.size(); ++i)
    plot.curves.push_back({{{low, levels[i].value}, {high, levels[i].value}},
                           {colors[(i + 1) % std::size(colors)], levels[i].dash, 1.8},
                           levels[i].legend});
  return plot;
}

}  // namespace

std::vector<Plot> outcome_pictures(const CollideRun& run) {
  std::vector<Plot> plots;
  const char* axes = "xyz";
  const auto varies = [&](Eigen::Index i) {
    const auto &low = run.outcomes->low, &high = run.outcomes->high;
    return high[i] - low[i] > 1e-9 * (low.norm() + high.norm());
  };
  if (varies(2)) plots.push_back(outcomes_plot(run, "outcomes_spin", "The outcome set: spin", "spin after [rad/s]", 2));
  for (const Eigen::Index i : {0, 1}) {
    if (!varies(i)) continue;
    const char axis = axes[run.arrangement.view[static_cast<std::size_t>(i)]];
    plots.push_back(outcomes_plot(run, i == 0 ? "outcomes_right" : "outcomes_up",
                                  i == 0 ? "The outcome set: velocity to the right" : "The outcome set: velocity up",
                                  fmt::format("$v_{}$ after [m/s]", axis), i));
  }
  return plots;
}

}  // namespace carom::scenario
