// What collides, in a row of a 3-D impact model: W and v in contact axes, or two bodies and a contact in world axes.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "carom/core/contact_space.hpp"
#include "carom/impact/collide.hpp"
#include "carom/impact/impact_class.hpp"

#include "impact.hpp"
#include "parts/spatial.hpp"

namespace carom::scenario {

/// A body of a row: `"immovable"`, or mass, inertia (world axes) or principal moments with orientation, and motion.
/// (In files and in C++ the inertia of a body is in body axes: a row's body has no orientation unless it says so.)
Type<Body> row_body();
/// A body of an answer: its velocities, null for an immovable one.
Type<Body> row_body_after();

/// The fields of a row that say what collides; a model's row derives from it.
struct PairRow {
  std::optional<Eigen::Matrix3d> w;
  std::optional<Eigen::Vector3d> v;
  std::optional<std::vector<Body>> bodies;
  std::optional<Contact> contact;
  int path = 0;  ///< see add_path; models that have one add it
};

/// `W` with `v`, or `bodies` with `contact`, not both.
void check_pair(const PairRow& row, const Value& object, const Path& path, Mistakes& mistakes);
/// One of the bodies can move.
void check_bodies(const PairRow& row, const Value& object, const Path& path, Mistakes& mistakes);
/// The bodies make a contact space.
void check_space(const PairRow& row, const Value& object, const Path& path, Mistakes& mistakes);

template <class Row>
void add_pair_fields(Fields<Row>& fields) {
  fields.optional("W", &Row::w, inverse_inertia<3>(), "inverse inertia [1/kg], axes (t1, t2, n)")
      .called({"inverse_inertia"})
      .optional("v", &Row::v, vector<3>(), "velocity of A relative to B [m/s], (t1, t2, n)")
      .called({"velocity"})
      .optional("bodies", &Row::bodies, list_of(row_body(), 2, 2), "A and B")
      .called({"inverse_inertia", "velocity"})
      .optional("contact", &Row::contact, spatial_contact(), "where they touch")
      .check({}, check_pair)
      .late_check({"bodies"}, check_bodies)
      .late_check({"bodies", "contact"}, check_space);
}

/// What an impact did, in the axes the row was asked in, the bodies after it if it has any, and its path if asked for.
template <class Impact, class Point = PathPoint<3>>
struct PairAnswer : Impact {
  std::optional<std::vector<Body>> bodies;
  ImpactClass impact_class = ImpactClass::direct;
  std::optional<std::vector<Point>> path;
};

/// Turns the vectors of a point of the path. (A point with vectors of its own overloads this.)
inline void turn(PathPoint<3>& point, const Eigen::Matrix3d& frame) {
  point.impulse = frame * point.impulse;
  point.velocity = frame * point.velocity;
}

/// The answer of a row: in world axes with bodies, in contact axes without.
/// @param of_bodies  (a, b, contact) -> Collision
/// @param of_space   contact space -> impact
/// @param of_path    (contact space, number of points) -> points of the process
template <class OfBodies, class OfSpace, class OfPath>
auto pair_answer(const PairRow& row, const OfBodies& of_bodies, const OfSpace& of_space, const OfPath& of_path) {
  using Impact = std::invoke_result_t<OfSpace, const ContactSpace&>;
  using Points = std::invoke_result_t<OfPath, const ContactSpace&, int>;
  PairAnswer<Impact, typename Points::value_type> answer;
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();
  ContactSpace space;
  if (row.bodies) {
    const Body &a = (*row.bodies)[0], &b = (*row.bodies)[1];
    auto collision = of_bodies(a, b, *row.contact);
    static_cast<Impact&>(answer) = std::move(collision.impact);
    answer.bodies = {collision.a, collision.b};
    frame = contact_frame(*row.contact);
    space = contact_space(a, b, *row.contact);
  } else {
    space = {*row.w, *row.v};
    static_cast<Impact&>(answer) = of_space(space);
  }
  answer.impact_class = impact_class(space);
  if (row.path > 0) {
    answer.path = of_path(space, row.path);
    for (auto& point : *answer.path) turn(point, frame);
  }
  answer.impulse = frame * answer.impulse;
  answer.velocity_after = frame * answer.velocity_after;
  for (auto& event : answer.events) {
    event.impulse = frame * event.impulse;
    event.velocity = frame * event.velocity;
  }
  return answer;
}
/// The same of a model without a path.
template <class OfBodies, class OfSpace>
auto pair_answer(const PairRow& row, const OfBodies& of_bodies, const OfSpace& of_space) {
  return pair_answer(row, of_bodies, of_space, [](const ContactSpace&, int) { return std::vector<PathPoint<3>>(); });
}

/// The members of an answer that every 3-D impact model has.
template <class Impact, class Point = PathPoint<3>>
Fields<PairAnswer<Impact, Point>> pair_result() {
  using Answer = PairAnswer<Impact, Point>;
  Fields<Answer> fields;
  fields.required("verdict", &Answer::verdict, choice<Verdict>(), "what came of it")
      .required("impulse", &Answer::impulse, vector<3>(), "on A [N s]")
      .required("velocity_after", &Answer::velocity_after, vector<3>(), "A relative to B [m/s]")
      .optional("bodies", &Answer::bodies, list_of(row_body_after()), "A and B after")
      .required("events", &Answer::events, impact_events<decltype(Answer::events)>(), "in order")
      .required("energy", &Answer::energy, energy_ledger(), "of the bodies, or of the relative motion with W and v")
      .required("class", &Answer::impact_class, choice<ImpactClass>(), "how much of space it takes")
      .required("flags", &Answer::flags, flag_names<Flag>(), "what to know beside");
  return fields;
}

}  // namespace carom::scenario
