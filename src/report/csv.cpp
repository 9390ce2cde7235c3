#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "carom/core/error.hpp"
#include "carom/report/plot.hpp"
#include "carom/report/table.hpp"
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
  } else if (const auto* yes = std::get_if<bool>(&value)) {
    out += *yes ? "true" : "false";
  } else {
    append_text(out, std::get<std::string>(value));
  }
  out.append(spread - used, ',');
}

}  // namespace

std::string csv_text(const Table& table) {
  const std::size_t columns = table.columns.size(), rows = table.row_count();
  std::vector<std::size_t> spread(columns, 1);
  std::vector<bool> vectors(columns, false);
  for (std::size_t c = 0; c < columns; ++c) {
    const Column& column = table.columns[c];
    const std::size_t size = std::visit([](const auto& cells) { return cells.size(); }, column.cells);
    if (size != rows)
      throw InvalidInput(fmt::format("{}.{}", table.name, column.key),
                         fmt::format("must hold {} cells as the longest column, got {}", rows, size));
    const auto* cells = std::get_if<std::vector<std::vector<double>>>(&column.cells);
    vectors[c] = cells != nullptr;
    for (std::size_t r = 0; cells != nullptr && r < rows; ++r) spread[c] = std::max(spread[c], (*cells)[r].size());
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
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (c > 0) out += ',';
      append_value(out, cell(table.columns[c], r), spread[c]);
    }
    out += line_end;
  }
  return out;
}

namespace {

void append_numbers(std::string& out, std::initializer_list<double> numbers) {
  bool first = true;
  for (const double number : numbers) {
    if (!first) out += ',';
    append_number(out, number);
    first = false;
  }
  out += line_end;
}

std::string cells_text(const HeatMap& map) {
  std::string out = "x_low,x_high,y_low,y_high,value";
  out += line_end;
  std::size_t i = 0;
  for (std::size_t y = 0; y + 1 < map.y_edges.size(); ++y)
    for (std::size_t x = 0; x + 1 < map.x_edges.size() && i < map.values.size(); ++x)
      append_numbers(out, {map.x_edges[x], map.x_edges[x + 1], map.y_edges[y], map.y_edges[y + 1], map.values[i++]});
  return out;
}

std::string faces_text(const Faces& faces) {
  std::string out = "x_0,y_0,x_1,y_1,x_2,y_2,value";
  out += line_end;
  for (const Faces::Triangle& t : faces.triangles) {
    const Point *a = t.corners, *b = a + 1, *c = a + 2;
    append_numbers(out, {a->x, a->y, b->x, b->y, c->x, c->y, t.value});
  }
  return out;
}

}  // namespace

std::string csv_text(const Plot& plot) {
  if (plot.heat_map) return cells_text(*plot.heat_map);
  if (plot.faces) return faces_text(*plot.faces);
  std::string out = "element,legend,label,x,y";
  out += line_end;
  const auto add = [&out](const std::string& element, const std::string& legend, const std::string& label, Point at) {
    for (const std::string& text : {element, legend, label}) {
      append_text(out, text);
      out += ',';
    }
    append_numbers(out, {at.x, at.y});
  };
  for (std::size_t i = 0; i < plot.polygons.size(); ++i)
    for (const Point& corner : plot.polygons[i].corners) add(fmt::format("polygon {}", i + 1), "", "", corner);
  for (std::size_t i = 0; i < plot.lines.size(); ++i) {
    const Line& line = plot.lines[i];
    add(fmt::format("line {}", i + 1), line.legend, line.label, line.through);
    add(fmt::format("line {}", i + 1), line.legend, line.label,
        {line.through.x + line.direction.x, line.through.y + line.direction.y});
  }
  for (std::size_t i = 0; i < plot.curves.size(); ++i)
    for (const Point& point : plot.curves[i].points)
      add(fmt::format("curve {}", i + 1), plot.curves[i].legend, "", point);
  for (std::size_t i = 0; i < plot.markers.size(); ++i)
    add(fmt::format("marker {}", i + 1), plot.markers[i].legend, plot.markers[i].label, plot.markers[i].at);
  return out;
}

}  // namespace carom::report
