#include "value.hpp"

namespace carom::scenario {

const Value* Value::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == key) return &items[i];
  return nullptr;
}

void write_json(report::JsonWriter& json, const Value& value) {
  switch (value.kind) {
    case Value::Kind::null:
      return json.null();
    case Value::Kind::boolean:
      return json.boolean(value.boolean);
    case Value::Kind::number:
      return json.raw(value.text);
    case Value::Kind::text:
      return json.text(value.text);
    case Value::Kind::list:
      json.begin_array();
      for (const Value& item : value.items) write_json(json, item);
      return json.end_array();
    case Value::Kind::object:
      json.begin_object();
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        json.key(value.keys[i]);
        write_json(json, value.items[i]);
      }
      return json.end_object();
  }
}

std::string shown(const Value& value) {
  constexpr std::size_t longest = 60;
  if (value.kind == Value::Kind::list && value.items.size() > longest)
    return "a list of " + std::to_string(value.items.size());
  std::string text;
  report::JsonWriter json(text);
  write_json(json, value);
  if (text.size() <= longest) return text;
  std::size_t cut = longest - 3;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;  // not inside a UTF-8 character
  return text.substr(0, cut) + "...";
}

}  // namespace carom::scenario
