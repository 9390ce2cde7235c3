// Stiff slip: the direction of slip follows the velocity at once. It is found by collocation, which is stable however
// fast it settles; impulse, energy and friction work follow by the quadrature of the same order.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bracketed_root.hpp"
#include "radau.hpp"
#include "slip.hpp"

namespace carom::compliant {

namespace {

using radau::integral;
using radau::node;
using radau::stages;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// What is left of superconvergence in a stiff step, by experiment.
constexpr double stiff_gain = 0.5;
/// Longest step compared to the distance back to where the energy was zero. The direction is singular there unless
/// the slip started there.
constexpr double behind_limit = 1.5;
/// The same for the distance ahead to where it will be zero.
constexpr double ahead_limit = 0.7;
/// Newton's iteration stops when the next correction of the direction would be below this [rad].
constexpr double newton_tolerance = 1e-14;
constexpr int newton_limit = 12;
/// The error of a step [rad] is not known better than this.
constexpr double least_allowed = 10.0 * newton_tolerance;
/// Most rotation in one step [rad]: keeps sine and cosine polynomial to the order of the method.
constexpr double rotation_limit = 0.7;
/// Most of the root of the energy to go through in one step: the direction may be singular where it vanishes.
constexpr double root_limit = 0.8;
/// The same while more than a hundredth of the energy is left: v_n still changes along such a step.
constexpr double early_root_limit = 0.5;
/// The energy becomes the independent variable when what is left of it changes v_n^2 by less than this fraction.
constexpr double root_entry = 0.3;

/// Independent variable of a step: the normal impulse, or the root of the energy (the normal force, that is) when it
/// runs out.
enum class Variable { impulse, root_energy };

/// What a step may end on: slip vanishes, v_n does, or the energy has come down to where restitution ends.
enum class StepEnd { stick, normal, release };

/// First place in a step where a positive function, known with its slope at both ends of [a, b], may reach zero.
struct Crossing {
  double x = infinity;   ///< in (0, 1]
  bool touches = false;  ///< a minimum near zero, to be looked at, not a sure crossing
};

/// One slip, from its start to the event that ends it.
class Slip {
public:
  Slip(const Scaled& p, State& s, Observer* observer)
      : p_(p), s_(s), observer_(observer), law_(p, s), mu_(law_.mu), mu_eta2_(law_.mu_eta2), sign_(law_.sign) {}

  Stop follow();

private:
  struct Stage {
    double rate = 0.0;   ///< of the angle, per unit of the independent variable
    double angle = 0.0;  ///< turned since the start of the step
    Vector2d d;
    Vector3d v;
    double energy = 0.0;
    double per_unit = 1.0;  ///< normal impulse per unit of the independent variable
    double sigma = 0.0;
  };

  double sigma_of(const Vector2d& d, const Vector3d& v) const { return v.head<2>().dot(d) + mu_eta2_ * v[2]; }
  double rate_at_start(Variable variable) const;
  double first_step(double rate) const;
  double capped(double h, bool singular_behind) const;
  void evaluate(Variable variable, double h);
  bool solve(Variable variable, double h);
  double sigma_slope(Variable variable, const Stage& stage, const Vector2d& dperp) const;
  void look(Crossing& found, double value, double slope, double before, double slope_before, double xa,
            double xb) const;
  void find_crossings(Variable variable, double h, Crossing& stick, Crossing& normal, Crossing& release) const;
  bool reach(Variable variable, double h, const Crossing& at, StepEnd event);
  void accept(Variable variable, double h);
  double friction_work(double h, int i) const;
  void move(State& s, double h) const;
  void sample(Variable variable, double h);

  const Scaled& p_;
  State& s_;
  Observer* observer_;
  const SlipLaw law_;
  const double mu_, mu_eta2_, sign_;
  Stage stage_[stages];
  double root_[stages] = {};  ///< of the energy at the stages
  Vector3d total_[stages];    ///< impulse since the start of the step
};

double Slip::capped(double h, bool singular_behind) const {
  if (s_.approaching && !singular_behind) return h;
  const double vn = std::abs(s_.v[2]);
  const double distance = 2.0 * s_.energy / (vn + std::sqrt(vn * vn + 2.0 * law_.normal_change * s_.energy));
  return std::min(h, (s_.approaching ? behind_limit : ahead_limit) * distance);
}

double Slip::rate_at_start(Variable variable) const {
  const Vector2d dperp = turned(s_.d);
  const Vector2d vt = s_.v.head<2>();
  if (variable == Variable::root_energy) return -vt.dot(dperp) / (mu_eta2_ * s_.v[2] * std::sqrt(s_.energy));
  if (s_.energy > 0.0) return vt.dot(dperp) / (2.0 * mu_eta2_ * s_.energy);
  // First touch: 0/0, resolved by l'Hospital.
  return (p_.wtn - mu_ * (p_.wtt * s_.d)).dot(dperp) / (vt.norm() + 2.0 * mu_eta2_ * std::abs(s_.v[2]));
}

double Slip::first_step(double rate) const {
  const double change = p_.wtn_norm + mu_ * p_.wt_norm + mu_eta2_ * law_.normal_change;
  double h = 0.3 * (s_.v.head<2>().norm() + mu_eta2_ * std::abs(s_.v[2])) / change;
  const double normal = p_.wnn + mu_ * p_.wtn_norm;
  h = std::min(
      h, (s_.energy > 0.0 ? std::max(std::abs(s_.v[2]), std::sqrt(s_.energy * normal)) : std::abs(s_.v[2])) / normal);
  return std::min(h, 0.3 / (std::abs(rate) + 1e-300));
}

/// Angles from their rates, then everything else by quadrature.
void Slip::evaluate(Variable variable, double h) {
  Vector2d rate_t[stages];
  for (int i = 0; i < stages; ++i) {
    double turn = 0.0;
    for (int j = 0; j < stages; ++j) turn += integral[i][j] * stage_[j].rate;
    Stage& at = stage_[i];
    at.angle = h * turn;
    const double c = std::cos(at.angle), s = std::sin(at.angle);
    at.d = {c * s_.d[0] - s * s_.d[1], s * s_.d[0] + c * s_.d[1]};
  }
  if (variable == Variable::root_energy) {
    // The energy is known, so v_n^2 is a quadrature: d(v_n^2)/dE = -2 dv_n/dN.
    double growth[stages];
    for (int i = 0; i < stages; ++i) growth[i] = root_[i] * (p_.wnn - mu_ * p_.wtn.dot(stage_[i].d));
    for (int i = 0; i < stages; ++i) {
      double sum = 0.0;
      for (int j = 0; j < stages; ++j) sum += integral[i][j] * growth[j];
      const double vn = std::sqrt(std::max(s_.v[2] * s_.v[2] - 4.0 * h * sum, 0.0));
      stage_[i].per_unit = -2.0 * root_[i] / vn;
    }
  }
  for (int j = 0; j < stages; ++j) rate_t[j] = -mu_ * stage_[j].per_unit * stage_[j].d;
  for (int i = 0; i < stages; ++i) {
    Vector2d t = Vector2d::Zero();
    for (int j = 0; j < stages; ++j) t += integral[i][j] * rate_t[j];
    double n = node[i];
    if (variable == Variable::root_energy) {
      n = 0.0;
      for (int j = 0; j < stages; ++j) n += integral[i][j] * stage_[j].per_unit;
    }
    total_[i] = {h * t[0], h * t[1], h * n};
    stage_[i].v = s_.v + p_.velocity_change(total_[i]);
  }
  if (variable == Variable::impulse) {
    for (int i = 0; i < stages; ++i) {
      double sum = 0.0;
      for (int j = 0; j < stages; ++j) sum += integral[i][j] * stage_[j].v[2];
      stage_[i].energy = s_.energy - h * sum;
    }
  }
}

/// Simplified Newton on the stage rates, starting from those in stage_. False when it does not settle or the energy
/// runs out inside the step.
bool Slip::solve(Variable variable, double h) {
  ++s_.slip_steps;  // those taken again, and those towards an event, are work too
  const bool by_impulse = variable == Variable::impulse;
  if (!by_impulse)
    for (int i = 0; i < stages; ++i) {
      root_[i] = std::sqrt(s_.energy) + h * node[i];
      stage_[i].energy = root_[i] * root_[i];
    }
  else
    for (Stage& at : stage_) at.per_unit = 1.0;
  evaluate(variable, h);
  double jacobian[stages][stages];
  int pivot[stages];
  bool fresh = false;
  double previous = infinity;
  const double relax = std::max(1.0, s_.energy_scale * 1e-2 / std::max(s_.energy, 1e-300));
  const double target = by_impulse ? newton_tolerance : newton_tolerance * std::min(relax, 1e4);
  for (int iteration = 0; iteration < newton_limit; ++iteration) {
    double residual[stages];
    for (int i = 0; i < stages; ++i) {
      const Stage& at = stage_[i];
      if (by_impulse && !(at.energy > 0.0)) return false;
      if (!(std::abs(at.angle) < 3.0)) return false;
      const double pull = at.v.head<2>().dot(turned(at.d));
      residual[i] =
          by_impulse ? 2.0 * mu_eta2_ * at.energy * at.rate - pull : mu_eta2_ * root_[i] * at.v[2] * at.rate + pull;
    }
    if (!fresh) {
      fresh = true;
      // Derivatives with respect to the stage rates: of the impulse, of the velocity, of the energy.
      double tx[stages][stages], ty[stages][stages], vn[stages][stages];
      for (int i = 0; i < stages; ++i)
        for (int j = 0; j < stages; ++j) {
          double x = 0.0, y = 0.0;
          for (int k = 0; k < stages; ++k) {
            const double w = integral[i][k] * stage_[k].per_unit * integral[k][j];
            x -= w * stage_[k].d[1];
            y += w * stage_[k].d[0];
          }
          tx[i][j] = -mu_ * h * h * x;
          ty[i][j] = -mu_ * h * h * y;
          vn[i][j] = p_.wtn[0] * tx[i][j] + p_.wtn[1] * ty[i][j];
        }
      for (int i = 0; i < stages; ++i) {
        const Stage& at = stage_[i];
        const double along = at.v.head<2>().dot(at.d);
        const Vector2d dperp = turned(at.d);
        const Vector2d row = p_.wtt * dperp;
        for (int j = 0; j < stages; ++j) {
          const double turn = along * h * integral[i][j] - (row[0] * tx[i][j] + row[1] * ty[i][j]);
          if (by_impulse) {
            double energy = 0.0;
            for (int k = 0; k < stages; ++k) energy -= integral[i][k] * vn[k][j];
            jacobian[i][j] = 2.0 * mu_eta2_ * at.rate * h * energy + turn;
          } else {
            jacobian[i][j] = mu_eta2_ * root_[i] * at.rate * vn[i][j] - turn;
          }
        }
        jacobian[i][i] += mu_eta2_ * (by_impulse ? 2.0 * at.energy : root_[i] * at.v[2]);
      }
      for (int k = 0; k < stages; ++k) {
        int best = k;
        for (int i = k + 1; i < stages; ++i)
          if (std::abs(jacobian[i][k]) > std::abs(jacobian[best][k])) best = i;
        pivot[k] = best;
        if (best != k)
          for (int j = 0; j < stages; ++j) std::swap(jacobian[k][j], jacobian[best][j]);
        if (jacobian[k][k] == 0.0) return false;
        const double inverse = 1.0 / jacobian[k][k];
        for (int i = k + 1; i < stages; ++i) {
          const double factor = jacobian[i][k] *= inverse;
          for (int j = k + 1; j < stages; ++j) jacobian[i][j] -= factor * jacobian[k][j];
        }
      }
    }
    for (int k = 0; k < stages; ++k) std::swap(residual[k], residual[pivot[k]]);
    for (int i = 1; i < stages; ++i)
      for (int j = 0; j < i; ++j) residual[i] -= jacobian[i][j] * residual[j];
    double change = 0.0;
    for (int i = stages - 1; i >= 0; --i) {
      for (int j = i + 1; j < stages; ++j) residual[i] -= jacobian[i][j] * residual[j];
      residual[i] /= jacobian[i][i];
      stage_[i].rate -= residual[i];
      change = std::max(change, std::abs(h * residual[i]));
    }
    if (!(change < 1e3)) return false;
    evaluate(variable, h);
    const double quotient = iteration == 0 ? 0.1 : change / previous;
    if (iteration > 1 && quotient > 1.0 && change > 1e-10) return false;
    if (change <= target || (quotient < 1.0 && change * quotient / (1.0 - quotient) <= target)) break;
    if (iteration > 3 && change < 1e-12) break;  // rounding
    if (iteration + 1 == newton_limit) return false;
    previous = change;
  }
  for (Stage& at : stage_) {
    if (!(at.energy > 0.0)) return false;
    at.sigma = sigma_of(at.d, at.v);
  }
  return true;
}

/// Slope of the slip speed in the independent variable.
double Slip::sigma_slope(Variable, const Stage& at, const Vector2d& dperp) const {
  const Vector2d wd = p_.wtt * at.d;
  return at.per_unit * ((p_.wtn - mu_ * wd).dot(at.d) + mu_eta2_ * (p_.wnn - mu_ * p_.wtn.dot(at.d))) +
         at.v.head<2>().dot(dperp) * at.rate;
}

/// Examine one stretch [xa, xb] of the step, slopes per step.
void Slip::look(Crossing& found, double value, double slope, double before, double slope_before, double xa,
                double xb) const {
  if (found.x < infinity) return;
  const double width = xb - xa;
  if (value <= 0.0) {
    const double part = before > 0.0 ? before / (before - value) : 0.5;
    found = {xa + std::clamp(part, 0.02, 1.0) * width, false};
  } else if (slope_before < 0.0 && slope > 0.0) {
    // The lower of the two tangents' crossing bounds a convex function's minimum from below.
    const double ma = slope_before * width, mb = slope * width;
    const double x = (value - before - mb) / (ma - mb);
    if (before + ma * x <= 0.0) found = {xa + std::clamp(x, 0.05, 0.95) * width, true};
  }
}

void Slip::find_crossings(Variable variable, double h, Crossing& stick, Crossing& normal, Crossing& release) const {
  const bool may_release = s_.least_energy > 0.0 && !s_.approaching;
  double left = std::max(s_.energy - s_.least_energy, 0.0);
  double sigma = std::max(sigma_of(s_.d, s_.v), 0.0), vn = std::max(sign_ * s_.v[2], 0.0), xa = 0.0;
  Stage start;
  start.rate = rate_at_start(variable);
  start.d = s_.d;
  start.v = s_.v;
  start.per_unit = variable == Variable::impulse ? 1.0 : -2.0 * std::sqrt(s_.energy) / s_.v[2];
  double sigma_s = h * sigma_slope(variable, start, turned(s_.d));
  double vn_s = h * sign_ * start.per_unit * (p_.wnn - mu_ * p_.wtn.dot(s_.d));
  for (int i = 0; i < stages; ++i) {
    const Stage& at = stage_[i];
    const double slope = h * sigma_slope(variable, at, turned(at.d));
    const double vslope = h * sign_ * at.per_unit * (p_.wnn - mu_ * p_.wtn.dot(at.d));
    look(stick, at.sigma, slope, sigma, sigma_s, xa, node[i]);
    look(normal, sign_ * at.v[2], vslope, vn, vn_s, xa, node[i]);
    if (may_release) {
      const double rest = at.energy - s_.least_energy;
      look(release, rest, -1.0, left, -1.0, xa, node[i]);
      left = rest;
    }
    sigma = at.sigma, sigma_s = slope, vn = sign_ * at.v[2], vn_s = vslope, xa = node[i];
  }
}

/// Re-solve shorter steps until the step ends on the event. False if there turned out to be none: then stage_ holds an
/// accepted step that ends before the place looked at.
bool Slip::reach(Variable variable, double h, const Crossing& at, StepEnd event) {
  const double full = h;
  double low = 0.0, high = at.touches ? 1.0 : infinity, x = std::min(at.x, 1.0);
  if (!at.touches) high = 1.0;
  bool sure = !at.touches;
  double best = infinity;
  for (int iteration = 0; iteration < 60; ++iteration) {
    for (Stage& stage : stage_) stage.rate = stage_[stages - 1].rate;
    double turn = full * x;
    if (!solve(variable, turn)) {
      high = x;
      x = 0.5 * (low + high);
      continue;
    }
    const Stage& end = stage_[stages - 1];
    double value, slope, scale;
    switch (event) {
      case StepEnd::stick:
        value = end.sigma;
        slope = sigma_slope(variable, end, turned(end.d));
        scale = end.v.head<2>().norm() + mu_eta2_ * std::abs(end.v[2]);
        break;
      case StepEnd::normal:
        value = sign_ * end.v[2];
        slope = sign_ * end.per_unit * (p_.wnn - mu_ * p_.wtn.dot(end.d));
        scale = s_.v.norm();
        break;
      default:
        value = end.energy - s_.least_energy;
        slope = -end.v[2] * end.per_unit;
        scale = s_.energy_scale;
    }
    slope *= full;
    if (value <= 0.0)
      sure = true, high = x;
    else if (!sure) {
      accept(variable, turn);
      return false;
    } else
      low = x;
    best = std::abs(value);
    if (best <= 4.0 * epsilon * scale || high - low <= 2.0 * epsilon * high) {
      accept(variable, turn);
      return true;
    }
    double next = x - value / slope;
    if (!(slope < 0.0) || !(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - x) <= epsilon * x) {
      accept(variable, turn);
      return true;
    }
    x = next;
  }
  accept(variable, full * x);
  return true;
}

/// Friction work up to stage i of a step, the integral of mu sigma dN: the part of sigma that goes with v_n integrates
/// to the energy.
double Slip::friction_work(double h, int i) const {
  double work = 0.0;
  for (int j = 0; j < stages; ++j) work += integral[i][j] * stage_[j].v.head<2>().dot(stage_[j].d) * stage_[j].per_unit;
  return mu_ * (h * work + mu_eta2_ * (s_.energy - stage_[i].energy));
}

/// Carry a state, that at the start of the step, over to the end of the step in stage_.
void Slip::move(State& s, double h) const {
  const Stage& end = stage_[stages - 1];
  s.friction_loss += friction_work(h, stages - 1);
  s.d = end.d / end.d.norm();
  s.energy = end.energy;
  s.energy_scale = std::max(s.energy_scale, s.energy);
  s.add_impulse(p_, total_[stages - 1]);
}

/// The states that are wanted inside the step: at the ends of shorter ones.
void Slip::sample(Variable variable, double h) {
  if (!(observer_->wanted() <= s_.impulse[2] + total_[stages - 1][2])) return;
  const Slip before = *this;
  const std::size_t steps = s_.slip_steps;
  const double whole = total_[stages - 1][2];
  hand_out(observer_, s_.impulse[2] + whole, [&](double to) {
    const double more = to - s_.impulse[2];
    const double part = bracketed_root(
        [&](double x) {
          for (Stage& at : stage_) at.rate = before.stage_[0].rate;
          solve(variable, x * h);
          return std::pair(total_[stages - 1][2] - more, h * stage_[stages - 1].per_unit);
        },
        0.0, 1.0, more / whole);
    State at = s_;
    for (Stage& stage : stage_) stage.rate = before.stage_[0].rate;
    solve(variable, part * h);
    move(at, part * h);
    return at;
  });
  std::copy(std::begin(before.stage_), std::end(before.stage_), stage_);
  std::copy(std::begin(before.root_), std::end(before.root_), root_);
  std::copy(std::begin(before.total_), std::end(before.total_), total_);
  s_.slip_steps = steps;
}

/// Take over the end of the step in stage_.
void Slip::accept(Variable variable, double h) {
  if (observer_) {
    if (observer_->points_per_stick() > 0) {
      State at = s_;
      for (int i = 0; i + 1 < stages; ++i) {
        at.impulse = s_.impulse + total_[i];
        at.v = stage_[i].v;
        at.energy = stage_[i].energy;
        at.d = stage_[i].d;
        at.friction_loss = s_.friction_loss + friction_work(h, i);
        observer_->point(at);
      }
    }
    sample(variable, h);
  }
  move(s_, h);
}

/// Error at the end of a step, from the Legendre coefficients of the direction's rate. The last one is the error
/// inside the step; superconvergence gains about four more orders at the end, each worth the ratio of two
/// successive coefficients.
double end_error(double h, const double (&p)[stages], double stiffness) {
  const double c4 = p[4] / radau::leading_legendre;
  const double c3 = (p[3] + 140.0 * c4) / 20.0;
  const double c2 = (p[2] - 90.0 * c4 + 30.0 * c3) / 6.0;
  const double last = std::abs(c4);
  if (last == 0.0) return 0.0;
  const double ratio2 = std::min(1.0, std::max(last * last / (c3 * c3 + 1e-300), last / (std::abs(c2) + 1e-300)));
  // A step much longer than the time the direction takes to settle gains less.
  const double gain = std::max(ratio2 * ratio2, stiffness > 1.0 ? stiff_gain * ratio2 / stiffness : 0.0);
  return std::abs(h) * last * gain;
}

Stop Slip::follow() {
  Variable variable = Variable::impulse;
  double h = 0.0, polynomial[stages] = {}, old = 0.0;
  bool fresh = true;
  const bool singular_behind = s_.energy > 0.0;
  while (s_.slip_steps < max_compliant_slip_steps) {
    if (tail_reached(law_, s_)) {
      follow_tail(law_, s_, observer_);
      return Stop::separates;
    }
    if (variable == Variable::impulse && !s_.approaching && s_.v[2] > 0.0 &&
        law_.normal_change * s_.energy < root_entry * s_.v[2] * s_.v[2]) {
      variable = Variable::root_energy;
      const double root = std::sqrt(s_.energy);
      h = fresh ? 0.3 * root : std::clamp(0.5 * h * s_.v[2] / root, 0.05 * root, 0.5 * root);
      h = -std::min(h, 0.4 / (std::abs(rate_at_start(variable)) + 1e-300));
      fresh = true;
    }
    if (fresh) {
      fresh = false;
      const double rate = rate_at_start(variable);
      if (variable == Variable::impulse) h = capped(first_step(rate), singular_behind);
      for (Stage& at : stage_) at.rate = rate;
    } else {
      if (variable == Variable::impulse) h = capped(h, singular_behind);
      // Start from the last step's polynomial, extrapolated.
      for (int i = 0; i < stages; ++i) {
        const double x = 1.0 + node[i] * h / old;
        double value = polynomial[stages - 1];
        for (int k = stages - 2; k >= 0; --k) value = value * x + polynomial[k];
        stage_[i].rate = value;
      }
    }
    const double weight = law_.weight(s_.d), wanted = allowed_error(law_, s_) / weight;
    const double allowed = std::max(wanted, least_allowed);
    if (wanted < least_allowed) s_.doubt = std::max(s_.doubt, stake(law_, s_) * weight * least_allowed);
    bool good = solve(variable, h);
    double estimate = 0.0;
    if (!good) {
      const double rate = rate_at_start(variable);
      for (Stage& at : stage_) at.rate = rate;
      good = solve(variable, h);
    }
    if (good) {
      double pace[stages];  // normal impulse per unit of the independent variable
      for (int k = 0; k < stages; ++k) {
        polynomial[k] = pace[k] = 0.0;
        for (int j = 0; j < stages; ++j) {
          polynomial[k] += radau::monomial[k][j] * stage_[j].rate;
          pace[k] += radau::monomial[k][j] * stage_[j].per_unit;
        }
      }
      const Stage& end = stage_[stages - 1];
      const double settling = variable == Variable::impulse ? 2.0 * end.energy : root_[stages - 1] * end.v[2];
      estimate = end_error(h, polynomial, std::abs(h * end.v.head<2>().dot(end.d)) / (mu_eta2_ * settling));
      if (variable == Variable::root_energy)  // the normal impulse is a quadrature, with an error of its own
        estimate = std::max(estimate, end_error(h, pace, 0.0) * (s_.v[2] + mu_ * s_.v.head<2>().norm()) /
                                          ((s_.energy_scale + s_.friction_loss) * stake(law_, s_)));
      double rotation = 0.0;
      for (const Stage& at : stage_) rotation = std::max(rotation, std::abs(at.angle));
      if (rotation > 1.5 * rotation_limit) estimate = std::max(estimate, 1e4 * allowed);
    }
    if (!good || estimate > 10.0 * allowed) {
      h *= good ? std::max(0.2, 0.85 * std::pow(allowed / estimate, 1.0 / 9.0)) : 0.3;
      const double rate = rate_at_start(variable);
      for (Stage& at : stage_) at.rate = rate;
      old = h;
      for (double& c : polynomial) c = 0.0;
      polynomial[0] = rate;
      continue;
    }
    Crossing stick, normal, release;
    find_crossings(variable, h, stick, normal, release);
    const double energy_before = s_.energy, taken = h, turned_by = std::abs(stage_[stages - 1].angle);
    if (const double first = std::min({stick.x, normal.x, release.x}); first < infinity) {
      const StepEnd event = stick.x == first ? StepEnd::stick : normal.x == first ? StepEnd::normal : StepEnd::release;
      const Crossing& at = event == StepEnd::stick ? stick : event == StepEnd::normal ? normal : release;
      if (reach(variable, h, at, event)) {
        if (event == StepEnd::release) s_.energy = s_.least_energy;
        return event == StepEnd::stick    ? Stop::mode_ends
               : event == StepEnd::normal ? Stop::normal_turns
                                          : Stop::separates;
      }
      fresh = variable == Variable::impulse;
      continue;
    }
    accept(variable, h);
    old = taken;
    double growth = estimate > 0.0 ? 0.85 * std::pow(allowed / estimate, 1.0 / 9.0) : 5.0;
    growth = std::clamp(growth, 0.2, 3.0);
    if (turned_by > 0.0) growth = std::min(growth, std::max(rotation_limit / turned_by, 0.3));
    h *= growth;
    if (variable == Variable::root_energy)  // the distance to E = 0 is the natural length
      h = -std::min(-h * std::sqrt(s_.energy / energy_before),
                    (s_.energy > 0.01 * s_.energy_scale ? early_root_limit : root_limit) * std::sqrt(s_.energy));
  }
  return Stop::gives_up;
}

}  // namespace

Stop follow_stiff_slip(const Scaled& problem, State& state, Observer* observer) {
  return Slip(problem, state, observer).follow();
}

}  // namespace carom::compliant
