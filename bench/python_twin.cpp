// python_twin <file> <rows> <threads> <repeats>: the C++ side of python_bench.py. Reads problems as numpy wrote them
// (W, v, friction, restitution, doubles) and prints the seconds of each run of the batch, by the clock and of processor
// time.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <vector>

#include "carom/impact/spatial.hpp"

int main(int count, char** arguments) {
  if (count != 5) {
    std::fprintf(stderr, "usage: python_twin <file> <rows> <threads> <repeats>\n");
    return 2;
  }
  const auto rows = static_cast<std::size_t>(std::atoll(arguments[2]));
  const int threads = std::atoi(arguments[3]), repeats = std::atoi(arguments[4]);
  std::vector<double> numbers(rows * 14);
  std::ifstream file(arguments[1], std::ios::binary);
  file.read(reinterpret_cast<char*>(numbers.data()), static_cast<std::streamsize>(numbers.size() * sizeof(double)));
  if (!file) {
    std::fprintf(stderr, "%s: has not %zu rows\n", arguments[1], rows);
    return 2;
  }
  std::vector<carom::SpatialProblem> problems(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    carom::SpatialProblem& problem = problems[i];
    for (std::size_t j = 0; j < 9; ++j)
      problem.space.inverse_inertia(static_cast<Eigen::Index>(j / 3), static_cast<Eigen::Index>(j % 3)) =
          numbers[9 * i + j];
    for (std::size_t j = 0; j < 3; ++j)
      problem.space.velocity[static_cast<Eigen::Index>(j)] = numbers[9 * rows + 3 * i + j];
    problem.material = {.friction = numbers[12 * rows + i], .restitution = numbers[13 * rows + i]};
  }
  std::vector<carom::SpatialOutcome> outcomes(rows);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t worked = std::clock();
    carom::spatial_outcomes(problems, outcomes, threads);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::printf("%.6f %.6f\n", took.count(), static_cast<double>(std::clock() - worked) / CLOCKS_PER_SEC);
  }
  return 0;
}
