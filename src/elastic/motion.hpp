// What does every kind of rod answer about its motion? Units t1 = 2L/c = 1 (viscous_contact.hpp).
#pragma once

#include <cstddef>
#include <vector>

#include "viscous_contact.hpp"

namespace carom::elastic {

/// One event: the bottom lifts or touches; rest means it stays down from t on.
struct BottomEvent {
  enum Type { lift, touch, rest } type;
  double t;
};

/// The rod at one moment: contact force, gap under the bottom, centre of mass.
struct RodTrace {
  double force = 0.0, bottom = 0.0;
  CentreOfMass centre;
  bool contact = true;
};

/// Per length of the rod: the energy and what damping takes of it per time.
struct RodEnergy {
  double total = 0.0, loss = 0.0;
};

class Motion {
public:
  virtual ~Motion() = default;
  virtual RodTrace at(double t) = 0;
  virtual double displacement(double x, double t) = 0;  ///< x in [0, 1/2]
  virtual double velocity(double x, double t) = 0;
  virtual RodEnergy energy(double t) = 0;
  /// v_x at the bottom. Without structural damping it is the contact force, turned round.
  virtual double strain(double t) { return 0.0 - at(t).force; }
  /// Follows the motion until the bottom has lifted `lifts` times or stays down or up for good; all events so far.
  virtual const std::vector<BottomEvent>& follow(std::size_t lifts) = 0;
  /// The bound on work was reached: the motion is not known further.
  virtual bool limited() const { return false; }
};

}  // namespace carom::elastic
