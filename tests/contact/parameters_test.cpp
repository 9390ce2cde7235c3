#include "carom/contact/parameters.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "carom/core/switched_system.hpp"

#include "core/random.hpp"

namespace carom {
namespace {

using Eigen::Vector2d, Eigen::VectorXd;
using testing::refusal;

/// The linear spring and damper, followed until its force is zero again.
class Spring final : public SwitchedSystem {
public:
  Spring(double m, double k, double c) : m_(m), k_(k), c_(c) {}
  void rate(const VectorXd& y, double* rate) const override { rate[0] = y[1], rate[1] = -force(y) / m_; }
  int guards() const override { return 1; }
  void guard_values(const VectorXd& y, double* values) const override { values[0] = y[1] > 0.0 ? 1.0 : force(y); }
  bool crossed(int, double, VectorXd&) override { return false; }

private:
  double force(const VectorXd& y) const { return k_ * y[0] + c_ * y[1]; }
  double m_, k_, c_;
};

// What is asked for comes out of the equation of motion, below and beyond critical damping (e = exp(-2)).
TEST(ContactParameters, LinearSpringAndDamper) {
  testing::Rng rng(5);
  for (int i = 0; i < 200; ++i) {
    const double m = std::exp(testing::uniform(rng, -2, 2)),
                 e = i == 0 ? std::exp(-2.0) : testing::uniform(rng, 0.03, 1),
                 duration = std::exp(testing::uniform(rng, -7, 0));
    const ContactParameters p = contact_parameters({ContactLaw::linear, m, e, duration, {}, 2.0});
    Spring spring(m, p.stiffness, p.damping);
    SwitchedSettings settings;
    settings.scale = Vector2d(duration, 1.0);
    const SwitchedStop stop = follow(spring, 0.0, Vector2d(0.0, 2.0), 10.0 * duration, settings);
    ASSERT_TRUE(stop.ended);
    ASSERT_NEAR(-stop.y[1] / 2.0, e, 1e-10) << e;
    ASSERT_NEAR(stop.t / duration, 1.0, 1e-9) << e;
  }
}

// Closed forms: e = exp(-2) at critical damping, exp(-pi/sqrt(3) ...) known at z = 1/2: b = pi/3.
TEST(ContactParameters, LinearClosedForms) {
  EXPECT_NEAR(linear_contact(1.0).restitution, std::exp(-2.0), 1e-15);
  EXPECT_NEAR(linear_contact(1.0).duration, 2.0, 1e-15);
  EXPECT_NEAR(linear_contact(0.5).restitution, std::exp(-2.0 * M_PI / 3.0 / std::sqrt(3.0)), 1e-15);
  EXPECT_NEAR(linear_contact(0.0).duration, M_PI, 1e-15);
  EXPECT_NEAR(linear_contact(0.0).force, 1.0, 1e-15);
  for (const double e : {1e-3, 0.1353, 0.136, 0.5, 0.8, 0.999, 1.0 - 1e-12})
    EXPECT_NEAR(linear_contact(linear_damping_ratio(e)).restitution / e, 1.0, 1e-13) << e;
  EXPECT_EQ(linear_damping_ratio(1.0), 0.0);
}

// MuJoCo's pair stands for x'' = -(2/time constant) x' - x/(time constant x ratio)^2.
TEST(ContactParameters, SolrefIsTheSameSpringAndDamper) {
  const ContactParameters p = contact_parameters({ContactLaw::linear, 3.0, 0.7, 0.02, {}, {}});
  ASSERT_TRUE(p.solref.has_value());
  const auto [time, ratio] = *p.solref;
  EXPECT_NEAR(2.0 / time, p.damping / 3.0, 1e-10);
  EXPECT_NEAR(1.0 / (time * ratio * time * ratio), p.stiffness / 3.0, 1e-7);
  EXPECT_FALSE(contact_parameters({ContactLaw::linear, 3.0, 1.0, 0.02, {}, {}}).solref.has_value());
  EXPECT_TRUE(
      contact_parameters({ContactLaw::linear, 3.0, 1.0, 0.02, {}, {}}).flags.has(ContactParametersFlag::undamped));
}

TEST(ContactParameters, NamesWhatIsWrong) {
  const auto text = [](ContactParametersProblem p) { return refusal([&] { contact_parameters(p); }); };
  EXPECT_EQ(text({ContactLaw::linear, 0.0, 0.5, 0.01, {}, {}}), "mass: must be positive, got 0");
  EXPECT_EQ(text({ContactLaw::linear, 1.0, 0.5, 0.0, {}, {}}), "duration: must be positive, got 0");
  EXPECT_EQ(text({ContactLaw::linear, 1.0, 1.5, 0.1, {}, {}}), "e: must be in [0, 1], got 1.5");
  EXPECT_EQ(text({ContactLaw::flores, 1.0, 0.5, 0.1, {}, {}}),
            "speed: is required unless the exponent is 1: the duration depends on it");
  EXPECT_EQ(text({ContactLaw::linear, 1.0, 0.5, 0.1, 1.5, {}}), "exponent: must be 1 for the law linear, got 1.5");
  EXPECT_EQ(text({ContactLaw::gonthier, 1.0, 0.5, 1e-300, {}, 1.0}),
            "duration: asks for a stiffness beyond the range of numbers");
}

}  // namespace
}  // namespace carom
