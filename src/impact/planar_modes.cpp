#include "carom/impact/planar_modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "carom/core/error.hpp"

namespace carom {

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Where Newton's law creates energy: so many slips are looked at before borders are narrowed down, and halved so
/// often.
constexpr int gain_samples = 200, halvings = 60;

double b3_of(const Eigen::Matrix2d& w) { return -0.5 * w(0, 1) - 0.5 * w(1, 0); }

double direction_of(double slip, double b3) { return slip != 0.0 ? std::copysign(1.0, slip) : b3 > 0.0 ? -1.0 : 1.0; }

PlanarProblem newton_impact(const Eigen::Matrix2d& w, const Material& material, double slip) {
  return {.space = {w, {slip, -1.0}}, .material = material, .law = RestitutionLaw::newton};
}

void require_direction(int direction) {
  if (direction != 1 && direction != -1)
    throw InvalidInput("direction", "must be 1 or -1, got " + std::to_string(direction));
}

/// Energy after less energy before, over the larger of them: is there a gain beyond rounding?
double gain(const Eigen::Matrix2d& w, const Material& material, double slip) {
  const PlanarImpact impact = planar_impact(newton_impact(w, material, slip));
  return impact.energy.after - impact.energy.before * (1.0 + 1e-12);
}

/// The area between two borders given at the same places, cut off at `most`, as one polygon per unbroken stretch.
template <class Add>
void areas_between(const std::vector<double>& mu, const std::vector<double>& low, const std::vector<double>& high,
                   double sign, double most, const Add& add) {
  std::size_t begin = 0;
  const auto empty = [&](std::size_t i) { return !(std::min(high[i], most) > low[i]); };
  while (begin < mu.size()) {
    if (empty(begin)) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < mu.size() && !empty(end)) ++end;
    std::vector<Eigen::Vector2d> corners;
    // Where the area begins or ends between two places its borders meet: the place without it closes it.
    const std::size_t first = begin > 0 ? begin - 1 : begin, last = end < mu.size() ? end : end - 1;
    for (std::size_t i = first; i <= last; ++i) corners.emplace_back(mu[i], sign * std::min(low[i], most));
    for (std::size_t i = last + 1; i-- > first;)
      corners.emplace_back(mu[i], sign * std::min(std::max(high[i], low[i]), most));
    add(std::move(corners));
    begin = end;
  }
}

}  // namespace

PlanarThresholds planar_thresholds(const PlanarProblem& problem) {
  const PlanarContactSpace space = validated(problem.space);
  require_valid(problem.material);
  const double b1 = space.inverse_inertia(0, 0), b2 = space.inverse_inertia(1, 1), b3 = b3_of(space.inverse_inertia);
  const double s0 = space.velocity[0], c0 = space.velocity[1];
  const double mu = problem.material.friction, e = problem.material.restitution, s = direction_of(s0, b3);
  PlanarThresholds out;
  out.mu_s = -b3 / b1;
  out.stick_friction = std::abs(b3) / b1;
  out.p_d = (b2 + s * mu * b3) * std::abs(s0);
  out.p_q = (mu * b1 + s * b3) * -c0;
  // D and Q lie at -W^-1 (S0, f C0) with f = 1 + e and 1.
  const auto slope = [&](double f) -> std::optional<double> {
    const double down = f * b1 * c0 + b3 * s0, across = f * b3 * c0 + b2 * s0;
    if (down == 0.0) return std::nullopt;
    // What cancels but for rounding is zero.
    const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * std::abs(b2 * s0);
    return std::abs(across) <= rounding ? 0.0 : across / down;
  };
  out.mu_d = slope(1.0 + e);
  out.mu_q = slope(1.0);
  // L = (-s mu, 1) meets S below the point iff mu is above its -s slope, and iff that point is reached at all.
  const auto friction = [&](double f) -> std::optional<double> {
    if (c0 > 0.0 || s0 == 0.0 || !(f * b1 * c0 + b3 * s0 < 0.0)) return std::nullopt;
    return std::max(0.0, -s * *slope(f));
  };
  out.slip_end_friction = friction(1.0 + e);
  out.early_slip_end_friction = friction(1.0);
  if (s * b3 < 0.0) out.jamb_friction = b2 / std::abs(b3);
  return out;
}

SlipLimits planar_slip_limits(const Eigen::Matrix2d& inverse_inertia, const Material& material, int direction) {
  validated(PlanarContactSpace{inverse_inertia, {0.0, -1.0}});
  require_valid(material);
  require_direction(direction);
  const double b1 = inverse_inertia(0, 0), b2 = inverse_inertia(1, 1), b3 = b3_of(inverse_inertia);
  const double k1 = b2 + direction * material.friction * b3, h1 = material.friction * b1 + direction * b3;
  if (h1 <= 0.0) return {};
  if (k1 <= 0.0) return {unbounded, unbounded};
  return {h1 / k1, (1.0 + material.restitution) * h1 / k1};
}

std::vector<SlipRange> newton_gain_slips(const Eigen::Matrix2d& inverse_inertia, const Material& material,
                                         int direction) {
  const SlipLimits limits = planar_slip_limits(inverse_inertia, material, direction);
  const double b1 = inverse_inertia(0, 0), b2 = inverse_inertia(1, 1), b3 = b3_of(inverse_inertia);
  const double e = material.restitution;
  if (!(direction * b3 > 0.0) || e == 0.0 || material.friction == 0.0) return {};
  if (material.friction * b1 >= std::abs(b3)) {
    const double root = b3 * b3 - b1 * b2 * (1.0 - e * e);
    if (!(root > 0.0)) return {};
    const double low = b1 * (1.0 - e * e) / (std::abs(b3) + std::sqrt(root)),
                 high = std::min((std::abs(b3) + std::sqrt(root)) / b2, limits.separation);
    return high > low ? std::vector<SlipRange>{{low, high}} : std::vector<SlipRange>{};
  }
  const auto gains = [&](double slip) { return gain(inverse_inertia, material, direction * slip) > 0.0; };
  const auto border = [&](double a, double b) {  // between a slip that gains and one that does not
    const bool at_a = gains(a);
    for (int i = 0; i < halvings; ++i) {
      const double middle = 0.5 * (a + b);
      (gains(middle) == at_a ? a : b) = middle;
    }
    return 0.5 * (a + b);
  };
  std::vector<SlipRange> ranges;
  double before = 0.0;
  bool inside = false;
  for (int i = 1; i <= gain_samples; ++i) {
    const double slip = limits.separation * i / gain_samples;
    const bool now = i < gain_samples && gains(slip);
    if (now && !inside) ranges.push_back({border(before, slip), slip});
    if (!now && inside) ranges.back().high = border(before, slip);
    inside = now;
    before = slip;
  }
  return ranges;
}

PlanarModeMap planar_mode_map(const Eigen::Matrix2d& inverse_inertia, double restitution, double friction_to,
                              double slip_to, int samples) {
  const Eigen::Matrix2d w = validated(PlanarContactSpace{inverse_inertia, {0.0, -1.0}}).inverse_inertia;
  require_valid(Material{.friction = 0.0, .restitution = restitution});
  require_positive("friction_to", friction_to);
  require_positive("slip_to", slip_to);
  if (samples < 2) throw InvalidInput("samples", "must be at least 2, got " + std::to_string(samples));

  // Both sides of the friction that holds the contact are places of their own: the modes change there.
  const double hold = std::abs(b3_of(w)) / w(0, 0), just = 1e-12 * hold;
  std::vector<double> mu;
  for (int i = 0; i < samples; ++i) mu.push_back(friction_to * i / (samples - 1));
  for (const double place : {hold - just, hold})
    if (place > 0.0 && place < friction_to) mu.push_back(place);
  std::sort(mu.begin(), mu.end());
  const auto split = static_cast<std::size_t>(std::lower_bound(mu.begin(), mu.end(), hold) - mu.begin());

  PlanarModeMap map;
  for (const int direction : {1, -1}) {
    std::vector<double> zero(mu.size(), 0.0), compression, separation, top(mu.size(), slip_to);
    std::vector<std::vector<SlipRange>> gains;
    for (const double friction : mu) {
      const Material material{.friction = friction, .restitution = restitution};
      const SlipLimits limits = planar_slip_limits(w, material, direction);
      compression.push_back(limits.compression);
      separation.push_back(limits.separation);
      gains.push_back(newton_gain_slips(w, material, direction));
    }
    const auto add = [&](PlanarMode mode, const std::vector<double>& low, const std::vector<double>& high,
                         std::size_t from, std::size_t to) {
      const auto part = [&](const std::vector<double>& all) {
        return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(from),
                                   all.begin() + static_cast<std::ptrdiff_t>(to));
      };
      areas_between(part(mu), part(low), part(high), direction, slip_to, [&](std::vector<Eigen::Vector2d> corners) {
        map.modes.push_back({mode, std::move(corners)});
      });
    };
    add(PlanarMode::sliding, separation, top, 0, mu.size());
    add(PlanarMode::c_reversed, zero, compression, 0, split);
    add(PlanarMode::r_reversed, compression, separation, 0, split);
    add(PlanarMode::c_sticking, zero, compression, split, mu.size());
    add(PlanarMode::r_sticking, compression, separation, split, mu.size());
    std::size_t most = 0;
    for (const auto& ranges : gains) most = std::max(most, ranges.size());
    for (std::size_t r = 0; r < most; ++r) {
      std::vector<double> low, high;
      for (const auto& ranges : gains) {
        // Where there is none it has shrunk to a point: to which, the neighbours say.
        low.push_back(r < ranges.size() ? ranges[r].low : unbounded);
        high.push_back(r < ranges.size() ? ranges[r].high : unbounded);
      }
      for (std::size_t i = 0; i < mu.size(); ++i) {
        if (low[i] != unbounded) continue;
        for (const std::size_t j : {i + 1, i - 1})
          if (j < mu.size() && r < gains[j].size()) {
            low[i] = high[i] = 0.5 * (gains[j][r].low + gains[j][r].high);
            break;
          }
      }
      areas_between(mu, low, high, direction, slip_to,
                    [&](std::vector<Eigen::Vector2d> corners) { map.newton_gain.push_back(std::move(corners)); });
    }
  }
  return map;
}

}  // namespace carom
