#include "carom/core/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <version>

#ifndef __cpp_lib_to_chars  // libc++ knows integers only
#include "portable_numbers.hpp"
#endif

namespace carom {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

#ifdef __cpp_lib_to_chars

void append_finite(std::string& out, double value) {
  char buffer[32];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

/// As std::from_chars: the end of the number, and whether it lies outside the range of a double.
const char* read_double(const char* first, const char* last, double& value, bool& out_of_range) {
  const auto [end, error] = std::from_chars(first, last, value);
  out_of_range = error == std::errc::result_out_of_range;
  return error == std::errc::invalid_argument ? first : end;
}

#else

void append_finite(std::string& out, double value) { append_portable(out, value); }

const char* read_double(const char* first, const char* last, double& value, bool& out_of_range) {
  return read_portable(first, last, value, out_of_range);
}

#endif

/// Of a decimal number that no double is near to: whether it is too large (else it is too small). Its leading digit
/// stands for 10^magnitude.
bool too_large(std::string_view text) {
  constexpr long far = 1'000'000'000;  // more digits than any text has
  long magnitude = -1, exponent = 0;
  bool leading = true, fraction = false;
  std::size_t i = 0;
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.') fraction = true;
    if (!is_digit(text[i])) continue;
    leading &= text[i] == '0';
    if (fraction && leading) --magnitude;
    if (!fraction && !leading) ++magnitude;
  }
  const bool negative = i + 1 < text.size() && text[i + 1] == '-';
  for (; i < text.size(); ++i)
    if (is_digit(text[i])) exponent = std::min(far, 10 * exponent + (text[i] - '0'));
  return magnitude + (negative ? -exponent : exponent) >= 0;
}

}  // namespace

std::string number_text(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

void append_number(std::string& out, double value) {
  if (std::isnan(value))
    out += "nan";  // the sign bit, which on x86 is set in 0/0, says nothing
  else if (std::isinf(value))
    out += value < 0.0 ? "-inf" : "inf";
  else
    append_finite(out, value);
}

std::size_t leading_number(std::string_view text, double& number) {
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.empty() || !(is_digit(digits[0]) || digits[0] == '.')) return 0;  // "inf", "nan"
  bool out_of_range = false;
  const char* end = read_double(text.data(), text.data() + text.size(), number, out_of_range);
  const auto size = static_cast<std::size_t>(end - text.data());
  if (out_of_range)
    number = std::copysign(too_large(text.substr(0, size)) ? std::numeric_limits<double>::infinity() : 0.0,
                           text.starts_with('-') ? -1.0 : 1.0);
  return size;
}

bool parse_number(std::string_view text, double& number) {
  return !text.empty() && leading_number(text, number) == text.size();
}

}  // namespace carom
