#include "screen.hpp"

#include <cstdlib>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

std::size_t screen_width() {
  constexpr std::size_t in_a_pipe = 100, most = 10'000;
  if (const char* columns = std::getenv("COLUMNS")) {
    char* end = nullptr;
    const unsigned long width = std::strtoul(columns, &end, 10);
    if (end != columns && *end == '\0' && width > 0 && width <= most) return width;
  }
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return in_a_pipe;
}

bool takes_color(int descriptor) {
  const char* refused = std::getenv("NO_COLOR");
  if (refused != nullptr && *refused != '\0') return false;
  const char* terminal = std::getenv("TERM");
  return isatty(descriptor) != 0 && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

void warn(std::string_view text) {
  std::cerr << (takes_color(STDERR_FILENO) ? "\x1b[1;33mwarning:\x1b[0m " : "warning: ") << text << "\n";
}
