// Multi-point impact beyond the corner: wedges, dependent normals, boxes in space, continua, bad input.
#include <gtest/gtest.h>
#include <numbers>

#include "carom/core/error.hpp"
#include "carom/impact/multipoint.hpp"

#include "impact/multipoint_random.hpp"

namespace carom {
namespace {

using testing::corner, testing::landing_box, testing::planar_rows, testing::random_planar_multipoint;

/// Contacts of a planar body of unit mass and inertia.
MultipointProblem planar(std::initializer_list<Eigen::Matrix<double, 2, 3>> contacts, const Eigen::Vector3d& velocity,
                         double e, double mu) {
  MultipointProblem problem;
  problem.mass_matrix = Eigen::Matrix3d::Identity();
  problem.jacobian.resize(2 * static_cast<Eigen::Index>(contacts.size()), 3);
  Eigen::Index row = 0;
  for (const auto& rows : contacts) problem.jacobian.middleRows(row, 2) = rows, row += 2;
  problem.velocity = velocity;
  problem.restitution = {e};
  problem.static_friction = problem.dynamic_friction = mu;
  return problem;
}

TEST(MultipointContacts, SeparatingOnesAreRemoved) {
  MultipointProblem problem = corner(-4, -5, 0.5, 0.5, 0.25);  // leaves the wall
  for (const auto method : {multipoint_rodriguez, multipoint_lcp}) {
    const MultipointImpact impact = method(problem);
    EXPECT_EQ(impact.removed, std::vector{1});
    ASSERT_EQ(impact.solutions.size(), 1u);
    EXPECT_EQ(impact.solutions[0].impulses.col(1).norm(), 0.0);
    EXPECT_NEAR(impact.solutions[0].velocity[1], 2.5, 1e-14);
  }
  EXPECT_EQ(multipoint_rodriguez(problem).solutions[0].examined, 0);
  problem.examine = 1;
  EXPECT_TRUE(multipoint_rodriguez(problem).solutions.empty());
}

TEST(MultipointContacts, NoneLeftOrAllAtRestChangesNothing) {
  for (const auto method : {multipoint_rodriguez, multipoint_lcp}) {
    const MultipointImpact leaving = method(corner(-4, 5, 0.5, 0.5, 0.25));
    ASSERT_EQ(leaving.solutions.size(), 1u);
    EXPECT_EQ(leaving.solutions[0].velocity, Eigen::Vector3d(-4, 5, 0));
    EXPECT_FALSE(leaving.solutions[0].examined.has_value());
    EXPECT_EQ(leaving.solutions[0].impulses, Eigen::MatrixXd::Zero(2, 2));
    const MultipointImpact resting = method(corner(0, 0, 0.5, 0.5, 0.25));
    for (const MultipointSolution& s : resting.solutions) {
      EXPECT_EQ(s.velocity, Eigen::Vector3d::Zero());
      EXPECT_EQ(s.sticking, (std::vector{0, 1}));
    }
  }
}

// Two discs, each on a floor of its own: one problem of both, each contact with its friction, is two problems.
TEST(MultipointContacts, HaveFrictionOfTheirOwn) {
  const auto disc = [](double slip) {
    MultipointProblem problem;
    problem.dimension = 2;
    problem.mass_matrix = Eigen::Vector3d(1.0, 1.0, .4).asDiagonal();
    problem.jacobian = (Eigen::MatrixXd(2, 3) << 1, 0, 1, 0, 1, 0).finished();
    problem.velocity = Eigen::Vector3d(slip, -2.0, 0.0);
    problem.restitution = {.5};
    return problem;
  };
  MultipointProblem both;
  both.dimension = 2;
  both.mass_matrix = Eigen::MatrixXd::Zero(6, 6);
  both.jacobian = Eigen::MatrixXd::Zero(4, 6);
  both.velocity.resize(6);
  both.restitution = {.5, .5};
  both.frictions = {{.1, .05}, {.8, .6}};
  const MultipointProblem alone[] = {disc(3.0), disc(3.0)};
  for (int k = 0; k < 2; ++k) {
    both.mass_matrix.block(3 * k, 3 * k, 3, 3) = alone[k].mass_matrix;
    both.jacobian.block(2 * k, 3 * k, 2, 3) = alone[k].jacobian;
    both.velocity.segment(3 * k, 3) = alone[k].velocity;
  }
  for (const auto method : {multipoint_rodriguez, multipoint_lcp}) {
    const MultipointImpact together = method(both);
    ASSERT_EQ(together.solutions.size(), method == multipoint_lcp ? 1u : 2u);
    for (int k = 0; k < 2; ++k) {
      MultipointProblem one = alone[k];
      const StickSlipFriction& friction = both.frictions[static_cast<std::size_t>(k)];
      one.static_friction = friction.static_friction;
      one.dynamic_friction = friction.dynamic_friction;
      const Eigen::VectorXd expected = method(one).solutions.at(0).velocity;
      EXPECT_NEAR((together.solutions[0].velocity.segment(3 * k, 3) - expected).norm(), 0.0, 1e-12);
    }
  }
  both.frictions.pop_back();
  EXPECT_THROW(multipoint_lcp(both), InvalidInput);
}

// Between parallel walls any squeeze is free: friction falls to zero, but only as the squeeze grows for ever.
TEST(MultipointSplit, InfimumAtInfinity) {
  // Floor below the centre, ceiling above it, both touched; the floor alone is struck.
  const MultipointProblem problem =
      planar({planar_rows({0, -1}, 0.0), planar_rows({0, 1}, std::numbers::pi)}, {1, 0, 0.5}, 0.0, 0.1);
  const MultipointImpact impact = multipoint_rodriguez(problem);
  ASSERT_EQ(impact.solutions.size(), 2u);
  for (const MultipointSolution& s : impact.solutions) {
    ASSERT_TRUE(s.required_friction.has_value());
    EXPECT_NEAR(*s.required_friction, 0.0, 1e-10);
    EXPECT_FALSE(s.required_friction_attained);
    EXPECT_TRUE(s.coulomb_met);
    for (int i = 0; i < 2; ++i) EXPECT_LE(std::abs(s.best_split(0, i)), 1.001 * split_margin * s.best_split(1, i));
  }
}

// A second, separate body whose single contact needs a friction of 1 whatever the walls do.
TEST(MultipointSplit, InfimumAtInfinityIsLimitedByTheOtherContacts) {
  const MultipointProblem walls =
      planar({planar_rows({0, -1}, 0.0), planar_rows({0, 1}, std::numbers::pi)}, {1, 0, 0.5}, 0.0, 0.1);
  MultipointProblem problem = walls;
  problem.mass_matrix = Eigen::MatrixXd::Identity(5, 5);
  problem.jacobian = Eigen::MatrixXd::Zero(6, 5);
  problem.jacobian.topLeftCorner(4, 3) = walls.jacobian;
  problem.jacobian.bottomRightCorner(2, 2).setIdentity();
  problem.velocity.resize(5);
  problem.velocity << walls.velocity, 0.7, -1.0;  // sticking takes p = (-.7, 1): friction .7
  for (const MultipointSolution& s : multipoint_rodriguez(problem).solutions) {
    ASSERT_TRUE(s.required_friction.has_value());
    EXPECT_NEAR(*s.required_friction, 0.7, 1e-9);
    EXPECT_FALSE(s.coulomb_met);
  }
}

// Three contacts in a row on a flat floor: the third normal depends on the first two.
TEST(MultipointNormals, DependentNormals) {
  MultipointProblem problem = planar({planar_rows({-1, -0.5}, 0), planar_rows({1, -0.5}, 0), planar_rows({0, -0.5}, 0)},
                                     {0.3, -1, 0.1}, 0.5, 0.4);
  for (const MultipointSolution& s : multipoint_rodriguez(problem).solutions) {
    EXPECT_TRUE(s.violated.empty());
    EXPECT_NEAR(s.velocity[1], 0.5, 1e-14);
  }
  problem.restitution = {0.5, 0.5, 0.2};
  for (const MultipointSolution& s : multipoint_rodriguez(problem).solutions) {
    EXPECT_EQ(s.violated, std::vector{2});
    EXPECT_EQ(s.status, MultipointStatus::restitution_violated);
    EXPECT_NEAR(s.velocity[1], 0.5, 1e-14);  // the first two in contact order rule
  }
  for (const MultipointSolution& s : multipoint_lcp(problem).solutions) {
    const Eigen::VectorXd after = problem.jacobian * s.velocity, before = problem.jacobian * problem.velocity;
    for (int i = 0; i < 3; ++i)
      EXPECT_GE(after[2 * i + 1], -problem.restitution[std::size_t(i)] * before[2 * i + 1] - 1e-12);
  }
}

// A bar without thickness struck at one end while the other end rests: holding the resting end takes a pull that no
// slip can change.
TEST(MultipointNormals, APullThatNoSlipCanCureIsSaid) {
  MultipointProblem problem = planar({planar_rows({-1, 0}, 0), planar_rows({1, 0}, 0)}, {0, -1, 1}, 0.5, 0.4);
  problem.mass_matrix(2, 2) = 2.0;  // I > m a^2: the far end would rise too
  const MultipointImpact impact = multipoint_rodriguez(problem);
  ASSERT_EQ(impact.solutions.size(), 2u);
  EXPECT_TRUE(impact.solutions[0].examined_normal_ok);
  EXPECT_FALSE(impact.solutions[0].other_normals_ok);
  EXPECT_FALSE(impact.solutions[1].examined_normal_ok);
  for (const MultipointSolution& s : impact.solutions) {
    EXPECT_FALSE(s.required_friction.has_value());
    EXPECT_FALSE(s.coulomb_met);
  }
  const MultipointImpact lcp = multipoint_lcp(problem);  // lets the far end rise
  ASSERT_EQ(lcp.solutions.size(), 1u);
  EXPECT_EQ(lcp.solutions[0].impulses(1, 1), 0.0);
  EXPECT_GT((problem.jacobian * lcp.solutions[0].velocity)[3], 0.0);
}

// The falling rod of Wang and Mason 1992 at its critical friction 5/3: sliding without approach, any impulse along the
// friction ray leaves v_n = 0, so every velocity between the initial one and rest solves the problem.
TEST(MultipointModes, AContinuumIsSaid) {
  MultipointProblem problem;
  problem.mass_matrix = (Eigen::Matrix2d() << 2.5, 1.5, 1.5, 2.5).finished() / 4.0;  // W = [[2.5, -1.5], [-1.5, 2.5]]
  problem.jacobian = Eigen::Matrix2d::Identity();
  problem.velocity = Eigen::Vector2d(-0.2, 0.0);
  problem.restitution = {0.5};
  problem.static_friction = problem.dynamic_friction = 5.0 / 3.0;
  const MultipointImpact impact = multipoint_lcp(problem);
  ASSERT_EQ(impact.solutions.size(), 2u);
  EXPECT_EQ(impact.solutions[0].status, MultipointStatus::continuum);
  EXPECT_NEAR(impact.solutions[0].velocity[0], -0.2, 1e-10);
  EXPECT_NEAR(impact.solutions[1].velocity[0], 0.0, 1e-12);  // its other end
  problem.static_friction = problem.dynamic_friction = 1.6;
  const MultipointImpact below = multipoint_lcp(problem);
  ASSERT_EQ(below.solutions.size(), 1u);
  EXPECT_EQ(below.solutions[0].status, MultipointStatus::slip);
}

// A box landing flat on four corners: by symmetry the impulses are equal quarters, v_z+ = -e v_z.
TEST(MultipointBox, LandsFlat) {
  const MultipointImpact impact = multipoint_lcp(landing_box({1, 0.7, 0.4}, {0, 0, -2}, 0.5, 0.3));
  EXPECT_FALSE(impact.exhaustive);
  ASSERT_EQ(impact.solutions.size(), 1u);
  const MultipointSolution& s = impact.solutions[0];
  EXPECT_NEAR(s.velocity[2], 1.0, 1e-12);
  EXPECT_EQ(s.sticking, (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(s.status, MultipointStatus::stick);
  EXPECT_NEAR(s.required_friction.value(), 0.0, 1e-10);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(s.impulses(2, i), 0.75, 1e-11);
    EXPECT_NEAR(s.impulses.col(i).head(2).norm(), 0.0, 1e-11);
  }
}

// A low box that slides while landing: total p_t = -mu p_n against the slip, in a direction that is not an axis.
TEST(MultipointBox, LandsSliding) {
  const double mu = 0.2, e = 0.5;
  const MultipointProblem problem = landing_box({1, 0.7, 0.05}, {3, 4, -2}, e, mu);
  const MultipointImpact impact = multipoint_lcp(problem);
  ASSERT_EQ(impact.solutions.size(), 1u);
  const MultipointSolution& s = impact.solutions[0];
  // All four normals rebound at e v, so the box does not turn: p_n = (1 + e) v_z, dv = -mu p_n (0.6, 0.8).
  EXPECT_NEAR(s.velocity[0], 3 - mu * 3 * 0.6, 1e-11);
  EXPECT_NEAR(s.velocity[1], 4 - mu * 3 * 0.8, 1e-11);
  EXPECT_NEAR(s.velocity[2], 1.0, 1e-11);
  EXPECT_NEAR(s.velocity.tail(3).norm(), 0.0, 1e-11);
  EXPECT_EQ(s.status, MultipointStatus::slip);
  EXPECT_LE(
      (problem.mass_matrix * (s.velocity - problem.velocity) - problem.jacobian.transpose() * s.impulses.reshaped())
          .norm(),
      1e-11);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(s.impulses.col(i).head(2).norm(), mu * s.impulses(2, i), 1e-10);
  EXPECT_NEAR(s.required_friction.value(), mu, 1e-6);
  // Rodriguez holds it: no slip, at the price of the friction .5 v_t / ((1 + e) v_z) = 5/3 over all contacts together.
  const MultipointImpact held = multipoint_rodriguez(problem);
  ASSERT_EQ(held.solutions.size(), 4u);
  for (const MultipointSolution& r : held.solutions) {
    EXPECT_NEAR(r.velocity.head(2).norm(), 0.0, 1e-11);
    EXPECT_EQ(r.sticking.size(), 4u);
    EXPECT_FALSE(r.coulomb_met);
    EXPECT_NEAR(r.required_friction.value(), 5.0 / 3.0, 1e-6);
  }
}

// A planar problem embedded in space has the planar solution.
TEST(MultipointBox, ThePlaneInSpace) {
  std::mt19937_64 rng(21);
  int compared = 0;
  for (int i = 0; i < 60; ++i) {
    MultipointProblem flat = random_planar_multipoint(rng, 2);
    flat.static_friction = flat.dynamic_friction;
    MultipointProblem space = flat;
    space.dimension = 3;
    space.mass_matrix = Eigen::Matrix4d::Identity();
    space.mass_matrix.topLeftCorner(3, 3) = flat.mass_matrix;
    space.jacobian = Eigen::MatrixXd::Zero(6, 4);
    for (int c = 0; c < 2; ++c) {
      space.jacobian.block(3 * c, 0, 1, 3) = flat.jacobian.row(2 * c);
      space.jacobian(3 * c + 1, 3) = 1.0;
      space.jacobian.block(3 * c + 2, 0, 1, 3) = flat.jacobian.row(2 * c + 1);
    }
    space.velocity.resize(4);
    space.velocity << flat.velocity, 0.0;
    const MultipointImpact known = multipoint_lcp(flat);
    for (const MultipointSolution& s : multipoint_lcp(space).solutions) {
      double nearest = INFINITY;
      for (const MultipointSolution& k : known.solutions)
        nearest = std::min(nearest, (k.velocity - s.velocity.head(3)).norm());
      EXPECT_LE(nearest, 1e-8) << i;
      ++compared;
    }
  }
  EXPECT_GT(compared, 40);
}

TEST(MultipointMany, BeyondTheEnumerationTheAnswerIsNotExhaustive) {
  MultipointProblem problem;
  problem.mass_matrix = Eigen::Matrix3d::Identity();
  const int contacts = max_enumerated_contacts + 1;
  problem.jacobian.resize(2 * contacts, 3);
  for (int i = 0; i < contacts; ++i) problem.jacobian.middleRows(2 * i, 2) = planar_rows({i - 4.0, -0.1}, 0.0);
  problem.velocity = Eigen::Vector3d(5, -1, 0);
  problem.restitution = {0.5};
  problem.static_friction = problem.dynamic_friction = 0.3;
  const MultipointImpact impact = multipoint_lcp(problem);
  EXPECT_FALSE(impact.exhaustive);
  ASSERT_EQ(impact.solutions.size(), 1u);  // slides flat: dv_x = -mu (1 + e) v
  EXPECT_LE((impact.solutions[0].velocity - Eigen::Vector3d(5 - 0.45, 0.5, 0)).norm(), 1e-10);
}

void expect_refused(const MultipointProblem& problem, const std::string& text) {
  for (const auto method : {multipoint_rodriguez, multipoint_lcp}) {
    try {
      method(problem);
      ADD_FAILURE() << "accepted; expected " << text;
    } catch (const InvalidInput& error) {
      EXPECT_EQ(error.what(), text);
    }
  }
}

TEST(MultipointInput, BadInputIsNamed) {
  const MultipointProblem good = corner(4, -5, 0.5, 0.5, 0.25);
  const auto with = [&good](auto change) {
    MultipointProblem bad = good;
    change(bad);
    return bad;
  };
  expect_refused(with([](auto& p) { p.dimension = 4; }), "dimension: must be 2 or 3, got 4");
  expect_refused(with([](auto& p) { p.dimension = 3; }), "jacobian: must have 3 rows per contact, got 4 rows");
  expect_refused(with([](auto& p) { p.jacobian.resize(0, 3); }), "jacobian: must have 2 rows per contact, got 0 rows");
  expect_refused(with([](auto& p) { p.jacobian(0, 0) = NAN; }), "jacobian: must be finite");
  expect_refused(with([](auto& p) { p.jacobian = Eigen::MatrixXd::Zero(4, 2); }), "jacobian: must be 4 x 3, got 4 x 2");
  expect_refused(with([](auto& p) { p.mass_matrix(2, 2) = 0; }), "mass_matrix: must be positive definite");
  expect_refused(with([](auto& p) { p.mass_matrix(0, 1) = 0.5; }),
                 "mass_matrix: must be symmetric, got 0.5 and 0 across the diagonal");
  expect_refused(with([](auto& p) { p.velocity.resize(2); }), "velocity: must have length 3, got 2");
  expect_refused(with([](auto& p) { p.restitution = {}; }),
                 "restitution: must be one number or one per contact (2), got 0");
  expect_refused(with([](auto& p) { p.restitution = {1.5}; }), "restitution: must be in [0, 1], got 1.5");
  expect_refused(with([](auto& p) { p.restitution = {0.5, -0.1}; }), "restitution[1]: must be in [0, 1], got -0.1");
  expect_refused(with([](auto& p) { p.static_friction = -1; }), "static_friction: must be >= 0, got -1");
  expect_refused(with([](auto& p) { p.dynamic_friction = -1; }), "dynamic_friction: must be >= 0, got -1");
  expect_refused(with([](auto& p) { p.dynamic_friction = 0.6; }),
                 "dynamic_friction: must be <= the static friction (0.5), got 0.6");
  expect_refused(with([](auto& p) { p.examine = 2; }), "examine: must be a contact index, 0 to 1, got 2");
  expect_refused(with([](auto& p) { p.examine = -1; }), "examine: must be a contact index, 0 to 1, got -1");
}

// Work that grows as the cube of the rows of J is refused before any of it is done: thousands of contacts at once.
TEST(MultipointInput, TooLarge) {
  const auto at_rest = [](Eigen::Index contacts, int dimension) {
    MultipointProblem problem;
    problem.mass_matrix = Eigen::Matrix3d::Identity();
    problem.jacobian = Eigen::MatrixXd::Zero(contacts * dimension, 3);
    problem.velocity = Eigen::Vector3d::Zero();
    problem.dimension = dimension;
    problem.restitution = {0.5};
    return problem;
  };
  const auto refusal = [](const auto& method, const MultipointProblem& problem) -> std::string {
    try {
      method(problem);
      return "";
    } catch (const InvalidInput& error) {
      return error.what();
    }
  };
  const auto springs = [](const MultipointProblem& problem) { return multipoint_compliant(problem, {}); };
  const std::string most = "jacobian: has too many contacts: the most is ";
  for (const auto& [dimension, each, one] : {std::tuple{2, 33, 107}, {3, 24, 71}}) {
    const std::string all = most + std::to_string(one) + ", got ";
    EXPECT_EQ(refusal(multipoint_rodriguez, at_rest(each, dimension)), "");
    EXPECT_EQ(refusal(multipoint_rodriguez, at_rest(each + 1, dimension)),
              most + std::to_string(each) + ", unless one is named to be examined, got " + std::to_string(each + 1));
    MultipointProblem examined = at_rest(one, dimension);
    examined.examine = 0;
    EXPECT_EQ(refusal(multipoint_rodriguez, examined), "");
    EXPECT_EQ(refusal(multipoint_lcp, at_rest(one, dimension)), "");
    EXPECT_EQ(refusal(multipoint_lcp, at_rest(one + 1, dimension)), all + std::to_string(one + 1));
    EXPECT_EQ(refusal(springs, at_rest(one, dimension)), "");
    EXPECT_EQ(refusal(springs, at_rest(5000, dimension)), all + "5000");
  }
  MultipointProblem wide = at_rest(1, 2);
  wide.mass_matrix = Eigen::MatrixXd::Zero(1001, 1001);  // not even positive definite: not looked at
  EXPECT_EQ(refusal(multipoint_lcp, wide), "mass_matrix: must have at most 1000 rows, got 1001");
}

}  // namespace
}  // namespace carom
