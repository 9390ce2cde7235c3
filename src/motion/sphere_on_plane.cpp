#include "carom/motion/sphere_on_plane.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/contact/stick_slip.hpp"
#include "carom/core/error.hpp"
#include "carom/core/switched_system.hpp"

namespace carom {

namespace {

using Eigen::Vector2d, Eigen::Vector3d, Eigen::VectorXd;

/// A gap of less than this share of a touch's depth is none.
constexpr double gap_noise = 1e-16;
/// Where the exponent is below 1 a ball at rest is pressed in by next to nothing: what is less than this share of a
/// touch's depth need not be told apart.
constexpr double least_depth_share = 1e-9;
/// Touches that last less than this share of the whole run are lost in the rounding of its times.
constexpr double least_touch_share = 1e-13;

/// State: x, y, gap, velocity, angular velocity, bristles, dwell. The gap and not the height, for the sake of the
/// indentation's digits.
class Ball final : public SwitchedSystem {
public:
  explicit Ball(const SphereOnPlaneProblem& problem)
      : p_(problem),
        contact_(problem.surface),
        inertia_(0.4 * problem.mass * problem.radius * problem.radius),
        downhill_(problem.gravity * std::sin(problem.incline)),
        into_(problem.gravity * std::cos(problem.incline)) {}

  VectorXd start() {
    VectorXd y = VectorXd::Zero(12);
    const bool touches_now = p_.gap == 0.0 || (p_.gap <= gap_noise * scale()[2] && p_.velocity[2] <= 0.0);
    y[2] = touches_now ? 0.0 : p_.gap;
    y.segment<3>(3) = p_.velocity;
    y.segment<3>(6) = p_.angular_velocity;
    if (touches_now) touch(0.0, y);
    return y;
  }
  VectorXd scale() const {
    const double m = p_.mass, k = p_.surface.stiffness, p = p_.surface.exponent;
    const double fall = std::sqrt(p_.velocity.squaredNorm() + 2.0 * p_.gravity * (p_.gap + p_.radius) +
                                  std::pow(p_.radius * p_.angular_velocity.norm(), 2.0));
    const double speed = fall > 0.0 ? fall : p_.v_min.value_or(1.0);
    double depth = std::pow(m * speed * speed / k, 1.0 / (p + 1.0));
    if (p_.gravity > 0.0)
      depth =
          std::min(depth, std::max(std::pow(m * p_.gravity / k, 1.0 / p), p < 1.0 ? least_depth_share * depth : 0.0));
    const double load = k * std::pow(depth, p), bend = std::max(p_.surface.friction.mu_s, 1e-3) * load;
    VectorXd s(12);
    s << p_.radius, p_.radius, depth, Vector3d::Constant(speed), Vector3d::Constant(speed / p_.radius),
        Vector2d::Constant(bend / p_.surface.friction.sigma0), 1.0;
    return s;
  }

  void rate(const VectorXd& y, double* rate) const override {
    const ContactForces f = contact_.forces(motion(y));
    const Vector2d& t = f.tangential.force;
    for (int i = 0; i < 3; ++i) rate[i] = y[3 + i];
    rate[3] = t[0] / p_.mass + downhill_;
    rate[4] = t[1] / p_.mass;
    rate[5] = f.normal / p_.mass - into_;
    rate[6] = p_.radius * t[1] / inertia_;
    rate[7] = -p_.radius * t[0] / inertia_;
    rate[8] = 0.0;
    rate[9] = f.tangential.z_rate[0];
    rate[10] = f.tangential.z_rate[1];
    rate[11] = f.tangential.dwell_rate;
  }
  int guards() const override { return PointContact::guards; }
  void guard_values(const VectorXd& y, double* values) const override { contact_.guard_values(motion(y), values); }
  double longest_step(const VectorXd& y, const double* rate) const override {
    if (!contact_.touching()) return std::numeric_limits<double>::infinity();
    const Vector2d slip_rate(rate[3] - p_.radius * rate[7], rate[4] + p_.radius * rate[6]);
    return unseen_slip_time(p_.surface.friction, motion(y).slip, slip_rate);
  }
  bool crossed(int guard, double t, VectorXd& y) override {
    if (guard != PointContact::gap_guard)
      contact_.crossed(guard, motion(y));
    else if (contact_.touching())
      part(t, y);
    else
      touch(t, y);
    return true;
  }

  SphereSample sample(double t, const VectorXd& y) const {
    SphereSample s{t, {y[0], y[1], p_.radius + y[2]}, y.segment<3>(3), y.segment<3>(6), 0.0, 0.0, 0.0};
    s.kinetic = 0.5 * p_.mass * s.velocity.squaredNorm() + 0.5 * inertia_ * s.angular_velocity.squaredNorm();
    s.potential = p_.mass * (into_ * s.position[2] - downhill_ * s.position[0]);
    s.stored = contact_.stored_energy(motion(y));
    return s;
  }

  int contacts = 0;
  std::vector<SphereTouch> touches;

private:
  /// At the point of action, the lowest point of the undeformed ball.
  ContactMotion motion(const VectorXd& y) const {
    ContactMotion m;
    m.indentation = -y[2];
    m.rate = -y[5];
    m.slip = Vector2d(y[3] - p_.radius * y[7], y[4] + p_.radius * y[6]);
    m.bristles.z = Vector2d(y[9], y[10]);
    m.bristles.dwell = y[11];
    return m;
  }
  void touch(double t, VectorXd& y) {
    const double approach = std::max(-y[5], 0.0), a = contact_.damping_at(approach);
    double least = p_.v_min.value_or(0.0);
    if (!p_.v_min && a > 0.0) least = resting_touch_speed(p_.mass, p_.surface.stiffness, p_.surface.exponent, a, into_);
    contact_.touch(a, std::max(approach, least));
    y.segment<3>(9).setZero();
    contact_.find_modes(motion(y));
    ++contacts;
    if (touches.size() < max_sphere_touches) touches.push_back({t, approach, {}, {}});
  }
  void part(double t, const VectorXd& y) {
    contact_.part();
    if (static_cast<std::size_t>(contacts) > touches.size()) return;
    touches.back().ends = t;
    touches.back().speed = y[5];
  }

  const SphereOnPlaneProblem& p_;
  PointContact contact_;
  double inertia_, downhill_, into_;
};

void require_valid(const SphereOnPlaneProblem& p) {
  require_positive("mass", p.mass);
  require_positive("radius", p.radius);
  require_valid(p.surface);
  require_finite("incline", p.incline);
  require_at_least("gravity", p.gravity, 0.0);
  require_at_least("gap", p.gap, 0.0);
  if (!p.velocity.allFinite()) throw InvalidInput("velocity", "must be finite");
  if (!p.angular_velocity.allFinite()) throw InvalidInput("angular_velocity", "must be finite");
  require_positive("end_time", p.end_time);
  if (p.v_min) require_positive("v_min", *p.v_min);
  if (!p.v_min && !(p.gravity * std::cos(p.incline) > 0.0))
    throw InvalidInput("v_min", "is required where gravity does not press the ball on the plane");
  require_sample_times(p.sample_times, p.end_time);
}

}  // namespace

SphereOnPlaneResult sphere_on_plane(const SphereOnPlaneProblem& problem) {
  require_valid(problem);
  Ball ball(problem);
  SwitchedSettings settings;
  settings.scale = ball.scale();
  const auto largest = [](const Vector3d& v) { return v.cwiseAbs().maxCoeff(); };
  const ContactSurface& s = problem.surface;
  const std::vector<Ingredient> ingredients = {{"mass", problem.mass},
                                               {"radius", problem.radius},
                                               {"stiffness", s.stiffness},
                                               {"exponent", s.exponent, 10.0},
                                               {"gravity", problem.gravity},
                                               {"gap", std::max(problem.gap, 1.0)},
                                               {"velocity", std::max(largest(problem.velocity), 1.0)},
                                               {"angular_velocity", std::max(largest(problem.angular_velocity), 1.0)},
                                               {"friction.mu_s", std::max(s.friction.mu_s, 1.0)},
                                               {"friction.sigma0", s.friction.sigma0}};
  require_scale(settings.scale, ingredients);
  if (!(settings.scale[2] > least_touch_share * settings.scale[3] * problem.end_time))
    refuse_size(ingredients,
                "makes touches too short to be told apart in a run of " + number_text(problem.end_time) + " s");
  const VectorXd start = ball.start();
  const SphereSample before = ball.sample(0.0, start);
  SphereOnPlaneResult result;
  const SwitchedStop stop =
      follow(ball, 0.0, start, problem.end_time, settings, problem.sample_times,
             [&](std::size_t, double t, const VectorXd& y) { result.samples.push_back(ball.sample(t, y)); });
  result.end = ball.sample(stop.t, stop.y);
  result.contacts = ball.contacts;
  result.touches = std::move(ball.touches);
  const auto energy = [](const SphereSample& at) { return at.kinetic + at.potential + at.stored; };
  result.dissipated = energy(before) - energy(result.end);
  result.limited = stop.limited;
  result.steps = stop.steps;
  return result;
}

}  // namespace carom
