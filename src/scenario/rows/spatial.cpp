#include "carom/impact/spatial.hpp"

#include "pair.hpp"

namespace carom::scenario {

namespace {

struct Row : PairRow {
  RestitutionLaw law = RestitutionLaw::energetic;
  Material material;
};

const Fields<Row>& problem() {
  static const Fields<Row> all = [] {
    Fields<Row> fields = row_fields<Row>();
    fields.required("law", &Row::law, choice<RestitutionLaw>(), "restitution law");
    add_surface(fields);
    add_pair_fields(fields);
    add_path(fields);
    return fields;
  }();
  return all;
}

PairAnswer<SpatialImpact> solve(const Row& row) {
  return pair_answer(
      row,
      [&](const Body& a, const Body& b, const Contact& contact) {
        return collide(a, b, contact, row.material, row.law);
      },
      [&](const ContactSpace& space) {
        return spatial_impact({space, row.material, row.law});
      },
      [&](const ContactSpace& space, int points) {
        return even_path(SpatialProblem{space, row.material, row.law}, points);
      });
}

const Fields<PairAnswer<SpatialImpact>>& result() {
  static const Fields<PairAnswer<SpatialImpact>> all = [] {
    auto fields = pair_result<SpatialImpact>();
    fields.required("case", &SpatialImpact::process, choice<SpatialCase>(), "the way the process went");
    add_path_points(fields, path_point<PathPoint<3>>());
    return fields;
  }();
  return all;
}

}  // namespace

RowModel spatial_rows() { return row_model("spatial", problem(), solve, result()); }

}  // namespace carom::scenario
