#include "carom/core/linear_algebra.hpp"
#include "carom/core/parallel.hpp"

#include "system.hpp"

namespace carom {

namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;
using multipoint::Affine, multipoint::ImpulseFamily, multipoint::System, multipoint::tolerance,
    multipoint::rank_tolerance;

/// From so many contacts on, one answer takes long enough (a millisecond) to be worth a thread.
constexpr std::size_t least_spread = 8;

/// Rows of J taken greedily while they are independent of those before.
class IndependentRows {
public:
  explicit IndependentRows(const MatrixXd& jacobian) : jacobian_(jacobian) {}

  bool add(Index row, double threshold) {
    MatrixXd tried(kept_.rows() + 1, jacobian_.cols());
    tried << kept_, jacobian_.row(row);
    if (tried.rows() > tried.cols()) return false;
    if (singular_values(tried).minCoeff() <= threshold) return false;
    kept_ = std::move(tried);
    rows.push_back(row);
    return true;
  }
  std::vector<Index> rows;

private:
  const MatrixXd& jacobian_;
  MatrixXd kept_ = MatrixXd(0, jacobian_.cols());
};

double largest_singular_value(const MatrixXd& matrix) { return singular_values(matrix).maxCoeff(); }

/// The least |V z + w|: all of z = best + null y.
struct LeastSquares {
  VectorXd best;
  MatrixXd null;
};
LeastSquares least_squares(const MatrixXd& v, const VectorXd& w, double threshold) {
  if (v.cols() == 0) return {VectorXd::Zero(0), MatrixXd::Zero(0, 0)};
  const SingularValues svd = singular_value_decomposition(v);
  const Index rank = (svd.values.array() > threshold).count();
  const VectorXd coordinates = (svd.u.leftCols(rank).transpose() * w).cwiseQuotient(svd.values.head(rank));
  return {-svd.v.leftCols(rank) * coordinates, svd.v.rightCols(v.cols() - rank)};
}

/// Contact order with the examined one first.
std::vector<Index> order_from(Index examined, Index contacts) {
  std::vector<Index> order{examined};
  for (Index i = 0; i < contacts; ++i)
    if (i != examined) order.push_back(i);
  return order;
}

struct Choice {
  VectorXd u;
  bool on_boundary = false;  // least slip of the examined contact limited by p_n = 0
  bool pushes = true;        // the examined contact's p_n >= 0 can be had
};

/// Least |v_t| contact by contact, each without spoiling those before, while pressure.offset + pressure.slope u >= 0.
/// Every stage is a least-squares problem on a flat; the half-space either leaves its solutions alone or cuts it down
/// to its boundary once and for all.
Choice least_slip(const System& s, const Affine& velocity, const Affine& pressure, const std::vector<Index>& order) {
  const Index free = velocity.slope.cols(), tangents = s.dimension - 1;
  const double threshold = rank_tolerance * std::max(1.0, velocity.slope.norm());
  Choice choice;
  choice.u = VectorXd::Zero(free);
  MatrixXd flat = MatrixXd::Identity(free, free);
  bool limited = true;
  for (const Index contact : order) {
    const MatrixXd slope = velocity.slope.middleRows(s.tangent(contact), tangents);
    const VectorXd w = velocity.offset.segment(s.tangent(contact), tangents) + slope * choice.u;
    const MatrixXd v = slope * flat;
    LeastSquares least = least_squares(v, w, threshold);
    if (limited) {
      const double now = pressure.offset[0] + pressure.slope.row(0).dot(choice.u);
      const VectorXd gradient = flat.transpose() * pressure.slope.row(0).transpose();
      const bool still_free = (least.null.transpose() * gradient).norm() > threshold;
      const double there = now + gradient.dot(least.best);
      if (there < -tolerance && !still_free) {
        limited = false;
        if (gradient.norm() > threshold) {
          // On p_n = 0: z = foot + along y.
          const VectorXd foot = -now / gradient.squaredNorm() * gradient;
          const MatrixXd along = least_squares(gradient.transpose(), VectorXd::Zero(1), threshold).null;
          const LeastSquares within = least_squares(v * along, w + v * foot, threshold);
          least.best = foot + along * within.best;
          least.null = along * within.null;
          choice.on_boundary = choice.on_boundary || contact == order.front();
        } else {
          choice.pushes = false;
        }
      }
    }
    choice.u += flat * least.best;
    flat = MatrixXd(flat * least.null);
  }
  return choice;
}

}  // namespace

ImpulseFamily multipoint::impulse_family(const System& s, Index examined) {
  const std::vector<Index> order = order_from(examined, s.contacts);
  MatrixXd normals(s.contacts, s.jacobian.cols());
  for (Index i = 0; i < s.contacts; ++i) normals.row(i) = s.jacobian.row(s.normal(i));

  // Kept velocities: the first independent normals, then tangentials, the examined contact's first.
  const double zero_normal = rank_tolerance * largest_singular_value(normals);
  const double zero = rank_tolerance * largest_singular_value(s.jacobian);
  IndependentRows independent(s.jacobian);
  std::vector<double> fixed;
  std::vector<Index> dropped;
  for (Index i = 0; i < s.contacts; ++i) {
    if (independent.add(s.normal(i), zero_normal))
      fixed.push_back(s.rebound[i]);
    else
      dropped.push_back(i);
  }
  for (const Index i : order)
    for (Index axis = 0; axis < s.dimension - 1; ++axis) independent.add(s.tangent(i) + axis, zero);
  const std::vector<Index>& rows = independent.rows;
  const auto rank = static_cast<Index>(rows.size()), count = static_cast<Index>(fixed.size());

  // Impulses at the kept rows alone give any velocity change there is: G lambda = y - v (eq. 4.6).
  const MatrixXd g = s.w(rows, rows);
  VectorXd target = -s.v(rows);
  target.head(count) += Eigen::Map<const VectorXd>(fixed.data(), count);
  MatrixXd unit = MatrixXd::Zero(rank, rank - count);
  unit.bottomRows(rank - count).setIdentity();
  PivotedCholesky factor(g);
  Affine impulse{VectorXd::Zero(s.v.size()), MatrixXd::Zero(s.v.size(), rank - count)};
  impulse.offset(rows) = factor.solve(target);
  impulse.slope(rows, Eigen::all) = factor.solve(unit);
  Affine velocity{s.after(impulse.offset), s.w * impulse.slope};
  // Eq. 4.9: spreading them over all rows is taking out what moves nothing.
  Affine minimum{s.minimum_norm(impulse.offset), impulse.slope - s.null * (s.null.transpose() * impulse.slope)};
  return {
      rows, count, std::move(dropped), std::move(target), std::move(factor), std::move(velocity), std::move(minimum)};
}

namespace {

MultipointSolution examine(const MultipointProblem& problem, const System& s, Index examined) {
  const ImpulseFamily family = multipoint::impulse_family(s, examined);
  const std::vector<Index>& rows = family.rows;
  const auto rank = static_cast<Index>(rows.size());
  const Index count = family.fixed, n = s.normal(examined);
  const Affine pressure{family.impulses.offset.segment(n, 1), family.impulses.slope.row(n)};

  const Choice choice = least_slip(s, family.velocity, pressure, order_from(examined, s.contacts));
  VectorXd impulses = family.impulses.offset + family.impulses.slope * choice.u;
  // Nearly dependent rows make large lambda and small p: two steps of refinement give p its digits back.
  VectorXd wanted = s.v(rows) + family.change;
  wanted.tail(rank - count) = choice.u;
  for (int step = 0; step < 2; ++step) {
    VectorXd correction = VectorXd::Zero(s.v.size());
    correction(rows) = family.factor.solve(VectorXd(wanted - VectorXd(s.after(impulses)(rows))));
    impulses += s.minimum_norm(correction);
  }
  if (choice.on_boundary) impulses[n] = 0.0;  // it is, but for rounding
  const VectorXd after = s.after(impulses);
  MultipointSolution solution =
      multipoint::make_solution(problem, s, impulses, std::vector<bool>(static_cast<std::size_t>(s.contacts), true));
  solution.examined = s.original[static_cast<std::size_t>(examined)];
  solution.examined_normal_ok = choice.pushes;
  for (Index i = 0; i < s.contacts; ++i)
    if (i != examined && impulses[s.normal(i)] < -tolerance) solution.other_normals_ok = false;
  for (const Index i : family.dropped)
    if (std::abs(after[s.normal(i)] - s.rebound[i]) > tolerance)
      solution.violated.push_back(s.original[static_cast<std::size_t>(i)]);
  const bool sticks = after.segment(s.tangent(examined), s.dimension - 1).norm() <= tolerance;
  solution.status = !solution.violated.empty() ? MultipointStatus::restitution_violated
                    : sticks                   ? MultipointStatus::stick
                    : choice.on_boundary       ? MultipointStatus::slip_boundary
                                               : MultipointStatus::slip;
  return solution;
}

}  // namespace

MultipointImpact multipoint_rodriguez(const MultipointProblem& problem) {
  multipoint::require_valid(problem, !problem.examine);
  MultipointImpact impact;
  const System system = multipoint::make_system(problem, impact.removed);
  if (system.contacts == 0) {
    impact.solutions.push_back(multipoint::unchanged(problem));
    return impact;
  }
  std::vector<Index> examined;
  for (Index i = 0; i < system.contacts; ++i)
    if (!problem.examine || *problem.examine == system.original[static_cast<std::size_t>(i)]) examined.push_back(i);
  if (system.speed > 0.0) {
    // One answer does not need another: many contacts, whose answers take long to judge, go over all cores.
    impact.solutions.resize(examined.size());
    parallel_for(examined.size(), 1, examined.size() >= least_spread ? 0 : 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) impact.solutions[i] = examine(problem, system, examined[i]);
    });
    for (const MultipointSolution& solution : impact.solutions)
      multipoint::note_flags(problem, system, solution, impact.flags);
    return impact;
  }
  for (const Index i : examined) {  // the contacts are at rest and stay so
    impact.solutions.push_back(multipoint::unchanged(problem));
    impact.solutions.back().examined = system.original[static_cast<std::size_t>(i)];
    impact.solutions.back().sticking = system.original;
    impact.solutions.back().status = MultipointStatus::stick;
  }
  return impact;
}

}  // namespace carom
