// Pieces of curved slip for several impacts at once, one per lane: Taylor steps (as TaylorPiece) and tails (as
// TailPiece). Every operation acts on all lanes and no lane ever looks at another, so a piece comes out the same bits
// whoever shares it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace carom::spatial {

inline constexpr std::size_t lanes = 4;

/// Which quantity ends the piece early when it comes to `level` (Process::Goal).
inline constexpr std::int64_t goal_velocity = 0, goal_impulse = 1, goal_work = 2;

/// What goes into a piece and what comes out, by lane. Units as in Surface and State.
struct LanePiece {
  using Row = double[lanes];
  using Marks = std::int64_t[lanes];  // 0 or -1

  // in; gx to work are moved by the piece
  alignas(32) Row b11, b12, b22, d1, d2, w, mu, unit;  // unit: slip_unit
  alignas(32) Row gx, gy, vn, ix, iy, in;
  alignas(32) Row impulse, work;         // sums since the row took the lane; work only if any_work
  alignas(32) Row log2_small;            // log2_exactness; a step puts that of the next piece here
  alignas(32) Row per_r_start, widest;   // of the process, for `near_ray`; a refused tail puts its own `widest` here
  alignas(32) Row level;                 // of impulse or work still to come: a step leaves what is left of it
  alignas(32) Marks quantity, monotone;  // monotone: v_n rises in every direction of slip
  alignas(32) Marks follows_work;        // `work` will be asked for
  bool any_work = false;                 // must be set if any lane follows its work

  // out
  alignas(32) Marks at_goal;             // the piece ends at its goal
  alignas(32) Marks alone;               // not in lanes: v_n may not rise throughout, or slip is out of range
  alignas(32) Marks straight, near_ray;  // step only: what comes next (Process::next_piece)
  alignas(32) Marks refused;             // tail only: not near enough to a ray; `widest` tells how near it must be
};

/// One Taylor step in every lane, or the tail up to its goal or the end of slip (if not `at_goal`). A step leaves a
/// lane that comes out `alone` where it was; a tail leaves nonsense there and in one `refused`. Products are added
/// without rounding in between, by definition, so that the wide functions (AVX2 with FMA; only if `has_wide_lanes`) and
/// the plain ones give the same bits. (On a processor without such an instruction the plain ones are slow.)
void plain_step(LanePiece& piece);
void plain_tail(LanePiece& piece);
#if defined(__x86_64__)
void wide_step(LanePiece& piece);
void wide_tail(LanePiece& piece);
#endif
bool has_wide_lanes();

}  // namespace carom::spatial
