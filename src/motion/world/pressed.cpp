#include "pressed.hpp"

#include <algorithm>

#include "approach.hpp"

namespace carom::world {

namespace {

/// So often in a tick it is looked where the bodies are, for those who may meet them.
constexpr std::size_t looks = 16;

/// The places at which a solid can touch a plane: its corners, the ends of what is rounded, and of every rim four.
std::vector<Tip> tips_of(const Solid& solid, std::size_t number) {
  std::vector<Tip> tips;
  for (const Convex& part : solid.parts) {
    for (const Vector3d& point : part.points) tips.push_back({number, point, part.rounding});
    for (const Convex::Rim& rim : part.rims) {
      const auto same = [&](const Tip& tip) { return tip.rim == rim.radius && tip.centre == rim.centre; };
      if (std::any_of(tips.begin(), tips.end(), same)) continue;
      for (int quarter = 0; quarter < 4; ++quarter)
        tips.push_back({number, rim.centre, part.rounding, rim.radius, part.axis, quarter});
    }
  }
  return tips;
}

CompliantPair pair_of(const Scene& scene, std::size_t body, const Partner& partner, const Tip& tip, std::size_t other) {
  CompliantPair pair;
  pair.tip = tip;
  if (partner.kind == PartnerKind::body) {
    pair.against = Tip{other, Vector3d::Zero(), scene.radius[partner.index]};
  } else {
    const Wall& wall = scene.wall(partner);
    pair.against = FixedSurface{wall.kind == PartnerKind::plane ? SurfaceShape::plane : SurfaceShape::cylinder,
                                wall.point, wall.axis, wall.radius};
  }
  const WorldMaterial& material = scene.material(body, partner);
  pair.material = {material.forces->stiffness, material.forces->exponent, material.restitution,
                   material.forces->friction};
  pair.v_min = scene.problem.regularized->v_min;
  return pair;
}

}  // namespace

bool Pressed::holds(std::size_t body) const { return std::binary_search(bodies_.begin(), bodies_.end(), body); }

void Pressed::clear() { *this = Pressed(); }

bool Pressed::begin(const Scene& scene, double start, double end, const std::vector<std::size_t>& bodies,
                    const std::vector<Body>& now, const std::vector<Pressing>& pressing) {
  bodies_ = bodies;
  begun_ = now;
  pressing_ = pressing;
  start_ = start;
  end_ = end;
  pairs_.clear();
  radii_.clear();
  CompliantScene all;
  all.gravity = scene.problem.gravity;
  all.bodies = now;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const std::size_t i = bodies[k];
    radii_.push_back(scene.radius[i]);
    const std::vector<Tip> tips = tips_of(*scene.solids[i], k);
    const auto add = [&](const Partner& partner, std::size_t other) {
      if (partner.kind == PartnerKind::body && !scene.round(i, partner)) return;
      for (std::size_t place = 0; place < tips.size(); ++place) {
        pairs_.push_back({i, partner, place});
        all.pairs.push_back(pair_of(scene, i, partner, tips[place], other));
      }
    };
    for (std::size_t j = k + 1; j < bodies.size(); ++j) add({PartnerKind::body, bodies[j]}, j);
    for (std::size_t w = 0; w < scene.planes.size(); ++w) add({PartnerKind::plane, w}, 0);
    for (std::size_t w = 0; w < scene.tubes.size(); ++w) add({PartnerKind::tube, w}, 0);
  }
  // What does not move stands behind those who do.
  for (std::size_t f = 0; f < scene.problem.bodies.size(); ++f) {
    if (scene.movable(f)) continue;
    const std::size_t place = all.bodies.size();
    all.bodies.push_back(scene.problem.bodies[f].body);
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const Partner partner{PartnerKind::body, f};
      if (!scene.round(bodies[k], partner)) continue;
      pairs_.push_back({bodies[k], partner, 0});
      all.pairs.push_back(pair_of(scene, bodies[k], partner, {k, Vector3d::Zero(), scene.radius[bodies[k]]}, place));
    }
  }
  auto first = std::make_shared<stepping::System>(all, true);
  for (const Pressing& each : pressing) {
    const auto at = std::find_if(pairs_.begin(), pairs_.end(), [&](const Between& pair) {
      return pair.body == each.body && pair.partner == each.partner && pair.place == each.place;
    });
    if (at != pairs_.end())
      first->resume(static_cast<std::size_t>(at - pairs_.begin()),
                    {each.bristles, each.dwell, each.damping, each.touch_speed});
  }
  first_ = first;
  between_.reset();

  auto last = std::make_shared<stepping::System>(*first);
  changes_.clear();
  looks_.clear();
  std::vector<stepping::Crossing> crossings;
  const auto look = [&](double time) {
    Look seen{time, {}, {}, {}};
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      seen.places.push_back(last->motions()[k].position);
      seen.turns.push_back(last->motions()[k].orientation.normalized());
      seen.speeds.push_back(last->motions()[k].velocity.norm());
    }
    looks_.push_back(std::move(seen));
  };
  std::vector<double> times;
  for (std::size_t i = 0; i <= looks; ++i)
    times.push_back((end - start) * static_cast<double>(i) / static_cast<double>(looks));
  const SwitchedStop stop =
      last->follow_for(end - start, &crossings, times, [&](std::size_t i) { look(start + times[i]); });
  last_ = last;
  for (const stepping::Crossing& c : crossings)
    changes_.push_back(
        {start + c.time, pairs_[c.pair].body, pairs_[c.pair].partner, c.touching, c.speed, c.point, c.normal});
  return !stop.limited;
}

std::shared_ptr<const stepping::System> Pressed::system_at(double time) const {
  if (time <= start_) return first_;
  if (time >= end_) return last_;
  if (between_ && between_time_ == time) return between_;
  auto then = std::make_shared<stepping::System>(*first_);
  then->follow_for(time - start_);
  return then;
}

void Pressed::look(double time) {
  if (empty()) return;
  between_ = system_at(time);
  between_time_ = time;
}

Body Pressed::body_at(double time, std::size_t body) const {
  const auto at = std::lower_bound(bodies_.begin(), bodies_.end(), body);
  return system_at(time)->bodies()[static_cast<std::size_t>(at - bodies_.begin())];
}

std::vector<Pressed::Pressing> Pressed::touching(const stepping::System& system) const {
  std::vector<Pressing> all;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    if (!system.contact(k).touching()) continue;
    const stepping::TouchMemory memory = system.memory(k);
    all.push_back({pairs_[k].body, pairs_[k].partner, pairs_[k].place, memory.bristles, memory.dwell, memory.damping,
                   memory.touch_speed});
  }
  return all;
}

std::vector<Pressed::Pressing> Pressed::pressing_at(double time) const { return touching(*system_at(time)); }
stepping::Ledger Pressed::ledger_at(double time) const { return system_at(time)->ledger(); }
double Pressed::stored_at(double time) const {
  const stepping::System own = *system_at(time);  // it writes down what it reads, and others may share it
  return own.stored_energy();
}

bool Pressed::collides(const Scene& scene) const {
  // What has just bounced off each other touches up to rounding.
  constexpr double noise_share = 1e-9;
  const auto overlap = [&](const Look& look, std::size_t k, std::size_t other, const Pose& at) {
    const std::size_t body = bodies_[k];
    if (scene.round(body, {PartnerKind::body, other})) return false;
    const double reach = scene.radius[body] + scene.radius[other];
    if ((look.places[k] - at.position).squaredNorm() > reach * reach) return false;
    const Pose own{look.places[k], look.turns[k].toRotationMatrix()};
    return distance_between(*scene.solids[body], own, *scene.solids[other], at) < -noise_share * reach;
  };
  for (const Look& look : looks_)
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      for (std::size_t j = k + 1; j < bodies_.size(); ++j)
        if (overlap(look, k, bodies_[j], {look.places[j], look.turns[j].toRotationMatrix()})) return true;
      for (std::size_t f = 0; f < scene.problem.bodies.size(); ++f)
        if (!scene.movable(f) && overlap(look, k, f, pose_of(scene.problem.bodies[f].body))) return true;
    }
  return false;
}

bool Pressed::near(const Course& course, double from) const {
  const double step = (end_ - start_) / static_cast<double>(looks);
  Vector3d place, velocity;
  for (const Look& look : looks_) {
    if (look.time < from - step) continue;
    const double time = std::max(look.time, from);
    course.centre(time - course.start, place, velocity);
    for (std::size_t k = 0; k < look.places.size(); ++k) {
      // Between two looks both can go on as fast as they are, and as their weight lets them.
      const double reach = radii_[k] + course.radius +
                           2.0 * step * (look.speeds[k] + velocity.norm() + 2.0 * step * course.acceleration_bound);
      if ((place - look.places[k]).squaredNorm() <= reach * reach) return true;
    }
  }
  return false;
}

}  // namespace carom::world
