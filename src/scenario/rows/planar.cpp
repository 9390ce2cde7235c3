#include "carom/impact/planar.hpp"

#include "impact.hpp"

namespace carom::scenario {

namespace {

/// What a row that describes bodies is told.
constexpr const char* not_bodies =
    "goes with `spatial`; a `planar` row takes `W`, the 2 x 2 inverse inertia [1/kg] at the contact in axes (t, n), "
    "with "
    "`v`, the velocity [t, n] there";

struct Problem : PlanarProblem {
  int path = 0;
};

struct Answer : PlanarImpact {
  std::optional<std::vector<PathPoint<2>>> path;
};

Fields<Problem> problem() {
  Fields<Problem> fields = row_fields<Problem>();
  fields.required("law", &Problem::law, choice<RestitutionLaw>(), "restitution law")
      .required(
          "W", [](Problem& p) -> Eigen::Matrix2d& { return p.space.inverse_inertia; }, inverse_inertia<2>(),
          "inverse inertia [1/kg], axes (t, n)")
      .called({"inverse_inertia"})
      .required(
          "v", [](Problem& p) -> Eigen::Vector2d& { return p.space.velocity; }, vector<2>(),
          "velocity of A relative to B [m/s], (t, n)")
      .called({"velocity"});
  add_surface(fields);
  fields
      .optional("free_acceleration", &Problem::free_acceleration, number(),
                "normal acceleration without contact; only its sign matters")
      .refused("bodies", not_bodies)
      .refused("contact", not_bodies);
  add_path(fields);
  return fields;
}

Type<PlanarClasses> classes() {
  using Classes = PlanarClasses;
  Fields<Classes> fields;
  fields
      .text(
          "sliding", [](const Classes& c) { return c.direct ? "direct" : "oblique"; }, "initial slip or none")
      .text(
          "eccentricity", [](const Classes& c) { return c.central ? "central" : "eccentric"; }, "W_tn = 0 or not")
      .text(
          "approach", [](const Classes& c) { return c.tangential ? "tangential" : "meeting"; }, "v_n = 0 or not");
  return object(fields);
}

const char* mode(const Answer& impact) { return impact.mode == PlanarMode::none ? nullptr : name(impact.mode); }

Answer solve(const Problem& problem) {
  Answer answer{planar_impact(problem), {}};
  if (problem.path > 0) answer.path = even_path(problem, problem.path);
  return answer;
}

Fields<Answer> result() {
  using Impact = Answer;
  Fields<Impact> fields;
  fields.required("verdict", &Impact::verdict, choice<Verdict>(), "what came of it")
      .required("impulse", &Impact::impulse, vector<2>(), "on A [N s], (t, n)")
      .required("velocity_after", &Impact::velocity_after, vector<2>(), "A relative to B [m/s], (t, n)")
      .text("mode", mode, "how the contact moved")
      .required("events", &Impact::events, impact_events<decltype(Impact::events)>(), "in order")
      .required("energy", &Impact::energy, energy_ledger(), "of the relative motion")
      .required("classes", &Impact::classes, classes(), "what was known before")
      .required("flags", &Impact::flags, flag_names<Flag>(), "what to know beside");
  add_path_points(fields, path_point<PathPoint<2>>());
  return fields;
}

}  // namespace

RowModel planar_rows() { return row_model("planar", problem(), solve, result()); }

Type<EnergyLedger> energy_ledger() {
  using Ledger = EnergyLedger;
  Fields<Ledger> fields;
  fields.required("before", &Ledger::before, number(), "kinetic energy at first touch [J]")
      .required("after", &Ledger::after, number(), "kinetic energy at separation [J]")
      .required("restitution_loss", &Ledger::restitution_loss, number(), "minus the work of the normal impulse [J]")
      .required("friction_loss", &Ledger::friction_loss, number(), "minus the work of the tangential impulse [J]")
      .required("residual", &Ledger::residual, number(), "strain energy still stored [J]");
  return object(fields);
}

}  // namespace carom::scenario
