// Jacobi's elliptic functions and two elliptic integrals by the complementary parameter m1 = 1 - m: near m = 1 (a top
// near its unstable axis, a pendulum near the top) 1 - m would be nothing but rounding. For the same reason amplitudes
// are given by their sines and cosines: near a quarter turn the cosine has digits that the angle does not have.
#pragma once

namespace carom {

/// Where m1 would be less, a motion comes to its unstable rest and stays there for longer than any run lasts; what it
/// does then is decided below the last digit of its state.
inline constexpr double least_m1 = 1e-300;

/// K(m), the quarter period. m1 in (0, 1].
double quarter_period(double m1);

/// am u = turns * pi + asin(sine), the cosine of the rest not negative; sn = +-sine, cn = +-cosine for even and odd
/// turns.
struct Jacobi {
  double turns, sine, cosine, dn;
  double sign() const;  ///< of sn and cn against sine and cosine
};
/// @param u        any
/// @param quarter  quarter_period(m1)
Jacobi jacobi(double u, double m1, double quarter);

/// The integral of 1 / sqrt(1 - m sin^2) over an amplitude with this sine and cosine, within [-pi, pi].
double first_kind(double sine, double cosine, double m1, double quarter);

/// The integral of sin^2 / ((1 - n sin^2) sqrt(1 - m sin^2)), n <= 0: (Pi(n) - F) / n, without its loss of digits.
double third_kind(double n, double sine, double cosine, double m1);

}  // namespace carom
