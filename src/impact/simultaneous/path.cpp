#include "path.hpp"

#include <algorithm>
#include <iterator>

namespace carom::simultaneous {

namespace {

/// No impact is over sooner, in time units: the lightest contact on the stiffest spring needs pi/2 to be compressed.
/// The grid begins so fine that it has half its room filled by then.
constexpr double shortest_impact = 1.5;

}  // namespace

Path::Path(std::size_t points, std::size_t contacts)
    : contacts_(contacts),
      event_room_((points - 2) / 2),
      grid_room_(points - 1 - event_room_),
      spacing_(2.0 * shortest_impact / static_cast<double>(grid_room_)) {}

void Path::widen() {
  drop_every_second(grid_);
  spacing_ *= 2.0;
}

void Path::drop_every_second(Samples& samples) {
  for (std::size_t i = 2; i < samples.size(); i += 2) samples[i / 2] = std::move(samples[i]);
  samples.resize((samples.size() + 1) / 2);
}

std::vector<SimultaneousSample::Contact>& Path::add(Samples& samples, double time) const {
  samples.push_back({time, std::vector<SimultaneousSample::Contact>(contacts_)});
  return samples.back().contacts;
}

std::vector<SimultaneousSample> Path::take() {
  Samples all;
  all.reserve(grid_.size() + events_.size() + last_.size());
  const auto earlier = [](const SimultaneousSample& a, const SimultaneousSample& b) { return a.time < b.time; };
  std::merge(std::move_iterator(grid_.begin()), std::move_iterator(grid_.end()), std::move_iterator(events_.begin()),
             std::move_iterator(events_.end()), std::back_inserter(all), earlier);
  std::move(last_.begin(), last_.end(), std::back_inserter(all));
  for (Samples* part : {&grid_, &events_, &last_}) part->clear();
  return all;
}

}  // namespace carom::simultaneous
