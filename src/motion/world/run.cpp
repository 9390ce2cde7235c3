#include "run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/core/error.hpp"

#include "approach.hpp"

namespace carom {

using namespace world;

namespace {

std::vector<Neighbours::Ball> balls_of(const Scene& scene) {
  std::vector<Neighbours::Ball> balls;
  for (std::size_t i = 0; i < scene.problem.bodies.size(); ++i)
    balls.push_back({scene.problem.bodies[i].body.position, scene.radius[i], scene.movable(i)});
  return balls;
}

/// Balls meet by closed forms, other shapes by a search; in an order of two bodies that is always the same.
Prediction predict_pair(const Scene& scene, std::size_t body, const Partner& partner, const std::vector<Course>& courses,
                        double from, double horizon) {
  const Course& course = courses[body];
  if (partner.kind != PartnerKind::body) {
    const Wall& wall = scene.wall(partner);
    return scene.is_ball(body) ? world::predict(course, wall, from, horizon)
                               : predict_solid(course, wall, from, horizon);
  }
  const Course& other = courses[partner.index];
  if (scene.round(body, partner)) return world::predict(course, other, from, horizon);
  return scene.rank[body] < scene.rank[partner.index] ? predict_solids(course, other, from, horizon)
                                                      : predict_solids(other, course, from, horizon);
}

}  // namespace

World::Run::Run(WorldProblem problem) : scene_(std::move(problem)), neighbours_(balls_of(scene_)) {
  const std::size_t n = scene_.problem.bodies.size();
  spin_ended_.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i)
    courses_.push_back(scene_.fixed_course(i));
  audit_ = Audit(scene_, courses_);  // with the velocities as they are given
  for (std::size_t i = 0; i < n; ++i)
    if (scene_.movable(i)) courses_[i] = first_course(i);
  start();
  if (scene_.problem.stop == StopAt::rest && at_rest()) verdict_ = WorldVerdict::rest;
  if (!verdict_ && scene_.problem.regularized && scene_.problem.regularized->impacts) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < n; ++i)
      if (scene_.movable(i)) all.push_back(i);
    if (!all.empty()) press(all);
  }
}

void World::Run::start() {
  const std::size_t n = courses_.size();
  stamps_.assign(n, 0);
  begun_.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (!scene_.movable(i) || pressed_.holds(i) || gone(i)) continue;
    Vector3d position, velocity;
    courses_[i].centre(time_ - courses_[i].start, position, velocity);
    neighbours_.set_home(i, position);
    begun_[i] = 1;
  }
  for (std::size_t i = 0; i < n; ++i)
    if (scene_.movable(i) && !pressed_.holds(i) && !gone(i)) predict(i);
  std::fill(begun_.begin(), begun_.end(), 0);
}

/// A ball that lies on a plane, is pressed on it and does not leave it, is there from the start.
Course World::Run::first_course(std::size_t body) {
  const Body& ball = scene_.problem.bodies[body].body;
  if (scene_.arms[body]) return scene_.free_course(body, 0.0, ball);
  if (const std::size_t plane = scene_.held[body]; plane != none) {
    const double across = ball.velocity.dot(scene_.planes[plane].axis);
    audit_.support_loss.add(0.5 * ball.mass * across * across);
    audit_.impulse(-ball.mass * across * scene_.planes[plane].axis);
    return scene_.course_on(body, plane, 0.0, ball);
  }
  for (std::size_t k = 0; k < scene_.planes.size() && scene_.is_ball(body); ++k) {
    const double gap = gap_between(ball.position, scene_.radius[body], scene_.planes[k]).gap;
    // Along an incline a velocity can only be given with rounding.
    const double rounding =
        ball_rest_share * (ball.velocity.norm() + scene_.radius[body] * ball.angular_velocity.norm());
    if (std::abs(gap) <= scene_.problem.touch_tolerance * scene_.radius[body] && scene_.pressing(k) > 0.0 &&
        std::abs(ball.velocity.dot(scene_.planes[k].axis)) <= rounding)
      return scene_.course_on(body, k, 0.0, ball);
  }
  return scene_.free_course(body, 0.0, ball);
}

bool World::Run::at_rest() const {
  for (std::size_t i = 0; i < courses_.size(); ++i) {
    const WorldBodyState state = courses_[i].state;
    if (state == WorldBodyState::immovable || state == WorldBodyState::rests || state == WorldBodyState::pocketed)
      continue;
    if (state != WorldBodyState::spins || courses_[i].end < never) return false;
  }
  return true;
}

bool World::Run::valid(const Entry& entry) const {
  if (entry.kind == EntryKind::change || entry.kind == EntryKind::tick) return entry.stamp == tick_stamp_;
  if (entry.stamp != stamps_[entry.body]) return false;
  const bool other =
      (entry.kind == EntryKind::touch || entry.kind == EntryKind::search) && entry.partner.kind == PartnerKind::body;
  return !other || entry.partner_stamp == stamps_[entry.partner.index];
}

void World::Run::predict(std::size_t body, const Partner& partner, double from) {
  if (partner.kind == PartnerKind::body && gone(partner.index)) return;
  if (partner.kind == PartnerKind::body && pressed_.holds(partner.index)) return;  // press_those_near looks after it
  const double horizon = scene_.problem.end_time;
  const Prediction next = predict_pair(scene_, body, partner, courses_, from, horizon);
  if (!(next.span < never)) return;
  Entry entry;
  entry.kind = next.touches ? EntryKind::touch : EntryKind::search;
  entry.base = next.base;
  entry.span = next.span;
  entry.time = std::max(next.base + next.span, time_);
  entry.body = body;
  entry.partner = partner;
  if (partner.kind == PartnerKind::body && partner.index < body) std::swap(entry.body, entry.partner.index);
  entry.stamp = stamps_[entry.body];
  if (partner.kind == PartnerKind::body) entry.partner_stamp = stamps_[entry.partner.index];
  queue_.push(entry);
}

/// Everything that can come next for a body whose course is new. Of two new ones the pair is looked at once.
void World::Run::predict(std::size_t body) {
  const Course& course = courses_[body];
  const auto alone = [&](EntryKind kind, double span) {
    if (!(course.start + span <= scene_.problem.end_time)) return;
    Entry entry;
    entry.kind = kind;
    entry.time = std::max(course.start + span, time_);
    entry.body = body;
    entry.stamp = stamps_[body];
    queue_.push(entry);
  };
  alone(EntryKind::state_end, course.end);
  if (course.spin_end < course.end && spin_ended_[body] == 0) alone(EntryKind::spin_end, course.spin_end);
  for (std::size_t k = 0; k < scene_.planes.size(); ++k)
    if (course.plane != k && scene_.held[body] != k) predict(body, {PartnerKind::plane, k}, 0.0);
  for (std::size_t k = 0; k < scene_.tubes.size(); ++k) predict(body, {PartnerKind::tube, k}, 0.0);
  for (std::size_t k = 0; k < scene_.cushions.size(); ++k) predict(body, {PartnerKind::cushion, k}, 0.0);
  if (course.plane != none)
    for (const std::size_t k : scene_.pockets_of[course.plane]) await_fall(body, k, 0.0);
  neighbours_.each(body, [&](std::size_t other) {
    if (begun_[other] != 0 && scene_.rank[other] < scene_.rank[body]) return;
    predict(body, {PartnerKind::body, other}, 0.0);
  });
  Vector3d position, velocity;
  course.centre(time_ - course.start, position, velocity);
  settle_in(body, position);
}

/// When the body may have left the surroundings of its home.
void World::Run::settle_in(std::size_t body, const Vector3d& position) {
  const double slack = neighbours_.slack(body);
  const Course& course = courses_[body];
  if (!neighbours_.keeps() || !course.moves()) return;
  Vector3d now, velocity;
  course.centre(time_ - course.start, now, velocity);
  const double speed = velocity.norm(), room = slack - (position - neighbours_.home(body)).norm();
  const double bound = course.acceleration_bound;
  const double span = 2.0 * room / (speed + std::sqrt(speed * speed + 2.0 * bound * room));
  if (!(time_ + span <= scene_.problem.end_time)) return;
  Entry entry;
  entry.kind = EntryKind::home;
  entry.time = time_ + span;
  entry.body = body;
  entry.stamp = stamps_[body];
  queue_.push(entry);
}

void World::Run::move_house(std::size_t body) {
  Vector3d position, velocity;
  courses_[body].centre(time_ - courses_[body].start, position, velocity);
  const Vector3d old = neighbours_.home(body);
  const double old_slack = neighbours_.slack(body);
  neighbours_.next_home(body, position);
  neighbours_.each(body, [&](std::size_t other) {
    if (!neighbours_.near(body, old, old_slack, other)) predict(body, {PartnerKind::body, other}, 0.0);
  });
  settle_in(body, position);
}

void World::Run::begin(std::size_t body, Course course) {
  courses_[body] = std::move(course);
  ++stamps_[body];
  spin_ended_[body] = 0;
  neighbours_.set_home(body, courses_[body].body.position);
  if (!pressed_.empty()) renewed_.push_back(body);
}

void World::Run::end_state(std::size_t body, WorldEvent& event) {
  const Course& course = courses_[body];
  if (course.settling() != nullptr) return settle(body, event);
  const Body last = std::get<BallOnPlane>(course.detail).last();
  audit_.follow(scene_, body, course, course.end, last);
  Course next = scene_.course_on(body, course.plane, course.start + course.end, last);
  next.speed_noise = course.speed_noise;
  event.type = next.state == WorldBodyState::rolls   ? WorldEventType::rolls
               : next.state == WorldBodyState::spins ? WorldEventType::spins
                                                     : WorldEventType::rests;
  begin(body, std::move(next));
  predict(body);
}

void World::Run::settle(std::size_t body, WorldEvent& event) {
  const Course course = courses_[body];
  const Settling& settling = *course.settling();
  Body now = course.at(settling.span);
  audit_.follow(scene_, body, course, settling.span, now);
  const double before = kinetic(now);
  audit_.impulse(now.mass * (settling.velocity_after - now.velocity));
  now.velocity = settling.velocity_after;
  now.angular_velocity = settling.angular_velocity_after;
  audit_.friction_loss.add(before - kinetic(now));
  Course next = scene_.course_on(body, course.plane, course.start + settling.span, now);
  next.speed_noise = course.speed_noise;
  event.type = WorldEventType::settles;
  event.impulse = settling.impulse;
  event.state = next.state;
  begin(body, std::move(next));
  predict(body);
}

/// Groups struck at one instant come in the order of their least bodies, which only those who gather them know.
/// @param entry  taken from the queue
/// @return       whether it had to be put back, since there are others
bool World::Run::rank_ties(const Entry& entry) {
  const auto tied = [&] {
    return !queue_.empty() && queue_.first().time == entry.time && queue_.first().kind == EntryKind::touch &&
           !queue_.first().ranked;
  };
  std::vector<Entry> all;
  for (; tied(); queue_.pop())
    if (valid(queue_.first())) all.push_back(queue_.first());
  if (all.empty()) return false;
  all.push_back(entry);
  for (Entry& each : all) {
    const Group group = gather(each);
    each.least = *std::min_element(group.bodies.begin(), group.bodies.end());
    each.ranked = true;
    queue_.push(each);
  }
  return true;
}

bool World::Run::step(double until, WorldEvent& event) {
  if (!(until >= time_))
    throw InvalidInput("until", "must be >= " + number_text(time_) + ", got " + number_text(until));
  const double end = std::min(until, scene_.problem.end_time);
  while (!verdict_) {
    if (queue_.empty() || queue_.first().time > end) {
      time_ = std::max(time_, end);
      if (time_ >= scene_.problem.end_time) verdict_ = WorldVerdict::time;
      return false;
    }
    const Entry entry = queue_.first();
    queue_.pop();
    if (!valid(entry)) continue;
    time_ = std::max(time_, entry.time);
    if (entry.kind == EntryKind::touch && !entry.ranked && rank_ties(entry)) continue;
    if (entry.kind == EntryKind::home) {
      move_house(entry.body);
      continue;
    }
    if (entry.kind == EntryKind::search) {
      if (++searches_ > most_searches) {
        verdict_ = WorldVerdict::event_limit;
        return false;
      }
      if (entry.over_pocket)
        await_fall(entry.body, entry.partner.index, entry.span);
      else
        predict(entry.body, entry.partner, entry.span);
      continue;
    }
    if (entry.kind == EntryKind::state_end && courses_[entry.body].in_air() != nullptr) {
      fly_on(entry.body);
      continue;
    }
    if (entry.kind == EntryKind::tick) {
      end_tick();
      press_those_near(std::exchange(renewed_, {}));
      continue;
    }
    event = WorldEvent{};
    event.time = time_;
    if (entry.kind == EntryKind::change) {
      tell(pressed_.changes()[entry.body], event);
      changes_told_ = entry.body + 1;
    } else if (entry.kind == EntryKind::fall) {
      fall(entry.body, entry.partner.index, entry.span, event);
    } else if (const auto pocket = entry.kind == EntryKind::touch ? landing_pocket(entry) : std::nullopt) {
      fall(entry.body, *pocket, span_of(entry.body, entry), event);
    } else if (entry.kind == EntryKind::touch) {
      const Struck struck = strike(entry, event);
      if (struck == Struck::without_answer) return false;
      if (struck == Struck::not_at_all) {
        if (++searches_ > most_searches) verdict_ = WorldVerdict::event_limit;
        press_those_near(std::exchange(renewed_, {}));
        continue;
      }
    } else {
      event.bodies = {entry.body};
      if (entry.kind == EntryKind::spin_end) {
        event.type = WorldEventType::spin_ends;
        spin_ended_[entry.body] = 1;
      } else {
        end_state(entry.body, event);
      }
    }
    searches_ = idle_strikes_ = 0;
    ++events_;
    if (!verdict_) press_those_near(std::exchange(renewed_, {}));
    queue_.tidy([this](const Entry& e) { return valid(e); });
    if (!verdict_ && events_ >= scene_.problem.max_events) verdict_ = WorldVerdict::event_limit;
    if (!verdict_ && scene_.problem.stop == StopAt::rest && at_rest()) verdict_ = WorldVerdict::rest;
    return true;
  }
  return false;
}

void World::Run::look_ahead() {
  for (Course& course : courses_)
    if (auto* ball = std::get_if<BallOnPlane>(&course.detail))
      ball->look_ahead_from(std::min(time_ - course.start, course.end));
}

WorldBodyAt World::Run::body(std::size_t index) const {
  if (index >= courses_.size()) throw InvalidInput("index", "there is no such body");
  return {now(index), courses_[index].state};
}

WorldEnergy World::Run::energy() const {
  Audit now = audit_;
  add_ledger(now);
  CarefulSum moving, potential;
  for (std::size_t i = 0; i < courses_.size(); ++i) {
    if (!scene_.movable(i) || gone(i)) continue;
    const double span = time_ - courses_[i].start;
    const Body ball = this->now(i);
    now.follow(scene_, i, courses_[i], span, ball);
    moving.add(kinetic(ball));
    potential.add(scene_.potential(i, ball));
  }
  WorldEnergy energy;
  energy.start = audit_.energy_start;
  energy.potential_end = potential.total();
  energy.end = moving.total() + energy.potential_end;
  energy.restitution_loss = now.restitution_loss.total();
  energy.friction_loss = now.friction_loss.total();
  energy.support_loss = now.support_loss.total();
  if (scene_.problem.air) energy.air_loss = now.air_loss.total();
  if (!scene_.problem.pockets.empty()) energy.pocketed = now.pocketed.total();
  energy.stored = pressed_.empty() ? 0.0 : pressed_.stored_at(time_);
  energy.residual = energy.start - energy.end - energy.restitution_loss - energy.friction_loss - energy.support_loss -
                    energy.stored - energy.air_loss.value_or(0.0) - energy.pocketed.value_or(0.0);
  return energy;
}

/// With `overflow` once a body is so far or so fast that its energy is no number any more.
Flags World::Run::impact_flags() const {
  Flags flags = impact_flags_;
  if (!std::isfinite(energy().residual)) flags.set(Flag::overflow);
  return flags;
}

std::optional<double> World::Run::momentum_residual() const {
  if (scene_.has_pendulums) return std::nullopt;
  Audit now = audit_;
  add_ledger(now);
  std::array<CarefulSum, 3> momentum;
  for (std::size_t i = 0; i < courses_.size(); ++i) {
    if (!scene_.movable(i)) continue;
    const double span = time_ - courses_[i].start;
    const Body ball = this->now(i);
    now.follow(scene_, i, courses_[i], span, ball);
    for (std::size_t c = 0; c < 3; ++c) momentum[c].add(ball.mass * ball.velocity[static_cast<Eigen::Index>(c)]);
  }
  const Vector3d end(momentum[0].total(), momentum[1].total(), momentum[2].total());
  return (end - audit_.momentum_start - now.external_impulse()).norm();
}

WorldSaved World::Run::save() const {
  WorldSaved saved;
  saved.time = time_;
  saved.events = events_;
  saved.verdict = verdict_;
  saved.energy_start = audit_.energy_start;
  saved.restitution_loss = audit_.restitution_loss;
  saved.friction_loss = audit_.friction_loss;
  saved.support_loss = audit_.support_loss;
  saved.air_loss = audit_.air_loss;
  saved.pocketed = audit_.pocketed;
  saved.momentum_start = audit_.momentum_start;
  saved.external_impulse = audit_.external;
  saved.impact_flags = impact_flags_;
  saved.flags = flags_;
  saved.pressing = pressed_.pressing_at_start();
  saved.changes_told = changes_told_;
  for (std::size_t i = 0; i < courses_.size(); ++i) {
    const Course& course = courses_[i];
    WorldSaved::Moving moving;
    moving.start = course.start;
    moving.body = course.body;
    moving.state = course.state;
    if (course.plane != none) moving.plane = course.plane;
    moving.speed_noise = course.speed_noise;
    moving.carried_until = course.carried_until;
    moving.spin_ended = spin_ended_[i] != 0;
    if (const Settling* settling = course.settling()) {
      moving.settling_span = settling->span;
      moving.velocity_after = settling->velocity_after;
      moving.angular_velocity_after = settling->angular_velocity_after;
      moving.settling_impulse = settling->impulse;
    }
    saved.bodies.push_back(moving);
  }
  return saved;
}

World::Run::Run(WorldProblem problem, const WorldSaved& saved)
    : scene_(std::move(problem)),
      neighbours_(balls_of(scene_)),
      time_(saved.time),
      events_(saved.events),
      verdict_(saved.verdict),
      impact_flags_(saved.impact_flags),
      flags_(saved.flags) {
  const auto refuse = [](const char* why) { throw InvalidInput("saved", why); };
  const std::size_t n = scene_.problem.bodies.size();
  if (saved.bodies.size() != n) refuse("has another number of bodies than the problem");
  if (!(saved.time >= 0.0 && saved.time <= scene_.problem.end_time))
    refuse("its time is not within that of the problem");
  std::vector<std::size_t> pressed;
  std::vector<Body> begun;
  for (std::size_t i = 0; i < n; ++i) {
    const WorldSaved::Moving& moving = saved.bodies[i];
    const bool swings = moving.state == WorldBodyState::swings, moves = moving.state != WorldBodyState::immovable;
    if (moves != scene_.movable(i) || swings != scene_.arms[i].has_value())
      refuse("its bodies are not those of the problem");
    if (!(moving.start <= saved.time)) refuse("a body starts later than its time");
    if (moving.plane && *moving.plane >= scene_.planes.size()) refuse("a body lies on a plane that is not there");
    Course course;
    if (!moves)
      course = scene_.fixed_course(i);
    else if (moving.state == WorldBodyState::pocketed)
      course = pocketed_course(moving.start, moving.body, scene_.radius[i]);
    else if (moving.state == WorldBodyState::pressed)
      course = scene_.pressed_course(i, moving.start, moving.body);
    else if (moving.state == WorldBodyState::settling)
      course = scene_.settling_course(
          i, moving.start, moving.body, moving.plane.value_or(0),
          {moving.settling_span, moving.velocity_after, moving.angular_velocity_after, moving.settling_impulse});
    else
      course = moving.plane ? scene_.course_on(i, *moving.plane, moving.start, moving.body)
                            : scene_.free_course(i, moving.start, moving.body);
    if (moving.state == WorldBodyState::pressed) {
      if (!scene_.problem.regularized) refuse("it has forces over time, the problem has not");
      pressed.push_back(i);
      begun.push_back(moving.body);
    }
    course.speed_noise = moving.speed_noise;
    course.carried_until = moving.carried_until;
    courses_.push_back(std::move(course));
    spin_ended_.push_back(moving.spin_ended);
  }
  audit_.energy_start = saved.energy_start;
  audit_.restitution_loss = saved.restitution_loss;
  audit_.friction_loss = saved.friction_loss;
  audit_.support_loss = saved.support_loss;
  audit_.air_loss = saved.air_loss;
  audit_.pocketed = saved.pocketed;
  audit_.momentum_start = saved.momentum_start;
  audit_.external = saved.external_impulse;
  if (!pressed.empty()) {
    const double tick_start = courses_[pressed.front()].start;
    pressed_.begin(scene_, tick_start, std::min(tick_start + scene_.problem.regularized->tick, scene_.problem.end_time),
                   pressed, begun, saved.pressing);
    changes_told_ = saved.changes_told;
    await_changes();
  }
  start();
}

}  // namespace carom
