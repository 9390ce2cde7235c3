// What should be known about a result beside its numbers?
// A set of the enumerators of a flag enum (values 0, 1, 2, ...), small enough to pass by value.
#pragma once

#pragma GCC visibility push(default)

namespace carom {

template <class Enum>
class FlagSet {
public:
  constexpr void set(Enum flag, bool on = true) { bits_ = on ? bits_ | mask(flag) : bits_ & ~mask(flag); }
  constexpr void set(FlagSet others) { bits_ |= others.bits_; }
  constexpr bool has(Enum flag) const { return (bits_ & mask(flag)) != 0; }
  constexpr bool none() const { return bits_ == 0; }
  friend constexpr bool operator==(FlagSet, FlagSet) = default;

private:
  static constexpr unsigned mask(Enum flag) { return 1U << static_cast<unsigned>(flag); }
  unsigned bits_ = 0;
};

}  // namespace carom

#pragma GCC visibility pop
