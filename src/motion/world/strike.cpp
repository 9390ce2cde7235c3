#include "strike.hpp"

#include <algorithm>
#include <cmath>

#include "carom/core/linear_algebra.hpp"

#include "group_laws.hpp"

namespace carom::world {

namespace {

/// Up to so many contacts the least move is solved for; beyond, found by Kaczmarz's iteration, which leads to the same.
constexpr std::size_t solved_contacts = 64;
constexpr int most_moves = 4;
constexpr int most_sweeps = 400;

/// How a body can give way to a contact along its normal: freely, along its cloth, or along its swing.
Vector3d giving(const Scene& scene, std::size_t body, const Body& now, const Vector3d& normal) {
  if (scene.arms[body]) {
    const Vector3d tangent = scene.arms[body]->tangent(scene.arms[body]->angle(now.position));
    return normal.dot(tangent) * tangent;
  }
  if (scene.held[body] != none) {
    const Vector3d& up = scene.planes[scene.held[body]].axis;
    return normal - normal.dot(up) * up;
  }
  return normal;
}

/// How one body is moved, and turned: an angle times its radius [m].
struct Move {
  Vector3d by = Vector3d::Zero(), turn = Vector3d::Zero();
};

void move(const Scene& scene, Group& group, std::size_t place, const Move& how) {
  Body& now = group.now[place];
  const Vector3d& by = how.by;
  const auto& arm = scene.arms[group.bodies[place]];
  if (!arm) {
    now.position += by;
    if (const double turn = how.turn.norm(); turn > 0.0) {
      const Eigen::AngleAxisd turned(turn / scene.radius[group.bodies[place]], how.turn / turn);
      now.orientation = (turned * now.orientation).normalized();
    }
    return;
  }
  const double angle = arm->angle(now.position), moved = angle + by.dot(arm->tangent(angle)) / arm->length;
  const double speed = now.velocity.dot(arm->tangent(angle));
  now.position = arm->position(moved);
  now.velocity = speed * arm->tangent(moved);
}

void measure(const Scene& scene, Group& group) {
  for (Touching& contact : group.contacts) {
    const Vector3d& x = group.now[contact.first].position;
    const double r = scene.radius[contact.body];
    if (contact.feature) {
      const FeatureGap seen = gap_at(*contact.feature, pose_of(group.now[contact.first]),
                                     pose_of(second_of(scene, group, contact)), contact.gap.normal);
      contact.gap = {seen.gap, seen.normal, seen.point};
      continue;
    }
    if (contact.partner.kind != PartnerKind::body) {
      contact.gap = gap_between(x, r, scene.wall(contact.partner));
      continue;
    }
    const std::size_t other = contact.partner.index;
    const Vector3d& y =
        contact.second != none ? group.now[contact.second].position : scene.problem.bodies[other].body.position;
    contact.gap = gap_between(x, r, y, scene.radius[other]);
  }
}

double widest(const Group& group) {
  double gap = 0.0;
  for (const Touching& contact : group.contacts) gap = std::max(gap, std::abs(contact.gap.gap));
  return gap;
}

struct Giving {
  Move first, second;
  double square() const {
    return first.by.squaredNorm() + second.by.squaredNorm() + first.turn.squaredNorm() + second.turn.squaredNorm();
  }
};

/// How turning a body moves its point at a contact along the normal, for an angle times its radius.
Vector3d turning(const Scene& scene, const Touching& contact, std::size_t body, const Body& now, double side) {
  if (!contact.feature || scene.is_ball(body)) return Vector3d::Zero();
  return side / scene.radius[body] * (contact.gap.point - now.position).cross(contact.gap.normal);
}

std::vector<Giving> all_giving(const Scene& scene, const Group& group) {
  std::vector<Giving> rows;
  for (const Touching& contact : group.contacts) {
    Giving row;
    row.first.by = giving(scene, contact.body, group.now[contact.first], contact.gap.normal);
    row.first.turn = turning(scene, contact, contact.body, group.now[contact.first], 1.0);
    if (contact.second != none) {
      row.second.by = -giving(scene, contact.partner.index, group.now[contact.second], contact.gap.normal);
      row.second.turn = turning(scene, contact, contact.partner.index, group.now[contact.second], -1.0);
    }
    rows.push_back(row);
  }
  return rows;
}

Move scaled(double share, const Move& move) { return {share * move.by, share * move.turn}; }
void add_to(Move& sum, const Move& more) {
  sum.by += more.by;
  sum.turn += more.turn;
}
double along(const Move& row, const Move& move) { return row.by.dot(move.by) + row.turn.dot(move.turn); }

std::vector<Move> least_move(const Group& group, const std::vector<Giving>& rows) {
  std::vector<Move> moves(group.bodies.size());
  const auto& contacts = group.contacts;
  if (contacts.size() == 1) {
    const double square = rows[0].square(), share = square > 0.0 ? -contacts[0].gap.gap / square : 0.0;
    moves[contacts[0].first] = scaled(share, rows[0].first);
    if (contacts[0].second != none) moves[contacts[0].second] = scaled(share, rows[0].second);
    return moves;
  }
  if (contacts.size() <= solved_contacts) {
    const auto n = static_cast<Eigen::Index>(contacts.size());
    const bool turn = std::any_of(contacts.begin(), contacts.end(), [](const Touching& c) { return c.feature; });
    const Eigen::Index freedoms = turn ? 6 : 3;
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, freedoms * static_cast<Eigen::Index>(moves.size()));
    Eigen::VectorXd gaps(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const Touching& contact = contacts[static_cast<std::size_t>(k)];
      const Giving& row = rows[static_cast<std::size_t>(k)];
      const auto enter = [&](std::size_t place, const Move& move) {
        const Eigen::Index from = freedoms * static_cast<Eigen::Index>(place);
        for (int c = 0; c < 3; ++c) matrix(k, from + c) += move.by[c];
        for (int c = 0; c < 3 && turn; ++c) matrix(k, from + 3 + c) += move.turn[c];
      };
      enter(contact.first, row.first);
      if (contact.second != none) enter(contact.second, row.second);
      gaps[k] = -contact.gap.gap;
    }
    constexpr double rank = 1e-10;
    const Eigen::VectorXd solution = LeastNormSolver(matrix, rank).solve(gaps);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const Eigen::Index from = freedoms * static_cast<Eigen::Index>(i);
      for (int c = 0; c < 3; ++c) moves[i].by[c] = solution[from + c];
      for (int c = 0; c < 3 && turn; ++c) moves[i].turn[c] = solution[from + 3 + c];
    }
    return moves;
  }
  const double enough = 1e-3 * widest(group);
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double worst = 0.0;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      const Touching& contact = contacts[k];
      const double square = rows[k].square();
      if (square == 0.0) continue;
      double left = -contact.gap.gap - along(rows[k].first, moves[contact.first]);
      if (contact.second != none) left -= along(rows[k].second, moves[contact.second]);
      worst = std::max(worst, std::abs(left));
      add_to(moves[contact.first], scaled(left / square, rows[k].first));
      if (contact.second != none) add_to(moves[contact.second], scaled(left / square, rows[k].second));
    }
    if (worst <= enough) break;
  }
  return moves;
}

/// How a pair answers at its contact: both balls, or what of them can move.
struct PairSpace {
  double across = 0.0, along = 0.0;  ///< inverse inertia across and along the normal [1/kg]
  Vector3d slip = Vector3d::Zero();
  double normal = 0.0;  ///< relative velocities [m/s]
};

void add(const Scene& scene, PairSpace& space, std::size_t body, const Body& now, const Vector3d& normal, double side) {
  if (scene.arms[body]) {
    space.along += giving(scene, body, now, normal).squaredNorm() / now.mass;
    space.normal += side * now.velocity.dot(normal);
    return;
  }
  const double r = scene.radius[body], w = 1.0 / now.mass;
  space.along += w;
  space.across += w + r * r / now.inertia(0, 0);
  space.normal += side * now.velocity.dot(normal);
  // The normal points from the contact into the first body, out of the second one.
  space.slip += side * (now.velocity - now.velocity.dot(normal) * normal) - r * now.angular_velocity.cross(normal);
}

PairSpace pair_space(const Scene& scene, const Group& group, const Touching& contact) {
  PairSpace space;
  add(scene, space, contact.body, group.now[contact.first], contact.gap.normal, 1.0);
  if (contact.second != none)
    add(scene, space, contact.partner.index, group.now[contact.second], contact.gap.normal, -1.0);
  return space;
}

}  // namespace

void snap(const Scene& scene, Group& group) {
  measure(scene, group);
  double gap = widest(group);
  for (int i = 0; i < most_moves && gap > 0.0; ++i) {
    double size = never;
    for (const Touching& contact : group.contacts) size = std::min(size, scene.size(contact.body, contact.partner));
    if (gap <= std::numeric_limits<double>::epsilon() * size) return;
    const auto moves = least_move(group, all_giving(scene, group));
    const Group before = group;
    for (std::size_t k = 0; k < moves.size(); ++k) move(scene, group, k, moves[k]);
    measure(scene, group);
    const double now = widest(group);
    if (!(now < gap)) {  // nothing but rounding is left
      group = before;
      return;
    }
    gap = now;
  }
}

Body second_of(const Scene& scene, const Group& group, const Touching& contact) {
  if (contact.second != none) return group.now[contact.second];
  if (contact.partner.kind == PartnerKind::body) return scene.problem.bodies[contact.partner.index].body;
  Body wall = immovable_body();
  wall.position = scene.wall(contact.partner).point;
  return wall;
}

double normal_velocity(const Scene&, const Group& group, const Touching& contact) {
  if (contact.feature) {
    Vector3d v = velocity_at(group.now[contact.first], contact.gap.point);
    if (contact.second != none) v -= velocity_at(group.now[contact.second], contact.gap.point);
    return v.dot(contact.gap.normal);
  }
  double v = group.now[contact.first].velocity.dot(contact.gap.normal);
  if (contact.second != none) v -= group.now[contact.second].velocity.dot(contact.gap.normal);
  return v;
}

double inverse_inertia_along(const Scene& scene, const Group& group, const Touching& contact) {
  if (!contact.feature) return pair_space(scene, group, contact).along;
  const Vector3d &n = contact.gap.normal, &point = contact.gap.point;
  const auto answer = [&](std::size_t place) {
    Body pushed = group.now[place];
    const Vector3d before = velocity_at(pushed, point);
    apply_impulse(pushed, point, pushed.mass * n);
    return (velocity_at(pushed, point) - before).dot(n) / pushed.mass;
  };
  return answer(contact.first) + (contact.second != none ? answer(contact.second) : 0.0);
}

void look_at(const Scene& scene, Group& group) {
  for (Touching& contact : group.contacts) {
    contact.approach = std::max(-normal_velocity(scene, group, contact), 0.0);
    contact.restitution = restitution_at(scene.material(contact.body, contact.partner).restitution, contact.approach);
  }
}

void push(const Scene& scene, Group& group, Touching& contact, const Vector3d& impulse) {
  const auto one = [&](std::size_t place, std::size_t body, double side) {
    Body& now = group.now[place];
    if (scene.arms[body]) {
      const Vector3d tangent = scene.arms[body]->tangent(scene.arms[body]->angle(now.position));
      now.velocity += side * impulse.dot(tangent) / now.mass * tangent;
      return;
    }
    now.velocity += side / now.mass * impulse;
    now.angular_velocity -= scene.radius[body] / now.inertia(0, 0) * contact.gap.normal.cross(impulse);
  };
  contact.impulse += impulse;
  if (contact.feature) {
    apply_impulse(group.now[contact.first], contact.gap.point, impulse);
    if (contact.second != none) apply_impulse(group.now[contact.second], contact.gap.point, -impulse);
    return;
  }
  one(contact.first, contact.body, 1.0);
  if (contact.second != none) one(contact.second, contact.partner.index, -1.0);
}

namespace {

/// The impact of one contact by what its material asks for, and its impulse in the axes of the space.
Vector3d struck(const WorldMaterial& material, const ContactSpace& space, double restitution, Outcome& outcome) {
  const Material surfaces{material.friction, restitution};
  Vector3d impulse;
  const auto take = [&](const auto& impact) {
    impulse = impact.impulse;
    outcome.impact_flags.set(impact.flags);
    outcome.restitution_loss += impact.energy.restitution_loss;
    outcome.friction_loss += impact.energy.friction_loss + impact.energy.residual;
  };
  if (material.springs) {
    outcome.model = WorldImpactModel::compliant;
    CompliantImpact impact =
        compliant_impact({space, surfaces, material.springs->stiffness_ratio_root, material.springs->reading});
    take(impact);
    outcome.trace = std::move(impact);
  } else {
    outcome.model = WorldImpactModel::spatial;
    const SpatialImpact impact = spatial_impact({space, surfaces, material.law});
    take(impact);
    outcome.trace = impact;
  }
  return impulse;
}

/// A pair of any shape: the contact space of its bodies, in the axes of contact_frame().
void solve_solids(const Scene& scene, Group& group, Touching& contact, Outcome& outcome) {
  const WorldMaterial& material = scene.material(contact.body, contact.partner);
  const Contact place{contact.gap.point, contact.gap.normal};
  const ContactSpace space = contact_space(group.now[contact.first], second_of(scene, group, contact), place);
  push(scene, group, contact, contact_frame(place) * struck(material, space, contact.restitution, outcome));
  contact.rebound = normal_velocity(scene, group, contact);
}

}  // namespace

/// Balls meet centrally: seen along the slip their contact space is diagonal, whichever way the normal points.
void solve_pair(const Scene& scene, Group& group, Touching& contact, Outcome& outcome) {
  if (contact.feature) return solve_solids(scene, group, contact, outcome);
  const WorldMaterial& material = scene.material(contact.body, contact.partner);
  PairSpace space = pair_space(scene, group, contact);
  if (!(space.along > 0.0)) return;  // it cannot give way, and does not approach
  double slip = space.slip.norm();
  Vector3d direction = Vector3d::Zero();
  if (slip > 0.0 && space.across > 0.0)
    direction = space.slip / slip;
  else
    slip = 0.0;
  if (space.across == 0.0) space.across = space.along;
  ContactSpace seen;
  seen.inverse_inertia = Vector3d(space.across, space.across, space.along).asDiagonal();
  seen.velocity = Vector3d(slip, 0.0, space.normal);
  const Vector3d impulse = struck(material, seen, contact.restitution, outcome);
  push(scene, group, contact, impulse.x() * direction + impulse.z() * contact.gap.normal);
  contact.rebound = space.normal + space.along * impulse.z();
}

Outcome solve(const Scene& scene, Group& group) {
  Outcome outcome;
  if (group.contacts.size() == 1) {
    solve_pair(scene, group, group.contacts[0], outcome);
    return outcome;
  }
  outcome = scene.problem.groups.model == GroupModel::simultaneous ? solve_simultaneous(scene, group)
                                                                   : solve_rigid(scene, group);
  for (Touching& contact : group.contacts) contact.rebound = normal_velocity(scene, group, contact);
  return outcome;
}

}  // namespace carom::world
