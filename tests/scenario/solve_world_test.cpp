// Rows of the model `world`: fields, defaults, answers and errors. The physics is tested in its room; here the numbers
// of the sheet (two codes, 1e-12) pass through the row.
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/scenario/solve.hpp"

#include "scenario/conforms.hpp"

namespace carom::scenario {
namespace {

using nlohmann::json;

json solved(const json& row) {
  bool failed = false;
  return json::parse(solve_row(row.dump(), failed));
}

std::string problem_with(const json& row) {
  const json answer = solved(row);
  if (!answer.contains("error")) return "accepted";
  return answer["error"]["field"].get<std::string>() + ": " + answer["error"]["message"].get<std::string>();
}

json sphere(double radius, double mass, const json& position) {
  return {{"shape", {{"type", "sphere"}, {"radius", radius}}}, {"mass", mass}, {"position", position}};
}

/// A ball over the ground.
json drop() {
  return {{"model", "world"},
          {"gravity", {0, 0, -9.81}},
          {"bodies", {sphere(0.1, 1, {0, 0, 1.1})}},
          {"planes", {{{"point", {0, 0, 0}}, {"normal", {0, 0, 1}}}}},
          {"materials", {{{"between", {"default", "default"}}, {"e", 0.7}}}},
          {"end_time", 5},
          {"stop", "rest"}};
}

TEST(SolveWorld, DroppedBallRests) {
  const json answer = solved(drop());
  EXPECT_EQ(answer["verdict"], "rest");
  EXPECT_NEAR(answer["time"].get<double>(), 2.5586339656, 5e-11);
  const json& events = answer["events"];
  EXPECT_EQ(events[0]["type"], "impact");
  EXPECT_EQ(events[0]["model"], "spatial");
  EXPECT_EQ(events[0]["contacts"][0]["bodies"], json::parse(R"([0,"plane:0"])"));
  EXPECT_EQ(events[0]["contacts"][0]["normal"], json::parse("[0,0,1]"));
  const double v = std::sqrt(2.0 * 9.81);
  EXPECT_NEAR(events[0]["contacts"][0]["impulse"][2].get<double>(), 1.7 * v, 1e-12);
  EXPECT_NEAR(events[0]["restitution_loss"].get<double>(), 0.51 * 9.81, 1e-12);
  const json& last = events.back();
  EXPECT_EQ(last["type"], "settles");
  EXPECT_EQ(last["state"], "rests");
  EXPECT_GT(last["impulse"][2].get<double>(), 0.0);
  EXPECT_EQ(last["bodies"], json::parse("[0]"));
  EXPECT_EQ(answer["samples"], json::array());
  EXPECT_EQ(answer["final"][0]["state"], "rests");
  EXPECT_EQ(answer["final"][0]["orientation"], json::parse("[1,0,0,0]"));
  const json& energy = answer["energy"];
  EXPECT_NEAR(energy["start"].get<double>() - energy["end"].get<double>(), 9.81, 1e-12);
  EXPECT_NEAR(energy["restitution_loss"].get<double>(), 9.81, 1e-12);
  EXPECT_LT(std::abs(energy["residual"].get<double>()), 1e-12);
  EXPECT_LT(answer["momentum_residual"].get<double>(), 1e-12);
  EXPECT_EQ(answer["flags"], json::array());
  EXPECT_EQ(answer.size(), 8u);
}

TEST(SolveWorld, SamplesAreRightLimitsAndRepeatTheRest) {
  json row = drop();
  const double hit = std::sqrt(2.0 / 9.81);
  row["sample_times"] = {0, hit, 3, 5};
  const json samples = solved(row)["samples"];
  ASSERT_EQ(samples.size(), 4u);
  EXPECT_EQ(samples[0]["bodies"][0]["position"], json::parse("[0,0,1.1]"));
  EXPECT_NEAR(samples[1]["bodies"][0]["velocity"][2].get<double>(), 0.7 * std::sqrt(2.0 * 9.81), 1e-9);
  EXPECT_EQ(samples[3]["t"], 5);
  EXPECT_EQ(samples[2]["bodies"], samples[3]["bodies"]);
  EXPECT_EQ(samples[3]["bodies"][0]["state"], "rests");
}

// The sheet, section 7: Jia's table 1 with flight, gravity 9.8.
TEST(SolveWorld, EightBounces) {
  json row = drop();
  row["gravity"] = {0, 0, -9.8};
  row["bodies"][0] = sphere(1, 1, {0, 0, 1});
  row["bodies"][0]["velocity"] = {-1, 0, -5};
  row["bodies"][0]["angular_velocity"] = {6, 6, 0};
  row["materials"][0] = {
      {"between", {"default", "default"}}, {"e", 0.5}, {"mu", 0.4}, {"eta0", std::sqrt(17.0 / 14.0)}};
  row["max_events"] = 8;
  const json answer = solved(row);
  EXPECT_EQ(answer["verdict"], "event_limit");
  const double times[] = {0,           .5102040816, .7653061224,  .8928571429,
                          .9566326531, .9885204082, 1.0044642857, 1.0124362245};
  ASSERT_EQ(answer["events"].size(), 8u);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(answer["events"][i]["time"].get<double>(), times[i], 5e-11);
    EXPECT_EQ(answer["events"][i]["model"], "compliant");
  }
  const json& ball = answer["final"][0];
  EXPECT_NEAR(ball["velocity"][0].get<double>(), .9931710725, 5e-11);
  EXPECT_NEAR(ball["velocity"][1].get<double>(), -1.7084323479, 5e-11);
  EXPECT_NEAR(ball["angular_velocity"][0].get<double>(), 1.7289191303, 5e-11);
  EXPECT_NEAR(ball["angular_velocity"][1].get<double>(), 1.0170723187, 5e-11);
}

// The sheet, section 7: two arms, and the cradle, whose momentum the arms take up.
TEST(SolveWorld, Pendulums) {
  json row = drop();
  const auto arm = [](double anchor, double angle) {
    return json{anchor + .5 * std::sin(angle), 0, -.5 * std::cos(angle)};
  };
  row["bodies"] = {sphere(.02, 1, arm(0, -1)), sphere(.02, 1, arm(.04, 0))};
  row["planes"] = nullptr;
  row["supports"] = json::array();
  for (int i = 0; i < 2; ++i)
    row["supports"].push_back({{"type", "pendulum"}, {"body", i}, {"anchor", {.04 * i, 0, 0}}, {"axis", {0, 1, 0}}});
  row["materials"][0]["e"] = .9;
  row["end_time"] = 2;
  row["stop"] = "time";
  const json answer = solved(row);
  ASSERT_EQ(answer["events"].size(), 3u);
  const double times[] = {.3781496758, 1.1315128628, 1.8824484217};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(answer["events"][i]["time"].get<double>(), times[i], 5e-11);
  EXPECT_EQ(answer["events"][0]["contacts"][0]["bodies"], json::parse("[0,1]"));
  EXPECT_TRUE(answer["momentum_residual"].is_null());
  EXPECT_EQ(answer["final"][0]["state"], "swings");
}

// The sheet, section 7: a ball on a cloth in any direction.
TEST(SolveWorld, Cloth) {
  json row = drop();
  const double r = .028575;
  row["bodies"][0] = sphere(r, .17, {0, 0, r});
  row["bodies"][0]["velocity"] = {2, 0, 0};
  row["bodies"][0]["angular_velocity"] = {30, -50, 20};
  row["supports"] = {
      {{"type", "cloth"}, {"plane", 0}, {"bodies", {0}}, {"mu_slide", .2}, {"mu_roll", .01}, {"mu_spin", .0127}}};
  row["end_time"] = 60;
  const json answer = solved(row), &events = answer["events"];
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0]["type"], "rolls");
  EXPECT_NEAR(events[0]["time"].get<double>(), .5146774083, 5e-11);
  EXPECT_EQ(events[1]["type"], "spin_ends");
  EXPECT_NEAR(events[1]["time"].get<double>(), 1.8348623853, 5e-11);
  EXPECT_EQ(events[2]["type"], "rests");
  EXPECT_NEAR(events[2]["time"].get<double>(), 11.2113342267, 5e-10);
  EXPECT_NEAR(answer["final"][0]["position"][0].get<double>(), 6.2344598878, 5e-10);
  EXPECT_NEAR(answer["final"][0]["position"][1].get<double>(), -1.3729880380, 5e-10);
  EXPECT_NEAR(answer["energy"]["support_loss"].get<double>(),
              answer["energy"]["start"].get<double>() - answer["energy"]["end"].get<double>(), 1e-12);
}

// The sheet, section 7: in the air, onto a fixed ball, in a tube.
TEST(SolveWorld, TouchesWithoutPlanes) {
  json row = drop();
  row["planes"] = json::array();
  row["stop"] = "time";
  row["max_events"] = 1;
  row["bodies"] = {sphere(.1, 1, {0, 0, 2}), sphere(.1, 2, {1, .1, 2.05})};
  row["bodies"][0]["velocity"] = {3, 0, 1};
  row["bodies"][1]["velocity"] = {0, 0, 1};
  EXPECT_NEAR(solved(row)["time"].get<double>(), .2780562535, 5e-11);
  row["bodies"] = {sphere(.1, 1, {.2, 0, 1.5}),
                   {{"shape", {{"type", "sphere"}, {"radius", .5}}}, {"position", {0, 0, 0}}, {"immovable", true}}};
  const json fixed = solved(row);
  EXPECT_NEAR(fixed["time"].get<double>(), .4364425213, 5e-11);
  EXPECT_EQ(fixed["events"][0]["bodies"], json::parse("[0]"));
  EXPECT_EQ(fixed["events"][0]["contacts"][0]["bodies"], json::parse("[0,1]"));
  EXPECT_EQ(fixed["final"][1]["state"], "immovable");
  row["gravity"] = {0, -9.81, 0};
  row["bodies"] = {sphere(.1, 1, {.5, 0, 0})};
  row["bodies"][0]["velocity"] = {.3, 0, .2};
  row["tubes"] = {{{"point", {0, 0, 0}}, {"axis", {0, 0, 1}}, {"radius", 1}}};
  const json tube = solved(row);
  EXPECT_NEAR(tube["time"].get<double>(), .3672574370, 5e-11);
  EXPECT_EQ(tube["events"][0]["contacts"][0]["bodies"], json::parse(R"([0,"tube:0"])"));
}

// No NaN or infinity: null, and a flag that says why.
TEST(SolveWorld, WhatOverflowsIsNull) {
  json row = drop();
  row["planes"] = json::array();
  row["end_time"] = 1e300;
  row["stop"] = "time";
  const json answer = solved(row);
  EXPECT_EQ(answer["verdict"], "time");
  EXPECT_TRUE(answer["energy"]["end"].is_null());
  EXPECT_EQ(answer["flags"], json::parse(R"(["overflow"])"));
}

/// Rodriguez 2010, chapter 5: a ball meets floor and wall at once.
json corner(double height, double speed) {
  const double r = .5, fall = std::sqrt(2.0 * (height - r) / 9.81);
  json row = drop();
  row["gravity"] = {0, -9.81, 0};
  row["bodies"][0] = sphere(r, 1, {0, height, 0});
  row["bodies"][0]["principal"] = {.125, .125, .125};
  row["bodies"][0]["velocity"] = {speed, 0, 0};
  row["planes"] = {{{"point", {0, 0, 0}}, {"normal", {0, 1, 0}}},
                   {{"point", {speed * fall + r, 0, 0}}, {"normal", {-1, 0, 0}}}};
  row["materials"][0] = {{"between", {"default", "default"}}, {"e", .5}, {"mu", .25}};
  row["stop"] = "time";
  row["end_time"] = 1.2;
  row["max_events"] = 1;
  return row;
}

TEST(SolveWorld, CornersBySprings) {
  const double heights[] = {5, 1.5, 1.5}, speeds[] = {4, 8, 4};
  const double hits[] = {.9578262852, .4515236410, .4515236410}, spins[] = {1.9010057351, -1.8913897410, .2724633575};
  for (int k = 0; k < 3; ++k) {
    const json answer = solved(corner(heights[k], speeds[k]));
    EXPECT_EQ(answer["events"][0]["model"], "simultaneous");
    EXPECT_EQ(answer["events"][0]["contacts"].size(), 2u);
    EXPECT_NEAR(answer["time"].get<double>(), hits[k], 5e-11);
    EXPECT_NEAR(answer["final"][0]["angular_velocity"][2].get<double>(), spins[k], 5e-9);
  }
}

// The law of groups, and which contact is examined, reach the solver: the answers differ and say who gave them.
TEST(SolveWorld, LawsOfGroups) {
  json row = corner(1.5, 8);
  row["materials"][0]["mu_s"] = .5;
  row["groups"] = {{"model", "rodriguez"}};
  const json first = solved(row);
  EXPECT_EQ(first["events"][0]["model"], "rodriguez");
  row["groups"]["examine"] = "plane:1";
  const json second = solved(row);
  EXPECT_NE(first["final"][0]["angular_velocity"], second["final"][0]["angular_velocity"]);
  row["groups"]["examine"] = "plane:0";
  EXPECT_EQ(first["final"], solved(row)["final"]);
  row["groups"]["examine"] = 0;
  EXPECT_EQ(first["final"], solved(row)["final"]);
  row["groups"] = {{"model", "lcp"}};
  const json lcp = solved(row);
  EXPECT_EQ(lcp["events"][0]["model"], "lcp");
  EXPECT_EQ(lcp["flags"], json::parse(R"(["several_solutions"])"));
}

TEST(SolveWorld, DefaultsAreThoseOfTheSheet) {
  json row = drop();
  row["stop"] = nullptr;
  row["sample_times"] = {5};
  const json plain = solved(row);
  EXPECT_EQ(plain["verdict"], "time");
  row["bodies"][0]["principal"] = {.004, .004, .004};
  row["bodies"][0]["orientation"] = {1, 0, 0, 0};
  row["bodies"][0]["velocity"] = {0, 0, 0};
  row["bodies"][0]["angular_velocity"] = {0, 0, 0};
  row["bodies"][0]["material"] = "default";
  row["planes"][0]["material"] = "default";
  row["materials"][0] = {{"between", {"default", "default"}},
                         {"e", .7},
                         {"mu", 0},
                         {"mu_s", 0},
                         {"eta0", nullptr},
                         {"model", "spatial"},
                         {"law", "energetic"},
                         {"stiffness", 1},
                         {"exponent", 1}};
  row["tubes"] = json::array();
  row["supports"] = json::array();
  row["stop"] = "time";
  row["zeno_speed"] = 1e-6;
  row["touch_tolerance"] = 1e-6;
  row["micro_speed"] = nullptr;
  row["max_events"] = 1000000;
  row["groups"] = {{"model", "simultaneous"}};
  EXPECT_EQ(solved(row), plain);
}

TEST(SolveWorld, EveryShapeOfTheSheetMoves) {
  const json shapes[] = {{{"type", "box"}, {"size", {.2, .3, .4}}},
                         {{"type", "capsule"}, {"radius", .1}, {"length", .2}},
                         {{"type", "cylinder"}, {"radius", .1}, {"length", .2}},
                         {{"type", "mesh"},
                          {"vertices", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, -1, -1}}},
                          {"faces", {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}}}}};
  for (const json& shape : shapes) {
    json row = drop();
    row["bodies"].push_back({{"shape", shape}, {"mass", 1}, {"principal", {1, 1, 1}}, {"position", {5, 5, 5}}});
    const json answer = solved(row);
    EXPECT_EQ(answer["verdict"], "time") << answer;
    // It falls freely, and then the floor is there.
    EXPECT_LT(answer["final"][1]["position"][2].get<double>(), 5.0);
    EXPECT_NEAR(answer["energy"]["residual"].get<double>(), 0.0, 1e-9);
    row["bodies"][1].erase("mass");
    row["bodies"][1].erase("principal");
    row["bodies"][1]["immovable"] = true;
    EXPECT_EQ(solved(row)["verdict"], "rest");  // as the ball does
  }
}

TEST(SolveWorld, AMeshThatIsNotConvexIsRefused) {
  json row = drop();
  row["bodies"].push_back(
      {{"shape",
        {{"type", "mesh"},
         {"vertices", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {.2, .2, .2}}},
         {"faces", {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 4}, {2, 3, 4}, {3, 1, 4}}}}},
       {"mass", 1},
       {"principal", {1, 1, 1}},
       {"position", {5, 5, 5}}});
  EXPECT_EQ(problem_with(row),
            "bodies[1].shape.faces: the mesh is not convex: vertex 3 stands out from the plane of face 3; give the body "
            "as `parts` that are");
}

// Sheet motion.md, section 7: a turning box meets the floor with a corner.
TEST(SolveWorld, CornerOfATumblingBox) {
  json row = drop();
  row["bodies"] = json::array({{{"shape", {{"type", "box"}, {"size", {.2, .3, .4}}}},
                                {"mass", 1},
                                {"position", {0, 0, .8}},
                                {"angular_velocity", {1, 2, 3}}}});
  row["end_time"] = 1.0;
  row["gravity"] = {0, 0, -9.81};
  row["max_events"] = 1;
  const json answer = solved(row);
  ASSERT_EQ(answer["events"].size(), 1U) << answer;
  EXPECT_NEAR(answer["events"][0]["time"].get<double>(), .3299187692, 1e-10);
}

/// The row with one member replaced.
json with(json row, const char* where, const json& value) {
  row[json::json_pointer(where)] = value;
  return row;
}

TEST(SolveWorld, ErrorsNameTheFieldsOfTheRow) {
  json row = drop();
  row["bodies"].push_back(sphere(.1, 1, {1, 0, 1}));
  EXPECT_EQ(problem_with(row), "accepted");
  EXPECT_EQ(problem_with(with(row, "/bodies/1/position", {.15, 0, 1.1})).substr(0, 34),
            "bodies[1].position: body 0 and bod");
  EXPECT_EQ(problem_with(with(row, "/bodies/1/position", {1, 0, .05})),
            "bodies[1].position: body 1 and plane 0 overlap by 0.05 m");
  EXPECT_EQ(problem_with(with(row, "/bodies/1/material", "steel")),
            "materials: none is between \"default\" and \"steel\": body 0 and body 1 can meet");
  EXPECT_EQ(problem_with(with(row, "/bodies/0/shape/radius", 0)), "bodies[0].shape.radius: must be positive, got 0");
  EXPECT_EQ(problem_with(with(row, "/bodies/0/shape/radius", 1e-200)),
            "bodies[0].shape.radius: must be in [1e-75, 1e+75], got 1e-200");
  EXPECT_EQ(problem_with(with(row, "/bodies/0/velocity", {1e200, 0, 0})),
            "bodies[0].velocity: must be at most 1e+75, got 1e+200");
  EXPECT_EQ(problem_with(with(row, "/end_time", 0)), "end_time: must be positive, got 0");
  EXPECT_EQ(problem_with(with(with(row, "/materials/0/eta0", 1), "/materials/0/model", "spatial")),
            "materials[0].eta0: goes with model compliant, not with spatial");
  EXPECT_EQ(problem_with(with(row, "/materials/0/model", "compliant")),
            "materials[0].eta0: is required by model compliant");
  EXPECT_EQ(problem_with(with(row, "/materials/0/e", {{"table", {{0, 1}, {1, .9}, {1, .8}}}})),
            "materials[0].e.table[2]: speeds must increase, got 1 after 1");
  EXPECT_EQ(problem_with(with(with(row, "/materials/0/mu", .5), "/materials/0/mu_s", .2)),
            "materials[0].mu_s: must be >= mu (0.5), got 0.2");
  EXPECT_EQ(problem_with(with(row, "/bodies/0/principal", {1, 1, 2})),
            "bodies[0].principal: of a ball must be the same about every axis");
  EXPECT_EQ(problem_with(with(row, "/sample_times", {0, 0})), "sample_times[1]: must increase, got 0");
  EXPECT_EQ(problem_with(with(row, "/sample_times", {0, 6})), "sample_times[1]: must be at most end_time (5), got 6");
  EXPECT_EQ(problem_with(with(row, "/groups", {{"examine", "plane:0"}})),
            "groups.examine: goes with model rodriguez only");
  EXPECT_EQ(problem_with(with(row, "/groups", {{"model", "rodriguez"}, {"examine", "tube:0"}})),
            "groups.examine: there is no tube 0");
  EXPECT_EQ(problem_with(with(row, "/max_events", 0)), "max_events: must be in [1, 2147483647], got 0");
  EXPECT_EQ(problem_with(with(row, "/bodies/0/immovable", true)),
            "bodies[0].mass: is not used by a body that is immovable");
  EXPECT_EQ(problem_with(with(row, "/spin", 1)), "spin: unknown key");
}

TEST(SolveWorld, ErrorsOfSupports) {
  json row = drop();
  row["supports"] = {{{"type", "cloth"}, {"plane", 0}, {"bodies", {0}}, {"mu_slide", .2}}};
  EXPECT_EQ(problem_with(row), "supports[0].bodies[0]: body 0 does not lie on plane 0: the gap is 1 m");
  EXPECT_EQ(problem_with(with(row, "/supports/0/plane", 1)), "supports[0].plane: there is no such plane");
  EXPECT_EQ(problem_with(with(row, "/supports/0/bodies", {2})), "supports[0].bodies[0]: there is no such body");
  EXPECT_EQ(problem_with(with(row, "/supports/0/mu_roll", -1)), "supports[0].mu_roll: must be >= 0, got -1");
  EXPECT_EQ(problem_with(with(row, "/supports/0/bodies", {.5})),
            "supports[0].bodies[0]: must be a whole number, got 0.5");
  row["supports"] = {{{"type", "pendulum"}, {"body", 0}, {"anchor", {0, 0, 2}}, {"axis", {0, 1, 0}}}};
  EXPECT_EQ(problem_with(row), "accepted");
  EXPECT_EQ(problem_with(with(row, "/supports/0/anchor", {0, 1, 2})).substr(0, 20), "supports[0].anchor: ");
  EXPECT_EQ(problem_with(with(row, "/supports/0/body", 1)), "supports[0].body: there is no such body");
  EXPECT_EQ(problem_with(with(row, "/bodies/0/velocity", {0, 1, 0})), "bodies[0].velocity: must be along the swing");
  EXPECT_EQ(problem_with(with(row, "/materials/0/mu", .1)).substr(0, 17), "materials[0].mu: ");
  EXPECT_EQ(problem_with(with(row, "/supports/0", {{"type", "glue"}})),
            "supports[0].type: must be one of cloth, pendulum, got \"glue\"");
}

// Every kind of answer is what the schema says.
TEST(SolveWorld, AnswersConform) {
  json cradle = drop();
  cradle["supports"] = {{{"type", "pendulum"}, {"body", 0}, {"anchor", {0, 0, 2}}, {"axis", {0, 1, 0}}}};
  json sampled = drop();
  sampled["sample_times"] = {0, 1};
  const json schema = json::parse(rows_schema())["$defs"]["world"];
  for (const json& row : {drop(), cradle, sampled, corner(1.5, 8)}) {
    EXPECT_TRUE(conforms(row, schema["row"])) << row;
    json answer = solved(row);
    EXPECT_TRUE(conforms(answer, schema["answer"])) << answer;
    answer["events"].push_back({{"time", 0}});
    EXPECT_FALSE(conforms(answer, schema["answer"]));
  }
}

}  // namespace
}  // namespace carom::scenario
