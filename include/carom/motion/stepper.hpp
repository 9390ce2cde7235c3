// How do bodies move at a fixed tick when their contacts last: landing, rolling, pressing on a surface?
// Balls and points fixed to rigid bodies meet planes, the inside of cylinders and each other, with the forces of the
// room contact. At a fixed tick, with explicit steps of order 3 and as many substeps as the contacts need (for real
// time); or accurately, landing on every switch of the law. Gonthier et al. 2004, section 3.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "carom/contact/point_contact.hpp"
#include "carom/core/body.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// A ball fixed to a body, a point of it, or a point of a round rim that is nearest to a plane.
struct Tip {
  std::size_t body = 0;                              ///< number of the body
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< from the body's centre of mass, body axes [m]
  double radius = 0.0;                               ///< [m], >= 0; 0: a point
  /// Radius of a rim about the centre [m], >= 0; against planes only. Its point nearest to the plane touches, and as
  /// tips of their own those that are 1 to 3 quarters of a turn from there: they carry a disc that lies flat.
  double rim = 0.0;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< of the rim, unit, body axes
  int quarter = 0;
};

enum class SurfaceShape {
  plane,    ///< through `point`, with the normal `direction` into the open
  cylinder  ///< the inside of one about the axis through `point` along `direction`
};

/// A surface that does not move.
struct FixedSurface {
  SurfaceShape shape = SurfaceShape::plane;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Vector3d direction = Eigen::Vector3d::UnitZ();  ///< unit vector
  double radius = 1.0;                                   ///< of the cylinder [m], greater than that of the tip
};

/// Two things that may touch.
struct CompliantPair {
  Tip tip;
  std::variant<FixedSurface, Tip> against;  ///< another tip: of another body, and not both points
  ContactSurface material;
  /// Least touch speed to reckon with [m/s], > 0. None: resting_touch_speed under the gravity along the normal of a
  /// plane, or all of it where that does not press or elsewhere; without gravity it must be given where e < 1.
  std::optional<double> v_min;
};

struct CompliantScene {
  std::vector<Body> bodies;
  std::vector<CompliantPair> pairs;
  Eigen::Vector3d gravity = Eigen::Vector3d(0.0, 0.0, -9.81);  ///< [m/s^2]
};

enum class StepMode {
  fixed,    ///< explicit steps of order 3 (Bogacki and Shampine) that land on first touches; other switches are taken
            ///< where a stage finds them
  accurate  ///< order 8, every touch, release and switch of friction located (core/switched_system.hpp)
};

struct StepperSettings {
  StepMode mode = StepMode::fixed;
  double step = 1e-3;  ///< of the tick [s], > 0
  int substeps = 0;    ///< of `fixed`, per tick; 0: as many as accurate_substep asks for while something touches
};

/// Slip under a load, where the friction is LuGre's: its bristles give way at the rate sigma0 |v| / g.
struct Sliding {
  double speed = 0.0;  ///< [m/s], >= 0
  double load = 0.0;   ///< [N], >= 0
};

/// Longest substep [s] that contacts are accurate with: a twentieth of the time of touch, .5 sqrt(m_t/sigma0), and 1.2
/// over each rate at which something decays: m_t/(sigma1 + sigma2), the bristles' sigma1/sigma0 (LuGre's: g/(sigma0
/// |v|) beside the damping), tau_dw, and the damping of the normal force at its deepest; m_t is the mass that a contact
/// shows to a tangential force. Never longer than stable_substep. With it a touch delivers its e to .3 % (exponents >=
/// 1).
/// @param normal_mass      m_n = 1/W_nn [kg], > 0
/// @param tangential_mass  m_t [kg], > 0: for a solid ball 2/7 of its mass
/// @param speed            of approach [m/s], > 0
/// @param sliding          matters for LuGre only
double accurate_substep(const ContactSurface& surface, double normal_mass, double tangential_mass, double speed,
                        const Sliding& sliding = {});

/// Longest step [s] with which explicit steps of order 3 stay bounded: tangentially while the contact sticks or slips,
/// normally at the deepest indentation of a touch. The same parameters.
double stable_substep(const ContactSurface& surface, double normal_mass, double tangential_mass, double speed,
                      const Sliding& sliding = {});

/// Substeps that one tick may take; beyond it the tick is refused.
inline constexpr std::size_t max_substeps = 1'000'000;

/// A pair now.
struct PairState {
  bool touching = false;
  double indentation = 0.0;                            ///< [m], below zero when apart
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();    ///< into the first tip's body
  Eigen::Vector3d force = Eigen::Vector3d::Zero();     ///< on the first tip's body, world axes [N]
  Eigen::Vector3d bristles = Eigen::Vector3d::Zero();  ///< z, in the surface, world axes [m]
  double dwell = 0.0;
  int touches = 0;  ///< so far
};

class CompliantStepper {
public:
  /// @throws InvalidInput naming `bodies[0].mass`, ..., `pairs[0].tip.body`, `pairs[0].against...`,
  /// `pairs[0].material.e`, ..., `pairs[0].v_min`, `gravity`, `step`, `substeps`
  CompliantStepper(const CompliantScene& scene, const StepperSettings& settings = {});
  ~CompliantStepper();
  CompliantStepper(CompliantStepper&&) noexcept;
  CompliantStepper& operator=(CompliantStepper&&) noexcept;

  /// One tick further.
  /// @throws InvalidInput naming `step`, with the longest stable one: where the number of substeps was given and is too
  /// small for the contacts of this tick, where more than max_substeps would be needed, and where the motion grows
  /// beyond all energy there is (a bound that no contact passes on its own, only in company, is found by that). The
  /// state is then that before the tick
  void advance();

  double time() const;
  const std::vector<Body>& bodies() const;
  PairState pair(std::size_t i) const;
  double kinetic_energy() const;    ///< [J]
  double potential_energy() const;  ///< of gravity, zero at the origin [J]
  double stored_energy() const;     ///< in the springs and bristles of the contacts [J]

  std::size_t ticks() const;
  std::size_t most_substeps() const;  ///< in one tick; `accurate`: steps taken or tried
  /// What was done, in a line.
  std::string summary() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace carom

#pragma GCC visibility pop
