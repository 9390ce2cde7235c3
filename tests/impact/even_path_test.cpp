// Points inside an impact: momentum and energy balance at each of them, and they lie on the path.
#include "carom/impact/even_path.hpp"

#include <gtest/gtest.h>

#include "carom/core/error.hpp"
#include "carom/impact/impact_class.hpp"
#include "carom/impact/slip_flow.hpp"

#include "impact/planar_random.hpp"
#include "impact/spatial_cases.hpp"

namespace carom {
namespace {

// The plane, by hand: W = 1, no coupling, v = (1, -1), mu = .5, e = 1 (energetic). Slip falls at .5 per unit of normal
// impulse and never ends: at I_n = 2 it is 0 just when v_n = 1. At I_n = x: I_t = -x/2, v = (1 - x/2, x - 1), normal
// work x^2/2 - x, friction loss .5 (x - x^2/4).
TEST(EvenPath, PlanarByHand) {
  PlanarProblem problem;
  problem.space.inverse_inertia.setIdentity();
  problem.space.velocity = {1.0, -1.0};
  problem.material = {.friction = 0.5, .restitution = 1.0};
  const auto path = even_path(problem, 9);
  ASSERT_EQ(path.size(), 9U);
  for (std::size_t k = 0; k < 9; ++k) {
    const double x = 0.25 * static_cast<double>(k);
    EXPECT_TRUE(path[k].impulse.isApprox(Eigen::Vector2d(-0.5 * x, x), 1e-15) || x == 0.0);
    EXPECT_NEAR(path[k].velocity[0], 1.0 - 0.5 * x, 1e-15);
    EXPECT_NEAR(path[k].velocity[1], x - 1.0, 1e-15);
    EXPECT_NEAR(path[k].normal_work, 0.5 * x * x - x, 1e-15);
    EXPECT_NEAR(path[k].friction_loss, 0.5 * (x - 0.25 * x * x), 1e-15);
  }
}

// Straight slip in space that ends at I_n = 1 in the middle of a piece, and stick after it, by hand: W = 1, mu = 1,
// v = (.6, .8, -2), e = 1: |gamma| = 1 - x, then 0; friction takes x - x^2/2, at most 1/2; v_n = x - 2.
TEST(EvenPath, SpatialByHand) {
  SpatialProblem problem;
  problem.space.inverse_inertia.setIdentity();
  problem.space.velocity = {0.6, 0.8, -2.0};
  problem.material = {.friction = 1.0, .restitution = 1.0};
  const auto path = even_path(problem, 17);
  ASSERT_EQ(path.size(), 17U);
  for (std::size_t k = 0; k < 17; ++k) {
    const double x = 0.25 * static_cast<double>(k), slipped = std::min(x, 1.0);
    EXPECT_NEAR(path[k].impulse[2], x, 1e-15);
    EXPECT_NEAR((path[k].impulse.head<2>() + slipped * Eigen::Vector2d(0.6, 0.8)).norm(), 0.0, 1e-15);
    EXPECT_NEAR((path[k].velocity - Eigen::Vector3d(0.6 * (1 - slipped), 0.8 * (1 - slipped), x - 2.0)).norm(), 0.0,
                2e-15);
    EXPECT_NEAR(path[k].normal_work, 0.5 * x * x - 2.0 * x, 4e-15);
    EXPECT_NEAR(path[k].friction_loss, slipped - 0.5 * slipped * slipped, 1e-15);
  }
}

/// What holds at every point of every impact: v = v0 + W I; what the bodies lose is what normal impulse and friction
/// took; normal impulses are even; friction stays in its cone; at the end stands the answer.
template <int N, class Problem, class Impact>
void expect_a_path(const Problem& problem, const Impact& impact, double allowed) {
  const int points = 13;
  const auto path = even_path(problem, points);
  if (impact.verdict == Verdict::no_impact) {
    EXPECT_TRUE(path.empty());
    return;
  }
  ASSERT_EQ(path.size(), static_cast<std::size_t>(points));
  const Eigen::Matrix<double, N, N> W = problem.space.inverse_inertia;
  const auto energy = [&](const Eigen::Matrix<double, N, 1>& v) {
    const Eigen::Matrix<double, N, 1> momentum = W.llt().solve(v);
    return 0.5 * v.dot(momentum);
  };
  const Eigen::Matrix<double, N, 1> v0 = problem.space.velocity;
  const double before = energy(v0), size = impact.impulse.norm(), speed = v0.norm() + (W * impact.impulse).norm();
  EXPECT_EQ((path.front().velocity - v0).norm(), 0.0);
  EXPECT_EQ(path.back().impulse, impact.impulse);
  EXPECT_EQ(path.back().velocity, impact.velocity_after);
  EXPECT_NEAR(path.back().normal_work, -impact.energy.restitution_loss, allowed * before);
  EXPECT_NEAR(path.back().friction_loss, impact.energy.friction_loss, allowed * before);
  for (std::size_t k = 0; k < path.size(); ++k) {
    const auto& p = path[k];
    EXPECT_NEAR(p.impulse[N - 1], impact.impulse[N - 1] * static_cast<double>(k) / (points - 1), allowed * size);
    EXPECT_LE((p.velocity - (v0 + W * p.impulse)).norm(), allowed * speed);
    EXPECT_NEAR(energy(p.velocity) - before, p.normal_work - p.friction_loss,
                10.0 * allowed * (before + energy(p.velocity)));
    if (k == 0) continue;
    const auto& q = path[k - 1];
    const double cone = problem.material.friction * (p.impulse[N - 1] - q.impulse[N - 1]);
    EXPECT_LE((p.impulse - q.impulse).template head<N - 1>().norm(), cone + allowed * size);
    EXPECT_GE(p.friction_loss, q.friction_loss - allowed * before);
  }
}

TEST(EvenPath, PlanarBalancesEverywhere) {
  std::mt19937_64 random(20);
  constexpr std::array laws = {RestitutionLaw::newton, RestitutionLaw::poisson, RestitutionLaw::energetic};
  for (std::size_t i = 0; i < 3000; ++i) {
    const PlanarProblem problem = testing::random_planar_problem(random, laws[i % 3]);
    SCOPED_TRACE(i);
    expect_a_path<2>(problem, planar_impact(problem), 1e-11);
    if (HasFailure()) return;
  }
}

TEST(EvenPath, SpatialBalancesEverywhere) {
  testing::SpatialCases cases(21);
  for (int i = 0; i < 3000; ++i) {
    const SpatialProblem problem = cases.next();
    const SpatialImpact impact = spatial_impact(problem);
    if (impact.flags.has(Flag::ill_conditioned)) continue;
    SCOPED_TRACE(i);
    expect_a_path<3>(problem, impact, 1e-10);
    if (HasFailure()) return;
  }
}

// Slip alone does not know when the impact ends: its flow up to the normal impulse of a point must lead to that point.
TEST(EvenPath, PointsLieOnTheFlowOfSlip) {
  testing::SpatialCases cases(22);
  int compared = 0;
  for (int i = 0; i < 500; ++i) {
    const SpatialProblem problem = cases.next(testing::Family::bodies);
    for (const PathPoint<3>& point : even_path(problem, 7)) {
      const SlipFlow flow = slip_flow(problem.space.inverse_inertia, problem.material.friction,
                                      problem.space.velocity.head<2>(), point.impulse[2], false);
      EXPECT_LE((flow.slip - point.velocity.head<2>()).norm(), 1e-10 * problem.space.velocity.norm()) << i;
      EXPECT_LE((flow.impulse - point.impulse.head<2>()).norm(), 1e-10 * (1e-3 + point.impulse.norm())) << i;
      ++compared;
    }
  }
  EXPECT_GT(compared, 3000);
}

TEST(EvenPath, NamesWhatIsWrong) {
  SpatialProblem problem;
  problem.space.inverse_inertia.setIdentity();
  problem.space.velocity = {0.0, 0.0, -1.0};
  for (const int points : {1, 10001}) {
    try {
      even_path(problem, points);
      FAIL();
    } catch (const InvalidInput& error) {
      EXPECT_EQ(error.field(), "points");
      EXPECT_EQ(error.message(), "must be in [2, 10000], got " + std::to_string(points));
    }
  }
  EXPECT_EQ(even_path(problem, 2).size(), 2U);
}

// Jia 2012, theorem 2: by hand.
TEST(ImpactClassOf, ByHand) {
  ContactSpace space;
  space.inverse_inertia.setIdentity();
  space.velocity = {0.0, 0.0, -1.0};
  EXPECT_EQ(impact_class(space), ImpactClass::direct);
  space.velocity = {1e-13, 0.0, -1.0};
  EXPECT_EQ(impact_class(space), ImpactClass::direct);
  space.velocity = {1e-11, 0.0, -1.0};
  EXPECT_EQ(impact_class(space), ImpactClass::planar);
  space.velocity = {0.0, 0.0, -1.0};
  space.inverse_inertia << 1.0, 0.0, 0.3, 0.0, 2.0, 0.0, 0.3, 0.0, 1.0;
  EXPECT_EQ(impact_class(space), ImpactClass::planar);  // u along W_tn
  space.velocity = {1.0, 0.0, -1.0};
  EXPECT_EQ(impact_class(space), ImpactClass::planar);
  space.velocity = {0.0, 1.0, -1.0};
  EXPECT_EQ(impact_class(space), ImpactClass::spatial);  // W_nw
  space.inverse_inertia(0, 2) = space.inverse_inertia(2, 0) = 0.0;
  EXPECT_EQ(impact_class(space), ImpactClass::planar);
  space.velocity = {1.0, 1.0, -1.0};
  EXPECT_EQ(impact_class(space), ImpactClass::spatial);  // W_uw = 1/2
}

// A planar impact never leaves its plane, a spatial one does unless slip has no time to turn.
TEST(ImpactClassOf, PlanarOnesStayInTheirPlane) {
  testing::SpatialCases cases(23);
  int planar = 0, spatial = 0, left = 0;
  for (int i = 0; i < 2000; ++i) {
    SpatialProblem problem = cases.next(testing::Family::bodies);
    Eigen::Matrix3d& w = problem.space.inverse_inertia;
    const bool flat = i % 2 == 0;
    if (flat) {  // nothing across the first axis
      w(0, 1) = w(1, 0) = w(1, 2) = w(2, 1) = problem.space.velocity[1] = 0.0;
    }
    const ImpactClass found = impact_class(problem.space);
    EXPECT_EQ(found, flat ? ImpactClass::planar : ImpactClass::spatial);
    (flat ? planar : spatial) += 1;
    const SpatialOutcome outcome = spatial_outcome(problem);
    if (flat)
      EXPECT_EQ(outcome.impulse[1], 0.0);
    else
      left += outcome.impulse[1] != 0.0;
  }
  EXPECT_EQ(planar, 1000);
  EXPECT_GT(left, 900);
}

}  // namespace
}  // namespace carom
