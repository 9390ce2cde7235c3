// What the runs of a sweep look like: curves over one field, one curve per value of a second, or a map over both.
#pragma once

#include <vector>

#include "carom/report/plot.hpp"
#include "carom/scenario/sweep.hpp"

namespace carom::scenario {

std::vector<report::Plot> sweep_pictures(const SweepResult& result);

}  // namespace carom::scenario
