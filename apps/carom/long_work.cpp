#include "long_work.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>
#include <unistd.h>

namespace {

std::atomic<bool> stop_asked{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler may touch it

extern "C" void ask_to_stop(int) {
  stop_asked = true;
  std::signal(SIGINT, SIG_DFL);
}

/// Short work needs no bar [s].
constexpr double patience = 0.5;
constexpr int bar_width = 40;

}  // namespace

LongWork::LongWork() { std::signal(SIGINT, ask_to_stop); }

LongWork::~LongWork() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
  std::signal(SIGINT, SIG_DFL);
}

carom::Progress LongWork::progress() {
  carom::Progress progress;
  progress.cancelled = [] { return stop_asked.load(); };
  if (isatty(STDERR_FILENO) == 0) return progress;
  progress.show = [this, start = std::chrono::steady_clock::now()](double share) {
    const std::chrono::duration<double> so_far = std::chrono::steady_clock::now() - start;
    if (so_far.count() < patience) return;
    const int filled = static_cast<int>(share * bar_width);
    const std::string bar(static_cast<std::size_t>(filled), '#');
    const double left = share > 0.0 ? so_far.count() * (1.0 - share) / share : 0.0;
    std::fprintf(stderr, "\r[%-*s] %3.0f %%, %.0f s left\x1b[K", bar_width, bar.c_str(), 100.0 * share, left);
    shown_ = true;
  };
  return progress;
}

bool LongWork::interrupted() const { return stop_asked; }
