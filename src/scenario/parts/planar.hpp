// The parts of a planar scenario file: bodies by shape or by inertia, a contact, and how together (or instead of them)
// a contact space is given.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/core/body.hpp"
#include "carom/core/contact.hpp"
#include "carom/core/contact_space.hpp"
#include "carom/core/shape.hpp"
#include "carom/report/plot.hpp"

#include "described.hpp"

namespace carom::scenario {

struct NamedPlanarBody {
  std::string name;
  PlanarBody body;
  std::optional<Shape> shape = {};  ///< in body axes, about the centre of mass; none for a body given by its inertia
  Outline outline = {};             ///< in body axes; none for a body given by its inertia
};

/// The body's edge, to draw; see silhouette() of carom/core/shape.hpp.
std::vector<report::Point> edge_of(const NamedPlanarBody& body);

/// A body: the word `immovable`, or an object with mass, shape or inertia, pose and velocities.
Type<NamedPlanarBody> planar_body();

Type<PlanarContact> planar_contact();

/// W and v as they are.
Type<PlanarContactSpace> planar_space();

}  // namespace carom::scenario
