// How long does a pick-up take, and how does that grow with the surface? The tomato and the football of Wang 2017,
// table 6.1, at rising fineness: the whole of squeeze(), from mesh to lift. The thesis' own times, on its machine: 1.86
// s for the tomato (2129 tetrahedra), 3.12 s for the football (4058).
#include <benchmark/benchmark.h>
#include <cmath>

#include "carom/soft/grasp.hpp"
#include "carom/soft/solids.hpp"

namespace {

using namespace carom;

SqueezeProblem pick_up(const Eigen::Vector3d& half_axes, double young, double poisson, double friction, double weight,
                       int shells) {
  SqueezeProblem p;
  p.body.mesh = round_mesh({half_axes}, std::cbrt(half_axes.prod()) / shells);
  p.body.young = young;
  p.body.poisson = poisson;
  p.body.density = weight / 9.8 / volume(p.body.mesh);
  p.body.gravity = {0, 0, -9.8};
  p.fingers[0] = {0.015, {-0.1, 0.0, 0.95 * half_axes[2]}, {1, 0, 0}};
  p.fingers[1] = {0.015, {0.1, 0.0, 0.95 * half_axes[2]}, {-1, 0, 0}};
  p.table_friction = p.finger_friction = friction;
  return p;
}

void run(benchmark::State& state, const SqueezeProblem& problem) {
  SqueezeResult result;
  for (auto _ : state) result = squeeze(problem);
  state.counters["tets"] = static_cast<double>(problem.body.mesh.tets.size());
  state.counters["surface"] = static_cast<double>(surface_of(problem.body.mesh).vertices.size());
  state.counters["depth_mm"] = 1e3 * result.depth;
  state.counters["touching"] = result.finger_nodes[0] + result.finger_nodes[1] + result.table_nodes;
  state.SetLabel(name(result.status));
}

void tomato(benchmark::State& state) {
  run(state, pick_up({0.035, 0.035, 0.030}, 1e5, 0.4, 0.32, 1.246, static_cast<int>(state.range(0))));
}
void football(benchmark::State& state) {
  run(state, pick_up({0.033, 0.055, 0.033}, 6e3, 0.3, 0.5, 0.489, static_cast<int>(state.range(0))));
}

}  // namespace

// 1280, 2500, 6860, 20000 tetrahedra.
BENCHMARK(tomato)->Arg(4)->Arg(5)->Arg(7)->Arg(10)->Unit(benchmark::kMillisecond);
BENCHMARK(football)->Arg(4)->Arg(5)->Arg(7)->Arg(10)->Unit(benchmark::kMillisecond);
