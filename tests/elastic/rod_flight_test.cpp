// Rods whose flights are long against their waves, and numbers at the ends of the range: every row ends, and is right,
// flagged or refused.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "carom/core/error.hpp"
#include "carom/elastic/rod.hpp"

#include "internal/elastic/panel.hpp"

namespace carom {
namespace {

RodProblem rod(double gravity, double damping, double speed, int bounces, DampingKind kind = DampingKind::viscous) {
  RodProblem problem;
  problem.gravity = gravity;
  problem.damping = damping;
  problem.damping_kind = kind;
  problem.impact_speed = speed;
  problem.bounces = bounces;
  return problem;
}

// Two thousand million seconds in the air: drag leaves the terminal speed g/(2r), and the rod comes down rigid.
TEST(RodLongFlight, SmallGravity) {
  const RodResult result = rod_impact(rod(1e-9, 0.3, 4, 2));
  ASSERT_EQ(result.events.size(), 3u);
  EXPECT_EQ(result.events[1].type, RodEventType::touches);
  EXPECT_EQ(result.events[2].type, RodEventType::rests);
  const double terminal = 1e-9 / 0.6;
  EXPECT_NEAR(result.events[1].momentum, -terminal, 1e-12 * terminal);
  // The height at the top, lost at the terminal speed once drag has done its work.
  EXPECT_NEAR(result.events[1].t, *result.h_max / terminal, 1e-7 * result.events[1].t);
  EXPECT_TRUE(result.flags.none());
}

// Marched through unit by unit (by the code before the jump) the same motions end there.
TEST(RodLongFlight, LightDampingAsIfMarched) {
  RodProblem problem = rod(0.05, 0.001, 4, 3);
  problem.sample_times = {77.7};
  const RodResult result = rod_impact(problem);
  const RodEvent marched[] = {
      {RodEventType::lifts, 2, 3.9920079793659644, -0.0333013639741976, 7.968062256725872},
      {RodEventType::touches, 153.99012865194035, -3.6075095309331044, -0.02776251294925964, 6.506901793287648},
      {RodEventType::lifts, 155.99012865194035, 3.6003017343561377, -0.005594190283498494, 6.480924512976041},
      {RodEventType::touches, 293.688519839448, -3.2846260740207236, -0.0014696895481895594, 5.394400273598822},
      {RodEventType::lifts, 295.688519839448, 3.2780633726737007, -0.03183437357548469, 5.372864110472191}};
  ASSERT_EQ(result.events.size(), std::size(marched));
  for (std::size_t i = 0; i < std::size(marched); ++i) {
    const RodEvent &a = result.events[i], &b = marched[i];
    EXPECT_EQ(a.type, b.type);
    EXPECT_NEAR(a.t, b.t, 1e-10);
    EXPECT_NEAR(a.momentum, b.momentum, 1e-10);
    EXPECT_NEAR(a.height, b.height, 1e-9);
    EXPECT_NEAR(a.energy_total, b.energy_total, 1e-10);
  }
  EXPECT_NEAR(result.samples[0].bottom, 144.10701283950806, 1e-11);  // looked up inside the flight
  EXPECT_NEAR(result.samples[0].height, 144.09976328803458, 1e-11);
}

// Vibration dies in the air: the next impact is a rigid rod's.
TEST(RodLongFlight, TheNextImpactIsRigidOnceVibrationIsGone) {
  const RodResult result = rod_impact(rod(0.02, 0.1, 4, 3));
  ASSERT_EQ(result.events.size(), 5u);
  EXPECT_NEAR(result.events[1].t, 170.56470704158139, 1e-8);
  const RodResult again = rod_impact(rod(0.02, 0.1, -result.events[1].momentum, 1));
  EXPECT_NEAR(result.events[2].t - result.events[1].t, *again.t_b, 1e-9);
  EXPECT_NEAR(result.events[2].momentum, again.momentum, 1e-11);
  EXPECT_NEAR(result.events[4].t, 181.03798809653685, 1e-7);
}

// Without damping nothing is lost, however long the flight.
TEST(RodLongFlight, UndampedRodsComeBackAsTheyLeft) {
  for (const double gravity : {1e-3, 1e-6}) {
    const RodResult result = rod_impact(rod(gravity, 0.0, 4, 3));
    ASSERT_EQ(result.events.size(), 5u) << gravity;
    const double flight = 8.0 / gravity;
    EXPECT_NEAR(result.events[1].t - result.events[0].t, flight, 1e-9 * flight);
    for (const RodEvent& e : result.events) {
      EXPECT_NEAR(std::abs(e.momentum), 4.0, 3 * gravity + 1e-9);
      EXPECT_NEAR(e.energy_total, 8.0, 1e-12);
    }
  }
}

// Between lift-off and touch the energy only falls, and samples agree with the closed form of the centre of mass.
TEST(RodLongFlight, SamplesInsideTheFlight) {
  RodMotion motion(rod(1e-3, 1e-3, 4, 2));
  const auto events = motion.events(2);
  const double from = events[0].t, to = events[1].t;
  double last = motion.energy_total(from);
  for (int i = 1; i < 40; ++i) {
    const double t = from + (to - from) * i / 40, energy = motion.energy_total(t);
    EXPECT_LE(energy, last + 1e-9);
    last = energy;
    const RodSample s = motion.at(t);
    EXPECT_GT(s.bottom, 0.0);
    EXPECT_NEAR(s.bottom, s.height, 1.0);
    EXPECT_NEAR(motion.displacement(0.0, t), s.bottom, 1e-9 * (1 + s.height));
    EXPECT_NEAR((motion.at(t + 0.01).bottom - motion.at(t - 0.01).bottom) / 0.02, motion.velocity(0.0, t), 1e-2);
    EXPECT_FALSE(motion.in_contact(t));
  }
}

TEST(RodLongFlight, StructuralRodsToo) {
  for (const double gravity : {1e-3, 1e-6, 1e-8}) {
    const RodResult result = rod_impact(rod(gravity, 0.1, 4, 2, DampingKind::structural));
    ASSERT_GE(result.events.size(), 3u) << gravity;
    // No drag in flight, and no vibration left at its end: the centre of mass, squeezed below its place at first touch
    // when the rod let go, comes back up to that place.
    const double p = result.momentum, h = result.height, speed = std::sqrt(p * p + 2 * gravity * h);
    EXPECT_LT(h, -0.4);
    const double touch = *result.t_b + (p + speed) / gravity;
    EXPECT_NEAR(result.events[1].t, touch, 1e-11 * touch);
    EXPECT_NEAR(result.events[1].momentum, -speed, 1e-11);
    EXPECT_NEAR(result.events[1].height, 0.0, 1e-11 + 1e-15 * touch);  // the digits of the time it is looked up at
  }
}

// So long a flight that the phase of the vibration is lost: said, not guessed.
TEST(RodLongFlight, BeyondTheDigitsOfADouble) {
  for (const DampingKind kind : {DampingKind::viscous, DampingKind::structural}) {
    const RodResult result = rod_impact(rod(1e-30, kind == DampingKind::viscous ? 1e-40 : 0.1, 4, 3, kind));
    EXPECT_TRUE(result.flags.has(RodFlag::event_limit)) << name(kind);
    EXPECT_EQ(result.events.size(), 1u);
  }
}

TEST(RodEnergies, RoundingBelowZeroIsZero) {
  for (const double rho : {2.9, 3.0, 3.1, 3.13, 3.14, 3.1415}) {
    const RodResult result = rod_impact(rod(0.0, 0.5 * rho, 4, 3));  // t1 = 2
    EXPECT_GE(result.energy_total, 0.0) << rho;
    EXPECT_GE(result.energy_translation, 0.0) << rho;
    EXPECT_GE(result.energy_vibration, 0.0) << rho;
    for (const RodEvent& e : result.events) EXPECT_GE(e.energy_total, 0.0) << rho;
  }
  for (const double gravity : {1e-3, 1.0, 1e6, 1e12})
    for (const double speed : {1e-9, 1e-3, 1.0, 1e6})
      EXPECT_GE(rod_impact(rod(gravity, 0.0, speed, 1)).energy_vibration, 0.0);
}

// A rod that falls slowly against its weight, m = mu/(g t1) << 1, squeezes itself and lets go at 2 t1 - mu/g. Drag
// takes E/E0 = 1 - rho/(3 m^2) to first order; nothing may come out that did not go in.
TEST(RodSlow, EnergiesNeverGrow) {
  for (const double m : {1e-3, 1e-5, 1e-8, 1e-12, 1e-40, 1e-100})
    for (const double drag : {0.0, 1e-3, 0.1, 1.0, 1.4, 10.0}) {
      RodProblem problem = rod(1.0, drag * m * m, m, 1);
      problem.wave_speed = 2.0;  // t1 = 1
      const RodResult r = rod_impact(problem);
      ASSERT_EQ(r.status, RodStatus::bounce) << m << " " << drag;
      EXPECT_LE(r.energy_total, 0.5 * m * m);
      EXPECT_GE(r.energy_total, r.energy_translation);
      const double left = 1.0 - drag / 3.0, close = (2.0 + 2.0 * drag) * m + 1e-13;
      EXPECT_NEAR(r.energy_total / (0.5 * m * m), left, close) << m << " " << drag;
      EXPECT_NEAR(r.energy_translation / (0.5 * m * m), left, close) << m << " " << drag;
      EXPECT_NEAR(*r.margin / m, 1.0, 2.0 * drag * m + 1e-13);
      ASSERT_EQ(r.e_energy.has_value(), left > 0.0);
      if (left > 0.0) {
        EXPECT_NEAR(*r.e_energy * *r.e_energy, left, close) << m << " " << drag;
      }
      EXPECT_NEAR(*r.t_b, 2.0 - m, 3.0 * drag * m * m + 1e-15);
    }
  // Slower still: said.
  EXPECT_TRUE(rod_impact(rod(1.0, 0.0, 1e-200, 1)).flags.has(RodFlag::overflow));
}

// On both sides of where the kernels are no longer kept as deviations from the undamped ones.
TEST(RodSlow, BothWaysOfTheSecondIntervalAgree) {
  for (const double m : {0.4, 0.7, 1.0}) {
    const double h = 1e-9;
    RodProblem problem = rod(1.0, 0.25 - h, m, 1);
    problem.wave_speed = 2.0;
    const RodResult below = rod_impact(problem);
    problem.damping = 0.25 + h;
    const RodResult above = rod_impact(problem);
    EXPECT_NEAR(*below.t_b, *above.t_b, 1e-8);
    EXPECT_NEAR(below.momentum, above.momentum, 1e-8);
    EXPECT_NEAR(below.height, above.height, 1e-8);
    EXPECT_NEAR(*below.margin, *above.margin, 1e-8);
  }
}

// rho t so large that all is down to 1e-85: still sums of squares.
TEST(RodEnergies, TotalIsNeverLessThanTranslation) {
  for (const double rho : {2.9, 3.0, 3.1, 3.14, 3.141}) {
    RodProblem problem = rod(0.0, rho, 1.0, 1);
    problem.wave_speed = 2.0;
    const RodResult r = rod_impact(problem);
    ASSERT_EQ(r.status, RodStatus::bounce);
    EXPECT_GT(r.energy_translation, 0.0) << rho;
    EXPECT_GT(r.energy_total, r.energy_translation) << rho;
    // Summed by modes here, by the state along the rod there.
    if (rho <= 3.0) {
      EXPECT_NEAR(RodMotion(problem).energy_total(*r.t_b) / r.energy_total, 1.0, 1e-8) << rho;
    }
  }
}

// Drag so strong against weight that (r mu/g)^2 is beyond the range: h_max = mu/(2r) all the same.
TEST(RodRange, HeightInStrongDrag) {
  RodProblem problem = rod(9.8, 1e300, 1.0, 1);
  problem.wave_speed = 1e308;
  const RodResult r = rod_impact(problem);
  EXPECT_NEAR(*r.h_max / 5e-301, 1.0, 1e-6);
}

// The strain alone never lets go of an overdamped rod (2r/(cL) >= 4/pi), whatever rounding says.
TEST(RodRange, StrainAloneHoldsAnOverdampedRod) {
  RodProblem problem = rod(1e100, 1e100, 1e30, 1, DampingKind::structural);
  problem.wave_speed = 3.0;
  problem.contact = ContactCondition::vx;
  EXPECT_EQ(rod_impact(problem).status, RodStatus::no_bounce);
}

// Weight so far above the impact that only their product is in range.
TEST(RodRange, EnergyOfAnEndlessRod) {
  RodProblem problem = rod(1.0, 0.2, 3.0, 1, DampingKind::structural);
  problem.length = 1e140;
  const RodResult r = rod_impact(problem);
  EXPECT_NEAR(r.energy_total / 4.5e140, 1.0, 1e-12);
  EXPECT_GE(r.energy_vibration, 0.0);
}

TEST(RodRange, ExtremesAreFiniteFlaggedOrRefused) {
  const double ends[] = {0.0, 1e-300, 1e-150, 1e-30, 1e-12, 1e12, 1e30, 1e150, 1e300, 1.7e308};
  int answered = 0;
  for (const DampingKind kind : {DampingKind::viscous, DampingKind::structural})
    for (int field = 0; field < 5; ++field)
      for (const double value : ends) {
        RodProblem problem = rod(1.0, 0.2, 3.0, 2, kind);
        double* const fields[] = {&problem.wave_speed, &problem.length, &problem.gravity, &problem.damping,
                                  &problem.impact_speed};
        *fields[field] = value;
        try {
          const RodResult r = rod_impact(problem);
          ++answered;
          bool finite = std::isfinite(r.momentum) && std::isfinite(r.height) && std::isfinite(r.energy_total) &&
                        std::isfinite(r.energy_vibration) && std::isfinite(r.t_b.value_or(0.0)) &&
                        std::isfinite(r.h_max.value_or(0.0)) && std::isfinite(r.margin.value_or(0.0));
          for (const RodEvent& e : r.events)
            finite = finite && std::isfinite(e.t) && std::isfinite(e.momentum) && std::isfinite(e.energy_total);
          EXPECT_TRUE(finite || r.flags.has(RodFlag::overflow)) << name(kind) << field << " " << value;
          if (!std::isfinite(r.energy_vibration)) continue;  // flagged, as just seen
          EXPECT_GE(r.energy_vibration, 0.0) << name(kind) << field << " " << value;
        } catch (const InvalidInput& error) {
          EXPECT_FALSE(error.field().empty());
        }
      }
  EXPECT_GT(answered, 60);
}

// Only the ratio of velocities matters, out to the ends of the range.
TEST(RodRange, VelocitiesScale) {
  const RodResult one = rod_impact(rod(1.0, 0.2, 3.0, 3));
  for (const double unit : {0x1p-500, 0x1p500}) {
    const RodResult other = rod_impact(rod(unit, 0.2, 3.0 * unit, 3));
    ASSERT_EQ(one.events.size(), other.events.size());
    EXPECT_EQ(one.e_energy, other.e_energy);
    for (std::size_t i = 0; i < one.events.size(); ++i) {
      EXPECT_EQ(one.events[i].t, other.events[i].t);
      EXPECT_EQ(one.events[i].momentum * unit, other.events[i].momentum);
    }
  }
}

// Damping too light to follow: the undamped rod, or the lightest that can be, flagged.
TEST(RodRange, VeryLightStructuralDamping) {
  EXPECT_EQ(rod_impact(rod(1.0, 1e-40, 3.0, 1, DampingKind::structural)).e_energy,
            rod_impact(rod(1.0, 0.0, 3.0, 1)).e_energy);
  const RodResult light = rod_impact(rod(0.0, 1e-14, 3.0, 1, DampingKind::structural));
  EXPECT_TRUE(light.flags.has(RodFlag::event_limit));
  EXPECT_NEAR(*light.e_energy, 1.0, 4e-5);
}

// The bottom of a structural rod stops at once: its stress at first touch is no number, and the answer says why.
TEST(RodRange, StressAtFirstTouch) {
  const auto sampled = [](DampingKind kind, double damping, double speed, std::vector<double> times) {
    RodProblem problem = rod(1.0, damping, speed, 1, kind);
    problem.sample_times = std::move(times);
    return rod_impact(problem);
  };
  const RodResult r = sampled(DampingKind::structural, 0.3, 3.0, {0.0, 0.1});
  EXPECT_EQ(r.samples[0].stress, -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isfinite(r.samples[1].stress));
  EXPECT_TRUE(r.flags.has(RodFlag::infinite_stress));
  EXPECT_FALSE(sampled(DampingKind::structural, 0.3, 3.0, {0.1}).flags.has(RodFlag::infinite_stress));
  for (const RodResult& finite :
       {sampled(DampingKind::viscous, 0.3, 3.0, {0.0}), sampled(DampingKind::structural, 0.3, 0.0, {0.0})}) {
    EXPECT_TRUE(std::isfinite(finite.samples[0].stress));
    EXPECT_FALSE(finite.flags.has(RodFlag::infinite_stress));
  }
}

// Where values out of range or rounding leave no bracket, an end of it is the answer, not an exception.
TEST(RodRange, RootWithoutABracket) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), none = std::nan("");
  const auto line = [](double x) { return 0.25 - x; };
  EXPECT_DOUBLE_EQ(elastic::falling_root_of(line, 0.0, 1.0, 0.25, -0.75), 0.25);
  for (const double end : {none, 0.0, 1e-300, infinity}) {
    const auto late = [&](double x) { return x < 1.0 ? 1.0 : end; };
    EXPECT_EQ(elastic::falling_root_of(late, 0.0, 1.0, 1.0, end), 1.0) << end;
  }
  const auto endless = [&](double x) { return x < 0.5 ? infinity : -1.0; };
  EXPECT_EQ(elastic::falling_root_of(endless, 0.0, 1.0, infinity, -1.0), 1.0);
  for (const double start : {0.0, -1e-300}) EXPECT_EQ(elastic::falling_root_of(line, 0.25, 1.0, start, -0.75), 0.25);
  EXPECT_EQ(elastic::falling_root_of(line, 1.0, 1.0, 1.0, -1.0), 1.0);
}

}  // namespace
}  // namespace carom
