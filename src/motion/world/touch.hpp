// When two courses meet next.
#pragma once

#include "course.hpp"

namespace carom::world {

/// What a body can meet that does not move: a plane (axis: its normal), the inside of a tube, or the nose of a cushion
/// (axis: along the line from `point`; zero where that is a point).
struct Wall {
  PartnerKind kind = PartnerKind::plane;
  Vector3d point = Vector3d::Zero(), axis = Vector3d::UnitZ();
  double radius = 0.0;                 ///< of a tube; the rounding of a cushion
  double length = 0.0;                 ///< of a cushion
  Vector3d across = Vector3d::Zero();  ///< of a cushion: its normal
};

/// Where a ball touches something, or is closest to it.
struct Gap {
  double gap = 0.0;                    ///< [m]; negative: they overlap
  Vector3d normal = Vector3d::Zero();  ///< unit, into the first; zero where there is no telling
  Vector3d point = Vector3d::Zero();
};
Gap gap_between(const Vector3d& first, double first_radius, const Vector3d& second, double second_radius);
Gap gap_between(const Vector3d& ball, double radius, const Wall& wall);

/// Gaps below this are closed: a share of the radius, and what rounding does to places far from the origin.
double gap_noise(double size, const Vector3d& position);

/// What rounding leaves of the way of a body since the start of its course [m].
double way_grain(const Course& course);

/// A prediction counts from `base`, the later start of the two courses, and depends on nothing but them: whenever it
/// is made, its bits are the same.
struct Prediction {
  double base = 0.0;
  double span = never;   ///< they touch at base + span; or are free until then
  bool touches = false;  ///< else, if span is finite, the search has got so far and can go on from there
};

/// The first touch after `from` (counted from the base) and not after `horizon` (as time of the scene).
Prediction predict(const Course& a, const Course& b, double from, double horizon);
Prediction predict(const Course& a, const Wall& wall, double from, double horizon);

/// When the centre of a ball that runs on a plane comes within a circle there.
Prediction predict_fall(const Course& a, const Vector3d& centre, double radius, const Vector3d& normal, double from,
                        double horizon);

}  // namespace carom::world
