// Rows and scenarios of squeeze and lift: fields, nulls, errors, pictures. The physics is tested in its room.
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/report/writers.hpp"
#include "carom/scenario/scenario.hpp"
#include "carom/scenario/solve.hpp"
#include "carom/soft/solids.hpp"

namespace carom::scenario {
namespace {

using nlohmann::json;

json squeeze_row(double size = 0.0156) {
  const TetMesh mesh = round_mesh({{0.033, 0.055, 0.033}}, size);
  json row = {{"model", "squeeze"},
              {"vertices", json::array()},
              {"tets", mesh.tets},
              {"young", 6000},
              {"poisson", 0.3},
              {"density", 200},
              {"gravity", {0, 0, -9.8}},
              {"table", 0},
              {"fingers",
               {{{"radius", 0.015}, {"start", {-0.1, 0, 0.031}}, {"direction", {1, 0, 0}}},
                {{"radius", 0.015}, {"start", {0.1, 0, 0.031}}, {"direction", {-1, 0, 0}}}}},
              {"friction", {{"table", 0.5}, {"finger", 0.5}}}};
  for (const auto& v : mesh.vertices) row["vertices"].push_back({v[0], v[1], v[2]});
  return row;
}

json squeezed(const json& row) {
  bool failed = false;
  return json::parse(solve_row(row.dump(), failed));
}

std::string squeeze_blame(const json& changes) {
  json row = squeeze_row();
  row.merge_patch(changes);
  const json answer = squeezed(row);
  return answer.contains("error") ? answer["error"]["field"].get<std::string>() : "nothing";
}

TEST(SqueezeRows, Lifted) {
  json answer = squeezed(squeeze_row(0.0078));
  EXPECT_EQ(answer["status"], "lifted");
  EXPECT_EQ(answer["lifted"], true);
  EXPECT_FALSE(answer.contains("message"));
  EXPECT_EQ(answer.size(), 11u);
  EXPECT_NEAR(answer["total_closing"].get<double>(), 2 * answer["depth"].get<double>(), 1e-12);
  EXPECT_EQ(answer["finger_nodes"].size(), 2u);
  EXPECT_GT(answer["work"].get<double>(), 0.0);
  EXPECT_EQ(answer["flags"], json::array({"large_strain"}));
  const json first = answer["events"][0];
  EXPECT_EQ(first["type"], "touch");
  EXPECT_EQ(first["obstacle"], "finger_0");
  EXPECT_EQ(first["depth"], 0);
  for (const json& event : answer["events"]) EXPECT_LE(event["depth"], answer["depth"]);
}

TEST(SqueezeRows, EveryStatusAnswers) {
  json row = squeeze_row();
  row["fingers"][0]["start"][1] = 1.0;
  json answer = squeezed(row);
  EXPECT_EQ(answer["status"], "no_grasp");
  EXPECT_EQ(answer["message"], "finger 0 misses the object");
  for (const char* zero : {"depth", "work", "table_nodes", "liftable_weight"}) EXPECT_EQ(answer[zero], 0) << zero;
  EXPECT_EQ(answer["finger_nodes"], json::array({0, 0}));

  row = squeeze_row();
  row["table"] = -0.001;
  answer = squeezed(row);
  EXPECT_EQ(answer["status"], "unstable_rest");
  EXPECT_TRUE(answer["depth"].is_null() && answer["finger_nodes"].is_null() && answer["work"].is_null());

  row = squeeze_row();
  row["vertices"].push_back({1, 1, 1});
  answer = squeezed(row);
  EXPECT_EQ(answer["status"], "invalid_mesh");
  EXPECT_NE(answer["message"].get<std::string>().find("belongs to no tetrahedron"), std::string::npos);
  EXPECT_EQ(answer["lifted"], false);

  row = squeeze_row();
  row["max_depth"] = 0.001;
  answer = squeezed(row);
  EXPECT_EQ(answer["status"], "max_depth");
  EXPECT_NEAR(answer["depth"].get<double>(), 0.001, 1e-15);
  EXPECT_LT(answer["liftable_weight"].get<double>(), 0.489);
}

TEST(SqueezeRows, Errors) {
  EXPECT_EQ(squeeze_blame(json::object()), "nothing");
  EXPECT_EQ(squeeze_blame({{"gravity", {0, 0.1, -9.8}}}), "gravity");
  EXPECT_EQ(squeeze_blame({{"gravity", {0, 0, 9.8}}}), "gravity");
  EXPECT_EQ(squeeze_blame({{"poisson", 0.5}}), "poisson");
  EXPECT_EQ(squeeze_blame({{"fixed", {0}}}), "fixed");
  EXPECT_EQ(squeeze_blame({{"table", 0.02}}), "table");
  EXPECT_EQ(squeeze_blame({{"table", nullptr}}), "table");
  EXPECT_EQ(squeeze_blame({{"step", 0}}), "step");
  EXPECT_EQ(squeeze_blame({{"step", 1e-9}}), "step");
  EXPECT_EQ(squeeze_blame({{"max_depth", -1}}), "max_depth");
  EXPECT_EQ(squeeze_blame({{"min_depth", -1}}), "min_depth");
  EXPECT_EQ(squeeze_blame({{"min_depth", 0.016}}), "min_depth");
  EXPECT_EQ(squeeze_blame({{"min_depth", 0.001}, {"max_depth", 0.001}}), "nothing");
  EXPECT_EQ(squeeze_blame({{"lift_test", "guess"}}), "lift_test");
  EXPECT_EQ(squeeze_blame({{"friction", {{"finger", -0.1}}}}), "friction.finger");
  EXPECT_EQ(squeeze_blame({{"masses", {1, 2}}}), "masses");
  EXPECT_EQ(squeeze_blame({{"density", nullptr}}), "density");
  json row = squeeze_row();
  row["fingers"].push_back(row["fingers"][0]);
  EXPECT_EQ(squeezed(row)["error"]["field"], "fingers");
  row = squeeze_row();
  row["fingers"][1]["radius"] = 0;
  EXPECT_EQ(squeezed(row)["error"]["field"], "fingers[1].radius");
  row["fingers"][1] = {{"radius", 1}, {"start", {0, 0, 0}}, {"direction", {0, 0, 0}}};
  EXPECT_EQ(squeezed(row)["error"]["field"], "fingers[1].direction");
}

const char* egg =
    R"({"kind":"squeeze","mesh":{"solid":"round","half_axes":[0.022,0.022,0.028],"taper":0.2,"size":0.006},
  "young":2.5e4,"poisson":0.35,"gravity":[0,0,-9.8],"friction":{"table":0.6,"finger":0.7},
  "fingers":[{"radius":0.012,"start":[-0.1,0,0.022],"direction":[1,0,0]},
             {"radius":0.012,"start":[0.1,0,0.022],"direction":[-1,0,0]}])";

TEST(SqueezeKind, FromAScan) {
  const report::Document document =
      parse(std::string(egg) + R"(,"weight":0.45,"scan":{"fixed":"bottom"},"moduli":[5e4]})", "egg").answer();
  const auto fact = [&](const std::string& key) -> report::Value {
    for (const report::Fact& one : document.facts)
      if (one.key == key) return one.value;
    ADD_FAILURE() << key;
    return 0.0;
  };
  EXPECT_EQ(std::get<std::string>(fact("status")), "lifted");
  // The masses are those of the scan: the weight stays.
  EXPECT_NEAR(std::get<double>(fact("weight")), 0.45, 1e-12);
  EXPECT_GE(std::get<double>(fact("margin")), 1.0);
  ASSERT_EQ(document.tables.size(), 3u);
  EXPECT_EQ(document.plots.size(), 5u);
  for (const report::Plot& plot : document.plots) EXPECT_NE(svg_text(plot).find("</svg>"), std::string::npos);
  ASSERT_EQ(document.scenes.size(), 1u);
  ASSERT_EQ(document.scenes[0].bodies.size(), 2u);
  const std::size_t frames = document.scenes[0].meshes[0].frames.size();
  EXPECT_GE(frames, 4u);
  for (const report::SceneBody& finger : document.scenes[0].bodies) EXPECT_EQ(finger.keyframes.size(), frames);
  ASSERT_EQ(document.files.size(), frames + 1);
  EXPECT_EQ(document.files.back().name, "squeeze.pvd");
  EXPECT_NE(document.files.back().content.find(document.files.front().name), std::string::npos);
}

TEST(SqueezeKind, AScanWithoutAShapeSaysSo) {
  const report::Document document =
      parse(std::string(egg) + R"(,"weight":0.45,"scan":{"fixed":[0,1]}})", "egg").answer();
  EXPECT_NE(document.summary.find("underconstrained"), std::string::npos);
  ASSERT_EQ(document.notes.size(), 1u);
  EXPECT_NE(document.notes[0].find("was looked for first"), std::string::npos);
  for (const report::Fact& fact : document.facts)
    if (fact.key == "weight") {
      EXPECT_NEAR(std::get<double>(fact.value), 0.45, 1e-12);
    }
}

TEST(SqueezeKind, ShowsHowFarAVertexSlides) {
  // Fingers that are hardly rough slip: figure 6.2 of the thesis.
  const std::vector<Setting> smooth = {{"friction.finger", "0.1"}};
  const report::Document document =
      parse(std::string(egg) + R"(,"weight":0.45,"max_depth":0.008})", "egg", smooth).answer();
  const report::Plot* slide = nullptr;
  for (const report::Plot& plot : document.plots)
    if (plot.name == "slide") slide = &plot;
  ASSERT_NE(slide, nullptr);
  const auto of = [&](const std::string& legend) -> const report::Curve& {
    for (const report::Curve& curve : slide->curves)
      if (curve.legend == legend) return curve;
    ADD_FAILURE() << legend;
    return slide->curves.front();
  };
  // The way lies on the finger, from straight ahead to where the forces act; friction points back along it and both
  // forces are as long as a slipping vertex' are.
  const report::Curve &way = of("way of the vertex"), &normal = of("normal force"), &friction = of("friction");
  for (const report::Point& p : way.points) EXPECT_NEAR(std::hypot(p.x, p.y), 0.012, 1e-8);
  EXPECT_NEAR(way.points.front().x, 0.0, 1e-12);
  EXPECT_GT(way.points.back().x, 0.012 * std::sin(M_PI / 180.0));
  const auto vector = [](const report::Curve& arrow) {
    return report::Point{arrow.points.back().x - arrow.points.front().x,
                         arrow.points.back().y - arrow.points.front().y};
  };
  EXPECT_NEAR(friction.points.front().x, way.points.back().x, 1e-8);
  EXPECT_LT(vector(friction).x, 0.0);
  EXPECT_NEAR(std::hypot(vector(normal).x, vector(normal).y), 0.7 * 0.012 / std::hypot(1.0, 0.1), 1e-6);
  EXPECT_LT(std::hypot(vector(friction).x, vector(friction).y),
            0.1 * std::hypot(vector(normal).x, vector(normal).y) * (1.0 + 1e-6));
}

TEST(SqueezeKind, Mistakes) {
  const auto mistake = [](const std::string& members) -> std::string {
    try {
      parse(std::string(egg) + members + "}", "file");
    } catch (const BadScenario& bad) {
      return bad.mistakes().front().path + ": " + bad.mistakes().front().message;
    }
    return "none";
  };
  EXPECT_EQ(mistake(R"(,"weight":0.45)"), "none");
  EXPECT_EQ(mistake(""), "density: is required (or weight)");
  EXPECT_EQ(mistake(R"(,"weight":0.45,"density":100)"), "weight: must not be given together with density");
  EXPECT_EQ(mistake(R"(,"weight":0.45,"table":0.01)"),
            "table: must not be above the object, whose lowest vertex is at 0");
  EXPECT_EQ(mistake(R"(,"weight":0.45,"step":1e-9)").substr(0, 5), "step:");
  EXPECT_EQ(mistake(R"(,"weight":0.45,"min_depth":0.02)"), "min_depth: must not be above max_depth, 0.012, got 0.02");
}

}  // namespace
}  // namespace carom::scenario
