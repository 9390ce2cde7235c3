#include "air.hpp"

#include "carom/core/error.hpp"

namespace carom::scenario {

namespace {

struct CoefficientFields {
  std::optional<double> constant, slope, power, saturation;
  std::optional<std::vector<std::vector<double>>> table;
};

/// A number, a law of the spin ratio or a table of it.
class CoefficientFormat final : public Format {
public:
  /// @param signed_  it may be negative
  explicit CoefficientFormat(bool signed_)
      : number_(signed_ ? number() : number(Range::at_least(0.0))), signed_sizes_(signed_) {
    using C = CoefficientFields;
    fields_.optional("constant", &C::constant, number_, "C where nothing spins (0)")
        .optional("slope", &C::slope, number_, "C = constant + slope S^power / (1 + saturation S^power) (0)")
        .optional("power", &C::power, number({0.0, 2.0, true}), "of the spin ratio S = r |w x v| / v^2 (1)")
        .optional("saturation", &C::saturation, number(Range::at_least(0.0)), "how soon it levels off (0)")
        .optional("table", &C::table, list_of(list_of(number(), 2, 2), 1, 1000),
                  "pairs [S, C] instead, linear between them, constant outside");
  }

  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    AirCoefficient& coefficient = *static_cast<AirCoefficient*>(out);
    if (value.kind() == Value::Kind::number) {
      double c = 0.0;
      if (!number_.read(value, path, mistakes, c)) return false;
      coefficient = c;
      return true;
    }
    if (value.kind() != Value::Kind::object)
      return wrong_type("a number, or an object with `constant`, `slope`, ... or with `table`", value, path, mistakes);
    CoefficientFields given;
    if (!fields_.read(value, path, mistakes, given)) return false;
    const bool law = given.constant || given.slope || given.power || given.saturation;
    if (law == given.table.has_value()) {
      mistakes.add(path, value.place(), "needs either `table`, or some of `constant`, `slope`, `power`, `saturation`");
      return false;
    }
    if (law) {
      coefficient = AirLaw{given.constant.value_or(0.0), given.slope.value_or(0.0), given.power.value_or(1.0),
                           given.saturation.value_or(0.0)};
      return true;
    }
    AirTable table;
    for (const std::vector<double>& pair : *given.table) table.points.push_back({pair[0], pair[1]});
    Air air;
    (signed_sizes_ ? air.lift : air.drag) = table;
    try {
      require_valid(air);
    } catch (const InvalidInput& error) {  // "drag.table[2]"
      mistakes.add(path.at(std::string_view(error.field()).substr(5)), place_of(value, "table"), error.message());
      return false;
    }
    coefficient = std::move(table);
    return true;
  }
  std::string json_schema() const override {
    return R"({"anyOf":[)" + number_.json_schema() + "," + fields_.json_schema() + "]}";
  }

private:
  Type<double> number_;
  bool signed_sizes_;
  Fields<CoefficientFields> fields_;
};

}  // namespace

Type<Air> air_in_scene() {
  Fields<Air> fields;
  fields.optional("density", &Air::density, number(Range::positive()), "[kg/m^3] (default 1.2)")
      .optional("drag", &Air::drag, Type<AirCoefficient>(std::make_shared<CoefficientFormat>(false)),
                "coefficient of the force against the velocity, over density / 2 v^2 pi r^2 (default 0)")
      .optional("lift", &Air::lift, Type<AirCoefficient>(std::make_shared<CoefficientFormat>(true)),
                "the same of Magnus's force, along spin x velocity (default 0)")
      .optional("spin_decay", &Air::spin_decay, number(Range::at_least(0.0)),
                "share of the spin that is lost on a way of one radius (default 0)");
  return object(fields);
}

}  // namespace carom::scenario
