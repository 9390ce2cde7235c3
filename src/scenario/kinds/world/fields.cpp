#include "fields.hpp"

#include <algorithm>
#include <array>

#include "carom/core/error.hpp"
#include "carom/core/inertia.hpp"

#include "parts/air.hpp"
#include "parts/compliant.hpp"
#include "parts/contact.hpp"
#include "parts/impact.hpp"
#include "parts/restitution.hpp"
#include "parts/shape.hpp"
#include "parts/spatial.hpp"

namespace carom::scenario {

namespace {

/// A vector, or a number: then down along z.
Type<Eigen::Vector3d> gravity_field() {
  const auto as_vector = vector<3>();
  const auto as_number = number(Range::at_least(0.0));
  return custom<Eigen::Vector3d>(
      [as_vector, as_number](const Value& value, const Path& path, Mistakes& mistakes, Eigen::Vector3d& out) {
        if (value.kind() == Value::Kind::list) return as_vector.read(value, path, mistakes, out);
        double g = 0.0;
        if (!as_number.read(value, path, mistakes, g)) return false;
        out = -g * Eigen::Vector3d::UnitZ();
        return true;
      },
      R"({"anyOf":[)" + as_number.json_schema() + "," + as_vector.json_schema() + "]}");
}

/// By its name, or by its number from 0.
Type<std::string> reference() {
  return custom<std::string>(
      [](const Value& value, const Path& path, Mistakes& mistakes, std::string& out) {
        if (value.kind() != Value::Kind::text && value.kind() != Value::Kind::number)
          return wrong_type("a name, or a number from 0", value, path, mistakes);
        out = value.text();
        return true;
      },
      R"({"anyOf":[{"type":"string"},{"type":"number"}]})");
}

/// A convex part of a body, in a frame of the body's own.
struct PartInFile : ShapeFields {
  std::optional<double> mass;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
};

struct BodyInFile : ShapeFields {
  std::optional<std::vector<PartInFile>> parts;
  std::string name, material = "default";
  std::optional<double> mass;
  std::optional<Eigen::Vector3d> principal;
  Eigen::Vector3d position = Eigen::Vector3d::Zero(), velocity = Eigen::Vector3d::Zero(),
                  angular_velocity = Eigen::Vector3d::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  bool immovable = false;
};

void check_body_in_file(const BodyInFile& b, const Value& object, const Path& path, Mistakes& mistakes) {
  if (b.parts) {
    if (b.shape) mistakes.add(path.at("shape"), place_of(object, "shape"), "does not go together with `parts`");
    if (b.mass) mistakes.add(path.at("mass"), place_of(object, "mass"), "is the sum of those of the `parts`");
    const Path list = path.at("parts");
    for (std::size_t k = 0; k < b.parts->size() && !b.immovable; ++k) {
      const Path part = list.at(static_cast<int>(k));
      if (!(*b.parts)[k].mass) mistakes.add(part.at("mass"), place_of(object, "parts"), "is required");
    }
    return;
  }
  check_shape(b, false, object, path, mistakes);
  if (!b.immovable && !b.mass) mistakes.add(path.at("mass"), object.place(), "is required");
  for (const char* field : {"mass", "principal", "velocity", "angular_velocity"})
    if (b.immovable && object.find(field) != nullptr)
      mistakes.add(path.at(field), place_of(object, field), "is not used by a body that is immovable");
}

Type<PartInFile> part_in_file() {
  Fields<PartInFile> fields;
  fields.optional("mass", &PartInFile::mass, number(Range::positive()), "[kg]; not of what is immovable")
      .optional("shape", &PartInFile::shape, shape_name(BodyKind::spatial), "uniform convex solid");
  add_shape_sizes(fields, BodyKind::spatial);
  fields
      .optional("position", &PartInFile::position, vector<3>(),
                "of its centre of mass, in any frame that the parts share [m]")
      .optional("orientation", &PartInFile::orientation, orientation(), "its axes -> those of the body")
      .check([](const PartInFile& part, const Value& object, const Path& path, Mistakes& mistakes) {
        if (!part.shape) return mistakes.add(path.at("shape"), object.place(), "is required");
        check_shape(part, false, object, path, mistakes);
      });
  return object(fields);
}

/// A body of parts: their masses together, its centre of mass where theirs is. An immovable one stays in their frame.
void join_parts(const std::vector<PartInFile>& parts, bool immovable, const std::filesystem::path& folder,
                WorldBody& out) {
  std::vector<MassProperties> solids;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const PartInFile& part = parts[k];
    const std::string field = "parts[" + std::to_string(k) + "]";
    try {
      const Shape shape = shape_of(part, folder);
      MassProperties solid = mass_properties(shape, part.mass.value_or(1.0));
      solid.center.setZero();
      solids.push_back(placed(solid, part.position, part.orientation));
      out.parts.push_back({shape, part.position, part.orientation});
    } catch (const InvalidInput& error) {
      throw InvalidInput(field + "." + (part.file ? "file" : error.field()), error.message());
    }
  }
  out.body = immovable ? immovable_body() : Body{};
  if (immovable) return;
  const MassProperties whole = joined(solids);
  for (WorldPart& part : out.parts) part.position -= whole.center;
  out.body.mass = whole.mass;
  out.body.inertia = whole.inertia;
}

Fields<BodyInFile> body_fields_in_file() {
  Fields<BodyInFile> fields;
  fields.optional("name", &BodyInFile::name, text(), "what to call it")
      .optional("mass", &BodyInFile::mass, number(Range::positive()), "[kg]")
      .optional("shape", &BodyInFile::shape, shape_name(BodyKind::spatial),
                "uniform convex solid that gives the inertia");
  add_shape_sizes(fields, BodyKind::spatial);
  fields
      .optional("parts", &BodyInFile::parts, list_of(part_in_file(), 1, 1000),
                "in place of shape and mass: convex solids that make up a body which is not convex")
      .optional("principal", &BodyInFile::principal, nullable(vector<3>()),
                "principal moments [kg m^2] (default: of the uniform solid)")
      .required("position", &BodyInFile::position, vector<3>(),
                "centre of mass [m]; of immovable parts the origin of their frame")
      .optional("orientation", &BodyInFile::orientation, orientation(),
                "body axes -> world axes: 3 x 3 rotation, quaternion [w, x, y, z], or {axis, angle}")
      .optional("velocity", &BodyInFile::velocity, vector<3>(), "of the centre of mass [m/s]")
      .optional("angular_velocity", &BodyInFile::angular_velocity, vector<3>(), "world axes [rad/s]")
      .optional("material", &BodyInFile::material, text(), "label of its surface (default: default)")
      .optional("immovable", &BodyInFile::immovable, boolean(), "it stays where it is (default false)")
      .check(check_body_in_file);
  return fields;
}

Type<ListedBody> listed_body() {
  const Fields<BodyInFile> fields = body_fields_in_file();
  return custom<ListedBody>(
      [fields](const Value& value, const Path& path, Mistakes& mistakes, ListedBody& out) {
        BodyInFile b;
        if (!fields.read(value, path, mistakes, b)) return false;
        out.name = b.name;
        out.material = b.material;
        try {
          if (b.parts) {
            join_parts(*b.parts, b.immovable, mistakes.folder, out);
          } else {
            out.shape = shape_of(b, mistakes.folder);
            out.body = b.immovable ? immovable_body() : body_of(out.shape, *b.mass);
          }
        } catch (const InvalidInput& error) {
          const std::string field = b.file ? "file" : error.field();
          mistakes.add(path.at(field), place_of(value, field), error.message());
          return false;
        }
        if (b.principal) out.body.inertia = b.principal->asDiagonal();
        out.body.position = b.position;
        out.body.orientation = b.orientation;
        out.body.velocity = b.velocity;
        out.body.angular_velocity = b.angular_velocity;
        return true;
      },
      fields.json_schema());
}

struct ForcesInFile {
  double stiffness = 1e6, exponent = 1.5;
  GivenFriction friction;
};

Type<ForcesInFile> forces_in_file() {
  using F = ForcesInFile;
  Fields<F> fields;
  fields.required("stiffness", &F::stiffness, number(Range::positive()), "k [N/m^p]")
      .optional("exponent", &F::exponent, number(Range::positive()), "p (default 1.5)")
      .required("friction", &F::friction, bristle_friction(false),
                "its bristles; mu_s and mu_c default to `friction` of the material");
  return object(fields);
}

struct MaterialInFile : SidewaysFields {
  WorldMaterial base;
  std::optional<ForcesInFile> forces;
  std::vector<std::string> between = {"default", "default"};
  std::optional<Reading> reading;
};

void check_material_in_file(const MaterialInFile& m, const Value& object, const Path& path, Mistakes& mistakes) {
  if (sideways_count(m) > 1)
    mistakes.add(path, object.place(), "needs at most one of `stiffness_ratio`, `eta0`, `poisson` or `elasticity`");
  if (m.reading && sideways_count(m) == 0)
    mistakes.add(path.at("reading"), place_of(object, "reading"), "goes with a contact that gives sideways");
}

Fields<MaterialInFile> material_fields_in_file() {
  using M = MaterialInFile;
  Fields<M> fields;
  fields.optional("between", &M::between, list_of(text(), 2, 2), "labels of the two surfaces (default: both `default`)")
      .optional(
          "friction", [](M& m) -> double& { return m.base.friction; }, number(Range::at_least(0.0)),
          "Coulomb coefficient mu (default 0)")
      .required(
          "restitution", [](M& m) -> Restitution& { return m.base.restitution; }, restitution_law(), restitution_words)
      .optional(
          "static_friction", [](M& m) -> std::optional<double>& { return m.base.static_friction; },
          nullable(number(Range::at_least(0.0))), "for groups.model rodriguez and lcp (default: friction)");
  add_sideways(fields);
  fields.optional("reading", &M::reading, reading(), "of a contact that gives sideways: model (default) or published")
      .optional(
          "law", [](M& m) -> RestitutionLaw& { return m.base.law; }, choice<RestitutionLaw>(),
          "of two bodies alone, rigid: newton, poisson or energetic (default)")
      .optional(
          "stiffness", [](M& m) -> double& { return m.base.stiffness; }, number(Range::positive()),
          "in groups; only ratios matter (default 1)")
      .optional(
          "springs", [](M& m) -> double& { return m.base.exponent; }, choice<double>({{"linear", 1.0}, {"hertz", 1.5}}),
          "in groups: linear (default) or hertz")
      .optional("forces", &M::forces, nullable(forces_in_file()), "of contacts that last, with contact: regularized")
      .check(check_material_in_file);
  return fields;
}

Type<WorldMaterial> material_in_file() {
  const Fields<MaterialInFile> fields = material_fields_in_file();
  return custom<WorldMaterial>(
      [fields](const Value& value, const Path& path, Mistakes& mistakes, WorldMaterial& out) {
        MaterialInFile m;
        if (!fields.read(value, path, mistakes, m)) return false;
        out = m.base;
        out.first = m.between[0];
        out.second = m.between[1];
        if (m.forces) {
          out.forces = WorldForces{m.forces->stiffness, m.forces->exponent, m.forces->friction};
          BristleFriction& bristles = out.forces->friction;
          if (!m.forces->friction.given_mu_c)
            bristles.mu_c = std::min(m.base.friction, m.forces->friction.given_mu_s.value_or(m.base.friction));
          if (!m.forces->friction.given_mu_s) bristles.mu_s = std::max(m.base.friction, bristles.mu_c);
        }
        if (sideways_count(m) == 1)
          out.springs = TangentialSprings{stiffness_ratio_root(m), m.reading.value_or(Reading::model)};
        return true;
      },
      fields.json_schema());
}

/// The friction of a cloth, among the fields of a T that holds it at `friction`.
template <class T>
void add_cloth_friction(Fields<T>& fields, ClothFriction& (*friction)(T&)) {
  const auto least_0 = number(Range::at_least(0.0));
  fields
      .optional(
          "sliding", [friction](T& t) -> double& { return friction(t).sliding; }, least_0,
          "Coulomb coefficient of the sliding ball (default 0.2)")
      .optional(
          "rolling", [friction](T& t) -> std::optional<double>& { return friction(t).rolling; }, nullable(least_0),
          "deceleration of the rolling ball over gravity")
      .optional(
          "rolling_torque", [friction](T& t) -> std::optional<double>& { return friction(t).rolling_torque; },
          nullable(least_0), "the same by its torque over m g r: 5/7 of it is `rolling` of a solid ball")
      .optional(
          "spinning", [friction](T& t) -> double& { return friction(t).spinning; }, least_0,
          "of the spin on the spot (default 0)");
}

Type<ClothFriction> cloth_friction() {
  Fields<ClothFriction> fields;
  add_cloth_friction<ClothFriction>(fields, [](ClothFriction& f) -> ClothFriction& { return f; });
  return object(fields);
}

/// A cloth or a pendulum, by its `type`.
class ListedSupportFormat final : public Format {
public:
  ListedSupportFormat() {
    cloth_.ignored("type", "a cloth on a plane", R"({"const":"cloth"})")
        .required("plane", &ListedCloth::plane, reference(), "name or number of the plane it lies on")
        .optional("bodies", &ListedCloth::bodies, list_of(reference(), 0, 2000),
                  "who starts on it (default: every ball that touches the plane)");
    add_cloth_friction<ListedCloth>(cloth_, [](ListedCloth& c) -> ClothFriction& { return c.friction; });
    cloth_.optional("hold", &ListedCloth::hold, boolean(),
                    "they stay down, and the cloth has no part in their impacts (default true)");
    pendulum_.ignored("type", "a ball on a massless arm", R"({"const":"pendulum"})")
        .required("body", &ListedPendulum::body, reference(), "name or number of the ball that swings")
        .required("anchor", &ListedPendulum::anchor, vector<3>(), "where the arm is held [m]")
        .optional("axis", &ListedPendulum::axis, unit_vector<3>(), "of the swing, unit (default [0, 1, 0])")
        .optional("motion", &ListedPendulum::motion, choice<PendulumMotion>(), "exact (default) or small_angle");
  }
  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    if (value.kind() != Value::Kind::object) return wrong_type("a cloth or a pendulum", value, path, mistakes);
    const Path at = path.at("type");
    const Value* type = value.find("type");
    if (type == nullptr) return mistakes.add(at, value.place(), "is required: cloth or pendulum"), false;
    static const std::vector<std::string> names = {"cloth", "pendulum"};
    const auto which = chosen(names, *type, at, mistakes);
    if (!which) return false;
    auto& support = *static_cast<ListedSupport*>(out);
    return *which == 0 ? cloth_.read(value, path, mistakes, support.emplace<ListedCloth>())
                       : pendulum_.read(value, path, mistakes, support.emplace<ListedPendulum>());
  }
  std::string json_schema() const override {
    return R"({"anyOf":[)" + cloth_.json_schema() + "," + pendulum_.json_schema() + "]}";
  }

private:
  Fields<ListedCloth> cloth_;
  Fields<ListedPendulum> pendulum_;
};

Type<ListedGroups> groups_in_file() {
  Fields<ListedGroups> fields;
  fields.optional("model", &ListedGroups::model, choice<GroupModel>(), "simultaneous (default), rodriguez or lcp")
      .optional("examine", &ListedGroups::examine, reference(),
                "rodriguez: name of a body, plane or tube whose contact is examined (default: the first)")
      .check([](const ListedGroups& g, const Value& object, const Path& path, Mistakes& mistakes) {
        if (g.examine && g.model != GroupModel::rodriguez)
          mistakes.add(path.at("examine"), place_of(object, "examine"), "goes with model rodriguez only");
      });
  return object(fields);
}

Type<ListedPlane> plane_in_file() {
  Fields<ListedPlane> fields;
  fields.optional("name", &ListedPlane::name, text(), "what to call it")
      .required("point", &ListedPlane::point, vector<3>(), "anywhere on it [m]")
      .required("normal", &ListedPlane::normal, unit_vector<3>(), "unit, into free space")
      .optional("material", &ListedPlane::material, text(), "label of its surface (default: default)");
  return object(fields);
}

Type<ListedTube> tube_in_file() {
  Fields<ListedTube> fields;
  fields.optional("name", &ListedTube::name, text(), "what to call it")
      .required("point", &ListedTube::point, vector<3>(), "anywhere on its axis [m]")
      .required("axis", &ListedTube::axis, unit_vector<3>(), "unit")
      .required("radius", &ListedTube::radius, number(Range::positive()), "inner [m]")
      .optional("material", &ListedTube::material, text(), "label of its surface (default: default)");
  return object(fields);
}

// --- generators ---

template <class Balls>
Fields<Balls> ball_fields(const std::string& mass, const std::string& radius) {
  Fields<Balls> fields;
  fields.optional("mass", &Balls::mass, number(Range::positive()), "of one ball [kg] (default " + mass + ")")
      .optional("radius", &Balls::radius, number(Range::positive()), "[m] (default " + radius + ")")
      .optional("material", &Balls::material, text(), "label of their surface (default: default)");
  return fields;
}

Type<BreakShot> break_shot() {
  using B = BreakShot;
  Fields<B> fields = ball_fields<B>("0.17", "0.03");
  fields.required("layout", &B::layout, layout(), "nine_ball (rows 1-2-3-2-1) or triangle_15")
      .optional("speed", &B::speed, number(Range::at_least(0.0)), "of the cue ball when shot [m/s] (default 1)")
      .optional("spin", &B::spin, number(), "when shot, about y [rad/s]; positive: follow, negative: draw (default 0)")
      .optional("run_up", &B::run_up, number(Range::at_least(0.0)), "gap to the first ball [m] (default 0.3)")
      .optional("cloth", &B::cloth, cloth_friction(), "its friction (default sliding 0.2, rolling_torque 0.01)")
      .optional("hold", &B::hold, boolean(), "the balls stay on the cloth (default true)");
  return object(fields);
}

Type<SwingingCradle> swinging_cradle() {
  using C = SwingingCradle;
  Fields<C> fields = ball_fields<C>("0.0435", "0.011");
  fields.optional("count", &C::count, integer(2, 1000), "number of balls (default 5)")
      .optional("raised", &C::raised, integer(1, 999), "how many are raised (default 1)")
      .optional("length", &C::length, number(Range::positive()), "of the arms [m] (default 0.129)")
      .optional("angle", &C::angle, angle(), "of release [rad] or '25 deg' (default 25 deg)")
      .optional("motion", &C::motion, choice<PendulumMotion>(), "exact (default) or small_angle")
      .check([](const C& c, const Value& object, const Path& path, Mistakes& mistakes) {
        if (c.raised >= c.count)
          mistakes.add(path.at("raised"), place_of(object, "raised"),
                       "must be less than the number of balls (" + std::to_string(c.count) + ")");
        if (!(c.angle > 0.0 && c.angle <= M_PI / 2.0))
          mistakes.add(path.at("angle"), place_of(object, "angle"), "must be above 0 and at most 90 deg");
      });
  return object(fields);
}

Type<BallChain> ball_chain() {
  using C = BallChain;
  Fields<C> fields = ball_fields<C>("1", "0.5");
  fields.required("count", &C::count, integer(1, 2000), "number of equal balls in a row along x")
      .optional("gap", &C::gap, number(Range::at_least(0.0)), "between two [m] (default 0)")
      .optional("speed", &C::speed, number(), "of the first ball [m/s] (default 1)")
      .optional("spin", &C::spin, number(), "of the first ball about y [rad/s] (default 0)")
      .optional("from", &C::from, vector<3>(), "centre of the first ball [m] (default [0, 0, 0])");
  return object(fields);
}

Type<BallGrid> ball_grid() {
  using G = BallGrid;
  Fields<G> fields = ball_fields<G>("1", "0.5");
  fields.required("count", &G::count, list_of(integer(1, 2000), 3, 3), "number of balls along x, y and z")
      .optional("spacing", &G::spacing, number(Range::positive()), "of the centres [m] (default: they touch)")
      .optional("from", &G::from, vector<3>(), "centre of the first ball [m] (default [0, 0, 0])")
      .optional("velocity", &G::velocity, vector<3>(), "of all [m/s] (default 0)")
      .check([](const G& g, const Value& object, const Path& path, Mistakes& mistakes) {
        if (1.0 * g.count[0] * g.count[1] * g.count[2] > 2000.0)
          mistakes.add(path.at("count"), place_of(object, "count"), "must make at most 2000 balls");
      });
  return object(fields);
}

Type<RandomBalls> random_balls() {
  using R = RandomBalls;
  Fields<R> fields = ball_fields<R>("1", "0.1");
  fields.required("count", &R::count, integer(1, 2000), "number of balls")
      .optional("seed", &R::seed, integer(0, 2'000'000'000), "another one, another arrangement (default 1)")
      .optional("low", &R::low, vector<3>(), "corner of the box they are in [m] (default [0, 0, 0])")
      .optional("high", &R::high, vector<3>(), "opposite corner [m] (default [1, 1, 1])")
      .optional("radius_spread", &R::radius_spread, number(Range::between(0.0, 0.9)),
                "radii vary by this share, masses with the volume (default 0)")
      .optional("speed", &R::speed, number(Range::at_least(0.0)), "greatest, in any direction [m/s] (default 0)")
      .optional("spin", &R::spin, number(Range::at_least(0.0)), "greatest, about any axis [rad/s] (default 0)")
      .check([](const R& r, const Value& object, const Path& path, Mistakes& mistakes) {
        if (!((r.high - r.low).minCoeff() > 2.0 * r.radius * (1.0 + r.radius_spread)))
          mistakes.add(path.at("high"), place_of(object, "high"), "a ball must find room between `low` and `high`");
      });
  return object(fields);
}

}  // namespace

Fields<WorldScenario> world_scenario_fields() {
  using S = WorldScenario;
  const Type<ListedSupport> support(std::make_shared<ListedSupportFormat>());
  Fields<S> all;
  all.optional("gravity", &S::gravity, gravity_field(), "[m/s^2], a vector or along -z (default 9.81)")
      .optional("bodies", &S::bodies, list_of(listed_body(), 0, 2000), "listed one by one")
      .optional("rack", &S::rack, break_shot(), "a break shot on a cloth z = 0")
      .optional("cradle", &S::cradle, swinging_cradle(), "Newton's cradle")
      .optional("chain", &S::chain, ball_chain(), "balls in a row, the first one moving")
      .optional("grid", &S::grid, ball_grid(), "balls on a grid")
      .optional("random", &S::random, random_balls(), "balls anywhere in a box")
      .optional("planes", &S::planes, list_of(plane_in_file(), 0, 100), "immovable half spaces")
      .optional("tubes", &S::tubes, list_of(tube_in_file(), 0, 100), "endless; balls are inside")
      .optional("cushions", &S::cushions, list_of(cushion_in_file(), 0, 1000), "noses of cushions, at their height")
      .optional("pockets", &S::pockets, list_of(pocket_in_file(reference()), 0, 100),
                "holes in planes: a ball that falls is gone")
      .optional("table", &S::table, table_in_file(cloth_friction()), "a billiard table about the origin, with balls")
      .optional("shot", &S::shot, shot_in_file(), "a cue strikes a ball at time 0")
      .optional("supports", &S::supports, list_of(support, 0, 2000), "cloths and pendulums")
      .required("materials", &S::materials, list_of(material_in_file(), 1, 1000), "what two surfaces do to each other")
      .optional("air", &S::air, air_in_scene(), "acts on what flies, not on what lies on a plane (default: none)")
      .optional("groups", &S::groups, groups_in_file(), "the law for what is struck at two contacts or more")
      .required("end_time", &S::end_time, number(Range::positive()), "[s]")
      .optional("stop", &S::stop, choice<StopAt>(), "rest: also when everything rests (default time)")
      .optional("zeno_speed", &S::zeno_speed, number(Range::at_least(0.0)),
                "bounces on a plane slower than this are summed up [m/s] (default 1e-6)")
      .optional("touch_tolerance", &S::touch_tolerance, number({0.0, 0.5, true}),
                "gap that counts as touch, over the least radius (default 1e-6)")
      .optional("micro_speed", &S::micro_speed, number(Range::positive()),
                "at which bounces that have no sum go on [m/s] (default: the run ends there)")
      .optional("contact", &S::contact, choice<ContactTreatment>(),
                "of contacts that last without a rule of their own: rigid (default) or regularized, by `forces`")
      .optional("impacts", &S::impacts, choice<ContactTreatment>(),
                "with contact: regularized also of blows: rigid (default) or regularized")
      .optional(
          "v_min", &S::v_min, number(Range::positive()),
          "with contact: regularized the least touch speed to reckon with [m/s] (default: critical damping at rest)")
      .optional("max_events", &S::max_events, integer(1, 1'000'000'000), "a bound on work (default 1000000)")
      .optional("samples", &S::samples, integer(2, 10'000), "points of the trajectories (default 200)")
      .optional("compare", &S::compare, list_of(choice<WorldVariant>(), 1, 8),
                "the same scene with rigid contacts, another law of groups, other pendulums, no air, or balls that "
                "hop (hold: false), set beside")
      .check({"contact", "impacts", "v_min"},
             [](const S& s, const Value& object, const Path& path, Mistakes& mistakes) {
               if (s.contact == ContactTreatment::regularized) return;
               if (s.impacts == ContactTreatment::regularized)
                 mistakes.add(path.at("impacts"), place_of(object, "impacts"), "goes with contact: regularized");
               if (s.v_min) mistakes.add(path.at("v_min"), place_of(object, "v_min"), "goes with contact: regularized");
             })
      .check(check_world_scene);
  return all;
}

}  // namespace carom::scenario
