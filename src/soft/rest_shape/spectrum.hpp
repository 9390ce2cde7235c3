// The eigenvalues that decide whether the damped fixed point converges.
#pragma once

#include <functional>

#include "carom/soft/rest_shape.hpp"

namespace carom::soft {

/// Of a linear map of vectors of `size`: an Arnoldi process, whole, until the extremes of its spectrum stand still.
/// What is asked (largest modulus, range of real parts, r_max) is decided by eigenvalues on the hull of the spectrum,
/// which Arnoldi finds first.
RestShapeSpectrum spectrum_of(int size, const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& map,
                              const Progress& progress);

}  // namespace carom::soft
