#include "conic_program.hpp"

#include <cmath>
#include <limits>

#include "carom/core/linear_algebra.hpp"

namespace carom::multipoint {

namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

/// Good enough, against the size of the data: residuals that are rounding, and a gap that leaves a direction in which
/// the cost hardly changes (a slope of 1e-6) its digits too.
constexpr double wanted_residual = 1e-13, wanted_gap = 1e-17, accepted = 1e-9;
/// Rounding ends the descent: that many steps without a better point.
constexpr int patience = 12;
/// Share of the way to the boundary that a step takes.
constexpr double step_share = 0.99;

/// The algebra of a product of second-order cones.
class Cones {
public:
  explicit Cones(const std::vector<Index>& sizes) : sizes_(sizes) {}

  template <class Visit>
  void for_each(const Visit& visit) const {
    Index at = 0;
    for (const Index size : sizes_) visit(at, size), at += size;
  }
  double count() const { return static_cast<double>(sizes_.size()); }

  /// Least t - |w|: above zero inside.
  double depth(const VectorXd& x) const {
    double least = std::numeric_limits<double>::infinity();
    for_each([&](Index at, Index n) { least = std::min(least, x[at] - x.segment(at + 1, n - 1).norm()); });
    return least;
  }
  void shift(VectorXd& x, double by) const {
    for_each([&](Index at, Index) { x[at] += by; });
  }
  /// Jordan product x o y.
  VectorXd product(const VectorXd& x, const VectorXd& y) const {
    VectorXd z(x.size());
    for_each([&](Index at, Index n) {
      z[at] = x.segment(at, n).dot(y.segment(at, n));
      z.segment(at + 1, n - 1) = x[at] * y.segment(at + 1, n - 1) + y[at] * x.segment(at + 1, n - 1);
    });
    return z;
  }
  /// The z with x o z = y.
  VectorXd quotient(const VectorXd& x, const VectorXd& y) const {
    VectorXd z(x.size());
    for_each([&](Index at, Index n) {
      const double x1 = x.segment(at + 1, n - 1).norm(), det = (x[at] - x1) * (x[at] + x1);
      z[at] = (x[at] * y[at] - x.segment(at + 1, n - 1).dot(y.segment(at + 1, n - 1))) / det;
      z.segment(at + 1, n - 1) = (y.segment(at + 1, n - 1) - z[at] * x.segment(at + 1, n - 1)) / x[at];
    });
    return z;
  }
  /// The longest a <= 1 / step_share with x + a d in the cones.
  double longest(const VectorXd& x, const VectorXd& d) const {
    double most = 1.0 / step_share;
    for_each([&](Index at, Index n) {
      const auto x1 = x.segment(at + 1, n - 1), d1 = d.segment(at + 1, n - 1);
      if (d[at] < 0.0) most = std::min(most, -x[at] / d[at]);
      if (n == 1) return;
      // (x0 + a d0)^2 = |x1 + a d1|^2, first positive root.
      const double x1n = x1.norm(), d1n = d1.norm();
      const double qa = (d[at] - d1n) * (d[at] + d1n), qb = x[at] * d[at] - x1.dot(d1),
                   qc = std::max(0.0, (x[at] - x1n) * (x[at] + x1n));
      const double disc = qb * qb - qa * qc;
      if (disc < 0.0) return;
      const double q = -(qb + std::copysign(std::sqrt(disc), qb));
      for (const double root : {qa != 0.0 ? q / qa : -1.0, q != 0.0 ? qc / q : -1.0})
        if (root > 0.0 && x[at] + root * d[at] >= 0.0) most = std::min(most, root);
    });
    return most;
  }

private:
  const std::vector<Index>& sizes_;
};

/// Nesterov and Todd's W with W z = W^-1 s.
class Scaling {
public:
  Scaling(const Cones& cones, const VectorXd& s, const VectorXd& z) : cones_(cones), w_(s.size()), eta_(s.size()) {
    cones.for_each([&](Index at, Index n) {
      const auto size = [&](const VectorXd& x) {
        const double x1 = x.segment(at + 1, n - 1).norm();
        return std::sqrt((x[at] - x1) * (x[at] + x1));
      };
      const double s_size = size(s), z_size = size(z);
      const VectorXd a = s.segment(at, n) / s_size, b = z.segment(at, n) / z_size;
      const double gamma = std::sqrt(0.5 * (1.0 + a.dot(b)));
      w_.segment(at, n) = (a - b) / (2.0 * gamma);
      w_[at] = (a[0] + b[0]) / (2.0 * gamma);
      // w lies on the unit hyperboloid; keep it there in spite of rounding.
      w_[at] = std::sqrt(1.0 + w_.segment(at + 1, n - 1).squaredNorm());
      eta_[at] = std::sqrt(s_size / z_size);
    });
  }
  template <class Matrix>
  Matrix apply(const Matrix& x) const {
    return act(x, 1.0);
  }
  template <class Matrix>
  Matrix inverse(const Matrix& x) const {
    return act(x, -1.0);
  }

private:
  template <class Matrix>
  Matrix act(const Matrix& x, double sign) const {
    Matrix y(x.rows(), x.cols());
    cones_.for_each([&](Index at, Index n) {
      const double factor = sign > 0.0 ? eta_[at] : 1.0 / eta_[at], w0 = w_[at];
      const VectorXd w1 = w_.segment(at + 1, n - 1);
      for (Index c = 0; c < x.cols(); ++c) {
        const double along = w1.dot(x.col(c).segment(at + 1, n - 1)), x0 = x(at, c);
        y(at, c) = factor * (w0 * x0 + sign * along);
        y.col(c).segment(at + 1, n - 1) =
            factor * (x.col(c).segment(at + 1, n - 1) + (sign * x0 + along / (1.0 + w0)) * w1);
      }
    });
    return y;
  }
  const Cones& cones_;
  VectorXd w_, eta_;
};

}  // namespace

void ConicProgram::add(const MatrixXd& rows, const VectorXd& constants) {
  const Index old = g.rows();
  g.conservativeResize(old + rows.rows(), cost.size());
  h.conservativeResize(old + rows.rows());
  g.bottomRows(rows.rows()) = rows;
  h.tail(rows.rows()) = constants;
  cones.push_back(rows.rows());
}

std::optional<VectorXd> minimise(const ConicProgram& program) {
  const MatrixXd& g = program.g;
  const VectorXd &h = program.h, &c = program.cost;
  const Cones cones(program.cones);
  const double size = 1.0 + h.norm(), price = 1.0 + c.norm();

  // Start at the least-squares solutions, moved inside the cones.
  VectorXd y = LeastNormSolver(g).solve(h), s = h - g * y;
  VectorXd z = LeastNormSolver(g.transpose()).solve(-c);
  for (VectorXd* x : {&s, &z})
    if (const double depth = cones.depth(*x); depth < 1e-3) cones.shift(*x, 1.0 - depth);

  VectorXd best = y;
  int best_step = 0;
  double best_error = std::numeric_limits<double>::infinity();
  VectorXd one = VectorXd::Zero(s.size());
  cones.shift(one, 1.0);
  for (int step = 0; step < max_interior_steps; ++step) {
    const VectorXd dual = g.transpose() * z + c, primal = g * y + s - h;
    const double gap = s.dot(z), residual = std::max(primal.norm() / size, dual.norm() / price);
    // Residuals below rounding do not count.
    const double error = std::max(residual > wanted_residual ? residual : 0.0, gap / (size * price));
    if (!std::isfinite(error)) break;
    if (error < best_error) best_error = error, best = y, best_step = step;
    if (error <= wanted_gap || step > best_step + patience) break;
    const double mu = gap / cones.count();
    const Scaling w(cones, s, z);
    const VectorXd lambda = w.apply(z);
    const MatrixXd scaled = w.inverse(g);
    // By orthogonal factors of W^-1 G: its square would lose half the digits where cones are active.
    const OrthogonalFactor factor(scaled);
    struct Direction {
      VectorXd y, s, z;  // s and z scaled: W^-1 ds, W dz
    };
    // G' dz = -dual, G dy + ds = -primal, lambda o (W dz + W^-1 ds) = complement.
    const auto solve = [&](double share, const VectorXd& complement) {
      const VectorXd q = cones.quotient(lambda, complement);
      const VectorXd bx = -share * dual, r = w.inverse(VectorXd(-share * primal)) - q;
      Direction d;
      // W dz = P r' + Q R^-T bx with P onto the complement of the range, so that G' dz is right whatever the condition.
      VectorXd turned = factor.q_transpose_times(r);
      const VectorXd lift = factor.r_transpose_solve(bx);
      d.y = factor.r_solve(turned.head(c.size()) + lift);
      turned *= -1.0;
      turned.head(c.size()) = lift;
      d.z = factor.q_times(turned);
      d.s = q - d.z;
      return d;
    };
    const VectorXd square = cones.product(lambda, lambda);
    const Direction predicted = solve(1.0, -square);
    const double reach = std::min({1.0, cones.longest(lambda, predicted.s), cones.longest(lambda, predicted.z)});
    const double sigma = std::pow(1.0 - reach, 3);
    const Direction d =
        solve(1.0 - sigma, VectorXd(sigma * mu * one - square - cones.product(predicted.s, predicted.z)));
    const double length = std::min(1.0, step_share * std::min(cones.longest(lambda, d.s), cones.longest(lambda, d.z)));
    y += length * d.y;
    s -= length * ((1.0 - sigma) * primal + g * d.y);  // as W d.s, without its rounding
    z += length * w.inverse(d.z);
    if (!(cones.depth(s) > 0.0 && cones.depth(z) > 0.0)) break;
  }
  if (best_error > accepted) return std::nullopt;
  return best;
}

}  // namespace carom::multipoint
