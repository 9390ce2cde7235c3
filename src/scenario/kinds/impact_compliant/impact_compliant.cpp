#include "impact_compliant.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "carom/core/text.hpp"
#include "carom/impact/impact_class.hpp"

#include "kind.hpp"

namespace carom::scenario {

namespace {

using report::Document;
using report::Table;

Type<CompliantSteps> stepping() {
  Fields<CompliantSteps> fields;
  fields.optional("step", &CompliantSteps::step, number(Range::positive()), "of the normal impulse [N s] (5e-5)")
      .optional("stop_energy", &CompliantSteps::stop_energy, number(Range::at_least(0.0)),
                "restitution stops when no more is left in the normal spring [J] (1e-4)");
  return object(fields);
}

void check_method(const CompliantScenario& s, const Value& root, const Path& path, Mistakes& mistakes) {
  if (s.method != CompliantMethod::exact && s.unloading != Unloading::stiffer)
    mistakes.add(path.at("unloading"), place_of(root, "unloading"),
                 std::string("must be stiffer with `method: ") + name(s.method) + "`");
  if (s.stepping && s.method == CompliantMethod::exact)
    mistakes.add(path.at("stepping"), place_of(root, "stepping"), "goes with `method`: paper_code or algorithm_1");
}

Fields<CompliantScenario> fields() {
  Fields<CompliantScenario> all;
  all.optional("bodies", &CompliantScenario::bodies, list_of(spatial_body(), 0, 2), "the two bodies, A and B")
      .optional("contact", &CompliantScenario::contact, spatial_contact(), "where and which way the bodies touch")
      .optional("contact_space", &CompliantScenario::space, spatial_space(), "W and v instead of bodies")
      .optional("system", &CompliantScenario::system, mechanical_system(3), "any mechanical system instead of bodies")
      .required("material", &CompliantScenario::surface, compliant_surface(), "the touching surfaces")
      .optional("reading", &CompliantScenario::reading, reading(),
                "the model (default), or what the paper's printed numbers follow")
      .optional("unloading", &CompliantScenario::unloading, choice<Unloading>(),
                "the normal spring stiffens when compression ends (stiffer, default) or keeps its stiffness and stops "
                "early (keep_stiffness)")
      .optional("incidence", &CompliantScenario::incidence, angle(),
                "turns A's velocity to this angle from the normal, its speed and plane unchanged: [rad] or '30 deg'")
      .optional("frames", &CompliantScenario::frames, frames(), "pictures of the flight before and after")
      .check(check_what_collides<CompliantScenario>)
      .check(check_frames<CompliantScenario>)
      .optional("method", &CompliantScenario::method, choice<CompliantMethod>(),
                "exact (default), or to be compared: also by the steps behind the printed numbers (paper_code), or by "
                "those that the paper lists (algorithm_1), which do not converge")
      .optional("stepping", &CompliantScenario::stepping, stepping(), "steps of the method")
      .check({"reading", "unloading"}, check_unloading<CompliantScenario>)
      .check({"method", "stepping", "unloading"}, check_method)
      .check([](const CompliantScenario& s, const Value& root, const Path& path, Mistakes& mistakes) {
        if (!s.incidence) return;
        const auto refuse = [&](const std::string& message) {
          mistakes.add(path.at("incidence"), place_of(root, "incidence"), message);
        };
        if (!s.bodies)
          refuse("needs `bodies`");
        else if (!(*s.incidence >= 0.0 && *s.incidence < 0.5 * std::numbers::pi))
          refuse("must be at least 0 and below 90 deg, got " + number_text(*s.incidence) +
                 " rad; a number without `deg` is in radians");
      });
  return all;
}

using CompliantStruck = Struck<CompliantImpact, std::vector<NamedBody>>;
using RigidStruck = Struck<SpatialImpact, std::vector<NamedBody>>;

/// The surfaces at the speed with which the impact begins.
Material surfaces_at_touch(const CompliantScenario& scenario) {
  return scenario.surface.material.at(approach_speed(space_of(scenario)));
}

CompliantProblem problem_of(const CompliantScenario& scenario, const ContactSpace& space) {
  return {space, surfaces_at_touch(scenario), scenario.surface.stiffness_ratio_root, scenario.reading,
          scenario.unloading};
}

CompliantStruck compliant(const CompliantScenario& scenario) {
  const TangentialSprings springs{scenario.surface.stiffness_ratio_root, scenario.reading, scenario.unloading};
  return strike(
      scenario,
      [&](const Body& a, const Body& b, const Contact& contact) {
        return collide(a, b, contact, surfaces_at_touch(scenario), springs);
      },
      [&](const ContactSpace& space) { return compliant_impact(problem_of(scenario, space)); });
}

/// The same between rigid bodies, under energetic restitution.
RigidStruck rigid(const CompliantScenario& scenario) {
  return strike(
      scenario,
      [&](const Body& a, const Body& b, const Contact& contact) {
        return collide(a, b, contact, surfaces_at_touch(scenario));
      },
      [&](const ContactSpace& space) {
        return spatial_impact({space, surfaces_at_touch(scenario), RestitutionLaw::energetic});
      });
}

/// The scenario with A's velocity turned to its angle of incidence.
CompliantScenario turned(CompliantScenario scenario) {
  if (!scenario.incidence) return scenario;
  // In the plane of A's velocity and the normal; straight down, any plane will do.
  Eigen::Vector3d& velocity = (*scenario.bodies)[0].body.velocity;
  const Eigen::Vector3d n = scenario.contact->normal;
  Eigen::Vector3d t = velocity - velocity.dot(n) * n;
  t = t.norm() > no_tangential_share * velocity.norm() ? t.normalized()
                                                       : Eigen::Vector3d(contact_frame(*scenario.contact).col(0));
  velocity = velocity.norm() * (std::sin(*scenario.incidence) * t - std::cos(*scenario.incidence) * n);
  return scenario;
}

CompliantRun run(const CompliantScenario& given, const RunRequest&) {
  const CompliantScenario scenario = turned(given);
  CompliantRun result;
  result.problem = problem_of(scenario, space_of(scenario));
  CompliantStruck struck = compliant(scenario);
  result.impact = std::move(struck.impact);
  if (scenario.bodies) result.bodies_before = *scenario.bodies;
  result.bodies_after = std::move(struck.bodies);
  result.system_velocity_after = std::move(struck.system_velocity);
  RigidStruck of_rigid = rigid(scenario);
  result.rigid = std::move(of_rigid.impact);
  result.rigid_bodies_after = std::move(of_rigid.bodies);
  const auto moved_by = [&](const Eigen::Vector3d& impulse) {
    std::vector<NamedBody> bodies = result.bodies_before;
    if (!bodies.empty()) apply_impulse(bodies[0].body, bodies[1].body, *scenario.contact, impulse);
    return bodies;
  };
  if (scenario.reading == Reading::model && scenario.unloading == Unloading::stiffer) {
    CompliantProblem problem = result.problem;
    problem.reading = Reading::published;
    const CompliantOutcome outcome = compliant_outcome(problem);
    if (outcome.verdict != Verdict::event_limit && !outcome.flags.has(Flag::undefined_reading)) {
      result.published = outcome;
      result.published_bodies_after = moved_by(outcome.impulse);
    }
  }
  if (scenario.method != CompliantMethod::exact) {
    CompliantSteps steps = scenario.stepping.value_or(CompliantSteps{});
    if (scenario.method == CompliantMethod::algorithm_1) steps.slip = SlipSteps::as_listed;
    result.stepped = stepped_impact(result.problem, steps);
    result.stepped_bodies_after = moved_by(result.stepped->impulse);
  }
  return result;
}

std::string summary_of(const CompliantImpact& impact) {
  if (impact.verdict == Verdict::no_impact) return "The bodies do not approach: no impact.";
  if (impact.verdict == Verdict::event_limit) return "The contact changes between stick and slip too often to follow.";
  std::string text;
  for (const CompliantEvent& event : impact.events) {
    const char* words = event.type == EventType::start_slip    ? "slips at first"
                        : event.type == EventType::start_stick ? "sticks at first"
                        : event.type == EventType::slip_ends   ? "then sticks"
                        : event.type == EventType::stick_ends  ? "then slips"
                                                               : nullptr;
    if (words != nullptr) text += (text.empty() ? "The contact " : ", ") + std::string(words);
  }
  constexpr std::size_t longest = 120;  // beyond, the list of events says it better
  return text.size() > longest ? "The contact changes between stick and slip many times." : text + ".";
}

/// Steps that chatter tell no more events than these.
constexpr std::size_t most_step_events = 200;

Table models_table(const CompliantRun& run, CompliantMethod method, const std::string& whose) {
  Table table = outcomes_table("models", "With and without tangential compliance", {"model", "model", ""}, whose);
  add_outcome(table, "compliant", run.impact);
  add_outcome(table, "rigid", run.rigid);
  if (run.stepped) add_outcome(table, name(method), *run.stepped);
  return table;
}

/// The modes of contact in order, such as "slip-stick-slip", and the one in which compression ends.
struct Modes {
  std::string all, compression_ends;
};
Modes modes_of(const CompliantImpact& impact) {
  Modes modes;
  std::string now;
  std::size_t count = 0;
  constexpr std::size_t most = 9;  // then the number of changes says more
  for (const CompliantEvent& event : impact.events) {
    if (event.type == EventType::compression_ends && modes.compression_ends.empty()) modes.compression_ends = now;
    const bool slips = event.type == EventType::start_slip || event.type == EventType::stick_ends;
    if (!slips && event.type != EventType::start_stick && event.type != EventType::slip_ends) continue;
    now = slips ? "slip" : "stick";
    if (++count <= most) modes.all += (modes.all.empty() ? "" : "-") + now;
  }
  if (count > most)
    modes.all = std::to_string(count) + " modes, " + modes.all.substr(0, modes.all.find('-')) + " first";
  return modes;
}

/// The events of the steps, beside where they are.
Table steps_table(const CompliantRun& run, CompliantMethod method) {
  Table table{name(method), "Where the steps see what happens", {}};
  table.columns = {{"event", "event", ""},
                   {"normal_impulse", "$I_n$ in steps", "N s"},
                   {"exact", "exactly", "N s"},
                   {"velocity", "tangential velocity in steps", "m/s"},
                   {"rate", "spring rate in steps", "m/s"}};
  const auto& exact = run.impact.events;
  for (std::size_t k = 0; k < run.stepped->events.size() && k < most_step_events; ++k) {
    const CompliantEvent& event = run.stepped->events[k];
    const bool same = k < exact.size() && exact[k].type == event.type;
    table.add_row({name(event.type), event.impulse.z(),
                   same ? exact[k].impulse.z() : std::numeric_limits<double>::quiet_NaN(),
                   std::vector<double>{event.velocity[0], event.velocity[1]},
                   std::vector<double>{event.springs.rate[0], event.springs.rate[1]}});
  }
  return table;
}

Table trace_table(const CompliantRun& run) {
  Table table{"trace", "What happened, in order", {}};
  table.columns = {{"event", "event", ""},
                   {"impulse", "impulse", "N s"},
                   {"velocity", "velocity", "m/s"},
                   {"slip_velocity", "slip", "m/s"},
                   {"spring_length", "spring length", "J$^{1/2}$"},
                   {"spring_rate", "spring rate", "m/s"},
                   {"spring_energy", "spring energy", "J"}};
  for (const CompliantEvent& event : run.impact.events) {
    const ContactSprings& s = event.springs;
    table.add_row({name(event.type), numbers(event.impulse), numbers(event.velocity),
                   std::vector<double>{s.slip_velocity[0], s.slip_velocity[1]}, numbers(s.length), numbers(s.rate),
                   numbers(s.energy)});
  }
  return table;
}

Facts facts(const CompliantScenario& scenario, const CompliantRun& run) {
  const CompliantImpact& impact = run.impact;
  const Eigen::Matrix3d& w = run.problem.space.inverse_inertia;
  const double eta0 = run.problem.stiffness_ratio_root;
  Facts facts = {{"verdict", "verdict", std::string(name(impact.verdict)), ""},
                 {"stiffness_ratio", "stiffness ratio $\\eta_0^2 = k_n/k_t$", eta0 * eta0, ""},
                 {"inverse_inertia_t1", "$W$, row $t1$", numbers(w.row(0)), "1/kg"},
                 {"inverse_inertia_t2", "$W$, row $t2$", numbers(w.row(1)), "1/kg"},
                 {"inverse_inertia_n", "$W$, row $n$", numbers(w.row(2)), "1/kg"},
                 {"velocity_before", "velocity before $(t1, t2, n)$", numbers(run.problem.space.velocity), "m/s"},
                 {"velocity_after", "velocity after $(t1, t2, n)$", numbers(impact.velocity_after), "m/s"},
                 {"rigid_velocity_after", "without compliance", numbers(run.rigid.velocity_after), "m/s"},
                 {"impulse", "impulse $(t1, t2, n)$", numbers(impact.impulse), "N s"}};
  add_restitution_used(facts, scenario.surface.material.restitution, run.problem.material.restitution);
  const Modes modes = modes_of(impact);
  facts.push_back({"class", "class of the impact", std::string(name(impact_class(run.problem.space))), ""});
  facts.push_back({"modes", "modes of contact", modes.all, ""});
  facts.push_back({"compression_ends_in", "compression ends in", modes.compression_ends, ""});
  if (run.stepped) {
    facts.push_back({"method", "method compared", std::string(name(scenario.method)), ""});
    facts.push_back({"method_impulse", "its impulse", numbers(run.stepped->impulse), "N s"});
    facts.push_back({"method_error", "its error", (run.stepped->impulse - impact.impulse).norm(), "N s"});
    facts.push_back({"method_steps", "its steps", static_cast<double>(run.stepped->steps), ""});
    facts.push_back({"method_verdict", "its verdict", std::string(name(run.stepped->verdict)), ""});
  }
  for (report::Fact& fact :
       ledger_facts(impact.energy, energy_owner(scenario), impact.flags, run.system_velocity_after))
    facts.push_back(std::move(fact));
  return facts;
}

/// How the bodies go on, with and without compliance, and what is left of A's tangential velocity.
Facts details(const CompliantScenario& scenario, const CompliantRun& run) {
  if (run.bodies_after.empty()) return {};
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const bool answered = run.impact.verdict != Verdict::event_limit;  // a partial answer is none
  Facts facts = answered ? motion_facts(run.bodies_after) : Facts();
  for (report::Fact& fact : motion_facts(run.rigid_bodies_after, "rigid")) facts.push_back(std::move(fact));
  if (scenario.reading == Reading::model && scenario.unloading == Unloading::stiffer) {
    std::vector<NamedBody> published = run.published_bodies_after;
    if (published.empty()) {  // as published it has no meaning: a gap in a sweep
      published = run.bodies_before;
      for (NamedBody& body : published) {
        body.body.velocity.setConstant(none);
        body.body.angular_velocity.setConstant(none);
      }
    }
    for (report::Fact& fact : motion_facts(published, "published")) facts.push_back(std::move(fact));
  }
  for (report::Fact& fact : motion_facts(run.stepped_bodies_after, name(scenario.method)))
    facts.push_back(std::move(fact));
  const auto ratio = [&](const std::vector<NamedBody>& after) {
    return tangential_ratio(run.bodies_before[0].body.velocity, after[0].body.velocity, scenario.contact->normal)
        .value_or(none);
  };
  facts.push_back({"tangential_ratio", "$V_t$ after / before", answered ? ratio(run.bodies_after) : none, ""});
  facts.push_back({"rigid_tangential_ratio", "$V_t$ after / before, rigid", ratio(run.rigid_bodies_after), ""});
  return facts;
}

Document describe(const CompliantScenario& scenario, const CompliantRun& run) {
  const CompliantImpact& impact = run.impact;
  Document document;
  document.summary = summary_of(impact);
  document.tables = {models_table(run, scenario.method, energy_owner(scenario)), trace_table(run)};
  if (scenario.bodies) {
    document.tables.push_back(
        bodies_table("The bodies before and after, world axes", run.bodies_before, run.bodies_after));
    document.tables.push_back(solids_table(run.bodies_before));
  }
  if (run.stepped) document.tables.push_back(steps_table(run, scenario.method));
  document.plots = compliant_pictures(scenario, run);
  if (scenario.frames)
    document.scenes = {motion_scene(run.bodies_before, run.bodies_after, *scenario.contact, *scenario.frames)};
  if (scenario.reading == Reading::published)
    document.notes.push_back(
        "published: friction is weakened to e mu in restitution, as the paper's printed numbers have it. Not the "
        "model.");
  note_flags(document, impact.flags);
  return document;
}

}  // namespace

Kind compliant_impact_kind() {
  return make_kind<CompliantScenario, CompliantRun>(
      {"impact", "compliant", "Two bodies hit each other in space, with friction and a contact that gives sideways",
       fields(), run, facts, details, describe});
}

}  // namespace carom::scenario
