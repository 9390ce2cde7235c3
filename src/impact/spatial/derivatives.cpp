// The process of an impact once more, with numbers that carry three derivatives. The other two of five need no
// carrying: restitution only says when the process ends, and the impulse scales with the velocity, so that its
// derivative along the velocity itself is known.
#include <cmath>
#include <functional>
#include <limits>

#include "carom/core/error.hpp"
#include "carom/core/parallel.hpp"

#include "dual.hpp"
#include "scaled.hpp"

namespace carom {

namespace {

using spatial::Dual;
using Process = spatial::Process<Dual, spatial::Silent>;

/// How the normal impulse at the end answers to e: it goes on until the law's quantity has come to its level.
double end_by_restitution(const spatial::State<Dual>& end, RestitutionLaw law, double e, double vn, double rise) {
  switch (law) {
    case RestitutionLaw::newton:
      return -vn / rise;
    case RestitutionLaw::poisson:
      return value(end.pc);
    case RestitutionLaw::energetic:
      break;
  }
  const double taken = value(end.wc), speed = value(end.vn);
  return e > 0.0 && speed > 0.0 ? 2.0 * e * taken / speed : std::sqrt(std::max(0.0, 2.0 * taken / rise));
}

/// By slip (2), v_n, mu and e, in normalised units and axes.
inline Eigen::Matrix<double, 3, 5> slopes_of(const spatial::Scaled& units, const SpatialProblem& given) {
  const double gx = units.v[0], gy = units.v[1], vn = units.v[2], r = spatial::length(gx, gy);
  // Of the three directions of v the one that has most of it is left out.
  const bool slips_fast = r > std::abs(vn);
  const double cx = slips_fast ? gx / r : 1.0, cy = slips_fast ? gy / r : 0.0;
  spatial::State<Dual> start;
  const auto seeded = [](double value, double first, double second) {
    return Dual(spatial::Quad{value, first, second, 0.0});
  };
  if (slips_fast) {  // across slip, and v_n
    start.gx = seeded(gx, -cy, 0.0);
    start.gy = seeded(gy, cx, 0.0);
    start.vn = seeded(vn, 0.0, 1.0);
  } else {
    start.gx = seeded(gx, 1.0, 0.0);
    start.gy = seeded(gy, 0.0, 1.0);
    start.vn = Dual(vn);
  }
  spatial::Silent silent;
  Process process(spatial::surface_of<Dual>(units, Dual(spatial::Quad{given.material.friction, 0.0, 0.0, 1.0}),
                                            Dual(given.material.restitution)),
                  start, given.law, silent);
  process.run();
  const spatial::State<Dual>& end = process.state;
  Eigen::Matrix<double, 3, 3> carried;
  for (int j = 0; j < 3; ++j) carried.col(j) << end.ix.q[j + 1], end.iy.q[j + 1], end.in.q[j + 1];
  const Eigen::Vector3d impulse(value(end.ix), value(end.iy), value(end.in));

  Eigen::Matrix<double, 3, 5> out;
  if (slips_fast) {
    const Eigen::Vector3d along = (impulse - vn * carried.col(1)) / r, across = carried.col(0);
    out.col(0) = cx * along - cy * across;
    out.col(1) = cy * along + cx * across;
    out.col(2) = carried.col(1);
  } else {
    out.leftCols<2>() = carried.leftCols<2>();
    out.col(2) = (impulse - gx * carried.col(0) - gy * carried.col(1)) / vn;
  }
  out.col(3) = carried.col(2);
  // The way the impulse was going when it ended.
  const auto& c = process.c;
  const double ex = value(end.gx), ey = value(end.gy), speed = spatial::length(ex, ey), mu = value(c.mu);
  Eigen::Vector3d way(0.0, 0.0, 1.0);
  double rise = c.w;
  if (mu != 0.0 && speed > 0.0) {
    way.head<2>() << -mu * ex / speed, -mu * ey / speed;
    rise += c.d1 * way[0] + c.d2 * way[1];
  } else if (mu != 0.0) {
    const spatial::Rest rest = spatial::rest_of(c);
    way.head<2>() << -rest.p1, -rest.p2;
    rise = rest.stiffness;
  }
  out.col(4) = way * end_by_restitution(end, given.law, given.material.restitution, vn, rise);
  return out;
}

// The same once more with AVX2, as in spatial.cpp.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define CAROM_WIDE_DERIVATIVES
__attribute__((flatten, target("avx2"))) Eigen::Matrix<double, 3, 5> wide_slopes_of(const spatial::Scaled& units,
                                                                                    const SpatialProblem& given) {
  return slopes_of(units, given);
}
const bool has_avx2 = __builtin_cpu_supports("avx2");
#endif

Eigen::Matrix<double, 3, 5> best_slopes_of(const spatial::Scaled& units, const SpatialProblem& given) {
#ifdef CAROM_WIDE_DERIVATIVES
  if (has_avx2) return wide_slopes_of(units, given);
#endif
  return slopes_of(units, given);
}

/// Without friction the process never looks at slip: how it would answer to the first friction is asked so far beside,
/// where the answer differs by less than rounding.
constexpr double least_friction = 1e-14;

}  // namespace

SpatialDerivatives spatial_derivatives(const SpatialProblem& given) {
  SpatialDerivatives out;
  out.outcome = spatial_outcome(given);
  if (out.outcome.verdict != Verdict::separated) return out;
  const spatial::Scaled units = spatial::scaled(validated(given.space));
  Eigen::Matrix<double, 3, 5> slopes = best_slopes_of(units, given);
  if (given.material.friction == 0.0) {
    SpatialProblem beside = given;
    beside.material.friction = least_friction;
    slopes.col(3) = best_slopes_of(units, beside).col(3);
  }
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();  // to the axes of W_tt
  turn.topLeftCorner<2, 2>() << units.cosine, -units.sine, units.sine, units.cosine;
  out.by_velocity = turn.transpose() * slopes.leftCols<3>() * turn / units.w_unit;
  out.by_friction = turn.transpose() * slopes.col(3) * (units.v_unit / units.w_unit);
  out.by_restitution = turn.transpose() * slopes.col(4) * (units.v_unit / units.w_unit);
  // Slip that starts from rest takes its own direction: how the impulse answers to a first slip has no linear part.
  if (out.outcome.process == SpatialCase::slip_from_rest)
    out.by_velocity.leftCols<2>().setConstant(std::numeric_limits<double>::quiet_NaN());
  return out;
}

void spatial_derivatives(std::span<const SpatialProblem> problems, std::span<SpatialDerivatives> derivatives,
                         int threads) {
  if (problems.size() != derivatives.size())
    throw InvalidInput("derivatives", "must be as many as problems, " + std::to_string(problems.size()) + ", got " +
                                          std::to_string(derivatives.size()));
  if (threads < 1) throw InvalidInput("threads", "must be >= 1, got " + std::to_string(threads));
  constexpr std::size_t grain = 64;  // rows per task: some 0.5 ms of work
  const auto follow = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      try {
        derivatives[i] = spatial_derivatives(problems[i]);
      } catch (const InvalidInput&) {
        derivatives[i] = {};
        derivatives[i].outcome.verdict = Verdict::invalid;
      }
    }
  };
  parallel_for(problems.size(), grain, threads, std::ref(follow));
}

}  // namespace carom
