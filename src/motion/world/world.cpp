#include "carom/motion/world.hpp"

#include "carom/core/error.hpp"

#include "run.hpp"

namespace carom {

World::World(WorldProblem problem) : run_(std::make_unique<Run>(std::move(problem))) {}
World::World(WorldProblem problem, const WorldSaved& saved) : run_(std::make_unique<Run>(std::move(problem), saved)) {}
World::World(const World& other) : run_(std::make_unique<Run>(*other.run_)) {}
World& World::operator=(const World& other) {
  if (this != &other) run_ = std::make_unique<Run>(*other.run_);
  return *this;
}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

const WorldProblem& World::problem() const { return run_->scene().problem; }
double World::time() const { return run_->time(); }
bool World::step(double until, WorldEvent& event) {
  const bool happened = run_->step(until, event);
  run_->look();
  if (!happened) run_->look_ahead();  // whoever stops here is likely to look
  return happened;
}
std::optional<WorldVerdict> World::verdict() const { return run_->verdict(); }
WorldBodyAt World::body(std::size_t index) const { return run_->body(index); }
std::size_t World::events() const { return run_->events(); }
WorldEnergy World::energy() const { return run_->energy(); }
std::optional<double> World::momentum_residual() const { return run_->momentum_residual(); }
Flags World::impact_flags() const { return run_->impact_flags(); }
FlagSet<WorldFlag> World::flags() const { return run_->flags(); }
WorldSaved World::save() const { return run_->save(); }

std::vector<WorldBodyAt> World::bodies() const {
  std::vector<WorldBodyAt> all;
  for (std::size_t i = 0; i < problem().bodies.size(); ++i) all.push_back(run_->body(i));
  return all;
}

void World::run(double until, const std::function<void(const WorldEvent&)>& listener, const Progress& progress) {
  constexpr std::size_t events_between = 256;  // progress is asked about
  WorldEvent event;
  while (step(until, event)) {
    if (listener) listener(event);
    if (events() % events_between == 0) progress.step(std::min(time() / problem().end_time, 1.0));
  }
}

WorldRun run_world(const WorldProblem& problem, const std::vector<double>& sample_times, const Progress& progress) {
  for (std::size_t i = 0; i < sample_times.size(); ++i) {
    const std::string field = "sample_times[" + std::to_string(i) + "]";
    require_between(field, sample_times[i], 0.0, problem.end_time);
    if (i > 0 && !(sample_times[i] > sample_times[i - 1]))
      throw InvalidInput(field, "must be greater than the one before");
  }
  World world(problem);
  WorldRun result;
  const auto keep = [&](const WorldEvent& event) { result.events.push_back(event); };
  for (const double time : sample_times) {
    if (!world.verdict()) world.run(time, keep, progress);
    if (world.verdict() && *world.verdict() != WorldVerdict::time && *world.verdict() != WorldVerdict::rest) break;
    result.samples.push_back({time, world.bodies()});
  }
  if (!world.verdict()) world.run(problem.end_time, keep, progress);
  result.verdict = *world.verdict();
  result.time = world.time();
  result.final = world.bodies();
  result.energy = world.energy();
  result.momentum_residual = world.momentum_residual();
  result.impact_flags = world.impact_flags();
  result.flags = world.flags();
  return result;
}

}  // namespace carom
