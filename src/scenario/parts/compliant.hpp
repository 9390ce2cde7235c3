// What the scenarios with tangential compliance share: surfaces that give sideways.
#pragma once

#include <optional>
#include <vector>

#include "carom/core/error.hpp"
#include "carom/impact/compliant.hpp"

#include "described.hpp"
#include "restitution.hpp"

namespace carom::scenario {

/// The touching surfaces and how stiff they are sideways.
struct CompliantSurface {
  Surfaces material;
  double stiffness_ratio_root = 1.0;  ///< eta0
};

/// How a file says how stiff a contact is sideways: in one of these ways, or not at all.
struct SidewaysFields {
  std::optional<double> stiffness_ratio, eta0, poisson;
  std::optional<std::vector<Elasticity>> elasticity;
};
/// In how many ways it does.
int sideways_count(const SidewaysFields& given);
/// eta0, of fields that say it once.
double stiffness_ratio_root(const SidewaysFields& given);
Type<double> poisson_ratio();
Type<std::vector<Elasticity>> two_elasticities();

template <class Surface>
void add_sideways(Fields<Surface>& fields) {
  fields
      .optional("stiffness_ratio", &Surface::stiffness_ratio, number(Range::positive()),
                "k_n / k_t = eta0^2 of the contact")
      .optional("eta0", &Surface::eta0, number(Range::positive()), "its root instead")
      .optional("poisson", &Surface::poisson, poisson_ratio(), "Poisson's ratio, which gives the stiffness ratio")
      .optional("elasticity", &Surface::elasticity, two_elasticities(),
                "of both bodies, which gives the stiffness ratio");
}

/// friction, restitution, and one of `stiffness_ratio`, `poisson`, `elasticity`.
Type<CompliantSurface> compliant_surface();

Type<Reading> reading();

/// `unloading` goes with the reading.
template <class Problem>
void check_unloading(const Problem& problem, const Value& object, const Path& path, Mistakes& mistakes) {
  try {
    require_valid(problem.reading, problem.unloading);
  } catch (const InvalidInput& error) {
    mistakes.add(path.at(error.field()), place_of(object, error.field()), error.message());
  }
}

}  // namespace carom::scenario
