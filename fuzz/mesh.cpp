// Mesh files: whatever the bytes, reading ends with a surface or a named mistake, and so does its mass. The first byte
// chooses the format.
#include <sstream>

#include "carom/core/error.hpp"
#include "carom/core/inertia.hpp"

#include "internal/scenario/parts/mesh_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  constexpr const char* kinds[] = {".off", ".obj", ".stl"};
  if (size == 0) return 0;
  std::istringstream in(std::string(reinterpret_cast<const char*>(data + 1), size - 1));
  try {
    const auto surface = carom::scenario::read_mesh(in, kinds[data[0] % 3]);
    carom::polyhedron(1.0, surface.vertices, surface.faces);
  } catch (const carom::InvalidInput&) {
  }
  return 0;
}
