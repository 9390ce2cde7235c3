// A scene as JSON.
#pragma once

#include "carom/core/json_writer.hpp"
#include "carom/report/scene.hpp"

namespace carom::report {

void write_scene(JsonWriter& json, const Scene& scene);

}  // namespace carom::report
