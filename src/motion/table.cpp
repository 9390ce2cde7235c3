#include "carom/motion/table.hpp"

#include <cmath>

#include "carom/core/error.hpp"

namespace carom {

namespace {

void require_valid(const TableRun& run, double radius, const Cloth& cloth) {
  require_finite("speed", run.speed);
  require_finite("spin", run.spin);
  require_positive("radius", radius);
  require_at_least("sliding_friction", cloth.sliding_friction, 0.0);
  require_at_least("rolling_friction", cloth.rolling_friction, 0.0);
  require_positive("gravity", cloth.gravity);
}

/// Of its lowest point over the cloth.
double slip(const TableRun& run, double radius) { return run.speed - radius * run.spin; }

}  // namespace

double sliding_time(const TableRun& start, double radius, const Cloth& cloth) {
  require_valid(start, radius, cloth);
  const double u = slip(start, radius), mu_g = cloth.sliding_friction * cloth.gravity;
  if (u == 0.0) return 0.0;
  return mu_g > 0.0 ? 2.0 * std::abs(u) / (7.0 * mu_g) : INFINITY;
}

std::optional<TableRun> after_way(const TableRun& start, double radius, const Cloth& cloth, double way) {
  const double sliding = sliding_time(start, radius, cloth);
  require_at_least("way", way, 0.0);
  const double u = slip(start, radius);
  if (u != 0.0 && way == 0.0) return TableRun{start.speed, start.spin, false};
  if (u != 0.0) {
    const double slows = std::copysign(cloth.sliding_friction * cloth.gravity, u);  // v = v0 - slows t
    // First time at which s = v0 t - slows t^2/2 is `way`.
    const double root = start.speed * start.speed - 2.0 * slows * way;
    const double time = root < 0.0 ? INFINITY : 2.0 * way / (start.speed + std::sqrt(root));
    if (time <= sliding) return TableRun{start.speed - slows * time, start.spin + 2.5 * slows * time / radius, false};
    if (root < 0.0 && start.speed / slows < sliding) return std::nullopt;  // turns back
    way -= sliding * (start.speed - 0.5 * slows * sliding);
  }
  const double rolling = start.speed - 2.0 / 7.0 * u;
  const double square = rolling * rolling - 2.0 * cloth.rolling_friction * cloth.gravity * way;
  if (rolling <= 0.0 || square <= 0.0) return std::nullopt;
  return TableRun{std::sqrt(square), std::sqrt(square) / radius, true};
}

}  // namespace carom
