// What must hold for every compliant impact, over thousands of random ones.
#include <Eigen/Geometry>
#include <cstring>
#include <gtest/gtest.h>

#include "impact/compliant_cases.hpp"
#include "impact/properties.hpp"

namespace carom {
namespace testing {

struct CompliantModel : PairModel<CompliantProblem> {
  static constexpr int dimension = 3, trials = 2000;
  static constexpr double balance = 1e-11, symmetry = 1e-9;
  static constexpr bool scales_exactly = true, friction_loses = true;
  struct Cases {
    explicit Cases(std::uint64_t seed) : cases(seed) {}
    Problem next() { return cases(); }
    cases::OrdinaryCases cases;
  };
  static Answer solve(const Problem& p) { return answer(compliant_outcome(p)); }
  static bool dissipative(const Problem&) { return true; }
};
INSTANTIATE_TYPED_TEST_SUITE_P(Compliant, ImpactProperties, CompliantModel);

}  // namespace testing
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// What any result owes us, whatever the input.
void expect_sound(const CompliantProblem& problem, const CompliantOutcome& outcome, int row) {
  const EnergyLedger& energy = outcome.energy;
  EXPECT_LE(std::abs(energy.imbalance()), 1e-10 * energy.before) << row;
  // A contact that rings for more than 1e5 events is legal; the partial state must say so and still add up.
  if (outcome.verdict == Verdict::event_limit) {
    EXPECT_TRUE(outcome.flags.has(Flag::event_limit)) << row;
    return;
  }
  ASSERT_EQ(outcome.verdict, Verdict::separated) << row;
  EXPECT_GE(energy.restitution_loss, 0.0) << row;
  EXPECT_GE(energy.friction_loss, -1e-10 * energy.before) << row;
  EXPECT_GE(energy.residual, 0.0) << row;
  EXPECT_GT(outcome.impulse.z(), 0.0) << row;
  const double normal = outcome.impulse.z(), mu = problem.material.friction;
  EXPECT_LE(outcome.impulse.head<2>().norm(), mu * normal * (1 + 1e-9) + 1e-300) << row;
  EXPECT_GE(outcome.velocity_after.z(), -1e-10 * problem.space.velocity.norm()) << row;
  const Matrix3d& w = problem.space.inverse_inertia;
  const Vector3d after = problem.space.velocity + w * outcome.impulse;
  EXPECT_LE((after - outcome.velocity_after).norm(),
            1e-12 * (problem.space.velocity.norm() + (w * outcome.impulse).norm() + w.norm() * outcome.impulse.norm()))
      << row;
  // The bound of docs/theory/compliant.md.
  const Matrix3d mass = w.inverse();
  EXPECT_LE(normal, 2.0 * std::sqrt(mass(2, 2) * 2.0 * energy.before) * (1 + 1e-6)) << row;
}

TEST(CompliantProperties, OrdinaryImpacts) {
  cases::OrdinaryCases next(11);
  for (int i = 0; i < 5000; ++i) {
    const auto problem = next();
    expect_sound(problem, compliant_outcome(problem), i);
  }
}

TEST(CompliantProperties, HardImpacts) {
  cases::HardCases next(12);
  for (int i = 0; i < 5000; ++i) {
    const auto problem = next();
    expect_sound(problem, compliant_outcome(problem), i);
  }
}

TEST(SlowCompliantProperties, HundredThousandHardImpacts) {
  cases::HardCases next(13);
  int unfinished = 0;
  for (int i = 0; i < 100000; ++i) {
    const auto problem = next();
    const auto outcome = compliant_outcome(problem);
    expect_sound(problem, outcome, i);
    unfinished += outcome.verdict == Verdict::event_limit;
  }
  EXPECT_LE(unfinished, 10);  // contacts that ring: docs/theory/compliant.md
}

TEST(CompliantProperties, TracedAndUntracedAgreeToTheBit) {
  cases::HardCases next(14);
  for (int i = 0; i < 1000; ++i) {
    const auto problem = next();
    const auto impact = compliant_impact(problem);
    const auto outcome = compliant_outcome(problem);
    EXPECT_EQ(impact.impulse, outcome.impulse);
    EXPECT_EQ(impact.energy.friction_loss, outcome.energy.friction_loss);
    EXPECT_EQ(impact.event_count, impact.events.size());
    EXPECT_TRUE(impact.flags == outcome.flags);
    ASSERT_GE(impact.events.size(), 3u);
    EXPECT_EQ(impact.events.back().type, EventType::separates);
    EXPECT_EQ(impact.events.back().impulse, impact.impulse);
  }
}

TEST(CompliantProperties, EventsAreInOrder) {
  cases::HardCases next(15);
  for (int i = 0; i < 2000; ++i) {
    const auto problem = next();
    const auto impact = compliant_impact(problem);
    bool slipping = impact.events.front().type == EventType::start_slip;
    EXPECT_TRUE(slipping || impact.events.front().type == EventType::start_stick);
    double last = 0.0;
    for (std::size_t k = 1; k < impact.events.size(); ++k) {
      const auto& event = impact.events[k];
      EXPECT_GE(event.impulse.z(), last - 1e-12 * impact.impulse.z()) << i;
      last = event.impulse.z();
      if (event.type == EventType::slip_ends) {
        EXPECT_TRUE(slipping) << i;
        slipping = false;
      } else if (event.type == EventType::stick_ends) {
        EXPECT_FALSE(slipping) << i;
        slipping = true;
        EXPECT_GT(event.springs.slip_velocity.norm(), 0.0) << i;
      }
    }
  }
}

// Jia 2012, Proposition 1.
TEST(CompliantProperties, InitialMode) {
  cases::OrdinaryCases next(16);
  for (int i = 0; i < 2000; ++i) {
    const auto problem = next();
    const Vector3d& v = problem.space.velocity;
    const double eta2 = problem.stiffness_ratio_root * problem.stiffness_ratio_root;
    const double mu = problem.material.friction;
    const bool slips = v.norm() > -std::sqrt(1 + mu * mu * eta2 * eta2) * v.z();
    const auto impact = compliant_impact(problem);
    EXPECT_EQ(impact.events.front().type, slips ? EventType::start_slip : EventType::start_stick) << i;
  }
}

// Jia 2012, Theorem 2: planar data, in any frame, give a planar path.
TEST(CompliantProperties, PlanarStaysPlanar) {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<> uniform(0.0, 1.0);
  for (int i = 0; i < 3000; ++i) {
    CompliantProblem problem;
    const double a = 0.2 + 3 * uniform(random), b = 0.2 + 3 * uniform(random), c = 0.2 + 3 * uniform(random);
    const double k = 0.9 * (2 * uniform(random) - 1) * std::sqrt(a * c);
    Matrix3d w;
    w << a, 0, k, 0, b, 0, k, 0, c;
    const Vector3d v(4 * uniform(random) - 2, 0.0, -0.1 - uniform(random));
    problem.material = {1.5 * uniform(random), uniform(random)};
    problem.stiffness_ratio_root = 0.3 + 2 * uniform(random);
    problem.space = {w, v};
    const auto flat = compliant_impact(problem);
    const Matrix3d turn = Eigen::AngleAxisd(6.3 * uniform(random), Vector3d::UnitZ()).toRotationMatrix();
    problem.space = {turn * w * turn.transpose(), turn * v};
    const auto turned = compliant_impact(problem);
    EXPECT_EQ(flat.impulse.y(), 0.0) << i;
    EXPECT_LT((turn * flat.impulse - turned.impulse).norm(), 1e-11 * flat.impulse.norm()) << i;
    for (const auto& event : turned.events)
      EXPECT_LT(std::abs(turn.col(1).dot(event.impulse)), 1e-12 * flat.impulse.norm()) << i;
    EXPECT_LE(std::abs(flat.energy.imbalance()), 1e-12 * flat.energy.before) << i;
  }
}

// Jia 2012, Theorem 3: velocities scale; so do masses.
TEST(CompliantProperties, Scaling) {
  cases::OrdinaryCases next(18);
  for (int i = 0; i < 1000; ++i) {
    const auto problem = next();
    const auto outcome = compliant_outcome(problem);
    auto faster = problem;
    faster.space.velocity *= 3.7e5;
    EXPECT_LT((compliant_outcome(faster).impulse - 3.7e5 * outcome.impulse).norm(),
              1e-9 * 3.7e5 * outcome.impulse.norm());
    auto heavier = problem;
    heavier.space.inverse_inertia *= 0.125;
    EXPECT_EQ(compliant_outcome(heavier).impulse, Vector3d(8.0 * outcome.impulse));  // powers of two: to the bit
  }
}

TEST(CompliantProperties, RotationAndMirror) {
  cases::OrdinaryCases next(19);
  std::mt19937_64 random(20);
  std::uniform_real_distribution<> uniform(0.0, 6.283);
  double worst = 0.0;
  for (int i = 0; i < 2000; ++i) {
    const auto problem = next();
    const Vector3d impulse = compliant_outcome(problem).impulse;
    for (const bool mirrored : {false, true}) {
      Matrix3d turn = Eigen::AngleAxisd(uniform(random), Vector3d::UnitZ()).toRotationMatrix();
      if (mirrored) turn.col(0) *= -1.0;
      auto other = problem;
      other.space.inverse_inertia = turn * problem.space.inverse_inertia * turn.transpose();
      other.space.velocity = turn * problem.space.velocity;
      worst = std::max(worst, (compliant_outcome(other).impulse - turn * impulse).norm() / impulse.norm());
    }
  }
  EXPECT_LT(worst, 1e-9);
}

TEST(CompliantProperties, UnitsDoNotMatter) {
  // The same impact of planets and of dust, and a grazing one that would underflow.
  auto problem = cases::pencil();
  const Vector3d impulse = compliant_outcome(problem).impulse;
  problem.space.inverse_inertia *= 0x1p-300;
  problem.space.velocity *= 0x1p+200;
  EXPECT_EQ(compliant_outcome(problem).impulse * 0x1p-500, impulse);
  problem = cases::pencil();
  problem.space.velocity.z() = -1e-250;
  const auto outcome = compliant_outcome(problem);
  EXPECT_EQ(outcome.verdict, Verdict::separated);
  EXPECT_TRUE(outcome.impulse.allFinite());
}

TEST(CompliantProperties, ExtremesEnd) {
  for (const double mu : {1e-12, 1e6, 1e100, 1e300})
    for (const double e : {0.0, 1e-300, 1e-9, 1.0})
      for (const double eta0 : {1e-300, 1e-3, 1.0, 1e4, 1e12}) {
        auto problem = cases::pencil();
        problem.material = {mu, e};
        problem.stiffness_ratio_root = eta0;
        const auto outcome = compliant_outcome(problem);
        EXPECT_TRUE(outcome.impulse.allFinite()) << mu << ' ' << e << ' ' << eta0;
        EXPECT_LE(std::abs(outcome.energy.imbalance()), 1e-9 * outcome.energy.before) << mu << ' ' << e << ' ' << eta0;
      }
}

}  // namespace
}  // namespace carom
