// What Wang 2017 computes or draws in chapter 5 and appendix C, beside t_b and the coefficients: each expected value
// was computed independently of this code (20-digit sums over reflections, modal sums), at the place named.
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "carom/core/error.hpp"
#include "carom/elastic/held_rod.hpp"
#include "carom/elastic/rod_modes.hpp"

namespace {

using namespace carom;
using std::numbers::pi;

RodProblem without_gravity(double r) { return {1.0, 0.5, 0.0, r, DampingKind::viscous, 1.0, {}, 1, {}}; }
RodProblem appendix_c(double r = 18.0, double c = 60.0) {
  return {c, 5.0, 9.8, r, DampingKind::structural, 5.0, {}, 1, {}};
}

// Figure 5.1: Psi_r on (0, 4 t1), left and right of 0, 1, 2, 3, 4.
TEST(RodCatalogue, StressFunctionOfFigure51) {
  const struct {
    double r, left[5], right[5], crossing;
  } curves[] = {{2.6,
                 {-1, -3.5532689, 2.48146413, 0.0151425488, 0.498245611},
                 {-1, -1.5532689, 0.481464131, 2.01514255, -1.50175439},
                 1.7884810332988765},
                {2.9,
                 {-1, -4.50274866, -0.429611217, -0.502295947, 5.48929949},
                 {-1, -2.50274866, -2.42961122, 1.49770405, 3.48929949},
                 2.5530224993132453},
                {3.0,
                 {-1, -4.88079259, -2.29193939, -3.53227676, 4.60990704},
                 {-1, -2.88079259, -4.29193939, -1.53227676, 2.60990704},
                 3.2990260514457725}};
  for (const auto& curve : curves) {
    const RodProblem problem = without_gravity(curve.r);
    for (int k = 0; k < 5; ++k) {
      const double times[] = {std::max(0.0, std::nextafter(k, 0.0)), static_cast<double>(k)};
      const auto values = rod_stress_function(problem, times);
      EXPECT_NEAR(values[0], curve.left[k], 6e-9 * (1.0 + std::abs(curve.left[k]))) << curve.r << ' ' << k;
      EXPECT_NEAR(values[1], curve.right[k], 6e-9 * (1.0 + std::abs(curve.right[k]))) << curve.r << ' ' << k;
    }
    const double around[] = {curve.crossing - 1e-9, curve.crossing + 1e-9};
    const auto values = rod_stress_function(problem, around);
    EXPECT_LT(values[0], 0.0);
    EXPECT_GT(values[1], 0.0);
    EXPECT_NEAR(rod_impact(problem).t_b.value(), curve.crossing, 1e-12);
  }
}

// It is the strain at the bottom with the decay taken out, with gravity and beyond rho = 3.9 too.
TEST(RodCatalogue, StressFunctionIsTheStrainOfAHeldRod) {
  for (const double r : {0.0, 0.3, 2.0, 3.5, 4.5}) {
    const RodProblem problem{2.0, 1.5, 1.2, r, DampingKind::viscous, 0.9, {}, 1, {}};
    HeldRodData data;
    data.velocity = [](double) { return -0.9; };
    const HeldRod held(problem, data);
    for (const double t : {0.2, 1.1, 2.3, 4.4}) {
      const double times[] = {t};
      EXPECT_NEAR(rod_stress_function(problem, times)[0] * std::exp(-r * t), held.strain(0.0, t), 1e-11)
          << r << ' ' << t;
    }
  }
  const double late[] = {8.1};
  EXPECT_THROW(rod_stress_function(without_gravity(1.0), late), InvalidInput);
  EXPECT_THROW(rod_stress_function(appendix_c(), {}), InvalidInput);
}

// Figure 5.4: the black dots; eq. 5.32: I0(r t1) = 2; corollary 14: g t1 without damping.
TEST(RodCatalogue, RoundTripSpeed) {
  for (const auto& [r, speed] : {std::pair{0.0, 2.0}, {0.1, 2.243543}, {0.2, 2.593645}, {0.3, 3.096519}})
    EXPECT_NEAR(rod_round_trip_speed({1.0, 1.0, 1.0, r, DampingKind::viscous, 1.0, {}, 1, {}}).value(), speed, 5.1e-7);
  EXPECT_EQ(rod_round_trip_speed(without_gravity(1.8078967)).value(), 0.0);
  EXPECT_FALSE(rod_round_trip_speed(without_gravity(1.8078968)).has_value());
  EXPECT_FALSE(rod_round_trip_speed(appendix_c()).has_value());
}

// Figures 5.4 to 5.7 (c = L = g = 1) at both ends of the text's range: what is left of the energy in translation, that
// against all that is left, all that is left, and that with e^{-2 r t1} taken out.
TEST(RodCatalogue, CurvesOfFigures54To57) {
  const struct {
    double r, speed, translation, of_left, left, scaled;
  } points[] = {
      {0.0, 3.2, 0.8697916666666666, 0.8697916666666666, 1.0, 1.0},
      {0.0, 13.2, 0.9923477196204469, 0.9923477196204469, 1.0, 1.0},
      {0.1, 3.2, 0.5492502315712663, 0.8321745695016693, 0.6600180439305824, 0.9846312188245238},
      {0.1, 13.2, 0.6630341784936242, 0.9894017720883573, 0.6701364371868265, 0.9997260877846356},
      {0.2, 3.2, 0.3334818912235918, 0.7688930123499809, 0.43371689671670366, 0.9652547050217645},
      {0.2, 13.2, 0.4428426701232866, 0.9825742856922958, 0.4506963764182689, 1.003043232042105},
      {0.3, 3.2, 0.18918555213270474, 0.6667918798201856, 0.28372503903875157, 0.9420003035166465},
      {0.3, 13.2, 0.2960765975179173, 0.9693587135712729, 0.30543553523867717, 1.0140816893510272},
      // Fast impacts: not 1 as eq. 5.75 and figure 5.7 have it.
      {0.1, 1e7, 0.999966466890994 * 1.0006689238582542 * 0.670320046035639, 0.999966466890994, 0.0,
       1.0006689238582542},
      {0.2, 1e7, 0.9994554870267177 * 1.0054133727390229 * 0.449328964117222, 0.9994554870267177, 0.0,
       1.0054133727390229},
      {0.3, 1e7, 0.9971906291881582 * 1.0186658285558061 * 0.301194211912202, 0.9971906291881582, 0.0,
       1.0186658285558061},
  };
  for (const auto& at : points) {
    const RodProblem problem{1.0, 1.0, 1.0, at.r, DampingKind::viscous, at.speed, {}, 1, {}};
    const RodResult result = rod_impact(problem);
    const double e0 = rod_energy_before(problem), left = result.energy_total / e0;
    EXPECT_NEAR(result.energy_translation / e0, at.translation, 1e-13) << at.r << ' ' << at.speed;
    EXPECT_NEAR(result.energy_translation / result.energy_total, at.of_left, 1e-13) << at.r << ' ' << at.speed;
    if (at.left > 0.0) {
      EXPECT_NEAR(left, at.left, 1e-13) << at.r << ' ' << at.speed;
    }
    EXPECT_NEAR(left * std::exp(2.0 * at.r * 2.0), at.scaled, 1e-12) << at.r << ' ' << at.speed;
    EXPECT_NEAR(std::pow(result.e_energy.value(), 2), at.translation, 1e-13);  // eq. 5.74
  }
}

// Section 5.2.2: slightly stronger damping bounces later; section 5.5: and towards rho = pi later and later.
TEST(RodCatalogue, LaterAndLater) {
  for (const auto& [r, t_b] : {std::pair{1.9, 1.128444467469306},
                               {2.0, 1.2476058638934537},
                               {2.3, 1.5396176552955305},
                               {3.1, 5.972572465034284},
                               {3.14, 31.404098476587308}})
    EXPECT_NEAR(rod_impact(without_gravity(r)).t_b.value(), t_b, 1e-9 * t_b) << r;
  EXPECT_EQ(rod_impact(without_gravity(3.1416)).status, RodStatus::no_bounce);
}

// Appendix B: w_t at the end of the round trip, v = e^{-rt} w, where the printed formula has a factor s too many
// (4.19044169733).
TEST(RodCatalogue, VelocityOfAppendixB) {
  const RodProblem problem{1.0, 1.0, 1.0, 0.3, DampingKind::viscous, 5.0, {}, 1, {}};
  const HeldRod held(problem, held_rod_data({{{0.0, -5.0}}}, {}));
  RodMotion motion(problem);
  const double x = 0.4, t = 2.0, growth = std::exp(0.3 * t);
  EXPECT_NEAR(growth * (held.velocity(x, t) + 0.3 * held.displacement(x, t)), 4.69410643634, 6e-12);
  EXPECT_NEAR(growth * (motion.velocity(x, t) + 0.3 * motion.displacement(x, t)), 4.69410643634, 6e-12);
}

// Remark 16: when the centre of mass is highest; undamped fast and slow, and with drag against the height itself.
TEST(RodCatalogue, TimeOfGreatestHeight) {
  const auto undamped = [](double mu) {
    return rod_impact({1.5, 2.0, 0.8, 0.0, DampingKind::viscous, mu, {}, 1, {}}).t_h_max.value();
  };
  const double c = 1.5, L = 2.0, g = 0.8, mu0 = 2.0 * g * L / c;
  EXPECT_NEAR(undamped(2.0 * mu0), (2.0 * g * L + 2.0 * mu0 * c) / (c * g), 1e-13);
  const double slow = 0.4 * mu0;
  EXPECT_NEAR(undamped(slow),
              (8.0 * g * g * L * L - 2.0 * c * g * L * slow + c * c * slow * slow) / (2.0 * c * g * g * L), 1e-13);
  const RodProblem damped{1.0, 1.0, 1.0, 0.2, DampingKind::viscous, 5.0, {}, 1, {}};
  const RodResult result = rod_impact(damped);
  const RodSample top = RodMotion(damped).at(result.t_h_max.value());
  EXPECT_NEAR(top.momentum, 0.0, 1e-13);
  EXPECT_NEAR(top.height, result.h_max.value(), 1e-13);
  EXPECT_FALSE(rod_impact(without_gravity(0.3)).t_h_max.has_value());
}

// Figure C.2: strain at the bottom with nine terms.
TEST(RodCatalogue, StrainOfFigureC2) {
  const RodModes nine(appendix_c(), 9);
  EXPECT_NEAR(nine.strain(0.0, 1.0 / 6.0), -0.0236535, 5.1e-8);
  EXPECT_NEAR(nine.strain(0.0, 11.0 / 60.0), 0.00241745, 5.1e-9);
  // Their lift-off: .1816958711.
  EXPECT_LT(nine.strain(0.0, 0.1816958710), 0.0);
  EXPECT_GT(nine.strain(0.0, 0.1816958712), 0.0);
}

// Figure C.3: the rate, over 2 r; at first touch it is 2 N mu^2/L.
TEST(RodCatalogue, RateOfFigureC3) {
  const RodModes nine(appendix_c(), 9);
  const double T = 1.0 / 6.0;
  EXPECT_NEAR(nine.dissipation_rate(0.0) / 36.0, 90.0, 1e-12);
  EXPECT_NEAR(nine.dissipation_rate(0.5 * T) / 36.0, 0.0063231884, 5.1e-11);
  EXPECT_NEAR(nine.dissipation_rate(T) / 36.0, 5.5794425254, 5.1e-11);
}

// Figures C.4 and C.5: the loss along the rod, over 2 r, and the share of the lowest fifth.
TEST(RodCatalogue, LossAlongTheRodOfFiguresC4AndC5) {
  const double T = 1.0 / 6.0;
  const RodModes five(appendix_c(), 5), nine(appendix_c(), 9);
  const double x[] = {0.0, 1.0, 2.5, 5.0};
  const double with_five[] = {0.524718232, 0.262435184, 0.161290712, 0.0};
  const double with_nine[] = {0.694096141, 0.281470088, 0.161514559, 0.0};
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(five.dissipation(x[i], T) / 36.0, with_five[i], 6e-10);
    EXPECT_NEAR(nine.dissipation(x[i], T) / 36.0, with_nine[i], 6e-10);
  }
  const auto lowest_fifth = [&](int terms) {
    const RodModes modes(appendix_c(), terms);
    return modes.dissipated(0.0, 1.0, T) / modes.dissipated(0.0, 5.0, T);
  };
  EXPECT_NEAR(lowest_fifth(5), 0.435836225877585, 1e-12);
  EXPECT_NEAR(lowest_fifth(9), 0.4666118444733082, 1e-12);
  EXPECT_NEAR(lowest_fifth(400), 0.489258234041690225, 1e-12);  // exponentials in 40 digits
}

// Figure C.6: energy left after 2L/c, with 20 terms and with all, for rubber, steel and concrete.
TEST(RodCatalogue, EnergyLeftOfFigureC6) {
  const double damping[] = {1.0, 20.9, 40.8, 60.7, 80.6, 100.5, 120.4, 140.3, 160.2, 180.1, 200.0};
  const struct {
    double c, all[11], twenty[11];
  } materials[] = {
      {60.0,
       {0.8693947648, 0.4049809054, 0.2117860905, 0.1142399868, 0.06455931496, 0.03871973733, 0.02477637232,
        0.01682524028, 0.0119453903, 0.008683264026, 0.00630859939},
       {0.87952, 0.41511, 0.22192, 0.12437, 0.07469, 0.04885, 0.03491, 0.02696, 0.02208, 0.01881, 0.01644}},
      {4984.45,
       {0.985704778, 0.9346488444, 0.9086939841, 0.8886339475, 0.8716738518, 0.8567087018, 0.8431663791, 0.8307050931,
        0.8191013039, 0.8081993156, 0.7978855324},
       {0.99418, 0.94478, 0.91882, 0.89876, 0.8818, 0.86684, 0.8533, 0.84084, 0.82923, 0.81833, 0.80802}},
      {3500.0,
       {0.9829405392, 0.922012831, 0.8910405978, 0.8671034945, 0.8468661157, 0.8290097488, 0.8128516141, 0.7979838065,
        0.7841395426, 0.7711330056, 0.7588286222},
       {0.99202, 0.93214, 0.90117, 0.87723, 0.857, 0.83914, 0.82298, 0.80811, 0.79427, 0.78126, 0.76896}}};
  for (const auto& material : materials)
    for (int i = 0; i < 11; ++i) {
      const RodProblem problem = appendix_c(damping[i], material.c);
      const double e0 = rod_energy_before(problem), T = rod_round_trip(problem);
      EXPECT_NEAR(rod_held_energy(problem, T) / e0, material.all[i], 1.1e-10) << material.c << ' ' << damping[i];
      EXPECT_NEAR(1.0 - RodModes(problem, 20).dissipated(0.0, 5.0, T) / e0, material.twenty[i], 5.1e-6)
          << material.c << ' ' << damping[i];
    }
}

// The sums tend to the rod itself: both kinds, far from the fronts.
TEST(RodCatalogue, SumsTendToTheRod) {
  for (const DampingKind kind : {DampingKind::viscous, DampingKind::structural}) {
    const RodProblem problem{1.5, 0.8, 1.0, 0.3, kind, 4.0, {}, 1, {}};
    const RodModes modes(problem, 1000);
    RodMotion motion(problem);
    const double t = 0.7;
    for (const double x : {0.1, 0.4, 0.75}) {
      EXPECT_NEAR(modes.displacement(x, t), motion.displacement(x, t), 2e-6) << name(kind);
      EXPECT_NEAR(modes.velocity(x, t), motion.velocity(x, t), 4e-3) << name(kind);
      EXPECT_NEAR(modes.dissipation(x, t), motion.dissipation(x, t), 4e-3) << name(kind);
    }
    EXPECT_NEAR(modes.dissipated(0.0, 0.8, t), rod_energy_before(problem) - rod_held_energy(problem, t), 3e-3 * 6.4);
    // Parts add up.
    EXPECT_NEAR(modes.dissipated(0.0, 0.3, t) + modes.dissipated(0.3, 0.8, t), modes.dissipated(0.0, 0.8, t), 1e-12);
  }
  EXPECT_THROW(RodModes(appendix_c(), 0), InvalidInput);
  EXPECT_THROW(RodModes(appendix_c(), 1001), InvalidInput);
}

// Energy that is left while the ground holds: of a rod that has not let go yet it is the rod's.
TEST(RodCatalogue, HeldEnergyIsTheRodsUntilLiftoff) {
  for (const double r : {0.0, 0.4, 2.9, 3.5, 5.0}) {
    const RodProblem problem{1.0, 0.5, 1.0, r, DampingKind::viscous, 3.0, {}, 1, {}};
    RodMotion motion(problem);
    for (const double t : {0.0, 0.3, 0.9}) EXPECT_NEAR(rod_held_energy(problem, t), motion.energy_total(t), 1e-11) << r;
  }
  // Held for good it comes to the static rod's energy, -g^2 L^3/(6 c^2).
  EXPECT_NEAR(rod_held_energy({1.0, 0.5, 1.0, 2.0, DampingKind::viscous, 3.0, {}, 1, {}}, 40.0), -1.0 / 48.0, 1e-12);
}

}  // namespace
