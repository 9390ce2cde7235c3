#include "carom/soft/single_tetrahedron.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "carom/core/error.hpp"
#include "carom/soft/rest_shape.hpp"

#include "bodies.hpp"

namespace carom {
namespace {

SingleTetrahedron of_section_6_3_2(double density = 1e3, double scale = 1.0) {
  return {5e3, 0.3, density, 9.8, 2 * std::sqrt(2.0) / 40, scale};
}

TEST(SingleTetrahedron, BoundAndFixedPoint) {
  const TetrahedronTheory correct = tetrahedron_theory(of_section_6_3_2());
  EXPECT_NEAR(correct.density_bound, 38852.0209443, 1e-6);
  EXPECT_NEAR(correct.slope, 0.0257386868352, 1e-13);
  EXPECT_NEAR(correct.displacement, -0.00186808197699, 1e-14);
  const TetrahedronTheory half = tetrahedron_theory(of_section_6_3_2(1e3, 0.5));
  EXPECT_NEAR(half.density_bound, 19426.0, 0.5);  // eq. 6.39 as printed
  EXPECT_NEAR(half.displacement, -0.00383754683226, 1e-14);
  EXPECT_TRUE(std::isnan(tetrahedron_theory(of_section_6_3_2(4e4)).displacement));
  // The printed w1 = -.00435467 is the sixth iterate of t <- c (1 + t)^3 with half K.
  double w = 0.0;
  for (int k = 0; k < 6; ++k) w = tetrahedron_step(of_section_6_3_2(1e3, 0.5), 1.0, w, TetrahedronMap::frozen_volume);
  EXPECT_NEAR(w, -0.00435467, 5e-9);
}

/// Table 6.3: dampings 1 and .5. Its counts are those of the frozen volume with half K, but for one (4 where it is 3)
/// and a density (1e4 for 1e3).
TEST(SingleTetrahedron, Table63) {
  struct Row {
    double density;
    int correct[2], half[2], frozen[2];
  };
  for (const Row& row : {Row{1e2, {2, 9}, {3, 10}, {3, 10}}, Row{5e2, {3, 12}, {4, 13}, {4, 14}},
                         Row{1e3, {4, 13}, {4, 14}, {6, 17}}, Row{2e3, {4, 14}, {5, 16}, {11, 27}}})
    for (int k = 0; k < 2; ++k) {
      const double damping = k == 0 ? 1.0 : 0.5;
      const SingleTetrahedron correct = of_section_6_3_2(row.density), half = of_section_6_3_2(row.density, 0.5);
      EXPECT_EQ(tetrahedron_iterations(correct, damping), row.correct[k]) << row.density;
      EXPECT_EQ(tetrahedron_iterations(half, damping), row.half[k]) << row.density;
      EXPECT_EQ(tetrahedron_iterations(half, damping, 1e-6, TetrahedronMap::frozen_volume), row.frozen[k])
          << row.density;
    }
  EXPECT_EQ(tetrahedron_iterations(of_section_6_3_2(1e4), 1.0), 9);
  EXPECT_EQ(tetrahedron_iterations(of_section_6_3_2(4e4), 1.0), -1);
}

TEST(SingleTetrahedron, IsWhatTheMeshSolverFinds) {
  RestShapeProblem problem;
  problem.body = test::single_tetrahedron();
  problem.tolerance = 1e-13;
  for (const double density : {100.0, 1e3, 5e3, 1e4}) {
    problem.body.density = density;
    const double expected = tetrahedron_theory(of_section_6_3_2(density)).displacement;
    EXPECT_NEAR(rest_shape(problem).displacement[0].z(), expected, 1e-12 * std::abs(expected));
  }
}

TEST(SingleTetrahedron, BadInput) {
  EXPECT_THROW(tetrahedron_theory({}), InvalidInput);
  EXPECT_THROW(tetrahedron_iterations(of_section_6_3_2(), 0.0), InvalidInput);
  EXPECT_THROW(tetrahedron_iterations(of_section_6_3_2(), 1.0, 0.0), InvalidInput);
}

}  // namespace
}  // namespace carom
