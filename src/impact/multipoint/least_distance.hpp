// Which point of a polyhedron, or of an intersection of friction cones with a flat, is nearest to the origin?
// Small dense problems by Lawson and Hanson's active-set method (Solving Least Squares Problems, 1974, ch. 23): finite,
// no starting point, and an empty set is recognised by its certificate.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

namespace carom::multipoint {

/// A set whose nearest point is farther than this (data being of order one) counts as empty: in the method it leaves a
/// residual of 1 / farthest, which must stay clear of rounding.
inline constexpr double farthest = 1e7;

/// Rounding allowed in an inequality between quantities of order one.
inline constexpr double slack = 1e-12;

/// The x of least norm with G x >= h; nothing if there is none.
std::optional<Eigen::VectorXd> least_distance(const Eigen::MatrixXd& g, const Eigen::VectorXd& h);

/// What a contact's impulse must satisfy.
struct Cone {
  enum class Kind { free, pushing, friction } kind = Kind::free;  // nothing; p_n >= floor; and |p_t| <= mu p_n
  double mu = 0.0;
  double floor = 0.0;
};

/// Splits p = origin + basis x of an impulse, basis orthonormal and (for `least` to be of least norm) normal to origin.
class ConeSplit {
public:
  ConeSplit(Eigen::VectorXd origin, Eigen::MatrixXd basis, int dimension);

  /// The x of least norm with every contact's impulse in its cone; nothing if there is none. In 3-D the cones are cut
  /// out of half-spaces, added where they are needed and kept for the next call: they do not depend on mu.
  std::optional<Eigen::VectorXd> least(const std::vector<Cone>& cones);

  Eigen::VectorXd split(const Eigen::VectorXd& x) const { return origin_ + basis_ * x; }
  const Eigen::VectorXd& origin() const { return origin_; }
  const Eigen::MatrixXd& basis() const { return basis_; }

private:
  std::optional<Eigen::VectorXd> least_in_half_spaces(const std::vector<Cone>& cones) const;
  bool cut(const std::vector<Cone>& cones, const Eigen::VectorXd& p);

  struct Cut {
    Eigen::Index contact;
    Eigen::Vector2d direction;
  };
  Eigen::VectorXd origin_;
  Eigen::MatrixXd basis_;
  int dimension_;
  std::vector<Cut> cuts_;
};

}  // namespace carom::multipoint
