// What every impact model must satisfy, written once. A model joins by an adaptor
//
//   struct Model {
//     static constexpr int dimension;                  // 2 or 3
//     static constexpr bool dissipative_energetic;     // energy never rises under its energetic restitution
//     using Problem = ...;                             // has .space (inverse_inertia, velocity) and .material
//     struct Cases { explicit Cases(std::uint64_t seed); Problem next(); };
//     static auto solve(const Problem&);               // an ImpactResult<dimension>
//     static bool energetic(const Problem&);           // does the energetic law rule this problem?
//   };
//
// and INSTANTIATE_TYPED_TEST_SUITE_P(Name, ImpactProperties, Model).
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <numbers>

#include "carom/impact/impact.hpp"

namespace carom::testing {

template <class Model>
class ImpactProperties : public ::testing::Test {
public:
  static constexpr int trials = 5000;
  using Problem = typename Model::Problem;
  using Vector = Eigen::Matrix<double, Model::dimension, 1>;
  using Matrix = Eigen::Matrix<double, Model::dimension, Model::dimension>;

  /// Velocities met in the process, for scale.
  static double velocity_scale(const Problem& p, const Vector& impulse) {
    return p.space.velocity.norm() + (p.space.inverse_inertia * impulse).norm();
  }
  /// The same problem seen in axes turned or mirrored by Q (v' = Q v).
  static Problem seen(const Problem& p, const Matrix& q) {
    Problem out = p;
    out.space.inverse_inertia = q * p.space.inverse_inertia * q.transpose();
    out.space.inverse_inertia = (0.5 * (out.space.inverse_inertia + out.space.inverse_inertia.transpose())).eval();
    out.space.velocity = q * p.space.velocity;
    return out;
  }
};
TYPED_TEST_SUITE_P(ImpactProperties);

TYPED_TEST_P(ImpactProperties, LedgerCloses) {
  typename TypeParam::Cases cases(101);
  for (int i = 0; i < this->trials; ++i) {
    const auto p = cases.next();
    const auto r = TypeParam::solve(p);
    const double scale = r.energy.before + std::abs(r.energy.restitution_loss) + r.energy.friction_loss;
    ASSERT_LE(std::abs(r.energy.imbalance()), 1e-12 * scale) << "case " << i;
    ASSERT_GE(r.energy.friction_loss, -1e-14 * scale) << "case " << i;
  }
}

TYPED_TEST_P(ImpactProperties, MomentumBalances) {
  typename TypeParam::Cases cases(102);
  for (int i = 0; i < this->trials; ++i) {
    const auto p = cases.next();
    const auto r = TypeParam::solve(p);
    const typename TestFixture::Vector after = p.space.velocity + p.space.inverse_inertia * r.impulse;
    ASSERT_LE((r.velocity_after - after).norm(), 3e-12 * this->velocity_scale(p, r.impulse)) << "case " << i;
  }
}

TYPED_TEST_P(ImpactProperties, StaysInFrictionConeAndSeparates) {
  typename TypeParam::Cases cases(103);
  constexpr int n = TypeParam::dimension;
  for (int i = 0; i < this->trials; ++i) {
    const auto p = cases.next();
    const auto r = TypeParam::solve(p);
    const double tangential = r.impulse.template head<n - 1>().norm();
    ASSERT_LE(tangential, p.material.friction * r.impulse[n - 1] * (1 + 1e-12)) << "case " << i;
    if (r.verdict == Verdict::separated) {
      ASSERT_GT(r.impulse[n - 1], 0.0) << "case " << i;
      ASSERT_GE(r.velocity_after[n - 1], -1e-14 * this->velocity_scale(p, r.impulse)) << "case " << i;
    }
  }
}

TYPED_TEST_P(ImpactProperties, ScalesWithVelocityExactly) {
  typename TypeParam::Cases cases(104);
  for (int i = 0; i < this->trials / 5; ++i) {
    auto p = cases.next();
    const auto r = TypeParam::solve(p);
    for (const double factor : {0x1p-300, 0x1p-3, 0x1p40, 0x1p300}) {
      auto q = p;
      q.space.velocity *= factor;  // a power of two: not even rounding may differ
      const auto s = TypeParam::solve(q);
      ASSERT_EQ((s.impulse - factor * r.impulse).norm(), 0.0) << "case " << i << ", factor " << factor;
      q = p;
      q.space.inverse_inertia *= factor;
      ASSERT_EQ((TypeParam::solve(q).impulse * factor - r.impulse).norm(), 0.0) << "case " << i;
    }
    auto q = p;
    q.space.velocity *= 1.7;
    ASSERT_LE((TypeParam::solve(q).impulse - 1.7 * r.impulse).norm(), 1e-10 * r.impulse.norm()) << "case " << i;
  }
}

TYPED_TEST_P(ImpactProperties, TurnsAndMirrorsWithTheFrame) {
  typename TypeParam::Cases cases(105);
  constexpr int n = TypeParam::dimension;
  for (int i = 0; i < this->trials; ++i) {
    const auto p = cases.next();
    const auto r = TypeParam::solve(p);
    typename TestFixture::Matrix q = TestFixture::Matrix::Identity();
    q(0, 0) = -1.0;
    // mirrored: signs only, the same roundings but for the order of sums
    const auto mirrored = TypeParam::solve(this->seen(p, q));
    ASSERT_LE((mirrored.impulse - q * r.impulse).norm(), 1e-10 * r.impulse.norm()) << "case " << i;
    ASSERT_EQ(mirrored.events.size(), r.events.size()) << "case " << i;
    if constexpr (n == 3) {
      const double t = 0.1 + i;
      q << std::cos(t), -std::sin(t), 0, std::sin(t), std::cos(t), 0, 0, 0, 1;
      const auto turned = TypeParam::solve(this->seen(p, q));
      ASSERT_LE((turned.impulse - q * r.impulse).norm(), 1e-9 * r.impulse.norm()) << "case " << i;
    }
  }
}

TYPED_TEST_P(ImpactProperties, GivesTheSameBitsTwice) {
  typename TypeParam::Cases cases(106), again(106);
  for (int i = 0; i < this->trials / 5; ++i) {
    const auto r = TypeParam::solve(cases.next()), s = TypeParam::solve(again.next());
    ASSERT_EQ(std::memcmp(r.impulse.data(), s.impulse.data(), sizeof(double) * TypeParam::dimension), 0);
    ASSERT_EQ(r.energy.friction_loss, s.energy.friction_loss);
  }
}

TYPED_TEST_P(ImpactProperties, EventsAreInOrder) {
  typename TypeParam::Cases cases(107);
  constexpr int n = TypeParam::dimension;
  for (int i = 0; i < this->trials; ++i) {
    const auto r = TypeParam::solve(cases.next());
    if (r.verdict == Verdict::no_impact) {
      ASSERT_TRUE(r.events.empty());
      ASSERT_EQ(r.impulse.norm(), 0.0);
      continue;
    }
    ASSERT_GE(r.events.size(), 3u);
    const auto first = r.events.front().type;
    ASSERT_TRUE(first == EventType::start_slip || first == EventType::start_stick);
    ASSERT_EQ(r.events.back().type, EventType::separates);
    bool compressed = false;
    for (std::size_t k = 0; k < r.events.size(); ++k) {
      const auto& e = r.events[k];
      if (k > 0) {
        ASSERT_GE(e.impulse[n - 1], r.events[k - 1].impulse[n - 1]) << "case " << i << ", event " << k;
      }
      if (e.type == EventType::compression_ends) {
        ASSERT_FALSE(compressed);
        compressed = true;
        ASSERT_EQ(e.velocity[n - 1], 0.0);
      }
      if (e.type == EventType::recompression_begins) {
        ASSERT_TRUE(compressed);
        compressed = false;
        ASSERT_TRUE(r.flags.has(Flag::recompression));
      }
      if (e.type == EventType::slip_resumes) {
        ASSERT_EQ(r.events[k - 1].type, EventType::slip_ends);
      }
    }
    ASSERT_TRUE(compressed);
  }
}

TYPED_TEST_P(ImpactProperties, EnergeticRestitutionNeverGivesEnergy) {
  typename TypeParam::Cases cases(108);
  if (!TypeParam::dissipative_energetic) GTEST_SKIP();
  for (int i = 0; i < this->trials; ++i) {
    const auto p = cases.next();
    if (!TypeParam::energetic(p)) continue;
    const auto r = TypeParam::solve(p);
    ASSERT_LE(r.energy.after, r.energy.before * (1 + 1e-12)) << "case " << i;
    ASSERT_FALSE(r.flags.has(Flag::energy_gain)) << "case " << i;
    ASSERT_GE(r.energy.restitution_loss, -1e-12 * (r.energy.before)) << "case " << i;
  }
}

REGISTER_TYPED_TEST_SUITE_P(ImpactProperties, LedgerCloses, MomentumBalances, StaysInFrictionConeAndSeparates,
                            ScalesWithVelocityExactly, TurnsAndMirrorsWithTheFrame, GivesTheSameBitsTwice,
                            EventsAreInOrder, EnergeticRestitutionNeverGivesEnergy);

}  // namespace carom::testing
