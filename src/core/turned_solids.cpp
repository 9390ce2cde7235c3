// Solids that come from a lathe or a drill: mass properties by integration.
#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "carom/core/error.hpp"
#include "carom/core/inertia.hpp"

namespace carom {

namespace {

using Eigen::Matrix3d, Eigen::Vector2d, Eigen::Vector3d;

/// Volume and its first and second moments.
struct VolumeMoments {
  double volume = 0.0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();

  MassProperties properties(double mass) const {
    MassProperties result;
    result.mass = mass;
    result.center = first / volume;
    const Matrix3d about = mass * (second / volume - result.center * result.center.transpose());
    result.inertia = about.trace() * Matrix3d::Identity() - about;
    return result;
  }
};

std::string item(const char* list, std::size_t i) { return std::string(list) + "[" + std::to_string(i) + "]"; }

/// Where a line from inside a ball comes out of it.
double way_out(const Vector3d& from, const Vector3d& along, double radius) {
  const double ahead = from.dot(along), across = (from - ahead * along).squaredNorm();
  return std::sqrt(radius * radius - across) - ahead;
}

/// How near two segments come to each other: over the ends of each, and inside both.
double distance_between(const Vector3d& a0, const Vector3d& a1, const Vector3d& b0, const Vector3d& b1) {
  const Vector3d a = a1 - a0, b = b1 - b0, r = a0 - b0;
  const double aa = a.squaredNorm(), bb = b.squaredNorm(), ab = a.dot(b), ar = a.dot(r), br = b.dot(r);
  const double least = 1e-12 * aa * bb, det = aa * bb - ab * ab;
  double s = det > least ? std::clamp((ab * br - bb * ar) / det, 0.0, 1.0) : 0.0;
  const double t = std::clamp((ab * s + br) / bb, 0.0, 1.0);
  s = std::clamp((ab * t - ar) / aa, 0.0, 1.0);
  return (r + s * a - t * b).norm();
}

struct Bore {
  Vector3d bottom, along, mouth;
  double radius = 0.0;
};

Bore bore_of(const DrilledHole& hole, double ball, const std::string& where) {
  require_positive(where + ".radius", hole.radius);
  if (!hole.bottom.allFinite()) throw InvalidInput(where + ".bottom", "must be finite");
  Bore bore{hole.bottom, hole.direction.stableNormalized(), {}, hole.radius};
  if (!bore.along.allFinite() || bore.along.isZero())
    throw InvalidInput(where + ".direction", "must be finite and not zero");
  const double across = (hole.bottom - hole.bottom.dot(bore.along) * bore.along).norm();
  const double rim = std::sqrt(hole.bottom.squaredNorm() + hole.radius * hole.radius + 2.0 * hole.radius * across);
  if (!(rim < ball))
    throw InvalidInput(where + ".bottom", "must lie inside the ball with all of its rim, which reaches " +
                                              number_text(rim) + " from its centre");
  bore.mouth = bore.bottom + way_out(bore.bottom, bore.along, ball) * bore.along;
  return bore;
}

/// What a hole takes away: over its bottom in polar coordinates (Gauss along the radius, even angles), in closed form
/// from there to the sphere.
VolumeMoments taken_by(const Bore& bore, double ball) {
  using Gauss = boost::math::quadrature::gauss<double, 30>;
  constexpr int angles = 64;
  const Vector3d e1 = bore.along.unitOrthogonal(), e2 = bore.along.cross(e1);
  VolumeMoments taken;
  const auto ring = [&](double x, double weight) {
    const double r = 0.5 * bore.radius * (1.0 + x);
    for (int k = 0; k < angles; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / angles;
      const Vector3d q = bore.bottom + r * (std::cos(angle) * e1 + std::sin(angle) * e2);
      const double u = way_out(q, bore.along, ball);
      const double w = weight * 0.5 * bore.radius * r * (2.0 * std::numbers::pi / angles);
      const Matrix3d mixed = q * bore.along.transpose();
      taken.volume += w * u;
      taken.first += w * (u * q + 0.5 * u * u * bore.along);
      taken.second += w * (u * q * q.transpose() + 0.5 * u * u * (mixed + mixed.transpose()) +
                           u * u * u / 3.0 * bore.along * bore.along.transpose());
    }
  };
  for (std::size_t i = 0; i < Gauss::abscissa().size(); ++i) {
    ring(Gauss::abscissa()[i], Gauss::weights()[i]);
    ring(-Gauss::abscissa()[i], Gauss::weights()[i]);
  }
  return taken;
}

}  // namespace

MassProperties revolution(double mass, std::span<const Vector2d> profile) {
  require_positive("mass", mass);
  if (profile.size() < 2)
    throw InvalidInput("profile", "must have at least 2 points, got " + std::to_string(profile.size()));
  for (std::size_t i = 0; i < profile.size(); ++i) {
    if (!profile[i].allFinite()) throw InvalidInput(item("profile", i), "must be finite");
    if (profile[i][0] < 0.0)
      throw InvalidInput(item("profile", i),
                         "must not be on the other side of the axis, got a distance of " + number_text(profile[i][0]));
    if (i > 0 && profile[i][1] < profile[i - 1][1])
      throw InvalidInput(item("profile", i),
                         "must not lie below the point before it, at z = " + number_text(profile[i - 1][1]) + ", got " +
                             number_text(profile[i][1]));
  }
  // Three Gauss points a piece: exact for the squares and fourth powers of what is linear. About the lower end.
  const double node = std::sqrt(0.6);
  const double nodes[] = {-node, 0.0, node}, weights[] = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};
  VolumeMoments m;
  const double base = profile.front()[1];
  for (std::size_t i = 0; i + 1 < profile.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const Vector2d at = profile[i] + 0.5 * (1.0 + nodes[k]) * (profile[i + 1] - profile[i]);
      const double r2 = at[0] * at[0], z = at[1] - base;
      const double slice = 0.5 * weights[k] * (profile[i + 1][1] - profile[i][1]) * std::numbers::pi * r2;
      m.volume += slice;
      m.first[2] += slice * z;
      m.second.diagonal() += slice * Vector3d(0.25 * r2, 0.25 * r2, z * z);
    }
  if (!(m.volume > 0.0)) throw InvalidInput("profile", "must enclose a volume");
  MassProperties result = m.properties(mass);
  result.center[2] += base;
  return result;
}

MassProperties drilled_ball(double mass, double radius, std::span<const DrilledHole> holes) {
  require_positive("mass", mass);
  require_positive("radius", radius);
  VolumeMoments m;
  m.volume = 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
  m.second = m.volume * radius * radius / 5.0 * Matrix3d::Identity();
  std::vector<Bore> bores;
  for (std::size_t i = 0; i < holes.size(); ++i) {
    bores.push_back(bore_of(holes[i], radius, item("holes", i)));
    const Bore& bore = bores.back();
    for (std::size_t j = 0; j < i; ++j)
      if (distance_between(bore.bottom, bore.mouth, bores[j].bottom, bores[j].mouth) <= bore.radius + bores[j].radius)
        throw InvalidInput(item("holes", i), "meets " + item("holes", j) + ": their axes come too near to each other");
    const VolumeMoments taken = taken_by(bore, radius);
    m.volume -= taken.volume;
    m.first -= taken.first;
    m.second -= taken.second;
  }
  return m.properties(mass);
}

}  // namespace carom
