#include "mesh_file.hpp"

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include "carom/core/bits.hpp"
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

/// Triangles without shared vertices become a surface: corners at the same place are one vertex.
class Welder {
public:
  /// Facets of no area between two places go: their edges close among themselves.
  void add(const std::array<Eigen::Vector3d, 3>& corners) {
    std::vector<int> face;
    for (const Eigen::Vector3d& corner : corners) {
      const Eigen::Vector3d place = corner + Eigen::Vector3d::Zero();  // -0 is 0
      const auto [at, is_new] =
          numbers_.try_emplace({place[0], place[1], place[2]}, static_cast<int>(surface_.vertices.size()));
      if (is_new) surface_.vertices.push_back(place);
      face.push_back(at->second);
    }
    if (face[0] != face[1] && face[1] != face[2] && face[2] != face[0]) surface_.faces.push_back(std::move(face));
  }
  std::size_t vertices() const { return surface_.vertices.size(); }
  Polyhedron take() { return std::move(surface_); }

private:
  Polyhedron surface_;
  std::map<std::array<double, 3>, int> numbers_;
};

constexpr std::size_t stl_header = 84, stl_facet = 50;

std::uint32_t stl_count(std::string_view bytes) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < 4; ++i)
    count |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[80 + i])) << (8 * i);
  return count;
}

/// Little-endian floats: normal (not needed), three corners, two bytes of whatever.
Polyhedron read_binary_stl(std::string_view bytes) {
  Welder welder;
  const std::uint32_t count = stl_count(bytes);
  for (std::uint32_t facet = 0; facet < count; ++facet) {
    const std::string_view record = bytes.substr(stl_header + stl_facet * facet, stl_facet);
    std::array<Eigen::Vector3d, 3> corners;
    for (std::size_t k = 0; k < 9; ++k) {
      std::uint32_t bits = 0;
      for (std::size_t i = 0; i < 4; ++i)
        bits |= static_cast<std::uint32_t>(static_cast<unsigned char>(record[12 + 4 * k + i])) << (8 * i);
      const auto number = static_cast<double>(bit_cast<float>(bits));
      if (!std::isfinite(number))
        throw InvalidInput("facet " + std::to_string(facet), "must have three corners of finite numbers");
      corners[k / 3][static_cast<Eigen::Index>(k % 3)] = number;
    }
    welder.add(corners);
    if (welder.vertices() > max_vertices) throw InvalidInput("file", "has too many vertices");
  }
  return welder.take();
}

Polyhedron read_text_stl(std::string_view text) {
  Welder welder;
  std::istringstream in{std::string(text)};
  Lines lines(in);
  std::istringstream line;
  std::array<Eigen::Vector3d, 3> corners;
  std::size_t corner = 0;
  while (lines.next(line)) {
    std::string word;
    line >> word;
    if (word == "vertex") {
      if (corner == 3) lines.refuse("is a fourth vertex: facets are triangles");
      corners[corner++] = read_vertex(line, lines);
    } else if (word == "endfacet") {
      if (corner != 3) lines.refuse("ends a facet of " + std::to_string(corner) + " vertices, not three");
      welder.add(corners);
      corner = 0;
      if (welder.vertices() > max_vertices) lines.refuse("has too many vertices");
    } else if (word != "solid" && word != "facet" && word != "outer" && word != "endloop" && word != "endsolid") {
      lines.refuse("must be text STL, got '" + word.substr(0, 40) + "'");
    }
  }
  if (corner != 0) lines.refuse("ends within a facet");
  return welder.take();
}

/// Both kinds may begin with "solid": the size tells.
Polyhedron read_stl(std::istream& in) {
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  if (bytes.size() >= stl_header && bytes.size() == stl_header + stl_facet * std::size_t{stl_count(bytes)})
    return read_binary_stl(bytes);
  if (bytes.starts_with("solid")) return read_text_stl(bytes);
  throw InvalidInput("file", bytes.size() < stl_header
                                 ? "ends within its first 84 bytes: no STL"
                                 : "has " + std::to_string(bytes.size()) + " bytes, but its " +
                                       std::to_string(stl_count(bytes)) + " facets take " +
                                       std::to_string(stl_header + stl_facet * std::size_t{stl_count(bytes)}));
}

}  // namespace

Polyhedron read_mesh(std::istream& in, std::string_view kind) {
  if (kind == ".stl") return read_stl(in);
  Lines lines(in);
  if (kind == ".obj") return read_obj(lines);
  if (kind == ".off") return read_off(lines);
  throw InvalidInput("file", "must be a .obj, .off or .stl file");
}

namespace {

/// Not a folder, nor a device that never ends, nor too large.
void open(std::ifstream& in, const std::filesystem::path& file, std::uintmax_t largest) {
  in.open(file, std::ios::binary);
  std::error_code error;
  if (!in || !std::filesystem::is_regular_file(file, error)) throw InvalidInput("file", "cannot be opened");
  if (std::filesystem::file_size(file, error) > largest || error)
    throw InvalidInput("file", "is larger than " + std::to_string(largest / 1'000'000) + " MB");
}

}  // namespace

Polyhedron read_mesh(const std::filesystem::path& file) {
  std::ifstream in;
  open(in, file, max_mesh_size);
  std::string kind = file.extension().string();
  for (char& c : kind)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return read_mesh(in, kind);
}

std::string text_of_file(const std::filesystem::path& file, std::uintmax_t largest) {
  std::ifstream in;
  open(in, file, largest);
  return {(std::istreambuf_iterator<char>(in)), {}};
}

}  // namespace carom::scenario
