// Runs of scenes: the numbers of the sheet, each from two codes of other authors that agree to the digits given.
#include <gtest/gtest.h>

#include "world_scenes.hpp"

namespace carom::testing {
namespace {

using Eigen::Vector3d;

TEST(WorldNumbers, EightBouncesOfJiasTable1) {
  WorldProblem problem;
  problem.gravity = {0.0, 0.0, -9.8};
  problem.planes = {ground()};
  problem.materials = {surface(.5, .4)};
  problem.materials[0].springs = TangentialSprings{std::sqrt(17.0 / 14.0)};
  problem.bodies = {ball(1.0, 1.0, {0, 0, 1}, {-1, 0, -5}, {6, 6, 0})};
  problem.end_time = 1.015;
  const WorldRun run = run_world(problem);
  const double times[] = {0,           .5102040816, .7653061224,  .8928571429,
                          .9566326531, .9885204082, 1.0044642857, 1.0124362245};
  ASSERT_EQ(impacts(run).size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(impacts(run)[i].time, times[i], 1e-10);
  const Body& last = run.final[0].body;
  EXPECT_NEAR(last.velocity.x(), .9931710725, 2e-10);
  EXPECT_NEAR(last.velocity.y(), -1.7084323479, 2e-10);
  EXPECT_NEAR(last.angular_velocity.x(), 1.7289191303, 2e-10);
  EXPECT_NEAR(last.angular_velocity.y(), 1.0170723187, 2e-10);
  EXPECT_EQ(run.verdict, WorldVerdict::time);
}

TEST(WorldNumbers, CradleOfFigure34) {
  WorldProblem problem = cradle(PendulumMotion::small_angle);
  problem.end_time = 2.0;
  const auto small = impacts(run_world(problem));
  ASSERT_GE(small.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k)
    EXPECT_NEAR(small[k].time, static_cast<double>(2 * k + 1) * .1801275859, 1e-9) << k;
  problem = cradle(PendulumMotion::exact);
  const auto exact = impacts(run_world(problem));
  const double times[] = {.1822946199, .5425611824, .5425962011, .5426199363, .5428025104};
  const std::vector<std::vector<std::size_t>> who = {{0, 1, 2, 3, 4}, {1, 2}, {0, 1}, {1, 2}, {2, 3}};
  ASSERT_GE(exact.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(exact[k].time, times[k], 1e-10) << k;
    EXPECT_EQ(exact[k].bodies, who[k]) << k;
  }
}

TEST(WorldNumbers, TwoArms) {
  WorldProblem problem;
  problem.materials = {surface(.9)};
  for (std::size_t i = 0; i < 2; ++i) {
    const Vector3d anchor(.04 * static_cast<double>(i), 0, 0);
    const double a = i == 0 ? -1.0 : 0.0;
    problem.bodies.push_back(ball(.02, 1.0, anchor + .5 * Vector3d(std::sin(a), 0, -std::cos(a))));
    problem.supports.push_back(WorldPendulum{i, anchor, -Vector3d::UnitY()});
  }
  problem.end_time = 2.0;
  const auto hits = impacts(run_world(problem));
  ASSERT_EQ(hits.size(), 3U);
  const double times[] = {.3781496758, 1.1315128628, 1.8824484217};
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(hits[k].time, times[k], 1e-10);
}

TEST(WorldNumbers, BallIntoTheCorner) {
  const double times[] = {.9578262852, .4515236410, .4515236410}, spins[] = {1.9010057351, -1.8913897410, .2724633575};
  for (int number = 1; number <= 3; ++number) {
    WorldProblem problem = corner(number, GroupModel::simultaneous);
    const WorldRun run = run_world(problem, {times[number - 1] + 1e-9});
    const auto hits = impacts(run);
    ASSERT_GE(hits.size(), 1U);
    EXPECT_NEAR(hits[0].time, times[number - 1], 1e-10);
    EXPECT_EQ(hits[0].contacts.size(), 2U);
    EXPECT_NEAR(run.samples[0].bodies[0].body.angular_velocity.z(), spins[number - 1], 1e-9) << number;
    if (number == 2) {
      ASSERT_GE(hits.size(), 2U);
      EXPECT_NEAR(hits[1].time, .7525566648, 1e-10);
    }
  }
}

TEST(WorldNumbers, FollowShotOfTable33) {
  for (const auto& [friction, distance] : {std::pair{0.0, 3.9999163615}, std::pair{.5, 2.9919292088}}) {
    WorldProblem problem;
    problem.gravity = {0, 0, -9.8};
    problem.planes = {ground()};
    problem.materials = {thesis_balls(friction)};
    problem.bodies = {ball(.03, .17, {0, 0, .03}, {1, 0, 0}, {0, 40, 0}), ball(.03, .17, {.06 + .12, 0, .03})};
    problem.supports = {WorldCloth{0, {0, 1}, thesis_cloth(), true}};
    problem.end_time = 30.0;
    problem.stop = StopAt::rest;
    const WorldRun run = run_world(problem);
    EXPECT_EQ(run.verdict, WorldVerdict::rest);
    ASSERT_GE(impacts(run).size(), 1U);
    EXPECT_NEAR(impacts(run)[0].time, .1145428703, 1e-10);
    EXPECT_NEAR(run.final[1].body.position.x() - .18, distance, 1e-9) << friction;
  }
}

TEST(WorldNumbers, NineBallBreak) {
  const double spins[] = {0, 20, -20}, first[] = {.3938613342, .3380399160, .4576745915},
               rest[] = {4.1878467500, 5.0532135187, 3.3274263259}, spread[] = {.2841646400, .4113838056, .1858411022};
  for (int shot = 0; shot < 3; ++shot) {
    const WorldProblem problem = nine_ball_break(spins[shot]);
    const WorldRun run = run_world(problem);
    EXPECT_EQ(run.verdict, WorldVerdict::rest);
    const auto hits = impacts(run);
    EXPECT_EQ(hits.size(), 5U) << shot;
    EXPECT_NEAR(hits.at(0).time, first[shot], 1e-9);
    EXPECT_NEAR(run.time, rest[shot], 2e-8) << shot;
    Vector3d middle = Vector3d::Zero();
    for (std::size_t i = 1; i < 10; ++i) middle += run.final[i].body.position / 9.0;
    double square = 0.0;
    for (std::size_t i = 1; i < 10; ++i) square += (run.final[i].body.position - middle).squaredNorm() / 9.0;
    EXPECT_NEAR(std::sqrt(square), spread[shot], 2e-8) << shot;
    EXPECT_NEAR(run.energy.residual, 0.0, 1e-10 * run.energy.start);
  }
}

TEST(WorldNumbers, ClothOfAPoolTable) {
  WorldProblem problem;
  problem.planes = {ground()};
  problem.bodies = {ball(.028575, .17, {0, 0, .028575}, {2, 0, 0}, {30, -50, 20})};
  problem.supports = {WorldCloth{0, {0}, {.2, .01, .0127}, true}};
  problem.materials = {surface(.9)};
  problem.end_time = 20.0;
  problem.stop = StopAt::rest;
  const WorldRun run = run_world(problem);
  ASSERT_EQ(run.events.size(), 3U);
  EXPECT_EQ(run.events[0].type, WorldEventType::rolls);
  EXPECT_EQ(run.events[1].type, WorldEventType::spin_ends);
  EXPECT_EQ(run.events[2].type, WorldEventType::rests);
  EXPECT_NEAR(run.events[0].time, .5146774083, 1e-10);
  EXPECT_NEAR(run.events[1].time, 1.8348623853, 1e-10);
  EXPECT_NEAR(run.events[2].time, 11.2113342267, 1e-9);
  EXPECT_NEAR(run.final[0].body.position.x(), 6.2344598878, 1e-9);
  EXPECT_NEAR(run.final[0].body.position.y(), -1.3729880380, 1e-9);
  EXPECT_EQ(run.verdict, WorldVerdict::rest);
  EXPECT_NEAR(run.energy.residual, 0.0, 1e-12 * run.energy.start);
}

TEST(WorldNumbers, InTheAirOnABallAndInATube) {
  WorldProblem problem;
  problem.materials = {surface(.9)};
  problem.end_time = .5;
  problem.bodies = {ball(.1, 1, {0, 0, 2}, {3, 0, 1}), ball(.1, 2, {1, .1, 2.05}, {0, 0, 1})};
  EXPECT_NEAR(impacts(run_world(problem)).at(0).time, .2780562535, 1e-10);
  problem.bodies = {ball(.1, 1, {.2, 0, 1.5}), fixed_ball(.5, {0, 0, 0})};
  EXPECT_NEAR(impacts(run_world(problem)).at(0).time, .4364425213, 1e-10);
  problem.bodies = {ball(.1, 1, {.5, 0, 0}, {.3, 0, .2})};
  problem.gravity = {0, -9.81, 0};
  problem.tubes = {WorldTube{}};
  EXPECT_NEAR(impacts(run_world(problem)).at(0).time, .3672574370, 1e-10);
}

TEST(WorldNumbers, ADroppedBallRests) {
  WorldProblem problem;
  problem.planes = {ground()};
  problem.materials = {surface(.7)};
  problem.bodies = {ball(.1, 1, {0, 0, 1.1})};
  problem.end_time = 10.0;
  problem.stop = StopAt::rest;
  const WorldRun run = run_world(problem);
  EXPECT_EQ(run.verdict, WorldVerdict::rest);
  EXPECT_NEAR(run.time, std::sqrt(2.0 / 9.81) * 1.7 / .3, 1e-14);
  EXPECT_NEAR(run.time, 2.5586339656, 1e-10);
  EXPECT_EQ(run.events.back().type, WorldEventType::settles);
  EXPECT_NEAR(run.energy.residual, 0.0, 1e-14 * run.energy.start);
  EXPECT_NEAR(run.energy.restitution_loss, 9.81, 1e-13);
  EXPECT_NEAR(*run.momentum_residual, 0.0, 1e-13);
}

}  // namespace
}  // namespace carom::testing
