// Scenes in time from file to answer: the numbers of the papers, generators, sweeps, what is drawn, and the mistakes a
// file can make. The sheet's numbers come from two codes that agree to 1e-12.
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "carom/report/writers.hpp"
#include "carom/scenario/scenario.hpp"
#include "carom/scenario/sweep.hpp"

namespace carom::scenario {
namespace {

using nlohmann::json;

const std::filesystem::path scenarios = std::filesystem::path(CAROM_SOURCE_DIR) / "scenarios";

json answer_of(const std::string& file) { return json::parse(report::json_text(load(scenarios / file).answer())); }
json answer_to(const std::string& text) { return json::parse(report::json_text(parse(text, "f.yaml").answer())); }

json fact(const json& answer, const char* key) { return answer["facts"][key]["value"]; }
double number(const json& answer, const char* key) { return fact(answer, key).get<double>(); }

json column(const json& answer, const char* table, const char* key) {
  for (const json& one : answer["tables"][table]["columns"])
    if (one["key"] == key) return one["cells"];
  ADD_FAILURE() << "no column " << key;
  return {};
}

std::string complaint(const std::string& text) {
  try {
    parse(text, "f.yaml");
  } catch (const BadScenario& error) {
    return error.what();
  }
  return "accepted";
}

// Jia 2012, table 1 (column M of the sheet) with flight in gravity 9.8, and the fifth bounce of section 8.1.1.
TEST(WorldBounces, TableOneAndTheFifthBounce) {
  const json eight = answer_of("eight_bounces.yaml");
  EXPECT_EQ(number(eight, "impacts"), 8.0);
  const json times = column(eight, "events", "time"), velocity = column(eight, "events", "velocity"),
             spin = column(eight, "events", "spin");
  const double expected[] = {0,           .5102040816, .7653061224,  .8928571429,
                             .9566326531, .9885204082, 1.0044642857, 1.0124362245};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(times[i].get<double>(), expected[i], 1e-10);
  EXPECT_NEAR(velocity[0][0].get<double>(), 1.277770, 5e-7);
  EXPECT_NEAR(velocity[0][1].get<double>(), -1.952374, 5e-7);
  EXPECT_NEAR(spin[0][0].get<double>(), 1.119065, 5e-7);
  EXPECT_NEAR(velocity[7][0].get<double>(), .9931710725, 5e-11);
  EXPECT_NEAR(spin[7][1].get<double>(), 1.0170723187, 5e-11);
  const json five = answer_of("five_bounces.yaml");
  EXPECT_NEAR(column(five, "events", "velocity")[4][0].get<double>(), -0.100402, 5e-7);
  EXPECT_NEAR(column(five, "events", "velocity")[4][2].get<double>(), 0.15625, 1e-12);
  EXPECT_NEAR(column(five, "events", "spin")[4][1].get<double>(), -0.248994, 5e-7);
  // Beside it the rigid contact, which rolls from the first bounce on and so loses nothing more to friction.
  EXPECT_EQ(column(five, "beside", "scene")[1], "rigid");
  EXPECT_LT(column(five, "beside", "friction_loss")[1].get<double>(), 1.3);
}

// The sheet: five impacts each; when everything rests, and the root mean square distance of the nine from their middle.
TEST(WorldBreak, StopFollowAndDrawToRest) {
  struct Shot {
    const char* name;
    double hit, rest, rms;
  };
  for (const Shot& shot :
       {Shot{"stop", .3938613342, 4.1878467500, .2841646400}, Shot{"follow", .3380399160, 5.0532135187, .4113838056},
        Shot{"draw", .4576745915, 3.3274263259, .1858411022}}) {
    const json answer = answer_of(std::string("nine_ball_") + shot.name + "_to_rest.yaml");
    EXPECT_EQ(fact(answer, "verdict"), "rest");
    EXPECT_EQ(number(answer, "impacts"), 5.0);
    EXPECT_NEAR(number(answer, "first_impact"), shot.hit, 5e-11);
    EXPECT_NEAR(number(answer, "time"), shot.rest, 1e-9);
    // About their middle: the sheet's measure of how far the nine are spread.
    const json place = column(answer, "bodies", "position");
    double mean[2] = {}, square = 0.0;
    for (std::size_t i = 1; i < 10; ++i)
      for (std::size_t k = 0; k < 2; ++k) mean[k] += place[i][k].get<double>() / 9.0;
    for (std::size_t i = 1; i < 10; ++i)
      for (std::size_t k = 0; k < 2; ++k) square += std::pow(place[i][k].get<double>() - mean[k], 2) / 9.0;
    EXPECT_NEAR(std::sqrt(square), shot.rms, 1e-9);
    EXPECT_LT(std::abs(number(answer, "residual")), 1e-10 * number(answer, "energy_start"));
  }
}

// The run-up that `collide` had: after 5 cm the cue ball still slides, v^2 = v0^2 - 2 mu g s.
TEST(WorldBreak, RunUpOnTheCloth) {
  const json sliding = answer_to(
      "kind: world\nrack: {layout: nine_ball, run_up: 0.05}\nmaterials: [{restitution: 0.96}]\nend_time: 1\n");
  const double v = std::sqrt(1.0 - 2.0 * .2 * 9.81 * .05);
  EXPECT_NEAR(number(sliding, "first_impact"), (1.0 - v) / (.2 * 9.81), 1e-14);
  EXPECT_EQ(column(sliding, "events", "event")[0], "impact");
}

// The sheet, table 3.3: how far the object ball gets.
TEST(WorldFollowShot, WaysOfTheObjectBall) {
  EXPECT_NEAR(column(answer_of("follow_shot_on_cloth_mu_0.yaml"), "bodies", "way")[1].get<double>(), 3.9999163615,
              1e-9);
  EXPECT_NEAR(column(answer_of("follow_shot_on_cloth_mu_0_5.yaml"), "bodies", "way")[1].get<double>(), 2.9919292088,
              1e-9);
}

// While it slides the cue ball is on a parabola: its acceleration is the same all the way to `rolls`, and across it.
TEST(WorldMasse, SlidesOnAParabola) {
  const json answer = answer_of("masse.yaml");
  const json time = column(answer, "trajectories", "time"), body = column(answer, "trajectories", "body"),
             state = column(answer, "trajectories", "state"), velocity = column(answer, "trajectories", "velocity");
  int looked_at = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (body[i] != "cue" || state[i] != "slides" || time[i] > 0.49) continue;
    const double t = time[i].get<double>(), size = std::hypot(1.6 + .028575 * 20, .5 + .028575 * 75);
    EXPECT_NEAR(velocity[i][0].get<double>(), 1.6 - .2 * 9.81 * t * (1.6 + .028575 * 20) / size, 1e-12);
    EXPECT_NEAR(velocity[i][1].get<double>(), .5 - .2 * 9.81 * t * (.5 + .028575 * 75) / size, 1e-12);
    ++looked_at;
  }
  EXPECT_GT(looked_at, 50);
  EXPECT_EQ(column(answer, "events", "who")[1], "cue-target");
}

// The sheet: the first meetings, exact and harmonic. Harmonic balls all meet every half period.
TEST(WorldCradle, ExactAndSmallAngle) {
  const json exact = answer_of("cradle_60_s.yaml"), times = column(exact, "events", "time");
  const double expected[] = {.1822946199, .5425611824, .5425962011, .5426199363, .5428025104};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(times[i].get<double>(), expected[i], 1e-10);
  EXPECT_LT(std::abs(number(exact, "residual")), 1e-10 * std::abs(number(exact, "energy_start")));
  EXPECT_TRUE(fact(exact, "momentum_residual").is_null());
  const json harmonic = answer_of("cradle_60_s_small_angle.yaml");
  const double quarter = .1801275859;
  EXPECT_EQ(number(harmonic, "impacts"), std::floor(0.5 * (60.0 / quarter - 1.0)) + 1.0);
  const json all = column(harmonic, "events", "time"), model = column(harmonic, "events", "model");
  for (std::size_t k = 0; k < all.size(); ++k) {
    // The quarter period is printed to ten digits: what it leaves open grows with the number of swings.
    const double quarters = 2.0 * static_cast<double>(k) + 1.0;
    EXPECT_NEAR(all[k].get<double>(), quarters * quarter, quarters * 5e-11);
    EXPECT_EQ(model[k], "simultaneous");
  }
  // What is set beside the exact one is the harmonic one.
  EXPECT_EQ(column(exact, "beside", "impacts")[1], fact(harmonic, "impacts"));
  EXPECT_NEAR(column(exact, "beside", "energy_end")[1].get<double>(), number(harmonic, "energy_end"), 1e-15);
}

// Rodriguez 2010, sections 5.1 to 5.3: spin and kinetic energy after the corner, as its method gives them with the wall
// or the floor examined; springs and the complementarity problem are beside. Hits as the sheet says.
TEST(WorldCorner, ThreeCases) {
  const double hits[] = {.9578262852, .4515236410, .4515236410};
  const double spins[] = {-7.811172, 8.0, 4.0}, energies[] = {16.850, 14.5, 5.45}, digits[] = {5e-4, 5e-2, 5e-3};
  for (int k = 0; k < 3; ++k) {
    const json answer = answer_of("corner_flight_" + std::to_string(k + 1) + ".yaml");
    EXPECT_NEAR(number(answer, "first_impact"), hits[k], 5e-11);
    EXPECT_EQ(column(answer, "events", "who")[0], "ball-floor, ball-wall");
    EXPECT_EQ(column(answer, "events", "model")[0], "rodriguez");
    const double spin = column(answer, "events", "spin")[0][2];
    EXPECT_NEAR(spin, spins[k], 5e-7);
    double energy = .5 * .125 * spin * spin;
    for (int c = 0; c < 3; ++c) {
      const double v = column(answer, "events", "velocity")[0][c];
      energy += .5 * v * v;
    }
    EXPECT_NEAR(energy, energies[k], digits[k]);
    EXPECT_EQ(column(answer, "beside", "scene")[1], "simultaneous");
    EXPECT_EQ(column(answer, "beside", "scene")[2], "lcp");
    EXPECT_NE(column(answer, "beside", "energy_end")[0], column(answer, "beside", "energy_end")[1]);
  }
}

const std::string bouncy = "materials: [{restitution: 0.9}]\nend_time: 0.1\n";

TEST(WorldGenerators, MakeWhatTheySay) {
  const auto places = [](const std::string& scene) {
    return column(answer_to("kind: world\ngravity: 0\n" + scene + bouncy), "trajectories", "position");
  };
  EXPECT_EQ(places("chain: {count: 3, radius: 0.1, gap: 0.05, speed: 0, from: [1, 2, 3]}\n")[2],
            json::parse("[1.5,2,3]"));
  const json grid = places("grid: {count: [2, 3, 4], radius: 0.1, spacing: 0.5}\n");
  EXPECT_EQ(grid[23], json::parse("[0.5,1,1.5]"));
  const json some = places("random: {count: 50, radius: 0.05, seed: 3}\n");
  for (std::size_t i = 0; i < 50; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      double square = 0.0;
      for (int k = 0; k < 3; ++k) square += std::pow(some[i][k].get<double>() - some[j][k].get<double>(), 2);
      EXPECT_GE(square, .01);
    }
  EXPECT_EQ(some, places("random: {count: 50, radius: 0.05, seed: 3}\n"));
  EXPECT_NE(some, places("random: {count: 50, radius: 0.05, seed: 4}\n"));
  // Together, those listed first.
  const json both = answer_to(
      "kind: world\ngravity: 0\nbodies: [{name: me, shape: sphere, mass: 1, radius: 0.1, position: "
      "[0, 0, 5]}]\nchain: {count: 2}\ngrid: {count: [1, 1, 2], from: [0, 9, 0]}\n" +
      bouncy);
  EXPECT_EQ(column(both, "bodies", "body"), json::parse(R"(["me","ball 1","ball 2","ball 3","ball 4"])"));
}

// A generator is numbers until it is run: a sweep varies them and everything follows. Time of the first touch of a ball
// that falls from rest at an angle: quarter period, K(sin(angle/2)) sqrt(l/g).
TEST(WorldGenerators, AreSwept) {
  const Scenario scenario =
      parse("kind: world\ncradle: {count: 2}\nmaterials: [{restitution: 1}]\nend_time: 0.5\n", "f");
  const SweepResult result = scenario.run_sweep({{{"cradle.angle", {0.2, 0.6, 1.2}}}});
  EXPECT_EQ(result.failed, 0u);
  for (std::size_t i = 0; i < 3; ++i) {
    const double angle = result.sweep.fields[0].values[i];
    double found = 0.0;
    for (const report::Column& one : result.table.columns)
      if (one.key == "first_impact") found = std::get<std::vector<double>>(one.cells)[i];
    EXPECT_NEAR(found, std::comp_ellint_1(std::sin(0.5 * angle)) * std::sqrt(0.129 / 9.81), 1e-10);
  }
}

TEST(WorldDocument, TrajectoriesHaveARowPerSampleAndBody) {
  const json answer = answer_to("kind: world\nsamples: 10\nchain: {count: 2, gap: 0.1}\n" + bouncy);
  const json time = column(answer, "trajectories", "time"), body = column(answer, "trajectories", "body");
  ASSERT_EQ(time.size(), 22u);
  for (std::size_t i = 0; i < 22; ++i) {
    EXPECT_NEAR(time[i].get<double>(), 0.01 * static_cast<double>(i / 2), 1e-15);
    EXPECT_EQ(body[i], i % 2 == 0 ? "ball 1" : "ball 2");
  }
}

// A page turns bodies evenly from one keyframe to the next, so none may turn far between two.
TEST(WorldDocument, KeyframesFollowFastTurning) {
  const report::Document document =
      parse("kind: world\nsamples: 10\nchain: {count: 1, spin: 300}\n" + bouncy, "f.yaml").answer();
  ASSERT_EQ(document.scenes.size(), 1u);
  const auto& keys = document.scenes[0].bodies[0].keyframes;
  EXPECT_GE(keys.size(), 40u);
  for (std::size_t i = 1; i < keys.size(); ++i) {
    EXPECT_GT(keys[i].time, keys[i - 1].time);
    EXPECT_LT(keys[i].orientation.angularDistance(keys[i - 1].orientation), 0.75);
  }
}

TEST(WorldDocument, LongRunsKeepTheEndsOfTheirEvents) {
  const json answer = answer_to(
      "kind: world\ngravity: 0\nbodies: [{shape: sphere, mass: 1, radius: 0.1, position: [0, 0, 0.5], velocity: [0, 0, "
      "1]}]\nplanes: [{point: [0, 0, 0], normal: [0, 0, 1]}, {point: [0, 0, 1], normal: [0, 0, -1]}]\n"
      "materials: [{restitution: 1}]\nend_time: 1000\n");
  EXPECT_EQ(number(answer, "impacts"), 1250.0);  // one each 0.8 s, the first at 0.4 s
  const json numbers = column(answer, "events", "number");
  ASSERT_EQ(numbers.size(), 600u);
  EXPECT_EQ(numbers[299], 300);
  for (std::size_t i = 300; i < 600; ++i) EXPECT_EQ(numbers[i], 951 + static_cast<int>(i) - 300);
}

TEST(WorldDocument, PicturesOfEachKindOfScene) {
  const auto names = [](const json& answer) {
    std::set<std::string> all;
    for (const auto& plot : answer["plots"].items()) all.insert(plot.key());
    return all;
  };
  EXPECT_EQ(names(answer_of("eight_bounces.yaml")),
            (std::set<std::string>{"strobe", "side_view", "top_view", "energy", "velocity", "spin"}));
  EXPECT_EQ(names(answer_of("cradle_60_s_small_angle.yaml")),
            (std::set<std::string>{"side_view", "energy", "world_lines", "first_ball", "space_time"}));
  EXPECT_EQ(names(answer_of("nine_ball_stop_to_rest.yaml")),
            (std::set<std::string>{"top_view", "energy", "space_time"}));
}

TEST(WorldRun, SaysHowFarItIsAndStops) {
  const Scenario scenario = load(scenarios / "cradle_60_s.yaml");
  double last = 0.0;
  int told = 0;
  Progress progress;
  progress.show = [&](double share) {
    EXPECT_GE(share, last);
    EXPECT_LE(share, 1.0);
    last = share;
    ++told;
  };
  static_cast<void>(scenario.run(progress));
  EXPECT_EQ(last, 1.0);
  EXPECT_GT(told, 50);
  // Asked to stop, it shows how far it came; a run of a sweep, which is a row or nothing, is given up.
  progress.cancelled = [&] { return last > 0.3; };
  last = 0.0;
  const Result some = scenario.run(progress);
  const json answer = json::parse(report::json_text(scenario.describe(some)));
  EXPECT_EQ(fact(answer, "verdict"), "interrupted");
  EXPECT_GT(number(answer, "time"), 10.0);
  EXPECT_LT(number(answer, "time"), 20.0);
  EXPECT_FALSE(answer["plots"].empty());
  EXPECT_FALSE(answer["tables"].contains("beside"));
}

TEST(WorldMistakes, AreSaidInTheWordsOfTheFile) {
  const std::string head = "kind: world\n", end = "materials: [{restitution: 0.5}]\nend_time: 1\n";
  const auto body = [](const std::string& more) {
    return "bodies:\n  - {name: a, shape: sphere, mass: 1, radius: 0.1, position: [0, 0, 1]}\n  - {name: b, " + more +
           "}\n";
  };
  const std::string ball = "shape: sphere, mass: 1, radius: 0.1, ";
  EXPECT_EQ(complaint(head + body(ball + "position: [1, 0, 1]") + end), "accepted");
  EXPECT_EQ(complaint(head + end),
            "f.yaml:1: needs some of `bodies`, `rack`, `cradle`, `chain`, `grid`, `random` and `table`");
  EXPECT_EQ(complaint(head + body(ball + "position: [0.15, 0, 1]") + end),
            "f.yaml:4: bodies[1].position: \"a\" and \"b\" overlap by 0.05 m");
  EXPECT_EQ(complaint(head + body("shape: box, mass: 1, size: [1, 1, 1], position: [3, 0, 1]") + end), "accepted");
  EXPECT_EQ(complaint(head + body("shape: capsule, mass: 1, radius: 0.1, position: [3, 0, 1]") + end),
            "f.yaml:4: bodies[1].length: is required by shape 'capsule'");
  EXPECT_EQ(complaint(head + body("parts: [{shape: sphere, radius: 0.1}], position: [3, 0, 1]") + end),
            "f.yaml:4: bodies[1].parts[0].mass: is required");
  EXPECT_EQ(
      complaint(head + body("mass: 1, parts: [{shape: sphere, radius: 0.1, mass: 1}], position: [3, 0, 1]") + end),
      "f.yaml:4: bodies[1].mass: is the sum of those of the `parts`");
  EXPECT_EQ(complaint(head + body("parts: [{shape: box, size: [1, 0, 1], mass: 1}], position: [3, 0, 1]") + end),
            "f.yaml:4: bodies[1].parts[0].size[1]: must be positive, got 0");
  EXPECT_EQ(
      complaint(head + body("shape: box, mass: 1, size: [1, 1, 1], principal: [1, 1, 3], position: [3, 0, 1]") + end),
      "f.yaml:4: bodies[1].principal: no solid has principal moments 1, 1, 3: the largest must not exceed the sum of "
      "the others");
  EXPECT_EQ(complaint(head + body(ball + "principal: [1, 1, 2], position: [1, 0, 1]") + end),
            "f.yaml:4: bodies[1].principal: of a ball must be the same about every axis");
  EXPECT_EQ(complaint(head + body(ball + "material: wood, position: [1, 0, 1]") + end),
            "f.yaml:5: materials: none is between \"default\" and \"wood\": \"a\" and \"b\" can meet");
  EXPECT_EQ(complaint(head + body("shape: sphere, radius: 0.1, position: [1, 0, 1]") + end),
            "f.yaml:4: bodies[1].mass: is required");
  EXPECT_EQ(complaint(head + body("immovable: true, shape: sphere, mass: 2, radius: 0.1, position: [1, 0, 1]") + end),
            "f.yaml:4: bodies[1].mass: is not used by a body that is immovable");
  EXPECT_EQ(
      complaint(head + "chain: {count: 2}\nmaterials: [{restitution: 0.5, eta0: 1, poisson: 0.3}]\nend_time: 1\n"),
      "f.yaml:3: materials[0]: needs at most one of `stiffness_ratio`, `eta0`, `poisson` or `elasticity`");
  EXPECT_EQ(complaint(head + "chain: {count: 2}\ngroups: {examine: ball 1}\n" + end),
            "f.yaml:3: groups.examine: goes with model rodriguez only");
  EXPECT_EQ(complaint(head + "chain: {count: 2}\ngroups: {model: rodriguez, examine: wall}\n" + end),
            "f.yaml:3: groups.examine: there is no body, plane or tube \"wall\"");
  EXPECT_EQ(complaint(head + "chain: {count: 2}\nsupports: [{type: cloth, plane: table}]\n" + end),
            "f.yaml:3: supports[0].plane: there is no plane \"table\"");
  EXPECT_EQ(
      complaint(head + "cradle: {count: 3}\nmaterials: [{restitution: 1, friction: 0.2}]\nend_time: 1\n"),
      "f.yaml:3: materials[0].friction: must be 0: \"ball 1\" and \"ball 2\" can meet, and the ball of a pendulum "
      "does not turn");
  EXPECT_EQ(complaint(head + "random: {count: 2000, radius: 0.1}\n" + end).substr(0, 44),
            "f.yaml:2: random.count: there is no room for");
  EXPECT_EQ(complaint(head + "grid: {count: [100, 100, 100]}\n" + end),
            "f.yaml:2: grid.count: must make at most 2000 balls");
  EXPECT_EQ(complaint(head + "grid: {count: [2, 1, 1], spacing: 0.5}\n" + end).substr(0, 46),
            "f.yaml:2: grid: bodies[1].position: \"ball 1\" a");
  EXPECT_EQ(complaint("kind: bounces\n"),
            "f.yaml:1: kind: must be one of impact, collide, rod, flight, world, normal_impact, contact_parameters, "
            "stick_slip, pendulum, tick, batting, fit, fem, rest_shape, squeeze, got \"bounces\"");
}

// Turning about the middle axis is unstable; what is kept is kept to rounding.
TEST(Flight, TheRacketTurnsOver) {
  const json answer = answer_of("tennis_racket.yaml");
  EXPECT_GE(number(answer, "flips"), 2.0);
  EXPECT_LT(number(answer, "momentum_change"), 1e-13 * number(answer, "momentum"));
  EXPECT_LT(std::abs(number(answer, "energy_change")), 1e-13 * number(answer, "spin_energy"));
  // Half a period of the elliptic functions of the sheet, section 1, axes (1, 2, 3) = (x, y, z) or (z, -y, x).
  const double I[] = {.0012890625, .009537, .0108260625}, w[] = {.12, 12.0};
  const double L2 = std::pow(I[0] * w[0], 2) + std::pow(I[1] * w[1], 2), T2 = I[0] * w[0] * w[0] + I[1] * w[1] * w[1];
  const bool about_last = L2 - T2 * I[1] > 0.0;
  const double I1 = about_last ? I[0] : I[2], I2 = I[1], I3 = about_last ? I[2] : I[0];
  const double w1 = about_last ? w[0] : 0.0, w3 = about_last ? 0.0 : w[0];
  const double A = I1 * (I3 - I1) * w1 * w1 + I2 * (I3 - I2) * w[1] * w[1];
  const double B = I2 * (I2 - I1) * w[1] * w[1] + I3 * (I3 - I1) * w3 * w3;
  const double p = std::sqrt((I3 - I2) * B / (I1 * I2 * I3)), m = (I2 - I1) * A / ((I3 - I2) * B);
  EXPECT_NEAR(number(answer, "flip_interval"), 2.0 * std::comp_ellint_1(std::sqrt(m)) / p, 1e-9);
  EXPECT_EQ(complaint("kind: flight\nend_time: 1\nprincipal: [1, 1, 3]\n").substr(0, 20), "f.yaml:3: principal:");
}

}  // namespace
}  // namespace carom::scenario
