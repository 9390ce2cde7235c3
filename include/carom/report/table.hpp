// How are numbers shown?
// Key numbers (facts) and tables, with names for machines and labels for people.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

namespace carom::report {

/// A value of the document: text, a number, true or false, or a vector of numbers. A number that does not exist is NaN
/// and is written as null (JSON), an empty cell (CSV) or a dash (terminal).
using Value = std::variant<std::string, double, bool, std::vector<double>>;

/// One key number: what a reader looks for first.
struct Fact {
  std::string key;    ///< for machines: snake_case, unique in its document
  std::string label;  ///< for people
  Value value;
  std::string unit;  ///< "" when there is none
};

/// The cells of a column: all texts, all numbers (NaN: none), all true or false (or nothing), or all vectors (empty:
/// none).
using Cells = std::variant<std::vector<std::string>, std::vector<double>, std::vector<std::optional<bool>>,
                           std::vector<std::vector<double>>>;

struct Column {
  std::string key;    ///< for machines
  std::string label;  ///< for people
  std::string unit;
  Cells cells = {};
};

/// Kept column by column, as its readers (plots, CSV, arrays) want it.
struct Table {
  std::string name;  ///< file stem, snake_case, unique in its document
  std::string title;
  std::vector<Column> columns;

  /// Cells of the longest column.
  std::size_t row_count() const;
  /// Append a cell to every column. The first cell of a column decides what it holds; a NaN is a missing cell in any.
  /// @throws InvalidInput if the row is not as long as the columns or a cell is not what its column holds; then nothing
  ///         is appended
  void add_row(const std::vector<Value>& row);
};

/// A cell as a value; NaN where the column has none.
Value cell(const Column& column, std::size_t row);

}  // namespace carom::report

#pragma GCC visibility pop
