// Sums of products of Taylor coefficients: nearly all the arithmetic of a curved piece. For doubles two products are
// formed at a time, which every 64-bit processor can do.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace carom::spatial {

using Pair = double __attribute__((vector_size(2 * sizeof(double))));

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
    T sr{};
    if constexpr (has_middle) sr = r[middle] * r[middle] * 0.5;
    if constexpr (paired) {
      Pair sum{};
      if constexpr (has_middle) sum = xy_[middle] * xy_[middle] * 0.5;
#pragma GCC unroll 32
      for (std::size_t j = (n - 1) / 2; j >= from; --j) {
        sum += xy_[j] * xy_[n - j];
        sr += r[j] * r[n - j];
      }
      slip = sum[0] + sum[1];
    } else {
      T sx{}, sy{};
      if constexpr (has_middle) {
        sx = x[middle] * x[middle] * 0.5;
        sy = y[middle] * y[middle] * 0.5;
      }
      for (std::size_t j = (n - 1) / 2; j >= from; --j) {
        sx += x[j] * x[n - j];
        sy += y[j] * y[n - j];
        sr += r[j] * r[n - j];
      }
      slip = sx + sy;
    }
    speed = sr;
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
      Pair even{}, odd{};
#pragma GCC unroll 32
      for (std::size_t k = 0; k < count / 2; ++k) {
        Pair& sum = k % 2 ? odd : even;
        sum += pair_at(a + first + 2 * k) * pair_at(b + first + 2 * k);
      }
      const Pair sum = even + odd;
      double out = sum[0] + sum[1];
      if constexpr (count % 2 == 1) out += a[last] * b[last];
      return out;
    } else {
      T even{}, odd{};
      for (std::size_t j = first; j <= last; ++j) (j % 2 ? odd : even) += a[j] * b[j];
      return even + odd;
    }
  }

private:
  static Pair pair_at(const double* p) {
    Pair out;
    std::memcpy(&out, p, sizeof out);
    return out;
  }
  std::array<T, a_degree + 1> a_;
  std::array<T, b_degree + 1> reversed_;
};

}  // namespace carom::spatial
