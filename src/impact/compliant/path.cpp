// The course of a compliant impact: points that follow its bends, and points spaced evenly in normal impulse.
#include <algorithm>
#include <limits>
#include <string>

#include "carom/core/error.hpp"
#include "carom/impact/even_path.hpp"

#include "frame.hpp"

namespace carom {

using namespace compliant;

namespace {

/// Impulse, velocity, springs and works of the states of a run.
class PathWriter : public Recorder {
public:
  explicit PathWriter(const CompliantProblem& problem) : published_(problem.reading == Reading::published) {}

protected:
  /// A point of any type that has them all.
  template <class Point>
  void write(const State& s, Point& point) {
    const Frame& f = frame();
    point.impulse = f.out(s.impulse, f.impulse);
    point.velocity = f.out(s.v, f.velocity);
    point.springs = springs_of(f, s);
    point.normal_work = 0.0 - f.energy * (s.energy + s.restitution_loss);
    point.friction_loss = f.energy * std::max(friction_loss(s, point.springs), 0.0);
  }
  void begin(const State& s) { before_ = 0.5 * s.y.squaredNorm(); }

private:
  /// As published, friction is what the ledger misses.
  double friction_loss(const State& s, const ContactSprings& springs) const {
    if (!published_) return s.friction_loss;
    const PowerOfTwo back(-frame().energy.exponent());
    return before_ - 0.5 * s.y.squaredNorm() - back * springs.energy.sum() - s.restitution_loss;
  }

  bool published_;
  double before_ = 0.0;
};

class PathRecorder final : public PathWriter {
public:
  PathRecorder(const CompliantProblem& problem, int points, std::vector<CompliantPoint>& path)
      : PathWriter(problem), points_(points), path_(path) {}
  void event(EventType, const State& s) override { point(s); }
  void point(const State& s) override {
    if (path_.empty()) begin(s);
    CompliantPoint& at = path_.emplace_back();
    write(s, at);
    at.slipping = s.slipping;
    at.restitution = s.restitution;
  }
  int points_per_stick() const override { return points_; }

private:
  int points_;
  std::vector<CompliantPoint>& path_;
};

/// Points evenly spaced in normal impulse, of which the first is first touch and the last the end.
class EvenRecorder final : public PathWriter {
public:
  /// @param whole  the normal impulse at the end [N s]
  EvenRecorder(const CompliantProblem& problem, double whole, std::vector<CompliantPathPoint>& path)
      : PathWriter(problem), whole_(whole), path_(path) {}
  void event(EventType, const State& s) override {
    if (next_ == 0) {
      begin(s);
      sample(s);
    }
    write(s, path_.back());
  }
  void point(const State&) override {}
  double wanted() const override {
    if (next_ == 0 || next_ + 1 >= path_.size()) return std::numeric_limits<double>::infinity();
    const PowerOfTwo back(-frame().impulse.exponent());
    return back * impulse_at(next_);
  }
  void sample(const State& s) override {
    CompliantPathPoint& at = path_[next_];
    write(s, at);
    at.impulse.z() = impulse_at(next_);
    ++next_;
  }

private:
  double impulse_at(std::size_t k) const {
    return static_cast<double>(k) / static_cast<double>(path_.size() - 1) * whole_;
  }

  double whole_;
  std::size_t next_ = 0;
  std::vector<CompliantPathPoint>& path_;
};

}  // namespace

std::vector<CompliantPoint> compliant_path(const CompliantProblem& problem, int points_per_stick) {
  if (points_per_stick < 0) throw InvalidInput("points_per_stick", "must be >= 0");
  CompliantOutcome outcome;
  std::vector<CompliantPoint> path;
  if (is_rigid(problem)) {
    for (const SpatialSample& sample : spatial_path(rigid_limit(problem), std::max(points_per_stick, 1))) {
      CompliantPoint& at = path.emplace_back();
      at.impulse = sample.impulse;
      at.velocity = sample.velocity;
      at.slipping = sample.velocity.head<2>() != Eigen::Vector2d::Zero();
    }
    return path;
  }
  PathRecorder recorder(problem, points_per_stick, path);
  run_springs(problem, outcome, &recorder);
  return path;
}

std::vector<CompliantPathPoint> even_path(const CompliantProblem& problem, int points) {
  require_path_points(points);
  std::vector<CompliantPathPoint> path;
  if (is_rigid(problem)) {
    for (const PathPoint<3>& point : even_path(rigid_limit(problem), points)) path.push_back({point, {}});
    return path;
  }
  const CompliantOutcome outcome = compliant_outcome(problem);
  if (outcome.verdict == Verdict::no_impact) return path;
  path.resize(static_cast<std::size_t>(points));
  EvenRecorder recorder(problem, outcome.impulse.z(), path);
  CompliantOutcome again;
  run_springs(problem, again, &recorder);
  CompliantPathPoint& last = path.back();
  last.impulse = outcome.impulse;
  last.velocity = outcome.velocity_after;
  if (outcome.verdict == Verdict::separated) last.friction_loss = outcome.energy.friction_loss;
  return path;
}

}  // namespace carom
