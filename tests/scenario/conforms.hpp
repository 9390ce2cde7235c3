// Enough of a JSON Schema checker for the words our schemas use.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace carom::scenario {

/// @param root  of the whole schema, where "$ref" starts
inline bool conforms(const nlohmann::json& value, const nlohmann::json& schema, const nlohmann::json& root) {
  if (schema.contains("$ref")) {
    const std::string place = schema["$ref"].get<std::string>().substr(1);  // "#/$defs/..."
    return conforms(value, root.at(nlohmann::json::json_pointer(place)), root);
  }
  if (schema.contains("const") && value != schema["const"]) return false;
  if (schema.contains("enum")) {
    bool found = false;
    for (const auto& option : schema["enum"]) found |= option == value;
    if (!found) return false;
  }
  for (const char* word : {"oneOf", "anyOf"})
    if (schema.contains(word)) {
      int count = 0;
      for (const auto& option : schema[word]) count += conforms(value, option, root);
      if (count == 0 || (word[0] == 'o' && count != 1)) return false;
    }
  if (schema.contains("type") && schema["type"].is_array()) {
    bool any = false;
    for (const auto& type : schema["type"]) any |= conforms(value, {{"type", type}}, root);
    if (!any) return false;
  } else if (schema.contains("type")) {
    const std::string type = schema["type"];
    if (type == "null" && !value.is_null()) return false;
    if (type == "integer" && !value.is_number_integer()) return false;
    if (type == "object" && !value.is_object()) return false;
    if (type == "array" && !value.is_array()) return false;
    if (type == "number" && !value.is_number()) return false;
    if (type == "string" && !value.is_string()) return false;
    if (type == "boolean" && !value.is_boolean()) return false;
  }
  if (value.is_number()) {
    if (schema.contains("minimum") && value < schema["minimum"]) return false;
    if (schema.contains("maximum") && value > schema["maximum"]) return false;
    if (schema.contains("exclusiveMinimum") && value <= schema["exclusiveMinimum"]) return false;
  }
  if (value.is_array()) {
    if (schema.contains("minItems") && value.size() < schema["minItems"]) return false;
    if (schema.contains("maxItems") && value.size() > schema["maxItems"]) return false;
    if (schema.contains("items"))
      for (const auto& item : value)
        if (!conforms(item, schema["items"], root)) return false;
  }
  if (value.is_object()) {
    if (schema.contains("required"))
      for (const auto& key : schema["required"])
        if (!value.contains(key.get<std::string>())) return false;
    if (schema.contains("properties"))
      for (const auto& [key, item] : value.items()) {
        if (!schema["properties"].contains(key)) return false;
        if (!conforms(item, schema["properties"][key], root)) return false;
      }
  }
  return true;
}

inline bool conforms(const nlohmann::json& value, const nlohmann::json& schema) {
  return conforms(value, schema, schema);
}

}  // namespace carom::scenario
