#include "carom/impact/compliant.hpp"

#include "pair.hpp"
#include "parts/compliant.hpp"

namespace carom::scenario {

namespace {

struct Row : PairRow {
  Material material;
  double stiffness_ratio_root = 1.0;
  Reading reading = Reading::model;
  Unloading unloading = Unloading::stiffer;
};

const Fields<Row>& problem() {
  static const Fields<Row> all = [] {
    Fields<Row> fields = row_fields<Row>();
    add_surface(fields);
    fields
        .required("eta0", &Row::stiffness_ratio_root, number(Range::positive()),
                  "square root of the stiffness ratio k_n / k_t")
        .called({"stiffness_ratio_root"})
        .optional("reading", &Row::reading, choice<Reading>(), "the model, or what the paper's printed numbers follow")
        .optional("unloading", &Row::unloading, choice<Unloading>(),
                  "whether the normal spring stiffens when compression ends, or keeps its stiffness and stops early")
        .check({"reading", "unloading"}, check_unloading<Row>);
    add_pair_fields(fields);
    add_path(fields);
    return fields;
  }();
  return all;
}

/// A point of the path as rows tell it.
struct SpringPoint : PathPoint<3> {
  Eigen::Vector3d spring;
  Eigen::Vector2d spring_energy;
};

void turn(SpringPoint& point, const Eigen::Matrix3d& frame) {
  scenario::turn(static_cast<PathPoint<3>&>(point), frame);
  point.spring = frame * point.spring;
}

using Answer = PairAnswer<CompliantImpact, SpringPoint>;

Answer solve(const Row& row) {
  const auto problem = [&](const ContactSpace& space) {
    return CompliantProblem{space, row.material, row.stiffness_ratio_root, row.reading, row.unloading};
  };
  return pair_answer(
      row,
      [&](const Body& a, const Body& b, const Contact& contact) {
        return collide(a, b, contact, row.material,
                       TangentialSprings{row.stiffness_ratio_root, row.reading, row.unloading});
      },
      [&](const ContactSpace& space) { return compliant_impact(problem(space)); },
      [&](const ContactSpace& space, int count) {
        std::vector<SpringPoint> points;
        for (const CompliantPathPoint& p : even_path(problem(space), count))
          points.push_back({p, p.springs.length, {p.springs.energy.head<2>().sum(), p.springs.energy[2]}});
        return points;
      });
}

const Fields<Answer>& result() {
  static const Fields<Answer> all = [] {
    auto fields = pair_result<CompliantImpact, SpringPoint>();
    auto point = path_point<SpringPoint>();
    point
        .required("spring", &SpringPoint::spring, vector<3>(),
                  "lengths of the springs times the root of the normal stiffness [J^(1/2)]")
        .required("spring_energy", &SpringPoint::spring_energy, vector<2>(), "of the tangential ones and the normal one [J]");
    add_path_points(fields, point);
    return fields;
  }();
  return all;
}

}  // namespace

RowModel compliant_rows() { return row_model("compliant", problem(), solve, result()); }

}  // namespace carom::scenario
