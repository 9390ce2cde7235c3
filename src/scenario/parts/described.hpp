// The words of the schema room, as the descriptions of scenarios and rows use them everywhere.
#pragma once

#include "carom/schema/fields.hpp"

namespace carom::scenario {
using namespace schema;
}  // namespace carom::scenario
