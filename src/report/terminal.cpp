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
constexpr std::size_t least_width = 40;   // narrower terminals are written to as if they were this wide
constexpr std::size_t text_columns = 96;  // prose is wrapped here; wider lines are hard to read
constexpr std::size_t least_cell = 16;    // text in a cell of a table is not broken into shorter lines than this,
constexpr std::size_t least_label = 12;   // nor the label of a fact than this
constexpr double noise = 1e-12;           // of the largest number of a column: what is less is rounding

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

/// The largest number of a value; 0 if it has none.
double scale_of(const Value& value) {
  double most = 0.0;
  const auto look = [&most](double x) {
    if (std::isfinite(x)) most = std::max(most, std::abs(x));
  };
  if (const auto* number = std::get_if<double>(&value)) look(*number);
  if (const auto* numbers = std::get_if<std::vector<double>>(&value))
    std::for_each(numbers->begin(), numbers->end(), look);
  return most;
}

/// The value with rounding noise as the zero it stands for.
Value without_noise(Value value, double scale) {
  const auto clean = [scale](double& x) {
    if (std::abs(x) < noise * scale) x = 0.0;
  };
  if (auto* number = std::get_if<double>(&value)) clean(*number);
  if (auto* numbers = std::get_if<std::vector<double>>(&value)) std::for_each(numbers->begin(), numbers->end(), clean);
  return value;
}

/// Nothing to read: no text, no numbers. (A number that does not exist is a dash, which says something.)
bool is_blank(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return text->empty();
  const auto* numbers = std::get_if<std::vector<double>>(&value);
  return numbers != nullptr && numbers->empty();
}

/// Where the decimal point of a number's text stands (or would stand).
std::size_t integer_width(const std::string& number) { return std::min(number.find_first_of(".e"), number.size()); }

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

/// Text broken at spaces into lines of at most `width` columns (words longer than that stay whole).
std::vector<std::string> lines_of(std::string_view text, std::size_t width, std::size_t first_used = 0) {
  std::vector<std::string> lines(1);
  std::size_t column = first_used;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, space);
    const std::size_t wide = display_width(word);
    text.remove_prefix(std::min(space + 1, text.size()));
    if (word.empty()) continue;
    if (!lines.back().empty() && column + 1 + wide > width) {
      lines.emplace_back();
      column = 0;
    }
    if (!lines.back().empty()) {
      lines.back() += ' ';
      ++column;
    }
    lines.back() += word;
    column += wide;
  }
  return lines;
}

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  for (const std::string& word : lines_of(text, 0)) longest = std::max(longest, display_width(word));
  return longest;
}

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
      word_ = std::max(word_, longest_word(cell.text));
    }
    cells_.push_back(std::move(cell));
  }

  std::size_t width() const { return std::max(before_ + after_, text_); }
  /// How narrow it can be when its texts are broken into lines, none shorter than this.
  std::size_t least(std::size_t line) const { return std::max({before_ + after_, word_, std::min(text_, line)}); }
  bool numeric() const { return any_number_; }

  /// The cell in lines of `wide` columns, numbers with their points at the left (facts) or the right end (under a
  /// heading).
  std::vector<std::string> at_left(std::size_t row, std::size_t wide) const { return set(cells_[row], before_, wide); }
  std::vector<std::string> at_right(std::size_t row, std::size_t wide) const {
    return set(cells_[row], wide - after_, wide);
  }

private:
  struct Cell {
    std::string text;
    std::size_t before;
    bool number;
  };

  /// Numbers with their decimal point after `point` columns, text from the left.
  static std::vector<std::string> set(const Cell& cell, std::size_t point, std::size_t wide) {
    if (cell.number) return {pad_right(std::string(point - cell.before, ' ') + cell.text, wide)};
    std::vector<std::string> lines = lines_of(cell.text, wide);
    for (std::string& line : lines) line = pad_right(line, wide);
    return lines;
  }

  std::vector<Cell> cells_;
  std::size_t before_ = 0, after_ = 0, text_ = 0, word_ = 0;
  bool any_number_ = false;
};

class Terminal {
public:
  explicit Terminal(const TerminalOptions& options)
      : color_(options.color),
        digits_(std::clamp(options.digits, 1, 17)),
        width_(std::max(options.width, least_width)),
        files_(options.files) {}

  void heading(std::string_view text) {
    if (text.empty()) return;
    blank_line();
    std::size_t widest = 0;
    for (const std::string& line : lines_of(plain_text(text), width_)) {
      out_ += styled(line, "1") + '\n';
      widest = std::max(widest, display_width(line));
    }
    for (std::size_t i = widest; i > 0; --i) out_ += "─";
    out_ += '\n';
  }

  void prose(std::string_view text) {
    if (!text.empty()) out_ += wrapped_text(plain_text(text), width_) + '\n';
  }

  void facts(const std::vector<Fact>& facts) {
    std::vector<const Fact*> shown;
    for (const Fact& fact : facts)
      if (!is_blank(fact.value)) shown.push_back(&fact);
    if (shown.empty()) return;
    blank_line();
    std::size_t labels = 0, units = 0;
    AlignedColumn values;
    for (const Fact* fact : shown) {
      labels = std::max(labels, display_width(plain_text(fact->label)));
      if (!fact->unit.empty()) units = std::max(units, 2 + display_width(plain_text(fact->unit)));
      values.add(without_noise(fact->value, scale_of(fact->value)), digits_);
    }
    const std::size_t others = 4 + units + values.least(1);
    labels = std::min(labels, std::max(least_label, width_ - std::min(width_, others)));
    const std::size_t left = width_ - std::min(width_, 4 + labels + units);
    const std::size_t wide = std::min(values.width(), std::max(left, values.least(1)));
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const std::vector<std::string> label = lines_of(plain_text(shown[i]->label), labels),
                                     value = values.at_left(i, wide);
      for (std::size_t line = 0; line < std::max(label.size(), value.size()); ++line) {
        std::string text = "  " + pad_right(line < label.size() ? label[line] : "", labels) + "  ";
        text += line < value.size() ? value[line] : std::string(wide, ' ');
        const bool last = line + 1 == value.size();
        const std::string& unit = shown[i]->unit;
        if (last && !unit.empty()) text += fmt::format("  {}", styled(plain_text(unit), "2"));
        out_ += without_trailing_spaces(std::move(text)) + '\n';
      }
    }
  }

  void table(const Table& table) {
    const std::size_t rows = table.row_count();
    std::vector<const Column*> used;
    std::vector<double> scales;
    for (const Column& column : table.columns) {
      bool blank = true;
      double scale = 0.0;
      for (std::size_t r = 0; r < rows; ++r) {
        const Value value = cell(column, r);
        blank = blank && is_blank(value);
        scale = std::max(scale, scale_of(value));
      }
      if (blank) continue;
      used.push_back(&column);
      scales.push_back(scale);
    }
    if (used.empty()) return;
    heading(table.title.empty() ? table.name : table.title);
    const bool cut = rows > longest_table;
    std::vector<Laid> columns;
    for (std::size_t c = 0; c < used.size(); ++c) {
      Laid laid;
      laid.label = plain_text(used[c]->label);
      if (!used[c]->unit.empty()) laid.unit = fmt::format("[{}]", plain_text(used[c]->unit));
      for (std::size_t r = 0; r < rows; ++r)
        if (!cut || r < head_rows || r + tail_rows >= rows)
          laid.cells.add(without_noise(cell(*used[c], r), scales[c]), digits_);
      laid.natural = std::max({display_width(laid.label), display_width(laid.unit), laid.cells.width()});
      laid.width = std::max({longest_word(laid.label), display_width(laid.unit), laid.cells.least(least_cell)});
      columns.push_back(std::move(laid));
    }
    // What does not fit side by side follows below, beside the first column again.
    std::vector<std::size_t> block = {0};
    std::size_t taken = 2 + columns[0].width;
    const std::size_t first = taken;
    for (std::size_t c = 1; c < columns.size(); ++c) {
      if (taken + 2 + columns[c].width > width_ && block.size() > 1) {
        write_block(table, columns, block, taken);
        out_ += '\n';
        block = {0};
        taken = first;
      }
      block.push_back(c);
      taken += 2 + columns[c].width;
    }
    write_block(table, columns, block, taken);
  }

  void notes(const std::vector<std::string>& notes) {
    if (notes.empty()) return;
    blank_line();
    constexpr std::string_view mark = "warning: ";
    for (const std::string& note : notes) {
      out_ += styled(mark, "1;33") + wrapped_text(plain_text(note), width_, mark.size(), mark.size()) + '\n';
    }
  }

  std::string take() { return std::move(out_); }

private:
  /// A column of a table with what stands above it.
  struct Laid {
    std::string label, unit;
    AlignedColumn cells;
    std::size_t natural = 0, width = 0;  // with nothing broken into lines; as it is written
  };

  /// Some columns side by side, as wide as they like where there is room.
  void write_block(const Table& table, std::vector<Laid>& columns, const std::vector<std::size_t>& block,
                   std::size_t taken) {
    std::size_t room = width_ - std::min(width_, taken);
    std::vector<std::size_t> wide;
    std::vector<std::vector<std::string>> labels;
    std::string units;
    std::size_t label_lines = 0;
    bool any_unit = false;
    for (const std::size_t c : block) {
      const Laid& laid = columns[c];
      const std::size_t more = std::min(room, laid.natural - laid.width);
      wide.push_back(laid.width + more);
      room -= more;
      labels.push_back(lines_of(laid.label, wide.back()));
      label_lines = std::max(label_lines, labels.back().size());
      any_unit = any_unit || !laid.unit.empty();
      (units += "  ") += (laid.cells.numeric() ? pad_left : pad_right)(laid.unit, wide.back());
    }
    for (std::size_t line = 0; line < label_lines; ++line) {  // labels stand on the units
      std::string header;
      for (std::size_t b = 0; b < block.size(); ++b) {
        const std::size_t above = label_lines - labels[b].size();
        const std::string text = line < above ? "" : labels[b][line - above];
        (header += "  ") += (columns[block[b]].cells.numeric() ? pad_left : pad_right)(text, wide[b]);
      }
      out_ += without_trailing_spaces(std::move(header)) + '\n';
    }
    if (any_unit) out_ += styled(without_trailing_spaces(units), "2") + '\n';
    const std::size_t rows = table.row_count();
    const bool cut = rows > longest_table;
    for (std::size_t i = 0; i < (cut ? head_rows + tail_rows : rows); ++i) {
      if (cut && i == head_rows) {
        const std::string where = files_.empty() ? "" : fmt::format(", all in {}/{}.csv", files_, table.name);
        const std::string said = fmt::format("… {} more rows{} …", rows - head_rows - tail_rows, where);
        for (const std::string& line : lines_of(said, width_ - 2)) out_ += styled("  " + line, "2") + '\n';
      }
      std::vector<std::vector<std::string>> cells;
      std::size_t height = 1;
      for (std::size_t b = 0; b < block.size(); ++b) {
        cells.push_back(columns[block[b]].cells.at_right(i, wide[b]));
        height = std::max(height, cells.back().size());
      }
      for (std::size_t line = 0; line < height; ++line) {
        std::string text;
        for (std::size_t b = 0; b < block.size(); ++b)
          (text += "  ") += line < cells[b].size() ? cells[b][line] : std::string(wide[b], ' ');
        out_ += without_trailing_spaces(std::move(text)) + '\n';
      }
    }
  }

  void blank_line() {
    if (!out_.empty()) out_ += '\n';
  }
  std::string styled(std::string_view text, const char* code) const {
    return color_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }

  std::string out_;
  bool color_;
  int digits_;
  std::size_t width_;
  std::string files_;
};

}  // namespace

std::string wrapped_text(std::string_view text, std::size_t width, std::size_t indent, std::size_t first_used) {
  const std::size_t columns = std::min(std::max(width, least_width), text_columns);
  std::string out;
  for (const std::string& line :
       lines_of(text, columns - std::min(columns, indent), first_used - std::min(first_used, indent))) {
    if (!out.empty()) (out += '\n').append(indent, ' ');
    out += line;
  }
  return out;
}

std::string terminal_text(const Document& document, const TerminalOptions& options) {
  Terminal terminal(options);
  terminal.heading(document.title);
  terminal.prose(document.summary);
  terminal.facts(document.facts);
  for (const Table& table : document.tables) terminal.table(table);
  terminal.notes(document.notes);
  return terminal.take();
}

}  // namespace carom::report
