#include "carom/report/scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/core/error.hpp"

namespace carom::report {

namespace {

/// Free space around what is seen, as a share of it.
constexpr double margin = 0.1;

/// How far off a unit vector or a right angle may be.
constexpr double unit_tolerance = 1e-9;

}  // namespace

Camera camera_for(const Scene& scene, std::string name, const Eigen::Vector3d& direction, const Eigen::Vector3d& up) {
  if (!(std::abs(direction.norm() - 1.0) <= unit_tolerance)) throw InvalidInput("direction", "must be a unit vector");
  if (!(std::abs(up.norm() - 1.0) <= unit_tolerance && std::abs(up.dot(direction)) <= unit_tolerance))
    throw InvalidInput("up", "must be a unit vector at right angles to the direction");
  const Eigen::Vector3d axes[] = {direction.cross(up), up, direction};
  Eigen::Vector3d low = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const SceneBody& body : scene.bodies) {
    const Outline seen = body.shape ? outline(*body.shape, body.centre) : Outline{{Eigen::Vector3d::Zero()}, 0.0};
    for (const Keyframe& frame : body.keyframes)
      for (const Eigen::Vector3d& point : seen.points) {
        const Eigen::Vector3d world = frame.position + frame.orientation * point;
        for (int i = 0; i < 3; ++i) {
          low[i] = std::min(low[i], axes[i].dot(world) - seen.radius);
          high[i] = std::max(high[i], axes[i].dot(world) + seen.radius);
        }
      }
  }
  for (const SceneMesh& mesh : scene.meshes)
    for (const SceneMesh::Frame& frame : mesh.frames)
      for (const Eigen::Vector3d& vertex : frame.vertices)
        for (int i = 0; i < 3; ++i) {
          low[i] = std::min(low[i], axes[i].dot(vertex));
          high[i] = std::max(high[i], axes[i].dot(vertex));
        }
  Camera camera{std::move(name), Eigen::Vector3d::Zero(), direction, up, 1.0};
  if (!low.allFinite() || !high.allFinite()) return camera;
  for (int i = 0; i < 3; ++i) camera.target += 0.5 * (low[i] + high[i]) * axes[i];
  if (const double height = (1.0 + 2.0 * margin) * std::max(high[0] - low[0], high[1] - low[1]); height > 0.0)
    camera.height = height;
  return camera;
}

}  // namespace carom::report
