#include "impact_compliant.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>

#include "kind.hpp"

namespace carom::scenario {

namespace {

using report::Document;
using report::Table;

struct VariedRow {
  Varied varied;
  const char* name;
  const char* label;
  double low;  ///< least value it may have
  bool needs_bodies = false;
};
constexpr double any = -std::numeric_limits<double>::infinity();
constexpr VariedRow varied_rows[] = {{Varied::mu, "mu", "friction $\\mu$", 0.0},
                                     {Varied::e, "e", "restitution $e$", 0.0},
                                     {Varied::eta0, "eta0", "$\\eta_0$", 0.0},
                                     {Varied::velocity_x, "V_x", "$V_x$ before [m/s]", any, true},
                                     {Varied::velocity_y, "V_y", "$V_y$ before [m/s]", any, true},
                                     {Varied::velocity_z, "V_z", "$V_z$ before [m/s]", any, true},
                                     {Varied::spin_x, "w_x", "$\\omega_x$ before [rad/s]", any, true},
                                     {Varied::spin_y, "w_y", "$\\omega_y$ before [rad/s]", any, true},
                                     {Varied::spin_z, "w_z", "$\\omega_z$ before [rad/s]", any, true},
                                     {Varied::incidence, "incidence", "angle from the normal [deg]", 0.0, true}};

const VariedRow& row_of(Varied varied) { return varied_rows[static_cast<std::size_t>(varied)]; }

Type<Measured> measured() {
  Fields<Measured> fields;
  fields.required("source", &Measured::source, text(), "where the numbers come from")
      .required("degrees", &Measured::degrees, list_of(number(Range::between(0.0, 90.0)), 1, 1000),
                "angles of incidence [deg]")
      .required("ratio", &Measured::ratio, list_of(number(), 1, 1000),
                "tangential velocity of A's centre, after / before, at each of them")
      .check([](const Measured& m, const Value& object, const Path& path, Mistakes& mistakes) {
        if (m.degrees.size() != m.ratio.size())
          mistakes.add(
              path.at("ratio"), place_of(object, "ratio"),
              fmt::format("must have as many numbers as `degrees`, {}, got {}", m.degrees.size(), m.ratio.size()));
      });
  return object(fields);
}

void check_sweep(const CompliantSweep& s, const Value& object, const Path& path, Mistakes& mistakes) {
  const VariedRow& row = row_of(s.vary);
  const auto complain = [&](const char* key, const std::string& message) {
    mistakes.add(path.at(key), place_of(object, key), message);
  };
  for (const auto& [key, value] : {std::pair{"from", s.from}, std::pair{"to", s.to}}) {
    const Value* given = object.find(key);
    if (s.vary != Varied::incidence && given->kind() == Value::Kind::text)
      complain(key, "must be a number, not an angle");
    if (value < row.low) complain(key, std::string("must be >= 0 for ") + row.name);
    if (s.vary == Varied::e && value > 1.0) complain(key, "must be in [0, 1] for e");
    if (s.vary == Varied::eta0 && value == 0.0) complain(key, "must be positive for eta0");
    if (s.vary == Varied::incidence && !(value < 0.5 * std::numbers::pi)) complain(key, "must be below 90 deg");
  }
  if (!(s.to > s.from)) complain("to", "must be greater than `from`");
  if (s.measured && s.vary != Varied::incidence) complain("measured", "goes with `vary: incidence` only");
}

Type<CompliantSweep> sweep() {
  std::vector<std::pair<std::string, Varied>> names;
  for (const VariedRow& row : varied_rows) names.emplace_back(row.name, row.varied);
  Fields<CompliantSweep> fields;
  fields.required("vary", &CompliantSweep::vary, choice<Varied>(names), "what to change; V and w are those of body A")
      .required("from", &CompliantSweep::from, angle(), "first value; for incidence [rad], or text such as '5 deg'")
      .required("to", &CompliantSweep::to, angle(), "last value")
      .optional("steps", &CompliantSweep::steps, integer(2, 100'000), "number of values (default 101)")
      .optional("measured", &CompliantSweep::measured, measured(), "measured ratios to draw beside the computed ones")
      .check(check_sweep);
  return object(fields);
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
      .optional("sweep", &CompliantScenario::sweep, sweep(), "many impacts, with one thing changed")
      .optional("frames", &CompliantScenario::frames, frames(), "pictures of the flight before and after")
      .check(check_what_collides<CompliantScenario>)
      .check(check_frames<CompliantScenario>)
      .check([](const CompliantScenario& s, const Value& root, const Path& path, Mistakes& mistakes) {
        if (s.sweep && row_of(s.sweep->vary).needs_bodies && !s.bodies)
          mistakes.add(path.at("sweep"), place_of(root, "sweep"),
                       std::string("needs `bodies` to vary ") + name(s.sweep->vary));
      });
  return all;
}

using CompliantStruck = Struck<CompliantImpact, std::vector<NamedBody>>;
using RigidStruck = Struck<SpatialImpact, std::vector<NamedBody>>;

CompliantProblem problem_of(const CompliantScenario& scenario, const ContactSpace& space) {
  return {space, scenario.surface.material, scenario.surface.stiffness_ratio_root, scenario.reading};
}

CompliantStruck compliant(const CompliantScenario& scenario) {
  const TangentialSprings springs{scenario.surface.stiffness_ratio_root, scenario.reading};
  return strike(
      scenario,
      [&](const Body& a, const Body& b, const Contact& contact) {
        return collide(a, b, contact, scenario.surface.material, springs);
      },
      [&](const ContactSpace& space) { return compliant_impact(problem_of(scenario, space)); });
}

/// The same between rigid bodies, under energetic restitution.
RigidStruck rigid(const CompliantScenario& scenario) {
  return strike(
      scenario,
      [&](const Body& a, const Body& b, const Contact& contact) {
        return collide(a, b, contact, scenario.surface.material);
      },
      [&](const ContactSpace& space) {
        return spatial_impact({space, scenario.surface.material, RestitutionLaw::energetic});
      });
}

/// How A goes on.
template <class AnyStruck>
Motion motion_after(const CompliantScenario& scenario, const AnyStruck& struck) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Motion motion;
  motion.tangential_ratio = none;
  if (!scenario.bodies) {
    motion.velocity = velocity_after(space_of(scenario), struck.impact.impulse);
    return motion;
  }
  const Body &before = (*scenario.bodies)[0].body, &after = struck.bodies[0].body;
  motion.velocity = after.velocity;
  motion.spin = after.angular_velocity;
  motion.tangential_ratio = tangential_ratio(before.velocity, after.velocity, scenario.contact->normal).value_or(none);
  return motion;
}

/// Where there is no answer.
Motion no_motion(const CompliantScenario& scenario) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Motion motion;
  motion.velocity.setConstant(none);
  if (scenario.bodies) motion.spin.setConstant(none);
  motion.tangential_ratio = none;
  return motion;
}

/// The scenario with one thing changed.
CompliantScenario with(CompliantScenario scenario, Varied varied, double value) {
  Body* a = scenario.bodies ? &(*scenario.bodies)[0].body : nullptr;
  switch (varied) {
    case Varied::mu:
      scenario.surface.material.friction = value;
      break;
    case Varied::e:
      scenario.surface.material.restitution = value;
      break;
    case Varied::eta0:
      scenario.surface.stiffness_ratio_root = value;
      break;
    case Varied::velocity_x:
    case Varied::velocity_y:
    case Varied::velocity_z:
      a->velocity[static_cast<int>(varied) - static_cast<int>(Varied::velocity_x)] = value;
      break;
    case Varied::spin_x:
    case Varied::spin_y:
    case Varied::spin_z:
      a->angular_velocity[static_cast<int>(varied) - static_cast<int>(Varied::spin_x)] = value;
      break;
    case Varied::incidence: {
      // In the plane of A's velocity and the normal; straight down, any plane will do.
      const Eigen::Vector3d n = scenario.contact->normal;
      Eigen::Vector3d t = a->velocity - a->velocity.dot(n) * n;
      t = t.norm() > no_tangential_share * a->velocity.norm()
              ? t.normalized()
              : Eigen::Vector3d(contact_frame(*scenario.contact).col(0));
      a->velocity = a->velocity.norm() * (std::sin(value) * t - std::cos(value) * n);
      break;
    }
  }
  return scenario;
}

CompliantRun run(const CompliantScenario& scenario) {
  CompliantRun result;
  result.problem = problem_of(scenario, space_of(scenario));
  CompliantStruck struck = compliant(scenario);
  result.impact = std::move(struck.impact);
  result.bodies_after = std::move(struck.bodies);
  result.system_velocity_after = std::move(struck.system_velocity);
  result.rigid = rigid(scenario).impact;
  if (scenario.sweep) {
    const CompliantSweep& s = *scenario.sweep;
    CompliantScenario swept = scenario;
    if (swept.system) {  // only its contact is looked at
      swept.space = space_of(scenario);
      swept.system.reset();
    }
    for (int i = 0; i < s.steps; ++i) {
      const double value = s.from + (s.to - s.from) * i / (s.steps - 1);
      const CompliantScenario changed = with(swept, s.vary, value);
      const CompliantStruck now = compliant(changed);
      SweepPoint point{value, motion_after(changed, now), motion_after(changed, rigid(changed))};
      if (now.impact.verdict == Verdict::event_limit) point.motion = no_motion(changed);  // a partial one is no answer
      result.swept.push_back(point);
    }
  }
  return result;
}

std::string story(const CompliantImpact& impact) {
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

Table models_table(const CompliantRun& run, const std::string& whose) {
  Table table = outcomes_table("models", "With and without tangential compliance", {"model", "model", ""}, whose);
  add_outcome(table, "compliant", run.impact);
  add_outcome(table, "rigid", run.rigid);
  return table;
}

Table trace_table(const CompliantRun& run) {
  Table table{"trace", "What happened, in order", {}, {}};
  table.columns = {{"event", "event", ""},
                   {"impulse", "impulse", "N s"},
                   {"velocity", "velocity", "m/s"},
                   {"slip_velocity", "slip", "m/s"},
                   {"spring_length", "spring length", "J$^{1/2}$"},
                   {"spring_rate", "spring rate", "m/s"},
                   {"spring_energy", "spring energy", "J"}};
  for (const CompliantEvent& event : run.impact.events) {
    const ContactSprings& s = event.springs;
    table.rows.push_back({name(event.type), numbers(event.impulse), numbers(event.velocity),
                          std::vector<double>{s.slip_velocity[0], s.slip_velocity[1]}, numbers(s.length),
                          numbers(s.rate), numbers(s.energy)});
  }
  return table;
}

Table sweep_table(const CompliantScenario& scenario, const CompliantRun& run) {
  const Varied vary = scenario.sweep->vary;
  Table table{"sweep", std::string("After the impact, over ") + name(vary), {}, {}};
  const std::string who = scenario.bodies ? "velocity" : "contact velocity";
  table.columns = {
      {name(vary), axis_label(vary), ""}, {"velocity", who, "m/s"}, {"rigid_velocity", who + ", rigid", "m/s"}};
  if (scenario.bodies) {
    table.columns.push_back({"spin", "spin", "rad/s"});
    table.columns.push_back({"rigid_spin", "spin, rigid", "rad/s"});
    table.columns.push_back({"tangential_ratio", "$V_t$ after/before", ""});
    table.columns.push_back({"rigid_tangential_ratio", "$V_t$ after/before, rigid", ""});
  }
  for (const SweepPoint& p : run.swept) {
    const double value = vary == Varied::incidence ? p.value * 180.0 / std::numbers::pi : p.value;
    auto& row = table.rows.emplace_back();
    row = {value, numbers(p.motion.velocity), numbers(p.rigid.velocity)};
    if (scenario.bodies)
      row.insert(row.end(),
                 {numbers(p.motion.spin), numbers(p.rigid.spin), p.motion.tangential_ratio, p.rigid.tangential_ratio});
  }
  return table;
}

Document describe(const CompliantScenario& scenario, const CompliantRun& run) {
  const CompliantImpact& impact = run.impact;
  const Eigen::Matrix3d& w = run.problem.space.inverse_inertia;
  const double eta0 = run.problem.stiffness_ratio_root;
  Document document;
  document.summary = story(impact);
  document.facts = {{"verdict", "verdict", std::string(name(impact.verdict)), ""},
                    {"stiffness_ratio", "stiffness ratio $\\eta_0^2 = k_n/k_t$", eta0 * eta0, ""},
                    {"inverse_inertia_t1", "$W$, row $t1$", numbers(w.row(0)), "1/kg"},
                    {"inverse_inertia_t2", "$W$, row $t2$", numbers(w.row(1)), "1/kg"},
                    {"inverse_inertia_n", "$W$, row $n$", numbers(w.row(2)), "1/kg"},
                    {"velocity_before", "velocity before $(t1, t2, n)$", numbers(run.problem.space.velocity), "m/s"},
                    {"velocity_after", "velocity after $(t1, t2, n)$", numbers(impact.velocity_after), "m/s"},
                    {"rigid_velocity_after", "without compliance", numbers(run.rigid.velocity_after), "m/s"},
                    {"impulse", "impulse $(t1, t2, n)$", numbers(impact.impulse), "N s"}};
  for (report::Fact& fact :
       ledger_facts(impact.energy, energy_owner(scenario), impact.flags, run.system_velocity_after))
    document.facts.push_back(std::move(fact));
  document.tables = {models_table(run, energy_owner(scenario)), trace_table(run)};
  if (scenario.bodies)
    document.tables.push_back(
        bodies_table("The bodies before and after, world axes", *scenario.bodies, run.bodies_after));
  if (scenario.sweep) document.tables.push_back(sweep_table(scenario, run));
  document.plots = compliant_pictures(scenario, run);
  if (scenario.reading == Reading::published)
    document.notes.push_back(
        "published: friction is weakened to e mu in restitution, as the paper's printed numbers have it. Not the "
        "model.");
  note_flags(document, impact.flags);
  return document;
}

}  // namespace

const char* name(Varied varied) { return row_of(varied).name; }
const char* axis_label(Varied varied) { return row_of(varied).label; }

Kind compliant_impact_kind() {
  return make_kind<CompliantScenario, CompliantRun>(
      "impact", "compliant", "Two bodies hit each other in space, with friction and a contact that gives sideways",
      fields(), run, describe);
}

}  // namespace carom::scenario
