// Scenarios of forces over time, from file to answer.
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/report/writers.hpp"
#include "carom/scenario/scenario.hpp"

namespace carom::scenario {
namespace {

using nlohmann::json;

const std::filesystem::path scenarios = std::filesystem::path(CAROM_SOURCE_DIR) / "scenarios";

json answer_of(const char* file) { return json::parse(report::json_text(load(scenarios / file).answer())); }
double fact(const json& answer, const char* key) { return answer["facts"][key]["value"].get<double>(); }

// Gonthier et al. 2004, Table I: numbers of an independent integration.
TEST(ContactScenarios, StickSlip) {
  const json answer = answer_of("stick_slip.yaml");
  EXPECT_NEAR(fact(answer, "first_limit"), 7.5001414, 1e-6);
  EXPECT_NEAR(fact(answer, "x_max"), 0.764397846, 1e-8);
  EXPECT_NEAR(fact(answer, "x_min"), 0.272887676, 1e-8);
  // In any direction the same; at .15 m/s.
  const json turned = answer_of("stick_slip_diagonal.yaml");
  EXPECT_NEAR(fact(turned, "x_max"), 0.777418817, 1e-8);
  EXPECT_NEAR(fact(turned, "x_min"), 0.265973384, 1e-8);
  // Long enough for the cycles to repeat.
  EXPECT_NEAR(fact(answer, "period"), 6.8297353, 2e-6);
  EXPECT_NEAR(fact(answer, "cycle_max"), 0.7358980, 1e-6);
  EXPECT_NEAR(fact(answer, "peak"), 1.4361680, 1e-6);
  EXPECT_NEAR(fact(turned, "period"), 5.0045313, 2e-6);
  EXPECT_NEAR(fact(turned, "cycle_min"), 0.3420481, 1e-6);
}

TEST(ContactScenarios, PendulumBenchmark) {
  const json a = answer_of("pendulum_benchmark_a.yaml"), b = answer_of("pendulum_benchmark_b.yaml");
  EXPECT_NEAR(fact(a, "loss"), 33.79956842371164, 1e-6);
  EXPECT_NEAR(fact(a, "loss_energetic"), 31.993299474700994, 1e-9);
  EXPECT_NEAR(fact(a, "loss_limit"), 31.993299474700994, 1e-9);
  EXPECT_NEAR(fact(a, "loss_poisson"), 39.1339222829786, 1e-9);
  EXPECT_NEAR(fact(b, "loss"), 37.86662459111903, 1e-6);
  EXPECT_NEAR(fact(b, "loss_newton"), 37.761253484636065, 1e-9);
}

// At e = .5 the limit is a law of its own, and the distance to it falls with v_s, not that to the energetic law.
TEST(ContactScenarios, PendulumLimit) {
  const json answer = answer_of("pendulum_benchmark_limit.yaml");
  EXPECT_NEAR(fact(answer, "loss_limit"), 49.734915657843906, 1e-9);
  EXPECT_NEAR(fact(answer, "loss_energetic"), 50.4209, 5e-5);
  const json& columns = answer["tables"]["stiffening"]["columns"];
  const auto limit = columns[2]["cells"].get<std::vector<double>>(),
             energetic = columns[3]["cells"].get<std::vector<double>>();
  ASSERT_EQ(limit.size(), 5u);  // two a decade
  EXPECT_LT(std::abs(limit[2]), 0.2 * std::abs(limit[0]));
  EXPECT_LT(std::abs(limit[4]), 0.2 * std::abs(limit[2]));
  EXPECT_GT(std::abs(energetic[4]), 0.6);
}

TEST(ContactScenarios, WallAndParameters) {
  EXPECT_EQ(fact(answer_of("normal_impact.yaml"), "effective_restitution"), 0.5);
  const json p = answer_of("contact_parameters.yaml");
  EXPECT_NEAR(fact(p, "solref_time_constant") * fact(p, "damping"), 2.0, 1e-12);  // 2 m / c
}

// Figures 5 and 16 to 21.
TEST(ContactScenarios, SlowPlate) {
  const json answer = answer_of("stick_slip_slow.yaml");
  EXPECT_NEAR(fact(answer, "first_limit"), 15.0002966, 1e-6);
  EXPECT_NEAR(fact(answer, "x_max"), 0.755435250, 1e-8);
  EXPECT_NEAR(fact(answer, "period"), 11.8453651, 2e-5);
  EXPECT_NEAR(fact(answer, "peak"), 1.4954105, 1e-6);
}

TEST(ContactScenarios, PendulumDrop) {
  const json dry = answer_of("pendulum_drop_dry.yaml");
  EXPECT_EQ(fact(dry, "contacts"), 38.0);
  EXPECT_NEAR(fact(dry, "sticks_from"), 6.6, 5e-3);
  const auto angles = dry["facts"]["angles"]["value"].get<std::vector<double>>();
  EXPECT_NEAR(angles.at(0), 1.91744, 1e-4);
  EXPECT_NEAR(angles.at(1), -65.740179, 1e-4);
  EXPECT_NEAR(fact(dry, "tip_x"), -0.20763, 1e-5);
  const json lubricated = answer_of("pendulum_drop_lubricated.yaml");
  EXPECT_NEAR(lubricated["facts"]["angles"]["value"][0].get<double>(), 0.0, 5e-4);
}

// Figures 9 to 15: scenes with forces over time.
TEST(ContactScenarios, BallOnInclineAndInCylinder) {
  const json incline = answer_of("ball_on_incline.yaml");
  EXPECT_EQ(fact(incline, "touches"), 4.0);
  EXPECT_EQ(fact(incline, "impacts"), 0.0);
  // Rolling at 3 s with (6.518553126, 5/14) m/s: 7/10 m v^2.
  EXPECT_NEAR(fact(incline, "kinetic_end"), 1.4 * (6.518553126 * 6.518553126 + 25.0 / 196.0), 3e-4);
  const json plane = answer_of("ball_in_cylinder.yaml"), space = answer_of("ball_in_cylinder_3d.yaml");
  EXPECT_EQ(fact(plane, "touches"), 4.0);
  EXPECT_NEAR(fact(space, "energy_end") + fact(space, "stored"), -16.202487418, 2e-6);
  for (const json* answer : {&incline, &plane, &space}) {
    EXPECT_LT(std::abs(fact(*answer, "residual")), 1e-9);
    EXPECT_LT(fact(*answer, "momentum_residual"), 1e-11);
  }
  const json groove = answer_of("ball_dropped_into_a_groove.yaml");
  EXPECT_EQ(groove["facts"]["verdict"]["value"], "time");
  EXPECT_LT(std::abs(fact(groove, "residual")), 1e-11);
}

// Table II as printed is stable below .1435 ms, and 1.2 m_t/sigma1 = 1.2 (2/7) 2 / 1e4 is accurate.
TEST(ContactScenarios, Tick) {
  const json answer = answer_of("tick_table_2.yaml");
  EXPECT_EQ(answer["facts"]["verdict"]["value"], "explodes");
  EXPECT_NEAR(fact(answer, "stable_step"), 1.4367e-4, 1e-8);
  EXPECT_NEAR(fact(answer, "accurate_step"), 1.2 * 4.0 / 7.0 / 1e4, 1e-15);
  EXPECT_EQ(fact(answer, "substeps"), 15.0);
  // LuGre at 1 m/s under the weight: 2.5127 / (sigma0 |v|/(mu_c f_n) + sigma1/m_t).
  EXPECT_NEAR(fact(answer, "lugre_step"), 2.5127 / (1e5 / (0.4 * 2 * 9.81) + 1e4 * 7.0 / 4.0), 1e-7);
  const auto verdict = [](const std::string& friction, const char* more) {
    const std::string text = "kind: tick\nmass: 1\nstiffness: 1e6\ne: 0.5\nspeed: 0.1\n" + std::string(more) +
                             "friction: {mu_s: 0.15, mu_c: 0.1, sigma0: 1e5, sigma1: 316, v_s: 0.001, tau_dw: 2" +
                             friction + "}\n";
    return json::parse(report::json_text(parse(text, "f.yaml").answer()))["facts"]["verdict"]["value"]
        .get<std::string>();
  };
  // Table I at 1 ms, sliding at 1 m/s: bounded with a dwell time, not with LuGre, nor with much viscous friction.
  EXPECT_EQ(verdict("", "slip: 1\n"), "survives");
  EXPECT_EQ(verdict(", model: lugre", "slip: 1\n"), "explodes");
  EXPECT_EQ(verdict(", model: lugre", "slip: 0\n"), "survives");
  EXPECT_EQ(verdict(", sigma2: 3000", ""), "explodes");
}

TEST(ContactScenarios, NameWhatIsWrong) {
  const auto complaint = [](const std::string& text) {
    try {
      parse(text, "f.yaml");
    } catch (const BadScenario& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(complaint("kind: normal_impact\nmass: 1\nstiffness: 1e6\nspeed: 1\ne: 0\n").substr(0, 28),
            "f.yaml:5: e: must be above 0");
  EXPECT_EQ(complaint("kind: contact_parameters\nmass: 1\ne: 0.5\nduration: 1e-3\n"),
            "f.yaml:1: speed: is required unless the exponent is 1");
  EXPECT_EQ(
      complaint("kind: pendulum\nmodel: impact\nlengths: [1, 1]\nmasses: [1]\ninertias: point\nangles: [0.1, 0.2]\n"
                "rates: [-1, -1]\ne: 1\nmu: 0\nfriction: {sigma0: 1e5, sigma1: 300, v_s: 0.1, tau_dw: 1}\n"),
      "f.yaml:4: masses: must be as many as `lengths`, 2, got 1");
  const std::string drop =
      "kind: pendulum\nmodel: drop\nlengths: [1]\nmasses: [1]\ninertias: point\nangles: [0]\n"
      "rates: [0]\ne: 0.5\nend_time: 1\n"
      "friction: {mu_s: 0, mu_c: 0, sigma0: 1e5, sigma1: 300, v_s: 0.1, tau_dw: 1}\n";
  EXPECT_EQ(complaint(drop + "floor: 0.9\n").substr(0, 36), "f.yaml:11: floor: must be below the ");
  const std::string scene =
      "kind: world\nbodies: [{shape: sphere, mass: 1, radius: 0.1, position: [0, 0, 1]}]\n"
      "planes: [{point: [0, 0, 0], normal: [0, 0, 1]}]\nend_time: 1\n";
  const std::string forces =
      "materials: [{restitution: 0.5, forces: {stiffness: 1e6, friction: {sigma0: 1e5, sigma1: "
      "300, v_s: 0.1, tau_dw: 1}}}]\n";
  EXPECT_EQ(complaint(scene + forces + "contact: regularized\nimpacts: regularized\n"), "accepted");
  EXPECT_EQ(complaint(scene + forces + "impacts: regularized\n"), "f.yaml:6: impacts: goes with contact: regularized");
  EXPECT_EQ(complaint(scene + "materials: [{restitution: 0.5}]\ncontact: regularized\n"),
            "f.yaml:5: materials[0].forces: is required for forces over time");
  EXPECT_EQ(complaint(scene + forces + "contact: regularized\nmicro_speed: 1e-3\n"),
            "f.yaml:7: micro_speed: does not go together with forces over time");
  EXPECT_EQ(complaint(scene + forces + "contact: regularized\ngravity: 0\n").substr(0, 25),
            "f.yaml:1: v_min: is requi");
}

}  // namespace
}  // namespace carom::scenario
