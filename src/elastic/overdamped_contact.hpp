// How does a rod with strong viscous damping (rho >= pi, it never bounces) settle on the ground?
// Early, while e^{-rho t} counts: the sum over reflections, integrated panel by panel. Late: the overdamped modes
// alone.
#pragma once

#include "motion.hpp"
#include "panel.hpp"

namespace carom::elastic {

class OverdampedContact final : public Motion {
public:
  explicit OverdampedContact(const ViscousRod& rod);
  RodTrace at(double t) override;
  double displacement(double x, double t) override;
  double velocity(double x, double t) override;
  RodEnergy energy(double t) override;
  const std::vector<BottomEvent>& follow(std::size_t) override { return events_; }

private:
  static constexpr int order = 22;
  struct Panel {
    double a, len, k1;
    double force[order];
    CentreOfMass centre;
  };
  double force(double t) const;

  ViscousRod rod_;
  double late_;  ///< from here on e^{-rho t} is below rounding
  std::vector<Panel> panels_;
  std::vector<BottomEvent> events_{{BottomEvent::rest, 0.0}};
};

}  // namespace carom::elastic
