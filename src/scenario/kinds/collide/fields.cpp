// What a file of many contacts may say, and the checks of it.
#include <algorithm>
#include <fmt/format.h>

#include "carom/core/contact_graph.hpp"
#include "carom/core/error.hpp"

#include "collide.hpp"
#include "kind.hpp"
#include "parts/impact.hpp"

namespace carom::scenario {

namespace {

constexpr const char* arrangement_keys[] = {"bodies",    "chain",         "cradle", "rack",
                                            "bernoulli", "rocking_block", "groove", "corner"};

Type<CollideMethod> method(bool springs_only) {
  std::vector<std::pair<std::string, CollideMethod>> names;
  for (const auto& [m, called] : names_of<CollideMethod>)
    if (!springs_only || m == CollideMethod::linear || m == CollideMethod::hertz) names.emplace_back(called, m);
  return choice<CollideMethod>(names);
}

/// A body of the list, by name or number.
Type<std::string> body_reference() {
  return custom<std::string>(
      [](const Value& value, const Path& path, Mistakes& mistakes, std::string& out) {
        if (value.kind() != Value::Kind::text && value.kind() != Value::Kind::number)
          return wrong_type("the name of a body, or its number from 0", value, path, mistakes);
        out = value.text();
        return true;
      },
      R"({"anyOf":[{"type":"string"},{"type":"number"}]})");
}

Type<ImpulseSteps> stepping() {
  Fields<ImpulseSteps> fields;
  fields.optional("step", &ImpulseSteps::step, number(Range::positive()), "of the primary normal impulse [N s] (0.001)")
      .optional("start", &ImpulseSteps::start, choice<ImpulseStart>(),
                "root of the start equations: positive (default), or printed, which leaves contacts at rest alone")
      .optional("stick_share", &ImpulseSteps::stick_share, number(Range::at_least(0.0)),
                "a contact that slides more slowly than this share of the fastest approach sticks (0.01)");
  return object(fields);
}

Type<ListedContact> listed_contact() {
  Fields<ListedContact> fields;
  fields.optional("name", &ListedContact::name, text(), "what to call it")
      .required("bodies", &ListedContact::bodies, list_of(body_reference(), 2, 2), "the two bodies that touch")
      .optional("point", &ListedContact::point, vector<3>(), "where [m]; two balls know it themselves")
      .optional("normal", &ListedContact::normal, unit_vector<3>(), "unit vector from the second body into the first")
      .optional("stiffness", &ListedContact::stiffness, number(Range::positive()),
                "k of F = k d^p; only ratios matter (default 1)")
      .optional("material", &ListedContact::material, material(), "instead of the scenario's")
      .optional("springs", &ListedContact::springs, method(true), "linear or hertz, whatever the others have");
  return object(fields);
}

Type<Beside> beside() {
  Fields<Beside> fields;
  fields.required("name", &Beside::name, text(), "where they come from")
      .required("velocities", &Beside::velocities, list_of(number(), 1), "along x, one per body [m/s]");
  return object(fields);
}

Type<OutcomeRange> outcome_range() {
  Fields<OutcomeRange> fields;
  fields
      .required("from", &OutcomeRange::from, number(Range::positive()),
                "least ratio of stiffness, last contact over first")
      .required("to", &OutcomeRange::to, number(Range::positive()), "greatest ratio")
      .optional("steps", &OutcomeRange::steps, integer(2, 1000), "number of ratios (default 81)")
      .check([](const OutcomeRange& m, const Value& object, const Path& path, Mistakes& mistakes) {
        if (!(m.to > m.from)) mistakes.add(path.at("to"), place_of(object, "to"), "must be greater than `from`");
      });
  return object(fields);
}

Type<SlipDiagramAsked> slip_diagram() {
  Fields<StribeckFriction> falling;
  falling.optional("speed", &StribeckFriction::speed, number(Range::positive()), "v_s [m/s] (default 1.4e-4)")
      .optional("exponent", &StribeckFriction::exponent, number(Range::positive()), "a (default 1)");
  Fields<SlipDiagramAsked> fields;
  fields.optional("from", &SlipDiagramAsked::from, number(), "slip after the impact [m/s] (default: what is needed)")
      .optional("to", &SlipDiagramAsked::to, number(), "[m/s]")
      .optional("falling_friction", &SlipDiagramAsked::falling, object(falling),
                "also draw friction that falls from static_friction with slip, exp(-(v/v_s)^a)")
      .check([](const SlipDiagramAsked& d, const Value& object, const Path& path, Mistakes& mistakes) {
        if (d.from && d.to && !(*d.to > *d.from))
          mistakes.add(path.at("to"), place_of(object, "to"), "must be greater than `from`");
      });
  return object(fields);
}

std::optional<Arrangement> checked_arrangement(const CollideScenario& s, const Value& root, const Path& path,
                                               Mistakes& mistakes) {
  std::vector<std::string> given;
  for (const char* key : arrangement_keys)
    if (const Value* value = root.find(key); value != nullptr && !value->is_null()) given.push_back(key);
  if (given.size() != 1) {
    std::string list;
    for (const char* key : arrangement_keys)
      list += (list.empty() ? "`" : ", `") + std::string(key) + "`" + (list.empty() ? " (with `contacts`)" : "");
    mistakes.add(path, root.place(),
                 "needs exactly one of " + list + (given.empty() ? "" : "; got " + given[0] + " and " + given[1]));
    return std::nullopt;
  }
  if (s.contacts.has_value() != s.bodies.has_value()) {
    mistakes.add(path.at("contacts"), place_of(root, "contacts"),
                 s.bodies ? "is required with `bodies`" : "goes with `bodies` only");
    return std::nullopt;
  }
  Arrangement arrangement;
  try {
    arrangement = arrangement_of(s);
    if (s.generator) return arrangement;  // its contacts are right by how they were made
    std::vector<Body> bodies;
    for (const NamedBody& body : arrangement.bodies) bodies.push_back(body.body);
    ContactGraph(bodies, std::vector<PairContact>(arrangement.contacts.begin(), arrangement.contacts.end()));
    const Value* list = root.find("contacts");
    const std::size_t before = mistakes.count();
    std::size_t k = 0;
    if (list != nullptr)
      for (const Value& item : list->items()) {
        const SpringContact& c = arrangement.contacts[k];
        const Path contacts = path.at("contacts"), here = contacts.at(static_cast<int>(k++));
        check_contact_point(arrangement.bodies, c.first, c.second, c.point, &item, here, mistakes);
      }
    if (mistakes.count() > before) return std::nullopt;
    return arrangement;
  } catch (const InvalidInput& error) {
    // "contacts[2].bodies": blame that contact's line and say who touches.
    const std::string& field = error.field();
    const Value* list = root.find(field.substr(0, field.find('[')));
    int line = list != nullptr ? list->place() : root.place();
    std::string message = error.message();
    if (const auto open = field.find('['); list != nullptr && open != std::string::npos) {
      const std::size_t k = std::stoul(field.substr(open + 1));
      std::size_t i = 0;
      for (const Value& item : list->items())
        if (i++ == k) line = item.place();
      if (field.starts_with("contacts") && k < arrangement.contacts.size())
        message += fmt::format(" ('{}' and '{}')", arrangement.bodies[arrangement.contacts[k].first].name,
                               arrangement.bodies[arrangement.contacts[k].second].name);
    }
    mistakes.add(path.at(field), line, message);
    return std::nullopt;
  }
}

void check(const CollideScenario& s, const Value& root, const Path& path, Mistakes& mistakes) {
  const std::optional<Arrangement> arrangement = checked_arrangement(s, root, path, mistakes);
  if (!arrangement) return;
  for (std::size_t k = 0; s.static_friction && k < arrangement->contacts.size(); ++k) {
    const bool own = s.contacts && (*s.contacts)[k].material;
    const double friction = own ? (*s.contacts)[k].material->friction : s.material.friction;
    if (*s.static_friction >= friction) continue;
    mistakes.add(path.at("static_friction"), place_of(root, "static_friction"),
                 fmt::format("must be >= {}material.friction ({})", own ? fmt::format("contacts[{}].", k) : "",
                             number_text(friction)));
    break;
  }
  const bool steps = std::find(s.compare.begin(), s.compare.end(), CollideMethod::impulse_steps) != s.compare.end();
  if (steps && s.eta0)
    mistakes.add(path.at("compare"), place_of(root, "compare"),
                 "impulse_steps knows rigid friction only, and `eta0` is given");
  if (!s.eta0 && std::find(s.compare.begin(), s.compare.end(), CollideMethod::rigid_friction) != s.compare.end())
    mistakes.add(path.at("compare"), place_of(root, "compare"),
                 "rigid_friction goes with `eta0`: without it friction is rigid already");
  if (steps && arrangement->contacts.size() > max_impulse_step_contacts)
    mistakes.add(path.at("compare"), place_of(root, "compare"),
                 fmt::format("impulse_steps is for at most {} contacts, got {}", max_impulse_step_contacts,
                             arrangement->contacts.size()));
  if (s.stepping && !steps)
    mistakes.add(path.at("stepping"), place_of(root, "stepping"), "goes with `compare`: impulse_steps");
  try {
    std::vector<Body> bodies;
    for (const NamedBody& body : arrangement->bodies) bodies.push_back(body.body);
    roll_outs_of(s, *arrangement, bodies, bodies);
  } catch (const InvalidInput& error) {
    mistakes.add(path.at("cloth"), place_of(root, "cloth"), error.message());
  }
  std::vector<bool> seen(arrangement->contacts.size(), false);
  for (const int k : s.order)
    if (k >= 0 && static_cast<std::size_t>(k) < seen.size()) seen[static_cast<std::size_t>(k)] = true;
  if (!s.order.empty() && (s.order.size() != seen.size() || std::count(seen.begin(), seen.end(), false) > 0))
    mistakes.add(path.at("order"), place_of(root, "order"),
                 fmt::format("must name each of the {} contacts once, counted from 0", seen.size()));
  for (std::size_t i = 0; i < s.beside.size(); ++i)
    if (s.beside[i].velocities.size() != arrangement->bodies.size())
      mistakes.add(path.at("beside"), place_of(root, "beside"),
                   fmt::format("'{}' must have one velocity for each of the {} bodies, got {}", s.beside[i].name,
                               arrangement->bodies.size(), s.beside[i].velocities.size()));
  if (s.outcomes) {
    std::size_t moving = 0;
    for (const NamedBody& body : arrangement->bodies) moving += !body.body.immovable;
    if (moving != 1 || !arrangement->planar || arrangement->contacts.size() < 2)
      mistakes.add(path.at("outcomes"), place_of(root, "outcomes"),
                   "is for one moving body with several contacts in a plane: corner, groove or rocking_block");
  }
  if (s.slip_diagram) {
    std::size_t moving = 0;
    for (const NamedBody& body : arrangement->bodies) moving += !body.body.immovable;
    if (moving != 1 || !arrangement->planar || arrangement->contacts.size() != 2)
      mistakes.add(path.at("slip_diagram"), place_of(root, "slip_diagram"),
                   "is for one moving body with two contacts in a plane: corner, groove or rocking_block");
  }
}

}  // namespace

Fields<CollideScenario> collide_fields() {
  Fields<CollideScenario> all;
  using S = CollideScenario;
  all.optional("bodies", &S::bodies, list_of(spatial_body(), 1, 2000), "all bodies, with `contacts`")
      .optional("contacts", &S::contacts, list_of(listed_contact(), 1, 10'000), "all contacts between the bodies")
      .optional("chain", &S::generator, chain_type(), "balls in a row, the first one moving")
      .optional("cradle", &S::generator, cradle_type(), "Newton's cradle at its first collision")
      .optional("rack", &S::generator, rack_type(), "a break shot: nine_ball, triangle_15, or an object with more")
      .optional("bernoulli", &S::generator, bernoulli_type(), "one ball onto two touching ones")
      .optional("rocking_block", &S::generator, rocking_block_type(), "a block falls back on its other edge")
      .optional("groove", &S::generator, groove_type(), "a ball falls into a groove")
      .optional("corner", &S::generator, corner_type(), "a ball strikes floor and wall at once")
      .required("material", &S::material, material(), "of all touching surfaces")
      .optional("static_friction", &S::static_friction, number(Range::at_least(0.0)),
                "of the rigid methods lcp and rodriguez (default: material.friction)")
      .optional("springs", &S::springs, method(true), "force law at the contacts: linear (default) or hertz")
      .optional("eta0", &S::eta0, number(Range::positive()),
                "root of normal over tangential stiffness (default: rigid friction)")
      .optional("compare", &S::compare, list_of(method(false), 1, 7), "methods to set side by side")
      .optional("stepping", &S::stepping, stepping(), "of the method impulse_steps: the text's steps")
      .optional("cloth", &S::cloth, text(),
                "an immovable body on which balls slide until they roll: also says how they roll")
      .optional("order", &S::order, list_of(integer(0, 10'000), 1),
                "of contacts, for `sequential` (default: as listed)")
      .optional("beside", &S::beside, list_of(beside(), 1, 6), "velocities from elsewhere to show beside")
      .optional("outcomes", &S::outcomes, outcome_range(), "all outcomes over the ratio of stiffness")
      .optional("slip_diagram", &S::slip_diagram, slip_diagram(),
                "friction over slip at each contact, with the answers of the rigid methods")
      .optional("view", &S::view, choice<std::array<int, 2>>({{"xy", {0, 1}}, {"xz", {0, 2}}, {"yz", {1, 2}}}),
                "plane of the drawing (default xy, or what suits the arrangement)")
      .optional("tolerance", &S::tolerance, number(Range::between(1e-14, 1e-2)),
                "relative error of the velocities (default 1e-10)")
      .check(check);
  return all;
}

}  // namespace carom::scenario
