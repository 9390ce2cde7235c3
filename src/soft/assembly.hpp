// The sparse matrix of a body and sums over the tetrahedra around each vertex. A vertex is the business of one thread,
// which takes its tetrahedra in rising order: the same bits on any number of threads, and no matrix of an element is
// computed twice.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "carom/core/parallel.hpp"

#include "sparse_factor.hpp"
#include "unknowns.hpp"

namespace carom::soft {

using Tets = std::vector<std::array<int, 4>>;

/// A matrix of free displacements: where its entries are, and where the rows of each vertex start among them.
struct Couplings {
  SparsePattern pattern;
  std::vector<std::size_t> start;  ///< of each vertex's entries; one more than vertices
};

class Assembly {
public:
  static constexpr std::size_t grain = 512;  ///< vertices or tetrahedra a piece of work

  /// @param tets  must outlive it
  /// @param at    the vertices, about where they will be
  Assembly(const Tets& tets, const Field& at, int threads);

  const Tets& tets() const { return tets_; }
  int threads() const { return threads_; }

  /// what(tet, element_number...) for all tetrahedra, in any order.
  template <class Each>
  void for_tets(const Each& each) const {
    parallel_for(tets_.size(), grain, threads_, [&](std::size_t first, std::size_t last) {
      for (std::size_t t = first; t < last; ++t) each(t);
    });
  }

  /// The sum of force(tet, corner), a vector, over the tetrahedra of each vertex.
  template <class Force>
  Field sum(const Force& force) const {
    const std::size_t count = start_.size() - 1;
    Field total(3, static_cast<Eigen::Index>(count));
    parallel_for(count, grain, threads_, [&](std::size_t first, std::size_t last) {
      for (std::size_t vertex = first; vertex < last; ++vertex) {
        Eigen::Vector3d here = Eigen::Vector3d::Zero();
        for (std::size_t i = start_[vertex]; i < start_[vertex + 1]; ++i)
          here += force(corners_[i] >> 2, corners_[i] & 3);
        total.col(static_cast<Eigen::Index>(vertex)) = here;
      }
    });
    return total;
  }

  /// Where the matrix of the free displacements has entries; of a symmetric one the lower triangle.
  Couplings couplings(const Unknowns& unknowns, bool symmetric) const;

  /// The entries: the sum of block(tet, a, c), how corner a of a tetrahedron answers to its corner c, 3 x 3.
  template <class Block>
  void fill(const Couplings& couplings, const Unknowns& unknowns, const Block& block,
            std::vector<double>& values) const {
    values.resize(couplings.pattern.rows.size());
    parallel_for(start_.size() - 1, grain, threads_, [&](std::size_t first, std::size_t last) {
      std::vector<Eigen::Matrix3d> row;
      for (std::size_t vertex = first; vertex < last; ++vertex) {
        const auto neighbours = neighbours_.begin() + static_cast<std::ptrdiff_t>(row_start_[vertex]);
        const auto end = neighbours_.begin() + static_cast<std::ptrdiff_t>(row_start_[vertex + 1]);
        row.assign(row_start_[vertex + 1] - row_start_[vertex], Eigen::Matrix3d::Zero());
        for (std::size_t i = start_[vertex]; i < start_[vertex + 1]; ++i) {
          const int tet = corners_[i] >> 2, a = corners_[i] & 3;
          for (int c = 0; c < 4; ++c) {
            const int other = tets_[std::size_t(tet)][std::size_t(c)];
            if (couplings.pattern.symmetric && other > static_cast<int>(vertex)) continue;
            row[static_cast<std::size_t>(std::lower_bound(neighbours, end, other) - neighbours)] += block(tet, a, c);
          }
        }
        write_row(couplings, unknowns, static_cast<int>(vertex), row, values);
      }
    });
  }

private:
  void dissect(const Field& at, std::vector<int>& vertices, std::vector<char>& low);
  void write_row(const Couplings& couplings, const Unknowns& unknowns, int vertex, std::vector<Eigen::Matrix3d>& row,
                 std::vector<double>& values) const;

  const Tets& tets_;
  int threads_;
  std::vector<std::size_t> start_, row_start_;  // of each vertex in the next two
  std::vector<int> corners_;                    // 4 * tet + corner
  std::vector<int> neighbours_;                 // rising; the vertex is its own
  std::vector<int> order_;                      // vertices as they are best eliminated
};

}  // namespace carom::soft
