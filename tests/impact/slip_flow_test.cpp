// Slip over a given normal impulse, against whole impacts and differences.
#include "carom/impact/slip_flow.hpp"

#include <gtest/gtest.h>

#include "carom/core/error.hpp"

#include "impact/spatial_cases.hpp"

namespace carom::testing {
namespace {

TEST(SlipFlow, IsTheFirstHalfOfEveryImpact) {
  // With e = 0 an impact is the flow up to its own normal impulse; its energy ledger tells the normal work.
  SpatialCases cases(51);
  int compared = 0;
  for (int i = 0; i < 5000; ++i) {
    SpatialProblem p = cases.next(cases.family());
    p.material.restitution = 0.0;
    const SpatialImpact impact = spatial_impact(p);
    if (impact.verdict != Verdict::separated || impact.flags.has(Flag::ill_conditioned)) continue;
    const double in = impact.impulse[2];
    const SlipFlow flow = slip_flow(p.space.inverse_inertia, p.material.friction, p.space.velocity.head<2>(), in, true);
    const double scale = impact.impulse.norm();
    ASSERT_LE((flow.impulse - impact.impulse.head<2>()).norm(), 1e-10 * scale) << i;
    const double work = p.space.velocity[2] * in + flow.work;  // minus what compression took
    ASSERT_NEAR(-work, impact.energy.restitution_loss,
                1e-9 * (std::abs(p.space.velocity[2] * in) + std::abs(flow.work)))
        << i;
    ++compared;
  }
  EXPECT_GT(compared, 4000);
}

TEST(SlipFlow, DerivativeMatchesDifferences) {
  SpatialCases cases(52);
  int compared = 0, outliers = 0;
  for (int i = 0; i < 2000; ++i) {
    const SpatialProblem p = cases.next(i % 2 ? Family::bodies : Family::coupled);
    const Eigen::Matrix3d& w = p.space.inverse_inertia;
    const Eigen::Vector2d slip = p.space.velocity.head<2>();
    const double mu = std::max(p.material.friction, .02), in = cases.uniform(.05, 1.0);
    if (slip.norm() < .05) continue;
    const SlipFlow flow = slip_flow(w, mu, slip, in);
    const Eigen::Matrix2d exact = slip_flow_derivative(w, mu, slip, in, flow);
    Eigen::Matrix2d expected;
    bool same = true;
    for (int j = 0; j < 2; ++j) {
      const Eigen::Vector2d h = 1e-5 * Eigen::Vector2d::Unit(j);
      const SlipFlow ahead = slip_flow(w, mu, slip + h, in), behind = slip_flow(w, mu, slip - h, in);
      same = same && ahead.rested == flow.rested && behind.rested == flow.rested;
      expected.col(j) = (ahead.slip - behind.slip) / 2e-5;
    }
    if (!same) continue;
    ++compared;
    outliers += (exact - expected).norm() > 1e-5 * (1.0 + expected.norm());
  }
  EXPECT_GT(compared, 1500);
  EXPECT_LT(outliers, compared / 50);
}

TEST(SlipFlow, DerivativeOnARay) {
  SpatialCases cases(53);
  for (int i = 0; i < 200; ++i) {
    const Eigen::Matrix3d w = cases.physical_w();
    const double mu = cases.uniform(.1, .8), in = .02;
    const auto all = invariant_directions(w, mu);
    const Eigen::Vector2d slip = all.directions[static_cast<std::size_t>(i) % all.directions.size()].direction;
    const Eigen::Matrix2d exact = slip_flow_derivative(w, mu, slip, in, slip_flow(w, mu, slip, in));
    for (int j = 0; j < 2; ++j) {
      const Eigen::Vector2d h = 1e-4 * Eigen::Vector2d::Unit(j);
      const Eigen::Vector2d expected =
          (slip_flow(w, mu, slip + h, in).slip - slip_flow(w, mu, slip - h, in).slip) / 2e-4;
      ASSERT_LE((exact.col(j) - expected).norm(), 1e-6) << i;
    }
  }
}

TEST(SlipFlow, RefusesWhatMakesNoSense) {
  const Eigen::Matrix3d w = Eigen::Matrix3d::Identity();
  EXPECT_THROW(slip_flow(w, -1, {1, 0}, 1), InvalidInput);
  EXPECT_THROW(slip_flow(w, .5, {NAN, 0}, 1), InvalidInput);
  EXPECT_THROW(slip_flow(w, .5, {1, 0}, -1), InvalidInput);
  EXPECT_THROW(slip_flow(-w, .5, {1, 0}, 1), InvalidInput);
  EXPECT_EQ(slip_flow(w, .5, {1, 0}, 0).slip[0], 1.0);
}

}  // namespace
}  // namespace carom::testing
