// The sweep behind the key `sweep` and Scenario::run_sweep.
#pragma once

#include <filesystem>

#include "carom/core/progress.hpp"
#include "carom/scenario/sweep.hpp"

#include "kind.hpp"

namespace carom::scenario {

/// How many runs it takes: one per combination of values.
std::size_t runs_of(const Sweep& sweep);

Type<Sweep> sweep_type();

/// Whether the file can be read with the first and the last values.
/// @throws InvalidInput if the sweep itself makes no sense
void check_sweep(const Kind& kind, const Value& root, const Sweep& sweep, int line, Mistakes& mistakes);

/// @param root      of the file
/// @param mistakes  gets a fact to show that there is none of; then the result is empty
SweepResult run_sweep(const Kind& kind, const Value& root, const std::filesystem::path& folder, const Sweep& sweep,
                      const Progress& progress, Mistakes& mistakes);

}  // namespace carom::scenario
