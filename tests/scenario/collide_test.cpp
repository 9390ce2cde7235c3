// Scenes of many contacts from file to answer: the numbers of both sheets, and the mistakes a file can make.
// Expected values are those of five independent codes (event solver, modal, 30-digit, impulse space, brute stepping)
// that agree to the digits given, unless said otherwise.
#include "internal/scenario/kinds/collide/collide.hpp"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/report/writers.hpp"
#include "carom/scenario/scenario.hpp"

#include "core/test_name.hpp"

namespace carom::scenario {
namespace {

using nlohmann::json;

const std::filesystem::path scenarios = std::filesystem::path(CAROM_SOURCE_DIR) / "scenarios";

json answer_of(const Scenario& scenario) { return json::parse(report::json_text(scenario.answer())); }
json answer_of(const std::string& name) { return answer_of(load(scenarios / (name + ".yaml"))); }
json answer_to(const std::string& text) { return answer_of(parse(text, "f.yaml")); }

json fact(const json& answer, const char* key) { return answer["facts"][key]["value"]; }

/// One column of a table, by its key.
std::vector<json> column(const json& answer, const std::string& table, const std::string& key) {
  const json& t = answer["tables"][table];
  std::size_t at = 0;
  while (at < t["columns"].size() && t["columns"][at]["key"] != key) ++at;
  EXPECT_LT(at, t["columns"].size()) << table << " has no column " << key;
  std::vector<json> values;
  for (const auto& cell : t["columns"][at]["cells"]) values.push_back(cell);
  return values;
}

void expect_column(const json& answer, const std::string& key, const std::vector<double>& expected, double digits) {
  const std::vector<json> got = column(answer, "velocities", key);
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i].get<double>(), expected[i], digits) << key << " " << i;
}

void expect_vectors(const json& answer, const std::string& table, const std::string& key,
                    const std::vector<std::vector<double>>& expected, double digits) {
  const std::vector<json> got = column(answer, table, key);
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    for (std::size_t k = 0; k < expected[i].size(); ++k)
      EXPECT_NEAR(got[i][k].get<double>(), expected[i][k], digits) << key << " " << i << " " << k;
}

TEST(CollideChain, ThreeAndFiveBalls) {
  const json three = answer_of("chain_3_linear");
  expect_column(three, "linear", {-.130261695065, .150229569435, .980032125630}, 1e-11);
  expect_column(three, "hertz", {-.070952353651, .076403039071, .994549314580}, 1e-9);
  expect_column(answer_of("chain_3_hertz"), "hertz", {-.070952353651, .076403039071, .994549314580}, 1e-9);
  const json five = answer_of("chain_5_linear");
  expect_column(five, "linear", {-.132279484710, -.075329169803, -.031010829014, .296217750141, .942401733385}, 1e-11);
  expect_column(five, "lcp", {-.6, .4, .4, .4, .4}, 1e-12);   // the sheet
  expect_column(five, "sequential", {0, 0, 0, 0, 1}, 1e-12);  // one approaching pair at a time
  expect_column(answer_of("chain_5_hertz"), "hertz",
                {-.071085017086, -.030273764097, -.014463629032, .127044986068, .988777424147}, 1e-9);
  EXPECT_EQ(fact(five, "verdict"), "separated");
}

TEST(CollideChain, Inelastic) {
  expect_column(answer_of("chain_5_inelastic_linear"), "linear", {-.099289, -.046445, -.009668, .277576, .877827},
                6e-7);
  expect_column(answer_of("chain_5_inelastic_hertz"), "hertz", {-.039608, -.002415, .010421, .124788, .906814}, 6e-7);
}

// Wang 2017, Table 3.1: v0 of the sheet, its linear row times v0, and the measured row as printed.
TEST(CollideCradle, Table31) {
  const json answer = answer_of("cradle");
  EXPECT_NEAR(fact(answer, "speed_small_angle").get<double>(), .490848, 5e-7);
  EXPECT_NEAR(fact(answer, "speed_exact").get<double>(), .486963, 5e-7);
  const double v0 = 25.0 * M_PI / 180.0 * std::sqrt(9.81 * .129);  // small angle
  std::vector<double> linear = {-.099289, -.046445, -.009668, .277576, .877827};
  for (double& v : linear) v *= v0;
  expect_column(answer, "linear", linear, 5e-7);
  expect_column(answer, "beside_1", {-.0578, -.0224, .0003, .1322, .4508}, 0.0);
}

// I = (sqrt 3/2)(1 + e)/2.5; pairwise: the first pair takes cos 30 of the speed along its line (closed form).
TEST(CollideBernoulli, SymmetricAndNot) {
  const json equal = answer_of("bernoulli");
  const double s = std::sqrt(3.0) / 5.0;
  for (const char* method : {"linear", "hertz", "lcp"})
    expect_vectors(equal, "velocities", method, {{-.2, 0}, {.6, s}, {.6, -s}}, 1e-9);
  expect_vectors(equal, "velocities", "sequential",
                 {{-.125, -std::sqrt(3.0) / 8}, {.75, std::sqrt(3.0) / 4}, {.375, -std::sqrt(3.0) / 8}}, 1e-12);
  EXPECT_NEAR(fact(equal, "order_spread").get<double>(), std::sqrt(3.0) / 4, 1e-12);
  expect_vectors(answer_of("bernoulli_unequal"), "velocities", "linear",
                 {{-.153347500, .172894547}, {.426942681, .246495472}, {.726404820, -.419390018}}, 6e-10);
}

TEST(CollideBlock, RocksOver) {
  const auto edges = [](const std::string& text) {
    const std::vector<json> u = column(answer_to(text), "contacts", "velocity_normal_after");
    return std::pair{u[0].get<double>(), u[1].get<double>()};
  };
  const auto expect = [&](const char* springs, double e, double pivot, double strike) {
    const auto [a, b] = edges(std::string("kind: collide\nrocking_block: {}\nsprings: ") + springs +
                              "\nmaterial: {friction: 0, restitution: " + std::to_string(e) + "}\n");
    EXPECT_NEAR(a, pivot, 6e-10);
    EXPECT_NEAR(b, strike, 6e-10);
  };
  expect("linear", 1, 1.343081139, 1.028731113);
  expect("hertz", 1, 1.511541017, .827643713);
  expect("linear", .5, .562091741, .400636096);
  expect("hertz", .5, .601017174, .295499431);
  const json shipped = answer_of("rocking_block_inelastic");
  EXPECT_NEAR(column(shipped, "contacts", "velocity_normal_after")[0].get<double>(), .562091741, 6e-10);
  EXPECT_NEAR(column(answer_of("rocking_block"), "contacts", "velocity_normal_after")[1].get<double>(), 1.028731113,
              6e-10);
}

TEST(CollideGroove, SixtyAndFortyFive) {
  const json sixty = answer_of("groove");
  expect_vectors(sixty, "velocities", "linear", {{.186798660, 1.027183655}}, 6e-10);
  expect_vectors(sixty, "velocities", "hertz", {{.288525298, 1.003370895}}, 6e-10);
  const json right = answer_of("groove_right_angle");  // orthogonal normals: closed form, every method
  for (const char* method : {"linear", "hertz", "sequential", "lcp"})
    expect_vectors(right, "velocities", method, {{-.3, 1}}, 1e-9);
}

// Table 3.3 with the run-up of the sheet; from mu = .1457724 on the contact sticks.
TEST(CollideFollowShot, Table33) {
  const json smooth = answer_of("follow_shot_mu_0");
  expect_column(smooth, "linear", {.020976, 1.027826}, 6e-7);
  for (const char* name : {"follow_shot_mu_0_5", "follow_shot_mu_1"}) {
    const json answer = answer_of(name);
    for (const char* method : {"linear", "hertz", "sequential", "lcp"})
      expect_vectors(answer, "velocities", method, {{.020976, .149829}, {1.027826, -.149829}}, 6e-7);
    // The viewer looks along +y, so spins about y change sign.
    EXPECT_NEAR(column(answer, "spins", "linear")[0].get<double>(), -22.474286, 6e-7);
    EXPECT_NEAR(column(answer, "spins", "linear")[1].get<double>(), 12.485714, 6e-7);
  }
}

TEST(CollideBreak, NineBall) {
  const json stop = answer_of("nine_ball_stop");
  EXPECT_EQ(stop["tables"]["contacts"]["columns"][0]["cells"].size(), 17u);
  EXPECT_NEAR(fact(stop, "energy_ratio").get<double>(), .84448786, 1e-8);
  expect_vectors(stop, "velocities", "hertz",
                 {{-.155125, 0},
                  {-.094695, 0},
                  {-.047148, -.112896},
                  {-.047148, .112896},
                  {.301023, -.432216},
                  {.021708, 0},
                  {.301023, .432216},
                  {.161103, -.079770},
                  {.161103, .079770},
                  {.398157, 0}},
                 6e-7);
  EXPECT_NEAR(column(stop, "methods", "share_left")[1].get<double>(), .86552304, 1e-8);
  // The sheet's .49 m/s is a sample of orders, as this is.
  EXPECT_GT(fact(stop, "order_spread").get<double>(), .4);
  EXPECT_LT(fact(stop, "order_spread").get<double>(), .6);
  const json follow = answer_of("nine_ball_follow"), draw = answer_of("nine_ball_draw");
  for (const json& spun : {follow, draw}) {
    EXPECT_NEAR(fact(spun, "energy_ratio").get<double>(), .83486603, 1e-8);
    EXPECT_NEAR(column(spun, "methods", "share_left")[1].get<double>(), .85228750, 1e-8);
  }
  const auto a = column(follow, "velocities", "hertz"), b = column(draw, "velocities", "hertz");
  for (std::size_t i = 0; i < a.size(); ++i)  // mirror images in the table's plane
    for (const int k : {0, 1}) EXPECT_NEAR(a[i][k].get<double>(), b[i][k].get<double>(), 1e-8);
}

TEST(CollideBreak, FifteenBallsAreSymmetric) {
  const json answer = answer_of("rack_15");
  EXPECT_EQ(answer["tables"]["contacts"]["columns"][0]["cells"].size(), 31u);
  EXPECT_LT(fact(answer, "momentum_error").get<double>(), 1e-15);
  const auto v = column(answer, "velocities", "hertz");
  ASSERT_EQ(v.size(), 16u);
  std::size_t first = 1;
  for (std::size_t row = 1; row <= 5; first += row++)
    for (std::size_t i = 0; i < row; ++i) {
      const json &a = v[first + i], &b = v[first + row - 1 - i];
      EXPECT_NEAR(a[0].get<double>(), b[0].get<double>(), 1e-9);
      EXPECT_NEAR(a[1].get<double>(), -b[1].get<double>(), 1e-9);
    }
}

struct CornerCase {
  const char* name;
  double angle;
  std::vector<double> lcp;                  // spins, in the order listed
  double wall, floor, linear, soft, stiff;  // spins; soft, stiff: k_wall/k_floor = .2, 5
  const char *wall_law, *floor_law;         // of the thesis's answers
};

class CollideCorner : public ::testing::TestWithParam<CornerCase> {};

// The table of the multipoint sheet. Its digits: the thesis method to 1e-6 where given, the others as printed.
TEST_P(CollideCorner, AllMethods) {
  const CornerCase& c = GetParam();
  const json answer = answer_of(c.name);
  const auto spin = [&](const char* key) { return column(answer, "spins", key)[0].get<double>(); };
  EXPECT_NEAR(fact(answer, "arrival_angle").get<double>(), c.angle, .05);
  if (c.lcp.size() == 1) {
    EXPECT_NEAR(spin("lcp"), c.lcp[0], 5e-3);
  } else {
    for (std::size_t i = 0; i < c.lcp.size(); ++i)
      EXPECT_NEAR(spin(("lcp_" + std::to_string(i + 1)).c_str()), c.lcp[i], 5e-3);
  }
  const auto methods = column(answer, "methods", "method"), laws = column(answer, "methods", "friction_law"),
             flags = column(answer, "methods", "flags");
  std::size_t solutions = 0;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    if (methods[i] == "rodriguez, wall") {
      EXPECT_EQ(laws[i], c.wall_law);
    }
    if (methods[i] == "rodriguez, floor") {
      EXPECT_EQ(laws[i], c.floor_law);
    }
    if (!methods[i].get<std::string>().starts_with("lcp")) continue;
    ++solutions;
    EXPECT_EQ(laws[i], "met");
    EXPECT_EQ(flags[i], "friction_gain");
  }
  EXPECT_EQ(solutions, c.lcp.size());
  EXPECT_NEAR(spin("rodriguez_wall"), c.wall, 5e-3);
  EXPECT_NEAR(spin("rodriguez_floor"), c.floor, 5e-3);
  EXPECT_NEAR(spin("linear"), c.linear, 5e-3);
  // The sweep passes close to .2 and 5; between its points the spin is smooth.
  const auto ratios = column(answer, "outcomes", "stiffness_ratio"), spins = column(answer, "outcomes", "spin");
  const auto at = [&](double ratio) {
    for (std::size_t i = 3; i < ratios.size(); ++i) {
      const double a = std::log(ratios[i - 1].get<double>()), b = std::log(ratios[i].get<double>());
      if (std::log(ratio) > b) continue;
      const double share = (std::log(ratio) - a) / (b - a);
      return spins[i - 1].get<double>() + share * (spins[i].get<double>() - spins[i - 1].get<double>());
    }
    return std::nan("");
  };
  EXPECT_NEAR(at(.2), c.soft, 2e-2);
  EXPECT_NEAR(at(5.0), c.stiff, 2e-2);
  EXPECT_NEAR(at(1.0), spin("linear"), 1e-6);
  EXPECT_LT(fact(answer, "spin_spread")[0].get<double>(), 0.0);  // not even the sign is sure
  EXPECT_GT(fact(answer, "spin_spread")[1].get<double>(), 0.0);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, CollideCorner,
    ::testing::Values(
        CornerCase{"corner_case_1", 66.9, {4.00}, -7.811172, 4.0, 1.90, -6.10, 3.57, "broken at floor", "met"},
        CornerCase{"corner_case_2", 29.0, {-4.43, -4.28}, -4.43, 8.00, -1.89, -4.14, 6.24, "met", "broken at floor"},
        CornerCase{"corner_case_3", 47.9, {-4.43, .515, 4.00}, -4.43, 4.00, .272, -3.83, 3.70, "met", "met"}),
    [](const auto& each) { return test_name(each.index, std::string("_") + each.param.name); });

TEST(CollideCornerSymmetric, MirrorImagesAndNoSpin) {
  const json answer = answer_of("corner_symmetric");
  const auto spin = [&](const char* key) { return column(answer, "spins", key)[0].get<double>(); };
  EXPECT_NEAR(spin("linear"), 0.0, 1e-9);
  EXPECT_NEAR(spin("hertz"), 0.0, 1e-9);
  EXPECT_NEAR(spin("lcp"), 0.0, 1e-9);
  EXPECT_NEAR(spin("rodriguez_wall"), -spin("rodriguez_floor"), 1e-12);
}

// Mirror symmetry, momentum across, and the ledger; there is no number from elsewhere.
TEST(CollideBox, LandsFlat) {
  const json answer = answer_of("box_on_four_corners");
  EXPECT_EQ(fact(answer, "verdict"), "separated");
  const auto impulse = column(answer, "contacts", "impulse_normal");
  EXPECT_NEAR(impulse[0].get<double>(), impulse[1].get<double>(), 1e-10);
  EXPECT_NEAR(impulse[2].get<double>(), impulse[3].get<double>(), 1e-10);
  EXPECT_GT(impulse[2].get<double>(), impulse[0].get<double>());  // friction tips it forward
  const json v = column(answer, "velocities", "linear")[0];
  double sum = 0.0;
  for (const json& p : impulse) sum += p.get<double>();
  EXPECT_NEAR(v[2].get<double>(), -1.0 + sum, 1e-12);      // mass 1
  EXPECT_NEAR(v[0].get<double>(), 0.5 - 0.2 * sum, 1e-9);  // slides throughout
  const double before = fact(answer, "energy_before"), after = fact(answer, "energy_after"),
               restitution = fact(answer, "restitution_loss"), friction = fact(answer, "friction_loss");
  EXPECT_NEAR(before - after, restitution + friction, 1e-9);
}

// The pictures' curves between samples: they join, and the impulse under a force curve is the impulse of the contact.
TEST(CollideTrace, AreaUnderTheForceIsTheImpulse) {
  for (const double e : {1.0, .6})
    for (const double exponent : {1.0, 1.5}) {
      SimultaneousProblem problem;
      for (int i = 0; i < 4; ++i) {
        Body ball;
        ball.inertia = 0.1 * Eigen::Matrix3d::Identity();
        ball.position.x() = i;
        problem.bodies.push_back(ball);
        if (i == 0) continue;
        SpringContact contact;
        contact.first = std::size_t(i) - 1;
        contact.second = std::size_t(i);
        contact.point.x() = i - 0.5;
        contact.normal = -Eigen::Vector3d::UnitX();
        contact.exponent = exponent;
        contact.material = {0.0, e};
        problem.contacts.push_back(contact);
      }
      problem.bodies[0].velocity.x() = 1.0;
      const auto [impact, trace] = simultaneous_path(problem, 2000);
      for (std::size_t c = 0; c < 3; ++c) {
        double area = 0.0;
        for (std::size_t i = 1; i < trace.size(); ++i)
          area += 0.5 * (trace[i].contacts[c].force + trace[i - 1].contacts[c].force) *
                  (trace[i].time - trace[i - 1].time) * impact.time_unit;
        EXPECT_NEAR(area, impact.contacts[c].impulse.norm(), 2e-5) << e << " " << exponent << " " << c;
      }
    }
}

TEST(CollideVerdicts, NoImpactAndFlags) {
  const json apart =
      answer_to("kind: collide\nchain: {count: 3, speed: -1}\nmaterial: {friction: 0, restitution: 1}\n");
  EXPECT_EQ(fact(apart, "verdict"), "no_impact");
  const json plastic = answer_to("kind: collide\nchain: {count: 3}\nmaterial: {friction: 0, restitution: 0}\n");
  EXPECT_EQ(fact(plastic, "flags"), "e_clamped");
  // The corner of the multipoint sheet for which the rigid problem has no solution; springs answer all the same.
  const json none = answer_to(
      "kind: collide\ncorner: {velocity: [4, -5]}\nmaterial: {friction: 1.3, restitution: 0.5}\neta0: 1\ncompare: "
      "[lcp]\n");
  EXPECT_EQ(fact(none, "verdict"), "separated");
  EXPECT_EQ(column(none, "methods", "detail")[1], "no solution");
  EXPECT_EQ(none["notes"][0], "lcp: no solution.");
  // Three planes and much friction hold the ball with the springs compressed.
  const json wedge = answer_to(R"(kind: collide
bodies:
  - {name: ball, mass: 1, shape: sphere, radius: 0.5, position: [0, 0, 0], velocity: [-1, -1, -1]}
  - immovable
contacts:
  - {bodies: [ball, immovable], point: [-0.5, 0, 0], normal: [1, 0, 0]}
  - {bodies: [ball, immovable], point: [0, -0.5, 0], normal: [0, 1, 0]}
  - {bodies: [ball, immovable], point: [0, 0, -0.5], normal: [0, 0, 1]}
material: {friction: 5, restitution: 0.8}
)");
  EXPECT_EQ(fact(wedge, "verdict"), "event_limit");
  EXPECT_EQ(fact(wedge, "flags"), "event_limit");
  EXPECT_GT(fact(wedge, "residual").get<double>(), 0.1);
  EXPECT_EQ(wedge["tables"]["contacts"]["columns"][1]["cells"][2], "ball-immovable 3");
}

const std::string two_balls = R"(kind: collide
bodies:
  - {name: left, mass: 1, shape: sphere, radius: 0.5, position: [0, 0, 0], velocity: [1, 0, 0]}
  - {name: right, mass: 1, shape: sphere, radius: 0.5, position: [1, 0, 0]}
  - immovable
contacts:
  - {bodies: [left, right]}
  - {bodies: [right, immovable], point: [1.5, 0, 0], normal: [-1, 0, 0]}
material: {friction: 0, restitution: 1}
)";

std::string complaint(std::string from, const std::string& to) {
  std::string text = two_balls;
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  try {
    parse(text, "f.yaml");
  } catch (const BadScenario& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CollideMistakes, NameTheContactAndTheBodies) {
  EXPECT_EQ(complaint("", ""), "accepted");
  EXPECT_EQ(complaint("[left, right]", "[left, rigth]"),
            "f.yaml:7: contacts[0].bodies: there is no body \"rigth\", did you mean 'right'?");
  EXPECT_EQ(complaint("[left, right]", "[0, 1]"), "accepted");
  EXPECT_EQ(complaint("[left, right]", "[left, left]"), "f.yaml:7: contacts[0]: 'left' cannot touch itself");
  EXPECT_EQ(complaint("position: [1, 0, 0]", "position: [1.01, 0, 0]"),
            "f.yaml:7: contacts[0]: 'left' and 'right' do not touch: the gap is 0.01 m");
  EXPECT_EQ(complaint("position: [1, 0, 0]", "position: [0.9, 0, 0]"),
            "f.yaml:7: contacts[0]: 'left' and 'right' do not touch: they overlap by 0.1 m");
  EXPECT_EQ(complaint(", point: [1.5, 0, 0], normal: [-1, 0, 0]", ""),
            "f.yaml:8: contacts[1].point: is required: 'right' and 'immovable' are not two balls");
  EXPECT_EQ(complaint(", normal: [-1, 0, 0]", ""),
            "f.yaml:8: contacts[1]: needs both `point` and `normal`, or neither if two balls touch ('right' and "
            "'immovable')");
  EXPECT_EQ(complaint("normal: [-1, 0, 0]", "normal: [-2, 0, 0]"),
            "f.yaml:8: contacts[1].normal: must have unit length, its length is 2");
  EXPECT_EQ(complaint("  - {bodies: [left, right]}", "  - {bodies: [left, right]}\n  - {bodies: [right, left]}"),
            "f.yaml:8: contacts[1]: the same contact as contacts[0]: bodies 0 and 1 at the same point ('right' and "
            "'left')");
  EXPECT_EQ(complaint("  - immovable\n", "  - immovable\nchain: {count: 2}\n"),
            "f.yaml:1: needs exactly one of `bodies` (with `contacts`), `chain`, `cradle`, `rack`, `bernoulli`, "
            "`rocking_block`, `groove`, `corner`; got bodies and chain");
  EXPECT_EQ(complaint("material:", "order: [0, 0]\nmaterial:"),
            "f.yaml:9: order: must name each of the 2 contacts once, counted from 0");
  EXPECT_EQ(complaint("normal: [-1, 0, 0]}\n",
                      "normal: [-1, 0, 0], material: {friction: 0.5, restitution: 1}}\nstatic_friction: 0.4\n"),
            "f.yaml:9: static_friction: must be >= contacts[1].material.friction (0.5)");
  EXPECT_EQ(complaint("material:", "outcomes: {from: 1, to: 2}\nmaterial:"),
            "f.yaml:9: outcomes: is for one moving body with several contacts in a plane: corner, groove or "
            "rocking_block");
  EXPECT_EQ(complaint("material:", "beside: [{name: x, velocities: [1]}]\nmaterial:"),
            "f.yaml:9: beside: 'x' must have one velocity for each of the 3 bodies, got 1");
}

// A frictionless floor and a wall of friction .1, by hand: wall impulse 1.5 N s, friction .15 N s downwards as the ball
// goes up along it at 2 - .375 m/s in the end, torque .075 N m s on I = .1 kg m^2.
TEST(CollideListed, ContactsKeepTheirOwnFrictionAndRestitutionInEveryMethod) {
  const std::string text =
      "kind: collide\nbodies:\n"
      "  - {name: ball, shape: sphere, mass: 1, radius: 0.5, position: [0, 0.5, 0], velocity: [1, -4, 0]}\n"
      "  - immovable\ncontacts:\n"
      "  - {name: floor, bodies: [ball, immovable], point: [0, 0, 0], normal: [0, 1, 0]}\n"
      "  - {name: wall, bodies: [ball, immovable], point: [0.5, 0.5, 0], normal: [-1, 0, 0], material: {friction: 0.1, "
      "restitution: 0.5}}\n"
      "material: {friction: 0, restitution: {slope: 0.125}}\ncompare: [lcp]\n";
  const json answer = answer_to(text);
  EXPECT_EQ(column(answer, "contacts", "restitution"), (std::vector<json>{0.5, 0.5}));  // 1 - .125 x 4, and its own
  expect_vectors(answer, "velocities", "lcp", {{-0.5, 2.0, 0.0}}, 1e-12);
  expect_vectors(answer, "spins", "lcp", {{0.0, 0.0, -0.75}}, 1e-12);
}

// Unlike force laws: said, because then speed and absolute stiffness matter.
TEST(CollideVerdicts, MixedExponents) {
  std::string text = two_balls;
  text.replace(text.find("{bodies: [left, right]}"), 23, "{bodies: [left, right], springs: hertz}");
  const json answer = answer_to(text);
  EXPECT_EQ(fact(answer, "flags"), "recompression, mixed_exponents");
  EXPECT_EQ(answer["notes"][0].get<std::string>().substr(0, 16), "mixed_exponents:");
}

TEST(CollideMistakes, OfGeneratedScenes) {
  const auto complaint_about = [](const std::string& scene) {
    try {
      parse("kind: collide\nmaterial: {friction: 0, restitution: 1}\n" + scene, "f.yaml");
    } catch (const BadScenario& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(complaint_about("rack: triangle_15\n"), "accepted");
  EXPECT_EQ(complaint_about("rack: triangle\n"),
            "f.yaml:3: rack: must be one of nine_ball, triangle_15, got \"triangle\"");
  EXPECT_EQ(complaint_about("rack: {layout: nine_ball, run_up: 0.3}\n"),
            "f.yaml:3: rack.run_up: the way on the cloth is followed by `kind: world`, whose `rack` has it");
  EXPECT_EQ(complaint_about("cradle: {raised: 5}\n"),
            "f.yaml:3: cradle.raised: must be less than the number of balls (5)");
  EXPECT_EQ(complaint_about("corner: {spin: 1}\n"),
            "f.yaml:3: corner: needs exactly one of `velocity`, `throw` or `arrival`");
  EXPECT_EQ(complaint_about("groove: {angle: 95 deg}\n"), "f.yaml:3: groove.angle: must lie between 0 and 90 deg");
  EXPECT_EQ(complaint_about("contacts: [{bodies: [0, 1]}]\nchain: {count: 2}\n"),
            "f.yaml:3: contacts: goes with `bodies` only");
  EXPECT_EQ(complaint_about(""),
            "f.yaml:1: needs exactly one of `bodies` (with `contacts`), `chain`, `cradle`, `rack`, `bernoulli`, "
            "`rocking_block`, `groove`, `corner`");
}

}  // namespace
}  // namespace carom::scenario
