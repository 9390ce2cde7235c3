#include "impact/allocation_count.hpp"

#include <Eigen/Core>
#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>

namespace {
std::atomic<long> count{0};
}

long allocation_count() { return count; }

// Eigen asks malloc, not operator new: malloc itself is counted (glibc lets a program put its own in front). The
// address sanitizer has a malloc of its own; there nothing is counted.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
bool allocation_count_works() { return true; }
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) noexcept {
  ++count;
  return __libc_malloc(size);
}
#else
bool allocation_count_works() { return false; }
#endif

TEST(AllocationCount, Counts) {
  if (!allocation_count_works()) GTEST_SKIP() << "the sanitizer's malloc is not counted";
  const long before = allocation_count();
  const std::unique_ptr<int> kept(::new int(1));
  EXPECT_GT(allocation_count(), before);
}

TEST(AllocationCount, CountsEigen) {
  if (!allocation_count_works()) GTEST_SKIP() << "the sanitizer's malloc is not counted";
  const long before = allocation_count();
  const auto kept = std::make_unique<Eigen::VectorXd>(100);
  EXPECT_GE(allocation_count(), before + 2);
}
