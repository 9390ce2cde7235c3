#include "mesh_file.hpp"

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include "carom/core/error.hpp"

namespace carom::scenario {

namespace {

constexpr std::size_t max_vertices = 5'000'000;

/// The file line by line, without comments and blank lines.
class Lines {
public:
  explicit Lines(std::istream& in) : in_(in) {}
  bool next(std::istringstream& line) {
    std::string text;
    while (std::getline(in_, text)) {
      ++number_;
      text.resize(std::min(text.size(), text.find('#')));
      if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
      line.clear();
      line.str(text);
      return true;
    }
    return false;
  }
  [[noreturn]] void refuse(const std::string& message) const {
    throw InvalidInput("line " + std::to_string(number_), message);
  }

private:
  std::istream& in_;
  int number_ = 0;
};

Eigen::Vector3d read_vertex(std::istringstream& line, const Lines& lines) {
  Eigen::Vector3d v;
  if (!(line >> v[0] >> v[1] >> v[2]) || !v.allFinite()) lines.refuse("must be a vertex of three finite numbers");
  return v;
}

Polyhedron read_obj(Lines& lines) {
  Polyhedron surface;
  std::istringstream line;
  while (lines.next(line)) {
    std::string word;
    line >> word;
    if (word == "v") {
      if (surface.vertices.size() == max_vertices) lines.refuse("has too many vertices");
      surface.vertices.push_back(read_vertex(line, lines));
    } else if (word == "f") {
      std::vector<int> face;
      while (line >> word) {  // "7", "7/1" or "7/1/3": only the vertex counts
        int index = 0;
        std::istringstream number(word.substr(0, word.find('/')));
        if (!(number >> index) || index == 0) lines.refuse("must be a face of vertex numbers, got " + word);
        face.push_back(index > 0 ? index - 1 : static_cast<int>(surface.vertices.size()) + index);
      }
      surface.faces.push_back(std::move(face));
    }  // normals, textures, groups: nothing to do with the solid
  }
  return surface;
}

Polyhedron read_off(Lines& lines) {
  Polyhedron surface;
  std::istringstream line;
  std::string word;
  if (!lines.next(line) || !(line >> word) || word != "OFF") lines.refuse("must start with OFF");
  std::size_t vertices = 0, faces = 0;
  if (!(line >> vertices >> faces) && (!lines.next(line) || !(line >> vertices >> faces)))
    lines.refuse("must give the number of vertices and faces");
  if (vertices > max_vertices || faces > 2 * max_vertices) lines.refuse("has too many vertices or faces");
  for (std::size_t i = 0; i < vertices; ++i) {
    if (!lines.next(line)) lines.refuse("ends before its last vertex");
    surface.vertices.push_back(read_vertex(line, lines));
  }
  for (std::size_t i = 0; i < faces; ++i) {
    std::size_t size = 0;
    if (!lines.next(line) || !(line >> size) || size > vertices) lines.refuse("must be a face: its size and vertices");
    std::vector<int> face(size);
    for (int& index : face)
      if (!(line >> index)) lines.refuse("must be a face: its size and vertices");
    surface.faces.push_back(std::move(face));
  }
  return surface;
}

}  // namespace

Polyhedron read_mesh(std::istream& in, std::string_view kind) {
  Lines lines(in);
  if (kind == ".obj") return read_obj(lines);
  if (kind == ".off") return read_off(lines);
  throw InvalidInput("file", "must be a .obj or .off file");
}

Polyhedron read_mesh(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::error_code error;
  // Not a folder, nor a device that never ends.
  if (!in || !std::filesystem::is_regular_file(file, error)) throw InvalidInput("file", "cannot be opened");
  if (std::filesystem::file_size(file, error) > max_mesh_size || error)
    throw InvalidInput("file", "is larger than 1 GB");
  return read_mesh(in, file.extension().string());
}

}  // namespace carom::scenario
