// What collides, in a row of a 3-D impact model: W and v in contact axes, or two bodies and a contact in world axes.
#pragma once

#include <optional>
#include <vector>

#include "carom/core/contact_space.hpp"

#include "solve_impact.hpp"
#include "spatial_parts.hpp"

namespace carom::scenario {

/// A body of a row: `"immovable"`, or mass, inertia (world axes) or principal moments with orientation, and motion.
Type<Body> row_body();

/// The fields of a row that say what collides; a model's row derives from it.
struct PairRow {
  std::optional<Eigen::Matrix3d> w;
  std::optional<Eigen::Vector3d> v;
  std::optional<std::vector<Body>> bodies;
  std::optional<Contact> contact;
};

/// `W` with `v`, or `bodies` with `contact`, not both.
void check_pair(const PairRow& row, const Value& object, const Path& path, Mistakes& mistakes);
/// One of the bodies can move.
void check_bodies(const PairRow& row, const Value& object, const Path& path, Mistakes& mistakes);
/// The bodies make a contact space.
void check_space(const PairRow& row, const Value& object, const Path& path, Mistakes& mistakes);

template <class Row>
void add_pair_fields(Fields<Row>& fields) {
  const auto member = []<class M>(std::optional<M> PairRow::*m) { return static_cast<std::optional<M> Row::*>(m); };
  fields.optional("W", member(&PairRow::w), inverse_inertia<3>(), "inverse inertia [1/kg], axes (t1, t2, n)")
      .optional("v", member(&PairRow::v), vector<3>(), "velocity of A relative to B [m/s], (t1, t2, n)")
      .optional("bodies", member(&PairRow::bodies), list_of(row_body(), 2, 2), "A and B")
      .optional("contact", member(&PairRow::contact), spatial_contact(), "where they touch")
      .check({}, check_pair)
      .late_check({"bodies"}, check_bodies)
      .late_check({"bodies", "contact"}, check_space);
}

/// The contact space of a row, and how to answer in the axes the row was asked in.
class Pair {
public:
  explicit Pair(const PairRow& row);
  const ContactSpace& space() const { return space_; }
  /// From contact axes to those of the answer: world axes with bodies, unchanged without.
  Eigen::Vector3d out(const Eigen::Vector3d& v) const { return frame_ * v; }
  /// With bodies, the ledger's energies become theirs, and the bodies move on after the impulse. Flags what does not
  /// come out: `overflow`, or `ill_conditioned` where the ledger of the bodies does not close.
  void finish(const Eigen::Vector3d& impulse, EnergyLedger& energy, Flags& flags);
  const std::vector<Body>& bodies() const { return bodies_; }

private:
  ContactSpace space_;
  Eigen::Matrix3d frame_ = Eigen::Matrix3d::Identity();
  Contact contact_;
  std::vector<Body> bodies_;
};

/// The velocities of the bodies; null for an immovable one.
void write_bodies_after(JsonWriter& json, const std::vector<Body>& bodies);

/// The members of an answer that every 3-D impact model has.
template <class Impact>
void write_impact(JsonWriter& json, Impact impact, Pair pair) {
  pair.finish(impact.impulse, impact.energy, impact.flags);
  const auto out = [&](const Eigen::Vector3d& v) { return pair.out(v); };
  json.key("verdict"), json.text(name(impact.verdict));
  json.key("impulse"), number_array(json, out(impact.impulse));
  json.key("velocity_after"), number_array(json, out(impact.velocity_after));
  if (!pair.bodies().empty()) write_bodies_after(json, pair.bodies());
  write_events(json, impact.events, out);
  write_energy(json, impact.energy);
  write_flags(json, impact.flags);
}

}  // namespace carom::scenario
