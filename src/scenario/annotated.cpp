// A scenario as YAML with remarks: its values from the file, what they mean from the descriptions of the fields.
#include <algorithm>

#include "carom/schema/json.hpp"

#include "loaded.hpp"

namespace carom::scenario {

namespace {

constexpr std::size_t widest = 110;  // a remark that would reach further stands above its key

/// The part of a JSON Schema that describes `value`: itself, what it refers to, or the alternative that has most of its
/// keys.
const Value* schema_for(const Value* schema, const Value& value, const Value& sweep) {
  if (schema == nullptr) return nullptr;
  if (schema->find("$ref") != nullptr) schema = &sweep;  // nothing else is referred to
  const char* wanted = value.kind() == Value::Kind::object ? "properties" : "items";
  if (schema->find(wanted) != nullptr) return schema;
  const Value *best = nullptr, *alternatives = nullptr;
  for (const char* key : {"anyOf", "oneOf"})
    if (alternatives == nullptr) alternatives = schema->find(key);
  if (alternatives == nullptr) return nullptr;
  int most = -1;
  for (const Value& each : alternatives->items()) {
    const Value* found = schema_for(&each, value, sweep);
    if (found == nullptr) continue;
    int fit = 0;
    if (const Value* properties = found->find("properties"))
      for (const auto [key, item] : value.members()) fit += properties->find(key) != nullptr;
    if (fit > most) most = fit, best = found;
  }
  return best;
}

bool holds_objects(const Value& list) {
  bool any = false;
  for (const Value& item : list.items()) any = any || item.kind() == Value::Kind::object;
  return any;
}

/// A value on one line. Plain words need no quotes; all else is JSON, which YAML takes as it is.
std::string on_one_line(const Value& value) {
  const std::string_view text = value.text();
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ .";
  if (value.kind() == Value::Kind::text && !text.empty() && text.find_first_not_of(plain) == std::string_view::npos &&
      text.front() != ' ' && text.back() != ' ' && text.front() != '.' && text != "true" && text != "false" &&
      text != "null" && text != "Null" && text != "NULL" &&
      (text.front() < '0' || text.front() > '9' || text.ends_with(" deg") || text.ends_with(" rad")))
    return std::string(text);
  std::string spaced;
  bool quoted = false;
  for (const char c : json_text(value)) {  // [1, 2] rather than [1,2]
    if (c == '"') quoted = !quoted || spaced.ends_with('\\');
    spaced += c;
    if (!quoted && (c == ',' || c == ':')) spaced += ' ';
  }
  return spaced;
}

class Writer {
public:
  /// `sweep`: the schema of that key.
  explicit Writer(const Value& sweep) : sweep_(sweep) {}

  void remark(const std::string& text) { out_ += "# " + text + "\n"; }

  /// `first` stands before the first key ("- " of a list), `indent` before the others.
  void object(const Value& object, const Value* schema, const std::string& indent, std::string first, bool with_rest) {
    const Value* described = schema_for(schema, object, sweep_);
    const Value* properties = described != nullptr ? described->find("properties") : nullptr;
    for (const auto [key, value] : object.members()) {
      member(std::string(key), value, properties != nullptr ? properties->find(key) : nullptr, indent, first,
             with_rest);
      first = indent;
    }
    if (properties == nullptr || !with_rest) return;
    for (const auto [key, field] : properties->members())
      if (object.find(key) == nullptr && field.find("not") == nullptr)
        out_ += indent + "# " + std::string(key) + ": " + description(&field) + "\n";
  }

  std::string take() { return std::move(out_); }

private:
  static std::string description(const Value* field) {
    const Value* text = field != nullptr ? field->find("description") : nullptr;
    return text != nullptr ? std::string(text->text()) : "";
  }

  void member(const std::string& key, const Value& value, const Value* field, const std::string& indent,
              const std::string& first, bool explained) {
    const std::string what = explained ? description(field) : "";
    const bool open = value.size() > 0 && (value.kind() == Value::Kind::object ||
                                           (value.kind() == Value::Kind::list && holds_objects(value)));
    std::string line = first + key + ":" + (open ? "" : " " + on_one_line(value));
    if (!what.empty() && line.size() + 4 + what.size() > widest && first == indent)
      out_ += indent + "# " + what + "\n";
    else if (!what.empty())
      line += "  # " + what;
    out_ += line + "\n";
    if (!open) return;
    if (value.kind() == Value::Kind::object) return object(value, field, indent + "  ", indent + "  ", explained);
    const Value* described = schema_for(field, value, sweep_);
    bool first_item = explained;
    for (const Value& item : value.items()) {
      if (item.kind() != Value::Kind::object) {
        out_ += indent + "  - " + on_one_line(item) + "\n";
        continue;
      }
      object(item, described != nullptr ? described->find("items") : nullptr, indent + "    ", indent + "  - ",
             first_item);
      first_item = false;
    }
  }

  const Value& sweep_;
  std::string out_;
};

}  // namespace

std::string annotated(const Scenario& scenario) {
  const auto& loaded = *scenario.loaded_;
  Tree schema, sweep;
  std::string problem;
  const std::string text = sweep_schema();
  read_json(loaded.kind->schema, schema, problem);  // our own: they are JSON
  read_json(text, sweep, problem);
  Writer writer(sweep.root());
  writer.remark(loaded.kind->description + ".");
  writer.remark("What the keys mean stands beside them; those that are remarks may be added. Units are SI.");
  writer.object(*loaded.root, &schema.root(), "", "", true);
  return writer.take();
}

}  // namespace carom::scenario
