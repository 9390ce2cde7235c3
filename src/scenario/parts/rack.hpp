// Racks of billiard balls: which there are, and where their balls lie.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "described.hpp"

namespace carom::scenario {

enum class Layout { nine_ball, triangle_15 };

Type<Layout> layout();

/// Centres of touching balls, row by row along x, the foremost at the origin [m].
std::vector<Eigen::Vector3d> rack_places(Layout layout, double radius);

}  // namespace carom::scenario
