#include "impact/allocation_count.hpp"

#include <Eigen/Core>
#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <new>

namespace {
std::atomic<long> count{0};
}

long allocation_count() { return count; }

// Eigen asks malloc, not operator new: malloc itself is counted (glibc lets a program put its own in front). The
// address sanitizer has a malloc of its own; there operator new must do.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
bool allocation_count_sees_malloc() { return true; }
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) noexcept {
  ++count;
  return __libc_malloc(size);
}
#else
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"  // GCC sees new and free meet where both are inlined
bool allocation_count_sees_malloc() { return false; }
void* operator new(std::size_t size) {
  ++count;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

TEST(AllocationCount, Counts) {
  const long before = allocation_count();
  const std::unique_ptr<int> kept(::new int(1));
  EXPECT_GT(allocation_count(), before);
}

TEST(AllocationCount, CountsEigen) {
  if (!allocation_count_sees_malloc()) GTEST_SKIP() << "the sanitizer's malloc is not counted";
  const long before = allocation_count();
  const auto kept = std::make_unique<Eigen::VectorXd>(100);
  EXPECT_GE(allocation_count(), before + 2);
}
