#include "planar.hpp"

#include <Eigen/Geometry>

#include "carom/core/error.hpp"
#include "carom/core/shape.hpp"

#include "shape.hpp"

namespace carom::scenario {

namespace {

struct BodyFields : ShapeFields {
  std::optional<std::string> name;
  double mass = 0.0;
  std::optional<double> inertia;
  Eigen::Vector2d position = Eigen::Vector2d::Zero(), velocity = Eigen::Vector2d::Zero();
  double angle = 0.0, angular_velocity = 0.0;
};

/// A size must be one, whatever shape it was given with.
void check_body(const BodyFields& b, const Value& object, const Path& path, Mistakes& mistakes) {
  if (!check_shape(b, b.inertia.has_value(), object, path, mistakes) || !b.plane_size) return;
  try {
    require_valid(Rectangle{*b.plane_size});
  } catch (const InvalidInput& error) {
    mistakes.add(path.at(error.field()), place_of(object, error.field()), error.message());
  }
}

Fields<BodyFields> body_fields() {
  Fields<BodyFields> fields;
  fields.optional("name", &BodyFields::name, text(), "what to call it")
      .required("mass", &BodyFields::mass, number(Range::positive()), "[kg]")
      .optional("shape", &BodyFields::shape, shape_name(BodyKind::planar),
                "uniform shape that gives the moment of inertia")
      .optional("inertia", &BodyFields::inertia, number(Range::positive()),
                "moment of inertia about the centre of mass [kg m^2], instead of a shape");
  add_shape_sizes(fields, BodyKind::planar);
  fields.required("position", &BodyFields::position, vector<2>(), "centre of mass [m]")
      .optional("angle", &BodyFields::angle, angle(), "[rad], or text such as '30 deg'")
      .optional("velocity", &BodyFields::velocity, vector<2>(), "of the centre of mass [m/s]")
      .optional("angular_velocity", &BodyFields::angular_velocity, number(), "[rad/s], counter-clockwise")
      .check(check_body);
  return fields;
}

}  // namespace

std::vector<report::Point> edge_of(const NamedPlanarBody& named) {
  Body body;
  body.position << named.body.position, 0.0;
  body.orientation = Eigen::AngleAxisd(named.body.angle, Eigen::Vector3d::UnitZ());
  std::vector<report::Point> points;
  for (const Eigen::Vector2d& p : silhouette(named.outline, body, 0, 1)) points.push_back({p.x(), p.y()});
  return points;
}

Type<NamedPlanarBody> planar_body() {
  const Fields<BodyFields> fields = body_fields();
  return custom<NamedPlanarBody>(
      [fields](const Value& value, const Path& path, Mistakes& mistakes, NamedPlanarBody& out) {
        if (value.kind() == Value::Kind::text) {
          if (value.text() != "immovable")
            return wrong_type("`immovable` or a body with its fields", value, path, mistakes);
          out = {"immovable", immovable_planar_body(), {}, {}};
          return true;
        }
        BodyFields b;
        if (!fields.read(value, path, mistakes, b)) return false;
        out.name = b.name.value_or("");
        out.body = {.mass = b.mass,
                    .inertia = 0.0,
                    .position = b.position,
                    .angle = b.angle,
                    .velocity = b.velocity,
                    .angular_velocity = b.angular_velocity};
        if (b.shape) {
          out.shape = shape_of(b, mistakes.folder);
          out.body.inertia = planar_inertia(*out.shape, b.mass);
          out.outline = outline(*out.shape);
        }
        if (b.inertia) out.body.inertia = *b.inertia;
        return true;
      },
      R"({"anyOf":[{"const":"immovable"},)" + fields.json_schema() + "]}");
}

Type<PlanarContact> planar_contact() {
  Fields<PlanarContact> fields;
  fields.required("point", &PlanarContact::point, vector<2>(), "where the bodies touch [m]")
      .required("normal", &PlanarContact::normal, unit_vector<2>(), "unit vector from the second body into the first");
  return object(fields);
}

Type<PlanarContactSpace> planar_space() {
  Fields<PlanarContactSpace> fields;
  fields
      .required("inverse_inertia", &PlanarContactSpace::inverse_inertia, inverse_inertia<2>(),
                "W [1/kg], axes (t, n): how the contact point answers an impulse")
      .required("velocity", &PlanarContactSpace::velocity, vector<2>(), "of A relative to B [m/s], (t, n)");
  return object(fields);
}

}  // namespace carom::scenario
