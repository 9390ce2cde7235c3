#include "carom/report/table.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "carom/core/error.hpp"

namespace carom::report {

namespace {

bool is_missing(const Value& value) {
  const double* number = std::get_if<double>(&value);
  return number != nullptr && std::isnan(*number);
}

std::size_t size_of(const Column& column) {
  return std::visit([](const auto& cells) { return cells.size(); }, column.cells);
}

template <class T>
Cells cells_of(const T&) {
  return std::vector<T>();
}
Cells cells_of(bool) { return std::vector<std::optional<bool>>(); }

/// Whether all cells so far are missing, so that the column can still become one of something else.
bool is_undecided(const Column& column) {
  const auto* numbers = std::get_if<std::vector<double>>(&column.cells);
  if (size_of(column) == 0) return true;
  return numbers != nullptr && std::all_of(numbers->begin(), numbers->end(), [](double x) { return std::isnan(x); });
}

bool fits(const Column& column, const Value& value) {
  return is_missing(value) || value.index() == column.cells.index() || is_undecided(column);
}

void append_missing(Cells& cells) {
  struct Append {
    void operator()(std::vector<std::string>& all) const { all.emplace_back(); }
    void operator()(std::vector<double>& all) const { all.push_back(std::numeric_limits<double>::quiet_NaN()); }
    void operator()(std::vector<std::optional<bool>>& all) const { all.emplace_back(); }
    void operator()(std::vector<std::vector<double>>& all) const { all.emplace_back(); }
  };
  std::visit(Append{}, cells);
}

void append(Column& column, const Value& value) {
  const std::size_t before = size_of(column);
  if (value.index() != column.cells.index() && !(is_missing(value) && before > 0) && is_undecided(column)) {
    column.cells = std::visit([](const auto& first) { return cells_of(first); }, value);
    for (std::size_t i = 0; i < before; ++i) append_missing(column.cells);
  }
  if (is_missing(value)) return append_missing(column.cells);
  struct Append {
    Cells& cells;
    void operator()(const std::string& text) const { std::get<0>(cells).push_back(text); }
    void operator()(double number) const { std::get<1>(cells).push_back(number); }
    void operator()(bool yes) const { std::get<2>(cells).emplace_back(yes); }
    void operator()(const std::vector<double>& numbers) const { std::get<3>(cells).push_back(numbers); }
  };
  std::visit(Append{column.cells}, value);
}

}  // namespace

std::size_t Table::row_count() const {
  std::size_t count = 0;
  for (const Column& column : columns) count = std::max(count, size_of(column));
  return count;
}

void Table::add_row(const std::vector<Value>& row) {
  if (row.size() != columns.size())
    throw InvalidInput(fmt::format("{}.rows[{}]", name, row_count()),
                       fmt::format("must hold {} values, got {}", columns.size(), row.size()));
  for (std::size_t c = 0; c < row.size(); ++c)
    if (!fits(columns[c], row[c]))
      throw InvalidInput(fmt::format("{}.{}[{}]", name, columns[c].key, row_count()),
                         "must be of the kind that the column holds");
  for (std::size_t c = 0; c < row.size(); ++c) append(columns[c], row[c]);
}

Value cell(const Column& column, std::size_t row) {
  static constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  struct Get {
    std::size_t row;
    Value operator()(const std::vector<std::string>& all) const { return all[row]; }
    Value operator()(const std::vector<double>& all) const { return all[row]; }
    Value operator()(const std::vector<std::optional<bool>>& all) const {
      return all[row] ? Value(*all[row]) : Value(missing);
    }
    Value operator()(const std::vector<std::vector<double>>& all) const { return all[row]; }
  };
  if (row >= size_of(column)) return missing;
  return std::visit(Get{row}, column.cells);
}

}  // namespace carom::report
