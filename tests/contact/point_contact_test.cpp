// One contact at its edges. Expected values: the formulas of the sheet, term by term.
#include "carom/contact/point_contact.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "core/random.hpp"

namespace carom {
namespace {

using Eigen::Vector2d;
using testing::refusal;

ContactSurface surface(SlipDirection direction = SlipDirection::smooth) {
  return {1e6,
          1.5,
          0.5,
          {.mu_s = 0.45,
           .mu_c = 0.4,
           .sigma0 = 1e5,
           .sigma1 = 300.0,
           .sigma2 = 2.0,
           .v_s = 0.1,
           .tau_dw = 0.01,
           .direction = direction}};
}

// What steppers evaluate is the law, in every regime and with every exponent.
TEST(PointContact, IsTheLaw) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (const SlipDirection direction : {SlipDirection::smooth, SlipDirection::printed})
    for (const double exponent : {1.0, 1.5, 2.2})
      for (int i = 0; i < 500; ++i) {
        ContactSurface s = surface(direction);
        s.exponent = exponent;
        PointContact contact(s);
        contact.touch(contact.damping_at(1.0), 0.7);
        ContactMotion m;
        m.indentation = 1e-3 * std::abs(any(random));
        m.rate = any(random);
        m.slip = std::pow(10.0, -2.0 + 2.5 * any(random)) * Vector2d(any(random), any(random));
        m.bristles = {1e-4 * Vector2d(any(random), any(random)), std::abs(any(random))};
        const double load =
            std::max(0.0, 1e6 * std::pow(m.indentation, exponent) * (1.0 + contact.damping() * m.rate / 0.7));
        BristleForce law = bristle_force(s.friction, m.bristles, m.slip, load);
        if (load == 0.0) law.force.setZero();
        const ContactForces got = contact.forces_anywhere(m);
        EXPECT_NEAR(got.normal, load, 1e-12 * (1.0 + load));
        EXPECT_LT((got.tangential.force - law.force).norm(), 1e-11 * (1.0 + law.force.norm()));
        EXPECT_LT((got.tangential.z_rate - law.z_rate).norm(), 1e-12 * (1.0 + law.z_rate.norm()));
        EXPECT_NEAR(got.tangential.dwell_rate, law.dwell_rate, 1e-10 * (1.0 + std::abs(law.dwell_rate)));
        contact.find_modes(m);
        const ContactForces located = contact.forces(m);
        EXPECT_NEAR(located.normal, load, 1e-12 * (1.0 + load));
        EXPECT_LT((located.tangential.force - law.force).norm(), 1e-11 * (1.0 + law.force.norm()));
      }
}

// Tension is clipped, nothing drags then, viscous friction neither, and the contact goes on until the gap opens.
TEST(PointContact, DoesNotPull) {
  PointContact contact(surface());
  contact.touch(contact.damping_at(1.0), 1.0);
  ContactMotion m;
  m.indentation = 1e-4;
  m.rate = -1.0 / contact.damping() - 1e-3;
  m.slip = {0.3, -0.2};
  m.bristles.z = {1e-5, 0.0};
  contact.find_modes(m);
  for (const ContactForces& f : {contact.forces(m), contact.forces_anywhere(m)}) {
    EXPECT_EQ(f.normal, 0.0);
    EXPECT_EQ(f.tangential.force, Vector2d(0.0, 0.0));
  }
  EXPECT_TRUE(contact.touching());
  double guards[PointContact::guards];
  contact.guard_values(m, guards);
  EXPECT_GT(guards[PointContact::gap_guard], 0.0);
  m.indentation = -1e-9;
  contact.guard_values(m, guards);
  EXPECT_LT(guards[PointContact::gap_guard], 0.0);
}

// The force begins and ends at zero, whatever the damping; apart there is none.
TEST(PointContact, BeginsAndEndsAtZero) {
  for (const double e : {0.01, 0.5, 1.0}) {
    ContactSurface s = surface();
    s.e = e;
    PointContact contact(s);
    ContactMotion m;
    m.slip = {0.3, 0.0};
    m.rate = 1.0;
    m.indentation = 1e-3;
    EXPECT_EQ(contact.forces_anywhere(m).normal, 0.0);
    contact.touch(contact.damping_at(1.0), 1.0);
    for (const double rate : {1.0, -e}) {
      m.rate = rate;
      m.indentation = 0.0;
      EXPECT_EQ(contact.forces_anywhere(m).normal, 0.0);
      EXPECT_EQ(contact.forces_anywhere(m).tangential.force.norm(), 0.0);
      m.indentation = 1e-9;
      EXPECT_LT(contact.forces_anywhere(m).normal, 1e6 * std::pow(1e-9, 1.5) * 102.0);
    }
  }
}

TEST(PointContact, NamesWhatIsWrong) {
  const auto text = [](auto change) {
    ContactSurface s = surface();
    change(s);
    return refusal([&] { require_valid(s); });
  };
  EXPECT_EQ(text([](auto& s) { s.stiffness = 0.0; }), "stiffness: must be positive, got 0");
  EXPECT_EQ(text([](auto& s) { s.exponent = -1.0; }), "exponent: must be positive, got -1");
  const std::string none = text([](auto& s) { s.e = 0.0; });
  EXPECT_EQ(none.substr(0, 2), "e:");
  EXPECT_NE(none.find("0.01"), std::string::npos) << none;
  EXPECT_EQ(text([](auto& s) { s.e = 1.1; }).substr(0, 2), "e:");
  EXPECT_EQ(text([](auto& s) { s.friction.sigma0 = 0.0; }), "friction.sigma0: must be positive, got 0");
  EXPECT_EQ(text([](auto& s) { s.friction.sigma1 = -1.0; }), "friction.sigma1: must be positive, got -1");
  EXPECT_EQ(text([](auto& s) { s.friction.sigma2 = -1.0; }).substr(0, 15), "friction.sigma2");
  EXPECT_EQ(text([](auto& s) { s.friction.v_s = 0.0; }), "friction.v_s: must be positive, got 0");
  EXPECT_EQ(text([](auto& s) { s.friction.tau_dw = 0.0; }), "friction.tau_dw: must be positive, got 0");
  EXPECT_EQ(text([](auto& s) { s.friction.mu_c = -0.1; }).substr(0, 13), "friction.mu_c");
  EXPECT_EQ(text([](auto& s) { s.friction.mu_s = 0.3; }), "friction.mu_c: must be <= mu_s, 0.3, got 0.4");
}

}  // namespace
}  // namespace carom
