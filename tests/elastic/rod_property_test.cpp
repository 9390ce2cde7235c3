// What must hold for every rod: two methods agree, balances close, scales scale, limits are met, bad input is named.
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "carom/core/error.hpp"

#include "elastic/reference.hpp"

namespace {

using namespace carom;
using rod_reference::integrate;
using rod_reference::pi;

/// A rod with c = 1, L = 1/2, so that t1 = 1.
RodProblem unit(DampingKind kind, double r, double g, double mu) { return {1.0, 0.5, g, r, kind, mu, {}, 1, {}}; }

std::vector<double> lattice(const std::vector<RodEvent>& events, double end) {
  std::vector<double> cuts;
  for (double k = 0.0; k <= end; k += 0.5) cuts.push_back(k);
  for (const RodEvent& e : events)
    for (double t = e.t; t <= end; t += 1.0) cuts.push_back(t);
  return cuts;
}

TEST(RodMethods, ReflectionsAgreeWithOneUnitMemory) {
  // The contact force by the sum over reflections (Boost Bessel functions) against the motion's own equation. 1e-12 of
  // mu + gamma.
  std::mt19937_64 random(51);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int i = 0; i < 60; ++i) {
    const double rho = 0.05 + 3.8 * uniform(random), gamma = uniform(random), m = 3.0 * uniform(random);
    const RodProblem p = unit(DampingKind::viscous, rho, gamma, m * gamma);
    RodMotion motion(p);
    const RodResult s = rod_impact(p);
    const double end = s.t_b.value_or(5.0);
    for (int j = 0; j < 5; ++j) {
      const double t = end * uniform(random);
      const double k0 = rod_reference::image_kernel(rho, t, -1.0);
      const double k1 =
          integrate([&](double u) { return rod_reference::image_kernel(rho, u, -1.0); }, 0.0, t, {1, 2, 3, 4});
      EXPECT_NEAR(motion.at(t).stress, -(m * gamma * k0 + gamma * k1), 1e-12 * gamma * (m + 1.0)) << rho << ' ' << t;
    }
  }
}

TEST(RodMethods, NoEarlierLiftoff) {
  // The contact stress on a fine grid before t_b, or for a long time without a bounce, never pulls; just after t_b
  // (bottom held) it would.
  std::mt19937_64 random(60);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int i = 0; i < 120; ++i) {
    const bool structural = i % 2 == 0;
    const double r = structural ? std::exp(-8.0 + 9.0 * uniform(random)) : 3.1 * uniform(random);
    RodProblem p = unit(structural ? DampingKind::structural : DampingKind::viscous, r, 1.0, 1.0);
    const double threshold = rod_bounce_speed(p).value();
    p.impact_speed = threshold * (i % 3 == 0 ? 1.0 - 1e-3 : std::exp(4.0 * uniform(random) * uniform(random)) + 1e-3);
    const RodResult s = rod_impact(p);
    ASSERT_EQ(s.t_b.has_value(), p.impact_speed > threshold);
    // Without a bounce the motion is the standing rod's for all time; with one, up to t_b.
    const double end = s.t_b.value_or(structural ? std::max(6.0, 20.0 * r) : 8.0);
    RodMotion motion(p);
    for (int k = 1; k <= 600; ++k) {
      const double t = end * (k == 600 ? 1.0 - 1e-9 : k / 600.0);
      ASSERT_LE(motion.at(t).stress, 1e-12 * (1.0 + p.impact_speed))
          << name(p.damping_kind) << ' ' << r << ' ' << p.impact_speed / threshold << ' ' << t;
    }
  }
}

TEST(RodMethods, ModalEnergyAgreesWithTheField) {
  // E at t_b from modes with the tail expanded (rod_impact) against the integral of v_t^2 and v_x^2 along the rod.
  std::mt19937_64 random(52);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  int bounces = 0;
  for (int i = 0; i < 400; ++i) {
    const double rho = 3.1 * uniform(random), gamma = i % 7 == 0 ? 0.0 : uniform(random),
                 mu = std::exp(6.0 * uniform(random) - 1.0);
    const RodProblem p = unit(DampingKind::viscous, rho, gamma, mu);
    const RodResult s = rod_impact(p);
    if (!s.t_b) continue;
    ++bounces;
    RodMotion motion(p);
    EXPECT_NEAR(motion.energy_total(*s.t_b), s.energy_total, 1e-12 * (mu * mu + gamma * gamma)) << rho << ' ' << mu;
    const RodSample at = motion.at(*s.t_b);
    EXPECT_NEAR(at.momentum, s.momentum, 1e-12 * (mu + gamma));
    EXPECT_NEAR(at.height, s.height, 1e-12 * (mu + gamma));
  }
  EXPECT_GT(bounces, 200);
}

TEST(RodMethods, FieldIntegratesToTheCentreOfMass) {
  for (DampingKind kind : {DampingKind::viscous, DampingKind::structural})
    for (double r : {0.03, 0.2, 0.6, 5.0}) {
      const RodProblem p = unit(kind, r, 0.7, 2.0);
      RodMotion motion(p);
      for (double t : {0.31, 0.77, 1.21, 2.4}) {
        const RodSample s = motion.at(t);
        std::vector<double> cuts;
        for (const RodEvent& e : motion.events(4))
          for (double d : {e.t, 0.0})
            for (double k = -4.0; k <= 4.0; k += 1.0) cuts.push_back(std::abs(t - d - k));
        for (double x = 0.002; x < 0.5; x *= 1.6) cuts.push_back(x);
        const double tol = kind == DampingKind::structural ? 1e-9 : 1e-11;
        EXPECT_NEAR(integrate([&](double x) { return motion.displacement(x, t); }, 0.0, 0.5, cuts), 0.5 * s.height, tol)
            << r << ' ' << t;
        EXPECT_NEAR(integrate([&](double x) { return motion.velocity(x, t); }, 0.0, 0.5, cuts), s.momentum, tol)
            << r << ' ' << t;
        EXPECT_NEAR(motion.displacement(0.0, t), s.bottom, 1e-11);
      }
    }
}

TEST(RodBounces, UndampedCharacteristics) {
  // Eight bounces against characteristics in long double.
  for (double mu : {0.3, 0.77, 1.31, 2.0 / 3.0 + 0.01, 3.7, 12.3}) {
    RodProblem p = unit(DampingKind::viscous, 0.0, 1.0, mu);
    p.bounces = 8;
    const std::vector<RodEvent> events = rod_impact(p).events;
    const std::vector<double> exact = rod_reference::undamped_events(1.0L, mu, 15);
    ASSERT_EQ(events.size(), exact.size());
    for (std::size_t i = 0; i < exact.size(); ++i) {
      EXPECT_NEAR(events[i].t, exact[i], 1e-12 * (1.0 + exact[i])) << mu << ' ' << i;
      EXPECT_EQ(events[i].type, i % 2 ? RodEventType::touches : RodEventType::lifts);
      EXPECT_NEAR(events[i].energy_total, 0.25 * mu * mu, 1e-11 * mu * mu);
    }
  }
}

TEST(RodBounces, ViscousHistory) {
  // The bottom after several bounces, as free fall plus the ground's whole history of pushes through the free rod's
  // kernel.
  for (double rho : {0.05, 0.3, 1.0, 2.5}) {
    RodProblem p = unit(DampingKind::viscous, rho, 1.0, 30.0 * rho + 1.5);
    p.bounces = 4;
    RodMotion motion(p);
    const std::vector<RodEvent> events = motion.events(4);
    ASSERT_GT(events.size(), 1u);
    const double end = std::min(events.back().t + 1.3, 14.0);
    const std::vector<double> cuts = lattice(events, end);
    for (double t : {0.4 * end, 0.73 * end, end}) {
      std::vector<double> all = cuts;
      for (double k = 0.0; k < t; k += 1.0) all.push_back(t - k);
      const double mu = p.impact_speed, drag = -std::expm1(-2.0 * rho * t) / (2.0 * rho);
      const double push = integrate(
          [&](double s) { return -motion.at(s).stress * rod_reference::image_kernel(rho, t - s, 1.0); }, 0.0, t, all);
      EXPECT_NEAR(motion.at(t).bottom, push - mu * drag - (t - drag) / (2.0 * rho), 2e-12 * (mu * drag + t / rho))
          << rho << ' ' << t;
    }
  }
}

TEST(RodBounces, BalancesAtAnyTime) {
  // P + 2 r L h + mu L = int (-stress - g L); E = E0 - 2 r int int v_t^2. 1e-11 of the scales, through repeated
  // bounces.
  std::mt19937_64 random(53);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int i = 0; i < 12; ++i) {
    const double rho = 0.02 + 2.0 * uniform(random), mu = 0.5 + 4.0 * uniform(random);
    const RodProblem p = unit(DampingKind::viscous, rho, 1.0, mu);
    RodMotion motion(p);
    const std::vector<RodEvent> events = motion.events(3);
    const double t = 0.2 + 3.0 * uniform(random);
    std::vector<double> cuts = lattice(events, t);
    std::vector<double> kinks = cuts;  // fronts also meet the top
    const RodSample s = motion.at(t);
    const double push = integrate([&](double u) { return -motion.at(u).stress - 0.5; }, 0.0, t, cuts);
    EXPECT_NEAR(s.momentum + rho * s.height + 0.5 * mu, push, 1e-11 * (mu + 1.0));
    const auto loss = [&](double u) {
      std::vector<double> fronts;
      for (const RodEvent& e : events)
        for (double k = -1.0; k <= u + 1.0; k += 1.0)
          fronts.push_back(std::abs(u - e.t - k)), fronts.push_back(std::abs(u - k));
      for (double k = -1.0; k <= u + 1.0; k += 1.0) fronts.push_back(std::abs(u - k));
      return integrate(
          [&](double x) {
            const double v = motion.velocity(x, u);
            return v * v;
          },
          0.0, 0.5, fronts);
    };
    if (i < 4) {
      std::vector<double> finer;
      for (double c : cuts)
        for (double d : cuts) {  // fronts of two origins cross at half sums
          const double mid = 0.5 * (c + d);
          if (mid > 0.0 && mid < t) finer.push_back(mid);
        }
      std::sort(finer.begin(), finer.end());
      finer.erase(std::unique(finer.begin(), finer.end(), [](double a, double b) { return b - a < 1e-9; }),
                  finer.end());
      double sum = 0.0, last = 0.0;
      finer.push_back(t);
      for (double c : finer) {
        if (c - last > 1e-12) sum += boost::math::quadrature::gauss<double, 10>::integrate(loss, last, c);
        last = c;
      }
      EXPECT_NEAR(motion.energy_total(t), 0.25 * mu * mu - 2.0 * rho * sum, 1e-11 * mu * mu)
          << rho << ' ' << mu << ' ' << t;
    }
  }
}

TEST(RodBounces, SignoriniHolds) {
  std::mt19937_64 random(54);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int i = 0; i < 60; ++i) {
    const bool structural = i % 3 == 0;
    RodProblem p = unit(structural ? DampingKind::structural : DampingKind::viscous,
                        (structural ? 0.01 : 0.02) + 0.3 * uniform(random), 1.0, 0.3 + 5.0 * uniform(random));
    p.bounces = 5;
    for (double t = 0.05; t < 12.0; t += 0.037) p.sample_times.push_back(t);
    const RodResult s = rod_impact(p);
    for (const RodSample& at : s.samples) {
      EXPECT_GE(at.bottom, 0.0);
      EXPECT_LE(at.stress, 1e-9 * (1.0 + p.impact_speed)) << p.damping << ' ' << at.t;
      EXPECT_EQ(at.bottom * at.stress, 0.0);
    }
    double t = 0.0, energy = 0.25 * p.impact_speed * p.impact_speed;
    for (const RodEvent& e : s.events) {
      EXPECT_GE(e.t, t);
      EXPECT_LE(e.energy_total, energy + 1e-10);
      t = e.t, energy = e.energy_total;
    }
  }
}

TEST(RodBounces, StructuralMeetsExactFirstContact) {
  // The polynomial basis takes over at t_b: displacement, velocity and energy continue; and after a flight long enough
  // to still the vibration the second contact is a first contact at the touching speed.
  for (double kappa : {0.0025, 0.01, 0.05, 0.2}) {
    RodProblem p = unit(DampingKind::structural, kappa, 0.01, 2.0);
    p.bounces = 2;
    RodMotion motion(p);
    const RodResult s = rod_impact(p);
    const double t_b = s.t_b.value(), tol = 1e-9;
    for (double x : {0.05, 0.2, 0.5}) {
      EXPECT_NEAR(motion.displacement(x, t_b * (1 - 1e-13)), motion.displacement(x, t_b * (1 + 1e-13)), tol) << kappa;
      EXPECT_NEAR(motion.velocity(x, t_b * (1 - 1e-13)), motion.velocity(x, t_b * (1 + 1e-13)), tol) << kappa;
    }
    EXPECT_NEAR(motion.energy_total(t_b * (1 + 1e-13)), s.energy_total, tol) << kappa;
    ASSERT_EQ(s.events.size(), 3u);
    RodProblem again = p;
    again.bounces = 1;
    again.impact_speed = -s.events[1].momentum / p.length;
    const RodResult second = rod_impact(again);
    EXPECT_NEAR(s.events[2].t - s.events[1].t, second.t_b.value(), 1e-8) << kappa;
    EXPECT_NEAR(s.events[2].momentum, second.momentum, 1e-8) << kappa;
    EXPECT_NEAR(s.events[2].energy_total, second.energy_total, 1e-8) << kappa;
  }
}

TEST(RodBounces, StructuralConverged) {
  // Rubber of appendix C: lift-offs computed on twice the number of basis functions.
  struct Row {
    double r;
    std::size_t event;
    double t, momentum, height, energy;
  };
  for (const Row& row : {Row{18.0, 2, 0.958956620684, 8.527422089563, -0.01383978909266, 8.384226068046},
                         Row{18.0, 4, 1.504027130154, 4.062510204533, -0.003966337725918, 1.870024065534},
                         Row{1.0, 4, 2.252716081286, 17.91685199336, -0.001641656089899, 33.90032677581},
                         Row{1.0, 10, 4.742886194196, 12.6634495678, -0.03258977989123, 17.36592060484}}) {
    const RodEvent e =
        rod_impact({60.0, 5.0, 9.8, row.r, DampingKind::structural, 5.0, {}, 6, {}}).events.at(row.event);
    EXPECT_EQ(e.type, RodEventType::lifts);
    EXPECT_NEAR(e.t, row.t, 1e-11);
    EXPECT_NEAR(e.momentum, row.momentum, 1e-10);
    EXPECT_NEAR(e.height, row.height, 1e-11);
    EXPECT_NEAR(e.energy_total, row.energy, 1e-10);
  }
}

TEST(RodStructural, EnergyBalance) {
  // E(t) against E0 less the dissipation of 800 modes between two times, modes from their roots in long double.
  std::mt19937_64 random(55);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int i = 0; i < 4; ++i) {
    const RodProblem p = unit(DampingKind::structural, std::exp(-4.0 + 4.0 * uniform(random)), uniform(random), 1.0);
    RodMotion motion(p);
    const double end = std::min(0.9, rod_impact(p).t_b.value_or(1.0)), from = 0.3 * end, to = end;
    EXPECT_NEAR(motion.energy_total(from) - motion.energy_total(to), rod_reference::structural_loss(p, 800, from, to),
                1e-11)
        << p.damping;
  }
}

TEST(RodStructural, ModalSums) {
  // Stress, momentum and height against plain sums; the stress's static part -g L is subtracted first.
  std::mt19937_64 random(56);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int i = 0; i < 20; ++i) {
    RodProblem p{1.0 + uniform(random),
                 0.5 + uniform(random),
                 uniform(random),
                 std::exp(-5.0 + 6.0 * uniform(random)),
                 DampingKind::structural,
                 1.0,
                 {},
                 1,
                 {}};
    const double t = rod_impact(p).t_b.value_or(2.0 * p.length / p.wave_speed) * (0.3 + 0.69 * uniform(random)),
                 L = p.length;
    long double stress = 0, momentum = 0, height = 0;
    for (int k = 3000; k >= 0; --k) {
      const auto [y, rate] = rod_reference::structural_mode(p, k, t);
      const long double alpha = (k + 0.5L) * std::numbers::pi_v<long double> / L,
                        c2 = p.wave_speed * static_cast<long double>(p.wave_speed);
      stress += 2 / static_cast<long double>(L) * (c2 * y + p.gravity / (alpha * alpha) + 2 * p.damping * rate);
      momentum += 2 / static_cast<long double>(L) * rate / (alpha * alpha);
      height += 2 / static_cast<long double>(L) * y / (alpha * alpha * L);
    }
    const RodSample s = RodMotion(p).at(t);
    // 3000 modes leave about a_K^-3 / (damping)^3.
    EXPECT_NEAR(s.stress, static_cast<double>(stress) - p.gravity * L, 2e-11 * (1.0 + 1.0 / std::pow(p.damping, 3)));
    EXPECT_NEAR(s.momentum, static_cast<double>(momentum), 1e-10);
    EXPECT_NEAR(s.height, static_cast<double>(height), 1e-10);
  }
}

TEST(RodScaling, UnitsOfTimeAndLength) {
  std::mt19937_64 random(57);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int i = 0; i < 300; ++i) {
    const DampingKind kind = i % 2 ? DampingKind::viscous : DampingKind::structural;
    const RodProblem p{1.0, 1.0, 1.0, 0.02 + 0.6 * uniform(random), kind, 0.5 + 5.0 * uniform(random), {}, 1, {}};
    const double time = std::exp(4.0 * uniform(random) - 2.0), len = std::exp(4.0 * uniform(random) - 2.0);
    const RodProblem q{len / time,
                       len,
                       len / (time * time),
                       p.damping / time * (kind == DampingKind::viscous ? 1.0 : len * len),
                       kind,
                       p.impact_speed * len / time,
                       {},
                       1,
                       {}};
    const RodResult a = rod_impact(p), b = rod_impact(q);
    ASSERT_EQ(a.status, b.status);
    if (!a.t_b || a.flags.has(RodFlag::near_tangency) || std::abs(a.margin.value()) < 1e-3) continue;
    EXPECT_NEAR(b.t_b.value() / time, a.t_b.value(), 1e-11);
    EXPECT_NEAR(b.e_momentum.value(), a.e_momentum.value(), 1e-11);
    EXPECT_NEAR(b.h_max.value() / len, a.h_max.value(), 1e-11 * (1.0 + a.h_max.value()));
    EXPECT_NEAR(b.energy_total * time * time / (len * len * len), a.energy_total, 1e-11 * (1.0 + a.energy_total));
    EXPECT_NEAR(b.margin.value(), a.margin.value(), 1e-9 * (1.0 + a.margin.value()));
  }
}

TEST(RodLimits, ReboundIsTheSameAnswer) {
  std::mt19937_64 random(58);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int i = 0; i < 2000; ++i) {
    const DampingKind kind = i % 10 ? DampingKind::viscous : DampingKind::structural;
    const RodProblem p{1.0, 1.0, i % 5 ? 1.0 : 0.0, 1.6 * uniform(random), kind, 8.0 * uniform(random), {}, 1, {}};
    const RodResult s = rod_impact(p);
    const RodRebound r = rod_rebound(p);
    ASSERT_EQ(s.status, r.status);
    EXPECT_EQ(s.height, r.height);
    EXPECT_EQ(s.momentum, r.momentum);
    if (s.margin) {
      EXPECT_EQ(s.status == RodStatus::bounce, *s.margin > 0.0) << p.damping << ' ' << p.impact_speed;
    }
    if (!s.t_b) continue;
    EXPECT_EQ(*s.t_b, r.t_b);
    EXPECT_EQ(s.e_energy.value_or(-1.0), std::isnan(r.e_energy) ? -1.0 : r.e_energy);
    EXPECT_NEAR(s.energy_translation + s.energy_vibration, s.energy_total, 1e-12 * (1.0 + std::abs(s.energy_total)));
    EXPECT_GE(s.energy_vibration, -1e-12 * p.impact_speed * p.impact_speed);
    EXPECT_LE(s.energy_total, 0.5 * p.impact_speed * p.impact_speed * (1 + 1e-14));
  }
}

TEST(RodLimits, NoBounce) {
  for (double rho : {pi, 4.0, 50.0, 1e4}) {
    const RodProblem p = unit(DampingKind::viscous, rho, 1.0, 1e12);
    const RodResult s = rod_impact(p);
    EXPECT_EQ(s.status, RodStatus::no_bounce);
    EXPECT_FALSE(s.t_b || s.e_momentum || s.e_energy || s.h_max || s.margin);
    EXPECT_TRUE(s.flags.has(RodFlag::no_margin));
    EXPECT_EQ(s.momentum, 0.0);
    EXPECT_NEAR(s.height, -1.0 / 12.0, 1e-16);
    EXPECT_NEAR(s.energy_total, -1.0 / 48.0, 1e-16);
    EXPECT_NEAR(s.energy_translation, 0.5 * s.height, 1e-16);
    EXPECT_FALSE(rod_bounce_speed(p).has_value());
  }
  EXPECT_EQ(rod_impact(unit(DampingKind::viscous, 0.0, 1.0, 0.0)).status, RodStatus::no_bounce);
  EXPECT_EQ(rod_impact(unit(DampingKind::structural, 0.1, 1.0, 0.0)).status, RodStatus::no_bounce);
  RodProblem still = unit(DampingKind::viscous, 0.5, 0.0, 0.0);
  still.bounces = 3, still.sample_times = {0.0, 1.0};
  const RodResult s = rod_impact(still);
  EXPECT_EQ(s.status, RodStatus::no_bounce);
  ASSERT_EQ(s.events.size(), 1u);
  EXPECT_EQ(s.events[0].type, RodEventType::rests);
  EXPECT_EQ(s.samples[1].stress, 0.0);
}

TEST(RodLimits, LateMotionSettles) {
  // Long after the last touch the rod hangs on its own sag, under every kind of damping.
  for (const RodProblem& p : {unit(DampingKind::viscous, 0.4, 1.0, 5.0), unit(DampingKind::viscous, 3.5, 1.0, 5.0),
                              unit(DampingKind::viscous, 60.0, 1.0, 5.0), unit(DampingKind::structural, 0.05, 1.0, 5.0),
                              unit(DampingKind::structural, 3.0, 1.0, 5.0)}) {
    RodMotion motion(p);
    const RodSample s = motion.at(3000.0);
    EXPECT_NEAR(s.stress, -0.5, 1e-12) << p.damping;
    EXPECT_NEAR(s.height, -1.0 / 12.0, 1e-12);
    EXPECT_NEAR(s.momentum, 0.0, 1e-12);
    EXPECT_NEAR(motion.energy_total(3000.0), -1.0 / 48.0, 1e-12);
    EXPECT_NEAR(motion.displacement(0.3, 3000.0), -0.5 * 0.3 * 0.7, 1e-12);
  }
}

TEST(RodLimits, WithoutGravityItFliesOn) {
  for (double rho : {0.0, 0.3, 1.0}) {
    const RodProblem p = unit(DampingKind::viscous, rho, 0.0, 2.0);
    const RodResult s = rod_impact(p);
    RodMotion motion(p);
    EXPECT_EQ(motion.events(5).size(), 1u);
    const double far = 1e6, expected = rho > 0.0 ? s.h_max.value() : 2.0 * (far - 1.0);
    EXPECT_NEAR(motion.at(far).height, expected, 1e-12 * (1.0 + expected));
    EXPECT_NEAR(motion.at(far).bottom, expected, 1e-12 * (1.0 + expected));
    EXPECT_NEAR(motion.displacement(0.3, far), expected, 1e-12 * (1.0 + expected));
    EXPECT_NEAR(motion.velocity(0.3, far), rho > 0.0 ? 0.0 : 2.0, 1e-12);
    EXPECT_NEAR(motion.energy_total(far), rho > 0.0 ? 0.0 : 1.0, 1e-12);
  }
}

TEST(RodLimits, OverdampedJoins) {
  // Where the early and the late method meet (rho t = 42), and where the two viscous methods meet (rho near 3.9).
  for (double rho : {3.95, 5.0, 50.0, 1000.0}) {
    RodMotion motion(unit(DampingKind::viscous, rho, 1.0, 3.0));
    const double t = 42.0 / rho, before = t * (1 - 1e-12), after = t * (1 + 1e-12);
    EXPECT_NEAR(motion.at(before).stress, motion.at(after).stress, 1e-11);
    EXPECT_NEAR(motion.at(before).momentum, motion.at(after).momentum, 1e-11);
    EXPECT_NEAR(motion.at(before).height, motion.at(after).height, 1e-11);
    EXPECT_NEAR(motion.displacement(0.2, before), motion.displacement(0.2, after), 1e-11);
    EXPECT_NEAR(motion.velocity(0.2, before), motion.velocity(0.2, after), 1e-11);
  }
  RodMotion low(unit(DampingKind::viscous, 3.9 - 1e-12, 1.0, 3.0)), high(unit(DampingKind::viscous, 3.9, 1.0, 3.0));
  for (double t : {0.3, 1.4, 2.9, 6.0}) {
    EXPECT_NEAR(low.at(t).stress, high.at(t).stress, 1e-10);
    EXPECT_NEAR(low.displacement(0.21, t), high.displacement(0.21, t), 1e-10);
    EXPECT_NEAR(low.velocity(0.21, t), high.velocity(0.21, t), 1e-10);
    EXPECT_NEAR(low.energy_total(t), high.energy_total(t), 1e-10);
  }
}

TEST(RodInput, BadFieldsAreNamed) {
  const auto field = [](auto change) {
    RodProblem p;
    change(p);
    try {
      rod_impact(p);
    } catch (const InvalidInput& e) {
      return e.field();
    }
    return std::string("none");
  };
  const double nan = std::nan(""), inf = INFINITY;
  for (double bad : {0.0, -1.0, nan, inf}) {
    EXPECT_EQ(field([&](RodProblem& p) { p.wave_speed = bad; }), "wave_speed");
    EXPECT_EQ(field([&](RodProblem& p) { p.length = bad; }), "length");
  }
  for (double bad : {-1e-9, nan, inf, -inf}) {
    EXPECT_EQ(field([&](RodProblem& p) { p.gravity = bad; }), "gravity");
    EXPECT_EQ(field([&](RodProblem& p) { p.damping = bad; }), "damping");
    EXPECT_EQ(field([&](RodProblem& p) { p.impact_speed = bad; }), "impact_speed");
    EXPECT_EQ(field([&](RodProblem& p) { p.sample_times = {bad}; }), "sample_times[0]");
  }
  for (int bad : {0, -1, 10001}) EXPECT_EQ(field([&](RodProblem& p) { p.bounces = bad; }), "bounces");
  EXPECT_EQ(field([&](RodProblem& p) { p.sample_times = {0.0, 1.0, 1.0}; }), "sample_times");
  EXPECT_EQ(field([](RodProblem&) {}), "none");
  RodMotion motion{RodProblem{}};
  EXPECT_THROW(motion.at(-1.0), InvalidInput);
  EXPECT_THROW(motion.displacement(1.1, 0.0), InvalidInput);
}

}  // namespace
