#include "scenario/memory_peak.hpp"

#include <Eigen/Core>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <gtest/gtest.h>
#include <malloc.h>
#include <vector>

namespace {
std::atomic<std::size_t> held{0};
std::atomic<std::size_t> most{0};
}  // namespace

std::size_t memory_held() { return held; }
std::size_t memory_peak() { return most; }
void reset_memory_peak() { most = held.load(); }

// The resident size of a process depends on what the kernel keeps of its code and files; what malloc hands out does
// not. glibc lets a program put its own functions in front; the address sanitizer has a malloc of its own.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
bool memory_peak_works() { return true; }

namespace {
void* counted(void* block) {
  const std::size_t now = held += malloc_usable_size(block);
  std::size_t before = most;
  while (now > before && !most.compare_exchange_weak(before, now)) {
  }
  return block;
}
}  // namespace

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);

void* malloc(std::size_t size) noexcept { return counted(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) noexcept { return counted(__libc_calloc(count, size)); }
void* realloc(void* block, std::size_t size) noexcept {
  const std::size_t before = malloc_usable_size(block);
  void* const moved = __libc_realloc(block, size);
  if (moved != nullptr || size == 0) held -= before;
  return counted(moved);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept { return counted(__libc_memalign(alignment, size)); }
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept { return memalign(alignment, size); }
int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  *block = memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}
void free(void* block) noexcept {
  held -= malloc_usable_size(block);
  __libc_free(block);
}
}
#else
bool memory_peak_works() { return false; }
#endif

TEST(MemoryPeak, CountsWhatIsHeldAtOnce) {
  if (!memory_peak_works()) GTEST_SKIP() << "the sanitizer's malloc is not counted";
  const std::size_t before = memory_held();
  reset_memory_peak();
  for (int k = 0; k < 10; ++k) EXPECT_EQ(std::vector<char>(1'000'000).size(), 1'000'000u);
  EXPECT_EQ(memory_held(), before);
  EXPECT_GE(memory_peak(), before + 1'000'000);
  EXPECT_LT(memory_peak(), before + 1'100'000);
  const Eigen::VectorXd kept = Eigen::VectorXd::Zero(1'000'000);  // asks malloc, not operator new
  EXPECT_GE(memory_peak(), before + 8'000'000);
  EXPECT_GE(memory_held(), before + 8'000'000) << kept.sum();
}
