#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/core/error.hpp"

#include "pace.hpp"
#include "system.hpp"

namespace carom {

namespace {

using Eigen::Vector3d, Eigen::VectorXd;
using stepping::PairGeometry, stepping::System;

/// Slower than this [m/s] nothing approaches, where a time of touch is asked for.
constexpr double least_speed = 1e-6;
/// Of what contacts in company bear by their sum, which bounds it from above but is taken at one point of their law.
constexpr double company_share = 0.8;
/// Energy beyond what there was, as a share of all that has been in motion, at which a run has left its equations: no
/// error of accurate steps comes near, growth without bound is there within ticks.
constexpr double growth_allowed = 1.0;
/// LuGre's substeps, of the time in which its bristles give way: as accurate_substep.
constexpr double lugre_share = 1.2;
/// What is left of a tick when it is over, to rounding.
constexpr double tick_noise = 1e-12;

}  // namespace

struct CompliantStepper::State {
  State(const CompliantScene& scene, const StepperSettings& given)
      : system(scene), gravity(scene.gravity), settings(given), company(scene.bodies.size()) {
    require_positive("step", settings.step);
    if (settings.substeps < 0) throw InvalidInput("substeps", "must be >= 0, got " + std::to_string(settings.substeps));
    for (std::size_t k = 0; k < scene.pairs.size(); ++k) {
      const ContactSurface& s = scene.pairs[k].material;
      const double a = is_constant(s.e) ? system.contact(k).damping_at(1.0) : 0.0;
      touch_time.push_back(normal_impact(1.0, 1.0, s.exponent, a, 1.0).duration);
    }
    system.look();
    system.begin_and_end_touches(true);
    start_potential = potential();
    start_energy = kinetic() + system.stored_energy();
    for (const Body& body : scene.bodies) {
      if (body.immovable && !(body.velocity.isZero(0.0) && body.angular_velocity.isZero(0.0))) driven = true;
      if (!body.immovable) fall_energy += body.mass * gravity.squaredNorm() * settings.step * settings.step;
    }
    in_motion = start_energy + fall_energy;
  }

  // --- how short the steps must be ---

  /// What a pair shows to a tick: nothing where it cannot touch in it.
  struct Prospect {
    std::size_t pair;
    stepping::Pace pace;
  };
  /// @return  whether the pair may touch
  bool prospect(std::size_t k, Prospect& p) const {
    const PairGeometry at = stepping::geometry(system.pairs()[k], system.motions());
    const double closing = -at.normal.dot(at.velocity), fall = gravity.norm() * settings.step;
    const PointContact& contact = system.contact(k);
    if (!contact.touching() && at.indentation + (std::max(closing, 0.0) + fall) * settings.step <= 0.0) return false;
    const stepping::InverseMasses w = stepping::inverse_masses(system.pairs()[k], at, system.bodies());
    const ContactSurface& s = system.pairs()[k].material;
    stepping::Press press{std::max(closing + fall, least_speed), 0.0, 0.0, 0.0};
    if (contact.touching()) {
      // How deep gravity alone would press it in, and how fast.
      const double g = stepping::pressing_gravity(system.pairs()[k], gravity);
      const double at_rest = std::pow(g / w.normal / s.stiffness, 1.0 / s.exponent), sinking = std::sqrt(g * at_rest);
      press.speed = std::max({std::abs(closing), sinking, least_speed});
      if (contact.damping() > 0.0) press.speed = std::max(press.speed, contact.touch_speed());
      press.damping = contact.damping() > 0.0 ? contact.damping() * (press.speed / contact.touch_speed()) : 0.0;
      press.depth = std::max(at.indentation, at_rest);
      press.slip_rate = system.lugre_rate(k);
    } else {
      press.damping = contact.damping_at(press.speed);
    }
    p = {k, stepping::pace_of(s, 1.0 / w.normal, 1.0 / w.tangential, press, touch_time[k])};
    return true;
  }
  static void add(stepping::Pace& sum, const stepping::Pace& more) {
    sum.normal_damping += more.normal_damping;
    sum.normal_stiffness += more.normal_stiffness;
    sum.tangential_damping += more.tangential_damping;
    sum.tangential_stiffness += more.tangential_stiffness;
  }
  /// All pairs that may touch in this tick, and what the bodies bear by them.
  void find_prospects() {
    prospects.clear();
    Prospect p;
    for (std::size_t k = 0; k < system.pairs().size(); ++k)
      if (prospect(k, p)) prospects.push_back(p);
    for (const Prospect& q : prospects) for_bodies(q.pair, [&](std::size_t body) { company[body] = {}; });
    for (const Prospect& q : prospects) for_bodies(q.pair, [&](std::size_t body) { add(company[body], q.pace); });
  }
  template <class Action>
  void for_bodies(std::size_t k, const Action& action) const {
    const CompliantPair& pair = system.pairs()[k];
    if (!system.bodies()[pair.tip.body].immovable) action(pair.tip.body);
    if (const auto* other = std::get_if<Tip>(&pair.against);
        other != nullptr && !system.bodies()[other->body].immovable)
      action(other->body);
  }
  /// A pair with all that touch the same bodies: no eigenvalue of the coupled contacts is above the sum of their own.
  stepping::Pace in_company(const Prospect& p) const {
    stepping::Pace sum;
    int sides = 0;
    for_bodies(p.pair, [&](std::size_t body) {
      add(sum, company[body]);
      ++sides;
    });
    if (sides == 2) {  // counted on both
      sum.normal_damping -= p.pace.normal_damping;
      sum.normal_stiffness -= p.pace.normal_stiffness;
      sum.tangential_damping -= p.pace.tangential_damping;
      sum.tangential_stiffness -= p.pace.tangential_stiffness;
    }
    sum.settling = p.pace.settling;
    return sum;
  }
  /// The longest step with which every pair stays bounded [s], in company.
  double longest_stable() {
    system.read(system.y);
    find_prospects();
    double longest = std::numeric_limits<double>::infinity();
    for (const Prospect& p : prospects) longest = std::min(longest, stepping::stable_step(in_company(p)));
    return longest;
  }
  double longest_substep() {
    find_prospects();
    if (settings.substeps > 0) {
      require_bounded();
      return settings.step / settings.substeps;
    }
    double longest = settings.step;
    for (const Prospect& p : prospects) longest = std::min(longest, stepping::accurate_step(p.pace));
    for (const Prospect& p : prospects) {
      const stepping::Pace sum = in_company(p);
      if (!stepping::stays_bounded(sum, longest / company_share)) longest = company_share * stepping::stable_step(sum);
    }
    return longest;
  }
  void require_bounded() const {
    for (const Prospect& p : prospects) {
      // Contacts in company may bear more than their sum says: what is refused here is so alone.
      if (stepping::stays_bounded(p.pace, settings.step / settings.substeps)) continue;
      throw InvalidInput("step", "must be at most " + number_text(settings.substeps * stepping::stable_step(p.pace)) +
                                     " s with " + std::to_string(settings.substeps) + " substeps for pairs[" +
                                     std::to_string(p.pair) + "] to stay bounded, got " + number_text(settings.step));
    }
  }
  /// In how many pieces of at most `longest` a time is to be cut.
  std::size_t pieces(double time, double longest) const {
    const double count = std::ceil(time / longest * (1.0 - tick_noise));
    if (!(count <= static_cast<double>(max_substeps))) refuse_work(longest);
    return static_cast<std::size_t>(std::max(count, 1.0));
  }
  [[noreturn]] void refuse_work(double longest) const {
    throw InvalidInput("step", "must be at most " + number_text(static_cast<double>(max_substeps) * longest) +
                                   " s: steps of " + number_text(longest) +
                                   " s are needed to stay bounded, and a tick has at most " +
                                   std::to_string(max_substeps) + ", got " + number_text(settings.step));
  }

  // --- steps ---

  void step_from(const VectorXd& y0, double h) {
    // Bogacki and Shampine 1989, order 3; k1 is known.
    stage = y0 + 0.5 * h * k1;
    system.rate(stage, k2.data());
    stage = y0 + 0.75 * h * k2;
    system.rate(stage, k3.data());
    system.y = y0 + h * (2.0 / 9.0 * k1 + 1.0 / 3.0 * k2 + 4.0 / 9.0 * k3);
    system.normalize();
    system.read(system.y);
    system.look();
  }
  /// A step, or the part of it up to the first touch.
  /// @return  how long it was
  double one_substep(double h, bool& began) {
    before = system.y;
    system.rate(before, k1.data());
    step_from(before, h);
    const double share = system.touch_fraction(before, h);
    if (share < 1.0) {
      h *= share;
      step_from(before, h);
    }
    began = system.begin_and_end_touches();
    return h;
  }
  std::size_t fixed_tick() {
    system.located = false;
    const Eigen::Index size = system.y.size();
    k1.resize(size), k2.resize(size), k3.resize(size);
    const bool chosen = settings.substeps == 0;
    double left = settings.step, longest = longest_substep();
    std::size_t count = 0, todo = pieces(left, longest);
    longest_taken = 0.0;
    while (todo > 0) {
      double h = left / static_cast<double>(todo);
      // LuGre's bristles give way the faster the smaller the load: at the ends of a touch for moments only.
      const double rate = chosen ? system.lugre_rate() : 0.0;
      const bool whole = !(rate * h > lugre_share);
      if (!whole) h = lugre_share / rate;
      bool began = false;
      const double taken = one_substep(h, began);
      longest_taken = std::max(longest_taken, taken);
      left -= taken;
      if (++count > max_substeps) refuse_work(h);
      if (whole && taken == h && !began) {
        --todo;
        continue;
      }
      if (!(left > tick_noise * settings.step)) break;
      if (began && chosen) longest = longest_substep();
      todo = pieces(left, longest);
    }
    return count;
  }

  // --- ticks ---

  double kinetic() const {
    double sum = 0.0;
    for (const Body& body : system.bodies()) sum += carom::kinetic_energy(body);
    return sum;
  }
  double potential() const {
    double sum = 0.0;
    for (const Body& body : system.bodies())
      if (!body.immovable) sum -= body.mass * gravity.dot(body.position);
    return sum;
  }
  /// Contacts take energy and give none, but for what moving bodies without mass bring in.
  bool has_grown() {
    if (!system.y.allFinite()) return true;
    if (driven) return false;
    const double risen = potential() - start_potential;
    in_motion = std::max(in_motion, start_energy + fall_energy - risen);
    return !(kinetic() + risen - start_energy <= growth_allowed * in_motion);
  }
  void advance() {
    system.read(system.y);
    std::size_t count = 0;
    system.save(moment);
    if (settings.mode == StepMode::fixed) {
      try {
        count = fixed_tick();
      } catch (...) {
        system.go_back(moment);
        throw;
      }
      system.write_bodies();
      if (has_grown()) {
        system.go_back(moment);
        const double stable = std::min(longest_stable(), 0.5 * longest_taken) * std::max(settings.substeps, 1);
        throw InvalidInput("step", "must be at most " + number_text(stable) + " s with " +
                                       (settings.substeps > 0 ? std::to_string(settings.substeps) : "its own") +
                                       " substeps for the contacts together to stay bounded, got " +
                                       number_text(settings.step));
      }
    } else {
      const SwitchedStop stop = system.follow_for(settings.step);
      if (stop.limited) {
        system.go_back(moment);
        throw InvalidInput("step", "takes more than " + std::to_string(SwitchedSettings().max_steps) +
                                       " steps to follow accurately, got " + number_text(settings.step));
      }
      count = stop.steps;
    }
    ++ticks;
    substeps += count;
    most = std::max(most, count);
  }

  System system;
  Vector3d gravity;
  StepperSettings settings;
  std::vector<double> touch_time;  // of mass, stiffness and speed 1
  std::vector<Prospect> prospects;
  std::vector<stepping::Pace> company;  // of each body: the sum over its prospects
  System::Moment moment;
  VectorXd k1, k2, k3, stage, before;
  double longest_taken = 0.0;
  // Energies: at the start (without gravity's), gravity's then, what it gives in a tick, and the most there was to
  // move.
  double start_energy = 0.0, start_potential = 0.0, fall_energy = 0.0, in_motion = 0.0;
  bool driven = false;  // immovable bodies move
  std::size_t ticks = 0, substeps = 0, most = 0;
};

CompliantStepper::CompliantStepper(const CompliantScene& scene, const StepperSettings& settings)
    : state_(std::make_unique<State>(scene, settings)) {}
CompliantStepper::~CompliantStepper() = default;
CompliantStepper::CompliantStepper(CompliantStepper&&) noexcept = default;
CompliantStepper& CompliantStepper::operator=(CompliantStepper&&) noexcept = default;

void CompliantStepper::advance() { state_->advance(); }
double CompliantStepper::time() const { return static_cast<double>(state_->ticks) * state_->settings.step; }
const std::vector<Body>& CompliantStepper::bodies() const { return state_->system.bodies(); }
std::size_t CompliantStepper::ticks() const { return state_->ticks; }
std::size_t CompliantStepper::most_substeps() const { return state_->most; }

PairState CompliantStepper::pair(std::size_t k) const {
  const System& s = state_->system;
  if (k >= s.pairs().size())
    throw InvalidInput("pair", "must be the number of a pair, below " + std::to_string(s.pairs().size()));
  s.read(s.y);
  const PairGeometry at = stepping::geometry(s.pairs()[k], s.motions());
  Vector3d t1, t2;
  const ContactMotion motion = s.contact_motion(k, at, s.y, t1, t2);
  const ContactForces f = s.contact(k).forces_anywhere(motion);
  PairState state;
  state.touching = s.contact(k).touching();
  state.indentation = at.indentation;
  state.normal = at.normal;
  state.force = f.normal * at.normal + f.tangential.force[0] * t1 + f.tangential.force[1] * t2;
  state.bristles = s.memory(k).bristles;
  state.dwell = motion.bristles.dwell;
  state.touches = s.touches(k);
  return state;
}

double CompliantStepper::kinetic_energy() const { return state_->kinetic(); }
double CompliantStepper::potential_energy() const { return state_->potential(); }
double CompliantStepper::stored_energy() const { return state_->system.stored_energy(); }

std::string CompliantStepper::summary() const {
  const State& s = *state_;
  std::string text = std::to_string(s.ticks) + " ticks of " + number_text(s.settings.step) + " s, ";
  if (s.settings.mode == StepMode::accurate) return text + std::to_string(s.substeps) + " steps of order 8";
  return text + std::to_string(s.substeps) + " substeps of order 3, at most " + std::to_string(s.most) + " in a tick" +
         (s.settings.substeps == 0 ? " (chosen)" : " (given)");
}

}  // namespace carom
