// Sensitivities of the compliant process. The events are known from the process itself; here each stretch between two
// of them is followed once more with numbers that carry derivatives (power series in slip, the modes in stick), and
// every event is moved by what its condition says.
#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "carom/impact/compliant.hpp"
#include "carom/impact/spatial.hpp"

#include "compliant/jacobi.hpp"
#include "spatial/dual_of.hpp"

namespace carom {

namespace {

constexpr std::size_t all_inputs = 6;      // v_t1, v_t2, v_n, mu, e, eta0
constexpr std::size_t surface_inputs = 3;  // mu, e, eta0

/// Order of the series of slip.
constexpr int slip_order = 16;
/// Steps of slip after which it is asked whether the limit will do.
constexpr double trial_steps = 16.0;
/// What the last terms of a series may amount to.
constexpr double series_tolerance = 1e-11;
/// Slip has run out of energy when this part of its largest is left: the rest is added in closed form.
constexpr double energy_left = 1e-11;
/// Phase of the normal spring in which its force cannot turn twice: the end of stick is looked for in such steps.
constexpr double stick_phase = 0.25;
/// How far derivatives may be from I = (dI/dv) v before differences are better.
constexpr double euler_tolerance = 1e-7;
/// e = 0 has no restitution to differentiate: its derivative is taken this far beside (nearer, the spring of
/// restitution is so stiff that an impact takes milliseconds).
constexpr double least_restitution = 1e-4;

double sinc(double x) { return x == 0.0 ? 1.0 : std::sin(x) / x; }

/// Stick at one time: y = K^(-1/2) F and u = K^(1/2) v obey y' = -u, u' = A y with A = K^(1/2) W K^(1/2), so that
///   y = cos(wt) y0 - sin(wt)/w u0,  u = cos(wt) u0 + w sin(wt) y0,  int y = sin(wt)/w y0 - (1 - cos(wt))/w^2 u0
/// in each mode w^2 of A. A change of the stiffnesses changes A by R A + A R, R = diag(dK/2K); in modes these functions
/// of A then change by N_ij (w_i^2 + w_j^2) times their divided differences, N = Q^T R Q (Daleckii and Krein), which
/// are written here without a difference that loses digits.
class StickModes {
public:
  using Matrix3d = Eigen::Matrix3d;
  using Vector3d = Eigen::Vector3d;

  StickModes(const Matrix3d& w, const Vector3d& roots) {
    Matrix3d m = Matrix3d(w.llt().matrixL()).transpose() * roots.asDiagonal();
    compliant::jacobi(m, q);
    for (int i = 0; i < 3; ++i) omega[i] = m.col(i).norm();
  }

  void move_to(double t) {
    for (int i = 0; i < 3; ++i) {
      const double phase = omega[i] * t, half = std::sin(0.5 * phase) / omega[i];
      cosine[i] = std::cos(phase);
      sine[i] = std::sin(phase) / omega[i];
      rise[i] = 2.0 * half * half;
      swing[i] = std::sin(phase) * omega[i];
    }
  }

  /// Divided differences of cosine, sine, rise and swing at time t, times w_i^2 + w_j^2.
  struct Differences {
    double cosine, sine, rise, swing;
  };
  Differences differences(int i, int j, double t) const {
    const double a = omega[i], b = omega[j], sum = a + b;
    const double scale = (a * a + b * b) / sum, mean = 0.5 * sum * t, apart = 0.5 * (a - b) * t;
    const auto of_sine = [&](double time) {  // of sin(w time)/w
      const double share = time / t;
      return (time * std::cos(share * mean) * sinc(share * apart) - std::sin(b * time) / b) / a;
    };
    return {-t * std::sin(mean) * sinc(apart) * scale, of_sine(t) * scale,
            2.0 * (std::sin(0.5 * a * t) / a + std::sin(0.5 * b * t) / b) * of_sine(0.5 * t) * scale,
            (a * t * std::cos(mean) * sinc(apart) + std::sin(b * t)) * scale};
  }

  Matrix3d q;                          ///< modes, in columns
  Vector3d omega;                      ///< their frequencies
  Vector3d cosine, sine, rise, swing;  ///< cos(wt), sin(wt)/w, (1 - cos(wt))/w^2, w sin(wt)
};

/// @tparam inputs  all_inputs, or only the last three of them
template <std::size_t inputs>
class Sensitivity {
  using Number = spatial::DualOf<static_cast<int>(inputs)>;
  static constexpr std::size_t surface = inputs - surface_inputs;  // the place of mu
  /// Fewer inputs take fewer differences, which are the cheaper way sooner.
  static constexpr std::size_t most_steps = inputs == all_inputs ? max_derivative_steps : max_surface_derivative_steps;

public:
  Sensitivity(const CompliantProblem& problem, const CompliantImpact& impact, double w_unit, double v_unit)
      : impact_(impact), published_(problem.reading == Reading::published), impulse_unit_(v_unit / w_unit) {
    const Eigen::Matrix3d w = problem.space.inverse_inertia / w_unit;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) w_[i][j] = 0.5 * (w(i, j) + w(j, i));
      v_[i] = Number(problem.space.velocity[i] / v_unit);
      if constexpr (surface > 0) v_[i].d[static_cast<std::size_t>(i)] = 1.0;
    }
    mu_ = Number(problem.material.friction);
    e_ = Number(problem.material.restitution);
    eta_ = Number(problem.stiffness_ratio_root);
    mu_.d[surface] = e_.d[surface + 1] = eta_.d[surface + 2] = 1.0;
    kappa_ = Number(1.0);
  }

  /// False where it would take too long, or an event is met tangentially.
  bool run() {
    slipping_ = impact_.events.front().type == EventType::start_slip;
    if (slipping_) {
      const Number speed = length(v_[0], v_[1]);
      d_[0] = v_[0] / speed;
      d_[1] = v_[1] / speed;
    }
    enter();
    for (std::size_t k = 1; k < impact_.events.size(); ++k) {
      const EventType type = impact_.events[k].type;
      if (type == EventType::separates && e_.v == 0.0) break;  // at the end of compression
      const double target = impact_.events[k].impulse[2] / impulse_unit_;
      if (!(slipping_ ? follow_slip(type, target) : follow_stick(type, target))) return false;
      if (!pass(type)) return false;
    }
    for (const Number& i : impulse_)
      for (const double d : i.d)
        if (!std::isfinite(d)) return false;
    return true;
  }

  const Number& impulse(int i) const { return impulse_[i]; }

private:
  Number friction() const { return published_ && restitution_ ? mu_ * e_ : mu_; }
  Number mu_eta2() const { return friction() * eta_ * eta_ * kappa_; }

  void add(const Number (&more)[3]) {
    for (int i = 0; i < 3; ++i) impulse_[i] += more[i];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) v_[i] += more[j] * w_[i][j];
  }

  /// What a mode needs of the state.
  void enter() {
    if (slipping_) largest_ = std::max(largest_, energy_.v);
  }

  // --- slip ---

  struct Series {
    Number d[2][slip_order + 1], v[3][slip_order + 1], e[slip_order + 1], rate[slip_order], i[3][slip_order + 1];
  };

  /// dN = E dtau makes all equations polynomial.
  void expand(Series& c, const Number& mu, const Number& spin) const {
    for (int k = 0; k < slip_order; ++k) {
      Number pull, loaded[2], falling;
      for (int j = 0; j <= k; ++j) {
        pull += c.v[1][j] * c.d[0][k - j];
        pull -= c.v[0][j] * c.d[1][k - j];
        loaded[0] += c.d[0][j] * c.e[k - j];
        loaded[1] += c.d[1][j] * c.e[k - j];
        falling += c.v[2][j] * c.e[k - j];
      }
      c.rate[k] = pull * spin;
      Number turn[2];
      for (int j = 0; j <= k; ++j) {
        turn[0] += c.d[0][j] * c.rate[k - j];
        turn[1] += c.d[1][j] * c.rate[k - j];
      }
      const double part = 1.0 / (k + 1);
      c.d[0][k + 1] = turn[1] * -part;
      c.d[1][k + 1] = turn[0] * part;
      c.e[k + 1] = falling * -part;
      c.i[0][k + 1] = mu * loaded[0] * -part;
      c.i[1][k + 1] = mu * loaded[1] * -part;
      c.i[2][k + 1] = c.e[k] * part;
      push(c, k);
    }
  }

  /// At first touch, where E = 0, the variable is N: a E theta' = v_t.d_perp, with the rate's coefficient k in order
  /// k + 1.
  void expand_first_touch(Series& c, const Number& mu, const Number& a) const {
    c.e[1] = -c.v[2][0];
    const Number along = c.d[0][0] * c.v[0][0] + c.d[1][0] * c.v[1][0];
    for (int k = 0; k < slip_order; ++k) {
      const double part = 1.0 / (k + 1);
      c.i[0][k + 1] = mu * c.d[0][k] * -part;
      c.i[1][k + 1] = mu * c.d[1][k] * -part;
      c.i[2][k + 1] = Number(k == 0 ? 1.0 : 0.0);
      push(c, k);
      if (k > 0) c.e[k + 1] = c.v[2][k] * -part;
      Number turn[2], known, pull;
      for (int j = 1; j <= k; ++j) {
        turn[0] += c.d[0][j] * c.rate[k - j];
        turn[1] += c.d[1][j] * c.rate[k - j];
        known += c.e[j + 1] * c.rate[k - j];
      }
      for (int j = 1; j <= k + 1; ++j) {
        pull += c.v[1][j] * c.d[0][k + 1 - j];
        pull -= c.v[0][j] * c.d[1][k + 1 - j];
      }
      const Number rest[2] = {turn[1] * -part, turn[0] * part};
      pull += c.v[1][0] * rest[0];
      pull -= c.v[0][0] * rest[1];
      c.rate[k] = (pull - a * known) / (a * c.e[1] + along * part);
      c.d[0][k + 1] = rest[0] - c.rate[k] * c.d[1][0] * part;
      c.d[1][k + 1] = rest[1] + c.rate[k] * c.d[0][0] * part;
    }
  }

  void push(Series& c, int k) const {
    for (int r = 0; r < 3; ++r) {
      c.v[r][k + 1] = Number(0.0);
      for (int j = 0; j < 3; ++j) c.v[r][k + 1] += c.i[j][k + 1] * w_[r][j];
    }
  }

  template <class Of>
  static Number at(const Of& c, int order, double x) {
    Number sum = c[order];
    for (int k = order - 1; k >= 0; --k) {
      sum.v = sum.v * x + c[k].v;
      for (std::size_t i = 0; i < inputs; ++i) sum.d[i] = sum.d[i] * x + c[k].d[i];
    }
    return sum;
  }
  template <class Of>
  static double value_at(const Of& c, int order, double x) {
    double sum = c[order].v;
    for (int k = order - 1; k >= 0; --k) sum = sum * x + c[k].v;
    return sum;
  }

  /// Where a series that rises (or with sign -1 falls) reaches `target` in [0, h]; h if it does not.
  template <class Of>
  static double reach(const Of& c, int order, double sign, double target, double h, bool& found) {
    const auto excess = [&](double x) { return sign * (value_at(c, order, x) - target); };
    found = excess(h) >= 0.0;
    if (!found) return h;
    double low = 0.0, high = h;
    if (excess(0.0) >= 0.0) return 0.0;
    double x = 0.5 * h;
    for (int i = 0; i < 100 && high - low > 1e-16 * high; ++i) {
      const double f = excess(x);
      (f < 0.0 ? low : high) = x;
      const double step = 1e-7 * h, slope = (excess(x + step) - excess(x - step)) / (2.0 * step);
      double next = slope > 0.0 ? x - f / slope : 0.5 * (low + high);
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      if (std::abs(next - x) < 1e-15 * h) break;
      x = next;
    }
    return x;
  }

  /// Does slip keep its direction, whatever the inputs?
  bool straight() const {
    return inputs == surface_inputs && w_[0][1] == 0.0 && w_[1][2] == 0.0 && v_[1].v == 0.0 && d_[1].v == 0.0;
  }

  bool follow_slip(EventType until, double target) {
    const bool to_end = until == EventType::separates;
    if (straight()) {
      if (to_end) return finish_slip();
      const Number mu = friction(), growth = Number(w_[2][2]) - mu * d_[0] * w_[0][2];
      const double n = std::max(target - impulse_[2].v, 0.0);
      energy_ -= v_[2] * n + growth * (0.5 * n * n);
      largest_ = std::max(largest_, energy_.v);
      const Number more[3] = {-mu * d_[0] * n, Number(0.0), Number(n)};
      add(more);
      return true;
    }
    const double begun = impulse_[2].v;
    double taken = 0.0;
    for (bool found = false; !found;) {
      if (to_end && energy_.v <= energy_left * largest_ && v_[2].v > 0.0) return finish_slip();
      // Where slip is stiff all steps are alike: after a few it is known that there would be too many.
      const bool hopeless = taken >= trial_steps && (impulse_[2].v - begun) * most_steps < (target - begun) * taken;
      ++taken;
      if (hopeless || ++steps_ > most_steps) return false;
      const Number mu = friction(), a = mu_eta2() * 2.0;
      Series c;
      for (int i = 0; i < 2; ++i) c.d[i][0] = d_[i];
      for (int i = 0; i < 3; ++i) c.v[i][0] = v_[i];
      c.e[0] = energy_;
      const bool first = energy_.v == 0.0;
      if (first)
        expand_first_touch(c, mu, a);
      else
        expand(c, mu, Number(1.0) / a);
      double h = first ? std::abs(v_[2].v) / (std::abs(w_[2][2]) + mu.v * std::hypot(w_[0][2], w_[1][2])) : 1e300;
      for (int k = slip_order - 2; k <= slip_order; ++k) {  // the terms of a pair of complex singularities come and go
        const auto limit = [&](const Number& last, const Number& start) {
          if (size(last) > 0.0) h = std::min(h, std::pow(series_tolerance * (1.0 + size(start)) / size(last), 1.0 / k));
        };
        limit(c.d[0][k], c.d[0][0]);
        limit(c.d[1][k], c.d[1][0]);
        if (!first) limit(c.e[k] / Number(energy_.v), c.e[0] / Number(energy_.v));
      }
      while (!(value_at(c.e, slip_order, h) > 0.0)) {
        h *= 0.5;
        if (!(h > 1e-12 * std::abs(impact_.impulse[2]))) return false;
      }
      if (!to_end) h = reach(c.i[2], slip_order, 1.0, target - impulse_[2].v, h, found);
      const Number more[3] = {at(c.i[0], slip_order, h), at(c.i[1], slip_order, h), at(c.i[2], slip_order, h)};
      add(more);
      energy_ = at(c.e, slip_order, h);
      largest_ = std::max(largest_, energy_.v);
      const Number x = at(c.d[0], slip_order, h), y = at(c.d[1], slip_order, h), norm = length(x, y);
      d_[0] = x / norm;
      d_[1] = y / norm;
      if (!to_end && target - impulse_[2].v <= 1e-14 * target) found = true;
    }
    return true;
  }

  /// The rest of the energy, the direction frozen.
  bool finish_slip() {
    const Number mu = friction();
    const Number growth = Number(w_[2][2]) - mu * (d_[0] * w_[0][2] + d_[1] * w_[1][2]);
    const Number n = energy_ * 2.0 / (v_[2] + root(v_[2] * v_[2] + growth * energy_ * 2.0));
    const Number more[3] = {-mu * n * d_[0], -mu * n * d_[1], n};
    add(more);
    energy_ = Number(0.0);
    return true;
  }

  // --- stick ---

  bool follow_stick(EventType until, double target) {
    using Eigen::Vector3d;
    const Number soft = Number(1.0) / eta_, roots[3] = {soft, soft, root(kappa_)};
    const Eigen::Matrix3d w = Eigen::Map<const Eigen::Matrix3d>(&w_[0][0]);  // symmetric
    const Vector3d root(roots[0].v, roots[1].v, roots[2].v);
    StickModes modes(w, root);
    Vector3d y0, u0;  // in the modes
    for (int r = 0; r < 3; ++r) y0[r] = force_[r].v / root[r], u0[r] = v_[r].v * root[r];
    y0 = (modes.q.transpose() * y0).eval();
    u0 = (modes.q.transpose() * u0).eval();
    const Vector3d normal = root[2] * modes.q.row(2).transpose();
    const auto force = [&](double t) {
      modes.move_to(t);
      return normal.dot(modes.cosine.cwiseProduct(y0) - modes.sine.cwiseProduct(u0));
    };
    const auto impulse = [&](double t) {
      modes.move_to(t);
      return normal.dot(modes.sine.cwiseProduct(y0) - modes.rise.cwiseProduct(u0));
    };
    // The normal impulse rises as long as the spring presses: march until it is reached or the spring lets go.
    const double need =
        until == EventType::separates ? std::numeric_limits<double>::infinity() : target - impulse_[2].v;
    const double step = stick_phase / std::sqrt(kappa_.v * (w(2, 2) + mu_.v * std::hypot(w(0, 2), w(1, 2))));
    double low = 0.0, high = step;
    bool lets_go = false;
    while (!(lets_go = force(high) <= 0.0) && impulse(high) < need) {
      if (++steps_ > most_steps) return false;
      low = high;
      high += step;
    }
    if (lets_go) high = zero(force, low, high);
    double t = high;
    if (impulse(high) > need) t = zero([&](double x) { return need - impulse(x); }, low, high);
    if (!(t > 0.0)) return true;
    modes.move_to(t);
    pass_time(modes, roots, y0, u0, t);
    return true;
  }

  /// Where a function that falls from low to high is zero: bisection, hastened by secants.
  template <class Of>
  static double zero(const Of& of, double low, double high) {
    double at_low = of(low), at_high = of(high);
    if (!(at_low > 0.0)) return low;
    if (!(at_high < 0.0)) return high;
    for (int i = 0; i < 200 && high - low > 1e-16 * high; ++i) {
      // Illinois: the side that stays twice counts half.
      double x = i % 3 == 2 ? 0.5 * (low + high) : high - at_high * (high - low) / (at_high - at_low);
      if (!(x > low && x < high)) x = 0.5 * (low + high);
      if (!(x > low && x < high)) break;
      const double y = of(x);
      if (y > 0.0) {
        low = x, at_low = y, at_high *= 0.5;
      } else if (y < 0.0) {
        high = x, at_high = y, at_low *= 0.5;
      } else {
        return x;
      }
    }
    return 0.5 * (low + high);
  }

  /// State and derivatives after a time t of stick.
  void pass_time(const StickModes& m, const Number (&roots)[3], const Eigen::Vector3d& y0, const Eigen::Vector3d& u0,
                 double t) {
    using Eigen::Vector3d;
    typename StickModes::Differences differences[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) differences[i][j] = m.differences(i, j, t);
    const Vector3d y = m.cosine.cwiseProduct(y0) - m.sine.cwiseProduct(u0),
                   u = m.cosine.cwiseProduct(u0) + m.swing.cwiseProduct(y0),
                   area = m.sine.cwiseProduct(y0) - m.rise.cwiseProduct(u0);
    const auto set = [&](const Vector3d& y_out, const Vector3d& u_out, const Vector3d& area_out, auto put) {
      const Vector3d a = m.q * y_out, b = m.q * u_out, c = m.q * area_out;
      for (int r = 0; r < 3; ++r) put(r, a[r], b[r], c[r]);
    };
    Vector3d dy[inputs], du[inputs], darea[inputs];
    for (std::size_t k = 0; k < inputs; ++k) {
      Vector3d dy0, du0, rate;
      for (int r = 0; r < 3; ++r) {
        rate[r] = roots[r].d[k] / roots[r].v;
        dy0[r] = force_[r].d[k] / roots[r].v - force_[r].v / roots[r].v * rate[r];
        du0[r] = v_[r].d[k] * roots[r].v + v_[r].v * roots[r].v * rate[r];
      }
      dy0 = (m.q.transpose() * dy0).eval();
      du0 = (m.q.transpose() * du0).eval();
      const Eigen::Matrix3d n = m.q.transpose() * rate.asDiagonal() * m.q;
      dy[k] = m.cosine.cwiseProduct(dy0) - m.sine.cwiseProduct(du0);
      du[k] = m.cosine.cwiseProduct(du0) + m.swing.cwiseProduct(dy0);
      darea[k] = m.sine.cwiseProduct(dy0) - m.rise.cwiseProduct(du0);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const auto& d = differences[i][j];
          dy[k][i] += n(i, j) * (d.cosine * y0[j] - d.sine * u0[j]);
          du[k][i] += n(i, j) * (d.cosine * u0[j] + d.swing * y0[j]);
          darea[k][i] += n(i, j) * (d.sine * y0[j] - d.rise * u0[j]);
        }
    }
    // Back: F = K^(1/2) Q y, v = K^(-1/2) Q u.
    set(y, u, area, [&](int r, double a, double b, double c) {
      force_[r].v = roots[r].v * a;
      v_[r].v = b / roots[r].v;
      more_[r] = Number(roots[r].v * c);
      for (std::size_t k = 0; k < inputs; ++k) {
        const double rate = roots[r].d[k] / roots[r].v;
        force_[r].d[k] = force_[r].v * rate;
        v_[r].d[k] = -v_[r].v * rate;
        more_[r].d[k] = more_[r].v * rate;
      }
    });
    for (std::size_t k = 0; k < inputs; ++k)
      set(dy[k], du[k], darea[k], [&](int r, double a, double b, double c) {
        force_[r].d[k] += roots[r].v * a;
        v_[r].d[k] += b / roots[r].v;
        more_[r].d[k] += roots[r].v * c;
      });
    for (int r = 0; r < 3; ++r) impulse_[r] += more_[r];
  }

  // --- events ---

  /// Move the state along its flow so that `condition` stays zero; `slope` is its rate along the flow.
  bool move(const Number& condition, double slope, const double (&by_force)[3], const double (&by_impulse)[3],
            double by_energy, double by_angle) {
    if (!(std::abs(slope) > 0.0)) return false;
    double push[3];
    for (int r = 0; r < 3; ++r)
      push[r] = w_[r][0] * by_impulse[0] + w_[r][1] * by_impulse[1] + w_[r][2] * by_impulse[2];
    const double across[2] = {-d_[1].v, d_[0].v};
    for (std::size_t k = 0; k < inputs; ++k) {
      const double later = -condition.d[k] / slope;
      for (int r = 0; r < 3; ++r) {
        impulse_[r].d[k] += by_impulse[r] * later;
        v_[r].d[k] += push[r] * later;
        force_[r].d[k] += by_force[r] * later;
      }
      energy_.d[k] += by_energy * later;
      for (int r = 0; r < 2; ++r) d_[r].d[k] += across[r] * by_angle * later;
    }
    return true;
  }

  /// The event at the end of a stretch: its condition, and what it changes.
  bool pass(EventType type) {
    if (type == EventType::separates && slipping_) return true;  // E = 0 is where the series of slip ended
    const bool turns = type == EventType::compression_ends || type == EventType::recompression_begins;
    if (slipping_) {
      const Number mu = friction(), a = mu_eta2();
      const double by_impulse[3] = {-mu.v * d_[0].v, -mu.v * d_[1].v, 1.0};
      double push[3];
      for (int r = 0; r < 3; ++r)
        push[r] = w_[r][0] * by_impulse[0] + w_[r][1] * by_impulse[1] + w_[r][2] * by_impulse[2];
      const double pull = v_[1].v * d_[0].v - v_[0].v * d_[1].v, angle = pull / (2.0 * a.v * energy_.v);
      const double still[3] = {};
      if (turns) {
        if (!move(v_[2], push[2], still, by_impulse, -v_[2].v, angle)) return false;
      } else {
        const Number sigma = v_[0] * d_[0] + v_[1] * d_[1] + a * v_[2];
        const double slope = push[0] * d_[0].v + push[1] * d_[1].v + a.v * push[2] + pull * angle;
        if (!move(sigma, slope, still, by_impulse, -v_[2].v, angle)) return false;
        const Number normal = root(kappa_ * energy_ * 2.0);
        force_[0] = -mu * normal * d_[0];
        force_[1] = -mu * normal * d_[1];
        force_[2] = normal;
        slipping_ = false;
      }
    } else {
      const double soft = 1.0 / (eta_.v * eta_.v);
      const double by_force[3] = {-soft * v_[0].v, -soft * v_[1].v, -kappa_.v * v_[2].v};
      const double by_impulse[3] = {force_[0].v, force_[1].v, force_[2].v};
      if (type == EventType::separates) {
        return move(force_[2], by_force[2], by_force, by_impulse, 0.0, 0.0);
      }
      if (turns) {
        double slope = 0.0;
        for (int j = 0; j < 3; ++j) slope += w_[2][j] * by_impulse[j];
        if (!move(v_[2], slope, by_force, by_impulse, 0.0, 0.0)) return false;
      } else {
        const Number room = mu_ * mu_ * force_[2] * force_[2] - force_[0] * force_[0] - force_[1] * force_[1];
        const double slope =
            2.0 * (mu_.v * mu_.v * force_[2].v * by_force[2] - force_[0].v * by_force[0] - force_[1].v * by_force[1]);
        if (!move(room, slope, by_force, by_impulse, 0.0, 0.0)) return false;
        const Number size = length(force_[0], force_[1]);
        d_[0] = -force_[0] / size;
        d_[1] = -force_[1] / size;
        energy_ = force_[2] * force_[2] / (kappa_ * 2.0);
        slipping_ = true;
      }
    }
    if (type == EventType::compression_ends && !restitution_) {
      restitution_ = true;
      if (e_.v == 0.0) return true;
      energy_ = energy_ * e_ * e_;
      largest_ = energy_.v;
      kappa_ = Number(1.0) / (e_ * e_);
    }
    enter();
    return true;
  }

  const CompliantImpact& impact_;
  bool published_, slipping_ = false, restitution_ = false;
  double impulse_unit_, largest_ = 0.0;
  double w_[3][3];
  Number mu_, e_, eta_, kappa_;
  Number impulse_[3], v_[3], force_[3], d_[2], energy_, more_[3];
  std::size_t steps_ = 0;
};

/// Input k changed by x; false where there is no such input.
bool change(CompliantProblem& problem, std::size_t k, double x) {
  if (k < 3) {
    problem.space.velocity[static_cast<Eigen::Index>(k)] += x;
    return problem.space.velocity[2] < 0.0;
  }
  double& value = k == 3   ? problem.material.friction
                  : k == 4 ? problem.material.restitution
                           : problem.stiffness_ratio_root;
  value += x;
  return k == 5 ? value >= rigid_stiffness_ratio_root : value >= 0.0 && (k == 3 || value <= 1.0);
}

/// Difference of outcomes; to the one side that there is where there is only one.
Eigen::Vector3d difference(const CompliantProblem& problem, std::size_t k) {
  const double value = k < 3    ? problem.space.velocity.norm()
                       : k == 3 ? std::max(problem.material.friction, 1e-3)
                       : k == 4 ? 1.0
                                : problem.stiffness_ratio_root;
  const double h = 1e-5 * value;
  const auto impulse = [&](double x, Eigen::Vector3d& out) {
    CompliantProblem beside = problem;
    if (!change(beside, k, x)) return false;
    out = compliant_outcome(beside).impulse;
    return true;
  };
  Eigen::Vector3d a, b;
  if (impulse(h, a) && impulse(-h, b)) return (a - b) / (2.0 * h);
  const Eigen::Vector3d here = compliant_outcome(problem).impulse;
  const double side = impulse(2.0 * h, a) ? h : -h;
  if (!impulse(side, a) || !impulse(2 * side, b)) return Eigen::Vector3d::Zero();
  return (4.0 * a - b - 3.0 * here) / (2.0 * side);
}

Eigen::Ref<Eigen::Vector3d> column(CompliantDerivatives& out, std::size_t k) {
  if (k < 3) return out.by_velocity.col(static_cast<Eigen::Index>(k));
  return k == 3 ? out.by_friction : k == 4 ? out.by_restitution : out.by_stiffness_ratio_root;
}

}  // namespace

namespace {

template <std::size_t inputs>
CompliantDerivatives derivatives(const CompliantProblem& problem, bool by_restitution = true) {
  CompliantDerivatives out;
  const CompliantImpact impact = compliant_impact(problem);
  out.outcome = impact;
  if (impact.verdict != Verdict::separated) return out;
  if (impact.flags.has(Flag::rigid_limit)) {
    const SpatialDerivatives rigid = spatial_derivatives({problem.space, problem.material, RestitutionLaw::energetic});
    out.by_velocity = rigid.by_velocity;
    out.by_friction = rigid.by_friction;
    out.by_restitution = rigid.by_restitution;
    return out;
  }
  const double e = problem.material.restitution, wnn = problem.space.inverse_inertia(2, 2);
  if (problem.material.friction == 0.0) {
    out.by_velocity(2, 2) = -(1.0 + e) / wnn;
    out.by_restitution[2] = -problem.space.velocity[2] / wnn;
    out.by_friction = difference(problem, 3);
    out.exact = false;
    return out;
  }
  const double w_unit = problem.space.inverse_inertia.cwiseAbs().maxCoeff(), v_unit = problem.space.velocity.norm();
  Sensitivity<inputs> sensitivity(problem, impact, w_unit, v_unit);
  constexpr std::size_t first = all_inputs - inputs;
  // The process followed once more is that of the stiffer spring, by one reading throughout.
  out.exact =
      problem.unloading == Unloading::stiffer && !impact.flags.has(Flag::undefined_reading) && sensitivity.run();
  for (std::size_t k = first; k < all_inputs; ++k)
    for (int i = 0; i < 3; ++i)
      column(out, k)[i] = sensitivity.impulse(i).d[k - first] * (k < 3 ? 1.0 : v_unit) / w_unit;
  if (inputs == all_inputs && out.exact) {
    // The impulse is of degree one in the velocity, so I = (dI/dv) v: what fails that has lost its digits.
    const double scale = impact.impulse.norm() + out.by_velocity.norm() * v_unit;
    out.exact = (out.by_velocity * problem.space.velocity - impact.impulse).norm() <= euler_tolerance * scale;
  }
  if (!out.exact)
    for (std::size_t k = first; k < all_inputs; ++k)
      if (k != 4 || by_restitution) column(out, k) = difference(problem, k);
  if (e == 0.0 && out.exact && by_restitution) {
    CompliantProblem beside = problem;
    beside.material.restitution = least_restitution;
    out.by_restitution = derivatives<inputs>(beside).by_restitution;
  }
  return out;
}

}  // namespace

CompliantDerivatives compliant_derivatives(const CompliantProblem& problem) { return derivatives<all_inputs>(problem); }

CompliantDerivatives compliant_surface_derivatives(const CompliantProblem& problem, bool by_restitution) {
  return derivatives<surface_inputs>(problem, by_restitution);
}

}  // namespace carom
