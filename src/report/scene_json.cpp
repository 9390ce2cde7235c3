#include "scene_json.hpp"

#include "palette.hpp"

namespace carom::report {

namespace {

using report::write_member;  // beside those for numbers

void write_member(JsonWriter& json, std::string_view key, double number) {
  json.key(key);
  json.number(number);
}

template <int N>
void write_member(JsonWriter& json, std::string_view key, const Eigen::Matrix<double, N, 1>& vector) {
  json.key(key);
  number_array(json, vector);
}

/// The sizes of a shape under the names that scenario files use.
struct WriteShape {
  JsonWriter& json;
  void operator()(const Sphere& s) const { of("sphere"), write_member(json, "radius", s.radius); }
  void operator()(const SphericalShell& s) const { of("shell"), write_member(json, "radius", s.radius); }
  void operator()(const Disc& s) const { of("disc"), write_member(json, "radius", s.radius); }
  void operator()(const ThinRod& s) const { of("rod"), write_member(json, "length", s.length); }
  void operator()(const Rectangle& s) const { of("rectangle"), write_member(json, "size", s.size); }
  void operator()(const Box& s) const { of("box"), write_member(json, "size", s.size); }
  void operator()(const Cylinder& s) const { round("cylinder", s.radius), write_member(json, "height", s.height); }
  void operator()(const Capsule& s) const { round("capsule", s.radius), write_member(json, "length", s.length); }
  void operator()(const Cone& s) const { round("cone", s.radius), write_member(json, "height", s.height); }
  void operator()(const Pencil& s) const {
    round("pencil", s.radius), write_member(json, "height", s.height), write_member(json, "tip", s.tip);
  }
  void operator()(const TruncatedIcosahedron& s) const {
    of("truncated_icosahedron"), write_member(json, "edge", s.edge);
  }
  void operator()(const DrilledBall& s) const {
    round("drilled_ball", s.radius);
    json.key("holes");
    json.begin_array();
    for (const DrilledHole& hole : s.holes) {
      json.begin_object();
      write_member(json, "radius", hole.radius);
      write_member(json, "bottom", hole.bottom);
      write_member(json, "direction", hole.direction);
      json.end_object();
    }
    json.end_array();
  }
  void operator()(const Revolution& s) const {
    of("revolution");
    json.key("profile");
    json.begin_array();
    for (const Eigen::Vector2d& point : s.profile) number_array(json, point);
    json.end_array();
  }
  void operator()(const Polyhedron& s) const {
    of("polyhedron");
    write_faces_of(s);
  }

private:
  void write_faces_of(const Polyhedron& s) const {
    json.key("vertices");
    json.begin_array();
    for (const Eigen::Vector3d& vertex : s.vertices) number_array(json, vertex);
    json.end_array();
    json.key("faces");
    json.begin_array();
    for (const std::vector<int>& face : s.faces) number_array(json, face);
    json.end_array();
  }
  void of(const char* type) const { write_member(json, "type", type); }
  void round(const char* type, double radius) const { of(type), write_member(json, "radius", radius); }
};

void write_body(JsonWriter& json, const SceneBody& body) {
  json.begin_object();
  write_member(json, "name", body.name);
  write_member(json, "color", color_class(body.color));
  json.key("trail");
  json.boolean(body.trail);
  json.key("shape");
  if (body.shape) {
    json.begin_object();
    std::visit(WriteShape{json}, *body.shape);
    json.end_object();
  } else {
    json.null();
  }
  write_member(json, "centre", body.centre);
  json.key("times");
  json.begin_array();
  for (const Keyframe& frame : body.keyframes) json.number(frame.time);
  json.end_array();
  json.key("positions");
  json.begin_array();
  for (const Keyframe& frame : body.keyframes) number_array(json, frame.position);
  json.end_array();
  json.key("orientations");  // w, x, y, z
  json.begin_array();
  for (const Keyframe& frame : body.keyframes) {
    const Eigen::Quaterniond& q = frame.orientation;
    number_array(json, Eigen::Vector4d(q.w(), q.x(), q.y(), q.z()));
  }
  json.end_array();
  json.end_object();
}

void write_mesh(JsonWriter& json, const SceneMesh& mesh) {
  json.begin_object();
  write_member(json, "name", mesh.name);
  write_member(json, "color", color_class(mesh.color));
  write_member(json, "values_label", mesh.values_label);
  json.key("triangles");
  json.begin_array();
  for (const std::array<int, 3>& triangle : mesh.triangles) number_array(json, triangle);
  json.end_array();
  json.key("frames");
  json.begin_array();
  for (const SceneMesh::Frame& frame : mesh.frames) {
    json.begin_object();
    write_member(json, "time", frame.time);
    json.key("vertices");
    json.begin_array();
    for (const Eigen::Vector3d& vertex : frame.vertices) number_array(json, vertex);
    json.end_array();
    if (!frame.values.empty()) {
      json.key("values");
      number_array(json, frame.values);
    }
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace

void write_scene(JsonWriter& json, const Scene& scene) {
  json.begin_object();
  write_member(json, "title", scene.title);
  write_member(json, "caption", scene.caption);
  write_member(json, "slow_down", scene.slow_down);
  json.key("bodies");
  json.begin_array();
  for (const SceneBody& body : scene.bodies) write_body(json, body);
  json.end_array();
  if (!scene.meshes.empty()) {
    json.key("meshes");
    json.begin_array();
    for (const SceneMesh& mesh : scene.meshes) write_mesh(json, mesh);
    json.end_array();
  }
  json.key("surfaces");
  json.begin_array();
  for (const SceneSurface& surface : scene.surfaces) {
    json.begin_object();
    write_member(json, "point", surface.point);
    write_member(json, "normal", surface.normal);
    json.end_object();
  }
  json.end_array();
  json.key("cameras");
  json.begin_array();
  for (const Camera& camera : scene.cameras) {
    json.begin_object();
    write_member(json, "name", camera.name);
    write_member(json, "target", camera.target);
    write_member(json, "direction", camera.direction);
    write_member(json, "up", camera.up);
    write_member(json, "height", camera.height);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace carom::report
