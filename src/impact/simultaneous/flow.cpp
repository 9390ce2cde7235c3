#include "flow.hpp"

#include <algorithm>
#include <limits>

namespace carom::simultaneous {

SimultaneousSample::Contact FlowPiece::at(double x, const Spring& spring) const {
  SimultaneousSample::Contact contact;
  if (normal == NormalMode::open) return contact;
  contact.compression = std::max(compression.at(x), 0.0);
  contact.force = spring.force(contact.compression);
  contact.normal = normal;
  contact.tangent = tangent;
  contact.friction = (1.0 - x) * friction_before + x * friction_after;
  const double bound = spring.mu * contact.force, size = contact.friction.norm();
  if (size > bound) contact.friction *= bound / size;
  return contact;
}

template <int D>
Flow<D>::Flow(const System<D>& system, const Thresholds& limits, Work& work, Log& log)
    : system_(system),
      work_(work),
      log_(log),
      limits_(limits),
      now_(system.size()),
      rates_(system, limits_, now_, work, log),
      stepper_(system, limits_, now_, rates_, work),
      start_(system.size()),
      end_(system.size()),
      space_(system.size()),
      next_(system.size()),
      compression_(system.size()),
      u_before_(system.size()),
      f_before_(system.size()) {}

template <int D>
void Flow<D>::start() {
  rates_.refresh(start_);
  settle();
  rates_.refresh(start_);
}

template <int D>
Activity Flow<D>::activity(std::size_t c) const {
  if (!now_.modes[c].closed()) return {};
  const Spring& s = system_.spring(c);
  const Vector &u = rates_.see.u[c], &a = rates_.see.a[c];
  const double stored = s.energy(std::max(now_.compression(c), 0.0));
  return {std::max(u.cwiseAbs().maxCoeff(), a.cwiseAbs().maxCoeff()), stored,
          std::abs(u[n]) <= idle_speed && stored <= idle_speed * idle_speed};
}

template <int D>
FlowContact<D> Flow<D>::contact(std::size_t c) const {
  FlowContact<D> contact;
  contact.impulse = now_.y.template segment<D>(now_.at_p(c));
  contact.compression = now_.compression(c);
  contact.mode = now_.modes[c];
  if constexpr (D == 3) {
    contact.friction = now_.y.template segment<2>(now_.at_f(c));
    contact.work = now_.y[now_.at_work(c)];
    contact.slip = rates_.friction.slip_start(c);
  }
  return contact;
}

template <int D>
void Flow<D>::set_contact(std::size_t c, const FlowContact<D>& contact) {
  now_.y.template segment<D>(now_.at_p(c)) = contact.impulse;
  now_.y[now_.at_d(c)] = contact.compression;
  now_.modes[c] = contact.mode;
  if constexpr (D == 3) {
    now_.y.template segment<2>(now_.at_f(c)) = contact.friction;
    now_.y[now_.at_work(c)] = contact.work;
    rates_.friction.set_slip_start(c, contact.slip);
  }
}

/// A time nearer than so many steps of the clock has come: steps so short would not be told from none.
constexpr double clock_steps = 4.0;

template <int D>
bool Flow<D>::run_between(double from, double to) {
  taken_.ends.clear();
  taken_.pieces.clear();
  now_.time = from;
  rates_.refresh(start_);
  Standstill standstill(limits_, D == 3, 0.0, now_.m, log_);
  const std::size_t begun = stepper_.steps();
  const double least = clock_steps * std::numeric_limits<double>::epsilon() * to;
  for (double left = to - from; left > least && !stepper_.lost() && work_.left(); left = to - now_.time) {
    stepper_.set_end(left);
    advance();
    if (standstill.time_stands(now_.time - from, stepper_.steps() - begun)) return false;
  }
  return !stepper_.lost();
}

template <int D>
Outcome Flow<D>::run() {
  Outcome out;
  Standstill standstill(limits_, D == 3, system_.slowest_swing(), now_.m, log_);
  start();
  while (now_.any_closed() && out.finished) {
    advance();
    Activity all;
    for (std::size_t c = 0; c < now_.m; ++c) all.add(activity(c));
    if (standstill.spent(now_.time, all))
      release();
    else if (standstill.jammed(now_.time, all))
      break;
    out.finished = work_.left() && !stepper_.lost() && !standstill.time_stands(now_.time, stepper_.steps());
  }
  if (log_.path != nullptr) log_.path->end(now_.time, [this](SampledContacts& contacts) { fill(contacts); });
  out.finished = !now_.any_closed();
  for (std::size_t c = 0; c < now_.m; ++c) {
    out.impulse.push_back(now_.impulse(c));
    out.friction_work.push_back(D == 3 ? now_.y[now_.at_work(c)] : 0.0);
    out.residual += energy_held(now_.modes[c], system_.spring(c), now_.compression(c));
  }
  out.overflow = stepper_.lost();
  out.state = now_.modes;
  out.steps = stepper_.steps();
  return out;
}

template <int D>
void Flow<D>::release() {
  for (std::size_t c = 0; c < now_.m; ++c) set_normal(c, NormalMode::open, now_.compression(c));
}

template <int D>
void Flow<D>::advance() {
  const auto [length, event] = stepper_.take(start_, end_);
  if (stepper_.lost()) return;
  sample(length);
  now_.y.swap(stepper_.y1);
  now_.rate.swap(stepper_.rate1);
  std::swap(start_, end_);
  now_.time += length;
  if (event) {
    fire();
    if (log_.path != nullptr) log_.path->event(now_.time, [this](SampledContacts& contacts) { fill(contacts); });
  } else {
    update_friction();
  }
}

template <int D>
void Flow<D>::fire() {
  if constexpr (D == 3) rates_.friction.begin_event(start_);
  for (std::size_t c = 0; c < now_.m; ++c) {
    if constexpr (D == 3)
      if (now_.modes[c].closed()) rates_.friction.fire(c, start_);
    const std::size_t i = Events::slots * c + 1;
    if (start_.active[i] && start_.value[i] <= rates_.arrival(i, start_.rate[i])) {
      now_.y[now_.at_d(c)] = 0.0;
      set_normal(c, NormalMode::open, 0.0);
      if constexpr (D == 3) rates_.friction.set_tangent(c, TangentMode::none);
    }
  }
  if constexpr (D == 3)
    if (rates_.friction.any_stopped()) {
      rates_.at(now_.y, now_.rate.data());  // forces without those of the contacts at rest
      rates_.friction.decide_stopped();
    }
  rates_.refresh(start_);
  settle();
  rates_.refresh(start_);
  update_friction();
}

template <int D>
void Flow<D>::update_friction() {
  if constexpr (D == 3) {
    const Friction::Renew renew = rates_.friction.update();
    if (renew == Friction::Renew::all) return rates_.refresh(start_);
    if (renew == Friction::Renew::rates) rates_.at(now_.y, now_.rate.data());
    rates_.evaluate(now_.y, now_.rate, start_);
  }
}

/// Normal modes for the present velocities; contacts that close get their friction mode.
template <int D>
void Flow<D>::settle() {
  next_ = now_.modes;
  for (std::size_t c = 0; c < now_.m; ++c) compression_[c] = now_.compression(c);
  if constexpr (D == 3) rates_.friction.begin_settle();
  u_before_ = rates_.see.u;
  f_before_ = rates_.see.f;
  settle_normals(
      system_, u_before_, compression_, f_before_, next_, space_,
      [&](std::size_t c, Vector& lead, const Vector& motion, bool fresh) {
        if constexpr (D == 3) rates_.friction.start(c, lead, motion, fresh);
      },
      [&](LeadingForces<D>& lead, double order) {
        if constexpr (D == 3) rates_.friction.start_level(lead, order);
      });
  for (std::size_t c = 0; c < now_.m; ++c) {
    set_normal(c, next_[c].normal, compression_[c]);
    if constexpr (D == 3) {
      rates_.friction.record_start(c);
      if (!now_.modes[c].closed()) rates_.friction.set_tangent(c, TangentMode::none);
    }
  }
}

/// A contact in the step of length h that is about to be taken.
template <int D>
FlowPiece Flow<D>::piece(std::size_t c, double h) const {
  FlowPiece piece;
  piece.normal = now_.modes[c].normal;
  if (piece.normal == NormalMode::open) return piece;
  const Eigen::VectorXd &y1 = stepper_.y1, &rate1 = stepper_.rate1;
  const Eigen::Index i = now_.at_d(c);
  piece.compression = {now_.y[i], h * now_.rate[i], y1[i], h * rate1[i]};
  piece.tangent = now_.modes[c].tangent;
  if constexpr (D == 3) {
    piece.friction_before = now_.rate.template segment<2>(now_.at_p(c));
    piece.friction_after = rate1.template segment<2>(now_.at_p(c));
  }
  return piece;
}

template <int D>
void Flow<D>::sample(double h) {
  if (log_.path != nullptr)
    log_.path->piece(now_.time, now_.time + h, [&](double x, SampledContacts& contacts) {
      for (std::size_t c = 0; c < now_.m; ++c) contacts[c] = piece(c, h).at(x, system_.spring(c));
    });
  if (!keep_steps_) return;
  taken_.ends.push_back(now_.time + h);
  for (std::size_t c = 0; c < now_.m; ++c) taken_.pieces.push_back(piece(c, h));
}

/// The state now.
template <int D>
void Flow<D>::fill(SampledContacts& contacts) const {
  for (std::size_t c = 0; c < now_.m; ++c) {
    if (!now_.modes[c].closed()) continue;
    const Eigen::Index p = now_.at_p(c);
    Eigen::Vector2d friction = Eigen::Vector2d::Zero();
    if constexpr (D == 3) friction = now_.rate.template segment<2>(p);
    contacts[c] = {now_.rate[p + n], now_.compression(c), friction, now_.modes[c].normal, now_.modes[c].tangent};
  }
}

template class Flow<1>;
template class Flow<3>;

namespace {

template <int D>
Outcome solve(const System<D>& system, double tolerance, Work& work, Log& log) {
  const Thresholds limits(tolerance);
  return Flow<D>(system, limits, work, log).run();
}

}  // namespace

Outcome solve_flow(const System<1>& system, double tolerance, Work& work, Log& log) {
  return solve(system, tolerance, work, log);
}
Outcome solve_flow(const System<3>& system, double tolerance, Work& work, Log& log) {
  return solve(system, tolerance, work, log);
}

}  // namespace carom::simultaneous
