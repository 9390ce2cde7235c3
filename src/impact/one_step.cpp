#include "carom/impact/one_step.hpp"

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "carom/core/error.hpp"

#include "spatial/dual_of.hpp"
#include "tangential_axes.hpp"

namespace carom {

namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Number = spatial::DualOf<5>;  // by v_t1, v_t2, v_n, mu, e

/// Halvings or Newton steps of a search for a root: both end at rounding long before.
constexpr int search_limit = 200;

/// One step: the impulse, and the pull back lambda of slip with I_t = -(W_tt + lambda)^-1 (v_t + W_tn I_n); 0 in stick.
struct Step {
  Vector2d tangential = Vector2d::Zero();
  double normal = 0.0, lambda = 0.0;
};

class Contact1 {
public:
  explicit Contact1(const Eigen::Matrix3d& w) : tt(w.topLeftCorner<2, 2>()), tn(w.topRightCorner<2, 1>()), nn(w(2, 2)) {
    const TangentialAxes axes = tangential_axes(tt(0, 0), tt(0, 1), tt(1, 1));
    turn_ << axes.cosine, axes.sine, -axes.sine, axes.cosine;
    first_ = axes.first;
    second_ = axes.second;
  }

  /// Friction of a given normal impulse: the least of I_t.W_tt I_t/2 + I_t.(v_t + W_tn I_n) in the disc of radius
  /// mu I_n, by its secular equation.
  Step at(double normal, double mu, const Vector2d& vt) const {
    Step step;
    step.normal = normal;
    const Vector2d u = turn_.transpose() * (vt + tn * normal);
    const double most = mu * normal;
    const auto pull = [&](double lambda) { return Vector2d(-u[0] / (first_ + lambda), -u[1] / (second_ + lambda)); };
    Vector2d t = pull(0.0);
    if (t.norm() > most) {
      if (most == 0.0) {
        step.lambda = std::numeric_limits<double>::infinity();
        return step;
      }
      // 1/|I_t| is concave and rises in lambda: Newton's method from the left never goes beyond the root.
      double lambda = std::max(0.0, u.norm() / most - std::max(first_, second_));
      for (int i = 0; i < search_limit; ++i) {
        t = pull(lambda);
        const double size = t.norm();
        const double slope = -(t[0] * t[0] / (first_ + lambda) + t[1] * t[1] / (second_ + lambda)) / size;
        const double next = lambda + (size - most) / -slope * (size / most);
        if (!(std::abs(next - lambda) > 1e-15 * next)) break;
        lambda = std::max(next, 0.0);
      }
      step.lambda = lambda;
      t = pull(lambda);
    }
    step.tangential = turn_ * t;
    return step;
  }

  /// The step that brings the normal velocity to `wanted`.
  Step to(double wanted, double mu, const Vector3d& v) const {
    const double change = wanted - v[2];
    const auto excess = [&](const Step& step) { return tn.dot(step.tangential) + nn * step.normal - change; };
    double low = 0.0, high = change / (nn + mu * tn.norm());
    Step step = at(high, mu, v.head<2>());
    for (int i = 0; i < search_limit && excess(step) < 0.0; ++i) {
      low = high;
      high *= 1.25;
      step = at(high, mu, v.head<2>());
    }
    for (int i = 0; i < search_limit && high - low > 1e-16 * high; ++i) {
      const double middle = 0.5 * (low + high);
      if (middle == low || middle == high) break;
      step = at(middle, mu, v.head<2>());
      (excess(step) < 0.0 ? low : high) = middle;
    }
    return step;
  }

  Matrix2d tt;
  Vector2d tn;
  double nn;

private:
  Matrix2d turn_;
  double first_ = 1.0, second_ = 1.0;
};

struct Motion {
  Number v[3];
};

/// The same with derivatives: the equations of the step, differentiated where the double solution satisfies them.
/// Either the normal velocity after is `wanted`, or the normal impulse is `given`.
void add_step(const Contact1& contact, const Step& step, const Number& mu, Motion& motion, const Number* wanted,
              const Number* given, Number (&impulse)[3]) {
  Number it[2] = {Number(step.tangential[0]), Number(step.tangential[1])}, in(step.normal);
  if (step.lambda == std::numeric_limits<double>::infinity()) {  // no friction; how it would begin, by its direction
    in = given != nullptr ? *given : (*wanted - motion.v[2]) / Number(contact.nn);
    const Number u[2] = {motion.v[0] + in * contact.tn[0], motion.v[1] + in * contact.tn[1]};
    const Number size = length(u[0], u[1]);
    for (int i = 0; i < 2; ++i) it[i] = size.v > 0.0 ? -mu * in * u[i] / size : Number(0.0);
    if (given == nullptr)
      in = (*wanted - motion.v[2] - it[0] * contact.tn[0] - it[1] * contact.tn[1]) / Number(contact.nn);
  } else {
    const double lambda = step.lambda;
    // Unknowns (I_t1, I_t2, lambda, I_n).
    Eigen::Matrix4d jacobian = Eigen::Matrix4d::Zero();
    Number residual[4];
    for (int i = 0; i < 2; ++i) {
      residual[i] = motion.v[i] + in * contact.tn[i] + it[i] * lambda;
      for (int j = 0; j < 2; ++j) residual[i] += it[j] * contact.tt(i, j);
      jacobian.row(i) << contact.tt(i, 0), contact.tt(i, 1), step.tangential[i], contact.tn[i];
      jacobian(i, i) += lambda;
    }
    if (lambda > 0.0) {
      residual[2] = it[0] * it[0] + it[1] * it[1] - mu * mu * in * in;
      jacobian.row(2) << 2.0 * step.tangential[0], 2.0 * step.tangential[1], 0.0, -2.0 * mu.v * mu.v * step.normal;
    } else {
      jacobian(2, 2) = 1.0;
    }
    if (given != nullptr) {
      residual[3] = in - *given;
      jacobian(3, 3) = 1.0;
    } else {
      residual[3] = motion.v[2] + it[0] * contact.tn[0] + it[1] * contact.tn[1] + in * contact.nn - *wanted;
      jacobian.row(3) << contact.tn[0], contact.tn[1], 0.0, contact.nn;
    }
    const Eigen::PartialPivLU<Eigen::Matrix4d> solver(jacobian);
    for (std::size_t k = 0; k < 5; ++k) {
      const Eigen::Vector4d change =
          -solver.solve(Eigen::Vector4d(residual[0].d[k], residual[1].d[k], residual[2].d[k], residual[3].d[k]));
      it[0].d[k] = change[0];
      it[1].d[k] = change[1];
      in.d[k] = change[3];
    }
  }
  const Number all[3] = {it[0], it[1], in};
  for (int i = 0; i < 3; ++i) impulse[i] += all[i];
  for (int i = 0; i < 2; ++i) motion.v[i] += it[0] * contact.tt(i, 0) + it[1] * contact.tt(i, 1) + in * contact.tn[i];
  motion.v[2] += it[0] * contact.tn[0] + it[1] * contact.tn[1] + in * contact.nn;
}

}  // namespace

OneStepDerivatives one_step_derivatives(const OneStepProblem& problem) {
  const ContactSpace space = validated(problem.space);
  require_valid(problem.material);
  if (problem.law == RestitutionLaw::energetic)
    throw InvalidInput("law", "must be newton or poisson: one step knows nothing of the work on the way");
  OneStepDerivatives out;
  OneStepOutcome& outcome = out.outcome;
  outcome.velocity_after = space.velocity;
  if (!(space.velocity[2] < 0.0)) return out;
  outcome.verdict = Verdict::separated;
  const Contact1 contact(space.inverse_inertia);
  Motion motion;
  for (std::size_t i = 0; i < 3; ++i) {
    motion.v[i] = Number(space.velocity[static_cast<Eigen::Index>(i)]);
    motion.v[i].d[i] = 1.0;
  }
  Number mu(problem.material.friction), e(problem.material.restitution), impulse[3];
  mu.d[3] = e.d[4] = 1.0;
  const auto values = [&] { return Vector3d(motion.v[0].v, motion.v[1].v, motion.v[2].v); };
  const bool newton = problem.law == RestitutionLaw::newton;
  const Number wanted = newton ? -e * motion.v[2] : Number(0.0);
  Step step = contact.to(wanted.v, mu.v, values());
  add_step(contact, step, mu, motion, &wanted, nullptr, impulse);
  outcome.sticks = step.lambda == 0.0;
  if (!newton && e.v >= 0.0) {
    const Number given = e * impulse[2];
    step = contact.at(given.v, mu.v, values().head<2>());
    const double after = motion.v[2].v + contact.tn.dot(step.tangential) + contact.nn * given.v;
    if (after < 0.0) {  // friction alone would close the contact again
      const Number rest(0.0);
      step = contact.to(0.0, mu.v, values());
      add_step(contact, step, mu, motion, &rest, nullptr, impulse);
    } else {
      add_step(contact, step, mu, motion, nullptr, &given, impulse);
    }
    if (given.v > 0.0) outcome.sticks = step.lambda == 0.0;
  }
  for (int i = 0; i < 3; ++i) {
    outcome.impulse[i] = impulse[i].v;
    outcome.velocity_after[i] = motion.v[i].v;
    for (std::size_t j = 0; j < 3; ++j) out.by_velocity(i, static_cast<Eigen::Index>(j)) = impulse[i].d[j];
    out.by_friction[i] = impulse[i].d[3];
    out.by_restitution[i] = impulse[i].d[4];
  }
  return out;
}

OneStepOutcome one_step_outcome(const OneStepProblem& problem) { return one_step_derivatives(problem).outcome; }

}  // namespace carom
