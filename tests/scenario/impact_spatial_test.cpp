// 3-D impact scenarios: bodies by every kind of shape, the text's examples, and the mistakes a file can make.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "carom/report/writers.hpp"
#include "carom/scenario/scenario.hpp"

namespace carom::scenario {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path scenarios = fs::path(CAROM_SOURCE_DIR) / "scenarios";

json answer_of(const Scenario& scenario) { return json::parse(report::json_text(scenario.answer())); }

json fact(const json& answer, const char* key) { return answer["facts"][key]["value"]; }

// The sheet of the spatial model: exact values with the printed W.
TEST(SpatialScenarios, IcosahedronTetrahedron) {
  const json answer = answer_of(load(scenarios / "icosahedron_tetrahedron.yaml"));
  EXPECT_NEAR(fact(answer, "impulse")[0].get<double>(), -0.003383096, 1e-8);
  EXPECT_NEAR(fact(answer, "impulse")[1].get<double>(), -0.059338170, 1e-8);
  EXPECT_NEAR(fact(answer, "impulse")[2].get<double>(), 0.101211669, 1e-8);
  EXPECT_NEAR(fact(answer, "critical_friction").get<double>(), 0.31570, 5e-6);
  EXPECT_EQ(answer["plots"].size(), 3u);
}

// The physical W of the same bodies, likewise from the sheet.
TEST(SpatialScenarios, IcosahedronTetrahedronFromItsBodies) {
  const json answer = answer_of(load(scenarios / "icosahedron_tetrahedron_bodies.yaml"));
  const double expected[3][3] = {{10.7153, .49858, 2.59259}, {.49858, 10.7153, 2.59259}, {2.59259, 2.59259, 2.81481}};
  const char* rows[3] = {"inverse_inertia_t1", "inverse_inertia_t2", "inverse_inertia_n"};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(fact(answer, rows[i])[j].get<double>(), expected[i][j], 6e-5);
  EXPECT_NEAR(fact(answer, "critical_friction").get<double>(), 0.32696, 5e-6);
  // What the shapes come to: the centroid is the mean of the corners, the principal moments are the sheet's.
  const json solids = answer["tables"]["solids"]["columns"];
  EXPECT_EQ(solids[0]["cells"], (json{"truncated icosahedron", "tetrahedron"}));
  EXPECT_EQ(solids[2]["cells"][1], (json{.125, .125, -.4375}));
  const double moments[] = {.018215, .021094, .027879};
  EXPECT_NEAR(solids[3]["cells"][0].get<double>(), .232744, 5e-7);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(solids[4]["cells"][1][i].get<double>(), moments[i], 6e-7);
}

TEST(SpatialScenarios, BowlingPinAndBundles) {
  const json pin = answer_of(load(scenarios / "bowling_pin_and_ball.yaml"));
  EXPECT_NEAR(fact(pin, "impulse")[0].get<double>(), 0.7330647, 5e-7);
  EXPECT_NEAR(fact(pin, "impulse")[1].get<double>(), -0.0201749, 5e-7);
  EXPECT_NEAR(fact(pin, "impulse")[2].get<double>(), 2.585024, 5e-6);
  const json bundle = answer_of(load(scenarios / "hodograph_bundle_slipping.yaml"));
  EXPECT_EQ(bundle["plots"].size(), 4u);
}

// Figures 2.7 and 2.9: 13 and 11 even starts and the two invariant directions. Of the fifteen the text counts four that
// do not come to rest, one of them along a ray; of the thirteen one comes to rest, along the centripetal ray, and
// resumes.
TEST(SpatialScenarios, BundlesCountTheirPaths) {
  const json sticking = answer_of(load(scenarios / "hodograph_bundle_sticking.yaml"));
  EXPECT_EQ(fact(sticking, "bundle_paths"), 15);
  EXPECT_EQ(fact(sticking, "bundle_sticks"), 11);
  EXPECT_EQ(fact(sticking, "bundle_resumes"), 0);
  EXPECT_EQ(fact(sticking, "bundle_slips"), 4);
  EXPECT_FALSE(sticking["facts"].contains("bundle_straight"));
  const json slipping = answer_of(load(scenarios / "hodograph_bundle_slipping.yaml"));
  EXPECT_EQ(fact(slipping, "bundle_paths"), 13);
  EXPECT_EQ(fact(slipping, "bundle_sticks"), 0);
  EXPECT_EQ(fact(slipping, "bundle_resumes"), 1);
  EXPECT_EQ(fact(slipping, "bundle_slips"), 12);
  EXPECT_EQ(fact(slipping, "bundle_straight"), 5);  // the text counts six; it does not say where they start
  const json round =
      answer_of(parse("kind: impact\nmodel: spatial\nbundle: 4\ncontact_space: {inverse_inertia: [[3.5, 0, 0], [0, "
                      "3.5, 0], [0, 0, 1]], "
                      "velocity: [1, 0, -1]}\nmaterial: {friction: 0.3, restitution: 0.5}\n",
                      "f.yaml"));
  EXPECT_EQ(fact(round, "bundle_paths"), 4);  // every direction is invariant
  const json apart = answer_of(parse(
      "kind: impact\nmodel: spatial\nbundle: 4\nstraight_within: 0.08\ncontact_space: {inverse_inertia: [[3.5, 0, 0], "
      "[0, 3, 0], [0, 0, 1]], velocity: [1, 0, 1]}\nmaterial: {friction: 0.3, restitution: 0.5}\n",
      "f.yaml"));
  for (const char* key : {"bundle_sticks", "bundle_resumes", "bundle_slips"}) EXPECT_EQ(fact(apart, key), 0) << key;
  EXPECT_EQ(fact(apart, "case_within"), "none");
  EXPECT_TRUE(fact(apart, "straight_from").is_null());
}

// Wang 2017, sections 2.6.2 and 2.6.3: the exact case and the text's label.
TEST(SpatialScenarios, CasesExactAndWithinTheTolerance) {
  const char* expected[][3] = {
      {"icosahedron_tetrahedron", "slip_ends_in_restitution", "late_straight_ends"},
      {"icosahedron_tetrahedron_2_5b", "slip_ends_in_compression", "straight_ends_in_compression"},
      {"icosahedron_tetrahedron_2_5c", "curved_slip", "late_straight_slip"},
      {"icosahedron_tetrahedron_2_12a", "slip_ends_in_restitution", "straight_ends_in_restitution"},
      {"icosahedron_tetrahedron_2_12b", "curved_slip", "straight_slip"},
      {"icosahedron_tetrahedron_2_12c", "slip_ends_in_restitution", "late_straight_ends"}};
  for (const auto& [name, exact, within] : expected) {
    const json answer = answer_of(load(scenarios / (std::string(name) + ".yaml")));
    EXPECT_EQ(fact(answer, "case"), exact) << name;
    EXPECT_EQ(fact(answer, "class"), "spatial") << name;
    EXPECT_EQ(fact(answer, "case_within"), within) << name;
  }
  const json a = answer_of(load(scenarios / "icosahedron_tetrahedron_2_12a.yaml"));
  EXPECT_NEAR(fact(a, "straight_from").get<double>(), 0.333796, 1e-6);  // computed independently, steps of 1e-6
}

// Theorem 3: the margin of (2.16) and the friction at which it is gone, printed and physical W.
TEST(SpatialScenarios, MarginAgainstJamb) {
  const json printed = answer_of(load(scenarios / "icosahedron_tetrahedron.yaml"));
  EXPECT_NEAR(fact(printed, "jamb_margin").get<double>(), 0.08643135203851182, 1e-12);
  EXPECT_NEAR(fact(printed, "jamb_friction").get<double>(), 0.8276139756812001, 1e-12);
  const json physical = answer_of(load(scenarios / "icosahedron_tetrahedron_bodies.yaml"));
  EXPECT_NEAR(fact(physical, "jamb_margin").get<double>(), -0.11836887010715991, 2e-6);  // inertia of six digits
  EXPECT_NEAR(fact(physical, "jamb_friction").get<double>(), 0.7677159338596803, 1e-6);
}

// Table 2.1: steps (the text counts one more) and errors against the exact impulse, computed independently.
TEST(SpatialScenarios, MethodsOfTheText) {
  const json plain = answer_of(load(scenarios / "text_methods_icosahedron.yaml"));
  EXPECT_EQ(fact(plain, "method"), "NI");
  EXPECT_EQ(fact(plain, "method_steps"), 106);
  EXPECT_NEAR(fact(plain, "method_error").get<double>(), 0.0005365599308087862, 5e-7);
  EXPECT_NEAR(fact(plain, "impulse")[2].get<double>(), 0.1012116673623372, 1e-12);  // the exact one stays
  const json pin = answer_of(load(scenarios / "text_methods_pin.yaml"));
  EXPECT_EQ(fact(pin, "method_steps"), 82);
  EXPECT_NEAR(fact(pin, "method_error").get<double>(), 0.00137, 5e-6);
  const auto complaint_of = [](const std::string& lines) {
    try {
      parse(
          "kind: impact\nmodel: spatial\ncontact_space: {inverse_inertia: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], velocity: "
          "[1, 0, -1]}\nmaterial: {friction: 0.3, restitution: 0.5}\n" +
              lines,
          "f.yaml");
    } catch (const BadScenario& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(complaint_of("stepping: {step: 0.1}\n"), "f.yaml:5: stepping: goes with `method`: NI, FS or VS");
  EXPECT_EQ(complaint_of("method: FS\nlaw: newton\n"),
            "f.yaml:6: law: must be energetic with `method`: FS, got newton");
  EXPECT_EQ(complaint_of("method: RK4\n"), "f.yaml:5: method: must be one of exact, NI, FS, VS, got \"RK4\"");
  EXPECT_EQ(complaint_of("method: VS\nstepping: {blend: 1}\n"), "f.yaml:6: stepping.blend: must be in (0, 1), got 1");
  EXPECT_EQ(complaint_of("straight_within: 2\n"), "f.yaml:5: straight_within: must be in (0, 1), got 2");
}

std::string scene(const std::string& body) {
  return "kind: impact\nmodel: spatial\nbodies:\n  - " + body +
         "\n  - immovable\ncontact: {point: [0, 0, 0], normal: [0, 0, 1]}\nmaterial: {friction: 0.3, restitution: "
         "0.5}\n";
}

std::string complaint(const std::string& text, const std::string& file = "f.yaml") {
  try {
    parse(text, file);
  } catch (const BadScenario& error) {
    return error.what();
  }
  return "accepted";
}

// A cube of edge 2 resting on the contact, given in every way a solid can be: the same W each time.
TEST(SpatialBodies, EveryWayToGiveACube) {
  const fs::path folder = fs::temp_directory_path() / ("carom_mesh_test_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "cube.obj") << "# a cube\nv 0 -1 0\nv 2 -1 0\nv 2 1 0\nv 0 1 0\nv 0 -1 2\nv 2 -1 2\nv 2 1 2\n"
                                        "v 0 1 2\nvn 0 0 1\nf 4 3 2 1\nf 5/1 6/2 7/3 8/4\nf 1//1 2//1 6//1 5//1\n"
                                        "f 2 3 7 6\nf 3 4 8 7\nf -5 -8 -4 -1\n";
  std::ofstream(folder / "cube.off") << "OFF\n8 6 0\n0 -1 0\n2 -1 0\n2 1 0\n0 1 0\n0 -1 2\n2 -1 2\n2 1 2\n0 1 2\n"
                                        "4 3 2 1 0\n4 4 5 6 7\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n";
  const std::string motion = ", velocity: [1, 0, -1]}";
  const std::string ways[] = {
      "{mass: 3, shape: box, size: [2, 2, 2], position: [1, 0, 1]" + motion,
      "{mass: 3, inertia: [[2, 0, 0], [0, 2, 0], [0, 0, 2]], position: [1, 0, 1]" + motion,
      "{mass: 3, shape: mesh, file: cube.obj" + motion,
      "{mass: 3, shape: mesh, file: cube.off" + motion,
      "{mass: 3, shape: mesh, file: cube.off, position: [1, 0, 1], orientation: {axis: [0, 0, 1], angle: 90 deg}" +
          motion,
      "{mass: 3, shape: polyhedron, vertices: [[0,-1,0],[2,-1,0],[2,1,0],[0,1,0],[0,-1,2],[2,-1,2],[2,1,2],[0,1,2]], "
      "faces: [[3,2,1,0],[4,5,6,7],[0,1,5,4],[1,2,6,5],[2,3,7,6],[3,0,4,7]]" +
          motion};
  const json first = answer_of(parse(scene(ways[0]), (folder / "f.yaml").string()));
  for (const std::string& way : ways) {
    const json answer = answer_of(parse(scene(way), (folder / "f.yaml").string()));
    for (const char* row : {"inverse_inertia_t1", "inverse_inertia_t2", "inverse_inertia_n", "impulse"})
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(fact(answer, row)[i].get<double>(), fact(first, row)[i].get<double>(), 1e-13) << way;
  }
  std::ofstream(folder / "bad.obj") << "v 0 0 0\nv 1 0\n";
  EXPECT_EQ(
      complaint(scene("{mass: 1, shape: mesh, file: bad.obj}"), (folder / "f.yaml").string()),
      (folder / "f.yaml").string() + ":4: bodies[0].file: bad.obj: line 2: must be a vertex of three finite numbers");
  std::ofstream(folder / "open.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n";
  EXPECT_NE(complaint(scene("{mass: 1, shape: mesh, file: open.obj}"), (folder / "f.yaml").string())
                .find("the surface is open"),
            std::string::npos);
  fs::remove_all(folder);
}

// Figure 2.16: the text's pin by its moments (those that its printed ones come from, without the exchange of products)
// and its ball by its holes; W computed independently. Then the shipped pin, whose profile is not the text's.
TEST(SpatialBodies, PinAndBall) {
  const json answer = answer_of(parse(
      "kind: impact\nmodel: spatial\nbodies:\n"
      "  - {mass: 1.63293, inertia: [[0.013103, 0, 0], [0, 0.013103, 0], [0, 0, 0.002033]], position: [0.068436, "
      "-0.00000242, 0.073735], orientation: {axis: [0, 1, 0], angle: 72.41021220944926 deg}, velocity: [0, 0, -1]}\n"
      "  - {mass: 6.35029, shape: drilled_ball, radius: 0.108458, position: [-0.000061, -0.00089, -0.108458], holes: ["
      "{radius: 0.0127, bottom: [0.03302, 0.067845, -0.01778], direction: [0, 1, 0]}, "
      "{radius: 0.0127, bottom: [0.03302, 0.067845, 0.01778], direction: [0, 1, 0]}, "
      "{radius: 0.0142875, bottom: [-0.0381, 0.0676971, 0], direction: [0, 1, 0]}]}\n"
      "contact: {point: [0, 0, 0], normal: [0, 0, 1]}\nmaterial: {friction: 0.7, restitution: 0.7}\n",
      "f.yaml"));
  const double physical[3][3] = {{1.575704473482, 0.000412353836, -0.385324467415},
                                 {0.000412353836, 2.96104542273, -0.003170715541},
                                 {-0.385324467415, -0.003170715541, 1.127331889917}};
  const char* rows[] = {"inverse_inertia_t1", "inverse_inertia_t2", "inverse_inertia_n"};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(fact(answer, rows[i])[j].get<double>(), physical[i][j], 5e-4) << i << j;  // moments of four digits
  const json shipped = answer_of(load(scenarios / "bowling_pin_and_ball_bodies.yaml"));
  EXPECT_NEAR(fact(shipped, "inverse_inertia_t2")[1].get<double>(), 2.96, 0.01);
  EXPECT_EQ(fact(shipped, "case"), "slip_ends_in_compression");
  EXPECT_EQ(
      complaint(scene("{mass: 1, shape: drilled_ball, radius: 1, position: [0, 0, 1], holes: [{radius: 2, bottom: "
                      "[0, 0, 0], direction: [0, 0, 1]}]}")),
      "f.yaml:4: bodies[0].holes[0].bottom: must lie inside the ball with all of its rim, which reaches 2 from its "
      "centre");
  EXPECT_EQ(complaint(scene("{mass: 1, shape: revolution, position: [0, 0, 1], profile: [[1, 0], [1, -1]]}")),
            "f.yaml:4: bodies[0].profile[1]: must not lie below the point before it, at z = 0, got -1");
  EXPECT_EQ(complaint(scene("{mass: 1, shape: truncated_icosahedron, position: [0, 0, 1]}")),
            "f.yaml:4: bodies[0].edge: is required by shape 'truncated_icosahedron'");
}

// Figures 2.1, 2.3 and 2.16: bodies are drawn where a shape is known.
TEST(SpatialScenarios, DrawTheirBodies) {
  const json football = answer_of(load(scenarios / "icosahedron_tetrahedron_bodies.yaml"));
  ASSERT_TRUE(football["plots"].contains("bodies"));
  std::size_t corners = 0;
  for (const json& polygon : football["plots"]["bodies"]["polygons"]) corners += polygon["corners"].size();
  // Half of the 180 corners of 12 pentagons and 20 hexagons, more or less, and one or two faces of the tetrahedron.
  EXPECT_GT(corners, 80u);
  EXPECT_LT(corners, 110u);
  EXPECT_TRUE(answer_of(load(scenarios / "ball_on_ground.yaml"))["plots"].contains("bodies"));
  EXPECT_FALSE(answer_of(load(scenarios / "icosahedron_tetrahedron.yaml"))["plots"].contains("bodies"));
}

TEST(SpatialBodies, NameWhatIsWrong) {
  const std::string at = "position: [0, 0, 1]";
  EXPECT_EQ(complaint(scene("{mass: 1, shape: sphere, radius: 1, " + at + "}")), "accepted");
  EXPECT_EQ(complaint(scene("{mass: 1, shape: sphere, " + at + "}")),
            "f.yaml:4: bodies[0].radius: is required by shape 'sphere'");
  EXPECT_EQ(complaint(scene("{mass: 1, shape: sphere, radius: 1, height: 2, " + at + "}")),
            "f.yaml:4: bodies[0].height: is not used by shape 'sphere'");
  EXPECT_EQ(complaint(scene("{mass: 1, shape: sphere, radius: 1}")), "f.yaml:4: bodies[0].position: is required");
  EXPECT_EQ(
      complaint(scene("{mass: 1, shape: ball, radius: 1, " + at + "}")),
      "f.yaml:4: bodies[0].shape: must be one of sphere, shell, box, cylinder, capsule, cone, pencil, revolution, "
      "drilled_ball, truncated_icosahedron, polyhedron, mesh, got \"ball\"");
  EXPECT_EQ(complaint(scene("{mass: 1, " + at + "}")), "f.yaml:4: bodies[0]: needs either `shape` or `inertia`");
  EXPECT_EQ(complaint(scene("{mass: 1, inertia: [[1, 0, 0], [0, 1, 0], [0, 0, 0]], " + at + "}")),
            "f.yaml:4: bodies[0].inertia: must be positive definite, its principal moments are 0, 1, 1");
  EXPECT_EQ(complaint(scene("{mass: 1, shape: polyhedron, vertices: [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "
                            "faces: [[0,1,2],[0,1,3],[1,2,3],[0,3,2]]}"))
                .find("f.yaml:4: bodies[0].faces: "),
            0u);
  EXPECT_EQ(complaint(scene("{mass: 1, shape: mesh, file: nowhere.obj}")),
            "f.yaml:4: bodies[0].file: nowhere.obj: file: cannot be opened");
  EXPECT_EQ(complaint(scene("{mass: 1, shape: box, size: [1, 0, 1], " + at + "}")),
            "f.yaml:4: bodies[0].size[1]: must be positive, got 0");
}

}  // namespace
}  // namespace carom::scenario
