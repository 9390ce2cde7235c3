#include "carom/impact/multipoint.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>
#include <numbers>

#include "carom/core/error.hpp"
#include "carom/core/linear_algebra.hpp"
#include "carom/impact/planar.hpp"

#include "impact/multipoint_random.hpp"
#include "impact/planar_random.hpp"

namespace carom {
namespace {

using testing::corner, testing::landing_box, testing::planar_rows, testing::random_planar_multipoint;

constexpr double g = 9.81;
/// The thesis's three throws: centre at height h, sideways speed vx; the fall is h - R with R = 0.5.
MultipointProblem thrown(double vx, double height, double mu_s = 0.5, double mu_d = 0.25) {
  return corner(vx, -std::sqrt(2 * g * (height - 0.5)), 0.5, mu_s, mu_d);
}
const MultipointProblem case_1 = thrown(4, 5), case_2 = thrown(8, 1.5), case_3 = thrown(4, 1.5);

MultipointSolution examined(MultipointProblem problem, int contact) {
  problem.examine = contact;
  const MultipointImpact impact = multipoint_rodriguez(problem);
  EXPECT_EQ(impact.solutions.size(), 1u);
  EXPECT_EQ(impact.solutions.at(0).examined, contact);
  return impact.solutions.at(0);
}

/// J p, as a stacked vector.
Eigen::VectorXd stacked(const Eigen::MatrixXd& impulses) { return impulses.reshaped(); }

/// Momentum balance A dq = J^T p, relative to the momentum exchanged.
void expect_balance(const MultipointProblem& problem, const Eigen::VectorXd& velocity, const Eigen::MatrixXd& impulses,
                    double accuracy = 1e-12) {
  const Eigen::VectorXd change = problem.mass_matrix * (velocity - problem.velocity);
  const Eigen::VectorXd p = stacked(impulses);
  EXPECT_LE((problem.jacobian.transpose() * p - change).norm(), accuracy * (1e-3 + p.norm() + change.norm()));
}

/// Largest |p_t| / p_n; infinite if a contact pulls or rubs without pressure.
double friction_of(const Eigen::MatrixXd& impulses) {
  const double size = impulses.norm();
  double mu = 0.0;
  for (const auto& p : impulses.colwise()) {
    const double n = p[p.size() - 1], t = p.head(p.size() - 1).norm();
    if (n < -1e-10 * size) return INFINITY;
    if (t > 1e-10 * size) mu = std::max(mu, t / n);
  }
  return mu;
}

// Numbers of the sheet: omega and kinetic energy after, for the values that reproduce the thesis's statements.
TEST(MultipointCorner, ThesisCase1WallExamined) {
  EXPECT_NEAR(case_1.velocity[1], -9.396276, 5e-7);
  const MultipointSolution s = examined(case_1, 1);
  EXPECT_NEAR(s.velocity[2], -7.811172, 5e-7);
  EXPECT_NEAR(s.energy.before, 52.145, 5e-4);
  EXPECT_NEAR(s.energy.after, 16.850, 5e-4);
  EXPECT_EQ(s.status, MultipointStatus::slip_boundary);  // the thesis: v_t can approach zero but not reach it
  EXPECT_EQ(s.impulses(1, 1), 0.0);
  EXPECT_TRUE(s.sticking.empty());
  EXPECT_FALSE(s.flags.has(Flag::energy_gain));
}

TEST(MultipointCorner, ThesisCase2GroundExamined) {
  EXPECT_NEAR(case_2.velocity[1], -4.429447, 5e-7);
  const MultipointSolution s = examined(case_2, 0);
  EXPECT_NEAR(s.velocity[2], 8.0, 1e-13);
  EXPECT_NEAR(s.energy.before, 41.8, 0.05);
  EXPECT_NEAR(s.energy.after, 14.5, 0.05);
  EXPECT_EQ(s.status, MultipointStatus::stick);
  EXPECT_EQ(s.sticking, std::vector{0});
}

TEST(MultipointCorner, ThesisCase3BothExamined) {
  const MultipointImpact impact = multipoint_rodriguez(case_3);
  ASSERT_EQ(impact.solutions.size(), 2u);
  EXPECT_TRUE(impact.exhaustive);
  const MultipointSolution &ground = impact.solutions[0], &wall = impact.solutions[1];
  EXPECT_EQ(ground.examined, 0);
  EXPECT_EQ(wall.examined, 1);
  EXPECT_NEAR(ground.velocity[2], 4.0, 1e-13);
  EXPECT_NEAR(wall.velocity[2], -4.43, 5e-3);
  EXPECT_NEAR(ground.energy.before, 17.8, 0.05);
  EXPECT_NEAR(ground.energy.after, 5.45, 5e-3);
  EXPECT_NEAR(wall.energy.after, 5.68, 5e-3);
  EXPECT_EQ(wall.sticking, std::vector{1});
}

// The same three with mu_s = mu_d = .25 as a complementarity problem; the answer is unique.
TEST(MultipointCorner, ComplementarityColumn) {
  const auto spin = [](double vx, double height) {
    const MultipointImpact impact = multipoint_lcp(thrown(vx, height, 0.25, 0.25));
    EXPECT_EQ(impact.solutions.size(), 1u);
    EXPECT_TRUE(impact.exhaustive);
    EXPECT_TRUE(impact.solutions.at(0).coulomb_met);
    EXPECT_FALSE(impact.solutions.at(0).examined.has_value());
    return impact.solutions.at(0).velocity[2];
  };
  EXPECT_NEAR(spin(4, 5), 4.0, 1e-12);
  EXPECT_NEAR(spin(8, 1.5), -4.28, 5e-3);
  EXPECT_NEAR(spin(4, 1.5), 0.515, 5e-4);
}

TEST(MultipointCorner, At45DegreesMirrorImages) {
  const MultipointImpact impact = multipoint_rodriguez(corner(4, -4, 0.5, 0.5, 0.25));
  ASSERT_EQ(impact.solutions.size(), 2u);
  const MultipointSolution &ground = impact.solutions[0], &wall = impact.solutions[1];
  EXPECT_NEAR(ground.velocity[2], 4.0, 1e-13);
  EXPECT_NEAR(wall.velocity[2], -4.0, 1e-13);
  EXPECT_NEAR(ground.required_friction.value(), wall.required_friction.value(), 1e-9);
  // Mirror at the diagonal: contacts swap, tangentials change sign.
  EXPECT_NEAR(ground.impulses(0, 0), -wall.impulses(0, 1), 1e-12);
  EXPECT_NEAR(ground.impulses(1, 0), wall.impulses(1, 1), 1e-12);
  const MultipointImpact lcp = multipoint_lcp(corner(4, -4, 0.5, 0.25, 0.25));
  ASSERT_EQ(lcp.solutions.size(), 1u);
  EXPECT_NEAR(lcp.solutions[0].velocity[2], 0.0, 1e-12);
}

// 45 degrees, ground sticks: T+/T- = e^2 (1 + I / (m R^2) / 2) = 1.25 e^2, a gain above e = sqrt(.8) = .894.
TEST(MultipointCorner, GainsEnergyAboveTheSquareRootOfFourFifths) {
  for (const double e : {0.5, 0.8, std::sqrt(0.8) - 1e-6, std::sqrt(0.8) + 1e-6, 0.95, 1.0})
    for (const MultipointSolution& s : multipoint_rodriguez(corner(4, -4, e, 0.5, 0.25)).solutions) {
      EXPECT_NEAR(s.energy.after / s.energy.before, 1.25 * e * e, 1e-12);
      EXPECT_EQ(s.flags.has(Flag::energy_gain), e > std::sqrt(0.8)) << e;
    }
}

// The thesis's law 4.9 is the minimum-norm impulse, and the split p + alpha (1, 1, -1, 1) moves nothing.
TEST(MultipointCorner, MinimumNormImpulsesAndTheNullVector) {
  const Eigen::Vector4d null(1, 1, -1, 1);
  EXPECT_EQ((case_1.jacobian.transpose() * null).norm(), 0.0);
  for (const MultipointProblem& problem : {case_1, case_2, case_3})
    for (const MultipointSolution& s : multipoint_rodriguez(problem).solutions) {
      const Eigen::MatrixXd transposed = problem.jacobian.transpose();
      const Eigen::VectorXd p =
          LeastNormSolver(transposed).pseudo_inverse() * problem.mass_matrix * (s.velocity - problem.velocity);
      EXPECT_LE((stacked(s.impulses) - p).norm(), 2.6e-14 * p.norm() + 1e-14);
      EXPECT_NEAR(null.dot(stacked(s.impulses)), 0.0, 1e-13);
      const Eigen::VectorXd shift = stacked(s.best_split) - stacked(s.impulses);
      EXPECT_LE((shift - shift.dot(null) / 4 * null).norm(), 1e-10 * p.norm());
    }
}

// The minimum-norm split never satisfies Coulomb at both contacts for mu < 1 (p_t0 + p_n0 - p_t1 + p_n1 = 0); another
// split of the same velocities needs only .08 to .11 (the thesis's examined contacts).
TEST(MultipointCorner, RequiredFriction) {
  const MultipointSolution solutions[] = {examined(case_1, 1), examined(case_2, 0), examined(case_3, 0),
                                          examined(case_3, 1)};
  for (const MultipointSolution& s : solutions) {
    EXPECT_GE(friction_of(s.impulses), 1.0);
    ASSERT_TRUE(s.required_friction.has_value());
    EXPECT_GE(*s.required_friction, 0.075);
    EXPECT_LE(*s.required_friction, 0.115);
    EXPECT_TRUE(s.required_friction_attained);
    EXPECT_TRUE(s.coulomb_met);
    EXPECT_NEAR(friction_of(s.best_split), *s.required_friction, 1e-9);
    // Brute force along the only direction there is.
    double best = INFINITY;
    const Eigen::Vector4d p = stacked(s.impulses);
    for (int i = 0; i <= 200000; ++i) {
      const Eigen::Vector4d q = p + 20e-5 * i * Eigen::Vector4d(1, 1, -1, 1);
      best = std::min(best, friction_of(q.reshaped(2, 2)));
    }
    EXPECT_NEAR(*s.required_friction, best, 1e-4);
    EXPECT_LE(*s.required_friction, best + 1e-9);
  }
}

TEST(MultipointCorner, ComplementarityCanHaveNoSolution) {
  const MultipointImpact impact = multipoint_lcp(corner(4, -5, 0.5, 1.3, 1.3));
  EXPECT_TRUE(impact.solutions.empty());
  EXPECT_TRUE(impact.exhaustive);
}

TEST(MultipointCorner, MoreStaticThanDynamicFrictionGivesSeveral) {
  const MultipointImpact impact = multipoint_lcp(case_3);
  ASSERT_EQ(impact.solutions.size(), 3u);  // wall sticks, both slip, ground sticks
  EXPECT_EQ(impact.solutions[0].sticking, std::vector{1});
  EXPECT_TRUE(impact.solutions[1].sticking.empty());
  EXPECT_EQ(impact.solutions[2].sticking, std::vector{0});
  EXPECT_LT(impact.solutions[0].velocity[2], impact.solutions[1].velocity[2]);
}

/// The laws of the LCP, from the answer alone.
void expect_lawful(const MultipointProblem& problem, const MultipointSolution& s, double accuracy) {
  const Eigen::VectorXd before = problem.jacobian * problem.velocity, after = problem.jacobian * s.velocity;
  const double speed = before.cwiseAbs().maxCoeff(), size = s.impulses.norm() + 1e-300;
  const int d = problem.dimension;
  for (int i = 0; i < s.impulses.cols(); ++i) {
    const int n = i * d + d - 1;
    if (before[n] > 0.0) {
      EXPECT_EQ(s.impulses.col(i).norm(), 0.0);
      continue;
    }
    const double e = problem.restitution.size() == 1 ? problem.restitution[0] : problem.restitution[std::size_t(i)];
    const double gap = (after[n] + e * before[n]) / speed, p = s.impulses(d - 1, i) / size;
    const Eigen::VectorXd slip = after.segment(i * d, d - 1) / speed, rub = s.impulses.col(i).head(d - 1) / size;
    EXPECT_GE(gap, -accuracy);
    EXPECT_GE(p, -accuracy);
    EXPECT_LE(std::min(std::abs(gap), std::abs(p)), accuracy);
    EXPECT_LE(rub.norm(), problem.static_friction * p + accuracy);
    if (slip.norm() > 1e-9 && p > accuracy) {
      EXPECT_LE((rub + problem.dynamic_friction * p * slip.normalized()).norm(), accuracy);
    }
  }
  expect_balance(problem, s.velocity, s.impulses);
  EXPECT_NEAR(s.energy.imbalance(), 0.0, 1e-11 * (s.energy.before + s.energy.after));
}

TEST(MultipointProperty, ComplementarityHoldsInThePlane) {
  std::mt19937_64 rng(11);
  int solved = 0, several = 0;
  for (int i = 0; i < 3000; ++i) {
    const MultipointProblem problem = random_planar_multipoint(rng, 1 + i % 3);
    const MultipointImpact impact = multipoint_lcp(problem);
    EXPECT_TRUE(impact.exhaustive);
    solved += !impact.solutions.empty();
    several += impact.solutions.size() > 1;
    for (const MultipointSolution& s : impact.solutions) {
      expect_lawful(problem, s, 1e-10);
      ASSERT_TRUE(s.required_friction.has_value());
      EXPECT_LE(*s.required_friction, problem.static_friction + 1e-9);
    }
    if (HasFailure()) FAIL() << "row " << i;
  }
  EXPECT_GT(solved, 2000);
  EXPECT_GT(several, 50);
}

TEST(MultipointProperty, ComplementarityHoldsInSpace) {
  std::mt19937_64 rng(16);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  int solved = 0, indeterminate = 0;
  constexpr int rows = 200;
  for (int i = 0; i < rows; ++i) {
    const MultipointProblem problem = testing::random_spatial_multipoint(rng, 1 + i % 4);
    const MultipointImpact impact = multipoint_lcp(problem);
    EXPECT_FALSE(impact.exhaustive);
    solved += !impact.solutions.empty();
    for (const MultipointSolution& s : impact.solutions) {
      expect_lawful(problem, s, 1e-10);
      ASSERT_TRUE(s.required_friction.has_value());
      EXPECT_LE(*s.required_friction, problem.static_friction + 1e-8);
      const double margin = s.required_friction_attained ? 1e-6 : 1.001 * split_margin;
      EXPECT_NEAR(friction_of(s.best_split), *s.required_friction, margin * (1 + *s.required_friction));
      expect_balance(problem, s.velocity, s.best_split, 1e-8);
      // No other split needs less: random ones, near and far.
      const Eigen::MatrixXd null = kernel(problem.jacobian.transpose(), 1e-12);
      if (null.norm() == 0.0) continue;
      ++indeterminate;
      for (int trial = 0; trial < 40; ++trial) {
        Eigen::VectorXd x(null.cols());
        for (double& component : x) component = unit(rng);
        const Eigen::VectorXd p = stacked(s.best_split) + std::pow(10.0, -trial % 5) * s.impulses.norm() * null * x;
        EXPECT_GE(friction_of(p.reshaped(3, problem.jacobian.rows() / 3)), *s.required_friction - 1e-6);
      }
    }
    if (HasFailure()) FAIL() << "row " << i;
  }
  EXPECT_GT(solved, rows / 2);
  EXPECT_GT(indeterminate, rows / 4);
}

TEST(MultipointProperty, OrderOfContactsDoesNotMatterToTheComplementarityProblem) {
  std::mt19937_64 rng(12);
  for (int i = 0; i < 600; ++i) {
    const MultipointProblem problem = random_planar_multipoint(rng, 3);
    MultipointProblem turned = problem;  // contacts 2, 0, 1
    for (int c = 0; c < 3; ++c)
      turned.jacobian.middleRows(2 * ((c + 1) % 3), 2) = problem.jacobian.middleRows(2 * c, 2);
    const MultipointImpact a = multipoint_lcp(problem), b = multipoint_lcp(turned);
    ASSERT_EQ(a.solutions.size(), b.solutions.size()) << i;
    for (std::size_t j = 0; j < a.solutions.size(); ++j) {
      EXPECT_LE((a.solutions[j].velocity - b.solutions[j].velocity).norm(), 1e-9);
      for (int c = 0; c < 3; ++c)
        EXPECT_LE((a.solutions[j].impulses.col(c) - b.solutions[j].impulses.col((c + 1) % 3)).norm(),
                  1e-8 * (1 + a.solutions[j].impulses.norm()));
    }
    if (HasFailure()) FAIL() << "row " << i;
  }
}

// Velocities times s scale velocities and impulses; masses times s scale impulses. Friction and modes stay.
TEST(MultipointProperty, Scaling) {
  std::mt19937_64 rng(13);
  for (int i = 0; i < 300; ++i) {
    const MultipointProblem problem = random_planar_multipoint(rng, 2);
    MultipointProblem scaled = problem;
    scaled.velocity *= 1e5;
    scaled.mass_matrix *= 1e-7;
    for (const auto method : {multipoint_rodriguez, multipoint_lcp}) {
      const MultipointImpact a = method(problem), b = method(scaled);
      ASSERT_EQ(a.solutions.size(), b.solutions.size()) << i;
      for (std::size_t j = 0; j < a.solutions.size(); ++j) {
        const MultipointSolution &x = a.solutions[j], &y = b.solutions[j];
        // Some of the random contacts nearly coincide: 1e-8 is rounding times their condition number.
        EXPECT_LE((x.velocity * 1e5 - y.velocity).norm(), 1e-8 * y.velocity.norm());
        EXPECT_LE((x.impulses * 1e-2 - y.impulses).norm(), 1e-8 * y.impulses.norm());
        EXPECT_EQ(x.status, y.status);
        EXPECT_EQ(x.sticking, y.sticking);
        EXPECT_EQ(x.coulomb_met, y.coulomb_met);
      }
      if (HasFailure()) FAIL() << "row " << i;
    }
  }
}

TEST(MultipointProperty, RodriguezObeysItsOwnRules) {
  std::mt19937_64 rng(14);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  int boundary = 0;
  for (int i = 0; i < 1000; ++i) {
    const MultipointProblem problem = random_planar_multipoint(rng, 2);
    const Eigen::VectorXd before = problem.jacobian * problem.velocity;
    for (const MultipointSolution& s : multipoint_rodriguez(problem).solutions) {
      const Eigen::VectorXd after = problem.jacobian * s.velocity;
      const int k = s.examined.value();
      for (const int n : {1, 3}) EXPECT_NEAR(after[n], -problem.restitution[0] * before[n], 1e-9);
      EXPECT_TRUE(s.examined_normal_ok);
      EXPECT_GE(s.impulses(1, k), -1e-9);
      expect_balance(problem, s.velocity, s.impulses, 1e-9);
      boundary += s.status == MultipointStatus::slip_boundary;
      EXPECT_NEAR(s.status == MultipointStatus::stick ? after[2 * k] : s.impulses(1, k), 0.0, 1e-9);
      // Best split: no random split does better.
      if (!s.required_friction) continue;
      const double margin = s.required_friction_attained ? 1e-8 : 1.001 * split_margin;
      EXPECT_NEAR(friction_of(s.best_split), *s.required_friction, margin * (1 + *s.required_friction));
      expect_balance(problem, s.velocity, s.best_split, 1e-8);
      const Eigen::VectorXd null = kernel(problem.jacobian.transpose(), 1e-12).col(0).normalized();
      for (int trial = 0; trial < 20; ++trial) {
        const Eigen::VectorXd p = stacked(s.impulses) + 3 * s.impulses.norm() * unit(rng) * null;
        EXPECT_GE(friction_of(p.reshaped(2, 2)), *s.required_friction - 1e-8);
      }
    }
    if (HasFailure()) FAIL() << "row " << i;
  }
  EXPECT_GT(boundary, 20);
}

// In space the slip left open has several components. Whatever else keeps the normals and does not make the examined
// contact pull slips at least as much there.
TEST(MultipointProperty, RodriguezSlipsLeastInSpace) {
  std::mt19937_64 rng(17);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  int boundary = 0;
  for (int i = 0; i < 200; ++i) {
    const int contacts = 1 + i % 4;
    const MultipointProblem problem = testing::random_spatial_multipoint(rng, contacts);
    const Eigen::MatrixXd& j = problem.jacobian;
    const Eigen::MatrixXd w = j * inverse(problem.mass_matrix) * j.transpose();
    Eigen::MatrixXd normal_rows(contacts, w.cols());
    for (int c = 0; c < contacts; ++c) normal_rows.row(c) = w.row(3 * c + 2);
    const Eigen::MatrixXd keeping = kernel(normal_rows, 1e-12);
    const Eigen::MatrixXd spread = j * LeastNormSolver(j).pseudo_inverse();  // onto range(J)
    for (const MultipointSolution& s : multipoint_rodriguez(problem).solutions) {
      const Eigen::VectorXd before = j * problem.velocity, after = j * s.velocity, p = stacked(s.impulses);
      const int t = 3 * s.examined.value();
      for (int n = 2; n < after.size(); n += 3)
        EXPECT_NEAR(after[n], -problem.restitution[0] * before[n], 1e-9 * (1 + s.velocity.norm()));
      EXPECT_GE(p[t + 2], -1e-9 * (1 + p.norm()));
      EXPECT_LE((spread * p - p).norm(), 1e-9 * p.norm());
      const double least = after.segment(t, 2).norm();
      boundary += s.status == MultipointStatus::slip_boundary;
      for (int trial = 0; trial < 100; ++trial) {
        Eigen::VectorXd x(keeping.cols());
        for (double& component : x) component = std::pow(10.0, -(trial % 4)) * unit(rng);
        const Eigen::VectorXd change = keeping * x;
        if ((p + spread * change)[t + 2] < 0.0) continue;
        EXPECT_GE((after + w * change).segment(t, 2).norm(), least - 1e-9 * (1 + s.velocity.norm()));
      }
    }
    if (HasFailure()) FAIL() << "row " << i;
  }
  EXPECT_GT(boundary, 5);
}

// One contact. Where Routh's path never reverses, its end obeys the laws of the complementarity problem.
TEST(MultipointOneContact, AgreesWithPlanarNewton) {
  std::mt19937_64 rng(15);
  int slid = 0, stuck = 0;
  for (int i = 0; i < 3000; ++i) {
    const PlanarProblem planar = testing::random_planar_problem(rng, RestitutionLaw::newton);
    const PlanarImpact routh = planar_impact(planar);
    const bool sticks = routh.mode == PlanarMode::c_sticking || routh.mode == PlanarMode::r_sticking;
    if (!sticks && routh.mode != PlanarMode::sliding) continue;
    MultipointProblem problem;
    problem.mass_matrix = planar.space.inverse_inertia.inverse();
    problem.jacobian = Eigen::Matrix2d::Identity();
    problem.velocity = planar.space.velocity;
    problem.restitution = {planar.material.restitution};
    problem.static_friction = problem.dynamic_friction = planar.material.friction;
    double nearest = INFINITY;
    for (const MultipointSolution& s : multipoint_lcp(problem).solutions) {
      const double off = (s.velocity - routh.velocity_after).norm() + (s.impulses - routh.impulse).norm();
      if (off < nearest) nearest = off;
    }
    EXPECT_LE(nearest, 1e-8) << i;
    (sticks ? stuck : slid)++;
    // Rodriguez always sticks when sticking pushes.
    const MultipointSolution r = multipoint_rodriguez(problem).solutions.at(0);
    if (sticks) {
      EXPECT_LE((r.velocity - routh.velocity_after).norm(), 1e-9);
    }
  }
  EXPECT_GT(slid, 300);
  EXPECT_GT(stuck, 300);
}

}  // namespace
}  // namespace carom
