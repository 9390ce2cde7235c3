#include <algorithm>
#include <cmath>
#include <map>

#include "kinds/rest_shape/rest_shape.hpp"
#include "pictures/colors.hpp"
#include "pictures/lines.hpp"
#include "pictures/soft.hpp"

namespace carom::scenario {

namespace {

using report::Plot;

/// One number of every iteration, a curve for each way.
Plot iteration_picture(const RestShapeRun& run, const char* name, const char* title, const char* caption,
                       const char* label, bool logarithmic, bool fixed_points_only,
                       double (*value)(const RestShapeIterate&)) {
  Plot plot = empty_plot(name, title, caption, "iteration", label);
  plot.x.whole = true;
  plot.y.logarithmic = logarithmic;
  std::size_t color = 0;
  const auto add = [&](const RestShapeResult& result, const RestShapeWay& way, const std::string& legend) {
    const auto mine = colors[color++ % std::size(colors)];
    if (fixed_points_only && way.method != RestShapeMethod::fixed_point) return;
    std::vector<report::Point> points;
    for (std::size_t k = 0; k < result.history.size(); ++k) points.push_back({double(k + 1), value(result.history[k])});
    for (const report::Point& p : points) plot.markers.push_back({p, report::MarkerShape::ring, mine, "", ""});
    plot.curves.push_back(line(std::move(points), mine, legend));
  };
  if (run.ways.empty())
    add(run.result, {run.problem.method, run.problem.damping}, "");
  else
    for (const WayRun& one : run.ways) add(one.result, one.way, way_name(one.way));
  return plot;
}

Plot loads_picture(const RestShapeRun& run) {
  Plot plot = empty_plot("loads", "How far each way goes",
                         "Iterations to the tolerance over the load, as multiples of gravity; a curve ends where its "
                         "way fails.",
                         "load", "iterations");
  plot.y.whole = true;
  std::map<std::string, std::size_t> order;
  std::vector<std::vector<report::Point>> points;
  std::vector<std::string> names;
  for (const LoadRun& one : run.loads) {
    const auto [at, is_new] = order.try_emplace(way_name(one.way), names.size());
    if (is_new) names.push_back(at->first), points.emplace_back();
    const bool found = one.status == RestShapeStatus::ok || one.status == RestShapeStatus::unstable_rest;
    if (found) points[at->second].push_back({one.load, double(one.iterations)});
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto color = colors[i % std::size(colors)];
    for (const report::Point& p : points[i]) plot.markers.push_back({p, report::MarkerShape::ring, color, "", ""});
    plot.curves.push_back(line(std::move(points[i]), color, names[i]));
  }
  return plot;
}

Plot flip_picture(const RestShapeRun& run) {
  Plot plot = empty_plot("flip_heights", "Turned over: which prediction is nearer?", "Dashed: the height as observed.",
                         "height [m]", "");
  const double observed = measures_of(run.problem.body.mesh).height;
  plot.lines.push_back({{observed, 0.0}, {0.0, 1.0}, {report::Color::muted, report::Dash::dashed, 1.2}, "", ""});
  // Each case has a lane of its own within its category.
  constexpr report::MarkerShape shapes[] = {report::MarkerShape::circle, report::MarkerShape::square,
                                            report::MarkerShape::diamond, report::MarkerShape::triangle};
  const double lane = 0.6 / double(std::max<std::size_t>(run.flips.size(), 1));
  for (std::size_t i = 0; i < run.flips.size(); ++i) {
    const FlipRun& one = run.flips[i];
    const std::string legend = std::string(name(one.base)) + (one.stiffness_scale == 1.0 ? ", K" : ", K/2");
    const double heights[] = {one.from_rest.height, one.from_observed.height, one.at_rest.height};
    for (std::size_t k = 0; k < std::size(heights); ++k)
      plot.markers.push_back({{heights[k], double(k + 1) + 0.3 - lane * (double(i) + 0.5)},
                              shapes[i % std::size(shapes)],
                              colors[i % std::size(colors)],
                              "",
                              k == 0 ? legend : ""});
  }
  plot.y.categories = {"turned over, by the rest shape", "turned over, by the observed shape", "without load"};
  plot.y.low = 0.5;
  plot.y.high = double(plot.y.categories.size()) + 0.5;
  return plot;
}

}  // namespace

std::vector<Plot> rest_shape_pictures(const RestShapeRun& run) {
  const RestShapeResult& r = run.result;
  const TetMesh& mesh = run.problem.body.mesh;
  const std::vector<double> displacement = displacement_of_tets(mesh, r.displacement);
  std::vector<Plot> plots;
  plots.push_back(surface_picture(
      "shapes", "As observed, and without load",
      "Left: the observed shape. Right: the shape without load. Colours: how far the load has moved it.", mesh,
      {{mesh.vertices, displacement, ""}, {r.rest_vertices, displacement, ""}}, "displacement [m]"));
  plots.push_back(surface_picture("strain", "Strain under load", "Largest principal strain, on the observed shape.",
                                  mesh, {{mesh.vertices, r.tets.strain, ""}}, "strain"));
  plots.push_back(surface_picture("stress", "Stress under load", "Von Mises' stress, on the observed shape.", mesh,
                                  {{mesh.vertices, von_mises(r.tets), ""}}, "stress [Pa]"));
  if (!r.history.empty()) {
    plots.push_back(iteration_picture(run, "residual", "Residual over iterations",
                                      "What is left of the balance of forces, relative to the load.", "residual", true,
                                      false, [](const RestShapeIterate& i) { return i.residual; }));
    plots.push_back(iteration_picture(run, "displacement_norm", "Norm of the displacement over iterations",
                                      "Figure 6.14: near its limit at once.", "$|\\Delta|$ [m]", false, false,
                                      [](const RestShapeIterate& i) { return i.displacement; }));
    plots.push_back(iteration_picture(run, "step_norm", "Step over iterations",
                                      "Figure 6.15: a straight line falls as fast as the largest eigenvalue of the map "
                                      "says; Newton's falls ever faster.",
                                      "step [m]", true, false, [](const RestShapeIterate& i) { return i.step; }));
    bool any = r.history.front().map_norm.has_value();
    for (const WayRun& one : run.ways)
      any = any || (!one.result.history.empty() && one.result.history.front().map_norm);
    if (any)
      plots.push_back(iteration_picture(run, "map_norm", "What the map does to the last step",
                                        "Figure 6.9, eq. 6.61: below 1 the step shrinks. It tends to the largest |1 - "
                                        "r + r m| over the eigenvalues m "
                                        "of the map, not to 0.",
                                        "$|J x| / |x|$", false, true,
                                        [](const RestShapeIterate& i) { return i.map_norm.value_or(std::nan("")); }));
  }
  if (!run.loads.empty()) plots.push_back(loads_picture(run));
  if (!run.flips.empty()) plots.push_back(flip_picture(run));
  if (run.single) {
    plots.push_back(single_map_picture(*run.single));
    plots.push_back(single_iterates_picture(*run.single));
  }
  return plots;
}

}  // namespace carom::scenario
