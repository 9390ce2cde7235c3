// Numbers at the ends of the range of doubles, and inverse inertias of unlike directions: every row of the two-body
// models ends, and is right or says that it is not.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

#include "carom/core/error.hpp"
#include "carom/impact/compliant.hpp"
#include "carom/impact/planar.hpp"
#include "carom/impact/spatial.hpp"

namespace carom::testing {
namespace {

constexpr double largest = std::numeric_limits<double>::max();

/// The invariants of an impact that is not flagged: all finite, v = v0 + W I, |I_t| <= mu I_n, a ledger that closes,
/// and no energy below zero that cannot be. Relative to the terms of each, component by component.
template <int N>
void expect_sound(const BasicContactSpace<N>& space, const Material& material, Verdict verdict,
                  const Eigen::Matrix<double, N, 1>& impulse, const Eigen::Matrix<double, N, 1>& after,
                  const EnergyLedger& energy, Flags flags, const std::string& what) {
  SCOPED_TRACE(what);
  constexpr double tolerance = 1e-9, rounding = 64 * std::numeric_limits<double>::denorm_min();
  bool finite = impulse.allFinite() && after.allFinite();
  for (const double x : {energy.before, energy.after, energy.restitution_loss, energy.friction_loss, energy.residual})
    finite = finite && std::isfinite(x);
  if (flags.has(Flag::overflow) || flags.has(Flag::ill_conditioned)) return;
  ASSERT_TRUE(finite);
  for (const double x : {energy.before, energy.after, energy.friction_loss, energy.residual}) EXPECT_GE(x, 0.0);
  EXPECT_LE(std::abs(energy.imbalance()), tolerance * std::max(energy.before, energy.after) + rounding);
  if (verdict == Verdict::no_impact) return;
  const double tangential = N == 2 ? std::abs(impulse[0]) : std::hypot(impulse[0], impulse[N - 2]);
  EXPECT_LE(tangential, material.friction * impulse[N - 1] * (1 + tolerance) + rounding);
  for (int i = 0; i < N; ++i) {
    double sum = space.velocity[i], scale = space.velocity.cwiseAbs().maxCoeff();
    for (int j = 0; j < N; ++j) {
      sum += space.inverse_inertia(i, j) * impulse[j];
      scale += std::abs(space.inverse_inertia(i, j) * impulse[j]);
    }
    if (std::isfinite(scale)) {
      EXPECT_LE(std::abs(sum - after[i]), tolerance * scale + rounding) << "axis " << i;
    }
  }
}

std::string text(const auto& w, const auto& v, const Material& m) {
  std::ostringstream out;
  out.precision(17);
  out << "W\n" << w << "\nv " << v.transpose() << "\nmu " << m.friction << " e " << m.restitution;
  return out.str();
}

void expect_sound(const PlanarProblem& p) {
  const auto r = planar_impact(p);
  expect_sound<2>(p.space, p.material, r.verdict, r.impulse, r.velocity_after, r.energy, r.flags,
                  text(p.space.inverse_inertia, p.space.velocity, p.material));
}
void expect_sound(const SpatialProblem& p) {
  const auto r = spatial_impact(p);
  expect_sound<3>(p.space, p.material, r.verdict, r.impulse, r.velocity_after, r.energy, r.flags,
                  text(p.space.inverse_inertia, p.space.velocity, p.material));
}
void expect_sound(const CompliantProblem& p) {
  const auto r = compliant_outcome(p);
  expect_sound<3>(
      p.space, p.material, r.verdict, r.impulse, r.velocity_after, r.energy, r.flags,
      text(p.space.inverse_inertia, p.space.velocity, p.material) + " eta0 " + std::to_string(p.stiffness_ratio_root));
}

constexpr std::array laws = {RestitutionLaw::newton, RestitutionLaw::poisson, RestitutionLaw::energetic};

TEST(Extremes, PlanarFrictionMayBeAnyDouble) {
  PlanarProblem p;
  p.space.inverse_inertia << 2.5, -1.5, -1.5, 2.5;
  p.space.velocity = {0.6, -1.0};
  p.material = {1e308, 0.5};
  p.law = RestitutionLaw::poisson;
  const PlanarImpact r = planar_impact(p);
  EXPECT_NEAR(r.impulse[0], 0.12, 1e-15);
  EXPECT_NEAR(r.impulse[1], 0.6, 1e-15);
  EXPECT_TRUE(r.flags.none());
  for (const double mu : {1e20, 1e100, 1e300, largest})
    for (const auto law : laws)
      for (const double slip : {-1.0, -1e-9, 0.0, 0.6, 3.0}) {
        p.material.friction = mu;
        p.law = law;
        p.space.velocity[0] = slip;
        expect_sound(p);
      }
}

TEST(Extremes, SpatialAndCompliantFrictionMayBeAnyDouble) {
  SpatialProblem s;
  s.space.inverse_inertia << 3.5, 0.2, 0.5, 0.2, 3, 0.3, 0.5, 0.3, 1;
  s.space.velocity = {-1, 0.5, -2};
  for (const auto law : laws) {
    s.law = law;
    s.material = {1e9, 0.5};
    const auto usual = spatial_impact(s);
    for (const double mu : {1e20, 1e100, 1e200, largest}) {
      s.material.friction = mu;
      expect_sound(s);
      EXPECT_LE((spatial_impact(s).impulse - usual.impulse).norm(), 1e-8 * usual.impulse.norm()) << mu;
    }
  }
  CompliantProblem c;
  c.space = s.space;
  c.stiffness_ratio_root = 1.1;
  c.material = {1e9, 0.5};
  const auto usual = compliant_outcome(c);
  for (const double mu : {1e20, 1e100, 1e200, largest}) {
    c.material.friction = mu;
    expect_sound(c);
    EXPECT_LE((compliant_outcome(c).impulse - usual.impulse).norm(), 1e-8 * usual.impulse.norm()) << mu;
  }
}

// A contact that is 1e30 times lighter one way: the impulse that way is as many times smaller, and v = v0 + W I needs
// all its digits.
TEST(Extremes, UnlikeDirectionsKeepTheirDigits) {
  SpatialProblem p;
  p.space.velocity = {-0.26197634, 0.38632873, -0.07717452};
  p.material = {0.8, 0.95};
  for (const double w22 : {1e4, 1e10, 1e20, 1e30, 1e34, 1e60}) {
    p.space.inverse_inertia << 11.5984, -0.910367, 2.44236, -0.910367, w22, 1.95747, 2.44236, 1.95747, 2.59042;
    for (const auto law : laws) {
      p.law = law;
      expect_sound(p);
      EXPECT_TRUE(spatial_impact(p).flags.none()) << w22;
      SpatialOutcome batch;
      spatial_outcomes(std::span(&p, 1), std::span(&batch, 1));
      const auto one = spatial_outcome(p);
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(batch.impulse[i], one.impulse[i], 1e-10 * std::abs(one.impulse[i])) << w22 << " axis " << i;
    }
  }
}

CompliantProblem light_sideways(double w11) {
  CompliantProblem p;
  p.space.inverse_inertia << w11, 0.2, 0.5, 0.2, 3, 0.3, 0.5, 0.3, 1;
  p.space.velocity = {-1, 0.5, -2};
  p.material = {0.4, 0.5};
  p.stiffness_ratio_root = 1.1;
  return p;
}

// The lighter the contact sideways, the faster it swings there, and the less that matters to the rest.
TEST(Extremes, CompliantContactsLightSidewaysEnd) {
  for (const double w11 : {1e4, 1e6, 1e8, 1e10, 1e12, 1e13, 1e20, 1e40, 1e200}) {
    const CompliantProblem p = light_sideways(w11);
    expect_sound(p);
    const auto r = compliant_outcome(p);
    EXPECT_EQ(r.verdict == Verdict::event_limit, r.flags.has(Flag::event_limit)) << w11;
    if (r.verdict == Verdict::separated) {
      EXPECT_NEAR(r.impulse[2], 3.1837, 1e-4) << w11;
    }
    if (w11 <= 1e10) {
      EXPECT_EQ(r.verdict, Verdict::separated) << w11;
      EXPECT_LE(std::abs(r.energy.imbalance()), 1e-13 * r.energy.before) << w11;
    }
  }
}

// Each of its thousands of short slips ends at an event, and the solutions that find it are work as well: with them
// uncounted the run went on to 55,000 events.
TEST(Extremes, CompliantSlipTowardsEventsIsCounted) {
  CompliantProblem p;
  p.space.inverse_inertia << 50931304371620.78, 0, 0, 0, 3.5, -0.2640894464377574, 0, -0.2640894464377574, 1;
  p.space.velocity = {-1, 0, -1.1274136782897105e-12};
  p.material = {0.4, 0.5};
  p.stiffness_ratio_root = 4.0;
  const auto r = compliant_outcome(p);
  EXPECT_EQ(r.verdict, Verdict::event_limit);
  EXPECT_GT(r.event_count, 20'000u);
  EXPECT_LT(r.event_count, 30'000u);
}

// Restitution whose square is below the range of doubles gives nothing back; it once sent the bodies apart at 175 times
// the speed they came with, where slip is fast enough.
TEST(Extremes, RestitutionTooSmallToSquare) {
  SpatialProblem p;
  p.space.inverse_inertia << 1.8860199081678153e-26, 5.01080534149993e-23, -1.9211051578609837e-11,
      5.01080534149993e-23, 3.5804835341323149e-18, 1.9966029159668069e-07, -1.9211051578609837e-11,
      1.9966029159668069e-07, 124943.30338548726;
  p.space.velocity = {-9.5809670676169029e-23, 1.5188586557158176e+20, -1.2684325592055159};
  for (const RestitutionLaw law : laws) {
    p.law = law;
    p.material = {0.17304078105153017, 0.0};
    const Eigen::Vector3d none = spatial_impact(p).impulse;
    for (const double e : {std::numeric_limits<double>::denorm_min(), 1e-206, 1e-162, 1e-155}) {
      p.material.restitution = e;
      EXPECT_LE((spatial_impact(p).impulse - none).norm(), 1e-14 * none.norm()) << name(law) << ' ' << e;
    }
  }
}

// Slip that leaves no room for the approach in the range of doubles: the impulse is right, or the answer says that it
// is lost.
TEST(Extremes, ApproachLostBesideSlipIsFlagged) {
  SpatialProblem p;
  p.space.inverse_inertia << 5.4, 2.4, 3.7, 2.4, 3.4, 0.01, 3.7, 0.01, 8.4;
  p.material = {0.88, 0.0};
  p.space.velocity = {1e100, 0.5, -4.3e-20};
  const Eigen::Vector3d impulse = spatial_outcome(p).impulse;
  for (const double slip : {1e150, 1e200, 1e250, 1e270, 1e300, largest}) {
    p.space.velocity[0] = slip;
    const std::vector<SpatialProblem> rows(5, p);
    std::vector<SpatialOutcome> batch(5);
    spatial_outcomes(rows, batch);
    const SpatialOutcome one = spatial_outcome(p);
    for (const SpatialOutcome& r : {one, batch[0]}) {
      EXPECT_EQ(r.flags.has(Flag::overflow), slip > 1e250) << slip;
      if (slip <= 1e250) {
        EXPECT_LE((r.impulse - impulse).norm(), 1e-12 * impulse.norm()) << slip;
      }
    }
    EXPECT_EQ(spatial_impact(p).flags.has(Flag::overflow), slip > 1e150) << slip;  // energies overflow earlier
  }
}

/// Numbers over the whole range, W of any condition, all laws.
class Scan {
public:
  explicit Scan(std::uint64_t seed) : random_(seed) {}

  template <int N>
  BasicContactSpace<N> space() {
    BasicContactSpace<N> out;
    Eigen::Matrix<double, N, N> a;
    for (double& x : a.reshaped()) x = std::normal_distribution<double>()(random_);
    out.inverse_inertia = a * a.transpose() + 0.05 * Eigen::Matrix<double, N, N>::Identity();
    const double grade = chance(0.5) ? 0.0 : 15.0;
    Eigen::Matrix<double, N, 1> scale;
    for (double& x : scale) x = std::pow(10.0, uniform(-grade, grade));
    out.inverse_inertia = scale.asDiagonal() * out.inverse_inertia * scale.asDiagonal();
    if (chance(0.3)) out.inverse_inertia *= std::pow(10.0, uniform(-260, 260));
    for (double& x : out.velocity) x = std::normal_distribution<double>()(random_);
    out.velocity[N - 1] = -std::abs(out.velocity[N - 1]);
    for (double& x : out.velocity)
      if (chance(0.2)) x *= chance(0.2) ? 0.0 : std::pow(10.0, uniform(-30, 30));
    if (chance(0.3)) out.velocity *= std::pow(10.0, uniform(-300, 270));
    if (chance(0.05)) out.velocity[0] = chance(0.5) ? largest : std::numeric_limits<double>::denorm_min();
    return out;
  }
  Material material() {
    return {chance(0.3)   ? std::pow(10.0, uniform(-300, 308))
            : chance(0.1) ? largest
                          : uniform(0, 1.2),
            chance(0.1)   ? 0.0
            : chance(0.1) ? 1.0
            : chance(0.1) ? std::pow(10.0, uniform(-320, 0))
                          : uniform(0, 1)};
  }
  RestitutionLaw law() { return laws[std::uniform_int_distribution<std::size_t>(0, 2)(random_)]; }
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  bool chance(double p) { return uniform(0, 1) < p; }

private:
  std::mt19937_64 random_;
};

void scan(std::uint64_t seed, int trials) {
  Scan random(seed);
  std::vector<SpatialProblem> problems;
  int refused = 0;
  for (int i = 0; i < trials && !::testing::Test::HasFailure(); ++i) {
    try {
      PlanarProblem p;
      p.space = random.space<2>();
      p.material = random.material();
      p.law = random.law();
      expect_sound(p);
      SpatialProblem s;
      s.space = random.space<3>();
      s.material = random.material();
      s.law = random.law();
      expect_sound(s);
      problems.push_back(s);
      CompliantProblem c;
      c.space = random.space<3>();
      c.material = random.material();
      c.stiffness_ratio_root = random.chance(0.2) ? std::pow(10.0, random.uniform(-3, 300)) : random.uniform(0.5, 1.5);
      if (i % 32 == 0) expect_sound(c);
    } catch (const InvalidInput&) {
      ++refused;
    }
  }
  EXPECT_LT(refused, trials / 4);
  std::vector<SpatialOutcome> batch(problems.size());
  spatial_outcomes(problems, batch);
  for (std::size_t i = 0; i < problems.size() && !::testing::Test::HasFailure(); ++i) {
    const auto one = spatial_outcome(problems[i]);
    SCOPED_TRACE(text(problems[i].space.inverse_inertia, problems[i].space.velocity, problems[i].material) + " law " +
                 name(problems[i].law));
    EXPECT_EQ(batch[i].verdict, one.verdict);
    EXPECT_EQ(batch[i].flags.has(Flag::overflow), one.flags.has(Flag::overflow));
    EXPECT_EQ(batch[i].flags.has(Flag::ill_conditioned), one.flags.has(Flag::ill_conditioned));
    if (one.flags.has(Flag::overflow) || one.flags.has(Flag::ill_conditioned)) continue;
    EXPECT_LE((batch[i].impulse - one.impulse).norm(), 1e-10 * one.impulse.norm());
  }
}

TEST(Extremes, EveryRowIsRightOrFlagged) { scan(81, 2000); }
TEST(SlowSpatialExtremes, EveryRowIsRightOrFlagged) { scan(82, 20'000); }

}  // namespace
}  // namespace carom::testing
