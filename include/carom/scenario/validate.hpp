// Which laws do measurements allow?
// Measured data against predictions of the models, nothing fitted unless it says so. A set is a YAML file: what was
// measured, and for each model a row or scenario that predicts it; docs/reproduce-format.md describes both kinds of
// files. Data that cannot be shipped are read from a table of the user's: 1718 impacts of an ellipse, for one.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "carom/core/progress.hpp"
#include "carom/report/document.hpp"

#pragma GCC visibility push(default)

namespace carom::scenario {

/// What one model says about a set.
struct Prediction {
  std::string model;
  std::vector<double> values;  ///< beside the measured ones
  double rms = 0.0;            ///< error, root mean square
  double largest = 0.0;        ///< error, largest
  bool excluded = false;       ///< rms is above what the measurement allows
  bool as_expected = true;     ///< excluded exactly if the set says so
};

struct Validation {
  std::string name, title, source, quantity, unit;
  bool theory = false;                   ///< measured against a published theory, not an experiment
  std::vector<std::string> point_names;  ///< one text a point: "9.496", "ball 1"
  std::string points;                    ///< what they are: "angle [deg]"
  std::vector<double> measured;
  double allowed = 0.0;  ///< rms error up to which a model agrees
  std::vector<Prediction> predictions;
};

/// Reads a set and computes its predictions.
/// @throws BadScenario with every mistake found; InvalidInput if a prediction cannot be computed; Cancelled
Validation validate(const std::filesystem::path& set, const std::filesystem::path& scenarios,
                    const Progress& progress = {});

report::Document describe(const Validation& validation);

/// One law on planar impacts: parameters fitted on one half of the rows, errors on the other, and the reverse.
struct PlanarLawError {
  std::string law;
  std::vector<double> parameters;      ///< fitted on the even rows: mu, e (and eta0, or the exponent of speed)
  std::vector<double> odd_parameters;  ///< fitted on the odd rows
  std::vector<std::string> parameter_names;
  double median = 0.0, mean = 0.0;  ///< of |v - measured| / |measured|, velocity of the centre, both halves pooled
};

/// Measured planar impacts from a CSV file: columns t_vx, t_vy, t_w, n_vx, n_vy, n_w (rows of the contact Jacobian),
/// vx_before, vy_before, w_before, vx_after, vy_after, w_after [m/s, rad/s].
/// @param mass       of the body [kg]
/// @param gyration  radius of gyration [m]
/// @throws BadScenario naming the file and line of what cannot be read; Cancelled
std::vector<PlanarLawError> validate_planar_impacts(const std::filesystem::path& csv, double mass, double gyration,
                                                    const Progress& progress = {});

report::Document describe(const std::vector<PlanarLawError>& errors, const std::string& source);

}  // namespace carom::scenario

#pragma GCC visibility pop
