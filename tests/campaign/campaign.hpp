// Does every row come back, and is it right, whatever is written in it?
// A campaign takes good rows of every model, mutates them structurally (numbers, fields, lists, types, whole parts of
// other rows), and holds every answer against what must be true of it. Row k of a seed is the same on every machine.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace carom::campaign {

using Json = nlohmann::ordered_json;
using Random = std::mt19937_64;

/// Good rows of every model.
std::vector<Json> seed_rows();

/// The text of a row made from one of the seeds by one to four mutations.
std::string mutated_row(const std::vector<Json>& seeds, Random& random);

/// What is wrong with an answer; empty if nothing is.
/// @param line    the row as it was sent
/// @param answer  the line that came back
/// @param failed  whether it was declared to be an error row
std::string wrong_with(const std::string& line, const std::string& answer, bool failed);

}  // namespace carom::campaign
