// How does a soft body give under its weight, forces and supports?
// Linear tetrahedra, small strain, Hooke's law: K D = F + G with a sparse stiffness K, solved directly. Displacements
// come with what makes them believable: support forces, strain energy, strain and stress of every tetrahedron, and
// flags where small strain or the elements are strained. A part of the vertices can be kept and the rest condensed
// away. Theory: docs/theory/soft.md. Source: Wang 2017, chapter 6 and appendix A, whose K is twice that of the chapter.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/core/flags.hpp"
#include "carom/core/names.hpp"
#include "carom/soft/mesh.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// How the vertices in `fixed` are held.
enum class SoftBase : std::uint8_t {
  fixed,        ///< they do not move
  frictionless  ///< held along gravity only; the first keeps its place, and the one farthest from it (of equally far
                ///< ones the first in `fixed`'s indices) moves only along the line between them: nothing turns or
                ///< slides
};
template <>
inline constexpr auto names_of<SoftBase> = std::to_array<Named<SoftBase>>({
    {SoftBase::fixed, "fixed"},
    {SoftBase::frictionless, "frictionless"},
});

struct NodalForce {
  int vertex = 0;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();  ///< [N]
};

struct PrescribedDisplacement {
  int vertex = 0;
  int axis = 0;        ///< 0, 1, 2: x, y, z
  double value = 0.0;  ///< [m]
};

/// A soft body, how it is held and what pulls at it.
struct SoftBody {
  TetMesh mesh;
  double young = 0.0;             ///< Young's modulus [Pa], > 0
  double poisson = 0.0;           ///< Poisson's ratio, in (-1, 0.5)
  std::optional<double> density;  ///< [kg/m^3], > 0; or
  std::vector<double> masses;     ///< of each tetrahedron [kg], > 0: a recovered shape keeps those of the observed one
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  ///< [m/s^2]
  std::vector<int> fixed;                             ///< vertices
  SoftBase base = SoftBase::fixed;
  std::vector<NodalForce> forces;
  std::vector<PrescribedDisplacement> prescribed;
};

/// The checks of a body that fem makes, part by part, for readers that look for the first field that is wrong.
/// @throws InvalidInput naming density or masses; fixed or gravity (a frictionless base needs one); forces; prescribed
void require_soft_masses(const SoftBody& body);
void require_soft_fixed(const SoftBody& body);
void require_soft_forces(const SoftBody& body);
void require_soft_prescribed(const SoftBody& body);

enum class SoftFlag : std::uint8_t {
  large_strain,     ///< a strain above 0.1: small-strain theory is beyond its range
  locking,          ///< Poisson's ratio above 0.45: linear tetrahedra are too stiff
  no_damping,       ///< no damping makes the fixed point converge: `auto` used 1
  no_support_load,  ///< no support carries weight: the friction it needs does not exist
};
template <>
inline constexpr auto names_of<SoftFlag> = std::to_array<Named<SoftFlag>>({
    {SoftFlag::large_strain, "large_strain"},
    {SoftFlag::locking, "locking"},
    {SoftFlag::no_damping, "no_damping"},
    {SoftFlag::no_support_load, "no_support_load"},
});
using SoftFlags = FlagSet<SoftFlag>;

/// Strain above which `large_strain` is set [-].
inline constexpr double soft_large_strain = 0.1;
/// Poisson's ratio above which `locking` is set [-].
inline constexpr double soft_locking_poisson = 0.45;

/// Force of the support on the body at a vertex that is fixed or has a prescribed displacement.
struct SupportForce {
  int vertex = 0;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();  ///< [N]
};

enum class FemStatus : std::uint8_t {
  ok,
  invalid_mesh,     ///< the tetrahedra are no solid: `message` says why
  underconstrained  ///< the supports leave the body free to move
};
template <>
inline constexpr auto names_of<FemStatus> = std::to_array<Named<FemStatus>>({
    {FemStatus::ok, "ok"},
    {FemStatus::invalid_mesh, "invalid_mesh"},
    {FemStatus::underconstrained, "underconstrained"},
});

/// What a displacement does to each tetrahedron.
struct TetStrains {
  std::vector<Eigen::Matrix3d> stress;  ///< [Pa]
  std::vector<double> strain;           ///< largest |principal strain|
  double largest = 0.0;                 ///< of those
};

struct FemResult {
  FemStatus status = FemStatus::ok;
  std::string message;  ///< what is wrong when the status is not ok, naming tetrahedron, face, edge or vertex
  // The rest is empty or zero unless the status is ok.
  std::vector<Eigen::Vector3d> displacement;  ///< of each vertex [m]
  std::vector<SupportForce> reactions;        ///< by vertex, rising
  double strain_energy = 0.0;                 ///< [J]
  TetStrains tets;
  SoftFlags flags;
};

/// Where do the vertices of a body come to rest?
/// Tetrahedra that are turned over are turned back first.
/// @param threads  for assembly, 0: all; the bits do not depend on it
/// @throws InvalidInput naming young, poisson, density, masses, gravity, fixed, base, forces or prescribed (a vertex or
///         axis out of range, a component held twice), or what require_mesh names; young or gravity when a result
///         leaves the range of a double; model when the library was built without MUMPS
FemResult fem(const SoftBody& body, int threads = 0);

/// Stress and strain of a displacement, from the shape `mesh` on.
/// @throws InvalidInput as require_mesh, or naming young, poisson or displacement (one finite vector a vertex)
TetStrains tet_strains(const TetMesh& mesh, double young, double poisson,
                       const std::vector<Eigen::Vector3d>& displacement);

/// Forces that hold a displacement, K D of every vertex [N]; no supports.
/// @throws InvalidInput as tet_strains
std::vector<Eigen::Vector3d> elastic_forces(const TetMesh& mesh, double young, double poisson,
                                            const std::vector<Eigen::Vector3d>& displacement, int threads = 0);

/// The stiffness of a body as felt at some of its vertices, all others following: S = K_kk - K_ki K_ii^-1 K_ik.
class CondensedStiffness {
public:
  /// @param mesh  sound and oriented
  /// @param kept  vertices, each once, at least three not in a line
  /// @throws InvalidInput as tet_strains, or naming kept; model when the library was built without MUMPS
  CondensedStiffness(TetMesh mesh, double young, double poisson, std::vector<int> kept, int threads = 0);
  ~CondensedStiffness();
  CondensedStiffness(CondensedStiffness&&) noexcept;
  CondensedStiffness& operator=(CondensedStiffness&&) noexcept;

  const std::vector<int>& kept() const;
  /// S [N/m], three rows and columns a kept vertex in their order; symmetric, six rigid motions without force.
  const Eigen::MatrixXd& matrix() const;
  /// What forces on all vertices amount to at the kept ones, f_k - K_ki K_ii^-1 f_i [N].
  Eigen::VectorXd load(const std::vector<Eigen::Vector3d>& forces) const;
  /// Displacement of all vertices [m] when the kept ones have moved so far and these forces act on the others.
  std::vector<Eigen::Vector3d> displacement(const Eigen::VectorXd& of_kept,
                                            const std::vector<Eigen::Vector3d>& forces) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace carom

#pragma GCC visibility pop
