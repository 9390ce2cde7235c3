// How does restitution depend on how fast the bodies meet?
// A coefficient of restitution is a number, or a law of the normal approach speed: falling in proportion (Goldsmith;
// Gonthier et al. 2004, eq. 12), measured pairs, or a power. An impact model takes a number: what the law says at the
// speed with which its impact begins.
#pragma once

#include <utility>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

namespace carom {

/// e = max(0, 1 - slope v). For steel, bronze or ivory the slope is .08 to .32 s/m (Goldsmith 1960).
struct RestitutionSlope {
  double slope = 0.0;  ///< [s/m], >= 0
};

/// e measured at some speeds: linear between them, constant outside.
struct RestitutionTable {
  struct Point {
    double speed = 0.0;        ///< of approach [m/s], >= 0, increasing
    double restitution = 1.0;  ///< e [-], in [0, 1]
  };
  std::vector<Point> points;  ///< at least one
};

/// e = min(1, restitution (v / speed)^-exponent); 1 at v = 0 where the exponent is positive.
struct RestitutionPower {
  double restitution = 1.0;  ///< e0 [-], in [0, 1]
  double speed = 1.0;        ///< v0 [m/s], > 0
  double exponent = 0.0;     ///< q [-], >= 0
};

/// The coefficient of restitution of a contact: a number in [0, 1], or a law of the approach speed.
struct Restitution : std::variant<double, RestitutionSlope, RestitutionTable, RestitutionPower> {
  using Law = std::variant<double, RestitutionSlope, RestitutionTable, RestitutionPower>;
  Restitution() : Law(1.0) {}
  Restitution(double e) : Law(e) {}  // NOLINT(google-explicit-constructor): a number is a restitution
  Restitution(RestitutionSlope law) : Law(law) {}
  Restitution(RestitutionTable law) : Law(std::move(law)) {}
  Restitution(RestitutionPower law) : Law(law) {}
  const Law& law() const { return *this; }
};

/// Whether it is the same at every speed: given as a number.
bool is_constant(const Restitution& restitution);

/// What it is at an approach speed.
/// @param approach_speed  normal, where the impact begins [m/s]; below zero (the bodies part) it counts as zero
/// @return                e in [0, 1] for a restitution that is valid
double restitution_at(const Restitution& restitution, double approach_speed);

/// @throws InvalidInput naming `` (the number itself), `slope`, `table`, `table[2]`, `power[0]`, `power[1]` or
/// `power[2]` when it is out of range or not finite
void require_valid(const Restitution& restitution);

/// The same, the name of the field before that of what is wrong: `e`, `e.slope`, `e.table[2]`, `e.power[0]`.
void require_valid(const char* field, const Restitution& restitution);

}  // namespace carom

#pragma GCC visibility pop
