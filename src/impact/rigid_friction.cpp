#include "rigid_friction.hpp"

#include <Eigen/QR>
#include <cmath>

namespace carom::simultaneous {

namespace {

/// Minimise f.A f/2 + g.f over |f| <= r for a 2 x 2 positive semidefinite A.
Eigen::Vector2d in_disc(const Eigen::Matrix2d& a, const Eigen::Vector2d& g, double r) {
  if (r <= 0.0) return Eigen::Vector2d::Zero();
  const auto at = [&](double lambda) -> Eigen::Vector2d {
    const Eigen::Matrix2d m = a + lambda * Eigen::Matrix2d::Identity();
    const double det = m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0);
    return Eigen::Vector2d(-(m(1, 1) * g[0] - m(0, 1) * g[1]), -(m(0, 0) * g[1] - m(1, 0) * g[0])) / det;
  };
  Eigen::Vector2d f = at(0.0);
  if (f.squaredNorm() <= r * r) return f;
  // The multiplier lies in [0, |g|/r]; 1/|f| is nearly linear in it.
  double low = 0.0, high = g.norm() / r, lambda = 0.0;
  for (int i = 0; i < 60; ++i) {
    f = at(lambda);
    const double size = f.norm();
    (size > r ? low : high) = lambda;
    if (std::abs(size - r) <= 4e-16 * r) break;
    const Eigen::Matrix2d m = a + lambda * Eigen::Matrix2d::Identity();
    const Eigen::Vector2d change = -m.inverse() * f;
    double next = lambda + (size - r) / r * size * size / -f.dot(change);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == lambda) break;
    lambda = next;
  }
  return f * (r / f.norm());
}

}  // namespace

Eigen::VectorXd least_slip_forces(const Eigen::MatrixXd& w, const Eigen::VectorXd& b, const Eigen::VectorXd& radius) {
  const Eigen::Index n = radius.size();
  Eigen::VectorXd f = Eigen::VectorXd::Zero(2 * n);
  const double scale = n > 0 ? radius.maxCoeff() : 0.0;
  constexpr int max_sweeps = 20'000;   // converges linearly; racks need some hundred
  constexpr double converged = 1e-15;  // of the largest bound
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    double moved = 0.0;
    for (Eigen::Index c = 0; c < n; ++c) {
      const Eigen::Matrix2d a = w.block<2, 2>(2 * c, 2 * c);
      const Eigen::Vector2d old = f.segment<2>(2 * c);
      const Eigen::Vector2d g = b.segment<2>(2 * c) + w.middleRows<2>(2 * c) * f - a * old;
      f.segment<2>(2 * c) = in_disc(a, g, radius[c]);
      moved = std::max(moved, (f.segment<2>(2 * c) - old).norm());
    }
    if (moved <= converged * scale) break;
  }
  return f;
}

void RigidFriction::set(const Eigen::MatrixXd& w, Eigen::Index sticking) {
  w_ = w;
  sticking_ = sticking;
  const Eigen::Index s = 2 * sticking, c = w.rows() - s;
  hyperstatic_ = false;
  if (s > 0) {
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> stick;
    stick.setThreshold(1e-11);  // W_tt of independent contacts has no such small pivots; dependent ones leave 1e-15
    stick.compute(w.topLeftCorner(s, s));
    hyperstatic_ = stick.rank() < s;
    hold_ = stick.pseudoInverse();
    transfer_ = hold_ * w.topRightCorner(s, c);
  }
  reduced_ = w.bottomRightCorner(c, c);
  if (s > 0 && c > 0) reduced_ -= w.bottomLeftCorner(c, s) * transfer_;
  for (Eigen::VectorXd* v : {&base_, &direction_, &force_, &acceleration_}) v->resize(c);
  for (Eigen::VectorXd* v : {&residual_, &change_}) v->resize(c / 2);
  jacobian_.resize(c / 2, c / 2);
  lu_ = Eigen::PartialPivLU<Eigen::MatrixXd>(c / 2);
}

bool RigidFriction::solve(const Eigen::VectorXd& b, const Eigen::VectorXd& bound, Eigen::VectorXd& angle,
                          Eigen::VectorXd& f) const {
  const Eigen::Index s = 2 * sticking_, c = w_.rows() - s;
  f.setZero();
  if (s > 0) f.head(s).noalias() -= hold_ * b.head(s);
  if (c == 0) return true;
  base_ = b.tail(c);
  if (s > 0) base_.noalias() += w_.bottomLeftCorner(c, s) * f.head(s);
  const bool found = turn_creeping(bound, angle);
  f.tail(c) = force_;
  if (s > 0) f.head(s).noalias() -= transfer_ * force_;
  return found;
}

/// Newton's method for the angles of the creeping contacts; their forces are left in force_.
bool RigidFriction::turn_creeping(const Eigen::VectorXd& bound, Eigen::VectorXd& angle) const {
  const Eigen::Index creeping = angle.size();
  const auto set_forces = [&] {
    for (Eigen::Index c = 0; c < creeping; ++c) {
      direction_.segment<2>(2 * c) << std::cos(angle[c]), std::sin(angle[c]);
      force_.segment<2>(2 * c) = bound[sticking_ + c] * direction_.segment<2>(2 * c);
    }
  };
  // The acceleration left over must have no part across the force: one equation per angle.
  bool found = false;
  for (int i = 0; i < 30 && !found; ++i) {
    set_forces();
    acceleration_ = base_;
    acceleration_.noalias() += reduced_ * force_;
    for (Eigen::Index c = 0; c < creeping; ++c) {
      const Eigen::Vector2d e = direction_.segment<2>(2 * c), across(-e[1], e[0]);
      residual_[c] = acceleration_.segment<2>(2 * c).dot(across);
      for (Eigen::Index j = 0; j < creeping; ++j) {
        const Eigen::Vector2d turn(-force_[2 * j + 1], force_[2 * j]);
        jacobian_(c, j) = across.dot(reduced_.block<2, 2>(2 * c, 2 * j) * turn);
      }
      jacobian_(c, c) -= acceleration_.segment<2>(2 * c).dot(e);
    }
    lu_.compute(jacobian_);
    change_ = lu_.solve(residual_);
    if (!change_.allFinite()) break;
    const double size = change_.cwiseAbs().maxCoeff();
    if (size > 0.5) change_ *= 0.5 / size;
    angle -= change_;
    found = size <= 1e-14;
    if (i >= 6 && size <= 1e-11) found = true;  // rounding of a nearly vanishing acceleration
  }
  set_forces();
  return found;
}

}  // namespace carom::simultaneous
