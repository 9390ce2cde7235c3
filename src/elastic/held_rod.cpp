#include "carom/elastic/held_rod.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "carom/core/error.hpp"

#include "panel.hpp"
#include "scaled_rod.hpp"

namespace carom {

namespace {

using namespace elastic;
using std::size_t;

/// Gauss points per piece. The kernels are entire of exponential type rho: pieces no longer than kernel_reach/rho.
constexpr int order = 16;
constexpr double longest_piece = 0.25, kernel_reach = 2.0;

/// The kernels fall like exp(-rho y^2/(2 t)) away from where they are centred: beyond this exponent they are nothing.
constexpr double quiet_exponent = 45.0;

/// A contact force this close to zero (relative) is zero.
constexpr double force_noise = 1e-13;

/// v, v_t and v_x in units t1 = 1.
struct Fields {
  double v = 0.0, vt = 0.0, vx = 0.0;
};

/// One piece of the rod at rest under its steady load, by values at Gauss points.
struct RestPiece {
  double start, len;
  double load[order], slope[order];
  double sag_start;
};

}  // namespace

double RodProfile::operator()(double x) const {
  if (points.empty()) return 0.0;
  const auto above =
      std::upper_bound(points.begin(), points.end(), x, [](double at, const Point& p) { return at < p.x; });
  if (above == points.begin()) return points.front().value;
  if (above == points.end()) return points.back().value;
  const Point &low = above[-1], &high = *above;
  return low.value + (high.value - low.value) * ((x - low.x) / (high.x - low.x));
}

HeldRodData held_rod_data(const RodProfile& velocity, const RodProfile& load) {
  HeldRodData data;
  data.velocity = velocity;
  if (!load.points.empty()) data.steady_load = load;
  for (const RodProfile* profile : {&velocity, &load})
    for (const RodProfile::Point& point : profile->points) data.breaks.push_back(point.x);
  return data;
}

class HeldRod::Impl {
public:
  Impl(const RodProblem& problem, HeldRodData given) : data(std::move(given)) {
    RodProblem still = problem;
    still.impact_speed = 0.0;
    check_rod(still);
    if (problem.damping_kind != DampingKind::viscous && problem.damping > 0.0)
      throw InvalidInput("damping_kind", "must be viscous, the formula knows no structural damping");
    length = problem.length, speed = problem.wave_speed, t1 = rod_round_trip(problem);
    rho = problem.damping * t1, gravity = problem.gravity;
    if (!(rho <= held_rod_most_drag))
      throw InvalidInput("damping", "times 2 length / wave_speed must be <= " + number_text(held_rod_most_drag) +
                                        ", got " + number_text(rho));
    piece = rho > 0.0 ? std::min(longest_piece, kernel_reach / rho) : longest_piece;
    edges = {0.0, 0.5, 1.0, 1.5};
    for (size_t i = 0; i < data.breaks.size(); ++i) {
      require_between("breaks[" + std::to_string(i) + "]", data.breaks[i], 0.0, length);
      const double b = 0.5 * data.breaks[i] / length;
      for (const double image : {b, 1.0 - b, 1.0 + b, 2.0 - b}) edges.push_back(std::fmod(image, 2.0));
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    if (data.steady_load || gravity > 0.0) settle();
  }

  /// Calls each(start, length) for the pieces of [low, high], cut at the places given.
  template <class Each>
  void pieces(double low, double high, const std::vector<double>& inner_cuts, const Each& each) const {
    std::vector<double> cuts{low, high};
    for (const double cut : inner_cuts)
      if (cut > low && cut < high) cuts.push_back(cut);
    std::sort(cuts.begin(), cuts.end());
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      const double span = cuts[i + 1] - cuts[i], parts = std::ceil(span / piece);
      for (double p = 0.0; p < parts; p += 1.0) each(cuts[i] + span * p / parts, span / parts);
    }
  }
  /// Calls add(y, weight) for the Gauss points of these pieces.
  template <class Add>
  void over(double low, double high, const std::vector<double>& inner_cuts, const Add& add) const {
    const GaussRule& rule = gauss_rule(order);
    pieces(low, high, inner_cuts, [&](double start, double span) {
      for (size_t q = 0; q < order; ++q) add(start + span * rule.x[q], span * rule.weight[q]);
    });
  }

  /// Where the data, continued beyond the rod, have edges within [low, high].
  std::vector<double> edges_in(double low, double high) const {
    std::vector<double> found;
    for (double turn = 2.0 * std::floor(0.5 * low); turn <= high; turn += 2.0)
      for (const double edge : edges)
        if (turn + edge > low && turn + edge < high) found.push_back(turn + edge);
    return found;
  }

  double steady_load(double x) const {  // x in [0, 1/2]
    return t1 * ((data.steady_load ? data.steady_load(2.0 * length * x) : 0.0) - gravity);
  }

  /// The rod at rest under its steady load: -sag'' = load, sag(0) = 0, sag'(1/2) = 0.
  void settle() {
    const GaussRule& rule = gauss_rule(order);
    pieces(0.0, 0.5, edges, [&](double start, double span) {
      RestPiece part{start, span, {}, {}, 0.0};
      for (size_t q = 0; q < order; ++q) part.load[q] = steady_load(start + span * rule.x[q]);
      rest.push_back(part);
    });
    double slope = 0.0;  // from the top down
    for (size_t i = rest.size(); i-- > 0;) {
      RestPiece& part = rest[i];
      const double all = rule.integrate(part.load, 1.0);
      for (size_t q = 0; q < order; ++q)
        part.slope[q] = slope + part.len * (all - rule.integrate(part.load, rule.x[q]));
      slope += part.len * all;
    }
    double sag = 0.0;
    for (RestPiece& part : rest) {
      part.sag_start = sag;
      sag += part.len * rule.integrate(part.slope, 1.0);
    }
  }
  const RestPiece& rest_at(double x) const {
    size_t i = 0;
    while (i + 1 < rest.size() && x > rest[i + 1].start) ++i;
    return rest[i];
  }
  double sag(double x) const {
    const RestPiece& part = rest_at(x);
    return part.sag_start + part.len * gauss_rule(order).integrate(part.slope, (x - part.start) / part.len);
  }
  double sag_slope(double x) const {
    const RestPiece& part = rest_at(x);
    return gauss_rule(order).interpolate(part.slope, (x - part.start) / part.len);
  }

  /// Data on [0, 1/2] continued to all heights: odd about the held bottom, even about the free top (eq. 5.18), and
  /// their slopes the other way round.
  enum class Of { values, slopes };
  template <class F>
  double continued(const F& f, double y, Of of) const {
    const double turned = y - 2.0 * std::floor(0.5 * y);  // [0, 2)
    const bool below = turned >= 1.0;
    const double up = below ? 2.0 - turned : turned;
    const bool beyond = up > 0.5;
    const double sign = (of == Of::values ? below : beyond) ? -1.0 : 1.0;
    return sign * f(beyond ? 1.0 - up : up);
  }

  /// The rod that starts with velocity f (eqs. 5.20, 5.22, 5.24, with the decay e^{-rho t} of v = e^{-rho t} w).
  template <class F>
  Fields from_velocity(const F& f, double x, double t, Of of = Of::values) const {
    const double decay = std::exp(-rho * t), ahead = continued(f, x + t, of), behind = continued(f, x - t, of);
    Fields sum{0.0, 0.5 * decay * (ahead + behind), 0.5 * decay * (ahead - behind)};
    const double reach = rho * t > 2.0 * quiet_exponent ? std::sqrt(2.0 * quiet_exponent * t / rho) : t;
    over(x - reach, x + reach, edges_in(x - reach, x + reach), [&](double y, double weight) {
      const double away = x - y, s = std::sqrt(std::max(0.0, (t - away) * (t + away))), z = rho * s;
      const double e = 0.5 * weight * std::exp(z - rho * t) * continued(f, y, of);
      const double i0 = i0e(z) * e, i1_over_z = (z > 1e-7 ? i1e(z) / z : 0.5) * e;
      sum.v += i0;
      sum.vt += rho * (rho * t * i1_over_z - i0);
      sum.vx -= rho * rho * away * i1_over_z;
    });
    return sum;
  }

  /// At x in [0, 1/2], t >= 0. A steady load is a rod at rest and one that starts from the opposite displacement; the
  /// answer to a displacement is that to the same velocity, differentiated in time, and 2 rho times it. A load in time
  /// gives the rod a velocity at every moment (Duhamel).
  Fields at(double x, double t) const {
    Fields sum;
    if (data.velocity) sum = from_velocity([&](double y) { return data.velocity(2.0 * length * y); }, x, t);
    if (!rest.empty()) {
      const Fields back = from_velocity([&](double y) { return -sag(y); }, x, t);
      const Fields bent = from_velocity([&](double y) { return -sag_slope(y); }, x, t, Of::slopes);
      sum.v += sag(x) + back.vt + 2.0 * rho * back.v;
      sum.vx += sag_slope(x) + bent.vt + 2.0 * rho * bent.v;
      sum.vt += from_velocity([&](double y) { return steady_load(y); }, x, t).v;
    }
    if (!data.load) return sum;
    std::vector<double> cuts;
    for (const double edge : edges_in(x - t, x + t)) cuts.push_back(std::abs(edge - x));
    over(0.0, t, cuts, [&](double back, double weight) {
      const double then = (t - back) * t1;
      const Fields one = from_velocity([&](double y) { return t1 * data.load(2.0 * length * y, then); }, x, back);
      sum.v += weight * one.v, sum.vt += weight * one.vt, sum.vx += weight * one.vx;
    });
    return sum;
  }

  double place(double x) const {
    require_between("x", x, 0.0, length);
    return 0.5 * x / length;
  }
  double time(double t) const {
    require_at_least("t", t, 0.0);
    return t / t1;
  }

  HeldRodData data;
  double length = 1.0, speed = 1.0, t1 = 1.0, rho = 0.0, gravity = 0.0, piece = longest_piece;
  std::vector<double> edges;    ///< of the continued data in [0, 2)
  std::vector<RestPiece> rest;  ///< none without a steady load
};

HeldRod::HeldRod(const RodProblem& problem, HeldRodData data)
    : impl_(std::make_unique<const Impl>(problem, std::move(data))) {}
HeldRod::~HeldRod() = default;
HeldRod::HeldRod(HeldRod&&) noexcept = default;
HeldRod& HeldRod::operator=(HeldRod&&) noexcept = default;

double HeldRod::displacement(double x, double t) const {
  return impl_->t1 * impl_->at(impl_->place(x), impl_->time(t)).v;
}
double HeldRod::velocity(double x, double t) const { return impl_->at(impl_->place(x), impl_->time(t)).vt; }
double HeldRod::strain(double x, double t) const {
  return impl_->at(impl_->place(x), impl_->time(t)).vx / impl_->speed;
}

HeldRod::Whole HeldRod::whole(double t) const {
  const double now = impl_->time(t);
  // Fields jump or bend where a front from an edge has come to.
  std::vector<double> cuts;
  for (const double edge : impl_->edges_in(-now - 1.0, now + 1.0))
    for (const double front : {edge - now, edge, edge + now}) cuts.push_back(front);
  Whole whole;
  impl_->over(0.0, 0.5, cuts, [&](double x, double weight) {
    const Fields f = impl_->at(x, now);
    const double share = 2.0 * weight;
    whole.momentum += share * f.vt, whole.height += share * f.v;
    whole.energy += 0.5 * share * (f.vt * f.vt + f.vx * f.vx);
  });
  whole.momentum *= impl_->length, whole.height *= impl_->t1, whole.energy *= impl_->length;
  return whole;
}

std::optional<double> HeldRod::lift_off(double until) const {
  const double end = impl_->time(until);
  const GaussRule& rule = gauss_rule(order);
  double largest = 0.0;
  std::optional<double> found;
  impl_->pieces(0.0, end, impl_->edges_in(0.0, end), [&](double start, double span) {
    if (found) return;
    double force[order];
    for (size_t q = 0; q < order; ++q) {
      force[q] = -impl_->at(0.0, start + span * rule.x[q]).vx;
      largest = std::max(largest, std::abs(force[q]));
    }
    const double noise = force_noise * largest;
    for (double& f : force) f += noise;
    const auto clear = [&](double x) { return rule.interpolate(force, x); };
    const double first = clear(0.0);
    const double x = first < 0.0 ? 0.0 : first_negative(clear, rule, force, first, clear(1.0));
    if (!std::isnan(x)) found = impl_->t1 * (start + span * x);
  });
  return found;
}

}  // namespace carom
