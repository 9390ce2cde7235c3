// Rows and files of batting: fields, nulls and errors, the sheet's numbers. The planning is tested in its room.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/scenario/scenario.hpp"
#include "carom/scenario/solve.hpp"

namespace carom::scenario {
namespace {

using nlohmann::json;

json answer_to(const json& row) {
  bool failed = false;
  return json::parse(solve_row(row.dump(), failed));
}

std::string blame(const json& row) {
  const json answer = answer_to(row);
  return answer.contains("error") ? answer["error"]["field"].get<std::string>() : "accepted";
}

/// Wang 2017, figure 4.1, with the W that its printed numbers follow from.
json printed_row() {
  return json::parse(R"({"model":"batting",
    "W":[[7.815931160362582,-1.7043119172497683,1.4097349232687622],
         [-1.7043119172497683,9.249871645356253,0.5445064057942409],
         [1.4097349232687622,0.5445064057942409,2.480568036047395]],
    "frame":[[0.5,0,0.8660254037844386],[0,1,0],[-0.8660254037844386,0,0.5]],
    "object":{"mass":1,"position":[0.316386,-0.0625,0.327003],"velocity":[-1,0.6,-0.4]},
    "mu":0.5,"e":0.95,"target":[5,-0.2,-2]})");
}

json ball_row() {
  return json::parse(R"({"model":"batting",
    "bodies":[{"mass":0.0027,"principal":[7.2e-7,7.2e-7,7.2e-7],"position":[0,0,0],"velocity":[-8,0,1],
               "angular_velocity":[0,50,0]},
              {"mass":0.2,"principal":[0.001,0.001,0.002],"position":[-0.05,0,0.1],"velocity":[9,9,9]}],
    "contact":{"point":[-0.02,0,0],"normal":[1,0,0]},"mu":0.3,"e":0.8,"target":[2,0.1,-0.1]})");
}

Eigen::Vector3d vector_of(const json& list) {
  return {list[0].get<double>(), list[1].get<double>(), list[2].get<double>()};
}

TEST(SolveBatting, TheClosedFormOfTheText) {
  json row = printed_row();
  row["method"] = "closed_form";
  row["objective"] = "min_bat_speed";
  const json answer = answer_to(row);
  EXPECT_TRUE(answer["found"].get<bool>());
  EXPECT_EQ(answer["method_used"], "closed_form");
  EXPECT_LE((vector_of(answer["contact_velocity"]) - Eigen::Vector3d(-5.316630, .603849, -4.382582)).norm(), 2e-6);
  EXPECT_LE(answer["miss_distance"].get<double>(), 1e-9);
  EXPECT_TRUE(answer["bat"].is_null());
  EXPECT_FALSE(answer.contains("closest_miss"));
  EXPECT_EQ(answer["alternatives"].size(), 1u);
  EXPECT_EQ(answer["flags"], json({"no_spin_known"}));
}

TEST(SolveBatting, AnswersAreInWorldAxesAndTheBatDoesIt) {
  for (const char* objective : {"least_impulse", "min_bat_speed"}) {
    json row = ball_row();
    row["objective"] = objective;
    const json answer = answer_to(row);
    ASSERT_TRUE(answer["found"].get<bool>()) << answer;
    EXPECT_EQ(answer["method_used"], "newton");
    // The ball's point at the contact: v + w x r, r = (-.02, 0, 0), w = (0, 50, 0): (-8, 0, 1 + 1).
    const Eigen::Vector3d point(-8, 0, 2);
    const Eigen::Vector3d bat = vector_of(answer["bat"]["velocity"]);
    EXPECT_LE((point - bat - vector_of(answer["contact_velocity"])).norm(), 1e-12);
    EXPECT_EQ(vector_of(answer["bat"]["angular_velocity"]).norm(), 0.0);
    // The same bodies, moving so, through the row of the impact.
    json impact = {{"model", "spatial"},        {"law", "energetic"}, {"bodies", row["bodies"]},
                   {"contact", row["contact"]}, {"mu", .3},           {"e", .8}};
    impact["bodies"][1]["velocity"] = answer["bat"]["velocity"];
    const json hit = answer_to(impact);
    const Eigen::Vector3d after = vector_of(hit["bodies"][0]["velocity"]);
    const double t = answer["flight_time"];
    EXPECT_LE((after * t - Eigen::Vector3d(2, .1, -.1 + 4.9 * t * t)).norm(), 1e-8);
    double before = 0.0;
    for (const json& other : answer["alternatives"]) {
      const double worth = std::string(objective) == "least_impulse" ? vector_of(other["impulse"]).norm()
                                                                     : other["bat_speed"].get<double>();
      EXPECT_GE(worth, before);
      before = worth;
    }
  }
}

TEST(SolveBatting, OutOfReachIsAnAnswer) {
  json row = ball_row();
  row["target"] = {-2, 0.1, 5};
  const json answer = answer_to(row);
  EXPECT_FALSE(answer["found"].get<bool>());
  EXPECT_GT(answer["closest_miss"].get<double>(), 1.0);
  for (const char* field :
       {"method_used", "contact_velocity", "impulse", "miss_distance", "flight_time", "bat", "alternatives"})
    EXPECT_TRUE(answer[field].is_null()) << field;
}

TEST(SolveBatting, NumbersOutOfRangeAreNullsWithAFlag) {
  const auto check = [](json row, const char* what) {
    const json answer = answer_to(row);
    ASSERT_FALSE(answer.contains("error")) << what << answer;
    if (answer["found"].get<bool>()) {
      EXPECT_FALSE(answer["miss_distance"].is_null()) << what;
      return;
    }
    ASSERT_TRUE(answer.contains("closest_miss")) << what;
    EXPECT_TRUE(answer["closest_miss"].is_null()) << what << answer;
    EXPECT_EQ(answer["flags"][0], "out_of_reach");
    EXPECT_GE(answer["flags"].size(), 2u) << what;
  };
  for (const auto& [field, value] : std::vector<std::pair<const char*, json>>{
           {"target", {1e155, 0, 0}}, {"mu", 1e300}, {"gravity", 1e300}, {"target", {1e308, 0, 0}}})
    for (const char* method : {"auto", "closed_form"}) {
      json row = ball_row();
      row[field] = value;
      row["method"] = method;
      if (std::string(method) == "auto") check(row, field);
      EXPECT_FALSE(answer_to(row).contains("error")) << field;
    }
  for (const double size : {1e300, 1e-300}) {
    json row = printed_row();
    row["W"] = {{size, 0, 0}, {0, size, 0}, {0, 0, size}};
    check(row, "W");
  }
  json row = printed_row();
  row["target"] = row["object"]["position"];
  row["method"] = "bounding_triangle";
  const json answer = answer_to(row);
  EXPECT_TRUE(answer["closest_miss"].is_null());
  EXPECT_EQ(answer["flags"], json({"out_of_reach", "no_spin_known", "at_target"}));
}

TEST(SolveBatting, AlternativesHoldTheBestClosedForm) {
  json row = printed_row();
  row["objective"] = "min_bat_speed";
  const json answer = answer_to(row);
  int found = 0;
  for (const json& other : answer["alternatives"])
    found += (vector_of(other["contact_velocity"]) - Eigen::Vector3d(-5.316630, .603849, -4.382582)).norm() < 2e-6;
  EXPECT_EQ(found, 1);
}

TEST(SolveBatting, BoundingTriangleSaysThatItOnlyComesNear) {
  json row = printed_row();
  row["method"] = "bounding_triangle";
  const json answer = answer_to(row);
  ASSERT_TRUE(answer["found"].get<bool>());
  EXPECT_EQ(answer["method_used"], "bounding_triangle");
  EXPECT_LE(answer["miss_distance"].get<double>(), 0.15);
  EXPECT_EQ(answer["flags"], json({"within_tolerance", "no_spin_known"}));
}

TEST(SolveBatting, NamesTheBadField) {
  const auto changed = [](json row, const char* field, json value) {
    row[field] = std::move(value);
    return blame(row);
  };
  EXPECT_EQ(changed(ball_row(), "mu", -1), "mu");
  EXPECT_EQ(changed(ball_row(), "gravity", -1), "gravity");
  EXPECT_EQ(changed(ball_row(), "objective", "most_certain"), "objective");
  EXPECT_EQ(changed(ball_row(), "method", "magic"), "method");
  EXPECT_EQ(changed(ball_row(), "reading", "published"), "reading");
  EXPECT_EQ(changed(printed_row(), "frame", {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}), "frame");
  EXPECT_EQ(changed(printed_row(), "W", {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}), "W");
  json both = printed_row();
  both["bodies"] = ball_row()["bodies"];
  EXPECT_NE(blame(both), "accepted");
  json row = ball_row();
  row.erase("target");
  EXPECT_EQ(blame(row), "target");
  row = ball_row();
  row["bodies"][0] = "immovable";
  EXPECT_EQ(blame(row), "bodies[0]");
  row = printed_row();
  row.erase("frame");
  EXPECT_EQ(blame(row), "frame");
  EXPECT_EQ(changed(ball_row(), "gravity", nullptr), "accepted");
}

/// The facts of a scenario file; `change` edits its text.
json run_file(const std::string& name, const std::string& from = "", const std::string& to = "") {
  const auto path = std::filesystem::path(CAROM_SOURCE_DIR) / "scenarios" / (name + ".yaml");
  std::ifstream in(path);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!from.empty()) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
  }
  const Scenario scenario = parse(text, path.string());
  json out;
  const report::Document document = scenario.answer();
  for (const report::Fact& fact : document.facts) {
    if (const auto* x = std::get_if<double>(&fact.value)) out[fact.key] = *x;
    if (const auto* x = std::get_if<bool>(&fact.value)) out[fact.key] = *x;
    if (const auto* x = std::get_if<std::vector<double>>(&fact.value)) out[fact.key] = *x;
    if (const auto* x = std::get_if<std::string>(&fact.value)) out[fact.key] = *x;
  }
  return out;
}

TEST(BattingScenario, ShippedFilesSayWhatTheyPromise) {
  const json figure = run_file("batting");
  EXPECT_TRUE(figure["found"].get<bool>());
  EXPECT_NEAR(figure["bat_speed"].get<double>(), 5.866, 1e-3);
  EXPECT_TRUE(figure["limits_met"].get<bool>());
  EXPECT_NE(figure["triangle_winding"].get<double>(), 0.0);
  const json printed = run_file("batting_printed");
  EXPECT_NEAR(printed["contact_velocity"][0].get<double>(), -5.31663, 1e-5);
  const json wrong = run_file("batting_case_1a");
  EXPECT_EQ(wrong["closed_forms"].get<double>(), 2.0);
  EXPECT_LE(wrong["miss_distance"].get<double>(), 1e-9);  // the plan itself is the mended one
  const json none = run_file("batting_no_closed_form");
  EXPECT_EQ(none["closed_forms"].get<double>(), 0.0);
  EXPECT_TRUE(none["found"].get<bool>());
  EXPECT_TRUE(none["moved_found"].get<bool>());
  const json ten = run_file("batting_ten_targets");
  EXPECT_EQ(ten["targets"].get<double>(), 10.0);
  EXPECT_GE(ten["targets_found"].get<double>(), 7.0);
  EXPECT_GE(run_file("table_tennis_return")["closed_forms"].get<double>(), 1.0);
  EXPECT_GE(run_file("planar_batting")["closed_forms"].get<double>(), 1.0);
}

TEST(BattingScenario, MostCertainIsTheMostCertain) {
  for (const char* point : {"0.002", "0.01"}) {
    const std::string spread = std::string("contact_point: ") + point;
    const std::string objective =
        "objective: min_bat_speed\nlimits: {speed: 6, angular_velocity: 30}\nspread: "
        "{contact_velocity: 0.02, contact_point: 0.002";
    const auto with = [&](const char* which) {
      return run_file("batting", objective,
                      std::string("objective: ") + which + "\nspread: {contact_velocity: 0.02, " + spread);
    };
    EXPECT_LE(with("most_certain")["hit_scatter"].get<double>(), with("min_bat_speed")["hit_scatter"].get<double>());
  }
}

TEST(BattingScenario, HitsOfOneCauseAndOfNone) {
  const std::string given = "contact_velocity: 0.02, contact_point: 0.002, friction: 0.02, restitution: 0.01";
  const json rough = run_file("batting", given, "contact_velocity: 0, friction: 0.005, restitution: 0");
  EXPECT_NEAR(rough["hits_inside"].get<double>(), 0.95, 0.02);
  const json none = run_file("batting", given, "contact_velocity: 0, friction: 0, restitution: 0");
  EXPECT_EQ(none["hits_inside"].get<double>(), 1.0);
}

TEST(BattingScenario, PosesThatCannotBeAreLeftOut) {
  // A tilted face rolls over the ball; at every pose the ball touches it.
  const json ball = run_file("table_tennis_return", "gravity: 9.81", "gravity: 9.81\nmoves: {tilt: 40 deg, tilts: 5}");
  EXPECT_TRUE(ball["moved_found"].get<bool>());
  EXPECT_EQ(ball["moved_penetrating"].get<double>(), 0.0);
  const json shifted =
      run_file("batting", "target: [5, -0.2, -2]", "target: [5, -0.2, -2]\nmoves: {shift: [2, 2], shifts: 9}");
  EXPECT_GT(shifted["moved_off_face"].get<double>(), 0.0);
  EXPECT_LE(std::abs(shifted["moved_shift"][0].get<double>()), 0.5 + 1e-9);
  EXPECT_LE(std::abs(shifted["moved_shift"][1].get<double>()), 0.5 + 1e-9);
}

TEST(BattingScenario, TheBestClosedFormInThePlane) {
  const json general = run_file("planar_batting");
  const json closed =
      run_file("planar_batting", "objective: min_bat_speed", "objective: min_bat_speed\nmethod: closed_form");
  EXPECT_LE(closed["bat_speed"].get<double>(), general["bat_speed"].get<double>() * (1 + 1e-6));
}

TEST(BattingScenario, PlansWithinTheLimitsComeFirst) {
  const json free = run_file("batting", "objective: min_bat_speed\nlimits: {speed: 6, angular_velocity: 30}",
                             "objective: least_impulse");
  EXPECT_GT(free["bat_speed"].get<double>(), 5.95);
  const json limited = run_file("batting", "objective: min_bat_speed\nlimits: {speed: 6, angular_velocity: 30}",
                                "objective: least_impulse\nlimits: {speed: 5.9, angular_velocity: 0}");
  EXPECT_TRUE(limited["limits_met"].get<bool>());
  EXPECT_LE(limited["bat_speed"].get<double>(), 5.9 * (1 + 1e-9));
}

TEST(BattingScenario, TangentialSpringsHaveAnEllipseAndMoves) {
  const json springs = run_file("batting", "objective: min_bat_speed",
                                "objective: most_certain\neta0: 1.1\nmoves: {tilt: 3 deg, tilts: 3}");
  EXPECT_TRUE(springs["found"].get<bool>());
  EXPECT_GT(springs["hit_scatter"].get<double>(), 0.0);
  EXPECT_TRUE(springs["moved_found"].get<bool>());
}

}  // namespace
}  // namespace carom::scenario
