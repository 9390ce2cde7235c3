// Events of simultaneous impact: where on a step does the first one lie?
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "cubic.hpp"
#include "tuning.hpp"

namespace carom::simultaneous {

/// Event functions: an event when one falls below zero. `rate` is not finite where it is not known.
struct Events {
  static constexpr std::size_t slots = 4;  // per contact: normal velocity, opening, two of friction

  explicit Events(std::size_t contacts)
      : value(slots * contacts, 0.0), rate(slots * contacts, 0.0), active(slots * contacts, 0) {}
  bool fired(std::size_t k) const { return active[k] && value[k] < 0.0; }
  bool any_fired() const {
    for (std::size_t k = 0; k < value.size(); ++k)
      if (fired(k)) return true;
    return false;
  }

  std::vector<double> value, rate;
  std::vector<char> active;
};

class EventSearch {
public:
  explicit EventSearch(std::size_t contacts) : low_(contacts), high_(contacts) {}

  /// Is an event possible on the step [0, h], from the event functions at its ends? Asked before `first`.
  bool possible(const Events& start, const Events& end, double h) {
    dip_ = end.any_fired() ? 1.0 : possible_dip(start, end, h);
    return dip_ < 1.0 || end.any_fired();
  }

  /// Shortens the step [0, h] to its first event, if there is one.
  /// @param start, end  event functions at its ends
  /// @param shortest    step worth taking
  /// @param step_to     (t): makes `end` the event functions after time t of the step
  /// @param arrival     (k, rate): how near zero event function k counts as having arrived
  template <class StepTo, class Arrival>
  bool first(const Events& start, Events& end, double& h, double shortest, const StepTo& step_to,
             const Arrival& arrival) {
    if (dip_ < 1.0) {
      step_to(dip_ * h);
      if (!end.any_fired()) {
        step_to(h);
        return false;
      }
      h *= dip_;
    }
    low_ = start;
    high_ = end;
    double t_low = 0.0, t_high = h;
    std::array<double, 2> weight{1.0, 1.0};  // an end that stays again counts half as much (the Illinois method)
    std::size_t last = 2;                    // the end that stayed last
    const double narrow = 0.01 * shortest;
    for (int i = 0; i < 60 && t_high - t_low > narrow; ++i) {
      const double width = t_high - t_low;
      const double x = i >= 8 && i % 2 == 0 ? 0.5 : guess(width, weight);
      const double t = std::clamp(t_low + x * width, t_low + 0.5 * narrow, t_high - 0.5 * narrow);
      step_to(t);
      bool past = false, there = false;
      for (std::size_t k = 0; k < end.value.size(); ++k) {
        if (!end.active[k]) continue;
        const double near = arrival(k, end.rate[k]);
        past = past || end.value[k] < -near;
        there = there || (high_.fired(k) && end.value[k] <= near);
      }
      if (!past && there) {
        h = t;
        return true;
      }
      (past ? t_high : t_low) = t;
      std::swap(past ? high_ : low_, end);
      const std::size_t stays = past ? 0 : 1;
      weight[1 - stays] = 1.0;
      if (last == stays) weight[stays] *= 0.5;
      last = stays;
    }
    h = t_high;
    step_to(h);
    return true;
  }

private:
  /// Where on the step, as a share of it, a function that falls first and rises at the end may have dipped below zero
  /// in between; 1 if nowhere.
  static double possible_dip(const Events& start, const Events& end, double h);
  /// The first crossing in the bracket from low_ to high_, as a share of its width.
  double guess(double width, const std::array<double, 2>& weight) const;

  Events low_, high_;  // at the ends of the bracket
  double dip_ = 1.0;   // of the step asked for
};

}  // namespace carom::simultaneous
