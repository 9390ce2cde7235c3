#include <Eigen/Geometry>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "carom/core/contact_space.hpp"
#include "carom/core/error.hpp"
#include "carom/core/text.hpp"
#include "carom/impact/compliant.hpp"
#include "carom/plan/batting_certainty.hpp"

#include "aim.hpp"

namespace carom {

namespace {

/// What the plane sees of a change of impulse, world axes: time of flight and slant.
struct Plane {
  Eigen::Matrix<double, 3, 2> axes;
  Eigen::Vector3d normal;
};

Plane plane_of(const BattingProblem& problem, const BattingShot& shot) {
  Eigen::Vector3d arrival =
      problem.velocity + shot.impulse / problem.mass - problem.gravity * shot.flight_time * Eigen::Vector3d::UnitZ();
  Plane out;
  out.normal = arrival.norm() > 0.0 ? Eigen::Vector3d(arrival.normalized()) : Eigen::Vector3d::UnitX();
  Eigen::Vector3d right = out.normal.cross(Eigen::Vector3d::UnitZ());
  if (right.norm() < 1e-9) right = Eigen::Vector3d::UnitY();  // straight up or down: any axis will do
  right.normalize();
  out.axes << right, right.cross(out.normal);
  return out;
}

void find_axes(BattingCertainty& out) {
  const Eigen::Matrix2d& c = out.covariance;
  const double mean = 0.5 * (c(0, 0) + c(1, 1)), half = 0.5 * (c(0, 0) - c(1, 1));
  const double radius = std::hypot(half, c(0, 1));
  out.semi_axes = {std::sqrt(mean + radius), std::sqrt(std::max(0.0, mean - radius))};
  const double angle = 0.5 * std::atan2(c(0, 1), half);
  out.major = {std::cos(angle), std::sin(angle)};
}

/// An impact near the planned one.
struct Nearby {
  ContactSpace space;
  Material material;
};

/// What the forward model says of it: the impulse (contact axes), and in which order things happen.
struct Happening {
  Eigen::Vector3d impulse;
  std::vector<EventType> order;
  SpatialCase process;
  bool operator!=(const Happening& other) const { return order != other.order || process != other.process; }
};

Happening happening(const BattingProblem& problem, const Nearby& impact) {
  if (!problem.springs) {
    const SpatialOutcome out = spatial_outcome({impact.space, impact.material, problem.law});
    return {out.impulse, {}, out.process};
  }
  const CompliantImpact out = compliant_impact(
      {impact.space, impact.material, problem.springs->stiffness_ratio_root, problem.springs->reading});
  Happening all{out.impulse, {}, SpatialCase::none};
  for (const CompliantEvent& event : out.events) all.order.push_back(event.type);
  return all;
}

/// d impulse by v (three), mu and e, contact axes.
Eigen::Matrix<double, 3, 5> slopes_of(const BattingProblem& problem, const Nearby& impact) {
  Eigen::Matrix<double, 3, 5> out;
  if (problem.springs) {
    const CompliantDerivatives d = compliant_derivatives(
        {impact.space, impact.material, problem.springs->stiffness_ratio_root, problem.springs->reading});
    out << d.by_velocity, d.by_friction, d.by_restitution;
  } else {
    const SpatialDerivatives d = spatial_derivatives({impact.space, impact.material, problem.law});
    out << d.by_velocity, d.by_friction, d.by_restitution;
  }
  return out;
}

/// The ellipse and what leads to it, but not whether the order of events may change.
struct Spreading {
  const BattingProblem& problem;
  const BattingSpread& spread;
  Nearby planned;
  std::array<ContactShift, 2> shift = {};
  BattingCertainty certainty = {};

  Spreading(const BattingProblem& given, const BattingShot& shot, const BattingSpread& deviations,
            const Eigen::Vector3d& bat_turns)
      : problem(given),
        spread(deviations),
        planned{{given.inverse_inertia, given.frame.transpose() * shot.contact_velocity}, given.material} {
    const Plane plane = plane_of(problem, shot);
    certainty.plane = plane.axes;
    // A change of impulse moves the object by t dI/m; what of it is along the flight only changes the time.
    const Eigen::Matrix<double, 2, 3> seen = plane.axes.transpose() * problem.frame * (shot.flight_time / problem.mass);
    certainty.by = seen * slopes_of(problem, planned);
    const Eigen::Matrix<double, 2, 5> scaled = certainty.by * deviation().asDiagonal();
    certainty.covariance = scaled * scaled.transpose();
    if (spread.contact_point > 0.0) {
      shift = *problem.contact_shift;
      for (int i = 0; i < 2; ++i) {
        shift[static_cast<std::size_t>(i)].velocity -=
            problem.frame.transpose() * bat_turns.cross(problem.frame.col(i));
        certainty.by_point.col(i) = seen * by_point(i);
      }
      certainty.covariance +=
          spread.contact_point * spread.contact_point * certainty.by_point * certainty.by_point.transpose();
    }
    find_axes(certainty);
  }

  Eigen::Matrix<double, 5, 1> deviation() const {
    Eigen::Matrix<double, 5, 1> out;
    out << Eigen::Vector3d::Constant(spread.contact_velocity), spread.friction, spread.restitution;
    return out;
  }
  /// The contact point moved along a tangent.
  Nearby touching_at(int axis, double distance) const {
    const ContactShift& by = shift[static_cast<std::size_t>(axis)];
    Nearby out = planned;
    out.space.inverse_inertia += distance * by.inverse_inertia;
    out.space.velocity += distance * by.velocity;
    return out;
  }
  Eigen::Vector3d by_point(int axis) const {
    // Fourth order in a step of a hundredth of the uncertainty: errors of 1e-8 of what it contributes.
    const double h = 0.01 * spread.contact_point;
    const auto impulse = [&](double x) { return happening(problem, touching_at(axis, x)).impulse; };
    const Eigen::Vector3d narrow = (impulse(h) - impulse(-h)) / (2.0 * h);
    const Eigen::Vector3d wide = (impulse(2.0 * h) - impulse(-2.0 * h)) / (4.0 * h);
    return (4.0 * narrow - wide) / 3.0;
  }

  void look_for_changes() {
    constexpr double deviations_tried = 2.0;
    const Happening as_planned = happening(problem, planned);
    const auto compare = [&](const Nearby& impact) {
      certainty.order_changes = certainty.order_changes || happening(problem, impact) != as_planned;
    };
    for (const double sign : {-deviations_tried, deviations_tried}) {
      for (int i = 0; i < 3; ++i) {
        Nearby moved = planned;
        moved.space.velocity[i] += sign * spread.contact_velocity;
        compare(moved);
      }
      Nearby rougher = planned, livelier = planned;
      rougher.material.friction = std::max(0.0, rougher.material.friction + sign * spread.friction);
      compare(rougher);
      livelier.material.restitution = std::clamp(livelier.material.restitution + sign * spread.restitution, 0.0, 1.0);
      compare(livelier);
      if (!(spread.contact_point > 0.0)) continue;
      for (int i = 0; i < 2; ++i) {
        const Nearby moved = touching_at(i, sign * spread.contact_point);
        try {
          compare(moved);
        } catch (const InvalidInput&) {  // so far that to first order W is none
          certainty.order_changes = true;
        }
      }
    }
  }
};

}  // namespace

namespace batting {

void require_known(const BattingProblem& problem, const BattingSpread& spread) {
  for (const double s : {spread.contact_velocity, spread.friction, spread.restitution, spread.contact_point})
    if (!(s >= 0.0) || !std::isfinite(s)) throw InvalidInput("spread", "must be >= 0, got " + number_text(s));
  if (spread.contact_point > 0.0 && !problem.contact_shift)
    throw InvalidInput("spread", "of the contact point needs the bodies: W alone does not say how it changes");
}

double scatter_of(const BattingProblem& problem, const BattingShot& shot, const BattingSpread& spread) {
  return scatter(Spreading(problem, shot, spread, Eigen::Vector3d::Zero()).certainty);
}

}  // namespace batting

BattingCertainty batting_certainty(const BattingProblem& problem, const BattingShot& shot,
                                   const BattingSpread& spread) {
  return batting_certainty(problem, shot, spread, BatMotion{});
}

BattingCertainty batting_certainty(const BattingProblem& problem, const BattingShot& shot, const BattingSpread& spread,
                                   const BatMotion& motion) {
  require_valid(problem);
  batting::require_known(problem, spread);
  Spreading spreading(problem, shot, spread, motion.angular_velocity);
  spreading.look_for_changes();
  return spreading.certainty;
}

bool is_flat(const BattingCertainty& certainty) {
  return certainty.semi_axes[1] <= flat_ellipse * certainty.semi_axes[0];
}

bool holds_hit(const BattingCertainty& certainty, const Eigen::Vector2d& hit, double share) {
  const auto [large, small] = std::pair(certainty.semi_axes[0], certainty.semi_axes[1]);
  if (!(large > 0.0)) return hit.norm() <= hit_tolerance;
  const double along = hit.dot(certainty.major) / large;
  if (is_flat(certainty)) return std::abs(along) <= ellipse_factor(share, true);
  const double across = hit.dot(Eigen::Vector2d(-certainty.major[1], certainty.major[0])) / small;
  return std::hypot(along, across) <= ellipse_factor(share);
}

double scatter(const BattingCertainty& certainty) { return std::sqrt(certainty.covariance.trace()); }

Eigen::Vector2d passes_at(const BattingProblem& problem, const BattingCertainty& certainty,
                          const Eigen::Vector3d& impulse) {
  const Eigen::Vector3d normal = certainty.plane.col(0).cross(certainty.plane.col(1));
  const Eigen::Vector3d v = problem.velocity + impulse / problem.mass, away = problem.position - problem.target;
  // normal.(away + v t - g t^2 z/2) = 0: the root nearest to the planned passage is the one with the closest approach.
  const double a = -0.5 * problem.gravity * normal[2], b = normal.dot(v), c = normal.dot(away);
  const Approach near = closest_approach(problem, impulse);
  double time = std::numeric_limits<double>::quiet_NaN();
  if (std::abs(a) * near.time <= 1e-12 * std::abs(b)) {
    time = -c / b;
  } else {
    const double square = b * b - 4.0 * a * c;
    if (square >= 0.0) {
      const double q = -0.5 * (b + std::copysign(std::sqrt(square), b)), t1 = q / a, t2 = c / q;
      time = std::abs(t1 - near.time) < std::abs(t2 - near.time) ? t1 : t2;
    }
  }
  return certainty.plane.transpose() * (away + time * (v - 0.5 * problem.gravity * time * Eigen::Vector3d::UnitZ()));
}

double ellipse_factor(double share, bool flat) {
  if (!(share >= 0.0 && share < 1.0)) throw InvalidInput("share", "must lie in [0, 1), got " + number_text(share));
  if (flat) return std::numbers::sqrt2 * boost::math::erf_inv(share);
  return std::sqrt(-2.0 * std::log1p(-share));
}

}  // namespace carom
