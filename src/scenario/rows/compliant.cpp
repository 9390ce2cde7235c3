#include "carom/impact/compliant.hpp"

#include "pair.hpp"

namespace carom::scenario {

namespace {

struct Row : PairRow {
  Material material;
  double stiffness_ratio_root = 1.0;
  Reading reading = Reading::model;
};

const Fields<Row>& problem() {
  static const Fields<Row> all = [] {
    Fields<Row> fields = row_fields<Row>();
    add_surface(fields);
    fields
        .required("eta0", &Row::stiffness_ratio_root, number(Range::positive()),
                  "square root of the stiffness ratio k_n / k_t")
        .called({"stiffness_ratio_root"})
        .optional("reading", &Row::reading, choice<Reading>(), "the model, or what the paper's printed numbers follow");
    add_pair_fields(fields);
    return fields;
  }();
  return all;
}

PairAnswer<CompliantImpact> solve(const Row& row) {
  return pair_answer(
      row,
      [&](const Body& a, const Body& b, const Contact& contact) {
        return collide(a, b, contact, row.material, TangentialSprings{row.stiffness_ratio_root, row.reading});
      },
      [&](const ContactSpace& space) {
        return compliant_impact({space, row.material, row.stiffness_ratio_root, row.reading});
      });
}

}  // namespace

RowModel compliant_rows() { return row_model("compliant", problem(), solve, pair_result<CompliantImpact>()); }

}  // namespace carom::scenario
