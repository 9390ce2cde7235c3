// How is a coordinate written in SVG?
// With a hundredth of a pixel, no needless zeros, and never as NaN, infinity or minus zero.
#pragma once

#include <charconv>
#include <cmath>
#include <string>

namespace carom::report {

inline void append_svg_number(std::string& out, double value) {
  constexpr double largest = 1e7;  // farther than any page
  if (!(std::abs(value) <= largest)) value = std::isnan(value) ? 0.0 : std::copysign(largest, value);
  const auto hundredths = static_cast<long long>(std::llround(100.0 * value));
  if (hundredths < 0) out += '-';
  const unsigned long long size = static_cast<unsigned long long>(hundredths < 0 ? -hundredths : hundredths);
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, size / 100).ptr);
  if (size % 100 != 0) {
    out += '.';
    out += static_cast<char>('0' + size % 100 / 10);
    if (size % 10 != 0) out += static_cast<char>('0' + size % 10);
  }
}

inline std::string svg_number(double value) {
  std::string out;
  append_svg_number(out, value);
  return out;
}

}  // namespace carom::report
