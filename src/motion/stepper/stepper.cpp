#include <algorithm>
#include <cmath>

#include "carom/core/error.hpp"

#include "system.hpp"

namespace carom {

namespace {

using Eigen::Vector3d, Eigen::VectorXd;
using stepping::PairGeometry, stepping::System;

/// Slower than this [m/s] nothing approaches, where a time of touch is asked for.
constexpr double least_speed = 1e-6;

}  // namespace

struct CompliantStepper::State {
  State(const CompliantScene& scene, const StepperSettings& given)
      : system(scene), gravity(scene.gravity), settings(given) {
    require_positive("step", settings.step);
    if (settings.substeps < 0) throw InvalidInput("substeps", "must be >= 0, got " + std::to_string(settings.substeps));
    for (std::size_t k = 0; k < scene.pairs.size(); ++k) {
      const ContactSurface& s = scene.pairs[k].material;
      const double a = is_constant(s.e) ? system.contact(k).damping_at(1.0) : 0.0;
      touch_time.push_back(normal_impact(1.0, 1.0, s.exponent, a, 1.0).duration);
    }
    system.begin_and_end_touches(true);
  }

  /// What a pair shows to a tick: nothing where it cannot touch in it.
  struct Prospect {
    bool near;
    double speed, normal_mass, tangential_mass;
  };
  Prospect prospect(std::size_t k) const {
    const PairGeometry at = stepping::geometry(system.pairs()[k], system.motions());
    const double closing = -at.normal.dot(at.velocity), fall = gravity.norm() * settings.step;
    const bool touching = system.contact(k).touching();
    if (!touching && at.indentation + (std::max(closing, 0.0) + fall) * settings.step <= 0.0) return {};
    const stepping::InverseMasses w = stepping::inverse_masses(system.pairs()[k], at, system.bodies());
    const double speed =
        touching ? std::max(std::abs(closing), system.contact(k).touch_speed()) : std::max(closing + fall, least_speed);
    return {true, speed, 1.0 / w.normal, 1.0 / w.tangential};
  }
  /// As accurate_substep, with the integral for the time of touch taken once.
  double accurate(std::size_t k, const Prospect& p) const {
    const ContactSurface& s = system.pairs()[k].material;
    const double unit = std::pow(p.normal_mass * p.speed * p.speed / s.stiffness, 1.0 / (s.exponent + 1.0)) / p.speed;
    return std::min({touch_time[k] * unit / 20.0, 1.2 * p.tangential_mass / s.friction.sigma1,
                     0.5 * std::sqrt(p.tangential_mass / s.friction.sigma0)});
  }
  /// As stable_substep, but only whether a step is one.
  bool bounded(std::size_t k, const Prospect& p, double step) const {
    const ContactSurface& s = system.pairs()[k].material;
    const double a = system.contact(k).touching() ? system.contact(k).damping() : system.contact(k).damping_at(p.speed);
    const double depth = max_indentation(p.normal_mass, s.stiffness, s.exponent, a, p.speed);
    const double stiffness = s.exponent * s.stiffness * std::pow(depth, s.exponent - 1.0) / p.normal_mass;
    return stepping::stays_bounded(stiffness * depth / s.exponent * a / p.speed, stiffness, step) &&
           stepping::stays_bounded(s.friction.sigma1 / p.tangential_mass, s.friction.sigma0 / p.tangential_mass, step);
  }
  std::size_t substeps_now() {
    double longest = settings.step;
    const bool chosen = settings.substeps == 0;
    for (std::size_t k = 0; k < system.pairs().size(); ++k) {
      const Prospect p = prospect(k);
      if (!p.near) continue;
      if (chosen) {
        longest = std::min(longest, accurate(k, p));
      } else if (!bounded(k, p, settings.step / settings.substeps)) {
        const double most_step =
            settings.substeps * stable_substep(system.pairs()[k].material, p.normal_mass, p.tangential_mass, p.speed);
        throw InvalidInput("step", "must be at most " + number_text(most_step) + " s with " +
                                       std::to_string(settings.substeps) + " substeps for pairs[" + std::to_string(k) +
                                       "] to stay bounded, got " + number_text(settings.step));
      }
    }
    if (!chosen) return static_cast<std::size_t>(settings.substeps);
    return static_cast<std::size_t>(std::ceil(settings.step / longest * (1.0 - 1e-12)));
  }
  void one_substep(double h) {
    // Bogacki and Shampine 1989, order 3.
    VectorXd& y = system.y;
    system.rate(y, k1.data());
    stage = y + 0.5 * h * k1;
    system.rate(stage, k2.data());
    stage = y + 0.75 * h * k2;
    system.rate(stage, k3.data());
    y += h * (2.0 / 9.0 * k1 + 1.0 / 3.0 * k2 + 4.0 / 9.0 * k3);
    system.normalize();
    system.read(y);
    system.begin_and_end_touches();
  }
  void advance() {
    system.read(system.y);
    std::size_t count = 0;
    if (settings.mode == StepMode::fixed) {
      system.located = false;
      count = substeps_now();
      const Eigen::Index size = system.y.size();
      k1.resize(size), k2.resize(size), k3.resize(size);
      for (std::size_t i = 0; i < count; ++i) one_substep(settings.step / static_cast<double>(count));
      system.write_bodies();
    } else {
      System before = system;
      const SwitchedStop stop = system.follow_for(settings.step);
      if (stop.limited) {
        system = std::move(before);
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
  VectorXd k1, k2, k3, stage;
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

double CompliantStepper::kinetic_energy() const {
  double sum = 0.0;
  for (const Body& body : state_->system.bodies()) sum += carom::kinetic_energy(body);
  return sum;
}

double CompliantStepper::potential_energy() const {
  double sum = 0.0;
  for (const Body& body : state_->system.bodies())
    if (!body.immovable) sum -= body.mass * state_->gravity.dot(body.position);
  return sum;
}

double CompliantStepper::stored_energy() const { return state_->system.stored_energy(); }

std::string CompliantStepper::summary() const {
  const State& s = *state_;
  std::string text = std::to_string(s.ticks) + " ticks of " + number_text(s.settings.step) + " s, ";
  if (s.settings.mode == StepMode::accurate) return text + std::to_string(s.substeps) + " steps of order 8";
  return text + std::to_string(s.substeps) + " substeps of order 3, at most " + std::to_string(s.most) + " in a tick" +
         (s.settings.substeps == 0 ? " (chosen)" : " (given)");
}

}  // namespace carom
