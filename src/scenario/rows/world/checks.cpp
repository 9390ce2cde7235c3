#include <string>

#include "carom/core/error.hpp"

#include "world.hpp"

namespace carom::scenario {

namespace {

/// The parts of a row that can be read.
struct Parts {
  WorldProblem scene;   ///< of each list the items before the first that is bad
  bool bodies, others;  ///< whether these lists are whole: `others` are all but the bodies
};

template <class T>
bool read_list(const Value& object, const char* field, const Type<T>& type, std::vector<T>& out) {
  const Value* list = object.find(field);
  if (list == nullptr || list->is_null()) return true;
  out = good_part(list, type);
  return list->kind() == Value::Kind::list && out.size() == list->size();
}

template <class T>
void read_one(const Value& object, const char* field, const Type<T>& type, T& out) {
  const Value* value = object.find(field);
  Mistakes scratch(Mistakes::Of::row);
  if (T read = out; value != nullptr && type.read(*value, {}, scratch, read)) out = read;
}

Parts readable_parts(const Value& object) {
  Parts parts{};
  WorldProblem& scene = parts.scene;
  read_one(object, "gravity", vector<3>(), scene.gravity);
  read_one(object, "touch_tolerance", number({0.0, 0.5, true}), scene.touch_tolerance);
  parts.bodies = read_list(object, "bodies", world_row_body(), scene.bodies);
  parts.others = read_list(object, "planes", world_row_plane(), scene.planes);
  parts.others &= read_list(object, "tubes", world_row_tube(), scene.tubes);
  parts.others &= read_list(object, "materials", world_row_material(), scene.materials);
  read_list(object, "supports", world_row_support(), scene.supports);
  return parts;
}

/// What the library says to a scene; "" if nothing.
InvalidInput objection(const WorldProblem& scene) {
  try {
    World{scene};
  } catch (const InvalidInput& error) {
    return error;
  }
  return InvalidInput("", "");
}

/// Length of a list of the row, also where some of its items are bad.
std::size_t count_of(const Value& object, const char* field) {
  const Value* list = object.find(field);
  return list != nullptr && list->kind() == Value::Kind::list ? list->size() : 0;
}

class Search {
public:
  Search(const Value& object, const Path& path, Mistakes& mistakes)
      : object_(object), path_(path), mistakes_(mistakes), parts_(readable_parts(object)) {}

  void overlaps() const {
    WorldProblem scene;
    scene.gravity.setZero();
    scene.touch_tolerance = parts_.scene.touch_tolerance;
    scene.planes = parts_.scene.planes;
    scene.tubes = parts_.scene.tubes;
    scene.materials = {WorldMaterial{}};
    for (WorldPlane& plane : scene.planes) plane.material = "default";
    for (WorldTube& tube : scene.tubes) tube.material = "default";
    const auto first = [&](std::size_t count) {
      scene.bodies.assign(parts_.scene.bodies.begin(),
                          parts_.scene.bodies.begin() + static_cast<std::ptrdiff_t>(count));
      for (WorldBody& body : scene.bodies) body.material = "default";
      return objection(scene);
    };
    // The least number of bodies that overlap: its last one is the first that does.
    std::size_t low = 0, high = parts_.scene.bodies.size();
    if (high == 0 || first(high).field().empty()) return;
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      (first(middle).field().empty() ? low : high) = middle;
    }
    add(first(high));
  }

  /// Numbers of things that are not in the row, of each support and of the law of groups.
  void references() const {
    const std::size_t bodies = count_of(object_, "bodies"), planes = count_of(object_, "planes");
    const Value* list = object_.find("supports");
    std::size_t k = 0;
    if (list != nullptr && list->kind() == Value::Kind::list)
      for (const Value& item : list->items()) {
        const std::string name = "supports[" + std::to_string(k++) + "]";
        require_below(item.find("plane"), planes, name + ".plane", "there is no such plane");
        require_below(item.find("body"), bodies, name + ".body", "there is no such body");
        const Value* who = item.find("bodies");
        if (who == nullptr || who->kind() != Value::Kind::list) continue;
        std::size_t j = 0;
        for (const Value& one : who->items())
          require_below(&one, bodies, name + ".bodies[" + std::to_string(j++) + "]", "there is no such body");
      }
    const Value* groups = object_.find("groups");
    const Value* examine = groups != nullptr ? groups->find("examine") : nullptr;
    Mistakes scratch(Mistakes::Of::row);
    Partner partner;
    if (examine == nullptr || examine->is_null() || !world_row_partner().read(*examine, {}, scratch, partner)) return;
    const char* const kinds[] = {"body", "plane", "tube"};
    const std::size_t counts[] = {bodies, planes, count_of(object_, "tubes")};
    const auto kind = static_cast<std::size_t>(partner.kind);
    if (partner.index >= counts[kind])
      add(InvalidInput("groups.examine",
                       "there is no " + std::string(kinds[kind]) + " " + std::to_string(partner.index)));
  }

  /// One after another, as long as those before are good; leaves the good ones.
  void supports() {
    if (parts_.scene.bodies.empty()) return;
    WorldProblem scene = parts_.scene;
    scene.supports.clear();
    std::size_t k = 0;
    for (const WorldSupport& support : parts_.scene.supports) {
      scene.supports.push_back(support);
      const InvalidInput error = objection(scene);
      const std::string last = "supports[" + std::to_string(scene.supports.size() - 1) + "]";
      const bool its_own = error.field().starts_with(last), ball = error.field().ends_with("velocity");
      // What is missing was looked for in the whole lists (references()); these may end early.
      if (its_own && !error.message().starts_with("there is no such"))
        add(InvalidInput("supports[" + std::to_string(k) + "]" + error.field().substr(last.size()), error.message()));
      else if (ball)
        add(error);
      if (its_own || ball) scene.supports.pop_back();
      ++k;
    }
    parts_.scene.supports = std::move(scene.supports);
  }

  /// After the supports: what is held needs no material with its cloth, what swings has no friction.
  void materials() const {
    if (!parts_.bodies || !parts_.others || parts_.scene.bodies.empty()) return;
    if (const InvalidInput error = objection(parts_.scene); error.field().starts_with("materials")) add(error);
  }

private:
  void require_below(const Value* value, std::size_t count, const std::string& field, const char* message) const {
    Mistakes scratch(Mistakes::Of::row);
    std::size_t number = 0;
    if (value != nullptr && index().read(*value, {}, scratch, number) && number >= count)
      add(InvalidInput(field, message));
  }
  void add(const InvalidInput& error) const {
    add_library_error(*world_problem_fields().format(), object_, path_, error, mistakes_);
  }

  const Value& object_;
  const Path& path_;
  Mistakes& mistakes_;
  Parts parts_;
};

}  // namespace

void find_world_mistakes(const WorldRow&, const Value& object, const Path& path, Mistakes& mistakes) {
  const Value* bodies = object.find("bodies");
  if (bodies == nullptr || bodies->kind() != Value::Kind::list) return;
  Search search(object, path, mistakes);
  search.references();
  search.overlaps();
  search.supports();
  search.materials();
}

}  // namespace carom::scenario
