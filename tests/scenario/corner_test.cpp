// The ball in the corner from file to picture: slip diagrams, the friction law of each answer, the number of answers
// over the angle (Rodriguez 2010, chapter 5; m = 1, R = .5, I = .125, e = .5, mu_s = .5, mu_d = .25). Expected numbers:
// an independent evaluation of eq. 4.9 along v_t, and an enumeration of eq. 4.13.
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/report/writers.hpp"
#include "carom/scenario/scenario.hpp"

namespace carom::scenario {
namespace {

using nlohmann::json;

const std::filesystem::path corner_files = std::filesystem::path(CAROM_SOURCE_DIR) / "scenarios";

/// Without its sweep and with springs as coarse as may be: nothing here looks at them.
json corner_answer(const std::string& name, std::vector<Setting> settings = {}) {
  for (const Setting& quick : {Setting{"sweep", "null"}, Setting{"outcomes", "null"}, Setting{"tolerance", "1e-2"},
                               Setting{"compare", "[lcp, rodriguez]"}})
    settings.push_back(quick);
  return json::parse(report::json_text(load(corner_files / (name + ".yaml"), settings).answer()));
}

json corner_fact(const json& answer, const char* key) { return answer["facts"][key]["value"]; }

std::vector<json> corner_column(const json& answer, const char* table, const char* key) {
  for (const json& column : answer["tables"][table]["columns"])
    if (column["key"] == key) return column["cells"];
  return {};
}

/// Where and under which legend an answer stands in a diagram.
struct Mark {
  double slip = NAN, friction = NAN;
  std::string legend;
};
Mark mark_of(const json& plot, const std::string& answer) {
  const json& m = plot["markers"];
  for (std::size_t i = 0; i < m["label"].size(); ++i)
    if (m["label"][i].get<std::string>().starts_with(answer)) return {m["x"][i], m["y"][i], m["legend"][i]};
  return {};
}

bool draws_line(const json& plot, const std::string& label, double x) {
  for (const json& line : plot["lines"])
    if (line["label"] == label) return std::abs(line["through"][0].get<double>() - x) < 1e-12 * (1.0 + std::abs(x));
  return false;
}

// Figures 5.1, 5.4, 5.7 and 5.10: mu_f, p_n = 0, p_t = 0, whether v_t = 0 is feasible.
TEST(CornerFile, SlipDiagramsOfTheThesis) {
  struct Row {
    const char *scenario, *contact;
    double mu_f, normal_zero, tangential_zero;
    bool can_stick;
  };
  for (const Row& row :
       {Row{"corner_case_1", "wall", 19.426209730472753, 0.7925517160389894, -15.396275858019521, false},
        Row{"corner_case_2", "floor", 3.723872581183968, 3.9325111313151027, 14.64417037710503, true},
        Row{"corner_case_3", "wall", 1.140939261738761, -9.141106163859973, -10.429446918070019, true},
        Row{"corner_case_3", "floor", 0.8920310452651492, 11.932511131315115, 10.64417037710503, true}}) {
    const json answer = corner_answer(row.scenario);
    const std::size_t k = row.contact == std::string("wall") ? 1 : 0;
    EXPECT_EQ(corner_column(answer, "slip_diagrams", "contact")[k], row.contact);
    EXPECT_NEAR(corner_column(answer, "slip_diagrams", "stick_friction")[k].get<double>(), row.mu_f, 1e-11 * row.mu_f);
    const std::string key = row.contact + std::string("_can_stick");
    EXPECT_EQ(corner_fact(answer, key.c_str()), row.can_stick) << row.scenario;
    const json& plot = answer["plots"]["slip_diagram_" + std::string(row.contact)];
    EXPECT_TRUE(draws_line(plot, "$p_n$ = 0", row.normal_zero)) << row.scenario;
    EXPECT_TRUE(draws_line(plot, "$p_t$ = 0", row.tangential_zero)) << row.scenario;
    EXPECT_EQ(plot["curves"][0]["legend"], "the contact pulls");
  }
}

// Case 1: with the wall examined the answer lies where the wall's p_n vanishes, v_t = .79, and breaks the law at the
// floor; case 3: both answers obey it, and so do the three of the complementarity problem.
TEST(CornerFile, AnswersSayWhetherTheyObeyTheFrictionLaw) {
  const json one = corner_answer("corner_case_1");
  const Mark broken = mark_of(one["plots"]["slip_diagram_wall"], "rodriguez, wall (law broken at floor)");
  EXPECT_NEAR(broken.slip, 0.7925517160389894, 1e-9);
  EXPECT_EQ(broken.legend, "answers that break it");
  EXPECT_EQ(mark_of(one["plots"]["slip_diagram_wall"], "lcp").legend, "answers that obey the friction law");
  EXPECT_EQ(corner_column(one, "methods", "friction_law"), (std::vector<json>{"", "met", "met", "broken at floor"}));
  const json two = corner_answer("corner_case_2");
  EXPECT_EQ(corner_fact(two, "lcp_solutions"), 2.0);
  const json three = corner_answer("corner_case_3");
  EXPECT_EQ(corner_fact(three, "lcp_solutions"), 3.0);
  const json& wall = three["plots"]["slip_diagram_wall"];
  for (const char* answer : {"rodriguez, wall", "rodriguez, floor", "lcp 1", "lcp 2", "lcp 3"})
    EXPECT_EQ(mark_of(wall, answer).legend, "answers that obey the friction law") << answer;
  EXPECT_NEAR(mark_of(wall, "lcp 2").friction, 0.25, 1e-9);  // it slips: exactly mu_d
  EXPECT_NEAR(mark_of(wall, "rodriguez, wall").friction, 1.140939261738761, 1e-9);
  EXPECT_NEAR(mark_of(wall, "rodriguez, wall").slip, 0.0, 1e-9);
}

// 66.04 degrees for a disc, 67.11 for a sphere; case 1 comes at 66.94, so its wall cannot stick as a disc's.
TEST(CornerFile, UpToWhichAngleTheWallCanStick) {
  const json disc = corner_answer("corner_case_1"), ball = corner_answer("corner_case_1", {{"corner.shape", "sphere"}});
  EXPECT_NEAR(corner_fact(disc, "wall_sticks_up_to").get<double>(), 66.03751102542182, 1e-10);
  EXPECT_NEAR(corner_fact(disc, "floor_sticks_from").get<double>(), 23.96248897457818, 1e-10);
  EXPECT_NEAR(corner_fact(ball, "wall_sticks_up_to").get<double>(), 67.11, 5e-3);
  EXPECT_EQ(corner_fact(disc, "wall_can_stick"), false);
  EXPECT_EQ(corner_fact(ball, "wall_can_stick"), true);
  EXPECT_FALSE(corner_answer("corner_case_1", {{"corner.spin", "1"}})["facts"].contains("wall_sticks_up_to"));
}

// Half-degree steps, 5 to 85 degrees: one solution up to 28.5, two from 29, three for 36 to 54, two up to 61, then one;
// at 40 degrees the wall sticks, both slip, or the floor sticks.
TEST(CornerFile, SolutionsOverTheAngle) {
  const Scenario scenario = load(corner_files / "corner_solutions.yaml");
  const json answer = json::parse(report::json_text(scenario.answer()));
  const auto counts = corner_column(answer, "sweep", "lcp_solutions");
  ASSERT_EQ(counts.size(), 161U);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double angle = 5.0 + 0.5 * static_cast<double>(i);
    EXPECT_EQ(counts[i], angle < 29 || angle > 61 ? 1.0 : angle >= 36 && angle <= 54 ? 3.0 : 2.0) << angle;
  }
  const auto wall = corner_column(answer, "sweep", "lcp_spin_wall_sticks"),
             slip = corner_column(answer, "sweep", "lcp_spin_all_slip"),
             floor = corner_column(answer, "sweep", "lcp_spin_floor_sticks");
  EXPECT_NEAR(wall[80].get<double>(), -floor[80].get<double>(), 1e-9);  // 45 degrees: mirror images
  EXPECT_NEAR(slip[80].get<double>(), 0.0, 1e-9);
  EXPECT_TRUE(slip[0].is_null());
  EXPECT_TRUE(floor[0].is_null());
  // Sticking at the wall, spin = -v_y after / R = -e v_y / R.
  EXPECT_NEAR(wall[0].get<double>(), -0.5 * 5.0 * std::sin(5.0 * M_PI / 180.0) / 0.5, 1e-9);
}

// Eq. 4.22: from mu_s at rest to the least of mu_d and mu_f.
TEST(CornerFile, FallingFriction) {
  const json plot = corner_answer(
      "corner_case_3", {{"slip_diagram.from", "-0.002"}, {"slip_diagram.to", "0.002"}})["plots"]["slip_diagram_wall"];
  for (const json& curve : plot["curves"]) {
    if (curve["legend"] != "friction that falls with slip") continue;
    double highest = 0.0, least = 1.0;
    for (const json& y : curve["y"])
      highest = std::max(highest, y.get<double>()), least = std::min(least, y.get<double>());
    EXPECT_NEAR(highest, 0.5, 1e-15);
    EXPECT_NEAR(least, 0.25, 1e-6);
    return;
  }
  FAIL() << "no such curve";
}

TEST(CornerFile, MistakesAreNamed) {
  const auto complaint = [](const std::string& text) {
    try {
      parse("kind: collide\nmaterial: {friction: 0.2, restitution: 0.5}\n" + text, "f.yaml");
    } catch (const BadScenario& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(complaint("corner: {arrival: {speed: 5, angle: 90 deg}}\n"),
            "f.yaml:3: corner.arrival.angle: must lie between 0 and 90 deg");
  EXPECT_EQ(complaint("corner: {velocity: [1, -1], arrival: {speed: 5, angle: 40 deg}}\n"),
            "f.yaml:3: corner: needs exactly one of `velocity`, `throw` or `arrival`");
  EXPECT_EQ(
      complaint("chain: {count: 3}\nslip_diagram: {}\n"),
      "f.yaml:4: slip_diagram: is for one moving body with two contacts in a plane: corner, groove or rocking_block");
  EXPECT_EQ(complaint("corner: {velocity: [1, -1]}\nslip_diagram: {from: 1, to: 0}\n"),
            "f.yaml:4: slip_diagram.to: must be greater than `from`");
}

}  // namespace
}  // namespace carom::scenario
