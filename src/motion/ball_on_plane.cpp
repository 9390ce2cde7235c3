#include <Eigen/Geometry>
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

/// The turn of a body whose angular velocity is known at all times, by Magnus's series of sixth order (Blanes, Casas,
/// Oteo and Ros 2009, equation 257) on intervals that are halved where it is not accurate yet: on an incline the axis
/// turns ever faster towards the end of sliding.
template <class Spin>
class Turn {
public:
  Turn(const Spin& spin, double from, double to) : spin_(spin), from_(from), to_(to) {
    total_ = (to - from) * std::max(spin(from).norm(), spin(to).norm());
  }
  Eigen::Quaterniond whole() const { return between(from_, to_, step(from_, to_), 0); }

private:
  static constexpr int deepest = 30;

  Eigen::Quaterniond step(double from, double to) const {
    const double h = to - from, middle = 0.5 * (from + to), off = std::sqrt(15.0) / 10.0 * h;
    const Vector3d a = spin_(middle - off), b = spin_(middle), c = spin_(middle + off);
    const Vector3d a1 = h * b, a2 = std::sqrt(15.0) / 3.0 * h * (c - a), a3 = 10.0 / 3.0 * h * (c - 2.0 * b + a);
    const Vector3d c1 = a1.cross(a2), c2 = -1.0 / 60.0 * a1.cross(2.0 * a3 + c1);
    const Vector3d turn = a1 + a3 / 12.0 + 1.0 / 240.0 * (-20.0 * a1 - a3 + c1).cross(a2 + c2);
    const double angle = turn.norm();
    return angle > 0.0 ? Eigen::Quaterniond(Eigen::AngleAxisd(angle, turn / angle)) : Eigen::Quaterniond::Identity();
  }
  Eigen::Quaterniond between(double from, double to, const Eigen::Quaterniond& rough, int depth) const {
    const double middle = 0.5 * (from + to);
    const Eigen::Quaterniond first = step(from, middle), second = step(middle, to);
    Eigen::Quaterniond fine = second * first;
    const double share = std::max((to - from) / (to_ - from_), 0x1p-10);
    // The error of the finer one is about a sixtieth of the change.
    if (2.0 * (fine * rough.conjugate()).vec().norm() <= 60.0 * ball_orientation_accuracy * share * (1.0 + total_) ||
        depth >= deepest)
      return fine;
    return between(middle, to, second, depth + 1) * between(from, middle, first, depth + 1);
  }

  const Spin& spin_;
  double from_, to_, total_;
};

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
  const bool grips = downhill_.norm() <= (1.0 + kappa_) * friction.sliding * pressing;
  if (slip.norm() > small || !grips) {
    state_ = BallState::slides;
    dragged_ = {slip.norm() > small ? slip : Vector3d::Zero(), downhill_, (1.0 + kappa_) * friction.sliding * pressing};
    end_ = dragged_.end();
    return;
  }
  if (velocity_.norm() <= small) velocity_.setZero();
  dragged_ = {velocity_, kappa_ / (1.0 + kappa_) * downhill_, friction.rolling * pressing};
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

Body BallOnPlane::at(double time) const {
  if (!(time >= 0.0 && time <= end_ && time < never))
    throw InvalidInput(
        "time", "must lie between 0 and the end of the state, " + number_text(end_) + ", got " + number_text(time));
  Body later = ball_;
  Vector3d way;
  motion(time, way, later.velocity, later.angular_velocity);
  later.position += way;
  const auto spin_at = [this](double t) {
    Vector3d ignored_way, ignored_velocity, spin;
    motion(t, ignored_way, ignored_velocity, spin);
    return spin;
  };
  if (time > 0.0) {
    const double kink = std::min(spin_end_, time);  // there the spin about the normal stops dying
    later.orientation = Turn(spin_at, 0.0, kink).whole() * ball_.orientation;
    if (kink < time) later.orientation = Turn(spin_at, kink, time).whole() * later.orientation;
    later.orientation.normalize();
  }
  return later;
}

}  // namespace carom
