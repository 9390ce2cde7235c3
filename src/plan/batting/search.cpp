#include "search.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <limits>
#include <numbers>

namespace carom::batting {

namespace {

/// Times looked at first in each interval; more where not every time has a plan.
constexpr int first_times = 9, first_times_certain = 24, first_times_unsure = 64, first_times_far = 512;
/// How much longer than its chord a piece of the curve of contact velocities may be. Pieces are halved until, by that,
/// they cannot hold a velocity `worthwhile` better than the best known one; at most so often in all.
constexpr double most_detour = 1.5, worthwhile = 0.02;
constexpr int most_halvings = 200;
/// Of a bracket: the curve in it is already short, so this is 1e-6 of the objective or less even where it has a kink.
constexpr int polish_bits = 16;
/// Distance kept from the end of an interval, as a share of its width: the end itself belongs to the cone's edge.
constexpr double inset = 1e-9;
/// Halvings towards the time from which on there is a plan, and the distance kept from it, as a share of the time.
constexpr int edge_halvings = 30;
constexpr double edge_distance = 1e-7;

}  // namespace

Search::Search(const Aim& aim, BattingObjective objective, const BattingSpread& spread, Inverse inverse,
               BattingMethod method, bool sure)
    : aim_(aim),
      objective_(objective),
      spread_(spread),
      inverse_(std::move(inverse)),
      method_(method),
      sure_(sure && !aim.problem.reach) {}

bool Search::by_time() const {
  return objective_ != BattingObjective::min_bat_speed && objective_ != BattingObjective::most_certain;
}

double Search::value_at(double time) const {
  switch (objective_) {
    case BattingObjective::shortest_flight:
      return time;
    case BattingObjective::gentlest_arrival:
      return aim_.arrival_speed(time);
    default:
      return aim_.impulse(time).stableNorm();
  }
}

double Search::value_of(double time, const Eigen::Vector3d& velocity) const {
  if (by_time()) return value_at(time);
  if (objective_ == BattingObjective::min_bat_speed) return aim_.bat_speed(velocity);
  BattingShot shot;
  shot.flight_time = time;
  shot.impulse = aim_.problem.frame * aim_.impulse(time);
  shot.contact_velocity = aim_.problem.frame * velocity;
  return worth(aim_, shot, objective_, spread_);
}

Search::Sample Search::look(double time, const Eigen::Vector2d& slip) {
  Sample out;
  out.time = time;
  out.slip = slip;
  velocities_.clear();
  inverse_(time, out.slip, velocities_);
  for (const Eigen::Vector3d& velocity : velocities_) {
    if (limited_ && !within_reach(aim_, velocity)) continue;
    if (strict_ && !(hits(aim_, shot_of(aim_, velocity, method_)) && (sure_ || steady(aim_, velocity)))) continue;
    const double value = value_of(time, velocity);
    if (!std::isfinite(value) || (out.there && !(value < out.value))) continue;
    out.there = true;
    out.value = value;
    out.velocity = velocity;
  }
  if (out.there) slip_ = out.slip;
  keep(out);
  return out;
}

void Search::keep(const Sample& sample) {
  if (sample.there && (!best_.there || sample.value < best_.value)) best_ = sample;
}

double Search::low_end(const FlightTimes& t) const {
  return std::max(t.low, aim_.least * std::min(t.high / aim_.unit, 1.0));
}

double Search::inside(const FlightTimes& t, double share) const {
  const double low = low_end(t);
  return low * std::pow(t.high / low, share);
}

/// Where an objective of the time alone has its minima: quartics again.
std::vector<double> Search::turning_times() const {
  std::vector<double> out;
  if (objective_ == BattingObjective::least_impulse) out = least_impulse_times(aim_, {{0.0, aim_.most}});
  if (objective_ == BattingObjective::gentlest_arrival && aim_.b.norm() > 0.0)
    out.push_back(std::sqrt(aim_.distance / aim_.b.norm()));
  return out;
}

/// How many times of an interval are looked at first.
int Search::first_count(bool path) const {
  if (!sure_) return aim_.extent > 1.0 ? first_times_far : first_times_unsure;
  return !path ? 1 : objective_ == BattingObjective::most_certain ? first_times_certain : first_times;
}

/// From one end of an interval to the other, closer together towards both, where slip is fast.
Search::Samples Search::grid(const FlightTimes& t, int count) const {
  const double low = low_end(t), step = inset * (t.high - low);
  std::vector<double> times{low > t.low ? low : low + step};
  for (int i = 1; i < count; ++i) times.push_back(inside(t, 0.5 - 0.5 * std::cos(std::numbers::pi * i / count)));
  times.push_back(t.high < aim_.most ? t.high - step : t.high);
  std::vector<double> more = by_time() ? turning_times() : least_impulse_times(aim_, {t});
  more.insert(more.end(), extra_times_.begin(), extra_times_.end());
  for (const double time : more)
    if (time > times.front() && time < times[static_cast<std::size_t>(count)]) times.push_back(time);
  std::sort(times.begin(), times.end());
  Samples out;
  for (const double time : times) {
    if (!out.empty() && !(time > out.back().time)) continue;
    out.emplace_back();
    out.back().time = time;
  }
  return out;
}

/// Between a time with a plan and one without: the last one that has one, but for `edge_distance`. With lower_only,
/// only as long as the other end would be better than the best.
Search::Sample Search::close_in(Sample there, Sample beyond, bool lower_only) {
  const Sample best_before = best_, first = there;
  for (int i = 0; i < edge_halvings; ++i) {
    if (lower_only && best_.there && !(value_at(beyond.time) < best_.value)) break;
    const double middle = std::sqrt(there.time * beyond.time);
    if (!(middle > std::min(there.time, beyond.time) && middle < std::max(there.time, beyond.time))) break;
    const Sample sample = look(middle, there.slip);
    (sample.there ? there : beyond) = sample;
  }
  // On the very edge the least of changes ends the impact earlier.
  best_ = best_before;
  const double back = there.time + edge_distance * (there.time < beyond.time ? -there.time : there.time);
  const bool far = there.time < beyond.time ? back > first.time : back < first.time;
  if (!far) return first;
  const Sample sample = look(back, there.slip);
  return sample.there ? sample : first;
}

void Search::search_by_time(const std::vector<FlightTimes>& times) {
  Samples all;
  std::vector<std::size_t> last;  // of each interval
  for (const FlightTimes& t : times) {
    const Samples some = grid(t, first_count(false));
    all.insert(all.end(), some.begin(), some.end());
    last.push_back(all.size() - 1);
  }
  std::vector<std::size_t> order(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) order[i] = i, all[i].value = value_at(all[i].time);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return all[i].value < all[j].value; });
  std::vector<bool> looked(all.size(), false);
  const auto visit = [&](std::size_t i) {
    if (looked[i]) return;
    const double value = all[i].value;
    all[i] = look(all[i].time, Eigen::Vector2d::Zero());
    all[i].value = value;
    looked[i] = true;
  };
  for (const std::size_t i : order) {
    visit(i);
    if (best_.there) break;
  }
  if (sure_) return;
  // Stretches without a plan whose times would be better: how far do their neighbours with one reach into them?
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    if (std::find(last.begin(), last.end(), i) != last.end()) continue;
    if (!best_.there || !(std::min(all[i].value, all[i + 1].value) < best_.value)) continue;
    visit(i);
    visit(i + 1);
    if (all[i].there == all[i + 1].there) continue;
    const bool first = all[i].there;
    close_in(all[first ? i : i + 1], all[first ? i + 1 : i], true);
  }
}

/// Halves pieces of the curve that may hold something better, the most promising first.
void Search::refine(Samples& samples) {
  const auto bound = [&](const Sample& x, const Sample& y) {
    return 0.5 * (x.value + y.value - most_detour * (x.velocity - y.velocity).stableNorm());
  };
  for (int n = 0; n < most_halvings; ++n) {
    std::size_t where = 0;
    double least = (1.0 - worthwhile) * best_.value;
    for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
      const Sample &x = samples[i], &y = samples[i + 1];
      if (!x.there || !y.there || y.time - x.time <= inset * x.time) continue;
      if (const double here = bound(x, y); here < least) {
        least = here;
        where = i + 1;
      }
    }
    if (where == 0) return;
    const Sample &x = samples[where - 1], &y = samples[where];
    const Sample middle = look(std::sqrt(x.time * y.time), x.slip);
    samples.insert(samples.begin() + static_cast<std::ptrdiff_t>(where), middle);
  }
}

/// The ground of a hollow.
void Search::polish(const Sample& left, const Sample& middle, const Sample& right) {
  const double width = right.time - left.time;
  std::uintmax_t most = 60;
  Eigen::Vector2d slip = middle.slip;
  boost::math::tools::brent_find_minima(
      [&](double share) {
        const Sample sample = look(left.time + share * width, slip);
        if (!sample.there) return std::numeric_limits<double>::max();
        slip = sample.slip;
        return sample.value;
      },
      0.0, 1.0, polish_bits, most);
}

void Search::search_path(const FlightTimes& interval) {
  const bool certain = objective_ == BattingObjective::most_certain;
  Samples samples = grid(interval, first_count(true));
  Eigen::Vector2d slip = Eigen::Vector2d::Zero();
  for (Sample& sample : samples) {
    sample = look(sample.time, slip);
    if (sample.there) slip = sample.slip;
  }
  if (!sure_) {
    Samples edges;
    constexpr double promising = 2.0;  // of the best: an edge with more is none that bends down to it
    for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
      const Sample &x = samples[i], &y = samples[i + 1];
      if (x.there == y.there || (x.there ? x : y).value > promising * best_.value) continue;
      edges.push_back(close_in(x.there ? x : y, x.there ? y : x, false));
    }
    samples.insert(samples.end(), edges.begin(), edges.end());
    std::stable_sort(samples.begin(), samples.end(), [](const Sample& x, const Sample& y) { return x.time < y.time; });
  }
  if (!best_.there) return;
  if (!certain) refine(samples);
  // Hollows, the deepest first.
  std::vector<std::size_t> hollows;
  const auto above = [&](std::size_t i, std::size_t j) {
    return !samples[j].there || samples[j].value >= samples[i].value;
  };
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (samples[i].there && (i == 0 || above(i, i - 1)) && (i + 1 == samples.size() || above(i, i + 1)))
      hollows.push_back(i);
  std::stable_sort(hollows.begin(), hollows.end(),
                   [&](std::size_t i, std::size_t j) { return samples[i].value < samples[j].value; });
  for (const std::size_t i : hollows) {
    const bool left = i > 0 && samples[i - 1].there, right = i + 1 < samples.size() && samples[i + 1].there;
    const Sample &from = samples[left ? i - 1 : i], &to = samples[right ? i + 1 : i];
    if (!left && !right) continue;
    const double chord =
        (samples[i].velocity - from.velocity).stableNorm() + (samples[i].velocity - to.velocity).stableNorm();
    if (!certain && samples[i].value - most_detour * chord > best_.value) continue;
    if (left != right) {  // an end: does it go down from here?
      constexpr double step = 1e-3;
      const Sample near = look(samples[i].time + step * ((left ? from : to).time - samples[i].time), samples[i].slip);
      if (!near.there || near.value >= samples[i].value) continue;
    }
    polish(from, samples[i], to);
  }
}

std::optional<BattingShot> Search::verified(const Sample& sample) {
  if (!sample.there) return std::nullopt;
  BattingShot shot = shot_of(aim_, sample.velocity, method_);
  if (!hits(aim_, shot) || !(sure_ || steady(aim_, sample.velocity))) return std::nullopt;
  shot.flight_time = sample.time;
  return shot;
}

std::optional<BattingShot> Search::at(double time) {
  const Sample before = best_;
  best_ = {};
  const bool was = limited_;
  limited_ = false;
  const Sample sample = look(time, slip_);
  best_ = before;
  limited_ = was;
  return verified(sample);
}

std::optional<BattingShot> Search::best(const std::vector<FlightTimes>& times) {
  const auto run = [&]() -> std::optional<BattingShot> {
    for (const bool strict : {false, true}) {
      strict_ = strict;
      best_ = {};
      slip_.setZero();
      if (by_time())
        search_by_time(times);
      else
        for (const FlightTimes& t : times) search_path(t);
      if (!best_.there) break;
      if (auto shot = verified(best_)) return shot;
    }
    strict_ = false;
    return std::nullopt;
  };
  if (!aim_.problem.reach) {
    auto shot = run();
    if (!shot && sure_) {  // rounding, at the ends of the range of doubles: then not every time has a plan
      sure_ = false;
      shot = run();
      sure_ = true;
    }
    return shot;
  }
  // Within the limits, if anything is: the slowest swing is the likeliest, so its time is looked at too.
  const BattingObjective asked = objective_;
  objective_ = BattingObjective::min_bat_speed;
  limited_ = false;
  if (const auto slowest = run()) extra_times_.push_back(slowest->flight_time);
  objective_ = asked;
  limited_ = true;
  auto shot = run();
  limited_ = false;
  if (!shot) shot = run();
  return shot;
}

}  // namespace carom::batting
