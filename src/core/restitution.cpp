#include "carom/core/restitution.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "carom/core/error.hpp"

namespace carom {

namespace {

double interpolated(const RestitutionTable& table, double speed) {
  const auto& points = table.points;
  if (points.empty()) return 1.0;
  const auto above = std::upper_bound(points.begin(), points.end(), speed,
                                      [](double v, const RestitutionTable::Point& p) { return v < p.speed; });
  if (above == points.begin()) return points.front().restitution;
  if (above == points.end()) return points.back().restitution;
  const RestitutionTable::Point &low = above[-1], &high = *above;
  const double share = (speed - low.speed) / (high.speed - low.speed);
  return (1.0 - share) * low.restitution + share * high.restitution;
}

void require_table(const RestitutionTable& table) {
  if (table.points.empty()) throw InvalidInput("table", "must have at least one pair [speed, e]");
  for (std::size_t i = 0; i < table.points.size(); ++i) {
    const RestitutionTable::Point& point = table.points[i];
    const std::string here = "table[" + std::to_string(i) + "]";
    const auto refuse = [&](const std::string& why) { throw InvalidInput(here, why); };
    if (!(std::isfinite(point.speed) && point.speed >= 0.0))
      refuse("its speed must be >= 0, got " + number_text(point.speed));
    if (i > 0 && !(point.speed > table.points[i - 1].speed))
      refuse("speeds must increase, got " + number_text(point.speed) + " after " +
             number_text(table.points[i - 1].speed));
    if (!(point.restitution >= 0.0 && point.restitution <= 1.0))
      refuse("its e must be in [0, 1], got " + number_text(point.restitution));
  }
}

}  // namespace

bool is_constant(const Restitution& restitution) { return std::holds_alternative<double>(restitution.law()); }

double restitution_at(const Restitution& restitution, double approach_speed) {
  const double v = std::max(approach_speed, 0.0);
  if (const auto* e = std::get_if<double>(&restitution.law())) return *e;
  if (const auto* s = std::get_if<RestitutionSlope>(&restitution.law())) return std::max(0.0, 1.0 - s->slope * v);
  if (const auto* t = std::get_if<RestitutionTable>(&restitution.law())) return interpolated(*t, v);
  const auto& p = std::get<RestitutionPower>(restitution.law());
  if (p.restitution == 0.0) return 0.0;
  return std::min(1.0, p.restitution * std::pow(v / p.speed, -p.exponent));
}

void require_valid(const Restitution& restitution) {
  if (const auto* e = std::get_if<double>(&restitution.law())) {
    require_between("", *e, 0.0, 1.0);
  } else if (const auto* s = std::get_if<RestitutionSlope>(&restitution.law())) {
    require_at_least("slope", s->slope, 0.0);
  } else if (const auto* t = std::get_if<RestitutionTable>(&restitution.law())) {
    require_table(*t);
  } else {
    const auto& p = std::get<RestitutionPower>(restitution.law());
    require_between("power[0]", p.restitution, 0.0, 1.0);
    require_positive("power[1]", p.speed);
    require_at_least("power[2]", p.exponent, 0.0);
  }
}

void require_valid(const char* field, const Restitution& restitution) {
  try {
    require_valid(restitution);
  } catch (const InvalidInput& error) {
    throw InvalidInput(field + (error.field().empty() ? "" : "." + error.field()), error.message());
  }
}

}  // namespace carom
