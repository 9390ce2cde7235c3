// What does a scenario file ask, and what is the answer?
// A YAML (or JSON) file is read strictly into a typed problem, run, and described as a document for the writers of
// `report`. Every mistake in a file is found in one pass and named as `file:line: path: message`.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "carom/report/document.hpp"
#include "carom/schema/mistakes.hpp"
#include "carom/schema/settings.hpp"

namespace carom::scenario {

using schema::Mistake;
using schema::Setting;

/// A file that cannot be run. what() has one line per mistake: "file.yaml:12: bodies[0].mass: must be positive, got
/// -1".
class BadScenario : public std::runtime_error {
public:
  BadScenario(const std::string& file, std::vector<Mistake> mistakes);
  const std::vector<Mistake>& mistakes() const noexcept { return mistakes_; }

private:
  std::vector<Mistake> mistakes_;
};

/// A checked scenario, ready to run.
struct Scenario {
  std::string kind;   ///< "impact"
  std::string model;  ///< "planar"
  std::string title;
  std::string about;                      ///< what to look at
  std::function<report::Document()> run;  ///< solve and describe; may be called any number of times, from any thread
};

/// Read and check a scenario file.
/// @param settings  values to put in place of the file's, or beside them (carom/schema/settings.hpp)
/// @throws BadScenario with every mistake found; also when the file cannot be read
Scenario load(const std::filesystem::path& file, std::span<const Setting> settings = {});

/// The same from text; `file` is the name used in messages.
Scenario parse(std::string_view text, const std::string& file, std::span<const Setting> settings = {});

/// The JSON Schema (draft 2020-12) of scenario files, from the same definitions the reader uses: for editors.
std::string json_schema();

}  // namespace carom::scenario
