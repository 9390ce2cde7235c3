// What every impact model must satisfy, written once, for one contact or many. A model joins by an adaptor
//
//   struct Model : PairModel<P> or SystemModel<P> {
//     static constexpr int dimension, trials;   // rows per contact; random cases per property
//     static constexpr double balance;          // error of ledger and momentum, as a share
//     static constexpr double symmetry;         // error between frames, orders and units, as a share
//     static constexpr bool scales_exactly;     // powers of two change not even the rounding
//     static constexpr bool friction_loses;     // friction never gives energy
//     struct Cases { explicit Cases(std::uint64_t seed); Problem next(); };
//     static Answer solve(const Problem&);
//     static Eigen::VectorXd friction(const Problem&);  // of each contact
//     static bool dissipative(const Problem&);          // the law that rules this problem cannot give energy
//   };
//
// and INSTANTIATE_TYPED_TEST_SUITE_P(Name, ImpactProperties, Model). Models with a path of events also join
// PathProperties, models of many contacts ManyContactsProperties.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <numbers>

#include "carom/core/linear_algebra.hpp"
#include "carom/core/mechanical_system.hpp"
#include "carom/impact/impact.hpp"

namespace carom::testing {

/// What a model said, contact after contact, in contact axes.
struct Answer {
  ImpactSummary summary;
  Eigen::VectorXd impulse, velocity_after;
};

/// Two bodies at one contact: a problem with .space and .material.
template <class P>
struct PairModel {
  using Problem = P;
  template <class Result>
  static Answer answer(const Result& r) {
    return {r, r.impulse, r.velocity_after};
  }
  static Eigen::MatrixXd inverse_inertia(const P& p) { return p.space.inverse_inertia; }
  static Eigen::VectorXd velocity(const P& p) { return p.space.velocity; }
  static Eigen::VectorXd friction(const P& p) { return Eigen::VectorXd::Constant(1, p.material.friction); }
  static P faster(P p, double factor) {
    p.space.velocity *= factor;
    return p;
  }
  static P lighter(P p, double factor) {
    p.space.inverse_inertia *= factor;
    return p;
  }
  /// The same problem in axes turned or mirrored by Q (v' = Q v).
  static P seen(P p, const Eigen::MatrixXd& q) {
    const Eigen::MatrixXd w = q * p.space.inverse_inertia * q.transpose();
    p.space.inverse_inertia = 0.5 * (w + w.transpose());
    p.space.velocity = (q * p.space.velocity).eval();
    return p;
  }
};

/// Any mechanical system: Model::system(p) is its MechanicalSystem, to read and to change.
template <class P, class Model>
struct SystemModel {
  using Problem = P;
  static Eigen::MatrixXd inverse_inertia(P p) {
    const Eigen::MatrixXd factor = contact_factor(Model::system(p));
    return factor.transpose() * factor;
  }
  static Eigen::VectorXd velocity(P p) { return Model::system(p).jacobian * Model::system(p).velocity; }
  static P faster(P p, double factor) {
    Model::system(p).velocity *= factor;
    return p;
  }
  static P lighter(P p, double factor) {
    Model::system(p).mass_matrix /= factor;
    return p;
  }
  static P seen(P p, const Eigen::MatrixXd& q) {
    Eigen::MatrixXd& j = Model::system(p).jacobian;
    for (Eigen::Index i = 0; i < j.rows(); i += q.rows())
      j.middleRows(i, q.rows()) = (q * j.middleRows(i, q.rows())).eval();
    return p;
  }
};

template <class Model>
class ImpactProperties : public ::testing::Test {
public:
  using Problem = typename Model::Problem;

  /// Velocities met in the process, for scale.
  static double velocity_scale(const Problem& p, const Answer& a) {
    return Model::velocity(p).norm() + (Model::inverse_inertia(p) * a.impulse).norm();
  }
  /// Energies met in the process.
  static double energy_scale(const Answer& a) {
    const EnergyLedger& e = a.summary.energy;
    return e.before + e.after + std::abs(e.restitution_loss) + std::abs(e.friction_loss);
  }
  /// Every contact's vector turned by Q.
  static Eigen::VectorXd turned(const Eigen::MatrixXd& q, Eigen::VectorXd v) {
    for (Eigen::Index i = 0; i < v.size(); i += q.rows()) v.segment(i, q.rows()) = (q * v.segment(i, q.rows())).eval();
    return v;
  }
  static void expect_same_bits(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    ASSERT_EQ(a.size(), b.size());
    ASSERT_EQ(std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())), 0);
  }
};
TYPED_TEST_SUITE_P(ImpactProperties);

TYPED_TEST_P(ImpactProperties, LedgerCloses) {
  typename TypeParam::Cases cases(101);
  for (int i = 0; i < TypeParam::trials; ++i) {
    const Answer a = TypeParam::solve(cases.next());
    const double scale = this->energy_scale(a);
    ASSERT_LE(std::abs(a.summary.energy.imbalance()), TypeParam::balance * scale) << "case " << i;
    if (TypeParam::friction_loses) {
      ASSERT_GE(a.summary.energy.friction_loss, -0.01 * TypeParam::balance * scale) << "case " << i;
    }
  }
}

TYPED_TEST_P(ImpactProperties, MomentumBalances) {
  typename TypeParam::Cases cases(102);
  for (int i = 0; i < TypeParam::trials; ++i) {
    const auto p = cases.next();
    const Answer a = TypeParam::solve(p);
    const Eigen::VectorXd after = TypeParam::velocity(p) + TypeParam::inverse_inertia(p) * a.impulse;
    ASSERT_LE((a.velocity_after - after).norm(), 3.0 * TypeParam::balance * this->velocity_scale(p, a)) << "case " << i;
  }
}

TYPED_TEST_P(ImpactProperties, StaysInFrictionConesAndSeparates) {
  typename TypeParam::Cases cases(103);
  constexpr Eigen::Index n = TypeParam::dimension;
  for (int i = 0; i < TypeParam::trials; ++i) {
    const auto p = cases.next();
    const Answer a = TypeParam::solve(p);
    const Eigen::VectorXd friction = TypeParam::friction(p);
    for (Eigen::Index k = 0; k < friction.size(); ++k) {
      const double normal = a.impulse[n * k + n - 1], tangential = a.impulse.segment(n * k, n - 1).norm();
      const double rounding = TypeParam::balance * (friction.size() == 1 ? normal : a.impulse.norm());
      ASSERT_GE(normal, -rounding) << "case " << i << ", contact " << k;
      ASSERT_LE(tangential, friction[k] * normal + (1.0 + friction[k]) * rounding) << "case " << i << ", contact " << k;
      if (a.summary.verdict != Verdict::separated) continue;
      ASSERT_GE(a.velocity_after[n * k + n - 1], -TypeParam::balance * this->velocity_scale(p, a)) << "case " << i;
    }
    if (a.summary.verdict == Verdict::separated) {
      ASSERT_GT(a.impulse.norm(), 0.0) << "case " << i;
    }
  }
}

TYPED_TEST_P(ImpactProperties, ScalesWithVelocityAndInertia) {
  typename TypeParam::Cases cases(104);
  for (int i = 0; i < TypeParam::trials / 5; ++i) {
    const auto p = cases.next();
    const Eigen::VectorXd impulse = TypeParam::solve(p).impulse;
    const double exact = TypeParam::scales_exactly ? 0.0 : TypeParam::symmetry;
    for (const double factor : {0x1p-300, 0x1p-3, 0x1p40, 0x1p300}) {
      const Eigen::VectorXd faster = TypeParam::solve(TypeParam::faster(p, factor)).impulse / factor,
                            lighter = TypeParam::solve(TypeParam::lighter(p, factor)).impulse * factor;
      ASSERT_LE((faster - impulse).norm(), exact * impulse.norm()) << "case " << i << ", factor " << factor;
      ASSERT_LE((lighter - impulse).norm(), exact * impulse.norm()) << "case " << i << ", factor " << factor;
    }
    const Eigen::VectorXd faster = TypeParam::solve(TypeParam::faster(p, 1.7)).impulse;
    ASSERT_LE((faster - 1.7 * impulse).norm(), TypeParam::symmetry * faster.norm()) << "case " << i;
  }
}

TYPED_TEST_P(ImpactProperties, TurnsAndMirrorsWithTheFrame) {
  typename TypeParam::Cases cases(105);
  constexpr Eigen::Index n = TypeParam::dimension;
  for (int i = 0; i < TypeParam::trials; ++i) {
    const auto p = cases.next();
    const Eigen::VectorXd impulse = TypeParam::solve(p).impulse;
    Eigen::MatrixXd q = Eigen::MatrixXd::Identity(n, n);
    q(0, 0) = -1.0;
    const Eigen::VectorXd mirrored = TypeParam::solve(TypeParam::seen(p, q)).impulse;
    ASSERT_LE((mirrored - this->turned(q, impulse)).norm(), TypeParam::symmetry * impulse.norm()) << "case " << i;
    if constexpr (n == 3) {
      const double t = 0.1 + i;
      q << std::cos(t), -std::sin(t), 0, std::sin(t), std::cos(t), 0, 0, 0, 1;
      const Eigen::VectorXd other = TypeParam::solve(TypeParam::seen(p, q)).impulse;
      ASSERT_LE((other - this->turned(q, impulse)).norm(), 10.0 * TypeParam::symmetry * impulse.norm()) << "case " << i;
    }
  }
}

TYPED_TEST_P(ImpactProperties, GivesTheSameBitsTwice) {
  typename TypeParam::Cases cases(106), again(106);
  for (int i = 0; i < TypeParam::trials / 5; ++i) {
    const Answer a = TypeParam::solve(cases.next()), b = TypeParam::solve(again.next());
    this->expect_same_bits(a.impulse, b.impulse);
    ASSERT_EQ(a.summary.energy.friction_loss, b.summary.energy.friction_loss);
  }
}

TYPED_TEST_P(ImpactProperties, NeverGivesEnergyUnlessItsLawMay) {
  typename TypeParam::Cases cases(108);
  for (int i = 0; i < TypeParam::trials; ++i) {
    const auto p = cases.next();
    const Answer a = TypeParam::solve(p);
    const EnergyLedger& energy = a.summary.energy;
    const bool gained = energy.after > energy.before * (1.0 + TypeParam::balance);
    if (TypeParam::dissipative(p)) {
      ASSERT_FALSE(gained) << "case " << i;
      ASSERT_GE(energy.restitution_loss, -TypeParam::balance * energy.before) << "case " << i;
    }
    ASSERT_TRUE(!gained || a.summary.flags.has(Flag::energy_gain)) << "case " << i;
  }
}

REGISTER_TYPED_TEST_SUITE_P(ImpactProperties, LedgerCloses, MomentumBalances, StaysInFrictionConesAndSeparates,
                            ScalesWithVelocityAndInertia, TurnsAndMirrorsWithTheFrame, GivesTheSameBitsTwice,
                            NeverGivesEnergyUnlessItsLawMay);

/// Rigid impacts of two bodies have a short path: Model::path(p) is an ImpactResult.
template <class Model>
class PathProperties : public ::testing::Test {};
TYPED_TEST_SUITE_P(PathProperties);

TYPED_TEST_P(PathProperties, EventsAreInOrder) {
  typename TypeParam::Cases cases(107);
  constexpr int n = TypeParam::dimension;
  for (int i = 0; i < TypeParam::trials; ++i) {
    const auto r = TypeParam::path(cases.next());
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

REGISTER_TYPED_TEST_SUITE_P(PathProperties, EventsAreInOrder);

/// Many contacts: Model::reversed(p) lists them the other way round.
template <class Model>
class ManyContactsProperties : public ::testing::Test {};
TYPED_TEST_SUITE_P(ManyContactsProperties);

TYPED_TEST_P(ManyContactsProperties, OrderOfTheListDoesNotMatter) {
  typename TypeParam::Cases cases(109);
  constexpr Eigen::Index n = TypeParam::dimension;
  for (int i = 0; i < TypeParam::trials; ++i) {
    const auto p = cases.next();
    const Eigen::VectorXd impulse = TypeParam::solve(p).impulse;
    const Eigen::VectorXd other = TypeParam::solve(TypeParam::reversed(p)).impulse;
    const Eigen::Index contacts = impulse.size() / n;
    for (Eigen::Index k = 0; k < contacts; ++k)
      ASSERT_LE((impulse.segment(n * k, n) - other.segment(n * (contacts - 1 - k), n)).norm(),
                TypeParam::symmetry * impulse.norm())
          << "case " << i << ", contact " << k;
  }
}

REGISTER_TYPED_TEST_SUITE_P(ManyContactsProperties, OrderOfTheListDoesNotMatter);

/// The rows of J by contact, last contact first.
inline void reverse_contacts(MechanicalSystem& system, Eigen::Index dimension) {
  const Eigen::MatrixXd j = system.jacobian;
  for (Eigen::Index i = 0; i < j.rows(); i += dimension)
    system.jacobian.middleRows(j.rows() - dimension - i, dimension) = j.middleRows(i, dimension);
}

}  // namespace carom::testing
