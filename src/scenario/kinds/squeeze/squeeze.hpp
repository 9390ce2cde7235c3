// Two fingers, a soft object, a table: squeezed and lifted; also from a scan, and over Young's modulus.
#pragma once

#include <optional>
#include <vector>

#include "carom/report/document.hpp"
#include "carom/soft/grasp.hpp"
#include "carom/soft/rest_shape.hpp"

#include "parts/grasp.hpp"
#include "parts/soft_body.hpp"

namespace carom::scenario {

/// The mesh is what a scan saw, under its weight: first the shape without.
struct SqueezeScan {
  SoftSupports fixed;
  SoftBase base = SoftBase::frictionless;
  RestShapeMethod method = RestShapeMethod::newton;
};

struct SqueezeScenario : SoftScenario, GraspSettings {
  std::optional<double> weight, given_table, given_density;
  std::optional<SqueezeScan> scan;
  std::vector<double> moduli;
};

/// The same squeeze with another Young's modulus.
struct ModulusRun {
  double young = 0.0;
  LiftTest lift_test = LiftTest::coulomb;
  SqueezeResult result;
};

struct SqueezeRun {
  SqueezeProblem problem;
  std::optional<RestShapeResult> rest_shape;  ///< of a scan
  SqueezeResult result;
  std::vector<ModulusRun> moduli;
};

std::vector<report::Plot> squeeze_pictures(const SqueezeRun& run);
report::Scene squeeze_scene(const SqueezeRun& run);
std::vector<report::Attachment> squeeze_files(const SqueezeRun& run);

}  // namespace carom::scenario
