// What happens inside an impact, while its normal impulse grows?
// The process of planar_impact(), spatial_impact() and compliant_impact() at points that lie evenly in normal impulse,
// from first touch to separation: impulse, velocity, and the work done so far. For tables and curves over the normal
// impulse; spatial_path() and compliant_path() give points that follow the bends of a path instead.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/impact/compliant.hpp"
#include "carom/impact/planar.hpp"
#include "carom/impact/spatial.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// A point of the process.
template <int N>
struct PathPoint {
  using Vector = Eigen::Matrix<double, N, 1>;
  Vector impulse = Vector::Zero();   ///< so far, on A [N s]
  Vector velocity = Vector::Zero();  ///< A relative to B [m/s]
  double normal_work = 0.0;          ///< integral of v_n dI_n so far: falls in compression, rises after it [J]
  double friction_loss = 0.0;        ///< what friction has taken so far [J]
};

/// The same with the springs of the contact. Where they jump (an end of compression, of stick) it is what was before.
struct CompliantPathPoint : PathPoint<3> {
  ContactSprings springs;
};

/// The most points of a path evenly spaced.
inline constexpr int max_even_path = 10000;

/// @throws InvalidInput naming `points` where there are less than 2 or more than max_even_path
void require_path_points(int points);

/// The process at `points` normal impulses from 0 to the whole one, evenly spaced. The last point is what
/// planar_impact(), spatial_impact() and compliant_impact() answer with, the others are as exact.
/// @param points  in [2, max_even_path]
/// @return        empty if there is no impact; with Verdict::event_limit it ends where the impact was left
/// @throws InvalidInput as planar_impact(), spatial_impact() and compliant_impact(), or naming `points`
std::vector<PathPoint<2>> even_path(const PlanarProblem& problem, int points);
std::vector<PathPoint<3>> even_path(const SpatialProblem& problem, int points);
std::vector<CompliantPathPoint> even_path(const CompliantProblem& problem, int points);

}  // namespace carom

#pragma GCC visibility pop
