// Doubles as text where the standard library has no std::to_chars and std::from_chars for them: the same text, slower.
#pragma once

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <string>

namespace carom {

/// The shortest digits that read back, written as std::to_chars does: plain or with an exponent, whichever is shorter.
inline void append_portable(std::string& out, double value) {
  const double size = std::abs(value);
  std::string scientific;
  for (int decimals = 0; decimals <= 17; ++decimals) {
    scientific = fmt::format("{:.{}e}", size, decimals);
    if (std::strtod(scientific.c_str(), nullptr) == size) break;
  }
  const std::size_t mark = scientific.find('e');
  std::string digits = scientific.substr(0, mark);
  std::erase(digits, '.');
  const int exponent = std::atoi(scientific.c_str() + mark + 1);
  std::string plain;
  if (exponent < 0)
    plain = "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  else if (const auto whole = static_cast<std::size_t>(exponent + 1); digits.size() <= whole)
    plain = fmt::format("{:.0f}", size);
  else
    plain = digits.substr(0, whole) + "." + digits.substr(whole);
  if (std::signbit(value)) out += '-';
  out += plain.size() <= scientific.size() ? plain : scientific;
}

/// As std::from_chars: the end of the number, and whether it lies outside the range of a double.
inline const char* read_portable(const char* first, const char* last, double& value, bool& out_of_range) {
  // strtod needs an end, and takes more than decimal numbers: find the end first.
  const char* at = first;
  const auto digits = [&] {
    const char* from = at;
    while (at != last && *at >= '0' && *at <= '9') ++at;
    return at != from;
  };
  if (at != last && *at == '-') ++at;
  bool any = digits();
  if (at != last && *at == '.') {
    ++at;
    any = digits() || any;
  }
  if (!any) return first;
  if (at != last && (*at == 'e' || *at == 'E')) {
    const char* mark = at++;
    if (at != last && (*at == '+' || *at == '-')) ++at;
    if (!digits()) at = mark;
  }
  const std::string copy(first, at);
  errno = 0;
  value = std::strtod(copy.c_str(), nullptr);
  out_of_range = errno == ERANGE && (std::isinf(value) || value == 0.0);
  return at;
}

}  // namespace carom
