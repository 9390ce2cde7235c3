// From an impulse back to the contact velocity that brings it about. Everything scales, so the normal impulse is one:
// slip g per unit of it, tangential impulse k, both of which the slip flow connects without knowing v_n; then v_n.
#include <Eigen/LU>
#include <cmath>

#include "carom/impact/compliant.hpp"
#include "carom/impact/slip_flow.hpp"

#include "aim.hpp"

namespace carom::batting {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// Without friction an impulse is along the normal, to rounding of the axes.
constexpr double frictionless = 1e-9;

/// Slip whose flow over a unit of normal impulse takes the tangential impulse k with it: J(g) = k. The flow is
/// monotone, so there is one; the unknown y, in the unit disc, is where k/mu would be if slip did not bend.
struct SlipSearch {
  const Aim& aim;
  Eigen::Vector2d k;
  double kappa;  // slip that a unit of normal impulse can bend

  Eigen::Vector2d slip_at(const Eigen::Vector2d& y) const { return kappa / std::sqrt(1.0 - y.squaredNorm()) * y; }
  Eigen::Vector2d disc_of(const Eigen::Vector2d& g) const { return g / std::sqrt(kappa * kappa + g.squaredNorm()); }
  Eigen::Vector2d miss(const Eigen::Vector2d& g, SlipFlow& flow) const {
    flow = slip_flow(aim.W, aim.mu, g, 1.0);
    return flow.impulse - k;
  }

  std::optional<Eigen::Vector2d> find(Eigen::Vector2d y) const {
    constexpr int most = 60;
    constexpr double edge_of_disc = 1.0 - 1e-10;  // slip 70,000 times as fast as what a unit of impulse bends
    if (y.norm() > edge_of_disc) y *= edge_of_disc / y.norm();
    const double enough = 8.0 * epsilon * aim.mu, fair = 1e-10 * aim.mu;
    SlipFlow flow;
    Eigen::Vector2d g = slip_at(y);
    if (!g.allFinite()) return std::nullopt;
    Eigen::Vector2d f = miss(g, flow);
    double size = f.norm();
    for (int i = 0; i < most && size > enough; ++i) {
      // B J = S - g - d, so dJ = B^-1 (dS - 1) dg.
      const Eigen::Matrix2d by_slip =
          aim.B_inverse * (slip_flow_derivative(aim.W, aim.mu, g, 1.0, flow) - Eigen::Matrix2d::Identity());
      const double per = 1.0 / std::sqrt(1.0 - y.squaredNorm());
      const Eigen::Matrix2d by_disc =
          by_slip * kappa * per * (Eigen::Matrix2d::Identity() + per * per * y * y.transpose());
      Eigen::Vector2d step = -by_disc.inverse() * f;
      if (!step.allFinite()) step = -f / aim.mu;
      // Not out of the disc, and only as far as it gets better.
      bool better = false;
      for (double share = 1.0; share > 1e-8 && !better; share *= 0.5) {
        Eigen::Vector2d next = y + share * step;
        const double radius = next.norm(), edge = std::min(0.5 * (1.0 + y.norm()), edge_of_disc);
        if (radius >= edge) next *= edge / radius;
        SlipFlow there;
        const Eigen::Vector2d g_next = slip_at(next);
        if (!g_next.allFinite()) continue;
        const Eigen::Vector2d f_next = miss(g_next, there);
        if (f_next.norm() < size * (1.0 - 1e-4 * share)) {
          y = next;
          g = g_next;
          f = f_next;
          size = f.norm();
          flow = there;
          better = true;
        } else if (size <= fair) {
          break;  // rounding: it does not get better
        }
      }
      if (!better) break;
    }
    if (!(size <= fair)) return std::nullopt;
    return g;
  }

  /// The same close to the edge of the cone, where slip is fast and hardly bends: its direction and the reciprocal of
  /// its size answer all but linearly to the direction of k and the root of its distance from the edge.
  std::optional<Eigen::Vector2d> find_at_edge() const {
    constexpr int most = 100;
    const double mu = aim.mu;
    const auto depth = [&](const Eigen::Vector2d& x) {
      return std::sqrt(std::max(0.0, (1.0 - x.norm() / mu) * (1.0 + x.norm() / mu)));
    };
    const auto angle = [](const Eigen::Vector2d& x, const Eigen::Vector2d& y) {  // from x to y
      return std::atan2(x[0] * y[1] - x[1] * y[0], x.dot(y));
    };
    const double aimed = depth(k);
    double turn = std::atan2(-k[1], -k[0]), z = std::max(aimed, 1e-12);
    const auto slip = [&](double t, double s) {
      return Eigen::Vector2d(kappa / s * std::cos(t), kappa / s * std::sin(t));
    };
    SlipFlow flow;
    Eigen::Vector2d g = slip(turn, z), best = g;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < most && g.allFinite(); ++i) {
      const Eigen::Vector2d f = miss(g, flow);
      if (f.norm() < least) {
        least = f.norm();
        best = g;
      } else if (least <= 1e-10 * mu) {
        break;
      }
      const Eigen::Vector2d& push = flow.impulse;
      const double here = std::max(depth(push), 1e-12);
      const Eigen::Matrix2d by_slip =
          aim.B_inverse * (slip_flow_derivative(aim.W, mu, g, 1.0, flow) - Eigen::Matrix2d::Identity());
      Eigen::Matrix2d way;
      way << Eigen::Vector2d(-g[1], g[0]), -g / z;
      const Eigen::Matrix2d change = by_slip * way;
      Eigen::Matrix2d slope;
      for (int j = 0; j < 2; ++j) {
        slope(0, j) = (push[0] * change(1, j) - push[1] * change(0, j)) / push.squaredNorm();
        slope(1, j) = -push.dot(change.col(j)) / (mu * mu * here);
      }
      const Eigen::Vector2d step = slope.inverse() * Eigen::Vector2d(angle(push, k), aimed - depth(push));
      if (!step.allFinite()) break;
      turn += std::clamp(step[0], -0.5, 0.5);
      z = std::clamp(z + step[1], 0.25 * z, 4.0 * z);
      g = slip(turn, z);
    }
    if (!(least <= 1e-10 * mu)) return std::nullopt;
    return best;
  }
};

std::optional<Eigen::Vector2d> slip_for(const Aim& aim, const Eigen::Vector2d& k, const Eigen::Vector2d& guess) {
  if (!(k.norm() < aim.mu) || !std::isfinite(aim.mu * aim.B.norm())) return std::nullopt;
  if (aim.p.norm() <= aim.mu) {  // ends sticking?
    const Eigen::Vector2d g = -(aim.B * k + aim.d);
    if (!g.allFinite()) return std::nullopt;
    const SlipFlow flow = slip_flow(aim.W, aim.mu, g, 1.0);
    if (flow.slip.isZero(0.0)) return g;
  }
  SlipSearch search{aim, k, aim.mu * aim.B.norm()};
  if (!guess.isZero(0.0))
    if (const auto found = search.find(search.disc_of(guess))) return found;
  if (const auto found = search.find(-k / aim.mu)) return found;
  return search.find_at_edge();
}

/// v_n + f(x) along the flow from slip g, x the normal impulse so far.
struct NormalRise {
  const Aim& aim;
  Eigen::Vector2d g;
  struct Point {
    double rise, slope, work;
  };
  Point at(double x, bool with_work) const {
    const SlipFlow flow = slip_flow(aim.W, aim.mu, g, x, with_work);   // g is finite
    const Eigen::Vector2d push = aim.B_inverse * (flow.rate - aim.d);  // dJ/dI_n
    return {aim.w * x + aim.d.dot(flow.impulse), aim.w + aim.d.dot(push), flow.work};
  }
};

/// Approach speeds at which the law ends the impact after a unit of normal impulse: one, unless v_n may fall.
void approach_speeds(const Aim& aim, const Eigen::Vector2d& g, std::vector<double>& out) {
  const NormalRise rise{aim, g};
  const RestitutionLaw law = aim.problem.springs ? RestitutionLaw::energetic : aim.problem.law;
  const double e = aim.e;
  const auto add = [&](double speed) {
    if (speed > 0.0) out.push_back(speed);
  };
  if (e == 0.0) return add(rise.at(1.0, false).rise);
  if (law == RestitutionLaw::newton) return add(rise.at(1.0, false).rise / (1.0 + e));
  if (law == RestitutionLaw::poisson) return add(rise.at(1.0 / (1.0 + e), false).rise);
  // Energetic: compression ends at x. What restitution gives back, less e^2 of what compression took:
  const double whole = rise.at(1.0, true).work;
  struct Value {
    double excess, slope, rise;
  };
  const auto balance = [&](double x) {
    const auto at = rise.at(x, true);
    const double taken = at.rise * x - at.work;
    return Value{(whole - at.work) - at.rise * (1.0 - x) - e * e * taken, -at.slope * ((1.0 - x) + e * e * x), at.rise};
  };
  const auto solve = [&](double low, double high, double x) {  // excess falls from low to high
    Value v = balance(x);
    for (int i = 0; i < 60; ++i) {
      (v.excess > 0.0 ? low : high) = x;
      double next = x - v.excess / v.slope;
      const bool inside = next > low && next < high;
      if (!inside) next = 0.5 * (low + high);
      const double step = std::abs(next - x);
      x = next;
      if (inside && step <= 1e-8) {  // its square is rounding: what is left is linear
        add(v.rise - v.slope / ((1.0 - x) + e * e * x) * (x - low - (v.excess > 0.0 ? 0.0 : high - low)));
        return;
      }
      v = balance(x);
      if (step <= 4.0 * epsilon) break;
    }
    add(v.rise);
  };
  if (!aim.may_jam) return solve(0.0, 1.0, 1.0 / (1.0 + e));
  constexpr int parts = 24;
  double left = 0.0, before = whole;
  for (int i = 1; i <= parts; ++i) {
    const double x = static_cast<double>(i) / parts, now = balance(x).excess;
    if (before > 0.0 && now <= 0.0) solve(left, x, 0.5 * (left + x));
    left = x;
    before = now;
  }
}

/// Newton's method on the forward model itself, by differences: for the compliant law, from the rigid answer.
std::optional<Eigen::Vector3d> polished(const Aim& aim, const Eigen::Vector3d& impulse, Eigen::Vector3d v) {
  constexpr int most = 40;
  const double enough = 1e-13 * impulse.norm(), fair = 1e-10 * impulse.norm();
  Eigen::Vector3d miss = forward(aim, v) - impulse;
  for (int i = 0; i < most && miss.norm() > enough; ++i) {
    Eigen::Matrix3d slope;
    const double h = 1e-6 * v.norm();
    for (int j = 0; j < 3; ++j) {
      Eigen::Vector3d ahead = v, behind = v;
      ahead[j] += h;
      behind[j] -= h;
      slope.col(j) = (forward(aim, ahead) - forward(aim, behind)) / (2.0 * h);
    }
    const Eigen::Vector3d step = -slope.fullPivLu().solve(miss);
    bool better = false;
    for (double share = 1.0; share > 1e-6 && !better; share *= 0.5) {
      const Eigen::Vector3d next = v + share * step;
      if (!next.allFinite() || next[2] >= 0.0) continue;
      const Eigen::Vector3d there = forward(aim, next) - impulse;
      better = there.norm() < miss.norm();
      if (!better) continue;
      v = next;
      miss = there;
    }
    if (!better) break;
  }
  if (!(miss.norm() <= fair)) return std::nullopt;
  return v;
}

}  // namespace

Eigen::Vector3d forward(const Aim& aim, const Eigen::Vector3d& velocity) {
  const BattingProblem& p = aim.problem;
  // Dividing W and v by the same number leaves the impulse as it is.
  const ContactSpace space{aim.scale == 1.0 ? p.inverse_inertia : aim.W, velocity / aim.scale};
  if (p.springs)
    return compliant_outcome({space, p.material, p.springs->stiffness_ratio_root, p.springs->reading}).impulse;
  return spatial_outcome({space, p.material, p.law}).impulse;
}

void invert(const Aim& aim, const Eigen::Vector3d& impulse, Eigen::Vector2d& slip, std::vector<Eigen::Vector3d>& out) {
  const double normal = impulse[2];
  if (!(normal > 0.0) || !impulse.allFinite()) return;
  std::optional<Eigen::Vector2d> g;
  if (aim.mu > 0.0)
    g = slip_for(aim, impulse.head<2>() / normal, slip);
  else if (impulse.head<2>().norm() <= frictionless * normal)  // whatever slips, nothing rubs: the bat need not follow
    g = aim.point_velocity.head<2>() / (normal * aim.scale);
  if (!g || !g->allFinite()) return;
  slip = *g;
  std::vector<double> speeds;
  approach_speeds(aim, *g, speeds);
  for (const double speed : speeds) {
    const Eigen::Vector3d v = normal * aim.scale * Eigen::Vector3d((*g)[0], (*g)[1], -speed);
    if (!v.allFinite()) continue;
    if (aim.problem.springs) {
      if (const auto there = polished(aim, impulse, v)) out.push_back(*there);
    } else if (!aim.may_jam || (forward(aim, v) - impulse).norm() <= 1e-8 * impulse.norm()) {
      out.push_back(v);
    }
  }
}

}  // namespace carom::batting
