// How do many touching bodies answer impulses at all their contacts at once?
// Bodies are the nodes, contacts the edges. In contact axes (t1, t2, n) the relative velocities are u = u0 + W P with
// W = J M^-1 J^T. W is kept as the factors of its edges, W = A^T A with A = M^(-1/2) J^T: a product costs one pass over
// the contacts, it is symmetric and positive semidefinite by construction, and nothing dense is formed unless asked.
#pragma once

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

#include "carom/core/body.hpp"
#include "carom/core/contact.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// Points of one pair of bodies closer than this share of their distance from the bodies' centres are one contact given
/// twice: room for the rounding of a point computed two ways.
inline constexpr double duplicate_tolerance = 1e-12;

/// The contact problem of many bodies, in contact axes (t1, t2, n) of each contact.
class ContactGraph {
public:
  using Half = Eigen::Matrix<double, 6, 3>;  ///< M^(-1/2) J^T of one contact and one body

  /// One contact: its bodies, its axes, and its factor for each of them (zero for an immovable body).
  struct Edge {
    std::array<std::size_t, 2> body{};
    Eigen::Vector3d point = Eigen::Vector3d::Zero();
    Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();  ///< columns t1, t2, n in world axes
    std::array<Half, 2> half{};                           ///< of body i, and of body j with its sign
  };

  /// @throws InvalidInput naming `bodies[i]...`, or `contacts[k]`, `.bodies`, `.point`, `.normal`: an index without a
  /// body, a body touching itself, both immovable, one contact given twice, a normal that is not a unit vector
  ContactGraph(std::span<const Body> bodies, std::span<const PairContact> contacts);

  std::size_t body_count() const { return body_count_; }
  std::size_t contact_count() const { return edges_.size(); }
  const std::vector<Edge>& edges() const { return edges_; }

  /// Relative velocities at the contacts [m/s], body i over body j, for the bodies' present velocities.
  /// @throws InvalidInput naming `bodies` (not the number of bodies given at construction)
  std::vector<Eigen::Vector3d> velocities(std::span<const Body> bodies) const;

  /// W P [m/s] for impulses P [N s], through the velocities of the bodies.
  /// @throws InvalidInput naming `impulses` (not one per contact)
  std::vector<Eigen::Vector3d> response(std::span<const Eigen::Vector3d> impulses) const;

  /// W as a matrix of size 3 x contacts [1/kg]: for small systems.
  Eigen::MatrixXd dense() const;

  /// Give every body its impulses [N s].
  /// @throws InvalidInput naming `bodies` or `impulses` (wrong number)
  void apply(std::span<const Eigen::Vector3d> impulses, std::span<Body> bodies) const;

private:
  std::size_t body_count_ = 0;
  std::vector<Edge> edges_;
};

}  // namespace carom

#pragma GCC visibility pop
