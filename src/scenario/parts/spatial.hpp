// The parts of a 3-D scenario file: bodies by shape, polyhedron, mesh file or inertia; orientations; a contact space.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <vector>

#include "carom/core/body.hpp"
#include "carom/core/contact_space.hpp"
#include "carom/core/shape.hpp"
#include "carom/report/document.hpp"

#include "described.hpp"

namespace carom::scenario {

struct NamedBody {
  std::string name;
  Body body;
  Outline outline = {};  ///< in body axes; none for a body given by its inertia
};

/// The body's edge seen along a world axis, to draw; see silhouette() of carom/core/shape.hpp.
std::vector<report::Point> edge_of(const NamedBody& body, int right, int up);

/// The body's name, or "A" or "B" when it has none.
std::string name_of(const NamedBody& body, std::size_t index);

/// Velocities before and after, a row per body. `after` is as long as `before`.
report::Table bodies_table(const std::string& title, const std::vector<NamedBody>& before,
                           const std::vector<NamedBody>& after);

/// The components, as a value of a document.
std::vector<double> numbers(const Eigen::Vector3d& v);

/// A body: the word `immovable`, or an object with mass, shape or inertia, pose and velocities.
Type<NamedBody> spatial_body();

Type<Contact> spatial_contact();

/// W and v as they are.
Type<ContactSpace> spatial_space();

/// A rotation matrix (body -> world), or a quaternion [w, x, y, z].
Type<Eigen::Quaterniond> rotation();

}  // namespace carom::scenario
