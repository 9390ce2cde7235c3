// Free bodies as a mechanical system, and what is asked of any system.
#include "carom/core/mechanical_system.hpp"

#include <gtest/gtest.h>

#include "carom/core/contact_graph.hpp"
#include "carom/core/contact_space.hpp"

#include "core/random.hpp"
#include "core/turn.hpp"

namespace carom::testing {
namespace {

struct Scene {
  std::vector<Body> bodies;
  std::vector<PairContact> contacts;
};

/// A chain of bodies at random places with an immovable one in the middle.
Scene random_scene(Rng& rng) {
  Scene scene;
  for (int i = 0; i < 5; ++i) scene.bodies.push_back(i == 2 ? immovable_body() : random_body(rng));
  for (std::size_t i = 1; i < 5; ++i)
    scene.contacts.push_back({{random_vector<3>(rng), random_direction<3>(rng)}, i, i - 1});
  return scene;
}

std::string refusal(const auto& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.field();
  }
  return "";
}

TEST(MechanicalSystem, OfBodiesAgreesWithTheGraph) {
  Rng rng(1);
  for (int i = 0; i < 100; ++i) {
    Scene scene = random_scene(rng);
    const ContactGraph graph(scene.bodies, scene.contacts);
    const MechanicalSystem system = system_of(scene.bodies, scene.contacts);
    ASSERT_EQ(system.velocity.size(), 24);
    ASSERT_EQ(system.jacobian.rows(), 12);
    const Eigen::MatrixXd factor = contact_factor(system), w = graph.dense();
    EXPECT_LT((factor.transpose() * factor - w).norm(), 1e-12 * w.norm());
    const std::vector<Eigen::Vector3d> u = graph.velocities(scene.bodies);
    const Eigen::VectorXd seen = system.jacobian * system.velocity;
    for (std::size_t c = 0; c < u.size(); ++c)
      EXPECT_LT((seen.segment<3>(3 * static_cast<Eigen::Index>(c)) - u[c]).norm(), 1e-13 * (1.0 + u[c].norm()));
    double energy = 0.0;
    for (const Body& body : scene.bodies) energy += kinetic_energy(body);
    EXPECT_NEAR(kinetic_energy(system), energy, 1e-13 * energy);

    // An impulse at every contact moves the bodies as it moves the system.
    std::vector<Eigen::Vector3d> impulses;
    Eigen::VectorXd rows(12);
    for (Eigen::Index c = 0; c < 4; ++c) {
      impulses.push_back(random_vector<3>(rng));
      rows.segment<3>(3 * c) = impulses.back();
    }
    std::vector<Body> moved = scene.bodies;
    graph.apply(impulses, moved);
    set_velocities(scene.bodies, velocity_after(system, rows));
    for (std::size_t b = 0; b < moved.size(); ++b) {
      EXPECT_LT((moved[b].velocity - scene.bodies[b].velocity).norm(), 1e-12 * (1.0 + moved[b].velocity.norm()));
      EXPECT_LT((moved[b].angular_velocity - scene.bodies[b].angular_velocity).norm(),
                1e-11 * (1.0 + moved[b].angular_velocity.norm()));
    }
  }
}

TEST(MechanicalSystem, OfTwoBodiesHasTheirContactSpace) {
  Rng rng(2);
  const Scene scene = random_scene(rng);
  const PairContact contact{scene.contacts[0], 0, 1};
  const std::vector<Body> pair = {scene.bodies[0], scene.bodies[1]};
  const ContactSpace bodies = contact_space(pair[0], pair[1], contact);
  const ContactSpace system = contact_space(system_of(pair, std::vector{contact}));
  EXPECT_LT((bodies.inverse_inertia - system.inverse_inertia).norm(), 1e-12 * bodies.inverse_inertia.norm());
  EXPECT_LT((bodies.velocity - system.velocity).norm(), 1e-13 * bodies.velocity.norm());
  MechanicalSystem plane{Eigen::Matrix3d::Identity(), Eigen::MatrixXd::Zero(2, 3), Eigen::Vector3d(1, 2, 3)};
  plane.jacobian << 1, 0, .5, 0, 1, 0;
  EXPECT_EQ(planar_contact_space(plane).velocity, Eigen::Vector2d(2.5, 2));
}

/// Discs in a tilted plane, an immovable one among them, that touch with normals in the plane.
Scene planar_scene(Rng& rng, const MotionPlane& plane) {
  Scene scene;
  const Eigen::Vector3d axis = plane.right.cross(plane.up);
  const auto in_plane = [&](const Eigen::Vector2d& v) -> Eigen::Vector3d {
    return v.x() * plane.right + v.y() * plane.up;
  };
  for (int i = 0; i < 4; ++i) {
    Body body = i == 1 ? immovable_body() : random_body(rng);
    body.position = in_plane(random_vector<2>(rng));
    if (i != 1) {
      body.inertia = Eigen::Vector3d(0.1, 0.1, 0.2).asDiagonal();  // about the axis of the plane
      body.orientation = turn_from_z(axis);
      body.velocity = in_plane(random_vector<2>(rng));
      body.angular_velocity = uniform(rng, -3.0, 3.0) * axis;
    }
    scene.bodies.push_back(body);
  }
  for (std::size_t i = 1; i < 4; ++i)
    scene.contacts.push_back({{in_plane(random_vector<2>(rng)), in_plane(random_direction<2>(rng))}, i, i - 1});
  return scene;
}

TEST(MechanicalSystem, InAPlaneIsTheSystemInSpaceSeenThere) {
  Rng rng(4);
  for (int i = 0; i < 100; ++i) {
    const Eigen::Quaterniond turned = random_rotation(rng);
    const MotionPlane plane{turned * Eigen::Vector3d::UnitX(), turned * Eigen::Vector3d::UnitY()};
    Scene scene = planar_scene(rng, plane);
    const MechanicalSystem flat = system_of(scene.bodies, scene.contacts, plane),
                           full = system_of(scene.bodies, scene.contacts);
    ASSERT_EQ(flat.velocity.size(), 9);
    ASSERT_EQ(flat.jacobian.rows(), 6);
    EXPECT_NEAR(kinetic_energy(flat), kinetic_energy(full), 1e-13 * kinetic_energy(full));
    // An impulse in the plane moves the bodies alike.
    Eigen::VectorXd along(6), world(9);
    const ContactGraph graph(scene.bodies, scene.contacts);
    for (Eigen::Index k = 0; k < 3; ++k) {
      const Eigen::Vector2d impulse = random_vector<2>(rng);
      along.segment<2>(2 * k) = impulse;
      const Eigen::Vector3d n = scene.contacts[static_cast<std::size_t>(k)].normal,
                            t = n.cross(plane.right.cross(plane.up));
      world.segment<3>(3 * k) =
          graph.edges()[static_cast<std::size_t>(k)].frame.transpose() * (impulse[0] * t + impulse[1] * n);
    }
    std::vector<Body> one = scene.bodies, other = scene.bodies;
    set_velocities(one, velocity_after(flat, along), plane);
    set_velocities(other, velocity_after(full, world));
    for (std::size_t b = 0; b < one.size(); ++b) {
      EXPECT_LT((one[b].velocity - other[b].velocity).norm(), 1e-12 * (1.0 + other[b].velocity.norm()));
      EXPECT_LT((one[b].angular_velocity - other[b].angular_velocity).norm(),
                1e-12 * (1.0 + other[b].angular_velocity.norm()));
    }
  }
}

TEST(MechanicalSystem, NamesWhatItRefuses) {
  Rng rng(3);
  const Scene scene = random_scene(rng);
  const auto moving = [&](Eigen::Vector3d Body::*motion) {
    std::vector<Body> bodies = scene.bodies;
    (bodies[2].*motion).y() = 1e-300;
    return refusal([&] { system_of(bodies, scene.contacts); });
  };
  EXPECT_EQ(moving(&Body::velocity), "bodies[2].velocity");
  EXPECT_EQ(moving(&Body::angular_velocity), "bodies[2].angular_velocity");
  std::vector<PairContact> contacts = scene.contacts;
  contacts[1].second = 9;
  EXPECT_EQ(refusal([&] { system_of(scene.bodies, contacts); }), "contacts[1].bodies");
  std::vector<Body> bodies = scene.bodies;
  EXPECT_EQ(refusal([&] { set_velocities(bodies, Eigen::VectorXd::Zero(30)); }), "velocity");
  EXPECT_EQ(refusal([&] { set_velocities(bodies, Eigen::VectorXd::Zero(24), MotionPlane{}); }), "velocity");
  const MotionPlane skew{Eigen::Vector3d::UnitX(), Eigen::Vector3d(0.1, 1.0, 0.0).normalized()};
  EXPECT_EQ(refusal([&] { system_of(scene.bodies, scene.contacts, skew); }), "plane");
  EXPECT_EQ(refusal([&] { system_of(scene.bodies, scene.contacts, {Eigen::Vector3d::UnitX() * 2.0}); }), "plane");
  const auto refused = [&](auto change) {
    MechanicalSystem system = system_of(scene.bodies, scene.contacts);
    change(system);
    return refusal([&] { contact_factor(system); });
  };
  EXPECT_EQ(refused([](MechanicalSystem&) {}), "");
  EXPECT_EQ(refused([](MechanicalSystem& s) { s.mass_matrix(0, 0) = -1.0; }), "mass_matrix");
  EXPECT_EQ(refused([](MechanicalSystem& s) { s.mass_matrix(0, 1) = 1.0; }), "mass_matrix");
  EXPECT_EQ(refused([](MechanicalSystem& s) { s.jacobian.conservativeResize(12, 23); }), "jacobian");
  EXPECT_EQ(refused([](MechanicalSystem& s) { s.velocity[3] = std::nan(""); }), "velocity");
  EXPECT_EQ(refused([](MechanicalSystem& s) { s.jacobian *= 1e300; }), "jacobian");
  EXPECT_EQ(refused([](MechanicalSystem& s) { s.jacobian.row(3) = s.jacobian.row(0); }), "");  // dependent rows
}

}  // namespace
}  // namespace carom::testing
