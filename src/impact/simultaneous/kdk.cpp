// Very many contacts: kick-drift-kick steps of fixed length, without events. Second order where the motion is smooth,
// less at the ends of contacts; run with two step lengths, whose difference states the error.
#include <algorithm>
#include <cmath>

#include "system.hpp"

namespace carom::simultaneous {

namespace {

template <int D>
class KickDriftKick {
public:
  using Vector = typename System<D>::Vector;
  static constexpr int n = D - 1;

  explicit KickDriftKick(const System<D>& system)
      : system_(system),
        m_(system.size()),
        impulse_(m_, Vector::Zero()),
        force_(m_, Vector::Zero()),
        u_(system.initial()),
        d_(m_, 0.0),
        absorbed_(m_, 0.0),
        friction_work_(m_, 0.0),
        loading_(m_, 0),
        compressions_(m_, 0) {}

  std::size_t run(double h, Path* path) {
    std::size_t steps = 0;
    double time = 0.0;
    bool busy = true;
    while (busy && steps < max_fixed_steps) {
      busy = drift(h);
      for (std::size_t c = 0; c < m_; ++c) impulse_[c] += h * force_[c];
      system_.response(impulse_[0].data(), u_[0].data(), system_.initial()[0].data());
      ++steps;
      if (path == nullptr) continue;
      const double begun = time;
      time = h * static_cast<double>(steps);
      path->piece(begun, time, [this](double, auto& contacts) { fill(contacts); });
    }
    if (path != nullptr) path->end(time, [this](auto& contacts) { fill(contacts); });
    return steps;
  }

  const typename System<D>::Vectors& velocity() const { return u_; }

  Outcome outcome() const {
    Outcome out;
    for (std::size_t c = 0; c < m_; ++c) {
      Eigen::Vector3d p = Eigen::Vector3d::Zero();
      p.tail<D>() = impulse_[c];
      out.impulse.push_back(p);
      ContactState state;
      state.compressions = compressions_[c];
      state.absorbed = absorbed_[c];
      out.state.push_back(state);
      out.residual += system_.spring(c).e2 * system_.spring(c).energy(d_[c]);
    }
    out.friction_work = friction_work_;
    return out;
  }

private:
  void fill(std::vector<SimultaneousSample::Contact>& contacts) const {
    for (std::size_t c = 0; c < m_; ++c) {
      SimultaneousSample::Contact& contact = contacts[c];
      contact.force = force_[c][n];
      contact.compression = d_[c];
      if constexpr (D == 3) contact.friction = force_[c].template head<2>();
      if (d_[c] > 0.0) contact.normal = loading_[c] != 0 ? NormalMode::loading : NormalMode::unloading;
      if (D == 1 || !(d_[c] > 0.0) || !(system_.spring(c).mu > 0.0)) continue;
      const bool slips = contact.friction.norm() >= (1.0 - sliding_margin) * system_.spring(c).mu * contact.force;
      contact.tangent = slips ? TangentMode::slip : TangentMode::stick;
    }
  }

  /// A friction force scaled back to its bound may round to less.
  static constexpr double sliding_margin = 1e-12;

  /// Compressions and friction springs over one step at the present velocities, which belong to its middle: the two
  /// half kicks of neighbouring steps are taken together. False when nothing presses and nothing approaches.
  bool drift(double h) {
    bool busy = false;
    for (std::size_t c = 0; c < m_; ++c) {
      const Spring& s = system_.spring(c);
      const double un = u_[c][n], before = d_[c];
      if (before == 0.0 && un >= -idle_speed) {
        force_[c].setZero();
        loading_[c] = 0;
        continue;
      }
      busy = true;
      d_[c] = std::max(0.0, before - h * (un < 0.0 ? un : un / s.e2));
      if (un < 0.0) absorbed_[c] += s.energy(d_[c]) - s.energy(before);
      if (un < 0.0 && loading_[c] == 0) ++compressions_[c];
      loading_[c] = un < 0.0 ? 1 : 0;
      force_[c][n] = s.force(d_[c]);
      if constexpr (D == 3)
        if (s.mu > 0.0) friction(c, s, before, h);
    }
    return busy;
  }

  void friction(std::size_t c, const Spring& s, double before, double h) {
    const Eigen::Vector2d u = u_[c].template head<2>(), old = force_[c].template head<2>();
    Eigen::Vector2d f = old;
    if (s.hertz() && d_[c] < before) f *= std::sqrt(d_[c] / before);
    f -= h * s.slope(0.5 * (before + d_[c])) / s.eta2 * u;
    const double bound = s.mu * force_[c][n], size = f.norm();
    if (size > bound) f *= bound / size;
    force_[c].template head<2>() = f;
    friction_work_[c] -= 0.5 * h * (old + f).dot(u);
  }

  const System<D>& system_;
  std::size_t m_;
  typename System<D>::Vectors impulse_, force_, u_;
  std::vector<double> d_, absorbed_, friction_work_;
  std::vector<char> loading_;
  std::vector<int> compressions_;
};

template <int D>
Outcome solve(const System<D>& system, double step, Log& log) {
  KickDriftKick<D> coarse(system), fine(system);
  const std::size_t steps = coarse.run(step, nullptr) + fine.run(0.5 * step, log.path);
  Outcome out = fine.outcome();
  out.steps = steps;
  out.finished = steps < max_fixed_steps;
  for (std::size_t c = 0; c < system.size(); ++c)
    out.error = std::max(out.error, (coarse.velocity()[c] - fine.velocity()[c]).cwiseAbs().maxCoeff());
  return out;
}

}  // namespace

Outcome solve_kick_drift_kick(const System<1>& system, double step, Log& log) { return solve(system, step, log); }
Outcome solve_kick_drift_kick(const System<3>& system, double step, Log& log) { return solve(system, step, log); }

}  // namespace carom::simultaneous
