// Robot descriptions: whatever the bytes, reading ends with a link or a named mistake. Up to the first line break
// stands the name of the link. Meshes are looked for in a folder that is not there.
#include "internal/scenario/parts/urdf.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "carom/core/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(input.find('\n'), size);
  try {
    carom::scenario::read_urdf(input.substr(std::min(end + 1, size)), std::string(input.substr(0, end)), "/nowhere");
  } catch (const carom::InvalidInput&) {
  }
  return 0;
}
