// campaign [--rows N] [--seed S] [--first K] [--threads T] [--limit SECONDS] [--model NAME] [--show N] [--print]
// Answers N mutated rows and holds each against what must be true of it. Prints the rows that fail, the slowest ones
// and a tally; exit code 1 if any failed. --print only writes the rows. A row counts as too slow by the processor time
// of its own thread, not by the clock on the wall.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <ctime>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "carom/scenario/solve.hpp"

#include "campaign.hpp"

namespace {

using namespace carom::campaign;

struct Options {
  std::uint64_t rows = 20'000, seed = 1, first = 0;
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  double limit = 1.0;  // [s]
  std::size_t show = 20;
  std::string model;
  bool print = false;
};

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Finding {
  std::uint64_t row = 0;
  double seconds = 0.0;
  std::string what, line;
};

/// What a campaign has seen so far.
struct Tally {
  std::mutex lock;
  std::uint64_t answered = 0, refused = 0, wrong = 0;
  double slowest = 0.0;
  std::map<std::string, std::uint64_t> kinds;  ///< of findings, and how many of each

  void add(const Finding& finding, bool failed, const Options& options) {
    const std::lock_guard guard(lock);
    ++(failed ? refused : answered);
    slowest = std::max(slowest, finding.seconds);
    if (finding.what.empty()) return;
    ++wrong;
    if (kinds[finding.what]++ < options.show) {
      std::printf("row %llu: %s (%.3f s)\n%s\n", static_cast<unsigned long long>(finding.row), finding.what.c_str(),
                  finding.seconds, finding.line.c_str());
      std::fflush(stdout);
    }
  }
};

std::string row_text(const std::vector<Json>& seeds, const Options& options, std::uint64_t k) {
  Random random(options.seed * 0x9E3779B97F4A7C15ull + k);
  return mutated_row(seeds, random);
}

/// Samples and bounces of a rod cost what is asked for: a sample a year from now is many bounces away.
bool asks_for_times(const std::string& line) {
  return line.find("\"sample_times\"") != std::string::npos || line.find("\"bounces\"") != std::string::npos;
}

void answer_rows(const std::vector<Json>& seeds, const Options& options, std::atomic<std::uint64_t>& next,
                 Tally& tally) {
  for (std::uint64_t k; (k = next++) < options.first + options.rows;) {
    Finding finding;
    finding.row = k;
    finding.line = row_text(seeds, options, k);
    if (options.print) {
      std::printf("%s\n", finding.line.c_str());
      continue;
    }
    bool failed = false;
    const double start = processor_seconds();
    const std::string answer = carom::scenario::solve_row(finding.line, failed);
    finding.seconds = processor_seconds() - start;
    finding.what = wrong_with(finding.line, answer, failed);
    if (finding.what.empty() && finding.seconds > options.limit && !asks_for_times(finding.line))
      finding.what = "too slow";
    tally.add(finding, failed, options);
  }
}

bool read(Options& options, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--print") {
      options.print = true;
      options.threads = 1;
      continue;
    }
    if (++i == argc) return false;
    const std::string value = argv[i];
    if (name == "--rows")
      options.rows = std::stoull(value);
    else if (name == "--seed")
      options.seed = std::stoull(value);
    else if (name == "--first")
      options.first = std::stoull(value);
    else if (name == "--threads")
      options.threads = static_cast<unsigned>(std::stoul(value));
    else if (name == "--limit")
      options.limit = std::stod(value);
    else if (name == "--show")
      options.show = std::stoul(value);
    else if (name == "--model")
      options.model = value;
    else
      return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!read(options, argc, argv)) {
    std::fputs(
        "usage: campaign [--rows N] [--seed S] [--first K] [--threads T] [--limit SECONDS] [--model NAME] "
        "[--show N] [--print]\n",
        stderr);
    return 2;
  }
  std::vector<Json> seeds = seed_rows();
  if (!options.model.empty()) std::erase_if(seeds, [&](const Json& row) { return row["model"] != options.model; });
  if (seeds.empty()) {
    std::fprintf(stderr, "campaign: no rows of a model '%s'\n", options.model.c_str());
    return 2;
  }
  std::atomic<std::uint64_t> next = options.first;
  Tally tally;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < options.threads; ++t)
    threads.emplace_back([&] { answer_rows(seeds, options, next, tally); });
  for (std::thread& thread : threads) thread.join();
  if (options.print) return 0;
  for (const auto& [what, count] : tally.kinds)
    std::printf("%8llu  %s\n", static_cast<unsigned long long>(count), what.c_str());
  std::printf("%llu rows answered, %llu refused, %llu wrong; the slowest took %.3f s\n",
              static_cast<unsigned long long>(tally.answered), static_cast<unsigned long long>(tally.refused),
              static_cast<unsigned long long>(tally.wrong), tally.slowest);
  return tally.wrong == 0 ? 0 : 1;
}
