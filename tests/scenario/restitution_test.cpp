// A coefficient of restitution in files and rows: read, refused by name, written and described.
#include "internal/scenario/parts/restitution.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/schema/json.hpp"

namespace carom::scenario {
namespace {

struct Contact {
  Restitution e;
};

Fields<Contact> contact() {
  Fields<Contact> fields;
  fields.required("e", &Contact::e, restitution_law(), "restitution");
  return fields;
}

/// What is wrong with {"e": text}; "" and the contact if nothing is.
std::string read(const std::string& text, Contact& out) {
  Tree tree;
  std::string problem;
  const std::string row = R"({"e":)" + text + "}";
  EXPECT_TRUE(read_json(row, tree, problem)) << problem;
  Mistakes mistakes(Mistakes::Of::row);
  if (contact().read(tree.root(), {}, mistakes, out)) return "";
  return mistakes.list.front().path + ": " + mistakes.list.front().message;
}

TEST(RestitutionLaw, IsReadAndWrittenBack) {
  for (const char* text : {"0.5", "0", "1", R"({"slope":0.2})", R"({"table":[[0,1],[2,0.5]]})",
                           R"({"table":[[1,0.5]]})", R"({"power":[0.6,2,0.25]})"}) {
    Contact c;
    EXPECT_EQ(read(text, c), "");
    std::string out;
    JsonWriter json(out);
    restitution_law().write(json, c.e);
    EXPECT_EQ(out, text);
  }
  Contact c;
  EXPECT_EQ(read(R"({"slope":0.2,"table":null})", c), "");
  EXPECT_EQ(restitution_at(c.e, 2.5), 0.5);
}

TEST(RestitutionLaw, NamesWhatIsWrong) {
  const auto problem = [](const char* text) {
    Contact c;
    return read(text, c);
  };
  EXPECT_EQ(problem("1.5"), "e: must be in [0, 1], got 1.5");
  EXPECT_EQ(problem("\"soft\""),
            "e: must be a number, or an object with one of `slope`, `table` and `power`, got \"soft\"");
  EXPECT_EQ(problem("{}"), "e: needs one of `slope`, `table` and `power`");
  EXPECT_EQ(problem(R"({"slop":1})"), "e.slop: unknown key, did you mean 'slope'?");
  EXPECT_EQ(problem(R"({"slope":1,"power":[1,1,1]})"), "e.power: goes instead of `slope`, not with it");
  EXPECT_EQ(problem(R"({"slope":-1})"), "e.slope: must be >= 0, got -1");
  EXPECT_EQ(problem(R"({"slope":"x"})").substr(0, 9), "e.slope: ");
  EXPECT_EQ(problem(R"({"table":[]})"), "e.table: must have at least one pair [speed, e]");
  EXPECT_EQ(problem(R"({"table":3})").substr(0, 9), "e.table: ");
  EXPECT_EQ(problem(R"({"table":[[0,1],[1,0.5],[1,0.2]]})"), "e.table[2]: speeds must increase, got 1 after 1");
  EXPECT_EQ(problem(R"({"table":[[0,1],[1,0.5],[2]]})").substr(0, 12), "e.table[2]: ");
  EXPECT_EQ(problem(R"({"table":[[0,1],["x",0.5]]})").substr(0, 12), "e.table[1]: ");
  EXPECT_EQ(problem(R"({"table":[[0,2]]})"), "e.table[0]: its e must be in [0, 1], got 2");
  EXPECT_EQ(problem(R"({"power":[2,1,0]})"), "e.power[0]: must be in [0, 1], got 2");
  EXPECT_EQ(problem(R"({"power":[1,0,0]})"), "e.power[1]: must be positive, got 0");
  EXPECT_EQ(problem(R"({"power":[1,1,-1]})"), "e.power[2]: must be >= 0, got -1");
  EXPECT_EQ(problem(R"({"power":[1,"x",-1]})").substr(0, 12), "e.power[1]: ");
  EXPECT_EQ(problem(R"({"power":[1,1]})").substr(0, 9), "e.power: ");
}

TEST(RestitutionLaw, SchemaIsJson) {
  const auto schema = nlohmann::json::parse(restitution_law().json_schema());
  EXPECT_EQ(schema["anyOf"].size(), 4u);
  EXPECT_EQ(schema["anyOf"][0]["maximum"], 1);
}

}  // namespace
}  // namespace carom::scenario
