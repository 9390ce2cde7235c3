// Does a run of simultaneous impact still get anywhere?
#pragma once

#include <cstddef>
#include <utility>

#include "flow_state.hpp"
#include "system.hpp"

namespace carom::simultaneous {

template <int D>
class Standstill {
public:
  Standstill(const System<D>& system, const Thresholds& limits, const FlowState<D>& now, const Evaluation<D>& see,
             const Log& log)
      : system_(system), limits_(limits), now_(now), see_(see), log_(log), swing_(system.slowest_swing()) {}

  /// Nothing moves, and the springs hold less than the ledger can see; or less than the tolerance, and nothing changes:
  /// the weaker a Hertz spring is pressed, the slower it swings.
  bool spent();
  /// Friction holds the springs compressed and nothing moves: a wedge that does not let go. (One that still does, ever
  /// more slowly, has no more energy in its springs than in its motion.)
  bool jammed();
  /// So many steps have not brought time on.
  bool time_stands(std::size_t steps);

private:
  std::pair<double, double> motion_and_energy() const;
  bool unchanged();

  const System<D>& system_;
  const Thresholds& limits_;
  const FlowState<D>& now_;
  const Evaluation<D>& see_;
  const Log& log_;
  std::size_t window_steps_ = 0;  // this and the time: where time_stands looked last
  double window_time_ = 0.0;
  double unchanged_since_ = 0.0;     // no contact closes, opens, slips or sticks since
  std::size_t told_ = 0;             // events looked at for that
  double slow_since_ = 0.0, swing_;  // pressing contacts have all but rested since; slowest_swing
};

}  // namespace carom::simultaneous
