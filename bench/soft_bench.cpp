// How long do soft bodies take, and how does that grow with the mesh? Gelatin, a frustum on its large face, of about
// 1k, 5k, 50k and 200k tetrahedra: assembly, factorisation, forward solve and rest shape. In the same run the forward
// solve of the 50k mesh by dolfinx (P1, PETSc's direct solver), when there is one: it must give the same displacements.
#include <benchmark/benchmark.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sys/resource.h>

#include "carom/soft/rest_shape.hpp"
#include "carom/soft/solids.hpp"

#include "internal/soft/linear_solve.hpp"
#include "internal/soft/prepared.hpp"

namespace {

using namespace carom;

/// The gelatin of Wang 2017, section 6.3.4, with about so many thousand tetrahedra.
const SoftBody& gelatin(int thousands) {
  static std::map<int, SoftBody> bodies;
  if (const auto found = bodies.find(thousands); found != bodies.end()) return found->second;
  SoftBody body;
  for (double s = 0.0095; s > 0.001; s *= 0.97) {  // meshes come in steps: the first with enough
    body.mesh = frustum_mesh(0.031, 0.025, 0.031, s);
    if (static_cast<int>(body.mesh.tets.size()) >= 900 * thousands) break;
  }
  body.young = 3e3;
  body.poisson = 0.4;
  body.density = 960;
  body.gravity = {0, 0, -9.8};
  for (std::size_t v = 0; v < body.mesh.vertices.size(); ++v)
    if (body.mesh.vertices[v].z() == 0.0) body.fixed.push_back(static_cast<int>(v));
  return bodies.emplace(thousands, std::move(body)).first->second;
}

void count(benchmark::State& state, const SoftBody& body) {
  state.counters["tets"] = static_cast<double>(body.mesh.tets.size());
  state.counters["per_tet"] =
      benchmark::Counter(static_cast<double>(body.mesh.tets.size()),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  state.counters["peak_MB"] = static_cast<double>(used.ru_maxrss) / 1024.0;
}

void assembly(benchmark::State& state) {
  const SoftBody& body = gelatin(static_cast<int>(state.range(0)));
  const soft::Prepared prepared(body, 0);
  const soft::Couplings couplings = prepared.assembly.couplings(prepared.unknowns, true);
  std::vector<double> values;
  for (auto _ : state) {
    soft::fill_stiffness(prepared.assembly, soft::elements_of(prepared.assembly, prepared.at), prepared.material,
                         couplings, prepared.unknowns, values);
    benchmark::DoNotOptimize(values.data());
  }
  count(state, body);
}

void factorisation(benchmark::State& state) {
  const SoftBody& body = gelatin(static_cast<int>(state.range(0)));
  const soft::Prepared prepared(body, 0);
  soft::LinearBody linear(prepared.assembly, prepared.unknowns, prepared.material);
  for (auto _ : state) benchmark::DoNotOptimize(linear.set_shape(prepared.at));
  count(state, body);
}

void forward(benchmark::State& state) {
  const SoftBody& body = gelatin(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(fem(body).strain_energy);
  count(state, body);
}

void recover(benchmark::State& state) {
  RestShapeProblem problem;
  problem.body = gelatin(static_cast<int>(state.range(0)));
  problem.method = static_cast<RestShapeMethod>(state.range(1));
  std::size_t iterations = 0;
  for (auto _ : state) iterations = rest_shape(problem).history.size();
  state.counters["iterations"] = static_cast<double>(iterations);
  state.SetLabel(name(problem.method));
  count(state, problem.body);
}

/// The same forward solve in a process of its own: its MPI must not meet the stubs of ours.
void dolfinx(benchmark::State& state) {
  const SoftBody& body = gelatin(static_cast<int>(state.range(0)));
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "carom_soft_bench";
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* file, const void* data, std::size_t bytes) {
    std::ofstream(folder / file, std::ios::binary).write(static_cast<const char*>(data), std::streamsize(bytes));
  };
  write("vertices", body.mesh.vertices.data(), 24 * body.mesh.vertices.size());
  write("tets", body.mesh.tets.data(), 16 * body.mesh.tets.size());
  const std::string command = "/usr/bin/python3 " CAROM_SOURCE_DIR "/bench/soft_dolfinx.py " + folder.string() +
                              " 3000 0.4 960 9.8 > " + (folder / "log").string() + " 2>&1";
  const std::vector<Eigen::Vector3d> ours = fem(body).displacement;
  for (auto _ : state) {
    if (std::system(command.c_str()) != 0) {
      state.SkipWithError("python3-dolfinx (part [compare] of packages.txt) does not run here");
      return;
    }
    double seconds = 0.0, processor = 0.0;
    std::ifstream(folder / "seconds") >> seconds >> processor;
    state.SetIterationTime(seconds);
    state.counters["cpu_ms"] = 1e3 * processor;
  }
  std::vector<Eigen::Vector3d> theirs(ours.size());
  std::ifstream(folder / "displacement", std::ios::binary)
      .read(reinterpret_cast<char*>(theirs.data()), std::streamsize(24 * theirs.size()));
  double worst = 0.0, largest = 0.0;
  for (std::size_t v = 0; v < ours.size(); ++v) {
    worst = std::max(worst, (ours[v] - theirs[v]).norm());
    largest = std::max(largest, ours[v].norm());
  }
  state.counters["difference"] = worst / largest;
  if (!(worst <= 1e-8 * largest)) state.SkipWithError("dolfinx gives other displacements");
  count(state, body);
}

void sizes(benchmark::internal::Benchmark* all) {
  for (const int thousands : {1, 5, 50, 200}) all->Arg(thousands);
  all->Unit(benchmark::kMillisecond)->UseRealTime();
}

}  // namespace

BENCHMARK(assembly)->Apply(sizes);
BENCHMARK(factorisation)->Apply(sizes);
BENCHMARK(forward)->Apply(sizes);
BENCHMARK(dolfinx)->Arg(50)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(2);
BENCHMARK(recover)
    ->ArgsProduct({{1, 5, 50}, {0, 1, 2, 3}})
    ->Args({200, 0})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
