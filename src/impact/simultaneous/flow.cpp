#include "flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cubic.hpp"
#include "tuning.hpp"

namespace carom::simultaneous {

template <int D>
Flow<D>::Flow(const System<D>& system, double tolerance, Work& work, Log& log)
    : system_(system),
      work_(work),
      log_(log),
      m_(system.size()),
      tolerance_(tolerance),
      zero_slip_(std::max(zero_slip, zero_slip_tolerances * tolerance)),
      stopping_speed_(std::max(stopping_speed, stopping_tolerances * tolerance)),
      slip_threshold_(std::max(slip_threshold, stopping_exit * stopping_speed_)),
      jam_speed_(std::max(jam_speed, jam_tolerances * tolerance)),
      swing_(system.slowest_swing()),
      method_(static_cast<Eigen::Index>((D == 3 ? D + 4 : D + 1) * m_)),
      state_(m_),
      slip_speed_(m_, 0.0),
      slip_axis_(m_, Eigen::Vector2d::Zero()),
      just_closed_(m_, 0),
      space_(m_),
      next_(m_),
      compression_(m_),
      u_before_(m_),
      f_before_(m_),
      level_force_(D == 3 ? m_ : 0),
      level_answer_(D == 3 ? m_ : 0),
      resting_(system.at_rest()),
      motion_(resting_),
      pushed_(resting_),
      u_(m_),
      a_(m_),
      f_(m_),
      f_rate_(D == 3 ? m_ : 0),
      a_rate_(D == 3 ? m_ : 0),
      lag_error_(D == 3 ? m_ : 0) {
  const auto size = static_cast<Eigen::Index>((D == 3 ? D + 4 : D + 1) * m_);
  for (Eigen::VectorXd* v : {&y_, &rate_, &y1_, &rate1_, &weight_, &known_.y, &known_.rate}) v->setZero(size);
  for (Eigen::VectorXd& v : short_) v.setZero(size);
  for (std::size_t c = 0; c < m_; ++c) {
    own_.push_back(system.block(c, c).diagonal());
    mobility_.push_back(std::sqrt(own_.back().maxCoeff()));
  }
  stopped_.reserve(m_);
  for (std::vector<std::size_t>* list : {&rigid_, &closed_, &open_}) list->reserve(m_);
  for (Events* e : {&start_, &end_, &low_, &high_}) {
    e->value.assign(slots * m_, 0.0);
    e->rate.assign(slots * m_, 0.0);
    e->active.assign(slots * m_, 0);
  }
}

template <int D>
bool Flow<D>::any_closed() const {
  return std::any_of(state_.begin(), state_.end(), [](const ContactState& s) { return s.closed(); });
}

/// The largest velocity or acceleration of the pressing contacts, and the largest energy in their springs.
template <int D>
std::pair<double, double> Flow<D>::motion_and_energy() const {
  double motion = 0.0, stored = 0.0;
  for (std::size_t c = 0; c < m_; ++c) {
    if (!state_[c].closed()) continue;
    motion = std::max({motion, u_[c].cwiseAbs().maxCoeff(), a_[c].cwiseAbs().maxCoeff()});
    stored = std::max(stored, system_.spring(c).energy(std::max(y_[at_d(c)], 0.0)));
  }
  return {motion, stored};
}

/// Nothing moves, and the springs hold less than the ledger can see.
template <int D>
bool Flow<D>::spent() const {
  const auto [motion, stored] = motion_and_energy();
  return motion <= idle_speed && stored <= jam_speed * jam_speed;
}

/// Friction holds the springs compressed and nothing moves: a wedge that does not let go. (One that still does, ever
/// more slowly, has no more energy in its springs than in its motion.)
template <int D>
bool Flow<D>::jammed() {
  const auto [motion, stored] = motion_and_energy();
  if (!(motion <= drift_speed && stored > drift_speed)) slow_since_ = time_;
  for (; told_ < log_.events.size(); ++told_)
    if (const EventType type = log_.events[told_].type;
        type != EventType::compression_ends && type != EventType::recompression_begins)
      unchanged_since_ = time_;
  if constexpr (D == 1) return false;
  if (time_ - slow_since_ > drift_swings * swing_ || time_ - unchanged_since_ > unchanged_swings * swing_) return true;
  return motion <= jam_speed_ && stored > (motion <= idle_speed ? jam_speed * jam_speed : jam_speed_);
}

template <int D>
bool Flow<D>::stands_still() {
  if (steps_ < window_steps_ + standstill_steps + 10 * m_) return false;
  const bool still = time_ < window_time_ + standstill_time;
  window_steps_ = steps_;
  window_time_ = time_;
  return still;
}

template <int D>
void Flow<D>::release() {
  for (std::size_t c = 0; c < m_; ++c)
    change_normal_mode(state_[c], system_.spring(c), NormalMode::open, y_[at_d(c)], c, time_, impulse(c), log_);
}

template <int D>
Outcome Flow<D>::run() {
  Outcome out;
  refresh();
  settle();
  refresh();
  while (any_closed() && out.finished) {
    advance();
    if (is_idle(
            state_, [&](std::size_t c) { return system_.spring(c); }, [&](std::size_t c) { return u_[c][n]; },
            [&](std::size_t c) { return y_[at_d(c)]; }) ||
        spent())
      release();
    else if (jammed())
      break;
    out.finished = work_.left() && !lost_ && !stands_still();
  }
  if (log_.path != nullptr) log_.path->end(time_, [this](auto& contacts) { fill(contacts); });
  out.finished = !any_closed();
  for (std::size_t c = 0; c < m_; ++c) {
    out.impulse.push_back(impulse(c));
    out.friction_work.push_back(D == 3 ? y_[at_work(c)] : 0.0);
    out.residual += energy_held(state_[c], system_.spring(c), y_[at_d(c)]);
  }
  out.overflow = lost_;
  out.state = state_;
  out.steps = steps_;
  return out;
}

template <int D>
Eigen::Vector3d Flow<D>::impulse(std::size_t c) const {
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  p.tail<D>() = y_.segment<D>(static_cast<Eigen::Index>(D * c));
  return p;
}

/// Derivative of the state in the present modes. Every piece is continued smoothly past its end, so that a step may
/// overshoot an event before it is located.
template <int D>
void Flow<D>::rate_of(const Eigen::VectorXd& y, double* rate) const {
  motion_ = resting_;
  system_.push(closed_, y.data(), motion_);
  system_.observe(closed_, motion_, u_[0].data(), system_.initial()[0].data());
  std::fill(rate, rate + y.size(), 0.0);
  for (const std::size_t c : closed_) {
    f_[c].setZero();
    if (!state_[c].closed()) continue;  // opened in the present event
    const Spring& s = system_.spring(c);
    const double d = y[at_d(c)], force = s.force(d);
    const double d_rate = state_[c].normal == NormalMode::unloading ? -u_[c][n] / s.e2 : -u_[c][n];
    rate[at_d(c)] = d_rate;
    f_[c][n] = force;
    if constexpr (D == 3)
      if (s.mu > 0.0) f_[c].template head<2>() = friction_rate(c, y, force, d_rate, rate);
  }
  if constexpr (D == 3)
    if (!rigid_friction_.empty()) rigid_forces();
  if constexpr (D == 3)
    if (any_slaved_) lag_slaved_directions(y);
  for (const std::size_t c : closed_) {
    if (!state_[c].closed()) continue;
    Eigen::Map<Vector>(rate + D * c) = f_[c];
    if constexpr (D == 3) rate[at_work(c)] = -f_[c].template head<2>().dot(u_[c].template head<2>());
  }
}

/// Accelerations of some contacts by forces of those that press.
template <int D>
void Flow<D>::respond(const Vectors& force, const std::vector<std::size_t>& contacts, Vectors& answer) const {
  for (auto& z : pushed_) z.setZero();
  system_.push(closed_, force[0].data(), pushed_);
  system_.observe(contacts, pushed_, answer[0].data());
}

/// Which contacts press: between events the others have no forces, and their impulses stay.
template <int D>
void Flow<D>::rebuild_closed() {
  closed_.clear();
  open_.clear();
  for (std::size_t c = 0; c < m_; ++c) (state_[c].closed() ? closed_ : open_).push_back(c);
  for (const std::size_t c : open_) f_[c].setZero();
  for (auto& z : resting_) z.setZero();
  system_.push(open_, y_.data(), resting_);
}

/// Derivatives, accelerations and event functions at the present state.
template <int D>
void Flow<D>::refresh() {
  rebuild_closed();
  rebuild_rigid();
  rate_of(y_, rate_.data());
  evaluate(y_, rate_, start_);
}

/// Accelerations and event functions at the state y of the last rate_of.
template <int D>
void Flow<D>::evaluate(const Eigen::VectorXd& y, const Eigen::VectorXd& rate, Events& events) const {
  system_.observe(open_, motion_, u_[0].data(), system_.initial()[0].data());
  respond(f_, closed_, a_);
  system_.observe(open_, pushed_, a_[0].data());
  std::fill(events.active.begin(), events.active.end(), char{0});
  if constexpr (D == 3) {
    push_ = 0.0;
    for (const std::size_t c : closed_) push_ = std::max(push_, mobility_[c] * f_[c].cwiseAbs().maxCoeff());
  }
  for (std::size_t c = 0; c < m_; ++c) {
    const std::size_t i = slots * c;
    const double sign = state_[c].normal == NormalMode::loading ? -1.0 : 1.0;
    events.value[i] = sign * u_[c][n] + flow_event_level;
    events.rate[i] = sign * a_[c][n];
    events.active[i] = 1;
    if (state_[c].normal == NormalMode::unloading) {
      events.value[i + 1] = y[at_d(c)];
      events.rate[i + 1] = rate[at_d(c)];
      events.active[i + 1] = 1;
    }
    if constexpr (D == 3)
      if (state_[c].closed() && friction_matters(c, y)) evaluate_friction(c, y, rate, events);
  }
}

/// Tangential springs with next to no force are left alone; rigid contacts are not, their modes shape the
/// accelerations.
template <int D>
bool Flow<D>::friction_matters(std::size_t c, const Eigen::VectorXd& y) const {
  const Spring& s = system_.spring(c);
  if (s.mu == 0.0 || s.eta2 == 0.0) return s.mu > 0.0;
  const double negligible = negligible_force * tolerance_ / std::max(1.0, mobility_[c] * mobility_[c]);
  return s.mu * s.force(y[at_d(c)]) > negligible ||
         (state_[c].tangent == TangentMode::stick && y.segment<2>(at_f(c)).norm() > negligible);
}

/// The rounding of u = u0 + W P, of a contact whose own inverse inertia is one: between bodies of very unlike mass, W P
/// is a small difference of large numbers.
template <int D>
double Flow<D>::velocity_rounding() const {
  double largest = 1.0;
  for (std::size_t c = 0; c < m_; ++c)
    largest = std::max(largest, mobility_[c] * y_.segment<D>(static_cast<Eigen::Index>(D * c)).cwiseAbs().maxCoeff());
  return rounding * largest;
}

/// No error is asked to be below the rounding of what it is an error of: no step would be short enough.
template <int D>
void Flow<D>::set_weights() {
  const double tol = local_tolerance * tolerance_, unsure = velocity_rounding();
  const auto at = [&](Eigen::Index i) { return rounding * std::abs(y_[i]); };
  for (std::size_t c = 0; c < m_; ++c) {
    const Spring& s = system_.spring(c);
    const double u_rounding = unsure * mobility_[c];
    for (int i = 0; i < D; ++i) {
      const Eigen::Index k = static_cast<Eigen::Index>(D * c) + i;
      weight_[k] = own_[c][i] / (tol + own_[c][i] * at(k));
    }
    const double unit = std::pow(s.k, 1.0 / (s.p + 1.0));
    weight_[at_d(c)] = unit / (tol + unit * (at(at_d(c)) + h_ * u_rounding));
    if constexpr (D == 3) {
      const bool angle = s.eta2 > 0.0 && state_[c].tangent == TangentMode::slip;
      // An error of the direction counts as much as the force it turns.
      const double bound = s.mu * s.force(y_[at_d(c)]);
      weight_.segment<2>(at_f(c)).setConstant(angle ? (bound + tol) / tol
                                                    : 1.0 / (tol + rounding * y_.segment<2>(at_f(c)).norm()));
      weight_[at_work(c)] = 1.0 / (tol + at(at_work(c)) + h_ * bound * u_rounding);
    }
  }
}

/// The longest step worth trying, and whether it ends short of an opening. At the opening of a Hertz contact the force
/// has no smooth end: steps towards it must shrink with the time left, until what is left of the impulse is so little
/// that a step may run over the end.
template <int D>
std::pair<double, bool> Flow<D>::longest_step() const {
  double longest = std::numeric_limits<double>::infinity();
  bool towards = false;
  for (std::size_t c = 0; c < m_; ++c) {
    const double d = y_[at_d(c)], opening = -rate_[at_d(c)];
    const Spring& s = system_.spring(c);
    if (!s.hertz() || state_[c].normal != NormalMode::unloading || !(d > 0.0) || !(opening > 0.0)) continue;
    const double left = d / opening, impulse = s.force(d) * left / (s.p + 1.0);
    const bool short_of = run_over_error * impulse * weight_[static_cast<Eigen::Index>(D * c) + n] > 1.0;
    const double length = (short_of ? opening_share_ : run_over) * left;
    if (length < longest) {
      longest = length;
      towards = short_of;
    }
  }
  return {std::max(longest, shortest_step), towards};
}

/// A step within the tolerance from the present state, without regard to events. Returns its length and its error.
template <int D>
std::pair<double, double> Flow<D>::try_step() {
  double h = 0.0, error = 0.0;
  do {
    set_weights();
    for (;;) {
      const auto [longest, towards] = longest_step();
      h = std::min(h_, longest);
      error = method_.step([this](const Eigen::VectorXd& at, double* out) { rate_of(at, out); }, y_, rate_, h, y1_,
                           weight_);
      ++steps_;
      work_.spend(step_overhead + static_cast<double>(m_));
      const double factor = std::isfinite(error) ? Dop853::factor(error) : 0.2;
      const bool shortened = towards && h < h_;
      if (shortened) opening_share_ = std::min(opening_share_ * factor, largest_opening_share);
      lost_ = !std::isfinite(error);
      if (error <= 1.0 || h <= shortest_step || (!work_.left() && !lost_)) break;
      if (!shortened) h_ = std::max(h * factor, shortest_step);
    }
    rate_of(y1_, rate1_.data());
    evaluate(y1_, rate1_, end_);
  } while (release_lagging());
  piece_error_ = error;
  return {h, error};
}

template <int D>
void Flow<D>::advance() {
  double used;
  bool event;
  for (;;) {
    const auto [h, error] = try_step();
    if (lost_) return;
    used = h;
    event = locate(used);
    // After an event the step goes on as before; one that was not allowed its full length says nothing against it.
    if (!event) h_ = std::max(h < h_ ? h_ : 0.0, h * Dop853::factor(error));
    // A force like d^1.5 has no smooth end: the piece up to the event may be worse than the step that ran over it.
    if (!event || piece_error_ <= 1.0 || used <= shortest_step || !work_.left()) break;
    h_ = std::max(used * Dop853::factor(piece_error_), shortest_step);
  }
  if (log_.path != nullptr) sample(used);
  y_.swap(y1_);
  rate_.swap(rate1_);
  std::swap(start_, end_);
  time_ += used;
  if (event) {
    fire();
    if (log_.path != nullptr) log_.path->event(time_, [this](auto& contacts) { fill(contacts); });
  } else if constexpr (D == 3) {
    update_slaving();
  }
}

template <int D>
void Flow<D>::fire() {
  stopped_.clear();
  let_go_ = false;
  for (std::size_t c = 0; c < m_; ++c)
    let_go_ = let_go_ || (state_[c].tangent == TangentMode::stick && is_rigid(c) && start_.active[slots * c + 2] &&
                          start_.value[slots * c + 2] <= friction_margin);
  for (std::size_t c = 0; c < m_; ++c) {
    if constexpr (D == 3)
      if (state_[c].closed() && system_.spring(c).mu > 0.0) fire_friction(c);
    const std::size_t i = slots * c + 1;
    if (start_.active[i] && start_.value[i] <= arrival(i, start_.rate[i])) {
      y_[at_d(c)] = 0.0;
      change_normal_mode(state_[c], system_.spring(c), NormalMode::open, 0.0, c, time_, impulse(c), log_);
      if constexpr (D == 3) set_tangent(c, TangentMode::none);
    }
  }
  if constexpr (D == 3) decide_stopped();
  refresh();
  settle();
  refresh();
  if constexpr (D == 3) update_slaving();
}

/// Normal modes for the present velocities; contacts that close get their friction mode.
template <int D>
void Flow<D>::settle() {
  next_ = state_;
  for (std::size_t c = 0; c < m_; ++c) compression_[c] = y_[at_d(c)];
  std::fill(just_closed_.begin(), just_closed_.end(), char{0});
  u_before_ = u_;
  f_before_ = f_;
  settle_normals(
      system_, u_before_, compression_, f_before_, next_, space_,
      [&](std::size_t c, Vector& lead, const Vector& motion, bool fresh) {
        if constexpr (D == 3) start_friction(c, lead, motion, fresh);
      },
      [&](LeadingForces<D>& lead, double order) {
        if constexpr (D == 3) level_friction(lead, order);
      });
  for (std::size_t c = 0; c < m_; ++c) {
    change_normal_mode(state_[c], system_.spring(c), next_[c].normal, compression_[c], c, time_, impulse(c), log_);
    if constexpr (D == 3) {
      if (just_closed_[c])
        record(state_[c].tangent == TangentMode::stick ? EventType::start_stick : EventType::start_slip, c);
      if (!state_[c].closed()) set_tangent(c, TangentMode::none);
    }
  }
}

/// Samples of the step of length h from y_ to y1_: compressions by the cubic through its ends, forces by the springs.
template <int D>
void Flow<D>::sample(double h) const {
  log_.path->piece(time_, time_ + h, [&](double x, std::vector<SimultaneousSample::Contact>& contacts) {
    for (std::size_t c = 0; c < m_; ++c) {
      if (!state_[c].closed()) continue;
      const Eigen::Index i = at_d(c);
      const double d = Cubic{y_[i], h * rate_[i], y1_[i], h * rate1_[i]}.at(x);
      SimultaneousSample::Contact& contact = contacts[c];
      contact.compression = std::max(d, 0.0);
      contact.force = system_.spring(c).force(contact.compression);
      contact.normal = state_[c].normal;
      contact.tangent = state_[c].tangent;
      if constexpr (D == 3) {
        const auto k = static_cast<Eigen::Index>(3 * c);
        contact.friction = (1.0 - x) * rate_.segment<2>(k) + x * rate1_.segment<2>(k);
        const double bound = system_.spring(c).mu * contact.force, size = contact.friction.norm();
        if (size > bound) contact.friction *= bound / size;
      }
    }
  });
}

/// The state now.
template <int D>
void Flow<D>::fill(std::vector<SimultaneousSample::Contact>& contacts) const {
  for (std::size_t c = 0; c < m_; ++c) {
    if (!state_[c].closed()) continue;
    Eigen::Vector2d friction = Eigen::Vector2d::Zero();
    if constexpr (D == 3) friction = rate_.segment<2>(static_cast<Eigen::Index>(3 * c));
    contacts[c] = {rate_[static_cast<Eigen::Index>(D * c) + n], y_[at_d(c)], friction, state_[c].normal,
                   state_[c].tangent};
  }
}

template <>
bool Flow<1>::release_lagging() {
  return false;
}

template <int D>
void Flow<D>::rebuild_rigid() {
  if constexpr (D == 3) rebuild_rigid_friction();
}

template class Flow<1>;
template class Flow<3>;

Outcome solve_flow(const System<1>& system, double tolerance, Work& work, Log& log) {
  return Flow<1>(system, tolerance, work, log).run();
}
Outcome solve_flow(const System<3>& system, double tolerance, Work& work, Log& log) {
  return Flow<3>(system, tolerance, work, log).run();
}

}  // namespace carom::simultaneous
