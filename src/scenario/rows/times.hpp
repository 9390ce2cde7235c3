// Times at which a row wants samples.
#pragma once

#include "model.hpp"

namespace carom::scenario {

/// Times that increase from zero on.
Type<std::vector<double>> increasing_times();

/// `sample_times` must not go beyond `end_time`.
template <class Row>
void check_sample_times(const Row& row, const Value& object, const Path& path, Mistakes& mistakes) {
  if (row.sample_times.empty() || row.sample_times.back() <= row.end_time) return;
  mistakes.add(
      path.at("sample_times"), place_of(object, "sample_times"),
      "must lie in [0, " + number_text(row.end_time) + "] (`end_time`), got " + number_text(row.sample_times.back()));
}

}  // namespace carom::scenario
