// The impulse of a 3-D impact drawn in perspective: its curve in a room whose floor and walls carry the shadows, the
// plane of maximum compression and the line of sticking.
#pragma once

#include <vector>

#include "carom/core/contact_space.hpp"
#include "carom/report/document.hpp"

namespace carom::scenario {

class ImpulseRoom {
public:
  /// @param path  impulses in order of time, axes (t1, t2, n) [N s]
  ImpulseRoom(const ContactSpace& space, std::vector<Eigen::Vector3d> path);

  /// Where an impulse is on paper.
  report::Point at(const Eigen::Vector3d& impulse) const;

  /// Everything but the events.
  report::Plot plot() const;

private:
  /// The box with its axes.
  void draw_walls(report::Plot& plot) const;

  ContactSpace space_;
  std::vector<Eigen::Vector3d> path_;
  Eigen::Vector3d low_, high_;
  double z_scale_;
};

}  // namespace carom::scenario
