#include "prepared.hpp"

#include <cmath>

#include "carom/core/error.hpp"
#include "carom/core/text.hpp"

namespace carom::soft {

namespace {

std::string at(const char* field, std::size_t index) { return std::string(field) + '[' + std::to_string(index) + ']'; }

void require_vertex(const std::string& field, int vertex, std::size_t count) {
  if (vertex < 0 || std::size_t(vertex) >= count)
    throw InvalidInput(
        field, "must be an index of the " + std::to_string(count) + " vertices, from 0, got " + std::to_string(vertex));
}

void require_finite_vector(const std::string& field, const Eigen::Vector3d& v) {
  for (const double x : v) require_finite(field, x);
}

/// The axis along which gravity pulls is the third.
Eigen::Matrix3d axes_along(const Eigen::Vector3d& gravity) {
  const Eigen::Vector3d down = gravity.stableNormalized();
  Eigen::Index least = 0;
  down.cwiseAbs().minCoeff(&least);
  Eigen::Matrix3d axes;
  axes.col(2) = down;
  axes.col(0) = down.cross(Eigen::Vector3d::Unit(least)).normalized();
  axes.col(1) = down.cross(axes.col(0));
  return axes;
}

void hold_frictionless(const SoftBody& body, const Field& at, Unknowns& unknowns) {
  const Eigen::Matrix3d axes = axes_along(body.gravity);
  for (const int vertex : body.fixed) {
    unknowns.turn(vertex, axes);
    unknowns.hold(vertex, 2, 0.0);
  }
  const int first = body.fixed.front();
  for (const int i : {0, 1}) unknowns.hold(first, i, 0.0);
  int far = first;
  double distance = 0.0;
  for (const int vertex : body.fixed) {
    const double d = (at.col(vertex) - at.col(first)).norm();
    if (d > distance || (d == distance && vertex < far && far != first)) far = vertex, distance = d;
  }
  // Along the line between them, as far as the table lets it.
  const Eigen::Vector3d down = axes.col(2), line = at.col(far) - at.col(first), along = line - down * down.dot(line);
  if (far == first || along.norm() <= 1e-9 * distance) return;  // held by one point only: the rank will tell
  Eigen::Matrix3d own;
  own.col(2) = down;
  own.col(0) = along.normalized();
  own.col(1) = down.cross(own.col(0));
  unknowns.turn(far, own);
  unknowns.hold(far, 1, 0.0);
}

Unknowns unknowns_of(const SoftBody& body, const Field& at) {
  Unknowns unknowns(body.mesh.vertices.size());
  if (body.base == SoftBase::frictionless && !body.fixed.empty())
    hold_frictionless(body, at, unknowns);
  else
    for (const int vertex : body.fixed)
      for (int i = 0; i < 3; ++i) unknowns.hold(vertex, i, 0.0);
  for (const PrescribedDisplacement& p : body.prescribed) unknowns.hold(p.vertex, p.axis, p.value);
  unknowns.count();
  return unknowns;
}

TetMesh oriented(TetMesh mesh) {
  orient(mesh);
  return mesh;
}

}  // namespace

Field to_field(const std::vector<Eigen::Vector3d>& vectors) {
  Field field(3, static_cast<Eigen::Index>(vectors.size()));
  for (std::size_t i = 0; i < vectors.size(); ++i) field.col(static_cast<Eigen::Index>(i)) = vectors[i];
  return field;
}

std::vector<Eigen::Vector3d> to_vectors(const Field& field) {
  std::vector<Eigen::Vector3d> vectors(static_cast<std::size_t>(field.cols()));
  for (std::size_t i = 0; i < vectors.size(); ++i) vectors[i] = field.col(static_cast<Eigen::Index>(i));
  return vectors;
}

void require_body(const SoftBody& body) {
  require_mesh(body.mesh);
  require_positive("young", body.young);
  require_poisson(body.poisson);
  require_soft_masses(body);
  require_finite_vector("gravity", body.gravity);
  require_soft_fixed(body);
  require_soft_forces(body);
  require_soft_prescribed(body);
}

void require_poisson(double poisson) {
  require_finite("poisson", poisson);
  if (!(poisson > -1.0 && poisson < 0.5))
    throw InvalidInput("poisson", "must be in (-1, 0.5), got " + number_text(poisson));
}

Prepared::Prepared(const SoftBody& body, int threads)
    : tets(oriented(body.mesh).tets),
      at(to_field(body.mesh.vertices)),
      material(lame(1.0, body.poisson)),
      masses(body.density ? tet_masses(body.mesh, *body.density) : body.masses),
      unknowns(unknowns_of(body, at)),
      assembly(tets, at, threads) {
  const Eigen::Vector3d pull = body.gravity / body.young;  // [m/s^2/Pa]
  load = assembly.sum([&](int tet, int) -> Eigen::Vector3d { return 0.25 * masses[std::size_t(tet)] * pull; });
  for (const NodalForce& f : body.forces) load.col(f.vertex) += f.force / body.young;
  double mass = 0.0;
  for (const double m : masses) mass += m;
  weight = mass * pull.stableNorm();
  if (!load.allFinite() || !std::isfinite(weight))
    throw InvalidInput("young",
                       "must not be so small: the loads leave the range of a double, got " + number_text(body.young));
}

Objection objection_to_mesh(const SoftBody& body) {
  if (const auto defect = find_defect(body.mesh)) return {FemStatus::invalid_mesh, defect->message};
  return {};
}

Objection objection_to_supports(const Prepared& body) {
  const int rank = body.unknowns.rigid_rank(body.at);
  if (rank == 6) return {};
  return {FemStatus::underconstrained,
          "the supports leave " + std::to_string(6 - rank) + " of the six rigid motions free"};
}

std::vector<Element> elements_of(const Assembly& assembly, const Field& at) {
  std::vector<Element> elements(assembly.tets().size());
  assembly.for_tets([&](std::size_t t) { elements[t] = element(at, assembly.tets()[t]); });
  return elements;
}

Field stiffness_times(const Assembly& assembly, const Field& at, const Lame& material, const Field& displacement) {
  struct Pull {
    Eigen::Matrix<double, 3, 4> of_corner;
  };
  std::vector<Pull> pulls(assembly.tets().size());
  assembly.for_tets([&](std::size_t t) {
    const auto& tet = assembly.tets()[t];
    const Element e = element(at, tet);
    pulls[t].of_corner = e.volume * stress_of(gradient_of(displacement, tet, e), material) * e.gradient;
  });
  return assembly.sum([&](int t, int a) -> Eigen::Vector3d { return pulls[std::size_t(t)].of_corner.col(a); });
}

void fill_stiffness(const Assembly& assembly, const std::vector<Element>& elements, const Lame& material,
                    const Couplings& couplings, const Unknowns& unknowns, std::vector<double>& values) {
  assembly.fill(
      couplings, unknowns,
      [&](int t, int a, int c) { return stiffness_block(elements[std::size_t(t)], a, c, material); }, values);
}

TetStrains strains_of(const Assembly& assembly, const Field& at, const Lame& material, const Field& displacement) {
  TetStrains result;
  result.stress.resize(assembly.tets().size());
  result.strain.resize(assembly.tets().size());
  assembly.for_tets([&](std::size_t t) {
    const auto& tet = assembly.tets()[t];
    const Element e = element(at, tet);
    const Eigen::Matrix3d h = gradient_of(displacement, tet, e);
    result.stress[t] = stress_of(h, material);
    result.strain[t] = largest_principal(0.5 * (h + h.transpose()));
  });
  for (const double strain : result.strain) result.largest = std::max(result.largest, strain);
  return result;
}

std::vector<SupportForce> support_forces(const Unknowns& unknowns, const Field& residual, double young) {
  const Field held = unknowns.held_part(residual);
  std::vector<SupportForce> forces;
  for (int vertex = 0; vertex < held.cols(); ++vertex)
    if (unknowns.is_support(vertex)) forces.push_back({vertex, young * held.col(vertex)});
  return forces;
}

}  // namespace carom::soft

namespace carom {

using soft::at, soft::require_vertex, soft::require_finite_vector;

void require_soft_masses(const SoftBody& body) {
  if (body.density && !body.masses.empty()) throw InvalidInput("masses", "must not be given together with density");
  if (!body.density && body.masses.empty()) throw InvalidInput("density", "is required (or masses)");
  if (body.density) require_positive("density", *body.density);
  if (!body.masses.empty() && body.masses.size() != body.mesh.tets.size())
    throw InvalidInput("masses", "must be one for each of the " + std::to_string(body.mesh.tets.size()) +
                                     " tets, got " + std::to_string(body.masses.size()));
  for (std::size_t i = 0; i < body.masses.size(); ++i) require_positive(at("masses", i), body.masses[i]);
}

void require_soft_fixed(const SoftBody& body) {
  const std::size_t vertices = body.mesh.vertices.size();
  std::vector<char> held(vertices, 0);
  for (std::size_t i = 0; i < body.fixed.size(); ++i) {
    const int vertex = body.fixed[i];
    require_vertex(at("fixed", i), vertex, vertices);
    if (held[std::size_t(vertex)] != 0)
      throw InvalidInput(at("fixed", i), "must be named once, got " + std::to_string(vertex) + " again");
    held[std::size_t(vertex)] = 1;
  }
  if (body.base == SoftBase::frictionless && !body.fixed.empty() && body.gravity.isZero(0.0))
    throw InvalidInput("gravity", "must not be zero with a frictionless base: the base is held along it");
}

void require_soft_forces(const SoftBody& body) {
  for (std::size_t i = 0; i < body.forces.size(); ++i) {
    require_vertex(at("forces", i), body.forces[i].vertex, body.mesh.vertices.size());
    require_finite_vector(at("forces", i), body.forces[i].force);
  }
}

void require_soft_prescribed(const SoftBody& body) {
  const std::size_t vertices = body.mesh.vertices.size();
  std::vector<unsigned char> held(vertices, 0);  // bit i: component i
  for (const int vertex : body.fixed)
    if (vertex >= 0 && std::size_t(vertex) < vertices) held[std::size_t(vertex)] = 7;
  for (std::size_t i = 0; i < body.prescribed.size(); ++i) {
    const PrescribedDisplacement& p = body.prescribed[i];
    require_vertex(at("prescribed", i), p.vertex, vertices);
    if (p.axis < 0 || p.axis > 2)
      throw InvalidInput(at("prescribed", i), "must have axis 0, 1 or 2, got " + std::to_string(p.axis));
    require_finite(at("prescribed", i), p.value);
    unsigned char& bits = held[std::size_t(p.vertex)];
    if ((bits >> p.axis & 1) != 0)
      throw InvalidInput(at("prescribed", i), "axis " + std::to_string(p.axis) + " of vertex " +
                                                  std::to_string(p.vertex) + " is held already");
    bits = static_cast<unsigned char>(bits | 1 << p.axis);
  }
}

}  // namespace carom
