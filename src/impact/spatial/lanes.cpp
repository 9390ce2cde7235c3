#include "lanes.hpp"

#include "tail.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace carom::spatial {

namespace {
using Vector = double __attribute__((vector_size(sizeof(double) * lanes)));
using Mask = std::int64_t __attribute__((vector_size(sizeof(double) * lanes)));
using Wrapping = std::uint64_t __attribute__((vector_size(sizeof(double) * lanes)));  ///< for sums of bits
}  // namespace

namespace plain {
static inline Vector fused(const Vector& a, const Vector& b, const Vector& c) {
  Vector out;
  for (std::size_t i = 0; i < lanes; ++i) out[i] = __builtin_fma(a[i], b[i], c[i]);
  return out;
}
static inline Vector square_root(const Vector& v) {
  Vector out;
  for (std::size_t i = 0; i < lanes; ++i) out[i] = __builtin_sqrt(v[i]);
  return out;
}
static inline bool any(const Mask& m) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < lanes; ++i) sum |= m[i];
  return sum != 0;
}
#include "lanes_kernel.inl"
#include "lanes_tail.inl"
}  // namespace plain
void plain_step(LanePiece& piece) {
  if (piece.any_work)
    plain::step_with_work(piece);
  else
    plain::step_without_work(piece);
}
void plain_tail(LanePiece& piece) { plain::tail_in_lanes(piece); }

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
namespace wide {
static inline Vector fused(const Vector& a, const Vector& b, const Vector& c) { return _mm256_fmadd_pd(a, b, c); }
static inline Vector square_root(const Vector& v) { return _mm256_sqrt_pd(v); }
static inline bool any(const Mask& m) { return _mm256_movemask_pd(reinterpret_cast<__m256d>(m)) != 0; }
#include "lanes_kernel.inl"
#include "lanes_tail.inl"
}  // namespace wide
void wide_step(LanePiece& piece) {
  if (piece.any_work)
    wide::step_with_work(piece);
  else
    wide::step_without_work(piece);
}
void wide_tail(LanePiece& piece) { wide::tail_in_lanes(piece); }
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
bool has_wide_lanes() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#else
bool has_wide_lanes() { return false; }
#endif

}  // namespace carom::spatial
