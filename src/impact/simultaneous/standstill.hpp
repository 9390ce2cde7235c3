// Does a run of simultaneous impact still get anywhere?
#pragma once

#include <algorithm>
#include <cstddef>

#include "flow_state.hpp"
#include "system.hpp"

namespace carom::simultaneous {

/// What the pressing contacts do: their largest velocity or acceleration, and the largest energy in their springs.
struct Activity {
  double motion = 0.0, stored = 0.0;
  bool idle = true;  // none has anything left to do (see is_idle)

  void add(const Activity& other) {
    motion = std::max(motion, other.motion);
    stored = std::max(stored, other.stored);
    idle = idle && other.idle;
  }
};

class Standstill {
public:
  /// @param friction  of any contact   @param swing  System::slowest_swing   @param log  where events are told
  Standstill(const Thresholds& limits, bool friction, double swing, std::size_t contacts, const Log& log)
      : limits_(limits), friction_(friction), swing_(swing), contacts_(contacts), log_(log) {}

  /// Nothing moves, and the springs hold less than the ledger can see; or less than the tolerance, and nothing changes:
  /// the weaker a Hertz spring is pressed, the slower it swings.
  bool spent(double time, const Activity& activity);
  /// Friction holds the springs compressed and nothing moves: a wedge that does not let go. (One that still does, ever
  /// more slowly, has no more energy in its springs than in its motion.)
  bool jammed(double time, const Activity& activity);
  /// So many steps have not brought time on.
  bool time_stands(double time, std::size_t steps);

private:
  bool unchanged(double time);

  const Thresholds& limits_;
  bool friction_;
  double swing_;
  std::size_t contacts_;
  const Log& log_;
  std::size_t window_steps_ = 0;  // this and the time: where time_stands looked last
  double window_time_ = 0.0;
  double unchanged_since_ = 0.0;  // no contact closes, opens, slips or sticks since
  std::size_t told_ = 0;          // events looked at for that
  double slow_since_ = 0.0;       // pressing contacts have all but rested since
};

}  // namespace carom::simultaneous
