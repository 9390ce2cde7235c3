#include "viscous_motion.hpp"

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "carom/elastic/rod.hpp"

#include "sideways_kernel.hpp"

namespace carom::elastic {

namespace {

using std::size_t;

/// Panels are never longer: keeps the order of the polynomials at 18 or below for every rho < 4.
constexpr double longest_panel = 0.5;

/// Panels seen as one from afar: that many, no longer than that.
constexpr size_t panels_per_block = 16;
constexpr double longest_block = 0.25;

/// Rounding of the contact force, relative to the scale of the impact.
constexpr double force_noise = 4e-15;

/// The contact force this close to static (relative) is static: what is left is the noise of the march.
constexpr double settled_fraction = 1e-13;

}  // namespace

int ViscousMotion::order_for(double length) const {
  if (rod_.rho == 0.0) return 2;  // u and N are linear between breakpoints
  // The traces contain e^{-2 rho t}; Chebyshev coefficients fall like (rho len/2)^n / n!.
  const double y = 0.5 * rod_.rho * length;
  double bound = 2.0;
  int n = 0;
  while (n < 2 || (bound > 1e-17 && n < order_limit)) bound *= y / ++n;
  return n;
}

ViscousMotion::ViscousMotion(const ViscousRod& rod, const Liftoff& first) : rod_(rod), first_(first) {
  // Before the touch: uniform fall, continued backwards in time with both ends free.
  double gap_end = 0.0;
  for (double a : {-0.5, -1.0}) {
    Panel panel{};
    panel.a = a, panel.len = 0.5, panel.contact = false, panel.order = order_for(0.5);
    const GaussRule& rule = gauss_rule(panel.order);
    for (size_t i = 0; i < static_cast<size_t>(panel.order); ++i) {
      const double s = a + 0.5 * rule.x[i];
      panel.value[i] = -rod.mu * std::exp(-2.0 * rod.rho * s) - rod.gamma * drag_time(rod.rho, s);
    }
    panel.gap_start = gap_end - 0.5 * rule.integrate(panel.value, 1.0);
    for (size_t i = 0; i < static_cast<size_t>(panel.order); ++i) {
      panel.gap[i] = panel.gap_start;
      for (size_t j = 0; j < static_cast<size_t>(panel.order); ++j)
        panel.gap[i] += 0.5 * rule.integral[i][j] * panel.value[j];
    }
    gap_end = panel.gap_start;
    panels_.insert(panels_.begin(), panel);
  }
}

ViscousMotion::Panel ViscousMotion::solve(double a, double b, bool contact) const {
  const double rho = rod_.rho, rho2 = rho * rho;
  Panel panel{};
  panel.a = a, panel.len = b - a, panel.contact = contact, panel.order = order_for(b - a);
  const GaussRule& rule = gauss_rule(panel.order);
  const auto n = static_cast<size_t>(panel.order);
  const double len = panel.len;

  // Kernels of the force and of the bottom's velocity at a given lag (viscous_motion.hpp).
  struct Pair {
    double force, speed;
  };
  const auto kernel = [&](double lag) {
    const BesselPair j = bessel_pair(0.25 * rho2 * lag * (1.0 - lag));
    const double decay = std::exp(-rho * lag), strain = decay * rho2 * j.j1_over_z;
    return Pair{0.5 * strain, decay * rho * j.j0 - strain * (0.5 - lag)};
  };

  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, order_limit, 1>;
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, order_limit, order_limit>;
  Vector rhs(panel.order);
  Matrix self = Matrix::Identity(panel.order, panel.order);
  const Panel& old = panels_[back_];
  const GaussRule& old_rule = gauss_rule(old.order);
  const double load = rod_.gamma * std::exp(-0.5 * rho);
  for (size_t i = 0; i < n; ++i) {
    const double t = a + len * rule.x[i], start = std::clamp((t - 1.0 - old.a) / old.len, 0.0, 1.0);
    double d = std::exp(-rho) * old_rule.interpolate(old.value, start) - load;
    if (rho > 0.0) {
      gather(t - 1.0, a, [&](double u, double force, double speed) {
        const Pair k = kernel(t - u);
        d -= k.force * force + k.speed * speed;
      });
      for (size_t q = 0; q < n; ++q) {
        const Pair k = kernel(len * rule.x[i] * (1.0 - rule.x[q]));
        const double weight = len * rule.x[i] * rule.weight[q] * (contact ? -k.force : k.speed);
        for (size_t j = 0; j < n; ++j)
          self(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) += weight * rule.basis[i][q][j];
      }
    }
    rhs(static_cast<Eigen::Index>(i)) = contact ? -d : d;
  }
  const Vector solution = rho > 0.0 ? Vector(self.partialPivLu().solve(rhs)) : rhs;
  for (size_t i = 0; i < n; ++i) panel.value[i] = solution(static_cast<Eigen::Index>(i));

  const Panel& last = panels_.back();
  panel.centre = first_contact_ && last.a < 0.0 ? CentreOfMass{-rod_.mu, 0.0} : carry(last, last.len);
  panel.gap_start = contact ? 0.0 : std::max(0.0, last.contact ? 0.0 : gap(last, last.end()));
  for (size_t i = 0; i < n && !contact; ++i) {
    panel.gap[i] = panel.gap_start;
    for (size_t j = 0; j < n; ++j) panel.gap[i] += len * rule.integral[i][j] * panel.value[j];
  }
  return panel;
}

CentreOfMass ViscousMotion::carry(const Panel& panel, double length) const {
  const GaussRule& rule = gauss_rule(panel.order);
  const double rho = rod_.rho;
  // Free flight in closed form, then the push of the ground by variation of constants.
  CentreOfMass to = free_flight(rod_, panel.centre, length);
  if (!panel.contact) return to;
  for (size_t q = 0; q < static_cast<size_t>(rule.n); ++q) {
    const double back = length * (1.0 - rule.x[q]), reach = drag_time(rho, back);
    const double push = 2.0 * length * rule.weight[q] * rule.interpolate(panel.value, length / panel.len * rule.x[q]);
    to.p += push * (1.0 - 2.0 * rho * reach), to.h += push * reach;
  }
  return to;
}

void ViscousMotion::commit(Panel panel, double length) {
  if (length < panel.len) {  // cut at an event: the same polynomials on the shorter interval
    Panel cut = panel;
    cut.len = length, cut.order = order_for(length);
    const GaussRule &from = gauss_rule(panel.order), &to = gauss_rule(cut.order);
    for (size_t i = 0; i < static_cast<size_t>(cut.order); ++i) {
      const double x = to.x[i] * length / panel.len;
      cut.value[i] = from.interpolate(panel.value, x);
      cut.gap[i] = panel.contact ? 0.0 : panel.gap_start + panel.len * from.integrate(panel.value, x);
    }
    panel = cut;
  }
  panels_.push_back(panel);
  if (rod_.rho > 0.0) gather_block();
}

void ViscousMotion::gather_block() {
  if (end() - panels_[run_first_].a > longest_block) {
    run_first_ = panels_.size();  // few panels here: no need
    return;
  }
  if (panels_.size() - run_first_ < panels_per_block) return;
  Block block{};
  block.count = panels_.size() - run_first_, block.a = panels_[run_first_].a, block.len = end() - block.a;
  block.order = std::min(order_limit, order_for(block.len) + 1);
  const GaussRule& to = gauss_rule(block.order);
  for (size_t k = run_first_; k < panels_.size(); ++k) {
    const Panel& p = panels_[k];
    const GaussRule& from = gauss_rule(p.order);
    for (size_t q = 0; q < static_cast<size_t>(p.order); ++q) {
      double basis[max_order];
      to.lagrange((p.a + p.len * from.x[q] - block.a) / block.len, basis);
      for (size_t i = 0; i < static_cast<size_t>(block.order); ++i)
        (p.contact ? block.force : block.speed)[i] += p.len * from.weight[q] * p.value[q] * basis[i];
    }
  }
  panels_[run_first_].block = static_cast<int>(blocks_.size());
  blocks_.push_back(block);
  run_first_ = panels_.size();
}

template <class Add>
void ViscousMotion::gather(double low, double high, const Add& add) const {
  for (size_t k = find(low); k < panels_.size() && panels_[k].a < high;) {
    const Panel& p = panels_[k];
    if (p.block >= 0 && p.a >= low) {
      const Block& block = blocks_[static_cast<size_t>(p.block)];
      if (block.end() <= high) {
        const GaussRule& rule = gauss_rule(block.order);
        for (size_t q = 0; q < static_cast<size_t>(block.order); ++q)
          add(block.a + block.len * rule.x[q], block.force[q], block.speed[q]);
        k += block.count;
        continue;
      }
    }
    ++k;
    const GaussRule& rule = gauss_rule(p.order);
    const bool whole = p.a >= low && p.end() <= high;
    const double from = std::max(p.a, low), to = std::min(p.end(), high);
    for (size_t q = 0; q < static_cast<size_t>(p.order) && to > from; ++q) {
      const double s = from + (to - from) * rule.x[q];
      const double part = (to - from) * rule.weight[q] * (whole ? p.value[q] : value(p, s));
      add(s, p.contact ? part : 0.0, p.contact ? 0.0 : part);
    }
  }
}

void ViscousMotion::step() {
  const double a = end(), tiny = same_time * (1.0 + a);
  while (panels_[back_].end() <= a - 1.0 + tiny) ++back_;
  if (panels_.size() >= rod_max_panels) {
    limited_ = true;
    return;
  }
  if (!contact_ && flies_long()) return;
  double b = std::min(panels_[back_].end() + 1.0, a + longest_panel);
  const bool scripted = first_contact_ && contact_;
  if (scripted && first_.bounces) {
    if (first_.t <= a + tiny) {
      contact_ = false, first_contact_ = false, since_ = a, next_look_ = 1.0, ++lifts_;
      events_.push_back({BottomEvent::lift, first_.t});
      return;
    }
    b = std::min(b, first_.t);
  }
  const Panel panel = solve(a, b, contact_);
  const GaussRule& rule = gauss_rule(panel.order);
  if (contact_) {
    if (!scripted) {
      const auto force = [&](double x) { return rule.interpolate(panel.value, x); };
      // A force that only grazes zero (it does, exactly, in the undamped rod) must not be taken for a lift by rounding.
      const double noise = force_noise * (rod_.mu + rod_.gamma), start = force(0.0);
      const auto clear = [&](double y) { return force(y) + noise; };
      double cleared[order_limit];
      for (size_t i = 0; i < static_cast<size_t>(panel.order); ++i) cleared[i] = panel.value[i] + noise;
      double x = start < -noise ? 0.0 : first_negative(clear, rule, cleared, start + noise, clear(1.0));
      if (!std::isnan(x) && x > 0.0) {  // the zero itself lies just before
        constexpr double back = 1e-5;
        const double low = std::max(0.0, x - back), high = std::min(1.0, x + back), f_low = force(low),
                     f_high = force(high);
        if (f_low > 0.0 && f_high < 0.0) x = falling_root_of(force, low, high, f_low, f_high);
      }
      if (held_) x = std::numeric_limits<double>::quiet_NaN();
      held_ = false;
      if (!std::isnan(x)) {
        if (x * panel.len > tiny) commit(panel, x * panel.len);
        contact_ = false, since_ = end(), next_look_ = 1.0, ++lifts_;
        events_.push_back({BottomEvent::lift, since_});
        return;
      }
    }
    commit(panel, panel.len);
    watch_rest();
    return;
  }
  // The gap; just after lift-off, where it starts from zero, the gap over the time since: same sign, no root at the
  // start.
  const bool fresh = panel.gap_start == 0.0;
  const double start = fresh ? panel.len * rule.interpolate(panel.value, 0.0) : panel.gap_start;
  const auto height = [&](double y) {
    if (y == 0.0) return start;
    const double w = panel.gap_start + panel.len * rule.integrate(panel.value, y);
    return fresh ? w / y : w;
  };
  double heights[order_limit];
  for (size_t i = 0; i < static_cast<size_t>(panel.order); ++i)
    heights[i] = fresh ? panel.gap[i] / rule.x[i] : panel.gap[i];
  const double x = first_negative(height, rule, heights, start, height(1.0));
  if (std::isnan(x)) {
    commit(panel, panel.len);
    watch_escape();
    return;
  }
  if (x * panel.len > tiny) commit(panel, x * panel.len);
  contact_ = true;
  if (end() <= since_ + tiny) {  // lifted and touched in one instant: it never left
    events_.pop_back(), --lifts_;
    held_ = true;
    since_ = events_.empty() ? 0.0 : events_.back().t;
    return;
  }
  since_ = end();
  events_.push_back({BottomEvent::touch, since_});
}

void ViscousMotion::watch_rest() {
  // On the ground, the deviation from the static state obeys a maximum principle for its Riemann invariants, and one
  // unit of contact force bounds them all up to e^rho: once that is below the static force gamma/2, the ground never
  // has to pull.
  const double now = end();
  if (now - since_ < 1.0 || (first_contact_ && first_.bounces)) return;
  double largest = 0.0;
  for (size_t k = panels_.size(); k-- > 0 && panels_[k].end() > now - 1.0;)
    for (size_t i = 0; i < static_cast<size_t>(panels_[k].order); ++i)
      largest = std::max(largest, std::abs(panels_[k].value[i] - 0.5 * rod_.gamma));
  largest *= std::exp(rod_.rho);
  const double scale = rod_.mu + rod_.gamma;
  if (!stays_ && (first_contact_ || largest < 0.49 * rod_.gamma || largest < 1e-16 * scale)) {
    stays_ = true;
    events_.push_back({BottomEvent::rest, since_});
  }
  if (largest < settled_fraction * (rod_.gamma > 0.0 ? rod_.gamma : scale)) settled_ = true, settled_at_ = now;
}

void ViscousMotion::watch_escape() {
  // Without gravity the rod may never come back: once vibration is gone, or the centre of mass is higher than vibration
  // can reach.
  if (rod_.gamma > 0.0) return;
  const double now = end(), flown = now - since_;
  if (flown < 1.0) return;
  const Panel& last = panels_.back();
  const CentreOfMass c = carry(last, last.len);
  // Nothing left to vibrate (an undamped rod without gravity leaves in one piece): from here on a closed form.
  if (rod_.rho * flown > 45.0 || rod_.rho == 0.0) settled_ = true, settled_at_ = now;
  if (rod_.rho * flown > 40.0 || (c.p > 0.0 && rod_.rho == 0.0 && gap(last, now) > 0.0)) stays_ = true;
  // |z(0)| <= sqrt(L/3) |z_x| <= sqrt(2 e_z / 3)/2 with e_z the vibration energy per length, at most what was there at
  // impact.
  if (c.p > 0.0 && c.h > 0.5 * std::sqrt(rod_.mu * rod_.mu / 3.0)) stays_ = true;
}

void ViscousMotion::advance(double t) {
  while (!settled_ && !limited_ && !long_flight_ && end() < t) step();
}

const std::vector<BottomEvent>& ViscousMotion::follow(size_t lifts) {
  while (!settled_ && !stays_ && !limited_ && !long_flight_ && lifts_ < lifts) step();
  return events_;
}

size_t ViscousMotion::find(double t) const {
  const auto it = std::upper_bound(panels_.begin(), panels_.end(), t, [](double s, const Panel& p) { return s < p.a; });
  return it == panels_.begin() ? 0 : static_cast<size_t>(it - panels_.begin() - 1);
}

double ViscousMotion::value(const Panel& panel, double t) const {
  return gauss_rule(panel.order).interpolate(panel.value, std::clamp((t - panel.a) / panel.len, 0.0, 1.0));
}

double ViscousMotion::gap(const Panel& panel, double t) const {
  if (panel.contact) return 0.0;
  const double x = std::clamp((t - panel.a) / panel.len, 0.0, 1.0);
  return panel.gap_start + panel.len * gauss_rule(panel.order).integrate(panel.value, x);
}

RodTrace ViscousMotion::at(double t) {
  advance(t + 1e-9);
  if (settled_ && t > settled_at_) {
    if (contact_) return {0.5 * rod_.gamma, 0.0, {0.0, -rod_.gamma / 12.0}, true};
    const CentreOfMass c = carry(panels_.back(), t - panels_.back().a);
    return {0.0, c.h, c, false};
  }
  const Panel& panel = panels_[find(t)];
  return {panel.contact ? value(panel, t) : 0.0, gap(panel, t), carry(panel, std::min(t - panel.a, panel.len)),
          panel.contact};
}

ViscousMotion::Velocity ViscousMotion::field(double x, double t) const {
  // The wave equation read from the bottom up: v_t and v_x at (x, t) from u and N over [t - x, t + x].
  const double rho = rod_.rho, rho2 = rho * rho, low = t - x, high = t + x;
  const Panel &first = panels_[find(low)], &last = panels_[find(high)];
  const double up = std::exp(rho * x), down = 1.0 / up;
  const double v_high = up * value(last, high), v_low = down * value(first, low);
  Velocity sum{0.0, 2.0 * rod_.gamma * x};
  sum.vt += (last.contact ? -v_high : v_high) + v_low;
  sum.vx += (last.contact ? -v_high : v_high) - v_low;
  if (rho > 0.0) {
    gather(low, high, [&](double s, double force, double speed) {
      const double late = s - t, decay = std::exp(rho * late);
      const BesselPair j = bessel_pair(0.25 * rho2 * (x - late) * (x + late));
      const double bulk = decay * rho * j.j0, strain = decay * rho2 * j.j1_over_z;
      sum.vt += force * (bulk + late * strain) - speed * x * strain;
      sum.vx += force * x * strain + speed * (bulk - late * strain);
    });
  }
  return {0.5 * sum.vt, 0.5 * sum.vx};
}

ViscousMotion::Sums ViscousMotion::along(double t) const {
  std::vector<double> cuts{0.0, 0.5};
  for (size_t k = find(t - 0.5); k < panels_.size() && panels_[k].a < t + 0.5; ++k) {
    const double x = std::abs(panels_[k].a - t);
    if (x > 0.0 && x < 0.5) cuts.push_back(x);
  }
  std::sort(cuts.begin(), cuts.end());
  Sums sum;
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    const double from = cuts[i], len = cuts[i + 1] - from;
    const GaussRule& rule = gauss_rule(order_for(2.0 * len) + 1);
    for (size_t q = 0; q < static_cast<size_t>(rule.n) && len > 0.0; ++q) {
      const double x = from + len * rule.x[q];
      const Velocity v = field(x, t);
      sum.energy += len * rule.weight[q] * (v.vt * v.vt + v.vx * v.vx);
      sum.kinetic += len * rule.weight[q] * v.vt * v.vt;
      sum.sag += len * rule.weight[q] * (1.0 - 2.0 * x) * v.vx;
    }
  }
  return sum;
}

RodEnergy ViscousMotion::energy(double t) {
  if (rod_.rho == 0.0) return {0.5 * rod_.mu * rod_.mu, 0.0};
  advance(t + 0.5 + 1e-9);
  if (settled_ && t + 0.5 >= settled_at_) {
    const double p = at(t).centre.p;
    return contact_ ? RodEnergy{-rod_.gamma * rod_.gamma / 24.0, 0.0} : RodEnergy{0.5 * p * p, 2.0 * rod_.rho * p * p};
  }
  const Sums sum = along(t);
  return {sum.energy + rod_.gamma * at(t).centre.h, 4.0 * rod_.rho * sum.kinetic};
}

double ViscousMotion::velocity(double x, double t) {
  advance(t + x + 1e-9);
  if (settled_ && t + x >= settled_at_) return contact_ ? 0.0 : at(t).centre.p;
  return field(x, t).vt;
}

double ViscousMotion::displacement(double x, double t) {
  advance(t + x + 1e-9);
  const double rho = rod_.rho, rho2 = rho * rho, low = t - x, high = t + x;
  if (settled_ && high >= settled_at_) return contact_ ? -0.5 * rod_.gamma * x * (1.0 - x) : at(t).centre.h;
  double sum = std::exp(rho * x) * gap(panels_[find(high)], high) + std::exp(-rho * x) * gap(panels_[find(low)], low);
  for (size_t k = find(low); k < panels_.size() && panels_[k].a < high; ++k) {
    const Panel& p = panels_[k];
    const GaussRule& rule = gauss_rule(p.order);
    const double from = std::max(p.a, low), to = std::min(p.end(), high);
    if (p.contact) {
      for (size_t q = 0; q < static_cast<size_t>(p.order) && to > from; ++q) {
        const double s = from + (to - from) * rule.x[q];
        const BesselPair j = bessel_pair(0.25 * rho2 * (x - s + t) * (x + s - t));
        sum -= (to - from) * rule.weight[q] * std::exp(rho * (s - t)) * j.j0 * value(p, s);
      }
    } else if (rho > 0.0) {
      for (size_t q = 0; q < static_cast<size_t>(p.order) && to > from; ++q) {
        const double s = from + (to - from) * rule.x[q];
        const BesselPair j = bessel_pair(0.25 * rho2 * (x - s + t) * (x + s - t));
        sum -= (to - from) * rule.weight[q] * std::exp(rho * (s - t)) * rho2 * x * j.j1_over_z * gap(p, s);
      }
    }
  }
  return 0.5 * (rod_.gamma * x * x + sum);
}

}  // namespace carom::elastic
