#include "contact_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/core/linear_algebra.hpp"

namespace carom::soft {

namespace {

/// Newton ends at a residual of this share of the weight with the states of all touches as before.
constexpr double newton_tolerance = 1e-9;
/// and goes on, as long as that helps, to this one: balances are then closed to rounding.
constexpr double polish_tolerance = 1e-14;
constexpr int most_newton_steps = 40;
/// Newton that has not got nearer for so many steps goes round in circles.
constexpr int most_idle_steps = 6;
/// A part of a way that is this short and has no equilibrium is the end.
constexpr double shortest_part = 1.0 / 4096;
/// Parts that a way may be cut into.
constexpr int most_parts = 400;
/// Steps to locate a touch.
constexpr int most_locating = 60;
/// Touches are located to this [m], of small bodies to this share of their size.
constexpr double touch_length = 1e-9, touch_share = 1e-7;

}  // namespace

ContactSolver::ContactSolver(Compliance& body, const SqueezeProblem& problem)
    : body_(body),
      table_(problem.table),
      table_friction_(problem.table_friction),
      finger_friction_(problem.finger_friction),
      radius_{problem.fingers[0].radius, problem.fingers[1].radius},
      touch_tolerance_(std::min(touch_length, touch_share * body.size())) {}

ObstacleShape ContactSolver::shape(Obstacle obstacle, const Drive& drive) const {
  if (obstacle == Obstacle::table) return {{0.0, 0.0, table_}, 0.0, friction_scale_ * table_friction_};
  const std::size_t i = obstacle == Obstacle::finger_0 ? 0 : 1;
  return {drive.fingers[i], radius_[i], friction_scale_ * finger_friction_};
}

Eigen::Vector3d ContactSolver::position(const GraspState& state, int node) {
  Eigen::Vector3d p = body_.at(node) + body_.rigid(node) * state.rigid;
  for (const Touch& touch : state.touches)
    if (touch.state != TouchState::free) p += body_.columns(touch.node).middleRows<3>(3 * node) * touch.force;
  for (const auto& [at, force] : state.loads) p += body_.columns(at).middleRows<3>(3 * node) * force;
  return p;
}

Eigen::Matrix3Xd ContactSolver::positions(const GraspState& state) {
  const auto count = Eigen::Index(body_.nodes().size());
  Eigen::VectorXd moved = Eigen::VectorXd::Zero(3 * count);
  for (const Touch& touch : state.touches)
    if (touch.state != TouchState::free) moved.noalias() += body_.columns(touch.node) * touch.force;
  for (const auto& [at, force] : state.loads) moved.noalias() += body_.columns(at) * force;
  Eigen::Matrix3Xd p = moved.reshaped(3, count);
  for (Eigen::Index i = 0; i < count; ++i) p.col(i) += body_.at(int(i)) + body_.rigid(int(i)) * state.rigid;
  return p;
}

bool ContactSolver::solve(GraspState& state, std::optional<TouchState> first_branch) {
  const auto count = Eigen::Index(state.touches.size());
  const Eigen::Index size = 3 * count + 6;
  const double rho = body_.stiffness(), weight = body_.weight();
  // How the touching nodes answer to their own forces, and to a rigid motion.
  Eigen::MatrixXd answer(3 * count, 3 * count);
  std::vector<Matrix36> rigid(static_cast<std::size_t>(count));
  for (Eigen::Index j = 0; j < count; ++j) {
    const Eigen::MatrixX3d& columns = body_.columns(state.touches[std::size_t(j)].node);
    for (Eigen::Index i = 0; i < count; ++i)
      answer.block<3, 3>(3 * i, 3 * j) = columns.middleRows<3>(3 * state.touches[std::size_t(i)].node);
    rigid[std::size_t(j)] = body_.rigid(state.touches[std::size_t(j)].node);
  }
  std::vector<Eigen::Vector3d> from_loads;
  Vector6 given = state.drive.gravity * body_.gravity();
  for (const auto& [at, force] : state.loads) given += body_.rigid(at).transpose() * force;
  for (const Touch& touch : state.touches) {
    from_loads.push_back(body_.at(touch.node));
    for (const auto& [at, force] : state.loads)
      from_loads.back() += body_.columns(at).middleRows<3>(3 * touch.node) * force;
  }

  // Rigid coordinates are scaled by rho: every unknown is a force.
  Eigen::MatrixXd jacobian(size, size);
  Eigen::VectorXd residual(size), change(size), forces(3 * count), moved(3 * count);
  SquareSolver solver(size);
  std::vector<TouchState> states(std::size_t(count), TouchState::free);
  double last = 0.0, least = std::numeric_limits<double>::infinity();
  int idle = 0;
  std::optional<GraspState> good;  // the best one that is good enough
  for (int step = 0; step < most_newton_steps; ++step) {
    ++newton_steps;
    jacobian.setZero();
    Vector6 balance = given;
    bool repeated = step > 0;
    for (Eigen::Index i = 0; i < count; ++i) forces.segment<3>(3 * i) = state.touches[std::size_t(i)].force;
    moved.noalias() = answer * forces;
    for (Eigen::Index i = 0; i < count; ++i) {
      Touch& touch = state.touches[std::size_t(i)];
      const Eigen::Vector3d point =
          from_loads[std::size_t(i)] + rigid[std::size_t(i)] * state.rigid + moved.segment<3>(3 * i);
      const ObstacleShape obstacle = shape(touch.obstacle, state.drive);
      const TouchEquation e = touch_equation(obstacle, touch.force, point, touch.anchor + obstacle.centre, rho,
                                             step == 0 ? first_branch : std::nullopt);
      repeated = repeated && e.state == states[std::size_t(i)];
      states[std::size_t(i)] = e.state;
      touch.state = e.state;
      touch.slipped = e.slipped;
      residual.segment<3>(3 * i) = e.residual;
      jacobian.middleRows<3>(3 * i).leftCols(3 * count).noalias() = e.by_point * answer.middleRows<3>(3 * i);
      jacobian.block<3, 3>(3 * i, 3 * i) += e.by_force;
      jacobian.block<3, 6>(3 * i, 3 * count).noalias() = e.by_point * rigid[std::size_t(i)] / rho;
      jacobian.block<6, 3>(3 * count, 3 * i) = rigid[std::size_t(i)].transpose();
      balance += rigid[std::size_t(i)].transpose() * touch.force;
    }
    residual.tail<6>() = balance;
    const double error = residual.lpNorm<Eigen::Infinity>() / weight;
    if (!std::isfinite(error)) break;
    if (good && !(repeated && error < 0.5 * last)) {
      state = std::move(*good);
      return true;
    }
    // On the edge of two states, such as a vertex that has just slipped, rounding chooses between them: both are right.
    if (step > 0 && error <= polish_tolerance) return true;
    if (repeated && error <= newton_tolerance) good = state;
    last = error;
    idle = error < least ? 0 : idle + 1;
    least = std::min(least, error);
    if (idle == most_idle_steps) break;
    solver.compute(jacobian);
    solver.solve(residual, change);
    if (!change.allFinite()) break;
    for (Eigen::Index i = 0; i < count; ++i) state.touches[std::size_t(i)].force -= change.segment<3>(3 * i);
    state.rigid -= change.tail<6>() / rho;
    // A linear turn of more than a radian is no motion of a body.
    if (state.rigid.lpNorm<Eigen::Infinity>() > 10.0 * body_.size()) break;
  }
  if (!good) return false;
  state = std::move(*good);
  return true;
}

bool ContactSolver::solve_from_either_side(GraspState& state) {
  GraspState stuck = state;
  if (solve(state)) return true;
  state = std::move(stuck);
  return solve(state, TouchState::stick);
}

bool ContactSolver::solve_lowering_friction(GraspState& state) {
  constexpr double most = 0x1p20, nearest_one = 0.99999;  // friction to begin with; the least step down
  GraspState stuck = state;
  friction_scale_ = most;
  bool found = solve(stuck, TouchState::stick);
  double factor = 0.5;
  while (found && friction_scale_ > 1.0) {
    const double before = friction_scale_;
    friction_scale_ = std::max(1.0, factor * before);
    GraspState next = stuck;
    if (solve(next)) {
      stuck = std::move(next);
      factor *= factor > 0.5 ? factor : 1.0;
    } else {
      friction_scale_ = before;
      factor = std::sqrt(factor);
      found = factor < nearest_one;
    }
  }
  friction_scale_ = 1.0;
  if (found) state = std::move(stuck);
  return found;
}

ContactSolver::Nearest ContactSolver::nearest(const GraspState& state) {
  const Eigen::Matrix3Xd p = positions(state);
  std::vector<char> taken(body_.nodes().size(), 0);
  for (const Touch& touch : state.touches) taken[std::size_t(touch.node)] = 1;
  Nearest found{std::numeric_limits<double>::infinity(), {}};
  const std::array<Obstacle, 3> all = {Obstacle::table, Obstacle::finger_0, Obstacle::finger_1};
  std::array<ObstacleShape, 3> shapes;
  for (std::size_t k = 0; k < 3; ++k) shapes[k] = shape(all[k], state.drive);
  for (Eigen::Index i = 0; i < p.cols(); ++i) {
    if (taken[std::size_t(i)] != 0) continue;
    double least = std::numeric_limits<double>::infinity();
    Obstacle which = Obstacle::table;
    for (std::size_t k = 0; k < (fingers_present ? 3U : 1U); ++k) {
      const double phi = shapes[k].radius == 0.0 ? p(2, i) - shapes[k].centre[2]
                                                 : (p.col(i) - shapes[k].centre).norm() - shapes[k].radius;
      if (phi < least) least = phi, which = all[k];
    }
    found.gap = std::min(found.gap, least);
    if (least <= touch_tolerance_) found.touching.emplace_back(int(i), which);
  }
  return found;
}

void ContactSolver::anchor(GraspState& state) {
  const Eigen::Matrix3Xd p = positions(state);
  for (Touch& touch : state.touches) {
    touch.anchor = p.col(touch.node) - shape(touch.obstacle, state.drive).centre;
    if (!touch.began) touch.began = touch.anchor;
  }
}

bool ContactSolver::advance(GraspState& state, const Drive& to, std::vector<SolverEvent>& events, double& reached,
                            std::optional<TouchState> first_branch) {
  const Drive from = state.drive;
  reached = 0.0;
  const auto at = [&](double share) {
    Drive drive;
    drive.gravity = from.gravity + share * (to.gravity - from.gravity);
    for (std::size_t i = 0; i < 2; ++i) drive.fingers[i] = from.fingers[i] + share * (to.fingers[i] - from.fingers[i]);
    return drive;
  };
  bool lowering = false;
  const auto solved = [&](double share, GraspState& guess) {
    guess.drive = share == 1.0 ? to : at(share);
    const GraspState first = lowering ? guess : GraspState{};
    if (first_branch ? solve(guess, first_branch) : solve_from_either_side(guess)) return true;
    if (!lowering) return false;
    guess = first;
    return solve_lowering_friction(guess);
  };
  const auto touch_there = [&](GraspState& there, const Nearest& near, double share) {
    for (const auto& [node, obstacle] : near.touching) {
      there.touches.push_back(
          {node, obstacle, TouchState::stick, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), 0.0});
      events.push_back({GraspEventType::touch, node, obstacle, share});
    }
    anchor(there);
  };
  const auto accept = [&](double share, GraspState&& next, const Nearest& near) {
    if (on_part) on_part(state, next);
    for (std::size_t i = 0; i < next.touches.size(); ++i) {
      const Touch& touch = next.touches[i];
      const TouchState before = state.touches[i].state;
      if (touch.state == before) continue;
      events.push_back({touch.state == TouchState::free   ? GraspEventType::break_touch
                        : touch.state == TouchState::slip ? GraspEventType::slip
                                                          : GraspEventType::stick,
                        touch.node, touch.obstacle, share});
    }
    std::erase_if(next.touches, [](const Touch& touch) { return touch.state == TouchState::free; });
    touch_there(next, near, share);
    state = std::move(next);
    reached = share;
    first_branch.reset();
  };

  double part = 1.0;
  for (int parts = 0; reached < 1.0; ++parts) {
    if (parts == most_parts) return false;
    const double end = std::min(1.0, reached + part);
    GraspState next = state;
    if (!solved(end, next)) {
      part = 0.5 * (end - reached);
      if (part >= shortest_part) continue;
      if (!lowers_friction || lowering) return false;
      lowering = true;
      part = 1.0 - reached;
      continue;
    }
    Nearest near = nearest(next);
    if (near.gap >= -touch_tolerance_) {
      accept(end, std::move(next), near);
      part *= 2.0;
      continue;
    }
    // Something went through: the part ends where it touched. (Illinois' rule on the nearest gap.)
    const Nearest before = nearest(state);
    if (before.gap <= 0.0) {  // let go a moment ago and back at once
      touch_there(state, before, reached);
      continue;
    }
    double low = reached, high = end, low_gap = before.gap, high_gap = near.gap;
    bool located = false;
    GraspState guess = state;
    for (int i = 0; i < most_locating && !located; ++i) {
      double middle = low + (high - low) * low_gap / (low_gap - high_gap);
      if (i % 8 == 7 || !(middle > low && middle < high)) middle = 0.5 * (low + high);
      GraspState trial = guess;
      if (!solved(middle, trial)) break;
      near = nearest(trial);
      if (std::abs(near.gap) <= touch_tolerance_) {
        located = true;
        accept(middle, std::move(trial), near);
      } else if (near.gap < 0.0) {
        high = middle, high_gap = near.gap;
        low_gap *= i % 2 == 1 ? 0.5 : 1.0;
      } else {
        low = middle, low_gap = near.gap;
        high_gap *= i % 2 == 1 ? 0.5 : 1.0;
        guess = std::move(trial);
      }
    }
    if (located) continue;
    part = 0.5 * (end - reached);
    if (part < shortest_part) return false;
  }
  return true;
}

Eigen::Vector3d ContactSolver::force_of(const GraspState& state, Obstacle obstacle) {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  for (const Touch& touch : state.touches)
    if (touch.obstacle == obstacle) force += touch.force;
  return force;
}

int ContactSolver::count_of(const GraspState& state, Obstacle obstacle) {
  return int(std::count_if(state.touches.begin(), state.touches.end(), [&](const Touch& touch) {
    return touch.obstacle == obstacle && touch.state != TouchState::free;
  }));
}

}  // namespace carom::soft
