// Simultaneous impact of mechanical systems: bodies seen as one, pendulums, and what is asked of any system.
#include <gtest/gtest.h>

#include "carom/core/error.hpp"
#include "carom/core/linear_algebra.hpp"
#include "carom/impact/simultaneous.hpp"

#include "impact/simultaneous_random.hpp"
#include "impact/simultaneous_scenes.hpp"

namespace carom::testing {
namespace {

constexpr double linear = 1.0, hertz = 1.5;

SimultaneousSystemProblem system_problem(const SimultaneousProblem& problem) {
  const std::vector<PairContact> pairs(problem.contacts.begin(), problem.contacts.end());
  return {system_of(problem.bodies, pairs),
          3,
          {problem.contacts.begin(), problem.contacts.end()},
          problem.tolerance,
          problem.method,
          problem.steps_per_time_unit};
}

/// The bodies' answer and the system's, side by side.
void expect_same(const SimultaneousProblem& problem, double accuracy) {
  const SimultaneousImpact bodies = simultaneous_impact(problem);
  const SimultaneousSystemImpact system = simultaneous_impact(system_problem(problem));
  std::vector<Body> moved = problem.bodies;
  set_velocities(moved, system.velocity);
  EXPECT_LT(difference(bodies.bodies, moved), accuracy);
  EXPECT_EQ(bodies.verdict, system.verdict);
  EXPECT_NEAR(bodies.time_unit, system.time_unit, 1e-9 * bodies.time_unit);
  for (double EnergyLedger::*part : {&EnergyLedger::before, &EnergyLedger::after, &EnergyLedger::restitution_loss,
                                     &EnergyLedger::friction_loss, &EnergyLedger::residual})
    EXPECT_NEAR(bodies.energy.*part, system.energy.*part, accuracy * bodies.energy.before);
  ASSERT_EQ(bodies.contacts.size(), system.contacts.size());
  for (std::size_t c = 0; c < bodies.contacts.size(); ++c) {
    const Eigen::Matrix3d frame = contact_frame(problem.contacts[c]);
    EXPECT_LT((bodies.contacts[c].velocity_after - frame * system.contacts[c].velocity_after).norm(), 10.0 * accuracy);
    EXPECT_LT((bodies.contacts[c].impulse - frame * system.contacts[c].impulse).norm(), 10.0 * accuracy);
    EXPECT_EQ(bodies.contacts[c].compressions, system.contacts[c].compressions);
  }
}

TEST(SimultaneousSystem, RandomBodiesAgree) {
  Rng rng(1);
  for (int i = 0; i < 120; ++i) {
    const auto friction = static_cast<SceneFriction>(i % 3);
    SimultaneousProblem problem = random_scene(rng, i % 2 == 0 ? linear : hertz, friction, i % 4 == 1, 6);
    problem.tolerance = 1e-12;
    SCOPED_TRACE(i);
    expect_same(problem, 1e-9);
  }
}

TEST(SimultaneousSystem, RacksAndCradlesAgree) {
  for (const double exponent : {linear, hertz})
    for (const Surface& surface :
         {Surface{exponent, .96}, Surface{exponent, .96, .03}, Surface{exponent, .96, .03, 1.1}})
      for (SimultaneousProblem problem : {nine_ball(surface, 20), chain(7, surface), groove(surface, .6)}) {
        problem.tolerance = 1e-12;
        expect_same(problem, 1e-9);
      }
}

TEST(SimultaneousSystem, FixedStepsAgree) {
  SimultaneousProblem problem = chain(9, {hertz, .9, .1, 1.1});
  problem.method = SimultaneousMethod::kick_drift_kick;
  expect_same(problem, 1e-10);
}

/// Balls of radius .5 side by side, each at the end of its massless rod: coordinates are the angles, the balls turn
/// with their rods. The first swings into the others at unit speed.
SimultaneousSystemProblem pendulums(const std::vector<double>& mass, const std::vector<double>& length,
                                    const ContactSpring& spring) {
  const auto n = static_cast<Eigen::Index>(mass.size());
  SimultaneousSystemProblem problem;
  problem.dimension = 2;
  problem.system = {Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(2 * (n - 1), n), Eigen::VectorXd::Zero(n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    problem.system.mass_matrix(i, i) = mass[k] * length[k] * length[k];
    if (i == 0) continue;
    // Ball i - 1 over ball i at the point between them; normal -x, tangent +y (the normal turned clockwise).
    problem.system.jacobian.row(2 * i - 2).segment(i - 1, 2) << .5, .5;
    problem.system.jacobian.row(2 * i - 1).segment(i - 1, 2) << -length[k - 1], length[k];
    problem.springs.push_back(spring);
  }
  problem.system.velocity[0] = 1.0 / length[0];
  return problem;
}

// Without friction only m l^2 and l count, and they amount to m: the rods do not matter, however long.
TEST(SimultaneousSystem, PendulumsStrikeLikeFreeBalls) {
  const std::vector<double> mass = {1.0, 2.0, .5, 1.5, 1.0}, length = {1.0, 3.0, .25, 2.0, 10.0};
  for (const double exponent : {linear, hertz}) {
    SimultaneousProblem free = chain(5, {exponent, .9});
    for (std::size_t i = 0; i < 5; ++i) free.bodies[i] = ball(free.bodies[i].position, mass[i]);
    free.bodies[0].velocity.x() = 1.0;
    const SimultaneousImpact bodies = simultaneous_impact(free);
    const SimultaneousSystemImpact system = simultaneous_impact(pendulums(mass, length, free.contacts[0]));
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_NEAR(system.velocity[static_cast<Eigen::Index>(i)] * length[i], bodies.bodies[i].velocity.x(), 1e-9);
    for (std::size_t c = 0; c < 4; ++c) {
      EXPECT_NEAR(system.contacts[c].impulse.z(), -bodies.contacts[c].impulse.x(), 1e-9);
      EXPECT_EQ(system.contacts[c].impulse.head<2>().norm(), 0.0);
    }
    EXPECT_NEAR(system.energy.restitution_loss, bodies.energy.restitution_loss, 1e-9);
  }
}

// With friction the planar contact answers as the same contact in space, whose second tangent nothing moves.
TEST(SimultaneousSystem, PlanarFriction) {
  for (const std::optional<double> eta0 : {std::optional<double>{}, std::optional<double>{1.1}}) {
    const SimultaneousSystemProblem plane = pendulums({1, 2, 1}, {1, 2, 3}, {1.0, hertz, {.2, .9}, eta0});
    SimultaneousSystemProblem space = plane;  // two more coordinates, along which the contacts could slide aside
    space.dimension = 3;
    space.system.mass_matrix = Eigen::MatrixXd::Identity(5, 5);
    space.system.mass_matrix.topLeftCorner(3, 3) = plane.system.mass_matrix;
    space.system.velocity.conservativeResize(5);
    space.system.velocity.tail<2>().setZero();
    space.system.jacobian.setZero(6, 5);
    for (Eigen::Index c = 0; c < 2; ++c) {
      space.system.jacobian.row(3 * c).head<3>() = plane.system.jacobian.row(2 * c);
      space.system.jacobian(3 * c + 1, 3 + c) = 1.0;
      space.system.jacobian.row(3 * c + 2).head<3>() = plane.system.jacobian.row(2 * c + 1);
    }
    const SimultaneousSystemImpact a = simultaneous_impact(plane), b = simultaneous_impact(space);
    EXPECT_LT((a.velocity - b.velocity.head<3>()).norm(), 1e-9);
    EXPECT_GT(a.energy.friction_loss, 1e-4);
    EXPECT_FALSE(a.flags.has(Flag::hyperstatic));
    EXPECT_NEAR(a.energy.friction_loss, b.energy.friction_loss, 1e-9);
    for (const ContactOutcome& contact : a.contacts) EXPECT_EQ(contact.impulse.y(), 0.0);
  }
}

/// A random system: any mass matrix, any rows.
SimultaneousSystemProblem random_system(Rng& rng, int dimension, double exponent, SceneFriction friction) {
  const Eigen::Index n = 3 + static_cast<Eigen::Index>(rng() % 12), contacts = 1 + static_cast<Eigen::Index>(rng() % 5);
  const auto random = [&](Eigen::Index rows, Eigen::Index columns) {
    Eigen::MatrixXd m(rows, columns);
    for (double& x : m.reshaped()) x = uniform(rng, -1.0, 1.0);
    return m;
  };
  SimultaneousSystemProblem problem;
  const Eigen::MatrixXd root = random(n, n);
  problem.system = {root * root.transpose() + .5 * Eigen::MatrixXd::Identity(n, n), random(dimension * contacts, n),
                    random(n, 1)};
  problem.dimension = dimension;
  for (Eigen::Index c = 0; c < contacts; ++c) {
    ContactSpring spring{std::exp(uniform(rng, -1.5, 1.5)), exponent, {0.0, uniform(rng, .3, 1.0)}, {}};
    if (friction != SceneFriction::none) spring.material.friction = uniform(rng, 0.0, .6);
    if (friction == SceneFriction::springs) spring.eta0 = uniform(rng, .7, 1.5);
    problem.springs.push_back(spring);
  }
  return problem;
}

// The ledger closes, impulses lie in their cones, v_after = v + W I; and units do not matter: n times the mass and the
// stiffness leave the velocities, a coordinate in other units changes itself only.
TEST(SimultaneousSystem, Properties) {
  Rng rng(5);
  int struck = 0;
  for (int i = 0; i < 240; ++i) {
    const int dimension = 2 + i % 2;
    const SimultaneousSystemProblem problem =
        random_system(rng, dimension, i % 4 < 2 ? linear : hertz, static_cast<SceneFriction>(i % 3));
    const SimultaneousSystemImpact impact = simultaneous_impact(problem);
    SCOPED_TRACE(i);
    if (impact.verdict == Verdict::no_impact) {
      EXPECT_EQ(impact.velocity, problem.system.velocity);
      continue;
    }
    ++struck;
    EXPECT_LT(std::abs(impact.energy.imbalance()), 1e-8 * impact.energy.before);
    Eigen::VectorXd rows(problem.system.jacobian.rows());
    for (std::size_t c = 0; c < impact.contacts.size(); ++c) {
      const Eigen::Vector3d& p = impact.contacts[c].impulse;
      EXPECT_LE(p.head<2>().norm(), problem.springs[c].material.friction * p.z() * (1.0 + 1e-9) + 1e-15);
      EXPECT_GT(impact.contacts[c].velocity_after.z(), -1e-9);
      const Eigen::Index at = dimension * static_cast<Eigen::Index>(c);
      rows[at] = p.x();
      if (dimension == 3) rows[at + 1] = p.y();
      rows[at + dimension - 1] = p.z();
    }
    const Eigen::VectorXd push = problem.system.jacobian.transpose() * rows;
    EXPECT_LT((problem.system.velocity + PivotedCholesky(problem.system.mass_matrix).solve(push) - impact.velocity)
                  .norm(),
              1e-9);

    SimultaneousSystemProblem other = problem;
    other.system.mass_matrix *= 8.0;
    for (ContactSpring& spring : other.springs) spring.stiffness *= 8.0;
    other.system.mass_matrix.row(0) *= 4.0;  // coordinate 0 in units four times as large
    other.system.mass_matrix.col(0) *= 4.0;
    other.system.jacobian.col(0) *= 4.0;
    other.system.velocity[0] /= 4.0;
    Eigen::VectorXd v = simultaneous_impact(other).velocity;
    v[0] *= 4.0;
    EXPECT_LT((v - impact.velocity).norm(), 1e-7);

    // Contacts in the opposite order: the same steps, and the same answer but for the rounding of a last sum.
    SimultaneousSystemProblem turned = problem;
    std::reverse(turned.springs.begin(), turned.springs.end());
    const Eigen::Index contacts = problem.system.jacobian.rows() / dimension;
    for (Eigen::Index c = 0; c < contacts; ++c)
      turned.system.jacobian.middleRows(dimension * c, dimension) =
          problem.system.jacobian.middleRows(dimension * (contacts - 1 - c), dimension);
    const SimultaneousSystemImpact same = simultaneous_impact(turned);
    EXPECT_EQ(same.steps, impact.steps);
    EXPECT_LT((same.velocity - impact.velocity).norm(), 1e-13);
  }
  EXPECT_GT(struck, 150);
}

// Rows that depend on each other: a block on four feet.
TEST(SimultaneousSystem, Hyperstatic) {
  SimultaneousSystemProblem problem;
  problem.system.mass_matrix = Eigen::Matrix3d::Identity();  // height and two tilts
  problem.system.jacobian.resize(12, 3);
  problem.system.jacobian.setZero();
  int row = 2;
  for (const auto& [x, y] : {std::pair{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}) {
    problem.system.jacobian.row(row) << 1, x, y;
    row += 3;
  }
  problem.system.velocity = Eigen::Vector3d(-1, .1, .2);
  problem.springs.assign(4, {1.0, 1.0, {0.0, .8}, {}});
  const SimultaneousSystemImpact impact = simultaneous_impact(problem);
  EXPECT_EQ(impact.verdict, Verdict::separated);
  EXPECT_LT(std::abs(impact.energy.imbalance()), 1e-12);
  // With friction, tangents that cannot move at all hold nothing.
  for (ContactSpring& spring : problem.springs) spring.material.friction = .5;
  EXPECT_LT((simultaneous_impact(problem).velocity - impact.velocity).norm(), 1e-8);
}

// Velocities near the ends of the range of a double: scaled by a power of two first, which linear springs do not see.
TEST(SimultaneousSystem, Extremes) {
  SimultaneousSystemProblem problem = pendulums({1, 2, 1}, {1, 2, 3}, {1.0, linear, {0.0, .9}, {}});
  const Eigen::VectorXd v = simultaneous_impact(problem).velocity;
  for (const int shift : {-1000, -400, 400, 1000}) {
    SimultaneousSystemProblem scaled = problem;
    scaled.system.velocity = problem.system.velocity.unaryExpr([&](double x) { return std::ldexp(x, shift); });
    const SimultaneousSystemImpact impact = simultaneous_impact(scaled);
    EXPECT_LT((impact.velocity.unaryExpr([&](double x) { return std::ldexp(x, -shift); }) - v).norm(), 1e-12) << shift;
    EXPECT_EQ(impact.flags.has(Flag::overflow), shift == 1000) << shift;  // the energy alone
  }
  problem.system.jacobian *= 1e10;
  problem.system.velocity *= 1e300;
  const SimultaneousSystemImpact none = simultaneous_impact(problem);
  EXPECT_TRUE(none.flags.has(Flag::overflow));
}

TEST(SimultaneousSystem, NamesWhatItRefuses) {
  const auto refused = [](auto change) -> std::string {
    SimultaneousSystemProblem problem = pendulums({1, 1, 1}, {1, 1, 1}, {});
    change(problem);
    try {
      simultaneous_impact(problem);
    } catch (const InvalidInput& error) {
      return error.field();
    }
    return "";
  };
  using Problem = SimultaneousSystemProblem;
  EXPECT_EQ(refused([](Problem&) {}), "");
  EXPECT_EQ(refused([](Problem& p) { p.dimension = 4; }), "dimension");
  EXPECT_EQ(refused([](Problem& p) { p.dimension = 3; }), "jacobian");
  EXPECT_EQ(refused([](Problem& p) { p.springs.pop_back(); }), "springs");
  EXPECT_EQ(refused([](Problem& p) { p.springs[1].stiffness = 0.0; }), "springs[1].stiffness");
  EXPECT_EQ(refused([](Problem& p) { p.springs[1].stiffness = 1e-320; }), "springs[1].stiffness");
  EXPECT_EQ(refused([](Problem& p) { p.springs[0].exponent = 2.0; }), "springs[0].exponent");
  EXPECT_EQ(refused([](Problem& p) { p.springs[1].material.restitution = 1.5; }), "springs[1].restitution");
  EXPECT_EQ(refused([](Problem& p) { p.springs[1].eta0 = -1.0; }), "springs[1].eta0");
  EXPECT_EQ(refused([](Problem& p) { p.tolerance = 1.0; }), "tolerance");
  EXPECT_EQ(refused([](Problem& p) { p.steps_per_time_unit = 1.0; }), "steps_per_time_unit");
  EXPECT_EQ(refused([](Problem& p) { p.system.mass_matrix(1, 1) = 0.0; }), "mass_matrix");
  EXPECT_EQ(refused([](Problem& p) { p.system.mass_matrix.resize(2, 3); }), "mass_matrix");
  EXPECT_EQ(refused([](Problem& p) { p.system.jacobian(0, 0) = std::nan(""); }), "jacobian");
  EXPECT_EQ(refused([](Problem& p) { p.system.velocity.resize(2); }), "velocity");
  EXPECT_EQ(refused([](Problem& p) {
              p.method = SimultaneousMethod::kick_drift_kick;
              p.springs[0].material.friction = .1;
            }),
            "springs[0].eta0");
}

}  // namespace
}  // namespace carom::testing
