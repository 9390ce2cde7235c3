// Functions of the numbers that the process of a spatial impact can be run with: doubles here, doubles with their
// derivatives in dual.hpp. The same code follows both, so the derivatives are those of the very process that was
// computed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "carom/core/bits.hpp"

namespace carom::spatial {

inline double value(double x) { return x; }

/// Size of a number for "is it negligible?": the derivatives count too.
inline double size(double x) { return std::abs(x); }

inline double root(double x) { return std::sqrt(x); }

/// std::hypot where squares could leave the range of doubles, else as exact and faster.
inline double length(double x, double y) {
  constexpr double smallest = 0x1p-900, largest = 0x1p900;
  const double square = x * x + y * y;
  return square > smallest && square < largest ? std::sqrt(square) : std::hypot(x, y);
}

/// log2 to 0.01 (normal numbers) and 2^x to 1e-4 (x < 1000; zero below -1000), for lengths of steps: exponent and
/// mantissa apart.
inline double rough_log2(double x) {
  const auto bits = bit_cast<std::int64_t>(x);
  const double m = bit_cast<double>((bits & 0x000f'ffff'ffff'ffff) | 0x3ff0'0000'0000'0000);
  return static_cast<double>((bits >> 52) - 1023) + (m * (2.0 - m * (1.0 / 3.0)) - 5.0 / 3.0);
}
inline double rough_exp2(double x) {
  if (!(x > -1000.0)) return 0.0;
  constexpr double shift = 0x1.8p52;  // adding it rounds to an integer, left in the low bits
  const double t = x + shift, f = x - (t - shift);
  const double fraction = 1.0 + f * (0.69315 + f * (0.24023 + f * (0.05550 + f * 0.00962)));
  return bit_cast<double>(bit_cast<std::int64_t>(fraction) + (bit_cast<std::int64_t>(t) << 52));
}

/// The largest power of two up to a positive, normal x.
inline double power_of_two_below(double x) {
  return bit_cast<double>(bit_cast<std::int64_t>(x) & 0x7ff0'0000'0000'0000);
}

/// x^p for x >= 0 and p > 0, or x > 0.
inline double power(double x, double p) { return std::pow(x, p); }

}  // namespace carom::spatial
