#include "impact/allocation_count.hpp"

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <new>

namespace {
std::atomic<long> count{0};
}

long allocation_count() { return count; }

void* operator new(std::size_t size) {
  ++count;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

TEST(AllocationCount, Counts) {
  const long before = allocation_count();
  const std::unique_ptr<int> kept(::new int(1));
  EXPECT_GT(allocation_count(), before);
}
