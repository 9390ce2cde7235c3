#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "carom/core/error.hpp"
#include "carom/report/writers.hpp"

namespace carom::report {

namespace {

constexpr std::string_view line_end = "\r\n";  // RFC 4180, section 2.1

void append_text(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void append_number(std::string& out, double value) {
  if (!std::isnan(value)) out += number_text(value);
}

const std::vector<double>* as_vector(const Value& value) { return std::get_if<std::vector<double>>(&value); }

/// A value over `spread` cells: a vector fills as many as it has numbers, anything else the first.
void append_value(std::string& out, const Value& value, std::size_t spread) {
  std::size_t used = 1;
  if (const auto* numbers = as_vector(value)) {
    for (std::size_t i = 0; i < numbers->size(); ++i) {
      if (i > 0) out += ',';
      append_number(out, (*numbers)[i]);
    }
    used = std::max<std::size_t>(numbers->size(), 1);
  } else if (const auto* number = std::get_if<double>(&value)) {
    append_number(out, *number);
  } else if (const auto* truth = std::get_if<bool>(&value)) {
    out += *truth ? "true" : "false";
  } else {
    append_text(out, std::get<std::string>(value));
  }
  out.append(spread - used, ',');
}

}  // namespace

std::string csv_text(const Table& table) {
  const std::size_t columns = table.columns.size();
  std::vector<std::size_t> spread(columns, 1);
  std::vector<bool> vectors(columns, false);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const auto& row = table.rows[r];
    if (row.size() != columns) {
      throw InvalidInput(fmt::format("{}.rows[{}]", table.name, r),
                         fmt::format("must hold {} values, got {}", columns, row.size()));
    }
    for (std::size_t c = 0; c < columns; ++c) {
      if (const auto* numbers = as_vector(row[c])) {
        spread[c] = std::max(spread[c], numbers->size());
        vectors[c] = true;
      }
    }
  }

  std::string out;
  for (std::size_t c = 0; c < columns; ++c) {
    const Column& column = table.columns[c];
    const std::string unit = column.unit.empty() ? std::string() : fmt::format(" [{}]", column.unit);
    for (std::size_t i = 0; i < spread[c]; ++i) {
      if (c + i > 0) out += ',';
      append_text(out, vectors[c] ? fmt::format("{}_{}{}", column.key, i, unit) : column.key + unit);
    }
  }
  out += line_end;
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (c > 0) out += ',';
      append_value(out, row[c], spread[c]);
    }
    out += line_end;
  }
  return out;
}

}  // namespace carom::report
