#include "carom/contact/rigid_limit.hpp"

#include <Eigen/LU>
#include <cmath>
#include <gtest/gtest.h>

#include "core/random.hpp"

namespace carom {
namespace {

using Eigen::Matrix2d, Eigen::Vector2d;
using testing::refusal;

// An independent computation of the limit, and the energetic law beside it: (.13468, .62447).
TEST(RigidLimit, NumbersOfTheSheet) {
  Matrix2d w;
  w << 2.5, -1.5, -1.5, 2.5;
  const Vector2d impulse = rigid_limit(w, {0.6, -1.0}, 0.7, 0.5);
  EXPECT_NEAR(impulse[0], 0.15337, 5e-6);
  EXPECT_NEAR(impulse[1], 0.65562, 6e-6);
}

// e = 1: no energy is lost along the normal (the energetic law); slip that does not change: v_n reverses by e.
TEST(RigidLimit, SpecialCases) {
  testing::Rng rng(3);
  int unchanged = 0;
  for (int k = 0; k < 2000; ++k) {
    const double a = testing::uniform(rng, 0.2, 3.0), b = testing::uniform(rng, 0.2, 3.0),
                 c = testing::uniform(rng, -0.95, 0.95) * std::sqrt(a * b);
    Matrix2d w;
    w << a, c, c, b;
    const Vector2d v(testing::uniform(rng, -2, 2), testing::uniform(rng, -2, -0.1));
    const double mu = testing::uniform(rng, 0.0, 1.5), e = testing::uniform(rng, 0.05, 1.0);
    const Vector2d impulse = rigid_limit(w, v, mu, e), after = v + w * impulse;
    ASSERT_LE(std::abs(impulse[0]), mu * impulse[1] * (1 + 1e-12));
    ASSERT_GT(after[1], 0.0);
    // Energy of the relative motion never grows.
    const Matrix2d m = w.inverse();
    ASSERT_LE(after.dot(m * after), v.dot(m * v) * (1 + 1e-12));
    if (v[0] * after[0] > 1e-9) {
      ++unchanged;
      ASSERT_NEAR(after[1] / -v[1], e, 1e-12);
    }
    // Work along the normal in each piece of the path, by the means of the velocities.
    const Vector2d all = rigid_limit(w, v, mu, 1.0), end = v + w * all;
    double work = 0.0;
    const double s = v[0] > 0.0 ? 1.0 : -1.0, slope = w(0, 1) - s * mu * w(0, 0), stop = -v[0] / slope;
    if (stop > 0.0 && stop < all[1]) {
      const double middle = v[1] + (w(1, 1) - s * mu * w(0, 1)) * stop;
      work = 0.5 * (v[1] + middle) * stop + 0.5 * (middle + end[1]) * (all[1] - stop);
    } else {
      work = 0.5 * (v[1] + end[1]) * all[1];
    }
    ASSERT_NEAR(work, 0.0, 1e-11 * v.squaredNorm() * all[1]);
  }
  EXPECT_GT(unchanged, 200);
  EXPECT_EQ(rigid_limit(Matrix2d::Identity(), {1.0, 0.5}, 0.3, 0.5), Vector2d(0.0, 0.0));
}

TEST(RigidLimit, NamesWhatIsWrong) {
  EXPECT_EQ(refusal([] {
              rigid_limit(-Matrix2d::Identity(), {0, -1}, 0.1, 0.5);
            }),
            "inverse_inertia: must be symmetric and positive definite");
  EXPECT_EQ(refusal([] { rigid_limit(Matrix2d::Identity(), {0, -1}, -0.1, 0.5); }), "mu: must be >= 0, got -0.1");
  EXPECT_EQ(refusal([] { rigid_limit(Matrix2d::Identity(), {0, -1}, 0.1, 0.0); }).substr(0, 18), "e: must be above 0");
}

}  // namespace
}  // namespace carom
