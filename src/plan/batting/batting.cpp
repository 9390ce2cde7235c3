#include "carom/plan/batting.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>

#include "carom/core/error.hpp"
#include "carom/plan/batting_certainty.hpp"

#include "aim.hpp"

namespace carom {

namespace batting {

BattingShot shot_of(const Aim& aim, const Eigen::Vector3d& velocity, BattingMethod method) {
  BattingShot out;
  const Eigen::Vector3d impulse = forward(aim, velocity);
  out.impulse = aim.problem.frame * impulse;
  out.contact_velocity = aim.problem.frame * velocity;
  out.bat_speed = aim.bat_speed(velocity);
  const Approach approach = closest_approach(aim.problem, out.impulse);
  out.miss_distance = approach.distance;
  out.flight_time = approach.time;
  out.method = method;
  return out;
}

bool hits(const Aim& aim, const BattingShot& shot) {
  return shot.miss_distance <= hit_tolerance * std::max(1.0, aim.a.norm());
}

double worth(const Aim& aim, const BattingShot& shot, BattingObjective objective, const BattingSpread& spread) {
  switch (objective) {
    case BattingObjective::least_impulse:
      return shot.impulse.norm();
    case BattingObjective::min_bat_speed:
      return shot.bat_speed;
    case BattingObjective::shortest_flight:
      return shot.flight_time;
    case BattingObjective::gentlest_arrival:
      return aim.arrival_speed(shot.flight_time);
    case BattingObjective::most_certain:
      return scatter(batting_certainty(aim.problem, shot, spread));
  }
  return 0.0;
}

void rank(const Aim& aim, std::vector<BattingShot>& shots, BattingObjective objective, const BattingSpread& spread) {
  constexpr double same = 1e-6;  // of the contact velocity
  std::vector<std::pair<double, BattingShot>> all;
  for (const BattingShot& shot : shots) all.emplace_back(worth(aim, shot, objective, spread), shot);
  std::stable_sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  shots.clear();
  for (const auto& [value, shot] : all) {
    const Eigen::Vector3d& v = shot.contact_velocity;
    if (std::none_of(shots.begin(), shots.end(),
                     [&v](const BattingShot& other) { return (other.contact_velocity - v).norm() <= same * v.norm(); }))
      shots.push_back(shot);
  }
}

namespace {

/// Plans of one problem, by time of flight.
class Planner {
public:
  Planner(const Aim& aim, BattingObjective objective, const BattingSpread& spread)
      : aim_(aim), objective_(objective), spread_(spread) {}

  /// The plan with this time of flight, if there is one.
  std::optional<BattingShot> at(double time) {
    const auto velocity = inverted(aim_, aim_.impulse(time), slip_);
    if (!velocity) return std::nullopt;
    BattingShot shot = shot_of(aim_, *velocity, BattingMethod::newton);
    if (!hits(aim_, shot)) return std::nullopt;
    shot.flight_time = time;
    return shot;
  }
  double worth_of(const BattingShot& shot) const { return worth(aim_, shot, objective_, spread_); }

  /// The best plan with a time from these intervals.
  std::optional<BattingShot> best(const std::vector<FlightTimes>& times) {
    if (objective_ == BattingObjective::least_impulse) {
      for (const double time : least_impulse_times(aim_, times)) {
        if (auto shot = at(time)) return shot;
        if (!aim_.may_jam && !aim_.problem.springs) break;  // rounding at an edge: look inside
      }
    } else if (objective_ == BattingObjective::shortest_flight) {
      if (auto shot = at(inside(times.front(), 1e-6))) return shot;
    }
    return searched(times);
  }

  /// The best of many times, refined.
  std::optional<BattingShot> searched(const std::vector<FlightTimes>& times) {
    const int count = aim_.may_jam ? 48 : 9;
    std::optional<BattingShot> best;
    double value = 0.0, from = 0.0, to = 0.0;
    for (const FlightTimes& interval : times) {
      slip_.setZero();
      std::vector<double> grid;
      for (int i = 0; i <= count; ++i) grid.push_back(inside(interval, (i + 1e-6) / (count + 2e-6)));
      for (const double time : least_impulse_times(aim_, {interval})) grid.push_back(time);
      std::sort(grid.begin(), grid.end());
      for (std::size_t i = 0; i < grid.size(); ++i) {
        const auto shot = at(grid[i]);
        if (!shot || (best && !(worth_of(*shot) < value))) continue;
        best = shot;
        value = worth_of(*shot);
        from = grid[i > 0 ? i - 1 : 0];
        to = grid[std::min(i + 1, grid.size() - 1)];
      }
    }
    if (!best || !(to > from)) return best;
    std::uintmax_t most = 100;
    boost::math::tools::brent_find_minima(
        [&](double time) {
          const auto shot = at(time);
          if (!shot) return std::numeric_limits<double>::max();
          const double here = worth_of(*shot);
          if (here < value) {
            value = here;
            best = shot;
          }
          return here;
        },
        from, to, refinement_bits, most);
    return best;
  }

  /// A time within an interval, by share; where it spans decades, by their logarithm.
  double inside(const FlightTimes& t, double share) const {
    const double low = std::max(t.low, 0.02 * std::min(t.high, aim_.unit));
    return low * std::pow(t.high / low, share);
  }

private:
  static constexpr int refinement_bits = 16;  // of the time: its square counts for the objective

  const Aim& aim_;
  BattingObjective objective_;
  const BattingSpread& spread_;
  Eigen::Vector2d slip_ = Eigen::Vector2d::Zero();  // of the last plan: the next one is like it
};

/// Times to look at for alternatives: the least impulses, and all over the intervals.
std::vector<double> other_times(const Aim& aim, const Planner& planner, const std::vector<FlightTimes>& times,
                                int count) {
  std::vector<double> out = least_impulse_times(aim, times);
  for (const FlightTimes& t : times)
    for (int i = 0; i <= count; ++i) out.push_back(planner.inside(t, 0.02 + 0.96 * i / count));
  return out;
}

/// mu = 0: the cone is a line, which the curve may meet.
std::vector<double> frictionless_times(const Aim& aim) {
  std::vector<double> out;
  const double u = aim.unit;
  for (int i = 0; i < 2; ++i)
    for (const double x : sign_changes({aim.a[i], -aim.c[i] * u, aim.b[i] * u * u, 0.0, 0.0}, aim.most / u))
      if (aim.away(x * u).head<2>().norm() <= hit_tolerance * aim.a.norm() && aim.away(x * u)[2] > 0.0)
        out.push_back(x * u);
  // Both parts may vanish throughout: everything happens along the normal.
  if (aim.a.head<2>().isZero(0.0) && aim.b.head<2>().isZero(0.0) && aim.c.head<2>().isZero(0.0))
    for (const double time :
         least_impulse_times(aim, positive_times({{aim.a[2], -aim.c[2], aim.b[2], 0.0, 0.0}}, u, aim.most)))
      out.push_back(time);
  return out;
}

}  // namespace

}  // namespace batting

using batting::Aim;

BattingPlan plan_batting(const BattingProblem& problem, BattingObjective objective, int alternatives,
                         const BattingSpread& spread) {
  require_valid(problem);
  const Aim aim(problem);
  BattingPlan plan;
  plan.flags.set(BattingFlag::may_jam, aim.may_jam);
  batting::Planner planner(aim, objective, spread);
  std::vector<BattingShot> shots;
  std::vector<FlightTimes> times;
  if (aim.mu == 0.0) {
    for (const double time : batting::frictionless_times(aim))
      if (const auto shot = planner.at(time)) shots.push_back(*shot);
  } else {
    for (const double margin : cone_margins) {
      times = batting::cone_times(aim, aim.mu * (1.0 - margin));
      if (times.empty()) continue;
      plan.flags.set(BattingFlag::thin_margin, margin < cone_margins.front());
      if (const auto best = planner.best(times)) {
        shots.push_back(*best);
        break;
      }
    }
  }
  plan.found = !shots.empty();
  if (!plan.found) {
    plan.closest_miss = batting::closest_of_cone(aim);
    plan.flags.set(BattingFlag::out_of_reach);
    plan.flags.set(BattingFlag::overflow, !std::isfinite(plan.closest_miss));
    return plan;
  }
  if (alternatives > 0) {
    for (const double time : batting::other_times(aim, planner, times, alternatives))
      if (const auto shot = planner.at(time)) shots.push_back(*shot);
    if (!problem.springs)
      for (const BattingShot& shot : plan_closed_form(problem, objective, alternatives, spread).alternatives)
        shots.push_back(shot);
  }
  batting::rank(aim, shots, objective, spread);
  plan.shot = shots.front();
  plan.alternatives.assign(
      shots.begin() + 1,
      shots.begin() + 1 + std::min<std::ptrdiff_t>(std::max(alternatives, 0), std::ssize(shots) - 1));
  return plan;
}

std::optional<Eigen::Vector3d> contact_velocity_for(const BattingProblem& problem, const Eigen::Vector3d& impulse) {
  require_valid(problem);
  const Aim aim(problem);
  Eigen::Vector2d slip = Eigen::Vector2d::Zero();
  const auto velocity = batting::inverted(aim, problem.frame.transpose() * impulse, slip);
  if (!velocity) return std::nullopt;
  return problem.frame * *velocity;
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
