// The scenario of an impact with tangential compliance: its problem and result, shared by the file that runs it and the
// one that draws it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/impact/collide.hpp"
#include "carom/report/document.hpp"

#include "parts/compliant.hpp"
#include "parts/impact.hpp"
#include "parts/spatial.hpp"
#include "pictures/motion.hpp"

namespace carom::scenario {

/// What a sweep can change: a coefficient, one component of A's velocity or spin, or the angle between A's velocity and
/// the normal at unchanged speed.
enum class Varied { mu, e, eta0, velocity_x, velocity_y, velocity_z, spin_x, spin_y, spin_z, incidence };

/// Measurements to hold against a sweep over the incidence.
struct Measured {
  std::string source;
  std::vector<double> degrees;  ///< angle of incidence
  std::vector<double> ratio;    ///< tangential velocity of A's centre, after / before
};

struct CompliantSweep {
  Varied vary = Varied::mu;
  double from = 0.0, to = 1.0;
  int steps = 101;
  std::optional<Measured> measured;
};

struct CompliantScenario {
  // One of these three says what collides.
  std::optional<std::vector<NamedBody>> bodies;
  std::optional<ContactSpace> space;
  std::optional<MechanicalSystem> system;

  std::optional<Contact> contact;
  CompliantSurface surface;
  Reading reading = Reading::model;
  std::optional<CompliantSweep> sweep;
  std::optional<Frames> frames;
};

/// How A moves after the impact; without bodies, how the contact point does and no spin.
struct Motion {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< [m/s]
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();      ///< [rad/s]
  double tangential_ratio = 0.0;                       ///< tangential velocity after / before; NaN if none before
};

struct SweepPoint {
  double value = 0.0;
  Motion motion, rigid;
};

struct CompliantRun {
  CompliantProblem problem;
  CompliantImpact impact;
  SpatialImpact rigid;                  ///< the same without compliance
  std::vector<NamedBody> bodies_after;  ///< empty without bodies
  Eigen::VectorXd system_velocity_after;
  std::vector<SweepPoint> swept;
};

/// "mu", "V_x", ...: the name in files; and on an axis, with its unit.
const char* name(Varied varied);
const char* axis_label(Varied varied);

/// Impulse curve; velocity, spring rates, lengths and energies over the normal impulse; the sweep; the motion: as far
/// as asked for.
std::vector<report::Plot> compliant_pictures(const CompliantScenario& scenario, const CompliantRun& run);

}  // namespace carom::scenario
