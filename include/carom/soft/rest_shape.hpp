// What shape would a soft body have without gravity?
// The observed shape is deformed already: by its weight and by what else pulls at it. Sought is the rest shape that
// gives the observed one: K(P_obs - D) D = G, where the stiffness K is that of the shape without load, which is what is
// asked for. Four ways to find it; the rest shape under its loads (`fem`, with the masses returned here) is the
// observed one again. Theory: docs/theory/soft.md. Source: Wang 2017, section 6.3, corrected.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "carom/core/progress.hpp"
#include "carom/soft/stiffness.hpp"

#pragma GCC visibility push(default)

namespace carom {

enum class RestShapeMethod : std::uint8_t {
  newton,       ///< with the exact derivative of K, and backtracking
  anderson,     ///< fixed point mixed with its last five steps
  fixed_point,  ///< the damped iteration of the thesis, D <- (1 - r) D + r K(P_obs - D)^-1 G (eq. 6.23)
  neo_hookean   ///< finite strain: the inverse problem of a neo-Hookean material, by Newton; the most robust
};
template <>
inline constexpr auto names_of<RestShapeMethod> = std::to_array<Named<RestShapeMethod>>({
    {RestShapeMethod::newton, "newton"},
    {RestShapeMethod::anderson, "anderson"},
    {RestShapeMethod::fixed_point, "fixed_point"},
    {RestShapeMethod::neo_hookean, "neo_hookean"},
});

enum class RestShapeStatus : std::uint8_t {
  ok,
  diverged,        ///< no step of Newton helps, or (linear methods) a strain above 0.5: small strain says nothing here
  inverted,        ///< an iterate of fixed_point or anderson turns a tetrahedron over
  max_iterations,  ///< not there yet
  unstable_rest,   ///< found, but a support would have to pull: the observed body would tip or lift off
  invalid_mesh,
  underconstrained
};
template <>
inline constexpr auto names_of<RestShapeStatus> = std::to_array<Named<RestShapeStatus>>({
    {RestShapeStatus::ok, "ok"},
    {RestShapeStatus::diverged, "diverged"},
    {RestShapeStatus::inverted, "inverted"},
    {RestShapeStatus::max_iterations, "max_iterations"},
    {RestShapeStatus::unstable_rest, "unstable_rest"},
    {RestShapeStatus::invalid_mesh, "invalid_mesh"},
    {RestShapeStatus::underconstrained, "underconstrained"},
});

/// Strain beyond which what a linear method finds is `diverged` [-].
inline constexpr double rest_shape_largest_strain = 0.5;
/// A support that pulls along gravity with more than this share of the weight makes a rest unstable.
inline constexpr double rest_shape_pull_share = 1e-9;
/// A support that carries less than this share of the weight carries rounding: no friction is asked of it.
inline constexpr double rest_shape_load_share = 1e-12;

struct RestShapeProblem {
  SoftBody body;  ///< as observed: its mesh is the loaded shape
  RestShapeMethod method = RestShapeMethod::newton;
  std::optional<double> damping = 1.0;  ///< r of fixed_point and anderson, in (0, 1]; nothing: the best (`Spectrum`)
  double tolerance = 1e-10;             ///< of |R| / |G| over free displacements, > 0
  int max_iterations = 200;             ///< 1 .. 100000
  double stiffness_scale = 1.0;         ///< of both moduli; 0.5 reproduces the K of the thesis' chapter, > 0
  bool glued = false;                   ///< supports may pull
  bool spectrum = false;                ///< also the eigenvalues that decide whether the fixed point converges
  bool map_norms = false;               ///< of fixed_point: RestShapeIterate::map_norm, a solve more an iteration
};

inline constexpr int rest_shape_max_iterations = 100'000;

/// One iteration.
struct RestShapeIterate {
  double residual = 0.0;           ///< |R| / |G| after it
  double step = 0.0;               ///< |D_new - D| over all vertices [m]
  double displacement = 0.0;       ///< |D_new| over all vertices [m]
  std::optional<double> map_norm;  ///< |J x| / |x| of the damped map along this step x (eq. 6.61)
};

/// When does D <- (1 - r) D + r K^-1 G converge? The eigenvalues m of d(K^-1 G)/dD at the solution decide: if
/// |1 - r + r m| < 1 for all (they are complex; the thesis takes them for real and the matrix for normal).
struct RestShapeSpectrum {
  double largest = 0.0;          ///< |m|
  double r_max = 0.0;            ///< dampings below it converge: min 2 (1 - Re m) / |1 - m|^2; 0 if some Re m >= 1
  std::optional<double> r_best;  ///< min(1, 2 / (2 - min Re m - max Re m)), after 6.3.3.1; none if r_max is 0
};

struct RestShapeResult {
  RestShapeStatus status = RestShapeStatus::ok;
  std::string message;  ///< why the status is not ok
  // Empty when the mesh or the supports are at fault; else the solution, or the last iterate.
  std::vector<Eigen::Vector3d> rest_vertices;  ///< [m]
  std::vector<Eigen::Vector3d> displacement;   ///< observed minus rest [m]
  std::vector<SupportForce> reactions;         ///< of the observed body
  std::vector<double> masses;                  ///< of each tetrahedron, from the observed shape [kg]
  std::optional<double> friction_required;     ///< largest |f_T| / f_N over supports that carry weight
  std::vector<RestShapeIterate> history;       ///< one an iteration
  double residual = 0.0;                       ///< the last one
  std::optional<double> damping;               ///< that was used, by fixed_point and anderson
  std::optional<RestShapeSpectrum> spectrum;   ///< if asked for, or by automatic damping; none without a solution
  TetStrains tets;  ///< of the displacement on the rest shape; neo_hookean: Cauchy stress in the observed one
  SoftFlags flags;
};

/// @param progress  told after each iteration
/// @throws InvalidInput as fem, or naming damping, tolerance, max_iterations or stiffness_scale; Cancelled
RestShapeResult rest_shape(const RestShapeProblem& problem, int threads = 0, const Progress& progress = {});

}  // namespace carom

#pragma GCC visibility pop
