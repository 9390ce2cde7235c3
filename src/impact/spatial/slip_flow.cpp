#include "carom/impact/slip_flow.hpp"

#include <Eigen/LU>
#include <cmath>

#include "carom/core/contact_space.hpp"
#include "carom/core/error.hpp"
#include "carom/core/text.hpp"

#include "answer.hpp"

namespace carom {

namespace {

/// Listens to nothing, but has the works followed.
struct FollowsWork {
  static constexpr bool ledger = true;
  template <class T>
  void event(EventType, const spatial::State<T>&) {}
  template <class T>
  void line(const spatial::State<T>&) {}
  template <class Piece, class T>
  void curve(const Piece&, const T&, double, double) {}
};

template <class Listener>
SlipFlow followed(const spatial::Scaled& units, double friction, double impulse) {
  Listener listener;
  const double scaled_impulse = impulse * units.w_unit / units.v_unit;
  spatial::Process<double, Listener> process(spatial::surface_of<double>(units, friction, 1.0),
                                             spatial::start_of(units), RestitutionLaw::poisson, listener);
  process.run_over(scaled_impulse);
  const spatial::State<double>& end = process.state;
  SlipFlow out;
  const auto slip = units.back(end.gx, end.gy), push = units.back(end.ix, end.iy);
  const double unit = units.v_unit / units.w_unit;
  out.slip = Eigen::Vector2d(slip[0], slip[1]) * units.v_unit;
  out.impulse = Eigen::Vector2d(push[0], push[1]) * unit;
  if constexpr (Listener::ledger) out.work = (end.we - units.v[2] * scaled_impulse) * unit * units.v_unit;
  out.rested = process.process != SpatialCase::curved_slip && process.process != SpatialCase::straight_slip &&
               process.process != SpatialCase::slip_from_rest;
  return out;
}

Eigen::Vector2d slip_rate(const Eigen::Matrix3d& w, double friction, const Eigen::Vector2d& slip) {
  const double size = slip.norm();
  if (!(size > 0.0)) return Eigen::Vector2d::Zero();
  return w.block<2, 1>(0, 2) - friction * (w.topLeftCorner<2, 2>() * (slip / size));
}

}  // namespace

SlipFlow slip_flow(const Eigen::Matrix3d& inverse_inertia, double friction, const Eigen::Vector2d& slip,
                   double normal_impulse, bool with_work) {
  if (!(friction >= 0.0) || !std::isfinite(friction))
    throw InvalidInput("friction", "must be >= 0, got " + number_text(friction));
  if (!(normal_impulse >= 0.0) || !std::isfinite(normal_impulse))
    throw InvalidInput("normal_impulse", "must be >= 0, got " + number_text(normal_impulse));
  if (!slip.allFinite()) throw InvalidInput("slip", "must be finite");
  // v_n high enough never to come down to zero: friction takes at most mu |d| of it per unit of impulse.
  const double pull = friction * inverse_inertia.block<2, 1>(0, 2).norm();
  const ContactSpace space =
      validated(ContactSpace{inverse_inertia, {slip[0], slip[1], (inverse_inertia(2, 2) + pull) * normal_impulse}});
  SlipFlow out;
  out.slip = slip;
  if (normal_impulse > 0.0) {
    const spatial::Scaled units = spatial::scaled(space);
    out = with_work ? followed<FollowsWork>(units, friction, normal_impulse)
                    : followed<spatial::Silent>(units, friction, normal_impulse);
  }
  out.rate = slip_rate(space.inverse_inertia, friction, out.slip);
  return out;
}

Eigen::Matrix2d slip_flow_derivative(const Eigen::Matrix3d& inverse_inertia, double friction,
                                     const Eigen::Vector2d& slip, double normal_impulse, const SlipFlow& flow) {
  constexpr double parallel = 1e-5;  // sine of the angle: below, the two directions are told apart too badly
  Eigen::Matrix2d before, after;
  const Eigen::Vector2d rate = slip_rate(inverse_inertia, friction, slip);
  const double size = slip.norm();
  if (!(size > 0.0)) return Eigen::Matrix2d::Zero();
  before << slip, rate;
  after << flow.slip - normal_impulse * flow.rate, flow.rate;
  if (std::abs(before.determinant()) <= parallel * size * rate.norm()) {
    // On a ray slip beside it turns towards it (or away) at the rate `turning`, and speeds up or down differently.
    const Eigen::Matrix2d tangential = inverse_inertia.topLeftCorner<2, 2>();
    const Eigen::Vector2d along = slip / size, across(-along[1], along[0]);
    const double speed = along.dot(rate), left = flow.slip.norm() / size,
                 rubs = friction * across.dot(tangential * across);
    const double turning = -(speed + rubs);
    const double bends = across.dot(inverse_inertia.block<2, 1>(0, 2) - 2.0 * friction * (tangential * along));
    before << along, across;
    after.col(0) = (flow.slip - normal_impulse * flow.rate) / size;
    if (flow.rested) {  // it comes to rest earlier or later
      after.col(1) = flow.rate * (bends / (rubs * speed));
    } else {
      const double kept = std::abs(speed) * normal_impulse > 1e-9 * size
                              ? std::pow(left, turning / speed + 1.0)
                              : left * std::exp(turning * normal_impulse / size);
      after.col(1) = kept * across + bends * (1.0 - kept) / rubs * along;
    }
  }
  return after * before.inverse();
}

}  // namespace carom
