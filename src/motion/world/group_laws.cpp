#include "group_laws.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "carom/core/contact.hpp"
#include "carom/core/error.hpp"

namespace carom::world {

namespace {

/// Relative error of velocities after the impact of a group: a run has many, and what one is off grows in the next.
constexpr double group_tolerance = 1e-12;

/// How far out of a plane a group may be, as a share of the largest speed or size, to be solved in it.
constexpr double planar_share = 1e-9;

/// The movable bodies, then one immovable body for every contact with something that does not move.
struct Listed {
  std::vector<Body> bodies;
  std::vector<PairContact> contacts;
};

Listed listed(const Group& group, const std::vector<std::size_t>& body_order,
              const std::vector<std::size_t>& contact_order) {
  Listed list;
  std::vector<std::size_t> place(body_order.size());
  for (std::size_t k = 0; k < body_order.size(); ++k) {
    place[body_order[k]] = k;
    list.bodies.push_back(group.now[body_order[k]]);
  }
  for (const std::size_t k : contact_order) {
    const Touching& touching = group.contacts[k];
    PairContact contact;
    contact.point = touching.gap.point;
    contact.normal = touching.gap.normal;
    contact.first = place[touching.first];
    if (touching.second != none) {
      contact.second = place[touching.second];
    } else {
      contact.second = list.bodies.size();
      list.bodies.push_back(immovable_body());
    }
    list.contacts.push_back(contact);
  }
  return list;
}

std::vector<std::size_t> in_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  for (std::size_t k = 0; k < count; ++k) order[k] = k;
  return order;
}

ContactSpring spring_of(const Scene& scene, const Touching& contact) {
  const WorldMaterial& material = scene.material(contact.body, contact.partner);
  ContactSpring spring;
  spring.stiffness = material.stiffness;
  spring.exponent = material.exponent;
  spring.material = {material.friction, contact.restitution};
  if (material.springs) spring.eta0 = material.springs->stiffness_ratio_root;
  return spring;
}

/// Bodies on arms have one coordinate each, their speed along the swing, free ones six.
MechanicalSystem system_with_arms(const Scene& scene, const Group& group) {
  std::vector<Eigen::Index> from;
  Eigen::Index n = 0;
  for (const std::size_t body : group.bodies) {
    from.push_back(n);
    n += scene.arms[body] ? 1 : 6;
  }
  MechanicalSystem system;
  system.mass_matrix = Eigen::MatrixXd::Zero(n, n);
  system.velocity = Eigen::VectorXd::Zero(n);
  system.jacobian = Eigen::MatrixXd::Zero(3 * static_cast<Eigen::Index>(group.contacts.size()), n);
  std::vector<Vector3d> tangents(group.bodies.size(), Vector3d::Zero());
  for (std::size_t k = 0; k < group.bodies.size(); ++k) {
    const Body& now = group.now[k];
    const auto& arm = scene.arms[group.bodies[k]];
    if (arm) {
      tangents[k] = arm->tangent(arm->angle(now.position));
      system.mass_matrix(from[k], from[k]) = now.mass;
      system.velocity[from[k]] = now.velocity.dot(tangents[k]);
      continue;
    }
    const Eigen::Matrix3d inertia =
        scene.is_ball(group.bodies[k]) ? Eigen::Matrix3d(now.inertia(0, 0) * Eigen::Matrix3d::Identity())
                                       : world_inertia(now);
    system.mass_matrix.block<3, 3>(from[k] + 3, from[k] + 3) = inertia;
    for (Eigen::Index c = 0; c < 3; ++c) {
      system.mass_matrix(from[k] + c, from[k] + c) = now.mass;
      system.velocity[from[k] + c] = now.velocity[c];
      system.velocity[from[k] + 3 + c] = now.angular_velocity[c];
    }
  }
  for (std::size_t k = 0; k < group.contacts.size(); ++k) {
    const Touching& contact = group.contacts[k];
    const Eigen::Matrix3d frame = contact_frame(Contact{contact.gap.point, contact.gap.normal});
    const auto add = [&](std::size_t place, double side) {
      for (Eigen::Index axis = 0; axis < 3; ++axis) {
        const Vector3d direction = side * frame.col(axis);
        const Eigen::Index row = 3 * static_cast<Eigen::Index>(k) + axis;
        if (scene.arms[group.bodies[place]]) {
          system.jacobian(row, from[place]) = direction.dot(tangents[place]);
          continue;
        }
        const Vector3d lever = contact.gap.point - group.now[place].position, turn = lever.cross(direction);
        for (Eigen::Index c = 0; c < 3; ++c) {
          system.jacobian(row, from[place] + c) = direction[c];
          system.jacobian(row, from[place] + 3 + c) = turn[c];
        }
      }
    };
    add(contact.first, 1.0);
    if (contact.second != none) add(contact.second, -1.0);
  }
  return system;
}

void set_with_arms(const Scene& scene, Group& group, const Eigen::VectorXd& velocity) {
  Eigen::Index at = 0;
  for (std::size_t k = 0; k < group.bodies.size(); ++k) {
    Body& now = group.now[k];
    const auto& arm = scene.arms[group.bodies[k]];
    if (arm) {
      now.velocity = velocity[at++] * arm->tangent(arm->angle(now.position));
      continue;
    }
    now.velocity = velocity.segment<3>(at);
    now.angular_velocity = velocity.segment<3>(at + 3);
    at += 6;
  }
}

Outcome taken(const SimultaneousOutcome& impact) {
  Outcome outcome;
  outcome.model = WorldImpactModel::simultaneous;
  outcome.restitution_loss = impact.energy.restitution_loss;
  outcome.friction_loss = impact.energy.friction_loss + impact.energy.residual;
  outcome.impact_flags = impact.flags;
  outcome.finished = impact.verdict != Verdict::event_limit;
  outcome.trace = impact;
  return outcome;
}

bool swings(const Scene& scene, const Group& group) {
  return std::any_of(group.bodies.begin(), group.bodies.end(),
                     [&](std::size_t i) { return scene.arms[i].has_value(); });
}

/// The plane in which a group lies and moves, if there is one.
std::optional<MotionPlane> plane_of(const Listed& list) {
  double speed = 0.0, size = 0.0, spin = 0.0;
  Vector3d axis = Vector3d::Zero();
  const Vector3d& origin = list.bodies[0].position;
  for (const PairContact& contact : list.contacts) size = std::max(size, (contact.point - origin).norm());
  for (const Body& body : list.bodies) {
    if (body.immovable) continue;
    size = std::max(size, (body.position - origin).norm());
    speed = std::max(speed, body.velocity.norm());
    if (body.angular_velocity.norm() > spin) {
      spin = body.angular_velocity.norm();
      axis = body.angular_velocity / spin;
    }
  }
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  const auto count = [&](const Vector3d& v, double scale) {
    if (scale > 0.0) spread += v * v.transpose() / (scale * scale);
  };
  for (const PairContact& contact : list.contacts) {
    count(contact.normal, 1.0);
    count(contact.point - origin, size);
  }
  for (const Body& body : list.bodies) {
    if (body.immovable) continue;
    count(body.velocity, speed);
    count(body.position - origin, size);
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> shape(spread);
  const bool turns = spin * size > planar_share * speed;
  if (!turns) axis = shape.eigenvectors().col(0);
  // An axis along a coordinate axis is meant to be just that.
  Eigen::Index largest;
  axis.cwiseAbs().maxCoeff(&largest);
  if (std::abs(std::abs(axis[largest]) - 1.0) <= planar_share) axis = Vector3d::Unit(largest);
  const auto off = [&](const Vector3d& v, double scale) { return std::abs(axis.dot(v)) > planar_share * scale; };
  for (const PairContact& contact : list.contacts)
    if (off(contact.normal, 1.0) || off(contact.point - origin, size)) return std::nullopt;
  for (const Body& body : list.bodies) {
    if (body.immovable) continue;
    const Vector3d across = body.angular_velocity - axis.dot(body.angular_velocity) * axis;
    if (off(body.velocity, speed) || off(body.position - origin, size) || across.norm() * size > planar_share * speed)
      return std::nullopt;
  }
  MotionPlane plane;
  const Vector3d& first = list.contacts[0].normal;
  plane.right = (first - axis.dot(first) * axis).normalized();
  plane.up = axis.cross(plane.right);
  return plane;
}

/// The contact axes of system_of, as columns in world axes: three, or in a plane two.
Eigen::Matrix<double, 3, Eigen::Dynamic> axes_of(const PairContact& contact, const std::optional<MotionPlane>& plane) {
  if (!plane) return contact_frame(contact);
  Eigen::Matrix<double, 3, Eigen::Dynamic> axes(3, 2);
  const double right = contact.normal.dot(plane->right), up = contact.normal.dot(plane->up);
  axes.col(0) = up * plane->right - right * plane->up;
  axes.col(1) = contact.normal;
  return axes;
}

/// Contacts as users see them: by the number of the lesser body, then bodies, planes, tubes.
std::vector<std::size_t> users_order(const Group& group) {
  std::vector<std::size_t> order = in_order(group.contacts.size());
  const auto key = [&](std::size_t k) {
    const Touching& c = group.contacts[k];
    const bool swapped = c.partner.kind == PartnerKind::body && c.partner.index < c.body;
    return std::array<std::size_t, 3>{swapped ? c.partner.index : c.body, static_cast<std::size_t>(c.partner.kind),
                                      swapped ? c.body : c.partner.index};
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return order;
}

std::optional<int> examined(const Scene& scene, const Group& group, const std::vector<std::size_t>& order) {
  std::optional<int> first;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Touching& contact = group.contacts[order[k]];
    if (normal_velocity(scene, group, contact) > 0.0) continue;
    if (!first) first = static_cast<int>(k);
    const auto& who = scene.problem.groups.examine;
    if (!who) break;
    if (contact.partner == *who || (who->kind == PartnerKind::body && who->index == contact.body))
      return static_cast<int>(k);
  }
  return first;
}

}  // namespace

Outcome solve_simultaneous(const Scene& scene, Group& group) {
  if (swings(scene, group)) {
    SimultaneousSystemProblem problem;
    problem.system = system_with_arms(scene, group);
    problem.tolerance = group_tolerance;
    for (const Touching& contact : group.contacts) problem.springs.push_back(spring_of(scene, contact));
    const SimultaneousSystemImpact impact = simultaneous_impact(problem);
    set_with_arms(scene, group, impact.velocity);
    for (std::size_t k = 0; k < group.contacts.size(); ++k) {
      const Gap& gap = group.contacts[k].gap;
      group.contacts[k].impulse = contact_frame(Contact{gap.point, gap.normal}) * impact.contacts[k].impulse;
    }
    return taken(impact);
  }
  const Listed list = listed(group, in_order(group.bodies.size()), in_order(group.contacts.size()));
  SimultaneousProblem problem;
  problem.bodies = list.bodies;
  problem.tolerance = group_tolerance;
  for (std::size_t k = 0; k < group.contacts.size(); ++k) {
    SpringContact contact;
    static_cast<PairContact&>(contact) = list.contacts[k];
    static_cast<ContactSpring&>(contact) = spring_of(scene, group.contacts[k]);
    problem.contacts.push_back(contact);
  }
  const SimultaneousImpact impact = simultaneous_impact(problem);
  for (std::size_t k = 0; k < group.bodies.size(); ++k) group.now[k] = impact.bodies[k];
  for (std::size_t k = 0; k < group.contacts.size(); ++k) group.contacts[k].impulse = impact.contacts[k].impulse;
  return taken(impact);
}

Outcome solve_rigid(const Scene& scene, Group& group) {
  const bool lcp = scene.problem.groups.model == GroupModel::lcp, arms = swings(scene, group);
  std::vector<std::size_t> bodies = in_order(group.bodies.size());
  std::sort(bodies.begin(), bodies.end(),
            [&](std::size_t a, std::size_t b) { return group.bodies[a] < group.bodies[b]; });
  const std::vector<std::size_t> order = users_order(group);
  const Listed list = listed(group, bodies, order);
  const std::optional<MotionPlane> plane = lcp && !arms ? plane_of(list) : std::nullopt;
  MultipointProblem problem;
  problem.dimension = plane ? 2 : 3;
  Group sorted;  // for systems with arms, in the order of the list
  if (arms) {
    for (const std::size_t k : bodies) {
      sorted.bodies.push_back(group.bodies[k]);
      sorted.now.push_back(group.now[k]);
    }
    for (std::size_t k = 0; k < order.size(); ++k) {
      sorted.contacts.push_back(group.contacts[order[k]]);
      sorted.contacts.back().first = list.contacts[k].first;
      if (sorted.contacts.back().second != none) sorted.contacts.back().second = list.contacts[k].second;
    }
    static_cast<MechanicalSystem&>(problem) = system_with_arms(scene, sorted);
  } else {
    static_cast<MechanicalSystem&>(problem) =
        plane ? system_of(list.bodies, list.contacts, *plane) : system_of(list.bodies, list.contacts);
  }
  for (const std::size_t k : order) {
    const Touching& contact = group.contacts[k];
    const WorldMaterial& material = scene.material(contact.body, contact.partner);
    problem.restitution.push_back(contact.restitution);
    problem.frictions.push_back({material.static_friction.value_or(material.friction), material.friction});
  }
  Outcome outcome;
  outcome.model = lcp ? WorldImpactModel::lcp : WorldImpactModel::rodriguez;
  if (!lcp) problem.examine = examined(scene, group, order);
  const MultipointImpact impact = lcp ? multipoint_lcp(problem) : multipoint_rodriguez(problem);
  outcome.impact_flags = impact.flags;
  if (impact.solutions.empty()) {
    outcome.solved = false;
    return outcome;
  }
  if (lcp && impact.solutions.size() > 1) outcome.flags.set(WorldFlag::several_solutions);
  if (lcp && !impact.exhaustive) outcome.flags.set(WorldFlag::not_exhaustive);
  const MultipointSolution& solution = impact.solutions.front();
  if (solution.flags.has(Flag::energy_gain)) outcome.impact_flags.set(Flag::energy_gain);
  outcome.restitution_loss = solution.energy.restitution_loss;
  outcome.friction_loss = solution.energy.friction_loss + solution.energy.residual;
  if (arms) {
    set_with_arms(scene, sorted, solution.velocity);
    for (std::size_t k = 0; k < bodies.size(); ++k) group.now[bodies[k]] = sorted.now[k];
  } else {
    std::vector<Body> after = list.bodies;
    plane ? set_velocities(after, solution.velocity, *plane) : set_velocities(after, solution.velocity);
    for (std::size_t k = 0; k < bodies.size(); ++k) group.now[bodies[k]] = after[k];
  }
  for (std::size_t k = 0; k < order.size(); ++k)
    group.contacts[order[k]].impulse =
        axes_of(list.contacts[k], plane) * solution.impulses.col(static_cast<Eigen::Index>(k));
  outcome.trace = solution;
  return outcome;
}

}  // namespace carom::world
