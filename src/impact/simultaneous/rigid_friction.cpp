#include "rigid_friction.hpp"

#include <cmath>

namespace carom::simultaneous {

namespace {

/// A direction that is this much less mobile than the other counts as held by the bodies themselves: no force is
/// needed.
constexpr double immobile = 1e-14;

/// Minimise f.A f/2 + g.f over |f| <= r for a 2 x 2 positive semidefinite A with g in its range. In its principal axes
/// and in units of the larger mobility and of |g|, so that no size of the numbers matters.
Eigen::Vector2d in_disc(const Eigen::Matrix2d& a, const Eigen::Vector2d& g, double r) {
  const double size = g.stableNorm();
  if (!(r > 0.0) || !(size > 0.0)) return Eigen::Vector2d::Zero();
  const double half = 0.5 * (a(0, 0) - a(1, 1)), apart = std::hypot(half, a(0, 1));
  const double mobility = 0.5 * (a(0, 0) + a(1, 1)) + apart;
  if (!(mobility > 0.0)) return Eigen::Vector2d::Zero();
  // The more mobile axis is (cos, sin) of half the angle of (half, a01).
  const double turn = 0.5 * std::atan2(a(0, 1), half), cosine = std::cos(turn), sine = std::sin(turn);
  const double least = (a(0, 0) / mobility) * (a(1, 1) / mobility) - (a(0, 1) / mobility) * (a(0, 1) / mobility);
  const bool held = least <= immobile;
  const double along = (cosine * g[0] + sine * g[1]) / size;
  const double aside = held ? 0.0 : (cosine * g[1] - sine * g[0]) / size;
  const double reach = r / size * mobility;  // the radius in units of the force that stops g
  double f1 = -along, f2 = held ? 0.0 : -aside / least;
  if (std::hypot(f1, f2) > reach) {
    // |(along/(1 + x), aside/(least + x))| = reach: the multiplier x lies in [0, 1/reach], 1/|f| is nearly linear in
    // it.
    double low = 0.0, high = 1.0 / reach, x = 0.0;
    for (int i = 0; i < 60; ++i) {
      f1 = -along / (1.0 + x);
      f2 = held ? 0.0 : -aside / (least + x);
      const double now = std::hypot(f1, f2);
      (now > reach ? low : high) = x;
      if (std::abs(now - reach) <= 4e-16 * reach) break;
      const double falling = (f1 * f1 / (1.0 + x) + (held ? 0.0 : f2 * f2 / (least + x))) / now;
      double next = x + (now - reach) / reach * now / falling;
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      if (next == x) break;
      x = next;
    }
    const double shrink = reach / std::hypot(f1, f2);
    f1 *= shrink;
    f2 *= shrink;
  }
  const double unit = size / mobility;
  return unit * Eigen::Vector2d(cosine * f1 - sine * f2, sine * f1 + cosine * f2);
}

/// W_tt of independent contacts has no such small pivots; dependent ones leave 1e-15.
constexpr double dependent = 1e-11;

}  // namespace

Eigen::VectorXd least_slip_forces(const Eigen::MatrixXd& w, const Eigen::VectorXd& b, const Eigen::VectorXd& radius,
                                  std::size_t& sweeps) {
  const Eigen::Index n = radius.size();
  Eigen::VectorXd f = Eigen::VectorXd::Zero(2 * n);
  constexpr std::size_t max_sweeps = 20'000;  // converges linearly; racks need some hundred
  constexpr double converged = 1e-15;         // of the largest force
  for (sweeps = 0; sweeps < max_sweeps; ++sweeps) {
    double moved = 0.0, largest = 0.0;
    for (Eigen::Index c = 0; c < n; ++c) {
      const Eigen::Matrix2d a = w.block<2, 2>(2 * c, 2 * c);
      const Eigen::Vector2d old = f.segment<2>(2 * c);
      const Eigen::Vector2d g = b.segment<2>(2 * c) + w.middleRows<2>(2 * c) * f - a * old;
      f.segment<2>(2 * c) = in_disc(a, g, radius[c]);
      moved = std::max(moved, (f.segment<2>(2 * c) - old).cwiseAbs().maxCoeff());
      largest = std::max(largest, f.segment<2>(2 * c).cwiseAbs().maxCoeff());
    }
    if (!(moved > converged * largest)) break;
  }
  return f;
}

void RigidFriction::set(const Eigen::MatrixXd& w, Eigen::Index sticking) {
  w_ = w;
  sticking_ = sticking;
  const Eigen::Index s = 2 * sticking, c = w.rows() - s;
  hyperstatic_ = false;
  if (s > 0) {
    // Whether the contacts are independent has nothing to do with how heavy their bodies are: asked with all mobilities
    // scaled to one.
    const auto inverse_root = [](double x) { return x > 0.0 ? 1.0 / std::sqrt(x) : 1.0; };
    const Eigen::VectorXd unit = w.diagonal().head(s).unaryExpr(inverse_root);
    const Eigen::MatrixXd scaled = unit.asDiagonal() * w.topLeftCorner(s, s) * unit.asDiagonal();
    const LeastNormSolver stick(scaled, dependent);
    hyperstatic_ = stick.rank() < s;
    hold_ = unit.asDiagonal() * stick.pseudo_inverse() * unit.asDiagonal();
    if (hyperstatic_) {  // of all forces that hold, those of least norm: without the part that moves nothing
      const SymmetricEigen modes = symmetric_eigen(scaled);
      const Eigen::Index idle = s - stick.rank();
      const Eigen::MatrixXd basis = OrthogonalFactor(unit.asDiagonal() * modes.vectors.leftCols(idle)).thin_q();
      hold_ -= basis * (basis.transpose() * hold_).eval();
    }
    transfer_ = hold_ * w.topRightCorner(s, c);
  }
  reduced_ = w.bottomRightCorner(c, c);
  if (s > 0 && c > 0) reduced_ -= w.bottomLeftCorner(c, s) * transfer_;
  held_.assign(static_cast<std::size_t>(c / 2), 0);
  for (Eigen::Index i = 0; i < c; i += 2) {
    if (reduced_.block<2, 2>(i, i).norm() > dependent * w.block<2, 2>(s + i, s + i).norm()) continue;
    held_[static_cast<std::size_t>(i / 2)] = 1;
    reduced_.middleRows<2>(i).setZero();
    reduced_.middleCols<2>(i).setZero();
  }
  for (Eigen::VectorXd* v : {&base_, &direction_, &force_, &acceleration_}) v->resize(c);
  for (Eigen::VectorXd* v : {&residual_, &change_}) v->resize(c / 2);
  jacobian_.resize(c / 2, c / 2);
  lu_ = SquareSolver(c / 2);
}

bool RigidFriction::solve(const Eigen::VectorXd& b, const Eigen::VectorXd& bound, Eigen::VectorXd& angle,
                          Eigen::VectorXd& f) const {
  const Eigen::Index s = 2 * sticking_, c = w_.rows() - s;
  f.setZero();
  if (s > 0) f.head(s).noalias() -= hold_ * b.head(s);
  iterations_ = 0;
  if (c == 0) return true;
  base_ = b.tail(c);
  if (s > 0) base_.noalias() += w_.bottomLeftCorner(c, s) * f.head(s);
  for (std::size_t i = 0; i < held_.size(); ++i)
    if (held_[i]) base_.segment<2>(2 * static_cast<Eigen::Index>(i)).setZero();
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
    ++iterations_;
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
      if (held_[static_cast<std::size_t>(c)]) jacobian_(c, c) = 1.0;  // nothing turns it
    }
    lu_.compute(jacobian_);
    lu_.solve(residual_, change_);
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
