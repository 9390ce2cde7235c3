#include "assemble.hpp"

#include <algorithm>
#include <numeric>

#include "carom/core/error.hpp"

namespace carom::soft {

MeshFile assemble(ListedMesh&& listed,
                  const std::function<void(std::size_t vertex, const std::string& message)>& vertex_refused,
                  const std::function<void(std::size_t tet, const std::string& message)>& tet_refused) {
  const std::size_t count = listed.vertices.size();
  if (listed.tets.empty()) throw InvalidInput("file", "has no tetrahedra");
  if (count > max_mesh_vertices) throw InvalidInput("file", "has too many vertices");
  if (listed.tets.size() > max_mesh_tets) throw InvalidInput("file", "has too many tetrahedra");

  // Numbers one after the other need no searching.
  std::vector<std::int64_t>& numbers = listed.numbers;
  if (numbers.empty()) {
    numbers.resize(count);
    std::iota(numbers.begin(), numbers.end(), 0);
  }
  bool in_order = true;
  for (std::size_t i = 1; i < count; ++i) in_order = in_order && numbers[i - 1] + 1 == numbers[i];
  std::vector<int> by_number;
  if (!in_order) {
    by_number.resize(count);
    std::iota(by_number.begin(), by_number.end(), 0);
    std::sort(by_number.begin(), by_number.end(), [&](int a, int b) {
      return numbers[std::size_t(a)] != numbers[std::size_t(b)] ? numbers[std::size_t(a)] < numbers[std::size_t(b)]
                                                                : a < b;
    });
    for (std::size_t i = 1; i < count; ++i)
      if (numbers[std::size_t(by_number[i])] == numbers[std::size_t(by_number[i - 1])])
        vertex_refused(std::size_t(by_number[i]),
                       "vertex " + std::to_string(numbers[std::size_t(by_number[i])]) + " is listed twice");
  }
  const auto find = [&](std::int64_t number) {
    if (in_order)
      return count > 0 && number >= numbers[0] && number <= numbers[count - 1] ? int(number - numbers[0]) : -1;
    const auto place = std::lower_bound(by_number.begin(), by_number.end(), number,
                                        [&](int i, std::int64_t n) { return numbers[std::size_t(i)] < n; });
    return place != by_number.end() && numbers[std::size_t(*place)] == number ? *place : -1;
  };

  MeshFile file;
  file.mesh.tets.resize(listed.tets.size());
  std::vector<int> place(count, -1);
  for (std::size_t i = 0; i < listed.tets.size(); ++i)
    for (std::size_t k = 0; k < 4; ++k) {
      const int vertex = find(listed.tets[i][k]);
      if (vertex < 0) tet_refused(i, "there is no vertex " + std::to_string(listed.tets[i][k]));
      file.mesh.tets[i][k] = vertex;
      place[std::size_t(vertex)] = 0;
    }
  for (std::size_t i = 0; i < count; ++i) {
    if (place[i] < 0) {
      ++file.dropped;
      continue;
    }
    place[i] = int(file.mesh.vertices.size());
    file.mesh.vertices.push_back(listed.vertices[i]);
    file.numbers.push_back(numbers[i]);
  }
  for (auto& tet : file.mesh.tets)
    for (int& vertex : tet) vertex = place[std::size_t(vertex)];
  file.turned = orient(file.mesh);
  return file;
}

}  // namespace carom::soft
