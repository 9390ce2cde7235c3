#include "carom/soft/stiffness.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "carom/core/error.hpp"

#include "linear_solve.hpp"
#include "prepared.hpp"

namespace carom {

namespace soft {

double largest_principal(const Eigen::Matrix3d& symmetric) {
  if (!symmetric.allFinite()) return symmetric.cwiseAbs().maxCoeff();  // infinite or NaN: no eigenvalues to look for
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(symmetric, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .cwiseAbs()
      .maxCoeff();
}

}  // namespace soft

namespace {

using soft::Field;

void require_elastic(const TetMesh& mesh, double young, double poisson) {
  require_mesh(mesh);
  require_positive("young", young);
  soft::require_poisson(poisson);
}

Field require_vectors(const char* field, const std::vector<Eigen::Vector3d>& vectors, std::size_t count) {
  if (vectors.size() != count)
    throw InvalidInput(field, "must be one vector for each of the " + std::to_string(count) + " vertices, got " +
                                  std::to_string(vectors.size()));
  Field values = soft::to_field(vectors);
  if (!values.allFinite()) throw InvalidInput(field, "must be finite");
  return values;
}

}  // namespace

FemResult fem(const SoftBody& body, int threads) {
  soft::require_body(body);
  soft::require_sparse_factor();
  FemResult result;
  const auto refused = [&](const soft::Objection& objection) {
    result.status = objection.status;
    result.message = objection.message;
    return objection.status != FemStatus::ok;
  };
  if (refused(soft::objection_to_mesh(body))) return result;
  const soft::Prepared prepared(body, threads);
  if (refused(soft::objection_to_supports(prepared))) return result;

  soft::LinearBody linear(prepared.assembly, prepared.unknowns, prepared.material);
  const bool regular = linear.set_shape(prepared.at);
  const Field displacement = linear.solve(prepared.load);
  const Field forces = soft::stiffness_times(prepared.assembly, prepared.at, prepared.material, displacement);
  result.displacement = soft::to_vectors(displacement);
  result.reactions = soft::support_forces(prepared.unknowns, forces - prepared.load, body.young);
  result.strain_energy = 0.5 * body.young * displacement.cwiseProduct(forces).sum();
  result.tets = soft::strains_of(prepared.assembly, prepared.at, prepared.material, displacement);
  bool finite = regular && displacement.allFinite() && std::isfinite(result.strain_energy);
  for (const SupportForce& support : result.reactions) finite = finite && support.force.allFinite();
  if (!finite) throw InvalidInput("young", "must not be so far from the loads: a result leaves the range of a double");
  for (Eigen::Matrix3d& stress : result.tets.stress) stress *= body.young;
  result.flags.set(SoftFlag::large_strain, result.tets.largest > soft_large_strain);
  result.flags.set(SoftFlag::locking, body.poisson > soft_locking_poisson);
  return result;
}

TetStrains tet_strains(const TetMesh& mesh, double young, double poisson,
                       const std::vector<Eigen::Vector3d>& displacement) {
  require_elastic(mesh, young, poisson);
  const Field moved = require_vectors("displacement", displacement, mesh.vertices.size());
  const Field at = soft::to_field(mesh.vertices);
  const soft::Assembly assembly(mesh.tets, at, 0);
  return soft::strains_of(assembly, at, soft::lame(young, poisson), moved);
}

std::vector<Eigen::Vector3d> elastic_forces(const TetMesh& mesh, double young, double poisson,
                                            const std::vector<Eigen::Vector3d>& displacement, int threads) {
  require_elastic(mesh, young, poisson);
  const Field moved = require_vectors("displacement", displacement, mesh.vertices.size());
  const Field at = soft::to_field(mesh.vertices);
  const soft::Assembly assembly(mesh.tets, at, threads);
  return soft::to_vectors(soft::stiffness_times(assembly, at, soft::lame(young, poisson), moved));
}

struct CondensedStiffness::Impl {
  TetMesh mesh;
  std::vector<int> kept;
  soft::Lame material;
  Field at;
  soft::Unknowns unknowns;
  soft::Assembly assembly;
  soft::Couplings couplings;
  std::optional<soft::SparseFactor> factor;
  Eigen::MatrixXd matrix;

  Impl(TetMesh given, double young, double poisson, std::vector<int> vertices, int threads)
      : mesh(std::move(given)),
        kept(std::move(vertices)),
        material(soft::lame(young, poisson)),
        at(soft::to_field(mesh.vertices)),
        unknowns(mesh.vertices.size()),
        assembly(mesh.tets, at, threads) {
    std::vector<char> seen(mesh.vertices.size(), 0);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const auto vertex = static_cast<std::size_t>(kept[i]);
      if (kept[i] < 0 || vertex >= seen.size() || seen[vertex] != 0)
        throw InvalidInput("kept[" + std::to_string(i) + ']', "must be a vertex, named once");
      seen[vertex] = 1;
    }
    if (kept.size() < 3) throw InvalidInput("kept", "must be at least three vertices");
    couplings = assembly.couplings(unknowns, true);
    std::vector<double> values;
    soft::fill_stiffness(assembly, soft::elements_of(assembly, at), material, couplings, unknowns, values);
    std::vector<int> components;
    for (const int vertex : kept)
      for (int i = 0; i < 3; ++i) components.push_back(unknowns.number(vertex, i));
    if (kept.size() == mesh.vertices.size()) {  // nothing to condense
      const auto size = static_cast<Eigen::Index>(components.size());
      std::vector<Eigen::Index> place(components.size());
      for (std::size_t i = 0; i < components.size(); ++i)
        place[std::size_t(components[i])] = static_cast<Eigen::Index>(i);
      matrix = Eigen::MatrixXd::Zero(size, size);
      for (std::size_t k = 0; k < values.size(); ++k) {
        const Eigen::Index r = place[std::size_t(couplings.pattern.rows[k] - 1)],
                           c = place[std::size_t(couplings.pattern.columns[k] - 1)];
        matrix(r, c) = matrix(c, r) = values[k];
      }
      return;
    }
    factor.emplace(couplings.pattern, std::move(components));
    if (!factor->compute(values)) throw InvalidInput("kept", "must hold the body: what is left can move freely");
    matrix = factor->complement();
  }

  /// K_ii^-1 of the inner part of forces; zero at kept vertices.
  Field inner(Field forces) const {
    for (const int vertex : kept) forces.col(vertex).setZero();
    if (!factor) return Field::Zero(3, forces.cols());
    Eigen::MatrixXd x = forces.reshaped();
    factor->solve(x);
    Field moved = x.reshaped(3, forces.cols());
    for (const int vertex : kept) moved.col(vertex).setZero();
    return moved;
  }
};

CondensedStiffness::CondensedStiffness(TetMesh mesh, double young, double poisson, std::vector<int> kept, int threads) {
  require_elastic(mesh, young, poisson);
  soft::require_sparse_factor();
  impl_ = std::make_unique<Impl>(std::move(mesh), young, poisson, std::move(kept), threads);
}
CondensedStiffness::~CondensedStiffness() = default;
CondensedStiffness::CondensedStiffness(CondensedStiffness&&) noexcept = default;
CondensedStiffness& CondensedStiffness::operator=(CondensedStiffness&&) noexcept = default;

const std::vector<int>& CondensedStiffness::kept() const { return impl_->kept; }
const Eigen::MatrixXd& CondensedStiffness::matrix() const { return impl_->matrix; }

Eigen::VectorXd CondensedStiffness::load(const std::vector<Eigen::Vector3d>& forces) const {
  const Field given = require_vectors("forces", forces, impl_->mesh.vertices.size());
  const Field drag = given - soft::stiffness_times(impl_->assembly, impl_->at, impl_->material, impl_->inner(given));
  return drag(Eigen::all, impl_->kept).reshaped();
}

std::vector<Eigen::Vector3d> CondensedStiffness::displacement(const Eigen::VectorXd& of_kept,
                                                              const std::vector<Eigen::Vector3d>& forces) const {
  const Field given = require_vectors("forces", forces, impl_->mesh.vertices.size());
  if (of_kept.size() != static_cast<Eigen::Index>(3 * impl_->kept.size()))
    throw InvalidInput("of_kept", "must be three numbers for each kept vertex");
  Field moved = Field::Zero(3, given.cols());
  moved(Eigen::all, impl_->kept) = of_kept.reshaped(3, of_kept.size() / 3);
  moved += impl_->inner(given - soft::stiffness_times(impl_->assembly, impl_->at, impl_->material, moved));
  return soft::to_vectors(moved);
}

}  // namespace carom
