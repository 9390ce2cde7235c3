#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "carom/core/error.hpp"
#include "carom/core/linear_algebra.hpp"

#include "simultaneous/system.hpp"
#include "system.hpp"

namespace carom {

namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

/// Contacts struck one at a time approach ever more slowly when they are not elastic; below this share of the first
/// speed they are at rest.
constexpr double rest_share = 1e-12;

/// The impacts of a row: 41 ratios and at most 24 orders. Who asks for more is allowed more work in proportion.
constexpr double usual_outcomes = 65.0;

void require_valid(const MultipointProblem& problem, const MultipointSprings& springs) {
  multipoint::require_valid(problem);
  const auto contacts = static_cast<std::size_t>(problem.jacobian.rows() / problem.dimension);
  if (!springs.stiffness.empty() && springs.stiffness.size() != contacts)
    throw InvalidInput("stiffness", "must be one per contact (" + std::to_string(contacts) + "), got " +
                                        std::to_string(springs.stiffness.size()));
  for (std::size_t k = 0; k < springs.stiffness.size(); ++k)
    require_positive("stiffness[" + std::to_string(k) + "]", springs.stiffness[k]);
  if (springs.exponent != 1.0 && springs.exponent != 1.5)
    throw InvalidInput("exponent", "must be 1 or 1.5, got " + number_text(springs.exponent));
  if (springs.eta0) require_positive("eta0", *springs.eta0);
  require_between("tolerance", springs.tolerance, 1e-14, 1e-2);
}

std::vector<double> stiffness_of(const MultipointProblem& problem, const MultipointSprings& springs) {
  const auto contacts = static_cast<std::size_t>(problem.jacobian.rows() / problem.dimension);
  return springs.stiffness.empty() ? std::vector<double>(contacts, 1.0) : springs.stiffness;
}

/// The contacts that take part, as springs.
class Sprung {
public:
  Sprung(const MultipointProblem& problem, const MultipointSprings& springs, const multipoint::System& system)
      : problem_(problem), springs_(springs), system_(system), factor_(factor()) {}

  struct Answer {
    VectorXd impulses;  // of the system, scaled; as the energies
    double restitution_loss = 0.0, friction_loss = 0.0, residual = 0.0;
    bool finished = true;
    bool in_cones = true;
  };

  /// Impulses of the springs of these contacts (numbers in the system) for contact velocities v.
  Answer strike(const std::vector<Index>& contacts, const VectorXd& v, const std::vector<double>& stiffness,
                simultaneous::Work& work) const {
    const Index d = system_.dimension;
    Answer answer{VectorXd::Zero(v.size())};
    double speed = 0.0, admittance = 0.0, stiffest = 0.0;
    MatrixXd columns(factor_.rows(), 3 * static_cast<Index>(contacts.size()));
    std::vector<Eigen::Vector3d> u;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const Index c = contacts[i];
      speed = std::max(speed, -v[system_.normal(c)]);
      admittance = std::max(admittance, system_.w(system_.normal(c), system_.normal(c)));
      stiffest = std::max(stiffest, stiffness[original(c)]);
      columns.middleCols(3 * static_cast<Index>(i), 3) = factor_.middleCols(3 * c, 3);
      u.emplace_back(v[system_.tangent(c)], d == 3 ? v[system_.tangent(c) + 1] : 0.0, v[system_.normal(c)]);
    }
    if (!(speed > 0.0)) return answer;
    const simultaneous::Factor factor(columns);
    const double friction_reach = simultaneous::friction_reach(factor);
    std::vector<simultaneous::Spring> scaled;
    for (const Index c : contacts) {
      const std::size_t k = original(c);
      const double e = std::max(problem_.restitution[problem_.restitution.size() == 1 ? 0 : k], smallest_restitution);
      simultaneous::Spring spring;
      spring.k = stiffness[k] / stiffest;
      spring.p = springs_.exponent;
      spring.e2 = e * e;
      spring.mu = simultaneous::effective_friction(system_.mu_d(c), friction_reach);
      const bool rigid = !springs_.eta0 || *springs_.eta0 < rigid_simultaneous_eta0;
      spring.eta2 = !rigid && spring.mu > 0.0 ? *springs_.eta0 * *springs_.eta0 : 0.0;
      scaled.push_back(spring);
    }
    simultaneous::Outcome out = solve(factor, scaled, u, 1.0 / admittance, speed, work);
    answer.in_cones = simultaneous::put_into_cones(factor, scaled, 1.0 / admittance, springs_.tolerance, out.impulse);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const Eigen::Vector3d p = out.impulse[i] * (speed / admittance);
      const Index at = system_.tangent(contacts[i]);
      answer.impulses.segment(at, d) = d == 3 ? VectorXd(p) : VectorXd(Eigen::Vector2d(p.x(), p.z()));
    }
    const double energy = speed * speed / admittance;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      answer.restitution_loss += energy * (1.0 - scaled[i].e2) * out.state[i].absorbed;
      answer.friction_loss += energy * out.friction_work[i];
    }
    answer.residual = energy * out.residual;
    answer.finished = out.finished;
    return answer;
  }

  std::size_t original(Index contact) const {
    return static_cast<std::size_t>(system_.original[static_cast<std::size_t>(contact)]);
  }

private:
  simultaneous::Outcome solve(const simultaneous::Factor& factor, const std::vector<simultaneous::Spring>& springs,
                              const std::vector<Eigen::Vector3d>& u, double mass, double speed,
                              simultaneous::Work& work) const {
    simultaneous::Log log;
    std::vector<std::size_t> order(springs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (std::any_of(springs.begin(), springs.end(), [](const simultaneous::Spring& s) { return s.mu > 0.0; }))
      return solve_flow(simultaneous::System<3>(factor, order, springs, u, mass, speed), springs_.tolerance, work, log);
    const simultaneous::System<1> system(factor, order, springs, u, mass, speed);
    return springs_.exponent > 1.0 ? solve_flow(system, springs_.tolerance, work, log)
                                   : solve_series(system, work, log);
  }

  bool rubs() const {
    const auto& friction = system_.dynamic_friction;
    return std::any_of(friction.begin(), friction.end(), [](double mu) { return mu > 0.0; });
  }

  /// F with W = F^T F, three columns per contact, as few rows as its rank. A planar contact has no second tangent; it
  /// is given one of its own that nothing pushes, so that friction finds every direction movable.
  MatrixXd factor() const {
    const bool planar = system_.dimension == 2;
    const SymmetricEigen eigen = symmetric_eigen(system_.w);
    const Index extra = planar && rubs() ? system_.contacts : 0;
    const Index rank = (eigen.values.array() > multipoint::rank_tolerance * multipoint::rank_tolerance).count();
    const MatrixXd half = eigen.values.tail(rank).cwiseSqrt().asDiagonal() * eigen.vectors.rightCols(rank).transpose();
    if (!planar) return half;
    MatrixXd wide = MatrixXd::Zero(rank + extra, 3 * system_.contacts);
    for (Index c = 0; c < system_.contacts; ++c) {
      wide.col(3 * c).head(rank) = half.col(2 * c);
      wide.col(3 * c + 2).head(rank) = half.col(2 * c + 1);
      if (extra > 0) wide(rank + c, 3 * c + 1) = 1.0;
    }
    return wide;
  }

  const MultipointProblem& problem_;
  const MultipointSprings& springs_;
  const multipoint::System& system_;
  MatrixXd factor_;
};

std::vector<Index> all_contacts(const multipoint::System& system) {
  std::vector<Index> list(static_cast<std::size_t>(system.contacts));
  std::iota(list.begin(), list.end(), Index{0});
  return list;
}

/// The orders of striking to try.
std::vector<std::vector<Index>> orders_of(const multipoint::System& system) {
  std::vector<Index> order = all_contacts(system);
  std::vector<std::vector<Index>> orders;
  if (system.contacts <= max_ordered_contacts) {
    do orders.push_back(order);
    while (std::next_permutation(order.begin(), order.end()));
  } else {
    orders = {order, {order.rbegin(), order.rend()}};
  }
  return orders;
}

VectorXd velocity_of(const MultipointProblem& problem, const multipoint::System& system, const VectorXd& impulses) {
  return problem.velocity + system.response * (impulses * system.impulse);
}

/// The contacts one at a time, in this order, again and again until none approaches.
Sprung::Answer in_turn(const Sprung& sprung, const multipoint::System& system, const std::vector<Index>& order,
                       const std::vector<double>& stiffness, simultaneous::Work& work) {
  Sprung::Answer sum{VectorXd::Zero(system.v.size())};
  VectorXd v = system.v;
  while (work.left()) {
    bool struck = false;
    for (const Index c : order) {
      if (!(v[system.normal(c)] < -rest_share)) continue;
      const Sprung::Answer one = sprung.strike({c}, v, stiffness, work);
      sum.impulses += one.impulses;
      if (!one.finished) sum.finished = false;
      v = system.after(sum.impulses);
      struck = true;
    }
    if (!struck) return sum;
  }
  sum.finished = false;
  return sum;
}

}  // namespace

MultipointImpact multipoint_compliant(const MultipointProblem& problem, const MultipointSprings& springs) {
  require_valid(problem, springs);
  MultipointImpact impact;
  const multipoint::System system = multipoint::make_system(problem, impact.removed);
  if (system.contacts == 0 || system.speed == 0.0) {
    impact.solutions.push_back(multipoint::unchanged(problem));
    return impact;
  }
  const Sprung sprung(problem, springs, system);
  simultaneous::Work work(max_multipoint_work);
  const Sprung::Answer answer = sprung.strike(all_contacts(system), system.v, stiffness_of(problem, springs), work);
  std::vector<bool> pressed;
  for (Index c = 0; c < system.contacts; ++c) pressed.push_back(answer.impulses[system.normal(c)] > 0.0);
  MultipointSolution solution = multipoint::make_solution(problem, system, answer.impulses, pressed);
  const double energy = system.impulse * system.speed;
  solution.energy.restitution_loss = energy * answer.restitution_loss;  // known, unlike those of rigid contacts
  solution.energy.friction_loss = energy * answer.friction_loss;
  solution.energy.residual = energy * answer.residual;
  solution.friction_gain = false;
  const auto count = std::count(pressed.begin(), pressed.end(), true);
  solution.status = count > 0 && static_cast<std::ptrdiff_t>(solution.sticking.size()) == count
                        ? MultipointStatus::stick
                        : MultipointStatus::slip;
  // Where the caller wants less, the ledger closes less well.
  multipoint::note_flags(problem, system, solution, impact.flags, std::max(law_accuracy, 10.0 * springs.tolerance));
  impact.solutions.push_back(std::move(solution));
  impact.flags.set(Flag::event_limit, !answer.finished);
  if (!answer.finished) impact.solutions.back().verdict = Verdict::event_limit;
  if (!answer.in_cones) impact.flags.set(Flag::ill_conditioned);
  return impact;
}

MultipointOutcomes multipoint_outcomes(const MultipointProblem& problem, const MultipointSprings& springs,
                                       const StiffnessSweep& sweep) {
  require_valid(problem, springs);
  if (!(sweep.low > 0.0 && sweep.high > sweep.low && std::isfinite(sweep.high)))
    throw InvalidInput("stiffness_range",
                       "must be positive and rising, got " + number_text(sweep.low) + " to " + number_text(sweep.high));
  if (sweep.samples < 2) throw InvalidInput("samples", "must be >= 2, got " + std::to_string(sweep.samples));
  MultipointOutcomes outcomes;
  std::vector<int> removed;
  const multipoint::System system = multipoint::make_system(problem, removed);
  const bool still = system.contacts == 0 || system.speed == 0.0;
  const std::vector<double> base = stiffness_of(problem, springs);
  const std::size_t swept = problem.examine ? static_cast<std::size_t>(*problem.examine) : base.size() - 1;

  std::optional<Sprung> sprung;
  std::vector<std::vector<Index>> orders;
  if (!still) {
    sprung.emplace(problem, springs, system);
    orders = orders_of(system);
  }
  // Of the work that is left, each impact still to come may use an equal share.
  std::size_t to_come = static_cast<std::size_t>(sweep.samples) + orders.size();
  double left = max_multipoint_work * std::max(1.0, static_cast<double>(to_come) / usual_outcomes);
  const auto limited = [&](const auto& impact) {
    simultaneous::Work work(left / static_cast<double>(to_come--));
    Sprung::Answer answer = impact(work);
    left = std::max(left - work.spent(), 0.0);
    return answer;
  };
  const double span = std::log(sweep.high / sweep.low);
  for (int i = 0; i < sweep.samples; ++i) {
    const double ratio = i == sweep.samples - 1 ? sweep.high : sweep.low * std::exp(span * i / (sweep.samples - 1));
    std::vector<double> stiffness = base;
    stiffness[swept] *= ratio;
    require_positive("stiffness_range", stiffness[swept]);
    if (still) {
      outcomes.by_ratio.push_back({ratio, problem.velocity, false});
      continue;
    }
    const Sprung::Answer answer = limited(
        [&](simultaneous::Work& work) { return sprung->strike(all_contacts(system), system.v, stiffness, work); });
    outcomes.by_ratio.push_back({ratio, velocity_of(problem, system, answer.impulses), !answer.finished});
  }
  for (const std::vector<Index>& order : orders) {
    const Sprung::Answer answer =
        limited([&](simultaneous::Work& work) { return in_turn(*sprung, system, order, base, work); });
    std::vector<int> names;
    for (const Index c : order) names.push_back(static_cast<int>(sprung->original(c)));
    outcomes.by_order.push_back({names, velocity_of(problem, system, answer.impulses), !answer.finished});
  }
  outcomes.low = outcomes.high = outcomes.by_ratio.front().velocity;
  const auto widen = [&](const VectorXd& v) {
    outcomes.low = outcomes.low.cwiseMin(v), outcomes.high = outcomes.high.cwiseMax(v);
  };
  for (const auto& outcome : outcomes.by_ratio) widen(outcome.velocity);
  for (const auto& outcome : outcomes.by_order) widen(outcome.velocity);
  return outcomes;
}

}  // namespace carom
