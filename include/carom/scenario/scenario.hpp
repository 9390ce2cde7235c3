// What does a scenario file ask, and what is the answer?
// A YAML (or JSON) file is read strictly into a typed problem, run, and described as a document for the writers of
// `report`. Every mistake in a file is found in one pass and named as `file:line: path: message`. A file may sweep one
// or two of its numbers over many values: sweep.hpp.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "carom/core/progress.hpp"
#include "carom/report/document.hpp"
#include "carom/scenario/sweep.hpp"
#include "carom/schema/mistakes.hpp"
#include "carom/schema/settings.hpp"

#pragma GCC visibility push(default)

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

/// What every scenario file starts with.
struct Head {
  std::string kind;   ///< "impact"
  std::string model;  ///< "planar"; empty if the kind has no choice of models
  std::string title;
  std::string about;  ///< what to look at
};

/// A kind of scenario there is.
struct KindInfo {
  std::string kind, model;  ///< as in Head
  std::string description;  ///< what it asks
  std::string example;      ///< name of a scenario that comes with carom and needs no other file
};

/// What a run gave: the result of the scenario's kind, and of its sweep. Scenario::describe() knows what it says.
struct Result {
  std::shared_ptr<const void> of_kind;
  std::optional<SweepResult> of_sweep;
};

/// A checked scenario with its typed problem, ready to run: any number of times, from any thread.
class Scenario {
public:
  const Head& head() const;
  /// What is legal in the file but hardly meant, in sentences; also notes of every document.
  const std::vector<std::string>& warnings() const;

  /// Solve it, and run its sweep.
  /// @throws Cancelled if asked to stop, except during the sweep: then that has the runs finished by then
  /// @throws BadScenario if its sweep shows a fact that there is none of
  Result run(const Progress& progress = {}) const;
  /// The document about a result of this scenario.
  report::Document describe(const Result& result) const;
  /// describe(run())
  report::Document answer(const Progress& progress = {}) const { return describe(run(progress)); }

  /// Runs the scenario once for each combination of values; its own sweep has no part in it.
  /// @throws BadScenario naming a path that cannot be varied over these values, or a fact that there is none of;
  ///         InvalidInput if the sweep itself makes no sense (no field, three fields, no values, too many runs)
  SweepResult run_sweep(const Sweep& sweep, const Progress& progress = {}) const;
  /// The document about a sweep alone.
  report::Document describe(const SweepResult& result) const;

private:
  struct Loaded;
  friend Scenario parse(std::string_view, const std::string&, std::span<const Setting>);
  friend std::string annotated(const Scenario&);
  explicit Scenario(std::shared_ptr<const Loaded> loaded) : loaded_(std::move(loaded)) {}

  std::shared_ptr<const Loaded> loaded_;
};

/// Read and check a scenario file.
/// @param settings  values to put in place of the file's, or beside them (carom/schema/settings.hpp)
/// @throws BadScenario with every mistake found; also when the file cannot be read
Scenario load(const std::filesystem::path& file, std::span<const Setting> settings = {});

/// The same from a stream, up to its end; `name` is what messages call it.
Scenario load(std::istream& in, const std::string& name, std::span<const Setting> settings = {});

/// The same from text; `file` is the name used in messages.
Scenario parse(std::string_view text, const std::string& file, std::span<const Setting> settings = {});

/// Every kind there is, those of one name together.
std::vector<KindInfo> scenario_kinds();

/// A scenario written out as YAML to start a new one from: each key with what it means, and below, as remarks, the keys
/// that it leaves out. It asks the same as the scenario.
std::string annotated(const Scenario& scenario);

/// The JSON Schema (draft 2020-12) of scenario files, from the same definitions the reader uses: for editors.
std::string json_schema();

}  // namespace carom::scenario

#pragma GCC visibility pop
