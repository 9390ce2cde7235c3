// What was measured of a body after an impact: part of the observations of files and of rows.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "described.hpp"

namespace carom::scenario {

/// In world axes.
struct BodyAfter {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();          ///< of the centre of mass [m/s]
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< [rad/s]
};

/// A body's velocities after, or null.
inline Type<std::optional<BodyAfter>> body_after() {
  static const Fields<BodyAfter> fields = [] {
    Fields<BodyAfter> all;
    all.required("velocity", &BodyAfter::velocity, vector<3>(), "of the centre of mass [m/s]")
        .required("angular_velocity", &BodyAfter::angular_velocity, vector<3>(), "[rad/s]");
    return all;
  }();
  return custom<std::optional<BodyAfter>>(
      [](const Value& value, const Path& path, Mistakes& mistakes, std::optional<BodyAfter>& out) {
        out.reset();
        return value.is_null() || fields.read(value, path, mistakes, out.emplace());
      },
      R"({"anyOf":[{"type":"null"},)" + fields.json_schema() + "]}");
}

}  // namespace carom::scenario
