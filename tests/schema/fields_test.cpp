// One description of a struct: read, written, described, and blamed in its own words.
#include "carom/schema/fields.hpp"

#include <gtest/gtest.h>

#include "carom/schema/json.hpp"
#include "carom/schema/yaml.hpp"

namespace carom::schema {
namespace {

enum class Color { red, dark_blue };
enum class Mark { scratched, bent };

}  // namespace
}  // namespace carom::schema

template <>
inline constexpr auto carom::names_of<carom::schema::Color> = std::to_array<carom::Named<carom::schema::Color>>({
    {carom::schema::Color::red, "red"},
    {carom::schema::Color::dark_blue, "dark_blue"},
});
template <>
inline constexpr auto carom::names_of<carom::schema::Mark> = std::to_array<carom::Named<carom::schema::Mark>>({
    {carom::schema::Mark::scratched, "scratched"},
    {carom::schema::Mark::bent, "bent"},
});

namespace carom::schema {
namespace {

struct Part {
  double friction = 0.0;
  std::optional<double> eta0;
};

struct Base {
  Eigen::Vector2d size = {1.0, 2.0};
};

struct Thing : Base {
  Color color = Color::red;
  std::vector<Part> parts;
  std::optional<int> count, age;
  Eigen::MatrixXd shape;
  FlagSet<Mark> marks;
  bool open = false;
  std::optional<Eigen::Vector3d> velocity;
  std::optional<double> weight;
};

void check_count(const Thing& thing, const Value& object, const Path& path, Mistakes& mistakes) {
  if (thing.count && *thing.count > static_cast<int>(thing.parts.size()))
    mistakes.add(path.at("count"), place_of(object, "count"), "is more than there are parts");
}

void check_size(const Base& base, const Value& object, const Path& path, Mistakes& mistakes) {
  if (base.size[0] > base.size[1]) mistakes.add(path.at("size"), place_of(object, "size"), "must not fall");
}

Type<Part> part() {
  Fields<Part> fields;
  fields.required("mu", &Part::friction, number(Range::at_least(0.0)), "friction")
      .called({"friction"})
      .optional("eta0", &Part::eta0, number(Range::positive()), "ratio");
  return object(fields);
}

Fields<Thing> things() {
  Fields<Thing> fields;
  fields.required("color", &Thing::color, choice<Color>(), "its color")
      .required("size", &Thing::size, vector<2>(), "[m]")
      .optional("parts", &Thing::parts, list_of(part(), 0, 3), "its parts")
      .optional("count", &Thing::count, integer(0, 9), "how many")
      .optional("age", &Thing::age, integer(0, 9), "[a]")
      .optional("open", &Thing::open, boolean(), "or closed")
      .optional("v", &Thing::velocity, vector<3>(), "[m/s]")
      .called({"velocity"})
      .optional("weight", &Thing::weight, number(), "[N]")
      .called({"mass", "velocity"})
      .refused("mass", "is `weight` here")
      .ignored("id", "echoed", "{}")
      .check({"count", "parts"}, check_count)
      .check({"size"}, check_size);
  return fields;
}

std::vector<Mistake> mistakes_of(const std::string& json, Thing& thing, Mistakes::Of of = Mistakes::Of::file) {
  Tree tree;
  std::string problem;
  EXPECT_TRUE(read_json(json, tree, problem)) << problem;
  Mistakes mistakes(of);
  const bool good = things().read(tree.root(), {}, mistakes, thing);
  EXPECT_EQ(good, mistakes.list.empty());
  return mistakes.list;
}

TEST(Fields, AreRead) {
  Thing thing;
  EXPECT_TRUE(mistakes_of(R"({"color":"dark_blue","size":[1,3],"parts":[{"mu":0.5},{"mu":1,"eta0":2}],"count":2,)"
                          R"("age":null,"open":true,"id":7})",
                          thing)
                  .empty());
  EXPECT_EQ(thing.color, Color::dark_blue);
  EXPECT_EQ(thing.size, Eigen::Vector2d(1, 3));
  ASSERT_EQ(thing.parts.size(), 2U);
  EXPECT_EQ(thing.parts[0].friction, 0.5);
  EXPECT_FALSE(thing.parts[0].eta0);
  EXPECT_EQ(thing.parts[1].eta0, 2.0);
  EXPECT_EQ(thing.count, 2);
  EXPECT_FALSE(thing.age);
  EXPECT_TRUE(thing.open);
}

TEST(Fields, SayEverythingThatIsWrongWithAFile) {
  Thing thing;
  std::string all;
  for (const Mistake& m : mistakes_of(R"({"colour":"red","color":"blue","size":[3,1],"parts":[{"mu":-1},{}],"mass":1,)"
                                      R"("count":2.5,"age":1,"age":2})",
                                      thing))
    all += m.path + ": " + m.message + "\n";
  EXPECT_EQ(all,
            "colour: unknown key, did you mean 'color'?\n"
            "color: must be one of red, dark_blue, got \"blue\"\n"
            "parts[0].mu: must be >= 0, got -1\n"
            "parts[1].mu: is required\n"
            "mass: is `weight` here\n"
            "count: must be a whole number, got 2.5\n"
            "age: is given twice\n"
            "size: must not fall\n");
}

TEST(Fields, OfARowOnlyTheFirstMistakeIsSaid) {
  Thing thing;
  const auto list = mistakes_of(R"({"size":[1,2],"parts":[{"mu":1}],"count":3,"age":70})", thing, Mistakes::Of::row);
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].path + " at " + std::to_string(list[0].line), "count at 41");
}

TEST(Fields, AreWrittenAsTheyAreRead) {
  Thing thing;
  const std::string text = R"({"color":"dark_blue","size":[1,3],"parts":[{"mu":0.5},{"mu":1,"eta0":2}],"count":2,)"
                           R"("open":true,"v":[1,2,3]})";
  ASSERT_TRUE(mistakes_of(text, thing).empty());
  std::string out;
  JsonWriter json(out);
  object(things()).write(json, thing);
  EXPECT_EQ(out, text);
}

TEST(Fields, OfAResultAreWritten) {
  Fields<Thing> fields;
  fields.required("count", &Thing::count, nullable(integer(0, 9)), "how many, if that is known")
      .required("shape", &Thing::shape, list_of_columns(), "corners")
      .required("marks", &Thing::marks, flag_names<Mark>(), "what happened to it")
      .required(
          "width", [](Thing& t) -> double& { return t.size[0]; }, number(), "[m]")
      .text(
          "is", [](const Thing& t) { return t.open ? "open" : nullptr; }, "whether it is open")
      .optional("age", &Thing::age, integer(0, 9), "[a]");
  Thing thing;
  thing.shape.resize(2, 3);
  thing.shape << 1, 2, 3, 4, 5, std::numeric_limits<double>::quiet_NaN();
  thing.marks.set(Mark::bent);
  const auto written = [&] {
    std::string out;
    JsonWriter json(out);
    object(fields).write(json, thing);
    return out;
  };
  EXPECT_EQ(written(), R"({"count":null,"shape":[[1,4],[2,5],[3,null]],"marks":["bent"],"width":1,"is":null})");
  thing.count = 4, thing.open = true, thing.age = 5;
  EXPECT_EQ(written(), R"({"count":4,"shape":[[1,4],[2,5],[3,null]],"marks":["bent"],"width":1,"is":"open","age":5})");
}

TEST(Fields, HaveASchema) {
  EXPECT_EQ(part().json_schema(), R"({"type":"object","additionalProperties":false,"required":["mu"],"properties":{)"
                                  R"("mu":{"description":"friction","type":"number","minimum":0},)"
                                  R"("eta0":{"description":"ratio","type":"number","exclusiveMinimum":0}}})");
}

/// What is said of a row when the library refuses one of its values in the library's own words.
std::string told(const std::string& row, const char* field) {
  Tree tree;
  std::string problem;
  EXPECT_TRUE(read_json(row, tree, problem)) << problem;
  Mistakes mistakes(Mistakes::Of::row);
  add_library_error(*things().format(), tree.root(), {}, InvalidInput(field, "is odd"), mistakes);
  return mistakes.list.front().path + " at " + std::to_string(mistakes.list.front().line);
}

TEST(Blame, IsSaidInTheWordsOfTheRow) {
  EXPECT_EQ(told(R"({"v":1,"weight":1})", "velocity"), "v at 5");
  EXPECT_EQ(told(R"({"weight":1})", "velocity"), "weight at 10");
  EXPECT_EQ(told(R"({"weight":1})", "mass"), "weight at 10");
  EXPECT_EQ(told(R"({"size":[1]})", "size"), "size at 8");
  EXPECT_EQ(told(R"({"parts":[{"mu":0},{"eta0":1}]})", "parts[0].friction"), "parts[0].mu at 16");
  // What the row leaves at its default comes after what the object has.
  EXPECT_EQ(told(R"({"parts":[{"mu":0},{"eta0":1}]})", "parts[1].friction"), "parts[1].mu at 28");
  EXPECT_EQ(told(R"({"parts":[{"mu":0},{"eta0":1}]})", "velocity"), "v at 28");
  // What is not described keeps its name.
  EXPECT_EQ(told(R"({"x":[7,8]})", "x[1]"), "x[1] at 8");
  EXPECT_EQ(told(R"({"x":0.5})", "x[1]"), "x[1] at 6");
}

}  // namespace
}  // namespace carom::schema
