// What happens when a rigid body strikes several points at once?
// With friction there are more impulse components than equations, so rigid-body mechanics alone does not decide. Two
// rigid answers for any mechanical system given by its mass matrix and contact Jacobian: Rodriguez's (Newton's
// restitution, least slip at one examined contact) and the complementarity problem with Coulomb friction, which may
// have one solution, several or none. Every solution says how believable it is: friction needed, energy gained.
// The third answer gives the contacts springs; over all ratios of stiffness and orders of contact it is a set.
// Theory: docs/theory/multipoint.md. Source: Rodriguez 2010, with the corrections named there.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <vector>

#include "carom/core/energy.hpp"
#include "carom/core/mechanical_system.hpp"
#include "carom/impact/impact.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// The two coefficients of one contact.
struct StickSlipFriction {
  double static_friction = 0.0;   ///< mu_s [-], >= mu_d
  double dynamic_friction = 0.0;  ///< mu_d [-], >= 0
};

/// A mechanical system about to strike k points at once; normals point into it.
struct MultipointProblem : MechanicalSystem {
  int dimension = 2;                ///< 2 (rows (t, n)) or 3 (rows (t1, t2, n))
  std::vector<double> restitution;  ///< Newton's e in [0, 1] [-]: one for all contacts, or one per contact
  double static_friction = 0.0;     ///< mu_s [-], >= mu_d
  double dynamic_friction = 0.0;    ///< mu_d [-], >= 0
  /// One per contact where they differ; empty: the two numbers above for all.
  std::vector<StickSlipFriction> frictions = {};
  std::optional<int> examine;  ///< Rodriguez: only this contact (0-based); nothing: each in turn
};

enum class MultipointStatus : std::uint8_t {
  stick,                ///< Rodriguez: the examined contact sticks. LCP: every pressed contact sticks
  slip_boundary,        ///< Rodriguez: sticking would need a pulling normal impulse; least slip with none at all
  slip,                 ///< at least one contact (Rodriguez: the examined one) slips, or nothing is pressed
  continuum,            ///< LCP: one of infinitely many velocities of the same contact modes
  restitution_violated  ///< Rodriguez: a normal that depends on others breaks Newton's law (see `violated`)
};
template <>
inline constexpr auto names_of<MultipointStatus> = std::to_array<Named<MultipointStatus>>({
    {MultipointStatus::stick, "stick"},
    {MultipointStatus::slip_boundary, "slip_boundary"},
    {MultipointStatus::slip, "slip"},
    {MultipointStatus::continuum, "continuum"},
    {MultipointStatus::restitution_violated, "restitution_violated"},
});

/// One way the impact can end. Impulses have one column per contact, axes (t, n) or (t1, t2, n), on the body [N s]. The
/// losses of its ledger go with `impulses`: the work of each component at its mean velocity; with springs they are
/// those of the springs and of friction along the way. Its flags: energy_gain.
struct MultipointSolution : ImpactSummary {
  Eigen::VectorXd velocity;        ///< qdot just after
  Eigen::MatrixXd impulses;        ///< Rodriguez: the minimum-norm split. LCP: the minimum-norm one its laws allow
  std::optional<int> examined;     ///< Rodriguez: the examined contact
  std::vector<int> sticking;       ///< contacts that took part and end without slip
  std::vector<int> violated;       ///< contacts whose normal breaks v_n+ = -e v_n- because it depends on others
  bool examined_normal_ok = true;  ///< Rodriguez: the examined contact pushes (false: no choice of slip makes it)
  bool other_normals_ok = true;    ///< no other contact pulls in `impulses`
  /// Least friction coefficient with which some split of the same velocity change stays in every friction cone [-]:
  /// the infimum over p + null(J^T). Nothing when no split has all normals pushing, or none with finite friction.
  std::optional<double> required_friction;
  bool required_friction_attained = true;  ///< false: approached only as the impulses grow without bound
  /// The smallest split that needs no more than required_friction (no more than split_margin above it when that is not
  /// attained); empty without one.
  Eigen::MatrixXd best_split;
  bool coulomb_met = false;  ///< some split lies in every friction cone of mu_s (the least one), whatever slips
  /// Some split with every p_n >= 0 obeys Coulomb's law for the velocity after (Rodriguez 2010, eq. 4.13): |p_t| <=
  /// mu_s p_n where a contact sticks, p_t = -mu_d p_n v_t/|v_t| where it slips.
  bool friction_law_met = false;
  /// Contacts that violate it in the split of least summed violation (stick: |p_t| - mu_s p_n, slip: |p_t + mu_d p_n
  /// v_t/|v_t||; of several such splits the smallest); where every split pulls, those that pull in the one of least
  /// summed pull. Ascending; empty when the law is met.
  std::vector<int> friction_law_broken_at;
  /// The tangential impulses gave energy (energy.friction_loss < 0). Rigid laws ask friction to oppose the slip
  /// *after*; where another contact's impulse reverses the slip, that may be along the mean slip.
  bool friction_gain = false;
  MultipointStatus status = MultipointStatus::slip;
};

/// All answers to one impact.
struct MultipointImpact {
  std::vector<MultipointSolution> solutions;
  bool exhaustive = true;    ///< false: there may be solutions that were not found
  std::vector<int> removed;  ///< contacts already separating (v_n > 0), left out: no impulse
  /// overflow: a number left the range of a double. ill_conditioned: a dependence among the rows of J is neither exact
  /// nor clear, or an answer misses its laws by more than law_accuracy: rounding of the input may change it.
  /// no_required_friction: some answer has none. event_limit (springs only): friction never lets go, or a bound was
  /// reached; the state is that of then.
  Flags flags;
};

/// Springs at the contacts: the third answer. Friction is mu_d, restitution energetic.
struct MultipointSprings {
  std::vector<double> stiffness;  ///< k of F = k d^exponent, > 0, one per contact; empty: all alike. Only ratios matter
  double exponent = 1.0;          ///< 1 (linear) or 1.5 (Hertz)
  std::optional<double> eta0;     ///< root of normal over tangential stiffness, > 0; none: rigid Coulomb friction
  double tolerance = 1e-10;       ///< relative error of the velocities, in [1e-14, 1e-2]
};

/// Which ratios of stiffness to try: from low to high, evenly in their logarithm.
struct StiffnessSweep {
  double low = 0.1, high = 10.0;  ///< > 0, low < high
  int samples = 41;               ///< at least 2; odd: the middle is the geometric mean
};

/// Every outcome that springs allow, as far as tried.
struct MultipointOutcomes {
  struct Sprung {
    double stiffness_ratio = 1.0;  ///< the swept contact's stiffness, over what `stiffness` says it is
    Eigen::VectorXd velocity;      ///< qdot just after
    bool event_limit = false;
  };
  struct Ordered {
    std::vector<int> order;    ///< contacts struck one at a time, in this order, until none approaches
    Eigen::VectorXd velocity;  ///< qdot just after
    bool event_limit = false;
  };
  std::vector<Sprung> by_ratio;   ///< the ratio rising
  std::vector<Ordered> by_order;  ///< all orders of up to max_ordered_contacts, else the list's and its reverse
  Eigen::VectorXd low, high;      ///< the spread: least and greatest of every velocity over both lists
};

/// Up to so many planar contacts the LCP's 4^k contact modes are all tried; above, several starts of an iteration.
inline constexpr int max_enumerated_contacts = 8;

/// How far above an unattained required_friction the friction of best_split lies, as a share of (1 + it).
inline constexpr double split_margin = 1e-3;

/// A contact counts in friction_law_broken_at if its violation exceeds this share of the largest impulse of the split.
inline constexpr double friction_law_share = 1e-9;

/// What an answer may miss its laws by, against the largest velocities and impulses, before it counts as ill
/// conditioned.
inline constexpr double law_accuracy = 1e-9;

/// Up to so many contacts every order of striking is tried: 4! = 24.
inline constexpr int max_ordered_contacts = 4;

/// The work allowed to multipoint_compliant, and to all impacts of multipoint_outcomes together, in the unit of
/// max_simultaneous_work: less than that, since a row may ask for both. Each ratio or order in turn may use an equal
/// share of what is left; one that needs more ends with event_limit.
inline constexpr double max_multipoint_work = 500'000.0;

/// Problems larger than this are refused. Every answer is judged by programmes over all splits of its impulses, whose
/// work grows as the cube of the rows of J: (rows of J)^3 times the contacts to be examined (Rodriguez) may not exceed
/// the second number. That is 24 contacts in space or 33 in the plane, all examined, some seconds at .1 to .5 us; one
/// examined, or by the other methods, 71 or 107.
inline constexpr int max_multipoint_coordinates = 1000;
inline constexpr double max_multipoint_split_work = 1e7;

/// Rodriguez's answer: v_n+ = -e v_n- at the independent normals, then the least slip at the examined contact (then at
/// the others in order) that keeps its minimum-norm normal impulse from pulling.
/// @return  one solution per examined contact, in order; none if the contact to examine is already separating; the
///          velocity unchanged, with nothing examined, if all are
/// @throws InvalidInput naming `mass_matrix`, `jacobian`, `dimension`, `velocity`, `restitution`,
/// `static_friction`, `dynamic_friction` or `examine`
/// Source: Rodriguez 2010, eqs. 4.9 to 4.20, as read in docs/theory/multipoint.md
MultipointImpact multipoint_rodriguez(const MultipointProblem& problem);

/// Newton's restitution and Coulomb friction at all contacts together, as a complementarity problem:
/// 0 <= p_n, v_n+ >= -e v_n-, one of them equal; stick with |p_t| <= mu_s p_n, slip with p_t = -mu_d p_n v_t/|v_t|.
/// @return  solutions with distinct velocities, sorted by velocity; the list may be empty. Planar up to
///          max_enumerated_contacts: all of them (of a continuum, one). Else those found, `exhaustive` false
/// @throws InvalidInput as multipoint_rodriguez
MultipointImpact multipoint_lcp(const MultipointProblem& problem);

/// The answer of springs of given stiffness: the simultaneous model (carom/impact/simultaneous.hpp) for a mechanical
/// system. Restitution below smallest_restitution counts as that.
/// @return  one solution
/// @throws InvalidInput as multipoint_rodriguez, or naming `stiffness`, `stiffness[k]`, `exponent`, `eta0`, `tolerance`
MultipointImpact multipoint_compliant(const MultipointProblem& problem, const MultipointSprings& springs);

/// All that springs can make of the impact: the stiffness of one contact (problem.examine, else the last) is swept, and
/// the contacts are struck one after another in every order, as small gaps would have it.
/// @throws InvalidInput as multipoint_compliant, or naming `stiffness_range`, `samples`
MultipointOutcomes multipoint_outcomes(const MultipointProblem& problem, const MultipointSprings& springs,
                                       const StiffnessSweep& sweep);

}  // namespace carom

#pragma GCC visibility pop
