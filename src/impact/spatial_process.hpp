// The process of one impact in space, from first touch to separation, in normalised units: which piece comes next
// (Taylor step, tail, straight line), which event ends it, and when the restitution law says stop.
#pragma once

#include "carom/core/material.hpp"
#include "carom/impact/spatial.hpp"

#include "spatial_tail.hpp"

namespace carom::spatial {

/// Slip counts as along an invariant direction when its turning rate is zero to rounding: this many units of
/// rounding of the terms it is the difference of.
inline constexpr double invariant_rounding = 4.0;
/// Far more Taylor steps than any input needs (the longest process seen over 600,000 random inputs took 83).
inline constexpr int most_steps = 1000;

/// Which direction does slip take from rest, |B^-1 d| > mu? The unique lambda > 0 with |(mu B + lambda)^-1 d| = 1:
/// Newton's method on the reciprocal of the norm rises monotonically to it from any point below.
template <class T>
void centrifugal(const Surface<T>& c, T& ux, T& uy, T& lambda) {
  const auto solve = [&](const auto& l, const auto& mu, auto& x, auto& y, auto& slope) {
    const auto m11 = mu * c.b11 + l, m12 = mu * c.b12, m22 = mu * c.b22 + l;
    const auto det = m11 * m22 - m12 * m12;
    x = (m22 * c.d1 - m12 * c.d2) / det;
    y = (m11 * c.d2 - m12 * c.d1) / det;
    slope = (m22 * x * x - m12 * x * y * 2.0 + m11 * y * y) / det;  // x.M^-1 x
  };
  const double mu = value(c.mu), d = std::hypot(c.d1, c.d2);
  const double half = 0.5 * (c.b11 + c.b22), widest = half + std::hypot(0.5 * (c.b11 - c.b22), c.b12);
  double l = std::max(0.0, d - mu * widest), x = 0.0, y = 0.0, slope = 0.0;
  constexpr int most = 100;
  for (int i = 0; i < most; ++i) {
    solve(l, mu, x, y, slope);
    const double norm = std::sqrt(x * x + y * y), step = (norm - 1.0) * norm * norm / slope;
    l = std::max(0.0, l + step);
    if (!(std::abs(step) > 1e-9 * l)) break;
  }
  T dx, dy, ds;
  lambda = T(l);
  solve(lambda, c.mu, dx, dy, ds);
  T norm = root(dx * dx + dy * dy);
  lambda += (norm - T(1.0)) * norm * norm / ds;
  solve(lambda, c.mu, dx, dy, ds);
  norm = root(dx * dx + dy * dy);
  ux = dx / norm;
  uy = dy / norm;
}

/// Listens to nothing: the fast path.
struct Silent {
  static constexpr bool ledger = false;
  template <class T>
  void event(EventType, const State<T>&) {}
  template <class T>
  void line(const State<T>&) {}
  template <class Piece, class T>
  void curve(const Piece&, const State<T>&, double) {}
};

template <class T, class Listener>
class Process {
public:
  Process(const Surface<T>& surface, const State<T>& start, RestitutionLaw law, Listener& listener)
      : c(surface), state(start), law_(law), listener_(listener) {}

  State<T>& result() { return state; }
  SpatialCase process = SpatialCase::none;
  Flags flags;
  int taylor_steps = 0, tails = 0;

  Verdict run() {
    const Stage stage = begin();
    if (stage == Stage::curve) follow_curve();
    return stage == Stage::no_impact ? Verdict::no_impact : Verdict::separated;
  }

  enum class Stage { no_impact, over, curve };

  /// The impact up to where slip along a curve begins, if it does. `run` in steps, for callers who take the Taylor
  /// steps of several impacts at once: after `begin`, while `wants_step`, take one by `step` or tell by `arrive`.
  Stage begin() {
    prepare();
    if (!begins()) return Stage::no_impact;
    target_ = -(c.e * state.vn);
    r_start_ = value(length(state.gx, state.gy));
    if (!(r_start_ > 0.0)) {
      const bool sticks = stick_holds();
      undo_slip_of_derivatives();
      listener_.event(sticks ? EventType::start_stick : EventType::start_slip, state);
      process = sticks ? SpatialCase::stick : SpatialCase::slip_from_rest;
      follow_line(sticks ? stick_line() : resumed_line());
      return Stage::over;
    }
    listener_.event(EventType::start_slip, state);
    const T r = length(state.gx, state.gy);
    const T ux = state.gx / r, uy = state.gy / r;
    const auto at = direction_at(c, ux, uy);
    const double noise = invariant_rounding * epsilon * (d_ + value(c.mu) * (c.b11 + c.b22));
    if (std::abs(value(at.turn)) <= noise) {
      listener_.event(EventType::straight_slip, state);
      process = SpatialCase::straight_slip;
      // Derivatives ask what slip beside the ray does: unless it is straight too, follow the curve.
      if (size(at.turn) > noise && value(c.mu) != 0.0) return Stage::curve;
      follow_line(straight_line(ux, uy, at.R));
      return Stage::over;
    }
    process = SpatialCase::curved_slip;
    if (value(c.mu) != 0.0) return Stage::curve;
    follow_line(frictionless_line());
    return Stage::over;
  }

  /// Goes on along the curve until only a Taylor step will do. @return false if the impact is over instead
  bool wants_step() {
    for (; rounds_ < most_steps; ++rounds_) {
      const T r = length(state.gx, state.gy);
      const T ux = state.gx / r, uy = state.gy / r;
      const auto at = direction_at(c, ux, uy);
      const double turn = size(at.turn), slope = value(at.slope), R = value(at.R);
      // Straight to rounding? The flow contracts, so what is neglected here never grows. Late in a slip that is coming
      // to rest it is small against the slip already undone; slip that speeds up must really be on its ray.
      const double share = R < 0.0 && value(r) < 0.5 * r_start_ ? value(r) / r_start_ : 1.0;
      if (turn * share <= epsilon * std::max(std::abs(slope), -R)) {
        follow_line(straight_line(ux, uy, at.R));
        return false;
      }
      if (!ray_sought_ && slope < 0.0 && turn < -near_ray * slope) {
        ray_ = find_ray(c, ux, uy);
        ray_sought_ = true;
      }
      if (!ray_) break;
      auto piece = TailPiece<T>::fitted(c, *ray_, state);
      if (!piece) break;
      const Answer answer = follow_tail(*piece, ux, uy, *ray_);
      if (answer == Answer::unused) break;
      if (answer == Answer::at_rest) follow_line(at_rest());
      if (answer != Answer::moved) return false;
    }
    if (rounds_++ < most_steps) return true;
    const T r = length(state.gx, state.gy);
    follow_line(straight_line(state.gx / r, state.gy / r, direction_at(c, state.gx / r, state.gy / r).R));
    return false;
  }

  /// One Taylor step, or the part of it up to the next event. @return true if the impact is over
  bool step() {
    ++taylor_steps;
    return follow_taylor(TaylorPiece<T>(c, state, needs_work()));
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
  /// Must the normal work be followed?
  bool needs_work() const { return Listener::ledger || law_ == RestitutionLaw::energetic; }
  /// Does v_n rise in every direction of slip?
  bool monotone() const { return monotone_; }

  /// Books a stretch of slip that someone else has followed (and has written to `state`, all but the sums by phase).
  /// @return true if the impact is over
  bool arrive(const T& impulse, const T& work, bool at_goal) {
    ++taylor_steps;
    book(impulse, work);
    if (!at_goal) return false;
    return handle(state.restitution ? Next::separates : Next::compression_ends);
  }

  /// Straight slip from a state on, whatever the turning rate: the text's closed form (Wang 2017, section 2.6.3).
  void run_straight(const T& target) {
    prepare();
    target_ = target;
    process = SpatialCase::straight_slip;
    const T r = length(state.gx, state.gy);
    follow_line(straight_line(state.gx / r, state.gy / r, direction_at(c, state.gx / r, state.gy / r).R));
  }

  Surface<T> c;
  State<T> state;

private:
  /// Straight piece: per unit of normal impulse, the impulse changes by (tx, ty, 1), v_n by `rise`, |gamma| by R.
  struct Line {
    T tx{}, ty{}, hx{}, hy{}, rise{}, R{};
    bool slips = true, rubs = true;
  };
  enum class Next { nothing, compression_ends, recompression_begins, separates };

  void prepare() {
    d_ = std::hypot(c.d1, c.d2);
    // Elimination in the order of the check of W, so that what it found positive stays positive here.
    const double ratio = c.b12 / c.b11, pivot = c.b22 - ratio * c.b12, rest = c.d2 - ratio * c.d1;
    p2_ = rest / pivot;
    p1_ = (c.d1 - c.b12 * p2_) / c.b11;
    stiff_ = std::max(c.w - c.d1 / c.b11 * c.d1 - rest / pivot * rest, epsilon * c.w);
    monotone_ = value(c.mu) * d_ < c.w;
  }

  /// Sticking from the start: a small initial slip is undone at once, gamma + B I_t = 0, whatever its direction.
  void undo_slip_of_derivatives() {
    if constexpr (!std::is_same_v<T, double>) {
      const double det = c.b11 * c.b22 - c.b12 * c.b12;
      state.ix = (state.gy * c.b12 - state.gx * c.b22) / T(det);
      state.iy = (state.gx * c.b12 - state.gy * c.b11) / T(det);
      state.vn += state.ix * c.d1 + state.iy * c.d2;
      state.gx = state.gy = T(0.0);
    }
  }

  bool stick_holds() const { return std::hypot(p1_, p2_) <= value(c.mu); }

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
    if (next == Next::compression_ends) {
      state.vn = T(0.0);
      listener_.event(EventType::compression_ends, state);
      state.restitution = true;
      const bool over = value(c.e) == 0.0 || (law_ == RestitutionLaw::newton && !(value(target_) > 0.0));
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

  Line stick_line() const {
    Line line;
    line.tx = T(-p1_);
    line.ty = T(-p2_);
    line.rise = T(stiff_);
    line.slips = line.rubs = false;
    return line;
  }
  Line straight_line(const T& ux, const T& uy, const T& R) const {
    Line line;
    line.tx = -(c.mu * ux);
    line.ty = -(c.mu * uy);
    line.hx = R * ux;
    line.hy = R * uy;
    line.rise = line.tx * c.d1 + line.ty * c.d2 + c.w;
    line.R = R;
    return line;
  }
  Line resumed_line() const {
    T ux, uy, lambda;
    centrifugal(c, ux, uy, lambda);
    return straight_line(ux, uy, lambda);
  }
  Line frictionless_line() const {
    Line line;
    line.hx = T(c.d1);
    line.hy = T(c.d2);
    line.rise = T(c.w);
    line.rubs = false;  // no friction work, and the path misses gamma = 0
    return line;
  }

  void move_along(const Line& line, const T& x) {
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
  Next next_on(const Line& line, T& x) const {
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

  void follow_line(Line line) {
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
  Line at_rest() {
    state.gx = state.gy = T(0.0);
    listener_.event(EventType::slip_ends, state);
    const bool straight = process == SpatialCase::straight_slip;
    process = state.restitution
                  ? (straight ? SpatialCase::straight_ends_in_restitution : SpatialCase::slip_ends_in_restitution)
                  : (straight ? SpatialCase::straight_ends_in_compression : SpatialCase::slip_ends_in_compression);
    if (stick_holds()) return stick_line();
    listener_.event(EventType::slip_resumes, state);
    return resumed_line();
  }

  // --- curved pieces ------------------------------------------------------------------------------------------

  void follow_curve() {
    while (wants_step())
      if (step()) return;
  }

  /// The next event on [low, high], where v_n is monotone, and where on the piece it is.
  template <class Piece>
  Next next_on(const Piece& piece, double low, double high, bool rising, T& s) const {
    const double v_high = piece.normal_velocity_value(high);
    const auto velocity_root = [&](double level, double sign) {
      const double f0 = piece.normal_velocity_value(low) - level;
      const double guess = low + (high - low) * (f0 / (f0 - (v_high - level)));
      const double found = bracketed_root(
          [&](double x) {
            const auto [v, slope] = piece.normal_velocity_and_slope(x);
            return std::pair(sign * (v - level), sign * slope);
          },
          low, high, guess);
      return found;
    };
    const auto refined = [&](double found, const T& f, double slope) {
      if constexpr (std::is_same_v<T, double>)
        return found;
      else
        return T(found) - (f - T(value(f))) / T(slope);
    };
    if (!state.restitution) {
      if (!rising || !(v_high >= 0.0)) return Next::nothing;
      const double found = velocity_root(0.0, 1.0);
      s = refined(found, piece.normal_velocity(T(found)), piece.velocity_slope(found));
      return Next::compression_ends;
    }
    Next next = Next::nothing;
    double limit = high;
    if (!rising && v_high < 0.0) {
      limit = velocity_root(0.0, -1.0);
      s = refined(limit, piece.normal_velocity(T(limit)), piece.velocity_slope(limit));
      next = Next::recompression_begins;
    }
    if (law_ == RestitutionLaw::newton) {
      if (!rising || !(v_high >= value(target_))) return next;
      const double found = velocity_root(value(target_), 1.0);
      s = refined(found, piece.normal_velocity(T(found)) - target_, piece.velocity_slope(found));
      return Next::separates;
    }
    if (law_ == RestitutionLaw::poisson) {
      const double level = value(impulse_left());
      const double all = value(piece.impulse(T(limit)));
      if (!(all >= level)) return next;
      const double found =
          bracketed_root([&](double x) { return std::pair(piece_impulse(piece, x) - level, piece.impulse_slope(x)); },
                         low, limit, low + (limit - low) * (level / all));
      s = refined(found, piece.impulse(T(found)) - impulse_left(), piece.impulse_slope(found));
      return Next::separates;
    }
    const double left = value(work_left());
    if (!(piece.work_value(limit) >= left)) return next;
    // Guess from v_n and its slope here: left = v x + g x^2/2 in the impulse x, turned into the parameter.
    const double v = piece.normal_velocity_value(low), i = piece.impulse_slope(low), g = piece.velocity_slope(low) / i;
    const double x0 = 2.0 * left / (v + std::sqrt(std::max(0.0, v * v + 2.0 * g * left)));
    const double found = bracketed_root(
        [&](double x) {
          const auto [work, slope] = piece.work_and_slope(x);
          return std::pair(work - left, slope);
        },
        low, limit, low + x0 / i);
    s = refined(found, piece.work(T(found)) - work_left(),
                piece.normal_velocity_value(found) * piece.impulse_slope(found));
    return Next::separates;
  }
  static double piece_impulse(const TaylorPiece<T>& piece, double x) { return piece.template impulse<double>(x); }
  static double piece_impulse(const TailPiece<T>& piece, double x) { return piece.impulse_value(x); }

  template <class Piece>
  void move_on(const Piece& piece, const T& s) {
    listener_.curve(piece, state, value(s));
    const T impulse = piece.impulse(s);
    book(impulse, needs_work() ? piece.work(s) : T(0.0));
    piece.move(state, s);
  }

  bool follow_taylor(const TaylorPiece<T>& piece) {
    // Stretches on which v_n is monotone: v_n falls only within a sector around the direction of d.
    std::array<double, 5> edges{0.0};
    std::size_t count = 1;
    const double reach = piece.reach();
    if (!monotone_) {
      double middle = -1.0;
      const double c0 = piece.cross(0.0), c1 = piece.cross(reach);
      if (c0 * c1 < 0.0) {
        const double sign = c0 < 0.0 ? 1.0 : -1.0;
        middle = bracketed_root([&](double x) { return std::pair(sign * piece.cross(x), sign * piece.cross_slope(x)); },
                                0.0, reach, reach * c0 / (c0 - c1));
      }
      const auto turn_within = [&](double low, double high) {
        const double g0 = piece.velocity_slope(low), g1 = piece.velocity_slope(high);
        if (!(g0 * g1 < 0.0)) return;
        const double sign = g0 < 0.0 ? 1.0 : -1.0;
        edges[count++] = bracketed_root(
            [&](double x) { return std::pair(sign * piece.velocity_slope(x), sign * piece.slope_slope(x)); }, low, high,
            low + (high - low) * g0 / (g0 - g1));
      };
      if (middle > 0.0 && middle < reach) {
        turn_within(0.0, middle);
        turn_within(middle, reach);
      } else {
        turn_within(0.0, reach);
      }
    }
    edges[count] = reach;
    for (std::size_t k = 0; k < count; ++k) {
      const double low = edges[k], high = edges[k + 1];
      const bool rising = monotone_ || piece.velocity_slope(0.5 * (low + high)) > 0.0;
      T s{};
      const Next next = next_on(piece, low, high, rising, s);
      if (next == Next::nothing) continue;
      move_on(piece, s);
      return handle(next);
    }
    move_on(piece, T(reach));
    return false;
  }

  enum class Answer { unused, moved, over, at_rest };

  Answer follow_tail(TailPiece<T>& piece, const T& ux, const T& uy, const Ray<T>& ray) {
    bool rising = true;
    if (!monotone_) {  // use the tail only where v_n is monotone on it
      const auto pull = [&](double x, double y) { return c.w - value(c.mu) * (c.d1 * x + c.d2 * y); };
      const auto cross = [&](double x, double y) { return c.d1 * y - c.d2 * x; };
      const double ax = value(ux), ay = value(uy), bx = value(ray.ux), by = value(ray.uy);
      const double g0 = pull(ax, ay), g1 = pull(bx, by);
      if (g0 * g1 <= 0.0) return Answer::unused;
      if (g0 > 0.0 && cross(ax, ay) * cross(bx, by) <= 0.0 && c.d1 * bx + c.d2 * by > 0.0) return Answer::unused;
      rising = g0 > 0.0;
    }
    double high = piece.reach();
    if (!piece.ends()) {  // slip goes on: an end is certain, bracket it
      if (!rising) return Answer::unused;
      high = 1.0 / value(ray.R);
    }
    const double huge = std::numeric_limits<double>::max();
    const double velocity = !state.restitution               ? value(state.vn)
                            : law_ == RestitutionLaw::newton ? value(target_ - state.vn)
                                                             : huge;
    const double work = state.restitution && law_ == RestitutionLaw::energetic ? value(work_left()) : huge;
    const double impulse = state.restitution && law_ == RestitutionLaw::poisson ? value(impulse_left()) : huge;
    if (!piece.resolves(velocity, work, impulse)) return Answer::unused;
    piece.integrate(needs_work(), Listener::ledger);
    T s{};
    Next next = next_on(piece, 0.0, high, rising, s);
    for (int i = 0; next == Next::nothing && !piece.ends() && i < 60; ++i) {
      high *= 4.0;
      next = next_on(piece, 0.0, high, rising, s);
    }
    if (next == Next::nothing && !piece.ends()) return Answer::unused;
    ++tails;
    if (next == Next::nothing) {
      move_on(piece, -(T(1.0) / ray.R));
      return Answer::at_rest;
    }
    move_on(piece, s);
    return handle(next) ? Answer::over : Answer::moved;
  }

  RestitutionLaw law_;
  Listener& listener_;
  std::optional<Ray<T>> ray_;
  bool ray_sought_ = false;
  int rounds_ = 0;
  T target_{};
  double d_ = 0.0, p1_ = 0.0, p2_ = 0.0, stiff_ = 0.0, r_start_ = 0.0;
  bool monotone_ = true;
};

}  // namespace carom::spatial
