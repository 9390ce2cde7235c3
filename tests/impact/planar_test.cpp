#include "carom/impact/planar.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <vector>

#include "carom/core/error.hpp"

#include "impact/falling_rod.hpp"
#include "impact/planar_incremental.hpp"
#include "impact/planar_random.hpp"

namespace carom {
namespace {

using enum RestitutionLaw;
using testing::random_planar_problem;

constexpr RestitutionLaw all_laws[] = {newton, poisson, energetic};

PlanarProblem rod(double s0, double c0, double mu, double e, RestitutionLaw law) {
  return testing::falling_rod(s0, c0, mu, e, law);
}

std::vector<EventType> order_of(const PlanarImpact& impact) {
  std::vector<EventType> types;
  for (const auto& event : impact.events) types.push_back(event.type);
  return types;
}

// Case 1 of the paper: a direct impact slides for mu < 0.6 and sticks above.
TEST(PlanarRod, Case1DirectImpact) {
  for (const RestitutionLaw law : all_laws) {
    const PlanarImpact slides = planar_impact(rod(0, -1, 0.59, 0.5, law));
    EXPECT_EQ(slides.mode, PlanarMode::sliding);
    EXPECT_LT(slides.velocity_after[0], 0.0);
    EXPECT_TRUE(slides.classes.direct);
    const PlanarImpact sticks = planar_impact(rod(0, -1, 0.61, 0.5, law));
    EXPECT_EQ(sticks.mode, PlanarMode::c_sticking);
    EXPECT_EQ(sticks.velocity_after[0], 0.0);
    EXPECT_EQ(order_of(sticks),
              (std::vector{EventType::start_stick, EventType::compression_ends, EventType::separates}));
  }
}

// Case 2 in closed form: .4 + .625 e (the paper's .0625 is a misprint) and its energies.
TEST(PlanarRod, Case2StickingUnderNewtonGainsEnergy) {
  for (const double e : {0.0, 0.3, 0.8, 0.81, 1.0}) {
    const PlanarImpact n = planar_impact(rod(0.6, -1, 0.7, e, newton));
    EXPECT_NEAR(n.impulse[0], 0.375 * e, 1e-15);
    EXPECT_NEAR(n.impulse[1], 0.4 + 0.625 * e, 1e-15);
    EXPECT_NEAR(n.velocity_after[1], e, 1e-15);
    EXPECT_EQ(n.velocity_after[0], 0.0);
    EXPECT_NEAR(n.energy.after - n.energy.before, (0.625 * e * e - 0.4) / 2, 1e-15);
    EXPECT_EQ(n.flags.has(Flag::energy_gain), e > 0.8);
    const PlanarImpact p = planar_impact(rod(0.6, -1, 0.7, e, poisson));
    EXPECT_NEAR(p.impulse[0], 0.24 * e, 1e-15);
    EXPECT_NEAR(p.impulse[1], 0.4 * (1 + e), 1e-15);
    EXPECT_NEAR(p.velocity_after[1], 0.64 * e, 1e-15);
    EXPECT_NEAR(p.energy.after - p.energy.before, (0.256 * e * e - 0.4) / 2, 1e-15);
    EXPECT_FALSE(p.flags.has(Flag::energy_gain));
  }
  EXPECT_EQ(planar_impact(rod(0.6, -1, 0.5, 0.5, poisson)).mode, PlanarMode::c_reversed);
}

// Case 3: mu_d = (3(1+e)+5)/(5(1+e)+3) and mu_q = 1 separate the modes.
TEST(PlanarRod, Case3CriticalFriction) {
  for (const double e : {0.2, 0.5, 1.0}) {
    const double mu_d = (3 * (1 + e) + 5) / (5 * (1 + e) + 3);
    for (const RestitutionLaw law : all_laws) {
      EXPECT_EQ(planar_impact(rod(-1, -1, mu_d - 1e-9, e, law)).mode, PlanarMode::sliding);
      EXPECT_EQ(planar_impact(rod(-1, -1, mu_d + 1e-9, e, law)).mode, PlanarMode::r_sticking);
      EXPECT_EQ(planar_impact(rod(-1, -1, 1 - 1e-9, e, law)).mode, PlanarMode::r_sticking);
      EXPECT_EQ(planar_impact(rod(-1, -1, 1 + 1e-9, e, law)).mode, PlanarMode::c_sticking);
    }
  }
}

// Case 4: sliding without approach is an impact once mu >= 5/3.
TEST(PlanarRod, Case4TangentialImpact) {
  const double e = 0.7;
  EXPECT_EQ(planar_impact(rod(-0.2, 0, 1.66, e, poisson)).verdict, Verdict::no_impact);
  for (const double mu : {2.0, 3.0}) {
    const PlanarImpact p = planar_impact(rod(-0.2, 0, mu, e, poisson));
    EXPECT_NEAR(p.impulse[0], 0.125 + 0.045 * e, 1e-15);
    EXPECT_NEAR(p.impulse[1], 0.075 * (1 + e), 1e-15);
    EXPECT_NEAR(p.velocity_after[1], 0.12 * e, 1e-15);
    EXPECT_EQ(p.velocity_after[0], 0.0);
    EXPECT_TRUE(p.flags.has(Flag::jamb));
    EXPECT_TRUE(p.classes.tangential);
    const PlanarImpact n = planar_impact(rod(-0.2, 0, mu, e, newton));
    EXPECT_NEAR(n.impulse[0], 0.125, 1e-15);
    EXPECT_NEAR(n.impulse[1], 0.075, 1e-15);
    EXPECT_NEAR(n.velocity_after[1], 0.0, 1e-15);
  }
  EXPECT_NEAR(planar_impact(rod(-0.2, 0, 2, e, energetic)).velocity_after[1], 0.058554 * e, 5e-7);
  EXPECT_NEAR(planar_impact(rod(-0.2, 0, 3, e, energetic)).velocity_after[1], 0.089443 * e, 5e-7);
  const PlanarImpact edge = planar_impact(rod(-0.2, 0, 5.0 / 3.0, e, energetic));
  EXPECT_EQ(edge.verdict, Verdict::separated);
  EXPECT_TRUE(edge.flags.has(Flag::marginal));
  EXPECT_EQ(edge.velocity_after[1], 0.0);
}

TEST(PlanarRod, TangentialImpactNeedsAPressingAcceleration) {
  PlanarProblem problem = rod(-0.2, 0, 2, 0.7, poisson);
  problem.free_acceleration = 0.0;
  EXPECT_EQ(planar_impact(problem).verdict, Verdict::no_impact);
  problem.free_acceleration = -9.81;
  EXPECT_EQ(planar_impact(problem).verdict, Verdict::separated);
}

TEST(PlanarTrace, EveryModeHasItsOrderOfEvents) {
  using enum EventType;
  const auto order = [](double s0, double c0, double mu) {
    return order_of(planar_impact(rod(s0, c0, mu, 0.5, poisson)));
  };
  EXPECT_EQ(order(-1, -1, 0.1), (std::vector{start_slip, compression_ends, separates}));
  EXPECT_EQ(order(-1, -1, 0.95), (std::vector{start_slip, compression_ends, slip_ends, separates}));
  EXPECT_EQ(order(-1, -1, 1.5), (std::vector{start_slip, slip_ends, compression_ends, separates}));
  EXPECT_EQ(order(0.6, -1, 0.3), (std::vector{start_slip, slip_ends, slip_resumes, compression_ends, separates}));
  EXPECT_EQ(order(0.8, -1, 0.1), (std::vector{start_slip, compression_ends, slip_ends, slip_resumes, separates}));
  EXPECT_EQ(order(0, -1, 0.3), (std::vector{start_slip, compression_ends, separates}));
  // A tie between the end of slip and of compression: mu = 1 in case 3. The slip event comes first.
  EXPECT_EQ(order(-1, -1, 1.0), (std::vector{start_slip, slip_ends, compression_ends, separates}));
  EXPECT_TRUE(order(0, 1, 0.3).empty());
}

TEST(PlanarTrace, EventsLieOnTheirLines) {
  std::mt19937_64 rng(7);
  std::set<PlanarMode> seen;
  for (int i = 0; i < 20000; ++i) {
    const PlanarProblem problem = random_planar_problem(rng, all_laws[i % 3]);
    const PlanarImpact impact = planar_impact(problem);
    seen.insert(impact.mode);
    const double speed = problem.space.velocity.norm();
    double last = 0.0;
    for (const auto& event : impact.events) {
      EXPECT_GE(event.impulse[1], last);
      last = event.impulse[1];
      const Eigen::Vector2d v = problem.space.velocity + problem.space.inverse_inertia * event.impulse;
      EXPECT_NEAR((event.velocity - v).norm(), 0.0, 1e-12 * (speed + (v - problem.space.velocity).norm()));
      if (event.type == EventType::slip_ends) {
        EXPECT_EQ(event.velocity[0], 0.0);
      }
      if (event.type == EventType::compression_ends) {
        EXPECT_EQ(event.velocity[1], 0.0);
      }
    }
    EXPECT_EQ(impact.events.back().impulse, impact.impulse);
    EXPECT_EQ(impact.events.back().velocity, impact.velocity_after);
  }
  EXPECT_EQ(seen.size(), 5u) << "all five modes must occur";
}

// The incremental integrator is first order. A step misplaces an event by one step of impulse, hence the velocity by
// |W| step (1 + mu), and that costs up to 1/(least eigenvalue of W) in impulse to make good.
TEST(PlanarReference, AgreesWithSmallSteps) {
  std::mt19937_64 rng(11);
  for (const RestitutionLaw law : all_laws) {
    for (int i = 0; i < 10000; ++i) {
      const PlanarProblem problem = random_planar_problem(rng, law);
      const PlanarImpact impact = planar_impact(problem);
      const double step = 1e-4 * impact.impulse[1];
      const Eigen::Vector2d reference = testing::incremental_planar_impulse(problem, step);
      const Eigen::Matrix2d& w = problem.space.inverse_inertia;
      const double condition = w.trace() * w.trace() / w.determinant();
      EXPECT_NEAR((impact.impulse - reference).norm(), 0.0, step * (1.0 + problem.material.friction) * condition)
          << name(law) << " case " << i << " mode " << name(impact.mode);
    }
  }
}

TEST(PlanarEnergy, PoissonAndEnergeticNeverGain) {
  std::mt19937_64 rng(3);
  for (int i = 0; i < 1000000; ++i) {
    const PlanarProblem problem = random_planar_problem(rng, i % 2 == 0 ? poisson : energetic);
    const PlanarOutcome outcome = planar_outcome(problem);
    const double work = 0.5 * outcome.impulse.dot(problem.space.velocity + outcome.velocity_after);
    ASSERT_LE(work, 1e-12 * kinetic_energy(problem.space)) << "case " << i;
  }
}

// Newton's law gains energy in about 1 % of random impacts and 14 % of elastic ones, and only when s B3 > 0.
TEST(PlanarEnergy, NewtonGainsOnlyWhenFrictionPullsApart) {
  std::mt19937_64 rng(5);
  int gains = 0, elastic_gains = 0;
  constexpr int cases = 200000;
  for (int i = 0; i < cases; ++i) {
    PlanarProblem problem = random_planar_problem(rng, newton);
    const PlanarImpact impact = planar_impact(problem);
    if (impact.flags.has(Flag::energy_gain)) {
      ++gains;
      ASSERT_GT(-problem.space.velocity[0] * problem.space.inverse_inertia(0, 1), 0.0);
    }
    problem.material.restitution = 1.0;
    elastic_gains += planar_impact(problem).flags.has(Flag::energy_gain);
  }
  EXPECT_GT(gains, cases / 400);
  EXPECT_LT(gains, cases / 20);
  EXPECT_GT(elastic_gains, cases / 20);
  EXPECT_LT(elastic_gains, cases / 4);
}

TEST(PlanarLaws, EnergeticLiesBetweenPoissonAndNewton) {
  std::mt19937_64 rng(13);
  for (int i = 0; i < 100000; ++i) {
    PlanarProblem problem = random_planar_problem(rng, newton);
    const double n = planar_outcome(problem).impulse[1];
    problem.law = poisson;
    const double p = planar_outcome(problem).impulse[1];
    problem.law = energetic;
    const double x = planar_outcome(problem).impulse[1];
    ASSERT_GE(x, std::min(n, p) * (1 - 1e-13));
    ASSERT_LE(x, std::max(n, p) * (1 + 1e-13));
  }
}

TEST(PlanarLaws, AllAgreeWhereTheyMust) {
  const auto impulses = [](PlanarProblem problem) {
    std::vector<Eigen::Vector2d> result;
    for (const RestitutionLaw law : all_laws) problem.law = law, result.push_back(planar_outcome(problem).impulse);
    return result;
  };
  const auto expect_equal = [](const std::vector<Eigen::Vector2d>& i) {
    EXPECT_NEAR((i[0] - i[1]).norm(), 0.0, 1e-14);
    EXPECT_NEAR((i[0] - i[2]).norm(), 0.0, 1e-14);
  };
  expect_equal(impulses(rod(0, -1, 0.7, 0.6, newton)));    // direct
  expect_equal(impulses(rod(0.6, -1, 0.0, 0.6, newton)));  // smooth
  expect_equal(impulses(rod(0.6, -1, 0.7, 0.0, newton)));  // plastic
  PlanarProblem central = rod(0.6, -1, 0.7, 0.6, newton);
  central.space.inverse_inertia << 3, 0, 0, 2;
  expect_equal(impulses(central));
  EXPECT_TRUE(planar_impact(central).classes.central);
}

TEST(PlanarLimits, EdgesOfTheCoefficients) {
  for (const RestitutionLaw law : all_laws) {
    const PlanarImpact plastic = planar_impact(rod(0.6, -1, 0.7, 0.0, law));
    EXPECT_EQ(plastic.verdict, Verdict::separated);
    EXPECT_EQ(plastic.velocity_after[1], 0.0);
    const PlanarImpact smooth = planar_impact(rod(0.6, -1, 0.0, 1.0, law));
    EXPECT_EQ(smooth.impulse[0], 0.0);
    EXPECT_FALSE(std::signbit(smooth.impulse[0]));
    EXPECT_NEAR(smooth.energy.after, smooth.energy.before, 1e-15);
    const PlanarImpact rough = planar_impact(rod(0.6, -1, 1e6, 0.5, law));
    EXPECT_EQ(rough.mode, PlanarMode::c_sticking);
    EXPECT_TRUE(std::isfinite(rough.energy.after));
  }
  EXPECT_EQ(planar_impact(rod(0.6, 1e-300, 0.7, 0.5, poisson)).verdict, Verdict::no_impact);
  EXPECT_EQ(planar_impact(rod(0, 0, 5, 0.5, poisson)).verdict, Verdict::no_impact);
  // Jamb is also reported when a direct impact sticks: mu > B2/|B3| = 5/3.
  EXPECT_TRUE(planar_impact(rod(0, -1, 2, 0.5, poisson)).flags.has(Flag::jamb));
  EXPECT_FALSE(planar_impact(rod(0, -1, 1.6, 0.5, poisson)).flags.has(Flag::jamb));
}

TEST(PlanarLimits, UnitsDoNotMatter) {
  const PlanarImpact base = planar_impact(rod(0.6, -1, 0.3, 0.5, energetic));
  for (const double w : {0x1p-400, 0x1p400}) {
    PlanarProblem scaled = rod(0.6, -1, 0.3, 0.5, energetic);
    scaled.space.inverse_inertia *= w;
    const PlanarImpact impact = planar_impact(scaled);
    EXPECT_EQ(impact.velocity_after, base.velocity_after);
    EXPECT_EQ(Eigen::Vector2d(impact.impulse * w), base.impulse);
    EXPECT_TRUE(impact.flags.none());
  }
  PlanarProblem absurd = rod(0.6e300, -1e300, 0.3, 0.5, energetic);
  EXPECT_TRUE(planar_impact(absurd).flags.has(Flag::overflow));
}

std::string refusal(const PlanarProblem& problem) {
  try {
    planar_impact(problem);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

TEST(PlanarInput, NamesWhatIsWrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(rod(0, -1, -0.4, 0.5, newton)), "friction: must be >= 0, got -0.4");
  EXPECT_EQ(refusal(rod(0, -1, 0.4, 1.5, newton)), "restitution: must be in [0, 1], got 1.5");
  EXPECT_EQ(refusal(rod(0, nan, 0.4, 0.5, newton)), "velocity: must be finite");
  EXPECT_EQ(refusal(rod(0, -1, nan, 0.5, newton)), "friction: must be a finite number, got nan");
  PlanarProblem bad = rod(0, -1, 0.4, 0.5, newton);
  bad.space.inverse_inertia(0, 1) = -1.4;
  EXPECT_EQ(refusal(bad), "inverse_inertia: must be symmetric, got -1.4 and -1.5 across the diagonal");
  bad.space.inverse_inertia << 2.5, -2.5, -2.5, 2.5;
  EXPECT_EQ(refusal(bad), "inverse_inertia: must be positive definite");
  bad = rod(0, -1, 0.4, 0.5, newton);
  bad.free_acceleration = nan;
  EXPECT_EQ(refusal(bad), "free_acceleration: must be a finite number, got nan");
  PlanarProblem slightly_off = rod(0.6, -1, 0.4, 0.5, newton);  // printed with few digits: averaged
  slightly_off.space.inverse_inertia(0, 1) = -1.50001;
  EXPECT_EQ(refusal(slightly_off), "accepted");
}

TEST(PlanarBatch, SameBitsAsOneByOneAndABadRowStaysAlone) {
  std::mt19937_64 rng(17);
  std::vector<PlanarProblem> problems;
  for (int i = 0; i < 3000; ++i) problems.push_back(random_planar_problem(rng, all_laws[i % 3]));
  problems[5].material.friction = -1;
  problems[6].space.velocity[0] = std::numeric_limits<double>::infinity();
  std::vector<PlanarOutcome> outcomes(problems.size());
  planar_outcomes(problems, outcomes);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (i == 5 || i == 6) {
      EXPECT_EQ(outcomes[i].verdict, Verdict::invalid);
      continue;
    }
    const PlanarImpact impact = planar_impact(problems[i]);
    EXPECT_EQ(outcomes[i].impulse, impact.impulse);
    EXPECT_EQ(outcomes[i].velocity_after, impact.velocity_after);
    EXPECT_EQ(outcomes[i].mode, impact.mode);
    EXPECT_EQ(outcomes[i].verdict, impact.verdict);
  }
  std::vector<PlanarOutcome> too_few(2);
  EXPECT_THROW(planar_outcomes(problems, too_few), InvalidInput);
}

}  // namespace
}  // namespace carom
