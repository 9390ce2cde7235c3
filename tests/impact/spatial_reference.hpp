// The impact in space to 30 digits, by other means than the library: the equations of motion in (u, |gamma|), u the
// unit vector of slip, integrated by extrapolation of the midpoint rule (Gragg, Bulirsch and Stoer) in quadruple
// precision, with events found by the secant method on the length of a step.
#pragma once

#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include "carom/impact/spatial.hpp"

namespace carom::testing {

using Quad = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<113, boost::multiprecision::digit_base_2, void, std::int16_t, -16382, 16383>,
    boost::multiprecision::et_off>;

struct ReferenceOutcome {
  Eigen::Vector3d impulse, velocity_after;
  bool separated = false, recompression = false, slip_ended = false, slip_ended_in_restitution = false;
  bool resumed = false;  ///< slip started from rest
  Quad sensitivity = 0;  ///< largest |v_n| scale over the smallest slope met at an event: how ill-posed the input is
};

class SpatialReference {
public:
  explicit SpatialReference(const SpatialProblem& p)
      : law_(p.law), mu_(p.material.friction), e_(p.material.restitution) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        w_[i][j] = (Quad(p.space.inverse_inertia(i, j)) + Quad(p.space.inverse_inertia(j, i))) / 2;
    for (int i = 0; i < 3; ++i) v_[i] = v0_[i] = p.space.velocity[i];
  }

  ReferenceOutcome run() {
    using std::abs;
    ReferenceOutcome out;
    out.impulse.setZero();
    const Quad r = sqrt(v_[0] * v_[0] + v_[1] * v_[1]);
    const Quad pull = r > 0 ? mu_ * (w_[0][2] * v_[0] + w_[1][2] * v_[1]) / r : Quad(0);
    out.separated = v_[2] < 0 || (v_[2] == 0 && pull > w_[2][2]);
    if (out.separated) {
      target_ = -e_ * v_[2];
      const bool over = r > 0 && slip(r);
      if (!over) {
        out.slip_ended = r > 0;
        out.slip_ended_in_restitution = out.slip_ended && restitution_;
        straight();
      }
    }
    for (int i = 0; i < 3; ++i) {
      out.impulse[i] = static_cast<double>(impulse_[i]);
      Quad after = v0_[i];
      for (int j = 0; j < 3; ++j) after += w_[i][j] * impulse_[j];
      out.velocity_after[i] = static_cast<double>(after);
    }
    out.recompression = recompression_;
    out.resumed = resumed_;
    out.sensitivity = sensitivity_;
    return out;
  }

  /// Change a number of W or v, before the run.
  void scale_inverse_inertia(int i, int j, const Quad& factor) {
    w_[i][j] *= factor;
    w_[j][i] = w_[i][j];
  }
  void scale_velocity(int i, const Quad& factor) { v_[i] = v0_[i] *= factor; }

private:
  // ux, uy, r, I_x, I_y, I_n, work
  using Y = std::array<Quad, 7>;

  Quad normal_velocity(const Y& y) const { return v0_[2] + w_[2][0] * y[3] + w_[2][1] * y[4] + w_[2][2] * y[5]; }
  Quad climb(const Y& y) const { return w_[2][2] - mu_ * (w_[0][2] * y[0] + w_[1][2] * y[1]); }

  Y rate(const Y& y) const {
    const Quad fx = w_[0][2] - mu_ * (w_[0][0] * y[0] + w_[0][1] * y[1]);
    const Quad fy = w_[1][2] - mu_ * (w_[0][1] * y[0] + w_[1][1] * y[1]);
    const Quad R = y[0] * fx + y[1] * fy, T = y[0] * fy - y[1] * fx;
    return {-T * y[1], T * y[0], R * y[2], -mu_ * y[2] * y[0], -mu_ * y[2] * y[1], y[2], y[2] * normal_velocity(y)};
  }

  static constexpr int columns = 9;
  /// One step of length h; `error` gets the difference of the two best columns relative to the scales of y.
  Y step(const Y& y, const Quad& h, Quad* error = nullptr) const {
    std::array<Y, columns> d;
    const Y f0 = rate(y);
    for (int k = 0; k < columns; ++k) {
      const int n = 2 * (k + 1);
      const Quad small = h / n;
      Y a = y, b;
      for (int i = 0; i < 7; ++i) b[i] = y[i] + small * f0[i];
      for (int m = 1; m < n; ++m) {
        const Y f = rate(b);
        for (int i = 0; i < 7; ++i) {
          const Quad next = a[i] + 2 * small * f[i];
          a[i] = b[i];
          b[i] = next;
        }
      }
      const Y f = rate(b);
      Y current;
      for (int i = 0; i < 7; ++i) current[i] = (a[i] + b[i] + small * f[i]) / 2;
      d[k] = current;
    }
    // Neville's scheme on the squares of the step numbers.
    Y before{};
    for (int j = 1; j < columns; ++j)
      for (int k = columns - 1; k >= j; --k) {
        const Quad ratio = Quad((k + 1) * (k + 1)) / Quad((k - j + 1) * (k - j + 1));
        if (j == columns - 1) before = d[k];
        for (int i = 0; i < 7; ++i) d[k][i] += (d[k][i] - d[k - 1][i]) / (ratio - 1);
      }
    if (error) {
      *error = 0;
      for (int i = 0; i < 3; ++i) {
        const Quad scale = i == 2 ? y[2] : Quad(1);
        *error = std::max(*error, Quad(abs(d[columns - 1][i] - before[i]) / scale));
      }
    }
    return d[columns - 1];
  }

  /// Length of the part of a step h after which f(y) = 0; f changes sign on the step (Illinois method).
  template <class F>
  Quad find(const Y& y, Quad h, const F& f) const {
    Quad a = 0, fa = f(y), b = h, fb = f(step(y, h));
    if (fa == 0) return a;
    for (int i = 0; i < 200; ++i) {
      const Quad x = b - fb * (b - a) / (fb - fa);
      const Quad fx = f(step(y, x));
      if (fx == 0 || abs(b - a) < Quad(1e-26) * h) return x;
      if ((fx > 0) != (fb > 0)) {
        a = b;
        fa = fb;
      } else {
        fa /= 2;
      }
      if (abs(x - b) < Quad(1e-24) * abs(x)) return x;
      b = x;
      fb = fx;
    }
    return b;
  }

  void note(const Quad& slope) { sensitivity_ = std::max(sensitivity_, Quad(w_[2][2] / abs(slope))); }

  void book(const Quad& impulse, const Quad& work) {
    (restitution_ ? pe_ : pc_) += impulse;
    if (restitution_)
      we_ += work;
    else
      wc_ -= work;
  }

  /// @return true if the impact ended while slipping
  bool slip(const Quad& r0) {
    Y y{v_[0] / r0, v_[1] / r0, r0, 0, 0, 0, 0};
    Quad h = Quad(0.1);
    for (int count = 0; count < 20000; ++count) {
      const Quad fx = w_[0][2] - mu_ * (w_[0][0] * y[0] + w_[0][1] * y[1]);
      const Quad fy = w_[1][2] - mu_ * (w_[0][1] * y[0] + w_[1][1] * y[1]);
      const Quad R = abs(y[0] * fx + y[1] * fy), T = abs(y[0] * fy - y[1] * fx);
      if (y[2] < Quad(1e-24) * r0) break;
      if (T > 0) h = std::min(h, Quad(Quad(0.3) / T));
      if (R > 0) h = std::min(h, Quad(Quad(1.0) / R));
      // On an attracting ray to nearly all digits: straight from here on. (The steps would stay as short as the time in
      // which neighbours come to the ray, however long slip lasts.)
      const Quad across = w_[0][0] * y[1] * y[1] - 2 * w_[0][1] * y[0] * y[1] + w_[1][1] * y[0] * y[0];
      const Quad along = y[0] * fx + y[1] * fy, slope = -(along + mu_ * across);
      if (slope < 0 && T < Quad(-1e-27) * slope) {
        finish(y);
        return follow(slip_line(y[0], y[1], along), y[2]);
      }
      if (slope < 0) h = std::min(h, Quad(-2 / slope));  // beyond, the error of the direction would no longer decay
      Quad error;
      Y next = step(y, h, &error);
      if (error > Quad(1e-20)) {
        h *= Quad(0.6);
        continue;
      }
      Quad length = h;
      if ((climb(y) > 0) != (climb(next) > 0) && count > 0 && abs(climb(y)) > Quad(1e-18)) {
        length = find(y, h, [&](const Y& x) { return climb(x); });
        next = step(y, length);
      }
      // which event comes first on this step, v_n being monotone on it
      const Quad vn = normal_velocity(next);
      const bool rising = vn > normal_velocity(y);
      bool event = false, over = false;
      if (!restitution_) {
        if (rising && vn >= 0) {
          length = find(y, length, [&](const Y& x) { return normal_velocity(x); });
          event = true;
        }
      } else {
        if (!rising && vn < 0) {
          length = find(y, length, [&](const Y& x) { return normal_velocity(x); });
          next = step(y, length);
          event = true;
        }
        const auto left = [&](const Y& x) -> Quad {
          if (law_ == RestitutionLaw::newton) return normal_velocity(x) - target_;
          if (law_ == RestitutionLaw::poisson) return pe_ + x[5] - y[5] - e_ * pc_;
          return we_ + x[6] - y[6] - e_ * e_ * wc_;
        };
        if (left(next) >= 0) {
          length = find(y, length, left);
          event = over = true;
        }
      }
      if (event) {
        next = step(y, length);
        note(climb(next));
      }
      book(next[5] - y[5], next[6] - y[6]);
      y = next;
      if (over) return finish(y);
      if (event) {
        if (restitution_) recompression_ = true;
        restitution_ = !restitution_;
        if (restitution_ && (e_ == 0 || (law_ == RestitutionLaw::newton && target_ == 0))) return finish(y);
      }
      const Quad grow = error > 0 ? Quad(pow(Quad(1e-21) / error, Quad(1) / 18)) : Quad(2);
      h = h * std::min(Quad(2), std::max(Quad(0.5), grow));
    }
    finish(y);
    return false;
  }

  bool finish(const Y& y) {
    impulse_ = {y[3], y[4], y[5]};
    return true;
  }

  /// A straight piece: per unit of normal impulse the impulse changes by (tx, ty, 1), v_n by `rise`, |gamma| by `R`.
  struct Line {
    Quad tx, ty, rise, R;
  };

  /// Along a straight piece to the end of the impact, or to where slip of size r comes to rest (R < 0).
  /// @return true if the impact is over
  bool follow(const Line& line, const Quad& r) {
    Quad vn = v0_[2];
    for (int j = 0; j < 3; ++j) vn += w_[2][j] * impulse_[j];
    Quad to_rest = line.R < 0 ? Quad(-r / line.R) : std::numeric_limits<Quad>::infinity();
    const auto move = [&](const Quad& x) {
      impulse_[0] += line.tx * x;
      impulse_[1] += line.ty * x;
      impulse_[2] += x;
      book(x, (vn + line.rise * x / 2) * x);
      vn += line.rise * x;
      to_rest -= x;
    };
    for (int i = 0; i < 10; ++i) {
      const Quad forever = std::numeric_limits<Quad>::infinity();
      Quad x = forever;
      bool over = false;
      if (!restitution_) {
        if (line.rise > 0) x = vn < 0 ? Quad(-vn / line.rise) : Quad(0);
      } else {
        if (line.rise < 0) x = vn / -line.rise;
        Quad end = forever;
        if (law_ == RestitutionLaw::newton) {
          if (line.rise > 0) end = (target_ - vn) / line.rise;
        } else if (law_ == RestitutionLaw::poisson) {
          end = e_ * pc_ - pe_;
        } else {
          const Quad left = e_ * e_ * wc_ - we_, square = vn * vn + 2 * line.rise * left;
          if (square >= 0) end = left > 0 ? Quad(2 * left / (vn + sqrt(square))) : Quad(0);
        }
        if (end < 0) end = 0;
        over = end <= x;
        if (over) x = end;
      }
      if (to_rest <= x) {
        move(Quad(to_rest));
        return false;
      }
      move(x);
      note(line.rise);
      if (over) return true;
      vn = 0;
      if (restitution_) recompression_ = true;
      restitution_ = !restitution_;
      if (restitution_ && (e_ == 0 || (law_ == RestitutionLaw::newton && target_ == 0))) return true;
    }
    return true;
  }

  Line slip_line(const Quad& ux, const Quad& uy, const Quad& R) const {
    return {-mu_ * ux, -mu_ * uy, w_[2][2] - mu_ * (w_[2][0] * ux + w_[2][1] * uy), R};
  }

  /// Stick or resumed slip, from gamma = 0, to the end.
  void straight() {
    const Quad det = w_[0][0] * w_[1][1] - w_[0][1] * w_[0][1];
    const Quad p1 = (w_[1][1] * w_[0][2] - w_[0][1] * w_[1][2]) / det,
               p2 = (w_[0][0] * w_[1][2] - w_[0][1] * w_[0][2]) / det;
    if (p1 * p1 + p2 * p2 <= mu_ * mu_) {
      follow({-p1, -p2, w_[2][2] - w_[2][0] * p1 - w_[2][1] * p2, 0}, 0);
      return;
    }
    Quad low = 0, high = sqrt(w_[0][2] * w_[0][2] + w_[1][2] * w_[1][2]), x, y;  // bisection of the secular equation
    for (int i = 0; i < 115; ++i) {
      const Quad l = (low + high) / 2, m11 = mu_ * w_[0][0] + l, m22 = mu_ * w_[1][1] + l, m12 = mu_ * w_[0][1];
      const Quad m = m11 * m22 - m12 * m12;
      x = (m22 * w_[0][2] - m12 * w_[1][2]) / m;
      y = (m11 * w_[1][2] - m12 * w_[0][2]) / m;
      (x * x + y * y > 1 ? low : high) = l;
    }
    resumed_ = true;
    follow(slip_line(x, y, low), 0);
  }

  RestitutionLaw law_;
  Quad mu_, e_, target_, pc_ = 0, pe_ = 0, wc_ = 0, we_ = 0, sensitivity_ = 1;
  std::array<std::array<Quad, 3>, 3> w_;
  std::array<Quad, 3> v0_, v_, impulse_{};
  bool restitution_ = false, recompression_ = false, resumed_ = false;
};

}  // namespace carom::testing
