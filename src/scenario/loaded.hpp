// What a Scenario keeps: the file as it was read, and the typed problem.
#pragma once

#include "carom/scenario/scenario.hpp"

#include "kind.hpp"
#include "sweep.hpp"

namespace carom::scenario {

struct Scenario::Loaded {
  Head head;
  std::string file;
  std::filesystem::path folder;  ///< where the names of other files start
  std::string text;              ///< of the file; the trees point into it
  std::vector<Setting> settings;
  Tree as_written, as_set;
  const Value* root = nullptr;  ///< of the tree that counts
  const Kind* kind = nullptr;
  std::shared_ptr<const void> problem;
  std::optional<Sweep> sweep;
  std::vector<std::string> warnings;
};

}  // namespace carom::scenario
