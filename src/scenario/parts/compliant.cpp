#include "compliant.hpp"

#include <cmath>

namespace carom::scenario {

namespace {

struct SurfaceFields {
  double friction = 0.0, restitution = 1.0;
  std::optional<double> stiffness_ratio, eta0, poisson;
  std::optional<std::vector<Elasticity>> elasticity;
};

double ratio_root_of(const SurfaceFields& s) {
  if (s.eta0) return *s.eta0;
  if (s.stiffness_ratio) return std::sqrt(*s.stiffness_ratio);
  if (s.poisson) return std::sqrt(stiffness_ratio_from_poisson(*s.poisson));
  return std::sqrt(stiffness_ratio((*s.elasticity)[0], (*s.elasticity)[1]));
}

Fields<SurfaceFields> surface_fields() {
  const auto poisson = number({.low = -1.0, .high = 0.5, .low_excluded = true});
  Fields<Elasticity> elasticity;
  elasticity.required("young", &Elasticity::young, number(Range::positive()), "Young's modulus [Pa]")
      .required("poisson", &Elasticity::poisson, poisson, "Poisson's ratio");
  Fields<SurfaceFields> fields;
  fields.required("friction", &SurfaceFields::friction, number(Range::at_least(0.0)), "Coulomb coefficient mu")
      .required("restitution", &SurfaceFields::restitution, number(Range::between(0.0, 1.0)), "energetic coefficient e")
      .optional("stiffness_ratio", &SurfaceFields::stiffness_ratio, number(Range::positive()),
                "k_n / k_t = eta0^2 of the contact")
      .optional("eta0", &SurfaceFields::eta0, number(Range::positive()), "its root instead")
      .optional("poisson", &SurfaceFields::poisson, poisson, "Poisson's ratio, which gives the stiffness ratio")
      .optional("elasticity", &SurfaceFields::elasticity, list_of(object(elasticity), 2, 2),
                "of both bodies, which gives the stiffness ratio")
      .check([](const SurfaceFields& s, const Value& object, const Path& path, Mistakes& mistakes) {
        if (s.stiffness_ratio.has_value() + s.eta0.has_value() + s.poisson.has_value() + s.elasticity.has_value() != 1)
          mistakes.add(path, object.place(),
                       "needs exactly one of `stiffness_ratio`, `eta0`, `poisson` or `elasticity`");
      });
  return fields;
}

}  // namespace

Type<CompliantSurface> compliant_surface() {
  const auto type = object(surface_fields());
  return custom<CompliantSurface>(
      [type](const Value& value, const Path& path, Mistakes& mistakes, CompliantSurface& out) {
        SurfaceFields raw;
        if (!type.read(value, path, mistakes, raw)) return false;
        out.material = {.friction = raw.friction, .restitution = raw.restitution};
        out.stiffness_ratio_root = ratio_root_of(raw);
        return true;
      },
      type.json_schema());
}

Type<Reading> reading() { return choice<Reading>(); }

}  // namespace carom::scenario
