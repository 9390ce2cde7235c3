// Values set from outside, by their paths.
#include "carom/schema/settings.hpp"

#include <gtest/gtest.h>

#include "carom/core/error.hpp"
#include "carom/schema/yaml.hpp"

namespace carom::schema {
namespace {

/// A tree as text, to compare.
std::string shape_of(const Value& value) {
  std::string text;
  switch (value.kind()) {
    case Value::Kind::object:
      for (const auto& [key, member] : value.members())
        text += (text.empty() ? "" : ",") + std::string(key) + ":" + shape_of(member);
      return "{" + text + "}";
    case Value::Kind::list:
      for (const Value& item : value.items()) text += (text.empty() ? "" : ",") + shape_of(item);
      return "[" + text + "]";
    case Value::Kind::null:
      return "null";
    case Value::Kind::text:
      return "'" + std::string(value.text()) + "'";
    default:
      return std::string(value.text());
  }
}

const char* const file =
    "kind: impact\nbodies:\n  - mass: 1\n    velocity: [1, 2, 3]\n  - immovable\nmaterial: {friction: 0.5}\n";

std::string with(const std::vector<Setting>& settings) {
  Tree tree, out;
  Mistakes mistakes;
  read_yaml(file, tree, mistakes);
  with_settings(tree.root(), settings, out, mistakes);
  return mistakes.count() > 0 ? mistakes.list.front().path + ": " + mistakes.list.front().message
                              : shape_of(out.root());
}

TEST(Settings, NothingChangesNothing) {
  EXPECT_EQ(with({}), "{kind:'impact',bodies:[{mass:1,velocity:[1,2,3]},'immovable'],material:{friction:0.5}}");
}

TEST(Settings, ReplaceNumbersWordsAndWholeValues) {
  EXPECT_EQ(with({{"bodies[0].velocity[2]", "-3"}, {"material.friction", "0.25"}}),
            "{kind:'impact',bodies:[{mass:1,velocity:[1,2,-3]},'immovable'],material:{friction:0.25}}");
  EXPECT_EQ(with({{"bodies[0].velocity", "[0, 0, \"a\\nb\"]"}, {"bodies[1]", "{mass: 2}"}}),
            "{kind:'impact',bodies:[{mass:1,velocity:[0,0,'a\nb']},{mass:2}],material:{friction:0.5}}");
}

TEST(Settings, TheLastOneHolds) {
  EXPECT_EQ(with({{"material.friction", "1"}, {"material.friction", "2"}, {"kind", "rod"}}),
            "{kind:'rod',bodies:[{mass:1,velocity:[1,2,3]},'immovable'],material:{friction:2}}");
}

TEST(Settings, AddKeysThatAreMissing) {
  EXPECT_EQ(with({{"material.restitution", "1"}, {"frames.every", "0.1"}, {"frames.count", "3"}}),
            "{kind:'impact',bodies:[{mass:1,velocity:[1,2,3]},'immovable'],material:{friction:0.5,restitution:1},"
            "frames:{every:0.1,count:3}}");
}

TEST(Settings, KeepTheLinesOfTheFile) {
  Tree tree, out;
  Mistakes mistakes;
  read_yaml(file, tree, mistakes);
  with_settings(tree.root(), std::vector<Setting>{{"bodies[0].velocity[2]", "-3"}}, out, mistakes);
  const Value& body = *out.root().find("bodies")->items().begin();
  EXPECT_EQ(body.find("velocity")->place(), 4);
  EXPECT_EQ(out.root().find("material")->place(), 6);
}

TEST(Settings, AreRefusedByName) {
  EXPECT_EQ(with({{"bodies[7].mass", "1"}}), "bodies[7].mass: cannot be set: `bodies` has 2 items, counted from 0");
  EXPECT_EQ(with({{"bodies.mass", "1"}}), "bodies.mass: cannot be set: `bodies` is a list, not an object");
  EXPECT_EQ(with({{"material[0]", "1"}}), "material[0]: cannot be set: `material` is an object, not a list");
  EXPECT_EQ(with({{"kind.of", "1"}}), "kind.of: cannot be set: `kind` is neither an object nor a list");
  EXPECT_EQ(with({{"new[0]", "1"}}), "new[0]: cannot be set: `new` is not there: a list cannot be made item by item");
  for (const char* path : {"", ".", "a..b", "a.", "[x]", "a[1", "a[1]b", "a[-1]"})
    EXPECT_NE(with({{path, "1"}}).find("a path looks like"), std::string::npos) << path;
  EXPECT_NE(with({{"kind", "[1, 2"}}).find("kind: cannot be set: "), std::string::npos);
}

TEST(Settings, AreTakenApart) {
  const Setting setting = setting_of("a[0].b=x=y");
  EXPECT_EQ(setting.path, "a[0].b");
  EXPECT_EQ(setting.value, "x=y");
  EXPECT_THROW(setting_of("a"), InvalidInput);
  EXPECT_THROW(setting_of("=1"), InvalidInput);
}

}  // namespace
}  // namespace carom::schema
