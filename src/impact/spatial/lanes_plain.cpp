// Lanes for any processor, and whether this one has better.
#include "lanes_kernel.hpp"
#include "lanes_tail.hpp"

namespace carom::spatial {

void plain_step(LanePiece& piece) {
  if (piece.any_work)
    step_with_work(piece);
  else
    step_without_work(piece);
}

void plain_tail(LanePiece& piece) { tail_in_lanes(piece); }

#if defined(__x86_64__)
bool has_wide_lanes() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#else
bool has_wide_lanes() { return false; }
#endif

}  // namespace carom::spatial
