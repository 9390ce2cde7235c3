// A scene as JSON, and members of JSON objects as the writers of this room write them.
#pragma once

#include "carom/core/json_writer.hpp"
#include "carom/report/scene.hpp"

namespace carom::report {

inline void write_member(JsonWriter& json, std::string_view key, std::string_view text) {
  json.key(key);
  json.text(text);
}

void write_scene(JsonWriter& json, const Scene& scene);

}  // namespace carom::report
