#include "world/world.hpp"

#include <limits>

#include "carom/core/error.hpp"

#include "parts/air.hpp"
#include "parts/impact.hpp"
#include "parts/restitution.hpp"
#include "parts/spatial.hpp"

namespace carom::scenario {

enum class RowShape { sphere, box, capsule, cylinder, mesh };
enum class PairModel { spatial, compliant };

}  // namespace carom::scenario

template <>
inline constexpr auto carom::names_of<carom::scenario::RowShape> =
    std::to_array<carom::Named<carom::scenario::RowShape>>({
        {carom::scenario::RowShape::sphere, "sphere"},
        {carom::scenario::RowShape::box, "box"},
        {carom::scenario::RowShape::capsule, "capsule"},
        {carom::scenario::RowShape::cylinder, "cylinder"},
        {carom::scenario::RowShape::mesh, "mesh"},
    });
template <>
inline constexpr auto carom::names_of<carom::scenario::PairModel> =
    std::to_array<carom::Named<carom::scenario::PairModel>>({
        {carom::scenario::PairModel::spatial, "spatial"},
        {carom::scenario::PairModel::compliant, "compliant"},
    });

namespace carom::scenario {

namespace {

constexpr std::size_t most_bodies = 100'000;

/// A thing whose fields in a row are not its members: read as a From, then made.
template <class From, class To>
class Made final : public Format {
public:
  Made(const Fields<From>& fields, To (*make)(const From&)) : fields_(fields.format()), make_(make) {}
  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    From from;
    if (!fields_->read(value, path, mistakes, &from)) return false;
    *static_cast<To*>(out) = make_(from);
    return true;
  }
  std::string json_schema() const override { return fields_->json_schema(); }
  const Format* member(std::string_view name, const Value* object, std::string_view& called) const override {
    return fields_->member(name, object, called);
  }

private:
  std::shared_ptr<const ObjectFormat> fields_;
  To (*make_)(const From&);
};

// --- bodies ---

struct ShapeRow {
  RowShape type = RowShape::sphere;
  std::optional<double> radius, length;
  std::optional<Eigen::Vector3d> size;
  std::optional<std::vector<Eigen::Vector3d>> vertices;
  std::optional<std::vector<std::vector<int>>> faces;
};

Shape shape_of(const ShapeRow& row) {
  switch (row.type) {
    case RowShape::sphere:
      return Sphere{*row.radius};
    case RowShape::box:
      return Box{*row.size};
    case RowShape::capsule:
      return Capsule{*row.radius, *row.length};
    case RowShape::cylinder:
      return Cylinder{*row.radius, *row.length};
    case RowShape::mesh:
      break;
  }
  return Polyhedron{*row.vertices, *row.faces};
}

/// A shape has its own sizes and no others.
void check_sizes(const ShapeRow& row, const Value& object, const Path& path, Mistakes& mistakes) {
  const bool round = row.type != RowShape::box && row.type != RowShape::mesh;
  const bool is_long = row.type == RowShape::capsule || row.type == RowShape::cylinder;
  const struct {
    const char* field;
    bool given, wanted;
  } sizes[] = {{"radius", row.radius.has_value(), round},
               {"length", row.length.has_value(), is_long},
               {"size", row.size.has_value(), row.type == RowShape::box},
               {"vertices", row.vertices.has_value(), row.type == RowShape::mesh},
               {"faces", row.faces.has_value(), row.type == RowShape::mesh}};
  for (const auto& [field, given, wanted] : sizes) {
    if (given && !wanted)
      mistakes.add(path.at(field), place_of(object, field), std::string("is not used by a ") + name(row.type));
    if (!given && wanted)
      mistakes.add_missing(path.at(field), object, std::string("is required by a ") + name(row.type));
  }
}

const Fields<ShapeRow>& shape_fields() {
  static const Fields<ShapeRow> all = [] {
    Fields<ShapeRow> fields;
    fields.required("type", &ShapeRow::type, choice<RowShape>(), "what it is")
        .optional("radius", &ShapeRow::radius, number(Range::positive()), "of a sphere, capsule or cylinder [m]")
        .optional("length", &ShapeRow::length, number(Range::positive()),
                  "of a cylinder, or the straight part of a capsule, along z [m]")
        .optional("size", &ShapeRow::size, vector<3>(), "edges of a box [m]")
        .optional("vertices", &ShapeRow::vertices, list_of(vector<3>(), 4), "of a convex mesh, body axes, from the centre of mass [m]")
        .optional("faces", &ShapeRow::faces, list_of(list_of(integer(0, static_cast<int>(most_bodies)), 3), 4),
                  "of a mesh: vertex numbers from 0, counter-clockwise seen from outside")
        .check({"type"}, check_sizes);
    return fields;
  }();
  return all;
}

struct BodyRow {
  ShapeRow shape;
  std::optional<double> mass;
  std::optional<Eigen::Vector3d> principal, velocity, angular_velocity;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  std::string material = "default";
  bool immovable = false;
};

/// A body that cannot move has no mass and no velocity; one that can has a mass.
void check_movable(const BodyRow& row, const Value& object, const Path& path, Mistakes& mistakes) {
  if (!row.immovable) {
    if (!row.mass) mistakes.add_missing(path.at("mass"), object, "is required");
    if (row.shape.type == RowShape::mesh && !row.principal)
      mistakes.add_missing(path.at("principal"), object, "is required by a mesh");
    return;
  }
  for (const char* field : {"mass", "principal", "velocity", "angular_velocity"})
    if (const Value* value = object.find(field); value != nullptr && !value->is_null())
      mistakes.add(path.at(field), value->place(), "is not used by a body that is immovable");
}

void check_solid(const BodyRow& row, const Value& object, const Path& path, Mistakes& mistakes) {
  const Value* shape = object.find("shape");
  const Path inside = path.at("shape");
  if (shape != nullptr)  // it has its sizes, or `shape` would be bad
    look_for(*shape_fields().format(), *shape, inside, mistakes, [&] { require_valid(shape_of(row.shape)); });
}

WorldBody body_of(const BodyRow& row) {
  WorldBody made{shape_of(row.shape), immovable_body(), row.material};
  Body& body = made.body;
  if (!row.immovable) {
    body.immovable = false;
    body.mass = *row.mass;
    body.inertia =
        row.principal ? Eigen::Matrix3d(row.principal->asDiagonal()) : mass_properties(made.shape, *row.mass).inertia;
    body.velocity = row.velocity.value_or(Eigen::Vector3d::Zero());
    body.angular_velocity = row.angular_velocity.value_or(Eigen::Vector3d::Zero());
  }
  body.position = row.position;
  body.orientation = row.orientation;
  if (row.shape.type == RowShape::mesh) made.centre = Eigen::Vector3d::Zero();
  return made;
}

void check_kind_of_shape(const BodyRow& row, const Value& object, const Path& path, Mistakes& mistakes);
void check_principal(const BodyRow& row, const Value& object, const Path& path, Mistakes& mistakes);

const Fields<BodyRow>& body_fields() {
  static const Fields<BodyRow> all = [] {
    Fields<BodyRow> fields;
    fields.required("shape", &BodyRow::shape, object(shape_fields()), "what it looks like")
        .optional("mass", &BodyRow::mass, number(Range::positive()), "[kg]")
        .optional("principal", &BodyRow::principal, vector<3>(), "principal moments [kg m^2]; absent: a uniform solid")
        .called({"inertia"})
        .required("position", &BodyRow::position, vector<3>(), "centre of mass [m]")
        .optional("orientation", &BodyRow::orientation, rotation(), "body axes -> world axes")
        .optional("velocity", &BodyRow::velocity, vector<3>(), "of the centre of mass [m/s]")
        .optional("angular_velocity", &BodyRow::angular_velocity, vector<3>(), "[rad/s]")
        .optional("material", &BodyRow::material, text(), "label of its surface")
        .optional("immovable", &BodyRow::immovable, boolean(), "it stays where it is")
        .check({"immovable", "shape"}, check_movable)
        .check({"shape"}, check_solid)
        .late_check({"shape"}, check_kind_of_shape)
        .late_check({"principal"}, check_principal);
    return fields;
  }();
  return all;
}

/// What a scene has against one body, said of the row's body at `path`.
void object_to(const BodyRow& body, const Value& object, const Path& path, Mistakes& mistakes) {
  WorldProblem scene;
  try {
    scene.bodies = {body_of(body)};
    World{scene};
  } catch (const InvalidInput& error) {
    const std::string_view prefix = "bodies[0].";
    if (!error.field().starts_with(prefix)) return;
    add_library_error(*body_fields().format(), object, path,
                      InvalidInput(error.field().substr(prefix.size()), error.message()), mistakes);
  }
}

/// Whether such a shape moves, whatever is wrong with the rest of the body.
void check_kind_of_shape(const BodyRow& row, const Value& object, const Path& path, Mistakes& mistakes) {
  BodyRow only;
  only.shape = row.shape;
  only.immovable = true;
  object_to(only, object, path, mistakes);
}

/// Principal moments by themselves, and those of a ball, whatever is wrong with its size and mass.
void check_principal(const BodyRow& row, const Value& object, const Path& path, Mistakes& mistakes) {
  const Value* shape = object.find("shape");
  const Value* type = shape != nullptr ? shape->find("type") : nullptr;
  if (!row.principal || type == nullptr || type->text() != name(RowShape::sphere)) return;
  BodyRow only;
  only.shape.radius = 1.0;
  only.mass = 1.0;
  only.principal = row.principal;
  object_to(only, object, path, mistakes);
}

// --- surfaces ---

struct MaterialRow : WorldMaterial {
  std::vector<std::string> between;
  std::optional<double> eta0;
  std::optional<PairModel> model;
};

/// The model follows from `eta0`; one that is given must agree. Static friction is not less than dynamic friction.
void check_material(const MaterialRow& row, const Value& object, const Path& path, Mistakes& mistakes) {
  if (row.model == PairModel::spatial && row.eta0)
    mistakes.add(path.at("eta0"), place_of(object, "eta0"), "goes with model compliant, not with spatial");
  if (row.model == PairModel::compliant && !row.eta0)
    mistakes.add_missing(path.at("eta0"), object, "is required by model compliant");
}
void check_static_friction(const MaterialRow& row, const Value& object, const Path& path, Mistakes& mistakes) {
  if (row.static_friction && *row.static_friction < row.friction)
    mistakes.add(path.at("mu_s"), place_of(object, "mu_s"),
                 "must be >= mu (" + number_text(row.friction) + "), got " + number_text(*row.static_friction));
}

WorldMaterial material_of(const MaterialRow& row) {
  WorldMaterial made = row;
  made.first = row.between[0];
  made.second = row.between[1];
  if (row.eta0) made.springs = TangentialSprings{*row.eta0};
  return made;
}

Fields<MaterialRow> material_fields() {
  using M = MaterialRow;
  Fields<M> fields;
  fields.required("between", &M::between, list_of(text(), 2, 2), "labels of the two surfaces")
      .required("e", &M::restitution, restitution_law(), "coefficient of restitution, or a law of the approach speed")
      .called({"restitution"})
      .optional("mu", &M::friction, number(Range::at_least(0.0)), "friction coefficient (0)")
      .called({"friction"})
      .optional("mu_s", &M::static_friction, number(Range::at_least(0.0)),
                "static friction of the rigid laws of groups, at least mu (mu)")
      .called({"static_friction"})
      .optional("eta0", &M::eta0, number(Range::positive()), "tangential springs; absent: rigid")
      .called({"stiffness_ratio_root"})
      .optional("model", &M::model, choice<PairModel>(), "of a pair: compliant if and only if eta0 is given")
      .optional("law", &M::law, choice<RestitutionLaw>(), "of rigid pairs (energetic)")
      .optional("stiffness", &M::stiffness, number(Range::positive()), "in groups, relative to the others (1)")
      .optional("exponent", &M::exponent, spring_exponent(), "in groups: 1 (linear) or 1.5 (Hertz) (1)")
      .check({"model", "eta0"}, check_material)
      .check({"mu", "mu_s"}, check_static_friction);
  return fields;
}

// --- supports ---

class SupportFormat final : public Format {
public:
  SupportFormat() {
    const auto friction = number(Range::at_least(0.0));
    Fields<WorldCloth> cloth;
    cloth.ignored("type", "a cloth on a plane", R"({"const":"cloth"})")
        .required("plane", &WorldCloth::plane, index(), "the plane it lies on")
        .required("bodies", &WorldCloth::bodies, list_of(index(), 0, most_bodies), "who starts on it")
        .required(
            "mu_slide", [](WorldCloth& c) -> double& { return c.friction.sliding; }, friction, "of the sliding ball")
        .called({"sliding"})
        .optional(
            "mu_roll", [](WorldCloth& c) -> double& { return c.friction.rolling; }, friction,
            "deceleration of the rolling ball over the pressing gravity (0)")
        .called({"rolling"})
        .optional(
            "mu_spin", [](WorldCloth& c) -> double& { return c.friction.spinning; }, friction,
            "of spin on the spot (0)")
        .called({"spinning"})
        .optional("hold", &WorldCloth::hold, boolean(), "the listed stay down (true)");
    Fields<WorldPendulum> pendulum;
    pendulum.ignored("type", "a ball on a massless arm", R"({"const":"pendulum"})")
        .required("body", &WorldPendulum::body, index(), "which swings")
        .required("anchor", &WorldPendulum::anchor, vector<3>(), "where the arm is held [m]")
        .required("axis", &WorldPendulum::axis, unit_vector<3>(), "of the swing, unit")
        .optional("motion", &WorldPendulum::motion, choice<PendulumMotion>(), "exact or small_angle (exact)");
    cloth_ = cloth.format();
    pendulum_ = pendulum.format();
  }
  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    if (value.kind() != Value::Kind::object) return wrong_type("an object", value, path, mistakes);
    const Value* type = value.find("type");
    const Path at = path.at("type");
    if (type == nullptr) return mistakes.add_missing(at, value, "is required"), false;
    static const std::vector<std::string> names = {"cloth", "pendulum"};
    const auto which = chosen(names, *type, at, mistakes);
    if (!which) return false;
    WorldSupport& support = *static_cast<WorldSupport*>(out);
    return *which == 0 ? cloth_->read(value, path, mistakes, &support.emplace<WorldCloth>())
                       : pendulum_->read(value, path, mistakes, &support.emplace<WorldPendulum>());
  }
  std::string json_schema() const override {
    return R"({"anyOf":[)" + cloth_->json_schema() + "," + pendulum_->json_schema() + "]}";
  }
  const Format* member(std::string_view name, const Value* object, std::string_view& called) const override {
    const Value* type = object != nullptr ? object->find("type") : nullptr;
    const bool pendulum = type != nullptr && type->text() == "pendulum";
    return (pendulum ? pendulum_ : cloth_)->member(name, object, called);
  }

private:
  std::shared_ptr<const ObjectFormat> cloth_, pendulum_;
};

}  // namespace

Type<Partner> world_row_partner() {
  const auto number_of_body = index();
  return custom<Partner>(
      [number_of_body](const Value& value, const Path& path, Mistakes& mistakes, Partner& out) {
        if (value.kind() == Value::Kind::number) {
          out.kind = PartnerKind::body;
          return number_of_body.read(value, path, mistakes, out.index);
        }
        const std::string_view text = value.kind() == Value::Kind::text ? value.text() : std::string_view();
        const std::size_t colon = text.find(':');
        const std::string_view kind = text.substr(0, colon),
                               digits = colon < text.size() ? text.substr(colon + 1) : std::string_view();
        if ((kind != "plane" && kind != "tube") || digits.empty() || digits.size() > 9 ||
            digits.find_first_not_of("0123456789") != std::string_view::npos)
          return wrong_type("the number of a body, \"plane:k\" or \"tube:k\"", value, path, mistakes);
        out.kind = kind == "plane" ? PartnerKind::plane : PartnerKind::tube;
        out.index = 0;
        for (const char c : digits) out.index = 10 * out.index + static_cast<std::size_t>(c - '0');
        return true;
      },
      R"({"anyOf":[{"type":"integer","minimum":0},{"type":"string","pattern":"^(plane|tube):[0-9]+$"}]})");
}

namespace {

Type<GroupLaw> group_law() {
  Fields<GroupLaw> fields;
  fields.optional("model", &GroupLaw::model, choice<GroupModel>(), "simultaneous (default), rodriguez or lcp")
      .optional("examine", &GroupLaw::examine, world_row_partner(),
                "rodriguez: the first contact that involves this; default the first contact")
      .check({"model", "examine"}, [](const GroupLaw& law, const Value& object, const Path& path, Mistakes& mistakes) {
        if (law.examine && law.model != GroupModel::rodriguez)
          mistakes.add(path.at("examine"), place_of(object, "examine"), "goes with model rodriguez only");
      });
  return object(fields);
}

Type<std::size_t> event_count() {
  const auto plain = integer(1, std::numeric_limits<int>::max());
  return custom<std::size_t>(
      [plain](const Value& value, const Path& path, Mistakes& mistakes, std::size_t& out) {
        int count = 0;
        if (!plain.read(value, path, mistakes, count)) return false;
        out = static_cast<std::size_t>(count);
        return true;
      },
      plain.json_schema());
}

}  // namespace

Type<WorldPlane> world_row_plane() {
  Fields<WorldPlane> fields;
  fields.required("point", &WorldPlane::point, vector<3>(), "anywhere on it [m]")
      .required("normal", &WorldPlane::normal, unit_vector<3>(), "unit, into free space")
      .optional("material", &WorldPlane::material, text(), "label of its surface");
  return object(fields);
}

Type<WorldTube> world_row_tube() {
  Fields<WorldTube> fields;
  fields.required("point", &WorldTube::point, vector<3>(), "anywhere on its axis [m]")
      .required("axis", &WorldTube::axis, unit_vector<3>(), "unit")
      .required("radius", &WorldTube::radius, number(Range::positive()), "inner [m]")
      .optional("material", &WorldTube::material, text(), "label of its surface");
  return object(fields);
}

namespace {

/// Where in the list a sample time stands.
void refuse_sample(std::size_t wanted, const std::string& message, const Value& object, const Path& path,
                   Mistakes& mistakes) {
  const Path list = path.at("sample_times");
  std::size_t i = 0;
  for (const Value& time : object.find("sample_times")->items())
    if (i++ == wanted) mistakes.add(list.at(static_cast<int>(wanted)), time.place(), message + ", got " + shown(time));
}
void check_increasing(const WorldRow& row, const Value& object, const Path& path, Mistakes& mistakes) {
  const std::vector<double>& times = row.sample_times;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (i == 0 ? !(times[i] >= 0.0) : !(times[i] > times[i - 1]))
      return refuse_sample(i, i == 0 ? "must be >= 0" : "must increase", object, path, mistakes);
}
void check_last_sample(const WorldRow& row, const Value& object, const Path& path, Mistakes& mistakes) {
  for (std::size_t i = 0; i < row.sample_times.size(); ++i)
    if (row.sample_times[i] > row.end_time)
      return refuse_sample(i, "must be at most end_time (" + number_text(row.end_time) + ")", object, path, mistakes);
}

WorldRun solve_world(const WorldRow& row) { return run_world(row, row.sample_times); }

}  // namespace

Type<WorldBody> world_row_body() {
  return Type<WorldBody>(std::make_shared<Made<BodyRow, WorldBody>>(body_fields(), body_of));
}

Type<WorldMaterial> world_row_material() {
  return Type<WorldMaterial>(std::make_shared<Made<MaterialRow, WorldMaterial>>(material_fields(), material_of));
}

Type<WorldSupport> world_row_support() { return Type<WorldSupport>(std::make_shared<SupportFormat>()); }

const Fields<WorldRow>& world_problem_fields() {
  using Row = WorldRow;
  static const Fields<Row> all = [] {
    Fields<Row> fields = row_fields<Row>();
    fields.required("gravity", &Row::gravity, vector<3>(), "world axes [m/s^2]")
        .required("bodies", &Row::bodies, list_of(world_row_body(), 1, most_bodies), "all bodies")
        .optional("planes", &Row::planes, list_of(world_row_plane(), 0, most_bodies), "immovable half spaces")
        .optional("tubes", &Row::tubes, list_of(world_row_tube(), 0, most_bodies), "endless; spheres are inside")
        .required("materials", &Row::materials, list_of(world_row_material(), 0, most_bodies),
                  "what surfaces do to each other")
        .optional("supports", &Row::supports, list_of(world_row_support(), 0, most_bodies), "cloths and pendulums")
        .optional("air", &Row::air, air_in_scene(), "acts on what flies (none)")
        .optional("groups", &Row::groups, group_law(), "the law for two or more contacts at once")
        .required("end_time", &Row::end_time, number(Range::positive()), "[s]")
        .optional("sample_times", &Row::sample_times, list_of(number(), 0, 1'000'000), "when to look [s], increasing")
        .optional("stop", &Row::stop, choice<StopAt>(), "rest: also when everything rests (time)")
        .optional("zeno_speed", &Row::zeno_speed, number(Range::at_least(0.0)),
                  "bounces slower than this are summed up [m/s] (1e-6)")
        .optional("touch_tolerance", &Row::touch_tolerance, number({0.0, 0.5, true}),
                  "gap that counts as touch, over the least radius (1e-6)")
        .optional("micro_speed", &Row::micro_speed, number(Range::positive()),
                  "at which bounces without a sum go on [m/s] (none: the run ends there)")
        .optional("max_events", &Row::max_events, event_count(), "a bound on work (1000000)")
        .check({"sample_times"}, check_increasing)
        .check({"sample_times", "end_time"}, check_last_sample)
        .late_check({}, find_world_mistakes);
    return fields;
  }();
  return all;
}

RowModel world_rows() { return row_model("world", world_problem_fields(), solve_world, world_result_fields()); }

}  // namespace carom::scenario
