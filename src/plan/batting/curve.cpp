#include <Eigen/Geometry>
#include <Eigen/LU>
#include <boost/math/tools/minima.hpp>
#include <cmath>

#include "carom/core/contact_space.hpp"
#include "carom/core/error.hpp"
#include "carom/core/text.hpp"

#include "aim.hpp"

namespace carom {

using batting::Aim;
using batting::Quartic;

BattingProblem batting_problem(const Body& object, const Body& bat, const Contact& contact, const Material& material,
                               const Eigen::Vector3d& target) {
  BattingProblem out;
  out.inverse_inertia = contact_space(object, bat, contact).inverse_inertia;
  if (object.immovable) throw InvalidInput("bodies[0]", "must be movable: it is the one that is struck");
  out.frame = contact_frame(validated(contact));
  out.mass = object.mass;
  out.position = object.position;
  out.velocity = object.velocity;
  out.point_velocity = velocity_at(object, contact.point);
  out.material = material;
  out.target = target;
  // W = sum of 1/m - [r] J^-1 [r] turned into contact axes, r from each centre of mass to the point.
  const auto cross = [](const Eigen::Vector3d& r) {
    Eigen::Matrix3d m;
    m << 0.0, -r[2], r[1], r[2], 0.0, -r[0], -r[1], r[0], 0.0;
    return m;
  };
  std::array<ContactShift, 2> shift;
  for (int i = 0; i < 2; ++i) {
    const Eigen::Vector3d along = out.frame.col(i);
    const Eigen::Matrix3d by = cross(along);
    ContactShift& one = shift[static_cast<std::size_t>(i)];
    for (const Body* body : {&object, &bat}) {
      if (body->immovable) continue;
      const Eigen::Matrix3d inverse = world_inertia(*body).inverse(), r = cross(contact.point - body->position);
      one.inverse_inertia -= out.frame.transpose() * (by * inverse * r + r * inverse * by) * out.frame;
    }
    one.velocity = out.frame.transpose() * object.angular_velocity.cross(along);
  }
  if (shift[0].inverse_inertia.allFinite() && shift[1].inverse_inertia.allFinite()) out.contact_shift = shift;
  return out;
}

void require_valid(const BattingProblem& p) {
  validated(ContactSpace{p.inverse_inertia, Eigen::Vector3d::Zero()});
  if (!((p.frame.transpose() * p.frame - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() <= frame_tolerance) ||
      !(p.frame.determinant() > 0.0))
    throw InvalidInput("frame", "must be orthonormal to 1e-9 and right-handed");
  if (!(p.mass > 0.0) || !std::isfinite(p.mass)) throw InvalidInput("mass", "must be > 0, got " + number_text(p.mass));
  if (!p.position.allFinite()) throw InvalidInput("position", "must be finite");
  if (!p.velocity.allFinite()) throw InvalidInput("velocity", "must be finite");
  if (!p.point_velocity.allFinite()) throw InvalidInput("point_velocity", "must be finite");
  if (!p.target.allFinite()) throw InvalidInput("target", "must be finite");
  if (!(p.gravity >= 0.0) || !std::isfinite(p.gravity))
    throw InvalidInput("gravity", "must be >= 0, got " + number_text(p.gravity));
  require_valid(p.material);
  if (p.springs && !(p.springs->stiffness_ratio_root > 0.0 && std::isfinite(p.springs->stiffness_ratio_root)))
    throw InvalidInput("stiffness_ratio_root", "must be > 0, got " + number_text(p.springs->stiffness_ratio_root));
}

Eigen::Vector3d solution_impulse(const BattingProblem& problem, double time) {
  if (!(time > 0.0)) throw InvalidInput("time", "must be > 0, got " + number_text(time));
  return problem.mass * ((problem.target - problem.position) / time +
                         0.5 * problem.gravity * time * Eigen::Vector3d::UnitZ() - problem.velocity);
}

SolutionCurve solution_curve(const BattingProblem& p) {
  const Eigen::Vector3d alpha = p.target - p.position;
  const double m = p.mass, vx = p.velocity[0], vy = p.velocity[1], vz = p.velocity[2];
  SolutionCurve out;  // Wang 2017, eq. 4.13
  out.y = {m * (alpha[1] * vx / alpha[0] - vy), alpha[1] / alpha[0]};
  out.z = {m * m * (alpha[2] * vx * vx / alpha[0] + 0.5 * alpha[0] * p.gravity - vx * vz),
           m * (2.0 * alpha[2] * vx / alpha[0] - vz), alpha[2] / alpha[0]};
  return out;
}

std::vector<FlightTimes> feasible_times(const BattingProblem& problem, double margin) {
  require_valid(problem);
  const Aim aim(problem);
  return batting::cone_times(aim, aim.mu * (1.0 - margin));
}

Approach closest_approach(const BattingProblem& problem, const Eigen::Vector3d& impulse) {
  const Eigen::Vector3d v = problem.velocity + impulse / problem.mass, away = problem.position - problem.target;
  const double g = problem.gravity, far = away.stableNorm(), fast = v.stableNorm();
  const auto distance = [&](double t) {
    return (away + t * (v - 0.5 * g * t * Eigen::Vector3d::UnitZ())).stableNorm();
  };
  // d/dt |away + v t - g t^2 z/2|^2 / 2, in units of time and length in which its terms are alike
  const double unit = std::min(g > 0.0 ? std::sqrt(2.0 * far / g) + fast / g : 1e300, fast > 0.0 ? far / fast : 1e300);
  Approach out{distance(0.0), 0.0};
  if (!(unit > 0.0 && unit < 1e299)) return out;
  const double length = std::max(far, fast * unit);
  const Eigen::Vector3d x0 = away / length, v1 = v * (unit / length);
  const double g1 = g * unit * (unit / length);
  const Quartic slope{x0.dot(v1), v1.squaredNorm() - g1 * x0[2], -1.5 * g1 * v1[2], 0.5 * g1 * g1, 0.0};
  for (const double x : batting::sign_changes(slope, 1e6)) {
    const double here = distance(x * unit);
    if (here < out.distance) out = {here, x * unit};
  }
  return out;
}

namespace batting {

namespace {

/// Slip ends at once, to rounding, under this friction: more makes no difference.
constexpr double most_friction = 1e12;

}  // namespace

Aim::Aim(const BattingProblem& given, double range) : problem(given), extent(range) {
  constexpr double smallest = 0x1p-300, greatest = 0x1p300;  // its square, and its inverse's, are still in range
  W = 0.5 * given.inverse_inertia + 0.5 * given.inverse_inertia.transpose();
  const double largest = W.cwiseAbs().maxCoeff();
  scale = largest > smallest && largest < greatest ? 1.0 : std::exp2(std::ilogb(largest));
  if (!((W / scale).diagonal().minCoeff() > 0.0)) scale = 1.0;  // entries of all sizes: none suits them all
  W /= scale;
  B = W.topLeftCorner<2, 2>();
  B_inverse = B.inverse();
  d = W.block<2, 1>(0, 2);
  p = B_inverse * d;
  w = W(2, 2);
  mass = given.mass;
  mu = std::min(given.material.friction, most_friction);
  e = given.material.restitution;
  const Eigen::Matrix3d to_contact = given.frame.transpose();
  a = to_contact * (given.target - given.position);
  b = to_contact * Eigen::Vector3d(0.0, 0.0, 0.5 * given.gravity);
  c = to_contact * given.velocity;
  point_velocity = to_contact * given.point_velocity;
  distance = a.stableNorm();
  const double speed = c.stableNorm();
  unit = given.gravity > 0.0 ? std::max(std::sqrt(2.0 * distance / given.gravity), 1e-3 * speed / given.gravity)
         : speed > 0.0       ? distance / speed
                             : 1.0;
  if (!(unit > 0.0)) unit = 1.0;
  least = least_flight / extent * unit;
  most = extent * longest_flight * std::max(unit, given.gravity > 0.0 ? 2.0 * speed / given.gravity : 0.0);
  may_jam = mu * d.norm() > w;
}

double Aim::arrival_speed(double time) const { return (a / time - time * b).stableNorm(); }

std::vector<FlightTimes> positive_times(const std::vector<Quartic>& all, double unit, double most) {
  std::vector<Quartic> scaled = all;
  std::vector<double> edges;
  for (Quartic& p : scaled) {
    double size = 0.0;
    for (const double term : p) size = std::max(size, std::abs(term));
    if (size > 0.0)
      for (double& term : p) term /= size;
    for (const double x : sign_changes(p, most / unit)) edges.push_back(x);
  }
  std::sort(edges.begin(), edges.end());
  edges.push_back(most / unit);
  std::vector<FlightTimes> out;
  double low = 0.0;
  for (const double high : edges) {
    const double middle = 0.5 * (low + high);
    if (middle > low && middle < high &&
        std::all_of(scaled.begin(), scaled.end(), [&](const Quartic& p) { return value_of(p, middle) > 0.0; })) {
      if (!out.empty() && out.back().high == low * unit)
        out.back().high = high * unit;
      else
        out.push_back({low * unit, high * unit});
    }
    low = high;
  }
  return out;
}

namespace {

/// q over its largest length, in time over unit: coefficients that are neither large nor small.
struct Parabola {
  Eigen::Vector3d a, b, c;
  explicit Parabola(const Aim& aim) : a(aim.a), b(aim.b * aim.unit * aim.unit), c(aim.c * aim.unit) {
    const double size = std::max({a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff(), c.cwiseAbs().maxCoeff()});
    if (!(size > 0.0)) return;
    a /= size;
    b /= size;
    c /= size;
  }
};

/// The square of a + b x^2 - c x.
Quartic square_of(double a, double b, double c) {
  return {a * a, -2.0 * a * c, c * c + 2.0 * a * b, -2.0 * b * c, b * b};
}

}  // namespace

Quartic along(const Aim& aim, const Eigen::Vector3d& direction) {
  const Parabola q(aim);
  return {direction.dot(q.a), -direction.dot(q.c), direction.dot(q.b), 0.0, 0.0};
}

std::vector<FlightTimes> cone_times(const Aim& aim, double friction) {
  const Parabola q(aim);
  // friction^2 q_n^2 > |q_t|^2, divided by the larger of the two factors
  const double normal = friction > 1.0 ? 1.0 : friction * friction,
               tangential = friction > 1.0 ? 1.0 / friction / friction : 1.0;
  Quartic inside = square_of(q.a[2], q.b[2], q.c[2]);
  const Quartic x = square_of(q.a[0], q.b[0], q.c[0]), y = square_of(q.a[1], q.b[1], q.c[1]);
  for (std::size_t i = 0; i < inside.size(); ++i) inside[i] = normal * inside[i] - tangential * (x[i] + y[i]);
  std::vector<Quartic> all{inside, along(aim, Eigen::Vector3d::UnitZ())};
  if (aim.may_jam) all.push_back(along(aim, Eigen::Vector3d(aim.d[0], aim.d[1], aim.w).normalized()));
  return positive_times(all, aim.unit, aim.most);
}

std::vector<double> least_impulse_times(const Aim& aim, const std::vector<FlightTimes>& times) {
  // d|I|^2/dtau ~ (a + b tau^2 - c tau).(b tau^2 - a)
  const Parabola q(aim);
  const double u = aim.unit;
  const Quartic slope{-q.a.squaredNorm(), q.a.dot(q.c), 0.0, -q.b.dot(q.c), q.b.squaredNorm()};
  std::vector<double> out;
  for (const double x : sign_changes(slope, aim.most / u))
    for (const FlightTimes& t : times)
      if (x * u > t.low && x * u < t.high) out.push_back(x * u);
  constexpr double inside = 1e-9;  // of the width: an end itself belongs to the margin's edge
  for (const FlightTimes& t : times) {
    const double step = inside * (t.high - t.low);
    if (t.low > 0.0) out.push_back(t.low + step);
    out.push_back(t.high - step);
  }
  std::sort(out.begin(), out.end(),
            [&](double s, double t) { return aim.impulse(s).stableNorm() < aim.impulse(t).stableNorm(); });
  return out;
}

namespace {

/// Distance of a point from the cone |x_t| <= mu x_n, and the nearest point of it.
Eigen::Vector3d nearest_in_cone(const Eigen::Vector3d& x, double mu) {
  const double t = x.head<2>().norm(), n = x[2];
  if (t <= mu * n) return x;
  if (mu * t <= -n) return Eigen::Vector3d::Zero();
  const double along = (mu * t + n) / (1.0 + mu * mu);
  return {x[0] / t * mu * along, x[1] / t * mu * along, along};
}

/// The least of a function of time that may have several minima: the best of many, refined.
template <class Function>
double least_over_times(const Aim& aim, const Function& f) {
  constexpr int samples = 400;
  const double low = 1e-3 * aim.unit, ratio = std::pow(aim.most / low, 1.0 / samples);
  std::vector<double> times{0.0}, values;
  double time = low;
  for (int i = 0; i <= samples; ++i, time *= ratio) times.push_back(time);
  for (const double t : times) values.push_back(f(t));
  double best = values.front();
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    best = std::min(best, values[i]);
    if (i == 0 || i + 1 == times.size() || !(values[i] <= values[i - 1]) || !(values[i] <= values[i + 1])) continue;
    std::uintmax_t most = 100;  // some thirty are usual; numbers out of range never converge
    best = std::min(best, boost::math::tools::brent_find_minima(f, times[i - 1], times[i + 1], 40, most).second);
  }
  return best;
}

/// The nearest point of the cone between two vectors.
double distance_to(const ImpulseCone& cone, const Eigen::Vector3d& x) {
  const auto to_ray = [&](const Eigen::Vector3d& r) { return (x - std::max(0.0, x.dot(r) / r.dot(r)) * r).norm(); };
  double best = std::min(to_ray(cone.slip), to_ray(cone.rest));
  Eigen::Matrix<double, 3, 2> both;
  both << cone.slip, cone.rest;
  const Eigen::Matrix2d gram = both.transpose() * both;
  if (gram.determinant() > 1e-14 * gram(0, 0) * gram(1, 1)) {
    const Eigen::Vector2d parts = gram.inverse() * (both.transpose() * x);
    if (parts[0] >= 0.0 && parts[1] >= 0.0) best = std::min(best, (x - both * parts).norm());
  }
  return best;
}

}  // namespace

double closest_of_cone(const Aim& aim) {
  const Eigen::Vector3d side = Eigen::Vector3d(aim.d[0], aim.d[1], aim.w).normalized();  // v_n must have risen
  return least_over_times(aim, [&](double time) {
    const Eigen::Vector3d q = aim.away(time);
    if (!aim.may_jam) return (q - nearest_in_cone(q, aim.mu)).norm();
    // Two convex sets: Dykstra's alternating projections.
    Eigen::Vector3d x = q, p1 = Eigen::Vector3d::Zero(), p2 = Eigen::Vector3d::Zero();
    for (int i = 0; i < 100; ++i) {
      const Eigen::Vector3d y = nearest_in_cone(x + p1, aim.mu);
      p1 = x + p1 - y;
      const Eigen::Vector3d z = y + p2;
      x = z - std::min(0.0, side.dot(z)) * side;
      p2 = z - x;
    }
    return (q - x).norm();
  });
}

double closest_of_cones(const Aim& aim, const std::vector<ImpulseCone>& cones) {
  return least_over_times(aim, [&](double time) {
    double best = aim.away(time).norm();
    for (const ImpulseCone& cone : cones) best = std::min(best, distance_to(cone, aim.away(time)));
    return best;
  });
}

}  // namespace batting

}  // namespace carom
