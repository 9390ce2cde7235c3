#include "carom/motion/pendulum_impact.hpp"

#include <algorithm>
#include <cmath>

#include "carom/contact/stick_slip.hpp"
#include "carom/core/contact_space.hpp"
#include "carom/core/error.hpp"
#include "carom/core/switched_system.hpp"
#include "carom/impact/planar.hpp"

#include "stiff.hpp"

namespace carom {

namespace {

using Eigen::Index, Eigen::Vector2d, Eigen::VectorXd;

/// Before a touch counts as stiff: a second of work.
constexpr std::size_t most_explicit_steps = 40'000;

/// State: angles since the touch (so that the indentation keeps its digits), rates, bristle, dwell, impulse (t, n).
class TouchingChain final : public SwitchedSystem {
public:
  TouchingChain(const PendulumImpactProblem& problem, const VectorXd& angles)
      : chain_(problem.chain), at_touch_(angles), n_(angles.size()), contact_(problem.surface) {}

  VectorXd start(const VectorXd& rates, double approach) {
    VectorXd y = VectorXd::Zero(2 * n_ + 4);
    y.segment(n_, n_) = rates;
    contact_.touch(contact_.damping_at(approach), approach);
    contact_.find_modes(motion(y, angles(y)));
    return y;
  }
  VectorXd scale(const ContactSurface& surface, double inverse_mass, double approach, double speed,
                 bool stiff = false) const {
    double length = 0.0;
    for (const ChainLink& link : chain_.links) length += link.length;
    const double p = surface.exponent, mass = 1.0 / inverse_mass;
    double depth = std::pow(mass * approach * approach / surface.stiffness, 1.0 / (p + 1.0));
    if (stiff) depth = std::max(depth, std::pow(mass * chain_.gravity / surface.stiffness, 1.0 / p));
    const double load = surface.stiffness * std::pow(depth, p);
    VectorXd s(2 * n_ + 4);
    s << VectorXd::Constant(n_, depth / length), VectorXd::Constant(n_, std::max(approach, speed) / length),
        std::max(surface.friction.mu_s, 1e-3) * load / surface.friction.sigma0, 1.0,
        Vector2d::Constant(mass * approach);
    return s;
  }

  /// @param anywhere  in whatever modes the motion is, not those that crossings have led to
  void rate(const VectorXd& y, double* rate, bool anywhere) const {
    const VectorXd now = angles(y), rates = y.segment(n_, n_);
    const ContactMotion at = motion(y, now);
    const ContactForces f = anywhere ? contact_.forces_anywhere(at) : contact_.forces(at);
    const Vector2d force(f.tangential.force[0], f.normal);
    const VectorXd acceleration = accelerations(chain_, now, rates, force);
    for (Index i = 0; i < n_; ++i) {
      rate[i] = rates[i];
      rate[n_ + i] = acceleration[i];
    }
    rate[2 * n_] = f.tangential.z_rate[0];
    rate[2 * n_ + 1] = f.tangential.dwell_rate;
    rate[2 * n_ + 2] = force[0];
    rate[2 * n_ + 3] = force[1];
  }
  void rate(const VectorXd& y, double* out) const override { rate(y, out, false); }
  double indentation(const VectorXd& y) const { return motion(y, angles(y)).indentation; }
  int guards() const override { return PointContact::guards; }
  void guard_values(const VectorXd& y, double* values) const override {
    contact_.guard_values(motion(y, angles(y)), values);
  }
  double longest_step(const VectorXd& y, const double* rate) const override {
    const VectorXd now = angles(y);
    const Eigen::Map<const VectorXd> acceleration(rate + n_, n_);
    const double slip_rate = tip_acceleration(chain_, now, y.segment(n_, n_), acceleration)[0];
    return unseen_slip_time(contact_.surface().friction, motion(y, now).slip, Vector2d(slip_rate, 0.0));
  }
  bool crossed(int guard, double, VectorXd& y) override {
    if (guard == PointContact::gap_guard) return false;
    contact_.crossed(guard, motion(y, angles(y)));
    return true;
  }
  VectorXd angles(const VectorXd& y) const { return at_touch_ + y.head(n_); }

private:
  ContactMotion motion(const VectorXd& y, const VectorXd& now) const {
    ContactMotion m;
    for (Index i = 0; i < n_; ++i) {
      const double length = chain_.links[static_cast<std::size_t>(i)].length, half = 0.5 * y[i];
      m.indentation -= 2.0 * length * std::sin(at_touch_[i] + half) * std::sin(half);
      m.rate -= length * std::sin(now[i]) * y[n_ + i];
      m.slip[0] += length * std::cos(now[i]) * y[n_ + i];
    }
    m.bristles.z[0] = y[2 * n_];
    m.bristles.dwell = y[2 * n_ + 1];
    return m;
  }

  const LinkChain& chain_;
  const VectorXd& at_touch_;
  Index n_;
  PointContact contact_;
};

/// The numbers of a problem that may lead beyond the range of numbers.
std::vector<Ingredient> ingredients_of(const PendulumImpactProblem& problem) {
  std::vector<Ingredient> all;
  for (std::size_t i = 0; i < problem.chain.links.size(); ++i) {
    const std::string here = "chain.links[" + std::to_string(i) + "].";
    const ChainLink& link = problem.chain.links[i];
    all.push_back({here + "length", link.length});
    all.push_back({here + "mass", link.mass});
    all.push_back({here + "inertia", link.inertia});
  }
  all.push_back({"rates", problem.rates.cwiseAbs().maxCoeff()});
  if (problem.law != PendulumImpactLaw::regularized) return all;
  all.push_back({"chain.gravity", problem.chain.gravity});
  all.push_back({"surface.stiffness", problem.surface.stiffness});
  all.push_back({"surface.exponent", problem.surface.exponent, 10.0});
  all.push_back({"surface.friction.mu_s", problem.surface.friction.mu_s});
  all.push_back({"surface.friction.sigma0", problem.surface.friction.sigma0});
  return all;
}

/// Whether all links lie along one line, folded or not. Across it the tip moves with the sine of the angle between
/// them, and the inverse mass is the square of that: lost beside the other where the sine is below the root of
/// rounding.
bool is_straight(const VectorXd& angles) {
  constexpr double least_sine = 1.5e-8;
  for (Index i = 1; i < angles.size(); ++i)
    if (std::abs(std::sin(angles[i] - angles[0])) > least_sine) return false;
  return true;
}

PendulumImpact struck_rigidly(const PendulumImpactProblem& problem, const MechanicalSystem& system,
                              const PlanarContactSpace& space) {
  PlanarProblem rigid;
  rigid.space = space;
  rigid.material = {problem.mu, restitution_at(problem.e, -space.velocity[1])};
  rigid.law = problem.law == PendulumImpactLaw::newton    ? RestitutionLaw::newton
              : problem.law == PendulumImpactLaw::poisson ? RestitutionLaw::poisson
                                                          : RestitutionLaw::energetic;
  PendulumImpact impact;
  impact.verdict = PendulumVerdict::separated;
  impact.impulse = planar_outcome(rigid).impulse;
  MechanicalSystem after = system;
  after.velocity = velocity_after(system, impact.impulse);
  impact.loss_fraction = 1.0 - kinetic_energy(after) / kinetic_energy(system);
  impact.rates_after = angles_as(problem.convention, after.velocity);
  return impact;
}

PendulumImpact struck_over_time(const PendulumImpactProblem& problem, const VectorXd& angles, const VectorXd& rates,
                                const PlanarContactSpace& space) {
  const double approach = -space.velocity[1];
  TouchingChain chain(problem, angles);
  SwitchedSettings settings;
  settings.scale = chain.scale(problem.surface, space.inverse_inertia(1, 1), approach, space.velocity.norm());
  settings.max_steps = most_explicit_steps;
  require_scale(settings.scale, ingredients_of(problem));
  const VectorXd start = chain.start(rates, approach);
  SwitchedStop stop;
  stop.y = start;
  const double a = damping(DampingLaw::gonthier, compliant_restitution(problem.surface.e, approach));
  const bool stiff = a * problem.chain.gravity > stiff_touch_rate * approach;
  if (!stiff) stop = follow(chain, 0.0, start, pendulum_contact_time, settings);
  if (stiff || stop.limited) {
    StiffSettings slow;
    slow.scale = chain.scale(problem.surface, space.inverse_inertia(1, 1), approach, space.velocity.norm(), true);
    const auto rate = [&](const VectorXd& y, double* out) { chain.rate(y, out, true); };
    // In touch from the first moment on, and until the tip is back at the floor's level.
    const auto margin = [&](const VectorXd& y) { return chain.indentation(y); };
    const StiffStop end = follow_stiffly(rate, margin, stop.t, stop.y, pendulum_contact_time, slow);
    stop = {end.t, end.y, end.ended, end.limited, stop.steps + end.steps, 0};
  }
  const Index n = angles.size();
  const VectorXd now = chain.angles(stop.y), rates_now = stop.y.segment(n, n);
  PendulumImpact impact;
  impact.verdict = stop.ended ? PendulumVerdict::separated : PendulumVerdict::sticks;
  impact.limited = stop.limited;
  impact.impulse = stop.y.tail<2>();
  impact.duration = stop.t;
  impact.steps = stop.steps;
  impact.rates_after = angles_as(problem.convention, rates_now);
  const double lifted = potential_energy(problem.chain, now) - potential_energy(problem.chain, angles);
  impact.loss_fraction =
      1.0 - (kinetic_energy(problem.chain, now, rates_now) + lifted) / kinetic_energy(problem.chain, angles, rates);
  return impact;
}

template <class Call>
void require_member(const char* member, const Call& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    throw InvalidInput(member + error.field(), error.message());
  }
}

}  // namespace

PendulumImpact pendulum_impact(const PendulumImpactProblem& problem) {
  const bool regularized = problem.law == PendulumImpactLaw::regularized;
  require_member("chain.", [&] { require_valid(problem.chain); });
  const auto n = static_cast<Index>(problem.chain.links.size());
  const auto require_angles = [&](const char* field, const VectorXd& values) {
    if (values.size() != n || !values.allFinite())
      throw InvalidInput(
          field, "must be one finite number per link, " + std::to_string(n) + ", got " + std::to_string(values.size()));
  };
  require_angles("angles", problem.angles);
  require_angles("rates", problem.rates);
  if (regularized) {
    require_member("surface.", [&] { require_valid(problem.surface); });
  } else {
    require_at_least("mu", problem.mu, 0.0);
    require_valid("e", problem.e);
  }
  const VectorXd angles = absolute_angles(problem.convention, problem.angles),
                 rates = absolute_angles(problem.convention, problem.rates);
  constexpr const char* straight = "must not make the chain straight: its tip could not answer in every direction";
  if (is_straight(angles)) throw InvalidInput("angles", straight);
  MechanicalSystem system;
  PlanarContactSpace space;
  try {
    system = tip_system(problem.chain, angles, rates);
    space = planar_contact_space(system);
  } catch (const InvalidInput& error) {
    if (error.field() == "jacobian") throw InvalidInput("angles", straight);
    refuse_size(ingredients_of(problem));
  }
  if (!(space.velocity[1] < 0.0)) {
    PendulumImpact none;
    none.rates_after = problem.rates;
    return none;
  }
  return regularized ? struck_over_time(problem, angles, rates, space) : struck_rigidly(problem, system, space);
}

}  // namespace carom
