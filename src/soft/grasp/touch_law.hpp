// Coulomb's law of one vertex at one obstacle as an equation that semismooth Newton can solve: free, stick or slip by
// where force and position stand now, with derivatives of the chosen branch. docs/theory/grasp.md.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "carom/soft/grasp.hpp"

namespace carom::soft {

/// The table (no radius: a plane z = centre[2]) or a finger (a ball).
struct ObstacleShape {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double radius = 0.0;
  double friction = 0.0;
};

/// Distance of a point, the normal from the obstacle there, and how the normal turns as the point moves.
struct Gap {
  double phi = 0.0;
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();
  Eigen::Matrix3d normal_by_point = Eigen::Matrix3d::Zero();
};

inline Gap gap_at(const ObstacleShape& obstacle, const Eigen::Vector3d& point) {
  if (obstacle.radius == 0.0) return {point[2] - obstacle.centre[2], Eigen::Vector3d::UnitZ(), Eigen::Matrix3d::Zero()};
  const Eigen::Vector3d arm = point - obstacle.centre;
  const double distance = arm.norm();
  const Eigen::Vector3d n = arm / distance;
  return {distance - obstacle.radius, n, (Eigen::Matrix3d::Identity() - n * n.transpose()) / distance};
}

struct TouchEquation {
  TouchState state = TouchState::free;
  Eigen::Vector3d residual = Eigen::Vector3d::Zero();      ///< [N]
  Eigen::Matrix3d by_force = Eigen::Matrix3d::Identity();  ///< [-]
  Eigen::Matrix3d by_point = Eigen::Matrix3d::Zero();      ///< [N/m]
  double slipped = 0.0;                                    ///< |u_T| [m]
};

/// @param force   of the obstacle on the body [N]
/// @param point   where the vertex is; `anchor`: where it last was, moved along with the obstacle [m]
/// @param rho     stiffness that makes lengths forces [N/m]
/// @param forced  the branch to take whatever force and point say
inline TouchEquation touch_equation(const ObstacleShape& obstacle, const Eigen::Vector3d& force,
                                    const Eigen::Vector3d& point, const Eigen::Vector3d& anchor, double rho,
                                    std::optional<TouchState> forced = {}) {
  using Eigen::Matrix3d;
  using Eigen::Vector3d;
  const auto [phi, n, dn] = gap_at(obstacle, point);
  const Matrix3d tangent = Matrix3d::Identity() - n * n.transpose();
  const Vector3d moved = point - anchor;
  const double fn = force.dot(n), away = n.dot(moved);
  const Vector3d ft = force - fn * n, u = moved - away * n;
  const double sn = fn - rho * phi;
  const Vector3d st = ft - rho * u;
  const double st_norm = st.norm();

  TouchEquation e;
  e.slipped = u.norm();
  e.state = forced                              ? *forced
            : sn <= 0.0                         ? TouchState::free
            : st_norm <= obstacle.friction * sn ? TouchState::stick
                                                : TouchState::slip;
  if (e.state == TouchState::free) {
    e.residual = force;
    return e;
  }
  // d u = T dy - n (w . dn) - (n . w) dn with w = y - anchor; T kills n, and dn is tangential.
  const Matrix3d du = tangent - n * (moved.transpose() * dn) - away * dn;
  if (e.state == TouchState::stick) {
    e.residual = rho * (phi * n + u);
    e.by_force.setZero();
    e.by_point = rho * (n * n.transpose() + phi * dn + du);
    return e;
  }
  const Vector3d t = st_norm > 0.0 ? Vector3d(st / st_norm) : Vector3d::Zero();
  const Matrix3d turn =
      st_norm > 0.0 ? Matrix3d((Matrix3d::Identity() - t * t.transpose()) / st_norm) : Matrix3d::Zero();
  const double mu = obstacle.friction;
  // f_T and f_N by force and by point.
  const Matrix3d dft_by_point = -n * (force.transpose() * dn) - fn * dn;
  const Eigen::RowVector3d dfn_by_point = force.transpose() * dn;
  e.residual = rho * phi * n + ft - mu * fn * t;
  e.by_force = tangent - mu * (t * n.transpose() + fn * turn * tangent);
  e.by_point = rho * (n * n.transpose() + phi * dn) + dft_by_point -
               mu * (t * dfn_by_point + fn * turn * (dft_by_point - rho * du));
  return e;
}

}  // namespace carom::soft
