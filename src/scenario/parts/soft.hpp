// A soft body as rows give it: vertices, tetrahedra, material, supports, loads. What rows call its fields, the library
// does too.
#pragma once

#include <array>
#include <vector>

#include "carom/soft/rest_shape.hpp"

#include "parts/described.hpp"

namespace carom::scenario {

/// More vertices or tetrahedra than a line of 64 MB can hold.
inline constexpr std::size_t max_soft_items = 10'000'000;

Type<std::array<int, 4>> tetrahedron();
Type<double> soft_poisson();
Type<NodalForce> nodal_force();                          ///< [vertex, fx, fy, fz]
Type<PrescribedDisplacement> prescribed_displacement();  ///< [vertex, axis, value]
Type<std::vector<SupportForce>> support_forces();        ///< {"vertex": [fx, fy, fz], ..}; for writing

/// Looks for what one of the library's checks has against a body.
template <void (*check)(const SoftBody&)>
void soft_rule(const SoftBody& body, const Value& object, const Path& path, Mistakes& mistakes) {
  try {
    check(body);
  } catch (const InvalidInput& error) {
    const Path where = path.at(error.field());
    const std::string_view member = std::string_view(error.field()).substr(0, error.field().find('['));
    object.find(member) != nullptr ? mistakes.add(where, object.find(member)->place(), error.message())
                                   : mistakes.add_missing(where, object, error.message());
  }
}
inline void require_soft_mesh(const SoftBody& body) { require_mesh(body.mesh); }

/// The same for a row in which vertices or tetrahedra may be wrong themselves: how many there are is known all the
/// same.
template <void (*check)(const SoftBody&)>
void soft_row_rule(const SoftBody& body, const Value& object, const Path& path, Mistakes& mistakes) {
  const Value *vertices = object.find("vertices"), *tets = object.find("tets");
  if (vertices == nullptr || vertices->kind() != Value::Kind::list) return;
  SoftBody counted = body;
  counted.mesh.vertices.resize(vertices->size(), Eigen::Vector3d::Zero());
  std::size_t i = 0;
  for (const Value& vertex : vertices->items()) {  // one that could not be read holds nothing yet
    bool good = vertex.kind() == Value::Kind::list && vertex.size() == 3;
    if (good)
      for (const Value& x : vertex.items()) good = good && x.kind() == Value::Kind::number;
    if (!good) counted.mesh.vertices[i] = Eigen::Vector3d::Zero();
    ++i;
  }
  if (tets != nullptr && tets->kind() == Value::Kind::list) counted.mesh.tets.resize(tets->size());
  soft_rule<check>(counted, object, path, mistakes);
}

/// Mesh, material, mass and gravity of a row that derives from SoftBody.
template <class Row>
void add_soft_matter(Fields<Row>& fields) {
  fields
      .required(
          "vertices", [](Row & row) -> auto& { return row.mesh.vertices; }, list_of(vector<3>(), 1, max_soft_items),
          "[m]")
      .required(
          "tets", [](Row & row) -> auto& { return row.mesh.tets; }, list_of(tetrahedron(), 1, max_soft_items),
          "four vertices each")
      .required("young", &SoftBody::young, number(Range::positive()), "Young's modulus [Pa]")
      .required("poisson", &SoftBody::poisson, soft_poisson(), "Poisson's ratio")
      .optional("density", &SoftBody::density, number(Range::positive()), "[kg/m^3]")
      .optional("masses", &SoftBody::masses, list_of(number(Range::positive()), 1, max_soft_items),
                "of each tetrahedron [kg], in place of density")
      .required("gravity", &SoftBody::gravity, vector<3>(), "[m/s^2]");
  fields.late_check({"tets"}, soft_row_rule<require_soft_mesh>)
      .late_check({"density", "masses"}, soft_row_rule<require_soft_masses>);
}

/// The fields of a row that derives from SoftBody and says all of it.
template <class Row>
void add_soft_body(Fields<Row>& fields) {
  const auto vertex = integer(0, static_cast<int>(max_mesh_vertices));
  add_soft_matter(fields);
  fields.required("fixed", &SoftBody::fixed, list_of(vertex, 0, max_soft_items), "vertices that do not move")
      .optional("forces", &SoftBody::forces, list_of(nodal_force(), 0, max_soft_items), "[N]")
      .optional("prescribed", &SoftBody::prescribed, list_of(prescribed_displacement(), 0, max_soft_items),
                "displacements [m]; axis 0, 1 or 2");
  fields.late_check({"fixed"}, soft_row_rule<require_soft_fixed>)
      .late_check({"forces"}, soft_row_rule<require_soft_forces>)
      .late_check({"prescribed"}, soft_row_rule<require_soft_prescribed>);
}

Type<std::optional<double>> rest_shape_damping();  ///< a number, or "auto" for none

/// How to look for a rest shape; `Row` derives from SoftBody and has a RestShapeProblem `settings`.
template <class Row>
void add_rest_shape_settings(Fields<Row>& fields) {
  fields
      .optional(
          "method", [](Row & row) -> auto& { return row.settings.method; }, choice<RestShapeMethod>(),
          "(default newton)")
      .optional(
          "damping", [](Row & row) -> auto& { return row.settings.damping; }, rest_shape_damping(),
          "r of fixed_point and anderson, or auto (default 1)")
      .optional(
          "tolerance", [](Row & row) -> auto& { return row.settings.tolerance; }, number(Range::positive()),
          "of the residual, relative to the load (default 1e-10)")
      .optional(
          "max_iterations", [](Row & row) -> auto& { return row.settings.max_iterations; },
          integer(1, rest_shape_max_iterations), "(default 200)")
      .optional(
          "stiffness_scale", [](Row & row) -> auto& { return row.settings.stiffness_scale; }, number(Range::positive()),
          "of both moduli; 0.5: the stiffness of the thesis' chapter (default 1)")
      .optional(
          "glued", [](Row & row) -> auto& { return row.settings.glued; }, boolean(),
          "supports may pull (default false)")
      .optional("base", &SoftBody::base, choice<SoftBase>(), "how `fixed` vertices are held (default fixed)")
      .optional(
          "spectrum", [](Row & row) -> auto& { return row.settings.spectrum; }, boolean(),
          "also the eigenvalues of the fixed point (default false)");
  fields.check({"method", "damping"}, [](const Row& row, const Value& object, const Path& path, Mistakes& mistakes) {
    const RestShapeMethod method = row.settings.method;
    if (!row.settings.damping && method != RestShapeMethod::fixed_point && method != RestShapeMethod::anderson)
      mistakes.add(path.at("damping"), place_of(object, "damping"), "can be auto with fixed_point and anderson only");
  });
}

}  // namespace carom::scenario
