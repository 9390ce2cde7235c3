#include "carom/impact/multipoint.hpp"

#include <limits>

#include "carom/core/contact_space.hpp"

#include "impact.hpp"

namespace carom::scenario {

enum class MultipointMethod { rodriguez, lcp, compliant };

}  // namespace carom::scenario

template <>
inline constexpr auto carom::names_of<carom::scenario::MultipointMethod> =
    std::to_array<carom::Named<carom::scenario::MultipointMethod>>({
        {carom::scenario::MultipointMethod::rodriguez, "rodriguez"},
        {carom::scenario::MultipointMethod::lcp, "lcp"},
        {carom::scenario::MultipointMethod::compliant, "compliant"},
    });

namespace carom::scenario {

namespace {

using Method = MultipointMethod;

/// A coefficient for all contacts, or a list of one each.
Type<std::vector<double>> restitutions() {
  const auto one = number(Range::between(0.0, 1.0));
  const auto each = list_of(one, 1);
  return custom<std::vector<double>>(
      [one, each](const Value& value, const Path& path, Mistakes& mistakes, std::vector<double>& out) {
        if (value.kind() == Value::Kind::list) return each.read(value, path, mistakes, out);
        out.resize(1);
        return one.read(value, path, mistakes, out[0]);
      },
      R"({"anyOf":[)" + one.json_schema() + "," + each.json_schema() + "]}");
}

struct Row : MultipointProblem {
  Method method = Method::rodriguez;
  std::optional<std::vector<double>> stiffness;
  std::optional<double> exponent, eta0;
  std::optional<Eigen::Vector2d> stiffness_range;
};

// What the library checks, each by itself, in a problem that is harmless otherwise: nothing moves. By the method that
// allows the most contacts.
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

using Eigen::MatrixXd, Eigen::VectorXd;

const Fields<Row>& problem();

/// What the library says to part of a row, as a rule.
template <void (*call)(const Row&)>
void late(const Row& row, const Value& object, const Path& path, Mistakes& mistakes) {
  look_for(*problem().format(), object, path, mistakes, [&] { call(row); });
}

/// Too large to be looked at any closer; refused by try_mass_matrix.
bool is_large(const Row& r) { return r.mass_matrix.rows() > max_multipoint_coordinates; }

void try_mass_matrix(const Row& r) {
  const Eigen::Index n = r.mass_matrix.rows();
  if (is_large(r))
    throw InvalidInput("mass_matrix", "must have at most " + std::to_string(max_multipoint_coordinates) +
                                          " rows, got " + std::to_string(n));
  velocity_after(r.mass_matrix, MatrixXd::Zero(1, n), VectorXd::Zero(n), VectorXd::Zero(1));
}
void try_jacobian(const Row& r) {
  // whatever else is wrong with the mass matrix
  if (is_large(r)) return;
  const Eigen::Index n = r.mass_matrix.rows(), rows = r.jacobian.rows();
  velocity_after(MatrixXd::Identity(n, n), r.jacobian, VectorXd::Zero(n), VectorXd::Zero(rows));
}
void try_velocity(const Row& r) {
  if (is_large(r)) return;
  const Eigen::Index n = r.mass_matrix.rows();
  velocity_after(MatrixXd::Identity(n, n), MatrixXd::Zero(1, n), r.velocity, VectorXd::Zero(1));
}
void try_dimension(const Row& r) { multipoint_lcp(harmless(r.jacobian.rows(), r.dimension)); }
void try_restitution(const Row& r) {
  MultipointProblem problem = harmless(r.jacobian.rows(), r.dimension);
  problem.restitution = r.restitution;
  multipoint_lcp(problem);
}
void try_friction(const Row& r) {
  MultipointProblem problem = harmless(2, 2);
  problem.static_friction = r.static_friction;
  problem.dynamic_friction = r.dynamic_friction;
  multipoint_lcp(problem);
}
void try_examined(const Row& r) {
  MultipointProblem problem = harmless(r.jacobian.rows(), r.dimension);
  problem.examine = r.examine;
  r.method == Method::rodriguez ? multipoint_rodriguez(problem) : multipoint_lcp(problem);
}
void try_stiffness(const Row& r) {
  MultipointSprings springs;
  if (r.stiffness) springs.stiffness = *r.stiffness;
  multipoint_compliant(harmless(r.jacobian.rows(), r.dimension), springs);
}
void try_exponent(const Row& r) {
  MultipointSprings springs;
  springs.exponent = r.exponent.value_or(1.0);
  multipoint_compliant(harmless(2, 2), springs);
}
void try_range(const Row& r) {
  if (!r.stiffness_range) return;
  multipoint_outcomes(harmless(2, 2), {}, {.low = (*r.stiffness_range)[0], .high = (*r.stiffness_range)[1]});
}

/// The fields of springs go with the method that has them.
void check_springs(const Row& row, const Value& object, const Path& path, Mistakes& mistakes) {
  if (row.method == Method::compliant) return;
  for (const char* field : {"stiffness", "exponent", "eta0", "stiffness_range"})
    if (const Value* value = object.find(field); value != nullptr && !value->is_null())
      mistakes.add(path.at(field), value->place(), "goes with method compliant only");
}

const Fields<Row>& problem() {
  static const Fields<Row> all = [] {
    Fields<Row> fields = row_fields<Row>();
    fields.required("method", &Row::method, choice<Method>(), "how to answer")
        .required("mass_matrix", &Row::mass_matrix, matrix_of_any_size(), "n x n")
        .required("jacobian", &Row::jacobian, matrix_of_any_size(), "contact by contact")
        .required("dimension", &Row::dimension, integer(2, 3), "2 or 3")
        .required("velocity", &Row::velocity, vector_of_any_size(), "generalized, n")
        .required("e", &Row::restitution, restitutions(), "one for all contacts, or one each")
        .called({"restitution"})
        .required("mu_s", &Row::static_friction, number(Range::at_least(0.0)), "static friction")
        .called({"static_friction"})
        .required("mu_d", &Row::dynamic_friction, number(Range::at_least(0.0)), "dynamic friction")
        .called({"dynamic_friction"})
        .optional("examine", &Row::examine, integer(0, std::numeric_limits<int>::max()),
                  "only this contact; compliant: the one whose stiffness is swept")
        .optional("stiffness", &Row::stiffness, list_of(number(Range::positive()), 1),
                  "one per contact, default all alike")
        .optional("exponent", &Row::exponent, number(), "1 (linear, default) or 1.5 (Hertz)")
        .optional("eta0", &Row::eta0, number(Range::positive()), "tangential springs; absent: rigid Coulomb")
        .optional("stiffness_range", &Row::stiffness_range, vector<2>(), "ratios to sweep, from and to")
        .check({"method"}, check_springs)
        .late_check({"mass_matrix"}, late<try_mass_matrix>)
        .late_check({"mass_matrix", "jacobian"}, late<try_jacobian>)
        .late_check({"mass_matrix", "velocity"}, late<try_velocity>)
        .late_check({"jacobian", "dimension"}, late<try_dimension>)
        .late_check({"jacobian", "dimension", "e"}, late<try_restitution>)
        .late_check({"mu_s", "mu_d"}, late<try_friction>)
        .late_check({"jacobian", "dimension", "examine"}, late<try_examined>)
        .late_check({"jacobian", "dimension", "stiffness"}, late<try_stiffness>)
        .late_check({"exponent"}, late<try_exponent>)
        .late_check({"stiffness_range"}, late<try_range>);
    return fields;
  }();
  return all;
}

Type<MultipointSolution> solution() {
  using Solution = MultipointSolution;
  const auto indices = list_of(integer(0, std::numeric_limits<int>::max()));
  Fields<Solution> fields;
  fields.required("velocity", &Solution::velocity, vector_of_any_size(), "generalized, after")
      .required("impulses", &Solution::impulses, list_of_columns(), "one per contact, (t, n) or (t1, t2, n) [N s]")
      .required("examined", &Solution::examined, nullable(integer(0, std::numeric_limits<int>::max())),
                "rodriguez: the contact examined")
      .required("sticking", &Solution::sticking, indices, "contacts that end without slip")
      .required("other_normals_ok", &Solution::other_normals_ok, boolean(), "no other contact pulls")
      .required("required_friction", &Solution::required_friction, nullable(number()),
                "least friction that some split needs")
      .required("coulomb_met", &Solution::coulomb_met, boolean(), "some split lies in every friction cone")
      .required("friction_law_met", &Solution::friction_law_met, boolean(), "some split obeys Coulomb's law")
      .required("friction_law_broken_at", &Solution::friction_law_broken_at, indices, "where it is violated least")
      .boolean(
          "energy_gain", [](const Solution& s) { return s.flags.has(Flag::energy_gain); }, "kinetic energy rose")
      .required("status", &Solution::status, choice<MultipointStatus>(), "how it ends");
  return object(fields);
}

struct Answer {
  std::vector<MultipointSolution> solutions;
  bool exhaustive = true;
  std::optional<std::vector<MultipointOutcomes::Sprung>> outcomes;
  Flags flags;
};

Answer solve(const Row& row) {
  MultipointSprings springs;
  springs.stiffness = row.stiffness.value_or(std::vector<double>{});
  springs.exponent = row.exponent.value_or(1.0);
  springs.eta0 = row.eta0;
  MultipointImpact impact = row.method == Method::rodriguez ? multipoint_rodriguez(row)
                            : row.method == Method::lcp     ? multipoint_lcp(row)
                                                            : multipoint_compliant(row, springs);
  Answer answer{std::move(impact.solutions), impact.exhaustive, std::nullopt, impact.flags};
  if (!row.stiffness_range) return answer;
  const Eigen::Vector2d& range = *row.stiffness_range;
  answer.outcomes = multipoint_outcomes(row, springs, {.low = range[0], .high = range[1]}).by_ratio;
  for (const auto& outcome : *answer.outcomes)
    if (outcome.event_limit) answer.flags.set(Flag::event_limit);
  return answer;
}

Fields<Answer> result() {
  using Sprung = MultipointOutcomes::Sprung;
  Fields<Sprung> sprung;
  sprung.required("stiffness_ratio", &Sprung::stiffness_ratio, number(), "of the swept contact")
      .required("velocity", &Sprung::velocity, vector_of_any_size(), "generalized, after");
  Fields<Answer> fields;
  fields.required("solutions", &Answer::solutions, list_of(solution()), "all answers")
      .required("exhaustive", &Answer::exhaustive, boolean(), "false: there may be others")
      .optional("outcomes", &Answer::outcomes, list_of(object(sprung)), "with stiffness_range")
      .required("flags", &Answer::flags, flag_names<Flag>(), "what to know beside");
  return fields;
}

}  // namespace

RowModel multipoint_rows() { return row_model("multipoint", problem(), solve, result()); }

}  // namespace carom::scenario
