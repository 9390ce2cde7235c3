// The impulse steps of the text (Wang 2017, Algorithms 2 and 3) against the springs they follow.
#include "carom/impact/impulse_steps.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "carom/core/error.hpp"
#include "carom/core/inertia.hpp"
#include "carom/core/shape.hpp"

namespace carom {
namespace {

/// Equal balls of mass 1 and radius .5 in a row along x, the first one moving at unit speed.
SimultaneousProblem chain(std::size_t count, double e, double exponent) {
  SimultaneousProblem problem;
  for (std::size_t i = 0; i < count; ++i) {
    Body ball = body_of(Sphere{0.5}, 1.0);
    ball.position.x() = static_cast<double>(i);
    problem.bodies.push_back(ball);
  }
  problem.bodies[0].velocity.x() = 1.0;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    SpringContact contact;
    contact.first = i;
    contact.second = i + 1;
    contact.point = {static_cast<double>(i) + 0.5, 0, 0};
    contact.normal = {-1, 0, 0};
    contact.exponent = exponent;
    contact.material = {0.0, e};
    problem.contacts.push_back(contact);
  }
  return problem;
}

ImpulseStepsImpact steps(const SimultaneousProblem& problem, double step, ImpulseStart start = ImpulseStart::positive) {
  ImpulseSteps how;
  how.step = step;
  how.start = start;
  return impact_by_impulse_steps(problem, how);
}

double error(const SimultaneousProblem& problem, const ImpulseStepsImpact& impact) {
  const SimultaneousImpact exact = simultaneous_impact(problem);
  double largest = 0.0;
  for (std::size_t i = 0; i < exact.bodies.size(); ++i)
    largest = std::max(largest, (impact.bodies[i].velocity - exact.bodies[i].velocity).norm());
  return largest;
}

// The question the text leaves open. Here the steps come from 1e-2 to 1e-4 with errors of .02 to .04 down to 2e-4 to
// 4e-4: first order.
TEST(ImpulseSteps, ConvergeInProportionToTheirLength) {
  for (const std::size_t count : {std::size_t{3}, std::size_t{5}})
    for (const double exponent : {1.0, 1.5})
      for (const double e : {1.0, 0.95}) {
        const SimultaneousProblem problem = chain(count, e, exponent);
        const double coarse = error(problem, steps(problem, 1e-2)), fine = error(problem, steps(problem, 1e-4));
        EXPECT_LT(fine, 5e-4) << count << " " << exponent << " " << e;
        EXPECT_GT(coarse / fine, 50.0);
        EXPECT_LT(coarse / fine, 200.0);
      }
}

// Eq. 3.10 for a contact at rest beside one of approach v0 between unit masses: rho = 0, or rho = delta / (2 m v0) to
// first order; Newton's method from 0 stays at 0.
TEST(ImpulseSteps, StartFromTheRootTheyAreSentTo) {
  const double step = 1e-3;
  const auto right = steps(chain(3, 1.0, 1.0), step), printed = steps(chain(3, 1.0, 1.0), step, ImpulseStart::printed);
  ASSERT_EQ(right.start_ratios.size(), 2u);
  EXPECT_EQ(right.start_ratios[0], 1.0);
  EXPECT_NEAR(right.start_ratios[1], 0.5 * step, step * step);
  EXPECT_EQ(printed.start_ratios[1], 0.0);
  // Then the balls collide in turn, whatever the step: the answer of pairs, not of springs.
  for (const double exponent : {1.0, 1.5}) {
    const auto pairs = steps(chain(5, 1.0, exponent), step, ImpulseStart::printed);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(pairs.bodies[i].velocity.x(), i == 4 ? 1.0 : 0.0, 5e-3) << i;
  }
}

TEST(ImpulseSteps, KeepMomentumAndCount) {
  const SimultaneousProblem problem = chain(5, 0.95, 1.5);
  const auto impact = steps(problem, 1e-3);
  EXPECT_EQ(impact.verdict, Verdict::separated);
  double sum = 0.0;
  for (const Body& body : impact.bodies) sum += body.velocity.x();
  EXPECT_NEAR(sum, 1.0, 1e-12);
  EXPECT_GT(impact.primary_changes, 2u);  // the force goes down the chain
  EXPECT_GT(impact.steps, 1000u);
  EXPECT_NEAR(impact.energy.before - impact.energy.after,
              impact.energy.restitution_loss + impact.energy.friction_loss + impact.energy.residual, 1e-12);
  SimultaneousProblem parting = chain(3, 1.0, 1.0);
  parting.bodies[0].velocity.x() = -1.0;
  EXPECT_EQ(steps(parting, 1e-3).verdict, Verdict::no_impact);
}

// Wang 2017, Table 3.3: v1x = .020976, v2x = 1.027826; with mu = .5 friction sticks and w1y = 22.474286, w2y =
// -12.485714 (the printed -8.66742 and -43.6275 slide on for ever).
TEST(ImpulseSteps, FollowShot) {
  for (const double mu : {0.03, 0.5}) {
    SimultaneousProblem problem;
    for (int i = 0; i < 2; ++i) {
      Body ball = body_of(Sphere{0.03}, 0.17);
      ball.position.x() = 0.06 * i;
      problem.bodies.push_back(ball);
    }
    problem.bodies[0].velocity.x() = 1.048802;
    problem.bodies[0].angular_velocity.y() = 34.96;
    SpringContact contact;
    contact.second = 1;
    contact.point = {0.03, 0, 0};
    contact.normal = {-1, 0, 0};
    contact.material = {mu, 0.96};
    problem.contacts.push_back(contact);
    ImpulseSteps how;
    how.step = 1e-5;
    const auto impact = impact_by_impulse_steps(problem, how);
    EXPECT_NEAR(impact.bodies[0].velocity.x(), .020976, 2e-4);
    EXPECT_NEAR(impact.bodies[1].velocity.x(), 1.027826, 2e-4);
    const SimultaneousImpact exact = simultaneous_impact(problem);
    for (int i = 0; i < 2; ++i)
      EXPECT_NEAR(impact.bodies[i].angular_velocity.y(), exact.bodies[i].angular_velocity.y(), 0.02) << mu;
    if (mu == 0.5) {
      EXPECT_NEAR(exact.bodies[0].angular_velocity.y(), 22.474286, 1e-6);
      EXPECT_NEAR(exact.bodies[1].angular_velocity.y(), -12.485714, 1e-6);
    }
  }
}

TEST(ImpulseSteps, NameWhatIsWrong) {
  const auto field = [](const SimultaneousProblem& problem, const ImpulseSteps& how) -> std::string {
    try {
      impact_by_impulse_steps(problem, how);
    } catch (const InvalidInput& wrong) {
      return wrong.field();
    }
    return "accepted";
  };
  SimultaneousProblem problem = chain(3, 1.0, 1.0);
  EXPECT_EQ(field(problem, {.step = 0.0}), "step");
  EXPECT_EQ(field(problem, {.stick_share = -1.0}), "stick_share");
  EXPECT_EQ(field(chain(max_impulse_step_contacts + 2, 1.0, 1.0), {}), "contacts");
  problem.contacts[1].eta0 = 1.0;
  EXPECT_EQ(field(problem, {}), "contacts[1].eta0");
  problem.contacts[1] = problem.contacts[0];
  problem.contacts[1].material.restitution = 2.0;
  EXPECT_EQ(field(problem, {}), "contacts[1].restitution");
}

}  // namespace
}  // namespace carom
