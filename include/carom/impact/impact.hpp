// What does every impact model answer with?
// The words shared by all models: the verdict, the ordered events of the process, flags, and the result that
// carries them with the impulse, the velocity after and the energy ledger.
#pragma once

#include <Eigen/Core>
#include <array>
#include <boost/container/static_vector.hpp>
#include <cstdint>

#include "carom/core/energy.hpp"
#include "carom/core/flags.hpp"
#include "carom/core/names.hpp"

#pragma GCC visibility push(default)

namespace carom {

enum class Verdict : std::uint8_t {
  separated,    ///< the impact happened and ended
  no_impact,    ///< the bodies do not approach: nothing happens
  event_limit,  ///< the named bound on events was reached; the state is partial
  invalid       ///< batch calls only: this row's input was refused
};
template <>
inline constexpr auto names_of<Verdict> = std::to_array<Named<Verdict>>({
    {Verdict::separated, "separated"},
    {Verdict::no_impact, "no_impact"},
    {Verdict::event_limit, "event_limit"},
    {Verdict::invalid, "invalid"},
});

enum class EventType : std::uint8_t {
  start_slip,
  start_stick,
  slip_ends,      ///< sliding velocity reaches zero
  slip_resumes,   ///< and slip starts again at once (reversed, or in the one direction that leads away)
  straight_slip,  ///< the initial slip is along an invariant direction
  compression_ends,
  recompression_begins,
  stick_ends,
  separates,
  closes  ///< many contacts: this one starts to press
};
template <>
inline constexpr auto names_of<EventType> = std::to_array<Named<EventType>>({
    {EventType::start_slip, "start_slip"},
    {EventType::start_stick, "start_stick"},
    {EventType::slip_ends, "slip_ends"},
    {EventType::slip_resumes, "slip_resumes"},
    {EventType::straight_slip, "straight_slip"},
    {EventType::compression_ends, "compression_ends"},
    {EventType::recompression_begins, "recompression_begins"},
    {EventType::stick_ends, "stick_ends"},
    {EventType::separates, "separates"},
    {EventType::closes, "closes"},
});

/// One event of the process: where the impulse and the relative velocity stood when it happened.
template <int N>
struct Event {
  EventType type = EventType::start_slip;
  Eigen::Matrix<double, N, 1> impulse = Eigen::Matrix<double, N, 1>::Zero();   ///< on A, accumulated [N s]
  Eigen::Matrix<double, N, 1> velocity = Eigen::Matrix<double, N, 1>::Zero();  ///< A relative to B [m/s]
};

enum class Flag : std::uint8_t {
  jamb,                  ///< friction drives the contact into itself at first touch
  energy_gain,           ///< kinetic energy rose by more than 1e-12 of itself (Newton's law can do that)
  marginal,              ///< on the edge between two outcomes
  recompression,         ///< compression started a second time
  e0_jam,                ///< e = 0 and the remaining tangential strain would press the bodies together
  rigid_limit,           ///< tangential springs too stiff to resolve: the rigid model answered
  event_limit,           ///< see Verdict::event_limit
  overflow,              ///< a result left the range of a double; values that do not exist are not finite
  e_clamped,             ///< restitution was raised to the smallest value the model can follow
  mixed_exponents,       ///< contacts of unlike force laws: the outcome depends on speed and absolute stiffness
  hyperstatic,           ///< friction forces are not unique; the ones of least norm are given
  ill_conditioned,       ///< the input's own rounding moves the result by more than the promised accuracy
  no_required_friction,  ///< multipoint: some contact pulls in every split of an answer's impulses, or
                         ///< friction would have to be without bound
  undefined_reading      ///< compliant, as published: slip would have to start backwards, so the contact sticks
};

template <>
inline constexpr auto names_of<Flag> = std::to_array<Named<Flag>>({
    {Flag::jamb, "jamb"},
    {Flag::energy_gain, "energy_gain"},
    {Flag::marginal, "marginal"},
    {Flag::recompression, "recompression"},
    {Flag::e0_jam, "e0_jam"},
    {Flag::rigid_limit, "rigid_limit"},
    {Flag::event_limit, "event_limit"},
    {Flag::overflow, "overflow"},
    {Flag::e_clamped, "e_clamped"},
    {Flag::mixed_exponents, "mixed_exponents"},
    {Flag::hyperstatic, "hyperstatic"},
    {Flag::ill_conditioned, "ill_conditioned"},
    {Flag::no_required_friction, "no_required_friction"},
    {Flag::undefined_reading, "undefined_reading"},
});
using Flags = FlagSet<Flag>;

/// The most events one rigid impact can have.
inline constexpr std::size_t max_rigid_events = 12;

/// What the result of every impact model says.
struct ImpactSummary {
  Verdict verdict = Verdict::no_impact;
  EnergyLedger energy;
  Flags flags;
};

/// What an impact did, in contact axes.
template <int N>
struct ImpactResult : ImpactSummary {
  using Vector = Eigen::Matrix<double, N, 1>;
  Vector impulse = Vector::Zero();                                     ///< on A [N s]
  Vector velocity_after = Vector::Zero();                              ///< of the contact point, A relative to B [m/s]
  boost::container::static_vector<Event<N>, max_rigid_events> events;  ///< in order
};

}  // namespace carom

#pragma GCC visibility pop
