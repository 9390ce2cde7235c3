// The parts of a multi-point impact that both rigid methods share, in units in which velocities and impulses are of
// order one: inverse inertia W between all contact axes, the impulses that move nothing, and the report on a solution.
#pragma once

#include "carom/core/linear_algebra.hpp"
#include "carom/impact/multipoint.hpp"

namespace carom::multipoint {

/// A singular value below this share of the largest is zero (the rank of J and of its normal rows).
inline constexpr double rank_tolerance = 1e-10;

/// Velocities closer than this share of the fastest contact velocity are equal; the same for impulses against the
/// impulse that stops it. Far above rounding, far below anything measured.
inline constexpr double tolerance = 1e-10;

/// What the velocity after leaves to the impulse of a contact: nothing, the cone of mu_s, or mu_d p_n against the slip.
enum class Law : std::uint8_t { no_impulse, stick, slip };

/// The contacts that take part. Velocities in units of `speed`, impulses in units of `impulse`.
struct System {
  int dimension = 2;
  Eigen::Index contacts = 0;
  std::vector<int> original;  // contact numbers in the problem
  Eigen::MatrixXd jacobian;   // J, rows of the contacts that take part
  Eigen::MatrixXd response;   // A^-1 J^T
  Eigen::MatrixXd w;          // W = J A^-1 J^T, largest diagonal entry one
  Eigen::VectorXd v;          // J qdot-
  Eigen::VectorXd rebound;    // -e v_n-, per contact, >= 0
  Eigen::MatrixXd range,
      null;              // orthonormal bases of the impulses that move something, range(J), and nothing, null(J^T)
  double speed = 0.0;    // fastest contact velocity before [m/s]; zero: nothing happens
  double impulse = 0.0;  // speed / largest diagonal entry of W [N s]
  std::vector<double> static_friction, dynamic_friction;  // of each contact
  bool marginal_rank = false;                             // a singular value of J is neither zero nor clear of it

  Eigen::Index normal(Eigen::Index contact) const { return contact * dimension + dimension - 1; }
  Eigen::Index tangent(Eigen::Index contact) const { return contact * dimension; }  // the first of dimension - 1
  double mu_s(Eigen::Index contact) const { return static_friction[static_cast<std::size_t>(contact)]; }
  double mu_d(Eigen::Index contact) const { return dynamic_friction[static_cast<std::size_t>(contact)]; }
  Eigen::VectorXd after(const Eigen::VectorXd& p) const { return v + w * p; }
  Law slip_law(const Eigen::VectorXd& after, Eigen::Index contact) const {
    return after.segment(tangent(contact), dimension - 1).norm() <= tolerance ? Law::stick : Law::slip;
  }
  Eigen::VectorXd minimum_norm(const Eigen::VectorXd& p) const { return p - null * (null.transpose() * p); }
};

/// @param each  every contact gets an answer of its own: see max_multipoint_split_work
/// @throws InvalidInput as the public functions
void require_valid(const MultipointProblem& problem, bool each = false);

/// The system of a valid problem, without its separating contacts, which are listed in `removed`.
System make_system(const MultipointProblem& problem, std::vector<int>& removed);

/// Nothing happens: velocity unchanged, no impulse.
MultipointSolution unchanged(const MultipointProblem& problem);

/// A solution from its impulses (scaled): velocity, energy, best split and all else that follows from them.
/// @param pressed  per contact of the system: may count as sticking
/// @param lawful   the impulses obey the friction law by construction
MultipointSolution make_solution(const MultipointProblem& problem, const System& system,
                                 const Eigen::VectorXd& impulses, const std::vector<bool>& pressed,
                                 bool lawful = false);

/// Adds what is to be said of its numbers: overflow, ill_conditioned.
void note_flags(const MultipointProblem& problem, const System& system, const MultipointSolution& solution,
                Flags& flags, double accuracy = law_accuracy);

/// The least friction of all splits p + null(J^T) and the split that has it.
struct Split {
  std::optional<double> friction;
  bool attained = true;
  Eigen::VectorXd impulses;
};
Split best_split(const System& system, const Eigen::VectorXd& impulses);

/// The least-norm split of these impulses in which every contact obeys its law; nothing if there is none.
std::optional<Eigen::VectorXd> lawful_split(const System& system, const Eigen::VectorXd& impulses,
                                            const std::vector<Law>& laws);

/// The contacts at which no split of these impulses obeys the friction law of the velocity after, ascending.
std::vector<int> friction_law_broken_at(const System& system, const Eigen::VectorXd& impulses);

/// If the velocity change of these impulses obeys all laws of the LCP with some split, the least-norm such split.
/// `pressed` receives the contacts with v_n+ = -e v_n-.
std::optional<Eigen::VectorXd> lawful_impulses(const System& system, const Eigen::VectorXd& impulses,
                                               std::vector<bool>& pressed);

/// offset + slope u, for the tangential velocities u still to be chosen.
struct Affine {
  Eigen::VectorXd offset;
  Eigen::MatrixXd slope;
};

/// What Newton's restitution at the independent normals leaves open (Rodriguez 2010, eqs. 4.6 to 4.9): velocities and
/// minimum-norm impulses by the tangential velocities of the kept rows, those of the examined contact first.
struct ImpulseFamily {
  std::vector<Eigen::Index> rows;  // kept: `fixed` normals, then tangentials
  Eigen::Index fixed = 0;
  std::vector<Eigen::Index> dropped;  // contacts whose normal depends on those before
  Eigen::VectorXd change;             // of the velocities of the kept rows, for u = 0
  PivotedCholesky factor;             // of W between the kept rows
  Affine velocity, impulses;
};
ImpulseFamily impulse_family(const System& system, Eigen::Index examined);

/// A velocity change that solves the LCP.
struct Candidate {
  Eigen::VectorXd impulses;
  std::vector<bool> pressed;
  bool continuum = false;
};

/// Adds the solution these impulses lead to, if it is one and new.
void add_if_solution(const System& system, const Eigen::VectorXd& impulses, bool continuum,
                     std::vector<Candidate>& found);

std::vector<Candidate> enumerate_modes(const System& system);      // planar, all
std::vector<Candidate> iterate_from_starts(const System& system);  // any dimension, those found

}  // namespace carom::multipoint
