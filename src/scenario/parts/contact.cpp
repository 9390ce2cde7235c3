#include "contact.hpp"

#include "carom/core/error.hpp"

namespace carom::scenario {

void check_coefficients(const GivenFriction& f, const Value& object, const Path& path, Mistakes& mistakes) {
  if (!f.given_mu_s || !f.given_mu_c || *f.given_mu_c <= *f.given_mu_s) return;
  mistakes.add(path.at("mu_c"), place_of(object, "mu_c"),
               "must be <= mu_s, " + number_text(*f.given_mu_s) + ", got " + number_text(*f.given_mu_c));
}

namespace {

void check_dwell_time(const GivenFriction& f, const Value& object, const Path& path, Mistakes& mistakes) {
  if (f.model == FrictionModel::dwell && !f.given_tau_dw)
    mistakes.add_missing(path.at("tau_dw"), object, "is required");
}

void check_given(const GivenFriction& f, const Value& object, const Path& path, Mistakes& mistakes) {
  if (!f.given_mu_s) mistakes.add_missing(path.at("mu_s"), object, "is required");
  if (!f.given_mu_c) mistakes.add_missing(path.at("mu_c"), object, "is required");
}

}  // namespace

Type<GivenFriction> bristle_friction(bool needs_coefficients) {
  using F = GivenFriction;
  Fields<F> fields;
  fields.optional("mu_s", &F::given_mu_s, number(Range::at_least(0.0)), "friction after long rest")
      .optional("mu_c", &F::given_mu_c, number(Range::at_least(0.0)), "sliding friction")
      .required("sigma0", &F::sigma0, number(Range::positive()), "stiffness of the bristles [N/m]")
      .required("sigma1", &F::sigma1, number(Range::positive()), "damping of the bristles [N s/m]")
      .optional("sigma2", &F::sigma2, number(Range::at_least(0.0)), "viscous friction [N s/m]")
      .required("v_s", &F::v_s, number(Range::positive()), "Stribeck speed [m/s]")
      .optional("tau_dw", &F::given_tau_dw, number(Range::positive()), "dwell time [s]; not needed for lugre")
      .optional("v_eps", &F::v_eps, number(Range::positive()), "speed below which the direction fades [m/s]; v_s/100")
      .optional("direction", &F::direction, choice<SlipDirection>(), "how it fades")
      .optional("model", &F::model, choice<FrictionModel>(), "which law")
      .check({"model"}, check_dwell_time);
  if (needs_coefficients) fields.check({"mu_s", "mu_c"}, check_coefficients).check({}, check_given);
  const Type<F> plain = object(fields);
  return custom<F>(
      [plain](const Value& value, const Path& path, Mistakes& mistakes, F& out) {
        if (!plain.read(value, path, mistakes, out)) return false;
        out.mu_s = out.given_mu_s.value_or(0.0);
        out.mu_c = out.given_mu_c.value_or(0.0);
        out.tau_dw = out.given_tau_dw.value_or(1.0);
        return true;
      },
      plain.json_schema());
}

void check_compliant_e(const Restitution& e, DampingLaw law, const Value& object, const Path& path,
                       Mistakes& mistakes) {
  try {
    require_compliant("e", e, law);
  } catch (const InvalidInput& error) {
    mistakes.add(path.at("e"), place_of(object, "e"), error.message());
  }
}

}  // namespace carom::scenario
