// Where do slipping vertices come to rest? The quadratic equations of the thesis solved by following all roots of a
// simple system to theirs: slow, needs no guess, finds every root. It cross-checks the semismooth Newton of
// contact_solver.hpp for a few slipping vertices. Source: Wang 2017, (6.4)-(6.13), algorithm 8, with a complex gamma:
// the printed start system is real and loses roots.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <cstdint>
#include <vector>

#include "contact_solver.hpp"

namespace carom::soft {

/// x^T Q x + l . x + c = 0.
struct Quadric {
  Eigen::MatrixXd quadratic;
  Eigen::VectorXd linear;
  double constant = 0.0;
};

/// All isolated roots of as many equations as unknowns that are finite, each once.
/// @param seed  of the start system; what comes out does not depend on it
std::vector<Eigen::VectorXcd> all_roots(const std::vector<Quadric>& system, std::uint64_t seed);

/// At most so many vertices slip: paths grow by 2 (table, along a line), 4 (table, any direction; finger, along a great
/// circle) or 16 (finger, any direction) each. Of the last kind four would be 65536 paths.
inline constexpr std::size_t most_slipping = 4, most_slipping_on_fingers = 2;

/// How slipping vertices move.
enum class SlipDirection {
  prescribed,  ///< against the friction force before they slip (Wang 2017, section 6.2.1); on a finger along a great
               ///< circle
  implicit     ///< against their friction force, as the contact solver has it: f_T x u_T = 0
};

/// What the touches of a state do under a drive when its slipping ones slip and the others stay where they are
/// anchored.
struct SlipRoot {
  std::vector<Eigen::Vector3d> forces;  ///< of all touches [N]
  std::vector<Eigen::Vector3d> slips;   ///< of the slipping ones [m]
};

/// Roots with normal forces that press and friction that opposes the slip.
/// @param state   touches with anchors and with the states that hold; those that slip are the unknowns
/// @param before  forces of all touches if none slipped, of which `prescribed` takes the direction
/// @throws InvalidInput naming `state` when more than most_slipping slip, or, with the direction implicit, more than
/// most_slipping_on_fingers on fingers
std::vector<SlipRoot> slip_roots(ContactSolver& solver, const GraspState& state, SlipDirection direction,
                                 std::uint64_t seed);

/// The same equations by Newton's method from where nothing has slipped: the nearest root (directions prescribed, or on
/// the table only).
SlipRoot slip_by_newton(ContactSolver& solver, const GraspState& state, SlipDirection direction);

}  // namespace carom::soft
