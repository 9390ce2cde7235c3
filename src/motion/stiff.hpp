// Inside the room: a motion whose fastest rate decays long before anything else happens.
// Extrapolated linearly implicit Euler steps (Deuflhard 1985): any length of step is stable, the order comes from
// six rows of the harmonic sequence. For few components and moderate accuracy; kinks cost short steps.
#pragma once

#include <Eigen/Core>
#include <functional>

namespace carom {

struct StiffStop {
  double t = 0.0;
  Eigen::VectorXd y;
  bool ended = false;    ///< the margin reached zero
  bool limited = false;  ///< by the bound on steps
  std::size_t steps = 0;
};

struct StiffSettings {
  Eigen::VectorXd scale;           ///< natural sizes of y
  double tolerance = 1e-9;         ///< error of one step, of the scale or of the component where that is larger
  std::size_t max_steps = 50'000;  ///< taken or tried
};

/// Follows y' = rate(y) from t to t_end, or to where `margin`, above zero at first, reaches zero.
StiffStop follow_stiffly(const std::function<void(const Eigen::VectorXd&, double*)>& rate,
                         const std::function<double(const Eigen::VectorXd&)>& margin, double t, Eigen::VectorXd y,
                         double t_end, const StiffSettings& settings);

}  // namespace carom
