// Many impacts: rows flow through the lanes of spatial_lanes.hpp, always as many at once as want the same kind of
// piece. Each row's arithmetic is its own, so neither its neighbours nor the threads change its bits.
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

/// The functions of spatial_lanes.hpp in one of their two forms.
struct Kernels {
  void (*step)(LanePiece&);
  void (*tail)(LanePiece&);
};

class Batch {
public:
  Batch(std::span<const SpatialProblem> problems, std::span<SpatialOutcome> outcomes, const Kernels& kernels)
      : problems_(problems), outcomes_(outcomes), kernels_(kernels) {}

  void run() {
    for (std::uint8_t seat = 0; seat < seats; ++seat) refill(seat);
    // With more than twice as many rows as lanes, one of the two queues fills all lanes until the rows run out.
    while (!steps_.empty() || !tails_.empty())
      if (tails_.size() >= lanes || steps_.empty())
        take_tails();
      else
        take_steps();
  }

private:
  static constexpr std::uint8_t seats = 4 * lanes;
  using Queue = boost::container::static_vector<std::uint8_t, seats>;
  struct Seat {
    std::size_t index = 0;
    Scaled units;
    std::optional<Row> row;
  };

  void finish(std::uint8_t seat, Verdict verdict) {
    const Seat& s = seats_[seat];
    answer(outcomes_[s.index] = {}, *s.row, problems_[s.index], s.units, verdict);
  }

  /// The next row that needs a curved piece takes the seat; those that need none are answered on the way.
  void refill(std::uint8_t seat) {
    Seat& s = seats_[seat];
    while (next_ < problems_.size()) {
      s.index = next_++;
      const SpatialProblem& given = problems_[s.index];
      if (!is_sound(given)) {
        outcomes_[s.index] = {};
        outcomes_[s.index].verdict = Verdict::invalid;
        continue;
      }
      s.units = scaled(given.space);
      const Material& m = given.material;
      s.row.emplace(surface_of<double>(s.units, m.friction, m.restitution), start_of(s.units), given.law, silent_);
      const auto stage = s.row->begin();
      if (stage == Row::Stage::curve && enqueue(seat, s.row->wants())) return;
      finish(seat, stage == Row::Stage::no_impact ? Verdict::no_impact : Verdict::separated);
    }
  }

  /// @return false if the row is over
  bool enqueue(std::uint8_t seat, Row::Wants wants) {
    if (wants == Row::Wants::nothing) return false;
    (wants == Row::Wants::tail ? tails_ : steps_).push_back(seat);
    return true;
  }

  void go_on(std::uint8_t seat, bool over) {
    if (!over && enqueue(seat, seats_[seat].row->wants())) return;
    finish(seat, Verdict::separated);
    refill(seat);
  }

  /// Takes up to as many rows as there are lanes from a queue. Lanes that stay empty repeat the last row.
  Queue seated(Queue& queue) {
    Queue out;
    piece_.any_work = false;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      if (!queue.empty()) {
        out.push_back(queue.back());
        queue.pop_back();
      }
      put(lane, *seats_[out.back()].row);
    }
    return out;
  }

  void take_steps() {
    const Queue rows = seated(steps_);
    kernels_.step(piece_);
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      Row& row = *seats_[rows[lane]].row;
      if (piece_.alone[lane] || row.steps_alone())
        go_on(rows[lane], row.step());
      else if (arrive(lane, row) ||
               !enqueue(rows[lane],
                        row.wants(piece_.straight[lane] != 0, piece_.near_ray[lane] != 0, piece_.log2_small[lane])))
        go_on(rows[lane], true);
    }
  }

  void take_tails() {
    const Queue rows = seated(tails_);
    kernels_.tail(piece_);
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      Row& row = *seats_[rows[lane]].row;
      if (piece_.refused[lane]) {
        row.refuse_tail(piece_.widest[lane]);
        steps_.push_back(rows[lane]);
      } else if (piece_.alone[lane]) {
        const auto answer = row.tail();
        if (answer == Row::Answer::unused)
          steps_.push_back(rows[lane]);
        else
          go_on(rows[lane], answer == Row::Answer::over);
      } else {
        go_on(rows[lane], arrive(lane, row, true));
      }
    }
  }

  void put(std::size_t lane, const Row& row) {
    piece_.b11[lane] = row.c.b11;
    piece_.b12[lane] = row.c.b12;
    piece_.b22[lane] = row.c.b22;
    piece_.d1[lane] = row.c.d1;
    piece_.d2[lane] = row.c.d2;
    piece_.w[lane] = row.c.w;
    piece_.mu[lane] = row.c.mu;
    piece_.unit[lane] = row.unit();
    piece_.monotone[lane] = row.monotone() ? -1 : 0;
    piece_.gx[lane] = row.state.gx;
    piece_.gy[lane] = row.state.gy;
    piece_.vn[lane] = row.state.vn;
    piece_.ix[lane] = row.state.ix;
    piece_.iy[lane] = row.state.iy;
    piece_.in[lane] = row.state.in;
    piece_.log2_small[lane] = row.log2_small();
    piece_.per_r_start[lane] = row.per_r_start();
    piece_.widest[lane] = row.widest();
    const auto goal = row.goal();
    piece_.level[lane] = goal.level;
    piece_.quantity[lane] = goal.quantity == Row::Quantity::velocity  ? goal_velocity
                            : goal.quantity == Row::Quantity::impulse ? goal_impulse
                                                                      : goal_work;
    piece_.any_work = piece_.any_work || row.needs_work();
  }

  /// @return true if the impact is over
  bool arrive(std::size_t lane, Row& row, bool by_tail = false) {
    row.state.gx = piece_.gx[lane];
    row.state.gy = piece_.gy[lane];
    row.state.vn = piece_.vn[lane];
    row.state.ix = piece_.ix[lane];
    row.state.iy = piece_.iy[lane];
    row.state.in = piece_.in[lane];
    const double work = row.needs_work() ? piece_.work[lane] : 0.0;
    const bool at_goal = piece_.at_goal[lane] != 0;
    if (!by_tail || at_goal) return row.arrive(piece_.impulse[lane], work, at_goal);
    row.arrive_at_rest(piece_.impulse[lane], work);
    return true;
  }

  std::span<const SpatialProblem> problems_;
  std::span<SpatialOutcome> outcomes_;
  Kernels kernels_;
  std::array<Seat, seats> seats_;
  Queue steps_, tails_;
  LanePiece piece_{};
  Silent silent_;
  std::size_t next_ = 0;
};

}  // namespace

void follow_batch(std::span<const SpatialProblem> problems, std::span<SpatialOutcome> outcomes, bool wide) {
#if defined(__x86_64__)
  Batch(problems, outcomes, wide ? Kernels{wide_step, wide_tail} : Kernels{plain_step, plain_tail}).run();
#else
  static_cast<void>(wide);
  Batch(problems, outcomes, Kernels{plain_step, plain_tail}).run();
#endif
}

}  // namespace carom::spatial
