// Plans whose slip stays straight: Algorithm 4 of Wang 2017. Slip along an invariant direction s takes the impulse
// along delta until it ends at b, then along sigma to the end a = t1 delta + t2 sigma. Everything is linear in I_n
// between, so the energy balance is quadratic in the impulse at which compression ends.
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>

#include "carom/core/error.hpp"

#include "search.hpp"

namespace carom {

namespace batting {

namespace {

/// Slip along s until it is over, then `rest`; v_n rises by these per unit of normal impulse.
struct Straight {
  Eigen::Vector2d s;
  double rate;  // d|gamma|/dI_n while it slips
  ImpulseCone cone;
  double rise_slip, rise_rest;
};

/// The smaller positive root of a x^2/2 - b x + c = 0 with b > 0: the one that comes first.
double first_root(double a, double b, double c) {
  const double square = b * b - 2.0 * a * c;
  if (square < 0.0) return std::numeric_limits<double>::quiet_NaN();
  return 2.0 * c / (b + std::sqrt(square));
}

/// Approach speed for a slip impulse b and a whole one a; not a number if there is none.
double approach_speed(const Aim& aim, const Straight& straight, double b, double a, ClosedFormReading reading,
                      ClosedFormCase& which) {
  const double k = straight.rise_slip, k2 = straight.rise_rest, e = aim.e, left = a - b;
  const auto rise = [&](double x) { return x <= b ? k * x : k * b + k2 * (x - b); };
  const auto name_case = [&](double end_of_compression) {
    which = left <= 0.0               ? ClosedFormCase::slip_throughout
            : b <= 0.0                ? ClosedFormCase::no_slip
            : end_of_compression <= b ? ClosedFormCase::compression_ends_first
                                      : ClosedFormCase::slip_ends_first;
  };
  const RestitutionLaw law = aim.problem.law;
  if (law == RestitutionLaw::newton || law == RestitutionLaw::poisson || e == 0.0) {
    const double speed = e == 0.0 ? rise(a) : law == RestitutionLaw::newton ? rise(a) / (1.0 + e) : rise(a / (1.0 + e));
    double x = speed / k;  // where v_n = 0
    if (x > b) x = b + (speed - k * b) / k2;
    name_case(x);
    return speed;
  }
  if (b > 0.0) {                                                                  // case 1a: compression ends at x <= b
    const double work = 0.5 * k * b * b + k * b * left + 0.5 * k2 * left * left;  // of v_n - v_n0 up to a
    const double x =
        reading == ClosedFormReading::published ? a / (1.0 + e) : first_root((1.0 - e * e) * k, k * a, work);
    if (x >= 0.0 && x <= b && k > 0.0) {
      name_case(x);
      return k * x;
    }
  }
  // case 1b: compression ends at b + y
  const double y =
      first_root((1.0 - e * e) * k2, k2 * (left + e * e * b), 0.5 * k2 * left * left - 0.5 * e * e * k * b * b);
  if (!(y >= 0.0 && y <= left)) return std::numeric_limits<double>::quiet_NaN();
  name_case(b + y);
  return k * b + k2 * y;
}

/// Does slip stay straight in every direction? (W_tt a multiple of the identity and W_tn = 0: a ball on an even bat.
/// Its inertia turned into other axes leaves a rounding error.)
bool even(const Aim& aim) {
  constexpr double rounding = 1e-12;
  const double size = rounding * aim.W.cwiseAbs().maxCoeff();
  return std::abs(aim.B(0, 0) - aim.B(1, 1)) <= size && std::abs(aim.B(0, 1)) <= size && aim.d.norm() <= size;
}

/// The same plan may come from two cones that share an edge.
bool known(const std::vector<ClosedFormPlan>& plans, const ClosedFormPlan& plan) {
  constexpr double same = 1e-6;
  return std::any_of(plans.begin(), plans.end(), [&](const ClosedFormPlan& other) {
    return (other.contact_velocity - plan.contact_velocity).norm() <= same * plan.contact_velocity.norm();
  });
}

Straight straight_along(const Aim& aim, const Eigen::Vector2d& s, double rate, const Eigen::Vector3d& rest) {
  Straight out{s, rate, {{-aim.mu * s[0], -aim.mu * s[1], 1.0}, rest}, 0.0, 0.0};
  const Eigen::Vector3d row = aim.W.row(2);
  out.rise_slip = row.dot(out.cone.slip);
  out.rise_rest = row.dot(rest);
  return out;
}

/// What the impulse does once slip has come to rest.
Eigen::Vector3d rest_direction(const Aim& aim) {
  if (aim.p.norm() <= aim.mu) return {-aim.p[0], -aim.p[1], 1.0};
  const Eigen::Vector2d s = resumed_slip(aim.W, aim.mu).direction;
  return {-aim.mu * s[0], -aim.mu * s[1], 1.0};
}

/// The plan after this time of flight, its impulse being in the cone of straight slip (what leaves it is neglected).
std::optional<ClosedFormPlan> plan_at(const Aim& aim, const Straight& straight, double time,
                                      ClosedFormReading reading) {
  constexpr double rounding = 1e-12;
  const Eigen::Vector3d impulse = aim.impulse(time);
  const double a = impulse[2];
  if (!(a > 0.0)) return std::nullopt;
  // a = t1 delta + t2 sigma, both with a normal part of one.
  const Eigen::Vector2d span = (straight.cone.slip - straight.cone.rest).head<2>();
  const Eigen::Vector2d offset = impulse.head<2>() - a * straight.cone.rest.head<2>();
  const double size = span.squaredNorm();
  double b = size > 0.0 ? offset.dot(span) / size : a;
  if (std::abs(b) <= rounding * a) b = 0.0;
  if (std::abs(b - a) <= rounding * a) b = a;
  if (!(b >= 0.0 && b <= a)) return std::nullopt;
  // Slip that speeds up never comes to rest.
  if (straight.rate >= 0.0 && b < a) return std::nullopt;
  ClosedFormPlan plan;
  const double speed = approach_speed(aim, straight, b, a, reading, plan.which);
  if (!(speed > 0.0) || !std::isfinite(speed)) return std::nullopt;
  // Slip ends at b; slip throughout needs no more than that at the start.
  const double slip = straight.rate < 0.0 ? -straight.rate * b : straight.rate * a;
  plan.flight_time = time;
  plan.impulse = aim.problem.frame * impulse;
  plan.contact_velocity =
      aim.problem.frame * (aim.scale * Eigen::Vector3d(slip * straight.s[0], slip * straight.s[1], -speed));
  if (!plan.contact_velocity.allFinite() || !plan.impulse.allFinite()) return std::nullopt;
  plan.direction = straight.s;
  plan.slip_impulse = b;
  return plan;
}

/// Times of flight that all have a closed form, and that form.
struct Stretch {
  std::vector<FlightTimes> times;
  std::function<std::optional<ClosedFormPlan>(double time)> plan;
};

/// All closed forms: single ones, and stretches of them.
struct ClosedForms {
  const Aim& aim;
  ClosedFormReading reading;
  std::vector<ClosedFormPlan> plans = {};
  std::vector<Stretch> stretches = {};

  void add(const std::optional<ClosedFormPlan>& plan) {
    if (plan && !known(plans, *plan)) plans.push_back(*plan);
  }

  void find() {
    if (aim.mu == 0.0) return;
    if (even(aim)) return find_even();
    const Eigen::Vector3d rest = rest_direction(aim);
    for (const InvariantDirection& s : invariant_directions(aim.W, aim.mu).directions)
      find_crossings(straight_along(aim, s.direction, s.rate, rest));
  }

private:
  /// Any slip stays straight: everything inside the cone.
  void find_even() {
    for (const double margin : cone_margins) {
      Stretch stretch{cone_times(aim, aim.mu * (1.0 - margin)), [this](double time) {
                        const Eigen::Vector2d t = aim.impulse(time).head<2>();
                        const Eigen::Vector2d s =
                            t.norm() > 0.0 ? Eigen::Vector2d(-t / t.norm()) : Eigen::Vector2d::UnitX();
                        const double rate = -aim.mu * s.dot(aim.B * s);
                        return plan_at(aim, straight_along(aim, s, rate, Eigen::Vector3d::UnitZ()), time, reading);
                      }};
      if (stretch.times.empty()) continue;
      stretches.push_back(std::move(stretch));
      return;
    }
  }

  /// Where the curve meets the plane of a cone, or stays in it.
  void find_crossings(const Straight& straight) {
    constexpr double rounding = 1e-13;
    const Eigen::Vector3d normal = straight.cone.slip.cross(straight.cone.rest);
    const double u = aim.unit, most = aim.most / u;
    const Quartic q = along(aim, normal);  // in units of the largest of its terms
    if (std::abs(q[0]) + std::abs(q[1]) + std::abs(q[2]) > rounding * normal.norm()) {
      for (const double x : sign_changes(q, most)) add(plan_at(aim, straight, x * u, reading));
      return;
    }
    if (!(normal.norm() > rounding)) {  // the cone is a ray
      for (int i = 0; i < 2; ++i) {
        const Eigen::Vector3d off = Eigen::Vector3d::Unit(i) - straight.cone.slip[i] * Eigen::Vector3d::UnitZ();
        for (const double x : sign_changes(along(aim, off), most)) {
          const Eigen::Vector3d there = aim.away(x * u);
          if ((there - there[2] * straight.cone.slip).norm() <= hit_tolerance * there.norm())
            add(plan_at(aim, straight, x * u, reading));
        }
      }
      return;
    }
    // The curve lies in the plane of the cone: planar motion.
    const Eigen::Vector3d by_slip = straight.cone.rest.cross(normal), by_rest = normal.cross(straight.cone.slip);
    Stretch stretch{positive_times({along(aim, by_slip), along(aim, by_rest)}, u, aim.most),
                    [this, straight](double time) { return plan_at(aim, straight, time, reading); }};
    if (!stretch.times.empty()) stretches.push_back(std::move(stretch));
  }
};

}  // namespace

}  // namespace batting

using batting::Aim;

std::vector<ImpulseCone> impulse_cones(const Eigen::Matrix3d& inverse_inertia, double friction) {
  BattingProblem problem;
  problem.inverse_inertia = inverse_inertia;
  problem.material.friction = friction;
  require_valid(problem);
  const Aim aim(problem);
  std::vector<ImpulseCone> out;
  if (batting::even(aim)) return out;
  for (const InvariantDirection& s : invariant_directions(aim.W, friction).directions)
    out.push_back(batting::straight_along(aim, s.direction, s.rate, batting::rest_direction(aim)).cone);
  return out;
}

std::vector<ClosedFormPlan> closed_form_plans(const BattingProblem& problem, ClosedFormReading reading) {
  require_valid(problem);
  const Aim aim(problem);
  batting::ClosedForms forms{aim, reading};
  forms.find();
  for (const batting::Stretch& stretch : forms.stretches)
    for (const double time : batting::least_impulse_times(aim, stretch.times)) forms.add(stretch.plan(time));
  return forms.plans;
}

BattingPlan plan_closed_form(const BattingProblem& problem, BattingObjective objective, int alternatives,
                             const BattingSpread& spread) {
  require_valid(problem);
  if (objective == BattingObjective::most_certain) batting::require_known(problem, spread);
  BattingPlan plan;
  const Aim aim(problem);
  plan.flags.set(BattingFlag::may_jam, aim.may_jam);
  std::vector<BattingShot> shots;
  for (const ClosedFormPlan& one : closed_form_plans(problem)) {
    BattingShot shot =
        batting::shot_of(aim, problem.frame.transpose() * one.contact_velocity, BattingMethod::closed_form);
    if (!batting::hits(aim, shot)) continue;
    shot.flight_time = one.flight_time;
    shots.push_back(shot);
  }
  batting::ClosedForms forms{aim, ClosedFormReading::model};
  forms.find();
  for (const batting::Stretch& stretch : forms.stretches) {
    const auto inverse = [&](double time, Eigen::Vector2d&, std::vector<Eigen::Vector3d>& out) {
      if (const auto one = stretch.plan(time)) out.push_back(problem.frame.transpose() * one->contact_velocity);
    };
    batting::Search search(aim, objective, spread, inverse, BattingMethod::closed_form, !aim.may_jam);
    if (const auto best = search.best(stretch.times)) shots.push_back(*best);
    for (const FlightTimes& t : stretch.times)
      for (int i = 0; i <= alternatives && alternatives > 0; ++i)
        if (const auto shot = search.at(search.inside(t, 0.02 + 0.96 * i / alternatives))) shots.push_back(*shot);
  }
  batting::rank(aim, shots, objective, spread);
  plan.found = !shots.empty();
  if (!plan.found) {
    const std::vector<ImpulseCone> cones = impulse_cones(problem.inverse_inertia, aim.mu);
    plan.closest_miss = cones.empty() ? batting::closest_of_cone(aim) : batting::closest_of_cones(aim, cones);
    plan.flags.set(BattingFlag::out_of_reach);
    plan.flags.set(BattingFlag::overflow, !std::isfinite(plan.closest_miss));
    return plan;
  }
  plan.shot = shots.front();
  plan.flags.set(BattingFlag::at_time_limit, batting::at_time_limit(aim, plan.shot.flight_time));
  plan.flags.set(BattingFlag::beyond_limits,
                 !batting::within_reach(aim, problem.frame.transpose() * plan.shot.contact_velocity));
  const auto count = std::min<std::ptrdiff_t>(std::max(alternatives, 0), std::ssize(shots) - 1);
  plan.alternatives.assign(shots.begin() + 1, shots.begin() + 1 + count);
  return plan;
}

}  // namespace carom
