#include "carom/contact/parameters.hpp"
#include "carom/core/error.hpp"

#include "model.hpp"
#include "parts/contact.hpp"

namespace carom::scenario {

namespace {

using Problem = ContactParametersProblem;
using Answer = ContactParameters;

void check_e(const Problem& p, const Value& object, const Path& path, Mistakes& mistakes) {
  try {
    require_deliverable("e", p.e);
  } catch (const InvalidInput& error) {
    mistakes.add(path.at("e"), place_of(object, "e"), error.message());
  }
}

void check_exponent(const Problem& p, const Value& object, const Path& path, Mistakes& mistakes) {
  if (p.law == ContactLaw::linear && p.exponent.value_or(1.0) != 1.0)
    mistakes.add(path.at("exponent"), place_of(object, "exponent"),
                 "must be 1 for the law linear, got " + number_text(*p.exponent));
}

void check_speed(const Problem& p, const Value& object, const Path& path, Mistakes& mistakes) {
  if (!p.speed && p.exponent.value_or(p.law == ContactLaw::linear ? 1.0 : 1.5) != 1.0)
    mistakes.add_missing(path.at("speed"), object, "is required unless the exponent is 1: the duration depends on it");
}

Fields<Problem> problem() {
  Fields<Problem> fields = row_fields<Problem>();
  fields.required("law", &Problem::law, choice<ContactLaw>(), "of the force")
      .required("mass", &Problem::mass, number(Range::positive()), "[kg]")
      .required("e", &Problem::e, number(Range::between(0.0, 1.0)), "restitution that must come out, above 0")
      .required("duration", &Problem::duration, number(Range::positive()), "of the touch [s]")
      .optional("exponent", &Problem::exponent, number(Range::positive()), "p; 1.5, for linear 1")
      .optional("speed", &Problem::speed, number(Range::positive()), "of approach [m/s]")
      .check({"e"}, check_e)
      .check({"law", "exponent"}, check_exponent)
      .check({"law", "exponent", "speed"}, check_speed);
  return fields;
}

Type<std::array<double, 2>> solref() {
  class Pair final : public Format {
  public:
    void write(JsonWriter& json, const void* value) const override {
      number_array(json, *static_cast<const std::array<double, 2>*>(value));
    }
    std::string json_schema() const override {
      return R"({"type":"array","items":{"type":"number"},"minItems":2,"maxItems":2})";
    }
  };
  return Type<std::array<double, 2>>(std::make_shared<Pair>());
}

Fields<Answer> result() {
  const auto if_any = nullable(number());
  Fields<Answer> fields;
  fields.required("stiffness", &Answer::stiffness, number(), "k [N/m^p]")
      .required("damping", &Answer::damping, number(), "A; for linear c [N s/m]")
      .required("nominal_e", &Answer::nominal_e, if_any, "what the law must be given")
      .required("solref", &Answer::solref, nullable(solref()), "MuJoCo: time constant [s], damping ratio")
      .required("max_indentation", &Answer::max_indentation, if_any, "[m]")
      .required("peak_force", &Answer::peak_force, if_any, "[N]")
      .required("flags", &Answer::flags, flag_names<ContactParametersFlag>(), "what to know beside");
  return fields;
}

}  // namespace

RowModel contact_parameters_rows() { return row_model("contact_parameters", problem(), contact_parameters, result()); }

}  // namespace carom::scenario
