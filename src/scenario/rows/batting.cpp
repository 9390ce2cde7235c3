#include "carom/plan/batting.hpp"

#include <Eigen/LU>
#include <cmath>

#include "carom/plan/batting_triangle.hpp"

#include "pair.hpp"

namespace carom::scenario {

namespace {

/// Other plans that an answer lists, at most.
constexpr int most_alternatives = 4;

struct ObjectRow {
  double mass = 0.0;
  Eigen::Vector3d position, velocity;
};

struct Row {
  std::optional<std::vector<Body>> bodies;
  std::optional<Contact> contact;
  std::optional<Eigen::Matrix3d> w, frame;
  std::optional<ObjectRow> object;
  Material material;
  RestitutionLaw law = RestitutionLaw::energetic;
  Eigen::Vector3d target;
  double gravity = 9.8;
  BattingMethod method = BattingMethod::automatic;
  BattingObjective objective = BattingObjective::least_impulse;
};

/// `bodies` with `contact`, or `W` with `frame` and `object`.
void check_form(const Row& row, const Value& object, const Path& path, Mistakes& mistakes) {
  const bool by_space = row.w || row.frame || row.object, by_bodies = row.bodies || row.contact;
  if (by_space && by_bodies) {
    bool seen_space = false, seen_bodies = false;
    for (const auto [key, value] : object.members()) {
      if (value.is_null()) continue;
      seen_space |= key == "W" || key == "frame" || key == "object";
      seen_bodies |= key == "bodies" || key == "contact";
      if (seen_space && seen_bodies)
        return mistakes.add(path.at(key), value.place(),
                            "give either `W`, `frame` and `object`, or `bodies` and `contact`, not both");
    }
  }
  const auto require = [&](bool given, const char* field, const char* message) {
    if (!given) mistakes.add_missing(path.at(field), object, message);
  };
  if (!by_space && !by_bodies)
    return require(false, "bodies", "is required with `contact` (or `W` with `frame` and `object`)");
  if (by_space) {
    require(row.w.has_value(), "W", "is required");
    require(row.frame.has_value(), "frame", "is required");
    require(row.object.has_value(), "object", "is required");
    return;
  }
  require(row.bodies.has_value(), "bodies", "is required");
  require(row.contact.has_value(), "contact", "is required");
}

void check_frame(const Row& row, const Value& object, const Path& path, Mistakes& mistakes) {
  if (!row.frame) return;
  if (!((row.frame->transpose() * *row.frame - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() <= frame_tolerance) ||
      !(row.frame->determinant() > 0.0))
    mistakes.add(path.at("frame"), place_of(object, "frame"), "must be orthonormal to 1e-9 and right-handed");
}

void check_object(const Row& row, const Value& object, const Path& path, Mistakes& mistakes) {
  const Path bodies = path.at("bodies");
  if (row.bodies && (*row.bodies)[0].immovable)
    mistakes.add(bodies.at(0), place_of(object, "bodies"), "must be movable: it is the one that is struck");
}

void check_batting_space(const Row& row, const Value& object, const Path& path, Mistakes& mistakes);

const Fields<Row>& problem() {
  static const Fields<Row> all = [] {
    Fields<ObjectRow> struck;
    struck.required("mass", &ObjectRow::mass, number(Range::positive()), "[kg]")
        .required("position", &ObjectRow::position, vector<3>(), "centre of mass [m]")
        .required("velocity", &ObjectRow::velocity, vector<3>(), "of it [m/s]");
    Fields<Row> fields = row_fields<Row>();
    fields.optional("bodies", &Row::bodies, list_of(row_body(), 2, 2), "the object and the bat")
        .called({"inverse_inertia", "velocity"})
        .optional("contact", &Row::contact, spatial_contact(), "where they touch")
        .optional("W", &Row::w, inverse_inertia<3>(), "inverse inertia [1/kg], axes (t1, t2, n)")
        .called({"inverse_inertia"})
        .optional("frame", &Row::frame, matrix<3>(), "columns t1, t2, n in world axes")
        .optional("object", &Row::object, object(struck), "what is struck, with `W`");
    add_surface(fields);
    fields.optional("law", &Row::law, choice<RestitutionLaw>(), "restitution law (default energetic)")
        .required("target", &Row::target, vector<3>(), "where the object shall pass [m]")
        .optional("gravity", &Row::gravity, number(Range::at_least(0.0)), "along -z [m/s^2] (default 9.8)")
        .optional("method", &Row::method, choice<BattingMethod>(), "how to look for a plan (default auto)")
        .optional("objective", &Row::objective,
                  choice(std::vector<std::pair<std::string, BattingObjective>>{
                      {"least_impulse", BattingObjective::least_impulse},
                      {"min_bat_speed", BattingObjective::min_bat_speed}}),
                  "which plan is the best (default least_impulse)")
        .check({}, check_form)
        .check({"frame"}, check_frame)
        .check({"bodies"}, check_object)
        .late_check({"bodies", "contact"}, check_batting_space);
    return fields;
  }();
  return all;
}

void check_batting_space(const Row& row, const Value& object, const Path& path, Mistakes& mistakes) {
  if (!row.bodies || !row.contact) return;
  look_for(*problem().format(), object, path, mistakes,
           [&] { contact_space((*row.bodies)[0], (*row.bodies)[1], *row.contact); });
}

struct Alternative {
  double flight_time = 0.0;
  Eigen::Vector3d contact_velocity, impulse;
  double bat_speed = 0.0;
};

struct Answer {
  bool found = false;
  std::optional<BattingMethod> method_used;
  std::optional<Eigen::Vector3d> contact_velocity, impulse;
  std::optional<double> miss_distance, flight_time;
  std::optional<std::optional<double>> closest_miss;  // only if there is no plan; null if it is not known
  std::optional<Body> bat;
  std::optional<std::vector<Alternative>> alternatives;
  BattingFlags flags;
};

BattingProblem typed(const Row& row) {
  BattingProblem out;
  if (row.bodies) {
    out = batting_problem((*row.bodies)[0], (*row.bodies)[1], *row.contact, row.material, row.target);
  } else {
    out.inverse_inertia = *row.w;
    out.frame = *row.frame;
    out.mass = row.object->mass;
    out.position = row.object->position;
    out.velocity = out.point_velocity = row.object->velocity;
    out.material = row.material;
    out.target = row.target;
  }
  out.law = row.law;
  out.gravity = row.gravity;
  return out;
}

BattingPlan planned(const BattingProblem& problem, const Row& row) {
  if (row.method == BattingMethod::closed_form) return plan_closed_form(problem, row.objective, most_alternatives);
  if (row.method != BattingMethod::bounding_triangle) return plan_batting(problem, row.objective, most_alternatives);
  const TriangleRun run = bounding_triangle(problem);
  BattingPlan plan;
  plan.found = run.found;
  plan.shot = run.shot;
  plan.closest_miss = run.closest;
  plan.flags.set(BattingFlag::within_tolerance, run.found);
  plan.flags.set(BattingFlag::at_target, run.at_target);
  plan.flags.set(BattingFlag::overflow, !run.found && !run.at_target && !std::isfinite(run.closest));
  return plan;
}

Answer solve(const Row& row) {
  const BattingProblem problem = typed(row);
  const BattingPlan plan = planned(problem, row);
  Answer out;
  out.found = plan.found;
  out.flags = plan.flags;
  out.flags.set(BattingFlag::no_spin_known, !row.bodies);
  if (!plan.found) {
    out.flags.set(BattingFlag::out_of_reach);
    out.closest_miss.emplace();
    if (std::isfinite(plan.closest_miss)) *out.closest_miss = plan.closest_miss;
    return out;
  }
  out.method_used = plan.shot.method;
  out.contact_velocity = plan.shot.contact_velocity;
  out.impulse = plan.shot.impulse;
  out.miss_distance = plan.shot.miss_distance;
  out.flight_time = plan.shot.flight_time;
  if (row.bodies) {
    Body bat;  // the swing that does not turn: its speed is what `min_bat_speed` makes least
    bat.velocity = straight_swing(problem.point_velocity - plan.shot.contact_velocity).velocity;
    out.bat = bat;
  }
  out.alternatives.emplace();
  for (const BattingShot& shot : plan.alternatives)
    out.alternatives->push_back({shot.flight_time, shot.contact_velocity, shot.impulse, shot.bat_speed});
  return out;
}

Fields<Answer> result() {
  Fields<Alternative> other;
  other.required("flight_time", &Alternative::flight_time, number(), "[s]")
      .required("contact_velocity", &Alternative::contact_velocity, vector<3>(), "object relative to bat [m/s]")
      .required("impulse", &Alternative::impulse, vector<3>(), "on the object [N s]")
      .required("bat_speed", &Alternative::bat_speed, number(), "of a bat that does not turn [m/s]");
  Fields<Answer> fields;
  fields.required("found", &Answer::found, boolean(), "whether there is a plan")
      .required("method_used", &Answer::method_used, nullable(choice<BattingMethod>()), "which method found it")
      .required("contact_velocity", &Answer::contact_velocity, nullable(vector<3>()),
                "object relative to bat, world axes [m/s]")
      .required("impulse", &Answer::impulse, nullable(vector<3>()), "on the object, world axes [N s]")
      .required("miss_distance", &Answer::miss_distance, nullable(number()),
                "closest approach of the flight to the target [m]")
      .required("flight_time", &Answer::flight_time, nullable(number()), "[s]")
      .required("bat", &Answer::bat, nullable(row_body_after()), "just before; null without bodies")
      .required("alternatives", &Answer::alternatives, nullable(list_of(object(other))), "other plans, best first")
      .optional("closest_miss", &Answer::closest_miss, nullable(number()),
                "if there is none: no plan of this method comes closer [m]; null where numbers leave their range")
      .required("flags", &Answer::flags, flag_names<BattingFlag>(), "what to know beside");
  return fields;
}

}  // namespace

RowModel batting_rows() { return row_model("batting", problem(), solve, result()); }

}  // namespace carom::scenario
