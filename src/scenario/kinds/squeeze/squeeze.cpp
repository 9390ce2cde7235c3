#include "kinds/squeeze/squeeze.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "kind.hpp"

namespace carom::scenario {

namespace {

using report::Document;
using report::Table;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
/// Shapes of the squeeze that pictures, files and the scene show.
constexpr int shown_shapes = 12;

double lowest(const TetMesh& mesh) {
  double z = std::numeric_limits<double>::infinity();
  for (const Eigen::Vector3d& v : mesh.vertices) z = std::min(z, v.z());
  return z;
}

Fields<SqueezeScenario> fields() {
  using S = SqueezeScenario;
  Fields<SqueezeScan> scan;
  scan.required("fixed", &SqueezeScan::fixed, soft_supports(), "sides or vertices that stood on the table")
      .optional("base", &SqueezeScan::base, choice<SoftBase>(), "how they are held (default frictionless)")
      .optional("method", &SqueezeScan::method, choice<RestShapeMethod>(), "(default newton)");
  Fields<S> all;
  all.required(
         "mesh", [](S & s) -> auto& { return s.mesh; }, soft_mesh(), "what it looks like without gravity (see `scan`)")
      .required("young", &SoftBody::young, number(Range::positive()), "Young's modulus [Pa]")
      .required("poisson", &SoftBody::poisson, soft_poisson(), "Poisson's ratio, in (-1, 0.5)")
      .optional("density", &S::given_density, number(Range::positive()), "[kg/m^3]; or")
      .optional("weight", &S::weight, number(Range::positive()), "[N]")
      .required("gravity", &SoftBody::gravity, vector<3>(), "along -z [m/s^2]")
      .optional("table", &S::given_table, number(), "its height z [m] (default: the lowest vertex)");
  add_grasp_settings(all);
  all.optional("scan", &S::scan, object(scan),
               "the mesh is a scan of the object under its weight: find its shape without first")
      .optional("moduli", &S::moduli, list_of(number(Range::positive()), 1, 40),
                "the same with other Young's moduli [Pa], by both lift tests")
      .check({"density", "weight"},
             [](const S& s, const Value& root, const Path& path, Mistakes& mistakes) {
               if (s.given_density && s.weight)
                 mistakes.add(path.at("weight"), place_of(root, "weight"), "must not be given together with density");
               if (!s.given_density && !s.weight)
                 mistakes.add_missing(path.at("density"), root, "is required (or weight)");
             })
      .check({"mesh", "table"}, [](const S& s, const Value& root, const Path& path, Mistakes& mistakes) {
        if (s.given_table && *s.given_table > lowest(s.mesh) + 1e-9)
          mistakes.add(path.at("table"), place_of(root, "table"),
                       "must not be above the object, whose lowest vertex is at " + number_text(lowest(s.mesh)));
      });
  return all;
}

SqueezeRun run(const SqueezeScenario& scenario, const RunRequest& request) {
  SqueezeRun run;
  SoftBody body = scenario;
  orient(body.mesh);
  body.density =
      scenario.weight ? *scenario.weight / (body.gravity.norm() * volume(body.mesh)) : *scenario.given_density;
  run.result.weight = *body.density * volume(body.mesh) * body.gravity.norm();  // should it not come to a squeeze
  GraspSettings settings = scenario;
  settings.table = scenario.given_table.value_or(lowest(body.mesh));
  if (scenario.scan && !find_defect(body.mesh)) {
    RestShapeProblem before;
    SoftScenario observed;
    static_cast<SoftBody&>(observed) = body;
    observed.supports = scenario.scan->fixed;
    before.body = soft_body(observed);
    before.body.base = scenario.scan->base;
    before.method = scenario.scan->method;
    run.rest_shape = rest_shape(before);
    const RestShapeStatus status = run.rest_shape->status;
    if (status != RestShapeStatus::ok && status != RestShapeStatus::unstable_rest) {
      run.result.status = SqueezeStatus::unstable_rest;
      run.result.message = "no shape without gravity was found for the scan (" + std::string(name(status)) +
                           "): " + run.rest_shape->message;
      run.problem = squeeze_problem(body, settings);
      return run;
    }
    body.mesh.vertices = run.rest_shape->rest_vertices;
    body.masses = run.rest_shape->masses;
    body.density.reset();
    orient(body.mesh);
    // What was held on the table stays there to rounding: exactly, then.
    for (const int vertex : before.body.fixed) body.mesh.vertices[std::size_t(vertex)].z() = settings.table;
    if (lowest(body.mesh) < settings.table) {
      run.result.status = SqueezeStatus::unstable_rest;
      run.result.message = "without gravity the scanned object would reach below the table";
      run.problem = squeeze_problem(body, settings);
      return run;
    }
  }
  run.problem = squeeze_problem(body, settings);
  run.problem.most_shapes = request.pictures ? shown_shapes : 0;
  const double tasks = 1.0 + (request.pictures ? 2.0 * double(scenario.moduli.size()) : 0.0);
  double done = 0.0;
  const auto next = [&] {
    Progress part;
    const double from = done / tasks;
    part.show = [&request, from, tasks](double share) { request.progress.at(from + share / tasks); };
    part.cancelled = request.progress.cancelled;
    done += 1.0;
    return part;
  };
  run.result = squeeze(run.problem, next());
  if (!request.pictures) return run;
  for (const double young : scenario.moduli)
    for (const LiftTest test : {LiftTest::coulomb, LiftTest::linear}) {
      SqueezeProblem other = run.problem;
      other.body.young = young;
      other.lift_test = test;
      other.most_shapes = 0;
      run.moduli.push_back({young, test, squeeze(other, next())});
    }
  return run;
}

Facts facts(const SqueezeScenario&, const SqueezeRun& run) {
  const SqueezeResult& r = run.result;
  const bool grasped = !r.squeezed.displacement.empty();
  const auto if_grasped = [&](double value) { return grasped ? value : missing; };
  std::string flags;
  for (const auto& [flag, called] : names_of<SqueezeFlag>)
    if (r.flags.has(flag)) flags += (flags.empty() ? "" : ", ") + std::string(called);
  return {{"status", "status", std::string(name(r.status)), ""},
          {"lifted", "lifted", std::string(r.lifted ? "yes" : "no"), ""},
          {"vertices", "vertices", double(run.problem.body.mesh.vertices.size()), ""},
          {"tets", "tetrahedra", double(run.problem.body.mesh.tets.size()), ""},
          {"weight", "weight", r.weight, "N"},
          {"depth", "depth of each finger", if_grasped(r.depth), "m"},
          {"total_closing", "total closing of both", if_grasped(r.total_closing), "m"},
          {"finger_nodes", "vertices on the fingers",
           std::vector<double>{double(r.finger_nodes[0]), double(r.finger_nodes[1])}, ""},
          {"table_nodes", "vertices on the table", if_grasped(r.table_nodes), ""},
          {"work", "work of both fingers", if_grasped(r.work), "J"},
          {"liftable_weight", "liftable weight", if_grasped(r.liftable_weight), "N"},
          {"margin", "liftable weight over weight", if_grasped(r.liftable_weight / r.weight), ""},
          {"strain", "largest principal strain", if_grasped(r.strain), ""},
          {"raised_by", "fingers rose until the table carried nothing", r.lifted ? r.raised_by : missing, "m"},
          {"flags", "flags", flags, ""}};
}

/// For sweeps: what a pick-up that succeeds costs.
Facts details(const SqueezeScenario&, const SqueezeRun& run) {
  const SqueezeResult& r = run.result;
  return {{"lift_work", "work of both fingers, if the object is lifted", r.lifted ? r.work : missing, "J"},
          {"lift_strain", "largest strain, if the object is lifted", r.lifted ? r.strain : missing, ""}};
}

Table steps_table(const SqueezeRun& run) {
  Table table{"steps", "The squeeze, step by step", {}};
  table.columns = {{"depth", "depth", "m"},
                   {"liftable_weight", "liftable weight", "N"},
                   {"work", "work", "J"},
                   {"force_0", "force of finger 0", "N"},
                   {"force_1", "force of finger 1", "N"},
                   {"nodes_0", "vertices on finger 0", ""},
                   {"nodes_1", "vertices on finger 1", ""},
                   {"table_nodes", "vertices on the table", ""}};
  for (const GraspStep& s : run.result.steps)
    table.add_row({s.depth, s.liftable_weight, s.work, s.finger_force[0].norm(), s.finger_force[1].norm(),
                   double(s.finger_nodes[0]), double(s.finger_nodes[1]), double(s.table_nodes)});
  return table;
}

Table events_table(const SqueezeRun& run) {
  Table table{"events", "Events", {}};
  table.columns = {{"depth", "depth", "m"}, {"type", "event", ""}, {"node", "vertex", ""}, {"obstacle", "at", ""}};
  for (const GraspEvent& e : run.result.events)
    table.add_row({e.depth, std::string(name(e.type)), double(e.node), std::string(name(e.obstacle))});
  return table;
}

Table moduli_table(const SqueezeRun& run) {
  Table table{"moduli", "Softer and harder", {}};
  table.columns = {{"young", "Young's modulus", "Pa"},
                   {"lift_test", "lift test", ""},
                   {"status", "status", ""},
                   {"depth", "depth", "m"},
                   {"work", "work", "J"},
                   {"strain", "largest strain", ""}};
  for (const ModulusRun& one : run.moduli) {
    const bool passed = one.result.liftable_weight >= one.result.weight;
    table.add_row({one.young, std::string(name(one.lift_test)), std::string(name(one.result.status)),
                   passed ? one.result.depth : missing, passed ? one.result.work : missing, one.result.strain});
  }
  return table;
}

Document describe(const SqueezeScenario&, const SqueezeRun& run) {
  Document document;
  const SqueezeResult& r = run.result;
  document.summary = r.lifted ? fmt::format(
                                    "Each finger presses {:.3g} mm deep; then they hold {:.3g} times the weight, rise, "
                                    "and lift the object.",
                                    1e3 * r.depth, r.liftable_weight / r.weight)
                              : "The object is not lifted: " + r.message + ".";
  if (!r.steps.empty()) document.tables.push_back(steps_table(run));
  if (!r.events.empty()) document.tables.push_back(events_table(run));
  if (!run.moduli.empty()) document.tables.push_back(moduli_table(run));
  if (!r.rest.displacement.empty()) {
    document.plots = squeeze_pictures(run);
    document.scenes.push_back(squeeze_scene(run));
    document.files = squeeze_files(run);
  }
  if (run.rest_shape)
    document.notes.push_back(fmt::format(
        "The mesh is a scan: its shape without gravity was {} first ({} iterations, {}).",
        run.rest_shape->status == RestShapeStatus::ok || run.rest_shape->status == RestShapeStatus::unstable_rest
            ? "found"
            : "looked for",
        run.rest_shape->history.size(), name(run.rest_shape->status)));
  if (r.flags.has(SqueezeFlag::large_strain))
    document.notes.push_back(
        fmt::format("large_strain: a strain of {:.3g} is beyond what small-strain theory is for.", r.strain));
  if (r.flags.has(SqueezeFlag::locking))
    document.notes.push_back("locking: nearly incompressible, linear tetrahedra are much too stiff.");
  if (r.flags.has(SqueezeFlag::no_force_closure))
    document.notes.push_back("no_force_closure: at first touch, fingers and table could not answer every push.");
  if (r.flags.has(SqueezeFlag::lift_failed)) document.notes.push_back("lift_failed: " + r.message + ".");
  return document;
}

}  // namespace

Kind squeeze_kind() {
  return make_kind<SqueezeScenario, SqueezeRun>({"squeeze", "",
                                                 "Two fingers squeeze a soft object on a table and lift it", fields(),
                                                 run, facts, details, describe});
}

}  // namespace carom::scenario
