// Vectors in the plane of a contact.
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace carom::simultaneous {

inline Eigen::Vector2d direction(double angle) { return {std::cos(angle), std::sin(angle)}; }
inline double angle_of(const Eigen::Vector2d& v) { return std::atan2(v.y(), v.x()); }
inline Eigen::Vector2d across(const Eigen::Vector2d& e) { return {-e.y(), e.x()}; }
inline double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

}  // namespace carom::simultaneous
