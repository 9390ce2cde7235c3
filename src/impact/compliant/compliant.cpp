#include "carom/impact/compliant.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "carom/core/error.hpp"

#include "frame.hpp"
#include "tangential_axes.hpp"

namespace carom {

using namespace compliant;

namespace {

/// Coupling out of the plane below this, relative to its neighbours, is rounding: a few operations' worth.
constexpr double planar_tolerance = 16.0 * std::numeric_limits<double>::epsilon();
/// Starts this close to the edge between slip and stick, relative to the slip, are decided by what follows.
constexpr double tie_tolerance = 1e-11;
/// Approach velocities below this part of the slip are taken as this much, and flagged: the squares of both would not
/// fit into the range of doubles.
constexpr double shallowest_approach = 0x1p-700;
/// Friction and eta0 beyond these are taken as this much. Such friction holds whatever it can, and such springs give
/// way to any force: more of either changes nothing but the last digits.
constexpr double greatest_friction = 0x1p100, greatest_stiffness_ratio_root = 0x1p100;
/// A velocity that moves by more than this part with half a unit of rounding of W is flagged.
constexpr double promised_accuracy = 1e-10;
/// So is a ledger that fails to close by more than this part of the larger energy: some event was missed in rounding.
constexpr double ledger_tolerance = 1e-9;
/// Slip that would start backwards by more than this part of what its speed is made of has no meaning as published.
constexpr double backwards = 1e-9;
/// Restitutions below this, but not zero, are taken as this much: the stiffness 1/e^2 would overflow.
constexpr double smallest_restitution = 1e-50;

/// Cholesky factor of W. Its pivots were found positive when the input was checked; the turn of the axes may cost the
/// last one its digits, not its sign.
Matrix3d root_of(const Scaled& p) {
  constexpr double least = std::numeric_limits<double>::epsilon();
  Matrix3d l = Matrix3d::Zero();
  for (int i = 0; i < 2; ++i) {  // W_tt is diagonal
    l(i, i) = std::sqrt(p.wtt(i, i));
    l(2, i) = p.wtn[i] / l(i, i);
  }
  l(2, 2) = std::sqrt(std::max(p.wnn - l(2, 0) * l(2, 0) - l(2, 1) * l(2, 1), least * p.wnn));
  return l;
}

Frame scaled_frame(const CompliantProblem& problem, const ContactSpace& space) {
  Frame frame;
  Scaled& p = frame.scaled;
  // Between slip and approach, so that the squares of both stay in range; W by its largest entry.
  const double slip = space.velocity.head<2>().cwiseAbs().maxCoeff();
  const int approach_exponent = std::ilogb(space.velocity[2]),
            slip_exponent = slip > 0.0 ? std::ilogb(slip) : approach_exponent;
  const int inertia = std::ilogb(space.inverse_inertia.cwiseAbs().maxCoeff());
  const int unit = slip_exponent > approach_exponent ? approach_exponent + (slip_exponent - approach_exponent) / 2
                                                     : approach_exponent;
  frame.velocity = PowerOfTwo(unit);
  frame.impulse = PowerOfTwo(unit - inertia);
  frame.energy = PowerOfTwo(2 * unit - inertia);
  frame.energy_root = PowerOfTwo((2 * unit - inertia) >> 1);  // rounded down; springs_of adds what is missing
  const auto scaled_by = [](int exponent) { return [power = PowerOfTwo(exponent)](double x) { return power * x; }; };
  const Matrix3d w = space.inverse_inertia.unaryExpr(scaled_by(-inertia));
  const Vector3d v = space.velocity.unaryExpr(scaled_by(-unit));

  // First axis along the initial slip; without slip, along the coupling (Jia 2012, eq. 12, with its sign corrected).
  Vector2d u = v.head<2>();
  if (u.isZero(0.0)) u = w.topRightCorner<2, 1>();
  if (u.isZero(0.0)) u = Vector2d::UnitX();
  const double length = std::hypot(u[0], u[1]);
  u /= length;
  frame.axes << u[0], -u[1], u[1], u[0];
  p.wtt = frame.axes.transpose() * w.topLeftCorner<2, 2>() * frame.axes;
  p.wtt(1, 0) = p.wtt(0, 1);
  p.wtn = frame.axes.transpose() * w.topRightCorner<2, 1>();
  p.wnn = w(2, 2);
  p.planar = std::abs(p.wtt(0, 1)) <= planar_tolerance * std::sqrt(p.wtt(0, 0) * p.wtt(1, 1)) &&
             std::abs(p.wtn[1]) <= planar_tolerance * std::sqrt(p.wtt(1, 1) * p.wnn);
  p.v0 = {v.head<2>().isZero(0.0) ? 0.0 : length, 0.0, v[2]};
  if (p.planar) {
    p.across_slip = std::abs(p.wtt(0, 1));
    p.across_normal = std::abs(p.wtn[1]);
    p.wtt(0, 1) = p.wtt(1, 0) = p.wtn[1] = 0.0;
  } else {
    // Nothing is gained by the axes of slip; those of W_tt keep the digits of both directions.
    const TangentialAxes axes = tangential_axes(w(0, 0), w(0, 1), w(1, 1));
    frame.axes << axes.cosine, axes.sine, -axes.sine, axes.cosine;
    p.wtt << axes.first, 0.0, 0.0, axes.second;
    p.wtn = frame.axes.transpose() * w.topRightCorner<2, 1>();
    p.v0.head<2>() = frame.axes.transpose() * v.head<2>();
  }
  frame.in_range = -v[2] >= shallowest_approach * length || v.head<2>().isZero(0.0);
  if (!frame.in_range) p.v0[2] = -shallowest_approach * length;
  p.root = root_of(p);
  p.wt_norm = p.wtt.norm();
  p.wtn_norm = p.wtn.norm();
  p.mu = std::min(problem.material.friction, greatest_friction);
  p.e = problem.material.restitution > 0.0 ? std::max(problem.material.restitution, smallest_restitution) : 0.0;
  p.eta0 = std::min(problem.stiffness_ratio_root, greatest_stiffness_ratio_root);
  p.eta0_squared = p.eta0 * p.eta0;
  p.published = problem.reading == Reading::published;
  p.keeps_stiffness = problem.unloading == Unloading::keep_stiffness;
  return frame;
}

double normal_force(const Scaled& p, const State& s) { return std::sqrt(2.0 * p.kappa(s.restitution) * s.energy); }

Vector2d tangential_force(const Scaled& p, const State& s) {
  return s.slipping ? Vector2d(-p.slip_friction(s.restitution) * normal_force(p, s) * s.d) : s.g;
}

class EventRecorder final : public Recorder {
public:
  explicit EventRecorder(std::vector<CompliantEvent>& events) : events_(events) {}
  void event(EventType type, const State& s) override {
    CompliantEvent& e = events_.emplace_back();
    e.type = type;
    e.impulse = frame().out(s.impulse, frame().impulse);
    e.velocity = frame().out(s.v, frame().velocity);
    e.springs = springs_of(frame(), s);
  }
  void point(const State&) override {}

private:
  std::vector<CompliantEvent>& events_;
};

/// The process, event by event.
class Process {
public:
  /// @param p  its reading becomes the model's where the published one has no meaning
  Process(Scaled& p, CompliantOutcome& outcome, Observer* observer) : p_(p), outcome_(outcome), observer_(observer) {}

  State run() {
    s_.v = p_.v0;
    s_.y[0] = p_.v0[0] / p_.root(0, 0);
    s_.y[1] = p_.v0[1] / p_.root(1, 1);  // W_tt is diagonal
    s_.y[2] = (p_.v0[2] - p_.root(2, 0) * s_.y[0] - p_.root(2, 1) * s_.y[1]) / p_.root(2, 2);
    outcome_.energy.before = 0.5 * s_.y.squaredNorm();
    const bool marginal = choose_start();
    if (p_.mu == 0.0 || (p_.v0.head<2>().isZero(0.0) && p_.wtn_norm == 0.0)) {
      run_uncoupled();
      return s_;
    }
    bool on_cone = true;
    while (outcome_.event_count < max_compliant_events) {
      const Stop stop = s_.slipping ? follow_slip(p_, s_, observer_)
                                    : follow_stick(p_, s_, on_cone, marginal && outcome_.event_count == 1, observer_);
      on_cone = false;
      if (stop == Stop::separates) return finish();
      if (stop == Stop::gives_up) break;
      if (stop == Stop::normal_turns) {
        if (turn()) return s_;
      } else if (s_.slipping) {
        on_cone = !(p_.published && s_.restitution);
        if (observer_) observer_->point(s_);
        s_.g = tangential_force(p_, s_);
        s_.slipping = false;
        tell(EventType::slip_ends);
      } else {
        start_slipping_again();
      }
    }
    outcome_.verdict = Verdict::event_limit;
    outcome_.flags.set(Flag::event_limit);
    outcome_.energy.residual = s_.energy + 0.5 * p_.eta0_squared * tangential_force(p_, s_).squaredNorm();
    return s_;
  }

private:
  void tell(EventType type) {
    ++outcome_.event_count;
    if (observer_) observer_->event(type, s_);
  }

  /// Slip or stick at first touch (Jia 2012, Proposition 1)? Returns whether it is stick on the very edge.
  bool choose_start() {
    const Vector2d vt = p_.v0.head<2>();
    const double slip = std::hypot(vt[0], vt[1]), limit = p_.mu * p_.eta0_squared * -p_.v0[2];
    s_.slipping = slip > limit;
    if (slip > 0.0) s_.d = vt / slip;
    const Vector2d& d = s_.d;
    const double normal_slope = p_.wnn - p_.mu * p_.wtn.dot(d);
    bool edge = false;
    if (slip > 0.0 && p_.mu > 0.0 && std::abs(slip - limit) <= tie_tolerance * slip) {
      s_.slipping = (p_.wtn - p_.mu * (p_.wtt * d)).dot(d) + p_.mu * p_.eta0_squared * normal_slope > 0.0;
      outcome_.flags.set(Flag::marginal);
      edge = !s_.slipping;
    }
    if (slip > 0.0 && normal_slope < 0.0) outcome_.flags.set(Flag::jamb);
    tell(s_.slipping ? EventType::start_slip : EventType::start_stick);
    return edge;
  }

  /// No friction, or nothing to excite it: closed form.
  void run_uncoupled() {
    const double n = -p_.v0[2] / p_.wnn;
    show_uncoupled(n);
    s_.energy = s_.energy_scale = 0.5 * -p_.v0[2] * n;
    s_.add_impulse(p_, {0.0, 0.0, n});
    s_.v[2] = 0.0;
    if (turn()) return;
    show_uncoupled(p_.e * n);
    s_.energy = s_.least_energy;
    s_.add_impulse(p_, {0.0, 0.0, p_.e * n});
    s_.v[2] = -p_.e * p_.v0[2];
    finish();
  }

  /// For the observer, the state on the way to an impulse of n more.
  void show_uncoupled(double n) {
    if (!observer_) return;
    const auto state_after = [&](double x) {
      State at = s_;
      at.energy = std::max(0.0, s_.energy - x * (s_.v[2] + 0.5 * p_.wnn * x));
      at.add_impulse(p_, {0.0, 0.0, x});
      return at;
    };
    for (int k = 1, count = observer_->points_per_stick(); k <= count; ++k)
      observer_->point(state_after(n * k / (count + 1)));
    hand_out(observer_, s_.impulse[2] + n, [&](double to) { return state_after(to - s_.impulse[2]); });
  }

  /// v_n = 0. True if that ends the impact.
  bool turn() {
    s_.v[2] = 0.0;
    if (!s_.approaching) {
      s_.approaching = true;
      outcome_.flags.set(Flag::recompression);
      tell(EventType::recompression_begins);
      return false;
    }
    s_.approaching = false;
    if (observer_) observer_->point(s_);
    if (!s_.restitution) {
      const double lost = (1.0 - p_.e * p_.e) * s_.energy;
      if (p_.e == 0.0) {
        let_go();
        const Vector2d& g = s_.g;
        if (-p_.mu * p_.wtn.dot(g) > p_.wnn * g.norm()) outcome_.flags.set(Flag::e0_jam);
        tell(EventType::compression_ends);
        finish();
        return true;
      }
      if (p_.keeps_stiffness) {
        s_.least_energy = lost;
      } else {
        s_.restitution_loss += lost;
        s_.energy *= p_.e * p_.e;
      }
      s_.energy_scale = s_.energy;
      s_.restitution = true;
    }
    tell(EventType::compression_ends);
    return false;
  }

  /// The normal strain that is left is lost; the tangential strain stays where it is.
  void let_go() {
    s_.g = tangential_force(p_, s_);
    s_.slipping = false;
    s_.restitution_loss += s_.energy;
    s_.energy = 0.0;
    outcome_.energy.residual = 0.5 * p_.eta0_squared * s_.g.squaredNorm();
  }

  void start_slipping_again() {
    const double force = s_.g.norm();
    if (observer_) observer_->point(s_);
    if (force > 0.0) s_.d = -s_.g / force;
    const double normal = force / p_.mu;
    s_.energy = normal * normal / (2.0 * p_.kappa(s_.restitution));
    s_.slipping = true;
    tell(EventType::stick_ends);
    if (!p_.published || !s_.restitution) return;
    // As published friction drops from mu to e mu here. Where less friction would have to slip backwards the reading
    // has no meaning: the contact sticks again under what friction is left, and the model goes on.
    if (!(slip_speed(p_, s_) < -backwards * (s_.v.head<2>().norm() + std::abs(s_.v[2])))) return;
    outcome_.flags.set(Flag::undefined_reading);
    if (observer_) observer_->point(s_);
    s_.g = tangential_force(p_, s_);
    s_.slipping = false;
    p_.published = false;
    tell(EventType::slip_ends);
  }

  State finish() {
    if (s_.least_energy > 0.0) {
      if (observer_) observer_->point(s_);
      let_go();
    }
    outcome_.verdict = Verdict::separated;
    tell(EventType::separates);
    return s_;
  }

  Scaled& p_;
  CompliantOutcome& outcome_;
  Observer* observer_;
  State s_;
};

ContactSpace checked(const CompliantProblem& problem) {
  const ContactSpace space = validated(problem.space);
  require_valid(problem.material);
  require_positive("stiffness_ratio_root", problem.stiffness_ratio_root);
  require_valid(problem.reading, problem.unloading);
  return space;
}

/// Does v = v0 + W I hold as exactly as its terms allow, and friction keep to its cone? Directions that are too unlike
/// cost digits on the way, and so does a normal impulse that is next to nothing.
bool keeps_momentum(const Scaled& p, const State& end) {
  const Vector2d it = end.impulse.head<2>();
  const double n = end.impulse[2], scale = p.v0.cwiseAbs().maxCoeff();
  for (int i = 0; i < 2; ++i) {
    const double pushed = p.wtt(i, i) * it[i], drawn = p.wtn[i] * n;
    const double terms = scale + std::abs(pushed) + std::abs(drawn);
    if (!(std::abs(p.v0[i] + pushed + drawn - end.v[i]) <= promised_accuracy * terms)) return false;
  }
  // What was left out as rounding of a large W must be small beside the velocities too.
  if (!(p.across_slip * std::abs(it[0]) + p.across_normal * n <= promised_accuracy * scale)) return false;
  if (!(it.norm() <= p.mu * n * (1.0 + promised_accuracy))) return false;
  const double terms = scale + p.wtn.cwiseAbs().dot(it.cwiseAbs()) + p.wnn * n;
  return std::abs(p.v0[2] + p.wtn.dot(it) + p.wnn * n - end.v[2]) <= promised_accuracy * terms;
}

}  // namespace

namespace compliant {

ContactSprings springs_of(const Frame& frame, const State& s) {
  const Scaled& p = frame.scaled;
  const Vector2d g = tangential_force(p, s), length = -p.eta0_squared * g;
  const Vector2d slip = s.slipping ? Vector2d(slip_speed(p, s) * s.d) : Vector2d(Vector2d::Zero());
  const Vector2d rate = s.v.head<2>() - slip;
  ContactSprings springs;
  const double odd = frame.energy.exponent() - 2 * frame.energy_root.exponent() == 1 ? std::numbers::sqrt2 : 1.0;
  springs.length =
      frame.out(odd * Vector3d(length[0], length[1], -normal_force(p, s) / p.kappa(s.restitution)), frame.energy_root);
  springs.rate = frame.out({rate[0], rate[1], s.v[2]}, frame.velocity);
  springs.slip_velocity = frame.out({slip[0], slip[1], 0.0}, frame.velocity).head<2>();
  // Energies of the springs along the caller's axes.
  const Vector2d turned = frame.axes * g;
  springs.energy = {frame.energy * (0.5 * p.eta0_squared * turned[0] * turned[0]),
                    frame.energy * (0.5 * p.eta0_squared * turned[1] * turned[1]), frame.energy * s.energy};
  return springs;
}

void run_springs(const CompliantProblem& problem, CompliantOutcome& outcome, Recorder* recorder) {
  const ContactSpace space = checked(problem);
  outcome.velocity_after = space.velocity;
  if (!(space.velocity[2] < 0.0)) {
    outcome.energy.before = outcome.energy.after = kinetic_energy(space);
    outcome.flags.set(Flag::overflow, !std::isfinite(outcome.energy.before));
    return;
  }
  Frame frame = scaled_frame(problem, space);
  Scaled& p = frame.scaled;
  if (recorder) recorder->start(frame);
  const State end = Process(p, outcome, recorder).run();

  outcome.impulse = frame.out(end.impulse, frame.impulse);
  outcome.velocity_after = frame.out(end.v, frame.velocity);
  EnergyLedger& energy = outcome.energy;
  energy.after = 0.5 * end.y.squaredNorm();
  energy.restitution_loss = end.restitution_loss;
  // Slip loses energy; only rounding makes it less than nothing.
  energy.friction_loss = problem.reading == Reading::published
                             ? energy.before - energy.after - energy.restitution_loss - energy.residual
                             : std::max(end.friction_loss, 0.0);
  if (end.doubt > promised_accuracy ||
      !(std::abs(energy.imbalance()) <= ledger_tolerance * std::max(energy.before, energy.after)))
    outcome.flags.set(Flag::ill_conditioned);
  if (!keeps_momentum(p, end)) outcome.flags.set(Flag::ill_conditioned);
  bool finite = frame.in_range && outcome.impulse.allFinite() && outcome.velocity_after.allFinite();
  for (const double x : outcome.impulse) finite = finite && (x == 0.0 || std::isnormal(x));  // no digits left
  finite = finite && (energy.before == 0.0 || frame.energy * energy.before >= std::numeric_limits<double>::min());
  for (double* part :
       {&energy.before, &energy.after, &energy.restitution_loss, &energy.residual, &energy.friction_loss}) {
    *part = frame.energy * *part;
    finite = finite && std::isfinite(*part);
  }
  if (!finite) outcome.flags.set(Flag::overflow);
}

bool is_rigid(const CompliantProblem& problem) {
  require_positive("stiffness_ratio_root", problem.stiffness_ratio_root);
  return problem.stiffness_ratio_root < rigid_stiffness_ratio_root;
}

SpatialProblem rigid_limit(const CompliantProblem& problem) {
  return {problem.space, problem.material, RestitutionLaw::energetic};
}

}  // namespace compliant

void require_valid(Reading reading, Unloading unloading) {
  if (unloading == Unloading::keep_stiffness && reading != Reading::model)
    throw InvalidInput("unloading", "must be stiffer with the published reading, got keep_stiffness");
}

namespace {

SpatialImpact solve_rigid(const CompliantProblem& problem, CompliantOutcome& outcome) {
  const SpatialImpact rigid = spatial_impact(rigid_limit(problem));
  outcome.verdict = rigid.verdict;
  outcome.impulse = rigid.impulse;
  outcome.velocity_after = rigid.velocity_after;
  outcome.energy = rigid.energy;
  outcome.flags = rigid.flags;
  outcome.flags.set(Flag::rigid_limit);
  outcome.event_count = rigid.events.size();
  return rigid;
}

}  // namespace

CompliantImpact compliant_impact(const CompliantProblem& problem) {
  CompliantImpact result;
  if (is_rigid(problem)) {
    for (const Event<3>& event : solve_rigid(problem, result).events) result.events.push_back({event, {}});
    return result;
  }
  EventRecorder recorder(result.events);
  run_springs(problem, result, &recorder);
  return result;
}

CompliantOutcome compliant_outcome(const CompliantProblem& problem) {
  CompliantOutcome result;
  if (is_rigid(problem))
    solve_rigid(problem, result);
  else
    run_springs(problem, result, nullptr);
  return result;
}

void compliant_outcomes(std::span<const CompliantProblem> problems, std::span<CompliantOutcome> outcomes) {
  if (problems.size() != outcomes.size()) throw InvalidInput("outcomes", "must be as many as the problems");
  for (std::size_t i = 0; i < problems.size(); ++i) {
    try {
      outcomes[i] = compliant_outcome(problems[i]);
    } catch (const InvalidInput&) {
      outcomes[i] = {};
      outcomes[i].verdict = Verdict::invalid;
    }
  }
}

}  // namespace carom
