#include "billiards.hpp"

#include <cmath>

#include "carom/core/error.hpp"

#include "parts/spatial.hpp"

namespace carom::scenario {

namespace {

/// Reds lie as close behind the pink as a hand can place them [m].
constexpr double beside_pink = 1e-3;

// Rules of the WPBSA, section 1: from the bottom cushion to the baulk line, radius of the D, the black from the top.
constexpr double baulk_line = 0.737, d_radius = 0.292, black_spot = 0.324;

void add_rack(std::vector<SpottedBall>& balls, Layout layout, double radius, double apex, const std::string& prefix) {
  int number = 0;
  for (const Eigen::Vector3d& place : rack_places(layout, radius))
    balls.push_back({prefix + std::to_string(++number), {apex + place.x(), place.y()}});
}

}  // namespace

Type<ListedCushion> cushion_in_file() {
  using C = ListedCushion;
  Fields<C> fields;
  fields.optional("name", &C::name, text(), "what to call it")
      .required("from", &C::from, vector<3>(), "one end of its nose [m]")
      .required("to", &C::to, vector<3>(), "the other end, as high; the same point: a round jaw [m]")
      .optional("rounding", &C::rounding, number(Range::at_least(0.0)),
                "the nose is what is within this of the line, at its height [m] (default 0)")
      .optional("normal", &C::normal, unit_vector<3>(), "unit, upwards (default [0, 0, 1])")
      .optional("material", &C::material, text(), "label of its surface (default: default)");
  return object(fields);
}

Type<ListedPocket> pocket_in_file(const Type<std::string>& plane) {
  using P = ListedPocket;
  Fields<P> fields;
  fields.optional("name", &P::name, text(), "what to call it")
      .optional("plane", &P::plane, plane, "name or number of the plane it is in (default: 0)")
      .required("centre", &P::centre, vector<3>(), "[m]")
      .required("radius", &P::radius, number(Range::positive()), "a ball whose centre is over it falls [m]");
  return object(fields);
}

Type<TableInFile> table_in_file(const Type<ClothFriction>& cloth) {
  using T = TableInFile;
  Fields<T> fields;
  fields.required("size", &T::size, choice<TableSize>(), "7ft, 8ft, 9ft, snooker or carom (without pockets)")
      .optional("balls", &T::balls, choice<TableBalls>(),
                "none (default), cue, nine_ball, triangle_15 (racked on the foot spot) or snooker, with a cue ball")
      .optional(
          "cue_ball", &T::cue_ball, nullable(vector<2>()),
          "where it lies [m] (default: the head spot, a quarter of the length from the head rail; snooker: in the D)")
      .optional("length", &T::length, nullable(number(Range::positive())),
                "between the noses [m] (default: of the size)")
      .optional("width", &T::width, nullable(number(Range::positive())), "the same [m]")
      .optional("nose_height", &T::nose_height, nullable(number(Range::positive())), "of the cushions [m] (the same)")
      .optional("cloth", &T::cloth, cloth, "its friction (default sliding 0.2, rolling 0.01, spinning 0.0127)")
      .optional("hold", &T::hold, boolean(),
                "balls stay on the cloth, which has no part in impacts (default true); false: they hop")
      .optional("material", &T::material, text(),
                "label of the balls (default: default); that of cushions is cushion, of the cloth cloth");
  return object(fields);
}

Type<ShotInFile> shot_in_file() {
  using S = ShotInFile;
  Fields<Cue> cue;
  cue.optional("mass", &Cue::mass, number(Range::positive()), "[kg] (default 0.54)")
      .optional("end_mass", &Cue::end_mass, number(Range::positive()),
                "how heavy the end of the shaft is across: it makes squirt [kg] (default 0.006)")
      .optional("friction", &Cue::friction, number(Range::at_least(0.0)), "of the tip (default 0.6)")
      .optional("restitution", &Cue::restitution, number(Range::between(0.0, 1.0)), "of the tip (default 0.75)");
  Fields<CueCloth> cloth;
  cloth.optional("friction", &CueCloth::friction, number(Range::at_least(0.0)), "(default 0.2)")
      .optional("restitution", &CueCloth::restitution, number(Range::between(0.0, 1.0)), "(default 0.5)")
      .optional("stiffness", &CueCloth::stiffness, number(Range::positive()), "over that of the tip (default 100)");
  Fields<S> fields;
  fields.optional("ball", &S::ball, text(), "name of the ball (default: cue)")
      .required("speed", &S::speed, number(Range::positive()), "of the cue [m/s]")
      .optional("direction", &S::direction, angle(), "over the table, from x towards y [rad] or '30 deg' (default 0)")
      .optional("elevation", &S::elevation, angle(), "of the butt [rad] or '5 deg' (default 0)")
      .optional("side", &S::side, number(Range::between(-1.0, 1.0)),
                "of the tip from the middle, to the right of the player, over the radius (default 0)")
      .optional("height", &S::height, number(Range::between(-1.0, 1.0)), "the same upwards (default 0)")
      .optional("cue", &S::cue, object(cue), "the stick")
      .optional("cloth", &S::cloth, nullable(object(cloth)),
                "it takes part in the strike, at once with the tip (default: it does not)");
  return object(fields);
}

BilliardTable table_of(const TableInFile& given) {
  BilliardTable table = billiard_table(given.size);
  if (given.length) table.length = *given.length;
  if (given.width) table.width = *given.width;
  if (given.nose_height) table.nose_height = *given.nose_height;
  return table;
}

std::vector<SpottedBall> balls_of(const TableInFile& given) {
  const BilliardTable table = table_of(given);
  const double x = 0.5 * table.length, r = table.ball_radius;
  if (const auto& at = given.cue_ball;
      at && !(std::abs(at->x()) <= 0.5 * table.length && std::abs(at->y()) <= 0.5 * table.width))
    throw InvalidInput("table.cue_ball", "must be on the table, within " + number_text(0.5 * table.length) + " m and " +
                                             number_text(0.5 * table.width) + " m of its middle, got [" +
                                             number_text(at->x()) + ", " + number_text(at->y()) + "]");
  std::vector<SpottedBall> balls;
  const bool snooker = given.balls == TableBalls::snooker;
  if (given.balls != TableBalls::none || given.cue_ball)
    balls.push_back({"cue", given.cue_ball.value_or(snooker ? Eigen::Vector2d(baulk_line - x, 0.5 * d_radius)
                                                            : Eigen::Vector2d(-0.25 * table.length, 0.0))});
  if (given.balls == TableBalls::nine_ball) add_rack(balls, Layout::nine_ball, r, 0.5 * x, "ball ");
  if (given.balls == TableBalls::triangle_15) add_rack(balls, Layout::triangle_15, r, 0.5 * x, "ball ");
  if (!snooker) return balls;
  // From the player at the head: yellow on the right, green on the left.
  balls.push_back({"yellow", {baulk_line - x, -d_radius}});
  balls.push_back({"green", {baulk_line - x, d_radius}});
  balls.push_back({"brown", {baulk_line - x, 0.0}});
  balls.push_back({"blue", {0.0, 0.0}});
  balls.push_back({"pink", {0.5 * x, 0.0}});
  balls.push_back({"black", {x - black_spot, 0.0}});
  add_rack(balls, Layout::triangle_15, r, 0.5 * x + 2.0 * r + beside_pink, "red ");
  return balls;
}

CueStrike strike_of(const ShotInFile& shot, std::size_t ball, const WorldProblem& problem,
                    const std::vector<std::string>& names) {
  const Body& struck = problem.bodies[ball].body;
  const auto* sphere = std::get_if<Sphere>(&problem.bodies[ball].shape);
  if (sphere == nullptr || struck.immovable) throw InvalidInput("shot.ball", "must be a solid ball that can move");
  CueStrike strike;
  try {
    strike = cue_strike(struck, sphere->radius, shot.cue, shot, shot.cloth);
  } catch (const InvalidInput& error) {
    const std::string& field = error.field();
    throw InvalidInput(field.starts_with("cue") || field.starts_with("cloth") ? "shot." + field : field,
                       error.message());
  }
  if (const auto blocked = body_in_the_way(shot, problem.bodies, ball))
    throw InvalidInput("shot", "the cue would start inside \"" + names[*blocked] +
                                   "\": raise its butt (`elevation`), or shoot in another direction");
  return strike;
}

}  // namespace carom::scenario
