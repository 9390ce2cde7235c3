// What happens when many bodies hit each other at the same time?
// Every contact is a normal spring (linear or Hertz) that gives back e^2 of the work it absorbs, with Coulomb friction,
// rigid or through tangential springs. All contacts press at once; who closes, slips, sticks and separates, and when,
// follows from the springs: the order of the contacts in the list does not matter, ratios of stiffness do.
// Theory: docs/theory/simultaneous.md. Source: Wang 2017, chapter 3; Jia 2012 (tangential springs), as corrected there.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "carom/core/body.hpp"
#include "carom/core/contact.hpp"
#include "carom/core/energy.hpp"
#include "carom/core/material.hpp"
#include "carom/core/mechanical_system.hpp"
#include "carom/impact/impact.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// What the surfaces of a contact do.
struct ContactSpring {
  double stiffness = 1.0;  ///< k of F = k d^exponent [N/m^exponent], > 0
  double exponent = 1.0;   ///< 1 (linear) or 1.5 (Hertz)
  Material material;       ///< friction >= 0, restitution in [0, 1] (energetic)
  /// Root of normal over tangential stiffness, > 0; none, or below rigid_simultaneous_eta0: rigid Coulomb friction.
  std::optional<double> eta0 = std::nullopt;
};

/// Two bodies of the list touching at a point, and what their surfaces do.
struct SpringContact : PairContact, ContactSpring {};

enum class SimultaneousMethod : std::uint8_t {
  events,          ///< follows every event; accurate to the tolerance
  kick_drift_kick  ///< fixed steps for very many contacts; states its error. Friction needs eta0.
};

struct SimultaneousProblem {
  std::vector<Body> bodies;
  std::vector<SpringContact> contacts;
  double tolerance = 1e-10;  ///< relative error of the final velocities, in [1e-14, 1e-2]
  SimultaneousMethod method = SimultaneousMethod::events;
  double steps_per_time_unit = 64.0;  ///< kick_drift_kick only: steps per time unit of the result, at least 8
};

/// The same for any mechanical system.
struct SimultaneousSystemProblem {
  MechanicalSystem system;             ///< rows of J that depend on each other are fine
  int dimension = 3;                   ///< rows of J per contact: 3 (t1, t2, n), or 2 (t, n)
  std::vector<ContactSpring> springs;  ///< one per contact
  double tolerance = 1e-10;            ///< as SimultaneousProblem, like the following
  SimultaneousMethod method = SimultaneousMethod::events;
  double steps_per_time_unit = 64.0;
};

/// Something happened at one contact.
struct SimultaneousEvent {
  EventType type = EventType::closes;
  std::size_t contact = 0;
  double time = 0.0;                                  ///< from first touch, in time units of the result
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  ///< so far, as ContactOutcome::impulse [N s]
};

enum class NormalMode : std::uint8_t { open, loading, unloading };
enum class TangentMode : std::uint8_t { none, slip, stick, creep };

/// The state of all contacts at one instant.
struct SimultaneousSample {
  struct Contact {
    double force = 0.0;                                  ///< normal [N]
    double compression = 0.0;                            ///< loading-equivalent d [m]
    Eigen::Vector2d friction = Eigen::Vector2d::Zero();  ///< along t1, t2 of the contact [N]
    NormalMode normal = NormalMode::open;
    TangentMode tangent = TangentMode::none;
  };
  double time = 0.0;  ///< in time units
  std::vector<Contact> contacts;
};

/// What one contact did. Vectors are in world axes for bodies, in contact axes (t1, t2, n) for a mechanical system,
/// whose planar contacts (t, n) have t2 = 0.
struct ContactOutcome {
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();         ///< on body i [N s]
  Eigen::Vector3d velocity_after = Eigen::Vector3d::Zero();  ///< body i over body j [m/s]
  int compressions = 0;                                      ///< how often it was loaded; 1 for a simple impact
  double restitution_loss = 0.0;                             ///< [J]
  double friction_loss = 0.0;                                ///< [J]
};

/// What is told of any simultaneous impact. Its energy is that of all bodies, of the whole system; its flags are
/// recompression, energy_gain, e_clamped, mixed_exponents, hyperstatic, rigid_limit, event_limit, overflow and
/// ill_conditioned.
struct SimultaneousOutcome : ImpactSummary {
  std::vector<ContactOutcome> contacts;
  std::vector<SimultaneousEvent> events;  ///< in order of time; none from kick_drift_kick
  /// Seconds per time unit: (m0 v0^(1-p) / k0)^(1/(p+1)), with v0 the largest approach speed, 1/m0 the largest normal
  /// inverse inertia, k0 the largest stiffness and p its exponent.
  double time_unit = 0.0;
  std::size_t steps = 0;  ///< integration steps taken
  double velocity_error =
      0.0;  ///< kick_drift_kick: difference of contact velocities to a run with half the steps [m/s]
};

struct SimultaneousImpact : SimultaneousOutcome {
  std::vector<Body> bodies;  ///< with their velocities after
};

struct SimultaneousSystemImpact : SimultaneousOutcome {
  Eigen::VectorXd velocity;  ///< generalized, after
};

/// An impact and how it went.
struct SimultaneousPath {
  SimultaneousImpact impact;
  std::vector<SimultaneousSample> samples;  ///< in order of time, the first at first touch, the last at the end
};

/// Restitution below this is raised to it (flag e_clamped): unloading is 1/e^2 times stiffer than loading, and the
/// velocities already differ from those of e = 0 by less than a thousandth.
inline constexpr double smallest_restitution = 1e-3;

/// Below this eta0 the tangential springs answer as rigid friction (flag rigid_limit; not for kick_drift_kick). They
/// vibrate 1/eta0 times during an impact and every vibration is followed: a rack of ten takes half a second here,
/// while its velocities differ from those of rigid friction by less than 1e-5 of the impact speed.
inline constexpr double rigid_simultaneous_eta0 = 3e-3;

/// Friction above this answers as this: the creep that more friction would still shorten is too short to be followed.
/// It is not quite the limit: in a Hertz rack velocities change by 1e-4 of the impact speed from 1e9 to here.
inline constexpr double largest_simultaneous_friction = 1e12;

/// Rigid friction can hold springs compressed for ever (a wedge): the run then ends with Verdict::event_limit, what the
/// springs would still give back as `residual`. Termination with friction is not proved, and bodies of very unlike mass
/// vibrate very often: a bound on the work also ends with Verdict::event_limit and the state reached, as does time that
/// stands still (steps that have become too short). The unit of work is one step of the integration for one contact, .2
/// us without friction and .6 to 1.1 us with; what a step costs beside its contacts, and what events cost, is counted
/// in the same unit. A row of up to 20 contacts ends within .8 s. Three Hertz contacts that chatter two thousand times
/// before they part need 630,000; chains of hundreds need some hundred steps per contact, honestly.
inline constexpr double max_simultaneous_work = 650'000.0;
inline constexpr double max_simultaneous_steps_per_contact = 1000.0;
constexpr double simultaneous_work_bound(std::size_t contacts) {
  const auto m = static_cast<double>(contacts);
  const double many = max_simultaneous_steps_per_contact * m * m;
  return many > max_simultaneous_work ? many : max_simultaneous_work;
}

/// The most steps of kick_drift_kick, whose number the caller chooses.
inline constexpr std::size_t max_fixed_steps = 10'000'000;

/// Impulses, velocities, ordered events and energy of an impact at any number of contacts.
/// @param problem  bodies, contacts, tolerance, method; see there for units
/// @return         bodies after, outcome per contact, events, ledger, verdict `separated`, `no_impact`, `event_limit`
/// @throws InvalidInput naming `bodies[i]...`, `contacts[k]...`, `tolerance` or `steps_per_time_unit`
SimultaneousImpact simultaneous_impact(const SimultaneousProblem& problem);

/// The same for any mechanical system: linkages, robots, bodies on rods.
/// @return  generalized velocity after, outcome per contact and events in contact axes, ledger of the whole system
/// @throws InvalidInput naming `mass_matrix`, `jacobian`, `velocity`, `dimension`, `springs`, `springs[k]...`,
/// `tolerance` or `steps_per_time_unit`
SimultaneousSystemImpact simultaneous_impact(const SimultaneousSystemProblem& problem);

/// What the normal spring of a contact will give back [J]: e^2 of the work absorbed, e^2 F d / (p + 1), e no less than
/// smallest_restitution.
/// @param spring   the contact's stiffness, exponent p and material
/// @param contact  its state at one instant: force F, compression d
double stored_energy(const ContactSpring& spring, const SimultaneousSample::Contact& contact);

/// The impact and at most `points` samples of it, for drawing. Half of them are for instants evenly spaced in time,
/// half for instants just after an event: every event if they fit, else every second, fourth, ... . Nothing about the
/// impact changes, and memory grows with points x contacts, not with the steps. Compressions between two steps are
/// interpolated (cubic), their forces follow from the springs, friction from the forces at the steps; exact for linear
/// springs without friction. kick_drift_kick has no events; its samples are those of the nearest step.
/// @throws InvalidInput as simultaneous_impact, and naming `points` (less than 2)
SimultaneousPath simultaneous_path(const SimultaneousProblem& problem, std::size_t points);

}  // namespace carom

#pragma GCC visibility pop
