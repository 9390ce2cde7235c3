#include "shape.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "mesh_file.hpp"

namespace carom::scenario {

namespace {

/// Whose shape it is, and the sizes it has.
struct ShapeRow {
  ShapeName shape;
  bool planar, spatial;
  std::array<std::string_view, 3> sizes;
};
constexpr ShapeRow rows[] = {{ShapeName::rod, true, false, {"length"}},
                             {ShapeName::disc, true, false, {"radius"}},
                             {ShapeName::sphere, true, true, {"radius"}},
                             {ShapeName::rectangle, true, false, {"size"}},
                             {ShapeName::shell, false, true, {"radius"}},
                             {ShapeName::box, false, true, {"size"}},
                             {ShapeName::cylinder, false, true, {"radius", "height"}},
                             {ShapeName::capsule, false, true, {"radius", "length"}},
                             {ShapeName::cone, false, true, {"radius", "height"}},
                             {ShapeName::pencil, false, true, {"radius", "height", "tip"}},
                             {ShapeName::revolution, false, true, {"profile"}},
                             {ShapeName::drilled_ball, false, true, {"radius", "holes"}},
                             {ShapeName::truncated_icosahedron, false, true, {"edge"}},
                             {ShapeName::polyhedron, false, true, {"vertices", "faces"}},
                             {ShapeName::mesh, false, true, {"file"}}};

constexpr std::string_view all_sizes[] = {"length",  "radius", "height",   "tip",   "edge", "size",
                                          "profile", "holes",  "vertices", "faces", "file"};

bool has_size(ShapeName shape, std::string_view size) {
  const auto& sizes = rows[static_cast<std::size_t>(shape)].sizes;
  return std::find(sizes.begin(), sizes.end(), size) != sizes.end();
}

}  // namespace

Type<DrilledHole> drilled_hole() {
  Fields<DrilledHole> fields;
  fields.required("radius", &DrilledHole::radius, number(Range::positive()), "[m]")
      .required("bottom", &DrilledHole::bottom, vector<3>(),
                "centre of its flat bottom, from the centre of the ball [m]")
      .required("direction", &DrilledHole::direction, vector<3>(), "from there to its mouth, of any length");
  return object(fields);
}

Type<ShapeName> shape_name(const std::vector<ShapeName>& which) {
  std::vector<std::pair<std::string, ShapeName>> names;
  for (const ShapeName shape : which) names.emplace_back(name(shape), shape);
  return choice<ShapeName>(names);
}

Type<ShapeName> shape_name(BodyKind kind) {
  std::vector<ShapeName> which;
  for (const ShapeRow& row : rows)
    if (kind == BodyKind::planar ? row.planar : row.spatial) which.push_back(row.shape);
  return shape_name(which);
}

bool check_shape(const ShapeFields& given, bool by_inertia, const Value& object, const Path& path, Mistakes& mistakes) {
  if (given.shape.has_value() == by_inertia) {
    mistakes.add(path, object.place(), "needs either `shape` or `inertia`");
    return false;
  }
  const std::string who =
      given.shape ? std::string("shape '") + name(*given.shape) + "'" : "a body given by its inertia";
  for (const std::string_view size : all_sizes) {
    const Value* value = object.find(size);
    const bool there = value != nullptr && !value->is_null();
    const bool needed = given.shape && has_size(*given.shape, size);
    if (there && !needed) mistakes.add(path.at(size), value->place(), "is not used by " + who);
    if (!there && needed) mistakes.add(path.at(size), object.place(), "is required by " + who);
  }
  return true;
}

Shape shape_of(const ShapeFields& given, const std::filesystem::path& folder) {
  switch (*given.shape) {
    case ShapeName::rod:
      return ThinRod{*given.length};
    case ShapeName::disc:
      return Disc{*given.radius};
    case ShapeName::sphere:
      return Sphere{*given.radius};
    case ShapeName::rectangle:
      return Rectangle{*given.plane_size};
    case ShapeName::shell:
      return SphericalShell{*given.radius};
    case ShapeName::box:
      return Box{*given.size};
    case ShapeName::cylinder:
      return Cylinder{*given.radius, *given.height};
    case ShapeName::capsule:
      return Capsule{*given.radius, *given.length};
    case ShapeName::cone:
      return Cone{*given.radius, *given.height};
    case ShapeName::pencil:
      return Pencil{*given.radius, *given.height, *given.tip};
    case ShapeName::revolution:
      return Revolution{*given.profile};
    case ShapeName::drilled_ball:
      return DrilledBall{*given.radius, *given.holes};
    case ShapeName::truncated_icosahedron:
      return TruncatedIcosahedron{*given.edge};
    case ShapeName::polyhedron:
      return Polyhedron{*given.vertices, *given.faces};
    case ShapeName::mesh:
      break;
  }
  return read_mesh(folder / *given.file);
}

}  // namespace carom::scenario
