#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "carom/impact/one_step.hpp"

#include "impact_planar.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::Plot;
using report::Table;

/// The planar contact as one in space, in the plane of its first and third axis.
AssumedImpact one_step(PlanarProblem problem, RestitutionLaw law) {
  const Eigen::Matrix2d& w = problem.space.inverse_inertia;
  OneStepProblem step;
  step.space.inverse_inertia << w(0, 0), 0.0, w(0, 1), 0.0, w(0, 0), 0.0, w(1, 0), 0.0, w(1, 1);
  step.space.velocity = {problem.space.velocity[0], 0.0, problem.space.velocity[1]};
  step.material = problem.material;
  step.law = law;
  const OneStepOutcome outcome = one_step_outcome(step);
  AssumedImpact impact = judged_impulse(problem, {outcome.impulse[0], outcome.impulse[2]});
  impact.verdict = outcome.verdict;
  return impact;
}

std::string broken_list(const BrokenLaws& broken) {
  std::string list;
  for (const auto& [law, called] : names_of<BrokenLaw>)
    if (broken.has(law)) list += (list.empty() ? "" : ", ") + std::string(called);
  return list;
}

double change(const EnergyLedger& energy) { return energy.after - energy.before; }

}  // namespace

std::vector<OtherAnswer> other_answers(const PlanarScenario& scenario, const PlanarProblem& given) {
  std::vector<OtherAnswer> answers;
  for (const AskedMethod& asked : scenario.others) {
    PlanarProblem problem = given;
    problem.law = asked.law;
    OtherAnswer answer{asked, "", problem.material.friction, {}};
    switch (asked.method) {
      case OtherMethod::assumed_mode:
        answer.name = fmt::format("{} assumed, {}", name(asked.mode), name(asked.law));
        answer.impact = assumed_mode_impact(problem, asked.mode);
        break;
      case OtherMethod::lowered_friction: {
        answer.friction = problem.material.friction = bearable_friction(problem).friction;
        answer.name = "lowered friction, newton";
        const PlanarImpact impact = planar_impact(problem);
        answer.impact = judged_impulse(problem, impact.impulse);
        answer.impact.verdict = impact.verdict;
        break;
      }
      case OtherMethod::one_step:
        answer.name = fmt::format("one step, {}", name(asked.law));
        answer.impact = one_step(problem, asked.law);
        break;
    }
    answers.push_back(std::move(answer));
  }
  return answers;
}

Table others_table(const PlanarRun& run) {
  Table table{"others", "Methods of others: what they break", {}};
  table.columns = {{"method", "method", ""},
                   {"friction", "friction", ""},
                   {"impulse_t", "$P_t$", "N s"},
                   {"impulse_n", "$P_n$", "N s"},
                   {"velocity_t", "$v_t$", "m/s"},
                   {"velocity_n", "$v_n$", "m/s"},
                   {"energy_change", "energy change", "J"},
                   {"broken", "broken laws", ""}};
  for (const OtherAnswer& other : run.others) {
    const AssumedImpact& a = other.impact;
    table.add_row({other.name, other.friction, a.impulse[0], a.impulse[1], a.velocity_after[0], a.velocity_after[1],
                   change(a.energy), a.verdict == Verdict::separated ? broken_list(a.broken) : "no impact"});
  }
  return table;
}

Plot others_picture(const PlanarRun& run) {
  Plot plot;
  plot.name = "energy_change";
  plot.title = "What each method does to the energy";
  plot.caption = "Bars to the right, in red, create energy out of nothing.";
  plot.x.label = "energy change [J]";
  plot.axes_at_zero = true;
  struct Bar {
    std::string name;
    double change;
  };
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < run.laws.size(); ++i)
    bars.push_back({std::string("the process, ") + name(run.laws[i]), change(run.impacts[i].energy)});
  for (const OtherAnswer& other : run.others)
    bars.push_back({other.name, other.impact.broken.has(BrokenLaw::no_answer) ? NAN : change(other.impact.energy)});
  double low = 0.0, high = 0.0;
  bool named[2] = {false, false};
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const Bar& bar = bars[i];
    plot.y.categories.insert(plot.y.categories.begin(), bar.name);
    if (!std::isfinite(bar.change)) continue;
    low = std::min(low, bar.change), high = std::max(high, bar.change);
    const bool gain = bar.change > 1e-12 * run.impacts.front().energy.before;
    const auto row = static_cast<double>(bars.size() - i);
    plot.curves.push_back({{{0.0, row}, {bar.change, row}},
                           {gain ? Color::red : Color::blue, Dash::solid, 14.0},
                           named[gain ? 1 : 0] ? ""
                           : gain              ? "gained"
                                               : "lost"});
    named[gain ? 1 : 0] = true;
  }
  const double room = 0.08 * (high - low > 0.0 ? high - low : 1.0);
  plot.x.low = low - room;
  plot.x.high = high + room;
  return plot;
}

}  // namespace carom::scenario
