// The body of a step in lanes (spatial_lanes.hpp), included once per instruction set by spatial_lanes.cpp, which
// provides `fused` (a b + c, rounded once), `square_root` and `any`. Only plain functions on vector types live here:
// nothing that another part of the program could link to by the same name.

static inline Vector all(double x) { return Vector{} + x; }
static inline Vector load(const double* p) { return *reinterpret_cast<const Vector*>(p); }
static inline Mask load(const std::int64_t* p) { return *reinterpret_cast<const Mask*>(p); }
static inline void store(double* p, const Vector& v) { *reinterpret_cast<Vector*>(p) = v; }
static inline void store(std::int64_t* p, const Mask& m) { *reinterpret_cast<Mask*>(p) = m; }
static inline Mask bits(const Vector& v) { return reinterpret_cast<Mask>(v); }
static inline Vector from_bits(const Mask& m) { return reinterpret_cast<Vector>(m); }
static inline Vector absolute(const Vector& v) { return from_bits(bits(v) & 0x7fff'ffff'ffff'ffff); }
static inline Vector larger(const Vector& a, const Vector& b) { return a > b ? a : b; }
static inline Vector smaller(const Vector& a, const Vector& b) { return a < b ? a : b; }

/// log2 to 0.01, for the length of a step: exponent, and a parabola for the mantissa.
static inline Vector rough_log2(const Vector& x) {
  constexpr double shift = 0x1p52;
  const Mask b = bits(x);
  const Mask exponent = (b >> 52) | 0x4330'0000'0000'0000;  // the double 2^52 + exponent
  const Vector m = from_bits((b & 0x000f'ffff'ffff'ffff) | 0x3ff0'0000'0000'0000);
  return (from_bits(exponent) - (shift + 1023.0)) + (m * (2.0 - m * (1.0 / 3.0)) - 5.0 / 3.0);
}
/// 2^x to 1e-4 for |x| < 1000.
static inline Vector rough_exp2(const Vector& x) {
  constexpr double shift = 0x1.8p52;  // adding it rounds to an integer, left in the low bits
  const Vector t = x + shift, f = x - (t - shift);
  const Vector fraction = 1.0 + f * (0.69315 + f * (0.24023 + f * (0.05550 + f * 0.00962)));
  return from_bits(bits(fraction) + (bits(t) << 52));
}
/// log2 of the length at which term k of a series, of this size at 1, comes down to 2^log2_small.
static inline Vector log2_length(const Vector& term, std::size_t k, const Vector& log2_small) {
  return (log2_small - rough_log2(larger(term, all(smallest_term)))) * inverses[k];
}

/// Half of coefficient n of x^2 + y^2 - r^2, as SlipSeries::half_squares. Loops, not straight code: a step unrolled is
/// longer than the processor's store of decoded instructions.
static inline Vector half_squares(const Vector* x, const Vector* y, const Vector* r, std::size_t n, std::size_t from) {
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
  return sx + sy - sr;
}

/// Coefficients n and n + 1 of the product of two polynomials, a of degree b_degree or b_degree + 1: they share what
/// they read.
struct Two {
  Vector first, second;
};
template <std::size_t a_degree, std::size_t b_degree>
static inline Two product_terms(const Vector* a, const Vector* b, std::size_t n) {
  static_assert(a_degree == b_degree || a_degree == b_degree + 1);
  const std::size_t from = n > b_degree ? n - b_degree : 0, end = n < a_degree ? n + 1 : a_degree;
  Vector first{}, second = n + 1 <= b_degree ? a[0] * b[n + 1] : Vector{};
  Vector before = a[from];
  for (std::size_t j = from; j < end && j < a_degree; ++j) {
    const Vector other = b[n - j], after = a[j + 1];
    first = fused(before, other, first);
    second = fused(after, other, second);
    before = after;
  }
  if (n >= a_degree) first = fused(before, b[n - a_degree], first);
  return {first, second};
}

/// The value of a polynomial: even and odd powers apart.
template <std::size_t terms>
static inline Vector polynomial(const Vector* p, const Vector& x) {
  static_assert(terms % 2 == 0);
  const Vector z = x * x;
  Vector even = p[terms - 2], odd = p[terms - 1];
#pragma GCC unroll 32
  for (std::size_t k = terms - 2; k >= 2; k -= 2) {
    even = fused(even, z, p[k - 2]);
    odd = fused(odd, z, p[k - 1]);
  }
  return fused(odd, x, even);
}

/// Newton's method inside a bracket, as bracketed_root: one step from x, where f has this value and slope.
struct Bracket {
  Vector low, high, x;
  Mask active;
};
static inline void newton_step(Bracket& b, const Vector& f, const Vector& slope) {
  constexpr double last_step = 1e-9;
  b.active &= ~(f == 0.0);
  b.low = b.active & (f < 0.0) ? b.x : b.low;
  b.high = b.active & (f > 0.0) ? b.x : b.high;
  const Vector newton = b.x - f / slope;
  const Mask inside = (newton >= b.low) & (newton <= b.high);
  const Vector next = inside ? newton : 0.5 * (b.low + b.high);
  const Vector step = absolute(next - b.x), size = absolute(next);
  b.x = b.active ? next : b.x;
  b.active &= ~((inside & (step <= last_step * size)) | (step <= epsilon * size));
}
inline constexpr int most_newton_steps = 100;

/// Where the polynomial p reaches `level` in (0, high], in the lanes of `wanted`. A lane stops on its own, whatever the
/// others still do.
template <std::size_t terms>
static inline Vector level_root(const Vector* p, const Vector& level, const Vector& high, const Vector& high_value,
                                const Mask& wanted) {
  static_assert(terms % 2 == 0);
  const Vector rest = level - p[0];
  // The parabola through the first terms, else the chord.
  const Vector square = p[1] * p[1] + 4.0 * p[2] * rest;
  const Vector parabola = 2.0 * rest / (p[1] + square_root(larger(square, Vector{})));
  const Vector chord = high * (rest / (high_value - p[0]));
  Vector guess = (parabola > 0.0) & (parabola < high) ? parabola : chord;
  guess = (guess > 0.0) & (guess < high) ? guess : 0.5 * high;
  Bracket b{Vector{}, high, guess, wanted};
  for (int i = 0; i < most_newton_steps && any(b.active); ++i) {
    const Vector z = b.x * b.x;
    Vector even = p[terms - 2], odd = p[terms - 1], even_slope{}, odd_slope{};
#pragma GCC unroll 32
    for (std::size_t k = terms - 2; k >= 2; k -= 2) {
      even_slope = fused(even_slope, z, even);
      odd_slope = fused(odd_slope, z, odd);
      even = fused(even, z, k == 2 ? p[0] - level : p[k - 2]);
      odd = fused(odd, z, p[k - 1]);
    }
    newton_step(b, fused(odd, b.x, even), fused(all(2.0), fused(even_slope, b.x, odd_slope * z), odd));
  }
  return b.x;
}

/// Rates of a slip direction, as direction_at.
struct LaneDirection {
  Vector R, turn, slope;
};
struct LaneSurface {
  Vector b11, b12, b22, d1, d2, mu;
};
static inline LaneDirection direction_in_lanes(const LaneSurface& c, const Vector& ux, const Vector& uy) {
  const Vector fx = c.d1 - c.mu * (ux * c.b11 + uy * c.b12), fy = c.d2 - c.mu * (ux * c.b12 + uy * c.b22);
  LaneDirection out;
  out.R = ux * fx + uy * fy;
  out.turn = ux * fy - uy * fx;
  out.slope = -(out.R + c.mu * (uy * uy * c.b11 - ux * uy * (2.0 * c.b12) + ux * ux * c.b22));
  return out;
}
static inline LaneSurface surface_in_lanes(const LanePiece& io) {
  return {load(io.b11), load(io.b12), load(io.b22), load(io.d1), load(io.d2), load(io.mu)};
}

/// Where slip may be in lanes: its square keeps its digits, and so does that of the parameter (smallest_to_square).
static inline Mask in_range(const Vector& square) {
  constexpr double smallest = 0x1p-900, largest = 0x1p200;
  return (square > smallest) & (square < largest);
}

/// How v_n changes on a piece from slip u to slip t, given w times the length of each. Slip turns one way all along,
/// and by less than half a circle; v_n falls only within a sector about the direction of d, so the ends tell.
struct Trend {
  Mask rises, falls;
};
static inline Trend trend(const LaneSurface& c, const Vector& w_u, const Vector& ux, const Vector& uy,
                          const Vector& w_t, const Vector& tx, const Vector& ty) {
  const Vector pull0 = c.d1 * ux + c.d2 * uy, pull1 = c.d1 * tx + c.d2 * ty;
  const Vector g0 = w_u - c.mu * pull0, g1 = w_t - c.mu * pull1;
  const Vector cross0 = c.d1 * uy - c.d2 * ux, cross1 = c.d1 * ty - c.d2 * tx;
  const Mask past_d = (cross0 * cross1 <= 0.0) & ((pull0 > 0.0) | (pull1 > 0.0));
  return {(g0 > 0.0) & (g1 > 0.0) & ~past_d, (g0 < 0.0) & (g1 < 0.0)};
}

template <bool with_work>
static inline __attribute__((always_inline)) void step_in_lanes(LanePiece& io) {
  constexpr std::size_t terms = taylor_order + 1;
  Vector x[terms], y[terms], r[terms], vn[terms + 1], ni[terms + 1], work[with_work ? work_terms + 1 : 1];

  const LaneSurface c = surface_in_lanes(io);
  const Vector gx = load(io.gx), gy = load(io.gy), w = load(io.w), unit = load(io.unit);
  const Vector d1 = c.d1 * unit, d2 = c.d2 * unit, mu_unit = c.mu * unit;
  const Vector m11 = c.b11 * mu_unit, m12 = c.b12 * mu_unit, m22 = c.b22 * mu_unit;
  const Vector square = fused(gx, gx, gy * gy);
  const Vector r0 = square_root(square), per_r0 = 1.0 / r0, i0 = r0 * unit;
  const Vector rise = i0 * w, fall1 = r0 * c.mu * d1, fall2 = r0 * c.mu * d2;

  x[0] = gx * per_r0;
  y[0] = gy * per_r0;
  r[0] = all(1.0);
  x[1] = fused(r[0], d1, -fused(m11, x[0], m12 * y[0]));
  y[1] = fused(r[0], d2, -fused(m12, x[0], m22 * y[0]));
  const Vector along = fused(x[0], d1, y[0] * d2);  // u.d, M u
  const Vector along_x = fused(x[0], m11, y[0] * m12), along_y = fused(x[0], m12, y[0] * m22);
  r[1] = along - fused(along_x, x[0], along_y * y[0]);
  vn[0] = load(io.vn);
  ni[0] = Vector{};
  if constexpr (with_work) work[0] = Vector{};
  const auto store_work = [&](std::size_t k) {
    const Two product = product_terms<terms, taylor_order>(vn, r, k);
    work[k + 1] = i0 * product.first * inverses[k + 1];
    work[k + 2] = i0 * product.second * inverses[k + 2];
  };
  // All series side by side: the long sums of the work fill the time in which the others wait for each other.
  for (std::size_t n = 2; n < terms + 2; ++n) {
    if (n < terms) {  // as TaylorPiece::next_coefficient
      const Vector per_n = all(inverses[n]), half = all(n == 2 ? 0.5 : 1.0);
      x[n] = fused(r[n - 1], d1, -fused(m11, x[n - 1], m12 * y[n - 1])) * per_n;
      y[n] = fused(r[n - 1], d2, -fused(m12, x[n - 1], m22 * y[n - 1])) * per_n;
      const Vector by_r = fused(along, per_n, -half * r[1]), by_x = fused(half, x[1], -along_x * per_n),
                   by_y = fused(half, y[1], -along_y * per_n), others = half_squares(x, y, r, n, 2);
      r[n] = fused(by_r, r[n - 1], fused(by_x, x[n - 1], fused(by_y, y[n - 1], others)));
    }
    const std::size_t k = n - 2;
    vn[k + 1] = fused(r[k], rise, -fused(x[k], fall1, y[k] * fall2)) * inverses[k + 1];
    ni[k + 1] = i0 * r[k] * inverses[k + 1];
    if constexpr (with_work)
      if (k % 2 == 1) store_work(k - 1);
  }
  if constexpr (with_work)
    for (std::size_t k = taylor_order; k + 1 < work_terms; k += 2) store_work(k);

  // The last two terms set the length.
  const Vector log2_small = load(io.log2_small);
  const auto limit = [&](std::size_t k) {
    return log2_length(larger(larger(absolute(x[k]), absolute(y[k])), absolute(r[k])), k, log2_small);
  };
  const Vector reach = rough_exp2(smaller(limit(terms - 1), limit(terms - 2)));

  // The quantity that decides, at the end of the step: is its level reached before?
  const Mask quantity = load(io.quantity);
  const Mask by_impulse = quantity == goal_impulse, by_work = quantity == goal_work;
  const Vector level = load(io.level);
  Vector px = x[terms - 1], py = y[terms - 1], v_end = vn[terms], i_end = ni[terms];
  for (std::size_t k = terms - 1; k-- > 0;) {
    px = fused(px, reach, x[k]);
    py = fused(py, reach, y[k]);
    v_end = fused(v_end, reach, vn[k + 1]);
    i_end = fused(i_end, reach, ni[k + 1]);
  }
  v_end = fused(v_end, reach, vn[0]);
  i_end *= reach;
  const Trend v = trend(c, w, x[0], y[0], w * square_root(fused(px, px, py * py)), px, py);
  const Mask compression = (quantity == goal_velocity) & (level == 0.0);
  const Mask alone = ~(in_range(square) & (load(io.monotone) | v.rises | (v.falls & compression)));
  Vector far = by_impulse ? i_end : v_end;
  if constexpr (with_work) far = by_work ? polynomial<work_terms>(work, reach) : far;
  const Mask at_goal = (far >= level) & ~alone;
  Vector s = reach;
  if (any(at_goal)) {
    constexpr std::size_t most_terms = with_work ? work_terms : terms + 1;
    Vector deciding[most_terms];
    for (std::size_t k = 0; k < most_terms; ++k) {
      deciding[k] = k <= terms ? (by_impulse ? ni[k] : vn[k]) : Vector{};
      if constexpr (with_work) deciding[k] = by_work ? work[k] : deciding[k];
    }
    s = at_goal ? level_root<most_terms>(deciding, level, reach, far, at_goal) : reach;
    px = x[terms - 1];
    py = y[terms - 1];
    v_end = vn[terms];
    i_end = ni[terms];
    for (std::size_t k = terms - 1; k-- > 0;) {
      px = fused(px, s, x[k]);
      py = fused(py, s, y[k]);
      v_end = fused(v_end, s, vn[k + 1]);
      i_end = fused(i_end, s, ni[k + 1]);
    }
    v_end = fused(v_end, s, vn[0]);
    i_end *= s;
  }
  Vector sx = x[terms - 1] * inverses[terms], sy = y[terms - 1] * inverses[terms];
  for (std::size_t k = terms - 1; k-- > 0;) {
    sx = fused(sx, s, x[k] * inverses[k + 1]);
    sy = fused(sy, s, y[k] * inverses[k + 1]);
  }

  const Vector factor = c.mu * i0 * s;
  if constexpr (with_work) store(io.work, polynomial<work_terms>(work, s));
  store(io.gx, r0 * px);
  store(io.gy, r0 * py);
  store(io.vn, v_end);
  store(io.ix, load(io.ix) - factor * sx);
  store(io.iy, load(io.iy) - factor * sy);
  store(io.in, load(io.in) + i_end);
  store(io.impulse, i_end);
  store(io.at_goal, at_goal);
  store(io.alone, alone);
  // For what comes next.
  const Vector now = square_root(fused(px, px, py * py)), per_now = 1.0 / now;
  const LaneDirection at = direction_in_lanes(c, px * per_now, py * per_now);
  store(io.r, r0 * now);
  store(io.R, at.R);
  store(io.turn, at.turn);
  store(io.slope, at.slope);
}
static void step_with_work(LanePiece& io) { step_in_lanes<true>(io); }
static void step_without_work(LanePiece& io) { step_in_lanes<false>(io); }
