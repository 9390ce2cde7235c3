// A soft body as scenario files give it: a built-in solid, a mesh file or numbers; supports by side or by vertex.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/soft/rest_shape.hpp"
#include "carom/soft/solids.hpp"

#include "parts/described.hpp"
#include "parts/soft.hpp"

namespace carom::scenario {

enum class SoftSolid { round, frustum, box };
enum class SoftSide { bottom, top, left, right, front, back };

}  // namespace carom::scenario

template <>
inline constexpr auto carom::names_of<carom::scenario::SoftSolid> =
    std::to_array<carom::Named<carom::scenario::SoftSolid>>({
        {carom::scenario::SoftSolid::round, "round"},
        {carom::scenario::SoftSolid::frustum, "frustum"},
        {carom::scenario::SoftSolid::box, "box"},
    });
template <>
inline constexpr auto carom::names_of<carom::scenario::SoftSide> =
    std::to_array<carom::Named<carom::scenario::SoftSide>>({
        {carom::scenario::SoftSide::bottom, "bottom"},
        {carom::scenario::SoftSide::top, "top"},
        {carom::scenario::SoftSide::left, "left"},
        {carom::scenario::SoftSide::right, "right"},
        {carom::scenario::SoftSide::front, "front"},
        {carom::scenario::SoftSide::back, "back"},
    });

namespace carom::scenario {

/// A side names the vertices farthest that way, within this share of the body's size.
inline constexpr double soft_side_tolerance = 1e-9;

/// The vertices lowest or highest along an axis: bottom and top along z, left and right along x, front and back along
/// y.
std::vector<int> vertices_on(const TetMesh& mesh, SoftSide side);

/// `mesh`: `solid` with its sizes, or `file`, or `vertices` and `tets`.
Type<TetMesh> soft_mesh();
/// `fixed`: sides or vertices, kept until the mesh is known.
struct SoftSupports {
  std::vector<SoftSide> sides;
  std::vector<int> vertices;
};
Type<SoftSupports> soft_supports();

/// A soft body of a file; scenarios derive from it. `fixed` is filled in once all is read.
struct SoftScenario : SoftBody {
  SoftSupports supports;
};

/// Fills in `fixed` and looks for what the library has against the body.
void settle_soft_body(const SoftScenario& scenario, const Value& root, const Path& path, Mistakes& mistakes);

/// The body with its supports.
SoftBody soft_body(const SoftScenario& scenario);

template <class Scenario>
void add_soft_scenario(Fields<Scenario>& fields) {
  fields
      .required(
          "mesh", [](Scenario & s) -> auto& { return s.mesh; }, soft_mesh(), "what it looks like")
      .required("young", &SoftBody::young, number(Range::positive()), "Young's modulus [Pa]")
      .required("poisson", &SoftBody::poisson, soft_poisson(), "Poisson's ratio, in (-1, 0.5)")
      .required(
          "density", [](Scenario& s) -> double& { return s.density ? *s.density : s.density.emplace(); },
          number(Range::positive()), "[kg/m^3]")
      .required("gravity", &SoftBody::gravity, vector<3>(), "[m/s^2]")
      .required("fixed", &SoftScenario::supports, soft_supports(),
                "sides (bottom, top, left, right, front, back) or vertices that do not move")
      .optional("forces", &SoftBody::forces, list_of(nodal_force(), 0, max_soft_items), "[vertex, fx, fy, fz] [N]")
      .optional("prescribed", &SoftBody::prescribed, list_of(prescribed_displacement(), 0, max_soft_items),
                "[vertex, axis, displacement] [m]");
}

}  // namespace carom::scenario
