#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "carom/core/error.hpp"
#include "carom/impact/spatial_methods.hpp"

namespace carom {

namespace {

using Eigen::Matrix2d, Eigen::Matrix3d, Eigen::Vector2d, Eigen::Vector3d;

constexpr double never = std::numeric_limits<double>::infinity();

double cross(const Vector2d& a, const Vector2d& b) { return a[0] * b[1] - a[1] * b[0]; }

/// Curvature where the rate of gamma = |gamma| u is known: gamma'' = -mu B u_perp (u x gamma') / |gamma|.
double curvature_of(const Matrix2d& B, double mu, const Vector2d& u, double size, const Vector2d& rate) {
  const Vector2d bend = -mu * (B * Vector2d(-u[1], u[0])) * (cross(u, rate) / size);
  const double pace = rate.norm();
  return cross(rate, bend) / (pace * pace * pace);
}

/// The integration of one impact. Symbols as in the text: gamma' = d - mu B gamma/|gamma|, p = B^-1 d.
class Stepper {
public:
  Stepper(const SpatialProblem& problem, StepMethod method, const StepSettings& settings)
      : W_(problem.space.inverse_inertia),
        B_(W_.topLeftCorner<2, 2>()),
        d_(W_.block<2, 1>(0, 2)),
        p_(B_.inverse() * d_),
        v0_(problem.space.velocity),
        mu_(problem.material.friction),
        e_(problem.material.restitution),
        method_(method),
        settings_(settings),
        gamma_(v0_.head<2>()),
        vn_(v0_[2]) {
    at_rest_ = p_.norm() <= mu_ ? Vector2d(-p_) : Vector2d(-mu_ * resumed_slip(W_, mu_).direction);
  }

  /// @param path  if wanted, gets a point a step, `most` of them
  SteppedImpact run(std::vector<SpatialSample>* path = nullptr, std::size_t most = 0) {
    path_ = path;
    most_ = most;
    out_.velocity_after = v0_;
    const double speed = gamma_.norm();
    const double pull = speed > 0.0 ? mu_ * d_.dot(gamma_) / speed : 0.0;
    if (vn_ > 0.0 || (vn_ == 0.0 && !(pull > W_(2, 2)))) return out_;
    rests_ = speed == 0.0;
    record();
    out_.verdict = integrate() ? Verdict::separated : Verdict::event_limit;
    out_.impulse = impulse_;
    out_.velocity_after = v0_ + W_ * impulse_;
    return out_;
  }

private:
  /// @return false if there were too many steps
  bool integrate() {
    const bool closes = method_ != StepMethod::ni;
    while (out_.steps < max_impact_steps) {
      if (rests_ && closes) return close(at_rest_, never);
      const double size = gamma_.norm();
      const Vector2d u = rests_ ? Vector2d::Zero() : Vector2d(gamma_ / size);
      const Vector2d tangent = rests_ ? at_rest_ : Vector2d(-mu_ * u), rate = d_ + B_ * tangent;
      double step = settings_.step;
      if (closes) {
        const double turn = cross(u, rate), pace = rate.norm();
        if (std::abs(turn) <= settings_.sine * pace) {
          out_.straight_from = {impulse_, v0_ + W_ * impulse_};
          return close(tangent, length_of_straight_slip(rate));
        }
        if (method_ == StepMethod::vs) {
          const double curvature = std::abs(curvature_of(B_, mu_, u, size, rate));
          // Nearly straight slip has no curvature to speak of: no step takes it further than its own size.
          const double arc = settings_.blend * settings_.arc + (1.0 - settings_.blend) * settings_.angle / curvature;
          step = std::min(arc, size) / pace;
        }
      }
      if (take(step, tangent, rate)) return true;
    }
    return false;
  }

  /// One step. @return true if the impact is over
  bool take(double step, const Vector2d& tangent, const Vector2d& rate) {
    ++out_.steps;
    const double next = vn_ + step * (W_(2, 2) + d_.dot(tangent));
    stored_ -= step * (settings_.energy == StepEnergy::end ? next : 0.5 * (vn_ + next));
    impulse_ += step * Vector3d(tangent[0], tangent[1], 1.0);
    vn_ = next;
    if (!rests_) {
      const Vector2d gamma = gamma_ + step * rate;
      rests_ = gamma.dot(gamma_) <= 0.0;  // the step would turn slip around
      gamma_ = rests_ ? Vector2d::Zero() : gamma;
    } else if (p_.norm() <= mu_) {  // on the line of sticking (eq. 2.31)
      impulse_.head<2>() = -(B_.inverse() * (v0_.head<2>() + impulse_[2] * d_));
    }
    record();
    if (!restitution_) {
      if (vn_ >= 0.0) restore();
      return restitution_ && e_ == 0.0;
    }
    return stored_ <= 0.0;
  }

  void record() {
    if (path_ != nullptr && path_->size() < most_) path_->push_back({impulse_, {gamma_[0], gamma_[1], vn_}});
  }

  void restore() {
    restitution_ = true;
    stored_ *= e_ * e_;
  }

  /// Normal impulse until slip that counts as straight comes to rest (eq. 2.38), by its first component.
  double length_of_straight_slip(const Vector2d& rate) const {
    const int i = gamma_[0] != 0.0 ? 0 : 1;
    const double length = -gamma_[i] / rate[i];
    return length > 0.0 ? length : never;
  }

  /// The rest in closed form (eqs. 2.34 to 2.45): along `tangent` over `to_rest`, then at rest.
  bool close(Vector2d tangent, double to_rest) {
    for (int piece = 0; piece < 8; ++piece) {
      const double rise = W_(2, 2) + d_.dot(tangent);
      double x = never;
      if (!restitution_)
        x = rise > 0.0 ? std::max(-vn_ / rise, 0.0) : never;
      else if (const double square = vn_ * vn_ + 2.0 * rise * stored_; square >= 0.0 && stored_ > 0.0)
        x = 2.0 * stored_ / (vn_ + std::sqrt(square));
      else if (!(stored_ > 0.0))
        x = 0.0;
      const bool rests = to_rest < x;
      x = std::min(x, to_rest);
      if (!(x < never)) return true;  // nothing ends it: as far as the closed form goes
      stored_ -= (vn_ + 0.5 * rise * x) * x;
      vn_ += rise * x;
      impulse_ += x * Vector3d(tangent[0], tangent[1], 1.0);
      if (rests) {
        tangent = at_rest_;
        to_rest = never;
        continue;
      }
      if (restitution_) return true;
      vn_ = 0.0;
      restore();
      to_rest -= x;
      if (e_ == 0.0) return true;
    }
    return true;
  }

  Matrix3d W_;
  Matrix2d B_;
  Vector2d d_, p_;
  Vector3d v0_;
  double mu_, e_;
  StepMethod method_;
  const StepSettings& settings_;
  Vector2d gamma_, at_rest_;
  double vn_, stored_ = 0.0;
  Vector3d impulse_ = Vector3d::Zero();
  bool restitution_ = false, rests_ = false;
  SteppedImpact out_;
  std::vector<SpatialSample>* path_ = nullptr;
  std::size_t most_ = 0;
};

void require_valid(const StepSettings& s) {
  const auto positive = [](const char* field, double value) {
    if (!(value > 0.0) || !std::isfinite(value))
      throw InvalidInput(field, "must be positive and finite, got " + number_text(value));
  };
  const auto between = [](const char* field, double value) {
    if (!(value > 0.0 && value < 1.0)) throw InvalidInput(field, "must be in (0, 1), got " + number_text(value));
  };
  positive("step", s.step);
  between("blend", s.blend);
  positive("arc", s.arc);
  positive("angle", s.angle);
  between("sine", s.sine);
}

SpatialProblem checked_for_steps(const SpatialProblem& given, const StepSettings& settings) {
  SpatialProblem problem = given;
  problem.space = validated(given.space);
  require_valid(problem.material);
  require_valid(settings);
  if (problem.law != RestitutionLaw::energetic)
    throw InvalidInput("law",
                       std::string("must be energetic: the text's methods know no other, got ") + name(problem.law));
  return problem;
}

}  // namespace

SteppedImpact stepped_impact(const SpatialProblem& problem, StepMethod method, const StepSettings& settings) {
  return Stepper(checked_for_steps(problem, settings), method, settings).run();
}

std::vector<SpatialSample> stepped_path(const SpatialProblem& problem, StepMethod method, const StepSettings& settings,
                                        std::size_t most) {
  std::vector<SpatialSample> path;
  Stepper(checked_for_steps(problem, settings), method, settings).run(&path, most);
  return path;
}

double hodograph_curvature(const Matrix3d& inverse_inertia, double friction, const Vector2d& slip) {
  const double size = slip.stableNorm();
  if (!(size > 0.0) || !std::isfinite(size)) throw InvalidInput("slip", "must be finite and not zero");
  const Matrix2d B = inverse_inertia.topLeftCorner<2, 2>();
  const Vector2d u = slip / size, rate = inverse_inertia.block<2, 1>(0, 2) - friction * (B * u);
  return curvature_of(B, friction, u, size, rate);
}

}  // namespace carom
