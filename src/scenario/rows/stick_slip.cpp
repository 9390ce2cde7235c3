#include "carom/contact/stick_slip.hpp"

#include "parts/contact.hpp"
#include "times.hpp"

namespace carom::scenario {

namespace {

struct Problem : StickSlipProblem {
  double plate_speed = 0.0;
  GivenFriction given_friction;
};

Fields<Problem> problem() {
  Fields<Problem> fields = row_fields<Problem>();
  fields.required("plate_speed", &Problem::plate_speed, number(Range::positive()), "[m/s]")
      .called({"plate_velocity"})
      .required("mass", &Problem::mass, number(Range::positive()), "of the block [kg]")
      .required("spring", &Problem::spring, number(Range::at_least(0.0)), "its stiffness [N/m]")
      .required("gravity", &Problem::gravity, number(Range::at_least(0.0)), "[m/s^2]")
      .required("friction", &Problem::given_friction, bristle_friction(), "between block and plate")
      .required("start", &Problem::start, choice<StickSlipStart>(), "how the block begins")
      .required("end_time", &Problem::end_time, number(Range::positive()), "[s]")
      .optional("sample_times", &Problem::sample_times, increasing_times(), "[s], up to end_time")
      .check({"sample_times", "end_time"}, check_sample_times<Problem>);
  return fields;
}

struct Sample {
  double t = 0.0, x = 0.0, v = 0.0, friction = 0.0;
  std::optional<double> dwell;
};

struct Answer {
  std::vector<Sample> samples;
  ForcesFlags flags;
};

Answer solve(const Problem& given) {
  StickSlipProblem problem = given;
  problem.plate_velocity = {given.plate_speed, 0.0};
  problem.friction = given.given_friction;
  const bool dwells = problem.friction.model == FrictionModel::dwell;
  const StickSlipResult result = stick_slip(problem);
  Answer answer;
  for (const StickSlipSample& s : result.samples) {
    answer.samples.push_back({s.t, s.x[0], s.v[0], s.friction[0] + 0.0, std::nullopt});  // no -0
    if (dwells) answer.samples.back().dwell = s.dwell;
  }
  answer.flags.set(ForcesFlag::event_limit, result.limited);
  answer.flags.set(ForcesFlag::no_dwell, !dwells && !answer.samples.empty());
  return answer;
}

Type<Sample> sample() {
  Fields<Sample> fields;
  fields.required("t", &Sample::t, number(), "[s]")
      .required("x", &Sample::x, number(), "of the block, from where the spring is relaxed [m]")
      .required("v", &Sample::v, number(), "of the block over ground [m/s]")
      .required("friction", &Sample::friction, number(), "on the block, + along the plate's motion [N]")
      .required("dwell", &Sample::dwell, nullable(number()), "s_dw");
  return object(fields);
}

Fields<Answer> result() {
  Fields<Answer> fields;
  fields.required("samples", &Answer::samples, list_of(sample()), "one per sample time")
      .required("flags", &Answer::flags, flag_names<ForcesFlag>(), "what to know beside");
  return fields;
}

}  // namespace

RowModel stick_slip_rows() { return row_model("stick_slip", problem(), solve, result()); }

}  // namespace carom::scenario
