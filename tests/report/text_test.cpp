#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "carom/core/error.hpp"
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
  d.tables = {{"laws",
               "Laws",
               {{"law", "law", ""}, {"p", "$P_y$", "N s"}, {"v", "v", "m/s"}},
               {{std::string("Newton"), 0.7125, std::vector<double>{1.0, 2.0}},
                {std::string("a,\"b\""), nan, std::vector<double>{3.0}}}}};
  d.plots.resize(1);
  d.plots[0].name = "routh";
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
  EXPECT_TRUE(contains(terminal_text(sample(), true), "\x1b[1mRod"));
}

TEST(Terminal, KeepsDigitsAskedForAndPlainExponents) {
  Document d;
  d.facts = {{"a", "a", 1.0 / 3.0, ""}, {"b", "b", 1.5e-7, ""}, {"c", "c", 2.5e8, ""}, {"d", "d", -0.0, ""}};
  const std::string text = terminal_text(d, false, 3);
  EXPECT_EQ(text, "  a  0.333\n  b  1.5e-7\n  c  2.5e8\n  d  0\n") << text;
}

TEST(Terminal, CutsLongTables) {
  Document d;
  d.tables = {{"t", "T", {{"i", "i", ""}}, {}}};
  for (int i = 0; i < 1000; ++i) d.tables[0].rows.push_back({static_cast<double>(i)});
  const std::string text = terminal_text(d);
  EXPECT_TRUE(contains(text, "965 more rows")) << text;
  EXPECT_TRUE(contains(text, "999\n"));
  EXPECT_FALSE(contains(text, "500\n"));
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
  EXPECT_EQ(json["tables"]["laws"]["rows"][1][0], "a,\"b\"");
  EXPECT_EQ(json["plots"][0], "routh");
  EXPECT_EQ(json["notes"][0], "Newton gains energy");
}

TEST(Json, PrettyPutsARowOnALine) {
  EXPECT_TRUE(contains(json_text(sample()), R"(["Newton", 0.7125, [1, 2]])")) << json_text(sample());
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

TEST(Csv, WritesInfinityTruthAndLineBreaks) {
  const Table t{"t", "", {{"a", "a", ""}, {"b", "b", ""}, {"c", "c", ""}}, {{-infinity, true, std::string("x\ny")}}};
  EXPECT_EQ(csv_text(t), "a,b,c\r\n-inf,true,\"x\ny\"\r\n");
}

TEST(Csv, RefusesARaggedRow) {
  const Table t{"t", "", {{"a", "a", ""}, {"b", "b", ""}}, {{1.0}}};
  try {
    csv_text(t);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "t.rows[0]: must hold 2 values, got 1");
  }
}

}  // namespace
}  // namespace carom::report
