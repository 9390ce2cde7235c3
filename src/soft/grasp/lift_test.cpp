#include "lift_test.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "carom/core/linear_algebra.hpp"

namespace carom::soft {

namespace {

/// How finely the liftable weight is told apart, as a share of the body's weight.
constexpr double weight_resolution = 1e-6;
/// First try of an increment, as a share of the body's weight.
constexpr double first_increment = 0.25;
/// Taking the table away: in parts as long as this, lest Newton's method lands elsewhere, or as short, and no further.
constexpr double longest_release = 1.0 / 8, shortest_release = 1.0 / 1024;
/// Vertices on a line closer than this share of the body's size hold no turn about it.
constexpr double collinear_share = 1e-9;

/// What is left without the table: the touches of the fingers.
GraspState on_fingers(const GraspState& squeezed) {
  GraspState state = squeezed;
  state.loads.clear();
  std::erase_if(state.touches,
                [](const Touch& t) { return t.obstacle == Obstacle::table || t.state == TouchState::free; });
  return state;
}

/// Whether some three touches are not in a line.
bool hold_turns(ContactSolver& solver, const GraspState& state) {
  if (state.touches.size() < 3) return false;
  std::vector<Eigen::Vector3d> at;
  for (const Touch& touch : state.touches) at.push_back(solver.body().at(touch.node));
  Eigen::Vector3d line = Eigen::Vector3d::Zero();
  for (const auto& p : at)
    if ((p - at[0]).norm() > line.norm()) line = p - at[0];
  return std::any_of(at.begin(), at.end(), [&](const Eigen::Vector3d& p) {
    return line.cross(p - at[0]).norm() > collinear_share * solver.body().size() * line.norm();
  });
}

/// Whether both fingers press, by more than a share of the weight. Without weight a body that floats between the
/// fingers is an equilibrium, too, but none that follows from the squeeze.
bool presses(const GraspState& state, double weight) {
  constexpr double least_share = 1e-6;
  return ContactSolver::force_of(state, Obstacle::finger_0).norm() > least_share * weight &&
         ContactSolver::force_of(state, Obstacle::finger_1).norm() > least_share * weight;
}

bool holds(const GraspState& state, const std::array<Finger, 2>& fingers) {
  std::array<bool, 2> sticks{};
  for (const Touch& touch : state.touches) {
    const std::size_t finger = touch.obstacle == Obstacle::finger_0 ? 0 : 1;
    if (touch.state == TouchState::stick) sticks[finger] = true;
    if (touch.state == TouchState::slip && touch.slipped > 0.5 * fingers[finger].radius) return false;
  }
  return sticks[0] && sticks[1];
}

/// Whether what was found a part further on belongs to the state before: `back` from there finds that state again. The
/// same forces may have other solutions, with other vertices sticking, that no gradual change leads to: Newton's method
/// falls onto those where the way ends.
template <class Back>
bool leads_back(const GraspState& found, const GraspState& before, const Back& back, double weight) {
  constexpr double same_share = 1e-6;
  GraspState again = found;
  if (!back(again)) return false;
  for (std::size_t i = 0; i < before.touches.size(); ++i)
    if ((again.touches[i].force - before.touches[i].force).norm() > same_share * weight) return false;
  return true;
}

}  // namespace

double coulomb_liftable(ContactSolver& solver, const GraspState& squeezed, const std::array<Finger, 2>& fingers,
                        double most) {
  GraspState state = on_fingers(squeezed);
  if (!hold_turns(solver, state)) return 0.0;
  const double weight = solver.body().weight();
  // The table's forces and the weight fade together: no jump, and anchors stay.
  const auto fade = [&](GraspState& s, double share) {
    s.drive.gravity = share * squeezed.drive.gravity;
    s.loads.clear();
    for (const Touch& touch : squeezed.touches)
      if (touch.obstacle == Obstacle::table && share > 0.0) s.loads.emplace_back(touch.node, share * touch.force);
    return solver.solve_from_either_side(s);
  };
  double left = 1.0, part = longest_release;
  while (left > 0.0) {
    GraspState next = state;
    const double share = std::max(0.0, left - part);
    const auto back = [&](GraspState& s) { return fade(s, left); };
    if (fade(next, share) && presses(next, weight) && leads_back(next, state, back, weight)) {
      state = std::move(next);
      left = share;
      part = std::min(2.0 * part, longest_release);
    } else if ((part *= 0.5) < shortest_release) {
      return 0.0;
    }
  }
  if (!holds(state, fingers)) return 0.0;
  const auto carry = [&](GraspState& s, double share) {
    s.drive.gravity = share;
    return solver.solve_from_either_side(s);
  };
  const double top = most / weight;
  double held = 0.0, increment = first_increment;
  bool failed = false;
  while (held < top && increment >= weight_resolution) {
    GraspState next = state;
    const double share = std::min(top, held + increment);
    const auto back = [&](GraspState& s) { return carry(s, held); };
    if (carry(next, share) && holds(next, fingers) && leads_back(next, state, back, weight)) {
      held = share;
      state = std::move(next);
      if (!failed && held >= 1.0) increment *= 2.0;  // far beyond the weight nobody asks how far exactly
    } else {
      failed = true;
      increment *= 0.5;
    }
  }
  return held * weight;
}

double linear_liftable(ContactSolver& solver, const GraspState& squeezed, double friction, double most) {
  const GraspState state = on_fingers(squeezed);
  if (!hold_turns(solver, state)) return 0.0;
  // Forces a + w b that keep every touch where it is, w the share of the weight: A f + R q = d, R^T f = -w G.
  Compliance& body = solver.body();
  const auto count = Eigen::Index(state.touches.size());
  const double rho = body.stiffness();
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(3 * count + 6, 3 * count + 6);
  Eigen::MatrixXd sides = Eigen::MatrixXd::Zero(3 * count + 6, 2);
  for (Eigen::Index i = 0; i < count; ++i) {
    const int node = state.touches[std::size_t(i)].node;
    for (Eigen::Index j = 0; j < count; ++j)
      matrix.block<3, 3>(3 * i, 3 * j) = rho * body.columns(state.touches[std::size_t(j)].node).middleRows<3>(3 * node);
    matrix.block<3, 6>(3 * i, 3 * count) = body.rigid(node);
    matrix.block<6, 3>(3 * count, 3 * i) = body.rigid(node).transpose();
    sides.block<3, 1>(3 * i, 0) = rho * (solver.position(squeezed, node) - body.at(node));
  }
  sides.block<6, 1>(3 * count, 1) = -body.gravity();
  SquareSolver factor(matrix.rows());
  factor.compute(matrix);
  const Eigen::MatrixXd forces = factor.solve(sides);
  if (!forces.allFinite()) return 0.0;

  // Each touch is within its cone for w in an interval (a line meets a convex cone); each finger fails at the end of
  // the union of its intervals that begins at 0.
  const double top = most / body.weight();
  double held = top;
  for (const Obstacle finger : {Obstacle::finger_0, Obstacle::finger_1}) {
    std::vector<std::pair<double, double>> within;
    for (Eigen::Index i = 0; i < count; ++i) {
      const Touch& touch = state.touches[std::size_t(i)];
      if (touch.obstacle != finger) continue;
      const Eigen::Vector3d n = gap_at(solver.shape(finger, state.drive), solver.position(squeezed, touch.node)).normal;
      const Eigen::Vector3d a = forces.block<3, 1>(3 * i, 0), b = forces.block<3, 1>(3 * i, 1);
      const auto inside = [&](double w) {
        const Eigen::Vector3d f = a + w * b;
        const double fn = f.dot(n);
        return fn > 0.0 && (f - fn * n).norm() <= friction * fn;
      };
      // |f_T|^2 - mu^2 f_N^2 = c0 + 2 c1 w + c2 w^2 = 0, and f_N = 0.
      const Eigen::Vector3d at = a - a.dot(n) * n, bt = b - b.dot(n) * n;
      const double mu2 = friction * friction, c2 = bt.squaredNorm() - mu2 * b.dot(n) * b.dot(n),
                   c1 = at.dot(bt) - mu2 * a.dot(n) * b.dot(n), c0 = at.squaredNorm() - mu2 * a.dot(n) * a.dot(n);
      std::vector<double> cuts = {0.0, top};
      const auto cut = [&](double w) {
        if (w > 0.0 && w < top) cuts.push_back(w);
      };
      const double root = c1 * c1 - c0 * c2;
      if (root >= 0.0) {
        const double q = -(c1 + std::copysign(std::sqrt(root), c1));
        if (c2 != 0.0) cut(q / c2);
        if (q != 0.0) cut(c0 / q);
      }
      std::sort(cuts.begin(), cuts.end());
      for (std::size_t k = 0; k + 1 < cuts.size(); ++k)
        if (inside(0.5 * (cuts[k] + cuts[k + 1]))) within.emplace_back(cuts[k], cuts[k + 1]);
    }
    std::sort(within.begin(), within.end());
    double end = 0.0;
    for (const auto& [from, to] : within)
      if (from <= end) end = std::max(end, to);
    held = std::min(held, end);
  }
  return held * body.weight();
}

}  // namespace carom::soft
