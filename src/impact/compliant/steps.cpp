#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "carom/core/error.hpp"
#include "carom/core/text.hpp"
#include "carom/impact/compliant_steps.hpp"

namespace carom {

namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

/// The process, step by step, in units where the normal stiffness in compression is 1.
class Stepper {
public:
  Stepper(const CompliantProblem& problem, const CompliantSteps& how, SteppedCompliantImpact& out)
      : w_(problem.space.inverse_inertia),
        v0_(problem.space.velocity),
        mu_(problem.material.friction),
        e_(problem.material.restitution),
        eta2_(problem.stiffness_ratio_root * problem.stiffness_ratio_root),
        published_(problem.reading == Reading::published),
        how_(how),
        out_(out) {}

  void run() {
    start();
    while (out_.steps < max_compliant_steps && out_.events.size() < max_compliant_events) {
      if (restitution_ && energy_ <= how_.stop_energy) return finish();
      if (slipping_ && slip_speed() <= 0.0) {
        slipping_ = false;
        if (starts_backwards_) {  // as published no slip is possible: the model goes on, as in compliant_impact()
          out_.flags.set(Flag::undefined_reading);
          published_ = false;
        }
        tell(EventType::slip_ends);
      }
      starts_backwards_ = false;
      const bool listed = slipping_ && how_.slip == SlipSteps::as_listed;
      const Vector2d rate = listed ? listed_rate() : Vector2d(v_.head<2>());
      const Vector2d moved = g_ - rate * (how_.step / (eta2_ * force()));
      if (!slipping_ || listed) g_ = moved;
      const double left = energy_ - v_[2] * how_.step;
      if (!(left > 0.0)) return finish();
      energy_ = left;
      if (slipping_ && !listed) g_ = moved * (friction() * force() / moved.norm());  // back onto the cone
      impulse_ += Vector3d(g_[0] / force(), g_[1] / force(), 1.0) * how_.step;
      v_ = v0_ + w_ * impulse_;
      ++out_.steps;
      if (!slipping_ && g_.norm() >= mu_ * force()) {
        slipping_ = true;
        if (how_.slip == SlipSteps::on_the_cone) g_ *= friction() * force() / g_.norm();
        starts_backwards_ = published_ && restitution_ && slip_speed() < 0.0;
        tell(EventType::stick_ends);
      }
      if (!restitution_ && v_[2] >= 0.0) {
        if (turn()) return;
      }
    }
    out_.verdict = Verdict::event_limit;
    out_.flags.set(Flag::event_limit);
    account();
  }

private:
  double kappa() const { return restitution_ ? 1.0 / (e_ * e_) : 1.0; }
  double force() const { return std::sqrt(2.0 * kappa() * energy_); }
  double friction() const { return published_ && restitution_ ? e_ * mu_ : mu_; }
  double slip_speed() const {
    const double size = g_.norm();
    if (how_.slip == SlipSteps::as_listed && size > 0.0) return -(v_.head<2>() - listed_rate()).dot(g_) / size;
    return size > 0.0 ? -v_.head<2>().dot(g_) / size + friction() * eta2_ * kappa() * v_[2] : v_.head<2>().norm();
  }

  /// (48) and (49), which hold on the cone only: rate of the springs' lengths in slip.
  Vector2d listed_rate() const {
    const double size = g_.norm();
    if (!(size > 0.0)) return v_.head<2>();
    const Vector2d along = g_ / size;
    // Its square is E_t / (mu^2 eta^2 E_n): 1 on the cone.
    const double share = size / (friction() * force());
    return share * share * (v_.head<2>() - v_.head<2>().dot(along) * along) +
           eta2_ * kappa() * v_[2] * size / force() * along;
  }

  /// The first step from the series at first touch (Jia 2012, eqs. 61, 72 and 73).
  void start() {
    const double slip = v0_.head<2>().norm(), approach = -v0_[2];
    slipping_ = slip > mu_ * eta2_ * approach;
    const Vector2d along = slip > 0.0 ? Vector2d(v0_.head<2>() / slip) : Vector2d(Vector2d::Zero());
    const double ratio = slipping_ ? mu_ : slip / (eta2_ * approach);
    v_ = v0_;
    tell(slipping_ ? EventType::start_slip : EventType::start_stick);
    energy_ = approach * how_.step;
    g_ = -ratio * force() * along;
    impulse_ << -ratio * how_.step * along, how_.step;
    v_ = v0_ + w_ * impulse_;
    ++out_.steps;
  }

  /// Compression has ended. True if that is the end.
  bool turn() {
    lost_ += (1.0 - e_ * e_) * energy_;
    energy_ *= e_ * e_;
    restitution_ = e_ > 0.0;
    tell(EventType::compression_ends);
    if (e_ > 0.0) return false;
    finish();
    return true;
  }

  void finish() {
    out_.verdict = Verdict::separated;
    tell(EventType::separates);
    account();
  }

  void account() {
    EnergyLedger& energy = out_.energy;
    out_.impulse = impulse_;
    out_.velocity_after = v_;
    const Eigen::Matrix3d mass = w_.inverse();
    energy.before = 0.5 * v0_.dot(mass * v0_);
    energy.after = 0.5 * v_.dot(mass * v_);
    energy.restitution_loss = lost_ + energy_;
    energy.residual = 0.5 * eta2_ * g_.squaredNorm();
    energy.friction_loss = energy.before - energy.after - energy.restitution_loss - energy.residual;
  }

  void tell(EventType type) {
    CompliantEvent& e = out_.events.emplace_back();
    e.type = type;
    e.impulse = impulse_;
    e.velocity = v_;
    e.springs.length << -eta2_ * g_, (energy_ > 0.0 ? -force() / kappa() : 0.0);
    e.springs.energy << 0.5 * eta2_ * g_.cwiseAbs2(), energy_;
    if (slipping_ && g_.norm() > 0.0) e.springs.slip_velocity = -slip_speed() / g_.norm() * g_;
    e.springs.rate << v_.head<2>() - e.springs.slip_velocity, v_[2];
    out_.event_count = out_.events.size();
  }

  const Eigen::Matrix3d w_;
  const Vector3d v0_;
  const double mu_, e_, eta2_;
  bool published_;
  const CompliantSteps how_;
  SteppedCompliantImpact& out_;
  Vector3d impulse_ = Vector3d::Zero(), v_ = Vector3d::Zero();
  Vector2d g_ = Vector2d::Zero();  ///< tangential force
  double energy_ = 0.0, lost_ = 0.0;
  bool slipping_ = false, restitution_ = false, starts_backwards_ = false;
};

}  // namespace

SteppedCompliantImpact stepped_impact(const CompliantProblem& given, const CompliantSteps& how) {
  CompliantProblem problem = given;
  problem.space = validated(given.space);
  require_valid(problem.material);
  require_positive("stiffness_ratio_root", problem.stiffness_ratio_root);
  if (problem.unloading != Unloading::stiffer)
    throw InvalidInput("unloading", "must be stiffer in steps, got keep_stiffness");
  require_positive("step", how.step);
  if (!(how.stop_energy >= 0.0 && std::isfinite(how.stop_energy)))
    throw InvalidInput("stop_energy", "must be >= 0, got " + number_text(how.stop_energy));
  SteppedCompliantImpact out;
  out.velocity_after = problem.space.velocity;
  if (!(problem.space.velocity[2] < 0.0)) {
    out.energy.before = out.energy.after = kinetic_energy(problem.space);
    return out;
  }
  Stepper(problem, how, out).run();
  return out;
}

}  // namespace carom
