#include "carom/core/error.hpp"
#include "carom/impact/spatial_methods.hpp"

#include "answer.hpp"

namespace carom {

namespace {

using spatial::State;

/// Collects points of the process.
struct Sampler {
  static constexpr bool ledger = false;
  std::vector<State<double>> points;
  int per_piece = 1;
  void event(EventType, const State<double>&) {}
  void line(const State<double>& state) { points.push_back(state); }
  template <class Piece>
  void curve(const Piece& piece, const State<double>& state, double begin, double end) {
    for (int k = 0; k < per_piece; ++k) {
      State<double> point = state;
      if (k > 0) piece.move(point, begin + (end - begin) * k / per_piece);
      points.push_back(point);
    }
  }
};

/// Finds the first state of curved slip at which |sin| of the angle between gamma and its rate is within a tolerance.
struct StraightFinder {
  static constexpr bool ledger = true;
  const spatial::Surface<double>& c;
  double sine;
  State<double> found{};
  bool done = false;
  void event(EventType, const State<double>&) {}
  void line(const State<double>&) {}

  double excess(const State<double>& state) const {
    const double r = std::hypot(state.gx, state.gy);
    if (!(r > 0.0)) return 1.0;
    const auto at = spatial::direction_at(c, state.gx / r, state.gy / r);
    return std::abs(at.turn) - sine * std::hypot(at.R, at.turn);
  }
  template <class Piece>
  void curve(const Piece& piece, const State<double>& state, double begin, double end) {
    if (done) return;
    constexpr int parts = 32;                  // the sine is smooth and a piece turns by less than a radian
    constexpr double at_last = 1.0 - 0x1p-40;  // where slip comes to rest it has no direction: look just before
    double low = begin;
    for (int k = 0; k <= parts && !done; ++k) {
      State<double> point = state;
      double s = begin + (end - begin) * (k < parts ? static_cast<double>(k) / parts : at_last);
      if (k > 0) piece.move(point, s);
      if (excess(point) > 0.0) {
        low = s;
        continue;
      }
      for (int i = 0; i < 60 && k > 0; ++i) {
        const double middle = 0.5 * (low + s);
        piece.move(point, middle);
        (excess(point) > 0.0 ? low : s) = middle;
      }
      if (k > 0) {
        point = state;
        piece.move(point, s);
        const double impulse = point.in - state.in, work = piece.work_value(s) - piece.work_value(begin);
        (state.restitution ? point.pe : point.pc) += impulse;
        if (state.restitution)
          point.we += work;
        else
          point.wc -= work;
      }
      found = point;
      done = true;
    }
  }
};

}  // namespace

std::vector<SpatialSample> spatial_path(const SpatialProblem& problem, int samples_per_piece) {
  if (samples_per_piece < 1)
    throw InvalidInput("samples_per_piece", "must be >= 1, got " + std::to_string(samples_per_piece));
  const spatial::Scaled units = spatial::scaled(validated(problem.space));
  require_valid(problem.material);
  Sampler sampler;
  sampler.per_piece = samples_per_piece;
  spatial::Process<double, Sampler> process(
      spatial::surface_of<double>(units, problem.material.friction, problem.material.restitution),
      spatial::start_of(units), problem.law, sampler);
  std::vector<SpatialSample> out;
  if (process.run() == Verdict::no_impact) return out;
  sampler.points.push_back(process.state);
  for (const State<double>& s : sampler.points)
    out.push_back({spatial::impulse_of(s, units), spatial::velocity_of(s, units)});
  return out;
}

SpatialWithin spatial_within(const SpatialProblem& given, double sine) {
  if (!(sine > 0.0 && sine < 1.0)) throw InvalidInput("sine", "must be in (0, 1), got " + number_text(sine));
  SpatialProblem problem = given;
  problem.space = validated(given.space);
  require_valid(problem.material);
  const spatial::Scaled units = spatial::scaled(problem.space);
  const auto surface = spatial::surface_of<double>(units, problem.material.friction, problem.material.restitution);
  StraightFinder finder{surface, sine};
  const State<double> start = spatial::start_of(units);
  spatial::Process<double, StraightFinder> process(surface, start, problem.law, finder);
  SpatialWithin out;
  const auto ended = [&](const auto& end) {
    out.impulse = spatial::impulse_of(end.state, units);
    out.velocity_after = problem.space.velocity + problem.space.inverse_inertia * out.impulse;
  };
  const bool happens = process.run() != Verdict::no_impact;
  out.process = process.process;
  out.velocity_after = problem.space.velocity;
  if (happens) ended(process);
  if (!finder.done) return out;
  out.straight_from = {spatial::impulse_of(finder.found, units), spatial::velocity_of(finder.found, units)};
  spatial::Silent silent;
  spatial::Process<double, spatial::Silent> straight(surface, finder.found, problem.law, silent);
  straight.run_straight(-surface.e * start.vn);
  ended(straight);
  out.process = straight.process;
  if (finder.found.restitution)
    out.process = straight.process == SpatialCase::straight_slip ? SpatialCase::late_straight_slip
                                                                 : SpatialCase::late_straight_ends;
  return out;
}

}  // namespace carom
