#include "carom/soft/grasp.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "carom/core/error.hpp"
#include "carom/core/text.hpp"

#include "approach.hpp"
#include "contact_solver.hpp"
#include "force_closure.hpp"
#include "lift_test.hpp"

namespace carom {

namespace {

using soft::Compliance;
using soft::ContactSolver;
using soft::Drive;
using soft::GraspState;
using soft::SolverEvent;

/// Vertices this near to the table, as a share of the body's size, stand on it.
constexpr double standing_share = 1e-9;
/// The liftable weight is followed up to this many times the weight: what a pick-up needs to know, and what a squeeze
/// beyond it does.
constexpr double most_liftable = 2.0, most_liftable_beyond = 100.0;
/// Of the progress shown, the squeeze is this share at most.
constexpr double squeeze_share = 0.8;

std::string finger_field(std::size_t i, const char* what) { return "fingers[" + std::to_string(i) + "]." + what; }

double max_depth_of(const SqueezeProblem& problem) {
  return problem.max_depth.value_or(std::min(problem.fingers[0].radius, problem.fingers[1].radius));
}

void require_problem(const SqueezeProblem& p) {
  soft::require_body(p.body);
  if (!p.body.fixed.empty()) throw InvalidInput("fixed", "must be empty: the table carries the body");
  if (!p.body.forces.empty()) throw InvalidInput("forces", "must be empty");
  if (!p.body.prescribed.empty()) throw InvalidInput("prescribed", "must be empty");
  if (p.body.gravity[0] != 0.0 || p.body.gravity[1] != 0.0 || !(p.body.gravity[2] < 0.0))
    throw InvalidInput("gravity", "must point along -z, got [" + number_text(p.body.gravity[0]) + ", " +
                                      number_text(p.body.gravity[1]) + ", " + number_text(p.body.gravity[2]) + "]");
  require_finite("table", p.table);
  for (std::size_t i = 0; i < 2; ++i) {
    const Finger& f = p.fingers[i];
    require_positive(finger_field(i, "radius"), f.radius);
    for (const double x : f.start) require_finite(finger_field(i, "start"), x);
    for (const double x : f.direction) require_finite(finger_field(i, "direction"), x);
    if (f.direction.isZero(0.0)) throw InvalidInput(finger_field(i, "direction"), "must not be zero");
  }
  require_at_least("friction.table", p.table_friction, 0.0);
  require_at_least("friction.finger", p.finger_friction, 0.0);
  require_positive("step", p.step);
  if (p.most_shapes < 0 || p.most_shapes > squeeze_most_shapes)
    throw InvalidInput("most_shapes", "must be 0 to " + std::to_string(squeeze_most_shapes) + ", got " +
                                          std::to_string(p.most_shapes));
  if (p.max_depth) require_positive("max_depth", *p.max_depth);
  if (p.step < max_depth_of(p) / squeeze_max_steps)
    throw InvalidInput("step", "must be at least max_depth / 10000, " +
                                   number_text(max_depth_of(p) / squeeze_max_steps) + ", got " + number_text(p.step));
  require_at_least("min_depth", p.min_depth, 0.0);
  if (p.min_depth > max_depth_of(p))
    throw InvalidInput("min_depth", "must not be above max_depth, " + number_text(max_depth_of(p)) + ", got " +
                                        number_text(p.min_depth));
}

/// Whether a point lies in the convex hull of others, in the plane, or within `slack` of it.
bool within_hull(const std::vector<Eigen::Vector2d>& points, const Eigen::Vector2d& point, double slack) {
  // Outside if all points lie on one side of some line through it: the largest empty angle is at least half a turn.
  std::vector<double> angles;
  for (const Eigen::Vector2d& p : points) {
    const Eigen::Vector2d d = p - point;
    if (d.norm() <= slack) return true;
    angles.push_back(std::atan2(d[1], d[0]));
  }
  std::sort(angles.begin(), angles.end());
  double widest = angles.front() + 2.0 * std::numbers::pi - angles.back();
  for (std::size_t i = 1; i < angles.size(); ++i) widest = std::max(widest, angles[i] - angles[i - 1]);
  return widest <= std::numbers::pi + 1e-9;
}

class Squeeze {
public:
  Squeeze(const SqueezeProblem& problem, const Progress& progress, int threads)
      : problem_(problem),
        progress_(progress),
        body_(oriented(problem.body), threads),
        solver_(body_, problem),
        depth_(max_depth_of(problem)) {
    for (std::size_t i = 0; i < 2; ++i) direction_[i] = problem.fingers[i].direction.normalized();
  }

  SqueezeResult run() {
    result_.weight = body_.weight();
    result_.flags.set(SqueezeFlag::locking, problem_.body.poisson > soft_locking_poisson);
    if (rest() && first_touch() && press()) lift();
    return std::move(result_);
  }

private:
  static SoftBody oriented(SoftBody body) {
    orient(body.mesh);
    return body;
  }

  bool end(SqueezeStatus status, std::string message) {
    result_.status = status;
    result_.message = std::move(message);
    return false;
  }

  GraspShape shape() {
    GraspShape shape;
    std::vector<std::pair<int, Eigen::Vector3d>> forces;
    for (const soft::Touch& touch : state_.touches) {
      forces.emplace_back(touch.node, touch.force);
      if (touch.state != TouchState::free)
        shape.touches.push_back(
            {vertex(touch.node), touch.obstacle, touch.state, touch.force,
             soft::gap_at(solver_.shape(touch.obstacle, state_.drive), solver_.position(state_, touch.node)).normal,
             touch.began.value_or(touch.anchor)});
    }
    const soft::Field moved = body_.displacement(forces, state_.rigid);
    shape.displacement = soft::to_vectors(moved);
    shape.fingers = state_.drive.fingers;
    shape.depth = depth_now_;
    shape.strain = body_.largest_strain(moved);
    return shape;
  }
  int vertex(int node) const { return body_.nodes()[std::size_t(node)]; }

  /// Wang 2017, algorithm 6: gravity grows from nothing, the body standing on its lowest vertices.
  bool rest() {
    const double slack = standing_share * body_.size();
    std::vector<Eigen::Vector2d> standing;
    for (std::size_t i = 0; i < body_.nodes().size(); ++i) {
      const double height = body_.at(int(i))[2] - problem_.table;
      if (height < -slack)
        throw InvalidInput("table", "must not be above vertices[" + std::to_string(vertex(int(i))) + "], which is at " +
                                        number_text(body_.at(int(i))[2]));
      if (height > slack) continue;
      standing.emplace_back(body_.at(int(i)).head<2>());
      state_.touches.push_back(
          {int(i), Obstacle::table, TouchState::stick, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), 0.0});
    }
    if (standing.size() < 3)
      return end(SqueezeStatus::unstable_rest,
                 "the object stands on " + std::to_string(standing.size()) + " vertices, fewer than three");
    if (!within_hull(standing, body_.centre().head<2>(), slack))
      return end(SqueezeStatus::unstable_rest,
                 "the object tips over: its centre of mass is not above the vertices it stands on");
    for (std::size_t i = 0; i < 2; ++i) state_.drive.fingers[i] = problem_.fingers[i].start;
    solver_.anchor(state_);
    Drive whole = state_.drive;
    whole.gravity = 1.0;
    std::vector<SolverEvent> events;
    double reached = 0.0;
    solver_.lowers_friction = true;
    const bool rests = solver_.advance(state_, whole, events, reached, TouchState::stick);
    solver_.lowers_friction = false;
    if (!rests && problem_.table_friction == 0.0)
      return end(SqueezeStatus::unstable_rest, "without friction nothing keeps the object in its place on the table");
    if (!rests)
      return end(SqueezeStatus::unstable_rest,
                 "the object does not stay on the table: no equilibrium was found beyond " + number_text(reached) +
                     " of its weight");
    result_.rest = shape();
    return true;
  }

  /// Both fingers close until they touch the body, and wait there.
  bool first_touch() {
    const Eigen::Matrix3Xd p = solver_.positions(state_);
    std::vector<soft::ConeAt> cones;
    for (const soft::Touch& touch : state_.touches)
      cones.push_back({p.col(touch.node), Eigen::Vector3d::UnitZ(), problem_.table_friction});
    std::vector<Eigen::Vector3d> at = problem_.body.mesh.vertices;
    for (std::size_t i = 0; i < at.size(); ++i) at[i] += result_.rest.displacement[i];
    for (std::size_t i = 0; i < 2; ++i) {
      const Finger& finger = problem_.fingers[i];
      double least = std::numeric_limits<double>::infinity();
      for (Eigen::Index k = 0; k < p.cols(); ++k)
        if (const auto far = soft::travel(finger.start, direction_[i], finger.radius, p.col(k)))
          least = std::min(least, *far);
      const std::string called = "finger " + std::to_string(i);
      if (least < 0.0 || soft::lies_inside(problem_.body.mesh, at, finger.start))
        return end(SqueezeStatus::no_grasp, called + " begins inside the object");
      if (!std::isfinite(least))
        return end(SqueezeStatus::no_grasp,
                   soft::meets_surface(surface_of(problem_.body.mesh), at, finger.start, direction_[i])
                       ? called + " goes through between the vertices of the object: it is too small for this mesh"
                       : called + " misses the object");
      state_.drive.fingers[i] = finger.start + least * direction_[i];
    }
    std::vector<char> taken(body_.nodes().size(), 0);
    for (const soft::Touch& touch : state_.touches) taken[std::size_t(touch.node)] = 1;
    for (std::size_t i = 0; i < 2; ++i) {
      const Obstacle obstacle = i == 0 ? Obstacle::finger_0 : Obstacle::finger_1;
      bool touched = false;
      for (Eigen::Index k = 0; k < p.cols(); ++k) {
        const soft::Gap gap = soft::gap_at(solver_.shape(obstacle, state_.drive), p.col(k));
        if (gap.phi > solver_.touch_tolerance() || taken[std::size_t(k)] != 0) continue;
        touched = true;
        taken[std::size_t(k)] = 1;
        state_.touches.push_back(
            {int(k), obstacle, TouchState::stick, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), 0.0});
        result_.events.push_back({GraspEventType::touch, vertex(int(k)), obstacle, 0.0});
        cones.push_back({p.col(k), gap.normal, problem_.finger_friction});
      }
      if (!touched)
        return end(SqueezeStatus::no_grasp, "finger " + std::to_string(i) +
                                                " meets the object where it stands on the table or is touched already");
    }
    solver_.anchor(state_);
    solver_.fingers_present = true;
    result_.flags.set(SqueezeFlag::no_force_closure, !soft::has_force_closure(cones, body_.size()));
    first_gap_ = (state_.drive.fingers[0] - state_.drive.fingers[1]).norm();
    first_ = state_.drive;
    return true;
  }

  double liftable() {
    const double most = (problem_.min_depth > 0.0 ? most_liftable_beyond : most_liftable) * body_.weight();
    return problem_.lift_test == LiftTest::coulomb
               ? soft::coulomb_liftable(solver_, state_, problem_.fingers, most)
               : soft::linear_liftable(solver_, state_, problem_.finger_friction, most);
  }

  void take_step(double depth) {
    GraspStep step;
    step.depth = depth;
    step.liftable_weight = liftable();
    step.work = work_;
    for (std::size_t i = 0; i < 2; ++i) {
      const Obstacle obstacle = i == 0 ? Obstacle::finger_0 : Obstacle::finger_1;
      step.finger_force[i] = ContactSolver::force_of(state_, obstacle);
      step.finger_nodes[i] = ContactSolver::count_of(state_, obstacle);
    }
    step.table_nodes = ContactSolver::count_of(state_, Obstacle::table);
    result_.steps.push_back(step);
  }

  /// Evenly over the steps so far, however many will come.
  void keep_shape(long step) {
    if (problem_.most_shapes <= 0 || step % keep_every_ != 0) return;
    result_.shapes.push_back(shape());
    if (int(result_.shapes.size()) <= problem_.most_shapes) return;
    keep_every_ *= 2;
    std::vector<GraspShape> fewer;
    for (std::size_t i = 1; i < result_.shapes.size(); i += 2) fewer.push_back(std::move(result_.shapes[i]));
    result_.shapes = std::move(fewer);
  }

  /// What the answer says of the squeeze: as it is after the last step.
  void conclude() {
    result_.squeezed = shape();
    if (result_.steps.empty()) return;
    const GraspStep& step = result_.steps.back();
    result_.depth = step.depth;
    result_.total_closing = first_gap_ - (state_.drive.fingers[0] - state_.drive.fingers[1]).norm();
    result_.finger_nodes = step.finger_nodes;
    result_.table_nodes = step.table_nodes;
    result_.work = step.work;
    result_.liftable_weight = step.liftable_weight;
    result_.strain = result_.squeezed.strain;
    result_.flags.set(SqueezeFlag::large_strain, result_.strain > soft_large_strain);
  }

  /// Wang 2017, algorithm 7.
  bool press() {
    solver_.on_part = [&](const GraspState& before, const GraspState& after) {
      for (const Obstacle obstacle : {Obstacle::finger_0, Obstacle::finger_1}) {
        const std::size_t i = obstacle == Obstacle::finger_0 ? 0 : 1;
        const Eigen::Vector3d force =
            ContactSolver::force_of(before, obstacle) + ContactSolver::force_of(after, obstacle);
        work_ += 0.5 * force.dot(after.drive.fingers[i] - before.drive.fingers[i]);
      }
    };
    const auto steps = std::max(1L, std::lround(std::ceil(depth_ / problem_.step * (1.0 - 1e-12))));
    double depth = 0.0;
    for (long k = 1; k <= steps; ++k) {
      progress_.step(squeeze_share * double(k - 1) / double(steps));
      const double next = std::min(depth_, double(k) * problem_.step);
      Drive to = first_;
      for (std::size_t i = 0; i < 2; ++i) to.fingers[i] += next * direction_[i];
      std::vector<SolverEvent> events;
      double reached = 0.0;
      const bool went = solver_.advance(state_, to, events, reached);
      for (const SolverEvent& e : events)
        result_.events.push_back({e.type, vertex(e.node), e.obstacle, depth + e.share * (next - depth)});
      if (!went) {
        const double at = depth_now_ = depth + reached * (next - depth);
        conclude();
        return end(SqueezeStatus::no_convergence,
                   "no equilibrium was found beyond a depth of " + number_text(at) + " m");
      }
      depth = depth_now_ = next;
      take_step(depth);
      keep_shape(k);
      // A depth of so many steps may fall short of itself by rounding.
      if (depth >= problem_.min_depth * (1.0 - 1e-12) && result_.steps.back().liftable_weight >= body_.weight()) {
        conclude();
        return true;
      }
    }
    conclude();
    return end(SqueezeStatus::max_depth, "at a depth of " + number_text(depth) + " m the fingers could hold " +
                                             number_text(result_.liftable_weight / body_.weight()) + " of the weight");
  }

  void lift() {
    solver_.on_part = nullptr;
    const double most = std::min(problem_.fingers[0].radius, problem_.fingers[1].radius);
    const Drive low = state_.drive;
    const auto steps = std::max(1L, std::lround(std::ceil(most / problem_.step * (1.0 - 1e-12))));
    const auto failed = [&](const std::string& why) {
      result_.flags.set(SqueezeFlag::lift_failed);
      result_.raised = shape();
      end(SqueezeStatus::max_depth, why);
    };
    for (long k = 1; k <= steps; ++k) {
      progress_.step(squeeze_share + (1.0 - squeeze_share) * double(k - 1) / double(steps));
      const double rise = std::min(most, double(k) * problem_.step);
      Drive to = low;
      for (Eigen::Vector3d& finger : to.fingers) finger[2] += rise;
      std::vector<SolverEvent> events;
      double reached = 0.0;
      if (!solver_.advance(state_, to, events, reached))
        return failed("the lift test passed, but the object slips from the fingers when they have risen by " +
                      number_text(state_.drive.fingers[0][2] - low.fingers[0][2]) +
                      " m; min_depth presses deeper first");
      result_.raised_by = rise;
      if (ContactSolver::count_of(state_, Obstacle::table) > 0) continue;
      result_.lifted = true;
      result_.raised = shape();
      result_.status = SqueezeStatus::lifted;
      return;
    }
    failed("the lift test passed, but the table still carries when the fingers have risen by " + number_text(most) +
           " m; min_depth presses deeper first");
  }

  const SqueezeProblem& problem_;
  const Progress& progress_;
  Compliance body_;
  ContactSolver solver_;
  double depth_;
  std::array<Eigen::Vector3d, 2> direction_;
  GraspState state_;
  Drive first_;
  double first_gap_ = 0.0, work_ = 0.0, depth_now_ = 0.0;
  long keep_every_ = 1;  ///< steps between shapes that are kept
  SqueezeResult result_;
};

}  // namespace

SqueezeResult squeeze(const SqueezeProblem& problem, const Progress& progress, int threads) {
  require_problem(problem);
  soft::require_sparse_factor();
  if (const auto defect = find_defect(problem.body.mesh)) {
    SqueezeResult result;
    result.message = defect->message;
    return result;
  }
  return Squeeze(problem, progress, threads).run();
}

}  // namespace carom
