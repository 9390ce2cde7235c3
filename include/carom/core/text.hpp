// How is a number written so that it reads back the same, and read as it was meant?
// Shortest round-trip text and the nearest double, the same on every platform.
#pragma once

#include <string>
#include <string_view>

#pragma GCC visibility push(default)

namespace carom {

/// The shortest decimal text that reads back as the same double ("inf", "-inf", "nan" when not finite).
std::string number_text(double value);

/// The same, appended.
void append_number(std::string& out, double value);

/// The decimal number that `text` starts with, such as -1.5e3 (no sign but a minus, no "inf"): how many characters it
/// has, 0 if there is none. `number` is then the nearest double: infinite when it is too large for one, zero when it
/// is too small.
std::size_t leading_number(std::string_view text, double& number);

/// Whether all of `text` is a decimal number; `number` as above.
bool parse_number(std::string_view text, double& number);

}  // namespace carom

#pragma GCC visibility pop
