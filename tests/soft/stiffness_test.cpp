#include "carom/soft/stiffness.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <thread>

#include "carom/core/error.hpp"

#include "bodies.hpp"

namespace carom {
namespace {

using test::jelly_box;
using test::shaken_box;
using test::single_tetrahedron;
using Vectors = std::vector<Eigen::Vector3d>;

double largest_entry(const Vectors& vectors) {
  double largest = 0.0;
  for (const Eigen::Vector3d& v : vectors) largest = std::max(largest, v.cwiseAbs().maxCoeff());
  return largest;
}

/// K column by column.
Eigen::MatrixXd dense_stiffness(const TetMesh& mesh, double young, double poisson) {
  const auto size = static_cast<Eigen::Index>(3 * mesh.vertices.size());
  Eigen::MatrixXd k(size, size);
  for (Eigen::Index j = 0; j < size; ++j) {
    Vectors unit(mesh.vertices.size(), Eigen::Vector3d::Zero());
    unit[std::size_t(j / 3)][j % 3] = 1.0;
    const Vectors forces = elastic_forces(mesh, young, poisson, unit);
    for (Eigen::Index i = 0; i < size; ++i) k(i, j) = forces[std::size_t(i / 3)][i % 3];
  }
  return k;
}

/// V B^T C B, as textbooks have it: engineering strains (xx, yy, zz, yz, zx, xy), gradients from the inverse of
/// [1 x y z].
Eigen::MatrixXd textbook_stiffness(const TetMesh& mesh, double e, double nu) {
  Eigen::Matrix4d corners;
  for (int a = 0; a < 4; ++a)
    corners.row(a) << 1.0, mesh.vertices[std::size_t(mesh.tets[0][std::size_t(a)])].transpose();
  const Eigen::Matrix4d shape = corners.inverse();
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(6, 12);
  for (int a = 0; a < 4; ++a) {
    const Eigen::Index column = 3 * mesh.tets[0][std::size_t(a)];
    const double x = shape(1, a), y = shape(2, a), z = shape(3, a);
    b.block<6, 3>(0, column) << x, 0, 0, 0, y, 0, 0, 0, z, 0, z, y, z, 0, x, y, x, 0;
  }
  Eigen::MatrixXd c = Eigen::MatrixXd::Zero(6, 6);
  c.topLeftCorner<3, 3>().setConstant(nu);
  c.diagonal() << 1 - nu, 1 - nu, 1 - nu, 0.5 - nu, 0.5 - nu, 0.5 - nu;
  c *= e / ((1 + nu) * (1 - 2 * nu));
  return std::abs(corners.determinant()) / 6.0 * b.transpose() * c * b;
}

TEST(Stiffness, IsTheTextbooks) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int i = 0; i < 200; ++i) {
    TetMesh mesh;
    for (int a = 0; a < 4; ++a) mesh.vertices.push_back({uniform(random), uniform(random), uniform(random)});
    mesh.tets = {{0, 1, 2, 3}};
    orient(mesh);
    if (signed_volume(mesh, 0) < 0.02) continue;  // of slivers both lose digits
    const double poisson = 0.45 * uniform(random);
    const Eigen::MatrixXd ours = dense_stiffness(mesh, 5e3, poisson), theirs = textbook_stiffness(mesh, 5e3, poisson);
    EXPECT_LT((ours - theirs).cwiseAbs().maxCoeff(), 1e-13 * theirs.cwiseAbs().maxCoeff());
  }
}

/// Wang 2017, theorem 18, with six fields and (z, 0, -x).
TEST(Stiffness, RigidMotionsCostNothingAndNothingElseDoes) {
  const TetMesh mesh = shaken_box(2, 2, 2, {1, 1, 1}, 0.2, 3);
  const std::array<Eigen::Vector3d (*)(const Eigen::Vector3d&), 6> fields = {
      [](const Eigen::Vector3d&) -> Eigen::Vector3d { return Eigen::Vector3d::UnitX(); },
      [](const Eigen::Vector3d&) -> Eigen::Vector3d { return Eigen::Vector3d::UnitY(); },
      [](const Eigen::Vector3d&) -> Eigen::Vector3d { return Eigen::Vector3d::UnitZ(); },
      [](const Eigen::Vector3d& p) -> Eigen::Vector3d {
        return {0, -p.z(), p.y()};
      },
      [](const Eigen::Vector3d& p) -> Eigen::Vector3d {
        return {p.z(), 0, -p.x()};
      },
      [](const Eigen::Vector3d& p) -> Eigen::Vector3d {
        return {-p.y(), p.x(), 0};
      }};
  const Eigen::MatrixXd k = dense_stiffness(mesh, 3e3, 0.4);
  const double scale = k.cwiseAbs().maxCoeff();
  for (const auto& field : fields) {
    Vectors moved;
    for (const auto& p : mesh.vertices) moved.push_back(field(p));
    EXPECT_LT(largest_entry(elastic_forces(mesh, 3e3, 0.4, moved)), 1e-14 * scale);
  }
  const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(k).eigenvalues();
  EXPECT_LT(values[5], 1e-14 * values.tail<1>()[0]);
  EXPECT_GT(values[6], 1e-4 * values.tail<1>()[0]);
  EXPECT_LT((k - k.transpose()).cwiseAbs().maxCoeff(), 1e-15 * scale);
  // The printed field (z, 0, x) is shear: its energy is 2 mu V.
  Vectors printed;
  for (const auto& p : mesh.vertices) printed.push_back({p.z(), 0, p.x()});
  double energy = 0.0;
  const Vectors forces = elastic_forces(mesh, 3e3, 0.4, printed);
  for (std::size_t v = 0; v < forces.size(); ++v) energy += 0.5 * forces[v].dot(printed[v]);
  EXPECT_NEAR(energy, 2.0 * 3e3 / 2.8 * volume(mesh), 1e-10);
}

TEST(Stiffness, PatchTest) {
  // A linear field prescribed on the surface is the solution inside, with one strain everywhere.
  SoftBody body = jelly_box(3);
  body.gravity.setZero();
  body.fixed.clear();
  Eigen::Matrix3d h;
  h << 0.01, 0.02, -0.005, 0.004, -0.03, 0.012, 0.007, -0.011, 0.02;
  const MeshSurface surface = surface_of(body.mesh);
  for (const int vertex : surface.vertices)
    for (int i = 0; i < 3; ++i)
      body.prescribed.push_back({vertex, i, (h * body.mesh.vertices[std::size_t(vertex)])[i]});
  const FemResult result = fem(body);
  ASSERT_EQ(result.status, FemStatus::ok);
  for (std::size_t v = 0; v < body.mesh.vertices.size(); ++v)
    EXPECT_LT((result.displacement[v] - h * body.mesh.vertices[v]).norm(), 1e-16);
  const Eigen::Vector3d strains =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(0.5 * (h + h.transpose())).eigenvalues();
  for (const double strain : result.tets.strain) EXPECT_NEAR(strain, strains.cwiseAbs().maxCoeff(), 1e-14);
  const Eigen::Matrix3d stress =
      3e3 / 2.8 * (h + h.transpose()) + 3e3 * 0.4 / (1.4 * 0.2) * h.trace() * Eigen::Matrix3d::Identity();
  for (const Eigen::Matrix3d& one : result.tets.stress) EXPECT_LT((one - stress).norm(), 1e-11);
}

TEST(Stiffness, ForcesMomentsAndEnergyBalance) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SoftBody body = jelly_box(4, seed);
    body.forces = {{7, {0.01, -0.02, 0.03}}, {100, {0.0, 0.05, 0.0}}};
    body.prescribed = {{124, 0, 1e-3}};
    const FemResult result = fem(body);
    ASSERT_EQ(result.status, FemStatus::ok);
    Eigen::Vector3d force = Eigen::Vector3d::Zero(), moment = Eigen::Vector3d::Zero();
    const auto add = [&](int vertex, const Eigen::Vector3d& f) {
      force += f;
      moment += body.mesh.vertices[std::size_t(vertex)].cross(f);
    };
    const std::vector<double> masses = nodal_masses(body.mesh, tet_masses(body.mesh, *body.density));
    double work = 0.0;
    for (std::size_t v = 0; v < masses.size(); ++v) {
      add(static_cast<int>(v), masses[v] * body.gravity);
      work += masses[v] * body.gravity.dot(result.displacement[v]);
    }
    for (const NodalForce& f : body.forces) {
      add(f.vertex, f.force);
      work += f.force.dot(result.displacement[std::size_t(f.vertex)]);
    }
    for (const SupportForce& f : result.reactions) {
      add(f.vertex, f.force);
      work += f.force.dot(result.displacement[std::size_t(f.vertex)]);
    }
    const double weight = 9.8 * 960 * volume(body.mesh);
    EXPECT_LT(force.norm(), 1e-12 * weight);
    EXPECT_LT(moment.norm(), 1e-12 * weight * 0.05);
    EXPECT_NEAR(result.strain_energy, 0.5 * work, 1e-12 * result.strain_energy);
  }
}

TEST(Stiffness, SingleTetrahedron) {
  // Wang 2017, eq. 6.20 with the factor 2 of appendix A: K33 = 103.0434386988 N/m.
  const FemResult result = fem(single_tetrahedron());
  ASSERT_EQ(result.status, FemStatus::ok);
  const double load = 0.25 * 9.8 * 0.07654655446;
  EXPECT_NEAR(result.displacement[0].z(), -load / 103.0434386988, 1e-12);
  EXPECT_NEAR(result.displacement[0].x(), 0.0, 1e-15);
  ASSERT_EQ(result.reactions.size(), 3U);
  EXPECT_EQ(result.reactions[2].vertex, 3);
}

TEST(Stiffness, SameBitsOnAnyNumberOfThreads) {
  const SoftBody body = jelly_box(12);
  const FemResult one = fem(body, 1), four = fem(body, 4);
  EXPECT_EQ(one.displacement, four.displacement);
  EXPECT_EQ(one.strain_energy, four.strain_energy);
  EXPECT_EQ(one.tets.strain, four.tets.strain);
}

TEST(Stiffness, ManyThreadsMaySolveAtOnce) {
  const FemResult alone = fem(jelly_box(4), 1);
  std::vector<FemResult> results(8);
  std::vector<std::thread> threads;
  for (FemResult& result : results) threads.emplace_back([&] { result = fem(jelly_box(4), 2); });
  for (std::thread& thread : threads) thread.join();
  for (const FemResult& result : results) EXPECT_EQ(result.displacement, alone.displacement);
}

TEST(Stiffness, FrictionlessBaseLetsTheBodySpread) {
  SoftBody body = jelly_box(4);
  body.base = SoftBase::frictionless;
  const FemResult result = fem(body);
  ASSERT_EQ(result.status, FemStatus::ok);
  const double weight = 9.8 * 960 * volume(body.mesh);
  double carried = 0.0;
  for (const SupportForce& f : result.reactions) {
    EXPECT_LT(f.force.head<2>().norm(), 1e-12 * weight);
    carried += f.force.z();
  }
  EXPECT_NEAR(carried, weight, 1e-12 * weight);
  // The same when gravity points another way.
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(1.0, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  SoftBody turned = body;
  for (auto& vertex : turned.mesh.vertices) vertex = turn * vertex;
  turned.gravity = turn * body.gravity;
  const FemResult other = fem(turned);
  for (std::size_t v = 0; v < result.displacement.size(); ++v)
    EXPECT_LT((turn * result.displacement[v] - other.displacement[v]).norm(), 1e-14);
}

TEST(Stiffness, CondensedIsWhatTheKeptVerticesFeel) {
  const SoftBody body = jelly_box(4);
  const std::vector<int> surface = surface_of(body.mesh).vertices;
  const CondensedStiffness condensed(body.mesh, body.young, body.poisson, surface);
  const Eigen::MatrixXd k = dense_stiffness(body.mesh, body.young, body.poisson);
  std::vector<Eigen::Index> kept, inner;
  for (int v = 0; v < static_cast<int>(body.mesh.vertices.size()); ++v)
    for (int i = 0; i < 3; ++i)
      (std::binary_search(surface.begin(), surface.end(), v) ? kept : inner).push_back(3 * v + i);
  const Eigen::MatrixXd schur =
      k(kept, kept) - k(kept, inner) * Eigen::LLT<Eigen::MatrixXd>(k(inner, inner)).solve(k(inner, kept));
  EXPECT_LT((condensed.matrix() - schur).cwiseAbs().maxCoeff(), 1e-12 * schur.cwiseAbs().maxCoeff());

  // Solving with it is solving the whole.
  const FemResult whole = fem(body);
  const std::vector<double> masses = nodal_masses(body.mesh, tet_masses(body.mesh, *body.density));
  Vectors loads;
  for (const double m : masses) loads.push_back(m * body.gravity);
  Eigen::VectorXd of_kept(3 * static_cast<Eigen::Index>(surface.size()));
  for (std::size_t i = 0; i < surface.size(); ++i)
    of_kept.segment<3>(3 * static_cast<Eigen::Index>(i)) = whole.displacement[std::size_t(surface[i])];
  const Vectors moved = condensed.displacement(of_kept, loads);
  for (std::size_t v = 0; v < moved.size(); ++v) EXPECT_LT((moved[v] - whole.displacement[v]).norm(), 1e-14);
  const Eigen::VectorXd held = condensed.matrix() * of_kept - condensed.load(loads);
  for (std::size_t i = 0; i < surface.size(); ++i) {
    const Eigen::Vector3d here = held.segment<3>(3 * static_cast<Eigen::Index>(i));
    const bool on_table = body.mesh.vertices[std::size_t(surface[i])].z() == 0.0;
    EXPECT_TRUE(on_table || here.norm() < 1e-12) << here.norm();
  }
  // All kept: nothing to condense.
  std::vector<int> all(body.mesh.vertices.size());
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<int>(v);
  EXPECT_LT((CondensedStiffness(body.mesh, body.young, body.poisson, all).matrix() - k).cwiseAbs().maxCoeff(),
            1e-13 * k.cwiseAbs().maxCoeff());
}

TEST(Stiffness, TooFewSupportsAreSaid) {
  SoftBody body = single_tetrahedron();
  body.fixed = {1, 2};  // it may turn about the edge
  FemResult result = fem(body);
  EXPECT_EQ(result.status, FemStatus::underconstrained);
  EXPECT_EQ(result.message, "the supports leave 1 of the six rigid motions free");
  EXPECT_TRUE(result.displacement.empty());
  body.fixed.clear();
  EXPECT_EQ(fem(body).status, FemStatus::underconstrained);
  body.fixed = {1, 2};
  body.prescribed = {{3, 2, 0.0}};
  EXPECT_EQ(fem(body).status, FemStatus::ok);
}

TEST(Stiffness, FlagsAndWrongMeshes) {
  SoftBody body = single_tetrahedron();
  body.poisson = 0.46;
  EXPECT_TRUE(fem(body).flags.has(SoftFlag::locking));
  body.poisson = 0.3;
  body.young = 500.0;
  EXPECT_TRUE(fem(body).flags.has(SoftFlag::large_strain));
  body.mesh.vertices[0].z() = 0.0;
  EXPECT_EQ(fem(body).status, FemStatus::invalid_mesh);
  EXPECT_NE(fem(body).message.find("tets[0]"), std::string::npos);
  body = single_tetrahedron();
  const FemResult upright = fem(body);
  std::swap(body.mesh.tets[0][0], body.mesh.tets[0][1]);  // turned over: turned back
  EXPECT_LT((fem(body).displacement[0] - upright.displacement[0]).norm(), 1e-17);
}

TEST(Stiffness, BadInputNamesItsField) {
  const auto field_of = [](auto change) {
    SoftBody body = single_tetrahedron();
    change(body);
    try {
      fem(body);
    } catch (const InvalidInput& error) {
      return error.field();
    }
    return std::string("nothing");
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(field_of([](SoftBody&) {}), "nothing");
  EXPECT_EQ(field_of([](SoftBody& b) { b.young = 0.0; }), "young");
  EXPECT_EQ(field_of([](SoftBody& b) { b.poisson = 0.5; }), "poisson");
  EXPECT_EQ(field_of([](SoftBody& b) { b.poisson = -1.0; }), "poisson");
  EXPECT_EQ(field_of([](SoftBody& b) { b.density.reset(); }), "density");
  EXPECT_EQ(field_of([](SoftBody& b) { b.masses = {1.0}; }), "masses");
  EXPECT_EQ(field_of([](SoftBody& b) { b.density.reset(), b.masses = {1.0, 2.0}; }), "masses");
  EXPECT_EQ(field_of([](SoftBody& b) { b.density.reset(), b.masses = {0.0}; }), "masses[0]");
  EXPECT_EQ(field_of([&](SoftBody& b) { b.gravity.x() = nan; }), "gravity");
  EXPECT_EQ(field_of([](SoftBody& b) { b.fixed = {1, 4}; }), "fixed[1]");
  EXPECT_EQ(field_of([](SoftBody& b) { b.fixed = {1, 1}; }), "fixed[1]");
  EXPECT_EQ(field_of([](SoftBody& b) { b.forces = {{-1, {0, 0, 0}}}; }), "forces[0]");
  EXPECT_EQ(field_of([](SoftBody& b) { b.prescribed = {{0, 3, 0.0}}; }), "prescribed[0]");
  EXPECT_EQ(field_of([](SoftBody& b) { b.prescribed = {{1, 0, 0.0}}; }), "prescribed[0]");
  EXPECT_EQ(field_of([](SoftBody& b) { b.prescribed = {{0, 0, 0.0}, {0, 0, 0.0}}; }), "prescribed[1]");
  EXPECT_EQ(field_of([&](SoftBody& b) { b.mesh.vertices[2].x() = nan; }), "vertices[2]");
  EXPECT_EQ(field_of([](SoftBody& b) { b.young = 1e-300, b.density = 1e300; }), "young");
  EXPECT_EQ(field_of([](SoftBody& b) { b.base = SoftBase::frictionless, b.gravity.setZero(); }), "gravity");
}

}  // namespace
}  // namespace carom
