// A row of the model `world`: the scene as the library has it, and when to look at it.
#pragma once

#include <vector>

#include "carom/motion/world.hpp"

#include "rows/model.hpp"

namespace carom::scenario {

struct WorldRow : WorldProblem {
  std::vector<double> sample_times;  ///< [s]
};

const Fields<WorldRow>& world_problem_fields();
Fields<WorldRun> world_result_fields();

Type<WorldBody> world_row_body();
Type<WorldPlane> world_row_plane();
Type<WorldTube> world_row_tube();
Type<WorldMaterial> world_row_material();
Type<WorldSupport> world_row_support();
/// "plane:1", "tube:0", or the number of a body.
Type<Partner> world_row_partner();

/// What the library has against the parts of a row that can be read, each by itself: a mistake in one part does not
/// hide one in another.
void find_world_mistakes(const WorldRow& row, const Value& object, const Path& path, Mistakes& mistakes);

}  // namespace carom::scenario
