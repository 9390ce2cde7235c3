// Simultaneous impact followed in time: smooth pieces by a high-order explicit method, events located between them.
#include <algorithm>
#include <vector>

#include "cubic.hpp"
#include "event_search.hpp"
#include "flow_state.hpp"
#include "rates.hpp"
#include "standstill.hpp"
#include "stepper.hpp"
#include "system.hpp"

namespace carom::simultaneous {

namespace {

using SampledContacts = std::vector<SimultaneousSample::Contact>;

template <int D>
class Flow {
public:
  Flow(const System<D>& system, double tolerance, Work& work, Log& log)
      : system_(system),
        work_(work),
        log_(log),
        limits_(tolerance),
        now_(system.size()),
        rates_(system, limits_, now_, work, log),
        stepper_(system, limits_, now_, rates_, work),
        standstill_(system, limits_, now_, rates_.see, log),
        start_(system.size()),
        end_(system.size()),
        space_(system.size()),
        next_(system.size()),
        compression_(system.size()),
        u_before_(system.size()),
        f_before_(system.size()) {}

  Outcome run();

private:
  using Vector = typename System<D>::Vector;
  static constexpr int n = D - 1;

  void advance();
  void fire();
  void settle();
  void release();
  void update_friction();
  void set_normal(std::size_t c, NormalMode mode, double d) {
    change_normal_mode(now_.modes[c], system_.spring(c), mode, d, c, now_.time, now_.impulse(c), log_);
  }
  void sample(double h) const;
  void fill(SampledContacts& contacts) const;

  const System<D>& system_;
  Work& work_;
  Log& log_;
  Thresholds limits_;
  FlowState<D> now_;
  Rates<D> rates_;
  Stepper<D> stepper_;
  Standstill<D> standstill_;
  Events start_, end_;    // event functions now, and at the end of the step
  SettleSpace<D> space_;  // of settle, like the following
  std::vector<ContactState> next_;
  std::vector<double> compression_;
  typename System<D>::Vectors u_before_, f_before_;
};

template <int D>
Outcome Flow<D>::run() {
  Outcome out;
  rates_.refresh(start_);
  settle();
  rates_.refresh(start_);
  while (now_.any_closed() && out.finished) {
    advance();
    if (is_idle(
            now_.modes, [&](std::size_t c) { return system_.spring(c); },
            [&](std::size_t c) { return rates_.see.u[c][n]; }, [&](std::size_t c) { return now_.compression(c); }) ||
        standstill_.spent())
      release();
    else if (standstill_.jammed())
      break;
    out.finished = work_.left() && !stepper_.lost() && !standstill_.time_stands(stepper_.steps());
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
  if (log_.path != nullptr) sample(length);
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

/// Samples of the step of length h that is about to be taken: compressions by the cubic through its ends, forces by the
/// springs.
template <int D>
void Flow<D>::sample(double h) const {
  const Eigen::VectorXd &y1 = stepper_.y1, &rate1 = stepper_.rate1;
  log_.path->piece(now_.time, now_.time + h, [&](double x, SampledContacts& contacts) {
    for (std::size_t c = 0; c < now_.m; ++c) {
      if (!now_.modes[c].closed()) continue;
      const Eigen::Index i = now_.at_d(c);
      const double d = Cubic{now_.y[i], h * now_.rate[i], y1[i], h * rate1[i]}.at(x);
      SimultaneousSample::Contact& contact = contacts[c];
      contact.compression = std::max(d, 0.0);
      contact.force = system_.spring(c).force(contact.compression);
      contact.normal = now_.modes[c].normal;
      contact.tangent = now_.modes[c].tangent;
      if constexpr (D == 3) {
        const Eigen::Index p = now_.at_p(c);
        contact.friction = (1.0 - x) * now_.rate.template segment<2>(p) + x * rate1.template segment<2>(p);
        const double bound = system_.spring(c).mu * contact.force, size = contact.friction.norm();
        if (size > bound) contact.friction *= bound / size;
      }
    }
  });
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

}  // namespace

Outcome solve_flow(const System<1>& system, double tolerance, Work& work, Log& log) {
  return Flow<1>(system, tolerance, work, log).run();
}
Outcome solve_flow(const System<3>& system, double tolerance, Work& work, Log& log) {
  return Flow<3>(system, tolerance, work, log).run();
}

}  // namespace carom::simultaneous
