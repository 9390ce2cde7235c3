#include "carom/core/parallel.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace carom {
namespace {

TEST(ParallelFor, VisitsEverythingOnce) {
  for (const int threads : {0, 1, 2, 7})
    for (const std::size_t count : {0U, 1U, 3U, 1000U}) {
      std::vector<int> visits(count, 0);
      parallel_for(count, 10, threads, [&](std::size_t first, std::size_t last) {
        ASSERT_LE(first, last);
        for (std::size_t i = first; i < last; ++i) ++visits[i];
      });
      EXPECT_EQ(std::accumulate(visits.begin(), visits.end(), 0), static_cast<int>(count));
      for (const int each : visits) EXPECT_EQ(each, 1);
    }
}

TEST(ParallelFor, ThrowsOn) {
  for (const int threads : {1, 2}) {
    const auto fail = [](std::size_t first, std::size_t) {
      if (first == 0) throw std::runtime_error("no");
    };
    EXPECT_THROW(parallel_for(100, 10, threads, fail), std::runtime_error);
  }
}

TEST(ParallelFor, HasAtLeastOneThread) { EXPECT_GE(available_threads(), 1); }

}  // namespace
}  // namespace carom
