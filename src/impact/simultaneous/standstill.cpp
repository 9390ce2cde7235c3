#include "standstill.hpp"

#include "tuning.hpp"

namespace carom::simultaneous {

/// No contact has closed, opened, slipped or stuck anew for many swings of the slowest body.
bool Standstill::unchanged(double time) {
  for (; told_ < log_.events.size(); ++told_)
    if (const EventType type = log_.events[told_].type;
        type != EventType::compression_ends && type != EventType::recompression_begins)
      unchanged_since_ = time;
  return friction_ && time - unchanged_since_ > unchanged_swings * swing_;
}

bool Standstill::spent(double time, const Activity& activity) {
  const auto& [motion, stored, idle] = activity;
  if (idle || (motion <= idle_speed && stored <= jam_speed * jam_speed)) return true;
  return motion <= limits_.tolerance && stored <= limits_.tolerance * limits_.tolerance && unchanged(time);
}

bool Standstill::jammed(double time, const Activity& activity) {
  const auto& [motion, stored, idle] = activity;
  if (!(motion <= drift_speed && stored > drift_speed)) slow_since_ = time;
  if (!friction_) return false;
  if (time - slow_since_ > drift_swings * swing_ || unchanged(time)) return true;
  return motion <= limits_.jam && stored > (motion <= idle_speed ? jam_speed * jam_speed : limits_.jam);
}

bool Standstill::time_stands(double time, std::size_t steps) {
  if (steps < window_steps_ + standstill_steps + 10 * contacts_) return false;
  const bool still = time < window_time_ + standstill_time;
  window_steps_ = steps;
  window_time_ = time;
  return still;
}

}  // namespace carom::simultaneous
