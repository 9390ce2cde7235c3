#include "assemble.hpp"
#include "scanner.hpp"

namespace carom {

MeshFile read_tetgen(std::string_view node, std::string_view ele) {
  using soft::Scanner;
  soft::ListedMesh listed;
  std::vector<std::size_t> vertex_at, tet_at;

  Scanner nodes(node, "node, ", '#');
  const std::size_t vertices = nodes.count("the number of vertices", 8);
  if (vertices == 0) nodes.fail("must list the vertices: a .poly file is not read");
  if (const auto dimension = nodes.integer("the dimension"); dimension != 3)
    nodes.fail_word("the dimension must be 3, got " + std::to_string(dimension));
  // Attributes and markers follow the coordinates on the line of a vertex, how many is said here, if at all.
  const auto extra = [](Scanner& in) { return in.word_on_line() ? in.count("the number of attributes", 1) : 0; };
  std::size_t more = extra(nodes);
  more += extra(nodes);
  for (std::size_t i = 0; i < vertices; ++i) {
    vertex_at.push_back(nodes.mark());
    listed.numbers.push_back(nodes.integer("the number of a vertex"));
    const double x = nodes.number("a coordinate"), y = nodes.number("a coordinate"), z = nodes.number("a coordinate");
    listed.vertices.emplace_back(x, y, z);
    for (std::size_t k = 0; k < more; ++k) nodes.number("an attribute of a vertex");
  }

  Scanner tets(ele, "ele, ", '#');
  const std::size_t count = tets.count("the number of tetrahedra", 10);
  if (const auto corners = tets.integer("the number of vertices of a tetrahedron"); corners != 4)
    tets.fail_word("tetrahedra must have 4 vertices, got " + std::to_string(corners));
  const std::size_t attributes = extra(tets);
  for (std::size_t i = 0; i < count; ++i) {
    tet_at.push_back(tets.mark());
    tets.integer("the number of a tetrahedron");
    std::array<std::int64_t, 4> tet{};
    for (auto& vertex : tet) vertex = tets.integer("a vertex of a tetrahedron");
    listed.tets.push_back(tet);
    for (std::size_t k = 0; k < attributes; ++k) tets.number("an attribute of a tetrahedron");
  }
  return assemble(
      std::move(listed), [&](std::size_t i, const std::string& m) { nodes.fail_at(vertex_at[i], m); },
      [&](std::size_t i, const std::string& m) { tets.fail_at(tet_at[i], m); });
}

}  // namespace carom
