// Simultaneous impact against other computations: modes, small steps with the bodies themselves, and the models of one
// contact.
#include <gtest/gtest.h>

#include "carom/core/contact_graph.hpp"
#include "carom/core/linear_algebra.hpp"
#include "carom/impact/compliant.hpp"
#include "carom/impact/spatial.hpp"

#include "impact/simultaneous_random.hpp"

namespace carom {
namespace {

using namespace testing;

/// Frictionless linear springs by modes: a symmetric eigenproblem after every event, events by dense sampling and
/// bisection. Shares nothing with the library but the inverse inertia.
Eigen::VectorXd modal_impulses(const SimultaneousProblem& problem) {
  const std::vector<PairContact> pairs(problem.contacts.begin(), problem.contacts.end());
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
    const SymmetricEigen modes = symmetric_eigen(a);
    const Eigen::MatrixXd& q = modes.vectors;
    const Eigen::VectorXd omega = modes.values.cwiseMax(0.0).cwiseSqrt(), qx = q.transpose() * x,
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

TEST(SimultaneousModal, AgreesWithTheSeriesAndWithEvents) {
  Rng rng(7);
  for (int k = 0; k < 100; ++k) {
    SCOPED_TRACE(k);
    SimultaneousProblem problem = random_scene(rng, 1.0, SceneFriction::none, k % 2 == 0);
    const SimultaneousImpact impact = simultaneous_impact(problem);
    const Eigen::VectorXd modal = modal_impulses(problem);
    for (std::size_t c = 0; c < impact.contacts.size(); ++c)
      EXPECT_NEAR(impact.contacts[c].impulse.dot(problem.contacts[c].normal), modal[static_cast<Eigen::Index>(c)],
                  1e-12);
    // The event-driven integration of the same scene: a friction coefficient too small to matter selects it.
    problem.tolerance = 1e-13;
    for (SpringContact& contact : problem.contacts) contact.material.friction = 1e-15;
    EXPECT_LT(difference(simultaneous_impact(problem).bodies, impact.bodies), 1e-12);
  }
}

/// Small steps with the bodies themselves: forces from compressions, friction by springs, or by a viscous ramp, as wide
/// as the steps allow, that stands for rigid Coulomb friction.
std::vector<Body> stepped(const SimultaneousProblem& problem, double h) {
  std::vector<Body> bodies = problem.bodies;
  const std::size_t m = problem.contacts.size();
  const double ramp = 20.0 * h;
  std::vector<double> d(m, 0.0);
  std::vector<Eigen::Vector3d> f(m, Eigen::Vector3d::Zero()), force(m, Eigen::Vector3d::Zero());
  for (long step = 0; step < 20'000'000; ++step) {
    bool busy = false;
    for (std::size_t c = 0; c < m; ++c) {
      const SpringContact& s = problem.contacts[c];
      const Eigen::Vector3d u = velocity_at(bodies[s.first], s.point) - velocity_at(bodies[s.second], s.point);
      const double un = u.dot(s.normal), e2 = s.material.restitution * s.material.restitution, old = d[c];
      const Eigen::Vector3d ut = u - un * s.normal;
      d[c] = std::max(0.0, old - h * (un < 0 ? un : un / e2));
      force[c].setZero();
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
        f[c] = -bound * ut / std::max(ut.norm(), ramp);
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

/// Halving the step halves the error of the first-order stepper: what two steps differ by is the error of the finer.
void compare_with_steps(double exponent, SceneFriction friction, std::uint64_t seed) {
  constexpr double h = 1e-3;
  constexpr int scenes = 30;
  Rng rng(seed);
  int compared = 0;
  while (compared < scenes) {
    SCOPED_TRACE(compared);
    const SimultaneousProblem problem = random_scene(rng, exponent, friction, rng() % 2 == 0, 5);
    const SimultaneousImpact impact = simultaneous_impact(problem);
    if (impact.verdict == Verdict::no_impact) continue;
    ++compared;
    ASSERT_EQ(impact.verdict, Verdict::separated);
    const std::vector<Body> coarse = stepped(problem, h), fine = stepped(problem, 0.5 * h);
    EXPECT_LT(difference(fine, impact.bodies), 2.0 * difference(coarse, fine) + 1e-3);
    EXPECT_LT(difference(fine, impact.bodies), 0.1);
  }
}

TEST(SimultaneousStepper, LinearSprings) { compare_with_steps(1.0, SceneFriction::springs, 11); }
TEST(SimultaneousStepper, HertzSprings) { compare_with_steps(1.5, SceneFriction::springs, 12); }
TEST(SimultaneousStepper, LinearRigid) { compare_with_steps(1.0, SceneFriction::rigid, 13); }
TEST(SimultaneousStepper, HertzRigid) { compare_with_steps(1.5, SceneFriction::rigid, 14); }

/// One random contact, and its contact space.
struct OneContact {
  SimultaneousProblem problem;
  ContactSpace space;
  Eigen::Matrix3d frame;
};

OneContact random_contact_of_two(Rng& rng, double exponent, SceneFriction friction) {
  for (;;) {
    OneContact one;
    one.problem = random_scene(rng, exponent, friction, rng() % 2 == 0, 2);
    one.problem.tolerance = 1e-12;
    const SpringContact& c = one.problem.contacts[0];
    one.space = contact_space(one.problem.bodies[c.first], one.problem.bodies[c.second], {c.point, c.normal});
    one.frame = contact_frame(Contact{c.point, c.normal});
    if (one.space.velocity.z() < -0.05) return one;
  }
}

/// Velocity of the contact after, world axes.
Eigen::Vector3d after(const SimultaneousProblem& problem) {
  return simultaneous_impact(problem).contacts[0].velocity_after;
}

// The model of one contact with tangential springs is solved in another way altogether: event by event in the impulse.
TEST(SimultaneousOneContact, WithSpringsIsCompliant) {
  Rng rng(41);
  for (int k = 0; k < 300; ++k) {
    SCOPED_TRACE(k);
    const OneContact one = random_contact_of_two(rng, 1.0, SceneFriction::springs);
    const SpringContact& c = one.problem.contacts[0];
    const CompliantImpact other = compliant_impact({one.space, c.material, *c.eta0});
    ASSERT_EQ(other.verdict, Verdict::separated);
    const double apart = (one.frame * other.velocity_after - after(one.problem)).norm();
    EXPECT_LT(apart, 1e-9);
  }
}

// Rigid friction at one contact is the energetic law, whatever the spring.
TEST(SimultaneousOneContact, RigidIsSpatial) {
  Rng rng(42);
  for (int k = 0; k < 300; ++k) {
    SCOPED_TRACE(k);
    const OneContact one = random_contact_of_two(rng, k % 2 == 0 ? 1.0 : 1.5, SceneFriction::rigid);
    const SpatialImpact other =
        spatial_impact({one.space, one.problem.contacts[0].material, RestitutionLaw::energetic});
    EXPECT_LT((one.frame * other.velocity_after - after(one.problem)).norm(), 1e-9);
  }
}

// As eta0 falls the springs approach rigid friction, at least in proportion; below rigid_simultaneous_eta0 they are it.
TEST(SimultaneousOneContact, StiffSpringsTendToSpatial) {
  Rng rng(43);
  for (int k = 0; k < 30; ++k) {
    SCOPED_TRACE(k);
    OneContact one = random_contact_of_two(rng, 1.0, SceneFriction::springs);
    const SpatialImpact other =
        spatial_impact({one.space, one.problem.contacts[0].material, RestitutionLaw::energetic});
    one.problem.tolerance = 1e-8;
    for (const double eta0 : {0.1, 0.03, 0.01}) {
      one.problem.contacts[0].eta0 = eta0;
      EXPECT_LT((one.frame * other.velocity_after - after(one.problem)).norm(), eta0);
    }
    one.problem.tolerance = 1e-12;
    one.problem.contacts[0].eta0 = 0.5 * rigid_simultaneous_eta0;
    EXPECT_LT((one.frame * other.velocity_after - after(one.problem)).norm(), 1e-9);
    EXPECT_EQ(simultaneous_impact(one.problem).flags.has(Flag::rigid_limit),
              one.problem.contacts[0].material.friction > 0.0);
  }
}

}  // namespace
}  // namespace carom
