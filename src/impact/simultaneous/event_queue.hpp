// The next thing that happens, of many that each have a time: a tournament, whose winner is known at once and whose
// ties go to the lower number, in whatever order the times were set.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace carom::simultaneous {

class EventQueue {
public:
  explicit EventQueue(std::size_t count)
      : leaves_(std::bit_ceil(std::max<std::size_t>(count, 1))),
        time_(leaves_, std::numeric_limits<double>::infinity()),
        winner_(2 * leaves_) {
    for (std::size_t i = 0; i < leaves_; ++i) winner_[leaves_ + i] = i;
    for (std::size_t i = leaves_; i-- > 1;) winner_[i] = winner_[2 * i];
  }

  void set(std::size_t i, double time) {
    time_[i] = time;
    for (std::size_t at = (leaves_ + i) / 2; at >= 1; at /= 2) {
      const std::size_t left = winner_[2 * at], right = winner_[2 * at + 1];
      winner_[at] = time_[right] < time_[left] ? right : left;
    }
  }

  /// Whose turn it is, and when; an infinite time if nobody's.
  std::size_t first() const { return winner_[1]; }
  double time() const { return time_[first()]; }

private:
  std::size_t leaves_;
  std::vector<double> time_;
  std::vector<std::size_t> winner_;  // of the subtree below each node; the leaves come last
};

}  // namespace carom::simultaneous
