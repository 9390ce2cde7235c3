// The numbers that tune the time integration of simultaneous impact, in scaled units (system.hpp).
#pragma once

#include <cstddef>

namespace carom::simultaneous {

/// Error allowed per step as a share of the tolerance on the result: some hundred steps add up.
constexpr double local_tolerance = 0.05;

/// Steps towards the opening of a Hertz contact are at most this share of the time left. When this share of the impulse
/// left is below the tolerance a step may run over the opening, and is at most so many times the time left: in break
/// shots such steps err by 1e-4 to 1e-3 of it. The error estimate has the last word.
constexpr double largest_opening_share = 0.8;
constexpr double run_over_error = 5e-4;
constexpr double run_over = 2.5;

/// What rounding leaves unsure of a number: two units in the last place.
constexpr double rounding = 4.5e-16;

/// Work in steps of one contact (measured, .6 to 1.1 us): what a step costs beside its contacts; a short step with the
/// event functions at its end, as a share of a step; a step of the power series, for one contact, and a piece of it
/// searched for a root; factoring the friction of n contacts at rest, times n^3; turning the forces of n creeping
/// contacts once, the second times n^2; one sweep over n such contacts, times n.
constexpr double step_overhead = 2.5;
constexpr double short_step_work = 0.5;
constexpr double series_work = 2.0;
constexpr double search_work = 0.25;
constexpr double factoring_work = 0.03;
constexpr double creep_work[] = {0.2, 0.02};
constexpr double sweep_work = 0.25;

/// Steps are not made shorter than this, whatever the error estimate says: forces are bounded, so it cannot matter. But
/// where a long lever makes a contact next to weightless sideways, and friction is large, slip ends sooner: not shorter
/// than this share of the time in which friction alone would stop a slip as fast as the impact.
constexpr double shortest_step = 1e-13;
constexpr double shortest_stopping_share = 1e-3;

/// Time that advances by less than this over so many steps (and ten more per contact, for events at one instant) stands
/// still: events that keep undoing each other, or forces that no step is short enough for. An impact lasts a time of
/// order one; at this pace all the steps allowed would not cover it.
constexpr std::size_t standstill_steps = 10'000;
constexpr double standstill_time = 1e-3;

/// A normal velocity must have passed zero by this much for an event; see event_level.
constexpr double flow_event_level = 1e-12;

/// Events are located to this time. What is done too early or too late by it changes the outcome by its square (normal
/// modes) or by itself times a change of force (friction), hence the finer limit for friction in arrival().
constexpr double event_time = 1e-12;

/// Near a known state of a step, within this share of the step, another is found by a short step of order 4. An
/// accepted step h is some share of the time rho in which the forces change: (h/rho)^8 is about the tolerance. The
/// short step errs by (h/(32 rho))^5 = 3e-8 tolerance^(5/8), less than the tolerance whenever that is above 1e-20; at
/// the beginning and end of a Hertz contact, where forces go like t^1.5, by 32^-2.5 = 2e-4 of what the same method
/// would over the step.
constexpr double short_share = 1.0 / 32.0;

/// Share by which a friction force must exceed its bound, or a slip speed fall short of zero, to be an event: keeps a
/// contact that has just entered a mode from leaving it by rounding.
constexpr double friction_margin = 1e-12;

/// Friction forces below this share of the tolerance change their mode without it being followed: contacts that have
/// just closed, or are about to open, would stick and slip by rounding.
constexpr double negligible_force = 1e-3;

/// Rigid contacts this close to losing their stick when another one does (share of the bound, squared) lose it too:
/// mirror images differ by rounding, and letting go one by one would break the symmetry for good.
/// Where much friction holds contacts until their normal forces are almost gone, so many roundings of the largest force
/// count against what is left, but no more than a hundredth of it.
constexpr double mirror_margin = 2e-10;
constexpr double mirror_roundings = 32.0;
constexpr double largest_mirror_margin = 1e-2;

/// Rigid friction: sliding slower than zero_slip, or this share of the tolerance, is none (less would be the errors of
/// the steps); a creeping contact counts as sliding from slip_threshold on.
constexpr double zero_slip = 1e-11;
constexpr double zero_slip_tolerances = 0.5;
constexpr double slip_threshold = 1e-6;

/// The end of rigid slip is located to this share of the speed that counts as none.
constexpr double slip_arrival = 1e-4;

/// The direction of rigid slip turns into balance at a rate force/speed. Slip that comes to rest slowly would be
/// followed with steps that shrink with its speed, down to where the steps' errors are all there is of it: below this
/// speed, or this multiple of the tolerance, the direction is taken from the balance, as in creep. It lags by about the
/// speed. Back to slip at a multiple of it. Slow means: an acceleration below this share of what friction alone gives;
/// otherwise there is no time to come into balance, and rest is near.
constexpr double stopping_speed = 1e-8;
constexpr double stopping_tolerances = 10.0;
constexpr double stopping_exit = 4.0;
constexpr double stopping_balance = 0.05;

/// Velocities and accelerations of pressing contacts all below this, and an energy in the springs above it, which is
/// far more than such a motion has: they will stay as they are. Slip is not brought to rest below a share of the
/// tolerance, and goes on so in a jam; hence not below this multiple of it either.
constexpr double jam_speed = 1e-9;
constexpr double jam_tolerances = 10.0;
/// A wedge that holds may vibrate or drift for ever, a little faster than that. Velocities and accelerations below the
/// first number with an energy in the springs above it, for so many swings of the slowest body: such a motion has a
/// millionth of the energy stored, and would need a million swings to change anything.
constexpr double drift_speed = 1e-6;
constexpr double drift_swings = 100.0;
/// With e = 1 contacts that stick may vibrate for ever at any speed: nothing closes, opens, slips or sticks anew for so
/// many swings of the slowest body, while springs that let go do so within one.
constexpr double unchanged_swings = 1000.0;

/// Share of a step's initial sliding speed below which the direction of sliding is held.
constexpr double slip_remainder = 0.02;

/// A friction force within this share of its bound in the convex problem lies on it; and creep ends when the
/// acceleration along the force exceeds this share of the normal force, and so many roundings of the sum that it is.
constexpr double boundary_margin = 1e-9;
constexpr double creep_margin = 1e-11;
constexpr double creep_roundings = 8.0;

/// Tangential springs in slip: the friction direction relaxes towards -u_t at a rate R that has no bound as d -> 0 and
/// would dictate the steps. Where it hardly lags it is set to the quasi-steady direction, -u_t turned back by its lag
/// to first order in 1/R. The next order is computed too: the friction force it stands for must stay below this share
/// of the tolerance; a contact is let go of above, and taken again an order of magnitude below.
constexpr double lag_tolerance = 0.02;
constexpr double lag_hysteresis = 0.1;
/// A step at whose end that error is larger than allowed by this factor is taken again.
constexpr double lag_excess = 5.0;
/// The expansion in 1/R means something while all rates of change are below this share of R.
constexpr double lag_validity = 0.1;
/// The first-order lag is at most this, in radians: beyond, speed or rounding has made it meaningless.
constexpr double largest_lag = 0.3;

}  // namespace carom::simultaneous
