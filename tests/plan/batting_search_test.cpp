// The bounding triangle, moving the bat, and how sure a plan is.
#include <gtest/gtest.h>

#include "carom/core/error.hpp"
#include "carom/plan/batting_certainty.hpp"
#include "carom/plan/batting_moves.hpp"
#include "carom/plan/batting_triangle.hpp"

#include "plan/batting_cases.hpp"

namespace carom::testing {
namespace {

const std::array<Eigen::Vector3d, 3> text_start = {Eigen::Vector3d(-6.1782, 4.8004, -5.2990),
                                                   Eigen::Vector3d(-3.3301, 2.0125, -4.2320),
                                                   Eigen::Vector3d(-5.0622, 1.0023, -5.2320)};

TEST(BoundingTriangle, StartTriangleOfTheTextDoesNotHoldTheTarget) {
  const double expected[3][2] = {{.674952, 2.029887}, {.104788, -2.42681}, {.11403, .523931}};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto at = triangle_projection(printed_problem(), text_start[i]);
    ASSERT_TRUE(at);
    EXPECT_NEAR((*at)[0], expected[i][0], 2e-5);
    EXPECT_NEAR((*at)[1], expected[i][1], 2e-5);
  }
}

TEST(BoundingTriangle, PrintedAnswersMissByMoreThanPrinted) {
  const struct {
    Eigen::Vector3d velocity;
    double in_plane, closest;
  } rows[] = {{{-5.1451, .6370, -4.3476}, .2152, .1681}, {{-5.1405, .6475, -4.3463}, .2202, .1719}};
  for (const auto& row : rows) {
    EXPECT_NEAR(triangle_projection(printed_problem(), row.velocity)->norm(), row.in_plane, 1e-4);
    EXPECT_NEAR(batting_shot(printed_problem(), row.velocity).miss_distance, row.closest, 1e-4);
  }
}

TEST(BoundingTriangle, EndsWithinItsToleranceOrSaysSo) {
  for (const TriangleUpdate update : {TriangleUpdate::centroid, TriangleUpdate::midpoint}) {
    BattingCases cases(5);
    int found = 0, feasible = 0, wound = 0;
    for (int i = 0; i < 100; ++i) {
      const BattingProblem p = figure_problem(cases.window());
      TriangleSettings settings;
      settings.update = update;
      const TriangleRun run = bounding_triangle(p, settings);
      feasible += !feasible_times(p).empty();
      found += run.found;
      if (!run.found) continue;
      wound += run.winding != 0;
      EXPECT_LE(run.shot.miss_distance, settings.tolerance);
      EXPECT_EQ(run.history.size(), static_cast<std::size_t>(run.rounds) + 1);
      EXPECT_GE(run.impacts, 3 + run.rounds);
    }
    EXPECT_NEAR(found, 62, 12);  // 55 to 65 of 100 where 85 are feasible
    EXPECT_GT(feasible, found);
    EXPECT_GE(wound, found * 9 / 10);  // the hypothesis of section 4.4.4
  }
}

TEST(BoundingTriangle, WindingNumberCertifies) {
  // Around a known solution, in the plane of velocities whose projection moves most: a small triangle winds once, the
  // same triangle moved away does not.
  const BattingProblem p = figure_problem();
  const Eigen::Vector3d v = plan_batting(p, BattingObjective::min_bat_speed).shot.contact_velocity;
  const auto around = [&](const Eigen::Vector3d& centre) {
    std::array<Eigen::Vector3d, 3> corners;
    for (std::size_t i = 0; i < 3; ++i) {
      const double angle = 2.0 * std::numbers::pi * static_cast<double>(i) / 3.0;
      corners[i] = centre + 0.05 * (p.frame.col(0) * std::cos(angle) + p.frame.col(1) * std::sin(angle));
    }
    return winding_number(p, corners);
  };
  EXPECT_EQ(std::abs(around(v).value()), 1);
  EXPECT_EQ(around(v + 0.3 * p.frame.col(0)).value(), 0);
}

BattingScene figure_scene(const Eigen::Vector3d& target) {
  return {figure_object(), figure_bat(), figure_contact(), {.5, .95}, RestitutionLaw::energetic, target, 9.8};
}

TEST(MovingTheBat, TiltBringsTargetsIntoReach) {
  // Shares of 300 targets of the sheet: closed form 21.7 %, 95.7 % (5 deg), 100 % (10 deg); any plan 87 % and 100 %.
  struct {
    double degrees, closed, any;
  } const expected[] = {{0, .217, .87}, {5, .957, 1.0}, {10, 1.0, 1.0}};
  for (const auto& row : expected) {
    BattingCases cases(9);
    int closed = 0, any = 0;
    constexpr int targets = 300;
    for (int i = 0; i < targets; ++i) {
      const BattingScene scene = figure_scene(cases.window());
      BatMoves moves;
      moves.most_tilt = row.degrees * std::numbers::pi / 180;
      moves.object_points = figure_vertices;
      const BatSearch search = search_bat(scene, moves, BatSearchFor::closed_form);
      closed += search.plan.found;
      EXPECT_EQ(search.penetrating, 0);
      if (search.plan.found) {
        EXPECT_LE(search.pose.tilt.cwiseAbs().maxCoeff(), moves.most_tilt * (1 + 1e-12));
        EXPECT_LE(search.plan.shot.miss_distance, hit_tolerance);
        // Checked with the moved bat itself.
        const BattingProblem p =
            batting_problem(scene.object, search.pose.bat, search.pose.contact, {.5, .95}, scene.target);
        EXPECT_LE(batting_shot(p, search.plan.shot.contact_velocity).miss_distance, 1e-8);
      }
      any += search_bat(scene, moves, BatSearchFor::any).plan.found;
    }
    const double scatter = 3.0 * std::sqrt(.25 / targets);
    EXPECT_NEAR(static_cast<double>(closed) / targets, row.closed, row.closed < 1.0 ? scatter : 0.01);
    EXPECT_NEAR(static_cast<double>(any) / targets, row.any, row.any < 1.0 ? scatter : 0.01);
  }
}

TEST(MovingTheBat, PenetratesBeyond24Degrees) {
  const BattingScene scene = figure_scene({5, 0, 0});
  const auto worst = [&](double degrees) {
    int count = 0;
    for (int i = 0; i < 180; ++i) {
      const double a = i * std::numbers::pi / 90, tilt = degrees * std::numbers::pi / 180;
      count += penetrates(moved_bat(scene, tilt * Eigen::Vector2d(std::cos(a), std::sin(a)), {0, 0}), figure_vertices);
    }
    return count;
  };
  EXPECT_EQ(worst(23.5), 0);
  EXPECT_GT(worst(25.0), 0);
  BatMoves moves;
  moves.most_tilt = 0.6;
  moves.object_points = figure_vertices;
  EXPECT_GT(search_bat(scene, moves, BatSearchFor::best).penetrating, 0);
}

TEST(MovingTheBat, TheBestOfAllPosesIsNoWorseThanTheFirst) {
  const BattingScene scene = figure_scene({5, -.2, -2});
  const BattingPlan still = plan_batting(figure_problem(), BattingObjective::least_impulse);
  BatMoves moves;
  moves.most_tilt = 0.2;
  moves.tilts = 5;
  moves.most_shift = {.3, .3};
  moves.shifts = 3;
  moves.object_points = figure_vertices;
  const BatSearch search = search_bat(scene, moves, BatSearchFor::best);
  EXPECT_EQ(search.tried, 225);
  EXPECT_LE(search.plan.shot.impulse.norm(), still.shot.impulse.norm());
  // Shifted: the contact is the same point, the bat's centre has moved the other way over its face.
  const BatPose pose = moved_bat(scene, {0, 0}, {.2, 0});
  EXPECT_LE((pose.bat.position - scene.bat.position + .2 * contact_frame(scene.contact).col(0)).norm(), 1e-15);
}

// How sure?

/// Share of random hits inside the ellipse of a stated share, and their scatter.
struct Hits {
  double inside = 0.0, scatter = 0.0;
};
Hits monte_carlo(const BattingProblem& p, const BattingShot& shot, const BattingSpread& spread,
                 const BattingCertainty& certainty, double share) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> n;
  std::vector<SpatialProblem> problems(20000);
  std::vector<SpatialOutcome> outcomes(problems.size());
  for (SpatialProblem& q : problems) {
    q.space.inverse_inertia = p.inverse_inertia;
    q.space.velocity = p.frame.transpose() * shot.contact_velocity +
                       spread.contact_velocity * Eigen::Vector3d(n(random), n(random), n(random));
    q.material = {p.material.friction + spread.friction * n(random),
                  p.material.restitution + spread.restitution * n(random)};
    q.law = p.law;
  }
  spatial_outcomes(problems, outcomes);
  const Eigen::Vector2d minor(-certainty.major[1], certainty.major[0]);
  Hits out;
  for (const SpatialOutcome& one : outcomes) {
    const Eigen::Vector2d x = passes_at(p, certainty, p.frame * one.impulse);
    out.inside += std::hypot(x.dot(certainty.major) / certainty.semi_axes[0], x.dot(minor) / certainty.semi_axes[1]) <=
                  ellipse_factor(share);
    out.scatter += x.squaredNorm();
  }
  out.inside /= static_cast<double>(problems.size());
  out.scatter = std::sqrt(out.scatter / static_cast<double>(problems.size()));
  return out;
}

TEST(BattingCertainty, EllipseHoldsTheStatedShareOfHits) {
  for (const double share : {.5, .95}) {
    BattingCases cases(12);
    int compared = 0;
    for (int i = 0; i < 30; ++i) {
      BattingProblem p = figure_problem(cases.window());
      p.material.restitution = .6;  // well inside [0, 1], so that the scatter of e is not cut off
      const BattingPlan plan =
          plan_batting(p, i % 2 ? BattingObjective::min_bat_speed : BattingObjective::gentlest_arrival);
      if (!plan.found || plan.flags.has(BattingFlag::thin_margin)) continue;
      const BattingSpread spread{.002, .001, .001};  // small: where the ellipse is thin, its curvature would count
      const BattingCertainty certainty = batting_certainty(p, plan.shot, spread);
      if (certainty.order_changes) continue;
      const Hits hits = monte_carlo(p, plan.shot, spread, certainty, share);
      EXPECT_NEAR(hits.inside, share, .02) << i;
      EXPECT_NEAR(hits.scatter / scatter(certainty), 1.0, .05) << i;
      ++compared;
    }
    EXPECT_GE(compared, 12);
  }
}

TEST(BattingCertainty, ContactPointAddsItsPart) {
  // A bat that does not turn, and one that does: where it touches elsewhere its surface moves otherwise.
  const BattingProblem p = figure_problem();
  const BattingPlan plan = plan_batting(p, BattingObjective::min_bat_speed);
  const double sigma = 1e-3;
  const BattingSpread point_only{0, 0, 0, sigma};
  const Eigen::Vector3d needed = p.point_velocity - plan.shot.contact_velocity;
  const Eigen::Vector3d arm = figure_contact().point - figure_bat().position;
  for (const BatMotion& motion : {straight_swing(needed), least_swing(needed, arm, 0.02)}) {
    const BattingCertainty certainty = batting_certainty(p, plan.shot, point_only, motion);
    Body bat = figure_bat();
    bat.velocity = motion.velocity;
    bat.angular_velocity = motion.angular_velocity;
    std::mt19937_64 random(2);
    std::normal_distribution<double> n;
    Eigen::Matrix2d covariance = Eigen::Matrix2d::Zero();
    constexpr int samples = 20000;
    for (int i = 0; i < samples; ++i) {
      Contact contact = figure_contact();
      contact.point += sigma * (p.frame.col(0) * n(random) + p.frame.col(1) * n(random));
      const auto hit = collide(figure_object(), bat, contact, p.material, p.law);
      const Eigen::Vector2d x = passes_at(p, certainty, p.frame * hit.impact.impulse);
      covariance += x * x.transpose() / samples;
    }
    EXPECT_LE((covariance - certainty.covariance).norm(), .05 * certainty.covariance.norm());
  }
  EXPECT_THROW(batting_certainty(printed_problem(), plan.shot, {.1, .1, .1, -1.0}), InvalidInput);
  BattingProblem w_only = printed_problem();
  w_only.contact_shift.reset();
  EXPECT_THROW(batting_certainty(w_only, plan.shot, point_only), InvalidInput);
  EXPECT_THROW(plan_batting(w_only, BattingObjective::most_certain, 0, point_only), InvalidInput);
}

TEST(BattingCertainty, MostCertainScattersLeast) {
  const BattingProblem p = figure_problem({5, 1, 1});
  const BattingSpread spread{.05, .05, .0};
  const BattingPlan sure = plan_batting(p, BattingObjective::most_certain, 0, spread);
  ASSERT_TRUE(sure.found);
  const double least = scatter(batting_certainty(p, sure.shot, spread));
  for (const FlightTimes& t : feasible_times(p, cone_margins.front()))
    for (int k = 1; k < 40; ++k) {
      const auto v = contact_velocity_for(p, solution_impulse(p, t.low + (t.high - t.low) * k / 40));
      ASSERT_TRUE(v);
      EXPECT_GE(scatter(batting_certainty(p, batting_shot(p, *v), spread)), least * (1 - 1e-6));
    }
}

}  // namespace
}  // namespace carom::testing
