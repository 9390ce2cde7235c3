#include "structural_motion.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "carom/core/linear_algebra.hpp"
#include "carom/elastic/rod.hpp"

#include "mode_response.hpp"
#include "panel.hpp"

namespace carom::elastic {

namespace {

using std::size_t;
using std::numbers::pi;

constexpr double length = 0.5;
constexpr int largest_basis = 256;

/// Above the height that vibration can reach by this factor the bottom is safe from the ground.
constexpr double safe_height = 1.01;

/// The force counts as quiet when within this fraction of gamma of its static value gamma/2.
constexpr double quiet = 0.25;

/// Degree that resolves what diffusion leaves standing half a unit after a touch: about 4n is the highest frequency.
int basis_size(double kappa) { return std::min(largest_basis, 32 + static_cast<int>(1.6 * std::sqrt(5.0 / kappa))); }

/// Sum of orthonormal Legendre polynomials on [0, 1/2].
double legendre_sum(const Eigen::VectorXd& c, double x) {
  const double y = 4.0 * x - 1.0;
  double p0 = 1.0, p1 = y, sum = 0.0;
  for (Eigen::Index j = 0; j < c.size(); ++j) {
    const double k = static_cast<double>(j);
    sum += c[j] * std::sqrt((2.0 * k + 1.0) / length) * p0;
    const double p2 = ((2.0 * k + 3.0) * y * p1 - (k + 1.0) * p0) / (k + 2.0);
    p0 = p1, p1 = p2;
  }
  return sum;
}

}  // namespace

StructuralMotion::StructuralMotion(const StructuralRod& rod, const Liftoff& first) : rod_(rod), first_(first) {
  const int n = basis_size(rod.kappa);
  // Strain basis: orthonormal Legendre polynomials on [0, 1/2]; their integrals are combinations of two neighbours.
  integral_ = Eigen::MatrixXd::Zero(n + 1, n);
  for (int j = 0; j < n; ++j) {
    integral_(j + 1, j) = 0.5 * length / std::sqrt((2.0 * j + 1.0) * (2.0 * j + 3.0));
    if (j > 0) integral_(j - 1, j) = -0.5 * length / std::sqrt((2.0 * j + 1.0) * (2.0 * j - 1.0));
  }
  integral_(0, 0) = 0.5 * length;
  const Eigen::VectorXd mean = std::sqrt(length) * integral_.row(0).transpose();
  const auto modes = [&](const Eigen::MatrixXd& b) {
    // The strain basis makes stiffness the identity, so the eigenvalues are 1/a^2 and the low modes come out best.
    const SymmetricEigen eigen = symmetric_eigen(b.transpose() * b);
    return Modes{eigen.vectors, eigen.values.cwiseInverse(), eigen.vectors.transpose() * mean};
  };
  ground_ = modes(integral_);
  air_ = modes(integral_.bottomRows(n));
  State fall{Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(n), 0.0, -rod.mu};
  begin(0.0, true, fall);
  if (!first.bounces) {
    stays_ = true;
    events_.push_back({BottomEvent::rest, 0.0});
  }
}

void StructuralMotion::begin(double t, bool contact, const State& s) {
  const Modes& modes = contact ? ground_ : air_;
  Phase phase;
  phase.start = t, phase.contact = contact;
  phase.offset = modes.shape.transpose() * s.strain;
  phase.rate = modes.shape.transpose() * s.rate;
  phase.reach = 0.0;
  const Eigen::VectorXd mean = std::sqrt(length) * integral_.row(0).transpose();
  if (contact) {
    // The bottom stops; the rest of the rod keeps the velocity field nearest to its own (least kinetic energy lost).
    phase.rate += s.speed * modes.lambda.cwiseProduct(modes.mean);
    phase.offset += rod_.gamma * modes.mean;  // relative to the static strain
  } else {
    phase.centre = {s.speed + mean.dot(s.rate) / length, s.gap + mean.dot(s.strain) / length};
    const double energy =
        0.5 * phase.rate.cwiseAbs2().cwiseQuotient(modes.lambda).sum() + 0.5 * phase.offset.squaredNorm();
    phase.reach = std::sqrt(2.0 * length * energy / 3.0);
  }
  phases_.push_back(std::move(phase));
  searched_ = 0.0, loud_at_ = 0.0;
}

StructuralMotion::Sums StructuralMotion::sums(const Phase& phase, double since) const {
  const Modes& modes = phase.contact ? ground_ : air_;
  Sums s{0.0, 0.0, 0.0, 0.0};
  double reaction = 0.0;
  for (Eigen::Index k = 0; k < modes.lambda.size(); ++k) {
    const double lambda = modes.lambda[k];
    const ModeResponse m = mode_response(rod_.kappa, std::sqrt(lambda), since);
    const double x = phase.offset[k] * (m.hd + 2.0 * rod_.kappa * lambda * m.h) + phase.rate[k] * m.h;
    const double v = phase.rate[k] * m.hd - phase.offset[k] * lambda * m.h;
    const double a = -lambda * (phase.offset[k] * m.hd + phase.rate[k] * m.stress);
    s.mean += modes.mean[k] * x, s.mean_rate += modes.mean[k] * v, reaction += modes.mean[k] * a;
  }
  if (phase.contact) {
    s.mean -= rod_.gamma * modes.mean.squaredNorm();
    s.force = 0.5 * (rod_.gamma + reaction / length);
    if (rod_.strain_only) s.strain0 = strain_on_ground(phase, since);
  }
  return s;
}

StructuralMotion::State StructuralMotion::state(const Phase& phase, double since) const {
  const Modes& modes = phase.contact ? ground_ : air_;
  Eigen::VectorXd x(modes.lambda.size()), v(modes.lambda.size());
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const double lambda = modes.lambda[k];
    const ModeResponse m = mode_response(rod_.kappa, std::sqrt(lambda), since);
    x[k] = phase.offset[k] * (m.hd + 2.0 * rod_.kappa * lambda * m.h) + phase.rate[k] * m.h;
    v[k] = phase.rate[k] * m.hd - phase.offset[k] * lambda * m.h;
  }
  State s;
  if (phase.contact) {
    x -= rod_.gamma * modes.mean;
  } else {
    const CentreOfMass& c = phase.centre;
    s.gap = c.h + c.p * since - 0.5 * rod_.gamma * since * since - modes.mean.dot(x) / length;
    s.speed = c.p - rod_.gamma * since - modes.mean.dot(v) / length;
  }
  s.strain = modes.shape * x, s.rate = modes.shape * v;
  return s;
}

CentreOfMass StructuralMotion::centre_in_air(const Phase& phase, double since) const {
  return {phase.centre.p - rod_.gamma * since,
          phase.centre.h + phase.centre.p * since - 0.5 * rod_.gamma * since * since};
}

double StructuralMotion::gap(const Phase& phase, double since) const {
  return centre_in_air(phase, since).h - sums(phase, since).mean / length;
}

double StructuralMotion::step_at(double since) const {
  // Fronts are sqrt(2 kappa t) wide; with strong damping everything slows down with time.
  const double front = 0.3 * std::sqrt(2.0 * rod_.kappa * std::max(since, 0.05));
  const double slow = rod_.kappa * pi > 1.0 ? 0.08 * since : 0.02;
  return std::max(std::min(front, slow), 1e-3 / (1.0 + rod_.kappa));
}

bool StructuralMotion::run(double limit) {
  const Phase phase = phases_.back();
  if (phases_.size() == 1 && first_.bounces) {
    if (limit < first_.t) return false;
    State s = state(phase, first_.t);
    ++lifts_;
    events_.push_back({BottomEvent::lift, first_.t});
    begin(first_.t, false, s);
    return true;
  }
  // Times from here on are since the start of the phase: after a long flight absolute ones have no digits left.
  const double last = limit - phase.start;
  const auto watched = [&](double since) {
    if (!phase.contact) return gap(phase, since);
    const Sums s = sums(phase, since);
    return rod_.strain_only ? -s.strain0 : s.force;
  };
  double t = searched_;
  // At the start of a flight the gap is zero and of a contact the force has no value: begin a little after.
  // A flight taken up again on its way down, where vibration has died out, is at the ground already.
  if (t == 0.0 && !phase.continued) t += 1e-6 / (1.0 + rod_.kappa);
  double before = t, f = watched(t), f_before = f;
  if (f <= 0.0 && searched_ == 0.0 && !phase.contact) {
    // Below the resolution of a light rod's basis the gap may start with noise: give it a thousandth of a round trip to
    // open.
    const double later = 1e-3 / (1.0 + rod_.kappa), f_later = phase.continued ? f : watched(later);
    if (f_later > 0.0) {
      t = before = later, f = f_before = f_later;
    } else {  // lifted and touched within a microunit: a touch here
      State s = state(phase, t);
      s.gap = 0.0;
      events_.push_back({BottomEvent::touch, phase.start + t});
      begin(phase.start + t, true, s);
      return true;
    }
  }
  while (t < last && settled_at_ < 0.0) {
    if (++steps_ > rod_max_steps) {
      limited_ = true;
      break;
    }
    double next = t + step_at(t);
    if (!phase.contact) {
      // High enough that vibration cannot reach the ground: go on where the centre of mass comes back down.
      if (centre_in_air(phase, t).h > safe_height * phase.reach) {
        const double p = phase.centre.p, g = rod_.gamma;
        if (g == 0.0) {
          if (p >= 0.0) stays_ = true, next = last;
        } else {
          const double fall = std::sqrt(std::max(0.0, p * p - 2.0 * g * (safe_height * phase.reach - phase.centre.h)));
          const double down = (p + fall) / g;
          if (down > rod_longest_time) {
            limited_ = true;
            searched_ = t;
            return false;
          }
          if (down > next && down < last) {
            // The flight goes on from there as a phase of its own.
            State s = state(phase, down);
            begin(phase.start + down, false, s);
            phases_.back().centre = {-fall, safe_height * phase.reach};
            phases_.back().continued = true;
            return true;
          }
          next = std::max(next, std::min(down, last));
        }
        if (stays_ && !std::isfinite(limit)) return false;
      }
      // No gravity and no vibration left.
      if (rod_.gamma == 0.0 && t * std::min(rod_.kappa * 4.0 * pi * pi, 0.5 / rod_.kappa) > 40.0 &&
          phase.centre.p >= 0.0) {
        stays_ = true;
        if (!std::isfinite(limit)) return false;
      }
    }
    const double f_next = watched(next);
    double root = std::numeric_limits<double>::quiet_NaN();
    if (f_next < 0.0) {
      root = falling_root_of(watched, t, next, f, f_next);
    } else if (f < f_before && f < f_next && t > before) {
      const Minimum low = refine_minimum(watched, before, t, next);
      if (low.value < 0.0) root = falling_root_of(watched, before, low.x, f_before, low.value);
    }
    if (!std::isnan(root) && !stays_) {
      State s = state(phase, root);
      s.gap = 0.0;
      if (phase.contact) s.speed = 0.0, ++lifts_;
      events_.push_back({phase.contact ? BottomEvent::lift : BottomEvent::touch, phase.start + root});
      begin(phase.start + root, !phase.contact, s);
      return true;
    }
    if (phase.contact) {
      const double off = std::abs(sums(phase, next).force - 0.5 * rod_.gamma), scale = rod_.mu + rod_.gamma;
      if (off > quiet * rod_.gamma && off > 1e-15 * scale) loud_at_ = next;
      // Every mode only decays: quiet for a full period of the slowest means quiet for good.
      const double period = std::max(2.0, 0.5 / rod_.kappa);
      if (!stays_ && next - loud_at_ > period && next > period) {
        stays_ = true;
        events_.push_back({BottomEvent::rest, phase.start});
        searched_ = next;
        return true;
      }
      const double rate = std::min(rod_.kappa * pi * pi, 0.5 / rod_.kappa);
      if (stays_ && next * rate > 60.0) settled_at_ = phase.start + next;
    }
    before = t, f_before = f, t = next, f = f_next;
  }
  searched_ = t;
  return false;
}

void StructuralMotion::advance(double t) {
  while (settled_at_ < 0.0 && !limited_ && phases_.back().start + searched_ < t) {
    if (stays_ && phases_.size() == 1) break;  // no bounce: the exact modes answer
    if (!run(t)) break;
  }
}

const std::vector<BottomEvent>& StructuralMotion::follow(size_t lifts) {
  while (!stays_ && !limited_ && lifts_ < lifts && run(std::numeric_limits<double>::infinity())) {
  }
  return events_;
}

const StructuralMotion::Phase& StructuralMotion::phase_at(double t) const {
  size_t i = phases_.size() - 1;
  while (i > 0 && phases_[i].start > t) --i;
  return phases_[i];
}

const StructuralMotion::Phase& StructuralMotion::phase_before(double t) const {
  size_t i = phases_.size() - 1;
  while (i > 0 && phases_[i].start >= t) --i;
  return phases_[i];
}

RodTrace StructuralMotion::at(double t) {
  if (t < first_.t || !first_.bounces) {
    // The bottom stops at once; if it was at rest, its weight begins to press as sqrt(t).
    if (t <= 0.0) return {rod_.mu > 0.0 ? std::numeric_limits<double>::infinity() : 0.0, 0.0, {-rod_.mu, 0.0}, true};
    const StructuralState s = structural_state(rod_, t);
    return {rod_.mu * s.k0 + rod_.gamma * s.k1, 0.0, s.centre, true};
  }
  advance(t);
  if (settled_at_ >= 0.0 && t >= settled_at_) return {0.5 * rod_.gamma, 0.0, {0.0, -rod_.gamma / 12.0}, true};
  const Phase& phase = phase_at(t);
  const Sums s = sums(phase, std::max(t - phase.start, 0.0));
  if (phase.contact) {
    RodTrace trace{s.force, 0.0, {s.mean_rate / length, s.mean / length}, true};
    // At the touch itself the polynomial loses the velocity of a sliver at the bottom; the momentum just before is
    // exact.
    if (t == phase.start && phases_.size() > 1) {
      const Phase& air = phase_before(t);
      trace.centre = centre_in_air(air, t - air.start);
    }
    return trace;
  }
  const CentreOfMass now = centre_in_air(phase, t - phase.start);
  return {0.0, std::max(0.0, now.h - s.mean / length), now, false};
}

RodEnergy StructuralMotion::energy(double t) {
  if (t <= 0.0) return {0.5 * rod_.mu * rod_.mu, rod_.mu > 0.0 ? std::numeric_limits<double>::infinity() : 0.0};
  if (t < first_.t || !first_.bounces) {
    const StructuralState s = structural_state(rod_, t);
    return {s.energy, s.loss};
  }
  advance(t);
  if (settled_at_ >= 0.0 && t >= settled_at_) return {-rod_.gamma * rod_.gamma / 24.0, 0.0};
  const Phase& phase = phase_before(t);
  const State s = state(phase, t - phase.start);
  const Eigen::VectorXd velocity = integral_ * s.rate;  // of the strain part, in the orthonormal basis
  Eigen::VectorXd total = velocity;
  total[0] += s.speed * std::sqrt(length);
  const double kinetic = 0.5 * total.squaredNorm(), strain = 0.5 * s.strain.squaredNorm();
  const double height = s.gap + std::sqrt(length) * integral_.row(0).dot(s.strain) / length;
  return {(kinetic + strain) / length + rod_.gamma * height, 2.0 * rod_.kappa * s.rate.squaredNorm() / length};
}

double StructuralMotion::strain_on_ground(const Phase& phase, double since) const {
  const State now = state(phase, since);
  double sum = 0.0;  // P_j(-1) alternates
  for (Eigen::Index j = 0; j < now.strain.size(); ++j)
    sum += (j % 2 ? -1.0 : 1.0) * std::sqrt((2.0 * static_cast<double>(j) + 1.0) / length) * now.strain[j];
  return sum;
}

double StructuralMotion::strain(double t) {
  if (t <= 0.0) return 0.0;
  const auto in_first_contact = [this](double at) {
    const StructuralState s = structural_state(rod_, at);
    return -(rod_.mu * s.strain0 + rod_.gamma * s.strain1);
  };
  if (t < first_.t || !first_.bounces) return in_first_contact(t);
  advance(t);
  if (settled_at_ >= 0.0 && t >= settled_at_) return -0.5 * rod_.gamma;
  size_t i = phases_.size() - 1;
  while (i > 0 && phases_[i].start > t) --i;
  if (phases_[i].contact) return strain_on_ground(phases_[i], t - phases_[i].start);
  // In the air the bottom is free of stress, v_x + 2 kappa v_xt = 0: what strain it left with dies away.
  while (!phases_[i - 1].contact) --i;
  const double lift = phases_[i].start;
  const double left = i == 1 ? in_first_contact(lift) : strain_on_ground(phases_[i - 1], lift - phases_[i - 1].start);
  return left * std::exp(-0.5 * (t - lift) / rod_.kappa) + 0.0;  // not -0
}

double StructuralMotion::evaluate(const Eigen::VectorXd& strain, double bottom, double x) const {
  return bottom + legendre_sum(integral_ * strain, x);
}

double StructuralMotion::velocity(double x, double t) {
  if (t < first_.t || !first_.bounces) return structural_field(rod_, x, t).velocity;
  advance(t);
  if (settled_at_ >= 0.0 && t >= settled_at_) return 0.0;
  const Phase& phase = phase_at(t);
  const State s = state(phase, t - phase.start);
  return evaluate(s.rate, s.speed, x);
}

double StructuralMotion::strain_rate(double x, double t) {
  if (t < first_.t || !first_.bounces) return structural_field(rod_, x, t).strain_rate;
  advance(t);
  if (settled_at_ >= 0.0 && t >= settled_at_) return 0.0;
  const Phase& phase = phase_at(t);
  return legendre_sum(state(phase, t - phase.start).rate, x);
}

double StructuralMotion::displacement(double x, double t) {
  if (t < first_.t || !first_.bounces) return structural_field(rod_, x, t).displacement;
  advance(t);
  if (settled_at_ >= 0.0 && t >= settled_at_) return -0.5 * rod_.gamma * x * (1.0 - x);
  const Phase& phase = phase_at(t);
  const State s = state(phase, t - phase.start);
  return evaluate(s.strain, s.gap, x);
}

}  // namespace carom::elastic
