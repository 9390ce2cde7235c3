#include "carom/core/material.hpp"

#include "carom/core/error.hpp"

namespace carom {

void require_valid(const Material& material) {
  require_at_least("friction", material.friction, 0.0);
  require_between("restitution", material.restitution, 0.0, 1.0);
}

}  // namespace carom
