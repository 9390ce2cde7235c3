#include <stack>

#include "carom/core/json_writer.hpp"
#include "carom/report/writers.hpp"

namespace carom::report {

namespace {

void write_value(JsonWriter& json, const Value& value) {
  struct Write {
    JsonWriter& json;
    void operator()(const std::string& text) const { json.text(text); }
    void operator()(double number) const { json.number(number); }
    void operator()(bool truth) const { json.boolean(truth); }
    void operator()(const std::vector<double>& numbers) const { number_array(json, numbers); }
  };
  std::visit(Write{json}, value);
}

void write_member(JsonWriter& json, std::string_view key, std::string_view text) {
  json.key(key);
  json.text(text);
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
    json.end_object();
  }
  json.end_array();
  json.key("rows");
  json.begin_array();
  for (const auto& row : table.rows) {
    json.begin_array();
    for (const Value& value : row) write_value(json, value);
    json.end_array();
  }
  json.end_array();
  json.end_object();
}

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
  json.begin_array();
  for (const Plot& plot : document.plots) json.text(plot.name);
  json.end_array();
  json.key("notes");
  json.begin_array();
  for (const std::string& note : document.notes) json.text(note);
  json.end_array();
  json.end_object();
  return pretty ? indented(out) : out;
}

}  // namespace carom::report
