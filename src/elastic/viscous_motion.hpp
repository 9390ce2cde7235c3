// How does the viscous rod move through many bounces?
// Both ends of the rod are eliminated exactly: with u the bottom's velocity and N >= 0 the contact force,
//   u(t) - N(t) = e^-rho (u + N)(t-1) - gamma e^{-rho/2} - int_{t-1}^t e^{-rho(t-s)} {rho J0 u + rho^2 J1/z [N/2 -
//   (s-t+1/2) u]} ds,
// z = rho sqrt((t-s)(1-t+s)): one unit of memory, whatever happened before. On the ground u = 0, in the air N = 0.
// Units as in viscous_contact.hpp; rho < 3.9.
#pragma once

#include <cstddef>
#include <vector>

#include "motion.hpp"
#include "panel.hpp"

namespace carom::elastic {

class ViscousMotion final : public Motion {
public:
  /// The first contact ends as `first` says.
  ViscousMotion(const ViscousRod& rod, const Liftoff& first);

  RodTrace at(double t) override;
  double displacement(double x, double t) override;
  double velocity(double x, double t) override;
  double energy(double t) override;
  const std::vector<BottomEvent>& follow(std::size_t lifts) override;

  /// The largest rho the kernels are built for.
  static constexpr double max_rho = 3.9;

private:
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

  void advance(double t);  ///< at least to time t
  void step();
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
  double end() const { return panels_.back().end(); }
  int order_for(double length) const;

  ViscousRod rod_;
  Liftoff first_;
  bool first_contact_ = true, contact_ = true, settled_ = false, stays_ = false, held_ = false;
  double since_ = 0.0, settled_at_ = 0.0;
  std::size_t lifts_ = 0, back_ = 0;
  std::size_t run_first_ = 0;
  std::vector<Panel> panels_;
  std::vector<Block> blocks_;
  std::vector<BottomEvent> events_;
};

}  // namespace carom::elastic
