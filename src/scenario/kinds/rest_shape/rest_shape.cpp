#include "kinds/rest_shape/rest_shape.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "kind.hpp"
#include "pictures/soft.hpp"

namespace carom::scenario {

namespace {

using report::Document;
using report::Table;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

Fields<RestShapeScenario> fields() {
  Fields<RestShapeWay> way;
  way.required("method", &RestShapeWay::method, choice<RestShapeMethod>(), "how to look for it")
      .optional(
          "damping", [](RestShapeWay & w) -> auto& { return w.damping; }, rest_shape_damping(),
          "r of fixed_point and anderson, or auto (default 1)")
      .check([](const RestShapeWay& w, const Value& object, const Path& path, Mistakes& mistakes) {
        if (!w.damping && w.method != RestShapeMethod::fixed_point && w.method != RestShapeMethod::anderson)
          mistakes.add(path.at("damping"), place_of(object, "damping"),
                       "can be auto with fixed_point and anderson only");
      });
  Fields<MeasuredRow> measured;
  const auto length = number(Range::positive());
  measured.required("label", &MeasuredRow::label, text(), "what it is")
      .optional("height", &MeasuredRow::height, length, "[m]")
      .optional("top", &MeasuredRow::top, length, "diameter [m]")
      .optional("bottom", &MeasuredRow::bottom, length, "diameter [m]")
      .optional("volume", &MeasuredRow::volume, length, "[m^3]");
  Fields<RestShapeScenario> all;
  add_soft_scenario(all);
  add_rest_shape_settings(all);
  all.optional("compare", &RestShapeScenario::compare, list_of(object(way), 1, 8), "other ways, side by side")
      .optional("loads", &RestShapeScenario::loads, list_of(number(Range::positive()), 1, 50),
                "multiples of gravity: how many iterations each way takes")
      .optional("flip", &RestShapeScenario::flip, boolean(),
                "turn the body over onto its top and predict its shape, with and without the rest shape")
      .optional("measured", &RestShapeScenario::measured, list_of(object(measured), 1, 10),
                "rows to show beside those predictions")
      .check([](const RestShapeScenario& s, const Value& root, const Path& path, Mistakes& mistakes) {
        settle_soft_body(s, root, path, mistakes);
        const bool down = s.gravity.x() == 0.0 && s.gravity.y() == 0.0 && s.gravity.z() < 0.0;
        if (s.flip && !(down && s.forces.empty() && s.prescribed.empty()))
          mistakes.add(path.at("flip"), place_of(root, "flip"),
                       "needs gravity along -z and no other loads or prescribed displacements");
        if (s.flip && vertices_on(s.mesh, SoftSide::top).size() < 3)
          mistakes.add(path.at("flip"), place_of(root, "flip"), "needs a flat top to stand on");
        if (!s.measured.empty() && !s.flip)
          mistakes.add(path.at("measured"), place_of(root, "measured"), "goes with `flip`");
      });
  return all;
}

double forward_error(const RestShapeProblem& problem, const RestShapeResult& result) {
  SoftBody body = problem.body;
  body.mesh.vertices = result.rest_vertices;
  body.density.reset();
  body.masses = result.masses;
  body.young *= problem.stiffness_scale;
  const FemResult forward = fem(body);
  if (forward.status != FemStatus::ok) return missing;
  double worst = 0.0;
  for (std::size_t v = 0; v < forward.displacement.size(); ++v)
    worst = std::max(worst, (result.rest_vertices[v] + forward.displacement[v] - problem.body.mesh.vertices[v]).norm());
  return worst;
}

RestShapeProblem with_way(RestShapeProblem problem, const RestShapeWay& way) {
  problem.method = way.method;
  problem.damping = way.damping;
  problem.spectrum = false;
  problem.map_norms = way.method == RestShapeMethod::fixed_point;
  return problem;
}

/// A part of the progress of several tasks.
Progress part_of(const Progress& whole, double from, double to) {
  Progress part;
  part.show = [&whole, from, to](double share) { whole.at(from + (to - from) * share); };
  part.cancelled = whole.cancelled;
  return part;
}

RestShapeRun run(const RestShapeScenario& scenario, const RunRequest& request) {
  RestShapeRun run;
  RestShapeProblem& problem = run.problem;
  problem = scenario.settings;
  problem.body = soft_body(scenario);
  orient(problem.body.mesh);
  const bool more = request.pictures;
  problem.map_norms = more && problem.method == RestShapeMethod::fixed_point;
  const double tasks =
      more ? 1.0 + double(scenario.compare.size()) + (scenario.loads.empty() ? 0.0 : 1.0) + (scenario.flip ? 1.0 : 0.0)
           : 1.0;
  double done = 0.0;
  const auto next = [&] {
    const Progress part = part_of(request.progress, done / tasks, (done + 1.0) / tasks);
    done += 1.0;
    return part;
  };
  run.result = rest_shape(problem, 0, next());
  const bool found = run.result.status == RestShapeStatus::ok || run.result.status == RestShapeStatus::unstable_rest;
  if (found) run.forward_error = forward_error(problem, run.result);
  if (!more || run.result.rest_vertices.empty()) return run;

  const RestShapeWay asked{problem.method, problem.damping};
  if (!scenario.compare.empty()) run.ways.push_back({asked, run.result});
  for (const RestShapeWay& way : scenario.compare)
    run.ways.push_back({way, rest_shape(with_way(problem, way), 0, next())});
  if (!scenario.loads.empty()) {
    std::vector<RestShapeWay> ways = {asked};
    ways.insert(ways.end(), scenario.compare.begin(), scenario.compare.end());
    const Progress part = next();
    for (const double load : scenario.loads)
      for (const RestShapeWay& way : ways) {
        RestShapeProblem heavier = with_way(problem, way);
        heavier.body.gravity *= load;
        heavier.map_norms = false;
        const RestShapeResult one = rest_shape(heavier);
        run.loads.push_back({load, way, one.status, one.history.size()});
        part.step(double(run.loads.size()) / double(ways.size() * scenario.loads.size()));
      }
  }
  if (scenario.flip) run.flips = flip_runs(problem, next());
  run.single = single_tetrahedron_of(problem);
  return run;
}

double height_of(const std::vector<Eigen::Vector3d>& vertices, const Eigen::Vector3d& gravity) {
  const Eigen::Vector3d up = gravity.isZero(0.0) ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d(-gravity.normalized());
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Eigen::Vector3d& v : vertices) low = std::min(low, up.dot(v)), high = std::max(high, up.dot(v));
  return high - low;
}

Facts facts(const RestShapeScenario&, const RestShapeRun& run) {
  const RestShapeResult& r = run.result;
  const TetMesh& mesh = run.problem.body.mesh;
  const bool shown = !r.rest_vertices.empty();
  std::string flags;
  for (const auto& [flag, called] : names_of<SoftFlag>)
    if (r.flags.has(flag)) flags += (flags.empty() ? "" : ", ") + std::string(called);
  double largest = 0.0;
  for (const Eigen::Vector3d& d : r.displacement) largest = std::max(largest, d.norm());
  Facts all = {
      {"status", "status", std::string(name(r.status)), ""},
      {"vertices", "vertices", static_cast<double>(mesh.vertices.size()), ""},
      {"tets", "tetrahedra", static_cast<double>(mesh.tets.size()), ""},
      {"iterations", "iterations", static_cast<double>(r.history.size()), ""},
      {"residual", "residual", shown ? r.residual : missing, ""},
      {"height_observed", "height as observed", height_of(mesh.vertices, run.problem.body.gravity), "m"},
      {"height_rest", "height without load", shown ? height_of(r.rest_vertices, run.problem.body.gravity) : missing,
       "m"},
      {"volume_observed", "volume as observed", shown ? volume(mesh) : missing, "m$^3$"},
      {"volume_rest", "volume without load", shown ? volume({r.rest_vertices, mesh.tets}) : missing, "m$^3$"},
      {"largest_displacement", "largest displacement", shown ? largest : missing, "m"},
      {"largest_strain", "largest principal strain", shown ? r.tets.largest : missing, ""},
      {"friction_required", "friction that the supports need", r.friction_required.value_or(missing), ""},
      {"forward_error", "rest shape under its load, against the observed", run.forward_error.value_or(missing), "m"}};
  if (r.spectrum) {
    all.push_back({"largest_eigenvalue", "largest eigenvalue of the fixed point, $|m|$", r.spectrum->largest, ""});
    all.push_back({"r_max", "dampings below this converge, $r_{max}$", r.spectrum->r_max, ""});
    all.push_back({"r_best", "best damping", r.spectrum->r_best.value_or(missing), ""});
  }
  if (r.damping) all.push_back({"damping", "damping used", *r.damping, ""});
  all.push_back({"flags", "flags", flags, ""});
  return all;
}

Facts details(const RestShapeScenario&, const RestShapeRun& run) {
  if (!run.single) return {};
  const TetrahedronTheory theory = tetrahedron_theory(*run.single);
  return {{"theory_displacement", "displacement of the free vertex, in closed form", theory.displacement, "m"},
          {"theory_slope", "slope of the map", theory.slope, ""},
          {"density_bound", "largest density (eq. 6.39)", theory.density_bound, "kg/m$^3$"}};
}

Table history_table(const RestShapeResult& result) {
  Table table{"iterations", "Iterations", {}};
  table.columns = {{"iteration", "iteration", ""},
                   {"residual", "residual", ""},
                   {"step", "$|\\Delta_{k+1} - \\Delta_k|$", "m"},
                   {"displacement", "$|\\Delta|$", "m"},
                   {"map_norm", "norm of the map along the step (eq. 6.61)", ""}};
  for (std::size_t k = 0; k < result.history.size(); ++k) {
    const RestShapeIterate& one = result.history[k];
    table.add_row({double(k + 1), one.residual, one.step, one.displacement, one.map_norm.value_or(missing)});
  }
  return table;
}

Table ways_table(const RestShapeRun& run) {
  Table table{"ways", "Ways to find it", {}};
  table.columns = {{"way", "way", ""},
                   {"status", "status", ""},
                   {"iterations", "iterations", ""},
                   {"height", "height without load", "m"},
                   {"friction_required", "friction needed", ""},
                   {"largest_strain", "largest strain", ""}};
  for (const WayRun& one : run.ways)
    table.add_row({way_name(one.way), std::string(name(one.result.status)), double(one.result.history.size()),
                   height_of(one.result.rest_vertices, run.problem.body.gravity),
                   one.result.friction_required.value_or(missing), one.result.tets.largest});
  return table;
}

Table loads_table(const RestShapeRun& run) {
  Table table{"loads", "Iterations over load", {}};
  table.columns = {
      {"load", "load", ""}, {"way", "way", ""}, {"status", "status", ""}, {"iterations", "iterations", ""}};
  for (const LoadRun& one : run.loads)
    table.add_row({one.load, way_name(one.way), std::string(name(one.status)), double(one.iterations)});
  return table;
}

Document describe(const RestShapeScenario& scenario, const RestShapeRun& run) {
  Document document;
  const RestShapeResult& r = run.result;
  const TetMesh& mesh = run.problem.body.mesh;
  if (r.rest_vertices.empty()) {
    document.summary = "There is no answer: " + r.message + ".";
    return document;
  }
  document.summary = r.status == RestShapeStatus::ok ? "The shape that gives the observed one when its loads come back."
                                                     : "No trustworthy shape (" + std::string(name(r.status)) +
                                                           "): " + r.message + ". The last iterate is shown.";
  if (!r.history.empty()) document.tables.push_back(history_table(r));
  if (run.ways.size() > 1) document.tables.push_back(ways_table(run));
  if (!run.loads.empty()) document.tables.push_back(loads_table(run));
  if (!run.flips.empty()) document.tables.push_back(flip_table(run, scenario.measured));
  if (run.single) document.tables.push_back(single_table(*run.single));
  document.plots = rest_shape_pictures(run);
  const std::vector<double> displacement = displacement_of_tets(mesh, r.displacement), none(mesh.tets.size(), 0.0);
  document.scenes.push_back(deformation_scene(mesh, {{mesh.vertices, displacement, ""}, {r.rest_vertices, none, ""}},
                                              "From the observed shape to the shape without load", "displacement [m]"));
  document.files.push_back(vtu_file("rest_shape", {r.rest_vertices, mesh.tets}, r.displacement, r.tets));
  document.files.push_back(vtu_file("observed_shape", mesh, r.displacement, r.tets));
  if (r.friction_required && *r.friction_required > 1.0)
    document.notes.push_back(
        fmt::format("A fixed base needs a friction of {:.3g} somewhere: more than most surfaces "
                    "have. With `base: frictionless` it may slide.",
                    *r.friction_required));
  if (r.flags.has(SoftFlag::large_strain))
    document.notes.push_back(
        fmt::format("large_strain: a strain of {:.3g} is beyond what small-strain theory is for; "
                    "`method: neo_hookean` knows finite strain.",
                    r.tets.largest));
  if (r.flags.has(SoftFlag::locking))
    document.notes.push_back("locking: nearly incompressible, linear tetrahedra are much too stiff.");
  if (r.flags.has(SoftFlag::no_damping))
    document.notes.push_back("no_damping: no damping makes the fixed point converge; 1 was used.");
  return document;
}

}  // namespace

std::string way_name(const RestShapeWay& way) {
  std::string called = name(way.method);
  std::replace(called.begin(), called.end(), '_', ' ');
  const bool damped = way.method == RestShapeMethod::fixed_point || way.method == RestShapeMethod::anderson;
  if (!damped) return called;
  return called + (way.damping ? fmt::format(", r = {:g}", *way.damping) : ", best r");
}

Kind rest_shape_kind() {
  return make_kind<RestShapeScenario, RestShapeRun>(
      {"rest_shape", "", "A soft body on a table: what shape would it have without gravity?", fields(), run, facts,
       details, describe});
}

}  // namespace carom::scenario
