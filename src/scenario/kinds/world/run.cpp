#include <algorithm>
#include <cmath>

#include "carom/core/error.hpp"

#include "kind.hpp"
#include "world.hpp"

namespace carom::scenario {

namespace {

/// So many impacts are steps in the energy over time; later ones show between frames.
constexpr std::size_t most_steps = 2000;

/// Marks of impacts that are kept; more are thinned out evenly.
constexpr std::size_t most_marks = 4000;

/// Between two keyframes a body is shown to move evenly: it turns by no more than this [rad] ...
constexpr double turn_per_frame = 0.7;
/// ... as long as there are not more frames of bodies than this.
constexpr std::size_t most_frames = 100'000;

/// Progress is told after so many events.
constexpr std::size_t events_per_step = 64;

/// A share of the work, told as part of the whole.
struct Stretch {
  const Progress& progress;
  double from, to;
  /// False: it is asked to stop.
  bool go_on(double share) const {
    progress.at(from + (to - from) * std::clamp(share, 0.0, 1.0));
    return !progress.is_cancelled();
  }
};

SeenBody seen(const WorldBodyAt& at) {
  return {at.body.position, at.body.velocity, at.body.angular_velocity, at.body.orientation, at.state};
}

/// Follows one run and keeps what is bounded.
class Follower {
public:
  Follower(const WorldProblem& problem, std::string name) : world_(problem) {
    track_.name = std::move(name);
    for (const WorldBody& body : problem.bodies)
      track_.fastest_spin = std::max(track_.fastest_spin, body.body.angular_velocity.norm());
  }

  /// @param frames  how many times to look between now and the end of the run; 0: never
  WorldTrack follow(double end, std::size_t frames, const Stretch& stretch) {
    if (frames > 0) track_.paths.resize(world_.problem().bodies.size());
    least_step_ = frames > 0 ? 0.5 * end / static_cast<double>(frames) : 0.0;
    for (std::size_t k = 0; k <= frames; ++k) {
      const double until = k == frames ? end : end * static_cast<double>(k) / static_cast<double>(frames);
      track_.interrupted = !run_until(until, end, stretch);
      if (frames > 0) look();
      if (track_.interrupted) break;
      if (world_.verdict() && *world_.verdict() != WorldVerdict::time) break;
    }
    finish();
    return std::move(track_);
  }

private:
  bool run_until(double until, double end, const Stretch& stretch) {
    WorldEvent event;
    while (world_.step(until, event)) {
      note(event);
      if (track_.events % events_per_step == 0 && !stretch.go_on(event.time / end)) return false;
    }
    return stretch.go_on(until / end);
  }

  void note(WorldEvent& event) {
    ++track_.events;
    event.trace = {};
    for (const std::size_t body : event.bodies) {
      const WorldBodyAt at = world_.body(body);
      track_.fastest_spin = std::max(track_.fastest_spin, at.body.angular_velocity.norm());
      if (track_.paths.empty()) continue;
      std::vector<report::Keyframe>& path = track_.paths[body];
      if (path.empty() || event.time >= path.back().time + least_step_)
        path.push_back({event.time, at.body.position, at.body.orientation});
    }
    if (event.type == WorldEventType::presses) ++track_.touches;
    if (event.type == WorldEventType::impact) {
      ++track_.impacts;
      if (std::isnan(track_.first_impact)) track_.first_impact = event.time;
      track_.last_impact = event.time;
      for (const WorldContact& contact : event.contacts) mark(event.time, contact);
      if (!track_.paths.empty() && track_.impacts <= most_steps) {
        look_at_energy();
        EnergyAt before = track_.energies.back();
        before.kinetic += event.restitution_loss + event.friction_loss;
        track_.energies.insert(track_.energies.end() - 1, before);
      }
    }
    keep(event);
  }

  void mark(double time, const WorldContact& contact) {
    if (contacts_++ % track_.marks_every != 0) return;
    ImpactMark mark{time, contact.first, std::nullopt, contact.point};
    if (contact.second.kind == PartnerKind::body) mark.second = contact.second.index;
    track_.marks.push_back(mark);
    if (track_.marks.size() < most_marks) return;
    for (std::size_t i = 0; 2 * i < track_.marks.size(); ++i) track_.marks[i] = track_.marks[2 * i];
    track_.marks.resize((track_.marks.size() + 1) / 2);
    track_.marks_every *= 2;
  }

  void keep(const WorldEvent& event) {
    const Body after = world_.body(event.bodies.front()).body;
    const KeptEvent kept{track_.events, event, after.position, after.velocity, after.angular_velocity};
    if (track_.first.size() < kept_events) {
      track_.first.push_back(kept);
      return;
    }
    // The last ones go round in a ring, put in order at the end.
    if (track_.last.size() < kept_events)
      track_.last.push_back(kept);
    else
      track_.last[oldest_++ % kept_events] = kept;
  }

  void look_at_energy() {
    const WorldEnergy energy = world_.energy();
    track_.energies.push_back({world_.time(), energy.end - energy.potential_end, energy.potential_end, energy.stored});
  }

  void look() {
    look_at_energy();
    WorldFrame frame;
    frame.time = world_.time();
    for (const WorldBodyAt& at : world_.bodies()) frame.bodies.push_back(seen(at));
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
      std::vector<report::Keyframe>& path = track_.paths[i];
      if (path.empty() || frame.time > path.back().time)
        path.push_back({frame.time, frame.bodies[i].position, frame.bodies[i].orientation});
    }
    track_.frames.push_back(std::move(frame));
  }

  void finish() {
    std::rotate(track_.last.begin(), track_.last.begin() + static_cast<std::ptrdiff_t>(oldest_ % kept_events),
                track_.last.end());
    track_.verdict = world_.verdict().value_or(WorldVerdict::time);
    track_.time = world_.time();
    track_.final = world_.bodies();
    track_.energy = world_.energy();
    track_.momentum_residual = world_.momentum_residual();
    track_.impact_flags = world_.impact_flags();
    track_.flags = world_.flags();
  }

  World world_;
  WorldTrack track_;
  double least_step_ = 0.0;
  std::size_t contacts_ = 0, oldest_ = 0;
};

/// Looks per sample that show the fastest turning, as far as there is room.
std::size_t frames_per_sample(const WorldTrack& track, std::size_t samples, std::size_t bodies) {
  const double turn = track.fastest_spin * track.time / static_cast<double>(samples);
  const std::size_t wanted = static_cast<std::size_t>(std::min(std::ceil(turn / turn_per_frame), 1e4));
  return std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(1, most_frames / (samples * bodies)));
}

/// Runs a scene twice: first to see how long it takes and how fast it turns, then to look at it evenly.
WorldTrack followed(const WorldProblem& problem, const std::string& name, std::size_t samples, const Stretch& stretch,
                    std::size_t* per_sample = nullptr) {
  const double middle = 0.5 * (stretch.from + stretch.to);
  WorldTrack plain = Follower(problem, name).follow(problem.end_time, 0, {stretch.progress, stretch.from, middle});
  if (plain.interrupted) return plain;
  const std::size_t frames = frames_per_sample(plain, samples, problem.bodies.size());
  if (per_sample != nullptr) *per_sample = frames;
  const double end = plain.time > 0.0 ? plain.time : problem.end_time;
  return Follower(problem, name).follow(end, samples * frames, {stretch.progress, middle, stretch.to});
}

}  // namespace

WorldScenario changed(WorldScenario scenario, WorldVariant variant) {
  switch (variant) {
    case WorldVariant::rigid:
      for (WorldMaterial& material : scenario.materials) material.springs.reset();
      scenario.impacts = ContactTreatment::rigid;
      return scenario;
    case WorldVariant::exact:
    case WorldVariant::small_angle: {
      const auto motion = variant == WorldVariant::exact ? PendulumMotion::exact : PendulumMotion::small_angle;
      if (scenario.cradle) scenario.cradle->motion = motion;
      for (ListedSupport& support : scenario.supports)
        if (auto* pendulum = std::get_if<ListedPendulum>(&support)) pendulum->motion = motion;
      return scenario;
    }
    case WorldVariant::vacuum:
      scenario.air.reset();
      return scenario;
    case WorldVariant::hop:
      if (scenario.table) scenario.table->hold = false;
      if (scenario.rack) scenario.rack->hold = false;
      for (ListedSupport& support : scenario.supports)
        if (auto* cloth = std::get_if<ListedCloth>(&support)) cloth->hold = false;
      return scenario;
    case WorldVariant::simultaneous:
      scenario.groups.model = GroupModel::simultaneous;
      break;
    case WorldVariant::rodriguez:
      scenario.groups.model = GroupModel::rodriguez;
      return scenario;
    case WorldVariant::lcp:
      scenario.groups.model = GroupModel::lcp;
      break;
  }
  scenario.groups.examine.reset();
  return scenario;
}

WorldResult run_world_scenario(const WorldScenario& scenario, const RunRequest& request) {
  WorldResult result;
  result.arrangement = arrangement_of(scenario);
  const WorldProblem& problem = result.arrangement.problem;
  if (!request.pictures) {
    result.own = Follower(problem, "").follow(problem.end_time, 0, {request.progress, 0.0, 1.0});
    if (result.own.interrupted) throw Cancelled();
    return result;
  }
  const double runs = 1.0 + static_cast<double>(scenario.compare.size());
  const auto samples = static_cast<std::size_t>(scenario.samples);
  double run = 0.0;
  const auto stretch = [&] {
    run += 1.0;
    return Stretch{request.progress, (run - 1.0) / runs, run / runs};
  };
  result.own = followed(problem, "", samples, stretch(), &result.frames_per_sample);
  result.interrupted = result.own.interrupted;
  for (const WorldVariant variant : scenario.compare) {
    if (result.interrupted) break;
    WorldTrack track = followed(arrangement_of(changed(scenario, variant)).problem, name(variant), samples, stretch());
    result.interrupted = track.interrupted;
    if (!track.interrupted) result.beside.push_back(std::move(track));
  }
  return result;
}

}  // namespace carom::scenario
