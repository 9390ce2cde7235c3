#include "friction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plane.hpp"
#include "tuning.hpp"

namespace carom::simultaneous {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Friction::Friction(const System<3>& system, const Thresholds& limits, FlowState<3>& now, Evaluation<3>& see, Work& work,
                   Log& log)
    : system_(system),
      limits_(limits),
      now_(now),
      see_(see),
      work_(work),
      log_(log),
      slip_speed_(now.m, 0.0),
      slip_axis_(now.m, Eigen::Vector2d::Zero()),
      just_closed_(now.m, 0),
      level_force_(now.m),
      level_answer_(now.m),
      f_rate_(now.m),
      a_rate_(now.m),
      lag_error_(now.m) {
  for (std::vector<std::size_t>* list : {&stopped_, &still_, &rigid_}) list->reserve(now.m);
}

/// Direction of rigid slip, continued past its end with the side it had: u/|u|, but where little is left of the speed
/// the step began with, the angle to the direction then is not allowed to grow further. At the very end of slip u/|u|
/// is all rounding, and a stage of the method there would be as wrong as can be.
Eigen::Vector2d Friction::slip_direction(std::size_t c, const Eigen::Vector2d& u) const {
  const double along = u.dot(slip_axis_[c]), aside = u.dot(across(slip_axis_[c]));
  const double left = slip_remainder * slip_speed_[c];
  if (along > left) return u / u.norm();
  if (along < -left) return -u / u.norm();
  if (!(left > 0.0)) return slip_axis_[c];
  return (slip_axis_[c] * left + (along < 0.0 ? -aside : aside) * across(slip_axis_[c])).normalized();
}

Eigen::Vector2d Friction::force(std::size_t c, const Eigen::VectorXd& y, double normal, double d_rate,
                                double* rate) const {
  const Spring& s = system_.spring(c);
  const Eigen::Vector2d u = see_.u[c].head<2>();
  const double d = y[now_.at_d(c)];
  if (s.eta2 == 0.0) {
    if (now_.modes[c].tangent != TangentMode::slip) return Eigen::Vector2d::Zero();  // added by rigid_forces
    return -s.mu * normal * slip_direction(c, u);
  }
  if (now_.modes[c].tangent == TangentMode::stick) {
    const Eigen::Vector2d f = y.segment<2>(now_.at_f(c));
    Eigen::Vector2d change = -s.slope(d) / s.eta2 * u;
    if (s.hertz() && d_rate < 0.0 && d > 0.0) change += (s.p - 1.0) * d_rate / d * f;
    rate[now_.at_f(c)] = change[0];
    rate[now_.at_f(c) + 1] = change[1];
    return f;
  }
  if (now_.modes[c].slaved) {
    const double speed = u.norm();
    return speed > 0.0 ? (-s.mu * normal / speed * u).eval() : (s.mu * normal * direction(now_.modes[c].angle)).eval();
  }
  const Eigen::Vector2d e = direction(y[now_.at_f(c)]);
  if (d > 0.0) rate[now_.at_f(c)] = -s.p / (s.mu * s.eta2 * d) * u.dot(across(e));
  return s.mu * normal * e;
}

void Friction::complete_forces(const Eigen::VectorXd& y) {
  if (!rigid_friction_.empty()) rigid_forces();
  if (any_slaved_) lag_slaved_directions(y);
}

/// Forces of the rigid contacts that stick or creep, all at once.
void Friction::rigid_forces() {
  see_.respond(see_.f, rigid_, see_.a);
  for (std::size_t k = 0; k < rigid_.size(); ++k) {
    const std::size_t c = rigid_[k];
    const auto i = static_cast<Eigen::Index>(k);
    rigid_b_.segment<2>(2 * i) = see_.a[c].head<2>();
    rigid_bound_[i] = system_.spring(c).mu * std::max(see_.f[c][2], 0.0);
  }
  // Always from the angles at the step's beginning: a trial stage beyond the end of a piece may have led them astray.
  angle_ = angle_start_;
  work_.spend(rigid_friction_.solve(rigid_b_, rigid_bound_, angle_, rigid_f_));
  for (std::size_t k = 0; k < rigid_.size(); ++k)
    see_.f[rigid_[k]].head<2>() = rigid_f_.segment<2>(2 * static_cast<Eigen::Index>(k));
}

/// The acceleration along the friction force with which a creeping contact is pulled back, beyond doubt.
double Friction::creep_room(std::size_t c) const {
  return creep_margin * see_.f[c][2] + creep_roundings * rounding * see_.mobility[c] * see_.push;
}

/// Tangential springs with next to no force are left alone; rigid contacts are not, their modes shape the
/// accelerations.
bool Friction::matters(std::size_t c, const Eigen::VectorXd& y) const {
  const Spring& s = system_.spring(c);
  if (s.mu == 0.0 || s.eta2 == 0.0) return s.mu > 0.0;
  const double negligible = negligible_force * limits_.tolerance / std::max(1.0, see_.mobility[c] * see_.mobility[c]);
  return s.mu * s.force(y[now_.at_d(c)]) > negligible ||
         (now_.modes[c].tangent == TangentMode::stick && y.segment<2>(now_.at_f(c)).norm() > negligible);
}

void Friction::note_push() {
  see_.push = 0.0;
  for (const std::size_t c : see_.closed)
    see_.push = std::max(see_.push, see_.mobility[c] * see_.f[c].cwiseAbs().maxCoeff());
}

void Friction::evaluate(std::size_t c, const Eigen::VectorXd& y, const Eigen::VectorXd& rate, Events& events) const {
  if (!matters(c, y)) return;
  const Spring& s = system_.spring(c);
  const std::size_t i = Events::slots * c + 2;
  const double d = y[now_.at_d(c)], d_rate = rate[now_.at_d(c)], force = s.force(d);
  const Eigen::Vector2d u = see_.u[c].head<2>(), a = see_.a[c].head<2>();
  const TangentMode mode = now_.modes[c].tangent;
  events.active[i] = 1;
  if (mode == TangentMode::stick) {
    const Eigen::Vector2d f = see_.f[c].head<2>();
    const double bound = s.mu * force;
    // Where the force to be held vanishes too, as in planes of symmetry, only rounding would let go.
    events.active[i] = f.norm() > negligible_force * limits_.tolerance ? 1 : 0;
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
        2.0 * (f.dot(rate.segment<2>(now_.at_f(c))) / (bound * bound) - used * s.slope(d) * d_rate / force);
    events.rate[i] = s.eta2 > 0.0 ? -4.0 * growth / ((1.0 + used) * (1.0 + used)) : unknown;
  } else if (s.eta2 > 0.0) {
    // Speed at which the tip of the springs slides.
    const double part = d_rate < 0.0 ? 1.0 / s.p : 1.0;
    const double d_acceleration = now_.modes[c].normal == NormalMode::unloading ? -see_.a[c][2] / s.e2 : -see_.a[c][2];
    const Eigen::Vector2d e = see_.f[c].head<2>().normalized();
    const double turn = now_.modes[c].slaved ? cross(u, a) / u.squaredNorm() : rate[now_.at_f(c)];
    events.value[i] = -u.dot(e) - s.mu * s.eta2 * part * d_rate + friction_margin;
    events.rate[i] = -a.dot(e) - turn * u.dot(across(e)) - s.mu * s.eta2 * part * d_acceleration;
  } else if (mode == TangentMode::slip) {
    events.value[i] = u.dot(slip_axis_[c]) - limits_.no_slip;
    events.rate[i] = a.dot(slip_axis_[c]);
  } else if (now_.modes[c].stopping) {  // at rest, or fast again
    const Eigen::Vector2d e = see_.f[c].head<2>().normalized();
    events.value[i] = -u.dot(e) - limits_.no_slip;
    events.rate[i] = -a.dot(e);
    events.value[i + 1] = limits_.slip + u.dot(e);
    events.rate[i + 1] = a.dot(e);
    events.active[i + 1] = 1;
  } else {  // creep: fast enough to slide, or pulled back
    const Eigen::Vector2d e = see_.f[c].head<2>().normalized();
    events.value[i] = limits_.slip + u.dot(e);
    events.rate[i] = a.dot(e);
    events.value[i + 1] = 2.0 * creep_room(c) - a.dot(e);
    events.rate[i + 1] = unknown;
    // A force that is nothing holds nothing either: the mode waits until there is one.
    events.active[i + 1] = s.mu * force > negligible_force * limits_.tolerance ? 1 : 0;
  }
}

void Friction::set_tangent(std::size_t c, TangentMode mode) {
  now_.modes[c].tangent = mode;
  now_.modes[c].slaved = now_.modes[c].stopping = false;
  if (mode == TangentMode::none) now_.y.segment<2>(now_.at_f(c)).setZero();
}

double Friction::arrival(std::size_t k, double rate) const {
  const std::size_t c = k / Events::slots, slot = k % Events::slots;
  const ContactState& state = now_.modes[c];
  // The speed at which creep is called slip is nothing physical.
  if (state.tangent == TangentMode::creep && slot == (state.stopping ? 3 : 2)) return 0.1 * limits_.slip;
  if (!std::isfinite(rate) && state.tangent == TangentMode::stick) return friction_margin;
  if (!std::isfinite(rate) && state.tangent == TangentMode::creep) return creep_room(c);
  if (!std::isfinite(rate)) return 0.0;
  if (is_rigid(c) && state.tangent == TangentMode::slip && slot == 2) return slip_arrival * limits_.no_slip;
  return event_time * std::max(1.0, std::abs(rate)) * 1e-3;
}

void Friction::begin_event(const Events& at) {
  stopped_.clear();
  let_go_ = false;
  for (std::size_t c = 0; c < now_.m; ++c) {
    const std::size_t i = Events::slots * c + 2;
    let_go_ = let_go_ || (now_.modes[c].tangent == TangentMode::stick && is_rigid(c) && at.active[i] &&
                          at.value[i] <= friction_margin);
  }
}

/// Changes of friction mode whose event function has arrived at zero.
void Friction::fire(std::size_t c, const Events& at) {
  const Spring& s = system_.spring(c);
  if (!(s.mu > 0.0)) return;
  const std::size_t i = Events::slots * c + 2;
  const TangentMode mode = now_.modes[c].tangent;
  const auto arrived = [&](std::size_t k) {
    if (!at.active[k]) return false;
    const double rate = at.rate[k];
    if (at.value[k] <= 0.0) return true;
    if (mode == TangentMode::creep || (mode == TangentMode::slip && s.eta2 == 0.0))
      return at.value[k] <= arrival(k, rate);
    if (std::isfinite(rate)) return rate < 0.0 && at.value[k] <= event_time * std::max(1e-3, -rate);
    if (mode != TangentMode::stick || !let_go_) return false;
    const double unsure = mirror_roundings * rounding * see_.push / (see_.mobility[c] * see_.f[c][2]);
    return at.value[k] <= std::clamp(unsure, mirror_margin, largest_mirror_margin);
  };
  if (s.eta2 > 0.0) {
    if (!arrived(i)) return;
    if (mode == TangentMode::stick) {
      const double angle = angle_of(now_.y.segment<2>(now_.at_f(c)));
      set_tangent(c, TangentMode::slip);
      now_.y.segment<2>(now_.at_f(c)) << angle, 0.0;
      now_.modes[c].angle = angle;
      record(EventType::stick_ends, c);
    } else {
      const Eigen::Vector2d f = see_.f[c].head<2>();
      set_tangent(c, TangentMode::stick);
      now_.y.segment<2>(now_.at_f(c)) = f;
      record(EventType::slip_ends, c);
    }
    return;
  }
  if (mode == TangentMode::stick && arrived(i)) {
    now_.modes[c].angle = angle_of(see_.f[c].head<2>());
    set_tangent(c, TangentMode::creep);
    record(EventType::stick_ends, c);
  } else if (mode == TangentMode::slip && arrived(i) && see_.u[c].head<2>().norm() <= limits_.slip) {
    stopped_.push_back(c);
    record(EventType::slip_ends, c);
  } else if (mode == TangentMode::creep && now_.modes[c].stopping && arrived(i)) {
    stopped_.push_back(c);
    record(EventType::slip_ends, c);
  } else if (mode == TangentMode::creep && arrived(now_.modes[c].stopping ? i + 1 : i)) {
    set_tangent(c, TangentMode::slip);
    slip_axis_[c] = see_.u[c].head<2>().normalized();
    slip_speed_[c] = see_.u[c].head<2>().norm();
  } else if (mode == TangentMode::creep && !now_.modes[c].stopping && arrived(i + 1)) {
    set_tangent(c, TangentMode::stick);
    record(EventType::slip_ends, c);
  }
}

/// Contacts whose slip has just ended: do they hold? They and all others that do not slide are looked at together.
bool Friction::any_stopped() {
  if (stopped_.empty()) return false;
  for (const std::size_t c : stopped_) set_tangent(c, TangentMode::stick);
  still_.clear();
  for (std::size_t c = 0; c < now_.m; ++c)
    if (is_rigid(c) && (now_.modes[c].tangent == TangentMode::stick || now_.modes[c].tangent == TangentMode::creep))
      still_.push_back(c);
  rigid_friction_.clear();
  return true;
}

/// The convex problem over all that do not slide, by the forces of the others.
void Friction::decide_stopped() {
  see_.respond(see_.f, still_, see_.a);
  const auto size = static_cast<Eigen::Index>(still_.size());
  Eigen::VectorXd b(2 * size), radius(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const std::size_t c = still_[static_cast<std::size_t>(i)];
    b.segment<2>(2 * i) = see_.a[c].head<2>();
    radius[i] = system_.spring(c).mu * std::max(see_.f[c][2], 0.0);
  }
  double visits = 0.0;
  const Eigen::VectorXd f = least_slip_forces(system_, still_, b, radius, visits);
  work_.spend(sweep_work * visits);
  for (Eigen::Index i = 0; i < size; ++i) {
    const std::size_t c = still_[static_cast<std::size_t>(i)];
    if (std::find(stopped_.begin(), stopped_.end(), c) == stopped_.end()) continue;
    if (f.segment<2>(2 * i).norm() < radius[i] * (1.0 - boundary_margin)) continue;
    set_tangent(c, TangentMode::creep);
    now_.modes[c].angle = angle_of(f.segment<2>(2 * i));
    record(EventType::slip_resumes, c);
  }
}

/// Friction of a contact that starts to press with force ~ coefficient: by its velocity, or, at rest, its acceleration.
void Friction::start(std::size_t c, Vector& force, const Vector& motion, bool fresh) {
  const Spring& s = system_.spring(c);
  if (!(s.mu > 0.0)) return;
  just_closed_[c] = fresh ? 1 : 0;
  const Eigen::Vector2d t = motion.head<2>();
  const double speed = t.norm(), approach = std::abs(motion[2]);
  set_tangent(c, TangentMode::stick);
  now_.y.segment<2>(now_.at_f(c)).setZero();
  if (s.eta2 > 0.0) {
    if (speed <= s.mu * s.eta2 * approach) {
      force.head<2>() = -force[2] / (s.eta2 * approach) * t;
      return;
    }
  } else if (see_.u[c].head<2>().norm() <= limits_.no_slip) {
    now_.modes[c].angle = unknown;  // decided with the others of its order, by start_level
    return;
  }
  set_tangent(c, TangentMode::slip);
  now_.modes[c].slaved = s.eta2 > 0.0;
  now_.modes[c].angle = angle_of(-t);
  slip_axis_[c] = t / speed;
  slip_speed_[c] = see_.u[c].head<2>().norm();
  force.head<2>() = -s.mu * force[2] * slip_axis_[c];
}

/// Rigid contacts without slip that start to press as t^order (all that are left for an infinite order).
void Friction::start_level(LeadingForces<3>& lead, double order) {
  for (;;) {
    double level = std::numeric_limits<double>::infinity();
    const auto pending = [&](std::size_t c) {
      return now_.modes[c].tangent == TangentMode::stick && is_rigid(c) && std::isnan(now_.modes[c].angle);
    };
    for (std::size_t c = 0; c < now_.m; ++c)
      if (pending(c) && lead.order[c] <= order) level = std::min(level, lead.order[c]);
    if (std::isinf(level)) return;
    // Accelerations of lower order are too strong for these forces: the contact creeps against them.
    Vectors& force = level_force_;
    Vectors& answer = level_answer_;
    double lower = -1.0;
    const auto respond = [&](double at) {
      double largest = 0.0;
      for (std::size_t c = 0; c < now_.m; ++c) {
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
      for (std::size_t c = 0; c < now_.m; ++c) {
        const Eigen::Vector2d a = answer[c].head<2>();
        if (lead.order[c] != level || !pending(c) || a.norm() <= cancellation * largest) continue;
        now_.modes[c].tangent = TangentMode::creep;
        now_.modes[c].angle = angle_of(-a);
        lead.coefficient[c].head<2>() = -system_.spring(c).mu * lead.coefficient[c][2] * a.normalized();
      }
      lower = next;
    }
    std::vector<std::size_t> group;
    for (std::size_t c = 0; c < now_.m; ++c)
      if (lead.order[c] == level && pending(c)) group.push_back(c);
    if (group.empty()) continue;
    respond(level);
    const auto size = static_cast<Eigen::Index>(group.size());
    Eigen::VectorXd b(2 * size), radius(size);
    for (Eigen::Index i = 0; i < size; ++i) {
      const std::size_t c = group[static_cast<std::size_t>(i)];
      b.segment<2>(2 * i) = answer[c].head<2>();
      radius[i] = system_.spring(c).mu * force[c][2];
    }
    double visits = 0.0;
    const Eigen::VectorXd f = least_slip_forces(system_, group, b, radius, visits);
    work_.spend(sweep_work * visits);
    for (Eigen::Index i = 0; i < size; ++i) {
      const std::size_t c = group[static_cast<std::size_t>(i)];
      lead.coefficient[c].head<2>() = f.segment<2>(2 * i);
      now_.modes[c].angle = angle_of(f.segment<2>(2 * i));
      if (f.segment<2>(2 * i).norm() >= radius[i] * (1.0 - boundary_margin)) now_.modes[c].tangent = TangentMode::creep;
    }
  }
}

void Friction::record_start(std::size_t c) {
  if (just_closed_[c])
    record(now_.modes[c].tangent == TangentMode::stick ? EventType::start_stick : EventType::start_slip, c);
}

/// Which contacts the joint friction solver answers for. Its matrices change with the contacts only.
void Friction::rebuild() {
  any_slaved_ = std::any_of(now_.modes.begin(), now_.modes.end(), [](const ContactState& s) { return s.slaved; });
  std::size_t count = 0, sticking = 0;
  bool same = !rigid_friction_.empty();
  for (const TangentMode mode : {TangentMode::stick, TangentMode::creep}) {
    for (std::size_t c = 0; c < now_.m; ++c) {
      if (!is_rigid(c) || !now_.modes[c].closed() || now_.modes[c].tangent != mode) continue;
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
    rigid_friction_.clear();
    angle_start_.setZero(size - static_cast<Eigen::Index>(sticking));
    if (size > 0) {
      work_.spend(rigid_friction_.set(system_, rigid_, sticking));
      log_.hyperstatic = log_.hyperstatic || rigid_friction_.hyperstatic();
    }
    rigid_b_.setZero(2 * size);
    rigid_bound_.setZero(size);
    rigid_f_.setZero(2 * size);
  }
  for (std::size_t k = sticking; k < count; ++k)
    angle_start_[static_cast<Eigen::Index>(k - sticking)] = now_.modes[rigid_[k]].angle;
}

}  // namespace carom::simultaneous
