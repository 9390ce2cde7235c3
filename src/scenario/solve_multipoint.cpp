#include <limits>

#include "carom/impact/multipoint.hpp"

#include "solve_model.hpp"

namespace carom::scenario {

namespace {

/// A coefficient for all contacts, or a list of one each.
Type<std::vector<double>> restitutions() {
  const auto one = number(Range::between(0.0, 1.0));
  const auto each = list_of(one, 1);
  return {[one, each](const Value& value, const Path& path, Mistakes& mistakes, std::vector<double>& out) {
            if (value.kind == Value::Kind::list) return each.read(value, path, mistakes, out);
            out.resize(1);
            return one.read(value, path, mistakes, out[0]);
          },
          R"({"anyOf":[)" + one.schema + "," + each.schema + "]}"};
}

enum class Method { rodriguez, lcp, compliant };

struct Row : MultipointProblem {
  Method method = Method::rodriguez;
  std::optional<std::vector<double>> stiffness;
  std::optional<double> exponent, eta0;
  std::optional<Eigen::Vector2d> stiffness_range;
};

/// The fields of springs go with the method that has them.
void check_springs(const Row& row, const Value& object, const Path& path, Mistakes& mistakes) {
  if (row.method == Method::compliant) return;
  for (const char* field : {"stiffness", "exponent", "eta0", "stiffness_range"})
    if (const Value* value = object.find(field); value != nullptr && value->kind != Value::Kind::null)
      mistakes.add(path.at(field), value->line, "goes with method compliant only");
}

const Fields<Row>& fields() {
  static const Fields<Row> all = [] {
    const auto member = []<class M>(M MultipointProblem::*m) { return static_cast<M Row::*>(m); };
    Fields<Row> f = row_fields<Row>();
    f.required(
         "method", &Row::method,
         choice<Method>({{"rodriguez", Method::rodriguez}, {"lcp", Method::lcp}, {"compliant", Method::compliant}}),
         "how to answer")
        .required("mass_matrix", member(&MultipointProblem::mass_matrix), matrix_of_any_size(), "n x n")
        .required("jacobian", member(&MultipointProblem::jacobian), matrix_of_any_size(), "contact by contact")
        .required("dimension", member(&MultipointProblem::dimension), integer(2, 3), "2 or 3")
        .required("velocity", member(&MultipointProblem::velocity), vector_of_any_size(), "generalized, n")
        .required("e", member(&MultipointProblem::restitution), restitutions(), "one for all contacts, or one each")
        .required("mu_s", member(&MultipointProblem::static_friction), number(Range::at_least(0.0)), "static friction")
        .required("mu_d", member(&MultipointProblem::dynamic_friction), number(Range::at_least(0.0)),
                  "dynamic friction")
        .optional("examine", member(&MultipointProblem::examine), integer(0, std::numeric_limits<int>::max()),
                  "only this contact; compliant: the one whose stiffness is swept")
        .optional("stiffness", &Row::stiffness, list_of(number(Range::positive()), 1),
                  "one per contact, default all alike")
        .optional("exponent", &Row::exponent, number(), "1 (linear, default) or 1.5 (Hertz)")
        .optional("eta0", &Row::eta0, number(Range::positive()), "tangential springs; absent: rigid Coulomb")
        .optional("stiffness_range", &Row::stiffness_range, vector<2>(), "ratios to sweep, from and to")
        .check(check_springs);
    return f;
  }();
  return all;
}

void write_indices(report::JsonWriter& json, const std::vector<int>& indices) {
  json.begin_array();
  for (const int i : indices) json.number(i);
  json.end_array();
}

void write_solution(report::JsonWriter& json, const MultipointSolution& s) {
  json.begin_object();
  json.key("velocity"), number_array(json, s.velocity);
  json.key("impulses");
  json.begin_array();
  for (Eigen::Index k = 0; k < s.impulses.cols(); ++k) number_array(json, s.impulses.col(k));
  json.end_array();
  json.key("examined");
  s.examined ? json.number(*s.examined) : json.null();
  json.key("sticking"), write_indices(json, s.sticking);
  json.key("other_normals_ok"), json.boolean(s.other_normals_ok);
  json.key("required_friction");
  s.required_friction ? json.number(*s.required_friction) : json.null();
  json.key("coulomb_met"), json.boolean(s.coulomb_met);
  json.key("friction_law_met"), json.boolean(s.friction_law_met);
  json.key("friction_law_broken_at"), write_indices(json, s.friction_law_broken_at);
  json.key("energy_gain"), json.boolean(s.energy_gain);
  json.key("status"), json.text(name(s.status));
  json.end_object();
}

}  // namespace

void solve_multipoint(const Value& value, Mistakes& mistakes, report::JsonWriter& json) {
  Row row;
  if (!fields().read(value, {}, mistakes, row)) return;
  MultipointSprings springs;
  springs.stiffness = row.stiffness.value_or(std::vector<double>{});
  springs.exponent = row.exponent.value_or(1.0);
  springs.eta0 = row.eta0;
  const MultipointImpact impact = row.method == Method::rodriguez ? multipoint_rodriguez(row)
                                  : row.method == Method::lcp     ? multipoint_lcp(row)
                                                                  : multipoint_compliant(row, springs);
  std::optional<MultipointOutcomes> outcomes;
  if (row.stiffness_range) {
    const Eigen::Vector2d& range = *row.stiffness_range;
    outcomes = multipoint_outcomes(row, springs, {.low = range[0], .high = range[1]});
  }

  json.key("solutions");
  json.begin_array();
  for (const MultipointSolution& solution : impact.solutions) write_solution(json, solution);
  json.end_array();
  json.key("exhaustive"), json.boolean(impact.exhaustive);
  if (outcomes) {
    json.key("outcomes");
    json.begin_array();
    for (const auto& outcome : outcomes->by_ratio) {
      json.begin_object();
      json.key("stiffness_ratio"), json.number(outcome.stiffness_ratio);
      json.key("velocity"), number_array(json, outcome.velocity);
      json.end_object();
    }
    json.end_array();
  }
  json.key("flags");
  json.begin_array();
  for (const Flag flag : all_flags)
    if (impact.flags.has(flag) || (flag == Flag::event_limit && impact.event_limit)) json.text(name(flag));
  json.end_array();
}

}  // namespace carom::scenario
