// How does the viscous rod move through many bounces?
// Both ends of the rod are eliminated exactly: with u the bottom's velocity and N >= 0 the contact force,
//   u(t) - N(t) = e^-rho (u + N)(t-1) - gamma e^{-rho/2} - int_{t-1}^t e^{-rho(t-s)} {rho J0 u + rho^2 J1/z [N/2 -
//   (s-t+1/2) u]} ds,
// z = rho sqrt((t-s)(1-t+s)): one unit of memory, whatever happened before. On the ground u = 0, in the air N = 0.
// Units as in viscous_contact.hpp; rho < 3.9.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "motion.hpp"
#include "panel.hpp"

namespace carom::elastic {

/// Times closer than this (relative) are one breakpoint.
inline constexpr double same_time = 1e-14;

class PeriodMap;

/// The march ends where the rod flies so long that marching on would be a waste: what comes next, and when.
struct LongFlight {
  bool never = false;  ///< the rod does not come back
  bool still = false;  ///< vibration has died out by then: it touches `wait` after the end, a rigid rod
  double wait = 0.0;   ///< from the end of the march; without `still` a whole number of units, short of the ground
  double impact_speed = 0.0;  ///< with `still`: of the touch
  double landing = 0.0;       ///< time from the end of the march to `low`, a place near the end of the flight
  CentreOfMass low;  ///< there: times near it are reckoned from it, since the way up and down loses their digits
};

/// One march, from an impact or from within a flight, to the next long flight.
class ViscousMotion final : public Motion {
public:
  /// The first contact ends as `first` says.
  ViscousMotion(const ViscousRod& rod, const Liftoff& first);

  RodTrace at(double t) override;
  double displacement(double x, double t) override;
  double velocity(double x, double t) override;
  RodEnergy energy(double t) override;
  const std::vector<BottomEvent>& follow(std::size_t lifts) override;
  bool limited() const override { return limited_; }

  void advance(double t);  ///< at least to time t, or to the end of the march
  double end() const { return panels_.back().end(); }
  std::size_t lifts() const { return lifts_; }
  bool stays() const { return stays_ || settled_; }
  /// Set when the march ended in a long flight.
  const std::optional<LongFlight>& long_flight() const { return long_flight_; }
  /// The march `periods` whole units after the end of this one, in the same flight; its time 0 is there. With `units`
  /// of the flight already laid out from there on it only answers about them.
  std::unique_ptr<ViscousMotion> later(double periods, int units = 0) const;
  /// Rigid motion a time t after the end of this march, in the same flight.
  CentreOfMass glide(double t) const;

  /// The largest rho the kernels are built for.
  static constexpr double max_rho = 3.9;

  static constexpr int order_limit = 18;
  struct Panel {
    double a, len;
    int order;
    bool contact;
    double value[order_limit];  ///< N on the ground, u in the air
    double gap[order_limit];    ///< w in the air
    double gap_start;
    CentreOfMass centre;  ///< at a
    int block = -1;       ///< the block that starts here
    double end() const { return a + len; }
  };

private:
  /// Many short panels seen from afar: force and velocity as weights at a few points, exact for the smooth kernels of
  /// the rod.
  struct Block {
    std::size_t count;
    double a, len;
    int order;
    double force[order_limit], speed[order_limit];
    double end() const { return a + len; }
  };
  struct Velocity {
    double vt, vx;
  };

  explicit ViscousMotion(const ViscousRod& rod) : rod_(rod) {}
  void step();
  bool flies_long();
  /// Over the rod at time t, where the traces must be known on [t - 1/2, t + 1/2].
  struct Sums {
    double energy = 0.0;   ///< kinetic and elastic, per length
    double kinetic = 0.0;  ///< of that
    double sag = 0.0;      ///< height of the centre of mass over the bottom, less that without strain
  };
  Sums along(double t) const;
  Panel solve(double a, double b, bool contact) const;
  void commit(Panel panel, double length);
  void gather_block();
  /// Calls add(s, dN, du) for points s that integrate N ds and u ds against anything smooth over [low, high].
  template <class Add>
  void gather(double low, double high, const Add& add) const;
  void watch_rest();
  void watch_escape();
  CentreOfMass carry(const Panel& panel, double length) const;
  std::size_t find(double t) const;
  double gap(const Panel& panel, double t) const;
  double value(const Panel& panel, double t) const;
  Velocity field(double x, double t) const;
  int order_for(double length) const;

  ViscousRod rod_;
  Liftoff first_;
  bool first_contact_ = true, contact_ = true, settled_ = false, stays_ = false, held_ = false, limited_ = false;
  double next_look_ = 1.0;  ///< time flown at which flies_long looks again
  std::optional<LongFlight> long_flight_;
  mutable std::shared_ptr<PeriodMap> period_;
  double since_ = 0.0, settled_at_ = 0.0;
  std::size_t lifts_ = 0, back_ = 0;
  std::size_t run_first_ = 0;
  std::vector<Panel> panels_;
  std::vector<Block> blocks_;
  std::vector<BottomEvent> events_;
};

/// March after march, with the long flights between them.
class ViscousBounces final : public Motion {
public:
  ViscousBounces(const ViscousRod& rod, const Liftoff& first);

  RodTrace at(double t) override;
  double displacement(double x, double t) override;
  double velocity(double x, double t) override;
  RodEnergy energy(double t) override;
  const std::vector<BottomEvent>& follow(std::size_t lifts) override;
  bool limited() const override { return limited_; }

private:
  struct March {
    double start;  ///< its time 0
    bool touches;  ///< it begins with an impact after a flight
    std::unique_ptr<ViscousMotion> motion;
  };
  /// Who knows about time t, and which time that is there; `motion` empty: a rigid flight, `centre` says all.
  struct Place {
    ViscousMotion* motion = nullptr;
    double t = 0.0;
    CentreOfMass centre;
  };
  /// @param ahead  how far beyond t the traces must be known
  Place place(double t, double ahead);
  double flight_end(const March& march) const;  ///< start of the march after it
  bool go_on();                                 ///< the march after the last; false: there is none

  ViscousRod rod_;
  std::vector<March> marches_;
  std::vector<BottomEvent> events_;
  std::unique_ptr<ViscousMotion> window_;  ///< the last look into a long flight
  double window_start_ = 0.0;
  bool limited_ = false;
};

}  // namespace carom::elastic
