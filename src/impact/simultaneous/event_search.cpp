#include "event_search.hpp"

namespace carom::simultaneous {

namespace {

/// Where an event function that is positive at 0 and negative at 1 crosses zero, from its values and slopes there. If
/// the slopes are not known, by a line, whose ends are `weight` times the values.
double crossing(const Cubic& f, const std::array<double, 2>& weight) {
  const bool smooth = std::isfinite(f.s0) && std::isfinite(f.s1);
  if (!(f.v0 > 0.0)) return 0.0;
  if (!smooth) return weight[0] * f.v0 / (weight[0] * f.v0 - weight[1] * f.v1);
  double a = 0.0, b = 1.0;
  for (int i = 0; i < 50; ++i) {
    const double x = 0.5 * (a + b);
    (f.at(x) < 0.0 ? b : a) = x;
  }
  return b;
}

}  // namespace

double EventSearch::possible_dip(const Events& start, const Events& end, double h) {
  double dip = 1.0;
  for (std::size_t i = 0; i < start.value.size(); ++i) {
    if (!start.active[i] || !(start.value[i] > 0.0) || !(start.rate[i] < 0.0) || !(end.rate[i] > 0.0)) continue;
    const Cubic f{start.value[i], h * start.rate[i], end.value[i], h * end.rate[i]};
    for (int j = 1; j < 16; ++j)
      if (f.at(j / 16.0) < 0.0) dip = std::min(dip, j / 16.0);
  }
  return dip;
}

double EventSearch::guess(double width, const std::array<double, 2>& weight) const {
  double x = 1.0;
  for (std::size_t k = 0; k < high_.value.size(); ++k)
    if (high_.fired(k))
      x = std::min(x, crossing({low_.value[k], width * low_.rate[k], high_.value[k], width * high_.rate[k]}, weight));
  return x;
}

}  // namespace carom::simultaneous
