#include "rest_shape/spectrum.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace carom::soft {

namespace {

/// The extremes stand still when they change by no more than this between two looks, each at twice as many directions.
constexpr double settled = 1e-8;
/// Directions at the first look, and at most: where eigenvalues crowd on the edge of the spectrum they are then known
/// to about 1e-5, and a look takes a second.
constexpr int first_look = 25, most_directions = 400;
/// What is left of a new direction is rounding: the process has found all there is.
constexpr double exhausted = 1e-14;

struct Extremes {
  double largest = 0.0, least_real = 0.0, greatest_real = 0.0, r_max = 0.0;

  bool is_near(const Extremes& other) const {
    const double scale = settled * std::max(1.0, largest);
    return std::abs(largest - other.largest) <= scale && std::abs(least_real - other.least_real) <= scale &&
           std::abs(greatest_real - other.greatest_real) <= scale && std::abs(r_max - other.r_max) <= scale;
  }
};

Extremes extremes_of(const Eigen::MatrixXd& hessenberg) {
  const Eigen::VectorXcd values = Eigen::EigenSolver<Eigen::MatrixXd>(hessenberg, false).eigenvalues();
  Extremes e;
  e.largest = values.cwiseAbs().maxCoeff();
  e.least_real = values.real().minCoeff();
  e.greatest_real = values.real().maxCoeff();
  e.r_max = std::numeric_limits<double>::infinity();
  for (const auto& m : values) e.r_max = std::min(e.r_max, 2.0 * (1.0 - m.real()) / std::norm(1.0 - m));
  if (e.greatest_real >= 1.0) e.r_max = 0.0;
  return e;
}

}  // namespace

RestShapeSpectrum spectrum_of(int size, const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& map,
                              const Progress& progress) {
  RestShapeSpectrum spectrum;
  if (size == 0) {  // nothing moves: one step of any damping up to 2 is the answer
    spectrum.r_max = 2.0;
    spectrum.r_best = 1.0;
    return spectrum;
  }
  const int most = std::min(size, most_directions);
  std::mt19937_64 random(1);  // any start that favours no eigenvector, the same every time
  int look = first_look;
  Eigen::MatrixXd basis(size, std::min(most, look) + 1);
  for (double& x : basis.col(0)) x = static_cast<double>(random() >> 11) * 0x1p-53 - 0.5;
  basis.col(0).normalize();
  Eigen::MatrixXd h = Eigen::MatrixXd::Zero(most + 1, most);
  Extremes found;
  for (int k = 0; k < most; ++k) {
    if (progress.is_cancelled()) throw Cancelled();
    if (basis.cols() < k + 2) basis.conservativeResize(Eigen::NoChange, std::min(most, look) + 1);
    Eigen::VectorXd w = map(basis.col(k));
    const double length = w.norm();
    for (int pass = 0; pass < 2; ++pass) {  // twice is enough
      const Eigen::VectorXd along = basis.leftCols(k + 1).transpose() * w;
      w -= basis.leftCols(k + 1) * along;
      h.col(k).head(k + 1) += along;
    }
    const double left = w.norm();
    h(k + 1, k) = left;
    const bool done = k + 1 == most || !(left > exhausted * length);
    if (done || k + 1 == look) {
      look *= 2;
      const Extremes now = extremes_of(h.topLeftCorner(k + 1, k + 1));
      const bool still = k + 1 > first_look && now.is_near(found);
      found = now;
      if (done || still) break;
    }
    basis.col(k + 1) = w / left;
  }
  spectrum.largest = found.largest;
  spectrum.r_max = found.r_max;
  if (found.r_max > 0.0) spectrum.r_best = std::min(1.0, 2.0 / (2.0 - found.least_real - found.greatest_real));
  return spectrum;
}

}  // namespace carom::soft
