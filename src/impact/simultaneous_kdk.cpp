#include "simultaneous_system.hpp"
namespace carom::simultaneous {
Outcome solve_kick_drift_kick(const System<3>&, double, Log&) { return {}; }
}  // namespace carom::simultaneous
