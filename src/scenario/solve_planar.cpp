#include "carom/impact/planar.hpp"

#include "solve_impact.hpp"

namespace carom::scenario {

namespace {

struct Row {
  RestitutionLaw law = RestitutionLaw::energetic;
  Eigen::Matrix2d w;
  Eigen::Vector2d v;
  double mu = 0.0, e = 0.0, free_acceleration = -1.0;
};

/// What a row that describes bodies is told.
constexpr const char* not_bodies =
    "goes with `spatial`; a `planar` row takes `W`, the 2 x 2 inverse inertia [1/kg] at the contact in axes (t, n), "
    "with "
    "`v`, the velocity [t, n] there";

const Fields<Row>& fields() {
  static const Fields<Row> all =
      row_fields<Row>()
          .required("law", &Row::law, choice<RestitutionLaw>(), "restitution law")
          .required("W", &Row::w, inverse_inertia<2>(), "inverse inertia [1/kg], axes (t, n)")
          .required("v", &Row::v, vector<2>(), "velocity of A relative to B [m/s], (t, n)")
          .required("mu", &Row::mu, number(Range::at_least(0.0)), "friction coefficient")
          .required("e", &Row::e, number(Range::between(0.0, 1.0)), "coefficient of restitution")
          .optional("free_acceleration", &Row::free_acceleration, number(),
                    "normal acceleration without contact; only its sign matters")
          .refused("bodies", not_bodies)
          .refused("contact", not_bodies);
  return all;
}

}  // namespace

void solve_planar(const Value& value, Mistakes& mistakes, JsonWriter& json) {
  Row row;
  if (!read_row(fields(), value, mistakes, row)) return;
  PlanarProblem problem;
  problem.space = {row.w, row.v};
  problem.material = {.friction = row.mu, .restitution = row.e};
  problem.law = row.law;
  problem.free_acceleration = row.free_acceleration;
  const PlanarImpact impact = planar_impact(problem);

  json.key("verdict"), json.text(name(impact.verdict));
  json.key("impulse"), number_array(json, impact.impulse);
  json.key("velocity_after"), number_array(json, impact.velocity_after);
  json.key("mode");
  impact.mode == PlanarMode::none ? json.null() : json.text(name(impact.mode));
  write_events(json, impact.events, [](const Eigen::Vector2d& v) { return v; });
  write_energy(json, impact.energy);
  json.key("classes");
  json.begin_object();
  json.key("sliding"), json.text(impact.classes.direct ? "direct" : "oblique");
  json.key("eccentricity"), json.text(impact.classes.central ? "central" : "eccentric");
  json.key("approach"), json.text(impact.classes.tangential ? "tangential" : "meeting");
  json.end_object();
  write_flags(json, impact.flags);
}

}  // namespace carom::scenario
