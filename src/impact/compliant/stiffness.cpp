#include "carom/core/error.hpp"
#include "carom/impact/compliant.hpp"

namespace carom {

namespace {

void require_poisson(const char* field, double poisson) {
  require_finite(field, poisson);
  if (!(poisson > -1.0 && poisson <= 0.5))
    throw InvalidInput(field, "must be in (-1, 0.5], got " + number_text(poisson));
}

}  // namespace

double stiffness_ratio_from_poisson(double poisson) {
  require_poisson("poisson", poisson);
  return (2.0 - poisson) / (2.0 * (1.0 - poisson));
}

double stiffness_ratio(const Elasticity& a, const Elasticity& b) {
  require_positive("a.young", a.young);
  require_poisson("a.poisson", a.poisson);
  require_positive("b.young", b.young);
  require_poisson("b.poisson", b.poisson);
  // With the softness of b relative to a, moduli of any size cancel.
  const double b_per_a = a.young / b.young;
  const auto tangential = [](double nu) { return 0.5 * (2.0 - nu) * (1.0 + nu); };  // E (2 - nu) / (4 G)
  const auto normal = [](double nu) { return (1.0 - nu) * (1.0 + nu); };            // E (1 - nu^2) / E
  if (b_per_a > 1.0)
    return (tangential(a.poisson) / b_per_a + tangential(b.poisson)) /
           (normal(a.poisson) / b_per_a + normal(b.poisson));
  return (tangential(a.poisson) + tangential(b.poisson) * b_per_a) / (normal(a.poisson) + normal(b.poisson) * b_per_a);
}

}  // namespace carom
