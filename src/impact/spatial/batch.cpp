// Many impacts: rows flow through the lanes of lanes.hpp, always as many at once as want the same kind of
// piece. Each row's arithmetic is its own, so neither its neighbours nor the threads change its bits.
#include "batch.hpp"

#include <optional>

#include "answer.hpp"
#include "lanes.hpp"

namespace carom::spatial {

namespace {

/// Is the row an impact that can be computed? As the checks of spatial_outcome, without exceptions.
bool is_sound(const SpatialProblem& problem) {
  const Material& m = problem.material;
  return m.friction >= 0.0 && std::isfinite(m.friction) && m.restitution >= 0.0 && m.restitution <= 1.0 &&
         problem.space.velocity.allFinite() && !inverse_inertia_problem(problem.space.inverse_inertia);
}

using Row = Process<double, Silent>;

/// The functions of lanes.hpp in one of their two forms.
struct Kernels {
  void (*step)(LanePiece&);
  void (*tail)(LanePiece&);
};

class Batch {
public:
  Batch(std::span<const SpatialProblem> problems, std::span<SpatialOutcome> outcomes, const Kernels& kernels)
      : problems_(problems), outcomes_(outcomes), kernels_(kernels) {
    in_lane_.fill(free_lane);
  }

  void run() {
    for (std::uint8_t seat = 0; seat < seats; ++seat) refill(seat);
    // With enough seats, either steps or tails fill all lanes until the rows run out.
    for (;;) {
      const bool full = enter_lanes();
      if (tails_.size() >= lanes || (!full && !tails_.empty()))
        take_tails();
      else if (stepping_ > 0)
        take_steps();
      else
        return;
    }
  }

private:
  static constexpr std::uint8_t seats = 4 * lanes, free_lane = seats;
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
      if (stage == Row::Stage::curve && enqueue(seat, s.row->next_piece())) return;
      finish(seat, stage == Row::Stage::no_impact ? Verdict::no_impact : Verdict::separated);
    }
  }

  /// @return false if the row is over
  bool enqueue(std::uint8_t seat, Row::NextPiece next_piece) {
    if (seats_[seat].row->goes_alone()) {
      seats_[seat].row->follow_curve(next_piece);
      return false;
    }
    if (next_piece == Row::NextPiece::nothing) return false;
    (next_piece == Row::NextPiece::tail ? tails_ : steps_).push_back(seat);
    return true;
  }

  void go_on(std::uint8_t seat, Row::NextPiece next_piece) {
    if (enqueue(seat, next_piece)) return;
    finish(seat, Verdict::separated);
    refill(seat);
  }

  /// Rows that want a step take the lanes that are free, and stay there for as long as they want nothing else.
  /// @return true if no lane is left free
  bool enter_lanes() {
    if (stepping_ == lanes || steps_.empty()) return stepping_ == lanes;
    for (std::size_t lane = 0; lane < lanes && !steps_.empty(); ++lane) {
      if (in_lane_[lane] != free_lane) continue;
      in_lane_[lane] = steps_.back();
      steps_.pop_back();
      put(step_, lane, *seats_[in_lane_[lane]].row);
      rounds_[lane] = 0;
      ++stepping_;
    }
    step_.any_work = false;
    std::uint8_t last = 0;
    for (const std::uint8_t seat : in_lane_)
      if (seat != free_lane) step_.any_work = seats_[last = seat].row->needs_work() || step_.any_work;
    for (std::size_t lane = 0; lane < lanes; ++lane)  // a lane that stays free repeats another
      if (in_lane_[lane] == free_lane) put(step_, lane, *seats_[last].row);
    return stepping_ == lanes;
  }

  void take_steps() {
    kernels_.step(step_);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      if (in_lane_[lane] == free_lane) continue;
      const bool alone = step_.alone[lane] != 0, at_goal = step_.at_goal[lane] != 0;
      const bool straight = step_.straight[lane] != 0 || ++rounds_[lane] >= most_steps;
      if (!alone && !at_goal && !straight && step_.near_ray[lane] == 0) continue;
      const std::uint8_t seat = in_lane_[lane];
      in_lane_[lane] = free_lane;
      --stepping_;
      Row& row = *seats_[seat].row;
      bool over = arrive(step_, lane, row, at_goal);
      if (alone) over = row.step(step_.log2_small[lane]);
      go_on(seat, over    ? Row::NextPiece::nothing
                  : alone ? row.next_piece()
                          : row.next_piece(straight, step_.near_ray[lane] != 0, step_.log2_small[lane]));
    }
  }

  void take_tails() {
    Queue rows;
    tail_.any_work = false;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      if (!tails_.empty()) {
        rows.push_back(tails_.back());
        tails_.pop_back();
      }
      const Row& row = *seats_[rows.back()].row;  // lanes that stay free repeat the last row
      put(tail_, lane, row);
      tail_.any_work = tail_.any_work || row.needs_work();
    }
    kernels_.tail(tail_);
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      Row& row = *seats_[rows[lane]].row;
      if (tail_.refused[lane]) {
        row.refuse_tail(tail_.widest[lane]);
        go_on(rows[lane], Row::NextPiece::step);
      } else if (tail_.alone[lane]) {
        const auto answer = row.tail();
        go_on(rows[lane], answer == Row::Answer::over     ? Row::NextPiece::nothing
                          : answer == Row::Answer::unused ? Row::NextPiece::step
                                                          : row.next_piece());
      } else if (tail_.at_goal[lane]) {
        go_on(rows[lane], arrive(tail_, lane, row, true) ? Row::NextPiece::nothing : row.next_piece());
      } else {
        take_state(tail_, lane, row);
        row.arrive_at_rest(tail_.impulse[lane], row.needs_work() ? tail_.work[lane] : 0.0);
        go_on(rows[lane], Row::NextPiece::nothing);
      }
    }
  }

  static void put(LanePiece& piece, std::size_t lane, const Row& row) {
    piece.b11[lane] = row.c.b11;
    piece.b12[lane] = row.c.b12;
    piece.b22[lane] = row.c.b22;
    piece.d1[lane] = row.c.d1;
    piece.d2[lane] = row.c.d2;
    piece.w[lane] = row.c.w;
    piece.mu[lane] = row.c.mu;
    piece.unit[lane] = row.unit();
    piece.monotone[lane] = row.monotone() ? -1 : 0;
    piece.follows_work[lane] = row.needs_work() ? -1 : 0;
    piece.gx[lane] = row.state.gx;
    piece.gy[lane] = row.state.gy;
    piece.vn[lane] = row.state.vn;
    piece.ix[lane] = row.state.ix;
    piece.iy[lane] = row.state.iy;
    piece.in[lane] = row.state.in;
    piece.impulse[lane] = piece.work[lane] = 0.0;
    piece.log2_small[lane] = row.log2_small();
    piece.per_r_start[lane] = row.per_r_start();
    piece.widest[lane] = row.widest();
    const auto goal = row.goal();
    piece.level[lane] = goal.level;
    piece.quantity[lane] = goal.quantity == Row::Quantity::velocity  ? goal_velocity
                           : goal.quantity == Row::Quantity::impulse ? goal_impulse
                                                                     : goal_work;
  }

  static void take_state(const LanePiece& piece, std::size_t lane, Row& row) {
    row.state.gx = piece.gx[lane];
    row.state.gy = piece.gy[lane];
    row.state.vn = piece.vn[lane];
    row.state.ix = piece.ix[lane];
    row.state.iy = piece.iy[lane];
    row.state.in = piece.in[lane];
  }

  /// @return true if the impact is over
  static bool arrive(const LanePiece& piece, std::size_t lane, Row& row, bool at_goal) {
    take_state(piece, lane, row);
    return row.arrive(piece.impulse[lane], row.needs_work() ? piece.work[lane] : 0.0, at_goal);
  }

  std::span<const SpatialProblem> problems_;
  std::span<SpatialOutcome> outcomes_;
  Kernels kernels_;
  std::array<Seat, seats> seats_;
  Queue steps_, tails_;
  LanePiece step_{}, tail_{};
  std::array<std::uint8_t, lanes> in_lane_;  // seats of the rows in step_
  std::array<int, lanes> rounds_{};          // steps they have taken there
  std::size_t stepping_ = 0;                 // lanes taken
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
