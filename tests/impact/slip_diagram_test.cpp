// The diagrams of Rodriguez 2010, Figures 5.1, 5.4, 5.7 and 5.10, for the ball in the corner. Expected numbers: an
// evaluation of eq. 4.9 along v_t, independent of this code; m = 1, R = .5, I = .125 (disc), e = .5.
#include "carom/impact/slip_diagram.hpp"

#include <gtest/gtest.h>
#include <numbers>
#include <random>

#include "carom/core/error.hpp"

namespace carom {
namespace {

MultipointProblem ball_in_corner(double right, double down, double inertia = 0.125, double e = 0.5, double spin = 0.0) {
  MultipointProblem p;
  p.mass_matrix = Eigen::Vector3d(1, 1, inertia).asDiagonal();
  p.jacobian.resize(4, 3);
  p.jacobian << 1, 0, 0.5, 0, 1, 0, 0, 1, 0.5, -1, 0, 0;
  p.velocity = Eigen::Vector3d(right, -down, spin);
  p.restitution = {e};
  p.static_friction = 0.5;
  p.dynamic_friction = 0.25;
  return p;
}

struct Figure {
  const char* name;
  double right, down;
  int contact;  // 0 floor, 1 wall
  double mu_f, normal_zero, tangential_zero;
  int pulling_side;
  bool can_stick;
};

TEST(SlipDiagram, FiguresOfTheThesis) {
  const Figure figures[] = {
      {"5.1", 4.0, 9.396275858019495, 1, 19.426209730472753, 0.7925517160389894, -15.396275858019521, -1, false},
      {"5.4", 8.0, 4.4294469180700204, 0, 3.723872581183968, 3.9325111313151027, 14.64417037710503, 1, true},
      {"5.7", 4.0, 4.4294469180700204, 1, 1.140939261738761, -9.141106163859973, -10.429446918070019, -1, true},
      {"5.10", 4.0, 4.4294469180700204, 0, 0.8920310452651492, 11.932511131315115, 10.64417037710503, 1, true}};
  for (const Figure& f : figures) {
    const std::vector<SlipDiagram> all = slip_diagrams(ball_in_corner(f.right, f.down));
    ASSERT_EQ(all.size(), 2U);
    const SlipDiagram& d = all[static_cast<std::size_t>(f.contact)];
    EXPECT_EQ(d.contact, f.contact);
    EXPECT_NEAR(*d.stick_friction, f.mu_f, 1e-11 * f.mu_f) << f.name;
    EXPECT_NEAR(*d.normal_zero, f.normal_zero, 1e-12) << f.name;
    EXPECT_NEAR(*d.tangential_zero, f.tangential_zero, 1e-12) << f.name;
    EXPECT_EQ(d.pulling_side, f.pulling_side) << f.name;
    EXPECT_EQ(d.can_stick, f.can_stick) << f.name;
  }
  // "The no-slip condition was used to check for slip" (sections 5.1, 5.2): with the examined contact at rest both need
  // more than mu_s = .5.
  const auto needed = [](const SlipDiagram& d, int contact) {
    return std::abs(d.all_impulses(0, contact) / d.all_impulses(1, contact));
  };
  const SlipDiagram steep = slip_diagrams(ball_in_corner(4, 9.396275858019495))[1];
  EXPECT_NEAR(needed(steep, 0), 0.604971139222484, 1e-12);
  EXPECT_NEAR(needed(steep, 1), 19.426209730472753, 1e-10);
  const SlipDiagram flat = slip_diagrams(ball_in_corner(8, 4.4294469180700204))[0];
  EXPECT_NEAR(needed(flat, 0), 3.723872581183968, 1e-12);
  EXPECT_NEAR(needed(flat, 1), 0.6788669516875813, 1e-12);
  // |p_n| without slip at the wall in case 1 and 3, at the floor in case 2 (sections 5.1 to 5.3).
  EXPECT_NEAR(slip_diagrams(ball_in_corner(4, 9.396275858019495))[1].impulse[1], -0.19813792900974736, 1e-13);
  EXPECT_NEAR(slip_diagrams(ball_in_corner(4, 4.4294469180700204))[1].impulse[1], 2.2852765409649893, 1e-13);
  EXPECT_NEAR(slip_diagrams(ball_in_corner(8, 4.4294469180700204))[0].impulse[1], 0.9831277828287739, 1e-13);
}

// The answer of multipoint_rodriguez lies on the diagram: at v_t = 0, or where p_n = 0.
TEST(SlipDiagram, HoldsTheAnswer) {
  std::mt19937_64 rng(50);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  int boundary = 0;
  for (int i = 0; i < 500; ++i) {
    const MultipointProblem p = ball_in_corner(0.1 + 9 * unit(rng), 0.1 + 9 * unit(rng), 0.05 + 0.2 * unit(rng),
                                               unit(rng), 20 * (unit(rng) - 0.5));
    const auto diagrams = slip_diagrams(p);
    const auto solutions = multipoint_rodriguez(p).solutions;
    ASSERT_EQ(diagrams.size(), solutions.size());
    for (std::size_t k = 0; k < diagrams.size(); ++k) {
      const SlipDiagram& d = diagrams[k];
      const MultipointSolution& s = solutions[k];
      const double slip = p.jacobian.row(2 * d.contact) * s.velocity;
      EXPECT_EQ(d.can_stick, s.status == MultipointStatus::stick);
      if (!d.can_stick) ++boundary;
      EXPECT_NEAR(slip, d.can_stick ? 0.0 : *d.normal_zero, 1e-8);
      EXPECT_LT((d.at(slip) - s.impulses.col(d.contact)).norm(), 1e-8);
    }
  }
  EXPECT_GT(boundary, 50);
}

// 66.0375... degrees for a disc and 67.11 for a sphere at e = .5; the diagram agrees on both sides, for any inertia.
TEST(SlipDiagram, SteepestAngleAtWhichTheWallCanStick) {
  constexpr double degree = std::numbers::pi / 180.0;
  EXPECT_NEAR(steepest_wall_stick(0.5, 0.5) / degree, 66.03751102542182, 1e-12);
  EXPECT_NEAR(steepest_wall_stick(0.5, 0.4) / degree, 67.11, 5e-3);
  std::mt19937_64 rng(51);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (int i = 0; i < 300; ++i) {
    const double e = unit(rng), kappa = 0.05 + 0.9 * unit(rng), steepest = steepest_wall_stick(e, kappa);
    for (const double off : {-1e-6, 1e-6}) {
      const double wall = steepest + off, floor = 0.5 * std::numbers::pi - steepest + off;
      EXPECT_EQ(slip_diagrams(ball_in_corner(std::cos(wall), std::sin(wall), 0.25 * kappa, e))[1].can_stick, off < 0);
      EXPECT_EQ(slip_diagrams(ball_in_corner(std::cos(floor), std::sin(floor), 0.25 * kappa, e))[0].can_stick, off > 0);
    }
  }
}

// rodriguez.eq4.22.karnopp: .5 at rest, .25019762258078 at 1 mm/s, .3419698602928606 at v_s.
TEST(SlipDiagram, FrictionThatFallsWithSlip) {
  const StribeckFriction friction{.static_friction = 0.5, .least = 0.25};
  EXPECT_EQ(stribeck_friction(friction, 0.0), 0.5);
  EXPECT_NEAR(stribeck_friction(friction, 1e-3), 0.25019762258078, 1e-14);
  EXPECT_NEAR(stribeck_friction(friction, -1.4e-4), 0.3419698602928606, 1e-15);
  EXPECT_THROW(stribeck_friction({.static_friction = 0.2, .least = 0.3}, 0), InvalidInput);
}

// The number of solutions over the angle (speed 5, mu_s = .5, mu_d = .25), every half degree: one up to 28.5, two from
// 29, three from 36 to 54, two up to 61, then one.
TEST(SlipDiagram, NumberOfComplementaritySolutionsOverTheAngle) {
  for (int half = 10; half <= 170; ++half) {
    const double angle = 0.5 * half * std::numbers::pi / 180.0;
    const std::size_t expected = half <= 57 || half >= 123 ? 1 : half >= 72 && half <= 108 ? 3 : 2;
    EXPECT_EQ(multipoint_lcp(ball_in_corner(5 * std::cos(angle), 5 * std::sin(angle))).solutions.size(), expected)
        << 0.5 * half;
  }
}

TEST(SlipDiagram, RefusesWhatHasNone) {
  MultipointProblem space = ball_in_corner(1, 1);
  space.dimension = 3;
  EXPECT_THROW(slip_diagrams(space), InvalidInput);
  MultipointProblem tip = ball_in_corner(1, 1);  // floor only: its slip is open, and so is nothing else
  tip.jacobian = Eigen::MatrixXd(tip.jacobian.topRows(2));
  EXPECT_EQ(slip_diagrams(tip).size(), 1U);
  EXPECT_TRUE(slip_diagrams(ball_in_corner(-1, -1)).empty());  // leaves the corner
}

}  // namespace
}  // namespace carom
