// Where does a mesh come from when there is no scan?
// Tetrahedral meshes of simple solids, of any fineness: balls, ellipsoids, eggs and tomatoes, frustums, boxes. All are
// conforming and well shaped, the same for the same numbers, stand on the table z = 0 with their axis over the origin
// and are mirror images of themselves in the plane x = 0 (a box in all three of its planes).
#pragma once

#include <Eigen/Core>

#include "carom/soft/mesh.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// More tetrahedra than this are not made: `size` is too small.
inline constexpr double max_solid_tets = 2e7;

/// Something round: the ball x^2 + y^2 + z^2 <= 1, changed and then stretched by `half_axes`. It stands on one facet of
/// its surface, whose three vertices have z = 0: the height is a little less than twice half_axes[2].
struct RoundSolid {
  Eigen::Vector3d half_axes = Eigen::Vector3d::Ones();  ///< [m]
  double taper = 0.0;   ///< widths are multiplied by 1 - taper z: an egg at .2, in [-.5, .5]
  double dimple = 0.0;  ///< how far the middle of the top is pushed in, of half_axes[2]: a tomato at .2, in [0, .4]
};

/// @param size  about how long edges should be, within a factor of two [m]
/// @throws InvalidInput naming `half_axes`, `taper`, `dimple` or `size` (positive, not so small that there would be
/// more than max_solid_tets tetrahedra)
TetMesh round_mesh(const RoundSolid& solid, double size);

/// A frustum of a cone: discs of base_radius at z = 0 and top_radius at z = height [m], a cylinder if they are equal.
/// @throws InvalidInput naming `base_radius`, `top_radius`, `height` (positive) or `size` as round_mesh
TetMesh frustum_mesh(double base_radius, double top_radius, double height, double size);

/// A box of `sizes` along the axes, its base centred on the origin [m]. An even number of cells along each axis.
/// @throws InvalidInput naming `sizes[i]` (positive) or `size` as round_mesh
TetMesh box_mesh(const Eigen::Vector3d& sizes, double size);

/// The mesh turned and moved until triangle `triangle` of its surface (surface_of) lies in the plane z = 0, outside
/// down, its middle at the origin. The turn is the shortest.
/// @throws InvalidInput as surface_of, or naming `triangle`
TetMesh laid_on_facet(TetMesh mesh, std::size_t triangle);

}  // namespace carom

#pragma GCC visibility pop
