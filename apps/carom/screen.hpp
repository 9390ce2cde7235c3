// What the terminal before a person is like: how wide, and whether colours are welcome.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Columns of the output: COLUMNS, else those of the terminal, else (a pipe, a file) 100.
std::size_t screen_width();

/// Whether to write colours to a file descriptor: to a terminal that knows them, unless NO_COLOR is set (no-color.org).
bool takes_color(int descriptor);

/// "warning: " and the text on standard error.
void warn(std::string_view text);
