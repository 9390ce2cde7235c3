#include "carom/impact/simultaneous.hpp"

#include <limits>

#include "carom/core/contact_graph.hpp"

#include "pair.hpp"
#include "parts/impact.hpp"

namespace carom::scenario {

namespace {

using Problem = SimultaneousProblem;

constexpr std::size_t most_bodies = 100'000;

/// Two numbers of bodies.
Type<PairContact> contact_pair() {
  const auto plain = list_of(integer(0, static_cast<int>(most_bodies)), 2, 2);
  return custom<PairContact>(
      [plain](const Value& value, const Path& path, Mistakes& mistakes, PairContact& out) {
        std::vector<int> bodies;
        if (!plain.read(value, path, mistakes, bodies)) return false;
        out.first = static_cast<std::size_t>(bodies[0]);
        out.second = static_cast<std::size_t>(bodies[1]);
        return true;
      },
      plain.json_schema());
}

Type<SpringContact> contact() {
  using C = SpringContact;
  Fields<C> fields;
  fields
      .required(
          "bodies", [](C& c) -> PairContact& { return c; }, contact_pair(), "the two bodies, i and j")
      .required("point", &C::point, vector<3>(), "where they touch [m]")
      .required("normal", &C::normal, unit_vector<3>(), "unit vector from body j into body i")
      .optional("stiffness", &C::stiffness, number(Range::positive()), "relative to the others")
      .optional("exponent", &C::exponent, spring_exponent(), "1 (linear) or 1.5 (Hertz)")
      .required(
          "e", [](C& c) -> double& { return c.material.restitution; }, number(Range::between(0.0, 1.0)),
          "coefficient of restitution")
      .called({"restitution"})
      .optional(
          "mu", [](C& c) -> double& { return c.material.friction; }, number(Range::at_least(0.0)),
          "friction coefficient")
      .called({"friction"})
      .optional("eta0", &C::eta0, number(Range::positive()), "tangential springs; absent: rigid Coulomb");
  return object(fields);
}

/// In longer lists with bad bodies the contacts are not looked at: a bad one may be two bytes long, a Body is not.
constexpr std::size_t most_bad_bodies = 1000;

const Fields<Problem>& problem();

/// What the graph of contacts has against the part of the row that can be read.
void check_graph(const Problem&, const Value& object, const Path& path, Mistakes& mistakes) {
  const Value* list = object.find("bodies");
  if (list == nullptr || list->kind() != Value::Kind::list) return;
  std::vector<Body> bodies;
  const Type<Body> body_type = row_body();
  for (const Value& item : list->items()) {
    Mistakes scratch(Mistakes::Of::row);
    scratch.thorough = true;
    Body body;
    if (!body_type.read(item, {}, scratch, body)) {
      if (list->size() > most_bad_bodies) return;
      body = Body{};  // its number counts all the same
    }
    bodies.push_back(body);
  }
  const Value* all = object.find("contacts");
  const std::vector<SpringContact> good = good_part(all, contact());
  std::vector<PairContact> contacts(good.begin(), good.end());
  look_for(*problem().format(), object, path, mistakes, [&] { ContactGraph(bodies, contacts); });
  if (all == nullptr || good.size() == all->size()) return;
  // Of the first contact that cannot be read, at least whom it is between.
  std::size_t k = 0;
  for (const Value& item : all->items()) {
    if (k++ < good.size()) continue;
    Mistakes scratch(Mistakes::Of::row);
    PairContact only;
    const Value* pair = item.find("bodies");
    if (pair == nullptr || !contact_pair().read(*pair, {}, scratch, only)) return;
    contacts = {only};
    try {
      ContactGraph(bodies, contacts);
    } catch (const InvalidInput& error) {
      if (error.field() == "contacts[0].bodies") {
        const Path list_path = path.at("contacts"), contact_path = list_path.at(static_cast<int>(k - 1));
        mistakes.add(contact_path.at("bodies"), pair->place(), error.message());
      }
    }
    return;
  }
}

const Fields<Problem>& problem() {
  static const Fields<Problem> all = [] {
    Fields<Problem> fields = row_fields<Problem>();
    fields.required("bodies", &Problem::bodies, list_of(row_body(), 1, most_bodies), "all bodies")
        .required("contacts", &Problem::contacts, list_of(contact(), 0, most_bodies), "all contacts")
        .optional("tolerance", &Problem::tolerance, number(Range::between(1e-14, 1e-2)),
                  "relative error of the final velocities")
        .late_check({}, check_graph);
    return fields;
  }();
  return all;
}

Type<ContactOutcome> contact_outcome() {
  using C = ContactOutcome;
  Fields<C> fields;
  fields.required("impulse", &C::impulse, vector<3>(), "on body i, world axes [N s]")
      .required("compressions", &C::compressions, integer(0, std::numeric_limits<int>::max()),
                "how often it was loaded")
      .required("restitution_loss", &C::restitution_loss, number(), "[J]")
      .required("friction_loss", &C::friction_loss, number(), "[J]");
  return object(fields);
}

Type<SimultaneousEvent> event() {
  using Event = SimultaneousEvent;
  Fields<Event> fields;
  fields.required("type", &Event::type, choice<EventType>(), "what happens")
      .required("contact", &Event::contact, index(), "where, by its number in the row")
      .required("time", &Event::time, number(), "from first touch, in time units")
      .required("impulse", &Event::impulse, vector<3>(), "so far, on body i, world axes [N s]");
  return object(fields);
}

Fields<SimultaneousImpact> result() {
  using Impact = SimultaneousImpact;
  Fields<Impact> fields;
  fields.required("verdict", &Impact::verdict, choice<Verdict>(), "what came of it")
      .required("bodies", &Impact::bodies, list_of(row_body_after()), "their velocities after")
      .required("contacts", &Impact::contacts, list_of(contact_outcome()), "what each contact did")
      .required("energy", &Impact::energy, energy_ledger(), "of the bodies")
      .required("events", &Impact::events, list_of(event()), "in order of time")
      .required("flags", &Impact::flags, flag_names<Flag>(), "what to know beside");
  return fields;
}

}  // namespace

RowModel simultaneous_rows() { return row_model("simultaneous", problem(), simultaneous_impact, result()); }

}  // namespace carom::scenario
