// Stretches of flight through the air, and balls that fall into pockets, in the loop of a scene.
#include <algorithm>
#include <utility>

#include "run.hpp"

namespace carom {

using namespace world;

namespace {

/// A stretch through the air takes as long as so many searches.
constexpr std::size_t searches_a_stretch = 64;

}  // namespace

/// The next stretch through the air.
void World::Run::fly_on(std::size_t body) {
  const Course& course = courses_[body];
  const Body last = course.at(course.end);
  audit_.follow(scene_, body, course, course.end, last);
  Course next = scene_.free_course(body, course.start + course.end, last);
  next.speed_noise = course.speed_noise;
  next.carried_until = course.carried_until;
  searches_ += searches_a_stretch;
  if (!(next.end > 0.0) || searches_ > most_searches) verdict_ = WorldVerdict::event_limit;
  begin(body, std::move(next));
  if (!verdict_) predict(body);
}

/// When a ball that runs on a plane comes over a pocket.
void World::Run::await_fall(std::size_t body, std::size_t pocket, double from) {
  const WorldPocket& hole = scene_.problem.pockets[pocket];
  const Prediction next = predict_fall(courses_[body], hole.centre, hole.radius, scene_.planes[hole.plane].axis, from,
                                       scene_.problem.end_time);
  if (!(next.span < never)) return;
  Entry entry;
  entry.kind = next.touches ? EntryKind::fall : EntryKind::search;
  entry.base = next.base;
  entry.span = next.span;
  entry.time = std::max(next.base + next.span, time_);
  entry.body = body;
  entry.partner = {PartnerKind::plane, pocket};
  entry.over_pocket = true;
  entry.stamp = stamps_[body];
  queue_.push(entry);
}

void World::Run::fall(std::size_t body, std::size_t pocket, double span, WorldEvent& event) {
  const Body last = courses_[body].at(span);
  audit_.follow(scene_, body, courses_[body], span, last);
  audit_.pocketed.add(world::energy(scene_, body, last));
  audit_.impulse(-last.mass * last.velocity);
  event.type = WorldEventType::pocketed;
  event.bodies = {body};
  event.pocket = pocket;
  begin(body, pocketed_course(time_, last, scene_.radius[body]));
}

std::optional<std::size_t> World::Run::landing_pocket(const Entry& entry) const {
  if (entry.partner.kind != PartnerKind::plane || scene_.pockets_of[entry.partner.index].empty()) return std::nullopt;
  Vector3d position, velocity;
  courses_[entry.body].centre(span_of(entry.body, entry), position, velocity);
  return scene_.pocket_at(entry.partner.index, position);
}

}  // namespace carom
