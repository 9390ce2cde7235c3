// Process: the way along curved pieces, from event to event. Included by spatial_process.hpp.
#pragma once

#include "process.hpp"

namespace carom::spatial {

/// The next event on [low, high], where v_n is monotone, and where on the piece it is.
template <class T, class Listener>
template <class Piece>
typename Process<T, Listener>::Next Process<T, Listener>::next_on(const Piece& piece, const Mark& mark, double low,
                                                                  double high, bool rising, T& s) const {
  const double v_high = !state.restitution || !rising || law_ == RestitutionLaw::newton
                            ? piece.normal_velocity_value(high)
                            : 0.0;  // not asked for
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
  const auto refined = [&](double found, auto&& f, auto&& slope) {
    if constexpr (std::is_same_v<T, double>) {
      return found;
    } else {
      const T at = f();
      return T(found) - (at - T(value(at))) / T(slope());
    }
  };
  const auto velocity_at = [&](double x) {
    return refined(
        x, [&] { return piece.normal_velocity(T(x)) - (state.restitution ? target_ : T(0.0)); },
        [&] { return piece.velocity_slope(x); });
  };
  if (!state.restitution) {
    if (!rising || !(v_high >= 0.0)) return Next::nothing;
    const double found = velocity_root(0.0, 1.0);
    s = velocity_at(found);
    return Next::compression_ends;
  }
  Next next = Next::nothing;
  double limit = high;
  if (!rising && v_high < 0.0) {
    limit = velocity_root(0.0, -1.0);
    s = refined(
        limit, [&] { return piece.normal_velocity(T(limit)); }, [&] { return piece.velocity_slope(limit); });
    next = Next::recompression_begins;
  }
  if (law_ == RestitutionLaw::newton) {
    if (!rising || !(v_high >= value(target_))) return next;
    const double found = velocity_root(value(target_), 1.0);
    s = velocity_at(found);
    return Next::separates;
  }
  if (law_ == RestitutionLaw::poisson) {
    const T end = impulse_left() + mark.impulse;
    const double level = value(end), all = piece.impulse_value(limit), done = value(mark.impulse);
    if (!(all >= level)) return next;
    const double found = bracketed_root(
        [&](double x) {
          const auto [impulse, slope] = piece.impulse_and_slope(x);
          return std::pair(impulse - level, slope);
        },
        low, limit, low + (limit - low) * ((level - done) / (all - done)));
    s = refined(
        found, [&] { return piece.impulse(T(found)) - end; }, [&] { return piece.impulse_slope(found); });
    return Next::separates;
  }
  const T end = work_left() + mark.work;
  const double left = value(work_left()), level = value(end);
  if (!(piece.work_value(limit) >= level)) return next;
  // Guess from v_n and its slope here: left = v x + g x^2/2 in the impulse x, turned into the parameter.
  const double v = piece.normal_velocity_value(low), i = piece.impulse_slope(low), g = piece.velocity_slope(low) / i;
  const double x0 = 2.0 * left / (v + std::sqrt(std::max(0.0, v * v + 2.0 * g * left)));
  const double found = bracketed_root(
      [&](double x) {
        const auto [work, slope] = piece.work_and_slope(x);
        return std::pair(work - level, slope);
      },
      low, limit, low + x0 / i);
  s = refined(
      found, [&] { return piece.work(T(found)) - end; },
      [&] { return piece.normal_velocity_value(found) * piece.impulse_slope(found); });
  return Next::separates;
}

template <class T, class Listener>
template <class Piece>
void Process<T, Listener>::move_on(const Piece& piece, Mark& mark, const T& s) {
  listener_.curve(piece, state, value(mark.at), value(s));
  const T work = needs_work() ? piece.work(s) : T(0.0);
  const T impulse = piece.move(state, s);
  book(impulse - mark.impulse, work - mark.work);
  mark = {s, impulse, work};
}

/// May restitution go on along the piece on which compression has just ended? Its impulse and work are then
/// differences of those of the piece, too small ones if it gives back little.
template <class T, class Listener>
bool Process<T, Listener>::goes_on(Next next) const {
  constexpr double least = 0.05;
  return next == Next::compression_ends && value(c.e) >= least;
}

template <class T, class Listener>
bool Process<T, Listener>::follow_taylor(const TaylorPiece<T>& piece) {
  constexpr double worthwhile = 0.2;  // share of a step left
  const Stretches stretches = stretches_of(piece, monotone_);
  Mark mark;
  for (std::size_t k = 0; k < stretches.count; ++k) {
    double low = stretches.edges[k];
    const double high = stretches.edges[k + 1];
    const bool rising = monotone_ || piece.velocity_slope(0.5 * (low + high)) > 0.0;
    T s{};
    for (Next next; (next = next_on(piece, mark, low, high, rising, s)) != Next::nothing;) {
      move_on(piece, mark, s);
      if (handle(next)) return true;
      if (!goes_on(next) || piece.reach() - value(s) < worthwhile * piece.reach()) return false;
      low = value(s);
    }
  }
  move_on(piece, mark, T(piece.reach()));
  return false;
}

template <class T, class Listener>
typename Process<T, Listener>::Answer Process<T, Listener>::follow_tail(TailPiece<T>& piece, const T& ux, const T& uy,
                                                                        const Ray<T>& ray) {
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
  Mark mark;
  for (bool integrated = false;; integrated = true) {
    if (!resolves_next(piece)) return integrated ? Answer::moved : Answer::unused;
    if (!integrated) piece.integrate(needs_work(), Listener::ledger);
    const double low = value(mark.at);
    T s{};
    Next next = next_on(piece, mark, low, high, rising, s);
    for (int i = 0; next == Next::nothing && !piece.ends() && i < 60; ++i) {
      high *= 4.0;
      next = next_on(piece, mark, low, high, rising, s);
    }
    if (next == Next::nothing && !piece.ends()) return integrated ? Answer::moved : Answer::unused;
    if (next == Next::nothing) {
      move_on(piece, mark, -(T(1.0) / ray.R));
      follow_line(at_rest());
      return Answer::over;
    }
    move_on(piece, mark, s);
    if (handle(next)) return Answer::over;
    if (!goes_on(next)) return Answer::moved;
  }
}

/// Is the next event far enough for a tail?
template <class T, class Listener>
bool Process<T, Listener>::resolves_next(const TailPiece<T>& piece) const {
  const double huge = std::numeric_limits<double>::max();
  const double velocity = !state.restitution               ? value(state.vn)
                          : law_ == RestitutionLaw::newton ? value(target_ - state.vn)
                                                           : huge;
  const double work = state.restitution && law_ == RestitutionLaw::energetic ? value(work_left()) : huge;
  const double impulse = state.restitution && law_ == RestitutionLaw::poisson ? value(impulse_left()) : huge;
  return piece.resolves(velocity, work, impulse);
}

}  // namespace carom::spatial
