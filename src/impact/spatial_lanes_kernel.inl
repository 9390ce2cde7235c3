// The body of a step in lanes (spatial_lanes.hpp), included once per instruction set by spatial_lanes.cpp. Only plain
// functions on vector types live here: nothing that another part of the program could link to by the same name.

using Vector = double __attribute__((vector_size(sizeof(double) * lanes)));
using Mask = std::int64_t __attribute__((vector_size(sizeof(double) * lanes)));
using MaskElement = std::int64_t;

static inline Vector all(double x) { return Vector{} + x; }
static inline Vector load(const double* p) { return *reinterpret_cast<const Vector*>(p); }
static inline void store(double* p, const Vector& v) { *reinterpret_cast<Vector*>(p) = v; }
static inline Mask bits(const Vector& v) { return reinterpret_cast<Mask>(v); }
static inline Vector from_bits(const Mask& m) { return reinterpret_cast<Vector>(m); }
static inline Vector absolute(const Vector& v) { return from_bits(bits(v) & 0x7fff'ffff'ffff'ffff); }
static inline Vector larger(const Vector& a, const Vector& b) { return a > b ? a : b; }
static inline Vector square_root(const Vector& v) {
  Vector out;
  for (std::size_t i = 0; i < lanes; ++i) out[i] = __builtin_sqrt(v[i]);
  return out;
}
static inline bool any(const Mask& m) {
  MaskElement sum = 0;
  for (std::size_t i = 0; i < lanes; ++i) sum |= m[i];
  return sum != 0;
}

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

/// Where the polynomial p reaches `level` in (0, high], by Newton's method inside a bracket (as bracketed_root), in
/// the lanes of `wanted`. A lane stops on its own, whatever the others still do.
static inline Vector level_root(const Vector* p, std::size_t terms, const Vector& level, const Vector& high_end,
                                const Vector& high_value, const Mask& wanted) {
  constexpr double last_step = 1e-9;
  constexpr int most = 100;
  const Vector rest = level - p[0];
  // The parabola through the first terms, else the chord.
  const Vector square = p[1] * p[1] + 4.0 * p[2] * rest;
  const Vector parabola = 2.0 * rest / (p[1] + square_root(larger(square, Vector{})));
  const Vector chord = high_end * (rest / (high_value - p[0]));
  Vector low{}, high = high_end;
  Vector x = (parabola > 0.0) & (parabola < high) ? parabola : chord;
  x = (x > 0.0) & (x < high) ? x : 0.5 * high;
  Mask active = wanted;
  for (int i = 0; i < most && any(active); ++i) {
    Vector f = p[terms - 1], slope{};
    for (std::size_t k = terms - 1; k-- > 1;) {
      slope = slope * x + f;
      f = f * x + p[k];
    }
    slope = slope * x + f;
    f = f * x + (p[0] - level);
    active &= ~(f == 0.0);
    low = active & (f < 0.0) ? x : low;
    high = active & (f > 0.0) ? x : high;
    const Vector newton = x - f / slope;
    const Mask inside = (newton >= low) & (newton <= high);
    const Vector next = inside ? newton : 0.5 * (low + high);
    const Vector step = absolute(next - x), size = absolute(next);
    x = active ? next : x;
    active &= ~((inside & (step <= last_step * size)) | (step <= epsilon * size));
  }
  return x;
}

static void step_in_lanes(LaneStep& io) {
  constexpr std::size_t terms = taylor_order + 1;
  Vector x[terms], y[terms], r[terms], vn[terms + 1], ni[terms + 1], work[terms + 1];

  const Vector gx = load(io.gx), gy = load(io.gy), d1 = load(io.d1), d2 = load(io.d2), w = load(io.w);
  const Vector mu = load(io.mu), m11 = load(io.m11), m12 = load(io.m12), m22 = load(io.m22);
  const Vector square = gx * gx + gy * gy;
  constexpr double smallest = 0x1p-900, largest = 0x1p900;  // the square of the slip keeps its digits between
  Mask alone = ~((square > smallest) & (square < largest) & (m11 + m22 < largest_rate));
  const Vector r0 = square_root(square), per_r0 = 1.0 / r0;

  x[0] = gx * per_r0;
  y[0] = gy * per_r0;
  r[0] = all(1.0);
#pragma GCC unroll 32
  for (std::size_t n = 1; n < terms; ++n) {
    x[n] = (r[n - 1] * d1 - (m11 * x[n - 1] + m12 * y[n - 1])) * inverses[n];
    y[n] = (r[n - 1] * d2 - (m12 * x[n - 1] + m22 * y[n - 1])) * inverses[n];
    Vector sx{}, sy{}, sr{};
#pragma GCC unroll 32
    for (std::size_t j = 1; 2 * j < n; ++j) {
      sx += x[j] * x[n - j];
      sy += y[j] * y[n - j];
      sr += r[j] * r[n - j];
    }
    if (n % 2 == 0) {
      sx += x[n / 2] * x[n / 2] * 0.5;
      sy += y[n / 2] * y[n / 2] * 0.5;
      sr += r[n / 2] * r[n / 2] * 0.5;
    }
    r[n] = (sx + sy) + (x[0] * x[n] + y[0] * y[n]) - sr;
  }

  // The last two terms set the length.
  const Vector last = larger(larger(absolute(x[terms - 1]), absolute(y[terms - 1])), all(smallest_term));
  const Vector before = larger(larger(absolute(x[terms - 2]), absolute(y[terms - 2])), all(smallest_term));
  const Vector by_last = (log2_truncation - rough_log2(last)) * inverses[terms - 1];
  const Vector by_before = (log2_truncation - rough_log2(before)) * inverses[terms - 2];
  const Vector reach = rough_exp2(by_last < by_before ? by_last : by_before);

  const Vector rise = r0 * w, fall1 = r0 * mu * d1, fall2 = r0 * mu * d2;
  vn[0] = load(io.vn);
  ni[0] = Vector{};
  // v_n surely rises throughout if its slope at the start outweighs all later terms.
  Vector others{}, first{};
#pragma GCC unroll 32
  for (std::size_t k = terms; k-- > 0;) {
    const Vector slope = r[k] * rise - (x[k] * fall1 + y[k] * fall2);
    vn[k + 1] = slope * inverses[k + 1];
    ni[k + 1] = r0 * r[k] * inverses[k + 1];
    if (k > 0)
      others = (others + absolute(slope)) * reach;
    else
      first = slope;
  }
  const Mask always = *reinterpret_cast<const Mask*>(io.monotone);
  alone |= ~(always | (first > others));

  if (io.any_work) {
    work[0] = Vector{};
#pragma GCC unroll 32
    for (std::size_t n = 0; n < terms; ++n) {
      Vector even{}, odd{};
#pragma GCC unroll 32
      for (std::size_t j = 0; j <= n; ++j) {
        if (j % 2)
          odd += vn[j] * r[n - j];
        else
          even += vn[j] * r[n - j];
      }
      work[n + 1] = r0 * (even + odd) * inverses[n + 1];
    }
  }

  // The quantity that decides, at the end of the step: is its level reached before?
  const Mask quantity = *reinterpret_cast<const Mask*>(io.quantity);
  const Mask by_impulse = quantity == goal_impulse, by_work = quantity == goal_work;
  Vector deciding[terms + 1];
  for (std::size_t k = 0; k <= terms; ++k) {
    deciding[k] = by_impulse ? ni[k] : vn[k];
    if (io.any_work) deciding[k] = by_work ? work[k] : deciding[k];
  }
  Vector far = deciding[terms];
  for (std::size_t k = terms; k-- > 0;) far = far * reach + deciding[k];
  const Vector level = load(io.level);
  const Mask at_goal = (far >= level) & ~alone;
  Vector s = reach;
  if (any(at_goal)) {
    const Vector root = level_root(deciding, terms + 1, level, reach, far, at_goal);
    s = at_goal ? root : reach;
  }

  Vector px = x[terms - 1], py = y[terms - 1];
  Vector sx = px * inverses[terms], sy = py * inverses[terms], si = ni[terms], sv = vn[terms];
  for (std::size_t k = terms - 1; k-- > 0;) {
    px = px * s + x[k];
    py = py * s + y[k];
    sx = sx * s + x[k] * inverses[k + 1];
    sy = sy * s + y[k] * inverses[k + 1];
    si = si * s + ni[k + 1];
    sv = sv * s + vn[k + 1];
  }
  const Vector impulse = si * s, factor = mu * r0 * s;
  if (io.any_work) {
    Vector sw = work[terms];
    for (std::size_t k = terms; k-- > 1;) sw = sw * s + work[k];
    store(io.work, sw * s);
  } else {
    store(io.work, Vector{});
  }
  store(io.gx, r0 * px);
  store(io.gy, r0 * py);
  store(io.vn, vn[0] + sv * s);
  store(io.ix, load(io.ix) - factor * sx);
  store(io.iy, load(io.iy) - factor * sy);
  store(io.in, load(io.in) + impulse);
  store(io.impulse, impulse);
  *reinterpret_cast<Mask*>(io.at_goal) = at_goal;
  *reinterpret_cast<Mask*>(io.alone) = alone;
}
