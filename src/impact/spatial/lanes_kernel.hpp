// The body of a step in lanes (lanes.hpp), compiled once for each instruction set, in a translation unit with its
// flags. Everything here belongs to that unit alone: nothing that another part of the program could link to by the same
// name.
#pragma once

#include "lanes_vector.hpp"
#include "tail.hpp"

namespace carom::spatial {
namespace {

inline Vector all(double x) { return Vector{} + x; }
inline Vector load(const double* p) { return *reinterpret_cast<const Vector*>(p); }
inline Mask load(const std::int64_t* p) { return *reinterpret_cast<const Mask*>(p); }
inline void store(double* p, const Vector& v) { *reinterpret_cast<Vector*>(p) = v; }
inline void store(std::int64_t* p, const Mask& m) { *reinterpret_cast<Mask*>(p) = m; }
inline Mask bits(const Vector& v) { return reinterpret_cast<Mask>(v); }
inline Vector from_bits(const Mask& m) { return reinterpret_cast<Vector>(m); }
/// v times 2^n, for n in the last bits of a number to which 1.5 * 2^52 was added; idle lanes may hold anything.
inline Vector scaled(const Vector& v, const Vector& shifted_n) {
  return reinterpret_cast<Vector>(reinterpret_cast<Wrapping>(v) + (reinterpret_cast<Wrapping>(shifted_n) << 52));
}
inline Vector absolute(const Vector& v) { return from_bits(bits(v) & 0x7fff'ffff'ffff'ffff); }
inline Vector larger(const Vector& a, const Vector& b) { return a > b ? a : b; }
inline Vector smaller(const Vector& a, const Vector& b) { return a < b ? a : b; }

/// log2 to 0.01, for the length of a step: exponent, and a parabola for the mantissa.
inline Vector rough_log2(const Vector& x) {
  constexpr double shift = 0x1p52;
  const Mask b = bits(x);
  const Mask exponent = (b >> 52) | 0x4330'0000'0000'0000;  // the double 2^52 + exponent
  const Vector m = from_bits((b & 0x000f'ffff'ffff'ffff) | 0x3ff0'0000'0000'0000);
  return (from_bits(exponent) - (shift + 1023.0)) + (m * (2.0 - m * (1.0 / 3.0)) - 5.0 / 3.0);
}
/// 2^x to 1e-4 for |x| < 1000.
inline Vector rough_exp2(const Vector& x) {
  constexpr double shift = 0x1.8p52;  // adding it rounds to an integer, left in the low bits
  const Vector t = x + shift, f = x - (t - shift);
  const Vector fraction = 1.0 + f * (0.69315 + f * (0.24023 + f * (0.05550 + f * 0.00962)));
  return scaled(fraction, t);
}
/// log2 of the length at which term k of a series, of this size at 1, comes down to 2^log2_small.
inline Vector log2_length(const Vector& term, std::size_t k, const Vector& log2_small) {
  return (log2_small - rough_log2(larger(term, all(smallest_term)))) * inverses[k];
}

/// Half of coefficient n of x^2 + y^2 and of r^2, as SlipSeries::half_squares. Loops, not straight code: a step
/// unrolled is longer than the processor's store of decoded instructions.
struct HalfSquares {
  Vector slip, speed;
};
inline HalfSquares half_squares(const Vector* x, const Vector* y, const Vector* r, std::size_t n, std::size_t from) {
  Vector sx{}, sy{}, sr{};
  if (n % 2 == 0 && n / 2 >= from) {
    const std::size_t m = n / 2;
    sx = x[m] * x[m] * 0.5;
    sy = y[m] * y[m] * 0.5;
    sr = r[m] * r[m] * 0.5;
  }
#pragma GCC unroll 2
  for (std::size_t j = (n - 1) / 2; j >= from; --j) {
    sx = fused(x[j], x[n - j], sx);
    sy = fused(y[j], y[n - j], sy);
    sr = fused(r[j], r[n - j], sr);
  }
  return {sx + sy, sr};
}

/// Half of coefficient n of the square of r.
inline Vector half_square(const Vector* r, std::size_t n, std::size_t from) {
  Vector sum = n % 2 == 0 ? r[n / 2] * r[n / 2] * 0.5 : Vector{};
#pragma GCC unroll 16
  for (std::size_t j = (n - 1) / 2; j >= from; --j) sum = fused(r[j], r[n - j], sum);
  return sum;
}

/// The value of a polynomial: even and odd powers apart, which halves the wait of each operation for the one before.
template <std::size_t terms, class Coefficient>
inline Vector polynomial_of(const Coefficient& p, const Vector& x) {
  static_assert(terms % 2 == 0);
  const Vector z = x * x;
  Vector even = Vector{} + p(terms - 2), odd = Vector{} + p(terms - 1);
#pragma GCC unroll 32
  for (std::size_t k = terms - 2; k >= 2; k -= 2) {
    even = fused(even, z, Vector{} + p(k - 2));
    odd = fused(odd, z, Vector{} + p(k - 1));
  }
  return fused(odd, x, even);
}
template <std::size_t terms>
inline Vector polynomial(const Vector* p, const Vector& x) {
  return polynomial_of<terms>([p](std::size_t k) { return p[k]; }, x);
}
template <std::size_t terms>
inline Vector polynomial_slope(const Vector* p, const Vector& x) {
  return p[1] + x * polynomial_of<terms - 2>([p](std::size_t k) { return p[k + 2] * static_cast<double>(k + 2); }, x);
}

/// Roots inside a bracket, as bracketed_root but by Chebyshev's method, which uses the second derivative too and
/// triples the digits where Newton's doubles them: one step from x, where f has this value and these derivatives.
struct Bracket {
  Vector low, high, x;
  Mask active;
};
inline void root_step(Bracket& b, const Vector& f, const Vector& slope, const Vector& bend) {
  constexpr double last_step = 1e-6;  // its cube is less than rounding
  const Vector per_slope = 1.0 / slope, newton = f * per_slope;
  const Vector curve = 0.5 * newton * (bend * per_slope), curved = absolute(curve) <= 0.5 ? curve : Vector{};
  b.active &= ~(f == 0.0);
  b.low = (b.active & (f < 0.0)) ? b.x : b.low;
  b.high = (b.active & (f > 0.0)) ? b.x : b.high;
  const Vector better = b.x - fused(newton, curved, newton);
  const Mask inside = (better >= b.low) & (better <= b.high);
  const Vector next = inside ? better : 0.5 * (b.low + b.high);
  const Vector step = absolute(next - b.x), size = absolute(next);
  b.x = b.active ? next : b.x;
  b.active &= ~((inside & (step <= last_step * size)) | (step <= epsilon * size));
}
inline constexpr int most_root_steps = 100;

/// Rates of a slip direction, as direction_at.
struct LaneDirection {
  Vector R, turn, slope;
};
struct LaneSurface {
  Vector b11, b12, b22, d1, d2, mu;
};
inline LaneDirection direction_in_lanes(const LaneSurface& c, const Vector& ux, const Vector& uy) {
  const Vector fx = c.d1 - c.mu * (ux * c.b11 + uy * c.b12), fy = c.d2 - c.mu * (ux * c.b12 + uy * c.b22);
  LaneDirection out;
  out.R = ux * fx + uy * fy;
  out.turn = ux * fy - uy * fx;
  out.slope = -(out.R + c.mu * (uy * uy * c.b11 - ux * uy * (2.0 * c.b12) + ux * ux * c.b22));
  return out;
}
inline LaneSurface surface_in_lanes(const LanePiece& io) {
  return {load(io.b11), load(io.b12), load(io.b22), load(io.d1), load(io.d2), load(io.mu)};
}

/// Where slip may be in lanes: its square keeps its digits, and so does that of the parameter (smallest_to_square).
inline Mask in_range(const Vector& square) {
  constexpr double smallest = 0x1p-900, largest = 0x1p200;
  return (square > smallest) & (square < largest);
}

/// How v_n changes on a piece from slip u to slip t, given w times the length of each. Slip turns one way all along,
/// and by less than half a circle; v_n falls only within a sector about the direction of d, so the ends tell.
struct Trend {
  Mask rises, falls_first, rises_last;  // falls_first: rises, if at all, only later
};
inline Trend trend(const LaneSurface& c, const Vector& w_u, const Vector& ux, const Vector& uy, const Vector& w_t,
                   const Vector& tx, const Vector& ty) {
  const Vector pull0 = c.d1 * ux + c.d2 * uy, pull1 = c.d1 * tx + c.d2 * ty;
  const Vector g0 = w_u - c.mu * pull0, g1 = w_t - c.mu * pull1;
  const Vector cross0 = c.d1 * uy - c.d2 * ux, cross1 = c.d1 * ty - c.d2 * tx;
  const Mask past_d = (cross0 * cross1 <= 0.0) & ((pull0 > 0.0) | (pull1 > 0.0));
  return {(g0 > 0.0) & (g1 > 0.0) & ~past_d, g0<0.0, g1> 0.0};
}

/// What comes next, as Process::next_piece, where slip has come to this size.
inline void store_next(LanePiece& io, const Mask& moved, const Vector& r, const LaneDirection& at) {
  const Vector left = r * load(io.per_r_start), turn = absolute(at.turn);
  const Vector share = ((at.R < 0.0) & (left < 0.5)) ? left : all(1.0);
  store(io.straight, turn * share <= epsilon * larger(absolute(at.slope), -at.R));
  const Vector allowance = at.R < 0.0 ? smaller(rough_log2(larger(left, all(smallest_share))), Vector{}) : Vector{};
  store(io.log2_small, moved ? log2_truncation - allowance : load(io.log2_small));
  const Vector widest = load(io.widest) * rough_exp2(-allowance * inverses[tail_order]);
  store(io.near_ray, (at.slope < 0.0) & (turn < -widest * at.slope));
}

/// The integrals of a step from its start to s, of slip (x, y), its size r and, for the work, half of r^2 - 1, all over
/// the first size. Everything else follows: slip and v_n are linear in the first three.
struct Integrals {
  Vector x, y, r, square;
};

template <bool with_work>
inline __attribute__((always_inline)) void step_in_lanes(LanePiece& io) {
  constexpr std::size_t terms = taylor_order + 1, squares = with_work ? work_terms - 1 : 1;
  Vector x[terms], y[terms], r[terms], sx[terms], sy[terms], sr[terms], sq[squares];  // s: integrated, from order one

  const LaneSurface c = surface_in_lanes(io);
  const Vector gx = load(io.gx), gy = load(io.gy), vn = load(io.vn), w = load(io.w), unit = load(io.unit);
  const Vector d1 = c.d1 * unit, d2 = c.d2 * unit, mu_unit = c.mu * unit;
  const Vector m11 = c.b11 * mu_unit, m12 = c.b12 * mu_unit, m22 = c.b22 * mu_unit;
  const Vector square = fused(gx, gx, gy * gy);
  const Vector r0 = square_root(square), per_r0 = 1.0 / r0, i0 = r0 * unit;
  const Vector rise = i0 * w, fall1 = r0 * c.mu * d1, fall2 = r0 * c.mu * d2;

  x[0] = gx * per_r0;
  y[0] = gy * per_r0;
  r[0] = all(1.0);
  const Vector along = fused(x[0], d1, y[0] * d2);  // u.d, M u
  const Vector along_x = fused(x[0], m11, y[0] * m12), along_y = fused(x[0], m12, y[0] * m22);
  Vector r1 = along - fused(along_x, x[0], along_y * y[0]), x1{}, y1{};
  for (std::size_t n = 1;; ++n) {  // as TaylorPiece::next_coefficient
    const Vector per_n = all(inverses[n]);
    sx[n - 1] = x[n - 1] * per_n;
    sy[n - 1] = y[n - 1] * per_n;
    sr[n - 1] = r[n - 1] * per_n;
    if (n == terms) break;
    x[n] = fused(sr[n - 1], d1, -fused(m11, sx[n - 1], m12 * sy[n - 1]));
    y[n] = fused(sr[n - 1], d2, -fused(m12, sx[n - 1], m22 * sy[n - 1]));
    if (n == 1) {
      r[1] = r1;
      if constexpr (with_work) {
        sq[0] = Vector{};
        sq[1] = r1 * 0.5;
      }
      // In order 2 these are squares, of which half counts.
      x1 = x[1] * 0.5;
      y1 = y[1] * 0.5;
      r1 *= 0.5;
      continue;
    }
    const Vector by_r = fused(along, per_n, -r1), by_x = fused(-along_x, per_n, x1), by_y = fused(-along_y, per_n, y1);
    const HalfSquares others = half_squares(x, y, r, n, 2);
    r[n] = fused(by_r, r[n - 1], fused(by_x, x[n - 1], fused(by_y, y[n - 1], others.slip - others.speed)));
    if constexpr (with_work) {
      sq[n] = (r[n] + fused(r1, r[n - 1], others.speed)) * inverses[n + 1];
    }
    x1 = x[1];
    y1 = y[1];
    r1 = r[1];
  }
  if constexpr (with_work) {  // short enough for straight code
#pragma GCC unroll 16
    for (std::size_t n = terms; n < squares; ++n) sq[n] = half_square(r, n, n - taylor_order) * inverses[n + 1];
  }

  // The last two terms set the length.
  const Vector log2_small = load(io.log2_small);
  const auto limit = [&](std::size_t k) {
    return log2_length(larger(larger(absolute(x[k]), absolute(y[k])), absolute(r[k])), k, log2_small);
  };
  const Vector reach = rough_exp2(smaller(limit(terms - 1), limit(terms - 2)));

  const Mask quantity = load(io.quantity);
  const Mask by_impulse = quantity == goal_impulse, by_work = quantity == goal_work;
  Integrals to;
  Vector px, py, size, impulse, velocity, work{}, decides;
  const auto go_to = [&](const Vector& s) {
    // Even and odd powers apart.
    static_assert(terms % 2 == 1 && squares % 2 == 1);
    const Vector z = s * s;
    Vector square_odd{};
    if constexpr (with_work) {
      to.square = sq[squares - 1];
      square_odd = sq[squares - 2];
      for (std::size_t k = squares - 3; k >= terms - 1; k -= 2) {
        to.square = fused(to.square, z, sq[k]);
        square_odd = fused(square_odd, z, sq[k - 1]);
      }
    }
    to.x = sx[terms - 1];
    to.y = sy[terms - 1];
    to.r = sr[terms - 1];
    Vector x_odd = sx[terms - 2], y_odd = sy[terms - 2], r_odd = sr[terms - 2];
    for (std::size_t k = terms - 3; k > 0; k -= 2) {
      to.x = fused(to.x, z, sx[k]);
      to.y = fused(to.y, z, sy[k]);
      to.r = fused(to.r, z, sr[k]);
      x_odd = fused(x_odd, z, sx[k - 1]);
      y_odd = fused(y_odd, z, sy[k - 1]);
      r_odd = fused(r_odd, z, sr[k - 1]);
      if constexpr (with_work) {
        to.square = fused(to.square, z, sq[k]);
        square_odd = fused(square_odd, z, sq[k - 1]);
      }
    }
    const Vector x_more = fused(to.x, z, x_odd * s), y_more = fused(to.y, z, y_odd * s);
    to.x = (x[0] + x_more) * s;
    to.y = (y[0] + y_more) * s;
    to.r = (1.0 + fused(to.r, z, r_odd * s)) * s;
    const Vector ax = fused(d1, to.r, -fused(m11, to.x, m12 * to.y)),
                 ay = fused(d2, to.r, -fused(m12, to.x, m22 * to.y));
    px = x[0] + ax;
    py = y[0] + ay;
    size = square_root(fused(px, px, py * py));
    impulse = i0 * to.r;
    velocity = vn + fused(rise, to.r, -fused(fall1, to.x, fall2 * to.y));
    decides = by_impulse ? impulse : velocity;
    if constexpr (with_work) {
      // Kinetic energy changes by the mean velocity times the impulse; what friction has not taken is normal work. The
      // constant parts of slip cancel: they are left out.
      to.square = fused(to.square, z, square_odd * s) * s;
      const Vector turned = fused(x[0], x_more, y[0] * y_more) * s;
      const Vector rubbed = fused(all(2.0), to.square, -turned) - 0.5 * fused(ax, to.x, ay * to.y);
      work = fused(0.5 * (vn + velocity), impulse, c.mu * i0 * r0 * rubbed);
      decides = by_work ? work : decides;
    }
  };

  // The quantity that decides, at the end of the step: is its level reached before?
  go_to(reach);
  const Vector level = load(io.level);
  const Trend v = trend(c, w, x[0], y[0], w * size, px, py);
  const Mask compression = (quantity == goal_velocity) & (level == 0.0);
  const Mask alone = ~(in_range(square) & (load(io.monotone) | v.rises | (v.falls_first & compression)));
  const Mask at_goal = (decides >= level) & ~alone;
  if (any(at_goal)) {
    // The first guess: by the parabola of the first terms, else the chord.
    const Vector slope = rise - fused(fall1, x[0], fall2 * y[0]),
                 bend = fused(rise, r[1], -fused(fall1, x[1], fall2 * y[1]));
    const Vector p0 = by_impulse | by_work ? Vector{} : vn, rest = level - p0;
    const Vector p1 = by_impulse ? i0 : by_work ? vn * i0 : slope;
    const Vector p2 = by_impulse ? i0 * r[1] : by_work ? i0 * fused(vn, r[1], slope) : bend;  // twice
    const Vector under = fused(p1, p1, 2.0 * p2 * rest);
    const Vector parabola = 2.0 * rest / (p1 + square_root(larger(under, Vector{})));
    const Vector chord = reach * (rest / (decides - p0));
    Vector guess = ((parabola > 0.0) & (parabola < reach)) ? parabola : chord;
    guess = ((guess > 0.0) & (guess < reach)) ? guess : 0.5 * reach;
    Bracket b{Vector{}, reach, guess, at_goal};
    for (int i = 0; i < most_root_steps && any(b.active); ++i) {
      go_to(b.x);
      const Vector tx = fused(d1, size, -fused(m11, px, m12 * py)), ty = fused(d2, size, -fused(m12, px, m22 * py));
      const Vector tr = fused(px, tx, py * ty) / size;
      const Vector v_slope = fused(rise, size, -fused(fall1, px, fall2 * py)), i_slope = i0 * size;
      const Vector v_bend = fused(rise, tr, -fused(fall1, tx, fall2 * ty)), i_bend = i0 * tr;
      Vector slope_now = by_impulse ? i_slope : v_slope, bend_now = by_impulse ? i_bend : v_bend;
      if constexpr (with_work) {
        slope_now = by_work ? velocity * i_slope : slope_now;
        bend_now = by_work ? fused(velocity, i_bend, v_slope * i_slope) : bend_now;
      }
      root_step(b, decides - level, slope_now, bend_now);
    }
    go_to(at_goal ? b.x : reach);
  }

  const Vector factor = c.mu * i0;
  const auto keep = [&](double* at, const Vector& moved) { store(at, alone ? load(at) : moved); };
  if constexpr (with_work) keep(io.work, load(io.work) + work);
  keep(io.gx, r0 * px);
  keep(io.gy, r0 * py);
  keep(io.vn, velocity);
  keep(io.ix, load(io.ix) - factor * to.x);
  keep(io.iy, load(io.iy) - factor * to.y);
  keep(io.in, load(io.in) + impulse);
  keep(io.impulse, load(io.impulse) + impulse);
  keep(io.level, by_impulse ? level - impulse : by_work ? level - work : level);
  store(io.at_goal, at_goal);
  store(io.alone, alone);
  // For what comes next.
  const Vector per_size = 1.0 / size;
  const LaneDirection at = direction_in_lanes(c, px * per_size, py * per_size);
  store_next(io, ~alone, r0 * size, at);
}
void step_with_work(LanePiece& io) { step_in_lanes<true>(io); }
void step_without_work(LanePiece& io) { step_in_lanes<false>(io); }

}  // namespace
}  // namespace carom::spatial
