// Real games from file to answer: tables, shots and balls in the air, and the mistakes their files can have.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

#include "carom/report/writers.hpp"
#include "carom/scenario/scenario.hpp"
#include "carom/scenario/solve.hpp"

namespace carom::scenario {
namespace {

using nlohmann::json;

const std::filesystem::path shipped = std::filesystem::path(CAROM_SOURCE_DIR) / "scenarios";

json answer_of(const char* file) { return json::parse(report::json_text(load(shipped / file).answer())); }
json answer_to(const std::string& text) { return json::parse(report::json_text(parse(text, "f.yaml").answer())); }
json answer_to_row(const std::string& row) {
  bool failed = false;
  const std::string answer = solve_row(row, failed);
  EXPECT_FALSE(failed) << answer;
  return json::parse(answer);
}
json fact(const json& answer, const char* key) { return answer["facts"][key]["value"]; }
double number(const json& answer, const char* key) { return fact(answer, key).get<double>(); }
json column(const json& answer, const char* table, const char* key) {
  for (const json& one : answer["tables"][table]["columns"])
    if (one["key"] == key) return one["cells"];
  ADD_FAILURE() << "no column " << key;
  return {};
}
std::size_t row_of(const json& answer, const std::string& body) {
  const json names = column(answer, "bodies", "body");
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), body) - names.begin());
}

std::string complaint(const std::string& text) {
  try {
    parse(text, "f.yaml");
  } catch (const BadScenario& error) {
    return error.what();
  }
  return "accepted";
}

// What the scenarios say about themselves.
TEST(Games, ShotsDoWhatTheyAreNamedFor) {
  const json draw = answer_of("draw_shot.yaml"), follow = answer_of("follow_shot.yaml"),
             bank = answer_of("bank_shot.yaml"), english = answer_of("english_shot.yaml");
  EXPECT_EQ(number(draw, "pocketed"), 1.0);
  // It met the object ball at y = 0.043 and came back.
  EXPECT_LT(column(draw, "bodies", "position")[row_of(draw, "cue")][1].get<double>(), -.1);
  EXPECT_EQ(number(follow, "pocketed"), 2.0);  // it goes after the ball, into the pocket
  EXPECT_EQ(number(bank, "pocketed"), 1.0);
  EXPECT_EQ(number(bank, "impacts"), 2.0);  // ball, cushion, pocket
  EXPECT_EQ(column(bank, "bodies", "state")[row_of(bank, "object")], "pocketed");
  // Squirt to the left, off the rail to the right.
  const json v = fact(english, "strike_velocity");
  EXPECT_NEAR(std::atan2(v[1].get<double>(), v[0].get<double>()) * 180.0 / M_PI, 2.232, 1e-3);
  EXPECT_LT(column(english, "events", "velocity")[1][1].get<double>(), 0.0);
  for (const json* each : {&draw, &follow, &bank, &english}) {
    EXPECT_EQ(fact(*each, "strike"), "struck");
    EXPECT_EQ(fact(*each, "verdict"), "rest");
    EXPECT_NEAR(number(*each, "residual"), 0.0, 1e-12);
  }
}

TEST(Games, TablesAreDrawnWithTheirPockets) {
  const json answer = answer_of("nine_ball_table_break.yaml");
  EXPECT_EQ(fact(answer, "verdict"), "rest");
  EXPECT_EQ(number(answer, "events"), static_cast<double>(column(answer, "events", "event").size()));
  bool fell = false;
  const json events = column(answer, "events", "event"), who = column(answer, "events", "who");
  for (std::size_t k = 0; k < events.size(); ++k)
    if (events[k] == "pocketed") {
      fell = true;
      EXPECT_NE(who[k].get<std::string>().find(" pocket"), std::string::npos) << who[k];
    }
  EXPECT_TRUE(fell);
  EXPECT_TRUE(answer["plots"].contains("top_view"));
  EXPECT_TRUE(answer["plots"].contains("cue_ball"));
}

// Beside the cloth that only holds, one that takes part: both bounce off the foot rail, into directions some degrees
// apart.
TEST(Games, TwoRulesForACushion) {
  const json answer = answer_of("cushion_two_rules.yaml");
  EXPECT_EQ(column(answer, "beside", "scene")[1], "hop");
  const double here = column(answer, "beside", "energy_end")[0].get<double>(),
               hop = column(answer, "beside", "energy_end")[1].get<double>();
  EXPECT_NE(here, hop);
  EXPECT_NEAR(here, hop, .2 * here);
  const std::string text =
      "kind: world\ntable: {size: 9ft, balls: cue}\nmaterials: [{between: [default, cushion], "
      "restitution: 0.8}, {restitution: 0.9}]\nend_time: 1\ncompare: [hop]\n";
  EXPECT_EQ(complaint(text).substr(0, 58), "f.yaml:3: materials: none is between \"default\" and \"cloth\"");
}

// A miscue is an outcome, not an error.
TEST(Games, AMiscueIsSaid) {
  const std::string text =
      "kind: world\ntable: {size: 9ft, balls: cue}\nmaterials: [{between: [default, cushion], "
      "restitution: 0.8}, {restitution: 0.9}]\nend_time: 0.1\nshot: {speed: 1, side: ";
  EXPECT_EQ(fact(answer_to(text + "0.6}\n"), "strike"), "miscue");
  EXPECT_EQ(fact(answer_to(text + "0.4}\n"), "strike"), "struck");
}

TEST(Games, MistakesOfATableAndAShot) {
  const std::string head =
      "kind: world\nmaterials: [{restitution: 0.9}, {between: [default, cushion], restitution: "
      "0.8}]\nend_time: 1\n";
  EXPECT_EQ(complaint(head + "table: {size: 10ft}\n"),
            "f.yaml:4: table.size: must be one of 7ft, 8ft, 9ft, snooker, carom, got \"10ft\"");
  EXPECT_EQ(complaint(head + "table: {size: 9ft, nose_height: 0.1}\n"),
            "f.yaml:4: table.nose_height: must be between 0 and the diameter of a ball (0.05715), got 0.1");
  EXPECT_EQ(complaint(head + "table: {size: 9ft, balls: cue, cue_ball: [10, 0]}\n"),
            "f.yaml:4: table.cue_ball: must be on the table, within 1.27 m and 0.635 m of its middle, got [10, 0]");
  EXPECT_EQ(complaint(head + "table: {size: 9ft, balls: cue}\nshot: {speed: 1, elevation: 100 deg}\n"),
            "f.yaml:5: shot.elevation: must be in [0, pi/2], 0 to 90 deg, got 100 deg");
  EXPECT_EQ(complaint(head + "table: {size: 9ft, balls: cue, cue_ball: [1.27, 0.635]}\n").substr(0, 25),
            "f.yaml:4: table: bodies[0");
  EXPECT_EQ(complaint(head + "table: {size: 9ft, balls: cue}\nshot: {speed: 1, ball: white}\n"),
            "f.yaml:5: shot.ball: there is no body \"white\"");
  EXPECT_EQ(
      complaint(head + "table: {size: 9ft, balls: cue}\nshot: {speed: 1, side: 0.9, height: 0.9}\n").substr(0, 57),
      "f.yaml:5: shot.side: and `height` put the tip beside the ");
  EXPECT_EQ(complaint(head + "table: {size: 9ft, balls: cue, cue_ball: [0, 0]}\nbodies: [{name: one, shape: sphere, "
                             "mass: 0.17, radius: 0.028575, position: [-0.1, 0.01, 0.028575]}]\nshot: {speed: 1}\n"),
            "f.yaml:6: shot: the cue would start inside \"one\": raise its butt (`elevation`), or shoot in another "
            "direction");
  EXPECT_EQ(
      complaint(head + "table: {size: 9ft, balls: cue}\npockets: [{plane: flor, centre: [0, 0, 0], radius: 1}]\n"),
      "f.yaml:5: pockets[0].plane: there is no plane \"flor\"");
  // Without a material for the cushions.
  EXPECT_EQ(complaint("kind: world\nmaterials: [{restitution: 0.9}]\nend_time: 1\ntable: {size: 9ft, balls: cue}\n")
                .substr(0, 60),
            "f.yaml:2: materials: none is between \"default\" and \"cushion\"");
}

TEST(Games, MistakesOfTheAir) {
  const std::string head =
      "kind: world\nmaterials: [{restitution: 0.9}]\nend_time: 1\nbodies: [{shape: sphere, radius: "
      "0.02, mass: 0.003, position: [0, 0, 0]}]\n";
  EXPECT_EQ(complaint(head + "air: {density: 0}\n"), "f.yaml:5: air.density: must be positive, got 0");
  EXPECT_EQ(complaint(head + "air: {drag: -1}\n"), "f.yaml:5: air.drag: must be >= 0, got -1");
  EXPECT_EQ(complaint(head + "air: {drag: {slope: 1, table: [[0, 1]]}}\n"),
            "f.yaml:5: air.drag: needs either `table`, or some of `constant`, `slope`, `power`, `saturation`");
  EXPECT_EQ(complaint(head + "air: {lift: {table: [[0, 1], [0, 2]]}}\n"),
            "f.yaml:5: air.lift.table[1]: spin ratios must increase");
  EXPECT_EQ(complaint(head + "air: {lift: {slope: 1, power: 3}}\n"),
            "f.yaml:5: air.lift.power: must be in (0, 2], got 3");
}

// A row with air, against the closed form of a fall; without air the answer has no such field.
TEST(Games, RowsHaveAir) {
  const std::string body =
      R"({"model":"world","gravity":[0,0,-9.81],"bodies":[{"shape":{"type":"sphere","radius":0.02},)"
      R"("mass":0.0027,"position":[0,0,1]}],"materials":[{"between":["default","default"],"e":1}],)"
      R"("end_time":0.4)";
  const json with = answer_to_row(body + R"(,"air":{"drag":0.4}})"), without = answer_to_row(body + "}");
  const double k = .5 * 1.2 * .4 * M_PI * 4e-4 / .0027, vt = std::sqrt(9.81 / k);
  EXPECT_NEAR(with["final"][0]["velocity"][2].get<double>(), -vt * std::tanh(9.81 * .4 / vt), 1e-12);
  EXPECT_NEAR(with["final"][0]["position"][2].get<double>(), 1.0 - vt * vt / 9.81 * std::log(std::cosh(9.81 * .4 / vt)),
              1e-12);
  EXPECT_NEAR(with["energy"]["residual"].get<double>(), 0.0, 1e-15);
  EXPECT_GT(with["energy"]["air_loss"].get<double>(), 0.0);
  EXPECT_FALSE(without["energy"].contains("air_loss"));
}

// The golf drive of the scenario, followed once more by steps of its own (Runge and Kutta, 0.1 ms).
TEST(Games, AGolfDriveByItsEquations) {
  const json answer = answer_of("golf_drive.yaml");
  double x = 0, z = .0214, vx = 73.352, vz = 14.126, w = 281.3, t = 0.0;
  const double m = .04593, r = .021335, k = .5 * 1.225 * M_PI * r * r / m, h = 1e-4;
  const auto rate = [&](const double(&y)[5], double(&d)[5]) {
    const double v = std::hypot(y[2], y[3]), s = r * y[4] / v, cd = .24 + .18 * s, cl = .54 * std::pow(s, .4);
    d[0] = y[2], d[1] = y[3];
    d[2] = -k * v * (cd * y[2] + cl * y[3]);  // back spin: lift is the velocity turned left
    d[3] = -9.81 - k * v * (cd * y[3] - cl * y[2]);
    d[4] = -2e-5 * v * y[4] / r;
  };
  double y[5] = {x, z, vx, vz, w}, last[5] = {};
  while (y[1] > r) {
    std::copy(y, y + 5, last);
    double k1[5], k2[5], k3[5], k4[5], u[5];
    rate(y, k1);
    for (int i = 0; i < 5; ++i) u[i] = y[i] + .5 * h * k1[i];
    rate(u, k2);
    for (int i = 0; i < 5; ++i) u[i] = y[i] + .5 * h * k2[i];
    rate(u, k3);
    for (int i = 0; i < 5; ++i) u[i] = y[i] + h * k3[i];
    rate(u, k4);
    for (int i = 0; i < 5; ++i) y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    t += h;
  }
  const double share = (last[1] - r) / (last[1] - y[1]);  // a straight line within the last step
  EXPECT_NEAR(number(answer, "first_impact"), t - h + share * h, 1e-8);
  EXPECT_NEAR(column(answer, "events", "position")[0][0].get<double>(), last[0] + share * (y[0] - last[0]), 1e-6);
  EXPECT_NEAR(column(answer, "beside", "energy_end")[1].get<double>(),
              number(answer, "energy_start") - column(answer, "beside", "restitution_loss")[1].get<double>() -
                  column(answer, "beside", "friction_loss")[1].get<double>() -
                  column(answer, "beside", "support_loss")[1].get<double>(),
              1e-9);
}

}  // namespace
}  // namespace carom::scenario
