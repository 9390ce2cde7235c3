// Bad scenario files and the exact message each one gets.
#include <gtest/gtest.h>
#include <string>

#include "carom/scenario/scenario.hpp"

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
        Case{"kind: impact\n  model: planar\n", "f.yaml:2: not valid YAML: illegal map value"},
        Case{"kind: [impact\n", "f.yaml:2: not valid YAML: end of sequence flow not found"},
        Case{good + "---\nkind: impact\n", "f.yaml:22: one file holds one scenario"},
        Case{"{1: 2, [3]: 4}", "f.yaml:1: a key must be plain text"},
        // kind and model
        Case{with(good, "kind: impact", "kind: impcat"),
             "f.yaml:1: kind: must be one of impact, bounces, collide, rod, got \"impcat\", did you mean 'impact'?"},
        Case{with(good, "kind: impact\n", ""), "f.yaml:1: kind: is required: one of impact, bounces, collide, rod"},
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
             "f.yaml:17: material.friction: must be a number, got \"rough\""}));

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
  EXPECT_NE(complaint(bomb).find("the file is nested too deeply or too large"), std::string::npos);
  EXPECT_NE(complaint("a: " + std::string(2000, '[')).find("not valid YAML"), std::string::npos);
}

}  // namespace
}  // namespace carom::scenario
