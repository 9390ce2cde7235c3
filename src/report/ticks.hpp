// Where do the ticks of an axis stand, and what do they say?
// At multiples of 1, 2 or 5 times a power of ten; on a logarithmic axis at the decades, with minor ticks between.
#pragma once

#include <string>
#include <vector>

namespace carom::report {

struct Tick {
  double value = 0.0;
  std::string label;  ///< markup
};

struct Ticks {
  std::vector<Tick> major;
  std::vector<double> minor;
  std::string note;  ///< markup: what every label is multiplied by or counted from, "" when nothing
};

/// Ticks of the range low < high, about `wanted` of them.
Ticks linear_ticks(double low, double high, int wanted);

/// Ticks of a logarithmic axis over 0 < low < high, about `wanted` of them labelled.
Ticks logarithmic_ticks(double low, double high, int wanted);

}  // namespace carom::report
