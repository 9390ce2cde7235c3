// The parts of a 3-D scenario file: bodies by shape, polyhedron, mesh file or inertia; orientations; a contact space.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <string>

#include "carom/core/body.hpp"
#include "carom/core/contact_space.hpp"

#include "fields.hpp"

namespace carom::scenario {

struct NamedBody {
  std::string name;
  Body body;
  std::optional<double> radius = std::nullopt;         ///< of a ball [m]
  std::optional<Eigen::Vector3d> size = std::nullopt;  ///< of a box [m]
};

/// A body: the word `immovable`, or an object with mass, shape or inertia, pose and velocities.
Type<NamedBody> spatial_body();

Type<Contact> spatial_contact();

/// W and v as they are.
Type<ContactSpace> spatial_space();

/// A rotation matrix (body -> world), or a quaternion [w, x, y, z].
Type<Eigen::Quaterniond> rotation();

}  // namespace carom::scenario
