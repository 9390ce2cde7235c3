// Many impacts on one thread, several at a time (spatial_outcomes).
#pragma once

#include <span>

#include "carom/impact/spatial.hpp"

namespace carom::spatial {

/// @param wide  with AVX2; only if has_wide_lanes(). The same bits either way.
void follow_batch(std::span<const SpatialProblem> problems, std::span<SpatialOutcome> outcomes, bool wide);

}  // namespace carom::spatial
