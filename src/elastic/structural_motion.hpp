// How does the rod with structural damping move through many bounces?
// The strain is a polynomial along the rod (Legendre basis, Galerkin); on the ground and in the air the basis has its
// own modes, each solved exactly in time, and the state passes from one to the other without loss. The first contact
// itself is exact (structural_contact.hpp); what follows is as good as the polynomial: 1e-11 for kappa >= 2e-5, less
// below.
#pragma once

#include <Eigen/Core>

#include "motion.hpp"
#include "structural_contact.hpp"

namespace carom::elastic {

class StructuralMotion final : public Motion {
public:
  StructuralMotion(const StructuralRod& rod, const Liftoff& first);

  RodTrace at(double t) override;
  double displacement(double x, double t) override;
  double velocity(double x, double t) override;
  RodEnergy energy(double t) override;
  double strain(double t) override;
  const std::vector<BottomEvent>& follow(std::size_t lifts) override;
  bool limited() const override { return limited_; }
  double strain_rate(double x, double t);  ///< v_xt at x in (0, 1/2]

private:
  /// Modes of the strain under one boundary condition at the bottom.
  struct Modes {
    Eigen::MatrixXd shape;   ///< columns: strain coefficients of the modes
    Eigen::VectorXd lambda;  ///< squared frequencies a^2
    Eigen::VectorXd mean;    ///< integral of each mode's displacement over the rod
  };
  /// Strain, its rate, and the rigid part at one moment.
  struct State {
    Eigen::VectorXd strain, rate;
    double gap = 0.0, speed = 0.0;  ///< of the bottom
  };
  /// One stretch between events, in the coordinates of its modes.
  struct Phase {
    double start;
    bool contact;
    Eigen::VectorXd offset, rate;  ///< modal, relative to the static state
    CentreOfMass centre;           ///< at the start (air)
    double reach;                  ///< |gap - h| can never exceed this in the air
    bool continued = false;        ///< a flight taken up again on its way down: the gap is not zero at its start
  };
  struct Sums {
    double force, strain0, mean, mean_rate;
  };

  void begin(double t, bool contact, const State& state);
  State state(const Phase& phase, double since) const;  ///< times since the start of the phase
  Sums sums(const Phase& phase, double since) const;
  double gap(const Phase& phase, double since) const;
  CentreOfMass centre_in_air(const Phase& phase, double since) const;
  /// Follows one phase to its end (or until `limit`); true if an event was found.
  bool run(double limit);
  const Phase& phase_at(double t) const;
  const Phase& phase_before(double t) const;  ///< at an event: the phase that ends there
  void advance(double t);
  double step_at(double since) const;
  /// Strain at the bottom while it is on the ground: the polynomial's.
  double strain_on_ground(const Phase& phase, double since) const;
  double evaluate(const Eigen::VectorXd& strain, double bottom, double x) const;

  StructuralRod rod_;
  Liftoff first_;
  Eigen::MatrixXd integral_;  ///< displacement coefficients of the strain basis
  Modes ground_, air_;
  std::vector<Phase> phases_;
  std::vector<BottomEvent> events_;
  double searched_ = 0.0;     ///< the current phase holds at least so long
  double settled_at_ = -1.0;  ///< static from here on, if >= 0
  double loud_at_ = 0.0;      ///< last time in the current phase that the force was far from static
  bool stays_ = false, limited_ = false;
  std::size_t steps_ = 0;
  std::size_t lifts_ = 0;
};

}  // namespace carom::elastic
