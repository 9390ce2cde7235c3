// Bad scenario files and the exact message each one gets.
#include <algorithm>
#include <gtest/gtest.h>
#include <string>

#include "carom/scenario/scenario.hpp"

#include "core/test_name.hpp"

namespace carom::scenario {
namespace {

const std::string good = R"(kind: impact
model: planar
title: A rod
bodies:
  - name: rod
    shape: rod
    mass: 1
    length: 1
    angle: 45 deg
    position: [0.5, 0.5]
    velocity: [0.6, -1]
  - immovable
contact:
  point: [0, 0]
  normal: [0, 1]
material:
  friction: 0.7
  restitution: 0.5
law: poisson
compare: [newton, poisson]
)";

const std::string by_numbers = R"(kind: impact
model: planar
contact_space:
  inverse_inertia: [[2.5, -1.5], [-1.5, 2.5]]
  velocity: [0.6, -1]
material: {friction: 0.7, restitution: 0.5}
)";

std::string complaint(const std::string& text) {
  try {
    parse(text, "f.yaml");
  } catch (const BadScenario& error) {
    return error.what();
  }
  return "accepted";
}

/// `text` with its one occurrence of `from` replaced by `to`.
std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos || text.find(from, at + 1) != std::string::npos)
    throw std::logic_error("the test's own pattern must occur once: " + from);
  return text.replace(at, from.size(), to);
}

struct Case {
  std::string text, message;
};

class Malformed : public ::testing::TestWithParam<Case> {};

TEST_P(Malformed, IsNamed) { EXPECT_EQ(complaint(GetParam().text), GetParam().message); }

TEST(Malformed, TheTemplatesAreGood) {
  EXPECT_EQ(complaint(good), "accepted");
  EXPECT_EQ(complaint(by_numbers), "accepted");
}

INSTANTIATE_TEST_SUITE_P(
    Files, Malformed,
    ::testing::Values(
        // the file as a whole
        Case{"", "f.yaml:1: a scenario must be a list of `key: value`, got null"},
        Case{"just words", "f.yaml:1: a scenario must be a list of `key: value`, got \"just words\""},
        Case{"[1, 2]", "f.yaml:1: a scenario must be a list of `key: value`, got [1,2]"},
        Case{"kind: impact\n  model: planar\n",
             "f.yaml:2: not valid YAML: mapping values are not allowed in this context"},
        Case{"kind: [impact\n",
             "f.yaml:2: not valid YAML: did not find expected ',' or ']' while parsing a flow sequence that begins on "
             "line 1"},
        Case{good + "---\nkind: impact\n", "f.yaml:22: one file holds one scenario"},
        Case{"{1: 2, [3]: 4}", "f.yaml:1: a key must be plain text"},
        Case{"a: 1\n~: 2\n", "f.yaml:2: a key must be plain text"},
        // yaml-cpp 0.7 never came back from these four bytes
        Case{", a", "f.yaml:1: not valid YAML: did not find expected node content while parsing a block node"},
        Case{"a:\n\t- 1\n",
             "f.yaml:2: not valid YAML: found character that cannot start any token while scanning for the next token"},
        Case{"a: 1\nb: \"x\n",
             "f.yaml:3: not valid YAML: found unexpected end of stream while scanning a quoted scalar "
             "that begins on line 2"},
        Case{"a: 1\nb: caf\xe9\n", "f.yaml:2: not UTF-8 text"},
        Case{"\xff\xfe" + std::string("k\0:\0", 4), "f.yaml:1: not UTF-8 text"},
        Case{std::string("a: 1\n\0b: 2\n", 11), "f.yaml:2: not valid YAML: control characters are not allowed"},
        Case{"a: 1\nb: \x01\n", "f.yaml:2: not valid YAML: control characters are not allowed"},
        Case{"  \n# nothing but a remark\n", "f.yaml:1: a scenario must be a list of `key: value`, got null"},
        // anchors, aliases, merge keys
        Case{"a: &x [1]\nb:\n  - *y\n", "f.yaml:3: there is no anchor &y before its alias"},
        Case{"a: &x\n  b: *x\n", "f.yaml:2: the alias *x stands inside what it names"},
        Case{"a: &x {b: 1}\nc:\n  <<: *x\n", "f.yaml:3: merge keys (<<) are not supported: write the fields out"},
        Case{with(by_numbers, "velocity: [0.6, -1]", "velocity: &v [0.6, a]") + "law: *v\n",
             "f.yaml:5: contact_space.velocity: must be a list of 2 numbers, got \"a\" at [1]\n"
             "f.yaml:7: law: must be one of newton, poisson, energetic, got [0.6,\"a\"]"},
        // kind and model
        Case{with(good, "kind: impact", "kind: impcat"),
             "f.yaml:1: kind: must be one of impact, collide, rod, flight, world, normal_impact, contact_parameters, "
             "stick_slip, pendulum, tick, batting, fit, fem, rest_shape, squeeze, got \"impcat\", did you mean "
             "'impact'?"},
        Case{with(good, "kind: impact\n", ""),
             "f.yaml:1: kind: is required: one of impact, collide, rod, flight, world, normal_impact, "
             "contact_parameters, "
             "stick_slip, pendulum, tick, batting, fit, fem, rest_shape, squeeze"},
        Case{with(by_numbers, "model: planar", "model: 2"),
             "f.yaml:2: model: must be one of planar, spatial, compliant, got 2"},
        Case{with(by_numbers, "model: planar\n", "model:\n"),
             "f.yaml:2: model: is required: one of planar, spatial, compliant"},
        // unknown, missing, repeated keys
        Case{with(good, "law: poisson", "lwa: poisson"), "f.yaml:19: lwa: unknown key, did you mean 'law'?"},
        Case{with(good, "mass: 1", "maas: 1"),
             "f.yaml:7: bodies[0].maas: unknown key, did you mean 'mass'?\nf.yaml:5: bodies[0].mass: is required"},
        Case{with(good, "law: poisson", "colour: red"), "f.yaml:19: colour: unknown key"},
        Case{with(good, "  restitution: 0.5\n", ""), "f.yaml:16: material.restitution: is required"},
        Case{with(good, "law: poisson", "material: {friction: 0, restitution: 0}"),
             "f.yaml:19: material: is given twice"},
        // wrong types
        Case{with(good, "mass: 1", "mass: heavy"), "f.yaml:7: bodies[0].mass: must be a number, got \"heavy\""},
        Case{with(good, "mass: 1", "mass: \"1\""), "f.yaml:7: bodies[0].mass: must be a number, got \"1\""},
        Case{with(good, "mass: 1", "mass: [1]"), "f.yaml:7: bodies[0].mass: must be a number, got [1]"},
        Case{with(good, "title: A rod", "title: [A]"), "f.yaml:3: title: must be text, got [\"A\"]"},
        Case{with(good, "position: [0.5, 0.5]", "position: [0.5, 0.5, 0]"),
             "f.yaml:10: bodies[0].position: must be a list of 2 numbers, got [0.5,0.5,0]"},
        Case{with(good, "position: [0.5, 0.5]", "position: [0.5, up]"),
             "f.yaml:10: bodies[0].position: must be a list of 2 numbers, got \"up\" at [1]"},
        Case{with(good, "angle: 45 deg", "angle: 45 degrees"),
             "f.yaml:9: bodies[0].angle: must be an angle in radians, or text such as \"30 deg\", got \"45 degrees\""},
        Case{with(good, "  - immovable", "  - ground"),
             "f.yaml:12: bodies[1]: must be `immovable` or a body with its fields, got \"ground\""},
        Case{with(good, "compare: [newton, poisson]", "compare: newton"),
             "f.yaml:20: compare: must be a list, got \"newton\""},
        Case{with(by_numbers, "[[2.5, -1.5], [-1.5, 2.5]]", "[[2.5, -1.5], 3]"),
             "f.yaml:4: contact_space.inverse_inertia: must be a 2 x 2 matrix of numbers, got 3 at [1]"},
        // out of range
        Case{with(good, "mass: 1", "mass: -1"), "f.yaml:7: bodies[0].mass: must be positive, got -1"},
        Case{with(good, "mass: 1", "mass: 1e999"), "f.yaml:7: bodies[0].mass: is too large for a double, got 1e999"},
        Case{with(good, "mass: 1", "mass: 1" + std::string(400, '0')),
             "f.yaml:7: bodies[0].mass: is too large for a double, got 1" + std::string(56, '0') + "..."},
        Case{with(good, "mass: 1", "mass: 0." + std::string(400, '0') + "1"),
             "f.yaml:7: bodies[0].mass: must be positive, got 0." + std::string(55, '0') + "..."},
        Case{with(good, "mass: 1", "mass: +-1"), "f.yaml:7: bodies[0].mass: must be a number, got \"+-1\""},
        Case{with(good, "mass: 1", "mass: 0x10"), "f.yaml:7: bodies[0].mass: must be a number, got \"0x10\""},
        Case{with(good, "mass: 1", "mass: inf"), "f.yaml:7: bodies[0].mass: must be a number, got \"inf\""},
        Case{with(good, "mass: 1", "mass: !!str 1"), "f.yaml:7: bodies[0].mass: must be a number, got \"1\""},
        Case{with(good, "mass: 1", "mass: True"), "f.yaml:7: bodies[0].mass: must be a number, got \"True\""},
        Case{with(good, "mass: 1", "mass: true"), "f.yaml:7: bodies[0].mass: must be a number, got true"},
        Case{with(good, "mass: 1", "mass: .nan"), "f.yaml:7: bodies[0].mass: must be a number, got \".nan\""},
        Case{with(good, "friction: 0.7", "friction: -0.4"), "f.yaml:17: material.friction: must be >= 0, got -0.4"},
        Case{with(good, "restitution: 0.5", "restitution: 1.5"),
             "f.yaml:18: material.restitution: must be in [0, 1], got 1.5"},
        Case{with(good, "law: poisson", "law: poison"),
             "f.yaml:19: law: must be one of newton, poisson, energetic, got \"poison\", did you mean 'poisson'?"},
        Case{with(good, "compare: [newton, poisson]", "compare: [newton, nwton]"),
             "f.yaml:20: compare[1]: must be one of newton, poisson, energetic, got \"nwton\", did you mean 'newton'?"},
        Case{with(good, "normal: [0, 1]", "normal: [0, 2]"),
             "f.yaml:15: contact.normal: must have unit length, its length is 2"},
        Case{with(by_numbers, "[[2.5, -1.5], [-1.5, 2.5]]", "[[2.5, -1.5], [-1.4, 2.5]]"),
             "f.yaml:4: contact_space.inverse_inertia: must be symmetric, got -1.5 and -1.4 across the diagonal"},
        Case{with(by_numbers, "[[2.5, -1.5], [-1.5, 2.5]]", "[[1, 2], [2, 1]]"),
             "f.yaml:4: contact_space.inverse_inertia: must be positive definite"},
        // fields that do not go together
        Case{with(good, "    length: 1\n", ""), "f.yaml:5: bodies[0].length: is required by shape 'rod'"},
        Case{with(good, "length: 1", "radius: 1"),
             "f.yaml:5: bodies[0].length: is required by shape 'rod'\n"
             "f.yaml:8: bodies[0].radius: is not used by shape 'rod'"},
        Case{with(good, "shape: rod", "inertia: 1"),
             "f.yaml:8: bodies[0].length: is not used by a body given by its inertia"},
        Case{with(good, "    shape: rod\n    mass: 1\n    length: 1\n", "    mass: 1\n"),
             "f.yaml:5: bodies[0]: needs either `shape` or `inertia`"},
        Case{with(good, "  - immovable\n", ""), "f.yaml:4: bodies: must be two bodies, A and B, got 1"},
        Case{with(good, "contact:\n  point: [0, 0]\n  normal: [0, 1]\n", ""),
             "f.yaml:1: contact: is required with `bodies`"},
        Case{by_numbers + "contact: {point: [0, 0], normal: [0, 1]}\n", "f.yaml:7: contact: goes with `bodies` only"},
        Case{"kind: impact\nmodel: planar\nmaterial: {friction: 0, restitution: 1}\n",
             "f.yaml:1: needs exactly one of `bodies` (with `contact`), `contact_space` or `system`"},
        Case{"kind: impact\nmodel: planar\nmaterial: {friction: 0, restitution: 1}\nbodies: [immovable, immovable]\n"
             "contact: {point: [0, 0], normal: [0, 1]}\n",
             "f.yaml:4: bodies: both are immovable: one must be free to move"},
        Case{"kind: impact\nmodel: planar\nmaterial: {friction: 0, restitution: 1}\nsystem:\n"
             "  mass_matrix: [[1, 0], [0, 1]]\n  jacobian: [[1, 0], [1, 0]]\n  velocity: [0, 0]\n",
             "f.yaml:6: system.jacobian: its rows must be independent: the contact cannot move in some direction"},
        // several at once
        Case{with(with(good, "mass: 1", "mass: 0"), "friction: 0.7", "friction: rough"),
             "f.yaml:7: bodies[0].mass: must be positive, got 0\n"
             "f.yaml:17: material.friction: must be a number, got \"rough\""}),
    [](const auto& each) {
      const std::string& message = each.param.message;  // "f.yaml:3: what is wrong"
      return test_name(each.index, message.substr(std::min(message.find(' '), message.size())));
    });

TEST(Files, ThatCannotBeRead) {
  const auto message = [](const char* file) {
    try {
      load(file);
    } catch (const BadScenario& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message("no/such/file.yaml"), "no/such/file.yaml: cannot be opened");
  EXPECT_EQ(message("/tmp"), "/tmp: is a folder, not a file");
}

// A file of a few lines that stands for 10^9 values must be refused, not expanded.
TEST(Files, AliasesCannotExplode) {
  std::string bomb = "a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string below = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) bomb += (k == 0 ? "" : ",") + below;
    bomb += "]\n";
  }
  const std::string limit =
      ": the file is nested too deeply or too large: at most 50 levels and 1000000 values, aliases "
      "written out";
  EXPECT_EQ(complaint(bomb), "f.yaml:6" + limit);
  // Doubling instead: no single alias is large.
  std::string doubled = "a0: &a0 [1,1]\n";
  for (int i = 1; i < 60; ++i) {
    const std::string below = "*a" + std::to_string(i - 1);
    doubled += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + below + "," + below + "]\n";
  }
  EXPECT_EQ(complaint(doubled), "f.yaml:18" + limit);
  EXPECT_EQ(complaint("a: " + std::string(2000, '[')), "f.yaml:1" + limit);
  std::string deep = "a:\n";
  for (int i = 0; i < 50'000; ++i) deep += " [\n";
  EXPECT_EQ(complaint(deep), "f.yaml:52" + limit);
  for (const char open : {'[', '{'})  // longer than any key: libyaml itself gives up
    EXPECT_EQ(complaint("a:\n" + std::string(200'000, open)),
              "f.yaml:2: not valid YAML: could not find expected ':' while scanning a simple key");
  std::string steps;
  for (int i = 0; i < 100; ++i) steps += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  EXPECT_EQ(complaint(steps), "f.yaml:51" + limit);
  EXPECT_EQ(complaint("- " + std::string(100'000, '-')),
            "f.yaml:1: a scenario must be a list of `key: value`, got [\"" + std::string(55, '-') + "...");
}

TEST(Files, MayUseWhatYamlOffers) {
  EXPECT_EQ(complaint("\xEF\xBB\xBF" + good), "accepted");  // a byte-order mark
  std::string windows;
  for (const char c : good) windows += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(complaint(windows), "accepted");
  EXPECT_EQ(complaint("%YAML 1.1\n---\n" + good + "...\n"), "accepted");
  EXPECT_EQ(complaint(with(good, "title: A rod", "title: |\n  two\n  lines")), "accepted");
  EXPECT_EQ(complaint(with(good, "title: A rod", "title: \"\\u00e9\\x41\"")), "accepted");
  EXPECT_EQ(complaint(with(good, "mass: 1", "mass: +1.")), "accepted");
  EXPECT_EQ(complaint(with(good, "mass: 1", "? mass\n    : 1")), "accepted");
  EXPECT_EQ(complaint(with(with(good, "position: [0.5", "position: &p [0.5"), "velocity: [0.6, -1]", "velocity: *p")),
            "accepted");
  EXPECT_EQ(complaint(with(with(good, "title: A rod", "title: &t mass"), "mass: 1", "*t : 1")), "accepted");
  EXPECT_EQ(complaint(R"({"kind": "impact", "model": "planar", "contact_space": {"inverse_inertia": [[1, 0], [0, 1]],
    "velocity": [0, -1]}, "material": {"friction": 0, "restitution": 1}})"),
            "accepted");
}

TEST(Files, TheListOfMistakesIsBounded) {
  std::string text = good;
  for (int i = 0; i < 5000; ++i) text += "unknown" + std::to_string(i) + ": 1\n";
  const std::string message = complaint(text);
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 100);
  EXPECT_EQ(message.substr(message.rfind('\n')), "\nf.yaml: and 4900 more mistakes");
}

}  // namespace
}  // namespace carom::scenario
