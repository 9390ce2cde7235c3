// Where a run of simultaneous impact is, and what was last seen there.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "system.hpp"
#include "tuning.hpp"

namespace carom::simultaneous {

/// Speeds that depend on the tolerance; see tuning.hpp.
struct Thresholds {
  explicit Thresholds(double relative)
      : tolerance(relative),
        no_slip(std::max(zero_slip, zero_slip_tolerances * relative)),
        stopping(std::max(stopping_speed, stopping_tolerances * relative)),
        slip(std::max(slip_threshold, stopping_exit * stopping)),
        jam(std::max(jam_speed, jam_tolerances * relative)) {}
  double tolerance, no_slip, stopping, slip, jam;
};

/// What is integrated, its derivative, and the modes. State vector y: impulses (D per contact), compressions, and with
/// friction (D = 3) two friction variables per contact (force while springs stick; angle, unused, while they slip) and
/// the work lost to friction.
template <int D>
struct FlowState {
  explicit FlowState(std::size_t contacts) : m(contacts), modes(contacts) {
    y.setZero(length());
    rate.setZero(length());
  }

  Eigen::Index length() const { return static_cast<Eigen::Index>((D == 3 ? D + 4 : D + 1) * m); }
  Eigen::Index at_p(std::size_t c) const { return static_cast<Eigen::Index>(D * c); }
  Eigen::Index at_d(std::size_t c) const { return static_cast<Eigen::Index>(D * m + c); }
  Eigen::Index at_f(std::size_t c) const { return static_cast<Eigen::Index>((D + 1) * m + 2 * c); }
  Eigen::Index at_work(std::size_t c) const { return static_cast<Eigen::Index>((D + 3) * m + c); }
  double compression(std::size_t c) const { return y[at_d(c)]; }
  Eigen::Vector3d impulse(std::size_t c) const {
    Eigen::Vector3d p = Eigen::Vector3d::Zero();
    p.tail<D>() = y.template segment<D>(at_p(c));
    return p;
  }
  bool any_closed() const {
    return std::any_of(modes.begin(), modes.end(), [](const ContactState& s) { return s.closed(); });
  }

  std::size_t m;
  double time = 0.0;
  Eigen::VectorXd y, rate;
  std::vector<ContactState> modes;
};

/// Velocities u, forces f and accelerations a of the contacts as last evaluated. Contacts that are open when a step
/// begins have no forces, and their impulses stay: products with W are taken over those that press.
template <int D>
class Evaluation {
public:
  using Vector = typename System<D>::Vector;
  using Vectors = typename System<D>::Vectors;

  explicit Evaluation(const System<D>& system)
      : u(system.size()),
        a(system.size()),
        f(system.size()),
        system_(system),
        resting_(system.at_rest()),
        motion_(resting_),
        pushed_(resting_) {
    for (std::size_t c = 0; c < system.size(); ++c) {
      own.push_back(system.block(c, c).diagonal());
      mobility.push_back(std::sqrt(own.back().maxCoeff()));
    }
    for (std::vector<std::size_t>* list : {&closed, &open}) list->reserve(system.size());
  }

  /// Which contacts press, by the modes.
  void rebuild(const FlowState<D>& now) {
    closed.clear();
    open.clear();
    for (std::size_t c = 0; c < now.m; ++c) (now.modes[c].closed() ? closed : open).push_back(c);
    for (const std::size_t c : open) f[c].setZero();
    if (system_.has_rows()) return;
    for (auto& z : resting_) z.setZero();
    system_.push(open, now.y.data(), resting_);
  }

  /// u of the pressing contacts by the impulses in y.
  void observe_closed(const Eigen::VectorXd& y) {
    if (system_.has_rows()) {
      impulses_ = y.data();
      return system_.respond(closed, impulses_, u[0].data(), system_.initial()[0].data());
    }
    motion_ = resting_;
    system_.push(closed, y.data(), motion_);
    system_.observe(closed, motion_, u[0].data(), system_.initial()[0].data());
  }

  /// The rest: u of the others, and a of all by the forces f.
  void observe_rest() {
    if (system_.has_rows()) {
      system_.respond(open, impulses_, u[0].data(), system_.initial()[0].data());
      system_.respond(closed, f[0].data(), a[0].data());
      return system_.respond(open, f[0].data(), a[0].data());
    }
    system_.observe(open, motion_, u[0].data(), system_.initial()[0].data());
    respond(f, closed, a);
    system_.observe(open, pushed_, a[0].data());
  }

  /// Accelerations of some contacts by forces of those that press.
  void respond(const Vectors& force, const std::vector<std::size_t>& contacts, Vectors& answer) {
    if (system_.has_rows()) return system_.respond(contacts, force[0].data(), answer[0].data());
    for (auto& z : pushed_) z.setZero();
    system_.push(closed, force[0].data(), pushed_);
    system_.observe(contacts, pushed_, answer[0].data());
  }

  Vectors u, a, f;
  double push = 0.0;                      // the largest force times the root of its mobility
  std::vector<std::size_t> closed, open;  // contacts that press when a step begins, and the others
  Vectors own;                            // diagonal of W
  std::vector<double> mobility;           // root of its largest entry

private:
  const System<D>& system_;
  const double* impulses_ = nullptr;             // of the last evaluation, where W is kept row by row
  typename System<D>::Motions resting_;          // by the impulses of the open contacts, which stay
  typename System<D>::Motions motion_, pushed_;  // of the last evaluation: by all impulses; by forces
};

}  // namespace carom::simultaneous
