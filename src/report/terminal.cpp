#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "carom/report/document.hpp"
#include "carom/report/writers.hpp"

#include "math_text.hpp"
#include "utf8.hpp"

namespace carom::report {

namespace {

// A terminal is read, not scrolled through for thousands of rows: longer tables show their ends, files hold them all.
constexpr std::size_t longest_table = 40, head_rows = 30, tail_rows = 5;
constexpr std::size_t text_columns = 96;  // prose is wrapped here; wider lines are hard to read

constexpr const char* no_number = "–";

/// `value` with `digits` significant digits: "0.4", "1.5e-7", "-2".
std::string number_with(double value, int digits) {
  if (std::isnan(value)) return no_number;
  std::string text = fmt::format("{:.{}g}", value == 0.0 ? 0.0 : value, digits);
  // printf pads the exponent ("e+06", "e-07"); people write e6, e-7.
  if (const auto e = text.find('e'); e != std::string::npos) {
    std::size_t digit = e + 1;
    if (text[digit] == '+') {
      text.erase(digit, 1);
    } else if (text[digit] == '-') {
      ++digit;
    }
    while (digit + 1 < text.size() && text[digit] == '0') text.erase(digit, 1);
  }
  return text;
}

std::string value_text(const Value& value, int digits) {
  struct Show {
    int digits;
    std::string operator()(const std::string& text) const { return plain_text(text); }
    std::string operator()(double number) const { return number_with(number, digits); }
    std::string operator()(bool yes) const { return yes ? "yes" : "no"; }
    std::string operator()(const std::vector<double>& numbers) const {
      std::string out = "(";
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (i > 0) out += ", ";
        out += number_with(numbers[i], digits);
      }
      return out + ")";
    }
  };
  return std::visit(Show{digits}, value);
}

bool is_number(const Value& value) { return std::holds_alternative<double>(value); }

/// Where the decimal point of a number's text stands (or would stand).
std::size_t integer_width(const std::string& number) { return std::min(number.find_first_of(".e"), number.size()); }

/// One column of cells, set so that decimal points stand below each other and text starts at the left.
class AlignedColumn {
public:
  void add(const Value& value, int digits) {
    Cell cell{value_text(value, digits), 0, is_number(value)};
    if (cell.number) {
      cell.before = cell.text == no_number ? 1 : integer_width(cell.text);
      before_ = std::max(before_, cell.before);
      after_ = std::max(after_, display_width(cell.text) - cell.before);
      any_number_ = true;
    } else {
      text_ = std::max(text_, display_width(cell.text));
    }
    cells_.push_back(std::move(cell));
  }

  std::size_t width() const { return std::max(before_ + after_, text_); }
  bool numeric() const { return any_number_; }

  /// The cell padded to `wide` columns (at least width()), numbers at its left (facts) or right end (under a heading).
  std::string at_left(std::size_t row) const { return set(cells_[row], before_, width()); }
  std::string at_right(std::size_t row, std::size_t wide) const { return set(cells_[row], wide - after_, wide); }

private:
  struct Cell {
    std::string text;
    std::size_t before;
    bool number;
  };

  /// Numbers with their decimal point after `point` columns, text from the left.
  static std::string set(const Cell& cell, std::size_t point, std::size_t wide) {
    return pad_right(std::string(cell.number ? point - cell.before : 0, ' ') + cell.text, wide);
  }

  std::vector<Cell> cells_;
  std::size_t before_ = 0, after_ = 0, text_ = 0;
  bool any_number_ = false;
};

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

/// Prose broken at spaces, continuation lines indented by `indent`.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t first_used = 0) {
  std::string out;
  std::size_t column = first_used;
  bool line_start = true;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, space);
    const std::size_t width = display_width(word);
    if (!line_start && column + 1 + width > text_columns) {
      out += '\n';
      out.append(indent, ' ');
      column = indent;
      line_start = true;
    }
    if (!word.empty()) {
      if (!line_start) {
        out += ' ';
        ++column;
      }
      out += word;
      column += width;
      line_start = false;
    }
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  return out;
}

class Terminal {
public:
  Terminal(bool color, int digits) : color_(color), digits_(std::clamp(digits, 1, 17)) {}

  void heading(std::string_view text) {
    if (text.empty()) return;
    const std::string plain = plain_text(text);
    blank_line();
    out_ += styled(plain, "1") + '\n';
    for (std::size_t i = display_width(plain); i > 0; --i) out_ += "─";
    out_ += '\n';
  }

  void prose(std::string_view text) {
    if (!text.empty()) out_ += wrapped(plain_text(text), 0) + '\n';
  }

  void facts(const std::vector<Fact>& facts) {
    if (facts.empty()) return;
    blank_line();
    std::size_t label_width = 0;
    AlignedColumn values;
    for (const Fact& fact : facts) {
      label_width = std::max(label_width, display_width(plain_text(fact.label)));
      values.add(fact.value, digits_);
    }
    for (std::size_t i = 0; i < facts.size(); ++i) {
      const std::string unit =
          facts[i].unit.empty() ? std::string() : fmt::format("  {}", styled(plain_text(facts[i].unit), "2"));
      out_ += without_trailing_spaces(
          fmt::format("  {}  {}{}", pad_right(plain_text(facts[i].label), label_width), values.at_left(i), unit));
      out_ += '\n';
    }
  }

  void table(const Table& table) {
    heading(table.title.empty() ? table.name : table.title);
    const std::size_t rows = table.row_count();
    const bool cut = rows > longest_table;
    std::vector<std::size_t> shown;
    for (std::size_t r = 0; r < rows; ++r) {
      if (!cut || r < head_rows || r + tail_rows >= rows) shown.push_back(r);
    }
    std::vector<AlignedColumn> columns(table.columns.size());
    for (const std::size_t r : shown)
      for (std::size_t c = 0; c < columns.size(); ++c) columns[c].add(cell(table.columns[c], r), digits_);
    std::string header, units;
    std::vector<std::size_t> width(columns.size());
    bool any_unit = false;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string label = plain_text(table.columns[c].label);
      const std::string unit =
          table.columns[c].unit.empty() ? std::string() : fmt::format("[{}]", plain_text(table.columns[c].unit));
      any_unit = any_unit || !unit.empty();
      width[c] = std::max({display_width(label), display_width(unit), columns[c].width()});
      const auto pad = columns[c].numeric() ? pad_left : pad_right;
      (header += "  ") += pad(label, width[c]);
      (units += "  ") += pad(unit, width[c]);
    }
    out_ += without_trailing_spaces(header) + '\n';
    if (any_unit) out_ += styled(without_trailing_spaces(units), "2") + '\n';
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (cut && i == head_rows) {
        out_ += styled(fmt::format("  … {} more rows …", rows - head_rows - tail_rows), "2") + '\n';
      }
      std::string line;
      for (std::size_t c = 0; c < columns.size(); ++c) (line += "  ") += columns[c].at_right(i, width[c]);
      out_ += without_trailing_spaces(std::move(line)) + '\n';
    }
  }

  void notes(const std::vector<std::string>& notes) {
    if (notes.empty()) return;
    blank_line();
    constexpr std::string_view mark = "warning: ";
    for (const std::string& note : notes) {
      out_ += styled(mark, "1;33") + wrapped(plain_text(note), mark.size(), mark.size()) + '\n';
    }
  }

  std::string take() { return std::move(out_); }

private:
  void blank_line() {
    if (!out_.empty()) out_ += '\n';
  }
  std::string styled(std::string_view text, const char* code) const {
    return color_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }

  std::string out_;
  bool color_;
  int digits_;
};

}  // namespace

std::string terminal_text(const Document& document, bool color, int digits) {
  Terminal terminal(color, digits);
  terminal.heading(document.title);
  terminal.prose(document.summary);
  terminal.facts(document.facts);
  for (const Table& table : document.tables) terminal.table(table);
  terminal.notes(document.notes);
  return terminal.take();
}

}  // namespace carom::report
