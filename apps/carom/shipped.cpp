#include "shipped.hpp"

#include <algorithm>
#ifdef __linux__
#include <sys/auxv.h>
#endif

#include "carom/schema/mistakes.hpp"

namespace fs = std::filesystem;

namespace {

bool is_scenario(const fs::path& file) {
  const fs::path kind = file.extension();
  return kind == ".yaml" || kind == ".yml" || kind == ".json";
}

/// What somebody may have meant: scenarios in the folder of the word, and those that come with carom.
std::string nearest(const fs::path& word) {
  std::vector<std::string> names;
  std::error_code error;
  const fs::path folder = word.has_parent_path() ? word.parent_path() : fs::path(".");
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (is_scenario(entry.path()))
      names.push_back((word.has_parent_path() ? entry.path() : entry.path().filename()).string());
  if (!word.has_parent_path())
    for (const fs::path& file : shipped_files())
      names.push_back(word.has_extension() ? file.filename().string() : file.stem().string());
  return carom::schema::suggestion(word.string(), names);
}

/// Where the program stands: also where /proc is not mounted.
fs::path program_folder() {
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
#ifdef __linux__
  if (error)
    if (const auto* started = reinterpret_cast<const char*>(getauxval(AT_EXECFN)))
      program = fs::canonical(started, error);
#endif
  return program.parent_path();
}

}  // namespace

fs::path shipped_scenarios() {
  std::error_code error;
  const fs::path folder = program_folder();
  const fs::path installed = (folder / CAROM_SCENARIOS_FROM_PROGRAM).lexically_normal();
  return fs::is_directory(installed, error) ? installed : folder / "scenarios";
}

fs::path shipped_works() { return shipped_scenarios().parent_path() / "reproduce"; }

fs::path shipped_sets() { return shipped_scenarios().parent_path() / "validate"; }

std::vector<fs::path> yaml_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> shipped_files() { return yaml_files(shipped_scenarios()); }

fs::path scenario_file(const std::string& name) {
  const fs::path file = name;
  std::error_code error;
  if (fs::exists(file, error) && !fs::is_directory(file, error)) return file;
  if (!file.has_parent_path()) {
    const fs::path shipped = shipped_scenarios() / (name + (is_scenario(file) ? "" : ".yaml"));
    if (fs::exists(shipped, error)) return shipped;
  }
  if (fs::exists(file, error)) return file;  // a folder: whoever reads it says so
  const std::string meant = nearest(file);
  if (file.has_parent_path()) throw NoScenario(name + ": there is no such file" + meant);
  throw NoScenario(name + ": there is no such file, nor does a scenario of this name come with carom" +
                   (meant.empty() ? "; `carom list` shows those that do" : meant + " `carom list` shows them all"));
}
