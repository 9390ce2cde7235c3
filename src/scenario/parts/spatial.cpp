#include "spatial.hpp"

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "carom/core/error.hpp"
#include "carom/core/linear_algebra.hpp"

#include "impact.hpp"
#include "shape.hpp"
#include "urdf.hpp"

namespace carom::scenario {

namespace {

/// How far a rotation matrix may be from orthonormal.
constexpr double rotation_tolerance = 1e-9;

struct BodyFields : ShapeFields {
  std::optional<std::string> name;
  std::optional<std::string> urdf, link;
  std::optional<double> mass;
  std::optional<Eigen::Matrix3d> inertia;
  std::optional<Eigen::Vector3d> position;
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero(), angular_velocity = Eigen::Vector3d::Zero();
};

/// A link brings mass, inertia and shape with it.
void check_link(const BodyFields& b, const Value& object, const Path& path, Mistakes& mistakes) {
  for (const auto [key, value] : object.members())
    for (const std::string_view given : {"mass", "shape", "inertia", "radius", "height", "length", "tip", "edge",
                                         "size", "profile", "holes", "vertices", "faces", "file"})
      if (key == given && !value.is_null())
        mistakes.add(path.at(key), value.place(), "is what the link of `urdf` says");
  if (!b.position) mistakes.add(path.at("position"), object.place(), "is required");
}

void check_body(const BodyFields& b, const Value& object, const Path& path, Mistakes& mistakes) {
  if (b.urdf) return check_link(b, object, path, mistakes);
  if (b.link) mistakes.add(path.at("link"), place_of(object, "link"), "goes with `urdf` only");
  if (!b.mass) mistakes.add(path.at("mass"), object.place(), "is required");
  if (!check_shape(b, b.inertia.has_value(), object, path, mistakes)) return;
  if (!b.position && !(b.shape == ShapeName::polyhedron || b.shape == ShapeName::mesh))
    mistakes.add(path.at("position"), object.place(), "is required");
}

/// The body; what its solid has against it is said of the field that gave it.
bool make_body(const BodyFields& b, const Value& object, const Path& path, Mistakes& mistakes, NamedBody& out) {
  Body& body = out.body;
  body = Body{};
  body.mass = b.mass.value_or(0.0);
  body.orientation = b.orientation;
  body.velocity = b.velocity;
  body.angular_velocity = b.angular_velocity;
  try {
    if (b.urdf) {
      const UrdfLink link = read_urdf(mistakes.folder / *b.urdf, b.link.value_or(""));
      if (!b.name) out.name = link.name;
      body.mass = link.mass;
      body.inertia = link.inertia;
      body.position = *b.position;
      if (link.shape) {
        out.outline = outline(*link.shape, link.shape_centre);
        out.shape = link.shape;
        out.centre = link.shape_centre;
      }
    } else if (b.shape) {
      const Shape shape = shape_of(b, mistakes.folder);
      const MassProperties solid = mass_properties(shape, body.mass);
      body.inertia = solid.inertia;
      // Vertices without a position say themselves where the solid is.
      body.position = b.position.value_or(b.orientation * solid.center);
      out.outline = outline(shape, solid.center);
      out.shape = shape;
      out.centre = solid.center;
    } else {
      body.inertia = *b.inertia;
      body.position = *b.position;
    }
    require_valid(body);
    return true;
  } catch (const InvalidInput& error) {
    if (b.urdf && error.field() != "link") {
      const bool said = error.field() == "urdf" || error.field() == "file";  // else of the body: "inertia"
      mistakes.add(path.at("urdf"), place_of(object, "urdf"), *b.urdf + ": " + (said ? error.message() : error.what()));
      return false;
    }
    const std::string field = b.file ? "file" : error.field().starts_with("faces") ? "faces" : error.field();
    if (!b.file &&
        (field.starts_with("holes[") || field.starts_with("profile["))) {  // place of the list, path of the item
      mistakes.add(path.at(field), place_of(object, field.substr(0, field.find('['))), error.message());
      return false;
    }
    const std::string message = b.file ? *b.file + ": " + error.what() : error.message();
    mistakes.add(path.at(field), place_of(object, field), message);
    return false;
  }
}

struct AxisAngle {
  Eigen::Vector3d axis;
  double angle = 0.0;
};

Fields<BodyFields> body_fields() {
  Fields<BodyFields> fields;
  fields.optional("name", &BodyFields::name, text(), "what to call it")
      .optional("mass", &BodyFields::mass, number(Range::positive()), "[kg]")
      .optional("shape", &BodyFields::shape, shape_name(BodyKind::spatial), "uniform solid that gives the inertia")
      .optional("inertia", &BodyFields::inertia, matrix<3>(),
                "about the centre of mass, body axes [kg m^2], instead of a shape");
  add_shape_sizes(fields, BodyKind::spatial);
  fields
      .optional("urdf", &BodyFields::urdf, text(),
                "robot description that gives mass, inertia and shape, instead of them")
      .optional("link", &BodyFields::link, text(), "which link of it; body axes are its axes");
  fields
      .optional("position", &BodyFields::position, vector<3>(),
                "centre of mass [m]; a polyhedron or mesh without it stands where its vertices say")
      .optional("orientation", &BodyFields::orientation, orientation(),
                "body axes -> world axes: 3 x 3 rotation, quaternion [w, x, y, z], or {axis, angle}")
      .optional("velocity", &BodyFields::velocity, vector<3>(), "of the centre of mass [m/s]")
      .optional("angular_velocity", &BodyFields::angular_velocity, vector<3>(), "world axes [rad/s]")
      .check(check_body);
  return fields;
}

}  // namespace

std::vector<double> numbers(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }

std::vector<report::Point> edge_of(const NamedBody& body, int right, int up) {
  std::vector<report::Point> points;
  for (const Eigen::Vector2d& p : silhouette(body.outline, body.body, right, up)) points.push_back({p.x(), p.y()});
  return points;
}

std::vector<report::Fact> motion_facts(const std::vector<NamedBody>& bodies, const std::string& prefix) {
  std::vector<report::Fact> facts;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i].body;
    const std::string who = name_of(bodies[i].name, i);
    if (!body.immovable)
      add_motion(facts, prefix.empty() ? who : who + ", " + prefix, key_of(prefix.empty() ? who : prefix + " " + who),
                 "$(x, y, z)$", numbers(body.velocity), numbers(body.angular_velocity));
  }
  return facts;
}

report::Table bodies_table(const std::string& title, const std::vector<NamedBody>& before,
                           const std::vector<NamedBody>& after) {
  report::Table table{"bodies", title, {}};
  table.columns = {{"body", "body", ""},
                   {"velocity_before", "velocity before", "m/s"},
                   {"velocity_after", "velocity after", "m/s"},
                   {"spin_before", "spin before", "rad/s"},
                   {"spin_after", "spin after", "rad/s"}};
  for (std::size_t i = 0; i < before.size(); ++i)
    table.add_row({name_of(before[i].name, i), numbers(before[i].body.velocity), numbers(after[i].body.velocity),
                   numbers(before[i].body.angular_velocity), numbers(after[i].body.angular_velocity)});
  return table;
}

report::Table solids_table(const std::vector<NamedBody>& bodies) {
  report::Table table{"solids", "The bodies as solids", {}};
  table.columns = {{"body", "body", ""},
                   {"mass", "mass", "kg"},
                   {"centre", "centre of mass, in the frame of the shape", "m"},
                   {"height", "over its lowest point", "m"},
                   {"principal_moments", "principal moments of inertia", "kg m$^2$"}};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto& [name, body, outline, shape, centre] = bodies[i];
    if (body.immovable) continue;
    const double height =
        shape ? centre.z() - support(*shape, -Eigen::Vector3d::UnitZ()).z() : std::numeric_limits<double>::quiet_NaN();
    table.add_row({name_of(name, i), body.mass, numbers(centre), height, numbers(symmetric_eigenvalues(body.inertia))});
  }
  return table;
}

Type<Eigen::Quaterniond> rotation() {
  const auto as_matrix = matrix<3>();
  const auto as_list = vector_of_any_size();
  return custom<Eigen::Quaterniond>(
      [as_matrix, as_list](const Value& value, const Path& path, Mistakes& mistakes, Eigen::Quaterniond& out) {
        if (value.kind() == Value::Kind::list && value.size() == 3) {
          Eigen::Matrix3d r;
          if (!as_matrix.read(value, path, mistakes, r)) return false;
          if ((r * r.transpose() - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() <= rotation_tolerance &&
              r.determinant() > 0.0) {
            out = Eigen::Quaterniond(r).normalized();
            return true;
          }
          mistakes.add(path, value.place(), "must be a rotation: orthonormal to 1e-9 and right-handed");
          return false;
        }
        Eigen::VectorXd q;
        if (value.kind() != Value::Kind::list || value.size() != 4)
          return wrong_type("a 3 x 3 rotation matrix or a quaternion [w, x, y, z]", value, path, mistakes);
        if (!as_list.read(value, path, mistakes, q)) return false;
        if (!(std::abs(q.norm() - 1.0) <= unit_tolerance)) {
          mistakes.add(path, value.place(), "must be a unit quaternion, its length is " + number_text(q.norm()));
          return false;
        }
        out = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
        return true;
      },
      R"({"type":"array"})");
}

Type<Eigen::Quaterniond> orientation() {
  const auto plain = rotation();
  Fields<AxisAngle> fields;
  fields.required("axis", &AxisAngle::axis, unit_vector<3>(), "unit vector")
      .required("angle", &AxisAngle::angle, angle(), "[rad], or text such as '30 deg'");
  return custom<Eigen::Quaterniond>(
      [plain, fields](const Value& value, const Path& path, Mistakes& mistakes, Eigen::Quaterniond& out) {
        if (value.kind() != Value::Kind::object) return plain.read(value, path, mistakes, out);
        AxisAngle turn;
        if (!fields.read(value, path, mistakes, turn)) return false;
        out = Eigen::AngleAxisd(turn.angle, turn.axis);
        return true;
      },
      R"({"anyOf":[{"type":"array"},)" + fields.json_schema() + "]}");
}

Type<NamedBody> spatial_body() {
  const Fields<BodyFields> fields = body_fields();
  return custom<NamedBody>(
      [fields](const Value& value, const Path& path, Mistakes& mistakes, NamedBody& out) {
        if (value.kind() == Value::Kind::text) {
          if (value.text() != "immovable")
            return wrong_type("`immovable` or a body with its fields", value, path, mistakes);
          out = {"immovable", immovable_body(), {}};
          return true;
        }
        BodyFields b;
        if (!fields.read(value, path, mistakes, b)) return false;
        out.name = b.name.value_or("");
        return make_body(b, value, path, mistakes, out);
      },
      R"({"anyOf":[{"const":"immovable"},)" + fields.json_schema() + "]}");
}

Type<Contact> spatial_contact() {
  Fields<Contact> fields;
  fields.required("point", &Contact::point, vector<3>(), "where the bodies touch [m]")
      .required("normal", &Contact::normal, unit_vector<3>(), "unit vector from the second body into the first");
  return object(fields);
}

Type<ContactSpace> spatial_space() {
  Fields<ContactSpace> fields;
  fields
      .required("inverse_inertia", &ContactSpace::inverse_inertia, inverse_inertia<3>(),
                "W [1/kg], axes (t1, t2, n): how the contact point answers an impulse")
      .required("velocity", &ContactSpace::velocity, vector<3>(), "of A relative to B [m/s], (t1, t2, n)");
  return object(fields);
}

}  // namespace carom::scenario
