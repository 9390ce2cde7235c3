#include "carom/impact/spatial.hpp"

#include "solve_pair.hpp"

namespace carom::scenario {

namespace {

struct Row : PairRow {
  RestitutionLaw law = RestitutionLaw::energetic;
  double mu = 0.0, e = 0.0;
};

const Fields<Row>& fields() {
  static const Fields<Row> all = [] {
    Fields<Row> f = row_fields<Row>();
    f.required("law", &Row::law, choice<RestitutionLaw>(), "restitution law")
        .required("mu", &Row::mu, number(Range::at_least(0.0)), "friction coefficient")
        .required("e", &Row::e, number(Range::between(0.0, 1.0)), "coefficient of restitution");
    add_pair_fields(f);
    return f;
  }();
  return all;
}

}  // namespace

void solve_spatial(const Value& value, Mistakes& mistakes, JsonWriter& json) {
  Row row;
  if (!read_row(fields(), value, mistakes, row)) return;
  const Pair pair(row);
  write_impact(json, spatial_impact({pair.space(), {.friction = row.mu, .restitution = row.e}, row.law}), pair);
}

}  // namespace carom::scenario
