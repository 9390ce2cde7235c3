// One tetrahedron on a table: the closed form beside the iteration (Wang 2017, section 6.3.2).
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "kinds/rest_shape/rest_shape.hpp"
#include "pictures/colors.hpp"
#include "pictures/lines.hpp"

namespace carom::scenario {

namespace {

/// A base is flat within this share of the height.
constexpr double flat = 1e-9;

SingleTetrahedron with(SingleTetrahedron single, double density, double scale) {
  single.density = density;
  single.stiffness_scale = scale;
  return single;
}

}  // namespace

std::optional<SingleTetrahedron> single_tetrahedron_of(const RestShapeProblem& problem) {
  const SoftBody& body = problem.body;
  const bool down = body.gravity.x() == 0.0 && body.gravity.y() == 0.0 && body.gravity.z() < 0.0;
  if (body.mesh.tets.size() != 1 || body.fixed.size() != 3 || !down || body.base != SoftBase::fixed ||
      !body.forces.empty() || !body.prescribed.empty())
    return std::nullopt;
  const int free = 6 - body.fixed[0] - body.fixed[1] - body.fixed[2];
  const double table = body.mesh.vertices[std::size_t(body.fixed[0])].z(),
               height = body.mesh.vertices[std::size_t(free)].z() - table;
  for (const int v : body.fixed)
    if (std::abs(body.mesh.vertices[std::size_t(v)].z() - table) > flat * std::abs(height)) return std::nullopt;
  if (!(height > 0.0)) return std::nullopt;
  return SingleTetrahedron{body.young, body.poisson, *body.density, -body.gravity.z(), height, problem.stiffness_scale};
}

report::Table single_table(const SingleTetrahedron& single) {
  report::Table table{"table_6_3", "Iterations until the map moves the vertex by less than 1e-6 m", {}};
  table.columns = {{"density", "density", "kg/m$^3$"},
                   {"damping", "damping", ""},
                   {"correct", "K", ""},
                   {"half", "K/2", ""},
                   {"frozen", "K/2, frozen volume", ""},
                   {"displacement", "displacement", "m"}};
  for (const double factor : {0.1, 0.5, 1.0, 2.0, 10.0})
    for (const double damping : {1.0, 0.5}) {
      const SingleTetrahedron one = with(single, factor * single.density, 1.0),
                              half = with(single, factor * single.density, 0.5);
      const auto count = [&](const SingleTetrahedron& which, TetrahedronMap map) {
        const int n = tetrahedron_iterations(which, damping, 1e-6, map);
        return n > 0 ? static_cast<double>(n) : std::nan("");
      };
      table.add_row({one.density, damping, count(one, TetrahedronMap::consistent),
                     count(half, TetrahedronMap::consistent), count(half, TetrahedronMap::frozen_volume),
                     tetrahedron_theory(one).displacement});
    }
  return table;
}

report::Plot single_map_picture(const SingleTetrahedron& single) {
  report::Plot plot = empty_plot(
      "single_map", "Why the iteration converges: the map is a line",
      "Figure 6.6: the map of the free vertex's height meets the diagonal at the solution w*. Its slope is below 1 for "
      "densities below the bound of eq. 6.39, with any damping; from any d below w*, [d, 0] goes into itself.",
      "$w$ [m]", "next $w$ [m]");
  const double deep = 2.0 * tetrahedron_theory(with(single, single.density, 0.5)).displacement;
  const double low = std::isfinite(deep) ? deep : -single.height;
  plot.curves.push_back(line({{low, low}, {0.0, 0.0}}, report::Color::muted, "next $w$ = $w$", report::Dash::dotted));
  std::size_t color = 0;
  for (const double scale : {1.0, 0.5}) {
    for (const double damping : {1.0, 0.5}) {
      const SingleTetrahedron one = with(single, single.density, scale);
      plot.curves.push_back(line(sampled(low, 0.0, 1, [&](double w) { return tetrahedron_step(one, damping, w); }),
                                 colors[color], fmt::format("{}, r = {:g}", scale == 1.0 ? "K" : "K/2", damping),
                                 damping == 1.0 ? report::Dash::solid : report::Dash::dashed));
    }
    const double w = tetrahedron_theory(with(single, single.density, scale)).displacement;
    if (std::isfinite(w))
      plot.markers.push_back({{w, w}, report::MarkerShape::circle, colors[color], scale == 1.0 ? "w*" : "w*, K/2", ""});
    ++color;
  }
  return plot;
}

report::Plot single_iterates_picture(const SingleTetrahedron& single) {
  report::Plot plot = empty_plot("single_iterates", "The free vertex, step by step",
                                 "Figure 6.7: without damping the iteration is there at once, with r = 0.5 every step "
                                 "halves what is left.",
                                 "iteration", "$w$ [m]");
  plot.x.whole = true;
  std::size_t color = 0;
  for (const double factor : {0.5, 1.0, 2.0}) {
    for (const double damping : {1.0, 0.5}) {
      const SingleTetrahedron one = with(single, factor * single.density, single.stiffness_scale);
      std::vector<report::Point> points = {{0.0, 0.0}};
      double w = 0.0;
      for (int k = 1; k <= 16 && std::isfinite(w); ++k)
        points.push_back({double(k), w = tetrahedron_step(one, damping, w)});
      plot.curves.push_back(line(std::move(points), colors[color],
                                 fmt::format("{:g} kg/m$^3$, r = {:g}", one.density, damping),
                                 damping == 1.0 ? report::Dash::solid : report::Dash::dashed));
    }
    ++color;
  }
  return plot;
}

}  // namespace carom::scenario
