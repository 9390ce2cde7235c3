#include <algorithm>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "carom/core/parallel.hpp"

namespace carom {

int available_threads() { return std::max(1, tbb::info::default_concurrency()); }

void parallel_for(std::size_t count, std::size_t grain, int threads,
                  const std::function<void(std::size_t, std::size_t)>& body) {
  if (count == 0) return;
  if (threads == 1) return body(0, count);
  tbb::task_arena arena(threads <= 0 ? available_threads() : threads);
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, std::max<std::size_t>(grain, 1)),
                      [&](const auto& range) { body(range.begin(), range.end()); });
  });
}

}  // namespace carom
