// Points of a curve so close that a picture shows no corner: closer where it bends.
#pragma once

#include <functional>
#include <vector>

#include "carom/report/plot.hpp"

namespace carom::scenario {

/// f at rising values of x: those given and, between them, as many more as it takes that the curve, drawn to fill a
/// frame, turns by no more than 4 degrees from one piece to the next, or `most` points.
std::vector<report::Point> smooth_curve(const std::vector<double>& at, const std::function<double(double)>& f,
                                        std::size_t most = 400);

}  // namespace carom::scenario
