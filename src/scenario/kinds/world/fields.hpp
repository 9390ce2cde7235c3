// The fields of a world scenario, and what a scene has against its numbers.
#pragma once

#include "world.hpp"

namespace carom::scenario {

Fields<WorldScenario> world_scenario_fields();

/// The scene can be made and run.
void check_world_scene(const WorldScenario& scenario, const Value& root, const Path& path, Mistakes& mistakes);

}  // namespace carom::scenario
