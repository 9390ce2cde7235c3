#include "system.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::stepping {

namespace {

using Eigen::Vector2d;

constexpr Index body_size = 13, pair_size = 4, ledger_size = 5;
/// Steps that land on a touch aim so much of the depth beyond it that the whole step would have reached: a touch is
/// one where the indentation is above zero.
constexpr double landing_share = 1e-3;
/// Indentations below this share of what they are the difference of are rounding: there is nothing to land on.
constexpr double depth_noise = 1e-14;

/// Two axes across a unit vector, without branches that turn suddenly for the normals of one surface.
void axes_across(const Vector3d& n, Vector3d& t1, Vector3d& t2) {
  // Duff et al. 2017, Building an orthonormal basis, revisited.
  const double sign = std::copysign(1.0, n[2]), a = -1.0 / (sign + n[2]), b = n[0] * n[1] * a;
  t1 = Vector3d(1.0 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]);
  t2 = Vector3d(b, sign + n[1] * n[1] * a, -n[1]);
}

}  // namespace

System::System(const CompliantScene& scene, bool ledger)
    : pairs_(scene.pairs), gravity_(scene.gravity), bodies_(scene.bodies), ledger_(ledger) {
  stepping::require_valid(scene);
  for (const Body& body : bodies_) {
    const Eigen::Matrix3d& j = body.inertia;
    even_.push_back(j.isDiagonal(0.0) && j(0, 0) == j(1, 1) && j(1, 1) == j(2, 2));
    inverse_.push_back(body.immovable ? Eigen::Matrix3d(Eigen::Matrix3d::Zero()) : Eigen::Matrix3d(j.inverse()));
  }
  motions_.resize(bodies_.size());
  forces_.resize(bodies_.size());
  torques_.resize(bodies_.size());
  touches_.assign(pairs_.size(), 0);
  looks_.resize(pairs_.size());
  for (const CompliantPair& pair : pairs_) {
    contacts_.emplace_back(pair.material);
    lugre_ = lugre_ || pair.material.friction.model == FrictionModel::lugre;
    const auto* surface = std::get_if<FixedSurface>(&pair.against);
    Axes axes{false, Vector3d::UnitZ(), Vector3d::UnitX(), Vector3d::UnitY(), pair.tip.radius};
    if (surface != nullptr && surface->shape == SurfaceShape::plane) {
      axes.ball_on_plane = pair.tip.centre.isZero(0.0) && pair.tip.rim == 0.0;
      axes.n = surface->direction;
      axes_across(axes.n, axes.t1, axes.t2);
    }
    axes_.push_back(axes);
  }
  y = VectorXd::Zero(ledger_at() + (ledger_ ? ledger_size : 0));
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Index at = body_size * static_cast<Index>(i);
    y.segment<3>(at) = bodies_[i].position;
    y.segment<4>(at + 3) = bodies_[i].orientation.normalized().coeffs();
    y.segment<3>(at + 7) = bodies_[i].velocity;
    y.segment<3>(at + 10) = bodies_[i].angular_velocity;
  }
  read(y);
}

Index System::pair_at(std::size_t k) const {
  return body_size * static_cast<Index>(bodies_.size()) + pair_size * static_cast<Index>(k);
}

// --- the state read and written ---

void System::read(const VectorXd& state) const {
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const double* s = state.data() + body_size * static_cast<Index>(i);
    motions_[i].position = Vector3d(s[0], s[1], s[2]);
    motions_[i].orientation = Eigen::Quaterniond(s[6], s[3], s[4], s[5]);
    motions_[i].velocity = Vector3d(s[7], s[8], s[9]);
    motions_[i].angular_velocity = Vector3d(s[10], s[11], s[12]);
  }
}

ContactMotion System::contact_motion(std::size_t k, const PairGeometry& at, const VectorXd& state, Vector3d& t1,
                                     Vector3d& t2) const {
  axes_across(at.normal, t1, t2);
  const Vector3d z = state.segment<3>(pair_at(k));
  ContactMotion motion;
  motion.indentation = at.indentation;
  motion.rate = -at.normal.dot(at.velocity);
  motion.slip = Vector2d(t1.dot(at.velocity), t2.dot(at.velocity));
  motion.bristles.z = Vector2d(t1.dot(z), t2.dot(z));
  motion.bristles.dwell = state[pair_at(k) + 3];
  return motion;
}

ContactMotion System::contact_motion(std::size_t k, const VectorXd& state) const {
  Vector3d t1, t2;
  return contact_motion(k, geometry(pairs_[k], motions_), state, t1, t2);
}

void System::write_bodies() {
  read(y);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    bodies_[i].position = motions_[i].position;
    bodies_[i].orientation = motions_[i].orientation;
    bodies_[i].velocity = motions_[i].velocity;
    bodies_[i].angular_velocity = motions_[i].angular_velocity;
  }
}

void System::normalize() {
  for (std::size_t i = 0; i < bodies_.size(); ++i) y.segment<4>(body_size * static_cast<Index>(i) + 3).normalize();
}

// --- equations of motion ---

void System::rate(const VectorXd& state, double* out) const {
  read(state);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    forces_[i] = bodies_[i].mass * gravity_;
    torques_[i].setZero();
  }
  if (ledger_) std::fill(out + ledger_at(), out + ledger_at() + ledger_size, 0.0);
  for (std::size_t k = 0; k < pairs_.size(); ++k) add_pair(k, state, out);
  for (std::size_t i = 0; i < bodies_.size(); ++i) move(i, out + body_size * static_cast<Index>(i));
}

void System::add_pair(std::size_t k, const VectorXd& state, double* all) const {
  double* out = all + pair_at(k);
  if (!contacts_[k].touching()) {
    std::fill(out, out + pair_size, 0.0);
    return;
  }
  if (axes_[k].ball_on_plane && !located && !ledger_) return add_ball_on_plane(k, state.data() + pair_at(k), out);
  const CompliantPair& pair = pairs_[k];
  const PairGeometry at = geometry(pair, motions_);
  Vector3d t1, t2;
  const ContactMotion motion = contact_motion(k, at, state, t1, t2);
  const ContactForces f = located ? contacts_[k].forces(motion) : contacts_[k].forces_anywhere(motion);
  const Vector3d force = f.normal * at.normal + f.tangential.force[0] * t1 + f.tangential.force[1] * t2;
  forces_[pair.tip.body] += force;
  torques_[pair.tip.body] += at.arm_a.cross(force);
  const Tip* other = std::get_if<Tip>(&pair.against);
  if (other != nullptr) {
    forces_[other->body] -= force;
    torques_[other->body] -= at.arm_b.cross(force);
  }
  // Bristles stay in the surface: they are carried along as the normal turns, and turn with the other side.
  const Vector3d z = state.segment<3>(pair_at(k));
  const Vector3d z_rate = f.tangential.z_rate[0] * t1 + f.tangential.z_rate[1] * t2 -
                          at.normal * at.normal_rate.dot(z) + at.spin * at.normal.cross(z);
  for (int c = 0; c < 3; ++c) out[c] = z_rate[c];
  out[3] = f.tangential.dwell_rate;
  if (!ledger_) return;
  // What the forces take and the springs do not keep.
  double* sum = all + ledger_at();
  const ContactSurface& s = pair.material;
  const double spring = s.stiffness * std::pow(std::max(motion.indentation, 0.0), s.exponent);
  sum[0] += (f.normal - spring) * motion.rate;
  sum[1] -= f.tangential.force.dot(motion.slip) + s.friction.sigma0 * motion.bristles.z.dot(f.tangential.z_rate);
  const bool first_moves = !bodies_[pair.tip.body].immovable,
             second_moves = other != nullptr && !bodies_[other->body].immovable;
  if (first_moves == second_moves) return;
  for (int c = 0; c < 3; ++c) sum[2 + c] += first_moves ? force[c] : -force[c];
}

/// The same for the commonest pair, where nothing turns.
void System::add_ball_on_plane(std::size_t k, const double* bristles, double* out) const {
  const Axes& axes = axes_[k];
  const std::size_t i = pairs_[k].tip.body;
  const Motion& m = motions_[i];
  const Vector3d &n = axes.n, &t1 = axes.t1, &t2 = axes.t2;
  const double r = axes.radius;
  const Vector3d velocity = m.velocity - r * m.angular_velocity.cross(n);
  const Vector3d& point = std::get_if<FixedSurface>(&pairs_[k].against)->point;
  ContactMotion motion;
  motion.indentation = r - n.dot(m.position - point);
  motion.rate = -n.dot(velocity);
  motion.slip = Vector2d(t1.dot(velocity), t2.dot(velocity));
  const Vector3d z(bristles[0], bristles[1], bristles[2]);
  motion.bristles.z = Vector2d(t1.dot(z), t2.dot(z));
  motion.bristles.dwell = bristles[3];
  const ContactForces f = contacts_[k].forces_anywhere(motion);
  const double f1 = f.tangential.force[0], f2 = f.tangential.force[1];
  forces_[i] += f.normal * n + f1 * t1 + f2 * t2;
  torques_[i] += r * (f2 * t1 - f1 * t2);  // -r n x force, n = t1 x t2
  for (int c = 0; c < 3; ++c) out[c] = f.tangential.z_rate[0] * t1[c] + f.tangential.z_rate[1] * t2[c];
  out[3] = f.tangential.dwell_rate;
}

void System::move(std::size_t i, double* out) const {
  const Motion& m = motions_[i];
  const Vector3d& w = m.angular_velocity;
  const Eigen::Quaterniond& turned = m.orientation;
  const double x = turned.x(), y_ = turned.y(), z = turned.z(), s = turned.w();
  Vector3d acceleration = Vector3d::Zero(), angular = Vector3d::Zero();
  if (!bodies_[i].immovable) {
    acceleration = forces_[i] / bodies_[i].mass;
    if (even_[i]) {
      angular = inverse_[i](0, 0) * torques_[i];
    } else {
      const Eigen::Quaterniond& q = m.orientation;
      const Vector3d inside = q.conjugate() * w, torque = q.conjugate() * torques_[i];
      angular = q * Vector3d(inverse_[i] * (torque - inside.cross(bodies_[i].inertia * inside)));
    }
  }
  for (int c = 0; c < 3; ++c) {
    out[c] = m.velocity[c];
    out[7 + c] = acceleration[c];
    out[10 + c] = angular[c];
  }
  // Half of (0, w) times the orientation.
  out[3] = 0.5 * (w[0] * s + w[1] * z - w[2] * y_);
  out[4] = 0.5 * (w[1] * s + w[2] * x - w[0] * z);
  out[5] = 0.5 * (w[2] * s + w[0] * y_ - w[1] * x);
  out[6] = -0.5 * (w[0] * x + w[1] * y_ + w[2] * z);
}

// --- touches ---

double System::floor_speed(std::size_t k, const PairGeometry& at, double a) const {
  if (pairs_[k].v_min) return *pairs_[k].v_min;
  if (a == 0.0) return 0.0;
  const ContactSurface& s = pairs_[k].material;
  return resting_touch_speed(1.0 / inverse_masses(pairs_[k], at, bodies_).normal, s.stiffness, s.exponent, a,
                             pressing_gravity(pairs_[k], gravity_));
}

void System::begin(std::size_t k, VectorXd& state) {
  state.segment<4>(pair_at(k)).setZero();
  const PairGeometry at = geometry(pairs_[k], motions_);
  const double approach = std::max(-at.normal.dot(at.velocity), 0.0), a = contacts_[k].damping_at(approach);
  contacts_[k].touch(a, std::max({approach, floor_speed(k, at, a), std::numeric_limits<double>::min()}));
  contacts_[k].find_modes(contact_motion(k, state));
  ++touches_[k];
}

void System::end(std::size_t k, VectorXd& state) {
  contacts_[k].part();
  // Bristles that are still bent spring back for nothing.
  if (ledger_)
    state[ledger_at() + 1] += 0.5 * pairs_[k].material.friction.sigma0 * state.segment<3>(pair_at(k)).squaredNorm();
  state.segment<4>(pair_at(k)).setZero();
}

void System::look() {
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    if (axes_[k].ball_on_plane) {
      const Vector3d& point = std::get_if<FixedSurface>(&pairs_[k].against)->point;
      looks_[k].depth = axes_[k].radius - axes_[k].n.dot(motions_[pairs_[k].tip.body].position - point);
    } else {
      looks_[k].at = geometry(pairs_[k], motions_);
      looks_[k].depth = looks_[k].at.indentation;
    }
  }
}

double System::touch_fraction(const VectorXd& before, double step) const {
  double first = 1.0;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    if (contacts_[k].touching() || !(looks_[k].depth > 0.0)) continue;
    if (looks_[k].depth <= depth_noise * (pairs_[k].tip.radius + motions_[pairs_[k].tip.body].position.norm()))
      continue;
    const PairGeometry end = geometry(pairs_[k], motions_);
    read(before);
    const PairGeometry start = geometry(pairs_[k], motions_);
    read(y);
    // The cubic through depths and rates at both ends.
    const double d0 = start.indentation, d1 = end.indentation, r0 = -step * start.normal.dot(start.velocity),
                 r1 = -step * end.normal.dot(end.velocity), aim = landing_share * d1;
    double low = 0.0, high = 1.0;
    for (int round = 0; round < 50; ++round) {
      const double x = 0.5 * (low + high), w = 1.0 - x;
      const double depth = w * w * ((1.0 + 2.0 * x) * d0 + x * r0) + x * x * ((3.0 - 2.0 * x) * d1 - w * r1);
      (depth < aim ? low : high) = x;
    }
    first = std::min(first, high);
  }
  return first;
}

bool System::begin_and_end_touches(bool at_start) {
  bool began = false;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const double depth = looks_[k].depth;
    if (contacts_[k].touching() && !(depth > 0.0)) {
      end(k, y);
    } else if (!contacts_[k].touching() && (depth > 0.0 || (at_start && depth == 0.0))) {
      begin(k, y);
      began = true;
    } else if (contacts_[k].touching() && !axes_[k].ball_on_plane) {  // there they never leave the plane
      const Vector3d z = y.segment<3>(pair_at(k)), &n = looks_[k].at.normal;
      y.segment<3>(pair_at(k)) = z - n * n.dot(z);
    }
  }
  return began;
}

double System::lugre_rate(std::size_t k) const {
  const BristleFriction& f = pairs_[k].material.friction;
  if (f.model != FrictionModel::lugre || !contacts_[k].touching()) return 0.0;
  const ContactMotion motion = contact_motion(k, y);
  const double load = contacts_[k].forces_anywhere(motion).normal;
  return load > 0.0 ? bristle_settling_rate(f, motion.slip.norm(), load) : 0.0;
}

double System::lugre_rate() const {
  double fastest = 0.0;
  for (std::size_t k = 0; k < pairs_.size() && lugre_; ++k) fastest = std::max(fastest, lugre_rate(k));
  return fastest;
}

void System::save(Moment& moment) const {
  moment.y = y;
  moment.contacts = contacts_;
  moment.touches = touches_;
}

void System::go_back(const Moment& moment) {
  y = moment.y;
  contacts_ = moment.contacts;
  touches_ = moment.touches;
  write_bodies();
}

TouchMemory System::memory(std::size_t k) const {
  return {y.segment<3>(pair_at(k)), y[pair_at(k) + 3], contacts_[k].damping(), contacts_[k].touch_speed()};
}

void System::resume(std::size_t k, const TouchMemory& memory) {
  y.segment<3>(pair_at(k)) = memory.bristles;
  y[pair_at(k) + 3] = memory.dwell;
  contacts_[k].touch(memory.damping, memory.touch_speed);
  contacts_[k].find_modes(contact_motion(k, y));
}

// --- crossings, in accurate mode ---

void System::guard_values(const VectorXd& state, double* values) const {
  read(state);
  for (std::size_t k = 0; k < pairs_.size(); ++k)
    contacts_[k].guard_values(contact_motion(k, state), values + PointContact::guards * static_cast<int>(k));
}

bool System::crossed(int guard, double t, VectorXd& state) {
  const std::size_t k = static_cast<std::size_t>(guard / PointContact::guards);
  read(state);
  if (guard % PointContact::guards != PointContact::gap_guard) {
    contacts_[k].crossed(guard % PointContact::guards, contact_motion(k, state));
    return true;
  }
  if (contacts_[k].touching())
    end(k, state);
  else
    begin(k, state);
  if (crossings_ != nullptr) {
    const PairGeometry at = geometry(pairs_[k], motions_);
    const Motion& first = motions_[pairs_[k].tip.body];
    crossings_->push_back({t, k, contacts_[k].touching(), std::abs(at.normal.dot(at.velocity)),
                           first.position + at.arm_a, at.normal, first.position, first.velocity,
                           first.angular_velocity});
  }
  return true;
}

double System::longest_step(const VectorXd& state, const double* rate) const {
  double longest = std::numeric_limits<double>::infinity();
  read(state);
  // Of the material points in contact: what rolling adds does not bring slip to rest.
  const auto acceleration = [&](std::size_t body, const Vector3d& arm) {
    const double* a = rate + body_size * static_cast<Index>(body) + 7;
    return Vector3d(Vector3d(a[0], a[1], a[2]) + Vector3d(a[3], a[4], a[5]).cross(arm));
  };
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    if (!contacts_[k].touching()) continue;
    const PairGeometry at = geometry(pairs_[k], motions_);
    Vector3d t1, t2;
    const ContactMotion motion = contact_motion(k, at, state, t1, t2);
    Vector3d change = acceleration(pairs_[k].tip.body, at.arm_a);
    if (const auto* other = std::get_if<Tip>(&pairs_[k].against)) change -= acceleration(other->body, at.arm_b);
    longest = std::min(
        longest, unseen_slip_time(pairs_[k].material.friction, motion.slip, Vector2d(t1.dot(change), t2.dot(change))));
  }
  return longest;
}

/// Natural sizes of the state's components.
VectorXd System::scale() const {
  VectorXd s = VectorXd::Ones(y.size());
  double speed = std::sqrt(gravity_.norm()) + 1e-3, mass = 0.0;
  for (const Motion& m : motions_) speed = std::max(speed, m.velocity.norm());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Index at = body_size * static_cast<Index>(i);
    double depth = 1.0, radius = 1.0;
    for (const CompliantPair& pair : pairs_) {
      const auto* other = std::get_if<Tip>(&pair.against);
      if (pair.tip.body != i && (other == nullptr || other->body != i)) continue;
      const double p = pair.material.exponent;
      depth = std::min(depth, std::pow(bodies_[i].mass * speed * speed / pair.material.stiffness, 1.0 / (p + 1.0)));
      radius = std::min(radius, std::max({pair.tip.radius, pair.tip.centre.norm() + pair.tip.rim, 1e-3}));
    }
    s.segment<3>(at).setConstant(depth);
    s.segment<3>(at + 7).setConstant(speed);
    s.segment<3>(at + 10).setConstant(speed / radius);
    if (!bodies_[i].immovable) mass += bodies_[i].mass;
  }
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const double load = bodies_[pairs_[k].tip.body].mass * std::max(gravity_.norm(), 1.0);
    const BristleFriction& f = pairs_[k].material.friction;
    s.segment<3>(pair_at(k)).setConstant(std::max(f.mu_s, 1e-3) * load / f.sigma0);
  }
  if (ledger_) {
    s.segment<2>(ledger_at()).setConstant(mass * speed * speed);
    s.segment<3>(ledger_at() + 2).setConstant(mass * speed);
  }
  return s;
}

/// Balls that pass each other may touch for a moment between two looks at their gap: looks come often enough to see all
/// but touches of less than some ten-thousandth of the radius.
double System::longest_look() const {
  constexpr double share = 0.25;
  double longest = 0.0;
  for (const CompliantPair& pair : pairs_) {
    const auto* other = std::get_if<Tip>(&pair.against);
    if (other == nullptr) continue;
    const double speed = (motions_[pair.tip.body].velocity - motions_[other->body].velocity).norm();
    const double radius = std::max(pair.tip.radius, other->radius);
    if (!(speed > 0.0)) continue;
    const double look = share * radius / speed;
    longest = longest > 0.0 ? std::min(longest, look) : look;
  }
  return longest;
}

SwitchedStop System::follow_for(double time, std::vector<Crossing>* crossings, std::span<const double> times,
                                const std::function<void(std::size_t)>& sample) {
  located = true;
  crossings_ = crossings;
  SwitchedSettings settings;
  settings.scale = scale();
  settings.longest_step = longest_look();
  SwitchedStop stop = follow(*this, 0.0, y, time, settings, times, [&](std::size_t i, double, const VectorXd& state) {
    read(state);
    if (sample) sample(i);
  });
  crossings_ = nullptr;
  y = stop.y;
  normalize();
  write_bodies();
  return stop;
}

double System::stored_energy() const {
  read(y);
  double sum = 0.0;
  for (std::size_t k = 0; k < pairs_.size(); ++k) sum += contacts_[k].stored_energy(contact_motion(k, y));
  return sum;
}

Ledger System::ledger() const {
  const auto* sum = y.data() + ledger_at();
  return {sum[0], sum[1], Vector3d(sum[2], sum[3], sum[4])};
}

void System::open_ledger() { y.segment<ledger_size>(ledger_at()).setZero(); }

}  // namespace carom::stepping
