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

using Method = MultipointImpact (*)(const MultipointProblem&);

struct Row : MultipointProblem {
  Method method = nullptr;
};

const Fields<Row>& fields() {
  static const Fields<Row> all = [] {
    const auto member = []<class M>(M MultipointProblem::*m) { return static_cast<M Row::*>(m); };
    Fields<Row> f = row_fields<Row>();
    f.required("method", &Row::method, choice<Method>({{"rodriguez", multipoint_rodriguez}, {"lcp", multipoint_lcp}}),
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
                  "only this contact");
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
  json.key("energy_gain"), json.boolean(s.energy_gain);
  json.key("status"), json.text(name(s.status));
  json.end_object();
}

}  // namespace

void solve_multipoint(const Value& value, Mistakes& mistakes, report::JsonWriter& json) {
  Row row;
  if (!fields().read(value, {}, mistakes, row)) return;
  const MultipointImpact impact = row.method(row);

  json.key("solutions");
  json.begin_array();
  for (const MultipointSolution& solution : impact.solutions) write_solution(json, solution);
  json.end_array();
  json.key("exhaustive"), json.boolean(impact.exhaustive);
}

}  // namespace carom::scenario
