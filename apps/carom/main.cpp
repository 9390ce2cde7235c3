// carom: the command line. Thin: it finds files, calls `scenario`, and hands documents to the writers of `report`.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include "carom/core/error.hpp"
#include "carom/core/json_writer.hpp"
#include "carom/report/files.hpp"
#include "carom/report/writers.hpp"
#include "carom/scenario/scenario.hpp"
#include "carom/scenario/solve.hpp"

#include "long_work.hpp"

namespace {

namespace fs = std::filesystem;
namespace scenario = carom::scenario;
namespace report = carom::report;

constexpr int fine = 0, failed = 1, bad_input = 2;

/// The folder of the scenarios that come with carom, found from where the program stands: where an installation puts
/// them, or beside a program that was built and not installed.
fs::path shipped_scenarios() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path installed = (folder / CAROM_SCENARIOS_FROM_PROGRAM).lexically_normal();
  return fs::is_directory(installed, error) ? installed : folder / "scenarios";
}

/// A file, or the name of a shipped scenario.
fs::path resolved(const std::string& name) {
  fs::path file = name;
  if (fs::exists(file) || file.has_parent_path()) return file;
  const fs::path shipped = shipped_scenarios() / (name + (file.has_extension() ? "" : ".yaml"));
  return fs::exists(shipped) ? shipped : file;
}

std::vector<fs::path> shipped_files() {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(shipped_scenarios(), error))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// An option that cannot be understood: "--set: must be path=value, ...".
struct BadOption : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What the library makes of each text of an option.
template <class T>
std::vector<T> each(const std::vector<std::string>& texts, T (*read)(std::string_view)) {
  std::vector<T> all;
  try {
    for (const std::string& text : texts) all.push_back(read(text));
  } catch (const carom::InvalidInput& error) {
    throw BadOption("--" + std::string(error.what()));
  }
  return all;
}

/// Writes the files of a document, and what is to be seen at once.
void output(const report::Document& document, const std::string& about, const fs::path& folder, bool json) {
  const std::vector<fs::path> written = report::write_folder(document, folder);
  if (json) {
    std::cout << report::json_text(document);
    return;
  }
  std::cout << report::terminal_text(document, isatty(STDOUT_FILENO) != 0);
  if (!about.empty()) std::cout << "\nLook at: " << about << "\n";
  std::cout << "\nWritten:\n";
  for (const fs::path& path : written) std::cout << "  " << path.string() << "\n";
}

struct RunOptions {
  std::string file, folder;
  std::vector<std::string> set;
  bool json = false;
};

int run(const RunOptions& options) {
  const fs::path file = resolved(options.file);
  const scenario::Scenario loaded = scenario::load(file, each(options.set, carom::schema::setting_of));
  LongWork work;
  const report::Document document = loaded.answer(work.progress());
  output(document, loaded.head().about,
         options.folder.empty() ? fs::path("out") / file.stem() : fs::path(options.folder), options.json);
  return work.interrupted() ? failed : fine;
}

struct SweepOptions : RunOptions {
  std::vector<std::string> vary, show;
};

int sweep(const SweepOptions& options) {
  const fs::path file = resolved(options.file);
  const scenario::Scenario loaded = scenario::load(file, each(options.set, carom::schema::setting_of));
  scenario::Sweep sweep;
  sweep.fields = each(options.vary, scenario::swept_field);
  for (const std::string& one : options.show) sweep.show.push_back({{one}});
  LongWork work;
  const report::Document document = loaded.describe(loaded.run_sweep(sweep, work.progress()));
  output(document, "",
         options.folder.empty() ? fs::path("out") / (file.stem().string() + "_sweep") : fs::path(options.folder),
         options.json);
  return work.interrupted() ? failed : fine;
}

int check(const std::vector<std::string>& names) {
  int result = fine;
  for (const std::string& name : names) {
    try {
      const scenario::Scenario loaded = scenario::load(resolved(name));
      std::cout << name << ": fine (" << loaded.head().kind
                << (loaded.head().model.empty() ? "" : ", " + loaded.head().model) << ")\n";
    } catch (const scenario::BadScenario& error) {
      std::cerr << error.what() << "\n";
      result = bad_input;
    }
  }
  return result;
}

int list(bool json) {
  std::string out;
  carom::JsonWriter writer(out);
  writer.begin_array();
  std::size_t width = 0;
  const std::vector<fs::path> files = shipped_files();
  if (files.empty()) {
    std::cerr << "carom list: no scenarios in " << shipped_scenarios().string()
              << ", where they are installed with the program\n";
    return failed;
  }
  for (const fs::path& file : files) width = std::max(width, file.stem().string().size());
  for (const fs::path& file : files) {
    const scenario::Scenario loaded = scenario::load(file);
    const std::string stem = file.stem().string();
    if (json) {
      writer.begin_object();
      writer.key("name"), writer.text(stem);
      writer.key("kind"), writer.text(loaded.head().kind);
      writer.key("model"), writer.text(loaded.head().model);
      writer.key("title"), writer.text(loaded.head().title);
      writer.key("about"), writer.text(loaded.head().about);
      writer.key("file"), writer.text(file.string());
      writer.end_object();
    } else {
      std::cout << stem << std::string(width + 2 - stem.size(), ' ') << loaded.head().title << "\n";
    }
  }
  writer.end_array();
  if (json) std::cout << out << "\n";
  return fine;
}

int solve(const std::string& source, int threads) {
  const bool piped = source == "-";
  std::ifstream file;
  if (!piped) {
    file.open(source, std::ios::binary);
    if (!file || fs::is_directory(source)) {
      std::cerr << source << ": cannot be opened\n";
      return bad_input;
    }
  }
  std::istream& in = piped ? std::cin : file;
  const scenario::SolveSummary summary = scenario::solve_stream(in, std::cout, threads);
  if (in.bad()) {
    std::cerr << (piped ? "standard input" : source) << ": cannot be read\n";
    return bad_input;
  }
  return summary.errors == 0 ? fine : failed;
}

/// What was printed has to arrive: a full device or a closed output is a failure, whatever the command was.
int exit_code(int code) {
  std::cout.flush();
  if (std::cout) return code;
  std::cerr << "carom: the output cannot be written\n";
  return code == bad_input ? bad_input : failed;
}

/// What the command line asks for, once it is understood.
using Action = std::function<int()>;

void add_run_options(CLI::App& command, RunOptions& options, const char* folder) {
  command.add_option("scenario", options.file, "a scenario file, or the name of one that `carom list` shows")
      ->required();
  command.add_option("-o,--output", options.folder, std::string("folder to write into (default ") + folder + ")");
  command.add_option("--set", options.set, "path=value, e.g. material.friction=0.3: instead of what the file says")
      ->allow_extra_args(false);
  command.add_flag("--json", options.json, "print the answer as JSON");
}

void add_run(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("run", "Run a scenario, print the answer and write tables and pictures");
  const auto options = std::make_shared<RunOptions>();
  add_run_options(*command, *options, "out/<scenario>");
  command->footer(
      "Examples:\n  carom run falling_rod_case_2\n  carom run scenarios/disc_and_plank.yaml -o results --json\n"
      "  carom run superball --set material.friction=0.1 --set 'bodies[0].velocity[0]=-2'");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

void add_sweep(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("sweep", "Run a scenario over many values of one or two of its numbers, on all cores");
  const auto options = std::make_shared<SweepOptions>();
  add_run_options(*command, *options, "out/<scenario>_sweep");
  command
      ->add_option("--vary", options->vary,
                   "path=from:to:steps, path=from:to:steps:log or path=value,value,...; given twice: every combination")
      ->required()
      ->allow_extra_args(false);
  command->add_option("--show", options->show, "a fact to draw (default: those that change)")->allow_extra_args(false);
  command->footer(
      "One row per run with every fact of it; a second field that lists its values gives a curve each, otherwise a "
      "map.\n"
      "A path may name any number of the file, or one that the file leaves at its default.\n\n"
      "Examples:\n  carom sweep superball --vary material.friction=0:1:101\n"
      "  carom sweep cradle --vary cradle.angle=5deg:45deg:41 --show speed_exact\n"
      "  carom sweep rod_undamped --vary impact_speed=0.1:8:80 --vary damping=0,0.1,0.2 --show e_energy");
  command->callback([&action, options] { action = [options] { return sweep(*options); }; });
}

void add_check(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("check", "Check scenario files without running them");
  const auto files = std::make_shared<std::vector<std::string>>();
  command->add_option("scenarios", *files, "scenario files or names")->required();
  command->footer("Examples:\n  carom check my_scenario.yaml\n  carom check scenarios/*.yaml");
  command->callback([&action, files] { action = [files] { return check(*files); }; });
}

void add_list(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("list", "List the scenarios that come with carom");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "as JSON");
  command->footer("Examples:\n  carom list\n  carom list --json");
  command->callback([&action, json] { action = [json] { return list(*json); }; });
}

void add_solve(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("solve", "Answer JSON Lines, one model call per line");
  const auto source = std::make_shared<std::string>("-");
  const auto threads = std::make_shared<int>(0);
  command->add_option("file", *source, "a file, or - for standard input (default)");
  command->add_option("--threads", *threads, "threads; 0, the default, uses every core")->check(CLI::Range(0, 1024));
  command->footer(
      "Each line holds a model's name and its fields; the answer comes on the same line of the output.\n"
      "A bad row gets {\"error\":{\"field\",\"message\"}} and exit code 1. See docs/solve.md.\n\n"
      "Examples:\n  carom solve rows.jsonl > answers.jsonl\n  generate | carom solve - --threads 1");
  command->callback([&action, source, threads] { action = [source, threads] { return solve(*source, *threads); }; });
}

void add_schema(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("schema", "Print the JSON Schema of scenario files, for editors");
  const auto rows = std::make_shared<bool>(false);
  command->add_flag("--rows", *rows, "instead that of the rows of `carom solve` and of their answers");
  command->footer("Examples:\n  carom schema > scenario.schema.json\n  carom schema --rows > solve.schema.json");
  command->callback([&action, rows] {
    action = [rows] {
      std::cout << (*rows ? scenario::rows_schema() : scenario::json_schema());
      return fine;
    };
  });
}

/// Understands the command line and does what it asks for.
int answer(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);

  CLI::App app{"carom: what happens when bodies hit each other?"};
  app.set_version_flag("--version", std::string("carom ") + CAROM_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  carom list\n"
      "  carom run falling_rod_case_2\n"
      "  carom run my_scenario.yaml -o results\n"
      "  carom sweep superball --vary material.friction=0:1:101\n"
      "  carom check my_scenario.yaml\n"
      "  echo '{\"model\":\"planar\",\"law\":\"poisson\",\"W\":[[2.5,-1.5],[-1.5,2.5]],\"v\":[0.6,-1],\"mu\":0.7,"
      "\"e\":0.5}' | carom solve -\n"
      "\nExit code: 0 fine, 1 the run failed, 2 bad input.");
  Action action;
  for (const auto add : {add_run, add_sweep, add_check, add_list, add_solve, add_schema}) add(app, action);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return exit_code(app.exit(error) == 0 ? fine : bad_input);
  }
  return exit_code(action());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return answer(argc, argv);
  } catch (const scenario::BadScenario& error) {
    std::cerr << error.what() << "\n";
    return bad_input;
  } catch (const BadOption& error) {
    std::cerr << "carom: " << error.what() << "\n";
    return bad_input;
  } catch (const std::exception& error) {
    std::cerr << "carom: " << error.what() << "\n";
    return failed;
  }
}
