#include <cmath>

#include "carom/core/contact.hpp"

#include "impact_spatial.hpp"

namespace carom::scenario {

namespace {

using Eigen::Vector3d;
using report::Color;
using report::Dash;
using report::Plot;

constexpr Color colors[] = {Color::sky, Color::yellow};

report::SceneBody drawn(const NamedBody& body, Color color, std::size_t index) {
  report::SceneBody out;
  out.name = name_of(body.name, index);
  out.shape = body.shape;
  out.centre = body.centre;
  out.color = color;
  out.keyframes = {{0.0, body.body.position, body.body.orientation}};
  return out;
}

}  // namespace

std::optional<Plot> bodies_still(const std::vector<NamedBody>& bodies, const Contact& contact, const SpatialRun& run) {
  report::Scene scene;
  scene.name = "bodies";
  scene.title = "The bodies as they touch";
  scene.caption =
      "The contact axes, the tangent plane (grey square), and the impulse on the first body with its normal and "
      "tangential parts (dashed; arrows are drawn over the bodies, the longest half as long as the picture is high).";
  Vector3d to_viewer = Vector3d(0.42, -0.85, 0.32).normalized();
  double holes_face = 0.0;  // holes are there to be seen
  for (const NamedBody& body : bodies)
    if (const auto* ball = body.shape ? std::get_if<DrilledBall>(&*body.shape) : nullptr)
      for (const DrilledHole& hole : ball->holes) holes_face += (body.body.orientation * hole.direction).y();
  if (holes_face > 0.0) to_viewer.y() = -to_viewer.y();
  const Vector3d right = Vector3d::UnitZ().cross(to_viewer).normalized();
  // The tangent plane lies between them: whoever is beyond it is drawn first.
  const bool first_is_near = contact.normal.dot(to_viewer) > 0.0;
  bool any = false;
  for (const std::size_t i : {first_is_near ? 1U : 0U, first_is_near ? 0U : 1U}) {
    const NamedBody& body = bodies[i];
    any |= body.shape.has_value();
    if (!body.body.immovable || body.shape) scene.bodies.push_back(drawn(body, colors[i], i));
  }
  if (!any) return std::nullopt;
  const report::Camera camera = report::camera_for(scene, "still", -to_viewer, to_viewer.cross(right));
  Plot plot = report::still(scene, camera, 0.0);

  const Eigen::Matrix3d frame = contact_frame(contact);
  const auto at = [&](const Vector3d& p) { return report::seen_at(camera, p); };
  const double size = 0.22 * camera.height;
  report::Curve plane{{}, {Color::muted, Dash::solid, 1.2}, "", true};
  for (const auto& [a, b] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
    plane.points.push_back(at(contact.point + size * (a * frame.col(0) + b * frame.col(1))));
  plot.curves.push_back(std::move(plane));
  const auto arrow = [&](const Vector3d& from, const Vector3d& to, Color color, Dash dash, double width,
                         const std::string& label) {
    plot.curves.push_back({{at(from), at(to)}, {color, dash, width}, "", false, true});
    if (!label.empty()) plot.markers.push_back({at(to), report::MarkerShape::none, color, label, ""});
  };
  const char* names[] = {"$t_1$", "$t_2$", "$n$"};
  for (int i = 0; i < 3; ++i)
    arrow(contact.point, contact.point + size * frame.col(i), Color::ink, Dash::solid, 1.6, names[i]);
  const Vector3d impulse = run.impacts.front().impulse;
  if (const double whole = impulse.norm(); whole > 0.0) {
    const double scale = 0.5 * camera.height / whole;
    const Vector3d tip = contact.point + scale * (frame * impulse),
                   foot = contact.point + scale * impulse[2] * frame.col(2);
    arrow(contact.point, tip, Color::red, Dash::solid, 2.8, "$I$");
    plot.curves.push_back({{at(contact.point), at(foot), at(tip)}, {Color::red, Dash::dashed, 1.4}, ""});
  }
  for (std::size_t i = 0; i < 2; ++i)  // for the legend
    if (bodies[i].shape)
      plot.curves.push_back({{at(contact.point)}, {colors[i], Dash::solid, 9.0}, name_of(bodies[i].name, i)});
  return plot;
}

}  // namespace carom::scenario
