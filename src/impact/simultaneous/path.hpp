// A bounded number of samples of a run of unknown length.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "carom/impact/simultaneous.hpp"

namespace carom::simultaneous {

/// Samples in scaled units: half the room for instants on a grid in time, whose spacing doubles when the room runs out,
/// half for the instants just after events, of which every second is dropped when theirs does; and one for the end.
class Path {
public:
  /// @param points  at least 2   @param contacts  of every sample
  Path(std::size_t points, std::size_t contacts);

  /// The run has come from time `from` to `to`: `state(share, contacts)` fills in a sample at from + share (to - from).
  template <class State>
  void piece(double from, double to, const State& state) {
    while (to >= spacing_ * static_cast<double>(grid_room_)) widen();
    for (double time = next_time(); time <= to; time = next_time())
      state(to > from ? (time - from) / (to - from) : 1.0, add(grid_, time));
  }

  /// Events have happened: `state(contacts)` fills in a sample just after them.
  template <class State>
  void event(double time, const State& state) {
    if (events_seen_++ % event_stride_ != 0 || event_room_ == 0) return;
    if (events_.size() == event_room_) {
      drop_every_second(events_);
      event_stride_ *= 2;
      if ((events_seen_ - 1) % event_stride_ != 0) return;
    }
    state(add(events_, time));
  }

  /// The run is over: `state(contacts)` fills in its last sample.
  template <class State>
  void end(double time, const State& state) {
    state(add(last_, time));
  }

  /// All samples in order of time; none are left here.
  std::vector<SimultaneousSample> take();

private:
  using Samples = std::vector<SimultaneousSample>;
  double next_time() const { return spacing_ * static_cast<double>(grid_.size()); }
  void widen();
  static void drop_every_second(Samples& samples);
  std::vector<SimultaneousSample::Contact>& add(Samples& samples, double time) const;

  std::size_t contacts_, event_room_, grid_room_;
  double spacing_;
  std::size_t events_seen_ = 0, event_stride_ = 1;
  Samples grid_, events_, last_;
};

}  // namespace carom::simultaneous
