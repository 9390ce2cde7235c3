// Files of tetrahedra (READER is one of the readers): whatever the bytes, reading ends with a mesh or a named mistake.
// A mesh is then checked and written, and what was written comes back as it was. For TetGen a line "---" parts the two
// files.
#include <cstdlib>

#include "carom/core/error.hpp"
#include "carom/soft/mesh_files.hpp"

namespace {

[[maybe_unused]] carom::MeshFile tetgen(std::string_view text) {
  const std::size_t at = text.find("---\n");
  if (at == std::string_view::npos) return carom::read_tetgen(text, {});
  return carom::read_tetgen(text.substr(0, at), text.substr(at + 4));
}

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace carom;
  try {
    const MeshFile file = READER(std::string_view(reinterpret_cast<const char*>(data), size));
    require(file.numbers.size() == file.mesh.vertices.size() && !file.mesh.tets.empty());
    const auto defect = find_defect(file.mesh);
    require(!defect || !defect->message.empty());
    quality(file.mesh);
    const MeshSurface surface = surface_of(file.mesh);
    require(defect || surface.triangles.size() >= 4);
    for (const VtuEncoding encoding : {VtuEncoding::text, VtuEncoding::raw}) {
      const MeshFile again = read_vtu(vtu_text(file.mesh, {}, {{"volume", 1, volumes(file.mesh)}}, encoding));
      // (Which way round a flat tetrahedron is, rounding decides.)
      require(defect || (again.mesh.vertices == file.mesh.vertices && again.mesh.tets == file.mesh.tets));
    }
  } catch (const InvalidInput& error) {
    require(!error.field().empty());
  }
  return 0;
}
