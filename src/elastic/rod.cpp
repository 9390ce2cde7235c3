#include "carom/elastic/rod.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "carom/core/error.hpp"

#include "overdamped_contact.hpp"
#include "scaled_rod.hpp"
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
  if (y > 0.05) return (1.0 - std::log1p(y) / y) / y;  // y^2 may be beyond the range
  double sum = 0.0;
  for (int n = 14; n >= 2; --n) sum = 1.0 / n - y * sum;
  return sum;
}

/// Without gravity an energy is a sum of squares: below zero it is rounding.
double never_negative(double energy, double gamma) { return gamma > 0.0 ? energy : std::max(0.0, energy); }

std::unique_ptr<Motion> make_motion(const Scaled& rod, const Liftoff& liftoff) {
  if (rod.structural) return std::make_unique<StructuralMotion>(rod.damped, liftoff);
  if (rod.viscous.rho >= ViscousMotion::max_rho) return std::make_unique<OverdampedContact>(rod.viscous);
  return std::make_unique<ViscousBounces>(rod.bouncing, liftoff);
}

RodSample sample(const Scaled& rod, Motion& motion, double t) {
  const double at = t / rod.t1, u = rod.unit;
  const RodTrace trace = motion.at(at);
  RodEnergy energy = motion.energy(at);
  const double gamma = rod.viscous.gamma;
  energy.total = never_negative(energy.total, gamma);
  const double translation = 0.5 * trace.centre.p * trace.centre.p + gamma * trace.centre.h;
  return {.t = t,
          .stress = -rod.speed * u * trace.force,
          .momentum = rod.length * u * trace.centre.p,
          .height = rod.t1 * u * trace.centre.h,
          .bottom = rod.t1 * u * trace.bottom,
          .strain = motion.strain(at) * (u / rod.speed),
          .energy_total = rod.energy(energy.total),
          .energy_vibration = rod.energy(std::max(0.0, energy.total - translation)),
          .dissipation = rod.energy(energy.loss) / rod.t1};
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
    const double energy = never_negative(motion.energy(event.t).total, rod.viscous.gamma);
    events.push_back({type, rod.t1 * event.t, rod.length * rod.unit * trace.centre.p,
                      rod.t1 * rod.unit * trace.centre.h, rod.energy(energy)});
    if (type == RodEventType::lifts) ++seen;
  }
  return events;
}

/// Is every value that exists a number? (At first touch the stress of a structural rod is infinite by itself, and so is
/// what damping takes per time.)
bool in_range(const RodResult& r) {
  const auto ok = [](std::initializer_list<double> values) {
    return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
  };
  bool all = ok({r.momentum, r.height, r.energy_total, r.energy_translation, r.energy_vibration});
  for (const auto* value : {&r.t_b, &r.e_momentum, &r.e_energy, &r.h_max, &r.t_h_max, &r.margin})
    all = all && ok({value->value_or(0.0)});
  for (const RodEvent& e : r.events) all = all && ok({e.t, e.momentum, e.height, e.energy_total});
  for (const RodSample& s : r.samples) {
    const bool first = s.t == 0.0;
    all = all && ok({first ? 0.0 : s.stress, s.momentum, s.height, s.bottom, s.strain, s.energy_total,
                     s.energy_vibration, first ? 0.0 : s.dissipation});
  }
  return all;
}

}  // namespace

RodResult rod_impact(const RodProblem& problem) {
  check_all(problem);
  const Scaled rod(problem);
  const double gamma = rod.viscous.gamma, mu = rod.viscous.mu, L = rod.length, t1 = rod.t1, unit = rod.unit;
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

  double total = 0.0, translation = 0.0;  // per length
  if (!lift.bounces) {
    result.height = -gamma * t1 * unit / 12.0;  // static sag: -g L^2 / (3 c^2)
    total = -gamma * gamma / 24.0;
    translation = -gamma * gamma / 12.0;
  } else {
    result.status = RodStatus::bounce;
    const auto [p, h] = lift.centre;
    result.t_b = lift.t * t1;
    result.momentum = L * unit * p;
    result.height = t1 * unit * h;
    translation = 0.5 * p * p + gamma * h;
    total = rod.structural           ? structural_state(rod.damped, lift.t).energy
            : rod.viscous.rho == 0.0 ? 0.5 * mu * mu
                                     : viscous_contact_energy(rod.viscous, lift.t);
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
      result.t_h_max = result.t_b;
    } else if (gamma == 0.0) {
      if (rho == 0.0) {
        result.flags.set(RodFlag::infinite_height);
      } else {
        result.h_max = t1 * unit * (h + p / (2.0 * rho));
      }
    } else {
      const double drag = 2.0 * rho * (p / gamma);
      result.h_max = t1 * unit * (h + p * (p / gamma) * drag_height(drag));
      // Wang 2017, remark 16: after ln(1 + 2 r p/g)/(2r).
      result.t_h_max = t1 * (lift.t + (drag > 0.0 ? std::log1p(drag) / drag : 1.0) * (p / gamma));
    }
  }
  // So is the vibration energy.
  total = std::max(never_negative(total, gamma), translation);
  result.energy_total = rod.energy(total);
  result.energy_translation = rod.energy(translation);
  result.energy_vibration = rod.energy(total - translation);
  if (rod.clamped) result.flags.set(RodFlag::event_limit);

  if (problem.bounces > 1 || !problem.sample_times.empty()) {
    const auto motion = make_motion(rod, lift);
    if (mu == 0.0 && gamma == 0.0) {
      // A rod at rest without weight: nothing ever happens.
      if (problem.bounces > 1) result.events.push_back({RodEventType::rests, 0.0, 0.0, 0.0, 0.0});
      for (double t : problem.sample_times) result.samples.push_back({.t = t});
      return result;
    }
    if (problem.bounces > 1) result.events = list_events(rod, *motion, problem.bounces);
    result.samples.reserve(problem.sample_times.size());
    for (double t : problem.sample_times) result.samples.push_back(sample(rod, *motion, t));
    if (motion->limited()) result.flags.set(RodFlag::event_limit);
    if (rod.structural && mu > 0.0 && !problem.sample_times.empty() && problem.sample_times[0] == 0.0)
      result.flags.set(RodFlag::infinite_stress);
  }
  if (rod.weightless || (rod.speedless && lift.bounces) || !in_range(result)) result.flags.set(RodFlag::overflow);
  return result;
}

RodRebound rod_rebound(const RodProblem& problem) {
  check_rod(problem);
  const Scaled rod(problem);
  const Liftoff lift = first_contact(rod, false).liftoff;
  const double gamma = rod.viscous.gamma, mu = rod.viscous.mu;
  if (!lift.bounces) return {RodStatus::no_bounce, nan, 0.0, -gamma * rod.t1 * rod.unit / 12.0, nan, nan};
  const auto [p, h] = lift.centre;
  const double ratio = energy_ratio(lift.centre, gamma, mu);
  return {RodStatus::bounce,     lift.t * rod.t1, rod.length * rod.unit * p,
          rod.t1 * rod.unit * h, p / mu,          ratio >= 0.0 ? std::sqrt(ratio) : nan};
}

std::optional<double> rod_bounce_speed(const RodProblem& problem) {
  check_rod(problem);
  RodProblem any = problem;
  any.impact_speed = 1.0;
  const Scaled rod(any);
  if (rod.viscous.gamma == 0.0) return first_contact(rod, false).liftoff.bounces ? std::optional(0.0) : std::nullopt;
  const double threshold = first_contact(rod, true).threshold;
  return std::isfinite(threshold) ? std::optional(threshold * rod.viscous.gamma * rod.unit) : std::nullopt;
}

std::optional<double> rod_round_trip_speed(const RodProblem& problem) {
  check_rod(problem);
  RodProblem any = problem;
  any.impact_speed = std::max(1.0, problem.gravity * 2.0 * (problem.length / problem.wave_speed));
  const Scaled rod(any);
  if (rod.structural) return std::nullopt;
  const double rho = rod.viscous.rho, decay = std::exp(-rho);
  const double i0 = i0e(rho), room = 2.0 * decay - i0;
  if (!(rho < rod_latest_round_trip && room > 0.0)) return std::nullopt;
  return rod.viscous.gamma * (i0 + i1e(rho)) / room * rod.unit;
}

std::vector<double> rod_stress_function(const RodProblem& problem, std::span<const double> times) {
  check_rod(problem);
  if (problem.damping_kind != DampingKind::viscous)
    throw InvalidInput("damping_kind", "must be viscous: structural damping decays differently at every length");
  const Scaled rod(problem);
  std::vector<double> at;
  for (size_t i = 0; i < times.size(); ++i) {
    require_between("times[" + std::to_string(i) + "]", times[i], 0.0, rod_stress_function_trips * rod.t1);
    at.push_back(times[i] / rod.t1);
  }
  std::vector<double> values = viscous_stress_function(rod.viscous, at);
  for (double& value : values) value *= rod.unit / rod.speed;
  return values;
}

double rod_held_energy(const RodProblem& problem, double t) {
  check_rod(problem);
  require_at_least("t", t, 0.0);
  const Scaled rod(problem);
  const double at = t / rod.t1, rho = rod.viscous.rho, mu = rod.viscous.mu;
  if (at == 0.0) return rod_energy_before(problem);
  const double energy = rod.structural           ? structural_state(rod.damped, at).energy
                        : rho == 0.0             ? 0.5 * mu * mu
                        : rho < std::numbers::pi ? viscous_contact_energy(rod.viscous, at)
                                                 : make_motion(rod, {})->energy(at).total;
  return rod.energy(never_negative(energy, rod.viscous.gamma));
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
  return rod.t1 * rod.unit * impl_->motion->displacement(0.5 * x / rod.length, t / rod.t1);
}
double RodMotion::velocity(double x, double t) {
  require_between("x", x, 0.0, impl_->rod.length);
  require_at_least("t", t, 0.0);
  return impl_->rod.unit * impl_->motion->velocity(0.5 * x / impl_->rod.length, t / impl_->rod.t1);
}
double RodMotion::energy_total(double t) {
  require_at_least("t", t, 0.0);
  return impl_->rod.energy(impl_->motion->energy(t / impl_->rod.t1).total);
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
  return sum * rod.unit * rod.unit;
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

double rod_strain(const RodProblem& problem) {
  const double c = problem.wave_speed;
  return problem.impact_speed / c + 2.0 * (problem.gravity / c) * (problem.length / c);
}

FlagSet<RodLimit> rod_limits(const RodProblem& problem) {
  FlagSet<RodLimit> limits;
  limits.set(RodLimit::supersonic, problem.impact_speed > problem.wave_speed);
  limits.set(RodLimit::large_strain, !(rod_strain(problem) <= rod_linear_strain));
  return limits;
}

}  // namespace carom
