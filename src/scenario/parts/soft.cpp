#include "parts/soft.hpp"

#include <cmath>

namespace carom::scenario {

namespace {

/// A list of `count` numbers of which the first `indices` count things.
bool read_entry(const Value& value, const Path& path, Mistakes& mistakes, std::string_view wanted, std::size_t indices,
                std::size_t count, double* out) {
  bool good = value.kind() == Value::Kind::list && value.size() == count;
  if (good) {
    std::size_t i = 0;
    for (const Value& item : value.items()) {
      out[i] = item.number();
      good = good && item.kind() == Value::Kind::number && std::isfinite(out[i]) &&
             (i >= indices || (out[i] == std::floor(out[i]) && std::abs(out[i]) <= 2e9));
      ++i;
    }
  }
  return good || wrong_type(wanted, value, path, mistakes);
}

class SupportForces final : public schema::Format {
public:
  void write(JsonWriter& json, const void* value) const override {
    json.begin_object();
    for (const SupportForce& support : *static_cast<const std::vector<SupportForce>*>(value)) {
      json.key(std::to_string(support.vertex));
      number_array(json, support.force);
    }
    json.end_object();
  }
  std::string json_schema() const override {
    return R"({"type":"object","additionalProperties":{"type":"array","items":{"type":["number","null"]},)"
           R"("minItems":3,"maxItems":3}})";
  }
};

}  // namespace

Type<std::array<int, 4>> tetrahedron() {
  return custom<std::array<int, 4>>(
      [](const Value& value, const Path& path, Mistakes& mistakes, std::array<int, 4>& out) {
        double entries[4] = {};
        if (!read_entry(value, path, mistakes, "four vertex indices", 4, 4, entries)) return false;
        for (std::size_t i = 0; i < 4; ++i) out[i] = static_cast<int>(entries[i]);
        return true;
      },
      R"({"type":"array","items":{"type":"integer","minimum":0},"minItems":4,"maxItems":4})");
}

Type<double> soft_poisson() {
  return custom<double>(
      [](const Value& value, const Path& path, Mistakes& mistakes, double& out) {
        static const Type<double> plain = number();
        if (!plain.read(value, path, mistakes, out)) return false;
        if (out > -1.0 && out < 0.5) return true;
        mistakes.add(path, value.place(), "must be in (-1, 0.5), got " + number_text(out));
        return false;
      },
      R"({"type":"number","exclusiveMinimum":-1,"exclusiveMaximum":0.5})");
}

Type<NodalForce> nodal_force() {
  return custom<NodalForce>(
      [](const Value& value, const Path& path, Mistakes& mistakes, NodalForce& out) {
        double entries[4] = {};
        if (!read_entry(value, path, mistakes, "[vertex, fx, fy, fz]", 1, 4, entries)) return false;
        out.vertex = static_cast<int>(entries[0]);
        out.force = {entries[1], entries[2], entries[3]};
        return true;
      },
      R"({"type":"array","items":{"type":"number"},"minItems":4,"maxItems":4})");
}

Type<PrescribedDisplacement> prescribed_displacement() {
  return custom<PrescribedDisplacement>(
      [](const Value& value, const Path& path, Mistakes& mistakes, PrescribedDisplacement& out) {
        double entries[3] = {};
        if (!read_entry(value, path, mistakes, "[vertex, axis, value]", 2, 3, entries)) return false;
        out = {static_cast<int>(entries[0]), static_cast<int>(entries[1]), entries[2]};
        return true;
      },
      R"({"type":"array","items":{"type":"number"},"minItems":3,"maxItems":3})");
}

Type<std::vector<SupportForce>> support_forces() {
  return Type<std::vector<SupportForce>>(std::make_shared<SupportForces>());
}

Type<std::optional<double>> rest_shape_damping() {
  return custom<std::optional<double>>(
      [](const Value& value, const Path& path, Mistakes& mistakes, std::optional<double>& out) {
        static const Type<double> plain = number({0.0, 1.0, true});
        if (value.kind() == Value::Kind::text) {
          out.reset();
          return value.text() == "auto" || wrong_type("a number in (0, 1] or auto", value, path, mistakes);
        }
        return plain.read(value, path, mistakes, out.emplace());
      },
      R"({"anyOf":[{"type":"number","exclusiveMinimum":0,"maximum":1},{"const":"auto"}]})");
}

}  // namespace carom::scenario
