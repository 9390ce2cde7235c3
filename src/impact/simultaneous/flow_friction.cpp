// Friction of simultaneous impact: rigid Coulomb (A) and tangential springs (B).
#include <algorithm>
#include <cmath>
#include <limits>

#include "flow.hpp"
#include "plane.hpp"
#include "tuning.hpp"

namespace carom::simultaneous {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

/// Direction of rigid slip, continued past its end with the side it had: u/|u|, but where little is left of the speed
/// the step began with, the angle to the direction then is not allowed to grow further. At the very end of slip u/|u|
/// is all rounding, and a stage of the method there would be as wrong as can be.
template <>
Eigen::Vector2d Flow<3>::slip_direction(std::size_t c, const Eigen::Vector2d& u) const {
  const double along = u.dot(slip_axis_[c]), aside = u.dot(across(slip_axis_[c]));
  const double left = slip_remainder * slip_speed_[c];
  if (along > left) return u / u.norm();
  if (along < -left) return -u / u.norm();
  if (!(left > 0.0)) return slip_axis_[c];
  return (slip_axis_[c] * left + (along < 0.0 ? -aside : aside) * across(slip_axis_[c])).normalized();
}

/// Friction force of a contact, and the derivative of its variables.
template <>
Eigen::Vector2d Flow<3>::friction_rate(std::size_t c, const Eigen::VectorXd& y, double force, double d_rate,
                                       double* rate) const {
  const Spring& s = system_.spring(c);
  const Eigen::Vector2d u = u_[c].head<2>();
  const double d = y[at_d(c)];
  if (s.eta2 == 0.0) {
    if (state_[c].tangent != TangentMode::slip) return Eigen::Vector2d::Zero();  // added by rigid_forces
    return -s.mu * force * slip_direction(c, u);
  }
  if (state_[c].tangent == TangentMode::stick) {
    const Eigen::Vector2d f = y.segment<2>(at_f(c));
    Eigen::Vector2d change = -s.slope(d) / s.eta2 * u;
    if (s.hertz() && d_rate < 0.0 && d > 0.0) change += (s.p - 1.0) * d_rate / d * f;
    rate[at_f(c)] = change[0];
    rate[at_f(c) + 1] = change[1];
    return f;
  }
  if (state_[c].slaved) {
    const double speed = u.norm();
    return speed > 0.0 ? (-s.mu * force / speed * u).eval() : (s.mu * force * direction(state_[c].angle)).eval();
  }
  const Eigen::Vector2d e = direction(y[at_f(c)]);
  if (d > 0.0) rate[at_f(c)] = -s.p / (s.mu * s.eta2 * d) * u.dot(across(e));
  return s.mu * force * e;
}

/// Forces of the rigid contacts that stick or creep, all at once.
template <>
void Flow<3>::rigid_forces() const {
  respond(f_, rigid_, a_);
  for (std::size_t k = 0; k < rigid_.size(); ++k) {
    const std::size_t c = rigid_[k];
    const auto i = static_cast<Eigen::Index>(k);
    rigid_b_.segment<2>(2 * i) = a_[c].head<2>();
    rigid_bound_[i] = system_.spring(c).mu * std::max(f_[c][2], 0.0);
  }
  // Always from the angles at the step's beginning: a trial stage beyond the end of a piece may have led them astray.
  angle_ = angle_start_;
  rigid_friction_.solve(rigid_b_, rigid_bound_, angle_, rigid_f_);
  const auto creeping = static_cast<double>(angle_.size());
  work_.spend(rigid_friction_.iterations() * (creep_work[0] + creep_work[1] * creeping * creeping));
  for (std::size_t k = 0; k < rigid_.size(); ++k)
    f_[rigid_[k]].head<2>() = rigid_f_.segment<2>(2 * static_cast<Eigen::Index>(k));
}

/// The acceleration along the friction force with which a creeping contact is pulled back, beyond doubt.
template <>
double Flow<3>::creep_room(std::size_t c) const {
  return creep_margin * f_[c][2] + creep_roundings * rounding * mobility_[c] * push_;
}

template <>
void Flow<3>::evaluate_friction(std::size_t c, const Eigen::VectorXd& y, const Eigen::VectorXd& rate,
                                Events& events) const {
  const Spring& s = system_.spring(c);
  const std::size_t i = slots * c + 2;
  const double d = y[at_d(c)], d_rate = rate[at_d(c)], force = s.force(d);
  const Eigen::Vector2d u = u_[c].head<2>(), a = a_[c].head<2>();
  const TangentMode mode = state_[c].tangent;
  events.active[i] = 1;
  if (mode == TangentMode::stick) {
    const Eigen::Vector2d f = f_[c].head<2>();
    const double bound = s.mu * force;
    // Where the force to be held vanishes too, as in planes of symmetry, only rounding would let go.
    events.active[i] = f.norm() > negligible_force * tolerance_ ? 1 : 0;
    if (!events.active[i]) return;
    if (!(bound > 0.0)) {  // a step beyond the contact's opening: the stick was lost on the way
      events.value[i] = -2.0;
      events.rate[i] = unknown;
      return;
    }
    const double used = f.squaredNorm() / (bound * bound);  // share of the bound, squared
    // Near the bound this is 1 - used; it has an end where the bound vanishes, which helps to find the zero.
    events.value[i] = 2.0 * (1.0 - used) / (1.0 + used) + 2.0 * friction_margin;
    const double growth =
        2.0 * (f.dot(rate.segment<2>(at_f(c))) / (bound * bound) - used * s.slope(d) * d_rate / force);
    events.rate[i] = s.eta2 > 0.0 ? -4.0 * growth / ((1.0 + used) * (1.0 + used)) : unknown;
  } else if (s.eta2 > 0.0) {
    // Speed at which the tip of the springs slides.
    const double part = d_rate < 0.0 ? 1.0 / s.p : 1.0;
    const double d_acceleration = state_[c].normal == NormalMode::unloading ? -a_[c][2] / s.e2 : -a_[c][2];
    const Eigen::Vector2d e = f_[c].head<2>().normalized();
    const double turn = state_[c].slaved ? cross(u, a) / u.squaredNorm() : rate[at_f(c)];
    events.value[i] = -u.dot(e) - s.mu * s.eta2 * part * d_rate + friction_margin;
    events.rate[i] = -a.dot(e) - turn * u.dot(across(e)) - s.mu * s.eta2 * part * d_acceleration;
  } else if (mode == TangentMode::slip) {
    events.value[i] = u.dot(slip_axis_[c]) - zero_slip_;
    events.rate[i] = a.dot(slip_axis_[c]);
  } else if (state_[c].stopping) {  // at rest, or fast again
    const Eigen::Vector2d e = f_[c].head<2>().normalized();
    events.value[i] = -u.dot(e) - zero_slip_;
    events.rate[i] = -a.dot(e);
    events.value[i + 1] = slip_threshold_ + u.dot(e);
    events.rate[i + 1] = a.dot(e);
    events.active[i + 1] = 1;
  } else {  // creep: fast enough to slide, or pulled back
    const Eigen::Vector2d e = f_[c].head<2>().normalized();
    events.value[i] = slip_threshold_ + u.dot(e);
    events.rate[i] = a.dot(e);
    events.value[i + 1] = 2.0 * creep_room(c) - a.dot(e);
    events.rate[i + 1] = unknown;
    // A force that is nothing holds nothing either: the mode waits until there is one.
    events.active[i + 1] = s.mu * force > negligible_force * tolerance_ ? 1 : 0;
  }
}

template <>
void Flow<3>::set_tangent(std::size_t c, TangentMode mode) {
  state_[c].tangent = mode;
  state_[c].slaved = state_[c].stopping = false;
  if (mode == TangentMode::none) y_.segment<2>(at_f(c)).setZero();
}

/// Changes of friction mode whose event function has arrived at zero.
template <>
void Flow<3>::fire_friction(std::size_t c) {
  const Spring& s = system_.spring(c);
  const std::size_t i = slots * c + 2;
  const TangentMode mode = state_[c].tangent;
  const auto arrived = [&](std::size_t k) {
    if (!start_.active[k]) return false;
    const double rate = start_.rate[k];
    if (start_.value[k] <= 0.0) return true;
    if (mode == TangentMode::creep || (mode == TangentMode::slip && s.eta2 == 0.0))
      return start_.value[k] <= arrival(k, rate);
    if (std::isfinite(rate)) return rate < 0.0 && start_.value[k] <= event_time * std::max(1e-3, -rate);
    if (mode != TangentMode::stick || !let_go_) return false;
    const double unsure = mirror_roundings * rounding * push_ / (mobility_[c] * f_[c][2]);
    return start_.value[k] <= std::clamp(unsure, mirror_margin, largest_mirror_margin);
  };
  if (s.eta2 > 0.0) {
    if (!arrived(i)) return;
    if (mode == TangentMode::stick) {
      const double angle = angle_of(y_.segment<2>(at_f(c)));
      set_tangent(c, TangentMode::slip);
      y_.segment<2>(at_f(c)) << angle, 0.0;
      state_[c].angle = angle;
      record(EventType::stick_ends, c);
    } else {
      const Eigen::Vector2d f = f_[c].head<2>();
      set_tangent(c, TangentMode::stick);
      y_.segment<2>(at_f(c)) = f;
      record(EventType::slip_ends, c);
    }
    return;
  }
  if (mode == TangentMode::stick && arrived(i)) {
    state_[c].angle = angle_of(f_[c].head<2>());
    set_tangent(c, TangentMode::creep);
    record(EventType::stick_ends, c);
  } else if (mode == TangentMode::slip && arrived(i) && u_[c].head<2>().norm() <= slip_threshold_) {
    stopped_.push_back(c);
    record(EventType::slip_ends, c);
  } else if (mode == TangentMode::creep && state_[c].stopping && arrived(i)) {
    stopped_.push_back(c);
    record(EventType::slip_ends, c);
  } else if (mode == TangentMode::creep && arrived(state_[c].stopping ? i + 1 : i)) {
    set_tangent(c, TangentMode::slip);
    slip_axis_[c] = u_[c].head<2>().normalized();
    slip_speed_[c] = u_[c].head<2>().norm();
  } else if (mode == TangentMode::creep && !state_[c].stopping && arrived(i + 1)) {
    set_tangent(c, TangentMode::stick);
    record(EventType::slip_ends, c);
  }
}

/// Contacts whose slip has just ended: do they hold? The convex problem over all that do not slide.
template <>
void Flow<3>::decide_stopped() {
  if (stopped_.empty()) return;
  for (const std::size_t c : stopped_) set_tangent(c, TangentMode::stick);
  std::vector<std::size_t> still;
  for (std::size_t c = 0; c < m_; ++c)
    if (is_rigid(c) && (state_[c].tangent == TangentMode::stick || state_[c].tangent == TangentMode::creep))
      still.push_back(c);
  rigid_friction_ = RigidFriction();
  rate_of(y_, rate_.data());  // forces without those of the contacts at rest
  respond(f_, still, a_);
  const auto size = static_cast<Eigen::Index>(still.size());
  Eigen::MatrixXd w(2 * size, 2 * size);
  Eigen::VectorXd b(2 * size), radius(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const std::size_t c = still[static_cast<std::size_t>(i)];
    b.segment<2>(2 * i) = a_[c].head<2>();
    radius[i] = system_.spring(c).mu * std::max(f_[c][2], 0.0);
    for (Eigen::Index j = 0; j < size; ++j)
      w.block<2, 2>(2 * i, 2 * j) = system_.block(c, still[static_cast<std::size_t>(j)]).topLeftCorner<2, 2>();
  }
  std::size_t sweeps = 0;
  const Eigen::VectorXd f = least_slip_forces(w, b, radius, sweeps);
  work_.spend(sweep_work * static_cast<double>(sweeps * still.size()));
  for (Eigen::Index i = 0; i < size; ++i) {
    const std::size_t c = still[static_cast<std::size_t>(i)];
    if (std::find(stopped_.begin(), stopped_.end(), c) == stopped_.end()) continue;
    if (f.segment<2>(2 * i).norm() < radius[i] * (1.0 - boundary_margin)) continue;
    set_tangent(c, TangentMode::creep);
    state_[c].angle = angle_of(f.segment<2>(2 * i));
    record(EventType::slip_resumes, c);
  }
}

/// Friction of a contact that starts to press with force ~ coefficient: by its velocity, or, at rest, its acceleration.
template <>
void Flow<3>::start_friction(std::size_t c, Vector& force, const Vector& motion, bool fresh) {
  const Spring& s = system_.spring(c);
  if (!(s.mu > 0.0)) return;
  just_closed_[c] = fresh ? 1 : 0;
  const Eigen::Vector2d t = motion.head<2>();
  const double speed = t.norm(), approach = std::abs(motion[2]);
  set_tangent(c, TangentMode::stick);
  y_.segment<2>(at_f(c)).setZero();
  if (s.eta2 > 0.0) {
    if (speed <= s.mu * s.eta2 * approach) {
      force.head<2>() = -force[2] / (s.eta2 * approach) * t;
      return;
    }
  } else if (u_[c].head<2>().norm() <= zero_slip_) {
    state_[c].angle = unknown;  // decided with the others of its order, by level_friction
    return;
  }
  set_tangent(c, TangentMode::slip);
  state_[c].slaved = s.eta2 > 0.0;
  state_[c].angle = angle_of(-t);
  slip_axis_[c] = t / speed;
  slip_speed_[c] = u_[c].head<2>().norm();
  force.head<2>() = -s.mu * force[2] * slip_axis_[c];
}

/// Rigid contacts without slip that start to press as t^order (all that are left for an infinite order).
template <>
void Flow<3>::level_friction(LeadingForces<3>& lead, double order) {
  for (;;) {
    double level = std::numeric_limits<double>::infinity();
    const auto pending = [&](std::size_t c) {
      return state_[c].tangent == TangentMode::stick && is_rigid(c) && std::isnan(state_[c].angle);
    };
    for (std::size_t c = 0; c < m_; ++c)
      if (pending(c) && lead.order[c] <= order) level = std::min(level, lead.order[c]);
    if (std::isinf(level)) return;
    // Accelerations of lower order are too strong for these forces: the contact creeps against them.
    Vectors& force = level_force_;
    Vectors& answer = level_answer_;
    double lower = -1.0;
    const auto respond = [&](double at) {
      double largest = 0.0;
      for (std::size_t c = 0; c < m_; ++c) {
        force[c] = lead.order[c] == at ? lead.coefficient[c] : Vector::Zero().eval();
        largest = std::max(largest, force[c].norm());
      }
      system_.response(force[0].data(), answer[0].data());
      return largest;
    };
    for (;;) {
      double next = level;
      for (const double o : lead.order)
        if (o > lower && o < next) next = o;
      if (next == level) break;
      const double largest = respond(next);
      for (std::size_t c = 0; c < m_; ++c) {
        const Eigen::Vector2d a = answer[c].head<2>();
        if (lead.order[c] != level || !pending(c) || a.norm() <= cancellation * largest) continue;
        state_[c].tangent = TangentMode::creep;
        state_[c].angle = angle_of(-a);
        lead.coefficient[c].head<2>() = -system_.spring(c).mu * lead.coefficient[c][2] * a.normalized();
      }
      lower = next;
    }
    std::vector<std::size_t> group;
    for (std::size_t c = 0; c < m_; ++c)
      if (lead.order[c] == level && pending(c)) group.push_back(c);
    if (group.empty()) continue;
    respond(level);
    const auto size = static_cast<Eigen::Index>(group.size());
    Eigen::MatrixXd w(2 * size, 2 * size);
    Eigen::VectorXd b(2 * size), radius(size);
    for (Eigen::Index i = 0; i < size; ++i) {
      const std::size_t c = group[static_cast<std::size_t>(i)];
      b.segment<2>(2 * i) = answer[c].head<2>();
      radius[i] = system_.spring(c).mu * force[c][2];
      for (Eigen::Index j = 0; j < size; ++j)
        w.block<2, 2>(2 * i, 2 * j) = system_.block(c, group[static_cast<std::size_t>(j)]).topLeftCorner<2, 2>();
    }
    std::size_t sweeps = 0;
    const Eigen::VectorXd f = least_slip_forces(w, b, radius, sweeps);
    work_.spend(sweep_work * static_cast<double>(sweeps * group.size()));
    for (Eigen::Index i = 0; i < size; ++i) {
      const std::size_t c = group[static_cast<std::size_t>(i)];
      lead.coefficient[c].head<2>() = f.segment<2>(2 * i);
      state_[c].angle = angle_of(f.segment<2>(2 * i));
      if (f.segment<2>(2 * i).norm() >= radius[i] * (1.0 - boundary_margin)) state_[c].tangent = TangentMode::creep;
    }
  }
}

/// Which contacts the joint friction solver answers for. Its matrices change with the contacts only.
template <>
void Flow<3>::rebuild_rigid_friction() {
  any_slaved_ = std::any_of(state_.begin(), state_.end(), [](const ContactState& s) { return s.slaved; });
  std::size_t count = 0, sticking = 0;
  bool same = !rigid_friction_.empty();
  for (const TangentMode mode : {TangentMode::stick, TangentMode::creep}) {
    for (std::size_t c = 0; c < m_; ++c) {
      if (!is_rigid(c) || !state_[c].closed() || state_[c].tangent != mode) continue;
      same = same && count < rigid_.size() && rigid_[count] == c;
      if (count < rigid_.size())
        rigid_[count] = c;
      else
        rigid_.push_back(c);
      ++count;
    }
    if (mode == TangentMode::stick) sticking = count;
  }
  same = same && count == rigid_.size() && count - sticking == static_cast<std::size_t>(angle_start_.size());
  rigid_.resize(count);
  const auto size = static_cast<Eigen::Index>(count);
  if (!same) {
    rigid_friction_ = RigidFriction();
    angle_start_.setZero(size - static_cast<Eigen::Index>(sticking));
    if (size > 0) {
      Eigen::MatrixXd w(2 * size, 2 * size);
      for (Eigen::Index i = 0; i < size; ++i)
        for (Eigen::Index j = 0; j < size; ++j)
          w.block<2, 2>(2 * i, 2 * j) =
              system_.block(rigid_[static_cast<std::size_t>(i)], rigid_[static_cast<std::size_t>(j)])
                  .topLeftCorner<2, 2>();
      rigid_friction_.set(w, static_cast<Eigen::Index>(sticking));
      work_.spend(factoring_work * std::pow(static_cast<double>(count), 3));
      log_.hyperstatic = log_.hyperstatic || rigid_friction_.hyperstatic();
    }
    rigid_b_.setZero(2 * size);
    rigid_bound_.setZero(size);
    rigid_f_.setZero(2 * size);
  }
  for (std::size_t k = sticking; k < count; ++k)
    angle_start_[static_cast<Eigen::Index>(k - sticking)] = state_[rigid_[k]].angle;
}

}  // namespace carom::simultaneous
