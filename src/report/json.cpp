#include <algorithm>
#include <array>
#include <stack>

#include "carom/core/json_writer.hpp"
#include "carom/report/document.hpp"
#include "carom/report/writers.hpp"

#include "palette.hpp"
#include "scene_json.hpp"

namespace carom::report {

namespace {

void write_value(JsonWriter& json, const Value& value) {
  struct Write {
    JsonWriter& json;
    void operator()(const std::string& text) const { json.text(text); }
    void operator()(double number) const { json.number(number); }
    void operator()(bool yes) const { json.boolean(yes); }
    void operator()(const std::vector<double>& numbers) const { number_array(json, numbers); }
  };
  std::visit(Write{json}, value);
}

void write_cells(JsonWriter& json, const Cells& cells) {
  json.begin_array();
  struct Write {
    JsonWriter& json;
    void operator()(const std::string& text) const { json.text(text); }
    void operator()(double number) const { json.number(number); }
    void operator()(const std::optional<bool>& yes) const { yes ? json.boolean(*yes) : json.null(); }
    void operator()(const std::vector<double>& numbers) const { number_array(json, numbers); }
  };
  const Write write{json};
  std::visit([&](const auto& all) { std::for_each(all.begin(), all.end(), write); }, cells);
  json.end_array();
}

void write_table(JsonWriter& json, const Table& table) {
  json.begin_object();
  write_member(json, "title", table.title);
  json.key("columns");
  json.begin_array();
  for (const Column& column : table.columns) {
    json.begin_object();
    write_member(json, "key", column.key);
    write_member(json, "label", column.label);
    write_member(json, "unit", column.unit);
    json.key("cells");
    write_cells(json, column.cells);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

/// The two coordinates of points as two arrays.
template <class Points, class At>
void write_points(JsonWriter& json, const Points& points, const At& at) {
  for (const bool up : {false, true}) {
    json.key(up ? "y" : "x");
    json.begin_array();
    for (const auto& point : points) json.number(up ? at(point).y : at(point).x);
    json.end_array();
  }
}

void write_axis(JsonWriter& json, const char* key, const Axis& axis) {
  json.key(key);
  json.begin_object();
  write_member(json, "label", axis.label);
  json.key("logarithmic");
  json.boolean(axis.logarithmic);
  if (!axis.categories.empty()) {
    json.key("categories");
    json.begin_array();
    for (const std::string& category : axis.categories) json.text(category);
    json.end_array();
  }
  json.end_object();
}

void write_heat_map(JsonWriter& json, const HeatMap& map) {
  json.key("heat_map");
  json.begin_object();
  write_member(json, "label", map.label);
  json.key("x_edges");
  number_array(json, map.x_edges);
  json.key("y_edges");
  number_array(json, map.y_edges);
  json.key("values");
  number_array(json, map.values);
  json.end_object();
}

void write_faces(JsonWriter& json, const Faces& faces) {
  json.key("faces");
  json.begin_object();
  write_member(json, "label", faces.label);
  json.key("corners");  // x and y of three, behind first
  json.begin_array();
  for (const Faces::Triangle& t : faces.triangles) {
    const Point *a = t.corners, *b = a + 1, *c = a + 2;
    number_array(json, std::array{a->x, a->y, b->x, b->y, c->x, c->y});
  }
  json.end_array();
  json.key("values");
  json.begin_array();
  for (const Faces::Triangle& t : faces.triangles) json.number(t.value);
  json.end_array();
  json.end_object();
}

void write_polygons(JsonWriter& json, const std::vector<Polygon>& polygons) {
  json.key("polygons");  // behind first
  json.begin_array();
  for (const Polygon& polygon : polygons) {
    json.begin_object();
    write_member(json, "color", color_class(polygon.color));
    json.key("light"), json.number(polygon.light);
    json.key("outlined"), json.boolean(polygon.outlined);
    json.key("corners");
    json.begin_array();
    for (const Point& corner : polygon.corners) number_array(json, std::array{corner.x, corner.y});
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

void write_plot(JsonWriter& json, const Plot& plot) {
  json.begin_object();
  write_member(json, "title", plot.title);
  write_member(json, "caption", plot.caption);
  write_axis(json, "x", plot.x);
  write_axis(json, "y", plot.y);
  if (plot.heat_map) write_heat_map(json, *plot.heat_map);
  if (plot.faces) write_faces(json, *plot.faces);
  if (!plot.polygons.empty()) write_polygons(json, plot.polygons);
  json.key("lines");
  json.begin_array();
  for (const Line& line : plot.lines) {
    json.begin_object();
    write_member(json, "legend", line.legend);
    write_member(json, "label", line.label);
    json.key("through");
    number_array(json, std::array{line.through.x, line.through.y});
    json.key("direction");
    number_array(json, std::array{line.direction.x, line.direction.y});
    json.key("ray");
    json.boolean(line.ray);
    json.end_object();
  }
  json.end_array();
  json.key("curves");
  json.begin_array();
  for (const Curve& curve : plot.curves) {
    json.begin_object();
    write_member(json, "legend", curve.legend);
    json.key("closed");
    json.boolean(curve.closed);
    if (curve.fill > 0.0) {
      json.key("fill");
      json.number(curve.fill);
    }
    write_points(json, curve.points, [](const Point& p) { return p; });
    json.end_object();
  }
  json.end_array();
  json.key("markers");
  json.begin_object();
  write_points(json, plot.markers, [](const Marker& m) { return m.at; });
  for (const auto& [key, member] : {std::pair{"label", &Marker::label}, std::pair{"legend", &Marker::legend}}) {
    json.key(key);
    json.begin_array();
    for (const Marker& marker : plot.markers) json.text(marker.*member);
    json.end_array();
  }
  json.end_object();
  json.end_object();
}

/// Longer texts are for programs only, and indenting one would take its size in memory once more [bytes].
constexpr std::size_t longest_to_indent = 4'000'000;

/// For each opening bracket of compact JSON: where it closes, and whether anything is nested inside.
struct Container {
  std::size_t end = 0;
  bool nested = false;
};

std::vector<Container> containers_of(const std::string& json) {
  std::vector<Container> found;
  std::stack<std::size_t> open;  // indices into found
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (!open.empty()) found[open.top()].nested = true;
      open.push(found.size());
      found.emplace_back();
    } else if (c == '}' || c == ']') {
      found[open.top()].end = i;
      open.pop();
    }
  }
  return found;
}

/// Compact JSON set over lines: flat objects and arrays (a fact, a row) stay on one line, the rest is indented.
std::string indented(const std::string& json) {
  constexpr std::size_t longest_line = 100;  // a nested container up to this long also stays on one line
  const std::vector<Container> containers = containers_of(json);
  std::string out;
  out.reserve(json.size() + json.size() / 4);
  std::size_t depth = 0, next = 0, inline_end = 0;
  const auto new_line = [&] {
    out += '\n';
    out.append(2 * depth, ' ');
  };
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    const bool in_line = i < inline_end;
    if (quoted) {
      out += c;
      if (c == '\\') {
        out += json[++i];
      } else if (c == '"') {
        quoted = false;
      }
      continue;
    }
    switch (c) {
      case '"':
        quoted = true;
        out += c;
        break;
      case '{':
      case '[': {
        const Container& container = containers[next++];
        out += c;
        if (in_line) break;
        if (!container.nested || container.end - i < longest_line) {
          inline_end = container.end + 1;
        } else {
          ++depth;
          new_line();
        }
        break;
      }
      case '}':
      case ']':
        if (!in_line) {
          --depth;
          new_line();
        }
        out += c;
        break;
      case ',':
        out += c;
        if (in_line) {
          out += ' ';
        } else {
          new_line();
        }
        break;
      case ':':
        out += ": ";
        break;
      default:
        out += c;
    }
  }
  out += '\n';
  return out;
}

}  // namespace

std::string json_text(const Document& document, bool pretty) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  write_member(json, "title", document.title);
  write_member(json, "kind", document.kind);
  write_member(json, "summary", document.summary);
  json.key("facts");
  json.begin_object();
  for (const Fact& fact : document.facts) {
    json.key(fact.key);
    json.begin_object();
    json.key("value");
    write_value(json, fact.value);
    write_member(json, "unit", fact.unit);
    write_member(json, "label", fact.label);
    json.end_object();
  }
  json.end_object();
  json.key("tables");
  json.begin_object();
  for (const Table& table : document.tables) {
    json.key(table.name);
    write_table(json, table);
  }
  json.end_object();
  json.key("plots");
  json.begin_object();
  for (const Plot& plot : document.plots) {
    json.key(plot.name);
    write_plot(json, plot);
  }
  json.end_object();
  json.key("scenes");
  json.begin_object();
  for (const Scene& scene : document.scenes) {
    json.key(scene.name);
    write_scene(json, scene);
  }
  json.end_object();
  if (!document.files.empty()) {
    json.key("files");
    json.begin_array();
    for (const Attachment& file : document.files) json.text(file.name);
    json.end_array();
  }
  json.key("notes");
  json.begin_array();
  for (const std::string& note : document.notes) json.text(note);
  json.end_array();
  json.end_object();
  return pretty && out.size() <= longest_to_indent ? indented(out) : out;
}

}  // namespace carom::report
