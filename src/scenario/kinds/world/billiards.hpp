// Billiards in a world scenario: the table, the balls on it and the strike of the cue.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/motion/billiards.hpp"

#include "parts/rack.hpp"

namespace carom::scenario {

/// How a cloth resists a ball, rolling by its deceleration or by its torque.
struct ClothFriction {
  double sliding = 0.2, spinning = 0.0;
  std::optional<double> rolling;         ///< deceleration over gravity
  std::optional<double> rolling_torque;  ///< over m g r; of a solid ball 5/7 of it is the deceleration
};

struct ListedCushion : WorldCushion {
  std::string name;
};
struct ListedPocket {
  std::string name, plane = "0";
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double radius = 1.0;
};

/// Which balls a table starts with.
enum class TableBalls { none, cue, nine_ball, triangle_15, snooker };

/// A table about the origin, and balls on it.
struct TableInFile {
  TableSize size = TableSize::nine_foot;
  std::optional<double> length, width, nose_height;  ///< other than those of the size [m]
  TableBalls balls = TableBalls::none;
  std::optional<Eigen::Vector2d> cue_ball;  ///< where it lies [m]; none: on the head spot, or in the D
  ClothFriction cloth = {.sliding = 0.2, .spinning = 0.0127, .rolling = 0.01, .rolling_torque = {}};
  bool hold = true;
  std::string material = "default";  ///< of the balls
};

/// The ball that a cue strikes at time 0, and how.
struct ShotInFile : CueShot {
  std::string ball = "cue";
  Cue cue;
  std::optional<CueCloth> cloth;
};

BilliardTable table_of(const TableInFile& table);

/// A ball of a table: its name and where it lies.
struct SpottedBall {
  std::string name;
  Eigen::Vector2d at = Eigen::Vector2d::Zero();
};
std::vector<SpottedBall> balls_of(const TableInFile& table);

/// @throws InvalidInput naming `shot` (the cue would start inside a ball; the name of the field as in a file),
/// `shot.side`, `shot.cue.mass`, ...
CueStrike strike_of(const ShotInFile& shot, std::size_t ball, const WorldProblem& problem,
                    const std::vector<std::string>& names);

}  // namespace carom::scenario

template <>
inline constexpr auto carom::names_of<carom::scenario::TableBalls> =
    std::to_array<carom::Named<carom::scenario::TableBalls>>({
        {carom::scenario::TableBalls::none, "none"},
        {carom::scenario::TableBalls::cue, "cue"},
        {carom::scenario::TableBalls::nine_ball, "nine_ball"},
        {carom::scenario::TableBalls::triangle_15, "triangle_15"},
        {carom::scenario::TableBalls::snooker, "snooker"},
    });

namespace carom::scenario {

Type<ListedCushion> cushion_in_file();
/// @param plane  how a plane is named
Type<ListedPocket> pocket_in_file(const Type<std::string>& plane);
Type<TableInFile> table_in_file(const Type<ClothFriction>& cloth);
Type<ShotInFile> shot_in_file();

}  // namespace carom::scenario
