// The rows of the 3-D impact models and of the rod: fields, axes, nulls and errors. The physics is tested in its rooms.
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/scenario/solve.hpp"

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

json ball(const char* model) {
  json row = {{"model", model},
              {"bodies",
               {{{"mass", 1},
                 {"principal", {0.4, 0.4, 0.4}},
                 {"position", {0, 0, 1}},
                 {"velocity", {-1, 0, -5}},
                 {"angular_velocity", {0, 2, 0}}},
                "immovable"}},
              {"contact", {{"point", {0, 0, 0}}, {"normal", {0, 0, 1}}}},
              {"mu", 0.4},
              {"e", 0.5}};
  if (std::string(model) == "spatial")
    row["law"] = "energetic";
  else
    row["eta0"] = std::sqrt(17.0 / 14.0);
  return row;
}

// The sheet of the compliant model, column M: the ball of Jia 2012, section 8.1.1.
TEST(SolveCompliant, TheBallSpinsBack) {
  const json answer = solved(ball("compliant"));
  EXPECT_EQ(answer["verdict"], "separated");
  EXPECT_NEAR(answer["bodies"][0]["velocity"][0].get<double>(), 0.5440901551, 5e-11);
  EXPECT_NEAR(answer["bodies"][0]["angular_velocity"][1].get<double>(), -1.8602253878, 5e-11);
  EXPECT_TRUE(answer["bodies"][1].is_null());
  EXPECT_NEAR(answer["energy"]["before"].get<double>(), 13.8, 1e-13);
  EXPECT_NEAR(answer["energy"]["after"].get<double>(), 3.9651047472, 5e-11);
  EXPECT_FALSE(answer.contains("mode"));
  EXPECT_FALSE(answer.contains("classes"));
  json published = ball("compliant");
  published["reading"] = "published";
  EXPECT_NEAR(solved(published)["bodies"][0]["velocity"][0].get<double>(), 0.570974, 5e-7);
}

// Wang 2017, eq. 2.12 and 2.13: the impulse as in the sheet of the spatial model, exact column.
TEST(SolveSpatial, ContactSpaceRow) {
  const json row = {{"id", 9},
                    {"model", "spatial"},
                    {"law", "energetic"},
                    {"W", {{11.5984, -0.910367, 2.44236}, {-0.910367, 9.90134, 1.95747}, {2.44236, 1.95747, 2.59042}}},
                    {"v", {-0.26197634, 0.38632873, -0.07717452}},
                    {"mu", 0.8},
                    {"e", 0.95}};
  const json answer = solved(row);
  EXPECT_EQ(answer["id"], 9);
  EXPECT_NEAR(answer["impulse"][0].get<double>(), -0.003383096, 1e-8);
  EXPECT_NEAR(answer["impulse"][1].get<double>(), -0.059338170, 1e-8);
  EXPECT_NEAR(answer["impulse"][2].get<double>(), 0.101211669, 1e-8);
  EXPECT_FALSE(answer.contains("bodies"));
  EXPECT_EQ(answer["case"], "slip_ends_in_restitution");
  EXPECT_EQ(answer["class"], "spatial");
  EXPECT_EQ(answer.size(), 9u);
}

// Where nothing couples and the slip comes in along an axis, by hand: W = 1, v = (1, 0, -1), mu = 1/4, e = 1; at
// normal impulse x slip is 1 - x/4, v_n = x - 1, so the work is x^2/2 - x and the loss to friction (x - x^2/8)/4.
TEST(SolvePath, EvenlyInNormalImpulse) {
  const json flat = {{"model", "planar"}, {"law", "poisson"}, {"W", {{1, 0}, {0, 1}}},
                     {"v", {1, -1}},      {"mu", 0.25},       {"e", 1},
                     {"path", 5}};
  json solid = flat;
  solid["model"] = "spatial";
  solid["W"] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  solid["v"] = {1, 0, -1};
  const json planar = solved(flat)["path"], spatial = solved(solid)["path"];
  ASSERT_EQ(planar.size(), 5u);
  ASSERT_EQ(spatial.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) {
    const double x = 0.5 * static_cast<double>(k);
    for (const json* path : {&planar, &spatial}) {
      const json& point = (*path)[k];
      const std::size_t n = path == &planar ? 1 : 2;
      EXPECT_EQ(point.size(), 4u);
      EXPECT_NEAR(point["impulse"][0].get<double>(), -0.25 * x, 1e-15);
      EXPECT_NEAR(point["impulse"][n].get<double>(), x, 1e-15);
      EXPECT_NEAR(point["velocity"][0].get<double>(), 1.0 - 0.25 * x, 1e-15);
      EXPECT_NEAR(point["velocity"][n].get<double>(), x - 1.0, 1e-15);
      EXPECT_NEAR(point["normal_work"].get<double>(), 0.5 * x * x - x, 1e-15);
      EXPECT_NEAR(point["friction_loss"].get<double>(), 0.25 * (x - 0.125 * x * x), 1e-15);
    }
  }
  EXPECT_EQ(solved(solid)["class"], "planar");
  EXPECT_EQ(solved(solid)["case"], "straight_slip");
}

// With bodies, in world axes and up to the answer; without `path` no path, and none of what does not happen.
TEST(SolvePath, InWorldAxesWithBodies) {
  json row = ball("spatial");
  EXPECT_FALSE(solved(row).contains("path"));
  row["contact"]["normal"] = {0, -1, 0};
  row["bodies"][0]["position"] = {0, -1, 0};
  row["bodies"][0]["velocity"] = {-1, 5, 0};
  row["path"] = 3;
  const json answer = solved(row);
  ASSERT_EQ(answer["path"].size(), 3u);
  EXPECT_EQ(answer["path"][2]["impulse"], answer["impulse"]);
  EXPECT_EQ(answer["path"][2]["velocity"], answer["velocity_after"]);
  EXPECT_NEAR(answer["path"][1]["impulse"][1].get<double>(), 0.5 * answer["impulse"][1].get<double>(), 1e-14);
  EXPECT_NEAR(answer["path"][2]["friction_loss"].get<double>(), answer["energy"]["friction_loss"].get<double>(), 1e-14);
  row["bodies"][0]["velocity"] = {-1, -5, 0};
  EXPECT_EQ(solved(row)["path"], json::array());
  EXPECT_EQ(solved(row)["case"], "none");
  row["path"] = 1;
  EXPECT_EQ(problem_with(row), "path: must be in [2, 10000], got 1");
  row["path"] = 2.5;
  EXPECT_EQ(problem_with(row), "path: must be a whole number, got 2.5");
}

TEST(SolveClass, OfBothModels) {
  for (const char* model : {"spatial", "compliant"}) {
    json row = ball(model);
    EXPECT_EQ(solved(row)["class"], "planar");
    row["bodies"][0]["velocity"] = {0, 0, -5};
    row["bodies"][0]["angular_velocity"] = {0, 0, 2};
    EXPECT_EQ(solved(row)["class"], "direct");
    row["bodies"][0]["principal"] = {0.4, 0.3, 0.2};  // turns about x more slowly than about y
    row["bodies"][0]["velocity"] = {-1, 1, -5};
    EXPECT_EQ(solved(row)["class"], "spatial");
  }
}

// The same ball seen from a frame turned about x by a quarter: every vector of the answer must turn with it.
TEST(SolveSpatial, BodiesAnswerInWorldAxes) {
  const json upright = solved(ball("spatial"));
  json row = ball("spatial");
  row["bodies"][0]["position"] = {0, -1, 0};
  row["bodies"][0]["velocity"] = {-1, 5, 0};
  row["bodies"][0]["angular_velocity"] = {0, 0, 2};
  row["contact"]["normal"] = {0, -1, 0};
  const json turned = solved(row);
  for (const char* key : {"impulse", "velocity_after"}) {
    const auto u = upright[key].get<std::vector<double>>(), t = turned[key].get<std::vector<double>>();
    EXPECT_NEAR(t[0], u[0], 1e-14);
    EXPECT_NEAR(t[1], -u[2], 1e-14);
    EXPECT_NEAR(t[2], u[1], 1e-14);
  }
  const json& energy = turned["energy"];
  EXPECT_NEAR(energy["before"].get<double>() - energy["after"].get<double>(),
              energy["restitution_loss"].get<double>() + energy["friction_loss"].get<double>(), 1e-13);
}

TEST(SolveSpatial, OrientationsAgree) {
  json row = ball("spatial");
  json& body = row["bodies"][0];
  body["principal"] = {0.2, 0.3, 0.4};
  body["orientation"] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
  const json by_matrix = solved(row);
  body["orientation"] = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
  const json by_quaternion = solved(row);
  body.erase("orientation");
  body.erase("principal");
  body["inertia"] = {{0.3, 0, 0}, {0, 0.2, 0}, {0, 0, 0.4}};
  const json by_inertia = solved(row);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(by_matrix["impulse"][i].get<double>(), by_inertia["impulse"][i].get<double>(), 1e-14);
    EXPECT_NEAR(by_quaternion["impulse"][i].get<double>(), by_inertia["impulse"][i].get<double>(), 1e-14);
  }
}

TEST(SolveSpatial, NamesWhatIsWrong) {
  const auto changed = [](const std::function<void(json&)>& change) {
    json row = ball("spatial");
    change(row);
    return problem_with(row);
  };
  EXPECT_EQ(changed([](json& r) { r["bodies"][0]["mass"] = 0; }), "bodies[0].mass: must be positive, got 0");
  EXPECT_EQ(changed([](json& r) {
              r["bodies"][0]["principal"] = {1, 1, 0};
            }),
            "bodies[0].principal: must be positive definite, its principal moments are 0, 1, 1");
  EXPECT_EQ(changed([](json& r) {
              r["bodies"][0]["inertia"] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
            }),
            "bodies[0].principal: goes instead of `inertia`, not with it");
  EXPECT_EQ(changed([](json& r) { r["bodies"][0].erase("principal"); }),
            "bodies[0].inertia: is required (or `principal`)");
  EXPECT_EQ(changed([](json& r) {
              r["bodies"][0].erase("principal");
              r["bodies"][0]["inertia"] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
              r["bodies"][0]["orientation"] = {1, 0, 0, 0};
            }),
            "bodies[0].orientation: goes with `principal`, not with `inertia`");
  EXPECT_EQ(changed([](json& r) {
              r["bodies"][0]["orientation"] = {1, 1, 0, 0};
            }),
            "bodies[0].orientation: must be a unit quaternion, its length is 1.4142135623730951");
  EXPECT_EQ(changed([](json& r) {
              r["bodies"][0]["orientation"] = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
            }),
            "bodies[0].orientation: must be a rotation: orthonormal to 1e-9 and right-handed");
  EXPECT_EQ(changed([](json& r) {
              r["contact"]["normal"] = {0, 0, 0};
            }),
            "contact.normal: must have unit length, its length is 0");
  EXPECT_EQ(changed([](json& r) { r["bodies"][0] = "immovable"; }),
            "bodies: both are immovable: one must be free to move");
  EXPECT_EQ(changed([](json& r) { r["bodies"][1] = "fixed"; }),
            "bodies[1]: must be a body or \"immovable\", got \"fixed\"");
  EXPECT_EQ(changed([](json& r) { r.erase("contact"); }), "contact: is required");
  EXPECT_EQ(changed([](json& r) {
              r["v"] = {0, 0, -1};
            }),
            "v: give either `W` and `v`, or `bodies` and `contact`, not both");
  EXPECT_EQ(problem_with({{"model", "spatial"}, {"law", "newton"}, {"mu", 0}, {"e", 1}}),
            "W: is required with `v` (or `bodies` with `contact`)");
  json compliant = ball("compliant");
  compliant["eta0"] = 0;
  EXPECT_EQ(problem_with(compliant), "eta0: must be positive, got 0");
  compliant = ball("compliant");
  compliant["law"] = "newton";
  EXPECT_EQ(problem_with(compliant), "law: unknown key");
}

// Three equal balls in a row, e = 1 (sheet of the simultaneous model): linear springs and Hertz.
TEST(SolveSimultaneous, ChainOfThree) {
  json row = {{"model", "simultaneous"}, {"bodies", json::array()}, {"contacts", json::array()}};
  for (int i = 0; i < 3; ++i)
    row["bodies"].push_back({{"mass", 1},
                             {"principal", {0.4, 0.4, 0.4}},
                             {"position", {2 * i, 0, 0}},
                             {"velocity", {i == 0 ? 1 : 0, 0, 0}}});
  for (int i = 0; i < 2; ++i)
    row["contacts"].push_back({{"bodies", {i, i + 1}}, {"point", {2 * i + 1, 0, 0}}, {"normal", {-1, 0, 0}}, {"e", 1}});
  const auto speed = [](const json& answer, int i) { return answer["bodies"][i]["velocity"][0].get<double>(); };
  const json linear = solved(row);
  EXPECT_EQ(linear["verdict"], "separated");
  EXPECT_NEAR(speed(linear, 0), -0.130261695065, 1e-10);
  EXPECT_NEAR(speed(linear, 1), 0.150229569435, 1e-10);
  EXPECT_NEAR(speed(linear, 2), 0.980032125630, 1e-10);
  EXPECT_EQ(linear["contacts"].size(), 2u);
  for (auto& contact : row["contacts"]) contact["exponent"] = 1.5;
  const json hertz = solved(row);
  EXPECT_NEAR(speed(hertz, 0), -0.070952353651, 1e-9);
  EXPECT_NEAR(speed(hertz, 2), 0.994549314580, 1e-9);
  row["contacts"][1]["exponent"] = 2;
  EXPECT_EQ(problem_with(row), "contacts[1].exponent: must be 1 or 1.5, got 2");
  row["contacts"][1]["exponent"] = 1;
  row["contacts"][1]["bodies"] = {1, 7};
  EXPECT_EQ(problem_with(row).substr(0, 11), "contacts[1]");
}

// The ball in the corner of floor and wall, cases 1 and 2 of the sheet: both rigid methods.
TEST(SolveMultipoint, BallInTheCorner) {
  json row = {{"model", "multipoint"},
              {"method", "rodriguez"},
              {"mass_matrix", {{1, 0, 0}, {0, 1, 0}, {0, 0, 0.125}}},
              {"jacobian", {{1, 0, 0.5}, {0, 1, 0}, {0, 1, 0.5}, {-1, 0, 0}}},
              {"dimension", 2},
              {"velocity", {4, -9.396276, 0}},
              {"e", 0.5},
              {"mu_s", 0.5},
              {"mu_d", 0.25},
              {"examine", 1}};
  const json thesis = solved(row);
  ASSERT_EQ(thesis["solutions"].size(), 1u);
  EXPECT_NEAR(thesis["solutions"][0]["velocity"][2].get<double>(), -7.811172, 1e-6);
  EXPECT_EQ(thesis["solutions"][0]["examined"], 1);
  EXPECT_EQ(thesis["exhaustive"], true);
  row["method"] = "lcp";
  row["mu_s"] = 0.25;
  row["e"] = {0.5, 0.5};
  row.erase("examine");
  const json lcp = solved(row);
  ASSERT_EQ(lcp["solutions"].size(), 1u);
  EXPECT_NEAR(lcp["solutions"][0]["velocity"][2].get<double>(), 4.0, 5e-3);
  EXPECT_TRUE(lcp["solutions"][0]["examined"].is_null());
  EXPECT_EQ(lcp["solutions"][0]["impulses"].size(), 2u);
  row["mu_d"] = 0.3;
  EXPECT_EQ(problem_with(row).substr(0, 4), "mu_d");
  row["mu_d"] = 0.25;
  row["method"] = "guess";
  EXPECT_EQ(problem_with(row), "method: must be one of rodriguez, lcp, compliant, got \"guess\"");
}

// A row too large to be answered within seconds is refused at once, by what is too large.
TEST(SolveMultipoint, TooLarge) {
  json row = {{"model", "multipoint"},
              {"method", "rodriguez"},
              {"mass_matrix", {{1}}},
              {"jacobian", json::array()},
              {"dimension", 2},
              {"velocity", {0}},
              {"e", 0.5},
              {"mu_s", 0.5},
              {"mu_d", 0.25}};
  for (int i = 0; i < 68; ++i) row["jacobian"].push_back({1});
  EXPECT_EQ(problem_with(row),
            "jacobian: has too many contacts: the most is 33, unless one is named to be examined, got 34");
  row["examine"] = 40;
  EXPECT_EQ(problem_with(row), "examine: must be a contact index, 0 to 33, got 40");
  row.erase("examine");
  row["method"] = "lcp";
  EXPECT_EQ(solved(row)["solutions"].size(), 1u);
  for (int i = 0; i < 5000; ++i) row["jacobian"].push_back({1});
  EXPECT_EQ(problem_with(row), "jacobian: has too many contacts: the most is 107, got 2534");
  row["jacobian"] = {{1}, {1}};
  row["mass_matrix"] = json::array();
  for (int i = 0; i < 1001; ++i) row["mass_matrix"].push_back(std::vector<int>(1001, 1));
  EXPECT_EQ(problem_with(row), "mass_matrix: must have at most 1000 rows, got 1001");
}

// The corner's third column of the sheet (k_wall/k_ground = .2, 1, 5), and the sweep over the ratio.
TEST(SolveMultipoint, Springs) {
  json row = {{"model", "multipoint"},
              {"method", "compliant"},
              {"mass_matrix", {{1, 0, 0}, {0, 1, 0}, {0, 0, 0.125}}},
              {"jacobian", {{1, 0, 0.5}, {0, 1, 0}, {0, 1, 0.5}, {-1, 0, 0}}},
              {"dimension", 2},
              {"velocity", {4, -9.396276, 0}},
              {"e", 0.5},
              {"mu_s", 0.5},
              {"mu_d", 0.25},
              {"stiffness", {1, 0.2}}};
  const auto spin = [&] { return solved(row)["solutions"][0]["velocity"][2].get<double>(); };
  EXPECT_NEAR(spin(), -6.10, 5e-3);
  row["stiffness"] = {1, 5};
  EXPECT_NEAR(spin(), 3.57, 5e-3);
  row.erase("stiffness");
  EXPECT_NEAR(spin(), 1.90, 5e-3);
  row["stiffness_range"] = {0.2, 5};
  const json swept = solved(row);
  EXPECT_EQ(swept["exhaustive"], true);
  EXPECT_TRUE(swept["flags"].empty());
  EXPECT_TRUE(swept["solutions"][0]["examined"].is_null());
  const json& outcomes = swept["outcomes"];
  ASSERT_EQ(outcomes.size(), 41u);
  EXPECT_EQ(outcomes[0]["stiffness_ratio"], 0.2);
  EXPECT_EQ(outcomes[40]["stiffness_ratio"], 5.0);
  EXPECT_NEAR(outcomes[20]["stiffness_ratio"].get<double>(), 1.0, 1e-14);
  EXPECT_NEAR(outcomes[0]["velocity"][2].get<double>(), -6.10, 5e-3);
  EXPECT_NEAR(outcomes[20]["velocity"][2].get<double>(), 1.90, 5e-3);
  EXPECT_NEAR(outcomes[40]["velocity"][2].get<double>(), 3.57, 5e-3);
  row["stiffness_range"] = {5, 0.2};
  EXPECT_EQ(problem_with(row), "stiffness_range: must be positive and rising, got 5 to 0.2");
  row["stiffness_range"] = nullptr;
  row["stiffness"] = {1};
  EXPECT_EQ(problem_with(row), "stiffness: must be one per contact (2), got 1");
  row["stiffness"] = {1, -1};
  EXPECT_EQ(problem_with(row), "stiffness[1]: must be positive, got -1");
  row["stiffness"] = {1, 1};
  row["exponent"] = 2;
  EXPECT_EQ(problem_with(row), "exponent: must be 1 or 1.5, got 2");
  row.erase("exponent");
  row["method"] = "lcp";
  EXPECT_EQ(problem_with(row), "stiffness: goes with method compliant only");
}

// Wang 2017, figure 5.1 (r = 2.6) and appendix C, with the corrected contact stress: the sheet of the rod.
TEST(SolveRod, AnswersWithNullsAndFlags) {
  json row = {{"model", "rod"}, {"wave_speed", 1},           {"length", 0.5},    {"gravity", 0},
              {"damping", 2.6}, {"damping_kind", "viscous"}, {"impact_speed", 1}};
  const json free = solved(row);
  EXPECT_EQ(free["status"], "bounce");
  EXPECT_NEAR(free["t_b"].get<double>(), 1.788481033, 5e-10);
  EXPECT_TRUE(free["margin"].is_null());
  EXPECT_EQ(free["flags"], json::array({"no_margin"}));
  EXPECT_FALSE(free.contains("events"));
  EXPECT_FALSE(free.contains("samples"));
  row["damping"] = 4;
  const json stays = solved(row);
  EXPECT_EQ(stays["status"], "no_bounce");
  for (const char* key : {"t_b", "e_momentum", "e_energy", "h_max"}) EXPECT_TRUE(stays[key].is_null()) << key;
  EXPECT_EQ(stays["momentum"], 0.0);

  const json structural = solved({{"model", "rod"},
                                  {"wave_speed", 60},
                                  {"length", 5},
                                  {"gravity", 9.8},
                                  {"damping", 18},
                                  {"damping_kind", "structural"},
                                  {"impact_speed", 5},
                                  {"bounces", 2.0},
                                  {"sample_times", {0.05, 0.1}}});
  EXPECT_NEAR(structural["t_b"].get<double>(), 0.1715620081, 5e-11);
  EXPECT_NEAR(structural["e_energy"].get<double>(), 0.5844, 5e-5);
  EXPECT_EQ(structural["samples"].size(), 2u);
  EXPECT_EQ(structural["events"][0]["type"], "lifts");
}

TEST(SolveRod, NamesWhatIsWrong) {
  const json good = {{"model", "rod"}, {"wave_speed", 1},           {"length", 1},      {"gravity", 1},
                     {"damping", 0},   {"damping_kind", "viscous"}, {"impact_speed", 3}};
  EXPECT_EQ(problem_with(good), "accepted");
  const auto changed = [&](const char* key, const json& value) {
    json row = good;
    row[key] = value;
    return problem_with(row);
  };
  EXPECT_EQ(changed("wave_speed", 0), "wave_speed: must be positive, got 0");
  EXPECT_EQ(changed("damping", -1), "damping: must be >= 0, got -1");
  EXPECT_EQ(changed("bounces", 0), "bounces: must be in [1, 10000], got 0");
  EXPECT_EQ(changed("bounces", 1.5), "bounces: must be a whole number, got 1.5");
  EXPECT_EQ(changed("sample_times", {0, 2, 1}), "sample_times: must increase, got 1 after 2 at [2]");
  EXPECT_EQ(changed("contact", "glue"), "contact: must be one of stress, vx, got \"glue\"");
}

}  // namespace
}  // namespace carom::scenario
