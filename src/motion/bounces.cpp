#include "carom/motion/bounces.hpp"

#include <cmath>
#include <string>

#include "carom/core/error.hpp"
#include "carom/motion/time_of_impact.hpp"

namespace carom {

namespace {

void require_valid(const BounceProblem& problem) {
  if (problem.bounces < 1) throw InvalidInput("bounces", "must be >= 1, got " + std::to_string(problem.bounces));
  require_positive("gravity", problem.gravity);
  const Eigen::Matrix3d& inertia = problem.ball.inertia;
  const Eigen::Matrix3d uneven = inertia - inertia(0, 0) * Eigen::Matrix3d::Identity();
  if (!(uneven.cwiseAbs().maxCoeff() <= inertia_tolerance * std::abs(inertia(0, 0))))
    throw InvalidInput("ball.inertia", "must be that of a ball, the same about every axis");
  if (!(problem.ball.position.z() > 0.0)) throw InvalidInput("ball.position", "must be above the ground, z > 0");
  if (!(problem.ball.velocity.z() < 0.0)) throw InvalidInput("ball.velocity", "must point down, z < 0");
}

/// Follows the bounces; `hit` is the model: (ball, ground, contact) -> collision. Every impact is reckoned at the
/// origin: what the ball does there does not depend on how far it came.
template <class Hit>
std::vector<Bounce> follow(const BounceProblem& problem, const Hit& hit) {
  const Body ground = immovable_body();
  const double first_approach = std::abs(problem.ball.velocity.z());
  std::vector<Bounce> bounces;
  Bounce now;
  now.ball = problem.ball;
  now.ball.position.head<2>().setZero();
  Eigen::Vector2d place = problem.ball.position.head<2>();
  for (int i = 0; i < problem.bounces; ++i) {
    const auto collision = hit(now.ball, ground, Contact{});
    if (collision.impact.verdict != Verdict::separated) break;
    now.ball = collision.a;
    now.energy = collision.impact.energy;
    now.flags = collision.impact.flags;
    bounces.push_back(now);
    bounces.back().ball.position.head<2>() = place;
    const double up = now.ball.velocity.z();
    if (!(up > resting_share * first_approach)) break;
    // Back at the ground it falls as fast as it left: no digit is lost over many bounces.
    const double flight = flight_time(up, problem.gravity);
    now.time += flight;
    place += flight * now.ball.velocity.head<2>();
    now.ball.velocity.z() = -up;
  }
  return bounces;
}

}  // namespace

std::vector<Bounce> bounces_of(const BounceProblem& problem) {
  require_valid(problem);
  if (problem.springs)
    return follow(problem, [&](const Body& ball, const Body& ground, const Contact& contact) {
      return collide(ball, ground, contact, problem.material, *problem.springs);
    });
  return follow(problem, [&](const Body& ball, const Body& ground, const Contact& contact) {
    return collide(ball, ground, contact, problem.material);
  });
}

}  // namespace carom
