// Which friction, restitution and stiffness ratio explain measured impacts?
// Least squares over the velocities after: exact derivatives of the impact models, a damped Gauss-Newton method that
// keeps to bounds, several starts. Says how sure each number is, which ones the data cannot tell, how well the model
// predicts impacts it was not fitted to, and how the models compare.
// Theory: docs/theory/fitting.md.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <vector>

#include "carom/core/contact_space.hpp"
#include "carom/core/flags.hpp"
#include "carom/core/material.hpp"
#include "carom/core/names.hpp"
#include "carom/impact/compliant.hpp"
#include "carom/impact/impact.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// The model that is fitted.
enum class FitModel : std::uint8_t {
  planar,     ///< carom/impact/planar.hpp: observations in the plane only
  spatial,    ///< carom/impact/spatial.hpp
  compliant,  ///< carom/impact/compliant.hpp
  one_step    ///< carom/impact/one_step.hpp, for comparison
};
template <>
inline constexpr auto names_of<FitModel> = std::to_array<Named<FitModel>>({
    {FitModel::planar, "planar"},
    {FitModel::spatial, "spatial"},
    {FitModel::compliant, "compliant"},
    {FitModel::one_step, "one_step"},
});

enum class FitParameter : std::uint8_t {
  friction,              ///< mu [-], in [0, 10]
  restitution,           ///< e [-], in [0, 1]
  stiffness_ratio_root,  ///< eta0 [-], in [0.001, 1000]; `compliant` only
  restitution_exponent   ///< q [-], in [0, 4]: e falls with the approach speed, e = min(1, e (speed / v0)^-q)
};
template <>
inline constexpr auto names_of<FitParameter> = std::to_array<Named<FitParameter>>({
    {FitParameter::friction, "mu"},
    {FitParameter::restitution, "e"},
    {FitParameter::stiffness_ratio_root, "eta0"},
    {FitParameter::restitution_exponent, "q"},
});

enum class FitLoss : std::uint8_t { squares, huber };
template <>
inline constexpr auto names_of<FitLoss> = std::to_array<Named<FitLoss>>({
    {FitLoss::squares, "squares"},
    {FitLoss::huber, "huber"},
});

/// The parameters of one material.
struct FitValues {
  double friction = 0.3, restitution = 0.5, stiffness_ratio_root = 1.0, restitution_exponent = 0.0;
  double& operator[](FitParameter parameter);
  double operator[](FitParameter parameter) const { return const_cast<FitValues&>(*this)[parameter]; }
};

/// The least and the most a parameter may be.
struct FitBounds {
  double low = 0.0, high = 1.0;
};
FitBounds fit_bounds(FitParameter parameter);

/// One measured impact, in contact axes (t1, t2, n).
struct FitObservation {
  ContactSpace space;                                        ///< W [1/kg], and v before [m/s]
  Eigen::Vector3d velocity_after = Eigen::Vector3d::Zero();  ///< of the contact point, A relative to B [m/s]
  double weight = 1.0;                                       ///< >= 0
  std::size_t material = 0;
  bool planar = false;  ///< in the plane (t1, n): see planar_observation()
};

/// An observation in the plane, axes (t, n). Its residual has two components, whatever the model.
FitObservation planar_observation(const PlanarContactSpace& space, const Eigen::Vector2d& velocity_after,
                                  double weight = 1.0);

/// An observation of two bodies, reduced to the contact point.
/// @param a, b              before, with their velocities
/// @param a_after, b_after  the same bodies after: only their velocities count
/// @throws InvalidInput as contact_space()
FitObservation observed_collision(const Body& a, const Body& b, const Contact& contact, const Body& a_after,
                                  const Body& b_after, double weight = 1.0);

struct FitProblem {
  FitModel model = FitModel::spatial;
  RestitutionLaw law = RestitutionLaw::energetic;  ///< not for `compliant`; `one_step` has no energetic one
  Reading reading = Reading::model;                ///< `compliant` only
  std::vector<FitObservation> observations;
  FlagSet<FitParameter> free;          ///< what is fitted
  FlagSet<FitParameter> per_material;  ///< of that, what each material has for itself; the rest they share
  FitValues values;                    ///< what is not free is fixed at these; what is free also starts from them
  double restitution_speed = 1.0;      ///< v0 [m/s], > 0: where e is the restitution, if it depends on speed
  FitLoss loss = FitLoss::squares;
  double loss_scale = 1.0;  ///< [m/s], > 0; huber: residuals above it count by their size, not by its square
  int threads = 1;
};

/// One fitted number.
struct FittedNumber {
  FitParameter parameter = FitParameter::friction;
  std::size_t material = 0;  ///< 0 if the materials share it
  double value = 0.0;
  std::optional<double> standard_error;  ///< none if one of these holds, or without redundancy
  bool unidentifiable = false;           ///< the data do not tell: the value is any of those that do as well
  bool at_bound = false;                 ///< it would go on beyond the bound
};

struct FitResidual {
  Eigen::Vector3d residual = Eigen::Vector3d::Zero();  ///< predicted minus observed velocity after [m/s]
  Verdict verdict = Verdict::no_impact;                ///< of the model
};

struct FitResult {
  bool converged = false;            ///< false: the best that was found
  std::vector<FitValues> materials;  ///< one per material, with the fixed values
  std::vector<FittedNumber> free;    ///< by material, then in the order of FitParameter
  double loss = 0.0;                 ///< S = sum of weight |r|^2, or what huber makes of it [m^2/s^2]
  double residual = 0.0;             ///< sqrt(S / components) [m/s]
  std::size_t components = 0;        ///< numbers observed with a weight above 0
  bool no_redundancy = false;        ///< no more numbers than parameters: no standard errors
  std::vector<FitResidual> per_observation;
};

/// Moving a parameter by max(flat_step, flat_share |value|) to one side and changing S by less than flat_change of
/// sum weight |v|^2 makes it unidentifiable.
inline constexpr double flat_share = 0.05, flat_step = 1e-3, flat_change = 1e-12;
/// So does a direction in which the scaled columns of the Jacobian are this close to dependent.
inline constexpr double dependent_columns = 1e-8;
/// How near a bound stops a parameter.
inline constexpr double bound_distance = 1e-6;

/// @throws InvalidInput naming `observations`, `observations[3].inverse_inertia`, `free`, `law`, `loss_scale`, ...
FitResult fit_impacts(const FitProblem& problem);

/// How well a model predicts what it was not fitted to.
struct CrossValidation {
  double residual = 0.0;        ///< of observations left out of their fit, as FitResult::residual [m/s]
  std::vector<FitResult> fits;  ///< fold k leaves out the observations k, k + folds, k + 2 folds, ...
};
/// Every fold is fitted from where the fit of all observations ends.
/// @param folds  from 2 to the number of observations
/// @throws InvalidInput as fit_impacts(), or naming `folds`
CrossValidation cross_validate(const FitProblem& problem, int folds = 5);

/// One model's fit beside those of others.
struct FitComparison {
  FitModel model = FitModel::spatial;
  RestitutionLaw law = RestitutionLaw::energetic;
  FitResult fit;
  double held_out = 0.0;  ///< CrossValidation::residual [m/s]
};
/// The same observations under every model and law there is for them, best prediction first. What is free stays free
/// where the model has it, and eta0 joins it for `compliant` beside a rigid model; observations in the plane go to the
/// planar model, others to the spatial one.
std::vector<FitComparison> compare_models(const FitProblem& problem, int folds = 5);

}  // namespace carom

#pragma GCC visibility pop
