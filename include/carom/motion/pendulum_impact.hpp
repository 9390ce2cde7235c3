// What does it cost a pendulum to strike the floor with its tip?
// A chain of links touches a level floor. A rigid law answers at once, from the mass matrix and the contact's Jacobian;
// forces over time are followed through the touch, gravity and all (Gonthier et al. 2004, section 4.2, Figures 22 and
// 23; the benchmark of Ahmed, Lankarani and Pereira 1999).
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "carom/contact/point_contact.hpp"
#include "carom/core/material.hpp"
#include "carom/core/names.hpp"
#include "carom/motion/link_chain.hpp"

#pragma GCC visibility push(default)

namespace carom {

enum class PendulumImpactLaw { regularized, newton, poisson, energetic };
template <>
inline constexpr auto names_of<PendulumImpactLaw> = std::to_array<Named<PendulumImpactLaw>>({
    {PendulumImpactLaw::regularized, "regularized"},
    {PendulumImpactLaw::newton, "newton"},
    {PendulumImpactLaw::poisson, "poisson"},
    {PendulumImpactLaw::energetic, "energetic"},
});

enum class PendulumVerdict {
  separated,  ///< the tip has left the floor
  no_impact,  ///< it does not approach
  sticks      ///< it has not left after pendulum_contact_time
};
template <>
inline constexpr auto names_of<PendulumVerdict> = std::to_array<Named<PendulumVerdict>>({
    {PendulumVerdict::separated, "separated"},
    {PendulumVerdict::no_impact, "no_impact"},
    {PendulumVerdict::sticks, "sticks"},
});

/// A tip that has not left the floor after this time [s] is said to stick.
inline constexpr double pendulum_contact_time = 1.0;

/// Touches whose damping decays faster than this at rest, A g/v_i [1/s], are followed implicitly: explicit steps would
/// need as many in the second that a tip may stick.
inline constexpr double stiff_touch_rate = 1e5;

struct PendulumImpactProblem {
  LinkChain chain;         ///< its gravity acts during the touch under `regularized` only
  Eigen::VectorXd angles;  ///< [rad], at the touch
  Eigen::VectorXd rates;   ///< [rad/s]
  AngleConvention convention = AngleConvention::relative;  ///< of both, and of rates_after
  PendulumImpactLaw law = PendulumImpactLaw::regularized;
  double mu = 0.0;         ///< Coulomb friction of the rigid laws [-], >= 0
  Restitution e = 1.0;     ///< of the rigid laws in [0, 1]
  ContactSurface surface;  ///< of `regularized`, where its own `e` and friction count
};

struct PendulumImpact {
  PendulumVerdict verdict = PendulumVerdict::no_impact;
  double loss_fraction = 0.0;                         ///< 1 - (KE + PE after - PE before) / KE before
  Eigen::VectorXd rates_after;                        ///< [rad/s]
  Eigen::Vector2d impulse = Eigen::Vector2d::Zero();  ///< on the tip, (t, n), t along x [N s]
  double duration = 0.0;                              ///< of the touch [s]; 0 for rigid laws
  std::size_t steps = 0;                              ///< of the integrator
  bool limited = false;                               ///< it ended on the bound on work, still in touch
};

/// With verdict `sticks` the state at the end. Touches so slow that their damping is stiff (A g/v_i beyond
/// stiff_touch_rate) are followed by an implicit method, to 1e-9.
/// @throws InvalidInput naming `chain.links[0].length`, ..., `angles` (also where the chain is straight, so that its
/// tip cannot answer in every direction), `rates`, `mu`, `e`, `surface.stiffness`, ...
PendulumImpact pendulum_impact(const PendulumImpactProblem& problem);

}  // namespace carom

#pragma GCC visibility pop
