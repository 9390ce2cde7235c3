#include "carom/plan/batting.hpp"

#include <algorithm>
#include <cmath>

#include "carom/core/error.hpp"

#include "search.hpp"

namespace carom {

namespace batting {

BattingShot shot_of(const Aim& aim, const Eigen::Vector3d& velocity, BattingMethod method) {
  BattingShot out;
  out.contact_velocity = aim.problem.frame * velocity;
  // From the velocity that is told, with the rounding of its turn.
  out.impulse = aim.problem.frame * forward(aim, aim.problem.frame.transpose() * out.contact_velocity);
  out.bat_speed = aim.bat_speed(velocity);
  const Approach approach = closest_approach(aim.problem, out.impulse);
  out.miss_distance = approach.distance;
  out.flight_time = approach.time;
  out.method = method;
  return out;
}

bool hits(const Aim& aim, const BattingShot& shot) {
  return shot.miss_distance <= hit_tolerance * std::max(1.0, aim.distance);
}

bool steady(const Aim& aim, const Eigen::Vector3d& velocity) {
  constexpr double beside = 1e-9, far = 1e-5;
  const Eigen::Vector3d impulse = forward(aim, velocity);
  for (int i = 0; i < 3; ++i)
    for (const double side : {-beside, beside}) {
      Eigen::Vector3d v = velocity;
      v[i] += side * velocity.stableNorm();
      if (!((forward(aim, v) - impulse).stableNorm() <= far * impulse.stableNorm())) return false;
    }
  return true;
}

bool within_reach(const Aim& aim, const Eigen::Vector3d& velocity) {
  if (!aim.problem.reach) return true;
  const BatReach& reach = *aim.problem.reach;
  return limited_swing(aim.problem.frame * (aim.point_velocity - velocity), reach.arm, 1.0, reach.limits).has_value();
}

bool at_time_limit(const Aim& aim, double time) {
  constexpr double near = 1e-6;
  return std::abs(time - aim.least) <= near * time || std::abs(time - aim.most) <= near * time;
}

double worth(const Aim& aim, const BattingShot& shot, BattingObjective objective, const BattingSpread& spread) {
  switch (objective) {
    case BattingObjective::least_impulse:
      return shot.impulse.stableNorm();
    case BattingObjective::min_bat_speed:
      return shot.bat_speed;
    case BattingObjective::shortest_flight:
      return shot.flight_time;
    case BattingObjective::gentlest_arrival:
      return aim.arrival_speed(shot.flight_time);
    case BattingObjective::most_certain:
      return scatter_of(aim.problem, shot, spread);
  }
  return 0.0;
}

void rank(const Aim& aim, std::vector<BattingShot>& shots, BattingObjective objective, const BattingSpread& spread) {
  constexpr double same = 1e-6;  // of the contact velocity
  struct Ranked {
    bool beyond;
    double value;
    BattingShot shot;
  };
  std::vector<Ranked> all;
  for (const BattingShot& shot : shots)
    all.push_back({!within_reach(aim, aim.problem.frame.transpose() * shot.contact_velocity),
                   worth(aim, shot, objective, spread), shot});
  std::stable_sort(all.begin(), all.end(), [](const Ranked& x, const Ranked& y) {
    return x.beyond != y.beyond ? y.beyond : x.value < y.value;
  });
  shots.clear();
  for (const Ranked& one : all) {
    const Eigen::Vector3d& v = one.shot.contact_velocity;
    if (std::none_of(shots.begin(), shots.end(), [&v](const BattingShot& other) {
          return (other.contact_velocity - v).stableNorm() <= same * v.stableNorm();
        }))
      shots.push_back(one.shot);
  }
}

namespace {

/// Times to look at for alternatives: the least impulses, and all over the intervals.
std::vector<double> other_times(const Aim& aim, const Search& search, const std::vector<FlightTimes>& times,
                                int count) {
  std::vector<double> out = least_impulse_times(aim, times);
  for (const FlightTimes& t : times)
    for (int i = 0; i <= count; ++i) out.push_back(search.inside(t, 0.02 + 0.96 * i / count));
  return out;
}

/// mu = 0: the cone is a line, which the curve may meet.
std::vector<double> frictionless_times(const Aim& aim) {
  std::vector<double> out;
  const double u = aim.unit;
  for (int i = 0; i < 2; ++i)
    for (const double x : sign_changes(along(aim, Eigen::Vector3d::Unit(i)), aim.most / u))
      if (aim.away(x * u).head<2>().norm() <= hit_tolerance * aim.distance && aim.away(x * u)[2] > 0.0)
        out.push_back(x * u);
  return out;
}

/// mu = 0, and everything happens along the normal.
std::vector<FlightTimes> normal_times(const Aim& aim) {
  if (!(aim.a.head<2>().isZero(0.0) && aim.b.head<2>().isZero(0.0) && aim.c.head<2>().isZero(0.0))) return {};
  return positive_times({along(aim, Eigen::Vector3d::UnitZ())}, aim.unit, aim.most);
}

/// Does an impulse (world axes) keep this share of mu from the edge of the cone?
bool keeps(const Aim& aim, const BattingShot& shot, double margin) {
  const Eigen::Vector3d impulse = aim.problem.frame.transpose() * shot.impulse;
  return impulse.head<2>().stableNorm() <= aim.mu * (1.0 - margin) * (1.0 + 1e-12) * impulse[2];
}

}  // namespace

}  // namespace batting

using batting::Aim;

namespace {

/// The best plan of times of flight in the usual range, or in one `extent` times as wide.
BattingPlan plan_within(const BattingProblem& problem, BattingObjective objective, int alternatives,
                        const BattingSpread& spread, double extent) {
  const Aim aim(problem, extent);
  BattingPlan plan;
  plan.flags.set(BattingFlag::may_jam, aim.may_jam);
  batting::Search search(
      aim, objective, spread,
      [&aim](double time, Eigen::Vector2d& slip, std::vector<Eigen::Vector3d>& out) {
        batting::invert(aim, aim.impulse(time), slip, out);
      },
      BattingMethod::newton, !aim.may_jam && !problem.springs);
  std::vector<BattingShot> shots;
  std::vector<FlightTimes> times;
  double kept = 0.0;
  if (aim.mu == 0.0) {
    for (const double time : batting::frictionless_times(aim))
      if (const auto shot = search.at(time)) shots.push_back(*shot);
    times = batting::normal_times(aim);
    if (!times.empty())
      if (const auto best = search.best(times)) shots.push_back(*best);
  } else {
    for (const double margin : cone_margins) {
      times = batting::cone_times(aim, aim.mu * (1.0 - margin));
      if (times.empty()) continue;
      plan.flags.set(BattingFlag::thin_margin, margin < cone_margins.front());
      kept = margin;
      if (const auto best = search.best(times)) {
        shots.push_back(*best);
        break;
      }
    }
  }
  plan.found = !shots.empty();
  if (!plan.found) {
    plan.closest_miss = batting::closest_of_cone(aim);
    plan.flags.set(BattingFlag::out_of_reach);
    // A bound of zero is none: what lies inside the cone was not found. Jamming or springs may explain that (then a
    // flag says so, or the model does), else only numbers out of range can.
    constexpr double fair_friction = 1e9;
    const bool lost = plan.closest_miss <= hit_tolerance * aim.distance, at_target = !(aim.distance > 0.0);
    const bool explained = problem.springs || (aim.may_jam && aim.mu <= fair_friction) || at_target;
    plan.flags.set(BattingFlag::overflow, (lost && !explained) || !std::isfinite(plan.closest_miss));
    plan.flags.set(BattingFlag::at_target, at_target);
    if (lost) plan.closest_miss = std::numeric_limits<double>::quiet_NaN();
    return plan;
  }
  if (alternatives > 0) {
    for (const double time : batting::other_times(aim, search, times, alternatives))
      if (const auto shot = search.at(time)) shots.push_back(*shot);
    if (!problem.springs) {
      const BattingPlan straight = plan_closed_form(problem, objective, alternatives, spread);
      std::vector<BattingShot> closed = straight.alternatives;
      if (straight.found) closed.insert(closed.begin(), straight.shot);
      for (const BattingShot& shot : closed)
        if (batting::keeps(aim, shot, kept)) shots.push_back(shot);
    }
  }
  batting::rank(aim, shots, objective, spread);
  plan.shot = shots.front();
  plan.flags.set(BattingFlag::at_time_limit, batting::at_time_limit(aim, plan.shot.flight_time));
  plan.flags.set(BattingFlag::beyond_limits,
                 !batting::within_reach(aim, problem.frame.transpose() * plan.shot.contact_velocity));
  plan.alternatives.assign(
      shots.begin() + 1,
      shots.begin() + 1 + std::min<std::ptrdiff_t>(std::max(alternatives, 0), std::ssize(shots) - 1));
  return plan;
}

}  // namespace

BattingPlan plan_batting(const BattingProblem& problem, BattingObjective objective, int alternatives,
                         const BattingSpread& spread) {
  require_valid(problem);
  if (objective == BattingObjective::most_certain) batting::require_known(problem, spread);
  BattingPlan plan = plan_within(problem, objective, alternatives, spread, 1.0);
  if (plan.found) return plan;
  BattingPlan far = plan_within(problem, objective, alternatives, spread, wider_flights);
  return far.found ? far : plan;
}

std::optional<Eigen::Vector3d> contact_velocity_for(const BattingProblem& problem, const Eigen::Vector3d& impulse) {
  require_valid(problem);
  const Aim aim(problem);
  Eigen::Vector2d slip = Eigen::Vector2d::Zero();
  std::vector<Eigen::Vector3d> velocities;
  batting::invert(aim, problem.frame.transpose() * impulse, slip, velocities);
  if (velocities.empty()) return std::nullopt;
  return problem.frame * velocities.front();
}

Eigen::Vector3d batting_impulse(const BattingProblem& problem, const Eigen::Vector3d& contact_velocity) {
  require_valid(problem);
  return problem.frame * batting::forward(Aim(problem), problem.frame.transpose() * contact_velocity);
}

BattingShot batting_shot(const BattingProblem& problem, const Eigen::Vector3d& contact_velocity) {
  require_valid(problem);
  return batting::shot_of(Aim(problem), problem.frame.transpose() * contact_velocity, BattingMethod::newton);
}

// --- the bat ----------------------------------------------------------------------------------------------------

BatMotion straight_swing(const Eigen::Vector3d& point_velocity) { return {point_velocity, Eigen::Vector3d::Zero()}; }

namespace {

/// Turning takes a share of the velocity across the arm: V = u - share u_across, w = share (r x u)/r^2.
struct Swing {
  Eigen::Vector3d along, across, arm;
  Swing(const Eigen::Vector3d& u, const Eigen::Vector3d& r) : along(Eigen::Vector3d::Zero()), across(u), arm(r) {
    if (r.squaredNorm() > 0.0) along = r * (r.dot(u) / r.squaredNorm());
    across = u - along;
  }
  BatMotion at(double share) const {
    if (!(arm.squaredNorm() > 0.0)) return straight_swing(across);
    return {along + (1.0 - share) * across, share / arm.squaredNorm() * arm.cross(across)};
  }
  double best(double gyration) const {
    const double r = arm.squaredNorm(), l = gyration * gyration;
    return r / (r + l);
  }
};

}  // namespace

BatMotion least_swing(const Eigen::Vector3d& point_velocity, const Eigen::Vector3d& arm, double gyration) {
  const Swing swing(point_velocity, arm);
  return swing.at(swing.best(gyration));
}

std::optional<BatMotion> limited_swing(const Eigen::Vector3d& point_velocity, const Eigen::Vector3d& arm,
                                       double gyration, const BatLimits& limits) {
  const Swing swing(point_velocity, arm);
  const double along = swing.along.norm(), across = swing.across.norm(), length = arm.norm();
  if (!(along <= limits.speed)) return std::nullopt;
  // |V|^2 = along^2 + (1 - share)^2 across^2, |w| = share across / length.
  const double room = std::sqrt(std::max(0.0, limits.speed * limits.speed - along * along));
  const double least = across > room ? 1.0 - room / across : 0.0;
  const double most = across > 0.0 ? std::min(1.0, limits.angular_velocity * length / across) : 1.0;
  if (!(length > 0.0) && least > 0.0) return std::nullopt;
  if (!(least <= most)) return std::nullopt;
  return swing.at(length > 0.0 ? std::clamp(swing.best(gyration), least, most) : 0.0);
}

double gyration_radius(const Body& bat) {
  return bat.immovable ? 1.0 : std::sqrt(bat.inertia.trace() / (3.0 * bat.mass));
}

}  // namespace carom
