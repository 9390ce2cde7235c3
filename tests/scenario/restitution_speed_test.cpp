// Restitution that falls with speed, in the file of every kind of impact: the answer is that of the number the law
// gives at the approach speed, at the first touch.
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/report/writers.hpp"
#include "carom/scenario/scenario.hpp"

namespace carom::scenario {
namespace {

using nlohmann::json;

const std::filesystem::path scenarios = std::filesystem::path(CAROM_SOURCE_DIR) / "scenarios";

/// A shipped scenario with one value of its file another.
Scenario with(const char* file, const char* path, const std::string& value) {
  const schema::Setting setting[] = {{path, value}};
  return load(scenarios / file, setting);
}

json facts_of(const Scenario& scenario) { return json::parse(report::json_text(scenario.answer()))["facts"]; }

/// Every fact of a run, less the one that says which number the law gave.
json without_restitution(json facts) {
  facts.erase("restitution");
  return facts;
}

struct Case {
  const char* file;
  const char* path;    ///< of the coefficient
  const char* number;  ///< the same as the law at the approach speed of the file
  const char* law;
};

// Approach speeds, from the files: 1, .07717452 and 5 m/s, and 1 of the contact parameters; the other laws say the same
// at every speed.
constexpr Case cases[] = {
    {"falling_rod_case_2.yaml", "material.restitution", "0.75", "{table: [[0, 1], [2, 0.5]]}"},
    {"icosahedron_tetrahedron.yaml", "material.restitution", "0.6", "{power: [0.6, 0.07717452, 0.25]}"},
    {"superball.yaml", "material.restitution", "0.5", "{slope: 0.1}"},
    {"chain_3_linear.yaml", "material.restitution", "0.8", "{table: [[0, 0.8], [9, 0.8]]}"},
    {"contact_parameters.yaml", "e", "0.8", "{slope: 0.2}"},
    {"pendulum_drop_dry.yaml", "e", "0.5", "{table: [[1, 0.5]]}"}};

TEST(RestitutionOverSpeed, IsTheNumberAtThatSpeed) {
  for (const auto& [file, path, number, law] : cases) {
    const json with_number = facts_of(with(file, path, number)), with_law = facts_of(with(file, path, law));
    EXPECT_EQ(without_restitution(with_law), without_restitution(with_number)) << file;
    EXPECT_NE(without_restitution(with_law), without_restitution(facts_of(with(file, path, "0.317")))) << file;
  }
}

// The contacts of many bodies each have their own speed.
TEST(RestitutionOverSpeed, EachContactAtItsOwnSpeed) {
  const auto file = [](const char* first, const char* others) {
    std::string text = "kind: collide\nbodies:\n";
    for (int i = 0; i < 3; ++i)
      text += "  - {name: b" + std::to_string(i) + ", mass: 1, shape: sphere, radius: 0.5, position: [" +
              std::to_string(i) + ", 0, 0], velocity: [" +
              (i == 0   ? "2"
               : i == 1 ? "0"
                        : "-1") +
              ", 0, 0]}\n";
    return text + "material: {friction: 0, restitution: " + others +
           "}\ncontacts:\n  - {bodies: [b0, b1], material: " + "{friction: 0, restitution: " + first +
           "}}\n  - {bodies: [b1, b2]}\n";
  };
  // b0 and b1 meet at 2 m/s, b1 and b2 at 1.
  const json laws = facts_of(parse(file("{slope: 0.1}", "{slope: 0.3}"), "f.yaml"));
  const json numbers = facts_of(parse(file("0.8", "0.7"), "f.yaml"));
  EXPECT_EQ(without_restitution(laws), without_restitution(numbers));
}

// A sweep over a number of a law, and one over the speed that the law is read at.
TEST(RestitutionOverSpeed, InSweeps) {
  const Scenario rod = with("falling_rod_case_2.yaml", "material.restitution", "{slope: 0.1}");
  Sweep sweep;
  sweep.fields = {{"material.restitution.slope", {0.0, 0.25, 2.0}}};
  const SweepResult result = rod.run_sweep(sweep);
  ASSERT_EQ(result.failed, 0u);
  for (const report::Column& column : result.table.columns)
    if (column.key == "restitution") {
      EXPECT_EQ(std::get<std::vector<double>>(column.cells), (std::vector<double>{1.0, 0.75, 0.0}));
      return;
    }
  FAIL() << "no fact says which restitution it was";
}

// A plan needs a restitution and gives a speed: they agree.
TEST(RestitutionOverSpeed, BattingPlansAgreeWithThemselves) {
  const json facts = facts_of(with("batting.yaml", "material.restitution", "{slope: 0.02}"));
  ASSERT_TRUE(facts["found"]["value"].get<bool>());
  const double e = facts["restitution"]["value"].get<double>();
  EXPECT_LT(e, 1.0);
  EXPECT_GT(e, 0.5);
  EXPECT_LT(facts["miss_distance"]["value"].get<double>(), 1e-9);
  const json same = facts_of(with("batting.yaml", "material.restitution", std::to_string(e)));
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(facts["contact_velocity"]["value"][i].get<double>(), same["contact_velocity"]["value"][i].get<double>(),
                1e-4);
}

TEST(RestitutionOverSpeed, NamesWhatIsWrong) {
  const auto complaint = [](const char* file, const char* path, const char* law) {
    try {
      with(file, path, law);
    } catch (const BadScenario& error) {
      const std::string text = error.what();
      return text.substr(text.find(": ") + 2);
    }
    return std::string("accepted");
  };
  for (const char* file : {"falling_rod_case_2.yaml", "icosahedron_tetrahedron.yaml", "superball.yaml",
                           "chain_3_linear.yaml", "batting.yaml"}) {
    EXPECT_EQ(complaint(file, "material.restitution", "{slope: -1}"),
              "material.restitution.slope: must be >= 0, got -1")
        << file;
    EXPECT_EQ(complaint(file, "material.restitution", "{table: [[0, 1], [1, 0.9], [1, 0.8]]}"),
              "material.restitution.table[2]: speeds must increase, got 1 after 1")
        << file;
    EXPECT_EQ(complaint(file, "material.restitution", "{power: [2, 1, 0]}"),
              "material.restitution.power[0]: must be in [0, 1], got 2")
        << file;
    EXPECT_EQ(complaint(file, "material.restitution", "1.2"), "material.restitution: must be in [0, 1], got 1.2")
        << file;
  }
  EXPECT_EQ(complaint("pendulum_benchmark_a.yaml", "e", "{slope: -1}"), "e.slope: must be >= 0, got -1");
}

}  // namespace
}  // namespace carom::scenario
