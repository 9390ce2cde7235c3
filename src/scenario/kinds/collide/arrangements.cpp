#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "carom/core/error.hpp"
#include "carom/core/shape.hpp"
#include "carom/motion/pendulum.hpp"
#include "carom/motion/time_of_impact.hpp"

#include "collide.hpp"

namespace carom::scenario {

namespace {

/// A body of a centred shape.
NamedBody solid(std::string name, double mass, const Shape& shape, const Eigen::Vector3d& position) {
  NamedBody body{std::move(name), body_of(shape, mass), outline(shape), shape};
  body.body.position = position;
  return body;
}

NamedBody ball(std::string name, double mass, double radius, const Eigen::Vector3d& position) {
  return solid(std::move(name), mass, Sphere{radius}, position);
}

NamedBody ground(std::string name) { return {std::move(name), immovable_body()}; }

/// "1-2" for "ball 1" and "ball 2".
std::string pair_name(const NamedBody& a, const NamedBody& b) {
  const auto brief = [](const std::string& name) { return name.starts_with("ball ") ? name.substr(5) : name; };
  return brief(a.name) + "-" + brief(b.name);
}

void add_contact(Arrangement& arrangement, std::size_t first, std::size_t second, const Eigen::Vector3d& point,
                 const Eigen::Vector3d& normal, std::string name = "") {
  SpringContact contact;
  contact.first = first;
  contact.second = second;
  contact.point = point;
  contact.normal = normal;
  arrangement.contacts.push_back(contact);
  arrangement.contact_names.push_back(name.empty() ? pair_name(arrangement.bodies[first], arrangement.bodies[second])
                                                   : std::move(name));
}

/// Of two balls, from where they are.
BallGap gap_of(const NamedBody& a, const NamedBody& b) {
  return gap_of_balls(a.body.position, a.outline.radius, b.body.position, b.outline.radius);
}

void touch_all(Arrangement& arrangement) {
  for (std::size_t i = 0; i < arrangement.bodies.size(); ++i)
    for (std::size_t j = i + 1; j < arrangement.bodies.size(); ++j)
      if (const BallGap gap = gap_of(arrangement.bodies[i], arrangement.bodies[j]); gap.touch())
        add_contact(arrangement, i, j, gap.contact.point, gap.contact.normal);
}

/// One generator by its fields.
template <class Numbers>
Type<Generator> generator_type(Fields<Numbers> fields) {
  std::string schema = fields.json_schema();
  return custom<Generator>(
      [fields = std::move(fields)](const Value& value, const Path& path, Mistakes& mistakes, Generator& out) {
        return fields.read(value, path, mistakes, out.emplace<Numbers>());
      },
      std::move(schema));
}

Arrangement row_of_balls(int count, double mass, double radius) {
  Arrangement arrangement;
  for (int i = 0; i < count; ++i)
    arrangement.bodies.push_back(ball("ball " + std::to_string(i + 1), mass, radius, {2.0 * radius * i, 0, 0}));
  touch_all(arrangement);
  arrangement.planar = true;
  return arrangement;
}

Arrangement made(const Chain& c) {
  Arrangement arrangement = row_of_balls(c.count, c.mass, c.radius);
  arrangement.bodies[0].body.velocity.x() = c.speed;
  arrangement.bodies[0].body.angular_velocity.y() = c.spin;
  if (c.spin != 0.0) arrangement.view = {0, 2};  // friction moves the balls up and down: seen from the side
  return arrangement;
}

Arrangement made(const Cradle& c) {
  Arrangement arrangement = row_of_balls(c.count, c.mass, c.radius);
  const double exact = pendulum_speed(c.length, c.angle, c.gravity);
  const double small = pendulum_speed_small_angle(c.length, c.angle, c.gravity);
  for (int i = 0; i < c.raised; ++i)
    arrangement.bodies[static_cast<std::size_t>(i)].body.velocity.x() = c.swing == Swing::exact ? exact : small;
  arrangement.facts = {
      {"speed_exact", "speed at the bottom, pendulum", exact, "m/s"},
      {"speed_small_angle", "speed at the bottom, small angle", small, "m/s"},
      {"speed_used", "of these, used", std::string(c.swing == Swing::exact ? "pendulum" : "small angle"), ""}};
  return arrangement;
}

Arrangement made(const Bernoulli& b) {
  Arrangement arrangement;
  arrangement.bodies = {ball("ball 1", b.mass, b.radius, {-std::sqrt(3.0) * b.radius, 0, 0}),
                        ball("ball 2", b.mass, b.radius, {0, b.radius, 0}),
                        ball("ball 3", b.mass, b.radius, {0, -b.radius, 0})};
  arrangement.bodies[0].body.velocity.x() = b.speed;
  touch_all(arrangement);
  arrangement.contacts[1].stiffness = b.stiffness_ratio;
  arrangement.planar = true;
  return arrangement;
}

Arrangement made(const Rack& r) {
  Arrangement arrangement;
  arrangement.bodies.push_back(ball("cue", r.mass, r.radius, {-2.0 * r.radius, 0, 0}));
  arrangement.bodies[0].body.velocity.x() = r.speed;
  arrangement.bodies[0].body.angular_velocity.y() = r.spin;
  int number = 0;
  for (const Eigen::Vector3d& place : rack_places(r.layout, r.radius))
    arrangement.bodies.push_back(ball("ball " + std::to_string(++number), r.mass, r.radius, place));
  touch_all(arrangement);
  arrangement.planar = r.spin == 0.0;
  return arrangement;
}

Arrangement made(const RockingBlock& b) {
  Arrangement arrangement;
  const Box box{{2.0 * b.half_width, 2.0 * b.half_height, 2.0 * b.half_width}};
  NamedBody block = solid("block", b.mass, box, {0, b.half_height, 0});
  block.body.angular_velocity.z() = -b.rate;
  block.body.velocity -= velocity_at(block.body, {-b.half_width, 0, 0});  // the left lower edge rests
  arrangement.bodies = {block, ground("ground")};
  add_contact(arrangement, 0, 1, {-b.half_width, 0, 0}, Eigen::Vector3d::UnitY(), "pivot");
  add_contact(arrangement, 0, 1, {b.half_width, 0, 0}, Eigen::Vector3d::UnitY(), "striking edge");
  arrangement.planar = true;
  return arrangement;
}

Arrangement made(const Groove& g) {
  Arrangement arrangement;
  arrangement.bodies = {ball("ball", g.mass, g.radius, Eigen::Vector3d::Zero()), ground("groove")};
  arrangement.bodies[0].body.velocity = {g.velocity.x(), 0, g.velocity.y()};
  for (const double side : {1.0, -1.0}) {
    const Eigen::Vector3d normal(side * std::sin(g.angle), 0, std::cos(g.angle));
    add_contact(arrangement, 0, 1, -g.radius * normal, normal, side > 0.0 ? "left" : "right");
  }
  arrangement.view = {0, 2};
  arrangement.planar = true;
  return arrangement;
}

Arrangement made(const Corner& c) {
  Arrangement arrangement;
  arrangement.bodies = {ball("ball", c.mass, c.radius, {-c.radius, c.radius, 0}), ground("corner")};
  Body& body = arrangement.bodies[0].body;
  // Seen along its axis a disc looks like the ball.
  if (c.shape == ShapeName::disc) body.inertia = body_of(Disc{c.radius}, c.mass).inertia;
  if (c.velocity)
    body.velocity.head<2>() = *c.velocity;
  else if (c.arrival)
    body.velocity.head<2>() =
        c.arrival->speed * Eigen::Vector2d(std::cos(c.arrival->angle), -std::sin(c.arrival->angle));
  else  // falls until its lowest point is on the floor
    body.velocity = {c.thrown->speed, -fall_speed(c.thrown->height - c.radius, c.thrown->gravity), 0};
  body.angular_velocity.z() = c.spin;
  add_contact(arrangement, 0, 1, {-c.radius, 0, 0}, Eigen::Vector3d::UnitY(), "floor");
  add_contact(arrangement, 0, 1, {0, c.radius, 0}, -Eigen::Vector3d::UnitX(), "wall");
  arrangement.contacts.back().stiffness = c.stiffness_ratio;
  arrangement.planar = true;
  arrangement.facts = {
      {"arrival_angle", "falls at", std::atan2(-body.velocity.y(), body.velocity.x()) * 180.0 / M_PI, "deg"}};
  return arrangement;
}

}  // namespace

Arrangement arrangement_of(const Generator& generator) {
  return std::visit([](const auto& numbers) { return made(numbers); }, generator);
}

/// In a row: elastic ones take seconds.
constexpr int most_balls = 10'000;

Type<Generator> chain_type() {
  Fields<Chain> fields;
  fields.required("count", &Chain::count, integer(2, most_balls), "number of equal balls in a row along x")
      .optional("mass", &Chain::mass, number(Range::positive()), "of one ball [kg] (default 1)")
      .optional("radius", &Chain::radius, number(Range::positive()), "[m] (default 0.5)")
      .optional("speed", &Chain::speed, number(), "of the first ball [m/s] (default 1)")
      .optional("spin", &Chain::spin, number(), "of the first ball about y [rad/s]; positive: follow (default 0)");
  return generator_type(fields);
}

Type<Generator> cradle_type() {
  Fields<Cradle> fields;
  fields.optional("count", &Cradle::count, integer(2, most_balls), "number of balls (default 5)")
      .optional("raised", &Cradle::raised, integer(1, most_balls - 1), "how many are raised (default 1)")
      .optional("mass", &Cradle::mass, number(Range::positive()), "of one ball [kg] (default 0.0435, steel)")
      .optional("radius", &Cradle::radius, number(Range::positive()), "[m] (default 0.011)")
      .optional("length", &Cradle::length, number(Range::positive()), "of the strings [m] (default 0.129)")
      .optional("angle", &Cradle::angle, angle(), "of release [rad] or '25 deg' (default 25 deg)")
      .optional("gravity", &Cradle::gravity, number(Range::positive()), "[m/s^2] (default 9.81)")
      .optional("swing", &Cradle::swing, choice<Swing>({{"exact", Swing::exact}, {"small_angle", Swing::small_angle}}),
                "how the speed at the bottom is computed (default exact)")
      .check([](const Cradle& c, const Value& object, const Path& path, Mistakes& mistakes) {
        if (c.raised >= c.count)
          mistakes.add(path.at("raised"), place_of(object, "raised"),
                       "must be less than the number of balls (" + std::to_string(c.count) + ")");
        if (!(c.angle > 0.0 && c.angle <= M_PI / 2.0))
          mistakes.add(path.at("angle"), place_of(object, "angle"), "must be above 0 and at most 90 deg");
      });
  return generator_type(fields);
}

Type<Generator> bernoulli_type() {
  Fields<Bernoulli> fields;
  fields.optional("mass", &Bernoulli::mass, number(Range::positive()), "of one ball [kg] (default 1)")
      .optional("radius", &Bernoulli::radius, number(Range::positive()), "[m] (default 0.5)")
      .optional("speed", &Bernoulli::speed, number(), "of the first ball [m/s] (default 1)")
      .optional("stiffness_ratio", &Bernoulli::stiffness_ratio, number(Range::positive()),
                "contact 1-3 over contact 1-2 (default 1)");
  return generator_type(fields);
}

Type<Generator> rack_type() {
  Fields<Rack> fields;
  fields.required("layout", &Rack::layout, layout(), "nine_ball (rows 1-2-3-2-1) or triangle_15")
      .optional("mass", &Rack::mass, number(Range::positive()), "of one ball [kg] (default 0.17)")
      .optional("radius", &Rack::radius, number(Range::positive()), "[m] (default 0.03)")
      .optional("speed", &Rack::speed, number(Range::positive()), "of the cue ball at contact [m/s] (default 1)")
      .optional("spin", &Rack::spin, number(),
                "at contact, about y [rad/s]; positive: follow, negative: draw (default 0)")
      .refused("run_up", "the way on the cloth is followed by `kind: world`, whose `rack` has it");
  const auto plain = layout();
  const auto full = generator_type(fields);
  return custom<Generator>(
      [plain, full](const Value& value, const Path& path, Mistakes& mistakes, Generator& out) {
        if (value.kind() == Value::Kind::object) return full.read(value, path, mistakes, out);
        return plain.read(value, path, mistakes, out.emplace<Rack>().layout);
      },
      R"({"anyOf":[)" + plain.json_schema() + "," + full.json_schema() + "]}");
}

Type<Generator> rocking_block_type() {
  Fields<RockingBlock> fields;
  fields.optional("mass", &RockingBlock::mass, number(Range::positive()), "[kg] (default 1)")
      .optional("half_width", &RockingBlock::half_width, number(Range::positive()), "[m] (default 1)")
      .optional("half_height", &RockingBlock::half_height, number(Range::positive()), "[m] (default 0.5)")
      .optional("rate", &RockingBlock::rate, number(),
                "of turning about the left edge, falling right [rad/s] (default 1)");
  return generator_type(fields);
}

Type<Generator> groove_type() {
  Fields<Groove> fields;
  fields.optional("mass", &Groove::mass, number(Range::positive()), "[kg] (default 1)")
      .optional("radius", &Groove::radius, number(Range::positive()), "[m] (default 0.5)")
      .optional("angle", &Groove::angle, angle(), "of the two normals from the vertical (default 60 deg)")
      .optional("velocity", &Groove::velocity, vector<2>(), "(x, z), z up [m/s] (default [0.3, -1])")
      .check([](const Groove& g, const Value& object, const Path& path, Mistakes& mistakes) {
        if (!(g.angle > 0.0 && g.angle < M_PI / 2.0))
          mistakes.add(path.at("angle"), place_of(object, "angle"), "must lie between 0 and 90 deg");
      });
  return generator_type(fields);
}

Type<Generator> corner_type() {
  Fields<Throw> throws;
  throws.required("speed", &Throw::speed, number(), "towards the wall [m/s]")
      .required("height", &Throw::height, number(Range::positive()), "of the centre above the floor when let go [m]")
      .optional("gravity", &Throw::gravity, number(Range::at_least(0.0)), "[m/s^2] (default 9.81)");
  Fields<Arrival> arrivals;
  arrivals.required("speed", &Arrival::speed, number(Range::positive()), "[m/s]")
      .required("angle", &Arrival::angle, angle(), "above the floor, between 0 and 90 deg")
      .check([](const Arrival& a, const Value& object, const Path& path, Mistakes& mistakes) {
        if (!(a.angle > 0.0 && a.angle < M_PI / 2.0))
          mistakes.add(path.at("angle"), place_of(object, "angle"), "must lie between 0 and 90 deg");
      });
  Fields<Corner> fields;
  fields.optional("mass", &Corner::mass, number(Range::positive()), "[kg] (default 1)")
      .optional("radius", &Corner::radius, number(Range::positive()), "[m] (default 0.5)")
      .optional("shape", &Corner::shape, shape_name({ShapeName::disc, ShapeName::sphere}),
                "what gives the inertia (default disc)")
      .optional("velocity", &Corner::velocity, vector<2>(), "(x, y) at impact; the wall is on the right [m/s]")
      .optional("throw", &Corner::thrown, object(throws), "how it got there, instead of `velocity`")
      .optional("arrival", &Corner::arrival, object(arrivals), "how fast and steeply it comes, instead of `velocity`")
      .optional("spin", &Corner::spin, number(), "counter-clockwise [rad/s] (default 0)")
      .optional("stiffness_ratio", &Corner::stiffness_ratio, number(Range::positive()), "wall over floor (default 1)")
      .check([](const Corner& c, const Value& object, const Path& path, Mistakes& mistakes) {
        if (c.velocity.has_value() + c.thrown.has_value() + c.arrival.has_value() != 1)
          mistakes.add(path, object.place(), "needs exactly one of `velocity`, `throw` or `arrival`");
        else if (c.thrown && !(c.thrown->height >= c.radius))
          mistakes.add(path.at("throw"), place_of(object, "throw"),
                       "the height of the centre must be at least the radius");
      });
  return generator_type(fields);
}

namespace {

/// A body by its name, or by its number from 0.
std::size_t body_called(const std::vector<NamedBody>& bodies, const std::string& name, const std::string& field) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].name == name || std::to_string(i) == name) return i;
    names.push_back(bodies[i].name);
  }
  throw InvalidInput(field, "there is no body \"" + name + "\"" + suggestion(name, names));
}

}  // namespace

Arrangement listed_arrangement(std::vector<NamedBody> bodies, const std::vector<ListedContact>& contacts) {
  Arrangement arrangement;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    NamedBody& body = bodies[i];
    if (body.name.empty()) body.name = "body " + std::to_string(i);
    for (std::size_t j = 0; j < i; ++j)
      if (bodies[j].name == body.name && !body.body.immovable)
        throw InvalidInput("bodies[" + std::to_string(i) + "].name",
                           "\"" + body.name + "\" is also the name of bodies[" + std::to_string(j) + "]");
  }
  arrangement.bodies = std::move(bodies);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const ListedContact& listed = contacts[k];
    const std::string field = "contacts[" + std::to_string(k) + "]";
    const std::size_t i = body_called(arrangement.bodies, listed.bodies[0], field + ".bodies"),
                      j = body_called(arrangement.bodies, listed.bodies[1], field + ".bodies");
    const NamedBody &a = arrangement.bodies[i], &b = arrangement.bodies[j];
    const std::string who = "'" + a.name + "' and '" + b.name + "'";
    if (listed.point.has_value() != listed.normal.has_value())
      throw InvalidInput(field, "needs both `point` and `normal`, or neither if two balls touch (" + who + ")");
    Eigen::Vector3d point, normal;
    if (listed.point) {
      point = *listed.point;
      normal = *listed.normal;
    } else {
      if (!is_ball(a.outline) || !is_ball(b.outline))
        throw InvalidInput(field + ".point", "is required: " + who + " are not two balls");
      const BallGap touch = gap_of(a, b);
      if (i == j || !touch.just_touch())
        throw InvalidInput(
            field, i == j ? "'" + a.name + "' cannot touch itself"
                          : fmt::format("{} do not touch: {} {:.3g} m", who,
                                        touch.gap > 0.0 ? "the gap is" : "they overlap by", std::abs(touch.gap)));
      point = touch.contact.point;
      normal = touch.contact.normal;
    }
    add_contact(arrangement, i, j, point, normal, listed.name.value_or(""));
    arrangement.contacts.back().stiffness = listed.stiffness;
  }
  // Contacts that would share a name are told apart by a number.
  const std::vector<std::string> names = arrangement.contact_names;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (std::count(names.begin(), names.end(), names[k]) > 1)
      arrangement.contact_names[k] +=
          " " + std::to_string(std::count(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(k) + 1, names[k]));
  return arrangement;
}

}  // namespace carom::scenario
