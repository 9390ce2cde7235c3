// With which velocity must a bat meet a flying body so that it flies through a target?
// The impulse that does it, as a function of the time of flight, is a plane curve; friction bounds it by a cone. Every
// time of flight that puts the curve inside the cone gives a plan: the impulse is inverted to the contact velocity that
// brings it about, and the whole is checked by the forward model. Which time is taken is a matter of the objective.
// Theory: docs/theory/planning.md. Source: Wang 2017, chapter 4, with the corrections named there.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "carom/core/body.hpp"
#include "carom/core/contact.hpp"
#include "carom/core/flags.hpp"
#include "carom/core/material.hpp"
#include "carom/core/names.hpp"
#include "carom/impact/collide.hpp"
#include "carom/impact/spatial.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// What the bat may do; infinite: no limit.
struct BatLimits {
  double speed = std::numeric_limits<double>::infinity();             ///< of its centre of mass [m/s]
  double angular_velocity = std::numeric_limits<double>::infinity();  ///< [rad/s]
};

/// Limits, and what they mean for the velocity of the bat's point at the contact.
struct BatReach {
  BatLimits limits;
  Eigen::Vector3d arm = Eigen::Vector3d::Zero();  ///< from the bat's centre of mass to the contact, world axes [m]
};

/// How W and the contact velocity change as the contact point moves by a metre along a tangent of the contact; axes
/// (t1, t2, n). The bat does not turn.
struct ContactShift {
  Eigen::Matrix3d inverse_inertia = Eigen::Matrix3d::Zero();  ///< [1/(kg m)]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();         ///< [1/s]
};

/// What is struck, how it answers, and where it shall go. World axes, z upwards, except W.
struct BattingProblem {
  Eigen::Matrix3d inverse_inertia = Eigen::Matrix3d::Identity();  ///< W [1/kg], axes (t1, t2, n)
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();            ///< columns t1, t2, n; n points into the object
  double mass = 1.0;                                              ///< of the object [kg]
  Eigen::Vector3d position = Eigen::Vector3d::Zero();             ///< centre of mass of the object [m]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();             ///< of it, just before [m/s]
  Eigen::Vector3d point_velocity = Eigen::Vector3d::Zero();       ///< of the object's point at the contact [m/s]
  Material material;                                              ///< friction and restitution
  RestitutionLaw law = RestitutionLaw::energetic;                 ///< ignored with springs
  std::optional<TangentialSprings> springs = {};                  ///< the compliant model is the forward law
  Eigen::Vector3d target = Eigen::Vector3d::UnitX();              ///< [m]
  double gravity = 9.8;                                           ///< along -z [m/s^2], >= 0
  std::optional<std::array<ContactShift, 2>> contact_shift = {};  ///< along t1 and t2; none where only W is known
  std::optional<BatReach> reach = {};                             ///< plans within these limits come first
};

/// The problem of two bodies. The bat's own velocities are what is looked for: those given are ignored.
/// @throws InvalidInput as contact_space(), naming `bodies[0]` if the object is immovable
BattingProblem batting_problem(const Body& object, const Body& bat, const Contact& contact, const Material& material,
                               const Eigen::Vector3d& target);

/// @throws InvalidInput naming `inverse_inertia`, `frame` (not orthonormal and right-handed to frame_tolerance),
/// `mass`, `position`, `velocity`, `friction`, `restitution`, `stiffness_ratio_root`, `target` or `gravity`
void require_valid(const BattingProblem& problem);
inline constexpr double frame_tolerance = 1e-9;

/// How a plan is looked for.
enum class BattingMethod : std::uint8_t {
  automatic,          ///< the general method
  closed_form,        ///< slip along an invariant direction only (Wang 2017, algorithm 4, mended)
  bounding_triangle,  ///< three trajectories around the target (algorithm 5), to a tolerance
  newton              ///< the general method: the impulse inverted by Newton's method
};
template <>
inline constexpr auto names_of<BattingMethod> = std::to_array<Named<BattingMethod>>({
    {BattingMethod::automatic, "auto"},
    {BattingMethod::closed_form, "closed_form"},
    {BattingMethod::bounding_triangle, "bounding_triangle"},
    {BattingMethod::newton, "newton"},
});

/// Which of many plans is the best.
enum class BattingObjective : std::uint8_t {
  least_impulse,     ///< least |I|
  min_bat_speed,     ///< least speed of a bat that does not turn
  shortest_flight,   ///< arrives first
  gentlest_arrival,  ///< least speed of the object at the target
  most_certain       ///< least scatter about the target (carom/plan/batting_certainty.hpp)
};
template <>
inline constexpr auto names_of<BattingObjective> = std::to_array<Named<BattingObjective>>({
    {BattingObjective::least_impulse, "least_impulse"},
    {BattingObjective::min_bat_speed, "min_bat_speed"},
    {BattingObjective::shortest_flight, "shortest_flight"},
    {BattingObjective::gentlest_arrival, "gentlest_arrival"},
    {BattingObjective::most_certain, "most_certain"},
});

enum class BattingFlag : std::uint8_t {
  out_of_reach,      ///< no plan of the method asked for
  thin_margin,       ///< no time of flight keeps the impulse 2 % away from the edge of the friction cone
  may_jam,           ///< mu |W_tn| > W_nn: not every impulse inside the cone can be brought about; each was tried
  within_tolerance,  ///< bounding triangle: it ends within its tolerance of the target, not on it
  overflow,          ///< a number left the range of doubles: plans may exist that were not found
  no_spin_known,     ///< without bodies the object's spin is not known: the speed of the bat is that without spin
  at_time_limit,     ///< the best lies at the shortest or longest time of flight looked at: beyond it others are better
  beyond_limits,     ///< no plan keeps within the limits of the bat
  at_target          ///< no plan, and the target is where the object already is: how close one comes means nothing
};
template <>
inline constexpr auto names_of<BattingFlag> = std::to_array<Named<BattingFlag>>({
    {BattingFlag::out_of_reach, "out_of_reach"},
    {BattingFlag::thin_margin, "thin_margin"},
    {BattingFlag::may_jam, "may_jam"},
    {BattingFlag::within_tolerance, "within_tolerance"},
    {BattingFlag::overflow, "overflow"},
    {BattingFlag::no_spin_known, "no_spin_known"},
    {BattingFlag::at_time_limit, "at_time_limit"},
    {BattingFlag::beyond_limits, "beyond_limits"},
    {BattingFlag::at_target, "at_target"},
});
using BattingFlags = FlagSet<BattingFlag>;

/// One way to do it. World axes.
struct BattingShot {
  double flight_time = 0.0;                                    ///< [s]
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();           ///< on the object [N s], of the forward model
  Eigen::Vector3d contact_velocity = Eigen::Vector3d::Zero();  ///< object relative to bat, just before [m/s]
  double bat_speed = 0.0;                                      ///< of a bat that does not turn [m/s]
  double miss_distance = 0.0;  ///< closest approach of the flight to the target, by the forward model [m]
  BattingMethod method = BattingMethod::newton;
};

/// A plan, or how near one comes.
struct BattingPlan {
  bool found = false;
  BattingShot shot;                                                ///< the best; only if found
  std::vector<BattingShot> alternatives;                           ///< others, best first
  double closest_miss = std::numeric_limits<double>::quiet_NaN();  ///< if not found: no plan comes closer [m];
                                                                   ///< not a number where that is not known (flags)
  BattingFlags flags;
};

/// Standard deviations of what one does not know exactly.
struct BattingSpread {
  double contact_velocity = 0.05;  ///< of each component [m/s]
  double friction = 0.02;          ///< [-]
  double restitution = 0.02;       ///< [-]
  double contact_point = 0.0;      ///< along each tangent of the contact [m]; needs BattingProblem::contact_shift
};

/// A plan whose flight passes the target this closely counts as a hit [m], as a share of the distance where that is
/// more than a metre.
inline constexpr double hit_tolerance = 1e-9;

/// Distance kept from the edge of the friction cone, as a share of mu: near the edge slip must be ever faster to bring
/// the impulse about. Where no time of flight keeps the first, the next is tried.
inline constexpr std::array<double, 4> cone_margins = {0.02, 0.005, 0.0001, 0.0};

/// Times of flight are looked for up to this many times the natural one, sqrt(2 distance / g) (or, without gravity,
/// distance / speed): longer flights are never the best for any objective but in a limit.
inline constexpr double longest_flight = 50.0;

/// Where flights may be as short as one likes (the target lies straight ahead, inside the friction cone), they are
/// looked for down to this share of the natural time: shorter ones take ever harder hits, and neither the shortest
/// flight nor the most certain one need have a minimum. A plan at this end carries BattingFlag::at_time_limit.
inline constexpr double least_flight = 0.02;

/// Where none of these times has a plan, they are looked for this many times as far in both directions.
inline constexpr double wider_flights = 1e4;

/// The best plan by the general method: the best of all times of flight, not only of those near a first guess. Of a
/// problem with `reach`, the best within the limits, and only if there is none the best without (beyond_limits).
/// @param alternatives  at most this many other plans are found and ranked
/// @param spread        what `most_certain` is to be certain of
/// @return              every shot is run through the forward model; found means miss_distance <= hit_tolerance
/// @throws InvalidInput as require_valid, or naming `spread` (most_certain with a contact point that nobody knows)
BattingPlan plan_batting(const BattingProblem& problem, BattingObjective objective = BattingObjective::least_impulse,
                         int alternatives = 0, const BattingSpread& spread = {});

/// The impulse that sends the object to the target in this time: m (alpha/tau + g tau z/2 - V), world axes [N s].
/// @param time  [s], > 0
/// Source: Wang 2017, eqs. 4.10 to 4.13
Eigen::Vector3d solution_impulse(const BattingProblem& problem, double time);

/// The plane curve of all of them, over the x component [N s]: I_y = y[0] + y[1] I_x,
/// I_z = (z[0] + z[1] I_x + z[2] I_x^2) / (I_x + m V_x). Only if the target lies to one side, alpha_x != 0.
struct SolutionCurve {
  Eigen::Vector2d y;
  Eigen::Vector3d z;
};
SolutionCurve solution_curve(const BattingProblem& problem);

/// Times of flight whose impulse lies inside the friction cone.
struct FlightTimes {
  double low = 0.0, high = 0.0;  ///< [s], open; high may be infinite
};
/// @param margin  share of mu to be kept from the edge
std::vector<FlightTimes> feasible_times(const BattingProblem& problem, double margin = 0.0);

/// The contact velocity (object relative to bat, world axes) that brings an impulse about, if any; not checked by the
/// forward model. Rigid law only.
std::optional<Eigen::Vector3d> contact_velocity_for(const BattingProblem& problem, const Eigen::Vector3d& impulse);

/// The impulse on the object that a contact velocity brings about, by the forward model; world axes.
Eigen::Vector3d batting_impulse(const BattingProblem& problem, const Eigen::Vector3d& contact_velocity);

/// The shot with this contact velocity, by the forward model.
BattingShot batting_shot(const BattingProblem& problem, const Eigen::Vector3d& contact_velocity);

/// How close the object, given an impulse, comes to the target, and when.
struct Approach {
  double distance = 0.0;  ///< [m]
  double time = 0.0;      ///< [s]
};
Approach closest_approach(const BattingProblem& problem, const Eigen::Vector3d& impulse);

// --- Closed form ------------------------------------------------------------------------------------------------

/// How the process goes (Wang 2017, section 4.4.3).
enum class ClosedFormCase : std::uint8_t {
  compression_ends_first,  ///< 1a: compression ends before slip does
  slip_ends_first,         ///< 1b
  slip_throughout,         ///< 2: slip never ends
  no_slip                  ///< 3: no slip at the start
};
template <>
inline constexpr auto names_of<ClosedFormCase> = std::to_array<Named<ClosedFormCase>>({
    {ClosedFormCase::compression_ends_first, "1a"},
    {ClosedFormCase::slip_ends_first, "1b"},
    {ClosedFormCase::slip_throughout, "2"},
    {ClosedFormCase::no_slip, "3"},
});

/// A plan whose slip stays straight. World axes, except the direction.
struct ClosedFormPlan {
  double flight_time = 0.0;                                    ///< [s]
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();           ///< aimed at [N s]
  Eigen::Vector3d contact_velocity = Eigen::Vector3d::Zero();  ///< [m/s]
  ClosedFormCase which = ClosedFormCase::slip_ends_first;
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();  ///< of slip, axes (t1, t2)
  double slip_impulse = 0.0;                            ///< normal impulse during slip, b_n [N s]
};

/// Which energy balance case 1a uses.
enum class ClosedFormReading : std::uint8_t {
  model,     ///< slip up to where it ends, then stick or resumed slip
  published  ///< the slip formula up to the end of the impact, as printed: misses unless slip lasts throughout
};
template <>
inline constexpr auto names_of<ClosedFormReading> = std::to_array<Named<ClosedFormReading>>({
    {ClosedFormReading::model, "model"},
    {ClosedFormReading::published, "published"},
});

/// Every plan with slip along an invariant direction, as the formulas have it: not checked by the forward model, not
/// ranked. Empty if there is none. Rigid law only (springs are ignored). Where whole stretches of the curve are closed
/// forms (motion in a plane, a ball on an even bat), those of least impulse and at the ends.
/// @throws InvalidInput as require_valid
/// Source: Wang 2017, algorithm 4; case 1a corrected, docs/theory/planning.md
std::vector<ClosedFormPlan> closed_form_plans(const BattingProblem& problem,
                                              ClosedFormReading reading = ClosedFormReading::model);

/// The best of them that the forward model confirms; where whole stretches are closed forms, the best of those.
BattingPlan plan_closed_form(const BattingProblem& problem,
                             BattingObjective objective = BattingObjective::least_impulse, int alternatives = 0,
                             const BattingSpread& spread = {});

/// The cone of impulses of one invariant direction: everything between `slip` and `rest`, axes (t1, t2, n).
struct ImpulseCone {
  Eigen::Vector3d slip = Eigen::Vector3d::UnitZ();  ///< delta: per unit of normal impulse while it slips
  Eigen::Vector3d rest = Eigen::Vector3d::UnitZ();  ///< sigma: once slip has come to rest
};
/// One for each invariant direction; none where every direction is one (then they fill the friction cone).
std::vector<ImpulseCone> impulse_cones(const Eigen::Matrix3d& inverse_inertia, double friction);

// --- The bat ----------------------------------------------------------------------------------------------------

/// A motion of the bat just before the impact.
struct BatMotion {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();          ///< of its centre of mass [m/s]
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< [rad/s]
};

/// The motions that give the bat's point at the contact this velocity form a family of three parameters. This one does
/// not turn.
BatMotion straight_swing(const Eigen::Vector3d& point_velocity);

/// The one of least |V|^2 + l^2 |w|^2.
/// @param arm       from the bat's centre of mass to the contact [m]
/// @param gyration  l, radius of gyration of the bat [m], > 0
BatMotion least_swing(const Eigen::Vector3d& point_velocity, const Eigen::Vector3d& arm, double gyration);

/// The one of least |V|^2 + l^2 |w|^2 within limits; none if there is none.
std::optional<BatMotion> limited_swing(const Eigen::Vector3d& point_velocity, const Eigen::Vector3d& arm,
                                       double gyration, const BatLimits& limits);

/// Radius of gyration, of the mean moment: sqrt(tr J / (3 m)) [m]; 1 m for an immovable bat, which has none.
double gyration_radius(const Body& bat);

}  // namespace carom

#pragma GCC visibility pop
