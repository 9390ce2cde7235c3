// What a body looks like from a side.
#pragma once

#include <vector>

#include "carom/core/body.hpp"
#include "carom/report/document.hpp"

namespace carom::scenario {

/// A ball, or the convex hull of points in body axes about the centre of mass.
struct Outline {
  double radius = 0.0;  ///< of a ball [m], else 0
  std::vector<Eigen::Vector3d> points = {};
};

/// The outline of a box with these edges [m].
Outline box_outline(const Eigen::Vector3d& size);

/// The body's edge seen along a world axis, counter-clockwise; empty if it has no outline.
/// @param right, up  world axes of the picture, 0 to 2
std::vector<report::Point> silhouette(const Outline& outline, const Body& body, int right, int up);

}  // namespace carom::scenario
