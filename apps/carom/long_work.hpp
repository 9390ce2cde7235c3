// What a person sees of long work: how far it is, on a terminal only, and that Ctrl-C ends it.
#pragma once

#include "carom/core/progress.hpp"

/// Shows a bar on standard error while it lives, if that is a terminal, once the work has taken a while; Ctrl-C asks
/// the work to stop, a second one ends the program.
class LongWork {
public:
  LongWork();
  ~LongWork();
  LongWork(const LongWork&) = delete;
  LongWork& operator=(const LongWork&) = delete;

  carom::Progress progress();
  bool interrupted() const;

private:
  bool shown_ = false;
};
