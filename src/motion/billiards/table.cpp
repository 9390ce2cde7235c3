#include <cmath>
#include <numbers>
#include <utility>

#include "carom/core/error.hpp"
#include "carom/motion/billiards.hpp"

namespace carom {

namespace {

using Eigen::Vector2d, Eigen::Vector3d;

constexpr double inch = 0.0254, degree = std::numbers::pi / 180.0;

BilliardTable pool_table(double length, double width) {
  BilliardTable table;
  table.length = length * inch;
  table.width = width * inch;
  table.ball_radius = 1.125 * inch;
  table.ball_mass = 0.17;
  table.nose_height = 0.635 * 2.0 * table.ball_radius;
  table.corner = {4.5625 * inch, (180.0 - 142.0) * degree, 0.0, 1.625 * inch};
  table.side = {5.0625 * inch, (180.0 - 104.0) * degree, 0.0, 0.1875 * inch};
  return table;
}

/// One pocket of the quarter x, y > 0 (a corner), or of the side y > 0.
struct Opening {
  Vector2d hole = Vector2d::Zero();
  double radius = 0.0;
  double from_corner = 0.0;  ///< where the straight nose ends: from the corner, or from the middle of the side
  std::vector<std::array<Vector2d, 2>> facings;
  std::vector<Vector2d> jaws;  ///< centres of rounded ones
};

Opening corner_opening(const BilliardTable& table) {
  const PocketShape& pocket = table.corner;
  const Vector2d corner(0.5 * table.length, 0.5 * table.width), out = Vector2d(1.0, 1.0).normalized();
  Opening opening;
  opening.radius = 0.5 * pocket.mouth;
  const double r = pocket.jaw_radius;
  if (r > 0.0) {
    opening.from_corner = (pocket.mouth + 2.0 * r) / std::numbers::sqrt2 - r;
    opening.jaws = {corner + Vector2d(-opening.from_corner, r), corner + Vector2d(r, -opening.from_corner)};
    const Vector2d mouth = 0.5 * (opening.jaws[0] + opening.jaws[1]);
    opening.hole = mouth + (pocket.shelf + opening.radius) * out;
    return opening;
  }
  opening.from_corner = pocket.mouth / std::numbers::sqrt2;
  const double deep = pocket.shelf + opening.radius, length = deep / std::cos(0.25 * std::numbers::pi - pocket.turn);
  const Vector2d along_x(std::cos(pocket.turn), std::sin(pocket.turn)), along_y(along_x.y(), along_x.x());
  const Vector2d lip_x = corner - Vector2d(opening.from_corner, 0.0),
                 lip_y = corner - Vector2d(0.0, opening.from_corner);
  opening.facings = {{lip_x, lip_x + length * along_x}, {lip_y, lip_y + length * along_y}};
  opening.hole = 0.5 * (lip_x + lip_y) + deep * out;
  return opening;
}

Opening side_opening(const BilliardTable& table) {
  const PocketShape& pocket = table.side;
  const double nose = 0.5 * table.width, r = pocket.jaw_radius;
  Opening opening;
  opening.radius = 0.5 * pocket.mouth;
  opening.from_corner = 0.5 * pocket.mouth + r;
  opening.hole = {0.0, nose + r + pocket.shelf + opening.radius};
  if (r > 0.0) {
    opening.jaws = {{-opening.from_corner, nose + r}, {opening.from_corner, nose + r}};
    return opening;
  }
  const double length = (pocket.shelf + opening.radius) / std::sin(pocket.turn);
  for (const double side : {-1.0, 1.0}) {
    const Vector2d lip(side * opening.from_corner, nose);
    opening.facings.push_back({lip, lip + length * Vector2d(-side * std::cos(pocket.turn), std::sin(pocket.turn))});
  }
  return opening;
}

void require_pocket(const std::string& name, const PocketShape& pocket, double ball) {
  if (pocket.mouth == 0.0) return;
  require_positive(name + ".mouth", pocket.mouth);
  if (!(pocket.mouth > 2.0 * ball))
    throw InvalidInput(name + ".mouth",
                       "must be wider than a ball (" + number_text(2.0 * ball) + "), got " + number_text(pocket.mouth));
  require_at_least(name + ".jaw_radius", pocket.jaw_radius, 0.0);
  require_at_least(name + ".shelf", pocket.shelf, 0.0);
  if (pocket.jaw_radius == 0.0 && !(pocket.turn > 0.0 && pocket.turn < 0.5 * std::numbers::pi))
    throw InvalidInput(name + ".turn", "must be between 0 and 90 degrees, got " + number_text(pocket.turn));
}

class Builder {
public:
  Builder(const BilliardTable& table, std::size_t plane) : height_(table.nose_height), plane_(plane) {}

  void cushion(const std::string& name, const Vector2d& from, const Vector2d& to, double rounding = 0.0) {
    parts_.cushions.push_back({at(from), at(to), rounding, Vector3d::UnitZ(), "cushion"});
    parts_.cushion_names.push_back(name);
  }
  /// A pocket, mirrored to its quarter.
  void pocket(const std::string& name, const Opening& opening, const Vector2d& mirror) {
    const auto place = [&](const Vector2d& p) -> Vector2d { return p.cwiseProduct(mirror); };
    int number = 0;
    for (const auto& [from, to] : opening.facings)
      cushion("jaw " + std::to_string(++number) + " of " + name, place(from), place(to));
    for (const Vector2d& jaw : opening.jaws) {
      const Vector2d centre = place(jaw);
      cushion("jaw " + std::to_string(++number) + " of " + name, centre, centre, radius_of_jaws);
    }
    const Vector2d hole = place(opening.hole);
    parts_.pockets.push_back({plane_, {hole.x(), hole.y(), 0.0}, opening.radius});
    parts_.pocket_names.push_back(name);
  }
  TableParts take() { return std::move(parts_); }

  double radius_of_jaws = 0.0;

private:
  Vector3d at(const Vector2d& p) const { return {p.x(), p.y(), height_}; }

  double height_;
  std::size_t plane_;
  TableParts parts_;
};

}  // namespace

BilliardTable billiard_table(TableSize size) {
  switch (size) {
    case TableSize::seven_foot:
      return pool_table(78.0, 39.0);
    case TableSize::eight_foot:
      return pool_table(92.0, 46.0);
    case TableSize::nine_foot:
      return pool_table(100.0, 50.0);
    case TableSize::snooker: {
      BilliardTable table;
      table.length = 3.569;
      table.width = 1.778;
      table.ball_radius = 0.02625;
      table.ball_mass = 0.1406;
      table.nose_height = 1.4 * table.ball_radius;
      table.corner = {0.086, 0.0, 0.06, 0.0};
      table.side = {0.1, 0.0, 0.03, 0.0};
      return table;
    }
    case TableSize::carom:
      break;
  }
  BilliardTable table;
  table.length = 2.84;
  table.width = 1.42;
  table.ball_radius = 0.03075;
  table.ball_mass = 0.21;
  table.nose_height = 0.037;
  table.corner = table.side = {0.0, 0.0, 0.0, 0.0};
  return table;
}

void require_valid(const BilliardTable& table) {
  require_positive("ball_radius", table.ball_radius);
  require_positive("ball_mass", table.ball_mass);
  require_pocket("corner", table.corner, table.ball_radius);
  require_pocket("side", table.side, table.ball_radius);
  const double corner = table.corner.mouth > 0.0 ? corner_opening(table).from_corner : 0.0;
  const double side = table.side.mouth > 0.0 ? side_opening(table).from_corner : 0.0;
  const auto require_room = [](const char* field, double size, double least) {
    require_positive(field, size);
    if (!(size > least))
      throw InvalidInput(field, "must be more than its pockets and a ball take (" + number_text(least) + "), got " +
                                    number_text(size));
  };
  require_room("length", table.length, 2.0 * (corner + side + table.ball_radius));
  require_room("width", table.width, 2.0 * (corner + table.ball_radius));
  if (!(table.nose_height > 0.0 && table.nose_height < 2.0 * table.ball_radius))
    throw InvalidInput("nose_height", "must be between 0 and the diameter of a ball (" +
                                          number_text(2.0 * table.ball_radius) + "), got " +
                                          number_text(table.nose_height));
}

TableParts table_parts(const BilliardTable& table, std::size_t plane) {
  require_valid(table);
  Builder build(table, plane);
  const double x = 0.5 * table.length, y = 0.5 * table.width;
  const bool corners = table.corner.mouth > 0.0, sides = table.side.mouth > 0.0;
  const Opening corner = corners ? corner_opening(table) : Opening{}, side = sides ? side_opening(table) : Opening{};
  const double from = x - corner.from_corner, high = y - corner.from_corner;
  for (const double up : {1.0, -1.0}) {
    const std::string rail = up > 0.0 ? "left" : "right";  // seen from the head, along x
    if (sides) {
      build.cushion(rail + " head rail", {-from, up * y}, {-side.from_corner, up * y});
      build.cushion(rail + " foot rail", {side.from_corner, up * y}, {from, up * y});
    } else {
      build.cushion(rail + " rail", {-from, up * y}, {from, up * y});
    }
  }
  build.cushion("head rail", {-x, -high}, {-x, high});
  build.cushion("foot rail", {x, -high}, {x, high});
  build.radius_of_jaws = table.corner.jaw_radius;
  for (const double end : {-1.0, 1.0})
    for (const double up : {1.0, -1.0})
      if (corners)
        build.pocket(std::string(end < 0.0 ? "head" : "foot") + (up > 0.0 ? " left pocket" : " right pocket"), corner,
                     {end, up});
  build.radius_of_jaws = table.side.jaw_radius;
  for (const double up : {1.0, -1.0})
    if (sides) build.pocket(up > 0.0 ? "left side pocket" : "right side pocket", side, {1.0, up});
  TableParts parts = build.take();
  parts.cloth.material = "cloth";
  return parts;
}

}  // namespace carom
