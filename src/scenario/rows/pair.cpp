#include "pair.hpp"

#include <algorithm>
#include <cmath>

#include "carom/core/error.hpp"

#include "parts/spatial.hpp"

namespace carom::scenario {

namespace {

struct BodyRow {
  double mass = 0.0;
  std::optional<Eigen::Matrix3d> inertia;
  std::optional<Eigen::Vector3d> principal;
  std::optional<Eigen::Quaterniond> orientation;
  Eigen::Vector3d position = Eigen::Vector3d::Zero(), velocity = Eigen::Vector3d::Zero(),
                  angular_velocity = Eigen::Vector3d::Zero();
};

Body body_of(const BodyRow& row) {
  Body body;
  body.mass = row.mass;
  body.inertia = row.inertia ? *row.inertia : Eigen::Matrix3d(row.principal->asDiagonal());
  body.orientation = row.orientation.value_or(Eigen::Quaterniond::Identity());
  body.position = row.position;
  body.velocity = row.velocity;
  body.angular_velocity = row.angular_velocity;
  return body;
}

/// `inertia`, or `principal` perhaps with `orientation`.
void check_given(const BodyRow& row, const Value& object, const Path& path, Mistakes& mistakes) {
  const auto refuse = [&](const char* field, const std::string& message) {
    mistakes.add(path.at(field), place_of(object, field), message);
  };
  if (row.inertia && row.principal) {  // the second of them is at fault
    if (place_of(object, "principal") > place_of(object, "inertia"))
      refuse("principal", "goes instead of `inertia`, not with it");
    else
      refuse("inertia", "goes instead of `principal`, not with it");
  } else if (!row.inertia && !row.principal) {
    mistakes.add_missing(path.at("inertia"), object, "is required (or `principal`)");
  } else if (row.orientation && !row.principal) {
    refuse("orientation", "goes with `principal`, not with `inertia`");
  }
}

void check_inertia(const BodyRow& row, const Value& object, const Path& path, Mistakes& mistakes);

const Fields<BodyRow>& body_fields() {
  static const Fields<BodyRow> all = [] {
    Fields<BodyRow> fields;
    fields.required("mass", &BodyRow::mass, number(Range::positive()), "[kg]")
        .optional("inertia", &BodyRow::inertia, matrix<3>(), "about the centre of mass, world axes [kg m^2]")
        .optional("principal", &BodyRow::principal, vector<3>(), "principal moments [kg m^2]")
        .called({"inertia"})
        .optional("orientation", &BodyRow::orientation, rotation(), "body axes -> world axes")
        .required("position", &BodyRow::position, vector<3>(), "centre of mass [m]")
        .optional("velocity", &BodyRow::velocity, vector<3>(), "of the centre of mass [m/s]")
        .optional("angular_velocity", &BodyRow::angular_velocity, vector<3>(), "[rad/s]")
        .check({}, check_given)
        .late_check({"inertia", "principal"}, check_inertia);
    return fields;
  }();
  return all;
}

void check_inertia(const BodyRow& row, const Value& object, const Path& path, Mistakes& mistakes) {
  if (row.inertia.has_value() == row.principal.has_value()) return;
  BodyRow only;  // whatever is wrong with the rest
  only.mass = 1.0;
  only.inertia = row.inertia;
  only.principal = row.principal;
  look_for(*body_fields().format(), object, path, mistakes, [&] { require_valid(body_of(only)); });
}

/// `"immovable"`, or what body_fields() say.
class RowBody final : public Format {
public:
  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    Body& body = *static_cast<Body*>(out);
    if (value.kind() == Value::Kind::text && value.text() == "immovable") {
      body = immovable_body();
      return true;
    }
    if (value.kind() != Value::Kind::object) return wrong_type("a body or \"immovable\"", value, path, mistakes);
    BodyRow row;
    if (!body_fields().read(value, path, mistakes, row)) return false;
    body = body_of(row);
    return true;
  }
  std::string json_schema() const override {
    return R"({"anyOf":[{"const":"immovable"},)" + body_fields().json_schema() + "]}";
  }
  const Format* member(std::string_view name, const Value* object, std::string_view& called) const override {
    return body_fields().format()->member(name, object, called);
  }
};

class RowBodyAfter final : public Format {
public:
  RowBodyAfter() {
    Fields<Body> fields;
    fields.required("velocity", &Body::velocity, vector<3>(), "of the centre of mass [m/s]")
        .required("angular_velocity", &Body::angular_velocity, vector<3>(), "[rad/s]");
    free_ = fields.format();
  }
  void write(JsonWriter& json, const void* value) const override {
    static_cast<const Body*>(value)->immovable ? json.null() : free_->write(json, value);
  }
  std::string json_schema() const override { return R"({"anyOf":[{"type":"null"},)" + free_->json_schema() + "]}"; }

private:
  std::shared_ptr<const ObjectFormat> free_;
};

}  // namespace

Type<Body> row_body() { return Type<Body>(std::make_shared<RowBody>()); }
Type<Body> row_body_after() { return Type<Body>(std::make_shared<RowBodyAfter>()); }

void check_pair(const PairRow& row, const Value& object, const Path& path, Mistakes& mistakes) {
  // Of the fields that are given, the first one that does not go with those before it is at fault.
  const bool by_space = row.w || row.v, by_bodies = row.bodies || row.contact;
  if (by_space && by_bodies) {
    bool seen_space = false, seen_bodies = false;
    for (const auto [key, value] : object.members()) {
      if (value.is_null()) continue;
      seen_space |= key == "W" || key == "v";
      seen_bodies |= key == "bodies" || key == "contact";
      if (seen_space && seen_bodies)
        return mistakes.add(path.at(key), value.place(),
                            "give either `W` and `v`, or `bodies` and `contact`, not both");
    }
  }
  const auto require = [&](bool given, const char* field, const char* message) {
    if (!given) mistakes.add_missing(path.at(field), object, message);
  };
  if (!by_space && !by_bodies) return require(false, "W", "is required with `v` (or `bodies` with `contact`)");
  if (by_space) {
    require(row.w.has_value(), "W", "is required");
    require(row.v.has_value(), "v", "is required");
    return;
  }
  require(row.bodies.has_value(), "bodies", "is required");
  require(row.contact.has_value(), "contact", "is required");
}

void check_bodies(const PairRow& row, const Value& object, const Path& path, Mistakes& mistakes) {
  if (row.bodies && (*row.bodies)[0].immovable && (*row.bodies)[1].immovable)
    mistakes.add(path.at("bodies"), place_of(object, "bodies"), "both are immovable: one must be free to move");
}

void check_space(const PairRow& row, const Value& object, const Path& path, Mistakes& mistakes) {
  if (!row.bodies || !row.contact) return;
  static const auto format = [] {
    Fields<PairRow> fields;
    add_pair_fields(fields);
    return fields.format();
  }();
  look_for(*format, object, path, mistakes, [&] { contact_space((*row.bodies)[0], (*row.bodies)[1], *row.contact); });
}

}  // namespace carom::scenario
