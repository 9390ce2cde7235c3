// Rod scenarios: the text's figures from file to answer, and the mistakes a file can make.
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

json answer_of(const Scenario& scenario) { return json::parse(report::json_text(scenario.answer())); }

double fact(const json& answer, const char* key) { return answer["facts"][key]["value"].get<double>(); }

// The sheet of the rod: figure 5.1 of Wang 2017.
TEST(RodScenarios, LateBounces) {
  const json answer = answer_of(load(scenarios / "rod_late_bounce.yaml"));
  const double expected[] = {1.788481033, 2.553022499, 3.299026051};
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(answer["tables"]["compare"]["columns"][2]["cells"][i].get<double>(), expected[i], 5e-10);
}

// Appendix C with the true stress, and e_E = .5844 (sheet).
TEST(RodScenarios, Structural) {
  const json answer = answer_of(load(scenarios / "rod_structural.yaml"));
  EXPECT_NEAR(fact(answer, "t_b"), 0.1715620081, 5e-11);
  EXPECT_NEAR(fact(answer, "e_energy"), 0.5844, 5e-5);
  EXPECT_EQ(answer["tables"]["sweep"]["columns"][0]["cells"].size(), 720u);
}

// Without a bounce there is no lift-off to have an energy at; at rest the weight has gone down (sheet: -g^2 L^3/(6
// c^2)).
TEST(RodScenarios, WithoutABounceThereIsNoEnergyAtLiftOff) {
  const json facts = answer_of(
      parse("kind: rod\nwave_speed: 1\nlength: 1\ngravity: 1\ndamping: 1\nimpact_speed: 0.1\n", "f.yaml"))["facts"];
  EXPECT_EQ(facts["status"]["value"], "no_bounce");
  EXPECT_NEAR(facts["energy_total"]["value"].get<double>(), -1.0 / 6.0, 1e-12);
  EXPECT_TRUE(facts["energy_translation"]["value"].is_null());
  EXPECT_TRUE(facts["energy_vibration"]["value"].is_null());
}

// The wave equation is linear: what it says of a rod that is struck too hard is said with a warning.
TEST(RodScenarios, BeyondALinearRodThereIsAFlagAndASentence) {
  const auto answer = [](const char* speed, const char* length) {
    return answer_of(parse(
        std::string("kind: rod\nwave_speed: 100\nlength: ") + length + "\nimpact_speed: " + speed + "\n", "f.yaml"));
  };
  const auto flags = [&](const char* speed, const char* length) {
    return answer(speed, length)["facts"]["flags"]["value"].get<std::string>();
  };
  const auto notes = [&](const char* speed, const char* length) { return answer(speed, length)["notes"].dump(); };
  EXPECT_EQ(flags("2.99", "0.001"), "");  // strain 0.0299
  EXPECT_EQ(flags("3.01", "0.001"), "large_strain");
  EXPECT_NE(notes("10", "1").find("large_strain: the rod is strained by up to 10.2 %."), std::string::npos);
  EXPECT_EQ(flags("1", "20"), "large_strain");  // 1/100 + 2 x 9.81 x 20/100^2 = .04924: its own weight
  EXPECT_NE(notes("1", "20").find("by up to 4.92 %"), std::string::npos);
  EXPECT_EQ(flags("100.1", "1"), "supersonic, large_strain");
  EXPECT_NE(notes("250", "1").find("supersonic: the rod is 2.5 times as fast as the waves in it."), std::string::npos);
  EXPECT_EQ(answer("1", "1")["notes"].size(), 0u);
}

// Undamped: vibration takes at most 4/9 of the energy, at two thirds of g t1 = 2.
TEST(RodScenarios, UndampedVibrationPeaksAtFourNinths) {
  const json answer = answer_of(load(scenarios / "rod_undamped.yaml"));
  double best = 0.0, speed = 0.0;
  const auto& columns = answer["tables"]["sweep"]["columns"];
  const auto shares = std::find_if(columns.begin(), columns.end(),
                                   [](const json& column) { return column["key"] == "vibration_share"; });
  ASSERT_NE(shares, columns.end());
  for (std::size_t i = 0; i < 160; ++i)
    if ((*shares)["cells"][i].get<double>() > best) best = (*shares)["cells"][i], speed = columns[0]["cells"][i];
  EXPECT_NEAR(best, 4.0 / 9.0, 1e-3);
  EXPECT_NEAR(speed, 4.0 / 3.0, 0.05);
}

TEST(RodScenarios, NameWhatIsWrong) {
  const auto complaint = [](const std::string& text) {
    try {
      parse("kind: rod\nlength: 1\nimpact_speed: 2\n" + text, "f.yaml");
    } catch (const BadScenario& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(complaint("material: steel\n"), "accepted");
  EXPECT_EQ(complaint("material: steal\n"),
            "f.yaml:4: material: must be one of steel, concrete, rubber, got \"steal\", did you mean 'steel'?");
  EXPECT_EQ(complaint(""), "f.yaml:1: needs either `material` or `wave_speed`");
  EXPECT_EQ(complaint("wave_speed: -1\n"), "f.yaml:4: wave_speed: must be positive, got -1");
  EXPECT_EQ(complaint("wave_speed: 1\nmodel: planar\n"), "f.yaml:5: model: unknown key");
  EXPECT_EQ(complaint("wave_speed: 1\nbounces: 0.5\n"), "f.yaml:5: bounces: must be in [1, 200], got 0.5");
}

}  // namespace
}  // namespace carom::scenario
