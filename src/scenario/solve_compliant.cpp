#include "carom/impact/compliant.hpp"

#include "solve_pair.hpp"

namespace carom::scenario {

namespace {

struct Row : PairRow {
  double mu = 0.0, e = 0.0, eta0 = 1.0;
  Reading reading = Reading::model;
};

const Fields<Row>& fields() {
  static const Fields<Row> all = [] {
    Fields<Row> f = row_fields<Row>();
    f.required("mu", &Row::mu, number(Range::at_least(0.0)), "friction coefficient")
        .required("e", &Row::e, number(Range::between(0.0, 1.0)), "energetic coefficient of restitution")
        .required("eta0", &Row::eta0, number(Range::positive()), "square root of the stiffness ratio k_n / k_t")
        .optional("reading", &Row::reading,
                  choice<Reading>(),
                  "the model, or what the paper's printed numbers follow");
    add_pair_fields(f);
    return f;
  }();
  return all;
}

}  // namespace

void solve_compliant(const Value& value, Mistakes& mistakes, JsonWriter& json) {
  Row row;
  if (!read_row(fields(), value, mistakes, row)) return;
  const Pair pair(row);
  CompliantProblem problem;
  problem.space = pair.space();
  problem.material = {.friction = row.mu, .restitution = row.e};
  problem.stiffness_ratio_root = row.eta0;
  problem.reading = row.reading;
  write_impact(json, compliant_impact(problem), pair);
}

}  // namespace carom::scenario
