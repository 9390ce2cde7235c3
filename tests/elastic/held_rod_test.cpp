// A rod with any initial velocity under any load, while the ground holds it: Wang 2017, lemma 10 and proposition 11.
#include "carom/elastic/held_rod.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <random>

#include "carom/core/error.hpp"

namespace {

using namespace carom;
using std::numbers::pi;

RodProblem rod(double c, double L, double g, double r) { return {c, L, g, r, DampingKind::viscous, 0.0, {}, 1, {}}; }

// One standing wave keeps its shape: y'' + 2 r y' + c^2 a^2 y = load, in closed form, under- and overdamped.
TEST(HeldRod, StandingWaves) {
  const double c = 1.7, L = 0.9;
  for (const double r : {0.0, 0.8, 6.0})
    for (const int k : {0, 2}) {
      const double a = (k + 0.5) * pi / L, w2 = c * c * a * a - r * r;
      HeldRodData data;
      data.velocity = [a](double x) { return -2.0 * std::sin(a * x); };
      // A load that swings: the particular solution y_p = p cos(n t) + q sin(n t) of n = 3.
      const double n = 3.0, s = c * c * a * a - n * n, d = 2.0 * r * n, scale = 0.7 / (s * s + d * d);
      const double p = scale * s, q = scale * d;
      data.load = [a, n](double x, double t) { return 0.7 * std::cos(n * t) * std::sin(a * x); };
      const HeldRod held(rod(c, L, 0.0, r), data);
      for (const double t : {0.0, 0.23, 1.4}) {
        const double w = std::sqrt(std::abs(w2)), e = std::exp(-r * t);
        const double sine = w2 > 0.0 ? std::sin(w * t) / w : std::sinh(w * t) / w;
        const double cosine = w2 > 0.0 ? std::cos(w * t) : std::cosh(w * t);
        // y(0) = 0, y'(0) = -2.
        const double y0 = -p, v0 = -2.0 - q * n;
        const double y = p * std::cos(n * t) + q * std::sin(n * t) + e * (y0 * cosine + (v0 + r * y0) * sine);
        const double rate = -p * n * std::sin(n * t) + q * n * std::cos(n * t) +
                            e * (v0 * cosine - (r * v0 + c * c * a * a * y0) * sine);
        for (const double x : {0.0, 0.31, 0.9}) {
          EXPECT_NEAR(held.displacement(x, t), y * std::sin(a * x), 1e-12) << r << ' ' << k << ' ' << t;
          EXPECT_NEAR(held.velocity(x, t), rate * std::sin(a * x), 2e-12) << r << ' ' << k << ' ' << t;
          EXPECT_NEAR(held.strain(x, t), y * a * std::cos(a * x), 3e-12) << r << ' ' << k << ' ' << t;
        }
        const HeldRod::Whole whole = held.whole(t);
        EXPECT_NEAR(whole.momentum, rate / a, 1e-12);
        EXPECT_NEAR(whole.height, y / (a * L), 1e-12);
        EXPECT_NEAR(whole.energy, 0.25 * L * (rate * rate + c * c * a * a * y * y), 1e-11);
      }
    }
}

// Uniform velocity and gravity: the rod of rod.hpp, in its first contact.
TEST(HeldRod, UniformVelocityIsTheFallingRod) {
  for (const double r : {0.0, 0.2, 0.8}) {
    RodProblem problem = rod(1.3, 0.8, 0.6, r);
    problem.impact_speed = 2.5;
    const HeldRod held(problem, held_rod_data({{{0.0, -2.5}}}, {}));
    const RodResult result = rod_impact(problem);
    EXPECT_NEAR(held.lift_off(10.0).value(), result.t_b.value(), 1e-11) << r;
    const double t = result.t_b.value() * (1.0 - 1e-13);
    EXPECT_NEAR(held.whole(t).momentum, result.momentum, 1e-10);
    EXPECT_NEAR(held.whole(t).height, result.height, 1e-11);
    RodMotion motion(problem);
    for (const double x : {0.2, 0.7}) {
      EXPECT_NEAR(held.displacement(x, 0.9), motion.displacement(x, 0.9), 1e-12);
      EXPECT_NEAR(held.velocity(x, 0.9), motion.velocity(x, 0.9), 1e-11);
    }
  }
}

// Proposition 12: strain and velocity jump on the characteristic ct = x by -[f]/c e^{-rt}.. of what waits at the
// bottom: there the continued velocity jumps by 2 f(0), and half of it runs up.
TEST(HeldRod, JumpsOnCharacteristics) {
  const double c = 2.0, L = 3.0, r = 0.4, x = 1.1, t = x / c, h = 1e-9;
  const HeldRod held(rod(c, L, 0.0, r), held_rod_data({{{0.0, -1.5}, {1.0, -1.5}, {3.0, 2.0}}}, {}));
  const double fade = std::exp(-r * t);
  EXPECT_NEAR(held.velocity(x, t + h) - held.velocity(x, t - h), 1.5 * fade, 1e-7);
  EXPECT_NEAR(held.strain(x, t + h) - held.strain(x, t - h), -1.5 / c * fade, 1e-7);
  // A jump inside the rod sends half of itself each way.
  const HeldRod jump(rod(c, L, 0.0, r), held_rod_data({{{0.0, 0.0}, {2.0, 0.0}, {2.0, 1.0}, {3.0, 1.0}}}, {}));
  const double to = 0.9 / c, faded = std::exp(-r * to);
  EXPECT_NEAR(jump.velocity(1.1, to + h) - jump.velocity(1.1, to - h), 0.5 * faded, 1e-7);
  EXPECT_NEAR(jump.strain(1.1, to + h) - jump.strain(1.1, to - h), 0.5 / c * faded, 1e-7);
  EXPECT_NEAR(jump.velocity(2.9, to + h) - jump.velocity(2.9, to - h), -0.5 * faded, 1e-7);
  EXPECT_NEAR(jump.strain(2.9, to + h) - jump.strain(2.9, to - h), 0.5 / c * faded, 1e-7);
}

// The rod obeys its equation for random profiles: momentum changes by what the bottom, the load and drag do to it, and
// energy by what load and drag do. (Over random moments, by differences.)
TEST(HeldRod, BalancesOfRandomProfiles) {
  std::mt19937 random(4711);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (int i = 0; i < 5; ++i) {
    const double c = 0.5 + 2.0 * unit(random), L = 0.4 + unit(random), g = unit(random), r = 2.0 * unit(random) * c / L;
    RodProfile velocity, load;
    for (const double x : {0.0, 0.3 * L, 0.3 * L, 0.8 * L, L}) velocity.points.push_back({x, 2.0 * unit(random) - 1.5});
    for (const double x : {0.0, 0.5 * L, L}) load.points.push_back({x, unit(random) - 0.5});
    const HeldRod held(rod(c, L, g, r), held_rod_data(velocity, load));
    const double t = (0.1 + 1.2 * unit(random)) * L / c, h = 1e-4 * L / c;
    const HeldRod::Whole now = held.whole(t), before = held.whole(t - h), after = held.whole(t + h);
    const double pull = 0.25 * L * (load.points[0].value + 2.0 * load.points[1].value + load.points[2].value);
    EXPECT_NEAR((after.momentum - before.momentum) / (2.0 * h),
                -2.0 * r * now.momentum - c * c * held.strain(0.0, t) - g * L + pull, 3e-3 * (1.0 + c * c / L))
        << i;
    EXPECT_NEAR((after.height - before.height) / (2.0 * h), now.momentum / L, 1e-3) << i;
  }
}

// A load that is constant in time is the same whichever way it is said.
TEST(HeldRod, ASteadyLoadIsALoad) {
  const RodProfile velocity{{{0.0, -1.0}, {0.4, -2.0}, {0.9, 0.5}}};
  const RodProfile load{{{0.0, 0.7}, {0.5, -0.3}, {0.5, 1.0}, {0.9, 1.0}}};
  for (const double r : {0.0, 0.6, 4.0}) {
    const HeldRodData steady = held_rod_data(velocity, load);
    HeldRodData in_time = steady;
    in_time.steady_load = nullptr;
    in_time.load = [&](double x, double) { return load(x) - 0.4; };
    const HeldRod one(rod(1.1, 0.9, 0.4, r), steady), other(rod(1.1, 0.9, 0.0, r), in_time);
    for (const double t : {0.3, 1.9})
      for (const double x : {0.0, 0.35, 0.8}) {
        EXPECT_NEAR(one.displacement(x, t), other.displacement(x, t), 1e-12) << r << ' ' << t << ' ' << x;
        EXPECT_NEAR(one.velocity(x, t), other.velocity(x, t), 1e-12) << r << ' ' << t << ' ' << x;
        EXPECT_NEAR(one.strain(x, t), other.strain(x, t), 1e-12) << r << ' ' << t << ' ' << x;
      }
  }
}

// Strong drag: no bounce, and from a start at rest the rod creeps to its sag as the slowest modes do.
TEST(HeldRod, StrongDrag) {
  const double r = 14.0;
  EXPECT_FALSE(HeldRod(rod(1.0, 1.0, 1.0, r), held_rod_data({{{0.0, -3.0}}}, {})).lift_off(2.0).has_value());
  const HeldRod creeping(rod(1.0, 1.0, 1.0, r), {});
  const double t = 8.0;
  double height = -1.0 / 3.0;  // at rest, -g L^2/(3 c^2); above it by the modes: y'' + 2 r y' + a^2 y = 0 from g/a^2, 0
  for (int k = 0; k < 40; ++k) {
    const double a2 = (k + 0.5) * (k + 0.5) * pi * pi, q = std::sqrt(r * r - a2 > 0.0 ? r * r - a2 : 0.0);
    if (q == 0.0) break;
    const double s = -a2 / (r + q), fast = -(r + q);
    height += 2.0 / a2 / a2 * (fast * std::exp(s * t) - s * std::exp(fast * t)) / (fast - s);
  }
  EXPECT_NEAR(creeping.whole(t).height, height, 1e-10);
}

// A static load: after long drag the rod hangs in it, -c^2 v_xx = load.
TEST(HeldRod, ComesToRestUnderItsLoad) {
  const double c = 1.0, L = 1.0;
  const HeldRod held(rod(c, L, 0.0, 1.6), held_rod_data({}, {{{0.0, 1.0}, {1.0, 1.0}}}));
  EXPECT_NEAR(held.displacement(0.6, 22.0), 0.6 - 0.18, 1e-11);  // x (2L - x)/2
  EXPECT_NEAR(held.strain(0.0, 22.0), 1.0, 1e-11);
  EXPECT_NEAR(held.lift_off(10.0).value(), 0.0, 1e-11);  // pulled up from the first moment on
}

TEST(HeldRod, NamesWhatIsWrong) {
  const auto complaint = [](const RodProblem& problem, const HeldRodData& data) {
    try {
      HeldRod(problem, data);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(complaint(rod(1.0, 1.0, 0.0, 0.0), {}), "accepted");
  EXPECT_EQ(complaint(rod(1.0, -1.0, 0.0, 0.0), {}).substr(0, 6), "length");
  EXPECT_EQ(complaint(rod(1.0, 1.0, 0.0, 50.5), {}).substr(0, 7), "damping");
  HeldRodData outside;
  outside.breaks = {0.5, 1.5};
  EXPECT_EQ(complaint(rod(1.0, 1.0, 0.0, 0.0), outside).substr(0, 9), "breaks[1]");
  RodProblem structural = rod(1.0, 1.0, 0.0, 0.1);
  structural.damping_kind = DampingKind::structural;
  EXPECT_EQ(complaint(structural, {}).substr(0, 12), "damping_kind");
}

}  // namespace
