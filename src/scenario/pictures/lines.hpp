// Plots of lines, briefly.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "carom/report/plot.hpp"

namespace carom::scenario {

/// A plot with its words and nothing drawn yet.
inline report::Plot empty_plot(const char* name, const char* title, const char* caption, const char* x, const char* y) {
  report::Plot plot;
  plot.name = name;
  plot.title = title;
  plot.caption = caption;
  plot.x.label = x;
  plot.y.label = y;
  return plot;
}

inline report::Curve line(std::vector<report::Point> points, report::Color color, std::string legend = "",
                          report::Dash dash = report::Dash::solid) {
  return {std::move(points), {color, dash, 1.8}, std::move(legend)};
}

/// f at evenly spaced values of x.
template <class Function>
std::vector<report::Point> sampled(double from, double to, int steps, const Function& f) {
  std::vector<report::Point> points;
  for (int i = 0; i <= steps; ++i) {
    const double x = from + (to - from) * i / steps;
    points.push_back({x, f(x)});
  }
  return points;
}

}  // namespace carom::scenario
