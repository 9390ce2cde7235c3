#include "carom/elastic/rod.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "carom/core/error.hpp"

#include "overdamped_contact.hpp"
#include "structural_contact.hpp"
#include "structural_motion.hpp"
#include "viscous_contact.hpp"
#include "viscous_motion.hpp"

namespace carom {

namespace {

using namespace elastic;
using std::size_t;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Half the width of a diffusing front, in units of sqrt(8 kappa t), outside which it does not matter.
constexpr double front_widths = 4.0;
/// exp(-this) of the rate is nothing.
constexpr double quiet_exponent = 40.0;

void check_rod(const RodProblem& problem) {
  require_positive("wave_speed", problem.wave_speed);
  require_positive("length", problem.length);
  require_at_least("gravity", problem.gravity, 0.0);
  require_at_least("damping", problem.damping, 0.0);
  require_at_least("impact_speed", problem.impact_speed, 0.0);
}

void check_all(const RodProblem& problem) {
  check_rod(problem);
  if (problem.bounces < 1 || problem.bounces > rod_max_bounces)
    throw InvalidInput(
        "bounces", "must be in [1, " + std::to_string(rod_max_bounces) + "], got " + std::to_string(problem.bounces));
  double last = -1.0;
  for (size_t i = 0; i < problem.sample_times.size(); ++i) {
    const std::string field = "sample_times[" + std::to_string(i) + "]";
    require_at_least(field, problem.sample_times[i], 0.0);
    if (!(problem.sample_times[i] > last))
      throw InvalidInput("sample_times", "must increase, got " + number_text(problem.sample_times[i]));
    last = problem.sample_times[i];
  }
}

/// The rod in units t1 = 1 (c = 1, L = 1/2).
struct Scaled {
  explicit Scaled(const RodProblem& p)
      : t1(2.0 * p.length / p.wave_speed),
        length(p.length),
        speed(p.wave_speed),
        // Without damping both kinds are the same rod.
        structural(p.damping_kind == DampingKind::structural && p.damping > 0.0),
        viscous{structural ? 0.0 : p.damping * t1, p.gravity * t1, p.impact_speed},
        damped{structural ? p.damping / (2.0 * p.length * p.wave_speed) : 0.0, p.gravity * t1, p.impact_speed,
               p.contact == ContactCondition::vx} {}

  double t1, length, speed;
  bool structural;
  ViscousRod viscous;
  StructuralRod damped;
};

/// The end of the first contact in units t1 = 1, and m* if asked for.
struct Contact {
  Liftoff liftoff;
  double threshold = 0.0;
};
Contact first_contact(const Scaled& rod, bool with_threshold) {
  if (rod.structural) {
    const StructuralSearch found = structural_search(rod.damped, with_threshold);
    return {found.liftoff, found.threshold};
  }
  return {viscous_liftoff(rod.viscous), with_threshold ? viscous_threshold(rod.viscous.rho) : 0.0};
}

/// E_h(t_b) / E0, also where the squares would overflow.
double energy_ratio(const CentreOfMass& c, double gamma, double mu) {
  return (c.p / mu) * (c.p / mu) + 2.0 * (gamma / mu) * (c.h / mu);
}

/// (y - log1p(y)) / y^2, which tends to 1/2.
double drag_height(double y) {
  if (y > 0.05) return (y - std::log1p(y)) / (y * y);
  double sum = 0.0;
  for (int n = 14; n >= 2; --n) sum = 1.0 / n - y * sum;
  return sum;
}

std::unique_ptr<Motion> make_motion(const Scaled& rod, const Liftoff& liftoff) {
  if (rod.structural) return std::make_unique<StructuralMotion>(rod.damped, liftoff);
  if (rod.viscous.rho >= ViscousMotion::max_rho) return std::make_unique<OverdampedContact>(rod.viscous);
  return std::make_unique<ViscousBounces>(rod.viscous, liftoff);
}

RodSample sample(const Scaled& rod, Motion& motion, double t) {
  const RodTrace trace = motion.at(t / rod.t1);
  return {t, -rod.speed * trace.force, rod.length * trace.centre.p, rod.t1 * trace.centre.h, rod.t1 * trace.bottom};
}

std::vector<RodEvent> list_events(const Scaled& rod, Motion& motion, int lifts) {
  std::vector<RodEvent> events;
  int seen = 0;
  // Asking for energies may follow the motion further: copy first.
  const std::vector<BottomEvent> found = motion.follow(static_cast<size_t>(lifts));
  for (const BottomEvent& event : found) {
    if (seen == lifts) break;
    const RodTrace trace = motion.at(event.t);
    const RodEventType type = event.type == BottomEvent::lift    ? RodEventType::lifts
                              : event.type == BottomEvent::touch ? RodEventType::touches
                                                                 : RodEventType::rests;
    events.push_back({type, rod.t1 * event.t, rod.length * trace.centre.p, rod.t1 * trace.centre.h,
                      rod.length * motion.energy(event.t)});
    if (type == RodEventType::lifts) ++seen;
  }
  return events;
}

}  // namespace

RodResult rod_impact(const RodProblem& problem) {
  check_all(problem);
  const Scaled rod(problem);
  const double gamma = rod.viscous.gamma, mu = rod.viscous.mu, L = rod.length, t1 = rod.t1;
  const Contact contact = first_contact(rod, gamma > 0.0);
  const Liftoff& lift = contact.liftoff;
  RodResult result;

  if (gamma > 0.0 && std::isfinite(contact.threshold)) {
    result.margin = mu / gamma - contact.threshold;
    if (std::abs(*result.margin) <= rod_tangency_fraction * (mu / gamma + contact.threshold))
      result.flags.set(RodFlag::near_tangency);
  } else {
    result.flags.set(RodFlag::no_margin);
  }
  if (lift.tangent) result.flags.set(RodFlag::near_tangency);

  if (!lift.bounces) {
    result.height = -gamma * t1 / 12.0;  // static sag: -g L^2 / (3 c^2)
    result.energy_total = -L * gamma * gamma / 24.0;
    result.energy_translation = gamma / t1 * L * result.height;
    result.energy_vibration = result.energy_total - result.energy_translation;
  } else {
    result.status = RodStatus::bounce;
    const auto [p, h] = lift.centre;
    result.t_b = lift.t * t1;
    result.momentum = L * p;
    result.height = t1 * h;
    result.energy_translation = L * (0.5 * p * p + gamma * h);
    if (rod.structural) {
      result.energy_total = L * structural_state(rod.damped, lift.t).energy;
    } else if (rod.viscous.rho == 0.0) {
      result.energy_total = 0.5 * L * mu * mu;
    } else {
      result.energy_total = L * viscous_contact_energy(rod.viscous, lift.t);
    }
    result.energy_vibration = result.energy_total - result.energy_translation;
    result.e_momentum = p / mu;
    const double ratio = energy_ratio(lift.centre, gamma, mu);
    if (ratio >= 0.0) {
      result.e_energy = std::sqrt(ratio);
    } else {
      result.flags.set(RodFlag::undefined_e_energy);
    }
    const double rho = rod.viscous.rho;  // 0 for structural damping: no drag in flight
    if (p <= 0.0) {
      result.flags.set(RodFlag::downward_at_liftoff);
      result.h_max = result.height;
    } else if (gamma == 0.0) {
      if (rho == 0.0) {
        result.flags.set(RodFlag::infinite_height);
      } else {
        result.h_max = t1 * (h + p / (2.0 * rho));
      }
    } else {
      result.h_max = t1 * (h + p * p / gamma * drag_height(2.0 * rho * p / gamma));
    }
  }

  if (problem.bounces > 1 || !problem.sample_times.empty()) {
    const auto motion = make_motion(rod, lift);
    if (mu == 0.0 && gamma == 0.0) {
      // A rod at rest without weight: nothing ever happens.
      if (problem.bounces > 1) result.events.push_back({RodEventType::rests, 0.0, 0.0, 0.0, 0.0});
      for (double t : problem.sample_times) result.samples.push_back({t, 0.0, 0.0, 0.0, 0.0});
      return result;
    }
    if (problem.bounces > 1) result.events = list_events(rod, *motion, problem.bounces);
    result.samples.reserve(problem.sample_times.size());
    for (double t : problem.sample_times) result.samples.push_back(sample(rod, *motion, t));
  }
  return result;
}

RodRebound rod_rebound(const RodProblem& problem) {
  check_rod(problem);
  const Scaled rod(problem);
  const Liftoff lift = first_contact(rod, false).liftoff;
  const double gamma = rod.viscous.gamma, mu = rod.viscous.mu;
  if (!lift.bounces) return {RodStatus::no_bounce, nan, 0.0, -gamma * rod.t1 / 12.0, nan, nan};
  const auto [p, h] = lift.centre;
  const double ratio = energy_ratio(lift.centre, gamma, mu);
  return {RodStatus::bounce, lift.t * rod.t1, rod.length * p,
          rod.t1 * h,        p / mu,          ratio >= 0.0 ? std::sqrt(ratio) : nan};
}

std::optional<double> rod_bounce_speed(const RodProblem& problem) {
  check_rod(problem);
  RodProblem any = problem;
  any.impact_speed = 1.0;
  const Scaled rod(any);
  if (rod.viscous.gamma == 0.0) return first_contact(rod, false).liftoff.bounces ? std::optional(0.0) : std::nullopt;
  const double threshold = first_contact(rod, true).threshold;
  return std::isfinite(threshold) ? std::optional(threshold * rod.viscous.gamma) : std::nullopt;
}

class RodMotion::Impl {
public:
  explicit Impl(const RodProblem& problem)
      : rod(problem), motion(make_motion(rod, first_contact(rod, false).liftoff)) {}
  Scaled rod;
  std::unique_ptr<Motion> motion;
};

RodMotion::RodMotion(const RodProblem& problem) {
  check_all(problem);
  impl_ = std::make_unique<Impl>(problem);
}
RodMotion::~RodMotion() = default;
RodMotion::RodMotion(RodMotion&&) noexcept = default;
RodMotion& RodMotion::operator=(RodMotion&&) noexcept = default;

RodSample RodMotion::at(double t) {
  require_at_least("t", t, 0.0);
  return sample(impl_->rod, *impl_->motion, t);
}
double RodMotion::displacement(double x, double t) {
  require_between("x", x, 0.0, impl_->rod.length);
  require_at_least("t", t, 0.0);
  const Scaled& rod = impl_->rod;
  return rod.t1 * impl_->motion->displacement(0.5 * x / rod.length, t / rod.t1);
}
double RodMotion::velocity(double x, double t) {
  require_between("x", x, 0.0, impl_->rod.length);
  require_at_least("t", t, 0.0);
  return impl_->motion->velocity(0.5 * x / impl_->rod.length, t / impl_->rod.t1);
}
double RodMotion::energy_total(double t) {
  require_at_least("t", t, 0.0);
  return impl_->rod.length * impl_->motion->energy(t / impl_->rod.t1);
}
double RodMotion::dissipation(double x, double t) {
  require_between("x", x, 0.0, impl_->rod.length);
  require_at_least("t", t, 0.0);
  const Scaled& rod = impl_->rod;
  Motion& motion = *impl_->motion;
  const double at = 0.5 * x / rod.length, end = t / rod.t1, kappa = rod.damped.kappa;
  if (end == 0.0 || (rod.structural ? kappa : rod.viscous.rho) == 0.0) return 0.0;
  if (rod.structural && at == 0.0) return rod.viscous.mu > 0.0 ? std::numeric_limits<double>::infinity() : 0.0;
  // The integrand jumps or is steep where a front passes and at lift-offs and touches.
  std::vector<double> cuts = {end};
  const auto cut = [&](double s) {
    if (s > 0.0 && s < end) cuts.push_back(s);
  };
  constexpr int most_fronts = 64;  // later ones have faded
  for (int k = 0; k < most_fronts; ++k)
    for (const double front : {k + at, k + 1.0 - at}) {
      cut(front);
      if (rod.structural)
        for (const double side : {-front_widths, front_widths}) cut(front + side * std::sqrt(8.0 * kappa * front));
    }
  motion.at(end);  // follows the motion that far
  for (const BottomEvent& event : motion.follow(0)) cut(event.t);
  std::sort(cuts.begin(), cuts.end());
  auto* const structural = dynamic_cast<StructuralMotion*>(&motion);
  const auto rate = [&](double s) {
    const double v = structural != nullptr ? structural->strain_rate(at, s) : motion.velocity(at, s);
    return 2.0 * (structural != nullptr ? kappa : rod.viscous.rho) * v * v;
  };
  constexpr double tolerance = 1e-7;
  constexpr unsigned depth = 8;
  // The rule measures its error against the integral itself, which may be nothing but rounding before a front arrives:
  // with mu^2 added to the integrand it measures against that.
  const double level = rod.viscous.mu * rod.viscous.mu + rod.viscous.gamma * rod.viscous.gamma;
  const auto integral = [&](const auto& f, double from, double to) {
    using Rule = boost::math::quadrature::gauss_kronrod<double, 15>;
    return Rule::integrate([&](double s) { return f(s) + level; }, from, to, depth, tolerance) - level * (to - from);
  };
  double sum = 0.0, from = 0.0;
  if (rod.structural) {
    // The stop of the bottom diffuses up: the rate is exp(-x^2/(4 kappa t))/t at first, smooth in log t.
    from = cuts.front();
    const double quiet = std::min(at * at / (4.0 * kappa * quiet_exponent), 0.5 * from);
    sum += integral([&](double s) { return rate(std::exp(s)) * std::exp(s); }, std::log(quiet), std::log(from));
  }
  for (const double to : cuts) {
    if (to - from > 1e-12 * end) sum += integral(rate, from, to);  // two cuts may be one moment, rounded
    from = std::max(from, to);
  }
  return sum;
}
bool RodMotion::in_contact(double t) {
  require_at_least("t", t, 0.0);
  return impl_->motion->at(t / impl_->rod.t1).contact;
}
std::vector<RodEvent> RodMotion::events(int lifts) {
  if (lifts < 1 || lifts > rod_max_bounces)
    throw InvalidInput("lifts",
                       "must be in [1, " + std::to_string(rod_max_bounces) + "], got " + std::to_string(lifts));
  return list_events(impl_->rod, *impl_->motion, lifts);
}

std::optional<double> rod_wave_speed(std::string_view material) {
  if (material == "steel") return 4984.45;
  if (material == "concrete") return 3500.0;
  if (material == "rubber") return 60.0;
  return std::nullopt;
}

const char* name(DampingKind kind) { return kind == DampingKind::viscous ? "viscous" : "structural"; }
const char* name(ContactCondition contact) { return contact == ContactCondition::stress ? "stress" : "vx"; }
const char* name(RodStatus status) { return status == RodStatus::bounce ? "bounce" : "no_bounce"; }
const char* name(RodFlag flag) {
  switch (flag) {
    case RodFlag::undefined_e_energy:
      return "undefined_e_energy";
    case RodFlag::downward_at_liftoff:
      return "downward_at_liftoff";
    case RodFlag::infinite_height:
      return "infinite_height";
    case RodFlag::no_margin:
      return "no_margin";
    case RodFlag::near_tangency:
      return "near_tangency";
    case RodFlag::event_limit:
      return "event_limit";
    case RodFlag::overflow:
      return "overflow";
  }
  return "";
}
const char* name(RodEventType type) {
  switch (type) {
    case RodEventType::lifts:
      return "lifts";
    case RodEventType::touches:
      return "touches";
    case RodEventType::rests:
      return "rests";
  }
  return "";
}

}  // namespace carom
