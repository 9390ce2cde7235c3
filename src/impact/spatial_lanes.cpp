#include "spatial_lanes.hpp"

#include "spatial_series.hpp"

namespace carom::spatial {

namespace plain {
#include "spatial_lanes_kernel.inl"
}  // namespace plain
void plain_step(LaneStep& step) { plain::step_in_lanes(step); }

#if defined(__x86_64__)
// AVX2 without FMA: fusing multiply and add would change the bits.
#pragma GCC push_options
#pragma GCC target("avx2")
namespace wide {
#include "spatial_lanes_kernel.inl"
}  // namespace wide
void wide_step(LaneStep& step) { wide::step_in_lanes(step); }
#pragma GCC pop_options
bool has_wide_lanes() { return __builtin_cpu_supports("avx2"); }
#else
bool has_wide_lanes() { return false; }
#endif

}  // namespace carom::spatial
