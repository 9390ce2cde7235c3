// Measured impacts in a CSV file: numbers under a line of names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parts/described.hpp"

namespace carom::scenario {

struct FitTable {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;  ///< not a number in the column `material`
  std::vector<std::string> materials;     ///< of the rows, if the file has that column
  std::vector<int> lines;                 ///< of the rows, in the file

  std::size_t column(std::string_view name) const;  ///< columns.size() if there is none
  bool planar() const;                              ///< impacts in the plane: a column W_tt
};

/// The columns of impacts in the plane, axes (t, n), or in space, axes (t1, t2, n).
const std::vector<std::string>& needed_columns(bool planar);

/// The name of such a file. Lines that start with # are remarks; names may be in quotes, in any order, each once;
/// beside the needed ones there may be `weight` and `material`.
Type<FitTable> fit_table();

}  // namespace carom::scenario
