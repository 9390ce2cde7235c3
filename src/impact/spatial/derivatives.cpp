#include <limits>

#include "carom/core/error.hpp"

#include "scaled.hpp"

namespace carom {

SpatialDerivatives spatial_derivatives(const SpatialProblem& given) {
  using Number = spatial::Dual<5>;  // by v_t1, v_t2, v_n, mu, e
  SpatialDerivatives out;
  out.outcome = spatial_outcome(given);
  if (out.outcome.verdict != Verdict::separated) return out;
  const spatial::Scaled units = spatial::scaled(validated(given.space));
  const auto seed = [](double value, std::size_t which) {
    Number x(value);
    x.d[which] = 1.0;
    return x;
  };
  spatial::State<Number> start;
  start.gx = Number(units.v[0]);
  start.gx.d[0] = units.cosine;
  start.gx.d[1] = -units.sine;
  start.gy = Number(units.v[1]);
  start.gy.d[0] = units.sine;
  start.gy.d[1] = units.cosine;
  start.vn = seed(units.v[2], 2);
  spatial::Silent silent;
  spatial::Process<Number, spatial::Silent> process(
      spatial::surface_of<Number>(units, seed(given.material.friction, 3), seed(given.material.restitution, 4)), start,
      given.law, silent);
  process.run();
  const auto tangential = units.back(process.state.ix, process.state.iy);
  const std::array<Number, 3> impulse{tangential[0], tangential[1], process.state.in};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    for (std::size_t j = 0; j < 3; ++j)
      out.by_velocity(row, static_cast<Eigen::Index>(j)) = impulse[i].d[j] / units.w_unit;
    out.by_friction[row] = impulse[i].d[3] * units.v_unit / units.w_unit;
    out.by_restitution[row] = impulse[i].d[4] * units.v_unit / units.w_unit;
  }
  // Slip that starts from rest takes its own direction: how the impulse answers to a first slip has no linear part.
  if (out.outcome.process == SpatialCase::slip_from_rest)
    out.by_velocity.leftCols<2>().setConstant(std::numeric_limits<double>::quiet_NaN());
  return out;
}

}  // namespace carom
