// How does a soft body give under its weight, forces and supports? Also against the formula of a beam.
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/core/text.hpp"

#include "kind.hpp"
#include "parts/soft_body.hpp"
#include "pictures/lines.hpp"
#include "pictures/soft.hpp"

namespace carom::scenario {

namespace {

using report::Color, report::Document, report::Plot;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

struct FemScenario : SoftScenario {
  bool beam = false;
};

/// A beam held at its left end and bent by its own weight along z: Timoshenko's deflection, with the shear of a
/// rectangular section.
struct Beam {
  double length = 0.0, bending = 0.0, shear = 0.0;  // at the tip [m], downwards positive with gravity

  /// At a share of the length from the clamp.
  double deflection(double share) const {
    const double s = share;
    return bending * s * s * (s * s - 4.0 * s + 6.0) / 3.0 + shear * s * (2.0 - s);
  }
};

struct FemRun {
  SoftBody body;
  FemResult result;
  std::optional<Beam> beam;
};

Fields<FemScenario> fields() {
  Fields<FemScenario> all;
  add_soft_scenario(all);
  all.optional("base", &SoftBody::base, choice<SoftBase>(), "how fixed vertices are held (default fixed)")
      .optional("beam", &FemScenario::beam, boolean(),
                "compare with a beam held at its left side and bent by its weight (default false)")
      .check([](const FemScenario& s, const Value& root, const Path& path, Mistakes& mistakes) {
        settle_soft_body(s, root, path, mistakes);
        const bool clamped = s.supports.sides == std::vector{SoftSide::left} && s.supports.vertices.empty();
        if (s.beam && (!clamped || s.gravity.x() != 0.0 || s.gravity.y() != 0.0 || s.base != SoftBase::fixed))
          mistakes.add(path.at("beam"), place_of(root, "beam"), "needs `fixed: left` and gravity along z");
      });
  return all;
}

Beam beam_of(const SoftBody& body) {
  Eigen::Vector3d low = body.mesh.vertices.front(), high = low;
  for (const Eigen::Vector3d& v : body.mesh.vertices) low = low.cwiseMin(v), high = high.cwiseMax(v);
  const Eigen::Vector3d size = high - low;
  const double area = size.y() * size.z(), inertia = area * size.z() * size.z() / 12.0,
               load = *body.density * body.gravity.z() * area, nu = body.poisson,
               shear_modulus = body.young / (2.0 * (1.0 + nu)), share = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
  Beam beam;
  beam.length = size.x();
  beam.bending = load * std::pow(size.x(), 4) / (8.0 * body.young * inertia);
  beam.shear = load * size.x() * size.x() / (2.0 * share * shear_modulus * area);
  return beam;
}

FemRun run(const FemScenario& scenario, const RunRequest& request) {
  FemRun run;
  run.body = soft_body(scenario);
  orient(run.body.mesh);
  request.progress.step(0.0);
  run.result = fem(run.body);
  if (scenario.beam) run.beam = beam_of(run.body);
  return run;
}

double tip_of(const FemRun& run) {
  const std::vector<int> tip = vertices_on(run.body.mesh, SoftSide::right);
  double sum = 0.0;
  for (const int v : tip) sum += run.result.displacement[std::size_t(v)].z();
  return sum / static_cast<double>(tip.size());
}

Facts facts(const FemScenario&, const FemRun& run) {
  const FemResult& r = run.result;
  Eigen::Vector3d support = Eigen::Vector3d::Zero();
  for (const SupportForce& f : r.reactions) support += f.force;
  double largest = 0.0;
  for (const Eigen::Vector3d& d : r.displacement) largest = std::max(largest, d.norm());
  const bool ok = r.status == FemStatus::ok;
  std::string flags;
  for (const auto& [flag, called] : names_of<SoftFlag>)
    if (r.flags.has(flag)) flags += (flags.empty() ? "" : ", ") + std::string(called);
  Facts all = {{"status", "status", std::string(name(r.status)), ""},
               {"vertices", "vertices", static_cast<double>(run.body.mesh.vertices.size()), ""},
               {"tets", "tetrahedra", static_cast<double>(run.body.mesh.tets.size()), ""},
               {"largest_displacement", "largest displacement", ok ? largest : missing, "m"},
               {"largest_strain", "largest principal strain", ok ? r.tets.largest : missing, ""},
               {"strain_energy", "strain energy", ok ? r.strain_energy : missing, "J"},
               {"support_force", "force of all supports", std::vector<double>(support.begin(), support.end()), "N"},
               {"flags", "flags", flags, ""}};
  if (run.beam && ok) {
    const double tip = tip_of(run), beam = run.beam->deflection(1.0);
    all.push_back({"tip", "deflection of the tip", tip, "m"});
    all.push_back({"beam_tip", "of a Timoshenko beam", beam, "m"});
    all.push_back({"tip_share", "tip against the beam", tip / beam, ""});
  }
  return all;
}

Facts details(const FemScenario&, const FemRun&) { return {}; }

Plot deflection_picture(const FemRun& run) {
  Plot plot = empty_plot("deflection", "Deflection along the beam",
                         "Mean over each cross-section of the mesh, against beams with and without shear.",
                         "distance from the clamp [m]", "deflection [m]");
  double start = run.body.mesh.vertices.front().x();
  for (const Eigen::Vector3d& v : run.body.mesh.vertices) start = std::min(start, v.x());
  std::vector<std::pair<double, double>> at;
  for (std::size_t v = 0; v < run.body.mesh.vertices.size(); ++v)
    at.push_back({run.body.mesh.vertices[v].x() - start, run.result.displacement[v].z()});
  std::sort(at.begin(), at.end());
  const Beam& beam = *run.beam;
  const auto curve = [&](double bending, double shear) {
    const Beam one{beam.length, bending, shear};
    return sampled(0.0, beam.length, 100, [&](double x) { return one.deflection(x / one.length); });
  };
  plot.curves.push_back(line(curve(beam.bending, beam.shear), Color::ink, "Timoshenko"));
  plot.curves.push_back(line(curve(beam.bending, 0.0), Color::muted, "Euler, Bernoulli", report::Dash::dashed));
  bool first = true;
  for (std::size_t i = 0; i < at.size();) {
    std::size_t end = i;
    double sum = 0.0;
    while (end < at.size() && at[end].first <= at[i].first + 1e-9 * beam.length) sum += at[end++].second;
    plot.markers.push_back({{at[i].first, sum / static_cast<double>(end - i)},
                            report::MarkerShape::ring,
                            Color::blue,
                            "",
                            first ? "tetrahedra" : ""});
    first = false;
    i = end;
  }
  return plot;
}

Document describe(const FemScenario&, const FemRun& run) {
  Document document;
  const FemResult& r = run.result;
  if (r.status != FemStatus::ok) {
    document.summary = "There is no answer: " + r.message + ".";
    return document;
  }
  document.summary =
      "The body comes to rest where elastic forces balance its weight, the other loads and the supports.";
  const TetMesh& mesh = run.body.mesh;
  std::vector<Eigen::Vector3d> moved = mesh.vertices;
  for (std::size_t v = 0; v < moved.size(); ++v) moved[v] += r.displacement[v];
  const std::vector<double> displacement = displacement_of_tets(mesh, r.displacement), none(mesh.tets.size(), 0.0);
  document.plots.push_back(surface_picture("displacement", "Before and under load",
                                           "Left: the shape without load. Right: under load, true to scale.", mesh,
                                           {{mesh.vertices, none, ""}, {moved, displacement, ""}}, "displacement [m]"));
  document.plots.push_back(surface_picture("strain", "Strain", "Largest principal strain under load.", mesh,
                                           {{moved, r.tets.strain, ""}}, "strain"));
  document.plots.push_back(surface_picture("stress", "Stress", "Von Mises' stress under load.", mesh,
                                           {{moved, von_mises(r.tets), ""}}, "stress [Pa]"));
  if (run.beam) document.plots.push_back(deflection_picture(run));
  document.scenes.push_back(deformation_scene(mesh, {{mesh.vertices, none, ""}, {moved, displacement, ""}},
                                              "Under load", "displacement [m]"));
  document.files.push_back(vtu_file("shape", mesh, r.displacement, r.tets));
  if (r.flags.has(SoftFlag::large_strain))
    document.notes.push_back("large_strain: a strain of " + number_text(r.tets.largest) +
                             " is beyond what small-strain theory is for.");
  if (r.flags.has(SoftFlag::locking))
    document.notes.push_back("locking: nearly incompressible, linear tetrahedra are much too stiff.");
  return document;
}

}  // namespace

Kind fem_kind() {
  return make_kind<FemScenario, FemRun>({"fem", "",
                                         "A soft body under its weight and other loads: shape, strain, stress",
                                         fields(), run, facts, details, describe});
}

}  // namespace carom::scenario
