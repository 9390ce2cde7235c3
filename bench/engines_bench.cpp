// What do engines that step through time make of scenes that can be followed exactly? Six scenes in Bullet, MuJoCo, ODE
// and DART, each with the step that comes with it (or that its users take) and with a tenth of it. Prints the tables of
// docs/engines.md, which says what is measured and with which settings.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numbers>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "engine_scenes.hpp"
#include "world_engines.hpp"

namespace {

using namespace carom;
using namespace carom::bench;

struct Engine {
  std::string name;
  EngineRun (*run)(const WorldProblem&, double);
  double step;          ///< [s]
  std::string as_text;  ///< of the step
};

const std::vector<Engine>& engines() {
  static const std::vector<Engine> all = {
#ifdef CAROM_BENCH_BULLET
      {"Bullet", run_bullet, 1.0 / 240.0, "1/240 s"},
#endif
#ifdef CAROM_BENCH_MUJOCO
      {"MuJoCo", run_mujoco, 2e-3, "2 ms"},
#endif
#ifdef CAROM_BENCH_ODE
      {"ODE", run_ode, 1e-3, "1 ms"},
#endif
#ifdef CAROM_BENCH_DART
      {"DART", run_dart, 1e-3, "1 ms"},
#endif
  };
  return all;
}

EngineRun run_exactly(const WorldProblem& problem) {
  EngineRun run;
  TouchCount touches;
  World world(problem);
  const double start = processor_time();
  world.run(problem.end_time, [&](const WorldEvent& event) {
    for (const WorldContact& contact : event.contacts)
      if (!contact.impulse.isZero(0.0))
        touches.see(
            {contact.first, contact.second.kind == PartnerKind::body ? contact.second.index
                                                                     : problem.bodies.size() + contact.second.index},
            event.time);
  });
  run.seconds = processor_time() - start;
  for (const WorldBodyAt& body : world.bodies()) run.after.push_back(body.body);
  run.touches = touches.count();
  run.risen = std::abs(world.energy().residual);
  if (world.verdict() != WorldVerdict::time) std::printf("\n(the exact run ended at %g s)\n", world.time());
  return run;
}

/// The run, with the least time of three.
template <class Run>
EngineRun best_of_three(const Run& run) {
  EngineRun best = run();
  for (int again = 0; again < 2; ++again) best.seconds = std::min(best.seconds, run().seconds);
  return best;
}

/// How far apart two runs end [m].
double apart(const std::vector<Body>& a, const std::vector<Body>& b, bool backwards = false) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::max(most, (a[i].position - b[backwards ? b.size() - 1 - i : i].position).norm());
  return most;
}

/// What a scene has to lose: its motion, and the heights that its bodies fall from.
double budget(const WorldProblem& problem, const std::vector<Body>& after) {
  double sum = 0.0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Body& body = problem.bodies[i].body;
    if (body.immovable) continue;
    sum += kinetic_energy(body) + body.mass * std::max(-problem.gravity.dot(body.position - after[i].position), 0.0);
  }
  return sum;
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, std::abs(share) < 5e-5 ? "%.0e" : "%.2g %%",
                std::abs(share) < 5e-5 ? share : 100 * share);
  return share == 0.0 ? "0" : text;
}

std::string length(double metres) {
  char text[32];
  if (metres == 0.0) return "0";
  if (metres < 1e-6)
    std::snprintf(text, sizeof text, "%.0e m", metres);
  else
    std::snprintf(text, sizeof text, "%.2g mm", 1e3 * metres);
  return text;
}

std::string span(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g ms", 1e3 * seconds);
  return text;
}

void compare(const std::string& title, const WorldProblem& problem) {
  const WorldProblem backwards = listed_backwards(problem);
  const EngineRun exact = best_of_three([&] { return run_exactly(problem); });
  const double scale = budget(problem, exact.after), energy = energy_of(problem, exact.after);
  std::printf("\n### %s\n\n", title.c_str());
  std::printf("| | energy at the end | above the start | touches | order | step | from the exact | time |\n");
  std::printf("|---|---|---|---|---|---|---|---|\n");
  std::printf("| carom, exact | | %s | %zu | %s | none | | %s |\n", percent(exact.risen / scale).c_str(), exact.touches,
              length(apart(exact.after, run_exactly(backwards).after, true)).c_str(), span(exact.seconds).c_str());
  for (const Engine& engine : engines())
    for (const double share : {1.0, .1}) {
      const double step = share * engine.step;
      const EngineRun run = best_of_three([&] { return engine.run(problem, step); });
      std::printf("| %s, %s%s | %s | %s | %zu | %s | %s | %s | %s |\n", engine.name.c_str(), engine.as_text.c_str(),
                  share < 1.0 ? " / 10" : "", percent((energy_of(problem, run.after) - energy) / scale).c_str(),
                  percent(run.risen / scale).c_str(), run.touches,
                  length(apart(run.after, engine.run(backwards, step).after, true)).c_str(),
                  length(apart(run.after, engine.run(problem, .5 * step).after)).c_str(),
                  length(apart(run.after, exact.after)).c_str(), span(run.seconds).c_str());
      std::fflush(stdout);
    }
}

/// Shots at a thin plate: how many come through, and how many bounce back as they should.
void shoot(int shots) {
  std::printf("\n### Shots at a thin plate\n\n| of %d balls | come through | bounce back at 28 m/s, to 1 %% |\n",
              shots);
  std::printf("|---|---|---|\n");
  const auto count = [&](const std::string& name, const auto& run) {
    std::mt19937_64 random(1);
    int through = 0, back = 0;
    for (int k = 0; k < shots; ++k) {
      const WorldProblem problem = shot_scene(random);
      const Body ball = run(problem).after[0];
      if (ball.position.z() < -.0035) ++through;  // all of it is behind the plate
      if (std::abs(ball.velocity.z() - .7 * 40.0) < .01 * .7 * 40.0) ++back;
    }
    std::printf("| %s | %d | %d |\n", name.c_str(), through, back);
    std::fflush(stdout);
  };
  count("carom, exact", run_exactly);
  for (const Engine& engine : engines())
    for (const double share : {1.0, .1})
      count(engine.name + ", " + engine.as_text + (share < 1.0 ? " / 10" : ""),
            [&](const WorldProblem& problem) { return engine.run(problem, share * engine.step); });
}

}  // namespace

/// With arguments: only the scenes named (cradle, break, stairs, dominoes, dice, plate).
int main(int count, char** names) {
  const auto asked = [&](const char* name) {
    return count < 2 ||
           std::any_of(names + 1, names + count, [&](const char* each) { return !std::strcmp(each, name); });
  };
  if (engines().empty()) std::printf("none of the engines was found when this was built\n");
  if (asked("cradle")) compare("Newton's cradle", cradle_scene());
  if (asked("break")) compare("A break", break_scene());
  if (asked("stairs")) compare("A box down stairs", stairs_scene());
  if (asked("dominoes")) compare("Dominoes", dominoes_scene());
  if (asked("dice")) compare("Two dice", dice_scene());
  if (asked("plate")) shoot(1000);
  return 0;
}
