#include "carom/scenario/glossary.hpp"

#include <array>
#include <utility>

namespace carom::scenario {

namespace {

constexpr Term terms[] = {
    // How it ended.
    {"separated", "verdict", "impacts, fit, pendulum",
     "The impact happened and ended. The contact opens, or with e = 0 stays closed without pressing."},
    {"no_impact", "verdict", "impacts, fit, pendulum",
     "The bodies do not approach at the contact, so nothing happens: no impulse, velocities as before. If they should "
     "meet, look at the direction of the normal: it points from the second body into the first."},
    {"event_limit", "verdict", "compliant, simultaneous, world",
     "A bound on work was reached before the end, and the state is that reached so far. Fewer contacts, a looser "
     "tolerance or (in scenes) a greater `max_events` may help."},
    {"invalid", "verdict", "batches in C++", "This row of a batch was refused; its neighbours were answered."},
    {"time", "verdict", "world", "The scene ran up to its `end_time`."},
    {"rest", "verdict", "world", "Everything came to rest before `end_time`."},
    {"zeno", "verdict", "world",
     "Bounces became shorter and shorter where no rule sums them up. Give `micro_speed`, or `contact: regularized`, to "
     "go on from there."},
    {"no_solution", "verdict", "world",
     "The law for several contacts at once has no answer; the state is that just before. Try another `groups` model."},
    {"interrupted", "verdict", "world", "The run was stopped from outside; what had happened by then is there."},
    {"struck", "verdict", "world", "Of a cue: its tip held the ball until it let go."},
    {"miscue", "verdict", "world",
     "Of a cue: its tip struck so far from the middle that friction did not hold it; it slipped off the ball."},
    {"sticks", "verdict", "pendulum",
     "The tip has not left the floor one second after touching it: there is no velocity after the impact to speak of."},
    {"bounce", "status", "rod", "The bottom of the rod lets go of the ground."},
    {"no_bounce", "status", "rod",
     "The ground never has to pull, so the rod stays on it: there is no lift-off to measure."},
    {"stick", "status", "multipoint",
     "The examined contact sticks (Rodriguez), or every contact that is pressed does (LCP)."},
    {"slip_boundary", "status", "multipoint",
     "Sticking would need a contact that pulls; the answer is the least slip that needs none."},
    {"slip", "status", "multipoint",
     "At least one contact slips (Rodriguez: the examined one), or nothing is pressed."},
    {"continuum", "status", "multipoint",
     "One of infinitely many answers of the same contact modes: friction leaves the outcome open."},
    {"restitution_violated", "status", "multipoint",
     "A normal velocity that depends on others cannot have its own restitution: Newton's law is broken there, as the "
     "method says."},
    {"ok", "status", "fem, rest_shape", "It was solved."},
    {"invalid_mesh", "status", "fem, rest_shape, squeeze",
     "The tetrahedra are no solid; the message says where: a tetrahedron turned over, a hole, a vertex that nothing "
     "uses."},
    {"underconstrained", "status", "fem, rest_shape",
     "The supports leave the body free to move or turn: fix more vertices."},
    {"diverged", "status", "rest_shape",
     "No step leads on, or a strain above one half was reached: small-strain theory says nothing there. A stiffer body "
     "or the method neo_hookean may have an answer."},
    {"inverted", "status", "rest_shape",
     "A step of the linear methods turned a tetrahedron over. Try the method newton or more damping."},
    {"max_iterations", "status", "rest_shape",
     "The residual was not small enough after the iterations allowed; the last iterate is given."},
    {"unstable_rest", "status", "rest_shape, squeeze",
     "The shape was found, but a support would have to pull: the body as observed would tip or lift off."},
    {"lifted", "status", "squeeze", "The fingers rose with the body, and the table carries nothing."},
    {"max_depth", "status", "squeeze",
     "The fingers pressed as far as allowed, or lifted by a radius, and the table still carries."},
    {"no_grasp", "status", "squeeze", "A finger misses the body, or begins inside it."},
    {"no_convergence", "status", "squeeze",
     "No equilibrium was found; the message says at which depth. Smaller steps may help."},
    {"is accurate", "verdict", "tick", "The tick is short enough: a touch delivers its restitution to .3 percent."},
    {"survives", "verdict", "tick", "Steps of this length stay bounded, but the numbers are rough: take substeps."},
    {"explodes", "verdict", "tick",
     "A fixed step of this length makes the contact gain energy without end: take the substeps that are given."},

    // Worth knowing beside the numbers.
    {"jamb", "flag", "planar, spatial, compliant",
     "Friction drives the contact into itself at first touch: the normal velocity first grows although the impulse "
     "pushes the bodies apart."},
    {"energy_gain", "flag", "planar, spatial, simultaneous, multipoint, world",
     "Kinetic energy rose. Newton's law sets the final velocity whatever friction did, and can create energy; "
     "Poisson's and the energetic law do not. Use one of those."},
    {"marginal", "flag", "planar, spatial, compliant",
     "The input lies on the edge between two outcomes: a change in the last digit may give the other one."},
    {"recompression", "flag", "spatial, compliant, simultaneous",
     "Compression started a second time before the contact opened."},
    {"e0_jam", "flag", "compliant",
     "With e = 0 the tangential springs are still strained at the end and would press the bodies together again."},
    {"rigid_limit", "flag", "compliant, simultaneous",
     "The tangential springs are too stiff to resolve; the rigid model answered, which is their limit."},
    {"event_limit", "flag", "compliant, simultaneous, rod, forces over time",
     "A bound on work was reached: what comes later is missing."},
    {"overflow", "flag", "all", "A number left the range of doubles, and is null. Choose other units."},
    {"underflow", "flag", "forces over time",
     "A number that is not zero is too small for a double. Choose other units."},
    {"e_clamped", "flag", "simultaneous", "The restitution was raised to the smallest that the springs can follow."},
    {"mixed_exponents", "flag", "simultaneous",
     "Contacts of unlike force laws press at once: unlike with equal ones, the outcome depends on speed and absolute "
     "stiffness."},
    {"hyperstatic", "flag", "simultaneous",
     "More friction forces than the motion can tell apart: the motion is unique, the forces are those of least norm."},
    {"ill_conditioned", "flag", "spatial, compliant, simultaneous, multipoint",
     "The rounding of the input alone moves the result by more than the accuracy that is promised. Slender bodies and "
     "far-off points do that."},
    {"no_required_friction", "flag", "multipoint",
     "No friction is enough: some contact would have to pull in every split of the impulses."},
    {"pulls", "flag", "planar, `others`", "The method's normal impulse is negative: the bodies would have to pull."},
    {"outside_cone", "flag", "planar, `others`", "The method needs more friction than there is, |P_t| above mu P_n."},
    {"wrong_slip", "flag", "planar, `others`",
     "The method assumes a contact to stick or slide in a way that friction and its own outcome contradict."},
    {"no_answer", "flag", "planar, `others`",
     "The method's formula has no value: friction drives the contact into itself."},
    {"undefined_reading", "flag", "compliant",
     "The published reading has no meaning here: with the friction it has in restitution, slip would have to start "
     "backwards. The contact sticks again and the model goes on from there. Leave out `reading: published`."},
    {"undefined_e_energy", "flag", "rod",
     "The centre of mass has less than no energy at lift-off, because it is below where it started: a restitution of "
     "energy does not exist."},
    {"downward_at_liftoff", "flag", "rod",
     "The centre of mass is still falling when the bottom lets go; restitution of momentum is negative."},
    {"infinite_height", "flag", "rod",
     "Without gravity and drag the rod never comes back: its greatest height does not exist."},
    {"no_margin", "flag", "rod", "Without gravity, or where no speed suffices, there is no margin to no bounce."},
    {"near_tangency", "flag", "rod",
     "The stress only just touches zero: a change of one in a million in the data may move the end of contact by a "
     "jump, or undo the bounce."},
    {"infinite_stress", "flag", "rod",
     "A sample lies at the instant of first touch of a structural rod, whose bottom stops at once: the stress there is "
     "infinite, and so is what damping takes per time."},
    {"supersonic", "flag", "rod",
     "The rod hits the ground faster than waves run in it. The wave equation is linear and has no shocks, so the "
     "numbers mean nothing for a real rod: lower the speed, or give lengths and speeds in the same units."},
    {"large_strain", "flag", "rod, fem, rest_shape, squeeze",
     "Strains are beyond what a linear theory answers for: more than three percent of a rod (by impact and weight), "
     "more than ten percent of a soft body. Read the numbers as those of the equation."},
    {"micro_bounces", "flag", "world", "Bounces went on at `micro_speed`, where their sum has no rule."},
    {"sustained_contact", "flag", "world",
     "The run ended at a contact that lasts and has no rule. `micro_speed` goes on; so does `contact: regularized`, "
     "but "
     "not where two bodies that are not balls last on each other."},
    {"several_solutions", "flag", "world",
     "The law for several contacts (lcp) had more than one answer; the first was taken."},
    {"not_exhaustive", "flag", "world", "The law for several contacts (lcp) may have answers that were not found."},
    {"regularized", "flag", "world", "Some contacts lasted and were followed with forces over time."},
    {"no_dwell", "flag", "stick_slip, sphere_on_plane",
     "The friction model (LuGre) has no dwell state, so there is none to show."},
    {"no_speed", "flag", "contact_parameters", "Without a speed there is no indentation and no force."},
    {"out_of_reach", "flag", "contact_parameters, batting",
     "Contact parameters: the law gives no restitution in [0, 1] this damping. Batting: the method asked for has no "
     "plan."},
    {"undamped", "flag", "contact_parameters",
     "With e = 1 there is no damping, and MuJoCo's time constant would be infinite."},
    {"thin_margin", "flag", "batting",
     "No time of flight keeps the impulse two percent away from the edge of the friction cone: a little less friction "
     "and the plan fails."},
    {"may_jam", "flag", "batting",
     "Friction is so strong that not every impulse inside its cone can be brought about; each was tried by running it "
     "forward."},
    {"within_tolerance", "flag", "batting",
     "The bounding triangle ends within its tolerance of the target, not on it. Other methods end on it."},
    {"no_spin_known", "flag", "batting",
     "Without bodies the spin of the object is not known: the speed of the bat is that without spin."},
    {"at_time_limit", "flag", "batting",
     "The best plan lies at the shortest or longest time of flight that was looked at: beyond it others are better."},
    {"beyond_limits", "flag", "batting", "No plan keeps within the limits of the bat."},
    {"at_target", "flag", "batting",
     "There is no plan, and the target is where the object already is: how close one comes means nothing."},
    {"locking", "flag", "fem, rest_shape, squeeze",
     "Poisson's ratio is above .45, where linear tetrahedra are much too stiff."},
    {"no_damping", "flag", "rest_shape", "No damping makes the fixed point converge; 1 was used."},
    {"no_support_load", "flag", "rest_shape",
     "No support carries weight, so the friction that it needs does not exist."},
    {"no_force_closure", "flag", "squeeze",
     "At first touch, fingers and table could not hold the body against every push."},
    {"lift_failed", "flag", "squeeze", "The lift test passed, but the lift itself did not succeed."},
    {"unidentifiable", "flag", "fit",
     "The data do not tell this parameter (named after the colon): any other value explains them as well."},
    {"at_bound", "flag", "fit",
     "The best value of this parameter (named after the colon) lies beyond the bound it may take."},
    {"no_redundancy", "flag", "fit",
     "There are no more measured numbers than parameters, so there are no standard errors."},

    // How the contact moved.
    {"sliding", "mode", "planar", "The contact slides in one direction throughout."},
    {"C-sticking", "mode", "planar", "Slip ends during compression, then the contact sticks."},
    {"R-sticking", "mode", "planar", "Slip ends during restitution, then the contact sticks."},
    {"C-reversed", "mode", "planar", "Slip ends during compression, then goes the other way."},
    {"R-reversed", "mode", "planar", "Slip ends during restitution, then goes the other way."},
    {"none", "mode", "planar", "The bodies do not approach: there was no impact."},
    {"lifts_off", "mode", "planar, `gravity`", "Under a finite force: the bodies part, and no force acts."},
    {"slides", "mode", "planar, `gravity`", "Under a finite force: the contact goes on sliding, or begins to."},
    {"sticks", "mode", "planar, `gravity`", "Under a finite force: the contact does not slip, and does not begin to."},
    {"none", "case", "spatial", "The bodies do not approach: there was no impact."},
    {"stick", "case", "spatial", "No slip before, and none starts."},
    {"slip_from_rest", "case", "spatial", "No slip before; it starts in the one direction that leads away."},
    {"curved_slip", "case", "spatial", "The contact slips throughout, and the direction of slip turns."},
    {"slip_ends_in_compression", "case", "spatial", "Slip along a curve ends during compression."},
    {"slip_ends_in_restitution", "case", "spatial", "Slip along a curve ends during restitution."},
    {"straight_ends_in_compression", "case", "spatial", "Slip keeps its direction and ends during compression."},
    {"straight_ends_in_restitution", "case", "spatial", "Slip keeps its direction and ends during restitution."},
    {"straight_slip", "case", "spatial", "The contact slips throughout, and the direction of slip does not turn."},
    {"late_straight_ends", "case", "spatial",
     "Slip turns into a direction that it then keeps, and ends; told only within a tolerance."},
    {"late_straight_slip", "case", "spatial",
     "Slip turns into a direction that it then keeps to the end; told only within a tolerance."},
    {"direct", "class", "spatial, compliant",
     "No sliding velocity, and a normal impulse makes none: everything stays on the normal."},
    {"planar", "class", "spatial, compliant",
     "Everything stays in one plane through the normal: slip may end or go the other way, but cannot turn."},
    {"spatial", "class", "spatial, compliant", "Slip may turn: the impact needs all three dimensions."},
    {"NI", "method", "files of impacts in space",
     "The text's plain integration: even steps of the normal impulse to the end. For comparison."},
    {"FS", "method", "files of impacts in space",
     "The text's even steps of the normal impulse until slip is straight or over, then in closed form. For "
     "comparison."},
    {"VS", "method", "files of impacts in space",
     "The same as FS with steps that follow the curvature of the hodograph. For comparison."},
};

}  // namespace

std::span<const Term> glossary() { return terms; }

std::string glossary_page() {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> sections = {
      {{"verdict", "Verdicts: how it ended"},
       {"status", "Statuses"},
       {"flag", "Flags: what to know beside the numbers"},
       {"mode", "Modes of a planar impact, and of a contact under a finite force"},
       {"case", "Cases of an impact in space"},
       {"class", "Classes of an impact in space"},
       {"method", "Methods beside the exact one"}}};
  std::string page =
      "# Glossary\n\nWhat the words of an answer mean. `carom explain WORD` says the same; this page is\n"
      "`carom explain --markdown`.\n";
  for (const auto& [what, title] : sections) {
    page += "\n## " + std::string(title) + "\n\n| word | said by | meaning |\n|---|---|---|\n";
    for (const Term& term : terms)
      if (term.what == what)
        page += "| `" + std::string(term.name) + "` | " + std::string(term.where) + " | " + std::string(term.meaning) +
                " |\n";
  }
  return page;
}

}  // namespace carom::scenario
