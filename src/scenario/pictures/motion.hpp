// Bodies in free flight before and after an impact, as a strobe light would show them.
#pragma once

#include <vector>

#include "carom/motion/flight.hpp"
#include "carom/report/document.hpp"

#include "parts/spatial.hpp"

namespace carom::scenario {

/// When the light flashes.
struct Frames {
  double every = 0.1;                 ///< [s]
  int count = 4;                      ///< flashes before the impact, and as many after it
  double gravity = standard_gravity;  ///< along -z [m/s^2]
};
Type<Frames> frames();

/// Pictures of the flight need bodies.
template <class Scenario>
void check_frames(const Scenario& s, const Value& root, const Path& path, Mistakes& mistakes) {
  if (s.frames && !s.bodies) mistakes.add(path.at("frames"), place_of(root, "frames"), "needs `bodies`");
}

/// The same to be animated: all bodies from the first flash to the last, the impact at time 0.
report::Scene motion_scene(const std::vector<NamedBody>& before, const std::vector<NamedBody>& after,
                           const Contact& contact, const Frames& frames);

/// Two views: along y, and along -x unless there is nothing more to see there.
std::vector<report::Plot> motion_pictures(const std::vector<NamedBody>& before, const std::vector<NamedBody>& after,
                                          const Contact& contact, const Frames& frames);

}  // namespace carom::scenario
