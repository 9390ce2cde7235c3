#include "carom/impact/impulse_steps.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "carom/core/contact_graph.hpp"
#include "carom/core/error.hpp"
#include "carom/core/text.hpp"

namespace carom {

namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

/// Newton's method for the start ratios: steps, and when they count as settled, relative to themselves. Down a chain
/// they fall by many orders of ten, and Newton's method falls by half a step, so it takes some hundred.
constexpr int newton_limit = 1000;
constexpr double newton_tolerance = 1e-10;
/// The primary contact of a start is chosen anew at most so often (the text: once).
constexpr int primary_limit = 8;
/// Kinetic energy above this share of the initial one counts as a gain; below it is rounding.
constexpr double energy_gain_tolerance = 1e-12;

/// One contact on its way.
struct Spring {
  double k = 1.0, p = 1.0, e = 1.0, mu = 0.0;
  double energy = 0.0;
  bool active = false, restitution = false, sticks = false, pressed = false;

  /// The force that goes with the energy. After compression k is k e^(-2p), so that the force does not jump when the
  /// energy falls to e^2 of itself: k/e^2 for linear springs, as in the text.
  double force(double of) const {
    const double stiffness = restitution ? k * std::pow(e, -2.0 * p) : k;
    return stiffness * std::pow((p + 1.0) * of / stiffness, p / (p + 1.0));
  }
};

class Stepper {
public:
  Stepper(const SimultaneousProblem& problem, const ImpulseSteps& how, const ContactGraph& graph,
          ImpulseStepsImpact& out)
      : w_(graph.dense()), how_(how), out_(out), count_(problem.contacts.size()) {
    const std::vector<Eigen::Vector3d> u = graph.velocities(problem.bodies);
    u_.resize(static_cast<Eigen::Index>(3 * count_));
    for (std::size_t c = 0; c < count_; ++c) u_.segment<3>(at(c)) = u[c];
    impulse_ = VectorXd::Zero(u_.size());
    for (const SpringContact& contact : problem.contacts)
      springs_.push_back({contact.stiffness, contact.exponent,
                          std::max(contact.material.restitution, smallest_restitution), contact.material.friction});
    for (std::size_t c = 0; c < count_; ++c) fastest_ = std::max(fastest_, -normal(c));
    out_.contacts.resize(count_);
  }

  void run() {
    if (!(fastest_ > 0.0)) return;
    out_.verdict = Verdict::separated;
    // All contacts of the list are active at first, also those at rest; those that part are not.
    for (std::size_t c = 0; c < count_; ++c)
      if (normal(c) <= 0.0) activate(c);
    while (any_active()) {
      if (!begin()) break;
      bool changed = false;
      while (!changed) {
        if (out_.steps * count_ > max_impulse_step_work) {
          out_.verdict = Verdict::event_limit;
          out_.flags.set(Flag::event_limit);
          return;
        }
        if (!stores()) break;  // nobody pushes any more: from the start equations again
        advance(shares());
        changed = update();
      }
    }
  }

  Eigen::Vector3d impulse(std::size_t c) const { return impulse_.segment<3>(at(c)); }
  double residual() const {
    double sum = 0.0;
    for (const Spring& s : springs_) sum += s.energy;
    return sum;
  }

private:
  static Eigen::Index at(std::size_t c) { return static_cast<Eigen::Index>(3 * c); }
  static Eigen::Index n_at(std::size_t c) { return static_cast<Eigen::Index>(3 * c + 2); }
  double normal(std::size_t c) const { return u_[n_at(c)]; }
  Vector2d slip(std::size_t c) const { return u_.segment<2>(at(c)); }
  bool any_active() const {
    return std::any_of(springs_.begin(), springs_.end(), [](const Spring& s) { return s.active; });
  }

  bool stores() const {
    return std::any_of(springs_.begin(), springs_.end(), [](const Spring& s) { return s.active && s.energy > 0.0; });
  }

  void activate(std::size_t c) {
    Spring& s = springs_[c];
    s.active = true;
    s.restitution = s.pressed = false;
    s.energy = 0.0;
    s.sticks = slip(c).norm() <= how_.stick_share * fastest_;
  }

  void tell(EventType type, std::size_t c) {
    out_.events.push_back({type, c, static_cast<double>(out_.steps), impulse(c)});
  }

  /// The first step of a period: shares from the start equations. False if nothing would move.
  bool begin() {
    // The primary contact: the one that pushes hardest, or, where none does yet, that approaches fastest.
    std::size_t primary = count_;
    double most = 0.0;
    for (std::size_t c = 0; c < count_; ++c)
      if (springs_[c].active && springs_[c].energy > 0.0 && springs_[c].force(springs_[c].energy) > most)
        most = springs_[c].force(springs_[c].energy), primary = c;
    if (primary == count_)
      for (std::size_t c = 0; c < count_; ++c)
        if (springs_[c].active && -normal(c) > most) most = -normal(c), primary = c;
    if (primary == count_) {  // nobody approaches, and nothing is stored
      for (Spring& s : springs_) s.active = false;
      return false;
    }
    VectorXd ratio;
    for (int i = 0; i < primary_limit; ++i) {
      ratio = start_ratios(primary);
      Eigen::Index largest = 0;
      if (!(ratio.maxCoeff(&largest) > 1.0 + newton_tolerance)) break;  // the text: "if any exceeds 1"
      primary = static_cast<std::size_t>(largest);
    }
    if (out_.start_ratios.empty()) out_.start_ratios.assign(ratio.begin(), ratio.end());
    if (primary_ != count_ && primary_ != primary && out_.steps > 0) ++out_.primary_changes;
    primary_ = primary;
    // Energies of the first step come with the ratios: rates at its start would leave contacts at rest without any.
    advance(ratio, true);
    update();
    return true;
  }

  /// The energy of a contact after a first step with these shares (eq. 3.9 with c = delta^2/2 and present velocities).
  double energy_after(std::size_t c, const VectorXd& ratio) const {
    double pull = 0.0;
    for (std::size_t k = 0; k < count_; ++k) pull += w_(n_at(c), n_at(k)) * ratio[static_cast<Eigen::Index>(k)];
    const double d = how_.step, r = ratio[static_cast<Eigen::Index>(c)];
    return springs_[c].energy - d * r * (normal(c) + 0.5 * d * pull);
  }

  /// Newton's method for eq. 3.10: the square of the ratio of forces is that of the stiffnesses and energies; in the
  /// forces themselves for any exponent.
  VectorXd start_ratios(std::size_t primary) const {
    VectorXd ratio = VectorXd::Zero(static_cast<Eigen::Index>(count_));
    std::vector<std::size_t> open;
    for (std::size_t c = 0; c < count_; ++c) {
      if (!springs_[c].active || c == primary) continue;
      open.push_back(c);
      const bool stored = springs_[c].energy > 0.0 || normal(c) < 0.0;
      ratio[static_cast<Eigen::Index>(c)] = how_.start == ImpulseStart::printed && !stored ? 0.0 : 1.0;
    }
    ratio[static_cast<Eigen::Index>(primary)] = 1.0;
    const auto n = static_cast<Eigen::Index>(open.size());
    if (n == 0) return ratio;
    // (F_c / F_p)^((p+1)/p) E-like form keeps the equations polynomial for equal linear springs: rho^2 k_p E_p = k_c
    // E_c.
    const auto residual = [&](const VectorXd& r) {
      VectorXd f(n);
      const double own = std::max(energy_after(primary, r), 0.0), push = springs_[primary].force(own);
      for (Eigen::Index i = 0; i < n; ++i) {
        const std::size_t c = open[static_cast<std::size_t>(i)];
        const Spring& s = springs_[c];
        const double power = (s.p + 1.0) / s.p, stiffness = s.restitution ? s.k * std::pow(s.e, -2.0 * s.p) : s.k;
        // E = (F/k)^(1/p) F / (p+1)
        const double wanted = push * std::abs(r[static_cast<Eigen::Index>(c)]);
        f[i] = std::pow(wanted, power) / (std::pow(stiffness, 1.0 / s.p) * (s.p + 1.0)) - energy_after(c, r);
      }
      return f;
    };
    for (int i = 0; i < newton_limit; ++i) {
      const VectorXd f = residual(ratio);
      MatrixXd slope(n, n);
      for (Eigen::Index j = 0; j < n; ++j) {
        const auto c = static_cast<Eigen::Index>(open[static_cast<std::size_t>(j)]);
        const double h = 1e-6 * (ratio[c] > 0.0 ? ratio[c] : 1.0);
        VectorXd beside = ratio;
        beside[c] += h;
        const VectorXd up = residual(beside);
        beside[c] -= 2.0 * h;
        slope.col(j) = (up - residual(beside)) / (2.0 * h);
      }
      // Every equation in the size of its own terms.
      const VectorXd size = slope.rowwise().lpNorm<Eigen::Infinity>();
      for (Eigen::Index j = 0; j < n; ++j)
        if (size[j] > 0.0) slope.row(j) /= size[j];
      const VectorXd change =
          slope.partialPivLu().solve(f.cwiseQuotient(size.cwiseMax(std::numeric_limits<double>::min())));
      if (!change.allFinite()) break;
      bool settled = true;
      for (Eigen::Index j = 0; j < n; ++j) {
        double& r = ratio[static_cast<Eigen::Index>(open[static_cast<std::size_t>(j)])];
        settled = settled && std::abs(change[j]) <= newton_tolerance * r;
        r = std::max(r - change[j], 0.0);
      }
      if (settled) break;
    }
    return ratio;
  }

  /// Shares of a later step, from the forces (eqs. 3.5 and 3.11). The contact that pushes hardest becomes the primary
  /// one.
  VectorXd shares() {
    VectorXd force = VectorXd::Zero(static_cast<Eigen::Index>(count_));
    for (std::size_t c = 0; c < count_; ++c)
      if (springs_[c].active && springs_[c].energy > 0.0)
        force[static_cast<Eigen::Index>(c)] = springs_[c].force(springs_[c].energy);
    Eigen::Index largest = 0;
    const double most = force.maxCoeff(&largest);
    if (static_cast<std::size_t>(largest) != primary_) {
      primary_ = static_cast<std::size_t>(largest);
      ++out_.primary_changes;
    }
    return force / most;
  }

  /// One step: normal impulses by their shares, friction, velocities, energies.
  void advance(const VectorXd& ratio, bool first = false) {
    VectorXd more = VectorXd::Zero(u_.size());
    for (std::size_t c = 0; c < count_; ++c) more[n_at(c)] = how_.step * ratio[static_cast<Eigen::Index>(c)];
    add_friction(more);
    std::vector<double> energy(count_);
    for (std::size_t c = 0; c < count_; ++c)
      energy[c] = first ? energy_after(c, ratio) : springs_[c].energy - more[n_at(c)] * normal(c);
    impulse_ += more;
    u_ += w_ * more;
    for (std::size_t c = 0; c < count_; ++c)
      if (springs_[c].active) springs_[c].energy = std::max(energy[c], springs_[c].energy > 0.0 ? energy[c] : 0.0);
    ++out_.steps;
  }

  /// Friction of a step: sticking contacts keep their slip at zero as far as the cone lets them, the others oppose it.
  void add_friction(VectorXd& more) const {
    std::vector<std::size_t> held;
    for (std::size_t c = 0; c < count_; ++c) {
      const Spring& s = springs_[c];
      if (!s.active || s.mu == 0.0 || more[n_at(c)] == 0.0) continue;
      if (s.sticks) {
        held.push_back(c);
        continue;
      }
      const Vector2d u = slip(c);
      if (u.norm() > 0.0) more.segment<2>(at(c)) = -s.mu * more[n_at(c)] / u.norm() * u;
    }
    if (held.empty()) return;
    // Two equations a contact (the text counts three): the tangential increments of velocity vanish.
    const auto n = static_cast<Eigen::Index>(2 * held.size());
    MatrixXd a(n, n);
    VectorXd b(n);
    const VectorXd moved = w_ * more;
    for (std::size_t i = 0; i < held.size(); ++i) {
      b.segment<2>(static_cast<Eigen::Index>(2 * i)) = -moved.segment<2>(at(held[i])) - slip(held[i]);
      for (std::size_t j = 0; j < held.size(); ++j)
        a.block<2, 2>(static_cast<Eigen::Index>(2 * i), static_cast<Eigen::Index>(2 * j)) =
            w_.block<2, 2>(at(held[i]), at(held[j]));
    }
    const VectorXd hold = a.completeOrthogonalDecomposition().solve(b);
    for (std::size_t i = 0; i < held.size(); ++i) {
      Vector2d t = hold.segment<2>(static_cast<Eigen::Index>(2 * i));
      const double most = springs_[held[i]].mu * more[n_at(held[i])];
      if (t.norm() > most) t *= most / t.norm();  // eq. 3.22
      more.segment<2>(at(held[i])) = t;
    }
  }

  /// Ends of compression and restitution, new contacts, stick and slip. True if the set of active contacts changed.
  bool update() {
    bool changed = false;
    for (std::size_t c = 0; c < count_; ++c) {
      Spring& s = springs_[c];
      if (s.active) {
        if (s.energy > 0.0 && !s.pressed) {
          s.pressed = true;
          ++out_.contacts[c].compressions;
          tell(EventType::closes, c);
        }
        if (s.pressed && !s.restitution && normal(c) >= 0.0) {
          out_.contacts[c].restitution_loss += (1.0 - s.e * s.e) * s.energy;
          s.energy *= s.e * s.e;
          s.restitution = true;
          tell(EventType::compression_ends, c);
        }
        if ((s.pressed && s.energy <= 0.0) || (!s.pressed && normal(c) > 0.0)) {
          if (s.pressed) tell(EventType::separates, c);
          s.active = false;
          s.energy = 0.0;
          changed = true;
          continue;
        }
        s.sticks = slip(c).norm() <= how_.stick_share * fastest_;
      } else if (normal(c) < -sequential_share * fastest_) {  // line 13 of Algorithm 2, which asks for v_i = v_j
        activate(c);
        changed = true;
      }
    }
    return changed;
  }

  /// A contact that approaches more slowly than this share of the fastest approach is left alone.
  static constexpr double sequential_share = 1e-9;

  const MatrixXd w_;
  const ImpulseSteps how_;
  ImpulseStepsImpact& out_;
  const std::size_t count_;
  VectorXd u_, impulse_;
  std::vector<Spring> springs_;
  double fastest_ = 0.0;
  std::size_t primary_ = 0;
};

double total_energy(const std::vector<Body>& bodies) {
  double sum = 0.0;
  for (const Body& body : bodies) sum += kinetic_energy(body);
  return sum;
}

}  // namespace

ImpulseStepsImpact impact_by_impulse_steps(const SimultaneousProblem& problem, const ImpulseSteps& how) {
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const std::string name = "contacts[" + std::to_string(c) + "]";
    const SpringContact& contact = problem.contacts[c];
    try {
      require_valid(contact.material);
      require_positive("stiffness", contact.stiffness);
    } catch (const InvalidInput& error) {
      throw InvalidInput(name + "." + error.field(), error.message());
    }
    if (contact.exponent != 1.0 && contact.exponent != 1.5)
      throw InvalidInput(name + ".exponent", "must be 1 or 1.5, got " + number_text(contact.exponent));
    if (contact.eta0) throw InvalidInput(name + ".eta0", "must be left out: impulse steps know rigid friction only");
  }
  if (problem.contacts.size() > max_impulse_step_contacts)
    throw InvalidInput("contacts", "must be at most " + std::to_string(max_impulse_step_contacts) +
                                       " for impulse steps, got " + std::to_string(problem.contacts.size()));
  require_positive("step", how.step);
  if (!(how.stick_share >= 0.0 && std::isfinite(how.stick_share)))
    throw InvalidInput("stick_share", "must be >= 0, got " + number_text(how.stick_share));
  const std::vector<PairContact> pairs(problem.contacts.begin(), problem.contacts.end());
  const ContactGraph graph(problem.bodies, pairs);

  ImpulseStepsImpact impact;
  impact.bodies = problem.bodies;
  impact.energy.before = impact.energy.after = total_energy(problem.bodies);
  Stepper stepper(problem, how, graph, impact);
  stepper.run();
  std::vector<Eigen::Vector3d> impulses;
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) impulses.push_back(stepper.impulse(c));
  graph.apply(impulses, impact.bodies);
  impact.energy.after = total_energy(impact.bodies);
  impact.energy.residual = stepper.residual();
  const std::vector<Eigen::Vector3d> u = graph.velocities(impact.bodies);
  for (std::size_t c = 0; c < impact.contacts.size(); ++c) {
    impact.contacts[c].impulse = graph.edges()[c].frame * impulses[c];
    impact.contacts[c].velocity_after = graph.edges()[c].frame * u[c];
    impact.energy.restitution_loss += impact.contacts[c].restitution_loss;
  }
  for (SimultaneousEvent& event : impact.events) event.impulse = graph.edges()[event.contact].frame * event.impulse;
  impact.energy.friction_loss =
      impact.energy.before - impact.energy.after - impact.energy.restitution_loss - impact.energy.residual;
  impact.flags.set(Flag::energy_gain, impact.energy.after > impact.energy.before * (1.0 + energy_gain_tolerance));
  return impact;
}

}  // namespace carom
