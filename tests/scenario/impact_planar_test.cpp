// Planar impacts from file to answer: thresholds, other methods, finite contact forces, and the pictures of Wang and
// Mason 1992. Expected numbers: their section 6 (with the misprints put right) or an exact rational walk along the
// path.
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

json answer_of(const std::string& name, std::vector<Setting> settings = {}) {
  return json::parse(report::json_text(load(scenarios / (name + ".yaml"), settings).answer()));
}

const std::string rod_space =
    "kind: impact\nmodel: planar\nmaterial: {friction: 0.95, restitution: 0.5}\nlaw: poisson\n"
    "contact_space: {inverse_inertia: [[2.5, -1.5], [-1.5, 2.5]], velocity: [-1, -1]}\n";

json answer_to(const std::string& text) { return json::parse(report::json_text(parse(text, "f.yaml").answer())); }

std::string complaint(const std::string& text) {
  try {
    parse(text, "f.yaml");
  } catch (const BadScenario& error) {
    return error.what();
  }
  return "accepted";
}

json planar_fact(const json& answer, const char* key) { return answer["facts"][key]["value"]; }

/// The cells of a column.
json cells(const json& answer, const char* table, const char* key) {
  for (const json& column : answer["tables"][table]["columns"])
    if (column["key"] == key) return column["cells"];
  return "no such column";
}

bool has_legend(const json& plot, const std::string& text) {
  for (const char* part : {"curves", "lines"})
    for (const json& item : plot[part])
      if (item["legend"].get<std::string>().find(text) != std::string::npos) return true;
  return false;
}

/// Where a marker with this label stands; NaN without one.
std::pair<double, double> marker(const json& plot, const std::string& label) {
  const json& m = plot["markers"];
  for (std::size_t i = 0; i < m["label"].size(); ++i)
    if (m["label"][i].get<std::string>() == label) return {m["x"][i], m["y"][i]};
  return {NAN, NAN};
}

TEST(PlanarFile, ThresholdsAreFacts) {
  const json answer = answer_to(rod_space);
  const json slopes = planar_fact(answer, "thresholds"), products = planar_fact(answer, "slip_products");
  EXPECT_NEAR(slopes[0].get<double>(), -0.6, 1e-15);
  EXPECT_NEAR(slopes[1].get<double>(), 0.9047619047619048, 1e-15);  // wm.eq32_33, wm.case3.mu_d
  EXPECT_NEAR(slopes[2].get<double>(), 1.0, 1e-15);
  EXPECT_NEAR(products[0].get<double>(), 1.075, 1e-15);
  EXPECT_NEAR(products[1].get<double>(), 0.875, 1e-15);
  EXPECT_NEAR(planar_fact(answer, "jamb_friction").get<double>(), 5.0 / 3.0, 1e-15);
  const json direct = answer_to(
      "kind: impact\nmodel: planar\nmaterial: {friction: 0.3, restitution: 0.5}\n"
      "contact_space: {inverse_inertia: [[1, 0], [0, 1]], velocity: [0, -1]}\n");
  EXPECT_TRUE(planar_fact(direct, "slip_end_friction").is_null());  // there is none
  EXPECT_TRUE(planar_fact(direct, "jamb_friction").is_null());
}

// Modes, impulses, velocities and energies of section 6 and of the formulas of section 3.5.
TEST(PlanarFile, NumbersOfThePaper) {
  struct Row {
    const char* where;
    double s0, c0, mu, e;
    const char* law;
    const char* mode;
    double pt, pn, vt, vn, change;
  };
  const Row rows[] = {
      {"eqs 37-38, slides", 0, -1, 0.59, 0.5, "poisson", "sliding", 0.5479876160990712, 0.9287925696594428,
       -0.023219814241486194, 0.5, -0.23856022774108832},
      {"eqs 37-38, sticks", 0, -1, 0.61, 0.5, "poisson", "C-sticking", 0.5625, 0.9375, 0, 0.5, -0.234375},
      {"eqs 39-40", -1, -1, 0.3, 0.5, "poisson", "sliding", 0.21951219512195125, 0.7317073170731708, -1.548780487804878,
       0.5, -0.4626710291493161},
      {"eqs 41-42", 0.6, -1, 0.7, 0.5, "poisson", "C-sticking", 0.12, 0.6, 0, 0.32, -0.168},
      {"eqs 52-53", 0.6, -1, 0.7, 0.5, "newton", "C-sticking", 0.1875, 0.7125, 0, 0.5, -0.121875},
      {"eqs 43-44", -1, -1, 0.95, 0.5, "poisson", "R-sticking", 1.2372093023255812, 1.3953488372093021, 0,
       0.6325581395348836, -0.8749594375338023},
      {"eqs 52-53, R", -1, -1, 0.95, 0.5, "newton", "R-sticking", 1.1875, 1.3125, 0, 0.5, -0.921875},
      {"eqs 45-46", 0.6, -1, 0.3, 0.5, "poisson", "C-reversed", 0.006829268292682944, 0.5560975609756098,
       -0.21707317073170734, 0.38, -0.17108268887566924},
      {"eqs 54-55", 0.6, -1, 0.3, 0.5, "newton", "C-reversed", 0.024390243902439022, 0.6146341463414634,
       -0.26097560975609757, 0.5, -0.14952409280190365},
      {"eqs 47-48", 1, -1, 0.3, 0.5, "poisson", "R-reversed", -0.11412429378531072, 0.5084745762711864,
       -0.0480225988700565, 0.4423728813559322, -0.19609148073669763},
      {"eqs 54-55, R", 1, -1, 0.3, 0.5, "newton", "R-reversed", -0.10569105691056908, 0.5365853658536586,
       -0.06910569105691061, 0.5, -0.1833399431555291},
      {"eq 49, sign put right", 0, -1, 0.3, 0.5, "poisson", "sliding", 0.21951219512195125, 0.7317073170731708,
       -0.5487804878048781, 0.5, -0.24315883402736466},
      {"last paragraph of 3.5, mu = .92", -1, -1, 0.92, 0.5, "poisson", "R-sticking", 1.2035714285714287,
       1.3392857142857144, 0, 0.5428571428571433, NAN},
      {"last paragraph of 3.5, mu = .98", -1, -1, 0.98, 0.5, "poisson", "R-sticking", 1.2737864077669903,
       1.4563106796116505, 0, 0.7300970873786411, NAN},
      {"case 2, e = .9", 0.6, -1, 0.7, 0.9, "newton", "C-sticking", 0.3375, 0.9625, 0, 0.9, 0.053125},
      {"case 2, e = 1", 0.6, -1, 0.7, 1, "newton", "C-sticking", 0.375, 1.025, 0, 1, 0.1125},
      {"case 2, e = .9", 0.6, -1, 0.7, 0.9, "poisson", "C-sticking", 0.216, 0.76, 0, 0.576, -0.09632},
      {"case 2, e = 1, mu = .1", 0.6, -1, 0.1, 1, "newton", "C-reversed", NAN, NAN, NAN, 1, 0.00011825463548932475},
      {"case 2, e = 1, mu = .5", 0.6, -1, 0.5, 1, "newton", "C-reversed", NAN, NAN, NAN, 1, 0.053972002023950076},
      {"case 3, mu = .9", -1, -1, 0.9, 0.5, "poisson", "sliding", 1.173913043478261, 1.3043478260869565,
       -0.021739130434782594, 0.5, -0.9258034026465031},
      {"case 3, mu = 1.05", -1, -1, 1.05, 0.5, "poisson", "C-sticking", 1.3, 1.5, 0, 0.8, -0.8},
      {"case 4, poisson", -0.2, 0, 2, 0.7, "poisson", "C-sticking", 0.1565, 0.1275, 0, 0.084, -0.010295},
      {"case 4, newton", -0.2, 0, 2, 0.7, "newton", "C-sticking", 0.125, 0.075, 0, 0, -0.0125},
      {"case 4, mu = 1.66", -0.2, 0, 1.66, 0.7, "poisson", "none", 0, 0, -0.2, 0, 0},
      {"parting", 0.2, 0.1, 2, 0.7, "poisson", "none", 0, 0, 0.2, 0.1, 0},
      {"section 5, e = 0", -1, -1, 0.5, 0, "poisson", "sliding", NAN, NAN, NAN, 0, -0.5918367346938779},
      {"section 5, e = .5", -1, -1, 0.5, 0.5, "poisson", "sliding", NAN, NAN, NAN, 0.5, -0.6887755102040819},
      {"section 5, e = 1", -1, -1, 0.5, 1, "poisson", "sliding", NAN, NAN, NAN, 1, -0.6530612244897962}};
  for (const Row& row : rows) {
    const auto text = [](double x) { return json(x).dump(); };
    const std::vector<Setting> settings = {{"contact_space.velocity", "[" + text(row.s0) + ", " + text(row.c0) + "]"},
                                           {"material.friction", text(row.mu)},
                                           {"material.restitution", text(row.e)},
                                           {"law", row.law}};
    const json answer = json::parse(report::json_text(parse(rod_space, "f.yaml", settings).answer()));
    EXPECT_EQ(planar_fact(answer, "mode"), row.mode) << row.where;
    const auto near = [&](double got, double expected) {
      if (!std::isnan(expected)) {
        EXPECT_NEAR(got, expected, 1e-14) << row.where;
      }
    };
    const json impulse = planar_fact(answer, "impulse"), velocity = planar_fact(answer, "velocity_after");
    near(impulse[0], row.pt), near(impulse[1], row.pn), near(velocity[0], row.vt), near(velocity[1], row.vn);
    near(planar_fact(answer, "energy_after").get<double>() - planar_fact(answer, "energy_before").get<double>(),
         row.change);
  }
}

// Figure 9: Q at (1, 1), D at (1.1875, 1.3125), L on both sides of mu_d; Figure 5: three regions.
TEST(PlanarFile, RouthsDiagramHasRegionsAndOtherFrictions) {
  const json answer = answer_of("falling_rod_case_3");
  const json& plot = answer["plots"]["routh_diagram"];
  EXPECT_NEAR(marker(plot, "Q").first, 1.0, 1e-14);
  EXPECT_NEAR(marker(plot, "Q").second, 1.0, 1e-14);
  const auto [x, y] = marker(plot, "D");
  EXPECT_NEAR(x, 1.1875, 1e-14);
  EXPECT_NEAR(y, 1.3125, 1e-14);
  for (const char* region : {"1: slides", "2: slip ends in restitution", "3: slip ends in compression"})
    EXPECT_TRUE(has_legend(plot, region)) << region;
  EXPECT_TRUE(has_legend(plot, "L with other frictions"));
  const json modes = cells(answer, "frictions", "mode");
  EXPECT_EQ(modes, (json{"R-sticking", "sliding", "C-sticking"}));  // .95, .8, 1.05
  // Without slip there are no regions, without approach no D.
  EXPECT_FALSE(has_legend(answer_of("falling_rod_case_1")["plots"]["routh_diagram"], "1: slides"));
  EXPECT_TRUE(std::isnan(marker(answer_of("falling_rod_case_4")["plots"]["routh_diagram"], "D").first));
}

// Figure 10 for mu < 5/3, and a contact at rest: lines without a path.
TEST(PlanarFile, DiagramWithoutImpact) {
  for (const char* velocity : {"[-0.2, 0]", "[0.2, 0.1]", "[0, 0]"}) {
    const std::vector<Setting> settings = {{"contact_space.velocity", velocity}, {"material.friction", "1.6"}};
    const json answer = json::parse(report::json_text(parse(rod_space, "f.yaml", settings).answer()));
    EXPECT_EQ(planar_fact(answer, "verdict"), "no_impact");
    const json& plot = answer["plots"]["routh_diagram"];
    EXPECT_TRUE(has_legend(plot, "S: sticking"));
    EXPECT_TRUE(has_legend(plot, "C: maximum compression"));
    EXPECT_FALSE(has_legend(plot, "the impulse grows"));
    EXPECT_FALSE(std::isnan(marker(plot, "O").first));
  }
}

// Figure 4: of nine sign patterns two admit a tangential impact, S0 < 0 < B3 and B3 < 0 < S0; Figure 3: nine impacts.
TEST(PlanarFile, PanelsOfFigures3And4) {
  const auto titles = [](const json& answer) {
    std::vector<std::string> all;
    for (const json& label : answer["plots"]["panels"]["markers"]["label"]) all.push_back(label);
    return all;
  };
  const auto count = [](const std::vector<std::string>& all, const std::string& label) {
    return std::count(all.begin(), all.end(), label);
  };
  const auto tangential = titles(answer_of("falling_rod_case_4"));
  EXPECT_EQ(count(tangential, "no impact"), 7);
  EXPECT_EQ(count(tangential, "C-sticking"), 2);
  const auto meeting = titles(answer_of("falling_rod_case_3"));
  EXPECT_EQ(count(meeting, "no impact"), 0);
  EXPECT_EQ(count(meeting, "R-sticking") + count(meeting, "C-sticking") + count(meeting, "sliding"), 9);
}

TEST(PlanarFile, ModeMapMarksTheFourCases) {
  const json plot = answer_of("falling_rod_modes")["plots"]["mode_map"];
  EXPECT_EQ(marker(plot, "case 1"), std::pair(0.4, 0.0));
  EXPECT_EQ(marker(plot, "case 2"), std::pair(0.7, 0.6));
  EXPECT_EQ(marker(plot, "case 3"), std::pair(0.95, -1.0));
  EXPECT_EQ(marker(plot, "case 4 ($C_0 = 0$)").first, 2.0);  // at the edge: its slip over approach is infinite
  EXPECT_LT(marker(plot, "case 4 ($C_0 = 0$)").second, -1.5);
  EXPECT_TRUE(has_legend(plot, "Newton's law gains energy"));
  const std::vector<Setting> dull = {{"material.restitution", "0"}};
  EXPECT_FALSE(has_legend(answer_of("falling_rod_modes", dull)["plots"]["mode_map"], "Newton's law gains energy"));
}

// wm.wrong_mode: + .03309393852341281 J; assuming C-sticking gives Newton's (.375, 1.025), + .1125 J, outside the cone;
// wm.case2.brach: friction 0 is left at e = 1.
TEST(PlanarFile, MethodsOfOthersSayWhatTheyBreak) {
  const json answer = answer_of("falling_rod_other_methods");
  const json names = cells(answer, "others", "method"), broken = cells(answer, "others", "broken"),
             change = cells(answer, "others", "energy_change"), friction = cells(answer, "others", "friction");
  ASSERT_EQ(names, (json{"sliding assumed, newton", "C-sticking assumed, newton", "lowered friction, newton",
                         "one step, newton", "one step, poisson"}));
  EXPECT_NEAR(change[0].get<double>(), 0.03309393852341281, 1e-15);
  EXPECT_EQ(broken[0], "wrong_slip, energy_gain");
  EXPECT_NEAR(change[1].get<double>(), 0.1125, 1e-15);
  EXPECT_EQ(broken[1], "outside_cone, wrong_slip, energy_gain");
  EXPECT_EQ(friction[2], 0.0);
  EXPECT_EQ(broken[2], "");
  EXPECT_EQ(broken[3], "energy_gain");
  EXPECT_GT(change[3].get<double>(), 0.0);
  // By hand: one step on T with the whole of friction to the right, P_n = 2/(2.5 - .3 * 1.5) = .97561.
  EXPECT_NEAR(cells(answer, "others", "impulse_n")[3].get<double>(), 2.0 / (2.5 - 0.45), 1e-12);
  EXPECT_EQ(answer["plots"]["energy_change"]["y"]["categories"].size(), 8U);
}

// wm.case4.finite and .complement: gravity, a sliding rod; 1/(2.5 - 1.5 mu) m g below 5/3, none above, then an impact.
TEST(PlanarFile, FiniteForcesUnderGravity) {
  const auto at = [](const std::string& mu) { return answer_of("falling_rod_case_4", {{"material.friction", mu}}); };
  const json below = at("1.6"), above = at("1.67");
  EXPECT_EQ(planar_fact(below, "finite_forces"), 1.0);
  EXPECT_NEAR(planar_fact(below, "normal_force")[0].get<double>(), 10.0 * 9.81, 1e-9);
  EXPECT_EQ(planar_fact(below, "verdict"), "no_impact");
  EXPECT_EQ(planar_fact(above, "finite_forces"), 0.0);
  EXPECT_EQ(planar_fact(above, "verdict"), "separated");
  EXPECT_NEAR(planar_fact(above, "least_jamb_friction").get<double>(), 4.0 / 3.0, 1e-12);
  EXPECT_NEAR(planar_fact(above, "least_jamb_angle").get<double>(), 63.4349488229, 1e-9);
  const json rod = answer_of("painleve_rod");
  EXPECT_EQ(planar_fact(rod, "finite_forces"), 0.0);
  EXPECT_EQ(planar_fact(rod, "verdict"), "separated");
  for (const char* legend : {"none: an impact", "two: a force, or lift-off", "one"})
    EXPECT_TRUE(has_legend(rod["plots"]["finite_forces"], legend)) << legend;
  const json fast =
      answer_of("painleve_rod", {{"bodies[0].velocity", "[-3, 1.5]"}, {"bodies[0].angular_velocity", "5"}});
  EXPECT_EQ(planar_fact(fast, "finite_forces"), 2.0);
  EXPECT_EQ(planar_fact(fast, "verdict"), "no_impact");
  EXPECT_EQ(cells(fast, "contact_forces", "motion"), (json{"lifts_off", "slides"}));
}

// A velocity that misses zero by rounding is no sliding without approach: that is said.
TEST(PlanarFile, AlmostNoApproachIsNamed) {
  const json answer = answer_of("falling_rod_case_4", {{"bodies[0].velocity", "[-0.2, 1e-17]"}});
  EXPECT_EQ(planar_fact(answer, "verdict"), "no_impact");
  ASSERT_EQ(answer["notes"].size(), 1U);
  EXPECT_TRUE(answer["notes"][0].get<std::string>().starts_with(
      "$v_n$ = 1e-17 m/s is not exactly zero, so the bodies count as separating."));
}

// The same contact described from either body: the same forces.
TEST(PlanarFile, FiniteForcesDoNotDependOnWhoIsFirst) {
  const std::string rod =
      "{mass: 1, shape: rod, length: 1, angle: 60 deg, position: [0.25, 0.43301270189221935], velocity: ";
  const std::string rest = "material: {friction: 3, restitution: 0.5}\ngravity: 9.81\n",
                    head = "kind: impact\nmodel: planar\n";
  for (const char* velocity : {"[-1, 0]", "[1, 0]"}) {
    const json a = answer_to(head + rest + "bodies: [" + rod + velocity + "}, immovable]\n" +
                             "contact: {point: [0, 0], normal: [0, 1]}\n"),
               b = answer_to(head + rest + "bodies: [immovable, " + rod + velocity + "}]\n" +
                             "contact: {point: [0, 0], normal: [0, -1]}\n");
    EXPECT_EQ(planar_fact(a, "finite_forces"), planar_fact(b, "finite_forces"));
    EXPECT_EQ(planar_fact(a, "verdict"), planar_fact(b, "verdict"));
    EXPECT_EQ(planar_fact(a, "verdict") == "separated", std::string(velocity) == "[-1, 0]");
    EXPECT_EQ(a["plots"]["finite_forces"]["curves"].size(), b["plots"]["finite_forces"]["curves"].size());
  }
}

TEST(PlanarFile, MistakesAreNamed) {
  EXPECT_EQ(complaint(rod_space + "gravity: 9.81\n"),
            "f.yaml:6: gravity: goes with `bodies` only; with a contact space give `free_acceleration`");
  EXPECT_EQ(complaint(rod_space + "others: [{method: lowered_friction, law: poisson}]\n"),
            "f.yaml:6: others[0].law: must be newton for lowered_friction");
  EXPECT_EQ(complaint(rod_space + "others: [{method: one_step, mode: sliding}]\n"),
            "f.yaml:6: others[0].mode: goes with `method: assumed_mode` only");
  EXPECT_NE(complaint(rod_space + "others: [{method: one_step, law: energetic}]\n").find("others[0].law"),
            std::string::npos);
  EXPECT_NE(
      complaint(rod_space + "mode_map: {friction_to: 0}\n").find("mode_map.friction_to: must be in (0, 1e+06], got 0"),
      std::string::npos);
  EXPECT_EQ(complaint(rod_space + "mode_map: {marks: [{name: x, friction: 1, velocity: [1, 2]}]}\n"),
            "f.yaml:6: mode_map.marks[0].velocity: must approach, or slide without approach");
  EXPECT_NE(complaint(rod_space + "frictions: [-1]\n").find("frictions[0]"), std::string::npos);
}

}  // namespace
}  // namespace carom::scenario
