// How rows and files say what two fingers do to a soft body on a table.
#pragma once

#include "carom/soft/grasp.hpp"

#include "parts/described.hpp"
#include "parts/soft.hpp"

namespace carom::scenario {

Type<Finger> finger();

struct GraspFriction {
  double table = 0.0, finger = 0.0;
};
Type<GraspFriction> grasp_friction();

/// What a row or file says beside the body.
struct GraspSettings {
  double table = 0.0;
  std::vector<Finger> fingers;
  GraspFriction friction;
  double step = 2.5e-4;
  std::optional<double> max_depth;
  double min_depth = 0.0;
  LiftTest lift_test = LiftTest::coulomb;
};

/// The problem of this body and these settings.
SqueezeProblem squeeze_problem(const SoftBody& body, const GraspSettings& settings);

void check_squeeze_gravity(const SoftBody& body, const Value& object, const Path& path, Mistakes& mistakes);
void check_squeeze_step(const GraspSettings& settings, const Value& object, const Path& path, Mistakes& mistakes);
void check_squeeze_depths(const GraspSettings& settings, const Value& object, const Path& path, Mistakes& mistakes);

/// `Row` derives from SoftBody and GraspSettings.
template <class Row>
void add_grasp_settings(Fields<Row>& fields) {
  fields.required("fingers", &GraspSettings::fingers, list_of(finger(), 2, 2), "two; they close to touch first")
      .required("friction", &GraspSettings::friction, grasp_friction(), "coefficients")
      .optional("step", &GraspSettings::step, number(Range::positive()),
                "of each finger between lift tests [m] (default 2.5e-4)")
      .optional("max_depth", &GraspSettings::max_depth, number(Range::positive()),
                "of each finger [m] (default: the smaller radius)")
      .optional("min_depth", &GraspSettings::min_depth, number(Range::at_least(0.0)),
                "of each finger before the lift [m]: compares grasps at one depth (default 0)")
      .optional("lift_test", &GraspSettings::lift_test, choice<LiftTest>(), "(default coulomb)");
  fields.check({"gravity"}, check_squeeze_gravity)
      .check({"step", "max_depth", "fingers"}, check_squeeze_step)
      .check({"min_depth", "max_depth", "fingers"}, check_squeeze_depths);
}

}  // namespace carom::scenario
