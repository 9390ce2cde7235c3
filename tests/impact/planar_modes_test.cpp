// The thresholds of Wang and Mason 1992 against the modes that planar_impact() finds, their printed numbers, and the
// map of modes. The rod is that of section 6: B1 = B2 = 2.5, B3 = 1.5.
#include "carom/impact/planar_modes.hpp"

#include <gtest/gtest.h>

#include "carom/core/error.hpp"
#include "carom/impact/impulse_space.hpp"

#include "impact/falling_rod.hpp"
#include "impact/planar_random.hpp"

namespace carom {
namespace {

using Eigen::Vector2d;
using testing::random_planar_problem;

PlanarProblem falling_rod(double s0, double c0, double mu, double e) {
  return testing::falling_rod(s0, c0, mu, e, RestitutionLaw::poisson);
}

Eigen::Matrix2d rod_inertia() { return falling_rod(0, -1, 0, 0).space.inverse_inertia; }

bool is_sticking(PlanarMode mode) { return mode == PlanarMode::c_sticking || mode == PlanarMode::r_sticking; }
bool ends_early(PlanarMode mode) { return mode == PlanarMode::c_sticking || mode == PlanarMode::c_reversed; }

// Section 6: mu_s = -.6; case 3: mu_d = (3(1+e)+5)/(5(1+e)+3), mu_q = 1; case 4: 5/3.
TEST(PlanarThresholds, PrintedNumbersOfTheFallingRod) {
  for (const double e : {0.0, 0.5, 1.0}) {
    const PlanarThresholds t = planar_thresholds(falling_rod(-1, -1, 0.95, e));
    EXPECT_NEAR(t.mu_s, -0.6, 1e-15);
    EXPECT_NEAR(t.stick_friction, 0.6, 1e-15);
    EXPECT_NEAR(*t.mu_d, (3 * (1 + e) + 5) / (5 * (1 + e) + 3), 1e-15);
    EXPECT_NEAR(*t.mu_q, 1.0, 1e-15);
    EXPECT_NEAR(*t.slip_end_friction, *t.mu_d, 1e-15);  // S0 < 0: the printed comparison holds as it stands
    EXPECT_NEAR(*t.early_slip_end_friction, 1.0, 1e-15);
    EXPECT_NEAR(*t.jamb_friction, 5.0 / 3.0, 1e-15);
  }
  // wm.eq32_33.sign: for S0 = 1 L has the slope -mu, so -mu_d and -mu_q are what mu is compared with.
  const PlanarThresholds right = planar_thresholds(falling_rod(1, -1, 0.3, 0.5));
  EXPECT_NEAR(*right.mu_d, -0.1111111111111111, 1e-15);
  EXPECT_NEAR(*right.mu_q, -1.0, 1e-15);
  EXPECT_NEAR(*right.slip_end_friction, 0.1111111111111111, 1e-15);
  EXPECT_NEAR(*right.early_slip_end_friction, 1.0, 1e-15);
  EXPECT_FALSE(right.jamb_friction.has_value());
  // wm.direct.mud_muq: without slip both are B3/B1 = -mu_s.
  const PlanarThresholds direct = planar_thresholds(falling_rod(0, -1, 0.3, 0.5));
  EXPECT_NEAR(*direct.mu_d, 0.6, 1e-15);
  EXPECT_NEAR(*direct.mu_q, 0.6, 1e-15);
  EXPECT_FALSE(direct.slip_end_friction.has_value());
  // By hand: P_d = (2.5 - .95 * 1.5), P_q = (.95 * 2.5 - 1.5).
  const PlanarThresholds p = planar_thresholds(falling_rod(-1, -1, 0.95, 0.5));
  EXPECT_NEAR(p.p_d, 1.075, 1e-15);
  EXPECT_NEAR(p.p_q, 0.875, 1e-15);
}

// Table 1 with the signs put right, for every slip and coupling.
TEST(PlanarThresholds, DecideTheModeOfEveryImpact) {
  std::mt19937_64 rng(20);
  int decided = 0, reversed = 0;
  for (int i = 0; i < 20000; ++i) {
    PlanarProblem problem = random_planar_problem(rng, RestitutionLaw::poisson);
    const PlanarThresholds t = planar_thresholds(problem);
    const double mu = problem.material.friction, e = problem.material.restitution;
    const PlanarMode mode = planar_outcome(problem).mode;
    const auto clear = [&](double border) { return std::abs(mu - border) > 1e-9 * (1.0 + mu); };
    if (!clear(t.stick_friction) || !clear(t.slip_end_friction.value_or(-1)) ||
        !clear(t.early_slip_end_friction.value_or(-1)))
      continue;
    ++decided;
    const bool ends = t.slip_end_friction && mu > *t.slip_end_friction;
    EXPECT_EQ(ends, mode != PlanarMode::sliding);
    EXPECT_EQ(ends, !(t.p_q <= 0.0) && t.p_d < (1.0 + e) * t.p_q);
    if (!ends) continue;
    EXPECT_EQ(mu > t.stick_friction, is_sticking(mode));
    EXPECT_EQ(t.early_slip_end_friction && mu > *t.early_slip_end_friction, ends_early(mode));
    EXPECT_EQ(t.p_d < t.p_q, ends_early(mode));
    if (!is_sticking(mode)) ++reversed;
  }
  EXPECT_GT(decided, 19000);
  EXPECT_GT(reversed, 300);
}

TEST(PlanarThresholds, SlidingWithoutApproachIsAnImpactFromTheJambFrictionOn) {
  std::mt19937_64 rng(21);
  int jams = 0;
  for (int i = 0; i < 5000; ++i) {
    PlanarProblem problem = random_planar_problem(rng, RestitutionLaw::energetic);
    problem.space.velocity[1] = 0.0;
    const auto jamb = planar_thresholds(problem).jamb_friction;
    problem.material.friction = jamb ? *jamb * (1.0 + 1e-12) : 1e6;
    EXPECT_EQ(planar_outcome(problem).verdict, jamb ? Verdict::separated : Verdict::no_impact);
    if (!jamb) continue;
    ++jams;
    problem.material.friction = *jamb * (1.0 - 1e-12);
    EXPECT_EQ(planar_outcome(problem).verdict, Verdict::no_impact);
  }
  EXPECT_GT(jams, 1000);
}

// D and Q: sticking meets termination and maximum compression. Case 3, e = .5: Q (1, 1), D (1.1875, 1.3125) (Fig. 9);
// case 4: Q (.125, .075) (Fig. 10).
TEST(RouthLines, PointsDAndQ) {
  const RouthLines lines = routh_lines(falling_rod(-1, -1, 0.95, 0.5));
  EXPECT_NEAR((lines.rest - Vector2d(1.0, 1.0)).norm(), 0.0, 1e-14);
  EXPECT_NEAR((lines.rebound.value() - Vector2d(1.1875, 1.3125)).norm(), 0.0, 1e-14);
  EXPECT_NEAR((routh_lines(falling_rod(-0.2, 0, 2, 0.7)).rest - Vector2d(0.125, 0.075)).norm(), 0.0, 1e-15);
  EXPECT_FALSE(routh_lines(falling_rod(-0.2, 0, 2, 0.7)).rebound.has_value());
  const PlanarThresholds t = planar_thresholds(falling_rod(-1, -1, 0.95, 0.5));
  EXPECT_NEAR(lines.rebound->x() / lines.rebound->y(), *t.mu_d, 1e-15);
}

TEST(SlipLimits, AreWhereTheModeChanges) {
  std::mt19937_64 rng(22);
  int found = 0;
  for (int i = 0; i < 5000; ++i) {
    PlanarProblem problem = random_planar_problem(rng, RestitutionLaw::newton);
    problem.space.velocity[1] = -1.0;
    for (const int direction : {1, -1}) {
      const SlipLimits limits = planar_slip_limits(problem.space.inverse_inertia, problem.material, direction);
      const auto mode_at = [&](double slip) {
        problem.space.velocity[0] = direction * slip;
        return planar_outcome(problem).mode;
      };
      if (limits.separation == 0.0) {
        EXPECT_EQ(mode_at(1e-6), PlanarMode::sliding);
        continue;
      }
      if (std::isinf(limits.separation)) {
        EXPECT_TRUE(ends_early(mode_at(1e6)));
        continue;
      }
      EXPECT_TRUE(ends_early(mode_at(limits.compression * (1.0 - 1e-9))));
      EXPECT_EQ(mode_at(limits.separation * (1.0 + 1e-9)), PlanarMode::sliding);
      if (limits.separation > limits.compression * (1.0 + 1e-6)) {
        ++found;
        EXPECT_FALSE(ends_early(mode_at(limits.compression * (1.0 + 1e-9))));
        EXPECT_NE(mode_at(limits.separation * (1.0 - 1e-9)), PlanarMode::sliding);
      }
    }
  }
  EXPECT_GT(found, 3000);
}

// Case 2: with sticking Newton's law gains above e = .8; with mu = .5, .3, .1 above .889737, .981822, .999705
// (wm.case2.newton.threshold, exact bisection).
TEST(NewtonGain, ThresholdsOfCase2) {
  const auto gains = [](double mu, double e) {
    for (const SlipRange& range : newton_gain_slips(rod_inertia(), {.friction = mu, .restitution = e}, 1))
      if (range.low < 0.6 && 0.6 < range.high) return true;
    return false;
  };
  for (const auto& [mu, e] :
       {std::pair{0.7, 0.8}, {0.5, 0.8897371686572334}, {0.3, 0.9818224471710754}, {0.1, 0.9997049301968781}}) {
    EXPECT_FALSE(gains(mu, e * (1.0 - 1e-6))) << mu;
    EXPECT_TRUE(gains(mu, e + 1e-6 * (1.0 - e))) << mu;
  }
  EXPECT_TRUE(newton_gain_slips(rod_inertia(), {.friction = 0.7, .restitution = 0.9}, -1).empty());
}

// Inside the ranges energy rises, outside it does not, and only where slip and coupling have one sign (s B3 > 0).
TEST(NewtonGain, RangesHoldAllGains) {
  std::mt19937_64 rng(23);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  int inside = 0, outside = 0;
  for (int i = 0; i < 3000; ++i) {
    PlanarProblem problem = random_planar_problem(rng, RestitutionLaw::newton);
    problem.material.restitution = 1.0 - 0.3 * unit(rng) * unit(rng);
    const int direction = unit(rng) < 0.5 ? 1 : -1;
    const SlipLimits limits = planar_slip_limits(problem.space.inverse_inertia, problem.material, direction);
    const auto ranges = newton_gain_slips(problem.space.inverse_inertia, problem.material, direction);
    for (int k = 0; k < 4; ++k) {
      const double slip = unit(rng) * (std::isfinite(limits.separation) ? limits.separation : 10.0);
      if (slip == 0.0) continue;
      problem.space.velocity = {direction * slip, -1.0};
      const PlanarImpact impact = planar_impact(problem);
      const double rise = (impact.energy.after - impact.energy.before) / impact.energy.before;
      if (std::abs(rise) < 1e-9) continue;
      bool within = false;
      for (const SlipRange& range : ranges) within = within || (range.low < slip && slip < range.high);
      EXPECT_EQ(within, rise > 0.0) << rise << " at " << slip;
      ++(within ? inside : outside);
    }
  }
  EXPECT_GT(inside, 100);
  EXPECT_GT(outside, 2000);
}

double twice_area(const std::vector<Vector2d>& corners) {
  double sum = 0.0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vector2d &a = corners[i], &b = corners[(i + 1) % corners.size()];
    sum += a.x() * b.y() - b.x() * a.y();
  }
  return std::abs(sum);
}

bool holds(const std::vector<Vector2d>& corners, const Vector2d& p) {
  bool inside = false;
  for (std::size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
    const Vector2d &a = corners[i], &b = corners[j];
    if ((a.y() > p.y()) != (b.y() > p.y()) && p.x() < (b.x() - a.x()) * (p.y() - a.y()) / (b.y() - a.y()) + a.x())
      inside = !inside;
  }
  return inside;
}

TEST(PlanarModeMap, CoversThePlaneWithTheModesThatHappen) {
  std::mt19937_64 rng(24);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (int i = 0; i < 12; ++i) {
    const PlanarProblem given =
        i == 0 ? falling_rod(0, -1, 0, 0.9) : random_planar_problem(rng, RestitutionLaw::newton);
    const Eigen::Matrix2d& w = given.space.inverse_inertia;
    const double e = given.material.restitution, friction_to = 2.4, slip_to = 2.0;
    const PlanarModeMap map = planar_mode_map(w, e, friction_to, slip_to);
    double area = 0.0;
    for (const ModeRegion& region : map.modes) area += 0.5 * twice_area(region.corners);
    EXPECT_NEAR(area, friction_to * 2.0 * slip_to, 0.01 * friction_to * slip_to);
    int right = 0, tried = 0, gains_right = 0;
    for (int k = 0; k < 400; ++k) {
      const Vector2d at(friction_to * unit(rng), slip_to * (2.0 * unit(rng) - 1.0));
      const PlanarProblem problem{.space = {w, {at.y(), -1.0}},
                                  .material = {.friction = at.x(), .restitution = e},
                                  .law = RestitutionLaw::newton};
      const PlanarImpact impact = planar_impact(problem);
      ++tried;
      for (const ModeRegion& region : map.modes)
        if (region.mode == impact.mode && holds(region.corners, at)) {
          ++right;
          break;
        }
      bool gain = false;
      for (const auto& corners : map.newton_gain) gain = gain || holds(corners, at);
      gains_right += gain == impact.flags.has(Flag::energy_gain);
    }
    EXPECT_GE(right, tried - 4);  // borders are straight between 400 places
    EXPECT_GE(gains_right, tried - 4);
  }
}

TEST(PlanarModeMap, RefusesWhatIsNoMap) {
  EXPECT_EQ(testing::refused_field([] { planar_mode_map(rod_inertia(), 1.5, 2, 2); }), "restitution");
  EXPECT_EQ(testing::refused_field([] { planar_mode_map(rod_inertia(), 0.5, 0, 2); }), "friction_to");
  EXPECT_EQ(testing::refused_field([] { planar_mode_map(rod_inertia(), 0.5, 1, -2); }), "slip_to");
  EXPECT_EQ(testing::refused_field([] { planar_mode_map(rod_inertia(), 0.5, 1, 2, 1); }), "samples");
  EXPECT_EQ(testing::refused_field([] { planar_mode_map(-rod_inertia(), 0.5, 1, 2); }), "inverse_inertia");
  EXPECT_EQ(testing::refused_field([] { planar_slip_limits(rod_inertia(), {}, 0); }), "direction");
}

}  // namespace
}  // namespace carom
