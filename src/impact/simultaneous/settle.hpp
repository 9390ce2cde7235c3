// The start of a simultaneous impact, and of every new piece of it: which contacts press.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::simultaneous {

template <class Contacts, int D, class Friction, class LevelFriction>
void settle_normals(const Contacts& system, const typename System<D>::Vectors& u, const std::vector<double>& d,
                    const typename System<D>::Vectors& force, std::vector<ContactState>& state, SettleSpace<D>& space,
                    Friction&& friction, LevelFriction&& level_friction) {
  constexpr int n = System<D>::normal;
  constexpr double none = std::numeric_limits<double>::infinity();
  const std::size_t m = system.size();
  auto& [lead, level, answer, waiting] = space;
  std::fill(lead.order.begin(), lead.order.end(), none);
  for (auto& coefficient : lead.coefficient) coefficient.setZero();
  waiting.clear();
  for (std::size_t c = 0; c < m; ++c) {
    const double un = u[c][n];
    if (d[c] > 0.0) {
      if (un < -rest_speed) state[c].normal = NormalMode::loading;
      if (un > rest_speed) state[c].normal = NormalMode::unloading;
      lead.order[c] = 0.0;
      lead.coefficient[c] = force[c];
    } else if (un < -rest_speed) {
      const bool fresh = !state[c].closed();
      state[c].normal = NormalMode::loading;
      const Spring& s = system.spring(c);
      lead.order[c] = s.p;
      lead.coefficient[c][n] = s.k * std::pow(-un, s.p);
      friction(c, lead.coefficient[c], u[c], fresh);
    } else if (un > rest_speed) {
      state[c].normal = NormalMode::open;
    } else {
      waiting.push_back(c);
    }
  }
  if (waiting.empty()) {
    level_friction(lead, none);
    return;
  }

  // Level by level: a contact at rest moves as t^(order+1) under forces ~ t^order, and presses as t^(p (order+2)).
  double done = -1.0;
  while (!waiting.empty()) {
    double order = none;
    for (const double o : lead.order)
      if (o > done && o < order) order = o;
    if (order == none) break;
    level_friction(lead, order);
    double largest = 0.0;
    for (std::size_t c = 0; c < m; ++c) {
      level[c] = lead.order[c] == order ? lead.coefficient[c] : System<D>::Vector::Zero().eval();
      largest = std::max(largest, level[c].norm());
    }
    system.response(level[0].data(), answer[0].data());
    std::size_t still = 0;
    for (const std::size_t c : waiting) {
      const double a = answer[c][n];
      if (std::abs(a) <= cancellation * largest) {
        waiting[still++] = c;
        continue;
      }
      const bool fresh = !state[c].closed();
      const Spring& s = system.spring(c);
      const double push = a < 0.0 ? s.k * std::pow(-a / ((order + 1.0) * (order + 2.0)), s.p) : 0.0;
      state[c].normal = push > weakest_push ? NormalMode::loading : NormalMode::open;
      if (state[c].normal == NormalMode::open) continue;
      lead.order[c] = s.p * (order + 2.0);
      lead.coefficient[c][n] = push;
      // With u_t = 0 the acceleration plays the part of the velocity; only its direction and ratio to a_n matter.
      typename System<D>::Vector motion = answer[c];
      if constexpr (D == 3)
        if (u[c].template head<2>().norm() > rest_speed) {
          motion.template head<2>() = u[c].template head<2>();
          motion[n] = 0.0;  // infinitely slow approach: slip
        }
      friction(c, lead.coefficient[c], motion, fresh);
    }
    waiting.resize(still);
    done = order;
  }
  for (const std::size_t c : waiting) state[c].normal = NormalMode::open;
  level_friction(lead, none);
}

}  // namespace carom::simultaneous
