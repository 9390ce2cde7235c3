#include "parts/soft_body.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "carom/soft/mesh_files.hpp"

#include "parts/external_mesher.hpp"

namespace carom::scenario {

namespace {

constexpr std::uintmax_t largest_mesh_file = 1'000'000'000;  // bytes

struct MeshFields {
  std::optional<SoftSolid> solid;
  std::optional<Eigen::Vector3d> half_axes, sizes;
  double taper = 0.0, dimple = 0.0;
  std::optional<double> base_radius, top_radius, height, size;
  std::optional<std::string> file;
  std::optional<int> facet;
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::array<int, 4>> tets;
};

const Fields<MeshFields>& mesh_fields() {
  static const Fields<MeshFields> fields = [] {
    const auto length = number(Range::positive());
    using M = MeshFields;
    Fields<M> all;
    all.optional("solid", &M::solid, choice<SoftSolid>(), "a built-in solid: round, frustum or box")
        .optional("half_axes", &M::half_axes, vector<3>(), "of a round solid: a ball if they are equal [m]")
        .optional("taper", &M::taper, number(Range::between(-0.5, 0.5)), "of a round solid: an egg at 0.2 (default 0)")
        .optional("dimple", &M::dimple, number(Range::between(0.0, 0.4)),
                  "of a round solid: a tomato at 0.2 (default 0)")
        .optional("base_radius", &M::base_radius, length, "of a frustum [m]")
        .optional("top_radius", &M::top_radius, length, "of a frustum [m]")
        .optional("height", &M::height, length, "of a frustum [m]")
        .optional("sizes", &M::sizes, vector<3>(), "of a box [m]")
        .optional("size", &M::size, length, "of a built-in solid or a filled surface: about how long edges are [m]")
        .optional("file", &M::file, text(),
                  "Gmsh .msh, TetGen .node (with its .ele), VTK .vtk or .vtu; or a surface, .stl, .obj or .off, "
                  "which gmsh or tetgen fills if one is installed")
        .optional("facet", &M::facet, integer(0, static_cast<int>(max_mesh_tets)),
                  "lay it on this triangle of its surface, from 0")
        .optional("vertices", &M::vertices, list_of(vector<3>(), 4, max_soft_items), "[m]")
        .optional("tets", &M::tets, list_of(tetrahedron(), 1, max_soft_items), "four vertices each");
    return all;
  }();
  return fields;
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::error_code error;
  if (!in || !std::filesystem::is_regular_file(file, error)) throw InvalidInput("file", "cannot be opened");
  if (std::filesystem::file_size(file, error) > largest_mesh_file || error)
    throw InvalidInput("file", "is larger than 1 GB");
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

TetMesh read_file(const std::filesystem::path& file, std::optional<double> size) {
  if (is_surface_file(file)) {
    if (!size)
      throw InvalidInput("size", "is required: the file is a surface, to be filled with tetrahedra of about this size");
    return filled(file, *size);
  }
  const std::string extension = file.extension().string();
  if (extension == ".msh") return read_gmsh(bytes_of(file)).mesh;
  if (extension == ".vtk") return read_vtk(bytes_of(file)).mesh;
  if (extension == ".vtu") return read_vtu(bytes_of(file)).mesh;
  if (extension == ".node") {
    std::filesystem::path other = file;
    return read_tetgen(bytes_of(file), bytes_of(other.replace_extension(".ele"))).mesh;
  }
  throw InvalidInput("file", "must be a .msh, .node, .vtk or .vtu file, or a surface: .stl, .obj, .off");
}

TetMesh built_in(const MeshFields& m) {
  const auto needed = [](const auto& value, const char* field) {
    if (!value) throw InvalidInput(field, "is required");
    return *value;
  };
  switch (*m.solid) {
    case SoftSolid::frustum:
      return frustum_mesh(needed(m.base_radius, "base_radius"), needed(m.top_radius, "top_radius"),
                          needed(m.height, "height"), needed(m.size, "size"));
    case SoftSolid::box:
      return box_mesh(needed(m.sizes, "sizes"), needed(m.size, "size"));
    default:
      return round_mesh({needed(m.half_axes, "half_axes"), m.taper, m.dimple}, needed(m.size, "size"));
  }
}

}  // namespace

Type<TetMesh> soft_mesh() {
  return custom<TetMesh>(
      [](const Value& value, const Path& path, Mistakes& mistakes, TetMesh& out) {
        MeshFields m;
        if (!mesh_fields().read(value, path, mistakes, m)) return false;
        const bool numbers = !m.vertices.empty() || !m.tets.empty();
        if (int(m.solid.has_value()) + int(m.file.has_value()) + int(numbers) != 1) {
          mistakes.add(path, value.place(), "needs one of `solid`, `file`, or `vertices` with `tets`");
          return false;
        }
        try {
          out = m.solid  ? built_in(m)
                : m.file ? read_file(mistakes.folder / *m.file, m.size)
                         : TetMesh{m.vertices, m.tets};
          require_mesh(out);
          if (m.facet && static_cast<std::size_t>(*m.facet) >= surface_of(out).triangles.size())
            throw InvalidInput("facet", "must be a triangle of the surface, which has " +
                                            std::to_string(surface_of(out).triangles.size()));
          if (m.facet) out = laid_on_facet(std::move(out), static_cast<std::size_t>(*m.facet));
        } catch (const InvalidInput& error) {
          // A mesh file names its lines.
          const bool in_file = m.file && error.field() != "file" && error.field() != "size";
          const std::string field = in_file ? "file" : error.field();
          mistakes.add(path.at(std::string_view(field)), place_of(value, field.substr(0, field.find('['))),
                       in_file ? error.field() + ": " + error.message() : error.message());
          return false;
        }
        return true;
      },
      mesh_fields().json_schema());
}

Type<SoftSupports> soft_supports() {
  static const Type<SoftSide> side = choice<SoftSide>();
  static const Type<int> vertex = integer(0, static_cast<int>(max_mesh_vertices));
  return custom<SoftSupports>(
      [](const Value& value, const Path& path, Mistakes& mistakes, SoftSupports& out) {
        const auto read = [&](const Value& one, const Path& where) {
          if (one.kind() == Value::Kind::text) return side.read(one, where, mistakes, out.sides.emplace_back());
          return vertex.read(one, where, mistakes, out.vertices.emplace_back());
        };
        if (value.kind() != Value::Kind::list) return read(value, path);
        bool good = true;
        int i = 0;
        for (const Value& item : value.items()) good = read(item, path.at(i++)) && good;
        return good;
      },
      R"({"anyOf":[)" + side.json_schema() + R"(,{"type":"array","items":{"anyOf":[)" + side.json_schema() + "," +
          vertex.json_schema() + "]}}]}");
}

std::vector<int> vertices_on(const TetMesh& mesh, SoftSide side) {
  const int axis = side == SoftSide::bottom || side == SoftSide::top   ? 2
                   : side == SoftSide::left || side == SoftSide::right ? 0
                                                                       : 1;
  const double sign = side == SoftSide::top || side == SoftSide::right || side == SoftSide::back ? 1.0 : -1.0;
  double far = -std::numeric_limits<double>::infinity(), near = -far;
  for (const Eigen::Vector3d& v : mesh.vertices)
    far = std::max(far, sign * v[axis]), near = std::min(near, sign * v[axis]);
  std::vector<int> found;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    if (sign * mesh.vertices[i][axis] >= far - soft_side_tolerance * (far - near)) found.push_back(static_cast<int>(i));
  return found;
}

SoftBody soft_body(const SoftScenario& scenario) {
  SoftBody body = scenario;
  body.fixed = scenario.supports.vertices;
  for (const SoftSide side : scenario.supports.sides)
    for (const int vertex : vertices_on(body.mesh, side)) body.fixed.push_back(vertex);
  // Each once, in the order of the file: a frictionless base keeps the first one in its place.
  std::set<int> seen;
  std::erase_if(body.fixed, [&](int vertex) { return !seen.insert(vertex).second; });
  return body;
}

void settle_soft_body(const SoftScenario& scenario, const Value& root, const Path& path, Mistakes& mistakes) {
  const SoftBody body = soft_body(scenario);
  soft_rule<require_soft_fixed>(body, root, path, mistakes);
  soft_rule<require_soft_forces>(body, root, path, mistakes);
  soft_rule<require_soft_prescribed>(body, root, path, mistakes);
}

}  // namespace carom::scenario
