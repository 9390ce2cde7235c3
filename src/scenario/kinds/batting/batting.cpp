#include "batting.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <random>

#include "carom/core/error.hpp"

#include "kind.hpp"

template <>
inline constexpr auto carom::names_of<carom::BatSearchFor> = std::to_array<carom::Named<carom::BatSearchFor>>({
    {carom::BatSearchFor::best, "best"},
    {carom::BatSearchFor::closed_form, "closed_form"},
    {carom::BatSearchFor::any, "any"},
});

namespace carom::scenario {

namespace {

using report::Document;
using report::Table;
using S = BattingScenario;

constexpr double not_there = std::numeric_limits<double>::quiet_NaN();
const std::vector<double> no_vector = {not_there, not_there, not_there};

void check_who(const S& s, const Value& root, const Path& path, Mistakes& mistakes) {
  const bool by_space = s.inverse_inertia || s.frame || s.object;
  if (s.bodies.has_value() == by_space)
    return mistakes.add(path, root.place(),
                        "needs either `bodies` with `contact`, or `inverse_inertia` with `frame` and `object`");
  const auto require = [&](bool given, const char* field) {
    if (!given) mistakes.add(path.at(field), root.place(), "is required");
  };
  if (by_space) {
    require(s.inverse_inertia.has_value(), "inverse_inertia");
    require(s.frame.has_value(), "frame");
    require(s.object.has_value(), "object");
    if (s.contact) mistakes.add(path.at("contact"), place_of(root, "contact"), "goes with `bodies` only");
    if (s.moves) mistakes.add(path.at("moves"), place_of(root, "moves"), "needs `bodies`");
    if (s.limits) mistakes.add(path.at("limits"), place_of(root, "limits"), "needs `bodies`");
  } else {
    require(s.contact.has_value(), "contact");
    if (s.contact && s.bodies && s.bodies->size() == 2)
      check_contact_point(*s.bodies, 0, 1, s.contact->point, root.find("contact"), path.at("contact"), mistakes);
  }
  if (s.target.has_value() + !s.targets.empty() + s.random_targets.has_value() != 1)
    mistakes.add(path, root.place(), "needs exactly one of `target`, `targets` and `random_targets`");
  const auto rigid_only = [&](bool given, const char* field) {
    if (given && s.eta0) mistakes.add(path.at(field), place_of(root, field), "goes without `eta0`: rigid law only");
  };
  const Path moves = path.at("moves"), spread = path.at("spread");
  if (s.moves && s.eta0 && s.moves->what == BatSearchFor::closed_form)
    mistakes.add(moves.at("for"), place_of(root, "moves"), "closed_form goes without `eta0`: rigid law only");
  if (s.spread && s.spread->contact_point > 0.0 && by_space)
    mistakes.add(spread.at("contact_point"), place_of(root, "spread"),
                 "needs `bodies`: W alone does not say how it changes");
  if (s.moves && s.bodies && !s.moves->most_shift.isZero(0.0) && s.contact && !s.bodies->at(1).outline.points.empty() &&
      face_of(s).size() < 3)
    mistakes.add(moves.at("shift"), place_of(root, "moves"), "needs a bat with a flat face at the contact");
  rigid_only(s.method == BattingMethod::closed_form, "method");
}

std::vector<Eigen::Vector3d> targets_of(const S& s) {
  if (s.target) return {*s.target};
  if (!s.targets.empty()) return s.targets;
  std::mt19937_64 random(static_cast<std::uint64_t>(s.random_targets->seed));
  std::vector<Eigen::Vector3d> out;
  for (int i = 0; i < s.random_targets->count; ++i) {
    Eigen::Vector3d share;  // the same numbers with every library
    for (int j = 0; j < 3; ++j) share[j] = static_cast<double>(random() >> 11) * 0x1p-53;
    out.push_back(s.random_targets->low + share.cwiseProduct(s.random_targets->high - s.random_targets->low));
  }
  return out;
}

BattingProblem problem_of(const S& s, const Eigen::Vector3d& target, double approach = 0.0) {
  BattingProblem out;
  if (s.bodies) {
    out = batting_problem((*s.bodies)[0].body, (*s.bodies)[1].body, *s.contact, s.material.at(approach), target);
  } else {
    out.inverse_inertia = *s.inverse_inertia;
    out.frame = *s.frame;
    out.mass = s.object->mass;
    out.position = s.object->position;
    out.velocity = out.point_velocity = s.object->velocity;
    out.material = s.material.at(approach);
    out.target = target;
  }
  out.law = s.law;
  out.gravity = s.gravity;
  if (s.eta0) out.springs = TangentialSprings{*s.eta0};
  if (s.limits && s.bodies) out.reach = BatReach{*s.limits, s.contact->point - (*s.bodies)[1].body.position};
  return out;
}

void check_problem(const S& s, const Value& root, const Path& path, Mistakes& mistakes) {
  if (s.bodies.has_value() == s.inverse_inertia.has_value() || (s.bodies && !s.contact) ||
      (s.inverse_inertia && (!s.frame || !s.object)))
    return;
  try {
    require_valid(problem_of(s, Eigen::Vector3d::UnitX()));
  } catch (const InvalidInput& error) {
    mistakes.add(path.at(std::string_view(error.field())), place_of(root, s.bodies ? "bodies" : "frame"),
                 error.message());
  }
}

Fields<S> fields() {
  Fields<StruckObject> struck;
  struck.required("mass", &StruckObject::mass, number(Range::positive()), "[kg]")
      .required("position", &StruckObject::position, vector<3>(), "centre of mass [m]")
      .required("velocity", &StruckObject::velocity, vector<3>(), "of it [m/s]");
  Fields<RandomTargets> random;
  random.optional("count", &RandomTargets::count, integer(1, 10'000), "(default 10)")
      .optional("seed", &RandomTargets::seed, integer(0, 1'000'000'000), "(default 1)")
      .required("low", &RandomTargets::low, vector<3>(), "corner of the box [m]")
      .required("high", &RandomTargets::high, vector<3>(), "opposite corner [m]");
  const auto deviation = number(Range::at_least(0.0));
  Fields<GivenSpread> spread;
  spread
      .optional("contact_velocity", &GivenSpread::contact_velocity, deviation,
                "standard deviation of each component [m/s] (default 0.05)")
      .optional("contact_point", &GivenSpread::contact_point, deviation,
                "along each tangent [m]; needs `bodies` (default 0)")
      .optional("friction", &GivenSpread::friction, deviation, "(default 0.02)")
      .optional("restitution", &GivenSpread::restitution, deviation, "(default 0.02)")
      .optional("share", &GivenSpread::share, number(Range::between(0.01, 0.9999)),
                "of the hits that the ellipse holds (default 0.95)");
  Fields<GivenMoves> moves;
  moves.optional("tilt", &GivenMoves::most_tilt, angle(), "most, about each tangent [rad], or text such as '10 deg'")
      .optional("tilts", &GivenMoves::tilts, integer(1, 101), "tried about each tangent (default 9)")
      .optional("shift", &GivenMoves::most_shift, vector<2>(), "most, of the contact point over the bat's face [m]")
      .optional("shifts", &GivenMoves::shifts, integer(1, 101), "tried along each tangent (default 1)")
      .optional("for", &GivenMoves::what, choice<BatSearchFor>(),
                "the best plan, or the least tilt with a closed form or with any plan (default best)");
  Fields<TriangleSettings> triangle;
  triangle.optional("update", &TriangleSettings::update, choice<TriangleUpdate>(), "(default centroid)")
      .optional("tolerance", &TriangleSettings::tolerance, number(Range::positive()), "[m] (default 0.15)")
      .optional("start", &TriangleSettings::start,
                custom<std::array<Eigen::Vector3d, 3>>(
                    [three = list_of(vector<3>(), 3, 3)](const Value& value, const Path& path, Mistakes& mistakes,
                                                         std::array<Eigen::Vector3d, 3>& out) {
                      std::vector<Eigen::Vector3d> list;
                      if (!three.read(value, path, mistakes, list)) return false;
                      std::copy(list.begin(), list.end(), out.begin());
                      return true;
                    },
                    list_of(vector<3>(), 3, 3).json_schema()),
                "three contact velocities [m/s]; else random guesses")
      .optional("restarts", &TriangleSettings::restarts, integer(0, 10'000), "(default 30)")
      .optional("rounds", &TriangleSettings::rounds, integer(1, 100'000), "at most, of one attempt (default 200)")
      .optional("seed", &TriangleSettings::seed,
                custom<std::uint64_t>(
                    [whole = integer(0, 1'000'000'000)](const Value& value, const Path& path, Mistakes& mistakes,
                                                        std::uint64_t& out) {
                      int seed = 0;
                      if (!whole.read(value, path, mistakes, seed)) return false;
                      out = static_cast<std::uint64_t>(seed);
                      return true;
                    },
                    integer(0, 1'000'000'000).json_schema()),
                "of the random guesses (default 1)");
  Fields<BatLimits> limits;
  limits.optional("speed", &BatLimits::speed, number(Range::positive()), "of the bat's centre of mass [m/s]")
      .optional("angular_velocity", &BatLimits::angular_velocity, number(Range::at_least(0.0)), "[rad/s]");
  Fields<S> all;
  all.optional("bodies", &S::bodies, list_of(spatial_body(), 2, 2), "the object and the bat")
      .optional("contact", &S::contact, spatial_contact(), "where they touch")
      .optional("inverse_inertia", &S::inverse_inertia, inverse_inertia<3>(), "W [1/kg], axes (t1, t2, n), for bodies")
      .optional("frame", &S::frame, matrix<3>(), "columns t1, t2, n in world axes, with W")
      .optional("object", &S::object, object(struck), "what is struck, with W")
      .required("material", &S::material, material(), "the touching surfaces")
      .optional("law", &S::law, choice<RestitutionLaw>(), "restitution law (default energetic)")
      .optional("eta0", &S::eta0, number(Range::positive()),
                "tangential springs: the compliant model is the forward law")
      .optional("gravity", &S::gravity, number(Range::at_least(0.0)), "along -z [m/s^2] (default 9.8)")
      .optional("target", &S::target, vector<3>(), "where the object shall pass [m]")
      .optional("targets", &S::targets, list_of(vector<3>(), 1, 10'000), "several, one after the other")
      .optional("random_targets", &S::random_targets, object(random), "anywhere in a box")
      .optional("method", &S::method, choice<BattingMethod>(), "how to look for a plan (default auto)")
      .optional("objective", &S::objective, choice<BattingObjective>(), "which is the best (default least_impulse)")
      .optional("reading", &S::reading, choice<ClosedFormReading>(), "of the closed form's case 1a (default model)")
      .optional("limits", &S::limits, object(limits), "of the bat")
      .optional("spread", &S::spread, object(spread), "what is not known exactly: how sure is the plan?")
      .optional("moves", &S::moves, object(moves), "look for a better pose of the bat")
      .optional("triangle", &S::triangle, object(triangle), "also the bounding-triangle method, with these settings")
      .check(check_who)
      .check(check_problem);
  return all;
}

/// A law of restitution and a plan agree when they agree this well, looked for in so many rounds.
constexpr double agreed_restitution = 1e-12;
constexpr int most_rounds = 60;

/// The normal speed with which a plan meets the object.
double approach_of(const BattingTarget& target) {
  return -target.problem.frame.col(2).dot(target.plan.shot.contact_velocity);
}

BattingTarget plan_at(const S& s, const Eigen::Vector3d& target, double approach);

/// Where restitution follows the speed, which is what is sought, the plan for one restitution tells the next.
BattingTarget run_target(const S& s, const Eigen::Vector3d& target) {
  BattingTarget out = plan_at(s, target, 0.0);
  for (int round = 0; round < most_rounds && !is_constant(s.material.restitution) && out.plan.found; ++round) {
    const double speed = approach_of(out), e = s.material.at(speed).restitution;
    if (std::abs(e - out.problem.material.restitution) <= agreed_restitution) break;
    out = plan_at(s, target, speed);
  }
  return out;
}

BattingTarget plan_at(const S& s, const Eigen::Vector3d& target, double approach) {
  BattingTarget out;
  out.approach = approach;
  out.problem = problem_of(s, target, approach);
  const BattingSpread spread = s.spread ? static_cast<const BattingSpread&>(*s.spread) : BattingSpread{};
  constexpr int alternatives = 5;
  if (s.triangle || s.method == BattingMethod::bounding_triangle)
    out.triangle = bounding_triangle(out.problem, s.triangle.value_or(TriangleSettings{}));
  if (!s.eta0) {
    out.closed_forms = closed_form_plans(out.problem, s.reading);
    for (const ClosedFormPlan& plan : out.closed_forms)
      out.closed_form_misses.push_back(batting_shot(out.problem, plan.contact_velocity).miss_distance);
  }
  if (s.method == BattingMethod::closed_form) {
    out.plan = plan_closed_form(out.problem, s.objective, alternatives, spread);
  } else if (s.method == BattingMethod::bounding_triangle) {
    out.plan.found = out.triangle->found;
    out.plan.shot = out.triangle->shot;
    out.plan.closest_miss = out.triangle->closest;
    out.plan.flags.set(BattingFlag::out_of_reach, !out.triangle->found);
    out.plan.flags.set(BattingFlag::at_target, out.triangle->at_target);
    out.plan.flags.set(BattingFlag::within_tolerance, out.triangle->found);
  } else {
    out.plan = plan_batting(out.problem, s.objective, alternatives, spread);
  }
  if (s.moves) {
    out.search = search_bat(scene_of(s, target, approach), moves_of(s), s.moves->what, s.objective, spread);
  }
  if (s.spread && out.plan.found) out.certainty = batting_certainty(out.problem, out.plan.shot, spread);
  return out;
}

/// Random impacts about the plan for the first target.
void throw_dice(const S& s, BattingRun& run) {
  constexpr std::size_t samples = 2000;
  const BattingTarget& first = run.targets.front();
  const BattingProblem& p = first.problem;
  const BattingCertainty& certainty = *first.certainty;
  const GivenSpread& spread = *s.spread;
  const bool with_point = s.bodies && spread.contact_point > 0.0;
  const BatMotion motion = straight_swing(p.point_velocity - first.plan.shot.contact_velocity);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<ContactSpace> spaces(samples);
  std::vector<Material> materials(samples);
  for (std::size_t i = 0; i < samples; ++i) {
    const Eigen::Vector3d error(normal(random), normal(random), normal(random));
    const double friction = normal(random), restitution = normal(random);
    spaces[i] = {p.inverse_inertia, p.frame.transpose() * first.plan.shot.contact_velocity};
    if (with_point) {
      Contact contact = *s.contact;
      contact.point += spread.contact_point * (p.frame.col(0) * normal(random) + p.frame.col(1) * normal(random));
      Body bat = (*s.bodies)[1].body;
      bat.velocity = motion.velocity;
      bat.angular_velocity = motion.angular_velocity;
      spaces[i] = contact_space((*s.bodies)[0].body, bat, contact);
    }
    spaces[i].velocity += spread.contact_velocity * error;
    materials[i] = {std::max(0.0, p.material.friction + spread.friction * friction),
                    std::clamp(p.material.restitution + spread.restitution * restitution, 0.0, 1.0)};
  }
  std::vector<Eigen::Vector3d> impulses;
  if (p.springs) {
    std::vector<CompliantProblem> problems(samples);
    std::vector<CompliantOutcome> outcomes(samples);
    for (std::size_t i = 0; i < samples; ++i)
      problems[i] = {spaces[i], materials[i], p.springs->stiffness_ratio_root, p.springs->reading};
    compliant_outcomes(problems, outcomes);
    for (const CompliantOutcome& one : outcomes) impulses.push_back(one.impulse);
  } else {
    std::vector<SpatialProblem> problems(samples);
    std::vector<SpatialOutcome> outcomes(samples);
    for (std::size_t i = 0; i < samples; ++i) problems[i] = {spaces[i], materials[i], p.law};
    spatial_outcomes(problems, outcomes);
    for (const SpatialOutcome& one : outcomes) impulses.push_back(one.impulse);
  }
  for (const Eigen::Vector3d& impulse : impulses) {
    const Eigen::Vector2d x = passes_at(p, certainty, p.frame * impulse);
    if (!x.allFinite()) continue;
    run.hits.push_back(x);
    run.inside += holds_hit(certainty, x, spread.share);
  }
  run.inside /= static_cast<double>(samples);
}

BattingRun run(const S& s, const RunRequest&) {
  BattingRun out;
  for (const Eigen::Vector3d& target : targets_of(s)) out.targets.push_back(run_target(s, target));
  if (out.targets.front().certainty) throw_dice(s, out);
  return out;
}

std::vector<double> pair_of(const Eigen::Vector2d& v) { return {v[0], v[1]}; }

std::string flags_of(const BattingFlags& flags) {
  std::string out;
  for (const auto& [flag, word] : names_of<BattingFlag>)
    if (flags.has(flag)) out += (out.empty() ? "" : ", ") + std::string(word);
  return out;
}

/// What came of many targets.
Facts total_facts(const S& s, const BattingRun& run) {
  double reached = 0.0, closed = 0.0, fastest = 0.0, miss = 0.0, scattered = 0.0;
  for (const BattingTarget& one : run.targets) {
    closed += !one.closed_forms.empty();
    if (!one.plan.found) continue;
    reached += 1.0;
    fastest = std::max(fastest, one.plan.shot.bat_speed);
    miss = std::max(miss, one.plan.shot.miss_distance);
    if (one.certainty) scattered = std::max(scattered, scatter(*one.certainty));
  }
  const auto or_none = [&](double x) { return reached > 0.0 ? x : not_there; };
  Facts out = {{"objective", "objective", std::string(name(s.objective)), ""},
               {"targets", "targets", static_cast<double>(run.targets.size()), ""},
               {"targets_found", "of them within reach", reached, ""},
               {"targets_closed_form", "of them with a closed form", closed, ""},
               {"most_bat_speed", "most speed of the bat that one takes", or_none(fastest), "m/s"},
               {"most_miss_distance", "largest miss of a plan, by the forward model", or_none(miss), "m"}};
  if (s.spread) out.push_back({"most_hit_scatter", "largest root mean square miss", or_none(scattered), "m"});
  if (s.moves) {
    double moved = 0.0;
    for (const BattingTarget& one : run.targets) moved += one.search && one.search->plan.found;
    out.push_back({"targets_moved_found", "targets within reach with the bat moved", moved, ""});
  }
  return out;
}

Facts facts(const S& s, const BattingRun& run) {
  if (run.targets.size() > 1) return total_facts(s, run);
  const BattingTarget& first = run.targets.front();
  const BattingShot& shot = first.plan.shot;
  const bool found = first.plan.found;
  const auto or_none = [found](double x) { return found ? x : not_there; };
  const auto vector_or_none = [found](const Eigen::Vector3d& v) { return found ? numbers(v) : no_vector; };
  Facts out = {
      {"found", "within reach", found, ""},
      {"method_used", "found by", std::string(found ? name(shot.method) : "none"), ""},
      {"objective", "objective", std::string(name(s.objective)), ""},
      {"contact_velocity", "contact velocity, object relative to bat $(x, y, z)$",
       vector_or_none(shot.contact_velocity), "m/s"},
      {"impulse", "impulse on the object $(x, y, z)$", vector_or_none(shot.impulse), "N s"},
      {"impulse_size", "its size", or_none(shot.impulse.norm()), "N s"},
      {"flight_time", "time of flight", or_none(shot.flight_time), "s"},
      {"bat_speed", "speed of a bat that does not turn", or_none(shot.bat_speed), "m/s"},
      {"miss_distance", "closest approach to the target, by the forward model", or_none(shot.miss_distance), "m"},
      {"closest_miss", "no plan comes closer than", found ? not_there : first.plan.closest_miss, "m"},
      {"closed_forms", "plans in closed form", static_cast<double>(first.closed_forms.size()), ""},
      {"flags", "flags", flags_of(first.plan.flags), ""}};
  add_restitution_used(out, s.material.restitution, first.problem.material.restitution);
  if (s.bodies && found) {
    const Body& bat = (*s.bodies)[1].body;
    const Eigen::Vector3d needed = first.problem.point_velocity - shot.contact_velocity;
    const Eigen::Vector3d arm = s.contact->point - bat.position;
    const BatMotion least = least_swing(needed, arm, gyration_radius(bat));
    out.push_back({"bat_velocity", "bat, without turning $(x, y, z)$", numbers(needed), "m/s"});
    out.push_back(
        {"least_swing_velocity", "bat, least $|V|^2 + l^2|\\omega|^2$: velocity", numbers(least.velocity), "m/s"});
    out.push_back({"least_swing_spin", "and angular velocity", numbers(least.angular_velocity), "rad/s"});
    if (s.limits) {
      const auto limited = limited_swing(needed, arm, gyration_radius(bat), *s.limits);
      out.push_back({"limits_met", "the bat can do it within its limits", limited.has_value(), ""});
      if (limited) {
        out.push_back({"limited_velocity", "bat within limits: velocity", numbers(limited->velocity), "m/s"});
        out.push_back({"limited_spin", "and angular velocity", numbers(limited->angular_velocity), "rad/s"});
      }
    }
  }
  if (first.triangle) {
    const TriangleRun& t = *first.triangle;
    out.push_back({"triangle_found", "bounding triangle ends within its tolerance", t.found, ""});
    out.push_back({"triangle_rounds", "rounds", static_cast<double>(t.rounds), ""});
    out.push_back({"triangle_attempts", "attempts", static_cast<double>(t.attempts), ""});
    out.push_back({"triangle_impacts", "forward impacts", static_cast<double>(t.impacts), ""});
    out.push_back({"triangle_winding", "its edge winds around the target", static_cast<double>(t.winding), "times"});
    out.push_back({"triangle_miss", "closest approach", t.found ? t.shot.miss_distance : t.closest, "m"});
  }
  if (first.search) {
    const BatSearch& search = *first.search;
    out.push_back({"moved_found", "with the bat moved", search.plan.found, ""});
    out.push_back({"moved_tilt", "tilt about $t1$, $t2$", pair_of(search.pose.tilt), "rad"});
    out.push_back({"moved_shift", "contact point shifted by", pair_of(search.pose.shift), "m"});
    out.push_back(
        {"moved_impulse", "impulse then", search.plan.found ? search.plan.shot.impulse.norm() : not_there, "N s"});
    out.push_back(
        {"moved_bat_speed", "bat speed then", search.plan.found ? search.plan.shot.bat_speed : not_there, "m/s"});
    out.push_back({"moved_penetrating", "poses left out because the bat would cut the object",
                   static_cast<double>(search.penetrating), ""});
    if (!s.moves->most_shift.isZero(0.0))
      out.push_back({"moved_off_face", "poses left out because the contact would lie beyond the bat's face",
                     static_cast<double>(search.off_face), ""});
  }
  if (first.certainty) {
    out.push_back(
        {"hit_semi_axes", "hits scatter by (one standard deviation)", pair_of(first.certainty->semi_axes), "m"});
    out.push_back({"hit_scatter", "root mean square miss", scatter(*first.certainty), "m"});
    out.push_back({"hits_inside", fmt::format("random hits inside the {:.4g} % ellipse", 100.0 * s.spread->share),
                   run.inside, ""});
    out.push_back({"order_changes", "the order of events may change", first.certainty->order_changes, ""});
  }
  return out;
}

Facts details(const S&, const BattingRun&) { return {}; }

Table targets_table(const S& s, const BattingRun& run) {
  Table table{"targets", "Targets", {}};
  table.columns = {{"target", "target", "m"},
                   {"found", "within reach", ""},
                   {"closed_forms", "closed forms", ""},
                   {"flight_time", "flight", "s"},
                   {"impulse", "impulse", "N s"},
                   {"contact_velocity", "contact velocity", "m/s"},
                   {"bat_speed", "bat speed", "m/s"},
                   {"miss", "miss, or closest", "m"}};
  if (s.spread) table.columns.push_back({"hit_scatter", "rms miss with the spread", "m"});
  for (const BattingTarget& one : run.targets) {
    const bool f = one.plan.found;
    std::vector<report::Value> row = {numbers(one.problem.target),
                                      f,
                                      static_cast<double>(one.closed_forms.size()),
                                      f ? one.plan.shot.flight_time : not_there,
                                      f ? one.plan.shot.impulse.norm() : not_there,
                                      f ? numbers(one.plan.shot.contact_velocity) : no_vector,
                                      f ? one.plan.shot.bat_speed : not_there,
                                      f ? one.plan.shot.miss_distance : one.plan.closest_miss};
    if (s.spread) row.emplace_back(one.certainty ? scatter(*one.certainty) : not_there);
    table.add_row(row);
  }
  return table;
}

Table plans_table(const BattingTarget& first) {
  Table table{"plans", "Plans for the first target, best first", {}};
  table.columns = {
      {"method", "method", ""},      {"flight_time", "flight", "s"},    {"contact_velocity", "contact velocity", "m/s"},
      {"impulse", "impulse", "N s"}, {"bat_speed", "bat speed", "m/s"}, {"miss", "miss", "m"}};
  const auto add = [&](const BattingShot& shot) {
    table.add_row({std::string(name(shot.method)), shot.flight_time, numbers(shot.contact_velocity),
                   numbers(shot.impulse), shot.bat_speed, shot.miss_distance});
  };
  if (first.plan.found) add(first.plan.shot);
  for (const BattingShot& shot : first.plan.alternatives) add(shot);
  return table;
}

Table closed_table(const BattingTarget& first) {
  Table table{"closed_forms", "Plans in closed form, as the formulas have them", {}};
  table.columns = {{"case", "case", ""},
                   {"direction", "slip direction $(t1, t2)$", ""},
                   {"slip_impulse", "$I_n$ while it slips", "N s"},
                   {"flight_time", "flight", "s"},
                   {"contact_velocity", "contact velocity", "m/s"},
                   {"miss", "miss, by the forward model", "m"}};
  for (std::size_t i = 0; i < first.closed_forms.size(); ++i) {
    const ClosedFormPlan& plan = first.closed_forms[i];
    table.add_row({std::string(name(plan.which)), pair_of(plan.direction), plan.slip_impulse, plan.flight_time,
                   numbers(plan.contact_velocity), first.closed_form_misses[i]});
  }
  return table;
}

Document describe(const S& s, const BattingRun& run) {
  const BattingTarget& first = run.targets.front();
  Document document;
  std::size_t reached = 0;
  for (const BattingTarget& one : run.targets) reached += one.plan.found;
  if (run.targets.size() > 1)
    document.summary = fmt::format("{} of {} targets are within reach.", reached, run.targets.size());
  else if (first.plan.found)
    document.summary = fmt::format("The bat must meet the object at {:.4g} m/s; it reaches the target after {:.4g} s.",
                                   first.plan.shot.bat_speed, first.plan.shot.flight_time);
  else
    document.summary = fmt::format("Out of reach: no plan comes closer than {:.4g} m.", first.plan.closest_miss);
  document.tables = {targets_table(s, run), plans_table(first)};
  if (!first.closed_forms.empty()) document.tables.push_back(closed_table(first));
  document.plots = flight_pictures(s, run);
  document.plots.push_back(cone_picture(first));
  if (!feasible_times(first.problem).empty()) document.plots.push_back(times_picture(first));
  if (first.triangle && !first.triangle->history.empty()) document.plots.push_back(triangle_picture(first));
  if (first.search && s.moves->most_tilt > 0.0) document.plots.push_back(swept_picture(s, first));
  if (first.certainty) document.plots.push_back(hits_picture(s, run));
  if (first.plan.found && std::abs(s.material.at(approach_of(first)).restitution - first.problem.material.restitution) >
                              1e3 * agreed_restitution)
    document.notes.push_back(fmt::format(
        "restitution: the plan was made for {:.4g}, but at its own speed the law says {:.4g}; none that agrees "
        "with itself was found.",
        first.problem.material.restitution, s.material.at(approach_of(first)).restitution));
  if (s.reading == ClosedFormReading::published)
    document.notes.push_back(
        "Closed forms as printed: case 1a uses the energy of slip beyond the end of slip, and misses.");
  if (s.moves && (*s.bodies)[0].outline.points.empty())
    document.notes.push_back("The object has no shape: a moved bat might cut it unseen.");
  if (first.plan.flags.has(BattingFlag::at_time_limit))
    document.notes.push_back(
        "at_time_limit: the plan lies at the shortest or longest time of flight looked at; beyond it others are better "
        "still.");
  if (first.plan.flags.has(BattingFlag::beyond_limits))
    document.notes.push_back("beyond_limits: no plan keeps within the limits of the bat.");
  if (first.certainty && first.certainty->order_changes)
    document.notes.push_back("The order of events may change within the spread: the ellipse only indicates.");
  return document;
}

}  // namespace

BattingScene scene_of(const S& s, const Eigen::Vector3d& target, double approach) {
  BattingScene out{
      (*s.bodies)[0].body, (*s.bodies)[1].body, *s.contact, s.material.at(approach), s.law, target, s.gravity};
  if (s.eta0) out.springs = TangentialSprings{*s.eta0};
  out.limits = s.limits;
  return out;
}

Kind batting_kind() {
  return make_kind<BattingScenario, BattingRun>({"batting", "",
                                                 "Which contact velocity sends a flying body through a target?",
                                                 fields(), run, facts, details, describe});
}

}  // namespace carom::scenario
