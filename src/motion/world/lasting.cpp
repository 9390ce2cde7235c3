// Contacts that last, in the loop of a scene: who goes over to forces over time, and who comes back.
#include <algorithm>

#include "run.hpp"

namespace carom {

using namespace world;

Body World::Run::now(std::size_t body) const {
  if (pressed_.holds(body)) return pressed_.body_at(time_, body);
  const Course& course = courses_[body];
  return course.state == WorldBodyState::immovable ? course.body : course.at(time_ - course.start);
}

/// What contacts took in the present tick until now.
void World::Run::add_ledger(Audit& audit) const {
  if (pressed_.empty()) return;
  const stepping::Ledger ledger = pressed_.ledger_at(time_);
  audit.restitution_loss.add(ledger.normal_loss);
  audit.friction_loss.add(ledger.friction_loss);
  double mass = 0.0;
  for (const std::size_t body : pressed_.bodies()) mass += scene_.problem.bodies[body].body.mass;
  audit.impulse(ledger.impulse + mass * (time_ - pressed_.start()) * scene_.problem.gravity);
}

/// These go over to forces over time now, with those who have them already.
void World::Run::press(const std::vector<std::size_t>& more) {
  add_ledger(audit_);
  std::vector<std::size_t> bodies = pressed_.bodies();
  for (const std::size_t body : more) {
    if (pressed_.holds(body)) continue;
    const double span = time_ - courses_[body].start;
    audit_.follow(scene_, body, courses_[body], span, courses_[body].at(span));
    bodies.push_back(body);
  }
  std::sort(bodies.begin(), bodies.end());
  std::vector<Body> states;
  for (const std::size_t body : bodies) states.push_back(now(body));
  std::vector<Pressed::Pressing> pressing;
  if (!pressed_.empty()) pressing = pressed_.pressing_at(time_);
  flags_.set(WorldFlag::regularized);
  begin_tick(std::move(bodies), states, pressing);
}

/// Those with new courses who may meet one with forces over time before its tick ends.
void World::Run::press_those_near(const std::vector<std::size_t>& renewed) {
  std::vector<std::size_t> near;
  for (const std::size_t body : renewed)
    if (!pressed_.empty() && !pressed_.holds(body) && pressed_.near(courses_[body], time_)) near.push_back(body);
  if (!near.empty()) press(near);
}

void World::Run::begin_tick(std::vector<std::size_t> bodies, const std::vector<Body>& states,
                            const std::vector<Pressed::Pressing>& pressing) {
  ++tick_stamp_;
  changes_told_ = 0;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    courses_[bodies[k]] = scene_.pressed_course(bodies[k], time_, states[k]);
    ++stamps_[bodies[k]];
    neighbours_.set_home(bodies[k], states[k].position);
  }
  const double end = std::min(time_ + scene_.problem.regularized->tick, scene_.problem.end_time);
  if (!pressed_.begin(scene_, time_, end, bodies, states, pressing)) {
    verdict_ = WorldVerdict::event_limit;
    return;
  }
  if (pressed_.collides(scene_)) {
    verdict_ = WorldVerdict::zeno;
    flags_.set(WorldFlag::sustained_contact);
    return;
  }
  std::vector<std::size_t> near;
  for (std::size_t i = 0; i < courses_.size(); ++i)
    if (scene_.movable(i) && !pressed_.holds(i) && pressed_.near(courses_[i], time_)) near.push_back(i);
  if (near.empty())
    await_changes();
  else
    press(near);
}

void World::Run::await_changes() {
  Entry entry;
  entry.stamp = tick_stamp_;
  entry.kind = EntryKind::change;
  for (std::size_t k = changes_told_; k < pressed_.changes().size(); ++k) {
    entry.body = k;
    entry.time = std::max(pressed_.changes()[k].time, time_);
    queue_.push(entry);
  }
  entry.kind = EntryKind::tick;
  entry.body = 0;
  entry.time = std::max(pressed_.end(), time_);
  queue_.push(entry);
}

/// Who touches nothing any more flies again, by the exact rules; unless every contact is to have forces.
void World::Run::end_tick() {
  if (!(time_ < scene_.problem.end_time)) return;
  add_ledger(audit_);
  const std::vector<Pressed::Pressing> pressing = pressed_.pressing_at(time_);
  const bool all = scene_.problem.regularized->impacts;
  std::vector<std::size_t> stay, leave;
  std::vector<Body> staying, leaving;
  for (const std::size_t body : pressed_.bodies()) {
    const bool touches = all || std::any_of(pressing.begin(), pressing.end(), [&](const Pressed::Pressing& each) {
                           return each.body == body || each.partner == Partner{PartnerKind::body, body};
                         });
    (touches ? stay : leave).push_back(body);
    (touches ? staying : leaving).push_back(now(body));
  }
  pressed_.clear();
  for (std::size_t k = 0; k < leave.size(); ++k) begin(leave[k], scene_.free_course(leave[k], time_, leaving[k]));
  if (!stay.empty()) begin_tick(std::move(stay), staying, pressing);
  std::erase_if(leave, [&](std::size_t body) { return pressed_.holds(body); });
  for (const std::size_t body : leave) begun_[body] = 1;
  for (const std::size_t body : leave) predict(body);
  for (const std::size_t body : leave) begun_[body] = 0;
}

void World::Run::tell(const Pressed::Change& change, WorldEvent& event) {
  event.type = change.touching ? WorldEventType::presses : WorldEventType::lifts;
  event.speed = change.speed;
  event.bodies = {change.body};
  WorldContact contact;
  contact.first = change.body;
  contact.second = change.partner;
  contact.point = change.point;
  contact.normal = change.normal;
  if (change.partner.kind == PartnerKind::body) {
    if (scene_.movable(change.partner.index)) event.bodies.push_back(change.partner.index);
    if (change.partner.index < change.body) {
      std::swap(contact.first, contact.second.index);
      contact.normal = -contact.normal;
    }
  }
  event.contacts = {contact};
}

}  // namespace carom
