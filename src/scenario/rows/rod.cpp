#include "carom/elastic/rod.hpp"

#include <cmath>

#include "times.hpp"

namespace carom::scenario {

namespace {

Fields<RodProblem> problem() {
  using Problem = RodProblem;
  Fields<Problem> fields = row_fields<Problem>();
  fields.required("wave_speed", &Problem::wave_speed, number(Range::positive()), "[m/s]")
      .required("length", &Problem::length, number(Range::positive()), "[m]")
      .required("gravity", &Problem::gravity, number(Range::at_least(0.0)), "[m/s^2]")
      .required("damping", &Problem::damping, number(Range::at_least(0.0)), "[1/s] viscous, [m^2/s] structural")
      .required("damping_kind", &Problem::damping_kind, choice<DampingKind>(), "what resists the motion")
      .required("impact_speed", &Problem::impact_speed, number(Range::at_least(0.0)), "[m/s]")
      .optional("contact", &Problem::contact, choice<ContactCondition>(), "when the ground lets go")
      .optional("bounces", &Problem::bounces, integer(1, rod_max_bounces), "lift-offs to follow")
      .optional("sample_times", &Problem::sample_times, increasing_times(), "[s] from first touch");
  return fields;
}

/// A sample whose infinities, at first touch of a structural rod, are null.
struct SampleRow : RodSample {
  std::optional<double> finite_stress, finite_dissipation;
};

SampleRow row_of(const RodSample& sample) {
  const auto finite = [](double x) { return std::isfinite(x) ? std::optional(x) : std::nullopt; };
  return {sample, finite(sample.stress), finite(sample.dissipation)};
}

/// The result with what was asked for only.
struct Answer : RodResult {
  std::optional<std::vector<RodEvent>> asked_events;
  std::optional<std::vector<SampleRow>> asked_samples;
};

Answer solve(const RodProblem& problem) {
  Answer answer{rod_impact(problem), std::nullopt, std::nullopt};
  if (problem.bounces > 1) answer.asked_events = std::move(answer.events);
  if (!problem.sample_times.empty()) {
    answer.asked_samples.emplace();
    for (const RodSample& sample : answer.samples) answer.asked_samples->push_back(row_of(sample));
  }
  return answer;
}

Type<RodEvent> event() {
  using Event = RodEvent;
  Fields<Event> fields;
  fields.required("type", &Event::type, choice<RodEventType>(), "what the bottom does")
      .required("t", &Event::t, number(), "[s] from first touch")
      .required("momentum", &Event::momentum, number(), "[m^2/s]")
      .required("height", &Event::height, number(), "[m]")
      .required("energy_total", &Event::energy_total, number(), "[m^3/s^2]");
  return object(fields);
}

Type<SampleRow> sample() {
  using Sample = SampleRow;
  Fields<Sample> fields;
  fields.required("t", &Sample::t, number(), "[s] from first touch")
      .required("stress", &Sample::finite_stress, nullable(number()),
                "at the bottom [m^2/s^2]; < 0: the ground pushes; null: infinite")
      .required("momentum", &Sample::momentum, number(), "[m^2/s]")
      .required("height", &Sample::height, number(), "of the centre of mass over its place at first touch [m]")
      .required("bottom", &Sample::bottom, number(), "gap between ground and bottom [m]")
      .required("strain", &Sample::strain, number(), "at the bottom; < 0: squeezed")
      .required("energy_total", &Sample::energy_total, number(), "[m^3/s^2]")
      .required("energy_vibration", &Sample::energy_vibration, number(), "of that, not translation [m^3/s^2]")
      .required("dissipation", &Sample::finite_dissipation, nullable(number()),
                "what damping takes per time [m^3/s^3]; null: infinite");
  return object(fields);
}

Fields<Answer> result() {
  const auto if_any = nullable(number());
  Fields<Answer> fields;
  fields.required("status", &Answer::status, choice<RodStatus>(), "whether it bounces")
      .required("t_b", &Answer::t_b, if_any, "lift-off [s]")
      .required("momentum", &Answer::momentum, number(), "at lift-off [m^2/s]")
      .required("height", &Answer::height, number(), "at lift-off [m]")
      .required("energy_total", &Answer::energy_total, number(), "[m^3/s^2]")
      .required("energy_translation", &Answer::energy_translation, number(), "[m^3/s^2]")
      .required("energy_vibration", &Answer::energy_vibration, number(), "[m^3/s^2]")
      .required("e_momentum", &Answer::e_momentum, if_any, "restitution of momentum")
      .required("e_energy", &Answer::e_energy, if_any, "restitution of energy")
      .required("h_max", &Answer::h_max, if_any, "greatest height of the flight that follows [m]")
      .required("margin", &Answer::margin, if_any, "above 0 the rod bounces")
      .required("flags", &Answer::flags, flag_names<RodFlag>(), "what to know beside")
      .optional("events", &Answer::asked_events, list_of(event()), "with bounces > 1")
      .optional("samples", &Answer::asked_samples, list_of(sample()), "one per sample time");
  return fields;
}

}  // namespace

RowModel rod_rows() { return row_model("rod", problem(), solve, result()); }

}  // namespace carom::scenario
