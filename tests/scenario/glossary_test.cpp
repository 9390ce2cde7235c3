// The glossary has every word that an answer can carry, and no other.
#include "carom/scenario/glossary.hpp"

#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "carom/contact/parameters.hpp"
#include "carom/core/names.hpp"
#include "carom/elastic/rod.hpp"
#include "carom/impact/contact_force.hpp"
#include "carom/impact/impact.hpp"
#include "carom/impact/impact_class.hpp"
#include "carom/impact/multipoint.hpp"
#include "carom/impact/other_methods.hpp"
#include "carom/impact/planar.hpp"
#include "carom/impact/spatial.hpp"
#include "carom/impact/spatial_methods.hpp"
#include "carom/motion/billiards.hpp"
#include "carom/motion/pendulum_impact.hpp"
#include "carom/motion/world.hpp"
#include "carom/plan/batting.hpp"
#include "carom/scenario/solve.hpp"
#include "carom/soft/grasp.hpp"
#include "carom/soft/rest_shape.hpp"
#include "carom/soft/stiffness.hpp"

#include "parts/contact.hpp"

namespace carom::scenario {
namespace {

using nlohmann::json;
using Words = std::set<std::string>;

Words explained(const std::string& what) {
  Words words;
  for (const Term& term : glossary())
    if (term.what == what) {
      EXPECT_TRUE(words.emplace(term.name).second) << term.name << " is there twice as a " << what;
      EXPECT_TRUE(term.meaning.ends_with('.')) << term.name;
      EXPECT_GE(term.meaning.size(), 14U) << term.name;
    }
  return words;
}

template <class Enum>
void add(Words& words) {
  for (const Named<Enum>& each : names_of<Enum>) words.insert(each.name);
}

TEST(Glossary, HasEveryFlag) {
  Words flags = {"unidentifiable", "at_bound", "no_redundancy"};  // of fits: words of the row
  add<Flag>(flags);
  add<BrokenLaw>(flags);
  add<RodFlag>(flags);
  add<RodLimit>(flags);
  add<WorldFlag>(flags);
  add<BattingFlag>(flags);
  add<ContactParametersFlag>(flags);
  add<ForcesFlag>(flags);
  add<SoftFlag>(flags);
  add<SqueezeFlag>(flags);
  EXPECT_EQ(explained("flag"), flags);
}

TEST(Glossary, HasEveryVerdictModeAndCase) {
  Words verdicts = {"interrupted", "is accurate", "survives", "explodes"}, statuses, modes, cases,
        classes;  // of files only
  add<Verdict>(verdicts);
  add<WorldVerdict>(verdicts);
  add<StrikeVerdict>(verdicts);
  add<PendulumVerdict>(verdicts);
  add<RodStatus>(statuses);
  add<MultipointStatus>(statuses);
  add<FemStatus>(statuses);
  add<RestShapeStatus>(statuses);
  add<SqueezeStatus>(statuses);
  add<PlanarMode>(modes);
  add<TouchMotion>(modes);
  add<SpatialCase>(cases);
  add<ImpactClass>(classes);
  EXPECT_EQ(explained("verdict"), verdicts);
  EXPECT_EQ(explained("status"), statuses);
  EXPECT_EQ(explained("mode"), modes);
  EXPECT_EQ(explained("case"), cases);
  EXPECT_EQ(explained("class"), classes);
  Words methods;
  add<StepMethod>(methods);
  EXPECT_EQ(explained("method"), methods);
}

/// What the schema of rows lets `key` be, anywhere.
void collect(const json& schema, const std::string& key, Words& words) {
  const std::function<void(const json&)> enums = [&](const json& at) {
    if (at.contains("enum"))
      for (const json& word : at["enum"]) words.insert(word.get<std::string>());
    for (const json& part : at)
      if (part.is_structured()) enums(part);
  };
  if (schema.is_object() && schema.contains("properties") && schema["properties"].contains(key))
    enums(schema["properties"][key]);
  for (const json& part : schema)
    if (part.is_structured()) collect(part, key, words);
}

// A new flag or verdict of a row, of whatever enum, is missed here.
TEST(Glossary, HasWhatRowsCanAnswer) {
  json answers = json::array();
  const json schema = json::parse(rows_schema());
  for (const json& model : schema["$defs"]) answers.push_back(model["answer"]);
  for (const auto& [key, what] : {std::pair{"flags", "flag"}, {"verdict", "verdict"}, {"status", "status"}}) {
    Words said;
    collect(answers, key, said);
    EXPECT_GT(said.size(), 4U) << key;
    Words known = explained(what);
    if (key == std::string("status")) known.merge(explained("verdict"));
    for (const std::string& word : said) EXPECT_TRUE(known.contains(word)) << key << ": " << word;
  }
}

TEST(Glossary, RowsOfRodsSayWhatTheirInterfaceLists) {
  Words said;
  collect(json::parse(rows_schema())["$defs"]["rod"]["answer"], "flags", said);
  for (const char* word : {"supersonic", "large_strain"}) EXPECT_FALSE(said.contains(word));
  bool failed = true;
  const json answer = json::parse(solve_row(
      R"({"model":"rod","wave_speed":1,"length":1,"gravity":1,"damping":0,"damping_kind":"viscous","impact_speed":3})",
      failed));
  EXPECT_FALSE(failed);
  EXPECT_EQ(answer["flags"], json::array());
}

TEST(Glossary, ItsPageIsThatOfTheTable) {
  std::ifstream page(std::string(CAROM_SOURCE_DIR) + "/docs/glossary.md");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(page), {}), glossary_page())
      << "carom explain --markdown > docs/glossary.md";
}

}  // namespace
}  // namespace carom::scenario
