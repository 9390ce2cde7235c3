// carom: the command line. Thin: it finds files, calls `scenario`, and hands documents to the writers of `report`.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <unistd.h>
#include <vector>

#include "carom/core/error.hpp"
#include "carom/core/json_writer.hpp"
#include "carom/report/writers.hpp"
#include "carom/scenario/scenario.hpp"
#include "carom/scenario/solve.hpp"

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
  const fs::path file = name;
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

int run(const std::string& name, const std::vector<std::string>& set, const std::string& folder, bool json) {
  const fs::path file = resolved(name);
  std::vector<scenario::Setting> settings;
  for (const std::string& one : set) settings.push_back(carom::schema::setting_of(one));  // checked by the parser
  const scenario::Scenario loaded = scenario::load(file, settings);
  const report::Document document = loaded.run();
  const fs::path out = folder.empty() ? fs::path("out") / file.stem() : fs::path(folder);
  const std::vector<fs::path> written = report::write_folder(document, out);
  if (json) {
    std::cout << report::json_text(document);
    return fine;
  }
  std::cout << report::terminal_text(document, isatty(STDOUT_FILENO) != 0);
  if (!loaded.about.empty()) std::cout << "\nLook at: " << loaded.about << "\n";
  std::cout << "\nWritten:\n";
  for (const fs::path& path : written) std::cout << "  " << path.string() << "\n";
  return fine;
}

int check(const std::vector<std::string>& names) {
  int result = fine;
  for (const std::string& name : names) {
    try {
      const scenario::Scenario loaded = scenario::load(resolved(name));
      std::cout << name << ": fine (" << loaded.kind << (loaded.model.empty() ? "" : ", " + loaded.model) << ")\n";
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
      writer.key("kind"), writer.text(loaded.kind);
      writer.key("model"), writer.text(loaded.model);
      writer.key("title"), writer.text(loaded.title);
      writer.key("about"), writer.text(loaded.about);
      writer.key("file"), writer.text(file.string());
      writer.end_object();
    } else {
      std::cout << stem << std::string(width + 2 - stem.size(), ' ') << loaded.title << "\n";
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

}  // namespace

int main(int argc, char** argv) {
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
      "  carom check my_scenario.yaml\n"
      "  echo '{\"model\":\"planar\",\"law\":\"poisson\",\"W\":[[2.5,-1.5],[-1.5,2.5]],\"v\":[0.6,-1],\"mu\":0.7,"
      "\"e\":0.5}' | carom solve -\n"
      "\nExit code: 0 fine, 1 the run failed, 2 bad input.");

  std::string run_file, run_folder;
  std::vector<std::string> run_set;
  bool run_json = false;
  CLI::App* run_command = app.add_subcommand("run", "Run a scenario, print the answer and write tables and pictures");
  run_command->add_option("scenario", run_file, "a scenario file, or the name of one that `carom list` shows")
      ->required();
  run_command->add_option("-o,--output", run_folder, "folder to write into (default out/<scenario>)");
  run_command->add_option("--set", run_set, "path=value, e.g. material.friction=0.3: instead of what the file says")
      ->allow_extra_args(false)
      ->check(CLI::Validator(
          [](const std::string& text) {
            try {
              carom::schema::setting_of(text);
              return std::string();
            } catch (const carom::InvalidInput& error) {
              return error.message();
            }
          },
          ""));
  run_command->add_flag("--json", run_json, "print the answer as JSON");
  run_command->footer(
      "Examples:\n  carom run falling_rod_case_2\n  carom run scenarios/disc_and_plank.yaml -o results --json\n"
      "  carom run superball --set material.friction=0.1 --set 'bodies[0].velocity[0]=-2'");

  std::vector<std::string> check_files;
  CLI::App* check_command = app.add_subcommand("check", "Check scenario files without running them");
  check_command->add_option("scenarios", check_files, "scenario files or names")->required();
  check_command->footer("Examples:\n  carom check my_scenario.yaml\n  carom check scenarios/*.yaml");

  bool list_json = false;
  CLI::App* list_command = app.add_subcommand("list", "List the scenarios that come with carom");
  list_command->add_flag("--json", list_json, "as JSON");
  list_command->footer("Examples:\n  carom list\n  carom list --json");

  std::string solve_source = "-";
  int solve_threads = 0;
  CLI::App* solve_command = app.add_subcommand("solve", "Answer JSON Lines, one model call per line");
  solve_command->add_option("file", solve_source, "a file, or - for standard input (default)");
  solve_command->add_option("--threads", solve_threads, "threads; 0, the default, uses every core")
      ->check(CLI::Range(0, 1024));
  solve_command->footer(
      "Each line holds a model's name and its fields; the answer comes on the same line of the output.\n"
      "A bad row gets {\"error\":{\"field\",\"message\"}} and exit code 1. See docs/solve.md.\n\n"
      "Examples:\n  carom solve rows.jsonl > answers.jsonl\n  generate | carom solve - --threads 1");

  CLI::App* schema_command = app.add_subcommand("schema", "Print the JSON Schema of scenario files, for editors");
  bool of_rows = false;
  schema_command->add_flag("--rows", of_rows, "instead that of the rows of `carom solve` and of their answers");
  schema_command->footer("Examples:\n  carom schema > scenario.schema.json\n  carom schema --rows > solve.schema.json");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return exit_code(app.exit(error) == 0 ? fine : bad_input);
  }

  try {
    if (*run_command) return exit_code(run(run_file, run_set, run_folder, run_json));
    if (*check_command) return exit_code(check(check_files));
    if (*list_command) return exit_code(list(list_json));
    if (*solve_command) return exit_code(solve(solve_source, solve_threads));
    std::cout << (of_rows ? scenario::rows_schema() : scenario::json_schema());
    return exit_code(fine);
  } catch (const scenario::BadScenario& error) {
    std::cerr << error.what() << "\n";
    return bad_input;
  } catch (const std::exception& error) {
    std::cerr << "carom: " << error.what() << "\n";
    return failed;
  }
}
