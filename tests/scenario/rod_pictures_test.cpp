// What a reader of Wang 2017, chapter 5 and appendix C, looks for: from file to number and picture. Values by
// independent computation (20-digit sums over reflections, modal sums in 40 digits), at the place named.
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/elastic/held_rod.hpp"
#include "carom/report/writers.hpp"
#include "carom/scenario/scenario.hpp"

namespace carom::scenario {
namespace {

using nlohmann::json;

const std::filesystem::path scenarios = std::filesystem::path(CAROM_SOURCE_DIR) / "scenarios";

json answer_of(const Scenario& scenario) { return json::parse(report::json_text(scenario.answer())); }

json cells(const json& answer, const char* table, const char* key) {
  for (const json& column : answer["tables"][table]["columns"])
    if (column["key"] == key) return column["cells"];
  ADD_FAILURE() << "no column " << key;
  return {};
}

// Figure 5.1: crossings where they can be seen, and Psi_r jumping up by 2 at the first round trip.
TEST(RodPictures, StressFunction) {
  const json plot = answer_of(load(scenarios / "rod_late_bounce.yaml"))["plots"]["stress_function"];
  const double crossings[] = {1.788481033, 2.553022499, 3.299026051};
  ASSERT_EQ(plot["markers"]["x"].size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(plot["markers"]["x"][i].get<double>(), crossings[i], 6e-10);
    EXPECT_EQ(plot["markers"]["y"][i], 0.0);
  }
  ASSERT_EQ(plot["curves"].size(), 3u);
  const json &x = plot["curves"][0]["x"], &y = plot["curves"][0]["y"];
  for (std::size_t k = 1; k < x.size(); ++k)
    if (x[k].is_null()) {
      EXPECT_NEAR(y[k - 1].get<double>(), -3.5532689, 6e-8);
      EXPECT_NEAR(y[k + 1].get<double>(), -1.5532689, 6e-8);
      break;
    }
}

// Figures 5.2 to 5.4: the dots, on their curves.
TEST(RodPictures, DotsOfFigures52To54) {
  const json undamped = answer_of(load(scenarios / "rod_undamped.yaml"))["plots"];
  const json shares = undamped["sweep_translation_share"]["markers"];
  ASSERT_EQ(shares["x"].size(), 2u);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(shares["x"][i].get<double>(), 2.0, 1e-12);
  EXPECT_NEAR(shares["y"][0].get<double>(), 2.0 / 3.0, 1e-3);  // between two points of the curve
  EXPECT_NEAR(shares["y"][1].get<double>(), 1.0 / 3.0, 1e-3);
  EXPECT_NEAR(undamped["sweep_energy_vibration"]["markers"]["y"][0].get<double>(), 2.0 / 3.0, 1e-3);
  const json damped = answer_of(load(scenarios / "rod_damped_sweep.yaml"))["plots"]["sweep_translation_share"];
  const double speeds[] = {2.0, 2.243543, 2.593645, 3.096519};
  ASSERT_EQ(damped["markers"]["x"].size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(damped["markers"]["x"][i].get<double>(), speeds[i], 6e-7);
}

// Appendix C: partial sums beside all of the series.
TEST(RodPictures, PartialSums) {
  const json answer = answer_of(parse(
      "kind: rod\nmaterial: rubber\nlength: 5\ngravity: 9.8\ndamping: 18\ndamping_kind: structural\nimpact_speed: 5\n"
      "terms: [5, 9, 400]\n",
      "f.yaml"));
  const double left[] = {0.4864, 0.4685}, fifth[] = {0.435836225877585, 0.4666118444733082, 0.489258234041690225};
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(cells(answer, "terms", "energy_share")[i].get<double>(), left[i], 5.1e-5);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(cells(answer, "terms", "lowest_fifth")[i].get<double>(), fifth[i], 1e-11);
  EXPECT_NEAR(cells(answer, "terms", "strain")[1].get<double>(), -0.0236535, 5.1e-8);
  EXPECT_NEAR(cells(answer, "terms", "first_rate")[1].get<double>(), 36.0 * 90.0, 1e-9);
  // All: .44601 (sheet), and a share that 400 terms have not reached yet.
  EXPECT_NEAR(cells(answer, "terms", "energy_share")[3].get<double>(), 0.44601, 5.1e-6);
  EXPECT_TRUE(cells(answer, "terms", "first_rate")[3].is_null());
  const double all = cells(answer, "terms", "lowest_fifth")[3].get<double>();
  EXPECT_GT(all, fifth[2]);
  EXPECT_LT(all, fifth[2] + 1e-3);
  for (const char* name : {"strain", "dissipation_rate", "dissipation", "displacement", "energy"})
    EXPECT_TRUE(answer["plots"].contains(name)) << name;
  EXPECT_EQ(answer["plots"]["strain"]["curves"].size(), 4u);
}

// Figure C.6: energy left over damping, with 20 terms and with all; steel, concrete, rubber.
TEST(RodPictures, EnergyLeftOfFigureC6) {
  const json answer = answer_of(load(scenarios / "rod_energy_left.yaml"));
  const json all = cells(answer, "sweep", "energy_share_round_trip"),
             twenty = cells(answer, "sweep", "energy_share_terms");
  ASSERT_EQ(all.size(), 243u);
  const double first[] = {0.985704778, 0.9829405392, 0.8693947648},
               last[] = {0.7978855324, 0.7588286222, 0.00630859939};
  const double first_20[] = {0.99418, 0.99202, 0.87952}, last_20[] = {0.80802, 0.76896, 0.01644};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(all[i].get<double>(), first[i], 1.1e-10);
    EXPECT_NEAR(all[240 + i].get<double>(), last[i], 1.1e-10);
    EXPECT_NEAR(twenty[i].get<double>(), first_20[i], 5.1e-6);
    EXPECT_NEAR(twenty[240 + i].get<double>(), last_20[i], 5.1e-6);
  }
}

TEST(RodPictures, BothKindsOfDampingTogether) {
  const json answer = answer_of(load(scenarios / "rod_two_dampings.yaml"));
  EXPECT_EQ(cells(answer, "compare", "damping_kind"), json({"viscous", "structural"}));
  EXPECT_NEAR(cells(answer, "compare", "t_b")[0].get<double>(), 2.0 / 60.0, 1e-15);  // a round trip
  const RodResult other = rod_impact({60.0, 1.0, 9.8, 7.29512522, DampingKind::structural, 1.2, {}, 1, {}});
  EXPECT_EQ(cells(answer, "compare", "e_energy")[1].get<double>(), other.e_energy.value());
  EXPECT_EQ(answer["plots"]["stress"]["curves"].size(), 2u);
}

// A velocity and a load along the rod; uniform, they are the rod of one piece.
TEST(RodPictures, AnyStart) {
  const json answer = answer_of(load(scenarios / "rod_any_start.yaml"));
  EXPECT_EQ(answer["facts"]["status"]["value"], "bounce");
  EXPECT_NEAR(answer["facts"]["momentum_before"]["value"].get<double>(), -1.0, 1e-14);
  const std::string rod = "kind: rod\nwave_speed: 10\nlength: 1\ngravity: 3\ndamping: 0.7\n";
  const json falling = answer_of(parse(rod + "impact_speed: 2\n", "f.yaml"));
  const json started = answer_of(parse(rod + "initial_velocity: [[0, -2]]\n", "f.yaml"));
  // Gravity as a load is gravity.
  const schema::Setting lighter[] = {{"gravity", "2"}};
  const json loaded = answer_of(parse(rod + "impact_speed: 2\nload: [[0, -1], [1, -1]]\n", "f.yaml", lighter));
  for (const json& one : {started, loaded})
    for (const char* key : {"t_b", "momentum", "e_momentum"})
      EXPECT_NEAR(one["facts"][key]["value"].get<double>(), falling["facts"][key]["value"].get<double>(), 1e-10) << key;
}

TEST(RodPictures, ADotNeedsAFact) {
  const schema::Setting setting[] = {{"sweep.show[1].mark_at", "round_trip_sped"}};
  const Scenario scenario = load(scenarios / "rod_undamped.yaml", setting);
  try {
    scenario.answer();
    FAIL() << "accepted";
  } catch (const BadScenario& error) {
    EXPECT_NE(
        std::string(error.what())
            .find("sweep.show[1].mark_at: there is no fact \"round_trip_sped\", did you mean 'round_trip_speed'?"),
        std::string::npos)
        << error.what();
  }
}

TEST(RodPictures, NameWhatIsWrong) {
  const auto complaint = [](const std::string& text) {
    try {
      parse("kind: rod\nwave_speed: 1\nlength: 1\n" + text, "f.yaml");
    } catch (const BadScenario& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(complaint(""), "f.yaml:1: needs either `impact_speed` or `initial_velocity`");
  EXPECT_EQ(complaint("impact_speed: 1\ninitial_velocity: [[0, -1]]\n"),
            "f.yaml:1: needs either `impact_speed` or `initial_velocity`");
  EXPECT_EQ(complaint("initial_velocity: [[0, -1], [2, -1]]\n"),
            "f.yaml:4: initial_velocity[1]: its x must be in [0, 1], got 2");
  EXPECT_EQ(complaint("initial_velocity: [[0.5, -1], [0.2, -1]]\n"),
            "f.yaml:4: initial_velocity[1]: x must not fall, got 0.2 after 0.5");
  EXPECT_EQ(
      complaint("initial_velocity: [[0, -1]]\nterms: [3]\n"),
      "f.yaml:5: terms: goes with `impact_speed` alone: a velocity or load along the rod is followed until lift-off");
  EXPECT_EQ(complaint("impact_speed: 1\nload: [[0, 1]]\ndamping: 1\ndamping_kind: structural\n"),
            "f.yaml:7: damping_kind: must be viscous with a velocity or load along the rod, got structural");
  EXPECT_EQ(complaint("impact_speed: 1\nterms: [0]\n"), "f.yaml:5: terms[0]: must be in [1, 1000], got 0");
  EXPECT_EQ(complaint("impact_speed: 1\ncompare: [{damping_kind: viscous}]\n").substr(0, 28),
            "f.yaml:5: compare[0].damping");
}

}  // namespace
}  // namespace carom::scenario
