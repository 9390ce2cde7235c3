// Where there is no tinyxml2: URDF files are refused by name.
#include "carom/core/error.hpp"

#include "urdf.hpp"

namespace carom::scenario {

UrdfLink read_urdf(std::string_view, const std::string&, const std::filesystem::path&) {
  throw InvalidInput("urdf", "cannot be read: this build does without tinyxml2");
}

UrdfLink read_urdf(const std::filesystem::path&, const std::string& link) { return read_urdf("", link, {}); }

}  // namespace carom::scenario
