// Rows of forces over time: the numbers of Gonthier et al. 2004 through the door that programs use, and mistakes.
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/scenario/solve.hpp"

namespace carom::scenario {
namespace {

using nlohmann::json;

json answer(const json& row) {
  bool failed = false;
  return json::parse(solve_row(row.dump(), failed));
}

/// "field: message" of a refusal.
std::string refused(json row, const json& change) {
  row.merge_patch(change);
  bool failed = false;
  const json got = json::parse(solve_row(row.dump(), failed));
  return failed ? got["error"]["field"].get<std::string>() + ": " + got["error"]["message"].get<std::string>()
                : "accepted";
}

json friction(double mu_s, double mu_c, double sigma1, double sigma2, double v_s, double tau_dw) {
  return {{"mu_s", mu_s},     {"mu_c", mu_c}, {"sigma0", 1e5},   {"sigma1", sigma1},
          {"sigma2", sigma2}, {"v_s", v_s},   {"tau_dw", tau_dw}};
}

const json impact = {{"model", "normal_impact"}, {"law", "gonthier"}, {"mass", 0.454}, {"stiffness", 3.4e10},
                     {"exponent", 1.5},          {"e", 0.5},          {"speed", 1}};

// Figure 3 of the paper at e = .5, and what other laws really give.
TEST(ContactRows, NormalImpact) {
  json got = answer(impact);
  EXPECT_NEAR(got["peak_force"].get<double>(), 10797.060193854153, 1e-6);
  EXPECT_EQ(got["effective_restitution"], 0.5);
  EXPECT_EQ(got["exit_speed"], 0.5);
  EXPECT_EQ(got["flags"], json::array());
  json row = impact;
  row["law"] = "lankarani_nikravesh";
  row["e"] = 0;
  EXPECT_EQ(answer(row)["damping"], 0.75);
  row["e"] = {{"table", {{0.5, 0.9}, {1.5, 0.7}}}};
  EXPECT_NEAR(answer(row)["damping"].get<double>(), 0.75 * (1 - 0.64), 1e-15);
}

TEST(ContactRows, NormalImpactMistakes) {
  EXPECT_EQ(refused(impact, {{"e", 0}}),
            "e: must be above 0 for the law gonthier, whose damping is infinite there "
            "(0.01 is nearly as plastic), got 0");
  EXPECT_EQ(refused(impact, {{"e", 1.5}}), "e: must be in [0, 1], got 1.5");
  EXPECT_EQ(refused(impact, {{"law", "hertz"}}).substr(0, 50), "law: must be one of gonthier, hunt_crossley, lanka");
  EXPECT_EQ(refused(impact, {{"speed", nullptr}}), "speed: is required");
  EXPECT_EQ(refused(impact, {{"sped", 1}}), "sped: unknown key, did you mean 'speed'?");
  EXPECT_EQ(refused(impact, {{"e", {{"slope", -1}}}}), "e.slope: must be >= 0, got -1");
}

json plate() {
  json row = {{"model", "stick_slip"}, {"plate_speed", 0.1},    {"mass", 1},       {"spring", 2},
              {"gravity", 10},         {"start", "with_plate"}, {"end_time", 10.0}};
  row["friction"] = friction(0.15, 0.1, std::sqrt(1e5), 0.1, 0.001, 2);
  row["friction"]["direction"] = "printed";
  return row;
}

TEST(ContactRows, StickSlip) {
  json row = plate();
  EXPECT_EQ(answer(row)["samples"], json::array());
  row["sample_times"] = {0, 7.7405590513504645, 9.96339};
  const json samples = answer(row)["samples"];
  EXPECT_EQ(samples[0], json({{"t", 0}, {"x", 0}, {"v", 0.1}, {"friction", 0}, {"dwell", 1}}));
  EXPECT_NEAR(samples[1]["x"].get<double>(), 0.7643978458112606, 1e-9);
  EXPECT_NEAR(samples[1]["v"].get<double>(), 0.0, 1e-8);
  EXPECT_NEAR(samples[2]["x"].get<double>(), 0.27288767622750204, 1e-9);  // its least, where x' = 0
  row["friction"]["model"] = "lugre";
  row["friction"].erase("tau_dw");
  const json lugre = answer(row);
  EXPECT_TRUE(lugre["samples"][1]["dwell"].is_null());
  EXPECT_EQ(lugre["flags"], json({"no_dwell"}));
}

TEST(ContactRows, StickSlipMistakes) {
  EXPECT_EQ(refused(plate(), {{"friction", {{"mu_c", 0.2}}}}), "friction.mu_c: must be <= mu_s, 0.15, got 0.2");
  EXPECT_EQ(refused(plate(), {{"friction", {{"sigma0", 0}}}}), "friction.sigma0: must be positive, got 0");
  EXPECT_EQ(refused(plate(), {{"friction", {{"v_s", -1}}}}), "friction.v_s: must be positive, got -1");
  EXPECT_EQ(refused(plate(), {{"friction", {{"tau_dw", nullptr}}}}), "friction.tau_dw: is required");
  EXPECT_EQ(refused(plate(), {{"friction", {{"mu_s", nullptr}}}}), "friction.mu_s: is required");
  EXPECT_EQ(refused(plate(), {{"plate_speed", 0}}), "plate_speed: must be positive, got 0");
  EXPECT_EQ(refused(plate(), {{"sample_times", {0, 11}}}), "sample_times: must lie in [0, 10] (`end_time`), got 11");
  EXPECT_EQ(refused(plate(), {{"sample_times", {2, 1}}}), "sample_times: must increase, got 1 after 2 at [1]");
  EXPECT_EQ(refused(plate(), {{"start", "moving"}}), "start: must be one of with_plate, at_rest, got \"moving\"");
}

json ball() {
  const double incline = M_PI / 9.0;
  json row = {{"model", "sphere_on_plane"},
              {"mass", 2},
              {"radius", 0.1},
              {"stiffness", 1e6},
              {"exponent", 1.5},
              {"e", 0.5},
              {"incline", incline},
              {"gravity", 9.81},
              {"gap", 0.5},
              {"velocity", {-std::cos(incline), 0.5, -std::sin(incline)}},
              {"angular_velocity", {0, 0, 0}},
              {"end_time", 3}};
  row["friction"] = friction(0.45, 0.4, 1e4, 0, 0.1, 0.01);
  return row;
}

TEST(ContactRows, SphereOnPlane) {
  json row = ball();
  row["sample_times"] = {2, 3};
  const json got = answer(row);
  EXPECT_EQ(got["contacts"], 4);
  const json &one = got["samples"][0], &two = got["samples"][1];
  // Rolling: 5/7 of what slides, and of the first speed across.
  EXPECT_NEAR(two["velocity"][0].get<double>() - one["velocity"][0].get<double>(),
              5.0 / 7.0 * 9.81 * std::sin(M_PI / 9), 1e-7);
  EXPECT_NEAR(two["velocity"][1].get<double>(), 5.0 / 14.0, 1e-8);
  const double start = 0.5 * 2 * 1.25 + 2 * 9.81 * 0.6 * std::cos(M_PI / 9);
  EXPECT_NEAR(start - two["kinetic"].get<double>() - two["potential"].get<double>() - two["stored"].get<double>(),
              got["dissipated"].get<double>(), 1e-10);
  // In contact at the start: it counts, and the touch speed is the floor.
  row["gap"] = 0;
  row["velocity"] = {0, 0, 0};
  row["incline"] = 0;
  row["end_time"] = 0.2;
  row["sample_times"] = {0.2};
  const json rest = answer(row);
  EXPECT_EQ(rest["contacts"], 1);
  EXPECT_NEAR(rest["samples"][0]["position"][2].get<double>(), 0.1 - std::pow(2 * 9.81 / 1e6, 2.0 / 3.0), 1e-9);
}

TEST(ContactRows, SphereOnPlaneMistakes) {
  EXPECT_EQ(refused(ball(), {{"gravity", 0}}), "v_min: is required where gravity does not press the ball on the plane");
  EXPECT_EQ(refused(ball(), {{"gravity", 0}, {"v_min", 0.01}, {"end_time", 0.1}}), "accepted");
  EXPECT_EQ(refused(ball(), {{"gap", -0.1}}), "gap: must be >= 0, got -0.1");
  EXPECT_EQ(refused(ball(), {{"e", 0}}).substr(0, 18), "e: must be above 0");
  EXPECT_EQ(refused(ball(), {{"velocity", {0, 0}}}).substr(0, 9), "velocity:");
}

json pendulum(const char* law) {
  json row = {{"model", "pendulum_impact"},
              {"lengths", {1, 1}},
              {"masses", {2, 2}},
              {"inertias", {1.0 / 6.0, 1.0 / 6.0}},
              {"angles", {M_PI / 10, M_PI / 15}},
              {"rates", {-1, -1}},
              {"angle_convention", "relative"},
              {"e", 1},
              {"mu", 0.4},
              {"law", law}};
  if (std::string(law) != "regularized") return row;
  row.update({{"stiffness", 1e9}, {"exponent", 1.5}, {"gravity", 9.81}});
  row["friction"] = {{"sigma0", 1e5}, {"sigma1", std::sqrt(1e5)}, {"v_s", 0.1}, {"tau_dw", 0.75}};
  return row;
}

TEST(ContactRows, PendulumImpact) {
  EXPECT_NEAR(answer(pendulum("regularized"))["loss_fraction"].get<double>(), 0.27916122371876924, 1e-9);
  EXPECT_NEAR(answer(pendulum("energetic"))["loss_fraction"].get<double>(), 0.27525492990188926, 1e-12);
  EXPECT_NEAR(answer(pendulum("poisson"))["loss_fraction"].get<double>(), 0.3304018586614555, 1e-12);
  EXPECT_LT(answer(pendulum("newton"))["loss_fraction"].get<double>(), -0.1);
  json up = pendulum("energetic");
  up["rates"] = {1, 1};
  const json none = answer(up);
  EXPECT_EQ(none["verdict"], "no_impact");
  EXPECT_EQ(none["loss_fraction"], 0);
  EXPECT_EQ(none["impulse"], json({0, 0}));
  EXPECT_EQ(none["rates_after"], json({1, 1}));
  json soft = pendulum("regularized");
  soft["rates"] = {-1e-4, -1e-4};
  soft["e"] = 0.05;
  const json sticks = answer(soft);
  EXPECT_EQ(sticks["verdict"], "sticks");
  EXPECT_TRUE(sticks["loss_fraction"].is_null() && sticks["rates_after"].is_null() && sticks["impulse"].is_null());
}

TEST(ContactRows, PendulumImpactMistakes) {
  EXPECT_EQ(refused(pendulum("newton"), {{"gravity", 9.81}}), "gravity: goes with the law regularized only");
  EXPECT_EQ(refused(pendulum("newton"), {{"mu", nullptr}}), "mu: is required");
  EXPECT_EQ(refused(pendulum("regularized"), {{"mu", nullptr}}), "friction.mu_s: is required (or `mu`)");
  EXPECT_EQ(refused(pendulum("regularized"), {{"stiffness", nullptr}}),
            "stiffness: is required with the law regularized");
  EXPECT_EQ(refused(pendulum("regularized"), {{"e", 0}}).substr(0, 18), "e: must be above 0");
  EXPECT_EQ(refused(pendulum("newton"), {{"e", 0}}), "accepted");
  EXPECT_EQ(refused(pendulum("newton"), {{"angles", {0.3, 0}}}),
            "angles: must not make the chain straight: its tip could not answer in every direction");
  EXPECT_EQ(refused(pendulum("newton"), {{"rates", {1}}}), "rates: must be as many as `lengths`, 2, got 1");
  EXPECT_EQ(refused(pendulum("newton"), {{"inertias", "points"}}).substr(0, 9), "inertias:");
}

// Whatever leads beyond the range of numbers is a field of the row.
TEST(ContactRows, ExtremesNameAField) {
  const auto field = [](const json& row, const json& change) {
    const std::string text = refused(row, change);
    return text.substr(0, text.find(':'));
  };
  EXPECT_EQ(field(ball(), {{"exponent", 0.01}}), "exponent");
  EXPECT_EQ(field(ball(), {{"mass", 1e308}}), "mass");
  EXPECT_EQ(field(ball(), {{"friction", {{"mu_s", 1e308}}}}), "friction.mu_s");
  EXPECT_EQ(field(ball(), {{"velocity", {0, 0, -1e308}}}), "velocity");
  EXPECT_EQ(field(ball(), {{"velocity", {1e200, 0, 0}}}), "velocity");
  EXPECT_EQ(field(ball(), {{"angular_velocity", {0, 1e308, 0}}}), "angular_velocity");
  EXPECT_EQ(field(ball(), {{"stiffness", 1e300}}), "stiffness");
  EXPECT_EQ(field(plate(), {{"plate_speed", 1e308}}), "plate_speed");
  EXPECT_EQ(field(plate(), {{"plate_speed", 1e-308}}), "plate_speed");
  EXPECT_EQ(field(plate(), {{"mass", 1e308}}), "mass");
  const json tip = pendulum("regularized");
  EXPECT_EQ(field(tip, {{"mu", 1e308}}), "mu");
  EXPECT_EQ(field(tip, {{"rates", {-1e-308, -1e-308}}}), "rates");
  EXPECT_EQ(field(tip, {{"rates", {-1e308, -1e308}}}), "rates");
  EXPECT_EQ(field(tip, {{"lengths", {1e-300, 1e300}}}).substr(0, 8), "lengths[");
  EXPECT_EQ(field(pendulum("newton"), {{"lengths", {1e-300, 1e300}}}).substr(0, 8), "lengths[");
}

// Energies beyond the range of numbers are told, also where a rigid law answers the rest.
TEST(ContactRows, LostEnergiesAreFlagged) {
  json row = pendulum("energetic");
  row["rates"] = {-1e300, -1e300};
  const json got = answer(row);
  EXPECT_TRUE(got["loss_fraction"].is_null());
  EXPECT_EQ(got["flags"], json({"overflow"}));
}

TEST(ContactRows, PendulumImpactNamesTheLink) {
  const json row = pendulum("energetic");
  EXPECT_EQ(refused(row, {{"masses", {0, 2}}}), "masses[0]: must be positive, got 0");
  EXPECT_EQ(refused(row, {{"masses", {"a", 2}}}).substr(0, 10), "masses[0]:");
  EXPECT_EQ(refused(row, {{"inertias", {-0.1, 0.1}}}), "inertias[0]: must be >= 0, got -0.1");
  EXPECT_EQ(refused(row, {{"masses", {1}}}), "masses: must be as many as `lengths`, 2, got 1");
  // Folded back on itself it is straight too, to rounding.
  for (const double first : {0.0, 0.1})
    EXPECT_EQ(refused(row, {{"angles", {first, M_PI}}}),
              "angles: must not make the chain straight: its tip could not answer in every direction");
  EXPECT_EQ(refused(row, {{"angles", {0.3, 1e-6}}}), "accepted");
  // `mu` replaces both coefficients, whatever they are.
  const json tip = pendulum("regularized");
  EXPECT_EQ(refused(tip, {{"friction", {{"mu_s", 0.1}, {"mu_c", 0.2}}}}), "accepted");
  EXPECT_EQ(refused(tip, {{"friction", {{"mu_s", 0.1}, {"mu_c", 0.2}}}, {"mu", nullptr}}),
            "friction.mu_c: must be <= mu_s, 0.1, got 0.2");
}

// A tip that comes to the floor ever slower is damped ever harder: an answer all the same.
TEST(ContactRows, SlowTipsHaveAnAnswer) {
  json row = pendulum("regularized");
  row["e"] = 0.3;
  for (const double rate : {-1e-3, -1e-6, -1e-9}) {
    row["rates"] = {rate, 0};
    const json got = answer(row);
    EXPECT_EQ(got["verdict"], "sticks") << rate;
    EXPECT_EQ(got["flags"], json::array()) << rate;
    EXPECT_TRUE(got["impulse"].is_null());
  }
}

TEST(ContactRows, SmallRestitutions) {
  // By quadrature with 60 digits.
  const json got = answer({{"model", "normal_impact"},
                           {"law", "gonthier"},
                           {"mass", 1},
                           {"stiffness", 1},
                           {"exponent", 1.5},
                           {"e", 0.001},
                           {"speed", 1}});
  EXPECT_NEAR(got["duration"].get<double>(), 91.1369041, 1e-7);
  EXPECT_EQ(got["flags"], json::array());
  const json slow = answer({{"model", "normal_impact"},
                            {"law", "gonthier"},
                            {"mass", 1},
                            {"stiffness", 1},
                            {"exponent", 1.5},
                            {"e", 0.5},
                            {"speed", 1e-300}});
  EXPECT_NEAR(slow["duration"].get<double>() / 3.6036, 1e60, 1e56);  // v^(-1/5)
  EXPECT_GT(answer({{"model", "normal_impact"},
                    {"law", "gonthier"},
                    {"mass", 1},
                    {"stiffness", 1},
                    {"exponent", 1.5},
                    {"e", 1e-300},
                    {"speed", 1}})["max_indentation"]
                .get<double>(),
            0.0);
  const json row = {{"model", "contact_parameters"},
                    {"law", "gonthier"},
                    {"mass", 1},
                    {"e", 0.001},
                    {"duration", 0.01},
                    {"speed", 1}};
  EXPECT_NEAR(answer(row)["stiffness"].get<double>() / std::pow(91.1369041 / 0.01, 2.5), 1.0, 1e-8);
}

TEST(ContactRows, ParametersBeyondNumbers) {
  json row = {
      {"model", "contact_parameters"}, {"law", "linear"}, {"mass", 2}, {"e", 0.5}, {"duration", 0.01}, {"speed", 1}};
  for (const char* law : {"linear", "gonthier", "flores"}) {
    row["law"] = law;
    const std::string beyond = ": asks for a stiffness beyond the range of numbers";
    EXPECT_EQ(refused(row, {{"duration", 1e-300}}), "duration" + beyond);
    EXPECT_EQ(refused(row, {{"duration", 1e300}}), "duration" + beyond);
    EXPECT_EQ(refused(row, {{"mass", 1e300}, {"duration", 1e-100}}), "mass" + beyond);
    EXPECT_EQ(refused(row, {{"e", 0}}),
              "e: must be above 0, which no finite damping delivers (0.01 is nearly as plastic), got 0");
  }
  row["law"] = "linear";
  row["speed"] = 1e308;
  const json got = answer(row);
  EXPECT_EQ(got["flags"], json({"overflow"}));
  EXPECT_TRUE(got["peak_force"].is_null());
}

// Nearly no gap is none.
TEST(ContactRows, TinyGaps) {
  json row = ball();
  row["end_time"] = 1;
  json first;
  for (const double gap : {0.0, 1e-300, 1e-20}) {
    row["gap"] = gap;
    const json got = answer(row);
    if (first.is_null()) first = got["contacts"];
    EXPECT_EQ(got["contacts"], first) << gap;
  }
}

TEST(ContactRows, ContactParameters) {
  json row = {{"model", "contact_parameters"}, {"law", "linear"}, {"mass", 2}, {"e", 0.5}, {"duration", 0.01}};
  const json linear = answer(row);
  EXPECT_NEAR(linear["solref"][0].get<double>() * linear["damping"].get<double>(), 2.0 * 2.0, 1e-12);  // 2 m / c
  EXPECT_EQ(linear["flags"], json({"no_speed"}));
  EXPECT_TRUE(linear["peak_force"].is_null() && linear["nominal_e"].is_null());
  // What a law of normal_impact is told here, it gives back there.
  for (const char* law : {"gonthier", "hunt_crossley", "lankarani_nikravesh", "flores"}) {
    row = {{"model", "contact_parameters"}, {"law", law}, {"mass", 2}, {"e", 0.8}, {"duration", 0.01}, {"speed", 3}};
    const json found = answer(row);
    const json got = answer({{"model", "normal_impact"},
                             {"law", law},
                             {"mass", 2},
                             {"stiffness", found["stiffness"]},
                             {"exponent", 1.5},
                             {"e", found["nominal_e"]},
                             {"speed", 3}});
    EXPECT_NEAR(got["effective_restitution"].get<double>(), 0.8, 1e-13) << law;
    EXPECT_NEAR(got["duration"].get<double>(), 0.01, 1e-14) << law;
    EXPECT_NEAR(got["peak_force"].get<double>() / found["peak_force"].get<double>(), 1.0, 1e-12) << law;
    EXPECT_NEAR(got["max_indentation"].get<double>() / found["max_indentation"].get<double>(), 1.0, 1e-12) << law;
  }
  row["law"] = "hunt_crossley";
  row["e"] = 0.3;
  EXPECT_EQ(answer(row)["flags"], json({"out_of_reach"}));
  EXPECT_EQ(refused(row, {{"speed", nullptr}}),
            "speed: is required unless the exponent is 1: the duration depends on it");
  EXPECT_EQ(refused(row, {{"speed", nullptr}, {"exponent", 1}}), "accepted");
  EXPECT_EQ(refused(row, {{"law", "linear"}, {"exponent", 1.5}}), "exponent: must be 1 for the law linear, got 1.5");
  EXPECT_EQ(refused(row, {{"e", 0}}).substr(0, 18), "e: must be above 0");
}

}  // namespace
}  // namespace carom::scenario
