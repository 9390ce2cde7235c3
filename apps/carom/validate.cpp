#include "carom/scenario/validate.hpp"

#include <algorithm>
#include <iostream>
#include <unistd.h>

#include "carom/report/writers.hpp"
#include "carom/schema/mistakes.hpp"

#include "commands.hpp"
#include "long_work.hpp"
#include "screen.hpp"
#include "shipped.hpp"

namespace fs = std::filesystem;
namespace scenario = carom::scenario;
namespace report = carom::report;

namespace {

/// The set of the user's own table of planar impacts: not a file that comes with carom.
constexpr const char* planar_impacts = "planar-impacts";

void output(const report::Document& document, bool json, std::string& all) {
  if (json)
    all += (all.empty() ? "" : ",\n") + report::json_text(document);
  else
    std::cout << report::terminal_text(document, {.color = takes_color(STDOUT_FILENO), .width = screen_width()})
              << "\n";
}

}  // namespace

int validate(const ValidateOptions& options) {
  const std::vector<fs::path> shipped = yaml_files(shipped_sets());
  std::vector<std::string> known{planar_impacts};
  for (const fs::path& file : shipped) known.push_back(file.stem().string());
  if (options.list) {
    for (const std::string& name : known)
      std::cout << name << (name == planar_impacts ? " (needs --data)" : "") << "\n";
    return fine;
  }
  std::vector<fs::path> files;
  bool own = false;
  for (const std::string& word : options.sets) {
    std::error_code error;
    const auto found = std::find(known.begin(), known.end(), word);
    if (word == planar_impacts)
      own = true;
    else if (found != known.end())
      files.push_back(shipped[static_cast<std::size_t>(found - known.begin()) - 1]);
    else if (fs::is_regular_file(word, error))
      files.emplace_back(word);
    else
      throw BadOption("there is no set '" + word + "'" + carom::schema::suggestion(word, known) +
                      " `carom validate --list` shows them");
  }
  if (options.sets.empty() && options.data.empty()) files = shipped;
  if (own && options.data.empty()) throw BadOption("planar-impacts needs the measured impacts: --data FILE");
  if (!own && !options.data.empty() && !options.sets.empty()) throw BadOption("--data belongs to planar-impacts");
  LongWork work;
  const carom::Progress progress = work.progress();
  std::string all;
  int result = fine;
  for (const fs::path& file : files) {
    const scenario::Validation validation = scenario::validate(file, shipped_scenarios(), progress);
    for (const scenario::Prediction& prediction : validation.predictions)
      if (!prediction.as_expected) result = failed;
    output(scenario::describe(validation), options.json, all);
  }
  if (!options.data.empty())
    output(scenario::describe(scenario::validate_planar_impacts(options.data, options.mass, options.gyration, progress),
                              options.data),
           options.json, all);
  if (options.json) std::cout << "[" << all << "]\n";
  return result;
}
