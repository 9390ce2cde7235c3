// Where should the bat be held?
// Tilting the bat about the contact turns the friction cone, and touching it elsewhere on its face changes how it
// answers: a target out of reach, or without a closed form, may come within it. The thesis leaves this open (Wang 2017,
// section 4.6); here tilts and contact points are tried on a grid, leaving out those that would penetrate the object or
// miss the bat's face.
// Theory: docs/theory/planning.md.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <vector>

#include "carom/plan/batting.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// Who strikes what, before the bat is moved.
struct BattingScene {
  Body object, bat;
  Contact contact;  ///< the normal is that of the bat's face, into the object
  Material material;
  RestitutionLaw law = RestitutionLaw::energetic;
  Eigen::Vector3d target = Eigen::Vector3d::UnitX();  ///< [m]
  double gravity = 9.8;                               ///< [m/s^2]
  std::optional<TangentialSprings> springs = {};      ///< the compliant model is the forward law
  std::optional<BatLimits> limits = {};               ///< plans within them come first
};

/// How the bat may be moved.
struct BatMoves {
  double most_tilt = 0.0;                                ///< about each tangent of the contact [rad], in [0, pi/2)
  int tilts = 9;                                         ///< tried about each
  Eigen::Vector2d most_shift = Eigen::Vector2d::Zero();  ///< of the contact point over the bat's face [m]
  int shifts = 1;                                        ///< tried along each
  std::vector<Eigen::Vector3d> object_points = {};       ///< corners of the object, world axes: they must stay in
                                                         ///< front of the bat's face; none: not checked
  /// The same of an object that is not the hull of corners: its point farthest in a direction, world axes [m].
  std::function<Eigen::Vector3d(const Eigen::Vector3d& direction)> object_support = {};
  double object_radius = 0.0;  ///< of the object's rounding at the contact [m], >= 0: as the bat is tilted the contact
                               ///< point rolls over it. A ball's radius; 0 where a corner touches
  std::vector<Eigen::Vector2d> face = {};  ///< corners of the bat's face around it, in the tangents of the contact and
                                           ///< from there [m], convex: contact points beyond it are left out; none: not
                                           ///< checked
};

/// A corner may lie this far behind the face, as a share of its distance from the contact: rounding.
inline constexpr double penetration_tolerance = 1e-9;

/// Which plans count.
enum class BatSearchFor : std::uint8_t {
  best,         ///< the best plan by the objective over all poses
  closed_form,  ///< a plan in closed form, with the least tilt
  any           ///< any plan, with the least tilt
};

struct BatPose {
  Eigen::Vector2d tilt = Eigen::Vector2d::Zero();   ///< about t1 and t2 of the contact as it was [rad]
  Eigen::Vector2d shift = Eigen::Vector2d::Zero();  ///< of the contact point over the face [m]
  Body bat;
  Contact contact;
};

struct BatSearch {
  BatPose pose;
  BattingPlan plan;     ///< plan.found: whether there is one
  int tried = 0;        ///< poses in all, of which these were left out:
  int penetrating = 0;  ///< the bat would cut the object
  int off_face = 0;     ///< the contact point would lie beyond the bat's face
};

/// The bat, tilted and shifted.
/// @param radius  of the object's rounding at the contact [m]: the contact point rolls over it
BatPose moved_bat(const BattingScene& scene, const Eigen::Vector2d& tilt, const Eigen::Vector2d& shift,
                  double radius = 0.0);

/// Does the bat's face, taken as a plane, cut the object?
bool penetrates(const BatPose& pose, const std::vector<Eigen::Vector3d>& object_points);

/// Is a point inside a convex polygon, given by its corners in order (either way round)? Its edge counts as inside.
bool on_face(const std::vector<Eigen::Vector2d>& face, const Eigen::Vector2d& point);

/// @throws InvalidInput as batting_problem(), or naming `most_tilt`, `tilts`, `most_shift`, `shifts`, `object_radius`,
/// or `law` (a closed form with tangential springs)
BatSearch search_bat(const BattingScene& scene, const BatMoves& moves, BatSearchFor what,
                     BattingObjective objective = BattingObjective::least_impulse, const BattingSpread& spread = {});

}  // namespace carom

#pragma GCC visibility pop
