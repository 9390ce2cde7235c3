// Where no programs can be run.
#include "carom/core/error.hpp"

#include "parts/external_mesher.hpp"

namespace carom::scenario {

bool is_surface_file(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  return extension == ".stl" || extension == ".obj" || extension == ".off";
}

TetMesh filled(const std::filesystem::path&, double, std::chrono::milliseconds) {
  throw InvalidInput("file", "is a surface, and there is no program here that could fill it");
}

}  // namespace carom::scenario
