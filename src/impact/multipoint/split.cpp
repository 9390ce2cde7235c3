// The least friction with which some split of an impulse stays in every cone.
#include <cmath>

#include "carom/core/linear_algebra.hpp"

#include "conic_program.hpp"
#include "least_distance.hpp"
#include "system.hpp"

namespace carom::multipoint {

namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

/// More friction than this is no friction cone any more: the contact would have to pull.
constexpr double largest_friction = 1e6;

/// The search ends this close to the infimum.
constexpr double accuracy = 1e-12;

/// Splits in space are looked for no farther out (data of order one): well beyond where they count as large.
constexpr double farthest_split = 1e4;

/// Up to so many contacts in space bisection, whose cost grows steeply with their number; above it Dinkelbach's
/// descent.
constexpr Index bisected_contacts = 4;

/// Dinkelbach's descent is superlinear, five to ten steps, unless the infimum lies at infinity, where it is no use.
constexpr int max_descents = 12;

struct Least {
  double mu;
  VectorXd x;
};

/// The split deepest in the cones of mu: least t with |p_t| <= mu p_n + t at every contact that has a cone, p_n >=
/// floor.
std::optional<VectorXd> deepest(const ConeSplit& splits, const std::vector<Cone>& cones, double mu) {
  const MatrixXd& basis = splits.basis();
  const VectorXd& origin = splits.origin();
  const Index width = basis.cols();
  ConicProgram program;
  program.cost = VectorXd::Unit(width + 1, width);
  program.g.resize(0, width + 1);
  MatrixXd rows = MatrixXd::Zero(width + 1, width + 1);
  rows.block(1, 0, width, width) = -MatrixXd::Identity(width, width) / farthest_split;
  program.add(rows, VectorXd::Unit(width + 1, 0));
  for (std::size_t i = 0; i < cones.size(); ++i) {
    if (cones[i].kind == Cone::Kind::free) continue;
    const Index t = 3 * static_cast<Index>(i), n = t + 2;
    MatrixXd cone = MatrixXd::Zero(3, width + 1);
    VectorXd constants(3);
    cone.row(0).head(width) = -mu * basis.row(n);
    cone(0, width) = -1.0;
    cone.block(1, 0, 2, width) = -basis.middleRows(t, 2);
    constants << mu * origin[n], origin[t], origin[t + 1];
    program.add(cone / (1.0 + mu), constants / (1.0 + mu));
    if (basis.row(n).norm() <= slack) continue;  // not to be moved: judged by the ratio
    MatrixXd push = MatrixXd::Zero(1, width + 1);
    push.row(0).head(width) = -basis.row(n);
    program.add(push, VectorXd::Constant(1, origin[n] - cones[i].floor));
  }
  const auto y = minimise(program);
  if (!y) return std::nullopt;
  return VectorXd(y->head(width));
}

/// Smallest mu of all splits: the friction of the deepest split is less than mu wherever mu can be undercut (Dinkelbach
/// 1967, generalised to the largest of several ratios).
template <class FrictionOf>
std::optional<Least> descend(const ConeSplit& splits, const std::vector<Cone>& cones, const FrictionOf& friction_of) {
  std::optional<Least> best;
  if (splits.basis().cols() == 0) {  // the one split there is
    const VectorXd& p = splits.origin();
    for (std::size_t i = 0; i < cones.size(); ++i)
      if (cones[i].kind != Cone::Kind::free && p[3 * static_cast<Index>(i) + 2] < cones[i].floor - slack) return best;
    if (const double friction = friction_of(p, cones); friction <= largest_friction)
      best = Least{friction, VectorXd::Zero(0)};
    return best;
  }
  for (double mu = 1.0; mu <= largest_friction && !best; mu *= 10.0)
    if (const auto x = deepest(splits, cones, mu))
      if (const double friction = friction_of(splits.split(*x), cones); friction <= largest_friction)
        best = Least{friction, *x};
  if (!best) return std::nullopt;
  for (int step = 0; step < max_descents; ++step) {
    const auto x = deepest(splits, cones, best->mu);
    if (!x) break;
    const double friction = friction_of(splits.split(*x), cones), drop = best->mu - friction;
    if (friction < best->mu) best = Least{friction, *x};
    if (!(drop > accuracy * (1.0 + best->mu))) break;
  }
  return best;
}

}  // namespace

Split best_split(const System& system, const VectorXd& impulses) {
  const Index d = system.dimension;
  Split best;
  const double size = impulses.norm();
  if (size <= tolerance) {
    best.friction = 0.0;
    best.impulses = impulses;
    return best;
  }
  const VectorXd origin = system.minimum_norm(impulses) / size;

  // Friction that impulses need at the contacts asked about.
  const auto friction_of = [&](const VectorXd& p, const std::vector<Cone>& cones) {
    double mu = 0.0;
    for (Index i = 0; i < system.contacts; ++i) {
      if (cones[static_cast<std::size_t>(i)].kind != Cone::Kind::friction) continue;
      const double t = p.segment(system.tangent(i), d - 1).norm();
      // Up to the rounding allowed in the half-spaces and cones there is no impulse.
      if (t > 40.0 * slack * (1.0 + p.norm())) mu = std::max(mu, t / std::max(p[system.normal(i)], slack));
    }
    return mu;
  };
  // Smallest mu for which some split is in the cones, which are nested: bisection finds it, or Dinkelbach's descent.
  const auto least = [&](ConeSplit& splits, std::vector<Cone> cones) -> std::optional<Least> {
    const auto at = [&](double mu) {
      for (Cone& cone : cones) cone.mu = mu;
      return splits.least(cones);
    };
    if (const auto x = at(0.0)) return Least{0.0, *x};
    if (d == 3 && system.contacts > bisected_contacts) return descend(splits, cones, friction_of);
    double low = 0.0, high = 1.0;
    auto x = at(high);
    while (!x && high < largest_friction) low = high, high *= 10.0, x = at(high);
    if (!x) return std::nullopt;
    high = std::min(high, friction_of(splits.split(*x), cones));
    while (high - low > accuracy * (1.0 + high)) {
      const double middle = 0.5 * (low + high);
      if (const auto y = at(middle)) {
        x = y;
        high = std::min(middle, friction_of(splits.split(*y), cones));
      } else {
        low = middle;
      }
    }
    return Least{std::max(high, friction_of(splits.split(*x), cones)), *x};
  };

  const std::vector<Cone> all(static_cast<std::size_t>(system.contacts), Cone{Cone::Kind::friction, 0.0, 0.0});
  ConeSplit splits(origin, system.null, system.dimension);
  const auto found = least(splits, all);
  if (!found) return best;
  best.friction = found->mu;
  best.impulses = splits.split(found->x) * size;
  // The impulses given may lie on the best split already, and free of the rounding of the search.
  if (const double given = friction_of(impulses / size, all); given <= found->mu) {
    best.friction = given;
    best.impulses = impulses;
  }

  // A split so large hints at an infimum at infinity: contacts E can squeeze the body without moving it. Adding such a
  // squeeze for ever leaves E with the friction of the squeeze, the others with the best they can do alone.
  constexpr double large_split = 1e3, share_of_squeeze = 1e-2;
  if (found->x.norm() < large_split) return best;
  const VectorXd squeeze = system.null * found->x / found->x.norm();
  std::vector<Cone> squeezed = all, others = all;
  std::vector<Index> outside;
  for (Index i = 0; i < system.contacts; ++i) {
    const bool in = squeeze[system.normal(i)] > share_of_squeeze;
    (in ? others : squeezed)[static_cast<std::size_t>(i)].kind = Cone::Kind::free;
    if (in)
      squeezed[static_cast<std::size_t>(i)].floor = 1.0;
    else
      outside.push_back(i);
  }
  // Squeezes are the null impulses that vanish outside E.
  MatrixXd rest(static_cast<Index>(outside.size()) * d, system.null.cols());
  for (std::size_t j = 0; j < outside.size(); ++j)
    rest.middleRows(static_cast<Index>(j) * d, d) = system.null.middleRows(outside[j] * d, d);
  MatrixXd inner = MatrixXd::Identity(system.null.cols(), system.null.cols());
  if (rest.rows() > 0) {
    const SingularValues svd = singular_value_decomposition(rest);
    const Index rank = (svd.values.array() > rank_tolerance).count();
    inner = svd.v.rightCols(rest.cols() - rank);
  }
  ConeSplit squeezes(VectorXd::Zero(origin.size()), system.null * inner, system.dimension);
  ConeSplit remaining(origin, system.null, system.dimension);
  const auto of_squeeze = least(squeezes, squeezed), of_others = least(remaining, others);
  if (!of_squeeze || !of_others) return best;
  const double limit = std::max(of_squeeze->mu, of_others->mu);
  if (limit >= *best.friction) return best;
  best.friction = limit;
  best.attained = false;
  std::vector<Cone> near = all;
  for (Cone& cone : near) cone.mu = limit + split_margin * (1.0 + limit);
  if (const auto x = splits.least(near)) best.impulses = splits.split(*x) * size;
  return best;
}

}  // namespace carom::multipoint
