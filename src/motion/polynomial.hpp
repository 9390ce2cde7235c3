// Where does a polynomial of low degree first fall through zero?
#pragma once

#include <array>
#include <cstddef>

namespace carom {

/// c[0] + c[1] t + ... + c[4] t^4
using Quartic = std::array<double, 5>;

double value(const Quartic& c, double t);

/// The first t in [0, to] at which the polynomial, positive at 0, is zero; infinite if there is none. Between two
/// extremes, which are the roots of the derivative and found in the same way, it is monotone: so every root is
/// bracketed and none is passed over.
double first_fall(const Quartic& c, double to);

}  // namespace carom
