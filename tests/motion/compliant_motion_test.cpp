// Bodies with forces over time: the ball on the incline and the pendulums of Gonthier et al. 2004. Expected values,
// where no closed form: independent integrations (fixed steps of order 4 with located touches, and order 8 landing on
// every switch).
#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>

#include "carom/contact/rigid_limit.hpp"
#include "carom/core/contact_space.hpp"
#include "carom/motion/pendulum_impact.hpp"
#include "carom/motion/sphere_on_plane.hpp"

#include "core/random.hpp"

namespace carom {
namespace {

using Eigen::Vector2d, Eigen::Vector3d;
using testing::refusal;
constexpr double degree = M_PI / 180.0;

SphereOnPlaneProblem table_2() {
  SphereOnPlaneProblem p;
  p.mass = 2.0;
  p.radius = 0.1;
  p.surface = {1e6,
               1.5,
               0.5,
               {.mu_s = 0.45, .mu_c = 0.4, .sigma0 = 1e5, .sigma1 = 1e4, .sigma2 = 0.0, .v_s = 0.1, .tau_dw = 0.01}};
  p.incline = 20.0 * degree;
  p.gravity = 9.81;
  p.gap = 0.5;
  p.velocity = {-std::cos(p.incline), 0.5, -std::sin(p.incline)};
  p.end_time = 3.0;
  return p;
}

TEST(SphereOnPlane, RollsDownTheIncline) {
  SphereOnPlaneProblem p = table_2();
  p.sample_times = {0.5, 1.0, 1.5, 2.0, 2.5, 3.0};
  const SphereOnPlaneResult r = sphere_on_plane(p);
  EXPECT_FALSE(r.limited);
  EXPECT_EQ(r.contacts, 4);
  ASSERT_EQ(r.samples.size(), 6u);
  // Fixed steps of order 4 without locating the kinks of friction: right to 1e-5.
  EXPECT_NEAR(r.samples[0].velocity[0], 0.709800899, 1e-5);
  EXPECT_NEAR(r.samples[0].velocity[1], 0.357060152, 1e-7);
  EXPECT_NEAR(r.samples[0].velocity[2], -0.271370158, 1e-5);
  EXPECT_NEAR(r.samples[1].position[0], 0.553501, 1e-5);
  EXPECT_NEAR(r.samples[1].position[2], 0.099323, 1e-6);
  EXPECT_NEAR(r.samples[3].velocity[0], 4.121969103, 2e-5);
  EXPECT_NEAR(r.samples[4].velocity[0], 5.320261125, 2e-5);
  EXPECT_NEAR(r.samples[4].angular_velocity[1], 53.20261125, 2e-4);
  const double begins[] = {0.294343, 0.631445, 0.798877, 0.881194},
               approach[] = {3.055383, 1.483073, 0.688512, 0.277201};
  ASSERT_EQ(r.touches.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(r.touches[i].begins, begins[i], 2e-6);
    EXPECT_NEAR(r.touches[i].approach, approach[i], 1e-5);
    EXPECT_EQ(r.touches[i].ends.has_value(), i < 3);
  }
  EXPECT_NEAR(r.samples[4].angular_velocity[0], -3.57142857, 1e-8);
  // Rolling: 5/7 of what slides, and of the first speed across.
  EXPECT_NEAR(r.samples[5].velocity[0] - r.samples[4].velocity[0], 0.5 * 5.0 / 7.0 * 9.81 * std::sin(p.incline), 1e-8);
  EXPECT_NEAR(r.samples[5].velocity[1], 5.0 / 14.0, 1e-9);
  EXPECT_GT(r.dissipated, 0.0);
  const SphereSample& end = r.samples.back();
  EXPECT_NEAR(end.kinetic,
              0.5 * 2.0 * end.velocity.squaredNorm() * 1.0 + 0.2 * 2.0 * 0.01 * end.angular_velocity.squaredNorm(),
              1e-12);
  for (const double gap : {0.1, 0.2, 1.0, 2.0}) {
    p.gap = gap;
    EXPECT_NEAR(sphere_on_plane(p).end.velocity[1], 5.0 / 14.0, 1e-9) << gap;
  }
}

// Gravity acts during the touch: the ball leaves more slowly than e v, or not at all.
TEST(SphereOnPlane, GravityLowersTheRebound) {
  SphereOnPlaneProblem p = table_2();
  p.incline = 0.0;
  p.gap = 0.0;
  p.v_min = 1e-9;
  const auto rebound = [&](double speed) {
    p.velocity = {0.0, 0.0, -speed};
    p.end_time = 0.05;
    const SphereOnPlaneResult r = sphere_on_plane(p);
    return r.touches.at(0).speed.value_or(0.0) / speed;
  };
  EXPECT_NEAR(rebound(3.0), 0.4840869654, 1e-9);
  EXPECT_NEAR(rebound(1.0), 0.4366824178, 1e-9);
  EXPECT_EQ(rebound(0.3), 0.0);
  p.gravity = 0.0;
  EXPECT_NEAR(rebound(1.0), 0.5, 1e-9);
}

// Without other forces the ball rebounds with what was asked for, for every exponent.
TEST(SphereOnPlane, RestitutionYouAskForIsRestitutionYouGet) {
  testing::Rng rng(4);
  for (int k = 0; k < 40; ++k) {
    SphereOnPlaneProblem p = table_2();
    p.gravity = 0.0;
    p.v_min = 1e-6;
    p.gap = 0.01;
    p.surface.exponent = testing::uniform(rng, 1.0, 3.0);
    p.surface.stiffness = 1e5 * std::pow(1e3, p.surface.exponent - 1.0);
    const double e = testing::uniform(rng, 0.02, 1.0);
    p.surface.e = e;
    p.velocity = {0.0, 0.0, -1.0};
    p.end_time = 2.0;
    const SphereOnPlaneResult r = sphere_on_plane(p);
    EXPECT_EQ(r.contacts, 1);
    EXPECT_NEAR(r.end.velocity[2], e, 3e-9) << p.surface.exponent;
    EXPECT_NEAR(r.dissipated, 1.0 - e * e, 6e-9);
  }
}

// Laid down without a push on a slope that is too steep: the bristles can hold nothing before the load comes. Expected:
// an integration in 80-bit numbers that locates the kinks.
TEST(SphereOnPlane, SlidesFromTheFirstMoment) {
  SphereOnPlaneProblem p;
  p.mass = 0.34;
  p.radius = 0.045;
  p.surface = {
      2e4, 1.5, 0.065, {.mu_s = 0.59, .mu_c = 0.46, .sigma0 = 7.7e5, .sigma1 = 160.0, .v_s = 0.02, .tau_dw = 0.09}};
  p.incline = -0.47;
  p.gravity = 9.81;
  p.velocity = {0.0, 0.0, -0.0056};
  p.end_time = 0.01;
  p.sample_times = {1e-4, 1e-3};
  const SphereOnPlaneResult r = sphere_on_plane(p);
  EXPECT_NEAR(r.samples[0].velocity[0], -0.00044428090581318886, 1e-12);
  EXPECT_NEAR(r.samples[0].angular_velocity[1], -3.000798206351672e-08, 1e-11);
  EXPECT_NEAR(r.samples[1].velocity[0], -0.004442480448504685, 1e-11);
  EXPECT_NEAR(r.end.angular_velocity[1], -0.09309162855944088, 1e-8);
}

// A ball that creeps out at e = .01 is not pulled, whatever rounding says: viscous friction acts all the way, and slip
// falls with sigma2/m_t, m_t = 2/7 m.
TEST(SphereOnPlane, CreepIsNotAPull) {
  SphereOnPlaneProblem p;
  p.mass = 1.7;
  p.radius = 0.06;
  p.surface = {3e6, 2.0, 0.01, {.sigma0 = 6e3, .sigma1 = 40.0, .sigma2 = 12.0, .v_s = 0.025, .tau_dw = 0.4}};
  p.gravity = 0.0;
  p.v_min = 1e-3;
  p.velocity = {0.0, 0.0, -1.5};
  p.angular_velocity = {0.0, -15.0, 0.0};
  p.end_time = 0.1;
  const SphereOnPlaneResult r = sphere_on_plane(p);
  const double slip = 0.9 * std::exp(-12.0 / (2.0 / 7.0 * 1.7) * 0.1);
  EXPECT_NEAR(r.end.velocity[0], -2.0 / 7.0 * (0.9 - slip), 1e-9);
  EXPECT_NEAR(r.end.velocity[2], 0.015, 1e-8);
}

// Turned about the normal of a level plane, everything turns; and energy is never created.
TEST(SphereOnPlane, IsTheSameInEveryDirection) {
  testing::Rng rng(6);
  for (int k = 0; k < 30; ++k) {
    SphereOnPlaneProblem p = table_2();
    p.incline = 0.0;
    p.gap = testing::uniform(rng, 0.0, 0.3);
    p.velocity = testing::random_vector<3>(rng, 2.0);
    p.angular_velocity = testing::random_vector<3>(rng, 20.0);
    p.surface.friction.sigma1 = 300.0;
    p.end_time = 0.6;
    const int n = 300;
    for (int i = 0; i <= n; ++i) p.sample_times.push_back(p.end_time * i / n);
    const SphereOnPlaneResult one = sphere_on_plane(p);
    ASSERT_FALSE(one.limited);
    for (std::size_t i = 1; i < one.samples.size(); ++i) {
      const auto energy = [&](std::size_t j) {
        return one.samples[j].kinetic + one.samples[j].potential + one.samples[j].stored;
      };
      ASSERT_LE(energy(i), energy(0) + 1e-9);
    }
    const Eigen::AngleAxisd turn(testing::uniform(rng, -3.0, 3.0), Vector3d::UnitZ());
    p.velocity = turn * p.velocity;
    p.angular_velocity = turn * p.angular_velocity;
    const SphereOnPlaneResult other = sphere_on_plane(p);
    ASSERT_EQ(other.contacts, one.contacts);
    ASSERT_LT((turn * one.end.velocity - other.end.velocity).norm(), 1e-7);
    ASSERT_LT((turn * one.end.angular_velocity - other.end.angular_velocity).norm(), 1e-6);
  }
}

TEST(SphereOnPlane, NamesWhatIsWrong) {
  const auto text = [](const std::function<void(SphereOnPlaneProblem&)>& change) {
    SphereOnPlaneProblem p = table_2();
    change(p);
    return refusal([&] { sphere_on_plane(p); });
  };
  EXPECT_EQ(text([](auto& p) { p.radius = 0.0; }), "radius: must be positive, got 0");
  EXPECT_EQ(text([](auto& p) { p.gap = -1.0; }), "gap: must be >= 0, got -1");
  EXPECT_EQ(text([](auto& p) { p.gravity = 0.0; }),
            "v_min: is required where gravity does not press the ball on the plane");
  EXPECT_EQ(text([](auto& p) { p.surface.friction.v_s = 0.0; }), "friction.v_s: must be positive, got 0");
  EXPECT_EQ(text([](auto& p) { p.surface.e = 0.0; }).substr(0, 20), "e: must be above 0 f");
}

// --- pendulums ---

PendulumImpactProblem ahmed(char configuration, PendulumImpactLaw law, double mu, double e) {
  PendulumImpactProblem p;
  p.chain = chain_of_rods({1, 1}, {2, 2}, {1.0 / 6.0, 1.0 / 6.0}, 9.81);
  p.angles = configuration == 'a' ? Vector2d(18 * degree, 12 * degree) : Vector2d(0.0, 20.7 * degree);
  p.rates = Vector2d(-1, -1);
  p.law = law;
  p.mu = mu;
  p.e = e;
  p.surface = {
      1e9, 1.5, e, {.mu_s = mu, .mu_c = mu, .sigma0 = 1e5, .sigma1 = std::sqrt(1e5), .v_s = 0.1, .tau_dw = 0.75}};
  return p;
}

void expect_losses(char configuration, PendulumImpactLaw law, double e, const std::vector<double>& percent,
                   double tolerance) {
  for (std::size_t i = 0; i < percent.size(); ++i) {
    const PendulumImpact impact = pendulum_impact(ahmed(configuration, law, 0.1 * static_cast<double>(i), e));
    EXPECT_EQ(impact.verdict, PendulumVerdict::separated);
    EXPECT_NEAR(100.0 * impact.loss_fraction, percent[i], tolerance)
        << configuration << " " << name(law) << " e " << e << " mu " << 0.1 * static_cast<double>(i);
  }
}

TEST(PendulumImpact, Benchmark) {
  using Law = PendulumImpactLaw;
  expect_losses(
      'a', Law::regularized, 1.0,
      {0.0, 10.300873551807616, 17.887341558448476, 23.586936814703204, 27.916122371876924, 31.226391104092166,
       33.79956842371164, 35.916173854046484, 37.77142987969041, 39.418818229825625, 40.88499502353814},
      2e-7);
  expect_losses('a', Law::regularized, 0.5,
                {26.705735084581285, 32.08014508698091, 36.08853047682163, 39.198750174715485, 41.68371406829189,
                 43.71572183093038, 45.40907228421499, 46.842572105235575, 48.07228513000971, 49.139165923956504,
                 50.073826304307715},
                2e-7);
  expect_losses('a', Law::regularized, 0.01,
                {35.55070502681645, 39.212508478813916, 41.974481389330954, 44.13326276046299, 45.86514055536028,
                 47.284715957065885, 48.46909285748404, 49.47200776511456, 50.332036182925606, 51.0775742834951,
                 51.729981246049014},
                2e-7);
  expect_losses('b', Law::regularized, 1.0,
                {0.0, 11.9309147235863, 20.29711581899218, 26.458059603056093, 31.168147942265588, 34.876754067661274,
                 37.86662459111903, 40.32418529366694, 42.377979456941965, 44.119691424847254, 45.61591647059159},
                2e-7);
  expect_losses(
      'b', Law::regularized, 0.5,
      {11.2151210042264, 20.239453961621546, 26.684111518539563, 31.50395643730533, 35.23799975601428, 38.2123288412639,
       40.63524370970028, 42.64576743306887, 44.34009735310351, 45.7868410642855, 47.03620284262022},
      2e-7);
  expect_losses('b', Law::regularized, 0.01,
                {14.922037186723143, 21.170942196140945, 25.706322720800827, 29.141596474003983, 31.83035518656149,
                 33.990163274474234, 35.761965403198644, 37.24095801571799, 38.49369147121501, 39.56805518428913,
                 40.49936927378825},
                2e-7);
  expect_losses('a', Law::energetic, 1.0,
                {0.0, 10.30588678599543, 17.85758921482127, 23.443650543477602, 27.525492990188926, 30.352827714663967,
                 31.993299474700994, 33.952914856967055, 36.087776568909014, 37.9433757903787, 39.57114433940307},
                1e-10);
  expect_losses(
      'a', Law::poisson, 0.5,
      {26.658715503928878, 32.24543352849648, 36.44178589746748, 39.69411138447103, 42.2785838482167, 44.37504407910648,
       46.10530347550262, 47.55700662577462, 48.79699145801149, 49.868492297416566, 50.80351605684904},
      1e-10);
  expect_losses('b', Law::newton, 1.0,
                {0.0, 11.880100111971885, 20.21951932922724, 26.365826051118542, 31.067878851974307, 34.77242026895607,
                 37.761253484636065, 40.220329205661486, 42.27699092367968, 44.021204493555686, 44.90261393844577},
                1e-10);
}

// Stiffer and stiffer, with friction that stiffens too, it tends to the energetic law only where e = 1 or slip does not
// stop; else to a law of its own: Routh's path, ended where the integral of v_n / (1 - A v_n/v_i) dI_n is zero.
TEST(PendulumImpact, RigidLimit) {
  const auto loss = [](double mu, double e, double v_s, double k, double sigma0) {
    PendulumImpactProblem p = ahmed('a', PendulumImpactLaw::regularized, mu, e);
    p.chain.gravity = 0.0;
    p.surface.stiffness = k;
    p.surface.friction.v_s = v_s;
    p.surface.friction.sigma0 = sigma0;
    p.surface.friction.sigma1 = std::sqrt(sigma0);
    return 100.0 * pendulum_impact(p).loss_fraction;
  };
  const auto limit = [](double mu, double e) {
    const PendulumImpactProblem p = ahmed('a', PendulumImpactLaw::energetic, mu, e);
    const Eigen::VectorXd angles = absolute_angles(p.convention, p.angles),
                          rates = absolute_angles(p.convention, p.rates);
    const MechanicalSystem system = tip_system(p.chain, angles, rates);
    const PlanarContactSpace space = planar_contact_space(system);
    MechanicalSystem after = system;
    after.velocity = velocity_after(system, rigid_limit(space.inverse_inertia, space.velocity, mu, e));
    return 100.0 * (1.0 - kinetic_energy(after) / kinetic_energy(system));
  };
  EXPECT_NEAR(limit(0.6, 1.0), 31.99329947, 1e-8);
  EXPECT_NEAR(limit(1.0, 1.0), 39.57114434, 1e-8);
  EXPECT_NEAR(limit(0.6, 0.5), 44.98567761788469, 1e-9);
  EXPECT_NEAR(limit(1.0, 0.5), 49.734915657843906, 1e-9);
  EXPECT_NEAR(loss(0.6, 1.0, 0.1, 1e13, 1e5), 33.725021, 2e-2);  // stiffness alone leads elsewhere
  // Decade by decade of v_s, with stiffer springs and bristles: the distance falls nearly as much.
  for (const double e : {1.0, 0.5})
    for (const double mu : {0.6, 1.0}) {
      double before = 1.2;
      for (const double v_s : {1e-2, 1e-3, 1e-4}) {
        const double distance = std::abs(loss(mu, e, v_s, 1e5 / v_s / v_s, 1e7) - limit(mu, e));
        EXPECT_LT(distance, 0.3 * before) << mu << " " << e << " " << v_s;
        before = distance;
      }
    }
}

TEST(PendulumImpact, VerdictsAndMistakes) {
  PendulumImpactProblem p = ahmed('a', PendulumImpactLaw::energetic, 0.3, 0.5);
  p.rates = Vector2d(1, 1);
  const PendulumImpact none = pendulum_impact(p);
  EXPECT_EQ(none.verdict, PendulumVerdict::no_impact);
  EXPECT_EQ(none.loss_fraction, 0.0);
  EXPECT_EQ(none.rates_after, Eigen::VectorXd(Vector2d(1, 1)));
  p = ahmed('a', PendulumImpactLaw::energetic, 0.3, 0.0);
  EXPECT_EQ(pendulum_impact(p).verdict, PendulumVerdict::separated);
  p.angles = Vector2d(0.3, 0.0);
  EXPECT_EQ(refusal([&] { pendulum_impact(p); }),
            "angles: must not make the chain straight: its tip could not answer in every direction");
  p.angles = Vector2d(0.3, 0.2);
  p.mu = -1.0;
  EXPECT_EQ(refusal([&] { pendulum_impact(p); }), "mu: must be >= 0, got -1");
  // Absolute and relative angles say the same.
  PendulumImpactProblem r = ahmed('b', PendulumImpactLaw::regularized, 0.4, 0.7);
  const PendulumImpact relative = pendulum_impact(r);
  r.angles = absolute_angles(AngleConvention::relative, r.angles);
  r.rates = absolute_angles(AngleConvention::relative, r.rates);
  r.convention = AngleConvention::absolute;
  const PendulumImpact absolute = pendulum_impact(r);
  EXPECT_NEAR(absolute.rates_after[1], relative.rates_after[0] + relative.rates_after[1], 1e-12);
  EXPECT_NEAR(absolute.loss_fraction, relative.loss_fraction, 1e-12);
  // A heavy pendulum let down softly on its tip stays there.
  r.rates *= 1e-4;
  r.surface.e = 0.05;
  EXPECT_EQ(pendulum_impact(r).verdict, PendulumVerdict::sticks);
}

}  // namespace
}  // namespace carom
