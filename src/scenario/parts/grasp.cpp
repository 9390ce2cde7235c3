#include "parts/grasp.hpp"

#include <algorithm>

namespace carom::scenario {

namespace {

double max_depth_of(const GraspSettings& settings) {
  return settings.max_depth.value_or(std::min(settings.fingers[0].radius, settings.fingers[1].radius));
}

void check_direction(const Finger& finger, const Value& object, const Path& path, Mistakes& mistakes) {
  if (finger.direction.isZero(0.0))
    mistakes.add(path.at("direction"), place_of(object, "direction"), "must not be zero");
}

}  // namespace

Type<Finger> finger() {
  Fields<Finger> fields;
  fields.required("radius", &Finger::radius, number(Range::positive()), "of the tip, a ball [m]")
      .required("start", &Finger::start, vector<3>(), "its centre, clear of the object [m]")
      .required("direction", &Finger::direction, vector<3>(), "in which it closes")
      .check({"direction"}, check_direction);
  return object(fields);
}

Type<GraspFriction> grasp_friction() {
  Fields<GraspFriction> fields;
  fields.required("table", &GraspFriction::table, number(Range::at_least(0.0)), "with the table")
      .required("finger", &GraspFriction::finger, number(Range::at_least(0.0)), "with the fingers");
  return object(fields);
}

SqueezeProblem squeeze_problem(const SoftBody& body, const GraspSettings& settings) {
  SqueezeProblem problem;
  problem.body = body;
  problem.table = settings.table;
  problem.fingers = {settings.fingers[0], settings.fingers[1]};
  problem.table_friction = settings.friction.table;
  problem.finger_friction = settings.friction.finger;
  problem.step = settings.step;
  problem.max_depth = settings.max_depth;
  problem.min_depth = settings.min_depth;
  problem.lift_test = settings.lift_test;
  return problem;
}

void check_squeeze_gravity(const SoftBody& body, const Value& object, const Path& path, Mistakes& mistakes) {
  const Eigen::Vector3d& g = body.gravity;
  if (g[0] != 0.0 || g[1] != 0.0 || !(g[2] < 0.0))
    mistakes.add(
        path.at("gravity"), place_of(object, "gravity"),
        "must point along -z, got [" + number_text(g[0]) + ", " + number_text(g[1]) + ", " + number_text(g[2]) + "]");
}

void check_squeeze_step(const GraspSettings& settings, const Value& object, const Path& path, Mistakes& mistakes) {
  if (settings.step < max_depth_of(settings) / squeeze_max_steps)
    mistakes.add(path.at("step"), place_of(object, "step"),
                 "must be at least max_depth / 10000, " + number_text(max_depth_of(settings) / squeeze_max_steps) +
                     ", got " + number_text(settings.step));
}

void check_squeeze_depths(const GraspSettings& settings, const Value& object, const Path& path, Mistakes& mistakes) {
  if (settings.min_depth > max_depth_of(settings))
    mistakes.add(path.at("min_depth"), place_of(object, "min_depth"),
                 "must not be above max_depth, " + number_text(max_depth_of(settings)) + ", got " +
                     number_text(settings.min_depth));
}

}  // namespace carom::scenario
