// A catalogue as it was read: what an entry says, and what computes it.
#pragma once

#include <map>
#include <mutex>
#include <optional>

#include "carom/scenario/reproduce.hpp"
#include "carom/schema/fields.hpp"
#include "carom/schema/settings.hpp"
#include "carom/schema/value.hpp"

#include "formula.hpp"

namespace carom::scenario {

namespace catalogue {

/// A row of `carom solve`, or a scenario with settings. Texts that begin with "=" are formulas of the inputs.
struct Run {
  std::string name;  ///< of several: what formulas call it; "" of the only one
  const schema::Value* row = nullptr;
  std::string scenario;
  const schema::Value* set = nullptr;  ///< path: value
};

/// A name that formulas and templates may use, and the values it takes.
struct Input {
  enum class Spread { fixed, listed, even, uniform, log_uniform };
  std::string name;
  Spread spread = Spread::fixed;
  std::optional<Formula> formula;  ///< of the inputs before; or
  Datum values;                    ///< one or many; or
  double from = 0.0, to = 0.0;
  int count = 0;  ///< of even ones
};

/// The value of an input for which something is zero, largest or smallest.
struct Search {
  enum class For { zero, largest, smallest };
  std::string input;
  double from = 0.0, to = 0.0;
  For what = For::zero;
  std::optional<Formula> of;
};

struct NamedFormula {
  std::string name;
  Formula formula;
};

struct Entry {
  Printed printed;
  std::vector<double> numbers;  ///< printed, in order; empty if words or nothing were
  std::vector<double> units;    ///< one unit of the last digit of each; 0 for a whole number
  std::optional<double> within;
  std::vector<Input> inputs;
  int samples = 1000;
  int seed = 1;
  std::vector<Run> runs;
  std::optional<Search> search;
  std::vector<NamedFormula> each;
  std::optional<Formula> value, holds, printed_from;
  std::string not_computed;
};

}  // namespace catalogue

struct Work::Loaded {
  std::string name, title, theory, text;
  schema::Tree tree;  // points into the text
  std::vector<catalogue::Entry> entries;
};

/// The rest of the room's way to what a Work keeps.
struct WorkInside {
  static const Work::Loaded& of(const Work& work) { return *work.loaded_; }
};

namespace catalogue {

/// Runs shipped scenarios, and keeps the answers: many entries look at one run.
class Scenarios {
public:
  Scenarios(std::filesystem::path folder, const Progress& progress) : folder_(std::move(folder)), progress_(progress) {}
  /// @throws BadScenario, InvalidInput, Cancelled
  std::shared_ptr<const report::Document> answer(const std::string& name, const std::vector<schema::Setting>& settings);
  const Progress& progress() const { return progress_; }

private:
  static constexpr std::size_t most_kept = 200;

  std::filesystem::path folder_;
  const Progress& progress_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const report::Document>> answers_;
};

/// @throws Cancelled
Reproduction reproduced(const Entry& entry, Scenarios& scenarios);

/// The value of an entry for each combination of its inputs, laid end to end.
/// @throws InvalidInput, BadScenario, Cancelled
Numbers predictions(const Entry& entry, Scenarios& scenarios);

/// Descriptions that entries share with sets of measurements.
schema::Type<std::vector<Input>> inputs_type();
schema::Type<std::optional<Formula>> formula_type();
schema::Type<const schema::Value*> anything();

}  // namespace catalogue

}  // namespace carom::scenario
