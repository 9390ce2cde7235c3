// Multi-point impact: does an answer obey its friction law, how many solutions are there, and does an independent
// enumeration find the same ones? Numbers out of range end in a flag or a refusal.
#include <Eigen/LU>
#include <gtest/gtest.h>
#include <numbers>

#include "carom/core/error.hpp"
#include "carom/core/linear_algebra.hpp"
#include "carom/impact/multipoint.hpp"

#include "impact/multipoint_random.hpp"

namespace carom {
namespace {

using testing::corner, testing::planar_rows, testing::random_planar_multipoint;

constexpr double g = 9.81;
MultipointProblem thrown(double vx, double height, double e = 0.5) {
  return corner(vx, -std::sqrt(2 * g * (height - 0.5)), e, 0.5, 0.25);
}
MultipointProblem throw_number(int k, double e = 0.5) {
  return k == 1 ? thrown(4, 5, e) : k == 2 ? thrown(8, 1.5, e) : thrown(4, 1.5, e);
}
MultipointSolution examined(MultipointProblem problem, int contact) {
  problem.examine = contact;
  return multipoint_rodriguez(problem).solutions.at(0);
}

// The sheet: coulomb_met is true of all four answers, but two break (4.13), both at the ground.
TEST(MultipointFrictionLaw, ThesisAnswers) {
  const MultipointSolution steep = examined(throw_number(1), 1), flat = examined(throw_number(2), 0);
  for (const MultipointSolution& s : {steep, flat}) {
    EXPECT_TRUE(s.coulomb_met);
    EXPECT_FALSE(s.friction_law_met);
    EXPECT_EQ(s.friction_law_broken_at, std::vector{0});
  }
  for (const MultipointSolution& s : multipoint_rodriguez(throw_number(3)).solutions) {
    EXPECT_TRUE(s.friction_law_met);
    EXPECT_TRUE(s.friction_law_broken_at.empty());
  }
  for (const int k : {1, 2, 3})
    for (const MultipointSolution& s : multipoint_lcp(throw_number(k)).solutions) {
      EXPECT_TRUE(s.friction_law_met);
      EXPECT_TRUE(s.friction_law_broken_at.empty());
    }
  const MultipointSolution sprung = multipoint_compliant(throw_number(3), {}).solutions.at(0);
  EXPECT_FALSE(sprung.friction_law_met);
  EXPECT_EQ(sprung.friction_law_broken_at, std::vector{0});
}

// In the corner all splits lie on a line: the least summed violation by brute force along it.
TEST(MultipointFrictionLaw, LeastSummedViolationAlongTheLine) {
  std::mt19937_64 rng(31);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  int broken = 0, met = 0;
  for (int i = 0; i < 300; ++i) {
    const MultipointProblem problem =
        corner(2.0 + 1.9 * unit(rng), -2.0 + 1.9 * unit(rng), 0.5 + 0.4 * unit(rng), 0.5, 0.2 + 0.1 * unit(rng));
    for (const MultipointSolution& s : multipoint_rodriguez(problem).solutions) {
      const Eigen::VectorXd after = problem.jacobian * s.velocity;
      const double speed = (problem.jacobian * problem.velocity).cwiseAbs().maxCoeff();
      const auto violations = [&](double alpha) {
        std::array<double, 2> v{};
        for (int c = 0; c < 2; ++c) {
          const double t = s.impulses(0, c) + (c == 0 ? alpha : -alpha), n = s.impulses(1, c) + alpha, u = after[2 * c];
          v[static_cast<std::size_t>(c)] = std::abs(u) <= 1e-10 * speed
                                               ? std::max(0.0, std::abs(t) - problem.static_friction * n)
                                               : std::abs(t + problem.dynamic_friction * n * (u > 0 ? 1.0 : -1.0));
        }
        return v;
      };
      const double size = s.impulses.norm(), least = -s.impulses.row(1).minCoeff();
      double best = INFINITY;
      std::array<double, 2> there{};
      // A convex, piecewise linear function of one variable: every kink and the end of the line.
      std::vector<double> kinks{least};
      for (int c = 0; c < 2; ++c)
        for (const double mu :
             {problem.static_friction, -problem.static_friction, problem.dynamic_friction, -problem.dynamic_friction}) {
          const double side = c == 0 ? 1.0 : -1.0;
          kinks.push_back(-(s.impulses(0, c) - mu * s.impulses(1, c)) / (side - mu));
        }
      std::sort(kinks.begin(), kinks.end());
      for (const double alpha : kinks) {
        if (alpha < least - 1e-12 * size) continue;
        const auto v = violations(alpha);
        if (v[0] + v[1] < best - 1e-10 * size)
          best = v[0] + v[1], there = v;  // of equals the first: the smallest split
      }
      std::vector<int> expected;
      for (int c = 0; c < 2; ++c)
        if (there[static_cast<std::size_t>(c)] > 1e-8 * size) expected.push_back(c);
      EXPECT_EQ(s.friction_law_broken_at, expected) << i;
      EXPECT_EQ(s.friction_law_met, expected.empty()) << i;
      (expected.empty() ? met : broken)++;
    }
  }
  EXPECT_GT(met, 50);
  EXPECT_GT(broken, 50);
}

// In space: the summed violation of no random split is below that of the contacts named, and none are named when a
// lawful split exists (the complementarity problem's answers are such).
TEST(MultipointFrictionLaw, InSpaceLawfulAnswersAreMet) {
  std::mt19937_64 rng(33);
  int met = 0, broken = 0;
  for (int i = 0; i < 60; ++i) {
    const MultipointProblem problem = testing::random_spatial_multipoint(rng, 2 + i % 4);
    std::vector<Eigen::VectorXd> lawful;
    for (const MultipointSolution& s : multipoint_lcp(problem).solutions) lawful.push_back(s.velocity);
    for (const MultipointSolution& s : multipoint_rodriguez(problem).solutions) {
      EXPECT_EQ(s.friction_law_met, s.friction_law_broken_at.empty());
      EXPECT_TRUE(s.coulomb_met || !s.friction_law_met) << i;
      for (const Eigen::VectorXd& v : lawful) EXPECT_TRUE(s.friction_law_met || (v - s.velocity).norm() > 1e-9) << i;
      (s.friction_law_met ? met : broken)++;
    }
  }
  EXPECT_GT(broken, 20);
}

TEST(MultipointSolutions, OneTwoThreeWithTheThesisCoefficients) {
  const auto spins = [](int k) {
    std::vector<double> list;
    for (const MultipointSolution& s : multipoint_lcp(throw_number(k)).solutions) list.push_back(s.velocity[2]);
    return list;
  };
  const std::vector<double> one = spins(1), two = spins(2), three = spins(3);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_NEAR(one[0], 4.0, 1e-12);
  EXPECT_EQ(multipoint_lcp(throw_number(1)).solutions[0].sticking, std::vector{0});
  ASSERT_EQ(two.size(), 2u);
  EXPECT_NEAR(two[0], -4.43, 5e-3);
  EXPECT_NEAR(two[1], -4.28, 5e-3);
  ASSERT_EQ(three.size(), 3u);
  EXPECT_NEAR(three[1], .515, 5e-4);
  const auto thesis = multipoint_rodriguez(throw_number(3)).solutions;  // ground, wall
  EXPECT_NEAR(three[0], thesis[1].velocity[2], 1e-11);
  EXPECT_NEAR(three[2], thesis[0].velocity[2], 1e-11);
}

TEST(MultipointSolutions, CountOverTheAngle) {
  for (int half = 1; half < 180; ++half) {
    const double degrees = 0.5 * half, angle = degrees * std::numbers::pi / 180;
    const std::size_t expected = degrees <= 28.5   ? 1
                                 : degrees < 36.0  ? 2
                                 : degrees <= 54.0 ? 3
                                 : degrees <= 61.0 ? 2
                                                   : 1;
    const auto solutions = multipoint_lcp(corner(6 * std::cos(angle), -6 * std::sin(angle), 0.5, 0.5, 0.25)).solutions;
    EXPECT_EQ(solutions.size(), expected) << degrees;
  }
}

TEST(MultipointSolutions, ThesisMethodGainsEnergyAbove) {
  const auto gains = [](int k, int contact, double e) {
    return examined(throw_number(k, e), contact).flags.has(Flag::energy_gain);
  };
  struct Edge {
    int k, contact;
    double e;
  };
  for (const Edge& edge : {Edge{1, 1, .937}, Edge{2, 0, .850}, Edge{3, 1, .885}, Edge{3, 0, .904}}) {
    EXPECT_FALSE(gains(edge.k, edge.contact, edge.e - 6e-4)) << edge.k << edge.contact;
    EXPECT_TRUE(gains(edge.k, edge.contact, edge.e + 6e-4)) << edge.k << edge.contact;
  }
}

// The rigid law wants friction against the slip after; at the wall, which the ball passes downwards and leaves upwards,
// that is along the mean slip.
TEST(MultipointSolutions, FrictionThatGivesEnergyIsSaid) {
  for (const int k : {1, 2, 3})
    for (const MultipointSolution& s : multipoint_lcp(throw_number(k)).solutions) {
      EXPECT_LT(s.energy.friction_loss, 0.0);
      EXPECT_TRUE(s.friction_gain);
      EXPECT_FALSE(s.flags.has(Flag::energy_gain));
      EXPECT_NEAR(s.energy.imbalance(), 0.0, 1e-12 * s.energy.before);
    }
  const MultipointSolution one = multipoint_lcp(corner(-4, -5, 0.5, 0.5, 0.25)).solutions.at(0);  // the floor alone
  EXPECT_FALSE(one.friction_gain);
}

TEST(MultipointSolutions, ListedByVelocityOnTheGrid) {
  std::mt19937_64 rng(34);
  int several = 0;
  for (int i = 0; i < 1500; ++i) {
    const MultipointProblem problem = random_planar_multipoint(rng, 2 + i % 2);
    const auto solutions = multipoint_lcp(problem).solutions;
    const double grid = 1e-6 * problem.velocity.cwiseAbs().maxCoeff();
    for (std::size_t j = 1; j < solutions.size(); ++j, ++several)
      for (int c = 0; c < 3; ++c) {
        const double a = std::round(solutions[j - 1].velocity[c] / grid),
                     b = std::round(solutions[j].velocity[c] / grid);
        EXPECT_LE(a, b);
        if (a != b) break;
      }
  }
  EXPECT_GT(several, 50);
}

/// All solutions of a planar problem whose modes have independent equations, written from the laws alone: unknown are
/// qdot+ and the impulses. Nothing when a law holds or fails by a hair's breadth.
std::optional<std::vector<Eigen::Vector3d>> enumerate(const MultipointProblem& problem) {
  constexpr double hair = 1e-7;
  const int contacts = static_cast<int>(problem.jacobian.rows() / 2);
  const Eigen::VectorXd before = problem.jacobian * problem.velocity;
  std::vector<Eigen::Vector3d> found;
  for (int code = 0; code < 1 << (2 * contacts); ++code) {
    // Unknowns: qdot+ (3), then p_t, p_n of every contact.
    const int size = 3 + 2 * contacts;
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(size, size);
    Eigen::VectorXd rhs = Eigen::VectorXd::Zero(size);
    m.topLeftCorner(3, 3) = problem.mass_matrix;
    m.topRightCorner(3, 2 * contacts) = -problem.jacobian.transpose();
    rhs.head(3) = problem.mass_matrix * problem.velocity;
    for (int c = 0; c < contacts; ++c) {
      const int mode = (code >> (2 * c)) & 3, t = 3 + 2 * c, n = t + 1;  // off, stick, slip +, slip -
      if (mode == 0) {
        m(t, t) = m(n, n) = 1.0;
        continue;
      }
      m.row(n).head(3) = problem.jacobian.row(2 * c + 1);
      rhs[n] = -problem.restitution[0] * before[2 * c + 1];
      if (mode == 1) {
        m.row(t).head(3) = problem.jacobian.row(2 * c);
      } else {
        m(t, t) = 1.0;
        m(t, n) = mode == 2 ? problem.dynamic_friction : -problem.dynamic_friction;
      }
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(m);
    const Eigen::VectorXd x = lu.solve(rhs);
    if ((m * x - rhs).norm() > 1e-6 * (1 + x.norm())) continue;  // more equations than velocities
    if (!lu.isInvertible() || x.norm() > 1e6) return std::nullopt;
    const Eigen::VectorXd after = problem.jacobian * x.head(3);
    double least = INFINITY;
    for (int c = 0; c < contacts; ++c) {
      const int mode = (code >> (2 * c)) & 3;
      const double pt = x[3 + 2 * c], pn = x[4 + 2 * c], vt = after[2 * c];
      if (mode == 0) least = std::min(least, after[2 * c + 1] + problem.restitution[0] * before[2 * c + 1]);
      if (mode == 1) least = std::min(least, problem.static_friction * pn - std::abs(pt));
      if (mode >= 2) least = std::min({least, pn, mode == 2 ? vt : -vt});
    }
    if (std::abs(least) < hair) return std::nullopt;
    if (least > 0.0) found.emplace_back(x.head(3));
  }
  return found;
}

TEST(MultipointDifferential, PlanarSolutionsAreThoseOfAnIndependentEnumeration) {
  std::mt19937_64 rng(35);
  int compared = 0, solutions = 0, none = 0, several = 0;
  for (int i = 0; i < 900; ++i) {
    const MultipointProblem problem = random_planar_multipoint(rng, 2 + i % 3);
    const auto expected = enumerate(problem);
    if (!expected) continue;
    const MultipointImpact impact = multipoint_lcp(problem);
    EXPECT_TRUE(impact.exhaustive);
    ASSERT_EQ(impact.solutions.size(), expected->size()) << i;
    for (const MultipointSolution& s : impact.solutions) {
      double nearest = INFINITY;
      for (const Eigen::Vector3d& v : *expected) nearest = std::min(nearest, (v - s.velocity).norm());
      EXPECT_LE(nearest, 1e-7 * (1 + s.velocity.norm())) << i;
    }
    ++compared, solutions += static_cast<int>(expected->size()), none += expected->empty();
    several += expected->size() > 1;
  }
  EXPECT_GT(compared, 500);
  EXPECT_GT(solutions, 400);
  EXPECT_GT(none, 5);
  EXPECT_GT(several, 20);
}

// One contact in space: all solutions by a scan over the direction of slip. What is found is among them, and something
// is found where there is something.
TEST(MultipointDifferential, OneContactInSpaceAgainstAScanOfDirections) {
  std::mt19937_64 rng(36);
  int solved = 0, slipping = 0;
  for (int i = 0; i < 150; ++i) {
    const MultipointProblem problem = testing::random_spatial_multipoint(rng, 1);
    const Eigen::Matrix3d w = problem.jacobian * inverse(problem.mass_matrix) * problem.jacobian.transpose();
    const Eigen::Vector3d v = problem.jacobian * problem.velocity;
    const double rebound = -problem.restitution[0] * v[2];
    std::vector<Eigen::Vector3d> expected;  // contact velocities after
    const Eigen::Vector3d held = w.inverse() * (Eigen::Vector3d(0, 0, rebound) - v);
    if (held.head<2>().norm() <= problem.static_friction * held[2]) expected.emplace_back(0, 0, rebound);
    constexpr int steps = 20000;
    const auto slip = [&](double angle) {
      const Eigen::Vector3d ray(-problem.dynamic_friction * std::cos(angle),
                                -problem.dynamic_friction * std::sin(angle), 1);
      const double p = (rebound - v[2]) / w.row(2).dot(ray);
      return std::pair(p, Eigen::Vector3d(v + w * ray * p));
    };
    double last = 0.0;
    for (int k = 0; k <= steps; ++k) {
      const double angle = 2 * std::numbers::pi * k / steps;
      const auto [p, after] = slip(angle);
      const double turn = after[1] * std::cos(angle) - after[0] * std::sin(angle);
      const double along = after[0] * std::cos(angle) + after[1] * std::sin(angle);
      if (k > 0 && turn * last <= 0.0 && along > 0.0 && p > 0.0) expected.push_back(after);
      last = turn;
    }
    const auto found = multipoint_lcp(problem).solutions;
    EXPECT_EQ(found.empty(), expected.empty()) << i;
    for (const MultipointSolution& s : found) {
      double nearest = INFINITY;
      for (const Eigen::Vector3d& e : expected) nearest = std::min(nearest, (problem.jacobian * s.velocity - e).norm());
      EXPECT_LE(nearest, 2e-3 * v.norm()) << i;
      ++solved;
      slipping += s.sticking.empty();
    }
  }
  EXPECT_GT(solved, 100);
  EXPECT_GT(slipping, 30);
}

/// Either refused, or every number finite, or flagged.
void expect_sane(const MultipointProblem& problem, const char* what) {
  for (const auto method : {multipoint_rodriguez, multipoint_lcp}) {
    try {
      const MultipointImpact impact = method(problem);
      for (const MultipointSolution& s : impact.solutions) {
        const bool flagged = impact.flags.has(Flag::overflow) || impact.flags.has(Flag::ill_conditioned);
        EXPECT_TRUE(flagged || (s.velocity.allFinite() && s.impulses.allFinite() && std::isfinite(s.energy.after)))
            << what;
        if (flagged || s.energy.before == 0.0) continue;
        EXPECT_NEAR(s.energy.imbalance() / s.energy.before, 0.0, 1e-9) << what;
      }
    } catch (const InvalidInput&) {
    }
  }
}

TEST(MultipointRange, ExtremesAreRightFlaggedOrRefused) {
  const MultipointProblem good = corner(4, -5, 0.5, 0.5, 0.25);
  for (const double x : {1e-300, 1e-200, 1e-30, 1e-12, 1e12, 1e30, 1e200, 1e300, 1.7e308}) {
    MultipointProblem p = good;
    p.mass_matrix *= x;
    expect_sane(p, "mass");
    p = good, p.mass_matrix(2, 2) = x;
    expect_sane(p, "inertia");
    p = good, p.jacobian *= x;
    expect_sane(p, "jacobian");
    p = good, p.jacobian(0, 2) = x;
    expect_sane(p, "lever");
    p = good, p.jacobian.row(2) *= x;
    expect_sane(p, "tangent row");
    p = good, p.jacobian.row(3) *= x;
    expect_sane(p, "normal row");
    p = good, p.velocity *= x;
    expect_sane(p, "velocity");
    p = good, p.velocity[2] = x;
    expect_sane(p, "spin");
    p = good, p.static_friction = x, p.dynamic_friction = std::min(x, 0.25);
    expect_sane(p, "static friction");
    p = good, p.static_friction = p.dynamic_friction = x;
    expect_sane(p, "friction");
  }
  for (int row = 0; row < 4; ++row) {
    MultipointProblem p = good;
    p.jacobian.row(row).setZero();
    expect_sane(p, "zero row");
  }
  MultipointProblem p = good;
  p.jacobian.setZero();
  expect_sane(p, "zero jacobian");
}

// A length in other units (a lever of 1e6 with an inertia of 1e12) is the same problem.
TEST(MultipointRange, EqualProblemsInOtherUnits) {
  MultipointProblem p = throw_number(3), q = p;
  for (double unit : {1e-6, 1e6}) {
    q.jacobian = p.jacobian, q.mass_matrix = p.mass_matrix;
    q.jacobian.col(2) *= unit;
    q.mass_matrix(2, 2) *= unit * unit;
    const auto a = multipoint_lcp(p).solutions, b = multipoint_lcp(q).solutions;
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i].velocity[2], b[i].velocity[2] * unit, 1e-9);
  }
}

}  // namespace
}  // namespace carom
