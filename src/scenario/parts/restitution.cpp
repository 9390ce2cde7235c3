#include "restitution.hpp"

#include <algorithm>

#include "carom/core/error.hpp"

namespace carom::scenario {

namespace {

const std::vector<std::string> laws = {"slope", "table", "power"};

/// A list of exactly `size` numbers, whose range its caller checks. What is wrong is named by its place in the list, or
/// by the list.
bool read_numbers(const Value& value, std::size_t size, const char* what, bool each_named, const Path& path,
                  Mistakes& mistakes, double* out) {
  static const Type<double> any = number();
  if (value.kind() != Value::Kind::list || value.size() != size) return wrong_type(what, value, path, mistakes);
  int i = 0;
  bool fine = true;
  for (const Value& item : value.items()) {
    const Path inside = path.at(i);
    fine = any.read(item, each_named ? inside : path, mistakes, out[i]) && fine;
    ++i;
  }
  return fine;
}

class RestitutionFormat final : public Format {
public:
  explicit RestitutionFormat(double least) : number_(number(Range::between(least, 1.0))) {}

  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    Restitution& restitution = *static_cast<Restitution*>(out);
    if (value.kind() == Value::Kind::number) {
      double e = 0.0;
      if (!number_.read(value, path, mistakes, e)) return false;
      restitution = e;
      return true;
    }
    if (value.kind() != Value::Kind::object)
      return wrong_type("a number, or an object with one of `slope`, `table` and `power`", value, path, mistakes);
    const Value* law = nullptr;
    std::string_view name;
    for (const auto& member : value.members()) {
      const Path here = path.at(member.key);
      if (std::find(laws.begin(), laws.end(), member.key) == laws.end()) {
        mistakes.add(here, member.value.place(), "unknown key" + suggestion(member.key, laws));
        return false;
      }
      if (member.value.is_null()) continue;
      if (law != nullptr) {
        mistakes.add(here, member.value.place(), "goes instead of `" + std::string(name) + "`, not with it");
        return false;
      }
      law = &member.value;
      name = member.key;
    }
    if (law == nullptr) {
      mistakes.add(path, value.place(), "needs one of `slope`, `table` and `power`");
      return false;
    }
    const Path here = path.at(name);
    if (!read_law(name, *law, here, mistakes, restitution)) return false;
    try {
      require_valid(restitution);
    } catch (const InvalidInput& error) {
      add_library_error(*this, value, path, error, mistakes);
      return false;
    }
    return true;
  }

  void write(JsonWriter& json, const void* value) const override {
    const Restitution& restitution = *static_cast<const Restitution*>(value);
    if (const auto* e = std::get_if<double>(&restitution.law())) return json.number(*e);
    json.begin_object();
    if (const auto* s = std::get_if<RestitutionSlope>(&restitution.law())) {
      json.key("slope"), json.number(s->slope);
    } else if (const auto* t = std::get_if<RestitutionTable>(&restitution.law())) {
      json.key("table"), json.begin_array();
      for (const RestitutionTable::Point& point : t->points) {
        json.begin_array();
        json.number(point.speed), json.number(point.restitution);
        json.end_array();
      }
      json.end_array();
    } else {
      const auto& p = std::get<RestitutionPower>(restitution.law());
      json.key("power"), json.begin_array();
      json.number(p.restitution), json.number(p.speed), json.number(p.exponent);
      json.end_array();
    }
    json.end_object();
  }

  std::string json_schema() const override {
    const std::string e = R"({"type":"number","minimum":0,"maximum":1})";
    const std::string at_least_0 = R"({"type":"number","minimum":0})";
    const auto law = [](const char* name, const std::string& schema) {
      return std::string(R"({"type":"object","properties":{")") + name + "\":" + schema + R"(},"required":[")" + name +
             R"("],"additionalProperties":false})";
    };
    return R"({"anyOf":[)" + number_.json_schema() + "," + law("slope", at_least_0) + "," +
           law("table", R"({"type":"array","minItems":1,"items":{"type":"array","prefixItems":[)" + at_least_0 + "," +
                            e + R"(],"minItems":2,"maxItems":2}})") +
           "," +
           law("power", R"({"type":"array","prefixItems":[)" + e + R"(,{"type":"number","exclusiveMinimum":0},)" +
                            at_least_0 + R"(],"minItems":3,"maxItems":3})") +
           "]}";
  }

private:
  static bool read_law(std::string_view name, const Value& law, const Path& path, Mistakes& mistakes,
                       Restitution& out) {
    if (name == "slope") {
      static const Type<double> any = number();
      RestitutionSlope slope;
      if (!any.read(law, path, mistakes, slope.slope)) return false;
      out = slope;
      return true;
    }
    if (name == "power") {
      double p[3];
      if (!read_numbers(law, 3, "three numbers [e0, v0, q]", true, path, mistakes, p)) return false;
      out = RestitutionPower{p[0], p[1], p[2]};
      return true;
    }
    if (law.kind() != Value::Kind::list) return wrong_type("a list of pairs [speed, e]", law, path, mistakes);
    RestitutionTable table;
    int i = 0;
    bool fine = true;
    for (const Value& item : law.items()) {
      const Path here = path.at(i++);
      double pair[2];
      fine = read_numbers(item, 2, "a pair [speed, e]", false, here, mistakes, pair) && fine;
      if (fine) table.points.push_back({pair[0], pair[1]});
    }
    if (fine) out = std::move(table);
    return fine;
  }

  Type<double> number_;
};

}  // namespace

Type<Restitution> restitution_law(double least) {
  return Type<Restitution>(std::make_shared<RestitutionFormat>(least));
}

}  // namespace carom::scenario
