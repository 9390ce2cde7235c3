// Taylor steps of curved slip for several impacts at once, one per lane. The same arithmetic as TaylorPiece, but every
// operation acts on all lanes; no lane ever looks at another, so a step comes out the same bits whoever shares it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace carom::spatial {

inline constexpr std::size_t lanes = 4;

/// Which quantity ends the step early when it comes to `level` (Process::Goal).
inline constexpr std::int64_t goal_velocity = 0, goal_impulse = 1, goal_work = 2;

/// What goes into a step and what comes out, by lane. Units as in Surface and State.
struct LaneStep {
  using Row = double[lanes];
  using Marks = std::int64_t[lanes];  // 0 or -1

  // in; gx to in are moved by the step
  alignas(32) Row m11, m12, m22;  // mu B
  alignas(32) Row d1, d2, w, mu;
  alignas(32) Row gx, gy, vn, ix, iy, in;
  alignas(32) Row level;
  alignas(32) Marks quantity, monotone;  // monotone: v_n rises in every direction of slip
  bool any_work = false;                 // must be set if any lane is after goal_work

  // out
  alignas(32) Row impulse, work;  // of this step; work only if any_work
  alignas(32) Marks at_goal;      // the step ends at its goal
  alignas(32) Marks alone;        // v_n may not rise throughout, or slip is out of range: take this step by TaylorPiece
};

/// One step in every lane. A lane whose `alone` comes out set holds nonsense.
/// `wide_step` uses AVX2 and may be called only if `has_wide_lanes`; both give the same bits.
void plain_step(LaneStep& step);
#if defined(__x86_64__)
void wide_step(LaneStep& step);
#endif
bool has_wide_lanes();

}  // namespace carom::spatial
