// Lanes for processors with AVX2 and FMA: compiled with flags of its own, called only where has_wide_lanes().
#if defined(__AVX2__) && defined(__FMA__)
#include "lanes_kernel.hpp"
#include "lanes_tail.hpp"

namespace carom::spatial {

void wide_step(LanePiece& piece) {
  if (piece.any_work)
    step_with_work(piece);
  else
    step_without_work(piece);
}

void wide_tail(LanePiece& piece) { tail_in_lanes(piece); }

}  // namespace carom::spatial
#endif
