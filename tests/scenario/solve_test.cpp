#include "carom/scenario/solve.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "core/test_name.hpp"
#include "impact/planar_random.hpp"

namespace carom::scenario {
namespace {

using nlohmann::json;

json solved(const std::string& line) {
  bool failed = false;
  return json::parse(solve_row(line, failed));
}

const std::string rod = R"("model":"planar","law":"poisson","W":[[2.5,-1.5],[-1.5,2.5]],"v":[0.6,-1],"mu":0.7,"e":0.5)";

TEST(Solve, AnswersThePlanarRow) {
  bool failed = true;
  const std::string line = solve_row("{\"id\":\"a\"," + rod + "}", failed);
  EXPECT_FALSE(failed);
  const json answer = json::parse(line);
  EXPECT_EQ(answer["id"], "a");
  EXPECT_EQ(answer["verdict"], "separated");
  EXPECT_EQ(answer["mode"], "C-sticking");
  EXPECT_NEAR(answer["impulse"][0].get<double>(), 0.12, 1e-15);
  EXPECT_NEAR(answer["impulse"][1].get<double>(), 0.6, 1e-15);
  EXPECT_EQ(answer["velocity_after"][0], 0.0);
  EXPECT_NEAR(answer["velocity_after"][1].get<double>(), 0.32, 1e-15);
  std::vector<std::string> types;
  for (const auto& event : answer["events"]) {
    types.push_back(event["type"]);
    EXPECT_EQ(event.size(), 3u);
  }
  EXPECT_EQ(types, (std::vector<std::string>{"start_slip", "slip_ends", "compression_ends", "separates"}));
  EXPECT_EQ(answer["classes"], json::parse(R"({"sliding":"oblique","eccentricity":"eccentric","approach":"meeting"})"));
  EXPECT_EQ(answer["flags"], json::array());
  EXPECT_EQ(answer["energy"].size(), 5u);
  EXPECT_EQ(answer.size(), 9u);  // and nothing else
}

TEST(Solve, NoImpactIsAnAnswer) {
  const json answer = solved(
      R"({"model":"planar","law":"newton","W":[[1,0],[0,1]],"v":[0.5,1],"mu":0,"e":1,"free_acceleration":null})");
  EXPECT_EQ(answer["verdict"], "no_impact");
  EXPECT_TRUE(answer["mode"].is_null());
  EXPECT_EQ(answer["impulse"], json::parse("[0,0]"));
  EXPECT_EQ(answer["velocity_after"], json::parse("[0.5,1]"));
  EXPECT_EQ(answer["events"], json::array());
  EXPECT_FALSE(answer.contains("id"));
}

TEST(Solve, NumbersReadBackAsTheSameBits) {
  std::mt19937_64 rng(2);
  for (int i = 0; i < 200; ++i) {
    const PlanarProblem problem = testing::random_planar_problem(rng, RestitutionLaw::energetic);
    const auto& w = problem.space.inverse_inertia;
    const auto& v = problem.space.velocity;
    const json row = {{"model", "planar"},
                      {"law", "energetic"},
                      {"W", {{w(0, 0), w(0, 1)}, {w(1, 0), w(1, 1)}}},
                      {"v", {v[0], v[1]}},
                      {"mu", problem.material.friction},
                      {"e", problem.material.restitution}};
    const json answer = solved(row.dump());
    const PlanarImpact impact = planar_impact(problem);
    EXPECT_EQ(answer["impulse"][0].get<double>(), impact.impulse[0]);
    EXPECT_EQ(answer["impulse"][1].get<double>(), impact.impulse[1]);
    EXPECT_EQ(answer["energy"]["after"].get<double>(), impact.energy.after);
  }
}

TEST(Solve, EchoesAnyId) {
  for (const char* id : {"null", "7", "12345678901234567890", "-0.5", "\"\\u00e9\\n\"", "[1,{\"a\":[]}]", "true"})
    EXPECT_EQ(solved("{\"id\":" + std::string(id) + "," + rod + "}")["id"], json::parse(id)) << id;
}

struct BadRow {
  std::string line, answer;
};
class BadRows : public ::testing::TestWithParam<BadRow> {};

TEST_P(BadRows, AreNamed) {
  bool failed = false;
  EXPECT_EQ(solve_row(GetParam().line, failed), GetParam().answer);
  EXPECT_TRUE(failed);
}

std::string error(const std::string& id, const std::string& field, const std::string& message) {
  return "{" + (id.empty() ? "" : "\"id\":" + id + ",") +
         "\"error\":{\"field\":" + (field.empty() ? "null" : "\"" + field + "\"") + ",\"message\":\"" + message +
         "\"}}";
}

INSTANTIATE_TEST_SUITE_P(
    All, BadRows,
    ::testing::Values(
        BadRow{R"({"id":1,"model":"planar","law":"newton","W":[[1,0],[0,1]],"v":[0,-1],"mu":-1,"e":1})",
               error("1", "mu", "must be >= 0, got -1")},
        // The first bad field in input order wins, wherever `model` stands.
        BadRow{R"({"e":2,"mu":-1,"model":"planar","id":[2]})", error("[2]", "e", "must be in [0, 1], got 2")},
        BadRow{R"({"model":"planar","nu":1,"mu":-1})", error("", "nu", "unknown key, did you mean 'mu'?")},
        BadRow{R"({"model":"planar","law":"newton","W":[[1,0],[0,1]],"v":[0,-1],"mu":1})",
               error("", "e", "is required")},
        BadRow{R"({"model":"planar","law":null,"W":[[1,0],[0,1]],"v":[0,-1],"mu":1,"e":1})",
               error("", "law", "is required")},
        BadRow{R"({"model":"planar","mu":1,"mu":1})", error("", "mu", "is given twice")},
        BadRow{R"({"id":3,"mu":1e999,"model":"planar"})", error("3", "mu", "is too large for a double, got 1e999")},
        BadRow{R"({"mu":1e999,"model":"planar","id":4})", error("4", "mu", "is too large for a double, got 1e999")},
        BadRow{R"({"W":[[1,0],[0,-1e400]],"model":"planar","id":5})",
               error("5", "W", "is too large for a double, got -1e400 at [1][1]")},
        BadRow{R"({"W":[[1,0],[0,0]],"model":"planar"})", error("", "W", "must be positive definite")},
        BadRow{R"({"W":[[1,0.1],[0.2,1]],"model":"planar"})",
               error("", "W", "must be symmetric, got 0.1 and 0.2 across the diagonal")},
        BadRow{R"({"W":[[1,0,0],[0,1,0],[0,0,1]],"model":"planar"})",
               error("", "W", "must be a 2 x 2 matrix of numbers, got [[1,0,0],[0,1,0],[0,0,1]]")},
        BadRow{R"({"v":"fast","model":"planar"})", error("", "v", R"(must be a list of 2 numbers, got \"fast\")")},
        BadRow{R"({"id":6})", error("6", "model", "is required")},
        BadRow{
            R"({"id":7,"model":"warp"})",
            error(
                "7", "model",
                R"(must be one of planar, spatial, compliant, simultaneous, multipoint, rod, world, normal_impact, stick_slip, )"
                R"(sphere_on_plane, pendulum_impact, contact_parameters, batting, fit, fem, rest_shape, squeeze, got \"warp\")")},
        BadRow{R"([1,2])", error("null", "", "must be a JSON object, got [1,2]")},
        BadRow{"\"x\"", error("null", "", R"(must be a JSON object, got \"x\")")}),
    [](const auto& each) {
      const json error = json::parse(each.param.answer)["error"];
      return test_name(each.index, (error["field"].is_null() ? "" : "_" + error["field"].get<std::string>()) + " " +
                                       error["message"].get<std::string>());
    });

TEST(Solve, BrokenLinesGetANullId) {
  for (const std::string& line : {std::string("{\"id\":1,"), std::string("{\"id\":1} trailing"),
                                  std::string("{\"id\":\"\xff\"}"), std::string("NaN"), std::string("{'id':1}"),
                                  std::string(100000, '['), std::string("{\"mu\":NaN}"), std::string("\0", 1)}) {
    const json answer = solved(line);
    EXPECT_TRUE(answer["id"].is_null());
    EXPECT_TRUE(answer["error"]["field"].is_null());
    EXPECT_NE(answer["error"]["message"].get<std::string>().find("not valid JSON"), std::string::npos);
  }
}

TEST(Solve, WhatDoesNotExistIsNullWithAFlag) {
  const json answer =
      solved(R"({"model":"planar","law":"poisson","W":[[2.5,-1.5],[-1.5,2.5]],"v":[1e200,-1e200],"mu":0.1,"e":0.5})");
  EXPECT_TRUE(answer["energy"]["before"].is_null());
  EXPECT_EQ(answer["flags"], json::parse(R"(["overflow"])"));
}

std::string stream(const std::string& in, int threads, SolveSummary* summary = nullptr) {
  std::istringstream input(in);
  std::ostringstream output;
  const SolveSummary result = solve_stream(input, output, threads);
  if (summary != nullptr) *summary = result;
  return output.str();
}

TEST(SolveStream, ToleratesBomCrLfAndBlankLines) {
  SolveSummary summary;
  const std::string row = "{\"id\":1," + rod + "}";
  bool failed = false;
  const std::string answer = solve_row(row, failed) + "\n";
  EXPECT_EQ(stream("\xEF\xBB\xBF" + row + "\r\n\r\n  \t\n" + row, 1, &summary), answer + answer);
  EXPECT_EQ(summary.rows, 2u);
  EXPECT_EQ(summary.errors, 0u);
  EXPECT_EQ(stream("", 1, &summary), "");
  EXPECT_EQ(summary.rows, 0u);
}

TEST(SolveStream, SameOutputOnAnyNumberOfThreads) {
  std::string in;
  for (int i = 0; i < 20000; ++i)
    in += "{\"id\":" + std::to_string(i) + "," + (i % 50 == 0 ? "\"mu\":-1," : "") + rod + "}\n";
  SolveSummary one, four;
  EXPECT_EQ(stream(in, 1, &one), stream(in, 4, &four));
  EXPECT_EQ(one.rows, 20000u);
  EXPECT_EQ(one.errors, 400u);
  EXPECT_EQ(four.errors, 400u);
}

TEST(SolveStream, ALineTooLongIsAnErrorRowAndTheNextOneIsAnswered) {
  std::string in(max_solve_line + 10, ' ');
  in[0] = '1';
  in += "\n{\"id\":8," + rod + "}\n";
  SolveSummary summary;
  const std::string out = stream(in, 2, &summary);
  EXPECT_EQ(out.find("{\"id\":null,\"error\":{\"field\":null,\"message\":\"the line is over 64 MB\"}}\n{\"id\":8,"),
            0u);
  EXPECT_EQ(summary.errors, 1u);
}

}  // namespace
}  // namespace carom::scenario
