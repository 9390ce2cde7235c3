// Many impacts: rows flow through the lanes of spatial_lanes.hpp. A lane that is done with its row takes the next one,
// so all stay busy; each row's arithmetic is its own, so neither its neighbours nor the threads change its bits.
#include "spatial_batch.hpp"

#include <optional>

#include "spatial_answer.hpp"
#include "spatial_lanes.hpp"

namespace carom::spatial {

namespace {

/// Is the row an impact that can be computed? As the checks of spatial_outcome, without exceptions.
bool is_sound(const SpatialProblem& problem) {
  const Material& m = problem.material;
  return m.friction >= 0.0 && std::isfinite(m.friction) && m.restitution >= 0.0 && m.restitution <= 1.0 &&
         problem.space.velocity.allFinite() && !inverse_inertia_problem(problem.space.inverse_inertia);
}

using Row = Process<double, Silent>;

class Batch {
public:
  Batch(std::span<const SpatialProblem> problems, std::span<SpatialOutcome> outcomes, void (*step)(LaneStep&))
      : problems_(problems), outcomes_(outcomes), take_step_(step) {}

  void run() {
    for (std::size_t lane = 0; lane < lanes; ++lane) refill(lane);
    while (busy_ > 0) {
      for (std::size_t lane = 0; lane < lanes; ++lane) put(lane);
      step_.any_work = any_work_;
      take_step_(step_);
      for (std::size_t lane = 0; lane < lanes; ++lane)
        if (seats_[lane].row && (take(lane) || !seats_[lane].row->wants_step())) {
          finish(lane, Verdict::separated);
          seats_[lane].row.reset();
          --busy_;
          refill(lane);
        }
    }
  }

private:
  struct Seat {
    std::size_t index = 0;
    SpatialProblem problem;
    Scaled units;
    std::optional<Row> row;
  };

  void finish(std::size_t lane, Verdict verdict) {
    Seat& seat = seats_[lane];
    answer(outcomes_[seat.index] = {}, *seat.row, seat.problem, seat.units, verdict);
  }

  /// The next row that needs a Taylor step takes the lane; those that need none are answered on the way.
  void refill(std::size_t lane) {
    Seat& seat = seats_[lane];
    while (next_ < problems_.size()) {
      seat.index = next_++;
      const SpatialProblem& given = problems_[seat.index];
      if (!is_sound(given)) {
        outcomes_[seat.index] = {};
        outcomes_[seat.index].verdict = Verdict::invalid;
        continue;
      }
      seat.problem = given;
      const Eigen::Matrix3d& w = given.space.inverse_inertia;
      seat.problem.space.inverse_inertia = 0.5 * w + 0.5 * w.transpose();
      seat.units = scaled(seat.problem.space);
      const Material& m = given.material;
      seat.row.emplace(surface_of<double>(seat.units, m.friction, m.restitution), start_of(seat.units), given.law,
                       silent_);
      const auto stage = seat.row->begin();
      if (stage == Row::Stage::curve && seat.row->wants_step()) {
        write_surface(lane);
        ++busy_;
        return;
      }
      finish(lane, stage == Row::Stage::no_impact ? Verdict::no_impact : Verdict::separated);
    }
    seat.row.reset();
  }

  void write_surface(std::size_t lane) {
    const Row& row = *seats_[lane].row;
    step_.m11[lane] = row.c.mu * row.c.b11;
    step_.m12[lane] = row.c.mu * row.c.b12;
    step_.m22[lane] = row.c.mu * row.c.b22;
    step_.d1[lane] = row.c.d1;
    step_.d2[lane] = row.c.d2;
    step_.w[lane] = row.c.w;
    step_.mu[lane] = row.c.mu;
    step_.monotone[lane] = row.monotone() ? -1 : 0;
  }

  void put(std::size_t lane) {
    if (lane == 0) any_work_ = false;
    if (!seats_[lane].row) return;  // what the lane last held steps once more, unread
    const Row& row = *seats_[lane].row;
    step_.gx[lane] = row.state.gx;
    step_.gy[lane] = row.state.gy;
    step_.vn[lane] = row.state.vn;
    step_.ix[lane] = row.state.ix;
    step_.iy[lane] = row.state.iy;
    step_.in[lane] = row.state.in;
    const auto goal = row.goal();
    step_.level[lane] = goal.level;
    step_.quantity[lane] = goal.quantity == Row::Quantity::velocity  ? goal_velocity
                           : goal.quantity == Row::Quantity::impulse ? goal_impulse
                                                                     : goal_work;
    any_work_ = any_work_ || row.needs_work();
  }

  /// @return true if the impact is over
  bool take(std::size_t lane) {
    Row& row = *seats_[lane].row;
    if (step_.alone[lane]) return row.step();
    row.state.gx = step_.gx[lane];
    row.state.gy = step_.gy[lane];
    row.state.vn = step_.vn[lane];
    row.state.ix = step_.ix[lane];
    row.state.iy = step_.iy[lane];
    row.state.in = step_.in[lane];
    return row.arrive(step_.impulse[lane], row.needs_work() ? step_.work[lane] : 0.0, step_.at_goal[lane] != 0);
  }

  std::span<const SpatialProblem> problems_;
  std::span<SpatialOutcome> outcomes_;
  void (*take_step_)(LaneStep&);
  std::array<Seat, lanes> seats_;
  LaneStep step_{};
  Silent silent_;
  std::size_t next_ = 0;
  int busy_ = 0;
  bool any_work_ = false;
};

}  // namespace

void follow_batch(std::span<const SpatialProblem> problems, std::span<SpatialOutcome> outcomes, bool wide) {
#if defined(__x86_64__)
  Batch(problems, outcomes, wide ? wide_step : plain_step).run();
#else
  static_cast<void>(wide);
  Batch(problems, outcomes, plain_step).run();
#endif
}

}  // namespace carom::spatial
