#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "carom/core/error.hpp"
#include "carom/report/document.hpp"
#include "carom/report/writers.hpp"

namespace carom::report {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

Document sample() {
  Document d;
  d.title = "Rod, $\\mu=0.7$";
  d.kind = "planar";
  d.summary = "It \"sticks\".";
  d.facts = {{"px", "Impulse $P_x$", 0.1, "N s"},
             {"e2", "Square $e^2$", -12.25, ""},
             {"gain", "Energy gained", false, ""},
             {"v", "Velocity", std::vector<double>{0.5, nan}, "m/s"},
             {"none", "Missing", nan, "s"}};
  d.tables = {{"laws", "Laws", {{"law", "law", ""}, {"p", "$P_y$", "N s"}, {"v", "v", "m/s"}}}};
  d.tables[0].add_row({std::string("Newton"), 0.7125, std::vector<double>{1.0, 2.0}});
  d.tables[0].add_row({std::string("a,\"b\""), nan, std::vector<double>{3.0}});
  d.plots.resize(1);
  d.plots[0].name = "routh";
  d.plots[0].curves = {{{{0.0, 1.0}, {0.5, nan}}, {}, "impulse, \"P\""}};
  d.plots[0].lines = {{{1.0, 2.0}, {0.0, 1.0}, {}, "C", ""}};
  d.plots[0].markers = {{{3.0, 4.0}, MarkerShape::ring, Color::ink, "Q", "end"}};
  d.notes = {"Newton gains energy"};
  return d;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Terminal, ShowsFactsAlignedOnTheDecimalPoint) {
  const std::string text = terminal_text(sample());
  // Labels are padded by what is seen ("e²" is two columns, three bytes), numbers meet at their points.
  EXPECT_TRUE(contains(text, "  Impulse P_x      0.1     N s\n")) << text;
  EXPECT_TRUE(contains(text, "  Square e²      -12.25\n")) << text;
  EXPECT_TRUE(contains(text, "  Energy gained  no\n")) << text;
  EXPECT_TRUE(contains(text, "  Velocity       (0.5, –)  m/s\n")) << text;
  EXPECT_TRUE(contains(text, "Rod, μ = 0.7\n────────────\n")) << text;
  EXPECT_TRUE(contains(text, "warning: Newton gains energy\n")) << text;
}

TEST(Terminal, UsesColourOnlyWhenAsked) {
  EXPECT_FALSE(contains(terminal_text(sample()), "\x1b["));
  EXPECT_TRUE(contains(terminal_text(sample(), {.color = true}), "\x1b[1mRod"));
}

TEST(Terminal, KeepsDigitsAskedForAndPlainExponents) {
  Document d;
  d.facts = {{"a", "a", 1.0 / 3.0, ""}, {"b", "b", 1.5e-7, ""}, {"c", "c", 2.5e8, ""}, {"d", "d", -0.0, ""}};
  const std::string text = terminal_text(d, {.digits = 3});
  EXPECT_EQ(text, "  a  0.333\n  b  1.5e-7\n  c  2.5e8\n  d  0\n") << text;
}

TEST(Terminal, CutsLongTables) {
  Document d;
  d.tables = {{"t", "T", {{"i", "i", ""}}}};
  for (int i = 0; i < 1000; ++i) d.tables[0].add_row({static_cast<double>(i)});
  const std::string text = terminal_text(d);
  EXPECT_TRUE(contains(text, "965 more rows")) << text;
  EXPECT_TRUE(contains(text, "999\n"));
  EXPECT_FALSE(contains(text, "500\n"));
}

TEST(Terminal, NamesTheFileOfALongTable) {
  Document d;
  d.tables = {{"t", "T", {{"i", "i", ""}}}};
  for (int i = 0; i < 100; ++i) d.tables[0].add_row({static_cast<double>(i)});
  EXPECT_TRUE(contains(terminal_text(d, {.files = "out/x"}), "65 more rows, all in out/x/t.csv"));
  EXPECT_FALSE(contains(terminal_text(d), "all in"));
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0, column = 0;
  for (const char c : text) {
    if (c == '\n')
      column = 0;
    else if ((static_cast<unsigned char>(c) & 0xc0U) != 0x80U)
      widest = std::max(widest, ++column);
  }
  return widest;
}

/// Wide in every way: many columns, long words in cells, labels, facts and notes.
Document wide() {
  Document d;
  d.title = "A title that is as wide as " + std::string(30, 't') + " " + std::string(30, 'u');
  d.summary = std::string(28, 'a') + " " + std::string(30, 'b') + " " + std::string(25, 'c');
  std::vector<double> many(40, 0.123456789);
  d.facts = {{"springs", "springs of all the contacts there are in this scene", many, "N/m"},
             {"short", "short", 1.0, "a long unit"}};
  Table table{"wide", "Wide", {}};
  std::vector<Value> row;
  for (int c = 0; c < 12; ++c) {
    table.columns.push_back({"c" + std::to_string(c), "column of number " + std::to_string(c), "kg m^2/s"});
    if (c % 3 == 0)
      row.emplace_back(std::string("some words that go on"));
    else if (c % 3 == 1)
      row.emplace_back(-1234.5678 * (c + 1));
    else
      row.emplace_back(std::vector<double>{0.111111, 0.222222, 0.333333});
  }
  table.add_row(row);
  table.add_row(row);
  d.tables = {table};
  d.notes = {d.summary};
  return d;
}

TEST(Terminal, FitsTheWidthAndLosesNothing) {
  for (const std::size_t width : {40U, 60U, 80U, 100U, 133U, 400U}) {
    const std::string text = terminal_text(wide(), {.width = width});
    EXPECT_LE(widest_line(text), width) << text;
    for (int c = 1; c < 12; c += 3)
      EXPECT_TRUE(contains(text, c == 10  ? "-13580.2"
                                 : c == 7 ? "-9876.54"
                                 : c == 4 ? "-6172.84"
                                          : "-2469.14"))
          << text;
    std::size_t twos = 0;
    for (auto at = text.find("0.123457"); at != std::string::npos; at = text.find("0.123457", at + 1)) ++twos;
    EXPECT_EQ(twos, 40U) << text;
  }
}

TEST(Terminal, ShowsRoundingAsZeroAndLeavesOutWhatIsEmpty) {
  Document d;
  d.facts = {{"v", "velocity", std::vector<double>{1e-17, 2.0}, "m/s"},
             {"r", "residual", 3e-17, "J"},
             {"flags", "flags", std::string(), ""},
             {"none", "no number", nan, ""}};
  d.tables = {{"t", "T", {{"a", "a", ""}, {"b", "b", ""}, {"flags", "flags", ""}}},
              {"empty", "Empty", {{"x", "x", ""}}}};
  d.tables[0].add_row({1.0, 5e-13, std::string()});
  d.tables[0].add_row({4e-13, 6e-13, std::string()});
  EXPECT_EQ(terminal_text(d),
            "  velocity   (0, 2)  m/s\n  residual   3e-17   J\n  no number  –\n"
            "\nT\n─\n  a      b\n  1  5e-13\n  0  6e-13\n");
}

TEST(Terminal, TakesAnEmptyDocument) { EXPECT_EQ(terminal_text({}), ""); }

TEST(Json, ReadsBackTheSameInBothForms) {
  const Document d = sample();
  const std::string compact = json_text(d, false), pretty = json_text(d, true);
  EXPECT_EQ(compact.find('\n'), std::string::npos);
  const auto json = nlohmann::json::parse(compact);
  EXPECT_EQ(json, nlohmann::json::parse(pretty));
  EXPECT_EQ(json["summary"], "It \"sticks\".");
  EXPECT_EQ(json["facts"]["px"]["value"].get<double>(), 0.1);  // bit for bit
  EXPECT_EQ(json["facts"]["px"]["unit"], "N s");
  EXPECT_TRUE(json["facts"]["none"]["value"].is_null());
  EXPECT_TRUE(json["facts"]["v"]["value"][1].is_null());
  EXPECT_EQ(json["facts"]["gain"]["value"], false);
  EXPECT_EQ(json["tables"]["laws"]["columns"][1]["key"], "p");
  EXPECT_EQ(json["tables"]["laws"]["columns"][0]["cells"][1], "a,\"b\"");
  EXPECT_TRUE(json["tables"]["laws"]["columns"][1]["cells"][1].is_null());
  EXPECT_EQ(json["tables"]["laws"]["columns"][2]["cells"][0], (std::vector{1.0, 2.0}));
  const auto& plot = json["plots"]["routh"];
  EXPECT_EQ(plot["curves"][0]["x"], (std::vector{0.0, 0.5}));
  EXPECT_TRUE(plot["curves"][0]["y"][1].is_null());
  EXPECT_EQ(plot["lines"][0]["direction"], (std::vector{0.0, 1.0}));
  EXPECT_EQ(plot["markers"]["label"][0], "Q");
  EXPECT_EQ(plot["markers"]["y"][0], 4.0);
  EXPECT_EQ(json["notes"][0], "Newton gains energy");
}

TEST(Json, PrettyPutsAColumnOnALine) {
  EXPECT_TRUE(contains(json_text(sample()), R"("cells": [0.7125, null])")) << json_text(sample());
}

TEST(Json, BracketsInTextDoNotIndent) {
  Document d;
  d.title = "a {[ \\ \" ]} : , b";
  EXPECT_EQ(nlohmann::json::parse(json_text(d))["title"], d.title);
}

TEST(Csv, FollowsRfc4180) {
  EXPECT_EQ(csv_text(sample().tables[0]),
            "law,p [N s],v_0 [m/s],v_1 [m/s]\r\n"
            "Newton,0.7125,1,2\r\n"
            "\"a,\"\"b\"\"\",,3,\r\n");
}

TEST(Csv, WritesInfinityBooleansAndLineBreaks) {
  Table t{"t", "", {{"a", "a", ""}, {"b", "b", ""}, {"c", "c", ""}}};
  t.add_row({-infinity, true, std::string("x\ny")});
  t.add_row({1.0, nan, nan});
  EXPECT_EQ(csv_text(t), "a,b,c\r\n-inf,true,\"x\ny\"\r\n1,,\r\n");
}

TEST(Csv, RefusesColumnsOfUnequalLength) {
  Table t{"t", "", {{"a", "a", ""}, {"b", "b", ""}}};
  t.columns[0].cells = std::vector{1.0, 2.0};
  t.columns[1].cells = std::vector{1.0};
  try {
    csv_text(t);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "t.b: must hold 2 cells as the longest column, got 1");
  }
}

TEST(Csv, OfAPlotHasEveryPoint) {
  EXPECT_EQ(csv_text(sample().plots[0]),
            "element,legend,label,x,y\r\n"
            "line 1,,C,1,2\r\n"
            "line 1,,C,1,3\r\n"
            "curve 1,\"impulse, \"\"P\"\"\",,0,1\r\n"
            "curve 1,\"impulse, \"\"P\"\"\",,0.5,\r\n"
            "marker 1,end,Q,3,4\r\n");
}

TEST(Csv, OfAHeatMapHasEveryCell) {
  Plot plot;
  plot.heat_map = HeatMap{{0.0, 1.0, 3.0}, {5.0, 6.0}, {0.25, nan}, "e"};
  EXPECT_EQ(csv_text(plot), "x_low,x_high,y_low,y_high,value\r\n0,1,5,6,0.25\r\n1,3,5,6,\r\n");
  Document d;
  d.plots = {plot};
  d.plots[0].name = "map";
  const auto json = nlohmann::json::parse(json_text(d))["plots"]["map"]["heat_map"];
  EXPECT_EQ(json["x_edges"], (std::vector{0.0, 1.0, 3.0}));
  EXPECT_TRUE(json["values"][1].is_null());
}

TEST(Table, FirstCellDecidesWhatAColumnHolds) {
  Table t{"t", "", {{"a", "a", ""}, {"b", "b", ""}}};
  t.add_row({nan, std::string("x")});
  t.add_row({true, nan});
  t.add_row({nan, std::string("z")});
  EXPECT_EQ(t.row_count(), 3u);
  EXPECT_TRUE(std::isnan(std::get<double>(cell(t.columns[0], 0))));
  EXPECT_EQ(std::get<bool>(cell(t.columns[0], 1)), true);
  EXPECT_TRUE(std::isnan(std::get<double>(cell(t.columns[0], 2))));
  EXPECT_EQ(std::get<std::string>(cell(t.columns[1], 1)), "");
  EXPECT_TRUE(std::isnan(std::get<double>(cell(t.columns[1], 7))));
}

TEST(Table, RefusesARowThatDoesNotFit) {
  Table t{"t", "", {{"a", "a", ""}, {"b", "b", ""}}};
  t.add_row({1.0, std::string("x")});
  const auto message = [&](const std::vector<Value>& row) {
    try {
      t.add_row(row);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({1.0}), "t.rows[1]: must hold 2 values, got 1");
  EXPECT_EQ(message({std::string("y"), std::string("y")}), "t.a[1]: must be of the kind that the column holds");
  EXPECT_EQ(message({1.0, 2.0}), "t.b[1]: must be of the kind that the column holds");
  EXPECT_EQ(t.row_count(), 1u);
  EXPECT_EQ(std::get<std::vector<double>>(t.columns[0].cells).size(), 1u);
}

Scene sample_scene() {
  Scene scene;
  scene.name = "motion";
  SceneBody ball{"ball", Shape(Sphere{0.5})};
  ball.keyframes = {{-1.0, {0, 0, 1}}, {1.0, {4, 0, 1}}};
  SceneBody box{"box", Shape(Box{{1, 2, 3}})};
  box.keyframes = {{0.0, {0, 7, 1.5}}};
  SceneBody point{"point", std::nullopt};
  point.keyframes = {{0.0, {0, 0, 3}}};
  scene.bodies = {ball, box, point};
  scene.surfaces = {{}};
  return scene;
}

TEST(Scene, TheCameraSeesEveryKeyframe) {
  const Scene scene = sample_scene();
  const Camera side = camera_for(scene, "side", Eigen::Vector3d::UnitY(), Eigen::Vector3d::UnitZ());
  // From -.5 (ball and box) to 4.5 along x, from 0 to 3 up: the wider one counts, with a tenth around it.
  EXPECT_NEAR(side.target.x(), 2.0, 1e-12);
  EXPECT_NEAR(side.target.z(), 1.5, 1e-12);
  EXPECT_NEAR(side.height, 1.2 * 5.0, 1e-12);
  EXPECT_EQ(camera_for({}, "", Eigen::Vector3d::UnitY(), Eigen::Vector3d::UnitZ()).height, 1.0);
  EXPECT_THROW(camera_for(scene, "", {0, 2, 0}, {0, 0, 1}), InvalidInput);
  EXPECT_THROW(camera_for(scene, "", {0, 1, 0}, {0, 1, 0}), InvalidInput);
}

TEST(Scene, IsInTheJson) {
  Document d;
  d.scenes = {sample_scene()};
  const auto json = nlohmann::json::parse(json_text(d))["scenes"]["motion"];
  EXPECT_EQ(json["bodies"][0]["shape"], (nlohmann::json{{"type", "sphere"}, {"radius", 0.5}}));
  EXPECT_EQ(json["bodies"][0]["times"], (std::vector{-1.0, 1.0}));
  EXPECT_EQ(json["bodies"][0]["positions"][1], (std::vector{4.0, 0.0, 1.0}));
  EXPECT_EQ(json["bodies"][0]["orientations"][0], (std::vector{1.0, 0.0, 0.0, 0.0}));
  EXPECT_EQ(json["bodies"][1]["shape"]["size"], (std::vector{1.0, 2.0, 3.0}));
  EXPECT_TRUE(json["bodies"][2]["shape"].is_null());
  EXPECT_EQ(json["surfaces"][0]["normal"], (std::vector{0.0, 0.0, 1.0}));
}

}  // namespace
}  // namespace carom::report
