// Where there are no threads, or none are wanted.
#include "carom/core/parallel.hpp"

namespace carom {

int available_threads() { return 1; }

void parallel_for(std::size_t count, std::size_t, int, const std::function<void(std::size_t, std::size_t)>& body) {
  if (count > 0) body(0, count);
}

}  // namespace carom
