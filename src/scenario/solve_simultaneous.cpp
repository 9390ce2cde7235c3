#include "carom/core/contact_graph.hpp"
#include "carom/impact/simultaneous.hpp"

#include "solve_pair.hpp"

namespace carom::scenario {

namespace {

struct ContactRow {
  std::vector<int> bodies;
  Eigen::Vector3d point, normal;
  double stiffness = 1.0, exponent = 1.0, mu = 0.0, e = 1.0;
  std::optional<double> eta0;
};

struct Row {
  std::vector<Body> bodies;
  std::vector<ContactRow> contacts;
  double tolerance = 1e-10;
};

constexpr std::size_t most_bodies = 100'000;

Type<double> exponent() {
  const auto plain = number();
  return {[plain](const Value& value, const Path& path, Mistakes& mistakes, double& out) {
            if (!plain.read(value, path, mistakes, out)) return false;
            if (out == 1.0 || out == 1.5) return true;
            mistakes.add(path, value.place(), "must be 1 or 1.5, got " + shown(value));
            return false;
          },
          R"({"enum":[1,1.5]})"};
}

Type<std::vector<int>> contact_pair() { return list_of(integer(0, static_cast<int>(most_bodies)), 2, 2); }

Type<ContactRow> contact() {
  Fields<ContactRow> fields;
  fields.required("bodies", &ContactRow::bodies, contact_pair(), "the two bodies, i and j")
      .required("point", &ContactRow::point, vector<3>(), "where they touch [m]")
      .required("normal", &ContactRow::normal, unit_vector<3>(), "unit vector from body j into body i")
      .optional("stiffness", &ContactRow::stiffness, number(Range::positive()), "relative to the others")
      .optional("exponent", &ContactRow::exponent, exponent(), "1 (linear) or 1.5 (Hertz)")
      .required("e", &ContactRow::e, number(Range::between(0.0, 1.0)), "coefficient of restitution")
      .optional("mu", &ContactRow::mu, number(Range::at_least(0.0)), "friction coefficient")
      .optional("eta0", &ContactRow::eta0, number(Range::positive()), "tangential springs; absent: rigid Coulomb");
  return object(fields);
}

/// The items of a list that can be read, up to the first that cannot.
template <class T>
std::vector<T> good_part(const Value* list, const Type<T>& type) {
  std::vector<T> good;
  if (list == nullptr) return good;
  for (const Value& item : list->items()) {
    Mistakes scratch(Mistakes::Of::row);
    T one;
    if (!type.read(item, {}, scratch, one)) break;
    good.push_back(std::move(one));
  }
  return good;
}

/// In longer lists with bad bodies the contacts are not looked at: a bad one may be two bytes long, a Body is not.
constexpr std::size_t most_bad_bodies = 1000;

/// What the graph of contacts has against the part of the row that can be read.
void check_graph(const Row&, const Value& object, const Path& path, Mistakes& mistakes) {
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
  const std::vector<ContactRow> good = good_part(all, contact());
  const auto as_graph = [](const ContactRow& c) {
    return PairContact{{c.point, c.normal}, static_cast<std::size_t>(c.bodies[0]),
                       static_cast<std::size_t>(c.bodies[1])};
  };
  std::vector<PairContact> contacts;
  for (const ContactRow& c : good) contacts.push_back(as_graph(c));
  look_for(object, path, mistakes, [&] { ContactGraph(bodies, contacts); });
  if (all == nullptr || good.size() == all->size()) return;
  // Of the first contact that cannot be read, at least whom it is between.
  std::size_t k = 0;
  for (const Value& item : all->items()) {
    if (k++ < good.size()) continue;
    Mistakes scratch(Mistakes::Of::row);
    ContactRow c;
    const Value* pair = item.find("bodies");
    if (pair == nullptr || !contact_pair().read(*pair, {}, scratch, c.bodies)) return;
    c.point = Eigen::Vector3d::Zero();
    c.normal = Eigen::Vector3d::UnitZ();
    contacts = {as_graph(c)};
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

const Fields<Row>& fields() {
  static const Fields<Row> all = [] {
    Fields<Row> f = row_fields<Row>();
    f.required("bodies", &Row::bodies, list_of(row_body(), 1, most_bodies), "all bodies")
        .required("contacts", &Row::contacts, list_of(contact(), 0, most_bodies), "all contacts")
        .optional("tolerance", &Row::tolerance, number(Range::between(1e-14, 1e-2)),
                  "relative error of the final velocities")
        .late_check({}, check_graph);
    return f;
  }();
  return all;
}

SimultaneousProblem problem_of(Row row) {
  SimultaneousProblem problem;
  problem.bodies = std::move(row.bodies);
  problem.tolerance = row.tolerance;
  for (const ContactRow& c : row.contacts)
    problem.contacts.push_back(
        {{{c.point, c.normal}, static_cast<std::size_t>(c.bodies[0]), static_cast<std::size_t>(c.bodies[1])},
         c.stiffness,
         c.exponent,
         {c.mu, c.e},
         c.eta0});
  return problem;
}

}  // namespace

void solve_simultaneous(const Value& value, Mistakes& mistakes, JsonWriter& json) {
  Row row;
  if (!read_row(fields(), value, mistakes, row)) return;
  const SimultaneousImpact impact = simultaneous_impact(problem_of(std::move(row)));

  json.key("verdict"), json.text(name(impact.verdict));
  write_bodies_after(json, impact.bodies);
  json.key("contacts");
  json.begin_array();
  for (const ContactOutcome& contact : impact.contacts) {
    json.begin_object();
    json.key("impulse"), number_array(json, contact.impulse);
    json.key("compressions"), json.number(contact.compressions);
    json.key("restitution_loss"), json.number(contact.restitution_loss);
    json.key("friction_loss"), json.number(contact.friction_loss);
    json.end_object();
  }
  json.end_array();
  write_energy(json, impact.energy);
  json.key("events");
  json.begin_array();
  for (const SimultaneousEvent& event : impact.events) {
    json.begin_object();
    json.key("type"), json.text(name(event.type));
    json.key("contact"), json.number(static_cast<double>(event.contact));
    json.key("time"), json.number(event.time);
    json.key("impulse"), number_array(json, event.impulse);
    json.end_object();
  }
  json.end_array();
  write_flags(json, impact.flags);
}

}  // namespace carom::scenario
