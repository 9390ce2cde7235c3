// What is a billiard table made of, and how does a cue start a ball?
// Tables of the published sizes as cushions (with the height of their nose), jaws and pockets of a scene; places of
// balls on them; and the strike of a cue as an impact: a tip with friction off the middle of a ball, by the same
// models as any other impact. Theory: docs/theory/billiards.md.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "carom/core/body.hpp"
#include "carom/core/flags.hpp"
#include "carom/core/names.hpp"
#include "carom/motion/world.hpp"

#pragma GCC visibility push(default)

namespace carom {

enum class TableSize : std::uint8_t { seven_foot, eight_foot, nine_foot, snooker, carom };
template <>
inline constexpr auto names_of<TableSize> = std::to_array<Named<TableSize>>({
    {TableSize::seven_foot, "7ft"},
    {TableSize::eight_foot, "8ft"},
    {TableSize::nine_foot, "9ft"},
    {TableSize::snooker, "snooker"},
    {TableSize::carom, "carom"},
});

/// A pocket and its jaws. With pointed lips the facings are straight, with rounded ones arcs tangent to the nose.
struct PocketShape {
  double mouth = 0.1;       ///< where it is narrowest, between the lips or the arcs [m]; 0: there is none
  double turn = 0.0;        ///< of a straight facing from the line of the nose [rad], in (0, pi/2)
  double jaw_radius = 0.0;  ///< of rounded jaws [m]; 0: pointed lips
  double shelf = 0.0;       ///< from the middle of the mouth to the edge over which a ball falls [m], >= 0
};

/// A table about the origin, its length along x, its cloth at z = 0.
struct BilliardTable {
  double length = 2.54, width = 1.27;  ///< between the noses of the cushions [m]
  double nose_height = 0.0363;         ///< above the cloth [m]
  PocketShape corner, side;
  double ball_radius = 0.028575, ball_mass = 0.17;
};

/// Sizes: World Pool-Billiard Association, Equipment Specifications (9 and 8 ft: 100 x 50 and 92 x 46 in; mouths 4 1/2
/// to 4 5/8 and 5 to 5 1/8 in, angles of the facings 142 and 104 degrees, shelves 1 to 2 1/4 and 0 to 3/8 in: the
/// middles are taken; nose at 62 1/2 to 64 1/2 % of the ball); Billiard Congress of America (7 ft: 78 x 39 in);
/// World Professional Billiards and Snooker Association, rules, section 1 (3569 x 1778 mm, balls of 52.5 mm; pockets go
/// by templates that are not printed: mouths and jaws here are usual ones; nose at 7/10 of the ball as in Mathavan et
/// al. 2010); Union Mondiale de Billard (2.84 x 1.42 m, nose at 37 mm, balls of 61.5 mm and 210 g, no pockets).
BilliardTable billiard_table(TableSize size);

/// @throws InvalidInput naming `length`, `width`, `nose_height` (not between 0 and the diameter of a ball),
/// `corner.mouth` (less than the ball), `side.turn`, ..., `ball_radius`, `ball_mass`
void require_valid(const BilliardTable& table);

/// What a scene needs of it. The throats of the pockets end over their holes: whatever way a ball takes on the cloth,
/// it stays between the cushions or falls.
struct TableParts {
  WorldPlane cloth;
  std::vector<WorldCushion> cushions;
  std::vector<std::string> cushion_names;
  std::vector<WorldPocket> pockets;
  std::vector<std::string> pocket_names;
};
/// @param plane  the number that the cloth will have in the scene
/// @throws InvalidInput as require_valid
TableParts table_parts(const BilliardTable& table, std::size_t plane = 0);

/// A cue as its tip feels it: heavy along its axis, light across (the end of the shaft gives way: squirt).
struct Cue {
  double mass = 0.54;         ///< [kg], > 0
  double end_mass = 0.006;    ///< across [kg], > 0; 1/30 of a pool ball: about 2 degrees of squirt at most
  double friction = 0.6;      ///< of the tip, chalked [-], >= 0
  double restitution = 0.75;  ///< of the tip, energetic [-], in [0, 1]
};

/// Where the cue points and where it strikes.
struct CueShot {
  double speed = 1.0;      ///< of the cue along its axis [m/s], > 0
  double direction = 0.0;  ///< of its way over the table, from x towards y [rad]
  double elevation = 0.0;  ///< of its butt: it points down by this [rad], in [0, pi/2]
  double side = 0.0;       ///< of the tip from the middle of the ball, to the right of the player, over the radius
  double height = 0.0;     ///< the same upwards, across the cue
};

/// The cloth under the ball, when it takes part in the strike.
struct CueCloth {
  double friction = 0.2;     ///< [-], >= 0
  double restitution = 0.5;  ///< [-], in [0, 1]
  double stiffness = 100.0;  ///< over that of the tip (Hertz both), > 0
};

enum class StrikeVerdict : std::uint8_t {
  struck,  ///< the tip held: friction stopped its slip before it let go
  miscue   ///< it slipped until it let go (with the cloth: all the time): the cone of friction was left
};
template <>
inline constexpr auto names_of<StrikeVerdict> = std::to_array<Named<StrikeVerdict>>({
    {StrikeVerdict::struck, "struck"},
    {StrikeVerdict::miscue, "miscue"},
});

struct CueStrike {
  StrikeVerdict verdict = StrikeVerdict::struck;
  Body ball;                                                ///< after
  Eigen::Vector3d tip = Eigen::Vector3d::Zero();            ///< where it touched [m]
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();        ///< of the tip on the ball [N s]
  Eigen::Vector3d cloth_impulse = Eigen::Vector3d::Zero();  ///< of the cloth on the ball [N s]
  Eigen::Vector3d cue_velocity = Eigen::Vector3d::Zero();   ///< of the tip, after [m/s]
  double slip = 0.0;                                        ///< of the tip on the ball, when it lets go [m/s]
  double restitution_loss = 0.0, friction_loss = 0.0;       ///< [J]; of all contacts
  Flags flags;                                              ///< of the impact
};

/// The axis along which such a cue moves, unit.
Eigen::Vector3d cue_direction(const CueShot& shot);
/// Where its tip touches a ball with this centre [m].
Eigen::Vector3d tip_place(const CueShot& shot, const Eigen::Vector3d& centre, double radius);

/// Length and radius of the stick that must not start inside a ball [m].
inline constexpr double cue_length = 1.4, cue_radius = 0.0065;

/// The first of the bodies inside which the cue would start when its tip touches one of them; none: it is free.
/// @throws InvalidInput naming `ball` (there is no such body, or it is not a ball)
std::optional<std::size_t> body_in_the_way(const CueShot& shot, const std::vector<WorldBody>& bodies, std::size_t ball);

/// The tip meets a ball that rests, or moves: an impact of the ball and a mass that is `mass` along the cue and
/// `end_mass` across, with Coulomb friction at the tip; with the cloth both contacts at once (simultaneous springs).
/// @param ball    movable, its inertia the same about every axis
/// @throws InvalidInput naming `ball`, `radius`, `cue.mass`, ..., `shot.speed`, `shot.elevation`, `shot.side` (the tip
/// would pass beside the ball), `cloth.friction`, ..., or `shot` (the ball runs away from the tip)
/// Source: squirt and speed of a tip that holds are those of Alciatore, The Illustrated Principles of Pool and
/// Billiards (technical proofs A.30, A.31)
CueStrike cue_strike(const Body& ball, double radius, const Cue& cue, const CueShot& shot,
                     const std::optional<CueCloth>& cloth = std::nullopt);

}  // namespace carom

#pragma GCC visibility pop
