// Straight pieces of the process: stick, slip along an invariant direction, slip without friction; and what a contact
// does once its slip has come to rest.
#pragma once

#include "series.hpp"

namespace carom::spatial {

/// Which direction does slip take from rest, |B^-1 d| > mu? The unique lambda > 0 with |(mu B + lambda)^-1 d| = 1:
/// Newton's method on the reciprocal of the norm rises monotonically to it from any point below. In the axes of B there
/// is nothing to eliminate, and both parts of the direction keep their digits.
template <class T>
void centrifugal(const Surface<T>& c, T& ux, T& uy, T& lambda) {
  const auto solve = [&](const auto& l, const auto& mu, auto& x, auto& y, auto& slope) {
    const auto m1 = mu * c.b11 + l, m2 = mu * c.b22 + l;
    x = c.d1 / m1;
    y = c.d2 / m2;
    slope = x * x / m1 + y * y / m2;  // x.M^-1 x
  };
  const double mu = value(c.mu), d = std::hypot(c.d1, c.d2);
  double l = std::max(0.0, d - mu * std::max(c.b11, c.b22)), x = 0.0, y = 0.0, slope = 0.0;
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

/// How v_n answers an impulse while the contact sticks: the last pivot of W, positive but for rounding.
template <class T>
double normal_stiffness(const Surface<T>& c) {
  return std::max(c.w - c.d1 / c.b11 * c.d1 - c.d2 / c.b22 * c.d2, epsilon * c.w);
}

/// What decides about stick: p = B^-1 d, and how v_n answers an impulse while the contact sticks.
struct Rest {
  double p1 = 0.0, p2 = 0.0, stiffness = 0.0;
  bool sticks = true;
};

template <class T>
Rest rest_of(const Surface<T>& c) {
  Rest out;
  out.p1 = c.d1 / c.b11;
  out.p2 = c.d2 / c.b22;
  out.stiffness = normal_stiffness(c);
  out.sticks = length(out.p1, out.p2) <= value(c.mu);
  return out;
}

/// Per unit of normal impulse, the impulse changes by (tx, ty, 1), v_n by `rise`, gamma by (hx, hy), |gamma| by R.
template <class T>
struct Line {
  T tx{}, ty{}, hx{}, hy{}, rise{}, R{};
  bool slips = true, rubs = true;
};

template <class T>
Line<T> stick_line(const Rest& rest) {
  Line<T> line;
  line.tx = T(-rest.p1);
  line.ty = T(-rest.p2);
  line.rise = T(rest.stiffness);
  line.slips = line.rubs = false;
  return line;
}

template <class T>
Line<T> straight_line(const Surface<T>& c, const T& ux, const T& uy, const T& R) {
  Line<T> line;
  line.tx = -(c.mu * ux);
  line.ty = -(c.mu * uy);
  line.hx = R * ux;
  line.hy = R * uy;
  line.rise = line.tx * c.d1 + line.ty * c.d2 + c.w;
  line.R = R;
  return line;
}

template <class T>
Line<T> resumed_line(const Surface<T>& c) {
  T ux, uy, lambda;
  centrifugal(c, ux, uy, lambda);
  return straight_line(c, ux, uy, lambda);
}

template <class T>
Line<T> frictionless_line(const Surface<T>& c) {
  Line<T> line;
  line.hx = T(c.d1);
  line.hy = T(c.d2);
  line.rise = T(c.w);
  line.rubs = false;  // no friction work, and the path misses gamma = 0
  return line;
}

}  // namespace carom::spatial
