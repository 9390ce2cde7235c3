// The scaled problem of simultaneous impact, shared by its solvers: contacts as springs, the products with W, who is
// pressing, and what to do with contacts that touch at rest.
// Units: the largest approach speed, the inverse of the largest normal inverse inertia, and the time unit of
// SimultaneousImpact are 1; then forces, compressions and impulses are of order 1 too.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "carom/impact/simultaneous.hpp"

#include "factor.hpp"
#include "path.hpp"

namespace carom::simultaneous {

/// A normal velocity below this counts as rest when a contact without compression is armed; an event fires when a
/// velocity has passed zero by twice as much, so that what it decides is beyond doubt. The delay changes compressions
/// by its square.
constexpr double rest_speed = 1e-14;
constexpr double event_level = 2.0 * rest_speed;

/// Accelerations below this share of the largest force acting count as zero when the leading orders are compared: the
/// rounding of two equal pushes that cancel.
constexpr double cancellation = 1e-13;

/// Coefficients of leading forces below this are none: along a chain they fall as the exponential of a power, and would
/// leave the range of a double after some ten balls. Such a contact closes when it is seen to approach.
constexpr double weakest_push = 1e-100;

/// A contact whose velocity, and the velocity its stored energy could still give, are below this is at rest: when no
/// other contact presses, the impact is over. (Plastic contacts bounce for ever, each time a thousandth as fast.)
constexpr double idle_speed = 1e-12;

/// One contact, scaled.
struct Spring {
  double k = 1.0, p = 1.0;
  double e2 = 1.0;    // share of the absorbed work given back
  double mu = 0.0;    // 0: no friction
  double eta2 = 0.0;  // eta0^2; 0: rigid Coulomb friction

  bool hertz() const { return p > 1.0; }
  double force(double d) const { return hertz() ? (d > 0.0 ? k * d * std::sqrt(d) : 0.0) : k * d; }
  double slope(double d) const { return hertz() ? (d > 0.0 ? 1.5 * k * std::sqrt(d) : 0.0) : k; }  // dF/dd
  double energy(double d) const { return force(d) * d / (p + 1.0); }
};

/// What a contact is doing, and its account.
struct ContactState {
  NormalMode normal = NormalMode::open;
  TangentMode tangent = TangentMode::none;
  bool slaved = false;    // friction B in slip: the direction follows -u_t at once
  bool stopping = false;  // creep that comes to rest: slip so slow that its direction is in balance
  double angle = 0.0;     // creep: direction of the friction force
  int compressions = 0;
  double loaded_from = 0.0;  // compression where the present loading began
  double absorbed = 0.0;     // work of all loadings that ended

  bool closed() const { return normal != NormalMode::open; }
};

/// Contacts and what they move, with D velocity components per contact: 1 (normal only) or 3 (t1, t2, n).
template <int D>
class System {
public:
  using Vector = Eigen::Matrix<double, D, 1>;
  using Vectors = std::vector<Vector>;
  using Motion = Eigen::Matrix<double, 6, 1>;  // of a block of the factor: a body's, for bodies
  using Motions = std::vector<Motion>;
  static constexpr int normal = D - 1;

  /// Contact c of the system is contact order[c] of the factor, of the springs and of the velocities u.
  System(const Factor& factor, const std::vector<std::size_t>& order, const std::vector<Spring>& springs,
         const std::vector<Eigen::Vector3d>& u, double mass_unit, double speed_unit);

  /// Some of the contacts, by themselves, in that order.
  System part(const std::vector<std::size_t>& contacts) const;

  std::size_t size() const { return springs_.size(); }
  /// What a product costs, in contacts of two bodies (see Work).
  double effort() const { return std::max(static_cast<double>(size()), 0.5 * static_cast<double>(parts_.size())); }
  const Spring& spring(std::size_t c) const { return springs_[c]; }
  const Vectors& initial() const { return u0_; }
  void set_initial(std::size_t c, const Vector& u) { u0_[c] = u; }

  /// out = W in, or W in + add. `in` holds D numbers per contact.
  void response(const double* in, double* out, const double* add = nullptr) const;
  /// The two halves of that product, for some contacts only. Motions (velocities times the root of the mass matrix)
  /// change by those contacts' impulses; velocities at those contacts follow, the rest of `out` is left alone.
  void push(const std::vector<std::size_t>& contacts, const double* in, Motions& z) const;
  void observe(const std::vector<std::size_t>& contacts, const Motions& z, double* out,
               const double* add = nullptr) const;
  /// The same product contact by contact, once rows are kept: where bodies have few contacts each, that is quicker.
  void keep_rows();
  bool has_rows() const { return row_first_.size() > 1; }
  void respond(const std::vector<std::size_t>& contacts, const double* in, double* out,
               const double* add = nullptr) const;
  Motions at_rest() const { return Motions(z_.size(), Motion::Zero()); }
  /// A bound on the time in which the heaviest body (block) on the softest spring swings, a period over 2 pi.
  double slowest_swing() const;
  /// The contacts that move each block of the factor.
  std::vector<std::vector<std::size_t>> contacts_of_blocks() const;
  /// The blocks that a contact moves.
  std::vector<std::size_t> moved_by(std::size_t c) const;
  /// Nothing ever moves a contact sideways: no velocity does at first, and no normal impulse can.
  bool straight() const;
  /// Inverse inertia between two contacts.
  Eigen::Matrix<double, D, D> block(std::size_t a, std::size_t b) const;

private:
  System() = default;
  struct Part {
    std::size_t block = 0;
    Eigen::Matrix<double, 6, D> half;
  };
  /// The parts of contact c are those from first(c) to first(c + 1). Contacts of bodies have two each; those who know
  /// it (Pairs) need no loop.
  template <bool Pairs>
  const Part* first(std::size_t c) const {
    return parts_.data() + (Pairs ? 2 * c : first_[c]);
  }
  template <bool Pairs>
  void push(std::size_t c, const double* in, Motions& z) const;
  template <bool Pairs>
  void observe(std::size_t c, const Motions& z, double* out, const double* add) const;
  std::vector<Spring> springs_;
  std::vector<Part> parts_;
  std::vector<std::size_t> first_ = {0};  // part of each contact, and one past the last
  bool pairs_ = true;                     // two parts each
  Vectors u0_;
  mutable Motions z_;  // of response
  struct Block {
    std::size_t contact = 0;
    Eigen::Matrix<double, D, D> w;
  };
  std::vector<Block> rows_;                   // of W, if kept
  std::vector<std::size_t> row_first_ = {0};  // block of each contact, and one past the last
};

/// The leading behaviour of every contact from now on: force coefficient of t^order.
template <int D>
struct LeadingForces {
  std::vector<double> order;
  typename System<D>::Vectors coefficient;
};

/// What settle_normals works with, for m contacts: made once, used at every event.
template <int D>
struct SettleSpace {
  explicit SettleSpace(std::size_t m)
      : lead{std::vector<double>(m), typename System<D>::Vectors(m)}, level(m), answer(m) {
    waiting.reserve(m);
  }
  void resize(std::size_t m) {
    lead.order.resize(m);
    lead.coefficient.resize(m);
    level.resize(m);
    answer.resize(m);
  }
  LeadingForces<D> lead;
  typename System<D>::Vectors level, answer;
  std::vector<std::size_t> waiting;
};

/// Normal modes for the velocities u and compressions d, given the forces of the compressed contacts: compressed ones
/// by the sign of u_n; contacts without compression close if they approach, and if at rest, if the forces press them
/// together. Those are compared order by order in time (docs/theory/simultaneous.md, Start). `friction` gives the
/// tangential coefficient of a contact that starts to press: (contact, order, force coefficient vector to complete,
/// u, acceleration coefficient). `system` is a System or says of some contacts what that says of all: size, spring and
/// response.
template <class Contacts, int D, class Friction, class LevelFriction>
void settle_normals(const Contacts& system, const typename System<D>::Vectors& u, const std::vector<double>& d,
                    const typename System<D>::Vectors& force, std::vector<ContactState>& state, SettleSpace<D>& space,
                    Friction&& friction, LevelFriction&& level_friction);

/// How a run is told: events with the impulses at that time.
struct Log {
  struct Entry {
    EventType type;
    std::size_t contact;
    double time;
    Eigen::Vector3d impulse;  // contact axes, scaled
  };
  std::vector<Entry> events;
  Path* path = nullptr;  // samples, if wanted
  bool recompression = false, hyperstatic = false;
  bool straight = false;  // friction was left out, having nothing to hold (System::straight)
};

/// What a solver hands back, scaled, contact axes.
struct Outcome {
  std::vector<Eigen::Vector3d> impulse;
  std::vector<double> friction_work;
  std::vector<ContactState> state;
  std::size_t steps = 0;
  bool finished = true;
  bool overflow = false;  // a force or rate left the range of a double: the state is the last before
  double error = 0.0;
  double residual = 0.0;  // what the springs would still give back when a bound ended the run
};

/// Work done and allowed, in steps of one contact (see simultaneous_work_bound).
class Work {
public:
  explicit Work(double allowed) : allowed_(allowed) {}
  void spend(double amount) { spent_ += amount; }
  bool left() const { return spent_ < allowed_; }
  double spent() const { return spent_; }

private:
  double allowed_, spent_ = 0.0;
};

/// Frictionless, all linear: exact between events.
Outcome solve_series(const System<1>& system, Work& work, Log& log);
/// The same for many contacts: each has series and events of its own. None if W has too many entries for that, or an
/// event reaches more than a share of all contacts.
std::optional<Outcome> solve_local_series(const System<1>& system, Work& work, Log& log, double most_share = 1.0 / 3.0);
/// Everything else: high-order steps between located events.
Outcome solve_flow(const System<1>& system, double tolerance, Work& work, Log& log);
Outcome solve_flow(const System<3>& system, double tolerance, Work& work, Log& log);
/// The same for many contacts, in parts that go by themselves for a while; none if all contacts are near each other.
std::optional<Outcome> solve_parts(const System<1>& system, double tolerance, Work& work, Log& log);
std::optional<Outcome> solve_parts(const System<3>& system, double tolerance, Work& work, Log& log);
/// Fixed steps without events, of `step` and of half that; the error is the largest difference of contact velocities.
Outcome solve_kick_drift_kick(const System<1>& system, double step, Log& log);
Outcome solve_kick_drift_kick(const System<3>& system, double step, Log& log);

/// True if no pressing contact has anything left to do. `velocity(c)` is its normal velocity, `d(c)` its compression.
template <class State, class Velocity, class Compression, class Springs>
bool is_idle(const State& state, const Springs& spring, const Velocity& velocity, const Compression& d) {
  for (std::size_t c = 0; c < state.size(); ++c)
    if (state[c].closed() &&
        (std::abs(velocity(c)) > idle_speed || spring(c).energy(std::max(d(c), 0.0)) > idle_speed * idle_speed))
      return false;
  return true;
}

/// What a contact that is still pressed, at compression d, holds of the work it absorbed and has not accounted for: the
/// loss of a loading is booked when it ends, that of an unloading was.
inline double energy_held(const ContactState& state, const Spring& spring, double d) {
  if (!state.closed()) return 0.0;
  const double stored = spring.energy(std::max(d, 0.0));
  return state.normal == NormalMode::loading ? stored - (1.0 - spring.e2) * spring.energy(state.loaded_from)
                                             : spring.e2 * stored;
}

/// Book-keeping when the normal mode of a contact changes at compression d; records the event.
void change_normal_mode(ContactState& state, const Spring& spring, NormalMode mode, double d, std::size_t contact,
                        double time, const Eigen::Vector3d& impulse, Log& log);

/// Impulses, in units of mass times speed, lie in their friction cones; what errors of the integration have put outside
/// is taken off, if it moves velocities by no more than a few tolerances.
/// @return  whether all impulses are in their cones now
bool put_into_cones(const Factor& factor, const std::vector<Spring>& springs, double mass, double tolerance,
                    std::vector<Eigen::Vector3d>& impulses);

}  // namespace carom::simultaneous

#include "settle.hpp"
