// Frames of contacts and the checks of points and normals.
#include "carom/core/contact.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>
#include <limits>

#include "core/random.hpp"

namespace carom {
namespace {

using testing::refusal;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double few_eps = 1e-15;

void expect_frame(const Eigen::Vector3d& normal) {
  const Eigen::Matrix3d f = contact_frame(Contact{Eigen::Vector3d::Zero(), normal});
  EXPECT_LT((f.transpose() * f - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff(), few_eps) << normal.transpose();
  EXPECT_NEAR(f.determinant(), 1.0, few_eps);
  EXPECT_LT((f.col(2) - normal).norm(), few_eps);
  // t1 lies in the plane of n and the least aligned axis, on the side of that axis.
  Eigen::Index axis = 0;
  const double least = normal.cwiseAbs().minCoeff(&axis);
  EXPECT_NEAR(f(axis, 0), std::sqrt(1.0 - least * least), few_eps);
  EXPECT_NEAR(f(axis, 1), 0.0, few_eps);
}

TEST(ContactFrame, OrthonormalAndRightHanded) {
  testing::Rng rng(2);
  for (int i = 0; i < 5000; ++i) expect_frame(testing::random_direction<3>(rng));
}

TEST(ContactFrame, NearlyAlignedWithAxesAndDiagonals) {
  testing::Rng rng(3);
  for (const double tilt : {0.0, 1e-300, 1e-160, 1e-17, 1e-12, 1e-8, 1e-4})
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          if (x == 0 && y == 0 && z == 0) continue;
          const Eigen::Vector3d direction(x, y, z);
          expect_frame((direction + tilt * testing::random_vector<3>(rng)).normalized());
        }
}

TEST(ContactFrame, OfTheAxes) {
  Eigen::Matrix3d expected = Eigen::Matrix3d::Identity();
  EXPECT_EQ(contact_frame(Contact{}), expected);  // (x, y, z) as documented
  expected << 0, 0, 1, 1, 0, 0, 0, 1, 0;          // n = x: t1 = y, t2 = z
  EXPECT_EQ(contact_frame(Contact{Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitX()}), expected);
  expected << 1, 0, 0, 0, 0, 1, 0, -1, 0;  // n = y: t1 = x, t2 = y x x = -z
  EXPECT_EQ(contact_frame(Contact{Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitY()}), expected);
}

TEST(ContactFrame, Planar) {
  EXPECT_EQ(contact_frame(PlanarContact{}), Eigen::Matrix2d::Identity());
  testing::Rng rng(4);
  for (int i = 0; i < 5000; ++i) {
    const Eigen::Vector2d n = i < 4 ? Eigen::Vector2d(Eigen::Rotation2Dd(i * std::acos(0.0)) * Eigen::Vector2d::UnitX())
                                    : testing::random_direction<2>(rng);
    const Eigen::Matrix2d f = contact_frame(PlanarContact{Eigen::Vector2d::Zero(), n});
    EXPECT_LT((f.transpose() * f - Eigen::Matrix2d::Identity()).cwiseAbs().maxCoeff(), few_eps);
    EXPECT_NEAR(f.determinant(), 1.0, few_eps);
    EXPECT_LT((f.col(1) - n).norm(), few_eps);
  }
}

TEST(ContactFrame, DoesNotDependOnTheLengthOfTheNormal) {
  testing::Rng rng(5);
  for (int i = 0; i < 1000; ++i) {
    const Contact c = testing::random_contact(rng);
    const PlanarContact p = testing::random_planar_contact(rng);
    const double length = testing::uniform(rng, 1.0 - unit_tolerance, 1.0 + unit_tolerance);
    EXPECT_LT((contact_frame(Contact{c.point, length * c.normal}) - contact_frame(c)).cwiseAbs().maxCoeff(), few_eps);
    EXPECT_LT((contact_frame(PlanarContact{p.point, length * p.normal}) - contact_frame(p)).cwiseAbs().maxCoeff(),
              few_eps);
  }
}

TEST(ContactValidation, NormalisesWithinTheTolerance) {
  for (const double length : {1.0 - 0.999 * unit_tolerance, 1.0, 1.0 + 0.999 * unit_tolerance}) {
    const Contact c = validated(Contact{{1, 2, 3}, length * Eigen::Vector3d(0.6, 0.0, 0.8)});
    EXPECT_NEAR(c.normal.norm(), 1.0, few_eps);
    EXPECT_LT((c.normal - Eigen::Vector3d(0.6, 0.0, 0.8)).norm(), few_eps);
    EXPECT_EQ(c.point, Eigen::Vector3d(1, 2, 3));
    const PlanarContact p = validated(PlanarContact{{1, 2}, length * Eigen::Vector2d(0.6, -0.8)});
    EXPECT_NEAR(p.normal.norm(), 1.0, few_eps);
    EXPECT_EQ(p.point, Eigen::Vector2d(1, 2));
  }
}

TEST(ContactValidation, Refusals) {
  const auto text = [](const auto& contact) { return refusal([&] { validated(contact); }); };
  EXPECT_EQ(text(Contact{{nan, 0, 0}, Eigen::Vector3d::UnitZ()}), "point: must be finite");
  EXPECT_EQ(text(Contact{{0, 0, 0}, {0, 0, 2}}), "normal: must have unit length, its length is 2");
  EXPECT_EQ(text(Contact{{0, 0, 0}, {0, 0, 0}}), "normal: must have unit length, its length is 0");
  EXPECT_EQ(text(Contact{{0, 0, 0}, {0, 0, nan}}), "normal: must have unit length, its length is nan");
  EXPECT_EQ(text(Contact{{0, 0, 0}, {0, 0, 1.0 + 1.001 * unit_tolerance}}),
            "normal: must have unit length, its length is 1.000001001");
  EXPECT_EQ(text(PlanarContact{{0, std::numeric_limits<double>::infinity()}, {0, 1}}), "point: must be finite");
  EXPECT_EQ(text(PlanarContact{{0, 0}, {3, 4}}), "normal: must have unit length, its length is 5");
}

}  // namespace
}  // namespace carom
