// The bodies whose contacts have forces over time (WorldProblem::regularized), all of them as one system that goes on
// tick by tick. A tick is known before it is lived through: what closes and opens in it, and where its bodies go, so
// that whoever comes near them can join before they meet.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "../stepper/system.hpp"
#include "scene.hpp"

namespace carom::world {

class Pressed {
public:
  using Pressing = WorldSaved::Pressing;

  /// A contact closes or opens.
  struct Change {
    double time = 0.0;  ///< of the scene [s]
    std::size_t body = 0;
    Partner partner;
    bool touching = false;  ///< now
    double speed = 0.0;
    Vector3d point, normal;
  };

  bool empty() const { return bodies_.empty(); }
  bool holds(std::size_t body) const;
  const std::vector<std::size_t>& bodies() const { return bodies_; }
  double start() const { return start_; }  ///< of the tick [s]
  double end() const { return end_; }

  /// A tick begins with these bodies, and with the contacts among them that touch already.
  /// @return  false: it takes more work than a run may take
  bool begin(const Scene& scene, double start, double end, const std::vector<std::size_t>& bodies,
             const std::vector<Body>& now, const std::vector<Pressing>& pressing);
  void clear();

  /// Goes to a time of the tick, so that what is asked for then is at hand.
  void look(double time);
  // The state at a time of the tick. The answers are the same whenever they are asked for.
  Body body_at(double time, std::size_t body) const;
  std::vector<Pressing> pressing_at(double time) const;  ///< what touches then
  stepping::Ledger ledger_at(double time) const;         ///< since the start of the tick
  double stored_at(double time) const;                   ///< [J]

  /// Who began the tick.
  const std::vector<Body>& at_start() const { return begun_; }
  const std::vector<Pressing>& pressing_at_start() const { return pressing_; }
  /// What closes and opens in the tick, in order.
  const std::vector<Change>& changes() const { return changes_; }
  /// Whether two that have no forces between them, since one is not a ball, overlap before the tick ends.
  bool collides(const Scene& scene) const;
  /// Whether a body on its course may meet one of these in what is left of the tick after `from`.
  bool near(const Course& course, double from) const;

private:
  std::shared_ptr<const stepping::System> system_at(double time) const;
  std::vector<Pressing> touching(const stepping::System& system) const;

  std::vector<std::size_t> bodies_;
  std::vector<Body> begun_;
  std::vector<Pressing> pressing_;
  struct Between {
    std::size_t body;
    Partner partner;
    std::size_t place;
  };
  std::vector<Between> pairs_;  // by the scene's numbers
  double start_ = 0.0, end_ = 0.0;
  std::shared_ptr<const stepping::System> first_, last_;  // at the start and at the end of the tick
  std::shared_ptr<const stepping::System> between_;
  double between_time_ = 0.0;
  std::vector<Change> changes_;
  struct Look {
    double time;
    std::vector<Vector3d> places;
    std::vector<Eigen::Quaterniond> turns;
    std::vector<double> speeds;
  };
  std::vector<Look> looks_;
  std::vector<double> radii_;
};

}  // namespace carom::world
