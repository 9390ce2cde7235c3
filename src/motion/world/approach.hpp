// When do two bodies of any shape meet, and where do they touch?
#pragma once

#include <vector>

#include "separation.hpp"
#include "touch.hpp"

namespace carom::world {

/// As predict() of touch.hpp, for courses of which at least one is not that of a ball.
Prediction predict_solids(const Course& a, const Course& b, double from, double horizon);
Prediction predict_solid(const Course& a, const Wall& plane, double from, double horizon);

Pose pose_of(const Body& body);

/// How far two bodies are apart [m]: of their parts the least; below zero: by how much they overlap.
/// @param enough  what is more than this need not be exact: it may be answered as `never`
double distance_between(const Solid& a, const Pose& at_a, const Solid& b, const Pose& at_b, double enough = never);
double distance_between(const Solid& a, const Pose& at_a, const Wall& plane);

/// All places at which two bodies touch, up to a gap [m]. `always`: at least the nearest one, however far.
struct Touch {
  Feature feature;
  FeatureGap gap;
};
std::vector<Touch> touches_between(const Solid& a, const Pose& at_a, const Solid& b, const Pose& at_b, double tolerance,
                                   bool always);
std::vector<Touch> touches_between(const Solid& a, const Pose& at_a, const Wall& plane, double tolerance, bool always);

}  // namespace carom::world
