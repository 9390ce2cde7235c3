#include "slip_homotopy.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "carom/core/error.hpp"
#include "carom/core/linear_algebra.hpp"

namespace carom::soft {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::VectorXcd;

/// Paths that leave this ball (unknowns are of size 1) go to infinity.
constexpr double far_away = 1e7;
/// Steps of a path: the longest, the shortest, and how many.
constexpr double longest_step = 0.02, shortest_step = 1e-10;
constexpr int most_steps = 20'000;
/// Newton keeps a point on its path to this; roots end at rounding. Roots nearer than this are one.
constexpr double on_path = 1e-9, same_root = 1e-7;
/// An imaginary part above this share makes a root complex.
constexpr double real_share = 1e-8;

/// A complex system as a real one of twice the size: complex decompositions would be compiled for this alone.
VectorXcd solved(const MatrixXcd& matrix, const VectorXcd& side) {
  const Eigen::Index n = side.size();
  Eigen::MatrixXd real(2 * n, 2 * n);
  real << matrix.real(), -matrix.imag(), matrix.imag(), matrix.real();
  Eigen::VectorXd both(2 * n), x(2 * n);
  both << side.real(), side.imag();
  SquareSolver factor(2 * n);
  factor.compute(real);
  factor.solve(both, x);
  VectorXcd result(n);
  for (Eigen::Index i = 0; i < n; ++i) result[i] = Complex(x[i], x[n + i]);
  return result;
}

/// The system along its way: (1 - t) gamma (x_i^2 - r_i) + t p_i(x).
class Homotopy {
public:
  Homotopy(const std::vector<Quadric>& system, std::uint64_t seed)
      : system_(system), start_(VectorXcd(Eigen::Index(system.size()))) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> angle(0.0, 2.0 * std::numbers::pi);
    gamma_ = std::polar(1.0, angle(random));
    for (Complex& r : start_) r = std::polar(1.0, angle(random));
  }

  VectorXcd value(const VectorXcd& x, double t) const {
    VectorXcd h(x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i)
      h[i] = (1.0 - t) * gamma_ * (x[i] * x[i] - start_[i]) + t * target(i, x);
    return h;
  }
  VectorXcd by_t(const VectorXcd& x) const {
    VectorXcd h(x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) h[i] = target(i, x) - gamma_ * (x[i] * x[i] - start_[i]);
    return h;
  }
  MatrixXcd by_x(const VectorXcd& x, double t) const {
    MatrixXcd j(x.size(), x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const Quadric& q = system_[std::size_t(i)];
      j.row(i) = t * ((q.quadratic + q.quadratic.transpose()) * x + q.linear).transpose();
      j(i, i) += (1.0 - t) * gamma_ * 2.0 * x[i];
    }
    return j;
  }
  /// The root of the start system with these signs.
  VectorXcd start(unsigned signs) const {
    VectorXcd x(start_.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = ((signs >> i) & 1U ? -1.0 : 1.0) * std::sqrt(start_[i]);
    return x;
  }

private:
  Complex target(Eigen::Index i, const VectorXcd& x) const {
    const Quadric& q = system_[std::size_t(i)];
    return x.cwiseProduct(q.quadratic * x + q.linear).sum() + q.constant;
  }

  const std::vector<Quadric>& system_;
  VectorXcd start_;
  Complex gamma_;
};

/// Newton's correction at t; false if it does not settle within a few steps.
bool correct(const Homotopy& homotopy, double t, VectorXcd& x, int steps, double tolerance) {
  for (int i = 0; i < steps; ++i) {
    const VectorXcd change = solved(homotopy.by_x(x, t), homotopy.value(x, t));
    if (!change.allFinite()) return false;
    x -= change;
    if (change.norm() <= tolerance * (1.0 + x.norm())) return true;
  }
  return false;
}

/// The end of one path, if it is finite.
bool follow(const Homotopy& homotopy, VectorXcd& x) {
  double t = 0.0, step = longest_step;
  for (int i = 0; i < most_steps && t < 1.0; ++i) {
    const double next = std::min(1.0, t + step);
    const auto slope = [&](const VectorXcd& at, double when) {
      return solved(homotopy.by_x(at, when), -homotopy.by_t(at));
    };
    // Runge and Kutta's predictor of second order, Newton's corrector.
    const double h = next - t;
    const VectorXcd k = slope(x, t);
    VectorXcd trial = x + h * slope(x + 0.5 * h * k, t + 0.5 * h);
    if (trial.allFinite() && correct(homotopy, next, trial, 3, on_path)) {
      x = trial;
      t = next;
      step = std::min(longest_step, 1.5 * step);
      if (x.norm() > far_away) return false;
    } else if ((step *= 0.5) < shortest_step) {
      return false;
    }
  }
  return t == 1.0 && correct(homotopy, 1.0, x, 10, 1e-14) && x.norm() < far_away;
}

/// Forces of all touches as they depend on the unknowns: f = constant + linear x.
struct SlipSystem {
  Eigen::VectorXd constant;
  Eigen::MatrixXd linear;
  std::vector<std::size_t> slipping;        ///< places among the touches
  std::vector<Eigen::Index> first;          ///< of their unknowns
  std::vector<Eigen::Matrix3Xd> moves;      ///< how each moves with its unknowns
  std::vector<Eigen::Vector3d> directions;  ///< of slip on the table, at the start on fingers
  std::vector<Eigen::Vector3d> normals;
  std::vector<double> friction, radius;
  SlipDirection direction = SlipDirection::prescribed;
  std::vector<Quadric> equations;
  double scale = 1.0;  ///< of lengths on the table [m]
};

/// (a + A x) . (b + B x), scaled.
Quadric product(const Eigen::Vector3d& a, const Eigen::Matrix3Xd& la, const Eigen::Vector3d& b,
                const Eigen::Matrix3Xd& lb) {
  return {la.transpose() * lb, la.transpose() * b + lb.transpose() * a, a.dot(b)};
}
Quadric difference(Quadric a, const Quadric& b, double factor) {
  a.quadratic -= factor * b.quadratic;
  a.linear -= factor * b.linear;
  a.constant -= factor * b.constant;
  return a;
}
Quadric unit_size(Quadric q) {
  const double size =
      std::max({q.quadratic.cwiseAbs().maxCoeff(), q.linear.cwiseAbs().maxCoeff(), std::abs(q.constant)});
  if (size > 0.0) q.quadratic /= size, q.linear /= size, q.constant /= size;
  return q;
}

/// A vertex that slips from r, seen from the centre of its finger, by s z to wherever its friction f_T opposes its
/// slip, with its normal force N w: four quadrics in (z, N), as f is linear in all unknowns.
///   2 r . z + s z . z = 0              it stays on the finger,
///   f . (r + s z) = N w |r|            with the normal where it comes to rest,
///   f . f = (1 + mu^2) (N w)^2         it slips,
///   f . (r x z) = 0                    and f_T is along u_T: f, the normal and the slip lie in one plane.
void implicit_on_finger(SlipSystem& s, std::size_t k, double weight, const Eigen::Vector3d& a,
                        const Eigen::Matrix3Xd& la) {
  const Eigen::Index unknowns = la.cols(), first = s.first[k];
  const Eigen::Vector3d r = s.radius[k] * s.normals[k];
  const Eigen::Vector3d zero = Eigen::Vector3d::Zero();
  Eigen::Matrix3Xd z = Eigen::Matrix3Xd::Zero(3, unknowns);
  z.middleCols<3>(first) = Eigen::Matrix3d::Identity();
  Quadric on_ball = product(zero, z, zero, s.scale * z);
  on_ball.linear += 2.0 * z.transpose() * r;
  s.equations.push_back(unit_size(on_ball));
  Quadric normal = product(a, la, r, s.scale * z);
  normal.linear[first + 3] -= weight * s.radius[k];
  s.equations.push_back(unit_size(normal));
  Quadric cone = product(a, la, a, la);
  cone.quadratic(first + 3, first + 3) -= (1.0 + s.friction[k] * s.friction[k]) * weight * weight;
  s.equations.push_back(unit_size(cone));
  Eigen::Matrix3d cross;
  cross << 0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0;
  s.equations.push_back(unit_size(product(a, la, zero, cross * z)));
}

SlipSystem slip_system(ContactSolver& solver, const GraspState& state, SlipDirection direction) {
  Compliance& body = solver.body();
  const auto count = Eigen::Index(state.touches.size());
  const double rho = body.stiffness();
  SlipSystem s;
  s.direction = direction;
  for (std::size_t i = 0; i < state.touches.size(); ++i)
    if (state.touches[i].state == TouchState::slip) s.slipping.push_back(i);
  if (s.slipping.size() > most_slipping)
    throw InvalidInput("state", "must have at most " + std::to_string(most_slipping) + " slipping vertices, got " +
                                    std::to_string(s.slipping.size()));
  const auto on_fingers = std::size_t(std::count_if(s.slipping.begin(), s.slipping.end(), [&](std::size_t i) {
    return state.touches[i].obstacle != Obstacle::table;
  }));
  if (direction == SlipDirection::implicit && on_fingers > most_slipping_on_fingers)
    throw InvalidInput("state", "must have at most " + std::to_string(most_slipping_on_fingers) +
                                    " vertices that slip on fingers for the implicit direction, got " +
                                    std::to_string(on_fingers));
  // Forces that hold all touches where they are anchored, and by which they answer to being moved.
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(3 * count + 6, 3 * count + 6);
  Eigen::VectorXd side(3 * count + 6);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Touch& touch = state.touches[std::size_t(i)];
    for (Eigen::Index j = 0; j < count; ++j)
      matrix.block<3, 3>(3 * i, 3 * j) =
          rho * body.columns(state.touches[std::size_t(j)].node).middleRows<3>(3 * touch.node);
    matrix.block<3, 6>(3 * i, 3 * count) = body.rigid(touch.node);
    matrix.block<6, 3>(3 * count, 3 * i) = body.rigid(touch.node).transpose();
    const ObstacleShape obstacle = solver.shape(touch.obstacle, state.drive);
    const Eigen::Vector3d anchor = touch.anchor + obstacle.centre;
    const Gap gap = gap_at(obstacle, anchor);  // touches are located to a tolerance: from here on they are exact
    side.segment<3>(3 * i) = rho * (anchor - gap.phi * gap.normal - body.at(touch.node));
  }
  side.tail<6>() = -state.drive.gravity * body.gravity();
  SquareSolver factor(matrix.rows());
  factor.compute(matrix);
  Eigen::VectorXd stuck(side.size());
  factor.solve(side, stuck);

  Eigen::Index unknowns = 0;
  s.scale = body.weight() / rho;
  for (const std::size_t i : s.slipping) {
    const Touch& touch = state.touches[i];
    const ObstacleShape obstacle = solver.shape(touch.obstacle, state.drive);
    const Eigen::Vector3d n = gap_at(obstacle, touch.anchor + obstacle.centre).normal;
    const Eigen::Vector3d f = stuck.segment<3>(3 * Eigen::Index(i)), ft = f - f.dot(n) * n;
    s.first.push_back(unknowns);
    s.normals.push_back(n);
    s.directions.push_back(ft.norm() > 0.0 ? Eigen::Vector3d(-ft.normalized()) : n.unitOrthogonal());
    s.friction.push_back(obstacle.friction);
    s.radius.push_back(obstacle.radius);
    Eigen::Matrix3Xd moves;
    if (obstacle.radius > 0.0 && direction == SlipDirection::implicit) {
      moves = Eigen::Matrix3Xd::Zero(3, 4);  // its slip, and its normal force, which moves nothing
      moves.leftCols<3>() = s.scale * Eigen::Matrix3d::Identity();
    } else if (obstacle.radius > 0.0) {
      moves.resize(3, 2);  // c - 1 and s of the angle along the great circle
      moves << obstacle.radius * n, obstacle.radius * s.directions.back();
    } else if (direction == SlipDirection::implicit) {
      moves = s.scale * Eigen::Matrix3d::Identity().leftCols<2>();
    } else {
      moves = s.scale * s.directions.back();
    }
    unknowns += moves.cols();
    s.moves.push_back(moves);
  }
  s.constant = stuck.head(3 * count);
  s.linear = Eigen::MatrixXd::Zero(3 * count, unknowns);
  for (std::size_t k = 0; k < s.slipping.size(); ++k)
    for (Eigen::Index c = 0; c < s.moves[k].cols(); ++c) {
      Eigen::VectorXd moved = Eigen::VectorXd::Zero(side.size()), answer(side.size());
      moved.segment<3>(3 * Eigen::Index(s.slipping[k])) = rho * s.moves[k].col(c);
      factor.solve(moved, answer);
      s.linear.col(s.first[k] + c) = answer.head(3 * count);
    }

  for (std::size_t k = 0; k < s.slipping.size(); ++k) {
    const Eigen::Index row = 3 * Eigen::Index(s.slipping[k]);
    const Eigen::Vector3d a = s.constant.segment<3>(row), n = s.normals[k];
    const Eigen::Matrix3Xd la = s.linear.middleRows<3>(row);
    const double mu = s.friction[k];
    if (s.moves[k].cols() == 4) {
      implicit_on_finger(s, k, body.weight(), a, la);
      continue;
    }
    const Eigen::Matrix3d along = n * n.transpose();
    // (6.4), (6.6): f . f = (1 + mu^2) (f . n)^2.
    s.equations.push_back(unit_size(
        difference(product(a, la, a, la), product(along * a, along * la, along * a, along * la), 1.0 + mu * mu)));
    if (s.moves[k].cols() < 2) continue;
    if (s.radius[k] > 0.0) {  // (6.7): c^2 + s^2 = 1 with c = 1 + x
      Quadric circle{Eigen::MatrixXd::Zero(unknowns, unknowns), Eigen::VectorXd::Zero(unknowns), 0.0};
      circle.quadratic(s.first[k], s.first[k]) = circle.quadratic(s.first[k] + 1, s.first[k] + 1) = 1.0;
      circle.linear[s.first[k]] = 2.0;
      s.equations.push_back(circle);
    } else {  // f_x u_y - f_y u_x = 0
      Quadric across{Eigen::MatrixXd::Zero(unknowns, unknowns), Eigen::VectorXd::Zero(unknowns), 0.0};
      across.quadratic.col(s.first[k] + 1) += s.linear.row(row).transpose();
      across.quadratic.col(s.first[k]) -= s.linear.row(row + 1).transpose();
      across.linear[s.first[k] + 1] += a[0];
      across.linear[s.first[k]] -= a[1];
      s.equations.push_back(unit_size(across));
    }
  }
  return s;
}

SlipRoot root_of(const SlipSystem& s, const Eigen::VectorXd& x) {
  SlipRoot root;
  const Eigen::VectorXd f = s.constant + s.linear * x;
  for (Eigen::Index i = 0; i < f.size(); i += 3) root.forces.push_back(f.segment<3>(i));
  for (std::size_t k = 0; k < s.slipping.size(); ++k)
    root.slips.push_back(s.moves[k] * x.segment(s.first[k], s.moves[k].cols()));
  return root;
}

/// Presses, and friction opposes the slip.
bool is_physical(const SlipSystem& s, const SlipRoot& root) {
  for (std::size_t k = 0; k < s.slipping.size(); ++k) {
    const Eigen::Vector3d &f = root.forces[s.slipping[k]], &u = root.slips[k];
    // The text takes the normal of where the vertex was; with the direction left open it is that of where it comes to.
    const bool turns = s.radius[k] > 0.0 && s.direction == SlipDirection::implicit;
    const Eigen::Vector3d n = turns ? Eigen::Vector3d((s.radius[k] * s.normals[k] + u).normalized()) : s.normals[k];
    const Eigen::Vector3d ft = f - f.dot(n) * n, ut = u - u.dot(n) * n;
    if (!(f.dot(n) > 0.0) || !(ft.dot(ut) < 0.0)) return false;
    if (s.radius[k] > 0.0 && u.norm() > s.radius[k]) return false;  // round to the other side of the finger
  }
  return true;
}

}  // namespace

std::vector<VectorXcd> all_roots(const std::vector<Quadric>& system, std::uint64_t seed) {
  const Homotopy homotopy(system, seed);
  std::vector<VectorXcd> roots;
  for (unsigned signs = 0; signs < (1U << system.size()); ++signs) {
    VectorXcd x = homotopy.start(signs);
    if (!follow(homotopy, x)) continue;
    if (std::none_of(roots.begin(), roots.end(),
                     [&](const VectorXcd& other) { return (other - x).norm() < same_root * (1.0 + x.norm()); }))
      roots.push_back(x);
  }
  return roots;
}

std::vector<SlipRoot> slip_roots(ContactSolver& solver, const GraspState& state, SlipDirection direction,
                                 std::uint64_t seed) {
  const SlipSystem s = slip_system(solver, state, direction);
  std::vector<SlipRoot> found;
  for (const VectorXcd& x : all_roots(s.equations, seed)) {
    if (x.imag().norm() > real_share * (1.0 + x.real().norm())) continue;
    SlipRoot root = root_of(s, x.real());
    if (is_physical(s, root)) found.push_back(std::move(root));
  }
  return found;
}

SlipRoot slip_by_newton(ContactSolver& solver, const GraspState& state, SlipDirection direction) {
  const SlipSystem s = slip_system(solver, state, direction);
  const auto size = Eigen::Index(s.equations.size());
  // A little way along the directions: where nothing slips, the implicit direction has no derivative.
  Eigen::VectorXd x = Eigen::VectorXd::Zero(size);
  for (std::size_t k = 0; k < s.slipping.size(); ++k)
    if (s.radius[k] == 0.0)
      x.segment(s.first[k], s.moves[k].cols()) = s.moves[k].transpose() * s.directions[k] * (1e-3 / s.scale);
  for (int step = 0; step < 50; ++step) {
    Eigen::VectorXd value(size);
    Eigen::MatrixXd slope(size, size);
    for (Eigen::Index i = 0; i < size; ++i) {
      const Quadric& q = s.equations[std::size_t(i)];
      value[i] = x.dot(q.quadratic * x) + q.linear.dot(x) + q.constant;
      slope.row(i) = ((q.quadratic + q.quadratic.transpose()) * x + q.linear).transpose();
    }
    SquareSolver factor(size);
    factor.compute(slope);
    Eigen::VectorXd change(size);
    factor.solve(value, change);
    if (!change.allFinite()) break;
    x -= change;
    if (change.norm() <= 1e-14 * (1.0 + x.norm())) break;
  }
  return root_of(s, x);
}

}  // namespace carom::soft
