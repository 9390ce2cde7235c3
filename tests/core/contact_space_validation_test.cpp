// What contact spaces refuse, word for word, and what they accept although it looks odd.
#include <Eigen/Dense>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "carom/core/contact_space.hpp"

#include "core/random.hpp"

namespace carom {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::refusal;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Matrix2d symmetric(double a, double b, double c) {
  Matrix2d w;
  w << a, b, b, c;
  return w;
}

std::string text(const Matrix2d& w) { return inverse_inertia_problem(w).value_or(""); }
std::string text(const Matrix3d& w) { return inverse_inertia_problem(w).value_or(""); }

TEST(InverseInertia, NotFinite) {
  EXPECT_EQ(text(symmetric(1, nan, 1)), "must be finite");
  EXPECT_EQ(text(symmetric(1, 0, infinity)), "must be finite");
  Matrix3d w = Matrix3d::Identity();
  w(2, 1) = nan;
  EXPECT_EQ(text(w), "must be finite");
}

TEST(InverseInertia, NotPositiveDefinite) {
  EXPECT_EQ(text(Matrix2d(Matrix2d::Zero())), "must be positive definite, got zeros");
  EXPECT_EQ(text(Matrix3d(Matrix3d::Zero())), "must be positive definite, got zeros");
  const char* expected = "must be positive definite";
  EXPECT_EQ(text(symmetric(1, 1, 1)), expected);
  EXPECT_EQ(text(symmetric(1, 2, 1)), expected);
  EXPECT_EQ(text(symmetric(-1, 0, 1)), expected);
  EXPECT_EQ(text(symmetric(1, 0, -1)), expected);
  EXPECT_EQ(text(symmetric(1, 0, 0)), expected);
  for (int k = 0; k < 3; ++k) {
    Vector3d d = Vector3d::Ones();
    d[k] = 0.0;
    EXPECT_EQ(text(Matrix3d(d.asDiagonal())), expected);
    d[k] = -1e-3;
    EXPECT_EQ(text(Matrix3d(d.asDiagonal())), expected);
  }
  Matrix3d w;  // every 2 x 2 part is sound, the whole is not: the determinant is negative
  w << 1, 0.9, 0.9, 0.9, 1, 0, 0.9, 0, 1;
  EXPECT_EQ(text(w), expected);
}

TEST(InverseInertia, RandomSpectraWithOneNegativeValue) {
  testing::Rng rng(40);
  for (int i = 0; i < 3000; ++i) {
    const Matrix3d r = testing::random_rotation(rng).toRotationMatrix();
    Vector3d d;
    for (int k = 0; k < 3; ++k) d[k] = std::pow(10.0, testing::uniform(rng, -6, 6));
    EXPECT_EQ(text(Matrix3d(r * d.asDiagonal() * r.transpose())), "") << d.transpose();
    d[i % 3] = -d.maxCoeff() * testing::uniform(rng, 1e-6, 1);
    EXPECT_EQ(text(Matrix3d(r * d.asDiagonal() * r.transpose())), "must be positive definite") << d.transpose();
  }
}

TEST(InverseInertia, SymmetryWithinAndBeyondTheTolerance) {
  Matrix2d w = symmetric(2, 1, 4);  // tolerance relative to the largest entry, 4
  w(0, 1) = 1 + 0.99 * 4 * symmetry_tolerance;
  EXPECT_EQ(text(w), "");
  const PlanarContactSpace fixed = validated(PlanarContactSpace{w, {0.5, -1}});
  EXPECT_EQ(fixed.inverse_inertia(0, 1), fixed.inverse_inertia(1, 0));
  EXPECT_NEAR(fixed.inverse_inertia(0, 1), 1 + 0.495 * 4 * symmetry_tolerance, 1e-15);
  EXPECT_EQ(fixed.inverse_inertia.diagonal(), Vector2d(2, 4));
  EXPECT_EQ(fixed.velocity, Vector2d(0.5, -1));
  w(0, 1) = 1.0625;
  EXPECT_EQ(text(w), "must be symmetric, got 1.0625 and 1 across the diagonal");
  w(0, 1) = 1 + 1.01 * 4 * symmetry_tolerance;
  EXPECT_NE(text(w), "");
  Matrix3d w3 = 4.0 * Matrix3d::Identity();
  w3(1, 2) = 0.5;
  w3(2, 1) = 0.25;
  EXPECT_EQ(text(w3), "must be symmetric, got 0.5 and 0.25 across the diagonal");
  // Printed with six digits (Wang 2017, eq. 2.12): the last one differs across the diagonal.
  w3 << 11.5984, -0.910367, 2.44236, -0.910367, 9.90134, 1.95747, 2.44235, 1.95746, 2.59042;
  const ContactSpace printed = validated(ContactSpace{w3, Vector3d::Zero()});
  EXPECT_EQ(printed.inverse_inertia, printed.inverse_inertia.transpose());
  EXPECT_NEAR(printed.inverse_inertia(0, 2), 2.442355, 1e-15);
}

TEST(InverseInertia, InAnyUnits) {
  const double largest = std::numeric_limits<double>::max();
  Matrix3d sound, unsound;
  sound << 2, 0.5, -0.25, 0.5, 1, 0.125, -0.25, 0.125, 3;
  unsound << 2, 0.5, -2.5, 0.5, 1, 0.125, -2.5, 0.125, 3;
  for (const double unit : {1e-322, 1e-300, 1e-150, 1.0, 1e150, 1e300, largest / 4}) {
    if (unit > 1e-310) {  // below, the entries themselves have no digits left
      EXPECT_EQ(text(Matrix3d(unit * sound)), "") << unit;
      EXPECT_EQ(text(Matrix3d(unit * unsound)), "must be positive definite") << unit;
    }
    EXPECT_EQ(text(Matrix2d(unit * symmetric(2, 1, 2))), "") << unit;
    EXPECT_EQ(text(Matrix2d(unit * symmetric(2, 2, 2))), "must be positive definite") << unit;
    Matrix2d skewed = unit * symmetric(2, 1, 2);
    skewed(0, 1) = -skewed(1, 0);
    EXPECT_EQ(text(skewed).substr(0, 17), "must be symmetric") << unit;
    const Matrix3d w = unit > 1e-310 ? Matrix3d(unit * sound) : Matrix3d(unit * Matrix3d::Identity());
    EXPECT_EQ(validated(ContactSpace{w, Vector3d::Zero()}).inverse_inertia, w);
  }
}

TEST(ContactSpaceValidation, NamesTheField) {
  EXPECT_EQ(refusal([] {
              validated(PlanarContactSpace{symmetric(1, 2, 1), {0, 0}});
            }),
            "inverse_inertia: must be positive definite");
  EXPECT_EQ(refusal([] { validated(PlanarContactSpace{symmetric(1, 0, 1), {0, nan}}); }), "velocity: must be finite");
  EXPECT_EQ(refusal([] {
              validated(ContactSpace{-Matrix3d::Identity(), Vector3d::Zero()});
            }),
            "inverse_inertia: must be positive definite");
  EXPECT_EQ(refusal([] {
              validated(ContactSpace{Matrix3d::Identity(), {infinity, 0, 0}});
            }),
            "velocity: must be finite");
}

TEST(ContactSpaceOfBodiesValidation, NamesBodyAndContact) {
  const auto text3 = [](const Body& a, const Body& b, const Contact& c) {
    return refusal([&] { contact_space(a, b, c); });
  };
  const auto text2 = [](const PlanarBody& a, const PlanarBody& b, const PlanarContact& c) {
    return refusal([&] { contact_space(a, b, c); });
  };
  EXPECT_EQ(text3(immovable_body(), immovable_body(), {}), "bodies: both are immovable: one must be free to move");
  EXPECT_EQ(text2(immovable_planar_body(), immovable_planar_body(), {}),
            "bodies: both are immovable: one must be free to move");
  Body body;
  body.mass = 0;
  EXPECT_EQ(text3(body, immovable_body(), {}), "bodies[0].mass: must be positive, got 0");
  EXPECT_EQ(text3(immovable_body(), body, {}), "bodies[1].mass: must be positive, got 0");
  body = {};
  body.inertia = Vector3d(0, 1, 1).asDiagonal();
  EXPECT_EQ(text3(Body{}, body, {}), "bodies[1].inertia: must be positive definite, its principal moments are 0, 1, 1");
  PlanarBody planar;
  planar.inertia = -1;
  EXPECT_EQ(text2(PlanarBody{}, planar, {}), "bodies[1].inertia: must be positive, got -1");
  EXPECT_EQ(text3(Body{}, Body{}, {Vector3d::Zero(), {0, 0, 2}}),
            "contact.normal: must have unit length, its length is 2");
  EXPECT_EQ(text3(Body{}, Body{}, {{nan, 0, 0}, {0, 0, 1}}), "contact.point: must be finite");
  EXPECT_EQ(text2(PlanarBody{}, PlanarBody{}, {{0, 0}, {0, 0.5}}),
            "contact.normal: must have unit length, its length is 0.5");
}

TEST(ContactSpaceOfBodiesValidation, NumbersOutOfRange) {
  Body light;
  light.mass = 1e-310;
  EXPECT_EQ(refusal([&] { contact_space(light, Body{}, Contact{}); }),
            "bodies: their inverse inertia at the contact must be finite");
  PlanarBody far;
  far.position = {1e200, 0};
  EXPECT_EQ(refusal([&] { contact_space(far, PlanarBody{}, PlanarContact{}); }),
            "bodies: their inverse inertia at the contact must be finite");
  PlanarBody left, right;
  left.velocity = {1e308, 0};
  right.velocity = {-1e308, 0};
  EXPECT_EQ(refusal([&] { contact_space(left, right, PlanarContact{}); }),
            "bodies: their relative velocity at the contact must be finite");
}

TEST(ContactSpaceOfBodiesValidation, InAnyUnits) {
  testing::Rng rng(41);
  for (const double unit : {1e-290, 1e-100, 1e100, 1e290}) {
    Body a = testing::random_body(rng), b = testing::random_body(rng);
    const Contact contact = testing::random_contact(rng);
    const ContactSpace plain = contact_space(a, b, contact);
    for (Body* body : {&a, &b}) body->mass *= unit, body->inertia *= unit;
    const Matrix3d scaled = unit * contact_space(a, b, contact).inverse_inertia;
    EXPECT_LT((scaled - plain.inverse_inertia).cwiseAbs().maxCoeff(), 1e-13 * plain.inverse_inertia.trace());
  }
}

std::string text(const MatrixXd& mass, const MatrixXd& jacobian, const VectorXd& velocity) {
  const std::string what = refusal([&] { planar_contact_space(mass, jacobian, velocity); });
  // velocity_after takes any number of rows, dependent or not; all else it refuses likewise.
  if (what.find("rows") == std::string::npos && what.find("must be 2 x") == std::string::npos) {
    EXPECT_EQ(refusal([&] { velocity_after(mass, jacobian, velocity, VectorXd::Zero(jacobian.rows())); }), what);
  }
  return what;
}

TEST(SystemValidation, SizesAndNumbers) {
  const MatrixXd m = MatrixXd::Identity(3, 3), j = MatrixXd::Identity(2, 3);
  const VectorXd q = VectorXd::Zero(3);
  EXPECT_EQ(text(m, j, q), "");
  EXPECT_EQ(text(MatrixXd(), j, q), "mass_matrix: must be square and not empty, got 0 x 0");
  EXPECT_EQ(text(MatrixXd::Identity(3, 2), j, q), "mass_matrix: must be square and not empty, got 3 x 2");
  EXPECT_EQ(text(m, MatrixXd::Identity(2, 4), q), "jacobian: must be 2 x 3, got 2 x 4");
  EXPECT_EQ(text(m, MatrixXd::Identity(3, 3), q), "jacobian: must be 2 x 3, got 3 x 3");
  EXPECT_EQ(refusal([&] { contact_space(m, j, q); }), "jacobian: must be 3 x 3, got 2 x 3");
  EXPECT_EQ(text(m, j, VectorXd::Zero(2)), "velocity: must have length 3, got 2");
  MatrixXd bad = m;
  bad(1, 2) = nan;
  EXPECT_EQ(text(bad, j, q), "mass_matrix: must be finite");
  bad = j;
  bad(1, 2) = infinity;
  EXPECT_EQ(text(m, bad, q), "jacobian: must be finite");
  EXPECT_EQ(text(m, j, VectorXd::Constant(3, nan)), "velocity: must be finite");
  EXPECT_EQ(refusal([&] { velocity_after(m, j, q, VectorXd::Zero(3)); }), "impulse: must have length 2, got 3");
  EXPECT_EQ(refusal([&] { velocity_after(m, j, q, VectorXd::Constant(2, nan)); }), "impulse: must be finite");
  EXPECT_EQ(refusal([&] { velocity_after(m, MatrixXd::Identity(2, 4), q, VectorXd::Zero(2)); }),
            "jacobian: must be 2 x 3, got 2 x 4");
}

TEST(SystemValidation, MassMatrix) {
  const MatrixXd j = MatrixXd::Identity(2, 2);
  const VectorXd q = VectorXd::Zero(2);
  const char* indefinite = "mass_matrix: must be positive definite";
  EXPECT_EQ(text(symmetric(1, 1, 1), j, q), indefinite);
  EXPECT_EQ(text(symmetric(1, 2, 1), j, q), indefinite);
  EXPECT_EQ(text(symmetric(0, 0, 1), j, q), indefinite);
  EXPECT_EQ(text(symmetric(-1, 0, -1), j, q), indefinite);
  Matrix2d skewed = symmetric(2, 1, 2);
  skewed(0, 1) = 1.5;
  EXPECT_EQ(text(skewed, j, q), "mass_matrix: must be symmetric, got 1.5 and 1 across the diagonal");
  skewed(0, 1) = 1 + 1.9e-5;  // within 2 symmetry_tolerance: averaged, by both functions
  const double off = 1 + 0.95e-5;
  const Matrix2d expected = symmetric(2, off, 2).inverse();
  EXPECT_LT((planar_contact_space(skewed, j, q).inverse_inertia - expected).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((velocity_after(skewed, j, q, Vector2d(1, 3)) - expected * Vector2d(1, 3)).norm(), 1e-14);
  // A heavy coordinate does not hide what is wrong with the light ones.
  MatrixXd mixed = Vector3d(1e6, 1e-3, 1e-3).asDiagonal();
  mixed(1, 2) = 5e-4;
  EXPECT_EQ(text(mixed, MatrixXd::Identity(2, 3), VectorXd::Zero(3)),
            "mass_matrix: must be symmetric, got 5e-04 and 0 across the diagonal");
}

TEST(SystemValidation, SingularMassMatricesThroughRounding) {
  testing::Rng rng(42);
  for (int i = 0; i < 2000; ++i) {
    const int n = 3 + i % 6;
    MatrixXd root(n, n - 1), jacobian(2, n);
    for (double& x : root.reshaped()) x = testing::uniform(rng, -1, 1);
    for (double& x : jacobian.reshaped()) x = testing::uniform(rng, -1, 1);
    VectorXd unit(n);  // coordinates in units of their own
    for (double& x : unit) x = std::pow(10.0, testing::uniform(rng, -6, 6));
    const MatrixXd singular = unit.asDiagonal() * root * root.transpose() * unit.asDiagonal();
    ASSERT_EQ(text(singular, jacobian, VectorXd::Zero(n)), "mass_matrix: must be positive definite") << i;
    MatrixXd sound = root * root.transpose();
    sound.diagonal().array() += 1e-6;
    ASSERT_EQ(text(unit.asDiagonal() * sound * unit.asDiagonal(), jacobian * unit.asDiagonal(), VectorXd::Zero(n)), "");
  }
}

TEST(SystemValidation, DependentRowsThroughRounding) {
  const char* expected = "jacobian: its rows must be independent: the contact cannot move in some direction";
  testing::Rng rng(43);
  for (int i = 0; i < 2000; ++i) {
    const int n = 3 + i % 10;
    MatrixXd root(n, n), jacobian(3, n);
    for (double& x : root.reshaped()) x = testing::uniform(rng, -1, 1);
    for (double& x : jacobian.reshaped()) x = testing::uniform(rng, -1, 1);
    const MatrixXd mass = root * root.transpose() + 0.1 * MatrixXd::Identity(n, n);
    const VectorXd q = VectorXd::Zero(n);
    ASSERT_EQ(refusal([&] { contact_space(mass, jacobian, q); }), "");
    jacobian.row(i % 3) = testing::uniform(rng, -1, 1) * jacobian.row((i + 1) % 3) +
                          testing::uniform(rng, -1, 1) * jacobian.row((i + 2) % 3);
    ASSERT_EQ(refusal([&] { contact_space(mass, jacobian, q); }), expected) << i;
    jacobian.row(0) = 0.1 * jacobian.row(1);
    ASSERT_EQ(refusal([&] { planar_contact_space(mass, jacobian.topRows(2), q); }), expected) << i;
  }
  EXPECT_EQ(refusal([] { planar_contact_space(Matrix2d::Identity(), MatrixXd::Zero(2, 2), Vector2d::Zero()); }),
            expected);
  // Two contact axes moved by one coordinate only.
  EXPECT_EQ(refusal([] { planar_contact_space(MatrixXd::Identity(1, 1), Vector2d(1, 2), VectorXd::Zero(1)); }),
            expected);
}

TEST(SystemValidation, InAnyUnits) {
  testing::Rng rng(44);
  MatrixXd root(4, 4), jacobian(2, 4);
  for (double& x : root.reshaped()) x = testing::uniform(rng, -1, 1);
  for (double& x : jacobian.reshaped()) x = testing::uniform(rng, -1, 1);
  const MatrixXd mass = root * root.transpose() + MatrixXd::Identity(4, 4);
  const VectorXd q = VectorXd::Ones(4);
  const Matrix2d plain = planar_contact_space(mass, jacobian, q).inverse_inertia;
  for (const double unit : {1e-300, 1e-150, 1e150, 1e300, 4e307 / mass.maxCoeff()}) {
    const Matrix2d w = planar_contact_space(unit * mass, jacobian, q).inverse_inertia;
    EXPECT_LT((unit * w - plain).cwiseAbs().maxCoeff(), 1e-13 * plain.trace()) << unit;
    EXPECT_TRUE(velocity_after(unit * mass, jacobian, q, Vector2d(1, 1)).allFinite());
  }
  EXPECT_EQ(refusal([&] { planar_contact_space(1e-300 * mass, 1e10 * jacobian, q); }),
            "jacobian: J M^-1 J^T must be finite");
}

}  // namespace
}  // namespace carom
