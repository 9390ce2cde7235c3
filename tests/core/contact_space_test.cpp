// The contact space of bodies, of any system, and the way back: impulses onto bodies.
#include "carom/core/contact_space.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <gtest/gtest.h>

#include "carom/core/linear_algebra.hpp"

#include "core/polyhedra.hpp"
#include "core/random.hpp"

namespace carom {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct System {
  MatrixXd mass, jacobian;
  VectorXd velocity;
};

/// Two bodies as one mechanical system of 6 + 6 coordinates. The Jacobian's columns are found by giving the pair one
/// unit velocity at a time: nothing is shared with the formula under test but velocity_at.
System as_system(const Body& a, const Body& b, const Contact& contact) {
  System s{MatrixXd::Zero(12, 12), MatrixXd(3, 12), VectorXd(12)};
  s.mass.topLeftCorner<3, 3>() = a.mass * Matrix3d::Identity();
  s.mass.block<3, 3>(3, 3) = world_inertia(a);
  s.mass.block<3, 3>(6, 6) = b.mass * Matrix3d::Identity();
  s.mass.bottomRightCorner<3, 3>() = world_inertia(b);
  s.velocity << a.velocity, a.angular_velocity, b.velocity, b.angular_velocity;
  for (int k = 0; k < 12; ++k) {
    const VectorXd unit = VectorXd::Unit(12, k);
    Body moving_a = a, moving_b = b;
    moving_a.velocity = unit.segment<3>(0), moving_a.angular_velocity = unit.segment<3>(3);
    moving_b.velocity = unit.segment<3>(6), moving_b.angular_velocity = unit.segment<3>(9);
    s.jacobian.col(k) = contact_frame(contact).transpose() *
                        (velocity_at(moving_a, contact.point) - velocity_at(moving_b, contact.point));
  }
  return s;
}

System as_system(const PlanarBody& a, const PlanarBody& b, const PlanarContact& contact) {
  System s{MatrixXd::Zero(6, 6), MatrixXd(2, 6), VectorXd(6)};
  s.mass.diagonal() << a.mass, a.mass, a.inertia, b.mass, b.mass, b.inertia;
  s.velocity << a.velocity, a.angular_velocity, b.velocity, b.angular_velocity;
  for (int k = 0; k < 6; ++k) {
    const VectorXd unit = VectorXd::Unit(6, k);
    PlanarBody moving_a = a, moving_b = b;
    moving_a.velocity = unit.segment<2>(0), moving_a.angular_velocity = unit[2];
    moving_b.velocity = unit.segment<2>(3), moving_b.angular_velocity = unit[5];
    s.jacobian.col(k) = contact_frame(contact).transpose() *
                        (velocity_at(moving_a, contact.point) - velocity_at(moving_b, contact.point));
  }
  return s;
}

template <class Space>
void expect_same(const Space& a, const Space& b, double tolerance) {
  EXPECT_LT((a.inverse_inertia - b.inverse_inertia).cwiseAbs().maxCoeff(),
            tolerance * b.inverse_inertia.cwiseAbs().maxCoeff())
      << a.inverse_inertia << "\n|\n"
      << b.inverse_inertia;
  EXPECT_LT((a.velocity - b.velocity).norm(), tolerance * (1.0 + b.velocity.norm()));
}

TEST(ContactSpaceOfBodies, AgainstMassMatrixAndJacobian) {
  testing::Rng rng(30);
  for (int i = 0; i < 3000; ++i) {
    const Body a = testing::random_body(rng), b = testing::random_body(rng);
    const Contact contact = testing::random_contact(rng);
    const ContactSpace space = contact_space(a, b, contact);
    const System s = as_system(a, b, contact);
    ContactSpace expected;
    expected.inverse_inertia = s.jacobian.lazyProduct(inverse(s.mass)).eval().lazyProduct(s.jacobian.transpose());
    expected.velocity = s.jacobian * s.velocity;
    expect_same(space, expected, 1e-12);
    expect_same(contact_space(s.mass, s.jacobian, s.velocity), expected, 1e-12);
    EXPECT_EQ(space.inverse_inertia, space.inverse_inertia.transpose());
    const double smallest = symmetric_eigenvalues(space.inverse_inertia)[0];
    EXPECT_GT(smallest, (1 - 1e-9) * (1 / a.mass + 1 / b.mass));  // turning only adds to 1/m
  }
}

TEST(ContactSpaceOfBodies, PlanarAgainstMassMatrixAndJacobian) {
  testing::Rng rng(31);
  for (int i = 0; i < 3000; ++i) {
    const PlanarBody a = testing::random_planar(rng), b = testing::random_planar(rng);
    const PlanarContact contact = testing::random_planar_contact(rng);
    const PlanarContactSpace space = contact_space(a, b, contact);
    const System s = as_system(a, b, contact);
    PlanarContactSpace expected;
    expected.inverse_inertia = s.jacobian.lazyProduct(inverse(s.mass)).eval().lazyProduct(s.jacobian.transpose());
    expected.velocity = s.jacobian * s.velocity;
    expect_same(space, expected, 1e-13);
    expect_same(planar_contact_space(s.mass, s.jacobian, s.velocity), expected, 1e-13);
    EXPECT_EQ(space.inverse_inertia, space.inverse_inertia.transpose());
    const double smallest = symmetric_eigenvalues(space.inverse_inertia)[0];
    EXPECT_GT(smallest, (1 - 1e-9) * (1 / a.mass + 1 / b.mass));
  }
}

TEST(ContactSpaceOfBodies, FallingRod) {
  // Wang and Mason 1992: B1 = B2 = 2.5, B3 = 1.5, a rod of mass 1 and length 2 (inertia 1/3) at 45 degrees, its lower
  // end on the ground: 1 + (1/2) / (1/3) and (1/2) / (1/3). With the centre of mass up and to the left of the contact,
  // an upward impulse on the tip turns the rod counter-clockwise and so moves the tip to the right: W_tn > 0.
  PlanarBody rod;
  rod.inertia = 1.0 / 3.0;
  rod.position = {-std::sqrt(0.5), std::sqrt(0.5)};
  rod.velocity = {0, -1};
  const PlanarContactSpace space = contact_space(rod, immovable_planar_body(), PlanarContact{});
  Matrix2d expected;
  expected << 2.5, 1.5, 1.5, 2.5;
  EXPECT_LT((space.inverse_inertia - expected).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(space.velocity, Vector2d(0, -1));
  apply_impulse(rod, Vector2d(0, 0), Vector2d(0, 1));
  EXPECT_GT(velocity_at(rod, {0, 0}).x(), 0.0);
  EXPECT_GT(rod.angular_velocity, 0.0);
  rod.position.x() *= -1;  // leaning the other way
  EXPECT_NEAR(contact_space(rod, immovable_planar_body(), PlanarContact{}).inverse_inertia(0, 1), -1.5, 1e-15);
}

TEST(ContactSpaceOfBodies, SphereOnTheGround) {
  // Solid sphere: W = diag(7/2, 7/2, 1) / m, the textbook case.
  Body ball;
  ball.mass = 2;
  ball.inertia = 0.4 * 2 * 0.25 * Matrix3d::Identity();
  ball.position = {0, 0, 0.5};
  ball.angular_velocity = {0, 3, 0};
  const ContactSpace space = contact_space(ball, immovable_body(), Contact{});
  EXPECT_LT((space.inverse_inertia - Matrix3d(Vector3d(1.75, 1.75, 0.5).asDiagonal())).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(space.velocity, Vector3d(-1.5, 0, 0));
}

TEST(ContactSpaceOfBodies, Wang2017Figure23) {
  // Truncated icosahedron on a tetrahedron's vertex; W of the solids as they are (the printed 2.12 rests on two slips).
  Body top, bottom;
  auto football = testing::truncated_icosahedron();
  for (auto& v : football.vertices) v *= 0.05;
  top.mass = 3;
  top.inertia = testing::properties(football, 3).inertia;
  top.position = {0, 0, 0.232744};
  const auto tetrahedron =
      testing::properties(testing::convex_hull({{0, 0, 0}, {0, 0, -0.75}, {0.5, 0, -0.5}, {0, 0.5, -0.5}}), 1);
  bottom.inertia = tetrahedron.inertia;
  bottom.position = tetrahedron.center;
  Matrix3d expected;
  expected << 10.7153, 0.49858, 2.59259, 0.49858, 10.7153, 2.59259, 2.59259, 2.59259, 2.81481;
  EXPECT_LT((contact_space(top, bottom, Contact{}).inverse_inertia - expected).cwiseAbs().maxCoeff(), 5.1e-5);
}

TEST(ContactSpaceOfBodies, ThePlaneInSpace) {
  // x-z plane of space = x-y plane of the planar case; turning counter-clockwise there is about -y here.
  testing::Rng rng(32);
  const auto lift = [](const Vector2d& v) { return Vector3d(v.x(), 0, v.y()); };
  const auto embed = [&](const PlanarBody& p) {
    Body body;
    body.mass = p.mass;
    body.inertia = Vector3d(0.7, 1.0, 0.6).asDiagonal();
    body.inertia *= p.inertia;
    body.position = lift(p.position);
    body.orientation = Eigen::AngleAxisd(-p.angle, Vector3d::UnitY());
    body.velocity = lift(p.velocity);
    body.angular_velocity = {0, -p.angular_velocity, 0};
    body.immovable = p.immovable;
    return body;
  };
  for (int i = 0; i < 1000; ++i) {
    const PlanarBody a = testing::random_planar(rng);
    const PlanarBody b = i % 2 == 0 ? testing::random_planar(rng) : immovable_planar_body();
    const PlanarContact planar{testing::random_vector<2>(rng), Vector2d::UnitY()};
    const PlanarContactSpace flat = contact_space(a, b, planar);
    const Contact contact{lift(planar.point), Vector3d::UnitZ()};  // frame x, y, z: t = t1, n = n
    const ContactSpace space = contact_space(embed(a), embed(b), contact);
    const double scale = space.inverse_inertia.cwiseAbs().maxCoeff();
    EXPECT_NEAR(space.inverse_inertia(0, 0), flat.inverse_inertia(0, 0), 1e-14 * scale);
    EXPECT_NEAR(space.inverse_inertia(0, 2), flat.inverse_inertia(0, 1), 1e-14 * scale);
    EXPECT_NEAR(space.inverse_inertia(2, 2), flat.inverse_inertia(1, 1), 1e-14 * scale);
    EXPECT_NEAR(space.inverse_inertia(0, 1), 0.0, 1e-14 * scale);  // the plane is decoupled from y
    EXPECT_NEAR(space.inverse_inertia(1, 2), 0.0, 1e-14 * scale);
    EXPECT_LT((space.velocity - lift(flat.velocity)).norm(), 1e-14 * (1 + flat.velocity.norm()));
    EXPECT_NEAR(kinetic_energy(space), kinetic_energy(flat), 1e-12 * kinetic_energy(flat));
  }
}

TEST(ContactSpaceOfBodies, AnImmovableBodyIsTheLimitOfAHeavyOne) {
  testing::Rng rng(33);
  for (int i = 0; i < 500; ++i) {
    const Body a = testing::random_body(rng);
    Body b = testing::random_body(rng);
    const Contact contact = testing::random_contact(rng);
    b.immovable = true;
    const ContactSpace against = contact_space(a, b, contact);
    b.immovable = false;
    b.mass *= 1e14;
    b.inertia *= 1e14;
    expect_same(contact_space(a, b, contact), against, 1e-10);
    PlanarBody p = testing::random_planar(rng), q = testing::random_planar(rng);
    const PlanarContact flat = testing::random_planar_contact(rng);
    p.immovable = true;  // the first one this time
    const PlanarContactSpace planar = contact_space(p, q, flat);
    p.immovable = false;
    p.mass *= 1e14;
    p.inertia *= 1e14;
    expect_same(contact_space(p, q, flat), planar, 1e-10);
  }
}

TEST(ContactSpaceOfBodies, SwappingTheBodiesAndTheNormal) {
  // The same W and the opposite relative velocity, in world axes.
  testing::Rng rng(34);
  for (int i = 0; i < 1000; ++i) {
    const Body a = testing::random_body(rng), b = testing::random_body(rng);
    const Contact c = testing::random_contact(rng), flipped{c.point, -c.normal};
    const ContactSpace one = contact_space(a, b, c), two = contact_space(b, a, flipped);
    const Matrix3d f = contact_frame(c), g = contact_frame(flipped);
    const Matrix3d w1 = f * one.inverse_inertia * f.transpose(), w2 = g * two.inverse_inertia * g.transpose();
    EXPECT_LT((w1 - w2).cwiseAbs().maxCoeff(), 1e-13 * w1.trace());
    EXPECT_LT((f * one.velocity + g * two.velocity).norm(), 1e-14 * (1 + one.velocity.norm()));
    EXPECT_NEAR(one.velocity[2], two.velocity[2], 1e-14 * (1 + one.velocity.norm()));  // both approach or both part
    const PlanarBody p = testing::random_planar(rng), q = testing::random_planar(rng);
    const PlanarContact d = testing::random_planar_contact(rng);
    // In the plane the flipped frame is (-t, -n): every component of W and of v is the same.
    expect_same(contact_space(p, q, d), contact_space(q, p, PlanarContact{d.point, -d.normal}), 1e-14);
  }
}

TEST(ApplyImpulse, BetweenTwoBodies) {
  testing::Rng rng(35);
  for (int i = 0; i < 3000; ++i) {
    const Body a = testing::random_body(rng);
    Body b = testing::random_body(rng);
    b.immovable = i % 3 == 0;
    Contact contact = testing::random_contact(rng);
    contact.normal *= 1.0 + testing::uniform(rng, -0.9, 0.9) * unit_tolerance;  // as contact_space accepts
    const Vector3d impulse = testing::random_vector<3>(rng), about = testing::random_vector<3>(rng, 2.0);
    const ContactSpace before = contact_space(a, b, contact);
    Body a1 = a, b1 = b;
    apply_impulse(a1, b1, contact, impulse);
    const ContactSpace after = contact_space(a1, b1, contact);
    const Vector3d change = before.inverse_inertia * impulse;
    EXPECT_LT((after.velocity - before.velocity - change).norm(),
              1e-14 * (1 + before.inverse_inertia.trace() + before.velocity.norm()));
    const double work = impulse.dot(0.5 * (before.velocity + after.velocity));
    const double gain = kinetic_energy(a1) - kinetic_energy(a) + kinetic_energy(b1) - kinetic_energy(b);
    const double scale = 1 + kinetic_energy(a1) + kinetic_energy(b1) + kinetic_energy(a) + kinetic_energy(b);
    if (!b.immovable) {
      EXPECT_NEAR(gain, work, 1e-13 * scale);
      const auto momentum = [](const Body& p, const Body& q) {
        return Vector3d(p.mass * p.velocity + q.mass * q.velocity);
      };
      const auto angular = [&](const Body& p) {
        return Vector3d(world_inertia(p) * p.angular_velocity + (p.position - about).cross(p.mass * p.velocity));
      };
      EXPECT_LT((momentum(a1, b1) - momentum(a, b)).norm(), 1e-14 * (1 + a.mass + b.mass));
      EXPECT_LT((angular(a1) + angular(b1) - angular(a) - angular(b)).norm(), 1e-13 * (1 + a.mass + b.mass));
      EXPECT_NEAR(kinetic_energy(after) - kinetic_energy(before), work, 1e-11 * scale);  // the relative motion's share
    } else {
      EXPECT_EQ(b1.velocity, b.velocity);
      EXPECT_EQ(b1.angular_velocity, b.angular_velocity);
      // Seen by the immovable body the energy given is the work at A's own point.
      const Vector3d world = contact_frame(contact) * impulse;
      EXPECT_NEAR(gain, world.dot(0.5 * (velocity_at(a, contact.point) + velocity_at(a1, contact.point))),
                  1e-13 * scale);
    }
  }
}

TEST(ApplyImpulse, BetweenTwoPlanarBodies) {
  testing::Rng rng(36);
  for (int i = 0; i < 3000; ++i) {
    const PlanarBody a = testing::random_planar(rng), b = testing::random_planar(rng);
    PlanarContact contact = testing::random_planar_contact(rng);
    contact.normal *= 1.0 + testing::uniform(rng, -0.9, 0.9) * unit_tolerance;
    const Vector2d impulse = testing::random_vector<2>(rng), about = testing::random_vector<2>(rng, 2.0);
    const PlanarContactSpace before = contact_space(a, b, contact);
    PlanarBody a1 = a, b1 = b;
    apply_impulse(a1, b1, contact, impulse);
    const PlanarContactSpace after = contact_space(a1, b1, contact);
    EXPECT_LT((after.velocity - before.velocity - before.inverse_inertia * impulse).norm(),
              1e-14 * (1 + before.inverse_inertia.trace() + before.velocity.norm()));
    const double work = impulse.dot(0.5 * (before.velocity + after.velocity));
    const double scale = 1 + kinetic_energy(a1) + kinetic_energy(b1) + kinetic_energy(a) + kinetic_energy(b);
    EXPECT_NEAR(kinetic_energy(a1) - kinetic_energy(a) + kinetic_energy(b1) - kinetic_energy(b), work, 1e-13 * scale);
    EXPECT_NEAR(kinetic_energy(after) - kinetic_energy(before), work, 1e-11 * scale);
    const Vector2d momentum = a1.mass * a1.velocity + b1.mass * b1.velocity - a.mass * a.velocity - b.mass * b.velocity;
    EXPECT_LT(momentum.norm(), 1e-14 * (1 + a.mass + b.mass));
    const auto angular = [&](const PlanarBody& p) {
      const Vector2d r = p.position - about;
      return p.inertia * p.angular_velocity + p.mass * (r.x() * p.velocity.y() - r.y() * p.velocity.x());
    };
    EXPECT_NEAR(angular(a1) + angular(b1), angular(a) + angular(b), 1e-13 * (1 + a.mass + b.mass));
  }
}

TEST(VelocityAfter, IsWhatTheBodiesDo) {
  testing::Rng rng(37);
  for (int i = 0; i < 500; ++i) {
    Body a = testing::random_body(rng), b = testing::random_body(rng);
    const Contact contact = testing::random_contact(rng);
    const Vector3d impulse = testing::random_vector<3>(rng);
    const System s = as_system(a, b, contact);
    const VectorXd q = velocity_after(s.mass, s.jacobian, s.velocity, impulse);
    apply_impulse(a, b, contact, impulse);
    VectorXd expected(12);
    expected << a.velocity, a.angular_velocity, b.velocity, b.angular_velocity;
    EXPECT_LT((q - expected).norm(), 1e-13 * (1 + expected.norm()));
    const ContactSpace space = contact_space(s.mass, s.jacobian, s.velocity);
    EXPECT_LT((s.jacobian * q - velocity_after(space, impulse)).norm(), 1e-12 * (1 + q.norm()));
  }
  PlanarContactSpace plane;
  plane.inverse_inertia << 2.5, -1.5, -1.5, 2.5;
  plane.velocity = {0.6, -1.0};
  EXPECT_LT((velocity_after(plane, {0.4, 0.6}) - Vector2d(0.7, -0.1)).norm(), 1e-15);
}

TEST(KineticEnergyOfTheRelativeMotion, AgainstTheExactInverse) {
  // W = diag(1, 1e-8, 1e8) seen through an exact shear S (entries of one binary digit): energy is half the sum of
  // the squares of y / sqrt(d), with v = S y.
  Matrix3d shear;
  shear << 1, 0, 0, 0.5, 1, 0, -0.25, 2, 1;
  testing::Rng rng(38);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d d(std::exp2(std::floor(testing::uniform(rng, -20, 20))),
                     std::exp2(std::floor(testing::uniform(rng, -20, 20))),
                     std::exp2(std::floor(testing::uniform(rng, -20, 20))));
    const Vector3d y = testing::random_vector<3>(rng);
    ContactSpace space;
    space.inverse_inertia = shear * d.asDiagonal() * shear.transpose();
    space.velocity = shear * y;
    const double expected = 0.5 * (y.array().square() / d.array()).sum();
    const double condition = d.maxCoeff() / d.minCoeff();
    EXPECT_NEAR(kinetic_energy(space), expected, 1e-14 * condition * expected);
    EXPECT_GE(kinetic_energy(space), 0.0);
    PlanarContactSpace flat;
    flat.inverse_inertia = space.inverse_inertia.topLeftCorner<2, 2>();
    flat.velocity = space.velocity.head<2>();
    const double planar = 0.5 * (y[0] * y[0] / d[0] + y[1] * y[1] / d[1]);
    EXPECT_NEAR(kinetic_energy(flat), planar, 1e-14 * condition * planar);
  }
}

TEST(KineticEnergyOfTheRelativeMotion, InAnyUnits) {
  for (const double unit : {1e-300, 1e-150, 1.0, 1e150, 1e300}) {
    ContactSpace space{unit * Matrix3d(Vector3d(1, 2, 4).asDiagonal()), std::sqrt(unit) * Vector3d(1, 2, 4)};
    EXPECT_NEAR(kinetic_energy(space), 3.5, 1e-14);
    const PlanarContactSpace flat{unit * Matrix2d(Vector2d(1, 4).asDiagonal()), std::sqrt(unit) * Vector2d(1, 4)};
    EXPECT_NEAR(kinetic_energy(flat), 2.5, 1e-14);
  }
}

}  // namespace
}  // namespace carom
