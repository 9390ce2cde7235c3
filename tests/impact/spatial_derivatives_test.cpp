// Derivatives of the impulse against central differences.
#include <gtest/gtest.h>

#include "impact/spatial_cases.hpp"

namespace carom::testing {
namespace {

/// Central difference of the impulse, extrapolated once (error of order h^4).
template <class Change>
Eigen::Vector3d difference(const SpatialProblem& p, double h, const Change& change, bool& same) {
  const auto reference = spatial_outcome(p).process;
  const auto at = [&](double x) {
    SpatialProblem q = p;
    change(q, x);
    const auto r = spatial_outcome(q);
    same = same && r.process == reference;
    return r.impulse;
  };
  const Eigen::Vector3d wide = (at(2 * h) - at(-2 * h)) / (4 * h), narrow = (at(h) - at(-h)) / (2 * h);
  return (4 * narrow - wide) / 3;
}

TEST(SpatialDerivatives, MatchCentralDifferences) {
  SpatialCases cases(31);
  int compared = 0, outliers = 0;
  for (int i = 0; i < 3000; ++i) {
    SpatialProblem p = cases.next(i % 2 ? Family::bodies : Family::coupled);
    p.material.friction = std::max(p.material.friction, 0.02);
    p.material.restitution = cases.uniform(0.1, 0.9);
    if (p.space.velocity.head<2>().norm() < 0.05 || p.space.velocity[2] > -0.05) continue;
    const auto exact = spatial_derivatives(p);
    Eigen::Matrix<double, 3, 5> expected, got;
    got << exact.by_velocity, exact.by_friction, exact.by_restitution;
    const double h = 2e-4;
    bool same = true;
    for (int j = 0; j < 3; ++j)
      expected.col(j) = difference(
          p, h, [&](SpatialProblem& q, double x) { q.space.velocity[j] += x; }, same);
    expected.col(3) = difference(
        p, h, [](SpatialProblem& q, double x) { q.material.friction += x; }, same);
    expected.col(4) = difference(
        p, h, [](SpatialProblem& q, double x) { q.material.restitution += x; }, same);
    if (!same) continue;  // a change of mode within the difference
    ++compared;
    // The few whose third derivative is large (slip passing close to zero) are judged by the bulk, not one by one.
    if ((got - expected).norm() > 1e-6 * (expected.norm() + got.norm())) ++outliers;
  }
  EXPECT_GT(compared, 2000);
  EXPECT_LT(outliers, compared / 100);
}

TEST(SpatialDerivatives, WithoutFrictionAnswerToTheFirst) {
  SpatialCases cases(36);
  for (int i = 0; i < 300; ++i) {
    SpatialProblem p = cases.next(Family::coupled);
    p.material.friction = 0.0;
    p.material.restitution = cases.uniform(0.1, 0.9);
    if (p.space.velocity.head<2>().norm() < 0.05 || p.space.velocity[2] > -0.05) continue;
    SpatialProblem beside = p;
    beside.material.friction = 1e-7;
    const Eigen::Vector3d slope = (spatial_outcome(beside).impulse - spatial_outcome(p).impulse) / 1e-7;
    EXPECT_GT(slope.norm(), 0.0);
    EXPECT_LT((spatial_derivatives(p).by_friction - slope).norm(), 1e-4 * slope.norm()) << i;
  }
}

TEST(SpatialDerivatives, ObeyEulersRelation) {
  // The impulse is homogeneous of degree one in v, so I = (dI/dv) v: exact, no differences.
  // Slip that starts within 1e-12 of a repelling ray passes within 1e-10 of rest and turns away there: a rounding of
  // 1e-16 becomes 1e-6 of derivative, so that family is left out.
  SpatialCases cases(32);
  for (int i = 0; i < 5000; ++i) {
    const Family family = cases.family();
    const SpatialProblem p = cases.next(family);
    const auto r = spatial_derivatives(p);
    if (family == Family::near_invariant || r.outcome.verdict != Verdict::separated) continue;
    const double scale = r.outcome.impulse.norm() + r.by_velocity.norm() * p.space.velocity.norm();
    ASSERT_LE((r.by_velocity * p.space.velocity - r.outcome.impulse).norm(), 1e-11 * scale)
        << "case " << i << ' ' << name(r.outcome.process);
  }
}

TEST(SpatialDerivatives, StickingImpactHasItsClosedForm) {
  // Sticks throughout, Newton: I = W^-1 (v_after - v) with v_after = (0, 0, -e v_n), so dI/dv = W^-1
  // diag(-1,-1,-(1+e)).
  SpatialProblem p;
  p.space.inverse_inertia << 3, .2, .3, .2, 4, -.1, .3, -.1, 2;
  p.space.velocity << 0, 0, -1;
  p.material = {.9, .5};
  p.law = RestitutionLaw::newton;
  const auto r = spatial_derivatives(p);
  const Eigen::Matrix3d expected = p.space.inverse_inertia.inverse() * Eigen::Vector3d(-1, -1, -1.5).asDiagonal();
  EXPECT_LE((r.by_velocity - expected).norm(), 1e-14);
}

TEST(SpatialDerivatives, StraightSlipAnswersToItsNeighbours) {
  // On an invariant direction the neighbours curve: differences across it must agree.
  SpatialCases cases(33);
  int compared = 0;
  for (int i = 0; i < 300; ++i) {
    SpatialProblem p = cases.next(Family::bodies);
    p.material = {cases.uniform(0.1, 0.8), cases.uniform(0.2, 0.9)};
    const auto all = invariant_directions(p.space.inverse_inertia, p.material.friction);
    p.space.velocity.head<2>() = all.directions[static_cast<std::size_t>(i) % all.directions.size()].direction;
    p.space.velocity[2] = -0.5;
    if (spatial_outcome(p).process != SpatialCase::straight_slip) continue;
    const auto exact = spatial_derivatives(p);
    for (int j = 0; j < 2; ++j) {
      const double h = 1e-4;
      SpatialProblem a = p, b = p;
      a.space.velocity[j] += h;
      b.space.velocity[j] -= h;
      const Eigen::Vector3d expected = (spatial_outcome(a).impulse - spatial_outcome(b).impulse) / (2 * h);
      ASSERT_LE((exact.by_velocity.col(j) - expected).norm(), 1e-4 * exact.by_velocity.norm()) << "case " << i;
    }
    ++compared;
  }
  EXPECT_GT(compared, 30);
}

}  // namespace
}  // namespace carom::testing
