#include "least_distance.hpp"

#include <cmath>

#include "carom/core/linear_algebra.hpp"

namespace carom::multipoint {

namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

/// The u >= 0 with the smallest residual E u - f: that residual, and which u are positive.
struct NonnegativeFit {
  VectorXd residual;
  std::vector<Index> positive;
};

/// Lawson and Hanson 1974, algorithm NNLS.
NonnegativeFit nonnegative_fit(const MatrixXd& e, const VectorXd& f) {
  const Index count = e.cols();
  // The gradient of a column of unit order that rounding can produce.
  constexpr double gradient_rounding = 1e-14;
  std::vector<Index> passive;
  std::vector<bool> in(static_cast<std::size_t>(count), false);
  VectorXd u = VectorXd::Zero(count), residual = -f;
  const auto solve_passive = [&] {
    MatrixXd columns(e.rows(), static_cast<Index>(passive.size()));
    for (std::size_t j = 0; j < passive.size(); ++j) columns.col(static_cast<Index>(j)) = e.col(passive[j]);
    return PivotedQr(columns).solve(f);
  };
  for (Index step = 0; step < 3 * count + 10; ++step) {
    const VectorXd gradient = -(e.transpose() * residual);
    Index enter = -1;
    double best = gradient_rounding;
    for (Index j = 0; j < count; ++j)
      if (!in[static_cast<std::size_t>(j)] && gradient[j] > best * std::max(1.0, e.col(j).norm()))
        best = gradient[j] / std::max(1.0, e.col(j).norm()), enter = j;
    if (enter < 0) break;
    passive.push_back(enter);
    in[static_cast<std::size_t>(enter)] = true;
    for (bool inner = true; inner && !passive.empty();) {
      const VectorXd s = solve_passive();
      double alpha = 1.0;
      inner = false;
      for (std::size_t j = 0; j < passive.size(); ++j)
        if (const double sj = s[static_cast<Index>(j)]; sj <= 0.0) {
          inner = true;
          const double uj = u[passive[j]];
          alpha = std::min(alpha, uj > 0.0 ? uj / (uj - sj) : 0.0);
        }
      std::vector<Index> kept;
      for (std::size_t j = 0; j < passive.size(); ++j) {
        const Index c = passive[j];
        const double sj = s[static_cast<Index>(j)];
        const bool leaves = sj <= 0.0 && (u[c] <= 0.0 || u[c] / (u[c] - sj) <= alpha);
        u[c] = leaves ? 0.0 : u[c] + alpha * (sj - u[c]);
        in[static_cast<std::size_t>(c)] = !leaves;
        if (!leaves) kept.push_back(c);
      }
      passive = std::move(kept);
    }
    residual = -f;
    for (const Index c : passive) residual += u[c] * e.col(c);
    // The column that entered was thrown out again: its gradient was rounding, and it would enter for ever.
    if (!in[static_cast<std::size_t>(enter)]) break;
  }
  return {std::move(residual), std::move(passive)};
}

}  // namespace

std::optional<VectorXd> least_distance(const MatrixXd& g, const VectorXd& h) {
  const Index n = g.cols();
  if (n == 0 || g.rows() == 0) {
    if (h.size() > 0 && h.maxCoeff() > 0.0) return std::nullopt;
    return VectorXd(VectorXd::Zero(n));
  }
  if (h.maxCoeff() <= 0.0) return VectorXd(VectorXd::Zero(n));
  // The dual (ch. 23, LDP): the residual of [G^T; h^T] u = (0, ..., 0, 1) points at the nearest point.
  MatrixXd e(n + 1, g.rows());
  e.topRows(n) = g.transpose();
  e.row(n) = h.transpose();
  VectorXd f = VectorXd::Zero(n + 1);
  f[n] = 1.0;
  const NonnegativeFit fit = nonnegative_fit(e, f);
  if (fit.residual.norm() * farthest <= 1.0 || fit.residual[n] >= 0.0) return std::nullopt;
  // The residual is the nearest point up to scale, but a far point has a small one, poor in digits: the constraints
  // with positive multipliers are those that hold it, and say where it is.
  VectorXd x = -fit.residual.head(n) / fit.residual[n];
  if (!fit.positive.empty()) {
    x = LeastNormSolver(g(fit.positive, Eigen::all)).solve(h(fit.positive));
  }
  // A set a hair's breadth wide leaves nearly dependent columns and a residual made of rounding: such a set is empty.
  if ((g * x - h).minCoeff() < -10.0 * slack * (1.0 + x.norm())) return std::nullopt;
  return x;
}

ConeSplit::ConeSplit(VectorXd origin, MatrixXd basis, int dimension)
    : origin_(std::move(origin)), basis_(std::move(basis)), dimension_(dimension) {
  if (dimension_ == 3)
    for (Index i = 0; i < origin_.size() / 3; ++i)
      for (const Eigen::Vector2d& axis : {Eigen::Vector2d(1, 0), Eigen::Vector2d(0, 1)})
        cuts_.push_back({i, axis}), cuts_.push_back({i, -axis});
}

std::optional<VectorXd> ConeSplit::least_in_half_spaces(const std::vector<Cone>& cones) const {
  const Index d = dimension_, contacts = origin_.size() / d, width = basis_.cols();
  std::vector<VectorXd> rows;
  std::vector<double> bounds;
  // Half-space normal . p >= bound. One that x cannot move either holds or empties the set.
  bool possible = true;
  const auto add = [&](Index contact, const VectorXd& normal, double bound) {
    const double size = normal.norm();
    if (size == 0.0) return;
    VectorXd row = basis_.middleRows(contact * d, d).transpose() * (normal / size);
    const double h = (bound - normal.dot(origin_.segment(contact * d, d))) / size - slack;
    const double norm = row.norm();
    if (norm <= slack) {
      possible = possible && h <= 0.0;
      return;
    }
    rows.push_back(row / norm);
    bounds.push_back(h / norm);
  };
  VectorXd normal(d);
  const auto add_cone = [&](Index i, const Cone& cone, const auto& direction) {
    normal.head(d - 1) = -direction;
    normal[d - 1] = cone.mu;
    add(i, normal, 0.0);
  };
  for (Index i = 0; i < contacts; ++i) {
    const Cone& cone = cones[static_cast<std::size_t>(i)];
    if (cone.kind == Cone::Kind::free) continue;
    normal.setZero();
    normal[d - 1] = 1.0;
    add(i, normal, cone.floor);
    if (cone.kind == Cone::Kind::friction && d == 2)
      for (const double side : {1.0, -1.0}) add_cone(i, cone, Eigen::Matrix<double, 1, 1>(side));
  }
  for (const Cut& c : cuts_)
    if (const Cone& cone = cones[static_cast<std::size_t>(c.contact)]; cone.kind == Cone::Kind::friction)
      add_cone(c.contact, cone, c.direction);
  if (!possible) return std::nullopt;
  MatrixXd g(static_cast<Index>(rows.size()), width);
  VectorXd h(static_cast<Index>(rows.size()));
  for (std::size_t j = 0; j < rows.size(); ++j)
    g.row(static_cast<Index>(j)) = rows[j].transpose(), h[static_cast<Index>(j)] = bounds[j];
  return least_distance(g, h);
}

/// Where p leaves a cone, the half-space that touches the cone there; false if p is in all of them.
bool ConeSplit::cut(const std::vector<Cone>& cones, const VectorXd& p) {
  // Above what least_distance allows, so that a point on the half-spaces is not cut again.
  const double margin = 20.0 * slack * (1.0 + p.norm());
  bool any = false;
  for (Index i = 0; i < p.size() / 3; ++i) {
    const Cone& cone = cones[static_cast<std::size_t>(i)];
    if (cone.kind != Cone::Kind::friction) continue;
    const Eigen::Vector2d t = p.segment<2>(3 * i);
    if (t.norm() <= cone.mu * p[3 * i + 2] + margin) continue;
    cuts_.push_back({i, t.normalized()});
    any = true;
  }
  return any;
}

std::optional<VectorXd> ConeSplit::least(const std::vector<Cone>& cones) {
  // Each round cuts where the last point left a cone, as Newton's method does: about five rounds; the bound is for sets
  // that touch in a single point.
  constexpr int max_rounds = 40;
  // Cuts of earlier calls that are kept, the newest: enough to start near, few enough to be quick.
  constexpr std::size_t remembered_per_contact = 6;
  const auto axes = static_cast<std::size_t>(4 * origin_.size() / 3);
  const std::size_t remembered = remembered_per_contact * axes / 4;
  if (dimension_ == 3 && cuts_.size() > axes + remembered) {
    const auto first = cuts_.begin() + static_cast<std::ptrdiff_t>(axes);
    cuts_.erase(first, cuts_.end() - static_cast<std::ptrdiff_t>(remembered));
  }
  for (int round = 0;; ++round) {
    const auto x = least_in_half_spaces(cones);
    if (!x || dimension_ == 2) return x;
    if (!cut(cones, split(*x))) return x;
    if (round == max_rounds) return std::nullopt;
  }
}

}  // namespace carom::multipoint
