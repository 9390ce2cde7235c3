// The body turned over onto its small face: what the recovered rest shape is good for (Wang 2017, Table 6.4).
#include <algorithm>
#include <cmath>
#include <limits>

#include "kinds/rest_shape/rest_shape.hpp"

namespace carom::scenario {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// Twice the largest distance from the axis among these vertices.
double diameter(const std::vector<Eigen::Vector3d>& vertices, const std::vector<int>& of) {
  Eigen::Vector2d middle = Eigen::Vector2d::Zero();
  for (const int v : of) middle += vertices[std::size_t(v)].head<2>();
  middle /= static_cast<double>(of.size());
  double radius = 0.0;
  for (const int v : of) radius = std::max(radius, (vertices[std::size_t(v)].head<2>() - middle).norm());
  return 2.0 * radius;
}

/// Of the body standing on the face `bottom`.
Measures measured(const TetMesh& mesh, const std::vector<int>& bottom, const std::vector<int>& top) {
  Measures m;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Eigen::Vector3d& v : mesh.vertices) low = std::min(low, v.z()), high = std::max(high, v.z());
  m.height = high - low;
  m.top = diameter(mesh.vertices, top);
  m.bottom = diameter(mesh.vertices, bottom);
  m.volume = volume(mesh);
  return m;
}

/// A shape without load, turned over: its face `bottom` is pressed flat onto the table and gravity, along its own +z,
/// loads it; one linear solve with the stiffness of that shape.
Measures turned_over(const RestShapeProblem& problem, const std::vector<Eigen::Vector3d>& shape,
                     const std::vector<double>& masses, const std::vector<int>& bottom, const std::vector<int>& top) {
  SoftBody body = problem.body;
  body.mesh.vertices = shape;
  body.young *= problem.stiffness_scale;
  body.density.reset();
  body.masses = masses;
  body.gravity = -body.gravity;
  body.fixed.clear();
  body.prescribed.clear();
  int far = bottom.front();
  const int first = bottom.front();
  const auto at = [&](int v) -> Eigen::Vector3d& { return body.mesh.vertices[std::size_t(v)]; };
  for (const int v : bottom)
    if ((at(v) - at(first)).norm() > (at(far) - at(first)).norm()) far = v;
  if (problem.body.base == SoftBase::frictionless) {
    // A face that may slide keeps one place and one direction: the line to its farthest vertex is laid along x.
    const Eigen::Vector2d along = (at(far) - at(first)).head<2>().normalized();
    for (Eigen::Vector3d& v : body.mesh.vertices)
      v = {along.x() * v.x() + along.y() * v.y(), along.x() * v.y() - along.y() * v.x(), v.z()};
  }
  double plane = -std::numeric_limits<double>::infinity();
  for (const int v : bottom) plane = std::max(plane, at(v).z());
  for (const int v : bottom) {
    body.prescribed.push_back({v, 2, plane - at(v).z()});
    const bool held = problem.body.base == SoftBase::fixed;
    if (held || v == first) body.prescribed.push_back({v, 0, 0.0});
    if (held || v == first || v == far) body.prescribed.push_back({v, 1, 0.0});
  }
  body.base = SoftBase::fixed;
  const FemResult result = fem(body);
  if (result.status != FemStatus::ok) return {missing, missing, missing, missing};
  TetMesh loaded = body.mesh;
  for (std::size_t v = 0; v < loaded.vertices.size(); ++v) loaded.vertices[v] += result.displacement[v];
  return measured(loaded, bottom, top);
}

}  // namespace

Measures measures_of(const TetMesh& mesh) {
  return measured(mesh, vertices_on(mesh, SoftSide::bottom), vertices_on(mesh, SoftSide::top));
}

std::vector<FlipRun> flip_runs(const RestShapeProblem& problem, const Progress& progress) {
  const std::vector<int> bottom = vertices_on(problem.body.mesh, SoftSide::bottom),
                         top = vertices_on(problem.body.mesh, SoftSide::top);
  std::vector<FlipRun> runs;
  for (const SoftBase base : {SoftBase::fixed, SoftBase::frictionless})
    for (const double scale : {1.0, 0.5}) {
      RestShapeProblem one = problem;
      one.body.base = base;
      one.stiffness_scale = scale;
      one.spectrum = one.map_norms = false;
      FlipRun run;
      run.base = base;
      run.stiffness_scale = scale;
      run.rest = rest_shape(one);
      const TetMesh rest{run.rest.rest_vertices, problem.body.mesh.tets};
      if (!rest.vertices.empty()) {
        run.at_rest = measured(rest, bottom, top);
        run.from_observed = turned_over(one, problem.body.mesh.vertices, run.rest.masses, top, bottom);
        run.from_rest = turned_over(one, rest.vertices, run.rest.masses, top, bottom);
      }
      runs.push_back(std::move(run));
      progress.step(0.25 * static_cast<double>(runs.size()));
    }
  return runs;
}

report::Table flip_table(const RestShapeRun& run, const std::vector<MeasuredRow>& measured_rows) {
  report::Table table{"flip", "Turned over: predictions and measurements", {}};
  table.columns = {{"shape", "shape", ""},         {"base", "base", ""},
                   {"stiffness", "stiffness", ""}, {"height", "height", "m"},
                   {"top", "top diameter", "m"},   {"bottom", "bottom diameter", "m"},
                   {"volume", "volume", "m$^3$"},  {"iterations", "iterations", ""}};
  const auto add = [&](const std::string& shape, const std::string& base, const std::string& stiffness,
                       const Measures& m, double iterations) {
    table.add_row({shape, base, stiffness, m.height, m.top, m.bottom, m.volume, iterations});
  };
  add("observed", "", "", measures_of(run.problem.body.mesh), missing);
  for (const MeasuredRow& row : measured_rows)
    add(row.label, "", "",
        {row.height.value_or(missing), row.top.value_or(missing), row.bottom.value_or(missing),
         row.volume.value_or(missing)},
        missing);
  for (const FlipRun& one : run.flips) {
    const std::string base = name(one.base), stiffness = one.stiffness_scale == 1.0 ? "K" : "K/2";
    add("without load", base, stiffness, one.at_rest, static_cast<double>(one.rest.history.size()));
    add("turned over, from the observed shape", base, stiffness, one.from_observed, missing);
    add("turned over, from the rest shape", base, stiffness, one.from_rest, missing);
  }
  return table;
}

}  // namespace carom::scenario
