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
  Outline outline = {};                              ///< in body axes; none for a body given by its inertia
  std::optional<Shape> shape = {};                   ///< the same whole; in its own frame,
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< where its centre of mass is here [m]
};

/// The body's edge seen along a world axis, to draw; see silhouette() of carom/core/shape.hpp.
std::vector<report::Point> edge_of(const NamedBody& body, int right, int up);

/// Velocities before and after, a row per body. `after` is as long as `before`.
report::Table bodies_table(const std::string& title, const std::vector<NamedBody>& before,
                           const std::vector<NamedBody>& after);

/// Mass, centre of mass in the frame of the shape and over its lowest point there, principal moments from the least up,
/// a row per body that moves.
report::Table solids_table(const std::vector<NamedBody>& bodies);

/// How the bodies that can move do so, for details; see add_motion().
/// @param prefix  of the keys, and in brackets of the labels
std::vector<report::Fact> motion_facts(const std::vector<NamedBody>& bodies, const std::string& prefix = "");

/// The components, as a value of a document.
std::vector<double> numbers(const Eigen::Vector3d& v);

/// A body: the word `immovable`, or an object with mass, shape or inertia, pose and velocities.
Type<NamedBody> spatial_body();

Type<Contact> spatial_contact();

/// W and v as they are.
Type<ContactSpace> spatial_space();

/// A rotation matrix (body -> world), or a quaternion [w, x, y, z].
Type<Eigen::Quaterniond> rotation();
/// The same, or {axis, angle}.
Type<Eigen::Quaterniond> orientation();

}  // namespace carom::scenario
