// The shape of a body, as a file gives it: its name and its sizes, among the other fields of the body.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "carom/core/names.hpp"
#include "carom/core/shape.hpp"

#include "described.hpp"

namespace carom::scenario {

enum class ShapeName {
  rod,
  disc,
  sphere,
  rectangle,
  shell,
  box,
  cylinder,
  capsule,
  cone,
  pencil,
  revolution,
  drilled_ball,
  truncated_icosahedron,
  polyhedron,
  mesh
};

}  // namespace carom::scenario

template <>
inline constexpr auto carom::names_of<carom::scenario::ShapeName> =
    std::to_array<carom::Named<carom::scenario::ShapeName>>({
        {carom::scenario::ShapeName::rod, "rod"},
        {carom::scenario::ShapeName::disc, "disc"},
        {carom::scenario::ShapeName::sphere, "sphere"},
        {carom::scenario::ShapeName::rectangle, "rectangle"},
        {carom::scenario::ShapeName::shell, "shell"},
        {carom::scenario::ShapeName::box, "box"},
        {carom::scenario::ShapeName::cylinder, "cylinder"},
        {carom::scenario::ShapeName::capsule, "capsule"},
        {carom::scenario::ShapeName::cone, "cone"},
        {carom::scenario::ShapeName::pencil, "pencil"},
        {carom::scenario::ShapeName::revolution, "revolution"},
        {carom::scenario::ShapeName::drilled_ball, "drilled_ball"},
        {carom::scenario::ShapeName::truncated_icosahedron, "truncated_icosahedron"},
        {carom::scenario::ShapeName::polyhedron, "polyhedron"},
        {carom::scenario::ShapeName::mesh, "mesh"},
    });

namespace carom::scenario {

/// Whether the bodies of a file live in the plane or in space: there are shapes for each.
enum class BodyKind { planar, spatial };

/// What a file may say about a shape; the fields of a body derive from it.
struct ShapeFields {
  std::optional<ShapeName> shape;
  std::optional<double> length, radius, height, tip, edge;
  std::optional<Eigen::Vector2d> plane_size;
  std::optional<Eigen::Vector3d> size;
  std::optional<std::vector<Eigen::Vector2d>> profile;
  std::optional<std::vector<DrilledHole>> holes;
  std::optional<std::vector<Eigen::Vector3d>> vertices;
  std::optional<std::vector<std::vector<int>>> faces;
  std::optional<std::string> file;
};

/// A hole of a drilled ball.
Type<DrilledHole> drilled_hole();

/// One of these names.
Type<ShapeName> shape_name(const std::vector<ShapeName>& which);
/// One of those that bodies of a kind may have.
Type<ShapeName> shape_name(BodyKind kind);

/// The sizes of the shapes of a kind of bodies.
template <class Body>
void add_shape_sizes(Fields<Body>& fields, BodyKind kind) {
  const auto length = number(Range::positive());
  if (kind == BodyKind::planar) {
    fields.optional("length", &Body::length, length, "of a rod [m]")
        .optional("radius", &Body::radius, length, "of a disc or sphere [m]")
        .optional("size", &Body::plane_size, vector<2>(), "width and height of a rectangle [m]");
    return;
  }
  fields.optional("radius", &Body::radius, length, "[m]")
      .optional("height", &Body::height, length, "of a cylinder or cone, along z [m]")
      .optional("length", &Body::length, length, "of the straight part of a capsule, along z [m]")
      .optional("tip", &Body::tip, length, "height of a pencil's point, which is below its cylinder of `height` [m]")
      .optional("edge", &Body::edge, length, "of a truncated icosahedron [m]")
      .optional("size", &Body::size, vector<3>(), "edges of a box [m]")
      .optional("profile", &Body::profile, list_of(vector<2>(), 2, 10'000),
                "of a solid of revolution: [distance from the axis, z] from bottom to top, straight between [m]")
      .optional("holes", &Body::holes, list_of(drilled_hole(), 0, 100), "of a drilled ball, counted from its centre")
      .optional("vertices", &Body::vertices, list_of(vector<3>(), 4), "of a polyhedron [m]")
      .optional("faces", &Body::faces, list_of(list_of(integer(0, 100'000), 3), 4),
                "of a polyhedron: vertex numbers from 0, counter-clockwise seen from outside")
      .optional("file", &Body::file, text(), "mesh file, .obj, .off or .stl [m], relative to this file");
}

/// A shape wants exactly its own sizes; without a shape the inertia must be given.
/// @return whether there is either a shape or an inertia: if not, nothing else is worth saying
bool check_shape(const ShapeFields& given, bool by_inertia, const Value& object, const Path& path, Mistakes& mistakes);

/// The shape, of fields that are checked.
/// @param folder  that mesh files are relative to
/// @throws InvalidInput as read_mesh(); the sizes are not looked at
Shape shape_of(const ShapeFields& given, const std::filesystem::path& folder);

}  // namespace carom::scenario
