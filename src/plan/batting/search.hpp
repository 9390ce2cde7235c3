// Which time of flight is the best? All of them are looked at: where the objective follows from the time alone, its
// minima are known; else the curve of contact velocities is followed closely enough that no part of it can hide a
// better one, and every hollow is searched to its ground.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "aim.hpp"

namespace carom::batting {

/// Contact velocities (contact axes) that lead to the target after a time of flight, none where there is none. `slip`
/// is a guess, and becomes the answer's.
using Inverse = std::function<void(double time, Eigen::Vector2d& slip, std::vector<Eigen::Vector3d>& out)>;

class Search {
public:
  /// @param sure  every time of the intervals has a plan, and the bat has no limits
  Search(const Aim& aim, BattingObjective objective, const BattingSpread& spread, Inverse inverse, BattingMethod method,
         bool sure);

  /// The best plan with a time from these intervals, run through the forward model.
  std::optional<BattingShot> best(const std::vector<FlightTimes>& times);
  /// The best plan with this time.
  std::optional<BattingShot> at(double time);
  /// A time within an interval, by share of its logarithm.
  double inside(const FlightTimes& interval, double share) const;

private:
  /// A plan that has been looked at.
  struct Sample {
    double time = 0.0, value = 0.0;
    bool there = false;
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
    Eigen::Vector2d slip = Eigen::Vector2d::Zero();
  };
  using Samples = std::vector<Sample>;

  Sample look(double time, const Eigen::Vector2d& slip);
  bool by_time() const;
  double value_at(double time) const;
  double value_of(double time, const Eigen::Vector3d& velocity) const;
  std::vector<double> turning_times() const;
  int first_count(bool path) const;
  Samples grid(const FlightTimes& interval, int count) const;
  void keep(const Sample& sample);
  void search_by_time(const std::vector<FlightTimes>& times);
  void search_path(const FlightTimes& interval);
  Sample close_in(Sample there, Sample beyond, bool lower_only);
  void refine(Samples& samples);
  void polish(const Sample& left, const Sample& middle, const Sample& right);
  std::optional<BattingShot> verified(const Sample& sample);
  double low_end(const FlightTimes& interval) const;

  const Aim& aim_;
  BattingObjective objective_;
  const BattingSpread& spread_;
  Inverse inverse_;
  BattingMethod method_;
  bool sure_;
  bool limited_ = false;             // only plans within the bat's limits count
  bool strict_ = false;              // every plan is run through the forward model, not only the last one
  std::vector<double> extra_times_;  // to be looked at besides
  Sample best_;
  Eigen::Vector2d slip_ = Eigen::Vector2d::Zero();  // of the last plan: the next one is like it
  std::vector<Eigen::Vector3d> velocities_;
};

}  // namespace carom::batting
