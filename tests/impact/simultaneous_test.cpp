#include "carom/impact/simultaneous.hpp"

#include <gtest/gtest.h>
#include <map>
#include <numbers>
#include <set>

#include "carom/core/error.hpp"

#include "impact/simultaneous_scenes.hpp"

namespace carom {
namespace {

using namespace testing;

constexpr double linear = 1.0, hertz = 1.5;

std::vector<double> speeds_x(const SimultaneousImpact& impact) {
  std::vector<double> v;
  for (const Body& body : impact.bodies) v.push_back(body.velocity.x());
  return v;
}

void expect_speeds(SimultaneousProblem problem, const std::vector<double>& expected, double digits) {
  problem.tolerance = 1e-13;
  const SimultaneousImpact impact = simultaneous_impact(problem);
  EXPECT_EQ(impact.verdict, Verdict::separated);
  const std::vector<double> got = speeds_x(impact);
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], digits) << "ball " << i;
}

// Expected values of this file: five independent codes (event solver, modal, 30-digit, impulse space, brute stepping)
// that agree to the digits given, unless said otherwise.

TEST(SimultaneousChain, ThreeBalls) {
  expect_speeds(chain(3, {linear}), {-.130261695065, .150229569435, .980032125630}, 6e-13);
  expect_speeds(chain(3, {hertz}), {-.070952353651, .076403039071, .994549314580}, 1e-12);
}

TEST(SimultaneousChain, FiveBalls) {
  expect_speeds(chain(5, {linear}), {-.132279484710, -.075329169803, -.031010829014, .296217750141, .942401733385},
                6e-13);
  expect_speeds(chain(5, {hertz}), {-.071085017086, -.030273764097, -.014463629032, .127044986068, .988777424147},
                1e-12);
}

// Wang 2017, Table 3.1 divided by v0; the printed simulation row is not reproducible.
TEST(SimultaneousChain, CradleOfTable31) {
  expect_speeds(chain(5, {linear, .95}), {-.099289, -.046445, -.009668, .277576, .877827}, 6e-7);
  expect_speeds(chain(5, {hertz, .95}), {-.039608, -.002415, .010421, .124788, .906814}, 6e-7);
}

// Two balls are a closed form: the energetic law gives e for any spring.
TEST(SimultaneousChain, TwoBallsAreNewtons) {
  for (const double p : {linear, hertz})
    for (const double e : {1e-3, .3, 1.0}) expect_speeds(chain(2, {p, e}), {(1 - e) / 2, (1 + e) / 2}, 1e-12);
}

TEST(SimultaneousChain, EventsInOrder) {
  const SimultaneousImpact impact = simultaneous_impact(chain(3, {linear}));
  std::vector<std::pair<EventType, std::size_t>> order;
  double time = 0.0;
  for (const SimultaneousEvent& e : impact.events) {
    order.emplace_back(e.type, e.contact);
    EXPECT_GE(e.time, time);
    time = e.time;
  }
  using enum EventType;
  EXPECT_EQ(
      order,
      (std::vector<std::pair<EventType, std::size_t>>{
          {closes, 0}, {closes, 1}, {compression_ends, 0}, {compression_ends, 1}, {separates, 0}, {separates, 1}}));
  EXPECT_EQ(impact.contacts[0].compressions, 1);
  EXPECT_TRUE(impact.flags.none());
}

// One ball onto two touching: I = (sqrt 3/2)(1+e)/2.5 by symmetry, whatever the force law.
TEST(SimultaneousBernoulli, EqualSprings) {
  for (const double p : {linear, hertz})
    for (const double e : {.4, 1.0}) {
      SimultaneousProblem problem = bernoulli({p, e});
      problem.tolerance = 1e-13;
      const SimultaneousImpact impact = simultaneous_impact(problem);
      const double i = std::sqrt(.75) * (1 + e) / 2.5;
      EXPECT_NEAR(impact.bodies[0].velocity.x(), 1 - std::sqrt(3.0) * i, 1e-12);
      EXPECT_NEAR(impact.bodies[1].velocity.x(), std::sqrt(.75) * i, 1e-12);
      EXPECT_NEAR(impact.bodies[1].velocity.y(), .5 * i, 1e-12);
      EXPECT_NEAR(impact.bodies[2].velocity.y(), -.5 * i, 1e-12);
      EXPECT_NEAR(impact.contacts[0].impulse.norm(), i, 1e-12);
      EXPECT_EQ(impact.contacts[2].compressions, 0);  // the two struck balls part at once
    }
}

TEST(SimultaneousBernoulli, StiffnessRatioTen) {
  const SimultaneousImpact impact = simultaneous_impact(bernoulli({linear}, 10.0));
  // The sheet's second ball is the one with the soft contact, below here.
  const double expected[3][2] = {{-.153347500, -.172894547}, {.726404820, .419390018}, {.426942681, -.246495472}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(impact.bodies[i].velocity.x(), expected[i][0], 6e-10);
    EXPECT_NEAR(impact.bodies[i].velocity.y(), expected[i][1], 6e-10);
  }
}

TEST(SimultaneousBlock, RocksOver) {
  const std::map<std::pair<double, double>, std::pair<double, double>> expected = {
      {{linear, 1.0}, {1.343081139, 1.028731113}},
      {{hertz, 1.0}, {1.511541017, .827643713}},
      {{linear, .5}, {.562091741, .400636096}},
      {{hertz, .5}, {.601017174, .295499431}}};
  for (const auto& [surface, u] : expected) {
    SimultaneousProblem problem = rocking_block({surface.first, surface.second});
    problem.tolerance = 1e-12;
    const SimultaneousImpact impact = simultaneous_impact(problem);
    EXPECT_NEAR(impact.contacts[0].velocity_after.y(), u.first, 6e-10);
    EXPECT_NEAR(impact.contacts[1].velocity_after.y(), u.second, 6e-10);
  }
}

TEST(SimultaneousGroove, SixtyDegreesAndFortyFive) {
  const auto after = [](double p, double degrees) {
    SimultaneousProblem problem = groove({p}, degrees * std::numbers::pi / 180.0);
    problem.tolerance = 1e-12;
    return simultaneous_impact(problem).bodies[0].velocity;
  };
  EXPECT_NEAR(after(linear, 60).x(), .186798660, 6e-10);
  EXPECT_NEAR(after(linear, 60).z(), 1.027183655, 6e-10);
  EXPECT_NEAR(after(hertz, 60).x(), .288525298, 6e-10);
  EXPECT_NEAR(after(hertz, 60).z(), 1.003370895, 6e-10);
  for (const double p : {linear, hertz}) {  // orthogonal normals do not feel each other: closed form
    EXPECT_NEAR(after(p, 45).x(), -.3, 1e-11);
    EXPECT_NEAR(after(p, 45).z(), 1.0, 1e-11);
  }
}

/// Wang 2017, Table 3.3: at contact the cue ball rolls.
SimultaneousProblem follow_shot(double mu, std::optional<double> eta0 = {}) {
  SimultaneousProblem problem;
  problem.bodies = {ball({-.03, 0, 0}, .17, .03), ball({.03, 0, 0}, .17, .03)};
  problem.bodies[0].velocity.x() = 1.048802;
  problem.bodies[0].angular_velocity.y() = 34.96;
  touch_all(problem, .03, {linear, .96, mu, eta0});
  return problem;
}

TEST(SimultaneousFollowShot, SticksFromTheCriticalFriction) {
  constexpr double critical = .1457724;
  for (const double mu : {critical + 1e-6, .5, 1.0}) {
    const SimultaneousImpact impact = simultaneous_impact(follow_shot(mu));
    EXPECT_NEAR(impact.bodies[0].velocity.x(), .020976, 6e-7);
    EXPECT_NEAR(impact.bodies[1].velocity.x(), 1.027826, 6e-7);
    EXPECT_NEAR(impact.bodies[0].angular_velocity.y(), 22.474286, 6e-7);
    EXPECT_NEAR(impact.bodies[1].angular_velocity.y(), -12.485714, 6e-7);
    EXPECT_NEAR(impact.bodies[0].velocity.z(), .149829, 6e-7);
    EXPECT_NEAR(impact.bodies[1].velocity.z(), -.149829, 6e-7);
    EXPECT_NEAR(impact.contacts[0].velocity_after.tail<2>().norm(), 0.0, 1e-10);
  }
  const SimultaneousImpact slides = simultaneous_impact(follow_shot(critical - 1e-4));
  EXPECT_GT(slides.contacts[0].velocity_after.tail<2>().norm(), 1e-4);
}

struct Break {
  double exponent, spin, ratio;
};

class SimultaneousBreak : public ::testing::TestWithParam<Break> {};

TEST_P(SimultaneousBreak, NineBallEnergyAndMirrorSymmetry) {
  const Break& b = GetParam();
  SimultaneousProblem problem = nine_ball({b.exponent, .96, .03}, b.spin);
  ASSERT_EQ(problem.contacts.size(), 17U);
  problem.tolerance = 1e-12;
  const SimultaneousImpact impact = simultaneous_impact(problem);
  EXPECT_EQ(impact.verdict, Verdict::separated);
  EXPECT_NEAR(impact.energy.after / impact.energy.before, b.ratio, 6e-9);
  EXPECT_LT(std::abs(impact.energy.imbalance()), 1e-11 * impact.energy.before);
  constexpr std::size_t mirror[] = {0, 1, 3, 2, 6, 5, 4, 8, 7, 9};
  for (std::size_t i = 0; i < 10; ++i) {
    const Eigen::Vector3d v = impact.bodies[i].velocity, w = impact.bodies[mirror[i]].velocity;
    EXPECT_NEAR(v.x(), w.x(), 1e-11);
    EXPECT_NEAR(v.y(), -w.y(), 1e-11);
    EXPECT_NEAR(v.z(), w.z(), 1e-11);
  }
}

INSTANTIATE_TEST_SUITE_P(All, SimultaneousBreak,
                         ::testing::Values(Break{linear, 0, .86552304}, Break{linear, 20, .85228750},
                                           Break{linear, -20, .85228750}, Break{hertz, 0, .84448786},
                                           Break{hertz, 20, .83486603}, Break{hertz, -20, .83486603}),
                         [](const auto& each) {
                           const auto& b = each.param;
                           return std::string(b.exponent > 1.0 ? "hertz" : "linear") + (b.spin > 0   ? "_follow"
                                                                                        : b.spin < 0 ? "_draw"
                                                                                                     : "_stop");
                         });

TEST(SimultaneousNineBall, StopShotVelocities) {
  const SimultaneousImpact impact = simultaneous_impact(nine_ball({hertz, .96, .03}));
  const double expected[10][2] = {{-.155125, 0},       {-.094695, 0}, {-.047148, -.112896}, {-.047148, .112896},
                                  {.301023, -.432216}, {.021708, 0},  {.301023, .432216},   {.161103, -.079770},
                                  {.161103, .079770},  {.398157, 0}};
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_NEAR(impact.bodies[i].velocity.x(), expected[i][0], 6e-7);
    EXPECT_NEAR(impact.bodies[i].velocity.y(), expected[i][1], 6e-7);
    EXPECT_NEAR(impact.bodies[i].velocity.z(), 0.0, 1e-9);
  }
}

// +w and -w differ only by a reflection in the table's plane.
TEST(SimultaneousNineBall, FollowAndDrawMoveTheBallsAlike) {
  const SimultaneousImpact follow = simultaneous_impact(nine_ball({linear, .96, .03}, 20));
  const SimultaneousImpact draw = simultaneous_impact(nine_ball({linear, .96, .03}, -20));
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_NEAR((follow.bodies[i].velocity - draw.bodies[i].velocity).head<2>().norm(), 0.0, 1e-9);
    EXPECT_NEAR(follow.bodies[i].velocity.z(), -draw.bodies[i].velocity.z(), 1e-9);
  }
}

// Ball of Jia 2012: the numbers of the one-contact model with tangential springs (four formulations, column M).
TEST(SimultaneousSprings, OneContactIsTheCompliantModel) {
  SimultaneousProblem problem;
  problem.bodies = {ball({0, 0, 1}, 1.0, 1.0), immovable_body()};
  problem.bodies[0].velocity = {-1, 0, -5};
  problem.bodies[0].angular_velocity = {0, 2, 0};
  problem.contacts = {touching(0, 1, {0, 0, 0}, Eigen::Vector3d::UnitZ(), {linear, .5, .4, std::sqrt(17.0 / 14.0)})};
  problem.tolerance = 1e-12;
  const SimultaneousImpact impact = simultaneous_impact(problem);
  EXPECT_NEAR(impact.bodies[0].velocity.x(), .5440901551, 6e-11);
  EXPECT_NEAR(impact.bodies[0].angular_velocity.y(), -1.8602253878, 6e-11);
  EXPECT_NEAR(impact.energy.after, 3.9651047472, 6e-10);
  EXPECT_NEAR(impact.energy.restitution_loss, 9.375, 1e-10);
  EXPECT_NEAR(impact.energy.friction_loss, .4598952528, 6e-10);
  problem.bodies[0].angular_velocity = {6, 6, 0};  // Table 1, row 1: three-dimensional slip
  const SimultaneousImpact oblique = simultaneous_impact(problem);
  EXPECT_NEAR(oblique.bodies[0].velocity.x(), 1.277770, 6e-7);
  EXPECT_NEAR(oblique.bodies[0].velocity.y(), -1.952374, 6e-7);
  EXPECT_NEAR(oblique.bodies[0].angular_velocity.x(), 1.119065, 6e-7);
  EXPECT_NEAR(oblique.bodies[0].angular_velocity.y(), .305575, 6e-7);
}

// Kharaz, Gorham and Salman 2001 as computed in the sheet of the compliant model; a second law of force must agree
// closely but not exactly, so only the linear one is compared.
TEST(SimultaneousSprings, ObliqueAluminaSphere) {
  const double nu = .23, eta0 = std::sqrt((2 - nu) / (2 * (1 - nu)));
  const double angle[] = {9.496, 20.012, 30.127, 39.382, 49.694, 60.020};
  const double ratio[] = {.6585, .5922, .6861, .7781, .8455, .8949};
  for (std::size_t i = 0; i < 6; ++i) {
    SimultaneousProblem problem;
    const double a = angle[i] * std::numbers::pi / 180.0;
    problem.bodies = {ball({0, 0, 2.5e-3}, 1.0, 2.5e-3), immovable_body()};
    problem.bodies[0].velocity = {3.9 * std::sin(a), 0, -3.9 * std::cos(a)};
    problem.contacts = {touching(0, 1, {0, 0, 0}, Eigen::Vector3d::UnitZ(), {linear, .98, .092, eta0})};
    EXPECT_NEAR(simultaneous_impact(problem).bodies[0].velocity.x() / problem.bodies[0].velocity.x(), ratio[i], 6e-5);
  }
}

// Stiff tangential springs tend to rigid friction.
TEST(SimultaneousSprings, TendToRigidFriction) {
  const SimultaneousImpact rigid = simultaneous_impact(follow_shot(.1));
  const SimultaneousImpact stiff = simultaneous_impact(follow_shot(.1, 1e-2));
  EXPECT_NEAR(rigid.bodies[0].angular_velocity.y(), stiff.bodies[0].angular_velocity.y(), 1e-6);
}

TEST(SimultaneousEdges, NothingApproaches) {
  SimultaneousProblem problem = chain(3, {linear});
  problem.bodies[0].velocity.x() = -1.0;
  const SimultaneousImpact impact = simultaneous_impact(problem);
  EXPECT_EQ(impact.verdict, Verdict::no_impact);
  EXPECT_TRUE(impact.events.empty());
  EXPECT_EQ(impact.energy.before, impact.energy.after);
  EXPECT_EQ(impact.bodies[0].velocity.x(), -1.0);
  SimultaneousProblem empty;
  EXPECT_EQ(simultaneous_impact(empty).verdict, Verdict::no_impact);
}

TEST(SimultaneousEdges, Flags) {
  EXPECT_TRUE(simultaneous_impact(chain(3, {linear, 0.0})).flags.has(Flag::e_clamped));
  SimultaneousProblem mixed = chain(3, {linear});
  mixed.contacts[1].exponent = 1.5;
  EXPECT_TRUE(simultaneous_impact(mixed).flags.has(Flag::mixed_exponents));
}

// A ball pressed into a corner of three planes with much friction stays there: the springs cannot let go.
TEST(SimultaneousEdges, WedgeThatDoesNotLetGo) {
  SimultaneousProblem corner;
  corner.bodies = {ball({0, 0, 0}), immovable_body()};
  corner.bodies[0].velocity = {-1, -1, -1};
  for (int axis = 0; axis < 3; ++axis) {
    const Eigen::Vector3d normal = Eigen::Vector3d::Unit(axis);
    corner.contacts.push_back(touching(0, 1, -.5 * normal, normal, {linear, .8, 5.0}));
  }
  const SimultaneousImpact impact = simultaneous_impact(corner);
  EXPECT_EQ(impact.verdict, Verdict::event_limit);
  EXPECT_GT(impact.energy.residual, 0.0);
  EXPECT_LT(impact.bodies[0].velocity.norm(), 1e-8);
  EXPECT_LT(std::abs(impact.energy.imbalance()), 1e-9);
}

// Two corners of a block on one line cannot slip along it independently: their friction forces are not unique.
TEST(SimultaneousEdges, HyperstaticBlock) {
  const SimultaneousImpact impact = simultaneous_impact(rocking_block({linear, .5, 2.0}));
  EXPECT_EQ(impact.verdict, Verdict::separated);
  EXPECT_TRUE(impact.flags.has(Flag::hyperstatic));
  EXPECT_LT(std::abs(impact.energy.imbalance()), 1e-9);
}

// Plastic contacts: all balls end together.
TEST(SimultaneousEdges, PlasticChainMovesTogether) {
  for (const double p : {linear, hertz}) {
    const SimultaneousImpact impact = simultaneous_impact(chain(3, {p, 0.0}));
    EXPECT_EQ(impact.verdict, Verdict::separated);
    EXPECT_TRUE(impact.flags.has(Flag::e_clamped));
    for (const Body& body : impact.bodies) EXPECT_NEAR(body.velocity.x(), 1.0 / 3.0, 2e-3);
  }
}

TEST(SimultaneousEdges, Refusals) {
  const auto refused = [](auto change) {
    SimultaneousProblem problem = chain(3, {linear});
    change(problem);
    try {
      simultaneous_impact(problem);
    } catch (const InvalidInput& error) {
      return error.field();
    }
    return std::string();
  };
  EXPECT_EQ(refused([](auto& p) { p.contacts[1].stiffness = 0; }), "contacts[1].stiffness");
  EXPECT_EQ(refused([](auto& p) { p.contacts[1].exponent = 2; }), "contacts[1].exponent");
  EXPECT_EQ(refused([](auto& p) { p.contacts[0].material.restitution = 1.1; }), "contacts[0].restitution");
  EXPECT_EQ(refused([](auto& p) { p.contacts[0].material.friction = -1; }), "contacts[0].friction");
  EXPECT_EQ(refused([](auto& p) { p.contacts[0].eta0 = 0.0; }), "contacts[0].eta0");
  EXPECT_EQ(refused([](auto& p) { p.contacts[0].normal *= 1.1; }), "contacts[0].normal");
  EXPECT_EQ(refused([](auto& p) { p.contacts[0].second = 7; }), "contacts[0].bodies");
  EXPECT_EQ(refused([](auto& p) { p.contacts[0].second = 0; }), "contacts[0].bodies");
  EXPECT_EQ(refused([](auto& p) { p.contacts.push_back(p.contacts[0]); }), "contacts[2]");
  EXPECT_EQ(refused([](auto& p) { p.bodies[0].immovable = p.bodies[1].immovable = true; }), "contacts[0].bodies");
  EXPECT_EQ(refused([](auto& p) { p.bodies[2].mass = -1; }), "bodies[2].mass");
  EXPECT_EQ(refused([](auto& p) { p.tolerance = 0; }), "tolerance");
  EXPECT_EQ(refused([](auto& p) {
              p.method = SimultaneousMethod::kick_drift_kick;
              p.contacts[0].material.friction = .1;
            }),
            "contacts[0].eta0");
}

TEST(SimultaneousTrace, SamplesFollowTheImpact) {
  const auto [impact, samples] = simultaneous_path(nine_ball({hertz, .96, .03}), 1000);
  ASSERT_GT(samples.size(), 50U);
  double time = -1.0, peak = 0.0;
  for (const SimultaneousSample& s : samples) {
    EXPECT_GE(s.time, time);
    time = s.time;
    for (const auto& c : s.contacts) {
      EXPECT_GE(c.force, 0.0);
      EXPECT_LE(c.friction.norm(), .03 * c.force * (1 + 1e-9));
      peak = std::max(peak, c.force);
    }
  }
  EXPECT_GT(peak, 0.0);
  EXPECT_NEAR(time, impact.events.back().time, 1e-12);
}

// Fixed steps: the error is stated, and true.
TEST(SimultaneousKickDriftKick, StatesItsError) {
  for (const Surface& surface : {Surface{linear, .96}, Surface{hertz, .96}, Surface{hertz, .96, .03, 1.1}}) {
    SimultaneousProblem problem = nine_ball(surface);
    const SimultaneousImpact exact = simultaneous_impact(problem);
    problem.method = SimultaneousMethod::kick_drift_kick;
    double before = 1.0;
    for (const double steps : {50.0, 200.0, 800.0}) {
      problem.steps_per_time_unit = steps;
      const SimultaneousImpact impact = simultaneous_impact(problem);
      double error = 0.0;
      for (std::size_t i = 0; i < 10; ++i)
        error = std::max(error, (impact.bodies[i].velocity - exact.bodies[i].velocity).norm());
      EXPECT_LT(error, 3.0 * impact.velocity_error);
      EXPECT_LT(error, .5 * before);
      EXPECT_LT(std::abs(impact.energy.imbalance()), 10 * impact.velocity_error * impact.energy.before);
      before = error;
    }
    EXPECT_LT(before, 1e-3);
  }
}

}  // namespace
}  // namespace carom
