// The complementarity problem when its modes cannot be listed (in 3-D slip has a direction): projected Gauss-Seidel on
// the friction cones finds the modes, Newton's method on their equations the solution, from several starts.
#include <cmath>
#include <random>

#include "carom/core/linear_algebra.hpp"

#include "system.hpp"

namespace carom::multipoint {

namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

/// How near the iteration must come for the modes to be read off, and how long it may take.
constexpr double iteration_accuracy = 1e-9;
constexpr int max_sweeps = 3000;
/// Below this slip a contact is taken to stick when the modes are read off.
constexpr double slip_threshold = 1e-6;
constexpr int random_starts = 8;
constexpr int max_newton_steps = 40;

/// Nearest point of the cone |p_t| <= mu p_n.
VectorXd projected(const VectorXd& p, double mu) {
  const Index n = p.size() - 1;
  const double t = p.head(n).norm();
  if (t <= mu * p[n]) return p;
  if (mu * t <= -p[n]) return VectorXd::Zero(p.size());
  const double normal = (p[n] + mu * t) / (1.0 + mu * mu);
  VectorXd q(p.size());
  q.head(n) = t > 0.0 ? VectorXd(p.head(n) * (mu * normal / t)) : VectorXd(p.head(n));
  q[n] = normal;
  return q;
}

/// Coulomb's law as one projection: p = proj(p - rho (v_t, v_n - rebound + mu |v_t|)) (de Saxce and Feng 1998).
void gauss_seidel(const System& s, const std::vector<double>& friction, VectorXd& p) {
  const Index d = s.dimension;
  VectorXd step(s.contacts);
  for (Index i = 0; i < s.contacts; ++i) {
    const MatrixXd block = s.w.block(i * d, i * d, d, d);
    const double largest = symmetric_eigenvalues(block)[d - 1];
    step[i] = largest > 0.0 ? 1.0 / largest : 0.0;
  }
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    double change = 0.0;
    for (Index i = 0; i < s.contacts; ++i) {
      const double mu = friction[static_cast<std::size_t>(i)];
      VectorXd u = s.v.segment(i * d, d) + s.w.middleRows(i * d, d) * p;
      u[d - 1] += mu * u.head(d - 1).norm() - s.rebound[i];
      const VectorXd next = projected(p.segment(i * d, d) - step[i] * u, mu);
      change = std::max(change, (next - p.segment(i * d, d)).cwiseAbs().maxCoeff());
      p.segment(i * d, d) = next;
    }
    if (change <= iteration_accuracy) return;
  }
}

/// Newton's method on the equations of the modes that p shows; false if it does not settle.
bool newton(const System& s, VectorXd& p) {
  const Index d = s.dimension, tangents = d - 1;
  enum class Mode { off, stick, slip };
  std::vector<Mode> modes;
  const VectorXd start = s.after(p);
  for (Index i = 0; i < s.contacts; ++i) {
    const bool off = p[s.normal(i)] <= slip_threshold && start[s.normal(i)] > s.rebound[i] + slip_threshold;
    const bool stick = start.segment(s.tangent(i), tangents).norm() <= slip_threshold;
    modes.push_back(off ? Mode::off : stick ? Mode::stick : Mode::slip);
    if (off) p.segment(i * d, d).setZero();
  }
  const Index rows = p.size();
  VectorXd f(rows);
  MatrixXd slope(rows, rows);
  double size = 0.0;
  for (int step = 0; step <= max_newton_steps; ++step) {
    const VectorXd v = s.after(p);
    slope.setZero();
    for (Index i = 0; i < s.contacts; ++i) {
      const Index t = s.tangent(i), n = s.normal(i);
      const Mode mode = modes[static_cast<std::size_t>(i)];
      if (mode == Mode::off) {
        f.segment(t, d).setZero();
        slope.block(t, t, d, d).setIdentity();
        continue;
      }
      f[n] = v[n] - s.rebound[i];
      slope.row(n) = s.w.row(n);
      if (mode == Mode::stick) {
        f.segment(t, tangents) = v.segment(t, tangents);
        slope.middleRows(t, tangents) = s.w.middleRows(t, tangents);
        continue;
      }
      const double speed = v.segment(t, tangents).norm();
      if (speed == 0.0) return false;
      const VectorXd along = v.segment(t, tangents) / speed;
      f.segment(t, tangents) = p.segment(t, tangents) + s.mu_d(i) * p[n] * along;
      slope.block(t, t, tangents, tangents).setIdentity();
      slope.block(t, n, tangents, 1) = s.mu_d(i) * along;
      const MatrixXd turning = (MatrixXd::Identity(tangents, tangents) - along * along.transpose()) / speed;
      slope.middleRows(t, tangents) += s.mu_d(i) * p[n] * turning * s.w.middleRows(t, tangents);
    }
    size = f.cwiseAbs().maxCoeff();
    if (size <= 1e-3 * tolerance && step > 0) return true;
    p -= LeastNormSolver(slope, rank_tolerance).solve(f);
    if (!p.allFinite()) return false;
  }
  return size <= 1e-2 * tolerance;
}

}  // namespace

std::vector<Candidate> iterate_from_starts(const System& system) {
  std::vector<Candidate> found;
  std::mt19937_64 rng(1);
  const auto random = [&rng] { return std::ldexp(static_cast<double>(rng() >> 11), -52) - 1.0; };  // in [-1, 1)
  const auto run = [&](VectorXd p) {
    for (const auto* friction : {&system.dynamic_friction, &system.static_friction}) {
      VectorXd q = p;
      gauss_seidel(system, *friction, q);
      if (newton(system, q)) add_if_solution(system, q, false, found);
      if (system.static_friction == system.dynamic_friction) break;
    }
  };
  run(VectorXd::Zero(system.v.size()));
  for (int start = 0; start < random_starts; ++start) {
    VectorXd p(system.v.size());
    for (double& component : p) component = 2.0 * random();
    for (Index i = 0; i < system.contacts; ++i) p[system.normal(i)] = std::abs(p[system.normal(i)]);
    run(std::move(p));
  }
  return found;
}

}  // namespace carom::multipoint
