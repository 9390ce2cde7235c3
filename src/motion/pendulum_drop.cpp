#include "carom/motion/pendulum_drop.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/contact/stick_slip.hpp"
#include "carom/core/error.hpp"
#include "carom/core/linear_algebra.hpp"
#include "carom/core/switched_system.hpp"

namespace carom {

namespace {

using Eigen::Index, Eigen::Vector2d, Eigen::VectorXd;

/// State: angles, rates, bristle, dwell.
class DroppedChain final : public SwitchedSystem {
public:
  explicit DroppedChain(const PendulumDropProblem& problem)
      : problem_(problem), n_(static_cast<Index>(problem.chain.links.size())), contact_(problem.surface) {}

  VectorXd start() const {
    VectorXd y = VectorXd::Zero(2 * n_ + 2);
    y.head(n_) = absolute_angles(problem_.convention, problem_.angles);
    y.segment(n_, n_) = absolute_angles(problem_.convention, problem_.rates);
    return y;
  }
  VectorXd scale(const VectorXd& y) const {
    double length = 0.0, mass = 0.0;
    for (const ChainLink& link : problem_.chain.links) length += link.length, mass += link.mass;
    const double g = std::abs(problem_.chain.gravity), rate = std::max(y.segment(n_, n_).norm(), std::sqrt(g / length));
    const ContactSurface& s = problem_.surface;
    // A resting indentation is what the angles must resolve.
    const double depth = std::pow(mass * std::max(g, 1.0) / s.stiffness, 1.0 / s.exponent);
    VectorXd scale(2 * n_ + 2);
    scale << VectorXd::Constant(n_, depth / length), VectorXd::Constant(n_, rate),
        std::max(s.friction.mu_s, 1e-3) * mass * std::max(g, 1.0) / s.friction.sigma0, 1.0;
    return scale;
  }

  void rate(const VectorXd& y, double* rate) const override {
    const VectorXd angles = y.head(n_), rates = y.segment(n_, n_);
    const ContactForces f = contact_.forces(motion(y));
    const VectorXd acceleration =
        accelerations(problem_.chain, angles, rates, Vector2d(f.tangential.force[0], f.normal));
    for (Index i = 0; i < n_; ++i) {
      rate[i] = rates[i];
      rate[n_ + i] = acceleration[i];
    }
    rate[2 * n_] = f.tangential.z_rate[0];
    rate[2 * n_ + 1] = f.tangential.dwell_rate;
  }

  // Beside the guards of the contact, one for slip faster or slower than v_s.
  int guards() const override { return PointContact::guards + 1; }
  void guard_values(const VectorXd& y, double* values) const override {
    const ContactMotion m = motion(y);
    contact_.guard_values(m, values);
    const double slow = problem_.surface.friction.v_s - std::abs(m.slip[0]);
    values[PointContact::guards] = contact_.touching() ? (slow_ ? slow : -slow) : 1.0;
  }
  double longest_step(const VectorXd& y, const double* rate) const override {
    if (!contact_.touching()) return std::numeric_limits<double>::infinity();
    const Eigen::Map<const VectorXd> acceleration(rate + n_, n_);
    const double slip_rate = tip_acceleration(problem_.chain, y.head(n_), y.segment(n_, n_), acceleration)[0];
    return unseen_slip_time(problem_.surface.friction, motion(y).slip, Vector2d(slip_rate, 0.0));
  }
  bool crossed(int guard, double t, VectorXd& y) override {
    if (guard == PointContact::guards)
      set_slow(!slow_, t);
    else if (guard != PointContact::gap_guard)
      contact_.crossed(guard, motion(y));
    else if (contact_.touching())
      part(t, y);
    else
      touch(t, y);
    return true;
  }

  PendulumDropSample sample(double t, const VectorXd& y) const {
    PendulumDropSample s;
    s.t = t;
    const VectorXd angles = y.head(n_), rates = y.segment(n_, n_);
    s.angles = angles_as(problem_.convention, angles);
    s.rates = angles_as(problem_.convention, rates);
    s.tip = tip_position(problem_.chain, angles);
    s.tip_velocity = tip_velocity(problem_.chain, angles, rates);
    const ContactMotion m = motion(y);
    const ContactForces f = contact_.forces(m);
    s.force = {f.tangential.force[0], f.normal};
    s.dwell = y[2 * n_ + 1];
    s.kinetic = kinetic_energy(problem_.chain, angles, rates);
    s.potential = potential_energy(problem_.chain, angles);
    s.stored = contact_.stored_energy(m);
    return s;
  }

  int contacts = 0;
  std::vector<PendulumTouch> touches;
  std::optional<double> sticks_from;

private:
  ContactMotion motion(const VectorXd& y) const {
    ContactMotion m;
    m.indentation = -problem_.floor;
    for (Index i = 0; i < n_; ++i) {
      const double length = problem_.chain.links[static_cast<std::size_t>(i)].length, c = length * std::cos(y[i]);
      m.indentation += c;
      m.rate -= length * std::sin(y[i]) * y[n_ + i];
      m.slip[0] += c * y[n_ + i];
    }
    m.bristles.z[0] = y[2 * n_];
    m.bristles.dwell = y[2 * n_ + 1];
    return m;
  }
  void set_slow(bool slow, double t) {
    slow_ = slow;
    sticks_from.reset();
    if (slow) sticks_from = t;
  }
  void touch(double t, VectorXd& y) {
    y.tail<2>().setZero();
    const ContactMotion m = motion(y);
    const double approach = std::max(m.rate, 0.0), a = contact_.damping_at(approach);
    contact_.touch(a, std::max({approach, floor_speed(y, a), std::numeric_limits<double>::min()}));
    contact_.find_modes(m);
    ++contacts;
    if (touches.size() < max_pendulum_touches) touches.push_back({t, approach, {}});
    set_slow(std::abs(m.slip[0]) < problem_.surface.friction.v_s, t);
  }
  void part(double t, VectorXd& y) {
    contact_.part();
    y.tail<2>().setZero();
    if (static_cast<std::size_t>(contacts) == touches.size()) touches.back().ends = t;
    sticks_from.reset();
  }
  double floor_speed(const VectorXd& y, double a) const {
    if (problem_.v_min) return *problem_.v_min;
    if (a == 0.0) return 0.0;
    const VectorXd angles = y.head(n_), normal = tip_jacobian(problem_.chain, angles).row(1).transpose();
    const double inverse_mass = normal.dot(Cholesky(mass_matrix(problem_.chain, angles)).solve(normal));
    if (!(inverse_mass > 0.0)) return 0.0;
    return resting_touch_speed(1.0 / inverse_mass, problem_.surface.stiffness, problem_.surface.exponent, a,
                               problem_.chain.gravity);
  }

  const PendulumDropProblem& problem_;
  Index n_;
  PointContact contact_;
  bool slow_ = true;
};

template <class Call>
void require_member(const char* member, const Call& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    throw InvalidInput(member + error.field(), error.message());
  }
}

void require_valid_drop(const PendulumDropProblem& p) {
  require_member("chain.", [&] { require_valid(p.chain); });
  require_member("surface.", [&] { require_valid(p.surface); });
  const auto n = static_cast<Index>(p.chain.links.size());
  const auto require_angles = [&](const char* field, const VectorXd& values) {
    if (values.size() != n || !values.allFinite())
      throw InvalidInput(
          field, "must be one finite number per link, " + std::to_string(n) + ", got " + std::to_string(values.size()));
  };
  require_angles("angles", p.angles);
  require_angles("rates", p.rates);
  require_finite("floor", p.floor);
  const double height = tip_position(p.chain, absolute_angles(p.convention, p.angles))[1] + p.floor;
  if (!(height >= 0.0))
    throw InvalidInput("floor", "must be below the tip, which is " + number_text(p.floor - height) +
                                    " m below the hinge, got " + number_text(p.floor));
  if (p.v_min) require_positive("v_min", *p.v_min);
  const bool elastic = is_constant(p.surface.e) && restitution_at(p.surface.e, 0.0) == 1.0;
  if (!p.v_min && !elastic && !(p.chain.gravity > 0.0))
    throw InvalidInput("v_min", "is required where gravity does not press the tip on the floor");
  require_positive("end_time", p.end_time);
  require_sample_times(p.sample_times, p.end_time);
}

}  // namespace

PendulumDropResult pendulum_drop(const PendulumDropProblem& problem) {
  require_valid_drop(problem);
  DroppedChain chain(problem);
  const VectorXd start = chain.start();
  SwitchedSettings settings;
  settings.scale = chain.scale(start);
  PendulumDropResult result;
  const SwitchedStop stop =
      follow(chain, 0.0, start, problem.end_time, settings, problem.sample_times,
             [&](std::size_t, double t, const VectorXd& y) { result.samples.push_back(chain.sample(t, y)); });
  result.end = chain.sample(stop.t, stop.y);
  result.contacts = chain.contacts;
  result.touches = std::move(chain.touches);
  result.sticks_from = chain.sticks_from;
  result.limited = stop.limited;
  result.steps = stop.steps;
  return result;
}

}  // namespace carom
