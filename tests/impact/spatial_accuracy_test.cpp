// Accuracy: the library against an independent computation in quadruple precision (spatial_reference.hpp).
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <vector>

#include "impact/spatial_cases.hpp"
#include "impact/spatial_reference.hpp"

namespace carom::testing {
namespace {

/// The promise of the header.
constexpr double promised = 1e-11;

void compare(std::uint64_t seed, int trials, std::map<SpatialCase, int>& seen) {
  SpatialCases cases(seed);
  for (int i = 0; i < trials; ++i) {
    SpatialProblem p = cases.next();
    // the explicit integrator of the reference would need millions of steps beyond
    p.material.friction = std::min(p.material.friction, 50.0);
    const auto r = spatial_outcome(p);
    const auto reference = SpatialReference(p).run();
    ++seen[r.process];
    ASSERT_EQ(r.verdict == Verdict::separated, reference.separated);
    ASSERT_EQ(r.flags.has(Flag::recompression), reference.recompression) << "case " << i;
    ASSERT_LE((r.impulse - reference.impulse).norm(), promised * reference.impulse.norm())
        << "case " << i << ' ' << name(r.process) << ", event slope 1/" << static_cast<double>(reference.sensitivity);
    ASSERT_LE((r.velocity_after - reference.velocity_after).norm(),
              promised * (p.space.velocity.norm() + reference.velocity_after.norm()))
        << "case " << i;
  }
}

/// One by one and in a batch.
void expect_promised(const std::vector<SpatialProblem>& problems) {
  std::vector<SpatialOutcome> batch(problems.size());
  spatial_outcomes(problems, batch);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const auto reference = SpatialReference(problems[i]).run();
    const double allowed = promised * reference.impulse.norm();
    EXPECT_LE((spatial_outcome(problems[i]).impulse - reference.impulse).norm(), allowed) << i;
    EXPECT_LE((batch[i].impulse - reference.impulse).norm(), allowed) << i;
  }
}

TEST(SpatialAccuracy, AgreesWithQuadruplePrecision) {
  std::map<SpatialCase, int> seen;
  compare(51, 120, seen);
  for (const auto which :
       {SpatialCase::curved_slip, SpatialCase::slip_ends_in_compression, SpatialCase::slip_ends_in_restitution,
        SpatialCase::straight_ends_in_compression, SpatialCase::straight_slip})
    EXPECT_GT(seen[which], 0) << name(which);
}

// Energetic restitution finds the work from the balance of energy while mu^2 tr B <= 256 w, and as a product of series
// beyond: both sides of the limit, one by one and in a batch.
TEST(SpatialAccuracy, WorkKeepsItsDigitsOnBothSidesOfTheLimit) {
  SpatialCases cases(53);
  std::vector<SpatialProblem> problems;
  const double shares[] = {0.25, 0.999, 1.001, 4.0};
  while (problems.size() < 60) {
    SpatialProblem p = cases.next();
    const Eigen::Matrix3d& w = p.space.inverse_inertia;
    p.law = RestitutionLaw::energetic;
    p.material.friction = std::sqrt(256.0 * shares[problems.size() % 4] * w(2, 2) / (w(0, 0) + w(1, 1)));
    if (p.material.friction <= 50.0) problems.push_back(p);  // beyond, the reference takes too long
  }
  expect_promised(problems);
}

// Slip that all but comes to rest, and then grows again so slowly that its direction, to the last digit, decides how
// fast: mu is just below what would hold the contact.
TEST(SpatialAccuracy, SlipThatGrowsAgainKeepsItsDigits) {
  const auto problem = [](const std::array<double, 6>& w, const Eigen::Vector3d& v, const Material& material,
                          RestitutionLaw law) {
    SpatialProblem p;
    p.space.inverse_inertia << w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5];
    p.space.velocity = v;
    p.material = material;
    p.law = law;
    return p;
  };
  const std::vector<SpatialProblem> problems{
      problem({13.595002439576078, 4.1816142482262499, 1.9971624179841245, 9.6668495784878878, -4.4161202652310667,
               11.30650639690522},
              {-0.01651334108089228, 0.040887470806757413, -1.0150412299002258},
              {0.68525504252182123, 0.7311152040722263}, RestitutionLaw::energetic),
      problem({0.64024882581407683, -0.32629380840477018, 0.057606167323760456, 0.69288734022883136,
               0.14044874076798475, 0.2940000776775607},
              {-0.41618842167510511, -0.42604428394485444, -0.70681750978087643},
              {0.40995323501764086, 0.41106943572155807}, RestitutionLaw::poisson),
      problem({11.392175735355167, -1.9242332562110918, -2.5233447064817698, 10.789993033617531, -4.0183966033260212,
               7.6041111947924778},
              {0.23774914499571009, 0.47613842017958385, -2.9980795211821953},
              {0.5160093504722999, 0.17840971650832257}, RestitutionLaw::newton)};
  expect_promised(problems);
}

TEST(SlowSpatialAccuracy, AgreesWithQuadruplePrecisionOverThousands) {
  std::map<SpatialCase, int> seen;
  compare(52, 10'000, seen);
  EXPECT_GT(seen[SpatialCase::straight_ends_in_restitution], 0);
}

}  // namespace
}  // namespace carom::testing
