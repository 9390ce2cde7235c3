// The tail of slip in lanes (lanes.hpp), as lanes_kernel.hpp.
#pragma once

#include "lanes_kernel.hpp"

namespace carom::spatial {
namespace {

/// Turns u to the attracting ray next to it. @return the lanes that found one
inline Mask turn_to_ray(const LaneSurface& c, Vector& ux, Vector& uy) {
  constexpr int most = 16;
  Mask active = ~Mask{}, found{};
  for (int i = 0; i < most && any(active); ++i) {
    const LaneDirection at = direction_in_lanes(c, ux, uy);
    active &= at.slope < 0.0;
    const Vector h = larger(smaller(-0.5 * at.turn / at.slope, all(0.25)), all(-0.25));
    const Vector per = 1.0 / (1.0 + h * h), ch = (1.0 - h * h) * per, sh = 2.0 * h * per;
    const Vector nx = ch * ux - sh * uy, ny = sh * ux + ch * uy;
    ux = active ? nx : ux;
    uy = active ? ny : uy;
    const Vector terms = absolute(ux * c.d2) + absolute(uy * c.d1) + absolute(at.R);
    const Mask right = active & (absolute(h) < 1e-9), done = right & (absolute(at.turn) <= 1e-9 * terms);
    found |= i + 1 == most ? right : done;
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
inline Vector power(const Vector& x, const Vector& p) {
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
inline void tail_point(const Vector& y, const Vector& R, const Vector& exponent, Vector& e, Vector& q) {
  e = larger(R * y + 1.0, Vector{});
  q = power(e, exponent);
}

void tail_in_lanes(LanePiece& io) {
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
  Vector x[terms], z[terms], r[terms], square_of_r[terms];
  const Vector per_a = 1.0 / a;
  x[0] = r[0] = all(1.0);
  z[0] = Vector{};
  x[1] = r[1] = d2 * per_a;
  z[1] = all(1.0);
  square_of_r[0] = all(1.0);
  square_of_r[1] = 2.0 * r[1];
  for (std::size_t n = 2; n < terms; ++n) {
    const HalfSquares halves = half_squares(x, z, r, n, 1);
    const Vector sum = halves.slip - halves.speed;
    z[n] = -(x[1] * inverses[n - 1]) * sum;
    x[n] = fused(d2, z[n], -d1 * sum) * (per_a * inverses[n]);
    r[n] = x[n] + sum;
    square_of_r[n] = 2.0 * (r[n] + halves.speed);
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

  // Integrals of slip (x, z), its size and its square: from y to the far end they are e, or e^2, times series in q; the
  // `far` ones are those from here to there.
  Vector i[terms], sx[terms], sz[terms], sq[terms]{};
  Vector i_far{}, sx_far{}, sz_far{}, sq_far{};
  Vector factor = along / polynomial<terms>(x, zeta), factor_of_square = factor * factor;
  for (std::size_t k = 0; k < terms; ++k) {
    const Vector rate = static_cast<double>(k) * a - R, part = factor / rate;
    i_far += i[k] = r[k] * part;
    sx_far += sx[k] = x[k] * part;
    sz_far += sz[k] = z[k] * part;
    if (io.any_work) sq_far += sq[k] = square_of_r[k] * (factor_of_square / (rate - R));
    x[k] *= factor;
    z[k] *= factor;
    factor *= zeta;
    factor_of_square *= zeta;
  }
  // Velocity and work follow from them as in a step.
  const auto velocity_after = [&](const Vector& impulse, const Vector& to_x, const Vector& to_z) {
    return vn + fused(w, impulse, -c.mu * fused(d1, to_x, d2 * to_z));
  };
  const auto work_after = [&](const Vector& impulse, const Vector& to_x, const Vector& to_z, const Vector& to_square,
                              const Vector& gx1, const Vector& gz1, const Vector& velocity) {
    const Vector rubbed = to_square - 0.5 * fused(along + gx1, to_x, (across + gz1) * to_z);
    return fused(0.5 * (vn + velocity), impulse, c.mu * rubbed);
  };
  const Vector v_far = velocity_after(i_far, sx_far, sz_far);

  // An event very close by is left to the Taylor series (TailPiece::resolves). So is work that is small against that of
  // friction, from which it comes as a difference.
  const Mask by_impulse = quantity == goal_impulse, by_work = quantity == goal_work;
  const Vector whole = absolute(v_far) + absolute(vn), far_impulse = absolute(i_far), rub = c.mu * along;
  const Vector change = by_impulse | by_work ? absolute(level) : absolute(level - vn);
  refused |= change < (by_impulse ? near_event * far_impulse
                       : by_work  ? near_event_work * (whole + rub) * far_impulse
                                  : near_event * whole);
  refused |= load(io.follows_work) & ~by_work & (change * change < 2.0 * near_event_work * rub * whole);

  // The deciding quantity, counted so that it is zero at the goal, and its derivatives by y.
  const Vector exponent = -(a / R);
  Vector e, q;
  const auto miss = [&](const Vector& at_y, Vector& f, Vector& df, Vector& ddf) {
    tail_point(at_y, R, exponent, e, q);
    const Vector pi = polynomial<terms>(i, q), px = polynomial<terms>(sx, q), pz = polynomial<terms>(sz, q);
    const Vector impulse = i_far - e * pi, to_x = sx_far - e * px, to_z = sz_far - e * pz;
    const Vector velocity = velocity_after(impulse, to_x, to_z), per_e = 1.0 / e;
    // Slip over e from what is left of the integrals; its rate from the equation of slip.
    const Vector apart = pi - px;
    const Vector tx = d2 * pz - fused(R, px, d1 * apart), tz = (a - R) * pz - d2 * apart;
    const Vector size = square_root(fused(tx, tx, tz * tz)), more = size - tx;
    const Vector rate_x = d1 * more - d2 * tz, rate_z = d2 * more - a * tz;
    const Vector rate = fused(tx, rate_x, tz * rate_z) / size;
    const Vector v_slope = w * size - c.mu * (d1 * tx + d2 * tz);
    f = (by_impulse ? impulse : velocity) - level;
    df = by_impulse ? size : v_slope;
    ddf = per_e * (by_impulse ? rate : w * rate - c.mu * (d1 * rate_x + d2 * rate_z));
    if (io.any_work) {
      const Vector to_square = sq_far - e * e * polynomial<terms>(sq, q);
      const Vector done = work_after(impulse, to_x, to_z, to_square, e * tx, e * tz, velocity);
      f = by_work ? done - level : f;
      df = by_work ? velocity * size : df;
      ddf = by_work ? fused(velocity, per_e * rate, v_slope * size) : ddf;
    }
  };
  const Mask ends = R < 0.0;
  const Vector last = -1.0 / R;  // where slip ends, if it does
  Vector high = ends ? last : -last;
  const Vector work_far = work_after(i_far, sx_far, sz_far, sq_far, Vector{}, Vector{}, v_far);
  const Vector far = by_impulse ? i_far : by_work ? work_far : v_far;
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
    Bracket b{Vector{}, high, ((guess > 0.0) & (guess < high)) ? guess : 0.5 * high, at_goal};
    for (int n = 0; n < most_root_steps && any(b.active); ++n) {
      Vector f, df, ddf;
      miss(b.x, f, df, ddf);
      root_step(b, f, df, ddf);
    }
    y = at_goal ? b.x : last;
  }

  tail_point(y, R, exponent, e, q);
  const Vector impulse = i_far - e * polynomial<terms>(i, q);
  const Vector to_x = sx_far - e * polynomial<terms>(sx, q), to_z = sz_far - e * polynomial<terms>(sz, q);
  const Vector px = e * polynomial<terms>(x, q), pz = e * polynomial<terms>(z, q);
  const Vector velocity = velocity_after(impulse, to_x, to_z);
  if (io.any_work) {
    const Vector to_square = sq_far - e * e * polynomial<terms>(sq, q);
    store(io.work, work_after(impulse, to_x, to_z, to_square, px, pz, velocity));
  }
  store(io.gx, ux * px - uy * pz);
  store(io.gy, uy * px + ux * pz);
  store(io.vn, velocity);
  store(io.ix, load(io.ix) - c.mu * (ux * to_x - uy * to_z));
  store(io.iy, load(io.iy) - c.mu * (uy * to_x + ux * to_z));
  store(io.in, load(io.in) + impulse);
  store(io.impulse, impulse);
  store(io.at_goal, at_goal);
  store(io.refused, refused & ~alone);  // what a lane alone comes to here means nothing
}

}  // namespace
}  // namespace carom::spatial
