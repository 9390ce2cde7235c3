// Fits of synthetic noisy impacts, and the derivatives they live on beside the impulse alone.
#include <benchmark/benchmark.h>
#include <random>

#include "carom/impact/spatial.hpp"
#include "carom/plan/fit.hpp"

namespace {

using namespace carom;

FitProblem observed(FitModel model, std::size_t count) {
  std::mt19937_64 random(1);
  std::normal_distribution<> normal;
  FitProblem problem;
  problem.model = model;
  problem.free.set(FitParameter::friction);
  problem.free.set(FitParameter::restitution);
  problem.free.set(FitParameter::stiffness_ratio_root, model == FitModel::compliant);
  for (std::size_t i = 0; i < count; ++i) {
    Eigen::Matrix3d a;
    for (double& x : a.reshaped()) x = normal(random);
    FitObservation seen;
    seen.space.inverse_inertia = a * a.transpose() + Eigen::Matrix3d::Identity();
    seen.space.velocity = {normal(random), normal(random), -0.5 - std::abs(normal(random))};
    seen.velocity_after = model == FitModel::compliant ? compliant_outcome({seen.space, {0.3, 0.6}, 1.2}).velocity_after
                                                       : spatial_outcome({seen.space, {0.3, 0.6}}).velocity_after;
    for (double& x : seen.velocity_after) x += 0.02 * normal(random);
    problem.observations.push_back(seen);
  }
  return problem;
}

void BM_Fit(benchmark::State& state, FitModel model, int threads) {
  FitProblem problem = observed(model, static_cast<std::size_t>(state.range(0)));
  problem.threads = threads;
  for (auto _ : state) benchmark::DoNotOptimize(fit_impacts(problem).residual);
}
BENCHMARK_CAPTURE(BM_Fit, spatial, FitModel::spatial, 1)
    ->Arg(100)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(BM_Fit, compliant, FitModel::compliant, 1)
    ->Arg(100)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(BM_Fit, compliant_2_threads, FitModel::compliant, 2)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void BM_CompliantImpulse(benchmark::State& state) {
  const FitProblem problem = observed(FitModel::compliant, 256);
  std::size_t i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(compliant_outcome({problem.observations[i++ % 256].space, {0.3, 0.6}, 1.2}).impulse);
}
BENCHMARK(BM_CompliantImpulse);

void BM_CompliantDerivatives(benchmark::State& state) {
  const FitProblem problem = observed(FitModel::compliant, 256);
  std::size_t i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(compliant_derivatives({problem.observations[i++ % 256].space, {0.3, 0.6}, 1.2}));
}
BENCHMARK(BM_CompliantDerivatives);

void BM_CompliantSurfaceDerivatives(benchmark::State& state) {
  const FitProblem problem = observed(FitModel::compliant, 256);
  std::size_t i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(compliant_surface_derivatives({problem.observations[i++ % 256].space, {0.3, 0.6}, 1.2}));
}
BENCHMARK(BM_CompliantSurfaceDerivatives);

}  // namespace
