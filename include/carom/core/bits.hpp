// The bits of a number as another type: std::bit_cast, which not every standard library has yet.
#pragma once

#pragma GCC visibility push(default)

namespace carom {

template <class To, class From>
constexpr To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

}  // namespace carom

#pragma GCC visibility pop
