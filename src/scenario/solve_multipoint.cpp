#include <limits>

#include "carom/core/contact_space.hpp"
#include "carom/impact/multipoint.hpp"

#include "solve_impact.hpp"

namespace carom::scenario {

namespace {

/// A coefficient for all contacts, or a list of one each.
Type<std::vector<double>> restitutions() {
  const auto one = number(Range::between(0.0, 1.0));
  const auto each = list_of(one, 1);
  return {[one, each](const Value& value, const Path& path, Mistakes& mistakes, std::vector<double>& out) {
            if (value.kind() == Value::Kind::list) return each.read(value, path, mistakes, out);
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

// What the library checks, each by itself, in a problem that is harmless otherwise: nothing moves.
MultipointProblem harmless(Eigen::Index rows, int dimension) {
  MultipointProblem problem;
  problem.mass_matrix = Eigen::MatrixXd::Identity(1, 1);
  problem.jacobian = Eigen::MatrixXd::Zero(rows, 1);
  problem.velocity = Eigen::VectorXd::Zero(1);
  problem.dimension = dimension;
  problem.restitution = {0.0};
  problem.static_friction = problem.dynamic_friction = 0.0;
  return problem;
}

void add_late_checks(Fields<Row>& fields) {
  using Eigen::MatrixXd, Eigen::VectorXd;
  const auto late = [&](std::initializer_list<std::string_view> needs, void (*call)(const Row&)) {
    fields.late_check(needs, [call](const Row& row, const Value& object, const Path& path, Mistakes& mistakes) {
      look_for(object, path, mistakes, [&] { call(row); });
    });
  };
  late({"mass_matrix"}, [](const Row& r) {
    const Eigen::Index n = r.mass_matrix.rows();
    velocity_after(r.mass_matrix, MatrixXd::Zero(1, n), VectorXd::Zero(n), VectorXd::Zero(1));
  });
  late({"mass_matrix", "jacobian"}, [](const Row& r) {  // whatever else is wrong with the mass matrix
    const Eigen::Index n = r.mass_matrix.rows(), rows = r.jacobian.rows();
    velocity_after(MatrixXd::Identity(n, n), r.jacobian, VectorXd::Zero(n), VectorXd::Zero(rows));
  });
  late({"mass_matrix", "velocity"}, [](const Row& r) {
    const Eigen::Index n = r.mass_matrix.rows();
    velocity_after(MatrixXd::Identity(n, n), MatrixXd::Zero(1, n), r.velocity, VectorXd::Zero(1));
  });
  late({"jacobian", "dimension"}, [](const Row& r) { multipoint_rodriguez(harmless(r.jacobian.rows(), r.dimension)); });
  late({"jacobian", "dimension", "e"}, [](const Row& r) {
    MultipointProblem problem = harmless(r.jacobian.rows(), r.dimension);
    problem.restitution = r.restitution;
    multipoint_rodriguez(problem);
  });
  late({"mu_s", "mu_d"}, [](const Row& r) {
    MultipointProblem problem = harmless(2, 2);
    problem.static_friction = r.static_friction;
    problem.dynamic_friction = r.dynamic_friction;
    multipoint_rodriguez(problem);
  });
  late({"jacobian", "dimension", "examine"}, [](const Row& r) {
    MultipointProblem problem = harmless(r.jacobian.rows(), r.dimension);
    problem.examine = r.examine;
    multipoint_rodriguez(problem);
  });
  late({"jacobian", "dimension", "stiffness"}, [](const Row& r) {
    MultipointSprings springs;
    if (r.stiffness) springs.stiffness = *r.stiffness;
    multipoint_compliant(harmless(r.jacobian.rows(), r.dimension), springs);
  });
  late({"exponent"}, [](const Row& r) {
    MultipointSprings springs;
    springs.exponent = r.exponent.value_or(1.0);
    multipoint_compliant(harmless(2, 2), springs);
  });
  late({"stiffness_range"}, [](const Row& r) {
    if (!r.stiffness_range) return;
    multipoint_outcomes(harmless(2, 2), {}, {.low = (*r.stiffness_range)[0], .high = (*r.stiffness_range)[1]});
  });
}

/// The fields of springs go with the method that has them.
void check_springs(const Row& row, const Value& object, const Path& path, Mistakes& mistakes) {
  if (row.method == Method::compliant) return;
  for (const char* field : {"stiffness", "exponent", "eta0", "stiffness_range"})
    if (const Value* value = object.find(field); value != nullptr && !value->is_null())
      mistakes.add(path.at(field), value->place(), "goes with method compliant only");
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
        .check({"method"}, check_springs);
    add_late_checks(f);
    return f;
  }();
  return all;
}

void write_indices(JsonWriter& json, const std::vector<int>& indices) {
  json.begin_array();
  for (const int i : indices) json.number(i);
  json.end_array();
}

void write_solution(JsonWriter& json, const MultipointSolution& s) {
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

void solve_multipoint(const Value& value, Mistakes& mistakes, JsonWriter& json) {
  Row row;
  if (!read_row(fields(), value, mistakes, row)) return;
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
  Flags flags = impact.flags;
  if (outcomes)
    for (const auto& outcome : outcomes->by_ratio)
      if (outcome.event_limit) flags.set(Flag::event_limit);
  write_flags(json, flags);
}

}  // namespace carom::scenario
