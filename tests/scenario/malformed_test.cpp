// Bad scenario files and the exact message each one gets.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <sstream>
#include <string>

#include "carom/report/writers.hpp"
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
    position: [0.35, 0.35]
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
        Case{"",
             "f.yaml: is empty: a scenario starts with `kind:`, one of impact, collide, rod, flight, world, "
             "normal_impact, contact_parameters, "
             "stick_slip, pendulum, tick, batting, fit, fem, rest_shape, squeeze"},
        Case{"just words", "f.yaml:1: a scenario must be a list of `key: value`, got \"just words\""},
        Case{"[1, 2]", "f.yaml:1: a scenario must be a list of `key: value`, got [1,2]"},
        Case{"kind: impact\n  model: planar\n",
             "f.yaml:2: `key: value` cannot stand here: look at the indentation, or put text that holds a colon in "
             "quotes"},
        Case{"kind: [impact\n", "f.yaml:2: the [ that opens on line 1 is not closed, or a comma is missing"},
        Case{"a: {b: 1\nc: 2\n", "f.yaml:2: the { that opens on line 1 is not closed, or a comma is missing"},
        Case{"a: 1\nb\nc: 2\n", "f.yaml:2: a key lacks its colon, or the line is not indented like its neighbours"},
        Case{"a:\n  b: 1\n c: 2\n",
             "f.yaml:3: the line is not indented like its neighbours, or what stands before it is not closed"},
        Case{"a: @b\n", "f.yaml:1: a value cannot begin with @: put it in quotes"},
        Case{good + "---\nkind: impact\n", "f.yaml:22: one file holds one scenario"},
        Case{"{1: 2, [3]: 4}", "f.yaml:1: a key must be plain text"},
        Case{"a: 1\n~: 2\n", "f.yaml:2: a key must be plain text"},
        // yaml-cpp 0.7 never came back from these four bytes
        Case{", a", "f.yaml:1: not valid YAML: did not find expected node content while parsing a block node"},
        Case{"a:\n\t- 1\n", "f.yaml:2: a tab in the indentation: YAML indents with spaces"},
        Case{"a:\n  b: 1\n\tc: 2\n", "f.yaml:3: a tab in the indentation: YAML indents with spaces"},
        Case{"a: 1\nb: \"x\n", "f.yaml:2: a quote opens here and is never closed"},
        Case{"a: 'x\nb: 1\nc: 2\n", "f.yaml:1: a quote opens here and is never closed"},
        Case{"a: 1\nb: caf\xe9\n", "f.yaml:2: not UTF-8 text"},
        Case{"\xff\xfe" + std::string("k\0:\0", 4), "f.yaml: is UTF-16 text: save it as UTF-8"},
        Case{std::string("\0k\0i\0n\0d\0:\0 \0a", 14), "f.yaml: is UTF-16 text: save it as UTF-8"},
        Case{"\x7f\x45LF\x02\x01\x01" + std::string(9, '\0') + "\x03", "f.yaml: is a binary file, not text"},
        Case{std::string("a: 1\n\0b: 2\n", 11), "f.yaml:2: not valid YAML: control characters are not allowed"},
        Case{"a: 1\nb: \x01\n", "f.yaml:2: not valid YAML: control characters are not allowed"},
        Case{"  \n# nothing but a remark\n",
             "f.yaml: says nothing but remarks: a scenario starts with `kind:`, one of impact, collide, rod, flight, "
             "world, normal_impact, contact_parameters, "
             "stick_slip, pendulum, tick, batting, fit, fem, rest_shape, squeeze"},
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
             "f.yaml:5: bodies[0].mass: is required\nf.yaml:7: bodies[0].maas: unknown key, did you mean 'mass'?"},
        Case{with(good, "law: poisson", "colour: red"), "f.yaml:19: colour: unknown key"},
        Case{with(good, "  restitution: 0.5\n", ""), "f.yaml:16: material.restitution: is required"},
        Case{with(good, "law: poisson", "material: {friction: 0, restitution: 0}"),
             "f.yaml:19: material: is given twice"},
        // wrong types
        Case{with(good, "mass: 1", "mass: heavy"), "f.yaml:7: bodies[0].mass: must be a number, got \"heavy\""},
        Case{with(good, "mass: 1", "mass: \"1\""), "f.yaml:7: bodies[0].mass: must be a number, got \"1\""},
        Case{with(good, "mass: 1", "mass: [1]"), "f.yaml:7: bodies[0].mass: must be a number, got [1]"},
        Case{with(good, "title: A rod", "title: [A]"), "f.yaml:3: title: must be text, got [\"A\"]"},
        Case{with(good, "position: [0.35, 0.35]", "position: [0.5, 0.5, 0]"),
             "f.yaml:10: bodies[0].position: must be a list of 2 numbers, got [0.5,0.5,0]"},
        Case{with(good, "position: [0.35, 0.35]", "position: [0.5, up]"),
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
  const auto aliases = [](const char* which) {
    return std::string(": aliases (here *") + which + ") repeat more than 100000 values: write out what is meant";
  };
  const std::string limit = ": is nested too deeply: at most 50 levels";
  EXPECT_EQ(complaint(bomb), "f.yaml:5" + aliases("a3"));
  // Doubling instead: no single alias is large.
  std::string doubled = "a0: &a0 [1,1]\n";
  for (int i = 1; i < 60; ++i) {
    const std::string below = "*a" + std::to_string(i - 1);
    doubled += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + below + "," + below + "]\n";
  }
  EXPECT_EQ(complaint(doubled), "f.yaml:15" + aliases("a13"));
  EXPECT_EQ(complaint("a: " + std::string(2000, '[')), "f.yaml:1" + limit);
  std::string deep = "a:\n";
  for (int i = 0; i < 50'000; ++i) deep += " [\n";
  EXPECT_EQ(complaint(deep), "f.yaml:52" + limit);
  for (const char open : {'[', '{'})  // longer than any key: libyaml itself gives up
    EXPECT_EQ(complaint("a:\n" + std::string(200'000, open)),
              "f.yaml:2: a key lacks its colon, or the line is not indented like its neighbours");
  std::string steps;
  for (int i = 0; i < 100; ++i) steps += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  EXPECT_EQ(complaint(steps), "f.yaml:51" + limit);
  EXPECT_EQ(complaint("- " + std::string(100'000, '-')),
            "f.yaml:1: a scenario must be a list of `key: value`, got [\"" + std::string(55, '-') + "...");
}

TEST(Files, MistakesComeInTheOrderOfTheLines) {
  // A missing key is blamed on the object, whose line is above.
  EXPECT_EQ(complaint("kind: impact\nmodel: planar\nzzz: 1\nlaw: poison\n"),
            "f.yaml:1: material: is required\nf.yaml:3: zzz: unknown key\n"
            "f.yaml:4: law: must be one of newton, poisson, energetic, got \"poison\", did you mean 'poisson'?");
}

TEST(Files, ComeFromAStreamToo) {
  std::istringstream in(good);
  EXPECT_EQ(load(in, "standard input").head().title, "A rod");
  std::istringstream bad("kind: impact\n");
  EXPECT_THROW(load(bad, "standard input"), BadScenario);
}

TEST(Files, ABareAngleOfMoreThanATurnIsAWarning) {
  const auto warnings = [](const char* angle) {
    return parse(with(good, "angle: 45 deg", std::string("angle: ") + angle), "f.yaml").warnings();
  };
  const auto of_turn = warnings("7.0685834705770345");  // 45 degrees and a turn
  ASSERT_EQ(of_turn.size(), 1U);
  EXPECT_EQ(of_turn[0],
            "line 9: bodies[0].angle: 7.0685834705770345 is more than a full turn, since angles are in radians; write "
            "`7.0685834705770345 deg` if degrees are meant, or `7.0685834705770345 rad`.");
  for (const char* fine : {"45 deg", "405 deg", "7.0685834705770345 rad", "0.7853981633974483", "-5.497787143782138"})
    EXPECT_TRUE(warnings(fine).empty()) << fine;
  const auto notes = [](const std::string& text) { return parse(text, "f.yaml").answer().notes; };
  const std::vector<std::string> odd = notes(with(good, "angle: 45 deg", "angle: 7.0685834705770345"));
  EXPECT_EQ(std::count(odd.begin(), odd.end(), of_turn[0]), 1);
  EXPECT_EQ(odd.size(), notes(good).size() + 1);
}

TEST(Files, AContactPointMustBeOnItsBodies) {
  // The rod ends at (0.5, 0.5) -+ 0.354 (1, 1): its contact is 0.146 sqrt(2) away.
  EXPECT_EQ(complaint(with(good, "position: [0.35, 0.35]", "position: [0.5, 0.5]")),
            "f.yaml:14: contact.point: must be a point of both bodies, lies 0.21 m outside rod");
  const auto rod_at = [](const char* where) { return complaint(with(good, "position: [0.35, 0.35]", where)); };
  // A hundredth of half a metre is allowed.
  EXPECT_EQ(rod_at("position: [0.3567, 0.3567]"), "accepted");
  EXPECT_NE(rod_at("position: [0.3577, 0.3577]"), "accepted");
  EXPECT_EQ(complaint(with(with(good, "    shape: rod\n    mass: 1\n    length: 1", "    inertia: 1\n    mass: 1"),
                           "position: [0.35, 0.35]", "position: [0.5, 0.5]")),
            "accepted");  // no shape: nothing is known
}

// Points at a known distance from the surface of every shape, whatever its pose: in or on it they are accepted, a
// little more than a hundredth of the radius outside they are not.
TEST(Files, AContactPointIsLookedForOnEveryShape) {
  struct Solid {
    const char* text;
    Eigen::Vector3d on, out;  // a point of the surface and the way out of it, about the centre of mass
    double radius;
  };
  const double slope = std::sqrt(5.0);
  const std::vector<Solid> solids = {
      {"sphere, radius: 2", {1.2, 1.6, 0}, {0.6, 0.8, 0}, 2.0},
      {"shell, radius: 2", {0, -2, 0}, {0, -1, 0}, 2.0},
      {"box, size: [2, 4, 6]", {1, 2, 3}, Eigen::Vector3d(1, 2, 3).normalized(), std::sqrt(14.0)},
      {"box, size: [2, 4, 6]", {1, 0.3, -2}, {1, 0, 0}, std::sqrt(14.0)},
      {"cylinder, radius: 1, height: 4", {0.6, 0.8, 1}, {0.6, 0.8, 0}, slope},
      {"cylinder, radius: 1, height: 4", {0.2, 0.1, -2}, {0, 0, -1}, slope},
      {"cone, radius: 1, height: 2", {0, 0, -1.5}, {0, 0, -1}, 1.5},
      {"pencil, radius: 1, height: 2, tip: 2", {0, 0, -2.625}, {0, 0, -1}, 2.625}};
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  for (const Solid& solid : solids)
    for (int k = 0; k < 40; ++k) {
      Eigen::Quaterniond turn(normal(random), normal(random), normal(random), normal(random));
      turn.normalize();
      const Eigen::Vector3d at(normal(random), normal(random), normal(random));
      const auto said = [&](double distance) {
        std::ostringstream text;
        text.precision(17);
        const Eigen::Vector3d p = at + turn * (solid.on + distance * solid.out);
        text << "kind: impact\nmodel: spatial\nmaterial: {friction: 1, restitution: 1}\nbodies:\n  - {mass: 1, shape: "
             << solid.text << ", position: [" << at[0] << ", " << at[1] << ", " << at[2] << "], orientation: ["
             << turn.w() << ", " << turn.x() << ", " << turn.y() << ", " << turn.z()
             << "]}\n  - immovable\ncontact: {point: [" << p[0] << ", " << p[1] << ", " << p[2]
             << "], normal: [0, 0, 1]}\n";
        return complaint(text.str());
      };
      for (const double inside : {-0.3, -1e-9, 0.0, 0.0095})
        EXPECT_EQ(said(inside * solid.radius), "accepted") << solid.text;
      for (const double outside : {0.0115, 0.1, 3.0})
        EXPECT_NE(said(outside * solid.radius).find("m outside A"), std::string::npos) << solid.text << " " << outside;
    }
}

TEST(Annotated, ExplainsTheKeysOfASweep) {
  const std::filesystem::path folder = std::filesystem::path(CAROM_SOURCE_DIR) / "scenarios";
  const std::string text = annotated(load(folder / "oblique_sphere.yaml"));
  for (const char* remark :
       {"# what to vary: one field, or a list of two", "# the number to vary, such as bodies[0].velocity[2]",
        "# keys of facts, the second and later ones dashed", "# values: the values, instead of `from`, `to`",
        "# where the numbers come from"})
    EXPECT_NE(text.find(remark), std::string::npos) << remark << "\n" << text;
}

// What a scenario starts from: for every kind, it asks the same as the scenario it was made from.
TEST(Annotated, EveryKindHasOneThatRunsTheSame) {
  std::set<std::string> kinds;
  for (const KindInfo& kind : scenario_kinds()) {
    const std::filesystem::path file = std::filesystem::path(CAROM_SOURCE_DIR) / "scenarios" / (kind.example + ".yaml");
    const Scenario example = load(file);
    EXPECT_EQ(example.head().kind, kind.kind);
    EXPECT_EQ(example.head().model, kind.model);
    const std::string text = annotated(example);
    const Scenario again = parse(text, "new.yaml");
    EXPECT_EQ(annotated(again), text);
    for (const auto& line : {"kind: " + kind.kind, std::string("# ") + kind.description})
      EXPECT_NE(text.find(line), std::string::npos) << text;
    for (const char* member : {"title", "about"}) EXPECT_NE(text.find(member), std::string::npos) << text;
    EXPECT_EQ(again.head().about, example.head().about);
    EXPECT_GT(std::count(text.begin(), text.end(), '#'), 5) << text;
    if (kind.kind != "batting" && kind.kind != "fit" && kind.kind != "stick_slip" &&
        kind.kind != "squeeze") {  // half a second each
      EXPECT_EQ(report::json_text(again.describe(again.run())), report::json_text(example.describe(example.run())));
    }
    kinds.insert(kind.kind + kind.model);
  }
  EXPECT_EQ(kinds.size(), scenario_kinds().size());
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
  EXPECT_EQ(complaint(with(with(good, "position: [0.35", "position: &p [0.35"), "velocity: [0.6, -1]", "velocity: *p")),
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
