#include "impact_spatial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/impact/impact_class.hpp"
#include "carom/impact/impulse_space.hpp"

#include "kind.hpp"

namespace carom::scenario {

namespace {

using report::Document;
using report::Table;

Type<double> between_zero_and_one() {
  const auto plain = number();
  return custom<double>(
      [plain](const Value& value, const Path& path, Mistakes& mistakes, double& out) {
        if (!plain.read(value, path, mistakes, out)) return false;
        if (out > 0.0 && out < 1.0) return true;
        mistakes.add(path, value.place(), "must be in (0, 1), got " + shown(value));
        return false;
      },
      R"({"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1})");
}

Type<StepSettings> stepping() {
  using S = StepSettings;
  Fields<S> all;
  all.optional("step", &S::step, number(Range::positive()), "of the normal impulse, for NI and FS [N s] (0.001)")
      .optional("blend", &S::blend, between_zero_and_one(),
                "for VS: share of the steps by arc, the rest by angle (0.5)")
      .optional("arc", &S::arc, number(Range::positive()), "for VS: step along the hodograph [m/s] (0.01)")
      .optional("angle", &S::angle, number(Range::positive()), "for VS: step of its tangent's angle [rad] (0.01)")
      .optional("energy", &S::energy, choice<StepEnergy>(),
                "normal velocity that the work of a step is reckoned with: at its end (default), or in its middle");
  return object(all);
}

void check_method(const SpatialScenario& s, const Value& root, const Path& path, Mistakes& mistakes) {
  if (s.stepping && s.method == SpatialMethod::exact)
    mistakes.add(path.at("stepping"), place_of(root, "stepping"), "goes with `method`: NI, FS or VS");
  if (s.method != SpatialMethod::exact && s.law != RestitutionLaw::energetic)
    mistakes.add(path.at("law"), place_of(root, "law"),
                 std::string("must be energetic with `method`: ") + name(s.method) + ", got " + name(s.law));
}

Fields<SpatialScenario> fields() {
  Fields<SpatialScenario> all;
  all.optional("bodies", &SpatialScenario::bodies, list_of(spatial_body(), 0, 2), "the two bodies, A and B")
      .optional("contact", &SpatialScenario::contact, spatial_contact(), "where and which way the bodies touch")
      .optional("contact_space", &SpatialScenario::space, spatial_space(), "W and v instead of bodies")
      .optional("system", &SpatialScenario::system, mechanical_system(3), "any mechanical system instead of bodies")
      .required("material", &SpatialScenario::material, material(), "the touching surfaces")
      .optional("law", &SpatialScenario::law, choice<RestitutionLaw>(), "restitution law (default energetic)")
      .optional("compare", &SpatialScenario::compare, list_of(choice<RestitutionLaw>(), 1, 3),
                "laws to set side by side")
      .optional("bundle", &SpatialScenario::bundle, integer(1, 360),
                "also draw this many hodographs from unit sliding velocities, beside those along invariant directions")
      .optional("straight_within", &SpatialScenario::straight_within, between_zero_and_one(),
                "also say what the impact is when slip counts as straight below this sine of the angle between it and "
                "its rate (the text: 0.08)")
      .optional("method", &SpatialScenario::method, choice<SpatialMethod>(),
                "exact (default), or one of the text's methods to be compared with that: NI, FS, VS")
      .optional("stepping", &SpatialScenario::stepping, stepping(), "steps of the method")
      .optional("frames", &SpatialScenario::frames, frames(), "pictures of the flight before and after")
      .check({"method", "stepping", "law"}, check_method)
      .check(check_what_collides<SpatialScenario>)
      .check(check_frames<SpatialScenario>);
  return all;
}

SpatialRun run(const SpatialScenario& scenario, const RunRequest&) {
  const Material material = material_at_touch(scenario);
  const auto of_bodies = [&](const Body& a, const Body& b, const Contact& contact, RestitutionLaw law) {
    return collide(a, b, contact, material, law);
  };
  SpatialRun result = run_laws<SpatialRun>(scenario, of_bodies, spatial_impact);
  if (scenario.bundle) result.bundle = run_bundle(result.problem, *scenario.bundle, scenario.straight_within);
  if (scenario.straight_within) result.within = spatial_within(result.problem, *scenario.straight_within);
  if (scenario.method != SpatialMethod::exact) {
    StepSettings settings = scenario.stepping.value_or(StepSettings{});
    settings.sine = scenario.straight_within.value_or(text_sine);
    const StepMethod method = scenario.method == SpatialMethod::ni   ? StepMethod::ni
                              : scenario.method == SpatialMethod::fs ? StepMethod::fs
                                                                     : StepMethod::vs;
    result.methods = run_methods(result.problem, method, settings);
  }
  return result;
}

std::string summary_of(SpatialCase process) {
  switch (process) {
    case SpatialCase::none:
      return "The bodies do not approach: no impact.";
    case SpatialCase::stick:
      return "The contact sticks from first touch to the end.";
    case SpatialCase::slip_from_rest:
      return "The contact starts at rest but friction cannot hold it: it slips away.";
    case SpatialCase::curved_slip:
      return "The contact slips throughout, along a curve.";
    case SpatialCase::slip_ends_in_compression:
      return "Slip follows a curve and ends during compression.";
    case SpatialCase::slip_ends_in_restitution:
      return "Slip follows a curve and ends during restitution.";
    case SpatialCase::straight_ends_in_compression:
      return "Slip is straight, along an invariant direction, and ends during compression.";
    case SpatialCase::straight_ends_in_restitution:
      return "Slip is straight, along an invariant direction, and ends during restitution.";
    case SpatialCase::straight_slip:
      return "The contact slips throughout, straight along an invariant direction.";
    case SpatialCase::late_straight_ends:
    case SpatialCase::late_straight_slip:
      break;  // labels of the text, never outcomes
  }
  return "";
}

Table laws_table(const SpatialRun& run, const std::string& whose) {
  Table table = outcomes_table("laws", "Restitution laws side by side", {"law", "law", ""}, whose);
  for (std::size_t i = 0; i < run.laws.size(); ++i) add_outcome(table, name(run.laws[i]), run.impacts[i]);
  return table;
}

Table trace_table(const SpatialRun& run) {
  Table table{"trace", "What happened, in order", {}};
  table.columns = {
      {"law", "law", ""}, {"event", "event", ""}, {"impulse", "impulse", "N s"}, {"velocity", "velocity", "m/s"}};
  for (std::size_t i = 0; i < run.laws.size(); ++i)
    for (const auto& event : run.impacts[i].events)
      table.add_row({name(run.laws[i]), name(event.type), numbers(event.impulse), numbers(event.velocity)});
  return table;
}

Table directions_table(const SpatialProblem& problem) {
  Table table{"invariant_directions", "Invariant directions of slip", {}};
  table.columns = {{"direction", "direction", ""}, {"rate", "$d|v_t|/dI_n$", "1/kg"}, {"kind", "kind", ""}};
  for (const auto& d : invariant_directions(problem.space.inverse_inertia, problem.material.friction).directions)
    table.add_row({std::vector<double>{d.direction[0], d.direction[1]}, d.rate,
                   std::string(d.centrifugal ? "centrifugal" : "centripetal")});
  return table;
}

/// What does not exist without coupling is none.
double coupled(double friction) {
  return std::isfinite(friction) ? friction : std::numeric_limits<double>::quiet_NaN();
}

void add_within(Facts& facts, const SpatialWithin& within) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  facts.push_back({"case_within", "case within the tolerance", std::string(name(within.process)), ""});
  facts.push_back({"straight_from", "slip counts as straight from $I_n$",
                   within.straight_from ? within.straight_from->impulse[2] : none, "N s"});
  facts.push_back({"impulse_within", "impulse within the tolerance", numbers(within.impulse), "N s"});
}

void add_bundle(Facts& facts, const SpatialRun& run, bool with_straight) {
  const auto count = [&](const auto& is) {
    return static_cast<double>(std::count_if(run.bundle.begin(), run.bundle.end(), is));
  };
  const auto ends = [&](BundlePath::End end) { return count([end](const BundlePath& p) { return p.end() == end; }); };
  facts.push_back({"bundle_paths", "paths of the bundle", static_cast<double>(run.bundle.size()), ""});
  facts.push_back({"bundle_sticks", "of them come to rest and stick", ends(BundlePath::End::sticks), ""});
  facts.push_back({"bundle_resumes", "come to rest and slip on", ends(BundlePath::End::resumes), ""});
  facts.push_back({"bundle_slips", "separate before they come to rest", ends(BundlePath::End::slips), ""});
  if (with_straight)
    facts.push_back({"bundle_straight", "come to count as straight, within the tolerance",
                     count([](const BundlePath& p) { return p.straight; }), ""});
}

Facts facts(const SpatialScenario& scenario, const SpatialRun& run) {
  const SpatialImpact& impact = run.impacts.front();
  const Eigen::Matrix3d& w = run.problem.space.inverse_inertia;
  Facts facts = {{"law", "restitution law", std::string(name(run.laws.front())), ""},
                 {"verdict", "verdict", std::string(name(impact.verdict)), ""},
                 {"case", "case", std::string(name(impact.process)), ""},
                 {"class", "class of the impact", std::string(name(impact_class(run.problem.space))), ""},
                 {"inverse_inertia_t1", "$W$, row $t1$", numbers(w.row(0)), "1/kg"},
                 {"inverse_inertia_t2", "$W$, row $t2$", numbers(w.row(1)), "1/kg"},
                 {"inverse_inertia_n", "$W$, row $n$", numbers(w.row(2)), "1/kg"},
                 {"critical_friction", "friction that holds, $|W_{tt}^{-1} W_{tn}|$", critical_friction(w), ""},
                 {"jamb_friction", "least friction that can jamb, $W_{nn}/|W_{tn}|$", coupled(jamb_friction(w)), ""},
                 {"jamb_margin", "least $dv_n/dI_n$ of any slip, $W_{nn} - \\mu|W_{tn}|$",
                  jamb_margin(w, scenario.material.friction), "1/kg"},
                 {"velocity_before", "velocity before $(t1, t2, n)$", numbers(run.problem.space.velocity), "m/s"},
                 {"velocity_after", "velocity after $(t1, t2, n)$", numbers(impact.velocity_after), "m/s"},
                 {"impulse", "impulse $(t1, t2, n)$", numbers(impact.impulse), "N s"}};
  add_restitution_used(facts, scenario.material.restitution, run.problem.material.restitution);
  for (report::Fact& fact :
       ledger_facts(impact.energy, energy_owner(scenario), impact.flags, run.system_velocity_after))
    facts.push_back(std::move(fact));
  if (run.within) add_within(facts, *run.within);
  if (run.methods) {
    const MethodRun& method = run.methods->all[run.methods->chosen];
    facts.push_back({"method", "method compared", std::string(name(method.method)), ""});
    facts.push_back({"method_impulse", "its impulse", numbers(method.impact.impulse), "N s"});
    facts.push_back({"method_error", "its error", method.error, "N s"});
    facts.push_back({"method_steps", "its steps", static_cast<double>(method.impact.steps), ""});
    facts.push_back({"method_verdict", "its verdict", std::string(name(method.impact.verdict)), ""});
  }
  if (!run.bundle.empty()) add_bundle(facts, run, scenario.straight_within.has_value());
  return facts;
}

Facts details(const SpatialScenario&, const SpatialRun& run) { return motion_facts(run.bodies_after); }

Document describe(const SpatialScenario& scenario, const SpatialRun& run) {
  const SpatialImpact& impact = run.impacts.front();
  Document document;
  document.summary = summary_of(impact.process);
  if (run.laws.size() > 1) document.tables.push_back(laws_table(run, energy_owner(scenario)));
  if (!impact.events.empty()) document.tables.push_back(trace_table(run));
  if (scenario.bodies)
    document.tables.push_back(
        bodies_table("The bodies before and after (" + std::string(name(run.laws.front())) + "), world axes",
                     *scenario.bodies, run.bodies_after));
  if (scenario.bodies) document.tables.push_back(solids_table(*scenario.bodies));
  if (invariant_directions(run.problem.space.inverse_inertia, run.problem.material.friction).every_direction)
    document.notes.push_back("invariant_directions: every direction of slip is invariant, so slip is always straight.");
  else
    document.tables.push_back(directions_table(run.problem));
  const bool drawable = impact.verdict == Verdict::separated && !impact.flags.has(Flag::overflow);
  if (run.methods) document.tables.push_back(methods_table(run));
  if (!run.bundle.empty()) document.tables.push_back(bundle_table(run));
  if (drawable) document.plots = {hodograph(run), strip_chart(run), impulse_curve(run)};
  if (scenario.bodies && !impact.flags.has(Flag::overflow))
    if (auto plot = bodies_still(*scenario.bodies, *scenario.contact, run)) document.plots.push_back(std::move(*plot));
  if (scenario.frames) {
    for (auto& plot : motion_pictures(*scenario.bodies, run.bodies_after, *scenario.contact, *scenario.frames))
      document.plots.push_back(std::move(plot));
    document.scenes = {motion_scene(*scenario.bodies, run.bodies_after, *scenario.contact, *scenario.frames)};
  }
  if (!run.bundle.empty()) document.plots.push_back(hodograph_bundle(run));
  if (drawable && run.methods) {
    document.plots.push_back(method_steps(run));
    document.plots.push_back(method_errors(run));
  }
  for (std::size_t i = 0; i < run.laws.size(); ++i)
    if (run.impacts[i].flags.has(Flag::energy_gain))
      document.notes.push_back(std::string(name(run.laws[i])) +
                               ": kinetic energy rises. Only the energetic law can never create energy.");
  note_flags(document, impact.flags);
  return document;
}

}  // namespace

Kind spatial_impact_kind() {
  return make_kind<SpatialScenario, SpatialRun>({"impact", "spatial",
                                                 "Two bodies hit each other in space, with friction", fields(), run,
                                                 facts, details, describe});
}

}  // namespace carom::scenario
