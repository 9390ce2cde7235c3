// Four doubles at once, by the instructions this translation unit is compiled for.
#pragma once

#include "lanes.hpp"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

namespace carom::spatial {
namespace {

using Vector = double __attribute__((vector_size(sizeof(double) * lanes)));
using Mask = std::int64_t __attribute__((vector_size(sizeof(double) * lanes)));
using Wrapping = std::uint64_t __attribute__((vector_size(sizeof(double) * lanes)));  ///< for sums of bits

/// a b + c, rounded once.
inline Vector fused(const Vector& a, const Vector& b, const Vector& c) {
#if defined(__AVX2__) && defined(__FMA__)
  return _mm256_fmadd_pd(a, b, c);
#else
  Vector out;
  for (std::size_t i = 0; i < lanes; ++i) out[i] = __builtin_fma(a[i], b[i], c[i]);
  return out;
#endif
}

inline Vector square_root(const Vector& v) {
#if defined(__AVX2__) && defined(__FMA__)
  return _mm256_sqrt_pd(v);
#else
  Vector out;
  for (std::size_t i = 0; i < lanes; ++i) out[i] = __builtin_sqrt(v[i]);
  return out;
#endif
}

inline bool any(const Mask& m) {
#if defined(__AVX2__) && defined(__FMA__)
  return _mm256_movemask_pd(reinterpret_cast<__m256d>(m)) != 0;
#else
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < lanes; ++i) sum |= m[i];
  return sum != 0;
#endif
}

}  // namespace
}  // namespace carom::spatial
