#include <algorithm>
#include <limits>

#include "world.hpp"

namespace carom::scenario {

namespace {

/// By name. Rows have no forces over time, and so not the names that go with them.
template <class Enum>
class NameInRows final : public Format {
public:
  explicit NameInRows(std::initializer_list<Enum> without) {
    for (const Named<Enum>& each : names_of<Enum>)
      if (std::find(without.begin(), without.end(), each.value) == without.end()) names_.push_back(each.name);
  }
  void write(JsonWriter& json, const void* value) const override {
    json.text(std::string(name(*static_cast<const Enum*>(value))));
  }
  std::string json_schema() const override { return choice_schema(names_); }

private:
  std::vector<std::string> names_;
};
Type<WorldBodyState> state_name() {
  return Type<WorldBodyState>(std::make_shared<NameInRows<WorldBodyState>>(
      std::initializer_list<WorldBodyState>{WorldBodyState::pressed, WorldBodyState::pocketed}));
}
Type<WorldEventType> event_name() {
  return Type<WorldEventType>(std::make_shared<NameInRows<WorldEventType>>(
      std::initializer_list<WorldEventType>{WorldEventType::presses, WorldEventType::lifts, WorldEventType::pocketed}));
}

/// [w, x, y, z], the first that is not zero above zero: of the two quaternions of a rotation, one.
class OrientationFormat final : public Format {
public:
  void write(JsonWriter& json, const void* value) const override {
    const auto& q = *static_cast<const Eigen::Quaterniond*>(value);
    const double parts[] = {q.w(), q.x(), q.y(), q.z()};
    double sign = 1.0;
    for (const double part : parts)
      if (part != 0.0) {
        sign = part < 0.0 ? -1.0 : 1.0;
        break;
      }
    json.begin_array();
    for (const double part : parts) json.number(part == 0.0 ? 0.0 : sign * part);
    json.end_array();
  }
  std::string json_schema() const override {
    return R"({"type":"array","items":{"type":"number"},"minItems":4,"maxItems":4})";
  }
};

Type<WorldBodyAt> body_at() {
  using B = WorldBodyAt;
  const Type<Eigen::Quaterniond> orientation(std::make_shared<OrientationFormat>());
  Fields<B> fields;
  fields
      .required(
          "position", [](B& b) -> Eigen::Vector3d& { return b.body.position; }, vector<3>(), "centre of mass [m]")
      .required(
          "velocity", [](B& b) -> Eigen::Vector3d& { return b.body.velocity; }, vector<3>(), "[m/s]")
      .required(
          "angular_velocity", [](B& b) -> Eigen::Vector3d& { return b.body.angular_velocity; }, vector<3>(), "[rad/s]")
      .required(
          "orientation", [](B& b) -> Eigen::Quaterniond& { return b.body.orientation; }, orientation,
          "body axes -> world axes, [w, x, y, z]")
      .required("state", &B::state, state_name(), "what it does");
  return object(fields);
}

/// [i, j], or [i, "plane:k"], [i, "tube:k"].
class WhoTouches final : public Format {
public:
  void write(JsonWriter& json, const void* value) const override {
    const auto& contact = *static_cast<const WorldContact*>(value);
    json.begin_array();
    json.number(static_cast<double>(contact.first));
    if (contact.second.kind == PartnerKind::body)
      json.number(static_cast<double>(contact.second.index));
    else
      json.text((contact.second.kind == PartnerKind::plane ? "plane:" : "tube:") +
                std::to_string(contact.second.index));
    json.end_array();
  }
  std::string json_schema() const override {
    return R"({"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"string"}]},"minItems":2,"maxItems":2})";
  }
};

Type<WorldContact> contact() {
  using C = WorldContact;
  const Type<WorldContact> who(std::make_shared<WhoTouches>());
  Fields<C> fields;
  fields
      .required(
          "bodies", [](C& c) -> C& { return c; }, who, "i and j, or a plane or tube")
      .required("point", &C::point, vector<3>(), "[m]")
      .required("normal", &C::normal, vector<3>(), "unit, into body i")
      .required("impulse", &C::impulse, vector<3>(), "on body i [N s]");
  return object(fields);
}

/// An event has the members of its type.
class EventFormat final : public Format {
public:
  EventFormat() {
    Fields<WorldEvent> plain, impact, settles;
    for (Fields<WorldEvent>* fields : {&plain, &impact, &settles})
      fields->required("time", &WorldEvent::time, number(), "[s]")
          .required("type", &WorldEvent::type, event_name(), "what happens")
          .required("bodies", &WorldEvent::bodies, list_of(index()), "movable ones, rising");
    impact.required("model", &WorldEvent::model, choice<WorldImpactModel>(), "which answered")
        .required("contacts", &WorldEvent::contacts, list_of(contact()), "all that touched")
        .required("restitution_loss", &WorldEvent::restitution_loss, number(), "[J]")
        .required("friction_loss", &WorldEvent::friction_loss, number(), "[J]");
    settles.required("impulse", &WorldEvent::impulse, vector<3>(), "of all the bounces together [N s]")
        .required("state", &WorldEvent::state, state_name(), "what comes after");
    plain_ = plain.format();
    impact_ = impact.format();
    settles_ = settles.format();
  }
  void write(JsonWriter& json, const void* value) const override {
    const WorldEventType type = static_cast<const WorldEvent*>(value)->type;
    (type == WorldEventType::impact    ? impact_
     : type == WorldEventType::settles ? settles_
                                       : plain_)
        ->write(json, value);
  }
  std::string json_schema() const override {
    return R"({"anyOf":[)" + plain_->json_schema() + "," + impact_->json_schema() + "," + settles_->json_schema() +
           "]}";
  }

private:
  std::shared_ptr<const ObjectFormat> plain_, impact_, settles_;
};

/// Those of the impacts and those of the scene, in one list.
class AllFlags final : public Format {
public:
  void write(JsonWriter& json, const void* value) const override {
    const auto& run = *static_cast<const WorldRun*>(value);
    json.begin_array();
    for (const Named<Flag>& flag : names_of<Flag>)
      if (run.impact_flags.has(flag.value)) json.text(flag.name);
    for (const Named<WorldFlag>& flag : names_of<WorldFlag>)
      if (run.flags.has(flag.value)) json.text(flag.name);
    json.end_array();
  }
  std::string json_schema() const override {
    std::vector<std::string> names;
    for (const Named<Flag>& flag : names_of<Flag>) names.push_back(flag.name);
    for (const Named<WorldFlag>& flag : names_of<WorldFlag>)
      if (flag.value != WorldFlag::regularized) names.push_back(flag.name);
    return R"({"type":"array","items":)" + choice_schema(names) + "}";
  }
};

Type<WorldEnergy> energy() {
  using E = WorldEnergy;
  Fields<E> fields;
  fields.required("start", &E::start, number(), "kinetic and potential [J]")
      .required("end", &E::end, number(), "kinetic and potential [J]")
      .required("potential_end", &E::potential_end, number(), "-m g.x [J]")
      .required("restitution_loss", &E::restitution_loss, number(), "of impacts [J]")
      .required("friction_loss", &E::friction_loss, number(), "of impacts [J]")
      .required("support_loss", &E::support_loss, number(), "on planes and cloths [J]")
      .optional("air_loss", &E::air_loss, number(), "with `air`: work of the air [J]")
      .required("residual", &E::residual, number(), "what is not accounted for [J]");
  return object(fields);
}

}  // namespace

Fields<WorldRun> world_result_fields() {
  using Run = WorldRun;
  const Type<WorldEvent> event(std::make_shared<EventFormat>());
  const Type<WorldRun> flags(std::make_shared<AllFlags>());
  Fields<WorldSample> sample;
  sample.required("t", &WorldSample::time, number(), "[s]")
      .required("bodies", &WorldSample::bodies, list_of(body_at()), "just after what happens then");
  Fields<Run> fields;
  fields.required("verdict", &Run::verdict, choice<WorldVerdict>(), "why it ended")
      .required("time", &Run::time, number(), "when it ended [s]")
      .required("events", &Run::events, list_of(event), "in order of time")
      .required("samples", &Run::samples, list_of(object(sample)), "at the sample times")
      .required("final", &Run::final, list_of(body_at()), "the bodies at the end")
      .required("energy", &Run::energy, energy(), "where it went")
      .required("momentum_residual", &Run::momentum_residual, nullable(number()), "null with pendulums [N s]")
      .required(
          "flags", [](Run& run) -> Run& { return run; }, flags, "what to know beside");
  return fields;
}

}  // namespace carom::scenario
