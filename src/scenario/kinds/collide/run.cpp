#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "carom/core/mechanical_system.hpp"
#include "carom/impact/sequential.hpp"

#include "collide.hpp"
#include "kind.hpp"
#include "parts/impact.hpp"

namespace carom::scenario {

namespace {

/// Velocities that differ by less than this share of the fastest one are alike in a table.
constexpr double alike = 1e-9;

/// Orders of contact to try for the spread of pairwise collisions, beside the list's and its reverse.
constexpr int shuffles = 200;

/// Samples of the impact to draw: about a pixel apart, and as many at events. Of very many contacts fewer, as far as
/// some hundred megabytes reach: a sample holds all contacts.
constexpr std::size_t path_points = 1500, least_path_points = 200, sampled_contacts = 2'000'000;

SimultaneousProblem problem_of(const CollideScenario& scenario, const Arrangement& arrangement, CollideMethod method) {
  SimultaneousProblem problem;
  for (const NamedBody& body : arrangement.bodies) problem.bodies.push_back(body.body);
  problem.contacts = arrangement.contacts;
  for (std::size_t k = 0; k < problem.contacts.size(); ++k) {
    SpringContact& contact = problem.contacts[k];
    const ListedContact own = scenario.contacts ? (*scenario.contacts)[k] : ListedContact{};
    contact.exponent = own.springs.value_or(method) == CollideMethod::hertz ? 1.5 : 1.0;
    const Body &a = problem.bodies[contact.first], &b = problem.bodies[contact.second];
    const double approach = -contact.normal.dot(velocity_at(a, contact.point) - velocity_at(b, contact.point));
    contact.material = own.material.value_or(scenario.material).at(approach);
    contact.eta0 = scenario.eta0;
  }
  problem.tolerance = scenario.tolerance;
  return problem;
}

MotionPlane plane_of(const Arrangement& arrangement) {
  return {Eigen::Vector3d::Unit(arrangement.view[0]), Eigen::Vector3d::Unit(arrangement.view[1])};
}

/// For the rigid methods: in the plane of the view, or in space.
MultipointProblem rigid_problem(const Arrangement& arrangement, const CollideScenario& scenario,
                                const SimultaneousProblem& problem) {
  const std::vector<PairContact> contacts(problem.contacts.begin(), problem.contacts.end());
  MultipointProblem rigid;
  static_cast<MechanicalSystem&>(rigid) = arrangement.planar
                                              ? system_of(problem.bodies, contacts, plane_of(arrangement))
                                              : system_of(problem.bodies, contacts);
  rigid.dimension = arrangement.planar ? 2 : 3;
  for (const SpringContact& contact : problem.contacts) {
    const double friction = contact.material.friction;
    rigid.restitution.push_back(contact.material.restitution);
    rigid.frictions.push_back({scenario.static_friction.value_or(friction), friction});
  }
  return rigid;
}

/// The bodies with the velocities of the rigid problem.
std::vector<Body> bodies_after(const CollideRun& run, const Eigen::VectorXd& velocity) {
  std::vector<Body> bodies = run.problem.bodies;
  run.arrangement.planar ? set_velocities(bodies, velocity, plane_of(run.arrangement))
                         : set_velocities(bodies, velocity);
  return bodies;
}

MethodAnswer answer_of(std::string name, std::string detail, const SimultaneousImpact& impact) {
  return {std::move(name), std::move(detail), impact.bodies, impact.energy, flag_list(impact.flags)};
}

/// Velocities and spins that are zero but for rounding, or for the error asked for, are shown as zero.
void tidy(CollideRun& run) {
  double speed = fastest(run.problem.bodies), spin = 0.0;
  for (const SpringContact& c : run.problem.contacts)
    for (const std::size_t body : {c.first, c.second})
      if (const double arm = (c.point - run.problem.bodies[body].position).norm();
          arm > 0.0 && !run.problem.bodies[body].immovable)
        spin = std::max(spin, speed / arm);
  for (const Body& body : run.problem.bodies) spin = std::max(spin, body.angular_velocity.norm());
  const auto clean = [&](Eigen::Vector3d& v, double size) {
    for (double& x : v)
      if (std::abs(x) <= run.problem.tolerance * size) x = 0.0;
  };
  for (MethodAnswer& answer : run.answers)
    for (Body& body : answer.bodies) clean(body.velocity, speed), clean(body.angular_velocity, spin);
}

void add_sequential(const CollideScenario& scenario, CollideRun& run) {
  std::vector<std::size_t> order(run.problem.contacts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!scenario.order.empty()) order.assign(scenario.order.begin(), scenario.order.end());
  const SimultaneousImpact first = sequential_impact(run.problem, order);
  const std::string given =
      scenario.order.empty() ? "contacts as listed, again and again" : "contacts in the order given";
  run.answers.push_back(answer_of("sequential", given, first));
  std::reverse(order.begin(), order.end());
  const SimultaneousImpact reversed = sequential_impact(run.problem, order);
  if (largest_difference(first.bodies, reversed.bodies) > alike * fastest(run.problem.bodies))
    run.answers.push_back(answer_of("sequential, reversed", "the same contacts in the opposite order", reversed));

  // Every component of every body over all orders tried: least and greatest.
  std::vector<std::vector<Body>> outcomes = {first.bodies, reversed.bodies};
  std::mt19937_64 rng(1);
  for (int i = 0; i < shuffles; ++i) {
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[rng() % k]);
    outcomes.push_back(sequential_impact(run.problem, order).bodies);
  }
  double spread = 0.0;
  for (std::size_t b = 0; b < run.problem.bodies.size(); ++b) {
    Eigen::Vector3d low = outcomes[0][b].velocity, high = low;
    for (const auto& bodies : outcomes) {
      low = low.cwiseMin(bodies[b].velocity);
      high = high.cwiseMax(bodies[b].velocity);
    }
    spread = std::max(spread, (high - low).maxCoeff());
  }
  run.order_spread = spread;
}

void add_rigid(const MultipointProblem& problem, CollideMethod method, CollideRun& run) {
  const bool lcp = method == CollideMethod::lcp;
  const MultipointImpact impact = lcp ? multipoint_lcp(problem) : multipoint_rodriguez(problem);
  const std::size_t count = impact.solutions.size();
  if (count == 0) {
    run.answers.push_back({name(method), lcp ? "no solution" : "no contact left to examine", {}, {}, ""});
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const MultipointSolution& s = impact.solutions[i];
    MethodAnswer answer;
    answer.name = name(method);
    if (s.examined)
      answer.name += ", " + run.arrangement.contact_names[static_cast<std::size_t>(*s.examined)];
    else if (count > 1)
      answer.name += " " + std::to_string(i + 1);
    answer.detail = name(s.status);
    if (lcp)
      answer.detail += impact.exhaustive ? ", solution " + std::to_string(i + 1) + " of " + std::to_string(count)
                                         : ", found " + std::to_string(count) + ", not exhaustive";
    else
      answer.detail += s.required_friction
                           ? ", needs friction " + number_text(std::round(*s.required_friction * 1e6) / 1e6)
                           : ", no split of the impulses pushes everywhere";
    if (!s.coulomb_met) answer.flags = "outside the friction cones";
    const auto flag = [&answer](const char* text) {
      answer.flags += (answer.flags.empty() ? "" : ", ") + std::string(text);
    };
    if (s.flags.has(Flag::energy_gain)) flag("energy_gain");
    if (s.friction_gain) flag("friction_gain");
    answer.friction_law = s.friction_law_met ? "met" : "broken at ";
    for (const int k : s.friction_law_broken_at)
      answer.friction_law += (k == s.friction_law_broken_at.front() ? "" : ", ") +
                             run.arrangement.contact_names[static_cast<std::size_t>(k)];
    answer.energy = s.energy;
    answer.bodies = bodies_after(run, s.velocity);
    answer.rigid = s;
    run.answers.push_back(std::move(answer));
  }
}

/// Over the stiffness of the last contact.
void add_outcomes(const CollideScenario& scenario, const MultipointProblem& problem, CollideRun& run) {
  MultipointSprings springs;
  for (const SpringContact& contact : run.problem.contacts) springs.stiffness.push_back(contact.stiffness);
  springs.exponent = scenario.springs == CollideMethod::hertz ? 1.5 : 1.0;
  springs.eta0 = scenario.eta0;
  springs.tolerance = scenario.tolerance;
  const OutcomeRange& range = *scenario.outcomes;
  run.outcomes = multipoint_outcomes(problem, springs, {range.from, range.to, range.steps});
}

}  // namespace

double largest_difference(const std::vector<Body>& a, const std::vector<Body>& b) {
  double difference = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference = std::max(difference, (a[i].velocity - b[i].velocity).cwiseAbs().maxCoeff());
  return difference;
}

double fastest(const std::vector<Body>& bodies) {
  double speed = 0.0;
  for (const Body& body : bodies) speed = std::max(speed, body.velocity.norm());
  return speed;
}

Arrangement arrangement_of(const CollideScenario& scenario) {
  Arrangement arrangement = scenario.generator ? arrangement_of(*scenario.generator)
                                               : listed_arrangement(*scenario.bodies, *scenario.contacts);
  if (scenario.view) {
    if (*scenario.view != arrangement.view) arrangement.planar = false;
    arrangement.view = *scenario.view;
  }
  return arrangement;
}

CollideRun run_collide(const CollideScenario& scenario, const RunRequest& request) {
  CollideRun run;
  run.arrangement = arrangement_of(scenario);
  run.problem = problem_of(scenario, run.arrangement, scenario.springs);
  if (request.pictures) {
    const std::size_t room = sampled_contacts / std::max<std::size_t>(run.problem.contacts.size(), 1);
    SimultaneousPath path = simultaneous_path(run.problem, std::clamp(room, least_path_points, path_points));
    run.impact = std::move(path.impact);
    run.path = std::move(path.samples);
  } else {
    run.impact = simultaneous_impact(run.problem);
  }
  run.answers.push_back(answer_of(name(scenario.springs), "springs at all contacts at once", run.impact));
  std::vector<CollideMethod> done = {scenario.springs};
  for (const CollideMethod method : scenario.compare) {
    if (std::find(done.begin(), done.end(), method) != done.end()) continue;
    done.push_back(method);
    request.progress.step(static_cast<double>(done.size() - 1) / static_cast<double>(scenario.compare.size() + 1));
    if (method == CollideMethod::sequential)
      add_sequential(scenario, run);
    else if (method == CollideMethod::impulse_steps)
      add_impulse_steps(scenario, run);
    else if (method == CollideMethod::lcp || method == CollideMethod::rodriguez) {
      run.rigid = rigid_problem(run.arrangement, scenario, run.problem);
      add_rigid(*run.rigid, method, run);
    } else if (method == CollideMethod::rigid_friction) {
      SimultaneousProblem problem = run.problem;
      for (SpringContact& contact : problem.contacts) contact.eta0.reset();
      run.answers.push_back(
          answer_of(name(method), "the same springs, none of them sideways", simultaneous_impact(problem)));
    } else
      run.answers.push_back(answer_of(name(method), "springs at all contacts at once",
                                      simultaneous_impact(problem_of(scenario, run.arrangement, method))));
  }
  if (scenario.slip_diagram) {
    if (!run.rigid) run.rigid = rigid_problem(run.arrangement, scenario, run.problem);
    run.slip_diagrams = slip_diagrams(*run.rigid);
  }
  if (scenario.outcomes) add_outcomes(scenario, rigid_problem(run.arrangement, scenario, run.problem), run);
  add_roll_outs(scenario, run);
  tidy(run);
  return run;
}

double seen_motion(const Arrangement& arrangement, const Body& body, std::size_t i) {
  if (i < 2) return body.velocity[arrangement.view[i]];
  const MotionPlane plane = plane_of(arrangement);
  return body.angular_velocity.dot(plane.right.cross(plane.up));
}

bool is_one_dimensional(const CollideRun& run) {
  double across = 0.0, along = 0.0;
  const auto look = [&](const std::vector<Body>& bodies) {
    for (const Body& body : bodies) {
      const double forward = body.velocity[run.arrangement.view[0]];
      along = std::max(along, std::abs(forward));
      across = std::max(across, std::sqrt(std::max(body.velocity.squaredNorm() - forward * forward, 0.0)));
    }
  };
  look(run.problem.bodies);
  for (const MethodAnswer& answer : run.answers) look(answer.bodies);
  return across == 0.0 && along > 0.0;
}

}  // namespace carom::scenario
