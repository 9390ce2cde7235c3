// Sums of products of Taylor coefficients: nearly all the arithmetic of a curved piece. For doubles two
// or four products are formed at a time, in the same order on every processor.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace carom::spatial {

using Pair = double __attribute__((vector_size(2 * sizeof(double))));
using Quad = double __attribute__((vector_size(4 * sizeof(double))));

/// The series of slip: x, y and r = sqrt(x^2 + y^2).
template <class T, std::size_t terms>
struct SlipSeries {
  std::array<T, terms> x, y, r;

  void set(std::size_t k, const T& xk, const T& yk, const T& rk) {
    x[k] = xk;
    y[k] = yk;
    r[k] = rk;
    if constexpr (paired) xy_[k] = Pair{xk, yk};
  }

  /// Half of coefficient n of x^2 + y^2 and of r^2, but for the products with coefficients before `from` and their
  /// partners. Those with the latest coefficients come last: the others need not wait for them.
  template <std::size_t n, std::size_t from>
  void half_squares(T& slip, T& speed) const {
    constexpr std::size_t middle = n / 2;
    constexpr bool has_middle = n % 2 == 0 && middle >= from;
    if constexpr (paired) {
      T sr{};
      if constexpr (has_middle) sr = r[middle] * r[middle] * 0.5;
      Pair sum{};
      if constexpr (has_middle) sum = xy_[middle] * xy_[middle] * 0.5;
#pragma GCC unroll 32
      for (std::size_t j = (n - 1) / 2; j >= from; --j) {
        sum += xy_[j] * xy_[n - j];
        sr += r[j] * r[n - j];
      }
      slip = sum[0] + sum[1];
      speed = sr;
    } else {  // values twice, halved at the end
      T s{}, v{};
      if constexpr (has_middle) {
        s = (T::twice_product(x[middle], x[middle]) + T::twice_product(y[middle], y[middle])) * 0.5;
        v = T::twice_product(r[middle], r[middle]) * 0.5;
      }
      for (std::size_t j = (n - 1) / 2; j >= from; --j) {
        s += T::twice_product(x[j], x[n - j]) + T::twice_product(y[j], y[n - j]);
        v += T::twice_product(r[j], r[n - j]);
      }
      slip = s.once();
      speed = v.once();
    }
  }

private:
  static constexpr bool paired = std::is_same_v<T, double>;
  std::array<Pair, paired ? terms : 0> xy_;
};

/// The product of two series: coefficient n from those of a (up to a_degree) and b (up to b_degree).
template <class T, std::size_t a_degree, std::size_t b_degree>
class SeriesProduct {
public:
  template <class A, class B>
  SeriesProduct(const A& a, const B& b) {
    for (std::size_t k = 0; k <= a_degree; ++k) a_[k] = a[k];
    for (std::size_t k = 0; k <= b_degree; ++k) reversed_[b_degree - k] = b[k];
  }
  template <std::size_t n>
  T term() const {
    constexpr std::size_t first = n > b_degree ? n - b_degree : 0, last = n < a_degree ? n : a_degree;
    // b_(n-j) is reversed_[b_degree - n + j]
    const T* a = a_.data();
    const T* b = reversed_.data() + b_degree - n;
    constexpr std::size_t count = last - first + 1;
    if constexpr (std::is_same_v<T, double>) {
      Quad sum{};
#pragma GCC unroll 32
      for (std::size_t k = 0; k < count / 4; ++k) {
        Quad p, q;
        std::memcpy(&p, a + first + 4 * k, sizeof p);
        std::memcpy(&q, b + first + 4 * k, sizeof q);
        sum += p * q;
      }
      double out = (sum[0] + sum[1]) + (sum[2] + sum[3]);
#pragma GCC unroll 4
      for (std::size_t j = first + count / 4 * 4; j <= last; ++j) out += a[j] * b[j];
      return out;
    } else {
      T even{}, odd{};
      for (std::size_t j = first; j <= last; ++j) (j % 2 ? odd : even) += T::twice_product(a[j], b[j]);
      return (even + odd).once();
    }
  }

private:
  std::array<T, a_degree + 1> a_;
  std::array<T, b_degree + 1> reversed_;
};

}  // namespace carom::spatial
