// The apparatus of Bowden and Leben with the numbers of Gonthier et al. 2004, Table I. Expected values: two independent
// integrations that agree to 9e-10.
#include "carom/contact/stick_slip.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

#include "core/random.hpp"

namespace carom {
namespace {

using testing::refusal;
using Type = StickSlipEventType;

StickSlipProblem table_1(double speed, double end_time) {
  StickSlipProblem problem;
  problem.plate_velocity = {speed, 0.0};
  problem.mass = 1.0;
  problem.spring = 2.0;
  problem.gravity = 10.0;
  problem.friction = {.mu_s = 0.15,
                      .mu_c = 0.1,
                      .sigma0 = 1e5,
                      .sigma1 = std::sqrt(1e5),
                      .sigma2 = 0.1,
                      .v_s = 0.001,
                      .tau_dw = 2.0,
                      .direction = SlipDirection::printed};
  problem.end_time = end_time;
  return problem;
}

std::vector<StickSlipEvent> of_type(const StickSlipResult& result, Type type) {
  std::vector<StickSlipEvent> events;
  for (const StickSlipEvent& event : result.events)
    if (event.type == type) events.push_back(event);
  return events;
}

struct Largest {
  double x = 0.0, z = 0.0;  ///< infinite where the run left all bounds
};

/// The block of Table I by explicit steps of order 3 (Bogacki and Shampine) of a fixed length, nothing located: how far
/// block and bristles went.
Largest by_fixed_steps(FrictionModel model, double step, double end_time) {
  StickSlipProblem p = table_1(0.1, end_time);
  p.friction.model = model;
  struct State {
    double x, slip, z, dwell;
    State operator+(const State& o) const { return {x + o.x, slip + o.slip, z + o.z, dwell + o.dwell}; }
    State operator*(double f) const { return {f * x, f * slip, f * z, f * dwell}; }
  };
  const auto rate = [&](const State& s) {
    const BristleForce f = bristle_force(p.friction, {{s.z, 0.0}, s.dwell}, {s.slip, 0.0}, p.mass * p.gravity);
    return State{s.slip + 0.1, (f.force[0] - p.spring * s.x) / p.mass, f.z_rate[0], f.dwell_rate};
  };
  State s{0.0, 0.0, 0.0, 1.0};
  Largest largest;
  for (long i = 0; i < std::lround(end_time / step); ++i) {
    const State k1 = rate(s), k2 = rate(s + k1 * (0.5 * step)), k3 = rate(s + k2 * (0.75 * step));
    s = s + (k1 * (2.0 / 9.0) + k2 * (1.0 / 3.0) + k3 * (4.0 / 9.0)) * step;
    constexpr double lost = std::numeric_limits<double>::infinity();
    if (!(std::abs(s.x) < 1e3 && std::abs(s.z) < 1e3)) return {lost, lost};
    largest = {std::max(largest.x, std::abs(s.x)), std::max(largest.z, std::abs(s.z))};
  }
  return largest;
}

// LuGre's rate sigma0 |v|/g is stiff in fast slip: from .1 ms on its bristles swing to ten times what friction can
// bend, at 1 ms without bound. With a dwell time they relax at sigma0/sigma1 whatever the speed.
TEST(StickSlip, FixedStepsHoldWithDwellTimeOnly) {
  const double bend = 0.15 * 10.0 / 1e5;
  for (const double step : {1e-4, 2e-4, 5e-4, 1e-3}) {
    EXPECT_GT(by_fixed_steps(FrictionModel::lugre, step, 12.0).z, 5.0 * bend) << step;
    const Largest dwell = by_fixed_steps(FrictionModel::dwell, step, 12.0);
    EXPECT_NEAR(dwell.x, 0.764397846, 1e-6) << step;
    EXPECT_LT(dwell.z, 1.2 * bend) << step;
  }
  EXPECT_TRUE(std::isinf(by_fixed_steps(FrictionModel::lugre, 1e-3, 12.0).x));
  EXPECT_NEAR(by_fixed_steps(FrictionModel::dwell, 3e-3, 12.0).x, 0.764397846, 1e-4);
  EXPECT_LT(by_fixed_steps(FrictionModel::lugre, 5e-5, 12.0).z, bend);  // 2.51 / (sigma0 .43/g) = .058 ms
}

struct Row {
  double speed, limit_t, x_max, x_max_t, x_min, peak_2, peak_3, period, cycle_max, cycle_min, cycle_peak;
};

TEST(StickSlip, BowdenAndLeben) {
  const Row rows[] = {
      {0.05, 15.0002966, 0.7554352503702241, 15.158505304197472, 0.2761704846418486, 1.495486714001827,
       1.4954118642974439, 11.845365085786042, 0.753621399974584, 0.2777935398718987, 1.4954104563095025},
      {0.10, 7.5001414, 0.7643978458112606, 7.7405590513504645, 0.27288767622750204, 1.4454712921227189,
       1.4376988919268976, 6.8297352562446605, 0.7358979785829406, 0.2983897014616916, 1.4361680312965954},
      {0.15, 5.0000861, 0.7774188173587847, 5.322393598031162, 0.2659733838820795, 1.3679763157484466,
       1.3288900977207145, 5.0045313, 0.6924012, 0.3420481, 1.3000040}};
  for (const Row& row : rows) {
    const StickSlipResult result = stick_slip(table_1(row.speed, row.speed < 0.1 ? 120.0 : 160.0));
    EXPECT_FALSE(result.limited);
    const auto limit = of_type(result, Type::reaches_limit), back = of_type(result, Type::turns_back),
               forward = of_type(result, Type::turns_forward), peaks = of_type(result, Type::dwell_maximum);
    ASSERT_GT(back.size(), 5u);
    EXPECT_NEAR(limit[0].t, row.limit_t, 1e-6);
    EXPECT_NEAR(back[0].x[0], row.x_max, 1e-9);
    EXPECT_NEAR(back[0].t, row.x_max_t, 1e-8);
    EXPECT_NEAR(forward[0].x[0], row.x_min, 1e-9);
    EXPECT_NEAR(peaks[1].friction[0], row.peak_2, 5e-7);
    EXPECT_NEAR(peaks[2].friction[0], row.peak_3, 5e-7);
    EXPECT_NEAR(back.back().t - back[back.size() - 2].t, row.period, 2e-7);
    EXPECT_NEAR(back.back().x[0], row.cycle_max, 1e-7);
    EXPECT_NEAR(forward.back().x[0], row.cycle_min, 1e-7);
    EXPECT_NEAR(peaks.back().friction[0], row.cycle_peak, 5e-7);
    // The block turns back .12 to .43 s after the friction's spike, and the drop takes 2.2228 s at every speed.
    EXPECT_GT(back.back().t - peaks.back().t, 0.12);
    EXPECT_LT(back.back().t - peaks.back().t, 0.43);
    EXPECT_NEAR(forward[0].t - back[0].t, 2.2228, 5e-5);
    for (const StickSlipEvent& event : result.events) EXPECT_NEAR(event.x[1], 0.0, 1e-15);
  }
}

// Friction is one vector: the run at 45 degrees is the straight one, turned.
TEST(StickSlip, AnyDirection) {
  StickSlipProblem straight = table_1(0.1, 20.0);
  for (int i = 0; i <= 200; ++i) straight.sample_times.push_back(0.1 * i);
  const StickSlipResult one = stick_slip(straight);
  ASSERT_EQ(one.samples.size(), 201u);
  for (const double angle : {0.25 * M_PI, 2.0, -1.3}) {
    StickSlipProblem turned = straight;
    const Eigen::Vector2d along(std::cos(angle), std::sin(angle)), across(-along[1], along[0]);
    turned.plate_velocity = 0.1 * along;
    const StickSlipResult other = stick_slip(turned);
    double most = 0.0;
    for (std::size_t i = 0; i < one.samples.size(); ++i) {
      EXPECT_NEAR(along.dot(other.samples[i].x), one.samples[i].x[0], 1e-9);
      EXPECT_NEAR(across.dot(other.samples[i].x), 0.0, 1e-14);
      EXPECT_NEAR(along.dot(other.samples[i].friction), one.samples[i].friction[0], 1e-6);
      most = std::max(most, other.samples[i].friction.norm());
    }
    EXPECT_LT(most, 1.5 + 0.1 * 0.45);  // not 2.1213, as of two laws in two axes
  }
}

TEST(StickSlip, StartsAndSamples) {
  StickSlipProblem problem = table_1(0.1, 1.0);
  problem.sample_times = {0.0, 0.5, 1.0};
  const StickSlipResult with = stick_slip(problem);
  EXPECT_EQ(with.samples[0].v[0], 0.1);
  EXPECT_EQ(with.samples[0].dwell, 1.0);
  EXPECT_NEAR(with.samples[2].x[0], 0.1, 1e-4);  // it goes with the plate
  problem.start = StickSlipStart::at_rest;
  const StickSlipResult rest = stick_slip(problem);
  EXPECT_EQ(rest.samples[0].v[0], 0.0);
  EXPECT_EQ(rest.samples[0].dwell, 0.0);
  EXPECT_NEAR(rest.samples[0].friction[0], 0.1 * 10.0 + 0.1 * 0.1, 1e-12);  // sliding friction, viscous part
}

// Without sliding friction the block swings in long steps; where it meets the plate's speed it sticks for some
// milliseconds, and the limit begins to build up. Expected: steps of 20 us, kinks located, in 80-bit numbers.
TEST(StickSlip, MomentsOfRestAreNotPassedOver) {
  StickSlipProblem problem;
  problem.plate_velocity = {0.06984925419285606, 0.0};
  problem.mass = 0.5873080130272677;
  problem.spring = 1.2839319670690224;
  problem.gravity = 10.0;
  problem.friction = {.mu_s = 0.18460034404937076,
                      .mu_c = 0.0,
                      .sigma0 = 69182.43834320478,
                      .sigma1 = 940.919052047414,
                      .v_s = 0.002884868626479792,
                      .tau_dw = 0.01899329579537028,
                      .v_eps = 9.737582634127005e-06,
                      .direction = SlipDirection::printed};
  problem.end_time = 26.0;
  problem.sample_times = {19.29716881474784, 25.428892110289546, 25.855022020360042};
  const double x[] = {-0.4237504788543479, 0.6569676333557504, 0.21156588706989005};
  const StickSlipResult result = stick_slip(problem);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(result.samples[i].x[0], x[i], 1e-9) << i;
}

// LuGre has no dwell time: it repeats its first cycle.
TEST(StickSlip, LuGre) {
  StickSlipProblem problem = table_1(0.1, 30.0);
  problem.friction.model = FrictionModel::lugre;
  const StickSlipResult result = stick_slip(problem);
  EXPECT_FALSE(result.limited);
  const auto back = of_type(result, Type::turns_back);
  ASSERT_GE(back.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(back[static_cast<std::size_t>(i)].x[0], 0.7537431, 2e-6);
}

// With nothing to rub on the block only swings: a harmonic motion, under both laws.
TEST(StickSlip, WithoutFriction) {
  StickSlipProblem problem = table_1(0.1, 10.0);
  problem.friction.mu_s = problem.friction.mu_c = problem.friction.sigma2 = 0.0;
  problem.sample_times = {1.0, 2.5, 10.0};
  const double w = std::sqrt(2.0);
  for (const FrictionModel model : {FrictionModel::dwell, FrictionModel::lugre}) {
    problem.friction.model = model;
    const StickSlipResult result = stick_slip(problem);
    EXPECT_FALSE(result.limited);
    ASSERT_EQ(result.samples.size(), 3u);
    for (const StickSlipSample& s : result.samples) EXPECT_NEAR(s.x[0], 0.1 / w * std::sin(w * s.t), 1e-10);
  }
}

// Friction never gives energy: kinetic, of the spring and of the bristles, less what the plate puts in.
TEST(StickSlip, EnergyIsNotCreated) {
  testing::Rng rng(3);
  for (int k = 0; k < 25; ++k) {
    StickSlipProblem problem = table_1(testing::uniform(rng, 0.02, 0.5), 6.0);
    problem.friction.direction = k % 2 == 0 ? SlipDirection::printed : SlipDirection::smooth;
    problem.friction.mu_c = testing::uniform(rng, 0.0, 0.15);
    problem.friction.sigma2 = testing::uniform(rng, 0.0, 0.5);
    problem.friction.tau_dw = std::exp(testing::uniform(rng, -4.0, 2.0));
    problem.friction.v_s = std::exp(testing::uniform(rng, -7.0, -2.0));
    const int n = 6000;
    for (int i = 0; i <= n; ++i) problem.sample_times.push_back(6.0 * i / n);
    const StickSlipResult result = stick_slip(problem);
    ASSERT_FALSE(result.limited);
    // Power of friction on the block, in the plate's frame, is a loss but for the bristles: summed by trapezoids.
    double loss = 0.0;
    for (int i = 1; i <= n; ++i) {
      const auto& a = result.samples[static_cast<std::size_t>(i - 1)];
      const auto& b = result.samples[static_cast<std::size_t>(i)];
      loss -= 0.5 * (b.t - a.t) *
              (a.friction.dot(a.v - problem.plate_velocity) + b.friction.dot(b.v - problem.plate_velocity));
    }
    ASSERT_GT(loss, -1e-4);
    for (const StickSlipSample& s : result.samples) {
      ASSERT_LE((s.friction + problem.friction.sigma2 * (s.v - problem.plate_velocity)).norm(), 1.5 * (1 + 1e-9));
      ASSERT_GE(s.dwell, -1e-9);
      ASSERT_LE(s.dwell, 1.0 + 1e-9);
    }
  }
}

TEST(StickSlip, NamesWhatIsWrong) {
  const auto text = [](const std::function<void(StickSlipProblem&)>& change) {
    StickSlipProblem problem = table_1(0.1, 1.0);
    change(problem);
    return refusal([&] { stick_slip(problem); });
  };
  EXPECT_EQ(text([](auto& p) { p.mass = 0.0; }), "mass: must be positive, got 0");
  EXPECT_EQ(text([](auto& p) { p.friction.mu_c = 0.2; }), "friction.mu_c: must be <= mu_s, 0.15, got 0.2");
  EXPECT_EQ(text([](auto& p) { p.friction.sigma1 = 0.0; }), "friction.sigma1: must be positive, got 0");
  EXPECT_EQ(text([](auto& p) { p.friction.tau_dw = -1.0; }), "friction.tau_dw: must be positive, got -1");
  EXPECT_EQ(text([](auto& p) {
              p.sample_times = {0.5, 0.5};
            }),
            "sample_times: must increase, got 0.5 after 0.5 at [1]");
  EXPECT_EQ(text([](auto& p) { p.sample_times = {2.0}; }),
            "sample_times: must lie in [0, 1] (`end_time`), got 2 at [0]");
}

// --- the law by itself ---

// Gonthier et al. 2004 with Table I: the steady curve without its viscous part.
TEST(BristleFriction, SteadyCurve) {
  BristleFriction f = table_1(0.1, 1.0).friction;
  f.sigma2 = 0.0;
  const double share[] = {0.1, 0.5, 1.0, 1.12, 1.5, 2.0, 3.0, 10.0};
  const double force[] = {1.4950249168745837, 1.3894003915357023, 1.1839397205857212, 1.141345831268299,
                          1.0526996122809322, 1.009157819444367,  1.0000617049020435, 1.0};
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(steady_friction(f, share[i] * f.v_s, 10.0), force[i], 1e-12);
  EXPECT_NEAR(breakaway_force(f, 0.0, 10.0), 1.0, 1e-15);
  EXPECT_NEAR(breakaway_force(f, 2.0, 10.0), 1.5 - 0.5 * std::exp(-1.0), 1e-15);
}

// The law turns with its input, its force is bounded, and the two directions meet at v_eps.
TEST(BristleFriction, IsOneVectorLaw) {
  testing::Rng rng(5);
  for (int k = 0; k < 5000; ++k) {
    BristleFriction f;
    f.mu_c = testing::uniform(rng, 0.0, 1.0);
    f.mu_s = f.mu_c + testing::uniform(rng, 0.0, 0.5);
    f.v_s = std::exp(testing::uniform(rng, -7.0, 0.0));
    f.sigma2 = k % 3 == 0 ? 0.0 : testing::uniform(rng, 0.0, 10.0);
    f.direction = k % 2 == 0 ? SlipDirection::smooth : SlipDirection::printed;
    f.model = k % 7 == 0 ? FrictionModel::lugre : FrictionModel::dwell;
    const double load = std::exp(testing::uniform(rng, -3.0, 5.0));
    const BristleState state{testing::random_vector<2>(rng, 1e-3), testing::uniform(rng, 0.0, 1.0)};
    const Eigen::Vector2d v = f.v_s * std::exp(testing::uniform(rng, -8.0, 3.0)) * testing::random_direction<2>(rng);
    const Eigen::Rotation2Dd turn(testing::uniform(rng, -3.0, 3.0));
    const BristleForce a = bristle_force(f, state, v, load),
                       b = bristle_force(f, {turn * state.z, state.dwell}, turn * v, load);
    ASSERT_LT((turn * a.force - b.force).norm(), 1e-13 * (1.0 + a.force.norm()));
    ASSERT_LT((turn * a.z_rate - b.z_rate).norm(), 1e-12 * (1.0 + a.z_rate.norm()));
    ASSERT_EQ(a.dwell_rate == 0.0, b.dwell_rate == 0.0);
    if (f.model == FrictionModel::dwell) {
      ASSERT_LE((a.force + f.sigma2 * v).norm(), f.mu_s * load * (1.0 + 1e-12));
    }
    // Every regime's formulas agree on its kinks: beyond a kink that is near, the force is near.
    const BristleRegime regime = bristle_regime(f, state, v, load);
    double margins[bristle_kinks];
    bristle_margins(f, regime, state, v, load, margins);
    for (const double margin : margins) ASSERT_GE(margin, 0.0);
  }
}

TEST(BristleFriction, TransportKeepsTheBristlesInTheSurface) {
  testing::Rng rng(9);
  for (int k = 0; k < 2000; ++k) {
    const Eigen::Vector3d from = testing::random_direction<3>(rng);
    const Eigen::Vector3d to = (from + testing::random_vector<3>(rng, 0.4)).normalized();
    Eigen::Vector3d z = testing::random_vector<3>(rng);
    z -= z.dot(from) * from;
    const Eigen::Vector3d carried = transported(z, from, to);
    ASSERT_NEAR(carried.dot(to), 0.0, 1e-14);
    ASSERT_NEAR(carried.norm(), z.norm(), 1e-14);
  }
  const Eigen::Vector3d x = Eigen::Vector3d::UnitX(), z = Eigen::Vector3d::UnitZ();
  EXPECT_LT((transported(x, z, x) + z).norm(), 1e-15);  // along the turn it tips over
}

}  // namespace
}  // namespace carom
