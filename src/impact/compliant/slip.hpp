// Inside the compliant model: what the ways of following slip share.
#pragma once

#include <algorithm>

#include "state.hpp"

namespace carom::compliant {

/// The constants of one slip.
struct SlipLaw {
  SlipLaw(const Scaled& problem, const State& state)
      : p(problem),
        mu(problem.slip_friction(state.restitution)),
        mu_eta2(mu * problem.eta0_squared * problem.kappa(state.restitution)),
        sign(state.approaching ? -1.0 : 1.0),
        tangential_change(problem.wtn_norm + mu * problem.wt_norm),
        normal_change(problem.wnn + mu * problem.wtn_norm),
        push(mu * -problem.v0[2] / (usual_push * problem.wnn * problem.v0.norm())) {}

  const Scaled& p;
  double mu;                 ///< friction felt
  double mu_eta2;            ///< mu eta^2
  double sign;               ///< of v_n
  double tangential_change;  ///< bound on |dv_t/dN|
  double normal_change;      ///< bound on |dv_n/dN|
  double push;               ///< see `weight`

  /// How much an error of the direction d counts: by the part of the velocity that friction moves across d. It counts
  /// more the lighter the contact is that way, which starts to tell beyond what is usual.
  double weight(const Vector2d& d) const { return std::max(1.0, push * (p.wtt * Vector2d(-d[1], d[0])).norm()); }

private:
  static constexpr double usual_push = 8.0;
};

inline Vector2d turned(const Vector2d& d) { return {-d[1], d[0]}; }

/// The part of the impact, in energy or impulse, that the rest of this slip can still change: at most 1, and going to
/// zero with the energy of the normal spring.
double stake(const SlipLaw& law, const State& state);

/// Error allowed per step in the direction of slip [rad], larger the less is at stake.
double allowed_error(const SlipLaw& law, const State& state);

/// Is so little energy left that the velocity may be frozen?
bool tail_reached(const SlipLaw& law, const State& state);

/// From there to E = 0.
void follow_tail(const SlipLaw& law, State& state, Observer* observer);

/// Slip where the direction settles much faster than the velocity changes: implicit collocation.
Stop follow_stiff_slip(const Scaled& problem, State& state, Observer* observer);

}  // namespace carom::compliant
