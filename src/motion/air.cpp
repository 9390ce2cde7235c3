#include "carom/motion/air.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "carom/core/error.hpp"
#include "carom/core/integrator.hpp"

namespace carom {

namespace {

using Eigen::Vector3d, Eigen::VectorXd;

constexpr double forever = std::numeric_limits<double>::infinity();

/// Error of one step, relative to the scales of the stretch: what is left is rounding.
constexpr double step_tolerance = 1e-14;

/// A stretch ends after so many steps at the latest.
constexpr std::size_t most_steps = 64;

constexpr std::size_t most_stretches = 100'000;

/// Inside a step the state is a polynomial of degree 7: its values here, from 0 to 1, are all of it.
constexpr int nodes = 8;
const std::array<double, nodes>& node_places() {
  static const std::array<double, nodes> places = [] {
    std::array<double, nodes> all{};
    for (int k = 0; k < nodes; ++k)
      all[static_cast<std::size_t>(k)] = 0.5 - 0.5 * std::cos(std::numbers::pi * k / (nodes - 1));
    all.front() = 0.0;
    all.back() = 1.0;
    return all;
  }();
  return places;
}

void require_law(const std::string& field, const AirCoefficient& coefficient, bool negative) {
  const auto number = [&](const std::string& name, double value) {
    if (negative)
      require_finite(name, value);
    else
      require_at_least(name, value, 0.0);
  };
  if (const auto* value = std::get_if<double>(&coefficient.law())) return number(field, *value);
  if (const auto* law = std::get_if<AirLaw>(&coefficient.law())) {
    number(field + ".constant", law->constant);
    number(field + ".slope", law->slope);
    require_positive(field + ".power", law->power);
    require_between(field + ".power", law->power, 0.0, 2.0);
    return require_at_least(field + ".saturation", law->saturation, 0.0);
  }
  const auto& points = std::get<AirTable>(coefficient.law()).points;
  if (points.empty()) throw InvalidInput(field + ".table", "must not be empty");
  for (std::size_t k = 0; k < points.size(); ++k) {
    const std::string name = field + ".table[" + std::to_string(k) + "]";
    require_at_least(name, points[k].spin_ratio, 0.0);
    if (k > 0 && !(points[k].spin_ratio > points[k - 1].spin_ratio))
      throw InvalidInput(name, "spin ratios must increase");
    number(name, points[k].coefficient);
  }
}

/// The most of v^2 |C(S)| for speeds up to `speed` and r w up to `rim`.
double most_force(const AirCoefficient& coefficient, double speed, double rim) {
  const double square = speed * speed;
  if (const auto* value = std::get_if<double>(&coefficient.law())) return std::abs(*value) * square;
  if (const auto* law = std::get_if<AirLaw>(&coefficient.law()))
    return std::abs(law->constant) * square +
           std::abs(law->slope) * std::pow(rim, law->power) * std::pow(speed, 2.0 - law->power);
  double most = 0.0;
  for (const AirTable::Point& point : std::get<AirTable>(coefficient.law()).points)
    most = std::max(most, std::abs(point.coefficient));
  return most * square;
}

/// rho A / (2 m): what a coefficient of 1 does [1/m].
double force_scale(const Air& air, double mass, double radius) {
  return 0.5 * air.density * std::numbers::pi * radius * radius / mass;
}

/// The parts of the acceleration, before gravity: [m/s^2].
struct Forces {
  Vector3d all = Vector3d::Zero();
  double drag = 0.0;  ///< size
};

Forces forces(const Air& air, double scale, double radius, const Vector3d& v, const Vector3d& spin) {
  Forces found;
  const double speed = v.norm();
  if (speed == 0.0) return found;
  const Vector3d side = spin.cross(v);
  const double across = side.norm(), ratio = radius * across / (speed * speed);
  found.drag = scale * coefficient_at(air.drag, ratio) * speed * speed;
  found.all = -found.drag / speed * v;
  if (across > 0.0) found.all += scale * coefficient_at(air.lift, ratio) * speed * speed / across * side;
  return found;
}

}  // namespace

double coefficient_at(const AirCoefficient& coefficient, double spin_ratio) {
  if (const auto* value = std::get_if<double>(&coefficient.law())) return *value;
  if (const auto* law = std::get_if<AirLaw>(&coefficient.law())) {
    if (law->slope == 0.0) return law->constant;
    const double grown = law->power == 1.0 ? spin_ratio : std::pow(spin_ratio, law->power);
    return law->constant + law->slope * grown / (1.0 + law->saturation * grown);
  }
  const auto& points = std::get<AirTable>(coefficient.law()).points;
  if (spin_ratio <= points.front().spin_ratio) return points.front().coefficient;
  for (std::size_t k = 1; k < points.size(); ++k) {
    const AirTable::Point &left = points[k - 1], &right = points[k];
    if (spin_ratio <= right.spin_ratio)
      return left.coefficient + (right.coefficient - left.coefficient) * (spin_ratio - left.spin_ratio) /
                                    (right.spin_ratio - left.spin_ratio);
  }
  return points.back().coefficient;
}

void require_valid(const Air& air) {
  require_positive("density", air.density);
  require_law("drag", air.drag, false);
  require_law("lift", air.lift, true);
  require_at_least("spin_decay", air.spin_decay, 0.0);
}

Vector3d air_acceleration(const Air& air, double mass, double radius, const Vector3d& velocity,
                          const Vector3d& angular_velocity) {
  return forces(air, force_scale(air, mass, radius), radius, velocity, angular_velocity).all;
}

/// In the scales of the stretch: way, velocity, work of the air; with spin decay the length of the way and the angle.
struct FlightInAir::Steps {
  std::vector<double> ends;              ///< of each step, as a share of the time scale
  std::vector<Eigen::MatrixXd> samples;  ///< a column for each node

  void at(double share, VectorXd& y) const {
    const auto found = std::lower_bound(ends.begin(), ends.end() - 1, share);
    const auto k = static_cast<std::size_t>(found - ends.begin());
    const double from = k == 0 ? 0.0 : ends[k - 1], s = std::clamp((share - from) / (ends[k] - from), 0.0, 1.0);
    const auto& places = node_places();
    double sum = 0.0;
    y.setZero(samples[k].rows());
    for (int j = 0; j < nodes; ++j) {
      const double away = s - places[static_cast<std::size_t>(j)];
      if (away == 0.0) {
        y = samples[k].col(j);
        return;
      }
      // Barycentric weights of Chebyshev's points of the second kind (Berrut and Trefethen 2004, eq. 5.4).
      const double weight = (j % 2 == 0 ? 1.0 : -1.0) * (j == 0 || j == nodes - 1 ? 0.5 : 1.0) / away;
      sum += weight;
      y += weight * samples[k].col(j);
    }
    y /= sum;
  }
};

FlightInAir::FlightInAir(const Body& ball, double radius, const Air& air, const Vector3d& gravity)
    : ball_(ball), radius_(radius), spin_decay_(ball.angular_velocity.isZero(0.0) ? 0.0 : air.spin_decay) {
  const double k = force_scale(air, ball.mass, radius), speed = ball.velocity.norm(), pull = gravity.norm();
  const Vector3d spin = ball.angular_velocity;
  const double rim = radius * spin.norm();
  acceleration_ = gravity + forces(air, k, radius, ball.velocity, spin).all;
  const double ratio = speed > 0.0 ? radius * spin.cross(ball.velocity).norm() / (speed * speed) : 0.0;
  const double strength = k * std::hypot(coefficient_at(air.drag, ratio), coefficient_at(air.lift, ratio));
  if (pull > 0.0) {
    const double terminal = strength > 0.0 ? std::sqrt(pull / strength) : 0.0;
    time_scale_ = 0.25 * std::max({speed, terminal, std::sqrt(pull * radius)}) / pull;
  } else if (acceleration_.isZero(0.0)) {
    end_ = forever;
    return;
  } else {
    time_scale_ = 1.0 / (strength * speed);
  }
  speed_scale_ = speed + pull * time_scale_;
  bound_ = pull + k * std::hypot(most_force(air.drag, speed_scale_, rim), most_force(air.lift, speed_scale_, rim));
  const bool decays = spin_decay_ > 0.0;
  const double lengths = speed_scale_ * time_scale_, rates = time_scale_ / speed_scale_;
  const double spin_energy = ball.inertia(0, 0) * spin.squaredNorm() / (ball.mass * speed_scale_ * speed_scale_);
  const auto rate = [&](double, const VectorXd& y, VectorXd& out) {
    const Vector3d v = speed_scale_ * y.segment<3>(3);
    const double left = decays ? std::exp(-spin_decay_ * lengths / radius * y[7]) : 1.0;
    const Forces now = forces(air, k, radius, v, left * spin);
    out.resize(y.size());
    out.head<3>() = y.segment<3>(3);
    out.segment<3>(3) = rates * (gravity + now.all);
    const double pace = y.segment<3>(3).norm();
    out[6] = rates * now.drag * pace;
    if (!decays) return;
    out[6] += spin_energy * left * left * spin_decay_ * lengths / radius * pace;
    out[7] = pace;
    out[8] = left;
  };
  VectorXd start = VectorXd::Zero(decays ? 9 : 7);
  start.segment<3>(3) = ball.velocity / speed_scale_;
  if (!start.allFinite() || !std::isfinite(bound_) || !(time_scale_ > 0.0)) return;
  IntegratorSettings settings;
  settings.relative_tolerance = settings.absolute_tolerance = step_tolerance;
  settings.longest_step = 0.25;
  settings.max_steps = most_steps;
  auto steps = std::make_shared<Steps>();
  VectorXd y;
  const auto keep = [&](double from, double to, const std::function<void(double, VectorXd&)>& state) {
    Eigen::MatrixXd samples(start.size(), nodes);
    for (int j = 0; j < nodes; ++j) {
      state(from + (to - from) * node_places()[static_cast<std::size_t>(j)], y);
      samples.col(j) = y;
    }
    steps->ends.push_back(to);
    steps->samples.push_back(std::move(samples));
  };
  const IntegratorStop stop = integrate(rate, 0.0, start, 1.0, {}, settings, keep);
  end_ = stop.t * time_scale_;
  if (!steps->ends.empty()) steps_ = std::move(steps);
}

VectorXd FlightInAir::state(double time) const {
  VectorXd y;
  steps_->at(time / time_scale_, y);
  return y;
}

void FlightInAir::centre(double time, Vector3d& way, Vector3d& velocity) const {
  if (!steps_) {
    way = time * ball_.velocity;
    velocity = ball_.velocity;
    return;
  }
  const VectorXd y = state(time);
  way = speed_scale_ * time_scale_ * y.head<3>();
  velocity = time == 0.0 ? ball_.velocity : Vector3d(speed_scale_ * y.segment<3>(3));
}

double FlightInAir::loss(double time) const {
  return steps_ ? ball_.mass * speed_scale_ * speed_scale_ * state(time)[6] : 0.0;
}

Body FlightInAir::at(double time) const {
  Body later = ball_;
  Vector3d way;
  centre(time, way, later.velocity);
  later.position += way;
  const double spin = ball_.angular_velocity.norm();
  if (spin == 0.0) return later;
  double turned = time;
  if (steps_ && spin_decay_ > 0.0) {
    const VectorXd y = state(time);
    turned = time_scale_ * y[8];
    later.angular_velocity *= std::exp(-spin_decay_ * speed_scale_ * time_scale_ / radius_ * y[7]);
  }
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(spin * turned, ball_.angular_velocity / spin));
  later.orientation = (turn * ball_.orientation).normalized();
  return later;
}

Body flight_in_air(const Body& ball, double radius, const Air& air, const Vector3d& gravity, double time) {
  require_valid(ball);
  if (ball.immovable) throw InvalidInput("ball", "must be movable");
  require_positive("radius", radius);
  try {
    require_valid(air);
  } catch (const InvalidInput& error) {
    throw InvalidInput("air." + error.field(), error.message());
  }
  if (!gravity.allFinite()) throw InvalidInput("gravity", "must be finite");
  require_at_least("time", time, 0.0);
  Body now = ball;
  double left = time;
  for (std::size_t k = 0; k < most_stretches; ++k) {
    const FlightInAir flight(now, radius, air, gravity);
    if (left <= flight.end()) return flight.at(left);
    if (!(flight.end() > 0.0)) break;
    now = flight.at(flight.end());
    left -= flight.end();
  }
  throw InvalidInput("time", "is too long to be followed, got " + number_text(time));
}

}  // namespace carom
