// Rows of every model, good and bad, with the answers they had when this file was made: what a change of structure must
// leave alone. The rows are mutated ones (tests/campaign) that are neither ill-conditioned nor cut short.
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/scenario/solve.hpp"

#include "scenario/conforms.hpp"

namespace carom::scenario {
namespace {

using nlohmann::json;

std::vector<std::string> lines_of(const char* name) {
  std::ifstream file(std::string(CAROM_SOURCE_DIR) + "/tests/scenario/golden/" + name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

double largest_number(const json& value) {
  if (value.is_number()) return std::abs(value.get<double>());
  double largest = 0.0;
  if (value.is_structured())
    for (const json& item : value) largest = std::max(largest, largest_number(item));
  return largest;
}

/// Where two answers differ by more than `allowed`; "" if nowhere. Another processor or library may round otherwise.
std::string difference(const json& a, const json& b, double allowed, const std::string& path = "") {
  if (a.is_number() && b.is_number())
    return std::abs(a.get<double>() - b.get<double>()) <= allowed ? "" : path + ": " + a.dump() + " and " + b.dump();
  if (a.type() != b.type() || a.size() != b.size()) return path + ": " + a.dump() + " and " + b.dump();
  if (a.is_object()) {
    for (const auto& [key, item] : a.items()) {
      if (!b.contains(key)) return path + "." + key + " is missing";
      if (const auto found = difference(item, b[key], allowed, path + "." + key); !found.empty()) return found;
    }
    return "";
  }
  if (a.is_array()) {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (const auto found = difference(a[i], b[i], allowed, path + "[" + std::to_string(i) + "]"); !found.empty())
        return found;
    return "";
  }
  return a == b ? "" : path + ": " + a.dump() + " and " + b.dump();
}

/// Whoever names a model that does not exist is told those that do: more of them with time.
json without_models(json answer) {
  if (!answer.contains("error") || answer["error"]["field"] != "model") return answer;
  std::string text = answer["error"]["message"].get<std::string>();
  const std::size_t list = text.find("one of "), end = text.find(", got ");
  if (list != std::string::npos && end != std::string::npos) text.erase(list + 7, end - list - 7);
  answer["error"]["message"] = text;
  return answer;
}

TEST(Golden, RowsAreAnsweredAsBefore) {
  const auto rows = lines_of("rows.jsonl"), answers = lines_of("answers.jsonl");
  ASSERT_GE(rows.size(), 300U);
  ASSERT_EQ(rows.size(), answers.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    bool failed = false;
    const json now = without_models(json::parse(solve_row(rows[i], failed))),
               before = without_models(json::parse(answers[i]));
    EXPECT_EQ(difference(before, now, 1e-9 * largest_number(before)), "") << "row " << i << ": " << rows[i];
  }
}

TEST(Golden, AnswersConformToTheirSchema) {
  const json schema = json::parse(rows_schema());
  const auto rows = lines_of("rows.jsonl"), answers = lines_of("answers.jsonl");
  std::size_t looked_at = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    json answer = json::parse(answers[i]);
    if (answer.contains("error")) continue;
    answer.erase("id");
    const json row = json::parse(rows[i]);
    const json& model = schema["$defs"][row["model"].get<std::string>()];
    EXPECT_TRUE(conforms(answer, model["answer"])) << answers[i];
    json missing = answer;
    missing.erase("flags");
    EXPECT_FALSE(conforms(missing, model["answer"])) << answers[i];
    ++looked_at;
  }
  EXPECT_GT(looked_at, 200U);
}

}  // namespace
}  // namespace carom::scenario
