#include "carom/motion/link_chain.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "carom/core/contact_space.hpp"
#include "carom/core/integrator.hpp"

#include "core/random.hpp"

namespace carom {
namespace {

using Eigen::MatrixXd, Eigen::Vector2d, Eigen::VectorXd;
using testing::refusal;

LinkChain random_chain(testing::Rng& rng, int links) {
  LinkChain chain;
  chain.gravity = testing::uniform(rng, 0.0, 15.0);
  for (int i = 0; i < links; ++i)
    chain.links.push_back({testing::uniform(rng, 0.3, 2.0), testing::uniform(rng, 0.2, 3.0),
                           testing::uniform(rng, 0.1, 1.5), testing::uniform(rng, 0.0, 0.5)});
  return chain;
}

/// Where the centre of link k is.
Vector2d centre(const LinkChain& chain, const VectorXd& angles, Eigen::Index k) {
  Vector2d at = Vector2d::Zero();
  for (Eigen::Index i = 0; i <= k; ++i) {
    const ChainLink& link = chain.links[static_cast<std::size_t>(i)];
    at += (i < k ? link.length : link.centre) * Vector2d(std::sin(angles[i]), -std::cos(angles[i]));
  }
  return at;
}

// The double pendulum of textbooks, derived by hand: point masses, absolute angles.
TEST(LinkChain, DoublePendulum) {
  const double l1 = 0.5, l2 = 0.25, m1 = 5.0, m2 = 2.0, g = 9.81;
  const LinkChain chain = chain_of_points({l1, l2}, {m1, m2}, g);
  testing::Rng rng(1);
  for (int k = 0; k < 500; ++k) {
    const Vector2d th = testing::random_vector<2>(rng, 3.0), w = testing::random_vector<2>(rng, 5.0);
    const double d = th[0] - th[1], den = 2 * m1 + m2 - m2 * std::cos(2 * d);
    const double a1 = (-g * (2 * m1 + m2) * std::sin(th[0]) - m2 * g * std::sin(th[0] - 2 * th[1]) -
                       2 * std::sin(d) * m2 * (w[1] * w[1] * l2 + w[0] * w[0] * l1 * std::cos(d))) /
                      (l1 * den);
    const double a2 =
        2 * std::sin(d) *
        (w[0] * w[0] * l1 * (m1 + m2) + g * (m1 + m2) * std::cos(th[0]) + w[1] * w[1] * l2 * m2 * std::cos(d)) /
        (l2 * den);
    const VectorXd a = accelerations(chain, th, w);
    ASSERT_NEAR(a[0], a1, 1e-10 * (1.0 + std::abs(a1)));
    ASSERT_NEAR(a[1], a2, 1e-10 * (1.0 + std::abs(a2)));
  }
}

// Energies and the tip against sums over the links' own centres, whatever the chain.
TEST(LinkChain, EnergiesAndTip) {
  testing::Rng rng(2);
  for (int k = 0; k < 300; ++k) {
    const int n = 1 + k % 5;
    const LinkChain chain = random_chain(rng, n);
    VectorXd angles(n), rates(n);
    for (int i = 0; i < n; ++i) angles[i] = testing::uniform(rng, -3, 3), rates[i] = testing::uniform(rng, -4, 4);
    const double h = 1e-6;
    double kinetic = 0.0, potential = 0.0;
    for (int i = 0; i < n; ++i) {
      const ChainLink& link = chain.links[static_cast<std::size_t>(i)];
      const Vector2d v = (centre(chain, angles + h * rates, i) - centre(chain, angles - h * rates, i)) / (2 * h);
      kinetic += 0.5 * link.mass * v.squaredNorm() + 0.5 * link.inertia * rates[i] * rates[i];
      potential += link.mass * chain.gravity * centre(chain, angles, i)[1];
    }
    ASSERT_NEAR(kinetic_energy(chain, angles, rates), kinetic, 1e-7 * (1.0 + kinetic));
    ASSERT_NEAR(potential_energy(chain, angles), potential, 1e-11 * (1.0 + std::abs(potential)));
    const Vector2d v = (tip_position(chain, angles + h * rates) - tip_position(chain, angles - h * rates)) / (2 * h);
    ASSERT_LT((tip_velocity(chain, angles, rates) - v).norm(), 1e-7 * (1.0 + v.norm()));
    const MechanicalSystem system = tip_system(chain, angles, rates);
    ASSERT_NEAR(kinetic_energy(system), kinetic_energy(chain, angles, rates), 1e-12 * (1.0 + kinetic));
    // A force on the tip is worth what its power says.
    const Vector2d force = testing::random_vector<2>(rng, 10.0);
    const VectorXd more = accelerations(chain, angles, rates, force) - accelerations(chain, angles, rates);
    ASSERT_NEAR(rates.dot(system.mass_matrix * more), force.dot(tip_velocity(chain, angles, rates)), 1e-8);
  }
}

TEST(LinkChain, EnergyStaysOverTime) {
  testing::Rng rng(3);
  for (int n = 1; n <= 4; ++n) {
    const LinkChain chain = random_chain(rng, n);
    VectorXd y = VectorXd::Zero(2 * n);
    for (int i = 0; i < 2 * n; ++i) y[i] = testing::uniform(rng, -1.5, 1.5);
    const auto energy = [&](const VectorXd& s) {
      return kinetic_energy(chain, s.head(n), s.tail(n)) + potential_energy(chain, s.head(n));
    };
    IntegratorSettings fine;
    fine.relative_tolerance = 1e-13;
    fine.absolute_tolerance = 1e-14;
    const IntegratorStop stop = integrate(
        [&](double, const VectorXd& s, VectorXd& rate) {
          rate.resize(2 * n);
          rate << s.tail(n), accelerations(chain, s.head(n), s.tail(n));
        },
        0.0, y, 5.0, {}, fine);
    EXPECT_NEAR(energy(stop.y) / energy(y), 1.0, 1e-10) << n << " links";
  }
}

TEST(LinkChain, Angles) {
  const VectorXd relative = Eigen::Vector3d(0.3, 0.2, -0.1);
  const VectorXd absolute = absolute_angles(AngleConvention::relative, relative);
  EXPECT_LT((absolute - Eigen::Vector3d(0.3, 0.5, 0.4)).norm(), 1e-15);
  EXPECT_LT((angles_as(AngleConvention::relative, absolute) - relative).norm(), 1e-15);
  EXPECT_EQ(absolute_angles(AngleConvention::absolute, relative), relative);
}

TEST(LinkChain, NamesWhatIsWrong) {
  EXPECT_EQ(refusal([] { chain_of_rods({1, 1}, {1}, {1, 1}); }), "masses: must be as many as `lengths`, 2, got 1");
  EXPECT_EQ(refusal([] { require_valid(LinkChain{}); }), "links: must be at least one");
  EXPECT_EQ(refusal([] {
              require_valid(chain_of_points({1, -1}, {1, 1}));
            }),
            "links[1].length: must be positive, got -1");
  EXPECT_EQ(refusal([] {
              require_valid(LinkChain{{{1, 1, 0, 0}}, 9.81});
            }),
            "links[0].inertia: must be positive where the centre of mass is in the hinge, got 0");
}

}  // namespace
}  // namespace carom
