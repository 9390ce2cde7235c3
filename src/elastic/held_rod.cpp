#include "carom/elastic/held_rod.hpp"

#include <algorithm>
#include <cmath>
#include <string>

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

/// A contact force this close to zero (relative) is zero.
constexpr double force_noise = 1e-13;

/// v, v_t and v_x in units t1 = 1.
struct Fields {
  double v = 0.0, vt = 0.0, vx = 0.0;
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
  if (!load.points.empty()) data.load = [load](double x, double) { return load(x); };
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
    loaded = data.load || gravity > 0.0;
    piece = std::min(longest_piece, kernel_reach / std::max(rho, 1e-300));
    edges = {0.0, 0.5, 1.0, 1.5};
    for (size_t i = 0; i < data.breaks.size(); ++i) {
      const std::string field = "breaks[" + std::to_string(i) + "]";
      require_between(field, data.breaks[i], 0.0, length);
      const double b = 0.5 * data.breaks[i] / length;
      for (const double image : {b, 1.0 - b, 1.0 + b, 2.0 - b}) edges.push_back(std::fmod(image, 2.0));
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  }

  /// Calls add(y, weight) for the Gauss points of the pieces of [low, high], cut at the places given.
  template <class Add>
  void over(double low, double high, const std::vector<double>& inner_cuts, const Add& add) const {
    std::vector<double> cuts{low, high};
    for (const double cut : inner_cuts)
      if (cut > low && cut < high) cuts.push_back(cut);
    std::sort(cuts.begin(), cuts.end());
    const GaussRule& rule = gauss_rule(order);
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      const double span = cuts[i + 1] - cuts[i], parts = std::ceil(span / piece);
      for (double p = 0.0; p < parts; p += 1.0)
        for (size_t q = 0; q < order; ++q) add(cuts[i] + span * (p + rule.x[q]) / parts, span / parts * rule.weight[q]);
    }
  }

  /// Where the data, continued beyond the rod, have edges within [low, high].
  std::vector<double> edges_in(double low, double high) const {
    std::vector<double> found;
    for (double turn = 2.0 * std::floor(0.5 * low); turn <= high; turn += 2.0)
      for (const double edge : edges)
        if (turn + edge > low && turn + edge < high) found.push_back(turn + edge);
    return found;
  }

  /// The data of the rod continued to all heights: odd about the held bottom, even about the free top (eq. 5.18).
  template <class F>
  double continued(const F& f, double y) const {
    const double turned = y - 2.0 * std::floor(0.5 * y);  // [0, 2)
    const double sign = turned < 1.0 ? 1.0 : -1.0, up = turned < 1.0 ? turned : 2.0 - turned;
    return sign * f(2.0 * length * (up <= 0.5 ? up : 1.0 - up));
  }

  /// The rod that starts with velocity f (eqs. 5.20, 5.22, 5.24, with the decay e^{-rho t} of v = e^{-rho t} w).
  template <class F>
  Fields from_velocity(const F& f, double x, double t) const {
    const double decay = std::exp(-rho * t), ahead = continued(f, x + t), behind = continued(f, x - t);
    Fields sum{0.0, 0.5 * decay * (ahead + behind), 0.5 * decay * (ahead - behind)};
    over(x - t, x + t, edges_in(x - t, x + t), [&](double y, double weight) {
      const double away = x - y, s = std::sqrt(std::max(0.0, (t - away) * (t + away))), z = rho * s;
      const double e = 0.5 * weight * std::exp(z - rho * t) * continued(f, y);
      const double i0 = i0e(z) * e, i1_over_z = (z > 1e-7 ? i1e(z) / z : 0.5) * e;
      sum.v += i0;
      sum.vt += rho * (rho * t * i1_over_z - i0);
      sum.vx -= rho * rho * away * i1_over_z;
    });
    return sum;
  }

  /// At x in [0, 1/2], t >= 0: what the initial velocity does, and what the load of every earlier moment does from
  /// there on as a velocity given to the rod (Duhamel).
  Fields at(double x, double t) const {
    Fields sum;
    if (data.velocity) sum = from_velocity(data.velocity, x, t);
    if (!loaded) return sum;
    std::vector<double> cuts;
    for (const double edge : edges_in(x - t, x + t)) cuts.push_back(std::abs(edge - x));
    over(0.0, t, cuts, [&](double back, double weight) {
      const double then = (t - back) * t1;
      const auto load = [&](double place) { return t1 * ((data.load ? data.load(place, then) : 0.0) - gravity); };
      const Fields one = from_velocity(load, x, back);
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
  bool loaded = false;
  std::vector<double> edges;  ///< of the continued data in [0, 2)
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
    for (const double front : {edge - now, edge + now}) cuts.push_back(front);
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
  std::vector<double> cuts = impl_->edges_in(0.0, end);
  cuts.insert(cuts.begin(), 0.0), cuts.push_back(end);
  const GaussRule& rule = gauss_rule(order);
  double largest = 0.0;
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    const double span = cuts[i + 1] - cuts[i], parts = std::ceil(span / impl_->piece), part = span / parts;
    for (double p = 0.0; p < parts; p += 1.0) {
      const double start = cuts[i] + p * part;
      double force[order];
      for (size_t q = 0; q < order; ++q) {
        force[q] = -impl_->at(0.0, start + part * rule.x[q]).vx;
        largest = std::max(largest, std::abs(force[q]));
      }
      const double noise = force_noise * largest;
      for (double& f : force) f += noise;
      const auto clear = [&](double x) { return rule.interpolate(force, x); };
      const double first = clear(0.0);
      if (first < 0.0) return impl_->t1 * start;
      const double x = first_negative(clear, rule, force, first, clear(1.0));
      if (!std::isnan(x)) return impl_->t1 * (start + part * x);
    }
  }
  return std::nullopt;
}

}  // namespace carom
