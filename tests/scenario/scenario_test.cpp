#include "carom/scenario/scenario.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "carom/report/writers.hpp"
#include "carom/scenario/solve.hpp"
#include "carom/schema/yaml.hpp"

#include "scenario/conforms.hpp"

namespace carom::scenario {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path source = CAROM_SOURCE_DIR;

json run_to_json(const Scenario& scenario) { return json::parse(report::json_text(scenario.answer())); }

TEST(ShippedScenarios, AllRunAndSayWhatToLookAt) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(source / "scenarios")) {
    if (entry.path().extension() != ".yaml") continue;
    Scenario scenario = load(entry.path());
    const std::string stem = entry.path().stem().string();
    if (stem.starts_with("which_") || stem.starts_with("margin_over_")) {  // a minute each: the corners of the map do
      const std::vector<Setting> corners = {{"sweep.over[0].steps", "2"}, {"sweep.over[1].steps", "2"}};
      scenario = load(entry.path(), corners);
    }
    EXPECT_FALSE(scenario.head().title.empty()) << entry.path();
    EXPECT_FALSE(scenario.head().about.empty()) << entry.path();
    const report::Document document = scenario.answer();
    EXPECT_FALSE(document.facts.empty()) << entry.path();
    for (const report::Plot& plot : document.plots) EXPECT_EQ(report::svg_text(plot).find("nan"), std::string::npos);
    ++count;
  }
  EXPECT_GE(count, 6);
}

// Wang and Mason 1992, section 6, from the bodies of the file: B1 = B2 = 2.5, B3 = 1.5 and the closed forms of the
// case.
TEST(FallingRod, Case2FromFileToAnswer) {
  const json answer = run_to_json(load(source / "scenarios/falling_rod_case_2.yaml"));
  const auto fact = [&](const char* key) { return answer["facts"][key]["value"]; };
  EXPECT_NEAR(fact("inverse_inertia")[0].get<double>(), 2.5, 1e-14);
  EXPECT_NEAR(fact("inverse_inertia")[1].get<double>(), 2.5, 1e-14);
  EXPECT_NEAR(fact("inverse_inertia")[2].get<double>(), 1.5, 1e-14);
  EXPECT_NEAR(fact("impulse")[0].get<double>(), 0.24 * 0.9, 1e-14);
  EXPECT_NEAR(fact("impulse")[1].get<double>(), 0.4 * 1.9, 1e-14);
  EXPECT_EQ(fact("mode"), "C-sticking");
  ASSERT_EQ(answer["notes"].size(), 1u);
  EXPECT_NE(answer["notes"][0].get<std::string>().find("newton: kinetic energy rises"), std::string::npos);
}

TEST(FallingRod, TheFourCasesHaveTheirModes) {
  const auto mode = [](int number) {
    const std::string file = "scenarios/falling_rod_case_" + std::to_string(number) + ".yaml";
    return run_to_json(load(source / file))["facts"]["mode"]["value"].get<std::string>();
  };
  EXPECT_EQ(mode(1), "sliding");
  EXPECT_EQ(mode(2), "C-sticking");
  EXPECT_EQ(mode(3), "R-sticking");
  EXPECT_EQ(mode(4), "C-sticking");
}

TEST(Scenario, JsonFilesAreAccepted) {
  const Scenario scenario = parse(R"({"kind":"impact","model":"planar",
    "contact_space":{"inverse_inertia":[[2.5,-1.5],[-1.5,2.5]],"velocity":[0.6,-1]},
    "material":{"friction":0.7,"restitution":1},"law":"newton"})",
                                  "folder/case.json");
  EXPECT_EQ(scenario.head().title, "case");
  EXPECT_NEAR(run_to_json(scenario)["facts"]["velocity_after"]["value"][1].get<double>(), 1.0, 1e-15);
}

TEST(Scenario, NoImpactIsAnAnswerWithItsDiagram) {
  const report::Document document =
      parse(
          "kind: impact\nmodel: planar\ncontact_space: {inverse_inertia: [[1, 0], [0, 1]], velocity: [0, 1]}\n"
          "material: {friction: 0, restitution: 1}\n",
          "f")
          .answer();
  ASSERT_EQ(document.plots.size(), 1U);
  EXPECT_EQ(document.plots[0].name, "routh_diagram");
  EXPECT_EQ(document.summary, "The bodies separate: no impact.");
}

TEST(Scenario, RunsTheSameEveryTime) {
  const Scenario scenario = load(source / "scenarios/disc_and_plank.yaml");
  EXPECT_EQ(report::json_text(scenario.answer()), report::json_text(scenario.answer()));
}

TEST(Schema, ThePublishedFileIsTheOneTheReaderUses) {
  std::ifstream file(source / "schema/scenario.schema.json");
  std::stringstream published;
  published << file.rdbuf();
  EXPECT_EQ(published.str(), json_schema()) << "run: ./run schema > schema/scenario.schema.json";
}

TEST(Schema, TheShippedScenariosConform) {
  const json schema = json::parse(json_schema());
  for (const auto& entry : fs::directory_iterator(source / "scenarios")) {
    if (entry.path().extension() != ".yaml") continue;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    const std::string content = text.str();
    schema::Tree tree;
    schema::Mistakes mistakes;
    schema::read_yaml(content, tree, mistakes);
    EXPECT_TRUE(conforms(json::parse(schema::json_text(tree.root())), schema)) << entry.path();
  }
}

TEST(Schema, ThePublishedFileOfRowsIsTheOneTheReaderUses) {
  std::ifstream file(source / "schema/solve.schema.json");
  std::stringstream published;
  published << file.rdbuf();
  EXPECT_EQ(published.str(), rows_schema()) << "run: ./run schema --rows > schema/solve.schema.json";
}

TEST(Schema, AcceptsWhatTheReaderAcceptsAndRefusesWhatItRefuses) {
  const json schema = json::parse(json_schema());
  const json good = json::parse(R"({"kind":"impact","model":"planar","title":"t",
    "bodies":[{"mass":1,"shape":"rod","length":1,"angle":"90 deg","position":[0,0.5]},"immovable"],
    "contact":{"point":[0,0],"normal":[0,1]},"material":{"friction":0.7,"restitution":1},"compare":["newton"]})");
  EXPECT_TRUE(conforms(good, schema));
  EXPECT_NO_THROW(parse(good.dump(), "f"));
  const auto refused = [&](const char* pointer, const json& value) {
    json bad = good;
    bad[json::json_pointer(pointer)] = value;
    EXPECT_FALSE(conforms(bad, schema)) << pointer;
    EXPECT_THROW(parse(bad.dump(), "f"), BadScenario) << pointer;
  };
  refused("/kind", "other");
  refused("/colour", "red");
  refused("/bodies/0/mass", -1);
  refused("/bodies/0/shape", "cube");
  refused("/bodies/0/position", json::array({1}));
  refused("/material/restitution", 2);
  refused("/compare/0", "hooke");
  refused("/contact/point", "here");
}

}  // namespace
}  // namespace carom::scenario
