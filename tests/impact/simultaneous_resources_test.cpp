// Simultaneous impact: what it costs in memory, and that it ends.
#include <gtest/gtest.h>

#include "impact/allocation_count.hpp"
#include "impact/simultaneous_random.hpp"
#include "impact/simultaneous_scenes.hpp"
#include "internal/impact/simultaneous/system.hpp"

namespace carom::testing {
namespace {

struct Cost {
  long allocations;
  std::size_t steps, events;
};

Cost cost(SimultaneousProblem problem, double tolerance) {
  problem.tolerance = tolerance;
  const long before = allocation_count();
  const SimultaneousImpact impact = simultaneous_impact(problem);
  return {allocation_count() - before, impact.steps, impact.events.size()};
}

// Memory is asked for when an impact begins and when it is told, never in a step: steps three times as many ask for no
// more. (The list of events grows by doubling.)
TEST(SimultaneousAllocation, StepsAskForNothing) {
  for (const Surface& surface : {Surface{1.5, .96}, Surface{1.0, .96, .03, 1.1}, Surface{1.5, .96, .03, 1.1}}) {
    const SimultaneousProblem problem = nine_ball(surface, 20);
    const Cost few = cost(problem, 1e-6), many = cost(problem, 1e-13);
    EXPECT_GT(many.steps, 2 * few.steps);
    EXPECT_LE(many.allocations, few.allocations + 2);
  }
}

// Rigid friction factors its matrices anew when a contact sticks or slips: so much per event, and nothing per step.
TEST(SimultaneousAllocation, RigidFrictionAsksPerEvent) {
  const SimultaneousProblem problem = nine_ball({1.5, .96, .03}, 20);
  const Cost few = cost(problem, 1e-6), many = cost(problem, 1e-13);
  EXPECT_GT(many.steps, 2 * few.steps);
  EXPECT_LE(many.allocations, few.allocations + 60 * std::abs(static_cast<long>(many.events - few.events)) + 60);
}

/// A ball thrown obliquely at the ground, its tangential springs as stiff as asked for, without the rigid limit.
simultaneous::Outcome stiff_ball(double eta0, simultaneous::Log& log) {
  std::vector<Body> bodies = {ball({0, 0, .5}), immovable_body()};
  bodies[0].velocity = {.1, 0, -1};
  const std::vector<PairContact> contacts = {{{{0, 0, 0}, Eigen::Vector3d::UnitZ()}, 0, 1}};
  const ContactGraph graph(bodies, contacts);
  simultaneous::Spring spring;
  spring.e2 = .81;
  spring.mu = .5;
  spring.eta2 = eta0 * eta0;
  const simultaneous::System<3> system(simultaneous::Factor(graph), {0}, {spring}, graph.velocities(bodies), 1.0, 1.0);
  simultaneous::Work work(simultaneous_work_bound(1));
  return solve_flow(system, 1e-8, work, log);
}

// Springs that vibrate faster than the shortest step can follow: time stands still, and the run says so.
TEST(SimultaneousStandstill, EndsWithAVerdict) {
  simultaneous::Log log;
  EXPECT_TRUE(stiff_ball(.1, log).finished);
  const simultaneous::Outcome out = stiff_ball(1e-14, log);
  EXPECT_FALSE(out.finished);
  EXPECT_LT(out.steps, 50'000U);
}

// A contact that goes from creep to stick has some room in it, and does not go back and forth in one instant.
TEST(SimultaneousStandstill, CreepAndStickDoNotAlternate) {
  EXPECT_LT(cost(rack({1, 2, 3, 4, 5}, {1.0, .96, .03}), 1e-6).events, 200U);
}

// A cube on three of its corners: two that stick hold the third as well, whose friction is at its bound. Rounding must
// not turn it, or no step is short enough (20,061 steps at one instant).
TEST(SimultaneousStandstill, CreepThatOthersHold) {
  SimultaneousSystemProblem cube;
  cube.system.mass_matrix = Eigen::MatrixXd::Identity(6, 6);
  cube.system.mass_matrix.bottomRightCorner<3, 3>() *= .17;
  cube.system.jacobian.resize(9, 6);
  cube.system.velocity = Eigen::Matrix<double, 6, 1>{.3, .1, -1, .2, 0, .4};
  Eigen::Index row = 0;
  for (const Eigen::Vector3d& r : {Eigen::Vector3d(.5, .5, -.5), {-.5, .5, -.5}, {0, -.5, -.5}}) {
    cube.system.jacobian.middleRows<3>(row) << 1, 0, 0, 0, r.z(), -r.y(),  //
        0, 1, 0, -r.z(), 0, r.x(),                                         //
        0, 0, 1, r.y(), -r.x(), 0;
    row += 3;
  }
  for (const double e : {.5, .6, .7}) {
    ContactSpring spring;
    spring.material = {.3, e};
    cube.springs.push_back(spring);
  }
  const SimultaneousSystemImpact fine = simultaneous_impact(cube);
  EXPECT_EQ(fine.verdict, Verdict::separated);
  EXPECT_TRUE(fine.flags.has(Flag::hyperstatic));
  EXPECT_LT(fine.steps, 1000U);
  EXPECT_LT(std::abs(fine.energy.imbalance()), 1e-12);
  cube.tolerance = 1e-7;
  EXPECT_LT((simultaneous_impact(cube).velocity - fine.velocity).norm(), 1e-6);
}

// A ball that sticks in a groove and vibrates between its springs, which lose nothing: it would for ever.
TEST(SimultaneousStandstill, VibrationWithoutEnd) {
  const SimultaneousImpact impact = simultaneous_impact(groove({1.0, 1.0, 3.0}, .25 * std::acos(-1.0)));
  EXPECT_EQ(impact.verdict, Verdict::event_limit);
  EXPECT_LT(impact.steps, 20'000U);
  EXPECT_LT(std::abs(impact.energy.imbalance()), 1e-9 * impact.energy.before);
}

// A body wedged between four planes that hold it: sliding slower than the tolerance can tell is rest.
TEST(SimultaneousStandstill, JamAtALooseTolerance) {
  SimultaneousProblem wedge;
  Rng rng(7);
  for (int scene = 0; scene < 3; ++scene) {
    wedge.bodies = {random_body(rng), immovable_body()};
    const Eigen::Vector3d v = wedge.bodies[0].velocity = random_direction<3>(rng);
    wedge.bodies[0].angular_velocity = random_vector<3>(rng, 1.0);
    const auto planes = static_cast<int>(2 + rng() % 3);
    const double e = uniform(rng, .1, 1.0);
    wedge.contacts.clear();
    for (int i = 0; i < planes; ++i) {
      Eigen::Vector3d normal = random_direction<3>(rng);
      if (i < 2 && normal.dot(v) > 0.0) normal = -normal;
      wedge.contacts.push_back(touching(0, 1, wedge.bodies[0].position - .5 * normal, normal, {1.0, e, .3}));
    }
  }
  wedge.tolerance = 1e-8;
  const SimultaneousImpact impact = simultaneous_impact(wedge);
  EXPECT_EQ(impact.verdict, Verdict::event_limit);
  EXPECT_GT(impact.energy.residual, .01 * impact.energy.before);
  EXPECT_LT(impact.steps, 20'000U);
}

}  // namespace
}  // namespace carom::testing
