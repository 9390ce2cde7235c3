// Whether a contact point lies on the bodies it is said to join, where their shapes are known.
#pragma once

#include <string>

#include "carom/core/contact.hpp"

#include "described.hpp"
#include "planar.hpp"
#include "spatial.hpp"

namespace carom::scenario {

/// A point may lie this far outside a body's shape, as a share of the radius of the ball around the body: room for
/// numbers with few digits, and for the flats of real things.
inline constexpr double contact_point_tolerance = 0.01;

/// "lies 0.3 m outside 'rod'", or "" if it does not or the shape is not known. Of a polyhedron its convex hull counts.
/// @param index  of the body, to call it A or B when it has no name
std::string outside(const NamedBody& body, const Eigen::Vector3d& point, std::size_t index);
std::string outside(const NamedPlanarBody& body, const Eigen::Vector2d& point, std::size_t index);

/// Blames the `point` of the contact at `path` for the first of two bodies that it lies outside of.
template <class Bodies, class Point>
void check_contact_point(const Bodies& bodies, std::size_t a, std::size_t b, const Point& point, const Value* contact,
                         const Path& path, Mistakes& mistakes) {
  for (const std::size_t i : {a, b})
    if (const std::string where = outside(bodies[i], point, i); !where.empty()) {
      mistakes.add(path.at("point"), contact != nullptr ? place_of(*contact, "point") : 0, where);
      return;
    }
}

}  // namespace carom::scenario
