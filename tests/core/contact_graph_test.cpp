#include "carom/core/contact_graph.hpp"

#include <gtest/gtest.h>

#include "carom/core/contact_space.hpp"

#include "core/random.hpp"

namespace carom {
namespace {

using namespace testing;

struct Scene {
  std::vector<Body> bodies;
  std::vector<PairContact> contacts;
};

Scene random_scene(Rng& rng) {
  Scene scene;
  for (int i = 0; i < 5; ++i) scene.bodies.push_back(random_body(rng));
  scene.bodies[2].immovable = true;
  const std::size_t pairs[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {0, 1}};
  for (const auto& pair : pairs) {
    const Contact c = random_contact(rng);
    scene.contacts.push_back({c, pair[0], pair[1]});
  }
  return scene;
}

// Each diagonal block is the contact space of its two bodies; the products agree with the dense matrix.
TEST(ContactGraph, AgreesWithContactSpaceAndDenseMatrix) {
  Rng rng(1);
  for (int k = 0; k < 200; ++k) {
    const Scene scene = random_scene(rng);
    const ContactGraph graph(scene.bodies, scene.contacts);
    const Eigen::MatrixXd w = graph.dense();
    EXPECT_LT((w - w.transpose()).norm(), 1e-14 * w.norm());
    const auto u = graph.velocities(scene.bodies);
    Eigen::VectorXd stacked(18);
    std::vector<Eigen::Vector3d> p;
    for (std::size_t c = 0; c < 6; ++c) {
      const PairContact& contact = scene.contacts[c];
      const ContactSpace space = contact_space(scene.bodies[contact.first], scene.bodies[contact.second],
                                               Contact{contact.point, contact.normal});
      const auto i = 3 * static_cast<Eigen::Index>(c);
      EXPECT_LT((w.block<3, 3>(i, i) - space.inverse_inertia).norm(), 1e-12 * space.inverse_inertia.norm());
      EXPECT_LT((u[c] - space.velocity).norm(), 1e-12);
      p.push_back(random_vector<3>(rng));
      stacked.segment<3>(i) = p.back();
    }
    const Eigen::VectorXd expected = w * stacked;
    const auto answer = graph.response(p);
    std::vector<Body> after = scene.bodies;
    graph.apply(p, after);
    const auto u_after = graph.velocities(after);
    for (std::size_t c = 0; c < 6; ++c) {
      const auto i = 3 * static_cast<Eigen::Index>(c);
      EXPECT_LT((answer[c] - expected.segment<3>(i)).norm(), 1e-12 * (1 + expected.norm()));
      EXPECT_LT((u_after[c] - u[c] - answer[c]).norm(), 1e-11 * (1 + expected.norm()));
    }
    EXPECT_EQ(after[2].velocity, scene.bodies[2].velocity);
  }
}

TEST(ContactGraph, NamesWhatItRefuses) {
  Rng rng(2);
  const auto refused = [&](auto change) {
    Scene scene = random_scene(rng);
    change(scene);
    return refusal([&] { ContactGraph(scene.bodies, scene.contacts); });
  };
  EXPECT_EQ(refused([](Scene&) {}), "");
  EXPECT_EQ(refused([](Scene& s) { s.contacts[3].second = 9; }),
            "contacts[3].bodies: there is no body 9, only 5 bodies, counted from 0");
  EXPECT_EQ(refused([](Scene& s) { s.contacts[3].second = 3; }), "contacts[3].bodies: body 3 cannot touch itself");
  EXPECT_EQ(refused([](Scene& s) { s.bodies[3].immovable = true; }),
            "contacts[2].bodies: bodies 2 and 3 are both immovable: one must be free to move");
  EXPECT_EQ(refused([](Scene& s) { s.contacts[1].normal *= 2.0; }).substr(0, 40),
            "contacts[1].normal: must have unit lengt");
  EXPECT_EQ(refused([](Scene& s) { s.bodies[4].mass = 0.0; }).substr(0, 15), "bodies[4].mass:");
  EXPECT_EQ(refused([](Scene& s) {
              s.contacts[5].point = s.contacts[0].point;  // also with the bodies swapped
              std::swap(s.contacts[5].first, s.contacts[5].second);
            }),
            "contacts[5]: the same contact as contacts[0]: bodies 0 and 1 at the same point");
  const Scene scene = random_scene(rng);
  const ContactGraph graph(scene.bodies, scene.contacts);
  EXPECT_EQ(refusal([&] { graph.response({}); }), "impulses: must have length 6, got 0");
}

}  // namespace
}  // namespace carom
