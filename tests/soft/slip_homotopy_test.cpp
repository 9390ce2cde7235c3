// The thesis's way of finding where slipping vertices come to rest, all roots by homotopy, beside the contact solver.
#include "internal/soft/grasp/slip_homotopy.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numbers>
#include <tuple>

#include "carom/soft/solids.hpp"

#include "core/random.hpp"

namespace {

using namespace carom;
using namespace carom::soft;
using carom::testing::refusal;
using carom::testing::Rng;
using carom::testing::uniform;

TEST(SlipHomotopy, FindsAllRootsOfRandomQuadrics) {
  // As many roots as the product of the degrees (Bezout), each a root, whatever the seed.
  Rng rng(12);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const int n = 1 + repeat % 4;
    std::vector<Quadric> system;
    for (int i = 0; i < n; ++i) {
      Quadric q{Eigen::MatrixXd(n, n), Eigen::VectorXd(n), uniform(rng, -1, 1)};
      for (int a = 0; a < n; ++a) {
        q.linear[a] = uniform(rng, -1, 1);
        for (int b = 0; b < n; ++b) q.quadratic(a, b) = uniform(rng, -1, 1);
      }
      system.push_back(q);
    }
    const auto roots = all_roots(system, std::uint64_t(repeat)), again = all_roots(system, std::uint64_t(repeat) + 100);
    EXPECT_EQ(roots.size(), std::size_t(1) << n);
    EXPECT_EQ(again.size(), roots.size());
    for (const auto& x : roots) {
      for (const Quadric& q : system)
        EXPECT_LT(std::abs(x.cwiseProduct(q.quadratic * x + q.linear).sum() + q.constant),
                  1e-10 * (1.0 + x.squaredNorm()));
      EXPECT_TRUE(std::any_of(again.begin(), again.end(),
                              [&](const auto& y) { return (x - y).norm() < 1e-6 * (1.0 + x.norm()); }));
    }
  }
}

TEST(SlipHomotopy, RootsAtInfinityAreLeftOut) {
  // x y = 1, x + y = 2.5: two of four; x^2 = 1 and x^2 = 4 for y's sake none.
  const Quadric product{(Eigen::Matrix2d() << 0, 1, 0, 0).finished(), Eigen::Vector2d::Zero(), -1.0};
  const Quadric sum{Eigen::Matrix2d::Zero(), Eigen::Vector2d::Ones(), -2.5};
  const auto roots = all_roots({product, sum}, 3);
  ASSERT_EQ(roots.size(), 2u);
  for (const auto& x : roots) EXPECT_NEAR(std::abs(x[0] * x[1] - 1.0), 0.0, 1e-12);
}

/// Parts of a squeeze, each as the contact solver solved it, with the anchors it began from.
std::vector<GraspState> parts_of_a_squeeze(SqueezeProblem& p, ContactSolver& solver) {
  std::vector<GraspState> parts;
  GraspState state;
  Compliance& body = solver.body();
  for (int i = 0; i < int(body.nodes().size()); ++i)
    if (body.at(i)[2] < 1e-12)
      state.touches.push_back({i, Obstacle::table, TouchState::stick, {0, 0, 0}, {0, 0, 0}, 0.0});
  for (std::size_t i = 0; i < 2; ++i) state.drive.fingers[i] = p.fingers[i].start;
  solver.anchor(state);
  std::vector<SolverEvent> events;
  double reached = 0.0;
  Drive to = state.drive;
  to.gravity = 1.0;
  EXPECT_TRUE(solver.advance(state, to, events, reached, TouchState::stick));
  solver.fingers_present = true;
  solver.on_part = [&](const GraspState&, const GraspState& after) {
    parts.push_back(after);
    std::erase_if(parts.back().touches, [](const Touch& t) { return t.state == TouchState::free; });
  };
  for (int k = 0; k < 40; ++k) {
    for (std::size_t i = 0; i < 2; ++i) to.fingers[i] += 1e-4 * p.fingers[i].direction;
    if (!solver.advance(state, to, events, reached)) break;  // the body slips out of the fingers
  }
  solver.on_part = nullptr;
  return parts;
}

/// A tomato's stand-in between fingers that sink a little as they close: its vertices slip here and there.
SqueezeProblem slippery(double size, double table, double finger) {
  SqueezeProblem p;
  const Eigen::Vector3d half(0.035, 0.035, 0.030);
  p.body.mesh = round_mesh({half}, size * std::cbrt(half.prod()));
  p.body.young = 1e5;
  p.body.poisson = 0.4;
  p.body.density = 1.246 / 9.8 / volume(p.body.mesh);
  p.body.gravity = {0, 0, -9.8};
  p.fingers[0] = {0.015, {-0.0501, 0.004, 0.034}, {1, 0, -0.05}};
  p.fingers[1] = {0.015, {0.0501, 0.002, 0.032}, {-1, 0, -0.1}};
  p.table_friction = table;
  p.finger_friction = finger;
  return p;
}

/// Whether the touches that do not slip stay within their cones, too. The equations of those that slip know nothing of
/// them.
bool sticks(ContactSolver& solver, const GraspState& state, const SlipRoot& root) {
  for (std::size_t i = 0; i < state.touches.size(); ++i) {
    const Touch& touch = state.touches[i];
    if (touch.state != TouchState::stick) continue;
    const ObstacleShape obstacle = solver.shape(touch.obstacle, state.drive);
    const Eigen::Vector3d n = gap_at(obstacle, touch.anchor + obstacle.centre).normal, f = root.forces[i];
    const double fn = f.dot(n), slack = 1e-8 * solver.body().weight();
    if (fn < -slack || (f - fn * n).norm() > obstacle.friction * fn + slack) return false;
  }
  return true;
}

/// How many states of squeezes were compared, by how many vertices slip on fingers and on the table.
struct Compared {
  std::map<std::pair<std::size_t, std::size_t>, int> implicit;
  int prescribed = 0;
  double differing = 0.0;  ///< of the two directions, as a share of the weight
};

/// @param most_paths  states that ask for more are left out
/// @param most_alike  of states alike: so many are enough
Compared compare(const std::vector<std::tuple<double, double, double>>& squeezes, int most_paths, int most_alike) {
  Compared result;
  for (const auto& [size, table_friction, finger_friction] : squeezes) {
    SqueezeProblem p = slippery(size, table_friction, finger_friction);
    Compliance body(p.body, 0);
    ContactSolver solver(body, p);
    for (const GraspState& part : parts_of_a_squeeze(p, solver)) {
      std::size_t table = 0, fingers = 0;
      for (const Touch& touch : part.touches)
        if (touch.state == TouchState::slip) ++(touch.obstacle == Obstacle::table ? table : fingers);
      if (table + fingers == 0 || table + fingers > most_slipping) continue;
      // Along prescribed directions: one physical root, which Newton from where nothing has slipped finds too.
      const auto along = slip_roots(solver, part, SlipDirection::prescribed, 1);
      if (along.size() == 1) {
        const SlipRoot newton = slip_by_newton(solver, part, SlipDirection::prescribed);
        for (std::size_t i = 0; i < part.touches.size(); ++i)
          EXPECT_LT((along[0].forces[i] - newton.forces[i]).norm(), 1e-8 * body.weight());
        ++result.prescribed;
      }
      // Against friction as it is in the end, as the contact solver has it: one root, the same.
      if (fingers > most_slipping_on_fingers || std::pow(16, fingers) * std::pow(4, table) > most_paths) continue;
      if (result.implicit[{fingers, table}] == most_alike) continue;
      auto roots = slip_roots(solver, part, SlipDirection::implicit, 7);
      std::erase_if(roots, [&](const SlipRoot& root) { return !sticks(solver, part, root); });
      EXPECT_EQ(roots.size(), 1u) << fingers << " on fingers, " << table << " on the table";
      if (roots.size() != 1) continue;
      for (std::size_t i = 0; i < part.touches.size(); ++i) {
        EXPECT_LT((roots[0].forces[i] - part.touches[i].force).norm(), 1e-8 * body.weight())
            << fingers << " on fingers, " << table << " on the table";
        if (along.size() == 1)
          result.differing =
              std::max(result.differing, (roots[0].forces[i] - along[0].forces[i]).norm() / body.weight());
      }
      ++result.implicit[{fingers, table}];
    }
  }
  return result;
}

TEST(SlipHomotopy, AgreesWithTheContactSolver) {
  const Compared r = compare({{0.3, 0.2, 0.5}, {0.17, 0.2, 0.5}}, 64, 4);
  // One to three on the table, one on a finger, one on each.
  const std::map<std::pair<std::size_t, std::size_t>, int> all = {
      {{0, 1}, 4}, {{0, 2}, 4}, {{0, 3}, 4}, {{1, 0}, 4}, {{1, 1}, 4}};
  EXPECT_EQ(r.implicit, all);
  EXPECT_GT(r.prescribed, 10);
  EXPECT_LT(r.differing, 0.1);  // the directions are nearly the same
}

TEST(SlowSlipHomotopy, AgreesWithTheContactSolverForUpToFourSlippingVertices) {
  const Compared r = compare({{0.25, 0.02, 0.4}, {0.25, 0.1, 0.15}, {0.125, 0.1, 0.4}}, 1024, 1);
  // On fingers and on the table: all mixtures but those of more paths.
  for (const std::pair<std::size_t, std::size_t> kind :
       {std::pair(0, 1), {0, 3}, {0, 4}, {1, 0}, {1, 1}, {1, 2}, {1, 3}, {2, 0}, {2, 1}})
    EXPECT_TRUE(r.implicit.contains(kind)) << kind.first << ' ' << kind.second;
  EXPECT_GT(r.prescribed, 50);
  EXPECT_LT(r.differing, 0.1);
}

TEST(SlipHomotopy, Refusals) {
  SqueezeProblem p;
  p.body.mesh = box_mesh({0.1, 0.1, 0.1}, 0.05);
  p.body.young = 1e5;
  p.body.density = 1e3;
  p.body.gravity = {0, 0, -9.8};
  p.fingers[0] = p.fingers[1] = {0.01, {1, 0, 0}, {1, 0, 0}};
  Compliance body(p.body, 0);
  ContactSolver solver(body, p);
  GraspState state;
  for (int i = 0; i < 5; ++i)
    state.touches.push_back({i, Obstacle::table, TouchState::slip, {0, 0, 0}, body.at(i), 0.0});
  EXPECT_EQ(refusal([&] { slip_roots(solver, state, SlipDirection::implicit, 1); }),
            "state: must have at most 4 slipping vertices, got 5");
}

}  // namespace
