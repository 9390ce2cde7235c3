// Fits of synthetic impacts, whose parameters are known by construction.
#include "carom/plan/fit.hpp"

#include <chrono>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "carom/core/error.hpp"
#include "carom/impact/collide.hpp"
#include "carom/impact/one_step.hpp"
#include "carom/impact/planar.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

FlagSet<FitParameter> only(std::initializer_list<FitParameter> which) {
  FlagSet<FitParameter> out;
  for (const FitParameter parameter : which) out.set(parameter);
  return out;
}
const auto mu_and_e = only({FitParameter::friction, FitParameter::restitution});
const auto all_three = only({FitParameter::friction, FitParameter::restitution, FitParameter::stiffness_ratio_root});

/// Impacts of random contacts under a model, with Gaussian noise on the velocities after.
FitProblem synthetic(FitModel model, const FitValues& truth, std::size_t count, double noise, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<> normal;
  FitProblem problem;
  problem.model = model;
  if (model == FitModel::one_step) problem.law = RestitutionLaw::newton;
  problem.free = model == FitModel::compliant ? all_three : mu_and_e;
  for (std::size_t i = 0; i < count; ++i) {
    Eigen::Matrix3d a;
    for (double& x : a.reshaped()) x = normal(random);
    ContactSpace space;
    space.inverse_inertia = a * a.transpose() + Eigen::Matrix3d::Identity();
    space.velocity = {normal(random), normal(random), -0.5 - std::abs(normal(random))};
    const double e = std::min(1.0, truth.restitution * std::pow(-space.velocity[2], -truth.restitution_exponent));
    const Material material{truth.friction, e};
    if (model == FitModel::planar) {
      PlanarContactSpace plane;
      plane.inverse_inertia << space.inverse_inertia(0, 0), space.inverse_inertia(0, 2), space.inverse_inertia(2, 0),
          space.inverse_inertia(2, 2);
      plane.velocity = {space.velocity[0], space.velocity[2]};
      const Eigen::Vector2d after = planar_outcome({plane, material, problem.law}).velocity_after;
      problem.observations.push_back(
          planar_observation(plane, after + noise * Eigen::Vector2d(normal(random), normal(random))));
      continue;
    }
    Vector3d after = Vector3d::Zero();
    if (model == FitModel::spatial) after = spatial_outcome({space, material, problem.law}).velocity_after;
    if (model == FitModel::compliant)
      after = compliant_outcome({space, material, truth.stiffness_ratio_root}).velocity_after;
    if (model == FitModel::one_step) after = one_step_outcome({space, material, problem.law}).velocity_after;
    FitObservation seen;
    seen.space = space;
    seen.velocity_after = after + noise * Vector3d(normal(random), normal(random), normal(random));
    problem.observations.push_back(seen);
  }
  return problem;
}

TEST(Fit, RecoversWhatWasPutIn) {
  const FitValues truth{0.27, 0.63, 1.3, 0.0};
  for (const auto& [model, name] : names_of<FitModel>) {
    const FitResult fit = fit_impacts(synthetic(model, truth, 40, 0.0, 3));
    EXPECT_TRUE(fit.converged) << name;
    for (const FittedNumber& number : fit.free) {
      EXPECT_NEAR(number.value, truth[number.parameter], 1e-7) << name << ' ' << carom::name(number.parameter);
      ASSERT_TRUE(number.standard_error) << name << ' ' << carom::name(number.parameter);
      EXPECT_LT(*number.standard_error, 1e-6);
      EXPECT_FALSE(number.unidentifiable);
      EXPECT_FALSE(number.at_bound);
    }
    EXPECT_LT(fit.residual, 1e-7) << name;
  }
}

TEST(Fit, TheStartDoesNotChangeTheAnswer) {
  const FitValues truth{0.2, 0.7, 1.6, 0.0};
  for (const FitModel model : {FitModel::planar, FitModel::spatial, FitModel::compliant}) {
    FitProblem problem = synthetic(model, truth, 60, 0.05, 4);
    const FitResult first = fit_impacts(problem);
    for (const FitValues& start : {FitValues{5.0, 0.01, 100.0, 0.0}, FitValues{0.0, 1.0, 0.01, 0.0}}) {
      problem.values = start;
      const FitResult fit = fit_impacts(problem);
      EXPECT_NEAR(fit.loss, first.loss, 1e-9 * first.loss);
      for (std::size_t i = 0; i < fit.free.size(); ++i)
        EXPECT_NEAR(fit.free[i].value, first.free[i].value, 1e-5) << name(model);
    }
  }
}

TEST(Fit, FindsTheBestOfManyMinima) {
  // Few observations without noise, of weights and sizes far apart: the loss has many hollows and creases, and one
  // place where it is zero.
  struct {
    FitModel model;
    int problems;
  } const rows[] = {{FitModel::planar, 1000}, {FitModel::spatial, 60}};
  for (const auto& row : rows) {
    std::mt19937_64 random(21);
    std::uniform_real_distribution<> share;
    for (int i = 0; i < row.problems; ++i) {
      const FitValues truth{std::exp(5.0 * share(random) - 4.0), share(random), 1.0, 0.0};
      FitProblem problem = synthetic(row.model, truth, 2 + random() % 8, 0.0, random());
      double scale = 0.0;
      for (FitObservation& seen : problem.observations) {
        seen.weight = std::exp(8.0 * share(random) - 4.0);
        scale += seen.weight * seen.space.velocity.squaredNorm();
      }
      EXPECT_LE(fit_impacts(problem).loss, 1e-12 * scale) << name(row.model) << ' ' << i;
    }
  }
}

TEST(Fit, FollowsCreasesToTheirGround) {
  // Noise puts the least squares on creases, where the order of events of an observation changes: no direction of a
  // fine star around the answer leads down.
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    FitProblem problem = synthetic(FitModel::planar, {0.4, 0.6, 1.0, 0.0}, 3 + seed % 12, 0.3, 500 + seed);
    const FitResult fit = fit_impacts(problem);
    EXPECT_TRUE(fit.converged) << seed;
    const auto loss_at = [&](double mu, double e) {
      double loss = 0.0;
      for (const FitObservation& seen : problem.observations) {
        PlanarContactSpace plane;
        const Eigen::Matrix3d& w = seen.space.inverse_inertia;
        plane.inverse_inertia << w(0, 0), w(0, 2), w(2, 0), w(2, 2);
        plane.velocity = {seen.space.velocity[0], seen.space.velocity[2]};
        const Eigen::Vector2d after = planar_outcome({plane, {mu, e}, problem.law}).velocity_after;
        loss += (after - Eigen::Vector2d(seen.velocity_after[0], seen.velocity_after[2])).squaredNorm();
      }
      return loss;
    };
    for (const double step : {1e-1, 1e-2, 1e-3, 1e-4})
      for (int k = 0; k < 48; ++k) {
        const double angle = k * 0.1308996938995747, mu = fit.materials[0].friction + step * std::cos(angle),
                     e = fit.materials[0].restitution + step * std::sin(angle);
        if (mu < 0.0 || mu > 10.0 || e < 0.0 || e > 1.0) continue;
        EXPECT_GE(loss_at(mu, e), fit.loss * (1.0 - 1e-6)) << seed << ' ' << step << ' ' << k;
      }
  }
}

TEST(Fit, RestitutionMayFallWithSpeed) {
  const FitValues truth{0.3, 0.6, 1.0, 0.25};
  FitProblem problem = synthetic(FitModel::spatial, truth, 60, 0.0, 5);
  problem.free = only({FitParameter::friction, FitParameter::restitution, FitParameter::restitution_exponent});
  const FitResult fit = fit_impacts(problem);
  for (const FittedNumber& number : fit.free) EXPECT_NEAR(number.value, truth[number.parameter], 1e-6);
}

TEST(Fit, MaterialsMayHaveTheirOwnFriction) {
  FitProblem problem = synthetic(FitModel::spatial, {0.1, 0.5, 1.0, 0.0}, 40, 0.0, 6);
  FitProblem second = synthetic(FitModel::spatial, {0.4, 0.5, 1.0, 0.0}, 40, 0.0, 7);
  for (FitObservation& seen : second.observations) {
    seen.material = 1;
    problem.observations.push_back(seen);
  }
  problem.per_material = only({FitParameter::friction});
  const FitResult fit = fit_impacts(problem);
  ASSERT_EQ(fit.materials.size(), 2U);
  ASSERT_EQ(fit.free.size(), 3U);  // two frictions, one restitution
  EXPECT_NEAR(fit.materials[0].friction, 0.1, 1e-6);
  EXPECT_NEAR(fit.materials[1].friction, 0.4, 1e-6);
  EXPECT_NEAR(fit.materials[1].restitution, 0.5, 1e-6);
}

TEST(Fit, HuberLooksPastOutliers) {
  const FitValues truth{0.25, 0.6, 1.0, 0.0};
  FitProblem problem = synthetic(FitModel::spatial, truth, 200, 0.01, 8);
  for (std::size_t i = 0; i < 200; i += 20) problem.observations[i].velocity_after += Vector3d(3, -2, 4);
  const FitResult plain = fit_impacts(problem);
  problem.loss = FitLoss::huber;
  problem.loss_scale = 0.03;
  const FitResult robust = fit_impacts(problem);
  EXPECT_LT(std::abs(robust.materials[0].restitution - 0.6), 0.01);
  EXPECT_LT(std::abs(robust.materials[0].friction - 0.25), 0.01);
  EXPECT_GT(std::abs(plain.materials[0].restitution - 0.6), 5 * std::abs(robust.materials[0].restitution - 0.6));
}

/// A ball: W diagonal, so what slips and what sticks is plain.
FitObservation ball(const Vector3d& v, const FitValues& truth, FitModel model) {
  FitObservation seen;
  seen.space.inverse_inertia = Vector3d(3.5, 3.5, 1.0).asDiagonal();
  seen.space.velocity = v;
  const Material material{truth.friction, truth.restitution};
  seen.velocity_after = model == FitModel::compliant
                            ? compliant_outcome({seen.space, material, truth.stiffness_ratio_root}).velocity_after
                            : spatial_outcome({seen.space, material}).velocity_after;
  return seen;
}

TEST(Fit, SaysWhatTheDataCannotTell) {
  // Everything slips: the tangential springs never show.
  FitProblem problem;
  problem.model = FitModel::compliant;
  problem.free = all_three;
  for (const double slip : {8.0, 9.0, 10.0, 12.0})
    problem.observations.push_back(ball({slip, 0.3 * slip, -1}, {0.2, 0.5, 1.1, 0.0}, FitModel::compliant));
  FitResult fit = fit_impacts(problem);
  EXPECT_FALSE(fit.free[0].unidentifiable);
  EXPECT_FALSE(fit.free[1].unidentifiable);
  EXPECT_TRUE(fit.free[2].unidentifiable);
  EXPECT_FALSE(fit.free[2].standard_error);
  EXPECT_NEAR(fit.free[0].value, 0.2, 1e-8);
  EXPECT_NEAR(fit.free[1].value, 0.5, 1e-8);
  // Everything sticks: any friction from some value on does.
  problem.model = FitModel::spatial;
  problem.free = mu_and_e;
  problem.observations.clear();
  for (const double slip : {0.1, 0.2, 0.3})
    problem.observations.push_back(ball({slip, 0, -1}, {0.9, 0.5, 1.0, 0.0}, FitModel::spatial));
  fit = fit_impacts(problem);
  EXPECT_TRUE(fit.free[0].unidentifiable);
  EXPECT_FALSE(fit.free[1].unidentifiable);
  EXPECT_NEAR(fit.free[1].value, 0.5, 1e-8);
}

TEST(Fit, StopsAtBoundsAndSaysSo) {
  FitProblem problem = synthetic(FitModel::spatial, {0.2, 1.0, 1.0, 0.0}, 30, 0.0, 9);
  for (FitObservation& seen : problem.observations) seen.velocity_after[2] *= 1.2;  // more than an elastic bounce
  const FitResult fit = fit_impacts(problem);
  EXPECT_EQ(fit.materials[0].restitution, 1.0);
  EXPECT_TRUE(fit.free[1].at_bound);
  EXPECT_FALSE(fit.free[1].standard_error);
  EXPECT_TRUE(fit.free[0].standard_error);
}

TEST(Fit, NeedsMoreNumbersThanParametersForErrors) {
  FitProblem problem = synthetic(FitModel::planar, {0.2, 0.5, 1.0, 0.0}, 1, 0.0, 10);
  const FitResult fit = fit_impacts(problem);
  EXPECT_EQ(fit.components, 2U);
  EXPECT_TRUE(fit.no_redundancy || fit.free[0].unidentifiable || fit.free[1].unidentifiable);
  for (const FittedNumber& number : fit.free) EXPECT_TRUE(!fit.no_redundancy || !number.standard_error);
}

TEST(Fit, BodiesAndContactSpaceAreTheSameObservation) {
  Body a, b = immovable_body();
  a.inertia = 0.4 * Eigen::Matrix3d::Identity();
  a.position = {0, 0, 1};
  a.velocity = {-1, 0.4, -5};
  a.angular_velocity = {0, 2, 1};
  const Contact contact{{0, 0, 0}, Vector3d::UnitZ()};
  const auto hit = collide(a, b, contact, {0.3, 0.6}, RestitutionLaw::energetic);
  const FitObservation seen = observed_collision(a, b, contact, hit.a, hit.b);
  EXPECT_LE((seen.velocity_after - hit.impact.velocity_after).norm(), 1e-14 * 10);
}

TEST(Fit, CrossValidationAndComparisonPreferTheModelThatMadeTheData) {
  const FitProblem problem = synthetic(FitModel::compliant, {0.3, 0.6, 1.4, 0.0}, 60, 0.01, 11);
  const CrossValidation folds = cross_validate(problem, 4);
  EXPECT_EQ(folds.fits.size(), 4U);
  EXPECT_NEAR(folds.residual, 0.01, 0.002);
  const std::vector<FitComparison> all = compare_models(problem, 3);
  ASSERT_EQ(all.size(), 6U);
  EXPECT_EQ(all.front().model, FitModel::compliant);
  EXPECT_GT(all[1].held_out, 2.0 * all[0].held_out);
  for (const FitComparison& other : all) EXPECT_GE(other.fit.residual, all.front().fit.residual);
}

TEST(Fit, RefusesWhatMakesNoSense) {
  const FitProblem good = synthetic(FitModel::spatial, {0.2, 0.5, 1.0, 0.0}, 4, 0.0, 12);
  const auto field = [&](const auto& change) {
    FitProblem problem = good;
    change(problem);
    try {
      fit_impacts(problem);
    } catch (const InvalidInput& error) {
      return error.field();
    }
    return std::string("none");
  };
  EXPECT_EQ(field([](FitProblem& p) { p.observations.clear(); }), "observations");
  EXPECT_EQ(field([](FitProblem& p) { p.free = {}; }), "free");
  EXPECT_EQ(field([](FitProblem& p) { p.free.set(FitParameter::stiffness_ratio_root); }), "free");
  EXPECT_EQ(field([](FitProblem& p) { p.observations[2].space.inverse_inertia(0, 0) = -1; }),
            "observations[2].inverse_inertia");
  EXPECT_EQ(field([](FitProblem& p) { p.observations[1].weight = -1; }), "observations[1].weight");
  EXPECT_EQ(field([](FitProblem& p) { p.loss_scale = 0; }), "loss_scale");
  EXPECT_EQ(field([](FitProblem& p) { p.model = FitModel::planar; }), "observations[0]");
  EXPECT_EQ(field([](FitProblem& p) { p.model = FitModel::one_step; }), "law");
  EXPECT_EQ(field([](FitProblem& p) {
              for (FitObservation& seen : p.observations) seen.weight = 0;
            }),
            "observations");
}

/// Share of the seeds whose 95 % interval holds the truth, over all parameters.
double coverage(FitModel model, const FitValues& truth, std::size_t observations, int seeds) {
  int inside = 0, all = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    const FitResult fit =
        fit_impacts(synthetic(model, truth, observations, 0.02, 1000 + static_cast<std::uint64_t>(seed)));
    for (const FittedNumber& number : fit.free) {
      if (!number.standard_error) continue;
      ++all;
      inside += std::abs(number.value - truth[number.parameter]) <= 1.96 * *number.standard_error;
    }
  }
  EXPECT_GT(all, seeds * 2 - seeds / 10);
  return static_cast<double>(inside) / all;
}

void covers(FitModel model, const FitValues& truth) {
  const double share = coverage(model, truth, 60, 200);
  ::testing::Test::RecordProperty("share", std::to_string(share));
  EXPECT_GE(share, 0.91);
  EXPECT_LE(share, 0.98);
}

TEST(Fit, IntervalsOfThePlanarModelCoverTheTruth) { covers(FitModel::planar, {0.25, 0.6, 1.0, 0.0}); }
TEST(SlowFit, IntervalsOfTheSpatialModelCoverTheTruth) { covers(FitModel::spatial, {0.25, 0.6, 1.0, 0.0}); }
TEST(SlowFit, IntervalsOfTheCompliantModelCoverTheTruth) { covers(FitModel::compliant, {0.25, 0.6, 1.3, 0.0}); }

}  // namespace
}  // namespace carom
