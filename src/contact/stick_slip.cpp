#include "carom/contact/stick_slip.hpp"

#include <algorithm>
#include <cmath>

#include "carom/core/error.hpp"
#include "carom/core/switched_system.hpp"

namespace carom {

namespace {

using Eigen::Vector2d, Eigen::VectorXd;

/// The turning of the block counts once its speed is this share of the plate's.
constexpr double turning_noise = 1e-13;
/// Rises and falls of the dwell state by less than this are ripples of a contact that has settled, not cycles.
constexpr double dwell_ripple = 1e-3;
/// Scales beyond these leave no room for squares above and for tolerances below.
constexpr double least_scale = 1e-280, largest_scale = 1e140;

/// State: x, velocity over the plate (which keeps its digits while the block sticks), z, dwell.
class Block final : public SwitchedSystem {
public:
  explicit Block(const StickSlipProblem& problem)
      : p_(problem), load_(problem.mass * problem.gravity), along_(problem.plate_velocity.stableNormalized()) {}

  VectorXd start() {
    VectorXd y = VectorXd::Zero(7);
    const bool moves = p_.start == StickSlipStart::with_plate;
    if (!moves) y.segment<2>(2) = -p_.plate_velocity;
    y[6] = moves ? 1.0 : 0.0;
    regime_ = bristle_regime(p_.friction, bristles(y), y.segment<2>(2), load_);
    return y;
  }
  VectorXd scale() const {
    const double speed = p_.plate_velocity.norm(), hold = p_.friction.mu_s * load_;
    const double inertial = p_.spring > 0.0 ? speed * std::sqrt(p_.mass / p_.spring) : speed * p_.end_time;
    const double x = p_.spring > 0.0 ? std::max(hold / p_.spring, inertial) : inertial;
    const double v = hold > 0.0 ? std::min(speed, hold / p_.friction.sigma1) : speed;
    const double z = hold > 0.0 ? hold / p_.friction.sigma0 : speed * p_.friction.sigma1 / p_.friction.sigma0;
    VectorXd s(7);
    s << x, x, v, v, z, z, 1.0;
    return s;
  }

  void rate(const VectorXd& y, double* rate) const override {
    const Vector2d slip = y.segment<2>(2);
    const BristleForce f = bristle_force(p_.friction, regime_, bristles(y), slip, load_);
    for (int i = 0; i < 2; ++i) {
      rate[i] = slip[i] + p_.plate_velocity[i];
      rate[2 + i] = (f.force[i] - p_.spring * y[i]) / p_.mass;
      rate[4 + i] = f.z_rate[i];
    }
    rate[6] = f.dwell_rate;
  }
  int guards() const override { return bristle_kinks + 1; }
  void guard_values(const VectorXd& y, double* values) const override {
    bristle_margins(p_.friction, regime_, bristles(y), y.segment<2>(2), load_, values);
    const double over_ground = along_.dot(y.segment<2>(2)) + p_.plate_velocity.norm();
    values[bristle_kinks] = (forward_ ? over_ground : -over_ground) + turning_noise * p_.plate_velocity.norm();
  }
  double longest_step(const VectorXd& y, const double* rate) const override {
    return unseen_slip_time(p_.friction, y.segment<2>(2), Vector2d(rate[2], rate[3]));
  }
  bool crossed(int guard, double t, VectorXd& y) override {
    using Type = StickSlipEventType;
    if (guard < bristle_kinks)
      regime_ = beyond(regime_, guard);
    else
      forward_ = !forward_;
    if (guard == 2 || result.events.size() >= max_stick_slip_events) return true;
    const Type types[2][4] = {{Type::leaves_limit, Type::dwell_maximum, {}, Type::turns_back},
                              {Type::reaches_limit, Type::dwell_minimum, {}, Type::turns_forward}};
    const bool now[4] = {regime_.saturated, regime_.settling, false, forward_};
    result.events.push_back({sample(t, y), types[now[guard]][guard]});
    return true;
  }
  StickSlipSample sample(double t, const VectorXd& y) const {
    const Vector2d slip = y.segment<2>(2);
    return {t, y.head<2>(), slip + p_.plate_velocity,
            bristle_force(p_.friction, regime_, bristles(y), slip, load_).force, std::clamp(y[6], 0.0, 1.0)};
  }

  StickSlipResult result;

private:
  static BristleState bristles(const VectorXd& y) { return {y.segment<2>(4), y[6]}; }

  const StickSlipProblem& p_;
  double load_;
  Vector2d along_;
  BristleRegime regime_;
  bool forward_ = true;
};

/// Without the ripples of the dwell state: of two neighbouring extremes that hardly differ neither is one.
std::vector<StickSlipEvent> without_ripples(const std::vector<StickSlipEvent>& events) {
  std::vector<bool> dropped(events.size(), false);
  std::vector<std::size_t> extremes;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].type != StickSlipEventType::dwell_maximum && events[i].type != StickSlipEventType::dwell_minimum)
      continue;
    if (!extremes.empty() && std::abs(events[i].dwell - events[extremes.back()].dwell) < dwell_ripple) {
      dropped[i] = dropped[extremes.back()] = true;
      extremes.pop_back();
    } else {
      extremes.push_back(i);
    }
  }
  std::vector<StickSlipEvent> kept;
  for (std::size_t i = 0; i < events.size(); ++i)
    if (!dropped[i]) kept.push_back(events[i]);
  return kept;
}

}  // namespace

void refuse_size(const std::vector<Ingredient>& ingredients, const std::string& what) {
  const Ingredient* worst = nullptr;
  double farthest = -1.0;
  for (const Ingredient& i : ingredients) {
    if (i.value == 0.0) continue;
    const double far = std::abs(i.power * std::log(std::abs(i.value)));
    if (far > farthest) farthest = far, worst = &i;
  }
  if (worst == nullptr) throw InvalidInput("scale", what);
  throw InvalidInput(worst->field, what + ", got " + number_text(worst->value));
}

void require_scale(const VectorXd& scale, const std::vector<Ingredient>& ingredients) {
  if (!scale.allFinite() || scale.minCoeff() < least_scale || scale.maxCoeff() > largest_scale)
    refuse_size(ingredients);
}

void require_sample_times(const std::vector<double>& times, double end_time) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::string here = " at [" + std::to_string(i) + "]";
    if (!(times[i] >= 0.0 && times[i] <= end_time))
      throw InvalidInput("sample_times", "must lie in [0, " + number_text(end_time) + "] (`end_time`), got " +
                                             number_text(times[i]) + here);
    if (i > 0 && !(times[i] > times[i - 1]))
      throw InvalidInput("sample_times",
                         "must increase, got " + number_text(times[i]) + " after " + number_text(times[i - 1]) + here);
  }
}

StickSlipResult stick_slip(const StickSlipProblem& problem) {
  if (!problem.plate_velocity.allFinite() || problem.plate_velocity.isZero(0.0))
    throw InvalidInput("plate_velocity", "must be finite and not zero");
  require_positive("mass", problem.mass);
  require_at_least("spring", problem.spring, 0.0);
  require_at_least("gravity", problem.gravity, 0.0);
  try {
    require_valid(problem.friction);
  } catch (const InvalidInput& error) {
    throw InvalidInput("friction." + error.field(), error.message());
  }
  require_positive("end_time", problem.end_time);
  require_sample_times(problem.sample_times, problem.end_time);
  Block block(problem);
  SwitchedSettings settings;
  settings.scale = block.scale();
  const BristleFriction& f = problem.friction;
  require_scale(settings.scale, {{"plate_velocity", problem.plate_velocity.cwiseAbs().maxCoeff()},
                                 {"mass", problem.mass},
                                 {"spring", problem.spring},
                                 {"gravity", problem.gravity},
                                 {"friction.mu_s", f.mu_s},
                                 {"friction.sigma0", f.sigma0},
                                 {"friction.sigma1", f.sigma1},
                                 {"end_time", problem.end_time}});
  const VectorXd start = block.start();
  const SwitchedStop stop =
      follow(block, 0.0, start, problem.end_time, settings, problem.sample_times,
             [&](std::size_t, double t, const VectorXd& y) { block.result.samples.push_back(block.sample(t, y)); });
  block.result.events = without_ripples(block.result.events);
  block.result.limited = stop.limited;
  block.result.steps = stop.steps;
  return std::move(block.result);
}

}  // namespace carom
