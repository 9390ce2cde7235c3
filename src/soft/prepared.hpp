// A SoftBody checked and made ready to be solved: unknowns, loads and the assembly of its mesh.
#pragma once

#include <string>
#include <vector>

#include "carom/soft/stiffness.hpp"

#include "assembly.hpp"

namespace carom::soft {

Field to_field(const std::vector<Eigen::Vector3d>& vectors);
std::vector<Eigen::Vector3d> to_vectors(const Field& field);

/// Everything that can be checked about the numbers of a body.
/// @throws InvalidInput as fem
void require_body(const SoftBody& body);
void require_poisson(double poisson);

/// Forces here are per Pa of Young's modulus.
struct Prepared {
  Tets tets;  ///< oriented
  Field at;
  Lame material;               ///< of unit Young's modulus
  std::vector<double> masses;  ///< of the tetrahedra [kg]
  Field load;                  ///< gravity and applied forces [N/Pa]
  double weight = 0.0;         ///< of the whole body [N/Pa]
  Unknowns unknowns;
  Assembly assembly;

  /// @throws InvalidInput as fem
  Prepared(const SoftBody& body, int threads);
  Prepared(const Prepared&) = delete;  // the assembly keeps references
};

/// Why a body of sound numbers cannot be solved, if it cannot: then its mesh or its supports are at fault.
struct Objection {
  FemStatus status = FemStatus::ok;
  std::string message;
};
Objection objection_to_mesh(const SoftBody& body);
Objection objection_to_supports(const Prepared& body);

/// K D of the shape `at`.
Field stiffness_times(const Assembly& assembly, const Field& at, const Lame& material, const Field& displacement);

/// The entries of K.
void fill_stiffness(const Assembly& assembly, const std::vector<Element>& elements, const Lame& material,
                    const Couplings& couplings, const Unknowns& unknowns, std::vector<double>& values);
std::vector<Element> elements_of(const Assembly& assembly, const Field& at);

TetStrains strains_of(const Assembly& assembly, const Field& at, const Lame& material, const Field& displacement);

/// Support forces of what is left of `residual` along held components, per Pa.
std::vector<SupportForce> support_forces(const Unknowns& unknowns, const Field& residual, double young);

}  // namespace carom::soft
