// The laws for two contacts or more.
#pragma once

#include "strike.hpp"

namespace carom::world {

/// Springs at all contacts at once (carom/impact/simultaneous.hpp).
Outcome solve_simultaneous(const Scene& scene, Group& group);

/// Rodriguez's law or the complementarity problem (carom/impact/multipoint.hpp).
Outcome solve_rigid(const Scene& scene, Group& group);

}  // namespace carom::world
