// How is motion shown?
// A scene: shapes that move through keyframes in time, seen by cameras, with trails. A page animates it; it knows no
// physics, so between two keyframes a body moves evenly and whoever fills a scene sets them close enough.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "carom/core/shape.hpp"
#include "carom/report/plot.hpp"

#pragma GCC visibility push(default)

namespace carom::report {

/// Where a body is at one time.
struct Keyframe {
  double time = 0.0;                                                ///< [s]
  Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< of its centre of mass [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< body -> world
};

struct SceneBody {
  std::string name;
  std::optional<Shape> shape;                        ///< none: only its centre is shown
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< of mass, in the frame of the shape [m]
  Color color = Color::blue;
  std::vector<Keyframe> keyframes = {};  ///< times rising; one: it stands still
  bool trail = false;                    ///< show the path of its centre
};

/// A body that changes its shape: triangles whose corners move through keyframes.
struct SceneMesh {
  std::string name;
  Color color = Color::blue;
  std::vector<std::array<int, 3>> triangles;  ///< vertices, counter-clockwise seen from outside
  struct Frame {
    double time = 0.0;                      ///< [s]
    std::vector<Eigen::Vector3d> vertices;  ///< [m]; as many in every frame
    std::vector<double> values;             ///< one a vertex to colour it by, or none
  };
  std::vector<Frame> frames;  ///< times rising
  std::string values_label;   ///< what the values are
};

/// A plane that bounds the scene: the ground, a wall.
struct SceneSurface {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();    ///< [m]
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< unit, towards the bodies
};

/// Looks from far away, so that lengths are true.
struct Camera {
  std::string name;
  Eigen::Vector3d target = Eigen::Vector3d::Zero();      ///< in the middle of the picture [m]
  Eigen::Vector3d direction = Eigen::Vector3d::UnitY();  ///< of looking, unit
  Eigen::Vector3d up = Eigen::Vector3d::UnitZ();         ///< upwards in the picture, unit, across the direction
  double height = 1.0;                                   ///< of what is seen [m]
};

struct Scene {
  std::string name;  ///< file stem, snake_case, unique in its document
  std::string title;
  std::string caption;  ///< one or two sentences: what to look at
  std::vector<SceneBody> bodies;
  std::vector<SceneMesh> meshes;
  std::vector<SceneSurface> surfaces;
  std::vector<Camera> cameras;  ///< the first one first
  double slow_down = 1.0;       ///< seconds to show for each second of the scene
};

/// The camera that looks this way and sees all keyframes, with a margin.
/// @throws InvalidInput if direction and up are not unit vectors at right angles
Camera camera_for(const Scene& scene, std::string name, const Eigen::Vector3d& direction, const Eigen::Vector3d& up);

/// A picture of the scene at one time, as a camera sees it: what bounds it, then its bodies in the order of the list,
/// so those behind come first. Meshes are left out.
/// @param time  [s]; a body stands where its last keyframe up to then says
Plot still(const Scene& scene, const Camera& camera, double time = 0.0);

/// Where a point is in that picture.
Point seen_at(const Camera& camera, const Eigen::Vector3d& point);

}  // namespace carom::report

#pragma GCC visibility pop
