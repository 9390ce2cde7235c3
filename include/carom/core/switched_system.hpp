// How does a system go on whose equations change where something crosses zero?
// Contacts that close and open, friction that slips and sticks: between such crossings the equations are smooth, at a
// crossing the mode changes. Each smooth piece is followed with steps of order 8 (core/integrator.hpp) that end exactly
// on the crossing, so that accuracy does not suffer from the kinks.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <limits>
#include <span>

#pragma GCC visibility push(default)

namespace carom {

/// Equations y' = f(y) with modes. The object knows its present mode; the state is outside.
class SwitchedSystem {
public:
  virtual ~SwitchedSystem() = default;
  /// y' in the present mode, also a little beyond where that mode ends.
  virtual void rate(const Eigen::VectorXd& y, double* rate) const = 0;
  /// How many guards there are: always the same.
  virtual int guards() const = 0;
  /// The present mode holds while all guards are >= 0.
  virtual void guard_values(const Eigen::VectorXd& y, double* values) const = 0;
  /// A guard has reached zero: change the mode (its guard then changes sign), and the state if it jumps.
  /// @return  false to end the run here
  virtual bool crossed(int guard, double t, Eigen::VectorXd& y) = 0;
  /// How far one step may go from y [s]: a mode so short that no look and no stage of a longer step would meet it.
  virtual double longest_step(const Eigen::VectorXd& y, const double* rate) const {
    static_cast<void>(y), static_cast<void>(rate);
    return std::numeric_limits<double>::infinity();
  }
};

struct SwitchedSettings {
  Eigen::VectorXd scale;             ///< the natural size of each component of y, > 0: errors are measured by it
  double tolerance = 1e-12;          ///< error of one step, of the scale or of the component where that is larger
  double longest_step = 0.0;         ///< > 0, or 0: no bound
  std::size_t max_steps = 400'000;   ///< taken or tried; then the run ends where it is
  std::size_t max_events = 200'000;  ///< crossings; the same
};

/// Where a run ended.
struct SwitchedStop {
  double t = 0.0;
  Eigen::VectorXd y;
  bool ended = false;     ///< by a crossing that said so
  bool limited = false;   ///< by a bound on work
  std::size_t steps = 0;  ///< taken or tried
  std::size_t events = 0;
};

/// Follows y from t_begin to t_end or to the crossing that ends it.
/// @param sample_times  increasing, from t_begin to t_end; those reached are handed to `sample` in order
/// @param sample        called with (number of the time, t, y); the mode of the system is that of the time
/// @throws InvalidInput naming `y`, `scale`, `tolerance`, `t_begin` or `t_end`
SwitchedStop follow(SwitchedSystem& system, double t_begin, const Eigen::VectorXd& y, double t_end,
                    const SwitchedSettings& settings, std::span<const double> sample_times = {},
                    const std::function<void(std::size_t i, double t, const Eigen::VectorXd& y)>& sample = {});

}  // namespace carom

#pragma GCC visibility pop
