// The body of a tail in lanes, as find_ray and TailPiece; included after spatial_lanes_kernel.inl.

/// Turns u to the attracting ray next to it. @return the lanes that found one
static inline Mask turn_to_ray(const LaneSurface& c, Vector& ux, Vector& uy) {
  constexpr int most = 12;
  Mask active = ~Mask{}, found{};
  for (int i = 0; i < most && any(active); ++i) {
    const LaneDirection at = direction_in_lanes(c, ux, uy);
    active &= at.slope < 0.0;
    const Vector h = larger(smaller(-0.5 * at.turn / at.slope, all(0.25)), all(-0.25));
    const Vector per = 1.0 / (1.0 + h * h), ch = (1.0 - h * h) * per, sh = 2.0 * h * per;
    const Vector nx = ch * ux - sh * uy, ny = sh * ux + ch * uy;
    ux = active ? nx : ux;
    uy = active ? ny : uy;
    const Mask done = active & (absolute(h) < 1e-9);
    found |= done;
    active &= ~done;
  }
  const Vector per = 1.0 / square_root(ux * ux + uy * uy);
  ux *= per;
  uy *= per;
  return found;
}

/// 1/k!
inline constexpr auto inverse_factorials = [] {
  std::array<double, 16> out{1.0};
  for (std::size_t k = 1; k < out.size(); ++k) out[k] = out[k - 1] / static_cast<double>(k);
  return out;
}();

/// x^p for 0 <= x^p <= 1, to a few units of rounding of 1 (not of itself: the tail wants nothing more). x = 0 gives 0.
static inline Vector power(const Vector& x, const Vector& p) {
  constexpr double ln2 = 0.6931471805599453, per_ln2 = 1.4426950408889634, shift = 0x1.8p52;
  // x = 2^k m with m next to 1, and log m = 2 artanh((m - 1)/(m + 1)).
  const Mask b = bits(larger(x, all(smallest_term)));
  const Mask k = (b - 0x3fe6'a09e'0000'0000) >> 52;  // sqrt(1/2) <= m < sqrt(2)
  const Vector m = from_bits(b - (k << 52));
  const Vector f = (m - 1.0) / (m + 1.0), z = f * f;
  // The terms left out are less than 2^-54.
  const Vector sum = polynomial_of<12>([](std::size_t j) { return inverses[2 * j + 1]; }, z);
  const Vector k_double = from_bits((k + 0x4338'0000'0000'0000)) - shift;
  const Vector log2_x = fused(2.0 * per_ln2 * f, sum, k_double);
  // 2^t = 2^n e^(g), |g| <= ln(2)/2
  constexpr double least = -1000.0;
  const Vector t = larger(p * log2_x, all(least)), n = t + shift, g = (t - (n - shift)) * ln2;
  const Vector e = polynomial_of<14>([](std::size_t j) { return inverse_factorials[j]; }, g);
  return x > 0.0 ? scaled(e, n) : Vector{};
}

/// Where on the tail: e = exp(R s) and q = exp(-a s) at y = (e - 1)/R.
static inline void tail_point(const Vector& y, const Vector& R, const Vector& exponent, Vector& e, Vector& q) {
  e = larger(R * y + 1.0, Vector{});
  q = power(e, exponent);
}

static void tail_in_lanes(LanePiece& io) {
  constexpr std::size_t terms = tail_order + 1;
  const LaneSurface c = surface_in_lanes(io);
  const Vector w = load(io.w), gx = load(io.gx), gy = load(io.gy), vn = load(io.vn), level = load(io.level);

  const Vector square = gx * gx + gy * gy;
  Mask alone = ~in_range(square);
  const Vector per_r0 = 1.0 / square_root(square), u0x = gx * per_r0, u0y = gy * per_r0;
  Vector ux = u0x, uy = u0y;
  Mask refused = ~turn_to_ray(c, ux, uy);
  const LaneDirection at = direction_in_lanes(c, ux, uy);
  const Vector R = at.R, a = -at.slope, d1 = ux * c.d1 + uy * c.d2, d2 = ux * c.d2 - uy * c.d1;

  // Unit coefficients.
  Vector x[terms], z[terms], r[terms];
  const Vector per_a = 1.0 / a;
  x[0] = r[0] = all(1.0);
  z[0] = Vector{};
  x[1] = r[1] = d2 * per_a;
  z[1] = all(1.0);
  for (std::size_t n = 2; n < terms; ++n) {
    const HalfSquares halves = half_squares(x, z, r, n, 1);
    const Vector sum = halves.slip - halves.speed;
    z[n] = -(x[1] * inverses[n - 1]) * sum;
    x[n] = fused(d2, z[n], -d1 * sum) * (per_a * inverses[n]);
    r[n] = x[n] + sum;
  }
  const auto limit = [&](std::size_t k) {
    return log2_length(absolute(x[k]) + absolute(z[k]) + absolute(r[k]), k, all(log2_truncation));
  };
  const Vector narrow = rough_exp2(smaller(smaller(limit(terms - 1), limit(terms - 2)), all(-1.0)));
  const Vector widest = narrow * rough_exp2((load(io.log2_small) - log2_truncation) * inverses[tail_order]);
  // No exponent may vanish (find_ray).
  const Vector scale = larger(a, absolute(R)) * resonance;
  Vector power = all(1.0), ka{};
  for (std::size_t k = 0; k < terms; ++k) {
    const Vector nearest = smaller(absolute(ka - R), absolute(ka - 2.0 * R));
    const Vector weight = smaller(larger(absolute(r[k]) * power, all(least_weight)), all(1.0));
    refused |= nearest < scale * weight;
    power *= narrow;
    ka += a;
  }
  // A lane without a ray need not try again, the others when they are near enough.
  store(io.widest, refused ? Vector{} : narrow);

  // The amplitude.
  const Vector along = ux * gx + uy * gy, across = ux * gy - uy * gx;
  refused |= ~((along > 0.0) & (absolute(across) <= 1.5 * widest * along));
  const Vector ratio = across / along;
  Vector zeta = ratio * (1.0 - (z[2] - x[1]) * ratio);  // to second order
  Mask active = ~(refused | alone);
  for (int n = 0; n < 8 && any(active); ++n) {
    const Vector miss = fused(along, polynomial<terms>(z, zeta), -across * polynomial<terms>(x, zeta));
    const Vector slope = fused(along, polynomial_slope<terms>(z, zeta), -across * polynomial_slope<terms>(x, zeta));
    const Vector step = miss / slope;
    zeta = active ? zeta - step : zeta;
    const Mask lost = ~(absolute(zeta) <= 1.5 * widest);
    active &= ~(lost | (absolute(step) <= 1e-9 * absolute(zeta)));
  }
  refused |= ~(absolute(zeta) <= widest);

  // Where v_n falls first, compression ends when it has risen again, if it does, or goes on to the end of slip. Where
  // v_n may rise first and fall later the tail is no use (Process::follow_tail).
  const Mask quantity = load(io.quantity), compression = (quantity == goal_velocity) & (level == 0.0);
  const Trend v = trend(c, w, u0x, u0y, w, ux, uy);
  const Mask rises = load(io.monotone) | v.rises;
  refused |= ~(rises | v.falls_first);
  alone = (alone | ~(rises | (compression & (v.rises_last | (R < 0.0))))) & ~refused;
  store(io.alone, alone);
  if (!any(~(refused | alone))) {
    store(io.refused, refused);
    return;
  }

  // Integrals from y to the far end are e times a series in q; the `far` ones are those from here.
  Vector rate[terms], inverse[terms], i[terms], g[terms], slope[terms], k2[terms]{};
  Vector i_far{}, v_far = vn, k_far{}, sx_far{}, sz_far{};
  Vector factor = along / polynomial<terms>(x, zeta);
  for (std::size_t k = 0; k < terms; ++k) {
    x[k] *= factor;
    z[k] *= factor;
    r[k] *= factor;
    factor *= zeta;
    rate[k] = static_cast<double>(k) * a - R;
    inverse[k] = 1.0 / rate[k];
    i[k] = r[k] * inverse[k];
    slope[k] = r[k] * w - c.mu * (d1 * x[k] + d2 * z[k]);
    g[k] = slope[k] * inverse[k];
    i_far += i[k];
    v_far += g[k];
    sx_far = fused(x[k], inverse[k], sx_far);
    sz_far = fused(z[k], inverse[k], sz_far);
  }
  if (io.any_work) {
    for (std::size_t m = 0; m < terms; m += 2) {
      const Two product = product_terms<tail_order, tail_order>(g, r, m);
      k_far += k2[m] = product.first / (rate[m] - R);
      k_far += k2[m + 1] = product.second / (rate[m + 1] - R);
    }
  }

  // An event very close by is left to the Taylor series (TailPiece::resolves).
  const Mask by_impulse = quantity == goal_impulse, by_work = quantity == goal_work;
  const Vector whole = absolute(v_far) + absolute(vn), far_impulse = absolute(i_far);
  const Vector change = by_impulse | by_work ? absolute(level) : absolute(level - vn);
  refused |= change < (by_impulse ? near_event * far_impulse
                       : by_work  ? near_event_work * whole * far_impulse
                                  : near_event * whole);

  // The deciding quantity, counted so that it is zero at the goal, and its derivatives (dq/dy = -a q/e).
  const Vector exponent = -(a / R);
  Vector e, q;
  const auto miss = [&](const Vector& at_y, Vector& f, Vector& df, Vector& ddf) {
    tail_point(at_y, R, exponent, e, q);
    Vector pi{}, pr{}, pg{}, ps{}, dr{}, ds{};
    for (std::size_t k = terms; k-- > 0;) {
      dr = fused(dr, q, pr);
      ds = fused(ds, q, ps);
      pi = fused(pi, q, i[k]);
      pr = fused(pr, q, r[k]);
      pg = fused(pg, q, g[k]);
      ps = fused(ps, q, slope[k]);
    }
    const Vector impulse = i_far - e * pi, velocity = v_far - e * pg, turn = -a * q / e;
    f = (by_impulse ? impulse : velocity) - level;
    df = by_impulse ? pr : ps;
    ddf = turn * (by_impulse ? dr : ds);
    if (io.any_work) {
      const Vector done = v_far * impulse - (k_far - e * e * polynomial<terms>(k2, q));
      f = by_work ? done - level : f;
      df = by_work ? velocity * pr : df;
      ddf = by_work ? fused(velocity, turn * dr, ps * pr) : ddf;
    }
  };
  const Mask ends = R < 0.0;
  const Vector last = -1.0 / R;  // where slip ends, if it does
  Vector high = ends ? last : -last;
  const Vector far = by_impulse ? i_far : by_work ? v_far * i_far - k_far : v_far;
  Mask at_goal = ends & (far >= level);
  // Slip that goes on has its end somewhere.
  Mask open = ~(ends | refused | alone);
  for (int n = 0; n < 60 && any(open); ++n) {
    Vector f, df, ddf;
    miss(high, f, df, ddf);
    const Mask there = open & (f >= 0.0);
    at_goal |= there;
    open &= ~there;
    high = open ? high * 4.0 : high;
  }
  refused |= open;
  at_goal &= ~(refused | alone);

  Vector y = last;
  if (any(at_goal)) {
    // From here on as if v_n changed at its present slope.
    const Vector r_now = square * per_r0, rise = w * r_now - c.mu * (c.d1 * gx + c.d2 * gy);
    const Vector under = fused(vn, vn, 2.0 * (rise / r_now) * level);
    const Vector by_v = 2.0 * level / ((vn + square_root(larger(under, Vector{}))) * r_now);
    const Vector guess = by_work ? by_v : by_impulse ? level / r_now : (level - vn) / rise;
    Bracket b{Vector{}, high, (guess > 0.0) & (guess < high) ? guess : 0.5 * high, at_goal};
    for (int n = 0; n < most_root_steps && any(b.active); ++n) {
      Vector f, df, ddf;
      miss(b.x, f, df, ddf);
      root_step(b, f, df, ddf);
    }
    y = at_goal ? b.x : last;
  }

  tail_point(y, R, exponent, e, q);
  Vector px{}, pz{}, sx{}, sz{}, pi{}, pg{};
  for (std::size_t k = terms; k-- > 0;) {
    px = fused(px, q, x[k]);
    pz = fused(pz, q, z[k]);
    sx = fused(sx, q, x[k] * inverse[k]);
    sz = fused(sz, q, z[k] * inverse[k]);
    pi = fused(pi, q, i[k]);
    pg = fused(pg, q, g[k]);
  }
  sx = sx_far - e * sx;
  sz = sz_far - e * sz;
  const Vector impulse = i_far - e * pi;
  store(io.work, io.any_work ? v_far * impulse - (k_far - e * e * polynomial<terms>(k2, q)) : Vector{});
  store(io.gx, e * (ux * px - uy * pz));
  store(io.gy, e * (uy * px + ux * pz));
  store(io.vn, v_far - e * pg);
  store(io.ix, load(io.ix) - c.mu * (ux * sx - uy * sz));
  store(io.iy, load(io.iy) - c.mu * (uy * sx + ux * sz));
  store(io.in, load(io.in) + impulse);
  store(io.impulse, impulse);
  store(io.at_goal, at_goal);
  store(io.refused, refused & ~alone);  // what a lane alone comes to here means nothing
}
