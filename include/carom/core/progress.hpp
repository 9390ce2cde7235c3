// How far is long work, and may it go on?
// Whoever starts long work hands a Progress down; the work tells it how far it is and asks whether to stop. By default
// nothing is shown and nothing stops.
#pragma once

#include <functional>
#include <stdexcept>

#pragma GCC visibility push(default)

namespace carom {

/// Thrown by work that was asked to stop and has nothing to show for itself.
class Cancelled : public std::runtime_error {
public:
  Cancelled() : std::runtime_error("cancelled") {}
};

struct Progress {
  /// Called now and then, from one thread at a time, with the share of the work that is done: 0 to 1, rising.
  std::function<void(double share)> show = {};
  /// Asked now and then, perhaps from several threads: true to stop.
  std::function<bool()> cancelled = {};

  void at(double share) const {
    if (show) show(share);
  }
  bool is_cancelled() const { return cancelled && cancelled(); }
  /// Both, for work that has nothing to show when it is stopped.
  /// @throws Cancelled
  void step(double share) const {
    at(share);
    if (is_cancelled()) throw Cancelled();
  }
};

}  // namespace carom

#pragma GCC visibility pop
