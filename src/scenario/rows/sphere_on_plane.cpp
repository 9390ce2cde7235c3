#include "carom/motion/sphere_on_plane.hpp"

#include <cmath>

#include "parts/contact.hpp"
#include "times.hpp"

namespace carom::scenario {

namespace {

struct Problem : SphereOnPlaneProblem {
  GivenFriction friction;
};

void check_e(const Problem& p, const Value& object, const Path& path, Mistakes& mistakes) {
  check_compliant_e(p.surface.e, DampingLaw::gonthier, object, path, mistakes);
}

void check_v_min(const Problem& p, const Value& object, const Path& path, Mistakes& mistakes) {
  if (!p.v_min && !(p.gravity * std::cos(p.incline) > 0.0))
    mistakes.add_missing(path.at("v_min"), object, "is required where gravity does not press the ball on the plane");
}

Fields<Problem> problem() {
  Fields<Problem> fields = row_fields<Problem>();
  fields.required("mass", &Problem::mass, number(Range::positive()), "[kg]")
      .required("radius", &Problem::radius, number(Range::positive()), "of the solid ball [m]")
      .required(
          "stiffness", [](Problem& p) -> double& { return p.surface.stiffness; }, number(Range::positive()),
          "k [N/m^p]")
      .required(
          "exponent", [](Problem& p) -> double& { return p.surface.exponent; }, number(Range::positive()), "p")
      .required(
          "e", [](Problem& p) -> Restitution& { return p.surface.e; }, restitution_law(), "coefficient of restitution")
      .required("friction", &Problem::friction, bristle_friction(), "between ball and plane")
      .required("incline", &Problem::incline, angle(), "[rad]")
      .required("gravity", &Problem::gravity, number(Range::at_least(0.0)), "[m/s^2]")
      .required("gap", &Problem::gap, number(Range::at_least(0.0)), "at the start [m]")
      .required("velocity", &Problem::velocity, vector<3>(), "[m/s], x downhill, z the normal")
      .required("angular_velocity", &Problem::angular_velocity, vector<3>(), "[rad/s]")
      .required("end_time", &Problem::end_time, number(Range::positive()), "[s]")
      .optional("v_min", &Problem::v_min, number(Range::positive()), "least touch speed to reckon with [m/s]")
      .optional("sample_times", &Problem::sample_times, increasing_times(), "[s], up to end_time")
      .check({"e"}, check_e)
      .check({"gravity", "incline", "v_min"}, check_v_min)
      .check({"sample_times", "end_time"}, check_sample_times<Problem>);
  return fields;
}

struct Answer : SphereOnPlaneResult {
  ForcesFlags flags;
};

Answer solve(const Problem& given) {
  SphereOnPlaneProblem problem = given;
  problem.surface.friction = given.friction;
  Answer answer{sphere_on_plane(problem), {}};
  answer.flags.set(ForcesFlag::event_limit, answer.limited);
  answer.flags.set(ForcesFlag::overflow, !std::isfinite(answer.dissipated));
  return answer;
}

Type<SphereSample> sample() {
  using Sample = SphereSample;
  Fields<Sample> fields;
  fields.required("t", &Sample::t, number(), "[s]")
      .required("position", &Sample::position, vector<3>(), "of the centre [m]")
      .required("velocity", &Sample::velocity, vector<3>(), "[m/s]")
      .required("angular_velocity", &Sample::angular_velocity, vector<3>(), "[rad/s]")
      .required("kinetic", &Sample::kinetic, number(), "[J]")
      .required("potential", &Sample::potential, number(), "[J]")
      .required("stored", &Sample::stored, number(), "in the contact [J]");
  return object(fields);
}

Fields<Answer> result() {
  Fields<Answer> fields;
  fields.required("samples", &Answer::samples, list_of(sample()), "one per sample time")
      .required("contacts", &Answer::contacts, integer(0, 1'000'000'000), "touches")
      .required("dissipated", &Answer::dissipated, number(), "[J]")
      .required("flags", &Answer::flags, flag_names<ForcesFlag>(), "what to know beside");
  return fields;
}

}  // namespace

RowModel sphere_on_plane_rows() { return row_model("sphere_on_plane", problem(), solve, result()); }

}  // namespace carom::scenario
