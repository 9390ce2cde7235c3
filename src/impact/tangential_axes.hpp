// The axes in which the tangential block of an inverse inertia is diagonal. Where one direction answers far more
// readily to an impulse than the other, they keep the digits of both.
#pragma once

#include <algorithm>
#include <cmath>

namespace carom {

struct TangentialAxes {
  double cosine = 1.0, sine = 0.0;   ///< x' = cosine x - sine y, y' = sine x + cosine y
  double first = 1.0, second = 1.0;  ///< the diagonal there
  double kept = 1.0;                 ///< what elimination left of b22: its digits are lost as this gets small
};

/// One Jacobi rotation.
/// @param b11, b12, b22  positive definite, as found by the elimination of b11
inline TangentialAxes tangential_axes(double b11, double b12, double b22) {
  TangentialAxes out;
  out.first = b11;
  out.second = b22;
  if (b12 == 0.0) return out;
  const double ratio = (b22 - b11) / (2.0 * b12);
  const double size = std::abs(ratio), root = size < 0x1p100 ? std::sqrt(1.0 + ratio * ratio) : size;
  const double t = std::copysign(1.0, ratio) / (size + root);
  out.cosine = 1.0 / std::sqrt(1.0 + t * t);
  out.sine = t * out.cosine;
  // The smaller one by the pivot that the check of W found positive: so it keeps sign and digits.
  const double pivot = b22 - b12 / b11 * b12, larger = std::max(b11, b22) + std::abs(t * b12),
               smaller = b11 / larger * pivot;
  out.kept = pivot / b22;
  out.first = b11 > b22 ? larger : smaller;  // if they are equal, t has the sign of b12
  out.second = b11 > b22 ? smaller : larger;
  return out;
}

}  // namespace carom
