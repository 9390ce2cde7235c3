#include "touch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/motion/time_of_impact.hpp"

#include "../polynomial.hpp"

namespace carom::world {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// After so many steps a search is put aside until time has come so far: most courses end long before.
constexpr int steps_at_a_time = 3;

/// What of two courses is seen from their gap at one instant.
struct Closing {
  double gap = 0.0, rate = 0.0;
};

/// A gap to be searched: its second derivative is nowhere below -bound.
struct Searched {
  double bound = 0.0;
  bool touches = false;     ///< at the start: then the gap counts from exactly zero
  double resting_rate = 0;  ///< rates of this size are rounding, at the start
  double grain = 0.0;       ///< the gap is not known better than this
};

/// Searches the first fall through zero: from a point with gap h >= 0 and rate h' the next zero is no nearer than the
/// zero of h + h' t - bound t^2 / 2, and steps to there close in on it quadratically without ever passing it. A gap
/// that falls so slowly that it may turn before it is a grain below zero is only grazed, unless it is seen to go below:
/// the ball of a pendulum that passes its lowest point just above a plane must not be stopped by a last digit.
/// @param at  time -> Closing
template <class At>
Prediction search(const At& at, const Searched& what, double from, double to, double base) {
  const double bound = what.bound, least_step = bound > 0.0 ? std::sqrt(2.0 * what.grain / bound) : 0.0;
  double t = from;
  for (int i = 0; i < steps_at_a_time; ++i) {
    if (!(t <= to)) return {base, never, false};
    const Closing now = at(t);
    const bool starts = t == 0.0 && what.touches;
    if (starts && now.rate < -what.resting_rate) return {base, t, true};
    const bool falls =
        now.rate < 0.0 && !starts && (now.rate * now.rate > 2.0 * bound * what.grain || now.gap < -4.0 * what.grain);
    if (falls && now.gap <= 0.0) return {base, t, true};
    double step;
    if (starts && now.rate <= what.resting_rate) {
      // Neither opens nor closes: whoever made the courses has seen that nothing presses them together.
      if (bound == 0.0) return {base, never, false};
      step = 64.0 * least_step;
    } else {
      const double h = std::max(now.gap, 0.0), root = std::sqrt(now.rate * now.rate + 2.0 * bound * h);
      step = now.rate < 0.0 ? 2.0 * h / (root - now.rate) : bound > 0.0 ? (now.rate + root) / bound : never;
    }
    if (step == never) return {base, never, false};
    const double next = t + step;
    if (next <= t * (1.0 + epsilon) && falls) return {base, t, true};
    if (!falls && now.gap <= what.grain) step = std::max(step, least_step);
    t = std::max(t + step, t * (1.0 + epsilon));
  }
  return t <= to ? Prediction{base, t, false} : Prediction{base, never, false};
}

/// Pendulums alike, side by side, that touch when they hang at the same angle: the difference y of their angles obeys
/// y'' >= -w^2 y while y > 0, so it stays above the harmonic motion from the same state (and is that for small angles).
struct Twins {
  const Swing *left, *right;
  double pace, offset;  ///< they touch where the difference of the angles is `offset`
};

std::optional<Twins> twins(const Course& a, const Course& b, double tolerance) {
  const Swing *left = a.swing(), *right = b.swing();
  if (left == nullptr || right == nullptr) return std::nullopt;
  const Vector3d& across = left->arm.across;
  if ((right->arm.anchor - left->arm.anchor).dot(across) < 0.0) std::swap(left, right);
  const Arm &l = left->arm, &r = right->arm;
  const double reach = a.radius + b.radius;
  const Vector3d apart = r.anchor - l.anchor;
  const double spacing = apart.dot(across);
  constexpr double alike = 1e-12;
  const bool same = l.motion == r.motion && std::abs(l.length - r.length) <= alike * l.length &&
                    (l.across - r.across).norm() <= alike && (l.down - r.down).norm() <= alike &&
                    (apart - spacing * across).norm() <= alike * spacing && std::abs(spacing - reach) <= tolerance &&
                    l.gravity > 0.0;
  if (!same) return std::nullopt;
  // Above the horizontal the balls could also meet the other way round.
  const double pace = std::sqrt(l.gravity / l.length), steep = std::numbers::sqrt2 * pace * l.length;
  if (l.motion == PendulumMotion::exact && (left->speed_bound >= steep || right->speed_bound >= steep))
    return std::nullopt;
  return Twins{left, right, pace, (reach - spacing) / l.length};
}

Prediction meet(const Twins& pair, double left_ahead, double right_ahead, double resting_speed, double noise,
                double from, double to, double base) {
  const double length = pair.left->arm.length;
  double t = from;
  for (int i = 0; i < 100; ++i) {
    if (!(t <= to)) break;
    const PendulumState l = pair.left->angle.at(left_ahead + t), r = pair.right->angle.at(right_ahead + t);
    const double y = r.angle - l.angle - pair.offset, rate = r.rate - l.rate;
    const bool closed = y * length <= noise, at_start = t == 0.0;
    if (closed && at_start && std::abs(rate) * length <= resting_speed) break;
    if (closed && rate < 0.0) return {base, t, true};
    // Leaving counts from a difference of exactly zero.
    const double from_here = closed ? 0.0 : y;
    const double step = std::atan2(from_here * pair.pace, -rate) / pair.pace;
    if (t + step <= t * (1.0 + epsilon)) return t <= to ? Prediction{base, t, true} : Prediction{base};
    t += step;
    // For small angles the step is exact.
    if (pair.left->arm.motion == PendulumMotion::small_angle)
      return t <= to ? Prediction{base, t, true} : Prediction{base, never, false};
  }
  return {base, never, false};
}

/// Rates below this share of the speeds are rounding.
constexpr double rate_noise = 8.0 * epsilon;

/// What rounding leaves of a gap: of the positions it is taken from, and of the ways since.
double grain(double positions, const Course& a, const Course& b) {
  return 8.0 * epsilon * positions + std::max(way_grain(a), way_grain(b));
}

/// The time until which both courses hold, counted from the base.
double until(double base, const Course& course, double horizon) {
  return std::min(course.start + course.end, horizon) - base;
}

}  // namespace

double way_grain(const Course& course) {
  if (!course.moves()) return 0.0;
  return 8.0 * epsilon *
         (course.swing() != nullptr ? std::min(course.swing()->reach, 2.0 * course.swing()->arm.length)
                                    : course.body.position.cwiseAbs().maxCoeff());
}

double gap_noise(double size, const Vector3d& position) {
  return touching_share * size + 4.0 * epsilon * position.cwiseAbs().maxCoeff();
}

Gap gap_between(const Vector3d& first, double first_radius, const Vector3d& second, double second_radius) {
  const Vector3d apart = first - second;
  const double distance = apart.norm();
  Gap gap;
  gap.gap = distance - (first_radius + second_radius);
  if (distance > 0.0) gap.normal = apart / distance;
  // The same bits whichever is first.
  gap.point = 0.5 * ((first - first_radius * gap.normal) + (second + second_radius * gap.normal));
  return gap;
}

namespace {

/// From the nearest point of a cushion's nose to a place. The nose is convex, so the distance from it is a convex
/// function of the place, and its second derivative in time is nowhere below minus the acceleration.
Vector3d from_cushion(const Wall& cushion, const Vector3d& place) {
  const Vector3d out = place - cushion.point;
  const double up = cushion.across.dot(out);
  const Vector3d flat = out - up * cushion.across;
  const Vector3d beside = flat - std::clamp(cushion.axis.dot(flat), 0.0, cushion.length) * cushion.axis;
  const double distance = beside.norm(), over = std::max(distance - cushion.radius, 0.0);
  return (over > 0.0 ? Vector3d(over / distance * beside) : Vector3d::Zero()) + up * cushion.across;
}

}  // namespace

Gap gap_between(const Vector3d& ball, double radius, const Wall& wall) {
  if (wall.kind == PartnerKind::cushion) {
    const Vector3d apart = from_cushion(wall, ball);
    const double distance = apart.norm();
    Gap gap;
    gap.gap = distance - radius;
    if (distance > 0.0) gap.normal = apart / distance;
    gap.point = ball - radius * gap.normal;
    return gap;
  }
  const Vector3d out = ball - wall.point;
  const double along = wall.axis.dot(out);
  if (wall.kind == PartnerKind::plane) return {along - radius, wall.axis, ball - radius * wall.axis};
  const Vector3d across = out - along * wall.axis;
  const double distance = across.norm();
  Gap gap;
  gap.gap = (wall.radius - radius) - distance;
  if (distance > 0.0) gap.normal = -across / distance;
  gap.point = ball - radius * gap.normal;
  return gap;
}

Prediction predict(const Course& a, const Course& b, double from, double horizon) {
  const double base = std::max(a.start, b.start);
  double to = std::min(until(base, a, horizon), until(base, b, horizon));
  if (!(to >= 0.0) || (!a.moves() && !b.moves())) return {base, never, false};
  const double a_ahead = base - a.start, b_ahead = base - b.start, reach = a.radius + b.radius;
  Vector3d xa, va, xb, vb;
  a.centre(a_ahead, xa, va);
  b.centre(b_ahead, xb, vb);
  const double size = a.state == WorldBodyState::immovable   ? b.radius
                      : b.state == WorldBodyState::immovable ? a.radius
                                                             : std::min(a.radius, b.radius);
  const double noise = std::max(gap_noise(size, xa), gap_noise(size, xb)),
               resting = std::max(a.speed_noise, b.speed_noise);
  if (a.parabola && b.parabola) {
    const double span =
        closing_time(gap_outside(xa - xb, va - vb, a.acceleration - b.acceleration, reach, noise, resting), to);
    return {base, span, span < never};
  }
  if (const auto alike = twins(a, b, 1e-6 * size)) {
    const bool in_order = alike->left == a.swing();
    return meet(*alike, in_order ? a_ahead : b_ahead, in_order ? b_ahead : a_ahead, resting, noise, from, to, base);
  }
  if (a.swing() != nullptr && b.swing() != nullptr &&
      (a.swing()->lowest() - b.swing()->lowest()).norm() > a.swing()->reach + b.swing()->reach + reach + noise)
    return {base, never, false};
  // What is seen of a pendulum by something that stays where it is repeats itself.
  const auto period = [](const Course& moving, const Course& other) {
    return moving.swing() != nullptr && !other.moves() ? moving.swing()->angle.period() : never;
  };
  to = std::min(to, std::min(period(a, b), period(b, a)));
  const Vector3d start = xa - xb;
  const double start_distance = start.norm(), start_gap = start_distance - reach;
  Searched what;
  what.bound = a.acceleration_bound + b.acceleration_bound;
  what.touches = start_gap <= noise;
  what.resting_rate = std::max(resting, rate_noise * (va.norm() + vb.norm()));
  const double size_seen = what.touches ? 0.0 : std::max(xa.cwiseAbs().maxCoeff(), xb.cwiseAbs().maxCoeff());
  what.grain = grain(size_seen, a, b);
  const Course::Origin from_a = a.origin(a_ahead), from_b = b.origin(b_ahead);
  Vector3d way_a, way_b;
  const auto at = [&](double t) {
    a.way_since(from_a, a_ahead + t, way_a, va);
    b.way_since(from_b, b_ahead + t, way_b, vb);
    const Vector3d way = way_a - way_b, apart = start + way;
    const double distance = apart.norm(), growth = way.dot(2.0 * start + way) / (distance + start_distance);
    return Closing{what.touches ? growth : start_gap + growth, distance > 0.0 ? apart.dot(va - vb) / distance : 0.0};
  };
  return search(at, what, from, to, base);
}

Prediction predict(const Course& a, const Wall& wall, double from, double horizon) {
  const double base = a.start;
  double to = until(base, a, horizon);
  if (!(to >= 0.0) || !a.moves()) return {base, never, false};
  const Vector3d& x = a.body.position;
  const double noise = gap_noise(a.radius, x);
  if (wall.kind == PartnerKind::cushion) {
    Searched what;
    what.bound = a.acceleration_bound;
    const double start_gap = gap_between(x, a.radius, wall).gap;
    what.touches = start_gap <= noise;
    what.resting_rate = std::max(a.speed_noise, rate_noise * a.body.velocity.norm());
    what.grain = grain(std::max(x.cwiseAbs().maxCoeff(), wall.point.cwiseAbs().maxCoeff()), a, a);
    // As fast as it can get, it would not come near.
    const double speed = a.body.velocity.norm();
    if (std::isfinite(to) && speed * to + 0.5 * what.bound * to * to < start_gap - what.grain)
      return {base, never, false};
    const Course::Origin origin = a.origin(0.0);
    Vector3d way, velocity;
    const auto at = [&](double t) {
      a.way_since(origin, t, way, velocity);
      const Vector3d apart = from_cushion(wall, x + way);
      const double distance = apart.norm(), gap = distance - a.radius - (what.touches ? start_gap : 0.0);
      return Closing{gap, distance > 0.0 ? apart.dot(velocity) / distance : 0.0};
    };
    return search(at, what, from, to, base);
  }
  if (a.parabola) {
    const GapPolynomial gap =
        wall.kind == PartnerKind::plane
            ? gap_above(wall.axis, x - wall.point, a.body.velocity, a.acceleration, a.radius, noise, a.speed_noise)
            : gap_inside(wall.axis, x - wall.point, a.body.velocity, a.acceleration, wall.radius - a.radius, noise,
                         a.speed_noise);
    const double span = closing_time(gap, to);
    return {base, span, span < never};
  }
  if (a.swing() != nullptr) to = std::min(to, a.swing()->angle.period());
  const Course::Origin origin = a.origin(0.0);
  Vector3d velocity, way;
  Searched what;
  const double start_gap = gap_between(x, a.radius, wall).gap;
  what.touches = start_gap <= noise;
  what.bound = a.acceleration_bound;
  what.resting_rate = std::max(a.speed_noise, rate_noise * a.body.velocity.norm());
  const double size_seen = what.touches ? 0.0 : std::max(x.cwiseAbs().maxCoeff(), wall.point.cwiseAbs().maxCoeff());
  what.grain = grain(size_seen, a, a);
  if (wall.kind == PartnerKind::plane) {
    const auto at = [&](double t) {
      a.way_since(origin, t, way, velocity);
      return Closing{(what.touches ? 0.0 : start_gap) + wall.axis.dot(way), wall.axis.dot(velocity)};
    };
    return search(at, what, from, to, base);
  }
  // In a tube the square of the distance from the axis has a bounded second derivative, the distance has not.
  const double reach = wall.radius - a.radius;
  const double speed =
      a.swing() != nullptr ? a.swing()->speed_bound : a.body.velocity.norm() + a.acceleration_bound * std::min(to, 1e3);
  const auto across = [&](const Vector3d& v) -> Vector3d { return v - wall.axis.dot(v) * wall.axis; };
  const Vector3d start = across(x - wall.point);
  const double start_square = what.touches ? 0.0 : start_gap * (reach + start.norm());
  what.bound = 2.0 * (speed * speed + reach * a.acceleration_bound);
  what.resting_rate *= 2.0 * reach;
  what.grain *= 2.0 * reach;
  const auto at = [&](double t) {
    a.way_since(origin, t, way, velocity);
    const Vector3d gone = across(way);
    return Closing{start_square - gone.dot(2.0 * start + gone), -2.0 * (start + gone).dot(velocity)};
  };
  return search(at, what, from, to, base);
}

Prediction predict_fall(const Course& a, const Vector3d& centre, double radius, const Vector3d& normal, double from,
                        double horizon) {
  const double base = a.start, to = until(base, a, horizon);
  if (!(to >= 0.0) || !a.moves()) return {base, never, false};
  const auto flat = [&](const Vector3d& v) -> Vector3d { return v - normal.dot(v) * normal; };
  const Vector3d start = flat(a.body.position - centre);
  const double noise = gap_noise(radius, a.body.position);
  if (start.norm() < radius - noise) return {base, 0.0, true};
  if (a.parabola) {
    const double span =
        closing_time(gap_outside(start, flat(a.body.velocity), flat(a.acceleration), radius, noise, a.speed_noise), to);
    return {base, span, span < never};
  }
  Searched what;
  what.bound = a.acceleration_bound;
  what.touches = start.norm() - radius <= noise;
  what.resting_rate = rate_noise * a.body.velocity.norm();
  what.grain = grain(a.body.position.cwiseAbs().maxCoeff(), a, a);
  const Course::Origin origin = a.origin(0.0);
  Vector3d way, velocity;
  const auto at = [&](double t) {
    a.way_since(origin, t, way, velocity);
    const Vector3d out = start + flat(way);
    const double distance = out.norm();
    return Closing{distance - radius, distance > 0.0 ? out.dot(velocity) / distance : 0.0};
  };
  return search(at, what, from, to, base);
}

}  // namespace carom::world
