#include "table.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "carom/core/text.hpp"

namespace carom::scenario {

namespace {

/// Rows a file may have.
constexpr std::size_t most_rows = 1'000'000;

/// The cells of a line; quotes keep commas, and a pair of them is one.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"')
        out.back() += line[++i];
      else
        quoted = !quoted;
    } else if (quoted) {
      out.back() += c;
    } else if (c == ',') {
      out.emplace_back();
    } else if (c != ' ' && c != '\t' && c != '\r') {
      out.back() += c;
    }
  }
  return out;
}

/// What is wrong with the names of columns; empty if nothing is.
std::string wrong_columns(const FitTable& table) {
  const bool planar = table.planar();
  std::vector<std::string> known = needed_columns(planar);
  known.insert(known.end(), {"weight", "material"});
  for (auto name = table.columns.begin(); name != table.columns.end(); ++name) {
    if (std::find(known.begin(), known.end(), *name) == known.end())
      return "has an unknown column '" + *name + "'" + schema::suggestion(*name, known);
    if (std::find(table.columns.begin(), name, *name) != name) return "has the column " + *name + " twice";
  }
  for (const std::string& name : needed_columns(planar))
    if (table.column(name) == table.columns.size()) return "has no column " + name;
  return "";
}

}  // namespace

std::size_t FitTable::column(std::string_view name) const {
  return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
}

bool FitTable::planar() const { return column("W_tt") < columns.size(); }

const std::vector<std::string>& needed_columns(bool planar) {
  static const std::vector<std::string> two = {"W_tt", "W_tn", "W_nn", "v_t", "v_n", "after_t", "after_n"};
  static const std::vector<std::string> three = {"W_t1t1", "W_t1t2", "W_t1n", "W_t2t2",   "W_t2n",    "W_nn",
                                                 "v_t1",   "v_t2",   "v_n",   "after_t1", "after_t2", "after_n"};
  return planar ? two : three;
}

Type<FitTable> fit_table() {
  return custom<FitTable>(
      [](const Value& value, const Path& path, Mistakes& mistakes, FitTable& out) {
        if (value.kind() != Value::Kind::text) return wrong_type("the name of a CSV file", value, path, mistakes);
        const auto refuse = [&](const std::string& message) {
          mistakes.add(path, value.place(), message);
          return false;
        };
        const std::string file = (mistakes.folder / std::string(value.text())).string();
        std::ifstream in(file);
        if (!in) return refuse("cannot read " + file);
        int number = 0;
        for (std::string line; std::getline(in, line);) {
          if (++number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // a byte order mark
          if (line.empty() || line[0] == '#' || line == "\r") continue;
          const std::vector<std::string> cells = cells_of(line);
          const std::string where = "line " + std::to_string(number) + ": ";
          if (out.columns.empty()) {
            out.columns = cells;
            if (const std::string wrong = wrong_columns(out); !wrong.empty()) return refuse(where + wrong);
            continue;
          }
          if (cells.size() != out.columns.size())
            return refuse(where + "has " + std::to_string(cells.size()) + " cells under " +
                          std::to_string(out.columns.size()) + " names");
          if (out.rows.size() == most_rows) return refuse("has more than a million rows");
          std::vector<double>& row = out.rows.emplace_back();
          out.lines.push_back(number);
          for (std::size_t i = 0; i < cells.size(); ++i) {
            double x = std::numeric_limits<double>::quiet_NaN();
            if (out.columns[i] == "material")
              out.materials.push_back(cells[i]);
            else if (!parse_number(cells[i], x) || !std::isfinite(x))
              return refuse(where + "\"" + cells[i] + "\" is not a number");
            row.push_back(x);
          }
        }
        return out.rows.empty() ? refuse("has no rows") : true;
      },
      R"({"type":"string"})");
}

}  // namespace carom::scenario
