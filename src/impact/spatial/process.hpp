// The process of one impact in space, from first touch to separation, in normalised units: which piece comes next
// (Taylor step, tail, straight line), which event ends it, and when the restitution law says stop.
#pragma once

#include "carom/core/material.hpp"
#include "carom/impact/spatial.hpp"

#include "line.hpp"
#include "tail.hpp"

namespace carom::spatial {

/// Slip counts as along an invariant direction when its turning rate is zero to rounding: this many units of
/// rounding of the terms it is the difference of.
inline constexpr double invariant_rounding = 4.0;
/// A difference that is this small a part of its terms has lost five digits. Whether that matters is then asked.
inline constexpr double nearly_equal = 0x1p-16;
/// Far more Taylor steps than any input needs (the longest process seen over 600,000 random inputs took 83).
inline constexpr int most_steps = 1000;

/// Listens to nothing: the fast path.
struct Silent {
  static constexpr bool ledger = false;
  template <class T>
  void event(EventType, const State<T>&) {}
  template <class T>
  void line(const State<T>&) {}
  template <class Piece, class T>
  void curve(const Piece&, const State<T>&, double, double) {}
};

template <class T, class Listener>
class Process {
public:
  Process(const Surface<T>& surface, const State<T>& start, RestitutionLaw law, Listener& listener)
      : c(surface),
        state(start),
        law_(law),
        listener_(listener),
        d_(length(surface.d1, surface.d2)),
        unit_(slip_unit(surface)),
        monotone_(value(surface.mu) * d_ < surface.w),
        balances_(balances_energy(surface)),
        beyond_(value(start.vn) != 0.0 && std::abs(value(start.vn)) < 1.0) {}

  State<T>& result() { return state; }
  SpatialCase process = SpatialCase::none;
  Flags flags;
  bool grazes = false;  // v_n hardly changed where an event was due: a difference of nearly equal numbers decided

  Verdict run() {
    const Stage stage = begin();
    if (stage == Stage::curve) follow_curve(next_piece());
    return stage == Stage::no_impact ? Verdict::no_impact : Verdict::separated;
  }

  enum class Stage { no_impact, over, curve };

  /// The impact up to where slip along a curve begins, if it does. `run` in steps, for callers who take the Taylor
  /// pieces of several impacts at once: after `begin`, do what it `next_piece`, by `step` and `tail` or by `arrive`.
  Stage begin() {
    if (!begins()) return Stage::no_impact;
    target_ = -(c.e * state.vn);
    return set_off();
  }

  /// Slip over this much normal impulse and no further, whatever becomes of v_n: as a restitution by Poisson's law that
  /// gives back just that. (v_n must start high enough to stay positive; e must be 1.)
  void run_over(const T& impulse) {
    state.restitution = true;
    state.pc = impulse;
    if (set_off() == Stage::curve) follow_curve(next_piece());
  }

  /// The way from where slip stands to where a curve begins, if one does.
  Stage set_off() {
    const T r = length(state.gx, state.gy);
    if (!(value(r) > 0.0)) {
      const Rest rest = rest_of(c);
      undo_slip_of_derivatives();
      listener_.event(rest.sticks ? EventType::start_stick : EventType::start_slip, state);
      process = rest.sticks ? SpatialCase::stick : SpatialCase::slip_from_rest;
      follow_line(rest.sticks ? stick_line<T>(rest) : resumed_line(c));
      return Stage::over;
    }
    listener_.event(EventType::start_slip, state);
    // The flow contracts in the metric of B^-1, so it is there that slip left over is compared with the first one. The
    // lighter direction counts less; of what is left, all counts like the heavier one.
    const double heavier = std::min(c.b11, c.b22);
    per_r_start_ =
        1.0 / length(value(state.gx) * std::sqrt(heavier / c.b11), value(state.gy) * std::sqrt(heavier / c.b22));
    const T ux = state.gx / r, uy = state.gy / r;
    const auto at = direction_at(c, ux, uy);
    const double x = std::abs(value(ux)), y = std::abs(value(uy)), friction = value(c.mu) * (c.b11 + c.b22);
    const double noise = invariant_rounding * epsilon *
                         (x * std::abs(c.d2) + y * std::abs(c.d1) + x * y * friction + c.turned * (d_ + friction));
    if (std::abs(value(at.turn)) <= noise) {
      listener_.event(EventType::straight_slip, state);
      process = SpatialCase::straight_slip;
      // Derivatives ask what slip beside the ray does: unless it is straight too, follow the curve.
      if (size(at.turn) > noise && value(c.mu) != 0.0) return Stage::curve;
      follow_line(straight_line(c, ux, uy, at.R));
      return Stage::over;
    }
    process = SpatialCase::curved_slip;
    if (value(c.mu) != 0.0) return Stage::curve;
    follow_line(frictionless_line(c));
    return Stage::over;
  }

  enum class NextPiece { nothing, step, tail };

  /// What comes next on the curve? A tail may still be refused; then a step will do.
  /// @return nothing if the impact is over
  NextPiece next_piece() {
    const T r = length(state.gx, state.gy);
    const auto at = direction_at(c, state.gx / r, state.gy / r);
    const double turn = size(at.turn), slope = value(at.slope), R = value(at.R), left = value(r) * per_r_start_;
    // Straight to rounding? The flow contracts, so what is neglected here never grows. Late in a slip that is coming
    // to rest it is small against the slip already undone; slip that speeds up must really be on its ray.
    const double share = R < 0.0 && left < 0.5 ? left : 1.0;
    const double log2_small = log2_exactness<T>(left, R);
    return next_piece(turn * share <= epsilon * std::max(std::abs(slope), -R),
                      slope < 0.0 && turn < -widest_ * tail_allowance(log2_small) * slope, log2_small);
  }
  /// The same for someone who has found out: is slip straight to rounding, is it near its ray, and how exact must the
  /// next piece be?
  NextPiece next_piece(bool straight, bool near, double log2_small) {
    if (straight || rounds_++ >= most_steps) {
      go_straight();
      return NextPiece::nothing;
    }
    log2_small_ = log2_small;
    return near ? NextPiece::tail : NextPiece::step;
  }

  enum class Answer { unused, moved, over };

  /// The tail up to the next event, if the ray is near enough. (Never inlined, nor is `follow_line`: spatial.cpp
  /// flattens a whole impact into one function, and the copies of these two took two fifths of its time to compile.)
  [[gnu::noinline]] Answer tail() {
    const T r = length(state.gx, state.gy);
    const T ux = state.gx / r, uy = state.gy / r;
    if (!ray_) ray_ = find_ray(c, ux, uy);
    refuse_tail(ray_ ? ray_->widest : 0.0);
    if (!ray_) return Answer::unused;
    auto piece = TailPiece<T>::fitted(c, *ray_, state, log2_small_);
    return piece ? follow_tail(*piece, ux, uy, *ray_) : Answer::unused;
  }
  /// Not to be tried again unless the ray is so near.
  void refuse_tail(double widest) {
    constexpr double margin = 1.1;  // the angle is known only roughly
    widest_ = margin * widest;
  }

  /// One Taylor step, or the part of it up to the next event. @return true if the impact is over
  bool step() { return step(log2_small_); }
  bool step(double log2_small) {
    return follow_taylor(TaylorPiece<T>(c, unit_, state, log2_small, needs_work(), Listener::ledger));
  }

  /// The curve to its end.
  void follow_curve(NextPiece piece) {
    while (piece != NextPiece::nothing) {
      const Answer answer = piece == NextPiece::tail ? tail() : Answer::unused;
      if (answer == Answer::over || (answer == Answer::unused && step())) return;
      piece = next_piece();
    }
  }

  /// What ends the present phase while v_n rises: the level that a quantity, counted from here, comes to.
  enum class Quantity { velocity, impulse, work };
  struct Goal {
    Quantity quantity;
    T level;
  };
  Goal goal() const {
    if (!state.restitution) return {Quantity::velocity, T(0.0)};
    if (law_ == RestitutionLaw::newton) return {Quantity::velocity, target_};
    if (law_ == RestitutionLaw::poisson) return {Quantity::impulse, impulse_left()};
    return {Quantity::work, work_left()};
  }
  double unit() const { return unit_; }
  /// How exact the next piece must be.
  double log2_small() const { return log2_small_; }
  double per_r_start() const { return per_r_start_; }
  double widest() const { return widest_; }
  /// Must the normal work be followed?
  bool needs_work() const { return Listener::ledger || law_ == RestitutionLaw::energetic; }
  /// Must the curve be followed alone, because the lanes, which rely on the balance of energy, would lose digits?
  bool goes_alone() const {
    constexpr double unlike = 0x1p-30;  // so do directions that answer so unlike to an impulse
    return (needs_work() && !balances_) || beyond_ || std::min(c.b11, c.b22) < unlike * std::max(c.b11, c.b22);
  }
  /// Does v_n rise in every direction of slip?
  bool monotone() const { return monotone_; }

  /// Books a stretch of slip that someone else has followed (and has written to `state`, all but the sums by phase).
  /// @return true if the impact is over
  bool arrive(const T& impulse, const T& work, bool at_goal) {
    book(impulse, work);
    return at_goal && handle(state.restitution ? Next::separates : Next::compression_ends);
  }
  /// The same where slip has come to rest: the impact goes on in a straight line, to its end.
  void arrive_at_rest(const T& impulse, const T& work) {
    book(impulse, work);
    follow_line(at_rest());
  }

  /// Straight slip from a state on, whatever the turning rate: the text's closed form (Wang 2017, section 2.6.3).
  void run_straight(const T& target) {
    target_ = target;
    process = SpatialCase::straight_slip;
    go_straight();
  }

  Surface<T> c;
  State<T> state;

private:
  void go_straight() {
    const T r = length(state.gx, state.gy);
    T ux = state.gx / r, uy = state.gy / r;
    if constexpr (std::is_same_v<T, double>) {
      // Slip that comes to its ray before it comes to rest: take the ray itself. Where one direction answers far more
      // readily than the other, rounding of the whole of u is much in its smaller part.
      const auto at = direction_at(c, ux, uy);
      double x = ux, y = uy;
      if (at.slope <= std::min(at.R, -std::abs(at.turn)) && process != SpatialCase::straight_slip &&
          turn_to_ray(c, x, y)) {
        ux = x;
        uy = y;
        state.gx = r * x;
        state.gy = r * y;
      }
    }
    follow_line(straight_line(c, ux, uy, direction_at(c, ux, uy).R));
  }

  enum class Next { nothing, compression_ends, recompression_begins, separates };

  /// Sticking from the start: a small initial slip is undone at once, gamma + B I_t = 0, whatever its direction.
  void undo_slip_of_derivatives() {
    if constexpr (!std::is_same_v<T, double>) {
      state.ix = -(state.gx / T(c.b11));
      state.iy = -(state.gy / T(c.b22));
      state.vn += state.ix * c.d1 + state.iy * c.d2;
      state.gx = state.gy = T(0.0);
    }
  }

  /// Does an impact happen at all? Wang 2017 takes v_n < 0 for granted; v_n = 0 needs friction that pulls inward.
  bool begins() {
    const double vn = value(state.vn), mu = value(c.mu);
    const double r = value(length(state.gx, state.gy));
    const double pull = r > 0.0 ? mu * (c.d1 * (value(state.gx) / r) + c.d2 * (value(state.gy) / r)) : 0.0;
    const bool happens = vn < 0.0 || (vn == 0.0 && pull > c.w);
    flags.set(Flag::marginal, vn == 0.0 && pull == c.w);
    flags.set(Flag::jamb, happens && pull > c.w);
    return happens;
  }

  // --- events -------------------------------------------------------------------------------------------------

  /// Book impulse and work since the last event.
  void book(const T& impulse, const T& work) {
    if (state.restitution) {
      state.pe += impulse;
      state.we += work;
    } else {
      state.pc += impulse;
      state.wc -= work;
    }
  }
  T impulse_left() const { return c.e * state.pc - state.pe; }
  T work_left() const { return c.e * c.e * state.wc - state.we; }

  /// @return true if the impact is over
  bool handle(Next next) {
    if constexpr (std::is_same_v<T, double>) {
      const double r = length(state.gx, state.gy), pull = c.mu * (c.d1 * state.gx + c.d2 * state.gy);
      grazes |= std::abs(c.w * r - pull) < nearly_equal * c.w * r;
    }
    if (next == Next::compression_ends) {
      state.vn = T(0.0);
      listener_.event(EventType::compression_ends, state);
      state.restitution = true;
      // Nothing to give back: e = 0, or so small that its square or a product with it is no longer a number.
      const double left = law_ == RestitutionLaw::newton    ? value(target_)
                          : law_ == RestitutionLaw::poisson ? value(impulse_left())
                                                            : value(work_left());
      const bool over = value(c.e) == 0.0 || !(left > 0.0);
      if (over) listener_.event(EventType::separates, state);
      return over;
    }
    if (next == Next::recompression_begins) {
      state.vn = T(0.0);
      flags.set(Flag::recompression);
      listener_.event(EventType::recompression_begins, state);
      state.restitution = false;
      return false;
    }
    if (law_ == RestitutionLaw::newton) state.vn = target_;
    listener_.event(EventType::separates, state);
    return true;
  }

  // --- straight pieces ----------------------------------------------------------------------------------------

  void move_along(const Line<T>& line, const T& x) {
    const T r = line.rubs ? length(state.gx, state.gy) : T(0.0);
    listener_.line(state);
    book(x, (state.vn + line.rise * x * 0.5) * x);
    if (line.rubs) state.friction += c.mu * (r + line.R * x * 0.5) * x;
    state.ix += line.tx * x;
    state.iy += line.ty * x;
    state.in += x;
    state.vn += line.rise * x;
    state.gx += line.hx * x;
    state.gy += line.hy * x;
  }

  /// Normal impulse until the next event of a straight piece (Wang 2017, eqs. 2.36-2.45, for all three laws).
  Next next_on(const Line<T>& line, T& x) const {
    const double rise = value(line.rise), vn = value(state.vn);
    if (!state.restitution) {
      if (!(rise > 0.0)) return Next::nothing;
      x = vn < 0.0 ? -(state.vn / line.rise) : T(0.0);
      return Next::compression_ends;
    }
    Next next = Next::nothing;
    double limit = std::numeric_limits<double>::infinity();
    if (rise < 0.0) {
      x = -(state.vn / line.rise);
      limit = value(x);
      next = Next::recompression_begins;
    }
    T end;
    if (law_ == RestitutionLaw::newton) {
      if (!(rise > 0.0)) return next;
      end = (target_ - state.vn) / line.rise;
    } else if (law_ == RestitutionLaw::poisson) {
      end = impulse_left();
    } else {
      const T left = work_left(), square = state.vn * state.vn + line.rise * left * 2.0;
      if (value(square) < 0.0) return next;
      const T sum = state.vn + root(square);
      end = value(sum) > 0.0 ? left * 2.0 / sum : T(0.0);
    }
    if (!(value(end) > 0.0)) end = end - T(value(end));  // rounding only: the end is here
    if (value(end) <= limit) {
      x = end;
      next = Next::separates;
    }
    return next;
  }

  [[gnu::noinline]] void follow_line(Line<T> line) {
    for (int i = 0; i < most_steps; ++i) {
      T x{};
      const Next next = next_on(line, x);
      if (line.slips && line.rubs && value(line.R) < 0.0) {
        const T to_rest = -(length(state.gx, state.gy) / line.R);
        if (next == Next::nothing || value(to_rest) <= value(x)) {
          move_along(line, to_rest);
          line = at_rest();
          continue;
        }
      }
      if (next == Next::nothing) {  // only rounding of a nearly singular W can hide the end of an impact
        flags.set(Flag::marginal);
        handle(Next::separates);
        return;
      }
      move_along(line, x);
      if (handle(next)) return;
    }
  }

  /// Slip has come to rest: note it, and say how the process goes on (Wang 2017, eq. 2.34).
  Line<T> at_rest() {
    state.gx = state.gy = T(0.0);
    listener_.event(EventType::slip_ends, state);
    const bool straight = process == SpatialCase::straight_slip;
    process = state.restitution
                  ? (straight ? SpatialCase::straight_ends_in_restitution : SpatialCase::slip_ends_in_restitution)
                  : (straight ? SpatialCase::straight_ends_in_compression : SpatialCase::slip_ends_in_compression);
    const Rest rest = rest_of(c);
    if (rest.sticks) return stick_line<T>(rest);
    listener_.event(EventType::slip_resumes, state);
    return resumed_line(c);
  }

  // --- curved pieces ------------------------------------------------------------------------------------------

  /// Where on a piece the process stands, with the impulse and the work of the piece up to there.
  struct Mark {
    T at{}, impulse{}, work{};
  };

  // spatial_curve.hpp
  template <class Piece>
  Next next_on(const Piece& piece, const Mark& mark, double low, double high, bool rising, T& s) const;
  template <class Piece>
  void move_on(const Piece& piece, Mark& mark, const T& s);
  bool goes_on(Next next) const;
  bool resolves_next(const TailPiece<T>& piece) const;
  bool follow_taylor(const TaylorPiece<T>& piece);
  Answer follow_tail(TailPiece<T>& piece, const T& ux, const T& uy, const Ray<T>& ray);

  RestitutionLaw law_;
  Listener& listener_;
  std::optional<Ray<T>> ray_;
  double widest_ = near_ray;  // the tangent of the angle to a ray at which to try the tail; zero if there is none
  int rounds_ = 0;
  T target_{};
  double d_;     // |W_tn|
  double unit_;  // slip_unit
  double per_r_start_ = 1.0, log2_small_ = log2_truncation;
  bool monotone_, balances_;
  bool beyond_;  // slip is more than widest_ratio times the approach, which is the unit of velocity otherwise
};

}  // namespace carom::spatial

#include "curve.hpp"
