// Simultaneous impact with numbers out of the ordinary: it ends within its bound on work, and what is not right says
// so.
#include <gtest/gtest.h>

#include "carom/core/error.hpp"
#include "carom/impact/multipoint.hpp"

#include "impact/simultaneous_random.hpp"
#include "impact/simultaneous_scenes.hpp"

namespace carom::testing {
namespace {

/// Balls of radius 1 in a row along x, as a scene of unit speed with a sideways part.
SimultaneousProblem row_of_balls(std::size_t count, double sideways, const Surface& surface) {
  SimultaneousProblem problem;
  for (std::size_t i = 0; i < count; ++i) {
    problem.bodies.push_back(ball({2.0 * static_cast<double>(i), 0, 0}, 1.0, 1.0));
    if (i > 0)
      problem.contacts.push_back(
          touching(i - 1, i, {2.0 * static_cast<double>(i) - 1.0, 0, 0}, -Eigen::Vector3d::UnitX(), surface));
  }
  problem.bodies[0].velocity = {1, sideways, 0};
  return problem;
}

bool is_finite(const SimultaneousImpact& impact) {
  bool finite = std::isfinite(impact.energy.imbalance() + impact.energy.before);
  for (const Body& body : impact.bodies)
    finite = finite && body.velocity.allFinite() && body.angular_velocity.allFinite();
  for (const ContactOutcome& c : impact.contacts)
    finite = finite && c.impulse.allFinite() && c.velocity_after.allFinite() &&
             std::isfinite(c.restitution_loss + c.friction_loss);
  return finite;
}

/// What holds of every answer: finite or flagged, momentum and ledger closed, friction in its cone.
void check_answer(const SimultaneousProblem& problem, const SimultaneousImpact& impact) {
  const bool excused = impact.flags.has(Flag::overflow) || impact.flags.has(Flag::ill_conditioned);
  EXPECT_TRUE(is_finite(impact) || impact.flags.has(Flag::overflow));
  EXPECT_EQ(impact.verdict == Verdict::event_limit, impact.flags.has(Flag::event_limit));
  EXPECT_LE(static_cast<double>(impact.steps * problem.contacts.size()),
            simultaneous_work_bound(problem.contacts.size()) + 100.0 * static_cast<double>(problem.contacts.size()));
  if (excused || !is_finite(impact)) return;
  const double allowed = std::max(1e-9, 10.0 * problem.tolerance);
  EXPECT_LE(std::abs(impact.energy.imbalance()), allowed * std::max(impact.energy.before, impact.energy.after));
  double largest = 0.0;
  for (const ContactOutcome& c : impact.contacts) largest = std::max(largest, c.impulse.norm());
  std::vector<Eigen::Vector3d> push(problem.bodies.size(), Eigen::Vector3d::Zero());
  std::vector<double> size(problem.bodies.size(), 0.0);
  for (std::size_t k = 0; k < problem.contacts.size(); ++k) {
    const SpringContact& contact = problem.contacts[k];
    const Eigen::Vector3d impulse = impact.contacts[k].impulse;
    const double normal = impulse.dot(contact.normal), along = (impulse - normal * contact.normal).norm();
    EXPECT_GE(normal, -1e-12 * largest);
    EXPECT_LE(along, contact.material.friction * std::max(normal, 0.0) * (1.0 + allowed) + 1e-9 * impulse.norm() +
                         1e-12 * largest);
    push[contact.first] += impulse;
    push[contact.second] -= impulse;
    size[contact.first] += impulse.norm();
    size[contact.second] += impulse.norm();
  }
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const Body &before = problem.bodies[i], &after = impact.bodies[i];
    if (before.immovable) continue;
    EXPECT_LE((before.mass * (after.velocity - before.velocity) - push[i]).norm(),
              1e-9 * (size[i] + before.mass * (before.velocity.norm() + after.velocity.norm())));
  }
}

// Ten Hertz balls with rigid friction: the leading forces along the row, ~ t^alpha with alpha = 1.5, 5.25, 10.9 ...,
// fall below the range of a double.
TEST(SimultaneousExtremes, HertzRowWithFriction) {
  const SimultaneousImpact impact = simultaneous_impact(row_of_balls(10, .001, {1.5, .9, .2}));
  ASSERT_EQ(impact.verdict, Verdict::separated);
  const double expected[] = {-.00867063, .02377687, .03273912};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(impact.bodies[i].velocity.x(), expected[i], 1e-8);
  EXPECT_NEAR(impact.bodies[8].velocity.x(), .10718026, 1e-8);
  EXPECT_NEAR(impact.bodies[9].velocity.x(), .6709, 1e-8);
}

/// The row stepped with small fixed steps in the plane: velocities (x, y, spin) of every ball.
std::vector<Eigen::Vector3d> stepped_row(const SimultaneousProblem& problem, double h) {
  const std::size_t n = problem.bodies.size();
  const SpringContact& s = problem.contacts[0];
  const double e2 = s.material.restitution * s.material.restitution, inertia = .4, ramp = 20.0 * h;
  std::vector<Eigen::Vector3d> v(n, Eigen::Vector3d::Zero());
  v[0].head<2>() = problem.bodies[0].velocity.head<2>();
  std::vector<double> d(n - 1, 0.0);
  for (bool busy = true; busy;) {
    busy = false;
    std::vector<Eigen::Vector3d> change(n, Eigen::Vector3d::Zero());
    for (std::size_t c = 0; c + 1 < n; ++c) {
      const double approach = v[c].x() - v[c + 1].x();
      d[c] = std::max(0.0, d[c] + h * (approach > 0 ? approach : approach / e2));
      busy = busy || d[c] > 0.0 || approach > 1e-9;
      const double force = std::pow(d[c], s.exponent);
      const double slip = v[c].y() + v[c].z() - (v[c + 1].y() - v[c + 1].z());
      const double friction = -s.material.friction * force * slip / std::max(std::abs(slip), ramp);
      change[c] += Eigen::Vector3d(-force, friction, friction / inertia);
      change[c + 1] += Eigen::Vector3d(force, -friction, friction / inertia);
    }
    for (std::size_t i = 0; i < n; ++i) v[i] += h * change[i];
  }
  return v;
}

TEST(SimultaneousExtremes, RowsAgreeWithSmallSteps) {
  for (const double exponent : {1.0, 1.5})
    for (const double sideways : {0.0, .1, 2.0})
      for (const std::size_t count : {2U, 5U, 14U}) {
        SCOPED_TRACE(::testing::PrintToString(std::tuple(exponent, sideways, count)));
        const SimultaneousProblem problem = row_of_balls(count, sideways, {exponent, .9, .2});
        const SimultaneousImpact impact = simultaneous_impact(problem);
        const std::vector<Eigen::Vector3d> coarse = stepped_row(problem, 4e-4), fine = stepped_row(problem, 2e-4);
        for (std::size_t i = 0; i < count; ++i) {
          const Eigen::Vector3d v(impact.bodies[i].velocity.x(), impact.bodies[i].velocity.y(),
                                  impact.bodies[i].angular_velocity.z());
          EXPECT_LT((fine[i] - v).norm(), 2.0 * (coarse[i] - fine[i]).norm() + 1e-4);
        }
      }
}

TEST(SimultaneousExtremes, RowsOfAnyLengthAndSlip) {
  for (const double exponent : {1.0, 1.5})
    for (const double sideways : {0.0, 1e-12, 1e-9, 1e-6, 1e-3, .1, 1.0, 10.0})
      for (const std::size_t count : {2U, 3U, 7U, 12U, 25U, 60U, 100U}) {
        if (count > 25 && sideways != 0.0 && sideways != 1e-3 && sideways != 10.0) continue;
        SCOPED_TRACE(::testing::PrintToString(std::tuple(exponent, sideways, count)));
        SimultaneousProblem problem = row_of_balls(count, sideways, {exponent, .9, .2});
        problem.tolerance = 1e-9;
        const SimultaneousImpact impact = simultaneous_impact(problem);
        EXPECT_EQ(impact.verdict, Verdict::separated);
        EXPECT_TRUE(is_finite(impact));
        EXPECT_TRUE(impact.flags.none() || impact.flags.has(Flag::recompression));
        check_answer(problem, impact);
        EXPECT_LT((momentum(impact.bodies) - momentum(problem.bodies)).norm(),
                  1e-13 * static_cast<double>(count * count) * (1.0 + sideways));
      }
}

// Friction without end is that of largest_simultaneous_friction, which that of a million is near; next to none is none.
TEST(SimultaneousExtremes, FrictionOfAnySize) {
  for (const double exponent : {1.0, 1.5}) {
    const auto bodies = [&](double mu) {
      const SimultaneousProblem problem = nine_ball({exponent, .96, mu}, 20);
      const SimultaneousImpact impact = simultaneous_impact(problem);
      if (mu <= 1e6) {  // beyond, linear contacts that slip open and close the more often the larger mu
        EXPECT_EQ(impact.verdict, Verdict::separated) << mu;
      }
      EXPECT_TRUE(is_finite(impact));
      check_answer(problem, impact);
      return impact.bodies;
    };
    EXPECT_EQ(difference(bodies(1e12), bodies(1e300)), 0.0);
    EXPECT_EQ(difference(bodies(0.0), bodies(1e-300)), 0.0);
    EXPECT_LT(difference(bodies(0.0), bodies(1e-20)), 1e-9);
  }
}

// Three by three contacts at the corner of a rack: two that come to stick an instant apart. With much friction one of
// them made the other let go, for ever.
TEST(SimultaneousExtremes, MuchFrictionDoesNotChatter) {
  SimultaneousProblem problem = rack({1, 2, 3}, {1.0, .5, 1e6});
  problem.contacts[5].point.x() += 1e-8;
  const SimultaneousImpact impact = simultaneous_impact(problem);
  EXPECT_EQ(impact.verdict, Verdict::separated);
  EXPECT_LT(impact.events.size(), 500U);
}

/// Three balls touching in a row, with spins, and friction; the middle or last one of another mass.
SimultaneousProblem three_balls(double second, double third) {
  SimultaneousProblem problem = row_of_balls(3, 0.0, {1.5, .9, .2});
  const double masses[] = {1.0, second, third};
  for (std::size_t i = 0; i < 3; ++i) {
    Body& body = problem.bodies[i];
    body.mass = masses[i];
    body.inertia = Eigen::Vector3d(.4, .5, .6).asDiagonal();
    body.angular_velocity = {0, 2, 0};
  }
  return problem;
}

// Light balls vibrate millions of times between heavy ones, or fly off.
TEST(SimultaneousExtremes, LightBalls) {
  for (const double mass : {1e-16, 1e-12, 9.074071568216266e-12, 1e-6}) {
    SCOPED_TRACE(mass);
    for (const SimultaneousProblem& problem : {three_balls(mass, 1.0), three_balls(1.0, mass)})
      check_answer(problem, simultaneous_impact(problem));
    if (mass < 1e-12) continue;  // too many vibrations: event_limit
    const SimultaneousImpact last = simultaneous_impact(three_balls(1.0, mass));
    EXPECT_EQ(last.verdict, Verdict::separated);
    EXPECT_NEAR(last.bodies[0].velocity.x(), .05, 2.0 * mass + 1e-9);
    EXPECT_NEAR(last.bodies[1].velocity.x(), .95, 2.0 * mass + 1e-9);
  }
}

// One contact at a lever of six million kilometres vibrates a thousand million times faster than the other.
TEST(SimultaneousExtremes, LongLever) {
  SimultaneousProblem problem;
  problem.bodies = {ball({0, 0, 0}), immovable_body()};
  problem.bodies[0].velocity = {.3, 0, -1};
  for (const double side : {1.0, -1.0})
    problem.contacts.push_back(touching(0, 1, {-.8 * side, 0, -.6}, {.8 * side, 0, .6}, {1.0, .5}));
  problem.contacts[1].point.z() = -5860565235.981566;
  const SimultaneousImpact frictionless = simultaneous_impact(problem);
  EXPECT_EQ(frictionless.verdict, Verdict::separated);
  EXPECT_LT(frictionless.steps, 1000U);
  check_answer(problem, frictionless);
  for (SpringContact& contact : problem.contacts) contact.material.friction = .3;
  problem.contacts[1].eta0 = 1.0;
  check_answer(problem, simultaneous_impact(problem));
}

// Velocities scale, whatever their size; what leaves the range of a double is the energy.
TEST(SimultaneousExtremes, VelocitiesOfAnySize) {
  for (const double exponent : {1.0, 1.5}) {
    const SimultaneousProblem problem = row_of_balls(4, .3, {exponent, .9, .2});
    const SimultaneousImpact one = simultaneous_impact(problem);
    for (const int power : {-900, -500, 400, 500, 900, 1023}) {
      SCOPED_TRACE(power);
      SimultaneousProblem fast = problem;
      for (Body& body : fast.bodies) body.velocity *= std::ldexp(1.0, power);
      SimultaneousImpact impact = simultaneous_impact(fast);
      EXPECT_EQ(impact.verdict, Verdict::separated);
      EXPECT_EQ(impact.flags.has(Flag::overflow), power > 511);
      for (Body& body : impact.bodies)
        for (Eigen::Vector3d* v : {&body.velocity, &body.angular_velocity})
          for (double& x : *v) x = std::ldexp(x, -power);
      EXPECT_LT(difference(impact.bodies, one.bodies), 1e-9);
    }
  }
  SimultaneousProblem spun = row_of_balls(2, 0.0, {1.0, .9, .2});
  spun.bodies[0].angular_velocity = {0, 1.7e308, 1.7e308};
  spun.bodies[1].angular_velocity = {0, 1.7e308, 1.7e308};
  spun.contacts[0].point.y() = 20.0;
  check_answer(spun, simultaneous_impact(spun));
}

// A lever of 1e8 m leaves next to no inertia sideways: friction stops the slip within 1e-16 of the impact's time, and
// takes nothing from the normal impact.
TEST(SimultaneousExtremes, LongLeverAndMuchFriction) {
  SimultaneousProblem problem = row_of_balls(2, 0.1, {1.0, .9, 17792406083468.266});
  problem.bodies[0].position.x() = 1e8;
  problem.bodies[0].inertia = Eigen::Vector3d(.4, .4, .0005637594338164447).asDiagonal();
  const SimultaneousImpact impact = simultaneous_impact(problem);
  check_answer(problem, impact);
  EXPECT_EQ(impact.verdict, Verdict::separated);
  EXPECT_TRUE(impact.flags.none());
  EXPECT_NEAR(impact.bodies[0].velocity.x(), .05, 1e-9);
  EXPECT_NEAR(impact.bodies[1].velocity.x(), .95, 1e-9);
  EXPECT_NEAR(impact.contacts[0].velocity_after.y(), 0.0, 1e-9);
}

TEST(SimultaneousExtremes, StiffnessOutOfProportion) {
  SimultaneousProblem problem = row_of_balls(3, 0.0, {1.0, .9});
  problem.contacts[0].stiffness = 1e300;
  problem.contacts[1].stiffness = 1e-300;
  try {
    simultaneous_impact(problem);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field(), "contacts[1].stiffness");
  }
  problem.contacts[1].stiffness = 1e300;
  EXPECT_LT(difference(simultaneous_impact(problem).bodies, simultaneous_impact(row_of_balls(3, 0, {1.0, .9})).bodies),
            1e-12);
}

// A run that a bound ends accounts for what its springs hold, loading or unloading.
TEST(SimultaneousExtremes, LedgerOfAnUnfinishedRun) {
  Rng rng(5);
  int unfinished = 0;
  for (int k = 0; k < 60; ++k) {
    SCOPED_TRACE(k);
    SimultaneousProblem problem = random_scene(rng, k % 2 == 0 ? 1.0 : 1.5, SceneFriction::rigid, true, 3);
    for (std::size_t i = 0; i < 2; ++i) {  // more planes against the first body: wedges
      SpringContact more = problem.contacts[0];
      more.normal = random_direction<3>(rng);
      more.point = problem.bodies[1].position - .3 * more.normal;
      problem.contacts.push_back(more);
    }
    for (SpringContact& contact : problem.contacts) contact.material.friction = 1.0;
    problem.tolerance = 1e-8;
    const SimultaneousImpact impact = simultaneous_impact(problem);
    unfinished += impact.verdict == Verdict::event_limit ? 1 : 0;
    check_answer(problem, impact);
  }
  EXPECT_GT(unfinished, 0);
}

/// A legal scene with some of its numbers made extreme.
SimultaneousProblem mutated(Rng& rng) {
  SimultaneousProblem problem;
  const auto pick = [&](std::initializer_list<double> list) { return list.begin()[rng() % list.size()]; };
  const Surface surface{pick({1.0, 1.5}), pick({0.0, .5, .9, 1.0}), pick({0.0, .03, .3, 1.0}), std::nullopt};
  switch (rng() % 4) {
    case 0:
      problem = row_of_balls(2 + rng() % 9, pick({0.0, 1e-3, .5}), surface);
      break;
    case 1:
      problem = rack({1, 2}, surface);
      break;
    default:
      problem = random_scene(rng, surface.exponent, static_cast<SceneFriction>(rng() % 3), rng() % 2 == 0, 5);
  }
  const auto power = [&](double low, double high) { return std::pow(10.0, uniform(rng, low, high)); };
  for (std::size_t changes = rng() % 4; changes > 0; --changes) {
    SpringContact& contact = problem.contacts[rng() % problem.contacts.size()];
    Body& body = problem.bodies[rng() % problem.bodies.size()];
    switch (rng() % 9) {
      case 0:
        if (!body.immovable) body.mass = power(-16, 16);
        break;
      case 1:
        contact.material.friction = pick({0.0, 1e-300, 1e-20, 1e-8, 3.0, 1e3, 1e6, 1e12, 1e300});
        break;
      case 2:
        contact.material.restitution = pick({0.0, 1e-12, 1e-3, 1.0});
        break;
      case 3:
        contact.exponent = pick({1.0, 1.5});
        break;
      case 4:
        contact.eta0 = pick({1e-300, 1e-3, .01, .3, 3.0, 1e10, 1e300});
        break;
      case 5:
        contact.stiffness = rng() % 2 == 0 ? power(-6, 6) : pick({1e-16, 1e16, 1e-300, 1e300});
        break;
      case 6:
        contact.point[static_cast<Eigen::Index>(rng() % 3)] += pick({1e-8, .1, 80.0, 1e4, 1e10});
        break;
      case 7:
        if (!body.immovable) body.inertia *= power(-10, 10);
        break;
      default:
        if (!body.immovable)
          body.velocity[static_cast<Eigen::Index>(rng() % 3)] =
              pick({0.0, 1e-300, 1e-14, 1e-10, 1e6, 1e200, 1.7e308, -1.7e308});
    }
  }
  problem.tolerance = pick({1e-12, 1e-10, 1e-10, 1e-8, 1e-4});
  return problem;
}

void check_mutations(int count, std::uint64_t seed) {
  Rng rng(seed);
  int answered = 0;
  for (int k = 0; k < count; ++k) {
    SCOPED_TRACE(k);
    const SimultaneousProblem problem = mutated(rng);
    try {
      check_answer(problem, simultaneous_impact(problem));
      ++answered;
    } catch (const InvalidInput& error) {
      EXPECT_TRUE(error.field().starts_with("contacts[") || error.field().starts_with("bodies[")) << error.what();
    }
  }
  EXPECT_GT(answered, count * 9 / 10);
}

TEST(SimultaneousMutations, EndFiniteOrFlagged) { check_mutations(300, 71); }
// A lever of 1e10 m and springs of stiffness 1e300 beside 1: the losses are not those of the velocities, and it says
// so.
TEST(SimultaneousMutations, OpenLedgerIsFlagged) {
  Rng rng(72);
  SimultaneousProblem problem;
  for (int k = 0; k <= 8497; ++k) problem = mutated(rng);
  const SimultaneousImpact impact = simultaneous_impact(problem);
  EXPECT_GT(std::abs(impact.energy.imbalance()), .01 * impact.energy.before);
  EXPECT_TRUE(impact.flags.has(Flag::ill_conditioned));
}
TEST(SlowSimultaneousMutations, EndFiniteOrFlagged) { check_mutations(10'000, 72); }

/// The corner of a box with one number of its contacts changed.
MultipointProblem odd_corner(double tangent, double lever) {
  MultipointProblem problem;
  problem.mass_matrix = Eigen::Vector3d(1, 1, .125).asDiagonal();
  problem.jacobian.resize(4, 3);
  problem.jacobian << tangent, 0, lever, 0, 1, 0, 0, 1, .5, -1, 0, 0;
  problem.velocity = Eigen::Vector3d(4, -5, 0);
  problem.restitution = {.5};
  problem.static_friction = .5;
  problem.dynamic_friction = .25;
  return problem;
}

// A contact whose tangent moves nothing, and one at a long lever: all ratios of stiffness within the bound of a row.
TEST(MultipointSpringsExtremes, ImmovableTangentAndLongLever) {
  MultipointSprings springs;
  springs.stiffness = {1, 2};
  for (const MultipointProblem& problem : {odd_corner(0, 0), odd_corner(1, 80.5)}) {
    const MultipointImpact impact = multipoint_compliant(problem, springs);
    EXPECT_FALSE(impact.flags.has(Flag::event_limit));
    EXPECT_TRUE(impact.solutions.at(0).velocity.allFinite());
    EXPECT_FALSE(impact.solutions[0].flags.has(Flag::energy_gain));
    const Eigen::VectorXd v = problem.jacobian * impact.solutions[0].velocity;
    EXPECT_GT(v[1], -1e-8);
    EXPECT_GT(v[3], -1e-8);
    const MultipointOutcomes outcomes = multipoint_outcomes(problem, springs, {.2, 5});
    for (const auto& outcome : outcomes.by_ratio) EXPECT_TRUE(outcome.velocity.allFinite());
  }
}

}  // namespace
}  // namespace carom::testing
