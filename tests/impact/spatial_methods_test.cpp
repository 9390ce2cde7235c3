// The text's own ways of computing an impact: they do what it prints, and tend to what is exact. Numbers called
// `measured` were computed independently (another program, Euler steps of 1e-6 where it says truth).
#include "carom/impact/spatial_methods.hpp"

#include <gtest/gtest.h>

#include "carom/core/error.hpp"
#include "carom/impact/impulse_space.hpp"

#include "impact/spatial_cases.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

/// Wang 2017, eq. 2.12, as printed.
Eigen::Matrix3d printed_w() {
  Eigen::Matrix3d w;
  w << 11.5984, -0.910367, 2.44236, -0.910367, 9.90134, 1.95747, 2.44236, 1.95747, 2.59042;
  return w;
}
SpatialProblem icosahedron(double mu = 0.8, const Vector3d& v = {-0.26197634, 0.38632873, -0.07717452}) {
  return {{printed_w(), v}, {.friction = mu, .restitution = 0.95}, RestitutionLaw::energetic};
}
/// Section 2.6.4.
SpatialProblem pin() {
  Eigen::Matrix3d w;
  w << 1.55465, 0.00238675, -0.360808, 0.00238675, 5.15191, -0.00313296, -0.360808, -0.00313296, 1.105;
  return {{w, {-0.2069135, 0.1102884, -1.5068927}}, {.friction = 0.7, .restitution = 0.7}, RestitutionLaw::energetic};
}

// Figures 2.5, 2.8 and 2.12: the exact case and the one at the tolerance of .08; with where slip counts as straight.
TEST(SpatialWithinTolerance, CasesOfTheFigures) {
  using Case = SpatialCase;
  struct Row {
    const char* figure;
    double mu;
    Vector3d v;
    Case exact, within;
    double straight_from;  // measured; 0: not known
  };
  const Row rows[] = {
      {"2.5a",
       .8,
       {-.26197634, .38632873, -.07717452},
       Case::slip_ends_in_restitution,
       Case::late_straight_ends,
       .0682115969100755},
      {"2.5b",
       .4,
       {-.26197634, .38632873, -.82717452},
       Case::slip_ends_in_compression,
       Case::straight_ends_in_compression,
       0},
      {"2.5c", .25, {-.26197634, .38632873, -.82717452}, Case::curved_slip, Case::late_straight_slip, 0},
      {"2.5d",
       3.,
       {-.26197634, .38632873, -.52717452},
       Case::slip_ends_in_compression,
       Case::straight_ends_in_compression,
       0},
      {"2.8", .25, {-.86197634, -.46367127, -1.52717452}, Case::curved_slip, Case::straight_ends_in_compression, 0},
      {"2.12a",
       .35,
       {-.26197634, .38632873, -.82717452},
       Case::slip_ends_in_restitution,
       Case::straight_ends_in_restitution,
       .333796},
      {"2.12b", .25, {-.26197634, .38632873, -2.02717452}, Case::curved_slip, Case::straight_slip, .592247},
      {"2.12c",
       .55,
       {-.26197634, .38632873, -.12717452},
       Case::slip_ends_in_restitution,
       Case::late_straight_ends,
       .119859},
  };
  for (const Row& row : rows) {
    const SpatialProblem problem = icosahedron(row.mu, row.v);
    EXPECT_EQ(spatial_impact(problem).process, row.exact) << row.figure;
    const SpatialWithin within = spatial_within(problem);
    EXPECT_EQ(within.process, row.within) << row.figure;
    ASSERT_TRUE(within.straight_from) << row.figure;
    if (row.straight_from == 0) continue;
    EXPECT_NEAR(within.straight_from->impulse[2], row.straight_from, 2e-6) << row.figure;
  }
  // Figure 2.8 starts within the tolerance of a ray (its sine is .0464): slip counts as straight from first touch, so
  // it comes to rest and resumes, as the text has it, where it really turns at .00439 m/s.
  const SpatialProblem figure_2_8 = icosahedron(.25, {-.86197634, -.46367127, -1.52717452});
  EXPECT_EQ(spatial_within(figure_2_8).straight_from->impulse[2], 0.0);
  const SteppedImpact text = stepped_impact(figure_2_8, StepMethod::fs);
  EXPECT_EQ(text.steps, 0);
  EXPECT_LE((text.impulse - Vector3d(-.17958829851, -.182031031543, 1.368842266264)).norm(), 1e-9);  // measured
}

// With a tolerance that goes to zero the exact impact is left.
TEST(SpatialWithinTolerance, TendsToTheExactImpact) {
  testing::SpatialCases cases(31);
  int straight = 0, coarse = 0;
  for (int i = 0; i < 1000; ++i) {
    const SpatialProblem problem = cases.next(testing::Family::bodies);
    const Vector3d exact = spatial_outcome(problem).impulse;
    const SpatialWithin loose = spatial_within(problem), tight = spatial_within(problem, 1e-9);
    straight += loose.straight_from.has_value();
    coarse += (loose.impulse - exact).norm() > 1e-4 * exact.norm();
    EXPECT_LE((tight.impulse - exact).norm(), 2e-7 * exact.norm()) << i;
  }
  EXPECT_GT(straight, 200);
  EXPECT_GT(coarse, 100);
}

// Table 2.1: steps counted and errors, of the icosahedron against the impulse printed as true, (2.14).
TEST(SteppedImpacts, TableOfTheText) {
  const Vector3d printed_ico(-0.00326657, -0.0592263, 0.1007), printed_pin(0.7330654, -0.0216048, 2.585018);
  const SpatialProblem ico = icosahedron(), bowling = pin();
  // (2.14) itself is the plain integration: 106 steps of .00095, and all its digits.
  const SteppedImpact ni = stepped_impact(ico, StepMethod::ni, {.step = 0.00095});
  EXPECT_EQ(ni.steps, 106);
  EXPECT_LE((ni.impulse - printed_ico).norm(), 5e-7);
  EXPECT_NEAR((ni.impulse - spatial_impact(ico).impulse).norm(), 0.0005365599, 5e-7);  // measured from (2.14)
  // Truth of the icosahedron, measured with steps of 1e-6; its distance from NI and FS is printed.
  const SteppedImpact truth = stepped_impact(ico, StepMethod::fs, {.step = 1e-6});
  EXPECT_EQ(truth.steps, 68211);  // 68212 printed: all of its counts are one more
  EXPECT_LE((truth.impulse - Vector3d(-0.003457691851, -0.059627219828, 0.101458171578)).norm(), 2e-6);
  EXPECT_NEAR((ni.impulse - truth.impulse).norm(), 0.000877, 5e-7);
  const SteppedImpact fs = stepped_impact(ico, StepMethod::fs, {.step = 0.001});
  EXPECT_EQ(fs.steps, 68);
  EXPECT_NEAR((fs.impulse - truth.impulse).norm(), 0.00108669, 1e-8);
  EXPECT_NEAR((fs.impulse - spatial_impact(ico).impulse).norm(), 0.0008028961919874877, 1e-9);  // measured
  const SteppedImpact vs = stepped_impact(ico, StepMethod::vs);
  EXPECT_EQ(vs.steps, 65);  // 29 printed; no reading of (2.33) gives that
  EXPECT_NEAR((vs.impulse - truth.impulse).norm(), 0.0012526085388954208, 2e-6);  // measured

  const SteppedImpact pin_truth = stepped_impact(bowling, StepMethod::fs, {.step = 1e-6});
  EXPECT_EQ(pin_truth.steps, 165071);
  EXPECT_LE((pin_truth.impulse - printed_pin).norm(), 2e-7);  // all digits printed
  const SteppedImpact pin_ni = stepped_impact(bowling, StepMethod::ni, {.step = 0.001});
  EXPECT_EQ(pin_ni.steps, 2585);
  EXPECT_NEAR((pin_ni.impulse - pin_truth.impulse).norm(), 0.00143, 5e-6);
  const SteppedImpact pin_fs = stepped_impact(bowling, StepMethod::fs, {.step = 0.002});
  EXPECT_EQ(pin_fs.steps, 82);
  EXPECT_NEAR((pin_fs.impulse - spatial_impact(bowling).impulse).norm(), 0.001371471213352529, 1e-9);  // measured
  const SteppedImpact pin_vs = stepped_impact(bowling, StepMethod::vs);
  EXPECT_EQ(pin_vs.steps, 28);
  EXPECT_NEAR((pin_vs.impulse - spatial_impact(bowling).impulse).norm(), 0.001387530987528082, 1e-9);  // measured
  // With the work of a step reckoned from its middle, the printed errors of pin and ball follow.
  const StepSettings middle{.step = 0.002, .energy = StepEnergy::middle};
  EXPECT_NEAR((stepped_impact(bowling, StepMethod::fs, middle).impulse - printed_pin).norm(), 6.0469e-5, 2e-7);
  EXPECT_NEAR((stepped_impact(bowling, StepMethod::vs, middle).impulse - printed_pin).norm(), 5.70441e-5, 2e-7);
}

// NI is of first order and tends to the exact impulse; FS and VS stop at what their tolerance leaves.
TEST(SteppedImpacts, ErrorsFallWithTheStep) {
  testing::SpatialCases cases(32);
  for (int i = 0; i < 60; ++i) {
    SpatialProblem problem = cases.next(testing::Family::bodies);
    problem.law = RestitutionLaw::energetic;
    const Vector3d exact = spatial_outcome(problem).impulse;
    double error[2];
    for (int k = 0; k < 2; ++k) {
      const SteppedImpact stepped =
          stepped_impact(problem, StepMethod::ni, {.step = exact[2] / (k == 0 ? 400 : 40'000)});
      EXPECT_EQ(stepped.verdict, Verdict::separated);
      error[k] = (stepped.impulse - exact).norm() / exact.norm();
    }
    EXPECT_LE(error[1], std::max(0.1 * error[0], 1e-4)) << i;
    EXPECT_LE(error[1], 2e-3) << i;
    const StepSettings fine{.step = exact[2] / 40'000, .sine = 1e-3};
    EXPECT_LE((stepped_impact(problem, StepMethod::fs, fine).impulse - exact).norm(), 5e-3 * exact.norm()) << i;
  }
}

// The steps start at first touch, are as many as are counted, and those of VS are as long as (2.32) makes them.
TEST(SteppedImpacts, PathOfTheSteps) {
  const auto path = stepped_path(icosahedron(), StepMethod::vs);
  ASSERT_EQ(path.size(), 66u);
  EXPECT_EQ(path.front().velocity, icosahedron().space.velocity);
  for (std::size_t k = 0; k + 1 < path.size(); ++k) {
    const Eigen::Vector2d slip = path[k].velocity.head<2>(), step = path[k + 1].velocity.head<2>() - slip;
    const double curvature = std::abs(hodograph_curvature(printed_w(), 0.8, slip));
    EXPECT_NEAR(step.norm(), std::min(slip.norm(), 0.5 * 0.01 + 0.5 * 0.01 / curvature), 1e-12) << k;
  }
  EXPECT_EQ(stepped_path(icosahedron(), StepMethod::ni, {.step = 1e-6}, 7).size(), 7u);
  // (2.33) at first touch; from differences of the exact path -.65227140, as printed -.0315.
  EXPECT_NEAR(hodograph_curvature(printed_w(), 0.8, icosahedron().space.velocity.head<2>()), -0.6522714042446774,
              1e-12);
}

TEST(SteppedImpacts, LimitsAndMistakes) {
  SpatialProblem problem = icosahedron();
  problem.space.velocity[2] = 0.1;
  EXPECT_EQ(stepped_impact(problem, StepMethod::fs).verdict, Verdict::no_impact);
  EXPECT_EQ(stepped_impact(icosahedron(), StepMethod::ni, {.step = 1e-9}).verdict, Verdict::event_limit);
  // From rest: stick in closed form, exact.
  problem.space.velocity = {0.0, 0.0, -1.0};
  EXPECT_LE((stepped_impact(problem, StepMethod::vs).impulse - spatial_impact(problem).impulse).norm(), 1e-13);
  problem.material.friction = 0.2;  // too little to hold it
  EXPECT_LE((stepped_impact(problem, StepMethod::vs).impulse - spatial_impact(problem).impulse).norm(), 1e-13);
  const auto field = [&](const StepSettings& settings) -> std::string {
    try {
      stepped_impact(problem, StepMethod::vs, settings);
    } catch (const InvalidInput& error) {
      return error.field() + ": " + error.message();
    }
    return "accepted";
  };
  EXPECT_EQ(field({.step = 0.0}), "step: must be positive and finite, got 0");
  EXPECT_EQ(field({.blend = 1.0}), "blend: must be in (0, 1), got 1");
  EXPECT_EQ(field({.arc = -1.0}), "arc: must be positive and finite, got -1");
  EXPECT_EQ(field({.angle = 0.0}), "angle: must be positive and finite, got 0");
  EXPECT_EQ(field({.sine = 0.0}), "sine: must be in (0, 1), got 0");
  problem.law = RestitutionLaw::newton;
  EXPECT_EQ(field({}), "law: must be energetic: the text's methods know no other, got newton");
}

// (2.16), printed W and physical W (docs/theory/spatial.md); and figure 2.5d, which breaks it.
TEST(JambMargin, OfTheText) {
  Eigen::Matrix3d w = printed_w();
  EXPECT_NEAR(jamb_margin(w, 0.8), 0.08643135203851182, 1e-11);
  EXPECT_NEAR(jamb_margin(w, 3.0), -6.7995374298555795, 2e-11);
  EXPECT_NEAR(jamb_friction(w), 0.8276139756812001, 1e-12);
  EXPECT_NEAR(critical_friction(w), 0.3157003115569033, 1e-12);
  w << 10.715322113679, 0.498575498575, 2.592592592593, 0.498575498575, 10.715322113679, 2.592592592593, 2.592592592593,
      2.592592592593, 2.814814814815;
  EXPECT_NEAR(jamb_margin(w, 0.8), -0.11836887010715991, 1e-11);
  EXPECT_NEAR(jamb_friction(w), 0.7677159338596803, 1e-12);
  EXPECT_EQ(jamb_friction(Eigen::Matrix3d::Identity()), INFINITY);
}

}  // namespace
}  // namespace carom
