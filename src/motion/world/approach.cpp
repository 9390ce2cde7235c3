#include "approach.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "carom/motion/time_of_impact.hpp"

#include "../polynomial.hpp"

namespace carom::world {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// After so many steps a search is put aside until time has come so far: most courses end long before.
constexpr int steps_at_a_time = 2;

/// A normal that follows a turning face is followed no farther than this in one step: the bounds count on it.
constexpr double most_tilt = 0.5;

/// Within this share of their size, corners count as one edge or face when a normal is to follow them.
constexpr double tied_share = 1e-7;

/// Farther apart than this share of their size, the slab need not turn with anything.
constexpr double near_share = 0.02;

/// One body at an instant, as far as the next touch of one of its parts is concerned.
struct Moving {
  Placed placed;
  Vector3d velocity = Vector3d::Zero(), spin = Vector3d::Zero();  // world axes
  Vector3d acceleration = Vector3d::Zero();                       // of the centre of mass, where it is the same later
  double unknown_acceleration = 0.0;                              // else a bound of it [m/s^2]
  double turning = 0.0;  // bound of the acceleration of a point of the core about the centre of mass [m/s^2]
  double reach() const { return placed.part->reach; }
};

/// The first moment at which a slab that turns may close, and the pair of points that closes it.
struct Limit {
  double span = never;
  double gap = 0.0, rate = 0.0;  ///< of that pair, now
  double bound = 0.0;            ///< of the second derivative of its gap, downwards
  bool past = false;             ///< the slab is open until the end of what is asked for
};

/// How long the slab across n + t tilt stays open. A point at x of a body that turns at w is at x + t w x x and what
/// its acceleration adds, so its height is x.(n + t (tilt + n x w)) and terms in t^2, which are bounded: of all points
/// of a convex body the lowest is its support point in that direction. What is left is concave in t; its root is found
/// from above, through the pairs of points that are nearest there.
/// @param offset  added to the gap
Limit closing(const Moving& a, const Moving& b, const Vector3d& n, const Vector3d& tilt, double offset, double to) {
  const double w = tilt.norm(), rounding = a.placed.part->rounding + b.placed.part->rounding;
  const Vector3d apart = a.placed.pose.position - b.placed.pose.position, speed = a.velocity - b.velocity,
                 pull = a.acceleration - b.acceleration;
  const double stretch = std::hypot(1.0, most_tilt);
  double bound = stretch * (a.turning + b.turning + a.unknown_acceleration + b.unknown_acceleration);
  const double end = to;
  if (w > 0.0) {
    bound += 2.0 * w * (a.reach() * a.spin.norm() + b.reach() * b.spin.norm() + speed.norm());
    bound += 0.5 * most_tilt * pull.norm() + rounding * w * w;
    to = std::min(to, most_tilt / w);
  }
  Limit limit;
  limit.bound = std::max(bound - n.dot(pull), 0.0);
  const Vector3d turn_a = tilt + n.cross(a.spin), turn_b = tilt + n.cross(b.spin);
  const double gap = n.dot(apart) - rounding + offset, rate = n.dot(speed) + tilt.dot(apart);
  const auto nearest_at = [&](double t) {
    const Vector3d p = a.placed.support(-(n + t * turn_a)), q = b.placed.support(n + t * turn_b);
    limit.gap = gap + n.dot(p - q);
    limit.rate = rate + turn_a.dot(p) - turn_b.dot(q);
  };
  const double k = limit.bound;
  const auto root = [&]() {
    const double h = limit.gap, v = limit.rate;
    if (h <= 0.0 && v <= 0.0) return 0.0;
    const double square = v * v + 2.0 * k * h;
    if (!(square > 0.0)) return h > 0.0 ? never : 0.0;
    if (v < 0.0) return 2.0 * h / (std::sqrt(square) - v);
    return k > 0.0 ? (v + std::sqrt(square)) / k : never;
  };
  nearest_at(0.0);
  double t = root();
  if (t == 0.0) {
    limit.span = 0.0;
    return limit;
  }
  limit.past = t > end;
  t = std::min(t, to);
  for (int i = 0; i < 40; ++i) {
    nearest_at(t);
    const double next = root();
    if (!(next < t)) break;
    limit.past = false;
    const bool near = next >= t * (1.0 - 1e-14);
    t = next;
    if (near || t == 0.0) break;
  }
  limit.span = t;
  return limit;
}

/// The tilts that keep what touches in touch: with the face of one, or with an edge of each.
void tilts_of(const Moving& a, const Moving& b, const Vector3d& n, double tolerance, std::vector<Vector3d>& tilts) {
  tilts.clear();
  if (a.spin.isZero(0.0) && b.spin.isZero(0.0)) {
    tilts.emplace_back(Vector3d::Zero());
    return;
  }
  const Ties ties = ties_of(a.placed, b.placed, n, tolerance);
  const auto falling = [&](const Vector3d& edge, const Vector3d& spin) { return -n.dot(spin.cross(edge)); };
  if (ties.face_b) tilts.emplace_back(b.spin.cross(n));
  if (ties.face_a) tilts.emplace_back(a.spin.cross(n));
  for (const Vector3d& first : ties.a)
    for (const Vector3d& second : ties.b) {
      const double along = first.dot(second), square = 1.0 - along * along;
      if (!(square > 1e-16)) continue;
      const double f = falling(first, a.spin), s = falling(second, b.spin);
      tilts.emplace_back(((f - along * s) * first + (s - along * f) * second) / square);
    }
  if (!ties.face_a && ties.b.empty())
    for (const Vector3d& edge : ties.a) tilts.emplace_back(falling(edge, a.spin) * edge);
  if (!ties.face_b && ties.a.empty())
    for (const Vector3d& edge : ties.b) tilts.emplace_back(falling(edge, b.spin) * edge);
  if (ties.a.empty() && ties.b.empty()) tilts.emplace_back(Vector3d::Zero());
  if (tilts.empty()) tilts.emplace_back(Vector3d::Zero());
}

/// What is searched: two bodies at any time, and how to make the next step of a pair of parts.
struct Pair {
  const Course *a = nullptr, *b = nullptr;  // b: null for a plane
  const Wall* plane = nullptr;
  double a_ahead = 0.0, b_ahead = 0.0;
  double a_turning = 0.0, b_turning = 0.0;  // for a reach of 1
  std::vector<Vector3d> normals;            // of each pair of parts, as last seen
};

void set_motion(Moving& moving, const Course& course, double time) {
  const Body now = course.at(time);
  moving.placed.pose = pose_of(now);
  moving.velocity = now.velocity;
  moving.spin = course.solid->ball ? Vector3d::Zero() : now.angular_velocity;
  if (course.parabola)
    moving.acceleration = course.acceleration;
  else
    moving.unknown_acceleration = course.acceleration_bound;
}

const Convex& half_space() {
  static const Convex point = [] {
    Convex made;
    made.points = {Vector3d::Zero()};
    return made;
  }();
  return point;
}

/// The next step from a time on.
struct Step {
  Limit limit;
  double grain = 0.0;
};

class Search {
public:
  explicit Search(Pair pair) : pair_(std::move(pair)) {}

  Step step(double t, double to) {
    Moving a, b;
    set_motion(a, *pair_.a, pair_.a_ahead + t);
    const double far_a = a.placed.pose.position.cwiseAbs().maxCoeff();
    double far = far_a;
    if (pair_.b != nullptr) {
      set_motion(b, *pair_.b, pair_.b_ahead + t);
      far = std::max(far, b.placed.pose.position.cwiseAbs().maxCoeff());
    } else {
      b.placed.part = &half_space();
      b.placed.pose.position = pair_.plane->point;
      far = std::max(far, pair_.plane->point.cwiseAbs().maxCoeff());
    }
    Step next;
    next.grain = 8.0 * epsilon * (far + pair_.a->radius + (pair_.b != nullptr ? pair_.b->radius : 0.0));
    std::size_t k = 0;
    const auto consider = [&] {
      const Limit limit = limit_of(a, b, k, t, to);
      if (k == 0 || limit.span < next.limit.span) next.limit = limit;
      ++k;
    };
    for (const Convex& part_a : pair_.a->solid->parts) {
      a.placed.part = &part_a;
      a.turning = pair_.a_turning * part_a.reach;
      if (pair_.b == nullptr) {
        consider();
        continue;
      }
      for (const Convex& part_b : pair_.b->solid->parts) {
        b.placed.part = &part_b;
        b.turning = pair_.b_turning * part_b.reach;
        consider();
      }
    }
    return next;
  }

private:
  Limit limit_of(const Moving& a, const Moving& b, std::size_t k, double t, double to) {
    Separation now;
    if (pair_.plane != nullptr) {
      now = {slab(a.placed, b.placed, pair_.plane->axis), pair_.plane->axis};
      tilts_ = {Vector3d::Zero()};
    } else {
      now = open_slab(a.placed, b.placed, pair_.normals[k]);
      pair_.normals[k] = now.normal;
      const double size = std::min(pair_.a->radius, pair_.b->radius);
      if (now.gap > near_share * size)
        tilts_.assign(1, Vector3d::Zero());
      else
        tilts_of(a, b, now.normal, tied_share * size, tilts_);
    }
    // What overlaps by rounding at the start counts as touching there.
    const double offset = now.gap > 0.0 ? 0.0 : t == 0.0 ? -now.gap : overlap_at_start(a, b);
    Limit best;
    for (std::size_t i = 0; i < tilts_.size(); ++i) {
      const Limit limit = closing(a, b, now.normal, tilts_[i], offset, to);
      const bool better = i == 0 || limit.span > best.span || (limit.span == best.span && limit.rate > best.rate);
      if (better) best = limit;
    }
    return best;
  }

  double overlap_at_start(const Moving& now_a, const Moving& now_b) const {
    Moving a = now_a, b = now_b;
    set_motion(a, *pair_.a, pair_.a_ahead);
    if (pair_.plane != nullptr) return std::max(-slab(a.placed, b.placed, pair_.plane->axis), 0.0);
    set_motion(b, *pair_.b, pair_.b_ahead);
    const Vector3d apart = a.placed.pose.position - b.placed.pose.position;
    return std::max(-separation(a.placed, b.placed, apart).gap, 0.0);
  }

  Pair pair_;
  std::vector<Vector3d> tilts_;
};

/// The span after which the balls around two bodies meet: nothing can touch before. Zero: now, or nothing is known.
double balls_meet(const Course& a, const Course* b, const Wall* plane, double a_time, double b_time, double to) {
  Vector3d xa, va, xb = Vector3d::Zero(), vb = xb;
  a.centre(a_time, xa, va);
  if (!a.parabola) return 0.0;
  const double room = 1e-9 * a.radius;
  if (plane != nullptr) {
    const double reach = a.radius + room;
    if (plane->axis.dot(xa - plane->point) <= reach) return 0.0;
    return closing_time(gap_above(plane->axis, xa - plane->point, va, a.acceleration, reach, 0.0), to);
  }
  if (!b->parabola) return 0.0;
  b->centre(b_time, xb, vb);
  const double reach = a.radius + b->radius + room;
  if ((xa - xb).norm() <= reach) return 0.0;
  return closing_time(gap_outside(xa - xb, va - vb, a.acceleration - b->acceleration, reach, 0.0), to);
}

/// Whether two bodies that touch at the start close somewhere where they do: a slab between them may seem to close
/// where only what reaches beyond the other one sinks.
bool closes(const Course& a, const Course* b, const Wall* plane, double a_time, double b_time, double tolerance,
            double resting_speed) {
  const Body first = a.at(a_time), second = b != nullptr ? b->at(b_time) : Body{};
  const std::vector<Touch> touches =
      b != nullptr ? touches_between(*a.solid, pose_of(first), *b->solid, pose_of(second), tolerance, true)
                   : touches_between(*a.solid, pose_of(first), *plane, tolerance, true);
  return std::any_of(touches.begin(), touches.end(), [&](const Touch& touch) {
    Vector3d v = velocity_at(first, touch.gap.point);
    if (b != nullptr && !second.immovable) v -= velocity_at(second, touch.gap.point);
    return v.dot(touch.gap.normal) < -resting_speed;
  });
}

Prediction search(Pair pair, double from, double to, double base, double resting_speed, double noise) {
  const Course& a = *pair.a;
  const Course* b = pair.b;
  const Wall* plane = pair.plane;
  const double a_ahead = pair.a_ahead, b_ahead = pair.b_ahead;
  Search steps(std::move(pair));
  double t = from;
  Step next;
  bool looked = from == 0.0 && !(balls_meet(a, b, plane, a_ahead, b_ahead, to) > 0.0);
  if (looked) {
    next = steps.step(0.0, to);
    if (next.limit.gap <= noise && next.limit.rate < -resting_speed) {
      if (closes(a, b, plane, a_ahead, b_ahead, noise, resting_speed)) return {base, 0.0, true};
      next.limit.rate = 0.0;
    }
  }
  for (int i = 0; i < steps_at_a_time; ++i) {
    if (!(t <= to)) return {base, never, false};
    if (const double far = balls_meet(a, b, plane, a_ahead + t, b_ahead + t, to - t); far > 0.0) {
      if (far == never) return {base, never, false};
      t += far;
      looked = false;
    }
    if (!looked) next = steps.step(t, to - t);
    looked = false;
    const Limit& limit = next.limit;
    const double least_step = limit.bound > 0.0 ? std::sqrt(2.0 * next.grain / limit.bound) : 0.0;
    const bool starts = t == 0.0 && limit.gap <= noise;
    const bool falls = limit.rate < 0.0 && !starts &&
                       (limit.rate * limit.rate > 2.0 * limit.bound * next.grain || limit.gap < -4.0 * next.grain);
    if (falls && limit.gap <= 0.0) return {base, t, true};
    double step = limit.span;
    if (starts && limit.rate <= resting_speed) {
      // Neither opens nor closes.
      if (limit.bound == 0.0 && limit.rate >= -resting_speed) return {base, never, false};
      step = std::max(step, 64.0 * least_step);
    }
    if (step == never || limit.past) return {base, never, false};
    if (t + step <= t * (1.0 + epsilon) && falls) return {base, t, true};
    if (!falls && limit.gap <= next.grain) step = std::max(step, least_step);
    t = std::max(t + step, t * (1.0 + epsilon));
  }
  return t <= to ? Prediction{base, t, false} : Prediction{base, never, false};
}

double until(double base, const Course& course, double horizon) {
  return std::min(course.start + course.end, horizon) - base;
}

/// Of something that touches: what rounding does to places far from the origin, and to its corners.
double touch_noise(const Course& course) {
  return gap_noise(course.radius, course.body.position) + 8.0 * epsilon * course.radius;
}

}  // namespace

Pose pose_of(const Body& body) { return {body.position, body.orientation.toRotationMatrix()}; }

Prediction predict_solids(const Course& a, const Course& b, double from, double horizon) {
  Pair pair;
  const double base = std::max(a.start, b.start), to = std::min(until(base, a, horizon), until(base, b, horizon));
  if (!(to >= 0.0) || (!a.moves() && !b.moves())) return {base, never, false};
  pair.a = &a;
  pair.b = &b;
  pair.a_ahead = base - a.start;
  pair.b_ahead = base - b.start;
  pair.a_turning = a.turning_bound;
  pair.b_turning = b.turning_bound;
  const std::size_t pairs = a.solid->parts.size() * b.solid->parts.size();
  Vector3d xa, xb, velocity;
  a.centre(pair.a_ahead, xa, velocity);
  b.centre(pair.b_ahead, xb, velocity);
  pair.normals.assign(pairs, xa - xb);
  return search(std::move(pair), from, to, base, std::max(a.speed_noise, b.speed_noise),
                std::max(touch_noise(a), touch_noise(b)));
}

Prediction predict_solid(const Course& a, const Wall& plane, double from, double horizon) {
  Pair pair;
  const double base = a.start, to = until(base, a, horizon);
  if (!(to >= 0.0) || !a.moves()) return {base, never, false};
  pair.a = &a;
  pair.plane = &plane;
  pair.a_turning = a.turning_bound;
  pair.normals.assign(a.solid->parts.size(), plane.axis);
  return search(std::move(pair), from, to, base, a.speed_noise, touch_noise(a));
}

/// Parts that share an edge, or reach into each other, touch at the same place: that is one contact.
static void drop_repeated(std::vector<Touch>& touches, double size) {
  const double near = 1e-9 * size;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < touches.size(); ++k) {
    const auto same = [&](const Touch& other) {
      return (other.gap.point - touches[k].gap.point).norm() <= near &&
             other.gap.normal.cross(touches[k].gap.normal).norm() <= 1e-6;
    };
    if (std::none_of(touches.begin(), touches.begin() + static_cast<std::ptrdiff_t>(kept), same))
      touches[kept++] = touches[k];
  }
  touches.resize(kept);
}

double distance_between(const Solid& a, const Pose& at_a, const Solid& b, const Pose& at_b, double enough) {
  double least = never;
  for (const Convex& first : a.parts)
    for (const Convex& second : b.parts) {
      const Placed p{&first, at_a}, q{&second, at_b};
      if (apart_for_sure(p, q, std::min(least, enough))) continue;
      least = std::min(least, separation(p, q, at_a.position - at_b.position).gap);
    }
  return least;
}

double distance_between(const Solid& a, const Pose& at_a, const Wall& plane) {
  double least = never;
  for (const Convex& part : a.parts)
    least = std::min(least, slab({&part, at_a}, {&half_space(), {plane.point, Matrix3d::Identity()}}, plane.axis));
  return least;
}

std::vector<Touch> touches_between(const Solid& a, const Pose& at_a, const Solid& b, const Pose& at_b, double tolerance,
                                   bool always) {
  std::vector<Touch> touches;
  const auto add = [&](const Convex& first, const Convex& second, double limit) {
    const Placed p{&first, at_a}, q{&second, at_b};
    const Separation apart = separation(p, q, at_a.position - at_b.position);
    if (apart.gap > limit) return;
    std::vector<Feature> features;
    features_of(p, q, apart, std::max(std::abs(limit), tolerance), features);
    for (const Feature& feature : features) touches.push_back({feature, gap_at(feature, at_a, at_b, apart.normal)});
  };
  for (const Convex& first : a.parts)
    for (const Convex& second : b.parts)
      if (!apart_for_sure({&first, at_a}, {&second, at_b}, tolerance)) add(first, second, tolerance);
  if (a.parts.size() + b.parts.size() > 2) drop_repeated(touches, std::min(a.radius, b.radius));
  if (!touches.empty() || !always) return touches;
  const double least = distance_between(a, at_a, b, at_b);
  for (const Convex& first : a.parts)
    for (const Convex& second : b.parts) add(first, second, least);
  return touches;
}

std::vector<Touch> touches_between(const Solid& a, const Pose& at_a, const Wall& plane, double tolerance, bool always) {
  std::vector<Touch> touches;
  const double least = distance_between(a, at_a, plane);
  const double limit = always ? std::max(least, tolerance) : tolerance;
  if (least > limit) return touches;
  const Pose fixed{plane.point, Matrix3d::Identity()};
  const Vector3d down = at_a.axes.transpose() * -plane.axis;
  std::vector<Vector3d> points;
  for (const Convex& part : a.parts) {
    const double gap = slab({&part, at_a}, {&half_space(), fixed}, plane.axis);
    if (gap > limit) continue;
    part.farthest(down, limit - gap, points);
    for (const Vector3d& point : points) {
      Feature feature;
      feature.first = point;
      feature.first_rounding = part.rounding;
      feature.normal = plane.axis;
      note_rims(feature, part, nullptr);
      touches.push_back({feature, gap_at(feature, at_a, fixed, plane.axis)});
    }
  }
  if (a.parts.size() > 1) drop_repeated(touches, a.radius);
  std::sort(touches.begin(), touches.end(), [](const Touch& x, const Touch& y) {
    return std::lexicographical_compare(x.feature.first.data(), x.feature.first.data() + 3, y.feature.first.data(),
                                        y.feature.first.data() + 3);
  });
  return touches;
}

}  // namespace carom::world
