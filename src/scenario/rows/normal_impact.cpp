#include <cmath>

#include "carom/contact/normal_force.hpp"

#include "model.hpp"
#include "parts/contact.hpp"

namespace carom::scenario {

namespace {

using Problem = NormalImpactProblem;

void check_e(const Problem& p, const Value& object, const Path& path, Mistakes& mistakes) {
  check_compliant_e(p.e, p.law, object, path, mistakes);
}

Fields<Problem> problem() {
  Fields<Problem> fields = row_fields<Problem>();
  fields.required("law", &Problem::law, choice<DampingLaw>(), "how the damping follows from e")
      .required("mass", &Problem::mass, number(Range::positive()), "[kg]")
      .required("stiffness", &Problem::stiffness, number(Range::positive()), "k [N/m^p]")
      .required("exponent", &Problem::exponent, number(Range::positive()), "p")
      .required("e", &Problem::e, restitution_law(), "coefficient of restitution asked for")
      .required("speed", &Problem::speed, number(Range::positive()), "of approach [m/s]")
      .check({"law", "e"}, check_e);
  return fields;
}

struct Answer : NormalImpact {
  ForcesFlags flags;
};

Answer solve(const Problem& problem) {
  Answer answer{normal_impact(problem), {}};
  for (const double value : {answer.peak_force, answer.max_indentation, answer.duration, answer.dissipated})
    if (!std::isfinite(value)) answer.flags.set(ForcesFlag::overflow);
  // What is never zero has left the range below.
  for (const double value : {answer.peak_force, answer.max_indentation, answer.duration})
    if (value == 0.0) answer.flags.set(ForcesFlag::underflow);
  return answer;
}

Fields<Answer> result() {
  Fields<Answer> fields;
  fields.required("peak_force", &Answer::peak_force, number(), "[N]")
      .required("max_indentation", &Answer::max_indentation, number(), "[m]")
      .required("duration", &Answer::duration, number(), "[s]")
      .required("exit_speed", &Answer::exit_speed, number(), "[m/s]")
      .required("dissipated", &Answer::dissipated, number(), "[J]")
      .required("effective_restitution", &Answer::effective_restitution, number(), "what came out")
      .required("damping", &Answer::damping, number(), "A")
      .required("flags", &Answer::flags, flag_names<ForcesFlag>(), "what to know beside");
  return fields;
}

}  // namespace

RowModel normal_impact_rows() { return row_model("normal_impact", problem(), solve, result()); }

}  // namespace carom::scenario
