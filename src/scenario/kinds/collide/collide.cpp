#include "collide.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "carom/core/error.hpp"

#include "kind.hpp"
#include "parts/impact.hpp"

namespace carom::scenario {

namespace {

using report::Document;
using report::Table;

Table velocities_table(const CollideScenario& scenario, const CollideRun& run) {
  const bool line = is_one_dimensional(run);
  const bool planar = run.arrangement.planar;
  const char* axes = "xyz";
  Table table{"velocities",
              line ? "Velocities along the line"
              : planar
                  ? fmt::format("Velocities ({}, {})", axes[run.arrangement.view[0]], axes[run.arrangement.view[1]])
                  : "Velocities (x, y, z)",
              {}};
  table.columns = {{"body", "body", ""}, {"before", "before", "m/s"}};
  for (const MethodAnswer& answer : run.answers)
    if (!answer.bodies.empty()) {
      table.columns.push_back({key_of(answer.name), answer.name, "m/s"});
    }
  for (std::size_t i = 0; i < scenario.beside.size(); ++i)
    table.columns.push_back({"beside_" + std::to_string(i + 1), scenario.beside[i].name, "m/s"});
  const auto cell = [&](const Body& body) -> report::Value {
    if (line) return body.velocity[run.arrangement.view[0]];
    if (planar)
      return std::vector<double>{body.velocity[run.arrangement.view[0]], body.velocity[run.arrangement.view[1]]};
    return numbers(body.velocity);
  };
  for (std::size_t i = 0; i < run.arrangement.bodies.size(); ++i) {
    if (run.arrangement.bodies[i].body.immovable) continue;
    std::vector<report::Value> row = {run.arrangement.bodies[i].name, cell(run.problem.bodies[i])};
    for (const MethodAnswer& answer : run.answers)
      if (!answer.bodies.empty()) row.push_back(cell(answer.bodies[i]));
    for (const Beside& b : scenario.beside) row.emplace_back(b.velocities[i]);
    table.add_row(std::move(row));
  }
  return table;
}

bool any_spin(const CollideRun& run) {
  for (const Body& body : run.problem.bodies)
    if (body.angular_velocity.norm() > 0.0) return true;
  for (const MethodAnswer& answer : run.answers)
    for (const Body& body : answer.bodies)
      if (body.angular_velocity.norm() > 0.0) return true;
  return false;
}

Table spins_table(const CollideRun& run) {
  const bool planar = run.arrangement.planar;
  // With x to the right and z up, y points away from the viewer.
  const int towards = (run.arrangement.view[1] - run.arrangement.view[0] + 3) % 3 == 1 ? 1 : -1;
  const auto axis = "xyz"[3 - run.arrangement.view[0] - run.arrangement.view[1]];
  Table table{"spins",
              planar ? fmt::format("Spins about the axis towards the viewer, {}{}", towards > 0 ? '+' : '-', axis)
                     : "Spins (x, y, z)",
              {}};
  table.columns = {{"body", "body", ""}, {"before", "before", "rad/s"}};
  const auto cell = [&](const Body& body) -> report::Value {
    if (planar) return seen_motion(run.arrangement, body, 2);
    return numbers(body.angular_velocity);
  };
  for (const MethodAnswer& answer : run.answers)
    if (!answer.bodies.empty()) table.columns.push_back({key_of(answer.name), answer.name, "rad/s"});
  for (std::size_t i = 0; i < run.arrangement.bodies.size(); ++i) {
    if (run.arrangement.bodies[i].body.immovable) continue;
    std::vector<report::Value> row = {run.arrangement.bodies[i].name, cell(run.problem.bodies[i])};
    for (const MethodAnswer& answer : run.answers)
      if (!answer.bodies.empty()) row.push_back(cell(answer.bodies[i]));
    table.add_row(std::move(row));
  }
  return table;
}

Table methods_table(const CollideRun& run) {
  Table table{"methods", "Methods side by side", {}};
  table.columns = {{"method", "method", ""},
                   {"detail", "what to know", ""},
                   {"energy_after", "energy after", "J"},
                   {"share_left", "share left", ""},
                   {"restitution_loss", "lost normally", "J"},
                   {"friction_loss", "lost to friction", "J"},
                   {"friction_law", "friction law", ""},
                   {"flags", "flags", ""}};
  for (const MethodAnswer& a : run.answers) {
    const bool none = a.bodies.empty();
    const auto number = [none](double x) { return none ? std::numeric_limits<double>::quiet_NaN() : x; };
    table.add_row({a.name, a.detail, number(a.energy.after), number(a.energy.after / run.impact.energy.before),
                   number(a.energy.restitution_loss), number(a.energy.friction_loss), a.friction_law, a.flags});
  }
  return table;
}

Table contacts_table(const CollideRun& run) {
  Table table{"contacts", std::string("The contacts (") + run.answers.front().name + ")", {}};
  table.columns = {{"number", "no.", ""},
                   {"contact", "contact", ""},
                   {"impulse_normal", "normal impulse", "N s"},
                   {"impulse_friction", "friction impulse", "N s"},
                   {"velocity_normal_after", "normal velocity after", "m/s"},
                   {"compressions", "times loaded", ""},
                   {"restitution_share", "lost normally / energy", ""},
                   {"friction_share", "lost to friction / energy", ""},
                   {"restitution", "e", ""}};  // which a law may make another one at each
  for (std::size_t k = 0; k < run.impact.contacts.size(); ++k) {
    const ContactOutcome& c = run.impact.contacts[k];
    const Eigen::Vector3d& n = run.problem.contacts[k].normal;
    const double normal = c.impulse.dot(n), energy = run.impact.energy.before;
    table.add_row({static_cast<double>(k + 1), run.arrangement.contact_names[k], normal,
                   (c.impulse - normal * n).norm(), c.velocity_after.dot(n), static_cast<double>(c.compressions),
                   energy > 0.0 ? c.restitution_loss / energy : 0.0, energy > 0.0 ? c.friction_loss / energy : 0.0,
                   run.problem.contacts[k].material.restitution});
  }
  return table;
}

Table events_table(const CollideRun& run) {
  Table table{"events", std::string("What happened, in order (") + run.answers.front().name + ")", {}};
  table.columns = {{"time", "time", "scaled"},
                   {"contact", "contact", ""},
                   {"event", "event", ""},
                   {"impulse", "impulse so far", "N s"}};
  for (const SimultaneousEvent& e : run.impact.events)
    table.add_row({e.time, run.arrangement.contact_names[e.contact], name(e.type), numbers(e.impulse)});
  return table;
}

Table outcomes_table(const CollideRun& run) {
  Table table{"outcomes", "Every outcome that springs allow", {}};
  table.columns = {{"how", "how", ""},
                   {"stiffness_ratio", "ratio of stiffness", ""},
                   {"velocity_1", "velocity, right", "m/s"},
                   {"velocity_2", "velocity, up", "m/s"},
                   {"spin", "spin", "rad/s"}};
  const auto row = [&](std::string how, double ratio, const Eigen::VectorXd& v) {
    table.add_row({std::move(how), ratio, v[0], v[1], v[2]});
  };
  for (const auto& outcome : run.outcomes->by_order) {
    std::string how;
    for (const int k : outcome.order)
      how += (how.empty() ? "" : ", then ") + run.arrangement.contact_names[std::size_t(k)];
    row(how + (outcome.event_limit ? " (event_limit)" : ""), std::numeric_limits<double>::quiet_NaN(),
        outcome.velocity);
  }
  for (const auto& outcome : run.outcomes->by_ratio)
    row(outcome.event_limit ? "springs (event_limit)" : "springs", outcome.stiffness_ratio, outcome.velocity);
  return table;
}

std::string summary_of(const CollideRun& run) {
  const auto count = [](std::size_t n, const char* one, const char* many) {
    return n == 1 ? std::string("one ") + one : std::to_string(n) + " " + many;
  };
  std::size_t moving = 0;
  for (const Body& body : run.problem.bodies) moving += !body.immovable;
  const std::string what =
      count(moving, "body", "bodies") + ", " + count(run.problem.contacts.size(), "contact", "contacts") + ": ";
  switch (run.impact.verdict) {
    case Verdict::no_impact:
      return what + "no bodies approach, no impact.";
    case Verdict::event_limit:
      return what + "friction does not let go, or there is no end of events; the state is the one reached.";
    default:
      if (!std::isfinite(run.impact.energy.after / run.impact.energy.before)) return what + "all part.";
      return what + fmt::format("all part, with {:.4f} of the kinetic energy left.",
                                run.impact.energy.after / run.impact.energy.before);
  }
}

void add_notes(const CollideRun& run, Document& document) {
  const Flags flags = run.impact.flags;
  if (flags.has(Flag::event_limit))
    document.notes.push_back("event_limit: the run ended with energy still in the springs (residual).");
  if (flags.has(Flag::overflow))
    document.notes.push_back("overflow: numbers that leave the range of a double are left out.");
  if (flags.has(Flag::ill_conditioned))
    document.notes.push_back(
        "ill_conditioned: the masses are so unlike that rounding alone moves a velocity by more than the tolerance.");
  if (flags.has(Flag::mixed_exponents))
    document.notes.push_back(
        "mixed_exponents: unlike force laws make the outcome depend on speed and on the absolute stiffness.");
  if (flags.has(Flag::hyperstatic))
    document.notes.push_back(
        "hyperstatic: velocities are unique, friction impulses are not; those of least norm are given.");
  if (flags.has(Flag::e_clamped)) document.notes.push_back("e_clamped: restitution below 0.001 counts as 0.001.");
  for (const MethodAnswer& a : run.answers) {
    if (a.bodies.empty()) document.notes.push_back(a.name + ": " + a.detail + ".");
    if (a.flags.find("energy_gain") != std::string::npos) document.notes.push_back(a.name + ": kinetic energy rises.");
  }
  if (run.order_spread && *run.order_spread > 1e-9)
    document.notes.push_back(fmt::format(
        "sequential: another order of the contacts changes a velocity by up to {:.3g} m/s.", *run.order_spread));
  if (run.outcomes) {
    const auto &low = run.outcomes->low, &high = run.outcomes->high;
    std::string text;
    const char* what[] = {"the velocity to the right", "the velocity up", "the spin"};
    for (const Eigen::Index i : {0, 1, 2})
      if (high[i] - low[i] > 1e-9 * (low.norm() + high.norm()))
        text += fmt::format("{} {} lies between {:.4g} and {:.4g} {}", text.empty() ? "" : ",", what[i], low[i],
                            high[i], i == 2 ? "rad/s" : "m/s");
    if (!text.empty())
      document.notes.push_back("indeterminate: by the ratio of stiffness and the order of contacts" + text + ".");
  }
}

bool compares(const CollideScenario& scenario, CollideMethod method) {
  return std::find(scenario.compare.begin(), scenario.compare.end(), method) != scenario.compare.end();
}

/// How many answers there are, which contacts can stick, and up to which angle those of a corner can.
void add_rigid_facts(const CollideScenario& scenario, const CollideRun& run, Facts& facts) {
  if (compares(scenario, CollideMethod::lcp)) {
    const auto count = std::count_if(run.answers.begin(), run.answers.end(), [](const MethodAnswer& a) {
      return a.rigid && a.name.starts_with(name(CollideMethod::lcp));
    });
    facts.push_back({"lcp_solutions", "solutions of lcp", static_cast<double>(count), ""});
  }
  for (const SlipDiagram& d : run.slip_diagrams) {
    const std::string& contact = run.arrangement.contact_names[static_cast<std::size_t>(d.contact)];
    facts.push_back({key_of(contact) + "_can_stick", contact + ": can stick without pulling", d.can_stick, ""});
  }
  const auto* corner = scenario.generator ? std::get_if<Corner>(&*scenario.generator) : nullptr;
  // A restitution that follows the speed changes with the angle: then there is no such angle in closed form.
  const auto* restitution = std::get_if<double>(&scenario.material.restitution.law());
  if (corner == nullptr || corner->spin != 0.0 || restitution == nullptr) return;
  const Body& ball = run.problem.bodies[0];
  const double gyration = ball.inertia(2, 2) / (ball.mass * corner->radius * corner->radius),
               steepest = steepest_wall_stick(*restitution, gyration) * 180.0 / M_PI;
  facts.push_back({"wall_sticks_up_to", "rigid: wall can stick up to", steepest, "deg"});
  facts.push_back({"floor_sticks_from", "rigid: floor can stick from", 90.0 - steepest, "deg"});
}

Facts facts(const CollideScenario& scenario, const CollideRun& run) {
  const EnergyLedger& energy = run.impact.energy;
  bool anchored = false;
  for (const Body& body : run.problem.bodies) anchored |= body.immovable;
  Facts facts = {{"springs", "springs", std::string(name(scenario.springs)), ""},
                 {"verdict", "verdict", std::string(name(run.impact.verdict)), ""}};
  facts.insert(facts.end(), run.arrangement.facts.begin(), run.arrangement.facts.end());
  for (report::Fact& fact : roll_out_facts(run)) facts.push_back(std::move(fact));
  if (!run.steps.empty()) {
    const StepsTry& steps = run.steps.back();
    facts.push_back({"impulse_steps_error", "impulse steps: error / fastest", steps.error, ""});
    facts.push_back({"impulse_steps_count", "impulse steps: number", static_cast<double>(steps.impact.steps), ""});
    if (const auto& start = steps.impact.start_ratios; !start.empty() && start.size() <= 20)
      facts.push_back({"impulse_steps_start", "impulse steps: ratios at the start, by contact", start, ""});
  }
  facts.insert(facts.end(),
               {{"energy_before", "energy before", energy.before, "J"},
                {"energy_after", "energy after", energy.after, "J"},
                {"energy_ratio", "share left", energy.before > 0.0 ? energy.after / energy.before : 1.0, ""},
                {"restitution_loss", "lost by the normal impulses", energy.restitution_loss, "J"},
                {"friction_loss", "lost to friction", energy.friction_loss, "J"},
                {"residual", "left in the springs", energy.residual, "J"},
                {"time_unit", "time unit, for the stiffness given", run.impact.time_unit, "s"},
                {"flags", "flags", flag_list(run.impact.flags), ""}});
  if (!anchored)
    facts.push_back({"momentum_error", "change of total momentum",
                     (momentum(run.impact.bodies) - momentum(run.problem.bodies)).norm(), "kg m/s"});
  if (run.order_spread)
    facts.push_back({"order_spread", "sequential: spread with the order", *run.order_spread, "m/s"});
  add_rigid_facts(scenario, run, facts);
  if (run.outcomes)
    facts.push_back({"spin_spread", "spin after, least and greatest",
                     std::vector<double>{run.outcomes->low[2], run.outcomes->high[2]}, "rad/s"});
  return facts;
}

/// Contacts beyond these have no facts of their own.
constexpr std::size_t most_contact_facts = 20;

/// How the bodies move after, by the scenario's own springs, and how much friction its contacts made use of.
Facts details(const CollideScenario& scenario, const CollideRun& run) {
  std::vector<NamedBody> bodies;
  for (std::size_t i = 0; i < run.arrangement.bodies.size(); ++i)
    bodies.push_back({run.arrangement.bodies[i].name, run.answers.front().bodies[i]});
  Facts facts = motion_facts(bodies);
  for (std::size_t k = 0; k < run.impact.contacts.size() && k < most_contact_facts; ++k) {
    const Eigen::Vector3d& impulse = run.impact.contacts[k].impulse;
    const double normal = impulse.dot(run.problem.contacts[k].normal);
    const std::string& contact = run.arrangement.contact_names[k];
    facts.push_back({"friction_used_" + key_of(contact), contact + ": friction over normal impulse",
                     normal > 0.0 ? (impulse - normal * run.problem.contacts[k].normal).norm() / normal
                                  : std::numeric_limits<double>::quiet_NaN(),
                     ""});
  }
  if (const double least = friction_to_stick(run); std::isfinite(least) && !scenario.eta0)
    facts.push_back({"friction_to_stick", "least friction that sticks", least, ""});
  if (!compares(scenario, CollideMethod::lcp) || run.rigid->velocity.size() != 3 || run.rigid->dimension != 2)
    return facts;
  // The spins of the lcp's solutions by what sticks: the same solution has the same name in every run of a sweep.
  const auto spin_where = [&](const std::vector<int>& sticking) {
    for (const MethodAnswer& answer : run.answers)
      if (answer.rigid && answer.name.starts_with(name(CollideMethod::lcp)) && answer.rigid->sticking == sticking)
        return answer.rigid->velocity[2];
    return std::numeric_limits<double>::quiet_NaN();
  };
  facts.push_back({"lcp_spin_all_slip", "lcp: spin if all slip", spin_where({}), "rad/s"});
  for (std::size_t k = 0; k < run.arrangement.contact_names.size(); ++k) {
    const std::string& contact = run.arrangement.contact_names[k];
    facts.push_back({"lcp_spin_" + key_of(contact) + "_sticks", "lcp: spin if only " + contact + " sticks",
                     spin_where({static_cast<int>(k)}), "rad/s"});
  }
  return facts;
}

Document describe(const CollideScenario& scenario, const CollideRun& run) {
  Document document;
  document.summary = summary_of(run);
  document.tables.push_back(velocities_table(scenario, run));
  if (any_spin(run)) document.tables.push_back(spins_table(run));
  document.tables.push_back(methods_table(run));
  document.tables.push_back(contacts_table(run));
  if (!run.impact.events.empty()) document.tables.push_back(events_table(run));
  if (!run.slip_diagrams.empty()) document.tables.push_back(slip_diagrams_table(run));
  if (run.outcomes) document.tables.push_back(outcomes_table(run));
  if (!run.steps.empty()) document.tables.push_back(steps_table(run));
  if (run.answers.size() > 1 && !run.roll_outs.empty()) document.tables.push_back(roll_outs_table(run));
  document.plots = collide_pictures(scenario, run);
  add_notes(run, document);
  return document;
}

}  // namespace

Kind collide_kind() {
  return make_kind<CollideScenario, CollideRun>(
      {"collide", "", "Many bodies hit each other at once, or one body strikes several points", collide_fields(),
       run_collide, facts, details, describe});
}

}  // namespace carom::scenario
