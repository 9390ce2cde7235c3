// One rigid link of a robot description (URDF): its mass, its inertia and what it looks like.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "carom/core/shape.hpp"

namespace carom::scenario {

/// A larger file is something else [bytes].
inline constexpr std::uintmax_t max_urdf_size = 16'000'000;

/// In the axes of the link.
struct UrdfLink {
  std::string name;
  double mass = 0.0;                                  ///< [kg]
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   ///< of mass, from the origin of the link [m]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the centre of mass [kg m^2]
  /// The one <collision> (or, without any, <visual>) geometry; none if there are several or none.
  std::optional<Shape> shape = {};
  Eigen::Vector3d shape_centre =
      Eigen::Vector3d::Zero();  ///< where the centre of mass is in the frame of the shape [m]
};

/// @param link    its name; "" if the file has one link only
/// @param folder  of the file: meshes are looked for from there; `package://name/...` is the folder `name` there or
/// above
/// @throws InvalidInput naming `link` (none of that name, several to choose from) or `urdf`, its message the element:
///         no <inertial>, no mass, a number that is none, a mesh that cannot be read
UrdfLink read_urdf(std::string_view text, const std::string& link, const std::filesystem::path& folder);

/// The same from a file.
UrdfLink read_urdf(const std::filesystem::path& file, const std::string& link);

}  // namespace carom::scenario
