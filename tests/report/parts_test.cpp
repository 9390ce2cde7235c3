// The parts behind the figures: markup, ticks, clipping, placing labels.
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include "internal/report/geometry.hpp"
#include "internal/report/label_placement.hpp"
#include "internal/report/math_text.hpp"
#include "internal/report/plot_range.hpp"
#include "internal/report/ticks.hpp"
#include "internal/report/utf8.hpp"

namespace carom::report {
namespace {

TEST(Markup, BecomesPlainUnicode) {
  EXPECT_EQ(plain_text("$P_x$ [N s]"), "P_x [N s]");
  EXPECT_EQ(plain_text("$v_0$, $e^2$, $10^{-3}$"), "v₀, e², 10⁻³");
  EXPECT_EQ(plain_text("$\\mu_{max} \\le 0.7$"), "μ_max ≤ 0.7");
  EXPECT_EQ(plain_text("$\\Delta T$, $\\sin \\theta$, $e^{kt}$"), "ΔT, sin\u2009θ, e^(kt)");
  EXPECT_EQ(plain_text("m/s$^2$"), "m/s²");
  EXPECT_EQ(plain_text("costs 5$, or \\$6"), "costs 5$, or $6");
  EXPECT_EQ(plain_text("$x_{"), "$x_{");
  EXPECT_EQ(plain_text("$x_{$ $^$ $\\$"), plain_text("$x_{$ $^$ $\\$"));  // odd markup does not crash
  EXPECT_EQ(plain_text("$\\dot x$"), "x\u0307");
}

TEST(Markup, SurvivesAnyBytes) {
  std::mt19937_64 random(3);
  const std::string alphabet = "$$\\{}_^a1 -=\xce\xbc\xff";
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t n = random() % 24; n > 0; --n) text += alphabet[random() % alphabet.size()];
    EXPECT_GE(text_width(text, 10.0), 0.0);
    EXPECT_GE(svg_tspans(parse_markup(text), 10.0).size(), 0u);
    wrap_markup(text, 10.0, 30.0);
    EXPECT_LE(display_width(plain_text(text)), 3 * text.size());
  }
}

TEST(Markup, WrapsOutsideMathOnly) {
  const auto lines = wrap_markup("one $a = b$ two", 10.0, 1.0);
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "$a = b$", "two"}));
}

std::vector<std::string> labels(const Ticks& ticks) {
  std::vector<std::string> out;
  for (const Tick& tick : ticks.major) out.push_back(tick.label);
  return out;
}

TEST(Ticks, AreOneTwoFive) {
  EXPECT_EQ(labels(linear_ticks(0.0, 1.0, 5)), (std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels(linear_ticks(-0.11, 0.11, 4)), (std::vector<std::string>{"−0.10", "−0.05", "0.00", "0.05", "0.10"}));
}

TEST(Ticks, TakeOutPowersAndOffsets) {
  const Ticks large = linear_ticks(0.0, 2e6, 4);
  EXPECT_EQ(large.note, "×$10^{6}$");
  EXPECT_EQ(labels(large), (std::vector<std::string>{"0.0", "0.5", "1.0", "1.5", "2.0"}));
  const Ticks far = linear_ticks(1000000.001, 1000000.009, 4);
  EXPECT_EQ(far.note, "+ 1000000");
  EXPECT_EQ(labels(far), (std::vector<std::string>{"0.002", "0.004", "0.006", "0.008"}));
}

TEST(Ticks, CountDecades) {
  const Ticks t = logarithmic_ticks(1e-3, 1e2, 6);
  EXPECT_EQ(labels(t),
            (std::vector<std::string>{"$10^{-3}$", "$10^{-2}$", "$10^{-1}$", "$10^{0}$", "$10^{1}$", "$10^{2}$"}));
  EXPECT_EQ(t.minor.size(), 5u * 8u);
  EXPECT_EQ(labels(logarithmic_ticks(1.0, 8.0, 6)), (std::vector<std::string>{"1", "2", "5"}));
  EXPECT_LE(logarithmic_ticks(1e-200, 1e200, 6).major.size(), 8u);
}

TEST(Ticks, StayInRangeAndFewForAnyRange) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> exponent(-280, 280), unit(-1, 1);
  for (int i = 0; i < 20000; ++i) {
    const double low = unit(random) * std::pow(10.0, exponent(random));
    const double span = std::abs(low) * std::pow(10.0, 11.0 * unit(random)) + 1e-290;
    const double high = low + span;
    const Ticks ticks = linear_ticks(low, high, 6);
    ASSERT_GE(ticks.major.size(), 2u) << low << ' ' << high;
    ASSERT_LE(ticks.major.size(), 11u) << low << ' ' << high;
    for (const Tick& tick : ticks.major) {
      ASSERT_GE(tick.value, low - 1e-6 * span);
      ASSERT_LE(tick.value, high + 1e-6 * span);
      ASSERT_LE(display_width(tick.label), 9u) << low << ' ' << high << ' ' << tick.label;
    }
  }
}

TEST(Range, ShowsCurvesWithAMarginAndIgnoresLines) {
  Plot plot;
  plot.curves.resize(1);
  plot.curves[0].points = {{0, 10}, {1, 20}};
  plot.lines = {{{1000, 1000}, {1, 0}, {}, "", ""}};
  const Frame frame = choose_frame(plot);
  EXPECT_DOUBLE_EQ(frame.x.low, -0.06);
  EXPECT_DOUBLE_EQ(frame.x.high, 1.06);
  EXPECT_DOUBLE_EQ(frame.y.low, 9.4);
  EXPECT_DOUBLE_EQ(frame.y.high, 20.6);
}

TEST(Range, EqualScalesAreEqual) {
  for (const double height : {0.01, 0.5, 1.0, 3.0, 100.0}) {
    Plot plot;
    plot.equal_scale = true;
    plot.curves.resize(1);
    plot.curves[0].points = {{0, 0}, {1, height}};
    const Frame f = choose_frame(plot);
    EXPECT_NEAR(f.width / (f.x.high - f.x.low), f.height / (f.y.high - f.y.low), 1e-9 * f.width);
    EXPECT_LE(f.x.low, 0.0);
    EXPECT_GE(f.y.high, height);
  }
}

TEST(Clip, KeepsEveryPieceInsideTheBox) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> place(-30, 40);
  const Box box{0, 0, 10, 10};
  for (int i = 0; i < 5000; ++i) {
    Polyline points;
    for (int k = 0; k < 8; ++k) points.push_back({place(random), place(random)});
    for (const Polyline& piece : clip_polyline(points, box)) {
      ASSERT_GE(piece.size(), 2u);
      for (const Point& p : piece) ASSERT_TRUE(box.grown(1e-9).contains(p));
    }
  }
}

TEST(Clip, SimplifiedCurveStaysWithinAFractionOfAPixel) {
  Polyline circle;
  const double radius = 200.0;
  for (int i = 0; i <= 20000; ++i) {
    const double a = 2e-4 * 1.5 * i;
    circle.push_back({radius * std::cos(a), radius * std::sin(a)});
  }
  const auto pieces = clip_polyline(circle, {-300, -300, 300, 300});
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_LT(pieces[0].size(), 2000u);
  for (std::size_t i = 0; i + 1 < pieces[0].size(); ++i) {
    const Point a = pieces[0][i], b = pieces[0][i + 1];
    EXPECT_NEAR(std::hypot(0.5 * (a.x + b.x), 0.5 * (a.y + b.y)), radius, 0.15);  // column width plus tolerance
  }
}

TEST(Labels, DoNotOverlapEachOtherMarkersOrTheFrame) {
  // Six markers in a close cluster and one in a corner: there is room for all within the far ring.
  const Box frame{0, 0, 400, 300};
  const std::vector<Point> markers = {{200, 150}, {208, 146}, {192, 156}, {210, 160}, {196, 140}, {204, 168}, {3, 3}};
  LabelPlacer placer(frame);
  std::vector<Box> boxes;
  for (const Point& m : markers) {
    boxes.push_back(Box{m.x, m.y, m.x, m.y}.grown(4.5));
    placer.avoid(boxes.back());
  }
  for (const Point& m : markers) {
    const auto places = places_around(m, 4.5, 50.0, 17.0);
    const Box box = places[placer.place(places)].box;
    EXPECT_GE(box.left, frame.left);
    EXPECT_GE(box.top, frame.top);
    for (const Box& other : boxes) EXPECT_EQ(overlap_area(box, other), 0.0);
    boxes.push_back(box);
  }
}

TEST(Utf8, CountsWhatIsSeenAndMendsWhatIsBroken) {
  EXPECT_EQ(display_width("μ²−ẋ"), 4u);
  EXPECT_EQ(display_width("x\u0307"), 1u);
  std::string_view broken = "\xC0\x80";  // overlong zero
  EXPECT_EQ(take_code_point(broken), char32_t{0xFFFD});
  EXPECT_EQ(pad_left("é", 3), "  é");
  EXPECT_EQ(pad_right("é", 3), "é  ");
}

}  // namespace
}  // namespace carom::report
