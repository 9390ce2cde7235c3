// Simultaneous impact over random scenes: conservation, independence of order and units, and an independent stepper.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <gtest/gtest.h>

#include "carom/core/contact_graph.hpp"
#include "carom/impact/simultaneous.hpp"

#include "core/random.hpp"
#include "impact/simultaneous_scenes.hpp"

namespace carom {
namespace {

using namespace testing;

enum class Friction { none, rigid, springs };

/// Two to five bodies touching at random points; sometimes one of them is immovable.
SimultaneousProblem random_scene(Rng& rng, double exponent, Friction friction, bool ground) {
  SimultaneousProblem problem;
  const auto count = static_cast<std::size_t>(2 + rng() % 4);
  for (std::size_t i = 0; i < count; ++i) {
    problem.bodies.push_back(random_body(rng));
    problem.bodies.back().angular_velocity *= 0.3;
  }
  if (ground) problem.bodies[0] = immovable_body();
  const auto add = [&](std::size_t i, std::size_t j) {
    SpringContact contact;
    contact.first = i;
    contact.second = j;
    contact.point = 0.5 * (problem.bodies[i].position + problem.bodies[j].position) + random_vector<3>(rng, 0.2);
    contact.normal = random_direction<3>(rng);
    contact.stiffness = std::exp(uniform(rng, -1.5, 1.5));
    contact.exponent = exponent;
    contact.material.restitution = uniform(rng, 0.3, 1.0);
    if (friction != Friction::none) contact.material.friction = uniform(rng, 0.0, 0.6);
    if (friction == Friction::springs) contact.eta0 = uniform(rng, 0.7, 1.5);
    problem.contacts.push_back(contact);
  };
  for (std::size_t i = 1; i < count; ++i) add(i, static_cast<std::size_t>(rng() % i));
  if (count > 2) add(0, count - 1);
  return problem;
}

Eigen::Matrix<double, 6, 1> momentum(const std::vector<Body>& bodies) {
  Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
  for (const Body& body : bodies) {
    if (body.immovable) continue;
    sum.head<3>() += body.mass * body.velocity;
    sum.tail<3>() += body.position.cross(body.mass * body.velocity) + world_inertia(body) * body.angular_velocity;
  }
  return sum;
}

double difference(const std::vector<Body>& a, const std::vector<Body>& b, double scale = 1.0) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max({largest, (scale * a[i].velocity - b[i].velocity).norm(),
                        0.3 * (scale * a[i].angular_velocity - b[i].angular_velocity).norm()});
  return largest;
}

struct Kind {
  double exponent;
  Friction friction;
  double balance, order;  // allowed error of the energy ledger and between orders of the contacts
};

void check_properties(const Kind& kind, int count, std::uint64_t seed) {
  Rng rng(seed);
  int impacts = 0, unfinished = 0;
  for (int k = 0; k < count; ++k) {
    SCOPED_TRACE(k);
    const bool ground = k % 3 == 0;
    const SimultaneousProblem problem = random_scene(rng, kind.exponent, kind.friction, ground);
    const SimultaneousImpact impact = simultaneous_impact(problem);
    if (impact.verdict == Verdict::no_impact) continue;
    ++impacts;
    if (impact.verdict != Verdict::separated) {
      ++unfinished;
      continue;
    }
    if (!ground) {
      EXPECT_LT((momentum(impact.bodies) - momentum(problem.bodies)).norm(), 1e-13);
    }
    EXPECT_LT(std::abs(impact.energy.imbalance()), kind.balance * impact.energy.before);
    EXPECT_FALSE(impact.flags.has(Flag::energy_gain));
    for (std::size_t c = 0; c < impact.contacts.size(); ++c) {
      const ContactOutcome& contact = impact.contacts[c];
      const Eigen::Vector3d n = problem.contacts[c].normal;
      EXPECT_GT(contact.velocity_after.dot(n), -1e-9);
      const double normal = contact.impulse.dot(n);
      EXPECT_GE(normal, -1e-15);
      EXPECT_LE((contact.impulse - normal * n).norm(),
                problem.contacts[c].material.friction * normal * (1 + 1e-6) + 1e-9);
      EXPECT_GE(contact.restitution_loss, -1e-12);
      EXPECT_GE(contact.friction_loss, -1e-9);
    }
    SimultaneousProblem shuffled = problem;
    std::shuffle(shuffled.contacts.begin(), shuffled.contacts.end(), rng);
    EXPECT_LT(difference(simultaneous_impact(shuffled).bodies, impact.bodies), kind.order);
    SimultaneousProblem scaled = problem;
    for (Body& body : scaled.bodies) {
      body.velocity *= 3.0;
      body.angular_velocity *= 3.0;
    }
    for (SpringContact& contact : scaled.contacts) contact.stiffness *= 7.0;
    EXPECT_LT(difference(impact.bodies, simultaneous_impact(scaled).bodies, 3.0), 3.0 * kind.order);
  }
  EXPECT_GT(impacts, count / 2);
  EXPECT_LE(unfinished, count / 50);
}

TEST(SimultaneousRandom, LinearFrictionless) { check_properties({1.0, Friction::none, 1e-13, 1e-11}, 2000, 1); }
TEST(SimultaneousRandom, HertzFrictionless) { check_properties({1.5, Friction::none, 1e-9, 1e-8}, 300, 2); }
TEST(SimultaneousRandom, LinearSprings) { check_properties({1.0, Friction::springs, 1e-8, 1e-7}, 100, 3); }
TEST(SimultaneousRandom, HertzSprings) { check_properties({1.5, Friction::springs, 1e-8, 1e-7}, 100, 4); }
TEST(SimultaneousRandom, LinearRigid) { check_properties({1.0, Friction::rigid, 1e-8, 1e-7}, 100, 5); }
TEST(SimultaneousRandom, HertzRigid) { check_properties({1.5, Friction::rigid, 1e-8, 1e-7}, 100, 6); }

/// Frictionless linear springs by modes: a symmetric eigenproblem after every event, events by dense sampling and
/// bisection. Shares nothing with the library but the inverse inertia.
Eigen::VectorXd modal_impulses(const SimultaneousProblem& problem) {
  std::vector<GraphContact> pairs;
  for (const SpringContact& c : problem.contacts) pairs.push_back({c.first, c.second, c.point, c.normal});
  const ContactGraph graph(problem.bodies, pairs);
  const auto m = static_cast<Eigen::Index>(pairs.size());
  const Eigen::MatrixXd full = graph.dense();
  Eigen::MatrixXd w(m, m);
  Eigen::VectorXd u(m), d = Eigen::VectorXd::Zero(m), p = Eigen::VectorXd::Zero(m), k(m), e2(m);
  const auto u3 = graph.velocities(problem.bodies);
  for (Eigen::Index i = 0; i < m; ++i) {
    const SpringContact& c = problem.contacts[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < m; ++j) w(i, j) = full(3 * i + 2, 3 * j + 2);
    u[i] = u3[static_cast<std::size_t>(i)].z();
    k[i] = c.stiffness;
    e2[i] = c.material.restitution * c.material.restitution;
  }
  const Eigen::VectorXd u0 = u;
  for (int event = 0; event < 10000; ++event) {
    // x'' = -A x for x = d / sqrt(rate/k), closed contacts only.
    std::vector<Eigen::Index> closed;
    std::vector<int> mode(static_cast<std::size_t>(m), 0);
    for (Eigen::Index i = 0; i < m; ++i)
      if (d[i] > 0 || u[i] < -1e-13) {
        closed.push_back(i);
        mode[static_cast<std::size_t>(i)] = u[i] < 0 ? 1 : 2;
      }
    if (closed.empty()) return p;
    const auto n = static_cast<Eigen::Index>(closed.size());
    Eigen::VectorXd s(n), x(n), v(n);
    Eigen::MatrixXd a(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const Eigen::Index c = closed[static_cast<std::size_t>(i)];
      const double rate = u[c] < 0 ? 1.0 : 1.0 / e2[c];
      s[i] = std::sqrt(rate / k[c]);
      x[i] = d[c] / s[i];
      v[i] = -rate * u[c] / s[i];
    }
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) {
        const Eigen::Index c = closed[static_cast<std::size_t>(i)], b = closed[static_cast<std::size_t>(j)];
        a(i, j) = s[i] * k[c] * w(c, b) * k[b] * s[j];
      }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(a);
    const Eigen::MatrixXd& q = modes.eigenvectors();
    const Eigen::VectorXd omega = modes.eigenvalues().cwiseMax(0.0).cwiseSqrt(), qx = q.transpose() * x,
                          qv = q.transpose() * v;
    const Eigen::VectorXd d0 = d, p0 = p;
    const auto go = [&](double t) {
      Eigen::VectorXd at(n), sum(n);
      for (Eigen::Index i = 0; i < n; ++i) {
        const double o = omega[i], z = o * t;
        const double sinc = z > 1e-4 ? std::sin(z) / o : t * (1 - z * z / 6);
        const double cosc = z > 1e-3 ? (1 - std::cos(z)) / (o * o) : t * t * (0.5 - z * z / 24);
        at[i] = qx[i] * std::cos(z) + qv[i] * sinc;
        sum[i] = qx[i] * sinc + qv[i] * cosc;
      }
      at = q * at;
      sum = q * sum;
      d = d0;
      p = p0;
      for (Eigen::Index i = 0; i < n; ++i) {
        const Eigen::Index c = closed[static_cast<std::size_t>(i)];
        d[c] = s[i] * at[i];
        p[c] += k[c] * s[i] * sum[i];
      }
      u = u0 + w * p;
      for (Eigen::Index i = 0; i < m; ++i) {
        const int kind = mode[static_cast<std::size_t>(i)];
        if (kind == 0 && u[i] < -2e-13) return true;
        if (kind == 1 && u[i] > 2e-13) return true;
        if (kind == 2 && (u[i] < -2e-13 || d[i] < 0)) return true;
      }
      return false;
    };
    double low = 0.0, high = 0.0;
    const double step = 0.01 / omega.maxCoeff();
    while (!go(high += step)) low = high;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (go(middle) ? high : low) = middle;
    }
    go(high);
    for (Eigen::Index i = 0; i < m; ++i)
      if (d[i] < 1e-14 && u[i] > 0) d[i] = 0;
  }
  ADD_FAILURE() << "no end";
  return p;
}

TEST(SimultaneousModal, AgreesWithTheSeries) {
  Rng rng(7);
  for (int k = 0; k < 100; ++k) {
    SCOPED_TRACE(k);
    SimultaneousProblem problem = random_scene(rng, 1.0, Friction::none, k % 2 == 0);
    const SimultaneousImpact impact = simultaneous_impact(problem);
    const Eigen::VectorXd modal = modal_impulses(problem);
    for (std::size_t c = 0; c < impact.contacts.size(); ++c)
      EXPECT_NEAR(impact.contacts[c].impulse.dot(problem.contacts[c].normal), modal[static_cast<Eigen::Index>(c)],
                  1e-11);
    // The event-driven integration of the same scene: a friction coefficient too small to matter selects it.
    problem.tolerance = 1e-13;
    for (SpringContact& contact : problem.contacts) contact.material.friction = 1e-15;
    EXPECT_LT(difference(simultaneous_impact(problem).bodies, impact.bodies), 2e-12);
  }
}

/// Small steps with the bodies themselves: forces from compressions, friction by springs, or by a viscous ramp that
/// stands for rigid Coulomb friction.
std::vector<Body> stepped(const SimultaneousProblem& problem, double h) {
  std::vector<Body> bodies = problem.bodies;
  const std::size_t m = problem.contacts.size();
  std::vector<double> d(m, 0.0);
  std::vector<Eigen::Vector3d> f(m, Eigen::Vector3d::Zero());
  for (long step = 0; step < 20'000'000; ++step) {
    bool busy = false;
    std::vector<Eigen::Vector3d> force(m, Eigen::Vector3d::Zero());
    for (std::size_t c = 0; c < m; ++c) {
      const SpringContact& s = problem.contacts[c];
      const Eigen::Vector3d u = velocity_at(bodies[s.first], s.point) - velocity_at(bodies[s.second], s.point);
      const double un = u.dot(s.normal), e2 = s.material.restitution * s.material.restitution, old = d[c];
      const Eigen::Vector3d ut = u - un * s.normal;
      d[c] = std::max(0.0, old - h * (un < 0 ? un : un / e2));
      if (d[c] == 0.0) {
        f[c].setZero();
        busy = busy || un < -1e-9;
        continue;
      }
      busy = true;
      const double fn = s.stiffness * std::pow(d[c], s.exponent), bound = s.material.friction * fn;
      if (s.eta0) {
        if (s.exponent > 1 && d[c] < old) f[c] *= std::sqrt(d[c] / old);
        f[c] -= h * s.exponent * s.stiffness * std::pow(d[c], s.exponent - 1) / (*s.eta0 * *s.eta0) * ut;
        if (f[c].norm() > bound) f[c] *= bound / f[c].norm();
      } else {
        f[c] = -bound * ut / std::max(ut.norm(), 2e-3);
      }
      force[c] = fn * s.normal + f[c];
    }
    if (!busy) return bodies;
    for (std::size_t c = 0; c < m; ++c) {
      const SpringContact& s = problem.contacts[c];
      apply_impulse(bodies[s.first], s.point, h * force[c]);
      apply_impulse(bodies[s.second], s.point, -h * force[c]);
    }
  }
  ADD_FAILURE() << "no end";
  return bodies;
}

void compare_with_steps(double exponent, Friction friction, int count, double h, double allowed, std::uint64_t seed) {
  Rng rng(seed);
  int compared = 0;
  for (int k = 0; k < count; ++k) {
    SCOPED_TRACE(k);
    const SimultaneousProblem problem = random_scene(rng, exponent, friction, k % 2 == 0);
    const SimultaneousImpact impact = simultaneous_impact(problem);
    if (impact.verdict != Verdict::separated) continue;
    ++compared;
    EXPECT_LT(difference(stepped(problem, h), impact.bodies), allowed);
  }
  EXPECT_GT(compared, count / 2);
}

TEST(SimultaneousStepper, LinearSprings) { compare_with_steps(1.0, Friction::springs, 20, 1e-4, 5e-3, 11); }
TEST(SimultaneousStepper, HertzSprings) { compare_with_steps(1.5, Friction::springs, 20, 1e-4, 5e-3, 12); }
TEST(SimultaneousStepper, LinearRigid) { compare_with_steps(1.0, Friction::rigid, 20, 1e-4, 1e-2, 13); }
TEST(SimultaneousStepper, HertzRigid) { compare_with_steps(1.5, Friction::rigid, 20, 1e-4, 1e-2, 14); }

TEST(SlowSimultaneousRandom, LinearFrictionless) { check_properties({1.0, Friction::none, 1e-13, 1e-11}, 20000, 21); }
TEST(SlowSimultaneousRandom, LinearSprings) { check_properties({1.0, Friction::springs, 1e-8, 1e-7}, 1000, 23); }
TEST(SlowSimultaneousRandom, LinearRigid) { check_properties({1.0, Friction::rigid, 1e-8, 1e-7}, 2000, 25); }
TEST(SlowSimultaneousRandom, HertzRigid) { check_properties({1.5, Friction::rigid, 1e-8, 1e-7}, 1000, 26); }

}  // namespace
}  // namespace carom
