// What Jia 2012 prints, and what is behind it: values computed for the places named, by the model, by the reading the
// printed numbers follow, and by the steps the printed digits come from. Independent codes agree on the former two to
// 1e-15, on the latter to the digits given.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <iterator>
#include <numbers>

#include "carom/core/error.hpp"
#include "carom/impact/compliant_steps.hpp"
#include "carom/impact/impact_class.hpp"
#include "carom/impact/spatial.hpp"

#include "impact/compliant_cases.hpp"

namespace carom {
namespace {

using cases::ball;
using Eigen::Vector3d;

const Vector3d V0(-1, 0, -5), w0(0, 2, 0);

double vx(double v, double w, double mu = .4, double e = .5, double eta0 = cases::paper_eta0,
          Reading reading = Reading::model) {
  return v + compliant_outcome(ball({v, 0, -5}, {0, w, 0}, mu, e, eta0, reading)).impulse.x();
}

// Section 8.1.1 and figures 11 and 12: impulse, tangential velocity, spring rate and sqrt(2) times the spring length at
// the four events after first touch.
TEST(Jia2012, TheBallAtItsEvents) {
  const auto impact = compliant_impact(ball(V0, w0));
  ASSERT_EQ(impact.events.size(), 5u);
  const double at[][2] = {{0.25, 0.625}, {1.5545389467, 5}, {1.597857367, 7.3655819703}, {1.5440901551, 7.5}};
  const double velocity[] = {-2.125, 2.4408863135, 2.5925007846, 2.404315543};
  const double length[] = {-1.66273, -1.32812, 1.11102, 0.0};
  for (std::size_t k = 0; k < 4; ++k) {
    const CompliantEvent& event = impact.events[k + 1];
    EXPECT_NEAR(event.impulse.x(), at[k][0], 5e-10);
    EXPECT_NEAR(event.impulse.z(), at[k][1], 5e-10);
    EXPECT_NEAR(event.velocity.x(), velocity[k], 5e-10);
    EXPECT_NEAR(std::numbers::sqrt2 * event.springs.length.x(), length[k], 1e-5);
  }
  EXPECT_NEAR(impact.events[0].springs.rate.x(), -2.4285714286, 5e-10);  // figure 12b
  EXPECT_NEAR(impact.events[3].springs.rate.x(), -4.595987828, 5e-9);    // printed -2.29806, half of it
  EXPECT_NEAR(compliant_impact(ball(V0, w0, .4, .5, cases::paper_eta0, Reading::published)).events[3].springs.rate.x(),
              -2.297993913987586, 1e-9);
}

struct Motion {
  Vector3d velocity, spin;
};
const Motion printed_table_1[] = {  // rows 0 (the start) to 8
    {{-1, 0, -5}, {6, 6, 0}},
    {{0.898172, -1.627, 2.5001}, {1.93249, 1.25457, 0}},
    {{1.07389, -1.77762, 1.2501}, {1.55595, 0.815269, 0}},
    {{0.944485, -1.6667, 0.62505}, {1.83325, 1.13879, 0}},
    {{1.04364, -1.75169, 0.3123}, {1.62078, 0.890907, 0}},
    {{0.963345, -1.68287, 0.15565}, {1.79283, 1.09164, 0}},
    {{1.02677, -1.73723, 0.07665}, {1.65692, 0.933078, 0}},
    {{0.998039, -1.7126, 0.0358}, {1.71849, 1.0049, 0}},
    {{1.00197, -1.71598, 0.0111}, {1.71006, 0.995071, 0}}};

// Table 1: model and published reading over all bounces (V_z is halved), and one stepped bounce from each printed row.
TEST(Jia2012, Table1) {
  const Vector3d model[] = {// V_x, V_y, w_x
                            {1.2777698071, -1.9523741204, 1.1190646991}, {0.7862981642, -1.5311127121, 2.1722182197},
                            {1.1733625199, -1.8628821599, 1.3427946002}, {0.8916494649, -1.6214138271, 1.9464654324},
                            {1.0340100778, -1.7434372096, 1.6414069761}, {0.9742709739, -1.6922322634, 1.7694193416},
                            {1.0098611272, -1.722738109, 1.6931547275},  {0.9931710725, -1.7084323479, 1.7289191303}};
  const Vector3d published[] = {{0.8981415059, -1.6269784336, 1.9325539159}, {1.073750911, -1.7775007808, 1.556248048},
                                {0.944771555, -1.6669470471, 1.8326323822},  {1.0431880252, -1.7513040216, 1.621739946},
                                {0.9638366087, -1.6832885217, 1.7917786957}, {1.026548262, -1.7370413675, 1.6573965813},
                                {0.996889801, -1.7116198294, 1.7209504264},  {1.0024038417, -1.71634615, 1.709134625}};
  const Vector3d stepped[] = {// V_x, V_y, V_z, from the printed row before
                              {0.898149, -1.626985, 2.5},     {1.073555, -1.777331, 1.25005},
                              {0.944798, -1.666972, 0.62495}, {1.043349, -1.751442, 0.31225},
                              {0.96335, -1.682872, 0.15555},  {1.026758, -1.73722, 0.0766},
                              {0.998063, -1.712623, 0.0357},  {1.001961, -1.715967, 0.01105}};
  for (const Reading reading : {Reading::model, Reading::published}) {
    Motion now = printed_table_1[0];
    for (std::size_t k = 0; k < 8; ++k) {
      now.velocity.z() = -std::abs(now.velocity.z());
      const auto outcome = compliant_outcome(ball(now.velocity, now.spin, .4, .5, cases::paper_eta0, reading));
      now.velocity = cases::ball_velocity(now.velocity, outcome.impulse);
      now.spin = cases::ball_spin(now.spin, outcome.impulse);
      const Vector3d& expected = reading == Reading::model ? model[k] : published[k];
      EXPECT_NEAR(now.velocity.x(), expected[0], 1e-10) << k;
      EXPECT_NEAR(now.velocity.y(), expected[1], 1e-10) << k;
      EXPECT_NEAR(now.spin.x(), expected[2], 1e-10) << k;
    }
  }
  for (std::size_t k = 0; k < 8; ++k) {
    Motion before = printed_table_1[k];
    before.velocity.z() = -std::abs(before.velocity.z());
    const auto one = stepped_impact(ball(before.velocity, before.spin, .4, .5, cases::paper_eta0, Reading::published));
    const Vector3d after = cases::ball_velocity(before.velocity, one.impulse);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(after[i], stepped[k][i], 1e-6) << k << " " << i;
      // Within a few steps of what is printed, which the published reading misses by up to .0085 in the last rows.
      EXPECT_NEAR(after[i], printed_table_1[k + 1].velocity[i], 3.5e-4) << k << " " << i;
    }
  }
}

// Section 8.1.1 by steps of 5e-5 with a stop at 1e-4: .570978, -1.927445 (printed .570982, -1.92746), and normal
// velocities that fall short as those of Table 1 do.
TEST(Jia2012, TheStepsBehindThePrintedDigits) {
  const auto first = stepped_impact(ball(V0, w0, .4, .5, cases::paper_eta0, Reading::published));
  EXPECT_EQ(first.verdict, Verdict::separated);
  EXPECT_NEAR(-1.0 + first.impulse.x(), .570978, 5e-7);
  EXPECT_NEAR(2.0 - 2.5 * first.impulse.x(), -1.927445, 1e-6);
  EXPECT_EQ(first.events.size(), 5u);
  EXPECT_NEAR(first.events[1].impulse.z(), .625, 1e-4);
  EXPECT_NEAR(first.events[3].impulse.z(), 7.365582, 1e-4);
  EXPECT_NEAR(first.energy.imbalance(), 0.0, 1e-12);
  const double vz[] = {2.5, 1.25, .6249, .3122, .1555, .0765, .0356, .0109};
  Vector3d velocity = V0, spin = w0;
  for (const double expected : vz) {
    velocity.z() = -std::abs(velocity.z());
    const auto one = stepped_impact(ball(velocity, spin, .4, .5, cases::paper_eta0, Reading::published));
    velocity = cases::ball_velocity(velocity, one.impulse);
    spin = cases::ball_spin(spin, one.impulse);
    EXPECT_NEAR(velocity.z(), expected, 5e-5 + 1e-9);
  }
}

// Algorithm 1 as listed: with E_n ~ n steps the springs grow by 1 + 1/(2n) in the n-th, which leaves them and friction
// mu' = 2/sqrt(pi) mu, too large. Slip ends where -3 + 3.5 mu' I_n = mu' eta0^2 (I_n - 5), at .2517 instead of .625.
TEST(Jia2012, StepsAsListedDoNotConverge) {
  const CompliantProblem problem = ball(V0, w0);
  const Vector3d exact = compliant_outcome(problem).impulse;
  for (const double step : {5e-4, 5e-5}) {
    const auto listed = stepped_impact(problem, {.step = step, .stop_energy = 0.0, .slip = SlipSteps::as_listed});
    ASSERT_EQ(listed.events[1].type, EventType::slip_ends);
    const Vector3d& impulse = listed.events[1].impulse;
    const double mu = .4 * 2.0 / std::sqrt(std::numbers::pi), eta2 = 17.0 / 14.0;
    EXPECT_NEAR(impulse.x() / impulse.z(), mu, .002) << step;
    EXPECT_NEAR(impulse.z(), (3.0 - 5.0 * eta2 * mu) / ((3.5 - eta2) * mu), 5.0 * step) << step;
    EXPECT_GT((listed.impulse - exact).norm(), .01) << step;
  }
}

// Steps tend to the exact impact, in either reading and in space, in proportion to their length.
TEST(Jia2012, StepsConverge) {
  for (const CompliantProblem& problem :
       {ball(V0, w0), ball(V0, w0, .4, .5, cases::paper_eta0, Reading::published),
        ball({-4.9, 0, -5}, w0, .4, .5, cases::paper_eta0, Reading::published), cases::pencil()}) {
    const Vector3d exact = compliant_outcome(problem).impulse;
    const auto error = [&](double step) {
      return (stepped_impact(problem, {.step = step, .stop_energy = 0.0}).impulse - exact).norm();
    };
    EXPECT_LT(error(1e-4), 3e-4);
    EXPECT_LT(error(1e-5), 0.3 * error(1e-4));
  }
  EXPECT_EQ(stepped_impact(ball({0, 0, 1}, w0)).verdict, Verdict::no_impact);
  EXPECT_EQ(stepped_impact(ball({0, 0, 1}, w0), {.slip = SlipSteps::as_listed}).verdict, Verdict::no_impact);
  // Where the published reading has no meaning: 2.582189 by other steps, which stop one step of 2e-5 N s earlier (the
  // sheet), 2.5822008 exactly.
  const auto undefined = stepped_impact(ball({-4.9, 0, -5}, w0, .4, .5, cases::paper_eta0, Reading::published));
  EXPECT_TRUE(undefined.flags.has(Flag::undefined_reading));
  EXPECT_NEAR(undefined.impulse.x(), 2.582189, 2.2e-5);
  CompliantProblem keeping = ball(V0, w0);
  keeping.unloading = Unloading::keep_stiffness;
  EXPECT_THROW(stepped_impact(keeping), InvalidInput);
  EXPECT_THROW(stepped_impact(ball(V0, w0), {.step = 0.0}), InvalidInput);
  EXPECT_THROW(stepped_impact(ball(V0, w0), {.stop_energy = -1.0}), InvalidInput);
}

// Figures 14 and 15 and section 8.1.4.
TEST(Jia2012, Figures14And15) {
  EXPECT_NEAR(vx(-15, 2), -12.0, 1e-12);
  EXPECT_NEAR(vx(15, 2), 12.0, 1e-12);
  EXPECT_NEAR(vx(-15, 2, .4, .5, cases::paper_eta0, Reading::published), -12.5, 1e-12);
  EXPECT_NEAR(vx(-1, -10), -4.0, 1e-12);
  EXPECT_NEAR(vx(-1, 10), 2.0, 1e-12);
  const double over_mu[][3] = {{0, -1, -1},
                               {.1, -0.25, -0.375},
                               {.2, 0.4368763398, 0.436877523},
                               {.36, 0.5545472202, 0.575887398},
                               {.5, 0.5073798787, 0.5402488995},
                               {1, 0.4691981479, 0.4913006186}};
  for (const auto& [mu, model, published] : over_mu) {
    EXPECT_NEAR(vx(-1, 2, mu), model, 5e-10) << mu;
    EXPECT_NEAR(vx(-1, 2, mu, .5, cases::paper_eta0, Reading::published), published, 5e-10) << mu;
  }
  const double over_eta[][3] = {{1, 0.4108520124, 0.4572760562},
                                {1.4, 0.7142705058, 0.7142726103},
                                {1.5, 0.688093797, 0.6817060547},
                                {2.4, 0.0283623334, 0.0001662746},
                                {3, -0.2648425802, -0.2824082772}};
  for (const auto& [eta0, model, published] : over_eta) {
    EXPECT_NEAR(vx(-1, 2, .4, .5, eta0), model, 5e-10) << eta0;
    EXPECT_NEAR(vx(-1, 2, .4, .5, eta0, Reading::published), published, 5e-10) << eta0;
  }
  const double over_e[][2] = {{0, 0.5545389467}, {.22, 0.6901144842}, {.5, 0.5440901551}, {1, -0.0897438801}};
  for (const auto& [e, model] : over_e) EXPECT_NEAR(vx(-1, 2, .4, e), model, 5e-10) << e;
  EXPECT_NEAR(vx(-1, 2, 2.0 / 15.0), 0.0, 1e-10);                        // where the ball comes back
  EXPECT_NEAR(-0.5 - 2.5 * vx(-1, 2, 8.0 / 75.0), 0.0, 1e-10);           // where its spin reverses
  EXPECT_NEAR(vx(-1, 2, .4, .5, 2.4478095783), 0.0, 1e-9);               // above which it goes on
  EXPECT_NEAR(-0.5 - 2.5 * vx(-1, 2, .4, .5, 2.8427924679), 0.0, 1e-9);  // at which no spin is left
  EXPECT_NEAR(vx(-2.1306960, 2), 0.0, 1e-6);                             // it comes back only from here to 0
  // All impacts over e slip, stick to the end of compression, and slip again; at e = 0 nothing follows.
  for (int k = 1; k <= 100; ++k) {
    const auto impact = compliant_impact(ball(V0, w0, .4, .01 * k));
    ASSERT_EQ(impact.events.size(), 5u) << k;
    EXPECT_EQ(impact.events[1].type, EventType::slip_ends);
    EXPECT_EQ(impact.events[2].type, EventType::compression_ends);
    EXPECT_EQ(impact.events[3].type, EventType::stick_ends);
  }
}

// Section 8.2, figure 17a: the pencil with its right inertia.
TEST(Jia2012, ThePencilAtItsEvents) {
  const auto impact = compliant_impact(cases::pencil());
  ASSERT_EQ(impact.events.size(), 5u);
  const double at[][3] = {{0.78122, 0.361244, 1.07671},
                          {2.83281, 0.695205, 3.94918},
                          {3.7621, 0.480785, 5.39494},
                          {4.03748, 0.330737, 5.78989}};
  for (std::size_t k = 0; k < 4; ++k)
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(impact.events[k + 1].impulse[i], at[k][i], 5.1e-6) << k;
  EXPECT_EQ(impact_class(cases::pencil().space), ImpactClass::spatial);
  EXPECT_EQ(impact_class(ball(V0, w0).space), ImpactClass::planar);
  EXPECT_EQ(impact_class(ball({0, 0, -5}, {0, 0, 3}).space), ImpactClass::direct);
}

// Section 8.1.3: without compliance the ball slides throughout from V_0x = -8.5 down and 12.5 up.
TEST(Jia2012, RigidLimitsOfSlip) {
  const auto slides = [](double v) {
    const CompliantProblem p = ball({v, 0, -5}, w0);
    const auto impact = spatial_impact({p.space, p.material, RestitutionLaw::energetic});
    return std::none_of(impact.events.begin(), impact.events.end(),
                        [](const Event<3>& event) { return event.type == EventType::slip_ends; });
  };
  EXPECT_TRUE(slides(-8.51));
  EXPECT_TRUE(slides(12.51));
  EXPECT_FALSE(slides(-8.49));
  EXPECT_FALSE(slides(12.49));
}

}  // namespace
}  // namespace carom
