#include <algorithm>
#include <cmath>
#include <deque>

#include "micro_bounces.hpp"
#include "run.hpp"

namespace carom {

using namespace world;

namespace {

/// Relative velocities after an impact that are less than this share of the fastest of its bodies are rounding.
constexpr double speed_noise_share = 1e-12;

/// Two things are pressed together if their relative acceleration is more than this share of gravity.
constexpr double pressing_share = 1e-9;

/// So many impacts at one instant, and so many more for every body in them, are a contact that lasts.
constexpr std::size_t most_strikes = 1000, most_strikes_of_a_body = 20;

/// So often a contact may touch without closing before it counts as one that lasts.
constexpr std::size_t most_idle_strikes = 16;

}  // namespace

double World::Run::span_of(std::size_t body, const Entry& entry) const {
  const bool own = body == entry.body || (entry.partner.kind == PartnerKind::body && entry.partner.index == body);
  const double start = courses_[body].start;
  return own ? (entry.base - start) + entry.span : entry.time - start;
}

/// Everything that touches, through movable bodies, what is struck now.
Group World::Run::gather(const Entry& entry) const {
  struct Found {
    std::size_t body;
    Partner partner;
  };
  std::vector<std::size_t> bodies;
  std::vector<Found> contacts;
  const auto place = [&](std::size_t body) {
    Vector3d position, velocity;
    courses_[body].centre(span_of(body, entry), position, velocity);
    return position;
  };
  // Bodies that are not balls, as they are now.
  std::vector<std::pair<std::size_t, Body>> seen;
  const auto state = [&](std::size_t body) -> Body {
    for (const auto& known : seen)
      if (known.first == body) return known.second;
    seen.emplace_back(body, courses_[body].at(span_of(body, entry)));
    return seen.back().second;
  };
  const auto distance = [&](std::size_t body, const Partner& partner, double enough) {
    const Body own = state(body);
    return scene_.distance(body, own, partner, partner.kind == PartnerKind::body ? state(partner.index) : own, enough);
  };
  const auto reached = [&](std::size_t body) { return std::find(bodies.begin(), bodies.end(), body) != bodies.end(); };
  const auto reach = [&](std::size_t body) {
    if (scene_.movable(body) && !reached(body)) bodies.push_back(body);
  };
  const double tolerance = scene_.problem.touch_tolerance;
  reach(entry.body);
  if (entry.partner.kind == PartnerKind::body) reach(entry.partner.index);
  for (std::size_t next = 0; next < bodies.size(); ++next) {
    const std::size_t i = bodies[next];
    const Vector3d x = place(i);
    const double r = scene_.radius[i];
    neighbours_.each(i, [&](std::size_t j) {
      if (pressed_.holds(j) || gone(j)) return;
      const Partner partner{PartnerKind::body, j};
      const double limit = tolerance * scene_.size(i, partner);
      if (neighbours_.keeps() && (x - neighbours_.home(j)).norm() > r + scene_.radius[j] + neighbours_.slack(j) + limit)
        return;
      const bool struck = (i == entry.body && entry.partner == partner) ||
                          (j == entry.body && entry.partner == Partner{PartnerKind::body, i});
      const double around = gap_between(x, r, place(j), scene_.radius[j]).gap;
      if (!struck && (scene_.round(i, partner) ? std::abs(around) : around) > limit) return;
      if (!struck && !scene_.round(i, partner) && std::abs(distance(i, partner, limit)) > limit) return;
      const auto done = bodies.begin() + static_cast<std::ptrdiff_t>(next);
      if (std::find(bodies.begin(), done, j) != done) return;  // found from the other side
      reach(j);
      contacts.push_back({i, partner});
    });
    const auto wall = [&](const Partner& partner) {
      const bool struck = i == entry.body && entry.partner == partner;
      const double around = gap_between(x, r, scene_.wall(partner)).gap;
      const bool touches =
          scene_.is_ball(i) ? std::abs(around) <= tolerance * r
                            : around <= tolerance * r && std::abs(distance(i, partner, tolerance * r)) <= tolerance * r;
      if (struck || touches) contacts.push_back({i, partner});
    };
    for (std::size_t k = 0; k < scene_.planes.size(); ++k)
      if (scene_.held[i] != k) wall({PartnerKind::plane, k});
    for (std::size_t k = 0; k < scene_.tubes.size(); ++k) wall({PartnerKind::tube, k});
    // Where two cushions join, their common end is one contact.
    const std::size_t before_cushions = contacts.size();
    for (std::size_t k = 0; k < scene_.cushions.size(); ++k) {
      const std::size_t found = contacts.size();
      wall({PartnerKind::cushion, k});
      if (contacts.size() == found) continue;
      const Vector3d point = gap_between(x, r, scene_.cushions[k]).point;
      for (std::size_t c = before_cushions; c < found; ++c)
        if ((gap_between(x, r, scene_.wall(contacts[c].partner)).point - point).norm() <= tolerance * r) {
          contacts.pop_back();
          break;
        }
    }
  }
  std::sort(bodies.begin(), bodies.end(),
            [&](std::size_t a, std::size_t b) { return scene_.rank[a] < scene_.rank[b]; });
  Group group;
  group.bodies = bodies;
  for (const std::size_t i : bodies) {
    group.now.push_back(courses_[i].at(span_of(i, entry)));
    group.carried.push_back(courses_[i].carried_until > entry.time);
  }
  const auto place_in_group = [&](std::size_t body) {
    return static_cast<std::size_t>(std::find(bodies.begin(), bodies.end(), body) - bodies.begin());
  };
  for (const Found& found : contacts) {
    Touching contact;
    contact.body = found.body;
    contact.partner = found.partner;
    if (found.partner.kind == PartnerKind::body && scene_.movable(found.partner.index)) {
      if (scene_.rank[found.partner.index] < scene_.rank[found.body]) std::swap(contact.body, contact.partner.index);
      contact.second = place_in_group(contact.partner.index);
    }
    contact.first = place_in_group(contact.body);
    if (scene_.round(contact.body, contact.partner)) {
      group.contacts.push_back(contact);
      continue;
    }
    const bool struck = (contact.body == entry.body && contact.partner == entry.partner) ||
                        (contact.partner == Partner{PartnerKind::body, entry.body} &&
                         entry.partner == Partner{PartnerKind::body, contact.body});
    const Solid& solid = *scene_.solids[contact.body];
    const Pose here = pose_of(group.now[contact.first]);
    const double limit = tolerance * scene_.size(contact.body, contact.partner);
    const std::vector<Touch> touches = contact.partner.kind == PartnerKind::body
                                           ? touches_between(solid, here, *scene_.solids[contact.partner.index],
                                                             pose_of(state(contact.partner.index)), limit, struck)
                                           : touches_between(solid, here, scene_.wall(contact.partner), limit, struck);
    for (const Touch& touch : touches) {
      contact.feature = touch.feature;
      contact.gap = {touch.gap.gap, touch.gap.normal, touch.gap.point};
      group.contacts.push_back(contact);
    }
  }
  const auto key = [&](const Touching& c) {
    const bool body = c.partner.kind == PartnerKind::body;
    return std::array<std::size_t, 3>{c.first, static_cast<std::size_t>(c.partner.kind),
                                      body ? scene_.rank[c.partner.index] : c.partner.index};
  };
  std::stable_sort(group.contacts.begin(), group.contacts.end(),
                   [&](const Touching& a, const Touching& b) { return key(a) < key(b); });
  return group;
}

namespace world {

namespace {

/// What going along a round surface adds to the second derivative of the gap: a ball on a ball goes away from it, one
/// in a tube is pressed on it. Arms are left out, as their pull is.
double bend(const Scene& scene, const Group& group, const Touching& contact, const std::vector<Course>& next) {
  if (contact.feature)
    return bend_at(*contact.feature, group.now[contact.first], second_of(scene, group, contact), contact.gap.normal);
  if (contact.partner.kind == PartnerKind::plane || next[contact.first].swing() != nullptr) return 0.0;
  const Vector3d& n = contact.gap.normal;
  Vector3d v = group.now[contact.first].velocity;
  if (contact.partner.kind == PartnerKind::cushion) {
    // Along the nose the way is straight, across it goes round an edge.
    const Vector3d& axis = scene.cushions[contact.partner.index].axis;
    v -= n.dot(v) * n;
    v -= axis.dot(v) * axis;
    return v.squaredNorm() / (scene.cushions[contact.partner.index].radius + scene.radius[contact.body]);
  }
  if (contact.partner.kind == PartnerKind::tube) {
    const Wall& tube = scene.tubes[contact.partner.index];
    v -= tube.axis.dot(v) * tube.axis + n.dot(v) * n;
    return -v.squaredNorm() / (tube.radius - scene.radius[contact.body]);
  }
  if (contact.second != none) {
    if (next[contact.second].swing() != nullptr) return 0.0;
    v -= group.now[contact.second].velocity;
  }
  v -= n.dot(v) * n;
  return v.squaredNorm() / (scene.radius[contact.body] + scene.radius[contact.partner.index]);
}

/// Which slow contacts are pressed together, by gravity or on the inside of a tube: those with what does not give way,
/// then those with bodies that such contacts carry, and those of bodies that are carried both, as in a heap.
std::vector<std::size_t> pressed_contacts(const Scene& scene, const Group& group, const std::vector<std::size_t>& slow,
                                          const std::vector<Course>& next) {
  std::vector<char> carried = group.carried;
  std::vector<std::size_t> pressed;
  const double least = pressing_share * scene.problem.gravity.norm();
  // Along the normal; `into` is the direction that presses. Friction of a slide, or of rolling, presses as long as that
  // lasts; a slide that is over at once is the rolling after it.
  const auto pull = [&](std::size_t place, const Touching& contact, double into) {
    Course course = next[place];
    if (!course.on_plane()) return course.acceleration.dot(contact.gap.normal);
    if (course.state == WorldBodyState::slides && course.acceleration_bound * course.end <= scene.problem.zeno_speed)
      course = scene.course_on(group.bodies[place], course.plane, course.start + course.end,
                               std::get<BallOnPlane>(course.detail).last());
    const double now = course.acceleration.dot(contact.gap.normal);
    const bool moves = course.state == WorldBodyState::slides || course.state == WorldBodyState::rolls;
    if (moves && 2.0 * std::max(contact.rebound, 0.0) < into * now * course.end) return now;
    const auto& ball = std::get<BallOnPlane>(course.detail);
    return ball.lasting_acceleration(contact.gap.normal, scene.problem.zeno_speed).dot(contact.gap.normal);
  };
  const auto together = [&](const Touching& contact) {
    const Vector3d& n = contact.gap.normal;
    if (contact.partner.kind == PartnerKind::plane && next[contact.first].plane == contact.partner.index)
      return -scene.problem.gravity.dot(n) > least;  // it lies there
    const double apart = bend(scene, group, contact, next), first = pull(contact.first, contact, -1.0) + apart;
    if (contact.second == none) return first < -least;
    const double second = pull(contact.second, contact, 1.0);
    const bool first_carried = carried[contact.first] != 0, second_carried = carried[contact.second] != 0;
    const bool heaped = group.carried[contact.first] != 0 && group.carried[contact.second] != 0;
    return heaped || first - second < -least || (first_carried && apart - second < -least) ||
           (second_carried && first < -least);
  };
  for (bool more = true; more;) {
    more = false;
    for (const std::size_t c : slow) {
      if (std::find(pressed.begin(), pressed.end(), c) != pressed.end() || !together(group.contacts[c])) continue;
      pressed.push_back(c);
      carried[group.contacts[c].first] = 1;
      if (group.contacts[c].second != none) carried[group.contacts[c].second] = 1;
      more = true;
    }
  }
  std::sort(pressed.begin(), pressed.end());
  return pressed;
}

/// All the bounces to come of a ball that leaves a plane this slowly (motion of the ball along the plane included).
Settling settling_of(const Scene& scene, const Touching& contact, const Body& now, double restitution) {
  const Vector3d& n = contact.gap.normal;
  const Vector3d& gravity = scene.problem.gravity;
  const double speed = std::max(contact.rebound, 0.0), pressing = -gravity.dot(n), r = scene.radius[contact.body];
  const double inertia = now.inertia(0, 0), kappa = now.mass * r * r / inertia;
  Settling settling;
  settling.span = 2.0 * speed / (pressing * (1.0 - restitution));
  const double normal = now.mass * speed * (1.0 + restitution) / (1.0 - restitution);
  const Vector3d downhill = settling.span * (gravity + pressing * n);
  const Vector3d along = now.velocity - now.velocity.dot(n) * n + downhill;
  const Vector3d slip = along - r * (now.angular_velocity.cross(n));
  const double sliding = slip.norm(), mu = scene.material(contact.body, contact.partner).friction;
  Vector3d friction = Vector3d::Zero();
  if (sliding > 0.0) friction = -std::min(mu * normal, sliding * now.mass / (1.0 + kappa)) / sliding * slip;
  settling.velocity_after = along + friction / now.mass;
  settling.angular_velocity_after = now.angular_velocity - r / inertia * n.cross(friction);
  settling.impulse = normal * n + friction;
  return settling;
}

}  // namespace

namespace {

/// Where the bodies go if nothing lasts.
std::vector<Course> next_courses(const Scene& scene, const Group& group, const std::vector<const Course*>& before,
                                 double time, double noise, std::vector<Sequel>& sequels) {
  sequels.assign(group.bodies.size(), {});
  std::vector<Course> next;
  for (std::size_t k = 0; k < group.bodies.size(); ++k) {
    const std::size_t body = group.bodies[k];
    Sequel& sequel = sequels[k];
    if (scene.held[body] != none) {
      sequel = {Sequel::Kind::on_plane, scene.held[body], {}};
    } else if (before[k]->plane != none) {
      const double leaving = group.now[k].velocity.dot(scene.planes[before[k]->plane].axis);
      if (leaving <= noise) sequel = {Sequel::Kind::on_plane, before[k]->plane, {}};
    }
    next.push_back(sequel.kind == Sequel::Kind::on_plane ? scene.course_on(body, sequel.plane, time, group.now[k])
                                                         : scene.free_course(body, time, group.now[k]));
  }
  return next;
}

}  // namespace

bool bounces_in_turn(const Scene& scene, const Group& group, const std::vector<const Course*>& before, double time,
                     double noise) {
  if (!scene.problem.micro_speed || group.contacts.size() < 2) return false;
  std::vector<std::size_t> all;
  for (std::size_t c = 0; c < group.contacts.size(); ++c) {
    if (!bounces_as_it_came(scene, group.contacts[c])) return false;
    all.push_back(c);
  }
  std::vector<Sequel> sequels;
  const std::vector<Course> next = next_courses(scene, group, before, time, noise, sequels);
  const std::vector<std::size_t> pressed = pressed_contacts(scene, group, all, next);
  return std::all_of(all.begin(), all.end(), [&](std::size_t c) {
    return group.contacts[c].approach <= noise || std::find(pressed.begin(), pressed.end(), c) != pressed.end();
  });
}

namespace {

/// Through the air a touch is found as late as rounding hides the way fallen, which gives the speed of that fall to the
/// bounce: slower bounces would go on for ever at the speed where restitution takes just that.
double least_bounce(const Course& next, double restitution) {
  if (next.in_air() == nullptr || !(restitution < 1.0)) return 0.0;
  return std::sqrt(2.0 * next.acceleration_bound * way_grain(next) / (1.0 - restitution * restitution));
}

}  // namespace

Judgement judge(const Scene& scene, const Group& group, const std::vector<const Course*>& before, double time,
                double noise, const std::vector<std::size_t>& bouncing) {
  Judgement judgement;
  const std::vector<Course> next = next_courses(scene, group, before, time, noise, judgement.sequels);
  std::vector<std::size_t> slow;
  for (std::size_t c = 0; c < group.contacts.size(); ++c) {
    // What only leaves, as an impact before this one sent it, goes on leaving.
    const Touching& contact = group.contacts[c];
    const double most =
        contact.impulse.isZero(0.0)
            ? noise
            : std::max({scene.problem.zeno_speed, noise, least_bounce(next[contact.first], contact.restitution)});
    if (contact.rebound <= most) slow.push_back(c);
  }
  slow = pressed_contacts(scene, group, slow, next);
  std::vector<int> slow_contacts(group.bodies.size(), 0);
  for (const std::size_t c : bouncing) {
    constexpr int not_alone = 2;
    slow_contacts[group.contacts[c].first] = not_alone;
    if (group.contacts[c].second != none) slow_contacts[group.contacts[c].second] = not_alone;
  }
  for (const std::size_t c : slow) {
    ++slow_contacts[group.contacts[c].first];
    if (group.contacts[c].second != none) ++slow_contacts[group.contacts[c].second];
  }
  for (const std::size_t c : slow) {
    const Touching& contact = group.contacts[c];
    Sequel& sequel = judgement.sequels[contact.first];
    const bool lies = sequel.kind == Sequel::Kind::on_plane, plane = contact.partner.kind == PartnerKind::plane;
    if (plane && lies && sequel.plane == contact.partner.index) continue;  // it has been there before, and stays
    // The sum of bounces is that of a ball in free flight: one on an arm, or on a cloth before a cushion, has none.
    if (plane && !lies && scene.is_ball(contact.body) && !scene.arms[contact.body] &&
        slow_contacts[contact.first] == 1) {
      const Restitution& law = scene.material(contact.body, contact.partner).restitution;
      const double restitution = contact.restitution == 0.0 ? 0.0 : restitution_at(law, 0.0);
      if (restitution < 1.0)
        sequel = {Sequel::Kind::settles, contact.partner.index,
                  settling_of(scene, contact, group.now[contact.first], restitution)};
      else if (const double back = 2.0 * contact.rebound / scene.pressing(contact.partner.index);
               contact.rebound <= noise || time + back <= time)  // it does not rebound at all
        sequel = {Sequel::Kind::on_plane, contact.partner.index, {}};
      continue;
    }
    judgement.lasting.push_back(c);
  }
  return judgement;
}

namespace {

/// Contacts that do not part, but for those of bodies that lie on their planes.
std::vector<std::size_t> all_that_stay(const Group& group, const Judgement& judgement, double noise) {
  std::vector<std::size_t> all;
  for (std::size_t c = 0; c < group.contacts.size(); ++c) {
    const Touching& contact = group.contacts[c];
    const Sequel& sequel = judgement.sequels[contact.first];
    const bool lies = contact.partner.kind == PartnerKind::plane && sequel.kind == Sequel::Kind::on_plane &&
                      sequel.plane == contact.partner.index;
    if (!lies && contact.rebound <= noise) all.push_back(c);
  }
  return all;
}

}  // namespace

}  // namespace world

World::Run::Struck World::Run::strike(const Entry& entry, WorldEvent& event) {
  Group group = gather(entry);
  std::vector<Body> arrived = group.now;
  snap(scene_, group);
  look_at(scene_, group);
  double fastest = 0.0;
  for (std::size_t k = 0; k < group.bodies.size(); ++k)
    fastest = std::max(
        fastest, group.now[k].velocity.norm() + scene_.radius[group.bodies[k]] * group.now[k].angular_velocity.norm());
  bool lasts = false;
  double noise = speed_noise_share * fastest;
  const Group start = group;
  std::vector<const Course*> before;
  for (const std::size_t body : group.bodies) before.push_back(&courses_[body]);
  Outcome outcome;
  bool in_turn = bounces_in_turn(scene_, group, before, time_, noise);
  const auto take_turns = [&] {
    const double trifle = trifling_share * *scene_.problem.micro_speed;
    bounce_in_turn(scene_, group, outcome, Turns::as_they_came, trifle);
    noise = std::max(noise, trifle);
  };
  const auto nothing_done = [&] {
    return std::all_of(group.contacts.begin(), group.contacts.end(),
                       [](const Touching& contact) { return contact.impulse.isZero(0.0); });
  };
  if (in_turn) {
    take_turns();
    if (nothing_done()) {  // only trifles close, and would close again at once
      noise = speed_noise_share * fastest;
      bounce_in_turn(scene_, group, outcome, Turns::by_restitution, noise);
    }
  } else {
    outcome = solve(scene_, group);
    const bool closing = std::any_of(group.contacts.begin(), group.contacts.end(),
                                     [&](const Touching& contact) { return contact.rebound < -noise; });
    if (!outcome.finished && closing) {
      lasts = !scene_.problem.micro_speed.has_value();
      if (!lasts) take_turns();
    }
  }
  if (!outcome.solved) {
    verdict_ = WorldVerdict::no_solution;
    impact_flags_.set(outcome.impact_flags);
    return Struck::without_answer;
  }
  Judgement judgement = judge(scene_, group, before, time_, noise);
  if (nothing_done() && ++idle_strikes_ > most_idle_strikes) judgement.lasting = all_that_stay(group, judgement, noise);
  std::vector<std::size_t> bouncing;
  if (!judgement.lasting.empty() && scene_.problem.micro_speed) {
    bouncing = judgement.lasting;
    bounce_on(scene_, start, group, outcome, bouncing);
    judgement = judge(scene_, group, before, time_, noise, bouncing);
    judgement.lasting.clear();
  }
  strikes_now_ = time_ == last_strike_ ? strikes_now_ + 1 : 0;
  last_strike_ = time_;
  lasts = lasts || !judgement.lasting.empty() || strikes_now_ > most_strikes + most_strikes_of_a_body * courses_.size();
  // What touches but neither closes nor is pressed was seen to close by rounding only.
  const bool idle = !lasts && nothing_done();
  // Bodies that are not balls have forces on planes only.
  const bool has_forces =
      scene_.problem.regularized && std::all_of(group.contacts.begin(), group.contacts.end(), [&](const Touching& c) {
        return c.partner.kind != PartnerKind::body || scene_.round(c.body, c.partner);
      });
  if (lasts && has_forces) {
    for (Sequel& sequel : judgement.sequels) sequel = {};
  } else if (lasts) {
    verdict_ = WorldVerdict::zeno;
    flags_.set(WorldFlag::sustained_contact);
  }
  impact_flags_.set(outcome.impact_flags);
  flags_.set(outcome.flags);

  event.type = WorldEventType::impact;
  event.model = outcome.model;
  event.restitution_loss = outcome.restitution_loss;
  event.friction_loss = outcome.friction_loss;
  event.trace = std::move(outcome.trace);
  for (const Touching& contact : group.contacts) {
    WorldContact seen;
    seen.first = contact.body;
    seen.second = contact.partner;
    seen.point = contact.gap.point;
    seen.normal = contact.gap.normal;
    seen.impulse = contact.impulse;
    if (contact.second == none) audit_.impulse(contact.impulse);
    if (contact.partner.kind == PartnerKind::body && contact.partner.index < contact.body) {
      std::swap(seen.first, seen.second.index);
      seen.normal = -seen.normal;
      seen.impulse = -seen.impulse;
    }
    event.contacts.push_back(seen);
  }
  std::stable_sort(event.contacts.begin(), event.contacts.end(), [](const WorldContact& a, const WorldContact& b) {
    if (a.first != b.first) return a.first < b.first;
    if (a.second.kind != b.second.kind) return a.second.kind < b.second.kind;
    return a.second.index < b.second.index;
  });
  event.bodies = group.bodies;
  std::sort(event.bodies.begin(), event.bodies.end());

  for (std::size_t k = 0; k < group.bodies.size(); ++k) {
    const std::size_t body = group.bodies[k];
    audit_.follow(scene_, body, courses_[body], span_of(body, entry), arrived[k]);
    audit_.support_loss.add(world::energy(scene_, body, arrived[k]) - world::energy(scene_, body, start.now[k]));
  }
  for (std::size_t k = 0; k < group.bodies.size(); ++k) {
    const std::size_t body = group.bodies[k];
    const Sequel& sequel = judgement.sequels[k];
    Body now = group.now[k];
    Course next;
    if (sequel.kind == Sequel::Kind::free) {
      next = scene_.free_course(body, time_, now);
    } else {
      const Vector3d& n = scene_.planes[sequel.plane].axis;
      const double across = now.velocity.dot(n), lost = 0.5 * now.mass * across * across;
      now.velocity -= across * n;
      audit_.impulse(-now.mass * across * n);
      if (sequel.kind == Sequel::Kind::on_plane) {
        audit_.support_loss.add(lost);
        next = scene_.course_on(body, sequel.plane, time_, now);
      } else {
        event.restitution_loss += lost;
        const Vector3d mean = 0.5 * (now.velocity + sequel.settling.velocity_after);
        const double moving = kinetic(now);
        audit_.impulse(now.mass * (mean - now.velocity));
        now.velocity = mean;
        audit_.friction_loss.add(moving - kinetic(now));
        next = scene_.settling_course(body, time_, now, sequel.plane, sequel.settling);
      }
    }
    next.speed_noise = idle ? 0.0 : noise;
    const bool carried = std::any_of(bouncing.begin(), bouncing.end(), [&](std::size_t c) {
      return group.contacts[c].first == k || group.contacts[c].second == k;
    });
    // As long as bounces of that speed last.
    if (carried) next.carried_until = time_ + 2.0 * *scene_.problem.micro_speed / scene_.problem.gravity.norm();
    begin(body, std::move(next));
  }
  audit_.restitution_loss.add(event.restitution_loss);
  audit_.friction_loss.add(event.friction_loss);
  if (verdict_) return Struck::done;
  if (lasts) {
    press(group.bodies);
    return Struck::done;
  }
  for (const std::size_t body : group.bodies) begun_[body] = 1;
  for (const std::size_t body : group.bodies) predict(body);
  for (const std::size_t body : group.bodies) begun_[body] = 0;
  return idle ? Struck::not_at_all : Struck::done;
}

}  // namespace carom
