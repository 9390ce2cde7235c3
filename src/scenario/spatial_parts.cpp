#include "spatial_parts.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/core/error.hpp"
#include "carom/core/inertia.hpp"

#include "mesh_file.hpp"

namespace carom::scenario {

namespace {

/// How far a rotation matrix may be from orthonormal.
constexpr double rotation_tolerance = 1e-9;

enum class Shape { sphere, shell, box, cylinder, cone, pencil, polyhedron, mesh };

struct BodyFields {
  std::optional<std::string> name;
  double mass = 0.0;
  std::optional<Shape> shape;
  std::optional<Eigen::Matrix3d> inertia;
  std::optional<double> radius, height, tip;
  std::optional<Eigen::Vector3d> size;
  std::optional<std::vector<Eigen::Vector3d>> vertices;
  std::optional<std::vector<std::vector<int>>> faces;
  std::optional<std::string> file;
  std::optional<Eigen::Vector3d> position;
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero(), angular_velocity = Eigen::Vector3d::Zero();
};

struct ShapeRow {
  const char* name;
  std::array<std::string_view, 3> needs;
};
constexpr ShapeRow shapes[] = {{"sphere", {"radius"}},
                               {"shell", {"radius"}},
                               {"box", {"size"}},
                               {"cylinder", {"radius", "height"}},
                               {"cone", {"radius", "height"}},
                               {"pencil", {"radius", "height", "tip"}},
                               {"polyhedron", {"vertices", "faces"}},
                               {"mesh", {"file"}}};
constexpr const char* size_fields[] = {"radius", "height", "tip", "size", "vertices", "faces", "file"};

/// A shape wants exactly its own sizes; without a shape the inertia must be given.
void check_shape(const BodyFields& b, const Value& object, const Path& path, Mistakes& mistakes) {
  if (b.shape.has_value() == b.inertia.has_value())
    return mistakes.add(path, object.place(), "needs either `shape` or `inertia`");
  const ShapeRow* row = b.shape ? &shapes[static_cast<std::size_t>(*b.shape)] : nullptr;
  const std::string who = row != nullptr ? std::string("shape '") + row->name + "'" : "a body given by its inertia";
  for (const std::string_view field : size_fields) {
    const Value* value = object.find(field);
    const bool given = value != nullptr && !value->is_null();
    const bool needed = row != nullptr && std::find(row->needs.begin(), row->needs.end(), field) != row->needs.end();
    if (given && !needed) mistakes.add(path.at(field), value->place(), "is not used by " + who);
    if (!given && needed) mistakes.add(path.at(field), object.place(), "is required by " + who);
  }
  if (!b.position && !(b.shape == Shape::polyhedron || b.shape == Shape::mesh))
    mistakes.add(path.at("position"), object.place(), "is required");
}

/// A circle around the z axis.
void add_ring(std::vector<Eigen::Vector3d>& points, double radius, double z) {
  constexpr int corners = 32;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / corners;
    points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
  }
}

/// A solid in the frame of its shape, with what to draw of it.
struct Solid {
  MassProperties mass;
  Outline outline = {};
};

/// A cylinder with a cone on its end, of one material, the point at the origin and the cylinder above.
MassProperties pencil(double mass, double radius, double height, double tip) {
  const double of_cone = mass * tip / (3.0 * height + tip);  // by volume
  return joined(std::vector{cone(of_cone, radius, tip),
                            placed(cylinder(mass - of_cone, radius, height), {0.0, 0.0, tip + 0.5 * height})});
}

Solid solid_of(const BodyFields& b, const std::filesystem::path& folder) {
  Solid solid;
  auto& points = solid.outline.points;
  switch (*b.shape) {
    case Shape::sphere:
    case Shape::shell:
      solid.mass = *b.shape == Shape::sphere ? solid_sphere(b.mass, *b.radius) : spherical_shell(b.mass, *b.radius);
      solid.outline.radius = *b.radius;
      break;
    case Shape::box:
      solid.mass = box(b.mass, *b.size);
      solid.outline = box_outline(*b.size);
      break;
    case Shape::cylinder:
      solid.mass = cylinder(b.mass, *b.radius, *b.height);
      add_ring(points, *b.radius, -0.5 * *b.height);
      add_ring(points, *b.radius, 0.5 * *b.height);
      break;
    case Shape::cone:
      solid.mass = cone(b.mass, *b.radius, *b.height);
      points.push_back(Eigen::Vector3d::Zero());
      add_ring(points, *b.radius, *b.height);
      break;
    case Shape::pencil:
      solid.mass = pencil(b.mass, *b.radius, *b.height, *b.tip);
      points.push_back(Eigen::Vector3d::Zero());
      add_ring(points, *b.radius, *b.tip);
      add_ring(points, *b.radius, *b.tip + *b.height);
      break;
    case Shape::polyhedron:
      solid.mass = polyhedron(b.mass, *b.vertices, *b.faces);
      points = *b.vertices;
      break;
    case Shape::mesh: {
      Surface surface = read_mesh(folder / *b.file);
      solid.mass = polyhedron(b.mass, surface.vertices, surface.faces);
      points = std::move(surface.vertices);
      break;
    }
  }
  for (Eigen::Vector3d& point : points) point -= solid.mass.center;
  return solid;
}

/// The body; what its solid has against it is said of the field that gave it.
bool make_body(const BodyFields& b, const Value& object, const Path& path, Mistakes& mistakes, NamedBody& out) {
  Body& body = out.body;
  body = Body{};
  body.mass = b.mass;
  body.orientation = b.orientation;
  body.velocity = b.velocity;
  body.angular_velocity = b.angular_velocity;
  try {
    if (b.shape) {
      Solid solid = solid_of(b, mistakes.folder);
      body.inertia = solid.mass.inertia;
      // Vertices without a position say themselves where the solid is.
      body.position = b.position.value_or(b.orientation * solid.mass.center);
      out.outline = std::move(solid.outline);
    } else {
      body.inertia = *b.inertia;
      body.position = *b.position;
    }
    require_valid(body);
    return true;
  } catch (const InvalidInput& error) {
    const std::string field = b.file ? "file" : error.field().starts_with("faces") ? "faces" : error.field();
    const std::string message = b.file ? *b.file + ": " + error.what() : error.message();
    mistakes.add(path.at(field), place_of(object, field), message);
    return false;
  }
}

struct AxisAngle {
  Eigen::Vector3d axis;
  double angle = 0.0;
};

/// A rotation, or {axis, angle}.
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

Fields<BodyFields> body_fields() {
  std::vector<std::pair<std::string, Shape>> names;
  for (std::size_t i = 0; i < std::size(shapes); ++i) names.emplace_back(shapes[i].name, static_cast<Shape>(i));
  Fields<BodyFields> fields;
  fields.optional("name", &BodyFields::name, text(), "what to call it")
      .required("mass", &BodyFields::mass, number(Range::positive()), "[kg]")
      .optional("shape", &BodyFields::shape, choice<Shape>(names), "uniform solid that gives the inertia")
      .optional("inertia", &BodyFields::inertia, matrix<3>(),
                "about the centre of mass, body axes [kg m^2], instead of a shape")
      .optional("radius", &BodyFields::radius, number(Range::positive()), "[m]")
      .optional("height", &BodyFields::height, number(Range::positive()), "of a cylinder or cone, along z [m]")
      .optional("tip", &BodyFields::tip, number(Range::positive()),
                "height of a pencil's point, which is below its cylinder of `height` [m]")
      .optional("size", &BodyFields::size, vector<3>(), "edges of a box [m]")
      .optional("vertices", &BodyFields::vertices, list_of(vector<3>(), 4), "of a polyhedron [m]")
      .optional("faces", &BodyFields::faces, list_of(list_of(integer(0, 100'000), 3), 4),
                "of a polyhedron: vertex numbers from 0, counter-clockwise seen from outside")
      .optional("file", &BodyFields::file, text(), "mesh file, .obj or .off [m], relative to this file")
      .optional("position", &BodyFields::position, vector<3>(),
                "centre of mass [m]; a polyhedron or mesh without it stands where its vertices say")
      .optional("orientation", &BodyFields::orientation, orientation(),
                "body axes -> world axes: 3 x 3 rotation, quaternion [w, x, y, z], or {axis, angle}")
      .optional("velocity", &BodyFields::velocity, vector<3>(), "of the centre of mass [m/s]")
      .optional("angular_velocity", &BodyFields::angular_velocity, vector<3>(), "world axes [rad/s]")
      .check(check_shape);
  return fields;
}

}  // namespace

std::vector<double> numbers(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }

std::string name_of(const NamedBody& body, std::size_t index) {
  return !body.name.empty() ? body.name : index == 0 ? "A" : "B";
}

report::Table bodies_table(const std::string& title, const std::vector<NamedBody>& before,
                           const std::vector<NamedBody>& after) {
  report::Table table{"bodies", title, {}, {}};
  table.columns = {{"body", "body", ""},
                   {"velocity_before", "velocity before", "m/s"},
                   {"velocity_after", "velocity after", "m/s"},
                   {"spin_before", "spin before", "rad/s"},
                   {"spin_after", "spin after", "rad/s"}};
  for (std::size_t i = 0; i < before.size(); ++i)
    table.rows.push_back({name_of(before[i], i), numbers(before[i].body.velocity), numbers(after[i].body.velocity),
                          numbers(before[i].body.angular_velocity), numbers(after[i].body.angular_velocity)});
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
