// Could fingers and table together answer every push and turn, given friction? A linear programme over cones of edges:
// necessary for a grasp, not sufficient.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace carom::soft {

struct ConeAt {
  Eigen::Vector3d point;   ///< [m]
  Eigen::Vector3d normal;  ///< into the body
  double friction = 0.0;
};

/// Edges that stand for a friction cone (Wang 2017, algorithm 7 leaves the number open).
inline constexpr int cone_edges = 12;

/// @param size  of the body [m]: moments are divided by it
bool has_force_closure(const std::vector<ConeAt>& cones, double size);

}  // namespace carom::soft
