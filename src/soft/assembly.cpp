#include "assembly.hpp"

#include <numeric>

namespace carom::soft {

namespace {
/// Pieces of so few vertices are eliminated as they come.
constexpr std::size_t dissection_leaf = 12;
}  // namespace

Assembly::Assembly(const Tets& tets, const Field& at, int threads)
    : tets_(tets), threads_(threads), corners_(4 * tets.size()) {
  const auto vertices = static_cast<std::size_t>(at.cols());
  start_.assign(vertices + 1, 0);
  row_start_.assign(vertices + 1, 0);
  for (const auto& tet : tets)
    for (const int vertex : tet) ++start_[std::size_t(vertex) + 1];
  for (std::size_t v = 0; v < vertices; ++v) start_[v + 1] += start_[v];
  std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
  for (std::size_t t = 0; t < tets.size(); ++t)
    for (std::size_t a = 0; a < 4; ++a) corners_[next[std::size_t(tets[t][a])]++] = static_cast<int>(4 * t + a);

  std::vector<int> here;
  for (std::size_t v = 0; v < vertices; ++v) {
    here.clear();
    for (std::size_t i = start_[v]; i < start_[v + 1]; ++i)
      here.insert(here.end(), tets[std::size_t(corners_[i] >> 2)].begin(), tets[std::size_t(corners_[i] >> 2)].end());
    std::sort(here.begin(), here.end());
    here.erase(std::unique(here.begin(), here.end()), here.end());
    neighbours_.insert(neighbours_.end(), here.begin(), here.end());
    row_start_[v + 1] = neighbours_.size();
  }

  std::vector<int> all(vertices);
  std::iota(all.begin(), all.end(), 0);
  std::vector<char> low(vertices, 0);
  dissect(at, all, low);
}

/// Nested dissection: cut across the longest side, eliminate the halves, then the vertices between them. In space that
/// is as good as what graph partitioners find, and the same every time.
void Assembly::dissect(const Field& at, std::vector<int>& vertices, std::vector<char>& low) {
  if (vertices.size() <= dissection_leaf) {
    order_.insert(order_.end(), vertices.begin(), vertices.end());
    return;
  }
  Eigen::Vector3d from = at.col(vertices[0]), to = from;
  for (const int v : vertices) from = from.cwiseMin(at.col(v)), to = to.cwiseMax(at.col(v));
  Eigen::Index axis = 0;
  (to - from).maxCoeff(&axis);
  const auto middle = vertices.begin() + static_cast<std::ptrdiff_t>(vertices.size() / 2);
  std::nth_element(vertices.begin(), middle, vertices.end(),
                   [&](int a, int b) { return at(axis, a) != at(axis, b) ? at(axis, a) < at(axis, b) : a < b; });
  std::vector<int> lower(vertices.begin(), middle), upper, between;
  for (const int v : lower) low[std::size_t(v)] = 1;
  for (auto v = middle; v != vertices.end(); ++v) {
    const auto first = neighbours_.begin() + static_cast<std::ptrdiff_t>(row_start_[std::size_t(*v)]);
    const auto last = neighbours_.begin() + static_cast<std::ptrdiff_t>(row_start_[std::size_t(*v) + 1]);
    const bool touches = std::any_of(first, last, [&](int other) { return low[std::size_t(other)] != 0; });
    (touches ? between : upper).push_back(*v);
  }
  for (const int v : lower) low[std::size_t(v)] = 0;
  dissect(at, lower, low);
  dissect(at, upper, low);
  std::sort(between.begin(), between.end());
  order_.insert(order_.end(), between.begin(), between.end());
}

Couplings Assembly::couplings(const Unknowns& unknowns, bool symmetric) const {
  const std::size_t vertices = start_.size() - 1;
  Couplings couplings;
  couplings.pattern.symmetric = symmetric;
  couplings.pattern.size = unknowns.free();
  couplings.start.assign(vertices + 1, 0);
  for (std::size_t v = 0; v < vertices; ++v) {
    for (std::size_t k = row_start_[v]; k < row_start_[v + 1]; ++k)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const int row = unknowns.number(static_cast<int>(v), i), column = unknowns.number(neighbours_[k], j);
          if (row < 0 || column < 0 || (symmetric && column > row)) continue;
          couplings.pattern.rows.push_back(row + 1);
          couplings.pattern.columns.push_back(column + 1);
        }
    couplings.start[v + 1] = couplings.pattern.rows.size();
  }
  couplings.pattern.turn.resize(static_cast<std::size_t>(unknowns.free()));
  int next = 1;
  for (const int vertex : order_)
    for (int i = 0; i < 3; ++i)
      if (const int n = unknowns.number(vertex, i); n >= 0) couplings.pattern.turn[std::size_t(n)] = next++;
  return couplings;
}

void Assembly::write_row(const Couplings& couplings, const Unknowns& unknowns, int vertex,
                         std::vector<Eigen::Matrix3d>& row, std::vector<double>& values) const {
  std::size_t at = couplings.start[std::size_t(vertex)], k = row_start_[std::size_t(vertex)];
  for (Eigen::Matrix3d& block : row) {
    const int other = neighbours_[k++];
    if (unknowns.is_turned(vertex)) block = (unknowns.axes(vertex).transpose() * block).eval();
    if (unknowns.is_turned(other)) block = (block * unknowns.axes(other)).eval();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const int r = unknowns.number(vertex, i), c = unknowns.number(other, j);
        if (r < 0 || c < 0 || (couplings.pattern.symmetric && c > r)) continue;
        values[at++] = block(i, j);
      }
  }
}

}  // namespace carom::soft
