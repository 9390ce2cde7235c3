#include "compliant.hpp"

#include <cmath>

namespace carom::scenario {

namespace {

struct SurfaceFields : SidewaysFields {
  double friction = 0.0;
  Restitution restitution;
};

Fields<SurfaceFields> surface_fields() {
  Fields<SurfaceFields> fields;
  fields.required("friction", &SurfaceFields::friction, number(Range::at_least(0.0)), "Coulomb coefficient mu")
      .required("restitution", &SurfaceFields::restitution, restitution_law(), restitution_words);
  add_sideways(fields);
  fields.check([](const SurfaceFields& s, const Value& object, const Path& path, Mistakes& mistakes) {
    if (sideways_count(s) != 1)
      mistakes.add(path, object.place(), "needs exactly one of `stiffness_ratio`, `eta0`, `poisson` or `elasticity`");
  });
  return fields;
}

}  // namespace

int sideways_count(const SidewaysFields& s) {
  return s.stiffness_ratio.has_value() + s.eta0.has_value() + s.poisson.has_value() + s.elasticity.has_value();
}

double stiffness_ratio_root(const SidewaysFields& s) {
  if (s.eta0) return *s.eta0;
  if (s.stiffness_ratio) return std::sqrt(*s.stiffness_ratio);
  if (s.poisson) return std::sqrt(stiffness_ratio_from_poisson(*s.poisson));
  return std::sqrt(stiffness_ratio((*s.elasticity)[0], (*s.elasticity)[1]));
}

Type<double> poisson_ratio() { return number({.low = -1.0, .high = 0.5, .low_excluded = true}); }

Type<std::vector<Elasticity>> two_elasticities() {
  Fields<Elasticity> fields;
  fields.required("young", &Elasticity::young, number(Range::positive()), "Young's modulus [Pa]")
      .required("poisson", &Elasticity::poisson, poisson_ratio(), "Poisson's ratio");
  return list_of(object(fields), 2, 2);
}

Type<CompliantSurface> compliant_surface() {
  const auto type = object(surface_fields());
  return custom<CompliantSurface>(
      [type](const Value& value, const Path& path, Mistakes& mistakes, CompliantSurface& out) {
        SurfaceFields raw;
        if (!type.read(value, path, mistakes, raw)) return false;
        out.material = {raw.friction, raw.restitution};
        out.stiffness_ratio_root = stiffness_ratio_root(raw);
        return true;
      },
      type.json_schema());
}

Type<Reading> reading() { return choice<Reading>(); }

}  // namespace carom::scenario
