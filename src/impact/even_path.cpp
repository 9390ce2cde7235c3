#include "carom/impact/even_path.hpp"

#include <cmath>
#include <string>

#include "carom/core/error.hpp"

#include "spatial/answer.hpp"

namespace carom {

namespace {

/// Share of the whole normal impulse at point k of n.
double share(std::size_t k, std::size_t n) { return static_cast<double>(k) / static_cast<double>(n - 1); }

/// Puts points onto the process of an impact in space, in normalised units. Without points it only listens.
class EvenSampler {
public:
  static constexpr bool ledger = true;
  using State = spatial::State<double>;

  std::vector<State> points;
  double whole = 0.0;    // normal impulse at the end
  std::size_t next = 0;  // the point to come
  std::vector<double> work;

  void event(EventType, const State&) {}

  void line(const State& start) {
    finish_line(start);
    line_ = start;
    on_line_ = true;
  }

  template <class Piece>
  void curve(const Piece& piece, const State& state, double begin, double end) {
    finish_line(state);
    const double offset = state.in - piece.impulse_value(begin), last = offset + piece.impulse_value(end);
    double low = begin;
    for (; more() && target() <= last; ++next) {
      const double level = target() - offset;
      const double here = piece.impulse_value(low), there = piece.impulse_value(end);
      const double guess = there > here ? low + (end - low) * ((level - here) / (there - here)) : low;
      low = spatial::bracketed_root(
          [&](double s) {
            const auto [impulse, slope] = piece.impulse_and_slope(s);
            return std::pair(impulse - level, slope);
          },
          low, end, guess);
      State point = state;
      piece.move(point, low);
      put(point, work_of(state) + (piece.work_value(low) - piece.work_value(begin)));
    }
  }

  /// The straight piece that has come to `end`: velocities are linear in the normal impulse, works their integrals.
  void finish_line(const State& end) {
    if (!on_line_) return;
    on_line_ = false;
    const double length = end.in - line_.in, r0 = std::hypot(line_.gx, line_.gy), r1 = std::hypot(end.gx, end.gy);
    for (; more() && target() <= end.in; ++next) {
      const double f = length > 0.0 ? (target() - line_.in) / length : 1.0;
      const auto between = [f](double a, double b) { return a + f * (b - a); };
      State point = line_;
      point.gx = between(line_.gx, end.gx);
      point.gy = between(line_.gy, end.gy);
      point.vn = between(line_.vn, end.vn);
      point.ix = between(line_.ix, end.ix);
      point.iy = between(line_.iy, end.iy);
      const double rubbed = r0 + r1 > 0.0 ? f * (2.0 * r0 + f * (r1 - r0)) / (r0 + r1) : f;
      point.friction = line_.friction + rubbed * (end.friction - line_.friction);
      put(point, work_of(line_) + 0.5 * (line_.vn + point.vn) * f * length);
    }
  }

  static double work_of(const State& state) { return state.we - state.wc; }

private:
  bool more() const { return next + 1 < points.size(); }  // the last point is the end, whatever rounding says
  double target() const { return share(next, points.size()) * whole; }
  void put(State point, double normal_work) {
    point.in = target();
    points[next] = point;
    work[next] = normal_work;
  }

  State line_{};
  bool on_line_ = false;
};

}  // namespace

void require_path_points(int points) {
  if (points < 2 || points > max_even_path)
    throw InvalidInput("points",
                       "must be in [2, " + std::to_string(max_even_path) + "], got " + std::to_string(points));
}

std::vector<PathPoint<2>> even_path(const PlanarProblem& problem, int points) {
  require_path_points(points);
  const PlanarImpact impact = planar_impact(problem);
  std::vector<PathPoint<2>> out;
  if (impact.verdict != Verdict::separated) return out;
  const auto n = static_cast<std::size_t>(points);
  out.resize(n);
  // Between two events everything is linear in the normal impulse.
  PathPoint<2> start;
  start.velocity = problem.space.velocity;
  std::size_t next = 0;
  for (const Event<2>& event : impact.events) {
    const double length = event.impulse[1] - start.impulse[1];
    const auto at = [&](double f) {
      PathPoint<2> point;
      point.impulse = start.impulse + f * (event.impulse - start.impulse);
      point.velocity = start.velocity + f * (event.velocity - start.velocity);
      point.normal_work = start.normal_work + 0.5 * (start.velocity[1] + point.velocity[1]) * f * length;
      point.friction_loss = start.friction_loss -
                            0.5 * (start.velocity[0] + point.velocity[0]) * (f * (event.impulse[0] - start.impulse[0]));
      return point;
    };
    for (; next + 1 < n; ++next) {
      const double target = share(next, n) * impact.impulse[1];
      if (target > event.impulse[1]) break;
      out[next] = at(length > 0.0 ? (target - start.impulse[1]) / length : 1.0);
      out[next].impulse[1] = target;
    }
    PathPoint<2> end = at(1.0);
    end.impulse = event.impulse;
    end.velocity = event.velocity;
    start = end;
  }
  out.back() = start;
  out.back().impulse = impact.impulse;
  out.back().velocity = impact.velocity_after;
  return out;
}

std::vector<PathPoint<3>> even_path(const SpatialProblem& given, int points) {
  require_path_points(points);
  SpatialProblem problem = given;
  problem.space = validated(given.space);
  require_valid(problem.material);
  const spatial::Scaled units = spatial::scaled(problem.space);
  const auto surface = spatial::surface_of<double>(units, problem.material.friction, problem.material.restitution);
  const auto start = spatial::start_of(units);
  using Process = spatial::Process<double, EvenSampler>;
  EvenSampler sampler;
  Process first(surface, start, problem.law, sampler);
  std::vector<PathPoint<3>> out;
  if (first.run() == Verdict::no_impact) return out;

  const auto n = static_cast<std::size_t>(points);
  sampler = {};
  sampler.whole = first.state.in;
  sampler.points.assign(n, start);
  sampler.work.assign(n, 0.0);
  Process second(surface, start, problem.law, sampler);
  second.run();
  sampler.finish_line(second.state);
  sampler.points.back() = second.state;
  sampler.work.back() = EvenSampler::work_of(second.state);
  out.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    const auto& state = sampler.points[k];
    out[k].impulse = spatial::impulse_of(state, units);
    out[k].velocity = spatial::velocity_of(state, units);
    out[k].normal_work = spatial::in_units_of(sampler.work[k], units, 2);
    out[k].friction_loss = spatial::in_units_of(std::max(state.friction, 0.0), units, 2);
  }
  out.front().velocity = problem.space.velocity;
  out.back().velocity = spatial::velocity_after(second, problem, units);
  return out;
}

}  // namespace carom
