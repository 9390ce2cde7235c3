#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "carom/core/contact.hpp"
#include "carom/core/error.hpp"
#include "carom/impact/sequential.hpp"

#include "collide.hpp"
#include "impact_parts.hpp"

namespace carom::scenario {

namespace {

/// Velocities that differ by less than this share of the fastest one are alike in a table.
constexpr double alike = 1e-9;

/// Orders of contact to try for the spread of pairwise collisions, beside the list's and its reverse.
constexpr int shuffles = 200;

/// Samples of the impact to draw: about a pixel apart, and as many at events.
constexpr std::size_t path_points = 1500;

Eigen::Vector3d axis(const Scene& scene, int i) {
  const Eigen::Vector3d right = Eigen::Vector3d::Unit(scene.view[0]), up = Eigen::Vector3d::Unit(scene.view[1]);
  return i == 0 ? right : i == 1 ? up : Eigen::Vector3d(right.cross(up));
}

SimultaneousProblem problem_of(const CollideScenario& scenario, const Scene& scene, CollideMethod method) {
  SimultaneousProblem problem;
  for (const NamedBody& body : scene.bodies) problem.bodies.push_back(body.body);
  problem.contacts = scene.contacts;
  for (std::size_t k = 0; k < problem.contacts.size(); ++k) {
    SpringContact& contact = problem.contacts[k];
    const ListedContact own = scenario.contacts ? (*scenario.contacts)[k] : ListedContact{};
    contact.exponent = own.springs.value_or(method) == CollideMethod::hertz ? 1.5 : 1.0;
    contact.material = own.material.value_or(scenario.material);
    contact.eta0 = scenario.eta0;
  }
  problem.tolerance = scenario.tolerance;
  return problem;
}

/// Bodies and contacts as a mechanical system: (x, y, angle) of every movable body in the plane of the view, or
/// velocity and spin in space.
class Generalized {
public:
  Generalized(const Scene& scene, const CollideScenario& scenario, const SimultaneousProblem& problem)
      : scene_(scene), size_(scene.planar ? 3 : 6) {
    for (const NamedBody& body : scene.bodies)
      start_.push_back(body.body.immovable ? -1 : size_ * static_cast<Eigen::Index>(movable_++));
    const Eigen::Index n = size_ * movable_, rows = scene.planar ? 2 : 3;
    system.dimension = static_cast<int>(rows);
    system.mass_matrix = Eigen::MatrixXd::Zero(n, n);
    system.velocity = Eigen::VectorXd::Zero(n);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      if (start_[i] < 0) continue;
      const Body& body = scene.bodies[i].body;
      system.mass_matrix.block(start_[i], start_[i], size_, size_) = mass_of(body);
      system.velocity.segment(start_[i], size_) = coordinates(body.velocity, body.angular_velocity);
    }
    system.jacobian = Eigen::MatrixXd::Zero(rows * static_cast<Eigen::Index>(problem.contacts.size()), n);
    for (std::size_t k = 0; k < problem.contacts.size(); ++k) {
      const SpringContact& contact = problem.contacts[k];
      const Eigen::Matrix3d frame = frame_of(contact);
      for (Eigen::Index r = 0; r < rows; ++r) {
        const Eigen::Vector3d direction = frame.col(rows == 2 && r == 1 ? 2 : r);
        const Eigen::Index row = rows * static_cast<Eigen::Index>(k) + r;
        for (const auto& [body, sign] : {std::pair{contact.first, 1.0}, std::pair{contact.second, -1.0}}) {
          if (start_[body] < 0) continue;
          const Eigen::Vector3d arm = contact.point - scene.bodies[body].body.position;
          system.jacobian.row(row).segment(start_[body], size_) +=
              sign * coordinates(direction, arm.cross(direction)).transpose();
        }
      }
      system.restitution.push_back(contact.material.restitution);
    }
    system.dynamic_friction = scenario.material.friction;
    system.static_friction = scenario.static_friction.value_or(scenario.material.friction);
  }

  std::vector<Body> bodies_after(const Eigen::VectorXd& velocity) const {
    std::vector<Body> bodies;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      bodies.push_back(scene_.bodies[i].body);
      if (start_[i] < 0) continue;
      const Eigen::VectorXd q = velocity.segment(start_[i], size_);
      Body& body = bodies.back();
      if (size_ == 6) {
        body.velocity = q.head<3>();
        body.angular_velocity = q.tail<3>();
      } else {
        body.velocity = q[0] * axis(scene_, 0) + q[1] * axis(scene_, 1);
        body.angular_velocity = q[2] * axis(scene_, 2);
      }
    }
    return bodies;
  }

  MultipointProblem system;

private:
  Eigen::VectorXd coordinates(const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) const {
    Eigen::VectorXd q(size_);
    if (size_ == 6)
      q << linear, angular;
    else
      q << linear.dot(axis(scene_, 0)), linear.dot(axis(scene_, 1)), angular.dot(axis(scene_, 2));
    return q;
  }

  Eigen::MatrixXd mass_of(const Body& body) const {
    const Eigen::Matrix3d inertia = world_inertia(body);
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(size_, size_);
    if (size_ == 6) {
      m.topLeftCorner<3, 3>() = body.mass * Eigen::Matrix3d::Identity();
      m.bottomRightCorner<3, 3>() = inertia;
    } else {
      m.diagonal() << body.mass, body.mass, axis(scene_, 2).dot(inertia * axis(scene_, 2));
    }
    return m;
  }

  /// (t1, t2, n); in the plane t1 is the normal turned clockwise.
  Eigen::Matrix3d frame_of(const SpringContact& contact) const {
    if (size_ == 6) return contact_frame(Contact{contact.point, contact.normal});
    Eigen::Matrix3d frame;
    frame << contact.normal.cross(axis(scene_, 2)), axis(scene_, 2), contact.normal;
    return frame;
  }

  const Scene& scene_;
  Eigen::Index size_, movable_ = 0;
  std::vector<Eigen::Index> start_;  // of each body's coordinates; -1: immovable
};

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

void add_rigid(const Generalized& generalized, CollideMethod method, CollideRun& run) {
  const bool lcp = method == CollideMethod::lcp;
  const MultipointImpact impact = lcp ? multipoint_lcp(generalized.system) : multipoint_rodriguez(generalized.system);
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
      answer.name += ", " + run.scene.contact_names[static_cast<std::size_t>(*s.examined)];
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
      answer.friction_law +=
          (k == s.friction_law_broken_at.front() ? "" : ", ") + run.scene.contact_names[static_cast<std::size_t>(k)];
    answer.energy = s.energy;
    answer.bodies = generalized.bodies_after(s.velocity);
    run.answers.push_back(std::move(answer));
  }
}

/// The stiffness of the last contact is swept, for the spin given and, for the map, for many.
void add_outcomes(const CollideScenario& scenario, const Generalized& generalized, CollideRun& run) {
  const OutcomeMap& map = *scenario.outcomes;
  MultipointSprings springs;
  for (const SpringContact& contact : run.problem.contacts) springs.stiffness.push_back(contact.stiffness);
  springs.exponent = scenario.springs == CollideMethod::hertz ? 1.5 : 1.0;
  springs.eta0 = scenario.eta0;
  springs.tolerance = scenario.tolerance;
  run.outcomes = multipoint_outcomes(generalized.system, springs, {map.from, map.to, map.steps});
  if (!map.spin_from) return;
  MultipointProblem problem = generalized.system;
  springs.tolerance = std::max(springs.tolerance, 1e-7);  // a colour shows no more
  const double span = std::log(map.to / map.from);
  for (int row = 0; row < map.map_size; ++row)
    for (int column = 0; column < map.map_size; ++column) {  // at the middle of each cell
      problem.velocity[2] = *map.spin_from + (*map.spin_to - *map.spin_from) * (row + 0.5) / map.map_size;
      MultipointSprings here = springs;
      here.stiffness.back() *= map.from * std::exp(span * (column + 0.5) / map.map_size);
      run.outcome_map.push_back(multipoint_compliant(problem, here).solutions[0].velocity[2]);
    }
}

}  // namespace

CollideRun run_collide(const CollideScenario& scenario) {
  CollideRun run;
  run.scene = scenario.scene ? *scenario.scene : listed_scene(*scenario.bodies, *scenario.contacts);
  if (scenario.view) {
    if (*scenario.view != run.scene.view) run.scene.planar = false;
    run.scene.view = *scenario.view;
  }
  run.problem = problem_of(scenario, run.scene, scenario.springs);
  SimultaneousPath path = simultaneous_path(run.problem, path_points);
  run.impact = std::move(path.impact);
  run.path = std::move(path.samples);
  run.answers.push_back(answer_of(name(scenario.springs), "springs at all contacts at once", run.impact));
  const Generalized generalized(run.scene, scenario, run.problem);
  std::vector<CollideMethod> done = {scenario.springs};
  for (const CollideMethod method : scenario.compare) {
    if (std::find(done.begin(), done.end(), method) != done.end()) continue;
    done.push_back(method);
    if (method == CollideMethod::sequential)
      add_sequential(scenario, run);
    else if (method == CollideMethod::lcp || method == CollideMethod::rodriguez)
      add_rigid(generalized, method, run);
    else
      run.answers.push_back(answer_of(name(method), "springs at all contacts at once",
                                      simultaneous_impact(problem_of(scenario, run.scene, method))));
  }
  if (scenario.outcomes) add_outcomes(scenario, generalized, run);
  tidy(run);
  return run;
}

double seen_motion(const Scene& scene, const Body& body, std::size_t i) {
  return i == 2 ? body.angular_velocity.dot(axis(scene, 2)) : body.velocity[scene.view[i]];
}

bool is_one_dimensional(const CollideRun& run) {
  double across = 0.0, along = 0.0;
  const auto look = [&](const std::vector<Body>& bodies) {
    for (const Body& body : bodies) {
      const double forward = body.velocity[run.scene.view[0]];
      along = std::max(along, std::abs(forward));
      across = std::max(across, std::sqrt(std::max(body.velocity.squaredNorm() - forward * forward, 0.0)));
    }
  };
  look(run.problem.bodies);
  for (const MethodAnswer& answer : run.answers) look(answer.bodies);
  return across == 0.0 && along > 0.0;
}

}  // namespace carom::scenario
