// The impact in space: numbers of the text, closed forms, limits, edge cases, traces, batches.
#include "carom/impact/spatial.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <numbers>

#include "carom/core/error.hpp"

#include "impact/spatial_cases.hpp"

namespace carom::testing {
namespace {

using enum EventType;

Eigen::Matrix3d symmetric(double a, double b, double c, double d, double e, double f) {
  Eigen::Matrix3d w;
  w << a, b, c, b, d, e, c, e, f;
  return w;
}

/// Icosahedron on tetrahedron, W as printed (Wang 2017, eq. 2.12); V1z as in the text, its .95 by default. The contact
/// velocity is V1 - V2 + (-.06197634, -.01367127, -.02717452), recovered from the text's own results.
SpatialProblem icosahedron(double mu, double v1z, Eigen::Vector2d v1 = {-.1, .5}) {
  SpatialProblem p;
  p.space.inverse_inertia = symmetric(11.5984, -.910367, 2.44236, 9.90134, 1.95747, 2.59042);
  p.space.velocity =
      Eigen::Vector3d(v1[0] - .1, v1[1] - .1, v1z - 1) + Eigen::Vector3d(-.06197634, -.01367127, -.02717452);
  p.material = {mu, .95};
  return p;
}

std::vector<EventType> types(const SpatialImpact& r) {
  std::vector<EventType> out;
  for (const auto& e : r.events) out.push_back(e.type);
  return out;
}
using Types = std::vector<EventType>;

// --- numbers of the text -----------------------------------------------------------------------------------------

TEST(Spatial, IcosahedronOnTetrahedron) {
  // 30-digit computation with the printed W; the text's (2.14) carries the error of 106 Euler steps.
  const auto r = spatial_impact(icosahedron(.8, .95));
  const Eigen::Vector3d expected(-.003383096, -.059338170, .101211669);
  EXPECT_LE((r.impulse - expected).cwiseAbs().maxCoeff(), 3e-9);
  EXPECT_LE((r.impulse - Eigen::Vector3d(-.00326657, -.0592263, .1007)).norm(), 1e-3);  // printed (2.14)
  EXPECT_EQ(r.process, SpatialCase::slip_ends_in_restitution);
  EXPECT_EQ(types(r), (Types{start_slip, compression_ends, slip_ends, separates}));
}

TEST(Spatial, PinAndBall) {
  SpatialProblem p;
  p.space.inverse_inertia = symmetric(1.55465, .00238675, -.360808, 5.15191, -.00313296, 1.105);
  p.space.velocity << -.2069135, .1102884, -1.5068927;
  p.material = {.7, .7};
  const auto r = spatial_impact(p);
  EXPECT_LE((r.impulse - Eigen::Vector3d(.7330647, -.0201749, 2.585024)).cwiseAbs().maxCoeff(), 6e-7);  // 30 digits
}

TEST(Spatial, StickingThresholdOfTheText) {
  // |B^-1 d| decides between stick and resumed slip: .31570 with the printed W, .32696 with the physical one.
  const Eigen::Matrix3d printed = icosahedron(.8, .95).space.inverse_inertia;
  const Eigen::Matrix3d physical = symmetric(10.7153, .49858, 2.59259, 10.7153, 2.59259, 2.81481);
  const auto threshold = [](const Eigen::Matrix3d& w) {
    const Eigen::Matrix2d b = w.topLeftCorner<2, 2>();
    const Eigen::Vector2d d = w.topRightCorner<2, 1>();
    return b.inverse().eval().operator*(d).norm();
  };
  EXPECT_NEAR(threshold(printed), .31570, 5e-6);
  EXPECT_NEAR(threshold(physical), .32696, 5e-6);
  for (const auto& w : {printed, physical}) {
    EXPECT_FALSE(resumed_slip(w, threshold(w) * 1.000001).centrifugal);
    EXPECT_TRUE(resumed_slip(w, threshold(w) * 0.999999).centrifugal);
  }
}

TEST(Spatial, CasesOfTheFigures) {
  // Section 2.6.2: figures 2.5a and 2.5d. Those within the text's tolerance: spatial_methods_test.cpp.
  EXPECT_EQ(spatial_outcome(icosahedron(.8, .95)).process, SpatialCase::slip_ends_in_restitution);
  EXPECT_EQ(spatial_outcome(icosahedron(3, .5)).process, SpatialCase::slip_ends_in_compression);
}

TEST(Spatial, Figure28NeverReachesZeroSlip) {
  const SpatialProblem p = icosahedron(.25, -.5, {-.7, -.35});
  EXPECT_EQ(spatial_outcome(p).process, SpatialCase::curved_slip);
  double least = 1e9;
  for (const auto& s : spatial_path(p, 400)) least = std::min(least, s.velocity.head<2>().norm());
  EXPECT_NEAR(least, .00439, 1e-5);  // 30-digit computation
}

// --- closed forms ------------------------------------------------------------------------------------------------

TEST(Spatial, SphereOnPlane) {
  // W = diag(7/2, 7/2, 1)/m: slip is straight, I_n = (1+e)|v_n|, sticks once mu I_n >= 2|gamma|/7 (closed form).
  for (const auto law : {RestitutionLaw::newton, RestitutionLaw::poisson, RestitutionLaw::energetic}) {
    SpatialProblem p;
    p.law = law;
    p.space.inverse_inertia = Eigen::Vector3d(3.5, 3.5, 1).asDiagonal();
    p.space.velocity << 3, 4, -2;
    p.material = {.1, .5};
    auto r = spatial_impact(p);
    EXPECT_LE((r.impulse - Eigen::Vector3d(-.18, -.24, 3)).norm(), 1e-15);
    EXPECT_EQ(types(r), (Types{start_slip, straight_slip, compression_ends, separates}));
    EXPECT_EQ(r.process, SpatialCase::straight_slip);
    p.material.friction = 5;
    r = spatial_impact(p);
    EXPECT_LE((r.impulse - Eigen::Vector3d(-6. / 7, -8. / 7, 3)).norm(), 2e-15);
    EXPECT_EQ(types(r), (Types{start_slip, straight_slip, slip_ends, compression_ends, separates}));
    EXPECT_EQ(r.velocity_after, Eigen::Vector3d(0, 0, 1));
    p.material.friction = .6;
    EXPECT_EQ(types(spatial_impact(p)), (Types{start_slip, straight_slip, compression_ends, slip_ends, separates}));
  }
}

/// Planar impact in closed form by brute event order, decoupled plane: W = [[a, 0, b], [0, c, 0], [b, 0, w]].
Eigen::Vector2d planar_newton(double a, double b, double w, double vt, double vn, double mu, double e) {
  double it = 0, in = 0, g = vt, n = vn;
  const double target = -e * vn;
  for (int piece = 0; piece < 3 && n < target; ++piece) {
    double s = g > 0 ? -mu : g < 0 ? mu : 0;
    if (g == 0) {
      const double stick = -b / a;
      s = std::abs(stick) <= mu ? stick : b > 0 ? -mu : mu;  // sticks, or slips the way the normal impulse pushes
    }
    const double gr = b + a * s, nr = w + b * s;
    double x = nr > 0 ? (target - n) / nr : 1e300;
    if (g * gr < 0) x = std::min(x, -g / gr);
    const bool stops = g * gr < 0 && x == -g / gr;
    it += s * x;
    in += x;
    g = stops ? 0 : g + gr * x;
    n += nr * x;
  }
  return {it, in};
}

TEST(Spatial, DecoupledPlaneGivesThePlanarAnswer) {
  SpatialCases cases(41);
  for (int i = 0; i < 5000; ++i) {
    const double a = cases.uniform(.5, 4), w = cases.uniform(.5, 4), b = cases.uniform(-.95, .95) * std::sqrt(a * w);
    SpatialProblem p;
    p.law = RestitutionLaw::newton;
    p.space.inverse_inertia = symmetric(a, 0, b, cases.uniform(.5, 4), 0, w);
    p.space.velocity << cases.uniform(-2, 2), 0, -cases.uniform(.1, 2);
    p.material = {cases.uniform(0, 2), cases.uniform(0, 1)};
    const auto r = spatial_outcome(p);
    const Eigen::Vector2d expected =
        planar_newton(a, b, w, p.space.velocity[0], p.space.velocity[2], p.material.friction, p.material.restitution);
    ASSERT_LE(std::abs(r.impulse[1]), 1e-14 * r.impulse.norm());
    ASSERT_LE((Eigen::Vector2d(r.impulse[0], r.impulse[2]) - expected).norm(), 1e-12 * expected.norm()) << "case " << i;
  }
}

TEST(Spatial, WithoutFrictionOnlyTheNormalCounts) {
  SpatialCases cases(42);
  for (int i = 0; i < 2000; ++i) {
    SpatialProblem p = cases.next(Family::coupled);
    p.material.friction = 0;
    const auto r = spatial_impact(p);
    const double expected = -(1 + p.material.restitution) * p.space.velocity[2] / p.space.inverse_inertia(2, 2);
    ASSERT_LE((r.impulse - Eigen::Vector3d(0, 0, expected)).norm(), 1e-14 * expected);
    // and a trace of friction changes next to nothing
    p.material.friction = 1e-13;
    ASSERT_LE((spatial_outcome(p).impulse - r.impulse).norm(), 1e-11 * expected);
  }
}

TEST(Spatial, StuckFromTheStart) {
  SpatialProblem p;
  p.space.inverse_inertia = symmetric(3, .2, .3, 4, -.1, 2);
  p.space.velocity << 0, 0, -1;
  p.material = {.9, .5};
  const auto r = spatial_impact(p);
  EXPECT_EQ(types(r), (Types{start_stick, compression_ends, separates}));
  EXPECT_EQ(r.process, SpatialCase::stick);
  // I = W^-1 (v_after - v), v_after = (0, 0, e): all three laws agree when the contact sticks
  EXPECT_LE((r.impulse - p.space.inverse_inertia.inverse() * Eigen::Vector3d(0, 0, 1.5)).norm(), 1e-15);
}

TEST(Spatial, SlipFromRestTakesTheCentrifugalDirection) {
  SpatialProblem p;
  p.space.inverse_inertia = symmetric(2, .3, 1.2, 3, .9, 2);
  p.space.velocity << 0, 0, -1;
  p.material = {.1, .8};
  const auto r = spatial_impact(p);
  EXPECT_EQ(types(r), (Types{start_slip, compression_ends, separates}));
  EXPECT_EQ(r.process, SpatialCase::slip_from_rest);
  const auto u = resumed_slip(p.space.inverse_inertia, .1);
  EXPECT_LE((r.impulse.head<2>() + .1 * r.impulse[2] * u.direction).norm(), 1e-15);
  EXPECT_LE((r.velocity_after.head<2>() - u.rate * r.impulse[2] * u.direction).norm(), 1e-15);
}

TEST(Spatial, SlipEndsAndResumes) {
  // along the centripetal invariant direction with |p| > mu: to rest, then away (text, figure 2.9, gamma_2)
  SpatialProblem p;
  p.space.inverse_inertia = symmetric(2, .3, 1.2, 3, .9, 2);
  p.material = {.1, .8};
  for (const auto& d : invariant_directions(p.space.inverse_inertia, .1).directions) {
    if (d.centrifugal) continue;
    p.space.velocity << .1 * d.direction, -1;
    const auto r = spatial_impact(p);
    EXPECT_EQ(types(r), (Types{start_slip, straight_slip, slip_ends, slip_resumes, compression_ends, separates}));
    EXPECT_EQ(r.process, SpatialCase::straight_ends_in_compression);
  }
}

// --- edge cases --------------------------------------------------------------------------------------------------

TEST(Spatial, NoImpactWithoutApproach) {
  SpatialProblem p;
  p.space.velocity << 1, 2, .5;
  auto r = spatial_impact(p);
  EXPECT_EQ(r.verdict, Verdict::no_impact);
  EXPECT_EQ(r.velocity_after, p.space.velocity);
  EXPECT_TRUE(r.events.empty());
  EXPECT_EQ(r.energy.before, r.energy.after);
  p.space.velocity << 1, 2, 0;
  EXPECT_EQ(spatial_outcome(p).verdict, Verdict::no_impact);
  p.space.velocity.setZero();
  EXPECT_EQ(spatial_outcome(p).verdict, Verdict::no_impact);
}

TEST(Spatial, TangentialImpact) {
  // v_n = 0 and w < mu d.gamma^: friction pulls the bodies together. Decoupled plane, a = 2, b = 1, w = 1, mu = 3:
  // slip stops after I_n = g/(mu a - b) = .2; v_n falls to .2 (1 - 3) = -.4; stuck, c = w - b^2/a = .5, I_c = 1.
  SpatialProblem p;
  p.space.inverse_inertia = symmetric(2, 0, 1, 2, 0, 1);
  p.space.velocity << 1, 0, 0;
  p.material = {3, .5};
  p.law = RestitutionLaw::poisson;
  const auto r = spatial_impact(p);
  EXPECT_EQ(r.verdict, Verdict::separated);
  EXPECT_TRUE(r.flags.has(Flag::jamb));
  EXPECT_NEAR(r.impulse[2], 1.5, 1e-14);
  EXPECT_EQ(types(r), (Types{start_slip, straight_slip, slip_ends, compression_ends, separates}));
  p.law = RestitutionLaw::newton;
  const auto n = spatial_impact(p);
  EXPECT_NEAR(n.impulse[2], 1.0, 1e-14);
  EXPECT_EQ(n.velocity_after[2], 0.0);
  p.material.friction = 1;  // exactly at the border: w = mu d.gamma^
  EXPECT_EQ(spatial_impact(p).verdict, Verdict::no_impact);
  EXPECT_TRUE(spatial_impact(p).flags.has(Flag::marginal));
}

TEST(Spatial, PlasticImpactEndsAtTheEndOfCompression) {
  SpatialCases cases(43);
  for (int i = 0; i < 1000; ++i) {
    SpatialProblem p = cases.next();
    p.material.restitution = 0;
    const auto r = spatial_impact(p);
    ASSERT_EQ(r.velocity_after[2], 0.0);
    ASSERT_EQ(r.events[r.events.size() - 2].type, compression_ends);
    p.law = static_cast<RestitutionLaw>((static_cast<int>(p.law) + 1) % 3);
    ASSERT_EQ(spatial_outcome(p).impulse, r.impulse);  // all laws agree, to the bit
  }
}

TEST(Spatial, JambAndRecompressionHappenAndBalance) {
  SpatialCases cases(44);
  int jambs = 0, again = 0;
  for (int i = 0; i < 200'000 && again < 10; ++i) {
    SpatialProblem p = cases.next(Family::coupled, 100.0);
    p.material.friction = cases.uniform(.5, 3);
    p.law = i % 2 ? RestitutionLaw::energetic : RestitutionLaw::poisson;
    const auto r = spatial_impact(p);
    jambs += r.flags.has(Flag::jamb);
    if (!r.flags.has(Flag::recompression)) continue;
    ++again;
    ASSERT_EQ(std::count_if(r.events.begin(), r.events.end(), [](const auto& e) { return e.type == compression_ends; }),
              2);
    // Poisson: e times the impulse of both compressions is given back
    if (p.law == RestitutionLaw::poisson) {
      double compression = 0, last = 0;
      for (const auto& e : r.events) {
        if (e.type == recompression_begins) last = e.impulse[2];
        if (e.type == compression_ends) compression += e.impulse[2] - last;
      }
      ASSERT_NEAR(r.impulse[2], (1 + p.material.restitution) * compression, 1e-12 * r.impulse[2]);
    }
  }
  EXPECT_GT(jambs, 100);
  EXPECT_GT(again, 5);
}

TEST(Spatial, HugeAndTinyUnits) {
  SpatialProblem p = icosahedron(.8, .95);
  const auto r = spatial_outcome(p);
  for (const double v : {1e-290, 1e-100, 1e100, 1e290})
    for (const double w : {1e-15, 1e15}) {
      SpatialProblem q = p;
      q.space.velocity *= v;
      q.space.inverse_inertia *= w;
      EXPECT_LE((spatial_outcome(q).impulse / v * w - r.impulse).norm(), 1e-12 * r.impulse.norm()) << v << ' ' << w;
    }
  p.space.velocity *= 1e300;
  p.space.inverse_inertia *= 1e-20;
  EXPECT_TRUE(spatial_impact(p).flags.has(Flag::overflow));
}

TEST(Spatial, GrazingVelocitiesKeepTheirDigits) {
  // I(v_n -> 0): slip hardly changes, so I_n (1 + ...) = -(1+e) v_n / (w - mu d.u) to first order in v_n
  SpatialProblem p = icosahedron(.3, .95);
  p.space.velocity << -.3, .4, -1e-200;
  const Eigen::Vector2d u(-.6, .8);
  const double rise = 2.59042 - .3 * (2.44236 * u[0] + 1.95747 * u[1]);
  EXPECT_NEAR(spatial_outcome(p).impulse[2] * rise / 1e-200, 1.95, 1e-12);
}

TEST(Spatial, RefusesBadInput) {
  const auto field = [](SpatialProblem p) -> std::string {
    try {
      spatial_impact(p);
    } catch (const InvalidInput& e) {
      return e.field();
    }
    return "";
  };
  SpatialProblem p = icosahedron(.8, .95);
  EXPECT_EQ(field(p), "");
  p.material.friction = -1;
  EXPECT_EQ(field(p), "friction");
  p = icosahedron(.8, .95);
  p.material.restitution = 1.1;
  EXPECT_EQ(field(p), "restitution");
  p = icosahedron(.8, .95);
  p.space.inverse_inertia(2, 2) = .1;
  EXPECT_EQ(field(p), "inverse_inertia");
  p = icosahedron(.8, .95);
  p.space.velocity[1] = std::nan("");
  EXPECT_EQ(field(p), "velocity");
}

// --- directions and drawing --------------------------------------------------------------------------------------

TEST(Spatial, InvariantDirectionsObeyTheTheorem) {
  SpatialCases cases(45);
  int four = 0;
  for (int i = 0; i < 5000; ++i) {
    const Eigen::Matrix3d w = i % 2 ? cases.physical_w() : cases.coupled_w(100);
    const double mu = cases.log_uniform(.01, 10);
    const auto all = invariant_directions(w, mu);
    ASSERT_TRUE(all.directions.size() == 2 || all.directions.size() == 4) << i << ' ' << all.directions.size();
    four += all.directions.size() == 4;
    const Eigen::Matrix2d b = w.topLeftCorner<2, 2>();
    const Eigen::Vector2d d = w.topRightCorner<2, 1>(), p = b.inverse() * d;
    int centrifugal = 0, attracting = 0;
    for (const auto& s : all.directions) {
      const Eigen::Vector2d f = d - mu * b * s.direction;
      ASSERT_LE(std::abs(s.direction[0] * f[1] - s.direction[1] * f[0]), 1e-12 * (d.norm() + mu * b.norm()));
      ASSERT_NEAR(s.direction.dot(f), s.rate, 1e-12 * (d.norm() + mu * b.norm()));
      attracting += s.turning_rate < 0;
      if (!s.centrifugal) continue;
      ++centrifugal;
      const auto u = resumed_slip(w, mu);
      ASSERT_LE((u.direction - s.direction).norm(), 1e-9);
    }
    ASSERT_EQ(attracting * 2, static_cast<int>(all.directions.size()));
    ASSERT_EQ(centrifugal, p.norm() > mu ? 1 : 0) << i;
  }
  EXPECT_GT(four, 500);
  EXPECT_TRUE(invariant_directions(Eigen::Vector3d(3.5, 3.5, 1).asDiagonal(), .3).every_direction);
}

TEST(Spatial, HodographFollowsThePath) {
  SpatialCases cases(46);
  int compared = 0;
  for (int i = 0; i < 100; ++i) {
    SpatialProblem p = cases.next(i % 2 ? Family::bodies : Family::coupled);
    p.material.friction = cases.uniform(0.1, 1);
    const auto path = spatial_path(p, 16);
    double angle = std::atan2(p.space.velocity[1], p.space.velocity[0]);
    for (const auto& s : path) {
      const Eigen::Vector2d g = s.velocity.head<2>();
      if (g.norm() < 1e-3 * p.space.velocity.head<2>().norm()) break;
      angle += std::remainder(std::atan2(g[1], g[0]) - angle, 2 * std::numbers::pi);
      const double r = hodograph_speed(p.space.inverse_inertia, p.material.friction, p.space.velocity.head<2>(), angle);
      if (std::isnan(r)) break;
      // ill-conditioned near an invariant direction: judge where the angle still moves
      const Eigen::Vector2d f = p.space.inverse_inertia.topRightCorner<2, 1>() -
                                p.material.friction * p.space.inverse_inertia.topLeftCorner<2, 2>() * g.normalized();
      if (std::abs(g[0] * f[1] - g[1] * f[0]) < 1e-2 * g.norm() * f.norm()) break;
      ASSERT_NEAR(r, g.norm(), 1e-9 * g.norm()) << "case " << i;
      ++compared;
    }
  }
  EXPECT_GT(compared, 1000);
}

TEST(Spatial, PathEndsWhereTheImpactDoes) {
  SpatialCases cases(47);
  for (int i = 0; i < 500; ++i) {
    const SpatialProblem p = cases.next();
    const auto path = spatial_path(p, 8);
    const auto r = spatial_outcome(p);
    ASSERT_EQ(path.back().impulse, r.impulse);
    ASSERT_EQ(path.front().impulse, Eigen::Vector3d::Zero());
    for (std::size_t k = 0; k + 1 < path.size(); ++k) {
      ASSERT_LE(path[k].impulse[2], path[k + 1].impulse[2] * (1 + 1e-12));
      ASSERT_LE((p.space.velocity + p.space.inverse_inertia * path[k].impulse - path[k].velocity).norm(),
                1e-11 * (p.space.velocity.norm() + (p.space.inverse_inertia * path[k].impulse).norm()));
    }
  }
}

// --- batches -----------------------------------------------------------------------------------------------------

TEST(Spatial, BatchGivesTheSameBitsOnAnyNumberOfThreads) {
  SpatialCases cases(48);
  std::vector<SpatialProblem> problems;
  for (int i = 0; i < 4000; ++i) problems.push_back(cases.next());
  problems[17].material.friction = -1;
  problems[18].space.inverse_inertia.setZero();
  problems[19].space.velocity[0] = std::nan("");
  std::vector<SpatialOutcome> one(problems.size()), many(problems.size());
  spatial_outcomes(problems, one, 1);
  for (const int threads : {2, 3, 8}) {
    spatial_outcomes(problems, many, threads);
    for (std::size_t i = 0; i < one.size(); ++i) {
      ASSERT_EQ(std::memcmp(one[i].impulse.data(), many[i].impulse.data(), 3 * sizeof(double)), 0);
      ASSERT_EQ(one[i].verdict, many[i].verdict);
    }
  }
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (i >= 17 && i <= 19) {
      ASSERT_EQ(one[i].verdict, Verdict::invalid);
      continue;
    }
    const auto full = spatial_impact(problems[i]);
    const auto single = spatial_outcome(problems[i]);
    ASSERT_EQ(full.impulse, single.impulse);
    ASSERT_EQ(full.velocity_after, single.velocity_after);
    ASSERT_EQ(full.process, single.process);
    ASSERT_LE((full.impulse - one[i].impulse).norm(), 1e-11 * full.impulse.norm());  // differently rounded sums
    ASSERT_EQ(full.process, one[i].process);
  }
  EXPECT_THROW(spatial_outcomes(problems, std::span(many).first(1)), InvalidInput);
}

}  // namespace
}  // namespace carom::testing
