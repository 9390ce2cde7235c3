#include "planar_parts.hpp"

#include <array>

namespace carom::scenario {

namespace {

enum class Shape { rod, disc, sphere, rectangle };

struct BodyFields {
  std::optional<std::string> name;
  double mass = 0.0;
  std::optional<Shape> shape;
  std::optional<double> inertia, length, radius;
  std::optional<Eigen::Vector2d> size;
  Eigen::Vector2d position = Eigen::Vector2d::Zero(), velocity = Eigen::Vector2d::Zero();
  double angle = 0.0, angular_velocity = 0.0;
};

const char* size_field(Shape shape) {
  switch (shape) {
    case Shape::rod:
      return "length";
    case Shape::disc:
    case Shape::sphere:
      return "radius";
    case Shape::rectangle:
      return "size";
  }
  return "";
}

constexpr std::array<const char*, 4> shape_names = {"rod", "disc", "sphere", "rectangle"};

/// About the axis through the centre of mass that stands on the plane [kg m^2].
double moment_of_inertia(const BodyFields& b) {
  if (!b.shape) return *b.inertia;
  switch (*b.shape) {
    case Shape::rod:
      return b.mass * *b.length * *b.length / 12.0;
    case Shape::disc:
      return b.mass * *b.radius * *b.radius / 2.0;
    case Shape::sphere:
      return b.mass * *b.radius * *b.radius * 0.4;
    case Shape::rectangle:
      return b.mass * b.size->squaredNorm() / 12.0;
  }
  return 0.0;
}

/// A shape wants exactly its own size; without a shape the inertia must be given.
void check_shape(const BodyFields& b, const Value& object, const Path& path, Mistakes& mistakes) {
  if (b.shape.has_value() == b.inertia.has_value()) {
    mistakes.add(path, object.place(), "needs either `shape` or `inertia`");
    return;
  }
  const char* wanted = b.shape ? size_field(*b.shape) : "";
  const std::string who = b.shape ? std::string("shape '") + shape_names[static_cast<std::size_t>(*b.shape)] + "'"
                                  : "a body given by its inertia";
  const std::pair<const char*, bool> sizes[] = {
      {"length", b.length.has_value()}, {"radius", b.radius.has_value()}, {"size", b.size.has_value()}};
  for (const auto& [field, given] : sizes) {
    if (given && std::string_view(field) != wanted)
      mistakes.add(path.at(field), place_of(object, field), "is not used by " + who);
    if (!given && std::string_view(field) == wanted)
      mistakes.add(path.at(field), object.place(), "is required by " + who);
  }
  if (b.size && !((*b.size)[0] > 0.0 && (*b.size)[1] > 0.0))
    mistakes.add(path.at("size"), place_of(object, "size"), "must be two positive lengths");
}

Fields<BodyFields> body_fields() {
  Fields<BodyFields> fields;
  fields.optional("name", &BodyFields::name, text(), "what to call it")
      .required("mass", &BodyFields::mass, number(Range::positive()), "[kg]")
      .optional("shape", &BodyFields::shape,
                choice<Shape>({{shape_names[0], Shape::rod},
                               {shape_names[1], Shape::disc},
                               {shape_names[2], Shape::sphere},
                               {shape_names[3], Shape::rectangle}}),
                "uniform shape that gives the moment of inertia")
      .optional("inertia", &BodyFields::inertia, number(Range::positive()),
                "moment of inertia about the centre of mass [kg m^2], instead of a shape")
      .optional("length", &BodyFields::length, number(Range::positive()), "of a rod [m]")
      .optional("radius", &BodyFields::radius, number(Range::positive()), "of a disc or sphere [m]")
      .optional("size", &BodyFields::size, vector<2>(), "width and height of a rectangle [m]")
      .required("position", &BodyFields::position, vector<2>(), "centre of mass [m]")
      .optional("angle", &BodyFields::angle, angle(), "[rad], or text such as '30 deg'")
      .optional("velocity", &BodyFields::velocity, vector<2>(), "of the centre of mass [m/s]")
      .optional("angular_velocity", &BodyFields::angular_velocity, number(), "[rad/s], counter-clockwise")
      .check(check_shape);
  return fields;
}

}  // namespace

Type<NamedPlanarBody> planar_body() {
  const Fields<BodyFields> fields = body_fields();
  return custom<NamedPlanarBody>(
      [fields](const Value& value, const Path& path, Mistakes& mistakes, NamedPlanarBody& out) {
        if (value.kind() == Value::Kind::text) {
          if (value.text() != "immovable")
            return wrong_type("`immovable` or a body with its fields", value, path, mistakes);
          out = {"immovable", immovable_planar_body()};
          return true;
        }
        BodyFields b;
        if (!fields.read(value, path, mistakes, b)) return false;
        out.name = b.name.value_or("");
        out.body = {.mass = b.mass,
                    .inertia = moment_of_inertia(b),
                    .position = b.position,
                    .angle = b.angle,
                    .velocity = b.velocity,
                    .angular_velocity = b.angular_velocity};
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
