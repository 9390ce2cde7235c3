// No heap on the hot path: every allocation of this program is counted, and an impact makes none.
#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>

#include "impact/spatial_cases.hpp"

namespace {
std::atomic<long> allocations{0};
}

// GCC inlines one half of the replaced pair and then takes malloc and free for a mismatch.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size ? size : 1)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace carom::testing {

TEST(SpatialAllocation, ImpactsAllocateNothing) {
  SpatialCases cases(61);
  const long start = allocations.load();
  auto probe = std::make_unique<int>(1);
  ASSERT_GT(allocations.load(), start) << "the counter must count";
  double sum = 0;
  for (int i = 0; i < 2000; ++i) {
    const SpatialProblem p = cases.next(static_cast<Family>(i % 6));
    const long before = allocations.load();
    sum += spatial_impact(p).impulse[2] + spatial_outcome(p).impulse[2] + spatial_derivatives(p).outcome.impulse[2];
    SpatialOutcome row;
    spatial_outcomes(std::span(&p, 1), std::span(&row, 1));
    ASSERT_EQ(allocations.load(), before);
  }
  EXPECT_GT(sum, 0);
}

}  // namespace carom::testing
