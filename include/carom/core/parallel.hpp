// How is work spread over the cores?
// One loop over independent pieces. Where there are no threads (WebAssembly) it runs on the one there is.
#pragma once

#include <cstddef>
#include <functional>

#pragma GCC visibility push(default)

namespace carom {

/// How many threads can really run at once; at least 1.
int available_threads();

/// Calls body(first, last) for pieces that together make up [0, count), each of about `grain` or fewer, on up to
/// `threads` threads (0: as many as can run at once; 1: the whole range in one call, on the caller's). An exception of
/// a piece is thrown on, once no other runs any more.
void parallel_for(std::size_t count, std::size_t grain, int threads,
                  const std::function<void(std::size_t first, std::size_t last)>& body);

}  // namespace carom

#pragma GCC visibility pop
