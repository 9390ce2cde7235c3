// What the shipped scenarios show and say: pictures are complete and words agree with results.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>

#include "carom/report/document.hpp"
#include "carom/report/writers.hpp"
#include "carom/scenario/scenario.hpp"

namespace carom::scenario {
namespace {

using report::Document;
using report::MarkerShape;
using report::Plot;
using report::Point;

const std::filesystem::path scenarios = std::filesystem::path(CAROM_SOURCE_DIR) / "scenarios";

/// The scenario's answer without its sweep.
Document answer_of(const std::string& name) {
  const std::vector<Setting> settings = {{"sweep", "null"}};
  return load(scenarios / (name + ".yaml"), settings).answer();
}
Document answer_to(const std::string& text) { return parse(text, "f.yaml").answer(); }

const Plot& plot_of(const Document& document, const std::string& name) {
  const auto found =
      std::find_if(document.plots.begin(), document.plots.end(), [&](const Plot& p) { return p.name == name; });
  if (found == document.plots.end()) throw std::runtime_error("no plot " + name);
  return *found;
}

bool has_plot(const Document& document, const std::string& name) {
  return std::any_of(document.plots.begin(), document.plots.end(), [&](const Plot& p) { return p.name == name; });
}

const report::Table* table_of(const Document& document, const std::string& name) {
  const auto found =
      std::find_if(document.tables.begin(), document.tables.end(), [&](const auto& t) { return t.name == name; });
  return found == document.tables.end() ? nullptr : &*found;
}

std::string text_fact(const Document& document, const std::string& key) {
  for (const report::Fact& fact : document.facts)
    if (fact.key == key) return std::get<std::string>(fact.value);
  return "";
}

const report::Curve& curve_of(const Plot& plot, const std::string& legend) {
  const auto found =
      std::find_if(plot.curves.begin(), plot.curves.end(), [&](const auto& c) { return c.legend == legend; });
  if (found == plot.curves.end()) throw std::runtime_error("no curve " + legend);
  return *found;
}

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

TEST(Pictures, SlowBodiesAreDrawnAtRest) {
  const Document document = answer_of("nine_ball_follow");
  const Plot& plot = plot_of(document, "velocities");
  double longest = 0.0, shortest = INFINITY;
  for (const auto& curve : plot.curves)
    if (curve.arrow && curve.points.size() == 2) {
      longest = std::max(longest, distance(curve.points[0], curve.points[1]));
      shortest = std::min(shortest, distance(curve.points[0], curve.points[1]));
    }
  EXPECT_GE(shortest, 0.03 * longest);
  const auto rests = std::count_if(plot.markers.begin(), plot.markers.end(),
                                   [](const auto& m) { return m.shape == MarkerShape::ring; });
  EXPECT_EQ(rests, 1);  // ball 5
  // The tail of an arrow does not hide a short one.
  for (const auto& marker : plot.markers) EXPECT_TRUE(marker.shape == MarkerShape::dot || marker.label == "5");
}

TEST(Pictures, WallsMeetAndContactsOfOneFloorShareIt) {
  std::vector<report::Curve> grounds;
  const auto collect = [&](const Document& document) {
    grounds.clear();
    for (const auto& curve : plot_of(document, "velocities").curves)
      if (!curve.arrow && !curve.closed) grounds.push_back(curve);
  };
  collect(answer_of("corner_symmetric"));
  ASSERT_EQ(grounds.size(), 2u);
  double nearest = INFINITY;
  for (const Point a : grounds[0].points)
    for (const Point b : grounds[1].points) nearest = std::min(nearest, distance(a, b));
  EXPECT_LT(nearest, 1e-12);
  collect(answer_of("box_on_four_corners"));
  EXPECT_EQ(grounds.size(), 1u);
}

TEST(Pictures, SpinIsAnArcThatTurnsAsTheBodyDoes) {
  const Document document = answer_of("follow_shot_mu_1");
  const Plot& plot = plot_of(document, "velocities");
  const auto turn = [](const report::Curve& arc) {  // twice the area swept about the middle of its circle
    const Point a = arc.points[0], b = arc.points[1], c = arc.points[2];
    return (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
  };
  EXPECT_LT(turn(curve_of(plot, "spin before")), 0.0);          // -34.96 rad/s
  EXPECT_LT(turn(curve_of(plot, "spin after (linear)")), 0.0);  // ball 1: -22.47
  int counter_clockwise = 0;
  for (const auto& curve : plot.curves)
    if (curve.arrow && curve.points.size() > 2) counter_clockwise += turn(curve) > 0.0;
  EXPECT_EQ(counter_clockwise, 1);  // ball 2: +12.49
  EXPECT_NE(table_of(document, "spins")->title.find("towards the viewer, -y"), std::string::npos);
}

TEST(Pictures, CategoriesAreNamedAndNotJoined) {
  const Document document = answer_of("chain_5_linear");
  const Plot& methods = plot_of(document, "methods");
  EXPECT_TRUE(methods.curves.empty());
  ASSERT_EQ(methods.y.categories.size(), 5u);
  EXPECT_EQ(methods.y.categories.back(), "ball 1");  // on top
  const Plot& chain = plot_of(document, "force_chain");
  EXPECT_EQ(chain.y.categories, (std::vector<std::string>{"4-5", "3-4", "2-3", "1-2"}));
  // The first contact, on top, is pressed first.
  const auto& map = *chain.heat_map;
  const std::size_t columns = map.x_edges.size() - 1, early = columns / 10;
  EXPECT_GT(map.values[3 * columns + early], map.values[early]);
  EXPECT_EQ(plot_of(answer_of("nine_ball_follow"), "energy_losses").y.categories.size(), 17u);
  EXPECT_FALSE(has_plot(answer_of("follow_shot_mu_1"), "energy_losses"));  // one bar says nothing
  const Plot& flips = plot_of(answer_of("jell_o"), "flip_heights");
  EXPECT_TRUE(flips.curves.empty());
  EXPECT_EQ(flips.y.categories.size(), 3u);
  EXPECT_EQ(flips.markers.size(), 12u);
}

TEST(Pictures, StruckBodiesAreNamedAndManyAreNotTold) {
  const Document nine = answer_of("nine_ball_follow_to_rest");
  const Plot& few = plot_of(nine, "space_time");
  ASSERT_EQ(few.y.categories.size(), 10u);
  EXPECT_EQ(few.y.categories.front(), "cue");
  // Two hundred: where they were struck. What is on the floor was struck there.
  const std::vector<Setting> briefly = {{"end_time", "0.3"}};
  const Document box = load(scenarios / "balls_into_a_box.yaml", briefly).answer();
  const Plot& many = plot_of(box, "space_time");
  EXPECT_TRUE(many.y.categories.empty());
  EXPECT_EQ(many.y.label, "$z$ [m]");
  ASSERT_GT(many.markers.size(), 50u);
  int on_floor = 0;
  for (const report::Marker& marker : many.markers) {
    EXPECT_GE(marker.at.y, -1e-9);
    EXPECT_LE(marker.at.y, 1.2);
    on_floor += marker.at.y < 1e-9;
  }
  EXPECT_GT(on_floor, 10);
}

TEST(Pictures, TheImpulseBoxHoldsThePlaneAndHasUnits) {
  for (const char* name : {"icosahedron_tetrahedron", "icosahedron_tetrahedron_bodies"}) {
    const Document document = answer_of(name);
    const Plot& plot = plot_of(document, "impulse_curve");
    double low = INFINITY, high = -INFINITY, left = INFINITY, right = -INFINITY;
    for (const auto& curve : plot.curves) {
      if (!curve.legend.empty()) break;  // the box comes first
      for (const Point& p : curve.points) {
        low = std::min(low, p.y), high = std::max(high, p.y);
        left = std::min(left, p.x), right = std::max(right, p.x);
      }
    }
    const double slack = 1e-9 * (high - low);
    for (const Point& p : curve_of(plot, "plane of maximum compression").points) {
      EXPECT_GE(p.y, low - slack);
      EXPECT_LE(p.y, high + slack);
      EXPECT_GE(p.x, left - slack);
      EXPECT_LE(p.x, right + slack);
    }
    std::set<std::string> words;
    for (const auto& marker : plot.markers)
      if (marker.shape == MarkerShape::none) words.insert(marker.label);
    for (const char* axis : {"$I_{t1}$ [N s]", "$I_{t2}$ [N s]", "$I_n$ [N s]", "0"})
      EXPECT_EQ(words.count(axis), 1u) << axis;
    EXPECT_GE(words.size(), 9u);             // three names and the numbers along their edges
    for (const auto& marker : plot.markers)  // no axis can be taken for a marker
      EXPECT_TRUE(marker.shape == MarkerShape::none || !marker.legend.empty() || !marker.label.empty());
  }
}

TEST(Pictures, APlanarImpactShowsItsBodies) {
  const Plot rod = plot_of(answer_of("falling_rod_case_2"), "bodies");
  const auto edge = std::find_if(rod.curves.begin(), rod.curves.end(), [](const auto& c) { return c.closed; });
  ASSERT_NE(edge, rod.curves.end());
  double reach = 0.0;
  for (const Point& p : edge->points) {
    EXPECT_NEAR(p.x, p.y, 1e-12);  // at 45 degrees
    reach = std::max(reach, std::hypot(p.x, p.y));
  }
  EXPECT_NEAR(reach, 1.0, 1e-12);
  const Plot two = plot_of(answer_of("disc_and_plank"), "bodies");
  EXPECT_EQ(std::count_if(two.curves.begin(), two.curves.end(), [](const auto& c) { return c.closed; }), 2);
  const Document space = answer_of("double_pendulum");
  EXPECT_FALSE(has_plot(space, "bodies"));
}

TEST(Pictures, AViewWithoutMotionAcrossItIsLeftOut) {
  const Document plane = answer_of("superball"), space = answer_of("ball_on_ground");
  EXPECT_TRUE(has_plot(plane, "motion_side"));
  EXPECT_FALSE(has_plot(plane, "motion_front"));
  EXPECT_TRUE(has_plot(space, "motion_front"));
}

TEST(Pictures, EveryLookIsNamed) {
  for (const char* name : {"falling_rod_case_2", "disc_and_plank", "superball", "icosahedron_tetrahedron",
                           "ball_on_ground", "nine_ball_follow", "corner_symmetric", "rod_undamped"}) {
    const Document document = answer_of(name);
    for (const Plot& plot : document.plots) {
      std::set<std::pair<MarkerShape, report::Color>> named_markers;
      std::set<std::pair<report::Dash, report::Color>> named_curves;
      for (const auto& m : plot.markers)
        if (!m.legend.empty()) named_markers.insert({m.shape, m.color});
      for (const auto& c : plot.curves)
        if (!c.legend.empty()) named_curves.insert({c.stroke.dash, c.stroke.color});
      for (const auto& m : plot.markers)
        EXPECT_TRUE(!m.label.empty() || named_markers.count({m.shape, m.color}) == 1u) << name << ", " << plot.name;
      if (plot.bare || named_curves.empty()) continue;
      for (const auto& c : plot.curves)
        EXPECT_TRUE(c.stroke.width == 0.0 || named_curves.count({c.stroke.dash, c.stroke.color}) == 1u)
            << name << ", " << plot.name;
    }
  }
}

TEST(Pictures, WhereBallsOnATableWereStruckIsNotTheirHeight) {
  const std::vector<Setting> briefly = {{"end_time", "1.5"}};
  const Document table = load(scenarios / "snooker_break.yaml", briefly).answer();
  EXPECT_EQ(plot_of(table, "space_time").y.label, "$y$ [m]");
}

TEST(Pictures, CurvesThatStartSteeplyHaveNoCorners) {
  for (const char* name : {"superball", "pencil", "oblique_sphere"}) {
    const Document document = answer_of(name);
    const report::Curve& curve = curve_of(plot_of(document, "spring_length"), "along $t_1$");
    double wide = 0.0, low = 0.0, high = 0.0;
    for (const Point& p : curve.points)
      wide = std::max(wide, p.x), low = std::min(low, p.y), high = std::max(high, p.y);
    // A step is at most a twentieth of the picture, in a frame of one by one.
    for (std::size_t i = 1; i < curve.points.size(); ++i) {
      const double dx = (curve.points[i].x - curve.points[i - 1].x) / wide;
      const double dy = (curve.points[i].y - curve.points[i - 1].y) / (high - low);
      EXPECT_LT(std::hypot(dx, dy), 0.05) << name << " " << i;
    }
  }
}

TEST(Pictures, CurvesAreSampledWhereTheyBend) {
  const Document document = answer_of("rod_structural");
  const Plot& plot = plot_of(document, "dissipation");
  ASSERT_TRUE(plot.x.logarithmic && plot.y.logarithmic);
  for (const report::Curve& curve : plot.curves) {
    std::vector<Point> drawn;  // in a frame of 1.4 by 1
    double left = 1e9, right = -1e9, low = 1e9, high = -1e9;
    for (const Point& p : curve.points) {
      drawn.push_back({std::log(p.x), std::log(p.y)});
      left = std::min(left, drawn.back().x), right = std::max(right, drawn.back().x);
      low = std::min(low, drawn.back().y), high = std::max(high, drawn.back().y);
    }
    for (Point& p : drawn) p = {1.4 * (p.x - left) / (right - left), (p.y - low) / (high - low)};
    for (std::size_t i = 2; i < drawn.size(); ++i) {
      // Where both pieces are long enough to be seen no corner is sharper than 5 degrees.
      const Point a{drawn[i - 1].x - drawn[i - 2].x, drawn[i - 1].y - drawn[i - 2].y},
          b{drawn[i].x - drawn[i - 1].x, drawn[i].y - drawn[i - 1].y};
      if (std::min(std::hypot(a.x, a.y), std::hypot(b.x, b.y)) < 0.004) continue;
      EXPECT_LT(std::abs(std::atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y)), 5.0 * M_PI / 180.0) << i;
    }
    // It falls all the way up; sums of a few terms come in waves.
    if (curve.stroke.dash != report::Dash::solid) continue;
    for (std::size_t i = 1; i < curve.points.size(); ++i) EXPECT_LT(curve.points[i].y, curve.points[i - 1].y);
  }
}

TEST(Pictures, ASweepMayDrawContours) {
  const Document document = answer_to(
      "kind: impact\nmodel: planar\ncontact_space: {inverse_inertia: [[2.5, -1.5], [-1.5, 2.5]], velocity: [0.6, -1]}\n"
      "material: {friction: 0.7, restitution: 1}\n"
      "sweep:\n  over:\n    - {path: material.friction, from: 0, to: 1, steps: 5}\n"
      "    - {path: material.restitution, from: 0, to: 1, steps: 5}\n"
      "  show:\n    - {facts: \"velocity_after[0]\", contours: [0]}\n");
  ASSERT_TRUE(document.plots.back().heat_map.has_value());
  EXPECT_EQ(document.plots.back().heat_map->contours, (std::vector<double>{0.0}));
}

// Words against results.

TEST(Words, WhySlidingWithoutApproachIsNoImpact) {
  const auto rod = [](double friction, double speed, const char* more = "") {
    return answer_to(
               "kind: impact\nmodel: planar\ncontact_space: {inverse_inertia: [[2.5, -1.5], [-1.5, 2.5]], velocity: [" +
               std::to_string(speed) + ", 0]}\nmaterial: {friction: " + std::to_string(friction) +
               ", restitution: 0.7}\n" + more)
        .summary;
  };
  EXPECT_NE(rod(1.6, -0.2).find("friction below 1.66667 does not press"), std::string::npos) << rod(1.6, -0.2);
  EXPECT_EQ(rod(1.7, -0.2).find("no impact"), std::string::npos);
  EXPECT_NE(rod(100, 0.2).find("this way no friction presses"), std::string::npos);
  EXPECT_NE(rod(1.7, -0.2, "free_acceleration: 1\n").find("free_acceleration"), std::string::npos);
  EXPECT_NE(rod(1.7, 0.0).find("without moving"), std::string::npos);
}

TEST(Words, SeparatingBodiesAreCalledSoAndHaveNoEvents) {
  const Document document = answer_to(
      "kind: impact\nmodel: planar\ncontact_space: {inverse_inertia: [[1, 0], [0, 1]], velocity: [0, 1]}\n"
      "material: {friction: 0, restitution: 1}\n");
  EXPECT_EQ(text_fact(document, "classes"), "direct, central, separating");
  EXPECT_EQ(table_of(document, "trace"), nullptr);
}

TEST(Words, WhereEveryDirectionIsInvariantNoneIsListed) {
  for (const char* name : {"ball_on_ground", "two_balls"}) {
    const Document document = answer_of(name);
    EXPECT_EQ(table_of(document, "invariant_directions"), nullptr);
    ASSERT_FALSE(document.notes.empty());
    EXPECT_NE(document.notes.front().find("every direction"), std::string::npos);
  }
  EXPECT_NE(table_of(answer_of("icosahedron_tetrahedron"), "invariant_directions"), nullptr);
}

TEST(Words, AboutSaysWhatTheResultIs) {
  const auto about = [](const char* name) { return load(scenarios / (std::string(name) + ".yaml")).head().about; };
  EXPECT_EQ(text_fact(answer_of("double_pendulum"), "mode"), "C-sticking");
  EXPECT_EQ(about("double_pendulum").find("revers"), std::string::npos);
  EXPECT_EQ(text_fact(answer_of("icosahedron_tetrahedron_2_5b"), "case"), "slip_ends_in_compression");
  EXPECT_NE(about("icosahedron_tetrahedron_2_5b").find("during compression"), std::string::npos);
  EXPECT_EQ(text_fact(answer_of("icosahedron_tetrahedron"), "case"), "slip_ends_in_restitution");
}

TEST(Words, FourOfTheBundlePartWhileSlipping) {
  const Document document = answer_of("hodograph_bundle_sticking");
  std::vector<double> speeds;
  for (const auto& curve : plot_of(document, "hodograph_bundle").curves) {
    const double speed = std::hypot(curve.points.back().x, curve.points.back().y);
    if (speed > 1e-9) speeds.push_back(speed);
  }
  // From 194, 222 and 249 degrees, and along the ray, which ends at (-.082335, -.030267) (computed independently).
  const double expected[] = {0.0568, 0.1575, 0.1498, std::hypot(0.082335, 0.030267)};
  ASSERT_EQ(speeds.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(speeds[i], expected[i], 5e-5);
}

// docs/theory/planar.md: less restitution does not always lose more.
TEST(Words, LossesAtThreeRestitutions) {
  const double expected[] = {0.592, 0.689, 0.653};
  for (const int i : {0, 1, 2}) {
    const Document document = answer_to(
        "kind: impact\nmodel: planar\nlaw: poisson\n"
        "contact_space: {inverse_inertia: [[2.5, -1.5], [-1.5, 2.5]], velocity: [-1, -1]}\n"
        "material: {friction: 0.5, restitution: " +
        std::to_string(0.5 * i) + "}\n");
    double loss = 0.0;
    for (const auto& fact : document.facts)
      if (fact.key == "restitution_loss" || fact.key == "friction_loss") loss += std::get<double>(fact.value);
    EXPECT_NEAR(loss, expected[i], 5e-4);
  }
}

}  // namespace
}  // namespace carom::scenario
