#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/core/contact.hpp"
#include "carom/core/error.hpp"
#include "carom/motion/table.hpp"

namespace carom {

namespace {

using Eigen::Vector3d;

constexpr double never = std::numeric_limits<double>::infinity();

/// (1 - exp(-a s)) / a
double growth(double a, double s) { return a == 0.0 ? s : -std::expm1(-a * s) / a; }

Vector3d along(const Vector3d& v, const Vector3d& normal) { return v - v.dot(normal) * normal; }

/// The root of a rising function, by Newton's method within brackets that are found first.
/// @param f  (x, derivative) -> value
template <class Function>
double rising_root(const Function& f) {
  double low = 0.0, high = 1.0, slope = 0.0;
  while (f(high, slope) < 0.0 && high < 1e300) low = high, high *= 2.0;
  double x = 0.5 * (low + high);
  for (int i = 0; i < 200; ++i) {  // bisection alone needs 64
    const double value = f(x, slope);
    (value < 0.0 ? low : high) = x;
    const double next = x - value / slope;
    const double chosen = next > low && next < high ? next : 0.5 * (low + high);
    if (std::abs(chosen - x) <= std::numeric_limits<double>::epsilon() * std::abs(x)) return chosen;
    x = chosen;
  }
  return x;
}

/// Stretches of the turn have at least this angle counted when their error is judged: less is rounding [rad].
constexpr double least_angle = 0.1;
/// The sixth-order steps over the halves of a stretch are nearer to the truth than one over the whole, by this.
constexpr double gain_of_halving = 60.0;
/// A stretch is not made shorter than this share of the time it starts at, or of the first guess.
constexpr double shortest_stretch = 1e-12;

}  // namespace

double BallOnPlane::Dragged::end() const {
  const double c = drag, g = pull.norm(), u = start.norm();
  if (u == 0.0) return c >= g ? 0.0 : never;
  if (c > g) return (c * u + start.dot(pull)) / ((c - g) * (c + g));
  return c == g && c > 0.0 && start.dot(pull) == -u * g ? 0.5 * u / c : never;
}

/// With the angle chi between u and the pull, q = tan(chi/2): |u| = |u0| (q/q0)^(c/g - 1) (1 + q^2) / (1 + q0^2) and
/// dt = -|u| dq / (g q). In s = -ln(q/q0) / g all powers are exponentials, and nothing is special about g = 0 or about
/// motion straight up or down.
void BallOnPlane::Dragged::at(double time, Vector3d& velocity, Vector3d& way) const {
  const double c = drag, g = pull.norm(), u = start.norm();
  const Vector3d down = g > 0.0 ? Vector3d(pull / g) : u > 0.0 ? Vector3d(start / u) : Vector3d::UnitX();
  const double ahead = start.dot(down);
  const Vector3d aside = start - ahead * down;
  const double across = g > 0.0 ? aside.norm() : 0.0;
  // Straight uphill, or from rest, it may turn and go down.
  if (u == 0.0 || (across == 0.0 && ahead < 0.0 && time * (c + g) >= u)) {
    const double turn = u == 0.0 ? 0.0 : u / (c + g), left = time - turn, gain = std::max(g - c, 0.0);
    velocity = gain * left * down;
    way = (0.5 * gain * left * left - 0.5 * u * turn) * down;
    return;
  }
  const double half = 0.5 * std::atan2(across, ahead), w0 = std::cos(half) * std::cos(half),
               w1 = std::sin(half) * std::sin(half), sine = across / u;
  double s = 0.0;
  if (c > g) {
    // The logarithm of the time that is left falls with s and is convex: Newton's method never goes too far.
    const double left = std::max(end() - time, 0.0);
    if (left == 0.0) s = never;
    for (int i = 0; i < 100 && s < never; ++i) {
      const double slow = u * w0 * std::exp(-(c - g) * s), fast = u * w1 * std::exp(-(c + g) * s);
      const double rest = slow / (c - g) + fast / (c + g), step = std::log(rest / left) * rest / (slow + fast);
      s += step;
      if (!(step > std::numeric_limits<double>::epsilon() * s)) break;
    }
    s = std::max(s, 0.0);
  } else if (time > 0.0) {
    s = rising_root([&](double x, double& slope) {
      slope = u * (w0 * std::exp(-(c - g) * x) + w1 * std::exp(-(c + g) * x));
      return u * (w0 * growth(c - g, x) + w1 * growth(c + g, x)) - time;
    });
  }
  const Vector3d side = across > 0.0 ? Vector3d(aside / across) : Vector3d::Zero();
  velocity = u * ((w0 * std::exp(-(c - g) * s) - w1 * std::exp(-(c + g) * s)) * down +
                  sine * (std::isinf(s) ? 0.0 : std::exp(-c * s)) * side);
  way = u * u *
        ((w0 * w0 * growth(2.0 * (c - g), s) - w1 * w1 * growth(2.0 * (c + g), s)) * down +
         sine * (w0 * growth(2.0 * c - g, s) + w1 * growth(2.0 * c + g, s)) * side);
}

BallOnPlane::BallOnPlane(const Body& ball, double radius, const Vector3d& normal, const PlaneFriction& friction,
                         const Vector3d& gravity)
    : ball_(ball), radius_(radius), normal_(normal), end_(never), spin_end_(never) {
  if (ball.immovable) throw InvalidInput("ball", "must be movable");
  require_valid(ball);
  require_positive("radius", radius);
  require_at_least("sliding", friction.sliding, 0.0);
  require_at_least("rolling", friction.rolling, 0.0);
  require_at_least("spinning", friction.spinning, 0.0);
  if (!(std::abs(normal.norm() - 1.0) <= unit_tolerance)) throw InvalidInput("normal", "must be a unit vector");
  if (!gravity.allFinite()) throw InvalidInput("gravity", "must be finite");
  const double pressing = -gravity.dot(normal);
  if (!(pressing > 0.0)) throw InvalidInput("gravity", "must press the ball on the plane");
  const double inertia = ball.inertia.trace() / 3.0;
  if ((ball.inertia - inertia * Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() > inertia_tolerance * inertia)
    throw InvalidInput("ball.inertia", "must be the same about every axis");

  kappa_ = ball.mass * radius * radius / inertia;
  downhill_ = along(gravity, normal);
  velocity_ = along(ball.velocity, normal);
  const double small = ball_rest_share * (velocity_.norm() + radius * ball.angular_velocity.norm());
  spin_ = ball.angular_velocity.dot(normal);
  if (radius * std::abs(spin_) <= small) spin_ = 0.0;
  spin_loss_ = kappa_ * friction.spinning * pressing / radius;
  if (spin_ != 0.0 && spin_loss_ > 0.0) spin_end_ = std::abs(spin_) / spin_loss_;

  const Vector3d slip = velocity_ - radius * ball.angular_velocity.cross(normal);
  grips_ = downhill_.norm() <= (1.0 + kappa_) * friction.sliding * pressing;
  rolling_drag_ = friction.rolling * pressing;
  if (slip.norm() > small || !grips_) {
    state_ = BallState::slides;
    dragged_ = {slip.norm() > small ? slip : Vector3d::Zero(), downhill_, (1.0 + kappa_) * friction.sliding * pressing};
    end_ = dragged_.end();
    return;
  }
  if (velocity_.norm() <= small) velocity_.setZero();
  dragged_ = {velocity_, kappa_ / (1.0 + kappa_) * downhill_, rolling_drag_};
  if (!velocity_.isZero(0.0) || dragged_.pull.norm() > dragged_.drag) {
    state_ = BallState::rolls;
    end_ = dragged_.end();
  } else if (spin_ != 0.0) {
    state_ = BallState::spins;
    end_ = spin_end_;
  }
}

void BallOnPlane::motion(double time, Vector3d& way, Vector3d& velocity, Vector3d& spin) const {
  way.setZero();
  velocity.setZero();
  spin = std::copysign(std::max(std::abs(spin_) - spin_loss_ * time, 0.0), spin_) * normal_;
  if (state_ == BallState::rolls) {
    dragged_.at(time, velocity, way);
    spin += normal_.cross(velocity) / radius_;
  } else if (state_ == BallState::slides) {
    // Velocity and spin are linear in the slip u and in time: mu g_n u/|u| = (g_t - u') / (1 + kappa).
    Vector3d slip, slipped;
    dragged_.at(time, slip, slipped);
    const double share = 1.0 / (1.0 + kappa_);
    velocity = velocity_ + kappa_ * share * time * downhill_ + share * (slip - dragged_.start);
    way = time * velocity_ + 0.5 * kappa_ * share * time * time * downhill_ + share * (slipped - time * dragged_.start);
    spin += along(ball_.angular_velocity, normal_) +
            kappa_ * share / radius_ * normal_.cross(time * downhill_ - (slip - dragged_.start));
  }
}

bool BallOnPlane::is_parabola() const {
  if (state_ == BallState::spins || state_ == BallState::rests) return true;
  return dragged_.drag == 0.0 || dragged_.pull.isZero(0.0);
}

Vector3d BallOnPlane::acceleration() const {
  if (state_ == BallState::spins || state_ == BallState::rests) return Vector3d::Zero();
  const double pull = dragged_.pull.norm(), moving = dragged_.start.norm();
  Vector3d change = Vector3d::Zero();
  if (moving > 0.0)
    change = dragged_.pull - dragged_.drag / moving * dragged_.start;
  else if (pull > dragged_.drag)  // from rest on it follows the pull
    change = (1.0 - dragged_.drag / pull) * dragged_.pull;
  const double share = 1.0 / (1.0 + kappa_);
  return state_ == BallState::rolls ? change : Vector3d(kappa_ * share * downhill_ + share * change);
}

Vector3d BallOnPlane::lasting_acceleration(const Vector3d& direction, double small_speed) const {
  const double share = 1.0 / (1.0 + kappa_);
  const bool slides = state_ == BallState::slides;
  if (slides && share * dragged_.start.norm() > small_speed) return acceleration();
  /// x' = 0: what of a pull is not taken up by the drag.
  const auto left = [](const Vector3d& pull, double drag) -> Vector3d {
    const double strength = pull.norm();
    return strength > drag ? Vector3d((1.0 - drag / strength) * pull) : Vector3d::Zero();
  };
  if (slides && !grips_) return kappa_ * share * downhill_ + share * left(downhill_, dragged_.drag);
  const Vector3d pull = kappa_ * share * downhill_, moving = velocity_ - velocity_.dot(direction) * direction;
  const double speed = moving.norm();
  return speed > small_speed ? Vector3d(pull - rolling_drag_ / speed * moving) : left(pull, rolling_drag_);
}

double BallOnPlane::acceleration_bound() const {
  if (state_ == BallState::spins || state_ == BallState::rests) return 0.0;
  const double change = dragged_.pull.norm() + dragged_.drag, share = 1.0 / (1.0 + kappa_);
  return state_ == BallState::rolls ? change : kappa_ * share * downhill_.norm() + share * change;
}

void BallOnPlane::centre(double time, Vector3d& position, Vector3d& velocity) const {
  Vector3d spin;
  motion(time, position, velocity, spin);
  position += ball_.position;
}

Body BallOnPlane::last() const {
  Body ball = at(end_);
  const double about_normal = end_ >= spin_end_ ? 0.0 : ball.angular_velocity.dot(normal_);
  const double small = ball_rest_share * (velocity_.norm() + radius_ * ball_.angular_velocity.norm());
  if (state_ != BallState::slides || ball.velocity.norm() <= small) ball.velocity.setZero();
  ball.angular_velocity = about_normal * normal_ + normal_.cross(ball.velocity) / radius_;
  return ball;
}

void BallOnPlane::require_within(double time) const {
  if (!(time >= 0.0 && time <= end_ && time < never))
    throw InvalidInput(
        "time", "must lie between 0 and the end of the state, " + number_text(end_) + ", got " + number_text(time));
}

/// By Magnus's series of sixth order (Blanes, Casas, Oteo and Ros 2009, equation 257).
Eigen::Quaterniond BallOnPlane::turn(double from, double to) const {
  const auto spin_at = [this](double t) {
    Vector3d ignored_way, ignored_velocity, spin;
    motion(t, ignored_way, ignored_velocity, spin);
    return spin;
  };
  const double h = to - from, middle = from + 0.5 * h, off = std::sqrt(15.0) / 10.0 * h;
  const Vector3d a = spin_at(middle - off), b = spin_at(middle), c = spin_at(middle + off);
  const Vector3d a1 = h * b, a2 = std::sqrt(15.0) / 3.0 * h * (c - a), a3 = 10.0 / 3.0 * h * (c - 2.0 * b + a);
  const Vector3d c1 = a1.cross(a2), c2 = -1.0 / 60.0 * a1.cross(2.0 * a3 + c1);
  const Vector3d turn = a1 + a3 / 12.0 + 1.0 / 240.0 * (-20.0 * a1 - a3 + c1).cross(a2 + c2);
  const double angle = turn.norm();
  return angle > 0.0 ? Eigen::Quaterniond(Eigen::AngleAxisd(angle, turn / angle)) : Eigen::Quaterniond::Identity();
}

/// As long as two steps over its halves are accurate: long where the axis stays, ever shorter towards the end of
/// sliding on an incline, where it turns ever faster. Where the spin about the normal stops dying a new one begins.
BallOnPlane::Stretch BallOnPlane::following(const Stretch& last) const {
  Stretch next;
  next.from = last.from + last.span;
  next.before = (last.over * last.before).normalized();
  double end = end_;
  if (next.from < spin_end_) end = std::min(end, spin_end_);
  double span = last.guess;
  if (last.span == 0.0) {
    Vector3d way, velocity, spin;
    motion(0.0, way, velocity, spin);
    const double rate = spin.norm(), change = (1.0 + kappa_) * acceleration_bound() / radius_ + spin_loss_;
    span = 2.0 / (rate + std::sqrt(rate * rate + 2.0 * change));
    if (!(span < never)) {  // it does not turn
      next.span = never;
      return next;
    }
  }
  const double shortest = shortest_stretch * std::max(next.from, span);
  for (;;) {
    const bool whole = next.from + span >= end;
    next.span = whole ? end - next.from : span;
    const double to = whole ? end : next.from + span, middle = next.from + 0.5 * (to - next.from);
    next.over = turn(middle, to) * turn(next.from, middle);
    const double off = 2.0 * (next.over * turn(next.from, to).conjugate()).vec().norm();
    Vector3d way, velocity, spin;
    motion(middle, way, velocity, spin);
    const double allowed = ball_orientation_accuracy * std::max(least_angle, spin.norm() * next.span);
    const double share =
        std::pow(gain_of_halving * allowed / std::max(off, std::numeric_limits<double>::min()), 1.0 / 7.0);
    next.guess = next.span * std::clamp(0.9 * share, 0.1, 8.0);
    if (share >= 1.0 || span <= shortest) return next;
    span = std::max(std::min(next.guess, 0.5 * next.span), shortest);
  }
}

BallOnPlane::Stretch BallOnPlane::stretch_at(double time) const {
  Stretch stretch = stretch_.span > 0.0 && stretch_.from <= time ? stretch_ : following({});
  while (time > stretch.from + stretch.span) stretch = following(stretch);
  return stretch;
}

void BallOnPlane::look_ahead_from(double time) {
  require_within(time);
  if (time > 0.0) stretch_ = stretch_at(time);
}

Body BallOnPlane::at(double time) const {
  require_within(time);
  Body later = ball_;
  Vector3d way;
  motion(time, way, later.velocity, later.angular_velocity);
  later.position += way;
  if (time > 0.0) {
    const Stretch stretch = stretch_at(time);
    const double middle = stretch.from + 0.5 * (time - stretch.from);
    Eigen::Quaterniond turned = stretch.before;
    if (stretch.span < never) turned = turn(middle, time) * turn(stretch.from, middle) * turned;
    later.orientation = turned * ball_.orientation;
    later.orientation.normalize();
  }
  return later;
}

}  // namespace carom
