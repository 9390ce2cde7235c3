// What does every impact model answer with?
// The words shared by all models: the verdict, the ordered events of the process, flags, and the result that
// carries them with the impulse, the velocity after and the energy ledger.
#pragma once

#include <Eigen/Core>
#include <array>
#include <boost/container/static_vector.hpp>
#include <cstdint>

#include "carom/core/energy.hpp"

namespace carom {

enum class Verdict : std::uint8_t {
  separated,    ///< the impact happened and ended
  no_impact,    ///< the bodies do not approach: nothing happens
  event_limit,  ///< the named bound on events was reached; the state is partial
  invalid       ///< batch calls only: this row's input was refused
};

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

/// One event of the process: where the impulse and the relative velocity stood when it happened.
template <int N>
struct Event {
  EventType type = EventType::start_slip;
  Eigen::Matrix<double, N, 1> impulse = Eigen::Matrix<double, N, 1>::Zero();   ///< on A, accumulated [N s]
  Eigen::Matrix<double, N, 1> velocity = Eigen::Matrix<double, N, 1>::Zero();  ///< A relative to B [m/s]
};

enum class Flag : std::uint16_t {
  jamb = 1 << 0,              ///< friction drives the contact into itself at first touch
  energy_gain = 1 << 1,       ///< kinetic energy rose by more than 1e-12 of itself (Newton's law can do that)
  marginal = 1 << 2,          ///< on the edge between two outcomes
  recompression = 1 << 3,     ///< compression started a second time
  e0_jam = 1 << 4,            ///< e = 0 and the remaining tangential strain would press the bodies together
  rigid_limit = 1 << 5,       ///< tangential springs too stiff to resolve: the rigid model answered
  event_limit = 1 << 6,       ///< see Verdict::event_limit
  overflow = 1 << 7,          ///< a result left the range of a double; values that do not exist are not finite
  e_clamped = 1 << 8,         ///< restitution was raised to the smallest value the model can follow
  mixed_exponents = 1 << 9,   ///< contacts of unlike force laws: the outcome depends on speed and absolute stiffness
  hyperstatic = 1 << 10,      ///< friction forces are not unique; the ones of least norm are given
  ill_conditioned = 1 << 11,  ///< the input's own rounding moves the result by more than the promised accuracy
  no_required_friction = 1 << 12  ///< multipoint: some contact pulls in every split of an answer's impulses, or
                                  ///< friction would have to be without bound
};

/// A set of flags.
class Flags {
public:
  void set(Flag flag, bool on = true) { bits_ = on ? bits_ | mask(flag) : bits_ & ~mask(flag); }
  bool has(Flag flag) const { return (bits_ & mask(flag)) != 0; }
  bool none() const { return bits_ == 0; }
  friend bool operator==(Flags, Flags) = default;

private:
  static unsigned mask(Flag flag) { return static_cast<unsigned>(flag); }
  unsigned bits_ = 0;
};

inline constexpr std::array all_flags = {Flag::jamb,
                                         Flag::energy_gain,
                                         Flag::marginal,
                                         Flag::recompression,
                                         Flag::e0_jam,
                                         Flag::rigid_limit,
                                         Flag::event_limit,
                                         Flag::overflow,
                                         Flag::e_clamped,
                                         Flag::mixed_exponents,
                                         Flag::hyperstatic,
                                         Flag::ill_conditioned,
                                         Flag::no_required_friction};

// The names used in files and by `carom solve`.
const char* name(Verdict verdict);
const char* name(EventType type);
const char* name(Flag flag);

/// The most events one rigid impact can have.
inline constexpr std::size_t max_rigid_events = 12;

/// What an impact did, in contact axes.
template <int N>
struct ImpactResult {
  using Vector = Eigen::Matrix<double, N, 1>;
  Verdict verdict = Verdict::no_impact;
  Vector impulse = Vector::Zero();         ///< on A [N s]
  Vector velocity_after = Vector::Zero();  ///< of the contact point, A relative to B [m/s]
  EnergyLedger energy;
  Flags flags;
  boost::container::static_vector<Event<N>, max_rigid_events> events;  ///< in order
};

}  // namespace carom
