#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "carom/core/error.hpp"
#include "carom/report/plot.hpp"
#include "carom/report/writers.hpp"

#include "internal/report/map_border.hpp"

namespace carom::report {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

/// Why `xml` is not well formed (tags balanced, attributes quoted, no stray < or &); "" if it is.
std::string xml_problem(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t i = 0; i < xml.size(); ++i) {
    if (xml[i] == '&') {
      const std::size_t end = xml.find(';', i);
      if (end == std::string::npos || end - i > 6) return "stray &";
    }
    if (xml[i] != '<') continue;
    const bool closing = xml[i + 1] == '/';
    std::size_t j = i + (closing ? 2 : 1);
    std::string name;
    while (j < xml.size() && std::isalpha(static_cast<unsigned char>(xml[j])) != 0) name += xml[j++];
    if (name.empty()) return "stray <";
    bool quoted = false;
    for (; j < xml.size() && (quoted || xml[j] != '>'); ++j) {
      if (xml[j] == '"') quoted = !quoted;
      if (xml[j] == '<') return "< in a tag of " + name;
    }
    if (j == xml.size()) return "unfinished " + name;
    if (closing) {
      if (open.empty() || open.back() != name) return "unbalanced " + name;
      open.pop_back();
    } else if (xml[j - 1] != '/') {
      open.push_back(name);
    }
    i = j;
  }
  return open.empty() ? "" : "open " + open.back();
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

void expect_sound(const Plot& plot) {
  const std::string svg = svg_text(plot);
  EXPECT_EQ(xml_problem(svg), "") << svg.substr(0, 3000);
  EXPECT_EQ(svg, svg_text(plot));
  std::string drawing = svg.substr(svg.find("</style>"));
  if (const std::size_t data = drawing.find("base64,"); data != std::string::npos)
    drawing.erase(data, drawing.find('"', data) - data);
  EXPECT_EQ(drawing.find("nan"), std::string::npos);
  EXPECT_EQ(drawing.find("\"inf"), std::string::npos);
  EXPECT_EQ(drawing.find("e+"), std::string::npos);
  EXPECT_EQ(drawing.find("10000000"), std::string::npos)
      << "a coordinate ran off the page: " << drawing.substr(drawing.find("10000000") - 200, 400);
}

Plot with_points(std::vector<Point> points) {
  Plot plot;
  plot.name = "test";
  Curve curve;
  curve.points = std::move(points);
  curve.legend = "curve";
  curve.arrow = true;
  plot.curves.push_back(curve);
  for (const Point& p : curve.points) plot.markers.push_back({p, MarkerShape::circle, Color::blue, "m", ""});
  return plot;
}

TEST(Svg, SurvivesDegenerateData) {
  const double top = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::denorm_min();
  const std::vector<std::vector<Point>> cases = {
      {},
      {{0, 0}},
      {{3, -7}},
      {{nan, nan}},
      {{nan, 1}, {2, infinity}, {-infinity, 3}},
      {{1, 5}, {2, 5}, {3, 5}},
      {{1, 1}, {1, 2}},
      {{-top, -top}, {top, top}},
      {{least, least}, {2 * least, 3 * least}},
      {{1e-300, 1e-300}, {2e-300, 1e-299}},
      {{1e299, -1e299}, {2e299, 1e299}},
      {{1e6, 1}, {1e6 + 1e-3, 1 + 1e-9}},
      {{1, 1}, {1 + 1e-15, 1 + 1e-15}},
      {{0, 0}, {1, 1}, {nan, 0}, {2, 2}, {3, 1}},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (int variant = 0; variant < 8; ++variant) {
      SCOPED_TRACE("case " + std::to_string(i) + " variant " + std::to_string(variant));
      Plot plot = with_points(cases[i]);
      plot.x.logarithmic = (variant & 1) != 0;
      plot.y.logarithmic = (variant & 2) != 0;
      plot.equal_scale = plot.axes_at_zero = (variant & 4) != 0;
      plot.lines = {{{0, 0}, {1, 1}, {}, "l", ""}, {{1, 1}, {0, 0}, {}, "", ""}, {{nan, 0}, {1, infinity}, {}, "", ""}};
      plot.lines.push_back({{1, 1}, {0, 1}, {}, "ray", "ray", true});
      expect_sound(plot);
    }
  }
}

TEST(Svg, SurvivesAnyRange) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-290, 290), unit(-1, 1);
  for (int i = 0; i < 1000; ++i) {
    Plot plot = with_points({});
    const auto value = [&] { return unit(random) * std::pow(10.0, exponent(random)); };
    for (int k = 0; k < 5; ++k) plot.curves[0].points.push_back({value(), value()});
    if (i % 2 == 0) plot.x.low = value();
    if (i % 3 == 0) plot.x.high = value();
    if (i % 5 == 0) plot.y.low = value();
    plot.y.logarithmic = i % 7 == 0;
    plot.x.logarithmic = i % 4 == 0;
    expect_sound(plot);
  }
}

TEST(Svg, EscapesText) {
  Plot plot = with_points({{0, 0}, {1, 1}});
  plot.title = plot.caption = plot.x.label = plot.y.label = "a < b & \"c\" > 'd' \x01 \xff $x<y$ $";
  plot.curves[0].legend = plot.markers[0].label = "<script>&";
  expect_sound(plot);
  EXPECT_EQ(svg_text(plot).find("<script"), std::string::npos);
}

/// An area is cut at the frame, lies below the lines, has a swatch in the legend, and no line of width 0.
TEST(Svg, AreasAreFilledAndCutAtTheFrame) {
  Plot plot;
  plot.x.low = plot.y.low = 0.0;
  plot.x.high = plot.y.high = 1.0;
  Curve area{{{-9.0, 0.5}, {0.5, 0.5}, {0.5, 9.0}}, {Color::green, Dash::solid, 0.0}, "inside", true};
  area.fill = 0.25;
  plot.curves = {area, {{{0.0, 0.0}, {1.0, 1.0}}, {Color::red, Dash::solid, 2.0}, ""}};
  const std::string svg = svg_text(plot);
  const std::string start = "<path class=\"green\" fill=\"currentColor\" fill-opacity=\"0.25\" d=\"";
  const std::size_t at = svg.find(start);
  ASSERT_NE(at, std::string::npos);
  EXPECT_LT(at, svg.find("<path class=\"red\""));
  EXPECT_NE(svg.find(start, at + 1), std::string::npos);  // the swatch
  EXPECT_EQ(svg.find("<path class=\"green\" fill=\"none\""), std::string::npos);
  // Of the triangle the frame holds x from 0 to a half: half of its width of 520 px.
  const std::string path = svg.substr(at + start.size(), svg.find('"', at + start.size()) - at - start.size());
  std::size_t corners = 0;
  double left = 1e9, right = -1e9;
  for (std::size_t i = 0; i < path.size(); ++i) {
    double x = 0.0, y = 0.0;
    if ((path[i] == 'M' || path[i] == 'L') && std::sscanf(path.c_str() + i + 1, "%lf %lf", &x, &y) == 2) {
      ++corners;
      left = std::min(left, x), right = std::max(right, x);
    }
  }
  EXPECT_GE(corners, 4U);
  EXPECT_NEAR(right - left, 260.0, 0.1);
  plot.curves[0].fill = 0.0;
  EXPECT_EQ(svg_text(plot).find("fill-opacity"), std::string::npos);
}

TEST(Svg, BreaksCurvesAtMissingPoints) {
  Plot plot = with_points({{0, 0}, {1, 1}, {nan, 5}, {2, 0}, {3, 1}});
  plot.markers.clear();
  const std::string svg = svg_text(plot);
  const std::size_t at = svg.find("stroke-linejoin=\"round\" d=\"");
  ASSERT_NE(at, std::string::npos);
  const std::string path = svg.substr(at + 27, svg.find("\"/>", at) - at - 27);
  EXPECT_EQ(count(path, "M"), 2u) << path;
  EXPECT_EQ(count(path, "L"), 2u) << path;
}

TEST(Svg, StraightRunsCostTwoPoints) {
  Plot plot = with_points({});
  for (int i = 0; i <= 50; ++i) plot.curves[0].points.push_back({0.1 * i, 0.2 * i});
  const std::string svg = svg_text(plot);
  const std::size_t at = svg.find("stroke-linejoin=\"round\" d=\"");
  EXPECT_EQ(count(svg.substr(at, svg.find("\"/>", at) - at), "L"), 1u);
}

TEST(Svg, SetsMathInItalicsWithIndices) {
  Plot plot;
  plot.x.label = "$P_x$ [N s]";
  const std::string svg = svg_text(plot);
  EXPECT_NE(
      svg.find("<tspan class=\"math var\">P</tspan><tspan class=\"math var\" font-size=\"10.8\" dy=\"3.6\">x</tspan>"
               "<tspan dy=\"-3.6\"> [N s]</tspan>"),
      std::string::npos)
      << svg;
}

TEST(Svg, FollowsDarkPagesAndPrint) {
  const std::string svg = svg_text({});
  EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos);
  EXPECT_NE(svg.find("@media print"), std::string::npos);
  EXPECT_NE(svg.find("role=\"img\""), std::string::npos);
}

TEST(Svg, TitleAndCaptionCanBeLeftToThePage) {
  Plot plot;
  plot.title = "Heading";
  plot.caption = "Words below";
  EXPECT_EQ(count(svg_text(plot), "Heading"), 2u);  // <title> and drawn
  EXPECT_EQ(count(svg_text(plot, {.title = false}), "Heading"), 1u);
  EXPECT_EQ(count(svg_text(plot, {.caption = false}), "Words below"), 1u);
}

TEST(Svg, DrawsCellsAndLeavesMissingOnesBlank) {
  Plot plot;
  plot.heat_map = HeatMap{{0, 1, 2}, {0, 1}, {0.0, 1.0}, "$T$"};
  expect_sound(plot);
  EXPECT_GE(count(svg_text(plot), "#fde725"), 1u);  // the end of the bar
  EXPECT_EQ(count(svg_text(plot), "href=\"data:image/png;base64,"), 1u);
  plot.heat_map->values[1] = nan;
  expect_sound(plot);
  plot.heat_map->values = {nan, nan};
  expect_sound(plot);
  plot.heat_map->x_edges = {0, 1e-3, 10};
  plot.x.logarithmic = true;
  expect_sound(plot);
}

TEST(Svg, AMapOfBothSignsIsCentredOnZeroAndMarksIt) {
  Plot plot;
  plot.heat_map = HeatMap{{0, 1, 2}, {0, 1}, {-1.0, 4.0}, "$v$"};
  const std::string both = svg_text(plot);
  EXPECT_EQ(count(both, "#fde725"), 0u);
  EXPECT_GE(count(both, "#672c06"), 1u);  // the largest
  EXPECT_EQ(count(both, "#0c336b"), 0u);  // as far below zero nothing is
  EXPECT_EQ(count(both, "class=\"contour\""), 1u);
  plot.heat_map->values = {0.0, 4.0};
  EXPECT_EQ(count(svg_text(plot), "class=\"contour\""), 0u);
  plot.heat_map->values = {-1e-12, 4.0};  // rounding is no sign
  EXPECT_EQ(count(svg_text(plot), "class=\"contour\""), 0u);
}

TEST(Svg, DrawsTheLineWhereAMapPassesAValue) {
  Plot plot;
  HeatMap map;
  constexpr int n = 20;
  for (int i = 0; i <= n; ++i) map.x_edges.push_back(2.0 * i / n - 1.0), map.y_edges.push_back(2.0 * i / n - 1.0);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) map.values.push_back(std::hypot((2.0 * i + 1) / n - 1, (2.0 * j + 1) / n - 1));
  map.contours = {0.5};
  plot.equal_scale = true;
  plot.heat_map = map;
  expect_sound(plot);
  const std::string svg = svg_text(plot);
  ASSERT_EQ(count(svg, "class=\"contour\""), 2u);  // in the map and across the bar
  // Every end of the line lies on the circle, a quarter of the frame wide.
  const std::size_t image = svg.find("<image x=\"");
  double left = 0, top = 0, width = 0;
  ASSERT_EQ(std::sscanf(svg.c_str() + image, "<image x=\"%lf\" y=\"%lf\" width=\"%lf\"", &left, &top, &width), 3);
  const char* at = svg.c_str() + svg.find("d=\"", svg.find("class=\"contour\"")) + 3;
  int points = 0;
  for (; *at == 'M' || *at == 'L'; ++points) {
    double x = 0, y = 0;
    int used = 0;
    ASSERT_EQ(std::sscanf(at + 1, "%lf %lf%n", &x, &y, &used), 2);
    EXPECT_NEAR(std::hypot(x - left - 0.5 * width, y - top - 0.5 * width), 0.25 * width, 1.0);
    at += 1 + used;
  }
  EXPECT_GT(points, 40);
}

/// A map of n by n cells on the unit square that knows what `known` says.
template <class Known>
HeatMap map_of(int n, const Known& known) {
  HeatMap map;
  for (int i = 0; i <= n; ++i) map.x_edges.push_back(double(i) / n), map.y_edges.push_back(double(i) / n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) map.values.push_back(known((i + 0.5) / n, (j + 0.5) / n) ? 0.5 + i : nan);
  return map;
}

TEST(Svg, ALineReachesTheFrame) {
  Plot plot;
  plot.heat_map = map_of(10, [](double, double) { return true; });
  plot.heat_map->contours = {4.2};  // upright
  const std::string svg = svg_text(plot);
  const std::size_t image = svg.find("<image x=\"");
  double left = 0, top = 0, width = 0, height = 0;
  ASSERT_EQ(std::sscanf(svg.c_str() + image, "<image x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &left, &top,
                        &width, &height),
            4);
  double low = 1e9, high = -1e9;
  for (const char* at = svg.c_str() + svg.find("d=\"", svg.find("class=\"contour\"")) + 3; *at == 'M' || *at == 'L';) {
    double x = 0, y = 0;
    int used = 0;
    ASSERT_EQ(std::sscanf(at + 1, "%lf %lf%n", &x, &y, &used), 2);
    low = std::min(low, y), high = std::max(high, y);
    at += 1 + used;
  }
  EXPECT_NEAR(low, top, 0.1);
  EXPECT_NEAR(high, top + height, 0.1);
}

TEST(Svg, WhatIsKnownOfAMapEndsInASmoothLine) {
  // A line of slope .17 through 40 by 40 cells: what is painted over ends within a third of a cell of it, where the
  // cells themselves have steps of a whole one.
  constexpr int n = 40;
  constexpr double size = 400.0;  // px
  const auto line = [](double x) { return 0.4 + 0.17 * x; };
  std::vector<double> grid = {0.0};
  for (int i = 0; i < n; ++i) grid.push_back((i + 0.5) / n);
  grid.push_back(1.0);
  std::vector<char> known;
  for (const double y : grid)
    for (const double x : grid) known.push_back(y < line(x) ? 1 : 0);
  std::vector<double> pixels;
  for (const double g : grid) pixels.push_back(size * g);
  const std::string path = unknown_part(known, pixels, pixels);
  int ends = 0;
  for (const char* at = path.c_str(); *at != '\0';) {
    if (*at == 'Z') {
      ++at;
      continue;
    }
    double x = 0, y = 0;
    int used = 0;
    ASSERT_EQ(std::sscanf(at + 1, "%lf %lf%n", &x, &y, &used), 2);
    at += 1 + used;
    x /= size, y /= size;
    const bool corner = std::any_of(grid.begin(), grid.end(), [&](double g) { return std::abs(g - y) < 1e-4; });
    if (corner || x < 0.1 || x > 0.9) continue;  // corners of cells; near the ends the line is cut off
    ++ends;
    EXPECT_NEAR(y, line(x), 0.35 / n) << x;
  }
  EXPECT_GT(ends, 25);
  // A single cell that is not known stays so, as does a single one that is.
  for (const bool most : {true, false}) {
    std::vector<char> one(grid.size() * grid.size(), most ? 1 : 0);
    one[20 * grid.size() + 20] = most ? 0 : 1;
    double area = 0.0;
    std::vector<Point> corners;
    const std::string around = unknown_part(one, pixels, pixels);
    for (const char* at = around.c_str(); *at != '\0';) {
      if (*at == 'Z') {
        for (std::size_t i = 0; i < corners.size(); ++i) {
          const Point &a = corners[i], &b = corners[(i + 1) % corners.size()];
          area += 0.5 * (a.x * b.y - a.y * b.x);
        }
        corners.clear();
        ++at;
        continue;
      }
      Point p;
      int used = 0;
      ASSERT_EQ(std::sscanf(at + 1, "%lf %lf%n", &p.x, &p.y, &used), 2);
      at += 1 + used;
      corners.push_back({p.x / size, p.y / size});
    }
    const double cell = 1.0 / (n * n), share = (most ? area : 1.0 - area) / cell;
    EXPECT_GT(share, 0.2);
    EXPECT_LT(share, 1.0);
  }
  // In a picture: painted in the colour of the page.
  Plot plot;
  plot.heat_map = map_of(n, [&](double x, double y) { return y < line(x); });
  expect_sound(plot);
  EXPECT_EQ(count(svg_text(plot), "<path class=\"page\""), 1u);
  plot.heat_map = map_of(n, [](double, double) { return true; });
  EXPECT_EQ(count(svg_text(plot), "<path class=\"page\""), 0u);
}

TEST(Svg, NamesCategoriesWhereNumbersWouldStand) {
  Plot plot = with_points({{0.2, 1}, {0.4, 2}, {0.3, 3}});
  plot.y.categories = {"cue", "one", "two"};
  const std::string svg = svg_text(plot);
  for (const char* label : {">cue</text>", ">one</text>", ">two</text>"}) EXPECT_EQ(count(svg, label), 1u);
  EXPECT_EQ(count(svg, ">2</text>"), 0u);
  // Too many for the width: some are left out, none overlap.
  plot.x.categories.assign(200, "a long name");
  EXPECT_LE(count(svg_text(plot), ">a long name</text>"), 10u);
  expect_sound(plot);
}

TEST(Svg, TheHeadOfAShortArrowIsShort) {
  const auto head = [](double length) {
    Plot plot;
    plot.x.low = plot.y.low = 0.0;
    plot.x.high = plot.y.high = 100.0;
    plot.curves.push_back({{{50, 50}, {50 + length, 50}}, {Color::blue, Dash::solid, 2.4}, "", false, true});
    const std::string svg = svg_text(plot);
    const std::size_t at = svg.find("<path class=\"blue\" fill=\"currentColor\" d=\"M");
    double tip = 0, y = 0, back = 0;
    EXPECT_EQ(
        std::sscanf(svg.c_str() + at, "<path class=\"blue\" fill=\"currentColor\" d=\"M%lf %lfL%lf", &tip, &y, &back),
        3);
    return tip - back;
  };
  EXPECT_NEAR(head(20.0), 11.0, 0.1);      // 5 px and the width of the line
  EXPECT_NEAR(head(1.0), 0.6 * 5.2, 0.1);  // one unit is 5.2 px
  EXPECT_LT(head(0.2), 1.04);              // never longer than the arrow: it would point backwards
}

TEST(Svg, MarkersThatCoincideShareALabelAndAllShow) {
  Plot plot;
  plot.markers = {{{0, 0}, MarkerShape::circle, Color::blue, "hertz", ""},
                  {{0, 0}, MarkerShape::square, Color::orange, "linear", ""},
                  {{0, 0}, MarkerShape::circle, Color::blue, "hertz", ""},
                  {{1, 1}, MarkerShape::circle, Color::blue, "apart", ""}};
  const std::string svg = svg_text(plot);
  EXPECT_EQ(count(svg, ">hertz, linear</text>"), 1u);
  EXPECT_EQ(count(svg, ">apart</text>"), 1u);
  EXPECT_EQ(count(svg, "<circle class=\"blue\""), 2u);  // two places, not three markers
  EXPECT_EQ(count(svg, "r=\"7.43\""), 1u);              // the one behind is wider
  EXPECT_EQ(count(svg, "<path class=\"orange\""), 1u);
}

TEST(Svg, TheHeadingStandsAboveTheTitle) {
  Plot plot;
  plot.name = "plot";
  plot.title = "Velocities";
  const std::string svg = svg_text(plot, {.heading = "Newton's cradle"});
  EXPECT_NE(svg.find("<title>Newton&#39;s cradle: Velocities</title>"), std::string::npos);
  EXPECT_LT(svg.find(">Newton&#39;s cradle</text>"), svg.find(">Velocities</text>"));
  EXPECT_EQ(count(svg_text(plot, {.heading = "Velocities"}), "Velocities"), 2u);  // <title> and drawn, not twice
}

TEST(Svg, RefusesAHeatMapThatDoesNotFit) {
  Plot plot;
  plot.heat_map = HeatMap{{0, 1, 2}, {0, 1}, {0.0}, ""};
  EXPECT_THROW(svg_text(plot), InvalidInput);
  plot.heat_map = HeatMap{{0, 1, 1}, {0, 1}, {0.0, 1.0}, ""};
  EXPECT_THROW(svg_text(plot), InvalidInput);
  plot.heat_map = HeatMap{{0, nan, 1}, {0, 1}, {0.0, 1.0}, ""};
  EXPECT_THROW(svg_text(plot), InvalidInput);
  plot.heat_map = HeatMap{};
  EXPECT_THROW(svg_text(plot), InvalidInput);
}

TEST(Svg, AnAxisThatCountsHasWholeTicks) {
  Plot plot = with_points({{1, 0}, {4, 1}});
  plot.x.low = 0.5;
  plot.x.high = 4.5;
  EXPECT_GE(count(svg_text(plot), ">1.5</text>"), 1u);
  plot.x.whole = true;
  const std::string svg = svg_text(plot);
  EXPECT_EQ(count(svg, ">1.5</text>"), 0u);
  for (const char* label : {">1</text>", ">2</text>", ">3</text>", ">4</text>"}) EXPECT_EQ(count(svg, label), 1u);
  plot.x.high = 0.7;  // a short range keeps its frame
  expect_sound(plot);
}

TEST(Svg, AMapThatCountsHasAWholeBar) {
  Plot plot;
  plot.name = "counts";
  plot.heat_map = HeatMap{{10, 20, 30, 40}, {10, 20}, {1, 2, 3}, "answers"};
  const std::string svg = svg_text(plot);
  EXPECT_EQ(count(svg, ">1.5</text>"), 0u);
  for (const char* label : {">1</text>", ">2</text>", ">3</text>"}) EXPECT_EQ(count(svg, label), 1u);
  plot.heat_map->values = {1, 2.5, 3};
  EXPECT_EQ(count(svg_text(plot), ">1.5</text>"), 1u);
}

TEST(Svg, LegendNamesAStyleOnce) {
  Plot plot = with_points({{0, 0}, {1, 1}});
  plot.curves.push_back(plot.curves[0]);
  EXPECT_EQ(count(svg_text(plot), ">curve</text>"), 1u);
}

}  // namespace
}  // namespace carom::report
