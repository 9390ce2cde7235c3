// Sweeps: the same answers as single runs, any kind, any number, in any number of threads; what is wrong is named.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

#include "carom/core/error.hpp"
#include "carom/report/writers.hpp"
#include "carom/scenario/scenario.hpp"

namespace carom::scenario {
namespace {

const std::filesystem::path scenarios = std::filesystem::path(CAROM_SOURCE_DIR) / "scenarios";

const std::string planar =
    "kind: impact\nmodel: planar\n"
    "contact_space: {inverse_inertia: [[2.5, -1.5], [-1.5, 2.5]], velocity: [0.6, -1]}\n"
    "material: {friction: 0.7, restitution: 0.5}\n";

const report::Column& column(const report::Table& table, const std::string& key) {
  for (const report::Column& one : table.columns)
    if (one.key == key) return one;
  throw std::runtime_error("no column " + key);
}
const std::vector<double>& numbers(const report::Table& table, const std::string& key) {
  return std::get<std::vector<double>>(column(table, key).cells);
}

report::Value fact(const std::vector<report::Fact>& facts, const std::string& key) {
  for (const report::Fact& one : facts)
    if (one.key == key) return one.value;
  throw std::runtime_error("no fact " + key);
}

std::string complaint(const std::string& text) {
  try {
    parse(text, "f.yaml").run();
  } catch (const BadScenario& error) {
    return error.what();
  }
  return "accepted";
}

TEST(EvenlySpread, GoesThroughZeroItself) {
  const std::vector<double> values = evenly_spread(-0.4, 0.2, 7);
  EXPECT_EQ(values[4], 0.0);
  EXPECT_EQ(values.front(), -0.4);
  EXPECT_EQ(values.back(), 0.2);
  EXPECT_NEAR(values[3], -0.1, 1e-15);
  // What only is small stays.
  EXPECT_EQ(evenly_spread(1e-20, 1.0, 3).front(), 1e-20);
}

struct OneOfEachKind {
  const char *file, *path;
  double from, to;
};
void PrintTo(const OneOfEachKind& one, std::ostream* out) { *out << one.file; }

class SweepOfEachKind : public ::testing::TestWithParam<OneOfEachKind> {};

// Every run of a sweep is the run of the file with that value set, fact by fact, bit by bit.
TEST_P(SweepOfEachKind, HasTheAnswersOfSingleRuns) {
  const OneOfEachKind& one = GetParam();
  const Scenario scenario = load(scenarios / one.file);
  const SweepResult result = scenario.run_sweep({{{one.path, evenly_spread(one.from, one.to, 5)}}});
  ASSERT_EQ(result.table.row_count(), 5u);
  EXPECT_EQ(result.failed, 0u);
  EXPECT_TRUE(result.complete);
  for (const std::size_t row : {0u, 3u, 4u}) {
    const double value = result.sweep.fields[0].values[row];
    EXPECT_EQ(numbers(result.table, one.path)[row], value);
    const Setting settings[] = {{one.path, number_text(value)}, {"sweep", "null"}};
    const report::Document single = load(scenarios / one.file, settings).answer();
    for (const report::Fact& expected : single.facts) {
      const report::Value found = cell(column(result.table, expected.key), row);
      if (const double* number = std::get_if<double>(&expected.value); number != nullptr && std::isnan(*number)) {
        EXPECT_TRUE(std::isnan(std::get<double>(found))) << expected.key;
      } else {
        EXPECT_EQ(found, expected.value) << expected.key << " in run " << row;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SweepOfEachKind,
                         ::testing::Values(OneOfEachKind{"falling_rod_case_2.yaml", "material.friction", 0.0, 1.0},
                                           OneOfEachKind{"ball_on_ground.yaml", "bodies[0].velocity[2]", -4.0, -1.0},
                                           OneOfEachKind{"superball.yaml", "material.restitution", 0.1, 1.0},
                                           OneOfEachKind{"eight_bounces.yaml", "bodies[0].angular_velocity[1]", -3.0,
                                                         3.0},
                                           OneOfEachKind{"rod_undamped.yaml", "impact_speed", 1.0, 2.0},
                                           OneOfEachKind{"cradle.yaml", "cradle.angle", 0.1, 0.7},
                                           OneOfEachKind{"nine_ball_follow_to_rest.yaml", "rack.speed", 1.0, 2.0},
                                           OneOfEachKind{"cradle_60_s.yaml", "cradle.length", 0.1, 0.2},
                                           OneOfEachKind{"bernoulli.yaml", "bernoulli.stiffness_ratio", 0.5, 2.0}),
                         [](const auto& one) {
                           std::string name = one.param.file;
                           name.resize(name.find('.'));
                           return name;
                         });

TEST(Sweep, OfTwoFieldsRunsEveryCombinationTheSecondFastest) {
  const Scenario scenario = parse(planar, "f.yaml");
  const SweepResult result =
      scenario.run_sweep({{{"material.friction", {0.0, 0.3}}, {"material.restitution", {0, 0.5, 1}}}});
  EXPECT_EQ(numbers(result.table, "material.friction"), (std::vector{0.0, 0.0, 0.0, 0.3, 0.3, 0.3}));
  EXPECT_EQ(numbers(result.table, "material.restitution"), (std::vector{0.0, 0.5, 1.0, 0.0, 0.5, 1.0}));
  EXPECT_TRUE(scenario.describe(result).plots.front().heat_map.has_value());
}

// Frictionless: the normal velocity after is -e v_n, for any e (Newton's law holds for every law).
TEST(Sweep, ShowsWhatItIsAskedTo) {
  const Scenario scenario =
      parse(planar +
                "sweep:\n  over: {path: material.restitution, from: 0, to: 1, steps: 11, label: $e$}\n"
                "  set: {material.friction: 0}\n"
                "  show: [velocity_after, {facts: 'impulse[1]', title: Push, label: P}]\n"
                "  measured: {source: me, fact: velocity_after, at: [0.5, 1], values: [0.5, 1]}\n",
            "f.yaml");
  const Result run = scenario.run();
  ASSERT_TRUE(run.of_sweep);
  const auto& after = std::get<std::vector<std::vector<double>>>(column(run.of_sweep->table, "velocity_after").cells);
  for (std::size_t i = 0; i <= 10; ++i) EXPECT_NEAR(after[i][1], 0.1 * static_cast<double>(i), 1e-15);
  const report::Document document = scenario.describe(run);
  // The file's own answer is with its own friction and restitution.
  EXPECT_NE(std::get<std::vector<double>>(fact(document.facts, "impulse"))[0], 0.0);
  const auto find = [&](const std::string& name) {
    return std::find_if(document.plots.begin(), document.plots.end(), [&](const auto& p) { return p.name == name; });
  };
  const auto velocity = find("sweep_velocity_after"), impulse = find("sweep_impulse_1");
  ASSERT_NE(velocity, document.plots.end());
  ASSERT_NE(impulse, document.plots.end());
  EXPECT_EQ(velocity->x.label, "$e$");
  EXPECT_EQ(velocity->curves.size(), 2u);
  EXPECT_EQ(velocity->curves[1].legend, "$v_n$");
  EXPECT_EQ(velocity->markers.size(), 2u);
  EXPECT_EQ(impulse->title, "Push");
  EXPECT_EQ(impulse->curves.size(), 1u);
}

TEST(Sweep, ListedValuesOfASecondFieldAreACurveEach) {
  const report::Document document =
      parse(planar +
                "sweep: {over: [{path: material.restitution, from: 0, to: 1, steps: 5}, "
                "{path: material.friction, values: [0, 0.2, 0.9]}], show: [energy_after]}\n",
            "f.yaml")
          .answer();
  const report::Plot& plot = document.plots.back();
  ASSERT_EQ(plot.curves.size(), 3u);
  EXPECT_FALSE(plot.heat_map);
  EXPECT_EQ(plot.curves[1].legend, "material.friction = 0.2");
  EXPECT_EQ(plot.curves[1].points.size(), 5u);
}

// A map's cells lie around their values: half way between neighbours, on a logarithmic axis in the logarithm.
TEST(Sweep, CellsOfAMapSurroundTheirValues) {
  const Scenario scenario = parse(planar, "f.yaml");
  const SweepResult result =
      scenario.run_sweep({{swept_field("material.friction=0.01:1:3:log"), swept_field("material.restitution=0:1:2")}});
  const report::HeatMap map = *scenario.describe(result).plots.front().heat_map;
  ASSERT_EQ(map.x_edges.size(), 4u);
  const double root = std::sqrt(10.0);
  const double expected[] = {0.01 / root, 0.01 * root, 0.1 * root, 1.0 * root};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(map.x_edges[static_cast<std::size_t>(i)] / expected[i], 1.0, 1e-12);
  EXPECT_EQ(map.y_edges, (std::vector{-0.5, 0.5, 1.5}));
  EXPECT_EQ(map.values.size(), 6u);
}

TEST(Sweep, ARunWithoutAnAnswerSaysWhy) {
  // Between 0 and 80 degrees the file is right, in the middle of this list it is not.
  const SweepResult result = load(scenarios / "groove.yaml")
                                 .run_sweep({{{"groove.angle", {20.0, 95.0, 40.0}, "", true}}, {{"outcomes", "null"}}});
  EXPECT_EQ(result.failed, 1u);
  const report::Column& errors = result.table.columns.back();
  EXPECT_EQ(errors.key, "error");
  EXPECT_EQ(errors.cells,
            report::Cells(std::vector<std::string>{"", "groove.angle: must lie between 0 and 90 deg", ""}));
  EXPECT_TRUE(std::isnan(numbers(result.table, "energy_after")[1]));
  EXPECT_FALSE(std::isnan(numbers(result.table, "energy_after")[2]));
}

TEST(Sweep, CanBeStoppedAndKeepsWhatIsDone) {
  std::atomic<int> asked{0};
  double share = 0.0;
  Progress progress;
  progress.cancelled = [&] { return ++asked > 50; };
  progress.show = [&](double now) {
    EXPECT_GE(now, share);
    share = now;
  };
  const Scenario scenario = parse(planar, "f.yaml");
  const SweepResult result = scenario.run_sweep({{{"material.friction", evenly_spread(0, 1, 10'000)}}}, progress);
  EXPECT_FALSE(result.complete);
  EXPECT_GT(result.table.row_count(), 10u);
  EXPECT_LE(result.table.row_count(), 50u);
  EXPECT_EQ(numbers(result.table, "energy_after").size(), result.table.row_count());
  const report::Document document = scenario.describe(result);
  EXPECT_NE(document.notes.back().find("of 10000 runs"), std::string::npos);
}

TEST(Sweep, WhatIsWrongIsNamed) {
  const auto with = [](const std::string& sweep) { return complaint(planar + "sweep: " + sweep + "\n"); };
  EXPECT_EQ(with("{over: {path: material.friction, from: -1, to: 1}}"),
            "f.yaml:5: sweep: with material.friction = -1: material.friction: must be >= 0, got -1");
  EXPECT_EQ(with("{over: {path: material.fricton, from: 0, to: 1}}"),
            "f.yaml:5: sweep: with material.fricton = 0: material.fricton: unknown key, did you mean 'friction'?");
  EXPECT_EQ(with("{over: {path: 'material..friction', from: 0, to: 1}}"),
            "f.yaml:5: sweep: with material..friction = 0: material..friction: cannot be set: a path looks like "
            "bodies[0].velocity[2] or material.friction");
  EXPECT_EQ(with("{over: {path: law, from: 0, to: 1}}"),
            "f.yaml:5: sweep: with law = 0: law: must be one of newton, poisson, energetic, got 0");
  EXPECT_EQ(with("{over: {path: material.friction, from: 1, to: 0}}"),
            "f.yaml:5: sweep.over.to: must be greater than `from`");
  EXPECT_EQ(with("{over: {path: material.friction, from: 0, to: 5 deg}}"),
            "f.yaml:5: sweep.over.to: must be an angle if `from` is one, and a number if not");
  EXPECT_EQ(with("{over: {path: material.friction, from: 0, to: 1, spacing: logarithmic}}"),
            "f.yaml:5: sweep.over.from: must be positive for logarithmic spacing");
  EXPECT_EQ(with("{over: {path: material.friction}}"),
            "f.yaml:5: sweep.over: needs either `from` and `to`, or `values`");
  EXPECT_EQ(with("{over: {path: material.friction, from: 0, to: 1}, show: [energy_aftr]}"),
            "f.yaml: sweep.show[0]: there is no fact \"energy_aftr\", did you mean 'energy_after'?");
  EXPECT_EQ(with("{over: [{path: material.friction, from: 0, to: 1, steps: 2000}, "
                 "{path: material.restitution, from: 0, to: 1, steps: 2000}]}"),
            "f.yaml:5: sweep: make 4000000 runs; at most 1000000 fit one table");
  EXPECT_EQ(
      with("{over: {path: material.friction, from: 0, to: 1}, measured: {source: me, fact: energy_after, at: [1], "
           "values: [1, 2]}}"),
      "f.yaml:5: sweep.measured.values: must have as many numbers as `at`, 1, got 2");
}

TEST(Sweep, FieldsFromText) {
  EXPECT_EQ(swept_field("a.b=0:1:3").values, (std::vector{0.0, 0.5, 1.0}));
  EXPECT_EQ(swept_field("a.b=1:100:3:log").values, (std::vector{1.0, 10.0, 100.0}));
  const SweptField angle = swept_field("a[0]=5deg:10 deg:2");
  EXPECT_EQ(angle.path, "a[0]");
  EXPECT_TRUE(angle.degrees);
  EXPECT_EQ(angle.values, (std::vector{5.0, 10.0}));
  const SweptField list = swept_field("r=0,-0.5,2e3");
  EXPECT_TRUE(list.listed);
  EXPECT_EQ(list.values, (std::vector{0.0, -0.5, 2000.0}));
  for (const char* text : {"", "a", "=1", "a=", "a=1:2", "a=1:2:1", "a=1:2:x", "a=1:2:3:4", "a=1:2:3:log:5", "a=1,,2",
                           "a=1m", "a=1deg,2", "a=2:1:5", "a=0:1:5:log", "a=1:2:1e9", "a=nan", "a=1e999"})
    EXPECT_THROW(swept_field(text), InvalidInput) << text;
}

TEST(Sweep, TheSweepItselfMustMakeSense) {
  const Scenario scenario = parse(planar, "f.yaml");
  EXPECT_THROW(scenario.run_sweep({}), InvalidInput);
  EXPECT_THROW(scenario.run_sweep({{{"material.friction", {}}}}), InvalidInput);
  EXPECT_THROW(scenario.run_sweep({{{"material.friction", {NAN}}}}), InvalidInput);
  const SweptField one{"material.friction", {0.1}};
  EXPECT_THROW(scenario.run_sweep({{one, one, one}}), InvalidInput);
}

TEST(Scenario, ARunCanBeStopped) {
  Progress stop;
  stop.cancelled = [] { return true; };
  EXPECT_THROW(load(scenarios / "chain_5_hertz.yaml").run(stop), Cancelled);
}

}  // namespace
}  // namespace carom::scenario
