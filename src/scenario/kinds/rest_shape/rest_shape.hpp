// The rest shape scenario's problem and result, shared by the files that run it and draw it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/report/document.hpp"
#include "carom/soft/rest_shape.hpp"
#include "carom/soft/single_tetrahedron.hpp"

#include "parts/soft_body.hpp"

namespace carom::scenario {

/// Another way to look for the same shape.
struct RestShapeWay {
  RestShapeMethod method = RestShapeMethod::newton;
  std::optional<double> damping = 1.0;
};

/// Sizes of a body that stands on a round face: what a ruler gives.
struct Measures {
  double height = 0.0, top = 0.0, bottom = 0.0, volume = 0.0;  ///< [m], diameters [m], [m^3]
};

struct MeasuredRow {
  std::string label;
  std::optional<double> height, top, bottom, volume;
};

struct RestShapeScenario : SoftScenario {
  RestShapeProblem settings;  ///< all but the body
  std::vector<RestShapeWay> compare;
  std::vector<double> loads;  ///< multiples of gravity
  bool flip = false;
  std::vector<MeasuredRow> measured;
};

struct WayRun {
  RestShapeWay way;
  RestShapeResult result;
};

struct LoadRun {
  double load = 1.0;
  RestShapeWay way;
  RestShapeStatus status = RestShapeStatus::ok;
  std::size_t iterations = 0;
};

/// The body turned upside down: predicted from the observed shape as if it had no load, and from the rest shape.
struct FlipRun {
  SoftBase base = SoftBase::fixed;
  double stiffness_scale = 1.0;
  RestShapeResult rest;
  Measures at_rest, from_observed, from_rest;
};

struct RestShapeRun {
  RestShapeProblem problem;
  RestShapeResult result;
  std::optional<double> forward_error;  ///< the rest shape under its loads, against the observed one [m]
  std::vector<WayRun> ways;             ///< with the one that was asked for first, if there are others
  std::vector<LoadRun> loads;
  std::vector<FlipRun> flips;
  std::optional<SingleTetrahedron> single;  ///< if it is one tetrahedron on a table
};

Measures measures_of(const TetMesh& mesh);

/// Fixed and frictionless base, correct and half stiffness: rest shape, turned over, under gravity again.
std::vector<FlipRun> flip_runs(const RestShapeProblem& problem, const Progress& progress);
report::Table flip_table(const RestShapeRun& run, const std::vector<MeasuredRow>& measured);

/// The closed form beside what was found: Figure 6.6, Table 6.3.
std::optional<SingleTetrahedron> single_tetrahedron_of(const RestShapeProblem& problem);
report::Table single_table(const SingleTetrahedron& single);
report::Plot single_map_picture(const SingleTetrahedron& single);
report::Plot single_iterates_picture(const SingleTetrahedron& single);

std::vector<report::Plot> rest_shape_pictures(const RestShapeRun& run);
std::string way_name(const RestShapeWay& way);

}  // namespace carom::scenario
