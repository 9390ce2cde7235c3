// What does each line style and marker mean?
// The legend beside the frame: one entry per distinct name, in the order lines, curves, markers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/report/plot.hpp"

namespace carom::report {

class Legend {
public:
  Legend() = default;
  explicit Legend(const Plot& plot);

  bool empty() const { return entries_.empty(); }
  double width() const { return width_; }    ///< [px]
  double height() const { return height_; }  ///< [px]
  void draw(std::string& svg, double left, double top) const;

private:
  struct Entry {
    std::vector<std::string> lines;  ///< of text
    std::optional<Stroke> stroke;
    std::optional<MarkerShape> shape;
    Color color = Color::ink;
    double fill = 0.0;  ///< of an area
  };
  void add(const std::string& name, Entry entry);

  std::vector<Entry> entries_;
  std::vector<std::string> names_;
  double width_ = 0.0, height_ = 0.0;
};

}  // namespace carom::report
