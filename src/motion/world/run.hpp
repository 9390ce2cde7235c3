// The loop of a scene: what happens next, what it changes, what is predicted anew.
#pragma once

#include "audit.hpp"
#include "neighbours.hpp"
#include "pressed.hpp"
#include "queue.hpp"
#include "strike.hpp"

namespace carom {

namespace world {

/// So often, between two events, a search for the next one goes on where it was put aside: well below a second of work.
/// Two pendulums of different periods whose balls nearly meet could be searched for ever.
inline constexpr std::size_t most_searches = 250'000;

}  // namespace world

class World::Run {
public:
  explicit Run(WorldProblem problem);
  Run(WorldProblem problem, const WorldSaved& saved);

  bool step(double until, WorldEvent& event);
  /// Makes the state of now ready to be asked for.
  void look() { pressed_.look(time_); }
  /// And those that follow soon.
  void look_ahead();
  WorldSaved save() const;
  WorldEnergy energy() const;
  std::optional<double> momentum_residual() const;
  WorldBodyAt body(std::size_t index) const;
  const world::Scene& scene() const { return scene_; }
  double time() const { return time_; }
  std::size_t events() const { return events_; }
  std::optional<WorldVerdict> verdict() const { return verdict_; }
  Flags impact_flags() const;
  FlagSet<WorldFlag> flags() const { return flags_; }

private:
  void start();
  world::Course first_course(std::size_t body);
  bool at_rest() const;

  // Predictions.
  bool valid(const world::Entry& entry) const;
  void predict(std::size_t body);
  void predict(std::size_t body, const Partner& partner, double from);
  void settle_in(std::size_t body, const world::Vector3d& position);
  void move_house(std::size_t body);
  void fly_on(std::size_t body);
  bool gone(std::size_t body) const { return courses_[body].state == WorldBodyState::pocketed; }
  void await_fall(std::size_t body, std::size_t pocket, double from);
  void fall(std::size_t body, std::size_t pocket, double span, WorldEvent& event);
  /// The pocket that a ball would land in where it is about to touch a plane.
  std::optional<std::size_t> landing_pocket(const world::Entry& entry) const;
  void begin(std::size_t body, world::Course course);
  bool rank_ties(const world::Entry& entry);

  // What happens.
  void end_state(std::size_t body, WorldEvent& event);
  void settle(std::size_t body, WorldEvent& event);
  enum class Struck : std::uint8_t { done, not_at_all, without_answer };
  Struck strike(const world::Entry& entry, WorldEvent& event);
  world::Group gather(const world::Entry& entry) const;
  void touching_of(std::size_t body, const std::vector<world::Vector3d>& places, std::vector<Partner>& found) const;
  double span_of(std::size_t body, const world::Entry& entry) const;

  // Forces over time.
  Body now(std::size_t body) const;
  void add_ledger(world::Audit& audit) const;
  void press(const std::vector<std::size_t>& more);
  void press_those_near(const std::vector<std::size_t>& renewed);
  void begin_tick(std::vector<std::size_t> bodies, const std::vector<Body>& now,
                  const std::vector<world::Pressed::Pressing>& pressing);
  void end_tick();
  void await_changes();
  void tell(const world::Pressed::Change& change, WorldEvent& event);

  world::Scene scene_;
  std::vector<world::Course> courses_;
  std::vector<std::uint32_t> stamps_;
  std::vector<char> spin_ended_, begun_;
  world::Neighbours neighbours_;
  world::Queue queue_;
  world::Audit audit_;
  world::Pressed pressed_;
  std::uint32_t tick_stamp_ = 0;
  std::size_t changes_told_ = 0;
  std::vector<std::size_t> renewed_;  // whose courses are new, while some have forces over time
  double time_ = 0.0, last_strike_ = -1.0;
  std::size_t events_ = 0, strikes_now_ = 0, searches_ = 0;  // searches since the last event
  std::size_t idle_strikes_ = 0;                             // since then as well
  std::optional<WorldVerdict> verdict_;
  Flags impact_flags_;
  FlagSet<WorldFlag> flags_;
};

namespace world {

/// Where the bodies of a group go on: on a plane, settling on it, or free.
struct Sequel {
  enum class Kind { free, on_plane, settles } kind = Kind::free;
  std::size_t plane = none;
  Settling settling;
};

/// Judges an impact that has been solved: who settles, who stays on a plane, which contacts last.
struct Judgement {
  std::vector<Sequel> sequels;       ///< of the bodies of the group
  std::vector<std::size_t> lasting;  ///< contacts that close again at once and have no rule
};
/// @param before    courses of the bodies of the group until now
/// @param bouncing  contacts that were given a bounce: their bodies do not settle on anything now
Judgement judge(const Scene& scene, const Group& group, const std::vector<const Course*>& before, double time,
                double noise, const std::vector<std::size_t>& bouncing = {});

/// Whether a group, before it is solved, is only what slow bounces leave: several contacts, all of which that close are
/// pressed together and bounce as they came (micro_bounces.hpp).
bool bounces_in_turn(const Scene& scene, const Group& group, const std::vector<const Course*>& before, double time,
                     double noise);

}  // namespace world

}  // namespace carom
