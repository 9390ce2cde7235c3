// Where does a label go so that nothing is hidden?
// Each label comes with candidate boxes; the one that costs least is taken: covering a marker or another label is
// worst, leaving the frame next, lying on a line a little.
#pragma once

#include <span>
#include <vector>

#include "geometry.hpp"

namespace carom::report {

struct Candidate {
  Box box;
  double cost = 0.0;  ///< of the place itself; 1 is about one pixel of line covered
};

class LabelPlacer {
public:
  explicit LabelPlacer(const Box& frame) : frame_(frame) {}

  void avoid(const Box& box) { boxes_.push_back(box); }
  void avoid(const Polyline& line);

  /// The index of the cheapest candidate (the first of equals); its box is avoided from then on.
  std::size_t place(std::span<const Candidate> candidates);

private:
  double cost_of(const Box& box) const;

  Box frame_;
  std::vector<Box> boxes_, labels_;
  std::vector<std::pair<Point, Point>> segments_;
};

/// Eight places around a marker of radius `radius`, then the same farther out, for a label of the given size.
std::vector<Candidate> places_around(Point at, double radius, double width, double height);

/// Places beside a line that runs inside the frame from `start` to its exit at `exit`: near the exit, then farther
/// back.
std::vector<Candidate> places_along(Point exit, Point start, double width, double height, const Box& frame);

}  // namespace carom::report
